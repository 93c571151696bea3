//! Lua 5.4 as NetHack 5 uses it: the scripts of its levels, and its dungeon description.
//!
//! A Lua level has no [`Level`](splc_ir::level::Level), because its content is only known when it runs. This crate has
//! the facts that are known before:
//!
//! - [`parse`] reads a script into its [`tree`]. The grammar is small, so the parser is written by hand: each
//!   independent error is reported at its place, and the rest is still read. Its recursion never exceeds
//!   [`MAX_NESTING`](tree::MAX_NESTING), whatever the text.
//! - [`functions`]: the parameters of each function of `des`, `selection`, `nh`, `u` and `obj`: its forms, the keys of
//!   its table, the types and words of each. The runtime (`splc-vm`) and the check share this table.
//! - [`libraries`]: all libraries and functions, by name.
//! - [`check`](mod@check): checks of a script before it runs.
//! - [`names`]: the game's lookup of monsters and objects by name.
//! - [`own`]: the additions of a game's catalog to all of these.
//! - [`sandbox`]: the globals of a level, and the Lua globals that it lacks.
//!
//! Names of monsters, objects, traps, room types and map characters come from the [`catalog`](splc_ir::catalog).
#![cfg_attr(test, allow(clippy::unwrap_used))]

mod brackets;
pub mod check;
pub mod chooser;
pub mod definitions;
pub mod des;
pub mod functions;
pub mod keys;
pub mod kinds;
mod lexer;
pub mod libraries;
pub mod names;
pub mod nh;
pub mod own;
mod parser;
pub mod prose;
pub mod sandbox;
pub mod selection;
pub mod translate;
pub mod tree;
pub mod words;

use splc_ir::diagnostic::Diagnostics;
use splc_ir::reread;
use splc_ir::source::{FileId, SourceMap};

/// Scripts of the game that are not levels, without their `.lua` suffix (`dat/` of NetHack 5.0.0).
pub const NOT_LEVELS: &[&str] = &["dungeon", "nhcore", "nhlib", "quest", "themerms"];

/// The first bytes of compiled Lua. The game's Lua would run it unread, but a level must be text.
pub const COMPILED: &[u8] = b"\x1bLua";

/// Parses the script `file` of `sources`. Errors go to `diagnostics`; the chunk contains the parts that could be read.
pub fn parse(sources: &SourceMap, file: FileId, diagnostics: &mut Diagnostics) -> tree::Chunk {
    let conflicts = |text: &str| reread::without_conflicts(text, file, "--");
    reread::read(sources.get(file), diagnostics, &[&conflicts], |source, diagnostics| {
        parser::Parser::new(source, file, diagnostics).chunk()
    })
}

/// Writes a text as a string of Lua. Control characters are escaped.
pub fn quoted(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    out.push('"');
    for c in text.chars() {
        match c {
            '"' | '\\' => out.extend(['\\', c]),
            '\n' => out.push_str("\\n"),
            '\t' => out.push_str("\\t"),
            c if c.is_ascii_control() => out.push_str(&format!("\\{:03}", u32::from(c))),
            c => out.push(c),
        }
    }
    out.push('"');
    out
}

/// Returns true if a text is a Lua script rather than a des-file, judging by its first lines.
///
/// Lua has calls of functions of `des` and `selection`, comments that begin with two dashes, and keywords such as
/// `local`.
pub fn looks_like_script(text: &str) -> bool {
    let head = text.get(..splc_ir::source::floor(text, splc_ir::limits::MAX_DETECTED_BYTES)).unwrap_or(text);
    for line in head.lines().map(str::trim_start).filter(|line| !line.is_empty()) {
        let significant = ["--", "des.", "local ", "selection.", "dungeon = {", "dungeon={"];
        if significant.iter().any(|beginning| line.starts_with(beginning)) {
            return true;
        }
        let function = line.strip_prefix("function ").is_some_and(|rest| rest.contains('('));
        if function {
            return true;
        }
        // Only comments of the other language are inconclusive.
        if !line.starts_with('#') {
            return false;
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scripts_differ_from_des_files() {
        for script in ["-- a level\n", "des.level_init({})", "\n\n  local x = 1", "function f() end"] {
            assert!(looks_like_script(script), "{script}");
        }
        for des in
            ["", "# -- no\nLEVEL: \"x\"\n", "MAZE:\"x\",' '\n", "LEVEL: \"x\"\ndes.map()", "{\"levels\":[]}", "$x = 1"]
        {
            assert!(!looks_like_script(des), "{des}");
        }
    }
}
