//! An input of a target, as a text that outlives the generators.

use std::fmt::Write as _;
use std::str;

use splc_driver::{Options, Wanted};
use splc_ir::catalog::Catalogs;
use splc_ir::catalog::dialect::Dialect;

/// The input of a target.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Case {
    /// The name of its file.
    pub file: String,
    /// A dialect or a game, or an empty string if splc detects it.
    pub game: String,
    /// The dialect of a port.
    pub to: String,
    /// The seed of a run.
    pub seed: u64,
    /// The content of the file.
    pub bytes: Vec<u8>,
}

impl Case {
    /// Creates a case of `file` for `game`.
    pub fn new(file: &str, game: &str, bytes: Vec<u8>) -> Self {
        Case { file: file.to_owned(), game: game.to_owned(), bytes, ..Case::default() }
    }

    /// Returns the case as the content of a file: a line for each property, an empty line, and the bytes.
    pub fn write(&self) -> Vec<u8> {
        let mut head = String::new();
        let Case { file, game, to, seed, bytes } = self;
        let _ = write!(head, "file {file}\ngame {game}\nto {to}\nseed {seed}\n\n");
        [head.as_bytes(), bytes].concat()
    }

    /// Reads what [`write`](Case::write) wrote, or returns `None` if it is anything else.
    pub fn read(content: &[u8]) -> Option<Self> {
        let end = content.windows(2).position(|pair| pair == b"\n\n")?;
        let mut lines = str::from_utf8(&content[..end]).ok()?.lines();
        let mut value = |key: &str| lines.next()?.strip_prefix(key)?.strip_prefix(' ').map(str::to_owned);
        let (file, game, to) = (value("file")?, value("game")?, value("to")?);
        let seed = value("seed")?.parse().ok()?;
        Some(Case { file, game, to, seed, bytes: content[end + 2..].to_vec() })
    }

    /// Returns the options for its game.
    pub fn options(&self) -> Options {
        let wanted = match Dialect::by_name(&self.game) {
            Some(dialect) => Wanted { dialect: Some(dialect), ..Wanted::default() },
            None => Wanted { catalog: Catalogs::default().by_name(&self.game), ..Wanted::default() },
        };
        Options { wanted, ..Options::default() }
    }
}
