//! Parser from tokens to a tree, with error recovery.
//!
//! A missing token is assumed if the next token can only follow it. Otherwise the rest of the statement is skipped, up
//! to a line that begins like a statement. A token is reported at most once, so that one mistake is one message.

use splc_ir::diagnostic::{Code, Diagnostic, Diagnostics, Message, Mistake, Suggestion};
use splc_ir::source::{FileId, Source, Span, Text};

use super::lexer::{Keyword, Lexer, Token};
use super::{brackets, libraries, sandbox, words};
use crate::functions::{Form, Kind};
use crate::tree::{
    BinaryOperator, Block, Call, Chunk, Entry, Expression, ExpressionKind, Function, MAX_DEPTH, MAX_NESTING, MAX_NODES,
    Name, Statement, StatementKind, TextLiteral, UnaryOperator,
};

/// A token with its span.
#[derive(Clone, Debug)]
struct Read<'s> {
    token: Token<'s>,
    span: Span,
    /// True if it is the first on its line.
    first: bool,
}

/// The beginning of an argument of a function of the game.
#[derive(Clone, Copy)]
struct Argument<'s> {
    /// The start of the call.
    call: Span,
    library: &'s str,
    function: &'s str,
    /// The number of arguments before it.
    index: usize,
    /// The offset of its first token.
    start: u32,
}

pub(super) struct Parser<'s, 'd> {
    source: &'s Source,
    file: FileId,
    lexer: Lexer<'s>,
    diagnostics: &'d mut Diagnostics,
    current: Read<'s>,
    next: Option<Read<'s>>,
    /// The end offset of the token before the current one.
    previous_end: usize,
    /// The start of the last token that was reported.
    complained: Option<u32>,
    /// The closing bracket that was last reported as missing, and the offset of the opening one.
    assumed: Option<(&'static str, u32)>,
    nesting: usize,
    nodes: usize,
    /// The opening braces of open blocks that begin with a brace, as in other languages.
    braced: Vec<Span>,
    /// The first block whose `end` is indented less than its beginning.
    misindented: Option<(&'static str, Span)>,
    /// The number of open calls and tables.
    open: usize,
    /// True if the closing parenthesis of a call came before the brace of its table, and both were read.
    swapped: bool,
    /// The number of open blocks, with the script itself.
    blocks: usize,
    /// True in a condition, outside of all brackets. A brace after a call is then unlikely to be an argument.
    in_condition: bool,
    /// The end of the last text that the lexer could not read.
    unread_end: usize,
    /// The argument that is read: the call's start, its library and function, and its index.
    argument: Option<Argument<'s>>,
    /// The values of a place in parentheses that the call takes as arguments of their own.
    spread: Vec<Expression>,
    /// The opening brackets that nothing closes, found when they are first needed.
    unclosed: Option<Vec<u32>>,
    /// True after a limit was hit. Nothing more is read.
    stopped: bool,
}

/// The brackets around a list.
#[derive(Clone, Copy)]
struct Bracket {
    opening: Span,
    open: &'static str,
    close: &'static str,
}

/// Returns a binary operator with its left and right binding power (Lua 5.4, `lparser.c`).
fn operator(token: &Token<'_>) -> Option<(BinaryOperator, u8, u8)> {
    use BinaryOperator::*;
    Some(match token {
        Token::Keyword(Keyword::Or) => (Or, 1, 1),
        Token::Keyword(Keyword::And) => (And, 2, 2),
        Token::Sign(sign) => match *sign {
            "<" => (Less, 3, 3),
            ">" => (Greater, 3, 3),
            "<=" => (LessOrEqual, 3, 3),
            ">=" => (GreaterOrEqual, 3, 3),
            "~=" => (NotEqual, 3, 3),
            "==" => (Equal, 3, 3),
            "|" => (BitOr, 4, 4),
            "~" => (BitXor, 5, 5),
            "&" => (BitAnd, 6, 6),
            "<<" => (ShiftLeft, 7, 7),
            ">>" => (ShiftRight, 7, 7),
            ".." => (Concatenate, 9, 8),
            "+" => (Add, 10, 10),
            "-" => (Subtract, 10, 10),
            "*" => (Multiply, 11, 11),
            "/" => (Divide, 11, 11),
            "//" => (FloorDivide, 11, 11),
            "%" => (Modulo, 11, 11),
            "^" => (Power, 14, 13),
            _ => return None,
        },
        _ => return None,
    })
}

/// The binding power of unary operators.
const UNARY: u8 = 12;

impl<'s, 'd> Parser<'s, 'd> {
    pub(super) fn new(source: &'s Source, file: FileId, diagnostics: &'d mut Diagnostics) -> Self {
        let mut lexer = Lexer::new(&source.text, file);
        let (token, span, first) = lexer.next(diagnostics);
        let current = Read { token, span, first };
        Parser {
            source,
            file,
            lexer,
            diagnostics,
            current,
            next: None,
            previous_end: 0,
            complained: None,
            assumed: None,
            nesting: 0,
            nodes: 0,
            braced: Vec::new(),
            misindented: None,
            open: 0,
            swapped: false,
            blocks: 0,
            in_condition: false,
            unread_end: 0,
            argument: None,
            spread: Vec::new(),
            unclosed: None,
            stopped: false,
        }
    }

    pub(super) fn chunk(mut self) -> Chunk {
        let mut body = Block::default();
        loop {
            let block = self.block();
            body.depth = body.depth.max(block.depth);
            body.statements.extend(block.statements);
            if self.at_end() {
                break;
            }
            // A keyword that only ends a block.
            let span = self.current.span;
            if let Token::Keyword(keyword) = self.current.token {
                let message = format!("this `{}` has no matching block", keyword.as_str());
                let help = match keyword {
                    Keyword::End => "remove it, or look for an extra `end` before it",
                    Keyword::Until => "use `until` only to end a block that begins with `repeat`",
                    _ => "move it between `if ... then` and `end`",
                };
                self.complain(Diagnostic::new(Code::Syntax, span, message).with_help(help));
                self.advance();
                if matches!(keyword, Keyword::Elseif | Keyword::Until) {
                    self.skip_statement();
                }
            } else {
                self.advance();
            }
        }
        Chunk { body, comments: self.lexer.into_comments() }
    }

    // Tokens

    fn read(&mut self) -> Read<'s> {
        let (token, span, first) = self.lexer.next(self.diagnostics);
        if token == Token::Unread {
            // The lexer has reported it; errors that follow from it are suppressed.
            self.complained = Some(span.start);
            self.unread_end = span.end as usize;
        }
        Read { token, span, first }
    }

    fn advance(&mut self) -> Read<'s> {
        let next = match self.next.take() {
            Some(next) => next,
            None => self.read(),
        };
        self.previous_end = self.current.span.end as usize;
        std::mem::replace(&mut self.current, next)
    }

    fn peek(&mut self) -> &Token<'s> {
        if self.next.is_none() {
            let next = self.read();
            self.next = Some(next);
        }
        self.next.as_ref().map_or(&Token::End, |next| &next.token)
    }

    fn at_end(&self) -> bool {
        self.stopped || self.current.token == Token::End
    }

    fn is(&self, sign: &str) -> bool {
        !self.stopped && matches!(self.current.token, Token::Sign(found) if found == sign)
    }

    fn is_keyword(&self, keyword: Keyword) -> bool {
        !self.stopped && self.current.token == Token::Keyword(keyword)
    }

    fn take(&mut self, sign: &str) -> Option<Span> {
        self.is(sign).then(|| self.advance().span)
    }

    fn take_keyword(&mut self, keyword: Keyword) -> Option<Span> {
        self.is_keyword(keyword).then(|| self.advance().span)
    }

    fn text(&self, span: Span) -> &'s str {
        self.source.text.get(span.start as usize..span.end as usize).unwrap_or("")
    }

    fn shown(&self) -> String {
        self.current.token.shown(self.text(self.current.span))
    }

    /// Returns the span from `start` to the last token read.
    fn from(&self, start: Span) -> Span {
        Span::new(self.file, start.start as usize, self.previous_end.max(start.end as usize))
    }

    /// Returns the empty span directly after the last token read.
    fn behind(&self) -> Span {
        Span::new(self.file, self.previous_end, self.previous_end)
    }

    // Errors

    fn complain(&mut self, problem: Diagnostic) {
        let at = self.current.span.start;
        if self.current.token == Token::End && self.lexer.is_cut_short() {
            return;
        }
        if self.complained != Some(at) && !self.stopped {
            self.complained = Some(at);
            self.diagnostics.push(problem);
        }
    }

    /// Reports text at `span` that another replaces.
    fn fixable(&mut self, span: Span, message: impl Into<Message>, help: impl Into<String>, right: impl Into<String>) {
        self.complain(Diagnostic::new(Code::Syntax, span, message).with_help(help).with_suggestion(span, right, true));
    }

    /// Returns the error that `what` was expected here.
    fn expected(&mut self, what: &str) -> Diagnostic {
        let found = self.shown();
        Diagnostic::new(Code::Syntax, self.current.span, Mistake::expected(what, found))
            .with_label(format!("expected {what}"))
    }

    fn complain_expected(&mut self, what: &str, help: &str) {
        let problem = self.expected(what).with_help(help.to_owned());
        self.complain(problem);
    }

    /// Returns the error that `word` is missing after the last token read.
    fn missing(&mut self, word: &str, help: String) -> Diagnostic {
        let last = self.text_before();
        let span = self.behind();
        let padded =
            if word.bytes().all(|byte| byte.is_ascii_alphabetic()) { format!(" {word}") } else { word.to_owned() };
        let shown = if last.is_zero() { self.current.span } else { last.span };
        Diagnostic::new(Code::Syntax, shown, format!("`{word}` is missing here"))
            .with_label(format!("expected `{word}` after this, found {}", self.shown()))
            .with_help(help)
            .with_suggestion(span, padded, false)
    }

    /// Returns the last token read.
    fn text_before(&self) -> Last {
        let end = splc_ir::source::floor(&self.source.text, self.previous_end);
        let before = self.source.text.get(..end).unwrap_or("");
        let word = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
        let bytes = before.as_bytes();
        let mut start = end;
        while start > 0 && end - start < 64 && word(bytes[start - 1]) {
            start -= 1;
        }
        if start == end {
            start = splc_ir::source::floor(before, end.saturating_sub(1));
        }
        Last { span: Span::new(self.file, start, end) }
    }

    fn stop(&mut self, problem: Diagnostic) {
        if !self.stopped {
            self.diagnostics.push(problem);
            self.stopped = true;
        }
    }

    /// Counts a node of the tree.
    fn count(&mut self) {
        self.nodes += 1;
        if self.nodes > MAX_NODES {
            let message = format!("the script has more than {MAX_NODES} statements and expressions");
            let problem = Diagnostic::new(Code::TooLarge, self.current.span, message)
                .with_label("the rest of the script is not read")
                .with_help("use loops or several levels: the game allows a level 1 MiB of memory");
            self.stop(problem);
        }
    }

    fn too_deep(&mut self) {
        let problem = Diagnostic::new(Code::Nesting, self.current.span, "this is nested too deeply")
            .with_label("the rest of the script is not read")
            .with_note(format!("Lua allows at most {MAX_NESTING} levels of nested blocks and brackets"))
            .with_help("move parts of it into `local` variables or functions");
        self.stop(problem);
    }

    /// Runs `work` one level deeper, or `otherwise` if that is too deep.
    fn deeper<T>(&mut self, otherwise: impl FnOnce(&Self) -> T, work: impl FnOnce(&mut Self) -> T) -> T {
        if self.nesting >= MAX_NESTING {
            self.too_deep();
        }
        if self.stopped {
            return otherwise(self);
        }
        self.nesting += 1;
        let done = work(self);
        self.nesting -= 1;
        done
    }

    /// Skips to the probable start of the next statement.
    fn skip_statement(&mut self) {
        let mut open = 0_usize;
        while !self.at_end() {
            match self.current.token {
                Token::Sign(";") if open == 0 => return,
                Token::Sign("(" | "{" | "[") => open += 1,
                Token::Sign(")" | "}" | "]") => open = open.saturating_sub(1),
                _ => {}
            }
            if self.current.first && self.begins_statement() {
                return;
            }
            if open == 0
                && matches!(
                    self.current.token,
                    Token::Keyword(Keyword::End | Keyword::Else | Keyword::Elseif | Keyword::Until)
                )
            {
                return;
            }
            self.advance();
        }
    }

    /// Returns true if only a statement can begin here, given that the current token is the first on its line.
    fn begins_statement(&mut self) -> bool {
        match self.current.token {
            Token::Keyword(keyword) => matches!(
                keyword,
                Keyword::Break
                    | Keyword::Do
                    | Keyword::For
                    | Keyword::Goto
                    | Keyword::If
                    | Keyword::Local
                    | Keyword::Repeat
                    | Keyword::Return
                    | Keyword::While
                    | Keyword::Function
                    | Keyword::End
                    | Keyword::Else
                    | Keyword::Elseif
                    | Keyword::Until
            ),
            Token::Name(_) => matches!(self.peek(), Token::Sign("." | "(" | ":" | "[")),
            Token::Sign("::") => true,
            _ => false,
        }
    }

    // Blocks and statements

    fn block(&mut self) -> Block {
        let otherwise = |_: &Self| Block::default();
        self.blocks += 1;
        let block = self.deeper(otherwise, |parser| {
            let mut block = Block::default();
            while !parser.at_end() && !parser.ends_block() {
                let before = parser.current.span;
                if parser.take(";").is_some() {
                    continue;
                }
                let returns = parser.is_keyword(Keyword::Return);
                if let Some(statement) = parser.statement() {
                    block.depth = block.depth.max(depth_of(&statement) + 1);
                    block.statements.push(statement);
                    if block.depth > MAX_DEPTH {
                        parser.too_deep();
                    }
                }
                if returns && !parser.at_end() && !parser.ends_block() {
                    let label = "nothing can follow `return` in its block";
                    let problem = Diagnostic::new(
                        Code::Syntax,
                        parser.current.span,
                        "`return` is not the last statement of its block",
                    )
                    .with_label(label)
                    .with_secondary(before, "it returns here")
                    .with_help("write `do return end`, or move it to the end of its block");
                    parser.complain(problem);
                }
                if parser.current.span == before && !parser.at_end() && !parser.ends_block() {
                    // Nothing was read, so skip the current token.
                    parser.advance();
                    parser.skip_statement();
                }
            }
            block
        });
        self.blocks -= 1;
        block
    }

    /// Returns true if the block ends here, also with a brace, or with a bracket that was opened before it.
    fn ends_block(&self) -> bool {
        (!self.braced.is_empty() || self.blocks > 1) && self.is("}")
            || self.open > 0 && self.is(")")
            || matches!(
                self.current.token,
                Token::Keyword(Keyword::End | Keyword::Else | Keyword::Elseif | Keyword::Until)
            )
            || self.blocks > 1 && self.is_other_end()
    }

    /// Returns true at a word that ends a block in another language, alone at the end of its line: `done`.
    fn is_other_end(&self) -> bool {
        let Token::Name(word) = self.current.token else { return false };
        let rest = self.source.text.get(self.current.span.end as usize..).unwrap_or("");
        is_other_end(word) && rest.bytes().take_while(|byte| *byte != b'\n').all(|byte| b" \r;)}".contains(&byte))
    }

    fn statement(&mut self) -> Option<Statement> {
        self.count();
        let start = self.current.span;
        let kind = match self.current.token {
            Token::Keyword(Keyword::Local) => self.local(),
            Token::Keyword(Keyword::If) => Some(self.if_statement()),
            Token::Keyword(Keyword::While) => Some(self.while_statement()),
            Token::Keyword(Keyword::For) => self.for_statement(),
            Token::Keyword(Keyword::Repeat) => Some(self.repeat()),
            Token::Keyword(Keyword::Function) => self.function_statement(),
            Token::Keyword(Keyword::Do) => {
                self.advance();
                let body = self.block();
                self.end_of("do", start);
                Some(StatementKind::Do(body))
            }
            Token::Keyword(Keyword::Return) => {
                self.advance();
                let ends = self.at_end() || self.ends_block() || self.is(";");
                let values = if ends { Vec::new() } else { self.expressions() };
                let _ = self.take(";");
                Some(StatementKind::Return(values))
            }
            Token::Keyword(Keyword::Break) => {
                self.advance();
                Some(StatementKind::Break)
            }
            Token::Keyword(Keyword::Goto) => {
                self.advance();
                self.name("a label").map(StatementKind::Goto)
            }
            Token::Sign("::") => {
                self.advance();
                let name = self.name("a label");
                if self.take("::").is_none() && name.is_some() {
                    let problem = self.missing("::", "write the label between double colons: ::name::".to_owned());
                    self.complain(problem);
                }
                name.map(StatementKind::Label)
            }
            _ => self.expression_statement(),
        };
        kind.map(|kind| Statement { kind, span: self.from(start) })
    }

    /// Reads the `end` of the block that `word` at `start` opened.
    fn end_of(&mut self, word: &'static str, start: Span) {
        if self.is_keyword(Keyword::End)
            && self.current.first
            && self.misindented.is_none()
            && self.indentation(self.current.span) < self.indentation(start)
        {
            self.misindented = Some((word, start));
        }
        if self.take_keyword(Keyword::End).is_some() || self.stopped {
            return;
        }
        if self.is_other_end() {
            let word = self.advance();
            let message = format!("the block ends with `{}`", self.text(word.span));
            let problem = Diagnostic::new(Code::Syntax, word.span, message).with_help("write `end`");
            self.complain_about(word.span, problem.with_suggestion(word.span, "end", true));
            return;
        }
        if let Some(&opening) = self.braced.last()
            && let Some(closing) = self.take("}")
        {
            self.braced.pop();
            // The edit of the opening brace is right only together with this one.
            let begun = |known: &&mut Diagnostic| known.suggestions.iter().any(|edit| edit.span == opening);
            let ahead = if self.spaced(closing) { "end" } else { " end" };
            if let Some(known) = self.diagnostics.iter_mut().find(begun) {
                known.suggestions.push(Suggestion { span: closing, replacement: ahead.into(), applicable: true });
                known.suggestions.iter_mut().for_each(|edit| edit.applicable = true);
            }
            return;
        }
        let is_doubled = self.current.first && *self.peek() == Token::Sign("}");
        if (self.open == 0 || is_doubled) && self.is("}") {
            self.fixable(self.current.span, format!("the block of `{word}` ends with a brace"), "write `end`", "end");
            self.advance();
            return;
        }
        // The indentation shows which block lost its `end`.
        let inner = self.misindented.take().filter(|(_, inner)| inner.start > start.start);
        let (word, start) = inner.unwrap_or((word, start));
        let opening = Span::new(self.file, start.start as usize, start.start as usize + word.len());
        let found = self.shown();
        let mut problem = Diagnostic::new(Code::Syntax, opening, format!("the block of this `{word}` is not closed"))
            .with_label("its `end` is missing");
        if self.current.token != Token::End {
            problem = problem.with_secondary(self.current.span, format!("expected `end`, found {found}"));
        }
        let block = self.source.text.get(start.start as usize..self.previous_end);
        let branch = block.and_then(|text| text.find("else if")).map(|at| start.start as usize + at);
        let nested = branch.is_some();
        let only = block.is_some_and(|text| text.matches("else if").count() == 1);
        if let Some(at) = branch {
            let span = Span::new(self.file, at, at + "else if".len());
            problem = match word {
                "if" => Diagnostic::new(Code::Syntax, span, "this `else if` begins a block without `end`")
                    .with_secondary(opening, "the block of this `if` is not closed")
                    .with_suggestion(span, "elseif", only),
                _ => problem.with_secondary(span, "here an `if` begins that needs its own `end`"),
            };
        }
        self.complain(problem.with_help(match nested {
            true => "write `elseif` instead of `else if`, or one more `end`",
            false => "close it with `end`",
        }));
    }

    /// Returns the number of blanks at the beginning of the line of `span`.
    fn indentation(&self, span: Span) -> usize {
        let before = self.source.text.get(..span.start as usize).unwrap_or("");
        let line = before.rfind('\n').map_or(0, |newline| newline + 1);
        let line = self.source.text.get(line..).unwrap_or("");
        line.len() - line.trim_start_matches([' ', '\t']).len()
    }

    /// Returns true if there is a blank before `span`.
    fn spaced(&self, span: Span) -> bool {
        let before = self.source.text.get(..span.start as usize).unwrap_or("");
        before.ends_with([' ', '\t', '\n', '\r'])
    }

    fn local(&mut self) -> Option<StatementKind> {
        self.advance();
        if let Some(function) = self.take_keyword(Keyword::Function) {
            let name = self.name("the name of a function")?;
            let function = Box::new(self.function_body(function));
            return Some(StatementKind::LocalFunction { name, function });
        }
        let mut names = Vec::new();
        loop {
            let name = self.name("a name")?;
            let mut attribute = None;
            if self.take("<").is_some() {
                attribute = self.name("`const` or `close`");
                if self.take(">").is_none() {
                    self.complain_expected("'>'", "write the attribute in angle brackets: local name <const> = ...");
                }
            }
            names.push((name, attribute));
            if self.take(",").is_none() {
                break;
            }
        }
        let mut values = if self.take("=").is_some() { self.expressions() } else { self.no_value() };
        // `local x, y = 3 2`
        if values.len() < names.len() && !values.is_empty() && !self.current.first && self.goes_on() {
            let problem = self.missing(",", "separate values with commas".to_owned());
            self.complain(problem);
            values.extend(self.expressions());
        }
        Some(StatementKind::Local { names, values })
    }

    /// Reads the values after an erroneous `==` that was meant as `=`, and reports it.
    fn compared_values(&mut self) -> Option<Vec<Expression>> {
        if !self.is("==") {
            return None;
        }
        let problem = Diagnostic::new(Code::Syntax, self.current.span, "`==` is a comparison, not an assignment")
            .with_label("a variable is set with `=`")
            .with_help("write `=`")
            .with_suggestion(self.current.span, "=", true);
        self.complain(problem);
        self.advance();
        Some(self.expressions())
    }

    /// Reads a declaration without values, and reports an error if values seem to be intended.
    fn no_value(&mut self) -> Vec<Expression> {
        if let Some(values) = self.compared_values() {
            return values;
        }
        let value =
            matches!(self.current.token, Token::Text(..) | Token::Integer(_) | Token::Float(_) | Token::Sign("{"));
        if value && !self.current.first {
            let problem = self.missing("=", "write `=` before the value".to_owned());
            self.complain(problem);
            return self.expressions();
        }
        Vec::new()
    }

    fn if_statement(&mut self) -> StatementKind {
        let start = self.advance().span;
        let condition = self.condition("if");
        self.word(Keyword::Then, "if", start);
        let block = self.block();
        let mut branches = vec![(condition, block)];
        let mut otherwise = None;
        loop {
            if let Some(span) = self.take_keyword(Keyword::Elseif) {
                if self.current.first && self.begins_statement() && otherwise.is_none() {
                    let problem = Diagnostic::new(Code::Syntax, span, "this `elseif` has no condition")
                        .with_help("write `else`, or `elseif ... then`")
                        .with_suggestion(span, "else", false);
                    self.complain_about(span, problem);
                    otherwise = Some(self.block());
                    continue;
                }
                let condition = self.condition("elseif");
                self.word(Keyword::Then, "elseif", span);
                let block = self.block();
                branches.push((condition, block));
            } else if let Some(span) = self.take_keyword(Keyword::Else) {
                if otherwise.is_some() {
                    let problem = Diagnostic::new(Code::Syntax, span, "this `if` has a second `else`")
                        .with_help("write `elseif ... then` for the first one, or remove one of them");
                    self.diagnostics.push(problem);
                }
                if self.is_keyword(Keyword::Then) && !self.current.first {
                    let then = self.current.span;
                    self.fixable(then, "`else` takes no `then`", "remove it", "");
                    self.advance();
                }
                otherwise = Some(self.block());
            } else {
                break;
            }
        }
        self.end_of("if", start);
        StatementKind::If { branches, otherwise }
    }

    /// Reads a condition. Reports a `=` that was meant as `==`.
    fn condition(&mut self, word: &str) -> Expression {
        let before = std::mem::replace(&mut self.in_condition, true);
        let mut condition = self.expression();
        self.in_condition = before;
        if self.argument_follows(&condition) {
            let callee = last_operand(&condition);
            let (gap, argument) =
                (Span { start: callee.span.end, end: self.current.span.start, ..callee.span }, self.current.span);
            let after = Span { start: argument.end, ..argument };
            let right = format!("{}({})", self.text(callee.span), self.text(argument));
            let problem = Diagnostic::new(
                Code::Syntax,
                callee.span.to(argument),
                "the argument of a call must be in parentheses",
            )
            .with_help(format!("write {right}"))
            .with_suggestion(gap, "(", true)
            .with_suggestion(after, ")", true);
            self.complain(problem);
            self.advance();
            return self.unread();
        }
        if self.is("=") {
            let problem = Diagnostic::new(Code::Syntax, self.current.span, "`=` is an assignment, not a comparison")
                .with_label(format!("`{word}` needs a condition"))
                .with_help("write `==`")
                .with_suggestion(self.current.span, "==", true);
            self.complain(problem);
            self.advance();
            let right = self.expression();
            condition = self.join(BinaryOperator::Equal, condition, right);
        }
        condition
    }

    /// Returns true if a function of the game and one argument without parentheses end a condition: `percent 30`.
    fn argument_follows(&mut self, condition: &Expression) -> bool {
        let callee = last_operand(condition);
        let is_value = matches!(self.current.token, Token::Name(_) | Token::Integer(_) | Token::Float(_));
        callee.span.end as usize == self.previous_end
            && is_value
            && !self.current.first
            && is_known_function(callee)
            && matches!(self.peek(), Token::Keyword(Keyword::Then | Keyword::Do))
    }

    /// Reads `then` or `do`. If it is missing, it is reported and assumed.
    fn word(&mut self, keyword: Keyword, of: &str, start: Span) {
        if self.take_keyword(keyword).is_some() || self.stopped {
            return;
        }
        let word = keyword.as_str();
        let other = if keyword == Keyword::Then { Keyword::Do } else { Keyword::Then };
        if self.is_keyword(other) || self.is("{") || self.is(":") {
            let found = self.current.span;
            let problem =
                Diagnostic::new(Code::Syntax, found, format!("`{of}` needs `{word}` here, found {}", self.shown()))
                    .with_help(format!("write `{word}`, and `end` after the block"))
                    .with_suggestion(found, word, !self.is("{"));
            self.complain(problem);
            if self.is("{") {
                self.braced.push(found);
            }
            self.advance();
            return;
        }
        let help = format!("write `{of} ... {word}`");
        let problem = self
            .missing(word, help)
            .with_secondary(Span::new(self.file, start.start as usize, start.start as usize + of.len()), "opened here");
        self.complain(problem);
        if !self.current.first {
            // The condition itself is wrong.
            while !self.at_end() && !self.current.first && !self.is_keyword(keyword) && !self.ends_block() {
                self.advance();
            }
            let _ = self.take_keyword(keyword);
        }
    }

    fn while_statement(&mut self) -> StatementKind {
        let start = self.advance().span;
        let condition = self.condition("while");
        self.word(Keyword::Do, "while", start);
        let body = self.block();
        self.end_of("while", start);
        StatementKind::While { condition, body }
    }

    fn repeat(&mut self) -> StatementKind {
        let start = self.advance().span;
        let body = self.block();
        if self.take_keyword(Keyword::Until).is_none() && !self.stopped {
            let opening = Span::new(self.file, start.start as usize, start.start as usize + "repeat".len());
            let problem = Diagnostic::new(Code::Syntax, opening, "the block of this `repeat` is not closed")
                .with_label("its `until` is missing")
                .with_help("close it with `until` and a condition");
            self.complain(problem);
            let _ = self.take_keyword(Keyword::End);
            let condition = self.unread();
            return StatementKind::Repeat { body, condition };
        }
        let condition = self.condition("until");
        StatementKind::Repeat { body, condition }
    }

    fn for_statement(&mut self) -> Option<StatementKind> {
        let start = self.advance().span;
        if self.is("(") {
            return self.for_of_c(start);
        }
        let variable = self.name("a variable")?;
        if self.take("=").is_some() {
            // `1..5` was reported as a number.
            let limits = self.source.text.get(self.current.span.start as usize..self.current.span.end as usize);
            let joined = self.current.token == Token::Unread && limits.is_some_and(|text| text.contains(".."));
            let mut range = self.expressions();
            if self.current.token == Token::Name("to") && !self.current.first {
                self.fixable(self.current.span, "expected `,`, found `to`", "write for i = FIRST, LAST do", ",");
                self.advance();
                range.extend(self.expressions());
            }
            if !(2..=3).contains(&range.len()) && !joined {
                let span = self.from(range.first().map_or(start, |first| first.span));
                let message = format!(
                    "a `for` loop needs a first and a last number, found {}",
                    splc_ir::wording::counted(range.len(), "value")
                );
                let help = "write `for i = FIRST, LAST do`, with a third number for a step other than 1";
                self.complain(Diagnostic::new(Code::Syntax, span, message).with_help(help));
            }
            self.word(Keyword::Do, "for", start);
            let body = self.block();
            self.end_of("for", start);
            return Some(StatementKind::NumericFor { variable, range, body });
        }
        let mut names = vec![variable];
        while self.take(",").is_some() {
            names.extend(self.name("a variable"));
        }
        if self.take_keyword(Keyword::In).is_none() {
            let found = self.shown();
            let problem = Diagnostic::new(Code::Syntax, self.current.span, Mistake::expected("'=' or `in`", found))
                .with_label("expected '=' or `in`")
                .with_help("write `for i = 1, 10 do`, or `for i, value in ipairs(list) do`");
            self.complain(problem);
            while !self.at_end() && !self.current.first && !self.is_keyword(Keyword::Do) {
                self.advance();
            }
            let _ = self.take_keyword(Keyword::Do);
            let body = self.block();
            self.end_of("for", start);
            return Some(StatementKind::GenericFor { names, values: Vec::new(), body });
        }
        if self.current.token == Token::Name("range") && *self.peek() == Token::Sign("(") {
            let problem = Diagnostic::new(Code::Syntax, self.current.span, "Lua has no `range`")
                .with_help("write for i = FIRST, LAST do ... end");
            self.complain(problem);
            while !self.at_end() && !self.current.first && !self.is_keyword(Keyword::Do) {
                self.advance();
            }
            if self.take_keyword(Keyword::Do).is_some() {
                let body = self.block();
                self.end_of("for", start);
                return Some(StatementKind::GenericFor { names, values: Vec::new(), body });
            }
            return None;
        }
        self.range_of_numbers(&names);
        let values = self.expressions();
        self.word(Keyword::Do, "for", start);
        let body = self.block();
        self.end_of("for", start);
        Some(StatementKind::GenericFor { names, values, body })
    }

    /// Reports `for i in 1..5 do`, whose range the lexer has reported as a number.
    fn range_of_numbers(&mut self, names: &[Name]) {
        let span = self.current.span;
        let Some((first, last)) = self.text(span).split_once("..").filter(|_| self.current.token == Token::Unread)
        else {
            return;
        };
        let range = format!("= {first}, {}", last.trim_start_matches('.'));
        let before = self.source.text.get(..span.start as usize).and_then(|text| text.rfind("in"));
        let known = self.diagnostics.iter_mut().find(|known| known.span == Some(span));
        if let (Some(known), Some(at)) = (known, before) {
            let whole = Span::new(self.file, at, span.end as usize);
            *known = Diagnostic::new(Code::Syntax, whole, "a `for` over numbers is written with `=`")
                .with_help(format!("write for {} {range} do", names.first().map_or("i", |name| name.text.as_str())))
                .with_suggestion(whole, range, true);
        }
    }

    /// Reads `for (i = 1; i < 5; i++) { ... }` of C and JavaScript.
    fn for_of_c(&mut self, start: Span) -> Option<StatementKind> {
        let problem = Diagnostic::new(Code::Syntax, start, "this `for` is not of Lua")
            .with_help("write for i = FIRST, LAST do ... end");
        self.complain(problem);
        while !self.at_end() && !self.current.first && !self.is("{") && !self.is_keyword(Keyword::Do) {
            self.advance();
        }
        let end = self.current.span.start;
        self.diagnostics.retain(|known| {
            let inside = |span: Span| span.file == start.file && span.start > start.start && span.start < end;
            known.code != Code::Lexical || !known.span.is_some_and(inside)
        });
        if self.is("{") {
            self.braced.push(self.current.span);
        }
        if self.is("{") || self.is_keyword(Keyword::Do) {
            self.advance();
            let body = self.block();
            self.end_of("for", start);
            return Some(StatementKind::Do(body));
        }
        None
    }

    fn function_statement(&mut self) -> Option<StatementKind> {
        let start = self.advance().span;
        self.named_function(start)
    }

    /// Reads a function from its name on. `start` is the place of the keyword.
    fn named_function(&mut self, start: Span) -> Option<StatementKind> {
        let name = self.name("the name of a function")?;
        let mut fields = Vec::new();
        let mut method = false;
        while !method && (self.is(".") || self.is(":")) {
            method = self.is(":");
            self.advance();
            fields.extend(self.name("a name"));
        }
        let mut function = self.function_body(start);
        if method {
            function.parameters.insert(0, Name { text: Text::const_new("self"), span: Span::NOWHERE });
        }
        Some(StatementKind::Function { name, fields, function: Box::new(function) })
    }

    /// Reads the parameters and body of a function that begins at `start`.
    fn function_body(&mut self, start: Span) -> Function {
        let mut parameters = Vec::new();
        let mut varargs = false;
        if let Some(opening) = self.take("(") {
            while !self.at_end() && !self.is(")") {
                if self.take("...").is_some() {
                    varargs = true;
                } else {
                    match self.name("a parameter") {
                        Some(name) => parameters.push(name),
                        None => break,
                    }
                }
                if self.take(",").is_none() {
                    break;
                }
                if self.is(")") {
                    self.complain_expected("a parameter", "remove the comma before ')'");
                }
            }
            self.close(Bracket { opening, open: "(", close: ")" });
        } else {
            let help = "write parentheses after the name, even without parameters: function name()";
            if self.current.first {
                let problem = self.missing("(", help.to_owned());
                self.complain(problem);
            } else {
                self.complain_expected("'('", help);
            }
        }
        if self.is("{") {
            let found = self.current.span;
            let problem = Diagnostic::new(Code::Syntax, found, "the body of a function is not in braces")
                .with_help("remove the brace, and write `end` after the body")
                .with_suggestion(found, "", false);
            self.complain(problem);
            self.braced.push(found);
            self.advance();
        }
        let body = self.outside_condition(Self::block);
        self.end_of("function", start);
        Function { parameters, varargs, body, span: self.from(start) }
    }

    /// Returns true if `close` is on the line of a bracket whose closing one was reported as missing.
    fn closes_late(&self, close: &str) -> bool {
        self.assumed.is_some_and(|(known, opening)| {
            let between = self.source.text.get(opening as usize..self.current.span.start as usize);
            known == close && between.is_some_and(|text| !text.contains('\n'))
        })
    }

    fn expression_statement(&mut self) -> Option<StatementKind> {
        let start = self.current.span;
        match self.current.token {
            Token::Name(_) | Token::Sign("(") => {}
            Token::Unread | Token::End => return None,
            // It comes too late, after a word that ended its bracket: `f(1 end)`.
            Token::Sign(close @ (")" | "}" | "]")) if self.closes_late(close) => {
                self.assumed = None;
                self.advance();
                return None;
            }
            _ => {
                let help = match self.current.token {
                    Token::Sign(")" | "}" | "]") => "remove it: no bracket is open here",
                    Token::Sign("#") => "write `--`",
                    Token::Sign("//") => "write `--`: `//` is a division",
                    Token::Sign("{") => "end blocks with `end`: Lua has no blocks in braces",
                    Token::Sign(",") => "look for a call or table that is closed before this comma",
                    Token::Text(..) | Token::Integer(_) | Token::Float(_) => {
                        "assign the value to a variable, or pass it to a function"
                    }
                    _ => "write a call, an assignment, or a keyword such as `local`, `if` or `for`",
                };
                let problem = match self.current.token {
                    Token::Sign(sign @ ("#" | "//")) => {
                        let message = format!("`{sign}` does not begin a comment in Lua");
                        let at = self.current.span;
                        Diagnostic::new(Code::Syntax, at, message).with_suggestion(at, "--", true)
                    }
                    Token::Sign(")" | "}" | "]") => {
                        let stray = Mistake::Stray(self.shown());
                        Diagnostic::new(Code::Syntax, self.current.span, stray).with_label("expected a statement")
                    }
                    _ => self.expected("a statement"),
                };
                self.complain(problem.with_help(help));
                // A comment in the syntax of another language extends to the end of its line.
                if self.is("#") || self.is("//") {
                    self.advance();
                    while !self.at_end() && !self.current.first {
                        self.advance();
                    }
                }
                return None;
            }
        }
        let expression = self.suffixed();
        // `des,trap("web")`
        if let (ExpressionKind::Name(library), true) = (&expression.kind, self.is(","))
            && let Token::Name(name) = *self.peek()
            && libraries::function(library, name).is_some()
            && let comma = self.current.span
            && let rest = self.source.text.get(comma.end as usize..).unwrap_or("").trim_start()
            && rest.strip_prefix(name).is_some_and(|rest| rest.starts_with('('))
        {
            let right = format!("{library}.{name}");
            self.fixable(comma, "expected `.`, found `,`", format!("write {right}"), ".");
            self.skip_statement();
            return None;
        }
        if self.is("=") || self.is(",") {
            return Some(self.assignment(expression));
        }
        if let ExpressionKind::Call(_) = expression.kind {
            return Some(StatementKind::Call(expression));
        }
        if matches!(expression.kind, ExpressionKind::Unread) {
            return None;
        }
        let span = expression.span;
        if let Some(values) = self.compared_values() {
            return Some(StatementKind::Assign { targets: vec![expression], values });
        }
        let written = self.text(span);
        let short: String = written.chars().take(40).collect();
        let problem = match (&expression.kind, &self.current.token) {
            (ExpressionKind::Name(word), Token::Sign(":" | "["))
                if !self.source.text.is_empty() && is_des_word(word) =>
            {
                let head = self.source.text.get(..(start.start as usize).min(HEAD)).unwrap_or("");
                let function = words::DES_WORDS.iter().find(|(known, _)| *known == word.as_str());
                let help = match function.filter(|_| head.contains("des.")) {
                    Some((_, function)) => format!("write {function}(...)"),
                    None => "rename the file to .des, or convert the level to Lua with `splc port --to nethack-5.0`"
                        .to_owned(),
                };
                Diagnostic::new(Code::Syntax, start, format!("{word} is a des-file statement, not Lua")).with_help(help)
            }
            // `des trap("web")`, `des,trap("web")`
            (ExpressionKind::Name(word), &Token::Name(name)) if libraries::function(word, name).is_some() => {
                let right = format!("{word}.{name}");
                let span = span.to(self.current.span);
                Diagnostic::new(Code::Syntax, span, format!("expected a dot after `{word}`"))
                    .with_help(format!("write {right}"))
                    .with_suggestion(span, right, true)
            }
            (ExpressionKind::Name(word), Token::Name(_) | Token::Text(..) | Token::Sign("{"))
                if !self.current.first =>
            {
                let help = match near_keyword(word) {
                    Some(keyword) => format!("did you mean `{keyword}`?"),
                    None => "call a function with parentheses, or set a variable with `=`".to_owned(),
                };
                Diagnostic::new(Code::Syntax, span, format!("'{short}' is not a statement")).with_help(help)
            }
            (ExpressionKind::Field(..), Token::Sign(":")) => {
                Diagnostic::new(Code::Syntax, self.current.span, format!("`{short}` is called with parentheses"))
                    .with_help(format!("write {short}(...)"))
            }
            (ExpressionKind::Name(word), _) if near_keyword(word).is_some() => {
                let keyword = near_keyword(word).unwrap_or_default();
                Diagnostic::new(Code::Syntax, span, format!("'{short}' is not a statement"))
                    .with_help(format!("did you mean `{keyword}`?"))
            }
            (ExpressionKind::Index(function, argument), _) if is_known_function(function) => {
                let name = self.text(function.span);
                let (open, close) = (
                    Span { start: function.span.end, end: argument.span.start, ..span },
                    Span { start: argument.span.end, ..span },
                );
                Diagnostic::new(Code::Syntax, open.to(close), "the arguments of a call must be in parentheses")
                    .with_help(format!("write {name}({})", self.text(argument.span)))
                    .with_suggestion(open, "(", true)
                    .with_suggestion(close, ")", true)
            }
            _ if is_known_function(&expression) => {
                let end = Span { start: span.end, ..span };
                Diagnostic::new(Code::Syntax, span, "this call has no parentheses")
                    .with_help(format!("write {short}()"))
                    .with_suggestion(end, "()", true)
            }
            _ => Diagnostic::new(Code::Syntax, span, format!("'{short}' alone has no effect"))
                .with_label("expected a call, or `=` after it")
                .with_help(format!("call it with {short}(...), or set it with {short} = ...")),
        };
        self.complain(problem);
        // `funtion nest()` has an `end`.
        let is_function =
            matches!(&expression.kind, ExpressionKind::Name(word) if near_keyword(word) == Some("function"));
        let has_parameters = || {
            let head = self.source.text.get(self.current.span.start as usize..).unwrap_or("");
            let head: String = head.chars().take(MAX_PARAMETERS).take_while(|&letter| letter != '\n').collect();
            let head = head.trim_end();
            head.ends_with(')') && head.find(')') == Some(head.len() - 1)
        };
        if is_function && matches!(self.current.token, Token::Name(_)) && has_parameters() {
            return self.named_function(start);
        }
        if !self.current.first {
            self.skip_statement();
        }
        None
    }

    fn assignment(&mut self, first: Expression) -> StatementKind {
        let comma = self.current.span;
        if matches!(first.kind, ExpressionKind::Call(_)) && self.take(",").is_some() {
            if !matches!(self.current.token, Token::Name(_)) {
                // `des.trap "pit", 3, 3`
                let problem = Diagnostic::new(Code::Syntax, comma, "several arguments must be in parentheses")
                    .with_help("write `(` after the name of the function, and `)` after its last argument");
                self.complain(problem);
                self.skip_statement();
                return StatementKind::Call(first);
            }
            self.fixable(
                comma,
                "a comma cannot separate two statements",
                "write `;`, or the next statement on a line of its own",
                ";",
            );
            return StatementKind::Call(first);
        }
        let mut targets = vec![first];
        while self.take(",").is_some() {
            let target = self.suffixed();
            targets.push(target);
        }
        for target in &targets {
            let settable = matches!(
                target.kind,
                ExpressionKind::Name(_)
                    | ExpressionKind::Field(..)
                    | ExpressionKind::Index(..)
                    | ExpressionKind::Unread
            );
            if !settable {
                let problem = Diagnostic::new(Code::Syntax, target.span, "this cannot be assigned to")
                    .with_label("expected a variable or a table field")
                    .with_help("write the name first: name = value");
                self.diagnostics.push(problem);
            }
        }
        if self.take("=").is_none() {
            self.complain_expected("'='", "write `=` after the variables: a, b = 1, 2");
            self.skip_statement();
            return StatementKind::Assign { targets, values: Vec::new() };
        }
        let values = self.expressions();
        StatementKind::Assign { targets, values }
    }

    fn name(&mut self, what: &str) -> Option<Name> {
        if let (Token::Name(text), false) = (&self.current.token, self.stopped) {
            let (text, span) = (Text::from(*text), self.current.span);
            self.advance();
            return Some(Name { text, span });
        }
        let help = match &self.current.token {
            Token::Keyword(keyword) => format!("use another name: `{}` is a Lua keyword", keyword.as_str()),
            Token::Text(..) => "remove the quotes: a name is not a string".to_owned(),
            _ => "start the name with a letter, and use only letters, digits and `_`".to_owned(),
        };
        self.complain_expected(what, &help);
        // A keyword in place of a name was most likely meant as the name.
        if let Token::Keyword(keyword) = self.current.token
            && !self.current.first
            && !matches!(keyword, Keyword::End | Keyword::Do | Keyword::Then | Keyword::In)
        {
            let span = self.advance().span;
            return Some(Name { text: Text::from(keyword.as_str()), span });
        }
        None
    }

    // Expressions

    fn expressions(&mut self) -> Vec<Expression> {
        let mut list = vec![self.expression()];
        while self.take(",").is_some() {
            list.push(self.expression());
        }
        list
    }

    fn make(&mut self, kind: ExpressionKind, span: Span, below: usize) -> Expression {
        self.count();
        let depth = below + 1;
        if depth > MAX_DEPTH {
            self.too_deep();
            return self.unread();
        }
        Expression { kind, span, depth }
    }

    fn unread(&self) -> Expression {
        Expression { kind: ExpressionKind::Unread, span: self.current.span, depth: 1 }
    }

    fn join(&mut self, operator: BinaryOperator, left: Expression, right: Expression) -> Expression {
        let (span, below) = (left.span.to(right.span), left.depth.max(right.depth));
        self.make(ExpressionKind::Binary(operator, Box::new((left, right))), span, below)
    }

    fn expression(&mut self) -> Expression {
        self.operators(0)
    }

    /// Reads an expression whose operators bind more tightly than `limit`.
    fn operators(&mut self, limit: u8) -> Expression {
        self.deeper(Self::unread, |parser| {
            let start = parser.current.span;
            let unary = match parser.current.token {
                Token::Sign("-") => Some(UnaryOperator::Minus),
                Token::Sign("#") => Some(UnaryOperator::Length),
                Token::Sign("~") => Some(UnaryOperator::BitNot),
                Token::Keyword(Keyword::Not) => Some(UnaryOperator::Not),
                _ => None,
            };
            let mut left = match unary {
                Some(unary) => {
                    parser.advance();
                    let operand = parser.operators(UNARY);
                    let (span, below) = (start.to(operand.span), operand.depth);
                    parser.make(ExpressionKind::Unary(unary, Box::new(operand)), span, below)
                }
                None => parser.simple(),
            };
            while !parser.stopped {
                if parser.current.token == Token::Unread && parser.text(parser.current.span) == "?" {
                    parser.skip_choice();
                    left = parser.unread();
                    break;
                }
                let Some((operator, strength, right)) = operator(&parser.current.token) else { break };
                if strength <= limit {
                    break;
                }
                if operator == BinaryOperator::Modulo && parser.percent_sign(&left) {
                    continue;
                }
                parser.advance();
                let operand = parser.operators(right);
                left = parser.join(operator, left, operand);
            }
            left
        })
    }

    /// Skips and reports the `%` of a chance: `chance = 10%`.
    fn percent_sign(&mut self, number: &Expression) -> bool {
        let is_number = matches!(number.kind, ExpressionKind::Integer(_) | ExpressionKind::Float(_));
        // These tokens end a value or begin the next statement, so this is not the operator `%`.
        let ends = matches!(
            self.peek(),
            Token::Sign(")" | "}" | "]" | "," | ";") | Token::Keyword(_) | Token::Name("des") | Token::End
        );
        if !is_number || !ends {
            return false;
        }
        let sign = self.advance().span;
        let written = self.text(number.span);
        // The key or variable of the number.
        let before = self.source.text.get(..number.span.start as usize).unwrap_or("").trim_end();
        let key = before.strip_suffix('=').map(str::trim_end).map_or("", |before| {
            let is_part = |letter: char| letter.is_ascii_alphanumeric() || letter == '_';
            &before[before.trim_end_matches(is_part).len()..]
        });
        let right = if key.is_empty() { written.to_owned() } else { format!("{key} = {written}") };
        let problem = Diagnostic::new(Code::Syntax, sign, "a chance has no percent sign in Lua")
            .with_help(format!("write {right}"))
            .with_suggestion(sign, "", true);
        self.complain_about(sign, problem);
        true
    }

    /// Skips the values of `condition ? one : other`, which the lexer has reported.
    fn skip_choice(&mut self) {
        let mut open = 0_usize;
        self.advance();
        while !self.at_end() && !self.current.first {
            match self.current.token {
                Token::Sign("(" | "{" | "[") => open += 1,
                Token::Sign(")" | "}" | "]" | "," | ";") if open == 0 => return,
                Token::Sign(")" | "}" | "]") => open -= 1,
                _ => {}
            }
            self.advance();
        }
    }

    fn simple(&mut self) -> Expression {
        let start = self.current.span;
        let kind = match &mut self.current.token {
            Token::Integer(number) => ExpressionKind::Integer(*number),
            Token::Float(number) => ExpressionKind::Float(*number),
            Token::Text(value, form) => ExpressionKind::Text(TextLiteral { value: std::mem::take(value), form: *form }),
            Token::Keyword(Keyword::Nil) => ExpressionKind::Nil,
            Token::Keyword(Keyword::True) => ExpressionKind::Boolean(true),
            Token::Keyword(Keyword::False) => ExpressionKind::Boolean(false),
            Token::Sign("...") => ExpressionKind::Varargs,
            Token::Sign("{") => return self.table(),
            Token::Keyword(Keyword::Function) => {
                let start = self.advance().span;
                let function = self.function_body(start);
                let (span, below) = (function.span, function.body.depth);
                return self.make(ExpressionKind::Function(Box::new(function)), span, below);
            }
            _ => return self.suffixed(),
        };
        self.advance();
        self.make(kind, start, 0)
    }

    /// Reads a variable or a parenthesized expression, with its indexes, fields and calls.
    fn suffixed(&mut self) -> Expression {
        let start = self.current.span;
        let mut expression = match self.current.token {
            Token::Name(name) => {
                let text = Text::from(name);
                self.advance();
                self.make(ExpressionKind::Name(text), start, 0)
            }
            Token::Sign("(") => {
                self.advance();
                let inner = self.outside_condition(Self::expression);
                if self.is(",") && !self.current.first {
                    return self.in_parentheses(start, inner);
                }
                self.close(Bracket { opening: start, open: "(", close: ")" });
                let below = inner.depth;
                let span = self.from(start);
                self.make(ExpressionKind::Parenthesized(Box::new(inner)), span, below)
            }
            _ => {
                let help = match self.current.token {
                    Token::Sign(")")
                        if self.source.text.get(..self.previous_end).is_some_and(|text| text.ends_with('%')) =>
                    {
                        "remove the `%`: a chance is a plain number, as in percent(50)"
                    }
                    Token::Sign("," | ")" | "}" | "]") => "write a value here, or remove the symbol before it",
                    Token::Sign("=") => "write `==` to compare; `=` is an assignment",
                    Token::Keyword(_) | Token::End => "write the missing value, or remove the text before it",
                    Token::Sign("[")
                        if self
                            .source
                            .text
                            .get(self.current.span.end as usize..)
                            .is_some_and(|rest| rest.starts_with(['\n', '\r'])) =>
                    {
                        "write `[[` before the rows of a map, and `]]` after them"
                    }
                    Token::Sign("[") => "write a table in braces: { ... }",
                    Token::Sign("+") => "remove the `+`: Lua has no positive sign",
                    _ => "write a string in quotes, a number, a variable, a table in braces, or a call",
                };
                let sign = self.current.span;
                if self.is("+") && matches!(self.peek(), Token::Integer(_) | Token::Float(_)) {
                    let problem = self.expected("a value").with_help(help).with_suggestion(sign, "", true);
                    self.complain(problem);
                    self.advance();
                    return self.simple();
                }
                // Terrain without its quotes.
                if let Token::Sign(drawn @ ("." | "-" | "|")) = self.current.token
                    && matches!(self.peek(), Token::Sign(")" | "," | "}"))
                {
                    let right = format!("\"{drawn}\"");
                    self.fixable(sign, "a map character must be in quotes", format!("write {right}"), right);
                    self.advance();
                    return self.unread();
                }
                self.complain_expected("a value", help);
                if self.current.token == Token::Unread {
                    self.advance();
                }
                return self.unread();
            }
        };
        while !self.stopped {
            expression = match &self.current.token {
                Token::Sign(".") => {
                    let dot = self.advance().span;
                    if matches!(self.current.token, Token::Text(..)) && !self.current.first {
                        let problem =
                            Diagnostic::new(Code::Syntax, dot, Mistake::Unexpected("`.` before a string".to_owned()));
                        // `des.monster."newt")`
                        let is_call = self.open == 0 && matches!(self.peek(), Token::Sign(")" | ","));
                        let problem = match is_call {
                            true => problem.with_help("write `(` to call it").with_suggestion(dot, "(", true),
                            false => problem.with_help("write `,` between values, or `..` to join strings"),
                        };
                        self.complain_about(dot, problem);
                        // Read it as the next value, without another message.
                        self.complained = Some(self.current.span.start);
                        return expression;
                    }
                    let Some(name) = self.name("the name of a field") else { return expression };
                    let (span, below) = (start.to(name.span), expression.depth);
                    self.make(ExpressionKind::Field(Box::new(expression), name), span, below)
                }
                Token::Sign("[") => {
                    let opening = self.advance().span;
                    let key = self.expression();
                    if self.is(",") && !self.current.first {
                        expression = self.called_with_brackets(expression, key, opening, start);
                        continue;
                    }
                    self.close(Bracket { opening, open: "[", close: "]" });
                    let below = expression.depth.max(key.depth);
                    let span = self.from(start);
                    self.make(ExpressionKind::Index(Box::new(expression), Box::new(key)), span, below)
                }
                Token::Sign(":") => {
                    if !self.is_method() {
                        break;
                    }
                    self.advance();
                    let Some(method) = self.name("the name of a method") else { return expression };
                    self.call(expression, Some(method), start)
                }
                Token::Sign("{")
                    if self.in_condition
                        && matches!(expression.kind, ExpressionKind::Call(_) | ExpressionKind::Parenthesized(_)) =>
                {
                    break;
                }
                Token::Sign("(" | "{") | Token::Text(..) => self.call(expression, None, start),
                _ => break,
            };
        }
        expression
    }

    /// Reads the other arguments of a call in brackets: `des.trap["pit", 3, 2]`.
    fn called_with_brackets(
        &mut self,
        callee: Expression,
        first: Expression,
        opening: Span,
        start: Span,
    ) -> Expression {
        let mut arguments = vec![first];
        while self.take(",").is_some() {
            arguments.push(self.expression());
        }
        let closing = self.current.span;
        if self.is("]") {
            let message = "the arguments of a call must be in parentheses";
            let problem = Diagnostic::new(Code::Syntax, opening.to(closing), message)
                .with_help(format!("write {}(...)", self.text(callee.span)))
                .with_suggestion(opening, "(", true)
                .with_suggestion(closing, ")", true);
            self.complain_about(opening, problem);
            self.advance();
        } else {
            self.close(Bracket { opening, open: "[", close: "]" });
        }
        let below = arguments.iter().map(|argument| argument.depth).fold(callee.depth, usize::max);
        let (span, whole) = (self.from(opening), self.from(start));
        self.make(ExpressionKind::Call(Box::new(Call { callee, method: None, arguments, span })), whole, below)
    }

    /// Reads the rest of values in parentheses that began at `start`, such as `(3,2)`, which were meant as a table.
    fn in_parentheses(&mut self, start: Span, inner: Expression) -> Expression {
        let argument = self.argument.take().filter(|argument| argument.start == start.start);
        let mut values = vec![inner];
        let mut problem = Diagnostic::new(Code::Syntax, start, "a list of values must be in braces");
        // `('d',"jackal")`
        let first = self.text(Span { start: start.end, end: self.current.span.start, ..start });
        let is_class = first.trim_matches(['\'', '"']).chars().count() == 1 && first.starts_with(['\'', '"']);
        let mut last = String::new();
        while self.take(",").is_some() {
            let from = self.current.span;
            values.push(self.expression());
            last = self.text(self.from(from)).to_owned();
        }
        problem.span = Some(self.from(start));
        if self.is(")")
            && let Some(argument) = argument.filter(|argument| takes_numbers(argument, &values))
        {
            let closing = self.current.span;
            problem.message = "the coordinates of a place must not be in parentheses".into();
            let inner = self.text(Span { start: start.end, end: closing.start, ..start });
            let before = self.text(Span { end: start.start, ..argument.call });
            let end = if matches!(self.peek(), Token::Sign(")")) { ")" } else { ", ...)" };
            let call = format!("{before}{inner}{end}");
            problem = problem
                .with_help(format!("write {}", if call.contains('\n') { inner } else { &call }))
                .with_suggestion(start, "", true)
                .with_suggestion(closing, "", true);
            problem.span = Some(start.to(closing));
            self.complain_about(start, problem);
            self.advance();
            self.spread = values;
            return self.unread();
        }
        if self.is(")") && is_class && last.starts_with(['\'', '"']) {
            problem.message = "a class and a name in parentheses are a value of des-files, not of Lua".into();
            problem = problem.with_help(format!("write the name alone: {last}"));
            problem.span = Some(start.to(self.current.span));
        } else if self.is(")") {
            problem = problem
                .with_help(match self.text(Span { start: start.end, end: self.current.span.start, ..start }) {
                    written if written.len() > SHOWN || written.contains('\n') => "write it in braces".to_owned(),
                    written => format!("write it in braces: {{{}}}", written.trim()),
                })
                .with_suggestion(start, "{", true)
                .with_suggestion(self.current.span, "}", true);
            problem.span = Some(start.to(self.current.span));
        } else if self.is("}") {
            problem = problem.with_help("write `{` at its start").with_suggestion(start, "{", true);
        }
        self.complain_about(start, problem);
        let _ = self.take(")").or_else(|| self.take("}"));
        self.unread()
    }

    /// Reports a problem that begins at `start`.
    fn complain_about(&mut self, start: Span, problem: Diagnostic) {
        if self.complained != Some(start.start) && !self.stopped {
            self.complained = Some(start.start);
            self.diagnostics.push(problem);
        }
    }

    /// Returns true if the colon here introduces a method call: a name and arguments follow.
    fn is_method(&mut self) -> bool {
        matches!(self.peek(), Token::Name(_) | Token::Keyword(_) | Token::End)
    }

    fn call(&mut self, callee: Expression, method: Option<Name>, start: Span) -> Expression {
        let opening = self.current.span;
        let mut arguments = Vec::new();
        match &mut self.current.token {
            Token::Sign("{") => arguments.push(self.table()),
            Token::Text(value, form) => {
                let kind = ExpressionKind::Text(TextLiteral { value: std::mem::take(value), form: *form });
                self.advance();
                arguments.push(self.make(kind, opening, 0));
            }
            Token::Sign("(") => {
                self.advance();
                let bracket = Bracket { opening, open: "(", close: ")" };
                if self.take(")").is_none() {
                    self.open += 1;
                    let called = self.called(&callee).filter(|_| method.is_none());
                    self.outside_condition(|parser| parser.arguments(bracket, called, &mut arguments));
                    self.open -= 1;
                }
            }
            _ => {
                let help = "call the method with parentheses: value:method()";
                self.complain_expected("'('", help);
            }
        }
        let below = arguments.iter().map(|argument| argument.depth).fold(callee.depth, usize::max);
        let span = self.from(opening);
        let whole = self.from(start);
        self.make(ExpressionKind::Call(Box::new(Call { callee, method, arguments, span })), whole, below)
    }

    /// Returns the function of the game that is called.
    fn called(&self, callee: &Expression) -> Option<Argument<'s>> {
        let (library, function) = self.text(callee.span).split_once('.')?;
        libraries::function(library, function)?;
        Some(Argument { call: callee.span, library, function, index: 0, start: 0 })
    }

    fn arguments(&mut self, bracket: Bracket, called: Option<Argument<'s>>, arguments: &mut Vec<Expression>) {
        loop {
            let before = self.current.span;
            if self.is(",") {
                self.fixable(before, "there is a comma too many", "remove it", "");
                self.advance();
                continue;
            }
            if self.is(";") && self.is_unclosed(bracket.opening) {
                break;
            }
            self.argument =
                called.map(|called| Argument { index: arguments.len(), start: self.current.span.start, ..called });
            arguments.push(self.expression());
            if !self.spread.is_empty() {
                arguments.pop();
                arguments.append(&mut self.spread);
            }
            if self.swapped {
                break;
            }
            if self.is(";") {
                if self.is_unclosed(bracket.opening) {
                    break;
                }
                self.fixable(self.current.span, "expected `,`, found `;`", "separate arguments with commas", ",");
                self.advance();
                continue;
            }
            if self.take(",").is_some() {
                if self.is(")") {
                    let problem = Diagnostic::new(Code::Syntax, self.behind_sign(), "a call cannot end with a comma")
                        .with_label("an argument is missing after it")
                        .with_help("remove the comma")
                        .with_suggestion(self.behind_sign(), "", true);
                    self.complain(problem);
                    break;
                }
                continue;
            }
            if self.is("=") && arguments.last().is_some_and(|last| matches!(last.kind, ExpressionKind::Name(_))) {
                let problem = Diagnostic::new(Code::Syntax, self.current.span, "arguments cannot have names")
                    .with_label("only table entries have names")
                    .with_help("put them in braces: f({ name = value })");
                self.complain(problem);
                // The other names are of the same table.
                let end = self.source.text.get(self.current.span.start as usize..).and_then(|rest| rest.find('\n'));
                let mut depth = 0_usize;
                while !self.at_end() && end.is_some() {
                    match self.current.token {
                        Token::Sign("(" | "{" | "[") => depth += 1,
                        Token::Sign(")") if depth == 0 => break,
                        Token::Sign(")" | "}" | "]") => depth = depth.saturating_sub(1),
                        _ => {}
                    }
                    self.advance();
                }
                let all = self.from(arguments.first().map_or(before, |first| first.span));
                arguments.clear();
                arguments.push(self.make(ExpressionKind::Unread, all, 0));
                break;
            }
            if matches!(self.current.token, Token::Name("to")) && matches!(self.peek(), Token::Integer(_)) {
                let span = self.current.span;
                self.fixable(span, "a range is two arguments, separated by a comma", "write `,` instead of `to`", ",");
                self.advance();
                continue;
            }
            // `"He said "hello" to me"`
            let glued = self.current.span.start as usize == self.previous_end && !self.current.first;
            if glued
                && matches!(self.current.token, Token::Name(_))
                && self.source.text.get(..self.previous_end).is_some_and(|read| read.ends_with('"'))
            {
                let quote = self.behind_sign();
                let problem = Diagnostic::new(Code::Syntax, quote, "a `\"` inside a string ends it")
                    .with_help("write `\\\"` for quotes inside a string, or put the string in single quotes");
                self.complain(problem);
                while !self.at_end() && !self.current.first && !self.is(")") {
                    self.advance();
                }
                arguments.clear();
                let all = self.from(before);
                arguments.push(self.make(ExpressionKind::Unread, all, 0));
                break;
            }
            // `des.monster(soldier ant, 3,2)`
            let is_name = |one: &Expression| matches!(one.kind, ExpressionKind::Name(_));
            if matches!(self.current.token, Token::Name(_))
                && !self.current.first
                && arguments.last().is_some_and(is_name)
            {
                while matches!(self.current.token, Token::Name(_)) && !self.current.first {
                    self.advance();
                }
                let span = self.from(before);
                let right = format!("\"{}\"", self.text(span));
                let problem = Diagnostic::new(Code::Syntax, span, "a name of several words needs quotes")
                    .with_help(format!("write {right}, or separate arguments with commas"))
                    .with_suggestion(span, right, false);
                self.complain(problem);
                arguments.pop();
                arguments.push(self.make(ExpressionKind::Unread, span, 0));
                if self.take(",").is_some() {
                    continue;
                }
                break;
            }
            // A bracket does not begin an argument. If nothing was read, nothing more can be.
            if !self.is("[") && self.current.span != before && self.goes_on() {
                let problem = self.missing(",", "separate arguments with commas".to_owned());
                self.complain(problem);
                continue;
            }
            break;
        }
        self.close(bracket);
    }

    /// Returns true if nothing closes the bracket at `opening`.
    fn is_unclosed(&mut self, opening: Span) -> bool {
        let unclosed = self.unclosed.get_or_insert_with(|| brackets::unclosed(&self.source.text, self.file));
        unclosed.binary_search(&opening.start).is_ok()
    }

    /// Returns the span of the last character read.
    fn behind_sign(&self) -> Span {
        Span::new(self.file, self.previous_end.saturating_sub(1), self.previous_end)
    }

    /// Returns true if a value or key begins here, on the same line or on a line that does not begin like a statement.
    /// A comma is then missing before it.
    fn goes_on(&mut self) -> bool {
        let begins = matches!(
            self.current.token,
            Token::Name(_)
                | Token::Text(..)
                | Token::Integer(_)
                | Token::Float(_)
                | Token::Sign("{" | "[")
                | Token::Keyword(Keyword::Nil | Keyword::True | Keyword::False | Keyword::Function | Keyword::Not)
        );
        begins && !self.stopped && !(self.current.first && self.begins_statement())
    }

    /// Runs `work` inside brackets.
    fn outside_condition<T>(&mut self, work: impl FnOnce(&mut Self) -> T) -> T {
        let before = std::mem::take(&mut self.in_condition);
        let done = work(self);
        self.in_condition = before;
        done
    }

    fn table(&mut self) -> Expression {
        self.outside_condition(Self::table_in_braces)
    }

    fn table_in_braces(&mut self) -> Expression {
        self.deeper(Self::unread, |parser| {
            let opening = parser.advance().span;
            let bracket = Bracket { opening, open: "{", close: "}" };
            let mut entries = Vec::new();
            let mut below = 0;
            parser.open += 1;
            while !parser.at_end() && !parser.is("}") {
                let before = parser.current.span;
                if !entries.is_empty() && parser.headless_function(&mut entries) {
                    continue;
                }
                // The brace is missing.
                if parser.is(")") || parser.is("]") || parser.is_keyword(Keyword::End) && !entries.is_empty() {
                    break;
                }
                let entry = parser.entry();
                below = below.max(entry.value().depth);
                if let Entry::Keyed(key, _) = &entry {
                    below = below.max(key.depth);
                }
                entries.push(entry);
                if parser.headless_function(&mut entries) {
                    continue;
                }
                if parser.take(",").is_some() || parser.take(";").is_some() {
                    let is_statement = parser.current.first && parser.begins_statement();
                    if is_statement && parser.is_unclosed(opening) {
                        break;
                    }
                    continue;
                }
                if parser.is("}") || !parser.goes_on() || parser.current.span == before {
                    break;
                }
                if parser.unquoted(&mut entries) {
                    let _ = parser.take(",").or_else(|| parser.take(";"));
                    continue;
                }
                let problem = parser.missing(",", "separate table entries with commas".to_owned());
                parser.complain(problem);
            }
            parser.open -= 1;
            parser.close(bracket);
            let span = parser.from(opening);
            parser.make(ExpressionKind::Table(entries), span, below)
        })
    }

    /// Reads the rest of a text without quotes, and reports it: `name = Orb of Fate`.
    fn unquoted(&mut self, entries: &mut [Entry]) -> bool {
        let Some(Entry::Named(_, value)) = entries.last_mut() else { return false };
        let is_word = matches!(value.kind, ExpressionKind::Name(_)) && matches!(self.current.token, Token::Name(_));
        if !is_word || self.current.first || *self.peek() == Token::Sign("=") {
            return false;
        }
        let start = value.span;
        while !self.at_end() && !self.current.first && matches!(self.current.token, Token::Name(_) | Token::Keyword(_))
        {
            self.advance();
        }
        let span = self.from(start);
        let right = format!("\"{}\"", self.text(span));
        value.kind = ExpressionKind::Unread;
        let problem = Diagnostic::new(Code::Syntax, span, "this text is not in quotes")
            .with_help(format!("write {right}"))
            .with_suggestion(span, right, true);
        self.complain_about(start, problem);
        true
    }

    /// Reads the `end` of a function whose `function()` is missing, as in `contents = des.object() end`, and reports
    /// it. Its statements were read as entries, and are removed.
    fn headless_function(&mut self, entries: &mut Vec<Entry>) -> bool {
        if !self.is_keyword(Keyword::End) {
            return false;
        }
        let is_body = |entry: &Entry| {
            matches!(entry, Entry::Named(key, value) if matches!(key.text.as_str(), "contents" | "inventory")
                && matches!(value.kind, ExpressionKind::Call(_)))
        };
        let Some(at) = entries.iter().rposition(is_body) else { return false };
        if let Some(Entry::Named(key, value)) = entries.get(at) {
            let ahead = Span { end: value.span.start, ..value.span };
            let problem = Diagnostic::new(Code::Syntax, key.span, format!("`{}` needs a function", key.text))
                .with_label("`function()` is missing after it")
                .with_secondary(self.current.span, "this `end` closes it")
                .with_help(format!("write {} = function() ... end", key.text))
                .with_suggestion(ahead, "function() ", false);
            self.complain(problem);
        }
        entries.truncate(at);
        self.advance();
        let _ = self.take(",").or_else(|| self.take(";"));
        true
    }

    fn entry(&mut self) -> Entry {
        if let Some(opening) = self.take("[") {
            let key = self.expression();
            self.close(Bracket { opening, open: "[", close: "]" });
            if self.take("=").is_none() {
                self.complain_expected("'='", "write a value after the key: [key] = value");
            }
            let value = self.expression();
            return Entry::Keyed(key, value);
        }
        let named = matches!(self.current.token, Token::Name(_));
        let sign = match self.peek() {
            Token::Sign(sign) => *sign,
            _ => "",
        };
        if named
            && sign == "="
            && let Some(name) = self.name("a key")
        {
            self.advance();
            return Entry::Named(name, self.expression());
        }
        let word = matches!(self.current.token, Token::Keyword(_));
        let text = matches!(self.current.token, Token::Text(..));
        if named && sign == ":" || text && matches!(sign, ":" | "=") || word && sign == "=" {
            return self.odd_entry(sign == ":");
        }
        if named
            && sign == "=="
            && let Some(name) = self.name("a key")
        {
            let problem = Diagnostic::new(Code::Syntax, self.current.span, "`==` is a comparison, not an assignment")
                .with_label("`=` separates a key from its value")
                .with_help("write `=`")
                .with_suggestion(self.current.span, "=", true);
            self.complain(problem);
            self.advance();
            return Entry::Named(name, self.expression());
        }
        Entry::Item(self.expression())
    }

    /// Reads an entry whose key is written as in another language: `key: value`, `"key": value`, `"key" = value`.
    fn odd_entry(&mut self, colon: bool) -> Entry {
        let key = self.advance();
        let sign = self.current.span;
        let text = match &key.token {
            Token::Name(text) => Text::from(*text),
            Token::Keyword(keyword) => Text::from(keyword.as_str()),
            Token::Text(value, _) => Text::from(String::from_utf8_lossy(value).as_ref()),
            _ => Text::default(),
        };
        // `name:method()` is a value.
        if colon && matches!(key.token, Token::Name(_)) && matches!(self.peek(), Token::Name(_)) {
            let after = self.next.as_ref().map_or(0, |next| next.span.end as usize);
            let rest = self.source.text.get(after..).unwrap_or("").trim_start();
            if rest.starts_with(['(', '{', '"', '\'']) {
                let object = self.make(ExpressionKind::Name(text), key.span, 0);
                self.advance();
                let Some(method) = self.name("the name of a method") else { return Entry::Item(object) };
                let call = self.call(object, Some(method), key.span);
                return Entry::Item(call);
            }
        }
        let is_word = matches!(key.token, Token::Keyword(_));
        let span = key.span.to(sign);
        let bare =
            !is_word && !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
        let written = if bare { text.to_string() } else { format!("[\"{text}\"]") };
        let message = if is_word {
            format!("the Lua keyword `{text}` cannot be a table key without brackets")
        } else {
            format!("expected `=` after this table key, found {}", self.shown())
        };
        let message =
            if !colon && !is_word { "a table key cannot be in quotes without brackets".to_owned() } else { message };
        self.fixable(span, message, format!("write {written} = ..."), format!("{written} ="));
        self.advance();
        Entry::Named(Name { text, span: key.span }, self.expression())
    }

    /// Returns true if the table opened at `opening` is the only argument of a function of `des`, and has no keys.
    fn is_list_of_values(&self, opening: Span) -> bool {
        let (start, end) = (opening.start as usize, self.current.span.start as usize);
        let before = self.source.text.get(..start).and_then(|before| before.strip_suffix('(')).unwrap_or("");
        let name = before.trim_end_matches(|letter: char| letter.is_ascii_alphanumeric() || letter == '_');
        let inner = self.source.text.get(opening.end as usize..end.min(start + HEAD)).unwrap_or("");
        name.ends_with("des.") && !inner.contains(['=', '{'])
    }

    /// Reads the closing bracket. If it is missing, it is reported and assumed.
    fn close(&mut self, bracket: Bracket) {
        let Bracket { opening, open, close } = bracket;
        if close == ")" && std::mem::take(&mut self.swapped) || self.take(close).is_some() || self.stopped {
            return;
        }
        if close == "}" && self.is(")") && self.open > 0 && *self.peek() == Token::Sign("}") {
            let first = self.current.span;
            let second = self.next.as_ref().map_or(first, |next| next.span);
            let rest = self.source.text.get(second.end as usize..).unwrap_or("");
            if !rest.trim_start().starts_with(')') {
                let both = first.to(second);
                let problem = Diagnostic::new(Code::Syntax, both, "`)` and `}` are swapped")
                    .with_secondary(opening, "the brace is opened here, inside the parentheses")
                    .with_help("write `})`")
                    .with_suggestion(both, "})", true);
                self.complain(problem);
                self.advance();
                self.advance();
                self.swapped = true;
                return;
            }
        }
        let found = self.shown();
        // The bracket ends at another closing bracket, at a line end, or before a token that cannot be inside it.
        let other = matches!(self.current.token, Token::Sign(")" | "}" | "]"));
        let begins_block = matches!(self.current.token, Token::Keyword(Keyword::Do | Keyword::Then));
        let over = other
            || begins_block
            || self.current.first
            || matches!(self.current.token, Token::End | Token::Sign(";"))
            || self.ends_block();
        if over && close == "}" && self.is(")") && self.is_list_of_values(opening) {
            let problem = Diagnostic::new(Code::Syntax, opening, "this `{` is not closed")
                .with_secondary(self.current.span, "expected `}`, found ')'")
                .with_help("remove it: values without keys are not in a table")
                .with_suggestion(opening, "", true);
            self.complain(problem);
            self.assumed = Some((close, opening.start));
            return;
        }
        if over {
            // A string that is not closed may contain the bracket.
            if self.unread_end > 0 && self.unread_end == self.previous_end {
                self.complained = Some(self.current.span.start);
                return;
            }
            let at_sign = other || begins_block || self.is(";");
            // A `;` or `,` that was read separates nothing.
            let read = self.source.text.get(..self.previous_end).unwrap_or("");
            let end = read.trim_end_matches([';', ',']).len();
            let after = Span::new(self.file, end, end);
            // `des.object({ id = "statue";`
            let call = Span { start: opening.start.saturating_sub(1), ..opening };
            if close == "}" && !other && self.text(call) == "({" && self.is_unclosed(call) {
                let problem = Diagnostic::new(Code::Syntax, call, "this `({` is not closed")
                    .with_secondary(self.current.span, format!("expected `}})`, found {found}"))
                    .with_help("write `})` after its last value")
                    .with_suggestion(after, "})", false);
                self.complain(problem);
                return;
            }
            // `des.map([[...]]` takes nothing after the map.
            let inner = self.source.text.get(opening.end as usize..end).unwrap_or("").trim();
            if close == ")" && inner.starts_with("[[") && inner.ends_with("]]") && inner.matches("]]").count() == 1 {
                let last = Span { start: after.start - 2, ..after };
                let problem = Diagnostic::new(Code::Syntax, last, "`)` is missing after this string")
                    .with_secondary(opening, "this `(` is not closed")
                    .with_help("write `]])`")
                    .with_suggestion(after, close, true);
                self.complain(problem);
                self.assumed = Some((close, opening.start));
                return;
            }
            let problem = Diagnostic::new(Code::Syntax, opening, format!("this `{open}` is not closed"))
                .with_secondary(self.current.span, format!("expected `{close}`, found {found}"))
                .with_help(format!("write `{close}` after its last value"))
                .with_suggestion(after, close, at_sign && !self.current.first);
            self.complain(problem);
            self.assumed = Some((close, opening.start));
            // Another closing bracket that closes nothing else is this one, mistyped.
            return;
        }
        let what = if open == "(" || open == "{" { format!("',' or '{close}'") } else { format!("'{close}'") };
        let before_number = matches!(self.peek(), Token::Integer(_));
        let help = match self.current.token {
            Token::Sign("=") => "write only a name before `=`",
            Token::Sign(":") if !before_number => "call a method by its name: value:method()",
            _ => "separate values with commas",
        };
        let problem =
            self.expected(&what).with_secondary(opening, format!("the `{open}` is opened here")).with_help(help);
        self.complain(problem);
        // Skip unreadable text up to the closing bracket, if it is near.
        let mut depth = 0_usize;
        while !(self.at_end() || self.current.first && self.begins_statement()) {
            match self.current.token {
                Token::Sign("(" | "{" | "[") => depth += 1,
                Token::Sign(")" | "}" | "]") if depth > 0 => depth -= 1,
                Token::Sign(found @ (")" | "}" | "]")) => {
                    if found == close {
                        self.advance();
                    }
                    return;
                }
                _ => {}
            }
            self.advance();
        }
        self.complained = Some(self.current.span.start);
    }
}

/// The last token read.
struct Last {
    span: Span,
}

impl Last {
    fn is_zero(&self) -> bool {
        self.span.start == self.span.end
    }
}

/// Returns the depth of the tree below a statement.
fn depth_of(statement: &Statement) -> usize {
    let all = |list: &[Expression]| list.iter().map(|value| value.depth).max().unwrap_or(0);
    match &statement.kind {
        StatementKind::Local { values, .. } | StatementKind::Return(values) => all(values),
        StatementKind::Assign { targets, values } => all(targets).max(all(values)),
        StatementKind::Call(call) => call.depth,
        StatementKind::Do(body) => body.depth,
        StatementKind::While { condition, body } | StatementKind::Repeat { body, condition } => {
            condition.depth.max(body.depth)
        }
        StatementKind::If { branches, otherwise } => {
            let deepest = branches.iter().map(|(condition, block)| condition.depth.max(block.depth)).max().unwrap_or(0);
            deepest.max(otherwise.as_ref().map_or(0, |block| block.depth))
        }
        StatementKind::NumericFor { range, body, .. } => all(range).max(body.depth),
        StatementKind::GenericFor { values, body, .. } => all(values).max(body.depth),
        StatementKind::Function { function, .. } | StatementKind::LocalFunction { function, .. } => function.body.depth,
        StatementKind::Break | StatementKind::Goto(_) | StatementKind::Label(_) => 0,
    }
}

/// Returns the last operand of an expression.
fn last_operand(expression: &Expression) -> &Expression {
    match &expression.kind {
        ExpressionKind::Binary(_, operands) => last_operand(&operands.1),
        ExpressionKind::Unary(_, operand) => last_operand(operand),
        _ => expression,
    }
}

/// Returns true if the function takes these values as arguments of their own, as `des.door` takes x and y.
fn takes_numbers(argument: &Argument<'_>, values: &[Expression]) -> bool {
    let Some(function) = libraries::function(argument.library, argument.function) else { return false };
    let kind = |form: &Form, at: usize| form.arguments.get(argument.index + at).map(|argument| argument.kind);
    let as_table = |form: &Form| matches!(kind(form, 0), Some(Kind::Place | Kind::Region | Kind::Table));
    let as_numbers =
        |form: &Form| (0..values.len()).all(|at| matches!(kind(form, at), Some(Kind::Integer | Kind::IntegerOrRandom)));
    !function.forms.iter().any(as_table) && function.forms.iter().any(as_numbers)
}

/// Returns true if `expression` is the name of a function of Lua or of the game.
fn is_known_function(expression: &Expression) -> bool {
    match &expression.kind {
        ExpressionKind::Name(name) => {
            let of_game = |(known, call): &(&str, Option<_>)| *known == name.as_str() && call.is_some();
            sandbox::BASE.contains(&name.as_str()) || sandbox::GAME.iter().any(of_game)
        }
        ExpressionKind::Field(library, name) => match &library.kind {
            ExpressionKind::Name(library) => libraries::function(library, &name.text).is_some(),
            _ => false,
        },
        _ => false,
    }
}

/// The number of bytes at the start of a file that show its language.
const HEAD: usize = 4096;

/// The longest list that is shown corrected, in bytes.
const SHOWN: usize = 60;

/// The length of the name and the parameters of a function after a misspelt `function`, at most.
const MAX_PARAMETERS: usize = 200;

/// Returns true if `word` looks like a keyword of des-files.
fn is_des_word(word: &str) -> bool {
    word.len() > 2 && word.bytes().all(|byte| byte.is_ascii_uppercase() || byte == b'_')
}

/// Returns true for a word that ends a block in another language.
fn is_other_end(word: &str) -> bool {
    matches!(word, "done" | "fi" | "od" | "endif" | "endfor" | "endwhile" | "wend" | "next" | "End" | "END")
}

/// Returns the keyword at the start of a statement that `word` was likely meant as.
fn near_keyword(word: &str) -> Option<&'static str> {
    const BEGINNINGS: [&str; 8] = ["local", "function", "if", "for", "while", "repeat", "return", "goto"];
    match word {
        "var" | "let" | "const" | "my" => return Some("local"),
        "fn" | "func" | "def" | "fun" => return Some("function"),
        "foreach" => return Some("for"),
        "elsif" | "elif" => return Some("elseif"),
        _ => {}
    }
    let lower = word.to_lowercase();
    BEGINNINGS.into_iter().find(|keyword| *keyword == lower).or_else(|| {
        splc_ir::diagnostic::nearest(&lower, BEGINNINGS.into_iter().filter(|keyword| keyword.len() > 3))
            .first()
            .copied()
    })
}
