//! INIT_MAP of the style "sheol" (UnNetHack 6.0.4, `mksheol.c`): patches of ice and rock, with a path through them.

use super::Loader;
use crate::error::Fault;
use crate::level::{COLUMNS, Place, ROWS, SQUARES, index, is_ok, wall};
use crate::selection::Selection;
use crate::settings::Surrounding;
use crate::terrain::Terrain;

/// The centre of a patch.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Point {
    x: i32,
    y: i32,
    terrain: Terrain,
}

/// Probability that a square becomes floor.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Chance {
    parts: i32,
    out_of: i32,
    sure: bool,
}

const PATCHES: usize = 300;
const KINDS: [Terrain; 10] = [
    Terrain::ICE_WALL,
    Terrain::CRYSTAL_ICE_WALL,
    Terrain::CRYSTAL_ICE_WALL,
    Terrain::CRYSTAL_ICE_WALL,
    Terrain::POOL,
    Terrain::POOL,
    Terrain::STONE,
    Terrain::STONE,
    Terrain::STONE,
    Terrain::STONE,
];
const OPEN_KINDS: [Terrain; 10] = [
    Terrain::ICE_WALL,
    Terrain::CRYSTAL_ICE_WALL,
    Terrain::CRYSTAL_ICE_WALL,
    Terrain::STONE,
    Terrain::POOL,
    Terrain::POOL,
    Terrain::ROOM,
    Terrain::ICE,
    Terrain::ICE,
    Terrain::ROOM,
];

/// Minimum squared distance between points, unless too many tries fail.
const APART: i32 = 4;

/// Radius within which the nearest point is searched for square by square; it is hardly ever farther away.
const NEAR: i32 = 6;

/// Number of squares within that radius.
const SQUARES_NEAR: usize = 113;

/// Offsets of those squares, nearest first.
const STEPS_NEAR: [(i32, i32); SQUARES_NEAR] = {
    let mut steps = [(0, 0); SQUARES_NEAR];
    let (mut count, mut far) = (0, 0);
    while far <= NEAR * NEAR {
        let mut x = -NEAR;
        while x <= NEAR {
            let mut y = -NEAR;
            while y <= NEAR {
                if x * x + y * y == far {
                    steps[count] = (x, y);
                    count += 1;
                }
                y += 1;
            }
            x += 1;
        }
        far += 1;
    }
    steps
};

fn distance((x, y): (i32, i32), (x2, y2): (i32, i32)) -> i32 {
    (x - x2) * (x - x2) + (y - y2) * (y - y2)
}

/// Integer part of a square root.
pub(crate) fn square_root(number: i64) -> i64 {
    if number <= 0 { 0 } else { number.isqrt() }
}

fn is_ice_wall(terrain: Terrain) -> bool {
    matches!(terrain, Terrain::ICE_WALL | Terrain::CRYSTAL_ICE_WALL)
}

impl Loader<'_> {
    /// Starts a level of Sheol (`mksheol`).
    pub fn make_sheol(&mut self) -> Result<(), Fault> {
        // Sheol has its open levels above its second.
        const MIDDLE: i32 = 2;
        let depth = self.ask(Surrounding::Depth).depth;
        let below_middle = depth > MIDDLE;
        if depth < MIDDLE && self.rn2(3) == 0 {
            return self.make_open_sheol();
        }
        loop {
            self.check_draws()?;
            self.make_patches(&KINDS);
            let mut chances = std::mem::take(&mut self.scratch.sheol);
            chances.clear();
            chances.resize(SQUARES, Chance::default());
            let carved = self.carve_path(&mut chances, below_middle);
            if carved.is_ok() {
                self.apply_chances(&chances);
            }
            self.scratch.sheol = chances;
            carved?;
            if self.rn2(5) == 0 {
                self.place_clouds()?;
            }
            if !self.has_room_for_stairs() {
                continue;
            }
            self.finish_sheol();
            if self.is_connected() {
                return Ok(());
            }
        }
    }

    fn make_open_sheol(&mut self) -> Result<(), Fault> {
        loop {
            loop {
                self.check_draws()?;
                self.make_patches(&OPEN_KINDS);
                if self.has_room_for_stairs() {
                    break;
                }
            }
            self.finish_sheol();
            if self.is_connected() {
                return Ok(());
            }
        }
    }

    /// Covers the level with patches (`init_level_base_voronoi`).
    fn make_patches(&mut self, kinds: &[Terrain; 10]) {
        /// Marks a square without a point.
        const FREE: u16 = u16::MAX;
        let mut points = std::mem::take(&mut self.scratch.points);
        points.clear();
        // The first point on each square.
        let mut first_there = [FREE; SQUARES];
        let there = |first_there: &[u16; SQUARES], x: i32, y: i32| match is_ok(x, y) {
            true => first_there[index(x, y)],
            false => FREE,
        };
        let (mut tries, mut last) = (0, 0);
        while points.len() < PATCHES {
            if last != points.len() {
                tries = 0;
                last = points.len();
            }
            let x = self.rn1(COLUMNS - 1, 1);
            let y = self.rn2(ROWS);
            let terrain = kinds[self.rn2(10) as usize % 10];
            let mut around = STEPS_NEAR.iter().take_while(|&&step| distance(step, (0, 0)) < APART);
            let far = around.all(|&(across, down)| there(&first_there, x + across, y + down) == FREE);
            if tries > 1000 || far {
                let first = &mut first_there[index(x, y)];
                *first = (*first).min(points.len() as u16);
                points.push(Point { x, y, terrain });
            }
            tries += 1;
        }
        for x in 1..COLUMNS {
            for y in 0..ROWS {
                // Of equally near points, the first wins.
                let mut nearest: Option<(i32, u16)> = None;
                for &(across, down) in &STEPS_NEAR {
                    let far = distance((across, down), (0, 0));
                    if nearest.is_some_and(|(known, _)| far > known) {
                        break;
                    }
                    let point = there(&first_there, x + across, y + down);
                    if point != FREE && nearest.is_none_or(|(_, known)| point < known) {
                        nearest = Some((far, point));
                    }
                }
                let point = match nearest {
                    Some((_, point)) => points.get(usize::from(point)),
                    None => points.iter().min_by_key(|point| distance((point.x, point.y), (x, y))),
                };
                self.level.set_terrain(x, y, point.map_or(Terrain::STONE, |point| point.terrain));
            }
        }
        self.scratch.points = points;
    }

    /// Carves a curve from left to right (`carve_path`).
    fn carve_path(&mut self, chances: &mut [Chance], narrow: bool) -> Result<(), Fault> {
        const MOST: usize = 100;
        let start = (-2, ROWS / 2);
        let mut points = [(0, 0); MOST];
        let count = 'path: loop {
            self.check_draws()?;
            let mut path = start;
            let mut at = 0;
            while at < MOST {
                let mut tries = 0;
                while tries < 100 {
                    tries += 1;
                    let (mut x, mut y) = path;
                    x += if self.rn2(2) == 0 { self.rn2(11) - 5 } else { self.rn2(6) - 2 };
                    y += self.rn2(11) - 5;
                    points[at] = (x, y);
                    let inside = (1..COLUMNS).contains(&x) && (0..ROWS).contains(&y);
                    if inside && points[..at].iter().all(|&point| distance(point, (x, y)) > 16) {
                        break;
                    }
                }
                if tries >= 100 {
                    self.check_draws()?;
                    path = start;
                    at = 0;
                    continue;
                }
                if at > 0 && points[at - 1].0 >= COLUMNS - 5 {
                    break 'path at;
                }
                path = points[at];
                at += 1;
            }
        };
        for at in (0..count.saturating_sub(2)).step_by(2) {
            let [a, b, c] = [points[at], points[at + 1], points[at + 2]];
            let samples = square_root(i64::from(distance(a, b) + distance(b, c))) as i32 * 20;
            for step in 0..=samples {
                let rest = samples - step;
                let between = |one: i32, other: i32| one * step / samples.max(1) + other * rest / samples.max(1);
                let first = (between(a.0, b.0), between(a.1, b.1));
                let second = (between(b.0, c.0), between(b.1, c.1));
                let (x, y) = (between(first.0, second.0), between(first.1, second.1));
                widen(chances, x, y, if narrow { 0 } else { 2 });
            }
        }
        Ok(())
    }

    fn apply_chances(&mut self, chances: &[Chance]) {
        for x in 1..COLUMNS {
            for y in 0..ROWS {
                let Chance { parts, out_of, sure } = chances[index(x, y)];
                let value = if out_of != 0 { self.rn2(out_of) } else { 1 };
                let terrain = self.terrain(x, y);
                if value < parts || sure {
                    if is_ice_wall(terrain) {
                        self.level.set_terrain(x, y, Terrain::ICE);
                    } else if terrain != Terrain::POOL {
                        self.level.set_terrain(x, y, Terrain::ROOM);
                    }
                } else if terrain == Terrain::POOL {
                    self.level.set_terrain(x, y, Terrain::ICE_WALL);
                }
            }
        }
    }

    /// Places clouds over part of the level (`place_clouds`).
    fn place_clouds(&mut self) -> Result<(), Fault> {
        let cloudy = |terrain: Terrain| matches!(terrain, Terrain::ICE | Terrain::ROOM);
        let mut clouds = self.rn2(25) + self.rn2(40) + 5;
        let (mut x, mut y);
        loop {
            x = self.rn1(COLUMNS - 2, 1);
            y = self.rn2(ROWS);
            if cloudy(self.terrain(x, y)) {
                break;
            }
            self.check_draws()?;
        }
        let mut tries = 200;
        while clouds > 0 && tries > 0 {
            if cloudy(self.terrain(x, y)) {
                self.level.set_terrain(x, y, Terrain::CLOUD);
                clouds -= 1;
                tries = 200;
            } else {
                tries -= 1;
                (x, y) = self.quirk_shaken_place(x, y);
            }
        }
        Ok(())
    }

    /// Draws a place near another (`shake_position`). The game checks that the way there is free, but requires three
    /// types of terrain on one square at once, which is impossible. So it always tries ten times and takes the last
    /// place.
    fn quirk_shaken_place(&mut self, x: i32, y: i32) -> (i32, i32) {
        let mut place = (x, y);
        for _ in 0..10 {
            let far = if self.rn2(30) == 0 { 3 } else { 1 };
            let moved_x = x + self.rn2(2 * far + 1) - far;
            let moved_y = y + self.rn2(2 * far + 1) - far;
            place = (moved_x.clamp(1, COLUMNS - 1), moved_y.clamp(0, ROWS - 1));
        }
        place
    }

    /// Returns true if both sides of the level have bare floor (`verify_stairs_place`).
    fn has_room_for_stairs(&self) -> bool {
        let has =
            |mut columns: std::ops::Range<i32>| columns.any(|x| (0..ROWS).any(|y| self.terrain(x, y) == Terrain::ROOM));
        has(1..16) && has(65..COLUMNS)
    }

    /// Sets walls and light (`finalize_map`).
    fn finish_sheol(&mut self) {
        for x in 1..COLUMNS {
            for y in 0..ROWS {
                self.level.set_lit(x, y, true);
                let terrain = self.terrain(x, y);
                if terrain.is_rock() && !is_ice_wall(terrain) {
                    let flags = self.level.flags(x, y) | wall::NON_DIGGABLE;
                    self.level.set_flags(x, y, flags);
                }
            }
        }
        self.wallify_rooms();
        self.level.level_flags.maze = false;
        self.level.level_flags.cavernous = true;
    }

    /// Returns true if everything can be reached, if necessary through ice (`plug_unreachable_places`).
    fn is_connected(&mut self) -> bool {
        let mut start = None;
        for tries in (0..100).rev() {
            let x = self.rn1(COLUMNS - 2, 1);
            let y = self.rn2(ROWS);
            if matches!(self.terrain(x, y), Terrain::ROOM | Terrain::ICE) {
                // A success on the last try counts as failure.
                start = (tries > 0).then_some((x, y));
                break;
            }
        }
        let Some(start) = start else { return false };
        let open = |terrain: Terrain| matches!(terrain, Terrain::ICE | Terrain::POOL | Terrain::ROOM);
        let mut way = std::mem::take(&mut self.scratch.squares);
        let connected = self.reaches_all(start, &mut way, open, open)
            || self.reaches_all(start, &mut way, open, |terrain| open(terrain) || is_ice_wall(terrain));
        self.scratch.squares = way;
        connected
    }

    /// Returns true if every open square can be reached over passable squares.
    fn reaches_all(
        &self,
        start: Place,
        way: &mut Vec<u16>,
        open: impl Fn(Terrain) -> bool,
        passable: impl Fn(Terrain) -> bool,
    ) -> bool {
        let mut reached = Selection::new();
        reached.add(start.0, start.1);
        way.clear();
        way.push(index(start.0, start.1) as u16);
        while let Some(at) = way.pop() {
            let (x, y) = (i32::from(at) / ROWS, i32::from(at) % ROWS);
            if !(2..COLUMNS - 1).contains(&x) || !(1..ROWS - 1).contains(&y) {
                continue;
            }
            for (x, y) in [(x + 1, y), (x - 1, y), (x, y - 1), (x, y + 1)] {
                if !reached.has(x, y) && passable(self.terrain(x, y)) {
                    reached.add(x, y);
                    way.push(index(x, y) as u16);
                }
            }
        }
        (1..COLUMNS).all(|x| (0..ROWS).all(|y| !open(self.terrain(x, y)) || reached.has(x, y)))
    }
}

/// Raises the probability of floor around a square (`fuzzy_circle`).
fn widen(chances: &mut [Chance], x: i32, y: i32, fallout: i32) {
    let farthest = fallout * fallout;
    let radius = fallout.max(1);
    for column in (x - radius).max(1)..=(x + radius).min(COLUMNS - 1) {
        for row in (y - radius).max(0)..=(y + radius).min(ROWS - 1) {
            let far = distance((column, row), (x, y));
            if far > farthest {
                continue;
            }
            let chance = &mut chances[index(column, row)];
            if far <= 1 {
                chance.sure = true;
            } else {
                chance.parts = chance.parts.saturating_add(100 - (far - 1) * 100 / (farthest - 1));
                chance.out_of = chance.out_of.saturating_add(100);
            }
        }
    }
}
