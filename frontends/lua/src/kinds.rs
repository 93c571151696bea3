//! The kinds of values that arguments and keys take.

use crate::words::WordList;

/// The need for an argument or key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Need {
    /// The game rejects the call without it.
    Required,
    /// The game has a default for it.
    Optional,
}

/// The kind of value that an argument or a key takes.
#[derive(Clone, Copy, Debug)]
pub enum Kind {
    /// Any value.
    Any,
    /// `true`, `false`, 0, 1, or one of the `BOOLEAN_WORDS`. Anything else is rejected (`get_table_boolean`).
    Boolean,
    /// Any value. Values other than `nil` and `false` count as true (`lua_toboolean`).
    Truth,
    /// A number without a fraction, or a string with such a number (`luaL_checkinteger`).
    Integer,
    /// An [`Integer`](Kind::Integer), or `"random"`.
    IntegerOrRandom,
    /// A string. A number is converted to its digits.
    Text,
    /// A string, or a function that returns one (`get_table_str_opt`). A number is rejected.
    TextOrFunction,
    /// One of these words. Anything else is rejected (`luaL_checkoption`).
    Word(&'static dyn WordList),
    /// A monster by name. An unknown name is rejected.
    Monster,
    /// A monster by name, or a class by its character. An unknown name becomes a random monster.
    MonsterOrClass,
    /// A class of monsters. A string of another length than one character is ignored; an unknown character ends the
    /// game.
    MonsterClass,
    /// An object by name. An unknown name is rejected.
    Object,
    /// An object by name, or a class by its character.
    ObjectOrClass,
    /// A class of objects. It also selects among several objects with the same name.
    ObjectClass,
    /// The species of a corpse, statue, egg, tin or figurine, or a class of monsters by its character.
    Montype,
    /// The disguise of a monster: `obj:`, `mon:` or `ter:` and a name.
    Appearance,
    /// A kind of trap, ignoring case. In a table, an unknown kind silently becomes a random trap.
    Trap,
    /// A type of room, ignoring case. An unknown type becomes an ordinary room, with a complaint.
    Room,
    /// The destination of a portal.
    Destination,
    /// One map character.
    MapCharacter,
    /// The lines of a map. Digits are skipped.
    Map,
    /// A small map to search for.
    MapFragment,
    /// A table of two numbers, or with `x` and `y`.
    Place,
    /// A table of four numbers.
    Region,
    /// A selection.
    Selection,
    /// A function that creates contents. The game ignores any other value.
    Contents,
    /// A function.
    Function,
    /// The table of the function's [keys](crate::keys).
    Keys,
    /// A table of any shape.
    Table,
    /// An object as `des.object` and `obj.new` return it.
    ObjectHandle,
}
