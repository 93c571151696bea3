//! Calls of FUNCTIONs and of the game's functions.

use super::{Found, Resolver};
use crate::diagnostic::{Code, Diagnostic};
use crate::level::*;
use crate::source::{Spanned, Text};

/// Returns a list of types for messages: `(integer, string)`.
fn signature(types: impl IntoIterator<Item = Found>) -> String {
    let noun = |ty: Type| match ty.describe().split_once(' ') {
        Some((_, noun)) => noun.to_owned(),
        None => ty.describe(),
    };
    let list: Vec<String> = types.into_iter().map(|ty| ty.map_or("something else".to_owned(), noun)).collect();
    if list.is_empty() { "no arguments".to_owned() } else { format!("({})", list.join(", ")) }
}

impl Resolver<'_> {
    pub(super) fn call(&mut self, function: &Spanned<Text>, arguments: &mut [Expr]) {
        let found: Vec<Found> = arguments.iter_mut().map(|argument| self.call_argument(argument)).collect();
        let name = &function.node;
        if self.catalog.core_function(name).is_some() {
            self.push(
                Diagnostic::new(
                    Code::Syntax,
                    function.span,
                    format!("'{name}' returns a value and is not a statement"),
                )
                .with_help(format!("use it as a value, e.g. $x = {name}...")),
            );
            return;
        }
        let Some(state) = self.functions.get(name) else {
            if self.unread.mentions(name, function.span) {
                return;
            }
            if name.starts_with("des.") {
                let message = "this is NetHack 5 Lua";
                let word = name.trim_start_matches("des.").to_ascii_uppercase();
                let help = match self.catalog.is_keyword(&word) {
                    true => format!("in {}, this statement is {word}: and its values", self.catalog.title),
                    false => {
                        format!("{} reads des-files, whose statements are keywords in capitals", self.catalog.title)
                    }
                };
                self.push(Diagnostic::new(Code::WrongDialect, function.span, message).with_help(help));
                return;
            }
            let is_statement = |word: &&str| word.bytes().all(|letter| letter.is_ascii_uppercase() || letter == b'_');
            let words = self.catalog.all_keywords().iter().map(|word| word.as_ref()).filter(is_statement);
            // A function in lower case was not meant as a keyword.
            let words = words.filter(|_| !name.bytes().any(|letter| letter.is_ascii_lowercase()));
            if let Some(&later) = self.definitions.get(name) {
                let message = format!("function '{name}' is called before its definition");
                self.push(
                    Diagnostic::new(Code::UnknownFunction, function.span, message)
                        .with_secondary(later, "defined here")
                        .with_help("move the definition before the first call"),
                );
                return;
            }
            let known = self.functions.keys().map(Text::as_str).chain(words);
            let help = self
                .diagnostics
                .near(Code::UnknownFunction, name, known)
                .unwrap_or_else(|| format!("define it above: FUNCTION {name}() {{ ... }}"));
            self.push(
                Diagnostic::new(Code::UnknownFunction, function.span, format!("function '{name}' is not defined"))
                    .with_help(help),
            );
            return;
        };
        let fits = state.parameters.len() == found.len()
            && state.parameters.iter().zip(&found).all(|(want, found)| found.is_none_or(|found| found == *want));
        if !fits {
            let span = match &*arguments {
                [first, .., last] | [first @ last] => first.span.to(last.span),
                [] => function.span,
            };
            let want = signature(state.parameters.iter().copied().map(Some));
            let got = signature(found.iter().copied());
            let defined = state.span;
            let message = format!("function '{name}' takes {want}, but is called with {got}");
            let turned = state.parameters.iter().rev().copied().map(Some).eq(found.iter().copied());
            let written = |argument: &Expr| match &argument.kind {
                ExprKind::Integer(number) => Some(number.to_string()),
                ExprKind::String(text) => Some(format!("\"{text}\"")),
                ExprKind::Variable(Variable { name, index: None, .. }) => Some(name.to_string()),
                _ => None,
            };
            let reversed = arguments.iter().rev().map(written).collect::<Option<Vec<String>>>().filter(|_| turned);
            let help = match &reversed {
                Some(values) => format!("write {name}({})", values.join(", ")),
                None if state.parameters.is_empty() => format!("write {name}()"),
                None if turned => format!("write the values in the other order: {name}{want}"),
                None => format!("write {name}{want}, with a value for each"),
            };
            let problem =
                Diagnostic::new(Code::Arguments, span, message).with_secondary(defined, "defined here").with_help(help);
            self.push(match reversed {
                Some(values) => problem.with_suggestion(span, values.join(", "), true),
                None => problem,
            });
        }
    }

    /// Resolves an argument of a FUNCTION: a number or a string.
    fn call_argument(&mut self, argument: &mut Expr) -> Found {
        let found = self.infer(argument)?;
        if found.array || !matches!(found.value, ValueType::Integer | ValueType::String) {
            self.push(
                Diagnostic::new(
                    Code::TypeMismatch,
                    argument.span,
                    format!("{} cannot be a function argument", found.describe()),
                )
                .with_help("pass an integer or a string"),
            );
            return None;
        }
        Some(found)
    }

    pub(super) fn core_call(&mut self, call: &mut CoreCall) -> Found {
        let name = &call.function;
        let Some(function) = self.catalog.core_function(&name.node) else {
            let known = self.catalog.core_functions.iter().map(|function| function.name.as_ref());
            let mut diagnostic =
                Diagnostic::new(Code::UnknownFunction, name.span, format!("'{}' is not a value", name.node));
            if self.catalog.core_functions.is_empty() {
                diagnostic =
                    diagnostic.with_note(format!("{} has no functions that return values", self.catalog.title));
            } else if let Some(help) = self.diagnostics.near(Code::UnknownFunction, &name.node, known) {
                diagnostic = diagnostic.with_help(help);
            } else {
                diagnostic = diagnostic.with_help("put a string in double quotes, and begin a variable with $");
            }
            self.push(diagnostic);
            for argument in call.arguments.iter_mut().flatten() {
                self.infer(argument);
            }
            return None;
        };
        let mut found = Vec::new();
        for argument in call.arguments.iter_mut().flatten() {
            found.push(self.infer(argument));
        }
        let wanted: Vec<Found> =
            function.parameters.chars().map(|letter| ValueType::of_letter(letter).map(Type::of)).collect();
        // The grammar takes only `monster: ...` (`corefunc_param_part` in `util/lev_comp.y`).
        for (argument, _) in call.arguments.iter().flatten().zip(&found).filter(|(argument, found)| {
            matches!(argument.kind, ExprKind::Variable(_)) && **found == Some(Type::of(ValueType::Monster))
        }) {
            let message = format!("'{}' does not take a variable for a monster", name.node);
            self.push(
                Diagnostic::new(Code::Arguments, argument.span, message)
                    .with_help("write the monster itself, as in monster: \"giant eel\""),
            );
        }
        // Empty parentheses are an error even for a function without parameters.
        let empty = call.arguments.as_ref().is_some_and(Vec::is_empty);
        let unknown = found.iter().any(Option::is_none);
        if !unknown && (found != wanted || empty) {
            let diagnostic = if empty && wanted.is_empty() {
                Diagnostic::new(Code::Arguments, name.span, format!("'{}' takes no parentheses", name.node))
                    .with_help(format!("write {}", name.node))
            } else {
                let (want, got) = (signature(wanted), signature(found));
                let message = format!("'{}' takes {want}, but is called with {got}", name.node);
                let diagnostic = Diagnostic::new(Code::Arguments, name.span, message);
                match call.arguments.as_deref() {
                    Some([Expr { kind: ExprKind::String(text), .. }]) if name.node == "string" => diagnostic
                        .with_help(format!("it converts a number to a string; for a string, write \"{text}\"")),
                    _ if want == "no arguments" => diagnostic.with_help(format!("write {}", name.node)),
                    _ => diagnostic.with_help(format!(
                        "write {}{}",
                        name.node,
                        want.replace("an ", "").replace("a ", "")
                    )),
                }
            };
            self.push(diagnostic);
        }
        ValueType::of_letter(function.result).map(Type::of)
    }
}
