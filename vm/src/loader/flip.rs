//! Flipping a finished level, top to bottom and left to right (UnNetHack 6.0.4, `flip_level`).

use splc_ir::catalog::LoaderRule;

use super::Loader;
use crate::error::Fault;
use crate::level::{COLUMNS, Mirror, Place, ROWS, bridge};
use crate::observer::Event;
use crate::terrain::Terrain;

/// The area that is flipped.
#[derive(Clone, Copy)]
struct Area {
    min_x: i32,
    min_y: i32,
    max_x: i32,
    max_y: i32,
}

impl Area {
    fn has(&self, x: i32, y: i32) -> bool {
        x >= self.min_x && x <= self.max_x && y >= self.min_y && y <= self.max_y
    }

    fn flip_x(&self, x: i32) -> i32 {
        if self.has(x, self.min_y) { self.max_x - x + self.min_x } else { x }
    }

    fn flip_y(&self, y: i32) -> i32 {
        if self.has(self.min_x, y) { self.max_y - y + self.min_y } else { y }
    }
}

/// Directions in which a level may be flipped, or is flipped.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Flips {
    pub top_to_bottom: bool,
    pub left_to_right: bool,
}

impl Loader<'_> {
    /// Flips the level at random (`flip_level_rnd`).
    pub fn flip_at_random(&mut self, allowed: Flips) -> Result<(), Fault> {
        let top_to_bottom = allowed.top_to_bottom && self.rn2(2) != 0;
        let left_to_right = allowed.left_to_right && self.rn2(2) != 0;
        if self.has(LoaderRule::TracesAreDetailed) {
            let bits = |vertical: bool, horizontal: bool| i32::from(vertical) | i32::from(horizontal) << 1;
            let (how, allowed) =
                (bits(top_to_bottom, left_to_right), bits(allowed.top_to_bottom, allowed.left_to_right));
            self.report(Event::Flipped { how, allowed });
        }
        if top_to_bottom || left_to_right {
            self.flip(Flips { top_to_bottom, left_to_right })?;
        }
        Ok(())
    }

    fn flip(&mut self, flips: Flips) -> Result<(), Fault> {
        let [min_x, min_y, max_x, max_y] = self.extents();
        let area = Area {
            min_x: min_x.max(1),
            min_y: min_y.max(0),
            max_x: max_x.min(COLUMNS - 1),
            max_y: max_y.min(ROWS - 1),
        };
        let Flips { top_to_bottom: vertical, left_to_right: horizontal } = flips;
        let beyond = self.has(LoaderRule::FlipsReachBeyond);
        let flip_x = |x: i32| match horizontal {
            true if beyond => area.max_x - x + area.min_x,
            true => area.flip_x(x),
            false => x,
        };
        let flip_y = |y: i32| match vertical {
            true if beyond => area.max_y - y + area.min_y,
            true => area.flip_y(y),
            false => y,
        };
        let flip = |(x, y): Place| (flip_x(x), flip_y(y));
        self.level.mirror = Some(Mirror {
            area: [area.min_x, area.min_y, area.max_x, area.max_y],
            left_to_right: horizontal,
            top_to_bottom: vertical,
        });

        let stairs = &mut self.level.stairs;
        for place in [&mut stairs.up, &mut stairs.down, &mut stairs.ladder_up, &mut stairs.ladder_down] {
            if place.0 != 0 || !beyond {
                *place = flip(*place);
            }
        }
        for stairway in &mut self.level.stairways {
            (stairway.x, stairway.y) = flip((stairway.x, stairway.y));
        }

        for trap in self.level.traps.iter_mut().filter(|trap| area.has(trap.x, trap.y)) {
            (trap.x, trap.y) = flip((trap.x, trap.y));
        }
        for object in self.level.objects.iter_mut().filter(|object| area.has(object.x, object.y)) {
            (object.x, object.y) = flip((object.x, object.y));
        }
        for gold in self.level.gold.iter_mut().filter(|gold| area.has(gold.x, gold.y)) {
            (gold.x, gold.y) = flip((gold.x, gold.y));
        }
        for monster in self.level.monsters.iter_mut().filter(|monster| area.has(monster.x, monster.y)) {
            (monster.x, monster.y) = flip((monster.x, monster.y));
        }
        for (_, ground) in &mut self.level.grounds {
            *ground = ground.moved(|(x, y)| if area.has(x, y) { flip((x, y)) } else { (x, y) });
        }
        for priest in &mut self.level.priests {
            (priest.x, priest.y) = flip((priest.x, priest.y));
        }
        let materials = std::mem::take(&mut self.level.materials).into_iter();
        let moved = |(x, y)| if area.has(x, y) { flip((x, y)) } else { (x, y) };
        self.level.materials = materials.map(|(place, material)| (moved(place), material)).collect();
        for launch in self.level.traps.iter_mut().filter_map(|trap| trap.launch.as_mut()) {
            *launch = flip(*launch);
        }
        for grave in &mut self.level.graves {
            (grave.x, grave.y) = flip((grave.x, grave.y));
        }
        for engraving in &mut self.level.engravings {
            (engraving.x, engraving.y) = flip((engraving.x, engraving.y));
        }
        let rectangle = |[x1, y1, x2, y2]: [i32; 4]| {
            let (mut low, mut high) = (flip((x1, y1)), flip((x2, y2)));
            if horizontal && low.0 > high.0 {
                (low.0, high.0) = (high.0, low.0);
            }
            if vertical && low.1 > high.1 {
                (low.1, high.1) = (high.1, low.1);
            }
            [low.0, low.1, high.0, high.1]
        };
        for zone in &mut self.level.zones {
            zone.area = rectangle(zone.area);
        }
        for square in self.level.clouds.iter_mut().flat_map(|cloud| &mut cloud.squares) {
            *square = flip(*square);
        }
        for region in &mut self.scratch.regions {
            region.within = rectangle(region.within);
            region.outside = rectangle(region.outside);
        }
        for number in 0..self.level.rooms.len() {
            if self.level.rooms[number].high_x < 0 {
                break;
            }
            let subrooms = self.level.rooms[number].subrooms;
            let count = usize::from(self.level.rooms[number].subroom_count);
            for at in std::iter::once(number).chain(subrooms[..count].iter().map(|&at| usize::from(at))) {
                let room = &mut self.level.rooms[at];
                [room.low_x, room.low_y, room.high_x, room.high_y] =
                    rectangle([room.low_x, room.low_y, room.high_x, room.high_y]);
            }
        }
        for door in &mut self.level.doors[..self.level.door_count] {
            if door.0 != 0 && area.has(door.0, door.1) {
                // `flip` handles the row first; the range check of the column does not depend on it.
                *door = flip(*door);
            }
        }

        if self.level.all_terrain().iter().any(|terrain| terrain.is_drawbridge()) {
            self.flip_bridges(area, flips);
        }
        if vertical {
            for x in area.min_x..=area.max_x {
                self.level.reverse_column(x, area.min_y, area.max_y);
            }
        }
        if horizontal {
            for x in area.min_x..area.min_x + (area.max_x - area.min_x + 1) / 2 {
                self.level.swap_columns(x, area.flip_x(x), area.min_y, area.max_y);
            }
        }
        self.level.index_monsters();
        self.level.index_traps();
        self.extend_walls(1, 0, COLUMNS - 1, ROWS - 1)
    }

    /// Turns the drawbridges, before they are moved.
    fn flip_bridges(&mut self, area: Area, flips: Flips) {
        // Drawbridges in the middle row or column stay there and are not turned.
        let middle_x = area.min_x + (area.max_x - area.min_x + 1) / 2;
        let middle_y = area.min_y + (area.max_y - area.min_y + 1) / 2;
        for x in area.min_x..=area.max_x {
            for y in area.min_y..=area.max_y {
                if flips.top_to_bottom && (y < middle_y || area.flip_y(y) < middle_y) {
                    self.flip_bridge(x, y, bridge::NORTH, bridge::SOUTH);
                }
                if flips.left_to_right && (x < middle_x || area.flip_x(x) < middle_x) {
                    self.flip_bridge(x, y, bridge::WEST, bridge::EAST);
                }
            }
        }
    }

    /// Turns a drawbridge that leads in one of two directions (`flip_drawbridge_horizontal` and similar). The games
    /// clear the bits of the old direction and set those of the new.
    fn flip_bridge(&mut self, x: i32, y: i32, one: i32, other: i32) {
        if !self.terrain(x, y).is_drawbridge() {
            return;
        }
        let flags = self.level.flags(x, y);
        let (from, to) = match flags & bridge::DIRECTION {
            direction if direction == one => (one, other),
            direction if direction == other => (other, one),
            _ => return,
        };
        self.level.set_flags(x, y, (flags & !from) | to);
    }

    /// Extent of the level with a margin (`get_level_extends`): first column and row, last column and row.
    fn extents(&self) -> [i32; 4] {
        let maze = self.level.level_flags.maze;
        // Checks if a line of squares is empty, has only walls, or has more.
        let look = |squares: &mut dyn Iterator<Item = Terrain>| {
            squares.fold((false, false), |(found, open), terrain| {
                (found || terrain != Terrain::STONE, open || (terrain != Terrain::STONE && !terrain.is_wall()))
            })
        };
        let margin = |open: bool| if open || !maze { 2 } else { 1 };
        let column = |x: i32| look(&mut (0..ROWS).map(|y| self.terrain(x, y)));

        let mut min_x = 0;
        let mut open = false;
        while min_x <= COLUMNS {
            let (found, more) = column(min_x);
            min_x += 1;
            if found {
                open = more;
                break;
            }
        }
        min_x = (min_x - margin(open)).max(0);

        let mut max_x = COLUMNS - 1;
        open = false;
        while max_x >= 0 {
            let (found, more) = column(max_x);
            max_x -= 1;
            if found {
                open = more;
                break;
            }
        }
        max_x = (max_x + margin(open)).min(COLUMNS - 1);

        let row = |y: i32| look(&mut (min_x..=max_x).map(|x| self.terrain(x, y)));
        let mut min_y = 0;
        open = false;
        while min_y <= ROWS {
            let (found, more) = row(min_y);
            min_y += 1;
            if found {
                open = more;
                break;
            }
        }
        min_y -= margin(open);

        let mut max_y = ROWS - 1;
        open = false;
        while max_y >= 0 {
            let (found, more) = row(max_y);
            max_y -= 1;
            if found {
                open = more;
                break;
            }
        }
        max_y += margin(open);
        [min_x, min_y, max_x, max_y]
    }
}
