//! Changes to inherited tables: entries removed and added, and the renumbering that follows.

use serde::Deserialize;
use toml::Spanned;

use super::super::fields::{Name, Numbers, Species};
use super::reader::{Line, Place, Section, Text, Within};
use super::{Edit, Kind, MAX_ENTRIES, name_and_class};

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

/// A number of a word, part or similar entry: an int of the games.
pub type Number = Within<{ i32::MIN as i64 }, { i32::MAX as i64 }>;

/// The entry beside which a new one is put: `after` or `before` it.
pub struct Beside {
    anchor: Spanned<Text>,
    is_after: bool,
}

/// An entry of `add_opcodes` and similar lists.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, expecting = "a table")]
pub struct NewName {
    /// Its name.
    pub name: Spanned<Line>,
    after: Option<Spanned<Text>>,
    before: Option<Spanned<Text>>,
}

/// An entry of `add_traps` and similar lists.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, expecting = "a table")]
struct NewNumber {
    name: Line,
    number: Option<Within<0, { i32::MAX as i64 }>>,
    after: Option<Spanned<Text>>,
    before: Option<Spanned<Text>>,
    #[serde(default)]
    shift: bool,
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

impl Edit<'_> {
    /// Returns the position of a new entry; `None` is at the end.
    pub fn beside(
        &mut self,
        place: Place,
        has_number: bool,
        after: Option<Spanned<Text>>,
        before: Option<Spanned<Text>>,
    ) -> Option<Beside> {
        if [has_number, after.is_some(), before.is_some()].into_iter().filter(|given| *given).count() > 1 {
            let message = "only one of `after`, `before` and `number` can set the position";
            self.problems.push(Kind::Conflict, place, message.to_owned(), None);
        }
        let is_after = after.is_some();
        after.or(before).map(|anchor| Beside { anchor, is_after })
    }

    /// Finds an entry by name, or by `name@class` if several entries share the name.
    fn find<T: Entry>(&mut self, what: &str, table: &[(Option<usize>, T)], name: &Spanned<Text>) -> Option<usize> {
        let (place, name) = (name.span(), name.get_ref());
        let all = |name: &str, class: Option<char>| -> Vec<usize> {
            let fits = |entry: &T| entry.name() == name && (class.is_none() || entry.class() == class);
            (0..table.len()).filter(|&at| fits(&table[at].1)).collect()
        };
        let mut found = if name.is_empty() { Vec::new() } else { all(name, None) };
        if found.is_empty()
            && let Some((name, class)) = name_and_class(name)
        {
            found = all(name, Some(class));
        }
        match found.as_slice() {
            [one] => Some(*one),
            [] => {
                self.known(what, name, place, table.iter().map(|(_, entry)| entry.name()));
                None
            }
            [first, ..] => {
                let message = format!("there are {} {what}s \"{}\"", found.len(), &**name);
                let class = table[*first].1.class().unwrap_or('?');
                let help = format!("add the class: \"{}@{class}\"", &**name);
                self.problems.push(Kind::Conflict, place, message, Some(help));
                None
            }
        }
    }

    /// Applies `remove_KEY` and `add_KEY` to `table`; messages call an entry a `what`. `new` makes a new entry.
    /// Returns the changed table and the new numbers of its entries.
    pub fn sequence<'i, T: Entry, N: Deserialize<'i>>(
        &mut self,
        (what, key): (&str, &str),
        table: Vec<T>,
        section: &mut Section<'i>,
        mut new: impl FnMut(&mut Self, Spanned<N>) -> Option<(T, Option<Beside>)>,
    ) -> (Vec<T>, Moved) {
        let mut numbers = vec![None; table.len()];
        let mut table: Vec<_> = table.into_iter().enumerate().map(|(at, entry)| (Some(at), entry)).collect();
        for name in section.changes("remove", key, self.problems) {
            if let Some(at) = self.find(what, &table, &name) {
                table.remove(at);
            }
        }
        for entry in section.changes("add", key, self.problems) {
            let Some((entry, beside)) = new(self, entry) else { continue };
            let at = match beside {
                None => Some(table.len()),
                Some(Beside { anchor, is_after }) => {
                    self.find(what, &table, &anchor).map(|at| at + usize::from(is_after))
                }
            };
            if let Some(at) = at {
                table.insert(at, (None, entry));
            }
        }
        for (number, (was, _)) in table.iter().enumerate() {
            if let Some(slot) = was.and_then(|was| numbers.get_mut(was)) {
                *slot = Some(number);
            }
        }
        let count = table.len();
        (table.into_iter().map(|(_, entry)| entry).collect(), Moved { numbers, count })
    }

    /// Applies `remove_KEY` and `add_KEY` of `section` to names in a table in which the position is the number.
    pub fn name_sequence(
        &mut self,
        (what, key): (&str, &str),
        names: Vec<Name>,
        section: &mut Section<'_>,
        mut is_known: impl FnMut(&mut Self, &str, Place) -> bool,
    ) -> (Vec<Name>, Moved) {
        self.sequence((what, key), names, section, |edit, new: Spanned<NewName>| {
            let place = new.span();
            let NewName { name, after, before } = new.into_inner();
            let beside = edit.beside(place, false, after, before);
            edit.note(format!("{key}.{}", &**name.get_ref()), name.span());
            let is_fine = is_known(edit, name.get_ref(), name.span());
            is_fine.then(|| (name.into_inner().into(), beside))
        })
    }

    /// Returns the position of `name` in `numbers`; messages call an entry a `what`.
    fn number(&mut self, what: &str, numbers: &Numbers, name: &Spanned<Text>) -> Option<usize> {
        let at = numbers.iter().position(|(known, _)| *known == **name.get_ref());
        if at.is_none() {
            self.known(what, name.get_ref(), name.span(), numbers.iter().map(|(known, _)| known.as_ref()));
        }
        at
    }

    /// Removes `names` from `numbers`; messages call an entry a `what`.
    pub fn remove_numbers(&mut self, what: &str, numbers: &mut Numbers, names: Vec<Spanned<Text>>) {
        for name in names {
            if let Some(at) = self.number(what, numbers, &name) {
                numbers.to_mut().remove(at);
            }
        }
    }

    /// Applies `remove_KEY` and `add_KEY` to `numbers`, which are at `path`; messages call an entry a `what`. Returns
    /// the
    /// numbers from which others were shifted up by one, in order.
    pub fn change_numbers(
        &mut self,
        what: &str,
        path: &str,
        numbers: &mut Numbers,
        remove: Vec<Spanned<Text>>,
        section: &mut Section<'_>,
        key: &str,
    ) -> Vec<i64> {
        let mut shifts = Vec::new();
        self.remove_numbers(what, numbers, remove);
        for new in section.changes::<NewNumber>("add", key, self.problems) {
            let place = new.span();
            let NewNumber { name, number, after, before, shift } = new.into_inner();
            let beside = self.beside(place.clone(), number.is_some(), after, before);
            let number = match (number, beside) {
                (Some(Within(number)), _) => number,
                (None, None) => numbers.iter().map(|&(_, number)| number + 1).max().unwrap_or(0),
                (None, Some(Beside { anchor, is_after })) => match self.number(what, numbers, &anchor) {
                    Some(at) => numbers[at].1 + i64::from(is_after),
                    None => continue,
                },
            };
            if shift {
                let later = numbers.to_mut().iter_mut().filter(|(_, known)| *known >= number.max(0));
                later.for_each(|(_, known)| *known += 1);
                shifts.push(number);
            }
            self.note(format!("{path}.{}", &*name), place.clone());
            numbers.to_mut().push((name.into(), number));
            if numbers.len() > MAX_ENTRIES {
                self.problems.push(Kind::Entry, place, format!("more than {MAX_ENTRIES} entries"), None);
                break;
            }
        }
        shifts
    }
}
