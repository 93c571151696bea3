//! The position at which the games' own dungeon compiler notices an error, and whose line it reports.

use splc_ir::diagnostic::Code;

use super::lexer::{Kind, Statement, Token, Word, tokens};

/// Returns the position in `text`, a prepared description, at which the games' own compiler reports an error of kind
/// `code` at `at`.
///
/// It finds errors in a chain or a branch as a whole once the statement is complete. If the statement could continue,
/// that is at the token after it, usually on the next line.
pub fn noticed(text: &str, at: usize, code: Code) -> usize {
    if !matches!(code, Code::Chain | Code::DuplicateName | Code::ReverseBranch) {
        return at;
    }
    let tokens = tokens(text, &[]);
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
