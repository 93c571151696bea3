//! Raising: from the form that a game loads back to a level, the inverse of lowering.
//!
//! A level file contains less than its source: comments, the order of types of things (NetHack 3.4.3), the choice
//! between two names for one number, and the names of functions are lost. The rest is one of a closed set of shapes,
//! because only the games' compilers and splc write level files, and these shapes can be undone. [`raise`] proposes a
//! module and then proves it: the module is [checked](crate::check) and lowered again, and must give the same code. A
//! file from another program may contain code that no des-file produces. Then the error names the first opcode or thing
//! that differs, and splc can only show a listing.
//!
//! `parts` handles the lists of NetHack 3.4.3, `program` the opcodes of the other games. Both accept any input: the
//! result is a level or a [`RaiseError`], in time proportional to the input.

use std::borrow::Cow;
use std::fmt;

use crate::abi::Abi;
use crate::catalog::Catalog;
use crate::check::check;
use crate::diagnostic::{Diagnostic, Diagnostics, Severity};
use crate::level::{Expr, ExprKind, MapRows, Module, Statement, StatementKind};
use crate::loadable::{Loadable, lower_each};
use crate::order::Order;
use crate::source::{Span, Spanned, Text};
use crate::words::Group;

mod parts;
mod program;

/// A level read back.
#[derive(Clone, Debug)]
pub struct Raised {
    /// The level, alone or after its functions. It passes the checks without errors and lowers to the original code.
    pub module: Module,
    /// Remarks for its author.
    pub notes: Vec<Note>,
}

/// A remark about a level read back.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Note {
    /// The names of these functions are invented; the file does not contain the original names.
    InventedFunctions(Vec<Text>),
    /// The names of these rooms with subrooms may have been invented by the game's compiler or by splc.
    InventedRooms(Vec<Text>),
    /// The level is a random vault, and its weight is in another file.
    VaultWeight,
}

impl fmt::Display for Note {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let list = |names: &[Text]| names.iter().map(Text::as_str).collect::<Vec<_>>().join(", ");
        match self {
            Note::InventedFunctions(names) => {
                write!(formatter, "function names are invented, since level files contain none: {}", list(names))
            }
            Note::InventedRooms(names) => write!(formatter, "room names may be invented: {}", list(names)),
            Note::VaultWeight => {
                formatter.write_str("a random vault; its weight (VAULTGEN) is in vaults.dat, not in the level file")
            }
        }
    }
}

/// The reason no level lowers to the given code.
#[derive(Clone, Debug, PartialEq)]
pub struct RaiseError {
    /// The bytes of the level file that it concerns; nowhere if it concerns the whole level.
    pub span: Span,
    /// Index of the opcode, for a list of opcodes.
    pub opcode: Option<usize>,
    /// A description of the code that no des-file produces.
    pub message: Cow<'static, str>,
}

impl RaiseError {
    fn new(span: Span, message: impl Into<Cow<'static, str>>) -> RaiseError {
        RaiseError { span, opcode: None, message: message.into() }
    }

    /// Converts an error from checking or lowering a raised level.
    fn refused(problem: &Diagnostic) -> RaiseError {
        RaiseError::new(problem.span.unwrap_or(Span::NOWHERE), problem.message.to_string())
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

/// Reads back `level`, which is for the game of `catalog` on a machine of `abi`: returns a module that lowers to it
/// again. Spans are those of the original code, or nowhere for nodes without code of their own.
///
/// If several spellings give one number, the first in the catalog is used. Names that the file does not contain are
/// invented, and reported in a [`Note`].
///
/// # Errors
/// The first opcode or thing that no des-file produces, or that differs after lowering again.
pub fn raise(level: &Loadable, catalog: &Catalog, abi: &Abi) -> Result<Raised, RaiseError> {
    match level {
        Loadable::Program(program) => program::raise(program, catalog, abi),
        Loadable::Parts(parts) => parts::raise(parts, catalog, abi),
        Loadable::Lua(_) => Err(RaiseError::new(Span::NOWHERE, "a Lua script is already the source of its level")),
    }
}

/// Checks that a level equals `file`, which was read from a level file: both result in the same level file. Names and
/// positions are ignored.
///
/// # Errors
/// The first opcode or thing of `file` that `again` lacks.
pub fn same(file: &Loadable, again: &Loadable, catalog: &Catalog, abi: &Abi) -> Result<(), RaiseError> {
    match (file, again) {
        (Loadable::Program(file), Loadable::Program(again)) => program::same(file, again, catalog, abi),
        (Loadable::Parts(file), Loadable::Parts(again)) => parts::same(file, again),
        _ => Err(RaiseError::new(Span::NOWHERE, "the levels have different formats")),
    }
}

/// Checks the proposed `module` and lowers it again. Returns the level, or the first error.
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
        (None, None) => Err(RaiseError::new(Span::NOWHERE, "no level is left")),
    }
}

// --- Shared by parts and programs

/// Wraps a value without source text.
fn bare<T>(node: T) -> Spanned<T> {
    Spanned::new(node, Span::NOWHERE)
}

fn statement(kind: StatementKind, span: Span) -> Statement {
    Statement { kind, span }
}

fn expr(kind: ExprKind, span: Span) -> Expr {
    Expr { kind, span }
}

/// Returns the rows of a map of `width` columns. Trailing blanks are removed if another row is as wide as the map, so
/// that they carry no information. A row of blanks alone is kept.
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

/// Returns words of `group` whose numbers or-ed are `bits`, those with most bits first; `None` if some bits have no
/// word.
fn words_of_bits(bits: i64, group: Group, catalog: &Catalog) -> Option<Vec<Text>> {
    let mut words: Vec<(&str, i64)> = catalog
        .words(group)
        .filter_map(|word| Some((word, catalog.word(group, word)?)))
        .filter(|&(_, number)| number != 0 && number & bits == number)
        .collect();
    // A word for several bits takes precedence over words for single bits.
    words.order_by_key(|&(_, number)| std::cmp::Reverse(number.count_ones()));
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
