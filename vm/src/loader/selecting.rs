//! Map fragments that are laid or matched, and the selections that take draws: random lines, gradients, floods.

use splc_ir::catalog::LoaderRule;

use super::wayout::Spread;
use super::{ICED_MOAT, ICED_POOL, Loader, schar, square_root};
use crate::drawing::Drawing;
use crate::error::Fault;
use crate::level::{COLUMNS, Laying, Place, ROWS, is_ok};
use crate::selection::Selection;
use crate::terrain::Terrain;

/// Number of times that a random line is divided.
pub(crate) const DIVISIONS: i32 = 12;

/// Meaning of a character in a drawn map.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum MapSquare {
    Terrain(Terrain),
    /// Transparent when laid; matches anything in a search.
    Any,
    /// Any wall or stone; only for searches.
    Wall,
    /// A character unknown to the game.
    Unknown,
}

impl MapSquare {
    /// Returns true if a square of the level matches (`match_maptyps`).
    pub fn fits(self, terrain: Terrain) -> bool {
        match self {
            MapSquare::Terrain(wanted) => wanted == terrain,
            MapSquare::Wall => terrain.is_wall_or_stone(),
            MapSquare::Any | MapSquare::Unknown => true,
        }
    }
}

/// The text of a drawn map (`mapfragment`). A line shorter than the longest shifts everything after it, because the
/// game finds a square by the length of the longest line.
#[derive(Clone, Debug)]
pub(crate) struct MapFragment {
    text: Vec<u8>,
    pub width: i32,
    pub height: i32,
}

impl MapFragment {
    /// Parses a map and drops its digits. Returns `None` if it has more lines than a level (`mapfrag_fromstr`).
    pub fn new(text: &[u8]) -> Option<Self> {
        let text = &text[..memchr::memchr(0, text).unwrap_or(text.len())];
        // A text with far too many lines is not read further.
        if memchr::memchr_iter(b'\n', text).count() > ROWS as usize + 2 {
            return None;
        }
        let text: Vec<u8> = text.iter().copied().filter(|byte| !byte.is_ascii_digit()).collect();
        let lines = text.strip_suffix(b"\n").unwrap_or(&text).split(|&byte| byte == b'\n');
        let height = if text.is_empty() { 0 } else { lines.clone().count() };
        let width = lines.map(<[u8]>::len).max().unwrap_or(0);
        if height > ROWS as usize + 1 {
            return None;
        }
        Some(MapFragment { width: i32::try_from(width).unwrap_or(i32::MAX), height: height as i32, text })
    }

    /// Returns the character at a place of the map, or `None` past the end of the text (`mapfrag_get`).
    pub fn character(&self, x: i32, y: i32) -> Option<u8> {
        let at = i64::from(y) * (i64::from(self.width) + 1) + i64::from(x);
        self.text.get(usize::try_from(at).ok()?).copied()
    }

    /// Returns the reason it cannot be searched for, if any (`mapfrag_error`).
    pub fn mistake(&self, square: impl Fn(Option<u8>) -> MapSquare) -> Option<&'static str> {
        if self.width % 2 == 0 || self.height % 2 == 0 {
            return Some("mapfragment needs to have odd height and width");
        }
        match square(self.character(self.width / 2, self.height / 2)) {
            MapSquare::Any | MapSquare::Unknown => Some("mapfragment center must be valid terrain"),
            _ => None,
        }
    }
}

/// Squares with a probability that grows with their nearness to a line, or in older games with their distance.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Gradient {
    pub from: Place,
    pub to: Place,
    pub least: i64,
    pub most: i64,
    /// True to exclude squares beyond the maximum distance; only older games check.
    pub limited: bool,
    /// True to measure distance in squares, not in circles.
    pub square: bool,
}

/// The squares of a map, row by row.
#[derive(Clone, Copy)]
pub(crate) struct Squares<'a> {
    pub bytes: &'a [u8],
    /// The length of a row.
    pub columns: i32,
    /// The same squares, if they were drawn earlier.
    pub drawn: Option<&'a Drawing>,
    /// True to light them.
    pub lit: bool,
}

impl Loader<'_> {
    /// Looks up the meaning of a character in a drawn map (`splev_chr2typ`).
    pub fn map_square(&self, character: Option<u8>) -> MapSquare {
        let Some(character) = character else { return MapSquare::Unknown };
        let catalog = &self.game.catalog;
        match catalog.terrain(char::from(character)) {
            Some(number) if number == catalog.max_terrain => MapSquare::Any,
            Some(number) => self.game.terrain(number).map_or(MapSquare::Unknown, MapSquare::Terrain),
            None if character == b'w' => MapSquare::Wall,
            None => MapSquare::Unknown,
        }
    }

    /// Moves a map of `height` rows that begins or ends outside of the level (`load_maze`, `spo_map`, `lspo_map`).
    pub fn move_map_onto_level(&mut self, height: i32) -> Result<(), Fault> {
        let is_outside = |top: i32| top < 0 || top + height > ROWS;
        if is_outside(self.start_y) {
            self.start_y += if self.start_y > 0 { -2 } else { 2 };
            if height == ROWS {
                self.start_y = 0;
            }
            if is_outside(self.start_y) {
                if !self.has(LoaderRule::TallMapsStartAtTop) {
                    return Err(Fault::MapSize);
                }
                self.start_y = 0;
            }
        }
        Ok(())
    }

    /// Lays the map of a Lua script at the start of the loader's current area. Returns the squares that it covers.
    pub fn lay_fragment(&mut self, map: &MapFragment, lit: bool, joined: bool) -> Selection {
        let (columns, rows) = (self.size_x.clamp(0, COLUMNS), self.size_y.clamp(0, ROWS));
        let squares: Vec<u8> = (0..rows)
            .flat_map(|y| (0..columns).map(move |x| (x, y)))
            .map(|(x, y)| map.character(x, y).unwrap_or_default())
            .collect();
        let terrain = |loader: &Self, byte| match loader.map_square(Some(byte)) {
            MapSquare::Terrain(terrain) => Some(terrain),
            MapSquare::Any | MapSquare::Wall | MapSquare::Unknown => None,
        };
        self.lay_map(&Squares { bytes: &squares, columns, drawn: None, lit }, terrain, joined);
        let mut laid = Selection::new();
        for (at, _) in squares.iter().enumerate().filter(|&(_, &byte)| terrain(self, byte).is_some()) {
            laid.add(self.start_x + at as i32 % columns, self.start_y + at as i32 / columns);
        }
        laid
    }

    /// Lays a map at the start of the loader's current area (`spo_map`, `lspo_map`). `terrain` translates the bytes of
    /// its squares; `None` makes a square transparent.
    pub fn lay_map(&mut self, map: &Squares<'_>, terrain: impl Fn(&Self, u8) -> Option<Terrain>, joined: bool) {
        self.last_stairs = None;
        let &Squares { bytes, columns, drawn, lit } = map;
        let (left, top) = (self.start_x, self.start_y);
        let sets_details = self.has(LoaderRule::TerrainSetsDetails);
        if !sets_details {
            let laying = if self.has(LoaderRule::MapsTouchNothing) { Laying::Untouching } else { Laying::Touching };
            match drawn {
                Some(drawn) => self.level.lay((left, top), drawn, laying),
                None => {
                    let mut drawing = std::mem::take(&mut self.scratch.drawing);
                    drawing.draw(bytes, columns.max(0) as usize, |byte| terrain(self, byte));
                    self.level.lay((left, top), &drawing, laying);
                    self.scratch.drawing = drawing;
                }
            }
        }
        if sets_details || lit || self.init_present {
            for (at, &byte) in bytes.iter().enumerate() {
                let (x, y) = (left + at as i32 % columns, top + at as i32 / columns);
                let Some(terrain) = terrain(self, byte) else { continue };
                if sets_details {
                    if (0..COLUMNS).contains(&x) && (0..ROWS).contains(&y) {
                        self.level.clear_square(x, y);
                        self.level.touch(x, y);
                        self.set_terrain_at(x, y, Some(terrain), i32::from(lit));
                    }
                    continue;
                }
                if terrain == Terrain::ICE && self.init_present {
                    self.level.set_flags(x, y, if self.iced_pools { ICED_POOL } else { ICED_MOAT });
                }
                if lit {
                    self.level.set_lit(x, y, true);
                }
            }
        }
        if joined && !self.has(LoaderRule::CavernRoomsAreForgotten) {
            self.remove_rooms([left, top, left + self.size_x, top + self.size_y]);
        }
    }

    /// Returns true if a themed map at the start of the loader's current area would overwrite nothing, and nothing
    /// touches it (`lspo_map`).
    pub fn is_unused_ground(&self, map: &MapFragment) -> bool {
        let (left, top) = (self.start_x, self.start_y);
        let (right, bottom) = (left.saturating_add(self.size_x), top.saturating_add(self.size_y));
        (top - 1..=ROWS.min(bottom)).all(|y| {
            (left - 1..=COLUMNS.min(right)).all(|x| {
                if !is_ok(x, y) {
                    return false;
                }
                let (there, free) = (self.terrain(x, y), self.level.room_number(x, y) == 0);
                if !(left..right).contains(&x) || !(top..bottom).contains(&y) {
                    return there == Terrain::STONE && free;
                }
                match self.map_square(map.character(x - left, y - top)) {
                    MapSquare::Terrain(terrain) => free && (there == Terrain::STONE || there == terrain),
                    _ => true,
                }
            })
        })
    }

    /// Returns true if the level matches a map centred on a square (`mapfrag_match`).
    pub fn fits_map(&self, map: &MapFragment, x: i32, y: i32) -> bool {
        let (half_x, half_y) = (map.width / 2, map.height / 2);
        (-half_x..=half_x).all(|dx| {
            (-half_y..=half_y).all(|dy| {
                let there = if is_ok(x + dx, y + dy) { self.terrain(x + dx, y + dy) } else { Terrain::STONE };
                self.map_square(map.character(dx + half_x, dy + half_y)).fits(there)
            })
        })
    }

    /// Adds to a selection all squares with the terrain of a place that are connected to it.
    pub fn flood(&mut self, selection: &mut Selection, (x, y): Place, diagonals: bool) -> Result<(), Fault> {
        if self.has(LoaderRule::FloodsOverrun) {
            self.spread_to_the_brim(selection, (x, y))?;
        } else if !self.has(LoaderRule::FloodfillSelectsNothing) {
            let terrain = self.terrain(x, y);
            let spread = if diagonals { Spread::SameAround(terrain) } else { Spread::Same(terrain) };
            self.spread(selection, (x, y), spread);
        }
        Ok(())
    }

    /// Adds a line that strays at random (`selection_do_randline`). SporkHack 0.7.0 takes its numbers from C's `rand`,
    /// which is never seeded; here each of them is a draw.
    pub fn random_line(
        &mut self,
        selection: &mut Selection,
        (x1, y1): Place,
        (x2, y2): Place,
        rough: i32,
        divisions: i32,
    ) -> Result<(), Fault> {
        let ends = self.has(LoaderRule::RandomLinesReachTheirEnd);
        if divisions < 1 {
            return Ok(());
        }
        if (x1, y1) == (x2, y2) {
            if !ends {
                selection.add(x1, y1);
            }
            return Ok(());
        }
        let rough = schar(rough.min((x2 - x1).abs().max((y2 - y1).abs())));
        let (middle_x, middle_y) = ((x1 + x2) / 2, (y1 + y2) / 2);
        let (mut x, mut y) = (middle_x, middle_y);
        if rough >= 2 {
            loop {
                x = middle_x + self.rn2(rough) - rough / 2;
                y = middle_y + self.rn2(rough) - rough / 2;
                if (0..COLUMNS).contains(&x) && (0..ROWS).contains(&y) {
                    break;
                }
                self.check_draws()?;
            }
        }
        selection.add(x, y);
        let rough = schar(rough * 2 / 3);
        let middle = (self.narrow(x), self.narrow(y));
        self.random_line(selection, (x1, y1), middle, rough, divisions - 1)?;
        self.random_line(selection, middle, (x2, y2), rough, divisions - 1)?;
        if ends {
            selection.add(x2, y2);
        }
        Ok(())
    }

    /// Selects squares by their distance from a line (`selection_do_gradient`).
    pub fn gradient(&mut self, gradient: &Gradient) -> Selection {
        let &Gradient { from: (x, y), to: (x2, y2), least, most, limited, square } = gradient;
        let (least, most) = (least.min(most), least.max(most));
        let middle = self.has(LoaderRule::GradientsCoverTheirMiddle);
        let far = |column: i32, row: i32| {
            let squared = line_distance((x, y), (x2, y2), (column, row));
            if middle { squared } else { square_root(squared) }
        };
        let (near_end, far_end) = if middle { (least * least, most * most) } else { (least, most) };
        let span = far_end.wrapping_sub(near_end).max(1);
        let mut selection = Selection::new();
        for column in 0..COLUMNS {
            for row in 0..ROWS {
                let straight = far(column, row);
                let distance = if square {
                    let near = far(x, row).max(far(column, y));
                    let other = far(x2, row).max(far(column, y2));
                    straight.min(near.min(other))
                } else {
                    straight
                };
                let taken = if middle {
                    distance <= near_end
                        || (distance <= far_end && distance.wrapping_sub(near_end) < i64::from(self.rn2(span as i32)))
                } else {
                    distance >= near_end
                        && (!limited || distance <= far_end)
                        && distance.wrapping_sub(near_end) > i64::from(self.rn2(span as i32))
                };
                if taken {
                    selection.add(column, row);
                }
            }
        }
        selection
    }
}

/// Squared distance of a square from a line, computed in single precision like the games (`line_dist_coord`).
fn line_distance((x1, y1): Place, (x2, y2): Place, (x, y): Place) -> i64 {
    let [x1, y1, x2, y2, x, y] = [x1, y1, x2, y2, x, y].map(i64::from);
    let (px, py) = (x2 - x1, y2 - y1);
    if px == 0 && py == 0 {
        return (x1 - x) * (x1 - x) + (y1 - y) * (y1 - y);
    }
    let along = ((x - x1) * px + (y - y1) * py) as f32 / (px * px + py * py) as f32;
    let along = along.clamp(0.0, 1.0);
    let near_x = (x1 as f32 + along * px as f32) as i64;
    let near_y = (y1 as f32 + along * py as f32) as i64;
    (near_x - x) * (near_x - x) + (near_y - y) * (near_y - y)
}
