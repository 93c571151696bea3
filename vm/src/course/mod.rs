//! The record of one run of a script: its *course*, a program without jumps, variables and computed values.
//!
//! The machine runs the script and records every statement it reaches with the values it takes: numbers that were
//! drawn, places that were chosen, selections square by square. Values that depend on the state of the level (a flood
//! fill, the contents of a square, the hero) are therefore resolved too. Chance within a statement is preserved: a
//! random place, a class of monsters, the place of a random room. There are two exceptions: a map at a random place
//! gets its place in the run, and terrain that changes by chance becomes the terrain of the run.
//!
//! A list of things (NetHack 3.4.3) cannot express blocks of REGIONs or terrain outside its maps. A course for a list
//! ([`Form::List`]) resolves these too. See [`list`].

mod list;

use splc_ir::catalog::Feature;
use splc_ir::program::{Coordinate, LightCode, Op, Opcode, Operand, Program};
use splc_ir::source::{Span, Text};
use splc_ir::value::ValueType;

use crate::error::VmError;
use crate::level::{COLUMNS, Level, Place, ROWS, door};
use crate::limits::{MAX_COURSE_OPCODES, MAX_COURSE_VALUES};
use crate::machine::Machine;
use crate::observer::{Event, Flow, Observer};
use crate::prepared::{Prepared, decode};
use crate::rng::Rng;
use crate::selection::Selection;
use crate::settings::Settings;
use crate::terrain::Terrain;
use crate::value::{Content, Memory, Value};
use crate::view::View;

pub use list::Background;

/// Value of MAP's first operand for placement by coordinates.
const BY_PLACE: i64 = 2;

/// The intended use of a course.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// A script, which can express everything.
    Script,
    /// A list of things, for which more is resolved.
    List,
}

/// The record of one run of a script.
#[derive(Clone, Debug)]
pub struct Course {
    /// The recorded statements. Each opcode has the span of its statement.
    pub program: Program,
    /// Background below all maps, if a list of things needs it.
    pub background: Option<Background>,
    /// Spans of statements of which something is drawn in a map or in the background.
    pub drawn: Vec<Span>,
    /// Spans of statements of which something was above its map and was moved to its edge.
    pub moved: Vec<Span>,
}

/// Runs `program`, which was [prepared](Prepared::new) as `prepared`, and records its course.
///
/// # Errors
/// [`VmError`] if the run fails.
pub fn course(
    program: &Program,
    prepared: &Prepared,
    settings: &Settings,
    form: Form,
    rng: &mut dyn Rng,
) -> Result<Course, VmError> {
    let list = (form == Form::List).then(list::List::default);
    let mut recorder = Recorder { program, made: Vec::new(), running: None, list };
    Machine::new().run(prepared, settings, rng, &mut recorder)?;
    let Program { name, charset, vault_frequency, vault_depth, .. } = program;
    let (name, charset) = (name.clone(), *charset);
    let (vault_frequency, vault_depth) = (*vault_frequency, *vault_depth);
    let program = Program { name, charset, ops: recorder.made, vault_frequency, vault_depth };
    Ok(match recorder.list {
        Some(list) => list.finish(program, prepared.catalog()),
        None => Course { program, background: None, drawn: Vec::new(), moved: Vec::new() },
    })
}

/// Returns true if the opcode is a statement or the end of one: it changes the level and pushes no value.
fn is_statement(code: Opcode) -> bool {
    use Opcode::*;
    match code {
        Null | Push | Pop | Copy | FramePush | FramePop | VarInit | ShuffleArray => false,
        _ => !code.jumps() && code.signature().gives.is_empty(),
    }
}

/// Returns true if the opcode changes terrain by chance.
fn changes_terrain(code: Opcode) -> bool {
    matches!(code, Opcode::ReplaceTerrain | Opcode::Spill | Opcode::WallWalk)
}

struct Recorder<'p> {
    program: &'p Program,
    made: Vec<Op>,
    /// The current statement, as it was when it began.
    running: Option<Running>,
    /// State needed for a list of things.
    list: Option<list::List>,
}

/// A running statement.
struct Running {
    at: usize,
    code: Opcode,
    /// Values on the stack, top first, each with the number of stack places it takes.
    values: Vec<(Known, usize)>,
    /// Number of places on the stack.
    stack: usize,
    /// Origin of the statement's coordinates, and of those of statements outside all rooms.
    origin: Place,
    corner: Place,
    /// True if the statement is in the block of a REGION and is moved after it.
    lifted: bool,
    terrain: Option<Vec<Terrain>>,
}

/// A value with variables resolved.
enum Known {
    Number(ValueType, i64),
    Text(Text),
    Selection(Box<Selection>),
}

impl Observer for Recorder<'_> {
    fn step(&mut self, view: &View<'_>) -> Flow {
        self.resolve(view);
        let code = self.program.ops.get(view.at()).map(|op| op.code);
        if let Some(code) = code.filter(|&code| is_statement(code))
            && self.made.len() < MAX_COURSE_OPCODES
            && self.list.as_mut().is_none_or(|list| list.takes(code, view))
        {
            let looked_at = changes_terrain(code) || self.list.as_ref().is_some_and(|list| list.looks_at(code));
            let terrain = looked_at.then(|| all_terrain(view.level()));
            let (values, stack) = (known_values(view), view.memory.stack.len());
            let (at, origin, corner) = (view.at(), view.origin(), view.corner());
            let lifted = self.list.as_ref().is_some_and(list::List::in_region);
            self.running = Some(Running { at, code, values, stack, origin, corner, lifted, terrain });
        }
        Flow::Continue
    }

    fn event(&mut self, event: Event<'_>) {
        if let Some(list) = &mut self.list {
            list.event(event);
        }
    }

    fn finishing(&mut self, view: &View<'_>) {
        self.resolve(view);
        if let Some(list) = &mut self.list {
            list.begins(view);
        }
    }
}

impl Recorder<'_> {
    /// Records the statement that ran last, with the values popped from the stack.
    fn resolve(&mut self, view: &View<'_>) {
        let Some(mut running) = self.running.take() else { return };
        let span = self.program.ops[running.at].span;
        if self.list.as_ref().is_some_and(|list| list.draws(&running, view)) {
            return self.changes_of_list(&running, view, span);
        }
        if changes_terrain(running.code) {
            return self.changes(running.terrain.as_deref().unwrap_or_default(), view, running.origin, span);
        }
        // A failed room skips its contents, but nothing is popped for them.
        let gone = running.stack.saturating_sub(view.memory.stack.len());
        let mut taken = 0;
        let count = running.values.iter().take_while(|(_, places)| {
            taken += places;
            taken <= gone
        });
        let count = count.count();
        let mut values = std::mem::take(&mut running.values);
        let places: usize = values.iter().take(count).map(|(_, places)| places).sum();
        if places != gone {
            // Values of wrong types: the game skips the statement.
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
        if let Some(list) = &mut self.list
            && !list.resolve(&mut values, &running, view, span)
        {
            return;
        }
        let origin = if running.lifted { running.corner } else { running.origin };
        let catalog = view.prepared.catalog();
        let is_closed = self.list.as_ref().is_some_and(|list| list.closes(running.code, &values, catalog));
        let mut light = Vec::new();
        for (value, _) in values.into_iter().rev() {
            match value {
                Known::Number(ValueType::Integer, number) => self.push(Operand::Integer(number), span),
                Known::Number(of, number) => self.push(Operand::Raw(of, number), span),
                Known::Text(text) => {
                    let mut rows = self.rows_before(running.at).filter(|_| running.code == Opcode::Map);
                    if let (Some(list), Some(Operand::Rows(rows))) = (&mut self.list, &mut rows) {
                        light = list.map(rows, self.made.len(), view);
                    }
                    self.push(rows.unwrap_or(Operand::String(Some(text))), span);
                }
                Known::Selection(squares) => self.squares(squares.iter(), origin, span),
            }
        }
        self.made.push(Op { code: running.code, operand: None, span });
        for (lit, area) in light {
            self.push(Operand::Region(area), span);
            // An ordinary room, not declared as one: it only sets the light.
            let flags = i64::from(!catalog.has(Feature::FilledIsAFlag));
            for number in [i64::from(lit), 0, flags] {
                self.push(Operand::Integer(number), span);
            }
            self.made.push(Op { code: Opcode::Region, operand: None, span });
            let end = list::has_end(catalog, 0, flags).then_some(Opcode::EndRoom);
            self.made.extend(end.map(|code| Op { code, operand: None, span }));
        }
        if is_closed {
            // The contents of the block are written after it.
            self.made.push(Op { code: Opcode::EndRoom, operand: None, span });
        }
    }

    fn push(&mut self, operand: Operand, span: Span) {
        self.made.push(Op { code: Opcode::Push, operand: Some(operand), span });
    }

    /// Finds the rows drawn by the MAP at `at`, which are pushed shortly before it.
    fn rows_before(&self, at: usize) -> Option<Operand> {
        let before = self.program.ops.get(..at)?.iter().rev().filter_map(|op| op.operand.as_ref());
        before.take(3).find(|operand| matches!(operand, Operand::Rows(_))).cloned()
    }

    /// Records the changes of a statement in the current map as TERRAIN, for a list of things. Changes elsewhere are
    /// drawn in place. A door of a room also becomes a door of the level.
    fn changes_of_list(&mut self, running: &Running, view: &View<'_>, span: Span) {
        let Some(list) = &mut self.list else { return };
        let (catalog, level) = (view.prepared.catalog(), view.level());
        let (inside, changed) = list.changes(running, view, &mut self.made, span);
        for (terrain, squares) in inside {
            self.squares(squares.into_iter(), running.corner, span);
            let symbol = list::character(terrain, catalog);
            self.push(Operand::MapCharacter { symbol, light: LightCode::Unchanged }, span);
            self.made.push(Op { code: Opcode::Terrain, operand: None, span });
        }
        if running.code != Opcode::RoomDoor {
            return;
        }
        for (x, y) in changed {
            self.squares(std::iter::once((x, y)), running.corner, span);
            let state = view.prepared.game.door_number(level.flags(x, y) & !door::TRAPPED);
            self.push(Operand::Integer(state.into()), span);
            if view.prepared.catalog().has(Feature::DoorsHaveMaterials)
                && let Some((Known::Number(_, material), _)) = running.values.first()
            {
                self.push(Operand::Integer(*material), span);
            }
            self.made.push(Op { code: Opcode::Door, operand: None, span });
        }
    }

    /// Pushes a selection of these squares of the level, except for squares left of or above the origin.
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

    /// Records the changes since `before` as TERRAIN, one statement for each type of terrain.
    fn changes(&mut self, before: &[Terrain], view: &View<'_>, origin: Place, span: Span) {
        let (after, catalog) = (all_terrain(view.level()), view.prepared.catalog());
        let changed = |at: &usize| before.get(*at) != after.get(*at);
        for &terrain in Terrain::ALL {
            let place = |at: usize| (at as i32 % COLUMNS, at as i32 / COLUMNS);
            let squares = (0..after.len()).filter(changed).filter(|&at| after[at] == terrain).map(place);
            let squares = squares.filter(|&(x, y)| x >= origin.0 && y >= origin.1).collect::<Vec<_>>();
            let symbol = terrain.number_in(catalog).and_then(|number| catalog.map_character(number));
            if let (Some(symbol), false) = (symbol, squares.is_empty()) {
                self.squares(squares.into_iter(), origin, span);
                self.push(Operand::MapCharacter { symbol, light: LightCode::Unchanged }, span);
                self.made.push(Op { code: Opcode::Terrain, operand: None, span });
            }
        }
    }
}

/// Replaces the random place of a map with the place where it was laid.
fn placed(values: &mut [(Known, usize)], view: &View<'_>) {
    let by_place = matches!(values.get(4), Some((Known::Number(ValueType::Integer, BY_PLACE), _)));
    let random = view.prepared.catalog().packing.random_place;
    if let Some((Known::Number(ValueType::Coordinate, place), _)) = values.get_mut(5)
        && by_place
        && random != 0
        && *place & random == random
    {
        // Coordinates start at the second column until there is a map.
        let (x, y) = view.origin();
        *place = i64::from((x - 1) & 0xff) | (i64::from(y & 0xff) << 16);
    }
}

/// Terrain of all squares, row by row.
fn all_terrain(level: &Level) -> Vec<Terrain> {
    (0..ROWS).flat_map(|y| (0..COLUMNS).map(move |x| level.terrain(x, y))).collect()
}

/// Values of the running frame, top first, with variables resolved as the game would.
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
            // No statement takes values below this one.
            Some(Value::Null | Value::Variable(_)) | None => break,
        };
        values.push((known, before - at));
    }
    values
}

/// Takes the value below `at` from `stack`. A variable is replaced by its value, and an array by the element at its
/// index.
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

/// Groups squares into rectangles, row by row: equal runs of columns below each other are merged.
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
