//! What the tests of several crates share: where reference data is, and compiling a file in memory.
#![allow(clippy::unwrap_used, clippy::expect_used)] // tests may fail loudly

pub mod reference;
pub mod schema;
pub mod snapshots;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde::Deserialize;
use splc_driver::{Includes, Input, Options, Wanted};
use splc_ir::abi::Abi;
use splc_ir::catalog::{Catalog, Shared};
use splc_ir::diagnostic::{Code, Diagnostic, Diagnostics, LintLevels, Severity};
use splc_ir::loadable::Loadable;
use splc_ir::parts::PartsLevel;
use splc_ir::program::Program;
use splc_ir::source::SourceMap;

/// The workspace.
pub fn workspace() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().to_owned()
}

/// What compiling a file gives.
pub struct Compiled {
    /// The texts.
    pub sources: SourceMap,
    /// What was wrong.
    pub diagnostics: Diagnostics,
    /// The levels, named as their files would be; none if there are errors.
    pub programs: Vec<Program>,
    /// The same for a game whose levels are parts and rooms, as on x86-64.
    pub parts: Vec<PartsLevel>,
}

/// Files included from beside the including file.
pub struct Beside;

impl Includes for Beside {
    fn read(&mut self, path: &str, from: Option<&Path>, _: u64) -> std::io::Result<(PathBuf, Vec<u8>)> {
        let folder = from.and_then(Path::parent).unwrap_or(Path::new("."));
        let path = folder.join(path).canonicalize()?;
        let bytes = std::fs::read(&path)?;
        Ok((path, bytes))
    }
}

/// Compiles `bytes`, which stand in `path` if that is given.
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
    /// The level files for `abi`, by name; a level of the same name is written over the earlier one as the
    /// game's compiler does it: without cutting that off.
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

    /// Line of the first error, from 1, as a parser notices it.
    pub fn first_error_line(&self) -> Option<usize> {
        let error = self.first_error()?;
        let span = error.noticed.or(error.span)?;
        Some(self.sources.line_column(span.file, span.start).0)
    }

    /// The line that SporkHack's compiler names for the first error, which is that of the last colon before it
    /// for all but syntax errors.
    pub fn first_error_colon_line(&self) -> Option<usize> {
        let error = self.first_error().filter(|error| error.code != Code::Syntax)?;
        let span = error.span?;
        let text = &self.sources.get(span.file).text[..span.start as usize];
        let mut last = 0;
        let mut line_start = 0;
        for line in text.split_inclusive('\n') {
            let is_comment = line.trim_start().starts_with('#');
            // Texts in this line hold no colons of the language.
            let outside = line.split('"').step_by(2).any(|part| part.contains(':'));
            if outside && !is_comment {
                last = line_start;
            }
            line_start += line.len();
        }
        Some(self.sources.line_column(span.file, last as u32).0)
    }

    /// Every diagnostic in one line each.
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

/// What the game's compiler makes of a damaged file.
#[derive(Deserialize)]
pub struct Damaged {
    /// The file.
    pub file: String,
    /// Exit status.
    pub exit: i32,
    /// Lines of its standard error.
    pub stderr: Vec<String>,
    /// SHA-256 of each level file, by name.
    pub levels: BTreeMap<String, String>,
}

impl Damaged {
    /// Line of the first error.
    pub fn first_error_line(&self) -> Option<usize> {
        self.stderr.iter().filter(|line| !line.contains("WARNING")).find_map(|line| {
            let after = line.split("line ").nth(1)?;
            after.split(|character: char| !character.is_ascii_digit()).next()?.parse().ok()
        })
    }
}

/// SHA-256 in hexadecimal digits.
pub fn sha256(bytes: &[u8]) -> String {
    use sha2::Digest;
    sha2::Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}
