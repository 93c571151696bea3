//! The parameters of the game's functions, as data.
//!
//! Source: NetHack 5.0.0, `sp_lev.c` (`lspo_*`), `nhlua.c`, `nhlsel.c` and `nhlobj.c`. Each `get_table_*`,
//! `luaL_check*` and `lua_gettop` of a function has an entry here.

use splc_ir::catalog::Catalog;

use crate::keys::Key;
pub use crate::kinds::{Kind, Need};

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
    /// The effect of arguments that no form has.
    pub(crate) more: More,
    /// Its result.
    pub gives: Gives,
}

/// The effect of arguments beyond those of a form.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum More {
    /// The call fails.
    Fails,
    /// The game reads only the table (`lcheck_param_table`). Without a table, the call fails.
    IgnoredAfterTable,
    /// The game does not read them.
    Ignored,
    /// The game reads none of the arguments.
    AllIgnored,
}

/// The test by which the game picks a form.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Picked {
    /// By the number and the types of the arguments.
    Types,
    /// By the number of arguments, and the types of all but the first.
    TypesOfRest,
    /// By the number of arguments alone.
    Count,
}

/// One form of calling a function.
#[derive(Debug)]
pub struct Form {
    /// Its arguments.
    pub arguments: &'static [Argument],
    /// True if the last argument may be repeated.
    pub repeated: bool,
    /// The test by which the game picks it.
    pub(crate) picked: Picked,
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
    /// The same function, which ignores further arguments.
    pub(crate) const fn ignores_more(self) -> Function {
        Function { more: More::Ignored, ..self }
    }

    /// The same function, which ignores all arguments after a table.
    pub(crate) const fn ignores_after_table(self) -> Function {
        Function { more: More::IgnoredAfterTable, ..self }
    }

    /// The same function, which ignores all arguments if no form has them.
    pub(crate) const fn ignores_others(self) -> Function {
        Function { more: More::AllIgnored, ..self }
    }

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
    /// The same form, picked by another test.
    pub(crate) const fn picked(self, picked: Picked) -> Form {
        Form { picked, ..self }
    }

    /// Returns the minimum number of arguments, and the maximum if there is one.
    pub fn count(&self) -> (usize, Option<usize>) {
        let required = self.arguments.iter().filter(|argument| argument.need == Need::Required).count();
        (required, (!self.repeated).then_some(self.arguments.len()))
    }

    /// Returns true if it can have this number of arguments.
    pub(crate) fn takes(&self, number: usize) -> bool {
        let (least, most) = self.count();
        number >= least && most.is_none_or(|most| number <= most)
    }

    /// Returns the argument at a position. The last one may be repeated.
    pub(crate) fn argument(&self, at: usize) -> Option<&'static Argument> {
        self.arguments.get(at).or(self.arguments.last())
    }
}

pub(super) const fn form(arguments: &'static [Argument]) -> Form {
    Form { arguments, repeated: false, picked: Picked::Types }
}

pub(super) const fn required(name: &'static str, kind: Kind) -> Argument {
    Argument { name, kind, need: Need::Required }
}

pub(super) const fn optional(name: &'static str, kind: Kind) -> Argument {
    Argument { name, kind, need: Need::Optional }
}
