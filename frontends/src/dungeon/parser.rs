//! Parser for the statements of a dungeon description (`util/dgn_comp.y`). After an error it continues with the next
//! statement.

use splc_ir::catalog::{Catalog, Name};
use splc_ir::diagnostic::{Code, Diagnostic, Diagnostics, did_you_mean, nearest};
use splc_ir::dungeon::{Bones, Branch, Connection, Description, Direction, Dungeon, Item, Level, Range, Trait};
use splc_ir::order::Order;
use splc_ir::source::{Charset, FileId, Span, Spanned, Text};
use splc_ir::wording::{Conjunction, listed, unseen};

use super::lexer::{Kind, Statement, Token, WORDS, Word, atoi, tokens};
use super::prepare::Prepared;

/// Returns true if `at` is the first column of its line, or only follows blanks.
fn span_starts_line(text: &str, at: usize) -> bool {
    text[..at].trim_end_matches([' ', '\t']).chars().next_back().is_none_or(|before| before == '\n')
}

/// Returns true if a colon follows at `at`.
fn is_word_with_colon(text: &str, at: usize) -> bool {
    text[at..].trim_start_matches([' ', '\t']).starts_with(':')
}

/// Returns the keyword of a statement that is repeated to give several values.
fn repeats(statement: Statement) -> Option<&'static str> {
    match statement {
        Statement::Description => Some("DESCRIPTION"),
        Statement::LevelDescription => Some("LEVELDESC"),
        _ => None,
    }
}

/// The name of the statement RNDCHLEVEL in the documentation.
const DOCUMENTED: &str = "RNDCHAINLEVEL";

pub fn parse(
    prepared: &Prepared,
    file: FileId,
    charset: Charset,
    catalog: &Catalog,
    diagnostics: &mut Diagnostics,
) -> Description {
    let tokens = tokens(&prepared.text, &catalog.dungeon.traits);
    let mut parser = Parser {
        prepared,
        file,
        tokens: &tokens,
        at: 0,
        statement: None,
        lost: false,
        charset,
        catalog,
        description: Description { charset, dungeons: Vec::new() },
        diagnostics,
    };
    parser.file();
    if parser.lost {
        // A dungeon without a name: nothing is checked.
        let span = Span::new(file, 0, 0);
        parser.unread_dungeon(Spanned::new(Text::default(), span), span);
    }
    parser.description
}

/// The rest of the statement cannot be read. The error was reported.
struct Stop;

struct Parser<'a> {
    prepared: &'a Prepared,
    file: FileId,
    tokens: &'a [Token<'a>],
    at: usize,
    charset: Charset,
    catalog: &'a Catalog,
    /// The keyword of the last statement.
    statement: Option<Statement>,
    /// True if the rest of the file is not read as it was meant.
    lost: bool,
    description: Description,
    diagnostics: &'a mut Diagnostics,
}

/// The beginnings of descriptions of expected strings.
const NAMES: [&str; 3] = ["the name", "a name", "a bones marker"];

/// The form of a level statement after the name.
struct LevelForm {
    chained: bool,
    variants: bool,
}

impl<'a> Parser<'a> {
    fn token(&self) -> Token<'a> {
        self.tokens[self.at]
    }

    fn span(&self, token: Token<'_>) -> Span {
        self.prepared.span(self.file, token.start, token.end)
    }

    /// Returns the span from the token `first` to the last token read.
    fn since(&self, first: usize) -> Span {
        let last = self.at.saturating_sub(1).max(first);
        self.span(self.tokens[first]).to(self.span(self.tokens[last]))
    }

    /// Returns the current token and advances.
    fn take(&mut self) -> Token<'a> {
        let token = self.token();
        if token.kind != Kind::End {
            self.at += 1;
        }
        token
    }

    fn file(&mut self) {
        loop {
            let first = self.at;
            match self.token().kind {
                Kind::End => break,
                Kind::Word(Word::Statement(statement)) => {
                    self.take();
                    self.values(statement, first);
                }
                _ => {
                    let start = self.token().start;
                    self.unexpected("a statement, e.g. DUNGEON or LEVEL");
                    self.at += 1;
                    self.misspelt(start, first);
                }
            }
        }
        let end = self.token().start;
        let ignored = self.prepared.text[end..].trim_end();
        if !ignored.is_empty() {
            let span = self.prepared.span(self.file, end, end + ignored.len());
            let message = "the games' own compiler treats this character as the end of the file";
            let note = "the rest of the file is not read";
            let name = ignored.chars().next().and_then(unseen).unwrap_or_default();
            self.diagnostics.push(Diagnostic::new(Code::Ignored, span, message).with_label(name).with_note(note));
        }
    }

    /// Reads the rest of a statement that begins with the token `first`, after its keyword.
    fn values(&mut self, statement: Statement, first: usize) {
        self.statement = Some(statement);
        if self.expect(':', "':'").and_then(|()| self.statement(statement, first)).is_err() {
            self.recover();
            self.unread(statement, first);
        }
    }

    /// Reads a statement whose keyword at `start` is misspelt, which was reported, as the keyword that it is like.
    fn misspelt(&mut self, start: usize, first: usize) {
        let text = &self.prepared.text;
        let letters = |letter: char| letter.is_ascii_alphanumeric() || letter == '_';
        let begin = text[..start].trim_end_matches(letters).len();
        let end = begin + text[begin..].find(|letter| !letters(letter)).unwrap_or(text.len() - begin);
        let meant = nearest(&text[begin..end], WORDS.iter().map(|&(word, _)| word));
        let meant = WORDS.iter().find(|(word, _)| meant.first() == Some(word));
        // `RND LEVEL`
        let next = text[end..].trim_start_matches([' ', '\t', '-']);
        let second = &next[..next.find(|letter| !letters(letter)).unwrap_or(next.len())];
        let joined = format!("{}{second}", &text[begin..end]);
        let split = WORDS.iter().find(|(word, _)| *word == joined).filter(|_| !second.is_empty() && meant.is_none());
        let end = if split.is_some() { text.len() - next.len() + second.len() } else { end };
        let meant = split.or(meant);
        let Some((_, Word::Statement(statement))) = meant else { return self.recover() };
        if is_word_with_colon(text, end) {
            while self.token().kind != Kind::End && self.token().start < end {
                self.at += 1;
            }
            self.values(*statement, first);
        } else {
            self.recover();
            if *statement == Statement::Dungeon {
                self.unread(Statement::Dungeon, first);
            }
        }
    }

    /// Advances to the next keyword that begins a statement.
    fn recover(&mut self) {
        loop {
            let token = self.token();
            // `CHAIN_LEVEL` ends with a keyword.
            let is_part = |before: char| before.is_ascii_alphanumeric() || before == '_';
            let begins = !self.prepared.text[..token.start].ends_with(is_part);
            if token.kind == Kind::End || begins && matches!(token.kind, Kind::Word(Word::Statement(_))) {
                return;
            }
            self.at += 1;
        }
    }

    /// Reports that `expected` was expected in place of the next token.
    fn unexpected(&mut self, expected: &str) -> Stop {
        let token = self.token();
        let text = &self.prepared.text;
        if token.kind == Kind::OpenText {
            let span = self.prepared.span(self.file, token.start, token.start + 1);
            self.diagnostics.push(Diagnostic::new(Code::UnterminatedString, span, "this string has no closing quote"));
            return Stop;
        }
        if let Some(span) = self.swapped_text() {
            self.lost = true;
            self.diagnostics.push(
                Diagnostic::new(Code::UnterminatedString, span, "this string has no closing quote")
                    .with_help("close it with `\"` on its line"),
            );
            return Stop;
        }
        if let Kind::Other(character) = token.kind
            && let Some(name) = unseen(character)
        {
            let span = self.prepared.span(self.file, token.start, token.end);
            self.diagnostics.push(
                Diagnostic::new(Code::Lexical, span, format!("there is {name}"))
                    .with_help("delete it")
                    .with_suggestion(span, "", true),
            );
            return Stop;
        }
        // Show the whole of a word that only begins like a keyword.
        let is_letter = |letter: char| letter.is_ascii_alphanumeric() || letter == '_';
        let start = text[..token.start].trim_end_matches(is_letter).len();
        let end = text[token.start..].find(|letter| !is_letter(letter)).map_or(text.len(), |at| token.start + at);
        let is_word = matches!(token.kind, Kind::Other(letter) if is_letter(letter));
        let (start, end) = if is_word { (start, end) } else { (token.start, token.end) };
        let shown = &text[start..end];
        let found = match token.kind {
            Kind::End => "the end of the file".to_owned(),
            _ => format!("'{}'", shown.lines().next().unwrap_or_default()),
        };
        if let Some(diagnostic) = self.foreign_word(start, end) {
            self.diagnostics.push(diagnostic);
            return Stop;
        }
        // The value is missing on the line of the statement, not in the next one.
        let ended = self.at.checked_sub(1).map(|last| self.tokens[last].end).filter(|&last| {
            !expected.starts_with("a statement") && text.get(last..start).is_some_and(|between| between.contains('\n'))
        });
        let (start, end, found) = match ended {
            Some(last) => (last, last, "the end of the line".to_owned()),
            None => (start, end, found),
        };
        let (shown, is_word) = if ended.is_some() { ("", false) } else { (shown, is_word) };
        let span = self.prepared.span(self.file, start, end);
        let is_start = span_starts_line(text, start) && is_word_with_colon(text, end);
        let expected = if is_start && expected == "':'" { "a statement, e.g. DUNGEON or LEVEL" } else { expected };
        // A word that begins like a keyword: `downward`.
        let known = text.get(start..token.start).filter(|known| !known.is_empty() && !is_start && is_word);
        let diagnostic = match known {
            Some(_) => Diagnostic::new(Code::Syntax, span, format!("unknown word {found}")),
            None => Diagnostic::new(Code::Syntax, span, format!("expected {expected}, found {found}"))
                .with_label(format!("expected {expected}")),
        };
        let small = shown.to_ascii_lowercase();
        let in_capitals = WORDS.iter().find(|(word, _)| is_word && shown != small && *word == small);
        let near = match in_capitals {
            Some((word, _)) => Some(format!("write {word}: it is in lower case")),
            None => did_you_mean(shown, WORDS.iter().map(|&(word, _)| word)),
        };
        let near = near.or_else(|| {
            // Few words begin a statement, so a rough likeness is enough.
            let statements = WORDS.iter().filter(|(_, word)| is_start && matches!(word, Word::Statement(_)));
            let like = |known: &&str| known.len() > 2 && shown.len() > 2 && known.get(..3) == shown.get(..3);
            let mut like = statements.map(|&(word, _)| word).filter(like);
            let only = like.next().filter(|_| like.next().is_none())?;
            Some(format!("did you mean {only}?"))
        });
        self.diagnostics.push(match near {
            _ if shown == DOCUMENTED => diagnostic
                .with_help("write RNDCHLEVEL: the compilers do not accept RNDCHAINLEVEL, the name in the manuals")
                .with_suggestion(span, "RNDCHLEVEL", false),
            Some(near) if is_word => diagnostic.with_help(near.replace('"', "")),
            None if known.is_some() => {
                let known = known.unwrap_or_default();
                diagnostic.with_help(format!("write {known}")).with_suggestion(span, known, false)
            }
            _ if shown == "," && self.statement.is_some_and(|word| repeats(word).is_some()) => {
                let word = self.statement.and_then(repeats).unwrap_or_default();
                diagnostic.with_help(format!("write each value as a statement of its own: {word}: value"))
            }
            _ if shown == "," && !matches!(expected, "a number" | "')'") => diagnostic
                .with_help("remove the comma: values are separated by blanks")
                .with_suggestion(span, "", false),
            _ => {
                let (help, edit) = self.remedy(shown, expected);
                let diagnostic = diagnostic.with_help(help);
                match edit {
                    Some(edit) => diagnostic.with_suggestion(span, edit, false),
                    None => diagnostic,
                }
            }
        });
        Stop
    }

    /// Reports a word of a branch in another spelling, `no-down`, or on a level, and flags of levels.
    fn foreign_word(&self, start: usize, end: usize) -> Option<Diagnostic> {
        let statement = self.statement?;
        let rest = self.prepared.text.get(start..)?.split('\n').next()?;
        let letters = |letter: char| letter.is_ascii_alphanumeric() || "_-".contains(letter);
        let mut length = rest.find(|letter| !letters(letter)).unwrap_or(rest.len());
        // `no down`
        let next = rest[length..].trim_start();
        if &rest[..length] == "no" && ["up", "down"].iter().any(|word| next.starts_with(word)) {
            length = rest.len() - next.len() + next.find(|letter| !letters(letter)).unwrap_or(next.len());
        }
        let word = rest[..length].trim_end_matches('-');
        let bare = |word: &str| word.replace(['_', '-', ' '], "").to_ascii_lowercase();
        let wanted = bare(word);
        let span = self.prepared.span(self.file, start, end.max(start + word.len()));
        let is_branch = matches!(statement, Statement::Branch | Statement::ChainBranch);
        let is_level = |statement| {
            let levels = [Statement::Level, Statement::RandomLevel, Statement::ChainLevel, Statement::RandomChainLevel];
            levels.contains(&statement) || statement == Statement::Dungeon
        };
        let known = WORDS.iter().find(|(known, what)| {
            matches!(what, Word::Connection(_) | Word::Direction(_)) && !word.is_empty() && bare(known) == wanted
        });
        if let Some((right, known)) = known {
            // `up portal`
            if let (true, Some(before)) =
                (is_branch && *right == word, self.at.checked_sub(1).map(|at| self.tokens[at]))
                && let (Kind::Word(Word::Direction(_)), Word::Connection(_)) = (before.kind, known)
            {
                let direction = self.span(before);
                let first = self.prepared.text.get(before.start..before.end).unwrap_or_default();
                let message = "these two words are in the wrong order";
                let right = format!("{word} {first}");
                return Some(
                    Diagnostic::new(Code::Syntax, direction.to(span), message)
                        .with_help(format!("write {right}"))
                        .with_suggestion(direction.to(span), right, true),
                );
            }
            if is_branch && *right != word {
                return Some(
                    Diagnostic::new(Code::Syntax, span, format!("unknown word '{word}'"))
                        .with_help(format!("write {right}"))
                        .with_suggestion(span, *right, false),
                );
            }
            return is_level(statement).then(|| {
                Diagnostic::new(
                    Code::Syntax,
                    span,
                    format!("'{word}' is a word of branches, not of levels or dungeons"),
                )
                .with_help("remove it, or move it to the BRANCH or CHAINBRANCH that it is about")
            });
        }
        let flags = ["noteleport", "hardfloor", "nommap", "shortsighted", "arboreal", "mazelevel", "premapped"];
        let flags = flags.iter().chain(["noflip", "inaccessibles", "nodig", "nomap"].iter());
        flags.into_iter().any(|flag| bare(flag) == wanted).then(|| {
            Diagnostic::new(Code::Syntax, span, format!("'{word}' is a flag of a level's own file"))
                .with_help(format!("remove it here, and write FLAGS: {word} in the des-file of the level"))
        })
    }

    /// Returns the string before the next token if it has most likely lost its closing quote: the next string spans
    /// several lines, because strings and other text are swapped from here on.
    fn swapped_text(&self) -> Option<Span> {
        let next = self.tokens[self.at..].iter().take(2).find(|token| matches!(token.kind, Kind::Text(_)))?;
        let Kind::Text(text) = next.kind else { return None };
        let last = self.tokens[..self.at].iter().next_back()?;
        (text.contains('\n') && matches!(last.kind, Kind::Text(_))).then(|| self.span(*last))
    }

    /// Returns what to write instead of `shown`, with a replacement of it if there is only one.
    fn remedy(&self, shown: &str, expected: &str) -> (String, Option<String>) {
        let form = self.statement.map(form);
        let is_name = shown.starts_with(|first: char| first.is_ascii_alphabetic());
        match shown {
            "#" => return ("start the comment at the beginning of a line".to_owned(), None),
            ";" => return ("remove it: a statement ends with its line".to_owned(), Some(String::new())),
            "%" => return ("write the number without a percent sign".to_owned(), Some(String::new())),
            "/" | "-" if expected.starts_with("a statement") => {
                return ("begin a comment with `#`, at the beginning of a line".to_owned(), None);
            }
            _ => {}
        }
        if expected.starts_with("a statement") {
            let spoken = shown.to_ascii_uppercase();
            let statements = || WORDS.iter().filter(|(_, word)| matches!(word, Word::Statement(_)));
            let longer = |(word, _): &&(&str, Word)| spoken.len() > 2 && word.starts_with(&spoken);
            if let Some((word, Word::Statement(meant))) = statements().find(longer) {
                return (format!("write {}", self::form(*meant)), Some((*word).to_owned()));
            }
            let words: Vec<&str> = statements().map(|(word, _)| *word).collect();
            if let Some(word) = shown.strip_prefix('"').and_then(|word| word.strip_suffix('"'))
                && WORDS.iter().any(|&(known, of)| known == word && !matches!(of, Word::Statement(_)))
            {
                return (format!("write {word} without quotes"), Some(word.to_owned()));
            }
            if matches!(self.statement, Some(Statement::Level | Statement::ChainLevel))
                && shown.starts_with(|first: char| first.is_ascii_digit())
            {
                let word = if self.statement == Some(Statement::Level) { "RNDLEVEL" } else { "RNDCHLEVEL" };
                let help = format!("remove it, or write {word} for a level with {shown} variants");
                return (help, None);
            }
            return match form.filter(|_| !is_name || shown != spoken) {
                Some(form) => (format!("the statement before it is complete; its form is {form}"), None),
                None => (format!("begin a statement with {}", listed(words, Conjunction::Or)), None),
            };
        }
        if let Some(word) = shown.strip_prefix('"').and_then(|word| word.strip_suffix('"'))
            && (expected.starts_with("a descriptor") || expected.starts_with("an alignment"))
        {
            return (format!("write {word} without quotes"), Some(word.to_owned()));
        }
        if is_name && NAMES.iter().any(|name| expected.starts_with(name)) {
            return (format!("write the values in order, without keys: {}", form.unwrap_or_default()), None);
        }
        if shown == "'" && NAMES.iter().any(|name| expected.starts_with(name)) {
            return ("write the name in double quotes".to_owned(), None);
        }
        if expected == "':'" {
            return (format!("write a colon after the keyword: {}", form.unwrap_or_default()), None);
        }
        (format!("write {}", form.unwrap_or("KEYWORD: value")), None)
    }

    fn expect(&mut self, character: char, expected: &str) -> Result<(), Stop> {
        if self.token().kind == Kind::Other(character) {
            self.at += 1;
            return Ok(());
        }
        Err(self.unexpected(expected))
    }

    /// Reads a name without its quotes, and reports it.
    fn bare_name(&mut self, expected: &str) -> Option<Spanned<Text>> {
        let token = self.token();
        let is_named = NAMES.iter().any(|name| expected.starts_with(name));
        let is_word = match token.kind {
            Kind::Other(letter) => letter.is_ascii_alphabetic(),
            Kind::Word(word) => !matches!(word, Word::Statement(_)),
            _ => false,
        };
        if !is_named || !is_word || self.swapped_text().is_some() {
            return None;
        }
        let line = self.prepared.text[token.start..].split(['\n', '"', '@', '(', '+', '#']).next().unwrap_or_default();
        // `name = "bigrm"`
        if line.trim_end().ends_with(['=', ':']) {
            return None;
        }
        let name = if expected.starts_with("a bones marker") { line.split_whitespace().next()? } else { line.trim() };
        let end = token.start + name.len();
        while self.token().kind != Kind::End && self.token().start < end {
            self.at += 1;
        }
        let span = self.prepared.span(self.file, token.start, end);
        let right = format!("\"{name}\"");
        self.diagnostics.push(
            Diagnostic::new(Code::Syntax, span, format!("expected {expected}, found '{name}'"))
                .with_label(format!("expected {expected}"))
                .with_help(format!("write {right}: a name needs quotes"))
                .with_suggestion(span, right, false),
        );
        Some(Spanned::new(name.into(), span))
    }

    fn text(&mut self, expected: &str) -> Result<Spanned<Text>, Stop> {
        let token = self.token();
        let Kind::Text(text) = token.kind else {
            return self.bare_name(expected).ok_or_else(|| self.unexpected(expected));
        };
        self.at += 1;
        // It is a C string, which ends at the first null byte.
        let text = text.split('\0').next().unwrap_or_default();
        Ok(Spanned::new(text.into(), self.span(token)))
    }

    fn optional_number(&mut self) -> Option<Spanned<i32>> {
        let token = self.token();
        let Kind::Number(text) = token.kind else { return None };
        self.at += 1;
        let number = atoi(text);
        let span = self.span(token);
        if text.parse::<i32>().ok() != Some(number) {
            let message = format!("the games' compiler reads {text} as {number}");
            self.diagnostics.push(Diagnostic::new(Code::NumberCut, span, message));
        }
        Some(Spanned::new(number, span))
    }

    fn number(&mut self, expected: &str) -> Result<Spanned<i32>, Stop> {
        self.optional_number().ok_or_else(|| self.unexpected(expected))
    }

    /// Reads `(base, random)`.
    fn range(&mut self) -> Result<Range, Stop> {
        let first = self.at;
        // `10`, `10-12`, `10,3`
        if let Kind::Number(text) = self.token().kind {
            let mut place = (text.to_owned(), "0".to_owned());
            if let Some((low, high)) = text.split_once('-')
                && let (Ok(low), Ok(high)) = (low.parse::<i32>(), high.parse::<i32>())
            {
                place = (low.to_string(), high.saturating_sub(low).saturating_add(1).to_string());
            }
            self.take();
            if self.token().kind == Kind::Other(',')
                && let Some(Token { kind: Kind::Number(random), .. }) = self.tokens.get(self.at + 1)
            {
                self.at += 2;
                place.1 = (*random).to_owned();
            }
            let span = self.since(first);
            let (base, random) = place;
            let right = format!("({base}, {random})");
            self.diagnostics.push(
                Diagnostic::new(Code::Syntax, span, "the place of a level must be in parentheses")
                    .with_help(format!("write {right}: the first level, and how many levels to choose from"))
                    .with_suggestion(span, right, false),
            );
            return Ok(Range { span, base: atoi(&base), random: atoi(&random) });
        }
        self.expect('(', "'('")?;
        // `(8-10)`
        if let Kind::Number(text) = self.token().kind
            && let Some((low, high)) = text.split_once('-')
            && let (Ok(low), Ok(high)) = (low.parse::<i32>(), high.parse::<i32>())
            && let Some(count) = high.checked_sub(low).and_then(|count| count.checked_add(1))
            && low >= 0
            && self.tokens.get(self.at + 1).is_some_and(|next| next.kind == Kind::Other(')'))
        {
            let token = self.take();
            let span = self.span(token);
            let message = "a range of levels is written as the first one and their number";
            let help = format!("write ({low}, {count}) for {low} to {high}");
            self.diagnostics.push(Diagnostic::new(Code::Syntax, span, message).with_help(help));
            self.expect(')', "')'")?;
            return Ok(Range { span: self.since(first), base: low, random: count });
        }
        let base = self.number("a number")?.node;
        if self.token().kind == Kind::Other(')') {
            let token = self.take();
            let span = self.span(token);
            let message = "the number of levels to choose from is missing";
            let help = format!("write ({base}, 0) for level {base} alone");
            self.diagnostics.push(Diagnostic::new(Code::Syntax, span, message).with_help(help));
            return Ok(Range { span: self.since(first), base, random: 0 });
        }
        self.expect(',', "','")?;
        let random = self.number("a number")?.node;
        self.expect(')', "')'")?;
        Ok(Range { span: self.since(first), base, random })
    }

    fn bones(&mut self) -> Result<Spanned<Bones>, Stop> {
        let text = self.text("a bones marker, e.g. \"A\" or \"none\"")?;
        let mut characters = text.node.chars();
        let bones = match (characters.next(), characters.next()) {
            (Some(one), None) if self.charset.encoded_len(&text.node) == 1 => Some(one),
            _ if text.node == "none" => None,
            _ => {
                let message = "a bones marker must be a single character or \"none\"";
                let help = "write one letter, as in \"A\", or \"none\" for a level without bones";
                self.diagnostics.push(Diagnostic::new(Code::BonesMarker, text.span, message).with_help(help));
                None
            }
        };
        Ok(Spanned::new(bones, text.span))
    }

    fn statement(&mut self, statement: Statement, first: usize) -> Result<(), Stop> {
        match statement {
            Statement::Dungeon => self.dungeon(first),
            Statement::Entry => {
                let entry = self.number("a level, e.g. 1 for the top or -1 for the bottom")?;
                if !self.catalog.dungeon.dungeons_enter() {
                    let message = format!("{} has no ENTRY", self.catalog.title);
                    let help = "write the level at the end of the branch to this dungeon";
                    let span = self.since(first);
                    self.diagnostics.push(Diagnostic::new(Code::Target, span, message).with_help(help));
                }
                let known = self.outer(first).map(|dungeon| std::mem::replace(&mut dungeon.entry, entry.node));
                if known.is_some_and(|known| known != 0) {
                    self.repeated(first, "ENTRY");
                }
                Ok(())
            }
            Statement::Prototype => {
                let name = self.text("a name")?;
                let known = self.outer(first).map(|dungeon| {
                    let known = std::mem::replace(&mut dungeon.prototype, name).node;
                    let is_repeated = !known.is_empty();
                    // In a file of Latin-1, a character is a byte.
                    let last = &dungeon.prototype.node;
                    if known.len() > last.len() || known.chars().count() > last.chars().count() {
                        dungeon.overwritten.push(known);
                    }
                    is_repeated
                });
                if known == Some(true) {
                    self.repeated(first, "PROTOFILE");
                }
                Ok(())
            }
            Statement::Description => {
                let (one, span) = self.descriptor()?;
                let fits = one.as_ref().is_some_and(|one| *one != Trait::Town && !one.is_alignment());
                if fits {
                    if let Some(dungeon) = self.outer(first) {
                        add(&mut dungeon.traits, one);
                    }
                } else {
                    self.wrong_descriptor(span, "a dungeon", "hellish, mazelike or roguelike");
                }
                Ok(())
            }
            Statement::Alignment => {
                let (one, span) = self.descriptor()?;
                if one.as_ref().is_none_or(Trait::is_alignment) {
                    if let Some(dungeon) = self.outer(first) {
                        add(&mut dungeon.traits, one);
                    }
                } else {
                    self.wrong_alignment(span);
                }
                Ok(())
            }
            Statement::LevelDescription => {
                let (one, span) = self.descriptor()?;
                if one.as_ref().is_some_and(Trait::is_alignment) {
                    self.wrong_descriptor(span, "a level", "town, hellish, mazelike or roguelike");
                } else {
                    self.describe_level(first, one);
                }
                Ok(())
            }
            Statement::LevelAlignment => {
                let (one, span) = self.descriptor()?;
                if one.as_ref().is_none_or(Trait::is_alignment) {
                    self.describe_level(first, one);
                } else {
                    self.wrong_alignment(span);
                }
                Ok(())
            }
            Statement::Level => self.level(first, &LevelForm { chained: false, variants: false }),
            Statement::RandomLevel => self.level(first, &LevelForm { chained: false, variants: true }),
            Statement::ChainLevel => self.level(first, &LevelForm { chained: true, variants: false }),
            Statement::RandomChainLevel => self.level(first, &LevelForm { chained: true, variants: true }),
            Statement::Branch => self.branch(first, false),
            Statement::ChainBranch => self.branch(first, true),
        }
    }

    /// Adds the dungeon, level or branch of a statement that could not be read, so that others that refer to it are
    /// not wrong as well.
    fn unread(&mut self, statement: Statement, first: usize) {
        let span = self.span(self.tokens[first]);
        let unknown = Spanned::new(Text::default(), span);
        let name = match self.tokens[first + 1..self.at].iter().find(|token| matches!(token.kind, Kind::Text(_))) {
            Some(&token @ Token { kind: Kind::Text(name), .. }) => Spanned::new(name.into(), self.span(token)),
            _ => unknown.clone(),
        };
        let place = Range { span, base: 1, random: 0 };
        let (connection, direction, entry) = (Connection::default(), Direction::default(), 0);
        let item = match statement {
            Statement::Dungeon => return self.unread_dungeon(name, span),
            // A branch without a name leads nowhere.
            Statement::Branch | Statement::ChainBranch if name.node.is_empty() => return,
            Statement::Branch | Statement::ChainBranch => {
                Item::Branch(Branch { span, target: name, chain: None, place, connection, direction, entry })
            }
            Statement::Level | Statement::RandomLevel | Statement::ChainLevel | Statement::RandomChainLevel => {
                let bones = Spanned::new(None, span);
                let (chance, variants) = (100, 0);
                Item::Level(Level { span, name, bones, chain: None, place, chance, variants, traits: Vec::new() })
            }
            _ => return,
        };
        if let Some(dungeon) = self.description.dungeons.last_mut() {
            dungeon.items.push(item);
        }
    }

    fn unread_dungeon(&mut self, name: Spanned<Text>, span: Span) {
        let unknown = Spanned::new(Text::default(), span);
        self.description.dungeons.push(Dungeon {
            span,
            name,
            bones: Spanned::new(None, span),
            // Its levels and branches are not wrong as well.
            size: Range { span, base: 25, random: 0 },
            chance: 0,
            entry: 0,
            prototype: unknown,
            overwritten: Vec::new(),
            lua: Default::default(),
            traits: Vec::new(),
            items: Vec::new(),
        });
    }

    fn dungeon(&mut self, first: usize) -> Result<(), Stop> {
        let name = self.text("the name of a dungeon")?;
        let bones = self.bones()?;
        let size = self.range()?;
        let chance = self.optional_number().map_or(self.catalog.dungeon.chance, |number| number.node);
        let span = self.since(first);
        let prototype = Spanned::new(Text::default(), span);
        self.description.dungeons.push(Dungeon {
            span,
            name,
            bones,
            size,
            chance,
            entry: 0,
            prototype,
            overwritten: Vec::new(),
            lua: Default::default(),
            traits: Vec::new(),
            items: Vec::new(),
        });
        Ok(())
    }

    fn level(&mut self, first: usize, form: &LevelForm) -> Result<(), Stop> {
        let name = self.text("the name of a level")?;
        let bones = self.bones()?;
        let chain = self.chain(form.chained)?;
        let place = self.range()?;
        let number = if form.variants { Some(self.number("the number of variants")?) } else { None };
        let second = self.optional_number();
        let (chance, variants) = match (number, second) {
            // With two numbers, the first is the chance.
            (Some(chance), Some(variants)) => (chance.node, variants.node),
            (Some(variants), None) => (100, variants.node),
            (None, chance) => (chance.map_or(100, |chance| chance.node), 0),
        };
        let span = self.since(first);
        if let Some(dungeon) = self.outer(first) {
            let level = Level { span, name, bones, chain, place, chance, variants, traits: Vec::new() };
            dungeon.items.push(Item::Level(level));
        }
        Ok(())
    }

    fn branch(&mut self, first: usize, chained: bool) -> Result<(), Stop> {
        let target = self.text("the name of a dungeon")?;
        let chain = self.chain(chained)?;
        let place = self.range()?;
        let connection = match self.token().kind {
            Kind::Word(Word::Connection(connection)) => {
                self.at += 1;
                connection
            }
            _ => Connection::default(),
        };
        let direction = match self.token().kind {
            Kind::Word(Word::Direction(direction)) => {
                self.at += 1;
                direction
            }
            _ => Direction::default(),
        };
        let entry = match self.catalog.dungeon.branches_enter() {
            true => self.optional_number().map_or(0, |number| number.node),
            false => 0,
        };
        let span = self.since(first);
        if let Some(dungeon) = self.outer(first) {
            dungeon.items.push(Item::Branch(Branch { span, target, chain, place, connection, direction, entry }));
        }
        Ok(())
    }

    /// Reads `@`, or the name of the level to count from and `+`.
    fn chain(&mut self, chained: bool) -> Result<Option<Spanned<Text>>, Stop> {
        if !chained {
            self.expect('@', "'@'")?;
            return Ok(None);
        }
        let chain = self.text("the name of the level to count from")?;
        self.expect('+', "'+'")?;
        Ok(Some(chain))
    }

    /// Returns the current dungeon, or reports that there is none yet.
    ///
    /// Quirk: in that case the games' compiler writes in front of its list of dungeons. A description then has no
    /// effect; levels and branches end up in other dungeons, which is an error here.
    fn outer(&mut self, first: usize) -> Option<&mut Dungeon> {
        if self.description.dungeons.is_empty() {
            let word = &self.prepared.text[self.tokens[first].start..self.tokens[first].end];
            let message = format!("{word} before the first DUNGEON");
            let help = "move it after the DUNGEON it belongs to";
            let places_something = matches!(
                self.tokens[first].kind,
                Kind::Word(Word::Statement(
                    Statement::Level
                        | Statement::RandomLevel
                        | Statement::ChainLevel
                        | Statement::RandomChainLevel
                        | Statement::Branch
                        | Statement::ChainBranch
                ))
            );
            let code = if places_something { Code::Placement } else { Code::StrayDescription };
            self.diagnostics.push(Diagnostic::new(code, self.since(first), message).with_help(help));
        }
        self.description.dungeons.last_mut()
    }

    fn descriptor(&mut self) -> Result<(Option<Trait>, Span), Stop> {
        let token = self.token();
        let one = match token.kind {
            Kind::Word(Word::Trait(one)) => one.cloned(),
            Kind::Word(Word::OwnTrait) => {
                Some(Trait::Own(Name::Owned(self.prepared.text[token.start..token.end].to_owned())))
            }
            _ => {
                let is_alignment = matches!(self.statement, Some(Statement::Alignment | Statement::LevelAlignment));
                let expected = if is_alignment { "an alignment, e.g. lawful" } else { "a descriptor, e.g. mazelike" };
                return Err(self.unexpected(expected));
            }
        };
        self.at += 1;
        Ok((one, self.span(token)))
    }

    fn wrong_descriptor(&mut self, span: Span, what: &str, words: &str) {
        let message = format!("this descriptor does not apply to {what}");
        self.diagnostics.push(Diagnostic::new(Code::Descriptor, span, message).with_help(format!("write {words}")));
    }

    fn wrong_alignment(&mut self, span: Span) {
        let help = "write lawful, neutral, chaotic or unaligned";
        self.diagnostics.push(Diagnostic::new(Code::Descriptor, span, "this is not an alignment").with_help(help));
    }

    fn repeated(&mut self, first: usize, what: &str) {
        let message = format!("this dungeon already has {what}; the last one is used");
        self.diagnostics.push(Diagnostic::new(Code::Ignored, self.since(first), message));
    }

    /// Adds a trait to the latest level. As in the games' compiler, that may be a level of an earlier dungeon.
    fn describe_level(&mut self, first: usize, one: Option<Trait>) {
        let span = self.since(first);
        let last = self.description.dungeons.len().checked_sub(1);
        let level = self.description.dungeons.iter_mut().enumerate().rev().find_map(|(number, dungeon)| {
            let level = dungeon.items.iter_mut().rev().find_map(|item| match item {
                Item::Level(level) => Some(level),
                Item::Branch(_) => None,
            });
            level.map(|level| (number, level))
        });
        let Some((number, level)) = level else {
            let message = "no level before this descriptor";
            let diagnostic = Diagnostic::new(Code::StrayDescription, span, message);
            self.diagnostics.push(diagnostic.with_help("move it after the level it describes"));
            return;
        };
        add(&mut level.traits, one);
        if Some(number) != last {
            let message = format!(
                "this describes \"{}\" of the previous dungeon: the current dungeon has no level yet",
                level.name.node
            );
            let diagnostic = Diagnostic::new(Code::StrayDescription, span, message);
            let diagnostic = diagnostic.with_secondary(level.name.span, "this level");
            self.diagnostics.push(
                diagnostic.with_help(
                    "move it after the level it describes, or write ALIGNMENT or DESCRIPTION for the dungeon",
                ),
            );
        }
    }
}

/// Returns the form of a statement.
pub(super) fn form(statement: Statement) -> &'static str {
    match statement {
        Statement::Dungeon => "DUNGEON: \"name\" \"bones\" (base, random) chance, where the chance is optional",
        Statement::Entry => "ENTRY: level, 1 for the top or -1 for the bottom",
        Statement::Prototype => "PROTOFILE: \"name\"",
        Statement::Description => "DESCRIPTION: hellish, mazelike or roguelike",
        Statement::Alignment => "ALIGNMENT: lawful, neutral, chaotic or unaligned",
        Statement::Level => "LEVEL: \"name\" \"bones\" @ (base, random) chance, where the chance is optional",
        Statement::RandomLevel => {
            "RNDLEVEL: \"name\" \"bones\" @ (base, random) chance variants, where the chance is optional"
        }
        Statement::ChainLevel => {
            "CHAINLEVEL: \"name\" \"bones\" \"level\" + (base, random) chance, where the chance is optional"
        }
        Statement::RandomChainLevel => {
            "RNDCHLEVEL: \"name\" \"bones\" \"level\" + (base, random) chance variants, where the chance is optional"
        }
        Statement::LevelDescription => "LEVELDESC: town, hellish, mazelike or roguelike",
        Statement::LevelAlignment => "LEVALIGN: lawful, neutral, chaotic or unaligned",
        Statement::Branch => {
            "BRANCH: \"dungeon\" @ (base, random) stair|no_up|no_down|portal up|down; the last two words may be omitted"
        }
        Statement::ChainBranch => {
            "CHAINBRANCH: \"dungeon\" \"level\" + (base, random) stair|no_up|no_down|portal up|down, where both words are \
             optional"
        }
    }
}

/// Inserts `one` into `traits`, keeping their order.
fn add(traits: &mut Vec<Trait>, one: Option<Trait>) {
    traits.extend(one);
    traits.order();
    traits.dedup();
}
