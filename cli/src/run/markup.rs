//! A [`Sheet`] as SVG and as an HTML page. Letters stay text, which can be searched and copied.

use std::fmt::Write as _;

use super::sheet::{Cell, Rgb, Sheet};

/// Size of a cell in SVG units.
const CELL_WIDTH: usize = 10;
const CELL_HEIGHT: usize = 18;
/// Distance from the top of a cell to the baseline of its letter.
const BASELINE: usize = 14;

/// Formats a colour as `#rrggbb`.
fn hex([red, green, blue]: Rgb) -> String {
    format!("#{red:02x}{green:02x}{blue:02x}")
}

/// Escapes a character for XML or HTML.
fn escaped(symbol: char) -> String {
    match symbol {
        '&' => "&amp;".to_owned(),
        '<' => "&lt;".to_owned(),
        '>' => "&gt;".to_owned(),
        '"' => "&quot;".to_owned(),
        // Neither format allows control characters.
        symbol if symbol.is_control() => "\u{FFFD}".to_owned(),
        symbol => symbol.to_string(),
    }
}

/// Groups adjacent cells of a line with the same `key`. Returns the column and the cells of each group.
fn stretches<K: PartialEq>(line: &[Cell], key: impl Fn(&Cell) -> K) -> Vec<(usize, &[Cell])> {
    let mut column = 0;
    line.chunk_by(|one, other| key(one) == key(other))
        .map(|cells| {
            column += cells.len();
            (column - cells.len(), cells)
        })
        .collect()
}

/// Returns the lines of a wall from the middle of its cell to the neighbours in `joined`. Lines to the left and up come
/// from those cells, unless there is a door.
fn wall(joined: u8, column: usize, top: usize) -> impl Iterator<Item = String> {
    let (x, y) = (column * CELL_WIDTH + CELL_WIDTH / 2, top + CELL_HEIGHT / 2);
    let (across, down) = ((CELL_WIDTH / 2) as i32, (CELL_HEIGHT / 2) as i32);
    let ends = [(0, -down), (across, 0), (0, down), (-across, 0)];
    let sides = (0..4).filter(move |side| joined & 1 << side != 0).map(move |side: usize| ends[side]);
    sides.map(move |(right, below)| format!("M{x} {y}l{right} {below}"))
}

/// Renders the sheet as SVG.
pub fn svg(sheet: &Sheet) -> String {
    let background = sheet.background();
    let (width, height) = (sheet.width() * CELL_WIDTH, sheet.lines().len() * CELL_HEIGHT);
    let mut text = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" \
         height=\"{height}\" font-family=\"monospace\" font-size=\"15\" role=\"img\">\n<title>{}</title>\n\
         <rect width=\"{width}\" height=\"{height}\" fill=\"{}\"/>\n",
        sheet.title().chars().map(escaped).collect::<String>(),
        hex(background)
    );
    for (at, line) in sheet.lines().iter().enumerate() {
        let top = at * CELL_HEIGHT;
        for (column, cells) in stretches(line, |cell| cell.ground) {
            if cells[0].ground != background {
                let (x, width) = (column * CELL_WIDTH, cells.len() * CELL_WIDTH);
                let fill = hex(cells[0].ground);
                let _ = writeln!(
                    text,
                    "<rect x=\"{x}\" y=\"{top}\" width=\"{width}\" height=\"{CELL_HEIGHT}\" fill=\"{fill}\"/>"
                );
            }
        }
        for (column, cells) in stretches(line, |cell| (cell.color, cell.joined != 0)) {
            if cells[0].joined != 0 {
                let ends = cells.iter().zip(column..).flat_map(|(cell, column)| wall(cell.joined, column, top));
                let (path, stroke) = (ends.collect::<String>(), hex(cells[0].color));
                let _ = writeln!(text, "<path d=\"{path}\" fill=\"none\" stroke=\"{stroke}\" stroke-width=\"2\"/>");
            }
        }
        for (cell, column) in line.iter().zip(0..) {
            if let Some(mark) = cell.mark {
                let (x, y, fill) = (column * CELL_WIDTH + 1, top + CELL_HEIGHT - 3, hex(mark));
                let width = CELL_WIDTH - 2;
                let _ = writeln!(text, "<rect x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"2\" fill=\"{fill}\"/>");
            }
        }
        for (column, cells) in stretches(line, |cell| (cell.color, cell.symbol == ' ' || cell.joined != 0)) {
            if cells[0].symbol == ' ' || cells[0].joined != 0 {
                continue;
            }
            // Each letter has an explicit position, independent of the font.
            let places: Vec<String> =
                (column..column + cells.len()).map(|column| (column * CELL_WIDTH).to_string()).collect();
            let letters: String = cells.iter().map(|cell| escaped(cell.symbol)).collect();
            let (places, y, fill) = (places.join(" "), top + BASELINE, hex(cells[0].color));
            let _ = writeln!(text, "<text x=\"{places}\" y=\"{y}\" fill=\"{fill}\">{letters}</text>");
        }
    }
    text.push_str("</svg>\n");
    text
}

/// Renders the sheet as an HTML page.
pub fn html(sheet: &Sheet) -> String {
    let title: String = sheet.title().chars().map(escaped).collect();
    let background = sheet.background();
    let ground = hex(background);
    let mut text = format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<title>{title}</title>\n<style>\n\
         body {{ background: {ground}; }}\nu {{ text-decoration: underline 2px; }}\npre {{ font: 15px/1.2 monospace; }}\n</style>\n</head>\n<body>\n<pre>\n"
    );
    for line in sheet.lines() {
        let end = line.iter().rposition(|cell| cell.symbol != ' ' || cell.ground != background).map_or(0, |at| at + 1);
        for (_, cells) in stretches(&line[..end], |cell| (cell.color, cell.ground, cell.mark)) {
            let letters: String = cells.iter().map(|cell| escaped(cell.letter())).collect();
            let (color, ground) = (hex(cells[0].color), cells[0].ground);
            let ground = if ground == background { String::new() } else { format!(";background:{}", hex(ground)) };
            let _ = match cells[0].mark {
                Some(mark) => {
                    let mark = hex(mark);
                    write!(
                        text,
                        "<u style=\"color:{color}{ground};text-decoration-color:{mark}\" title=\"trap\">{letters}</u>"
                    )
                }
                None => write!(text, "<span style=\"color:{color}{ground}\">{letters}</span>"),
            };
        }
        text.push('\n');
    }
    text.push_str("</pre>\n</body>\n</html>\n");
    text
}
