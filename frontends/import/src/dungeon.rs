//! The limits and structures of a dungeon compiler (`include/dgn_file.h`).

use crate::evaluate::constants_of;
use crate::initialisers::fields;
use crate::preprocessor::{Preprocessor, value_of};
use crate::rules;
use crate::{DungeonCompiler, Settings, SourceTables, Tree, TreeError};

/// The structures of the file `dungeon`.
const STRUCTURES: &[&str] = &["tmpdungeon", "tmplevel", "tmpbranch"];

/// Constants of the dungeon compiler.
const CONSTANTS: &[&str] = &["MAXDUNGEON", "MAXLEVEL", "LEV_LIMIT", "BRANCH_LIMIT"];

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
    let lexer = preprocessor.tree.find("util/dgn_comp.l")?;
    let lexer = lexer.map(|(_, text)| text).unwrap_or_default();
    for rule in rules::take_apart(&lexer).rules.iter().filter(|rule| rule.action.contains("DESCRIPTOR")) {
        let Some((_, constant)) = rule.action.split_once('=') else { continue };
        let is_part = |letter: char| letter.is_ascii_alphanumeric() || letter == '_';
        let constant = constant.trim_start().split(|letter| !is_part(letter)).next().unwrap_or_default();
        let value = value_of(&mut preprocessor, &constants, constant)?;
        compiler.descriptors.extend(rule.words.iter().map(|word| (word.clone(), value)));
    }
    compiler.structures.extend(STRUCTURES.iter().filter_map(|name| Some((*name, fields(&output, name)?))));
    // The one symbol of NetHack 3.4.3 and its variants (`deflist` in `util/makedefs.c`).
    const SWITCH: &str = "REINCARNATION";
    compiler.switches.insert(SWITCH, preprocessor.macro_named(SWITCH).is_some());
    drop(preprocessor);
    if let Some((_, text)) = tree.find("util/dgn_comp.y")? {
        compiler.chance = number_left_out(&text);
    }
    found.dungeon = Some(compiler);
    // The tables report the headers that are missing.
    tree.notes.truncate(notes);
    Ok(())
}

/// Returns the value of a number that is left out, from the grammar `text`: that of the first action of `optional_int`.
fn number_left_out(text: &str) -> Option<i64> {
    let rule = &text[text.find("\noptional_int")?..];
    let action = &rule[..rule.find('}')?];
    let (_, value) = action.split_once("$$")?;
    value.trim_matches(|letter: char| letter == '=' || letter == ';' || letter.is_whitespace()).parse().ok()
}
