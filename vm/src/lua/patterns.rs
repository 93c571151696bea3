//! Lua's string patterns, with counted steps.
//!
//! Lua 5.4 matches a pattern within one step of its machine, and some patterns take time that grows with a power of the
//! text's length: `(".*"):rep(20) .. "b"` on a thousand letters would never end. Here each comparison is a step charged
//! to the level. In all other respects this follows Lua 5.4.9 (`lstrlib.c`: `match`, `find`, `gmatch`, `gsub`), with
//! its limits and messages.

use std::ops::Range;

/// Maximum number of captures in a pattern (`LUA_MAXCAPTURES`).
const MAX_CAPTURES: usize = 32;

/// Maximum recursion of a match (`MAXCCALLS`).
const MAX_DEPTH: u32 = 200;

/// Special characters of patterns.
const SPECIAL: &[u8] = b"^$*+?.([%-";

/// The reason a match was not completed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PatternError {
    /// The pattern or replacement is malformed; contains Lua's message.
    Malformed(String),
    /// No steps are left.
    Steps,
    /// The result does not fit into memory.
    TooLong,
}

impl PatternError {
    fn malformed<T>(message: impl Into<String>) -> Result<T, PatternError> {
        Err(PatternError::Malformed(message.into()))
    }
}

/// A match at a place of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Match {
    /// Its range.
    pub range: Range<usize>,
    /// Captures of its parentheses.
    pub captures: Vec<Capture>,
}

/// Capture of a pair of parentheses.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Capture {
    /// A part of the text.
    Part(Range<usize>),
    /// A position, from 1: `()`.
    Place(usize),
    /// Unclosed parentheses; using the capture is an error.
    Open,
}

/// Error message for [`Capture::Open`].
pub const UNFINISHED: &str = "unfinished capture";

impl Match {
    /// Results passed to a script: the captures, or the whole match if there are none.
    pub fn results(&self) -> Vec<Capture> {
        if self.captures.is_empty() { vec![Capture::Part(self.range.clone())] } else { self.captures.clone() }
    }
}

/// Returns true if `pattern` has no special characters.
pub fn is_plain(pattern: &[u8]) -> bool {
    !pattern.iter().any(|byte| SPECIAL.contains(byte))
}

/// Finds the first occurrence of `wanted` in `text`, starting at `start`.
///
/// # Errors
/// [`PatternError::Steps`]. The search takes at most as many steps as the text has bytes.
pub fn find_plain(
    text: &[u8],
    wanted: &[u8],
    start: usize,
    spend: &mut dyn FnMut(u64) -> bool,
) -> Result<Option<usize>, PatternError> {
    let rest = text.get(start..).unwrap_or(&[]);
    if !spend(rest.len() as u64 / 16 + wanted.len() as u64 / 16 + 1) {
        return Err(PatternError::Steps);
    }
    Ok(memchr::memmem::find(rest, wanted).map(|at| start + at))
}

/// Progress of a search.
#[derive(Clone, Copy, Debug)]
pub struct Progress {
    /// Position of the next attempt.
    at: usize,
    /// End of the last match: an empty match is not found there again.
    last: Option<usize>,
    done: bool,
}

impl Progress {
    /// A search that begins at `at`.
    pub fn at(at: usize) -> Self {
        Progress { at, last: None, done: false }
    }
}

/// Iterates over the matches of a pattern in a text, like `gmatch` and `gsub`.
pub struct Search<'a> {
    text: &'a [u8],
    pattern: &'a [u8],
    anchored: bool,
    progress: Progress,
}

/// Meaning of `^` at the beginning of a pattern.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Anchor {
    /// It anchors the pattern to the beginning of the text (`gsub`).
    Holds,
    /// It is an ordinary character (`gmatch`).
    Letter,
}

impl<'a> Search<'a> {
    /// Searches for all matches of `pattern` in `text`, starting at `start`.
    pub fn new(text: &'a [u8], pattern: &'a [u8], start: usize, anchor: Anchor) -> Self {
        Search::resume(text, pattern, Progress::at(start), anchor)
    }

    /// Continues a search from its progress.
    pub fn resume(text: &'a [u8], pattern: &'a [u8], progress: Progress, anchor: Anchor) -> Self {
        let (anchored, pattern) = match pattern.split_first() {
            Some((b'^', rest)) if anchor == Anchor::Holds => (true, rest),
            _ => (false, pattern),
        };
        Search { text, pattern, anchored, progress }
    }

    /// Progress of the search.
    pub fn progress(&self) -> Progress {
        self.progress
    }

    /// Finds the next match.
    ///
    /// # Errors
    /// [`PatternError`].
    pub fn next(&mut self, spend: &mut dyn FnMut(u64) -> bool) -> Result<Option<Match>, PatternError> {
        while !self.progress.done && self.progress.at <= self.text.len() {
            let start = self.progress.at;
            let found = match_at(self.text, self.pattern, start, spend)?;
            let found = found.filter(|found| self.progress.last != Some(found.range.end));
            self.progress.done = self.anchored;
            match found {
                Some(found) => {
                    self.progress.at = found.range.end;
                    self.progress.last = Some(found.range.end);
                    return Ok(Some(found));
                }
                None => self.progress.at = start + 1,
            }
        }
        Ok(None)
    }
}

/// Finds the first match of `pattern` in `text`, starting at `start` (`string.find`, `string.match`).
///
/// # Errors
/// [`PatternError`].
pub fn find(
    text: &[u8],
    pattern: &[u8],
    start: usize,
    spend: &mut dyn FnMut(u64) -> bool,
) -> Result<Option<Match>, PatternError> {
    let (anchored, pattern) = match pattern.split_first() {
        Some((b'^', rest)) => (true, rest),
        _ => (false, pattern),
    };
    let mut at = start;
    loop {
        if let Some(found) = match_at(text, pattern, at, spend)? {
            return Ok(Some(found));
        }
        at += 1;
        if anchored || at > text.len() {
            return Ok(None);
        }
    }
}

/// Substitutes `%1` and similar sequences in `replacement` for a match. `append` receives each part of the result.
///
/// # Errors
/// [`PatternError::Malformed`], or the error of `append`.
pub fn substitute(
    text: &[u8],
    found: &Match,
    replacement: &[u8],
    append: &mut dyn FnMut(&[u8]) -> Result<(), PatternError>,
) -> Result<(), PatternError> {
    let mut rest = replacement;
    while let Some(at) = memchr::memchr(b'%', rest) {
        append(&rest[..at])?;
        match rest.get(at + 1) {
            Some(b'%') => append(b"%")?,
            Some(b'0') => append(&text[found.range.clone()])?,
            Some(&digit @ b'1'..=b'9') => {
                let index = usize::from(digit - b'1');
                match (found.captures.get(index), index) {
                    (Some(Capture::Part(range)), _) => append(&text[range.clone()])?,
                    (Some(Capture::Place(place)), _) => append(place.to_string().as_bytes())?,
                    (Some(Capture::Open), _) => return PatternError::malformed(UNFINISHED),
                    (None, 0) => append(&text[found.range.clone()])?,
                    (None, _) => {
                        return PatternError::malformed(format!("invalid capture index %{}", index + 1));
                    }
                }
            }
            _ => return PatternError::malformed("invalid use of '%' in replacement string"),
        }
        rest = &rest[at + 2..];
    }
    append(rest)
}

/// Matches `pattern`, without its anchor, exactly at `start`.
fn match_at(
    text: &[u8],
    pattern: &[u8],
    start: usize,
    spend: &mut dyn FnMut(u64) -> bool,
) -> Result<Option<Match>, PatternError> {
    let mut state = State { text, pattern, captures: Vec::new(), depth: MAX_DEPTH, spend, owed: 0 };
    let end = state.run(start, 0)?;
    state.pay()?;
    let Some(end) = end else { return Ok(None) };
    let captures = state.captures.iter().map(|caught| match caught.length {
        Length::Known(length) => Capture::Part(caught.start..caught.start + length),
        Length::Place => Capture::Place(caught.start + 1),
        Length::Open => Capture::Open,
    });
    Ok(Some(Match { range: start..end, captures: captures.collect() }))
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Length {
    Open,
    Place,
    Known(usize),
}

#[derive(Clone, Copy, Debug)]
struct Caught {
    start: usize,
    length: Length,
}

struct State<'a, 's> {
    text: &'a [u8],
    pattern: &'a [u8],
    captures: Vec<Caught>,
    depth: u32,
    spend: &'s mut dyn FnMut(u64) -> bool,
    /// Steps taken but not yet charged.
    owed: u64,
}

/// Steps are charged in batches.
const HEAP: u64 = 64;

impl State<'_, '_> {
    fn pay(&mut self) -> Result<(), PatternError> {
        let owed = std::mem::take(&mut self.owed);
        if (self.spend)(owed) { Ok(()) } else { Err(PatternError::Steps) }
    }

    fn step(&mut self) -> Result<(), PatternError> {
        self.owed += 1;
        if self.owed >= HEAP { self.pay() } else { Ok(()) }
    }

    fn pattern_at(&self, at: usize) -> Option<u8> {
        self.pattern.get(at).copied()
    }

    /// Matches the pattern from `p` on at `s`. Returns the end of the match.
    fn run(&mut self, s: usize, p: usize) -> Result<Option<usize>, PatternError> {
        if self.depth == 0 {
            return PatternError::malformed("pattern too complex");
        }
        self.depth -= 1;
        let found = self.items(s, p);
        self.depth += 1;
        found
    }

    fn items(&mut self, mut s: usize, mut p: usize) -> Result<Option<usize>, PatternError> {
        loop {
            self.step()?;
            let Some(byte) = self.pattern_at(p) else { return Ok(Some(s)) };
            match byte {
                b'(' if self.pattern_at(p + 1) == Some(b')') => return self.open(s, p + 2, Length::Place),
                b'(' => return self.open(s, p + 1, Length::Open),
                b')' => return self.close(s, p + 1),
                b'$' if p + 1 == self.pattern.len() => return Ok((s == self.text.len()).then_some(s)),
                b'%' => match self.pattern_at(p + 1) {
                    Some(b'b') => {
                        let Some(end) = self.balance(s, p + 2)? else { return Ok(None) };
                        (s, p) = (end, p + 4);
                        continue;
                    }
                    Some(b'f') => {
                        p += 2;
                        if self.pattern_at(p) != Some(b'[') {
                            return PatternError::malformed("missing '[' after '%f' in pattern");
                        }
                        let end = self.class_end(p)?;
                        let before = if s == 0 { 0 } else { self.text[s - 1] };
                        let here = self.text.get(s).copied().unwrap_or(0);
                        if self.in_set(before, p, end - 1)? || !self.in_set(here, p, end - 1)? {
                            return Ok(None);
                        }
                        p = end;
                        continue;
                    }
                    Some(digit @ b'0'..=b'9') => {
                        let Some(end) = self.again(s, digit)? else { return Ok(None) };
                        (s, p) = (end, p + 2);
                        continue;
                    }
                    _ => {}
                },
                _ => {}
            }
            let end = self.class_end(p)?;
            let single = self.single(s, p, end)?;
            match self.pattern_at(end) {
                // Zero repetitions suffice; no recursion is needed.
                Some(b'?' | b'*' | b'-') if !single => p = end + 1,
                Some(b'?') => {
                    if let Some(found) = self.run(s + 1, end + 1)? {
                        return Ok(Some(found));
                    }
                    p = end + 1;
                }
                Some(b'+') => return if single { self.most(s + 1, p, end) } else { Ok(None) },
                Some(b'*') => return self.most(s, p, end),
                Some(b'-') => return self.fewest(s, p, end),
                _ if !single => return Ok(None),
                _ => (s, p) = (s + 1, end),
            }
        }
    }

    fn open(&mut self, s: usize, p: usize, length: Length) -> Result<Option<usize>, PatternError> {
        if self.captures.len() >= MAX_CAPTURES {
            return PatternError::malformed("too many captures");
        }
        let level = self.captures.len();
        self.captures.push(Caught { start: s, length });
        let found = self.run(s, p)?;
        if found.is_none() {
            self.captures.truncate(level);
        }
        Ok(found)
    }

    fn close(&mut self, s: usize, p: usize) -> Result<Option<usize>, PatternError> {
        let Some(level) = self.captures.iter().rposition(|caught| caught.length == Length::Open) else {
            return PatternError::malformed("invalid pattern capture");
        };
        let start = self.captures[level].start;
        self.captures[level].length = Length::Known(s - start);
        let found = self.run(s, p)?;
        if found.is_none()
            && let Some(caught) = self.captures.get_mut(level)
        {
            caught.length = Length::Open;
        }
        Ok(found)
    }

    /// Matches `%1`: the captured text again.
    fn again(&mut self, s: usize, digit: u8) -> Result<Option<usize>, PatternError> {
        let index = i32::from(digit) - i32::from(b'1');
        let caught = usize::try_from(index).ok().and_then(|index| self.captures.get(index)).copied();
        let known = match caught {
            Some(Caught { start, length: Length::Known(length) }) => start..start + length,
            // `()` has a length of -2 here, which is never within the text.
            Some(Caught { length: Length::Place, .. }) => return Ok(None),
            _ => return PatternError::malformed(format!("invalid capture index %{}", index + 1)),
        };
        self.owed += known.len() as u64 / 16;
        let end = s + known.len();
        Ok((self.text.get(s..end) == Some(&self.text[known])).then_some(end))
    }

    /// Matches `%bxy`: from x to the balancing y.
    fn balance(&mut self, s: usize, p: usize) -> Result<Option<usize>, PatternError> {
        let (Some(open), Some(close)) = (self.pattern_at(p), self.pattern_at(p + 1)) else {
            return PatternError::malformed("malformed pattern (missing arguments to '%b')");
        };
        if self.text.get(s) != Some(&open) {
            return Ok(None);
        }
        let mut depth = 1_usize;
        for at in s + 1..self.text.len() {
            self.step()?;
            let byte = self.text[at];
            if byte == close {
                depth -= 1;
                if depth == 0 {
                    return Ok(Some(at + 1));
                }
            } else if byte == open {
                depth += 1;
            }
        }
        Ok(None)
    }

    fn most(&mut self, s: usize, p: usize, end: usize) -> Result<Option<usize>, PatternError> {
        let mut count = 0;
        while self.single(s + count, p, end)? {
            count += 1;
        }
        loop {
            if let Some(found) = self.run(s + count, end + 1)? {
                return Ok(Some(found));
            }
            if count == 0 {
                return Ok(None);
            }
            count -= 1;
        }
    }

    fn fewest(&mut self, mut s: usize, p: usize, end: usize) -> Result<Option<usize>, PatternError> {
        loop {
            if let Some(found) = self.run(s, end + 1)? {
                return Ok(Some(found));
            }
            if !self.single(s, p, end)? {
                return Ok(None);
            }
            s += 1;
        }
    }

    /// Returns the end of the character class at `p`.
    fn class_end(&mut self, p: usize) -> Result<usize, PatternError> {
        let mut at = p + 1;
        match self.pattern_at(p) {
            Some(b'%') => {
                if self.pattern_at(at).is_none() {
                    return PatternError::malformed("malformed pattern (ends with '%')");
                }
                Ok(at + 1)
            }
            Some(b'[') => {
                if self.pattern_at(at) == Some(b'^') {
                    at += 1;
                }
                // The first `]` belongs to the set.
                loop {
                    self.step()?;
                    let Some(byte) = self.pattern_at(at) else {
                        return PatternError::malformed("malformed pattern (missing ']')");
                    };
                    at += 1;
                    if byte == b'%' {
                        at += 1;
                    }
                    if self.pattern_at(at) == Some(b']') {
                        return Ok(at + 1);
                    }
                }
            }
            _ => Ok(at),
        }
    }

    /// Returns true if the character at `s` is in the class from `p` to `end`.
    fn single(&mut self, s: usize, p: usize, end: usize) -> Result<bool, PatternError> {
        self.step()?;
        let Some(&byte) = self.text.get(s) else { return Ok(false) };
        match self.pattern_at(p) {
            Some(b'.') => Ok(true),
            Some(b'%') => Ok(self.pattern_at(p + 1).is_some_and(|class| in_class(byte, class))),
            Some(b'[') => self.in_set(byte, p, end - 1),
            letter => Ok(letter == Some(byte)),
        }
    }

    /// Returns true if `byte` is in the set from `[` at `p` to `]` at `last`.
    fn in_set(&mut self, byte: u8, p: usize, last: usize) -> Result<bool, PatternError> {
        let mut at = p;
        let mut within = true;
        if self.pattern_at(at + 1) == Some(b'^') {
            within = false;
            at += 1;
        }
        loop {
            at += 1;
            if at >= last {
                return Ok(!within);
            }
            self.step()?;
            let Some(letter) = self.pattern_at(at) else { return Ok(!within) };
            if letter == b'%' {
                at += 1;
                if self.pattern_at(at).is_some_and(|class| in_class(byte, class)) {
                    return Ok(within);
                }
            } else if self.pattern_at(at + 1) == Some(b'-') && at + 2 < last {
                at += 2;
                let high = self.pattern_at(at).unwrap_or(0);
                if (letter..=high).contains(&byte) {
                    return Ok(within);
                }
            } else if letter == byte {
                return Ok(within);
            }
        }
    }
}

/// Returns true if `byte` is in the class `%class` (`match_class`, in the C locale).
fn in_class(byte: u8, class: u8) -> bool {
    let found = match class.to_ascii_lowercase() {
        b'a' => byte.is_ascii_alphabetic(),
        b'c' => byte.is_ascii_control(),
        b'd' => byte.is_ascii_digit(),
        b'g' => byte.is_ascii_graphic(),
        b'l' => byte.is_ascii_lowercase(),
        b'p' => byte.is_ascii_punctuation(),
        b's' => byte.is_ascii_whitespace() || byte == 0x0b,
        b'u' => byte.is_ascii_uppercase(),
        b'w' => byte.is_ascii_alphanumeric(),
        b'x' => byte.is_ascii_hexdigit(),
        _ => return class == byte,
    };
    found != class.is_ascii_uppercase()
}
