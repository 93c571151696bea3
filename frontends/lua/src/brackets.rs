//! Finds the opening brackets of a script that have no closing bracket, by counting brackets and blocks alone.
//!
//! The parser needs them at a `;` or a line end inside brackets: what follows continues the list, or is the next
//! statement.

use splc_ir::diagnostic::Diagnostics;
use splc_ir::order::Order;
use splc_ir::source::FileId;

use crate::lexer::{Keyword, Lexer, Token};

const OPENING: [&str; 3] = ["(", "{", "["];
const CLOSING: [&str; 3] = [")", "}", "]"];

/// The brackets in a block that are open.
#[derive(Default)]
struct Open {
    /// The kind of each, as its index in [`OPENING`], and its offset.
    brackets: Vec<(usize, u32)>,
    /// The number of each kind.
    counts: [usize; 3],
}

/// Returns the offsets of the opening brackets that are not closed, in ascending order.
pub(super) fn unclosed(text: &str, file: FileId) -> Vec<u32> {
    let mut lexer = Lexer::new(text, file);
    let mut ignored = Diagnostics::new();
    let mut blocks = vec![Open::default()];
    let mut found = Vec::new();
    loop {
        let (token, span, _) = lexer.next(&mut ignored);
        match token {
            Token::Sign(sign) => {
                let Some(open) = blocks.last_mut() else { break };
                if let Some(kind) = OPENING.iter().position(|opening| *opening == sign) {
                    open.brackets.push((kind, span.start));
                    open.counts[kind] += 1;
                } else if let Some(kind) = CLOSING.iter().position(|closing| *closing == sign)
                    && open.counts[kind] > 0
                {
                    while let Some((last, at)) = open.brackets.pop() {
                        open.counts[last] -= 1;
                        if last == kind {
                            break;
                        }
                        found.push(at);
                    }
                }
            }
            Token::Keyword(Keyword::Function | Keyword::If | Keyword::Do | Keyword::Repeat) => {
                blocks.push(Open::default());
            }
            Token::Keyword(Keyword::End | Keyword::Until) if blocks.len() > 1 => {
                found.extend(blocks.pop().into_iter().flat_map(|open| open.brackets).map(|(_, at)| at));
            }
            Token::End => break,
            _ => {}
        }
    }
    found.extend(blocks.into_iter().flat_map(|open| open.brackets).map(|(_, at)| at));
    found.order();
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_end_of_a_block_leaves_its_brackets_open() {
        let of = |text: &str| unclosed(text, FileId(0));
        assert_eq!(of("f({ g(1), [2] = 3 })"), Vec::<u32>::new());
        assert_eq!(of("f({ g(1; h()"), [1, 2, 5]);
        assert_eq!(of("f(function() g(1; end)"), [14]);
        assert_eq!(of("f({ 1); g('(') -- ("), [2]);
        assert_eq!(of("for i = 1, 2 do f( end )"), [17]);
    }
}
