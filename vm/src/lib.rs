//! Runs special levels exactly as the games do.
//!
//! A special level is a program, or in NetHack 3.4.3 lists of things. It lays maps, makes rooms, places things, and
//! leaves much to chance. This crate runs such levels with the algorithms of the games' own loaders, draw for draw, so
//! that the same draws give the same level.
//!
//! - [`Prepared`] is a level prepared once for one game. It has three forms: the opcodes of a
//!   [`Program`](splc_ir::program::Program), the [parts or rooms](splc_ir::parts::PartsLevel) of NetHack 3.4.3 in the
//!   order in which its loader processes them, or a [Lua script](splc_ir::loadable::LuaLevel) of NetHack 5. Each is a
//!   list of numbered steps ([`StepKind`]) with source locations, so that observers, faults and debuggers can ignore
//!   the form.
//! - A [`Machine`] runs it as often as needed. It takes [`Settings`] (the place of the level in the dungeon, the hero,
//!   the time), an [`Rng`] (the reference stream, a recording, a list of results, or every possible outcome), and an
//!   [`Observer`] that receives every draw and everything that is placed.
//! - The result is a [`Level`]: terrain, light, doors, rooms, stairs, and the place of every thing.
//! - A [`Chronicle`] records which step made which thing.
//! - [`Trace`] is the observer that writes a run as text, [`Remarks`] the observer that collects the loader's
//!   complaints. Between two steps, an observer can look into the machine through a [`View`].
//! - [`course()`] records one run of a script as a program without computation.
//!
//! The crates in this folder look at the results: `picture` draws levels, `statistics` counts over many runs, `judge`
//! finds faults, and `equivalence` compares two levels.
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
//! The internal modules: `game` contains the catalog entries that a loader needs, looked up once. `drawing` turns a MAP
//! into columns of squares before it is laid; maps that are literals in a program are turned when it is prepared.
//! `script` is the level machine of the script dialects: it pops operands and calls `loader`. `parts` walks the lists
//! of a 3.4.3 level and calls `loader`. `lua` runs scripts and binds the game's functions to `loader`. `loader` does
//! the work common to all dialects: places, rooms, corridors, caverns, mazes, walls, things. It knows no dialect; the
//! catalog's rules describe the differences between the games.
//!
//! Nothing here does I/O, reads a clock, or panics because of a level's contents. A crash of the game is reported as a
//! [`Fault`]. A machine reuses its memory, so a run allocates none (`limits` bounds how much there can be).
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
mod lua_errors;
mod lua_joins;
mod lua_plan;
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
mod themes;
mod threads;
mod trace;
mod value;
mod view;

pub use chronicle::{Chronicle, Maker};
pub use course::{Background, Course, Form, course};
pub use error::{Fault, PrepareError, PrepareErrorKind, VmError};
pub use level::{
    Arrival, COLUMNS, Engraving, Gold, Kind, Level, LevelFlags, LevelText, Mirror, Monster, Object, Place, ROWS, Room,
    SQUARES, Stairs, ThemeChoice, Trap, Whereabouts,
};
pub use lua::records::Transcript;
pub use lua_plan::{Line, Task};
pub use machine::Machine;
pub use observer::{AppearanceFault, Complaint, Event, Flow, Loudness, Observer};
pub use prepared::{Prepared, StepKind, read_lua};
pub use progress::Progress;
pub use remarks::{Remark, Remarks};
pub use rng::{Candidate, Draw, Draws, Exhaustive, Recording, Rng, Scripted, Search, SplitMix};
pub use selection::{Growth, Selection};
#[doc(hidden)]
pub use settings::telling_times;
pub use settings::{Alignment, DEPTHS, Hero, Settings, Surrounding, Surroundings, UnknownName, clock_in_words};
pub use terrain::Terrain;
pub use themes::{Choice, Entry, Filled, Fraction, Themes, Unknown};
pub use trace::{DrawLines, Trace};
pub use view::{Shown, View};

/// Parts of the machine for the crates above it (pictures, statistics, judging, equivalence). They change with it.
#[doc(hidden)]
pub mod internals {
    pub use crate::digest::Digest;
    pub use crate::game::{CoreFunction, Game};
    pub use crate::level::{
        Detail, DetailKind, Drawn, Epitaph, FIRST_ROOM_NUMBER, Ground, SUBROOMS, bridge, door, feature, index, is_ok,
        wall,
    };
    pub mod limits {
        pub use crate::limits::{MAX_CONTAINERS, MAX_FRAMES, MAX_STACK, MAX_VARIABLES};
    }
    pub use crate::prepared::Form as PreparedForm;
    pub use crate::script::comparison::{EQUAL, compared, is_taken};
    pub use crate::threads::{helpers, on_each};
    pub use crate::value::{TextRef, Value};
}
