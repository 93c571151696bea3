//! Constructs of other languages that des-files lack or write differently, with their correct form.

use std::ops::Range;

use splc_ir::catalog::{Catalog, Feature};
use splc_ir::diagnostic::{Code, Diagnostic};
use splc_ir::wording::{Conjunction, listed};

use super::SyntaxError;
use crate::teach::Unread;
use crate::teach::sets;
use crate::teach::shapes::has_place;
use crate::teach::usage::ASSIGNMENT;
use crate::teach::words::Want;

impl SyntaxError<'_, '_> {
    /// Reports a `$name` that is not followed by `=`.
    pub(super) fn assignment(&self, unread: &Unread<'_>) -> Option<Diagnostic> {
        if self.expected != ["="] {
            return None;
        }
        let span = self.span(self.start..self.end);
        let found = self.found();
        let line = unread.line(unread.before).1.trim_start();
        if line.starts_with("FOR") {
            return Some(
                Diagnostic::new(Code::Syntax, span, "this FOR has no range")
                    .with_help("write FOR $variable = first TO last { statements }"),
            );
        }
        let rest = unread.rest_of_line(unread.before).trim_start();
        let name = unread.text[..unread.before].rfind('$').map_or("", |at| &unread.text[at..unread.before]);
        if let Some(sign) = ["+", "-"].into_iter().find(|sign| rest.starts_with(*sign)) {
            let amount = rest.trim_start_matches(['+', '-', '=']).trim();
            let is_counted = rest[1..].starts_with(['+', '-', '=']);
            let value = self.span(unread.before..unread.before + unread.rest_of_line(unread.before).trim_end().len());
            let diagnostic = |message: &str| Diagnostic::new(Code::Syntax, span, message.to_owned());
            return Some(match (is_counted, amount.is_empty()) {
                (true, _) => {
                    let right = format!(" = {name} {sign} {}", if amount.is_empty() { "1" } else { amount });
                    diagnostic("a variable is set with `=` only")
                        .with_help(format!("write {name}{right}"))
                        .with_suggestion(value, right, true)
                }
                (false, _) => diagnostic("a variable name has only letters, digits and `_`")
                    .with_help("write `_` instead, here and wherever the variable is used"),
            });
        }
        Some(match found {
            "==" | ":" => Diagnostic::new(Code::Syntax, span, format!("expected `=`, found `{found}`"))
                .with_help("set a variable with `=`: $variable = value")
                .with_suggestion(span, "=", true),
            _ => {
                let name = unread.text[..unread.before].rfind('$').unwrap_or(unread.before);
                let written = &unread.text[name..unread.before];
                let index = unread.rest_of_line(unread.before).trim_start();
                if let Some(rest) = index.strip_prefix('[')
                    && let Some(rest) = rest.trim_start().strip_prefix(']')
                    && rest.trim_start().starts_with('=')
                {
                    let brackets =
                        self.span(self.start..unread.before + unread.rest_of_line(unread.before).find(']')? + 1);
                    let message = "the name of an array has no brackets where it is set";
                    return Some(
                        Diagnostic::new(Code::Syntax, brackets, message)
                            .with_help(format!("write {written} = {{ value, value }}"))
                            .with_suggestion(brackets, "", true),
                    );
                }
                if index.starts_with('[') && index.split_once(']').is_some_and(|(_, rest)| rest.trim().starts_with('='))
                {
                    let end = unread.before + unread.rest_of_line(unread.before).find(']').map_or(0, |at| at + 1);
                    let message = "a value of an array cannot be set on its own";
                    return Some(
                        Diagnostic::new(Code::Syntax, self.span(name..end), message)
                            .with_help(format!("set the whole array: {written} = {{ value, value }}")),
                    );
                }
                Diagnostic::new(Code::Syntax, self.span(name..unread.before), "a variable is not a statement")
                    .with_help("set the variable with `=`: $variable = value")
            }
        })
    }

    /// Reports forms from other languages, and plausible mistakes, anywhere in the statement.
    pub(super) fn forms(&self, unread: &Unread<'_>) -> Option<Diagnostic> {
        let (word, from) = unread.statement?;
        let written = self.text.get(from..unread.before.max(from))?;
        let line = |at: usize| unread.rest_of_line(at);
        for (offset, name) in selection_words(written) {
            let at = from + offset;
            let rest = line(at + name.len());
            let Some((numbers, length)) = numbers_in(rest) else { continue };
            let right = match (name, numbers.as_slice()) {
                ("line" | "randline", [x1, y1, x2, y2]) => {
                    let join = if self.catalog.has(Feature::CommaLines) { "," } else { " -" };
                    format!("{name} ({x1},{y1}){join} ({x2},{y2})")
                }
                ("circle", [x, y, radius]) => format!("circle (({x},{y}), {radius})"),
                ("ellipse", [x, y, wide, high]) => format!("ellipse (({x},{y}), {wide}, {high})"),
                ("rect" | "fillrect", [x1, y1, x2, y2])
                    if rest.matches('(').count() > 1 && rest.trim_start()[1..].trim_start().starts_with('(') =>
                {
                    format!("{name} ({x1},{y1},{x2},{y2})")
                }
                _ => continue,
            };
            let span = at..at + name.len() + length;
            let already = self.text[span.clone()].replace(' ', "") == right.replace(' ', "");
            if already
                || span.end > self.start
                    && !self.text[span.clone()].contains("((")
                    && !matches!(name, "circle" | "ellipse")
            {
                continue;
            }
            let message = match name {
                "line" | "randline" if self.text[span.clone()].contains("((") => {
                    "the places of a line take no parentheses around them"
                }
                "line" | "randline" => "a line needs two places",
                "circle" | "ellipse" => "the centre must be a place in its own parentheses",
                _ => "a rectangle must be four numbers in one pair of parentheses",
            };
            return Some(
                Diagnostic::new(Code::Syntax, self.span(span.clone()), message)
                    .with_help(format!("write {right}"))
                    .with_suggestion(self.span(span), right, true),
            );
        }
        let found = self.found();
        if matches!(found, "|" | "+" | "or") && self.wants("&") {
            return Some(
                Diagnostic::new(Code::Syntax, self.span(self.start..self.end), "selections must be joined with `&`")
                    .with_help(format!("write `&` instead of `{found}`"))
                    .with_suggestion(self.span(self.start..self.end), "&", true),
            );
        }
        if word == "TERRAIN" && found == "," && matches!(unread.word(self.after(self.end)), "lit" | "unlit" | "random")
        {
            let quote =
                self.text[..unread.before].trim_end().rfind(['\'']).and_then(|end| self.text[..end].rfind('\''))?;
            // The terrain can be in a variable.
            if self.text[quote..unread.before].contains('\n') {
                return None;
            }
            let end = self.after(self.end) + unread.word(self.after(self.end)).len();
            let right = format!("({},{})", &self.text[quote..unread.before], unread.word(self.after(self.end)));
            return Some(
                Diagnostic::new(
                    Code::Syntax,
                    self.span(quote..end),
                    "terrain and its light must be in parentheses together",
                )
                .with_help(format!("write {right}"))
                .with_suggestion(self.span(quote..end), right, true),
            );
        }
        None
    }

    /// Reports arrays in the syntax of other languages.
    pub(super) fn array(&self, unread: &Unread<'_>) -> Option<Diagnostic> {
        let (word, _) = unread.statement?;
        let found = self.found();
        let rest = unread.rest_of_line(self.start);
        let line = |span: Range<usize>, message: &str, right: String| {
            Some(
                Diagnostic::new(Code::Syntax, self.span(span.clone()), message.to_owned())
                    .with_help(format!("write {right}"))
                    .with_suggestion(self.span(span), right, true),
            )
        };
        let variable =
            self.text[..unread.before].rfind(|letter: char| !(letter.is_ascii_alphanumeric() || letter == '_'));
        let is_variable = variable.is_some_and(|at| self.text[at..].starts_with('$'));
        if found == "(" && is_variable && !unread.is_past_line() {
            let end = self.start + rest.find(')')? + 1;
            let inner = &self.text[self.start + 1..end - 1];
            return line(self.start..end, "an index must be in brackets", format!("[{}]", inner.trim()));
        }
        if word != ASSIGNMENT {
            return None;
        }
        let (line_start, whole) = unread.line(self.start);
        let equals = line_start + whole.find('=')?;
        match found {
            "[" => {
                let end = self.start + rest.rfind(']')? + 1;
                let inner = &self.text[self.start + 1..end - 1];
                line(self.start..end, "the values of an array must be in braces", format!("{{ {} }}", inner.trim()))
            }
            "," if self.wants("MESSAGE") && equals < self.start && rest[1..].trim().is_empty() => {
                let comma = self.span(self.start..self.end);
                Some(
                    Diagnostic::new(Code::Syntax, comma, "nothing follows this comma")
                        .with_help("remove it")
                        .with_suggestion(comma, "", true),
                )
            }
            "," if self.wants("MESSAGE") && equals < self.start => {
                let start = self.after(equals + 1);
                let end = line_start + whole.trim_end().len();
                let values = &self.text[start..end];
                if values.trim_start().starts_with("selection") {
                    // `rect (1,1),(5,4)`
                    let corner = self.text[self.end..].trim_start().strip_prefix('(');
                    if corner.is_some_and(|corner| corner.starts_with(|first: char| first.is_ascii_digit())) {
                        return None;
                    }
                    return line(self.start..self.end, "selections must be joined with `&`", " &".to_owned());
                }
                let name = self.text[line_start..equals].trim();
                let advice = line(start..end, "the values of an array must be in braces", format!("{{ {values} }}"));
                // Without an index, the variable may be meant as one value.
                let indexed = self.text.contains(&format!("{name}["));
                advice.map(|mut advice| {
                    advice.suggestions.iter_mut().for_each(|edit| edit.applicable = indexed);
                    advice
                })
            }
            _ if self.wants("a string")
                && (selection_words(found).next().is_some() && found != "rndcoord"
                    || Want::SelectionWord.words(self.catalog).contains(&found))
                && found != "random" =>
            {
                let at = self.start..self.start;
                Some(
                    Diagnostic::new(
                        Code::Syntax,
                        self.span(self.start..self.end),
                        "a selection needs its type before it",
                    )
                    .with_help(format!("write $variable = selection: {found} ..."))
                    .with_suggestion(self.span(at), "selection: ", true),
                )
            }
            _ => None,
        }
    }

    /// Reports names that are not values.
    pub(super) fn names(&self, unread: &Unread<'_>) -> Option<Diagnostic> {
        let found = self.found();
        let (word, _) = unread.statement?;
        let span = self.span(self.start..self.end);
        let rest = unread.rest_of_line(self.end);
        let fix = |message: String, right: String| {
            Some(
                Diagnostic::new(Code::Syntax, span, message)
                    .with_help(format!("write {right}"))
                    .with_suggestion(span, right, true),
            )
        };
        // `rndcoord $place`, `coord 3,2`: the parentheses are missing.
        let previous = &self.text[..unread.before];
        let function =
            previous.rsplit(|letter: char| !(letter.is_ascii_alphanumeric() || letter == '_')).next().unwrap_or("");
        let takes = matches!(
            function,
            "rndcoord" | "coord" | "levregion" | "circle" | "ellipse" | "filter" | "grow" | "gradient"
        );
        if takes && !found.starts_with('(') && !unread.is_past_line() {
            let count = match function {
                "coord" => 2,
                "levregion" => 4,
                _ => 1,
            };
            let all = unread.rest_of_line(self.start);
            let numbers = all.bytes().all(|byte| byte.is_ascii_digit() || b", -".contains(&byte));
            let count = if function == "rndcoord" && numbers { 2 } else { count };
            let (mut left, mut depth) = (count, 0_usize);
            let length = all.find(|sign| {
                match sign {
                    '(' => depth += 1,
                    ')' => depth = depth.saturating_sub(1),
                    ',' if depth == 0 => left -= 1,
                    _ => {}
                }
                left == 0
            });
            let end = self.start + length.unwrap_or(all.len());
            let inner = self.text[self.start..end].trim_end();
            let right = match (function, count) {
                ("rndcoord", 2) => format!("{function}(({inner}))"),
                _ => format!("{function}({inner})"),
            };
            let from = unread.before - function.len();
            let span = self.span(from..self.start + inner.len());
            return Some(
                Diagnostic::new(Code::Syntax, span, format!("the value of {function} must be in parentheses"))
                    .with_help(format!("write {right}"))
                    .with_suggestion(span, right, true),
            );
        }
        if function == "selection" && found == "(" && self.wants(":") {
            let end = self.start + unread.rest_of_line(self.start).rfind(')')?;
            return Some(
                Diagnostic::new(Code::Syntax, span, "`selection` must be followed by a colon, not parentheses")
                    .with_help("write $variable = selection: ...")
                    .with_suggestion(span, ": ", true)
                    .with_suggestion(self.span(end..end + 1), "", true),
            );
        }
        if !found.starts_with(|first: char| first.is_ascii_alphabetic()) {
            return None;
        }
        if matches!(found, "place" | "monster" | "object") && rest.starts_with('[') {
            let element = rest.split_inclusive(']').next().unwrap_or(rest);
            return Some(
                Diagnostic::new(Code::WrongDialect, span, format!("{found}[...] is a NetHack 3.4.3 register"))
                    .with_help(match found {
                        _ if self.text[..self.start].lines().any(|line| sets(line, found)) => {
                            format!("write ${found}{element}")
                        }
                        "place" => "set an array with $place = { ... } and write $place[...]".to_owned(),
                        _ => format!(
                            "set an array with ${found} = {found}: {{ ... }} and write ${found}[...] in place of class \
                             and name"
                        ),
                    })
                    .with_suggestion(span, format!("${found}"), true),
            );
        }
        if found == "selection" && word != ASSIGNMENT && rest.trim_start().starts_with(':') {
            let end = self.text.len() - self.text[self.end..].trim_start_matches([' ', ':']).len();
            return Some(
                Diagnostic::new(Code::Syntax, span, format!("{word} takes a selection without its type"))
                    .with_help("remove it: only a variable is set with `selection:`")
                    .with_suggestion(self.span(self.start..end), "", true),
            );
        }
        if found == "selection" && rest.starts_with('.') {
            return Some(
                Diagnostic::new(Code::WrongDialect, span, "this is a selection of NetHack 5 Lua")
                    .with_help("write $variable = selection: rect (x1,y1,x2,y2), or another selection"),
            );
        }
        let compared = self.text[..unread.before].trim_end();
        if word == "IF" && compared.ends_with(['=', '<', '>']) && rest.trim_start().starts_with(']') {
            let left = compared.trim_end_matches(['=', '<', '>', '!', ' ']);
            let left = left.rsplit(['[', ' ']).next().unwrap_or("");
            let is_text = self.catalog.core_function(left).is_some_and(|function| function.result == 's');
            let message = match is_text {
                true => format!("{left} is a string, and an IF compares only numbers"),
                false => format!("`{found}` is not a number"),
            };
            let help = match is_text {
                true => "compare numbers, as in IF [$x == 3] { statements }".to_owned(),
                false => "compare with a number, or with a variable such as $x".to_owned(),
            };
            return Some(Diagnostic::new(Code::Syntax, span, message).with_help(help));
        }
        let dollar = format!("${found}");
        let typed = rest.trim_start().starts_with(':');
        if (self.wants("a variable") && (word == "FOR" || word == "SHUFFLE"))
            || self.wants("a variable") && !typed && self.around.has_variable(&dollar)
        {
            return fix(format!("`{found}` is not a variable: variable names begin with `$`"), dollar);
        }
        if word == "DOOR" || word == "ROOMDOOR" {
            return None;
        }
        if found.starts_with('d') && found.len() > 1 && found[1..].bytes().all(|byte| byte.is_ascii_digit()) {
            return fix("the number of dice is missing".to_owned(), format!("1{found}"));
        }
        if matches!(found, "rn1" | "rn2" | "rnd" | "rne" | "rnz" | "random") && rest.trim_start().starts_with('(') {
            return Some(
                Diagnostic::new(Code::Syntax, span, format!("`{found}` is not a value here"))
                    .with_help("write dice for a random number: 1d6 is a number from 1 to 6"),
            );
        }
        if found == "levregion" && has_place(word) {
            return Some(
                Diagnostic::new(Code::Syntax, span, format!("{word} takes a place, not a levregion"))
                    .with_help("write (x,y), random, or a random place of a selection: rndcoord($selection)"),
            );
        }
        if found == "contained" {
            let message = format!("{} does not have `contained`", self.catalog.title);
            let diagnostic = Diagnostic::new(Code::WrongDialect, span, message).with_label("only in NetHack 3.4.3");
            let before = self.text[..self.start].trim_end();
            return Some(match before.strip_suffix(',').filter(|_| self.around.is_in_container(self.start)) {
                Some(before) => diagnostic
                    .with_help("remove it: the object is in the braces of its container")
                    .with_suggestion(self.span(before.len()..self.end), "", true),
                None => diagnostic.with_help(
                    "write the object in the braces of its container: CONTAINER: object, place { OBJECT: object }",
                ),
            });
        }
        None
    }

    /// Reports quotes inside a string: `"He said "hello" to me"`.
    pub(super) fn inner_quote(&self) -> Option<Diagnostic> {
        let (start, line) = {
            let start = self.text[..self.start].rfind('\n').map_or(0, |newline| newline + 1);
            (start, self.text[start..].split(['\n', '\r']).next().unwrap_or(""))
        };
        let quotes: Vec<usize> = line.match_indices('"').map(|(at, _)| start + at).collect();
        let &[open, close, again, ..] = quotes.as_slice() else { return None };
        let glued = |at: usize| self.text[at + 1..].starts_with(|next: char| next.is_alphanumeric());
        let inside =
            self.text[close + 1..again].ends_with(|last: char| last.is_alphanumeric() || ".,!?".contains(last));
        // `""web""`
        if close == open + 1
            || !quotes.len().is_multiple_of(2)
            || !(open..self.start).contains(&close)
            || !glued(close)
            || !inside
        {
            return None;
        }
        let span = self.span(close..again + 1);
        Some(
            Diagnostic::new(Code::Syntax, span, "a `\"` inside a string ends it")
                .with_help("write `'` for quotes inside a string")
                .with_suggestion(self.span(close..close + 1), "'", false)
                .with_suggestion(self.span(again..again + 1), "'", false),
        )
    }

    /// Reports a parameter of a FUNCTION without its type, or with the type before its name.
    pub(super) fn parameter(&self, unread: &Unread<'_>) -> Option<Diagnostic> {
        unread.statement.filter(|(word, _)| *word == "FUNCTION")?;
        let found = self.found();
        if self.wants(":") && matches!(found, ")" | ",") {
            let name = self.text[..unread.before].rfind('$')?;
            let written = &self.text[name..unread.before];
            let diagnostic =
                Diagnostic::new(Code::Syntax, self.span(name..unread.before), "this parameter has no type")
                    .with_help(format!("write {written}: int or {written}: string"));
            // The parser stops at the first one.
            let rest = unread.rest_of_line(self.start).split(')').next().unwrap_or("");
            let others = rest.split(',').skip(1).scan(self.start, |at, part| {
                *at += 1 + part.len();
                Some((*at - part.len() + (part.len() - part.trim_start().len()), part.trim()))
            });
            let others = others.filter(|(_, part)| part.starts_with('$') && !part.contains(':'));
            return Some(others.fold(diagnostic, |diagnostic, (at, part)| {
                diagnostic.with_secondary(self.span(at..at + part.len()), "neither has this one")
            }));
        }
        let rest = unread.rest_of_line(self.end);
        let name = rest.trim_start_matches([' ', '\t']);
        if self.wants("a variable") && found.starts_with(char::is_alphabetic) && name.starts_with([',', ')', ':']) {
            let typed = name.starts_with(':');
            let span = self.span(self.start..self.end);
            let help =
                if typed { format!("write ${found}") } else { format!("write ${found}: int or ${found}: string") };
            let diagnostic = Diagnostic::new(Code::Syntax, span, "the name of a parameter begins with `$`");
            return Some(diagnostic.with_help(help).with_suggestion(span, format!("${found}"), typed));
        }
        if !self.wants("a variable")
            || !found.starts_with(char::is_alphabetic)
            || !name.starts_with(|first: char| first == '$' || first.is_ascii_alphabetic())
        {
            return None;
        }
        let from = self.end + (rest.len() - name.len());
        let sign = usize::from(name.starts_with('$'));
        let written = &name[..sign + unread.word(from + sign).len()];
        let name = format!("${}", written.trim_start_matches('$'));
        let span = self.span(self.start..from + written.len());
        let right = format!("{name}: {found}");
        Some(
            Diagnostic::new(Code::Syntax, span, "the type of a parameter must be after its name")
                .with_help(format!("write {right}"))
                .with_suggestion(span, right, false),
        )
    }

    /// Reports conditions that des-files lack: combined ones, and negations.
    pub(super) fn condition(&self, unread: &Unread<'_>) -> Option<Diagnostic> {
        let (_, begin) = unread.statement.filter(|(word, _)| *word == "IF")?;
        let found = self.found();
        let doubled = self.text[self.end..].starts_with(found);
        let span = self.span(self.start..self.end + if doubled { found.len() } else { 0 });
        let message = |message: &str| Diagnostic::new(Code::Syntax, span, message.to_owned());
        match found {
            "&" | "and" | "AND" if self.wants("]") || self.wants("{") => {
                // `&&` is two tokens.
                let (first, second) =
                    (&self.text[begin..self.start], unread.rest_of_line(self.end).trim_start_matches('&'));
                let first = first.trim_start_matches("IF").trim_matches(['[', ']', '(', ')', ' ', '\t']);
                let second = second.split([']', '{', '&', '|']).next()?.trim_matches(['[', '(', ')', ' ', '\t']);
                let right = match first.is_empty() || second.is_empty() || first.contains('\n') {
                    true => "IF [$a == 1] { IF [$b == 2] { statements } }".to_owned(),
                    false => format!("IF [{first}] {{ IF [{second}] {{ statements }} }}"),
                };
                Some(message("an IF takes only one condition").with_help(format!("nest the conditions: {right}")))
            }
            "|" | "or" | "OR" if self.wants("]") || self.wants("{") => {
                Some(message("an IF takes only one condition").with_help("write a separate IF for each condition"))
            }
            "role" | "race" | "gender" | "sex" | "align" | "alignment" | "level" | "depth" if !self.wants("]") => {
                let word = unread.word(self.start);
                let others = Catalog::dialects_where(|usual| usual.core_function(word).is_some());
                let others = listed(others, Conjunction::And);
                let (what, label) = match found {
                    _ if !others.is_empty() => {
                        (format!("{} has no `{word}`", self.catalog.title), format!("only in {others}"))
                    }
                    "level" | "depth" => ("a condition cannot use the depth of the level".to_owned(), String::new()),
                    _ => (format!("a condition cannot use the {found} of the hero"), String::new()),
                };
                let code = if others.is_empty() { Code::Syntax } else { Code::WrongDialect };
                Some(
                    Diagnostic::new(code, self.span(self.start..self.start + word.len()), what)
                        .with_label(label)
                        .with_help("compare numbers, as in IF [$x == 3], or write a chance, as in IF [50%]"),
                )
            }
            "not" | "NOT" | "!" if !self.wants("]") => Some(
                message("a condition cannot be negated")
                    .with_help("compare with `!=`, or put the statements in an ELSE: IF [...] { } ELSE { statements }"),
            ),
            _ => None,
        }
    }

    /// Reports the name of a monster with a keyword before it, as objects have.
    pub(super) fn named_monster(&self, unread: &Unread<'_>) -> Option<Diagnostic> {
        if self.found() != "name" || !self.wants("female") {
            return None;
        }
        let rest = unread.rest_of_line(self.end);
        let name = rest.trim_start().strip_prefix(':')?.trim_start();
        let end = self.end + (rest.len() - name.len());
        let text = name.strip_prefix('"').and_then(|text| text.split_once('"')).map(|(text, _)| text);
        let span = self.span(self.start..end);
        let diagnostic = Diagnostic::new(Code::Syntax, span, "the name of a monster takes no keyword");
        Some(match text {
            Some(text) => diagnostic.with_help(format!("write \"{text}\"")).with_suggestion(span, "", true),
            None => diagnostic.with_help("write the name alone, in quotes"),
        })
    }
}

/// Returns the words in `text` that make selections, with their offsets.
fn selection_words(text: &str) -> impl Iterator<Item = (usize, &str)> {
    ["line", "randline", "circle", "ellipse", "rect", "fillrect"].into_iter().flat_map(move |word| {
        text.match_indices(word).filter(move |(at, _)| {
            let letter = |letter: &char| letter.is_ascii_alphanumeric() || *letter == '_';
            !text[..*at].chars().next_back().as_ref().is_some_and(letter)
                && !text[at + word.len()..].chars().next().as_ref().is_some_and(letter)
        })
    })
}

/// Returns the numbers in the parentheses at the start of `text`, nested or not, and the total length.
fn numbers_in(text: &str) -> Option<(Vec<i32>, usize)> {
    let start = text.len() - text.trim_start().len();
    if !text[start..].starts_with('(') {
        return None;
    }
    let mut depth = 0;
    for (at, sign) in text[start..].char_indices() {
        match sign {
            '(' => depth += 1,
            ')' => depth -= 1,
            _ if sign.is_ascii_digit() || matches!(sign, ',' | ' ') => {}
            _ => return None,
        }
        if depth == 0 {
            let inside = &text[start..start + at];
            let numbers = inside.split(['(', ')', ',', ' ']).filter(|number| !number.is_empty());
            let numbers: Option<Vec<i32>> = numbers.map(|number| number.parse().ok()).collect();
            return Some((numbers?, start + at + 1));
        }
    }
    None
}
