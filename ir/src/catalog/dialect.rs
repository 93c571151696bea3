//! The dialects: languages of des-files, and Lua, in which NetHack 5 has its levels. This table is the only place that knows their names; what tells them apart
//! besides is in the catalogs of their games.
//!
//! Relies on nothing, as the build script reads the names, too.

/// A language of levels.
#[derive(Debug, PartialEq, Eq)]
pub struct Dialect {
    /// Its name, as catalogs have it.
    pub name: &'static str,
    /// Its name for people.
    pub title: &'static str,
    /// Other names for it.
    pub aliases: &'static [&'static str],
    /// The game that is meant when nothing else is said.
    pub default_target: &'static str,
    /// How the game's own compiler writes its messages; `None` for Lua, which the game itself runs.
    pub messages: Option<MessageForm>,
}

/// How a game's own compiler writes its messages (`yyerror` of each; the end of a level in its grammar).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MessageForm {
    /// How it names the place of an error.
    pub place: PlaceForm,
    /// How it counts errors.
    pub total: TotalForm,
}

/// How a compiler names the place of an error; warnings are all written `line 3 : WARNING : `.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PlaceForm {
    /// `line 3 : `
    Line,
    /// `line 3, pos 14` and then this; positions count from 0.
    LineAndPosition(&'static str),
}

/// What a compiler counts the errors of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TotalForm {
    /// `x.des : 2 errors detected.`
    File,
    /// `x.des: 2 errors detected for level "x".`
    Level,
}

/// Every dialect of des-files. Of those that nothing tells apart, the first is guessed.
pub const ALL: &[Dialect] = &[
    Dialect {
        name: "nethack36",
        title: "NetHack 3.6",
        aliases: &["36"],
        default_target: "nethack-3.6.7",
        messages: Some(MessageForm { place: PlaceForm::LineAndPosition(": "), total: TotalForm::Level }),
    },
    Dialect {
        name: "unnethack",
        title: "UnNetHack",
        aliases: &[],
        default_target: "unnethack-6.0.4",
        messages: Some(MessageForm { place: PlaceForm::LineAndPosition(" : "), total: TotalForm::Level }),
    },
    Dialect {
        name: "nethack343",
        title: "NetHack 3.4.3",
        aliases: &["vanilla", "343"],
        default_target: "nethack-3.4.3",
        messages: Some(MessageForm { place: PlaceForm::Line, total: TotalForm::File }),
    },
    Dialect {
        name: "sporkhack",
        title: "SporkHack",
        aliases: &[],
        default_target: "sporkhack-0.7.0",
        messages: Some(MessageForm { place: PlaceForm::Line, total: TotalForm::Level }),
    },
];

/// The language of NetHack 5's levels.
pub const LUA: Dialect = Dialect {
    name: "nethack5",
    title: "NetHack 5",
    aliases: &["nethack-5.0", "5.0", "50", "lua"],
    default_target: "nethack-5.0.0",
    messages: None,
};

/// Every dialect: those of des-files, and Lua.
pub fn all() -> impl Iterator<Item = &'static Dialect> {
    ALL.iter().chain([&LUA])
}

impl Dialect {
    /// The dialect of that name or alias.
    pub fn by_name(name: &str) -> Option<&'static Dialect> {
        all().find(|dialect| dialect.name == name || dialect.aliases.contains(&name))
    }
}
