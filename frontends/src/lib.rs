//! STAND-IN for the real front ends, until they are merged: knows LEVEL, FLAGS and MESSAGE, one a line.

use std::io;
use std::path::{Path, PathBuf};

use splc_ir::catalog::Catalog;
use splc_ir::diagnostic::{Code, Diagnostic, Diagnostics};
use splc_ir::level::*;
use splc_ir::source::{FileId, SourceMap, Span, Spanned, Text};

/// What reads included files.
pub trait Includes {
    /// Reads the file that `from` calls `path`; returns where it was found, and its bytes.
    fn read(&mut self, path: &str, from: Option<&Path>) -> io::Result<(PathBuf, Vec<u8>)>;
}

/// STAND-IN.
pub fn parse(
    sources: &mut SourceMap,
    file: FileId,
    _catalog: &'static Catalog,
    _includes: &mut dyn Includes,
    diagnostics: &mut Diagnostics,
) -> Module {
    let source = sources.get(file);
    let mut module = Module { charset: source.charset, items: Vec::new() };
    let mut start = 0;
    for line in source.text.split_inclusive('\n') {
        let trimmed = line.trim_end();
        let span = Span::new(file, start, start + trimmed.len());
        start += line.len();
        let quoted = |text: &str| Text::from(text.trim().trim_matches('"'));
        if trimmed.is_empty() || trimmed.starts_with('#') {
            continue;
        }
        let last = module.items.last_mut();
        match (trimmed.split_once(':'), last) {
            (Some(("LEVEL", name)), _) => module.items.push(Item::Level(Level {
                name: Spanned::new(quoted(name), span),
                kind: LevelKind::Script,
                flags: None,
                body: Vec::new(),
                span,
            })),
            (Some(("FLAGS", flags)), Some(Item::Level(level))) => {
                level.flags = Some(flags.split(',').map(|flag| Spanned::new(Text::from(flag.trim()), span)).collect());
            }
            (Some(("MESSAGE", text)), Some(Item::Level(level))) => {
                let text = Expr { kind: ExprKind::String(quoted(text)), span };
                level.body.push(Statement { kind: StatementKind::Message { text }, span });
            }
            _ => diagnostics.push(
                Diagnostic::new(Code::Syntax, span, "this is no statement").with_label("unknown to the stand-in"),
            ),
        }
    }
    module
}
