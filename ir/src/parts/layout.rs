//! The layout of structures by a C compiler: every field is at a multiple of its alignment, and the structure is padded
//! to a multiple of the greatest alignment.
//!
//! [`Structure::FIELDS`](super::Structure::FIELDS) lists the fields. The strings of a structure follow it, one after
//! the other; the structure contains their lengths.

use super::{FieldKind, IN_LIST, IN_REGION, RANDOM, Structure};
use crate::abi::{Abi, INT};
use crate::catalog::{Catalog, Feature};

/// Structures in the level files of a game that differ from NetHack 3.4.3.
///
/// A catalog describes them in lines such as `door x:char y:char state:char artifact:short`: the fields in order, with
/// their C types. Fields that splc does not know are zero.
#[derive(Clone, Debug, Default)]
pub struct Layouts {
    lines: Vec<(String, Vec<(String, FieldKind)>)>,
    /// Set if place registers form several lists.
    pub place_lists: bool,
    /// Set if a part has random regions.
    pub random_regions: bool,
    /// Set if a second message follows the first.
    pub hallucination: bool,
    random_place: Option<i8>,
    /// Lists that are empty, by the structure that contains them and the name of the list before each.
    empty_lists: Vec<(String, String)>,
}

/// A field of a structure: the index of its value, in the order of [`Structure::each`], and its type.
pub type LaidOut = (Option<usize>, FieldKind);

impl Layouts {
    /// Returns the layouts of the game of `catalog`.
    pub fn of(catalog: &Catalog) -> Self {
        let line = |line: &str| {
            let (name, fields) = line.split_once(' ')?;
            let fields = fields.split_whitespace().filter_map(|field| {
                let (name, kind) = field.split_once(':')?;
                Some((name.to_owned(), FieldKind::by_name(kind)?))
            });
            Some((name.to_owned(), fields.collect()))
        };
        let random = catalog.packing.random_place;
        Layouts {
            lines: catalog.structures.iter().filter_map(|text| line(text)).collect(),
            place_lists: catalog.has(Feature::PlaceLists),
            random_regions: catalog.has(Feature::RandomRegions),
            hallucination: catalog.has(Feature::HallucinationMessages),
            random_place: i8::try_from(random).ok().filter(|random| *random != 0),
            empty_lists: catalog
                .empty_lists
                .iter()
                .filter_map(|text| {
                    let (list, after) = text.split_once(" after ")?;
                    let (of, _) = list.split_once(' ')?;
                    Some((of.to_owned(), after.to_owned()))
                })
                .collect(),
        }
    }

    /// Returns true if the game of `catalog` adds this field to a structure of NetHack 3.4.3.
    pub fn has(catalog: &Catalog, structure: &str, field: &str) -> bool {
        let mut lines = catalog.structures.iter().filter_map(|line| line.split_once(' '));
        lines.any(|(name, fields)| {
            name == structure
                && fields.split_whitespace().filter_map(|known| known.split_once(':')).any(|(name, _)| name == field)
        })
    }

    /// Returns the fields of a structure.
    pub fn fields<S: Structure>(&self) -> Vec<LaidOut> {
        let Some((_, fields)) = self.lines.iter().find(|(name, _)| name == S::NAME) else {
            return S::FIELDS.iter().enumerate().map(|(at, (_, kind))| (Some(at), *kind)).collect();
        };
        let at = |name: &str| {
            let more = || S::MORE.iter().position(|known| *known == name).map(|at| at + S::FIELDS.len());
            S::FIELDS.iter().position(|(known, _)| *known == name).or_else(more)
        };
        fields.iter().map(|(name, kind)| (at(name), *kind)).collect()
    }

    /// Returns the number of empty lists after the list `name` of a room or part.
    pub fn empty_after(&self, of: &str, name: &str) -> usize {
        self.empty_lists.iter().filter(|(known, after)| known == of && after == name).count()
    }

    /// Returns true if nothing differs from NetHack 3.4.3.
    pub fn are_plain(&self) -> bool {
        self.lines.is_empty()
            && !self.place_lists
            && !self.random_regions
            && !self.hallucination
            && self.random_place.is_none()
    }

    /// Converts a place to the form in which the game writes it: random places and registers have special numbers.
    pub fn written(&self, x: i8, y: i8) -> (i8, i8) {
        match (x, y) {
            (RANDOM, RANDOM) => self.random_place.map_or((x, y), |random| (random, random)),
            _ if self.place_lists && x == y && x < 0 && x > RANDOM => (-1, y),
            (IN_REGION, _) if self.random_regions => (RANDOM, y),
            _ if self.place_lists && x < IN_LIST && x > IN_LIST + RANDOM + 1 => (x - IN_LIST - 1, y),
            _ => (x, y),
        }
    }

    /// Converts a place back from the form of [`written`](Self::written).
    pub fn read(&self, x: i8, y: i8) -> (i8, i8) {
        match (x, y) {
            _ if x == y && Some(x) == self.random_place => (RANDOM, RANDOM),
            (-1, _) if self.place_lists && y < 0 && y > RANDOM => (y, y),
            (RANDOM, _) if self.random_regions && y < 0 && y > RANDOM => (IN_REGION, y),
            _ if self.place_lists && x < -1 && x > RANDOM && y < 0 && y > RANDOM => (x + 1 + IN_LIST, y),
            _ => (x, y),
        }
    }

    /// Returns the index of the place, if the structure has one that needs [`written`](Self::written): its field `x`,
    /// with `y` after it.
    pub fn place<S: Structure>(&self) -> Option<usize> {
        let at = S::FIELDS.iter().position(|(name, _)| *name == "x")?;
        // The place of a room is on another grid.
        (S::NAME != "room_header" && (self.place_lists || self.random_place.is_some())).then_some(at)
    }
}

impl FieldKind {
    /// Returns the type with this name in catalogs.
    fn by_name(name: &str) -> Option<Self> {
        Some(match name {
            "char" => FieldKind::Char,
            "short" => FieldKind::Short,
            "int" => FieldKind::Int,
            "long" => FieldKind::Long,
            "text" => FieldKind::TextLength,
            _ => return None,
        })
    }

    /// Returns its size in bytes on a machine of `abi`.
    pub fn size(self, abi: &Abi) -> usize {
        match self {
            FieldKind::Char => 1,
            FieldKind::Short => 2,
            FieldKind::Int => INT,
            FieldKind::Long => abi.long,
            FieldKind::TextLength => abi.pointer,
        }
    }
}

/// Lays out the fields of a structure one after the other.
#[derive(Clone, Debug)]
pub struct Layout<'a> {
    abi: &'a Abi,
    end: usize,
    alignment: usize,
}

impl<'a> Layout<'a> {
    /// Creates a structure without fields.
    pub fn new(abi: &'a Abi) -> Self {
        Layout { abi, end: 0, alignment: 1 }
    }

    /// Adds a field of this type and returns its offset in bytes.
    pub fn field(&mut self, kind: FieldKind) -> usize {
        let size = kind.size(self.abi);
        let alignment = size.min(self.abi.alignment);
        self.alignment = self.alignment.max(alignment);
        // Alignments are powers of two.
        let start = (self.end + alignment - 1) & !(alignment - 1);
        self.end = start + size;
        start
    }

    /// Returns the size of the structure in bytes.
    pub fn size(&self) -> usize {
        self.end.next_multiple_of(self.alignment)
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Feature, Gold, Monster, Object};
    use super::*;

    fn size<S: Structure>(abi: &str) -> usize {
        let mut layout = Layout::new(Abi::by_name(abi).unwrap());
        for &(_, kind) in S::FIELDS {
            layout.field(kind);
        }
        layout.size()
    }

    /// Compares with the sizes in the games' compilers (`sizeof`).
    #[test]
    fn structures_are_as_large_as_in_c() {
        for (abi, monster, object, gold) in
            [("lp64le", 32, 24, 8), ("ilp32le", 20, 20, 8), ("lp64be", 32, 24, 8), ("m68k", 18, 18, 6)]
        {
            let sizes = (size::<Monster>(abi), size::<Object>(abi), size::<Gold>(abi), size::<Feature>(abi));
            assert_eq!(sizes, (monster, object, gold, 2), "{abi}");
        }
    }
}
