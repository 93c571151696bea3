//! The JSON dump: the contents of a des-file, for other programs.
//!
//! The dump is the [`Module`] as understood by the front end, with structure, names and spans as written.
//! `docs/reference/json.md` describes it. [`SCHEMA_VERSION`] changes with every change visible to a reader.

use std::io;

use serde::{Serialize, Serializer};
use splc_ir::catalog::Catalog;
use splc_ir::level::{Item, Module, SCHEMA, SCHEMA_VERSION};
use splc_ir::source::{Charset, FileId, Source, SourceMap, Span};
use splc_ir::visit::Visit;

use self::writer::Writer;

mod writer;

/// The top of a dump.
#[derive(Serialize)]
struct Dump<'a> {
    schema: &'static str,
    version: u32,
    dialect: &'a str,
    target: &'a str,
    charset: Charset,
    files: Files<'a>,
    items: &'a [Item],
}

/// The source files that spans point into. A JSON document from which the levels were read is listed only if a span
/// refers to it.
struct Files<'a> {
    sources: &'a SourceMap,
    document_is_named: bool,
}

/// Searches for spans in a file.
struct Search {
    file: FileId,
    found: bool,
}

impl Visit<'_> for Search {
    fn span(&mut self, span: &Span) {
        self.found |= span.file == self.file;
    }
}

/// A source file.
#[derive(Serialize)]
struct File<'a> {
    name: &'a str,
    charset: Charset,
    length: usize,
    line_starts: LineStarts<'a>,
}

/// Offsets of the first bytes of the lines.
struct LineStarts<'a>(&'a Source);

impl Serialize for Files<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let left_out = self.sources.document().filter(|_| !self.document_is_named);
        let files = self.sources.iter().filter(|&(id, _)| Some(id) != left_out);
        serializer.collect_seq(files.map(|(_, source): (FileId, &Source)| File {
            name: &source.name,
            charset: source.charset,
            length: source.len(),
            line_starts: LineStarts(source),
        }))
    }
}

impl Serialize for LineStarts<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.0.line_starts())
    }
}

/// Writes `module` as one line of JSON with a final newline.
///
/// `catalog` is the game for which the module was read, `sources` contains the files that its spans point into.
///
/// # Errors
/// Those of `out`.
pub fn write(module: &Module, catalog: &Catalog, sources: &SourceMap, mut out: impl io::Write) -> io::Result<()> {
    let document_is_named = sources.document().is_some_and(|file| {
        let mut search = Search { file, found: false };
        search.module(module);
        search.found
    });
    let dump = Dump {
        schema: SCHEMA,
        version: SCHEMA_VERSION,
        dialect: &catalog.dialect,
        target: &catalog.name,
        charset: module.charset,
        files: Files { sources, document_is_named },
        items: &module.items,
    };
    dump.serialize(&mut Writer::new(&mut out))?;
    out.write_all(b"\n")
}
