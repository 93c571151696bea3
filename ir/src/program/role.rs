//! Roles: the meaning of a value to the opcode that takes it, and the conversion of numbers back to names.

use super::{Named, Operand};
use crate::catalog::Catalog;
use crate::order::Order;
use crate::source::Text;
use crate::value::ValueType;
use crate::words::Group;

/// The meaning of a value to the opcode that takes it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// A value of any type, without further meaning.
    Any,
    /// A value of any type; a variable stays a variable.
    Unread,
    /// A variable itself, not its value.
    Variable,

    /// A plain number: a column, an amount, a result.
    Number,
    /// A percentage.
    Percent,
    /// The number of values that follow.
    Count,
    /// An index into an array.
    Index,
    /// Yes (1) or no (0); -1 for random, where allowed.
    Truth,
    /// The form of the other operands.
    Kind,
    /// A number that the game takes and ignores.
    Unused,
    /// The distance of a jump.
    Jump,
    /// A word of a group; -1 for random, where allowed, and -2 for unchanged light.
    Word(Group),
    /// Several words of a group, or-ed; -1 for random, where allowed.
    Words(Group),
    /// Flags of a room: 1 filled, 2 irregular, 4 unjoined.
    RoomFlags,
    /// A word of [`Group::Alignment`], or a register of alignments: -1 for the first one, and so on.
    Alignment,
    /// Relation of an object to containers: 1 inside a container or inventory, 2 a container itself, both or-ed.
    Containment,
    /// Terrain by its number alone; -1 for no terrain.
    Terrain,
    /// Terrain by its number alone; 0 for the game's choice, -1 for no terrain.
    TerrainOrDefault,
    /// A trap; -1 for random.
    Trap,
    /// A set of traps, one bit each; -1 for all.
    Traps,
    /// A room type; -1 for random.
    RoomType,
    /// A monster class by its symbol.
    MonsterClass,
    /// A monster by its number alone.
    MonsterIndex,
    /// A part of a monster.
    MonsterPart,
    /// A part of an object.
    ObjectPart,
    /// A type of level region.
    LevelRegion,
    /// A style of INIT_MAP.
    InitStyle,
    /// A direction of a drawbridge.
    DrawbridgeDirection,
    /// A core function or a method of variables.
    CoreFunction,
    /// A value type.
    TypeOfValues,

    /// A place.
    Place,
    /// Two words packed as a place: the horizontal and vertical alignment of a map.
    MapAlignment,
    /// A rectangle.
    Region,
    /// Terrain with its light.
    MapCharacter,
    /// A monster.
    Monster,
    /// An object.
    Object,
    /// A selection.
    Selection,
    /// A string.
    Text,
    /// A string, or a null pointer.
    OptionalText,
    /// A string that names a variable.
    VariableName,
    /// A string whose bytes are terrain numbers plus one.
    Rows,
}

impl Role {
    /// Returns the type of a value in this role, or `None` if it can be any.
    pub const fn value_type(self) -> Option<ValueType> {
        Some(match self {
            Role::Any | Role::Unread => return None,
            Role::Variable => ValueType::Variable,
            Role::Place | Role::MapAlignment => ValueType::Coordinate,
            Role::Region => ValueType::Region,
            Role::MapCharacter => ValueType::MapCharacter,
            Role::Monster => ValueType::Monster,
            Role::Object => ValueType::Object,
            Role::Selection => ValueType::Selection,
            Role::Text | Role::OptionalText | Role::VariableName | Role::Rows => ValueType::String,
            _ => ValueType::Integer,
        })
    }

    /// Returns true if a variable taken in this role is replaced by its value.
    pub const fn reads_variables(self) -> bool {
        !matches!(self, Role::Unread | Role::Variable)
    }

    /// Returns true if the number taken in this role decides the values taken after it.
    pub const fn decides(self) -> bool {
        matches!(self, Role::Count | Role::CoreFunction | Role::TypeOfValues)
    }

    /// Returns the role of a core function's parameter, by its letter in the catalog.
    pub(super) fn of_letter(letter: char) -> Option<Role> {
        Some(match ValueType::of_letter(letter)? {
            ValueType::Integer => Role::Number,
            other => Role::of_type(other)?,
        })
    }

    /// Returns the role of a value that is taken for its type alone.
    pub(super) fn of_type(value_type: ValueType) -> Option<Role> {
        Some(match value_type {
            ValueType::Integer => Role::Number,
            ValueType::String => Role::Text,
            ValueType::Coordinate => Role::Place,
            ValueType::Region => Role::Region,
            ValueType::MapCharacter => Role::MapCharacter,
            ValueType::Monster => Role::Monster,
            ValueType::Object => Role::Object,
            ValueType::Selection => Role::Selection,
            ValueType::Variable => Role::Variable,
            ValueType::Null => return None,
        })
    }

    /// Returns the name of a number in this role: the inverse of [`Operand::resolve`], as far as the number determines
    /// it. Returns `None` if the number stays a number, because the role has no names or no name fits.
    ///
    /// If several names have the same number, the first in the catalog is returned. Words of a set are in the order of
    /// the catalog, those with most bits first.
    pub fn operand(self, number: i64, catalog: &Catalog) -> Option<Operand> {
        let small = i32::try_from(number).ok();
        let named = match self {
            Role::Jump => return small.map(Operand::Offset),
            Role::Word(group) => Named::Word(group, word(catalog, group, number)?),
            Role::Alignment => Named::Word(Group::Alignment, word(catalog, Group::Alignment, number)?),
            Role::Words(group) => Named::Words(group, words(catalog, group, number)?),
            Role::TerrainOrDefault if number == 0 => return None,
            Role::Terrain | Role::TerrainOrDefault if number == -1 => Named::Terrain(None),
            Role::Terrain | Role::TerrainOrDefault => Named::Terrain(Some(catalog.map_character(small?)?)),
            Role::Trap => Named::Trap(entry(catalog.traps.iter().map(|(name, at)| (&**name, *at)), i64::from(small?))?),
            Role::Traps if number == -1 => Named::Traps { traps: Vec::new(), all: true },
            Role::Traps => Named::Traps { traps: traps(catalog, number)?, all: false },
            Role::RoomType => room(catalog, small?)?,
            Role::MonsterClass => {
                let symbol = u8::try_from(number).ok().map(char::from)?;
                catalog.monster_class(symbol)?;
                Named::MonsterClass(symbol)
            }
            Role::MonsterIndex => {
                let species = usize::try_from(number).ok().and_then(|at| catalog.monsters.get(at))?;
                Named::MonsterIndex(Text::from(&*species.name))
            }
            Role::MonsterPart => {
                Named::MonsterPart(entry(catalog.monster_parts.iter().map(|(name, at)| (&**name, *at)), number)?)
            }
            Role::ObjectPart => {
                Named::ObjectPart(entry(catalog.object_parts.iter().map(|(name, at)| (&**name, *at)), number)?)
            }
            Role::LevelRegion => {
                Named::LevelRegion(entry(catalog.level_regions.iter().map(|(name, at)| (&**name, *at)), number)?)
            }
            Role::InitStyle => {
                Named::InitStyle(entry(catalog.init_styles.iter().map(|(name, at)| (&**name, *at)), number)?)
            }
            Role::DrawbridgeDirection => Named::DrawbridgeDirection(entry(
                catalog.drawbridge_directions.iter().map(|(name, at)| (&**name, *at)),
                number,
            )?),
            Role::CoreFunction => {
                let functions = catalog.core_functions.iter().map(|function| (&*function.name, function.number));
                let methods = catalog.methods.iter().map(|method| (&*method.name, method.number));
                match entry(functions, small?) {
                    Some(name) => Named::CoreFunction(name),
                    None => Named::Method(entry(methods, small?)?),
                }
            }
            Role::TypeOfValues => Named::ValueType(
                ValueType::PUSHED.iter().copied().find(|known| catalog.value_type(known.as_str()) == Some(number))?,
            ),
            _ => return None,
        };
        // A name can have a different number if two entries share it.
        (named.number(catalog) == Ok(number)).then_some(Operand::Named(named))
    }

    /// Returns true if lowering may push `operand` for an opcode that takes it in this role: the operand has the right
    /// type, and is symbolic if the role has a name for it.
    pub fn fits(self, operand: &Operand, catalog: &Catalog) -> bool {
        let plain = |number: i64| match self.value_type() {
            None => true,
            Some(ValueType::Integer) => self.operand(number, catalog).is_none(),
            Some(_) => false,
        };
        match operand {
            // The value of a variable is known only at run time.
            Operand::Variable(_) => true,
            Operand::Integer(number) => plain(*number),
            Operand::NarrowInteger(number) => plain(i64::from(*number)),
            Operand::Offset(_) => self == Role::Jump,
            Operand::Named(named) => self.fits_name(named),
            Operand::String(Some(_)) => {
                matches!(self, Role::Any | Role::Unread | Role::Text | Role::OptionalText | Role::VariableName)
            }
            Operand::String(None) => matches!(self, Role::OptionalText | Role::Rows),
            Operand::Rows(_) => self == Role::Rows,
            Operand::Coordinate(_) => matches!(self, Role::Any | Role::Unread | Role::Place | Role::MapAlignment),
            Operand::Region(_) | Operand::NarrowEverywhere => {
                matches!(self, Role::Any | Role::Unread | Role::Region)
            }
            Operand::MapCharacter { .. } | Operand::NarrowMapCharacter(_) => {
                matches!(self, Role::Any | Role::Unread | Role::MapCharacter)
            }
            Operand::Monster(_) => matches!(self, Role::Any | Role::Unread | Role::Monster),
            Operand::Object(_) => matches!(self, Role::Any | Role::Unread | Role::Object),
            Operand::Raw(value_type, _) => self.value_type().is_none_or(|wanted| wanted == *value_type),
        }
    }

    fn fits_name(self, named: &Named) -> bool {
        match named {
            Named::Word(Group::Alignment, _) => self == Role::Alignment,
            Named::Word(group, _) => self == Role::Word(*group),
            Named::Words(group, _) => self == Role::Words(*group),
            Named::Terrain(_) => matches!(self, Role::Terrain | Role::TerrainOrDefault),
            Named::Trap(_) => self == Role::Trap,
            Named::Traps { .. } => self == Role::Traps,
            Named::Room { .. } => self == Role::RoomType,
            Named::MonsterClass(_) => self == Role::MonsterClass,
            Named::MonsterIndex(_) => self == Role::MonsterIndex,
            Named::MonsterPart(_) => self == Role::MonsterPart,
            Named::ObjectPart(_) => self == Role::ObjectPart,
            Named::LevelRegion(_) => self == Role::LevelRegion,
            Named::InitStyle(_) => self == Role::InitStyle,
            Named::DrawbridgeDirection(_) => self == Role::DrawbridgeDirection,
            Named::CoreFunction(_) | Named::Method(_) => self == Role::CoreFunction,
            Named::ValueType(_) => self == Role::TypeOfValues,
        }
    }
}

fn entry<'a, N: PartialEq>(mut entries: impl Iterator<Item = (&'a str, N)>, number: N) -> Option<Text> {
    entries.find(|(_, known)| *known == number).map(|(name, _)| Text::from(name))
}

fn word(catalog: &Catalog, group: Group, number: i64) -> Option<Text> {
    catalog.words(group).find(|word| catalog.word(group, word) == Some(number)).map(Text::from)
}

/// Returns words whose bits combine to `number`.
fn words(catalog: &Catalog, group: Group, number: i64) -> Option<Vec<Text>> {
    if number < 0 {
        return None;
    }
    let bits = |word: &str| catalog.word(group, word).unwrap_or(0);
    let mut fitting: Vec<&str> = catalog.words(group).filter(|word| bits(word) != 0).collect();
    fitting.retain(|word| bits(word) & number == bits(word));
    fitting.order_by_key(|word| std::cmp::Reverse(bits(word).count_ones()));
    let mut found = 0;
    let mut names = Vec::new();
    for word in fitting {
        if bits(word) & !found != 0 {
            found |= bits(word);
            names.push(Text::from(word));
        }
    }
    (found == number).then_some(names)
}

/// Returns the traps whose bits combine to `number`.
fn traps(catalog: &Catalog, number: i64) -> Option<Vec<Text>> {
    let bit = |trap: i64| 1_i64 << (trap - 1).clamp(0, 62);
    let fitting = catalog.traps.iter().filter(|(_, trap)| number & bit(*trap) != 0);
    let names: Vec<Text> = fitting.map(|(name, _)| Text::from(&**name)).collect();
    (number > 0).then_some(names)
}

fn room(catalog: &Catalog, number: i32) -> Option<Named> {
    let name = |number: i32| entry(catalog.rooms.iter().map(|(name, at)| (&**name, *at)), i64::from(number));
    if let Some(name) = name(number) {
        return Some(Named::Room { name: Some(name), unfilled: false });
    }
    if number == -1 {
        return Some(Named::Room { name: None, unfilled: false });
    }
    // Unfilled rooms are numbered after the last type, a random one first.
    let filled = number.checked_sub(catalog.limits.room_types + 1)?;
    let name = if filled == -1 { None } else { Some(name(filled)?) };
    Some(Named::Room { name, unfilled: true })
}
