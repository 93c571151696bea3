//! A program made ready to run: every name a number of one game, every text in one place.

use std::borrow::Cow;
use std::collections::HashMap;

use splc_ir::catalog::{Catalog, Format};
use splc_ir::program::{self, Opcode, Operand, Program, Tag};
use splc_ir::source::{Charset, Span};

use crate::drawing::Drawing;
use crate::error::{PrepareError, PrepareErrorKind};
use crate::game::Game;
use crate::level::{COLUMNS, ROWS};
use crate::limits::MAX_TEXT_BYTES;
use crate::value::{TextRef, Value};

/// A program ready to run on a game's level machine.
///
/// It is made once and run as often as wanted, by several machines at the same time.
#[derive(Clone, Debug)]
pub struct Prepared {
    pub(crate) ops: Vec<Instruction>,
    pub(crate) spans: Vec<Span>,
    pub(crate) bytes: Vec<u8>,
    pub(crate) charset: Charset,
    pub(crate) game: Game,
    /// Drawn maps by their texts and how many columns they have, column by column.
    pub(crate) maps: HashMap<(TextRef, i32), Drawing>,
}

/// One opcode; only a push has a value.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Instruction {
    pub code: Opcode,
    pub value: Value,
}

impl Prepared {
    /// Makes `program` ready for `catalog`'s game. Numbers that a compiler hands over in an `int` are what they
    /// become on x86-64 (see [`Operand::NarrowInteger`]).
    ///
    /// # Errors
    /// [`PrepareError`] at the first opcode that the game does not have or cannot understand.
    pub fn new(program: &Program, catalog: &'static Catalog) -> Result<Self, PrepareError> {
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
                    .value(operand, program.charset, catalog)
                    .map_err(|unknown| wrong(at, op.span, PrepareErrorKind::Unknown(unknown)))?,
            };
            let value = value.ok_or_else(|| wrong(at, op.span, PrepareErrorKind::TooLarge))?;
            ops.push(Instruction { code: op.code, value });
            spans.push(op.span);
        }
        let (bytes, game) = (texts.bytes, Game::new(catalog));
        let maps = drawn_maps(&ops, &bytes, &game);
        Ok(Prepared { ops, spans, bytes, charset: program.charset, game, maps })
    }

    /// The game that it is ready for.
    pub fn catalog(&self) -> &'static Catalog {
        self.game.catalog
    }

    /// How many opcodes it has.
    pub fn len(&self) -> usize {
        self.ops.len()
    }

    /// Whether it has no opcodes.
    pub fn is_empty(&self) -> bool {
        self.ops.is_empty()
    }

    /// The opcode at a position.
    pub fn opcode(&self, at: usize) -> Option<Opcode> {
        self.ops.get(at).map(|op| op.code)
    }

    /// The statement or value that the opcode at a position was made for.
    pub fn span(&self, at: usize) -> Option<Span> {
        self.spans.get(at).copied()
    }
}

/// The maps that the program lays as they stand in it: text, rows and columns are pushed right before the opcode.
/// Only those that just fill a level at most, so that this takes no more memory than the texts do.
fn drawn_maps(ops: &[Instruction], bytes: &[u8], game: &Game) -> HashMap<(TextRef, i32), Drawing> {
    let mut maps = HashMap::new();
    for window in ops.windows(4).filter(|window| window[3].code == Opcode::Map) {
        let [Value::Text(text), Value::Number(Tag::Integer, rows), Value::Number(Tag::Integer, columns)] =
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

/// Bytes of a game as text.
pub(crate) fn decode(bytes: &[u8], charset: Charset) -> Cow<'_, str> {
    match (charset, std::str::from_utf8(bytes)) {
        (Charset::Utf8, Ok(text)) => Cow::Borrowed(text),
        (Charset::Utf8, Err(_)) => String::from_utf8_lossy(bytes),
        (Charset::Latin1, Ok(text)) if text.is_ascii() => Cow::Borrowed(text),
        (Charset::Latin1, _) => bytes.iter().map(|&byte| char::from(byte)).collect::<String>().into(),
    }
}

/// All texts of a program; like ones are one.
struct Texts {
    bytes: Vec<u8>,
    known: HashMap<Vec<u8>, TextRef>,
}

impl Texts {
    /// The value of an operand; `None` if there is no more room for texts.
    fn value(
        &mut self,
        operand: &Operand,
        charset: Charset,
        catalog: &Catalog,
    ) -> Result<Option<Value>, program::Unknown> {
        Ok(Some(match operand.resolve(catalog)? {
            program::Value::Number(Tag::Null, _) => Value::Null,
            program::Value::Number(tag, number) => Value::Number(tag, number),
            program::Value::Narrow(tag, number) => Value::Number(tag, i64::from(number as u32)),
            program::Value::Text(tag, text) => {
                let mut bytes = Vec::with_capacity(text.len());
                charset.encode_into(text, &mut bytes);
                match self.keep(bytes) {
                    Some(text) if tag == Tag::Variable => Value::Variable(text),
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
        // To a game a text ends where a zero is.
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
