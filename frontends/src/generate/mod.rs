//! A front end without text: makes up levels for any game.
//!
//! [`module`] turns a stream of [`Choices`] into a [`Module`] as a des-file of the game's dialect could have it: well
//! typed, with names that the game knows and numbers within its limits. Such a level passes
//! [`check`](splc_ir::check) and can be lowered, printed, ported and run; what it looks like to a player is up to chance.
//! Whoever tests a compiler or a game finds in them what nobody would write by hand.
//!
//! Every statement, value, selection and detail of the tree comes up where the dialect has it. What a game cannot hold
//! is asked of [`lacks`](splc_ir::lacks), and drawn again as something simpler; nothing here knows a dialect by name.
//! What the *languages* do not write is known by the catalog's [features](splc_ir::catalog::Feature), as in
//! [`resolve`](splc_ir::resolve).
//!
//! `script` makes the levels of the script dialects, `parts` those of NetHack 3.4.3; `names` and `values` is what they
//! share.

mod choices;
mod names;
mod parts;
mod script;

pub use choices::Choices;
use splc_ir::catalog::{Catalog, Format};
use splc_ir::level::{Expr, ExprKind, Module, Selection, SelectionKind, Statement, StatementKind};
use splc_ir::source::{Span, Spanned};

/// Most statements of a made-up level, however large it is asked for.
pub const MAX_SIZE: usize = 10_000;

/// Blocks within blocks are not made deeper than this.
const DEEPEST: usize = 4;

/// Makes up a file with one level or more for the game of `catalog`, of about `size` statements ([`MAX_SIZE`] at most);
/// nothing for a game without des-files.
pub fn module(catalog: &Catalog, choices: &mut Choices, size: usize) -> Module {
    let size = size.min(MAX_SIZE);
    match catalog.format {
        Format::Opcodes => script::module(catalog, choices, size),
        Format::Parts => parts::module(catalog, choices, size),
        Format::Lua => Module::default(),
    }
}

/// A node that no text stands behind.
fn spanned<T>(node: T) -> Spanned<T> {
    Spanned::new(node, Span::NOWHERE)
}

fn expression(kind: ExprKind) -> Expr {
    Expr { kind, span: Span::NOWHERE }
}

fn statement(kind: StatementKind) -> Statement {
    Statement { kind, span: Span::NOWHERE }
}

fn selection(kind: SelectionKind) -> Selection {
    Selection { kind, span: Span::NOWHERE }
}
