//! Additional work for a course that becomes a list of things.
//!
//! NetHack 3.4.3 cannot express two features of scripts. Each has a workaround once its result in a run is known:
//!
//! - *the block of a REGION*: its contents are written after it, at the places where the run put them, relative to
//!   the corner of the map; a ROOMDOOR becomes terrain and a DOOR;
//! - *terrain outside of maps*, or before the first: the level below all maps is drawn as it was before its first
//!   thing, updated with the squares that changed later, and becomes a map of its own ([`Background`]). Transparent
//!   squares of a map are drawn in that map, and so are squares of an earlier map that change later.

use splc_ir::catalog::{Catalog, Feature};
use splc_ir::program::{Op, Opcode, Operand, Program, Rows};
use splc_ir::source::Span;
use splc_ir::value::ValueType;

use super::{Course, Known, Running, all_terrain, changes_terrain, rectangles};
use crate::game::{InitStyle, ObjectPart};
use crate::level::{COLUMNS, Place, ROWS};
use crate::loader::{Humidity, coordinate, pack_given, schar};
use crate::observer::Event;
use crate::terrain::Terrain;
use crate::view::View;

/// Map characters of the terrain below all maps, and its light. Coordinates are relative to the level's first column
/// and row, like those of NOMAP.
#[derive(Clone, Debug, PartialEq)]
pub struct Background {
    /// Rows, all of the same width.
    pub rows: Vec<String>,
    /// Rectangles (x1, y1, x2, y2) that are lit, followed by those of the squares around them that are not.
    pub light: Vec<(bool, [i32; 4])>,
}

/// Maximum number of light rectangles: a file of NetHack 3.4.3 can have a few more regions. Beyond it, unlit squares
/// stay lit.
const MOST_LIGHT: usize = 100;

/// Types of blocks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Block {
    Room,
    Region,
}

/// The level below its maps.
#[derive(Debug)]
struct Below {
    terrain: Vec<Terrain>,
    lit: Vec<bool>,
}

/// A map that was laid.
#[derive(Debug)]
struct Laid {
    /// Position of the opcode that pushes its rows.
    at: usize,
    /// x1, y1, x2, y2
    area: [i32; 4],
}

/// State of the level during the run.
#[derive(Debug, Default)]
pub(super) struct List {
    /// The level before its first thing, updated with later changes below its maps.
    below: Option<Below>,
    /// True if the level below its maps must be drawn.
    is_needed: bool,
    /// True if there are caves below the maps, which differ in each run.
    has_caves: bool,
    /// Blocks around the current statement.
    blocks: Vec<Block>,
    /// The maps so far. If `in_map` is set, coordinates are relative to the last one.
    maps: Vec<Laid>,
    in_map: bool,
    /// True if the level has rooms: a list has either rooms or maps.
    has_rooms: bool,
    /// Statements replaced by drawing.
    drawn: Vec<Span>,
    /// Statements whose places were above the map and were moved to its edge.
    moved: Vec<Span>,
    /// INIT_MAP statements, drawn with the rest of the background.
    inits: Vec<Span>,
    /// Place of the first thing placed by the current statement.
    place: Option<Place>,
}

/// Returns true if the opcode concerns the level as a whole and makes nothing.
fn is_head(code: Opcode) -> bool {
    use Opcode::*;
    matches!(code, InitLevel | LevelFlags | Message | MonGeneration | LevelSounds)
}

/// Returns true if a list expresses the opcode's terrain differently, or not at all, outside all maps.
fn is_drawn_outside(code: Opcode) -> bool {
    use Opcode::*;
    matches!(code, Sink | Pool | Place1 | Place2 | Place3 | Place4 | Place5 | Place6 | Place7 | Place8)
}

/// Index of a square of the level, row by row.
fn index((x, y): Place) -> usize {
    (y * COLUMNS + x) as usize
}

fn has([x1, y1, x2, y2]: [i32; 4], (x, y): Place) -> bool {
    (x1..=x2).contains(&x) && (y1..=y2).contains(&y)
}

/// Map character of terrain. Furniture that statements place on floor is drawn as floor.
pub(super) fn character(terrain: Terrain, catalog: &Catalog) -> char {
    let known = terrain.number_in(catalog).and_then(|number| catalog.map_character(number));
    known.unwrap_or(match terrain {
        Terrain::T_LEFT_WALL | Terrain::T_RIGHT_WALL => '|',
        wall if wall.is_wall() => '-',
        furniture if furniture.is_furniture() => '.',
        _ => ' ',
    })
}

impl List {
    /// Returns true if the coming statements are in the block of a REGION.
    pub fn in_region(&self) -> bool {
        self.blocks.last() == Some(&Block::Region)
    }

    /// Begins a statement. Returns true if it is recorded; the end of a REGION is written at its beginning instead.
    pub fn takes(&mut self, code: Opcode, view: &View<'_>) -> bool {
        self.blocks.truncate(view.blocks());
        self.place = None;
        if !is_head(code) {
            self.begins(view);
        }
        // In a level without rooms, the end belongs to a REGION.
        code != Opcode::EndRoom || self.has_rooms
    }

    /// Stores the level before its first thing.
    pub fn begins(&mut self, view: &View<'_>) {
        if self.below.is_none() {
            let level = view.level();
            let lit = (0..ROWS).flat_map(|y| (0..COLUMNS).map(move |x| level.is_lit(x, y))).collect();
            self.below = Some(Below { terrain: all_terrain(level), lit });
        }
    }

    /// Returns true if the terrain before the statement must be known.
    pub fn looks_at(&self, code: Opcode) -> bool {
        self.in_region()
            || matches!(code, Opcode::Terrain | Opcode::Wallify | Opcode::MazeWalk)
            || is_drawn_outside(code)
    }

    pub fn event(&mut self, event: Event<'_>) {
        let place = match event {
            Event::Monster { x, y, .. }
            | Event::ObjectOfClass { x, y, .. }
            | Event::Object { x, y, .. }
            | Event::Gold { x, y, .. }
            | Event::Trap { x, y, .. }
            | Event::Grave { x, y, .. }
            | Event::Engraving { x, y, .. } => (x, y),
            _ => return,
        };
        self.place = self.place.or(Some(place));
    }

    /// Area of the map that coordinates are relative to; `None` outside all maps.
    fn map_area(&self) -> Option<[i32; 4]> {
        self.maps.last().filter(|_| self.in_map).map(|map| map.area)
    }

    /// Returns true if the changes of a statement are drawn, instead of recording the statement.
    pub fn draws(&self, running: &Running, view: &View<'_>) -> bool {
        match running.code {
            _ if self.has_rooms => false,
            code if changes_terrain(code) || code == Opcode::Wallify => true,
            code if code == Opcode::Terrain || is_drawn_outside(code) => {
                self.map_area().is_none_or(|area| changed(running, view).iter().any(|&place| !has(area, place)))
            }
            Opcode::RoomDoor => running.lifted,
            // In a list, every maze is stocked.
            Opcode::MazeWalk => matches!(running.values.get(1), Some((Known::Number(_, 0), _))),
            _ => false,
        }
    }

    /// Returns the squares changed by a statement: those in the current map, by terrain, and all of them. Draws the
    /// changes outside the current map where they are.
    pub fn changes(
        &mut self,
        running: &Running,
        view: &View<'_>,
        made: &mut [Op],
        span: Span,
    ) -> (Vec<(Terrain, Vec<Place>)>, Vec<Place>) {
        let (level, catalog) = (view.level(), view.prepared.catalog());
        let changed = changed(running, view);
        let (inside, outside): (Vec<Place>, Vec<Place>) =
            changed.iter().partition(|&&place| self.map_area().is_some_and(|area| has(area, place)));
        for &(x, y) in &outside {
            let terrain = level.terrain(x, y);
            let covering = self.maps.iter().rev().find(|map| has(map.area, (x, y)));
            let rows = covering.and_then(|map| Some((map, made.get_mut(map.at)?.operand.as_mut()?)));
            if let Some((map, Operand::Rows(rows))) = rows {
                let at = (y - map.area[1]) as usize * rows.width + (x - map.area[0]) as usize;
                if let (Some(cell), Ok(byte)) = (rows.cells.get_mut(at), u8::try_from(character(terrain, catalog))) {
                    *cell = byte;
                }
            } else if let Some(below) = &mut self.below {
                below.terrain[index((x, y))] = terrain;
                below.lit[index((x, y))] = level.is_lit(x, y);
                self.is_needed = true;
            }
        }
        if !outside.is_empty() {
            self.drawn.push(span);
        }
        let of = |terrain: &Terrain| inside.iter().copied().filter(|&(x, y)| level.terrain(x, y) == *terrain).collect();
        let by_terrain = Terrain::ALL.iter().map(|terrain| (*terrain, of(terrain)));
        (by_terrain.filter(|(_, squares): &(_, Vec<Place>)| !squares.is_empty()).collect(), changed)
    }

    /// Converts the values of a completed statement for a list. Returns false if a list cannot express its result.
    pub fn resolve(
        &mut self,
        values: &mut Vec<(Known, usize)>,
        running: &Running,
        view: &View<'_>,
        span: Span,
    ) -> bool {
        match running.code {
            Opcode::InitLevel => {
                self.inits.push(span);
                let number = |at: usize| match values.get(at) {
                    Some(&(Known::Number(_, number), _)) => Some(number),
                    _ => None,
                };
                const STYLE: usize = 7;
                let styles = &view.prepared.game.init_styles;
                let style = number(STYLE).and_then(|number| styles.iter().find(|(known, _)| *known == number));
                match style.map(|(_, style)| style) {
                    Some(InitStyle::Rogue | InitStyle::Sheol) => self.is_needed = true,
                    Some(InitStyle::Mines) => self.has_caves |= number(0) != number(1),
                    _ => {}
                }
                true
            }
            Opcode::Map => {
                self.in_map = false;
                true
            }
            Opcode::Room | Opcode::Subroom | Opcode::Region => {
                let block = if running.code == Opcode::Region { Block::Region } else { Block::Room };
                self.has_rooms |= block == Block::Room;
                self.blocks.resize(view.blocks().max(self.blocks.len()), block);
                true
            }
            _ if running.lifted && !lift(values, running, view, self.place) => false,
            _ => {
                let random = view.prepared.catalog().packing.random_place;
                if !self.has_rooms && !within(values, random) {
                    self.moved.push(span);
                }
                true
            }
        }
    }

    /// Returns true if the statement is a REGION that must be ended at once.
    pub fn closes(&self, code: Opcode, values: &[(Known, usize)], catalog: &Catalog) -> bool {
        match (code, values) {
            (Opcode::Region, [(Known::Number(_, flags), _), (Known::Number(_, kind), _), ..]) if !self.has_rooms => {
                has_end(catalog, *kind, *flags)
            }
            _ => false,
        }
    }

    /// Records a map whose rows are pushed at `at`, and draws its transparent squares. Returns the light of the map if
    /// any of the squares shown through it is lit: in a list, every map is dark at first.
    pub fn map(&mut self, rows: &mut Rows, at: usize, view: &View<'_>) -> Vec<(bool, [i32; 4])> {
        let ((x1, y1), catalog, level) = (view.corner(), view.prepared.catalog(), view.level());
        if rows.width == 0 || rows.cells.len() <= 1 {
            return Vec::new();
        }
        let height = rows.cells.len().div_ceil(rows.width);
        let area = [x1, y1, x1 + rows.width as i32 - 1, y1 + height as i32 - 1];
        self.maps.push(Laid { at, area });
        self.in_map = true;
        let mut is_lit = false;
        for (at, cell) in rows.cells.iter_mut().enumerate() {
            if catalog.terrain(char::from(*cell)) == Some(catalog.max_terrain) {
                let (x, y) = (x1 + (at % rows.width) as i32, y1 + (at / rows.width) as i32);
                let is_there = x < COLUMNS && y < ROWS;
                let below = if is_there { level.terrain(x, y) } else { Terrain::STONE };
                is_lit |= is_there && below.is_accessible() && level.is_lit(x, y);
                *cell = u8::try_from(character(below, catalog)).unwrap_or(b' ');
                self.is_needed |= self.has_caves;
            }
        }
        if !is_lit {
            return Vec::new();
        }
        let [_, _, x2, y2] = area;
        let area = [x1, y1, x2.min(COLUMNS - 1), y2.min(ROWS - 1)];
        from_corner((x1, y1), light(area, |(x, y)| level.terrain(x, y), |(x, y)| level.is_lit(x, y)))
    }

    /// Returns the course with the background to draw below all maps, if needed, and the statements that are drawn.
    pub fn finish(mut self, program: Program, catalog: &Catalog) -> Course {
        let below = self.below.take().filter(|_| self.is_needed && !self.has_rooms);
        let background = below.map(|below| {
            self.drawn.append(&mut self.inits);
            let row = |y: i32| (1..COLUMNS).map(|x| character(below.terrain[index((x, y))], catalog)).collect();
            let area = [1, 0, COLUMNS - 1, ROWS - 1];
            let light = light(area, |place| below.terrain[index(place)], |place| below.lit[index(place)]);
            Background { rows: (0..ROWS).map(row).collect(), light: from_corner((1, 0), light) }
        });
        Course { program, background, drawn: self.drawn, moved: self.moved }
    }
}

/// Returns true if a REGION has an end; in some games, a REGION that is not a room has none.
pub(super) fn has_end(catalog: &Catalog, kind: i64, flags: i64) -> bool {
    const FILLED_OR_IRREGULAR: i64 = 3;
    !catalog.has(Feature::RegionsWithoutEnd) || kind != 0 || flags & FILLED_OR_IRREGULAR != 0
}

/// Squares changed by a statement.
fn changed(running: &Running, view: &View<'_>) -> Vec<Place> {
    let before = running.terrain.as_deref().unwrap_or_default();
    let after = all_terrain(view.level());
    let changed = (0..after.len()).filter(|&at| before.get(at).is_some_and(|before| *before != after[at]));
    changed.map(|at| (at as i32 % COLUMNS, at as i32 / COLUMNS)).collect()
}

/// Decodes a packed coordinate, or returns `None` if it is random. A place left of the map counts as random.
fn fixed(packed: i64) -> Option<Place> {
    let (x, y) = coordinate(packed, Humidity::ANY).0?;
    Some((schar(x), schar(y))).filter(|&(x, _)| x >= 0)
}

/// Makes places left of the map random, as a script treats them, and moves places above the map to its edge. Returns
/// true if none was above.
fn within(values: &mut [(Known, usize)], random: i64) -> bool {
    let mut is_within = true;
    for (value, _) in values {
        let Known::Number(ValueType::Coordinate, number) = value else { continue };
        match fixed(*number) {
            Some((x, ..0)) => {
                *number = pack_given(x.into(), 0);
                is_within = false;
            }
            Some(_) => {}
            None if *number & random != random => *number = random,
            None => {}
        }
    }
    is_within
}

/// Converts the places of a statement in the block of a REGION to coordinates outside the block, using the place of the
/// thing in the run. Returns false if there is no such place.
fn lift(values: &mut Vec<(Known, usize)>, running: &Running, view: &View<'_>, place: Option<Place>) -> bool {
    let contained = running.code == Opcode::Object && matches!(values.first(), Some((Known::Number(_, 1 | 3), _)));
    if contained {
        return true;
    }
    let (corner, origin) = (running.corner, running.origin);
    let found = || {
        let (x, y) = place.or_else(|| changed(running, view).first().copied())?;
        // A place left of the map would mean a random place.
        Some(((x - corner.0).max(0), y - corner.1))
    };
    let packed = |(x, y): Place| pack_given(x.into(), y.into());
    let mut is_placed = false;
    for (value, _) in values.iter_mut() {
        let Known::Number(ValueType::Coordinate, number) = value else { continue };
        // In a room, the game may move even a given place.
        let there = match fixed(*number).filter(|_| place.is_none()) {
            Some((x, y)) => Some((x + origin.0 - corner.0, y + origin.1 - corner.1)),
            None => found(),
        };
        let Some(there) = there.map(packed) else { return false };
        *number = there;
        is_placed = true;
    }
    if running.code == Opcode::Object && !is_placed {
        let is_place = |number: &i64| view.prepared.game.object_part(*number) == ObjectPart::Place;
        let part = (0..view.prepared.game.object_parts_end).find(is_place);
        let (Some(part), Some(there)) = (part, found().map(packed)) else { return false };
        // The top value gives the containment.
        let place = [(ValueType::Integer, part), (ValueType::Coordinate, there)];
        values.splice(1..1, place.map(|(of, number)| (Known::Number(of, number), 1)));
    }
    true
}

/// Describes the light of an area of the level: rectangles that are lit, and the squares around them that are not.
/// Inaccessible squares are ignored: dark water would need a rectangle for each square.
fn light(
    [x1, y1, x2, y2]: [i32; 4],
    terrain: impl Fn(Place) -> Terrain,
    is_lit: impl Fn(Place) -> bool,
) -> Vec<(bool, [i32; 4])> {
    let of = |place: Place| terrain(place).is_accessible().then(|| is_lit(place));
    let squares = || (y1..=y2).flat_map(|y| (x1..=x2).map(move |x| (x, y)));
    let mut lit: Vec<[i32; 4]> = Vec::new();
    for (x, y) in squares() {
        if of((x, y)) != Some(true) || lit.iter().any(|&area| has(area, (x, y))) {
            continue;
        }
        let last = (x..=x2).take_while(|&x| of((x, y)) != Some(false)).last().unwrap_or(x);
        let is_free = |y: &i32| (x..=last).all(|x| of((x, *y)) != Some(false));
        lit.push([x, y, last, (y..=y2).take_while(is_free).last().unwrap_or(y)]);
        if lit.len() >= MOST_LIGHT {
            break;
        }
    }
    // A region also lights the squares around it.
    let around = |place: &Place| lit.iter().any(|&[x1, y1, x2, y2]| has([x1 - 1, y1 - 1, x2 + 1, y2 + 1], *place));
    let unlit = rectangles(squares().filter(|&place| of(place) == Some(false)).filter(around));
    let all = lit.iter().map(|&area| (true, area)).chain(unlit.into_iter().map(|area| (false, area)));
    all.take(MOST_LIGHT).collect()
}

/// Converts rectangles to coordinates relative to a corner.
fn from_corner((x, y): Place, light: Vec<(bool, [i32; 4])>) -> Vec<(bool, [i32; 4])> {
    light.into_iter().map(|(lit, [x1, y1, x2, y2])| (lit, [x1 - x, y1 - y, x2 - x, y2 - y])).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn light_is_said_in_rectangles() {
        let of = |rows: [&str; 3]| {
            let mark = |(x, y): Place| rows[y as usize].as_bytes()[x as usize];
            let terrain = |place| if mark(place) == b' ' { Terrain::STONE } else { Terrain::ROOM };
            light([0, 0, 3, 2], terrain, |place| mark(place) == b'l')
        };
        assert!(of(["uuuu", "u uu", "    "]).is_empty());
        assert_eq!(of(["llll", "l  l", "lll "]), [(true, [0, 0, 3, 2])]);
        assert_eq!(
            of(["ll u", "ll  ", "u uu"]),
            [(true, [0, 0, 2, 1]), (false, [3, 0, 3, 0]), (false, [0, 2, 0, 2]), (false, [2, 2, 3, 2])]
        );
    }
}
