//! A level as wikitext for the NetHack wiki.
//!
//! The wiki shows screens of the game in a `<div class="ttyscreen">`, with a template for each of the terminal's
//! sixteen colours and `<br>` between the lines. The names of the templates and the characters that need an entity are
//! those of the terminal emulator by the wiki's founder (`getcellspan_wiki` in naoterm).

use std::fmt::Write as _;

use splc_ir::catalog::Catalog;
use splc_picture::{Color, Picture, legend};
use splc_vm::Level;

use super::sheet::{grouped, used};

/// Returns the template of a colour.
fn template(color: Color) -> &'static str {
    match color {
        // Black would be invisible on the wiki's black screens.
        Color::Black => "darkgray",
        Color::Red => "red",
        Color::Green => "green",
        Color::Brown => "brown",
        Color::Blue => "blue",
        Color::Magenta => "magenta",
        Color::Cyan => "cyan",
        Color::Gray => "lightgray",
        Color::Orange => "orange",
        Color::BrightGreen => "brightgreen",
        Color::Yellow => "yellow",
        Color::BrightBlue => "brightblue",
        Color::BrightMagenta => "brightmagenta",
        Color::BrightCyan => "brightcyan",
        Color::White => "white",
    }
}

/// Appends a character. All but letters, digits and harmless punctuation could be markup.
fn escaped(text: &mut String, symbol: char) {
    match symbol {
        symbol if symbol.is_alphanumeric() => text.push(symbol),
        '.' | ',' | '(' | ')' | '/' | '-' | '+' | '%' | '$' | '?' | '@' | '^' | '\\' => text.push(symbol),
        '\u{A0}' => text.push_str("&nbsp;"),
        symbol if symbol.is_control() => text.push('\u{FFFD}'),
        symbol => {
            let _ = write!(text, "&#{};", u32::from(symbol));
        }
    }
}

/// Appends words that do not begin a line. Blanks and colons between them stay.
fn words(text: &mut String, words: &str) {
    for symbol in words.chars() {
        if matches!(symbol, ' ' | ':') { text.push(symbol) } else { escaped(text, symbol) }
    }
}

/// Renders the used part of a level, and below it a list of its contents.
pub fn level(title: &str, level: &Level, catalog: &Catalog) -> String {
    let picture = Picture::of(level, catalog);
    let [x1, y1, x2, y2] = used(level, &picture);
    let mut text = String::from("'''");
    words(&mut text, title);
    text.push_str("'''\n<div class=\"ttyscreen\">");
    for y in y1..=y2 {
        if y > y1 {
            text.push_str("<br>\n");
        }
        let row: Vec<(char, Color)> = (x1..=x2)
            .map(|x| picture.square(x, y).map_or((' ', Color::Gray), |square| (square.symbol, square.color)))
            .collect();
        let end = row.iter().rposition(|(symbol, _)| *symbol != ' ').map_or(0, |at| at + 1);
        // The colour of a blank does not matter.
        let mut current = None;
        for &(symbol, color) in &row[..end] {
            if symbol != ' ' && current != Some(color) || current.is_none() {
                if current.is_some() {
                    text.push_str("}}");
                }
                let _ = write!(text, "{{{{{}|", template(color));
                current = Some(color);
            }
            escaped(&mut text, if symbol == ' ' { '\u{A0}' } else { symbol });
        }
        if current.is_some() {
            text.push_str("}}");
        }
    }
    text.push_str("</div>\n");
    let mut subject = None;
    for entry in grouped(legend(level, catalog)) {
        if subject != Some(entry.subject) {
            subject = Some(entry.subject);
            let _ = write!(text, "\n;{}\n", entry.subject.name());
        }
        let shown = entry.places.first().and_then(|&(x, y)| picture.square(x, y));
        let color = shown.filter(|square| square.symbol == entry.symbol).map_or(Color::Gray, |square| square.color);
        text.push_str("* ");
        if entry.symbol != ' ' {
            let _ = write!(text, "{{{{{}|", template(color));
            escaped(&mut text, entry.symbol);
            text.push_str("}} ");
        }
        words(&mut text, &entry.what);
        if entry.places.len() > 1 {
            let _ = write!(text, " ({})", entry.places.len());
        }
        text.push('\n');
    }
    text
}
