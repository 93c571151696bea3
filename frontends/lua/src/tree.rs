//! The syntax tree of a Lua 5.4 script. Every node has a span.
//!
//! A tree is no deeper than [`MAX_DEPTH`] and has no more nodes than [`MAX_NODES`], so recursive walks are safe, as is
//! the recursion when a tree is dropped. The parser enforces the limit with [`Expression::depth`] and [`Block::depth`].

use splc_ir::source::{Span, Text};

/// Deepest nesting of blocks, brackets and operators of a Lua script (Lua 5.4, `LUAI_MAXCCALLS`).
pub const MAX_NESTING: usize = 200;

/// Deepest tree of a Lua script. Besides nested constructs, each call, index and operator of a chain adds a level. Lua
/// itself has no such limit, but no real level chains a thousand of them.
pub const MAX_DEPTH: usize = 1000;

/// Most statements and expressions of a Lua script. The game gives a level 1 MiB of memory, and each takes at least
/// four bytes of it.
pub const MAX_NODES: usize = 1 << 18;

/// A script.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Chunk {
    /// Its statements.
    pub body: Block,
    /// Its comments, in source order.
    pub comments: Vec<Span>,
}

/// Statements that share a scope.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Block {
    /// Its statements, in order.
    pub statements: Vec<Statement>,
    /// The depth of the tree below it.
    pub depth: usize,
}

/// A name with its span.
#[derive(Clone, Debug, PartialEq)]
pub struct Name {
    /// The name.
    pub text: Text,
    /// Its span in the source.
    pub span: Span,
}

/// A statement.
#[derive(Clone, Debug, PartialEq)]
pub struct Statement {
    /// Its kind.
    pub kind: StatementKind,
    /// Its span, from the first token to the last.
    pub span: Span,
}

/// The kind of a statement.
#[derive(Clone, Debug, PartialEq)]
pub enum StatementKind {
    /// `local a <const>, b = ...`
    Local {
        /// The names, each with its attribute.
        names: Vec<(Name, Option<Name>)>,
        /// The values.
        values: Vec<Expression>,
    },
    /// `a, b.c = ...`
    Assign {
        /// The variables to assign.
        targets: Vec<Expression>,
        /// The values.
        values: Vec<Expression>,
    },
    /// A call whose result is ignored.
    Call(Expression),
    /// `do ... end`
    Do(Block),
    /// `while ... do ... end`
    While {
        /// The condition for another iteration.
        condition: Expression,
        /// The statements to repeat.
        body: Block,
    },
    /// `repeat ... until ...`; the condition sees the locals of the body.
    Repeat {
        /// The statements to repeat.
        body: Block,
        /// The condition that ends the loop.
        condition: Expression,
    },
    /// `if ... then ... elseif ... else ... end`
    If {
        /// The conditions with their blocks. The first true condition counts.
        branches: Vec<(Expression, Block)>,
        /// The block of `else`.
        otherwise: Option<Block>,
    },
    /// `for i = 1, 10, 2 do ... end`
    NumericFor {
        /// The variable.
        variable: Name,
        /// Start, limit and optional step.
        range: Vec<Expression>,
        /// The statements to repeat.
        body: Block,
    },
    /// `for k, v in ... do ... end`
    GenericFor {
        /// The variables.
        names: Vec<Name>,
        /// The iterator values.
        values: Vec<Expression>,
        /// The statements to repeat.
        body: Block,
    },
    /// `function a.b:c(...) ... end`
    Function {
        /// `a`.
        name: Name,
        /// `b` and `c`.
        fields: Vec<Name>,
        /// The function. It has a parameter `self` if the last field follows a colon.
        function: Box<Function>,
    },
    /// `local function a(...) ... end`
    LocalFunction {
        /// Its name.
        name: Name,
        /// The function.
        function: Box<Function>,
    },
    /// `return ...`
    Return(Vec<Expression>),
    /// `break`
    Break,
    /// `goto a`
    Goto(Name),
    /// `::a::`
    Label(Name),
}

/// A function.
#[derive(Clone, Debug, PartialEq)]
pub struct Function {
    /// Its parameters.
    pub parameters: Vec<Name>,
    /// True if it takes a variable number of arguments: `...`.
    pub varargs: bool,
    /// Its statements.
    pub body: Block,
    /// Its span, from `function` to `end`.
    pub span: Span,
}

/// An expression.
#[derive(Clone, Debug, PartialEq)]
pub struct Expression {
    /// Its kind.
    pub kind: ExpressionKind,
    /// Its span in the source.
    pub span: Span,
    /// The depth of the tree below it.
    pub depth: usize,
}

/// The kind of an expression.
#[derive(Clone, Debug, PartialEq)]
pub enum ExpressionKind {
    /// `nil`
    Nil,
    /// `true`, `false`
    Boolean(bool),
    /// An integer.
    Integer(i64),
    /// A floating-point number.
    Float(f64),
    /// A string.
    Text(TextLiteral),
    /// `...`
    Varargs,
    /// `function (...) ... end`
    Function(Box<Function>),
    /// A variable.
    Name(Text),
    /// `a.b`
    Field(Box<Expression>, Name),
    /// `a[b]`
    Index(Box<Expression>, Box<Expression>),
    /// `a(...)`
    Call(Box<Call>),
    /// `{ ... }`
    Table(Vec<Entry>),
    /// `-a`, `not a`
    Unary(UnaryOperator, Box<Expression>),
    /// `a + b`
    Binary(BinaryOperator, Box<(Expression, Expression)>),
    /// `(a)`
    Parenthesized(Box<Expression>),
    /// An expression that could not be read; a diagnostic says why.
    Unread,
}

/// A call.
#[derive(Clone, Debug, PartialEq)]
pub struct Call {
    /// The called function, or the object of a method call.
    pub callee: Expression,
    /// The method: `a:b(...)`.
    pub method: Option<Name>,
    /// Its arguments.
    pub arguments: Vec<Expression>,
    /// The span of the arguments with their parentheses.
    pub span: Span,
}

/// An entry of a table.
#[derive(Clone, Debug, PartialEq)]
pub enum Entry {
    /// `value`
    Item(Expression),
    /// `name = value`
    Named(Name, Expression),
    /// `[key] = value`
    Keyed(Expression, Expression),
}

/// A string in quotes or long brackets.
#[derive(Clone, Debug, PartialEq)]
pub struct TextLiteral {
    /// Its value, with escapes resolved and line ends as line feeds.
    pub value: Vec<u8>,
    /// Its form in the source.
    pub form: TextForm,
}

/// The form of a string in the source.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TextForm {
    /// Without escapes. The first byte of the string is at this offset.
    Plain(u32),
    /// With escapes or converted line ends.
    Escaped,
}

/// Unary operators.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)] // the operators of Lua
pub enum UnaryOperator {
    Minus,
    Not,
    Length,
    BitNot,
}

/// Binary operators.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)] // the operators of Lua
pub enum BinaryOperator {
    Or,
    And,
    Less,
    Greater,
    LessOrEqual,
    GreaterOrEqual,
    NotEqual,
    Equal,
    BitOr,
    BitXor,
    BitAnd,
    ShiftLeft,
    ShiftRight,
    Concatenate,
    Add,
    Subtract,
    Multiply,
    Divide,
    FloorDivide,
    Modulo,
    Power,
}

impl Entry {
    /// Returns its value.
    pub fn value(&self) -> &Expression {
        match self {
            Entry::Item(value) | Entry::Named(_, value) | Entry::Keyed(_, value) => value,
        }
    }
}

impl TextLiteral {
    /// Returns the string, if it is valid UTF-8.
    pub fn as_str(&self) -> Option<&str> {
        std::str::from_utf8(&self.value).ok()
    }
}

impl Expression {
    /// Returns the expression without the parentheses around it.
    pub fn bare(&self) -> &Expression {
        let mut expression = self;
        while let ExpressionKind::Parenthesized(inner) = &expression.kind {
            expression = inner;
        }
        expression
    }
}
