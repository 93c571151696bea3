//! The shared data types of splc: levels, programs, catalogs, diagnostics.
//!
//! splc compiles special levels of NetHack and its variants. A front end reads text or bytes into a dialect-neutral
//! [`Level`](level::Level), a back end writes it out, and the VM runs it. All three depend on this crate, and it
//! depends on none of them.
//!
//! A level has two forms:
//!
//! - [`level`]: the level as its author wrote it. Statements and expressions have source spans; control flow keeps its
//!   structure, names stay names. Checks, fixes and JSON dumps work on this form.
//! - [`program`]: the level as a game runs it. A flat list of opcodes for a stack machine, with symbolic operands. The
//!   VM and the opcode back ends work on this form.
//!
//! NetHack 3.4.3 has no opcodes: it loads lists of things. Their form is [`parts`], with its own checks and lowering.
//! [`loadable`] is either form, for code that need not know which.
//!
//! [`check`] checks a level against a game, once for all back ends. [`lower`] compiles the first form to the second,
//! and [`mod@raise`] reads it back. Both consult the [`catalog`] of the game, and [`lacks`] for the limits of its level
//! files. [`visit`] walks over a level. [`abi`] describes the game's machine, [`value`] the types of values.
//! [`diagnostic`] reports to the user, [`source`] keeps track of positions, and [`limits`] bounds the cost of one
//! input.
#![cfg_attr(test, allow(clippy::unwrap_used))]

pub mod abi;
pub mod catalog;
pub mod check;
pub mod diagnostic;
pub mod dungeon;
pub mod lacks;
pub mod level;
pub mod limits;
pub mod loadable;
pub mod lower;
pub mod order;
pub mod parts;
pub mod program;
pub mod raise;
pub mod reread;
pub mod resolve;
pub mod source;
pub mod statements;
pub mod value;
pub mod visit;
pub mod wording;
pub mod words;
