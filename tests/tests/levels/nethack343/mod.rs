//! NetHack 3.4.3: the output of splc, compared with that of the game's own compiler.

use std::path::PathBuf;

use splc_frontends::NoIncludes;
use splc_ir::abi::Abi;
use splc_ir::catalog::{Catalog, NETHACK_3_4_3};
use splc_ir::diagnostic::{Code, Diagnostic, Diagnostics, LintLevel, LintLevels};
use splc_ir::source::SourceMap;

use splc_tests::reference::files;

mod conformance;
mod corpus;
mod damaged;
mod level_files;
mod nesting;
mod properties;
mod teach;
mod templates;
mod verbose;

const CATALOG: &Catalog = &NETHACK_3_4_3;
const ABIS: [&str; 5] = ["lp64le", "ilp32le", "ilp32be", "lp64be", "m68k"];

/// Returns the folder of reference data.
fn reference() -> PathBuf {
    splc_tests::reference::game("nethack-3.4.3")
}

/// The result of compiling a file.
struct Compiled {
    /// Names and bytes of the levels; empty if there are errors.
    levels: Vec<(String, Vec<u8>)>,
    /// The diagnostics with their lines.
    diagnostics: Vec<(usize, Diagnostic)>,
}

impl Compiled {
    fn errors(&self) -> impl Iterator<Item = &(usize, Diagnostic)> {
        self.diagnostics.iter().filter(|(_, diagnostic)| diagnostic.severity == splc_ir::diagnostic::Severity::Error)
    }
}

fn compile(text: &[u8], abi: &str) -> Compiled {
    let abi = Abi::by_name(abi).unwrap();
    let mut sources = SourceMap::new();
    let file = sources.add("x.des", None, text.to_vec());
    // With all warnings that the original has with -w.
    let mut lints = LintLevels::default();
    Code::ALL.iter().for_each(|&code| lints.set(code, LintLevel::Warn));
    let mut diagnostics = Diagnostics::with_lints(lints);
    let mut module = splc_frontends::parse(&mut sources, file, CATALOG, &mut NoIncludes, &mut diagnostics);
    splc_ir::check::check(&mut module, CATALOG, &mut diagnostics);
    let mut levels = Vec::new();
    if !diagnostics.has_errors() {
        for level in splc_ir::lower::parts::lower(&module, CATALOG, abi, &mut diagnostics) {
            let bytes = splc_backends::parts::encode(&level, abi, CATALOG.header(abi.name).unwrap());
            // A level overwrites an earlier one of the same name without truncating it (no O_TRUNC).
            match levels.iter_mut().find(|(name, _): &&mut (String, Vec<u8>)| *name == level.name.as_str()) {
                Some((_, old)) => {
                    let tail = old.split_off(bytes.len().min(old.len()));
                    *old = bytes;
                    old.extend(tail);
                }
                None => levels.push((level.name.to_string(), bytes)),
            }
        }
    }
    diagnostics.sort();
    let line = |diagnostic: &Diagnostic| diagnostic.span.map_or(0, |span| sources.line_column(span.file, span.start).0);
    Compiled { levels, diagnostics: diagnostics.into_vec().into_iter().map(|said| (line(&said), said)).collect() }
}
