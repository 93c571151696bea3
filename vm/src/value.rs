//! Values of a script, and their storage while it runs.

use std::hash::Hash;

use splc_ir::value::ValueType;

use crate::digest::Digest;
use crate::error::Fault;
use crate::limits::{MAX_ARRAY_VALUES, MAX_FRAMES, MAX_RUN_TEXT_BYTES, MAX_SELECTIONS, MAX_STACK, MAX_VARIABLES};
use crate::selection::Selection;

/// A text: a range of the program's texts or of the texts created by the run.
#[doc(hidden)]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct TextRef {
    start: u32,
    end: u32,
    of_run: bool,
}

impl TextRef {
    /// Refers to a text of the program. Offsets fit because `MAX_TEXT_BYTES` is below 2^32.
    pub fn of_program(start: usize, end: usize) -> Self {
        TextRef { start: start as u32, end: end as u32, of_run: false }
    }

    /// Bytes of a text of the program.
    pub fn of(self, program: &[u8]) -> &[u8] {
        program.get(self.start as usize..self.end as usize).unwrap_or_default()
    }
}

/// A value on the stack, in a variable, or pushed by an opcode. The games clone values instead of copying them; the
/// result is the same, because nothing ever changes what a value refers to.
#[doc(hidden)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Value {
    Null,
    /// A number of any numeric type.
    Number(ValueType, i64),
    Text(TextRef),
    Variable(TextRef),
    /// Index of a selection created by the run.
    Selection(u32),
}

#[doc(hidden)]
impl Value {
    pub fn integer(number: i64) -> Self {
        Value::Number(ValueType::Integer, number)
    }

    pub fn tag(self) -> ValueType {
        match self {
            Value::Null => ValueType::Null,
            Value::Number(tag, _) => tag,
            Value::Text(_) => ValueType::String,
            Value::Variable(_) => ValueType::Variable,
            Value::Selection(_) => ValueType::Selection,
        }
    }

    /// Returns the number, or 0 if the value is not a number.
    pub fn number(self) -> i64 {
        match self {
            Value::Number(_, number) => number,
            _ => 0,
        }
    }
}

/// The content of a variable.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Content {
    Single(Value),
    /// A range of the array values.
    Array {
        start: u32,
        length: u32,
    },
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Variable {
    pub name: TextRef,
    pub content: Content,
}

/// A running function, or the level itself.
#[derive(Clone, Copy, Debug, Default, Hash)]
pub(crate) struct Frame {
    /// Start of its part of the stack.
    pub stack: usize,
    /// Start of its variables.
    pub variables: usize,
    /// Position of its next opcode.
    pub at: i64,
}

/// All memory of a script.
#[derive(Clone, Debug, Default)]
pub(crate) struct Memory {
    pub stack: Vec<Value>,
    /// The running frame.
    pub frame: Frame,
    /// Frames waiting for it to return.
    pub callers: Vec<Frame>,
    pub variables: Vec<Variable>,
    pub arrays: Vec<Value>,
    pub selections: Vec<Selection>,
    pub texts: Vec<u8>,
    pub scratch: Vec<Value>,
    /// Arrays whose index is being looked up: start and length.
    pub arrays_to_index: Vec<(u32, u32)>,
}

impl Memory {
    /// Clears the memory and starts with the frame of the level.
    pub fn clear(&mut self) {
        self.stack.clear();
        self.frame = Frame::default();
        self.callers.clear();
        self.variables.clear();
        self.arrays.clear();
        self.selections.clear();
        self.texts.clear();
    }

    #[inline]
    pub fn push(&mut self, value: Value) -> Result<(), Fault> {
        if self.stack.len() >= MAX_STACK {
            return Err(Fault::Memory);
        }
        self.stack.push(value);
        Ok(())
    }

    pub fn push_frame(&mut self, frame: Frame) -> Result<(), Fault> {
        // The running frame counts too.
        if self.callers.len() + 1 >= MAX_FRAMES {
            return Err(Fault::FrameNesting);
        }
        self.callers.push(std::mem::replace(&mut self.frame, frame));
        Ok(())
    }

    /// Pops the top value of this frame, or returns `None` if it is empty (`splev_stack_pop`).
    #[inline]
    pub fn pop(&mut self) -> Option<Value> {
        if self.stack.len() > self.frame.stack { self.stack.pop() } else { None }
    }

    /// Pops the top value of this frame if it is a number of that type.
    #[inline]
    pub fn pop_number(&mut self, wanted: ValueType) -> Option<i64> {
        match self.stack.get(self.frame.stack..)?.last() {
            Some(&Value::Number(tag, number)) if tag == wanted => {
                self.stack.pop();
                Some(number)
            }
            _ => None,
        }
    }

    pub fn keep_selection(&mut self, selection: Selection) -> Result<Value, Fault> {
        if self.selections.len() >= MAX_SELECTIONS {
            return Err(Fault::Memory);
        }
        self.selections.push(selection);
        Ok(Value::Selection(self.selections.len() as u32 - 1))
    }

    pub fn selection(&self, at: u32) -> Selection {
        self.selections.get(at as usize).copied().unwrap_or_default()
    }

    /// Stores a text assembled from parts.
    pub fn keep_text(&mut self, parts: &[&[u8]]) -> Result<Value, Fault> {
        let start = self.texts.len();
        let length: usize = parts.iter().map(|part| part.len()).sum();
        if start + length > MAX_RUN_TEXT_BYTES {
            return Err(Fault::Memory);
        }
        for part in parts {
            self.texts.extend_from_slice(part);
        }
        Ok(Value::Text(TextRef { start: start as u32, end: (start + length) as u32, of_run: true }))
    }

    /// Concatenates two texts into a new one.
    pub fn join_texts(&mut self, program: &[u8], one: TextRef, other: TextRef) -> Result<Value, Fault> {
        let start = self.texts.len();
        let length = (one.end - one.start + other.end - other.start) as usize;
        if start + length > MAX_RUN_TEXT_BYTES {
            return Err(Fault::Memory);
        }
        for text in [one, other] {
            let range = text.start as usize..text.end as usize;
            if text.of_run {
                self.texts.extend_from_within(range);
            } else {
                self.texts.extend_from_slice(program.get(range).unwrap_or_default());
            }
        }
        Ok(Value::Text(TextRef { start: start as u32, end: self.texts.len() as u32, of_run: true }))
    }

    /// Hashes everything that a script can still read, independently of where it is stored.
    pub fn digest(&self, program: &[u8], digest: &mut Digest) {
        // No `..`: a new field must be considered here.
        let Memory {
            stack,
            frame,
            callers,
            variables,
            arrays,
            selections: _,
            texts: _,
            scratch: _,
            arrays_to_index: _,
        } = self;
        let value = |value: Value, digest: &mut Digest| {
            value.tag().hash(digest);
            match value {
                Value::Null => {}
                Value::Number(_, number) => number.hash(digest),
                Value::Text(text) | Value::Variable(text) => self.text(program, text).hash(digest),
                Value::Selection(at) => self.selection(at).hash(digest),
            }
        };
        stack.iter().for_each(|&known| value(known, digest));
        for variable in variables {
            value(Value::Variable(variable.name), digest);
            match variable.content {
                Content::Single(single) => value(single, digest),
                Content::Array { start, length } => {
                    // The tag of no value.
                    (u64::MAX, length).hash(digest);
                    let values = arrays.get(start as usize..(start + length) as usize).unwrap_or_default();
                    values.iter().for_each(|&known| value(known, digest));
                }
            }
        }
        (stack.len(), variables.len(), frame, callers).hash(digest);
    }

    /// Bytes of a text.
    pub fn text<'a>(&'a self, program: &'a [u8], text: TextRef) -> &'a [u8] {
        let all = if text.of_run { &self.texts } else { program };
        all.get(text.start as usize..text.end as usize).unwrap_or_default()
    }

    /// Returns true if two texts are equal.
    pub fn same_text(&self, program: &[u8], one: TextRef, other: TextRef) -> bool {
        // Texts of the program are deduplicated.
        one == other || ((one.of_run || other.of_run) && self.text(program, one) == self.text(program, other))
    }

    /// Finds the variable of that name in this frame; the most recent one wins.
    pub fn variable(&self, program: &[u8], name: TextRef) -> Option<usize> {
        let first = self.frame.variables;
        let known = self.variables.get(first..)?;
        known.iter().rposition(|variable| self.same_text(program, variable.name, name)).map(|at| first + at)
    }

    pub fn add_variable(&mut self, variable: Variable) -> Result<(), Fault> {
        if self.variables.len() >= MAX_VARIABLES {
            return Err(Fault::Memory);
        }
        self.variables.push(variable);
        Ok(())
    }

    /// Allocates an array of `length` null values at the end of the array values.
    pub fn new_array(&mut self, length: usize) -> Result<Content, Fault> {
        let start = self.arrays.len();
        if start + length > MAX_ARRAY_VALUES {
            return Err(Fault::Memory);
        }
        self.arrays.resize(start + length, Value::Null);
        Ok(Content::Array { start: start as u32, length: length as u32 })
    }
}
