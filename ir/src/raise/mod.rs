//! From what a game loads back to a level: the way back from lowering.
//!
//! A level file says less than its source: comments, the order of kinds (NetHack 3.4.3), which of two names for one
//! number was used, and the names of functions are lost. What is left is one of a closed set of shapes, since only the
//! games' compilers and splc write level files, and those shapes can be undone. [`raise`] proposes a module that gives
//! them, and then proves it: the module is [judged](crate::check) and lowered again, and must give the same code. What
//! was not written by such a compiler may hold what no des-file says; then the first opcode or thing that differs is
//! named, and a listing is all that can be shown.
//!
//! `parts` knows the lists of NetHack 3.4.3, `program` the opcodes of the others. Both trust nothing that they find:
//! whatever it is, the answer is a level or a [`RaiseError`], in time that is in proportion to it.

use std::borrow::Cow;
use std::fmt;

use crate::abi::Abi;
use crate::catalog::Catalog;
use crate::check::check;
use crate::diagnostic::{Diagnostic, Diagnostics, Severity};
use crate::level::{Expr, ExprKind, MapRows, Module, Statement, StatementKind};
use crate::loadable::{Loadable, lower_each};
use crate::source::{Span, Spanned, Text};
use crate::words::Group;

mod parts;
mod program;

/// A level that was read back.
#[derive(Clone, Debug)]
pub struct Raised {
    /// The level, alone or behind its functions. It was judged without errors, and lowers to what it was raised from.
    pub module: Module,
    /// What its author should know about it.
    pub notes: Vec<Note>,
}

/// Something about a level that was read back.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Note {
    /// The functions of these names were called otherwise by their author.
    InventedFunctions(Vec<Text>),
    /// The rooms of these names have subrooms, and perhaps no name of their own: the game's compiler or splc may have
    /// named them.
    InventedRooms(Vec<Text>),
    /// The level is a random vault, and how often it is chosen stands in another file.
    VaultWeight,
}

impl fmt::Display for Note {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let list = |names: &[Text]| names.iter().map(Text::as_str).collect::<Vec<_>>().join(", ");
        match self {
            Note::InventedFunctions(names) => {
                write!(formatter, "names of functions are invented, since level files hold none: {}", list(names))
            }
            Note::InventedRooms(names) => write!(formatter, "names of rooms may be invented: {}", list(names)),
            Note::VaultWeight => {
                formatter.write_str("a random vault; its weight (VAULTGEN) stands in vaults.dat, not in the level file")
            }
        }
    }
}

/// Why there is no level that lowers to what was given.
#[derive(Clone, Debug, PartialEq)]
pub struct RaiseError {
    /// What it is about: bytes of the level file; nowhere if it is about the whole level.
    pub span: Span,
    /// Number of the opcode from 0, for a list of opcodes.
    pub opcode: Option<usize>,
    /// What no des-file gives.
    pub message: Cow<'static, str>,
}

impl RaiseError {
    fn new(span: Span, message: impl Into<Cow<'static, str>>) -> RaiseError {
        RaiseError { span, opcode: None, message: message.into() }
    }

    /// What the judge or lowering says of a raised level.
    fn refused(problem: &Diagnostic) -> RaiseError {
        RaiseError::new(problem.span.unwrap_or(Span::NOWHERE), problem.message.clone())
    }
}

impl fmt::Display for RaiseError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(opcode) = self.opcode {
            write!(formatter, "opcode {opcode}: ")?;
        }
        formatter.write_str(&self.message)
    }
}

impl std::error::Error for RaiseError {}

/// Reads `level` back, which is for the game of `catalog` on a machine of `abi`: makes a module that lowers to it
/// again. Spans are those of what it was made from; what nothing in particular stands behind is nowhere.
///
/// Where several spellings give one number it is the first in the catalog. Names that the file does not hold are
/// invented, and a [`Note`] says so.
///
/// # Errors
/// The first thing that no des-file gives, or at which what is lowered again differs.
pub fn raise(level: &Loadable, catalog: &Catalog, abi: &Abi) -> Result<Raised, RaiseError> {
    match level {
        Loadable::Program(program) => program::raise(program, catalog, abi),
        Loadable::Parts(parts) => parts::raise(parts, catalog, abi),
        Loadable::Lua(_) => Err(RaiseError::new(Span::NOWHERE, "a Lua script is the source of its level")),
    }
}

/// Whether a level is the same as `file`, which was read from a level file: whether the same level file holds it.
/// Names and places do not count.
///
/// # Errors
/// The first opcode or thing of `file` that `again` has not.
pub fn same(file: &Loadable, again: &Loadable, catalog: &Catalog, abi: &Abi) -> Result<(), RaiseError> {
    match (file, again) {
        (Loadable::Program(file), Loadable::Program(again)) => program::same(file, again, catalog, abi),
        (Loadable::Parts(file), Loadable::Parts(again)) => parts::same(file, again),
        _ => Err(RaiseError::new(Span::NOWHERE, "they are levels of different kinds")),
    }
}

/// Judges the proposed `module` and lowers it again: all of what it gives, or the first mistake.
fn lowered(module: &mut Module, catalog: &Catalog, abi: &Abi) -> Result<Loadable, RaiseError> {
    let mut diagnostics = Diagnostics::new();
    check(module, catalog, &mut diagnostics);
    let mut made = None;
    if !diagnostics.has_errors() {
        lower_each(module, catalog, abi, &mut diagnostics, |_, level, _| made = Some(level));
    }
    let error = diagnostics.iter().find(|problem| problem.severity == Severity::Error);
    match (error, made) {
        (Some(error), _) => Err(RaiseError::refused(error)),
        (None, Some(made)) => Ok(made),
        (None, None) => Err(RaiseError::new(Span::NOWHERE, "nothing is left of the level")),
    }
}

// --- What both ways have in common

/// A value that no text stands behind.
fn bare<T>(node: T) -> Spanned<T> {
    Spanned::new(node, Span::NOWHERE)
}

fn statement(kind: StatementKind, span: Span) -> Statement {
    Statement { kind, span }
}

fn expr(kind: ExprKind, span: Span) -> Expr {
    Expr { kind, span }
}

/// The rows of a map of `width` columns, without the blanks at their ends where they say nothing: if another row is as
/// wide as the map. A row of blanks alone stays.
fn map_rows(mut rows: Vec<String>, width: usize, span: Span) -> MapRows {
    if rows.iter().any(|row| row.len() == width && !row.ends_with(' ')) {
        for row in &mut rows {
            let kept = row.trim_end_matches(' ').len();
            row.truncate(if kept == 0 { row.len() } else { kept });
        }
    }
    let row_spans = vec![span; rows.len()];
    MapRows { rows: rows.into_iter().map(Text::from).collect(), row_spans, span }
}

/// Words of `group` whose numbers or-ed are `bits`, those of most bits first; `None` if some bits have no word.
fn words_of_bits(bits: i64, group: Group, catalog: &Catalog) -> Option<Vec<Text>> {
    let mut words: Vec<(&str, i64)> = catalog
        .words(group)
        .filter_map(|word| Some((word, catalog.word(group, word)?)))
        .filter(|&(_, number)| number != 0 && number & bits == number)
        .collect();
    // A word of several bits goes before the words of each.
    words.sort_by_key(|&(_, number)| std::cmp::Reverse(number.count_ones()));
    let mut left = bits;
    words.retain(|&(_, number)| {
        let wanted = number & left == number;
        if wanted {
            left &= !number;
        }
        wanted
    });
    (left == 0).then(|| words.into_iter().map(|(word, _)| Text::from(word)).collect())
}
