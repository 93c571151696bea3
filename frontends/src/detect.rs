//! Guesses the dialect of a des-file from its text alone, with a reason.
//!
//! The guess scans words and the shapes of a few statements. It does not parse, so it works for damaged files too. The
//! evidence of words comes from the catalogs: a word that one game's compiler knows and another's does not counts for
//! the first. Grammar outranks names. A monster or object that only one game has decides only among dialects that fit
//! equally well otherwise, because people confuse the games' names far more often than their own statements. If several
//! dialects remain, the caller finds the one that reads the file with the fewest errors.

use std::collections::HashSet;

use splc_ir::catalog::dialect::{self, Dialect};
use splc_ir::catalog::{Catalog, Feature, Format};
use splc_ir::limits::MAX_DETECTED_BYTES;
use splc_ir::order::Order;

/// A guess.
#[derive(Clone, Debug, PartialEq)]
pub struct Guess {
    /// The name of the dialect.
    pub dialect: &'static str,
    /// The certainty of the guess.
    pub certainty: Certainty,
    /// The strongest evidence, for people: "`IF` is not of NetHack 3.4.3".
    pub reason: String,
    /// The start and end of that evidence, in bytes.
    pub evidence: Option<(usize, usize)>,
    /// Other dialects whose grammar fits about as well, most likely first.
    pub others: Vec<&'static str>,
}

/// The certainty of a guess.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Certainty {
    /// Nothing distinguishes this dialect from at least one other.
    Open,
    /// Some evidence contradicts it, but more contradicts all others.
    Likely,
    /// No evidence contradicts it, and some contradicts each of the others.
    Sure,
}

/// The number of dialects. Among dialects that nothing distinguishes, the first is guessed.
const COUNT: usize = dialect::ALL.len();

/// A set of dialects, as bits by their position in the table.
type Dialects = u32;

/// Every dialect.
const ALL: Dialects = (1 << COUNT) - 1;

/// The weight of a statement's shape. A word has weight one.
const SHAPE: u32 = 4;

/// The weight of the form of one MONSTER or OBJECT. A mistake can have it as well, so that one does not suffice.
const FORM: u32 = SHAPE - 1;

/// The scan stops once evidence of this weight contradicts all dialects but one.
const ENOUGH: u32 = 12;

/// Evidence for some dialects.
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
    // An open guess is compared with the dialect that fits worst.
    let rival = if certainty == Certainty::Open {
        others().max_by_key(|&dialect| scan.rank(dialect)).unwrap_or(next)
    } else {
        next
    };
    let significant = scan.significant(best, rival);
    let title = dialect::ALL[best].title;
    let reason = match significant {
        None => format!("nothing in it distinguishes {title} from other games"),
        Some(significant) if certainty == Certainty::Open => {
            let (worst, same) = (dialect::ALL[rival].title, dialect::ALL[next].title);
            format!("{} is not valid in {worst}, but nothing distinguishes {title} from {same}", significant.what)
        }
        Some(significant) => format!("{} is valid in {title}, not in {}", significant.what, dialect::ALL[rival].title),
    };
    let mut near: Vec<usize> = others().filter(|&dialect| scan.grammar[dialect] < scan.grammar[best] + SHAPE).collect();
    near.order_by_key(|&dialect| scan.rank(dialect));
    let evidence = significant.map(|significant| significant.place);
    let others = near.into_iter().map(|dialect| dialect::ALL[dialect].name).collect();
    Guess { dialect: dialect::ALL[best].name, certainty, reason, evidence, others }
}

/// Returns a guess if `text`, which is read as `dialect`, looks like another dialect.
///
/// A single word is not enough. It takes a statement of a shape that `dialect` does not have, or several words.
pub fn looks_like_another(text: &str, dialect: &str) -> Option<Guess> {
    let taken = dialect::ALL.iter().position(|known| known.name == dialect)?;
    let scan = Scan::new(text);
    let best = scan.best();
    if scan.grammar[taken] < scan.grammar[best] + SHAPE && scan.scores[taken] < scan.scores[best] + SHAPE {
        return None;
    }
    // As much evidence against the other dialect as for it shows that the file mixes them.
    if scan.grammar[best] > 0 && scan.grammar[best] * 2 >= scan.grammar[taken] {
        return None;
    }
    let significant = scan.significant(best, taken)?;
    let title = dialect::ALL[best].title;
    Some(Guess {
        dialect: dialect::ALL[best].name,
        certainty: scan.certainty(best, taken),
        reason: format!("{} is valid in {title}, not in {}", significant.what, dialect::ALL[taken].title),
        evidence: Some(significant.place),
        others: Vec::new(),
    })
}

/// Returns the title of a dialect.
pub fn title(dialect: &str) -> &'static str {
    Dialect::by_name(dialect).map_or("another game", |dialect| dialect.title)
}

/// Returns the default catalog of each dialect, in the order of the table.
fn catalogs() -> [Option<&'static Catalog>; COUNT] {
    std::array::from_fn(|at| Catalog::by_name(dialect::ALL[at].default_target))
}

struct Scan<'s> {
    text: &'s str,
    catalogs: [Option<&'static Catalog>; COUNT],
    found: Vec<Evidence>,
    /// Words and names that were already looked up.
    seen: HashSet<&'s str>,
    /// The dialects whose levels are scripts, and those whose levels are lists of things.
    scripts: Dialects,
    lists: Dialects,
    /// The weight of the evidence against each dialect.
    scores: [u32; COUNT],
    /// The weight of the grammatical evidence against each dialect.
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

    /// Returns the weight of the evidence against `dialect`, grammar first.
    fn rank(&self, dialect: usize) -> (u32, u32) {
        (self.grammar[dialect], self.scores[dialect])
    }

    /// Returns the dialect with the least evidence against it.
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

    /// Returns the strongest evidence for `best` and against `rival`, the first if several are equally strong.
    fn significant(&self, best: usize, rival: usize) -> Option<&Evidence> {
        let distinguishes =
            |evidence: &&Evidence| evidence.dialects & (1 << best) != 0 && evidence.dialects & (1 << rival) == 0;
        let order =
            |left: &&Evidence, right: &&Evidence| left.weight.cmp(&right.weight).then(right.place.cmp(&left.place));
        self.found.iter().filter(distinguishes).max_by(order)
    }

    /// Adds evidence from grammar, unless it was added before.
    fn add(&mut self, dialects: Dialects, weight: u32, what: &str, start: usize, end: usize) {
        let known = self.found.len();
        self.add_name(dialects, weight, what, start, end);
        if self.found.len() > known {
            for (dialect, score) in self.grammar.iter_mut().enumerate() {
                *score += if dialects & (1 << dialect) == 0 { weight } else { 0 };
            }
        }
    }

    /// Adds evidence from names, unless it was added before.
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
        // Scan the words outside of quotes.
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

    /// Looks up a string that may be the name of a monster, object, trap or room type that only some games have.
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

    /// Adds evidence from the beginning of a statement.
    fn shape(&mut self, line: &str, start: usize) {
        let indent = line.len() - line.trim_start().len();
        let statement = &line[indent..];
        let start = start + indent;
        let end = start + statement.len();
        if statement.starts_with('[') {
            self.add(self.scripts, SHAPE, "a chance before the statement", start, end);
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

    /// Adds evidence from a MONSTER or OBJECT: class, name and place, or class and name in one value followed by the
    /// place.
    fn thing(&mut self, values: &str, start: usize, end: usize) {
        if values.starts_with("('") {
            return self.add(self.scripts, SHAPE, "a class and a name in parentheses", start, end);
        }
        // A single character in double quotes is a class in the wrong quotes.
        let quoted = values.strip_prefix('"').map(|rest| rest.split_once('"').unwrap_or((rest, "")));
        if let Some((_, rest)) = quoted.filter(|(text, _)| text.chars().count() > 1) {
            // A class after the name is a mistake in every game.
            if rest.trim_start_matches([',', ' ', '\t']).starts_with('\'') {
                return;
            }
            return self.add(self.scripts, FORM, "a name without a class", start, end);
        }
        // The first value: a class, `random`, or a register.
        let first = match values.strip_prefix('\'') {
            Some(rest) => rest.get(1..).and_then(|rest| rest.strip_prefix('\'')),
            None if values.starts_with("random")
                || values.split(',').next().is_some_and(|first| first.ends_with(']')) =>
            {
                values.find(',').map(|comma| &values[comma..])
            }
            None => None,
        };
        let Some(rest) = first.map(str::trim_start).and_then(|rest| rest.strip_prefix(',')) else { return };
        let rest = rest.trim_start();
        let ends_in_name = || rest.rsplit(',').next().is_some_and(|last| last.trim_start().starts_with('"'));
        if rest.starts_with('(') && ends_in_name() {
            // The name of an object after its place is a mistake in every game.
        } else if rest.starts_with('(') {
            self.add(self.scripts, FORM, "a place right after the class", start, end);
        } else if rest.starts_with('"') {
            self.add(self.lists, SHAPE, "a class and a name as two values", start, end);
        } else if let Some(rest) = rest.strip_prefix("random") {
            let third = rest.trim_start().strip_prefix(',').map(str::trim_start).unwrap_or("");
            if third.starts_with('(') || third.starts_with("random") || third.starts_with("place[") {
                self.add(self.lists, SHAPE, "a place after class and name", start, end);
            } else {
                self.add(self.scripts, FORM, "a place right after the class", start, end);
            }
        }
    }
}

fn word_length(bytes: &[u8]) -> usize {
    bytes.iter().position(|&byte| !(byte.is_ascii_alphanumeric() || byte == b'_')).unwrap_or(bytes.len())
}

// --- Statements of one language in the form of another

/// Converts a MONSTER, OBJECT or CONTAINER in script syntax (`MONSTER:('v',"dust vortex"),(0,4)`) to the syntax of
/// 3.4.3 (`MONSTER:'v',"dust vortex",(0,4)`). Returns `None` for anything else.
pub fn thing_as_nethack343(statement: &str) -> Option<String> {
    let (word, values) = statement.trim().split_once(':')?;
    let word = word.trim();
    if !matches!(word, "MONSTER" | "OBJECT" | "CONTAINER") {
        return None;
    }
    let inside = values.trim_start().strip_prefix('(')?;
    let (class, rest) = value(inside)?;
    let (name, rest) = value(rest.strip_prefix(',')?)?;
    let rest = rest.strip_prefix(')')?.trim_start().strip_prefix(',')?.trim();
    let length = match rest.strip_prefix('(') {
        Some(inner) => inner.find(')')? + 2,
        None => rest.find(',').unwrap_or(rest.len()),
    };
    let (place, details) = rest.split_at(length);
    let details = details.trim_start().strip_prefix(',').unwrap_or(details);
    let details = if word == "MONSTER" { monster_details(details)? } else { object_details(details)? };
    let fits = class.starts_with('\'') && name.starts_with('"') && !place.contains(['{', '$']);
    fits.then(|| format!("{word}:{class},{name},{}{details}", place.trim()))
}

/// Splits off the key of a detail: `montype:"gnome"`.
fn keyed(detail: &str) -> (&str, &str) {
    let (key, value) = detail.split_once(':').filter(|_| !detail.starts_with('"')).unwrap_or(("", detail));
    (key.trim(), value.trim())
}

/// Returns the details of a MONSTER in the syntax of 3.4.3, which has no keys.
fn monster_details(details: &str) -> Option<String> {
    let mut written = String::new();
    for detail in details.split(',').map(str::trim).filter(|detail| !detail.is_empty()) {
        let (key, value) = keyed(detail);
        match key.to_ascii_lowercase().as_str() {
            "" | "name" => written.push_str(&format!(",{value}")),
            "m_object" | "m_monster" | "m_feature" => written.push_str(&format!(",{key} {value}")),
            _ => return None,
        }
    }
    Some(written)
}

/// Returns the details of an OBJECT in the syntax of 3.4.3: curse, monster, enchantment, name.
fn object_details(details: &str) -> Option<String> {
    let (mut curse, mut monster, mut enchantment, mut name) = (None, None, None, None);
    for detail in details.split(',').map(str::trim).filter(|detail| !detail.is_empty()) {
        let (key, value) = keyed(detail);
        let part = match key.to_ascii_lowercase().as_str() {
            "montype" => &mut monster,
            "name" => &mut name,
            "" if matches!(value, "blessed" | "uncursed" | "cursed" | "random") => &mut curse,
            "" if value.trim_start_matches(['+', '-']).bytes().all(|byte| byte.is_ascii_digit()) => &mut enchantment,
            _ => return None,
        };
        *part = Some(value);
    }
    if [curse, monster, enchantment, name].iter().all(Option::is_none) {
        return Some(String::new());
    }
    // Whatever has an enchantment may have the rest. Without it, 0 is usual.
    let parts = [curse, monster, Some(enchantment.unwrap_or("0").trim_start_matches('+')), name];
    Some(parts.into_iter().flatten().map(|part| format!(",{part}")).collect())
}

/// Converts a DOOR of a room in the syntax of 3.4.3 (`DOOR:false,closed,north,random`) to a ROOMDOOR of a script.
/// Returns `None` for the door of a map.
pub fn door_as_script(statement: &str) -> Option<String> {
    let (word, values) = statement.trim().split_once(':')?;
    let (secret, rest) = value(values)?;
    let (_, rest) = value(rest.strip_prefix(',')?)?;
    let (wall, _) = value(rest.strip_prefix(',')?)?;
    let room =
        matches!(secret, "true" | "false" | "random") && matches!(wall, "north" | "south" | "east" | "west" | "random");
    (word.trim() == "DOOR" && room).then(|| format!("ROOMDOOR:{}", values.trim()))
}

/// Splits off the first value of a list: a quoted character or string, or a word.
fn value(text: &str) -> Option<(&str, &str)> {
    let text = text.trim_start();
    let end = match text.as_bytes().first()? {
        b'"' => text[1..].find('"')? + 2,
        b'\'' => {
            // `'\''` is an escaped quote, but `'\'` is a backslash.
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
        let corpse = "OBJECT:('%',\"corpse\"),random,montype:\"knight\",0";
        assert_eq!(thing_as_nethack343(corpse).as_deref(), Some("OBJECT:'%',\"corpse\",random,\"knight\",0"));
        let sword = "OBJECT:(')',\"long sword\"),(1,2),name:\"A\",+2,blessed";
        let right = "OBJECT:')',\"long sword\",(1,2),blessed,2,\"A\"";
        assert_eq!(thing_as_nethack343(sword).as_deref(), Some(right));
        assert_eq!(thing_as_nethack343("OBJECT:('(',\"chest\"),random,trapped"), None);
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
    fn the_reason_names_the_difference() {
        let guess = detect("MAZE:\"x\",' '\nNOMAP\nMONSTER:'v',\"dust vortex\",(0,4)\n");
        assert_eq!((guess.dialect, guess.certainty), ("nethack343", Certainty::Sure));
        assert_eq!(guess.reason, "a class and a name as two values is valid in NetHack 3.4.3, not in NetHack 3.6");
        let guess = detect("LEVEL:\"x\"\nVAULTGEN:1\n$a = 1\n");
        assert_eq!(guess.dialect, "unnethack");
    }
}
