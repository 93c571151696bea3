//! splc as a drop-in for a game's own level compiler.
//!
//! Called under the name `lev_comp` (a link or a copy of the program), splc takes the arguments of the original, writes
//! into the current folder, and reports mistakes in the original's line format on the standard error. Build files,
//! editors and programs that call `lev_comp` keep working. Each message names the line that the original names (see
//! `lev_comp/noticed.rs`). If the mistake itself is on another line, that line follows the message. Only the wording of
//! the messages is splc's own. An indented line with help may follow.
//!
//! Arguments: `-v` (or `-w`, as in NetHack 3.4.3) applies to the files after it. Without arguments, the standard input
//! is read. The exit status is 0 or 1.
//!
//! The game is the first of these that is known:
//! 1. the environment variable `SPLC_TARGET`: a target or dialect as listed by `splc targets`. If the `nhdat` next to
//!    the program belongs to that game, its version header is used;
//! 2. the `nhdat` next to the program as it was called: a `lev_comp` in the folder of an installed game compiles for
//!    that game, including the version header;
//! 3. the dialect of the source, as far as its text shows it (see [`splc_frontends::detect`]). If several dialects
//!    remain possible, NetHack 3.6.
//!
//! As in splc itself, a file with an error produces no level at all. A file without errors is written even if another
//! one has errors.

use std::env;
use std::ffi::{OsStr, OsString};
use std::fmt;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use splc_driver::games::{DIALECTS, Dialect, MessageForm, PlaceForm, TotalForm};
use splc_driver::output::LEVEL_FILE;
use splc_driver::{Compiled, Compiler, Input, Options, Summary, Target, TargetError, Wanted};
use splc_ir::catalog::{self, Catalog, Catalogs};
use splc_ir::diagnostic::{Code, Diagnostic, Diagnostics, Lint, LintLevel, LintLevels, Severity, did_you_mean};
use splc_ir::order::Order;
use splc_ir::source::{Place, SourceMap, Span};
use splc_ir::wording::visible;

use crate::catalogs;
use crate::compile::write;
use crate::input::{FilesOnDisk, Origin};
use crate::nhdat;
use crate::options::groups::Writing;
use crate::outcome::Outcome;
use crate::output::print;
use crate::report::Places;

mod noticed;

use noticed::{Noticed, Noticing};

/// Name of the original compilers.
pub const NAME: &str = "lev_comp";

/// Environment variable that selects the game: a target, a dialect, or a catalog file.
pub const TARGET_VARIABLE: &str = "SPLC_TARGET";

/// The extension of catalog files.
const CATALOG_EXTENSION: &str = ".toml";

const HELP: &str = "\
splc as lev_comp: compiles special levels into the current folder.

Usage: lev_comp [-v|-w] [FILE...]

  -v, -w  Print more warnings for the files after it; -v also lists the levels written
  FILE    Des-files [default: standard input]

Set the environment variable SPLC_TARGET to choose the game (`splc targets` lists them), or to FILE.toml, the
catalog of a game that splc does not know. By default, it is the game whose
nhdat is next to this program, or else the latest game of the language of the des-file.
";

/// Returns true if `program`, the name splc was called by, is that of an original compiler.
pub fn is_name(program: &OsStr) -> bool {
    let name = Path::new(program).file_name().map(OsStr::to_string_lossy).unwrap_or_default();
    name == NAME || name.eq_ignore_ascii_case("lev_comp.exe")
}

/// Runs like the original called as `program` with `arguments`.
pub fn run(program: &OsStr, arguments: &[OsString]) -> Outcome {
    match arguments {
        [option] if option == "--help" => return print(HELP),
        [option] if option == "--version" => {
            return print(&format!("lev_comp: splc {}\n", env!("CARGO_PKG_VERSION")));
        }
        _ => {}
    }
    let mut out = Vec::new();
    let outcome = match wanted(Path::new(program), env::var_os(TARGET_VARIABLE).as_deref()) {
        Ok(wanted) => compile_all(&wanted, arguments, &mut out),
        Err(problem) => {
            let _ = writeln!(out, "{NAME}: {problem}");
            Outcome::InputErrors
        }
    };
    // Nothing can be reported if the standard error is closed.
    let _ = io::stderr().lock().write_all(&out);
    outcome
}

// --- The game

/// The reason why no game could be selected.
#[derive(Debug)]
pub(crate) enum Problem {
    /// No game has this name.
    Name(String),
    /// Its catalog cannot be read, or has mistakes. Contains the first of them.
    Catalog(String),
    /// It has no usual build.
    Target(TargetError),
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Problem::Name(name) => {
                let known = catalog::ALL.iter().map(|catalog| catalog.name.as_ref());
                let known = known.chain(DIALECTS.iter().map(|dialect| dialect.name));
                let near = did_you_mean(name, known);
                let near = near.as_deref().unwrap_or("`splc targets` lists the known games");
                write!(f, "{TARGET_VARIABLE} names an unknown game \"{}\"; {near}", visible(name))
            }
            Problem::Catalog(problem) => f.write_str(problem),
            Problem::Target(problem) => write!(f, "{problem}"),
        }
    }
}

/// Returns the game options, as far as they do not depend on the source.
pub(crate) fn wanted(program: &Path, target: Option<&OsStr>) -> Result<Wanted, Problem> {
    let wanted = match target.map(OsStr::to_string_lossy).filter(|name| !name.is_empty()) {
        Some(name) => named(&name)?,
        None => Wanted::default(),
    };
    if let Some(matched) = matched_beside(program, wanted.clone()) {
        return Ok(matched);
    }
    wanted.target().map_err(Problem::Target)?;
    Ok(wanted)
}

/// Returns the game options for a value of `SPLC_TARGET`: a game, a dialect, or the catalog file of a game.
fn named(name: &str) -> Result<Wanted, Problem> {
    if name.ends_with(CATALOG_EXTENSION) {
        let mut known = Catalogs::default();
        let mut first = None;
        let mut report = |diagnostics: Diagnostics, sources: &SourceMap| {
            first = diagnostics.into_vec().into_iter().next().map(|found| {
                let line = found.span.map_or(0, |span| sources.line_column(span.file, span.start).0);
                format!("{name}: line {line} : {}", found.message)
            });
        };
        let loaded = catalogs::load(&[PathBuf::from(name)], &mut known, &mut report);
        if let Err(problem) = loaded {
            let message = problem.map(|problem| problem.message.to_string()).or(first);
            return Err(Problem::Catalog(message.unwrap_or_default()));
        }
        return Ok(Wanted { catalog: known.loaded().last().cloned(), catalogs: known, ..Wanted::default() });
    }
    let (catalog, dialect) = match Catalog::by_name(name) {
        Some(catalog) => (Some(catalog.into()), None),
        None => (None, Some(Dialect::by_name(name).ok_or_else(|| Problem::Name(name.to_owned()))?)),
    };
    Ok(Wanted { catalog, dialect, ..Wanted::default() })
}

/// Matches the game installed in the folder of `program`, if `wanted` allows it.
fn matched_beside(program: &Path, wanted: Wanted) -> Option<Wanted> {
    // A program found on the search path has no folder in its name.
    let folder = program.parent().filter(|folder| !folder.as_os_str().is_empty())?;
    let head = nhdat::level_head(&folder.join(nhdat::FILE_NAME))?;
    wanted.matching(&head, nhdat::FILE_NAME).ok()
}

// --- Compiling

/// The verbosity selected by the options before a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Significance {
    /// Errors and the default warnings.
    Usual,
    /// All warnings (`-w`).
    Warnings,
    /// All warnings, and the written files (`-v`).
    Verbose,
}

fn compile_all(wanted: &Wanted, arguments: &[OsString], out: &mut Vec<u8>) -> Outcome {
    if arguments.is_empty() {
        return compile_one(wanted, &Origin::Standard, Significance::Usual, out);
    }
    let mut significant = Significance::Usual;
    let mut outcome = Outcome::Fine;
    for argument in arguments {
        if argument == "-v" {
            significant = Significance::Verbose;
        } else if argument == "-w" {
            significant = if significant == Significance::Verbose { significant } else { Significance::Warnings };
        } else {
            let origin = Origin::File(PathBuf::from(argument));
            outcome = outcome.max(compile_one(wanted, &origin, significant, out));
        }
    }
    outcome
}

/// Compiles one des-file and writes its levels to the current folder. Mistakes are written to `out`.
fn compile_one(wanted: &Wanted, origin: &Origin, significant: Significance, out: &mut Vec<u8>) -> Outcome {
    let name = origin.name();
    let input = match origin.read() {
        Ok(input) => input,
        Err(problem) => {
            if problem.code == Code::Unreadable {
                let _ = writeln!(out, "Can't open \"{}\" for input.", visible(&name));
            }
            return fail(&name, &problem, out);
        }
    };
    let Compiled { judged, made } = match resolved(wanted, &input).and_then(|wanted| {
        let options = Options { wanted, lints: lints(significant) };
        let mut compiler = Compiler::new(&LEVEL_FILE, options).as_written();
        let judged = compiler.compile(input, &mut FilesOnDisk)?;
        Ok(Compiled { judged, made: compiler.finish() })
    }) {
        Ok(compiled) => compiled,
        Err(problem) => return fail(&name, &problem.into(), out),
    };
    let failed = judged.diagnostics.has_errors();
    let catalog = judged.target.catalog();
    if let Some(form) = Dialect::of(catalog).and_then(|dialect| dialect.messages) {
        let noticing = Noticing::new(catalog, &judged.sources, &judged.levels);
        Report { form, input: &name, levels: &judged.levels, out }.write(judged.diagnostics, &judged.sources, noticing);
    }
    if failed {
        return Outcome::InputErrors;
    }
    let writing = Writing { emit: &LEVEL_FILE, output: None, verbose: significant == Significance::Verbose };
    match write(&writing, made, &judged.levels) {
        Ok(()) => Outcome::Fine,
        Err(problem) => fail(&name, &problem, out),
    }
}

/// Completes the game options from the text of `input`. The detection itself is not reported.
fn resolved(wanted: &Wanted, input: &Input) -> Result<Wanted, TargetError> {
    let target = match wanted.target()? {
        Some(target) => target,
        None => Target::guessed(&input.bytes, wanted.abi())?,
    };
    Ok(Wanted { matched: Some(target), ..wanted.clone() })
}

/// Returns the lint levels. `-v` and `-w` of the originals turn on the lints that are off by default.
fn lints(significant: Significance) -> LintLevels {
    let mut levels = LintLevels::default();
    if significant != Significance::Usual {
        for &code in Code::ALL.iter().filter(|code| code.lint() == Lint::Allow) {
            levels.set(code, LintLevel::Warn);
        }
    }
    for &code in Code::SURVEY {
        levels.set(code, LintLevel::Allow);
    }
    levels
}

fn fail(name: &str, problem: &Diagnostic, out: &mut Vec<u8>) -> Outcome {
    let _ = writeln!(out, "{}: {}", visible(name), visible(problem.message.text()));
    write_help(problem, out);
    Outcome::InputErrors
}

// --- Reporting mistakes

/// A diagnostic to print on one line.
struct Line<'a> {
    diagnostic: &'a Diagnostic,
    /// The place at which the original notices it, and the place that the message names, if any.
    noticed: Option<Noticed>,
    named: Option<Place>,
}

/// Writes diagnostics as a game's own compiler does.
struct Report<'a> {
    form: MessageForm,
    /// Name of the des-file.
    input: &'a str,
    levels: &'a [Summary],
    out: &'a mut Vec<u8>,
}

impl Report<'_> {
    // Writing to a buffer in memory does not fail.

    fn write(&mut self, mut diagnostics: Diagnostics, sources: &SourceMap, mut noticing: Noticing<'_>) {
        diagnostics.sort();
        let places = Places::new(sources);
        // The order in which the original finds them.
        let mut lines: Vec<Line<'_>> = diagnostics
            .iter()
            .map(|diagnostic| {
                let noticed = noticing.place(diagnostic);
                let named = noticed.map(|noticed| noticing.counted(noticed));
                Line { diagnostic, noticed, named }
            })
            .collect();
        lines.order_by_key(|line| line.noticed.map(|noticed| (noticed.file, noticed.noticed)));
        // The level of the errors so far, and their number.
        let (mut level, mut count) = (None, 0);
        for line in &lines {
            if line.diagnostic.severity == Severity::Error {
                let next = line.diagnostic.span.and_then(|span| self.level_of(span));
                if self.form.total == TotalForm::Level && next != level {
                    self.total(level, count);
                    count = 0;
                }
                (level, count) = (next, count + 1);
            }
            self.line(line, &places);
        }
        match (self.form.total, diagnostics.dropped()) {
            (TotalForm::Level, 0) => self.total(level, count),
            // Dropped diagnostics may be in any level.
            _ => self.total(None, diagnostics.errors()),
        }
    }

    fn line(&mut self, line: &Line<'_>, places: &Places<'_>) {
        let &Line { diagnostic, noticed, named } = line;
        let is_error = diagnostic.severity == Severity::Error;
        let _ = match noticed.zip(named) {
            None => write!(self.out, "{}: ", visible(self.input)),
            Some((noticed, place)) => {
                let _ = write!(self.out, "{}: line {}", visible(places.name(noticed.file)), place.line);
                match self.form.place {
                    PlaceForm::LineAndPosition(separator) if is_error => {
                        write!(self.out, ", pos {}{separator}", place.column - 1)
                    }
                    _ => write!(self.out, " : "),
                }
            }
        };
        let _ = write!(self.out, "{}{}", if is_error { "" } else { "WARNING : " }, visible(diagnostic.message.text()));
        let itself = diagnostic.span.map(|span| places.locate(span.file, span.start).line);
        match itself {
            Some(itself) if named.is_some_and(|place| place.line != itself) => {
                let _ = writeln!(self.out, " (line {itself})");
            }
            _ => {
                let _ = writeln!(self.out);
            }
        }
        write_help(diagnostic, self.out);
    }

    /// Returns the level that `span` is in: the last one that begins before it.
    fn level_of(&self, span: Span) -> Option<usize> {
        let begins_before = |begin: Span| begin.file == span.file && begin.start <= span.start;
        self.levels.iter().rposition(|level| level.span.is_some_and(begins_before))
    }

    fn total(&mut self, level: Option<usize>, count: usize) {
        if count == 0 {
            return;
        }
        let input = visible(self.input);
        let name = level.and_then(|level| self.levels.get(level)).map(|level| visible(&level.name));
        let _ = match (self.form.total, name) {
            (TotalForm::Level, Some(name)) => {
                write!(self.out, "{input}: {count} errors detected for level \"{name}\".")
            }
            (TotalForm::Level, None) => write!(self.out, "{input}: {count} errors detected."),
            (TotalForm::File, _) => write!(self.out, "{input} : {count} errors detected."),
        };
        let _ = writeln!(self.out, " No output created!");
    }
}

/// Writes the help of `diagnostic` on an indented line.
fn write_help(diagnostic: &Diagnostic, out: &mut Vec<u8>) {
    let (word, text) = match (&diagnostic.help, diagnostic.suggestions.first(), diagnostic.notes.first()) {
        (Some(help), ..) => ("help", help.clone()),
        (None, Some(suggestion), _) => ("help", format!("write `{}`", suggestion.replacement)),
        (None, None, Some(note)) => ("note", note.clone()),
        (None, None, None) => return,
    };
    let by_itself =
        if diagnostic.suggestions.iter().any(|edit| edit.applicable) { " (fixable with `splc fix`)" } else { "" };
    let _ = writeln!(out, "    {word}: {}{by_itself}", visible(&text));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_and_copies_are_recognised_by_name() {
        for name in ["lev_comp", "./lev_comp", "/games/lib/lev_comp", "lev_comp.exe", "LEV_COMP.EXE"] {
            assert!(is_name(OsStr::new(name)), "{name}");
        }
        for name in ["", "splc", "lev_comp/splc", "lev_comp2", "dgn_comp", "/"] {
            assert!(!is_name(OsStr::new(name)), "{name}");
        }
    }

    #[test]
    fn a_target_or_dialect_selects_the_game() {
        let of = |name: &str| {
            let wanted = wanted(Path::new(NAME), Some(OsStr::new(name))).map_err(|problem| problem.to_string())?;
            let target = wanted.target().map_err(|problem| problem.to_string())?;
            Ok::<_, String>(target.map_or_else(String::new, |target| target.catalog().name.to_string()))
        };
        assert_eq!(of("sporkhack").unwrap(), "sporkhack-0.7.0");
        assert_eq!(of("36").unwrap(), "nethack-3.6.7");
        assert_eq!(of("nethack-3.6.6").unwrap(), "nethack-3.6.6");
        assert_eq!(of("").unwrap(), "");
        assert_eq!(
            of("unnetheck").unwrap_err(),
            "SPLC_TARGET names an unknown game \"unnetheck\"; did you mean \"unnethack\"?"
        );
    }
}
