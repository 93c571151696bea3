//! The forms in which levels leave splc, as a table: a new one is a file beside this one and a line in [`ALL`].

use splc_ir::abi::Abi;
use splc_ir::catalog::Catalog;
use splc_ir::diagnostic::{Code, Diagnostic};
use splc_ir::level::Module;
use splc_ir::loadable::Loadable;
use splc_ir::source::SourceMap;

use crate::{json, level_file, listing};

/// A form of output.
#[derive(Debug)]
pub struct Output {
    /// Its name for options and tables.
    pub name: &'static str,
    /// Extension of its files, without the dot.
    pub extension: &'static str,
    /// What it is, in a line.
    pub about: &'static str,
    /// What is in its files.
    pub content: Content,
    /// What makes them.
    pub writer: Writer,
}

/// What is in a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Content {
    /// Bytes for a game to load.
    LevelFile,
    /// Text, of which one file can follow another.
    Text,
}

/// The game that something is written for.
#[derive(Clone, Copy, Debug)]
pub struct Game<'a> {
    /// What it knows.
    pub catalog: &'a Catalog,
    /// The machine it was built for.
    pub abi: &'a Abi,
    /// The version header of its level files, a number for each `unsigned long`.
    pub header: &'a [u64],
}

/// Makes a file of all that an input says. `sources` holds what the module's spans point into.
pub type WriteModule = fn(module: &Module, game: Game<'_>, sources: &SourceMap) -> Result<Vec<u8>, Diagnostic>;

/// Makes a file of a level as the game loads it. `sources` holds what its spans point into, if that is text.
pub type WriteLoadable =
    fn(level: &Loadable, game: Game<'_>, sources: Option<&SourceMap>) -> Result<Vec<u8>, Diagnostic>;

/// What makes the files of an output, and of what.
#[derive(Clone, Copy, Debug)]
pub enum Writer {
    /// A file for each input, of what it says.
    Module(WriteModule),
    /// A file for each level, of what its game loads.
    Loadable(WriteLoadable),
    /// The same, and level files are taken as inputs, too.
    LoadableOfAny(WriteLoadable),
}

/// Level files, as the games read them.
pub static LEVEL_FILE: Output = Output {
    name: "lev",
    extension: "lev",
    about: "Level files, as the game reads them: NAME.lev for each level",
    content: Content::LevelFile,
    writer: Writer::Loadable(|level, game, _| level_file::encode(level, game.catalog, game.abi, game.header)),
};

/// What a des-file says, for other programs.
pub static JSON: Output = Output {
    name: "json",
    extension: "json",
    about: "What the des-file says, for other programs: FILE.json for each des-file",
    content: Content::Text,
    writer: Writer::Module(|module, game, sources| {
        let mut text = Vec::new();
        match json::write(module, game.catalog, sources, &mut text) {
            Ok(()) => Ok(text),
            Err(error) => Err(Diagnostic::new(Code::Unwritable, None, error.to_string())),
        }
    }),
};

/// What the game loads, for people.
pub static LISTING: Output = Output {
    name: "asm",
    extension: "asm",
    about: "What the game loads, for people: NAME.asm for each level; level files can be listed, too",
    content: Content::Text,
    writer: Writer::LoadableOfAny(|level, game, sources| Ok(listing::write(level, game.catalog, sources).into_bytes())),
};

/// Every output; the first is the usual one.
pub static ALL: &[&Output] = &[&LEVEL_FILE, &JSON, &LISTING];

impl Output {
    /// The output of that name.
    pub fn by_name(name: &str) -> Option<&'static Output> {
        ALL.iter().copied().find(|output| output.name == name)
    }

    /// Whether it can be made of level files as well as of des-files.
    pub fn takes_level_files(&self) -> bool {
        matches!(self.writer, Writer::LoadableOfAny(_))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_output_is_found_by_its_name() {
        for &output in ALL {
            assert!(std::ptr::eq(Output::by_name(output.name).unwrap(), output), "{} twice", output.name);
        }
    }
}
