//! Programs: the flat form of a level, a list of opcodes for the level machine of a game.
//!
//! # The machine
//!
//! The games of the script dialects (NetHack 3.6, UnNetHack, SporkHack) load a level by running a program: a list of
//! [opcodes](Opcode) for a small machine with one stack (`sp_level_coder` in `src/sp_lev.c` of each). [`Opcode::Push`]
//! pushes its [operand](Operand). Every other opcode pops its parameters, the last value pushed first, acts on the
//! level or on the values, and may push results.
//!
//! A *value* has a [type](crate::value::ValueType): integer, string, coordinate, region, terrain with light, monster,
//! object, selection. All but strings and selections are a single `long`, packed as the game packs it. A selection is
//! computed by the `sel_` opcodes and never pushed directly. A value of the type *variable* is a name. An opcode that
//! takes it reads the value of the variable; if the variable is an array, it pops the index next. Only a few opcodes
//! take the variable itself.
//!
//! *Jumps* are relative. A jump pops its distance; the position of the jump plus the distance is the position of the
//! next opcode. Conditional jumps also pop the result of `cmp` below it, a number: 1 for less, 2 for greater, 4 for
//! equal.
//!
//! *Frames* separate the values and variables of a function from those of its caller. `call` pops a distance, a count
//! and that many values, which become the stack of the function. `return` pops a count and that many values, which it
//! pushes on the caller's stack. The code of a function is inlined at its first call, with a jump around it.
//!
//! *Variables* are set by `var_init`. It pops the name, then a count, then one value (count 0), that many values for an
//! array, or the name of another variable to copy (count below 0).
//!
//! *Rooms* and *containers* are brackets in the list. Opcodes between `room`, `subroom` or a `region` that is a room
//! and `endroom` act inside that room. Objects created between a `monster` with an inventory and `end_moninvent`, or
//! between an `object` that is a container and `pop_container`, are put into it.
//!
//! # Roles
//!
//! On the stack, traps, door states and percentages are all numbers. The meaning of a number, its [*role*](Role),
//! depends on the opcode that takes it. [`Opcode::signature`] is the single table of roles, for every opcode of every
//! game: the values it takes in order, their names and roles, and the values it leaves. If games differ, the table
//! consults the catalog. If a value determines what follows it (the parts of a monster up to an end mark, or a counted
//! list), the table describes that too.
//!
//! Everything that interprets operands uses this table. [`Stack`] follows a program and reports the role in which each
//! pushed operand is taken. [`verify`] uses it to check the output of lowering. The reader of level files uses it to
//! turn numbers into names ([`Role::operand`]), and the listing shows those names. Tests check that the VM takes
//! exactly the values in the table.
//!
//! Operands stay symbolic (`"giant eel"`, `lit`, `'L'`), so one program serves the VM, the listing and every back end;
//! [`Operand::resolve`] returns the [`Value`] that a game would push.

#[macro_use]
mod typed;
mod opcode;
mod operand;
mod role;
mod signature;
mod stack;
mod value;

pub use opcode::{Opcode, operands};
pub use operand::{Coordinate, LightCode, MapSymbol, Named, Operand, Rows};
pub use role::Role;
pub use signature::{Case, Decided, END_OF_PARTS, Gives, Parameter, Parts, Signature, Taker, Takes};
pub use stack::{Entry, Mismatch, MismatchKind, Stack, Taken, verify, verify_by};
pub use typed::{OperandStack, Operands};
pub use value::{Unknown, Value};

use crate::source::{Charset, Span, Text};

/// A level as a list of opcodes.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Program {
    /// Name of the level, with its number inserted.
    pub name: Text,
    /// Encoding of its strings.
    pub charset: Charset,
    /// The opcodes.
    pub ops: Vec<Op>,
    /// Weight among the random vaults, if the level is one (UnNetHack, SporkHack).
    pub vault_frequency: Option<i32>,
    /// Least depth of the random vault, in games whose list of vaults has depths.
    pub vault_depth: Option<i32>,
}

/// One opcode with its operand and source.
#[derive(Clone, Debug, PartialEq)]
pub struct Op {
    /// The opcode.
    pub code: Opcode,
    /// The pushed operand: present exactly if `code` is [`Opcode::Push`].
    pub operand: Option<Operand>,
    /// The statement or value that it was generated for.
    pub span: Span,
}
