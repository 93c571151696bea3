//! Helpers shared by the tests of several crates: locating reference data, and compiling a file in memory.
#![allow(clippy::unwrap_used, clippy::expect_used)] // tests may fail loudly

pub mod prose;
pub mod reference;
pub mod schema;
pub mod snapshots;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde::Deserialize;
use splc_driver::{Includes, Input, Options, Wanted};
use splc_ir::abi::Abi;
use splc_ir::catalog::{Catalog, Catalogs, NothingBeside, Shared};
use splc_ir::diagnostic::{Code, Diagnostic, Diagnostics, LintLevels, Severity};
use splc_ir::loadable::Loadable;
use splc_ir::parts::PartsLevel;
use splc_ir::program::Program;
use splc_ir::source::SourceMap;

/// The share of its cases that a test tries in the short form.
const SHORT: u32 = 10;

/// Returns the factor of the long form of the tests, which `SPLC_LONG` sets: 1 in the gate, more in a longer search.
/// The short form has none.
///
/// # Panics
/// Panics if `SPLC_LONG` is not a number.
pub fn long() -> Option<u32> {
    let factor = std::env::var("SPLC_LONG").ok().filter(|factor| !factor.is_empty())?;
    Some(factor.parse().expect("SPLC_LONG is a number"))
}

/// Returns the number of cases to try of a test that tries `all` in its long form.
pub fn cases(all: u32) -> u32 {
    either(all.div_ceil(SHORT), all)
}

/// Returns a number for the short form, or one for the long form, times its factor.
pub fn either(short: u32, all: u32) -> u32 {
    long().map_or(short, |factor| all.saturating_mul(factor))
}

/// Returns the part of `all` to try: everything in the long form, otherwise one in `SHORT`, evenly spread.
pub fn some_of<T>(all: Vec<T>) -> Vec<T> {
    let step = if long().is_some() { 1 } else { SHORT as usize };
    all.into_iter().step_by(step).collect()
}

/// Returns the root of the workspace.
pub fn workspace() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().to_owned()
}

/// The dialects whose levels are programs, each with the game of its corpus.
pub const SCRIPTS: [(&str, &str); 3] =
    [("unnethack", "unnethack-6.0.4"), ("nethack36", "nethack-3.6.7"), ("sporkhack", "sporkhack-0.7.0")];

/// The dialects of des-files, each with the game of its corpus.
pub const GAMES: [(&str, &str); 4] = [SCRIPTS[0], SCRIPTS[1], SCRIPTS[2], ("nethack343", "nethack-3.4.3")];

/// Returns a folder of our corpus: that of a dialect, or one such as `errors/unnethack`.
pub fn corpus(folder: &str) -> PathBuf {
    workspace().join("corpus").join(folder)
}

/// Returns the des-files of our corpus, each with its game.
pub fn corpus_files() -> impl Iterator<Item = (PathBuf, &'static Catalog)> {
    GAMES.into_iter().flat_map(|(dialect, game)| {
        let catalog = Catalog::by_name(game).unwrap();
        reference::files(&corpus(dialect), ".des").into_iter().map(move |path| (path, catalog))
    })
}

/// The result of compiling a file.
pub struct Compiled {
    /// The source texts.
    pub sources: SourceMap,
    /// The diagnostics.
    pub diagnostics: Diagnostics,
    /// The levels, named like their files; empty if there are errors.
    pub programs: Vec<Program>,
    /// The levels of a game whose levels are parts and rooms, as on x86-64.
    pub parts: Vec<PartsLevel>,
}

/// Reads included files from the folder of the including file.
pub struct Beside;

impl Includes for Beside {
    fn read(&mut self, path: &str, from: Option<&Path>, _: u64) -> std::io::Result<(PathBuf, Vec<u8>)> {
        let folder = from.and_then(Path::parent).unwrap_or(Path::new("."));
        let path = folder.join(path).canonicalize()?;
        let bytes = std::fs::read(&path)?;
        Ok((path, bytes))
    }
}

/// Loads a catalog without files beside it. Panics with its mistakes.
pub fn loaded_catalog(text: &str) -> Shared {
    let mut sources = SourceMap::new();
    let file = sources.add("x.toml", None, text.as_bytes().to_vec());
    let mut diagnostics = Diagnostics::new();
    let loaded = Catalogs::default().load(&mut sources, file, &mut NothingBeside, &mut diagnostics);
    let messages: Vec<String> = diagnostics.iter().map(|diagnostic| diagnostic.message.to_string()).collect();
    loaded.unwrap_or_else(|| panic!("{messages:?}\n{text}"))
}

/// Compiles `bytes`, the content of `path` if one is given.
pub fn compile(bytes: Vec<u8>, path: Option<&Path>, catalog: impl Into<Shared>) -> Compiled {
    let name = path.and_then(Path::file_name).map_or("x.des".into(), |name| name.to_string_lossy().into_owned());
    let input = Input { name, place: path.map(Path::to_owned), bytes };
    let wanted = Wanted { catalog: Some(catalog.into()), ..Wanted::default() };
    let options = Options { wanted, lints: LintLevels::default() };
    let splc_driver::Levels { levels, sources, mut diagnostics, .. } =
        splc_driver::levels(input, &options, &mut Beside).expect("every game is known on the usual machine");
    diagnostics.sort();
    let (mut programs, mut parts) = (Vec::new(), Vec::new());
    for level in levels {
        match level {
            Loadable::Program(program) => programs.push(program),
            Loadable::Parts(level) => parts.push(level),
            Loadable::Lua(_) => {}
        }
    }
    Compiled { sources, diagnostics, programs, parts }
}

impl Compiled {
    /// Returns the level files for `abi`, by name. A level overwrites an earlier one of the same name without
    /// truncating it, as the game's compiler does.
    pub fn levels(&self, catalog: &Catalog, abi: &Abi) -> BTreeMap<String, Vec<u8>> {
        let header = catalog.header(abi.name).expect("the catalog knows the ABI");
        let mut levels: BTreeMap<String, Vec<u8>> = BTreeMap::new();
        for program in &self.programs {
            let bytes = splc_backends::opcodes::encode(program, catalog, abi, header).unwrap();
            let file = levels.entry(program.name.to_string()).or_default();
            let kept = file.get(bytes.len()..).map(<[u8]>::to_vec).unwrap_or_default();
            *file = bytes;
            file.extend_from_slice(&kept);
        }
        levels
    }

    /// The first error.
    fn first_error(&self) -> Option<&Diagnostic> {
        self.diagnostics.iter().find(|diagnostic| diagnostic.severity == Severity::Error)
    }

    /// Returns the line of the first error, from 1, at which a parser notices it.
    pub fn first_error_line(&self) -> Option<usize> {
        let error = self.first_error()?;
        let span = error.noticed.or(error.span)?;
        Some(self.sources.line_column(span.file, span.start).0)
    }

    /// Returns the line that SporkHack's compiler names for the first error: that of the last colon before it, except
    /// for syntax errors.
    pub fn first_error_colon_line(&self) -> Option<usize> {
        let error = self.first_error().filter(|error| error.code != Code::Syntax)?;
        let span = error.span?;
        let text = &self.sources.get(span.file).text[..span.start as usize];
        let mut last = 0;
        let mut line_start = 0;
        for line in text.split_inclusive('\n') {
            let is_comment = line.trim_start().starts_with('#');
            // Strings on this line contain no colon tokens.
            let outside = line.split('"').step_by(2).any(|part| part.contains(':'));
            if outside && !is_comment {
                last = line_start;
            }
            line_start += line.len();
        }
        Some(self.sources.line_column(span.file, last as u32).0)
    }

    /// Formats each diagnostic on one line.
    pub fn messages(&self) -> Vec<String> {
        self.diagnostics
            .iter()
            .map(|diagnostic| {
                let place = diagnostic.span.map_or(String::new(), |span| {
                    let (line, column) = self.sources.line_column(span.file, span.start);
                    format!("{line}:{column}: ")
                });
                format!("{place}{}: {}", diagnostic.code.as_str(), diagnostic.message)
            })
            .collect()
    }
}

/// The result of the game's compiler for a damaged file.
#[derive(Deserialize)]
pub struct Damaged {
    /// Name of the file.
    pub file: String,
    /// Exit status.
    pub exit: i32,
    /// Lines of its standard error.
    pub stderr: Vec<String>,
    /// SHA-256 of each level file, by name.
    pub levels: BTreeMap<String, String>,
}

impl Damaged {
    /// Returns the line of the first error.
    pub fn first_error_line(&self) -> Option<usize> {
        self.stderr.iter().filter(|line| !line.contains("WARNING")).find_map(|line| {
            let after = line.split("line ").nth(1)?;
            after.split(|character: char| !character.is_ascii_digit()).next()?.parse().ok()
        })
    }
}

/// Returns the SHA-256 in hexadecimal digits.
pub fn sha256(bytes: &[u8]) -> String {
    use sha2::Digest;
    sha2::Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}
