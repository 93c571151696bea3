//! The dialects: the languages of des-files, and the Lua of NetHack 5.
//!
//! This table is the only place with their names. Other differences between them are in the catalogs of their games.
//!
//! The module has no dependencies, because the build script includes it to read the names.

/// A language of levels.
#[derive(Debug, PartialEq, Eq)]
pub struct Dialect {
    /// Its name in catalogs.
    pub name: &'static str,
    /// Its display name.
    pub title: &'static str,
    /// Other names for it.
    pub aliases: &'static [&'static str],
    /// The target if none is given.
    pub default_target: &'static str,
    /// The format of messages of the game's own compiler; `None` for Lua, which the game itself runs.
    pub messages: Option<MessageForm>,
}

/// The format of messages of a game's own compiler (`yyerror` of each; the end of a level in its grammar).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MessageForm {
    /// Form of the place of an error.
    pub place: PlaceForm,
    /// Form of the error count.
    pub total: TotalForm,
}

/// The form in which a compiler writes the place of an error; all warnings begin with `line 3 : WARNING : `.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PlaceForm {
    /// `line 3 : `
    Line,
    /// `line 3, pos 14` followed by this text; positions count from 0.
    LineAndPosition(&'static str),
}

/// The unit whose errors a compiler counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TotalForm {
    /// `x.des : 2 errors detected.`
    File,
    /// `x.des: 2 errors detected for level "x".`
    Level,
}

/// Every dialect of des-files. If a file fits several of them, detection picks the first.
pub const ALL: &[Dialect] = &[
    Dialect {
        name: "nethack36",
        title: "NetHack 3.6",
        aliases: &["nethack-3.6", "3.6", "36"],
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
        aliases: &["vanilla", "3.4.3", "343"],
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

/// Returns every dialect: those of des-files, and Lua.
pub fn all() -> impl Iterator<Item = &'static Dialect> + Clone {
    ALL.iter().chain([&LUA])
}

impl Dialect {
    /// Returns the dialect with the name or alias `name`.
    pub fn by_name(name: &str) -> Option<&'static Dialect> {
        all().find(|dialect| dialect.name == name || dialect.aliases.contains(&name))
    }
}
