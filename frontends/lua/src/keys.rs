//! The keys of a function's table, typed by the values that the runtime reads.
//!
//! To the check, all of them are [`Key`]s. The runtime reads a table only through [`Typed`] keys, which only this crate
//! can create, so it cannot read a key or a word that the check does not know.

use crate::kinds::{Kind, Need};
use crate::words::Words;

/// The value of a key that a table lacks, where the game tests for it.
pub const UNSAID: i32 = -2;

/// The light of squares that keep theirs.
pub const UNCHANGED: i64 = -2;

/// A key of a function's table.
#[derive(Clone, Copy, Debug)]
pub struct Key {
    /// Its name.
    pub name: &'static str,
    /// The kind of value that it takes.
    pub kind: Kind,
    /// Required or optional.
    pub need: Need,
    /// The features or objects that have it, if only some do.
    pub only: &'static [&'static str],
}

/// A key with the type of its values, and the value that counts if a table lacks it.
#[derive(Clone, Copy, Debug)]
pub struct Typed<V> {
    pub(crate) key: Key,
    /// The type of its values, with the default.
    pub value: V,
}

/// A boolean: 0 or 1. The default may be another number, if the game then decides.
#[derive(Clone, Copy, Debug)]
pub struct Truth(pub i32);

/// A number, with its default.
#[derive(Clone, Copy, Debug)]
pub struct Number(pub i64);

/// A number or `"random"`, which is also the default, with the number of a random value.
#[derive(Clone, Copy, Debug)]
pub struct NumberOrRandom(pub i64);

/// A string.
#[derive(Clone, Copy, Debug)]
pub struct Text;

/// One of several words, with the default. Without a default, the word is required.
#[derive(Debug)]
pub struct Word<T: 'static> {
    /// The words.
    pub words: &'static Words<T>,
    /// The default.
    pub usual: Option<&'static str>,
}

/// A table of four numbers.
#[derive(Clone, Copy, Debug)]
pub struct Area;

/// A value of another type.
#[derive(Clone, Copy, Debug)]
pub struct Value;

/// The keys of a place: `x` and `y`, or `coord`.
#[derive(Clone, Copy, Debug)]
pub struct Place {
    /// The column.
    pub x: Typed<Number>,
    /// The row.
    pub y: Typed<Number>,
    /// Both, as a table.
    pub coord: Typed<Value>,
    keys: [Key; 3],
}

/// The keys of an area: `x1`, `y1`, `x2` and `y2`, or `region`.
#[derive(Clone, Copy, Debug)]
pub struct Corners {
    /// The corners.
    pub numbers: [Typed<Number>; 4],
    /// All of them, as a table.
    pub region: Typed<Area>,
    keys: [Key; 5],
}

/// The keys of the areas of a level region, and of what they are relative to.
#[derive(Clone, Copy, Debug)]
pub struct Areas {
    /// The area.
    pub region: Typed<Area>,
    /// The part of it that does not count.
    pub exclude: Typed<Area>,
    /// True if the area is relative to the level, not to the map.
    pub region_in_level: Typed<Truth>,
    /// True if the excluded part is relative to the level.
    pub exclude_in_level: Typed<Truth>,
    keys: [Key; 4],
}

impl<T> Clone for Word<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Word<T> {}

impl<V: Copy> Typed<V> {
    const fn new(name: &'static str, kind: Kind, value: V) -> Self {
        Typed { key: Key { name, kind, need: Need::Optional, only: &[] }, value }
    }

    /// Returns the key without the type of its values.
    pub const fn key(&self) -> &Key {
        &self.key
    }

    pub(crate) const fn keys(&self) -> &[Key] {
        std::slice::from_ref(&self.key)
    }

    pub(crate) const fn needed(self) -> Self {
        Typed { key: Key { need: Need::Required, ..self.key }, value: self.value }
    }

    pub(crate) const fn only(self, only: &'static [&'static str]) -> Self {
        Typed { key: Key { only, ..self.key }, value: self.value }
    }
}

impl Place {
    pub(crate) const fn keys(&self) -> &[Key] {
        &self.keys
    }
}

impl Areas {
    pub(crate) const fn keys(&self) -> &[Key] {
        &self.keys
    }
}

impl Corners {
    pub(crate) const fn keys(&self) -> &[Key] {
        &self.keys
    }
}

pub(crate) const fn truth(name: &'static str, usual: i32) -> Typed<Truth> {
    Typed::new(name, Kind::Boolean, Truth(usual))
}

pub(crate) const fn number(name: &'static str, usual: i64) -> Typed<Number> {
    Typed::new(name, Kind::Integer, Number(usual))
}

/// A number that is required.
pub(crate) const fn count(name: &'static str) -> Typed<Number> {
    number(name, 0).needed()
}

pub(crate) const fn number_or_random(name: &'static str, random: i64) -> Typed<NumberOrRandom> {
    Typed::new(name, Kind::IntegerOrRandom, NumberOrRandom(random))
}

pub(crate) const fn text(name: &'static str, kind: Kind) -> Typed<Text> {
    Typed::new(name, kind, Text)
}

pub(crate) const fn word<T: Copy + std::fmt::Debug + Sync>(
    name: &'static str,
    words: &'static Words<T>,
    usual: &'static str,
) -> Typed<Word<T>> {
    Typed::new(name, Kind::Word(words), Word { words, usual: Some(usual) })
}

/// A word that is required.
pub(crate) const fn choice<T: Copy + std::fmt::Debug + Sync>(
    name: &'static str,
    words: &'static Words<T>,
) -> Typed<Word<T>> {
    Typed::new(name, Kind::Word(words), Word { words, usual: None }).needed()
}

pub(crate) const fn area(name: &'static str) -> Typed<Area> {
    Typed::new(name, Kind::Region, Area)
}

pub(crate) const fn value(name: &'static str, kind: Kind) -> Typed<Value> {
    Typed::new(name, kind, Value)
}

pub(crate) const fn place() -> Place {
    let (x, y, coord) = (number("x", -1), number("y", -1), value("coord", Kind::Place));
    Place { x, y, coord, keys: [x.key, y.key, coord.key] }
}

pub(crate) const fn corners() -> Corners {
    let [x1, y1, x2, y2] = [number("x1", -1), number("y1", -1), number("x2", -1), number("y2", -1)];
    let region = area("region");
    Corners { numbers: [x1, y1, x2, y2], region, keys: [x1.key, y1.key, x2.key, y2.key, region.key] }
}

pub(crate) const fn areas() -> Areas {
    let (region, exclude) = (area("region").needed(), area("exclude"));
    let (region_in_level, exclude_in_level) = (truth("region_islev", 0), truth("exclude_islev", 0));
    let keys = [region.key, exclude.key, region_in_level.key, exclude_in_level.key];
    Areas { region, exclude, region_in_level, exclude_in_level, keys }
}

/// Defines the module of a function's typed keys, and their list `KEYS`.
macro_rules! keys {
    ($(#[$doc:meta])* $module:ident { $($name:ident: $type:ty = $value:expr;)* }) => {
        $(#[$doc])*
        #[allow(missing_docs)] // each constant is named like its key
        pub mod $module {
            #[allow(unused_imports)] // not every function has every type of key
            use crate::{keys::*, kinds::Kind, words::*};

            $(pub const $name: $type = $value;)*

            pub(crate) const KEYS: &[&[Key]] = &[$($name.keys()),*];
        }
    };
}
pub(crate) use keys;
