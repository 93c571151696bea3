//! splc as a library: names and bytes in; levels, files in memory and diagnostics out.
#![cfg_attr(test, allow(clippy::unwrap_used))]

mod compile;
mod file_name;
pub mod fix;
pub mod games;
mod input;
mod load;
mod read;
mod target;
pub mod vaults;

pub use compile::{Compiled, Compiler, File, Judged, Made, Summary, compile};
pub use input::Input;
pub use load::{Loaded, Runnable, load};
pub use read::{Levels, Options, Read, levels, read};
pub use splc_backends::output::{self, Output};
pub use splc_frontends::{Includes, NoIncludes, too_large};
pub use target::{Target, TargetError, Wanted, other_dialect};
