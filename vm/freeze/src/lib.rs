//! Frozen levels: a finished level as a source that always makes just that level.
//!
//! [`source`] writes a des-file for the games with script dialects, and a Lua script for NetHack 5. The terrain is
//! written as rectangles, and every thing as a statement with a place, in the order in which the level made them.
//! Properties that the game chooses after loading, such as the quantity of an object without one, stay open.
//!
//! A few facts of a level cannot be written: the trap of a door, or the monsters of a statue's class. The driver
//! therefore compares what the source makes with the level, and names the differences.
//!
//! The submodules: `survey` collects what both languages need, `des` and `lua` write.
#![cfg_attr(test, allow(clippy::unwrap_used))]

mod des;
mod lua;
mod survey;

use std::fmt;

use splc_ir::catalog::{Catalog, Format};
use splc_vm::Level;

use survey::Survey;

/// The origin of a finished level.
#[derive(Clone, Copy, Debug)]
pub struct Origin<'a> {
    /// Name of the level.
    pub name: &'a str,
    /// Seed of the run.
    pub seed: u64,
}

/// The reason why a level cannot be frozen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unwritable {
    /// The language of the game has lists instead of statements (NetHack 3.4.3).
    Language,
    /// A text with a character that a des-file cannot contain.
    Text(String),
}

impl fmt::Display for Unwritable {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Unwritable::Language => formatter.write_str("levels in this language cannot be frozen"),
            Unwritable::Text(text) => write!(formatter, "a des-file cannot contain the text {text:?}"),
        }
    }
}

impl std::error::Error for Unwritable {}

/// Returns the extension of sources for the game, or `None` if its levels cannot be frozen.
pub fn extension(catalog: &Catalog) -> Option<&'static str> {
    match catalog.format {
        Format::Opcodes => Some("des"),
        Format::Lua => Some("lua"),
        Format::Parts => None,
    }
}

/// Returns a source for `catalog`'s game that makes `level`.
///
/// # Errors
/// If the language of the game has no such source.
pub fn source(level: &Level, catalog: &Catalog, origin: Origin<'_>) -> Result<String, Unwritable> {
    let survey = Survey::new(level, catalog);
    match catalog.format {
        Format::Opcodes => des::write(&survey, origin),
        Format::Lua => Ok(lua::write(&survey, origin)),
        Format::Parts => Err(Unwritable::Language),
    }
}
