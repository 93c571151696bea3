//! Turns text that the grammar cannot read into advice: its position, the token found, the tokens expected, and a
//! correction.
//!
//! The grammar only knows the unexpected token. Here the statement around it is examined again for common mistakes:
//! quotes, colons, lower case, omissions, statements of another game's language.

use std::cell::OnceCell;

use lalrpop_util::ParseError;
use splc_ir::catalog::{Catalog, Format};
use splc_ir::diagnostic::{Code, Diagnostic, Mistake, did_you_mean, nearest};
use splc_ir::source::{FileId, Source, Span};
use splc_ir::wording::{Conjunction, listed};
use splc_ir::words::Group;

use super::lexer::{Lexer, Token};
use crate::detect::{self, thing_as_nethack343};
use crate::teach::shapes::Shapes;
use crate::teach::words::{self, Want, dialects_with, unclosed};
use crate::teach::{MAX_BLOCK, Unread};

/// Words that begin statements.
const STATEMENTS: &[&str] = &[
    "ALTAR",
    "BRANCH",
    "CHANCE",
    "CONTAINER",
    "CORRIDOR",
    "DOOR",
    "DRAWBRIDGE",
    "ENGRAVING",
    "FLAGS",
    "FOUNTAIN",
    "GEOMETRY",
    "GOLD",
    "INIT_MAP",
    "LADDER",
    "LEVEL",
    "MAZE",
    "MAZEWALK",
    "MESSAGE",
    "MONSTER",
    "NAME",
    "NOMAP",
    "NON_DIGGABLE",
    "NON_PASSWALL",
    "OBJECT",
    "POOL",
    "PORTAL",
    "RANDOM_CORRIDORS",
    "RANDOM_MONSTERS",
    "RANDOM_OBJECTS",
    "RANDOM_PLACES",
    "REGION",
    "ROOM",
    "SINK",
    "STAIR",
    "SUBROOM",
    "TELEPORT_REGION",
    "TRAP",
    "WALLIFY",
];

/// A statement that could not be read, up to the error.
struct Failure<'a, 's> {
    source: &'s Source,
    file: FileId,
    catalog: &'a Catalog,
    /// The tokens before the unexpected one.
    before: Vec<(usize, Token<'s>, usize)>,
    /// The unexpected token.
    found: Option<(usize, Token<'s>, usize)>,
    /// The names of the expected tokens.
    expected: Vec<String>,
    /// The offset of the error.
    at: usize,
    /// True if the file looks like a level of another dialect.
    of_another: &'a OnceCell<bool>,
}

type Parse<'s> = ParseError<usize, Token<'s>, ()>;

/// Returns the offset of `error`, or `otherwise` if it has none.
pub(super) fn place(error: &Parse<'_>, otherwise: usize) -> usize {
    match error {
        ParseError::UnrecognizedToken { token: (start, ..), .. } | ParseError::ExtraToken { token: (start, ..) } => {
            *start
        }
        ParseError::InvalidToken { location } | ParseError::UnrecognizedEof { location, .. } => *location,
        ParseError::User { .. } => otherwise,
    }
}

/// Explains the error in the statement that starts at `start`. `of_another` becomes true if the file looks like a level
/// of another dialect.
pub(super) fn explain(
    source: &Source,
    file: FileId,
    catalog: &Catalog,
    (start, error): (usize, &Parse<'_>),
    of_another: &OnceCell<bool>,
) -> Diagnostic {
    let at = place(error, start);
    let (found, expected) = match error {
        ParseError::UnrecognizedToken { token, expected } => (Some(token.clone()), expected.clone()),
        ParseError::UnrecognizedEof { expected, .. } => (None, expected.clone()),
        ParseError::ExtraToken { token } => (Some(token.clone()), Vec::new()),
        ParseError::InvalidToken { .. } | ParseError::User { .. } => (None, Vec::new()),
    };
    // Do not suggest tokens that only variants have.
    let expected: Vec<String> =
        expected.into_iter().filter(|token| !token.trim_matches('"').starts_with("own ")).collect();
    let text = source.text.get(start..at).unwrap_or("");
    let before = Lexer::new(text, source.charset, catalog)
        .filter(|(_, token, _)| *token != Token::End)
        .map(|(from, token, to)| (from + start, token, to + start))
        .collect();
    let failure = Failure { source, file, catalog, before, found, expected, at, of_another };
    let diagnostic = failure.explain();
    match failure.found {
        // The game's compiler recognises the end of a statement only at the next word, or at the end of the file.
        Some((_, Token::End, _)) => {
            let file_end = source.text.len();
            let (start, end) = failure.next().map_or((file_end, file_end), |(start, _, end)| (start, end));
            diagnostic.with_noticed(Span::new(file, start, end))
        }
        _ => diagnostic,
    }
}

impl Failure<'_, '_> {
    fn span(&self, start: usize, end: usize) -> Span {
        Span::new(self.file, start, end)
    }

    fn text(&self) -> &str {
        &self.source.text
    }

    fn expects(&self, token: &str) -> bool {
        self.expected.iter().any(|expected| expected.trim_matches('"') == token)
    }

    fn expects_only(&self, token: &str) -> bool {
        self.expects(token) && self.expected.len() == 1
    }

    /// Returns the start and text of the word around `at`: letters, digits, `_` and `-`. The text may be empty.
    fn word(&self, at: usize) -> (usize, &str) {
        let bytes = self.text().as_bytes();
        let part = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_' || *byte == b'-';
        let before = bytes.get(..at).unwrap_or(&[]).iter().rev().take_while(|byte| part(byte)).count();
        let after = bytes.get(at..).unwrap_or(&[]).iter().take_while(|byte| part(byte)).count();
        if after == 0 {
            return (at, "");
        }
        (at - before, self.text().get(at - before..at + after).unwrap_or(""))
    }

    fn line(&self, at: usize) -> (usize, &str) {
        let text = self.text();
        let start = text.get(..at).and_then(|before| before.rfind('\n')).map_or(0, |newline| newline + 1);
        let rest = text.get(start..).unwrap_or("");
        (start, rest.split('\n').next().unwrap_or("").trim_end_matches('\r'))
    }

    /// Returns true if there is a `$name` at `at`.
    fn is_variable(&self, at: usize) -> bool {
        let bytes = self.text().as_bytes();
        let glued = at.checked_sub(1).and_then(|before| bytes.get(before)).is_some_and(u8::is_ascii_alphanumeric);
        !glued && bytes.get(at) == Some(&b'$') && bytes.get(at + 1).is_some_and(u8::is_ascii_alphabetic)
    }

    fn at_end(&self) -> bool {
        matches!(self.found, None | Some((_, Token::End, _)))
    }

    fn keyword(&self) -> Option<&Token<'_>> {
        self.before.first().map(|(_, token, _)| token).filter(|token| token.begins_statement())
    }

    /// Returns the failure in the form for the advice shared by all languages.
    fn unread<'u>(&'u self, wants: &'u [Want]) -> Unread<'u> {
        let statement = self.before.first().filter(|(_, token, _)| token.begins_statement());
        let before = self.before.last().map_or(self.at, |&(_, _, end)| end);
        let found = match &self.found {
            Some((_, Token::End, _)) | None => {
                self.next().map_or(self.text().len()..self.text().len(), |(from, _, to)| from..to)
            }
            Some((start, _, end)) => *start..*end,
        };
        Unread {
            text: self.text(),
            file: self.file,
            catalog: self.catalog,
            statement: statement.and_then(|(start, _, end)| Some((self.text().get(*start..*end)?, *start))),
            before,
            found,
            wants,
            defines: &|_| false,
        }
    }

    /// Gives the advice shared by all languages, about punctuation and words inside a statement.
    fn shared(&self) -> Option<Diagnostic> {
        let wants: Vec<Want> = self.expected.iter().map(|name| Want::of(name)).collect();
        let unread = self.unread(&wants);
        unread.statement?;
        unread
            .single_quotes()
            .or_else(|| unread.quoted_word())
            .or_else(|| unread.fraction())
            .or_else(|| unread.chance())
            .or_else(|| unread.numbers())
            .or_else(|| unread.place_of_words())
            .or_else(|| unread.loose_place())
            .or_else(|| unread.not_closed())
            .or_else(|| unread.signs())
            .or_else(|| unread.loose_class())
            .or_else(|| unread.value_word())
    }

    /// Explains the error.
    fn explain(&self) -> Diagnostic {
        let advice = self.register().or_else(|| self.advice());
        let unread = self.unread(&[]);
        let reads = |statement: &str| super::reads(statement, self.catalog);
        let shapes = unread.statement.and_then(|begun| {
            // A word that is not a keyword can be several tokens.
            let (at, word) = self.word(unread.found.start);
            let is_word = at >= unread.before && word.starts_with(|first: char| first.is_ascii_alphabetic());
            let found = if is_word { at..at + word.len() } else { unread.found.clone() };
            let place = (unread.before, found);
            Shapes::new(self.text(), self.file, self.catalog, begun, place, &reads)
        });
        let Some(shapes) = shapes else { return advice.unwrap_or_else(|| self.plain()) };
        shapes.best(advice).unwrap_or_else(|| self.plain())
    }

    fn advice(&self) -> Option<Diagnostic> {
        let wants: Vec<Want> = self.expected.iter().map(|name| Want::of(name)).collect();
        self.too_long()
            .or_else(|| self.chance_first())
            .or_else(|| self.unread(&wants).curly_quotes())
            .or_else(|| self.unread(&wants).html())
            .or_else(|| self.unread(&wants).escaped_line_end())
            .or_else(|| self.unread(&wants).placeholder())
            .or_else(|| self.character())
            .or_else(|| self.string())
            .or_else(|| self.comment())
            .or_else(|| self.statement_word())
            .or_else(|| self.semicolon())
            .or_else(|| self.class())
            .or_else(|| self.region_light())
            .or_else(|| self.corpse())
            .or_else(|| self.map())
            .or_else(|| self.trailing_comma())
            .or_else(|| self.nameless())
            .or_else(|| self.appearance())
            .or_else(|| self.script_value())
            .or_else(|| self.shared())
            .or_else(|| self.value_word())
    }

    // --- Mistakes

    /// Reports `place(0)` instead of `place[0]`.
    fn register(&self) -> Option<Diagnostic> {
        let Some((start, Token::Open, end)) = self.found else { return None };
        let inner = self.text().get(end..)?.split(')').next()?;
        let (_, last, to) = self.before.last()?;
        let number = !inner.is_empty() && inner.bytes().all(|byte| byte.is_ascii_digit());
        if !self.expects_only("[") || !number || *to != start || matches!(last, Token::End) {
            return None;
        }
        let close = end + inner.len();
        Some(
            Diagnostic::new(Code::Syntax, self.span(start, close + 1), "the number of a register must be in brackets")
                .with_help(format!("write [{inner}]"))
                .with_suggestion(self.span(start, close + 1), format!("[{inner}]"), true),
        )
    }

    fn too_long(&self) -> Option<Diagnostic> {
        let Some((start, Token::TooLong, end)) = self.found else { return None };
        Some(Diagnostic::new(Code::TooLarge, self.span(start, end), "this statement is too long"))
    }

    /// Reports a chance at the start of a line, as in scripts: `[50%]: TRAP: ...`.
    fn chance_first(&self) -> Option<Diagnostic> {
        let (start, Token::Percent(_), end) = self.found.as_ref()? else { return None };
        let (line_start, line) = self.line(*start);
        if !line[..start - line_start].trim().is_empty() {
            return None;
        }
        let rest = line.get(end - line_start..)?.trim_start().strip_prefix(':')?.trim_start();
        let word = rest.split(|letter: char| !(letter.is_ascii_uppercase() || letter == '_')).next()?;
        let chance = self.text().get(*start..*end)?;
        let message = format!("{} does not take a chance before a statement", self.catalog.title);
        let diagnostic = Diagnostic::new(Code::WrongDialect, self.span(*start, *end), message);
        if !matches!(word, "MONSTER" | "OBJECT" | "TRAP") {
            return Some(diagnostic.with_help("remove it: only MONSTER, OBJECT and TRAP have a chance"));
        }
        let to = line_start + line.len() - rest.len() + word.len();
        let right = format!("{word}{chance}");
        Some(diagnostic.with_help(format!("write it before the colon: {right}:")).with_suggestion(
            self.span(*start, to),
            right,
            true,
        ))
    }

    fn character(&self) -> Option<Diagnostic> {
        let Some((start, Token::Junk(character), end)) = self.found else { return None };
        if character.is_ascii_graphic() {
            return None;
        }
        let name = match character {
            '\r' => "a carriage return without its line feed".to_owned(),
            '\'' => return None,
            _ => format!("the character '{character}'"),
        };
        Some(
            Diagnostic::new(Code::Lexical, self.span(start, end), format!("{name} outside a string"))
                .with_help("use only ASCII characters outside strings and comments"),
        )
    }

    fn string(&self) -> Option<Diagnostic> {
        // A string that continues on the next line has most likely lost its closing quote.
        let long = |token: &(usize, Token<'_>, usize)| matches!(token.1, Token::Text(text) if text.contains('\n'));
        let found = self.found.iter().find(|token| long(token) || matches!(token.1, Token::Junk('"')));
        let (start, ..) = self.before.iter().find(|token| long(token)).or(found)?;
        let (line_start, line) = self.line(*start);
        let end = line_start + line.len();
        let span = self.span(*start, end.max(start + 1));
        Some(unclosed(span, self.text().get(start + 1..end).unwrap_or(""), self.catalog))
    }

    fn comment(&self) -> Option<Diagnostic> {
        let Some((start, Token::Junk('#'), _)) = self.found else { return None };
        let (line_start, line) = self.line(start);
        let span = self.span(start, (line_start + line.len()).max(start + 1));
        if start == line_start {
            return Some(
                Diagnostic::new(Code::Lexical, span, "this comment has no line end")
                    .with_help("end the file with a line end"),
            );
        }
        let diagnostic = Diagnostic::new(Code::Lexical, span, "a comment must begin in the first column");
        let is_alone = line[..start - line_start].trim().is_empty();
        Some(match is_alone {
            true => diagnostic.with_help("remove the blanks before it").with_suggestion(
                self.span(line_start, start),
                "",
                true,
            ),
            false => diagnostic.with_help("move it to its own line, with the `#` in the first column"),
        })
    }

    /// Reports an unknown word at the start of a statement.
    fn statement_word(&self) -> Option<Diagnostic> {
        let (at, word) = match (self.before.first(), &self.found) {
            (None, Some((start, ..))) => self.word(*start),
            // `ROOMDOOR` is split into ROOM and DOOR.
            (Some((start, _, end)), Some((found, ..))) if self.before.len() == 1 && end == found => self.word(*start),
            _ => return None,
        };
        let span = self.span(at, at + word.len().max(1));
        let (line_start, line) = self.line(at);
        if STATEMENTS.contains(&word) {
            return None;
        }
        let is_map_character = |c: char| c.is_ascii_digit() || self.catalog.map_characters.contains(c);
        if line.len() >= 3 && line.chars().all(is_map_character) {
            return Some(
                Diagnostic::new(
                    Code::MapText,
                    self.span(line_start, line_start + line.len()),
                    "a map row without MAP before it",
                )
                .with_help("begin the map with MAP alone on its line, in the first column"),
            );
        }
        let spoken = word.to_ascii_uppercase();
        if spoken == "MAP" || spoken == "ENDMAP" {
            return Some(if spoken == "MAP" {
                self.unread(&[]).map_not_alone(at, word)
            } else {
                Diagnostic::new(Code::MapText, span, format!("{spoken} is not recognised here")).with_help(
                    "no MAP is open: MAP must be alone on its line, in capitals, starting in the first column",
                )
            });
        }
        if STATEMENTS.contains(&spoken.as_str()) {
            return Some(
                Diagnostic::new(Code::Syntax, span, format!("`{word}` is not a statement: keywords are in capitals"))
                    .with_help(format!("write {spoken}"))
                    .with_suggestion(span, spoken, true),
            );
        }
        if self.is_variable(at) {
            let end = at + 1 + self.word(at + 1).1.len();
            return Some(self.other_dialect(self.span(at, end), "variables", &[]));
        }
        let dialects = dialects_with(word, self.catalog);
        if word.len() > 1 && word == spoken && !dialects.is_empty() {
            return Some(match word {
                "ROOMDOOR" => {
                    let line = self.text().get(at..).and_then(|rest| rest.lines().next()).unwrap_or_default();
                    let values = line["ROOMDOOR".len()..].trim_start_matches([':', ' ', '\t']).replace(' ', "");
                    let values = if values.is_empty() { "secret,state,wall,position" } else { values.as_str() };
                    self.other_dialect(span, "ROOMDOOR", &dialects)
                        .with_help(format!("write the door of a room with DOOR: `DOOR:{values}`"))
                        .with_suggestion(span, "DOOR", false)
                }
                _ => self.other_dialect(span, word, &dialects),
            });
        }
        if word.is_empty() {
            if let Some(advice) = self.unread(&[Want::End]).statement_start(at) {
                return Some(advice);
            }
            let (start, token, end) = self.found.as_ref()?;
            if matches!(token, Token::Junk('{' | '}')) {
                let mut braces = self.other_dialect(self.span(*start, *end), "blocks in braces", &[]);
                braces.message = Mistake::ForeignBlocks(self.catalog.title.to_string()).into();
                return Some(braces);
            }
            let what = self.describe(token, *start, *end);
            return Some(
                Diagnostic::new(Code::Syntax, self.span(*start, *end), Mistake::expected("a statement", what))
                    .with_help("begin a statement with a keyword in capitals, such as MONSTER or OBJECT"),
            );
        }
        self.unread(&[Want::End]).statement_start(at)
    }

    /// Reports a construct of the script languages.
    fn other_dialect(&self, span: Span, what: &str, dialects: &[&str]) -> Diagnostic {
        let whose = match dialects {
            [] => "later games".to_owned(),
            _ => listed(dialects, Conjunction::And),
        };
        let diagnostic = Diagnostic::new(Code::WrongDialect, span, format!("{} has no {what}", self.catalog.title))
            .with_label(format!("only in {whose}"));
        // Another dialect reads a statement of its own, but not a file that is of this game otherwise.
        let looks = || detect::looks_like_another(self.text(), &self.catalog.dialect).is_some();
        let is_of_another = *self.of_another.get_or_init(looks);
        let or_dialect = |help: &str| match is_of_another {
            true => format!("use the `--dialect` of that game, or {help}"),
            false => help.to_owned(),
        };
        // An array of places is shuffled from the start.
        let line = self.text().get(span.start as usize..).and_then(|rest| rest.lines().next()).unwrap_or("");
        let places = line.split_once('{').map(|(_, list)| list.trim_end().trim_end_matches('}').trim());
        match places.filter(|places| places.starts_with('(') && what == "variables") {
            Some(places) => diagnostic.with_help(or_dialect(&format!(
                "write RANDOM_PLACES:{places}, whose places are place[0], place[1] and so on"
            ))),
            None if what == "SHUFFLE" => {
                diagnostic.with_help(or_dialect("remove it: the places of RANDOM_PLACES are always shuffled"))
            }
            None => diagnostic.with_help(or_dialect(&without(what, line))),
        }
    }

    fn semicolon(&self) -> Option<Diagnostic> {
        let Some((start, Token::Junk(';'), end)) = self.found else { return None };
        let instead = if self.expects(":") {
            ":"
        } else if self.expects(",") {
            ","
        } else {
            return None;
        };
        let span = self.span(start, end);
        let word = self.before.first().and_then(|&(start, _, end)| self.text().get(start..end)).unwrap_or("MONSTER");
        Some(
            Diagnostic::new(Code::Syntax, span, Mistake::expected(format!("`{instead}`"), "`;`"))
                .with_help(if instead == ":" {
                    format!("write a colon after the keyword: `{word}:`")
                } else {
                    "separate values with commas".to_owned()
                })
                .with_suggestion(span, instead, true),
        )
    }

    /// Reports a value in place of a class in single quotes.
    fn class(&self) -> Option<Diagnostic> {
        if !self.expects("character") {
            return None;
        }
        let keyword = self.keyword()?;
        let (name, example, monster) = match keyword {
            Token::Monster => ("MONSTER", "MONSTER:'a',\"soldier ant\",(3,4)", true),
            Token::RandomMonsters => ("RANDOM_MONSTERS", "RANDOM_MONSTERS:'a','b'", true),
            Token::Object => ("OBJECT", "OBJECT:'(',\"pick-axe\",(3,4)", false),
            Token::Container => ("CONTAINER", "CONTAINER:'(',\"chest\",(3,4)", false),
            Token::RandomObjects => ("RANDOM_OBJECTS", "RANDOM_OBJECTS:'(','['", false),
            _ => return None,
        };
        let (start, token, end) = self.found.as_ref()?;
        let span = self.span(*start, *end);
        match token {
            Token::Text(text) if text.chars().count() == 1 => Some(
                Diagnostic::new(Code::Syntax, span, format!("the class of {name} is in double quotes"))
                    .with_help(format!("write a class as one character in single quotes: '{text}'"))
                    .with_suggestion(span, format!("'{text}'"), true),
            ),
            Token::Text(text) => {
                let species = if monster {
                    let found = self.catalog.monster(text, None);
                    found.and_then(|(number, _)| self.catalog.monsters.get(number as usize))
                } else {
                    let found = self.catalog.object(text, None);
                    found.and_then(|(number, _)| self.catalog.objects.get(number as usize))
                };
                let diagnostic =
                    Diagnostic::new(Code::Syntax, span, Mistake::expected(format!("the class of {name}"), "a name"));
                if matches!(keyword, Token::RandomMonsters | Token::RandomObjects) {
                    return Some(match species {
                        Some(species) => diagnostic
                            .with_help(format!("write only classes in {name}: '{}'", species.class))
                            .with_suggestion(span, format!("'{}'", species.class), false),
                        None => diagnostic.with_help(format!("write only classes in {name}: `{example}`")),
                    });
                }
                Some(match species {
                    Some(species) => diagnostic
                        .with_help(format!("write the class first: '{}',\"{}\"", species.class, species.name))
                        .with_suggestion(span, format!("'{}',\"{}\"", species.class, species.name), false),
                    None => diagnostic.with_help(format!("write the class first, in single quotes: `{example}`")),
                })
            }
            Token::Open if self.text().get(*end..).is_some_and(|rest| rest.trim_start().starts_with(['\'', '"'])) => {
                let diagnostic = Diagnostic::new(
                    Code::WrongDialect,
                    span,
                    format!("the class and name of {name} take no parentheses in {}", self.catalog.title),
                )
                .with_label(format!("only in {}", script_dialects()));
                let (line_start, line) = self.line(*start);
                let statement = line.get(self.before.first()?.0.saturating_sub(line_start)..).unwrap_or("");
                Some(match thing_as_nethack343(statement).filter(|right| super::reads(right, self.catalog)) {
                    Some(right) => {
                        let from = self.before.first()?.0;
                        diagnostic.with_help(format!("write `{right}`")).with_suggestion(
                            self.span(from, from + statement.len()),
                            right,
                            false,
                        )
                    }
                    None => diagnostic.with_help(format!("write it like `{example}`")),
                })
            }
            Token::Junk('\'') => Some(
                Diagnostic::new(Code::Syntax, span, format!("the class of {name} is not one character in quotes"))
                    .with_help(format!("write a class as one character in single quotes: `{example}`")),
            ),
            _ => None,
        }
    }

    fn region_light(&self) -> Option<Diagnostic> {
        let (start, Token::Text(_), end) = self.found.as_ref()? else { return None };
        if !matches!(self.keyword(), Some(Token::Region | Token::Room | Token::Subroom)) || !self.expects("light") {
            return None;
        }
        let (word, form) = match self.keyword() {
            Some(Token::Region) => ("REGION", "REGION:(x1,y1,x2,y2),lit,\"ordinary\""),
            Some(Token::Room) => ("ROOM", "ROOM:\"ordinary\",lit,position,alignment,size"),
            _ => ("SUBROOM", "SUBROOM:\"ordinary\",lit,position,size,\"parent\""),
        };
        Some(
            Diagnostic::new(Code::Syntax, self.span(*start, *end), format!("{word} without a light state"))
                .with_help(format!("write `lit`, `unlit` or `random` first: `{form}`")),
        )
    }

    /// Reports an OBJECT that ends with the monster of a corpse or statue.
    fn corpse(&self) -> Option<Diagnostic> {
        if !matches!(self.keyword(), Some(Token::Object | Token::Container)) || !self.expects_only(",") {
            return None;
        }
        let (start, Token::Text(name), end) = self.before.last()? else { return None };
        let mut depth = 0;
        let commas = self.before.iter().filter(|(_, token, _)| {
            match token {
                Token::Open => depth += 1,
                Token::Close => depth -= 1,
                _ => {}
            }
            depth == 0 && *token == Token::Comma
        });
        if commas.count() < 3 {
            return None;
        }
        Some(
            Diagnostic::new(Code::Syntax, self.span(*start, *end), "the enchantment is missing after this")
                .with_label("the monster of the corpse or statue")
                .with_help(format!("write an enchantment, even for a corpse: `\"{name}\",0`"))
                .with_suggestion(self.span(*end, *end), ",0", false),
        )
    }

    /// Reports a thing without the name between its class and its place: `MONSTER:'o',(5,2)`.
    fn nameless(&self) -> Option<Diagnostic> {
        if !matches!(self.keyword(), Some(Token::Monster | Token::Object | Token::Container)) || !self.expects("text") {
            return None;
        }
        let (start, found, _) = self.found.as_ref()?;
        let &(_, ref last, comma) = self.before.last()?;
        let commas = self.before.iter().filter(|(_, token, _)| *token == Token::Comma).count();
        let is_place = matches!(found, Token::Open) || matches!(self.word(*start).1, "place" | "contained");
        if *last != Token::Comma || commas != 1 || !is_place {
            return None;
        }
        let (word, at) = self.unread(&[]).statement?;
        let (line_start, line) = self.line(*start);
        let rest = line.get(*start - line_start..)?.trim_end();
        let right = format!("{}random,{rest}", self.text().get(at..comma)?);
        let place =
            rest.find(')').filter(|_| matches!(found, Token::Open)).map_or(start + 1, |close| start + close + 1);
        let place = place.max(start + self.word(*start).1.len());
        let message = format!("the name of this {word} is missing");
        Some(
            Diagnostic::new(Code::Syntax, self.span(*start, place), message)
                .with_label("the place is the third value")
                .with_help(format!("write {right}"))
                .with_suggestion(self.span(*start, *start), "random,", true),
        )
    }

    /// Reports a GEOMETRY without its map.
    fn map(&self) -> Option<Diagnostic> {
        if !self.expects("map") || !matches!(self.keyword(), Some(Token::Geometry)) {
            return None;
        }
        let (start, _, end) = self.before.first()?;
        let geometry = self.span(*start, *end);
        let (found_start, token, found_end) = self.next()?;
        let (at, word) = self.word(found_start);
        let near = word.len() > 1 && did_you_mean(word, ["MAP"]).is_some();
        let what = self.describe(&token, found_start, found_end);
        if word == "MAP" {
            return Some(
                self.unread(&[]).map_not_alone(at, word).with_secondary(geometry, "this GEOMETRY needs a map"),
            );
        }
        let span = if near { self.span(at, at + word.len()) } else { self.span(found_start, found_end) };
        Some(
            Diagnostic::new(Code::MapText, span, format!("expected MAP after GEOMETRY, found {what}"))
                .with_secondary(geometry, "this GEOMETRY needs a map")
                .with_help("write MAP alone on its line, in the first column, then the rows, then ENDMAP"),
        )
    }

    fn trailing_comma(&self) -> Option<Diagnostic> {
        let (start, Token::Comma, end) = self.before.last()? else { return None };
        if !self.at_end() {
            return None;
        }
        let span = self.span(*start, *end);
        let diagnostic = Diagnostic::new(Code::Syntax, span, "nothing follows this comma")
            .with_help(format!("remove it, or write a value after it: {}", self.expected_words()));
        Some(diagnostic.with_suggestion(span, "", false))
    }

    /// Reports the disguise of a mimic in script syntax: `m_object:"boulder"`.
    fn appearance(&self) -> Option<Diagnostic> {
        let (.., Token::Appearance(_), end) = self.before.last()? else { return None };
        let (start, Token::Colon, colon_end) = self.found.as_ref()? else { return None };
        let word =
            self.text()[..*end].rsplit(|letter: char| !(letter.is_ascii_alphabetic() || letter == '_')).next()?;
        let span = self.span(*start, *colon_end);
        Some(
            Diagnostic::new(Code::Syntax, span, format!("{word} takes no colon in {}", self.catalog.title))
                .with_help(format!("write {word} \"name\""))
                .with_suggestion(span, " ", true),
        )
    }

    fn script_value(&self) -> Option<Diagnostic> {
        let (start, Token::Junk(character), _) = self.found.as_ref()? else { return None };
        let word = self.word(start + 1).1;
        if *character == '$'
            && matches!(word, "place" | "object" | "monster")
            && self.text()[start + 1 + word.len()..].trim_start().starts_with('[')
        {
            let message = format!("registers have no `$` in {}", self.catalog.title);
            return Some(
                Diagnostic::new(Code::WrongDialect, self.span(*start, start + 1), message)
                    .with_help(format!("write {}]", self.text()[start + 1..].split(']').next()?))
                    .with_suggestion(self.span(*start, start + 1), "", true),
            );
        }
        let what = match character {
            '$' if self.is_variable(*start) => "variables",
            '{' => "blocks in braces",
            _ => return None,
        };
        let diagnostic = self.other_dialect(self.span(*start, start + 1), what, &[]);
        let braces = self.unread(&[]).statement.filter(|_| *character == '{').map_or("", |(word, _)| word);
        Some(match braces {
            "CONTAINER" => diagnostic.with_help(
                "remove the braces, and write each object after it with `contained` as its place: \
                 OBJECT:'*',\"ruby\",contained",
            ),
            "OBJECT" => diagnostic.with_help(
                "write CONTAINER instead of OBJECT, remove the braces, and write each object after it with \
                 `contained` as its place: OBJECT:'*',\"ruby\",contained",
            ),
            "ROOM" | "SUBROOM" => {
                diagnostic.with_help("remove the braces: a room ends at the next ROOM, SUBROOM or CORRIDOR")
            }
            "MONSTER" => diagnostic.with_help("remove the braces: the game chooses what a monster carries"),
            _ => diagnostic,
        })
    }

    /// Reports an unknown or unsuitable word.
    fn value_word(&self) -> Option<Diagnostic> {
        let (start, token, _) = self.found.as_ref()?;
        if matches!(token, Token::Text(_) | Token::Character(_) | Token::Integer(_)) {
            return None;
        }
        let (at, word) = self.word(*start);
        if word.len() < 2 || !word.starts_with(|first: char| first.is_ascii_alphabetic()) {
            return None;
        }
        let span = self.span(at, at + word.len());
        if self.catalog.is_keyword(word) {
            return None;
        }
        let spoken = word.to_ascii_lowercase();
        if self.catalog.is_keyword(&spoken) && spoken != word {
            return Some(
                Diagnostic::new(Code::Syntax, span, format!("unknown keyword `{word}`: values are in lower case"))
                    .with_help(format!("write {spoken}"))
                    .with_suggestion(span, spoken, true),
            );
        }
        let diagnostic = Diagnostic::new(Code::Syntax, span, format!("unknown keyword `{word}`"));
        // If a word begins with a keyword, it is split in two, and the expected tokens concern its rest.
        let words = self.catalog.all_keywords().iter().map(|word| word.as_ref());
        let values = words.filter(|known: &&str| known.starts_with(|first: char| first.is_ascii_lowercase()));
        Some(match nearest(word, values).as_slice() {
            _ if words::value(&spoken, &[Want::Group(Group::Alignment)])
                .is_some_and(|right| self.catalog.is_keyword(right)) =>
            {
                let right = words::value(&spoken, &[Want::Group(Group::Alignment)]).unwrap_or_default();
                diagnostic.with_help(format!("write {right}")).with_suggestion(span, right, true)
            }
            [only] if at < *start => {
                diagnostic.with_help(format!("did you mean `{only}`?")).with_suggestion(span, *only, true)
            }
            _ if at < *start && words::value(&spoken, &[Want::Group(Group::Engraving)]).is_some() => {
                let right = words::value(&spoken, &[Want::Group(Group::Engraving)]).unwrap_or_default();
                diagnostic.with_help(format!("write {right}")).with_suggestion(span, right, true)
            }
            _ if at < *start && self.catalog.is_keyword(&self.text()[at..*start]) => {
                let (right, rest) = (&self.text()[at..*start], &word[*start - at..]);
                // `northeast` is not `north`.
                let certain = !self.catalog.is_keyword(rest);
                diagnostic.with_help(format!("did you mean `{right}`?")).with_suggestion(span, right, certain)
            }
            _ => return None,
        })
    }

    /// Reports a register without its number.
    fn unnumbered(&self) -> Option<Diagnostic> {
        let &(start, _, end) = self.before.last().filter(|_| self.expects_only("["))?;
        let word =
            self.text().get(start..end).filter(|word| matches!(*word, "place" | "object" | "monster" | "align"))?;
        Some(
            Diagnostic::new(Code::Syntax, self.span(start, end), "this register has no number")
                .with_help(format!("write its number in brackets, starting from 0: {word}[0]")),
        )
    }

    fn plain(&self) -> Diagnostic {
        let expected = self.expected_words();
        let before_map = self.expects_only(",") && matches!(self.found, Some((_, Token::Map(_), _)));
        if self.at_end() || before_map {
            let (start, end) = self.before.last().map_or((self.at, self.at), |(start, _, end)| (*start, *end));
            if let Some(diagnostic) = self.unnumbered() {
                return diagnostic;
            }
            if let Some(("SUBROOM", at)) = self.unread(&[]).statement
                && self.expects_only(",")
                && let Some(subroom) = self.text().get(at..end)
                && subroom.ends_with(')')
                && subroom.matches('(').count() + subroom.matches("random").count() >= 2
            {
                let named = self.text()[..at].rsplit_once("\nNAME");
                let name = named.and_then(|(_, rest)| rest.split('"').nth(1)).unwrap_or("name");
                let message = "this SUBROOM does not name the room around it";
                return Diagnostic::new(Code::Syntax, self.span(start, end), message)
                    .with_help(format!("write {subroom}, \"{name}\""));
            }
            let diagnostic =
                Diagnostic::new(Code::Syntax, self.span(start, end), Mistake::Incomplete("statement".to_owned()))
                    .with_help(self.usage().unwrap_or_else(|| format!("expected {expected} after this")));
            return match self.next() {
                Some((start, token, end)) => {
                    let what = self.describe(&token, start, end);
                    diagnostic.with_secondary(self.span(start, end), format!("{what} follows"))
                }
                None => diagnostic,
            };
        }
        match &self.found {
            Some((start, token, end)) => {
                if let Some(diagnostic) = self.unnumbered() {
                    return diagnostic;
                }
                let (at, word) = self.word(*start);
                let whole = matches!(token, Token::Junk(_)) && !word.is_empty();
                let span = if whole { self.span(at, at + word.len()) } else { self.span(*start, *end) };
                let what = self.describe(token, *start, *end);
                let bare = what.trim_start_matches("a ").trim_start_matches("the ");
                if let (Token::Comma, Some((word, _)), true) =
                    (token, self.unread(&[]).statement, self.expects_only("end"))
                {
                    let rest = self.text().get(*end..).unwrap_or("").trim_start();
                    let keyword = self.unread(&[]).statement.map_or(0, |(_, at)| at);
                    let is_maze = || {
                        let mut after = rest.lines().take(MAX_BLOCK);
                        after.any(|line| line.starts_with("GEOMETRY") || line.starts_with("NOMAP"))
                    };
                    if word == "LEVEL" && rest.starts_with('\'') && is_maze() {
                        let span = self.span(keyword, keyword + word.len());
                        return Diagnostic::new(Code::Syntax, span, "a LEVEL has no filling")
                            .with_help("write MAZE for a level with a filling")
                            .with_suggestion(span, "MAZE", true);
                    }
                    // The values after the comma, up to the end of the line.
                    let value = rest.lines().next().unwrap_or_default().trim_end();
                    let at = self.text().len() - rest.len();
                    let is_value = !value.is_empty() && !self.text()[*end..at].contains('\n');
                    let span = if is_value { self.span(at, at + value.len()) } else { span };
                    let diagnostic = Diagnostic::new(Code::Syntax, span, format!("too many values for {word}"))
                        .with_label("unexpected value");
                    return match self.usage() {
                        Some(usage) => diagnostic.with_help(usage),
                        None => diagnostic,
                    };
                }
                let diagnostic = Diagnostic::new(Code::Syntax, span, Mistake::Unexpected(bare.to_owned()))
                    .with_label(format!("expected {expected}"));
                if let Some(&(last, _, end)) = self.before.last()
                    && self.expects(",")
                    && matches!(token, Token::Open | Token::Text(_) | Token::Character(_) | Token::Integer(_))
                    && self.text().get(end..*start).is_some_and(|between| between.contains('\n'))
                {
                    return Diagnostic::new(Code::Syntax, self.span(last, end), "there is no `,` after this")
                        .with_secondary(span, "the statement goes on here")
                        .with_help("write `,` at the end of the line")
                        .with_suggestion(self.span(end, end), ",", true);
                }
                // A missing comma needs no further advice.
                let glued = |at: usize| {
                    let before = self.text().get(..at).and_then(|before| before.chars().next_back());
                    before.is_some_and(|before| before.is_ascii_alphanumeric() || before == '(')
                };
                if self.expects_only(",") && !glued(*start) {
                    let before = self.before.last().map_or(*start, |&(_, _, end)| end);
                    return diagnostic.with_suggestion(self.span(before, before), ",", true);
                }
                let keywords = self.catalog.all_keywords().iter().map(|word| word.as_ref());
                let words = keywords.filter(|known: &&str| known.starts_with(|first: char| first.is_ascii_lowercase()));
                if let (true, [only]) = (whole && word.len() > 3, nearest(word, words).as_slice()) {
                    let help = format!("did you mean `{only}`?");
                    return diagnostic.with_help(help).with_suggestion(span, *only, true);
                }
                match self.usage() {
                    Some(usage) => diagnostic.with_help(usage),
                    None => diagnostic,
                }
            }
            None => {
                Diagnostic::new(Code::Syntax, self.span(self.at, self.at), Mistake::Expected { expected, found: None })
            }
        }
    }

    /// Returns the syntax of the statement.
    fn usage(&self) -> Option<String> {
        self.unread(&[]).usage()
    }

    // --- Descriptions of tokens

    /// Returns the token after the end of the statement.
    fn next(&self) -> Option<(usize, Token<'_>, usize)> {
        match &self.found {
            Some((_, Token::End, end)) => {
                let rest = self.text().get(*end..)?;
                let (start, token, length) = Lexer::new(rest, self.source.charset, self.catalog).next()?;
                Some((start + end, token, length + end))
            }
            Some(found) => Some(found.clone()),
            None => None,
        }
    }

    fn describe(&self, token: &Token<'_>, start: usize, end: usize) -> String {
        let text = self.text().get(start..end).unwrap_or("");
        match token {
            Token::Text(_) => "a string in double quotes".to_owned(),
            Token::Character(_) => format!("the character {text}"),
            Token::Integer(_) => format!("the number {text}"),
            Token::Map(_) => "a map".to_owned(),
            Token::End => "the end of the statement".to_owned(),
            Token::TooLong => "extra input".to_owned(),
            Token::Junk(_) => {
                let (_, word) = self.word(start);
                if word.len() > 1 { format!("`{word}`") } else { format!("`{text}`") }
            }
            token if token.begins_statement() => format!("the statement {text}"),
            _ => format!("`{text}`"),
        }
    }

    fn expected_words(&self) -> String {
        let words: Vec<String> = self
            .expected
            .iter()
            .map(|expected| match expected.trim_matches('"') {
                "door state" => "a door state (`open`, `closed`, `locked`, `nodoor`, `broken`)".to_owned(),
                "direction" => "a direction (`north`, `east`, `south`, `west`)".to_owned(),
                "horizontal" => "`left`, `half-left`, `half-right`, `right`".to_owned(),
                "vertical" => "`top`, `bottom`".to_owned(),
                "light" => "`lit` or `unlit`".to_owned(),
                "filling" => "`filled` or `unfilled`".to_owned(),
                "alignment" => {
                    "an alignment (`noalign`, `law`, `neutral`, `chaos`, `coaligned`, `noncoaligned`)".to_owned()
                }
                "attitude" => "`peaceful` or `hostile`".to_owned(),
                "alertness" => "`asleep` or `awake`".to_owned(),
                "appearance" => "`m_feature`, `m_monster` or `m_object`".to_owned(),
                "altar type" => "`altar`, `shrine`, `sanctum`".to_owned(),
                "up or down" => "`up` or `down`".to_owned(),
                "boolean" => "`true` or `false`".to_owned(),
                "engraving type" => "an engraving type (`dust`, `engrave`, `burn`, `mark`)".to_owned(),
                "curse" => "`blessed`, `uncursed` or `cursed`".to_owned(),
                "flag" => "a flag (`noteleport`, `hardfloor`, `nommap`, `shortsighted`, `arboreal`)".to_owned(),
                "percent" => "a chance (`[50%]`)".to_owned(),
                "number" => "a number".to_owned(),
                "text" => "a string in double quotes".to_owned(),
                "character" => "a character in single quotes".to_owned(),
                "map" => "a map".to_owned(),
                "end" => "the end of the statement".to_owned(),
                word => format!("`{word}`"),
            })
            .collect();
        if words.len() > 10 {
            return "a statement".to_owned();
        }
        if words.is_empty() { "nothing".to_owned() } else { listed(words, Conjunction::Or) }
    }
}

/// Returns advice on a level without the statement `what` of scripts, which begins `line`.
fn without(what: &str, line: &str) -> String {
    let numbers =
        || line.split(|letter: char| !letter.is_ascii_digit()).filter_map(|digits| digits.parse::<u32>().ok());
    let count = match what {
        "LOOP" if !line.contains(['$', 'd']) => numbers().next(),
        "FOR" => match numbers().collect::<Vec<_>>()[..] {
            [first, last] => last.checked_sub(first).map(|more| more + 1),
            _ => None,
        },
        _ => None,
    };
    match (what, count) {
        ("LOOP" | "FOR", Some(1)) => "write its statements without it".to_owned(),
        ("LOOP" | "FOR", Some(count)) => format!("write its statements {count} times"),
        ("LOOP" | "FOR", None) => "write its statements as often as they are needed".to_owned(),
        ("IF", _) if line.contains('%') => {
            let chance = line.split(['[', '%']).map(str::trim).find(|part| part.parse::<u8>().is_ok()).unwrap_or("50");
            format!("write the chance before the colon of each of its statements, as in MONSTER[{chance}%]:")
        }
        _ => "write the level without it".to_owned(),
    }
}

/// Lists the titles of the dialects whose levels are scripts: `one, two and three`.
fn script_dialects() -> String {
    listed(Catalog::dialects_where(|usual| usual.format == Format::Opcodes), Conjunction::And)
}

// --- Maps and doors

/// Reports a character in a map that is not a map character.
pub(super) fn map_stranger(text: &str, file: FileId, at: usize, catalog: &Catalog) -> Diagnostic {
    let stranger = text.get(at..).and_then(|rest| rest.chars().next()).unwrap_or('\0');
    let span = Span::new(file, at, at + stranger.len_utf8().min(text.len().saturating_sub(at)));
    let diagnostic = Diagnostic::new(Code::MapText, span, Unread::not_in_map(stranger));
    let before = text.get(..at).unwrap_or("");
    if stranger == '\t' {
        let start = before.rfind('\n').map_or(0, |newline| newline + 1);
        let mut lines = text.get(start..).unwrap_or("").lines();
        let row = lines.next().unwrap_or("");
        let neighbours = [before.get(..start).and_then(|rows| rows.lines().next_back()), lines.next()];
        let span = |from: usize, to: usize| Span::new(file, start + from, start + to);
        return words::tabs_in_row(row, neighbours.into_iter().flatten(), span);
    }
    let (line, map) = (before.rfind('\n').map_or(0, |newline| newline + 1), before.rfind("\nMAP"));
    let rows = map.and_then(|map| before.get(map + 1..)).map_or(0, |rows| rows.matches('\n').count());
    if let Some(help) = Unread::drawn(stranger, &before[line..], rows.saturating_sub(1), &text[at..], catalog) {
        return diagnostic.with_help(help);
    }
    match stranger {
        _ if !text.get(at..).unwrap_or("").contains('\n') => {
            diagnostic.with_help("the map is not closed: write a line ENDMAP")
        }
        _ => diagnostic.with_help(format!(
            "use the map characters {}{}, or digits to number the lines, and close the map with ENDMAP",
            catalog.map_characters.trim_end(),
            if catalog.map_characters.contains(' ') { " and the space" } else { "" }
        )),
    }
}

/// Reports a map that starts at `start` and has no ENDMAP before `at`, where a statement begins or the file ends.
pub(super) fn unfinished_map(text: &str, file: FileId, start: usize, at: usize) -> Diagnostic {
    let rest = text.get(at..).unwrap_or("");
    let length = rest.find(|letter: char| !(letter.is_ascii_uppercase() || letter == '_')).unwrap_or(rest.len());
    let before = if length == 0 { "the end of the file" } else { "this statement" };
    Diagnostic::new(Code::MapText, Span::new(file, at, at + length), format!("ENDMAP is missing before {before}"))
        .with_secondary(Span::new(file, start, start + "MAP".len()), "the map begins here")
        .with_help("close the map with a line ENDMAP")
}

/// Reports a statement at `at` among the rows of the map that starts at `start`.
pub(super) fn statement_in_map(text: &str, file: FileId, start: usize, at: usize) -> Diagnostic {
    let length = text.get(at..).and_then(|rest| rest.find(['\n', '\r'])).unwrap_or(0);
    Diagnostic::new(Code::MapText, Span::new(file, at, at + length), "a statement in a map")
        .with_secondary(
            Span::new(file, start, start + "MAP".len()),
            "the map begins here and continues after the statement",
        )
        .with_help("move statements after ENDMAP")
}

/// Reports a MAP without GEOMETRY.
pub(super) fn stray_map(span: Span) -> Diagnostic {
    Diagnostic::new(Code::Placement, span, "MAP without GEOMETRY before it")
        .with_help("write the position first, e.g. `GEOMETRY:center,center`")
}

/// Reports a DOOR with state and place in a level of rooms.
pub(super) fn door_of_a_map(span: Span) -> Diagnostic {
    Diagnostic::new(Code::Door, span, "this DOOR is written as for a map").with_help(
        "write the door of a room as `DOOR:secret,state,wall,position`, e.g. `DOOR:false,closed,north,random`",
    )
}

/// Reports a DOOR with secret, state, wall and position in a level of maps. `state` is what it says of its state, and
/// `drawn` the doors of the map.
pub(super) fn door_of_a_room(span: Span, state: &str, drawn: &[(usize, usize)]) -> Diagnostic {
    let place = match drawn {
        [(x, y)] => format!("({x},{y})"),
        _ => "(x,y)".to_owned(),
    };
    Diagnostic::new(Code::Door, span, "this DOOR is written as in a ROOM, but the level is a map")
        .with_help(format!("write DOOR:{state},{place}, with the place of a `+` or `S` of the map"))
}
