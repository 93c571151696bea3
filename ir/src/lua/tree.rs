//! The syntax of a Lua 5.4 script, with the place of every node.
//!
//! A tree is no deeper than [`MAX_LUA_DEPTH`](crate::limits::MAX_LUA_DEPTH) and has no more nodes than
//! [`MAX_LUA_NODES`](crate::limits::MAX_LUA_NODES): whoever walks over one may recurse, and whoever drops one does.
//! [`Expression::depth`] and [`Block::depth`] are how its makers see to that.

use crate::source::{Span, Text};

/// A whole script.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Chunk {
    /// What it does.
    pub body: Block,
    /// Its comments, in the order of the file.
    pub comments: Vec<Span>,
}

/// Statements that share a scope.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Block {
    /// The statements in order.
    pub statements: Vec<Statement>,
    /// How deep the tree below it is.
    pub depth: usize,
}

/// A name, where it stands.
#[derive(Clone, Debug, PartialEq)]
pub struct Name {
    /// The name.
    pub text: Text,
    /// Where it stands.
    pub span: Span,
}

/// A statement, where it stands.
#[derive(Clone, Debug, PartialEq)]
pub struct Statement {
    /// What it is.
    pub kind: StatementKind,
    /// From its first word to its last.
    pub span: Span,
}

/// The kinds of statements.
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
        /// What is set.
        targets: Vec<Expression>,
        /// The values.
        values: Vec<Expression>,
    },
    /// A call whose result nobody takes.
    Call(Expression),
    /// `do ... end`
    Do(Block),
    /// `while ... do ... end`
    While {
        /// As long as this holds.
        condition: Expression,
        /// What is repeated.
        body: Block,
    },
    /// `repeat ... until ...`; the condition sees the locals of the body.
    Repeat {
        /// What is repeated.
        body: Block,
        /// Until this holds.
        condition: Expression,
    },
    /// `if ... then ... elseif ... else ... end`
    If {
        /// Conditions and what is done under them, the first of which that holds counts.
        branches: Vec<(Expression, Block)>,
        /// What is done if none holds.
        otherwise: Option<Block>,
    },
    /// `for i = 1, 10, 2 do ... end`
    NumericFor {
        /// The variable.
        variable: Name,
        /// Start, limit and, if there is one, step.
        range: Vec<Expression>,
        /// What is repeated.
        body: Block,
    },
    /// `for k, v in ... do ... end`
    GenericFor {
        /// The variables.
        names: Vec<Name>,
        /// What they run over.
        values: Vec<Expression>,
        /// What is repeated.
        body: Block,
    },
    /// `function a.b:c(...) ... end`
    Function {
        /// `a`.
        name: Name,
        /// `b` and `c`.
        fields: Vec<Name>,
        /// The function, with `self` if the last field stands behind a colon.
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
    /// Whether it takes more: `...`.
    pub varargs: bool,
    /// What it does.
    pub body: Block,
    /// From `function` to `end`.
    pub span: Span,
}

/// An expression, where it stands.
#[derive(Clone, Debug, PartialEq)]
pub struct Expression {
    /// What it is.
    pub kind: ExpressionKind,
    /// Where it stands.
    pub span: Span,
    /// How deep the tree below it is.
    pub depth: usize,
}

/// The kinds of expressions.
#[derive(Clone, Debug, PartialEq)]
pub enum ExpressionKind {
    /// `nil`
    Nil,
    /// `true`, `false`
    Boolean(bool),
    /// A number without a fraction.
    Integer(i64),
    /// Another number.
    Float(f64),
    /// A text.
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
    /// What could not be read; a diagnostic says why.
    Unread,
}

/// A call.
#[derive(Clone, Debug, PartialEq)]
pub struct Call {
    /// What is called, or the object if it is a method.
    pub callee: Expression,
    /// The method: `a:b(...)`.
    pub method: Option<Name>,
    /// The arguments.
    pub arguments: Vec<Expression>,
    /// The arguments with their parentheses.
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

/// A text in quotes or long brackets.
#[derive(Clone, Debug, PartialEq)]
pub struct TextLiteral {
    /// What it says, escapes resolved, line ends as line feeds.
    pub value: Vec<u8>,
    /// How it stands in the source.
    pub form: TextForm,
}

/// How a text stands in the source.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TextForm {
    /// In quotes or long brackets, each byte as it is: the first one stands at this offset.
    Plain(u32),
    /// With escapes or other line ends.
    Escaped,
}

/// Operators before their operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)] // they are Lua's
pub enum UnaryOperator {
    Minus,
    Not,
    Length,
    BitNot,
}

/// Operators between their operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)] // they are Lua's
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
    /// Its value.
    pub fn value(&self) -> &Expression {
        match self {
            Entry::Item(value) | Entry::Named(_, value) | Entry::Keyed(_, value) => value,
        }
    }
}

impl TextLiteral {
    /// The text, if it is UTF-8.
    pub fn as_str(&self) -> Option<&str> {
        std::str::from_utf8(&self.value).ok()
    }
}

impl Expression {
    /// The expression without parentheses around it.
    pub fn bare(&self) -> &Expression {
        let mut expression = self;
        while let ExpressionKind::Parenthesized(inner) = &expression.kind {
            expression = inner;
        }
        expression
    }
}
