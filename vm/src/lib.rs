//! Makes the level that the game would make.
//!
//! A special level is a program, or in NetHack 3.4.3 lists of things: it lays maps, makes rooms, places things, and
//! leaves much to chance. This crate makes such levels with the algorithms of the games' own loaders, one draw for one
//! draw, so that the same draws give the same level.
//!
//! - [`Prepared`] is a level made ready for one game, once. It has three forms: the opcodes of a
//!   [`Program`](splc_ir::program::Program), the [parts or rooms](splc_ir::parts::PartsLevel) of NetHack 3.4.3 with
//!   the order in which its loader makes what is in them, or a [Lua script](splc_ir::loadable::LuaLevel) of NetHack 5.
//!   Each is a list of numbered steps ([`StepKind`]), each with its place in the source, so that observers, faults and
//!   debuggers need not know which it is.
//! - A [`Machine`] runs it as often as wanted. It takes [`Settings`] (where the level lies, who plays, what time
//!   it is), an [`Rng`] (the reference stream, a recording, a script, or every outcome there is), and an
//!   [`Observer`] that is told of every draw and everything that is put somewhere.
//! - The result is a [`Level`]: terrain, light, doors, rooms, stairs, and where every thing goes.
//! - A [`Chronicle`] knows which step made what.
//! - [`Trace`] is the observer that writes down a run, [`Remarks`] the one that collects what the loader complains
//!   about. Between two steps, an observer can look into the machine: a [`View`].
//! - [`course()`] is what a script comes to in one run, as a program that computes nothing.
//!
//! ```
//! use splc_ir::{catalog::Catalog, program::Program};
//! use splc_vm::{Machine, Prepared, Settings, SplitMix};
//!
//! let game = Catalog::by_name("unnethack-6.0.4").unwrap();
//! let program = Prepared::new(&Program::default(), game).unwrap();
//! let mut machine = Machine::new();
//! let level = machine.run(&program, &Settings::default(), &mut SplitMix::new(1), &mut ()).unwrap();
//! assert_eq!(level.rooms().len(), 0);
//! ```
//!
//! Inside, `game` is what a loader has to look up in a catalog, looked up once, and `drawing` a MAP turned into columns
//! of squares before it is laid: those that stand in a program as they are, when it is prepared. `script` is the level
//! machine of the script dialects; it pops operands and calls `loader`. `parts` goes through the lists of a 3.4.3 level
//! and calls it, too. `lua` runs scripts, and binds the game's functions to `loader`, too. `loader` does what every dialect needs: places, rooms, corridors, caverns, mazes, walls, things.
//! It knows no dialect: the catalog's rules say in what the games differ.
//!
//! Nothing here does I/O, reads a clock, or panics on what a level contains; what a game would do by crashing is a
//! [`Fault`]. A machine keeps its memory, so that making a level takes none (`limits` says how much there can be).
#![cfg_attr(test, allow(clippy::unwrap_used))]

mod chronicle;
mod course;
mod digest;
mod drawing;
mod error;
mod game;
mod level;
mod limits;
mod loader;
mod lua;
mod machine;
mod marks;
mod observer;
mod parts;
mod prepared;
mod progress;
mod remarks;
mod rng;
mod schar;
mod script;
mod selection;
mod settings;
mod terrain;
mod threads;
mod trace;
mod value;
mod view;

pub use chronicle::{Chronicle, Maker};
pub use course::{Background, Course, Form, course};
pub use error::{Fault, PrepareError, PrepareErrorKind, VmError};
pub use level::{
    Arrival, COLUMNS, Engraving, Gold, Level, LevelFlags, LevelText, Mirror, Monster, Object, Place, ROWS, Room,
    SQUARES, Stairs, Trap, Whereabouts,
};
pub use lua::plan::Line;
pub use machine::Machine;
pub use observer::{AppearanceFault, Complaint, Event, Flow, Loudness, Observer};
pub use prepared::{Prepared, StepKind, read_lua};
pub use progress::Progress;
pub use remarks::{Remark, Remarks};
pub use rng::{Candidate, Draw, Draws, Exhaustive, Recording, Rng, Scripted, Search, SplitMix};
pub use selection::{Growth, Selection};
pub use settings::{Alignment, Hero, Settings};
pub use terrain::Terrain;
pub use trace::{DrawLines, Trace};
pub use view::{Shown, View};

/// Parts of the machine for the crates above it (pictures, statistics, judging, equivalence). They change with it.
#[doc(hidden)]
pub mod internals {
    pub use crate::digest::Digest;
    pub use crate::game::{CoreFunction, Game};
    pub use crate::level::{
        Detail, DetailKind, Epitaph, FIRST_ROOM_NUMBER, SUBROOMS, bridge, door, index, is_ok, wall,
    };
    pub mod limits {
        pub use crate::limits::{MAX_CONTAINERS, MAX_FRAMES, MAX_STACK, MAX_VARIABLES};
    }
    pub use crate::prepared::Form as PreparedForm;
    pub use crate::script::comparison::{EQUAL, compared, is_taken};
    pub use crate::threads::on_each;
    pub use crate::value::{TextRef, Value};
}
