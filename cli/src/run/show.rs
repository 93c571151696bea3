//! Levels as text for a terminal: the picture in the games' colours, the legend, the loader's complaints.

use std::fmt::Write as _;

use anstyle::{AnsiColor, Style};
use splc_ir::catalog::Catalog;
use splc_ir::source::SourceMap;
use splc_ir::wording::visible;
use splc_vm::{Color, Layer, Level, Loudness, Picture, Prepared, Remark, Square, legend};

/// Columns of a line of the legend.
const WIDTH: usize = 100;

/// How a colour of the games looks on a terminal.
pub fn style(color: Color) -> Style {
    let color = match color {
        // Black on black is nothing to see.
        Color::Black => AnsiColor::BrightBlack,
        Color::Red => AnsiColor::Red,
        Color::Green => AnsiColor::Green,
        Color::Brown => AnsiColor::Yellow,
        Color::Blue => AnsiColor::Blue,
        Color::Magenta => AnsiColor::Magenta,
        Color::Cyan => AnsiColor::Cyan,
        Color::Gray => AnsiColor::White,
        Color::Orange => AnsiColor::BrightRed,
        Color::BrightGreen => AnsiColor::BrightGreen,
        Color::Yellow => AnsiColor::BrightYellow,
        Color::BrightBlue => AnsiColor::BrightBlue,
        Color::BrightMagenta => AnsiColor::BrightMagenta,
        Color::BrightCyan => AnsiColor::BrightCyan,
        Color::White => AnsiColor::BrightWhite,
    };
    Style::new().fg_color(Some(color.into()))
}

fn square_style(square: Square) -> Style {
    let style = style(square.color);
    match square.layer {
        Layer::Monster => style.bold(),
        // An unlit floor is darker.
        Layer::Terrain if !square.lit && square.symbol == '.' => style.dimmed(),
        _ => style,
    }
}

/// Adds `row` to `text`, without blanks at its end, changing style only where it changes.
pub fn styled_row(text: &mut String, row: impl Iterator<Item = (char, Style)>) {
    let row: Vec<(char, Style)> = row.collect();
    let blank = |(symbol, style): &(char, Style)| *symbol == ' ' && style.get_bg_color().is_none();
    let end = row.iter().rposition(|square| !blank(square)).map_or(0, |last| last + 1);
    let mut current = Style::new();
    for &(symbol, style) in &row[..end] {
        if style != current && symbol != ' ' || style.get_bg_color() != current.get_bg_color() {
            let _ = write!(text, "{current:#}{style}");
            current = style;
        }
        text.push(symbol);
    }
    let _ = writeln!(text, "{current:#}");
}

/// The picture of a level: 21 lines.
pub fn picture(picture: &Picture) -> String {
    let mut text = String::new();
    for row in picture.rows() {
        styled_row(&mut text, row.iter().map(|&square| (square.symbol, square_style(square))));
    }
    text
}

/// A level with a title and a legend.
pub fn level(title: &str, level: &Level, catalog: &Catalog) -> String {
    let mut text = String::new();
    let bold = Style::new().bold();
    let _ = writeln!(text, "{bold}{}{bold:#}", visible(title));
    text.push_str(&picture(&Picture::of(level, catalog)));
    let mut subject = None;
    for entry in legend(level, catalog) {
        if subject != Some(entry.subject) {
            subject = Some(entry.subject);
            let _ = writeln!(text, "\n{bold}{}{bold:#}", entry.subject.name());
        }
        let mut line = format!("  {}  {}", entry.symbol, visible(&entry.what));
        let mut length = line.chars().count();
        for (at, (x, y)) in entry.places.iter().enumerate() {
            let place = format!("{} {x},{y}", if at == 0 { ":" } else { ";" });
            if length + place.len() > WIDTH {
                line.push_str(if at == 0 { ":\n      " } else { ";\n      " });
                length = 6;
            } else {
                line.push_str(&place[..2]);
                length += place.len();
            }
            line.push_str(&place[2..]);
        }
        let _ = writeln!(text, "{line}");
    }
    let messages: Vec<&str> = level.messages().collect();
    if !messages.is_empty() {
        let _ = writeln!(text, "\n{bold}on arrival{bold:#}");
        for message in messages {
            let _ = writeln!(text, "     {}", visible(message));
        }
    }
    text
}

/// What the loader complained about; `place` says where the step of a number comes from.
pub fn remarks(remarks: &[Remark], place: impl Fn(usize) -> String) -> String {
    let mut text = String::new();
    if remarks.is_empty() {
        return text;
    }
    let bold = Style::new().bold();
    let _ = writeln!(text, "\n{bold}remarks of the loader{bold:#}");
    for remark in remarks {
        let (loudness, words) = remark.complaint.text();
        let loudness = match loudness {
            Loudness::Impossible => "impossible: ",
            Loudness::Warning => "warning: ",
            Loudness::Silent => "",
        };
        let times = if remark.count > 1 { format!(" ({} times)", remark.count) } else { String::new() };
        let _ = writeln!(text, "     {}: {loudness}{words}{times}", place(remark.at));
    }
    text
}

/// Where the step of that number comes from: file and line, or the number if there is no source.
pub fn place(program: &Prepared, at: usize, sources: &SourceMap) -> String {
    match program.span(at).filter(|span| !sources.text(*span).is_empty()) {
        Some(span) => {
            let (line, _) = sources.line_column(span.file, span.start);
            format!("{}:{line}", visible(&sources.get(span.file).name))
        }
        None => step(program, at),
    }
}

/// What the step of that number is, for people who have no source.
pub fn step(program: &Prepared, at: usize) -> String {
    match program.step(at) {
        Some(step) if step.is_statement() => format!("{} {at} ({})", step.noun(), step.name()),
        Some(step) => format!("{} {at}", step.noun()),
        None => "at the end".to_owned(),
    }
}
