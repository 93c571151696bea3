//! The words of a `dungeon.def` with their meanings, for programs that help to write it.

use splc_ir::dungeon::{Connection, Direction, Trait};

use super::lexer::{Statement, WORDS, Word};
use super::parser::form;

/// The use of a word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Use {
    /// It begins a statement.
    Statement,
    /// The type of a branch.
    Connection,
    /// The direction of a branch.
    Direction,
    /// A trait that is not an alignment.
    Trait,
    /// An alignment.
    Alignment,
}

/// Returns the keywords, each with its use, and its form or meaning.
pub fn words() -> impl Iterator<Item = (&'static str, Use, &'static str)> {
    WORDS.iter().filter_map(|&(word, meaning)| {
        Some(match meaning {
            Word::Statement(statement) => (word, Use::Statement, form(statement)),
            Word::Connection(connection) => (word, Use::Connection, of_connection(connection)),
            Word::Direction(Direction::Up) => (word, Use::Direction, "the branch leads up"),
            Word::Direction(Direction::Down) => (word, Use::Direction, "the branch leads down"),
            Word::Trait(Some(one)) if one.is_alignment() => (word, Use::Alignment, of_trait(one)),
            Word::Trait(Some(one)) => (word, Use::Trait, of_trait(one)),
            Word::Trait(None) => (word, Use::Alignment, "no alignment"),
            // A game has its own traits in its catalog, not in this table.
            Word::OwnTrait => return None,
        })
    })
}

fn of_connection(connection: Connection) -> &'static str {
    match connection {
        Connection::Stair => "stairs at both ends",
        Connection::NoUp => "no stairs at the lower end",
        Connection::NoDown => "no stairs at the upper end",
        Connection::Portal => "a magic portal at both ends",
    }
}

fn of_trait(one: &Trait) -> &'static str {
    match one {
        Trait::Town => "a town",
        Trait::Hellish => "in hell: prayer does not work",
        Trait::Mazelike => "levels that are not described are mazes",
        Trait::Roguelike => "displayed like the game Rogue",
        Trait::Chaotic => "monsters are chaotic",
        Trait::Neutral => "monsters are neutral",
        Trait::Lawful => "monsters are lawful",
        Trait::Own(_) => "a trait of this game",
    }
}

/// The operands of a statement, as far as they are words or names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Operands {
    /// True if the first name is that of a dungeon.
    pub names_dungeon: bool,
    /// The number of the text, from 0, that names a level of the same dungeon.
    pub chain: Option<usize>,
    /// The uses of the words that it takes.
    pub words: &'static [Use],
}

/// Returns the operands of the statement that begins with `word`.
pub fn operands(word: &str) -> Option<Operands> {
    let (_, Word::Statement(statement)) = WORDS.iter().find(|(known, _)| *known == word)? else { return None };
    let chain = match statement {
        Statement::ChainLevel | Statement::RandomChainLevel => Some(2),
        Statement::ChainBranch => Some(1),
        _ => None,
    };
    let words: &[Use] = match statement {
        Statement::Description | Statement::LevelDescription => &[Use::Trait],
        Statement::Alignment | Statement::LevelAlignment => &[Use::Alignment],
        Statement::Branch | Statement::ChainBranch => &[Use::Connection, Use::Direction],
        _ => &[],
    };
    let names_dungeon = matches!(statement, Statement::Dungeon | Statement::Branch | Statement::ChainBranch);
    Some(Operands { names_dungeon, chain, words })
}
