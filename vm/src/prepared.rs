//! A level prepared for running: every name is a number of one game, every text is in one place, every step is known.

use std::borrow::Cow;
use std::collections::HashMap;

use splc_ir::catalog::{Catalog, Format, Shared};
use splc_ir::loadable::{Loadable, LuaLevel};
use splc_ir::parts::{Making, PartsLevel, Step};
use splc_ir::program::{self, Opcode, Operand, Program};
use splc_ir::source::{Charset, Span};
use splc_ir::value::ValueType;

use crate::drawing::Drawing;
use crate::error::{PrepareError, PrepareErrorKind};
use crate::game::Game;
use crate::level::{COLUMNS, ROWS};
use crate::limits::MAX_TEXT_BYTES;
use crate::lua_plan::{Line, LuaPlan};
use crate::value::{TextRef, Value};

/// A level ready to run: a program for a game's level machine, the parts or rooms of NetHack 3.4.3, or a Lua script of
/// NetHack 5.
///
/// It is prepared once and run as often as needed, by several machines at the same time. It consists of numbered steps:
/// the opcodes of a program, the items of a level of parts or rooms in the loader's order, or the lines of a Lua
/// script.
#[derive(Clone, Debug)]
pub struct Prepared {
    /// The program; empty for a level of parts.
    #[doc(hidden)]
    pub ops: Vec<Instruction>,
    /// Source span of each step.
    pub(crate) spans: Vec<Span>,
    #[doc(hidden)]
    pub bytes: Vec<u8>,
    #[doc(hidden)]
    pub charset: Charset,
    #[doc(hidden)]
    pub game: Game,
    /// Drawn maps, keyed by their text and number of columns.
    pub(crate) maps: HashMap<(TextRef, i32), Drawing>,
    #[doc(hidden)]
    pub form: Form,
}

/// The form of a level.
#[doc(hidden)]
#[derive(Clone, Debug)]
pub enum Form {
    /// The opcodes of a script.
    Script,
    /// Parts or rooms.
    Parts(Plan),
    /// A Lua script.
    Lua(LuaPlan),
}

/// A level of parts or rooms with its steps in the loader's order.
#[doc(hidden)]
#[derive(Clone, Debug)]
pub struct Plan {
    pub level: PartsLevel,
    pub steps: Vec<Step>,
}

/// The action of a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StepKind {
    /// Runs an opcode.
    Opcode(Opcode),
    /// Processes an item of a level of parts or rooms.
    Making(Making),
    /// Runs a line of a Lua script.
    Line(Line),
}

impl StepKind {
    /// Noun for steps of this kind.
    pub fn noun(self) -> &'static str {
        match self {
            StepKind::Opcode(_) => "opcode",
            StepKind::Making(_) => "thing",
            StepKind::Line(_) => "line",
        }
    }

    /// Name of the opcode or item.
    pub fn name(self) -> &'static str {
        match self {
            StepKind::Opcode(opcode) => opcode.as_str(),
            StepKind::Making(making) => making.name(),
            StepKind::Line(_) => "line",
        }
    }

    /// Returns true if the step makes a room or subroom.
    pub fn is_room(self) -> bool {
        matches!(
            self,
            StepKind::Opcode(Opcode::Room | Opcode::Subroom)
                | StepKind::Making(Making::Room)
                | StepKind::Line(Line::Room)
        )
    }

    /// Returns true if the step alone is a whole statement; most statements take several opcodes.
    pub fn is_statement(self) -> bool {
        match self {
            StepKind::Opcode(_) => false,
            StepKind::Making(_) => true,
            StepKind::Line(line) => line != Line::Other,
        }
    }

    /// Returns true if the step lays a map.
    pub fn is_map(self) -> bool {
        matches!(self, StepKind::Opcode(Opcode::Map) | StepKind::Making(Making::Map) | StepKind::Line(Line::Map))
    }
}

/// An opcode with its value, which only a push has.
#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
pub struct Instruction {
    pub code: Opcode,
    pub value: Value,
}

impl Prepared {
    /// Prepares `level` for `catalog`'s game.
    ///
    /// # Errors
    /// Those of [`Prepared::new`] and [`Prepared::of_parts`].
    pub fn load(level: Loadable, catalog: impl Into<Shared>) -> Result<Self, PrepareError> {
        match level {
            Loadable::Program(program) => Self::new(&program, catalog),
            Loadable::Parts(level) => Self::of_parts(level, catalog),
            Loadable::Lua(level) => Self::of_lua(&level, catalog),
        }
    }

    /// Prepares a Lua script for `catalog`'s game. The game may be one without Lua levels: the script then runs by the
    /// rules and with the names of that game.
    ///
    /// # Errors
    /// [`PrepareErrorKind::Lua`] if it cannot be parsed.
    pub fn of_lua(level: &LuaLevel, catalog: impl Into<Shared>) -> Result<Self, PrepareError> {
        let catalog = catalog.into();
        let plan = plan_of(level, &catalog.lua.library)?;
        Ok(Prepared {
            ops: Vec::new(),
            spans: lines_of(level),
            bytes: Vec::new(),
            charset: Charset::Utf8,
            game: Game::new(catalog),
            maps: HashMap::new(),
            form: Form::Lua(plan),
        })
    }

    /// Prepares a level of parts or rooms for `catalog`'s game.
    ///
    /// # Errors
    /// [`PrepareErrorKind::Format`] if the game's levels are scripts.
    pub fn of_parts(level: PartsLevel, catalog: impl Into<Shared>) -> Result<Self, PrepareError> {
        let catalog = catalog.into();
        if catalog.format != Format::Parts {
            return Err(PrepareError { at: 0, span: Span::default(), kind: PrepareErrorKind::Format });
        }
        let steps = level.steps();
        Ok(Prepared {
            ops: Vec::new(),
            spans: steps.iter().map(|step| step.span).collect(),
            bytes: Vec::new(),
            charset: level.charset,
            game: Game::new(catalog),
            maps: HashMap::new(),
            form: Form::Parts(Plan { level, steps }),
        })
    }

    /// Keywords of the place statements added by the game's catalog that this level uses. They set the terrain of that
    /// name; any further effect in the game is unknown.
    pub fn own_statements(&self) -> Vec<&str> {
        let catalog = self.catalog();
        let used = |at: usize, word: &str| match &self.form {
            Form::Parts(plan) => {
                let has = |places: &[splc_ir::parts::List<splc_ir::parts::Feature>]| {
                    places.get(at).is_some_and(|list| !list.is_empty())
                };
                match &plan.level.body {
                    splc_ir::parts::Body::Maze(maze) => maze.parts.iter().any(|part| has(&part.places)),
                    splc_ir::parts::Body::Rooms(rooms) => rooms.rooms.iter().any(|room| has(&room.places)),
                }
            }
            _ => catalog.place_opcode(word).is_some_and(|code| self.ops.iter().any(|op| op.code == code)),
        };
        let words = catalog.place_statements.iter().enumerate();
        words.filter(|(at, word)| used(*at, word)).map(|(_, word)| word.as_ref()).collect()
    }

    /// Prepares `program` for `catalog`'s game. Numbers that a compiler passes in an `int` are converted as on x86-64
    /// (see [`Operand::NarrowInteger`]).
    ///
    /// # Errors
    /// [`PrepareError`] at the first opcode that the game does not have or does not understand.
    pub fn new(program: &Program, catalog: impl Into<Shared>) -> Result<Self, PrepareError> {
        let catalog = catalog.into();
        let wrong = |at: usize, span: Span, kind| PrepareError { at, span, kind };
        if catalog.format != Format::Opcodes {
            return Err(wrong(0, Span::default(), PrepareErrorKind::Format));
        }
        let mut texts = Texts { bytes: Vec::new(), known: HashMap::new() };
        let mut ops = Vec::with_capacity(program.ops.len());
        let mut spans = Vec::with_capacity(program.ops.len());
        for (at, op) in program.ops.iter().enumerate() {
            if catalog.opcode(op.code).is_none() {
                return Err(wrong(at, op.span, PrepareErrorKind::Opcode(op.code)));
            }
            let value = match &op.operand {
                None => Some(Value::Null),
                Some(operand) => texts
                    .value(operand, program.charset, &catalog)
                    .map_err(|unknown| wrong(at, op.span, PrepareErrorKind::Unknown(unknown)))?,
            };
            let value = value.ok_or_else(|| wrong(at, op.span, PrepareErrorKind::TooLarge))?;
            ops.push(Instruction { code: op.code, value });
            spans.push(op.span);
        }
        let (bytes, game) = (texts.bytes, Game::new(catalog));
        let maps = drawn_maps(&ops, &bytes, &game);
        Ok(Prepared { ops, spans, bytes, charset: program.charset, game, maps, form: Form::Script })
    }

    /// Catalog of the game that the level is prepared for.
    pub fn catalog(&self) -> &Catalog {
        &self.game.catalog
    }

    /// Returns true if both have the same code for the same game, whatever their sources. They then generate the same
    /// level from the same draws.
    pub fn has_code_of(&self, other: &Prepared) -> bool {
        let alike = |(one, other): (&Instruction, &Instruction)| (one.code, one.value) == (other.code, other.value);
        self.game.catalog == other.game.catalog
            && (self.charset == other.charset || self.bytes.is_ascii())
            && self.ops.len() == other.ops.len()
            && self.bytes == other.bytes
            && self.ops.iter().zip(&other.ops).all(alike)
            && match (&self.form, &other.form) {
                (Form::Script, Form::Script) => true,
                (Form::Parts(one), Form::Parts(other)) => one.level.without_spans() == other.level.without_spans(),
                (Form::Lua(one), Form::Lua(other)) => one.is_same(other) && one.task == other.task,
                _ => false,
            }
    }

    /// Number of steps.
    pub fn len(&self) -> usize {
        self.spans.len()
    }

    /// Returns true if there are no steps.
    pub fn is_empty(&self) -> bool {
        self.spans.is_empty()
    }

    /// Returns the action of the step with that number.
    pub fn step(&self, at: usize) -> Option<StepKind> {
        match &self.form {
            Form::Script => self.ops.get(at).map(|op| StepKind::Opcode(op.code)),
            Form::Parts(plan) => plan.steps.get(at).map(|step| StepKind::Making(step.making)),
            Form::Lua(plan) => plan.lines.get(at).map(|&line| StepKind::Line(line)),
        }
    }

    /// Returns the statement, or value in one, that the step comes from.
    pub fn span(&self, at: usize) -> Option<Span> {
        self.spans.get(at).copied()
    }
}

/// Checks that a Lua script can be parsed, without running it.
///
/// # Errors
/// [`PrepareErrorKind::Lua`] with the line of the first syntax error.
pub fn read_lua(level: &LuaLevel) -> Result<(), PrepareError> {
    plan_of(level, "").map(|_| ())
}

/// Compiles a level. `library` is the game's own `nhlib.lua`, or empty.
fn plan_of(level: &LuaLevel, library: &str) -> Result<LuaPlan, PrepareError> {
    LuaPlan::new(&level.text, library).map_err(|(line, problem)| {
        let spans = lines_of(level);
        let span = spans.get(line).or(spans.last()).copied().unwrap_or(Span::new(level.file, 0, 0));
        PrepareError { at: line, span, kind: PrepareErrorKind::Lua(problem) }
    })
}

fn lines_of(level: &LuaLevel) -> Vec<Span> {
    LuaPlan::spans(&level.text, |start, end| Span::new(level.file, start, end))
}

/// Draws the maps that are literals in the program: text, rows and columns are pushed right before the opcode. Larger
/// maps than a level are left out, so that this takes no more memory than the texts do.
fn drawn_maps(ops: &[Instruction], bytes: &[u8], game: &Game) -> HashMap<(TextRef, i32), Drawing> {
    let mut maps = HashMap::new();
    for window in ops.windows(4).filter(|window| window[3].code == Opcode::Map) {
        let [Value::Text(text), Value::Number(ValueType::Integer, rows), Value::Number(ValueType::Integer, columns)] =
            [window[0].value, window[1].value, window[2].value]
        else {
            continue;
        };
        let squares = text.of(bytes);
        let fits = (1..=i64::from(COLUMNS)).contains(&columns) && (1..=i64::from(ROWS)).contains(&rows);
        if !fits || squares.len() as i64 != rows * columns {
            continue;
        }
        let mut drawing = Drawing::default();
        drawing.draw(squares, columns as usize, |byte| game.map_square(byte));
        maps.insert((text, columns as i32), drawing);
    }
    maps
}

/// Decodes a game's bytes.
pub(crate) fn decode(bytes: &[u8], charset: Charset) -> Cow<'_, str> {
    match (charset, std::str::from_utf8(bytes)) {
        (Charset::Utf8, Ok(text)) => Cow::Borrowed(text),
        (Charset::Utf8, Err(_)) => String::from_utf8_lossy(bytes),
        (Charset::Latin1, Ok(text)) if text.is_ascii() => Cow::Borrowed(text),
        (Charset::Latin1, _) => bytes.iter().map(|&byte| char::from(byte)).collect::<String>().into(),
    }
}

/// Texts of a program, deduplicated.
struct Texts {
    bytes: Vec<u8>,
    known: HashMap<Vec<u8>, TextRef>,
}

impl Texts {
    /// Converts an operand to a value, or returns `None` if the texts exceed their limit.
    fn value(
        &mut self,
        operand: &Operand,
        charset: Charset,
        catalog: &Catalog,
    ) -> Result<Option<Value>, program::Unknown> {
        Ok(Some(match operand.resolve(catalog)? {
            program::Value::Number(ValueType::Null, _) => Value::Null,
            program::Value::Number(tag, number) => Value::Number(tag, number),
            program::Value::Narrow(tag, number) => Value::Number(tag, i64::from(number as u32)),
            program::Value::Text(tag, text) => {
                let mut bytes = Vec::with_capacity(text.len());
                charset.encode_into(text, &mut bytes);
                match self.keep(bytes) {
                    Some(text) if tag == ValueType::Variable => Value::Variable(text),
                    Some(text) => Value::Text(text),
                    None => return Ok(None),
                }
            }
            program::Value::Bytes(bytes) => match self.keep(bytes) {
                Some(text) => Value::Text(text),
                None => return Ok(None),
            },
        }))
    }

    fn keep(&mut self, mut bytes: Vec<u8>) -> Option<TextRef> {
        // To the games, a text ends at the first zero byte.
        if let Some(end) = bytes.iter().position(|&byte| byte == 0) {
            bytes.truncate(end);
        }
        if let Some(&known) = self.known.get(&bytes) {
            return Some(known);
        }
        let start = self.bytes.len();
        if start + bytes.len() > MAX_TEXT_BYTES {
            return None;
        }
        self.bytes.extend_from_slice(&bytes);
        let text = TextRef::of_program(start, self.bytes.len());
        self.known.insert(bytes, text);
        Some(text)
    }
}
