//! Proof that two scripts of one game run the same statements, whatever the loader does with them.
//!
//! A script decides, by dice, loops and variables, which statements run. The loader carries them out, with its own
//! dice. The effect of a statement depends only on the level so far and on its operands. So two scripts generate the
//! same level if, after the same statements, the next statement is the same with the same probability, up to the end.
//! That can be checked without carrying out any statement, however much the loader leaves to chance.
//!
//! Here the scripts run on values alone. A result of the loader (a selection, or a random square of one) is an opaque
//! value. It is the same on both sides, because it results from the same statement after the same statements. A script
//! that inspects such a value (compares it, or calculates with it) cannot be checked, nor can one that the game does
//! not expect; the answer is then unknown. If a room finds no place, its contents are skipped; both possibilities are
//! followed.
//!
//! The script's own draws are enumerated in their order. A shuffled array is resolved only when an element is taken:
//! the element is any of those not taken yet. Paths that reach the same state are merged.

use std::cell::Cell;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::hash::Hash;
use std::rc::Rc;

use splc_ir::catalog::{Feature, LoaderRule};
use splc_ir::program::{Gives, Opcode, OperandStack, Parameter, Role, Taker, operands};
use splc_ir::value::ValueType;
use splc_ir::words::Group;
use splc_vm::internals::limits::{MAX_FRAMES, MAX_STACK, MAX_VARIABLES};
use splc_vm::internals::{
    CoreFunction, Digest, EQUAL, PreparedForm as Form, TextRef, Value as OfProgram, compared, is_taken,
};
use splc_vm::{Prepared, Settings, Surrounding, Surroundings};

use crate::limits::{MAX_DICE_RESULTS, MAX_DICE_STEPS, MIN_STATEMENT_STATES, USUAL_VALUES};
use crate::rational::Ratio;

/// Returns `None` if it is unknown whether both scripts run the same statements, and otherwise the parts of the game
/// around the level that the scripts queried.
///
/// The search ends after `paths` states of usual size, or [`MIN_STATEMENT_STATES`] if that is more.
pub(crate) fn are_same(first: &Prepared, second: &Prepared, settings: &Settings, paths: u64) -> Option<Surroundings> {
    let scripts = matches!((&first.form, &second.form), (Form::Script, Form::Script));
    let charsets = first.charset == second.charset || (first.bytes.is_ascii() && second.bytes.is_ascii());
    if !scripts || !charsets || first.game.catalog != second.game.catalog {
        return None;
    }
    let scripts = [first, second].map(|prepared| Script::new(prepared, settings));
    let same = compare(&scripts, paths).is_ok_and(|same| same);
    same.then(|| scripts[0].requested.get().and(scripts[1].requested.get()))
}

/// The comparison is impossible.
struct Unknown;

/// A value of a script.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
enum Value {
    Null,
    Number(ValueType, i64),
    Text(Rc<[u8]>),
    Variable(Rc<[u8]>),
    /// The loader's result of the statement with this number.
    Answer(ValueType, u32),
}

impl Value {
    fn tag(&self) -> ValueType {
        match self {
            Value::Null => ValueType::Null,
            Value::Number(tag, _) | Value::Answer(tag, _) => *tag,
            Value::Text(_) => ValueType::String,
            Value::Variable(_) => ValueType::Variable,
        }
    }

    fn is_answer(&self) -> bool {
        matches!(self, Value::Answer(..))
    }

    fn integer(number: i64) -> Value {
        Value::Number(ValueType::Integer, number)
    }
}

/// The content of a variable.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
enum Content {
    Single(Value),
    /// The known elements, and the values in unknown order at the other positions.
    Array(Rc<Vec<Option<Value>>>, Rc<Vec<Value>>),
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
struct Frame {
    at: i64,
    stack: usize,
    variables: usize,
}

/// State of a script. States are ordered by their position in the script first: those that are behind run first, so
/// that they can meet the others.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
struct State {
    frame: Frame,
    stack: Vec<Value>,
    callers: Vec<Frame>,
    variables: Vec<(Rc<[u8]>, Content)>,
    /// Number of results so far.
    answers: u32,
    /// Set once MON_GENERATION and SOUNDS have run. A second use behaves differently and is not supported.
    once: [bool; 2],
}

/// A statement: its opcode and its operands.
type Statement = (usize, Vec<Value>);

/// The possible states of a script, with their probability and the maximum number of opcodes run.
type Belief = BTreeMap<State, (Ratio, u64)>;

/// The result of an opcode.
enum Step {
    Done,
    /// Pushes one of these values.
    Draw(Vec<(Value, Ratio)>),
    Statement(Statement),
    /// Ends the script.
    End,
}

/// The reason an opcode cannot run.
enum Stop {
    Unknown,
    /// The element of a shuffled array must be resolved first: the variable and the index.
    Element(usize, usize),
}

/// A script prepared for the comparison.
struct Script<'a> {
    prepared: &'a Prepared,
    settings: &'a Settings,
    ops: Vec<(Opcode, Value)>,
    /// `None` if unknown.
    reach: Option<Reach>,
    /// Parts of the game that the script has queried.
    requested: Cell<Surroundings>,
}

/// Explores both scripts and returns true if they run the same statements.
fn compare(scripts: &[Script<'_>; 2], paths: u64) -> Result<bool, Unknown> {
    let start = || Belief::from([(State::default(), (Ratio::one(), 0))]);
    let mut open = vec![[start(), start()]];
    let mut known = HashSet::new();
    let mut left = paths.max(MIN_STATEMENT_STATES).saturating_mul(USUAL_VALUES);
    while let Some(pair) = open.pop() {
        let [one, two] = pair;
        let (one, two) = (scripts[0].next(one, &mut left)?, scripts[1].next(two, &mut left)?);
        if one.len() != two.len() {
            return Ok(false);
        }
        for ((said, one), (other, two)) in one.into_iter().zip(two) {
            let (Some(likely), Some(as_likely)) = (total(&one), total(&two)) else { return Err(Unknown) };
            if said != other || likely != as_likely {
                return Ok(false);
            }
            let Some((code, _)) = said else { continue };
            // The room may also find no place.
            if code == Opcode::Room as usize || code == Opcode::Subroom as usize {
                let passed = [scripts[0].pass_over(&one)?, scripts[1].pass_over(&two)?];
                remember(passed, &mut known, &mut open)?;
            }
            remember([one, two], &mut known, &mut open)?;
        }
    }
    Ok(true)
}

fn total(belief: &Belief) -> Option<Ratio> {
    belief.values().try_fold(Ratio::zero(), |sum, (probability, _)| sum.plus(probability))
}

/// Queues a pair of states to continue from, unless it was queued before. Probabilities are normalised, and results are
/// renumbered.
fn remember(pair: [Belief; 2], known: &mut HashSet<u128>, open: &mut Vec<[Belief; 2]>) -> Result<(), Unknown> {
    let mut numbers = BTreeMap::new();
    let mut renamed = [Belief::new(), Belief::new()];
    for (belief, renamed) in pair.iter().zip(&mut renamed) {
        let whole = total(belief).ok_or(Unknown)?;
        for (state, (probability, spent)) in belief {
            let mut state = state.clone();
            state.each_value(&mut |value| {
                if let Value::Answer(_, number) = value {
                    let next = numbers.len() as u32;
                    *number = *numbers.entry(*number).or_insert(next);
                }
            });
            renamed.insert(state, (probability.over(&whole).ok_or(Unknown)?, *spent));
        }
    }
    let answers = numbers.len() as u32;
    let pair = renamed.map(|belief| -> Belief {
        belief.into_iter().map(|(state, weight)| (State { answers, ..state }, weight)).collect()
    });
    let mut digest = Digest::default();
    for belief in &pair {
        belief.len().hash(&mut digest);
        // A script that returns to a state later is closer to the limit on opcodes.
        belief.iter().for_each(|(state, weight)| (state, weight).hash(&mut digest));
    }
    if known.insert(digest.finish128()) {
        open.push(pair);
    }
    Ok(())
}

impl State {
    /// Returns the number of its values.
    fn size(&self) -> u64 {
        let of_variables = self.variables.iter().map(|(_, content)| match content {
            Content::Single(_) => 1,
            Content::Array(known, left) => 1 + known.len() + left.len(),
        });
        (self.stack.len() + of_variables.sum::<usize>()) as u64
    }

    /// Returns true if an array has elements in unknown order.
    fn is_shuffled(&self) -> bool {
        self.variables.iter().any(|(_, content)| matches!(content, Content::Array(_, left) if !left.is_empty()))
    }

    /// Calls `see` for each of its values, at least for those that are answers.
    fn each_value(&mut self, see: &mut impl FnMut(&mut Value)) {
        self.stack.iter_mut().for_each(&mut *see);
        for (_, content) in &mut self.variables {
            match content {
                Content::Single(value) => see(value),
                Content::Array(known, left) => {
                    // Most arrays are shared by many states, and stay so.
                    if known.iter().flatten().any(Value::is_answer) {
                        Rc::make_mut(known).iter_mut().flatten().for_each(&mut *see);
                    }
                    if left.iter().any(Value::is_answer) {
                        Rc::make_mut(left).iter_mut().for_each(&mut *see);
                    }
                }
            }
        }
    }

    fn pop(&mut self) -> Result<Value, Stop> {
        if self.stack.len() > self.frame.stack { self.stack.pop().ok_or(Stop::Unknown) } else { Err(Stop::Unknown) }
    }

    fn push(&mut self, value: Value) -> Result<(), Stop> {
        if self.stack.len() >= MAX_STACK {
            return Err(Stop::Unknown);
        }
        self.stack.push(value);
        Ok(())
    }

    /// Finds the variable of that name in this frame.
    fn variable(&self, name: &[u8]) -> Option<usize> {
        let own = self.variables.get(self.frame.variables..)?;
        own.iter().rposition(|(known, _)| &**known == name).map(|at| self.frame.variables + at)
    }

    /// Reads a variable. The index into an array is on the stack.
    fn read(&mut self, name: &[u8]) -> Result<Value, Stop> {
        let at = self.variable(name).ok_or(Stop::Unknown)?;
        if let Content::Single(value) = &self.variables[at].1 {
            return Ok(value.clone());
        }
        let index = match self.pop()? {
            Value::Variable(name) => self.read(&name)?,
            value => value,
        };
        let (Value::Number(ValueType::Integer, index), Content::Array(known, _)) = (index, &self.variables[at].1)
        else {
            return Err(Stop::Unknown);
        };
        let length = i64::try_from(known.len()).ok().filter(|&length| length > 0).ok_or(Stop::Unknown)?;
        let index = usize::try_from(index % length).map_err(|_| Stop::Unknown)?;
        match known.get(index) {
            Some(Some(value)) => Ok(value.clone()),
            _ => Err(Stop::Element(at, index)),
        }
    }

    /// Takes an operand in a role.
    fn take(&mut self, role: Role) -> Result<Value, Stop> {
        let value = match self.pop()? {
            Value::Variable(name) if role.reads_variables() => self.read(&name)?,
            value => value,
        };
        match role.value_type() {
            Some(wanted) if wanted != value.tag() => Err(Stop::Unknown),
            _ => Ok(value),
        }
    }

    fn enter(&mut self, at: i64) -> Result<(), Stop> {
        if self.callers.len() + 1 >= MAX_FRAMES {
            return Err(Stop::Unknown);
        }
        let frame = Frame { stack: self.stack.len(), variables: self.variables.len(), at };
        self.callers.push(std::mem::replace(&mut self.frame, frame));
        Ok(())
    }

    fn leave(&mut self) {
        if let Some(caller) = self.callers.pop() {
            let frame = std::mem::replace(&mut self.frame, caller);
            self.stack.truncate(frame.stack);
            self.variables.truncate(frame.variables);
        }
    }
}

impl OperandStack for State {
    type Number = i64;
    type Text = Rc<[u8]>;
    type Selection = Value;
    type Value = Value;
    type Stop = Stop;

    fn pop_number(&mut self, parameter: Parameter) -> Result<i64, Stop> {
        match self.take(parameter.role)? {
            Value::Number(_, number) => Ok(number),
            _ => Err(Stop::Unknown),
        }
    }

    fn pop_text(&mut self, parameter: Parameter) -> Result<Rc<[u8]>, Stop> {
        match self.take(parameter.role)? {
            Value::Text(text) => Ok(text),
            _ => Err(Stop::Unknown),
        }
    }

    fn pop_selection(&mut self, parameter: Parameter) -> Result<Value, Stop> {
        self.take(parameter.role)
    }

    fn pop_value(&mut self, parameter: Parameter) -> Result<Value, Stop> {
        self.take(parameter.role)
    }
}

/// A statement that takes its operands.
struct Taking<'s> {
    state: &'s mut State,
    taken: Vec<Value>,
}

impl Taker for Taking<'_> {
    type Stop = Stop;

    fn take(&mut self, parameter: Parameter) -> Result<Option<i64>, Stop> {
        let value = self.state.take(parameter.role)?;
        let number = if let Value::Number(_, number) = value { Some(number) } else { None };
        self.taken.push(value);
        Ok(number)
    }

    fn number_below(&self, below: usize) -> Option<i64> {
        let State { stack, frame, .. } = &*self.state;
        match stack[stack.len().checked_sub(below + 1).filter(|&at| at >= frame.stack)?] {
            Value::Number(ValueType::Integer, number) => Some(number),
            _ => None,
        }
    }

    fn is_empty(&mut self) -> bool {
        self.state.stack.len() <= self.state.frame.stack
    }

    fn undecided(&self) -> Stop {
        Stop::Unknown
    }
}

impl<'a> Script<'a> {
    fn new(prepared: &'a Prepared, settings: &'a Settings) -> Self {
        let text = |text: TextRef| Rc::from(text.of(&prepared.bytes));
        let ops: Vec<(Opcode, Value)> = prepared
            .ops
            .iter()
            .map(|op| {
                let value = match op.value {
                    OfProgram::Null | OfProgram::Selection(_) => Value::Null,
                    OfProgram::Number(tag, number) => Value::Number(tag, number),
                    OfProgram::Text(of) => Value::Text(text(of)),
                    OfProgram::Variable(of) => Value::Variable(text(of)),
                };
                (op.code, value)
            })
            .collect();
        let reach = Reach::of(&ops);
        Script { prepared, settings, ops, reach, requested: Cell::default() }
    }

    /// Advances each state to its next statement, or to the end (`None`).
    fn next(&self, belief: Belief, left: &mut u64) -> Result<BTreeMap<Option<Statement>, Belief>, Unknown> {
        let mut open = belief;
        let mut said: BTreeMap<Option<Statement>, Belief> = BTreeMap::new();
        while let Some((mut state, (probability, mut spent))) = open.pop_first() {
            *left = left.checked_sub(state.size().max(USUAL_VALUES)).ok_or(Unknown)?;
            loop {
                // Only an element of a shuffled array needs the state again.
                let before = state.is_shuffled().then(|| state.clone());
                let step = self.step(&mut state);
                spent += 1;
                if spent > self.settings.fuel {
                    return Err(Unknown);
                }
                let forks = match step {
                    Ok(Step::Done) => {
                        state.frame.at = state.frame.at.wrapping_add(1);
                        continue;
                    }
                    Ok(Step::End) => {
                        add(said.entry(None).or_default(), State::default(), probability, spent)?;
                        break;
                    }
                    Ok(Step::Statement(statement)) => {
                        state.frame.at = state.frame.at.wrapping_add(1);
                        self.forget(&mut state);
                        add(said.entry(Some(statement)).or_default(), state, probability, spent)?;
                        break;
                    }
                    Ok(Step::Draw(values)) => {
                        state.frame.at = state.frame.at.wrapping_add(1);
                        let with = |(value, share): (Value, Ratio)| {
                            let mut state = state.clone();
                            state.push(value).ok()?;
                            Some((state, share))
                        };
                        values.into_iter().map(with).collect::<Option<Vec<_>>>().ok_or(Unknown)?
                    }
                    Err(Stop::Element(variable, index)) => {
                        let before = before.ok_or(Unknown)?;
                        let forks = with_element(&before, variable, index, *left / before.size().max(1));
                        forks.ok_or(Unknown)?
                    }
                    Err(Stop::Unknown) => return Err(Unknown),
                };
                for (state, share) in forks {
                    let probability = probability.times(&share).ok_or(Unknown)?;
                    add(&mut open, state, probability, spent)?;
                }
                break;
            }
        }
        Ok(said)
    }

    /// Returns the states after a room that found no place.
    fn pass_over(&self, belief: &Belief) -> Result<Belief, Unknown> {
        let takes_values = self.prepared.catalog().loader.rules.has(LoaderRule::FailedRoomsTakeValues);
        let mut passed = Belief::new();
        for (state, (probability, spent)) in belief {
            let (mut state, mut spent) = (state.clone(), *spent);
            let mut rooms = 0;
            loop {
                let at = usize::try_from(state.frame.at).map_err(|_| Unknown)?;
                // If the room has no end, the script ends inside it.
                let Some((code, _)) = self.ops.get(at) else { break };
                spent += 1;
                if spent > self.settings.fuel {
                    return Err(Unknown);
                }
                match code {
                    Opcode::Room | Opcode::Subroom if takes_values => return Err(Unknown),
                    Opcode::Room | Opcode::Subroom => rooms += 1,
                    Opcode::EndRoom if rooms == 0 => {
                        state.frame.at += 1;
                        break;
                    }
                    Opcode::EndRoom => rooms -= 1,
                    _ => {}
                }
                state.frame.at += 1;
            }
            add(&mut passed, state, probability.clone(), spent)?;
        }
        Ok(passed)
    }

    /// Drops variables that can no longer be read.
    fn forget(&self, state: &mut State) {
        let (Some(reach), true) = (&self.reach, state.callers.is_empty() && state.stack.is_empty()) else { return };
        let from = usize::try_from(state.frame.at).ok().and_then(|at| reach.earliest.get(at));
        let is_read = |name: &Rc<[u8]>| from.is_some_and(|from| reach.last.get(name).is_some_and(|last| last >= from));
        state.variables.retain(|(name, _)| is_read(name));
    }

    /// Runs the next opcode.
    fn step(&self, state: &mut State) -> Result<Step, Stop> {
        let at = usize::try_from(state.frame.at).map_err(|_| Stop::Unknown)?;
        let Some((code, operand)) = self.ops.get(at) else { return Ok(Step::End) };
        match code {
            Opcode::Null => {}
            Opcode::Exit => return Ok(Step::End),
            Opcode::Push => state.push(operand.clone())?,
            Opcode::Pop => {
                let operands::Pop { .. } = state.operands()?;
            }
            Opcode::Copy => {
                let operands::Copy { value } = state.operands()?;
                state.push(value.clone())?;
                state.push(value)?;
            }
            Opcode::FramePush => state.enter(state.frame.at)?,
            Opcode::FramePop => state.leave(),
            Opcode::Call => self.call(state)?,
            Opcode::Return => return_(state)?,
            Opcode::Jmp => {
                let operands::Jmp { distance } = state.operands()?;
                self.jump(state, distance);
            }
            Opcode::Jl | Opcode::Jle | Opcode::Jg | Opcode::Jge | Opcode::Je | Opcode::Jne => {
                let operands::Jl { distance, result } = state.operands()?;
                if is_taken(*code, result) {
                    self.jump(state, distance);
                }
            }
            Opcode::Cmp
            | Opcode::Dec
            | Opcode::Inc
            | Opcode::MathSign
            | Opcode::MathAdd
            | Opcode::MathSub
            | Opcode::MathMul
            | Opcode::MathDiv
            | Opcode::MathMod => {
                let result = compute(*code, state)?;
                state.push(result)?;
            }
            Opcode::Rn2 => {
                let operands::Rn2 { below } = state.operands()?;
                return draw(below.max(1) as i32);
            }
            Opcode::Dice => {
                let operands::Dice { sides, dice } = state.operands()?;
                return throw(dice.max(1) as i32, sides.max(1) as i32);
            }
            Opcode::VarInit => set_variable(state)?,
            Opcode::ShuffleArray => {
                let operands::ShuffleArray { name } = state.operands()?;
                if let Some((_, Content::Array(known, left))) = state.variable(&name).map(|at| &mut state.variables[at])
                {
                    let left = Rc::make_mut(left);
                    left.extend(Rc::make_mut(known).iter_mut().filter_map(Option::take));
                    left.sort_unstable();
                }
            }
            Opcode::CoreFunc => return self.core_function(state),
            Opcode::ConvertType => self.convert(state)?,
            _ => return self.statement(*code, state),
        }
        Ok(Step::Done)
    }

    /// The game around the level. Records that the script queries a part of it.
    fn ask(&self, part: Surrounding) -> &'a Settings {
        let mut requested = self.requested.get();
        requested.add(part);
        self.requested.set(requested);
        self.settings
    }

    fn jump(&self, state: &mut State, offset: i64) {
        let frame = &mut state.frame;
        let at = frame.at.wrapping_add(offset.wrapping_sub(1));
        if (0..self.ops.len() as i64).contains(&at) && at != frame.at {
            frame.at = at;
        }
    }

    fn call(&self, state: &mut State) -> Result<(), Stop> {
        let operands::Call { distance, count } = state.operands()?;
        if count < 0 {
            return Err(Stop::Unknown);
        }
        let at = state.frame.at.wrapping_add(distance.wrapping_sub(1));
        let reversed = self.prepared.catalog().has(Feature::ParametersAreReversed);
        let role = if reversed { Role::Unread } else { Role::Any };
        let mut values = Vec::new();
        for _ in 0..count {
            values.push(state.take(role)?);
        }
        if reversed {
            values.reverse();
        }
        state.enter(at)?;
        values.into_iter().rev().try_for_each(|value| state.push(value))
    }

    /// Runs a function of the game that does not depend on the level.
    fn core_function(&self, state: &mut State) -> Result<Step, Stop> {
        let operands::CoreFunc { function } = state.operands()?;
        let function = self.prepared.game.core_function(function).ok_or(Stop::Unknown)?;
        let value = match function {
            CoreFunction::Random => {
                let operands::Rn2 { below } = state.operands()?;
                return draw(below.max(1) as i32);
            }
            CoreFunction::Depth => Value::integer(self.ask(Surrounding::Depth).depth.into()),
            CoreFunction::Difficulty => Value::integer(self.ask(Surrounding::Difficulty).difficulty.into()),
            function if function.is_of_clock() => return Err(Stop::Unknown),
            CoreFunction::HeroRole => Value::Text(self.ask(Surrounding::HeroRole).hero.role.as_bytes().into()),
            CoreFunction::HeroRace => Value::Text(self.ask(Surrounding::HeroRace).hero.race.as_bytes().into()),
            CoreFunction::ToPlace => {
                let operands::Coordinates { y, x } = state.operands()?;
                place(x, y)
            }
            CoreFunction::Length => match state.pop()? {
                Value::Variable(name) => match state.variable(&name).map(|at| &state.variables[at].1) {
                    Some(Content::Array(known, _)) => Value::integer(known.len() as i64),
                    _ => return Err(Stop::Unknown),
                },
                _ => return Err(Stop::Unknown),
            },
            _ => return Err(Stop::Unknown),
        };
        state.push(value)?;
        Ok(Step::Done)
    }

    fn convert(&self, state: &mut State) -> Result<(), Stop> {
        let operands::Conversion { from, to } = state.operands()?;
        let known = |name: &str| self.prepared.catalog().value_type(name);
        let (number, coordinate) = (known("int"), known("coordinate"));
        if Some(from) == number && Some(to) == coordinate && from != to {
            let operands::Coordinates { y, x } = state.operands()?;
            return state.push(place(x, y));
        }
        if Some(from) == coordinate && Some(to) == number && from != to {
            let operands::ConvertedPlace { place } = state.operands()?;
            state.push(Value::integer(place >> 16 & 0xff))?;
            return state.push(Value::integer(place & 0xff));
        }
        Err(Stop::Unknown)
    }

    /// Replaces a filling that MAZEWALK leaves to the loader by the one that it takes, if the script cannot set the
    /// flag that changes it.
    fn fill_as_usual(&self, taken: &mut [Value]) {
        const FLOOR: char = '.';
        let catalog = self.prepared.catalog();
        let corridors = catalog.word(Group::Flag, "corrmaze").unwrap_or(0);
        let sets_flags = |pair: &[(Opcode, Value)]| match pair {
            [(Opcode::Push, Value::Number(_, flags)), (Opcode::LevelFlags, _)] => flags & corridors != 0,
            [_, (code, _)] => *code == Opcode::LevelFlags,
            _ => false,
        };
        if let Some(Value::Number(_, filling @ ..1)) = taken.first_mut()
            && !self.ops.windows(2).any(sets_flags)
            && let Some(floor) = catalog.terrain(FLOOR)
        {
            *filling = floor.into();
        }
    }

    /// Takes the operands of a statement for the loader.
    fn statement(&self, code: Opcode, state: &mut State) -> Result<Step, Stop> {
        let once = match code {
            Opcode::MonGeneration => Some(0),
            Opcode::LevelSounds => Some(1),
            // At a place outside the level, it leaves nothing on the stack.
            Opcode::SelFlood => return Err(Stop::Unknown),
            _ => None,
        };
        if let Some(at) = once
            && std::mem::replace(&mut state.once[at], true)
        {
            return Err(Stop::Unknown);
        }
        let signature = code.signature();
        let mut taking = Taking { state: &mut *state, taken: Vec::new() };
        signature.follow(self.prepared.catalog(), &mut taking)?;
        let mut taken = taking.taken;
        if code == Opcode::MazeWalk {
            self.fill_as_usual(&mut taken);
        }
        for gives in signature.gives {
            let Gives::Value(tag) = *gives else { return Err(Stop::Unknown) };
            state.push(Value::Answer(tag, state.answers))?;
            state.answers += 1;
        }
        Ok(Step::Statement((code as usize, taken)))
    }
}

/// Range of opcodes in which variables are read.
struct Reach {
    /// For each opcode outside functions, the earliest opcode that can still run: jumps may lead back.
    earliest: Vec<usize>,
    /// The last opcode that pushes each name.
    last: HashMap<Rc<[u8]>, usize>,
}

impl Reach {
    /// Returns `None` if names or jump offsets are not pushed directly before their use.
    fn of(ops: &[(Opcode, Value)]) -> Option<Self> {
        let mut targets = vec![usize::MAX; ops.len()];
        let mut last = HashMap::new();
        for (at, (code, pushed)) in ops.iter().enumerate() {
            if let Value::Text(name) | Value::Variable(name) = pushed {
                last.insert(name.clone(), at);
            }
            let before = at.checked_sub(1).and_then(|before| ops.get(before));
            match (code, before) {
                (Opcode::VarInit | Opcode::ShuffleArray, Some((Opcode::Push, Value::Text(_)))) => {}
                (Opcode::VarInit | Opcode::ShuffleArray, _) => return None,
                (Opcode::Exit | Opcode::Return, _) => {}
                (code, Some((Opcode::Push, Value::Number(ValueType::Integer, offset)))) if code.jumps() => {
                    let target = i64::try_from(at).ok()?.wrapping_add(*offset);
                    targets[at] = usize::try_from(target).unwrap_or(0);
                }
                (code, _) if code.jumps() => return None,
                _ => {}
            }
        }
        // Minimum target of all jumps from each opcode on.
        for at in (1..ops.len()).rev() {
            targets[at - 1] = targets[at - 1].min(targets[at]);
        }
        let mut earliest = Vec::with_capacity(ops.len());
        for (at, &target) in targets.iter().enumerate() {
            let first = if target < at { earliest.get(target).copied()? } else { at };
            earliest.push(first);
        }
        Some(Reach { earliest, last })
    }
}

/// Splits a state into the states in which an element of a shuffled array is known, unless there are more than `most`.
fn with_element(state: &State, variable: usize, index: usize, most: u64) -> Option<Vec<(State, Ratio)>> {
    let Content::Array(_, left) = &state.variables.get(variable)?.1 else { return None };
    let mut different = Vec::clone(left);
    different.dedup();
    if different.len() as u64 > most {
        return None;
    }
    let of = left.len() as u32;
    let forks = different.into_iter().map(|value| {
        let mut state = state.clone();
        let times = left.iter().filter(|known| **known == value).count() as u32;
        let Content::Array(known, left) = &mut state.variables.get_mut(variable)?.1 else { return None };
        let left = Rc::make_mut(left);
        left.remove(left.iter().position(|known| *known == value)?);
        *Rc::make_mut(known).get_mut(index)? = Some(value);
        Some((state, Ratio::new(times.into(), of.into())?))
    });
    forks.collect()
}

fn add(belief: &mut Belief, state: State, probability: Ratio, spent: u64) -> Result<(), Unknown> {
    let (sum, most) = belief.entry(state).or_insert_with(|| (Ratio::zero(), 0));
    *sum = sum.plus(&probability).ok_or(Unknown)?;
    *most = spent.max(*most);
    Ok(())
}

fn place(x: i64, y: i64) -> Value {
    Value::Number(ValueType::Coordinate, (x & 0xff) + ((y & 0xff) << 16))
}

/// Pops the operands of a calculation and returns its result.
fn compute(code: Opcode, state: &mut State) -> Result<Value, Stop> {
    Ok(match code {
        Opcode::Cmp => {
            let (operands::Right { right }, operands::Left { left }) = (state.operands()?, state.operands()?);
            match (&left, &right) {
                (Value::Number(tag, left), Value::Number(of, right)) if tag == of => {
                    Value::integer(compared(*right, *left))
                }
                (Value::Text(left), Value::Text(right)) => Value::integer(EQUAL * i64::from(left == right)),
                _ => return Err(Stop::Unknown),
            }
        }
        Opcode::MathAdd => {
            let operands::MathAdd { right, left } = state.operands()?;
            match (left, right) {
                (Value::Number(ValueType::Integer, left), Value::Number(ValueType::Integer, right)) => {
                    Value::integer(left.wrapping_add(right))
                }
                (Value::Text(left), Value::Text(right)) => Value::Text([&*left, &*right].concat().into()),
                _ => return Err(Stop::Unknown),
            }
        }
        Opcode::Dec | Opcode::Inc | Opcode::MathSign => {
            let operands::Dec { number } = state.operands()?;
            Value::integer(match code {
                Opcode::Dec => number.wrapping_sub(1),
                Opcode::Inc => number.wrapping_add(1),
                _ => number.signum(),
            })
        }
        _ => {
            let operands::MathSub { right, left } = state.operands()?;
            Value::integer(match code {
                Opcode::MathSub => left.wrapping_sub(right),
                Opcode::MathMul => left.wrapping_mul(right),
                _ if right < 1 => return Err(Stop::Unknown),
                Opcode::MathDiv => left / right,
                _ => left % right,
            })
        }
    })
}

/// Draws below a number.
fn draw(below: i32) -> Result<Step, Stop> {
    throw_with(1, below, 0)
}

/// Rolls dice and sums them up.
fn throw(dice: i32, sides: i32) -> Result<Step, Stop> {
    throw_with(dice, sides, i64::from(dice))
}

/// Sums `draws` draws below a number, plus `least`.
fn throw_with(draws: i32, below: i32, least: i64) -> Result<Step, Stop> {
    let results = i64::from(draws).saturating_mul(below.into());
    let steps = if draws > 1 { results.saturating_mul(results) } else { results };
    if below < 1 || results > MAX_DICE_RESULTS || steps > MAX_DICE_STEPS {
        return Err(Stop::Unknown);
    }
    let one = Ratio::one_in(below as u128).ok_or(Stop::Unknown)?;
    let mut sums = BTreeMap::from([(least, Ratio::one())]);
    for _ in 0..draws {
        let mut more: BTreeMap<i64, Ratio> = BTreeMap::new();
        for (sum, probability) in &sums {
            let share = probability.times(&one).ok_or(Stop::Unknown)?;
            for drawn in 0..i64::from(below) {
                let known = more.entry(sum + drawn).or_insert_with(Ratio::zero);
                *known = known.plus(&share).ok_or(Stop::Unknown)?;
            }
        }
        sums = more;
    }
    Ok(Step::Draw(sums.into_iter().map(|(sum, probability)| (Value::integer(sum), probability)).collect()))
}

fn return_(state: &mut State) -> Result<(), Stop> {
    if state.callers.is_empty() {
        return Err(Stop::Unknown);
    }
    let operands::Return { count } = state.operands()?;
    let own = state.stack.len().saturating_sub(state.frame.stack);
    let count = usize::try_from(count).ok().filter(|&count| count <= own).ok_or(Stop::Unknown)?;
    let values: Vec<Value> = state.stack.drain(state.stack.len() - count..).rev().collect();
    state.leave();
    state.stack.extend(values);
    Ok(())
}

/// Sets a variable to a value (length 0), an array of `length` values, or, for a negative length, a copy of another
/// variable.
fn set_variable(state: &mut State) -> Result<(), Stop> {
    let (operands::VarInit { name }, operands::Length { count }) = (state.operands()?, state.operands()?);
    let known = state.variable(&name);
    let content = match count {
        ..0 => {
            let operands::CopiedVariable { source } = state.operands()?;
            let at = state.variable(&source).ok_or(Stop::Unknown)?;
            match &state.variables[at].1 {
                // Elements that are still unknown would have to be equal in both copies.
                Content::Array(_, left) if !left.is_empty() => return Err(Stop::Unknown),
                content => content.clone(),
            }
        }
        0 => {
            let operands::SingleValue { value } = state.operands()?;
            let before = known.map(|known| &state.variables[known].1);
            match before {
                Some(Content::Array(..)) => return Err(Stop::Unknown),
                Some(Content::Single(before)) if before.tag() != value.tag() => return Err(Stop::Unknown),
                _ => Content::Single(value),
            }
        }
        _ => {
            let own = state.stack.len().saturating_sub(state.frame.stack);
            let count = usize::try_from(count).ok().filter(|&count| count <= own).ok_or(Stop::Unknown)?;
            let mut values = vec![None; count];
            for slot in values.iter_mut().rev() {
                let operands::ArrayValue { value } = state.operands()?;
                *slot = Some(value);
            }
            Content::Array(Rc::new(values), Rc::default())
        }
    };
    match known {
        Some(known) => state.variables[known].1 = content,
        None if state.variables.len() >= MAX_VARIABLES => return Err(Stop::Unknown),
        None => state.variables.push((name, content)),
    }
    Ok(())
}
