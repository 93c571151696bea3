//! The parameters of the game's functions, as data.
//!
//! Source: NetHack 5.0.0, `sp_lev.c` (`lspo_*`), `nhlua.c`, `nhlsel.c` and `nhlobj.c`. Each `get_table_*`,
//! `luaL_check*` and `lua_gettop` of a function has an entry here.

use splc_ir::catalog::Catalog;

use crate::keys::Key;
use crate::words::WordList;

/// A table of functions under a global name, or the methods of a value.
#[derive(Debug)]
pub struct Library {
    /// The global name, e.g. `des`.
    pub name: &'static str,
    /// Its functions, in the order of the game's list.
    pub functions: &'static [Function],
}

/// A function of the game.
#[derive(Debug)]
pub struct Function {
    /// Its name within its library, e.g. `monster`.
    pub name: &'static str,
    /// Its forms. The game distinguishes them by the number of arguments and the types of the first arguments.
    pub forms: &'static [Form],
    /// The keys of its table, if one of its forms takes a table: [`Kind::Keys`]. They are grouped: `x` and `y` or
    /// `coord` are one group.
    pub(crate) keys: &'static [&'static [Key]],
    /// Its result.
    pub gives: Gives,
}

/// One form of calling a function.
#[derive(Debug)]
pub struct Form {
    /// Its arguments.
    pub arguments: &'static [Argument],
    /// True if the last argument may be repeated.
    pub repeated: bool,
}

/// A positional argument.
#[derive(Debug)]
pub struct Argument {
    /// Its name in messages: `x`, `a monster`.
    pub name: &'static str,
    /// The kind of value that it takes.
    pub kind: Kind,
    /// Required or optional.
    pub need: Need,
}

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
    /// `true`, `false`, 0, 1, or one of the [`BOOLEAN_WORDS`]. Anything else is rejected (`get_table_boolean`).
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
    /// The table of the function's [`keys`](Function::keys).
    Keys,
    /// A table of any shape.
    Table,
    /// An object as `des.object` and `obj.new` return it.
    ObjectHandle,
}

/// The result of a function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Gives {
    /// Nothing.
    Nothing,
    /// A selection.
    Selection,
    /// An object.
    Object,
    /// A table with `x` and `y`.
    Place,
    /// A number.
    Number,
    /// A string.
    Text,
    /// A result of another type.
    Other,
}

/// The strings that the game accepts for a boolean in a table. See [`boolean_word`] for their meaning to the game.
pub const BOOLEAN_WORDS: &[&str] = &["true", "false", "yes", "no"];

/// Returns the number that the game reads from a string in place of a boolean, or `None` if it rejects the string. The
/// number is the position of the word in the game's list, and counts as true unless it is 0.
///
/// So `"true"` is false, and `"false"` is true; `"yes"` and `"no"` are 2 and 3, which count as true (NetHack 5.0.0,
/// `get_table_boolean`).
pub fn boolean_word(text: &str) -> Option<usize> {
    BOOLEAN_WORDS.iter().position(|&word| word == text)
}

impl Library {
    /// Returns the function with this name.
    pub fn function(&self, name: &str) -> Option<&Function> {
        self.functions.iter().find(|function| function.name == name)
    }
}

impl Function {
    /// Returns the keys of its table in the game of `catalog`. No game adds any yet.
    pub fn keys(&self, _: &Catalog) -> impl Iterator<Item = &'static Key> + Clone + use<> {
        self.keys.iter().copied().flatten()
    }

    /// Returns the key of its table with this name in the game of `catalog`.
    pub fn key(&self, catalog: &Catalog, name: &str) -> Option<&'static Key> {
        self.keys(catalog).find(|key| key.name == name)
    }

    /// Returns true if one of its forms takes a table of keys.
    pub fn takes_keys(&self) -> bool {
        self.forms.iter().any(|form| form.arguments.iter().any(|argument| matches!(argument.kind, Kind::Keys)))
    }
}

impl Form {
    /// Returns the minimum number of arguments, and the maximum if there is one.
    pub fn count(&self) -> (usize, Option<usize>) {
        let required = self.arguments.iter().filter(|argument| argument.need == Need::Required).count();
        (required, (!self.repeated).then_some(self.arguments.len()))
    }
}

pub(super) const fn form(arguments: &'static [Argument]) -> Form {
    Form { arguments, repeated: false }
}

pub(super) const fn required(name: &'static str, kind: Kind) -> Argument {
    Argument { name, kind, need: Need::Required }
}

pub(super) const fn optional(name: &'static str, kind: Kind) -> Argument {
    Argument { name, kind, need: Need::Optional }
}
