//! Translates the scripts of NetHack 5 to the tree of des-files.
//!
//! The translation runs a script without dice. Tables, functions, sums and loops over known values are evaluated; a
//! draw becomes an expression of the level, and control flow that depends on one becomes control flow of the level:
//! `if percent(50)` an IF, `for i = 1, d(3)` a LOOP, a shuffled table an array with SHUFFLE. If something must be known
//! that depends on a draw of few values, such as the function in a drawn entry of a table, the statement is written
//! once for each value, in a SWITCH. If a variable gets different values in the branches of a draw, the rest of its
//! block is written in each branch.
//!
//! What a des-file cannot express, such as the number of squares in a selection, is reported with its place.

mod calls;
mod evaluate;
mod fields;
mod run;
mod selections;
#[cfg(test)]
mod tests;
mod things;
mod values;
mod work;

use std::collections::HashMap;

use splc_ir::catalog::Catalog;
use splc_ir::level::{Level, LevelKind};
use splc_ir::source::{Span, Spanned, Text};

use crate::tree::Chunk;

/// The result of a translation.
#[derive(Clone, Debug, PartialEq)]
pub struct Translated {
    /// The level, with the names of NetHack 5 and spans in the script.
    pub level: Level,
    /// Differences between the script and the level.
    pub notes: Vec<Note>,
}

/// A difference between a script and its translation.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Note {
    /// The span of its statement in the script.
    pub span: Span,
    /// A description.
    pub what: String,
    /// Set if no statement of the level comes from the statement of the script.
    pub lost: bool,
}

/// A construct without a counterpart in des-files.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Untranslatable {
    /// Its span in the script.
    pub span: Span,
    /// A description of the reason.
    pub what: String,
}

/// Translates the script `chunk` of the level `name`. `span` is that of the whole script.
///
/// # Errors
/// The first construct without a counterpart in des-files.
pub fn translate(chunk: &Chunk, name: &Text, span: Span, catalog: &Catalog) -> Result<Translated, Untranslatable> {
    let mut run = run::Run::new(catalog);
    run.chunk(&chunk.body)?;
    let (flags, body, notes) = run.finish(span)?;
    let level = Level {
        name: Spanned::new(name.clone(), Span::NOWHERE),
        kind: LevelKind::Script,
        flags: (!flags.is_empty()).then_some(flags),
        body,
        span,
    };
    Ok(Translated { level, notes })
}

/// The names of the variables of the level, by the place of the variable in the script.
#[derive(Debug, Default)]
struct Names {
    by_place: HashMap<(u32, &'static str), Text>,
    used: std::collections::HashSet<String>,
    /// The number of the next name with a letter, by the plain name.
    next: HashMap<String, u32>,
}

impl Names {
    /// Returns the name for the variable `base` declared at `span`.
    fn of(&mut self, base: &str, span: Span, kind: &'static str) -> Text {
        if let Some(known) = self.by_place.get(&(span.start, kind)) {
            return known.clone();
        }
        let name = self.another(base);
        self.by_place.insert((span.start, kind), name.clone());
        name
    }

    /// Returns a name like `base` that is not used yet.
    fn another(&mut self, base: &str) -> Text {
        let plain: String = base.chars().filter(|letter| letter.is_ascii_alphanumeric() || *letter == '_').collect();
        let plain = if plain.is_empty() { String::from("value") } else { plain.to_ascii_lowercase() };
        // Numbers in names end a name in some dialects, so letters are appended.
        let mut name = plain.clone();
        while !self.used.insert(name.clone()) {
            let next = self.next.entry(plain.clone()).or_default();
            name = format!("{plain}_{}", letters(*next));
            *next += 1;
        }
        Text::from(format!("${name}"))
    }
}

/// Returns `b`, `c`, ... `z`, `bb` and so on.
fn letters(number: u32) -> String {
    let mut text = String::new();
    let mut rest = number;
    loop {
        text.insert(0, char::from(b'b' + (rest % 25) as u8));
        rest /= 25;
        if rest == 0 {
            return text;
        }
        rest -= 1;
    }
}
