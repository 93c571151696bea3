//! Advice on statements that a parser could not read, shared by all languages of des-files.
//!
//! A grammar knows only the unexpected token. Here the text around it is examined again for common mistakes: quotes,
//! colons and commas, lower case, words of other games and of everyday English, omissions. A front end describes the
//! statement as an [`Unread`]. Each of its methods recognises one kind of mistake and returns a diagnostic for it.
//! [`words`] maps common wrong words to the right ones, and [`usage`] has the syntax of each statement.

mod missing;
pub(crate) mod shapes;
pub(crate) mod usage;
pub(crate) mod words;

use std::ops::Range;

use splc_ir::catalog::{Catalog, Feature, Format};
use splc_ir::check::meant;
use splc_ir::diagnostic::{Code, Diagnostic, Message, Mistake, nearest};
use splc_ir::source::{FileId, Span};
use splc_ir::wording::{Conjunction, listed, unseen};

use usage::ASSIGNMENT;
use words::Want;

/// The most lines of a block that are examined.
pub(crate) const MAX_BLOCK: usize = 200;

/// Returns true if a line sets the variable `$name`.
pub(crate) fn sets(line: &str, name: &str) -> bool {
    let rest = line.trim_start().strip_prefix('$').and_then(|line| line.strip_prefix(name));
    rest.is_some_and(|rest| rest.trim_start().starts_with('='))
}

/// A statement that could not be read.
pub(crate) struct Unread<'a> {
    pub(crate) text: &'a str,
    pub(crate) file: FileId,
    pub(crate) catalog: &'a Catalog,
    /// Its keyword with its offset, or `None` if the unexpected token is at the start of a statement.
    pub(crate) statement: Option<(&'a str, usize)>,
    /// The end of the part that could be read.
    pub(crate) before: usize,
    /// The unexpected token. Empty at the end of the file.
    pub(crate) found: Range<usize>,
    /// The expected tokens.
    pub(crate) wants: &'a [Want],
    /// Returns true for the name of a function that the file defines.
    pub(crate) defines: &'a dyn Fn(&str) -> bool,
}

impl<'a> Unread<'a> {
    pub(crate) fn span(&self, range: Range<usize>) -> Span {
        Span::new(self.file, range.start, range.end)
    }

    pub(crate) fn wants(&self, want: Want) -> bool {
        self.wants.contains(&want)
    }

    pub(crate) fn found(&self) -> &'a str {
        self.text.get(self.found.clone()).unwrap_or("")
    }

    /// Returns the rest of the line after `at`, without its line end.
    pub(crate) fn rest_of_line(&self, at: usize) -> &'a str {
        let rest = self.text.get(at..).unwrap_or("");
        rest.split(['\n', '\r']).next().unwrap_or("")
    }

    /// Returns the start and the text of the line of `at`.
    pub(crate) fn line(&self, at: usize) -> (usize, &'a str) {
        let start = self.text.get(..at).and_then(|before| before.rfind(['\n', '\r'])).map_or(0, |newline| newline + 1);
        (start, self.rest_of_line(start))
    }

    /// Returns the word at `at`: letters, digits, `_`, and `-` and `.` inside it.
    pub(crate) fn word(&self, at: usize) -> &'a str {
        let rest = self.text.get(at..).unwrap_or("");
        let part = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.');
        let length = rest.bytes().take_while(|byte| part(byte)).count();
        rest[..length].trim_end_matches(['-', '.'])
    }

    /// Returns true if the unexpected token is on a later line than the part that could be read, or absent.
    pub(crate) fn is_past_line(&self) -> bool {
        self.found.is_empty()
            || self.text.get(self.before..self.found.start).is_some_and(|between| between.contains('\n'))
    }

    fn error(&self, range: Range<usize>, message: impl Into<Message>) -> Diagnostic {
        Diagnostic::new(Code::Syntax, self.span(range), message)
    }

    /// Returns the syntax of the statement, as a sentence.
    pub(crate) fn usage(&self) -> Option<String> {
        let (word, _) = self.statement?;
        usage::usage(word, self.catalog).map(|usage| format!("write {usage}"))
    }

    fn with_usage(&self, diagnostic: Diagnostic) -> Diagnostic {
        match self.usage() {
            Some(usage) if diagnostic.help.is_none() => diagnostic.with_help(usage),
            _ => diagnostic,
        }
    }

    // --- The start of a statement

    /// Reports text at `at` that does not begin a statement.
    pub(crate) fn statement_start(&self, at: usize) -> Option<Diagnostic> {
        let word = self.word(at);
        let rest = self.rest_of_line(at);
        let (line_start, line) = self.line(at);
        if let Some(mark) = ["//", "/*", ";", "--"].into_iter().find(|mark| rest.starts_with(mark))
            && line[..at - line_start].trim().is_empty()
            && !line.bytes().all(|byte| self.is_map_character(byte))
        {
            let diagnostic = self
                .error(at..at + rest.trim_end().len(), "a comment must begin with `#`")
                .with_help(format!("write `#` instead of `{mark}`"));
            let corrected = rest.trim_end().trim_start_matches(mark).trim_end_matches("*/").trim_end();
            return Some(match mark == "/*" && !rest.contains("*/") {
                true => diagnostic.with_help("write `#` at the beginning of each line of the comment"),
                false => diagnostic.with_suggestion(
                    self.span(line_start..line_start + line.trim_end().len()),
                    format!("#{corrected}"),
                    true,
                ),
            });
        }
        if line.trim_end().len() >= 2
            && !line.starts_with(|first: char| first.is_ascii_alphabetic())
            && line.bytes().all(|byte| self.is_map_character(byte))
        {
            return Some(
                Diagnostic::new(
                    Code::MapText,
                    self.span(line_start..line_start + line.len()),
                    "a map row without MAP before it",
                )
                .with_help("begin the map with MAP alone on its line, in the first column"),
            );
        }
        if !word.starts_with(|first: char| first.is_ascii_alphabetic()) {
            return self.sign_before_statement(at, rest);
        }
        self.map_word(at, word).or_else(|| self.statement_word(at, word))
    }

    /// Reports signs before a statement: bullets and numbers of a list, and a `$` without the name of a variable.
    fn sign_before_statement(&self, at: usize, rest: &str) -> Option<Diagnostic> {
        if let Some(name) = rest.strip_prefix('$') {
            let diagnostic = self.error(at..at + 1, "expected a variable name after `$`");
            let word = name.trim_start();
            let blanks = name.len() - word.len();
            let is_name = blanks > 0 && word.starts_with(|first: char| first.is_ascii_alphabetic());
            return Some(match is_name {
                true => diagnostic.with_help("remove the space after the `$`").with_suggestion(
                    self.span(at + 1..at + 1 + blanks),
                    "",
                    true,
                ),
                false => diagnostic.with_help("start the name with a letter, as in $place = (1,2)"),
            });
        }
        if let Some(bracket) = rest.chars().next().filter(|first| matches!(first, ')' | ']')) {
            // A block in other brackets: `FOR $i = 1 TO 3 [`.
            let open = if bracket == ')' { '(' } else { '[' };
            let mut before = self.text[..at].rsplit('\n').skip(1).take(MAX_BLOCK);
            if rest.trim_end().len() == 1 && before.any(|line| line.trim_end().ends_with(open)) {
                return Some(
                    self.error(at..at + 1, "a block must end with `}`").with_help("write `}`").with_suggestion(
                        self.span(at..at + 1),
                        "}",
                        true,
                    ),
                );
            }
            return Some(
                self.error(at..at + 1, format!("this `{bracket}` has no opening bracket"))
                    .with_help("remove it")
                    .with_suggestion(self.span(at..at + 1), "", true),
            );
        }
        let name = rest.strip_prefix(['%', '@', '&', '!']).map(|_| self.word(at + 1).len());
        if let Some(length) = name.filter(|&length| length > 0)
            && rest[1 + length..].trim_start().starts_with('=')
            && self.catalog.format == Format::Opcodes
        {
            return Some(
                self.error(at..at + 1 + length, "variable names begin with `$`")
                    .with_help(format!("write ${}", &rest[1..1 + length]))
                    .with_suggestion(self.span(at..at + 1), "$", true),
            );
        }
        let mark =
            rest.len() - rest.trim_start_matches(|sign: char| sign.is_ascii_digit() || "-*+.) \t".contains(sign)).len();
        let word = self.word(at + mark);
        if mark == 0 || usage::usage(word, self.catalog).is_none() {
            return None;
        }
        Some(
            self.error(at..at + rest[..mark].trim_end().len(), format!("unexpected text before {word}"))
                .with_help("remove it: a statement begins with its keyword")
                .with_suggestion(self.span(at..at + mark), "", true),
        )
    }

    fn is_map_character(&self, byte: u8) -> bool {
        byte.is_ascii_digit() || self.catalog.map_characters.as_bytes().contains(&byte)
    }

    /// Reports a MAP or ENDMAP that is not read as such.
    fn map_word(&self, at: usize, word: &str) -> Option<Diagnostic> {
        let spoken = word.to_ascii_uppercase();
        let span = at..at + word.len();
        match spoken.as_str() {
            "MAP" if self.line(at).0 != at || word != "MAP" => Some(self.map_not_alone(at, word)),
            "MAP" => Some(self.late_geometry(at).unwrap_or_else(|| {
                Diagnostic::new(Code::Placement, self.span(span), "MAP without GEOMETRY before it")
                    .with_help("write the position first, e.g. `GEOMETRY: center, center`")
            })),
            "ENDMAP" => Some(
                Diagnostic::new(Code::MapText, self.span(span), "ENDMAP without a MAP")
                    .with_help("remove it, or write MAP alone on its line, in the first column, above the rows"),
            ),
            _ => None,
        }
    }

    /// Returns the lines after that of `at`, with their starts.
    fn lines_after(&self, at: usize) -> impl Iterator<Item = (usize, &'a str)> {
        let first = at + self.rest_of_line(at).len();
        let text = self.text.get(first..).unwrap_or("");
        let starts = text.match_indices('\n').map(move |(newline, _)| first + newline + 1);
        starts.take(MAX_BLOCK).map(|start| (start, self.rest_of_line(start)))
    }

    /// Reports a MAP at `at` that does not begin a map: it must be alone on its line, in capitals, from the first
    /// column.
    pub(crate) fn map_not_alone(&self, at: usize, word: &str) -> Diagnostic {
        let (line_start, line) = self.line(at);
        let end = at + word.len();
        let (ahead, after) = (&line[..at - line_start], &line[end - line_start..]);
        let error =
            |range: Range<usize>, message: &str| Diagnostic::new(Code::MapText, self.span(range), message.to_owned());
        let blanks = self.span(end..end + after.len());
        if !ahead.is_empty() && ahead.trim().is_empty() {
            let below: Vec<(usize, &str)> = self.lines_after(at).collect();
            let last = below.iter().position(|(_, row)| row.trim() == "ENDMAP");
            let map = &below[..last.map_or(0, |last| last + 1)];
            let is_indented = |(_, row): &(usize, &str)| row.starts_with(ahead) || row.trim().is_empty();
            // The rows are indented if ENDMAP is. Otherwise, their blanks are part of the map.
            let all = map.last().is_some_and(is_indented) && map.iter().all(is_indented);
            let rows = if all { map } else { &[] };
            let help = match all {
                true => "remove the blanks before MAP, its rows and ENDMAP",
                false => "remove the blanks before it",
            };
            let diagnostic = error(line_start..end, "MAP must begin in the first column").with_help(help);
            let certain = word == "MAP" && after.is_empty() && (all || !map.last().is_some_and(is_indented));
            return std::iter::once((line_start, line)).chain(rows.iter().copied()).fold(
                diagnostic,
                |diagnostic, (start, row)| {
                    let length = if row.starts_with(ahead) { ahead.len() } else { row.len() };
                    diagnostic.with_suggestion(self.span(start..start + length), "", certain)
                },
            );
        }
        if !ahead.is_empty() {
            let glue = line_start + ahead.trim_end().len();
            return error(at..end, "MAP must be on a line of its own")
                .with_help("begin a new line before it")
                .with_suggestion(self.span(glue..at), "\n", word == "MAP" && after.is_empty());
        }
        if word != "MAP" {
            return error(at..end, &format!("`{word}` does not begin a map: keywords are in capitals"))
                .with_help("write MAP")
                .with_suggestion(self.span(at..end), "MAP", true);
        }
        let text = after.trim();
        if text.is_empty() && !after.is_empty() {
            return Diagnostic::new(Code::MapText, blanks, "MAP must be alone on its line, without blanks after it")
                .with_label(if after.len() == 1 { "a blank" } else { "blanks" })
                .with_help("remove the blanks")
                .with_suggestion(blanks, "", true);
        }
        if text == ":" {
            return error(at..end + after.trim_end().len(), "MAP takes no colon")
                .with_help("write MAP alone")
                .with_suggestion(blanks, "", true);
        }
        let start = end + after.len() - after.trim_start().len();
        let other = start..start + text.len();
        if text.starts_with('#') {
            return error(other, "MAP must be alone on its line")
                .with_help("move the comment to its own line, before MAP")
                .with_suggestion(self.span(at..at), format!("{text}\n"), true)
                .with_suggestion(blanks, "", true);
        }
        if !text.is_empty() {
            let row = text.bytes().all(|byte| self.is_map_character(byte));
            return error(other, "MAP must be alone on its line")
                .with_help("begin the first row of the map on the next line")
                .with_suggestion(self.span(end..start), "\n", row);
        }
        error(at..end, "this MAP does not begin a map")
            .with_help("MAP must be alone on its line, in capitals, starting in the first column")
    }

    /// Reports a MAP at `at` whose GEOMETRY follows its ENDMAP.
    fn late_geometry(&self, at: usize) -> Option<Diagnostic> {
        let is_code = |(_, line): &(usize, &str)| !line.trim().is_empty() && !line.starts_with('#');
        let mut lines = self.lines_after(at).skip_while(|(_, line)| line.trim() != "ENDMAP").skip(1).filter(is_code);
        let (start, line) = lines.next()?;
        let geometry = line.trim_end();
        let own = lines.next().is_some_and(|(_, line)| line.trim() == "MAP");
        if !geometry.starts_with("GEOMETRY") || !geometry.contains(':') || own {
            return None;
        }
        let word = start..start + "GEOMETRY".len();
        let end = start + line.len();
        let end = end + self.text[end..].len() - self.text[end..].trim_start_matches('\r').len();
        let end = end + usize::from(self.text[end..].starts_with('\n'));
        Some(
            Diagnostic::new(Code::Placement, self.span(word), Mistake::LateGeometry)
                .with_secondary(self.span(at..at + "MAP".len()), "its map begins here")
                .with_help("move it before the MAP")
                .with_suggestion(self.span(at..at), format!("{geometry}\n"), true)
                .with_suggestion(self.span(start..end), "", true),
        )
    }

    /// Returns the message about a character in a map that the game does not have.
    pub(crate) fn not_in_map(character: char) -> String {
        match character {
            '\t' => "a tab is not a map character".to_owned(),
            _ => match unseen(character) {
                Some(name) => format!("{name} is not a map character"),
                None => format!("`{character}` is not a map character"),
            },
        }
    }

    /// Returns advice on a character in a map that the game does not have. `before` is the text before it in its row,
    /// `row` is the index of the row, and `after` is the text after it.
    pub(crate) fn drawn(character: char, before: &str, row: usize, after: &str, catalog: &Catalog) -> Option<String> {
        let capital = character.to_ascii_uppercase();
        let place = format!("({},{row})", before.chars().filter(|letter| !letter.is_ascii_digit()).count());
        let statement = match character {
            _ if before.contains('#') && before.trim_end().ends_with('#') || before.contains(" # ") => {
                return Some("move a comment to its own line, before MAP or after ENDMAP".to_owned());
            }
            _ if capital != character && catalog.map_characters.contains(capital) => {
                return Some(format!("write it as a capital: `{capital}`"));
            }
            '\t' => return Some("write the spaces that it was meant as".to_owned()),
            _ if unseen(character).is_some() => return Some("delete it".to_owned()),
            '\u{2010}'..='\u{2015}' | '\u{2212}' => return Some("write `-`: it is another dash".to_owned()),
            '\u{2500}'..='\u{257f}' => return Some("draw walls with `-` and `|`".to_owned()),
            '"' | '\'' => return Some("remove the quotes: map rows are not quoted".to_owned()),
            '<' => format!("STAIR:{place},up"),
            '>' => format!("STAIR:{place},down"),
            '^' => format!("a TRAP at {place}"),
            '_' => format!("an ALTAR at {place}"),
            '@' | 'a'..='z' | '&' | ';' | '~' => format!("a MONSTER at {place}"),
            '!' | '?' | ')' | '(' | '[' | '=' | '*' | '/' | '%' | '$' | '`' => {
                format!("an OBJECT at {place}")
            }
            _ => return None,
        };
        let is_written = |line: &str| {
            let mut signs = line.chars().filter(|sign| *sign != ' ');
            statement.chars().all(|sign| signs.next() == Some(sign))
        };
        let draw = "draw `.` there, since a map contains only terrain";
        Some(match after.lines().take(MAX_BLOCK).any(is_written) {
            true => format!("{draw}: {statement} is written below"),
            false => format!("{draw}, and write {statement} after ENDMAP"),
        })
    }

    /// Reports a line that was likely meant as ENDMAP.
    pub(crate) fn end_of_map(file: FileId, start: usize, line: &str) -> Option<Diagnostic> {
        let written = line.trim();
        let letters: String = written.chars().filter(|letter| letter.is_ascii_alphabetic()).collect();
        let upper = letters.to_ascii_uppercase();
        let is_near = upper == "END" || upper.len() >= 5 && !nearest(&upper, ["ENDMAP"]).is_empty();
        if letters.len() + 1 < written.len() || !is_near {
            return None;
        }
        let start = start + line.len() - line.trim_start().len();
        let span = Span::new(file, start, start + written.len());
        Some(
            Diagnostic::new(Code::MapText, span, format!("`{written}` does not end the map"))
                .with_help("close the map with ENDMAP alone on its line, in capitals")
                .with_suggestion(span, "ENDMAP", true),
        )
    }

    /// Reports a word that does not begin a statement of the game.
    fn statement_word(&self, at: usize, word: &str) -> Option<Diagnostic> {
        let span = at..at + word.len();
        let known = |word: &str| usage::usage(word, self.catalog).is_some();
        let statements = || usage::words(self.catalog);
        let spoken = word.to_ascii_uppercase();
        let after = self.text.get(span.end..).unwrap_or("").trim_start_matches([' ', '\t']);
        let is_script = self.catalog.format == Format::Opcodes;
        if known(word) {
            let rest = self.rest_of_line(span.end);
            let mark = rest.len() - rest.trim_start().trim_start_matches(['.', '-', '>', '=']).len();
            let sign = rest[..mark].trim();
            if !matches!(sign, "." | "->" | "=>" | "-") {
                return None;
            }
            let wrong = span.end..span.end + mark;
            return Some(
                self.error(wrong.clone(), format!("expected `:`, found `{sign}`"))
                    .with_help(format!("write a colon after the keyword: `{word}:`"))
                    .with_suggestion(self.span(wrong), ":", true),
            );
        }
        if is_script
            && word == "if"
            && let Some(rest) = after.strip_prefix("percent(")
            && let Some((chance, rest)) = rest.split_once(')')
            && !chance.contains('\n')
        {
            let then = rest.trim_start_matches([' ', '\t']);
            let end = self.text.len() - then.strip_prefix("then").unwrap_or(then).len();
            return Some(
                self.error(at..end, "this is an `if` of NetHack 5 Lua")
                    .with_help(format!("write IF [{chance}%] {{ statements }}")),
            );
        }
        if word.starts_with("des.") || word == "local" || after.starts_with("= des.") {
            let form = word.strip_prefix("des.").map(|name| name.to_ascii_uppercase());
            let form = form.as_deref().and_then(|name| usage::usage(name, self.catalog));
            let diagnostic = Diagnostic::new(Code::WrongDialect, self.span(span), "this is NetHack 5 Lua");
            return Some(diagnostic.with_help(match form {
                Some(form) => format!("in {}, write {form}", self.catalog.title),
                None => format!("{} reads des-files, whose statements are keywords in capitals", self.catalog.title),
            }));
        }
        if is_script
            && spoken == "FOR"
            && let Some(head) = shapes::for_head(self.rest_of_line(at + word.len()))
        {
            let end = at + self.rest_of_line(at).trim_end().len();
            return Some(
                self.error(at..end, "a FOR is written with TO, from the first number to the last")
                    .with_help(format!("write {head} {{ statements }}")),
            );
        }
        if known(&spoken) {
            return Some(
                self.error(span.clone(), format!("`{word}` is not a statement: keywords are in capitals"))
                    .with_help(format!("write {spoken}"))
                    .with_suggestion(self.span(span), spoken, true),
            );
        }
        // A keyword split by a blank, or with another separator.
        let bare = |word: &str| word.replace(['_', '-', ' '], "").to_ascii_uppercase();
        let next = self.word(self.text.len() - after.len());
        for written in [format!("{word} {next}"), word.to_owned()] {
            let wanted = bare(&written);
            if written.ends_with(' ') || self.rest_of_line(at).get(..written.len()) != Some(written.as_str()) {
                continue;
            }
            if let Some(right) = statements().find(|known| bare(known) == wanted) {
                let span = at..at + written.len();
                return Some(
                    self.error(span.clone(), Mistake::UnknownStatement(written.to_owned()))
                        .with_help(format!("write {right}"))
                        .with_suggestion(self.span(span), right, true),
                );
            }
        }
        if is_script && after.starts_with('=') && !after.starts_with("==") {
            return Some(
                self.error(span.clone(), format!("`{word}` is not a variable: variable names begin with `$`"))
                    .with_help(format!("write ${word}"))
                    .with_suggestion(self.span(span), format!("${word}"), true),
            );
        }
        // `SELECTION: $s = ...`
        let name = after.strip_prefix(':').map(str::trim_start).filter(|after| is_script && after.starts_with('$'));
        if let Some(name) = name
            && let Some((variable, value)) = name.split('\n').next().unwrap_or("").split_once('=')
            && let Some(of) =
                [spoken.to_ascii_lowercase(), spoken.clone()].iter().find(|of| self.catalog.is_keyword(of))
        {
            let end = at + self.rest_of_line(at).trim_end().len();
            let right = format!("{} = {of}: {}", variable.trim_end(), value.trim());
            return Some(
                self.error(span, "the type of a variable is written after the `=`")
                    .with_help(format!("write {right}"))
                    .with_suggestion(self.span(at..end), right, true),
            );
        }
        if let Some(diagnostic) = self.else_if(at) {
            return Some(diagnostic);
        }
        if word == "REM" || word == "rem" {
            return Some(
                self.error(span.clone(), "a comment must begin with `#`")
                    .with_help(format!("write `#` instead of `{word}`"))
                    .with_suggestion(self.span(span), "#", true),
            );
        }
        if is_script && !after.starts_with('(') && self.calls() && (self.defines)(word) {
            return Some(
                self.error(span.clone(), format!("the call of `{word}` has no parentheses"))
                    .with_help(format!("write {word}()"))
                    .with_suggestion(self.span(span.end..span.end), "()", true),
            );
        }
        if is_script && let Some(diagnostic) = self.registers(at, word) {
            return Some(diagnostic);
        }
        if is_script
            && matches!(spoken.as_str(), "LET" | "VAR" | "SET" | "INT" | "CONST" | "AUTO")
            && after.starts_with('$')
        {
            let blanks = self.text.len() - after.len();
            return Some(
                self.error(span.clone(), Mistake::UnknownStatement(word.to_owned()))
                    .with_help("set a variable without a keyword: $variable = value")
                    .with_suggestion(self.span(at..blanks), "", true),
            );
        }
        if is_script && matches!(spoken.as_str(), "CALL" | "INVOKE" | "RUN") && !next.is_empty() {
            let blanks = self.text.len() - after.len();
            return Some(
                self.error(span.clone(), Mistake::UnknownStatement(word.to_owned()))
                    .with_help(format!("call a function by its name alone: {next}()"))
                    .with_suggestion(self.span(at..blanks), "", true),
            );
        }
        // `FEATURE: "throne", (3,2)`
        let named = match spoken.as_str() {
            "FEATURE" => self.rest_of_line(at).split('"').nth(1).unwrap_or("fountain"),
            _ => word,
        };
        if named != word
            && let Some(form) = usage::usage(&named.to_ascii_uppercase(), self.catalog)
        {
            return Some(
                self.error(span, Mistake::UnknownStatement(word.to_owned())).with_help(format!("write {form}")),
            );
        }
        if let Some(drawn) = meant::terrain(self.catalog, named) {
            let help = match is_script {
                true => format!("draw it in the map as `{drawn}`, or write TERRAIN: place, '{drawn}'"),
                false => format!("draw it in the map as `{drawn}`"),
            };
            return Some(self.error(span, Mistake::UnknownStatement(word.to_owned())).with_help(help));
        }
        if let Some((meant, why)) = words::statement(&spoken).filter(|(meant, _)| meant.is_empty() || known(meant)) {
            let diagnostic = self.error(span.clone(), Mistake::UnknownStatement(word.to_owned()));
            let ends = spoken.starts_with("END") || matches!(spoken.as_str(), "FI" | "DONE");
            let is_open = || {
                // Maps contain braces as well.
                let count = |part: fn(&str) -> bool| self.text[..at].lines().filter(|line| part(line.trim())).count();
                let opens = |line: &str| line.ends_with('{') || line.to_ascii_uppercase().ends_with(" THEN");
                is_script && count(opens) > count(|line| line.starts_with('}'))
            };
            return Some(if meant.is_empty() && ends && is_open() {
                self.error(span.clone(), "a block must end with `}`").with_help("write `}`").with_suggestion(
                    self.span(span),
                    "}",
                    true,
                )
            } else if !why.is_empty() {
                diagnostic.with_help(why)
            } else {
                let form = usage::usage(meant, self.catalog).unwrap_or(meant);
                diagnostic.with_help(format!("write {form}")).with_suggestion(self.span(span), meant, false)
            });
        }
        // In the other games, CHANCE is a word of the compiler that no statement begins with.
        let dialects = match word {
            "CHANCE" => vec!["NetHack 3.4.3"],
            _ => words::dialects_with(word, self.catalog),
        };
        if spoken == "LEVALIGN" || spoken == "LEVALLIGN" || spoken == "DUNGEON" {
            let help = "move it to the game's dungeon.def: a des-file has only levels";
            return Some(self.error(span, Mistake::UnknownStatement(word.to_owned())).with_help(help));
        }
        if word == "CHANCE"
            && let Some(advice) = self.chance_of_room(&span)
        {
            return Some(advice);
        }
        if word.len() > 1 && !dialects.is_empty() && word == spoken {
            let whose = listed(&dialects, Conjunction::And);
            let help = match word {
                "CHANCE" => {
                    let number = after.trim_start_matches([':', ' ', '\t']);
                    let digits = number.bytes().take_while(u8::is_ascii_digit).count();
                    let number = if digits == 0 { "50" } else { &number[..digits] };
                    format!("write the chance after the type of the room: ROOM: \"shop\" [{number}%], ...")
                }
                _ => "use the `--dialect` of that game, or write the level without it".to_owned(),
            };
            return Some(
                Diagnostic::new(
                    Code::WrongDialect,
                    self.span(span),
                    format!("{} does not have {word}", self.catalog.title),
                )
                .with_label(format!("only in {whose}"))
                .with_help(help),
            );
        }
        if is_script && !self.calls() && after.starts_with('(') && self.text.contains(&format!("FUNCTION {word}")) {
            let message = format!("a call of {word}, a FUNCTION, which {} does not have", self.catalog.title);
            return Some(
                Diagnostic::new(Code::WrongDialect, self.span(span), message)
                    .with_help("write the statements of the function here"),
            );
        }
        let is_call = after.starts_with('(') && word.bytes().any(|letter| letter.is_ascii_lowercase());
        if is_script && is_call {
            return Some(
                self.error(span, Mistake::UnknownStatement(word.to_owned()))
                    .with_help("write a call of a function in a level, after its LEVEL"),
            );
        }
        let near: Vec<&str> = nearest(word, statements());
        let longer: Vec<&str> = statements().filter(|known| word.len() > 2 && known.starts_with(&spoken)).collect();
        let diagnostic = self.error(span.clone(), Mistake::UnknownStatement(word.to_owned()));
        Some(match (near.as_slice(), longer.as_slice()) {
            ([only], _) | ([], [only]) => {
                let certain = near.len() == 1 && only.len().abs_diff(word.len()) <= 1;
                diagnostic.with_help(format!("did you mean \"{only}\"?")).with_suggestion(
                    self.span(span),
                    *only,
                    certain,
                )
            }
            ([_, ..], _) => {
                let near = listed(near.iter().map(|near| format!("\"{near}\"")), Conjunction::Or);
                diagnostic.with_help(format!("did you mean {near}?"))
            }
            _ if is_script && (after.starts_with(['\n', '\r', '}']) || after.is_empty()) && self.calls() => self
                .error(span.clone(), format!("`{word}` is not a statement"))
                .with_help(format!("call a function with parentheses: {word}()"))
                .with_suggestion(self.span(span.end..span.end), "()", false),
            _ if word == spoken && word.len() > 1 => diagnostic
                .with_help("use a statement such as MONSTER, OBJECT, TRAP, DOOR, REGION, STAIR, ALTAR or FOUNTAIN"),
            _ => diagnostic.with_help("begin a statement with a keyword in capitals, such as MONSTER or OBJECT"),
        })
    }

    /// Reports a CHANCE after the ROOM or SUBROOM to which it belongs.
    fn chance_of_room(&self, found: &Range<usize>) -> Option<Diagnostic> {
        let (line_start, line) = self.line(found.start);
        let number = self.text[found.end..line_start + line.len()].trim_start_matches([':', ' ', '\t']).trim_end();
        let before = self.text[..line_start].trim_end();
        let (start, room) = self.line(before.len());
        let word = room.trim_start().split(':').next()?;
        let kind = room.split(',').next()?;
        let number = number.strip_suffix('%').unwrap_or(number);
        if !matches!(word.trim_end(), "ROOM" | "SUBROOM") || !number.bytes().all(|digit| digit.is_ascii_digit()) {
            return None;
        }
        let right = format!("{} [{number}%]{}", kind, &room[kind.len()..]);
        let message = format!("{} does not have CHANCE", self.catalog.title);
        let replaced = self.span(start..line_start + line.len());
        Some(
            Diagnostic::new(Code::WrongDialect, self.span(found.clone()), message)
                .with_label("only in NetHack 3.4.3")
                .with_help(format!("write the chance after the type of the room: {}", right.trim()))
                .with_suggestion(replaced, right, true),
        )
    }

    fn calls(&self) -> bool {
        self.catalog.has(Feature::Functions)
    }

    /// Reports an ELSEIF at `at`.
    pub(crate) fn else_if(&self, at: usize) -> Option<Diagnostic> {
        let word = self.word(at);
        let is_one = matches!(word.to_ascii_uppercase().as_str(), "ELSEIF" | "ELSIF" | "ELIF" | "ELSE_IF");
        let diagnostic = (is_one && self.catalog.format == Format::Opcodes)
            .then(|| self.error(at..at + word.len(), Mistake::UnknownStatement(word.to_owned())))?;
        let alone = self.rest_of_line(at + word.len()).trim_start().starts_with('{');
        Some(match alone {
            true => diagnostic.with_help("write ELSE").with_suggestion(self.span(at..at + word.len()), "ELSE", true),
            false => {
                let condition = self.rest_of_line(at + word.len()).trim_start();
                let end = condition.find(']').filter(|_| condition.starts_with('['));
                let condition = end.map_or("[50%]", |end| &condition[..=end]);
                diagnostic.with_help(format!(
                    "put the second IF in the block of the ELSE: ELSE {{ IF {condition} {{ statements }} }}"
                ))
            }
        })
    }

    /// Reports RANDOM_PLACES and similar statements of NetHack 3.4.3, which are arrays in scripts.
    fn registers(&self, at: usize, word: &str) -> Option<Diagnostic> {
        let (name, of) = match word {
            "RANDOM_PLACES" => ("place", ""),
            "RANDOM_MONSTERS" => ("monster", "monster: "),
            "RANDOM_OBJECTS" => ("object", "object: "),
            _ => return None,
        };
        if !of.is_empty() && !self.catalog.is_keyword(name) {
            let message = format!("{} does not have {word}", self.catalog.title);
            return Some(
                Diagnostic::new(Code::WrongDialect, self.span(at..at + word.len()), message)
                    .with_label("only in NetHack 3.4.3")
                    .with_help("choose with a SWITCH: SWITCH [1d2] { CASE 1: ... BREAK CASE 2: ... }"),
            );
        }
        let rest = self.rest_of_line(at + word.len());
        let diagnostic = Diagnostic::new(
            Code::WrongDialect,
            self.span(at..at + word.len()),
            format!("{} does not have {word}", self.catalog.title),
        )
        .with_label("only in NetHack 3.4.3");
        if self.lines_after(at).any(|(_, line)| sets(line, name)) {
            let end = at + word.len() + rest.len();
            let end = end + self.text[end..].len().min(1);
            return Some(diagnostic.with_help(format!("remove it: `${name}` is set below")).with_suggestion(
                self.span(at..end),
                "",
                false,
            ));
        }
        let diagnostic = diagnostic
            .with_help(format!("shuffle an array: `${name} = {of}{{ ... }}`, `SHUFFLE: ${name}`, then `${name}[0]`"));
        let Some(values) = rest.trim_start().strip_prefix(':').map(str::trim).filter(|values| !values.is_empty())
        else {
            return Some(diagnostic);
        };
        let end = at + word.len() + rest.trim_end().len();
        let corrected = format!("${name} = {of}{{ {values} }}\nSHUFFLE: ${name}");
        Some(diagnostic.with_suggestion(self.span(at..end), corrected, true))
    }

    // --- Inside a statement

    /// Reports curly quotes, as written by word processors.
    pub(crate) fn curly_quotes(&self) -> Option<Diagnostic> {
        if let Some(diagnostic) = self.wide_sign() {
            return Some(diagnostic);
        }
        let curly = ['“', '”', '„', '«', '»', '‘', '’', '‚', '`'];
        let straight = |quote: char| if matches!(quote, '‘' | '’' | '‚' | '`') { "'" } else { "\"" };
        let first = self.found().chars().next().filter(|first| curly.contains(first))?;
        let at = self.found.start;
        // The class of boulders and statues.
        if first == '`' && self.rest_of_line(at)[1..].trim_start().starts_with([',', ')']) {
            let span = self.span(at..at + 1);
            return Some(
                Diagnostic::new(Code::Syntax, span, "a class must be in single quotes")
                    .with_help("write '`'")
                    .with_suggestion(span, "'`'", true),
            );
        }
        let all: Vec<(usize, char)> =
            self.rest_of_line(at).char_indices().filter(|(_, quote)| curly.contains(quote)).collect();
        let mut kinds: Vec<String> = Vec::new();
        for quote in all.iter().map(|(_, quote)| quote.to_string()) {
            if !kinds.contains(&quote) {
                kinds.push(quote);
            }
        }
        let message = match kinds.len() {
            1 => format!("{first} is not a valid quote in a des-file"),
            _ => format!("{} are not valid quotes in a des-file", listed(kinds, Conjunction::And)),
        };
        let diagnostic = Diagnostic::new(Code::Lexical, self.span(at..at + first.len_utf8()), message)
            .with_help("use straight quotes: \" around strings, ' around characters");
        Some(all.into_iter().fold(diagnostic, |diagnostic, (offset, quote)| {
            let span = self.span(at + offset..at + offset + quote.len_utf8());
            diagnostic.with_suggestion(span, straight(quote), true)
        }))
    }

    /// Reports full-width signs, `，`, blanks that only look like spaces, and characters without a shape, with a
    /// correction of all on the line.
    fn wide_sign(&self) -> Option<Diagnostic> {
        let plain = |sign: char| match sign {
            '\u{ff01}'..='\u{ff5e}' => char::from_u32(u32::from(sign) - 0xff01 + u32::from('!')).map(String::from),
            '\u{a0}' | '\u{2000}'..='\u{200a}' | '\u{202f}' | '\u{3000}' => Some(" ".to_owned()),
            _ => unseen(sign).map(|_| String::new()),
        };
        let wide = self.found().chars().next()?;
        let (message, help) = match plain(wide)?.as_str() {
            "" => (format!("there is {}", unseen(wide).unwrap_or_default()), "delete it".to_owned()),
            " " => ("this blank is not an ordinary space".to_owned(), "write a space".to_owned()),
            right => (format!("expected `{right}`, found `{wide}`"), format!("write `{right}`")),
        };
        let at = self.found.start;
        let span = self.span(at..at + wide.len_utf8());
        let diagnostic = Diagnostic::new(Code::Lexical, span, message).with_help(help);
        let (mut quote, mut edits) = (None, Vec::new());
        for (offset, sign) in self.rest_of_line(at).char_indices() {
            match quote {
                Some(open) if open == sign => quote = None,
                None if matches!(sign, '"' | '\'') => quote = Some(sign),
                None => edits.extend(plain(sign).map(|right| (at + offset..at + offset + sign.len_utf8(), right))),
                Some(_) => {}
            }
        }
        Some(
            edits.into_iter().fold(diagnostic, |diagnostic, (range, right)| {
                diagnostic.with_suggestion(self.span(range), right, true)
            }),
        )
    }

    /// Reports characters written as in HTML: `'&amp;'`, `&quot;web&quot;`.
    pub(crate) fn html(&self) -> Option<Diagnostic> {
        let rest = self.rest_of_line(self.found.start);
        let quote = usize::from(rest.starts_with('\''));
        entity(rest.get(quote..)?)?;
        Unread::entities(self.file, self.found.start + quote, rest.get(quote..)?)
    }

    /// Reports the characters in `rest`, the text at `start`, that are written as in HTML.
    pub(crate) fn entities(file: FileId, start: usize, rest: &str) -> Option<Diagnostic> {
        let all = rest.match_indices('&').filter_map(|(at, _)| Some((at, entity(&rest[at..])?)));
        let mut all =
            all.map(|(at, (written, right))| (Span::new(file, start + at, start + at + written.len()), right));
        let (span, right) = all.next()?;
        let written = &rest[span.start as usize - start..span.end as usize - start];
        let diagnostic = Diagnostic::new(Code::Lexical, span, format!("`{written}` is HTML"))
            .with_help(format!("write `{right}`"))
            .with_suggestion(span, right, true);
        Some(all.fold(diagnostic, |diagnostic, (span, right)| diagnostic.with_suggestion(span, right, true)))
    }

    /// Reports what a template or a program left in the text in place of a value: `{w}`, `{{ w }}`, `%(w)s`, `<w>`.
    pub(crate) fn placeholder(&self) -> Option<Diagnostic> {
        let at = self.found.start;
        let rest = self.rest_of_line(at);
        let (line_start, line) = self.line(at);
        let ahead = line.get(..at - line_start)?.trim_end();
        let inner = placeholder(rest)?;
        let is_value = ahead.ends_with(['(', ',', ':', '[', '=', '"']) && !self.is_past_line();
        let variable = rest.starts_with('$').then(|| format!("${inner}"));
        // `${name}`
        if !is_value || variable.is_some_and(|variable| self.text.contains(&variable)) {
            return None;
        }
        let length = rest.len() - rest.split_once(inner).map_or("", |(_, rest)| rest).len();
        let close = rest[length..].find(|sign: char| !"}>) ".contains(sign)).unwrap_or(rest.len() - length);
        let close = match rest.as_bytes() {
            [b'%', b'(', ..] => 2,
            _ => rest[length..][..close].rfind(['}', '>']).map_or(0, |last| last + 1),
        };
        let written = rest.get(..length + close).unwrap_or(rest);
        Some(
            self.error(at..at + written.len(), format!("the placeholder `{written}` is not filled in"))
                .with_help("write its value here"),
        )
    }

    /// Reports a line end that is written as in a string of a program: `FOUNTAIN:(1,1)\nSINK:(2,2)`.
    pub(crate) fn escaped_line_end(&self) -> Option<Diagnostic> {
        let at = self.found.start;
        let rest = self.rest_of_line(at).strip_prefix("\\r").unwrap_or(self.rest_of_line(at));
        let after = rest.strip_prefix("\\n")?.trim_start();
        let begins =
            after.is_empty() || after.starts_with(|first: char| "[$}#\\".contains(first) || first.is_uppercase());
        if !begins || self.is_past_line() {
            return None;
        }
        let (mut quoted, mut ends) = (false, Vec::new());
        let line = self.rest_of_line(at);
        for (offset, sign) in line.char_indices() {
            quoted ^= sign == '"';
            if !quoted && line[offset..].starts_with("\\n") {
                let carriage = if line[..offset].ends_with("\\r") { 2 } else { 0 };
                ends.push((at + offset - carriage..at + offset + 2, offset + 2 == line.trim_end().len()));
            }
        }
        let first = ends.first()?.0.clone();
        let diagnostic = self
            .error(first.clone(), format!("`{}` is not a line end in a des-file", &self.text[first]))
            .with_help("begin a new line here");
        Some(ends.into_iter().fold(diagnostic, |diagnostic, (range, is_last)| {
            diagnostic.with_suggestion(self.span(range), if is_last { "" } else { "\n" }, true)
        }))
    }

    /// Reports a place or a region with words or fractions: `(x,y)`, `(1.0,2)`.
    pub(crate) fn place_of_words(&self) -> Option<Diagnostic> {
        let (word, from) = self.statement?;
        let (line_start, line) = self.line(self.found.start);
        let offset = self.found.start - line_start;
        let open = line.get(..offset)?.rfind('(')?;
        let close = open + line[open..].find(')')? + 1;
        let ahead = self.text.get(from + word.len()..line_start + open)?.trim_end();
        let is_second = ahead.ends_with(',');
        if offset >= close || !(is_second || ahead.ends_with(':') && !shapes::has_species(word)) {
            return None;
        }
        let parts: Vec<&str> = line[open + 1..close - 1].split(',').map(str::trim).collect();
        // `nan` is a number as well.
        let number = |part: &&str| part.parse::<f64>().ok().filter(|number| number.is_finite());
        let numbers: Vec<f64> = parts.iter().filter_map(number).collect();
        let plain = |letter: char| letter.is_ascii_alphanumeric() || "_.".contains(letter);
        let is_value = |part: &&str| !part.is_empty() && part.chars().all(plain) && !self.catalog.is_keyword(part);
        let what = match parts.len() {
            2 => "a place is two whole numbers",
            4 => "a region is four whole numbers",
            _ => return None,
        };
        if !parts.iter().all(is_value) || matches!(word, "ROOM" | "SUBROOM" | "CORRIDOR") {
            return None;
        }
        if let Some(wrong) = parts.iter().find(|part| number(part).is_none())
            && !numbers.is_empty()
        {
            let at = line_start + open + 1 + line[open + 1..].find(*wrong)?;
            let problem = self.error(at..at + wrong.len(), format!("`{wrong}` is not a number"));
            // `1O`
            let digits = wrong.replace(['O', 'o'], "0").replace(['l', 'I'], "1");
            let is_close = wrong.bytes().any(|byte| byte.is_ascii_digit()) && digits.parse::<u8>().is_ok();
            return Some(match is_close {
                true => problem.with_help(format!("write {digits}, with digits alone")).with_suggestion(
                    self.span(at..at + wrong.len()),
                    digits,
                    true,
                ),
                false => problem.with_help(format!("write a whole number: {what}")),
            });
        }
        let span = line_start + open..line_start + close;
        let diagnostic = self.error(span.clone(), what);
        if numbers.len() == parts.len() {
            let right = numbers.iter().map(|number| number.trunc().to_string()).collect::<Vec<_>>().join(",");
            let whole = numbers.iter().all(|number| number.fract() == 0.0);
            let right = format!("({right})");
            return Some(diagnostic.with_help(format!("write {right}")).with_suggestion(self.span(span), right, whole));
        }
        Some(diagnostic.with_help(match parts.len() {
            2 => "write a column and a row, as in (5,2)",
            _ => "write the columns and rows of two corners, as in (1,1,5,2)",
        }))
    }

    /// Reports a keyword in quotes: `FLAGS: "noteleport"`.
    pub(crate) fn quoted_word(&self) -> Option<Diagnostic> {
        let word = self.found().strip_prefix('"')?.strip_suffix('"')?;
        if self.is_past_line() || !self.wants.iter().any(|want| want.words(self.catalog).contains(&word)) {
            return None;
        }
        Some(
            self.error(self.found.clone(), "this value takes no quotes")
                .with_help(format!("write {word}"))
                .with_suggestion(self.span(self.found.clone()), word, true),
        )
    }

    /// Reports a name in single quotes: `'pit'`.
    pub(crate) fn single_quotes(&self) -> Option<Diagnostic> {
        let rest = self.rest_of_line(self.found.start).strip_prefix('\'')?;
        let name = rest.split('\'').next().filter(|name| name.len() + 1 < rest.len() + 1 && name.len() > 1)?;
        if !rest[name.len()..].starts_with('\'') || name.contains(['"', '(', ',']) || !self.wants(Want::Text) {
            return None;
        }
        let span = self.found.start..self.found.start + name.len() + 2;
        Some(
            self.error(span.clone(), "this name is in single quotes")
                .with_help(format!("use double quotes for names: \"{name}\""))
                .with_suggestion(self.span(span), format!("\"{name}\""), true),
        )
    }

    /// Reports wrong, missing or superfluous punctuation.
    pub(crate) fn signs(&self) -> Option<Diagnostic> {
        let found = self.found();
        let previous = self.text.get(..self.before).and_then(|before| before.chars().next_back());
        let span = || self.span(self.found.clone());
        let begins_value =
            found.starts_with(['"', '\'', '(', '$']) || found.starts_with(|c: char| c.is_ascii_alphanumeric());
        let ends = self.wants(Want::End);
        let at_line_end = self.rest_of_line(self.found.end).trim().is_empty();
        if self.is_past_line() {
            return None;
        }
        match found {
            "." if self.statement.is_some_and(|(word, _)| word == "CASE")
                && self.rest_of_line(self.found.end).starts_with('.') =>
            {
                return Some(
                    self.error(self.found.start..self.found.end + 1, "a CASE takes only one value")
                        .with_help("write a separate CASE for each number"),
                );
            }
            "," if self.statement.is_some_and(|(word, _)| word == "CASE") && self.wants(Want::Colon) => {
                let more = self.rest_of_line(self.found.end).split(':').next().unwrap_or("");
                let cases: Vec<String> = more.split(',').map(|value| format!("CASE {}", value.trim())).collect();
                let (start, line) = self.line(self.before);
                let first = line.get(..self.before - start).unwrap_or(line).trim();
                let numbers = more.split(',').all(|value| value.trim().parse::<u32>().is_ok());
                let problem = self.error(self.found.clone(), "a CASE takes only one value");
                if !numbers {
                    return Some(problem.with_help("write a separate CASE for each number"));
                }
                let right = format!(": {}", cases.join(": "));
                let help = format!("write {first}{right}: (an empty CASE goes on into the next one)");
                let span = self.span(self.found.start..self.found.end + more.len());
                return Some(problem.with_help(help).with_suggestion(span, right, true));
            }
            ";" | "=" | "," | "." if self.wants(Want::Colon) => {
                return Some(
                    self.error(self.found.clone(), format!("expected `:`, found `{found}`"))
                        .with_help(match self.statement {
                            Some((ASSIGNMENT, _)) => {
                                "write a colon after the type: $variable = selection: ...".to_owned()
                            }
                            _ => format!("write a colon: `{}:`", self.last_word()),
                        })
                        .with_suggestion(span(), ":", true),
                );
            }
            ":" | "," if previous == found.chars().next() => {
                let name = if found == ":" { "colons" } else { "commas" };
                return Some(
                    self.error(self.found.clone(), format!("two {name} instead of one"))
                        .with_help("remove one of them")
                        .with_suggestion(span(), "", true),
                );
            }
            "." if previous.is_some_and(|digit| digit.is_ascii_digit())
                && self.rest_of_line(self.found.end).starts_with(|digit: char| digit.is_ascii_digit()) =>
            {
                let (line_start, line) = self.line(self.found.start);
                let at = self.found.start - line_start;
                let open = line[..at]
                    .rfind(|letter: char| !letter.is_ascii_digit())
                    .filter(|&open| line[open..].starts_with('('));
                let digits = line[at + 1..].bytes().take_while(u8::is_ascii_digit).count();
                if let Some(open) = open.filter(|_| line[at + 1 + digits..].starts_with(')')) {
                    let right = format!("{},{}", &line[open..at], &line[at + 1..at + digits + 2]);
                    return Some(
                        self.error(self.found.clone(), "a place needs a comma between its numbers")
                            .with_help(format!("write {right}"))
                            .with_suggestion(span(), ",", true),
                    );
                }
                let message = "a number cannot have a fraction";
                return Some(
                    self.error(self.found.clone(), message).with_help("write a whole number, or dice as in 2d6"),
                );
            }
            ";" | "." if self.wants(Want::Comma) && !at_line_end => {
                return Some(
                    self.error(self.found.clone(), format!("expected `,`, found `{found}`"))
                        .with_help("separate values with commas")
                        .with_suggestion(span(), ",", true),
                );
            }
            ";" | "." if ends && at_line_end => {
                return Some(
                    self.error(self.found.clone(), format!("unexpected `{found}` at the end of the statement"))
                        .with_help("remove it: a statement ends with its line")
                        .with_suggestion(span(), "", true),
                );
            }
            ";" if ends && !self.begins_statement(self.found.end) => {
                let word = self.statement.map_or("", |(word, _)| word);
                let blanks = self.rest_of_line(self.found.end);
                let blanks = blanks.len() - blanks.trim_start().len();
                return Some(
                    self.error(self.found.clone(), "a statement ends with its line, not with `;`")
                        .with_help(format!("write {word}: again, on the next line"))
                        .with_suggestion(
                            self.span(self.found.start..self.found.end + blanks),
                            format!("\n{word}:"),
                            true,
                        ),
                );
            }
            ";" if ends => {
                return Some(
                    self.error(self.found.clone(), "a statement ends with its line, not with `;`")
                        .with_help("write the next statement on the next line")
                        .with_suggestion(span(), "\n", true),
                );
            }
            "(" | "["
                if (ends || at_line_end || previous == Some(','))
                    && self.statement.is_some_and(|(word, _)| matches!(word, "MONSTER" | "OBJECT" | "CONTAINER"))
                    && self.catalog.format == Format::Opcodes =>
            {
                return Some(
                    self.error(self.found.clone(), "contents must be in braces")
                        .with_help("write { OBJECT: object ... } after a MONSTER or a CONTAINER"),
                );
            }
            "," if ends && at_line_end => {
                return Some(
                    self.error(self.found.clone(), "nothing follows this comma")
                        .with_help("remove it, or write another value after it")
                        .with_suggestion(span(), "", true),
                );
            }
            ")" | "]" if ends && self.opens_block() => {
                return Some(
                    self.error(self.found.clone(), "a block must end with `}`").with_help("write `}`").with_suggestion(
                        span(),
                        "}",
                        true,
                    ),
                );
            }
            ")" | "]" if ends && !self.has_open(if found == ")" { '(' } else { '[' }) => {
                return self.loose_place().or_else(|| {
                    Some(
                        self.error(self.found.clone(), format!("this `{found}` has no opening bracket"))
                            .with_help("remove it, or open it where it belongs")
                            .with_suggestion(span(), "", false),
                    )
                });
            }
            _ => {}
        }
        let chance = previous == Some(']');
        let (start, line) = self.line(self.found.start);
        let ahead = line.get(..self.before.saturating_sub(start)).unwrap_or("").trim_start();
        if chance && begins_value && ahead.starts_with('[') && self.catalog.has(Feature::ChanceBeforeColon) {
            let message = format!("{} does not take a chance before a statement", self.catalog.title);
            let from = self.before - ahead.len();
            let rest = self.rest_of_line(self.found.start).get(found.len()..).unwrap_or("");
            return Some(
                self.error(from..self.before, message)
                    .with_help(format!("write {found}{ahead}{rest}"))
                    .with_suggestion(self.span(from..self.found.end), format!("{found}{ahead}"), true),
            );
        }
        if begins_value && (self.wants == [Want::Colon] || self.wants(Want::Colon) && self.follows_word()) {
            let word = self.last_word();
            let (message, help) = match chance {
                true => ("the colon after this chance is missing".to_owned(), format!("write a colon before {found}")),
                false => (format!("the colon after {word} is missing"), format!("write `{word}:`")),
            };
            return Some(self.error(self.found.clone(), message).with_help(help).with_suggestion(
                self.span(self.before..self.before),
                ":",
                true,
            ));
        }
        let flag = self.statement.is_some_and(|(word, _)| word == "FLAGS")
            && self.catalog.word(splc_ir::words::Group::Flag, found).is_some();
        // `1000gp`
        let glued = self.before == self.found.start && previous.is_some_and(|digit| digit.is_ascii_digit());
        if begins_value
            && !glued
            && self.wants(Want::Comma)
            && (!ends || flag)
            && previous != Some('(')
            && self.catalog.format == Format::Opcodes
        {
            return Some(
                self.error(self.found.clone(), "missing comma before this value")
                    .with_help("separate values with commas")
                    .with_suggestion(self.span(self.before..self.before), ",", true),
            );
        }
        None
    }

    /// Returns true if a keyword, or anything that is not a value, follows on the line.
    fn begins_statement(&self, at: usize) -> bool {
        let rest = self.rest_of_line(at).trim_start();
        let word = self.word(self.text.len() - self.text.get(at..).unwrap_or("").trim_start_matches([' ', '\t']).len());
        usage::usage(word, self.catalog).is_some() || !rest.contains(',') || rest.starts_with('[')
    }

    /// Returns the last word that was read.
    fn last_word(&self) -> &'a str {
        let before = self.text.get(..self.before).unwrap_or("");
        let start = before.trim_end_matches(|letter: char| letter.is_ascii_alphanumeric() || letter == '_').len();
        &before[start..]
    }

    /// Returns true if only the statement's keyword was read.
    fn follows_word(&self) -> bool {
        self.statement.is_some_and(|(word, at)| at + word.len() == self.before)
    }

    /// Returns true if a bracket of this kind is open before the unexpected token.
    /// Returns true if a block that begins on this line is open before the unexpected token.
    fn opens_block(&self) -> bool {
        let (start, line) = self.line(self.found.start);
        let ahead = &line[..self.found.start - start];
        ahead.matches('{').count() > ahead.matches('}').count() && self.catalog.format == Format::Opcodes
    }

    fn has_open(&self, bracket: char) -> bool {
        let close = match bracket {
            '(' => ')',
            '[' => ']',
            _ => '}',
        };
        self.open_bracket(bracket, close).is_some()
    }

    /// Returns the offset of the last bracket of this kind that is open before the unexpected token.
    fn open_bracket(&self, open: char, close: char) -> Option<usize> {
        let (_, start) = self.statement?;
        let mut stack = Vec::new();
        let mut quoted = None;
        let text = self.text.get(start..self.before)?;
        let mut past = 0;
        for (at, sign) in text.char_indices() {
            if at < past {
                continue;
            }
            // A character in quotes can be a bracket.
            if sign == '\'' && quoted.is_none() && text.as_bytes().get(at + 2) == Some(&b'\'') {
                past = at + 3;
                continue;
            }
            match quoted {
                Some(quote) if quote == sign => quoted = None,
                Some(_) => {}
                None if sign == '"' => quoted = Some('"'),
                None if sign == open => stack.push(start + at),
                None if sign == close => {
                    stack.pop();
                }
                None => {}
            }
        }
        stack.pop()
    }

    /// Reports a place without parentheses, or with other brackets: `3,2`, `[3,2]`, `3,2)`.
    pub(crate) fn loose_place(&self) -> Option<Diagnostic> {
        let (line_start, line) = self.line(self.found.start);
        let offset = self.found.start.checked_sub(line_start).filter(|&offset| offset <= line.len())?;
        // Start at the first number: any part of the place may be the unexpected token.
        let bytes = line.as_bytes();
        let part = |byte: u8| byte.is_ascii_digit() || matches!(byte, b',' | b' ' | b'-');
        let mut start = offset;
        while start > 0 && part(bytes[start - 1]) {
            start -= 1;
        }
        let mut end = offset;
        if bytes.get(end) == Some(&b'[') {
            end += 1;
        }
        while end < bytes.len() && part(bytes[end]) {
            end += 1;
        }
        let opened =
            bytes.get(start) == Some(&b'[') || start.checked_sub(1).is_some_and(|at| matches!(bytes[at], b'(' | b'['));
        if opened && bytes.get(start) != Some(&b'[') {
            return None;
        }
        if matches!(bytes.get(end), Some(b')' | b']')) {
            end += 1;
        }
        let numbers = line.get(start..end)?.trim_start_matches([',', ' ', '[']).trim_end_matches([')', ']', ' ']);
        let start = start + (line[start..].len() - line[start..].trim_start_matches([',', ' ']).len());
        let values: Vec<&str> = numbers.split(',').map(str::trim).collect();
        let [x, y] = values.as_slice() else { return None };
        if x.parse::<i32>().is_err() || y.parse::<i32>().is_err() || !(self.wants(Want::Place) || self.wants(Want::End))
        {
            return None;
        }
        let span = line_start + start..line_start + end;
        let span = span.start..span.start + self.text[span].trim_end().len();
        let what = match self.statement {
            Some((word @ ("ROOM" | "SUBROOM"), at)) => {
                let ahead = self.text.get(at + word.len()..line_start + start).unwrap_or("");
                match (shapes::values(ahead).len(), word) {
                    (3, _) => "the position of a room must be in parentheses",
                    (5, "ROOM") | (4, "SUBROOM") => "the size of a room must be in parentheses",
                    _ => "these two numbers must be in parentheses",
                }
            }
            _ => "a place must be in parentheses",
        };
        Some(self.error(span.clone(), what).with_help(format!("write ({x},{y})")).with_suggestion(
            self.span(span),
            format!("({x},{y})"),
            true,
        ))
    }

    /// Reports a wrong count of numbers in parentheses, as in `(3)` or `(3,2,1)`, and two places in place of a region.
    pub(crate) fn numbers(&self) -> Option<Diagnostic> {
        if self.is_past_line() {
            return None;
        }
        let (line_start, line) = self.line(self.found.start);
        let region = self.statement.is_some_and(|(word, _)| {
            matches!(
                word,
                "REGION"
                    | "NON_DIGGABLE"
                    | "NON_PASSWALL"
                    | "TELEPORT_REGION"
                    | "BRANCH"
                    | "PORTAL"
                    | "REPLACE_TERRAIN"
            )
        });
        let offset = self.found.start - line_start;
        let inside = |at: usize| -> Option<(usize, usize, Vec<i32>)> {
            let open = line.get(..at)?.rfind('(')?;
            let close = open + line[open..].find(')')?;
            let numbers: Option<Vec<i32>> =
                line[open + 1..close].split(',').map(|number| number.trim().parse().ok()).collect();
            Some((open, close + 1, numbers?))
        };
        let (open, close, numbers) = inside(offset)?;
        // `(x1,y1),(x2,y2)` in place of a region.
        if region && let [x1, y1] = numbers[..] {
            let after = line[close..].trim_start().strip_prefix(',')?;
            let second = line.len() - after.trim_start().len();
            let (from, end, corner) = inside(second + 1)?;
            if let ([x2, y2], true) = (&corner[..], from == second) {
                let span = line_start + open..line_start + end;
                let right = format!("({x1},{y1},{x2},{y2})");
                return Some(
                    self.error(span.clone(), "a region must be four numbers in one pair of parentheses")
                        .with_help(format!("write {right}"))
                        .with_suggestion(self.span(span), right, true),
                );
            }
        }
        if offset >= close || !matches!(numbers.len(), 1 | 3) {
            return None;
        }
        let region = region || line[..open].trim_end().ends_with("levregion");
        let in_room = self.statement.is_some_and(|(word, _)| matches!(word, "ROOM" | "SUBROOM"));
        let what = match region {
            true => "a region must be four numbers, (x1,y1,x2,y2)",
            false if in_room => "the position and the size of a room are two numbers each",
            false => "a place must be two numbers, (x,y)",
        };
        Some(self.error(line_start + open..line_start + close, what).with_help(if region {
            "write the column and row of the upper left corner, then those of the lower right corner"
        } else if in_room {
            "write (column,row) for the position, and (width,height) for the size"
        } else {
            "write the column, then the row"
        }))
    }

    /// Reports a parenthesis or bracket that is still open at the end of the line or before an unexpected token.
    pub(crate) fn not_closed(&self) -> Option<Diagnostic> {
        let (open, close) = if self.wants(Want::Close) {
            ('(', ')')
        } else if self.statement.is_some_and(|(word, _)| word == ASSIGNMENT) && self.has_open('{') {
            ('{', '}')
        } else if self.wants(Want::CloseBracket) {
            ('[', ']')
        } else {
            return None;
        };
        if !self.is_past_line() {
            return None;
        }
        let at = self.open_bracket(open, close)?;
        let diagnostic = self.error(at..at + 1, format!("this `{open}` is not closed"));
        // A value that goes on after its line may end there already: `complement((1,1) &`.
        let line = self.rest_of_line(at).trim_end();
        let sign = line.chars().next_back().filter(|_| at + line.len() < self.before);
        if let Some(sign @ ('&' | '|' | ',')) = sign {
            let help = format!("write `{close}` before the `{sign}` at the end of this line, or where its value ends");
            return Some(diagnostic.with_help(help));
        }
        Some(diagnostic.with_help(format!("write `{close}` at its end")).with_suggestion(
            self.span(self.before..self.before),
            close.to_string(),
            true,
        ))
    }

    /// Reports a statement whose line ends early.
    pub(crate) fn ends_early(&self) -> Option<Diagnostic> {
        let (word, at) = self.statement?;
        if !self.is_past_line() || self.wants(Want::End) {
            return None;
        }
        let read = self.text.get(at..self.before)?.trim_end();
        // `quantity:`
        if let Some(ahead) = read.strip_suffix(':')
            && let key =
                &ahead[ahead.trim_end_matches(|letter: char| letter.is_ascii_lowercase() || letter == '_').len()..]
            && !key.is_empty()
        {
            let start = at + ahead.len() - key.len();
            let example = match key {
                "quantity" | "eroded" | "recharged" => "1",
                _ => "\"name\"",
            };
            return Some(
                self.error(start..at + read.len(), format!("`{key}:` has no value"))
                    .with_help(format!("write its value after the colon, as in {key}:{example}")),
            );
        }
        let detail = self.last_word();
        if self.wants(Want::Colon) && !detail.is_empty() && detail != word {
            let right = if detail == "eroded" { "eroded:1".to_owned() } else { format!("{detail}: and its value") };
            return Some(
                self.error(self.before - detail.len()..self.before, format!("`{detail}` has no value"))
                    .with_help(format!("write {right}")),
            );
        }
        let last_line = read.rfind('\n').map_or(0, |newline| newline + 1);
        let last = read[last_line..].rfind([' ', ',', ':', '(']).map_or(0, |space| space + 1);
        let last = if read[last_line + last..].is_empty() { read.len() - last_line - 1 } else { last };
        let start = if read[last_line..].trim_end().ends_with([')', '"']) { 0 } else { last };
        let start =
            at + last_line + start + read[last_line + start..].len() - read[last_line + start..].trim_start().len();
        let diagnostic = self.error(start..at + read.len(), Mistake::Incomplete(word.to_owned()));
        Some(self.with_usage(diagnostic))
    }

    /// Reports an unsuitable word.
    pub(crate) fn value_word(&self) -> Option<Diagnostic> {
        let word = self.word(self.found.start);
        let names = matches!(self.statement, Some(("LEVEL" | "MAZE" | "NAME", _)));
        let short = word.len() < 2 && !names;
        if short || !word.starts_with(|first: char| first.is_ascii_alphabetic()) || self.is_past_line() {
            return None;
        }
        let span = self.found.start..self.found.start + word.len();
        let fix = |diagnostic: Diagnostic, right: &str, certain: bool| {
            let diagnostic =
                if diagnostic.help.is_none() { diagnostic.with_help(format!("write {right}")) } else { diagnostic };
            diagnostic.with_suggestion(self.span(span.clone()), right, certain)
        };
        let lower = word.to_ascii_lowercase();
        let group: Vec<&str> = self.wants.iter().flat_map(|want| want.words(self.catalog)).collect();
        if group.contains(&lower.as_str()) && lower != word {
            let message = format!("unknown keyword `{word}`: values are in lower case");
            return Some(fix(self.error(span.clone(), message), &lower, true));
        }
        if let Some(named) = self.unquoted(word, &span) {
            return Some(named);
        }
        // `no teleport`, `trap door`: a keyword with a blank inside.
        let rest = self.rest_of_line(span.end);
        let second = self.word(self.text.len() - self.text[span.end..].trim_start_matches([' ', '\t']).len());
        let blanks = rest.len() - rest.trim_start_matches([' ', '\t']).len();
        if blanks > 0 && !second.is_empty() {
            let opposite = match (lower.as_str(), second) {
                ("not" | "no", "peaceful") => Some("hostile"),
                ("not" | "no", "hostile") => Some("peaceful"),
                ("not" | "no", "asleep") => Some("awake"),
                ("not" | "no", "awake") => Some("asleep"),
                ("not" | "no", "cursed") => Some("uncursed"),
                ("not" | "no", "lit") => Some("unlit"),
                _ => None,
            };
            if let Some(right) = opposite.filter(|right| group.contains(right)) {
                let span = span.start..span.end + blanks + second.len();
                return Some(
                    self.error(span.clone(), format!("a word cannot be negated with `{word}`"))
                        .with_help(format!("write {right}"))
                        .with_suggestion(self.span(span), right, true),
                );
            }
            let both = [format!("{lower}{second}"), format!("{lower}_{second}"), format!("{lower}-{second}")];
            if let Some(right) = both.into_iter().find(|both| group.contains(&both.as_str())) {
                let span = span.start..span.end + blanks + second.len();
                let message = format!("`{word} {second}` is one word");
                return Some(self.error(span.clone(), message).with_help(format!("write {right}")).with_suggestion(
                    self.span(span),
                    right,
                    true,
                ));
            }
        }
        if let Some(right) = words::value(&lower, self.wants).filter(|right| {
            // A detail with its value: `eroded:1`.
            let is_value = right.split(':').next().is_some_and(|word| group.contains(&word));
            // Only doors have the states of doors, although a grammar may expect them elsewhere.
            let of_door = self.statement.is_none_or(|(word, _)| matches!(word, "DOOR" | "ROOMDOOR" | "DRAWBRIDGE"));
            is_value && (of_door || self.catalog.word(splc_ir::words::Group::DoorState, right).is_none())
        }) {
            let (_, start) = self.statement?;
            let ahead = self.text.get(start..self.before).unwrap_or("");
            let parts = |letter: char| !(letter.is_ascii_alphanumeric() || letter == '_');
            if self.wants(Want::End) && ahead.split(parts).any(|word| word == right) {
                let diagnostic = self.error(span, format!("`{word}` is not valid here"));
                return Some(diagnostic.with_help(format!("remove it: the statement already has `{right}`")));
            }
            // A peaceful monster is only similar to a tame one.
            let certain = lower != "tame";
            let mut choice: Vec<String> = group.iter().map(|word| format!("`{word}`")).collect();
            choice.sort_unstable_by(|one, other| other.cmp(one));
            choice.dedup();
            let message = match choice.len() {
                2 | 3 => format!("expected {}, found `{word}`", listed(choice, Conjunction::Or)),
                _ => format!("`{word}` is not valid here"),
            };
            return Some(fix(self.error(span.clone(), message), right, certain));
        }
        // Terrain in words, where a map character is expected.
        if let Some(drawn) = meant::terrain(self.catalog, &lower).filter(|_| {
            self.wants(Want::Character)
                && self.statement.is_some_and(|(word, _)| {
                    matches!(word, "TERRAIN" | "REPLACE_TERRAIN" | "SPILL" | "WALLWALK" | "INIT_MAP" | "MAZE")
                })
        }) {
            let diagnostic = self.error(span.clone(), "terrain must be written as its map character");
            return Some(fix(diagnostic, &format!("'{drawn}'"), true));
        }
        if self.rest_of_line(span.end).trim_start().starts_with(['(', ':']) {
            // Some games have the types of values in capitals only.
            let functions =
                ["rndcoord", "levregion", "selection", "monster", "object", "terrain", "MONSTER", "OBJECT", "TERRAIN"];
            let has_small = |name: &str| self.catalog.is_keyword(&name.to_ascii_lowercase());
            let functions = functions.into_iter().filter(|name| {
                self.catalog.is_keyword(name)
                    && (name.starts_with(|first: char| first.is_lowercase()) || !has_small(name))
            });
            let mut near = nearest(word, functions.clone());
            near.retain(|near| *near != word);
            if near.is_empty() {
                near.extend(functions.filter(|name| word.len() > 2 && *name != word && name.starts_with(word)));
            }
            if let [only] = near.as_slice() {
                let diagnostic = self.error(span.clone(), format!("unknown keyword `{word}`"));
                return Some(fix(diagnostic.with_help(format!("did you mean `{only}`?")), only, true));
            }
        }
        // The opposite of a word differs in few letters.
        let positive = ["un", "not", "non", "no"].into_iter().find_map(|prefix| lower.strip_prefix(prefix));
        let positive = positive.map(|word| word.trim_start_matches(['_', '-']));
        if let Some(negative) = positive.map(|word| format!("not_{word}")).filter(|word| group.contains(&word.as_str()))
        {
            return Some(fix(self.error(span.clone(), format!("unknown keyword `{word}`")), &negative, true));
        }
        let mut near = nearest(word, group.iter().copied());
        near.retain(|near| *near != word && Some(*near) != positive);
        // A word cut short.
        if near.is_empty() && word.len() > 2 {
            near.extend(group.iter().filter(|known| known.starts_with(&lower)));
            near.dedup();
        }
        // The word may be a keyword elsewhere.
        let unknown = match self.statement {
            Some((statement, _)) if self.catalog.is_keyword(word) && statement != ASSIGNMENT => {
                format!("`{word}` is not a value of {statement}")
            }
            _ => format!("unknown keyword `{word}`"),
        };
        if let [only] = near.as_slice() {
            let diagnostic = self.error(span.clone(), unknown);
            return Some(fix(diagnostic.with_help(format!("did you mean `{only}`?")), only, true));
        }
        let upper = word.to_ascii_uppercase();
        let is_object = self.statement.is_some_and(|(statement, _)| matches!(statement, "OBJECT" | "CONTAINER"));
        if is_object && word == "name" && !self.catalog.is_keyword(word) && self.catalog.is_keyword(&upper) {
            let message = format!("{} writes `{word}` in capitals", self.catalog.title);
            return Some(fix(self.error(span.clone(), message), &upper, true));
        }
        if !near.is_empty() {
            let near = listed(near.iter().map(|word| format!("`{word}`")), Conjunction::Or);
            return Some(self.error(span, unknown).with_help(format!("did you mean {near}?")));
        }
        let end = span.end;
        let in_flags = self.statement.is_some_and(|(statement, _)| statement == "FLAGS");
        let mut dialects = words::dialects_with(word, self.catalog);
        let with_flag = if in_flags { words::games_with_flag(word, self.catalog) } else { Vec::new() };
        if !with_flag.is_empty() {
            dialects = with_flag;
        }
        // The name of a monster has no keyword.
        let is_name = word == "name" && self.statement.is_some_and(|(word, _)| word == "MONSTER");
        if group.is_empty() || dialects.is_empty() || word != lower || self.catalog.is_keyword(word) || is_name {
            return None;
        }
        let message = format!("{} does not have `{word}`", self.catalog.title);
        Some(
            Diagnostic::new(Code::WrongDialect, self.span(span), message)
                .with_label(format!("only in {}", listed(&dialects, Conjunction::And)))
                .with_help(match word {
                    "irregular" => "write true after `filled` or `unfilled`".to_owned(),
                    "montype" => {
                        let rest = self.rest_of_line(end).trim_start_matches([':', ' ']);
                        let name = rest.split(',').next().unwrap_or("").trim_end();
                        let name = if name.len() > 2 { name } else { "\"name\"" };
                        format!("write the monster after the place, then the enchantment: {name},0")
                    }
                    _ if in_flags && word.starts_with("noflip") => {
                        format!("remove it: {} does not flip levels", self.catalog.title)
                    }
                    _ => "remove it".to_owned(),
                }),
        )
    }

    /// Reports a name without quotes: `TRAP:pit`.
    fn unquoted(&self, word: &str, span: &Range<usize>) -> Option<Diagnostic> {
        let (statement, _) = self.statement?;
        let is_key = self.rest_of_line(span.end).trim_start().starts_with([':', '=']);
        if !self.wants(Want::Text) || is_key && matches!(statement, "OBJECT" | "CONTAINER" | "MONSTER") {
            return None;
        }
        // A name of several words extends up to the next sign.
        let rest = self.rest_of_line(span.start);
        let whole = rest.split([',', '(', ')', '"', '{', ':', ';', '=', '[']).next().unwrap_or(word).trim_end();
        let is_name = |name: &str| match statement {
            _ if self.text.get(..self.before).is_some_and(|before| {
                before.trim_end().ends_with("name:") || before.trim_end().ends_with("NAME:") && statement != "NAME"
            }) =>
            {
                true
            }
            // In NetHack 3.4.3, the name of the outer room is last.
            "SUBROOM" if self.catalog.format == Format::Parts && self.rest_of_line(span.end).trim().is_empty() => true,
            "TRAP" => self.catalog.trap(name).is_some(),
            "REGION" | "ROOM" | "SUBROOM" => self.catalog.room(name).is_some(),
            "MONSTER" | "MON_GENERATION" => self.catalog.monster(name, None).is_some(),
            "OBJECT" | "CONTAINER" => {
                self.catalog.object(name, None).is_some() || self.catalog.monster(name, None).is_some()
            }
            "LEVEL" | "MAZE" | "NAME" | "INCLUDE" => {
                name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte))
            }
            "MESSAGE" | "ENGRAVING" | "GRAVE" => true,
            "PORTAL" => self.found.start == span.start,
            _ => false,
        };
        let whole = if matches!(statement, "MESSAGE" | "ENGRAVING" | "GRAVE") { rest.trim_end() } else { whole };
        let name = [whole, word].into_iter().find(|name| is_name(name))?;
        let span = span.start..span.start + name.len();
        let what = if matches!(statement, "MESSAGE" | "ENGRAVING" | "GRAVE") { "text" } else { "name" };
        Some(
            self.error(span.clone(), format!("this {what} is not in quotes"))
                .with_help(format!("write \"{name}\""))
                .with_suggestion(self.span(span), format!("\"{name}\""), !name.contains('"')),
        )
    }

    /// Reports a class that is not in single quotes: `a` or `"a"`.
    pub(crate) fn loose_class(&self) -> Option<Diagnostic> {
        let (statement, _) = self.statement?;
        let found = self.found();
        let inner = found.trim_matches('"');
        let mut letters = inner.chars();
        let (Some(class), None) = (letters.next(), letters.next()) else { return None };
        // Some brackets are classes as well.
        if !found.starts_with('"') && "()[]{},:".contains(class) {
            return None;
        }
        let known = match statement {
            "MONSTER" => self.catalog.monster_class(class).is_some(),
            "OBJECT" | "CONTAINER"
                if self.text.get(..self.before).is_some_and(|before| before.ends_with("montype:")) =>
            {
                self.catalog.monster_class(class).is_some()
            }
            "OBJECT" | "CONTAINER" => self.catalog.object_class(class).is_some(),
            "TERRAIN" | "MAZE" | "INIT_MAP" => self.catalog.terrain(class).is_some(),
            _ => false,
        };
        if !known || found.starts_with('\'') || !(self.wants(Want::Character)) {
            return None;
        }
        // The words of a place are not classes: `MONSTER: 'o', (x,y)`.
        let is_montype = self.text.get(..self.before).is_some_and(|before| before.ends_with("montype:"));
        if shapes::has_species(statement) && !is_montype && !found.starts_with('"') {
            let (_, from) = self.statement?;
            let values = shapes::values(self.text.get(from..self.before)?);
            if values.len() > 1 && !self.text[..self.before].trim_end().ends_with(':') {
                return None;
            }
        }
        let what = if matches!(statement, "MONSTER" | "OBJECT" | "CONTAINER") { "a class" } else { "a map character" };
        Some(
            self.error(self.found.clone(), format!("{what} must be in single quotes"))
                .with_help(format!("write '{class}'"))
                .with_suggestion(self.span(self.found.clone()), format!("'{class}'"), true),
        )
    }

    /// Reports a blank before the percent sign of a chance: `[75 %]: ...`.
    pub(crate) fn spaced_chance(&self) -> Option<Diagnostic> {
        let (line_start, line) = self.line(self.found.start);
        let inner = line.trim_start().strip_prefix('[').and_then(|rest| rest.split_once(']')).map(|(inner, _)| inner);
        if let Some(inner) = inner
            && let Some((number, "%" | "percent" | "pct")) =
                inner.trim().split_once([' ', '\t']).map(|(number, sign)| (number, sign.trim()))
            && number.bytes().all(|byte| byte.is_ascii_digit())
        {
            let start = line_start + line.len() - line.trim_start().len();
            let (span, right) = (start..start + inner.len() + 2, format!("[{number}%]"));
            return Some(
                self.error(span.clone(), format!("a chance must be written {right}"))
                    .with_help(format!("write {right}"))
                    .with_suggestion(self.span(span), right, true),
            );
        }
        None
    }

    /// Reports a percent sign after the brackets of a chance: `OBJECT[30]%: ...`.
    pub(crate) fn percent_after(&self) -> Option<Diagnostic> {
        let before = self.text.get(..self.found.start)?.strip_suffix(']').filter(|_| self.found().starts_with('%'))?;
        let open = before.trim_end_matches(|letter: char| letter.is_ascii_digit() || letter == ' ');
        let number = before[open.len()..].trim();
        let start = open.strip_suffix('[').filter(|_| !number.is_empty())?.len();
        let (span, right) = (start..self.found.start + 1, format!("[{number}%]"));
        Some(
            self.error(span.clone(), "the percent sign of a chance belongs in its brackets")
                .with_help(format!("write {right}"))
                .with_suggestion(self.span(span), right, true),
        )
    }

    /// Reports a chance at `at`, at the start of a statement, without its brackets: `50%: TRAP: ...`.
    pub(crate) fn chance_alone(&self, at: usize) -> Option<Diagnostic> {
        let rest = self.rest_of_line(at);
        // `(50%): TRAP: ...`
        let open = usize::from(rest.starts_with('('));
        let number = &rest[open..];
        let digits = number.bytes().take_while(u8::is_ascii_digit).count();
        let after = number.get(digits..)?.strip_prefix('%')?;
        let after = if open > 0 { after.strip_prefix(')')? } else { after };
        if digits == 0 || !after.trim_start().starts_with(':') || self.catalog.format != Format::Opcodes {
            return None;
        }
        let (span, right) = (at..at + rest.len() - after.len(), format!("[{}%]", &number[..digits]));
        Some(
            self.error(span.clone(), "a chance must be in brackets")
                .with_help(format!("write {right}: before the statement"))
                .with_suggestion(self.span(span), right, true),
        )
    }

    /// Reports a fraction in place of a percentage: `[0.5]`, or `0.5` after other values.
    pub(crate) fn fraction(&self) -> Option<Diagnostic> {
        let (line_start, line) = self.line(self.found.start);
        let offset = self.found.start.checked_sub(line_start)?;
        let part = |letter: char| letter.is_ascii_digit() || letter == '.';
        // Some games read a chance with its brackets.
        let offset = offset + usize::from(self.found().starts_with('['));
        let ahead = line.get(..offset)?.trim_end_matches(part);
        let rest = &line[ahead.len()..];
        let number = &rest[..rest.len() - rest.trim_start_matches(part).len()];
        let value = number.parse::<f64>().ok().filter(|value| number.contains('.') && *value > 0.0 && *value < 1.0)?;
        // A chance begins the statement, or follows IF, a keyword or the type of a room.
        let in_brackets = rest[number.len()..].trim_start().starts_with(']')
            && ahead.trim_end().strip_suffix('[').is_some_and(|head| {
                let head = head.trim_end();
                let counts = ["LOOP", "SWITCH"].iter().any(|word| head.ends_with(word));
                !counts && (head.is_empty() || head.ends_with(|last: char| last.is_ascii_uppercase() || last == '"'))
            });
        if self.is_past_line() && !ahead.trim().starts_with('[') || !in_brackets && !self.wants(Want::Percent) {
            return None;
        }
        let percent = value * 100.0;
        let right = format!("{}%", percent.round().max(1.0));
        let span = line_start + ahead.len()..line_start + ahead.len() + number.len();
        let help = if in_brackets { format!("write [{right}]") } else { format!("write {right}") };
        let is_whole = (percent - percent.round()).abs() < 1e-9;
        Some(self.error(span.clone(), "a chance is a whole percentage").with_help(help).with_suggestion(
            self.span(span),
            right,
            is_whole,
        ))
    }

    /// Reports a chance in a form that the game does not have: `[50]`, `(50%)`, `50%`, or in another position.
    pub(crate) fn chance(&self) -> Option<Diagnostic> {
        let rest = self.rest_of_line(self.found.start);
        let inner = rest.strip_prefix(['[', '(']).unwrap_or(rest).trim_start();
        let digits = inner.bytes().take_while(u8::is_ascii_digit).count();
        let number = inner.get(..digits).filter(|digits| !digits.is_empty())?;
        let signed = inner[digits..].trim_start();
        let percent = signed.starts_with('%');
        let after = if percent { signed.trim_start_matches('%') } else { &inner[digits..] };
        let closed = after.trim_start().starts_with([']', ')']);
        // The blank before the brace of a block remains.
        let after = if closed { after.trim_start().trim_start_matches([']', ')']) } else { after };
        let length = rest.len() - after.len();
        let span = self.found.start..self.found.start + length;
        // The chance of this statement has no brackets.
        let bare = self.statement.is_some_and(|(word, _)| word == "MON_GENERATION");
        let right = if bare { format!("{number}%") } else { format!("[{number}%]") };
        if bare && !rest.starts_with('[') {
            let end = span.start + digits;
            return (self.wants(Want::Percent) && !percent).then(|| {
                self.error(span.start..end, "a percentage needs its percent sign")
                    .with_help(format!("write {right}"))
                    .with_suggestion(self.span(end..end), "%", true)
            });
        }
        if self.wants(Want::Percent)
            && !self.wants(Want::End)
            && (rest.starts_with(['[', '(']) == closed)
            && &rest[..length] != right.as_str()
        {
            return Some(
                self.error(span.clone(), format!("a chance must be written {right}"))
                    .with_help(format!("write {right}"))
                    .with_suggestion(self.span(span), right, percent || !rest.starts_with('(')),
            );
        }
        None
    }
}

/// Returns the HTML entity at the start of `text`, and its character.
pub(crate) fn entity(text: &str) -> Option<(&str, &'static str)> {
    const ENTITIES: [(&str, &str); 8] = [
        ("&amp;", "&"),
        ("&lt;", "<"),
        ("&gt;", ">"),
        ("&quot;", "\""),
        ("&#34;", "\""),
        ("&#39;", "'"),
        ("&apos;", "'"),
        ("&nbsp;", " "),
    ];
    ENTITIES
        .into_iter()
        .find(|(entity, _)| text.starts_with(entity))
        .map(|(entity, right)| (&text[..entity.len()], right))
}

/// Returns the name in the placeholder of a template or a program at the start of `text`.
fn placeholder(text: &str) -> Option<&str> {
    let forms = [("{{", "}}"), ("${", "}"), ("{", "}"), ("%(", ")s"), ("%(", ")d"), ("<%=", "%>"), ("<", ">")];
    let is_name = |name: &str| {
        name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_.".contains(&byte))
            && name.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_')
    };
    let names = forms.into_iter().filter_map(|(open, close)| text.strip_prefix(open)?.split_once(close));
    names.map(|(name, _)| name.trim()).find(|name| is_name(name))
}

#[cfg(test)]
mod tests {
    use splc_ir::catalog::Catalog;
    use splc_ir::source::FileId;

    use super::Unread;

    #[test]
    fn a_comment_can_follow_a_carriage_return() {
        let text = "a\r// b";
        let catalog = Catalog::by_name("unnethack-6.0.4").unwrap();
        let unread = Unread {
            text,
            file: FileId(0),
            catalog,
            statement: None,
            before: 2,
            found: 2..4,
            wants: &[],
            defines: &|_| false,
        };
        let advice = unread.statement_start(2).map(|advice| advice.message.to_string());
        assert_eq!(advice.as_deref(), Some("a comment must begin with `#`"));
    }
}
