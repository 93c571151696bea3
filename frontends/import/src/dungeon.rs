//! The limits and structures of a dungeon compiler (`include/dgn_file.h`).

use crate::evaluate::constants_of;
use crate::initialisers::fields;
use crate::preprocessor::{Preprocessor, value_of};
use crate::rules;
use crate::{DungeonCompiler, Settings, SourceTables, Tree, TreeError};

/// The structures of the file `dungeon`.
const STRUCTURES: &[&str] = &["tmpdungeon", "tmplevel", "tmpbranch"];

/// Constants of the dungeon compiler.
const CONSTANTS: &[&str] = &[
    "MAXDUNGEON",
    "MAXLEVEL",
    "LEV_LIMIT",
    "BRANCH_LIMIT",
    "TOWN",
    "HELLISH",
    "MAZELIKE",
    "ROGUELIKE",
    "D_ALIGN_CHAOTIC",
    "D_ALIGN_NEUTRAL",
    "D_ALIGN_LAWFUL",
];

/// Reads the dungeon compiler into `found`.
pub fn read(tree: &mut Tree<'_>, settings: &Settings, found: &mut SourceTables) -> Result<(), TreeError> {
    if tree.find("include/dgn_file.h")?.is_none() {
        return Ok(());
    }
    let notes = tree.notes.len();
    let mut preprocessor = Preprocessor::new(tree, settings)?;
    for header in ["include/config.h", "include/hack.h", "include/dgn_file.h"] {
        preprocessor.anywhere(header)?;
    }
    let output = std::mem::take(&mut preprocessor.output);
    let constants = constants_of(&output);
    let mut compiler = DungeonCompiler::default();
    for name in CONSTANTS {
        if let Some(value) = value_of(&mut preprocessor, &constants, name)? {
            compiler.constants.insert(name, value);
        }
    }
    compiler.structures.extend(STRUCTURES.iter().filter_map(|name| Some((*name, fields(&output, name)?))));
    drop(preprocessor);
    if let Some((_, text)) = tree.find("util/dgn_comp.l")? {
        let lex = rules::take_apart(&text);
        let describes = lex.rules.iter().filter(|rule| rule.action.contains("DESCRIPTOR"));
        compiler.descriptors = describes.flat_map(|rule| &rule.words).cloned().collect();
    }
    found.dungeon = Some(compiler);
    // The tables report the headers that are missing.
    tree.notes.truncate(notes);
    Ok(())
}
