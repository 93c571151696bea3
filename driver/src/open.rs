//! Opens an input of any type.

use std::io::{Cursor, Read as _};
use std::path::Path;

use splc_frontends::{Includes, json};
use splc_game::archive::Archive;
use splc_ir::diagnostic::{Code, Diagnostic, Diagnostics};
use splc_ir::wording::visible;

use crate::dungeon::{self, Dungeon};
use crate::input::{Accepts, Input};
use crate::options::Options;
use crate::read::{Read, read_as};
use crate::target::TargetError;

/// An input that has been read and checked.
#[derive(Clone, Debug)]
pub enum Opened {
    /// Levels: a des-file, a JSON document, a level file or a Lua script.
    Levels(Read),
    /// The description of a dungeon: `dungeon.def`, `dungeon.lua`, a JSON document, or the compiled file.
    Dungeon(Dungeon),
    /// An archive of a game's data files.
    Archive(Files),
}

/// The files in an archive.
#[derive(Clone, Debug)]
pub struct Files {
    /// The files, which can be opened in turn: `nhdat:castle.lev`.
    pub files: Vec<Input>,
    /// Its damaged entries.
    pub diagnostics: Diagnostics,
}

/// The type of an input, as far as it decides on the reader.
pub(crate) enum Kind {
    Levels,
    Dungeon,
    Archive(Archive<Cursor<Vec<u8>>>),
}

/// Reads and checks an input of any type.
///
/// A dungeon is recognised by its name (`dungeon`, with any extension that it may have) or, in JSON, by its schema. An
/// archive is recognised by its directory. Anything else contains levels, as described at [`Input::new`].
///
/// ```
/// use splc_driver::{Content, Input, NoIncludes, Opened, Options, open};
///
/// let input = Input::new("cellar.lua", "des.monster({ id = \"dwarf\", peacefull = 0 })\n");
/// let Opened::Levels(read) = open(input, &Options::default(), &mut NoIncludes)? else { panic!("it is a level") };
/// assert!(matches!(read.content, Content::Script(_)));
/// assert_eq!(read.diagnostics.iter().count(), 1);
/// # Ok::<(), splc_driver::TargetError>(())
/// ```
///
/// # Errors
/// If its game cannot be determined.
pub fn open(input: Input, options: &Options, includes: &mut dyn Includes) -> Result<Opened, TargetError> {
    match kind(&input) {
        Kind::Levels => read_as(input, Accepts::Levels, options, includes).map(Opened::Levels),
        Kind::Dungeon => dungeon::read(input, options).map(Opened::Dungeon),
        Kind::Archive(archive) => Ok(Opened::Archive(files(&input.name, archive, options))),
    }
}

/// Determines the type of `input`.
pub(crate) fn kind(input: &Input) -> Kind {
    let name = Path::new(&input.name);
    let has_extension = |known: &[&str]| match name.extension() {
        Some(extension) => known.iter().any(|other| extension == *other),
        None => known.contains(&""),
    };
    if input.stem() == "dungeon" && has_extension(&["", "def", "lua"])
        || json::is_json(&input.bytes) && json::is_dungeon(&input.bytes)
    {
        return Kind::Dungeon;
    }
    // No des-file begins with a number, and no level file with that of an archive.
    let is_number = input.bytes.trim_ascii_start().first().is_some_and(u8::is_ascii_digit);
    match is_number.then(|| Archive::read(Cursor::new(input.bytes.clone()))) {
        Some(Ok(archive)) => Kind::Archive(archive),
        Some(Err(_)) | None => Kind::Levels,
    }
}

/// Returns the files in the archive `name`.
pub(crate) fn files(name: &str, mut archive: Archive<Cursor<Vec<u8>>>, options: &Options) -> Files {
    let (mut files, mut diagnostics) = (Vec::new(), Diagnostics::with_lints(options.lints.clone()));
    let entries: Vec<_> = archive.files().cloned().collect();
    for entry in entries {
        let mut bytes = Vec::new();
        let read = archive.content(&entry).and_then(|mut content| Ok(content.read_to_end(&mut bytes)?));
        match read {
            Ok(_) => files.push(Input::new(format!("{name}:{}", entry.name()), bytes)),
            Err(problem) => {
                let message = format!("{}: {problem}", visible(name));
                diagnostics.push(Diagnostic::new(Code::Damaged, None, message));
            }
        }
    }
    Files { files, diagnostics }
}
