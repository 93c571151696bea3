//! A symbolic stack: follows a program without running it and reports the values that opcodes take.

use std::collections::HashMap;
use std::fmt;

use super::signature::{Decided, Gives, Parameter, Signature, Taker};
use super::{Op, Opcode, Operand, Program, Role, Value};
use crate::catalog::Catalog;
use crate::value::ValueType;

/// A value on the stack, as far as it is known.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Entry {
    /// Position of the push it comes from, if it was pushed.
    pub pushed: Option<usize>,
    /// Its type, if known.
    pub value_type: Option<ValueType>,
    /// Number of the pushed string or variable name, among all distinct ones.
    text: Option<usize>,
}

/// A value that an opcode takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Taken {
    /// Position of the opcode that takes it.
    pub by: usize,
    /// Name of the parameter.
    pub name: &'static str,
    /// Role of the parameter.
    pub role: Role,
    /// The value.
    pub entry: Entry,
}

/// The reason the content of the stack is no longer known.
enum Lost {
    /// The values taken depend on a number that is unknown, or on one that is not in the table.
    Undecided,
    /// The values taken depend on whether a variable is an array, which is unknown.
    Variable,
}

/// The content of variables with one name: one value or an array.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Held {
    One,
    Many,
    /// One value in some places, an array in others.
    Unclear,
}

/// A table of opcodes.
type Table = fn(Opcode) -> &'static Signature;

/// The stack of a program, followed opcode by opcode without running it.
///
/// Every value remembers the push that it comes from, so that the roles of pushed operands are known within
/// straight-line code. The time is linear in the length of the program.
pub struct Stack<'a> {
    ops: &'a [Op],
    catalog: &'a Catalog,
    table: Table,
    entries: Vec<Entry>,
    /// Number of values at the bottom that belong to the caller of a function and cannot be taken.
    floor: usize,
    /// Set if unknown values may lie below the known ones.
    bottomless: bool,
    /// Set if a missing value was taken.
    underflow: bool,
    /// Set if the values taken were undecided although the whole stack was known.
    undecided: bool,
    /// Set if the program was lowered by splc.
    lowered: bool,
    /// Numbers of strings and names. Each is hashed once, when it is pushed, not each time it is taken.
    texts: HashMap<&'a str, usize>,
    /// Known content of the variables, by the numbers of their names.
    variables: Vec<Option<Held>>,
}

/// The values taken by one opcode on which its results depend.
#[derive(Clone, Copy, Default)]
struct Effect {
    decided: Decided,
    first: Option<Entry>,
    last: Entry,
    /// The variable being set, by the number of its name.
    variable: Option<usize>,
    source: Option<usize>,
}

/// An opcode that takes its values.
struct Taking<'s, 'a, F> {
    stack: &'s mut Stack<'a>,
    at: usize,
    on_taken: F,
    effect: Effect,
}

impl<F: FnMut(Taken)> Taker for Taking<'_, '_, F> {
    type Stop = Lost;

    fn take(&mut self, parameter: Parameter) -> Result<Option<i64>, Lost> {
        let entry = self.pop().unwrap_or_default();
        (self.on_taken)(Taken { by: self.at, name: parameter.name, role: parameter.role, entry });
        let effect = &mut self.effect;
        effect.first.get_or_insert(entry);
        effect.last = entry;
        match parameter.role {
            Role::VariableName if effect.variable.is_none() => effect.variable = entry.text,
            Role::VariableName => effect.source = entry.text,
            _ => {}
        }
        if parameter.role.reads_variables() && entry.value_type == Some(ValueType::Variable) {
            effect.last.value_type = None;
            self.take_indices(entry)?;
        }
        Ok(if parameter.role.decides() { self.stack.number(entry) } else { None })
    }

    fn number_below(&self, below: usize) -> Option<i64> {
        let Stack { entries, floor, .. } = &*self.stack;
        let position = entries.len().checked_sub(below + 1).filter(|position| position >= floor)?;
        self.stack.number(entries[position])
    }

    fn is_empty(&mut self) -> bool {
        let empty = self.stack.entries.len() <= self.stack.floor;
        self.stack.underflow |= empty;
        empty
    }

    fn undecided(&self) -> Lost {
        Lost::Undecided
    }
}

impl<F: FnMut(Taken)> Taking<'_, '_, F> {
    fn pop(&mut self) -> Option<Entry> {
        let stack = &mut *self.stack;
        let entry = if stack.entries.len() > stack.floor { stack.entries.pop() } else { None };
        stack.underflow |= entry.is_none() && !stack.bottomless;
        entry
    }

    /// Takes the index into `variable` if it is an array. The index may be a variable itself, even an array.
    fn take_indices(&mut self, mut variable: Entry) -> Result<(), Lost> {
        loop {
            match self.stack.held(variable) {
                Some(Held::One) => return Ok(()),
                Some(Held::Many) => {}
                Some(Held::Unclear) | None => return Err(Lost::Variable),
            }
            let index = self.pop().ok_or(Lost::Undecided)?;
            (self.on_taken)(Taken { by: self.at, name: "index", role: Role::Index, entry: index });
            if index.value_type != Some(ValueType::Variable) {
                return Ok(());
            }
            variable = index;
        }
    }
}

impl<'a> Stack<'a> {
    /// Creates an empty stack for `ops`, with unknown values below.
    pub fn new(ops: &'a [Op], catalog: &'a Catalog) -> Self {
        Stack {
            ops,
            catalog,
            table: Opcode::signature,
            entries: Vec::new(),
            floor: 0,
            bottomless: true,
            underflow: false,
            undecided: false,
            lowered: false,
            texts: HashMap::new(),
            variables: Vec::new(),
        }
    }

    /// Forgets the values on the stack.
    pub fn forget(&mut self) {
        self.entries.truncate(self.floor);
        self.bottomless = true;
    }

    /// Runs the opcode at `at`, as far as the stack is known, and calls `on_taken` with each value it takes, in order.
    ///
    /// Does nothing past the end of the program.
    pub fn step(&mut self, at: usize, on_taken: impl FnMut(Taken)) {
        let Some(op) = self.ops.get(at) else { return };
        let (signature, catalog) = ((self.table)(op.code), self.catalog);
        let mut taking = Taking { stack: self, at, on_taken, effect: Effect::default() };
        let decided = signature.follow(catalog, &mut taking);
        let effect = match (decided, taking.effect) {
            (Ok(decided), effect) => Effect { decided, ..effect },
            (Err(lost), _) => return self.lose(lost),
        };
        if op.code == Opcode::VarInit {
            self.set_variable(effect);
        }
        for gives in signature.gives {
            if let Err(lost) = self.give(*gives, at, effect) {
                self.lose(lost);
            }
        }
    }

    fn lose(&mut self, lost: Lost) {
        self.undecided |= !self.bottomless && matches!(lost, Lost::Undecided);
        self.forget();
    }

    /// Returns the number that was pushed for `entry`.
    fn number(&self, entry: Entry) -> Option<i64> {
        let operand = self.ops.get(entry.pushed?)?.operand.as_ref()?;
        match operand.resolve(self.catalog) {
            Ok(Value::Number(ValueType::Integer, number)) => Some(number),
            Ok(Value::Narrow(ValueType::Integer, number)) => Some(i64::from(number)),
            _ => None,
        }
    }

    /// Returns the known content of the variable that `entry` names.
    fn held(&self, entry: Entry) -> Option<Held> {
        self.variables.get(entry.text?).copied().flatten()
    }

    fn set_variable(&mut self, effect: Effect) {
        let Some(name) = effect.variable else { return };
        let held = match effect.decided.count {
            None => Held::Unclear,
            Some(..0) => {
                let source = Entry { text: effect.source, ..Entry::default() };
                self.held(source).unwrap_or(Held::Unclear)
            }
            Some(0) => Held::One,
            Some(_) => Held::Many,
        };
        if self.variables.len() <= name {
            self.variables.resize(name + 1, None);
        }
        self.variables[name] = Some(match self.variables[name] {
            Some(known) if known != held => Held::Unclear,
            _ => held,
        });
    }

    fn give(&mut self, gives: Gives, at: usize, effect: Effect) -> Result<(), Lost> {
        let made = |value_type| Entry { value_type, ..Entry::default() };
        let entry = match gives {
            Gives::Value(value_type) => made(Some(value_type)),
            Gives::Operand => {
                let operand = self.ops.get(at).and_then(|op| op.operand.as_ref()).ok_or(Lost::Undecided)?;
                let text = match operand {
                    Operand::String(Some(text)) | Operand::Variable(text) => {
                        let next = self.texts.len();
                        Some(*self.texts.entry(text).or_insert(next))
                    }
                    _ => None,
                };
                Entry { pushed: Some(at), value_type: Some(operand.value_type()), text }
            }
            Gives::Taken => {
                // The copy of an array's name has no index: it takes another value for its index.
                let first = effect.first.unwrap_or_default();
                let is_variable = first.value_type == Some(ValueType::Variable);
                if is_variable && self.held(first) != Some(Held::One) {
                    return Err(Lost::Variable);
                }
                first
            }
            Gives::Sum => made(effect.last.value_type.filter(|of| *of != ValueType::Variable)),
            Gives::Converted => {
                let integer = self.catalog.value_type(ValueType::Integer.as_str());
                if effect.decided.value_type.ok_or(Lost::Undecided)? == integer.ok_or(Lost::Undecided)? {
                    self.entries.push(made(Some(ValueType::Integer)));
                    made(Some(ValueType::Integer))
                } else {
                    made(Some(ValueType::Coordinate))
                }
            }
            Gives::Result => {
                let number = effect.decided.function.ok_or(Lost::Undecided)?;
                let functions = self.catalog.core_functions.iter();
                let methods = self.catalog.methods.iter();
                let results = functions.map(|known| (known.number, known.result));
                let mut results = results.chain(methods.map(|known| (known.number, known.result)));
                let (_, letter) = results.find(|(known, _)| i64::from(*known) == number).ok_or(Lost::Undecided)?;
                made(ValueType::of_letter(letter))
            }
            // Functions of des-files return nothing, but the level file may have been written by another program.
            Gives::Returned => return if self.lowered { Ok(()) } else { Err(Lost::Undecided) },
        };
        self.entries.push(entry);
        Ok(())
    }
}

/// A disagreement between a program and the table of opcodes.
#[derive(Clone, Debug, PartialEq)]
pub struct Mismatch {
    /// Position of the opcode that takes the value, or of the end of the program or function if a value is left over.
    pub at: usize,
    /// The type of disagreement.
    pub kind: MismatchKind,
}

/// The type of a [`Mismatch`].
#[derive(Clone, Debug, PartialEq)]
pub enum MismatchKind {
    /// A pushed operand does not have the role in which it is taken.
    Role {
        /// Position of the push.
        pushed: usize,
        /// Name of the parameter.
        name: &'static str,
        /// Its role.
        role: Role,
    },
    /// A computed value has another type than the parameter.
    Type {
        /// Name of the parameter.
        name: &'static str,
        /// Its role.
        role: Role,
        /// The type.
        found: ValueType,
    },
    /// A missing value is taken.
    Missing,
    /// The number that decides what is taken was not pushed, or is not in the table.
    Undecided,
    /// This number of values is left over.
    LeftOver(usize),
}

impl fmt::Display for Mismatch {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "opcode {}: ", self.at)?;
        match &self.kind {
            MismatchKind::Role { pushed, name, role } => {
                write!(formatter, "the value pushed at {pushed} is taken as {name} ({role:?})")
            }
            MismatchKind::Type { name, role, found } => {
                write!(formatter, "{} is taken as {name} ({role:?})", found.describe())
            }
            MismatchKind::Missing => write!(formatter, "takes a missing value"),
            MismatchKind::Undecided => write!(formatter, "the values taken are undetermined"),
            MismatchKind::LeftOver(count) => write!(formatter, "{count} values are left over"),
        }
    }
}

/// Checks a lowered program against the table of opcodes: every opcode finds the values it takes, each in its role, and
/// no values are left over.
///
/// The program must have the form in which [`lower`](crate::lower) writes it. Blocks are balanced, so that the stack
/// after a jump is the one left by the opcodes before it. The code of a function lies between a jump around it and its
/// `return`.
///
/// # Errors
/// The first [`Mismatch`].
pub fn verify(program: &Program, catalog: &Catalog) -> Result<(), Mismatch> {
    verify_by(program, catalog, Opcode::signature)
}

/// Like [`verify`], with a different table. Tests use it to show that a wrong entry is found.
///
/// # Errors
/// The first [`Mismatch`].
pub fn verify_by(program: &Program, catalog: &Catalog, table: Table) -> Result<(), Mismatch> {
    let ops = &program.ops;
    let entrances = entrances(ops);
    let mut stack = Stack { table, bottomless: false, lowered: true, ..Stack::new(ops, catalog) };
    // The stack states of the callers of the functions around the opcode.
    let mut callers = Vec::new();
    for at in 0..ops.len() {
        if let Some(&arguments) = entrances.get(&at) {
            callers.push((stack.floor, stack.bottomless));
            stack.floor = stack.entries.len();
            stack.bottomless = false;
            stack.entries.resize(stack.floor + arguments, Entry::default());
        }
        let mut wrong = None;
        stack.step(at, |taken| {
            let pushed = taken.entry.pushed.and_then(|pushed| Some((pushed, ops.get(pushed)?.operand.as_ref()?)));
            let kind = match (pushed, taken.entry.value_type) {
                (Some((pushed, operand)), _) if !taken.role.fits(operand, catalog) => {
                    Some(MismatchKind::Role { pushed, name: taken.name, role: taken.role })
                }
                (None, Some(found)) if taken.role.value_type().is_some_and(|wanted| wanted != found) => {
                    Some(MismatchKind::Type { name: taken.name, role: taken.role, found })
                }
                _ => None,
            };
            wrong = wrong.take().or(kind);
        });
        if let Some(kind) = wrong {
            return Err(Mismatch { at, kind });
        }
        if stack.underflow {
            return Err(Mismatch { at, kind: MismatchKind::Missing });
        }
        if stack.undecided {
            return Err(Mismatch { at, kind: MismatchKind::Undecided });
        }
        if ops[at].code == Opcode::Return
            && let Some((floor, bottomless)) = callers.pop()
        {
            let left = stack.entries.len() - stack.floor;
            if left > 0 {
                return Err(Mismatch { at, kind: MismatchKind::LeftOver(left) });
            }
            stack.floor = floor;
            stack.bottomless = bottomless;
        }
    }
    match stack.entries.len() {
        0 => Ok(()),
        left => Err(Mismatch { at: ops.len(), kind: MismatchKind::LeftOver(left) }),
    }
}

/// Returns the entry points of functions with their numbers of arguments. A `call` leads to the entry point, and a jump
/// leads around the function.
fn entrances(ops: &[Op]) -> HashMap<usize, usize> {
    let number = |at: usize| match ops.get(at)?.operand {
        Some(Operand::Offset(offset)) => Some(i64::from(offset)),
        Some(Operand::Integer(number)) => Some(number),
        _ => None,
    };
    let mut entrances = HashMap::new();
    for (at, _) in ops.iter().enumerate().filter(|(_, op)| op.code == Opcode::Call) {
        let (Some(before), Some(counted)) = (at.checked_sub(1), at.checked_sub(2)) else { continue };
        let (Some(distance), Some(count)) = (number(before), number(counted)) else { continue };
        let entrance = usize::try_from(at as i64 + distance).ok().filter(|&entrance| entrance < at);
        let Some(entrance) = entrance.filter(|&entrance| entrance > 0) else { continue };
        if ops[entrance - 1].code == Opcode::Jmp {
            // A count cannot exceed the number of pushes.
            entrances.insert(entrance, usize::try_from(count).unwrap_or(0).min(ops.len()));
        }
    }
    entrances
}
