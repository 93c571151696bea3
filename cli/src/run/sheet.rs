//! Levels and statistics as pictures: boards of coloured squares with a title, axes, and a legend or a colour scale.
//!
//! A [`Sheet`] is a grid of cells with one letter each, like a terminal. [`bitmap`](super::bitmap) writes it as PNG,
//! [`markup`](super::markup) as SVG and HTML, so that all formats show the same.

use splc_ir::catalog::Catalog;
use splc_picture::{Color, Layer, Picture, legend};
use splc_statistics::{Kind, Statistics};
use splc_vm::internals::index;
use splc_vm::{COLUMNS, Level, ROWS};

/// Cells per line: the row numbers, the squares, and a margin.
pub const WIDTH: usize = AXIS + COLUMNS as usize;
/// Cells before the first square.
const AXIS: usize = 4;
/// Most lines of a legend.
const MAX_LEGEND: usize = 60;
/// Cells of a colour scale.
const SCALE: usize = 30;

/// Red, green and blue.
pub type Rgb = [u8; 3];

/// The background colour.
pub const BACKGROUND: Rgb = [12, 12, 16];
const WHITE: Rgb = [255, 255, 255];
const FAINT: Rgb = [120, 120, 130];
const TEXT: Rgb = [205, 205, 205];

/// A letter with its colours.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cell {
    pub symbol: char,
    pub color: Rgb,
    pub ground: Rgb,
}

const BLANK: Cell = Cell { symbol: ' ', color: TEXT, ground: BACKGROUND };

/// A sequence of boards, one below the other.
#[derive(Default)]
pub struct Sheet {
    lines: Vec<[Cell; WIDTH]>,
    /// The title of the first board, for a heading.
    title: String,
    /// Number of levels on the sheet.
    levels: usize,
}

impl Sheet {
    /// Creates an empty sheet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Returns the number of levels.
    pub fn len(&self) -> usize {
        self.levels
    }

    /// Returns true if the sheet has no levels.
    pub fn is_empty(&self) -> bool {
        self.levels == 0
    }

    /// Returns the first title.
    pub fn title(&self) -> &str {
        &self.title
    }

    /// Returns the lines, each of [`WIDTH`] cells.
    pub fn lines(&self) -> &[[Cell; WIDTH]] {
        &self.lines
    }

    /// Adds a level with its legend.
    pub fn level(&mut self, title: &str, level: &Level, catalog: &Catalog) {
        let picture = Picture::of(level, catalog);
        self.begin(title);
        self.board(|x, y| {
            let Some(square) = picture.square(x, y) else { return BLANK };
            let terrain = level.terrain(x, y);
            let share = match () {
                () if terrain.is_wall() => 40,
                () if terrain.is_wall_or_stone() => 0,
                () if square.lit => 30,
                () => 14,
            };
            let ground = match square.layer {
                Layer::Monster => mix(rgb(square.color), 25),
                _ => mix(rgb(terrain.look().1), share),
            };
            Cell { symbol: square.symbol, color: rgb(square.color), ground }
        });
        let mut entries = Vec::new();
        for entry in legend(level, catalog) {
            let places: Vec<String> = entry.places.iter().map(|(x, y)| format!("{x},{y}")).collect();
            let places = if places.is_empty() { String::new() } else { format!(": {}", places.join("; ")) };
            entries.push(format!("{}  {}{places}", entry.symbol, entry.what));
        }
        let lines: Vec<String> = entries.iter().flat_map(|entry| wrapped(entry)).collect();
        for line in lines.iter().take(MAX_LEGEND) {
            self.text(line, TEXT);
        }
        if lines.len() > MAX_LEGEND {
            self.text(&format!("... and {} more lines", lines.len() - MAX_LEGEND), FAINT);
        }
    }

    /// Adds the statistics of a level: how often each square differs from its most common terrain, and below it the
    /// places of monsters, objects and traps.
    pub fn counts(&mut self, title: &str, statistics: &Statistics) {
        self.begin(title);
        self.text("how often a square differs from the terrain drawn", TEXT);
        let levels = statistics.levels().max(1) as f64;
        self.board(|x, y| {
            let (terrain, count) = statistics.most_common(x, y);
            let (symbol, color) = terrain.look();
            let others = 1.0 - f64::from(count) / levels;
            let ground = if others > 0.0 { heat(others) } else { BACKGROUND };
            Cell { symbol, color: if others > 0.0 { WHITE } else { rgb(color) }, ground }
        });
        self.scale("never", "always");
        let kinds = [Kind::Monster, Kind::Object, Kind::Gold, Kind::Trap].map(|kind| statistics.squares_of(kind));
        let things = |x, y| kinds.iter().map(|squares| u64::from(squares[index(x, y)])).sum::<u64>();
        let squares = (1..COLUMNS).flat_map(|x| (0..ROWS).map(move |y| (x, y)));
        let most = squares.map(|(x, y)| things(x, y)).max().unwrap_or(0).max(1) as f64;
        self.text("distribution of monsters, objects, gold and traps", TEXT);
        self.board(|x, y| {
            let (terrain, _) = statistics.most_common(x, y);
            let count = things(x, y);
            let ground = if count > 0 { heat(count as f64 / most) } else { BACKGROUND };
            Cell { symbol: terrain.look().0, color: [150, 150, 150], ground }
        });
        self.scale("none", &format!("{:.3} per level", most / levels));
    }

    fn begin(&mut self, title: &str) {
        if self.levels == 0 {
            title.clone_into(&mut self.title);
        } else {
            self.lines.push([BLANK; WIDTH]);
        }
        self.levels += 1;
        self.text(title, WHITE);
    }

    fn text(&mut self, text: &str, color: Rgb) {
        let mut line = [BLANK; WIDTH];
        for (cell, symbol) in line[1..].iter_mut().zip(text.chars()) {
            *cell = Cell { symbol, color, ground: BACKGROUND };
        }
        self.lines.push(line);
    }

    /// Adds the squares of a level, with column and row numbers.
    fn board(&mut self, square: impl Fn(i32, i32) -> Cell) {
        let mut axis = [BLANK; WIDTH];
        for x in (10..COLUMNS).step_by(10) {
            // The last digit is above its column.
            let place = AXIS + x as usize - 1;
            for (at, symbol) in x.to_string().chars().enumerate() {
                axis[place - 1 + at] = Cell { symbol, color: FAINT, ground: BACKGROUND };
            }
        }
        self.lines.push(axis);
        for y in 0..ROWS {
            let mut line = [BLANK; WIDTH];
            for (cell, symbol) in line.iter_mut().zip(format!("{y:>3}").chars()) {
                *cell = Cell { symbol, color: FAINT, ground: BACKGROUND };
            }
            for x in 1..COLUMNS {
                line[AXIS + x as usize - 1] = square(x, y);
            }
            self.lines.push(line);
        }
    }

    /// Adds the scale of a heat map.
    fn scale(&mut self, low: &str, high: &str) {
        let mut line = [BLANK; WIDTH];
        let low = low.chars().map(|symbol| Cell { symbol, ..BLANK });
        let bar = (1..=SCALE).map(|at| Cell { ground: heat(at as f64 / SCALE as f64), ..BLANK });
        let high = high.chars().map(|symbol| Cell { symbol, ..BLANK });
        let cells = low.chain([BLANK]).chain(bar).chain([BLANK]).chain(high);
        line[AXIS..].iter_mut().zip(cells).for_each(|(slot, cell)| *slot = cell);
        self.lines.push(line);
    }
}

/// Wraps `text` into lines that fit. All but the first are indented.
fn wrapped(text: &str) -> Vec<String> {
    const MOST: usize = WIDTH - 2;
    let mut lines: Vec<String> = Vec::new();
    let mut line = String::new();
    for word in text.split(' ') {
        if !line.is_empty() && line.chars().count() + 1 + word.chars().count() > MOST {
            lines.push(std::mem::replace(&mut line, "   ".to_owned()));
        }
        if !line.is_empty() || !lines.is_empty() || word.is_empty() {
            line.push(' ');
        }
        line.push_str(word);
    }
    lines.push(line);
    lines
}

/// Returns the RGB value of a game colour.
fn rgb(color: Color) -> Rgb {
    match color {
        Color::Black => [105, 105, 140],
        Color::Red => [205, 49, 49],
        Color::Green => [30, 160, 60],
        Color::Brown => [176, 118, 48],
        Color::Blue => [60, 110, 235],
        Color::Magenta => [188, 63, 188],
        Color::Cyan => [17, 168, 205],
        Color::Gray => [180, 180, 180],
        Color::Orange => [255, 130, 40],
        Color::BrightGreen => [80, 230, 120],
        Color::Yellow => [245, 225, 70],
        Color::BrightBlue => [110, 160, 255],
        Color::BrightMagenta => [235, 120, 235],
        Color::BrightCyan => [100, 230, 245],
        Color::White => WHITE,
    }
}

/// Blends a colour with the background; the share of the colour is in hundredths.
pub fn mix(color: Rgb, hundredths: u16) -> Rgb {
    blend(BACKGROUND, color, hundredths * 255 / 100)
}

/// Blends a colour with `ground`; the share of the colour is in parts of 255.
pub fn blend(ground: Rgb, color: Rgb, share: u16) -> Rgb {
    let mut mixed = ground;
    for (mixed, color) in mixed.iter_mut().zip(color) {
        *mixed = ((u32::from(*mixed) * u32::from(255 - share) + u32::from(color) * u32::from(share)) / 255) as u8;
    }
    mixed
}

/// Returns the colour for a heat from 0 (blue) through yellow to 1 (red).
fn heat(share: f64) -> Rgb {
    const RAMP: [[f64; 3]; 4] = [[20.0, 30.0, 110.0], [20.0, 130.0, 120.0], [215.0, 180.0, 40.0], [215.0, 40.0, 30.0]];
    let place = share.clamp(0.0, 1.0) * (RAMP.len() - 1) as f64;
    let below = (place as usize).min(RAMP.len() - 2);
    let rest = place - below as f64;
    let mut color = [0; 3];
    for (at, channel) in color.iter_mut().enumerate() {
        *channel = (RAMP[below][at] * (1.0 - rest) + RAMP[below + 1][at] * rest) as u8;
    }
    color
}
