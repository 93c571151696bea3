//! Levels and counts as a PNG picture: every square is a coloured tile with its symbol in an 8x8 letter.

use font8x8::{BASIC_FONTS, UnicodeFonts};
use splc_ir::catalog::Catalog;
use splc_ir::diagnostic::{Code, Diagnostic};
use splc_vm::{COLUMNS, Color, Kind, Layer, Level, Picture, ROWS, Statistics};

/// Pixels of a tile's side.
const TILE: usize = 16;
/// Pixels of a letter's side.
const LETTER: usize = 8;
/// Tiles of a panel.
const WIDTH: usize = COLUMNS as usize - 1;
const HEIGHT: usize = ROWS as usize;
/// Pixels between panels.
const GAP: usize = 8;
/// Bytes of a pixel.
const CHANNELS: usize = 3;

type Rgb = [u8; CHANNELS];

const BACKGROUND: Rgb = [12, 12, 16];
const WHITE: Rgb = [255, 255, 255];

/// Panels below each other.
#[derive(Default)]
pub struct Image {
    panels: Vec<Panel>,
    /// How many levels are in it.
    levels: usize,
}

/// One map.
struct Panel {
    pixels: Vec<u8>,
}

impl Image {
    /// An empty picture.
    pub fn new() -> Self {
        Self::default()
    }

    /// How many levels it shows.
    pub fn len(&self) -> usize {
        self.levels
    }

    /// Whether it shows nothing.
    pub fn is_empty(&self) -> bool {
        self.levels == 0
    }

    /// Adds a level.
    pub fn level(&mut self, level: &Level, catalog: &Catalog) {
        let picture = Picture::of(level, catalog);
        self.levels += 1;
        self.panels.push(Panel::of(|x, y| {
            let Some(square) = picture.square(x, y) else { return (BACKGROUND, ' ', WHITE) };
            let terrain = level.terrain(x, y);
            let ground = rgb(terrain.look().1);
            let share = match () {
                () if terrain.is_wall() => 40,
                () if terrain.is_wall_or_stone() => 0,
                () if square.lit => 30,
                () => 14,
            };
            let letter = match square.layer {
                Layer::Monster => WHITE,
                _ => rgb(square.color),
            };
            let ground = if square.layer == Layer::Monster { mix(rgb(square.color), 60) } else { mix(ground, share) };
            (ground, square.symbol, letter)
        }));
    }

    /// Adds what was counted of a level: how often each square is not the most common terrain, and below it where
    /// monsters, objects and traps are.
    pub fn counts(&mut self, statistics: &Statistics) {
        self.levels += 1;
        let levels = statistics.levels().max(1) as f64;
        self.panels.push(Panel::of(|x, y| {
            let (terrain, count) = statistics.most_common(x, y);
            let (symbol, color) = terrain.look();
            let others = 1.0 - f64::from(count) / levels;
            let ground = if others > 0.0 { heat(others) } else { BACKGROUND };
            (ground, symbol, if others > 0.0 { WHITE } else { rgb(color) })
        }));
        let things = |x, y| -> u64 {
            let kinds = [Kind::Monster, Kind::Object, Kind::Gold, Kind::Trap];
            kinds.iter().map(|&kind| u64::from(statistics.things_at(x, y, kind))).sum()
        };
        let squares = (1..COLUMNS).flat_map(|x| (0..ROWS).map(move |y| (x, y)));
        let most = squares.map(|(x, y)| things(x, y)).max().unwrap_or(0).max(1) as f64;
        self.panels.push(Panel::of(|x, y| {
            let (terrain, _) = statistics.most_common(x, y);
            let count = things(x, y);
            let ground = if count > 0 { heat(count as f64 / most) } else { BACKGROUND };
            (ground, terrain.look().0, [110, 110, 110])
        }));
    }

    /// The picture as a PNG file.
    ///
    /// # Errors
    /// If the encoder fails.
    pub fn encode(&self) -> Result<Vec<u8>, Box<Diagnostic>> {
        let width = WIDTH * TILE;
        let height = (self.panels.len() * (HEIGHT * TILE + GAP)).saturating_sub(GAP);
        let mut pixels = Vec::with_capacity(width * height * CHANNELS);
        for (at, panel) in self.panels.iter().enumerate() {
            if at > 0 {
                pixels.extend(std::iter::repeat_n(WHITE, width * GAP).flatten());
            }
            pixels.extend_from_slice(&panel.pixels);
        }
        let mut bytes = Vec::new();
        // At most 64 levels of two panels: both sides fit.
        let mut encoder = png::Encoder::new(&mut bytes, width as u32, height as u32);
        encoder.set_color(png::ColorType::Rgb);
        encoder.set_depth(png::BitDepth::Eight);
        let written = encoder.write_header().and_then(|mut writer| writer.write_image_data(&pixels));
        written.map_err(|error| {
            Box::new(Diagnostic::new(Code::Unwritable, None, format!("the picture cannot be made: {error}")))
        })?;
        Ok(bytes)
    }
}

impl Panel {
    /// A panel of which `tile` says ground, symbol and colour of the symbol of each square.
    fn of(tile: impl Fn(i32, i32) -> (Rgb, char, Rgb)) -> Self {
        let mut pixels = vec![0; WIDTH * TILE * HEIGHT * TILE * CHANNELS];
        for (column, x) in (1..COLUMNS).enumerate() {
            for (row, y) in (0..ROWS).enumerate() {
                let (ground, symbol, color) = tile(x, y);
                let letter = BASIC_FONTS.get(symbol).unwrap_or([0; LETTER]);
                for down in 0..TILE {
                    for across in 0..TILE {
                        let bits = letter[down * LETTER / TILE];
                        let ink = bits >> (across * LETTER / TILE) & 1 == 1;
                        let start = ((row * TILE + down) * WIDTH * TILE + column * TILE + across) * CHANNELS;
                        let pixel = if ink { color } else { ground };
                        pixels[start..start + CHANNELS].copy_from_slice(&pixel);
                    }
                }
            }
        }
        Panel { pixels }
    }
}

/// Light of a colour of the games.
fn rgb(color: Color) -> Rgb {
    match color {
        Color::Black => [85, 85, 110],
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

/// So many hundredths of a colour on the background.
fn mix(color: Rgb, hundredths: u16) -> Rgb {
    let mut mixed = BACKGROUND;
    for (mixed, color) in mixed.iter_mut().zip(color) {
        *mixed = ((u16::from(*mixed) * (100 - hundredths) + u16::from(color) * hundredths) / 100) as u8;
    }
    mixed
}

/// Colour of a heat from 0 (blue) over yellow to 1 (red).
fn heat(share: f64) -> Rgb {
    const RAMP: [[f64; CHANNELS]; 4] =
        [[20.0, 30.0, 110.0], [20.0, 130.0, 120.0], [215.0, 180.0, 40.0], [215.0, 40.0, 30.0]];
    let place = share.clamp(0.0, 1.0) * (RAMP.len() - 1) as f64;
    let below = (place as usize).min(RAMP.len() - 2);
    let rest = place - below as f64;
    let mut color = [0; CHANNELS];
    for (at, channel) in color.iter_mut().enumerate() {
        *channel = (RAMP[below][at] * (1.0 - rest) + RAMP[below + 1][at] * rest) as u8;
    }
    color
}
