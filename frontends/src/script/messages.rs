//! Messages for syntax errors: the token found, the tokens expected, and a correction.

use lalrpop_util::ParseError;
use splc_ir::catalog::{Catalog, Feature};
use splc_ir::diagnostic::{Code, Diagnostic, Diagnostics, Message, Mistake, Severity, did_you_mean, nearest};
use splc_ir::order::Order;
use splc_ir::source::{FileId, Span};
use splc_ir::wording::{Conjunction, listed};
use std::cell::OnceCell;
use std::collections::HashSet;
use std::ops::Range;

use super::grammar::FileParser;
use super::lexer::{Lexer, STATEMENT_WORDS, StatementStart, Token};
use super::reading::{Failure, Failures};
use crate::teach::shapes::Shapes;
use crate::teach::usage::{ASSIGNMENT, details, usage, words as usage_words};
use crate::teach::words::{Want, no_maze, unclosed};
use crate::teach::{MAX_BLOCK, Unread};

mod foreign;

/// The most lines, and the most bytes, of a statement that are read again with a correction.
const MOST_LINES: usize = 8;
const MAX_BYTES: usize = 2000;

/// Tokens for catalog-defined words, as the parser names them.
const OWN_WORDS: &[&str] = &[
    "\"a statement of one place\"",
    "\"a detail of monsters\"",
    "\"a detail of objects\"",
    "\"a detail of doors\"",
    "\"a flag of doors\"",
    "\"own depth\"",
    "\"own comma\"",
];

/// Reports the parser's failures as diagnostics.
///
/// A mistake often derails the parser until the next statement, so further errors in the same statement are not
/// reported. Once the maximum number of shown diagnostics is reached, the rest is only counted.
pub fn diagnose(
    text: &str,
    file: FileId,
    catalog: &Catalog,
    lexer: &Lexer<'_>,
    failures: Failures<'_>,
    diagnostics: &mut Diagnostics,
) {
    let mut last = Last::default();
    // The start of the last reported line.
    let mut reported = None;
    let mut lines = Lines { text, from: 0, line: 0 };
    let errors = lexer.diagnostics.iter().filter(|known| known.severity == Severity::Error);
    let mut lexical: Vec<usize> = errors.filter_map(|known| known.span).map(|span| span.start as usize).collect();
    lexical.order();
    let around =
        Around { text, file, catalog, blocks: OnceCell::new(), variables: OnceCell::new(), functions: OnceCell::new() };
    let Failures { list, more, .. } = failures;
    // The ranges that the parser skipped.
    let mut skipped: Vec<Range<usize>> = Vec::new();
    for failure in list {
        let error = match failure {
            Failure::Construct { span, message, help, right } => {
                let line = text[..span.start as usize].rfind('\n').map_or(0, |newline| newline + 1);
                let begun = begun_at(text, &lexer.statements, |known| known.offset <= span.start as usize);
                if message.mistake() == Some(&Mistake::NotRegion) && reported == Some(line) {
                    continue;
                }
                let (start, end) = (span.start as usize, span.end as usize);
                let expected = Vec::new();
                let error = SyntaxError { around: &around, text, file, catalog, start, end, expected, begun };
                let parses = |statement: &str| error.parses(statement);
                let shapes = begun.filter(|_| message.mistake() == Some(&Mistake::NotRegion)).and_then(|begun| {
                    Shapes::new(text, file, catalog, (begun.word, begun.offset), (start, start..end), &parses)
                });
                if let Some(advice) = shapes.and_then(|shapes| shapes.advice()) {
                    diagnostics.push(advice);
                    reported = Some(line);
                } else if !of_another_form(text, span) {
                    reported = Some(line);
                    let diagnostic = Diagnostic::new(Code::Syntax, span, message).with_help(help);
                    diagnostics.push(match right {
                        Some((replaced, right)) => diagnostic.with_suggestion(replaced, right, true),
                        None => diagnostic,
                    });
                }
                continue;
            }
            Failure::Syntax { error, skipped: range } => {
                skipped.push(range);
                error
            }
        };
        let (start, end, expected) = match error {
            ParseError::UnrecognizedToken { token: (start, _, end), expected } => (start, end, expected),
            ParseError::ExtraToken { token: (start, _, end) } => (start, end, Vec::new()),
            ParseError::UnrecognizedEof { expected, .. } => {
                // A file that nests too deeply ends early.
                if lexer.gave_up {
                    continue;
                }
                (text.len(), text.len(), expected)
            }
            ParseError::InvalidToken { location } => (location, location, Vec::new()),
            ParseError::User { error: () } => continue,
        };
        // Do not suggest catalog-defined words, or words that the game does not have.
        let is_known = |name: &String| match Want::of(name) {
            Want::Group(group) => catalog.words(group).next().is_some(),
            _ => !OWN_WORDS.contains(&name.as_str()),
        };
        let expected: Vec<String> = expected.into_iter().filter(is_known).collect();
        let statement = lexer.statements.partition_point(|known| known.offset < start);
        // A name or variable that does not begin a statement is noticed at the next word.
        let at = match expected.as_slice() {
            [only] if matches!(only.trim_matches('"'), "(" | "=") => word_before(text, start),
            _ => start,
        };
        let line = lines.start_of(at);
        let brace_left_over = &text[start..end] == "}" && last.any;
        // A file with other errors may have lost a brace, a map, or the beginning of its level.
        let is_lost = |name: &String| matches!(name.trim_matches('"'), "}" | "{" | "LEVEL" | "a MAP");
        let end_left_over = start == text.len() && last.any && expected.iter().any(is_lost);
        if brace_left_over || end_left_over || !last.is_new(statement, line, text, at) {
            continue;
        }
        // The rule about names of variables is named once.
        let digits = &text[start..end];
        if digits.starts_with(|first: char| first.is_ascii_digit())
            && numbered_variable(text, start).is_some()
            && diagnostics.iter().any(|known| known.message.mistake() == Some(&Mistake::NumberedVariable))
        {
            continue;
        }
        // The lexer has already reported an error on this line.
        let known = lexical.partition_point(|&at| at < line);
        if lexical.get(known).is_some_and(|&at| at <= start) {
            continue;
        }
        // A GEOMETRY inside the map is missing before it, and was reported.
        let geometry = |reported: &Diagnostic| {
            reported.span.is_some_and(|span| {
                (start..end).contains(&(span.start as usize)) && text[span.start as usize..].starts_with("GEOMETRY")
            })
        };
        if text[start..].starts_with("MAP") && lexer.diagnostics.iter().any(geometry) {
            continue;
        }
        if !diagnostics.keeps(Code::Syntax) {
            diagnostics.count(Code::Syntax, 1);
            continue;
        }
        let begun = begun_at(text, &lexer.statements, |known| known.offset < start);
        let expected = expected.iter().map(|name| name.trim_matches('"')).collect();
        let error = SyntaxError { around: &around, text, file, catalog, start, end, expected, begun }.explain();
        // The error is reported at the end of a statement that has another error.
        let own = error.span.map_or(start, |span| span.start as usize);
        let own_line = text[..own].rfind('\n').map_or(0, |newline| newline + 1);
        let lexical_before = lexical.get(lexical.partition_point(|&at| at < own_line)).is_some_and(|&at| at <= start);
        if own_line < line && (reported == Some(own_line) || lexical_before) {
            continue;
        }
        reported = Some(own_line);
        // Further lines of an invalid map were already reported.
        let of_map = error.code == Code::MapText;
        if std::mem::replace(&mut last.of_map, of_map.then_some(statement)) == Some(statement) && of_map {
            continue;
        }
        // If a SWITCH could not be read, its cases have none.
        let stray = matches!(&text[start..end], "CASE" | "DEFAULT") && last.count > 1;
        if stray && matches!(error.message.mistake(), Some(Mistake::OutsideSwitch(_))) {
            continue;
        }
        // If a FUNCTION could not be read, its other statements are outside of it.
        let early = matches!(error.message.mistake(), Some(Mistake::BeforeFirstLevel(_)));
        if early && text[..start].contains("FUNCTION") && last.count > 1 {
            continue;
        }
        // An INCLUDE in a level ends it.
        let is_level = |line: &str| line.starts_with("LEVEL") || line.starts_with("MAZE");
        if early && last.count > 1 && text[..start].lines().any(is_level) {
            continue;
        }
        let is_call =
            text[end..].starts_with('(') && matches!(error.message.mistake(), Some(Mistake::UnknownStatement(_)));
        let ends_level = |known: &Diagnostic| known.message.mistake() == Some(&Mistake::LateInclude);
        if is_call && diagnostics.iter().any(ends_level) {
            continue;
        }
        // A GEOMETRY after its map was reported at the map.
        let is_late =
            |known: &Diagnostic| known.span == error.span && known.message.mistake() == Some(&Mistake::LateGeometry);
        if error.code == Code::MapText && diagnostics.iter().any(is_late) {
            continue;
        }
        // If an IF could not be read, its ELSE has none.
        let headless = |known: &Diagnostic| match known.message.mistake() {
            Some(Mistake::NoBlock(word) | Mistake::BlockWithoutBraces(word)) => word == "IF",
            _ => false,
        };
        if error.message.mistake() == Some(&Mistake::ElseWithoutIf) && diagnostics.iter().any(headless) {
            continue;
        }
        // A string that spans several lines just before the error has most likely lost its closing quote.
        let strings = &lexer.long_strings;
        let before = strings.partition_point(|&(_, end)| end <= start).checked_sub(1).and_then(|at| strings.get(at));
        match before {
            Some(&(string, end)) if !text[end..start].contains('\n') => {
                let first_line = text[string..].find(['\r', '\n']).map_or(end, |length| string + length);
                let span = Span::new(file, string, first_line);
                // After it, strings and other text are swapped, up to an unpaired quote.
                diagnostics.retain(|known| {
                    let later = known.span.is_some_and(|known| known.file == file && known.start > span.start);
                    known.code != Code::UnterminatedString || !later
                });
                diagnostics.push(unclosed(span, &text[string + 1..first_line], catalog));
            }
            _ => diagnostics.push(error),
        }
    }
    report_skipped(&around, lexer, &skipped, diagnostics);
    blame_first_quote(text, file, lexer, diagnostics);
    let more = more.into_iter().map(|start| start as usize).filter(|&start| {
        let statement = lexer.statements.partition_point(|known| known.offset < start);
        last.is_new(statement, lines.start_of(start), text, start)
    });
    diagnostics.count(Code::Syntax, more.count());
}

/// Returns the last statement that `is_before` is true for: the whole assignment, not the type in it, for
/// `$x = TERRAIN: ...`.
fn begun_at<'s>(
    text: &str,
    statements: &'s [StatementStart],
    is_before: impl Fn(&StatementStart) -> bool,
) -> Option<&'s StatementStart> {
    let last = statements.partition_point(is_before).checked_sub(1)?;
    let outer = last.checked_sub(1).and_then(|at| statements.get(at)).filter(|outer| {
        let between = &text[outer.offset..statements[last].offset];
        outer.word == ASSIGNMENT && between.trim_end().ends_with('=')
    });
    outer.or_else(|| statements.get(last))
}

/// Reports misspelt statements on lines that the parser skipped after another error.
fn report_skipped(around: &Around<'_>, lexer: &Lexer<'_>, skipped: &[Range<usize>], diagnostics: &mut Diagnostics) {
    let Around { text, file, catalog, .. } = *around;
    let is_letter = |byte: &u8| byte.is_ascii_alphabetic() || *byte == b'_';
    // Ranges may overlap: errors of nested constructs.
    let mut from = 0;
    for range in skipped {
        let start = range.start.max(from);
        let mut at =
            text.get(start..).and_then(|rest| rest.find('\n')).map_or(text.len(), |newline| start + newline + 1);
        while at < range.end.min(text.len()) {
            let line = text[at..].split('\n').next().unwrap_or("");
            let word = at + line.len() - line.trim_start().len();
            let length = text[word..].bytes().take_while(|byte| is_letter(byte)).count();
            let is_statement = length > 1 && text[word + length..].trim_start_matches([' ', '\t']).starts_with(':');
            let strings = &lexer.long_strings;
            let string = strings.partition_point(|&(_, end)| end <= word);
            let is_text = strings.get(string).is_some_and(|&(start, _)| start < word);
            let span = Span::new(file, word, word + length);
            let is_known = || diagnostics.iter().any(|known| known.span.is_some_and(|known| known.start == span.start));
            if is_statement && !is_text && diagnostics.keeps(Code::Syntax) && !is_known() {
                let unread = Unread {
                    text,
                    file,
                    catalog,
                    statement: None,
                    before: word,
                    found: word..word + length,
                    wants: &[Want::End],
                    defines: &|name| around.has_function(name),
                };
                if let Some(advice) = unread.statement_start(word) {
                    diagnostics.push(advice);
                }
            }
            at += line.len() + 1;
        }
        from = from.max(range.end);
    }
}

/// Moves the report of a string without end to the string that lost its quote: from there on, strings and other text
/// are swapped.
fn blame_first_quote(text: &str, file: FileId, lexer: &Lexer<'_>, diagnostics: &mut Diagnostics) {
    let glued = |&&(start, end): &&(usize, usize)| {
        let letter = |letter: char| letter.is_ascii_alphanumeric();
        text[end..].starts_with(letter) || text[..start].ends_with(letter)
    };
    let Some(&(start, end)) = lexer.long_strings.iter().find(glued) else { return };
    for known in diagnostics.iter_mut() {
        let unclosed = known.message.mistake() == Some(&Mistake::UnclosedString);
        if unclosed && known.span.is_some_and(|span| span.file == file && span.start as usize >= end) {
            let first_line = text[start..].find(['\r', '\n']).map_or(end, |length| start + length);
            known.span = Some(Span::new(file, start, first_line));
            known.label = "begins here".into();
            known.help = Some("close it with `\"` on its line".to_owned());
        }
    }
}

/// The previous error. Errors that follow from it are not reported.
#[derive(Default)]
struct Last {
    /// True after the first error.
    any: bool,
    /// The number of statements that begin before it.
    statement: usize,
    /// The start of its line.
    line: usize,
    /// The statement of the previous error about a map, if there was one.
    of_map: Option<usize>,
    /// The number of errors.
    count: usize,
}

impl Last {
    /// Returns true and records the error at `start`, if it is independent of the previous one. An error in the first
    /// word of its line is: the word was probably meant as a statement, although it is only a name to the lexer.
    fn is_new(&mut self, statement: usize, line: usize, text: &str, start: usize) -> bool {
        let first_word = |end: usize| {
            let letters = |letter: char| letter.is_ascii_alphanumeric() || " \t_-.".contains(letter);
            text[line..end].chars().all(letters)
        };
        let known = self.any && (self.line == line || self.statement == statement && !first_word(start));
        if !known {
            *self = Last { any: true, statement, line, of_map: self.of_map, count: self.count + 1 };
        }
        !known
    }
}

/// Returns the start of the variable whose name ends at `at`.
fn numbered_variable(text: &str, at: usize) -> Option<usize> {
    let name = text[..at].trim_end_matches(|letter: char| letter.is_ascii_alphabetic() || letter == '_');
    (name.len() < at).then(|| name.strip_suffix('$').map(str::len))?
}

/// Returns the start of the word before `end`.
fn word_before(text: &str, end: usize) -> usize {
    let before = text[..end].trim_end();
    before.trim_end_matches(|letter: char| letter.is_ascii_alphanumeric() || "$_.".contains(letter)).len()
}

/// Returns true if the sign at `span` follows a line in another form, which is then reported: `line (1,1,5,3), '}'`.
fn of_another_form(text: &str, span: Span) -> bool {
    let before = text.get(..span.start as usize).unwrap_or("").trim_end();
    let open = before.rfind('(').unwrap_or(0);
    before.ends_with(')') && before[open..].matches(',').count() == 3 && before[..open].trim_end().ends_with("line")
}

/// A pair of braces.
struct Block {
    open: usize,
    close: Option<usize>,
}

/// Facts about the whole file, computed on demand.
struct Around<'a> {
    text: &'a str,
    file: FileId,
    catalog: &'a Catalog,
    blocks: OnceCell<Vec<Block>>,
    variables: OnceCell<HashSet<&'a str>>,
    /// Names of the functions that the file defines, as far as its text shows.
    functions: OnceCell<HashSet<&'a str>>,
}

impl<'a> Around<'a> {
    /// Returns true if `at` is in the braces of a CONTAINER.
    fn is_in_container(&self, at: usize) -> bool {
        let holds = |block: &&Block| block.open < at && block.close.is_none_or(|close| close > at);
        let Some(block) = self.blocks().iter().rfind(holds) else { return false };
        let start = self.text[..block.open].rfind('\n').map_or(0, |newline| newline + 1);
        self.text[start..block.open].contains("CONTAINER")
    }

    /// Returns the braces of the file, in the order in which they are opened.
    fn blocks(&self) -> &[Block] {
        self.blocks.get_or_init(|| {
            let (mut blocks, mut open): (Vec<Block>, Vec<usize>) = (Vec::new(), Vec::new());
            for (at, token, _) in Lexer::new(self.text, self.file, self.catalog) {
                match token {
                    Token::OpenBrace => {
                        open.push(blocks.len());
                        blocks.push(Block { open: at, close: None });
                    }
                    Token::CloseBrace => {
                        if let Some(block) = open.pop().and_then(|block| blocks.get_mut(block)) {
                            block.close = Some(at);
                        }
                    }
                    _ => {}
                }
            }
            blocks
        })
    }

    /// Returns true if the file defines this function.
    fn has_function(&self, name: &str) -> bool {
        let functions = self.functions.get_or_init(|| {
            let found = self.text.match_indices("FUNCTION").filter_map(|(at, keyword)| {
                let rest = self.text[at + keyword.len()..].trim_start_matches([' ', '\t']);
                let letters = |letter: char| letter.is_ascii_alphanumeric() || letter == '_';
                let after = rest.trim_start_matches(letters);
                let name = &rest[..rest.len() - after.len()];
                after.trim_start().starts_with('(').then_some(name)
            });
            found.collect()
        });
        functions.contains(name)
    }

    /// Returns true if the file uses this variable: `$x`.
    fn has_variable(&self, name: &str) -> bool {
        let variables = self.variables.get_or_init(|| {
            let found = self.text.match_indices('$');
            found
                .map(|(at, _)| {
                    let name = &self.text[at + 1..];
                    let letters = |letter: char| !(letter.is_ascii_alphanumeric() || letter == '_');
                    &name[..name.find(letters).unwrap_or(name.len())]
                })
                .collect()
        });
        variables.contains(name.trim_start_matches('$'))
    }
}

/// Finds the starts of lines for ascending offsets, as of errors, without scanning any text twice.
struct Lines<'t> {
    text: &'t str,
    /// The last offset.
    from: usize,
    /// The start of its line.
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

/// A place where the source did not match the grammar.
struct SyntaxError<'e, 'a> {
    text: &'a str,
    file: FileId,
    catalog: &'a Catalog,
    around: &'e Around<'a>,
    start: usize,
    end: usize,
    /// The names of the expected tokens, without quotes.
    expected: Vec<&'e str>,
    /// The statement around it or before it.
    begun: Option<&'e StatementStart>,
}

impl<'a> SyntaxError<'_, 'a> {
    fn span(&self, range: Range<usize>) -> Span {
        Span::new(self.file, range.start, range.end)
    }

    fn found(&self) -> &'a str {
        &self.text[self.start..self.end]
    }

    fn wants(&self, name: &str) -> bool {
        self.expected.contains(&name)
    }

    /// Returns the end of the last token before the error.
    fn before(&self) -> usize {
        let mut text = &self.text[..self.start];
        loop {
            text = text.trim_end();
            let line = text.rfind('\n').map_or(0, |newline| newline + 1);
            if line == text.len() || !text[line..].trim_start().starts_with('#') {
                return text.len();
            }
            text = &text[..line];
        }
    }

    /// Explains the error.
    fn explain(&self) -> Diagnostic {
        // A MAP that is not alone on its line is only a word to the games' compilers, without the rows.
        let is_word = self.found().starts_with("MAP") && !self.text[..self.start].ends_with('\n') && self.start > 0;
        let end = if is_word { self.start + "MAP".len() } else { self.end };
        self.advice().with_noticed(self.span(self.start..end))
    }

    fn advice(&self) -> Diagnostic {
        let (text, before) = (self.text, self.before());
        let line = text[..self.start].rfind('\n').map_or(0, |newline| newline + 1);
        if text[line..self.start].trim_start().starts_with("des.") {
            let start = line + text[line..].len() - text[line..].trim_start().len();
            let end = start + text[start..self.start].find('(').unwrap_or(self.start - start);
            let word = text[start..end].trim_start_matches("des.").trim_end().to_ascii_uppercase();
            let help = match usage(&word, self.catalog) {
                Some(usage) => format!("in {}, write {usage}", self.catalog.title),
                None => format!("{} reads des-files, whose statements are keywords in capitals", self.catalog.title),
            };
            return Diagnostic::new(Code::WrongDialect, self.span(start..end), "this is a NetHack 5 Lua script")
                .with_help(help);
        }
        if self.begun.is_some_and(|begun| begun.word == "FUNCTION") && !self.catalog.has(Feature::Functions) {
            let message = format!("{} does not have FUNCTION", self.catalog.title);
            return Diagnostic::new(Code::WrongDialect, self.span(self.start..self.end), message)
                .with_label("its compiler cannot read the name of a function")
                .with_help("write the statements where they are needed, or in a LOOP");
        }
        let wants: Vec<Want> = self.expected.iter().map(|name| Want::of(name)).collect();
        if let Some(advice) = self.numbered_variable() {
            return advice;
        }
        if let Some(advice) = self.inner_quote().or_else(|| self.closes_nothing()) {
            return advice;
        }
        let begun = self.begun.filter(|begun| begun.offset < self.start);
        // A word after a whole statement looks like a call until its parentheses are missing.
        if self.expected == ["("]
            && self.name_before(before).is_none()
            && let Some(begun) = begun
        {
            let start = word_before(text, before);
            let expected = vec!["MESSAGE", ","];
            let word = &text[start..before];
            let is_plain = word.starts_with(|first: char| first.is_ascii_lowercase()) && !self.catalog.is_keyword(word);
            let is_after = begun.offset + begun.word.len() < start && !text[begun.offset..start].contains('\n');
            if is_plain && is_after && begun.word != "FUNCTION" {
                return SyntaxError { start, end: before, expected, begun: Some(begun), ..*self }.advice();
            }
        }
        let mut unread = Unread {
            text,
            file: self.file,
            catalog: self.catalog,
            statement: begun.map(|begun| (begun.word, begun.offset)),
            before,
            found: self.start..self.end,
            wants: &wants,
            defines: &|name| self.around.has_function(name),
        };
        // A name that is not a call was meant as a statement.
        let name = (self.expected == ["("]).then(|| self.name_before(before)).flatten();
        let at_start = name.is_some() || self.begins_file() || wants.contains(&Want::End) && unread.is_past_line();
        let at_start = at_start || wants.contains(&Want::End) && begun.is_none() || self.wants("CASE");
        if at_start || self.expected == ["="] {
            unread.statement = None;
            let at = name.unwrap_or(self.start);
            // `BRAEK` before a CASE
            let is_misspelt = name.is_some() && !nearest(unread.word(at), usage_words(self.catalog)).is_empty();
            if is_misspelt && let Some(advice) = unread.statement_start(at) {
                return advice;
            }
            let advice = self.closing(&unread).or_else(|| self.misplaced(&unread));
            if let Some(advice) = advice.or_else(|| self.assignment(&unread)) {
                return advice;
            }
            if let Some(advice) = unread.chance_alone(at).or_else(|| unread.curly_quotes()) {
                return advice;
            }
            if let Some(advice) = unread.statement_start(at) {
                return advice;
            }
        }
        let statement = unread.statement;
        let advice = self
            .chance_of_block()
            .or_else(|| unread.spaced_chance())
            .or_else(|| unread.percent_after())
            .or_else(|| self.open_chance(&unread))
            .or_else(|| self.combined_chance(&unread))
            .or_else(|| self.counted_range(&unread))
            .or_else(|| unread.html())
            .or_else(|| unread.escaped_line_end())
            .or_else(|| unread.placeholder())
            .or_else(|| self.forms(&unread))
            .or_else(|| self.parameter(&unread))
            .or_else(|| self.condition(&unread))
            .or_else(|| self.named_monster(&unread))
            .or_else(|| self.special(&unread))
            .or_else(|| unread.curly_quotes())
            .or_else(|| unread.single_quotes())
            .or_else(|| unread.quoted_word())
            .or_else(|| unread.fraction())
            .or_else(|| unread.chance())
            .or_else(|| self.array(&unread))
            .or_else(|| unread.numbers())
            .or_else(|| unread.place_of_words())
            .or_else(|| unread.loose_place())
            .or_else(|| self.old_door())
            .or_else(|| unread.not_closed())
            .or_else(|| self.names(&unread))
            .or_else(|| unread.signs())
            .or_else(|| self.brackets(&unread))
            .or_else(|| self.sign_at_line_end(&unread))
            .or_else(|| unread.ends_early())
            .or_else(|| unread.loose_class())
            .or_else(|| unread.value_word());
        let parses = |statement: &str| self.parses(statement);
        let shapes = statement.and_then(|begun| {
            Shapes::new(text, self.file, self.catalog, begun, (before, self.start..self.end), &parses)
        });
        let Some(shapes) = shapes else { return advice.unwrap_or_else(|| self.plain()) };
        shapes.best(advice).unwrap_or_else(|| self.plain())
    }

    /// Reports a digit in the name of a variable, with a correction of all such names: `$room1`.
    fn numbered_variable(&self) -> Option<Diagnostic> {
        let digit = |letter: char| letter.is_ascii_digit();
        if !self.catalog.has(Feature::DashedWords) || !self.found().starts_with(digit) {
            return None;
        }
        let first = numbered_variable(self.text, self.start)?;
        let is_part = |letter: char| !(letter.is_ascii_alphanumeric() || letter == '_');
        let name_at = |at: usize| {
            let rest = &self.text[at + 1..];
            &self.text[at..at + 1 + rest.find(is_part).unwrap_or(rest.len())]
        };
        // `$room1` becomes `$roomb`.
        let lettered = |name: &str| -> String {
            name.chars()
                .map(|letter| letter.to_digit(10).map_or(letter, |digit| char::from(b'a' + digit as u8)))
                .collect()
        };
        let written = name_at(first);
        let diagnostic =
            Diagnostic::new(Code::Syntax, self.span(first..first + written.len()), Mistake::NumberedVariable)
                .with_help(format!("write a letter instead, as in {}, wherever it is used", lettered(written)));
        let tokens = Lexer::new(self.text, self.file, self.catalog);
        let variables =
            tokens.filter_map(|(at, token, _)| matches!(token, Token::Variable(_)).then(|| (at, name_at(at))));
        let named: Vec<(usize, &str)> = variables.filter(|(_, name)| name.contains(digit)).collect();
        let is_free = named.iter().all(|(_, name)| !self.around.has_variable(&lettered(name)));
        Some(named.into_iter().fold(diagnostic, |diagnostic, (at, name)| {
            diagnostic.with_suggestion(self.span(at..at + name.len()), lettered(name), is_free)
        }))
    }

    /// Returns true if `statement`, which may begin a block, can be read alone.
    fn parses(&self, statement: &str) -> bool {
        let opened = statement.matches('{').count().saturating_sub(statement.matches('}').count());
        let bare = statement.split_once("%]:").filter(|_| statement.starts_with('['));
        let bare = bare.map_or(statement, |(_, rest)| rest.trim_start());
        let word = bare.split(|letter: char| !(letter.is_ascii_uppercase() || letter == '_')).next().unwrap_or("");
        let (ahead, past) = match word {
            "LEVEL" | "MAZE" | "FUNCTION" | "INCLUDE" => ("", ""),
            "ELSE" => ("LEVEL:\"x\"\nIF [50%] {\n} ", ""),
            "CASE" | "DEFAULT" => ("LEVEL:\"x\"\nSWITCH [1] {\n", "\n}"),
            "SWITCH" => ("LEVEL:\"x\"\n", "\nCASE 0:"),
            "GEOMETRY" => ("LEVEL:\"x\"\n", "\nMAP\n.\nENDMAP\n"),
            _ => ("LEVEL:\"x\"\n", ""),
        };
        let text = format!("{ahead}{statement}{past}\n{}\n", "}\n".repeat(opened));
        let mut failures = Failures::new(1);
        let mut lexer = Lexer::new(&text, self.file, self.catalog);
        let parsed = FileParser::new().parse(self.file, self.catalog, &mut failures, (&mut lexer).map(Ok));
        let errors = lexer.diagnostics.iter().any(|known| known.severity == Severity::Error);
        parsed.is_ok() && failures.is_empty() && !errors
    }

    /// Returns true if nothing was read yet, and no statement may come before the first level.
    fn begins_file(&self) -> bool {
        self.wants("LEVEL") && !self.wants("MESSAGE")
    }

    /// Returns the start of the name that ends at `end`, if it is the first word of its line or block.
    fn name_before(&self, end: usize) -> Option<usize> {
        let before = self.text.get(..end)?;
        let word = before.trim_end_matches(|letter: char| letter.is_ascii_alphanumeric() || "_.-".contains(letter));
        let ahead = word.trim_end_matches([' ', '\t']);
        let chance = ahead.strip_suffix(':').is_some_and(|condition| condition.trim_end().ends_with(']'));
        let first = ahead.is_empty() || chance || ahead.ends_with(['\n', '{', '}', ']']);
        (first && word.len() < end).then_some(word.len())
    }

    /// Reports a second closing brace on the line of the first.
    fn closes_nothing(&self) -> Option<Diagnostic> {
        let is_in = |block: &Block| block.open < self.start && block.close.is_none_or(|close| close >= self.start);
        let again = self.found() == "}" && self.text[..self.start].trim_end_matches([' ', '\t']).ends_with('}');
        (again && !self.around.blocks().iter().any(is_in)).then(|| {
            let span = self.span(self.start..self.end);
            Diagnostic::new(Code::Syntax, span, "this `}` has no opening brace")
                .with_help("remove it")
                .with_suggestion(span, "", false)
        })
    }

    /// Returns the advice to remove a word between the head of this statement and its block.
    fn opening(&self) -> String {
        let line = self.text[..self.start].rfind('\n').map_or(0, |newline| newline + 1);
        format!("write {} {{", self.text[line..self.start].trim())
    }

    /// Returns the brace that closes a room before one of its subrooms, and the SUBROOM.
    fn closes_early(&self) -> Option<(usize, usize)> {
        let level = self.text[..self.start].rfind("\nLEVEL").unwrap_or(0);
        let mut blocks = self.around.blocks().iter().peekable();
        let mut closed = 0;
        let is_first = |at: usize| self.text[..at].trim_end_matches([' ', '\t']).ends_with('\n');
        let subrooms = self.text[level..self.start].match_indices("SUBROOM").map(|(at, _)| level + at);
        for subroom in subrooms.filter(|&at| is_first(at)) {
            while let Some(block) = blocks.next_if(|block| block.open < subroom) {
                closed = closed.max(block.close.unwrap_or(usize::MAX));
            }
            if closed < subroom {
                return (closed > level).then_some((closed, subroom));
            }
        }
        None
    }

    /// Reports a brace that closes nothing, or one that is missing at the end of the file.
    fn closing(&self, unread: &Unread<'_>) -> Option<Diagnostic> {
        match self.found() {
            "}" if let Some((brace, subroom)) = self.closes_early() => {
                let message = "this `}` closes the room before its SUBROOM";
                let diagnostic = Diagnostic::new(Code::Syntax, self.span(brace..brace + 1), message);
                Some(
                    diagnostic
                        .with_secondary(self.span(subroom..subroom + "SUBROOM".len()), "this is outside of any room")
                        .with_help("remove it"),
                )
            }
            "}" => {
                let diagnostic =
                    Diagnostic::new(Code::Syntax, self.span(self.start..self.end), "this `}` has no opening brace");
                let blocks = self.around.blocks();
                let closed = blocks.iter().filter(|block| block.close.is_some_and(|close| close < self.start));
                let last = closed.max_by_key(|block| block.close);
                Some(match last {
                    Some(Block { open, close: Some(close) }) => diagnostic
                        .with_secondary(self.span(*open..open + 1), "the block before it begins here")
                        .with_secondary(self.span(*close..close + 1), "and ends here")
                        .with_help("remove it, or the one that closes the block too early"),
                    _ => diagnostic.with_help("remove it"),
                })
            }
            "" if self.wants("}") => {
                let open = self.dedented().or_else(|| self.unclosed())?;
                Some(
                    Diagnostic::new(Code::Syntax, self.span(open..open + 1), "this block is not closed")
                        .with_help("write `}` after its last statement"),
                )
            }
            "LEVEL" | "MAZE" if self.wants("}") => {
                let is_around =
                    |block: &&Block| block.open < self.start && block.close.is_none_or(|close| close > self.start);
                let open = self.around.blocks().iter().rev().find(is_around)?.open;
                let open = self.dedented().unwrap_or(open);
                let span = self.span(open..open + 1);
                Some(
                    Diagnostic::new(Code::Syntax, span, "this block is not closed")
                        .with_help("write `}` after its last statement"),
                )
            }
            ")" | "]" if self.wants("}") => Some(
                Diagnostic::new(Code::Syntax, self.span(self.start..self.end), "a block must end with `}`")
                    .with_help("write `}`")
                    .with_suggestion(unread.span(unread.found.clone()), "}", true),
            ),
            _ => None,
        }
    }

    /// Returns the opening brace of the last block in this level whose statements are indented, if one that is not
    /// follows them.
    fn dedented(&self) -> Option<usize> {
        let indent = |line: &str| line.len() - line.trim_start_matches([' ', '\t']).len();
        let before = &self.text[..self.start];
        let begins_level = |at: &usize| before[*at..].starts_with("LEVEL") || before[*at..].starts_with("MAZE");
        let mut lines = before.rmatch_indices('\n').map(|(newline, _)| newline + 1);
        let level = lines.find(begins_level).unwrap_or(0);
        let blocks = self.around.blocks();
        let first = blocks.partition_point(|block| block.open < level);
        let last = blocks.partition_point(|block| block.open < self.start);
        let crooked = |block: &&Block| {
            let line = self.text[..block.open].rfind('\n').map_or(0, |newline| newline + 1);
            let outer = indent(&self.text[line..]);
            let inside =
                &self.text[block.open + 1..block.close.unwrap_or(self.start).min(self.start).max(block.open + 1)];
            let mut lines = inside.lines().skip(1).take(MAX_BLOCK).filter(|line| !line.trim().is_empty());
            let is_text =
                |line: &&str| line.trim_start().starts_with(|first: char| first.is_ascii_uppercase() || first == '[');
            lines.next().is_some_and(|line| indent(line) > outer)
                && lines.any(|line| indent(line) <= outer && is_text(&line))
        };
        blocks[first..last].iter().rev().find(crooked).map(|block| block.open)
    }

    /// Returns the opening brace without a closing one: one whose block ends with less indentation than it began with,
    /// or the last.
    fn unclosed(&self) -> Option<usize> {
        let indent = |at: usize| {
            let start = self.text[..at].rfind('\n').map_or(0, |newline| newline + 1);
            self.text[start..].len() - self.text[start..].trim_start_matches([' ', '\t']).len()
        };
        let blocks = self.around.blocks();
        let crooked = blocks.iter().rev().find(|block| {
            block.close.is_some_and(|close| {
                indent(close) < indent(block.open) && self.text[..close].trim_end_matches([' ', '\t']).ends_with('\n')
            })
        });
        crooked.or_else(|| blocks.iter().rev().find(|block| block.close.is_none())).map(|block| block.open)
    }

    /// Reports a keyword in the wrong place.
    fn misplaced(&self, unread: &Unread<'_>) -> Option<Diagnostic> {
        let found = self.found();
        let line = |message: Message, help: &str| {
            Some(Diagnostic::new(Code::Syntax, self.span(self.start..self.end), message).with_help(help.to_owned()))
        };
        if self.begins_file()
            && found != "INCLUDE"
            && STATEMENT_WORDS.contains(&found)
            && self.catalog.is_keyword(found)
        {
            return line(
                Mistake::BeforeFirstLevel(found.to_owned()).into(),
                "begin a level with LEVEL: \"name\"; only FUNCTION and INCLUDE can come before it",
            );
        }
        if self.begins_file() && self.around.has_function(found) {
            return line(
                Mistake::BeforeFirstLevel(format!("a call of {found}")).into(),
                "move it into a level, or into another FUNCTION",
            );
        }
        if found == "MAZE" && !self.catalog.is_keyword("MAZE") {
            return Some(no_maze(&self.text[self.end..], self.span(self.start..self.end), self.catalog));
        }
        match found {
            "FLAGS" => line(
                "FLAGS is too late".into(),
                match self.catalog.is_keyword("MAZE") {
                    true => "move FLAGS to directly after the LEVEL or MAZE of its level",
                    false => "move FLAGS to directly after LEVEL",
                },
            ),
            "INCLUDE" => line(Mistake::LateInclude.into(), "move INCLUDE before the first LEVEL"),
            "ELSE" if unread.rest_of_line(self.end).trim_start().starts_with(':') && self.wants("CASE") => Some(
                Diagnostic::new(Code::Syntax, self.span(self.start..self.end), Mistake::ElseWithoutIf)
                    .with_help("write DEFAULT: for the other cases of a SWITCH")
                    .with_suggestion(self.span(self.start..self.end), "DEFAULT", true),
            ),
            "ELSE" => line(Mistake::ElseWithoutIf.into(), "write ELSE after the closing brace of an IF"),
            "CASE" | "DEFAULT" => line(
                Mistake::OutsideSwitch(found.to_owned()).into(),
                "write cases directly in a SWITCH: SWITCH [value] { CASE 1: statements DEFAULT: statements }",
            ),
            "{" if self.wants("CASE") && self.begun.is_some_and(|begun| matches!(begun.word, "CASE" | "DEFAULT")) => {
                line(
                    "the statements of a CASE are not in braces".into(),
                    match self.text[self.end..].split('}').next().is_some_and(|block| block.contains("BREAK")) {
                        true => "remove its braces",
                        false => "remove its braces, and write BREAK after its last statement",
                    },
                )
            }
            "TO" => line("TO without a FOR".into(), "write FOR $variable = first TO last { statements }"),
            "NAME" => line(
                "a room cannot have a NAME here".into(),
                "remove the NAME, and write a SUBROOM in the braces of its room",
            ),
            _ if self.wants("CASE") && matches!(found.to_ascii_uppercase().as_str(), "CASE" | "DEFAULT") => {
                let right = found.to_ascii_uppercase();
                let span = self.span(self.start..self.end);
                let message = format!("`{found}` is not a statement: keywords are in capitals");
                Some(
                    Diagnostic::new(Code::Syntax, span, message)
                        .with_help(format!("write {right}"))
                        .with_suggestion(span, right, true),
                )
            }
            _ if self.wants("CASE")
                && found.bytes().all(|digit| digit.is_ascii_digit())
                && !found.is_empty()
                && unread.rest_of_line(self.end).trim_start().starts_with(':') =>
            {
                let span = self.span(self.start..self.start);
                Some(
                    Diagnostic::new(Code::Syntax, self.span(self.start..self.end), "the word CASE is missing")
                        .with_help(format!("write CASE {found}:"))
                        .with_suggestion(span, "CASE ", true),
                )
            }
            _ if self.wants("CASE") && !self.wants("MESSAGE") => {
                let word = if found.is_empty() { "the end of the file" } else { found };
                line(
                    format!("{word} before the first CASE of a SWITCH").into(),
                    "write CASE and a number before it, as in CASE 1: statements",
                )
            }
            _ => None,
        }
    }

    /// Returns the offset after the blanks at `at`.
    fn after(&self, at: usize) -> usize {
        let rest = &self.text[at..];
        at + rest.len() - rest.trim_start_matches([' ', '\t']).len()
    }

    /// Reports errors in constructs that only scripts have: comparisons, sums, calls, blocks.
    fn special(&self, unread: &Unread<'_>) -> Option<Diagnostic> {
        let found = self.found();
        let span = self.span(self.start..self.end);
        if let Some(advice) = unread.else_if(self.start) {
            return Some(advice);
        }
        if found == ":" && self.text[..self.start].ends_with("ENDMAP") {
            return Some(
                Diagnostic::new(Code::Syntax, span, "ENDMAP takes no colon")
                    .with_help("write ENDMAP alone")
                    .with_suggestion(span, "", true),
            );
        }
        let what = expectation(&self.expected);
        let shown = || format!("expected {what}, found '{found}'");
        if found == "=" && self.wants("a comparison") && self.text[self.end..].starts_with(['>', '<']) {
            let right = format!("{}=", &self.text[self.end..=self.end]);
            let span = self.span(self.start..self.end + 1);
            return Some(
                Diagnostic::new(Code::Syntax, span, format!("expected a comparison, found `={}`", &right[..1]))
                    .with_help(format!("write `{right}`"))
                    .with_suggestion(span, right, true),
            );
        }
        if found == "=" && self.wants("a comparison") {
            return Some(
                Diagnostic::new(Code::Syntax, span, "`=` is an assignment, not a comparison")
                    .with_help("write `==` to compare values")
                    .with_suggestion(span, "==", true),
            );
        }
        // `GOLD: $200, (3,2)`
        let number = unread.word(self.end);
        if found == "$" && !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit()) {
            return Some(
                Diagnostic::new(Code::Syntax, span, "a `$` begins the name of a variable, not a number")
                    .with_help(format!("write {number}"))
                    .with_suggestion(span, "", true),
            );
        }
        if found == "IF" && self.wants("{") {
            return Some(
                Diagnostic::new(Code::Syntax, span, "this ELSE has no block")
                    .with_help("put the statement in a block: ELSE { IF ... }"),
            );
        }
        let open = self.text[..unread.before].trim_end();
        let in_place = open.ends_with('(') && self.text[self.end..].trim_start().starts_with(',')
            || open.ends_with(',') && self.text[self.end..].trim_start().starts_with(')');
        if found.starts_with('-') && found.len() > 1 && in_place {
            return Some(
                Diagnostic::new(Code::Syntax, span, "the column and the row of a place cannot be negative")
                    .with_help("count columns and rows from 0, from the upper left corner of the last map"),
            );
        }
        if found.starts_with('-') && found.len() > 1 && self.wants("(") && !self.wants("+") {
            return Some(
                Diagnostic::new(Code::Syntax, span, shown())
                    .with_help(format!("put it in parentheses: ({found})"))
                    .with_suggestion(span, format!("({found})"), true),
            );
        }
        // `2+1`: the lexer reads the sign as part of the number.
        let number = found.strip_prefix(['+', '-']).filter(|rest| rest.bytes().all(|byte| byte.is_ascii_digit()));
        let low = self.text[..self.start].len()
            - self.text[..self.start].trim_end_matches(|c: char| c.is_ascii_digit()).len();
        let low = self.text[self.start - low..self.start].parse::<u64>().ok();
        // `100-200` is a range.
        let is_range = found.starts_with('-')
            && low.zip(found[1..].parse().ok()).is_some_and(|(low, high): (u64, u64)| low < high);
        if is_range {
            return None;
        }
        if let Some(number) = number.filter(|number| !number.is_empty() && self.wants("+")) {
            let sign = &found[..1];
            let minus = sign == "-" && self.catalog.has(Feature::DashedWords);
            let right = if minus { format!(" + ({found})") } else { format!(" {sign} {number}") };
            return Some(
                Diagnostic::new(
                    Code::Syntax,
                    span,
                    format!("`{found}` is read as a signed number, not as part of a sum"),
                )
                .with_help(if minus {
                    format!("write + ({found})")
                } else {
                    format!("put spaces around the operator: {sign} {number}")
                })
                .with_suggestion(span, right, true),
            );
        }
        let before = &self.text[..unread.before];
        if before.ends_with(',') && unread.is_past_line() {
            let comma = self.span(before.len() - 1..before.len());
            let diagnostic = Diagnostic::new(Code::Syntax, comma, "nothing follows this comma");
            let without = unread.statement.and_then(|(_, from)| before.get(from..before.len() - 1));
            return Some(match (without.is_some_and(|without| self.parses(without)), unread.usage()) {
                (false, Some(usage)) => diagnostic.with_help(usage),
                _ => diagnostic
                    .with_help("remove the comma at the end of the line, or continue after it")
                    .with_suggestion(comma, "", false),
            });
        }
        if found == "MAP" && self.wants("a MAP") || found.eq_ignore_ascii_case("map") && self.wants("a MAP") {
            return Some(unread.map_not_alone(self.start, found));
        }
        if self.wants("a MAP") && unread.is_past_line() {
            let (_, from) = unread.statement?;
            if found == "NOMAP" {
                let geometry = self.span(from..from + "GEOMETRY".len());
                return Some(
                    Diagnostic::new(Code::MapText, geometry, "a level with NOMAP has no GEOMETRY")
                        .with_help("remove the GEOMETRY, or draw a map: MAP, then the rows, then ENDMAP"),
                );
            }
            return Some(
                Diagnostic::new(Code::MapText, self.span(from..from + "GEOMETRY".len()), "this GEOMETRY has no map")
                    .with_help("write MAP alone on its line, in the first column, then the rows, then ENDMAP"),
            );
        }
        None
    }

    /// Reports brackets that are missing, or not allowed in the statement.
    fn brackets(&self, unread: &Unread<'_>) -> Option<Diagnostic> {
        let (word, _) = unread.statement?;
        let found = self.found();
        let span = self.span(self.start..self.end);
        let message = |message: &str| Diagnostic::new(Code::Syntax, span, message.to_owned());
        let rest = unread.rest_of_line(self.start);
        let is_other_brace = matches!(found, "(" | "[") && rest.len() == found.len();
        match word {
            "LOOP" | "SWITCH" if self.wants("[") && !unread.is_past_line() => {
                let what = if word == "LOOP" { "count" } else { "value" };
                let inner = rest.split('{').next().unwrap_or(rest).trim_end();
                if inner.is_empty() {
                    let usage = unread.usage().unwrap_or_default();
                    return Some(message(&format!("this {word} has no {what}")).with_help(usage));
                }
                let bare = inner.trim_matches(['(', ')', '[', ']', ' ', '%']);
                let bare = bare.trim_end_matches(|letter: char| letter.is_ascii_alphabetic()).trim_end();
                let span = self.span(self.start..self.start + inner.len());
                let right = format!("[{bare}]");
                Some(
                    Diagnostic::new(Code::Syntax, span, format!("the {what} of {word} must be in brackets"))
                        .with_help(format!("write {word} {right}"))
                        .with_suggestion(span, right, !bare.is_empty()),
                )
            }
            "IF" | "ELSE" | "LOOP" | "FOR" | "TO" | "SWITCH" if self.wants("{") && found == ":" => {
                self.colon_of_block(if word == "TO" { "FOR" } else { word }, unread)
            }
            "IF" if self.wants("{") && found.eq_ignore_ascii_case("then") => {
                let has_brace = unread.rest_of_line(self.end).trim_start().starts_with('{');
                let right = if has_brace { "" } else { "{" };
                Some(message("IF takes no THEN").with_help(self.opening()).with_suggestion(span, right, true))
            }
            "INCLUDE" if found == ":" => Some(
                message("INCLUDE takes no colon").with_help("write INCLUDE \"file\"").with_suggestion(span, "", true),
            ),
            "FUNCTION" if self.wants("a name") && found == ":" => Some(
                message("FUNCTION takes no colon")
                    .with_help("write FUNCTION name($parameter: int) { statements }")
                    .with_suggestion(self.span(self.start..self.after(self.end)), " ", true),
            ),
            "FUNCTION" if self.wants("(") && found.starts_with('-') => Some(
                message("the name of a function consists of letters, digits and `_`")
                    .with_help("write `_` instead of `-`, here and in the calls"),
            ),
            "FUNCTION" if self.wants("(") && found == "{" => Some(
                Diagnostic::new(Code::Syntax, self.last_word(unread), "this FUNCTION has no parentheses")
                    .with_help("write FUNCTION name() { statements }")
                    .with_suggestion(self.span(unread.before..unread.before), "()", true),
            ),
            "FUNCTION" if self.wants("a name") && self.catalog.is_keyword(found) => {
                Some(message("a keyword cannot be the name of a FUNCTION").with_help("use another name"))
            }
            "FOR" if found == "[" => {
                let inner = rest.split('{').next().unwrap_or(rest).trim_end();
                let span = self.span(self.start..self.start + inner.len());
                Some(
                    Diagnostic::new(Code::Syntax, span, "FOR takes no brackets")
                        .with_help("write FOR $variable = first TO last { statements }")
                        .with_suggestion(span, inner.trim_matches(['[', ']']).trim(), true),
                )
            }
            "FOR" if self.wants("TO") && !unread.is_past_line() => {
                let certain = found == "," || found.eq_ignore_ascii_case("to");
                Some(
                    message("TO is missing between the first and the last number")
                        .with_help("write FOR $variable = first TO last { statements }")
                        .with_suggestion(span, if found == "," { " TO" } else { "TO" }, certain),
                )
            }
            "FOR" | "TO" if self.wants("{") && !unread.is_past_line() && !is_other_brace => {
                let (line, _) = unread.line(self.start);
                let head = self.text.get(line..unread.before)?.trim_start();
                Some(
                    Diagnostic::new(
                        Code::Syntax,
                        span,
                        Mistake::Unexpected(format!("`{found}` after the last number of a FOR")),
                    )
                    .with_help(format!("a FOR counts by one: write {head} {{")),
                )
            }
            "CASE" | "DEFAULT" if self.wants(":") => {
                let at = self.span(unread.before..unread.before);
                let message = format!("the colon after this {word} is missing");
                Some(
                    Diagnostic::new(Code::Syntax, self.last_word(unread), message)
                        .with_help(unread.usage().unwrap_or_default())
                        .with_suggestion(at, ":", true),
                )
            }
            "CASE" if self.wants("a number") && !unread.is_past_line() => {
                let inner = rest.split(':').next().unwrap_or(rest).trim_end();
                let bare = inner.trim_matches(['[', ']', '(', ')', '%', ' ']);
                let span = self.span(self.start..self.start + inner.len());
                let diagnostic = Diagnostic::new(Code::Syntax, span, "the value of a CASE must be a plain number")
                    .with_help("write CASE number: statements");
                Some(match bare.parse::<u32>() {
                    Ok(_) => diagnostic.with_suggestion(span, bare, true),
                    Err(_) => diagnostic,
                })
            }
            "ROOM" | "SUBROOM" if self.wants(":") && found.starts_with('[') => Some(
                message("the chance of a room must be after its type")
                    .with_help(format!("write {word}: \"type\"{found}, ...")),
            ),
            "REGION" | "REPLACE_TERRAIN" | "NON_DIGGABLE" | "NON_PASSWALL" if matches!(found, "rect" | "fillrect") => {
                Some(
                    message("a region is four numbers, not a selection")
                        .with_help(format!("write {word}: (x1,y1,x2,y2)"))
                        .with_suggestion(self.span(self.start..self.after(self.end)), "", true),
                )
            }
            _ if found == "{" && self.expected == [","] => {
                let values = self.after(self.text[..unread.before].rfind('\n').map_or(0, |newline| newline + 1));
                let span = self.span(values..unread.before);
                let message = format!("this {word} has too few values");
                Some(Diagnostic::new(Code::Syntax, span, message).with_help(unread.usage().unwrap_or_default()))
            }
            "IF" | "ELSE" | "LOOP" | "FOR" | "TO" | "SWITCH"
                if self.wants("{") && STATEMENT_WORDS.contains(&found) && !unread.is_past_line() =>
            {
                let (start, line) = unread.line(self.start);
                let head = line[..unread.before - start].trim_start();
                let message = "the statements of a block must be in braces";
                Some(
                    Diagnostic::new(Code::Syntax, span, message)
                        .with_help(format!("write {head} {{ {} }}", rest.trim_end())),
                )
            }
            "IF" | "LOOP" | "SWITCH" if self.wants("]") && found == "{" => {
                let open = self.text[..unread.before].rfind('[')?;
                Some(
                    Diagnostic::new(Code::Syntax, self.span(open..open + 1), "this `[` is not closed")
                        .with_help("write `]` before the `{`")
                        .with_suggestion(self.span(unread.before..unread.before), "]", true),
                )
            }
            _ if self.wants("{") && is_other_brace => {
                Some(message("a block must begin with `{`").with_help("write `{`").with_suggestion(span, "{", true))
            }
            _ if self.wants("{") && unread.is_past_line() => {
                let next = self.text.get(self.start..).and_then(|rest| rest.lines().next()).unwrap_or_default();
                if word == "CONTAINER" && next.contains("contained") {
                    let message = "the contents of this CONTAINER are written as in NetHack 3.4.3";
                    let diagnostic = Diagnostic::new(Code::WrongDialect, self.last_word(unread), message);
                    return Some(self.contained(unread, diagnostic));
                }
                let word = if word == "TO" { "FOR" } else { word };
                let usage = usage(word, self.catalog).map(|usage| format!("write {usage}"));
                let usage = match (word, usage) {
                    ("ROOM" | "SUBROOM", _) => {
                        "write `{` after it, and `}` after the last of its statements".to_owned()
                    }
                    ("IF" | "LOOP" | "FOR", _) if next.starts_with(char::is_uppercase) && !next.starts_with("ELSE") => {
                        let (start, line) = unread.line(unread.before.saturating_sub(1));
                        let head = line.get(..unread.before - start).unwrap_or(line).trim();
                        format!("put its statements in braces: {head} {{ {} }}", next.trim_end())
                    }
                    (_, Some(usage)) => usage,
                    (_, None) => "write { statements } after it".to_owned(),
                };
                Some(
                    Diagnostic::new(Code::Syntax, self.last_word(unread), Mistake::NoBlock(word.to_owned()))
                        .with_help(usage),
                )
            }
            _ => None,
        }
    }

    /// Reports a sign that is missing at the end of a line of a statement with several lines.
    fn sign_at_line_end(&self, unread: &Unread<'_>) -> Option<Diagnostic> {
        let (_, from) = unread.statement?;
        let goes_on = self.found().starts_with(|first: char| "(\"'$".contains(first) || first.is_ascii_digit());
        if !unread.is_past_line() || !goes_on {
            return None;
        }
        let (read, rest) = (self.text.get(from..unread.before)?, &self.text[unread.before..]);
        let ends: Vec<usize> = rest.match_indices('\n').map(|(at, _)| at).skip(1).take(MOST_LINES).collect();
        let ends = if ends.is_empty() { vec![rest.len()] } else { ends };
        let is_missing = |sign: &&str| {
            let with = |end: &usize| format!("{read} {sign}{}", &rest[..*end]);
            self.wants(sign) && ends.iter().any(|end| *end < MAX_BYTES && self.parses(&with(end)))
        };
        let mut signs = ["&", ","].into_iter().filter(is_missing);
        let (sign, None) = (signs.next()?, signs.next()) else { return None };
        let last = read.rfind(['\n', ' ', '\t', ':']).map_or(0, |at| at + 1) + from;
        let at = self.span(unread.before..unread.before);
        Some(
            Diagnostic::new(Code::Syntax, self.span(last..unread.before), format!("there is no `{sign}` after this"))
                .with_secondary(self.span(self.start..self.end), "the statement goes on here")
                .with_help(format!("write `{sign}` at the end of the line"))
                .with_suggestion(at, format!(" {sign}"), true),
        )
    }

    /// Reports a chance before a block: `[30%] { ... }`, `[30%]: { ... }`.
    fn chance_of_block(&self) -> Option<Diagnostic> {
        let read = &self.text[..self.before()];
        let colon = read.strip_suffix(':').map(|ahead| (ahead.trim_end_matches([' ', '\t']), ahead.len()));
        let before = colon.map_or(read, |(ahead, _)| ahead).strip_suffix(']').filter(|_| self.found() == "{")?;
        let open = before.rfind('[')?;
        let alone = self.text[..open].trim_end_matches([' ', '\t']).ends_with(['\n', '{', '}']);
        let chance = &before[open + 1..];
        if !alone || !chance.ends_with('%') {
            return None;
        }
        let span = self.span(open..before.len() + 1);
        let diagnostic = Diagnostic::new(Code::Syntax, span, "the chance of a block needs IF before it")
            .with_help(format!("write IF [{chance}] {{"))
            .with_suggestion(self.span(open..open), "IF ", true);
        Some(match colon {
            Some((_, at)) => diagnostic.with_suggestion(self.span(at..at + 1), "", true),
            None => diagnostic,
        })
    }

    /// Reports a chance before a statement whose bracket is not closed: `[50%: TRAP: ...`.
    fn open_chance(&self, unread: &Unread<'_>) -> Option<Diagnostic> {
        let (start, line) = unread.line(self.start);
        let indent = line.len() - line.trim_start().len();
        // `IF [50% {`
        let is_word = |letter: char| letter.is_ascii_uppercase() || letter == '_';
        let condition = line[indent..].trim_start_matches(is_word);
        let is_if = condition.len() < line[indent..].len();
        let open = start + line.find('[').unwrap_or(0);
        let inner = condition.trim_start().strip_prefix('[')?.trim_start();
        let digits = inner.bytes().take_while(u8::is_ascii_digit).count();
        let rest = inner[digits..].strip_prefix('%')?;
        // `MONSTER[50%: ...`
        if digits > 0 && is_if && (rest.trim() == "{" || rest.starts_with(':')) {
            let end = start + line.len() - rest.len();
            let right = format!("[{}%]", &inner[..digits]);
            return Some(
                Diagnostic::new(Code::Syntax, self.span(open..open + 1), "this `[` is not closed")
                    .with_help(format!("write {right}"))
                    .with_suggestion(self.span(end..end), "]", true),
            );
        }
        if is_if || digits == 0 || !rest.trim_start().starts_with(|next: char| next == ':' || next.is_ascii_uppercase())
        {
            return None;
        }
        let (open, end) = (start + indent, start + line.len() - rest.len());
        let right = format!("[{}%]:", &inner[..digits]);
        let diagnostic = Diagnostic::new(Code::Syntax, self.span(open..open + 1), "this `[` is not closed")
            .with_help(format!("write {right} before the statement"));
        Some(match rest.starts_with(':') {
            true => diagnostic.with_suggestion(self.span(end..end), "]", true),
            false => diagnostic,
        })
    }

    /// Reports a chance joined with another condition: `IF [50% AND $x > 2]`.
    fn combined_chance(&self, unread: &Unread<'_>) -> Option<Diagnostic> {
        let (_, from) = unread.statement.filter(|(word, _)| *word == "IF")?;
        let rest = unread.rest_of_line(from);
        let open = rest.find('[')?;
        let inner = &rest[open + 1..open + rest[open..].find(']')?];
        let upper = inner.to_ascii_uppercase();
        let joined = [" AND ", " OR ", "&&", "||"].iter().any(|word| upper.contains(word));
        if !joined || !inner.contains('%') {
            return None;
        }
        let start = from + open;
        Some(
            Diagnostic::new(
                Code::Syntax,
                self.span(start..start + inner.len() + 2),
                "a chance cannot be combined with another condition",
            )
            .with_help("nest two IFs: IF [50%] { IF [$a < 3] { statements } }"),
        )
    }

    /// Reports a LOOP whose count is a range: `LOOP [3..5]`.
    fn counted_range(&self, unread: &Unread<'_>) -> Option<Diagnostic> {
        let (_, from) = unread.statement.filter(|(word, _)| *word == "LOOP")?;
        let rest = unread.rest_of_line(from);
        let open = rest.find('[')?;
        let length = rest[open..].find(']')? + 1;
        let inner = rest[open + 1..open + length - 1].trim();
        let digits = |text: &str| text.bytes().take_while(u8::is_ascii_digit).count();
        let first = &inner[..digits(inner)];
        let between = inner[first.len()..].trim_start_matches(' ');
        let last = between.trim_start_matches(|sign: char| !sign.is_ascii_digit());
        let sign = between[..between.len() - last.len()].trim();
        if !matches!(sign.to_ascii_lowercase().as_str(), ".." | "..." | "-" | "to" | "," | ":")
            || digits(last) != last.len()
        {
            return None;
        }
        let (low, high): (u32, u32) = (first.parse().ok()?, last.parse().ok()?);
        let sides = high.checked_sub(low)?.checked_add(1).filter(|&sides| sides > 1)?;
        let right = match low {
            1 => format!("[1d{sides}]"),
            _ => format!("[{} + 1d{sides}]", i64::from(low) - 1),
        };
        let span = self.span(from + open..from + open + length);
        Some(
            Diagnostic::new(Code::Syntax, span, "LOOP takes one count, not a range")
                .with_help(format!("write LOOP {right} for {low} to {high} times"))
                .with_suggestion(span, right, false),
        )
    }

    /// Adds the correction of a CONTAINER whose contents are the objects after it with `contained` as their place.
    fn contained(&self, unread: &Unread<'_>, diagnostic: Diagnostic) -> Diagnostic {
        let (mut start, mut removed, mut first) = (self.start, Vec::new(), None);
        for line in self.text[self.start..].split_inclusive('\n').take(MAX_BLOCK) {
            let Some((ahead, rest)) = line.split_once("contained") else { break };
            let Some(object) = ahead.trim_end().strip_suffix(',').map(str::trim_end) else { break };
            removed.push((start + object.len()..start + ahead.len() + "contained".len(), rest.trim().is_empty()));
            first.get_or_insert(format!("{}{}", object.trim_start(), rest.trim_end()));
            start += line.len();
        }
        let container = self.text.get(unread.statement.map_or(unread.before, |(_, at)| at)..unread.before);
        let (Some(first), Some(container)) = (first, container) else {
            return diagnostic.with_help(
                "put the objects after it in braces, without `contained`: CONTAINER: object, place { OBJECT: object }",
            );
        };
        let help = format!("put the objects after it in braces, without `contained`: {container} {{ {first} }}");
        let diagnostic =
            diagnostic.with_help(help).with_suggestion(self.span(unread.before..unread.before), " {", true);
        let last = removed.len().saturating_sub(1);
        removed.into_iter().enumerate().fold(diagnostic, |diagnostic, (at, (range, is_end))| {
            match (at == last, is_end) {
                (true, true) => diagnostic.with_suggestion(self.span(range), "\n}", true),
                (true, false) => {
                    let end = range.end + unread.rest_of_line(range.end).trim_end().len();
                    let diagnostic = diagnostic.with_suggestion(self.span(range), "", true);
                    diagnostic.with_suggestion(self.span(end..end), "\n}", true)
                }
                _ => diagnostic.with_suggestion(self.span(range), "", true),
            }
        })
    }

    /// Reports a colon in place of the brace of a block, as in Python: `IF [50%]:`.
    fn colon_of_block(&self, word: &str, unread: &Unread<'_>) -> Option<Diagnostic> {
        let span = self.span(self.start..self.end);
        let rest = unread.rest_of_line(self.end);
        let (line, head) = unread.line(self.start);
        let next = self.text[self.end..].trim_start();
        if next.starts_with('{') {
            let diagnostic = Diagnostic::new(Code::Syntax, span, format!("{word} takes no colon"));
            return Some(diagnostic.with_help(self.opening()).with_suggestion(span, "", true));
        }
        let diagnostic = Diagnostic::new(Code::Syntax, span, Mistake::BlockWithoutBraces(word.to_owned()));
        let written = head[..self.start - line].trim();
        let blank = self.span(self.start..self.after(self.end));
        if !rest.trim().is_empty() {
            let statement = rest.trim();
            let end = self.end + rest.trim_end().len();
            return Some(
                diagnostic
                    .with_help(format!("write {written} {{ {statement} }}"))
                    .with_suggestion(blank, " { ", true)
                    .with_suggestion(self.span(end..end), " }", true),
            );
        }
        let diagnostic = diagnostic.with_help(format!("write {written} {{, and }} after its last statement"));
        let Some((end, other)) = self.indented(self.end, head) else { return Some(diagnostic) };
        let margin = &head[..head.len() - head.trim_start().len()];
        // The block after an ELSE of the same form.
        let alternative =
            other.filter(|other| self.text[other.clone()].trim().trim_end_matches(':').trim_end() == "ELSE");
        let diagnostic = diagnostic.with_suggestion(span, " {", true);
        let Some(other) = alternative else {
            return Some(diagnostic.with_suggestion(self.span(end..end), format!("\n{margin}}}"), true));
        };
        let diagnostic = diagnostic.with_suggestion(self.span(other.clone()), format!("{margin}}} ELSE {{"), true);
        Some(match self.indented(other.end, &self.text[other.clone()]) {
            Some((end, _)) => diagnostic.with_suggestion(self.span(end..end), format!("\n{margin}}}"), true),
            None => diagnostic,
        })
    }

    /// Returns the end of the lines after the line that ends at `at` which are indented more than `head`, if each is a
    /// whole statement, and the range of the line after them.
    fn indented(&self, at: usize, head: &str) -> Option<(usize, Option<Range<usize>>)> {
        let indent = |line: &str| line.len() - line.trim_start_matches([' ', '\t']).len();
        let outer = indent(head);
        let (mut start, mut last) = (at + self.text[at..].find('\n')? + 1, None);
        for line in self.text[start..].split_inclusive('\n').take(MAX_BLOCK) {
            let text = line.trim_end();
            let range = start..start + text.len();
            start += line.len();
            if text.is_empty() {
                continue;
            }
            if indent(text) <= outer {
                return last.map(|last| (last, Some(range)));
            }
            if text.ends_with([':', '{', '}']) || text.trim() == "MAP" {
                return None;
            }
            last = Some(range.end);
        }
        last.map(|last| (last, None))
    }

    /// Returns the span of the last word before the error.
    fn last_word(&self, unread: &Unread<'_>) -> Span {
        let line = self.text[..unread.before].rfind('\n').map_or(0, |newline| newline + 1);
        let start = line + self.text[line..].len() - self.text[line..].trim_start().len();
        self.span(start.min(unread.before)..unread.before)
    }

    /// Reports a DOOR of a room in the syntax of NetHack 3.4.3.
    fn old_door(&self) -> Option<Diagnostic> {
        let begun = self.begun.filter(|begun| begun.word == "DOOR")?;
        let statement = self.text[begun.offset..].lines().next().unwrap_or("");
        let written = crate::detect::door_as_script(statement)?;
        let what = expectation(&self.expected);
        let line = self.span(begun.offset..begun.offset + statement.len());
        Some(
            Diagnostic::new(
                Code::WrongDialect,
                self.span(self.start..self.end),
                format!("expected {what}, found '{}'", self.found()),
            )
            .with_label(format!("expected {what}"))
            .with_note("DOOR with four values is a room door in NetHack 3.4.3")
            .with_help(format!("write {written}"))
            .with_suggestion(line, written, true),
        )
    }

    /// Returns true if the statement can be read without the unexpected value and the comma before it.
    fn is_one_too_many(&self, begun: &StatementStart) -> bool {
        let comma = self.text[..self.before()].strip_suffix(',').filter(|read| read.len() > begun.offset);
        let at_end = self.text[self.end..].split(['\n', '\r']).next().is_some_and(|rest| rest.trim().is_empty());
        at_end
            && self.expected.len() == 1
            && comma.is_some_and(|read| read.len() - begun.offset < 400 && self.parses(&read[begun.offset..]))
    }

    /// Reports the token found and the tokens expected, with the syntax of the statement.
    fn plain(&self) -> Diagnostic {
        let found = self.found();
        let what = expectation(&self.expected);
        let shown = if found.is_empty() {
            "the end of the file".to_owned()
        } else {
            let first_line = found.lines().next().unwrap_or("");
            let mut short: String = first_line.chars().take(40).collect();
            if short.len() < found.len() {
                short.push('…');
            }
            format!("'{short}'")
        };
        let span = self.span(self.start..self.end);
        if let Some(begun) = self.begun
            && (found == "," && self.wants("MESSAGE") && !self.wants(",") || self.is_one_too_many(begun))
            && !self.text[begun.offset..self.start].contains('\n')
        {
            // The values after the comma, up to the end of the line.
            let rest = self.text[self.end..].lines().next().unwrap_or_default();
            let value = rest.trim().trim_end_matches([' ', '}']);
            let start = self.end + rest.len() - rest.trim_start().len();
            let is_value = found == "," && !value.is_empty();
            let span = if is_value { self.span(start..start + value.len()) } else { span };
            let diagnostic = Diagnostic::new(Code::Syntax, span, format!("too many values for {}", begun.word))
                .with_label("unexpected value");
            if begun.word == "LEVEL" {
                let written = self.text[begun.offset..self.start].trim_end();
                let maze = written.replacen("LEVEL", "MAZE", 1);
                return diagnostic.with_help(match value.starts_with('\'') {
                    true => format!("write {written}, or {maze}, {value} for a level with a filling"),
                    false => format!("write {written}"),
                });
            }
            return match usage(begun.word, self.catalog) {
                Some(usage) => diagnostic.with_help(format!("write {usage}")),
                None => diagnostic,
            };
        }
        let mut diagnostic =
            Diagnostic::new(Code::Syntax, span, Mistake::Expected { expected: what.clone(), found: Some(shown) })
                .with_label(format!("expected {what}"));
        if found.starts_with(|first: char| first.is_ascii_alphabetic())
            && self.wants("a function of the game")
            && let Some(help) =
                did_you_mean(found, self.catalog.core_functions.iter().map(|function| function.name.as_ref()))
        {
            return diagnostic.with_help(help.replace('"', ""));
        }
        if let Some((of, _)) = found.split_once('.')
            && self.wants("a function of the game")
        {
            let kin = self.catalog.core_functions.iter().map(|function| function.name.as_ref());
            let kin: Vec<&str> = kin.filter(|name| name.split('.').next() == Some(of)).take(8).collect();
            if !kin.is_empty() {
                let message = format!("{} has no value {found}", self.catalog.title);
                return Diagnostic::new(Code::Syntax, span, message)
                    .with_help(format!("it has {}", listed(kin, Conjunction::And)));
            }
        }
        let groups = self.expected.iter().filter_map(|name| match Want::of(name) {
            Want::Group(group) => Some(group),
            _ => None,
        });
        if let [group] = groups.collect::<Vec<_>>()[..]
            && self.catalog.words(group).count() > 2
        {
            let words = self.catalog.words(group).collect::<Vec<_>>();
            diagnostic = diagnostic.with_note(format!("valid words are {}", listed(words, Conjunction::And)));
        }
        let details: Vec<&str> = details(&what, self.catalog).collect();
        if !details.is_empty() {
            diagnostic = diagnostic.with_note(format!("details are {}", listed(details, Conjunction::And)));
        }
        let Some(begun) = self.begun else { return diagnostic };
        let same_line = !self.text[begun.offset..self.start].contains('\n');
        if !same_line && !self.wants("MESSAGE") {
            let word = self.span(begun.offset..begun.offset + begun.word.len());
            diagnostic = diagnostic.with_secondary(word, format!("while reading this {}", begun.word));
        }
        if let Some(usage) = usage(begun.word, self.catalog)
            && (same_line || !self.wants("MESSAGE"))
        {
            return diagnostic.with_help(format!("write {usage}"));
        }
        if self.wants("MESSAGE") {
            return diagnostic.with_help("begin a statement with a keyword in capitals, such as MONSTER or OBJECT");
        }
        diagnostic
    }
}

/// Summarises the expected tokens.
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
