//! Levels of maps (`load_maze`).

use splc_ir::parts::{Door, Drawbridge, Grid, LevelRegion, Maze, Part, Protected, Region, Stair};

use super::Parts;
use crate::error::Fault;
use crate::level::{COLUMNS, Laying, Place, ROWS, door, wall};
use crate::limits::{MAX_WALKS, REGISTERS};
use crate::loader::{EAST, Humidity, NORTH, RegionRequest, SOUTH, WEST};
use crate::terrain::Terrain;

/// The second of two stairs is farther than this from the first, if possible.
const NEAR_STAIRS: i32 = 8;

/// MAZEWALKs that wait until the last part is laid.
pub(super) struct Walks {
    list: [(Place, i32); MAX_WALKS],
    count: usize,
}

impl Walks {
    pub const NONE: Walks = Walks { list: [((0, 0), 0); MAX_WALKS], count: 0 };

    /// The MAZEWALKs in the order of the level.
    pub fn list(&self) -> &[(Place, i32)] {
        &self.list[..self.count]
    }
}

impl Parts<'_> {
    /// Lays the parts over the level, then carves the mazes between them.
    pub(super) fn maze(&mut self, maze: &Maze) -> Result<(), Fault> {
        if !self.loader.init_present {
            self.fill(maze.filling);
        }
        for part in &maze.parts {
            self.part(part)?;
        }
        // The last MAZEWALK is run first.
        for at in (0..self.walks.count).rev() {
            let (place, direction) = self.walks.list[at];
            self.begin()?;
            if ![NORTH, SOUTH, EAST, WEST].contains(&direction) {
                return Err(Fault::MazewalkDirection);
            }
            self.loader.mazewalk(place, direction, -1, false)?;
        }
        self.end();
        self.loader.wallification(1, 0, COLUMNS - 1, ROWS - 1)?;
        if self.walks.count > 0 {
            self.loader.stock_maze()?;
        }
        Ok(())
    }

    /// Fills the level before anything is laid over it: with one terrain, or with the grid of a maze for -1.
    fn fill(&mut self, filling: i8) {
        let loader = &mut self.loader;
        if filling == -1 {
            loader.fill_maze_grid(Some(Terrain::HORIZONTAL_WALL));
        } else {
            // No light is set (light -2): even lava is dark.
            let Some(terrain) = loader.game.terrain(filling.into()) else { return };
            for x in 2..=loader.maze_columns {
                for y in 0..=loader.maze_rows {
                    loader.level.set_terrain(x, y, terrain);
                }
            }
        }
    }

    fn part(&mut self, part: &Part) -> Result<(), Fault> {
        self.begin()?;
        self.lay_map(part)?;
        for region in &part.level_regions {
            self.begin()?;
            self.level_region(&region.node)?;
        }
        self.random_regions.clear();
        for region in &part.random_regions {
            self.begin()?;
            self.random_regions.push(region.node.clone());
        }
        self.object_registers = self.fill_registers(self.object_registers, &part.object_registers);
        self.place_registers = self.fill_registers(self.place_registers, &part.place_registers.first);
        self.place_lists.clear();
        for list in &part.place_registers.others {
            let list = self.fill_registers([(0, 0); REGISTERS], list);
            self.place_lists.push(list);
        }
        self.monster_registers = self.fill_registers(self.monster_registers, &part.monster_registers);
        for region in &part.regions {
            self.begin()?;
            self.region(&region.node)?;
        }
        for door in &part.doors {
            self.begin()?;
            self.door(&door.node)?;
        }
        for room in 0..self.loader.level.room_count {
            let fill = std::mem::take(&mut self.loader.level.rooms[room].fill);
            if fill != 0 {
                self.loader.fill_room(room, fill == 2);
            }
        }
        self.remove_boundaries(&part.map);
        for bridge in &part.drawbridges {
            self.begin()?;
            let Drawbridge { x, y, direction, open } = bridge.node;
            let (x, y) = self.location(x, y, Self::anywhere())?;
            self.loader.create_drawbridge(x, y, direction.into(), open != 0);
        }
        for walk in &part.walks {
            self.begin()?;
            let place = self.location(walk.node.x, walk.node.y, Self::anywhere())?;
            let walks = &mut self.walks;
            *walks.list.get_mut(walks.count).ok_or(Fault::Memory)? = (place, walk.node.direction.into());
            walks.count += 1;
        }
        for (list, property) in [(&part.non_diggable, wall::NON_DIGGABLE), (&part.non_passwall, wall::NON_PASSABLE)] {
            for area in list {
                self.begin()?;
                let Protected { x1, y1, x2, y2 } = area.node;
                let area = self.area(x1, y1, x2, y2)?;
                self.loader.set_wall_property(area, property);
            }
        }
        for ladder in &part.ladders {
            self.begin()?;
            let (x, y) = self.location(ladder.node.x, ladder.node.y, Humidity::DRY)?;
            self.loader.make_ladder(x, y, ladder.node.up == 1);
        }
        self.last_stair = None;
        for stair in &part.stairs {
            self.begin()?;
            self.last_stair = Some(self.part_stair(&stair.node, self.last_stair)?);
        }
        for altar in &part.altars {
            self.begin()?;
            self.altar(&altar.node, None)?;
        }
        for fountain in &part.fountains {
            self.begin()?;
            self.feature(&fountain.node, Terrain::FOUNTAIN, None)?;
        }
        self.own_places(&part.places, None)?;
        for trap in &part.traps {
            self.begin()?;
            self.trap(&trap.node, None)?;
        }
        for monster in &part.monsters {
            self.begin()?;
            self.monster(&monster.node, None)?;
        }
        for object in &part.objects {
            self.begin()?;
            self.object(&object.node, None)?;
        }
        for gold in &part.gold {
            self.begin()?;
            self.gold(&gold.node, None)?;
        }
        for engraving in &part.engravings {
            self.begin()?;
            self.engraving(&engraving.node, None)?;
        }
        Ok(())
    }

    /// Places a part's map and lays it.
    fn lay_map(&mut self, part: &Part) -> Result<(), Fault> {
        let Grid { width, height, ref squares } = part.map;
        let width = i32::from(i8::try_from(width).map_err(|_| Fault::MapSize)?);
        let height = i32::from(i8::try_from(height).map_err(|_| Fault::MapSize)?);
        let loader = &mut self.loader;
        let (columns, rows) = (loader.maze_columns, loader.maze_rows);
        match part.horizontal {
            1 => loader.start_x = 3,
            2 => loader.start_x = 2 + (columns - 2 - width) / 4,
            3 => loader.start_x = 2 + (columns - 2 - width) / 2,
            4 => loader.start_x = 2 + (columns - 2 - width) * 3 / 4,
            5 => loader.start_x = columns - width - 1,
            _ => {}
        }
        match part.vertical {
            1 => loader.start_y = 3,
            3 => loader.start_y = 2 + (rows - 2 - height) / 2,
            5 => loader.start_y = rows - height - 1,
            _ => {}
        }
        // Mazes are carved on odd columns and rows.
        if loader.start_x % 2 == 0 {
            loader.start_x += 1;
        }
        if loader.start_y % 2 == 0 {
            loader.start_y += 1;
        }
        loader.move_map_onto_level(height)?;
        if loader.start_x < 0 || loader.start_x + width > COLUMNS {
            return Err(Fault::MapSize);
        }
        (loader.size_x, loader.size_y) = (width, height);
        if loader.init_present && width <= 1 && height <= 1 {
            (loader.start_x, loader.start_y) = (1, 0);
            (loader.size_x, loader.size_y) = (COLUMNS - 1, ROWS);
            return Ok(());
        }
        let (start_x, start_y) = (loader.start_x, loader.start_y);
        let area = (width.max(0) * height.max(0)) as usize;
        let squares = squares.get(..area).ok_or(Fault::MapData)?;
        let drawing = &mut loader.scratch.drawing;
        let terrain = |number: u8| Some(loader.game.terrain(number.into()).unwrap_or_default());
        drawing.draw(squares, width.max(0) as usize, terrain);
        loader.level.lay((start_x, start_y), drawing, Laying::Touching);
        if loader.init_present && self.plan.level.init.node.joined != 0 {
            loader.remove_rooms([start_x, start_y, start_x + width, start_y + height]);
        }
        Ok(())
    }

    /// Processes an entrance or exit of the level.
    fn level_region(&mut self, region: &LevelRegion) -> Result<(), Fault> {
        let LevelRegion { inside_x1, inside_y1, inside_x2, inside_y2, .. } = *region;
        let LevelRegion { outside_x1, outside_y1, outside_x2, outside_y2, .. } = *region;
        let within = match region.inside_level {
            0 => self.area(inside_x1, inside_y1, inside_x2, inside_y2)?,
            _ => [inside_x1, inside_y1, inside_x2, inside_y2].map(i32::from),
        };
        let outside = match region.outside_level {
            0 => self.area(outside_x1, outside_y1, outside_x2, outside_y2)?,
            _ => [outside_x1, outside_y1, outside_x2, outside_y2].map(i32::from),
        };
        let target = region.level.as_deref().unwrap_or_default();
        self.loader.add_region((within, true), (outside, true), region.kind.into(), target);
        Ok(())
    }

    /// Turns a region into a room, or only sets its light.
    fn region(&mut self, region: &Region) -> Result<(), Fault> {
        let lit = if region.light < 0 { self.loader.random_light() } else { region.light != 0 };
        let area = self.area(region.x1, region.y1, region.x2, region.y2)?;
        let request = RegionRequest {
            filled: false,
            area,
            kind: region.kind.into(),
            light: region.light.into(),
            irregular: region.irregular != 0,
            joined: true,
        };
        self.loader.make_region(&request, area, lit)?;
        Ok(())
    }

    /// Makes a door, which belongs to all rooms that it is in or next to.
    fn door(&mut self, request: &Door) -> Result<(), Fault> {
        let state = if request.state == -1 {
            self.loader.random_door_state()
        } else {
            self.prepared.game.door_state(request.state.into()).0
        };
        let (x, y) = self.location(request.x, request.y, Humidity::DRY)?;
        let loader = &mut self.loader;
        if loader.terrain(x, y) == Terrain::SECRET_DOOR {
            loader.level.set_flags(x, y, state.max(door::CLOSED));
        } else {
            loader.level.set_terrain(x, y, Terrain::DOOR);
            loader.level.set_flags(x, y, state);
        }
        for room in 0..loader.level.room_count {
            loader.link_door(x, y, room);
        }
        Ok(())
    }

    /// Turns cross walls, which only bound regions, into floor.
    fn remove_boundaries(&mut self, map: &Grid) {
        let loader = &mut self.loader;
        let is_boundary = |&number: &u8| loader.game.terrain(number.into()) == Some(Terrain::CROSS_WALL);
        if !map.squares.iter().any(is_boundary) {
            return;
        }
        for x in loader.start_x..loader.start_x + loader.size_x {
            for y in loader.start_y..loader.start_y + loader.size_y {
                if loader.terrain(x, y) == Terrain::CROSS_WALL {
                    loader.level.set_terrain(x, y, Terrain::ROOM);
                }
            }
        }
    }

    /// Makes stairs, not too near to the last stairs of the part. Returns their place.
    fn part_stair(&mut self, stair: &Stair, last: Option<Place>) -> Result<Place, Fault> {
        let mut place = self.location(stair.x, stair.y, Humidity::DRY)?;
        if let Some(last) = last {
            for _ in 0..100 {
                if (place.0 - last.0).abs().max((place.1 - last.1).abs()) > NEAR_STAIRS {
                    break;
                }
                place = self.location(stair.x, stair.y, Humidity::DRY)?;
            }
        }
        let (x, y) = place;
        if let Some(trap) = self.loader.level.trap_at(x, y) {
            self.loader.level.remove_trap(trap);
        }
        self.loader.make_stairs(x, y, stair.up != 0, None);
        Ok(place)
    }
}
