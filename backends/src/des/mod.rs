//! des-files: a level as source of a dialect, as a careful author would write it.
//!
//! The output reads back as the same level: the same tree except for its spans, and thus the same bytes. A tree from a
//! front end can always be written in its own dialect. A tree from elsewhere (a level file, a port, a program) must not
//! contain anything that the dialect lacks; check [`splc_ir::lacks`] first. Some values exist in a dialect but have no
//! spelling, such as a string with a quote. These are reported as [`Unprintable`].
//!
//! Each statement gets a line, blocks are indented, and the rows of a map stay as they are. The script dialects write
//! `WORD: a, b`, NetHack 3.4.3 `WORD:a,b`, as their own files do.

pub use layout::lay_out;
use splc_ir::catalog::{Catalog, Format};
use splc_ir::level::Module;
use splc_ir::source::Span;

use crate::comments::{BlockEnds, Comments};

mod layout;
mod nethack343;
mod script;
mod text;
mod values;

/// A value that the dialect cannot spell.
#[derive(Clone, Debug, PartialEq)]
pub struct Unprintable {
    /// Its span, possibly nowhere.
    pub span: Span,
    /// A description with its article: "a text with a '\"' in it".
    pub what: &'static str,
}

/// The comments and blank lines to write.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Style {
    /// Those of the module.
    #[default]
    AsWritten,
    /// Blank lines between statements of different topics and rulers above maps, for a level without an author's
    /// layout, such as one read back from a level file.
    ReadBack,
}

/// Writes `module` in the dialect of `catalog`, with its [trivia](Module::trivia). Each comment gets its own line
/// before the statement that it precedes. The caller encodes the text in the module's charset.
///
/// # Errors
/// Everything in the module that the dialect cannot spell.
pub fn print(module: &Module, catalog: &Catalog) -> Result<String, Vec<Unprintable>> {
    print_styled(module, catalog, Style::AsWritten)
}

/// Writes `module` like [`print()`], in the given style.
///
/// # Errors
/// Everything in the module that the dialect cannot spell.
pub fn print_styled(module: &Module, catalog: &Catalog, style: Style) -> Result<String, Vec<Unprintable>> {
    let out = |ends| text::DesText::new(style, Comments::of(module, ends));
    match catalog.format {
        Format::Opcodes => script::print(module, catalog, out(BlockEnds::Written)),
        Format::Parts => nethack343::print(module, catalog, out(BlockEnds::Missing)),
        Format::Lua => Err(vec![Unprintable { span: Span::NOWHERE, what: "a level of a game without des-files" }]),
    }
}
