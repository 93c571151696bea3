//! Changes to inherited tables: entries removed, renamed and added, and the renumbering that follows.

use std::collections::HashMap;

use super::super::fields::{Name, Species};
use super::reader::{Field, Place, Section, near};
use super::{Kind, MAX_ENTRIES, Problems, name_and_class};

/// An entry of a table in which the position is the number.
pub trait Entry {
    /// Returns its name, which may be empty.
    fn name(&self) -> &str;
    /// Returns the symbol of its class, if entries have one.
    fn class(&self) -> Option<char> {
        None
    }
}

impl Entry for Name {
    fn name(&self) -> &str {
        self
    }
}

impl Entry for Species {
    fn name(&self) -> &str {
        &self.name
    }

    fn class(&self) -> Option<char> {
        Some(self.class)
    }
}

/// The position of a new entry.
pub enum Position {
    /// After or before the entry called `anchor`.
    Beside { anchor: String, behind: bool, place: Place },
    /// At this number, once all changes are made.
    Number(i64, Place),
    /// At the end.
    Last,
}

impl Position {
    /// Reads the keys `after`, `before` and `number` of `section`.
    pub fn read(section: &mut Section<'_, '_>, problems: &mut Problems) -> Position {
        let (after, before, number) = (section.take("after"), section.take("before"), section.take("number"));
        if [&after, &before, &number].into_iter().flatten().count() > 1 {
            let message = "only one of `after`, `before` and `number` can set the position";
            problems.push(Kind::Conflict, section.place(), message.to_owned(), None);
        }
        for (field, behind) in [(after, true), (before, false)] {
            if let Some((place, anchor)) = field.and_then(|field| Some((field.place(), field.text(problems)?))) {
                return Position::Beside { anchor: anchor.to_owned(), behind, place };
            }
        }
        match number.and_then(|field| Some((field.integer(0..=i64::from(i32::MAX), problems)?, field.place()))) {
            Some((number, place)) => Position::Number(number, place),
            None => Position::Last,
        }
    }
}

/// A table being changed, in which the position is the number. Entries are linked, so that the cost of a change does
/// not depend on the length of the table.
pub struct Sequence<T> {
    what: &'static str,
    entries: Vec<Option<T>>,
    /// The slot after each slot; slot 0 is the head.
    next: Vec<usize>,
    before: Vec<usize>,
    by_name: HashMap<String, Vec<usize>>,
    numbered: Vec<(usize, T, Place)>,
    old: usize,
}

impl<T: Entry> Sequence<T> {
    /// Creates a sequence of `entries`; messages call an entry a `what`.
    pub fn new(what: &'static str, entries: Vec<T>) -> Self {
        let count = entries.len();
        let mut by_name: HashMap<String, Vec<usize>> = HashMap::with_capacity(count);
        for (at, entry) in entries.iter().enumerate().filter(|(_, entry)| !entry.name().is_empty()) {
            by_name.entry(entry.name().to_owned()).or_default().push(at);
        }
        // Slot 0 is the head of the circular list; entry n is in slot n + 1.
        let next = (0..=count).map(|slot| (slot + 1) % (count + 1)).collect();
        let before = (0..=count).map(|slot| (slot + count) % (count + 1)).collect();
        Sequence {
            what,
            entries: entries.into_iter().map(Some).collect(),
            next,
            before,
            by_name,
            numbered: Vec::new(),
            old: count,
        }
    }

    /// Finds an entry by `name`, or by `name@class` if several entries share the name.
    fn find(&self, name: &str, place: &Place, problems: &mut Problems) -> Option<usize> {
        let alive = |name: &str, class: Option<char>| -> Vec<usize> {
            let known = self.by_name.get(name).map_or(&[][..], Vec::as_slice);
            let fits = |&&at: &&usize| {
                self.entries[at].as_ref().is_some_and(|entry| class.is_none() || entry.class() == class)
            };
            known.iter().filter(fits).copied().collect()
        };
        let mut found = alive(name, None);
        if found.is_empty()
            && let Some((name, class)) = name_and_class(name)
        {
            found = alive(name, Some(class));
        }
        match found.as_slice() {
            [one] => Some(*one),
            [] => {
                let known = self.by_name.keys().map(String::as_str);
                let help = if problems.is_full() { None } else { near(name, known) };
                problems.push(Kind::Entry, place.clone(), format!("unknown {} \"{name}\"", self.what), help);
                None
            }
            [first, ..] => {
                let message = format!("there are {} {}s \"{name}\"", found.len(), self.what);
                let class = self.entries[*first].as_ref().and_then(Entry::class).unwrap_or('?');
                let help = format!("add the class: \"{name}@{class}\"");
                problems.push(Kind::Conflict, place.clone(), message, Some(help));
                None
            }
        }
    }

    /// Removes the entry called `name`.
    pub fn remove(&mut self, name: &str, place: &Place, problems: &mut Problems) {
        let Some(at) = self.find(name, place, problems) else { return };
        self.entries[at] = None;
        let (before, next) = (self.before[at + 1], self.next[at + 1]);
        self.next[before] = next;
        self.before[next] = before;
    }

    /// Applies `change` to the entry called `name`.
    pub fn change(&mut self, name: &str, place: &Place, problems: &mut Problems, change: impl FnOnce(&mut T)) {
        let Some(at) = self.find(name, place, problems) else { return };
        if let Some(entry) = &mut self.entries[at] {
            change(entry);
            let name = entry.name().to_owned();
            let known = self.by_name.entry(name).or_default();
            if !known.contains(&at) {
                known.push(at);
            }
        }
        let entries = &self.entries;
        if let Some(known) = self.by_name.get_mut(name) {
            known.retain(|&at| entries[at].as_ref().is_some_and(|entry| entry.name() == name));
        }
    }

    /// Adds `entry`.
    pub fn add(&mut self, entry: T, position: Position, problems: &mut Problems) {
        let before = match position {
            Position::Beside { anchor, behind, place } => match self.find(&anchor, &place, problems) {
                Some(at) if behind => at + 1,
                Some(at) => self.before[at + 1],
                None => return,
            },
            Position::Number(number, place) => {
                self.numbered.push((number as usize, entry, place));
                return;
            }
            Position::Last => self.before[0],
        };
        let at = self.entries.len();
        if !entry.name().is_empty() {
            self.by_name.entry(entry.name().to_owned()).or_default().push(at);
        }
        self.entries.push(Some(entry));
        let next = self.next[before];
        self.next.push(next);
        self.before.push(before);
        self.next[before] = at + 1;
        self.before[next] = at + 1;
    }

    /// Returns the changed table and the new numbers of the original entries.
    pub fn finish(mut self, problems: &mut Problems) -> (Vec<T>, Moved) {
        self.numbered.sort_by_key(|&(number, ..)| number);
        for pair in self.numbered.windows(2).filter(|pair| pair[0].0 == pair[1].0) {
            let (first, second) = (pair[0].1.name(), pair[1].1.name());
            let message = format!("\"{first}\" and \"{second}\" are both {} number {}", self.what, pair[1].0);
            problems.push(Kind::Conflict, pair[1].2.clone(), message, None);
        }
        let mut numbered = self.numbered.into_iter().peekable();
        let mut table = Vec::with_capacity(self.entries.len());
        let mut numbers = vec![None; self.old];
        let mut slot = self.next[0];
        loop {
            while let Some((_, entry, _)) = numbered.next_if(|(number, ..)| *number <= table.len()) {
                table.push(entry);
            }
            if slot == 0 {
                break;
            }
            if let Some(entry) = self.entries[slot - 1].take() {
                if slot <= self.old {
                    numbers[slot - 1] = Some(table.len());
                }
                table.push(entry);
            }
            slot = self.next[slot];
        }
        for (number, entry, place) in numbered {
            let message = format!("\"{}\" cannot be {} number {number}", entry.name(), self.what);
            let help = format!("use a number up to {}", table.len().saturating_sub(1));
            problems.push(Kind::Conflict, place, message, Some(help));
        }
        let count = table.len();
        (table, Moved { numbers, count })
    }
}

/// The new numbers of a table's original entries.
pub struct Moved {
    numbers: Vec<Option<usize>>,
    count: usize,
}

impl Moved {
    /// Returns the new number of the entry that had `number`, or `None` if it was removed. One past the last entry maps
    /// to one past the new last.
    pub fn number(&self, number: usize) -> Option<usize> {
        if number == self.numbers.len() { Some(self.count) } else { self.numbers.get(number).copied().flatten() }
    }

    /// Returns the new range of the entries `first` to `last`, or `None` if all were removed.
    pub fn range(&self, first: usize, last: usize) -> Option<(usize, usize)> {
        let kept = self.numbers.get(first..=last)?;
        let first = kept.iter().copied().flatten().next()?;
        Some((first, kept.iter().copied().flatten().next_back()?))
    }
}

/// The numbering of a table.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Step {
    /// Consecutive numbers.
    One,
    /// Each number is a bit.
    Bit,
}

/// A shift of the numbers from `at` on.
#[derive(Clone, Copy)]
pub struct Shift {
    step: Step,
    at: i64,
    /// Set to insert a gap, unset to close one.
    opens: bool,
}

impl Shift {
    /// Returns the new value of `number`.
    pub fn apply(self, number: i64) -> i64 {
        if number < 0 {
            return number;
        }
        match (self.step, self.opens) {
            (Step::One, true) if number >= self.at => number + 1,
            (Step::One, false) if number > self.at => number - 1,
            (Step::One, _) => number,
            (Step::Bit, opens) => {
                let low = self.at.saturating_sub(1).max(0);
                let high = number & !low;
                (number & low) | if opens { high << 1 } else { (high & !self.at) >> 1 }
            }
        }
    }
}

/// A file's changes to a table of names with numbers: the values of `remove_...`, `rename_...`, `add_...`.
#[derive(Default)]
pub struct NumberChanges<'a, 'i> {
    pub remove: Option<Field<'a, 'i>>,
    pub rename: Option<Field<'a, 'i>>,
    pub renumber: Option<Field<'a, 'i>>,
    pub add: Option<Field<'a, 'i>>,
}

/// Applies `changes` to `numbers` and returns the shifts, in order. Messages call an entry a `what`. `places` is called
/// with the place where a name got its number.
pub fn change_numbers(
    what: &str,
    numbers: &mut Vec<(Name, i64)>,
    changes: NumberChanges<'_, '_>,
    step: Step,
    mut places: impl FnMut(&str, Place),
    problems: &mut Problems,
) -> Vec<Shift> {
    let mut shifts = Vec::new();
    let position = |numbers: &[(Name, i64)], name: &str, place: &Place, problems: &mut Problems| {
        let at = numbers.iter().position(|(known, _)| known == name);
        if at.is_none() {
            let known = numbers.iter().map(|(known, _)| known.as_ref());
            let help = if problems.is_full() { None } else { near(name, known) };
            problems.push(Kind::Entry, place.clone(), format!("unknown {what} \"{name}\""), help);
        }
        at
    };
    for field in changes.remove.map_or_else(Vec::new, |field| field.list(MAX_ENTRIES, problems)) {
        let (name, shifts_others) = if field.is_section() {
            let Some(mut section) = field.section(problems) else { continue };
            let shift = section.take("shift").and_then(|field| field.truth(problems)).unwrap_or(false);
            let name = section.text("name", problems);
            section.finish(problems);
            (name, shift)
        } else {
            (field.text(problems), false)
        };
        let Some(name) = name else { continue };
        let Some(at) = position(numbers, name, &field.place(), problems) else { continue };
        let (_, number) = numbers.remove(at);
        if shifts_others {
            let shift = Shift { step, at: number, opens: false };
            numbers.iter_mut().for_each(|(_, number)| *number = shift.apply(*number));
            shifts.push(shift);
        }
    }
    if let Some(mut section) = changes.rename.and_then(|field| field.section(problems)) {
        for field in section.rest() {
            let Some(new) = field.line(problems) else { continue };
            if let Some(at) = position(numbers, field.name(), &field.key(), problems) {
                numbers[at].0 = Name::Owned(new.to_owned());
                places(new, field.place());
            }
        }
    }
    if let Some(mut section) = changes.renumber.and_then(|field| field.section(problems)) {
        for field in section.rest() {
            let Some(number) = field.integer(super::NUMBERS, problems) else { continue };
            if let Some(at) = position(numbers, field.name(), &field.key(), problems) {
                numbers[at].1 = number;
                places(field.name(), field.place());
            }
        }
    }
    for field in changes.add.map_or_else(Vec::new, |field| field.list(MAX_ENTRIES, problems)) {
        let Some(mut section) = field.section(problems) else { continue };
        let name = section.take("name").and_then(|field| field.line(problems));
        let to = Position::read(&mut section, problems);
        let opens = section.take("shift").and_then(|field| field.truth(problems)).unwrap_or(false);
        if name.is_none() {
            problems.missing(&section, "name");
        }
        section.finish(problems);
        let Some(name) = name else { continue };
        let behind = |number: i64| match step {
            Step::One => number + 1,
            // One past its highest bit.
            Step::Bit => 1 << (64 - number.max(0).leading_zeros()),
        };
        let number = match to {
            Position::Number(number, _) => number,
            Position::Last => behind(numbers.iter().map(|&(_, number)| number).max().unwrap_or(-1)),
            Position::Beside { anchor, behind: after, place } => match position(numbers, &anchor, &place, problems) {
                Some(at) if after => behind(numbers[at].1),
                Some(at) => numbers[at].1,
                None => continue,
            },
        };
        if opens {
            let shift = Shift { step, at: number, opens: true };
            numbers.iter_mut().for_each(|(_, number)| *number = shift.apply(*number));
            shifts.push(shift);
        }
        numbers.push((Name::Owned(name.to_owned()), number));
        places(name, field.place());
        if numbers.len() > MAX_ENTRIES {
            problems.push(Kind::Entry, field.place(), format!("more than {MAX_ENTRIES} entries"), None);
            break;
        }
    }
    shifts
}
