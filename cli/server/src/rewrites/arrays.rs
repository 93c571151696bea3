//! Registers of NetHack 3.4.3 in a file of a later game, as shuffled arrays.

use std::ops::Range;

use super::rewrite::Rewrite;
use crate::view::View;
use crate::words::{Kind, Word};

/// The statements that fill registers: the word of the registers, and the type of an array of their values.
const FILLED_BY: [(&str, &str, &str); 3] = [
    ("RANDOM_PLACES", "place", ""),
    ("RANDOM_OBJECTS", "object", "object: "),
    ("RANDOM_MONSTERS", "monster", "monster: "),
];

/// Returns the change of the registers at `range` into an array. The later games have no registers, so the front end
/// reads neither: only the words are known.
pub(super) fn of_registers(view: &View, range: &Range<usize>) -> Vec<Rewrite> {
    let (text, words) = (view.text(), view.words());
    let known = |word: &Word| FILLED_BY.iter().find(|(keyword, ..)| text.get(word.start..word.end) == Some(keyword));
    let is_sign = |at: usize, sign: u8| words.get(at).is_some_and(|word| word.kind == Kind::Sign(sign));
    let filled = |(at, word): (usize, &Word)| {
        let (_, register, ty) = known(word)?;
        let end = end_of_list(view, at + 2)?;
        let is_here = word.start <= range.start && range.start <= end;
        let list = text.get(words.get(at + 2)?.start..end)?;
        (is_here && is_sign(at + 1, b':')).then_some((at, *register, *ty, list, end))
    };
    let Some((at, register, ty, list, end)) =
        view.catalog().is_script().then(|| words.iter().enumerate().find_map(filled)).flatten()
    else {
        return Vec::new();
    };
    let name = format!("${register}");
    let is_taken =
        words.iter().any(|word| word.kind == Kind::Variable && text.get(word.start..word.end) == Some(&name));
    if is_taken {
        return Vec::new();
    }
    let mut edits = vec![(words[at].start..end, format!("{name} = {ty}{{ {list} }}\nSHUFFLE: {name}"))];
    for (at, word) in words.iter().enumerate().skip(at) {
        let of_word = text.get(word.start..word.end);
        // Each level has its own.
        if matches!(of_word, Some("LEVEL" | "MAZE")) {
            break;
        }
        if word.kind == Kind::Name && of_word == Some(register) && is_sign(at + 1, b'[') {
            edits.push((word.start..word.start, "$".to_owned()));
        }
    }
    vec![Rewrite::new("Turn the registers into a shuffled array", edits)]
}

/// Returns the end of the list of values that begins with the word `at`.
fn end_of_list(view: &View, at: usize) -> Option<usize> {
    let words = view.words();
    let mut depth = 0;
    let mut end = None;
    for word in words.get(at..)? {
        match word.kind {
            Kind::Sign(b'(') => depth += 1,
            Kind::Sign(b')') => depth -= 1,
            Kind::Sign(b',') | Kind::Number | Kind::Character | Kind::Text => {}
            _ => break,
        }
        end = Some(word.end);
    }
    end.filter(|_| depth == 0)
}
