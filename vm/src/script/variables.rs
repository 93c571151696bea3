//! Variables and arrays.

use std::borrow::Cow;

use splc_ir::program::{OperandStack, operands};
use splc_ir::value::ValueType;

use super::{Script, Stop, given};
use crate::error::Fault;
use crate::observer::Complaint;
use crate::prepared::decode;
use crate::value::{Content, TextRef, Value, Variable};

impl Script<'_> {
    /// Decodes a text for display.
    pub fn decode<'t>(&self, bytes: &'t [u8]) -> Cow<'t, str> {
        decode(bytes, self.prepared.charset)
    }

    fn named(&self, name: TextRef) -> String {
        self.decode(self.memory.text(&self.prepared.bytes, name)).into_owned()
    }

    /// Returns the value of a variable. The index into an array is taken from the stack. `None` if the variable does
    /// not exist (`opvar_var_conversion`).
    pub fn variable_value(&mut self, mut name: TextRef) -> Result<Option<Value>, Fault> {
        // An index can itself be an element of an array, and so on.
        let mut arrays = std::mem::take(&mut self.memory.arrays_to_index);
        arrays.clear();
        let found = loop {
            let variable = self.memory.variable(&self.prepared.bytes, name);
            match variable.map(|at| self.memory.variables[at].content) {
                None if arrays.is_empty() => break Ok(None),
                None => break Err(Fault::UndefinedVariable(self.named(name))),
                Some(Content::Single(value)) => break Ok(Some(value)),
                Some(Content::Array { start, length }) => {
                    if variable == self.array_set {
                        self.loader.complain(Complaint::ArrayOfItself);
                    }
                    arrays.push((start, length));
                    match self.memory.pop() {
                        Some(Value::Variable(index)) => name = index,
                        Some(value) => break Ok(Some(value)),
                        None => break Err(Fault::ArrayIndex),
                    }
                }
            }
        };
        let mut found = match found {
            Ok(Some(value)) => Ok(value),
            Ok(None) => {
                self.memory.arrays_to_index = arrays;
                return Ok(None);
            }
            Err(fault) => Err(fault),
        };
        while let (Ok(value), Some((start, length))) = (&found, arrays.pop()) {
            found = match *value {
                Value::Number(ValueType::Integer, index) if length > 0 => {
                    let index = usize::try_from(index % i64::from(length)).map_err(|_| Fault::ArrayIndex);
                    index.and_then(|index| {
                        self.memory.arrays.get(start as usize + index).copied().ok_or(Fault::ArrayIndex)
                    })
                }
                _ => Err(Fault::ArrayIndex),
            };
        }
        self.memory.arrays_to_index = arrays;
        found.map(Some)
    }

    /// Sets a variable (`spo_var_init`) to a value (count 0), an array of `count` values, or, for a negative count, a
    /// copy of another variable.
    pub(super) fn set_variable(&mut self) -> Result<(), Stop> {
        let unnamed = || Fault::WrongType { wanted: ValueType::String, what: "the name of a variable" };
        // The count is popped even if the name has another type.
        let (name, count) = (given(self.operands())?, given(self.operands())?);
        let (Some(operands::VarInit { name }), Some(operands::Length { count })) = (name, count) else {
            return Err(unnamed().into());
        };
        let known = self.memory.variable(&self.prepared.bytes, name);
        let content = match count {
            ..0 => {
                let Value::Text(other) = self.pop_some()? else { return Err(unnamed().into()) };
                let other = self
                    .memory
                    .variable(&self.prepared.bytes, other)
                    .ok_or_else(|| Fault::UndefinedVariable(self.named(other)))?;
                match self.memory.variables[other].content {
                    Content::Array { start, length } => {
                        let content = self.memory.new_array(length as usize)?;
                        if let Content::Array { start: to, .. } = content {
                            let from = start as usize..(start + length) as usize;
                            self.memory.arrays.copy_within(from, to as usize);
                        }
                        content
                    }
                    single => single,
                }
            }
            0 => {
                let operands::SingleValue { value } = given(self.operands())?.ok_or(Fault::EmptyStack)?;
                if let Some(known) = known {
                    let fits = match self.memory.variables[known].content {
                        Content::Single(before) => before.tag() == value.tag(),
                        Content::Array { .. } => false,
                    };
                    if !fits {
                        return Err(Fault::VariableType(self.named(name)).into());
                    }
                }
                Content::Single(value)
            }
            _ => {
                // The values come from the stack, so there cannot be more of them.
                let own = self.memory.stack.len().saturating_sub(self.memory.frame.stack);
                let count = usize::try_from(count).ok().filter(|&count| count <= own).ok_or(Fault::EmptyStack)?;
                let content = self.memory.new_array(count)?;
                self.array_set = known;
                if let Content::Array { start, .. } = content {
                    for at in (start as usize..start as usize + count).rev() {
                        let operands::ArrayValue { value } = given(self.operands())?.ok_or(Fault::EmptyStack)?;
                        self.memory.arrays[at] = value;
                    }
                }
                self.array_set = None;
                content
            }
        };
        match known {
            Some(known) => self.memory.variables[known].content = content,
            None => self.memory.add_variable(Variable { name, content })?,
        }
        Ok(())
    }

    /// Length of an array; 0 for anything else (`opvar_array_length`).
    pub fn array_length(&mut self) -> i64 {
        let Some(Value::Variable(name)) = self.memory.pop() else { return 0 };
        match self.memory.variable(&self.prepared.bytes, name).map(|at| self.memory.variables[at].content) {
            Some(Content::Array { length, .. }) => length.into(),
            _ => 0,
        }
    }

    /// Shuffles an array (`spo_shuffle_array`).
    pub(super) fn shuffle_array(&mut self) -> Result<(), Stop> {
        let operands::ShuffleArray { name } = self.operands()?;
        let variable = self.memory.variable(&self.prepared.bytes, name);
        let Some(Content::Array { start, length }) = variable.map(|at| self.memory.variables[at].content) else {
            return Ok(());
        };
        for at in (1..length).rev() {
            let other = self.loader.rn2(at as i32 + 1) as u32;
            self.memory.arrays.swap((start + other) as usize, (start + at) as usize);
        }
        Ok(())
    }
}
