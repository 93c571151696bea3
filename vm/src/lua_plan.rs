//! The text of a level before it runs.

use std::sync::Arc;

use mlua::chunk::ChunkMode;
use mlua::{Lua, LuaOptions, StdLib};
use splc_ir::source::Span;

use crate::limits::{LUA_MEMORY, LUA_TEXT_A_STEP, LUA_ZEROS_A_STEP};
use crate::lua_errors::{CHUNK, fault};
use crate::lua_joins;

/// Name of the game's own `nhlib.lua` in messages.
const LIBRARY: &str = "nhlib";

/// A Lua level ready to run.
#[doc(hidden)]
#[derive(Clone, Debug)]
pub struct LuaPlan {
    /// The text, only to compare it with another.
    text: Arc<str>,
    /// Its bytecode, so that the text is not parsed again for every run.
    pub code: Arc<[u8]>,
    /// True if the code takes a function for `..` and returns that of the level.
    pub(crate) joins: bool,
    /// Cost of its longest texts.
    pub(crate) texts: TextCost,
    /// The game's own `nhlib.lua`, if it has one.
    pub(crate) library: Option<Code>,
    /// Actions of the lines, as far as they matter to others.
    pub lines: Vec<Line>,
    /// The rooms to make after the text has run, if it is a file of themed rooms.
    pub task: Option<Task>,
}

/// The bytecode of a script other than the level.
#[derive(Clone, Debug)]
pub(crate) struct Code {
    /// The bytecode.
    pub code: Arc<[u8]>,
    /// True if the code takes a function for `..` and returns that of the script.
    pub joins: bool,
}

/// The rooms to make from a file of themed rooms.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Task {
    /// All rooms of an ordinary level, as the level maker makes them first (`makerooms`).
    Level,
    /// The room with this number, from 0, alone on an empty level.
    Room(usize),
    /// The fill with this number in a themed room of random size, alone on an empty level.
    Fill {
        /// Its number, from 0.
        number: usize,
        /// Light in the room.
        lit: bool,
    },
}

/// The most that a comparison of two texts of a level can cost.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct TextCost {
    /// Bytes of the longest text.
    pub bytes: usize,
    /// Zero bytes in the text with the most.
    pub zeros: usize,
}

impl TextCost {
    /// Cost of a text.
    pub fn of(text: &[u8]) -> Self {
        TextCost { bytes: text.len(), zeros: memchr::memchr_iter(0, text).count() }
    }

    /// Cost of the longer texts of two levels.
    pub fn max(self, other: Self) -> Self {
        TextCost { bytes: self.bytes.max(other.bytes), zeros: self.zeros.max(other.zeros) }
    }

    /// Number of steps that a step may take more because of such a text.
    pub fn steps(self) -> i64 {
        (self.bytes / LUA_TEXT_A_STEP + self.zeros / LUA_ZEROS_A_STEP) as i64
    }
}

/// The action of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Line {
    /// Lays a map.
    Map,
    /// Makes a room.
    Room,
    /// Calls another function of `des`.
    Statement,
    /// Does something else, or nothing.
    Other,
}

impl LuaPlan {
    /// Compiles a text. `library` is the game's own `nhlib.lua`, or empty.
    ///
    /// # Errors
    /// The first syntax error: its line, from 0, and its message.
    pub fn new(text: &str, library: &str) -> Result<Self, (usize, String)> {
        let problem = |error: mlua::Error| {
            let (fault, line) = fault(&error);
            (line.saturating_sub(1), fault.to_string())
        };
        let (code, joins, mut texts) = charged(text, CHUNK).map_err(problem)?;
        let mut own = None;
        if !library.is_empty() {
            let wrong = |error: mlua::Error| {
                let (fault, line) = fault(&error);
                (0, format!("line {line} of the game's nhlib.lua, in its catalog: {fault}"))
            };
            let (code, joins, cost) = charged(library, LIBRARY).map_err(wrong)?;
            texts = texts.max(cost);
            own = Some(Code { code, joins });
        }
        let lines = text.split_inclusive('\n').map(|line| Line::of(line.trim())).collect();
        Ok(LuaPlan { text: text.into(), code, joins, texts, library: own, lines, task: None })
    }

    /// Returns true if the texts differ in comments, names of locals and unused locals only.
    pub(crate) fn is_same(&self, other: &Self) -> bool {
        self.code == other.code || self.normal().is_some_and(|normal| other.normal() == Some(normal))
    }

    /// Returns the bytecode without comments, names of locals and unused locals.
    fn normal(&self) -> Option<Vec<u8>> {
        match lua_joins::read(&self.text) {
            Some(read) => stripped(&read.bare(&self.text)),
            None => stripped(&self.text),
        }
        .ok()
    }

    /// Span of each line of a text, without surrounding blanks.
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

/// Compiles a text so that it pays for the texts that it makes: its bytecode, true if it takes a function for `..`, and
/// the cost of its longest texts.
fn charged(text: &str, name: &str) -> mlua::Result<(Arc<[u8]>, bool, TextCost)> {
    let plain = compiled(text, name)?;
    // Lua accepts a few levels that our reader does not. They pay for the longest text that fits into memory.
    let unread = TextCost { bytes: LUA_MEMORY, zeros: LUA_MEMORY };
    let (code, joins, texts) = match lua_joins::read(text) {
        None => (plain, false, unread),
        Some(read) => {
            let texts = read.literals.iter().map(|text| TextCost::of(text)).fold(TextCost::default(), TextCost::max);
            match read.charged(text).map(|text| compiled(&text, name)) {
                None => (plain, false, texts),
                Some(Ok(code)) => (code, true, texts),
                Some(Err(_)) => (plain, false, unread),
            }
        }
    };
    Ok((code.into(), joins, texts))
}

impl Line {
    /// Classifies a trimmed line by the first of the game's functions that it calls.
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

/// Compiles a text to bytecode, with the debug information for messages, which begin with `name`.
pub(crate) fn compiled(text: &str, name: &str) -> mlua::Result<Vec<u8>> {
    dumped(text, name, false)
}

/// Compiles a text to bytecode without debug information.
fn stripped(text: &str) -> mlua::Result<Vec<u8>> {
    dumped(text, CHUNK, true)
}

fn dumped(text: &str, name: &str, strip: bool) -> mlua::Result<Vec<u8>> {
    let lua = Lua::new_with(StdLib::NONE, LuaOptions::default())?;
    let function = lua.load(text).set_name(format!("={name}")).set_mode(ChunkMode::Text).into_function()?;
    Ok(function.dump(strip))
}
