//! What the functions of the game take, as data.
//!
//! NetHack 5.0.0, `sp_lev.c` (`lspo_*`), `nhlua.c`, `nhlsel.c` and `nhlobj.c`: each `get_table_*`, `luaL_check*` and
//! `lua_gettop` of a function is an entry here.

/// A table of functions that a level finds under a global name, or the methods of a value.
#[derive(Debug)]
pub struct Library {
    /// The global name, e.g. `des`.
    pub name: &'static str,
    /// Its functions, in the order of the game's own list.
    pub functions: &'static [Function],
}

/// A function of the game.
#[derive(Debug)]
pub struct Function {
    /// Its name within its library, e.g. `monster`.
    pub name: &'static str,
    /// The ways of calling it. The game tells them apart by the number of arguments and the types of the first ones.
    pub forms: &'static [Form],
    /// The keys of its table, if one of its forms takes one: [`Kind::Keys`].
    pub keys: &'static [Key],
    /// What it returns.
    pub gives: Gives,
}

/// One way of calling a function.
#[derive(Debug)]
pub struct Form {
    /// Its arguments.
    pub arguments: &'static [Argument],
    /// Whether the last argument may be repeated.
    pub repeated: bool,
}

/// An argument that has a position.
#[derive(Debug)]
pub struct Argument {
    /// What it is, for messages: `x`, `a monster`.
    pub name: &'static str,
    /// What it takes.
    pub kind: Kind,
    /// Whether it can be left out.
    pub need: Need,
}

/// A key of the table that a function takes.
#[derive(Debug)]
pub struct Key {
    /// Its name.
    pub name: &'static str,
    /// What it takes.
    pub kind: Kind,
    /// Whether it can be left out.
    pub need: Need,
}

/// Whether something can be left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Need {
    /// The game refuses the call without it.
    Required,
    /// The game has a value for it.
    Optional,
}

/// What an argument or a key takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Anything.
    Any,
    /// `true`, `false`, 0, 1, or one of the [`BOOLEAN_WORDS`]; anything else is refused (`get_table_boolean`).
    Boolean,
    /// Anything: what is neither `nil` nor `false` counts as true (`lua_toboolean`).
    Truth,
    /// A number without a fraction, or a text that is one (`luaL_checkinteger`).
    Integer,
    /// The same, or `"random"`.
    IntegerOrRandom,
    /// A text; a number is taken as its digits.
    Text,
    /// The text, or a function that returns it (`get_table_str_opt`); a number is refused.
    TextOrFunction,
    /// One of these words to the letter; anything else is refused (`luaL_checkoption`).
    Word(&'static [&'static str]),
    /// One of these words, capital letters or not; anything else is refused.
    FlagWord(&'static [&'static str]),
    /// A monster by name; an unknown one is refused.
    Monster,
    /// A monster by name, or a class by its one character. An unknown name becomes a random monster.
    MonsterOrClass,
    /// A class of monsters. What is not one character is ignored; an unknown character ends the game.
    MonsterClass,
    /// An object by name; an unknown one is refused.
    Object,
    /// An object by name, or a class by its one character.
    ObjectOrClass,
    /// A class of objects, which also says which of several objects of one name is meant.
    ObjectClass,
    /// The species of a corpse, statue, egg, tin or figurine, or a class of monsters by its one character.
    Montype,
    /// What a monster looks like: `obj:`, `mon:` or `ter:` and a name.
    Appearance,
    /// A kind of trap, capital letters or not. In a table, an unknown one becomes a random trap without a word.
    Trap,
    /// A type of room, capital letters or not. An unknown one becomes an ordinary room, with a complaint.
    Room,
    /// The level that a portal leads to.
    Destination,
    /// One map character.
    MapCharacter,
    /// The lines of a map. Digits are skipped.
    Map,
    /// A small map that is looked for.
    MapFragment,
    /// A table of two numbers, or with `x` and `y`.
    Place,
    /// A table of four numbers.
    Region,
    /// A selection.
    Selection,
    /// A function that makes what is inside. The game ignores anything else.
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

/// What a function returns.
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
    /// A text.
    Text,
    /// Something else.
    Other,
}

/// The texts that are allowed for a boolean in a table; what the game makes of them is another matter: [`boolean_word`].
pub const BOOLEAN_WORDS: &[&str] = &["true", "false", "yes", "no"];

/// What the game makes of a text where it wants a boolean: the position of the word in its list, which counts as true
/// unless it is 0; `None` if the text is refused.
///
/// So `"true"` is false, and `"false"` is true; `"yes"` and `"no"` are 2 and 3, which count as true
/// (NetHack 5.0.0, `get_table_boolean`).
pub fn boolean_word(text: &str) -> Option<usize> {
    BOOLEAN_WORDS.iter().position(|&word| word == text)
}

impl Library {
    /// The function `name`.
    pub fn function(&self, name: &str) -> Option<&Function> {
        self.functions.iter().find(|function| function.name == name)
    }
}

impl Function {
    /// What `key` of its table takes.
    pub fn key(&self, name: &str) -> Option<&Key> {
        self.keys.iter().find(|key| key.name == name)
    }

    /// Whether one of its forms takes a table of keys.
    pub fn takes_keys(&self) -> bool {
        self.forms.iter().any(|form| form.arguments.iter().any(|argument| argument.kind == Kind::Keys))
    }
}

impl Form {
    /// How few arguments it takes, and how many at most.
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

pub(super) const fn key(name: &'static str, kind: Kind) -> Key {
    Key { name, kind, need: Need::Optional }
}

pub(super) const fn needed(name: &'static str, kind: Kind) -> Key {
    Key { name, kind, need: Need::Required }
}
