//! Where the games' own dungeon compiler notices a mistake, which is the line that it names.

use splc_ir::diagnostic::Code;

use super::lexer::{Kind, Statement, Token, Word, tokens};

/// Where in `text`, a prepared description, the games' own compiler is when it finds a mistake of the kind `code` that
/// stands at `at`.
///
/// What is wrong with a chain or a branch as a whole it finds once the statement is complete. Where something more could
/// follow, that is at the token behind it, in most cases in the next line.
pub fn noticed(text: &str, at: usize, code: Code) -> usize {
    if !matches!(code, Code::Chain | Code::DuplicateName | Code::ReverseBranch) {
        return at;
    }
    let tokens = tokens(text);
    let statement = |token: &Token<'_>| match token.kind {
        Kind::Word(Word::Statement(statement)) => Some(statement),
        _ => None,
    };
    let Some(first) = tokens.iter().rposition(|token| token.start <= at && statement(token).is_some()) else {
        return at;
    };
    let next = tokens[first + 1..].iter().position(|token| statement(token).is_some() || token.kind == Kind::End);
    let next = next.map_or(tokens.len() - 1, |next| first + 1 + next);
    let last = &tokens[next - 1];
    let numbers = tokens[first..next].iter().rev().take_while(|token| matches!(token.kind, Kind::Number(_))).count();
    let is_complete = match statement(&tokens[first]) {
        Some(Statement::Branch | Statement::ChainBranch) => matches!(last.kind, Kind::Word(Word::Direction(_))),
        Some(Statement::RandomChainLevel) => numbers == 2,
        _ => numbers == 1,
    };
    if is_complete { last.start } else { tokens[next].start }
}
