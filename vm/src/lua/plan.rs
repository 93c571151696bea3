//! The text of a level, before it runs.

use std::sync::Arc;

use mlua::{ChunkMode, Function, Lua, LuaOptions, StdLib};
use splc_ir::source::Span;

use super::errors::{CHUNK, fault};

/// A level of Lua, ready to run.
#[derive(Clone, Debug)]
pub(crate) struct LuaPlan {
    pub text: Arc<str>,
    /// What each line does, as far as others ask.
    pub lines: Vec<Line>,
}

/// What a line does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Line {
    /// It lays a map.
    Map,
    /// It makes a room.
    Room,
    /// It has the level made otherwise.
    Statement,
    /// It does something else, or nothing.
    Other,
}

impl LuaPlan {
    /// The plan of a text, and where each of its lines is in the file.
    pub fn new(text: &Arc<str>, span: impl Fn(usize, usize) -> Span) -> (Self, Vec<Span>) {
        let (mut lines, mut spans) = (Vec::new(), Vec::new());
        let mut start = 0;
        for line in text.split_inclusive('\n') {
            let bare = line.trim();
            let first = start + (line.len() - line.trim_start().len());
            spans.push(span(first.min(start + line.len()), first + bare.len()));
            lines.push(Line::of(bare));
            start += line.len();
        }
        (LuaPlan { text: Arc::clone(text), lines }, spans)
    }
}

impl Line {
    /// What a line without the blanks around it does, by the first function of the game's that it calls.
    fn of(line: &str) -> Line {
        let Some((_, call)) = line.split_once("des.") else { return Line::Other };
        if line.starts_with("--") {
            return Line::Other;
        }
        let name: &str =
            call.split(|letter: char| !letter.is_ascii_alphanumeric() && letter != '_').next().unwrap_or("");
        match name {
            "map" => Line::Map,
            "room" => Line::Room,
            "" => Line::Other,
            _ => Line::Statement,
        }
    }
}

/// The function that a level's text is.
pub(super) fn chunk(lua: &Lua, text: &str) -> mlua::Result<Function> {
    // The game leaves out carriage returns at line ends.
    lua.load(text).set_name(format!("={CHUNK}")).set_mode(ChunkMode::Text).into_function()
}

/// The first mistake in the spelling of a level: its line, from 0, and what is wrong.
pub(crate) fn syntax_error(text: &str) -> Option<(usize, String)> {
    let problem = Lua::new_with(StdLib::NONE, LuaOptions::default());
    let parsed = problem.and_then(|lua| chunk(&lua, text));
    let error = parsed.err()?;
    let (fault, line) = fault(&error);
    Some((line.saturating_sub(1), fault.to_string()))
}
