//! Levels as text for a terminal: the picture in the games' colours, the legend, and the loader's complaints.

use std::fmt::Write as _;

use anstyle::{AnsiColor, Style};
use splc_ir::catalog::Catalog;
use splc_ir::source::SourceMap;
use splc_ir::wording::visible;
use splc_picture::{Color, Entry, Layer, Picture, Square, legend_with_makers};
use splc_vm::{Arrival, Chronicle, Level, Maker, Place, Prepared, Remark};

use crate::width;

/// Most places of an entry that are all listed; of more than that, only the first [`FEW`] are listed.
const MANY: usize = 8;
const FEW: usize = 3;

/// Returns the terminal style for a game colour.
pub fn style(color: Color) -> Style {
    let color = match color {
        // Black would be invisible on a black terminal.
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

/// Appends `row` to `text` without trailing blanks, changing the style only where it differs.
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

/// Returns the picture of a level: 21 lines.
pub fn picture(picture: &Picture) -> String {
    let mut text = String::new();
    for row in picture.rows() {
        styled_row(&mut text, row.iter().map(|&square| (square.symbol, square_style(square))));
    }
    text
}

/// Returns a level with a title and a legend. `chronicle` has observed the run, and `line` returns the source line of a
/// step.
pub fn level(
    title: &str,
    level: &Level,
    catalog: &Catalog,
    chronicle: &Chronicle,
    line: impl Fn(usize) -> Option<String>,
) -> String {
    let mut text = String::new();
    let bold = Style::new().bold();
    let _ = writeln!(text, "{bold}{}{bold:#}", visible(title));
    text.push_str(&picture(&Picture::of(level, catalog)));
    for note in notes(level, chronicle) {
        let _ = write!(text, "{}", wrapped(&note, ""));
    }
    let mut subject = None;
    for entry in legend_with_makers(level, catalog, chronicle) {
        if subject != Some(entry.subject) {
            subject = Some(entry.subject);
            let _ = writeln!(text, "\n{bold}{}{bold:#}", entry.subject.name());
        }
        let head = format!("  {}  {}", entry.symbol, visible(&entry.what));
        let items = items(&entry, level, chronicle, &line);
        let joined = if items.is_empty() { head } else { format!("{head}: {}", items.join("; ")) };
        text.push_str(&wrapped(&joined, "      "));
    }
    let _ = writeln!(text, "\n{bold}arrivals{bold:#}");
    for arrival in arrivals(level) {
        text.push_str(&wrapped(&format!("     {arrival}"), "       "));
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

/// Returns notes on reading places: the positions of the maps, and whether the level was flipped.
fn notes(level: &Level, chronicle: &Chronicle) -> Vec<String> {
    let mut notes = Vec::new();
    if let Some(mirror) = level.mirror() {
        let what = match (mirror.left_to_right, mirror.top_to_bottom) {
            (true, true) => "horizontally and vertically",
            (true, false) => "horizontally",
            _ => "vertically",
        };
        notes.push(format!("The game flipped the level {what}."));
    }
    let corner = |&place: &Place| {
        let (x, y) = level.mirror().map_or(place, |mirror| mirror.place(place));
        format!("{x},{y}")
    };
    match chronicle.maps() {
        [] => {}
        [map] => notes.push(format!(
            "Places are (column,row) in the source and column,row in the level. (0,0) of the map is {}.",
            corner(map)
        )),
        maps => {
            let corners: Vec<String> = maps.iter().map(corner).collect();
            notes.push(format!(
                "Places are (column,row) in the source and column,row in the level. (0,0) of the maps is {}.",
                corners.join("; ")
            ));
        }
    }
    notes
}

/// Returns the places of an entry with their source lines; places of one statement share a line. If there are many,
/// only the first are listed.
fn items(entry: &Entry, level: &Level, chronicle: &Chronicle, line: &impl Fn(usize) -> Option<String>) -> Vec<String> {
    let line_of = |maker: &Option<Maker>| maker.and_then(|maker| line(maker.at));
    if entry.places.is_empty() {
        return entry.makers.first().and_then(line_of).into_iter().collect();
    }
    let mut items = Vec::new();
    if entry.places.len() > MANY {
        items.push(format!("{}, e.g.", entry.places.len()));
    }
    let shown = if entry.places.len() > MANY { FEW } else { entry.places.len() };
    let pairs: Vec<_> = entry.places.iter().zip(&entry.makers).take(shown).collect();
    for (at, (place, maker)) in pairs.iter().enumerate() {
        let mut item = match maker {
            Some(maker) => {
                let (x, y) = chronicle.as_written(**place, *maker, level);
                format!("({x},{y}) {},{}", place.0, place.1)
            }
            None => format!("{},{}", place.0, place.1),
        };
        let next = pairs.get(at + 1).map(|(_, maker)| line_of(maker));
        let own = line_of(maker);
        if next.as_ref() != Some(&own) {
            own.iter().for_each(|line| item.push_str(&format!(", {line}")));
        }
        match items.last_mut() {
            Some(last) if at == 0 => last.push_str(&format!(" {item}")),
            _ => items.push(item),
        }
    }
    items
}

/// Describes the places at which the hero arrives.
fn arrivals(level: &Level) -> Vec<String> {
    let stairs = level.stairs();
    let mut lines = Vec::new();
    let ways = [
        ("from above", [("stairs up", stairs.up), ("ladder up", stairs.ladder_up)], level.arrival_from_above()),
        ("from below", [("stairs down", stairs.down), ("ladder down", stairs.ladder_down)], level.arrival_from_below()),
    ];
    for (from, ways, region) in ways {
        let mut on: Vec<String> = Vec::new();
        for (what, (x, y)) in ways.into_iter().filter(|(_, place)| place.0 != 0) {
            on.push(format!("on the {what}, {x},{y}"));
        }
        let otherwise = if *region == Arrival::default() { "anywhere".to_owned() } else { area(region) };
        on.push(if on.is_empty() { otherwise } else { format!("by falling or teleporting, {otherwise}") });
        lines.push(format!("{from}: {}", on.join("; ")));
    }
    for branch in level.branches() {
        lines.push(format!("branch stairs, if the dungeon has any here: {}", area(branch)));
    }
    lines
}

/// Describes a region.
fn area(region: &Arrival) -> String {
    let corners = |[x1, y1, x2, y2]: [i32; 4]| format!("{x1},{y1} to {x2},{y2}");
    let within = if region.within[0] == 0 { "anywhere".to_owned() } else { format!("in {}", corners(region.within)) };
    if region.outside == [0; 4] { within } else { format!("{within}, but not in {}", corners(region.outside)) }
}

/// Wraps `text` into lines that fit the terminal. All but the first get `indent`.
fn wrapped(text: &str, indent: &str) -> String {
    splc_ir::wording::wrapped(text, width::output(), indent) + "\n"
}

/// Lists the loader's complaints. `place` returns the source place of the step with a number.
pub fn remarks(remarks: &[Remark], place: impl Fn(usize) -> String) -> String {
    let mut text = String::new();
    if remarks.is_empty() {
        return text;
    }
    let bold = Style::new().bold();
    let _ = writeln!(text, "\n{bold}messages of the loader{bold:#}");
    for remark in remarks {
        let times = if remark.count > 1 { format!(" ({} times)", remark.count) } else { String::new() };
        let _ = writeln!(text, "     {}: {}{times}", place(remark.at), remark.complaint.as_reported());
    }
    text
}

/// Returns the source place of the step with number `at`: file and line, or the number if there is no source.
pub fn place(program: &Prepared, at: usize, sources: &SourceMap) -> String {
    match program.span(at).filter(|span| !sources.text(*span).is_empty()) {
        Some(span) => {
            let (line, _) = sources.line_column(span.file, span.start);
            format!("{}:{line}", visible(&sources.get(span.file).name))
        }
        None => step(program, at),
    }
}

/// Returns the source line of the step with number `at`. The file is included unless it is the main one.
pub fn line(program: &Prepared, at: usize, sources: &SourceMap) -> Option<String> {
    let span = program.span(at).filter(|span| !sources.text(*span).is_empty())?;
    let (line, _) = sources.line_column(span.file, span.start);
    Some(match sources.main() {
        Some(main) if main.name != sources.get(span.file).name => {
            format!("{}:{line}", visible(&sources.get(span.file).name))
        }
        _ => format!("line {line}"),
    })
}

/// Describes the step with number `at`, for levels without source.
pub fn step(program: &Prepared, at: usize) -> String {
    match program.step(at) {
        Some(step) if step.is_statement() => format!("{} {at} ({})", step.noun(), step.name()),
        Some(step) => format!("{} {at}", step.noun()),
        None => "at the end".to_owned(),
    }
}
