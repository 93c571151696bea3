//! What a script comes to in one run: its *course*, a program without jumps, variables and computed values.
//!
//! The machine runs the script, and whatever statement it comes to is written down with the values that it takes:
//! numbers that were drawn, places that were chosen, selections square by square. So what depends on the level while it
//! is made (a flood fill, what stands on a square, who plays) is settled, too. What a statement itself leaves to chance
//! stays so: a random place, a class of monsters, where a random room goes. But for two kinds: a map at a random place
//! is laid where it was laid, and terrain that changes by chance is that which came about.

use splc_ir::program::{Coordinate, LightCode, Op, Opcode, Operand, Program};
use splc_ir::source::{Span, Text};
use splc_ir::value::ValueType;

use crate::error::VmError;
use crate::level::{COLUMNS, Level, Place, ROWS};
use crate::limits::{MAX_COURSE_OPCODES, MAX_COURSE_VALUES};
use crate::machine::Machine;
use crate::observer::{Flow, Observer};
use crate::prepared::{Prepared, decode};
use crate::rng::Rng;
use crate::selection::Selection;
use crate::settings::Settings;
use crate::terrain::Terrain;
use crate::value::{Content, Memory, Value};
use crate::view::View;

/// How a MAP is placed by a place.
const BY_PLACE: i64 = 2;

/// Runs `program`, which was [made ready](Prepared::new) as `prepared`, and writes its course down. Each opcode of it
/// has the span of the statement that it is of.
///
/// # Errors
/// [`VmError`] if the level cannot be made.
pub fn course<R: Rng>(
    program: &Program,
    prepared: &Prepared,
    settings: &Settings,
    rng: &mut R,
) -> Result<Program, VmError> {
    let mut recorder = Recorder { program, made: Vec::new(), running: None };
    Machine::new().run(prepared, settings, rng, &mut recorder)?;
    let Program { name, charset, vault_frequency, vault_depth, .. } = program;
    let (name, charset) = (name.clone(), *charset);
    Ok(Program { name, charset, ops: recorder.made, vault_frequency: *vault_frequency, vault_depth: *vault_depth })
}

/// Whether an opcode is a statement, or the end of one: it changes the level, and leaves no value behind.
fn is_statement(code: Opcode) -> bool {
    use Opcode::*;
    match code {
        Null | Push | Pop | Copy | FramePush | FramePop | VarInit | ShuffleArray => false,
        _ => !code.jumps() && code.signature().gives.is_empty(),
    }
}

/// Whether what the opcode does to the terrain is up to chance.
fn changes_terrain(code: Opcode) -> bool {
    matches!(code, Opcode::ReplaceTerrain | Opcode::Spill | Opcode::WallWalk)
}

struct Recorder<'p> {
    program: &'p Program,
    made: Vec<Op>,
    /// The statement that runs, as it was when it began.
    running: Option<Running>,
}

/// A statement that runs.
struct Running {
    at: usize,
    code: Opcode,
    /// The values on the stack, the uppermost first, and for each how many places of the stack it takes.
    values: Vec<(Known, usize)>,
    /// How many places the stack had.
    stack: usize,
    origin: Place,
    terrain: Option<Vec<Terrain>>,
}

/// A value that was looked up.
enum Known {
    Number(ValueType, i64),
    Text(Text),
    Selection(Box<Selection>),
}

impl Observer for Recorder<'_> {
    fn step(&mut self, view: &View<'_>) -> Flow {
        self.settle(view);
        let code = self.program.ops.get(view.at()).map(|op| op.code);
        if let Some(code) = code.filter(|&code| is_statement(code))
            && self.made.len() < MAX_COURSE_OPCODES
        {
            let terrain = changes_terrain(code).then(|| all_terrain(view.level()));
            let (values, stack) = (known_values(view), view.memory.stack.len());
            self.running = Some(Running { at: view.at(), code, values, stack, origin: view.origin(), terrain });
        }
        Flow::Continue
    }

    fn finishing(&mut self, view: &View<'_>) {
        self.settle(view);
    }
}

impl Recorder<'_> {
    /// Writes down the statement that ran last, with the values that are gone from the stack.
    fn settle(&mut self, view: &View<'_>) {
        let Some(running) = self.running.take() else { return };
        let span = self.program.ops[running.at].span;
        if let Some(before) = &running.terrain {
            return self.changes(before, view, running.origin, span);
        }
        // A room that failed ends what is in it, but takes nothing from the stack.
        let gone = running.stack.saturating_sub(view.memory.stack.len());
        let mut taken = 0;
        let count = running.values.iter().take_while(|(_, places)| {
            taken += places;
            taken <= gone
        });
        let count = count.count();
        let mut values = running.values;
        let places: usize = values.iter().take(count).map(|(_, places)| places).sum();
        if places != gone {
            // Values of wrong types: the game passes over the statement.
            return;
        }
        values.truncate(count);
        let is_empty = |value: &Known| matches!(value, Known::Selection(squares) if squares.iter().next().is_none());
        if values.iter().any(|(value, _)| is_empty(value)) {
            return;
        }
        if running.code == Opcode::Map {
            placed(&mut values, view);
        }
        for (value, _) in values.into_iter().rev() {
            match value {
                Known::Number(ValueType::Integer, number) => self.push(Operand::Integer(number), span),
                Known::Number(of, number) => self.push(Operand::Raw(of, number), span),
                Known::Text(text) => {
                    let rows = self.rows_before(running.at).filter(|_| running.code == Opcode::Map);
                    self.push(rows.unwrap_or(Operand::String(Some(text))), span);
                }
                Known::Selection(squares) => self.squares(squares.iter(), running.origin, span),
            }
        }
        self.made.push(Op { code: running.code, operand: None, span });
    }

    fn push(&mut self, operand: Operand, span: Span) {
        self.made.push(Op { code: Opcode::Push, operand: Some(operand), span });
    }

    /// The rows that the MAP at `at` draws, which are pushed shortly before it.
    fn rows_before(&self, at: usize) -> Option<Operand> {
        let before = self.program.ops.get(..at)?.iter().rev().filter_map(|op| op.operand.as_ref());
        before.take(3).find(|operand| matches!(operand, Operand::Rows(_))).cloned()
    }

    /// A selection of these squares of the level, as far as places count to them.
    fn squares(&mut self, squares: impl Iterator<Item = Place>, origin: Place, span: Span) {
        let relative = squares.map(|(x, y)| (x - origin.0, y - origin.1)).filter(|&(x, y)| x >= 0 && y >= 0);
        let rectangles = rectangles(relative);
        for &[x1, y1, x2, y2] in &rectangles {
            if (x1, y1) == (x2, y2) {
                self.push(Operand::Coordinate(Coordinate::At { x: x1, y: y1 }), span);
                self.made.push(Op { code: Opcode::SelPoint, operand: None, span });
            } else {
                self.push(Operand::Region([x1, y1, x2, y2]), span);
                self.made.push(Op { code: Opcode::SelFillRect, operand: None, span });
            }
        }
        let union = Op { code: Opcode::SelAdd, operand: None, span };
        self.made.extend((1..rectangles.len()).map(|_| union.clone()));
    }

    /// TERRAIN for what has changed since `before`, one for each kind.
    fn changes(&mut self, before: &[Terrain], view: &View<'_>, origin: Place, span: Span) {
        let (after, catalog) = (all_terrain(view.level()), view.prepared.catalog());
        let changed = |at: &usize| before.get(*at) != after.get(*at);
        for &terrain in Terrain::ALL {
            let place = |at: usize| (at as i32 % COLUMNS, at as i32 / COLUMNS);
            let squares = (0..after.len()).filter(changed).filter(|&at| after[at] == terrain).map(place);
            let squares = squares.filter(|&(x, y)| x >= origin.0 && y >= origin.1).collect::<Vec<_>>();
            let number = catalog.level_types.iter().position(|word| word == terrain.word());
            let symbol = number.and_then(|number| catalog.map_character(i32::try_from(number).ok()?));
            if let (Some(symbol), false) = (symbol, squares.is_empty()) {
                self.squares(squares.into_iter(), origin, span);
                self.push(Operand::MapCharacter { symbol, light: LightCode::Unchanged }, span);
                self.made.push(Op { code: Opcode::Terrain, operand: None, span });
            }
        }
    }
}

/// Puts the place where a map was laid for a random one.
fn placed(values: &mut [(Known, usize)], view: &View<'_>) {
    let by_place = matches!(values.get(4), Some((Known::Number(ValueType::Integer, BY_PLACE), _)));
    let random = view.prepared.catalog().packing.random_place;
    if let Some((Known::Number(ValueType::Coordinate, place), _)) = values.get_mut(5)
        && by_place
        && random != 0
        && *place & random == random
    {
        // Places count from the second column until there is a map.
        let (x, y) = view.origin();
        *place = i64::from((x - 1) & 0xff) | (i64::from(y & 0xff) << 16);
    }
}

/// All terrain, row by row.
fn all_terrain(level: &Level) -> Vec<Terrain> {
    (0..ROWS).flat_map(|y| (0..COLUMNS).map(move |x| level.terrain(x, y))).collect()
}

/// The values of the running frame, the uppermost first, as the game would take them: for a variable its value.
fn known_values(view: &View<'_>) -> Vec<(Known, usize)> {
    let memory = view.memory;
    let stack = memory.stack.get(memory.frame.stack..).unwrap_or_default();
    let text = |text| {
        let bytes = memory.text(&view.prepared.bytes, text);
        Text::from(decode(bytes, view.prepared.charset).as_ref())
    };
    let (mut values, mut at) = (Vec::new(), stack.len());
    while at > 0 && values.len() < MAX_COURSE_VALUES {
        let before = at;
        let known = match looked_up(memory, view.prepared, stack, &mut at) {
            Some(Value::Number(of, number)) => Known::Number(of, number),
            Some(Value::Text(of)) => Known::Text(text(of)),
            Some(Value::Selection(of)) => Known::Selection(Box::new(memory.selection(of))),
            // Nothing takes what is below.
            Some(Value::Null | Value::Variable(_)) | None => break,
        };
        values.push((known, before - at));
    }
    values
}

/// Takes the value below `at` from `stack`: that of a variable in its place, with its index if that is an array.
fn looked_up(memory: &Memory, prepared: &Prepared, stack: &[Value], at: &mut usize) -> Option<Value> {
    let mut arrays = Vec::new();
    let mut value = loop {
        *at = at.checked_sub(1)?;
        let Value::Variable(name) = *stack.get(*at)? else { break stack[*at] };
        let variable = memory.variable(&prepared.bytes, name)?;
        match memory.variables.get(variable)?.content {
            Content::Single(value) => break value,
            Content::Array { start, length } => arrays.push((start, length)),
        }
    };
    while let Some((start, length)) = arrays.pop() {
        let Value::Number(ValueType::Integer, index) = value else { return None };
        let index = usize::try_from(index.checked_rem(i64::from(length))?).ok()?;
        value = *memory.arrays.get(start as usize + index)?;
    }
    Some(value)
}

/// The squares as rectangles, row by row: runs of like columns below each other are one.
fn rectangles(squares: impl Iterator<Item = Place>) -> Vec<[i32; 4]> {
    let mut squares: Vec<Place> = squares.collect();
    squares.sort_unstable_by_key(|&(x, y)| (y, x));
    squares.dedup();
    let mut rectangles: Vec<[i32; 4]> = Vec::new();
    let mut at = 0;
    while let Some(&(x1, y)) = squares.get(at) {
        let mut x2 = x1;
        at += 1;
        while squares.get(at) == Some(&(x2 + 1, y)) {
            x2 += 1;
            at += 1;
        }
        let above = rectangles.iter_mut().find(|known| [known[0], known[2], known[3]] == [x1, x2, y - 1]);
        match above {
            Some(above) => above[3] = y,
            None => rectangles.push([x1, y, x2, y]),
        }
    }
    rectangles
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn squares_are_rectangles() {
        let squares = [(3, 1), (1, 1), (2, 1), (1, 2), (2, 2), (3, 2), (5, 2), (1, 3)];
        assert_eq!(rectangles(squares.into_iter()), [[1, 1, 3, 2], [5, 2, 5, 2], [1, 3, 1, 3]]);
        assert!(rectangles(std::iter::empty()).is_empty());
    }
}
