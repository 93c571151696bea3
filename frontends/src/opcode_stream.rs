//! Reader for compiled level files of the script dialects: a version header, a count, and a list of opcodes
//! (`sp_level_loader` of UnNetHack 6.0.4, SporkHack 0.7.0 and NetHack 3.6, `src/sp_lev.c`).
//!
//! A level file contains less than its source: numbers have lost their names, strings their encoding. Values whose type
//! gives their meaning (places, regions, terrain, monsters, objects) get their names back. So do numbers and map rows
//! that an opcode takes in a [`Role`] that has names: the table of opcodes gives the role of each operand, within code
//! that no jump enters or leaves. A name is only used if it represents exactly the number that was read; everything
//! else stays a number. So writing a program that was read gives the same bytes.
//!
//! The bytes are untrusted: any input results in a program, or in a [`Diagnostic`] with the offset.

use splc_ir::abi::{Abi, INT};
use splc_ir::catalog::{Catalog, Feature, Format};
use splc_ir::diagnostic::{Code, Diagnostic};
use splc_ir::limits::MAX_OPCODES;
use splc_ir::program::{Coordinate, LightCode, Op, Opcode, Operand, Program, Role, Rows, Stack, Value};
use splc_ir::source::{Charset, FileId, Span};
use splc_ir::value::{SpeciesName, ValueType};
use splc_ir::words::Group;

use crate::level_bytes::{LevelBytes, decode};

/// The content of a level file.
#[derive(Clone, Debug, PartialEq)]
pub struct LevelFile {
    /// The unsigned longs of its header.
    pub header: Vec<u64>,
    /// Its level. The span of each opcode is the range of its bytes in the file.
    pub program: Program,
    /// The number of bytes after the last opcode. The games do not read them; UnNetHack and SporkHack leave some if a
    /// shorter level is written over a longer one.
    pub trailing: usize,
}

/// Reads the level file `bytes` of `catalog`'s game, written by a machine of `abi`.
///
/// `name` becomes the level's name, because the file does not contain it (the game knows it by its file name). Spans
/// refer to `file`.
///
/// # Errors
/// [`Code::Damaged`] at the first byte that the game's loader would reject, or that no level compiler writes;
/// [`Code::Target`] if the game's level files have another format or do not exist for this ABI.
pub fn read(bytes: &[u8], name: &str, file: FileId, catalog: &Catalog, abi: &Abi) -> Result<LevelFile, Diagnostic> {
    if catalog.format != Format::Opcodes {
        let message = format!("level files of {} are not lists of opcodes", catalog.title);
        return Err(Diagnostic::new(Code::Target, None, message));
    }
    let mut reader = Reader { input: LevelBytes::new(bytes, file, abi), catalog };
    let header = reader.input.header(catalog)?;

    let start = reader.input.at;
    let count = reader.input.long("the number of opcodes")?;
    let fitting = reader.input.left() / INT;
    let count = match usize::try_from(count) {
        Ok(count) if count <= fitting && count <= MAX_OPCODES => count,
        _ => {
            let message = format!("the file declares {count} opcodes, but has space for at most {fitting}");
            return Err(reader.input.damaged(start, message));
        }
    };
    let mut raw = Vec::with_capacity(count);
    for _ in 0..count {
        raw.push(reader.op()?);
    }
    let trailing = reader.input.left();

    let texts = raw.iter().filter_map(|op| match op.operand {
        Some(RawOperand::Text(_, text)) => Some(text),
        _ => None,
    });
    let charset =
        if texts.clone().all(|text| std::str::from_utf8(text).is_ok()) { Charset::Utf8 } else { Charset::Latin1 };
    let mut ops: Vec<Op> = raw
        .iter()
        .map(|op| {
            let operand = op.operand.map(|operand| match operand {
                RawOperand::Number(tag, number) => reader.name_number(tag, number),
                RawOperand::Text(ValueType::String, text) => Operand::String(Some(decode(text, charset))),
                RawOperand::Text(_, text) => Operand::Variable(decode(text, charset)),
            });
            Op { code: op.code, operand, span: op.span }
        })
        .collect();
    for (pushed, role) in roles(&ops, catalog) {
        if let Some(named) = reader.name_by_role(&raw, pushed, role) {
            ops[pushed].operand = Some(named);
        }
    }
    let program = Program { name: name.into(), charset, ops, vault_frequency: None, vault_depth: None };
    Ok(LevelFile { header, program, trailing })
}

/// An opcode as read from the file.
struct RawOp<'a> {
    code: Opcode,
    operand: Option<RawOperand<'a>>,
    span: Span,
}

#[derive(Clone, Copy)]
enum RawOperand<'a> {
    Number(ValueType, i64),
    Text(ValueType, &'a [u8]),
}

struct Reader<'a> {
    input: LevelBytes<'a>,
    catalog: &'a Catalog,
}

impl<'a> Reader<'a> {
    fn op(&mut self) -> Result<RawOp<'a>, Diagnostic> {
        let start = self.input.at;
        let number = self.input.int("an opcode")?;
        let code = usize::try_from(number).ok().and_then(|number| self.catalog.opcodes.get(number).copied());
        let Some(code) = code else {
            let last = self.catalog.opcodes.len().saturating_sub(1);
            let message = format!("opcode {number} does not exist in {}; the last is {last}", self.catalog.title);
            return Err(self.input.damaged(start, message));
        };
        let operand = if code == Opcode::Push { Some(self.operand()?) } else { None };
        Ok(RawOp { code, operand, span: self.input.span(start) })
    }

    fn operand(&mut self) -> Result<RawOperand<'a>, Diagnostic> {
        let start = self.input.at;
        let number = if self.catalog.has(Feature::WideValueTypes) {
            i64::from(self.input.short("a value")?)
        } else {
            i64::from(self.input.byte("a value")?)
        };
        let tag = ValueType::PUSHED
            .iter()
            .copied()
            .find(|tag| self.catalog.value_type(tag.as_str()) == Some(number))
            .ok_or_else(|| {
            let message = format!("a level file cannot contain a value of type {number}");
            self.input.damaged(start, message)
        })?;
        Ok(match tag {
            ValueType::Null => RawOperand::Number(tag, 0),
            ValueType::String | ValueType::Variable => {
                let start = self.input.at;
                let length = self.input.int("the length of a string")?;
                RawOperand::Text(tag, self.input.text(length, start)?)
            }
            _ => RawOperand::Number(tag, self.input.long("a value")?),
        })
    }

    /// Returns true if `operand` is encoded as `number`.
    fn is_written_as(&self, operand: &Operand, number: i64) -> bool {
        let written = match operand.resolve(self.catalog) {
            Ok(Value::Number(_, number)) => number,
            Ok(Value::Narrow(_, number)) if self.input.abi.narrow_arguments => i64::from(number as u32),
            Ok(Value::Narrow(_, number)) => i64::from(number),
            _ => return false,
        };
        number == if self.input.abi.long == 4 { i64::from(written as i32) } else { written }
    }

    /// Returns the most specific operand that is encoded as `number`.
    fn name_number(&self, tag: ValueType, number: i64) -> Operand {
        let narrow = self.catalog.has(Feature::NarrowIntegers);
        let corner = |shift: u32| i32::from((number >> shift) as i8);
        let mut candidates = Vec::with_capacity(2);
        match tag {
            ValueType::Integer => {
                // A negative int that lost its upper half. If longs and ints have the same size, it cannot be
                // recognised.
                if narrow && number > i64::from(i32::MAX) {
                    candidates.push(Operand::NarrowInteger(number as i32));
                }
                candidates.push(Operand::Integer(number));
            }
            ValueType::Coordinate => {
                let words = self.catalog.words(Group::Humidity).filter(|&word| {
                    self.catalog.word(Group::Humidity, word).is_some_and(|bit| bit != 0 && number & bit == bit)
                });
                candidates.push(Operand::Coordinate(Coordinate::Random(words.map(Into::into).collect())));
                candidates.push(Operand::Coordinate(Coordinate::At { x: corner(0), y: corner(16) }));
            }
            ValueType::Region => {
                candidates.push(Operand::NarrowEverywhere);
                candidates.push(Operand::Region([corner(0), corner(8), corner(16), corner(24)]));
            }
            ValueType::MapCharacter => {
                let packed = number as i32;
                if let Some(symbol) = self.catalog.map_character(packed & 0xff) {
                    let light = i64::from(packed >> 8) - self.catalog.packing.light_bias;
                    let codes = [LightCode::Unchanged, LightCode::Random, LightCode::Unlit, LightCode::Lit];
                    if let Some(light) = codes.into_iter().find(|code| code.number() == light) {
                        candidates.push(Operand::MapCharacter { symbol, light });
                    }
                    if narrow {
                        candidates.push(Operand::NarrowMapCharacter(symbol));
                    }
                }
            }
            ValueType::Monster | ValueType::Object => {
                let class = char::from(number as u8);
                let index = usize::try_from((number >> 8) - self.catalog.packing.species_bias).ok();
                let species = if tag == ValueType::Monster { &self.catalog.monsters } else { &self.catalog.objects };
                let species = index.and_then(|index| species.get(index));
                let wrap = |creature| match tag {
                    ValueType::Monster => Operand::Monster(creature),
                    _ => Operand::Object(creature),
                };
                candidates.push(wrap(SpeciesName::Random));
                candidates.push(wrap(SpeciesName::Class(class)));
                if let Some(species) = species {
                    // A monster has the same number with and without its class. Files mostly contain the class.
                    candidates.push(wrap(SpeciesName::ClassAndName(class, species.name.as_ref().into())));
                    candidates.push(wrap(SpeciesName::Name(species.name.as_ref().into())));
                }
            }
            _ => {}
        }
        let fitting = candidates.into_iter().find(|candidate| self.is_written_as(candidate, number));
        fitting.unwrap_or(Operand::Raw(tag, number))
    }

    /// Returns the named form of the value pushed at `pushed`, given the `role` in which it is taken.
    fn name_by_role(&self, raw: &[RawOp<'_>], pushed: usize, role: Role) -> Option<Operand> {
        match raw.get(pushed)?.operand? {
            RawOperand::Number(ValueType::Integer, number) => {
                role.operand(number, self.catalog).filter(|named| self.is_written_as(named, number))
            }
            RawOperand::Text(ValueType::String, []) if matches!(role, Role::OptionalText | Role::Rows) => {
                Some(Operand::String(None))
            }
            RawOperand::Text(ValueType::String, text) if role == Role::Rows => {
                // Height and width are pushed after the rows.
                let dimension = |ahead: usize| match raw.get(pushed + ahead)?.operand {
                    Some(RawOperand::Number(ValueType::Integer, number)) => usize::try_from(number).ok(),
                    _ => None,
                };
                self.rows(text, dimension(1)?, dimension(2)?).map(Operand::Rows)
            }
            _ => None,
        }
    }

    /// Returns the rows of a map of this size. The text has a terrain number plus one for each square.
    fn rows(&self, text: &[u8], height: usize, width: usize) -> Option<Rows> {
        if height.checked_mul(width)? != text.len() || text.is_empty() {
            return None;
        }
        let cells: Option<Vec<u8>> =
            text.iter().map(|&byte| u8::try_from(self.catalog.map_character(i32::from(byte) - 1)?).ok()).collect();
        let rows = Rows { cells: cells?, width };
        (rows.bytes(self.catalog) == text).then_some(rows)
    }
}

/// Returns the role of each pushed value that is taken in a single role, by the position of its push.
///
/// Values from elsewhere are unknown, so the stack is forgotten at jump targets and after jumps.
fn roles(ops: &[Op], catalog: &Catalog) -> Vec<(usize, Role)> {
    let mut targets = vec![false; ops.len()];
    for (at, pair) in ops.windows(2).enumerate() {
        if let (Some(Operand::Integer(distance)), true) = (&pair[0].operand, pair[1].code.jumps()) {
            let target = (at as i64 + 1).checked_add(*distance).and_then(|target| usize::try_from(target).ok());
            if let Some(target) = target.and_then(|target| targets.get_mut(target)) {
                *target = true;
            }
        }
    }
    let mut found: Vec<Option<Role>> = vec![None; ops.len()];
    let mut disputed = vec![false; ops.len()];
    let mut stack = Stack::new(ops, catalog);
    for (at, op) in ops.iter().enumerate() {
        if targets[at] {
            stack.forget();
        }
        stack.step(at, |taken| {
            if let Some(pushed) = taken.entry.pushed.filter(|_| !matches!(taken.role, Role::Any | Role::Unread)) {
                disputed[pushed] |= found[pushed].is_some_and(|role| role != taken.role);
                found[pushed] = Some(taken.role);
            }
        });
        if op.code.jumps() {
            stack.forget();
        }
    }
    let once = found.into_iter().zip(disputed).map(|(role, disputed)| role.filter(|_| !disputed));
    once.enumerate().filter_map(|(pushed, role)| Some((pushed, role?))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use splc_ir::abi;

    fn catalog() -> &'static Catalog {
        Catalog::by_name("unnethack-6.0.4").expect("the catalog exists")
    }

    /// Returns a file of the default ABI with these bytes after its header and count.
    fn file(count: i64, rest: &[u8]) -> Vec<u8> {
        let abi = &abi::ALL[0];
        let mut bytes = Vec::new();
        for &long in catalog().header(abi.name).expect("the header is known") {
            abi.put_long(&mut bytes, long as i64);
        }
        abi.put_long(&mut bytes, count);
        bytes.extend_from_slice(rest);
        bytes
    }

    fn message(bytes: &[u8]) -> String {
        let error = read(bytes, "x", FileId(0), catalog(), &abi::ALL[0]).expect_err("it is damaged");
        assert_eq!(error.code, Code::Damaged);
        format!("byte {}: {}", error.span.expect("it has a place").start, error.message)
    }

    #[test]
    fn damage_is_found_where_it_is() {
        let push = catalog().opcode(Opcode::Push).expect("it has pushes").to_le_bytes();
        assert_eq!(message(&[0; 3]), "byte 0: the file ends inside the version header");
        assert!(message(&[0; 64]).starts_with("byte 0: the file has version 0x00000000"));
        assert_eq!(message(&file(7, &[0; 8])), "byte 32: the file declares 7 opcodes, but has space for at most 2");
        assert!(message(&file(-1, &[0; 8])).starts_with("byte 32: the file declares -1 opcodes"));
        assert!(message(&file(2, &[0, 0, 0, 0, 255, 0, 0, 0])).starts_with("byte 44: opcode 255 does not exist"));
        assert_eq!(message(&file(1, &push)), "byte 44: the file ends inside a value");
        let selection = [push.as_slice(), &[9]].concat();
        assert_eq!(message(&file(1, &selection)), "byte 44: a level file cannot contain a value of type 9");
        let text = [push.as_slice(), &[2, 5, 0, 0, 0, b'a', b'b']].concat();
        let expected = "byte 45: the string length is 5, but the file has 2 bytes left";
        assert_eq!(message(&file(1, &text)), expected);
        let text = [push.as_slice(), &[2, 255, 255, 255, 255]].concat();
        assert!(message(&file(1, &text)).starts_with("byte 45: the string length is -1"));
    }

    #[test]
    fn what_is_no_name_stays_a_number() {
        let push = catalog().opcode(Opcode::Push).expect("it has pushes").to_le_bytes();
        let bytes = [push.as_slice(), &[7], 0x0123_4567_89ab_cdef_i64.to_le_bytes().as_slice()].concat();
        let level = read(&file(1, &bytes), "x", FileId(0), catalog(), &abi::ALL[0]).expect("it is whole");
        assert_eq!(level.program.ops[0].operand, Some(Operand::Raw(ValueType::Monster, 0x0123_4567_89ab_cdef)));
    }

    /// Returns code that defines an array of one number, and its number of opcodes.
    fn array(name: &[u8]) -> (i64, Vec<u8>) {
        let code = |opcode| catalog().opcode(opcode).expect("the game has it").to_le_bytes();
        let push = code(Opcode::Push);
        let text = [[2].as_slice(), &(name.len() as i32).to_le_bytes(), name].concat();
        let one = [[1].as_slice(), &1_i64.to_le_bytes()].concat();
        let bytes = [push.as_slice(), &one, &push, &one, &push, &text, &code(Opcode::VarInit)].concat();
        (4, bytes)
    }

    /// The index of each element is again an element.
    #[test]
    fn indexes_of_indexes_are_followed_without_end() {
        let code = |opcode| catalog().opcode(opcode).expect("the game has it").to_le_bytes();
        let (mut count, mut bytes) = array(b"$a");
        let element = [code(Opcode::Push).as_slice(), &[3, 2, 0, 0, 0], b"$a"].concat();
        const DEPTH: usize = 300_000;
        bytes.extend(element.repeat(DEPTH));
        bytes.extend(code(Opcode::Trap));
        count += DEPTH as i64 + 1;
        let level = read(&file(count, &bytes), "x", FileId(0), catalog(), &abi::ALL[0]).expect("it is whole");
        assert_eq!(level.program.ops.len() as i64, count);
    }

    /// A long name is examined where it is pushed, not once for each copy.
    #[test]
    fn copies_of_a_long_name_cost_no_more_than_others() {
        let code = |opcode| catalog().opcode(opcode).expect("the game has it").to_le_bytes();
        let name = vec![b'x'; 1 << 20];
        let (mut count, mut bytes) = array(&name);
        let length = (name.len() as i32).to_le_bytes();
        bytes.extend([code(Opcode::Push).as_slice(), &[2], &length, &name].concat());
        const COPIES: usize = 200_000;
        let again = [code(Opcode::Copy), code(Opcode::ShuffleArray)].concat();
        bytes.extend(again.repeat(COPIES));
        count += 1 + 2 * COPIES as i64;
        let level = read(&file(count, &bytes), "x", FileId(0), catalog(), &abi::ALL[0]).expect("it is whole");
        assert_eq!(level.program.ops.len() as i64, count);
    }

    #[test]
    fn bytes_that_are_no_utf8_survive() {
        let push = catalog().opcode(Opcode::Push).expect("it has pushes").to_le_bytes();
        let bytes = [push.as_slice(), &[2, 2, 0, 0, 0, 0xe9, b'!']].concat();
        let level = read(&file(1, &bytes), "x", FileId(0), catalog(), &abi::ALL[0]).expect("it is whole");
        assert_eq!(level.program.charset, Charset::Latin1);
        assert_eq!(level.program.ops[0].operand, Some(Operand::String(Some("é!".into()))));
    }
}
