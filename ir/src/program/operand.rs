//! Operands: pushed values in symbolic form, and their numbers in a game.

use serde::Serialize;

use super::value::{Unknown, Value, unknown};
use crate::catalog::{Catalog, Name};
use crate::source::Text;
use crate::value::{SpeciesName, ValueType};
use crate::words::Group;

/// Terrain named by a map character. `x` is transparent, `None` is no terrain.
pub type MapSymbol = char;

/// A pushed value in symbolic form.
#[derive(Clone, Debug, PartialEq)]
pub enum Operand {
    /// A number.
    Integer(i64),
    /// A negative number that the game's compiler passes as an `int` to a function that reads a `long`. On x86-64 the
    /// upper half becomes zero (`-1` turns into 4294967295); elsewhere it is the number itself.
    NarrowInteger(i32),
    /// The distance of a jump.
    Offset(i32),
    /// A number from a table of the game.
    Named(Named),
    /// A string; `None` where the game has a null pointer.
    String(Option<Text>),
    /// The name of a variable.
    Variable(Text),
    /// A place.
    Coordinate(Coordinate),
    /// A rectangle: x1, y1, x2, y2.
    Region([i32; 4]),
    /// The region that means "everywhere", all corners -1, with the same quirk as [`Operand::NarrowInteger`].
    NarrowEverywhere,
    /// Terrain with unchanged light, with the same quirk as [`Operand::NarrowInteger`].
    NarrowMapCharacter(MapSymbol),
    /// Terrain with light as a number (-2: unchanged, -1: random).
    MapCharacter {
        /// The map character.
        symbol: MapSymbol,
        /// Its light.
        light: LightCode,
    },
    /// A monster.
    Monster(SpeciesName),
    /// An object.
    Object(SpeciesName),
    /// The rows of a map, without line numbers.
    Rows(Rows),
    /// A typed number read from a level file that has no name.
    Raw(ValueType, i64),
}

/// A number that depends on the game.
#[derive(Clone, Debug, PartialEq)]
pub enum Named {
    /// A word of a group.
    Word(Group, Text),
    /// Several words of a group, or-ed.
    Words(Group, Vec<Text>),
    /// The terrain of a map character as a plain number; `None` is -1.
    Terrain(Option<MapSymbol>),
    /// A trap.
    Trap(Text),
    /// A set of traps, one bit each; with `all`, every bit.
    Traps {
        /// Their names.
        traps: Vec<Text>,
        /// Every bit.
        all: bool,
    },
    /// A room type; `None` is random. Unfilled types are numbered after the last filled one.
    Room {
        /// Its name.
        name: Option<Text>,
        /// Set if the room is not stocked.
        unfilled: bool,
    },
    /// A monster class by its symbol as a plain number.
    MonsterClass(char),
    /// A monster by its name as a plain number.
    MonsterIndex(Text),
    /// A part of a monster, see the catalog's `monster_parts`.
    MonsterPart(Text),
    /// A part of an object, see the catalog's `object_parts`.
    ObjectPart(Text),
    /// A type of level region, see the catalog's `level_regions`.
    LevelRegion(Text),
    /// A style of INIT_MAP, see the catalog's `init_styles`.
    InitStyle(Text),
    /// A direction of a drawbridge.
    DrawbridgeDirection(Text),
    /// A core function.
    CoreFunction(Text),
    /// A method of variables, which is also a core function: value type, is array, name.
    Method(Text),
    /// A type of values.
    ValueType(ValueType),
}

/// A pushed place.
#[derive(Clone, Debug, PartialEq)]
pub enum Coordinate {
    /// A square.
    At {
        /// Column.
        x: i32,
        /// Row.
        y: i32,
    },
    /// A random square with one of these humidities.
    Random(Vec<Text>),
}

/// The light packed with terrain.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub enum LightCode {
    /// Unchanged: -2.
    Unchanged,
    /// Random: -1.
    Random,
    /// Unlit: 0.
    Unlit,
    /// Lit: 1.
    Lit,
}

impl LightCode {
    /// Returns its number, the same in every game.
    pub fn number(self) -> i64 {
        match self {
            LightCode::Unchanged => -2,
            LightCode::Random => -1,
            LightCode::Unlit => 0,
            LightCode::Lit => 1,
        }
    }
}

/// The rows of a map as terrain, for a MAP opcode.
#[derive(Clone, Debug, PartialEq)]
pub struct Rows {
    /// Map characters, row by row, each row of `width`. Characters unknown to the game are blanks.
    pub cells: Vec<u8>,
    /// Number of columns.
    pub width: usize,
}

/// Returns the low 32 bits of `number` as a signed int. The games pack values into `long`s by shifting `int`s, so bits
/// beyond an int are lost on every machine.
fn int(number: i64) -> i64 {
    i64::from(number as i32)
}

impl Operand {
    /// Returns the type of the pushed value.
    pub fn value_type(&self) -> ValueType {
        match self {
            Operand::Integer(_) | Operand::NarrowInteger(_) | Operand::Offset(_) | Operand::Named(_) => {
                ValueType::Integer
            }
            Operand::String(_) | Operand::Rows(_) => ValueType::String,
            Operand::Variable(_) => ValueType::Variable,
            Operand::Coordinate(_) => ValueType::Coordinate,
            Operand::Region(_) | Operand::NarrowEverywhere => ValueType::Region,
            Operand::MapCharacter { .. } | Operand::NarrowMapCharacter(_) => ValueType::MapCharacter,
            Operand::Monster(_) => ValueType::Monster,
            Operand::Object(_) => ValueType::Object,
            Operand::Raw(value_type, _) => *value_type,
        }
    }

    /// Returns the value that `catalog`'s game would push.
    ///
    /// # Errors
    /// [`Unknown`] if the game lacks a name in the operand.
    pub fn resolve(&self, catalog: &Catalog) -> Result<Value<'_>, Unknown> {
        Ok(match self {
            Operand::Integer(number) => Value::Number(ValueType::Integer, *number),
            Operand::NarrowInteger(number) => Value::Narrow(ValueType::Integer, *number),
            Operand::Offset(offset) => Value::Number(ValueType::Integer, i64::from(*offset)),
            Operand::Named(named) => Value::Number(ValueType::Integer, named.number(catalog)?),
            Operand::String(text) => Value::Text(ValueType::String, text.as_deref().unwrap_or("")),
            Operand::Variable(name) => Value::Text(ValueType::Variable, name),
            Operand::Coordinate(coordinate) => Value::Number(ValueType::Coordinate, coordinate.number(catalog)?),
            Operand::Region([x1, y1, x2, y2]) => Value::Number(
                ValueType::Region,
                // Added as longs: the last corner may reach into the sign of an int, but not of a long.
                i64::from(x1 & 0xff)
                    + (i64::from(y1 & 0xff) << 8)
                    + (i64::from(x2 & 0xff) << 16)
                    + (i64::from(y2 & 0xff) << 24),
            ),
            Operand::NarrowEverywhere => Value::Narrow(ValueType::Region, -1),
            Operand::MapCharacter { symbol, light } => {
                let terrain = catalog.terrain(*symbol).ok_or_else(|| unknown("map character", symbol))?;
                Value::Number(ValueType::MapCharacter, int(catalog.packing.light(light.number(), i64::from(terrain))))
            }
            Operand::NarrowMapCharacter(symbol) => {
                let terrain = catalog.terrain(*symbol).ok_or_else(|| unknown("map character", symbol))?;
                let packed = catalog.packing.light(LightCode::Unchanged.number(), i64::from(terrain));
                Value::Narrow(ValueType::MapCharacter, packed as i32)
            }
            Operand::Monster(creature) => Value::Number(ValueType::Monster, catalog.pack_monster(creature)?),
            Operand::Object(creature) => Value::Number(ValueType::Object, catalog.pack_object(creature)?),
            Operand::Rows(rows) => Value::Bytes(rows.bytes(catalog)),
            Operand::Raw(tag, number) => Value::Number(*tag, *number),
        })
    }
}

impl Rows {
    /// Returns the bytes for a MAP opcode: the terrain number plus one for each square, row by row.
    pub fn bytes(&self, catalog: &Catalog) -> Vec<u8> {
        let stone = catalog.terrain(' ').unwrap_or(0);
        self.cells
            .iter()
            .map(|&cell| catalog.terrain(char::from(cell)).unwrap_or(stone).wrapping_add(1) as u8)
            .collect()
    }

    /// Returns the number of rows.
    pub fn height(&self) -> usize {
        self.cells.len().checked_div(self.width).unwrap_or(0)
    }
}

impl Coordinate {
    fn number(&self, catalog: &Catalog) -> Result<i64, Unknown> {
        Ok(match self {
            Coordinate::At { x, y } => i64::from(x & 0xff) + (i64::from(y & 0xff) << 16),
            Coordinate::Random(humidity) => {
                let mut flags = catalog.packing.random_place;
                for word in humidity {
                    flags |= catalog.word(Group::Humidity, word).ok_or_else(|| unknown("humidity", word))?;
                }
                flags
            }
        })
    }
}

impl Named {
    /// Returns its number in `catalog`'s game.
    ///
    /// # Errors
    /// [`Unknown`] if the game lacks the name.
    pub fn number(&self, catalog: &Catalog) -> Result<i64, Unknown> {
        Ok(match self {
            Named::Word(group, word) => catalog.word(*group, word).ok_or_else(|| unknown("keyword", word))?,
            Named::Words(group, words) => {
                let mut number = 0;
                for word in words {
                    number |= catalog.word(*group, word).ok_or_else(|| unknown("keyword", word))?;
                }
                number
            }
            Named::Terrain(None) => -1,
            Named::Terrain(Some(symbol)) => {
                i64::from(catalog.terrain(*symbol).ok_or_else(|| unknown("map character", symbol))?)
            }
            Named::Trap(name) => i64::from(catalog.trap(name).ok_or_else(|| unknown("trap", name))?),
            Named::Traps { traps, all } => {
                let mut mask: i64 = if *all { -1 } else { 0 };
                for name in traps {
                    let number = catalog.trap(name).ok_or_else(|| unknown("trap", name))?;
                    mask |= 1_i64 << (number - 1).clamp(0, 62);
                }
                mask
            }
            Named::Room { name, unfilled } => {
                let number = match name {
                    None => -1,
                    Some(name) => catalog.room(name).ok_or_else(|| unknown("room type", name))?,
                };
                i64::from(if *unfilled { number + catalog.limits.room_types + 1 } else { number })
            }
            Named::MonsterClass(symbol) => {
                catalog.monster_class(*symbol).ok_or_else(|| unknown("monster class", symbol))?;
                i64::from(u32::from(*symbol))
            }
            Named::MonsterIndex(name) => {
                i64::from(catalog.monster(name, None).ok_or_else(|| unknown("monster", name))?.0)
            }
            Named::MonsterPart(part) => lookup(&catalog.monster_parts, "monster part", part)?,
            Named::ObjectPart(part) => lookup(&catalog.object_parts, "object part", part)?,
            Named::LevelRegion(kind) => lookup(&catalog.level_regions, "level region", kind)?,
            Named::InitStyle(style) => lookup(&catalog.init_styles, "INIT_MAP style", style)?,
            Named::DrawbridgeDirection(direction) => lookup(&catalog.drawbridge_directions, "direction", direction)?,
            Named::CoreFunction(name) => {
                i64::from(catalog.core_function(name).ok_or_else(|| unknown("core function", name))?.number)
            }
            Named::ValueType(tag) => lookup(&catalog.value_types, "value type", tag.as_str())?,
            Named::Method(name) => i64::from(
                catalog
                    .methods
                    .iter()
                    .find(|method| method.name == name.as_str())
                    .ok_or_else(|| unknown("method", name))?
                    .number,
            ),
        })
    }
}

fn lookup(table: &[(Name, i64)], what: &'static str, name: &str) -> Result<i64, Unknown> {
    table.iter().find(|(key, _)| key == name).map(|&(_, number)| number).ok_or_else(|| unknown(what, name))
}
