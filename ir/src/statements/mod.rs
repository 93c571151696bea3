//! The one table of statements: every form of every statement, detail and selection of des-files and of `dungeon.def`.
//!
//! A [`Statement`] has a keyword and [`Form`]s, a form has [`Slot`]s. What states a form reads it here: the syntax line
//! of messages, help, hover and completion ([`syntax`](Statement::syntax)), and the advice on statements that cannot be
//! read, which lays the values that were written over the slots of each form ([`mod@align`]).
//!
//! The types take the kinds of values of any language, so that the functions of NetHack 5 can have the same shape; the
//! algorithm knows only which slots are needed, and asks its caller how well a value fits.

pub mod align;
mod des;
mod dungeon;

use crate::catalog::{Catalog, Feature, Format, Group};
pub use des::{ASSIGNMENT, CALLS, MONSTER_DETAILS, OBJECT_DETAILS, STATEMENTS};
pub use dungeon::DUNGEON;

/// A word with the forms in which it is written: a statement, a detail of a monster, a selection.
#[derive(Debug)]
pub struct Statement<K: 'static = Kind> {
    /// The word it begins with. A lower-case pseudo-keyword if it has none: [`ASSIGNMENT`].
    pub keyword: &'static str,
    /// Its forms, the usual one first.
    pub forms: &'static [Form<K>],
}

/// One form of a statement.
#[derive(Debug)]
pub struct Form<K: 'static = Kind> {
    /// The games that have it.
    pub only: Only,
    /// The signs between the keyword and the values.
    pub head: Head,
    /// Its values.
    pub slots: &'static [Slot<K>],
    /// The block after the values.
    pub block: Block,
}

/// One value of a form.
#[derive(Debug)]
pub struct Slot<K: 'static = Kind> {
    /// Its name in messages and syntax lines: `place`.
    pub name: &'static str,
    /// The kind of value that it takes.
    pub kind: K,
    /// Required, optional or repeated.
    pub need: Need,
    /// True if `random` may be written instead.
    pub random: bool,
    /// The text that is proposed if the value is missing. Empty if none can be proposed.
    pub default: &'static str,
}

/// How often a slot has a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Need {
    /// Once.
    Required,
    /// At most once.
    Optional,
    /// Any number of times.
    Repeated,
    /// At least once.
    Some,
}

/// The games that have a form.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Only {
    /// All that have the keyword.
    All,
    /// The script languages: NetHack 3.6, UnNetHack, SporkHack.
    Scripts,
    /// NetHack 3.4.3 and its kin.
    Lists,
    /// Scripts with a feature.
    With(Feature),
    /// Scripts without a feature.
    Without(Feature),
    /// Scripts that have this word.
    Word(&'static str),
}

/// The signs between a keyword and its values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Head {
    /// `ALTAR: place, ...`
    Colon,
    /// `MONSTER: ...`, in SporkHack and NetHack 3.4.3 also `MONSTER[50%]: ...`
    Chance,
    /// `LOOP [count]`
    Brackets,
    /// `grow(selection)`
    Parentheses,
    /// `INCLUDE "file"`, `m_object "name"`
    Blank,
    /// `CASE number:`
    Label,
    /// `FOR $variable = first TO last`: the signs after each value; a comma after further ones.
    Signs(&'static [&'static str]),
}

/// The block of a form.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Block {
    /// None.
    None,
    /// A block in braces may follow.
    Optional,
    /// A block in braces must follow; its name in syntax lines.
    Required(&'static str),
    /// Two blocks, the second after ELSE, which may be omitted.
    Else,
    /// Statements follow without braces: after CASE.
    Bare,
    /// The rows of a map follow.
    Map,
}

/// The kind of a value in des-files.
#[derive(Clone, Copy, Debug)]
pub enum Kind {
    /// A square: `(x,y)`, a register, a variable.
    Place,
    /// A rectangle: `(x1,y1,x2,y2)`.
    Region,
    /// A rectangle, which may count from the corner of the level: `levregion(x1,y1,x2,y2)`.
    LevelRegion,
    /// A place or a selection.
    Selection,
    /// A class, a class with a name, or a name of monsters.
    Monster,
    /// A class, a class with a name, or a name of objects.
    Object,
    /// The class of a monster or object in NetHack 3.4.3: `'o'`.
    Class,
    /// A name in quotes, of this sort.
    Name(Names),
    /// Any text.
    Text,
    /// A map character, which may have a light: `'.'`, `('.', lit)`.
    Terrain,
    /// A map character alone.
    Character,
    /// A number without sign.
    Number,
    /// A number with its sign: `+1`.
    Signed,
    /// A number or a calculation: `3d6 + $a`.
    Amount,
    /// A percentage: `50%`.
    Percent,
    /// A word of this set.
    Word(Group),
    /// Words of this set, joined by `|`.
    Words(Group),
    /// One of these words.
    OneOf(&'static [&'static str]),
    /// `true` or `false`.
    Boolean,
    /// `$name`
    Variable,
    /// Any value that a variable can have.
    Any,
    /// `[50%]`
    Chance,
    /// `[$a < 3]`
    Condition,
    /// Values in parentheses.
    Tuple(&'static [Slot]),
    /// A detail: one of these words with its values.
    Detail(&'static [Statement]),
    /// A name of the file's own: of a function, a parameter.
    Identifier,
    /// Values that no other kind describes; the text shows them.
    Free,
}

/// The sort of a name in quotes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Names {
    /// A monster, an object or one of either.
    Species,
    /// A trap.
    Trap,
    /// The type of a room.
    Room,
    /// Another level, or this one.
    Level,
    /// A name of the author's choice.
    Own,
}

impl Slot {
    /// The same slot, which need not be written.
    pub const fn optional(self) -> Slot {
        Slot { need: Need::Optional, ..self }
    }

    /// The same slot, any number of times.
    pub const fn repeated(self) -> Slot {
        Slot { need: Need::Repeated, ..self }
    }

    /// The same slot, one or more times.
    pub const fn some(self) -> Slot {
        Slot { need: Need::Some, ..self }
    }

    /// The same slot, which may be `random`.
    pub const fn or_random(self) -> Slot {
        Slot { random: true, ..self }
    }

    /// The same slot with another name.
    pub const fn named(self, name: &'static str) -> Slot {
        Slot { name, ..self }
    }

    /// The same slot with another value to propose.
    pub const fn default(self, default: &'static str) -> Slot {
        Slot { default, ..self }
    }

    /// The values as a syntax line shows them: `lit|unlit|random`, `(x1,y1,x2,y2)`, `"room type"`.
    fn shown(&self, catalog: &Catalog) -> String {
        /// The most words that are listed instead of their name.
        const LISTED: usize = 5;
        let joined = |words: &[&str]| words.join("|");
        let text = match self.kind {
            Kind::Region | Kind::LevelRegion => "(x1,y1,x2,y2)".to_owned(),
            Kind::Name(_) | Kind::Text => format!("\"{}\"", self.name),
            Kind::Class => format!("'{}'", self.name),
            Kind::Percent => format!("{}%", self.name),
            Kind::Chance => "[50%]".to_owned(),
            Kind::Condition => "[$a < 3]".to_owned(),
            Kind::Boolean => {
                return format!("{} (true|false{})", self.name, if self.random { "|random" } else { "" });
            }
            Kind::Tuple(slots) if !self.random => {
                let comma = if catalog.format == Format::Parts { "," } else { ", " };
                let slots = slots.iter().map(|slot| slot.shown(catalog));
                format!("({})", slots.collect::<Vec<_>>().join(comma))
            }
            Kind::OneOf(words) => joined(words),
            Kind::Word(group) => {
                let words: Vec<&str> = catalog.words(group).collect();
                let by_name = matches!(group, Group::Direction | Group::Alignment | Group::DoorState | Group::Flag);
                let is_short = !by_name && words.len() <= LISTED;
                if is_short { joined(&words) } else { self.name.to_owned() }
            }
            _ => self.name.to_owned(),
        };
        // Most places, monsters and objects can be random.
        let goes_without_saying =
            matches!(self.kind, Kind::Place | Kind::Selection | Kind::Monster | Kind::Object | Kind::Amount);
        if self.random && !goes_without_saying { text + "|random" } else { text }
    }
}

impl Only {
    /// Returns true if the game of `catalog` has it.
    pub fn has(self, catalog: &Catalog) -> bool {
        let scripts = catalog.format == Format::Opcodes;
        match self {
            Only::All => true,
            Only::Scripts => scripts,
            Only::Lists => catalog.format == Format::Parts,
            Only::With(feature) => scripts && catalog.has(feature),
            Only::Without(feature) => scripts && !catalog.has(feature),
            Only::Word(word) => catalog.is_keyword(word),
        }
    }
}

impl Statement {
    /// Returns the forms that the game of `catalog` has.
    pub fn forms(&self, catalog: &Catalog) -> impl Iterator<Item = &'static Form> {
        self.forms.iter().filter(|form| form.only.has(catalog))
    }

    /// Returns its syntax in one line, each form after "or": `STAIR: place, up|down, or STAIR: region, ...`.
    pub fn syntax(&self, catalog: &Catalog) -> String {
        let forms = self.forms(catalog).map(|form| form.syntax(self.keyword, catalog));
        forms.collect::<Vec<_>>().join(", or ")
    }
}

impl Form {
    /// Returns its syntax in one line: `TRAP: "name"|random, place`.
    pub fn syntax(&self, keyword: &str, catalog: &Catalog) -> String {
        let lists = catalog.format == Format::Parts;
        let keyword = if keyword == ASSIGNMENT { "" } else { keyword };
        let values = self.slots.iter().map(|slot| {
            let shown = slot.shown(catalog);
            match slot.need {
                Need::Required => shown,
                // The names of details stand for their list.
                Need::Repeated => format!("{shown}..."),
                Need::Some if lists => format!("{shown},{shown}..."),
                Need::Some => format!("{shown}, {shown}..."),
                Need::Optional => format!("[{shown}]"),
            }
        });
        let values: Vec<String> = values.collect();
        let joined = values.join(if lists { "," } else { ", " });
        let mut text = match self.head {
            Head::Colon | Head::Chance if values.is_empty() => keyword.to_owned(),
            Head::Colon | Head::Chance if lists => format!("{keyword}:{joined}"),
            Head::Colon | Head::Chance => format!("{keyword}: {joined}"),
            Head::Brackets => format!("{keyword} [{joined}]"),
            Head::Parentheses => format!("{keyword}({joined})"),
            Head::Blank if values.is_empty() => keyword.to_owned(),
            Head::Blank => format!("{keyword} {joined}"),
            Head::Label if values.is_empty() => format!("{keyword}:"),
            Head::Label => format!("{keyword} {joined}:"),
            Head::Signs(signs) => {
                let signs = signs.iter().copied().chain(std::iter::repeat(", "));
                let values = values.iter().zip(signs).map(|(value, sign)| format!("{value}{sign}"));
                let head = if keyword.is_empty() { String::new() } else { format!("{keyword} ") };
                format!("{head}{}", values.collect::<String>().trim_end_matches([',', ' ']))
            }
        };
        match self.block {
            Block::Required(what) => text += &format!(" {{ {what} }}"),
            Block::Else => text += " { statements } ELSE { statements }",
            Block::Bare => text += " statements",
            Block::Map => text += ", then MAP alone on the next line",
            Block::None | Block::Optional => {}
        }
        text
    }
}

/// Returns the statement of des-files that begins with `word`, if the game of `catalog` has it.
pub fn statement(word: &str, catalog: &Catalog) -> Option<&'static Statement> {
    let at = STATEMENTS.binary_search_by_key(&word, |statement| statement.keyword).ok()?;
    Some(&STATEMENTS[at]).filter(|statement| is_known(statement, catalog))
}

/// Returns the syntax of the statement `word` in one line, if the game of `catalog` has it.
pub fn syntax(word: &str, catalog: &Catalog) -> Option<String> {
    statement(word, catalog).map(|statement| statement.syntax(catalog))
}

/// Returns the statements of the game of `catalog` that begin with a keyword, in alphabetical order.
pub fn all(catalog: &Catalog) -> impl Iterator<Item = &'static Statement> {
    let statements = STATEMENTS.iter().filter(|statement| statement.keyword != ASSIGNMENT);
    statements.filter(|statement| is_known(statement, catalog))
}

/// Returns the words of a list of details or selections that the game of `catalog` has.
pub fn words(list: &'static [Statement], catalog: &Catalog) -> impl Iterator<Item = &'static str> {
    list.iter().map(|entry| entry.keyword).filter(|word| catalog.is_keyword(word))
}

fn is_known(statement: &Statement, catalog: &Catalog) -> bool {
    let has_word = match catalog.format {
        Format::Opcodes => catalog.is_keyword(statement.keyword) || statement.keyword == ASSIGNMENT,
        Format::Parts => true,
        Format::Lua => false,
    };
    has_word && statement.forms(catalog).next().is_some()
}
