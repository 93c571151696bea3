//! The language of NetHack 3.4.3: levels of maps, and levels of rooms.
//!
//! [`lexer`] splits the text like the game's own `lev_comp`. The grammar (`grammar.lalrpop`) covers single statements.
//! Their order is checked by `lower`, which assembles the statements into levels. So a misplaced statement is reported
//! by its name, and the statements after it are still read. `teach` turns unreadable text into advice.
//!
//! Source: NetHack 3.4.3, `util/lev_comp.l` and `util/lev_comp.y`.

pub mod lexer;
mod lower;
mod nesting;
mod teach;

#[allow(clippy::all, clippy::unwrap_used, missing_docs, unused)]
mod grammar {
    include!(concat!(env!("OUT_DIR"), "/nethack343/grammar.rs"));
}

use splc_ir::catalog::Catalog;
use splc_ir::diagnostic::Diagnostics;
use splc_ir::level::{Module, Trivia};
use splc_ir::reread;
use splc_ir::source::{Charset, FileId, SourceMap};

use crate::quotes::Quotes;

/// Reads the levels of `file`. Unreadable text is reported in `diagnostics` and omitted.
///
/// The levels are not yet checked: see [`splc_ir::check`].
pub fn parse(sources: &SourceMap, file: FileId, catalog: &Catalog, diagnostics: &mut Diagnostics) -> Module {
    let source = sources.get(file);
    let conflicts = |text: &str| reread::without_conflicts(text, file, "#");
    let quotes = |text: &str| crate::quotes::closed(text, file, |text| quotes(text, source.charset, catalog));
    reread::read(source, diagnostics, &[&conflicts, &quotes], |source, diagnostics| {
        let mut builder = lower::Builder::new(source, file, catalog, diagnostics);
        let tokens = lexer::Lexer::new(&source.text, source.charset, catalog);
        // The grammar recovers from every error except an unexpected end of input.
        if let Err(error) = grammar::FileParser::new().parse(&mut builder, tokens) {
            builder.failed(error);
        }
        builder.finish()
    })
}

/// Returns the quotes of a text.
fn quotes(text: &str, charset: Charset, catalog: &Catalog) -> Quotes {
    let mut quotes = Quotes::default();
    for (start, token, end) in lexer::Lexer::new(text, charset, catalog) {
        match token {
            lexer::Token::Text(value) if value.contains('\n') => quotes.long.push((start, end)),
            lexer::Token::Junk('"') => quotes.open += 1,
            _ => {}
        }
    }
    quotes
}

/// Returns true if `statement` can be read alone, in a level of maps or of rooms.
pub(crate) fn reads(statement: &str, catalog: &Catalog) -> bool {
    let map = "MAZE:\"x\",' '\nGEOMETRY:center,center\nMAP\n...\nENDMAP\n";
    let rooms = "LEVEL:\"x\"\nROOM:\"ordinary\",random,random,random,random\n";
    let whole = ["LEVEL", "MAZE"].iter().any(|word| statement.starts_with(word) && !statement.starts_with("MAZEWALK"));
    let frames = if whole { ["", ""] } else { [map, rooms] };
    // A GEOMETRY needs its map.
    let rest = if statement.starts_with("GEOMETRY") { "MAP\n...\nENDMAP\n" } else { "" };
    frames.iter().any(|frame| {
        let mut sources = SourceMap::new();
        let file = sources.add("", None, format!("{frame}{statement}\n{rest}").into_bytes());
        let source = sources.get(file);
        let mut diagnostics = Diagnostics::new();
        let mut builder = lower::Builder::new(source, file, catalog, &mut diagnostics).counting();
        let tokens = lexer::Lexer::new(&source.text, source.charset, catalog);
        let parsed = grammar::FileParser::new().parse(&mut builder, tokens);
        let _ = builder.finish();
        parsed.is_ok() && !diagnostics.iter().any(|known| known.code.is_unread())
    })
}

/// Returns the comments and blank lines of `file`.
pub fn trivia(sources: &SourceMap, file: FileId, catalog: &Catalog) -> Vec<Trivia> {
    let source = sources.get(file);
    let text = source.text.as_str();
    let tokens = lexer::Lexer::new(text, source.charset, catalog).flat_map(|(start, token, end)| match token {
        lexer::Token::Map(map) => crate::trivia::of_map(text, (start, end), map.rows.iter().copied()),
        _ => vec![(start, end)],
    });
    crate::trivia::between(text, file, tokens)
}
