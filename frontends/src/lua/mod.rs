//! Lua 5.4, the language of NetHack 5's levels.
//!
//! [`parse`] reads a script into its [`tree`](splc_ir::lua::tree). The grammar is small and needs no table: the parser
//! is written by hand, so that each independent mistake is told at its place and the rest is still read. It never
//! recurses deeper than [`MAX_LUA_NESTING`](splc_ir::limits::MAX_LUA_NESTING), whatever the text is.

mod lexer;
mod parser;

use splc_ir::diagnostic::Diagnostics;
use splc_ir::lua::tree::Chunk;
use splc_ir::source::{FileId, Source, SourceMap};

/// What compiled Lua begins with. The game's Lua would run it unread; a level is text.
pub const COMPILED: &[u8] = b"\x1bLua";

/// Reads the script `file` of `sources`. What is wrong goes into `diagnostics`; the chunk holds what could be
/// understood.
pub fn parse(sources: &SourceMap, file: FileId, diagnostics: &mut Diagnostics) -> Chunk {
    parser::Parser::new(sources.get(file), file, diagnostics).chunk()
}

/// Whether a text is a script rather than a des-file: by what only one of them has in its first lines.
///
/// Lua calls functions of `des` and `selection`, has comments that begin with two dashes, and words such as `local`.
pub fn is_script(source: &Source) -> bool {
    looks_like_script(&source.text)
}

/// The same, of a text that is not among sources yet.
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
        // Only a comment of the other language leaves it open.
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
