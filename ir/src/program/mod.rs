//! Programs: the flat form of a level, a list of opcodes for the level machine of a game.
//!
//! # The machine
//!
//! The games of the script dialects (NetHack 3.6, UnNetHack, SporkHack) load a level by running a program: a list of
//! [opcodes](Opcode) for a small machine that has one stack (`sp_level_coder` in `src/sp_lev.c` of each).
//! [`Opcode::Push`] puts its [operand](Operand) on the stack. Every other opcode takes what it needs from there, the
//! value that was pushed last first, does something to the level or to the values, and perhaps leaves values behind.
//!
//! A *value* has a [type](crate::value::ValueType): a number, a text, a place, a region, terrain with light, a monster,
//! an object, a selection of squares. All but texts and selections are one `long`, packed as the game packs it. A
//! selection is made by the `sel_` opcodes and never pushed. A value of the type *variable* is a name: an opcode that
//! takes it gets what the variable holds, and if that is an array, takes the index from the stack next. Only a few
//! opcodes take a variable as it stands.
//!
//! *Jumps* are relative. A jump takes its distance from the stack; the position of the jump plus the distance is the
//! position of the next opcode. Conditional jumps take the result of `cmp` below that, which is a number: 1 for less, 2
//! for greater, 4 for equal.
//!
//! *Frames* keep a function's values and variables apart from those of its caller. `call` takes a distance, a count and
//! that many values, which become the stack of the function; `return` takes a count and that many values, which it puts
//! on the caller's stack. A function's code stands where it is first called, and a jump leads around it.
//!
//! *Variables* are set by `var_init`: it takes the name, then a count, then one value (count 0), that many values for an
//! array, or the name of another variable to copy (count below 0).
//!
//! *Rooms* and *containers* are brackets in the list. What stands between `room`, `subroom` or a `region` that is a room
//! and `endroom` happens in that room. What stands between a `monster` with an inventory and `end_moninvent`, or an
//! `object` that is a container and `pop_container`, is put into it.
//!
//! # Roles
//!
//! To the stack a trap, a door state and a percentage are all numbers. What a number means is known only to the opcode
//! that takes it: its [*role*](Role). [`Opcode::signature`] is the one table of them, for every opcode of every game:
//! which values it takes, in the order in which it takes them, what each is called, which role it has, and what the
//! opcode leaves on the stack. Where games differ, the table asks the catalog; where a value decides what comes below
//! it (parts of a monster until an end mark, as many values as a count says), the table says that too.
//!
//! Whatever depends on operands is made from the table. [`Stack`] follows a program and tells the role in which each
//! pushed operand is taken. [`verify`] holds lowering to the table with it. The reader of level files turns the numbers
//! that it finds into names by it ([`Role::operand`]). The listing shows those names. The level machine of the VM is
//! tested to take exactly what the table says.
//!
//! Operands stay symbolic (`"giant eel"`, `lit`, `'L'`), so one program serves the VM, the listing and every back end;
//! [`Operand::resolve`] gives the [`Value`] that a game would push.

mod opcode;
mod operand;
mod role;
mod signature;
mod stack;
mod value;

pub use opcode::Opcode;
pub use operand::{Coordinate, LightCode, MapSymbol, Named, Operand, Rows};
pub use role::Role;
pub use signature::{Case, END_OF_PARTS, Gives, Parameter, Parts, Signature, Takes};
pub use stack::{Entry, Mismatch, MismatchKind, Stack, Taken, verify, verify_by};
pub use value::{Unknown, Value};

use crate::source::{Charset, Span, Text};

/// A level as a list of opcodes.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Program {
    /// Name of the level, numbers put in.
    pub name: Text,
    /// How texts turn into bytes.
    pub charset: Charset,
    /// The opcodes.
    pub ops: Vec<Op>,
    /// Weight among the random vaults, if the level is one (UnNetHack, SporkHack).
    pub vault_frequency: Option<i32>,
    /// The depth from which on the vault comes, in games whose list of vaults says that.
    pub vault_depth: Option<i32>,
}

/// One opcode with what it pushes and where it comes from.
#[derive(Clone, Debug, PartialEq)]
pub struct Op {
    /// The opcode.
    pub code: Opcode,
    /// What is pushed: present exactly if `code` is [`Opcode::Push`].
    pub operand: Option<Operand>,
    /// The statement or value that it was made for.
    pub span: Span,
}
