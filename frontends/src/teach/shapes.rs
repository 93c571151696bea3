//! Corrections of one statement that are tried out.
//!
//! Most mistakes in a statement are of form: a missing or wrong sign, values in another order, brackets of another
//! language. Each method of [`Shapes`] makes one such correction and keeps it only if the statement can then be read.

use std::ops::Range;

use splc_ir::catalog::{Catalog, Feature, Format};
use splc_ir::diagnostic::{Code, Diagnostic, Mistake, nearest};
use splc_ir::source::{FileId, Span};

use super::usage::is_place_first;
use super::words;

/// The longest statement, in bytes, for which corrections are tried.
const MAX_BYTES: usize = 400;

/// The number of bytes before a statement that show its block.
const MAX_AROUND: usize = 2000;

/// Words for the whole map, where a region is expected.
const WHOLE: [&str; 9] = ["all", "any", "anything", "entire", "everything", "everywhere", "full", "map", "whole"];

/// Words that a value does not need before it.
const SUPERFLUOUS: [&str; 12] =
    ["spe", "enchantment", "plus", "charges", "named", "called", "name", "inventory", "contents", "with", "at", "in"];

/// The most values whose orders are all tried: they have 24. Of up to [`MAX_SWAPPED`], two are swapped.
const MAX_ORDERED: usize = 4;
const MAX_SWAPPED: usize = 7;

/// A statement on one line that could not be read.
pub(crate) struct Shapes<'a> {
    pub(crate) text: &'a str,
    pub(crate) file: FileId,
    pub(super) catalog: &'a Catalog,
    pub(crate) word: &'a str,
    /// The statement, from its keyword to the end of its line.
    pub(super) statement: Range<usize>,
    /// The end of the part that could be read.
    before: usize,
    /// The unexpected token.
    pub(super) found: Range<usize>,
    /// Returns true if a statement can be read.
    parses: &'a dyn Fn(&str) -> bool,
}

/// A replacement.
type Edit = (Range<usize>, String);

impl<'a> Shapes<'a> {
    /// Returns the statement that begins with `word` at `start`, unless it is long or has several lines.
    pub(crate) fn new(
        text: &'a str,
        file: FileId,
        catalog: &'a Catalog,
        (word, start): (&'a str, usize),
        (before, found): (usize, Range<usize>),
        parses: &'a dyn Fn(&str) -> bool,
    ) -> Option<Self> {
        let rest = text.get(start..)?;
        // An assignment has no keyword.
        let word = if rest.starts_with(word) { word } else { "" };
        let line = rest.split(['\n', '\r']).next().unwrap_or(rest);
        let end = start + line.trim_end().len();
        let fits = line.len() <= MAX_BYTES && before <= end && start + word.len() <= before && before <= found.start;
        let found = found.start.min(end)..found.end.min(end);
        fits.then_some(Shapes { text, file, catalog, word, statement: start..end, before, found, parses })
    }

    /// Returns true if the statement can be read with `edits`.
    pub(crate) fn works(&self, edits: &[Edit]) -> bool {
        // The brace of its block may be on the next line.
        let block = self.text[self.statement.end..].trim_start().starts_with('{');
        let block = block && matches!(self.word, "ROOM" | "SUBROOM" | "CONTAINER" | "IF" | "LOOP" | "FOR" | "SWITCH");
        self.edited(edits)
            .is_some_and(|statement| (self.parses)(&statement) || block && (self.parses)(&format!("{statement} {{")))
    }

    /// Returns `advice` if its edits make the statement readable, and otherwise the advice of a shape that does. Advice
    /// whose edit leaves the statement unreadable is wrong, unless there is another mistake in it.
    pub(crate) fn best(&self, advice: Option<Diagnostic>) -> Option<Diagnostic> {
        match advice {
            Some(advice) if self.proves(&advice) => Some(advice),
            advice => {
                let is_vague = advice
                    .as_ref()
                    .is_none_or(|advice| matches!(advice.message.mistake(), Some(Mistake::Incomplete(_))));
                let missing = || if is_vague { self.incomplete() } else { None };
                self.advice().or_else(missing).or(advice).or_else(|| self.superfluous())
            }
        }
    }

    /// Returns true if the certain edits of `advice` make the statement readable.
    fn proves(&self, advice: &Diagnostic) -> bool {
        let edits = advice
            .suggestions
            .iter()
            .map(|edit| (edit.span.start as usize..edit.span.end as usize, edit.replacement.clone()));
        advice.suggestions.iter().any(|edit| edit.applicable) && self.works(&edits.collect::<Vec<_>>())
    }

    /// Returns the statement with `edits`, which are in order, or `None` if one is outside of it.
    pub(super) fn edited(&self, edits: &[Edit]) -> Option<String> {
        let mut statement = String::new();
        let mut at = self.statement.start;
        for (range, replacement) in edits {
            statement.push_str(self.text.get(at..range.start)?);
            statement.push_str(replacement);
            at = range.end;
        }
        statement.push_str(self.text.get(at..self.statement.end)?);
        Some(statement)
    }

    fn span(&self, range: Range<usize>) -> Span {
        Span::new(self.file, range.start, range.end)
    }

    fn found(&self) -> &'a str {
        &self.text[self.found.clone()]
    }

    fn rest(&self, at: usize) -> &'a str {
        self.text.get(at..self.statement.end).unwrap_or("")
    }

    /// Returns a diagnostic at `range` with `edits`, if they work.
    fn fix(&self, range: Range<usize>, message: &str, help: String, edits: &[Edit]) -> Option<Diagnostic> {
        self.offer(range, message, help, edits, true)
    }

    fn offer(
        &self,
        range: Range<usize>,
        message: &str,
        help: String,
        edits: &[Edit],
        certain: bool,
    ) -> Option<Diagnostic> {
        if !self.works(edits) {
            return None;
        }
        let diagnostic = Diagnostic::new(Code::Syntax, self.span(range), message.to_owned()).with_help(help);
        Some(edits.iter().fold(diagnostic, |diagnostic, (range, replacement)| {
            diagnostic.with_suggestion(self.span(range.clone()), replacement.clone(), certain)
        }))
    }

    /// Returns the first correction that works.
    pub(crate) fn advice(&self) -> Option<Diagnostic> {
        if self.works(&[]) {
            return None;
        }
        self.chance_first()
            .or_else(|| self.chance_last())
            .or_else(|| self.alone())
            .or_else(|| self.before_colon())
            .or_else(|| self.flags())
            .or_else(|| self.cast())
            .or_else(|| self.corridor())
            .or_else(|| self.counted_loop())
            .or_else(|| self.table())
            .or_else(|| self.count_first())
            .or_else(|| self.count_last())
            .or_else(|| self.typed())
            .or_else(|| self.subroom())
            .or_else(|| self.escape())
            .or_else(|| self.doubled_quotes())
            .or_else(|| self.list())
            .or_else(|| self.side_by_side())
            .or_else(|| self.indexed())
            .or_else(|| self.contents())
            .or_else(|| self.comment())
            .or_else(|| self.opening_quote())
            .or_else(|| self.colon())
            .or_else(|| self.enclosed())
            .or_else(|| self.computed())
            .or_else(|| self.brackets())
            .or_else(|| self.rectangle())
            .or_else(|| self.range())
            .or_else(|| self.number())
            .or_else(|| self.unit())
            .or_else(|| self.loose_numbers())
            .or_else(|| self.class_word())
            .or_else(|| self.second_place())
            .or_else(|| self.joined())
            .or_else(|| self.sign())
            .or_else(|| self.chance())
            .or_else(|| self.whole_map())
            .or_else(|| self.random())
            .or_else(|| self.doubled_parentheses())
            .or_else(|| self.superfluous_bracket())
            .or_else(|| self.other_bracket())
            .or_else(|| self.one_of())
            .or_else(|| self.alternatives())
            .or_else(|| self.quoted())
            .or_else(|| self.second_region())
            .or_else(|| self.square())
            .or_else(|| self.roughness())
            .or_else(|| self.arguments())
            .or_else(|| self.inner_values())
            .or_else(|| self.late_bracket())
            .or_else(|| self.loose_pair())
            .or_else(|| self.enchanted())
            .or_else(|| self.closed_late())
            .or_else(|| self.unclosed())
            .or_else(|| self.percent())
            .or_else(|| self.bracketed_percent())
            .or_else(|| self.shuffled())
            .or_else(|| self.secret())
            .or_else(|| self.repeated())
            .or_else(|| self.word_meant())
            .or_else(|| self.door_state())
            .or_else(|| self.bare_class())
            .or_else(|| self.ends_of_line())
            .or_else(|| self.order())
            .or_else(|| self.inner_order())
            .or_else(|| self.one_inside())
            .or_else(|| self.without_key())
            .or_else(|| self.numbered())
            .or_else(|| self.unbraced())
            .or_else(|| self.without_place())
            .or_else(|| self.two_values())
            .or_else(|| self.weightless())
            .or_else(|| self.listed_map())
            .or_else(|| self.parent())
            .or_else(|| self.values_of_room())
    }

    /// A monster without its weight: `MON_GENERATION: 50%, 'S'`
    fn weightless(&self) -> Option<Diagnostic> {
        let found = self.values().into_iter().find(|value| *value == self.found || value.start == self.found.start)?;
        let monster = self.text.get(found.clone()).filter(|_| self.word == "MON_GENERATION")?;
        let right = format!("(10,{monster})");
        let edit = (found.clone(), right.clone());
        let help = format!("write it with its weight, as in {right}");
        self.offer(found, "the weight of this monster is missing", help, &[edit], false)
    }

    /// The INIT_MAP of NetHack 3.4.3, which has no style: `INIT_MAP: '.', ' ', true, true, lit, false`
    fn listed_map(&self) -> Option<Diagnostic> {
        let values = self.values();
        let first = values.first().filter(|_| self.word == "INIT_MAP" && values.len() > 4)?;
        let edit = (first.start..first.start, "mines,".to_owned());
        let right = self.edited(std::slice::from_ref(&edit))?;
        self.of_list(first.start..values[values.len() - 1].end, format!("write {right}"), &[edit])
    }

    /// The parent of a SUBROOM, which NetHack 3.4.3 names: `SUBROOM: "shop", lit, (1,1), (2,2), "parent"`
    fn parent(&self) -> Option<Diagnostic> {
        let values = self.values();
        let [.., before, parent] = values.as_slice() else { return None };
        let name = self.text.get(parent.clone()).filter(|name| self.word == "SUBROOM" && name.starts_with('"'))?;
        let name = name.trim_end_matches(['{', ' ']);
        let edit = (before.end..parent.start + name.len(), String::new());
        self.of_list(parent.start..edit.0.end, format!("remove {name}: a SUBROOM is in the block of its room"), &[edit])
    }

    /// Reports a statement that has the form of NetHack 3.4.3.
    fn of_list(&self, range: Range<usize>, help: String, edits: &[Edit]) -> Option<Diagnostic> {
        let message = format!("this {} is written as in NetHack 3.4.3", self.word);
        let mut diagnostic =
            self.fix(range, &message, help, edits).filter(|_| self.catalog.format == Format::Opcodes)?;
        diagnostic.code = Code::WrongDialect;
        Some(diagnostic)
    }

    /// A ROOM or SUBROOM with a value too few, or too many.
    fn values_of_room(&self) -> Option<Diagnostic> {
        let values = self.values();
        if !matches!(self.word, "ROOM" | "SUBROOM") || values.len() < 2 {
            return None;
        }
        let whole = values[0].start..values[values.len() - 1].end;
        let with = |value: &Range<usize>| [(value.start..value.start, "random, ".to_owned())];
        let mut few: Vec<String> = values
            .iter()
            .filter(|value| self.works(&with(value)))
            .filter_map(|value| self.edited(&with(value)))
            .collect();
        few.dedup();
        let many = values.windows(2).rev().find(|pair| self.works(&[(pair[0].end..pair[1].end, String::new())]));
        let (span, message) = match (!few.is_empty(), many) {
            (true, _) => (whole, format!("this {} has too few values", self.word)),
            (false, Some(pair)) => (pair[1].clone(), format!("{} has one value too many", self.word)),
            (false, None) => return None,
        };
        let help = match few.as_slice() {
            [right] => format!("write {}", right.trim_end_matches(['{', ' '])),
            _ => format!("write {}", super::usage::usage(self.word, self.catalog)?),
        };
        Some(Diagnostic::new(Code::Syntax, self.span(span), message).with_help(help))
    }

    /// `DOOR: open closed, (1,1)`
    fn two_values(&self) -> Option<Diagnostic> {
        let found = self.found();
        let gap = self.text.get(self.before..self.found.start)?;
        let is_word = |text: &str| text.ends_with(|last: char| last.is_ascii_lowercase());
        let first = self.text.get(self.statement.start..self.before)?;
        if gap.is_empty() || !is_word(found) || !is_word(first) {
            return None;
        }
        let word = first.trim_end_matches(|letter: char| letter.is_ascii_lowercase() || letter == '_').len();
        let word = &first[word..];
        let edit = (self.before..self.found.end, String::new());
        let help = if word == found { format!("remove one `{word}`") } else { format!("remove `{word}` or `{found}`") };
        self.offer(self.found.clone(), "there are two values where one belongs", help, &[edit], false)
    }

    /// `MONSTER:50%, ...`, `MONSTER:[50%] ...`
    fn chance_first(&self) -> Option<Diagnostic> {
        let colon = self.statement.start + self.word.len();
        let rest = self.rest(colon).trim_start().strip_prefix(':')?.trim_start();
        let start = self.statement.end - rest.len();
        let inner = rest.strip_prefix('[').unwrap_or(rest).trim_start();
        let digits = inner.bytes().take_while(u8::is_ascii_digit).count();
        let after = inner.get(digits..)?.strip_prefix('%')?;
        let closed = after.trim_start().strip_prefix(']').filter(|_| rest.starts_with('['));
        let after = closed.unwrap_or(after);
        let end = self.statement.end - after.len();
        let separated = after.trim_start().strip_prefix([',', ':']);
        let values = separated.or(closed.map(|_| after))?.trim_start();
        let right = format!("[{}%]:", &inner[..digits]);
        let past = self.statement.end - values.len();
        let message = match closed {
            Some(_) => "a chance must be before the colon",
            None => "a chance must be in brackets before the colon",
        };
        let after_word = (format!("{}{right}", self.word), message);
        let ahead = (format!("{right} {}:", self.word), "a chance must be in brackets before the statement");
        if matches!(self.word, "ROOM" | "SUBROOM") {
            let kind = values.split(',').next()?.trim_end();
            let typed = format!("{kind} [{}%]", &inner[..digits]);
            let help = format!("write {}: {typed}, ...", self.word);
            let edit = (start..past + kind.len(), typed);
            let after_type = self.fix(start..end, "the chance of a room must be after its type", help, &[edit]);
            if after_type.is_some() {
                return after_type;
            }
        }
        [after_word, ahead].into_iter().find_map(|(right, message)| {
            let edit = (self.statement.start..past, right.clone());
            self.fix(start..end, message, format!("write {right}"), &[edit])
        })
    }

    /// `MONSTER: 'o', random, 50%`
    fn chance_last(&self) -> Option<Diagnostic> {
        let values = self.values();
        let [.., before, last] = values.as_slice() else { return None };
        let chance = self.text.get(last.clone())?;
        let number = chance.trim_matches(['[', ']']).strip_suffix('%')?;
        if number.is_empty() || !number.bytes().all(|byte| byte.is_ascii_digit()) {
            return None;
        }
        let (ahead, rest) = (format!("[{number}%]"), before.end..last.end);
        let after_word = self.statement.start + self.word.len();
        let forms = [(after_word, ahead.clone()), (self.statement.start, format!("{ahead}: "))];
        forms.into_iter().find_map(|(at, inserted)| {
            let help = match at == after_word {
                true => format!("write {}{ahead}: ...", self.word),
                false => format!("write {ahead}: {}: ...", self.word),
            };
            let edits = [(at..at, inserted), (rest.clone(), String::new())];
            self.fix(last.clone(), "a chance must be before the values", help, &edits)
        })
    }

    /// `RANDOM_CORRIDORS;`, `WALLIFY()`
    fn alone(&self) -> Option<Diagnostic> {
        let after = self.statement.start + self.word.len();
        let superfluous = self.rest(after).trim_start();
        let value = superfluous.strip_prefix(':').map(|value| value.trim().to_ascii_lowercase());
        let is_whole = value.is_some_and(|value| WHOLE.contains(&value.as_str()));
        let is_read = self.before != after && superfluous != ":" && !is_whole;
        if is_read || !is_whole && !matches!(superfluous, ";" | "()" | ":" | "." | ",") {
            return None;
        }
        let message = match superfluous {
            ":" => "nothing follows this colon".to_owned(),
            _ if is_whole => format!("`{}` is not valid here", superfluous.trim_start_matches(':').trim()),
            _ => format!("{} takes no values", self.word),
        };
        let edit = (after..self.statement.end, String::new());
        let found = self.statement.end - superfluous.len()..self.statement.end;
        self.fix(found, &message, format!("write {} alone", self.word), &[edit])
    }

    /// `GOLD: 1000gp, random`
    fn unit(&self) -> Option<Diagnostic> {
        let found = self.found();
        let glued = self.before == self.found.start && self.text[..self.before].ends_with(|c: char| c.is_ascii_digit());
        if !glued || found.len() < 2 || !found.starts_with(|first: char| first.is_ascii_alphabetic()) {
            return None;
        }
        let sides = &found[1..];
        if sides.bytes().all(|byte| byte.is_ascii_digit()) {
            let count = self.text[..self.before].trim_end_matches(|letter: char| letter.is_ascii_digit()).len();
            let right = format!("{}d{sides}", &self.text[count..self.before]);
            let range = count..self.found.end;
            let edit = (range.clone(), right.clone());
            return self.offer(range, "dice are written with a `d`", format!("write {right}"), &[edit], false);
        }
        let edit = (self.found.clone(), String::new());
        let message = format!("unexpected `{found}` after a number");
        self.fix(self.found.clone(), &message, "write the number alone".to_owned(), &[edit])
    }

    /// A value that is written twice: `true, true, true`.
    fn repeated(&self) -> Option<Diagnostic> {
        let values = self.values();
        let twice = |pair: &&[Range<usize>]| {
            self.text.get(pair[0].clone()) == self.text.get(pair[1].clone()) && !pair[0].is_empty()
        };
        values.windows(2).filter(twice).find_map(|pair| {
            let edit = (pair[0].end..pair[1].end, String::new());
            let right = self.edited(std::slice::from_ref(&edit))?;
            let message = format!("{} has one value too many", self.word);
            self.offer(pair[1].clone(), &message, format!("write {}", right.trim_end()), &[edit], false)
        })
    }

    /// A word of everyday English or of another game, where the place of the error allows several meanings:
    /// `DOOR: no, closed, north, random`.
    fn word_meant(&self) -> Option<Diagnostic> {
        // A word can be several tokens.
        let rest = self.rest(self.found.start);
        let letters = |letter: char| letter.is_ascii_alphanumeric() || "_-".contains(letter);
        let found = &rest[..rest.find(|letter| !letters(letter)).unwrap_or(rest.len())];
        let range = self.found.start..self.found.start + found.len();
        let mut works: Vec<&str> = words::meanings(&found.to_ascii_lowercase())
            .filter(|meant| self.works(&[(range.clone(), (*meant).to_owned())]))
            .collect();
        works.dedup();
        let [right] = works[..] else { return None };
        let edit = (range.clone(), right.to_owned());
        // A peaceful monster is only similar to a tame one.
        let certain = found != "tame";
        self.offer(range, &format!("`{found}` is not valid here"), format!("write {right}"), &[edit], certain)
    }

    /// `OBJECT: ((,"chest"), (3,2)`
    fn bare_class(&self) -> Option<Diagnostic> {
        let found = self.found();
        let is_one = found.len() == 1 && has_species(self.word) && self.rest(self.found.end).starts_with(',');
        let right = format!("'{found}'");
        let edit = (self.found.clone(), right.clone());
        let message = "a class must be in single quotes";
        is_one.then(|| self.fix(self.found.clone(), message, format!("write {right}"), &[edit]))?
    }

    /// `DOOR: true, (12,2)`
    fn door_state(&self) -> Option<Diagnostic> {
        let values = self.values();
        let [state, _] = values.as_slice() else { return None };
        let written = self.text.get(state.clone()).filter(|_| self.word == "DOOR")?;
        if !matches!(written, "true" | "false" | "secret") {
            return None;
        }
        let edit = (state.clone(), "closed".to_owned());
        let help = match written {
            "secret" => "draw `S` on the map at this place, and give the state of the door, as in `closed`",
            _ => "write open, closed, locked, nodoor, broken or random",
        };
        let help = help.to_owned();
        self.offer(state.clone(), &format!("`{written}` is not the state of a door"), help, &[edit], false)
    }

    /// `line (1,1) to (5,1)`
    fn ends_of_line(&self) -> Option<Diagnostic> {
        let found = self.found();
        let range = self.before..self.found.end;
        let is_word = matches!(found, "to" | "TO" | "and" | "until");
        ["-", ","].into_iter().filter(|_| is_word).find_map(|sign| {
            let message = format!("the ends of a line must be joined with `{sign}`");
            let help = format!("write `{sign}` instead of `{found}`");
            self.fix(self.found.clone(), &message, help, &[(range.clone(), sign.to_owned())])
        })
    }

    /// `OBJECT: ("arrow",')'), (3,2)`
    fn inner_order(&self) -> Option<Diagnostic> {
        self.values().into_iter().find_map(|range| {
            let inner = self.text.get(range.clone())?.strip_prefix('(')?.strip_suffix(')')?;
            let [first, second] =
                values(inner)[..].iter().map(|part| inner[part.clone()].trim()).collect::<Vec<_>>()[..]
            else {
                return None;
            };
            let right = format!("({second},{first})");
            let edit = (range.clone(), right.clone());
            self.fix(range, "these two values are in the wrong order", format!("write {right}"), &[edit])
        })
    }

    /// `OBJECT: '[', (3,2), eroded:very`
    fn numbered(&self) -> Option<Diagnostic> {
        let ahead = self.text.get(self.statement.start..self.before)?.strip_suffix(':')?;
        let key = &ahead[ahead.trim_end_matches(|letter: char| letter.is_ascii_lowercase() || letter == '_').len()..];
        let edit = (self.found.clone(), "1".to_owned());
        let help = format!("write a number, as in {key}:1");
        let fixed = self.offer(self.found.clone(), &format!("`{key}` takes a number"), help, &[edit], false);
        fixed.filter(|_| !key.is_empty() && self.found().starts_with(|first: char| first.is_ascii_alphabetic()))
    }

    /// `MONSTER: '@', (3,2), align:law`
    fn without_key(&self) -> Option<Diagnostic> {
        self.values().into_iter().find_map(|range| {
            let written = self.text.get(range.clone())?;
            let (key, value) = written.split_once([':', '='])?;
            let key = key.trim_end();
            let letters = key.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'_');
            let known = self.catalog.all_keywords().iter().map(|word| word.as_ref());
            let is_misspelt = || !self.catalog.is_keyword(key) && !nearest(key, known).is_empty();
            let is_key = !key.is_empty() && letters && !SUPERFLUOUS.contains(&key) && !is_misspelt();
            let start = range.end - value.trim_start().len();
            let edit = (range.start..start, String::new());
            let title = &self.catalog.title;
            let message = match written[key.len()..].trim_start().starts_with(':') {
                true if self.catalog.all_keywords().iter().any(|known| *known == key) => {
                    format!("{} takes no `{key}:`", self.word)
                }
                true => format!("{title} has no `{key}:`"),
                false => format!("`{}` is not written before this value", &self.text[range.start..start].trim_end()),
            };
            let monster = ["mon", "corpse", "species"].iter().any(|part| key.contains(part));
            if is_key && monster && self.catalog.is_keyword("montype") && self.word != "MONSTER" {
                let right = format!("montype:{}", value.trim());
                return self.fix(range.clone(), &message, format!("write {right}"), &[(range, right.clone())]);
            }
            let help = format!("write {} alone", value.trim());
            is_key.then(|| self.offer(range, &message, help, &[edit], false))?
        })
    }

    /// `TRAP: ('^',"web"), (3,2)`
    fn one_inside(&self) -> Option<Diagnostic> {
        self.values().into_iter().find_map(|range| {
            let inner = self.text.get(range.clone())?.strip_prefix('(')?.strip_suffix(')')?;
            let parts = values(inner);
            // Things have a class and a name.
            let is_pair = |first: &str| first.len() == 3 && first.starts_with('\'') && first.ends_with('\'');
            if !parts.first().is_some_and(|first| is_pair(&inner[first.clone()])) || has_species(self.word) {
                return None;
            }
            let works = |part: &&Range<usize>| self.works(&[(range.clone(), inner[(*part).clone()].trim().to_owned())]);
            let [right] = parts.iter().filter(works).collect::<Vec<_>>()[..] else { return None };
            let right = inner[right.clone()].trim().to_owned();
            let message = "this is one value, without parentheses";
            let edit = (range.clone(), right.clone());
            (parts.len() == 2).then(|| self.offer(range, message, format!("write {right}"), &[edit], false))?
        })
    }

    /// `DOOR: closed, north, 3` in a room.
    fn secret(&self) -> Option<Diagnostic> {
        let first = self.values().into_iter().next().filter(|_| matches!(self.word, "DOOR" | "ROOMDOOR"))?;
        let edit = (first.start..first.start, "false, ".to_owned());
        let right = self.edited(std::slice::from_ref(&edit))?;
        let message = "the door of a room begins with true or false: whether it is secret";
        self.offer(first, message, format!("write {}", right.trim_end()), &[edit], false)
    }

    /// `MONSTER x3: ...`
    fn before_colon(&self) -> Option<Diagnostic> {
        let after = self.statement.start + self.word.len();
        let between = self.rest(after).split_once(':')?.0;
        let superfluous = between.trim();
        let is_plain = |letter: char| letter.is_ascii_alphanumeric() || " _*".contains(letter);
        if superfluous.is_empty()
            || !between.starts_with(' ')
            || self.before != after
            || !superfluous.chars().all(is_plain)
        {
            return None;
        }
        let start = after + between.len() - between.trim_start().len();
        let counts = superfluous.bytes().any(|byte| byte.is_ascii_digit());
        let help = match counts {
            true => "remove it, and repeat the statement in a loop: LOOP [3] { ... }",
            false => "remove it",
        };
        let edit = (after..after + between.len(), String::new());
        let message = format!("unexpected `{superfluous}` between {} and its colon", self.word);
        self.offer(start..start + superfluous.len(), &message, help.to_owned(), &[edit], false)
    }

    /// `FLAGS: [noteleport,hardfloor]`, `FLAGS: "noteleport","hardfloor"`
    fn flags(&self) -> Option<Diagnostic> {
        let values = self.values();
        let whole = values.first().filter(|_| self.word == "FLAGS")?.start..values.last()?.end;
        let written = &self.text[whole.clone()];
        let inner = written.trim_matches(['(', ')', '[', ']', '{', '}', ' ']);
        let flags: Vec<&str> = inner.split(',').map(|flag| flag.trim().trim_matches(['"', '\''])).collect();
        let right = flags.join(",");
        let brackets = inner.len() < written.len();
        let message = match (brackets, right.len() < inner.replace(' ', "").len()) {
            (true, true) => "FLAGS takes no brackets and no quotes",
            (true, false) => "FLAGS takes no brackets",
            (false, true) if flags.len() > 1 => "these flags take no quotes",
            _ => return None,
        };
        self.fix(whole.clone(), message, format!("write FLAGS:{right}"), &[(whole, right)])
    }

    /// `FOUNTAIN: (np.int64(3), np.int64(2))`, `GOLD: int(100), (3,2)`
    fn cast(&self) -> Option<Diagnostic> {
        let whole = self.values().into_iter().find(|value| value.contains(&self.found.start))?;
        let written = &self.text[whole.clone()];
        let (mut right, mut rest, mut first) = (String::new(), written, None);
        while let Some(open) = rest.find('(') {
            let name = |letter: char| letter.is_ascii_alphanumeric() || "_.".contains(letter);
            let start = rest[..open].trim_end_matches(name).len();
            let number = rest[open + 1..].split(')').next().unwrap_or("").trim();
            let digits = number.strip_suffix(".0").unwrap_or(number);
            let is_number = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
            let called = &rest[start..open];
            let is_cast = called.contains('.') || ["int", "float", "str"].iter().any(|of| called.starts_with(of));
            if is_cast && is_number && rest[open + 1..].contains(')') {
                right.push_str(&rest[..start]);
                right.push_str(digits);
                let end = open + 2 + rest[open + 1..].find(')').unwrap_or(0);
                let at = whole.start + (written.len() - rest.len());
                first.get_or_insert(at + start..at + end);
                rest = &rest[end..];
            } else {
                right.push_str(&rest[..=open]);
                rest = &rest[open + 1..];
            }
        }
        right.push_str(rest);
        let first = first?;
        let message = format!("`{}` is not a number", &self.text[first.clone()]);
        self.fix(first, &message, format!("write {right}"), &[(whole, right.clone())])
    }

    /// `CORRIDOR: (0,east,0), (1,west)`
    fn corridor(&self) -> Option<Diagnostic> {
        if self.word != "CORRIDOR" {
            return None;
        }
        self.values().into_iter().find_map(|range| {
            let inner = self.text.get(range.clone())?.strip_prefix('(')?.strip_suffix(')')?;
            let parts: Vec<&str> = inner.split(',').map(str::trim).collect();
            let [room, wall] = parts[..] else { return None };
            let is_room = room.bytes().all(|byte| byte.is_ascii_digit());
            let is_wall = matches!(wall, "north" | "south" | "east" | "west" | "random");
            if !is_room || !is_wall {
                return None;
            }
            let message = "the door of this end is missing";
            let help = format!("write the number of a door in its {wall} wall, as in ({room},{wall},0)");
            let help =
                if wall == "random" { format!("write the number of a door, as in ({room},{wall},0)") } else { help };
            Some(Diagnostic::new(Code::Syntax, self.span(range), message).with_help(help))
        })
    }

    /// `FOR (i = 0; i < 5; i++) {`, `FOR $i = 1..5 {`
    fn counted_loop(&self) -> Option<Diagnostic> {
        let rest = self.rest(self.statement.start).strip_prefix("FOR")?;
        let right = format!("{} {{", for_head(rest.strip_suffix('{')?)?);
        let help = format!("write {right}");
        let edit = (self.statement.clone(), right);
        let end = self.statement.end - 1;
        let range = self.statement.start..end;
        self.fix(range, "a FOR is written with TO, from the first number to the last", help, &[edit])
    }

    /// `OBJECT: { id = "dagger", x = 3 }`
    fn table(&self) -> Option<Diagnostic> {
        let rest = self.rest(self.statement.start + self.word.len());
        let inner = rest.trim_start().trim_start_matches(':').trim_start().strip_prefix('{')?;
        let key = inner.trim_start().split_once('=')?.0.trim();
        let is_word = !key.is_empty() && key.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'_');
        let start = self.statement.end - inner.len() - 1;
        let known = matches!(self.word, "OBJECT" | "MONSTER" | "TRAP" | "CONTAINER");
        (is_word && known && rest.ends_with('}')).then(|| {
            let example = match self.word {
                "TRAP" => "TRAP: \"pit\", (3,2)",
                "MONSTER" => "MONSTER: ('d',\"jackal\"), (3,2), asleep",
                _ => "OBJECT: (')',\"dagger\"), (3,2), cursed",
            };
            Diagnostic::new(Code::WrongDialect, self.span(start..self.statement.end), "this is a table of Lua")
                .with_help(format!("write the values in order, without keys: {example}"))
        })
    }

    /// `OBJECT: 3 ('*',"diamond"), (3,2)`
    fn count_first(&self) -> Option<Diagnostic> {
        let first = self.values().into_iter().next()?;
        let value = &self.text[first.clone()];
        let digits = value.bytes().take_while(u8::is_ascii_digit).count();
        let after = value[digits..].trim_start_matches(['x', '*']).trim_start();
        if digits == 0 || !after.starts_with(['(', '\'', '"']) || !matches!(self.word, "OBJECT" | "MONSTER" | "TRAP") {
            return None;
        }
        let count = first.start..first.start + digits;
        let edit = (first.start..first.end - after.len(), String::new());
        let number = &value[..digits];
        let help = match self.word {
            "OBJECT" => format!("write the number after the place: quantity:{number}"),
            _ => format!("remove it, and repeat the statement in a loop: LOOP [{number}] {{ ... }}"),
        };
        self.offer(count, &format!("{} does not begin with a number", self.word), help, &[edit], false)
    }

    /// `MONSTER: 'o', random, count:3`
    fn count_last(&self) -> Option<Diagnostic> {
        let last = self.values().pop().filter(|_| matches!(self.word, "MONSTER" | "TRAP"))?;
        let (word, number) = self.text.get(last.clone())?.split_once([':', '='])?;
        let number = number.trim();
        let counts = matches!(word.trim(), "count" | "quantity" | "number" | "amount" | "num");
        if !counts || number.is_empty() || !number.bytes().all(|byte| byte.is_ascii_digit()) {
            return None;
        }
        let comma = self.text[..last.start].trim_end().strip_suffix(',')?.len();
        let edit = (comma..last.end, String::new());
        let one = self.edited(std::slice::from_ref(&edit))?;
        let help = match self.catalog.is_keyword("LOOP") {
            true => format!("repeat it in a loop: LOOP [{number}] {{ {one} }}"),
            false => format!("write it {number} times: {one}"),
        };
        self.offer(last, &format!("{} has no count", self.word), help, &[edit], false)
    }

    /// `MONSTER: monster('o'), random`
    fn typed(&self) -> Option<Diagnostic> {
        let value = self.values().into_iter().find(|value| value.start == self.found.start)?;
        let written = self.text.get(value.clone())?;
        let kind = written.split('(').next()?;
        let inner = written.strip_prefix(kind)?.strip_prefix('(')?.strip_suffix(')')?.trim();
        if !matches!(kind.trim_end(), "monster" | "object" | "trap" | "terrain" | "region" | "place" | "coord") {
            return None;
        }
        let message = format!("`{}` is not written before a value", kind.trim_end());
        [format!("({inner})"), inner.to_owned()].into_iter().find_map(|right| {
            let edit = (value.clone(), right.clone());
            self.fix(value.start..value.start + kind.trim_end().len(), &message, format!("write {right}"), &[edit])
        })
    }

    /// `ROOM: "closet", lit, (1,1), (2,2) {` in a room.
    fn subroom(&self) -> Option<Diagnostic> {
        let start = splc_ir::source::floor(self.text, self.statement.start.saturating_sub(MAX_AROUND));
        let around = self.text.get(start..self.statement.start).unwrap_or_default();
        // The blocks of an earlier level are closed.
        let level = ["\nLEVEL", "\nMAZE"].iter().filter_map(|word| around.rfind(word)).max().unwrap_or(0);
        let depth = around[level..].lines().fold(0_usize, |depth, line| {
            let code = line.split('#').next().unwrap_or("").trim_end();
            match code.ends_with('{') {
                true => depth + 1,
                false => depth.saturating_sub(usize::from(code.trim_start().starts_with('}'))),
            }
        });
        if self.word != "ROOM" || depth == 0 {
            return None;
        }
        let word = self.statement.start..self.statement.start + self.word.len();
        let help = "write SUBROOM: \"type\", lit, position, size { ... } for a room in a room; a ROOM has an alignment \
                    before its size";
        let edit = (word.clone(), "SUBROOM".to_owned());
        self.offer(word, "this ROOM has the values of a SUBROOM", help.to_owned(), &[edit], false)
    }

    /// `$place = ( (1,1), (2,2) )`
    fn list(&self) -> Option<Diagnostic> {
        let start = self.statement.start + self.rest(self.statement.start).find('=')? + 1;
        let rest = self.rest(start);
        let value = start + rest.len() - rest.trim_start().len()..self.statement.end;
        let written = &self.text[value.clone()];
        let inner = written.strip_prefix(['(', '{'])?.strip_suffix([')', '}', ']'])?;
        let inner = inner.strip_prefix('[').and_then(|inner| inner.strip_suffix(']')).unwrap_or(inner);
        // `("o","hill orc")` is one thing.
        let parts = values(inner);
        let parts: Vec<&str> = parts.into_iter().map(|range| inner[range].trim().trim_matches(['"', '\''])).collect();
        if let [class, name] = parts[..]
            && inner.contains('"')
            && let [letter] = *class.as_bytes()
        {
            let right = format!("('{}',\"{name}\")", char::from(letter));
            let types = ["monster", "object", "MONSTER", "OBJECT"].map(|of| format!("{of}: {right}"));
            let edits = types.map(|typed| [(value.clone(), typed)]);
            let [first, ..] = edits.iter().filter(|edit| self.works(*edit)).collect::<Vec<_>>()[..] else {
                return None;
            };
            let help = format!("write monster: {right}, or object: {right}");
            let help = if first[0].1.starts_with('M') { help.replace("er: ", "ER: ") } else { help };
            let message = "a class and a name need their type before them";
            return self.offer(value, message, help, first, false);
        }
        let right = format!("{{ {} }}", inner.trim());
        let help = format!("write {right}");
        self.fix(value.clone(), "the values of an array must be in braces", help, &[(value, right)])
    }

    /// `$place = (1,1) (2,2)`
    fn side_by_side(&self) -> Option<Diagnostic> {
        let statement = self.text.get(self.statement.clone()).filter(|_| self.word.is_empty())?;
        let written = statement.split_once('=')?.1.trim_start();
        let kind = written.bytes().take_while(u8::is_ascii_alphabetic).count();
        // `monster: 'o' 'h'`
        let values = written[kind..].trim_start().strip_prefix(':').map_or(written, str::trim_start);
        let list = separated_by_blanks(values);
        if list.len() < 2 {
            return None;
        }
        let right = format!("{{ {} }}", list.join(", "));
        let range = self.statement.end - values.len()..self.statement.end;
        let edit = (range.clone(), right.clone());
        self.fix(range, "the values of an array must be in braces", format!("write {right}"), &[edit])
    }

    /// `MONSTER: { 'o','D' }, random`
    fn one_of(&self) -> Option<Diagnostic> {
        let all = self.values();
        let range = all.iter().find(|range| range.start == self.found.start)?.clone();
        let written = &self.text[range.clone()];
        let inner = written.strip_prefix('{')?.strip_suffix('}')?;
        let first = &inner[values(inner).first()?.clone()];
        let kind = self.word.to_ascii_lowercase();
        let of = [kind.as_str(), self.word].into_iter().find(|of| self.catalog.is_keyword(of))?;
        if !matches!(self.word, "MONSTER" | "OBJECT") || !self.works(&[(range.clone(), first.trim().to_owned())]) {
            return None;
        }
        let help = format!(
            "set an array before it, ${kind} = {of}: {written}, and write SHUFFLE: ${kind}, then ${kind}[0] here"
        );
        let message = format!("a {} takes one {kind}, not a list", self.word);
        Some(Diagnostic::new(Code::Syntax, self.span(range), message).with_help(help))
    }

    /// `ROOMDOOR: false, closed, north,south, random`
    fn alternatives(&self) -> Option<Diagnostic> {
        let values = self.values();
        let is_word = |range: &Range<usize>| {
            !range.is_empty() && self.text[range.clone()].bytes().all(|byte| byte.is_ascii_lowercase())
        };
        let last = values.iter().position(|range| range.start == self.found.start)?;
        let first = last.checked_sub(1)?;
        let others = values[last..].iter().take_while(|range| is_word(range)).count();
        (1..=others).filter(|_| is_word(&values[first])).find_map(|count| {
            let words = &values[first..=first + count];
            let range = words[0].start..words[count].end;
            let right = words.iter().map(|word| &self.text[word.clone()]).collect::<Vec<_>>().join("|");
            let edit = (range.clone(), right.clone());
            self.fix(range, "alternatives must be separated with `|`", format!("write {right}"), &[edit])
        })
    }

    /// `BRANCH: (6,4), (0,0,0,0)`
    fn square(&self) -> Option<Diagnostic> {
        if has_place(self.word) {
            return None;
        }
        self.values().into_iter().find_map(|range| {
            let inner = self.text[range.clone()].strip_prefix('(')?.strip_suffix(')')?;
            let is_number = |number: &str| !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit());
            let (x, y) = inner.split_once(',').map(|(x, y)| (x.trim(), y.trim()))?;
            let right = format!("({x},{y},{x},{y})");
            let edit = (range.clone(), right.clone());
            let help = format!("write {right} for this square alone");
            let numbers = is_number(x) && is_number(y);
            numbers.then(|| self.offer(range, "a region is four numbers, (x1,y1,x2,y2)", help, &[edit], false))?
        })
    }

    /// `SHUFFLE: $place[0]`
    fn indexed(&self) -> Option<Diagnostic> {
        let name = self.text.get(self.statement.start..self.before)?.rsplit([':', ' ']).next()?;
        let index = self.rest(self.found.start);
        if self.word != "SHUFFLE" || !name.starts_with('$') || !(index.starts_with('[') && index.ends_with(']')) {
            return None;
        }
        let range = self.before..self.statement.end;
        let message = "SHUFFLE takes a whole array, not one of its values";
        self.fix(range.clone(), message, format!("write SHUFFLE: {name}"), &[(range, String::new())])
    }

    /// `"He said \"hi\""`
    fn escape(&self) -> Option<Diagnostic> {
        let read = self.text.get(self.statement.start..self.found.end)?;
        let at = self.statement.start + read.find("\\\"").or_else(|| read.ends_with('\\').then(|| read.len() - 1))?;
        let rest = self.rest(at);
        let help = "write single quotes inside a string".to_owned();
        let last = rest.rfind('"').filter(|_| rest.starts_with("\\\""))?;
        let inner = rest[..last].replace("\\\"", "'");
        let edit = (at..at + last, inner);
        self.fix(at..at + 2, "a string cannot contain a double quote", help, &[edit])
    }

    /// `TRAP: ""web"", (3,2)`
    fn doubled_quotes(&self) -> Option<Diagnostic> {
        let statement = self.text.get(self.statement.clone())?;
        let first = self.statement.start + statement.find("\"\"")?;
        let inner = self.rest(first + 2).split("\"\"").next()?;
        let range = first..first + inner.len() + 4;
        let right = format!("\"{inner}\"");
        let edit = (range.clone(), right.clone());
        let written = self.text.get(range.clone())?.ends_with("\"\"");
        written.then(|| self.fix(range, "a string has one pair of quotes", format!("write {right}"), &[edit]))?
    }

    /// `OBJECT: "chest", (3,2) {`
    fn contents(&self) -> Option<Diagnostic> {
        if self.word != "OBJECT" || self.found() != "{" {
            return None;
        }
        let word = self.statement.start..self.statement.start + self.word.len();
        let edit = (word.clone(), "CONTAINER".to_owned());
        let comma = self.text[..self.before].strip_suffix(',').map(|rest| (rest.len()..self.before, String::new()));
        let edits: Vec<Edit> = [edit].into_iter().chain(comma).collect();
        let help = "write CONTAINER instead of OBJECT".to_owned();
        self.fix(word, "an OBJECT cannot have contents", help, &edits)
    }

    /// `TRAP: "pit", (3,2) // a pit`
    fn comment(&self) -> Option<Diagnostic> {
        let rest = self.rest(self.found.start);
        let mark = ["//", "/*", "--", "<!--"].into_iter().find(|mark| rest.starts_with(mark))?;
        let message = "a comment must be on its own line and begin with `#`";
        let help = format!("write `#` instead of `{mark}`, on a line of its own");
        if let (true, Some(length)) = (mark == "/*", rest.find("*/").map(|at| at + 2)) {
            let comment = self.found.start..self.found.start + length;
            if comment.end < self.statement.end {
                let help = "remove it, or move it to a line of its own".to_owned();
                return self.fix(comment.clone(), message, help, &[(comment, String::new())]);
            }
        }
        let inner = rest[mark.len()..].trim_end_matches("*/").trim_end_matches("-->");
        let edit = (self.before..self.statement.end, format!("\n#{}", inner.trim_end()));
        self.fix(self.found.start..self.statement.end, message, help, &[edit])
    }

    /// `TRAP: pit", (3,2)`
    fn opening_quote(&self) -> Option<Diagnostic> {
        let rest = self.rest(self.found.start);
        let name = rest.split('"').next().filter(|name| name.len() < rest.len())?;
        if !name.starts_with(char::is_alphabetic) || name.contains([',', '(', ')', ':', '\'']) {
            return None;
        }
        let range = self.found.start..self.found.start + name.len() + 1;
        self.fix(
            range,
            "this name has no opening quote",
            format!("write \"{name}\""),
            &[(self.found.start..self.found.start, "\"".to_owned())],
        )
    }

    /// `SWITCH [2]: {`, `peaceful: 1`
    fn colon(&self) -> Option<Diagnostic> {
        if !matches!(self.found(), ":" | "=") {
            return None;
        }
        // `(3:2)`
        let digit = |letter: char| letter.is_ascii_digit();
        if self.text[..self.before].ends_with(digit) && self.rest(self.found.end).starts_with(digit) {
            return None;
        }
        let previous = self.text[self.statement.start..self.before].trim_end();
        let is_word = |letter: char| letter.is_ascii_alphanumeric() || letter == '_';
        let word = &previous[previous.trim_end_matches(is_word).len()..];
        let rest = self.rest(self.found.end);
        let value = rest.find([',', '{', '#']).unwrap_or(rest.len());
        let removed = self.found.start..self.found.end + rest[..value].trim_end().len();
        if !word.is_empty() && word != self.word {
            let message = format!("`{word}` takes no value");
            let detail = self.before - word.len()..removed.end;
            let edit = (removed, String::new());
            if let Some(diagnostic) = self.fix(detail, &message, format!("write {word} alone"), &[edit]) {
                return Some(diagnostic);
            }
        }
        if self.found() == "=" {
            return None;
        }
        // `m_feature:"fountain"`
        let glued = is_word(self.text[..self.before].chars().next_back().unwrap_or(' '))
            && !self.rest(self.found.end).starts_with([' ', '\t']);
        let edit = (self.found.clone(), if glued { " " } else { "" }.to_owned());
        self.fix(self.found.clone(), "there is a colon too many", "remove this colon".to_owned(), &[edit])
    }

    /// `TRAP("pit", (3,2))`
    fn enclosed(&self) -> Option<Diagnostic> {
        let open = self.statement.start + self.word.len();
        let inner = self.rest(open).trim_start().strip_prefix('(')?.strip_suffix(')')?.trim();
        let start = self.text[open..].find('(').map_or(open, |at| open + at);
        let whole = start..self.statement.end;
        let values: Vec<&str> = values(inner).into_iter().map(|range| inner[range].trim()).collect();
        let mut forms = Vec::new();
        if let [before @ .., x, y] = values.as_slice()
            && [x, y].iter().all(|number| number.bytes().all(|byte| byte.is_ascii_digit()))
        {
            forms.push(format!("{}, ({x},{y})", before.join(", ")));
        }
        forms.push(inner.to_owned());
        forms.into_iter().find_map(|form| {
            let message = "the values of a statement follow a colon, without parentheses";
            let help = format!("write {}: {form}", self.word);
            self.fix(whole.clone(), message, help, &[(whole.clone(), format!(": {form}"))])
        })
    }

    /// Returns the ranges of the values after the colon.
    fn values(&self) -> Vec<Range<usize>> {
        let after_word = self.statement.start + self.word.len();
        let rest = self.rest(after_word);
        let Some(colon) = rest.find(':') else { return Vec::new() };
        let start = after_word + colon + 1;
        let rest = self.rest(start);
        let rest = rest.strip_suffix('{').unwrap_or(rest);
        let trimmed = |range: Range<usize>| {
            let value = &rest[range.clone()];
            let begin = start + range.start + (value.len() - value.trim_start().len());
            begin..begin + value.trim().len()
        };
        values(rest).into_iter().map(trimmed).collect()
    }

    /// Values in other brackets: `[3,2]`, `{3,2}`, `((3,2))`, `(x=3,y=2)`, `random()`.
    fn brackets(&self) -> Option<Diagnostic> {
        let mut edits = Vec::new();
        for range in self.values() {
            if let Some(right) = in_parentheses(&self.text[range.clone()]) {
                edits.push((range, right));
            }
        }
        let (first, right) = edits.first().cloned()?;
        let is_place = right.matches(',').count() == 1 && right.bytes().any(|byte| byte.is_ascii_digit());
        let message = match is_place {
            true => "a place must be written (x,y)",
            false if !right.starts_with('(') => "this value takes no parentheses",
            false => match self.text[first.clone()].strip_prefix('(') {
                Some(inner) if inner.contains("),") || inner.contains(") ") => {
                    "a region must be four numbers in one pair of parentheses"
                }
                Some(inner) if inner.starts_with('(') => "there is one pair of parentheses too many",
                Some(inner) if !inner.contains([',', '=']) => "these numbers must be separated with commas",
                _ => "these values must be in parentheses",
            },
        };
        self.fix(first, message, format!("write {right}"), &edits)
    }

    /// Numbers of a place or a region without their parentheses, or with too many.
    fn loose_numbers(&self) -> Option<Diagnostic> {
        let values = self.values();
        let number = |range: &Range<usize>| {
            let value = &self.text[range.clone()];
            value.bytes().all(|byte| byte.is_ascii_digit() || byte == b'-') && !value.is_empty()
        };
        let write = |range: Range<usize>, right: String| {
            let at = values.iter().position(|value| value.start == range.start);
            let what = match (right.matches(',').count(), self.word, at) {
                (1, "ROOM" | "SUBROOM", Some(2)) => "the position of a room",
                (1, "ROOM", Some(4)) | (1, "SUBROOM", Some(3)) => "the size of a room",
                (1, ..) => "a place",
                _ => "a region",
            };
            let message = format!("{what} must be in parentheses");
            self.fix(range.clone(), &message, format!("write {right}"), &[(range, right.clone())])
        };
        let joined = |ranges: &[Range<usize>]| {
            let numbers: Vec<&str> = ranges.iter().map(|range| &self.text[range.clone()]).collect();
            (ranges[0].start..ranges[ranges.len() - 1].end, format!("({})", numbers.join(",")))
        };
        let mut forms: Vec<(Range<usize>, String)> = Vec::new();
        for count in [4, 2] {
            forms.extend(values.windows(count).rev().filter(|window| window.iter().all(number)).map(joined));
        }
        // `3 2`
        for range in &values {
            let numbers: Vec<&str> = self.text[range.clone()].split_whitespace().collect();
            let is_number = |number: &&str| number.bytes().all(|byte| byte.is_ascii_digit());
            if matches!(numbers.len(), 2 | 4) && numbers.iter().all(is_number) {
                forms.push((range.clone(), format!("({})", numbers.join(","))));
            }
        }
        if has_place(self.word) {
            forms.retain(|(_, right)| right.matches(',').count() == 1);
            return forms.into_iter().find_map(|(range, right)| write(range, right));
        }
        // `(1,1)-(9,3)`
        for range in &values {
            let digits = |letter: char| !letter.is_ascii_digit();
            let value = &self.text[range.clone()];
            let numbers: Vec<&str> = value.split(digits).filter(|number| !number.is_empty()).collect();
            if numbers.len() == 4
                && value.matches('(').count() == 2
                && value.starts_with('(')
                && value[1..].find('(') != Some(0)
            {
                forms.push((range.clone(), format!("({})", numbers.join(","))));
            }
        }
        forms.into_iter().find_map(|(range, right)| write(range, right))
    }

    /// `rect (1,1),(5,3)`
    fn rectangle(&self) -> Option<Diagnostic> {
        let text = self.text.get(self.statement.clone())?;
        let start = self.statement.start + text.find("fillrect").or_else(|| text.find("rect"))?;
        let open = start + self.rest(start).find('(')?;
        let name = self.text.get(start..open)?.trim_end();
        let numbers = |text: &str| -> Option<(usize, Vec<u16>)> {
            let inner = closed(text)?;
            let numbers: Result<Vec<u16>, _> = inner.split(',').map(|number| number.trim().parse()).collect();
            Some((inner.len() + 2, numbers.ok()?))
        };
        let (first, corner) = numbers(self.rest(open))?;
        let rest = self.rest(open + first).trim_start().strip_prefix([',', '-'])?.trim_start();
        let (second, other) = rest.starts_with('(').then(|| numbers(rest))??;
        let ([x1, y1], [x2, y2]) = (corner.as_slice(), other.as_slice()) else { return None };
        let range = start..self.statement.end - rest.len() + second;
        let right = format!("{name} ({x1},{y1},{x2},{y2})");
        let message = "a rectangle must be four numbers in one pair of parentheses";
        self.fix(range.clone(), message, format!("write {right}"), &[(range, right)])
    }

    /// `quantity:1-2`, `GOLD: 100-200, random`
    fn range(&self) -> Option<Diagnostic> {
        let is_part = |byte: &u8| byte.is_ascii_digit() || *byte == b'-';
        let bytes = self.text.as_bytes();
        // `100 to 200`
        let to = (self.found() == "to").then(|| self.rest(self.found.end).trim_start());
        let at = if to.is_some() { self.before } else { self.found.start };
        let before = bytes.get(self.statement.start..at)?.iter().rev().take_while(|byte| is_part(byte));
        let start = at - before.count();
        let last = to.map_or(start, |rest| self.statement.end - rest.len());
        let end = last + self.rest(last).bytes().take_while(|byte| is_part(byte)).count();
        let written = self.text.get(start..end)?;
        let (low, high) = written.split_once(if to.is_some() { "to" } else { "-" })?;
        let (low, high): (u32, u32) = (low.trim().parse().ok()?, high.trim().parse().ok()?);
        let sides = high.checked_sub(low).filter(|&sides| sides > 0)?.checked_add(1)?;
        let right = match low {
            1 => format!("1d{sides}"),
            _ => format!("{} + 1d{sides}", i64::from(low) - 1),
        };
        let range = start..end;
        let edit = (range.clone(), right.clone());
        let message = "a number from a range must be written as dice";
        self.offer(range, message, format!("write {right} for {low} to {high}"), &[edit], true)
    }

    /// `FOUNTAIN: (1,1), (5,1)`
    fn second_place(&self) -> Option<Diagnostic> {
        let values = self.values();
        // Other statements may begin with a random thing.
        let is_place_first = is_place_first(self.word);
        let is_place = |range: &Range<usize>| {
            let value = &self.text[range.clone()];
            let is_pair = value.starts_with('(')
                && value.ends_with(')')
                && value[1..].starts_with(|first: char| first.is_ascii_digit());
            is_pair || is_place_first && value == "random"
        };
        // `(1,1) (5,1)`
        let glued = values.iter().find_map(|range| {
            let value = &self.text[range.clone()];
            let close = value.find(')')? + 1;
            let second = value[close..].trim_start().strip_prefix('(')?;
            let is_place = second.bytes().all(|byte| byte.is_ascii_digit() || b" ,)".contains(&byte));
            (value.starts_with('(') && second.ends_with(')') && is_place).then_some(range.start + close..range.end)
        });
        if let Some(second) = &glued {
            let comma = (second.start..second.start, ",".to_owned());
            let both = self.text[..second.start].rfind('(').unwrap_or(second.start)..second.end;
            let help = "separate places with commas".to_owned();
            let separated = self.fix(both, "missing comma between these places", help, &[comma]);
            if separated.is_some() {
                return separated;
            }
        }
        if matches!(self.word, "ROOM" | "SUBROOM" | "MON_GENERATION") {
            return None;
        }
        if let Some(second) = glued.filter(|_| has_place(self.word)) {
            let message = format!("{} has only one place", self.word);
            let help = format!("write one {} for each place", self.word);
            let edit = (second.clone(), String::new());
            let blanks = self.text[second.clone()].len() - self.text[second.clone()].trim_start().len();
            return self.offer(second.start + blanks..second.end, &message, help, &[edit], false);
        }
        let first = values.iter().position(is_place)?;
        if let ([one, other], false) = (&values[first..], has_place(self.word))
            && [one, other].iter().all(|range| self.text[(*range).clone()].matches(',').count() == 1)
            && is_place(other)
        {
            let inner = |range: &Range<usize>| self.text[range.start + 1..range.end - 1].trim().to_owned();
            let range = one.start..other.end;
            // Not every game walls regions.
            let selects = self.word == "WALLIFY" && !self.catalog.has(Feature::WallifyTakesRegions);
            let right = format!("{}({},{})", if selects { "fillrect " } else { "" }, inner(one), inner(other));
            let message = "two corners are four numbers in one pair of parentheses";
            let edit = (range.clone(), right.clone());
            let fixed = self.fix(range, message, format!("write {right}"), &[edit]);
            if fixed.is_some() {
                return fixed;
            }
        }
        let others = values[first + 1..].iter().take_while(|range| is_place(range)).count();
        let last = values.get(first + others).filter(|_| others > 0)?;
        let edit = (values[first].end..last.end, String::new());
        let what = if self.text[values[first].clone()].matches(',').count() == 3 { "region" } else { "place" };
        let message = format!("{} has only one {what}", self.word);
        let help = format!("write one {} for each {what}", self.word);
        self.offer(values[first + 1].start..last.end, &message, help, &[edit], false)
    }

    /// `MONSTER: ('o',"hill orc",(3,2))`, `OBJECT: ('%',"corpse",montype:"newt"), (3,2)`
    fn inner_values(&self) -> Option<Diagnostic> {
        let all = self.values();
        let first = all.first()?.clone();
        let inner = self.text.get(first.clone())?.strip_prefix('(')?.strip_suffix(')')?;
        if !has_place(self.word) || !inner.starts_with(['\'', '"']) {
            return None;
        }
        let ranges = values(inner);
        // A class, and a name.
        let names = 1 + usize::from(inner.starts_with('\''));
        let moved = ranges.get(names..).filter(|moved| !moved.is_empty())?;
        let moved = moved[0].start..moved[moved.len() - 1].end;
        let blanks = inner[moved.clone()].len() - inner[moved.clone()].trim_start().len();
        let place = first.start + 1 + moved.start + blanks..first.end - 1;
        let moved = inner[moved].trim();
        let thing = format!("({})", inner[..ranges[names - 1].end].trim());
        let others = self.text.get(first.end..all[all.len() - 1].end)?;
        let whole = first.start..first.end + others.len();
        let forms = [format!("{thing},{moved}{others}"), format!("{thing}{others},{moved}")];
        forms.into_iter().find_map(|right| {
            let message = match moved.starts_with('(') {
                true => "the place must be after the parentheses".to_owned(),
                false => format!("`{moved}` must be after the parentheses"),
            };
            self.fix(place.clone(), &message, format!("write {right}"), &[(whole.clone(), right.clone())])
        })
    }

    /// `TERRAIN: fillrect (1,1,5,3,'T')`
    fn late_bracket(&self) -> Option<Diagnostic> {
        let read = self.text.get(self.statement.start..self.before)?;
        last_open(read).filter(|_| self.found() == ",")?;
        let late = self.before + self.rest(self.before).rfind(')')?;
        let edits = [(self.before..self.before, ")".to_owned()), (late..late + 1, String::new())];
        let start = read.trim_end_matches(|letter: char| letter.is_ascii_alphanumeric()).len();
        let help = format!("write `)` after `{}`", &read[start..]);
        self.fix(late..late + 1, "this `)` is too late", help, &edits)
    }

    /// `STAIR: (3,2,up)`
    fn closed_late(&self) -> Option<Diagnostic> {
        let is_number = |value: &&str| !value.is_empty() && value.bytes().all(|byte| byte.is_ascii_digit());
        self.values().into_iter().find_map(|range| {
            let inner = self.text.get(range.clone())?.strip_prefix('(')?.strip_suffix(')')?;
            let mut parts = inner.splitn(3, ',').map(str::trim);
            let (x, y) = (parts.next().filter(is_number)?, parts.next().filter(is_number)?);
            let last = parts.next()?;
            let message = "a place is only two numbers";
            let surplus = is_number(&last);
            if surplus && !has_place(self.word) {
                return None;
            }
            let right = if surplus { format!("({x},{y})") } else { format!("({x},{y}), {last}") };
            let edit = (range.clone(), right.clone());
            self.offer(range, message, format!("write {right}"), &[edit], !surplus)
        })
    }

    /// `STAIR: (3,2,up`
    fn unclosed(&self) -> Option<Diagnostic> {
        let written = self.text.get(self.statement.clone())?;
        let open = last_open(written)?;
        let inner = written.get(open + 1..)?;
        let ends = values(inner).into_iter().map(|value| value.start + inner[value].trim_end().len());
        let mut fixes = ends.filter_map(|end| {
            let end = self.statement.start + open + 1 + end;
            let right = &self.text[self.statement.start + open..end];
            let edit = (end..end, ")".to_owned());
            let at = self.statement.start + open;
            self.fix(at..at + 1, "this `(` is not closed", format!("write {right})"), &[edit])
        });
        let first = fixes.next()?;
        fixes.next().is_none().then_some(first)
    }

    /// `CHANCE: 90%`
    fn percent(&self) -> Option<Diagnostic> {
        let sign = self.found.end.checked_sub(1).filter(|_| self.found().ends_with('%'))?;
        let start = self.text[..sign].trim_end_matches(|letter: char| letter.is_ascii_digit()).len();
        let is_alone = !self.rest(sign + 1).starts_with(|next: char| next.is_ascii_digit());
        let number = self.text.get(start..sign).filter(|number| !number.is_empty() && is_alone)?;
        let edit = (sign..sign + 1, String::new());
        self.fix(start..sign + 1, "this number takes no percent sign", format!("write {number}"), &[edit])
    }

    /// `REPLACE_TERRAIN: (1,1,5,5), '.', 'T', [18%]`, `ROOM: "shop", 50%, lit, ...`
    fn bracketed_percent(&self) -> Option<Diagnostic> {
        let is_percent =
            |text: &&str| text.strip_suffix('%').is_some_and(|digits| digits.bytes().all(|byte| byte.is_ascii_digit()));
        let values = self.values();
        let bare = values.iter().find_map(|range| {
            let inner = self.text[range.clone()].strip_prefix('[')?.strip_suffix(']')?.trim();
            let edit = (range.clone(), is_percent(&inner).then(|| inner.to_owned())?);
            self.fix(range.clone(), "this percentage takes no brackets", format!("write {inner}"), &[edit])
        });
        bare.or_else(|| {
            values.windows(2).find_map(|pair| {
                let (value, percent) = (&self.text[pair[0].clone()], &self.text[pair[1].clone()]);
                Some(percent).filter(is_percent)?;
                let edit = (pair[0].end..pair[1].end, format!(" [{percent}]"));
                let help = format!("write {value} [{percent}]");
                self.fix(pair[1].clone(), "a chance is in brackets, directly after its value", help, &[edit])
            })
        })
    }

    /// `($x + 1, 2)` where a place is computed by a function.
    fn computed(&self) -> Option<Diagnostic> {
        let open = self.statement.start + self.text.get(self.statement.start..self.before)?.rfind('(')?;
        let length = self.rest(open).find(')')? + 1;
        let place = &self.text[open..open + length];
        if !place.contains('$') || place.matches(',').count() != 1 {
            return None;
        }
        let spaced = place.replace('+', " + ").replace('-', " - ").replace("  ", " ");
        let right = format!("coord{spaced}");
        let range = open..open + length;
        let message = "a place is computed with coord";
        self.fix(range.clone(), message, format!("write {right}"), &[(range, right.clone())])
    }

    /// Selections joined by a word.
    fn joined(&self) -> Option<Diagnostic> {
        let read = self.text.get(self.statement.start..self.before)?;
        let start = read.trim_end().rfind(' ').map_or(self.before, |at| self.statement.start + at + 1);
        let ranges = [start..self.before, self.found.clone()];
        let glue = (self.before..self.before, " &".to_owned());
        if self.found.start > self.before && !self.text[..self.before].ends_with(',') {
            let help = "write `&` between them".to_owned();
            let fixed = self.fix(self.found.clone(), "selections must be joined with `&`", help, &[glue]);
            if fixed.is_some() {
                return fixed;
            }
        }
        ranges.into_iter().find_map(|range| {
            let word = self.text.get(range.clone())?;
            if !matches!(word, "and" | "or" | "plus" | "with" | "union" | "&&" | "||" | "|" | "+") {
                return None;
            }
            let help = format!("write `&` instead of `{word}`");
            self.fix(range.clone(), "selections must be joined with `&`", help, &[(range, "&".to_owned())])
        })
    }

    /// `("potion","healing")`
    fn class_word(&self) -> Option<Diagnostic> {
        let found = self.found();
        let class = words::object_class(found.trim_matches('"')).filter(|_| self.word != "MONSTER")?;
        if !self.text[..self.before].ends_with(['(', ':', ' ']) {
            return None;
        }
        let right = format!("'{class}'");
        let edit = (self.found.clone(), right.clone());
        let message = "a class must be one character in single quotes";
        self.fix(self.found.clone(), message, format!("write {right}"), &[edit])
    }

    /// A sign that is missing or superfluous.
    fn sign(&self) -> Option<Diagnostic> {
        let found = self.found();
        let begins_statement = |at: usize| {
            let rest = self.rest(at).trim_start();
            let word = rest.bytes().take_while(|byte| byte.is_ascii_uppercase() || *byte == b'_').count();
            word > 1 && rest[word..].trim_start().starts_with([':', '['])
        };
        let own_line = || "write the next statement on a line of its own".to_owned();
        let comma = self.text[..self.before].ends_with(',');
        if found == ";" && begins_statement(self.found.end) {
            let message = "a statement ends with its line, not with `;`";
            let blanks = self.rest(self.found.end).len() - self.rest(self.found.end).trim_start().len();
            let edit = (self.found.start..self.found.end + blanks, "\n".to_owned());
            return self.fix(self.found.clone(), message, own_line(), &[edit]);
        }
        // `TRAP: "web", (3,2), TRAP: ...` where nothing more can follow
        if found == "," && begins_statement(self.found.end) {
            let blanks = self.rest(self.found.end).len() - self.rest(self.found.end).trim_start().len();
            let message = "a comma cannot separate two statements";
            let edit = (self.found.start..self.found.end + blanks, "\n".to_owned());
            return self.fix(self.found.clone(), message, own_line(), &[edit]);
        }
        if comma && begins_statement(self.found.start) {
            let range = self.before - 1..self.before;
            let message = "a comma cannot separate two statements";
            return self.fix(range, message, own_line(), &[(self.before - 1..self.found.start, "\n".to_owned())]);
        }
        if comma && found.starts_with('[') {
            let edit = (self.before - 1..self.before, String::new());
            let help =
                format!("remove the comma: {} {found}", self.text[self.statement.start..self.before - 1].trim_end());
            return self.fix(self.before - 1..self.before, "there is a comma before the chance", help, &[edit]);
        }
        if comma && matches!(found, "}" | ")" | "]" | "" | "{") {
            let range = self.before - 1..self.before;
            let message = "nothing follows this comma";
            return self.fix(range.clone(), message, "remove it".to_owned(), &[(range, String::new())]);
        }
        let glued = self.before == self.found.start && self.text[..self.before].ends_with(|c: char| c.is_ascii_digit());
        if found.starts_with(|first: char| first.is_ascii_alphanumeric() || "\"'($+-".contains(first))
            && !comma
            && !glued
        {
            let edit = (self.before..self.before, ",".to_owned());
            let help = "separate values with commas".to_owned();
            let fixed = self.fix(self.found.clone(), "missing comma before this value", help, &[edit]);
            if fixed.is_some() {
                return fixed;
            }
        }
        let inner = self.text.get(self.statement.start..self.before)?;
        if matches!(found, "," | "{" | "}" | "]")
            && let Some(open) = last_open(inner)
        {
            let open = self.statement.start + open;
            let edit = (self.before..self.before, ")".to_owned());
            let help = "write `)` after its last value".to_owned();
            return self.fix(open..open + 1, "this `(` is not closed", help, &[edit]);
        }
        if found.bytes().all(|byte| byte.is_ascii_digit()) && !found.is_empty() {
            let edit = (self.found.end..self.found.end, "%".to_owned());
            let message = "a percentage needs its percent sign";
            return self.fix(self.found.clone(), message, format!("write {found}%"), &[edit]);
        }
        let after = self.rest(self.found.start);
        let signs = after.len() - after.trim_start_matches(|sign: char| "-=>:;/|<".contains(sign)).len();
        if signs > 0 && !comma {
            let range = self.found.start..self.found.start + signs;
            let message = format!("expected `,`, found `{}`", &after[..signs]);
            let edit = (range.clone(), ",".to_owned());
            let fixed = self.fix(range.clone(), &message, "separate values with commas".to_owned(), &[edit]);
            if fixed.is_some() {
                return fixed;
            }
            // Without a minus, the value would be another one.
            if after[..signs].bytes().all(|sign| sign == b';') {
                let message = format!("unexpected `{}`", &after[..signs]);
                let fixed = self.fix(range.clone(), &message, "remove it".to_owned(), &[(range, String::new())]);
                if fixed.is_some() {
                    return fixed;
                }
            }
        }
        if matches!(found, "." | "-") && self.before == self.statement.start + self.word.len() {
            let length = after.len() - after.trim_start_matches(['.', '-', '>']).len();
            let range = self.found.start..self.found.start + length;
            let help = format!("write `{}:`", self.word);
            return self.fix(range.clone(), "expected a colon after the keyword", help, &[(range, ":".to_owned())]);
        }
        if let Some(name) = after.strip_prefix("${") {
            let name = name.split('}').next()?;
            let range = self.found.start..self.found.start + name.len() + 3;
            let right = format!("${name}");
            return self.fix(range.clone(), "a variable takes no braces", format!("write {right}"), &[(range, right)]);
        }
        None
    }

    /// Numbers in the forms of other languages: `0x10`, `1e3`, `1,000`, `2 d 6`, `10d`.
    fn number(&self) -> Option<Diagnostic> {
        let line = &self.text[self.statement.clone()];
        let start = line[..self.before - self.statement.start].trim_end_matches(|letter: char| letter.is_ascii_digit());
        let start = self.statement.start + start.len();
        // `10d` is one token in some games, and read or unexpected in others.
        let count = self.text[..self.before].strip_suffix('d').unwrap_or("");
        let digits = count.bytes().rev().take_while(u8::is_ascii_digit).count();
        let start = match self.found().as_bytes().first() {
            _ if start < self.before => start,
            _ if digits > 0 => count.len() - digits,
            Some(first) if first.is_ascii_digit() => self.found.start,
            _ => start,
        };
        let rest = self.rest(start);
        let end = rest.find([',', ')', ']', '}']).unwrap_or(rest.len());
        let written = rest[..end].trim_end();
        let range = start..start + written.len();
        let right = |message: &str, right: String| {
            self.fix(range.clone(), message, format!("write {right}"), &[(range.clone(), right.clone())])
        };
        if let Some(number) = written.strip_prefix("0x").and_then(|hex| u32::from_str_radix(hex, 16).ok()) {
            return right("numbers are decimal", number.to_string());
        }
        if let Some((digits, zeros)) = written.split_once(['e', 'E'])
            && let (Ok(digits), Ok(zeros)) = (digits.parse::<u64>(), zeros.parse::<u32>())
            && let Some(number) = 10u64.checked_pow(zeros).and_then(|power| power.checked_mul(digits))
        {
            return right("a number has no exponent", number.to_string());
        }
        let bare: String = written.chars().filter(|letter| !letter.is_ascii_whitespace()).collect();
        if let Some((count, sides)) = bare.split_once(['d', 'D']) {
            let digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
            if !count.is_empty() && digits(count) && digits(sides) {
                return match sides.is_empty() {
                    true => (self.found() == bare || self.works(&[(range.clone(), format!("{bare}6"))])).then(|| {
                        Diagnostic::new(Code::Syntax, self.span(range), "these dice have no number of sides")
                            .with_help(format!("write the sides after the `d`, as in {count}d6"))
                    }),
                    false => right("dice are written without spaces", format!("{count}d{sides}")),
                };
            }
        }
        // `1,000`
        let tail = self.rest(self.before);
        let group = |digits: &str| digits.len() == 3 && digits.bytes().all(|byte| byte.is_ascii_digit());
        self.values().windows(2).find_map(|pair| {
            let (first, second) = (&self.text[pair[0].clone()], &self.text[pair[1].clone()]);
            let whole = pair[0].start..pair[1].end;
            let close = self.text[pair[0].end..pair[1].start].len() == 1 && !tail.is_empty();
            let number = first.len() <= 3 && !first.is_empty() && first.bytes().all(|byte| byte.is_ascii_digit());
            if !(close && number && group(second)) {
                return None;
            }
            let right = format!("{first}{second}");
            let message = "a number has no comma inside";
            self.fix(whole.clone(), message, format!("write {right}"), &[(whole, right)])
        })
    }

    /// `[%50]`, `[50 percent]`, `[33.3%]`
    fn chance(&self) -> Option<Diagnostic> {
        let line = &self.text[self.statement.clone()];
        let open = self.statement.start + line.find(['[', '('])?;
        let length = self.rest(open).find([']', ')'])? + 1;
        let range = open..open + length;
        let inner = &self.text[open + 1..open + length - 1];
        let number: String = inner.chars().filter(|letter| letter.is_ascii_digit() || *letter == '.').collect();
        let words = inner.trim_matches(|letter: char| letter.is_ascii_digit() || ". %".contains(letter));
        if !matches!(words, "" | "percent" | "pct" | "percents") || inner.contains(',') {
            return None;
        }
        let value: f64 = number.parse().ok()?;
        let fraction = number.contains('.');
        let right = format!("[{}%]", value.clamp(0.0, 100.0).round());
        let message = if fraction { "a chance is a whole percentage" } else { "a chance must be written [N%]" };
        let edit = (range.clone(), right.clone());
        self.offer(range, message, format!("write {right}"), &[edit], !fraction)
    }

    /// `any`, `*`
    fn random(&self) -> Option<Diagnostic> {
        let found = self.found();
        if !matches!(
            found.to_ascii_lowercase().as_str(),
            "any" | "*" | "anything" | "all" | "none" | "nil" | "null" | "?"
        ) {
            return None;
        }
        // Nothing, where a thing has its place already.
        let values = self.values();
        let at = values.iter().position(|range| range.start == self.found.start).unwrap_or(0);
        let before = if self.catalog.format == Format::Parts { 3 } else { 2 };
        if matches!(found.to_ascii_lowercase().as_str(), "none" | "nil" | "null")
            && has_species(self.word)
            && at >= before
        {
            let edit = (values[at - 1].end..values[at].end, String::new());
            let message = format!("`{found}` is not valid here");
            return self.fix(self.found.clone(), &message, "remove it".to_owned(), &[edit]);
        }
        let edit = (self.found.clone(), "random".to_owned());
        self.offer(
            self.found.clone(),
            &format!("`{found}` is not valid here"),
            "write random".to_owned(),
            &[edit],
            matches!(found, "any" | "*" | "anything"),
        )
    }

    /// `NON_DIGGABLE: all`
    fn whole_map(&self) -> Option<Diagnostic> {
        let first = self.values().into_iter().next().filter(|first| first.start == self.found.start)?;
        let word = self.text.get(first.clone())?.trim_matches('"').to_ascii_lowercase();
        let usage = super::usage::usage(self.word, self.catalog)?;
        let is_region = usage.split_once(':').is_some_and(|(_, values)| values.trim_start().starts_with("(x1"));
        if !is_region || !WHOLE.contains(&word.as_str()) {
            return None;
        }
        let message = "a region is four numbers, (x1,y1,x2,y2)";
        let Some((width, height)) = self.map_size() else {
            let works = self.works(&[(first.clone(), "(0,0,1,1)".to_owned())]);
            return works
                .then(|| Diagnostic::new(Code::Syntax, self.span(first), message).with_help(format!("write {usage}")));
        };
        let right = format!("(0,0,{},{})", width - 1, height - 1);
        let help = format!("write {right} for the whole map");
        self.offer(first.clone(), message, help, &[(first, right)], false)
    }

    /// Returns the size of the last map, if the statement is in its level and part.
    fn map_size(&self) -> Option<(usize, usize)> {
        let before = self.text.get(..self.statement.start)?;
        let (above, below) = before.rsplit_once("\nENDMAP")?;
        if ["\nLEVEL", "\nMAZE:", "\nROOM", "\nNOMAP"].iter().any(|word| below.contains(word)) {
            return None;
        }
        let (_, rows) = above.rsplit_once("\nMAP")?;
        let rows: Vec<&str> = rows.lines().skip(1).collect();
        let width = rows.iter().map(|row| row.trim_end_matches('\r').len()).max()?;
        (width > 0).then_some((width, rows.len()))
    }

    /// `floodfill ((3,2))`
    fn doubled_parentheses(&self) -> Option<Diagnostic> {
        let open = self.found.start;
        if self.found() != "(" || !self.text[..self.before].ends_with('(') {
            return None;
        }
        let inner = closed(self.rest(open))?;
        let range = open..open + inner.len() + 2;
        let outer = self.before - 1..range.end + 1;
        let right = format!("({})", inner.trim());
        let message = "there is one pair of parentheses too many";
        self.fix(outer, message, format!("write {right}"), &[(range, inner.trim().to_owned())])
    }

    /// `REPLACE_TERRAIN: (1,1,3,3), '.', 'T', "50%"`
    fn quoted(&self) -> Option<Diagnostic> {
        let inner = self.found().strip_prefix('"')?.strip_suffix('"')?;
        let is_value = inner.starts_with(|first: char| first.is_ascii_alphanumeric() || "$('".contains(first));
        let edit = (self.found.clone(), inner.to_owned());
        let message = "this value takes no quotes";
        is_value.then(|| self.fix(self.found.clone(), message, format!("write {inner}"), &[edit]))?
    }

    /// Two values that belong in parentheses together: `ROOM: "ordinary", lit, (3,3), center,center, (5,5)`.
    fn loose_pair(&self) -> Option<Diagnostic> {
        let values = self.values();
        values.windows(2).find_map(|pair| {
            let range = pair[0].start..pair[1].end;
            let is_near = (range.start..=range.end).contains(&self.found.start);
            let has_brackets = self.text[range.clone()].contains(['(', '{', '[']);
            if !is_near || has_brackets || pair.iter().any(Range::is_empty) {
                return None;
            }
            let right = format!("({})", &self.text[range.clone()]);
            let message = "these two values must be in parentheses";
            self.fix(range.clone(), message, format!("write {right}"), &[(range, right)])
        })
    }

    /// `OBJECT: '[', "plate mail", random, +2`: an enchantment without a curse before it.
    fn enchanted(&self) -> Option<Diagnostic> {
        let number = self.found().trim_start_matches(['+', '-']);
        if self.word != "OBJECT" || number.is_empty() || !number.bytes().all(|byte| byte.is_ascii_digit()) {
            return None;
        }
        let edit = (self.found.start..self.found.start, "random,".to_owned());
        let message = "an enchantment needs a curse state before it";
        let help = format!("write blessed, uncursed, cursed or random before it, as in random,{}", self.found());
        self.offer(self.found.clone(), message, help, &[edit], false)
    }

    /// `MONSTER: (('a',"giant ant"), (3,2)`
    fn superfluous_bracket(&self) -> Option<Diagnostic> {
        let found = self.found();
        if !matches!(found, "(" | "[") || self.found.end == self.statement.end {
            return None;
        }
        let edit = (self.found.clone(), String::new());
        self.fix(self.found.clone(), &format!("there is a `{found}` too many"), "remove it".to_owned(), &[edit])
    }

    /// `FOUNTAIN: (1,2}`, `OBJECT: '(', $place{2}`
    fn other_bracket(&self) -> Option<Diagnostic> {
        const PAIRS: [(&str, &str); 3] = [("(", ")"), ("[", "]"), ("{", "}")];
        let found = self.found();
        let is_closing = PAIRS.iter().any(|(_, close)| *close == found);
        // Contents, not a place.
        let is_last = self.text[..self.before].ends_with(',') && self.rest(self.found.start).ends_with([']', ')']);
        if found == "[" && is_last && matches!(self.word, "MONSTER" | "OBJECT" | "CONTAINER") {
            return None;
        }
        let (_, own_close) = PAIRS.iter().find(|(open, close)| *open == found || *close == found)?;
        // A wrong opening bracket has a closing one like it.
        let end = if is_closing { None } else { Some(self.found.end + self.rest(self.found.end).find(own_close)?) };
        PAIRS.iter().filter(|(_, close)| close != own_close).find_map(|(open, close)| {
            let right = if is_closing { close } else { open };
            let close = end.map(|end| (end..end + 1, (*close).to_owned()));
            let edits: Vec<Edit> = [(self.found.clone(), (*right).to_owned())].into_iter().chain(close).collect();
            let message = format!("expected `{right}`, found `{found}`");
            self.fix(self.found.clone(), &message, format!("write `{right}`"), &edits)
        })
    }

    /// `TELEPORT_REGION: (1,1,5,5), up`
    fn second_region(&self) -> Option<Diagnostic> {
        if !matches!(self.word, "TELEPORT_REGION" | "PORTAL" | "BRANCH" | "STAIR") {
            return None;
        }
        let first = self.values().into_iter().next()?;
        let region = self.text.get(first.clone())?;
        let place = region.strip_prefix('(').and_then(|inner| inner.strip_suffix(')'));
        if let Some(place) = place.filter(|place| place.matches(',').count() == 1) {
            let edit = (first.clone(), format!("({place},{place}),(0,0,0,0)"));
            let right = self.edited(std::slice::from_ref(&edit))?;
            let message = format!("{} takes a region, not a place", self.word);
            let help = format!("write {right}: the second region is the part excluded from the first");
            return self.offer(first, &message, help, &[edit], false);
        }
        if region.matches(',').count() != 3 {
            return None;
        }
        let edit = (first.end..first.end, ",(0,0,0,0)".to_owned());
        let right = self.edited(std::slice::from_ref(&edit))?;
        let message = format!("{} has no second region", self.word);
        self.offer(
            first,
            &message,
            format!("write {right}: the second region is the part excluded from the first"),
            &[edit],
            false,
        )
    }

    /// `randline (1,1)-(9,3)`
    fn roughness(&self) -> Option<Diagnostic> {
        let start = self.statement.start + self.text.get(self.statement.clone())?.find("randline")?;
        let rest = self.rest(start);
        let first = rest.find(')')? + 1;
        let end = start + first + rest[first..].find(')')? + 1;
        let edit = (end..end, ", 10".to_owned());
        let message = "this randline has no roughness";
        let help = format!("write a number after its ends: {}, 10", &self.text[start..end]);
        self.offer(start..end, message, help, &[edit], false)
    }

    /// Arguments of a function in another order: `filter(line, 50%)`.
    fn arguments(&self) -> Option<Diagnostic> {
        // The parameters of a FUNCTION are not arguments.
        let text = self.text.get(self.statement.clone()).filter(|_| self.word != "FUNCTION")?;
        let opens = text.match_indices('(').map(|(at, _)| self.statement.start + at);
        for open in opens.filter(|&open| open < self.found.start) {
            let name = &self.text[self.statement.start..open];
            let name =
                &name[name.trim_end_matches(|letter: char| letter.is_ascii_lowercase() || letter == '_').len()..];
            let Some(inner) = closed(self.rest(open)).filter(|_| !name.is_empty()) else { continue };
            let values: Vec<&str> = values(inner).into_iter().map(|range| inner[range].trim()).collect();
            let range = open + 1..open + 1 + inner.len();
            let joined = inner.replace('&', ",").replace(" ,", ",");
            if joined != *inner
                && let Some(fixed) = self.fix(
                    range.clone(),
                    &format!("the arguments of {name} must be separated with commas"),
                    format!("write {name}({joined})"),
                    &[(range.clone(), joined.clone())],
                )
            {
                return Some(fixed);
            }
            if !(2..MAX_ORDERED).contains(&values.len()) {
                continue;
            }
            let forms = orders(values.len())
                .into_iter()
                .map(|order| order.iter().map(|&index| values[index]).collect::<Vec<_>>().join(", "));
            let is_number = |value: &&str| !value.is_empty() && value.bytes().all(|byte| byte.is_ascii_digit());
            if name == "rndcoord" && values.len() == 2 && values.iter().all(is_number) {
                let whole = open - name.len()..range.end + 1;
                let right = format!("({inner})");
                let help = format!("write {right} for this place, or rndcoord($selection) for any of a selection");
                return self.offer(
                    whole.clone(),
                    "rndcoord takes a selection, not a place",
                    help,
                    &[(whole, right)],
                    false,
                );
            }
            let first = (range.clone(), values[0].to_owned());
            if self.works(std::slice::from_ref(&first)) {
                let others = open + 1 + values[0].len()..range.end;
                let help = format!("write {name}({})", values[0]);
                return self.fix(others, &format!("{name} takes only one argument"), help, &[first]);
            }
            let mut works = forms.filter(|form| self.works(&[(range.clone(), form.clone())]));
            if let (Some(right), None) = (works.next(), works.next()) {
                let message = format!("the arguments of {name} are in the wrong order");
                return self.fix(range.clone(), &message, format!("write {name}({right})"), &[(range, right)]);
            }
        }
        None
    }

    /// `$place = SHUFFLE: { (1,1), (2,2) }`
    fn shuffled(&self) -> Option<Diagnostic> {
        let statement = self.text.get(self.statement.clone())?;
        let (name, value) = statement.split_once('=')?;
        let value = value.trim_start().strip_prefix("SHUFFLE")?.trim_start_matches([':', ' ', '\t']);
        let name = name.trim();
        let word = self.statement.start + statement.find("SHUFFLE")?;
        let right = format!("{name} = {value}");
        let whole = [(self.statement.clone(), format!("{right}\nSHUFFLE: {name}"))];
        let help = format!("write {right}, and SHUFFLE: {name} on the next line");
        self.fix(word..word + "SHUFFLE".len(), "SHUFFLE is a statement, not a value", help, &whole)
    }

    /// Values in another order.
    fn order(&self) -> Option<Diagnostic> {
        let ranges = self.values();
        // The order of variables says nothing, and a number may be meant as a word.
        let found = self.found();
        let is_number = found.starts_with(|first: char| first.is_ascii_digit()) && !found.ends_with('%');
        let guess = found.starts_with('$') || is_number;
        if !(2..=MAX_SWAPPED).contains(&ranges.len()) || guess && ranges.len() <= MAX_ORDERED {
            return None;
        }
        // Values of one kind stay in their order: `(3,3)` and `(5,5)`, but not `(3,3)` and `(center,center)`.
        let kind = |index: usize| {
            let value = &self.text[ranges[index].clone()];
            let value = value.strip_prefix("levregion").unwrap_or(value);
            let inner = value.trim_start_matches('(').chars().next();
            // `align[0]` is not a word such as `altar`.
            (value.chars().next(), inner.is_some_and(|inner| inner.is_ascii_digit()), value.ends_with(']'))
        };
        let keeps = |order: &&Vec<usize>| {
            order
                .iter()
                .enumerate()
                .all(|(at, &index)| order[at + 1..].iter().all(|&later| later > index || kind(later) != kind(index)))
        };
        let mut works = Vec::new();
        let words: Vec<&str> = ranges
            .iter()
            .map(|range| &self.text[range.clone()])
            .map(|value| {
                let bare = value.trim_matches('"');
                let is_word = bare != value && (self.catalog.is_keyword(bare) || matches!(bare, "up" | "down"));
                let value = if is_word { bare } else { value };
                words::meant(value).filter(|_| value != "random").unwrap_or(value)
            })
            .collect();
        let whole = ranges[0].start..ranges[ranges.len() - 1].end;
        let has_wrong_word = words.iter().zip(&ranges).any(|(word, range)| *word != &self.text[range.clone()]);
        if has_wrong_word && self.works(&[(whole.clone(), words.join(", "))]) {
            return None;
        }
        let all = if ranges.len() <= MAX_ORDERED { orders(ranges.len()) } else { swaps(ranges.len()) };
        for order in all.iter().filter(keeps) {
            let written = order.iter().map(|&index| &self.text[ranges[index].clone()]).collect::<Vec<_>>().join(", ");
            let corrected = order.iter().map(|&index| words[index]).collect::<Vec<_>>().join(", ");
            let corrected = (corrected != written).then_some(corrected);
            let mut forms = [Some(written), corrected].into_iter().flatten();
            works.extend(forms.find(|right| self.works(&[(whole.clone(), right.clone())])));
        }
        // Some compilers accept any value as a place until they know its type.
        if works.len() > 1 && is_place_first(self.word) {
            works.retain(|right| right.starts_with(['(', '$']));
        }
        let first = &self.text[ranges[0].clone()];
        if works.len() > 1 && first.trim_start_matches('(').starts_with(['\'', '"']) && has_place(self.word) {
            works.retain(|right| right.starts_with(first));
        }
        if works.len() > 1 && has_species(self.word) {
            // The place is usual before the details.
            works.retain(|right| {
                let second = values(right).get(1).map_or("", |second| right[second.clone()].trim());
                second.starts_with(['(', '$']) || second.starts_with("random")
            });
        }
        let [right] = works.as_slice() else { return None };
        let message = format!("the values of this {} are in the wrong order", self.word);
        self.fix(whole.clone(), &message, format!("write {}: {right}", self.word), &[(whole, right.clone())])
    }

    /// `RANDOM_PLACES: { (1,1), (2,2) }`
    fn unbraced(&self) -> Option<Diagnostic> {
        let values = self.values();
        let whole = values.first().filter(|_| self.word.starts_with("RANDOM_"))?.start..values.last()?.end;
        let inner = self.text[whole.clone()].strip_prefix(['{', '[', '('])?.strip_suffix(['}', ']', ')'])?.trim();
        let message = format!("the values of {} take no brackets", self.word);
        self.fix(whole.clone(), &message, format!("write {}: {inner}", self.word), &[(whole, inner.to_owned())])
    }

    /// `MONSTER: 'o', "hill orc", peaceful`
    fn without_place(&self) -> Option<Diagnostic> {
        let is_word = self.found().starts_with(|first: char| first.is_ascii_lowercase());
        let edit = (self.found.start..self.found.start, "random, ".to_owned());
        let ahead = self.text.get(self.statement.start + self.word.len()..self.statement.end)?;
        let has_one = ["random", "$", "place", "coord"].iter().any(|place| ahead.contains(place))
            || ahead
                .split('(')
                .skip(1)
                .any(|inner| inner.trim_start().starts_with(|first: char| first.is_ascii_digit()));
        if has_one
            || !is_word
            || !(has_place(self.word) || matches!(self.word, "STAIR" | "LADDER" | "DRAWBRIDGE" | "MAZEWALK"))
        {
            return None;
        }
        let message = format!("this {} has no place", self.word);
        let help = format!("write random or (x,y) before `{}`", self.found());
        self.offer(self.found.clone(), &message, help, &[edit], false)
    }

    /// `INIT_MAP: mines, '.', ' ', true, true, lit, true` where a game has only one style.
    fn extra_word(&self) -> Option<Diagnostic> {
        let values = self.values();
        let at = values.iter().position(|range| range.start == self.found.start)?;
        let word = &self.text[values[at].clone()];
        let is_word = word.len() > 1 && word.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'_');
        let range = match (values.get(at + 1), at.checked_sub(1)) {
            (Some(next), _) => values[at].start..next.start,
            (None, Some(before)) => values[before].end..values[at].end,
            (None, None) => return None,
        };
        // `REGION:(1,1,9,3),lit,"zoo",filled,true` of NetHack 3.4.3
        let before = at.checked_sub(1).and_then(|before| self.text.get(values[before].clone()));
        let is_filling = matches!(before, Some("filled" | "unfilled"));
        if self.word == "REGION" && word == "true" && is_filling && self.catalog.is_keyword("irregular") {
            let edit = (values[at].clone(), "irregular".to_owned());
            let message = "`true` is written `irregular` here";
            return self.offer(values[at].clone(), message, "write irregular".to_owned(), &[edit], true);
        }
        let edit = (range, String::new());
        let right = self.edited(std::slice::from_ref(&edit)).filter(|_| is_word)?;
        // Some compilers accept any value as a place until they know its type.
        if has_place(self.word) && !right.contains(['(', '$']) && !right.contains("random") {
            return None;
        }
        // The statement may take it elsewhere.
        let here = if self.catalog.is_keyword(word) { " here" } else { "" };
        let message = format!("{} takes no `{word}`{here}", self.word);
        if matches!(self.word, "TELEPORT_REGION" | "STAIR" | "LADDER") && matches!(word, "left" | "right") {
            let help = "write up or down for the direction";
            return Some(Diagnostic::new(Code::Syntax, self.span(values[at].clone()), message).with_help(help));
        }
        self.offer(values[at].clone(), &message, format!("write {}", right.trim_end()), &[edit], false)
    }

    /// Returns advice on a word that the statement can do without: `spe:3`, `named "Fido"`, `TRAP: TRAP: ...`.
    fn superfluous(&self) -> Option<Diagnostic> {
        let found = self.found();
        if self.works(&[]) {
            return None;
        }
        if !SUPERFLUOUS.contains(&found) && found != self.word {
            return self.extra_word();
        }
        let rest = self.rest(self.found.end);
        let colon = rest.trim_start().strip_prefix([':', '=']);
        let after = self.statement.end - colon.unwrap_or(rest).trim_start().len();
        let comma = self.text[..self.before].trim_end_matches(',').len();
        let kept = self.found.start..after;
        let message = format!("unexpected `{found}`");
        [kept, comma..after].into_iter().find_map(|range| {
            let edit = (range, String::new());
            let right = self.edited(std::slice::from_ref(&edit))?;
            self.offer(self.found.clone(), &message, format!("write {}", right.trim_end()), &[edit], false)
        })
    }
}

/// Returns the FOR that `head`, the text after the word, means in other languages: `(i = 0; i < 5; i++)`.
pub(crate) fn for_head(head: &str) -> Option<String> {
    let head = head.trim().trim_end_matches('{').trim_end();
    let head = head.strip_prefix('(').and_then(|head| head.strip_suffix(')')).unwrap_or(head);
    let (name, values) = head.split_once('=')?;
    let name = name.trim().rsplit([' ', '\t']).next()?.trim_start_matches('$');
    let digits = |text: &str| text.bytes().take_while(u8::is_ascii_digit).count();
    let values = values.trim_start();
    let (first, others) = values.split_at(digits(values));
    // `< 5` ends before 5.
    let (less, last) = match others.split_once(';') {
        Some((_, condition)) => {
            let (_, last) = condition.split_once('<')?;
            (!last.starts_with('='), last.trim_start_matches('='))
        }
        None => (false, others.trim_start().trim_start_matches(['.', ',', '-', ':']).trim_start_matches("to")),
    };
    let last = last.trim_start();
    let last: i64 = last[..digits(last)].parse().ok()?;
    let last = if less { last - 1 } else { last };
    (!first.is_empty()).then(|| format!("FOR ${name} = {first} TO {last}"))
}

/// Returns true if a statement takes a monster or an object.
pub(crate) fn has_species(word: &str) -> bool {
    matches!(word, "MONSTER" | "OBJECT" | "CONTAINER")
}

/// Returns true if a statement has one place, and no region.
pub(crate) fn has_place(word: &str) -> bool {
    matches!(
        word,
        "MONSTER"
            | "OBJECT"
            | "CONTAINER"
            | "TRAP"
            | "FOUNTAIN"
            | "SINK"
            | "POOL"
            | "DOOR"
            | "ALTAR"
            | "GOLD"
            | "ENGRAVING"
            | "GRAVE"
    )
}

/// Returns the text between the bracket at the start of `text` and its closing one.
fn closed(text: &str) -> Option<&str> {
    let mut depth = 0_usize;
    for (at, sign) in text.char_indices() {
        match sign {
            '(' => depth += 1,
            ')' if depth == 1 => return text.get(1..at),
            ')' => depth -= 1,
            _ => {}
        }
    }
    None
}

/// Returns the signs of `text` outside of quotes, with their offsets and the number of brackets open after each.
fn signs(text: &str) -> impl Iterator<Item = (usize, char, usize)> {
    let (mut depth, mut quoted) = (0_usize, None);
    text.char_indices().filter_map(move |(at, sign)| {
        match (quoted, sign) {
            (Some(quote), _) => {
                quoted = quoted.filter(|_| quote != sign);
                return None;
            }
            (None, '"' | '\'') => {
                quoted = Some(sign);
                return None;
            }
            (None, '(' | '[' | '{' | '<') => depth += 1,
            (None, ')' | ']' | '}' | '>') => depth = depth.saturating_sub(1),
            _ => {}
        }
        Some((at, sign, depth))
    })
}

/// Returns the last parenthesis in `text` that is not closed.
fn last_open(text: &str) -> Option<usize> {
    let mut open = Vec::new();
    for (at, sign, _) in signs(text) {
        match sign {
            '(' => open.push(at),
            ')' => drop(open.pop()),
            _ => {}
        }
    }
    open.pop()
}

/// Returns the values in `text`, separated by commas outside of brackets and quotes.
pub(crate) fn values(text: &str) -> Vec<Range<usize>> {
    let (mut list, mut start) = (Vec::new(), 0);
    for (at, sign, depth) in signs(text) {
        if sign == '#' {
            list.push(start..at);
            return list;
        }
        if sign == ',' && depth == 0 {
            list.push(start..at);
            start = at + 1;
        }
    }
    list.push(start..text.len());
    list
}

/// Returns the values in `text` that are separated by blanks or commas outside of brackets and quotes.
fn separated_by_blanks(text: &str) -> Vec<&str> {
    let (mut list, mut start) = (Vec::new(), 0);
    // `coord (1,2)` is one value.
    let is_inside = |at: usize| {
        text[at..].trim_start().starts_with('(') && text[..at].ends_with(|before: char| before.is_ascii_lowercase())
    };
    for (at, sign, depth) in signs(text) {
        if depth == 0 && (sign == ',' || matches!(sign, ' ' | '\t') && !is_inside(at)) {
            list.push(&text[start..at]);
            start = at + 1;
        }
    }
    list.push(&text[start..]);
    list.retain(|value| !value.is_empty());
    list
}

/// Returns a value in the brackets of a des-file, if it has others.
fn in_parentheses(value: &str) -> Option<String> {
    let pair = |open: char, close: char| value.strip_prefix(open).and_then(|inner| inner.strip_suffix(close));
    let inner = pair('[', ']').or_else(|| pair('{', '}')).or_else(|| pair('<', '>'));
    // `[1,2)`
    let mixed = || {
        let inner = value.strip_prefix(['(', '[', '{', '<'])?.strip_suffix([')', ']', '}', '>'])?;
        let is_known = inner.bytes().all(|byte| byte.is_ascii_digit() || b", ".contains(&byte));
        (is_known && !inner.trim().is_empty() && pair('(', ')').is_none()).then_some(inner)
    };
    if let Some(inner) = inner.or_else(mixed) {
        return (!inner.trim_start().starts_with('(')).then(|| format!("({})", inner.trim()));
    }
    if matches!(value, "random()" | "(random,random)" | "(random, random)" | "(random)" | "rnd()") {
        return Some("random".to_owned());
    }
    let inner = pair('(', ')')?.trim();
    if inner.chars().count() == 3 && inner.starts_with('\'') && inner.ends_with('\'') {
        return Some(inner.to_owned());
    }
    let is_text = inner.len() > 2 && inner.starts_with('"') && inner.ends_with('"');
    if is_text && inner[1..inner.len() - 1].find('"').is_none() {
        return Some(inner.to_owned());
    }
    if !inner.is_empty() && inner.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'_') {
        return Some(inner.to_owned());
    }
    if let Some(inner) = inner.strip_prefix('(').and_then(|inner| inner.strip_suffix(')'))
        && !inner.contains(')')
    {
        return Some(format!("({inner})"));
    }
    let known = |letter: char| letter.is_ascii_digit() || " ,;:=xyXY".contains(letter);
    // `((1,1),(5,3))`
    let corners = inner.starts_with('(') && inner.ends_with(')');
    if !inner.chars().all(|letter| known(letter) || corners && "()".contains(letter)) {
        return None;
    }
    let numbers: Vec<&str> =
        inner.split(|letter: char| !letter.is_ascii_digit()).filter(|number| !number.is_empty()).collect();
    let right = format!("({})", numbers.join(","));
    (matches!(numbers.len(), 2 | 4) && (!corners || numbers.len() == 4) && right != value).then_some(right)
}

/// Returns the orders of `count` values in which two of them are swapped.
fn swaps(count: usize) -> Vec<Vec<usize>> {
    let pairs = (0..count).flat_map(|first| (first + 1..count).map(move |second| (first, second)));
    let swapped = |(first, second)| {
        let mut order: Vec<usize> = (0..count).collect();
        order.swap(first, second);
        order
    };
    pairs.map(swapped).collect()
}

/// Returns the orders of `count` values, without the one they have.
fn orders(count: usize) -> Vec<Vec<usize>> {
    let mut list: Vec<Vec<usize>> = vec![Vec::new()];
    for _ in 0..count {
        list = list
            .into_iter()
            .flat_map(|order| {
                let free = (0..count).filter(|index| !order.contains(index)).collect::<Vec<_>>();
                free.into_iter().map(move |index| {
                    let mut longer = order.clone();
                    longer.push(index);
                    longer
                })
            })
            .collect();
    }
    list.retain(|order| order.iter().enumerate().any(|(index, &value)| index != value));
    list
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_separated_outside_of_brackets_and_quotes() {
        let text = "('a',\"x, y\"), (3,2), 'b' # c, d";
        let list: Vec<&str> = values(text).into_iter().map(|range| text[range].trim()).collect();
        assert_eq!(list, ["('a',\"x, y\")", "(3,2)", "'b'"]);
    }

    #[test]
    fn brackets_of_other_languages_become_parentheses() {
        let right = |value| in_parentheses(value).unwrap_or_default();
        assert_eq!(
            (right("[3,2]"), right("{ 3, 2 }"), right("((3,2))")),
            ("(3,2)".into(), "(3, 2)".into(), "(3,2)".into())
        );
        assert_eq!(
            (right("(x=3,y=2)"), right("(3:2)"), right("random()")),
            ("(3,2)".into(), "(3,2)".into(), "random".into())
        );
        assert_eq!((right("(3,2)"), right("('a',\"ant\")")), (String::new(), String::new()));
    }

    #[test]
    fn there_are_23_other_orders_of_four() {
        assert_eq!((orders(2), orders(4).len()), (vec![vec![1, 0]], 23));
    }
}
