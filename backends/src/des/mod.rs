//! des-files: a level as source of a dialect, as a careful author would write it.
//!
//! What is written reads back as the same level: the same tree but for the places in it, and so the same bytes. A tree
//! that a front end made can always be written in its own dialect. One that came another way (read back from a level
//! file, ported, made by a program) must hold nothing that the dialect lacks; ask [`splc_ir::lacks`] before. What is
//! left are values that a dialect has but cannot spell, such as a quote in a text: those are [`Unprintable`].
//!
//! Statements stand one a line, blocks are indented, the rows of a map stand as they are. The script dialects write
//! `WORD: a, b`, NetHack 3.4.3 `WORD:a,b`, as their own files do.

pub use layout::lay_out;
use splc_ir::catalog::{Catalog, Format};
use splc_ir::level::Module;
use splc_ir::source::Span;

mod layout;
mod nethack343;
mod script;
mod text;
mod values;

/// A value that the dialect has no spelling for.
#[derive(Clone, Debug, PartialEq)]
pub struct Unprintable {
    /// Where it stands; perhaps nowhere.
    pub span: Span,
    /// What it is, with its article: "a text with a '\"' in it".
    pub what: &'static str,
}

/// What is written besides the statements.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Style {
    /// What the module has: its comments and blank lines.
    #[default]
    AsWritten,
    /// What makes a level easier to read that no author has laid out, such as one that was read back from a level file:
    /// blank lines between statements of different kinds, rulers above maps.
    ReadBack,
}

/// Writes `module` in the dialect of `catalog`, with its [trivia](Module::trivia): each comment once, on a line of its own
/// before the statement that it stands before. Its bytes are those of the text in the module's charset.
///
/// # Errors
/// Everything in the module that the dialect cannot spell.
pub fn print(module: &Module, catalog: &Catalog) -> Result<String, Vec<Unprintable>> {
    print_styled(module, catalog, Style::AsWritten)
}

/// Writes `module` as [`print()`] does, in this style.
///
/// # Errors
/// Everything in the module that the dialect cannot spell.
pub fn print_styled(module: &Module, catalog: &Catalog, style: Style) -> Result<String, Vec<Unprintable>> {
    let out = text::DesText::new(style, &module.trivia);
    match catalog.format {
        Format::Opcodes => script::print(module, catalog, out),
        Format::Parts => nethack343::print(module, catalog, out),
        Format::Lua => Err(vec![Unprintable { span: Span::NOWHERE, what: "a level of a game without des-files" }]),
    }
}
