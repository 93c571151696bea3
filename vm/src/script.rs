//! The level machine of the script dialects, which runs opcodes (`sp_level_coder` of UnNetHack 6.0.4, SporkHack 0.7.0
//! and NetHack 3.6).
//!
//! The machine behaves like the games' machines even on wrong operands. If a game silently skips a statement, so does
//! the machine, and reports it to the observer. If a game gives up or crashes, the run ends with a [`Fault`].

pub(crate) mod comparison;
mod core;
mod maps;
mod messages;
mod selections;
mod statements;
mod variables;

use std::hash::Hash;

use splc_ir::catalog::{Feature, LoaderRule};
use splc_ir::program::{Opcode, OperandStack, Operands, Parameter, operands};
use splc_ir::value::ValueType;

use crate::digest::Digest;
use crate::error::Fault;
use crate::level::{Level, Place};
use crate::limits::MAX_NESTED_ROOMS;
use crate::loader::{Finish, Flips, Loader, Scratch};
use crate::observer::{Complaint, Flow, Observer};
use crate::prepared::Prepared;
use crate::rng::Source;
use crate::selection::Selection;
use crate::settings::Settings;
use crate::value::{Frame, Memory, TextRef, Value};
use crate::view::View;
use comparison::{EQUAL, compared, is_taken};

/// The reason an opcode ends early.
pub(crate) enum Stop {
    /// An operand is missing or has another type than `wanted`. Most opcodes are then skipped, without the operands
    /// taken so far.
    Skipped {
        /// Name of the operand.
        name: &'static str,
        wanted: ValueType,
    },
    Fault(Fault),
}

impl From<Fault> for Stop {
    fn from(fault: Fault) -> Self {
        Stop::Fault(fault)
    }
}

/// Returns `None` for what was skipped.
fn given<T>(outcome: Result<T, Stop>) -> Result<Option<T>, Fault> {
    match outcome {
        Ok(given) => Ok(Some(given)),
        Err(Stop::Skipped { .. }) => Ok(None),
        Err(Stop::Fault(fault)) => Err(fault),
    }
}

/// A running script.
pub(crate) struct Script<'a> {
    pub loader: Loader<'a>,
    pub memory: &'a mut Memory,
    pub prepared: &'a Prepared,
    /// The rooms that the script is in; `None` for a room that failed, and for the level itself.
    rooms: [Option<usize>; MAX_NESTED_ROOMS + 1],
    /// Number of entries in `rooms`, including the level.
    depth: usize,
    /// Number of rooms nested in a failed room.
    skipped_rooms: i64,
    /// The array that is being set again.
    array_set: Option<usize>,
    exits: bool,
    joined: bool,
    generation_set: bool,
    sounds_set: bool,
    wishes: Finish,
}

impl<'a> Script<'a> {
    /// Runs a program on an empty level and finishes the level. An error carries the position of its opcode.
    pub fn run(
        prepared: &'a Prepared,
        settings: &'a Settings,
        level: &'a mut Level,
        scratch: &'a mut Scratch,
        memory: &'a mut Memory,
        rng: Source<'a>,
        observer: Option<&'a mut dyn Observer>,
    ) -> Result<(), (usize, Fault)> {
        memory.clear();
        let loader = Loader::new(level, scratch, &prepared.game, settings, rng, observer);
        let mut script = Script {
            loader,
            memory,
            prepared,
            rooms: [None; MAX_NESTED_ROOMS + 1],
            depth: 1,
            skipped_rooms: 0,
            array_set: None,
            exits: false,
            joined: false,
            generation_set: false,
            sounds_set: false,
            wishes: Finish {
                flips: Flips { top_to_bottom: true, left_to_right: true },
                ways_out: false,
                solid: false,
                premapped: false,
            },
        };
        script.loader.shuffle_alignments();
        script.steps()?;
        if script.loader.observer.wants_state() {
            let state = script.state();
            script.loader.observer.state(state);
        }
        let (at, origin) = (prepared.ops.len(), script.origin());
        let (corner, blocks) = ((script.loader.start_x, script.loader.start_y), script.depth - 1);
        let view = View { prepared, memory: script.memory, level: script.loader.level, at, origin, corner, blocks };
        script.loader.observer.finishing(&view);
        let wishes = script.wishes;
        script.loader.finish(&wishes).map_err(|fault| (prepared.ops.len(), fault))
    }

    /// Runs opcodes until the program ends.
    fn steps(&mut self) -> Result<(), (usize, Fault)> {
        let ops = &self.prepared.ops;
        let mut spent = 0;
        while !self.exits {
            let at = self.memory.frame.at;
            let Some(&op) = usize::try_from(at).ok().and_then(|at| ops.get(at)) else {
                // The script ends after the last opcode.
                return if at >= 0 { Ok(()) } else { Err((ops.len(), Fault::BadJump)) };
            };
            let at = at as usize;
            if spent > self.loader.settings.fuel {
                // The game runs one more opcode.
                self.loader.complain(Complaint::TooMuchTime);
                self.exits = true;
            }
            spent += 1;
            // Everything in a failed room is skipped except its end.
            if self.loader.observer.is_some() && (!self.passes() || op.code == Opcode::EndRoom) {
                let origin = self.origin();
                if self.loader.observer.wants_state() {
                    let state = self.state();
                    self.loader.observer.state(state);
                }
                let (corner, blocks) = ((self.loader.start_x, self.loader.start_y), self.depth - 1);
                let (prepared, memory, level) = (self.prepared, &*self.memory, &*self.loader.level);
                let view = View { prepared, memory, level, at, origin, corner, blocks };
                if self.loader.observer.step(&view) == Flow::Stop {
                    return Err((at, Fault::Stopped));
                }
            }
            match op.code {
                Opcode::EndRoom | Opcode::Room | Opcode::Subroom => self.opcode(op.code, at)?,
                _ if self.passes() => {}
                Opcode::Push => self.memory.push(op.value).map_err(|fault| (at, fault))?,
                code => self.opcode(code, at)?,
            }
            self.memory.frame.at = self.memory.frame.at.wrapping_add(1);
        }
        Ok(())
    }

    /// Hashes all state that determines the rest of the run, except its draws and its elapsed length.
    fn state(&self) -> u128 {
        // No `..`: a new field must be considered here.
        let Script {
            loader,
            memory,
            prepared,
            rooms,
            depth,
            skipped_rooms,
            array_set,
            exits,
            joined,
            generation_set,
            sounds_set,
            wishes,
        } = self;
        let mut digest = Digest::default();
        loader.digest(&mut digest);
        memory.digest(&prepared.bytes, &mut digest);
        (&rooms[..*depth], skipped_rooms, array_set, exits, joined, generation_set, sounds_set, wishes)
            .hash(&mut digest);
        digest.finish128()
    }

    /// Origin of coordinates: the current room, or the last map.
    #[inline]
    fn origin(&self) -> Place {
        match self.room() {
            Some(room) => (self.loader.level.rooms[room].low_x, self.loader.level.rooms[room].low_y),
            None => (self.loader.start_x, self.loader.start_y),
        }
    }

    /// The current room.
    #[inline]
    fn room(&self) -> Option<usize> {
        self.rooms[self.depth - 1]
    }

    /// Returns true if statements are skipped because their room failed.
    #[inline]
    fn passes(&self) -> bool {
        self.depth > 1 && self.room().is_none()
    }

    // The stack.

    /// Pops the top value and resolves a variable to its value. Returns `None` if the stack is empty
    /// (`splev_stack_getdat_any`).
    fn pop_any(&mut self) -> Result<Option<Value>, Fault> {
        match self.memory.pop() {
            Some(Value::Variable(name)) => self.variable_value(name),
            None => {
                self.loader.complain(Complaint::EmptyStack);
                Ok(None)
            }
            value => Ok(value),
        }
    }

    /// Pops a value that must exist, because the game reads it unchecked.
    fn pop_some(&mut self) -> Result<Value, Fault> {
        self.pop_any()?.ok_or(Fault::EmptyStack)
    }

    /// Pops a value of a type. A value of another type is lost (`splev_stack_getdat`).
    fn pop(&mut self, name: &'static str, wanted: ValueType) -> Result<Value, Stop> {
        let value = match self.memory.pop() {
            Some(Value::Variable(name)) => match self.variable_value(name)? {
                Some(value) => value,
                None => {
                    let name = self.memory.text(&self.prepared.bytes, name);
                    return Err(Fault::UndefinedVariable(self.decode(name).into_owned()).into());
                }
            },
            Some(value) => value,
            None => return Err(Fault::EmptyStack.into()),
        };
        if value.tag() == wanted {
            Ok(value)
        } else {
            self.loader.complain(Complaint::WrongType { wanted });
            Err(Stop::Skipped { name, wanted })
        }
    }

    /// Pops a number of a type.
    #[inline]
    fn number(&mut self, name: &'static str, wanted: ValueType) -> Result<i64, Stop> {
        match self.memory.pop_number(wanted) {
            Some(number) => Ok(number),
            None => self.other_number(name, wanted),
        }
    }

    /// Pops a value that is not directly a number of that type: a variable, or a mismatch.
    #[cold]
    fn other_number(&mut self, name: &'static str, wanted: ValueType) -> Result<i64, Stop> {
        self.pop(name, wanted).map(Value::number)
    }

    /// Pops operands without which the game gives up. `names` are the names of the operands in its error.
    fn need<const N: usize, T: Operands<Self>>(&mut self, names: [&'static str; N]) -> Result<T, Stop> {
        const { assert!(T::PARAMETERS.len() == N) };
        self.operands().map_err(|stop| match stop {
            Stop::Skipped { name, wanted } => {
                let at = T::PARAMETERS.iter().position(|parameter| parameter.name == name);
                Fault::WrongType { wanted, what: at.map_or(name, |at| names[at]) }.into()
            }
            fault => fault,
        })
    }

    // Control.

    /// Runs the opcode at `at`.
    #[inline]
    fn opcode(&mut self, code: Opcode, at: usize) -> Result<(), (usize, Fault)> {
        match self.step(code) {
            Ok(()) | Err(Stop::Skipped { .. }) => Ok(()),
            Err(Stop::Fault(fault)) => Err((at, fault)),
        }
    }

    /// Runs one opcode.
    fn step(&mut self, code: Opcode) -> Result<(), Stop> {
        match code {
            Opcode::Null | Opcode::Push => {}
            Opcode::Exit => self.exits = true,
            Opcode::Pop => {
                if self.operands::<operands::Pop<Self>>().is_err() {
                    self.loader.complain(Complaint::EmptyStack);
                }
            }
            Opcode::Copy => {
                let operands::Copy { value } = self.operands()?;
                self.memory.push(value)?;
                self.memory.push(value)?;
            }
            Opcode::FramePush => {
                let at = self.memory.frame.at;
                self.enter(at)?;
            }
            Opcode::FramePop => self.leave(),
            Opcode::Call => self.call()?,
            Opcode::Return => self.return_()?,
            Opcode::Jmp => {
                let operands::Jmp { distance } = self.operands()?;
                self.jump(distance);
            }
            Opcode::Jl | Opcode::Jle | Opcode::Jg | Opcode::Jge | Opcode::Je | Opcode::Jne => {
                let operands::Jl { distance, result } = self.operands()?;
                if is_taken(code, result) {
                    self.jump(distance);
                }
            }
            Opcode::Cmp => self.compare()?,
            Opcode::Dec => self.change(|number| number.wrapping_sub(1))?,
            Opcode::Inc => self.change(|number| number.wrapping_add(1))?,
            Opcode::MathSign => self.change(i64::signum)?,
            Opcode::MathAdd => self.add()?,
            Opcode::MathSub => self.calculate(i64::wrapping_sub)?,
            Opcode::MathMul => self.calculate(i64::wrapping_mul)?,
            Opcode::MathDiv => self.divide(|one, other| one / other)?,
            Opcode::MathMod => self.divide(|one, other| one % other)?,
            Opcode::Rn2 => {
                let operands::Rn2 { below } = self.operands()?;
                let number = if below > 1 { self.loader.rn2(below as i32) } else { 0 };
                self.memory.push(Value::integer(number.into()))?;
            }
            Opcode::Dice => self.roll_dice()?,
            Opcode::VarInit => self.set_variable()?,
            Opcode::ShuffleArray => self.shuffle_array()?,
            Opcode::ConvertType => self.convert()?,
            Opcode::CoreFunc => self.core_function()?,
            Opcode::Map => self.map()?,
            Opcode::SelAdd
            | Opcode::SelPoint
            | Opcode::SelRect
            | Opcode::SelFillRect
            | Opcode::SelLine
            | Opcode::SelRndLine
            | Opcode::SelGrow
            | Opcode::SelFlood
            | Opcode::SelRndCoord
            | Opcode::SelEllipse
            | Opcode::SelFilter
            | Opcode::SelGradient
            | Opcode::SelComplement => self.select(code)?,
            _ => self.statement(code)?,
        }
        Ok(())
    }

    /// Pushes a frame whose next opcode is the one after `at`.
    fn enter(&mut self, at: i64) -> Result<(), Fault> {
        let frame = Frame { stack: self.memory.stack.len(), variables: self.memory.variables.len(), at };
        self.memory.push_frame(frame)
    }

    /// Pops a frame, unless it is that of the level.
    fn leave(&mut self) {
        if let Some(caller) = self.memory.callers.pop() {
            let frame = std::mem::replace(&mut self.memory.frame, caller);
            self.memory.stack.truncate(frame.stack);
            self.memory.variables.truncate(frame.variables);
        }
    }

    /// Calls a function with values from the stack (`spo_call`).
    fn call(&mut self) -> Result<(), Stop> {
        let operands::Call { distance, count } = self.operands()?;
        if count < 0 {
            return Ok(());
        }
        let at = self.memory.frame.at.wrapping_add(distance.wrapping_sub(1));
        let mut values = std::mem::take(&mut self.memory.scratch);
        values.clear();
        let moved = if self.prepared.catalog().has(Feature::ParametersAreReversed) {
            let moved = self.take_unread_values(count, &mut values);
            values.reverse();
            moved
        } else {
            self.take_values(count, &mut values)
        };
        let entered = moved.and_then(|()| self.enter(at));
        if entered.is_ok() {
            self.memory.stack.extend(values.iter().rev());
        }
        self.memory.scratch = values;
        Ok(entered?)
    }

    /// Pops values without resolving variables. For a missing value the game would pass one that crashes every opcode.
    fn take_unread_values(&mut self, count: i64, values: &mut Vec<Value>) -> Result<(), Fault> {
        for _ in 0..count {
            values.push(self.memory.pop().ok_or(Fault::EmptyStack)?);
        }
        Ok(())
    }

    fn take_values(&mut self, count: i64, values: &mut Vec<Value>) -> Result<(), Fault> {
        for _ in 0..count {
            let empty = self.memory.stack.len() <= self.memory.frame.stack;
            if let Some(value) = self.pop_any()? {
                values.push(value);
            }
            if empty {
                break;
            }
        }
        Ok(())
    }

    /// Returns from a function with values from its stack (`spo_return`).
    fn return_(&mut self) -> Result<(), Stop> {
        if self.memory.callers.is_empty() {
            let ignored = self.loader.has(LoaderRule::ReturnNeedsNoFunction);
            return if ignored { Ok(()) } else { Err(Fault::NoFrame.into()) };
        }
        let operands::Return { count } = self.operands()?;
        if count < 0 {
            return Ok(());
        }
        let first = self.memory.frame.stack;
        let own = self.memory.stack.len().saturating_sub(first);
        let moved = usize::try_from(count).unwrap_or(usize::MAX).min(own);
        if (moved as i64) < count {
            self.loader.complain(Complaint::EmptyStack);
        }
        let mut values = std::mem::take(&mut self.memory.scratch);
        values.clear();
        values.extend(self.memory.stack.drain(first + own - moved..).rev());
        self.leave();
        self.memory.stack.extend_from_slice(&values);
        self.memory.scratch = values;
        Ok(())
    }

    /// Jumps, unless the target is outside the program or the current opcode itself (`spo_jmp`).
    fn jump(&mut self, distance: i64) {
        let count = self.prepared.ops.len() as i64;
        let frame = &mut self.memory.frame;
        let at = frame.at.wrapping_add(distance.wrapping_sub(1));
        if (0..count).contains(&at) && at != frame.at {
            frame.at = at;
        }
    }

    // Arithmetic.

    fn change(&mut self, change: impl Fn(i64) -> i64) -> Result<(), Stop> {
        let operands::Dec { number } = self.operands()?;
        Ok(self.memory.push(Value::integer(change(number)))?)
    }

    fn calculate(&mut self, calculate: impl Fn(i64, i64) -> i64) -> Result<(), Stop> {
        let operands::MathSub { right, left } = self.operands()?;
        Ok(self.memory.push(Value::integer(calculate(left, right)))?)
    }

    /// Divides; a divisor below 1 gives 0.
    fn divide(&mut self, divide: impl Fn(i64, i64) -> i64) -> Result<(), Stop> {
        let operands::MathDiv { right, left } = self.operands()?;
        let number = if right >= 1 {
            divide(left, right)
        } else {
            self.loader.complain(Complaint::DivisionByZero);
            0
        };
        Ok(self.memory.push(Value::integer(number))?)
    }

    fn roll_dice(&mut self) -> Result<(), Stop> {
        let operands::Dice { sides, dice } = self.operands()?;
        let (dice, sides) = (dice.max(1) as i32, sides.max(1) as i32);
        let mut sum = dice;
        for _ in 0..dice {
            sum = sum.wrapping_add(self.loader.rn2(sides));
            self.loader.check_draws()?;
        }
        Ok(self.memory.push(Value::integer(sum.into()))?)
    }

    /// Adds numbers or concatenates texts.
    fn add(&mut self) -> Result<(), Stop> {
        let operands::MathAdd { right, left } = self.operands()?;
        let sum = match (left, right) {
            (Value::Number(ValueType::Integer, left), Value::Number(ValueType::Integer, right)) => {
                Value::integer(left.wrapping_add(right))
            }
            (Value::Text(left), Value::Text(right)) => self.memory.join_texts(&self.prepared.bytes, left, right)?,
            _ => {
                let same = left.tag() == right.tag();
                let complaint = if same { Complaint::WeirdTypesAdded } else { Complaint::DifferentTypesAdded };
                self.loader.complain(complaint);
                left
            }
        };
        Ok(self.memory.push(sum)?)
    }

    /// Converts two numbers to a place, or a place to two numbers.
    fn convert(&mut self) -> Result<(), Stop> {
        let operands::Conversion { from, to } = self.operands()?;
        let catalog = self.prepared.catalog();
        let known = |name: &str| catalog.value_type(name);
        let (number, place) = (known("int"), known("coordinate"));
        if from == to {
            self.loader.complain(Complaint::ConvertedToSame);
        } else if Some(from) == number && Some(to) == place {
            let operands::Coordinates { y, x } = self.operands()?;
            self.memory.push(core::pack_place(x, y))?;
        } else if Some(from) == place && Some(to) == number {
            let operands::ConvertedPlace { place } = self.operands()?;
            self.memory.push(Value::integer(place >> 16 & 0xff))?;
            self.memory.push(Value::integer(place & 0xff))?;
        } else if Some(from) == number || Some(from) == place {
            self.loader.complain(Complaint::ConvertedTo);
        } else {
            self.loader.complain(Complaint::ConvertedFrom);
        }
        Ok(())
    }

    /// Compares two values of one type.
    fn compare(&mut self) -> Result<(), Stop> {
        // The second value is popped even if the first is missing.
        let (right, left) = (given(self.operands())?, given(self.operands())?);
        let (Some(operands::Right { right }), Some(operands::Left { left })) = (right, left) else {
            self.loader.complain(Complaint::NothingToCompare);
            return Ok(());
        };
        if left.tag() != right.tag() {
            self.loader.complain(Complaint::DifferentTypesCompared);
            return Ok(());
        }
        let result = match (left, right) {
            (Value::Number(_, left), Value::Number(_, right)) => compared(right, left),
            (Value::Text(left), Value::Text(right)) if self.memory.same_text(&self.prepared.bytes, left, right) => {
                EQUAL
            }
            _ => 0,
        };
        Ok(self.memory.push(Value::integer(result))?)
    }
}

impl OperandStack for Script<'_> {
    type Number = i64;
    type Text = TextRef;
    type Selection = Selection;
    type Value = Value;
    type Stop = Stop;

    #[inline(always)]
    fn pop_number(&mut self, parameter: Parameter) -> Result<i64, Stop> {
        self.number(parameter.name, parameter.role.value_type().unwrap_or(ValueType::Integer))
    }

    fn pop_text(&mut self, parameter: Parameter) -> Result<TextRef, Stop> {
        match self.pop(parameter.name, ValueType::String)? {
            Value::Text(text) => Ok(text),
            _ => Err(Stop::Skipped { name: parameter.name, wanted: ValueType::String }),
        }
    }

    fn pop_selection(&mut self, parameter: Parameter) -> Result<Selection, Stop> {
        match self.pop(parameter.name, ValueType::Selection)? {
            Value::Selection(at) => Ok(self.memory.selection(at)),
            _ => Err(Stop::Skipped { name: parameter.name, wanted: ValueType::Selection }),
        }
    }

    /// Pops any value. The games read an unresolved one unchecked.
    fn pop_value(&mut self, parameter: Parameter) -> Result<Value, Stop> {
        if parameter.role.reads_variables() {
            self.pop_any()?.ok_or(Stop::Skipped { name: parameter.name, wanted: ValueType::Null })
        } else {
            Ok(self.memory.pop().ok_or(Fault::EmptyStack)?)
        }
    }
}
