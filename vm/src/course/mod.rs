//! What a script comes to in one run: its *course*, a program without jumps, variables and computed values.
//!
//! The machine runs the script, and whatever statement it comes to is written down with the values that it takes:
//! numbers that were drawn, places that were chosen, selections square by square. So what depends on the level while it
//! is made (a flood fill, what stands on a square, who plays) is settled, too. What a statement itself leaves to chance
//! stays so: a random place, a class of monsters, where a random room goes. But for two kinds: a map at a random place
//! is laid where it was laid, and terrain that changes by chance is that which came about.
//!
//! A list of things (NetHack 3.4.3) has no words for blocks of REGIONs and for terrain outside of its maps: a course for
//! one ([`Form::List`]) settles these, too. See [`list`].

mod list;

use splc_ir::catalog::{Feature, LoaderRule};
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

/// How a MAP is placed by a place.
const BY_PLACE: i64 = 2;

/// What a course is written down for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// A script, which can say all that a script can.
    Script,
    /// A list of things, for which more has to be settled.
    List,
}

/// What a script comes to in one run.
#[derive(Clone, Debug)]
pub struct Course {
    /// Its statements. Each opcode has the span of the statement that it is of.
    pub program: Program,
    /// What is below all maps, if a list of things has no other words for it.
    pub background: Option<Background>,
    /// The places of statements of which something is drawn in a map, or in the background.
    pub drawn: Vec<Span>,
    /// The places of statements of which something was above its map, and is at the edge of that now.
    pub moved: Vec<Span>,
}

/// Runs `program`, which was [made ready](Prepared::new) as `prepared`, and writes its course down.
///
/// # Errors
/// [`VmError`] if the level cannot be made.
pub fn course<R: Rng>(
    program: &Program,
    prepared: &Prepared,
    settings: &Settings,
    form: Form,
    rng: &mut R,
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
    /// What a list of things wants besides.
    list: Option<list::List>,
}

/// A statement that runs.
struct Running {
    at: usize,
    code: Opcode,
    /// The values on the stack, the uppermost first, and for each how many places of the stack it takes.
    values: Vec<(Known, usize)>,
    /// How many places the stack had.
    stack: usize,
    /// What the places of the statement count from, and those of statements outside of all rooms.
    origin: Place,
    corner: Place,
    /// Whether it is in the block of a REGION, and is to stand behind it.
    lifted: bool,
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
        self.settle(view);
        if let Some(list) = &mut self.list {
            list.begins(view);
        }
    }
}

impl Recorder<'_> {
    /// Writes down the statement that ran last, with the values that are gone from the stack.
    fn settle(&mut self, view: &View<'_>) {
        let Some(mut running) = self.running.take() else { return };
        let span = self.program.ops[running.at].span;
        if self.list.as_ref().is_some_and(|list| list.draws(&running, view)) {
            return self.changes_of_list(&running, view, span);
        }
        if changes_terrain(running.code) {
            return self.changes(running.terrain.as_deref().unwrap_or_default(), view, running.origin, span);
        }
        // A room that failed ends what is in it, but takes nothing from the stack.
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
        if let Some(list) = &mut self.list
            && !list.settle(&mut values, &running, view, span)
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
            // An ordinary room that nobody has said to be one: only its light.
            let flags = i64::from(!catalog.has(Feature::FilledIsAFlag));
            for number in [i64::from(lit), 0, flags] {
                self.push(Operand::Integer(number), span);
            }
            self.made.push(Op { code: Opcode::Region, operand: None, span });
            let end = list::has_end(catalog, 0, flags).then_some(Opcode::EndRoom);
            self.made.extend(end.map(|code| Op { code, operand: None, span }));
        }
        if is_closed {
            // What is in it stands behind it.
            self.made.push(Op { code: Opcode::EndRoom, operand: None, span });
        }
    }

    fn push(&mut self, operand: Operand, span: Span) {
        self.made.push(Op { code: Opcode::Push, operand: Some(operand), span });
    }

    /// The rows that the MAP at `at` draws, which are pushed shortly before it.
    fn rows_before(&self, at: usize) -> Option<Operand> {
        let before = self.program.ops.get(..at)?.iter().rev().filter_map(|op| op.operand.as_ref());
        before.take(3).find(|operand| matches!(operand, Operand::Rows(_))).cloned()
    }

    /// TERRAIN for what a statement has changed in the running map, for a list of things: what it has changed elsewhere is
    /// drawn there. A door of a room is a door of the level.
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
            self.push(Operand::Integer(i64::from(level.flags(x, y) & !door::TRAPPED)), span);
            if view.prepared.catalog().loader.rules.has(LoaderRule::DoorsHaveMaterials)
                && let Some((Known::Number(_, material), _)) = running.values.first()
            {
                self.push(Operand::Integer(*material), span);
            }
            self.made.push(Op { code: Opcode::Door, operand: None, span });
        }
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
