//! The places at which the games' own compilers notice mistakes.
//!
//! splc points to the mistake itself. The originals name the line that their scanner has reached when they notice it,
//! or the line of the colon before. Build files, editors and people rely on that line, so splc as `lev_comp` names it
//! as well. Each rule is one function here, with its test.

use splc_driver::Summary;
use splc_ir::catalog::{Catalog, Feature, Format};
use splc_ir::diagnostic::{Code, Diagnostic, Severity};
use splc_ir::source::{FileId, Place, SourceMap, Span};

/// Finds the places at which the compiler of a game notices mistakes in `sources`.
pub struct Noticing<'a> {
    catalog: &'a Catalog,
    sources: &'a SourceMap,
    /// The levels that could be read, in the order of the source.
    levels: &'a [Summary],
    /// The scan of the file of the last query.
    scanned: Option<(FileId, Scanned)>,
}

/// Features of a file that make the line named by an original differ from the actual line.
struct Scanned {
    /// Colons that are tokens. Only the first of each line, because only the line matters.
    colons: Vec<u32>,
    /// Line ends inside strings, which the original does not count.
    uncounted: Vec<u32>,
}

/// The place at which a mistake is noticed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Noticed {
    /// The file.
    pub file: FileId,
    /// Offset of the scanner at that time.
    pub noticed: u32,
    /// Offset of the place that the message names.
    pub named: u32,
}

impl<'a> Noticing<'a> {
    /// Creates one for the compiler of the game of `catalog`.
    pub fn new(catalog: &'a Catalog, sources: &'a SourceMap, levels: &'a [Summary]) -> Self {
        Noticing { catalog, sources, levels, scanned: None }
    }

    /// Returns the place at which the mistake of `diagnostic` is noticed, which determines the order of the original's
    /// messages, and the place that its message names. Returns `None` if the diagnostic has no place.
    pub fn place(&mut self, diagnostic: &Diagnostic) -> Option<Noticed> {
        let span = diagnostic.noticed.or(diagnostic.span)?;
        let text = self.sources.get(span.file).text.as_str();
        let is_error = diagnostic.severity == Severity::Error;
        let by_colon = self.catalog.has(Feature::ErrorsByColon) && !is_of_the_parser(diagnostic.code);
        let at_level_end =
            matches!(diagnostic.code, Code::EmptyMaze | Code::Subroom) && self.catalog.format == Format::Parts;
        let noticed = match diagnostic.code {
            _ if !is_error => span.start,
            _ if at_level_end => self.level_end(span),
            // The colon may be that of the statement itself.
            _ if by_colon => span.end.min(find_from(text, span.start, '\n').unwrap_or(text.len() as u32)),
            Code::ObjectPlace => next_token(text, span.end),
            _ => map_end(text, span.start).unwrap_or(span.start),
        };
        let colon = if is_error && by_colon { self.last_colon(span.file, noticed) } else { None };
        Some(Noticed { file: span.file, noticed, named: colon.unwrap_or(noticed) })
    }

    /// Returns the end of the level of `span`. Subrooms get their rooms there, and only the statement after a maze
    /// shows that the maze has no part (NetHack 3.4.3, lev_comp.y).
    fn level_end(&self, span: Span) -> u32 {
        let mut starts = self.levels.iter().filter_map(|level| level.span).filter(|level| level.file == span.file);
        let next = starts.find(|level| level.start > span.start).map(|level| level.start);
        next.unwrap_or(self.sources.get(span.file).text.len() as u32)
    }

    /// Returns the last colon token before `end`. For a mistake in a statement the originals name the line at which the
    /// statement begins. They take this from the colon after its first word (`yyerror` of NetHack 3.4.3 and SporkHack),
    /// although a call has no colon.
    fn last_colon(&mut self, file: FileId, end: u32) -> Option<u32> {
        let colons = &self.scanned(file).colons;
        let before = colons.partition_point(|&colon| colon < end);
        colons.get(before.checked_sub(1)?).copied()
    }

    /// Returns the line and column that the original names for a place. It counts the line ends between tokens, but not
    /// those in strings (`lev_comp.l` of all four games).
    pub fn counted(&mut self, noticed: Noticed) -> Place {
        let text = self.sources.get(noticed.file).text.as_str();
        let mut place = self.sources.place(noticed.file, noticed.named);
        let uncounted = &self.scanned(noticed.file).uncounted;
        let before = &uncounted[..uncounted.partition_point(|&line_end| line_end < noticed.named)];
        place.line -= before.len();
        for &line_end in before.iter().rev() {
            let line_end = line_end as usize;
            if line_end + 1 != place.line_start {
                break;
            }
            let line_start = text[..line_end].rfind('\n').map_or(0, |newline| newline + 1);
            place.column += text[line_start..place.line_start].chars().count();
            place.line_start = line_start;
        }
        place
    }

    fn scanned(&mut self, file: FileId) -> &Scanned {
        if self.scanned.as_ref().is_none_or(|(known, _)| *known != file) {
            self.scanned = None;
        }
        let sources = self.sources;
        &self.scanned.get_or_insert_with(|| (file, scan(&sources.get(file).text))).1
    }
}

/// Returns true if the originals find such a mistake while parsing. They report `syntax error` then.
fn is_of_the_parser(code: Code) -> bool {
    use Code::{EmptyMaze, Lexical, MapText, Placement, Syntax, UnterminatedString, WrongDialect};
    matches!(code, Syntax | Lexical | UnterminatedString | MapText | WrongDialect | Placement | EmptyMaze)
}

/// Returns the end of the map that begins at `start`, if there is one. A map is one token, complete when ENDMAP is
/// read.
fn map_end(text: &str, start: u32) -> Option<u32> {
    let map = text.get(start as usize..)?.strip_prefix("MAP")?;
    if !map.starts_with(['\n', '\r']) {
        return None;
    }
    Some(start + "MAP".len() as u32 + map.find("ENDMAP")? as u32)
}

/// Returns the token after the statement that continues at `end`. The details of an object end at the first token that
/// is not a detail.
fn next_token(text: &str, end: u32) -> u32 {
    let rest = text.get(end as usize..).unwrap_or_default();
    let (mut at, mut goes_on) = (end as usize, true);
    for (number, line) in rest.split_inclusive('\n').enumerate() {
        let content = line.trim();
        if let (0, Some(word)) = (number, statement_word(line)) {
            return (at + word) as u32;
        }
        if number == 0 && content.is_empty() {
            goes_on = false;
        } else if content.is_empty() || content.starts_with('#') {
            // Skip blanks and comments between tokens.
        } else if let Some(brace) = line.find(['{', '}']) {
            return (at + brace) as u32;
        } else if goes_on {
            goes_on = content.ends_with(',');
        } else {
            return (at + line.len() - line.trim_start().len()) as u32;
        }
        at += line.len();
    }
    text.len() as u32
}

/// Finds the start of a statement in the rest of a line: the first unquoted word in capitals.
fn statement_word(line: &str) -> Option<usize> {
    let bytes = line.as_bytes();
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        let length = bytes[at..].iter().take_while(|byte| byte.is_ascii_alphanumeric() || **byte == b'_').count();
        at += match byte {
            b'"' => 2 + bytes[at + 1..].iter().take_while(|&&byte| byte != b'"').count(),
            b'\'' if bytes.get(at + 2) == Some(&b'\'') => 3,
            _ if length > 1 && bytes[at..at + length].iter().all(|byte| byte.is_ascii_uppercase() || *byte == b'_') => {
                return Some(at);
            }
            _ => length.max(1),
        };
    }
    None
}

fn find_from(text: &str, from: u32, character: char) -> Option<u32> {
    text.get(from as usize..)?.find(character).map(|at| from + at as u32)
}

/// Scans `text`, skipping comments, strings and quoted characters.
fn scan(text: &str) -> Scanned {
    let bytes = text.as_bytes();
    let mut scanned = Scanned { colons: Vec::new(), uncounted: Vec::new() };
    // True while the line has only blanks, and once the line has a colon.
    let (mut is_start, mut has_colon) = (true, false);
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        let rest = &bytes[at + 1..];
        let length = match (byte, rest) {
            (b'#', _) if is_start => rest.iter().position(|&byte| byte == b'\n').unwrap_or(rest.len()),
            (b'"', _) => rest.iter().position(|&byte| byte == b'"').map_or(0, |end| end + 1),
            (b'\'', [b'\\', _, b'\'', ..]) => 3,
            (b'\'', [_, b'\'', ..]) => 2,
            _ => 0,
        };
        match byte {
            b'\n' => (is_start, has_colon) = (true, false),
            b':' => {
                if !has_colon {
                    scanned.colons.push(at as u32);
                }
                (is_start, has_colon) = (false, true);
            }
            b' ' | b'\t' => {}
            b'"' => {
                is_start = false;
                let line_ends =
                    rest[..length].iter().enumerate().filter(|(_, byte)| **byte == b'\n').map(|(line_end, _)| line_end);
                scanned.uncounted.extend(line_ends.map(|line_end| (at + 1 + line_end) as u32));
            }
            _ => is_start = false,
        }
        at += 1 + length;
    }
    scanned
}

#[cfg(test)]
mod tests {
    use super::*;

    fn noticed(target: &str, text: &str, code: Code, what: &str) -> usize {
        let mut sources = SourceMap::new();
        let file = sources.add("x.des", None, text.into());
        let start = text.find(what).unwrap();
        let span = Span::new(file, start, start + what.len());
        let levels: Vec<Summary> = text
            .match_indices("MAZE")
            .chain(text.match_indices("LEVEL"))
            .map(|(at, word)| Summary {
                name: word.into(),
                span: Some(Span::new(file, at, at + word.len())),
                size: None,
            })
            .collect();
        let catalog = Catalog::by_name(target).unwrap();
        let diagnostic = Diagnostic::new(code, span, "");
        let mut noticing = Noticing::new(catalog, &sources, &levels);
        let noticed = noticing.place(&diagnostic).unwrap();
        noticing.counted(noticed).line
    }

    const CALLS: &str = "LEVEL:\"a\"\nMESSAGE: \"b\"\n# a comment: no statement\nf()\nDOOR:nodoor,(1,1)\n";

    #[test]
    fn an_error_names_the_line_of_the_last_colon() {
        assert_eq!(noticed("sporkhack-0.7.0", CALLS, Code::UnknownFunction, "f()"), 2);
        assert_eq!(noticed("sporkhack-0.7.0", CALLS, Code::State, "DOOR:nodoor"), 5);
        assert_eq!(noticed("sporkhack-0.7.0", CALLS, Code::LevelName, "LEVEL"), 1);
        let map = "LEVEL:\"a\"\nGEOMETRY:left,top\n\nMAP\n...\nENDMAP\n";
        assert_eq!(noticed("sporkhack-0.7.0", map, Code::MapSize, "MAP"), 2);
        assert_eq!(noticed("nethack-3.4.3", map, Code::MapSize, "..."), 2);
        // Not for mistakes that the parser finds, and not in the compilers that name a position.
        assert_eq!(noticed("sporkhack-0.7.0", CALLS, Code::Syntax, "f()"), 4);
        assert_eq!(noticed("unnethack-6.0.4", CALLS, Code::UnknownFunction, "f()"), 4);
    }

    #[test]
    fn a_map_error_is_noticed_at_its_end() {
        let text = "LEVEL: \"a\"\nMAP\n...\n...\nENDMAP\n";
        for target in ["unnethack-6.0.4", "nethack-3.6.7", "sporkhack-0.7.0", "nethack-3.4.3"] {
            assert_eq!(noticed(target, text, Code::Syntax, "MAP"), 5, "{target}");
        }
        assert_eq!(noticed("nethack-3.6.7", text, Code::MapSize, "MAP"), 5);
        assert_eq!(noticed("nethack-3.6.7", "MAP\n...\n", Code::MapText, "MAP"), 1);
        assert_eq!(noticed("nethack-3.6.7", "MAPS\nENDMAP\n", Code::Syntax, "MAPS"), 1);
    }

    #[test]
    fn an_object_ends_at_the_next_token() {
        let text = "LEVEL: \"a\"\nOBJECT: '%',\n  trapped\n\n# a comment\nGOLD: 1, (1,1)\n";
        for (target, line) in [("unnethack-6.0.4", 6), ("nethack-3.6.7", 6), ("sporkhack-0.7.0", 2)] {
            assert_eq!(noticed(target, text, Code::ObjectPlace, "'%'"), line, "{target}");
        }
        assert_eq!(noticed("nethack-3.6.7", "CONTAINER: '(' {\n", Code::ObjectPlace, "'('"), 1);
        assert_eq!(noticed("nethack-3.6.7", "OBJECT: '('\n\n", Code::ObjectPlace, "'('"), 3);
        let bare = "OBJECT: '('\nGOLD: 1, (1,1)\nGOLD: 2, (1,1)\n";
        assert_eq!(noticed("nethack-3.6.7", bare, Code::ObjectPlace, "'('"), 2);
        let joined = "OBJECT: '(', name:\"AN OLD BOX\" GOLD: 1, (1,1)\nGOLD: 2, (1,1)\n";
        assert_eq!(noticed("nethack-3.6.7", joined, Code::ObjectPlace, "'('"), 1);
    }

    #[test]
    fn some_errors_are_noticed_at_the_end_of_a_level() {
        let maze = "MAZE:\"a\",' '\n\nMAZE:\"b\",' '\n";
        assert_eq!(noticed("nethack-3.4.3", maze, Code::EmptyMaze, "\"a\""), 3);
        assert_eq!(noticed("nethack-3.4.3", maze, Code::EmptyMaze, "\"b\""), 4);
        let rooms = "LEVEL:\"a\"\nSUBROOM:\"b\"\nDOOR:true\n\nRANDOM_CORRIDORS\n\nLEVEL:\"c\"\n";
        assert_eq!(noticed("nethack-3.4.3", rooms, Code::Subroom, "\"b\""), 3);
    }

    /// UnNetHack's `lev_comp` counts lines and columns in this way.
    #[test]
    fn line_ends_in_strings_are_not_counted() {
        let text = "MESSAGE: \"one\n\ntwo\"\nTRAP: \"web\", \"\n\", (1,1)\n\nGOLD\n";
        for (what, line, column) in [("TRAP", 2, 1), ("(1,1)", 2, 19), ("GOLD", 4, 1)] {
            let mut sources = SourceMap::new();
            let file = sources.add("x.des", None, text.into());
            let at = text.find(what).unwrap() as u32;
            let catalog = Catalog::by_name("unnethack-6.0.4").unwrap();
            let place = Noticing::new(catalog, &sources, &[]).counted(Noticed { file, noticed: at, named: at });
            assert_eq!((place.line, place.column), (line, column), "{what}");
        }
    }

    #[test]
    fn colons_in_strings_characters_and_comments_are_ignored() {
        let of = |text: &str| -> Vec<usize> { scan(text).colons.into_iter().map(|at| at as usize).collect() };
        let none: [usize; 0] = [];
        assert_eq!(of("A:B:\n:\n"), [1, 5]);
        assert_eq!(of("  # a:\n\": \n :\" ':' '\\:' x\n"), none);
        // An unclosed quote is an ordinary character.
        assert_eq!(of("' :\n\" :\n"), [2, 6]);
        assert_eq!(of("x # y:"), [5]);
        assert_eq!(of(""), none);
    }
}
