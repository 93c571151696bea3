//! Which game's language is this? A guess from the text alone, with its reason.
//!
//! The guess scans words and a few shapes of statements; it parses nothing, so that it works for damaged files,
//! too. What a word tells comes from the catalogs: a word that one game's compiler knows and another's does not
//! speaks for the one. Grammar outranks names: a monster or object that only one game has decides among dialects that
//! fit equally well otherwise, as people mistake the games of names far more often than their own statements. Which of
//! the dialects that are left reads a file with the fewest errors, is found out by who reads it.

use std::collections::HashSet;

use splc_ir::catalog::dialect::{self, Dialect};
use splc_ir::catalog::{Catalog, Feature, Format};
use splc_ir::limits::MAX_DETECTED_BYTES;

/// A guess.
#[derive(Clone, Debug, PartialEq)]
pub struct Guess {
    /// The name of the dialect.
    pub dialect: &'static str,
    /// How sure it is.
    pub certainty: Certainty,
    /// What tells, for people: "`IF` is not of NetHack 3.4.3".
    pub reason: String,
    /// Where that stands: start and end in bytes.
    pub evidence: Option<(usize, usize)>,
    /// The other dialects whose grammar fits about as well, the likeliest first.
    pub others: Vec<&'static str>,
}

/// How sure a guess is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Certainty {
    /// Nothing tells this dialect from at least one other.
    Open,
    /// Some things speak against it, but more against all others.
    Likely,
    /// Nothing speaks against it, and something against each of the others.
    Sure,
}

/// How many dialects there are. Of those that nothing tells apart, the first is guessed.
const COUNT: usize = dialect::ALL.len();

/// A set of dialects, as bits by their position in the table.
type Dialects = u32;

/// Every dialect.
const ALL: Dialects = (1 << COUNT) - 1;

/// How much a shape of a statement counts, where a word counts one.
const SHAPE: u32 = 4;

/// When this much speaks against all dialects but one, the rest of the text is not looked at.
const ENOUGH: u32 = 12;

/// Something that speaks for some dialects.
struct Evidence {
    /// The dialects that have it.
    dialects: Dialects,
    weight: u32,
    what: String,
    place: (usize, usize),
}

/// Guesses the dialect of `text`.
pub fn detect(text: &str) -> Guess {
    let scan = Scan::new(text);
    let best = scan.best();
    let others = || (0..COUNT).filter(|&dialect| dialect != best);
    let next = others().min_by_key(|&dialect| scan.rank(dialect)).unwrap_or(0);
    let certainty = scan.certainty(best, next);
    // An open guess is told from what fits worst.
    let rival = if certainty == Certainty::Open {
        others().max_by_key(|&dialect| scan.rank(dialect)).unwrap_or(next)
    } else {
        next
    };
    let telling = scan.telling(best, rival);
    let title = dialect::ALL[best].title;
    let reason = match telling {
        None => format!("nothing in it tells {title} from other games"),
        Some(telling) if certainty == Certainty::Open => {
            let (worst, same) = (dialect::ALL[rival].title, dialect::ALL[next].title);
            format!("{} is not of {worst}, but nothing tells {title} from {same}", telling.what)
        }
        Some(telling) => format!("{} is of {title}, not of {}", telling.what, dialect::ALL[rival].title),
    };
    let mut near: Vec<usize> = others().filter(|&dialect| scan.grammar[dialect] < scan.grammar[best] + SHAPE).collect();
    near.sort_by_key(|&dialect| scan.rank(dialect));
    let evidence = telling.map(|telling| telling.place);
    let others = near.into_iter().map(|dialect| dialect::ALL[dialect].name).collect();
    Guess { dialect: dialect::ALL[best].name, certainty, reason, evidence, others }
}

/// Whether `text`, which is taken for `dialect`, looks like another one: a guess at it, if so.
///
/// A single word is not enough; it takes a statement of a shape that `dialect` does not have, or several words.
pub fn looks_like_another(text: &str, dialect: &str) -> Option<Guess> {
    let taken = dialect::ALL.iter().position(|known| known.name == dialect)?;
    let scan = Scan::new(text);
    let best = scan.best();
    if scan.grammar[taken] < scan.grammar[best] + SHAPE && scan.scores[taken] < scan.scores[best] + SHAPE {
        return None;
    }
    let telling = scan.telling(best, taken)?;
    let title = dialect::ALL[best].title;
    Some(Guess {
        dialect: dialect::ALL[best].name,
        certainty: scan.certainty(best, taken),
        reason: format!("{} is of {title}, not of {}", telling.what, dialect::ALL[taken].title),
        evidence: Some(telling.place),
        others: Vec::new(),
    })
}

/// How people call a dialect.
pub fn title(dialect: &str) -> &'static str {
    Dialect::by_name(dialect).map_or("another game", |dialect| dialect.title)
}

/// The usual catalog of each dialect, in the order of the table.
fn catalogs() -> [Option<&'static Catalog>; COUNT] {
    std::array::from_fn(|at| Catalog::by_name(dialect::ALL[at].default_target))
}

struct Scan<'s> {
    text: &'s str,
    catalogs: [Option<&'static Catalog>; COUNT],
    found: Vec<Evidence>,
    /// Words and names that were looked up.
    seen: HashSet<&'s str>,
    /// The dialects of which a level is a script, and those of which it is a list of things.
    scripts: Dialects,
    lists: Dialects,
    /// What speaks against each dialect.
    scores: [u32; COUNT],
    /// The part of it that is grammar, and not names.
    grammar: [u32; COUNT],
}

impl<'s> Scan<'s> {
    fn new(text: &'s str) -> Self {
        let mut scan = Scan {
            text,
            catalogs: catalogs(),
            found: Vec::new(),
            seen: HashSet::new(),
            scripts: 0,
            lists: 0,
            scores: [0; COUNT],
            grammar: [0; COUNT],
        };
        scan.scripts = scan.dialects_where(|catalog| catalog.format == Format::Opcodes);
        scan.lists = scan.dialects_where(|catalog| catalog.format == Format::Parts);
        scan.run();
        scan
    }

    /// What speaks against `dialect`: grammar first.
    fn rank(&self, dialect: usize) -> (u32, u32) {
        (self.grammar[dialect], self.scores[dialect])
    }

    /// The dialect that least speaks against.
    fn best(&self) -> usize {
        (0..COUNT).min_by_key(|&dialect| self.rank(dialect)).unwrap_or(0)
    }

    fn certainty(&self, best: usize, rival: usize) -> Certainty {
        if self.rank(rival) == self.rank(best) {
            Certainty::Open
        } else if self.scores[best] == 0 {
            Certainty::Sure
        } else {
            Certainty::Likely
        }
    }

    /// The first of the heaviest things that `best` has and `rival` has not.
    fn telling(&self, best: usize, rival: usize) -> Option<&Evidence> {
        let tells =
            |evidence: &&Evidence| evidence.dialects & (1 << best) != 0 && evidence.dialects & (1 << rival) == 0;
        let order =
            |left: &&Evidence, right: &&Evidence| left.weight.cmp(&right.weight).then(right.place.cmp(&left.place));
        self.found.iter().filter(tells).max_by(order)
    }

    /// Puts in evidence of grammar, each kind of it once.
    fn add(&mut self, dialects: Dialects, weight: u32, what: &str, start: usize, end: usize) {
        let known = self.found.len();
        self.add_name(dialects, weight, what, start, end);
        if self.found.len() > known {
            for (dialect, score) in self.grammar.iter_mut().enumerate() {
                *score += if dialects & (1 << dialect) == 0 { weight } else { 0 };
            }
        }
    }

    /// Puts in evidence that is not of grammar, each kind of it once.
    fn add_name(&mut self, dialects: Dialects, weight: u32, what: &str, start: usize, end: usize) {
        if dialects != ALL && dialects != 0 && !self.found.iter().any(|evidence| evidence.what == what) {
            self.found.push(Evidence { dialects, weight, what: what.to_owned(), place: (start, end) });
            for (dialect, score) in self.scores.iter_mut().enumerate() {
                *score += if dialects & (1 << dialect) == 0 { weight } else { 0 };
            }
        }
    }

    fn run(&mut self) {
        let mut start = 0;
        let mut in_map = false;
        let text = self.text;
        for line in text.split_inclusive('\n') {
            if line.len() > MAX_DETECTED_BYTES {
                return;
            }
            let trimmed = line.trim_end();
            if in_map {
                in_map = trimmed.trim_start() != "ENDMAP";
            } else if trimmed == "MAP" {
                in_map = true;
            } else if !trimmed.trim_start().starts_with('#') {
                self.line(trimmed, start);
                if self.scores.iter().filter(|&&score| score >= ENOUGH).count() == COUNT - 1 && self.scores.contains(&0)
                {
                    return;
                }
            }
            start += line.len();
            if start > MAX_DETECTED_BYTES {
                return;
            }
        }
    }

    fn line(&mut self, line: &'s str, start: usize) {
        self.shape(line, start);
        // Words outside of quotes.
        let bytes = line.as_bytes();
        let mut at = 0;
        while let Some(&byte) = bytes.get(at) {
            match byte {
                b'"' => {
                    let length = bytes[at + 1..].iter().position(|&byte| byte == b'"');
                    if let Some(length) = length {
                        self.name(&line[at + 1..at + 1 + length], start + at);
                    }
                    at += length.map_or(bytes.len(), |length| length + 2);
                }
                b'\'' if bytes.get(at + 2) == Some(&b'\'') => at += 3,
                b'#' => return,
                b'{' | b'}' => {
                    self.add(self.scripts, SHAPE, "a block in braces", start + at, start + at + 1);
                    at += 1;
                }
                b'$' if bytes.get(at + 1).is_some_and(u8::is_ascii_alphabetic) => {
                    let end = at + 1 + word_length(&bytes[at + 1..]);
                    self.add(self.scripts, SHAPE, "a variable", start + at, start + end);
                    at = end;
                }
                byte if byte.is_ascii_alphabetic() => {
                    let length = word_length(&bytes[at..]);
                    self.word(&line[at..at + length], start + at);
                    at += length;
                }
                _ => at += 1,
            }
        }
    }

    fn word(&mut self, word: &'s str, start: usize) {
        if word.len() < 2 || !self.seen.insert(word) {
            return;
        }
        let dialects = self.dialects_where(|catalog| catalog.is_keyword(word));
        self.add(dialects, 1, &format!("`{word}`"), start, start + word.len());
    }

    /// A text may be the name of a monster, object, trap or room type that not all games have.
    fn name(&mut self, name: &'s str, start: usize) {
        if name.is_empty() || !self.seen.insert(name) {
            return;
        }
        let dialects = self.dialects_where(|catalog| {
            catalog.monster(name, None).is_some()
                || catalog.object(name, None).is_some()
                || catalog.trap(name).is_some()
                || catalog.room(name).is_some()
        });
        self.add_name(dialects, 1, &format!("\"{name}\""), start, start + name.len() + 2);
    }

    fn dialects_where(&self, has: impl Fn(&Catalog) -> bool) -> Dialects {
        let found = self.catalogs.iter().enumerate().filter(|(_, catalog)| catalog.is_some_and(&has));
        found.fold(0, |dialects, (at, _)| dialects | 1 << at)
    }

    /// What the beginning of a statement tells.
    fn shape(&mut self, line: &str, start: usize) {
        let indent = line.len() - line.trim_start().len();
        let statement = &line[indent..];
        let start = start + indent;
        let end = start + statement.len();
        if statement.starts_with('[') {
            self.add(self.scripts, SHAPE, "a statement after its chance", start, end);
            return;
        }
        let length = word_length(statement.as_bytes());
        let (word, mut rest) = statement.split_at(length);
        rest = rest.trim_start();
        let chance = rest.starts_with('[');
        if chance {
            let Some((_, after)) = rest.split_once(']') else { return };
            rest = after.trim_start();
        }
        let Some(values) = rest.strip_prefix(':').map(str::trim_start) else { return };
        let chance_first =
            self.dialects_where(|catalog| catalog.format == Format::Parts || catalog.has(Feature::ChanceBeforeColon));
        if chance && matches!(word, "MONSTER" | "OBJECT" | "CONTAINER" | "TRAP") {
            self.add(chance_first, SHAPE, "a chance before the colon", start, end);
        }
        match word {
            "MONSTER" | "OBJECT" | "CONTAINER" => self.thing(values, start, end),
            "INIT_MAP" if values.starts_with('\'') => {
                self.add(self.lists, SHAPE, "INIT_MAP without a style", start, end);
            }
            "INIT_MAP" => self.add(self.scripts, SHAPE, "INIT_MAP with a style", start, end),
            "DOOR" => {
                let second = values.split_once(',').map_or("", |(_, second)| second.trim_start());
                let room = ["true", "false"].iter().any(|word| values.starts_with(word));
                if room || second.starts_with(|first: char| first.is_ascii_alphabetic()) && second.contains(',') {
                    self.add(self.lists, SHAPE, "a DOOR in the wall of a room", start, end);
                }
            }
            _ => {}
        }
    }

    /// MONSTER or OBJECT: class, name and place, or class and name in one value and the place after it.
    fn thing(&mut self, values: &str, start: usize, end: usize) {
        if values.starts_with("('") {
            return self.add(self.scripts, SHAPE, "a class and a name in parentheses", start, end);
        }
        // A single character in double quotes is a class in wrong quotes.
        let text = values.strip_prefix('"').and_then(|rest| rest.split('"').next());
        if text.is_some_and(|text| text.chars().count() > 1) {
            return self.add(self.scripts, SHAPE, "a name without a class", start, end);
        }
        // The first value: a class, `random`, or a register.
        let first = match values.strip_prefix('\'') {
            Some(rest) => rest.get(1..).and_then(|rest| rest.strip_prefix('\'')),
            None => values.find(',').map(|comma| &values[comma..]),
        };
        let Some(rest) = first.map(str::trim_start).and_then(|rest| rest.strip_prefix(',')) else { return };
        let rest = rest.trim_start();
        if rest.starts_with('(') {
            self.add(self.scripts, SHAPE, "a place right after the class", start, end);
        } else if rest.starts_with('"') {
            self.add(self.lists, SHAPE, "a class and a name as two values", start, end);
        } else if let Some(rest) = rest.strip_prefix("random") {
            let third = rest.trim_start().strip_prefix(',').map(str::trim_start).unwrap_or("");
            if third.starts_with('(') || third.starts_with("random") || third.starts_with("place[") {
                self.add(self.lists, SHAPE, "a place after class and name", start, end);
            } else {
                self.add(self.scripts, SHAPE, "a place right after the class", start, end);
            }
        }
    }
}

fn word_length(bytes: &[u8]) -> usize {
    bytes.iter().position(|&byte| !(byte.is_ascii_alphanumeric() || byte == b'_')).unwrap_or(bytes.len())
}

// --- Statements of one language in the form of the other

/// MONSTER, OBJECT or CONTAINER as scripts write it (`MONSTER:('v',"dust vortex"),(0,4)`) in the form of 3.4.3
/// (`MONSTER:'v',"dust vortex",(0,4)`). `None` for anything else.
pub fn thing_as_nethack343(statement: &str) -> Option<String> {
    let (word, values) = statement.trim().split_once(':')?;
    let word = word.trim();
    if !matches!(word, "MONSTER" | "OBJECT" | "CONTAINER") {
        return None;
    }
    let inside = values.trim_start().strip_prefix('(')?;
    let (class, rest) = value(inside)?;
    let (name, rest) = value(rest.strip_prefix(',')?)?;
    let place = rest.strip_prefix(')')?.trim_start().strip_prefix(',')?.trim();
    let fits = class.starts_with('\'') && name.starts_with('"') && !place.contains(['{', '$']);
    fits.then(|| format!("{word}:{class},{name},{place}"))
}

/// DOOR of a room as 3.4.3 writes it (`DOOR:false,closed,north,random`), which scripts call ROOMDOOR. `None` for
/// the door of a map.
pub fn door_as_script(statement: &str) -> Option<String> {
    let (word, values) = statement.trim().split_once(':')?;
    let (secret, rest) = value(values)?;
    let (_, rest) = value(rest.strip_prefix(',')?)?;
    let (wall, _) = value(rest.strip_prefix(',')?)?;
    let room =
        matches!(secret, "true" | "false" | "random") && matches!(wall, "north" | "south" | "east" | "west" | "random");
    (word.trim() == "DOOR" && room).then(|| format!("ROOMDOOR:{}", values.trim()))
}

/// The first value of a list, and what follows it: a character or text in quotes, or a word.
fn value(text: &str) -> Option<(&str, &str)> {
    let text = text.trim_start();
    let end = match text.as_bytes().first()? {
        b'"' => text[1..].find('"')? + 2,
        b'\'' => {
            // `'\''` is a quote, but `'\'` a backslash.
            let escape = usize::from(
                text[1..].starts_with('\\') && (!text[2..].starts_with('\'') || text[2..].starts_with("''")),
            );
            let length = text[1 + escape..].chars().next()?.len_utf8();
            text[1 + escape + length..].starts_with('\'').then_some(2 + escape + length)?
        }
        _ => word_length(text.as_bytes()),
    };
    (end > 0).then(|| (&text[..end], text[end..].trim_start()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn statements_take_the_other_form() {
        let vanilla = "MONSTER:'v',\"dust vortex\",(0,4)";
        let script = "MONSTER:('v',\"dust vortex\"),(0,4)";
        assert_eq!(thing_as_nethack343(script).as_deref(), Some(vanilla));
        let object = "OBJECT: ( '\\'' , \"x\" ) , random";
        assert_eq!(thing_as_nethack343(object).as_deref(), Some("OBJECT:'\\'',\"x\",random"));
        assert_eq!(thing_as_nethack343(vanilla), None);
        assert_eq!(thing_as_nethack343("TRAP:\"pit\",(1,1)"), None);
        assert_eq!(thing_as_nethack343("MONSTER:('v',\"dust vortex\"),$place"), None);
        let door = "DOOR:false,closed,north,random";
        assert_eq!(door_as_script(door).as_deref(), Some("ROOMDOOR:false,closed,north,random"));
        assert_eq!(door_as_script("DOOR:closed,(1,2)"), None);
    }

    #[test]
    fn odd_texts_are_no_matter() {
        for text in
            ["", "MAP", "'", "\"", "MONSTER:'", "OBJECT:'é", "$", "DOOR:,", "MONSTER[", "a:é", "'\\", "OBJECT:'\\"]
        {
            let _ = detect(text);
            let _ = (thing_as_nethack343(text), door_as_script(text));
        }
        assert_eq!(detect("").certainty, Certainty::Open);
    }

    #[test]
    fn the_reason_names_what_tells() {
        let guess = detect("MAZE:\"x\",' '\nNOMAP\nMONSTER:'v',\"dust vortex\",(0,4)\n");
        assert_eq!((guess.dialect, guess.certainty), ("nethack343", Certainty::Sure));
        assert_eq!(guess.reason, "a class and a name as two values is of NetHack 3.4.3, not of NetHack 3.6");
        let guess = detect("LEVEL:\"x\"\nVAULTGEN:1\n$a = 1\n");
        assert_eq!(guess.dialect, "unnethack");
    }
}
