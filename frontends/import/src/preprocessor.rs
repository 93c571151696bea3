//! C's preprocessor: conditionals, included files, macros.
//!
//! Files come from the [tree](Tree) alone. System headers are skipped, and their definitions are unknown. As in
//! compilers, a conditional or an include inside the arguments of a macro takes effect.

use std::collections::{HashMap, HashSet};
use std::rc::Rc;

use crate::evaluate::{Constants, Unknown, evaluate};
use crate::limits::{
    MAX_CALL_TOKENS, MAX_CONDITIONAL_DEPTH, MAX_EXPANDED, MAX_INCLUDE_DEPTH, MAX_MADE_BYTES, MAX_SWITCHES,
};
use crate::tokens::{Hidden, Kind, Names, Token, both, hide, logical_lines, tokens};
use crate::{Settings, Tree, TreeError};

/// A macro.
#[derive(Clone, Debug)]
pub struct Macro {
    parameters: Option<Parameters>,
    body: Vec<Token>,
    /// The file that defines it, as [`Token::file`].
    pub file: u16,
    /// Its position in the order of definitions.
    pub order: usize,
}

impl Macro {
    /// Returns true if it has parameters.
    pub fn takes_arguments(&self) -> bool {
        self.parameters.is_some()
    }
}

#[derive(Clone, Debug)]
struct Parameters {
    names: Vec<Rc<str>>,
    is_variadic: bool,
}

/// An open conditional.
#[derive(Clone, Copy, Debug)]
struct Conditional {
    /// True if its current branch is active.
    active: bool,
    /// True if a branch has already been active.
    done: bool,
    /// True if the text around it is active.
    outer: bool,
}

/// A run of the preprocessor over one or more files.
pub struct Preprocessor<'a, 'f> {
    /// The source of files.
    pub tree: &'a mut Tree<'f>,
    macros: HashMap<Rc<str>, Macro>,
    names: Names,
    /// Macros that only expand their arguments repeatedly: `#define F(...) G(G(__VA_ARGS__))`. They are used to build a
    /// list of the arguments by recursion, in which `C02(x)` after the list replaces its second element. Here this is
    /// done directly, which is a thousand times cheaper.
    repeats: HashSet<Rc<str>>,
    /// The preprocessed tokens.
    pub output: Vec<Token>,
    pending: Vec<Token>,
    /// The number of open brackets in `pending`.
    open_brackets: usize,
    depth: usize,
    /// The number of expansions within each other, and of the tokens spent before the current outermost macro call.
    expanding: usize,
    spent_before: usize,
    defined: usize,
    /// Undefined symbols that a conditional tests in the file itself, not in a file that it includes.
    switches: Vec<Rc<str>>,
}

/// The number of bytes of a made text that cost as much as a token.
const BYTES_OF_TOKEN: usize = 16;

/// The predefined symbols of a Unix compiler.
const UNIX: &[(&str, &str)] = &[
    ("unix", "1"),
    ("__unix__", "1"),
    ("__unix", "1"),
    ("__linux__", "1"),
    ("linux", "1"),
    ("__STDC__", "1"),
    ("__GNUC__", "4"),
];

/// Headers generated during a build, by a parser generator or the game's `makedefs`. No table depends on them.
const GENERATED: &[&str] =
    &["lev_comp.h", "dgn_comp.h", "lev_yacc.h", "y.tab.h", "date.h", "onames.h", "pm.h", "vis_tab.h"];

impl<'a, 'f> Preprocessor<'a, 'f> {
    /// Creates a preprocessor with the symbols of a build.
    pub fn new(tree: &'a mut Tree<'f>, settings: &Settings) -> Result<Self, TreeError> {
        let mut new = Preprocessor {
            tree,
            macros: HashMap::new(),
            names: Names::default(),
            repeats: HashSet::new(),
            output: Vec::new(),
            pending: Vec::new(),
            open_brackets: 0,
            expanding: 0,
            spent_before: 0,
            depth: 0,
            defined: 0,
            switches: Vec::new(),
        };
        for (name, value) in UNIX {
            new.define_text(name, value)?;
        }
        for (name, value) in &settings.defines {
            new.define_text(name, value)?;
        }
        for name in &settings.undefines {
            new.macros.remove(name.as_str());
        }
        Ok(new)
    }

    fn define_text(&mut self, name: &str, value: &str) -> Result<(), TreeError> {
        let line = tokens(&format!("{name} {value}"), 0, 0, &mut self.names);
        self.define(&line)
    }

    /// Returns the macro with this name.
    pub fn macro_named(&self, name: &str) -> Option<&Macro> {
        self.macros.get(name)
    }

    /// Returns all macros, in the order of their definition.
    pub fn macros(&self) -> Vec<(&Rc<str>, &Macro)> {
        let mut all: Vec<_> = self.macros.iter().collect();
        all.sort_by_key(|(_, known)| known.order);
        all
    }

    /// Reads the file at `path`, or one with the same name elsewhere. Returns false if there is none.
    ///
    /// # Errors
    /// Returns an error if a limit is exceeded.
    pub fn anywhere(&mut self, path: &str) -> Result<bool, TreeError> {
        let Some((number, text)) = self.tree.find(path)? else { return Ok(false) };
        self.text(path, number, &text)?;
        Ok(true)
    }

    /// Preprocesses `text`, as the file at `path`.
    ///
    /// # Errors
    /// Returns an error if a limit is exceeded.
    pub fn text(&mut self, path: &str, file: u16, text: &str) -> Result<(), TreeError> {
        self.lines(path, file, text)?;
        if self.depth == 0 {
            self.flush()?;
        }
        Ok(())
    }

    fn lines(&mut self, path: &str, file: u16, text: &str) -> Result<(), TreeError> {
        let mut open: Vec<Conditional> = Vec::new();
        for (number, line) in logical_lines(text) {
            let active = open.last().is_none_or(|conditional| conditional.active);
            let trimmed = line.trim_start();
            let Some(directive) = trimmed.strip_prefix('#') else {
                if active {
                    let line = tokens(&line, file, number, &mut self.names);
                    self.tree.spend(line.len())?;
                    for token in &line {
                        if token.is("(") {
                            self.open_brackets += 1;
                        } else if token.is(")") {
                            self.open_brackets = self.open_brackets.saturating_sub(1);
                        }
                    }
                    self.pending.extend(line);
                }
                continue;
            };
            let directive = directive.trim_start();
            let length = directive.find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(directive.len());
            let (word, rest) = directive.split_at(length);
            match word {
                "if" | "ifdef" | "ifndef" => {
                    if open.len() >= MAX_CONDITIONAL_DEPTH {
                        return Err(self.tree.too_much(path, "conditionals nest too deeply"));
                    }
                    let holds = active
                        && match word {
                            "if" => self.holds(rest, file, number)?,
                            _ => self.is_defined(rest, file) == (word == "ifdef"),
                        };
                    open.push(Conditional { active: holds, done: holds, outer: active });
                }
                "elif" | "else" => {
                    let Some(mut conditional) = open.pop() else { continue };
                    let may = conditional.outer && !conditional.done;
                    conditional.active = may && (word == "else" || self.holds(rest, file, number)?);
                    conditional.done |= conditional.active;
                    open.push(conditional);
                }
                "endif" => {
                    open.pop();
                }
                _ if !active => {}
                "define" | "undef" => {
                    let line = tokens(rest, file, number, &mut self.names);
                    self.tree.spend(line.len())?;
                    self.flush_whole()?;
                    if word == "define" {
                        self.define(&line)?;
                    } else if let Some(name) = line.first() {
                        self.macros.remove(&name.text);
                    }
                }
                "include" => {
                    let rest = rest.trim();
                    if let Some(name) = rest.strip_prefix('"').and_then(|rest| rest.split('"').next()) {
                        self.include(path, name)?;
                    }
                }
                _ => {}
            }
        }
        Ok(())
    }

    fn include(&mut self, from: &str, name: &str) -> Result<(), TreeError> {
        if self.depth >= MAX_INCLUDE_DEPTH {
            return Err(self.tree.too_much(from, "includes nest too deeply"));
        }
        let folder = from.rsplit_once('/').map_or("", |(folder, _)| folder);
        let candidates =
            [format!("{folder}/{name}"), format!("include/{name}"), format!("src/{name}"), format!("util/{name}")];
        // The header generated from the grammar would replace the names of tokens by numbers.
        if GENERATED.contains(&name) {
            return Ok(());
        }
        let anywhere = format!("**/{}", name.rsplit('/').next().unwrap_or(name));
        for candidate in candidates.into_iter().chain([anywhere]) {
            if let Some((number, text)) = self.tree.read(candidate.trim_start_matches('/'))? {
                self.depth += 1;
                let result = self.lines(&candidate, number, &text);
                self.depth -= 1;
                return result;
            }
        }
        self.tree.missing(name, from)
    }

    /// Returns the undefined symbols that the files test themselves, not in files that they include.
    pub fn switches(&self) -> &[Rc<str>] {
        &self.switches
    }

    fn is_defined(&mut self, rest: &str, file: u16) -> bool {
        let line = tokens(rest, file, 0, &mut self.names);
        line.first().is_some_and(|name| self.knows(name))
    }

    fn knows(&mut self, name: &Token) -> bool {
        let known = self.macros.contains_key(&name.text);
        if !known && self.depth == 0 && self.switches.len() < MAX_SWITCHES && !self.switches.contains(&name.text) {
            self.switches.push(name.text.clone());
        }
        known
    }

    fn holds(&mut self, rest: &str, file: u16, number: u32) -> Result<bool, TreeError> {
        let line = tokens(rest, file, number, &mut self.names);
        self.tree.spend(line.len())?;
        // Replace `defined` first, because its operand is not expanded.
        let mut plain = Vec::with_capacity(line.len());
        let mut at = 0;
        while let Some(token) = line.get(at) {
            at += 1;
            if !token.names("defined") {
                plain.push(token.clone());
                continue;
            }
            let bracket = line.get(at).is_some_and(|token| token.is("("));
            at += usize::from(bracket);
            let known = line.get(at).is_some_and(|name| self.knows(name));
            at += 1 + usize::from(bracket);
            let text = self.names.keep(if known { "1" } else { "0" });
            plain.push(Token { kind: Kind::Number, text, ..token.clone() });
        }
        let expanded = self.expand(plain)?;
        Ok(evaluate(&expanded, &Constants::new(), Unknown::IsZero).unwrap_or(0) != 0)
    }

    fn define(&mut self, line: &[Token]) -> Result<(), TreeError> {
        let Some((name, rest)) = line.split_first() else { return Ok(()) };
        let mut parameters = None;
        let mut body = rest;
        if rest.first().is_some_and(|token| token.is("(") && !token.spaced) {
            let Some(end) = rest.iter().position(|token| token.is(")")) else { return Ok(()) };
            let is_variadic = rest[..end].iter().any(|token| token.is("..."));
            let names = rest[1..end].iter().filter(|token| token.kind == Kind::Identifier);
            parameters = Some(Parameters { names: names.map(|token| token.text.clone()).collect(), is_variadic });
            body = &rest[end + 1..];
        }
        if let [first, open, again, open_again, rest, close, close_again] = body
            && first.kind == Kind::Identifier
            && first.text == again.text
            && [open, open_again].iter().all(|token| token.is("("))
            && rest.names("__VA_ARGS__")
            && [close, close_again].iter().all(|token| token.is(")"))
        {
            self.repeats.insert(name.text.clone());
        }
        self.defined += 1;
        let order = self.defined;
        self.macros.insert(name.text.clone(), Macro { parameters, body: body.to_vec(), file: name.file, order });
        Ok(())
    }

    /// Expands the pending tokens, unless a macro is waiting for its arguments.
    fn flush_whole(&mut self) -> Result<(), TreeError> {
        if self.open_brackets == 0 { self.flush() } else { Ok(()) }
    }

    fn flush(&mut self) -> Result<(), TreeError> {
        let pending = std::mem::take(&mut self.pending);
        let expanded = self.expand(pending)?;
        self.output.extend(expanded);
        Ok(())
    }

    /// Returns `text`, expanded.
    ///
    /// # Errors
    /// Returns an error if a limit is exceeded.
    pub fn expand_text(&mut self, text: &str, file: u16, line: u32) -> Result<Vec<Token>, TreeError> {
        let line = tokens(text, file, line, &mut self.names);
        self.expand(line)
    }

    /// Returns the macros hidden in the expansion of the macro `token`.
    fn hide(&mut self, token: &Token) -> Result<Option<Rc<Hidden>>, TreeError> {
        if token.hidden.as_ref().is_some_and(|hidden| hidden.length > MAX_CONDITIONAL_DEPTH) {
            return Err(self.tree.too_much("", "macros nest too deeply"));
        }
        Ok(hide(token.hidden.as_ref(), &token.text))
    }

    /// Counts the tokens of a substituted body, and the texts made for it. `body` is `None` if a text was too long.
    fn made(&mut self, body: Option<(Vec<Token>, usize)>, at: &Token) -> Result<Vec<Token>, TreeError> {
        let Some((body, bytes)) = body else {
            let path = self.tree.names.get(usize::from(at.file)).cloned().unwrap_or_default();
            let problem = format!("line {} makes a word of more than {MAX_MADE_BYTES} bytes", at.line);
            return Err(self.tree.too_much(&path, &problem));
        };
        self.tree.spend(body.len() + 1 + bytes / BYTES_OF_TOKEN)?;
        Ok(body)
    }

    /// Returns an argument with all its macros expanded.
    fn nested(&mut self, argument: Vec<Token>) -> Result<Vec<Token>, TreeError> {
        self.depth += 1;
        if self.depth > MAX_CONDITIONAL_DEPTH {
            return Err(self.tree.too_much("", "macros nest too deeply"));
        }
        let full = self.expand(argument);
        self.depth -= 1;
        full
    }

    /// Returns `input` with all its macros expanded.
    fn expand(&mut self, input: Vec<Token>) -> Result<Vec<Token>, TreeError> {
        self.expanding += 1;
        let expanded = self.expand_all(input);
        self.expanding -= 1;
        expanded
    }

    fn expand_all(&mut self, input: Vec<Token>) -> Result<Vec<Token>, TreeError> {
        let mut out = Vec::with_capacity(input.len());
        // Reversed, so that the next token is the last one.
        let mut input: Vec<Token> = input.into_iter().rev().collect();
        while let Some(token) = input.pop() {
            if input.len().max(out.len()) > MAX_EXPANDED {
                return Err(self.tree.too_much("", "macros expand to too much"));
            }
            // A token of the file itself begins a new call.
            if self.expanding == 1 && token.hidden.is_none() {
                self.spent_before = self.tree.tokens;
            }
            if self.tree.tokens - self.spent_before > MAX_CALL_TOKENS {
                let problem = format!("line {} expands to more than {MAX_CALL_TOKENS} tokens", token.line);
                let path = self.tree.names.get(usize::from(token.file)).cloned().unwrap_or_default();
                return Err(self.tree.too_much(&path, &problem));
            }
            let known = if token.kind == Kind::Identifier { self.macros.get(&token.text) } else { None };
            let Some(known) = known.filter(|_| !token.hides(&token.text)) else {
                out.push(token);
                continue;
            };
            let Some(parameters) = &known.parameters else {
                let known = known.clone();
                let hidden = self.hide(&token)?;
                let body = substitute(&known.body, &HashMap::new(), &HashMap::new(), &token, hidden, &mut self.names);
                let body = self.made(body, &token)?;
                input.extend(body.into_iter().rev());
                continue;
            };
            if !input.last().is_some_and(|next| next.is("(")) {
                out.push(token);
                continue;
            }
            let parameters = parameters.clone();
            let mut body = known.body.clone();
            let is_recursive =
                body.iter().any(|token| self.repeats.contains(&token.text)) && !self.repeats.contains(&token.text);
            let (arguments, looked_at) = arguments(&mut input, &parameters);
            self.tree.spend(looked_at / 16)?;
            let Some((arguments, closing)) = arguments else {
                out.push(token);
                continue;
            };
            if is_recursive {
                let more = match arguments.get(parameters.names.len()) {
                    Some(more) => self.nested(more.clone())?,
                    None => Vec::new(),
                };
                body = set(arguments, parameters.names.len(), more, &token);
                self.tree.spend(body.len() + 1)?;
                input.extend(body.into_iter().rev());
                continue;
            }
            let mut raw = HashMap::new();
            let mut expanded = HashMap::new();
            for (at, argument) in arguments.into_iter().enumerate() {
                let name = match parameters.names.get(at) {
                    Some(name) => name.clone(),
                    None if parameters.is_variadic => self.names.keep("__VA_ARGS__"),
                    None => continue,
                };
                self.tree.spend(argument.len() + 1)?;
                // Do not expand an argument that the body does not use.
                if !body.iter().any(|token| token.text == name) {
                    raw.insert(name, argument);
                    continue;
                }
                let full = self.nested(argument.clone())?;
                expanded.insert(name.clone(), full);
                raw.insert(name, argument);
            }
            // Macros hidden in the name and in the closing bracket are hidden in the whole expansion.
            let token = Token { hidden: both(token.hidden.as_ref(), closing.as_ref()), ..token };
            let hidden = self.hide(&token)?;
            let body = substitute(&body, &raw, &expanded, &token, hidden, &mut self.names);
            let body = self.made(body, &token)?;
            input.extend(body.into_iter().rev());
        }
        Ok(out)
    }
}

/// The arguments of a macro, and the macros hidden in the closing bracket.
type Call = (Vec<Vec<Token>>, Option<Rc<Hidden>>);

/// Reads the arguments of a macro, starting at the opening bracket. Returns `None` if there is no closing bracket.
///
/// Also returns the number of tokens examined.
fn arguments(input: &mut Vec<Token>, parameters: &Parameters) -> (Option<Call>, usize) {
    let (mut depth, mut end) = (0, None);
    for (at, token) in input.iter().enumerate().rev() {
        if token.is("(") {
            depth += 1;
        } else if token.is(")") {
            depth -= 1;
            if depth == 0 {
                end = Some(at);
                break;
            }
        }
    }
    let Some(end) = end else { return (None, input.len()) };
    let mut arguments = vec![Vec::new()];
    let taken: Vec<Token> = input.drain(end..).rev().collect();
    let inner = &taken[1..taken.len() - 1];
    let mut depth = 0;
    for token in inner {
        if token.is("(") {
            depth += 1;
        } else if token.is(")") {
            depth -= 1;
        }
        let rest = parameters.is_variadic && arguments.len() > parameters.names.len();
        if token.is(",") && depth == 0 && !rest {
            arguments.push(Vec::new());
        } else if let Some(last) = arguments.last_mut() {
            last.push(token.clone());
        }
    }
    let closing = taken.last().and_then(|token| token.hidden.clone());
    (Some((arguments, closing)), taken.len())
}

/// Returns the first `count` arguments of the macro called at `at`, separated by commas. In the arguments after them,
/// `more`, `C02(x)` replaces the second one with `x`.
fn set(arguments: Vec<Vec<Token>>, count: usize, more: Vec<Token>, at: &Token) -> Vec<Token> {
    let mut list: Vec<Vec<Token>> = arguments.into_iter().take(count).collect();
    let mut depth = 0_usize;
    let fields = more.split(|token| {
        depth += usize::from(token.is("("));
        depth -= usize::from(token.is(")")).min(depth);
        depth == 0 && token.is(",")
    });
    for field in fields {
        let [name, open, inner @ .., close] = field else { continue };
        let digits = name.text.trim_start_matches(|c: char| !c.is_ascii_digit());
        let place = digits.parse::<usize>().ok().and_then(|number| number.checked_sub(1));
        if open.is("(")
            && close.is(")")
            && let Some(place) = place.and_then(|place| list.get_mut(place))
        {
            *place = inner.to_vec();
        }
    }
    let comma = Token { kind: Kind::Punctuation, text: ",".into(), ..at.clone() };
    let mut all = Vec::new();
    for (number, argument) in list.into_iter().enumerate() {
        if number > 0 {
            all.push(comma.clone());
        }
        all.extend(argument);
    }
    all
}

/// Returns the body of a macro with its arguments substituted, and the length of the texts made for it. Returns `None`
/// if one of them exceeds [`MAX_MADE_BYTES`].
fn substitute(
    body: &[Token],
    raw: &HashMap<Rc<str>, Vec<Token>>,
    expanded: &HashMap<Rc<str>, Vec<Token>>,
    at: &Token,
    hidden: Option<Rc<Hidden>>,
    names: &mut Names,
) -> Option<(Vec<Token>, usize)> {
    let mut out: Vec<Token> = Vec::with_capacity(body.len());
    let mut made = 0;
    let mut make = |text: &[&str], separator: &str| {
        let length: usize = text.iter().map(|part| part.len() + separator.len()).sum();
        made += length;
        (length <= MAX_MADE_BYTES).then(|| names.keep(&text.join(separator)))
    };
    let mut next = 0;
    while let Some(token) = body.get(next) {
        next += 1;
        // The content of `__VA_OPT__` is only kept if there are variadic arguments.
        if token.names("__VA_OPT__") && body.get(next).is_some_and(|open| open.is("(")) {
            let end = body[next..].iter().position(|token| token.is(")")).unwrap_or(0);
            if raw.get("__VA_ARGS__").is_some_and(|more| !more.is_empty()) {
                out.extend(body[next + 1..next + end].iter().cloned());
            }
            next += end + 1;
            continue;
        }
        if token.is("#")
            && let Some(argument) = body.get(next).and_then(|name| raw.get(&name.text))
        {
            next += 1;
            let words: Vec<&str> = argument.iter().map(|token| &*token.text).collect();
            out.push(Token { kind: Kind::String, text: make(&words, " ")?, ..token.clone() });
        } else if token.is("##") {
            let Some(right) = body.get(next) else { continue };
            next += 1;
            // A comma before empty variadic arguments is removed.
            if right.names("__VA_ARGS__") && out.last().is_some_and(|left| left.is(",")) {
                match raw.get(&right.text).filter(|arguments| !arguments.is_empty()) {
                    Some(arguments) => out.extend(arguments.iter().cloned()),
                    None => {
                        out.pop();
                    }
                }
                continue;
            }
            let mut right = raw.get(&right.text).cloned().unwrap_or_else(|| vec![right.clone()]).into_iter();
            if let (Some(left), Some(right)) = (out.last_mut(), right.next()) {
                left.text = make(&[&left.text, &right.text], "")?;
            }
            out.extend(right);
        } else if body.get(next).is_some_and(|after| after.is("##")) {
            out.extend(raw.get(&token.text).cloned().unwrap_or_else(|| vec![token.clone()]));
        } else if let Some(argument) = expanded.get(&token.text).filter(|_| token.kind == Kind::Identifier) {
            out.extend(argument.iter().cloned());
        } else {
            out.push(token.clone());
        }
    }
    for token in &mut out {
        token.file = at.file;
        token.line = at.line;
        // Tokens of arguments keep the macros hidden in them.
        token.hidden = match &token.hidden {
            None => hidden.clone(),
            Some(_) => hide(token.hidden.as_ref(), &at.text),
        };
    }
    Some((out, made))
}

/// Returns the value of the macro or constant `name`.
pub fn value_of(
    preprocessor: &mut Preprocessor<'_, '_>,
    constants: &Constants,
    name: &str,
) -> Result<Option<i64>, TreeError> {
    let expanded = preprocessor.expand_text(name, 0, 0)?;
    Ok(evaluate(&expanded, constants, Unknown::Fails))
}
