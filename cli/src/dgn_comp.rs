//! splc as a drop-in for a game's own dungeon compiler.
//!
//! Called under the name `dgn_comp` (a link or a copy of the program), splc takes the arguments of the original. It
//! compiles each `NAME.pdf` to `NAME` in the same folder, or the standard input to the standard output, and reports
//! mistakes in the original's line format on the standard error. It names the line at which the original notices a
//! mistake. If the mistake itself is on another line, that line follows the message. The exit status is 0 or 1. A file
//! with an error is not compiled; the original leaves a partial output.
//!
//! The game is found as for [`lev_comp`](crate::lev_comp). A dungeon does not name its game, so the default is NetHack
//! 3.6.

use std::ffi::{OsStr, OsString};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use splc_driver::games::{DEFAULT_ABI, Dialect};
use splc_driver::output::DUNGEON;
use splc_driver::{Target, dungeon};
use splc_frontends::dungeon::{Stage, noticed, parse};
use splc_ir::diagnostic::{Diagnostic, Diagnostics, Severity};
use splc_ir::dungeon::check;
use splc_ir::order::Order;
use splc_ir::source::SourceMap;
use splc_ir::wording::visible;

use crate::input::Origin;
use crate::outcome::Outcome;
use crate::{lev_comp, output};

/// Name of the original compilers.
pub const NAME: &str = "dgn_comp";

/// The dialect of the default game.
const DEFAULT_DIALECT: &str = "nethack36";

/// The extension of the input files.
const EXTENSION: &str = ".pdf";

const HELP: &str = "\
splc as dgn_comp: compiles dungeon descriptions.

Usage: dgn_comp [FILE.pdf...]

  FILE.pdf  Output of `makedefs -e` or `splc dungeon preprocess`, compiled to FILE;
            without files, compiles standard input to standard output

Set the environment variable SPLC_TARGET to choose the game (`splc targets` lists them). By default, it is the
game whose nhdat is next to this program, or else NetHack 3.6.
";

/// Returns true if `program`, the name splc was called by, is that of an original compiler.
pub fn is_name(program: &OsStr) -> bool {
    let name = Path::new(program).file_name().map(OsStr::to_string_lossy).unwrap_or_default();
    name == NAME || name.eq_ignore_ascii_case("dgn_comp.exe")
}

/// Runs like the original called as `program` with `arguments`.
pub fn run(program: &OsStr, arguments: &[OsString]) -> Outcome {
    match arguments {
        [option] if option == "--help" => return output::print(HELP),
        [option] if option == "--version" => {
            return output::print(&format!("{NAME}: splc {}\n", env!("CARGO_PKG_VERSION")));
        }
        _ => {}
    }
    let mut out = Vec::new();
    let outcome = match target(program) {
        Ok(target) if arguments.is_empty() => compile(&target, &Origin::Standard, None, &mut out),
        Ok(target) => {
            let outcomes = arguments.iter().map(|argument| compile_file(&target, argument, &mut out));
            outcomes.max().unwrap_or(Outcome::Fine)
        }
        Err(problem) => {
            let _ = writeln!(out, "{NAME}: {problem}");
            Outcome::InputErrors
        }
    };
    // Nothing can be reported if the standard error is closed.
    let _ = io::stderr().lock().write_all(&out);
    outcome
}

/// Returns the game that the dungeon is for.
fn target(program: &OsStr) -> Result<Target, String> {
    let named = std::env::var_os(lev_comp::TARGET_VARIABLE);
    let wanted = lev_comp::wanted(Path::new(program), named.as_deref()).map_err(|problem| problem.to_string())?;
    if let Some(target) = wanted.target().map_err(|problem| problem.to_string())? {
        return Ok(target);
    }
    let catalog = Dialect::by_name(DEFAULT_DIALECT).and_then(Dialect::default_target);
    let catalog = catalog.ok_or_else(|| format!("{DEFAULT_DIALECT} has no known game"))?;
    Target::new(catalog, DEFAULT_ABI).map_err(|problem| problem.to_string())
}

fn compile_file(game: &Target, argument: &OsStr, out: &mut Vec<u8>) -> Outcome {
    let path = PathBuf::from(argument);
    let name = path.display().to_string();
    let stem = argument.to_str().and_then(|name| name.strip_suffix(EXTENSION));
    let Some(stem) = stem else {
        let _ = writeln!(out, "Error - file name \"{}\" in wrong format.", visible(&name));
        return Outcome::InputErrors;
    };
    compile(game, &Origin::File(path), Some(Path::new(stem)), out)
}

/// Compiles one description to a file or the standard output. Mistakes are written to `out`.
fn compile(game: &Target, origin: &Origin, file: Option<&Path>, out: &mut Vec<u8>) -> Outcome {
    let name = origin.name();
    let input = match origin.read() {
        Ok(input) => input,
        Err(problem) => {
            let _ = writeln!(out, "Can't open {} for input.\n{}", visible(&name), visible(problem.message.text()));
            return Outcome::InputErrors;
        }
    };
    let mut sources = SourceMap::new();
    let id = sources.add(name.as_str(), input.place, input.bytes);
    let mut diagnostics = Diagnostics::new();
    let description = parse(&sources, id, Stage::Prepared, game.catalog(), &mut diagnostics);
    check::check(&description, game.catalog(), &mut diagnostics);
    let text = &sources.get(id).text;
    // The order in which the original finds them.
    let mut lines: Vec<(usize, &Diagnostic)> = diagnostics
        .iter()
        .map(|diagnostic| {
            (diagnostic.span.map_or(text.len(), |span| noticed(text, span.start as usize, diagnostic.code)), diagnostic)
        })
        .collect();
    lines.order_by_key(|&(at, _)| at);
    let line_of = |at: usize| sources.line_column(id, at as u32).0;
    for (at, diagnostic) in lines {
        let warning = if diagnostic.severity == Severity::Error { "" } else { "WARNING : " };
        let _ =
            write!(out, "{} : line {} : {warning}{}", visible(&name), line_of(at), visible(diagnostic.message.text()));
        let _ = match diagnostic.span.map(|span| line_of(span.start as usize)) {
            Some(itself) if itself != line_of(at) => writeln!(out, " (line {itself})"),
            _ => writeln!(out),
        };
        if let Some(help) = &diagnostic.help {
            let _ = writeln!(out, "    help: {}", visible(help));
        }
    }
    if diagnostics.has_errors() {
        return Outcome::InputErrors;
    }
    let written = match dungeon::write(&description, &DUNGEON, game) {
        Ok(bytes) => match file {
            Some(path) => output::write_file(path, &bytes),
            None => output::write_standard(&bytes),
        },
        Err(problem) => Err(Box::new(problem)),
    };
    if let Err(problem) = written {
        let shown = file.map_or("(stdout)".to_owned(), |path| path.display().to_string());
        let _ = writeln!(out, "Can't open {} for output.\n{}", visible(&shown), visible(problem.message.text()));
        return Outcome::InputErrors;
    }
    Outcome::Fine
}
