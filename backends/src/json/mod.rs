//! The JSON dump: what a des-file says, for other programs to read.
//!
//! The dump is the [`Module`] as the front end understood it, with structure, names and places as they were
//! written. `docs/json.md` describes it; [`SCHEMA_VERSION`] changes with every change that a reader
//! would notice.

use std::io;

use serde::{Serialize, Serializer};
use splc_ir::catalog::Catalog;
use splc_ir::level::{Item, Module, SCHEMA_VERSION};
use splc_ir::source::{Charset, FileId, Source, SourceMap};

use self::writer::Writer;

mod writer;

/// What `schema` says in every dump.
pub const SCHEMA: &str = "splc-level";

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

/// The source files that spans point into.
struct Files<'a>(&'a SourceMap);

/// One of them.
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
        serializer.collect_seq(self.0.iter().map(|(_, source): (FileId, &Source)| File {
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

/// Writes `module` as one line of JSON with a newline at its end.
///
/// `catalog` is the game that the module was read for, `sources` holds the files that its spans point into.
///
/// # Errors
/// Those of `out`.
pub fn write(module: &Module, catalog: &Catalog, sources: &SourceMap, mut out: impl io::Write) -> io::Result<()> {
    let dump = Dump {
        schema: SCHEMA,
        version: SCHEMA_VERSION,
        dialect: &catalog.dialect,
        target: &catalog.name,
        charset: module.charset,
        files: Files(sources),
        items: &module.items,
    };
    dump.serialize(&mut Writer::new(&mut out))?;
    out.write_all(b"\n")
}
