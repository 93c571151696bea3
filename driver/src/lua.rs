//! Lua levels of NetHack 5: read and checked before they run.
//!
//! ```
//! use splc_driver::{Input, Options, lua};
//!
//! let input = Input::new("cellar.lua", "des.monster({ id = \"dwarf\", peacefull = 0 })\n");
//! assert!(input.is_script());
//! let script = lua::check(input, &Options::default())?;
//! let told: Vec<_> = script.diagnostics.iter().map(|problem| problem.message.text()).collect();
//! assert_eq!(told, ["des.monster has no key `peacefull`"]);
//! # Ok::<(), splc_driver::TargetError>(())
//! ```

use splc_frontends::NoIncludes;
use splc_ir::diagnostic::Diagnostics;
use splc_ir::source::SourceMap;

use crate::input::{Form, Input};
use crate::options::Options;
use crate::read::Read;
use crate::target::TargetError;

/// A script that has been read and checked.
#[derive(Clone, Debug)]
pub struct Script {
    /// Its text.
    pub sources: SourceMap,
    /// Its diagnostics.
    pub diagnostics: Diagnostics,
}

/// Reads and checks a Lua level.
///
/// # Errors
/// If the options contradict each other.
pub fn check(input: Input, options: &Options) -> Result<Script, TargetError> {
    let script = input.recognised(Form::Lua, &options.wanted)?;
    let Read { sources, mut diagnostics, .. } = script.read(options, &mut NoIncludes);
    diagnostics.sort();
    Ok(Script { sources, diagnostics })
}
