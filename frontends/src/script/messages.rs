//! Syntax errors in words: what was found, what was expected, what to write instead.

use lalrpop_util::ParseError;
use splc_ir::catalog::{Catalog, Feature};
use splc_ir::diagnostic::{Code, Diagnostic, Severity, did_you_mean};
use splc_ir::source::{FileId, Span};
use splc_ir::wording::{Conjunction, listed};

use super::lexer::{Lexer, STATEMENT_WORDS, StatementStart};
use super::reading::Failure;
use super::usage::usage;

/// Diagnostics for what the parser could not take.
///
/// One mistake often throws the parser off until the next statement; errors that follow another in the same
/// statement are not given.
pub fn diagnose(
    text: &str,
    file: FileId,
    catalog: &Catalog,
    lexer: &Lexer<'_>,
    failures: Vec<Failure<'_>>,
) -> Vec<Diagnostic> {
    let mut diagnostics = Vec::new();
    let mut last_statement = None;
    let mut lines = Lines { text, from: 0, line: 0 };
    let errors = lexer.diagnostics.iter().filter(|known| known.severity == Severity::Error);
    let mut lexical: Vec<usize> = errors.filter_map(|known| known.span).map(|span| span.start as usize).collect();
    lexical.sort_unstable();
    for failure in failures {
        let error = match failure {
            Failure::Construct { span, message, help } => {
                diagnostics.push(Diagnostic::new(Code::Syntax, span, message).with_help(help));
                continue;
            }
            Failure::Syntax(error) => error,
        };
        let (start, end, expected) = match error {
            ParseError::UnrecognizedToken { token: (start, _, end), expected } => (start, end, expected),
            ParseError::ExtraToken { token: (start, _, end) } => (start, end, Vec::new()),
            ParseError::UnrecognizedEof { expected, .. } => {
                // A file that nests too deeply ends early, and one with other errors may have lost a brace.
                if lexer.gave_up || last_statement.is_some() {
                    continue;
                }
                (text.len(), text.len(), expected)
            }
            ParseError::InvalidToken { location } => (location, location, Vec::new()),
            ParseError::User { error: () } => continue,
        };
        let statement = lexer.statements.partition_point(|known| known.offset < start);
        let brace_left_over = &text[start..end] == "}" && last_statement.is_some();
        if last_statement.replace(statement) == Some(statement) || brace_left_over {
            continue;
        }
        // The lexer said already what is wrong in this line.
        let line = lines.start_of(start);
        let known = lexical.partition_point(|&at| at < line);
        if lexical.get(known).is_some_and(|&at| at <= start) {
            continue;
        }
        let begun = statement.checked_sub(1).and_then(|at| lexer.statements.get(at));
        let error = syntax_error(text, file, catalog, start, end, &expected, begun);
        // A string that goes over the end of its line up to where the error is has most likely lost a quote.
        let strings = &lexer.long_strings;
        let before = strings.partition_point(|&(_, end)| end <= start).checked_sub(1).and_then(|at| strings.get(at));
        match before {
            Some(&(string, end)) if !text[end..start].contains('\n') => {
                let first_line = text[string..].find(['\r', '\n']).map_or(end, |length| string + length);
                let (span, message) = (Span::new(file, string, first_line), error.message.clone());
                diagnostics.push(
                    Diagnostic::new(Code::UnterminatedString, span, "the string goes on past the end of its line")
                        .with_label("opened here")
                        .with_secondary(Span::new(file, start, end), message.into_owned())
                        .with_help("close it with '\"' on the same line"),
                );
            }
            _ => diagnostics.push(error),
        }
    }
    diagnostics
}

/// Finds the starts of lines for places that come one behind the other, as errors do: no text is gone through twice.
struct Lines<'t> {
    text: &'t str,
    /// The last place that was asked for.
    from: usize,
    /// Start of its line.
    line: usize,
}

impl Lines<'_> {
    fn start_of(&mut self, at: usize) -> usize {
        if at < self.from {
            (self.from, self.line) = (0, 0);
        }
        if let Some(newline) = memchr::memrchr(b'\n', &self.text.as_bytes()[self.from..at]) {
            self.line = self.from + newline + 1;
        }
        self.from = at;
        self.line
    }
}

fn syntax_error(
    text: &str,
    file: FileId,
    catalog: &Catalog,
    start: usize,
    end: usize,
    expected: &[String],
    begun: Option<&StatementStart>,
) -> Diagnostic {
    let found = &text[start..end];
    let expected: Vec<&str> = expected.iter().map(|name| name.trim_matches('"')).collect();
    let wants = |name: &str| expected.contains(&name);
    let what = expectation(&expected);
    let shown = if start == end {
        "the end of the file".to_owned()
    } else {
        let first_line = found.lines().next().unwrap_or("");
        let mut short: String = first_line.chars().take(40).collect();
        if short.len() < found.len() {
            short.push('…');
        }
        format!("'{short}'")
    };
    let span = Span::new(file, start, end);
    let mut diagnostic = Diagnostic::new(Code::Syntax, span, format!("expected {what}, found {shown}"))
        .with_label(format!("expected {what}"));

    if begun.is_some_and(|begun| begun.word == "FUNCTION") && !catalog.has(Feature::Functions) {
        return Diagnostic::new(Code::WrongDialect, span, format!("{} does not have FUNCTION", catalog.title))
            .with_label("its compiler cannot read the name of a function")
            .with_help("write the statements where they are needed, or put them in a LOOP");
    }
    let before = text[..start].trim_end();
    let last = before.chars().next_back();
    let next_line = text[before.len()..start].contains('\n');
    let upper = found.to_ascii_uppercase();
    if found == ";" && wants(":") {
        return diagnostic.with_help("write ':' instead of ';'").with_suggestion(span, ":", true);
    }
    if found == "=" && wants("a comparison") {
        return diagnostic.with_help("compare values with '=='").with_suggestion(span, "==", true);
    }
    if found.starts_with(['“', '”', '‘', '’']) {
        return diagnostic.with_help("use straight quotes: \" around texts, ' around characters");
    }
    if found == "IF" && wants("{") {
        return diagnostic.with_help("ELSE takes a block: ELSE { IF ... }");
    }
    if found.starts_with('-') && found.len() > 1 && wants("(") {
        return diagnostic.with_help(format!("in a value, write ({found})"));
    }
    if last == Some(',') && next_line {
        let comma = Span::new(file, before.len() - 1, before.len());
        return diagnostic
            .with_secondary(comma, "another value must follow this comma")
            .with_help("remove the comma at the end of the line, or continue after it")
            .with_suggestion(comma, "", false);
    }
    if wants("MESSAGE") && found != upper && STATEMENT_WORDS.contains(&upper.as_str()) && catalog.is_keyword(&upper) {
        return diagnostic
            .with_help(format!("statements are written in capitals: {upper}"))
            .with_suggestion(span, upper, true);
    }
    if found == "MAP" && (wants("a MAP") || wants("MESSAGE")) {
        return diagnostic.with_help("MAP stands alone on its line");
    }
    if found.starts_with(|first: char| first.is_ascii_alphabetic()) {
        let words = STATEMENT_WORDS.iter().copied().filter(|word| catalog.is_keyword(word));
        if wants("MESSAGE")
            && !STATEMENT_WORDS.contains(&found)
            && let Some(help) = did_you_mean(found, words)
        {
            return diagnostic.with_help(help.replace('"', ""));
        }
        if wants("a function of the game")
            && let Some(help) =
                did_you_mean(found, catalog.core_functions.iter().map(|function| function.name.as_ref()))
        {
            return diagnostic.with_help(help.replace('"', ""));
        }
        if STATEMENT_WORDS.contains(&found) && wants("MESSAGE") {
            let help = match found {
                "FLAGS" => "FLAGS stands directly after LEVEL".to_owned(),
                "INCLUDE" => "INCLUDE stands before the first LEVEL".to_owned(),
                "ELSE" => "ELSE follows the closing brace of an IF".to_owned(),
                "CASE" | "DEFAULT" => format!("{found} stands in a SWITCH"),
                _ => String::new(),
            };
            if !help.is_empty() {
                diagnostic = diagnostic.with_help(help);
            }
            return diagnostic;
        }
    }
    if let Some(begun) = begun
        && begun.word == "DOOR"
        && let Some(written) = crate::detect::door_as_script(text[begun.offset..].lines().next().unwrap_or(""))
    {
        diagnostic.code = Code::WrongDialect;
        let line =
            Span::new(file, begun.offset, begun.offset + text[begun.offset..].lines().next().unwrap_or("").len());
        return diagnostic
            .with_note("DOOR with four values is a door of a room in NetHack 3.4.3")
            .with_help(format!("write {written}"))
            .with_suggestion(line, written, true);
    }
    if let Some(begun) = begun {
        let word_span = Span::new(file, begun.offset, begun.offset + begun.word.len());
        if text[begun.offset..start].contains('\n') {
            diagnostic = diagnostic.with_secondary(word_span, format!("while reading this {}", begun.word));
        }
        let same_line = !text[begun.offset..start].contains('\n');
        if let Some(usage) = usage(begun.word, catalog)
            && (same_line || !wants("MESSAGE"))
        {
            diagnostic = diagnostic.with_help(format!("write {usage}"));
        }
    }
    diagnostic
}

/// What could stand there, in few words.
fn expectation(expected: &[&str]) -> String {
    let wants = |name: &str| expected.contains(&name);
    let mut parts: Vec<&str> = Vec::new();
    if wants("MESSAGE") {
        parts.push("a statement");
        for other in ["}", "ELSE", "CASE", ","] {
            if wants(other) {
                parts.push(match other {
                    "}" => "'}'",
                    "ELSE" => "ELSE",
                    "CASE" => "CASE",
                    _ => "','",
                });
            }
        }
        return listed(parts, Conjunction::Or);
    }
    if wants("LEVEL") && expected.len() <= 6 {
        return "LEVEL, FUNCTION or INCLUDE".to_owned();
    }
    if wants("rect") {
        return "a place or a selection".to_owned();
    }
    if wants("blessed, uncursed or cursed") {
        return "a detail of the object".to_owned();
    }
    if wants("female") {
        return "a detail of the monster".to_owned();
    }
    if wants("a string") && wants("a number") {
        return "a value".to_owned();
    }
    let quoted: Vec<String> = expected
        .iter()
        .filter(|name| !matches!(**name, "a comment" | "an unknown character"))
        .map(|name| {
            let is_word = name.contains(' ') || name.chars().all(char::is_alphabetic);
            if is_word || *name == "[N%]" { (*name).to_owned() } else { format!("'{name}'") }
        })
        .collect();
    if quoted.is_empty() {
        return "something else".to_owned();
    }
    let mut list: Vec<&str> = quoted.iter().map(String::as_str).take(6).collect();
    if quoted.len() > 6 {
        list.push("...");
    }
    listed(list, Conjunction::Or)
}
