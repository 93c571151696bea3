//! splc as a library: it takes names and bytes, and returns levels, files in memory and diagnostics.
//!
//! The command line, the Python package and the language server are thin shells over this crate, and any other program
//! can be one. A shell handles arguments, files and rendering, and calls this crate for everything between. Nothing in
//! this crate reads or writes a file, prints, keeps global state between calls, or panics on the contents of an input.
//! Time and memory are bounded by [`limits`](splc_ir::limits).
//!
//! # Inputs
//!
//! An [`Input`] is a name and bytes: a des-file, a JSON document, a compiled level file of any game, a Lua script, the
//! description of a dungeon, or an archive, distinguished by its name and its bytes. [`open()`] takes any of them. The
//! files that an input includes come from an [`Includes`]: a closure, a custom type, or [`NoIncludes`]. However often
//! files include each other, the total size requested is limited to that of an input.
//!
//! # Targets
//!
//! A level is compiled for a [`Target`]: a game (a [catalog](splc_ir::catalog), built in or loaded at run time), a
//! machine, and the version header of its level files. [`Wanted`] contains everything that the caller knows about it,
//! possibly nothing: a dialect, a game, an ABI, a level file of the actual game to [match](Wanted::matching). The rest
//! is detected from the header of a level file, or from the text of a des-file, which is reported in a note.
//!
//! # Functions
//!
//! These functions take an input through more or fewer steps of a single pipeline, so they all diagnose the same
//! problems:
//!
//! | function | result | use |
//! | --- | --- | --- |
//! | [`open()`] | an enum of everything that an input can be, [read and checked](Opened) | file managers, servers |
//! | [`read()`] | the [content](Content) of a source: a [`Module`](splc_ir::level::Module) or a script | editors, analyses |
//! | [`levels`] | each level as its game [loads](splc_ir::loadable::Loadable) it | tests, ports |
//! | [`lua::check`] | a level in Lua, read and checked | editors, analyses of NetHack 5's levels |
//! | [`test()`](test::test) | [defects](splc_judge::Defect) of levels over many seeds | tests of levels |
//! | [`load`] | each level ready to run, [any number of times](splc_vm::Prepared) | simulations, previews |
//! | [`compile()`] | files in memory, in any of the [output formats](output) of levels | compilers |
//! | [`dungeon::read`] | the description of a dungeon | dungeon compilers |
//! | [`raise`] | the [`Module`](splc_ir::level::Module) of a level file | ports of level files |
//! | [`decompile`] | the source of a level file | recovering lost sources |
//! | [`port::port`] | the des-file in the language of another game, and an account of the changes | porting |
//! | [`fix::correct`] | the des-file with all automatic fixes applied | fixers |
//!
//! A [`Compiler`] takes many inputs whose files belong together. A [`Session`](session::Session) keeps inputs that change,
//! and their results by version. [`vaults::update`] maintains the list of random vaults
//! that some games keep next to their level files.
//!
//! # Errors
//!
//! Problems in an *input* are reported in its [`Diagnostics`](splc_ir::diagnostic::Diagnostics), many at a time, each
//! with a code, spans in the returned sources, and edits if available. If there are errors, no files and no runnable
//! levels are returned, and the module contains the parts that were understood. An `Err` is about the *request*:
//! [`TargetError`] says why there is no target, and converts to a diagnostic with [`Into`].
//!
//! # Examples
//!
//! A des-file from memory, compiled for the game detected from its text:
//!
//! ```
//! use splc_driver::{Input, NoIncludes, Options, compile, output};
//!
//! let text = "MAZE: \"cellar\", ' '\nGEOMETRY: center, center\nMAP\n-----\n|...|\n-----\nENDMAP\nSTAIR: (2,1), up\n";
//! let compiled = compile(Input::new("cellar.des", text), &output::LEVEL_FILE, Options::default(), &mut NoIncludes)?;
//! assert!(!compiled.judged.diagnostics.has_errors());
//! let [file] = compiled.made.files.as_slice() else { panic!("one level is one file") };
//! assert_eq!(file.name, "cellar.lev");
//! # Ok::<(), splc_driver::TargetError>(())
//! ```
//!
//! Errors and their positions:
//!
//! ```
//! use splc_driver::games::Dialect;
//! use splc_driver::{Input, NoIncludes, Options, Wanted, read};
//!
//! let wanted = Wanted { dialect: Dialect::by_name("unnethack"), ..Wanted::default() };
//! let options = Options { wanted, ..Options::default() };
//! let mistaken = read(Input::new("x.des", "LEVEL: \"x\"\nMONSTER: 'D', \"red dragoon\", (1,1)\n"), &options, &mut NoIncludes)?;
//! let diagnostic = mistaken.diagnostics.iter().next().expect("there is no such monster");
//! let span = diagnostic.span.expect("it has a place");
//! assert_eq!(mistaken.sources.line_column(span.file, span.start).0, 2);
//! # Ok::<(), splc_driver::TargetError>(())
//! ```
//!
//! A level run with a hundred seeds, with a file included from memory:
//!
//! ```
//! use std::io;
//! use std::path::{Path, PathBuf};
//!
//! use splc_driver::games::Dialect;
//! use splc_driver::{Input, Options, Wanted, load};
//! use splc_vm::{Machine, Settings, SplitMix};
//!
//! let mut includes = |path: &str, _from: Option<&Path>, _most: u64| match path {
//!     "pool.inc" => Ok((PathBuf::from(path), b"FUNCTION pool() {\nFOUNTAIN: random\n}\n".to_vec())),
//!     _ => Err(io::Error::from(io::ErrorKind::NotFound)),
//! };
//! let text = "INCLUDE \"pool.inc\"\nLEVEL: \"garden\"\nROOM: \"ordinary\", random, random, random, random {\npool()\n}\n";
//! let wanted = Wanted { dialect: Dialect::by_name("unnethack"), ..Wanted::default() };
//! let options = Options { wanted, ..Options::default() };
//! let loaded = load(Input::new("garden.des", text), &options, &mut includes)?;
//! let garden = &loaded.levels[0];
//! let (mut machine, settings) = (Machine::new(), Settings::default());
//! for seed in 1..=100 {
//!     let level = machine.run(&garden.program, &settings, &mut SplitMix::new(seed), &mut ()).expect("it can be made");
//!     assert_eq!(level.rooms().len(), 1);
//! }
//! # Ok::<(), splc_driver::TargetError>(())
//! ```
//!
//! Many inputs whose files belong together:
//!
//! ```
//! use splc_driver::{Compiler, Input, NoIncludes, Options, output};
//!
//! let mut compiler = Compiler::new(&output::LEVEL_FILE, Options::default());
//! for name in ["east", "west"] {
//!     let text = format!("MAZE: \"{name}\", ' '\nGEOMETRY: {}, center\nMAP\n...\nENDMAP\n", if name == "east" { "right" } else { "left" });
//!     compiler.compile(Input::new(format!("{name}.des"), text), &mut NoIncludes)?;
//! }
//! let names: Vec<String> = compiler.finish().files.into_iter().map(|file| file.name).collect();
//! assert_eq!(names, ["east.lev", "west.lev"]);
//! # Ok::<(), splc_driver::TargetError>(())
//! ```
#![cfg_attr(test, allow(clippy::unwrap_used))]

mod allow;
mod compile;
mod decompile;
pub mod dungeon;
mod encoding;
mod file_name;
pub mod fix;
pub mod format;
pub mod freeze;
pub mod games;
mod guess;
pub mod import;
mod input;
mod load;
pub mod lua;
mod open;
mod options;
pub mod port;
mod read;
mod recognise;
mod repair;
#[cfg(feature = "report")]
pub mod report;
mod script;
pub mod session;
mod target;
pub mod test;
pub mod themes;
pub mod vaults;

pub use allow::target as named_target;
pub use compile::{Compiled, Compiler, File, Judged, Made, Summary, compile};
pub use decompile::{Decompiled, decompile, raise};
pub use input::Input;
pub use load::{Loaded, Runnable, load};
pub use open::{Files, Opened, open};
pub use options::Options;
pub use read::{Content, Levels, Parsed, Read, levels, read};
pub use recognise::{Build, HEADER_BYTES, recognise};
pub use splc_backends::output;
pub use splc_frontends::{Includes, NoIncludes, too_large};
pub use target::{OtherDungeon, Target, TargetError, Wanted, other_dialect};
