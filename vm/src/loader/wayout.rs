//! Flood fills, and exits from enclosed places.

use splc_ir::catalog::LoaderRule;

use super::Loader;
use crate::error::Fault;
use crate::level::{COLUMNS, Place, ROWS, SQUARES, is_ok};
use crate::selection::Selection;
use crate::terrain::Terrain;

/// Squares to which a flood spreads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Spread {
    /// Orthogonal neighbours of this terrain.
    Same(Terrain),
    /// Neighbours of this terrain, including diagonal ones.
    SameAround(Terrain),
    /// Neighbours that are accessible or hide a door or corridor, including diagonal ones.
    Accessible,
}

impl Loader<'_> {
    /// Adds to a selection all squares with the terrain of a place that are connected to it. It follows a game that
    /// queues a square again each time it is found: the fill fails when the queue exceeds the squares of a level
    /// (`selection_floodfill`).
    pub fn spread_to_the_brim(&mut self, selection: &mut Selection, (x, y): Place) -> Result<(), Fault> {
        let same = self.terrain(x, y);
        let mut seen = Selection::new();
        let mut way = std::mem::take(&mut self.scratch.squares);
        way.clear();
        way.push((x << 8 | y) as u16);
        let mut fits = true;
        while let Some(at) = way.pop().filter(|_| fits) {
            let (x, y) = (i32::from(at >> 8), i32::from(at & 0xff));
            selection.add(x, y);
            seen.add(x, y);
            for (x, y) in [(x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)] {
                if is_ok(x, y) && self.terrain(x, y) == same && !seen.has(x, y) {
                    fits &= way.len() < SQUARES;
                    if fits {
                        way.push((x << 8 | y) as u16);
                    }
                }
            }
        }
        self.scratch.squares = way;
        if fits { Ok(()) } else { Err(Fault::FloodOverrun) }
    }

    /// Adds to a selection all squares connected to a place (`selection_floodfill`).
    pub fn spread(&mut self, selection: &mut Selection, start: Place, spread: Spread) {
        let goes_on = |loader: &Self, x: i32, y: i32| {
            is_ok(x, y) && {
                let terrain = loader.terrain(x, y);
                match spread {
                    Spread::Same(same) | Spread::SameAround(same) => terrain == same,
                    Spread::Accessible => {
                        terrain.is_accessible() || matches!(terrain, Terrain::SECRET_DOOR | Terrain::SECRET_CORRIDOR)
                    }
                }
            }
        };
        let neighbours = [(1, 0), (-1, 0), (0, 1), (0, -1), (1, 1), (-1, -1), (-1, 1), (1, -1)];
        let neighbours = if matches!(spread, Spread::Same(_)) { &neighbours[..4] } else { &neighbours[..] };
        let mut seen = Selection::new();
        let mut way = std::mem::take(&mut self.scratch.squares);
        way.clear();
        let pack = |x: i32, y: i32| (x << 8 | y) as u16;
        if (0..COLUMNS).contains(&start.0) && (0..ROWS).contains(&start.1) {
            way.push(pack(start.0, start.1));
            seen.add(start.0, start.1);
        }
        while let Some(at) = way.pop() {
            let (x, y) = (i32::from(at >> 8), i32::from(at & 0xff));
            if is_ok(x, y) {
                selection.add(x, y);
            }
            for (dx, dy) in neighbours {
                let (x, y) = (x + dx, y + dy);
                if goes_on(self, x, y) && !seen.has(x, y) {
                    seen.add(x, y);
                    way.push(pack(x, y));
                }
            }
        }
        self.scratch.squares = way;
    }

    /// Draws a square of a selection (`selection_rndcoord`).
    pub fn random_square(&mut self, selection: &Selection) -> Option<Place> {
        let count = selection.count_on_map();
        if count == 0 {
            return None;
        }
        let position = self.rn2(count);
        selection.nth_on_map(position)
    }

    /// Opens every part of the level without an exit (`ensure_way_out`).
    pub fn ensure_ways_out(&mut self) -> Result<(), Fault> {
        let mut open = Selection::new();
        let stairs = self.level.stairs;
        for place in [stairs.up, stairs.down, stairs.ladder_up, stairs.ladder_down] {
            if place.0 != 0 && !open.has(place.0, place.1) {
                self.spread(&mut open, place, Spread::Accessible);
            }
        }
        let traps = self.game.traps;
        for at in 0..self.level.traps.len() {
            let trap = self.level.traps[at];
            let leads_away = trap.kind == traps.magic_portal
                || (trap.kind == traps.vibrating_square && trap.kind != 0)
                || traps.is_hole(trap.kind);
            if leads_away && !open.has(trap.x, trap.y) {
                self.spread(&mut open, (trap.x, trap.y), Spread::Accessible);
            }
        }
        loop {
            let closed = (0..COLUMNS)
                .flat_map(|x| (0..ROWS).map(move |y| (x, y)))
                .find(|&(x, y)| self.terrain(x, y).is_accessible() && !open.has(x, y));
            let Some((x, y)) = closed else { return Ok(()) };
            self.make_way_out(x, y, &open)?;
            self.spread(&mut open, (x, y), Spread::Accessible);
            if !open.has(x, y) {
                return Err(Fault::NoWayOut);
            }
        }
    }

    /// Makes an exit from a place (`generate_way_out_method`): a door, a hole, or a tool.
    fn make_way_out(&mut self, x: i32, y: i32, open: &Selection) -> Result<(), Fault> {
        let mut closed = Selection::new();
        self.spread(&mut closed, (x, y), Spread::Accessible);
        let mut left = closed;
        let door = if self.has(LoaderRule::OpenWaysOut) { Terrain::DOOR } else { Terrain::SECRET_DOOR };
        while let Some((x, y)) = self.random_square(&left) {
            left.remove(x, y);
            for (dx, dy) in [(1, 0), (-1, 0), (0, 1), (0, -1)] {
                let (wall, beyond) = ((x + dx, y + dy), (x + 2 * dx, y + 2 * dy));
                if is_ok(wall.0, wall.1)
                    && !open.has(wall.0, wall.1)
                    && self.terrain(wall.0, wall.1).is_wall()
                    && is_ok(beyond.0, beyond.1)
                    && open.has(beyond.0, beyond.1)
                    && self.terrain(beyond.0, beyond.1).is_accessible()
                {
                    self.level.set_terrain(wall.0, wall.1, door);
                    return Ok(());
                }
            }
        }
        if !self.level.level_flags.hard_floor {
            let mut left = closed;
            while let Some((x, y)) = self.random_square(&left) {
                left.remove(x, y);
                let kind = if self.rn2(2) != 0 { self.game.traps.hole } else { self.game.traps.trap_door };
                if self.make_trap(x, y, kind) {
                    return Ok(());
                }
            }
        }
        let Some((x, y)) = self.random_square(&closed) else { return Err(Fault::NoWayOut) };
        let item = self.rn2(self.game.escape_item_count as i32);
        self.make_object(self.game.escape_items[item as usize % 8], x, y);
        Ok(())
    }
}
