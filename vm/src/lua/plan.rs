//! The text of a level, before it runs.

use std::sync::Arc;

use mlua::{ChunkMode, Lua, LuaOptions, StdLib};
use splc_ir::source::Span;

use super::errors::{CHUNK, fault};

/// A level of Lua, ready to run.
#[derive(Clone, Debug)]
#[doc(hidden)]
pub struct LuaPlan {
    /// Its text as Lua's own code, so that it is not read again for every run.
    pub code: Arc<[u8]>,
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
    /// The plan of a text.
    ///
    /// # Errors
    /// The first mistake in its spelling: its line, from 0, and what is wrong.
    pub fn new(text: &str) -> Result<Self, (usize, String)> {
        let problem = |error: mlua::Error| {
            let (fault, line) = fault(&error);
            (line.saturating_sub(1), fault.to_string())
        };
        let code = compiled(text, CHUNK).map_err(problem)?.into();
        let lines = text.split_inclusive('\n').map(|line| Line::of(line.trim())).collect();
        Ok(LuaPlan { code, lines })
    }

    /// Where each line of a text is, without the blanks around it.
    pub fn spans(text: &str, span: impl Fn(usize, usize) -> Span) -> Vec<Span> {
        let mut spans = Vec::new();
        let mut start = 0;
        for line in text.split_inclusive('\n') {
            let bare = line.trim();
            let first = start + (line.len() - line.trim_start().len());
            spans.push(span(first.min(start + line.len()), first + bare.len()));
            start += line.len();
        }
        spans
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

/// A text as Lua's own code, with all that its messages need, which begin with `name`.
pub(super) fn compiled(text: &str, name: &str) -> mlua::Result<Vec<u8>> {
    let lua = Lua::new_with(StdLib::NONE, LuaOptions::default())?;
    let function = lua.load(text).set_name(format!("={name}")).set_mode(ChunkMode::Text).into_function()?;
    Ok(function.dump(false))
}
