//! Lua 5.4, the language of NetHack 5's levels.
//!
//! [`parse`] reads a script into its [`tree`](splc_ir::lua::tree). The grammar is small, so the parser is written by
//! hand: each independent error is reported at its place, and the rest is still read. Its recursion never exceeds
//! [`MAX_LUA_NESTING`](splc_ir::limits::MAX_LUA_NESTING), whatever the text.

mod lexer;
mod parser;

use splc_ir::diagnostic::Diagnostics;
use splc_ir::lua::tree::Chunk;
use splc_ir::source::{FileId, Source, SourceMap};

/// The first bytes of compiled Lua. The game's Lua would run it unread, but a level must be text.
pub const COMPILED: &[u8] = b"\x1bLua";

/// Parses the script `file` of `sources`. Errors go to `diagnostics`; the chunk contains the parts that could be read.
pub fn parse(sources: &SourceMap, file: FileId, diagnostics: &mut Diagnostics) -> Chunk {
    parser::Parser::new(sources.get(file), file, diagnostics).chunk()
}

/// Returns true if a source is a Lua script rather than a des-file, judging by its first lines.
///
/// Lua has calls of functions of `des` and `selection`, comments that begin with two dashes, and keywords such as
/// `local`.
pub fn is_script(source: &Source) -> bool {
    looks_like_script(&source.text)
}

/// Does the same as [`is_script`], for a text that is not among the sources.
pub fn looks_like_script(text: &str) -> bool {
    let head = text.get(..splc_ir::source::floor(text, splc_ir::limits::MAX_DETECTED_BYTES)).unwrap_or(text);
    for line in head.lines().map(str::trim_start).filter(|line| !line.is_empty()) {
        let telling = ["--", "des.", "local ", "selection.", "dungeon = {", "dungeon={"];
        if telling.iter().any(|beginning| line.starts_with(beginning)) {
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
    fn scripts_are_told_from_des_files() {
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
