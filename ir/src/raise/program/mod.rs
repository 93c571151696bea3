//! Opcodes back to a level: the inverse of [`lower`](crate::lower()).
//!
//! The program is read once, from its beginning, as the machine would run it, but with expressions for values. An
//! opcode pops its parameters as [`Opcode::signature`](crate::program::Opcode::signature) says, and becomes a larger
//! expression (`values`) or a statement (`statements`, `things`). A statement leaves nothing on the stack, so its end
//! is known. Control flow comes from jumps (`flow`): each of the compilers' shapes has a characteristic first opcode,
//! and a jump that marks its end. A FUNCTION is a copy of its code at its first call (`functions`).
//!
//! Popped values are checked only as far as the tree requires. Other mistakes show when the tree is checked and lowered
//! again.

mod flow;
mod functions;
mod statements;
mod things;
mod values;

use std::collections::{HashMap, HashSet};

use self::functions::{Copies, Names, Placing};
use self::values::Item as StackItem;
use super::{Note, RaiseError, Raised, bare, expr, lowered, map_rows, statement, words_of_bits};
use crate::abi::Abi;
use crate::catalog::{Catalog, Feature};
use crate::check::check;
use crate::diagnostic::{Code, Diagnostics, Severity};
use crate::level::*;
use crate::limits::MAX_NESTING;
use crate::loadable::Loadable;
use crate::program::{Coordinate, LightCode, Named, Op, Opcode, Operand, Program, Role, Value};
use crate::source::{Charset, Span, Spanned, Text};
use crate::words::*;

/// Deepest nesting of blocks, including those of called functions.
const MAX_BLOCKS: usize = 2 * MAX_NESTING;

/// Reads `program` back; see [`raise`](super::raise()).
pub(super) fn raise(program: &Program, catalog: &Catalog, abi: &Abi) -> Result<Raised, RaiseError> {
    let copies = Copies::find(&program.ops, catalog);
    let mut first = None;
    for lone_jumps in [LoneJumps::Break, LoneJumps::PassElse] {
        for placing in Placing::all(&copies, catalog) {
            match attempt(program, catalog, abi, &copies, *placing, lone_jumps) {
                Ok(raised) => return Ok(raised),
                // Report the error of the most likely attempt.
                Err(problem) => first = first.or(Some(problem)),
            }
        }
    }
    Err(first.unwrap_or_else(|| RaiseError::new(Span::NOWHERE, "the program is empty")))
}

/// The reading of a lone jump in an IF that leads to the end of the surrounding block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum LoneJumps {
    /// A BREAK.
    Break,
    /// The jump over an ELSE that extends to the end of the block, after an empty IF.
    PassElse,
}

/// Reads `program` back, with its functions defined as `placing` says.
fn attempt(
    program: &Program,
    catalog: &Catalog,
    abi: &Abi,
    copies: &Copies,
    placing: Placing,
    lone_jumps: LoneJumps,
) -> Result<Raised, RaiseError> {
    let names = Names::new(&program.ops, copies, placing);
    let mut raising = Raising { lone_jumps, ..Raising::new(program, catalog, abi, copies, &names)? };
    let mut level = raising.level(&program.name)?;
    if placing == Placing::InBlocks {
        // The block that defines a function is known only after a complete first pass.
        let wanted = std::mem::take(&mut raising.wanted);
        raising = Raising { requested: wanted, lone_jumps, ..Raising::new(program, catalog, abi, copies, &names)? };
        level = raising.level(&program.name)?;
        functions::fill(&mut level, &mut raising.bodies, &names, &raising.wanted);
    }
    let Raising { ends, bodies, astray, .. } = raising;
    let items = functions::place(functions::Read { level, ends, bodies, astray }, copies, &names, placing);
    let mut module = Module { charset: program.charset, items, ..Module::default() };
    let mut invented = names.defined();
    let mut again = lowered(&mut module, catalog, abi);
    if again.is_err() && catalog.has(Feature::Functions) && lacks_extent(&module, catalog) {
        invented.push(WHOLE_LEVEL);
        module.items.insert(0, Item::Function(whole_level()));
        again = lowered(&mut module, catalog, abi);
    }
    match again? {
        Loadable::Program(again) => same(program, &again, catalog, abi)?,
        Loadable::Parts(_) | Loadable::Lua(_) => {
            return Err(RaiseError::new(Span::NOWHERE, "it compiles to a list of parts"));
        }
    }
    let mut notes = Vec::new();
    if !invented.is_empty() {
        notes.push(Note::InventedFunctions(invented));
    }
    let is_vault = |level: &Level| level.flags.iter().flatten().any(|flag| flag.node == "rndvault");
    if module.levels().any(is_vault) {
        notes.push(Note::VaultWeight);
    }
    Ok(Raised { module, notes })
}

/// The name of the FUNCTION of [`whole_level`].
const WHOLE_LEVEL: Text = Text::const_new("whole_level");

/// Returns true if the only errors of a level are regions outside the map. Its author had another map that is not in
/// the level file: in a FUNCTION that the level does not call, or in an earlier level of the des-file. The compilers
/// check regions against the map they read last.
fn lacks_extent(module: &Module, catalog: &Catalog) -> bool {
    let mut diagnostics = Diagnostics::new();
    check(&mut module.clone(), catalog, &mut diagnostics);
    let mut errors = diagnostics.iter().filter(|problem| problem.severity == Severity::Error).peekable();
    errors.peek().is_some() && errors.all(|problem| problem.code == Code::RegionRange)
}

/// Returns a FUNCTION that is never called, and so is in no level file. After it, regions may be anywhere on the level.
fn whole_level() -> Function {
    let body = vec![statement(StatementKind::Map(Map::None), Span::NOWHERE)];
    Function { name: bare(WHOLE_LEVEL), parameters: Vec::new(), body, span: Span::NOWHERE }
}

/// Reports the first difference between the program of the `file` and the program lowered `again`.
pub(super) fn same(file: &Program, again: &Program, catalog: &Catalog, abi: &Abi) -> Result<(), RaiseError> {
    let bytes = |op: &Op, charset: Charset| op.operand.as_ref().and_then(|known| held(known, charset, catalog, abi));
    for (at, op) in file.ops.iter().enumerate() {
        let differs = |message: String| RaiseError { span: op.span, opcode: Some(at), message: message.into() };
        let Some(other) = again.ops.get(at) else {
            return Err(differs(format!("no des-file compiles to '{}' and the opcodes after it", op.code)));
        };
        if op.code != other.code {
            return Err(differs(format!(
                "the opcode is '{}', but a des-file compiles to '{}' here",
                op.code, other.code
            )));
        }
        if op.operand == other.operand && file.charset == again.charset {
            continue;
        }
        if op.operand.is_some() && bytes(op, file.charset) != bytes(other, again.charset) {
            return Err(differs("no des-file pushes this value here".to_owned()));
        }
    }
    match again.ops.get(file.ops.len()) {
        None => Ok(()),
        Some(more) => {
            let message = format!("the program ends, but a des-file continues with '{}'", more.code);
            Err(RaiseError { span: Span::NOWHERE, opcode: Some(file.ops.len()), message: message.into() })
        }
    }
}

/// A value in a level file.
#[derive(PartialEq)]
enum Held {
    Number(crate::value::ValueType, i64),
    Bytes(crate::value::ValueType, Vec<u8>),
}

/// Returns the value of `operand` in a level file for the machine, or `None` if the game does not have it.
fn held(operand: &Operand, charset: Charset, catalog: &Catalog, abi: &Abi) -> Option<Held> {
    let long = |number: i64| if abi.long == 4 { i64::from(number as i32) } else { number };
    Some(match operand.resolve(catalog).ok()? {
        Value::Number(of, number) => Held::Number(of, long(number)),
        Value::Narrow(of, number) if abi.narrow_arguments => Held::Number(of, long(i64::from(number as u32))),
        Value::Narrow(of, number) => Held::Number(of, i64::from(number)),
        Value::Text(of, text) => {
            // Strings are C strings and end at a null byte.
            let mut bytes = Vec::with_capacity(text.len());
            charset.encode_into(text.split('\0').next().unwrap_or_default(), &mut bytes);
            Held::Bytes(of, bytes)
        }
        Value::Bytes(bytes) => Held::Bytes(crate::value::ValueType::String, bytes),
    })
}

/// The opcodes before the statements of a level.
struct Head {
    kind: LevelKind,
    flags: Option<Vec<Spanned<Text>>>,
    /// Start of the statements.
    end: usize,
}

/// A program being read back.
struct Raising<'a> {
    ops: &'a [Op],
    catalog: &'a Catalog,
    charset: Charset,
    /// Set if some negative numbers have lost their upper half.
    narrow: bool,
    copies: &'a Copies,
    names: &'a Names,
    /// The end of the block that an opcode begins: rooms, containers, inventories.
    closings: HashMap<usize, usize>,
    /// For an opcode, the last conditional jump back to it.
    loops: HashMap<usize, usize>,
    /// For each variable, whether it is an array, by all definitions of its name.
    arrays: HashMap<&'a str, bool>,
    /// Types of the variables in scope.
    scope: HashMap<Text, Type>,
    stack: Vec<StackItem>,
    /// Number of values at the bottom that belong to the code around the block.
    floor: usize,
    /// Number of surrounding blocks.
    depth: usize,
    /// Targets of BREAK in the surrounding blocks, the innermost last.
    breaks: Vec<usize>,
    /// Targets of BREAKs found: the compiler has not forgotten these blocks.
    remembered: HashSet<usize>,
    lone_jumps: LoneJumps,
    /// The current function, by the index of its copy, and the start of its code.
    buffer: (Option<usize>, usize),
    /// Functions already read, by the index of their copy.
    bodies: Vec<Option<Function>>,
    /// For each statement of the level itself, the opcode after it.
    ends: Vec<usize>,
    /// Calls of functions whose copy is in another buffer: the opcode, and the copy.
    astray: Vec<(usize, usize)>,
    /// The target of BREAK in the innermost block of the level around the current function.
    around: Option<usize>,
    /// Functions with a BREAK for the block around their definition, by the target of that BREAK.
    wanted: HashMap<usize, Vec<usize>>,
    /// The same from the first pass: the functions to be defined in these blocks.
    requested: HashMap<usize, Vec<usize>>,
}

impl<'a> Raising<'a> {
    fn new(
        program: &'a Program,
        catalog: &'a Catalog,
        abi: &Abi,
        copies: &'a Copies,
        names: &'a Names,
    ) -> Result<Self, RaiseError> {
        let ops = program.ops.as_slice();
        let mut arrays = HashMap::new();
        for triple in ops.windows(3).filter(|triple| triple[2].code == Opcode::VarInit) {
            if let Some(Operand::String(Some(name))) = &triple[1].operand {
                let many = number(&triple[0], catalog).is_some_and(|count| count > 0);
                *arrays.entry(name.as_str()).or_insert(many) |= many;
            }
        }
        let mut loops = HashMap::new();
        for (at, pair) in ops.windows(2).enumerate() {
            if matches!(pair[1].code, Opcode::Jg | Opcode::Jne | Opcode::Jle | Opcode::Jge)
                && let Some(target) = target(ops, at + 1, catalog).filter(|&target| target <= at)
            {
                loops.insert(target, at + 1);
            }
        }
        Ok(Raising {
            ops,
            catalog,
            charset: program.charset,
            narrow: catalog.has(Feature::NarrowIntegers) && abi.narrow_arguments,
            copies,
            names,
            closings: closings(ops, catalog)?,
            loops,
            arrays,
            scope: HashMap::new(),
            stack: Vec::new(),
            floor: 0,
            depth: 0,
            breaks: Vec::new(),
            remembered: HashSet::new(),
            lone_jumps: LoneJumps::Break,
            buffer: (None, 0),
            bodies: vec![None; copies.len()],
            ends: Vec::new(),
            astray: Vec::new(),
            around: None,
            wanted: HashMap::new(),
            requested: HashMap::new(),
        })
    }

    /// Returns the error that no source produces the opcode at `at`.
    fn wrong<T>(&self, at: usize, message: impl Into<std::borrow::Cow<'static, str>>) -> Result<T, RaiseError> {
        let span = self.ops.get(at).map_or(Span::NOWHERE, |op| op.span);
        Err(RaiseError { span, opcode: Some(at), message: message.into() })
    }

    fn code(&self, at: usize) -> Option<Opcode> {
        self.ops.get(at).map(|op| op.code)
    }

    /// Returns the span of the opcodes from `start` to `end`, inclusive.
    fn span(&self, start: usize, end: usize) -> Span {
        match (self.ops.get(start), self.ops.get(end)) {
            (Some(start), Some(end)) => start.span.to(end.span),
            _ => Span::NOWHERE,
        }
    }

    fn level(&mut self, name: &Text) -> Result<Level, RaiseError> {
        let Head { kind, flags, end: start } = self.head()?;
        let body = self.block(start, self.ops.len())?;
        Ok(Level { name: bare(name.clone()), kind, flags, body, span: self.span(0, self.ops.len().saturating_sub(1)) })
    }

    fn head(&self) -> Result<Head, RaiseError> {
        /// Number of opcodes that MAZE lowers to: eight values, a background, and a flag.
        const BACKGROUND: usize = 11;
        let mut kind = LevelKind::Script;
        let mut at = 0;
        if self.code(BACKGROUND - 3) == Some(Opcode::InitLevel) && self.code(BACKGROUND - 1) == Some(Opcode::LevelFlags)
        {
            let style = self.number_at(0).and_then(|number| Role::InitStyle.operand(number, self.catalog));
            let filling = match style {
                Some(Operand::Named(Named::InitStyle(style))) if style == "mazegrid" => None,
                _ => Some(Spanned::new(self.maze_filling(1)?, self.span(1, 1))),
            };
            kind = LevelKind::Maze { filling };
            at = BACKGROUND;
        }
        let flags = self.number_at(at).filter(|_| self.code(at + 1) == Some(Opcode::LevelFlags));
        let Some(flags) = flags else { return self.wrong(at, "the flags at the beginning of the level are missing") };
        let Some(words) = words_of_bits(flags, Group::Flag, self.catalog) else {
            return self.wrong(at, format!("{} has no flags {flags:#x}", self.catalog.title));
        };
        let span = self.span(at, at);
        let words: Vec<Spanned<Text>> = words.into_iter().map(|word| Spanned::new(word, span)).collect();
        Ok(Head { kind, flags: (!words.is_empty()).then_some(words), end: at + 2 })
    }

    /// Returns the fill character of a MAZE; the game's compiler stores the terrain of its terrain number.
    fn maze_filling(&self, at: usize) -> Result<char, RaiseError> {
        let wanted = self.number_at(at);
        let becomes = |character: char| {
            let number = self.catalog.terrain(character)?;
            let again = char::from_u32(number as u32).and_then(|character| self.catalog.terrain(character));
            Some(i64::from(again.unwrap_or(127)))
        };
        match (0..128_u8).map(char::from).find(|&character| wanted.is_some() && becomes(character) == wanted) {
            Some(character) => Ok(character),
            None => self.wrong(at, "no MAZE fill character compiles to this"),
        }
    }

    /// Reads the statements of the opcodes from `start` to before `end`.
    fn block(&mut self, start: usize, end: usize) -> Result<Vec<Statement>, RaiseError> {
        if self.depth >= MAX_BLOCKS {
            return self.wrong(start, "blocks are nested too deeply");
        }
        self.depth += 1;
        let floor = std::mem::replace(&mut self.floor, self.stack.len());
        let mut statements = Vec::new();
        let (mut at, mut begin) = (start, start);
        while at < end {
            let before = statements.len();
            let next = self.step(at, begin, end, &mut statements)?;
            if next > end {
                return self.wrong(at, "the statement reaches beyond its block");
            }
            at = next;
            if statements.len() > before {
                begin = at;
                if self.depth == 1 {
                    self.ends.push(at);
                }
            }
        }
        if self.stack.len() != self.floor {
            return self.wrong(end.saturating_sub(1), "values are left on the stack at the end of a block");
        }
        self.floor = floor;
        self.depth -= 1;
        Ok(statements)
    }

    /// Reads the opcode at `at` and the opcodes that belong to it; a resulting statement is added to `statements`.
    /// `begin` is the start of the statement's values, `end` the end of the block. Returns the position of the next
    /// opcode.
    fn step(
        &mut self,
        at: usize,
        begin: usize,
        end: usize,
        statements: &mut Vec<Statement>,
    ) -> Result<usize, RaiseError> {
        let code = self.ops[at].code;
        if self.value(at)? {
            return Ok(at + 1);
        }
        let outcome = match code {
            Opcode::Jmp => return self.jump(at, begin, end, statements),
            Opcode::Jl | Opcode::Jle | Opcode::Jg | Opcode::Jge | Opcode::Je | Opcode::Jne => {
                self.condition(at, end)?
            }
            Opcode::Dec => self.loop_(at, end)?,
            Opcode::VarInit => self.definition(at, end)?,
            Opcode::Call => self.call(at)?,
            Opcode::Monster | Opcode::Object | Opcode::Room | Opcode::Subroom | Opcode::Region => {
                self.thing(at, end)?
            }
            _ => (self.plain(at)?, at + 1),
        };
        let (kind, next) = outcome;
        if self.stack.len() != self.floor {
            return self.wrong(at, "values are left on the stack after a statement");
        }
        let span = self.span(begin, next.saturating_sub(1).max(at));
        statements.push(statement(kind, span));
        Ok(next)
    }

    /// Reads the statements of a block that BREAK leaves for `target`.
    fn breakable(&mut self, start: usize, end: usize, target: usize) -> Result<Vec<Statement>, RaiseError> {
        self.breaks.push(target);
        let mut statements = self.block(start, end)?;
        self.breaks.pop();
        let defined = if self.buffer.0.is_none() { self.requested.remove(&target) } else { None };
        for copy in defined.into_iter().flatten() {
            let inside = self.copies.get(copy).within(start, end);
            let definition = functions::to_be_filled(self.names.of(copy));
            statements.insert(if inside { 0 } else { statements.len() }, definition);
        }
        Ok(statements)
    }

    /// Returns the number pushed at `at`.
    fn number_at(&self, at: usize) -> Option<i64> {
        number(self.ops.get(at)?, self.catalog)
    }
}

/// Returns the number that `op` pushes.
fn number(op: &Op, catalog: &Catalog) -> Option<i64> {
    use crate::value::ValueType::Integer;
    match op.operand.as_ref()?.resolve(catalog).ok()? {
        Value::Number(Integer, number) => Some(number),
        Value::Narrow(Integer, number) => Some(number.into()),
        _ => None,
    }
}

/// Returns the target of the jump at `at`, whose distance is pushed before it, or `None` if it lies outside the
/// program.
fn target(ops: &[Op], at: usize, catalog: &Catalog) -> Option<usize> {
    let distance = number(ops.get(at.checked_sub(1)?)?, catalog)?;
    let target = i64::try_from(at).ok()?.checked_add(distance)?;
    usize::try_from(target).ok().filter(|&target| target <= ops.len())
}

/// Returns the end of each block of a room, container or inventory.
fn closings(ops: &[Op], catalog: &Catalog) -> Result<HashMap<usize, usize>, RaiseError> {
    let mut closings = HashMap::new();
    let mut open: Vec<(usize, Opcode)> = Vec::new();
    let back = |at: usize, count: usize| number(ops.get(at.checked_sub(count)?)?, catalog);
    for (at, op) in ops.iter().enumerate() {
        let closing = match op.code {
            Opcode::Room | Opcode::Subroom => Some(Opcode::EndRoom),
            Opcode::Region if !catalog.has(Feature::RegionsWithoutEnd) => Some(Opcode::EndRoom),
            // A region is a room if it has a type, is irregular, or has the flag of the lowest bit.
            Opcode::Region => {
                let is_room = back(at, 2) != Some(0) || back(at, 1).is_none_or(|flags| flags & 0b11 != 0);
                is_room.then_some(Opcode::EndRoom)
            }
            Opcode::Monster if back(at, 1) == Some(1) => Some(Opcode::EndMonInvent),
            Opcode::Object if back(at, 1).is_some_and(|containment| containment & things::CONTAINER != 0) => {
                Some(Opcode::PopContainer)
            }
            Opcode::EndRoom | Opcode::EndMonInvent | Opcode::PopContainer => {
                match open.pop() {
                    Some((begin, closing)) if closing == op.code => closings.insert(begin, at),
                    _ => {
                        let message = format!("'{}' ends nothing", op.code);
                        return Err(RaiseError { span: op.span, opcode: Some(at), message: message.into() });
                    }
                };
                None
            }
            _ => None,
        };
        open.extend(closing.map(|closing| (at, closing)));
    }
    match open.pop() {
        None => Ok(closings),
        Some((at, closing)) => {
            let message = format!("'{}' has no '{closing}'", ops[at].code);
            Err(RaiseError { span: ops[at].span, opcode: Some(at), message: message.into() })
        }
    }
}
