//! The order in which a level compiler writes the parts of level files.
//!
//! A structure can be read from its declaration, but the bytes of a level file also depend on the functions that write
//! it. Their calls of `write` are listed here, so that an import can compare them with those that splc knows.

use crate::TreeError;
use crate::Written;
use crate::evaluate::{Constants, Unknown, evaluate};
use crate::preprocessor::Preprocessor;
use crate::squares::body_of;
use crate::tokens::{Kind, Token};

/// Functions that write level files (`util/lev_main.c`).
const WRITERS: &[&str] =
    &["write_common_data", "write_monsters", "write_objects", "write_engravings", "write_maze", "write_rooms"];

/// Macros that pack several numbers into one (`include/sp_lev.h`), called with numbers that fit all of them.
pub const PACKING: &[&str] = &[
    "SP_COORD_PACK(3, 5)",
    "SP_REGION_PACK(3, 5, 7, 9)",
    "SP_MONST_PACK(300, 65)",
    "SP_OBJ_PACK(300, 65)",
    "SP_MAPCHAR_PACK(20, 1)",
];

/// Returns the names of what each function writes, in order.
pub fn writes(output: &[Token]) -> Vec<Written> {
    let written = |function: &&'static str| {
        let body = body_of(output, function)?;
        let calls = body
            .iter()
            .enumerate()
            .filter(|(at, token)| token.names("write") && body.get(at + 1).is_some_and(|next| next.is("(")));
        Some(Written { function, names: calls.filter_map(|(at, _)| written_by(&body[at + 2..])).collect() })
    };
    WRITERS.iter().filter_map(written).collect()
}

/// Returns the name of the second argument of a call whose arguments begin `tokens`: of `&(pt->nloc)`, it is `nloc`.
fn written_by(tokens: &[Token]) -> Option<String> {
    let mut depth = 0_i32;
    let mut arguments = tokens.split(|token| {
        depth += i32::from(token.is("(") || token.is("[")) - i32::from(token.is(")") || token.is("]"));
        depth == 0 && token.is(",")
    });
    let argument = arguments.nth(1)?;
    let arrow = argument.iter().rposition(|token| token.is("->"));
    let rest = &argument[arrow.map_or(0, |at| at + 1)..];
    let end = rest.iter().position(|token| token.is("[")).unwrap_or(rest.len());
    let mut names = rest[..end].iter().filter(|token| token.kind == Kind::Identifier);
    let name = if arrow.is_some() { names.next() } else { names.next_back() };
    name.map(|name| name.text.to_string())
}

/// Returns the values of the macros of [`PACKING`] that the tree has.
pub fn packing(
    preprocessor: &mut Preprocessor<'_, '_>,
    constants: &Constants,
) -> Result<Vec<(&'static str, i64)>, TreeError> {
    let mut values = Vec::new();
    for call in PACKING {
        let expanded = preprocessor.expand_text(call, 0, 0)?;
        values.extend(evaluate(&expanded, constants, Unknown::Fails).map(|value| (*call, value)));
    }
    Ok(values)
}
