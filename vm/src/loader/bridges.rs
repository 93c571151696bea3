//! Drawbridges.

use super::Loader;
use crate::level::{bridge, door, wall};
use crate::observer::Complaint;
use crate::terrain::Terrain;

impl Loader<'_> {
    /// Makes a drawbridge, which needs a wall on the side that it leads to (`create_drawbridge`).
    pub fn create_drawbridge(&mut self, x: i32, y: i32, direction: i32, open: bool) {
        let lava = self.terrain(x, y) == Terrain::LAVA;
        let (along_row, (wall_x, wall_y)) = match direction {
            bridge::NORTH => (true, (x, y - 1)),
            bridge::SOUTH => (true, (x, y + 1)),
            bridge::EAST => (false, (x + 1, y)),
            bridge::WEST => (false, (x - 1, y)),
            _ => {
                self.complain(Complaint::DrawbridgeDirection);
                (false, (x - 1, y))
            }
        };
        if self.terrain(wall_x, wall_y).is_wall() {
            if open {
                self.level.set_terrain(x, y, Terrain::DRAWBRIDGE_DOWN);
                self.level.set_terrain(wall_x, wall_y, Terrain::DOOR);
                self.level.set_flags(wall_x, wall_y, door::NO_DOOR);
            } else {
                self.level.set_terrain(x, y, Terrain::DRAWBRIDGE_UP);
                self.level.set_terrain(wall_x, wall_y, Terrain::DRAWBRIDGE_WALL);
                self.level.set_flags(wall_x, wall_y, wall::NON_DIGGABLE);
            }
            self.level.set_horizontal(x, y, !along_row);
            self.level.set_horizontal(wall_x, wall_y, along_row);
            self.level.set_flags(x, y, direction | if lava { bridge::LAVA_BELOW } else { 0 });
        } else {
            self.complain(Complaint::Drawbridge);
        }
    }
}
