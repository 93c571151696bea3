//! Levels and statistics as pictures: boards of coloured squares with a title, axes, and a legend or a colour scale.
//!
//! A [`Sheet`] is a grid of cells with one letter each, like a terminal. [`bitmap`](super::bitmap) writes it as PNG,
//! [`markup`](super::markup) as SVG and HTML, so that all formats show the same. A level is cropped to the part that it
//! uses. Its walls are lines, and a trap under something else is a mark below it.

use clap::ValueEnum;
use splc_ir::catalog::Catalog;
use splc_picture::{Color, Entry, Layer, Picture, Subject, legend, terrain_look};
use splc_statistics::{Kind, Statistics};
use splc_vm::internals::{FIRST_ROOM_NUMBER, index};
use splc_vm::{COLUMNS, Level, ROWS, Terrain};

/// Cells per line: the row numbers, the squares, and a margin.
pub const WIDTH: usize = AXIS + COLUMNS as usize;
/// Cells before the first square.
const AXIS: usize = 4;
/// Least number of cells per line for titles and legends.
const LEAST_WIDTH: usize = 60;
/// Squares around the part of a level that is shown.
const MARGIN: i32 = 1;
/// Piles of gold that the legend lists one by one.
const FEW_PILES: usize = 3;
/// Most lines of a legend.
const MAX_LEGEND: usize = 60;
/// Cells of a colour scale.
const SCALE: usize = 30;

/// Red, green and blue.
pub type Rgb = [u8; 3];

/// The colours of a picture.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum Theme {
    /// Light letters on a dark ground, as in a terminal
    #[default]
    Dark,
    /// Dark letters on a light ground, as on paper
    Light,
}

/// The colours of a theme.
#[derive(Debug)]
struct Palette {
    background: Rgb,
    /// Titles.
    strong: Rgb,
    text: Rgb,
    /// Axes.
    faint: Rgb,
    /// The game's colours, in the order of [`Color::ALL`].
    colors: [Rgb; 15],
    /// Heat from 0 to 1.
    heat: [Rgb; 4],
    /// The ground of a marked square.
    marked: Rgb,
    /// Hundredths of the terrain's colour on the ground of a lit square, and of a dark one.
    ground: [u16; 2],
    /// Tints of rooms: hues that people with any colour vision can tell apart.
    rooms: [Rgb; 6],
    /// Hundredths of the tint on the ground of a room.
    tint: u16,
}

/// Hues that people with any colour vision can tell apart differ in lightness too.
static DARK: Palette = Palette {
    background: [12, 12, 16],
    strong: [255, 255, 255],
    text: [205, 205, 205],
    faint: [120, 120, 130],
    colors: [
        [105, 105, 140],
        [205, 49, 49],
        [30, 160, 60],
        [176, 118, 48],
        [60, 110, 235],
        [188, 63, 188],
        [17, 168, 205],
        [180, 180, 180],
        [255, 130, 40],
        [80, 230, 120],
        [245, 225, 70],
        [110, 160, 255],
        [235, 120, 235],
        [100, 230, 245],
        [255, 255, 255],
    ],
    heat: [[20, 30, 110], [20, 130, 120], [215, 180, 40], [215, 40, 30]],
    marked: [120, 80, 0],
    ground: [30, 14],
    rooms: [[0, 114, 178], [230, 159, 0], [0, 158, 115], [204, 121, 167], [86, 180, 233], [213, 94, 0]],
    tint: 22,
};

static LIGHT: Palette = Palette {
    background: [255, 255, 255],
    strong: [10, 10, 20],
    text: [50, 50, 60],
    faint: [130, 130, 140],
    colors: [
        [40, 40, 90],
        [175, 20, 20],
        [10, 105, 40],
        [120, 70, 10],
        [25, 70, 190],
        [135, 20, 135],
        [0, 100, 130],
        [90, 90, 90],
        [190, 80, 0],
        [20, 125, 50],
        [130, 105, 0],
        [50, 95, 205],
        [165, 45, 165],
        [0, 115, 135],
        [20, 20, 30],
    ],
    heat: [[205, 215, 250], [150, 215, 200], [245, 205, 80], [235, 95, 75]],
    marked: [255, 225, 130],
    ground: [8, 30],
    rooms: [[0, 114, 178], [230, 159, 0], [0, 158, 115], [204, 121, 167], [86, 180, 233], [213, 94, 0]],
    tint: 16,
};

/// A letter with its colours.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cell {
    pub symbol: char,
    pub color: Rgb,
    pub ground: Rgb,
    /// Neighbours that a wall is joined to: bit 0 above, 1 right, 2 below, 3 left. 0: the symbol is drawn.
    pub joined: u8,
    /// Colour of a mark below the symbol.
    pub mark: Option<Rgb>,
}

impl Cell {
    /// Returns the symbol, or the line-drawing character of a wall.
    pub fn letter(&self) -> char {
        const LINES: [char; 16] = [' ', '╵', '╶', '└', '╷', '│', '┌', '├', '╴', '┘', '─', '┴', '┐', '┤', '┬', '┼'];
        if self.joined == 0 { self.symbol } else { LINES[usize::from(self.joined & 15)] }
    }
}

/// A sequence of boards, one below the other.
#[derive(Default)]
pub struct Sheet {
    lines: Vec<[Cell; WIDTH]>,
    /// The title of the first board, for a heading.
    title: String,
    /// Number of levels on the sheet.
    levels: usize,
    theme: Theme,
    /// Cells per line in use.
    width: usize,
}

impl Sheet {
    /// Creates an empty sheet on a dark ground.
    pub fn new() -> Self {
        Self::default()
    }

    /// Creates an empty sheet in the colours of `theme`.
    pub fn with_theme(theme: Theme) -> Self {
        Sheet { theme, ..Self::default() }
    }

    /// Returns the number of cells per line in use.
    pub fn width(&self) -> usize {
        self.width
    }

    /// Returns the background colour.
    pub fn background(&self) -> Rgb {
        self.palette().background
    }

    fn palette(&self) -> &'static Palette {
        match self.theme {
            Theme::Dark => &DARK,
            Theme::Light => &LIGHT,
        }
    }

    fn blank(&self) -> Cell {
        let Palette { text, background, .. } = *self.palette();
        Cell { symbol: ' ', color: text, ground: background, joined: 0, mark: None }
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
        let palette = self.palette();
        let blank = self.blank();
        let shown = used(level, &picture);
        self.begin(title);
        self.board(shown, |x, y| {
            let Some(square) = picture.square(x, y) else { return blank };
            let terrain = level.terrain(x, y);
            let [lit, dark] = palette.ground;
            let share = match square.lit {
                _ if terrain.is_wall_or_stone() => 0,
                true => lit,
                false => dark,
            };
            let color = rgb(palette, square.color);
            let ground = match square.layer {
                Layer::Monster => mix(palette, color, 25),
                _ => mix(palette, rgb(palette, terrain_look(terrain, catalog).1), share),
            };
            let room = usize::try_from(level.room_number(x, y) - FIRST_ROOM_NUMBER);
            let ground = match room {
                Ok(room) if share > 0 => blend(ground, tint(palette, room), palette.tint * 255 / 100),
                _ => ground,
            };
            let hidden = matches!(square.layer, Layer::Monster | Layer::Object)
                && level.traps().iter().any(|trap| (trap.x, trap.y) == (x, y));
            Cell {
                symbol: square.symbol,
                color,
                ground,
                joined: joined(level, &picture, x, y),
                mark: hidden.then(|| rgb(palette, Color::BrightMagenta)),
            }
        });
        let mut lines: Vec<(String, Rgb, Option<usize>)> = Vec::new();
        let (mut subject, mut room) = (None, 0);
        for entry in grouped(legend(level, catalog)) {
            if subject != Some(entry.subject) {
                subject = Some(entry.subject);
                lines.push((entry.subject.name().to_owned(), palette.strong, None));
            }
            // Rooms are listed by their numbers, before the rooms within them.
            let swatch = (entry.subject == Subject::Rooms && room < level.rooms().len()).then_some(room);
            room += usize::from(swatch.is_some());
            let places: Vec<String> = entry.places.iter().map(|(x, y)| format!("{x},{y}")).collect();
            let places = if places.is_empty() { String::new() } else { format!(": {}", places.join("; ")) };
            let text = format!("{}  {}{places}", entry.symbol, entry.what);
            let wrapped = wrapped(&text, self.width.max(LEAST_WIDTH)).into_iter().enumerate();
            lines.extend(wrapped.map(|(at, line)| (line, palette.text, swatch.filter(|_| at == 0))));
        }
        for (line, color, swatch) in lines.iter().take(MAX_LEGEND) {
            self.text(line, *color);
            if let (Some(room), Some(line)) = (swatch, self.lines.last_mut()) {
                line[1].ground = mix(palette, tint(palette, *room), 100.min(palette.tint * 3));
            }
        }
        if lines.len() > MAX_LEGEND {
            self.text(&format!("... and {} more lines", lines.len() - MAX_LEGEND), palette.faint);
        }
    }

    /// Adds a level without a legend, with some squares marked.
    pub fn marked(&mut self, title: &str, picture: &Picture, is_marked: &dyn Fn(i32, i32) -> bool) {
        let (palette, blank) = (self.palette(), self.blank());
        self.begin(title);
        self.board(WHOLE, |x, y| {
            let Some(square) = picture.square(x, y) else { return blank };
            let ground = if is_marked(x, y) { palette.marked } else { blank.ground };
            Cell { symbol: square.symbol, color: rgb(palette, square.color), ground, ..blank }
        });
    }

    /// Adds the statistics of a level: how often each square differs from its most common terrain, and below it the
    /// places of monsters, objects and traps.
    pub fn counts(&mut self, title: &str, statistics: &Statistics, catalog: &Catalog) {
        let palette = self.palette();
        let blank = self.blank();
        self.begin(title);
        self.text("how often a square differs from the terrain drawn", palette.text);
        let levels = statistics.levels().max(1) as f64;
        self.board(WHOLE, |x, y| {
            let (terrain, count) = statistics.most_common(x, y);
            let (symbol, color) = terrain_look(terrain, catalog);
            let others = 1.0 - f64::from(count) / levels;
            if others > 0.0 {
                return Cell { symbol, color: palette.strong, ground: heat(palette, others), ..blank };
            }
            Cell { symbol, color: rgb(palette, color), ..blank }
        });
        self.scale("never", "always");
        let kinds = [Kind::Monster, Kind::Object, Kind::Gold, Kind::Trap].map(|kind| statistics.squares_of(kind));
        let things = |x, y| kinds.iter().map(|squares| u64::from(squares[index(x, y)])).sum::<u64>();
        let squares = (1..COLUMNS).flat_map(|x| (0..ROWS).map(move |y| (x, y)));
        let most = squares.map(|(x, y)| things(x, y)).max().unwrap_or(0).max(1) as f64;
        self.text("distribution of monsters, objects, gold and traps", palette.text);
        self.board(WHOLE, |x, y| {
            let (terrain, _) = statistics.most_common(x, y);
            let count = things(x, y);
            let ground = if count > 0 { heat(palette, count as f64 / most) } else { blank.ground };
            Cell { symbol: terrain_look(terrain, catalog).0, color: palette.faint, ground, ..blank }
        });
        self.scale("none", &format!("{:.3} per level", most / levels));
    }

    fn begin(&mut self, title: &str) {
        if self.levels == 0 {
            title.clone_into(&mut self.title);
        } else {
            self.lines.push([self.blank(); WIDTH]);
        }
        self.levels += 1;
        self.text(title, self.palette().strong);
    }

    fn text(&mut self, text: &str, color: Rgb) {
        let blank = self.blank();
        let mut line = [blank; WIDTH];
        for (cell, symbol) in line[1..].iter_mut().zip(text.chars()) {
            *cell = Cell { symbol, color, ..blank };
        }
        self.width = self.width.max((text.chars().count() + 2).min(WIDTH));
        self.lines.push(line);
    }

    /// Adds the squares of a level between two corners, with column and row numbers.
    fn board(&mut self, [x1, y1, x2, y2]: [i32; 4], square: impl Fn(i32, i32) -> Cell) {
        let blank = Cell { color: self.palette().faint, ..self.blank() };
        let mut axis = [blank; WIDTH];
        for x in (x1..=x2).filter(|x| x % 10 == 0) {
            // The last digit is above its column.
            let place = AXIS + (x - x1) as usize;
            for (at, symbol) in x.to_string().chars().enumerate() {
                axis[place - 1 + at].symbol = symbol;
            }
        }
        self.lines.push(axis);
        for y in y1..=y2 {
            let mut line = [blank; WIDTH];
            for (cell, symbol) in line.iter_mut().zip(format!("{y:>3}").chars()) {
                cell.symbol = symbol;
            }
            for (cell, x) in line[AXIS..].iter_mut().zip(x1..=x2) {
                *cell = square(x, y);
            }
            self.lines.push(line);
        }
        self.width = self.width.max(AXIS + (x2 - x1 + 1) as usize);
    }

    /// Adds the scale of a heat map.
    fn scale(&mut self, low: &str, high: &str) {
        let (blank, palette) = (self.blank(), self.palette());
        let mut line = [blank; WIDTH];
        let low = low.chars().map(|symbol| Cell { symbol, ..blank });
        let bar = (1..=SCALE).map(|at| Cell { ground: heat(palette, at as f64 / SCALE as f64), ..blank });
        let high = high.chars().map(|symbol| Cell { symbol, ..blank });
        let cells = low.chain([blank]).chain(bar).chain([blank]).chain(high);
        line[AXIS..].iter_mut().zip(cells).for_each(|(slot, cell)| *slot = cell);
        self.lines.push(line);
    }
}

/// All squares of a level.
const WHOLE: [i32; 4] = [1, 0, COLUMNS - 1, ROWS - 1];

/// Returns the corners of the part of a level that is not rock, with a margin.
pub fn used(level: &Level, picture: &Picture) -> [i32; 4] {
    let is_used = |&(x, y): &(i32, i32)| {
        level.terrain(x, y) != Terrain::STONE || picture.square(x, y).is_some_and(|square| square.symbol != ' ')
    };
    let all = (1..COLUMNS).flat_map(|x| (0..ROWS).map(move |y| (x, y)));
    let corners = all.filter(is_used).fold(None, |corners: Option<[i32; 4]>, (x, y)| {
        let [x1, y1, x2, y2] = corners.unwrap_or([x, y, x, y]);
        Some([x1.min(x), y1.min(y), x2.max(x), y2.max(y)])
    });
    let Some([x1, y1, x2, y2]) = corners else { return WHOLE };
    let [least_x, least_y, most_x, most_y] = WHOLE;
    [(x1 - MARGIN).max(least_x), (y1 - MARGIN).max(least_y), (x2 + MARGIN).min(most_x), (y2 + MARGIN).min(most_y)]
}

/// Returns the neighbours that the wall at a square is joined to, as in [`Cell::joined`]. Thick walls are joined along
/// their length only.
fn joined(level: &Level, picture: &Picture, x: i32, y: i32) -> u8 {
    let is_wall = |x: i32, y: i32| {
        let symbol = picture.square(x, y).filter(|square| square.layer == Layer::Terrain).map(|square| square.symbol);
        let terrain = level.terrain(x, y);
        (terrain.is_wall() || terrain == Terrain::SECRET_DOOR) && matches!(symbol, Some('-' | '|'))
    };
    if !is_wall(x, y) {
        return 0;
    }
    let ends = |x: i32, y: i32| is_wall(x, y) || level.terrain(x, y) == Terrain::DOOR;
    let sides = [(x, y - 1), (x + 1, y), (x, y + 1), (x - 1, y)];
    (0..4).filter(|&side| ends(sides[side].0, sides[side].1)).map(|side| 1 << side).sum()
}

/// Joins many piles of gold to one entry.
pub fn grouped(entries: Vec<Entry>) -> Vec<Entry> {
    let is_gold = |entry: &Entry| entry.symbol == '$' && entry.subject == Subject::Objects;
    let piles: usize = entries.iter().filter(|entry| is_gold(entry)).map(|entry| entry.places.len()).sum();
    if piles <= FEW_PILES {
        return entries;
    }
    let mut grouped: Vec<Entry> = Vec::new();
    for entry in entries {
        match grouped.iter_mut().find(|known| is_gold(known)) {
            Some(known) if is_gold(&entry) => known.places.extend(entry.places),
            _ if is_gold(&entry) => grouped.push(Entry { what: format!("gold in {piles} places"), ..entry }),
            _ => grouped.push(entry),
        }
    }
    grouped
}

/// Wraps `text` into lines of at most `width` cells. All but the first are indented.
fn wrapped(text: &str, width: usize) -> Vec<String> {
    let most = width.min(WIDTH) - 2;
    let mut lines: Vec<String> = Vec::new();
    let mut line = String::new();
    for word in text.split(' ') {
        if !line.is_empty() && line.chars().count() + 1 + word.chars().count() > most {
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

/// Returns the tint of the room with a number.
fn tint(palette: &Palette, room: usize) -> Rgb {
    palette.rooms[room % palette.rooms.len()]
}

/// Returns the RGB value of a game colour.
fn rgb(palette: &Palette, color: Color) -> Rgb {
    palette.colors[color as usize]
}

/// Blends a colour with the background; the share of the colour is in hundredths.
fn mix(palette: &Palette, color: Rgb, hundredths: u16) -> Rgb {
    blend(palette.background, color, hundredths * 255 / 100)
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
fn heat(palette: &Palette, share: f64) -> Rgb {
    let ramp = &palette.heat;
    let place = share.clamp(0.0, 1.0) * (ramp.len() - 1) as f64;
    let below = (place as usize).min(ramp.len() - 2);
    blend(ramp[below], ramp[below + 1], ((place - below as f64) * 255.0) as u16)
}
