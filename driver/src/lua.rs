//! Levels in Lua, as NetHack 5 has them: read and judged before they run.
//!
//! ```
//! use splc_driver::{Input, Options, lua};
//!
//! let input = Input::new("cellar.lua", "des.monster({ id = \"dwarf\", peacefull = 0 })\n");
//! assert!(lua::is_script(&input));
//! let script = lua::check(input, &Options::default())?;
//! let told: Vec<_> = script.diagnostics.iter().map(|problem| problem.message.as_ref()).collect();
//! assert_eq!(told, ["des.monster does not read the key `peacefull`"]);
//! # Ok::<(), splc_driver::TargetError>(())
//! ```

use std::path::Path;

use splc_frontends::lua;
use splc_ir::catalog::Format;
use splc_ir::catalog::dialect::LUA;
use splc_ir::diagnostic::{Allowance, Code, Diagnostic, Diagnostics};
use splc_ir::source::{FileId, SourceMap, Span};
use splc_ir::wording::visible;

use crate::allow;
use crate::encoding;
use crate::input::{Form, Input};
use crate::read::{self, Judging, Options};
use crate::target::TargetError;

/// How much of an input is looked at to tell what it is, in bytes.
const HEAD: usize = 1 << 16;

/// A script, read and judged.
#[derive(Clone, Debug)]
pub struct Script {
    /// Its text.
    pub sources: SourceMap,
    /// What there is to say about it.
    pub diagnostics: Diagnostics,
}

/// Whether an input is a script: by its name, or by how it begins if its name does not say what it is.
pub fn is_script(input: &Input) -> bool {
    let extension = Path::new(&input.name).extension();
    if let Some(extension) = extension {
        if ["des", "lev", "json", "def", "txt"].iter().any(|other| extension == *other) {
            return false;
        }
        if extension.eq_ignore_ascii_case("lua") {
            return true;
        }
    }
    // A script has something telling in its first lines.
    let head = &input.bytes[..input.bytes.len().min(HEAD)];
    head.starts_with(lua::COMPILED) || lua::looks_like_script(&String::from_utf8_lossy(head))
}

/// Reads and judges a level in Lua.
///
/// # Errors
/// If what is asked for does not go together.
pub fn check(input: Input, options: &Options) -> Result<Script, TargetError> {
    let told = input.target(&Form::Lua, &options.wanted)?;
    let (mut sources, mut diagnostics) = (SourceMap::new(), Diagnostics::with_lints(options.lints.clone()));
    let judging = Judging::Meaning(told.target.catalog());
    read::lua(input, judging, &mut sources, &mut diagnostics);
    diagnostics.sort();
    Ok(Script { sources, diagnostics })
}

/// What an input is, if nobody can read it as a script.
pub(crate) fn not_script(input: &Input) -> Option<Diagnostic> {
    if input.bytes.starts_with(lua::COMPILED) {
        let message = format!("{} is compiled Lua", visible(&input.name));
        let problem = Diagnostic::new(Code::LuaCompiled, None, message)
            .with_note("it can do to the game's Lua what no script can")
            .with_help("name the script that it was compiled from");
        return Some(problem);
    }
    encoding::not_text(&input.name, &input.bytes)
}

/// Reads and judges the script `file`.
pub(crate) fn judge(file: FileId, judging: Judging<'_>, sources: &SourceMap, diagnostics: &mut Diagnostics) {
    if sources.get(file).text.starts_with(encoding::MARK) {
        diagnostics.push(encoding::marked(file));
    }
    let chunk = lua::parse(sources, file, diagnostics);
    let whole = Span::new(file, 0, sources.get(file).text.len() + 1);
    let mut allowances = Vec::new();
    for &comment in &chunk.comments {
        let text = sources.text(comment).trim_start_matches('-').trim_start_matches('[');
        if let Some(wish) = text.trim_start().strip_prefix(allow::MARK) {
            let codes = allow::codes(wish, comment, diagnostics);
            allowances.extend(codes.into_iter().map(|code| Allowance { span: whole, code }));
        }
    }
    diagnostics.allow(allowances);
    // Of other games, a script has the functions and names of NetHack 5, too.
    if let Judging::Meaning(catalog) = judging {
        let usual = LUA.default_target().filter(|_| catalog.format != Format::Lua);
        splc_ir::lua::check::check(&chunk, usual.unwrap_or(catalog), diagnostics);
    }
}
