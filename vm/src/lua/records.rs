//! The records of a run: a digest of its statements, or a script of them.

use std::cell::Cell;
use std::hash::Hash;
use std::rc::Rc;

use crate::digest::Digest;

/// The statements recorded so far.
#[derive(Debug, Default)]
pub(crate) struct Recorder {
    /// Digest of all statements, in order.
    pub(super) said: u128,
    /// Set if the level does something that cannot be recorded.
    pub(super) unknown: Rc<Cell<bool>>,
}

impl Recorder {
    /// Returns the digest, if everything was recorded.
    pub fn finish(self) -> Option<u128> {
        (!self.unknown.get()).then_some(self.said)
    }

    /// Adds a statement.
    pub(super) fn add(&mut self, what: &impl Hash) {
        let mut digest = Digest::default();
        (self.said, what).hash(&mut digest);
        self.said = digest.finish128();
    }
}

/// A script that a run executes, statement by statement.
#[derive(Clone, Debug, Default)]
pub struct Transcript {
    /// The script.
    pub text: String,
    /// The line of the level for each line of the script, from 1.
    pub lines: Vec<usize>,
}

impl Transcript {
    /// Adds a line of the script, which comes from `line` of the level.
    pub(super) fn line(&mut self, text: &str, line: usize) {
        self.text.push_str(text);
        self.text.push('\n');
        self.lines.push(line);
    }
}
