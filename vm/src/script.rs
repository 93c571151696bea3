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

use splc_ir::catalog::LoaderRule;
use splc_ir::program::Opcode;
use splc_ir::value::ValueType;

use crate::digest::Digest;
use crate::error::Fault;
use crate::level::{Level, Place};
use crate::limits::MAX_NESTED_ROOMS;
use crate::loader::{Finish, Flips, Loader, Scratch};
use crate::observer::{Complaint, Flow, Observer};
use crate::prepared::Prepared;
use crate::rng::Rng;
use crate::settings::Settings;
use crate::value::{Frame, Memory, Value};
use crate::view::View;
use comparison::{EQUAL, compared, is_taken};

/// A running script.
pub(crate) struct Script<'a, R, O> {
    pub loader: Loader<'a, R, O>,
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

impl<'a, R: Rng, O: Observer> Script<'a, R, O> {
    /// Runs a program on an empty level and finishes the level. An error carries the position of its opcode.
    pub fn run(
        prepared: &'a Prepared,
        settings: &'a Settings,
        level: &'a mut Level,
        scratch: &'a mut Scratch,
        memory: &'a mut Memory,
        rng: &'a mut R,
        observer: &'a mut O,
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
            if !self.passes() || op.code == Opcode::EndRoom {
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
                Opcode::EndRoom | Opcode::Room | Opcode::Subroom => {
                    self.step(op.code).map_err(|fault| (at, fault))?;
                }
                _ if self.passes() => {}
                Opcode::Push => self.memory.push(op.value).map_err(|fault| (at, fault))?,
                code => self.step(code).map_err(|fault| (at, fault))?,
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
        let mut digest = Digest::new();
        loader.digest(&mut digest);
        memory.digest(&prepared.bytes, &mut digest);
        digest.shown(&(&rooms[..*depth], skipped_rooms, array_set, exits, joined, generation_set, sounds_set, wishes));
        digest.finish()
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
    pub fn pop_any(&mut self) -> Result<Option<Value>, Fault> {
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
    pub fn pop_some(&mut self) -> Result<Value, Fault> {
        self.pop_any()?.ok_or(Fault::EmptyStack)
    }

    /// Pops a value of a type. If it has another type, the value is lost and `None` is returned (`splev_stack_getdat`).
    pub fn pop(&mut self, wanted: ValueType) -> Result<Option<Value>, Fault> {
        let value = match self.memory.pop() {
            Some(Value::Variable(name)) => match self.variable_value(name)? {
                Some(value) => value,
                None => {
                    let name = self.memory.text(&self.prepared.bytes, name);
                    return Err(Fault::UndefinedVariable(self.decode(name).into_owned()));
                }
            },
            Some(value) => value,
            None => return Err(Fault::EmptyStack),
        };
        if value.tag() == wanted {
            Ok(Some(value))
        } else {
            self.loader.complain(Complaint::WrongType { wanted });
            Ok(None)
        }
    }

    /// Pops a number of a type.
    #[inline]
    pub fn pop_number(&mut self, wanted: ValueType) -> Result<Option<i64>, Fault> {
        match self.memory.pop_number(wanted) {
            Some(number) => Ok(Some(number)),
            None => self.pop_other(wanted),
        }
    }

    /// Pops a value that is not directly a number of that type: a variable, or a mismatch.
    #[cold]
    fn pop_other(&mut self, wanted: ValueType) -> Result<Option<i64>, Fault> {
        Ok(self.pop(wanted)?.map(Value::number))
    }

    /// Pops a value of a type; the game gives up if it has another type.
    pub fn need(&mut self, wanted: ValueType, what: &'static str) -> Result<Value, Fault> {
        self.pop(wanted)?.ok_or(Fault::WrongType { wanted, what })
    }

    // Control.

    /// Runs one opcode.
    fn step(&mut self, code: Opcode) -> Result<(), Fault> {
        match code {
            Opcode::Null | Opcode::Push => {}
            Opcode::Exit => self.exits = true,
            Opcode::Pop => {
                if self.memory.pop().is_none() {
                    self.loader.complain(Complaint::EmptyStack);
                }
            }
            Opcode::Copy => {
                let value = self.memory.pop().ok_or(Fault::EmptyStack)?;
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
                if let Some(offset) = self.pop_number(ValueType::Integer)? {
                    self.jump(offset);
                }
            }
            Opcode::Jl | Opcode::Jle | Opcode::Jg | Opcode::Jge | Opcode::Je | Opcode::Jne => {
                let Some(offset) = self.pop_number(ValueType::Integer)? else { return Ok(()) };
                let Some(result) = self.pop_number(ValueType::Integer)? else { return Ok(()) };
                if is_taken(code, result) {
                    self.jump(offset);
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
                let Some(below) = self.pop_number(ValueType::Integer)? else { return Ok(()) };
                let number = if below > 1 { self.loader.rn2(below as i32) } else { 0 };
                self.memory.push(Value::integer(number.into()))?;
            }
            Opcode::Dice => {
                let Some(sides) = self.pop_number(ValueType::Integer)? else { return Ok(()) };
                let Some(dice) = self.pop_number(ValueType::Integer)? else { return Ok(()) };
                let (dice, sides) = (dice.max(1) as i32, sides.max(1) as i32);
                let mut sum = dice;
                for _ in 0..dice {
                    sum = sum.wrapping_add(self.loader.rn2(sides));
                    self.loader.check_draws()?;
                }
                self.memory.push(Value::integer(sum.into()))?;
            }
            Opcode::VarInit => self.set_variable()?,
            Opcode::ShuffleArray => self.shuffle_array()?,
            Opcode::ConvertType => self.convert()?,
            Opcode::CoreFunc => {
                if let Some(number) = self.pop_number(ValueType::Integer)? {
                    self.core_function(number)?;
                }
            }
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
    fn call(&mut self) -> Result<(), Fault> {
        let Some(offset) = self.pop_number(ValueType::Integer)? else { return Ok(()) };
        let Some(count) = self.pop_number(ValueType::Integer)? else { return Ok(()) };
        if count < 0 {
            return Ok(());
        }
        let at = self.memory.frame.at.wrapping_add(offset.wrapping_sub(1));
        let mut values = std::mem::take(&mut self.memory.scratch);
        values.clear();
        let moved = if self.loader.has(LoaderRule::ParametersAreReversed) {
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
        entered
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
    fn return_(&mut self) -> Result<(), Fault> {
        if self.memory.callers.is_empty() {
            let ignored = self.loader.has(LoaderRule::ReturnNeedsNoFunction);
            return if ignored { Ok(()) } else { Err(Fault::NoFrame) };
        }
        let Some(count) = self.pop_number(ValueType::Integer)? else { return Ok(()) };
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
    fn jump(&mut self, offset: i64) {
        let count = self.prepared.ops.len() as i64;
        let frame = &mut self.memory.frame;
        let at = frame.at.wrapping_add(offset.wrapping_sub(1));
        if (0..count).contains(&at) && at != frame.at {
            frame.at = at;
        }
    }

    // Arithmetic.

    fn change(&mut self, change: impl Fn(i64) -> i64) -> Result<(), Fault> {
        match self.pop_number(ValueType::Integer)? {
            Some(number) => self.memory.push(Value::integer(change(number))),
            None => Ok(()),
        }
    }

    fn calculate(&mut self, calculate: impl Fn(i64, i64) -> i64) -> Result<(), Fault> {
        let Some(other) = self.pop_number(ValueType::Integer)? else { return Ok(()) };
        let Some(one) = self.pop_number(ValueType::Integer)? else { return Ok(()) };
        self.memory.push(Value::integer(calculate(one, other)))
    }

    /// Divides; a divisor below 1 gives 0.
    fn divide(&mut self, divide: impl Fn(i64, i64) -> i64) -> Result<(), Fault> {
        let Some(other) = self.pop_number(ValueType::Integer)? else { return Ok(()) };
        let Some(one) = self.pop_number(ValueType::Integer)? else { return Ok(()) };
        let number = if other >= 1 {
            divide(one, other)
        } else {
            self.loader.complain(Complaint::DivisionByZero);
            0
        };
        self.memory.push(Value::integer(number))
    }

    /// Adds numbers or concatenates texts.
    fn add(&mut self) -> Result<(), Fault> {
        let Some(other) = self.pop_any()? else { return Ok(()) };
        let Some(one) = self.pop_any()? else { return Ok(()) };
        let sum = match (one, other) {
            (Value::Number(ValueType::Integer, one), Value::Number(ValueType::Integer, other)) => {
                Value::integer(one.wrapping_add(other))
            }
            (Value::Text(one), Value::Text(other)) => self.memory.join_texts(&self.prepared.bytes, one, other)?,
            _ => {
                let same = one.tag() == other.tag();
                let complaint = if same { Complaint::WeirdTypesAdded } else { Complaint::DifferentTypesAdded };
                self.loader.complain(complaint);
                one
            }
        };
        self.memory.push(sum)
    }

    /// Converts two numbers to a place, or a place to two numbers.
    fn convert(&mut self) -> Result<(), Fault> {
        let Some(from) = self.pop_number(ValueType::Integer)? else { return Ok(()) };
        let Some(to) = self.pop_number(ValueType::Integer)? else { return Ok(()) };
        let catalog = self.prepared.catalog();
        let known = |name: &str| catalog.value_type(name);
        let (number, place) = (known("int"), known("coordinate"));
        if from == to {
            self.loader.complain(Complaint::ConvertedToSame);
        } else if Some(from) == number && Some(to) == place {
            let Some(y) = self.pop_number(ValueType::Integer)? else { return Ok(()) };
            let Some(x) = self.pop_number(ValueType::Integer)? else { return Ok(()) };
            self.memory.push(core::pack_place(x, y))?;
        } else if Some(from) == place && Some(to) == number {
            let Some(packed) = self.pop_number(ValueType::Coordinate)? else { return Ok(()) };
            self.memory.push(Value::integer(packed >> 16 & 0xff))?;
            self.memory.push(Value::integer(packed & 0xff))?;
        } else if Some(from) == number || Some(from) == place {
            self.loader.complain(Complaint::ConvertedTo);
        } else {
            self.loader.complain(Complaint::ConvertedFrom);
        }
        Ok(())
    }

    /// Compares two values of one type.
    fn compare(&mut self) -> Result<(), Fault> {
        let other = self.pop_any()?;
        let one = self.pop_any()?;
        let (Some(one), Some(other)) = (one, other) else {
            self.loader.complain(Complaint::NothingToCompare);
            return Ok(());
        };
        if one.tag() != other.tag() {
            self.loader.complain(Complaint::DifferentTypesCompared);
            return Ok(());
        }
        let result = match (one, other) {
            (Value::Number(_, one), Value::Number(_, other)) => compared(other, one),
            (Value::Text(one), Value::Text(other)) if self.memory.same_text(&self.prepared.bytes, one, other) => EQUAL,
            _ => 0,
        };
        self.memory.push(Value::integer(result))
    }
}
