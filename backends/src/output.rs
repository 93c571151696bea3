//! The table of output formats. To add one, add a module next to this one and an entry in [`ALL`].

use splc_ir::abi::Abi;
use splc_ir::catalog::Catalog;
use splc_ir::diagnostic::{Code, Diagnostic};
use splc_ir::level::Module;
use splc_ir::loadable::Loadable;
use splc_ir::source::SourceMap;

use crate::{json, level_file, listing};

/// An output format.
#[derive(Debug)]
pub struct Output {
    /// Its name in options and tables.
    pub name: &'static str,
    /// Extension of its files, without the dot.
    pub extension: &'static str,
    /// A one-line description.
    pub about: &'static str,
    /// The type of its content.
    pub content: Content,
    /// The function that writes the files.
    pub writer: Writer,
}

/// The content of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Content {
    /// Bytes for a game to load.
    LevelFile,
    /// Text. Files can be concatenated.
    Text,
}

/// The game for which output is written.
#[derive(Clone, Copy, Debug)]
pub struct Game<'a> {
    /// Its catalog.
    pub catalog: &'a Catalog,
    /// The machine for which it was built.
    pub abi: &'a Abi,
    /// The version header of its level files, one number for each `unsigned long`.
    pub header: &'a [u64],
}

/// Writes the contents of an input as a file. `sources` contains the files that the module's spans point into.
pub type WriteModule = fn(module: &Module, game: Game<'_>, sources: &SourceMap) -> Result<Vec<u8>, Diagnostic>;

/// Writes a level, as the game loads it, as a file. `sources` contains the files that its spans point into, if any.
pub type WriteLoadable =
    fn(level: &Loadable, game: Game<'_>, sources: Option<&SourceMap>) -> Result<Vec<u8>, Diagnostic>;

/// The function that writes the files of an output, and its input.
#[derive(Clone, Copy, Debug)]
pub enum Writer {
    /// One file per input, from its contents.
    Module(WriteModule),
    /// One file per level, from the data that its game loads.
    Loadable(WriteLoadable),
    /// Like [`Loadable`](Writer::Loadable), but level files are also accepted as inputs.
    LoadableOfAny(WriteLoadable),
}

/// Level files, as the games read them.
pub static LEVEL_FILE: Output = Output {
    name: "lev",
    extension: "lev",
    about: "Level files for the game: NAME.lev per level",
    content: Content::LevelFile,
    writer: Writer::Loadable(|level, game, _| level_file::encode(level, game.catalog, game.abi, game.header)),
};

/// The contents of a des-file, for other programs.
pub static JSON: Output = Output {
    name: "json",
    extension: "json",
    about: "The des-file as JSON: FILE.json per des-file",
    content: Content::Text,
    writer: Writer::Module(|module, game, sources| {
        let mut text = Vec::new();
        match json::write(module, game.catalog, sources, &mut text) {
            Ok(()) => Ok(text),
            Err(error) => Err(Diagnostic::new(Code::Unwritable, None, error.to_string())),
        }
    }),
};

/// The data that the game loads, in readable form.
pub static LISTING: Output = Output {
    name: "asm",
    extension: "asm",
    about: "A listing of the level files: NAME.asm per level",
    content: Content::Text,
    writer: Writer::LoadableOfAny(|level, game, sources| Ok(listing::write(level, game.catalog, sources).into_bytes())),
};

/// Every output. The first is the default.
pub static ALL: &[&Output] = &[&LEVEL_FILE, &JSON, &LISTING];

impl Output {
    /// Returns the output of that name.
    pub fn by_name(name: &str) -> Option<&'static Output> {
        ALL.iter().copied().find(|output| output.name == name)
    }

    /// Returns true if level files are accepted as inputs as well as des-files.
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
