//! Tokens of a dungeon description (`util/dgn_comp.l`). Each is the longest possible one, with or without blanks
//! between tokens.

use splc_ir::catalog::Name;
use splc_ir::dungeon::{Connection, Direction, Trait};

/// A keyword of the language.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Word {
    /// A keyword that begins a statement.
    Statement(Statement),
    /// The type of a branch.
    Connection(Connection),
    /// The direction of a branch.
    Direction(Direction),
    /// A trait of a dungeon or a level; `None` for unaligned.
    Trait(Option<&'static Trait>),
    /// A trait that only some games have; the text of the token is its name.
    OwnTrait,
}

/// The kind of a statement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Statement {
    /// A dungeon.
    Dungeon,
    /// The entry level of a dungeon.
    Entry,
    /// The prototype that unnamed levels are named after.
    Prototype,
    /// The traits of a dungeon.
    Description,
    /// The alignment of a dungeon.
    Alignment,
    /// A level.
    Level,
    /// A level with several variants.
    RandomLevel,
    /// A level relative to another.
    ChainLevel,
    /// A level with several variants, relative to another.
    RandomChainLevel,
    /// The traits of a level.
    LevelDescription,
    /// The alignment of a level.
    LevelAlignment,
    /// A branch.
    Branch,
    /// A branch relative to a level.
    ChainBranch,
}

/// The keywords with their meanings.
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
    ("town", Word::Trait(Some(&Trait::Town))),
    ("hellish", Word::Trait(Some(&Trait::Hellish))),
    ("mazelike", Word::Trait(Some(&Trait::Mazelike))),
    ("roguelike", Word::Trait(Some(&Trait::Roguelike))),
    ("chaotic", Word::Trait(Some(&Trait::Chaotic))),
    ("neutral", Word::Trait(Some(&Trait::Neutral))),
    ("lawful", Word::Trait(Some(&Trait::Lawful))),
    ("unaligned", Word::Trait(None)),
    ("noalign", Word::Trait(None)),
];

/// The kind of a token.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Kind<'a> {
    /// A keyword.
    Word(Word),
    /// A number, as written.
    Number(&'a str),
    /// A string, without its quotes.
    Text(&'a str),
    /// Any other character.
    Other(char),
    /// A string without a closing quote.
    OpenText,
    /// The end of the input. Text after it is not read.
    End,
}

/// A token with its position in the text.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Token<'a> {
    /// Its kind.
    pub kind: Kind<'a>,
    /// Its start offset.
    pub start: usize,
    /// Its end offset.
    pub end: usize,
}

/// Returns the tokens of `text`. The last one is the end. `traits` has the descriptors that only this game has.
pub fn tokens<'a>(text: &'a str, traits: &[(Name, i64)]) -> Vec<Token<'a>> {
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
            // A comment is a whole line, including its line end.
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
            // Quirk: the scanner returns such a byte as a number not above zero, which the parser treats as the end.
            '\0' | '\u{80}'.. => (Kind::End, 0),
            _ => {
                let known = WORDS.iter().map(|&(word, what)| (word, what));
                let own = traits.iter().map(|(word, _)| (&**word, Word::OwnTrait));
                // Of two equal words, the last one is found, so the known ones come last.
                let longest =
                    own.chain(known).filter(|(word, _)| rest.starts_with(word)).max_by_key(|(word, _)| word.len());
                match longest {
                    Some((word, what)) => (Kind::Word(what), word.len()),
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

/// Returns the number that C's `atoi` reads from `text`: the value of its leading digits, limited to 64 bits and
/// truncated to 32.
///
/// On a machine with a 32-bit `long`, larger numbers become the maximum instead.
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
            tokens("RNDLEVEL:\"a\"\"none\"@(1,-1)portalup", &[]).into_iter().map(|token| token.kind).collect();
        assert_eq!(kinds[0], Kind::Word(Word::Statement(Statement::RandomLevel)));
        assert_eq!(kinds[2..4], [Kind::Text("a"), Kind::Text("none")]);
        assert_eq!(
            kinds[10..],
            [Kind::Word(Word::Connection(Connection::Portal)), Kind::Word(Word::Direction(Direction::Up)), Kind::End]
        );
    }

    #[test]
    fn a_game_can_have_traits_of_its_own() {
        let kinds =
            |own: &[(Name, i64)]| tokens("LEVELDESC: gtown", own).iter().map(|token| token.kind).collect::<Vec<_>>();
        assert_eq!(kinds(&[("gtown".into(), 64)])[2..], [Kind::Word(Word::OwnTrait), Kind::End]);
        assert_eq!(kinds(&[])[2], Kind::Other('g'));
    }

    #[test]
    fn a_comment_is_one_at_the_beginning_of_a_line_that_ends() {
        assert_eq!(tokens("#x\n", &[]).len(), 1);
        assert_eq!(tokens("#x", &[])[0].kind, Kind::Other('#'));
        assert_eq!(tokens(" #x\n", &[])[0].kind, Kind::Other('#'));
        assert_eq!(tokens("\u{e9}DUNGEON", &[])[0].kind, Kind::End);
    }
}
