//! The words that every part of splc speaks.
//!
//! splc compiles special levels of NetHack and its variants. Text or bytes come in at a front end, become
//! one dialect-neutral [`Level`](level::Level), and leave through a back end; the VM runs what the level
//! says. This crate is what they meet in, and it depends on none of them.
//!
//! Two forms of a level:
//!
//! - [`level`]: what a person wrote. Statements and expressions with source spans; control flow keeps its
//!   structure, names stay names. What judges a level, mends it or dumps it as JSON works on it.
//! - [`program`]: what a game runs. A flat list of opcodes of a stack machine, whose operands are still
//!   symbolic. The VM and the opcode back ends take it.
//!
//! NetHack 3.4.3 has no opcodes: it loads lists of things. Their form is [`parts`], with its own checks and
//! lowering. [`loadable`] is either form, for all who need not know which.
//!
//! [`check`] judges a level against a game, once, so that no back end has to; [`lower`] leads from the
//! first form to the second, in one place, and [`mod@raise`] back. Both ask the [`catalog`] what the game knows, and [`lacks`] what its
//! levels cannot hold. [`visit`] is how to walk over a level. [`abi`] says what the game's machine is like, [`value`]
//! what types of values there are. [`diagnostic`] is what splc has to say to people, [`source`] the places it says it
//! about, [`limits`] what one input may cost.
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
pub mod lua;
pub mod parts;
pub mod program;
pub mod raise;
pub mod resolve;
pub mod source;
pub mod value;
pub mod visit;
pub mod wording;
pub mod words;
