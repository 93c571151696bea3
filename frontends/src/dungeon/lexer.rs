//! Tokens of a dungeon description (`util/dgn_comp.l`): the longest one at each place, with or without blanks between
//! them.

use splc_ir::dungeon::{Connection, Direction, Trait};

/// A word of the language.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Word {
    /// It begins a statement.
    Statement(Statement),
    /// It says what a branch is made of.
    Connection(Connection),
    /// It says where a branch leads.
    Direction(Direction),
    /// It describes a dungeon or a level; `None` is without alignment.
    Trait(Option<Trait>),
}

/// What a statement is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Statement {
    /// A dungeon.
    Dungeon,
    /// Where one enters it.
    Entry,
    /// What its other levels are named after.
    Prototype,
    /// What it is like.
    Description,
    /// Its alignment.
    Alignment,
    /// A level.
    Level,
    /// A level of several variants.
    RandomLevel,
    /// A level below another.
    ChainLevel,
    /// A level of several variants below another.
    RandomChainLevel,
    /// What a level is like.
    LevelDescription,
    /// Its alignment.
    LevelAlignment,
    /// A branch.
    Branch,
    /// A branch below a level.
    ChainBranch,
}

/// The words, each with what it is.
pub const WORDS: &[(&str, Word)] = &[
    ("DUNGEON", Word::Statement(Statement::Dungeon)),
    ("ENTRY", Word::Statement(Statement::Entry)),
    ("PROTOFILE", Word::Statement(Statement::Prototype)),
    ("DESCRIPTION", Word::Statement(Statement::Description)),
    ("ALIGNMENT", Word::Statement(Statement::Alignment)),
    ("LEVEL", Word::Statement(Statement::Level)),
    ("RNDLEVEL", Word::Statement(Statement::RandomLevel)),
    ("CHAINLEVEL", Word::Statement(Statement::ChainLevel)),
    ("RNDCHLEVEL", Word::Statement(Statement::RandomChainLevel)),
    ("LEVELDESC", Word::Statement(Statement::LevelDescription)),
    ("LEVALIGN", Word::Statement(Statement::LevelAlignment)),
    ("BRANCH", Word::Statement(Statement::Branch)),
    ("CHAINBRANCH", Word::Statement(Statement::ChainBranch)),
    ("stair", Word::Connection(Connection::Stair)),
    ("no_up", Word::Connection(Connection::NoUp)),
    ("no_down", Word::Connection(Connection::NoDown)),
    ("portal", Word::Connection(Connection::Portal)),
    ("up", Word::Direction(Direction::Up)),
    ("down", Word::Direction(Direction::Down)),
    ("town", Word::Trait(Some(Trait::Town))),
    ("hellish", Word::Trait(Some(Trait::Hellish))),
    ("mazelike", Word::Trait(Some(Trait::Mazelike))),
    ("roguelike", Word::Trait(Some(Trait::Roguelike))),
    ("chaotic", Word::Trait(Some(Trait::Chaotic))),
    ("neutral", Word::Trait(Some(Trait::Neutral))),
    ("lawful", Word::Trait(Some(Trait::Lawful))),
    ("unaligned", Word::Trait(None)),
    ("noalign", Word::Trait(None)),
];

/// What a token is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Kind<'a> {
    /// A word.
    Word(Word),
    /// A number, as it is written.
    Number(&'a str),
    /// A text, without its quotes.
    Text(&'a str),
    /// Any other character.
    Other(char),
    /// A text whose quote does not close.
    OpenText,
    /// The end; what follows it, if anything, is not read.
    End,
}

/// A token, and its place in the text.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Token<'a> {
    /// What it is.
    pub kind: Kind<'a>,
    /// Where it begins.
    pub start: usize,
    /// Where it ends.
    pub end: usize,
}

/// The tokens of `text`; the last one is the end.
pub fn tokens(text: &str) -> Vec<Token<'_>> {
    let mut tokens = Vec::new();
    let mut at = 0;
    loop {
        let rest = &text[at..];
        let begins_line = at == 0 || text.as_bytes()[at - 1] == b'\n';
        let Some(first) = rest.chars().next() else {
            tokens.push(Token { kind: Kind::End, start: at, end: at });
            return tokens;
        };
        let (kind, length) = match first {
            ' ' | '\t' | '\n' => {
                at += 1;
                continue;
            }
            '\r' if rest.starts_with("\r\n") => {
                at += 2;
                continue;
            }
            // A comment takes its line, which has an end.
            '#' if begins_line && rest.contains('\n') => {
                at += rest.find('\n').map_or(rest.len(), |newline| newline + 1);
                continue;
            }
            '"' => match rest[1..].find('"') {
                Some(length) => (Kind::Text(&rest[1..1 + length]), length + 2),
                None => (Kind::OpenText, rest.len()),
            },
            '-' | '0'..='9' => {
                let length = rest.find(|letter: char| letter != '-' && !letter.is_ascii_digit()).unwrap_or(rest.len());
                (Kind::Number(&rest[..length]), length)
            }
            // Quirk: the scanner gives such a byte as a number that is not above zero, which the parser takes for the end.
            '\0' | '\u{80}'.. => (Kind::End, 0),
            _ => {
                let longest =
                    WORDS.iter().filter(|(word, _)| rest.starts_with(word)).max_by_key(|(word, _)| word.len());
                match longest {
                    Some((word, what)) => (Kind::Word(*what), word.len()),
                    None => (Kind::Other(first), first.len_utf8()),
                }
            }
        };
        tokens.push(Token { kind, start: at, end: at + length });
        at += length;
        if matches!(kind, Kind::End) {
            return tokens;
        }
        if matches!(kind, Kind::OpenText) {
            tokens.push(Token { kind: Kind::End, start: at, end: at });
            return tokens;
        }
    }
}

/// The number that `text` is to C's `atoi`: as much of it as is one, and of a large one the lower 32 bits.
///
/// On a machine whose `long` has 32 bits, what is larger than that becomes the largest there is.
pub fn atoi(text: &str) -> i32 {
    let digits = text.strip_prefix('-').unwrap_or(text);
    let digits = &digits[..digits.find('-').unwrap_or(digits.len())];
    let value = digits.bytes().fold(0_i128, |value, digit| {
        value.saturating_mul(10).saturating_add(i128::from(digit - b'0')).min(i128::from(i64::MAX) + 1)
    });
    let value = if text.starts_with('-') { -value } else { value.min(i64::MAX.into()) };
    value as i64 as i32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_those_of_atoi() {
        for (text, number) in [
            ("5", 5),
            ("-5", -5),
            ("--5", 0),
            ("5-3", 5),
            ("-", 0),
            ("4294967297", 1),
            ("99999999999999999999", -1),
            ("-99999999999999999999", 0),
        ] {
            assert_eq!(atoi(text), number, "{text}");
        }
    }

    #[test]
    fn the_longest_word_is_taken_and_blanks_are_free() {
        let kinds: Vec<_> =
            tokens("RNDLEVEL:\"a\"\"none\"@(1,-1)portalup").into_iter().map(|token| token.kind).collect();
        assert_eq!(kinds[0], Kind::Word(Word::Statement(Statement::RandomLevel)));
        assert_eq!(kinds[2..4], [Kind::Text("a"), Kind::Text("none")]);
        assert_eq!(
            kinds[10..],
            [Kind::Word(Word::Connection(Connection::Portal)), Kind::Word(Word::Direction(Direction::Up)), Kind::End]
        );
    }

    #[test]
    fn a_comment_is_one_at_the_beginning_of_a_line_that_ends() {
        assert_eq!(tokens("#x\n").len(), 1);
        assert_eq!(tokens("#x")[0].kind, Kind::Other('#'));
        assert_eq!(tokens(" #x\n")[0].kind, Kind::Other('#'));
        assert_eq!(tokens("\u{e9}DUNGEON")[0].kind, Kind::End);
    }
}
