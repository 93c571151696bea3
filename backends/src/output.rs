//! The table of output formats: of [levels](LEVELS), of [sources](SOURCES), and of [dungeons](DUNGEONS). To add one, add
//! a module next to this one and an entry in its list.

use splc_ir::abi::Abi;
use splc_ir::catalog::Catalog;
use splc_ir::catalog::Format;
use splc_ir::diagnostic::{Code, Diagnostic};
use splc_ir::dungeon::Description;
use splc_ir::level::Module;
use splc_ir::loadable::Loadable;
use splc_ir::source::SourceMap;

use crate::des::{self, Style, Unprintable};
use crate::{dungeon, json, level_file, listing, lua};

/// An output format.
#[derive(Debug)]
pub struct Output {
    /// Its name in options and tables.
    pub name: &'static str,
    /// Extension of its files, without the dot. Empty if they have none.
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
    /// A level file, for a game to load.
    LevelFile,
    /// A compiled dungeon, for a game to load.
    Dungeon,
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

/// Writes the source of levels in the language of the game of `catalog`.
pub type WriteSource = fn(module: &Module, catalog: &Catalog, style: Style) -> Result<String, Vec<Unprintable>>;

/// Writes each level as a script for the game of `catalog`.
pub type WriteScripts = fn(module: &Module, catalog: &Catalog) -> Result<lua::Printed, Vec<Unprintable>>;

/// Writes the description of a dungeon.
pub type WriteDungeon = fn(description: &Description, game: Game<'_>) -> Result<Vec<u8>, Diagnostic>;

/// The function that writes the files of an output, and its input.
#[derive(Clone, Copy, Debug)]
pub enum Writer {
    /// One file per input, from its contents.
    Module(WriteModule),
    /// One file per level, from the data that its game loads.
    Loadable(WriteLoadable),
    /// Like [`Loadable`](Writer::Loadable), but level files are also accepted as inputs.
    LoadableOfAny(WriteLoadable),
    /// One file per input, for a person to edit.
    Source(WriteSource),
    /// One file per level, for a person to edit.
    Scripts(WriteScripts),
    /// One file per dungeon.
    Dungeon {
        /// The function that writes the file.
        write: WriteDungeon,
        /// Returns messages about the parts of a description that the file cannot express.
        lost: fn(description: &Description) -> Vec<String>,
    },
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

/// Des-files, as a careful author would write them.
pub static DES_FILE: Output = Output {
    name: "source",
    extension: "des",
    about: "Des-files of the target (FILE.des per input)",
    content: Content::Text,
    writer: Writer::Source(des::print_styled),
};

/// Lua scripts, as a careful author would write them.
pub static LUA_SCRIPT: Output = Output {
    name: "source",
    extension: "lua",
    about: "for NetHack 5, Lua scripts (NAME.lua per level)",
    content: Content::Text,
    writer: Writer::Scripts(lua::print),
};

/// The compiled dungeon.
pub static DUNGEON: Output = Output {
    name: "dungeon",
    extension: "",
    about: "The compiled file the game reads",
    content: Content::Dungeon,
    writer: Writer::Dungeon {
        write: |description, game| dungeon::binary::encode(description, game.catalog, game.abi, game.header),
        lost: dungeon::lua::lost_without,
    },
};

/// A dungeon in the language of `dungeon.def`.
pub static DUNGEON_TEXT: Output = Output {
    name: "text",
    extension: "def",
    about: "Source: a dungeon.def",
    content: Content::Text,
    writer: Writer::Dungeon {
        write: |description, _| Ok(encoded(description, &dungeon::text::print(description)?)),
        lost: dungeon::lua::lost_without,
    },
};

/// A dungeon as a Lua script.
pub static DUNGEON_LUA: Output = Output {
    name: "lua",
    extension: "lua",
    about: "A dungeon.lua for NetHack 5",
    content: Content::Text,
    writer: Writer::Dungeon {
        write: |description, _| Ok(encoded(description, &dungeon::lua::print(description))),
        lost: dungeon::lua::lost_in,
    },
};

/// A dungeon for other programs.
pub static DUNGEON_JSON: Output = Output {
    name: "json",
    extension: "json",
    about: "JSON, for other programs",
    content: Content::Text,
    writer: Writer::Dungeon {
        write: |description, game| Ok(dungeon::json::print(description, game.catalog).into_bytes()),
        lost: |_| Vec::new(),
    },
};

/// The outputs of compiled levels. The first is the default.
pub static LEVELS: &[&Output] = &[&LEVEL_FILE, &JSON, &LISTING];

/// The outputs of levels as source.
pub static SOURCES: &[&Output] = &[&DES_FILE, &LUA_SCRIPT];

/// The outputs of dungeons.
pub static DUNGEONS: &[&Output] = &[&DUNGEON, &DUNGEON_TEXT, &DUNGEON_LUA, &DUNGEON_JSON];

/// Returns `text` in the encoding of `description`.
fn encoded(description: &Description, text: &str) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(text.len());
    description.charset.encode_into(text, &mut bytes);
    bytes
}

impl Output {
    /// Returns the output of that name among `outputs`, such as [`LEVELS`].
    pub fn by_name(outputs: &'static [&'static Output], name: &str) -> Option<&'static Output> {
        outputs.iter().copied().find(|output| output.name == name)
    }

    /// Returns the output of levels as source for the game of `catalog`.
    pub fn source_of(catalog: &Catalog) -> &'static Output {
        match catalog.format {
            Format::Lua => &LUA_SCRIPT,
            Format::Opcodes | Format::Parts => &DES_FILE,
        }
    }

    /// Returns the name of the file `stem`.
    pub fn file_name(&self, stem: &str) -> String {
        if self.extension.is_empty() { stem.to_owned() } else { format!("{stem}.{}", self.extension) }
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
        for outputs in [LEVELS, DUNGEONS] {
            for &output in outputs {
                assert!(std::ptr::eq(Output::by_name(outputs, output.name).unwrap(), output), "{} twice", output.name);
            }
        }
    }
}
