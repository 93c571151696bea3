//! A front end without text: generates levels for any game.
//!
//! A [`Generator`] turns a stream of [`Choices`] into a [`Module`] such as a des-file of the game's dialect could
//! contain: well typed, with names that the game knows and numbers within its limits. Such a level passes
//! [`check`](splc_ir::check) and can be lowered, printed, ported and run. It makes no sense to a player, but it tests
//! compilers and games with input that nobody would write by hand.
//!
//! The generator uses every statement, value, selection and detail of the tree that the dialect has. It asks
//! [`lacks`](splc_ir::lacks) for constructs that a game cannot contain, and draws something simpler instead. No code
//! here depends on a dialect by name. Constructs that a *language* cannot express are known from the catalog's
//! [features](splc_ir::catalog::Feature), as in [`resolve`](splc_ir::resolve).
//!
//! `script` generates levels of the script dialects, `parts` those of NetHack 3.4.3. Both use `names` and `values`.

mod choices;
mod names;
mod parts;
mod script;

pub use choices::Choices;
use names::Names;
use splc_ir::catalog::{Catalog, Format};
use splc_ir::level::{Expr, ExprKind, Module, Selection, SelectionKind, Statement, StatementKind};
use splc_ir::source::{Span, Spanned};

/// The maximum number of statements in a generated level, whatever size is requested.
pub const MAX_SIZE: usize = 10_000;

/// The maximum nesting of generated blocks.
const DEEPEST: usize = 4;

/// Generates files for one game. It finds the game's names once, which takes longer than a small file.
pub struct Generator<'a> {
    catalog: &'a Catalog,
    names: Names,
}

impl<'a> Generator<'a> {
    /// Creates a generator for the game of `catalog`.
    pub fn new(catalog: &'a Catalog) -> Self {
        Generator { catalog, names: Names::new(catalog) }
    }

    /// Generates a file with one or more levels, of about `size` statements (at most [`MAX_SIZE`]). Returns an empty
    /// module for a game without des-files.
    pub fn module(&self, choices: &mut Choices, size: usize) -> Module {
        let size = size.min(MAX_SIZE);
        match self.catalog.format {
            Format::Opcodes => script::module(self.catalog, &self.names, choices, size),
            Format::Parts => parts::module(self.catalog, &self.names, choices, size),
            Format::Lua => Module::default(),
        }
    }
}

/// Generates one file, as [`Generator::module`] does.
pub fn module(catalog: &Catalog, choices: &mut Choices, size: usize) -> Module {
    Generator::new(catalog).module(choices, size)
}

/// Returns a node without a source span.
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
