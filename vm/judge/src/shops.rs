//! Checks of shops: a keeper must come, goods must have places, and the only exit must lead past the keeper.
//!
//! A keeper stands inside the first door of the shop, and no goods lie next to that door (`shkinit` and `stock_room` in
//! `src/shknam.c`). Without a door there is neither keeper nor goods.

use splc_ir::catalog::Format;
use splc_vm::internals::{FIRST_ROOM_NUMBER, index, is_ok};
use splc_vm::{Level, Place, Room, SQUARES};

use crate::places::squares_of as squares_within;
use crate::{Defect, Judge, Scene, Subject};

/// Squares within the walls of a room, except those of its subrooms.
fn squares_of<'a>(room: &'a Room, number: usize, level: &'a Level) -> impl Iterator<Item = Place> + 'a {
    let mark = number as i32 + FIRST_ROOM_NUMBER;
    let subrooms = &room.subrooms[..usize::from(room.subroom_count)];
    (room.low_x..=room.high_x).flat_map(|x| (room.low_y..=room.high_y).map(move |y| (x, y))).filter(move |&(x, y)| {
        is_ok(x, y)
            && !subrooms.iter().any(|&subroom| level.rooms[usize::from(subroom)].has(x, y))
            && (!room.irregular || (level.room_number(x, y) == mark && !level.is_edge(x, y)))
    })
}

impl Judge {
    /// Checks every shop that the game stocks.
    pub(crate) fn shops(&mut self, scene: &Scene<'_>) {
        let (level, first) = (scene.level, scene.program.game.rooms.shop);
        // The games of Lua levels look for free squares.
        let catalog = &scene.program.game.catalog;
        let court = catalog.room("throne").filter(|_| catalog.format != Format::Lua);
        for number in 0..level.rooms.len() {
            let room = &level.rooms[number];
            let is_court = Some(room.kind) == court && !room.irregular;
            if room.high_x < 0 || (room.kind < first && !is_court) || !room.stocked {
                continue;
            }
            let chronicle = scene.chronicle;
            let maker = match number.checked_sub(splc_vm::internals::SUBROOMS) {
                Some(subroom) => chronicle.subroom(subroom),
                None => chronicle.room(number),
            };
            let at = maker.map(|maker| maker.at).filter(|&at| at < scene.program.len());
            if is_court {
                let inside = (room.low_x..=room.high_x).flat_map(|x| (room.low_y..=room.high_y).map(move |y| (x, y)));
                let rock = inside.into_iter().find(|&(x, y)| is_ok(x, y) && level.terrain(x, y).is_rock());
                if rock.is_some() {
                    self.add(Defect::RockInThroneRoom, at, rock, Subject::Room(room.kind));
                }
                continue;
            }
            if !room.irregular {
                let rock = squares_of(room, number, level).find(|&(x, y)| level.terrain(x, y).is_rock());
                if rock.is_some() {
                    self.add(Defect::RockInShop, at, rock, Subject::Room(room.kind));
                }
            }
            self.way_in(number, at, scene);
            for defect in defects(room, number, level) {
                self.add(defect, at, Some((room.low_x, room.low_y)), Subject::Room(room.kind));
            }
        }
    }
}

impl Judge {
    /// Finds a way to another level that is on the floor of a shop. A way to another dungeon can be on any square of
    /// its region where a hero can arrive.
    fn way_in(&mut self, shop: usize, at: Option<usize>, scene: &Scene<'_>) {
        let (level, game) = (scene.level, &scene.program.game);
        let stairs = level.stairs;
        let mut ways = vec![stairs.up, stairs.down, stairs.ladder_up, stairs.ladder_down, stairs.branch];
        let portals = level.traps.iter().filter(|trap| trap.kind == game.traps.magic_portal);
        ways.extend(portals.map(|trap| (trap.x, trap.y)));
        let regions = || level.branches.iter().filter(|branch| branch.within[0] != 0);
        let found = squares_of(&level.rooms[shop], shop, level).find(|place| {
            let can_arrive = || game.has_landing_on(level.terrain(place.0, place.1));
            ways.contains(place)
                || regions().any(|region| squares_within(region).any(|square| square == *place) && can_arrive())
        });
        if let Some(place) = found {
            self.add(Defect::WayInShop, at, Some(place), Subject::Room(level.rooms[shop].kind));
        }
    }
}

/// Finds the defects of a shop.
fn defects(room: &Room, number: usize, level: &Level) -> Vec<Defect> {
    let mut found = Vec::new();
    let inside: Vec<Place> = squares_of(room, number, level).collect();
    let mut is_inside = [false; SQUARES];
    inside.iter().filter(|&&(x, y)| is_ok(x, y)).for_each(|&(x, y)| is_inside[index(x, y)] = true);
    let mut doors: Vec<Place> = Vec::new();
    let mut open = false;
    for &(x, y) in &inside {
        for (dx, dy) in [(1, 0), (-1, 0), (0, 1), (0, -1), (1, 1), (-1, -1), (-1, 1), (1, -1)] {
            let place = (x + dx, y + dy);
            let terrain = level.terrain(place.0, place.1);
            let is_outside = is_ok(place.0, place.1) && !is_inside[index(place.0, place.1)];
            if !is_outside || !level.terrain(x, y).is_accessible() {
                continue;
            }
            if terrain.is_door_or_secret() {
                if (dx == 0 || dy == 0) && !doors.contains(&place) {
                    doors.push(place);
                }
            } else if terrain.is_accessible() {
                open = true;
            }
        }
    }
    match doors.as_slice() {
        [] => found.push(Defect::ShopWithoutDoor),
        [door] => {
            let near = |&&(x, y): &&Place| {
                if room.irregular {
                    (x - door.0).abs().max((y - door.1).abs()) <= 1
                } else {
                    (x == room.low_x && door.0 == x - 1)
                        || (x == room.high_x && door.0 == x + 1)
                        || (y == room.low_y && door.1 == y - 1)
                        || (y == room.high_y && door.1 == y + 1)
                }
            };
            if inside.iter().all(|place| near(&place)) {
                found.push(Defect::ShopIsEmpty);
            }
        }
        _ => found.push(Defect::ShopWithDoors),
    }
    if open {
        found.push(Defect::ShopIsOpen);
    }
    found
}
