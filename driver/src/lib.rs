//! splc as a library: names and bytes in; levels, files in memory and diagnostics out.
//!
//! The command line, the Python package and a language server are thin shells over this crate, and so can any other
//! program be. A shell has arguments, files and rendering; what lies between, it asks for here. Nothing in this crate
//! reads or writes a file, prints, keeps anything beyond a call in a global, or panics on what an input holds; time and
//! memory are bounded by [`limits`](splc_ir::limits).
//!
//! # An input
//!
//! An [`Input`] is a name and bytes: a des-file or a compiled level file of any game, told apart by its bytes. What it
//! includes comes from an [`Includes`]: a closure, a type of your own, or [`NoIncludes`]. However often files include
//! one another, no more is asked for than an input may have.
//!
//! # Which game
//!
//! A level is made for a [`Target`]: a game (a [catalog](splc_ir::catalog), built in or one that was read while the
//! program runs), a machine, and the version header of its level files. [`Wanted`] is what you know of it, which may be
//! nothing: a dialect, a game, an ABI, a level file of the very game to [match](Wanted::matching). The rest is found
//! out: from the header of a level file, or from the text of a des-file, and then a note says so.
//!
//! # What comes out
//!
//! How far an input is led depends on what you ask for. Each of these judges it in the same way, as they are steps of
//! one way:
//!
//! | function | what it gives | for |
//! | --- | --- | --- |
//! | [`read`] | the [`Module`](splc_ir::level::Module): what the des-file says | editors, analyses |
//! | [`levels`] | each level as its game [loads](splc_ir::loadable::Loadable) it | tests, ports |
//! | [`lua::check`] | a level in Lua, read and judged | editors, analyses of NetHack 5's levels |
//! | [`test()`](test::test) | what is [wrong with levels](splc_judge::Defect) that come out of many seeds | tests of levels |
//! | [`load`] | each level ready to be made, [as often as wanted](splc_vm::Prepared) | simulations, previews |
//! | [`compile`] | files in memory, in any form of the table of [outputs](output::ALL) | compilers |
//! | [`raise`] | the [`Module`](splc_ir::level::Module) that a level file was made of | ports of level files |
//! | [`decompile`] | the source of a level file | whoever has lost it, or never had it |
//! | [`port::port`] | the des-file in the language of another game, and an account of what became of it | porting |
//! | [`fix::mend`] | the des-file with those mistakes mended that can be mended unseen | fixers |
//!
//! A [`Compiler`] takes many inputs whose files go together. [`vaults::update`] keeps the list of random vaults that
//! some games have beside their level files.
//!
//! # What is wrong
//!
//! What is wrong with an *input* is in its [`Diagnostics`](splc_ir::diagnostic::Diagnostics), many at a time, each with
//! a code, spans in the sources that come with them, and edits if it knows any. If they have errors there are no files,
//! no levels to run, and the module holds what could be understood. An `Err` is about what was *asked*: [`TargetError`]
//! says why there is no target, and becomes a diagnostic with [`Into`].
//!
//! # Examples
//!
//! A des-file from memory, compiled for the game that its text tells:
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
//! Mistakes, with their places:
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
//! A level, made for a hundred seeds, with a file that is included from memory:
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
//! Many inputs whose files go together:
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
mod encoding;
mod file_name;
pub mod fix;
pub mod format;
pub mod games;
pub mod import;
mod input;
mod load;
pub mod lua;
mod options;
pub mod port;
mod read;
mod recognise;
#[cfg(feature = "report")]
pub mod report;
mod target;
pub mod test;
pub mod vaults;

pub use compile::{Compiled, Compiler, File, Judged, Made, Summary, compile};
pub use decompile::{Decompiled, decompile, raise};
pub use input::Input;
pub use load::{Loaded, Runnable, load};
pub use options::Options;
pub use read::{Levels, Read, levels, read};
pub use recognise::{Build, HEADER_BYTES, recognise};
pub use splc_backends::output;
pub use splc_frontends::{Includes, NoIncludes, too_large};
pub use target::{OtherDungeon, Target, TargetError, Wanted, other_dialect};
