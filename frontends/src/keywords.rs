//! The words of a language with their tokens, as lexers look them up.

/// Words and signs, each with a function that returns its token.
pub struct Words<T, const N: usize>([(&'static str, fn() -> T); N]);

impl<T, const N: usize> Words<T, N> {
    /// Sorts the words.
    pub const fn new(mut words: [(&'static str, fn() -> T); N]) -> Self {
        let mut next = 1;
        while next < N {
            let mut at = next;
            while at > 0 && is_less(words[at].0.as_bytes(), words[at - 1].0.as_bytes()) {
                words.swap(at, at - 1);
                at -= 1;
            }
            next += 1;
        }
        Words(words)
    }

    /// Returns the token of `word`.
    pub fn get(&self, word: &str) -> Option<T> {
        let at = self.0.binary_search_by(|(other, _)| (*other).cmp(word)).ok()?;
        Some(self.0[at].1())
    }

    /// Returns the token of the longest word with which `text` begins, and the length of the word.
    pub fn longest(&self, text: &str) -> Option<(T, usize)> {
        // The words with which a text begins sort before it, longer ones later.
        let end = self.0.partition_point(|(word, _)| *word <= text);
        let mut same =
            self.0[..end].iter().rev().take_while(|(word, _)| word.as_bytes().first() == text.as_bytes().first());
        let (word, token) = same.find(|(word, _)| text.starts_with(word))?;
        Some((token(), word.len()))
    }
}

/// Compares texts at compile time.
const fn is_less(one: &[u8], other: &[u8]) -> bool {
    let mut at = 0;
    while at < one.len() && at < other.len() && one[at] == other[at] {
        at += 1;
    }
    at < other.len() && (at == one.len() || one[at] < other[at])
}
