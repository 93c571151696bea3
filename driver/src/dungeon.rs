//! Reads and writes descriptions of dungeons in any form: `dungeon.def`, `dungeon.lua`, JSON, and the compiled file.

use std::path::Path;

use splc_backends::output::{DUNGEON_LUA, Output, Writer};
use splc_frontends::dungeon::file::{self, DungeonFile};
use splc_frontends::dungeon::{self, Stage};
use splc_frontends::json;
use splc_frontends::level_file::best_reading;
use splc_ir::catalog::Catalog;
use splc_ir::catalog::dialect::LUA;
use splc_ir::diagnostic::{Code, Diagnostic, Diagnostics};
use splc_ir::dungeon::{Description, Item, Trait, check};
use splc_ir::source::{FileId, SourceMap};

use crate::input::Input;
use crate::options::Options;
use crate::read::diagnostics_of;
use crate::recognise::recognise;
use crate::target::{Target, TargetError, Wanted};

/// A description of a dungeon that has been read and checked.
#[derive(Clone, Debug)]
pub struct Dungeon {
    /// The game of the dungeon.
    pub target: Target,
    /// The description. With errors, the parts that were understood, or `None` for a damaged file.
    pub description: Option<Description>,
    /// Its text, or a compiled file without its bytes.
    pub sources: SourceMap,
    /// Its diagnostics.
    pub diagnostics: Diagnostics,
}

/// The form of a description.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Form {
    /// A JSON document, by its name.
    Document,
    /// A Lua script.
    Script,
    /// A `dungeon.def`.
    Text,
}

/// Reads and checks a description of any form. A compiled file is recognised by its bytes.
///
/// # Errors
/// If its game cannot be determined. A `dungeon.def` does not show it.
pub fn read(input: Input, options: &Options) -> Result<Dungeon, TargetError> {
    let wanted = &options.wanted;
    let (mut sources, mut diagnostics) = (SourceMap::new(), diagnostics_of(&input, options));
    if let Some((target, read)) = compiled(&input.bytes, wanted) {
        sources.add_bytes(input.name, input.place, input.bytes.len());
        let description = match read {
            Ok(file) => {
                check::check(&file.description, target.catalog(), &mut diagnostics);
                Some(file.description)
            }
            Err(problem) => {
                diagnostics.push(problem);
                None
            }
        };
        return Ok(Dungeon { target, description, sources, diagnostics });
    }
    let form = match Path::new(&input.name).extension().is_some_and(|extension| extension == "json") {
        true => Form::Document,
        false if input.is_script() => Form::Script,
        false => Form::Text,
    };
    let target = target(form, &input.bytes, wanted)?;
    let file = sources.add(input.name, input.place, input.bytes);
    let description = match form {
        Form::Document => json::read_dungeon(&sources.get(file).text, file, &mut diagnostics),
        Form::Script => dungeon::lua::parse(&sources, file, &mut diagnostics),
        Form::Text => dungeon::parse(&sources, file, Stage::Written, target.catalog(), &mut diagnostics),
    };
    // A description that could not be read is not an empty dungeon.
    if !(description.dungeons.is_empty() && diagnostics.has_errors()) {
        check::check(&description, target.catalog(), &mut diagnostics);
    }
    Ok(Dungeon { target, description: Some(description), sources, diagnostics })
}

/// Returns the known game, or else the game that a document names, or NetHack 5 for a script.
fn target(form: Form, bytes: &[u8], wanted: &Wanted) -> Result<Target, TargetError> {
    match (wanted.target()?, form) {
        (Some(target), _) => Ok(target),
        (None, Form::Document) => Target::named(bytes, wanted),
        (None, Form::Script) => Target::new(LUA.default_target().ok_or(TargetError::Unknown)?, wanted.abi()),
        (None, Form::Text) => Err(TargetError::Unknown),
    }
}

/// Reads the compiled description `bytes` on each machine that its header allows, and returns the best reading with its
/// game. Returns `None` if the header is not of a wanted game.
pub fn compiled(bytes: &[u8], wanted: &Wanted) -> Option<(Target, Result<DungeonFile, Diagnostic>)> {
    let build = recognise(bytes, &wanted.catalogs, |catalog: &Catalog| wanted.allows(catalog), wanted.abi)?;
    let target = Target::of_build(&build);
    let readings =
        build.machines().map(|abi| file::read(bytes, FileId::default(), &build.catalog, abi).map(|file| (file, abi)));
    Some(match best_reading(readings, |(file, _)| file.trailing)? {
        Ok((file, abi)) => (target.on(abi).with_header(&file.header), Ok(file)),
        Err(problem) => (target, Err(problem)),
    })
}

/// Writes `description` for the game of `target`, as one of [`output::DUNGEONS`](crate::output::DUNGEONS). For NetHack
/// 5, it gets what other games have in their code.
///
/// # Errors
/// If the output or the game cannot express the description.
pub fn write(description: &Description, output: &Output, target: &Target) -> Result<Vec<u8>, Diagnostic> {
    match output.writer {
        Writer::Dungeon { write, .. } if output.name == DUNGEON_LUA.name && target.catalog().has_level_files() => {
            write(&for_nethack5(description), target.game())
        }
        Writer::Dungeon { write, .. } => write(description, target.game()),
        _ => {
            let message = format!("a dungeon cannot be compiled to {}", output.about);
            Err(Diagnostic::new(Code::Target, None, message))
        }
    }
}

/// The dungeon that NetHack 5 looks up when it starts, and that other games do not have. Source: NetHack 5.0.0,
/// src/dungeon.c, dat/dungeon.lua
const TUTORIAL: &str = r#"dungeon = { {
    name = "The Tutorial", base = 2, flags = { "mazelike", "unconnected" },
    levels = { { name = "tut-1", base = 1 }, { name = "tut-2", base = 2 } },
} }"#;

/// The dungeon whose other levels are all made from one level, and that level. Source: NetHack 3.6.7, src/mklev.c;
/// NetHack 5.0.0, dat/dungeon.lua
const MINES: (&str, &str) = ("The Gnomish Mines", "minefill");

/// Returns the description of another game's dungeon with what NetHack 5 needs to have written in it.
fn for_nethack5(description: &Description) -> Description {
    // There, a dungeon has one level of arrival, that of the first branch to it.
    let branches =
        description.dungeons.iter().flat_map(|dungeon| dungeon.branches()).filter(|branch| branch.entry != 0);
    let entries: Vec<_> = branches.map(|branch| (branch.target.node.clone(), branch.entry)).collect();
    let mut description = description.clone();
    for dungeon in &mut description.dungeons {
        if dungeon.name.node == *MINES.0 && dungeon.lua.filling.is_empty() {
            dungeon.lua.filling = MINES.1.into();
        }
        if let Some(&(_, entry)) = entries.iter().find(|(name, _)| *name == dungeon.name.node) {
            dungeon.entry = entry;
        }
        let of_items = dungeon.items.iter_mut().filter_map(|item| match item {
            Item::Level(level) => Some(&mut level.traits),
            Item::Branch(_) => None,
        });
        for traits in of_items.chain([&mut dungeon.traits]) {
            traits.retain(|one| !matches!(one, Trait::Own(_)));
        }
    }
    let mut sources = SourceMap::new();
    let file = sources.add("tutorial".to_owned(), None, TUTORIAL.as_bytes().to_vec());
    for dungeon in dungeon::lua::parse(&sources, file, &mut Diagnostics::new()).dungeons {
        if description.dungeons.iter().all(|known| known.name.node != dungeon.name.node) {
            description.dungeons.push(dungeon);
        }
    }
    description
}

/// Returns messages about the parts of `description` that `output` cannot express.
pub fn lost(description: &Description, output: &Output) -> Vec<String> {
    match output.writer {
        Writer::Dungeon { lost, .. } => lost(description),
        _ => Vec::new(),
    }
}
