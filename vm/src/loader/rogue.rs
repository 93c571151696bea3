//! INIT_MAP of the style "rogue": nine sections with a room or a crossing each (`extralev.c`).

use splc_ir::catalog::LoaderRule;

use super::Loader;
use super::rooms::Building;
use crate::error::Fault;
use crate::level::door;
use crate::observer::Complaint;
use crate::terrain::Terrain;

const UP: u8 = 1;
const DOWN: u8 = 2;
const LEFT: u8 = 4;
const RIGHT: u8 = 8;

#[derive(Clone, Copy, Default)]
struct Section {
    x: i32,
    y: i32,
    width: i32,
    height: i32,
    /// Number of its room; `None` if it has only a crossing.
    room: Option<usize>,
    real: bool,
    doors: u8,
}

type Sections = [[Section; 3]; 3];

impl Loader<'_> {
    /// Makes the rooms and corridors (`makeroguerooms`).
    #[allow(clippy::needless_range_loop)] // the order of the draws is that of columns within rows
    pub fn make_rogue_rooms(&mut self) -> Result<(), Fault> {
        let mut sections: Sections = Default::default();
        let mut rooms = 0;
        for y in 0..3 {
            for x in 0..3 {
                let last_row = y == 2;
                let rows = if last_row { 4 } else { 3 };
                let mut section = Section::default();
                // There is always at least one room.
                if self.rn2(5) == 0 && (rooms > 0 || (x < 2 && y < 2)) {
                    section.x = self.rn1(22, 2);
                    section.y = self.rn1(rows, 2);
                } else {
                    section.real = true;
                    section.width = self.rn1(22, 2);
                    section.height = self.rn1(rows, 2);
                    section.x = self.rnd(23 - section.width + 1);
                    section.y = self.rnd(if last_row { 5 } else { 4 } - section.height + 1);
                    rooms += 1;
                }
                sections[x][y] = section;
            }
        }
        let (x, y) = self.quirk_first_section();
        self.connect_sections(&mut sections, x as usize, y as usize);
        self.level.room_count = 0;
        for y in 0..3 {
            for x in 0..3 {
                let section = sections[x][y];
                if !section.real {
                    continue;
                }
                let number = self.level.room_count;
                sections[x][y].room = Some(number);
                self.scratch.joined[number] = number as i32;
                let (low_x, low_y) = (1 + 26 * x as i32 + section.x, 7 * y as i32 + section.y);
                let lit = self.rn2(7) == 0;
                let bounds = [low_x, low_y, low_x + section.width - 1, low_y + section.height - 1];
                self.add_room(bounds, lit, 0, Building::Built)?;
            }
        }
        for y in 0..3 {
            for x in 0..3 {
                if sections[x][y].doors & DOWN != 0 {
                    self.rogue_corridor(&mut sections, x, y, DOWN);
                }
                if sections[x][y].doors & RIGHT != 0 {
                    self.rogue_corridor(&mut sections, x, y, RIGHT);
                }
                if sections[x][y].doors & (LEFT | UP) != 0 {
                    self.complain(Complaint::NeverConnected);
                }
            }
        }
        Ok(())
    }

    /// Draws the section where the walk begins. Both numbers are drawn in the arguments of one call, and the games'
    /// compilers evaluate the last argument first.
    fn quirk_first_section(&mut self) -> (i32, i32) {
        let y = self.rn2(3);
        (self.rn2(3), y)
    }

    /// Walks through the sections and marks the corridors (`miniwalk`).
    fn connect_sections(&mut self, sections: &mut Sections, mut x: usize, mut y: usize) {
        loop {
            let mut choices = [0; 4];
            let mut count = 0;
            let doors = sections[x][y].doors;
            let ways = [
                (x > 0 && doors & LEFT == 0, (x.wrapping_sub(1), y)),
                (x < 2 && doors & RIGHT == 0, (x + 1, y)),
                (y > 0 && doors & UP == 0, (x, y.wrapping_sub(1))),
                (y < 2 && doors & DOWN == 0, (x, y + 1)),
            ];
            for (way, (free, (to_x, to_y))) in ways.into_iter().enumerate() {
                if free && (sections[to_x][to_y].doors == 0 || self.rn2(10) == 0) {
                    choices[count] = way;
                    count += 1;
                }
            }
            if count == 0 {
                return;
            }
            let (out, back) =
                [(LEFT, RIGHT), (RIGHT, LEFT), (UP, DOWN), (DOWN, UP)][choices[self.rn2(count as i32) as usize & 3]];
            sections[x][y].doors |= out;
            match out {
                LEFT => x -= 1,
                RIGHT => x += 1,
                UP => y -= 1,
                _ => y += 1,
            }
            sections[x][y].doors |= back;
            self.connect_sections(sections, x, y);
        }
    }

    /// Makes one end of a corridor: a door in the room's wall, or the crossing.
    fn rogue_end(&mut self, section: Section, x: usize, y: usize, side: u8) -> (i32, i32) {
        let (left, top) = (1 + 26 * x as i32, 7 * y as i32);
        let Some(room) = section.room else { return (left + section.x, top + section.y) };
        let (mut end_x, mut end_y) = match side {
            DOWN => (section.x + self.rn2(section.width), section.y + section.height),
            UP => (section.x + self.rn2(section.width), section.y - 1),
            RIGHT => (section.x + section.width, section.y + self.rn2(section.height)),
            _ => (section.x - 1, section.y + self.rn2(section.height)),
        };
        (end_x, end_y) = (end_x + left, end_y + top);
        if !self.terrain(end_x, end_y).is_wall() {
            self.complain(Complaint::NoWallForDoor);
        }
        self.make_corridor_door(end_x, end_y, room);
        self.level.set_flags(end_x, end_y, door::NO_DOOR);
        match side {
            DOWN => (end_x, end_y + 1),
            UP => (end_x, end_y - 1),
            RIGHT => (end_x + 1, end_y),
            _ => (end_x - 1, end_y),
        }
    }

    /// Makes a corridor between two sections (`roguecorr`).
    fn rogue_corridor(&mut self, sections: &mut Sections, x: usize, y: usize, side: u8) {
        sections[x][y].doors &= !side;
        let from = self.rogue_end(sections[x][y], x, y, side);
        let (to_x, to_y, back) = if side == DOWN { (x, y + 1, UP) } else { (x + 1, y, LEFT) };
        let Some(section) = sections.get_mut(to_x).and_then(|column| column.get_mut(to_y)) else {
            self.complain(Complaint::CorridorGoesNowhere);
            return;
        };
        section.doors &= !back;
        let section = *section;
        let to = self.rogue_end(section, to_x, to_y, back);
        self.rogue_join(from, to, side == RIGHT);
    }

    /// Digs a corridor with two bends (`roguejoin`).
    fn rogue_join(&mut self, (x1, y1): (i32, i32), (x2, y2): (i32, i32), horizontal: bool) {
        let span = |one: i32, other: i32| one.min(other)..=one.max(other);
        if horizontal {
            let middle = x1 + self.rn2(x2 - x1 + 1);
            span(x1, middle).for_each(|x| self.rogue_square(x, y1));
            span(y1, y2).for_each(|y| self.rogue_square(middle, y));
            span(middle, x2).for_each(|x| self.rogue_square(x, y2));
        } else {
            let middle = y1 + self.rn2(y2 - y1 + 1);
            span(y1, middle).for_each(|y| self.rogue_square(x1, y));
            span(x1, x2).for_each(|x| self.rogue_square(x, middle));
            span(middle, y2).for_each(|y| self.rogue_square(x2, y));
        }
    }

    fn rogue_square(&mut self, x: i32, y: i32) {
        let secret = self.has(LoaderRule::SecretRogueCorridors) && self.rn2(50) == 0;
        self.level.set_terrain(x, y, if secret { Terrain::SECRET_CORRIDOR } else { Terrain::CORRIDOR });
    }
}
