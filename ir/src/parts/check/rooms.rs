//! Levels of rooms: how many there are, how they hang together, what one is like.

use std::collections::{HashMap, HashSet};

use super::counts::{KINDS, Kind};
use super::{Checker, Setting};
use crate::diagnostic::{Code, Diagnostic};
use crate::level::*;
use crate::source::{Span, Spanned, Text};
use crate::visit::{Visit, walk};

impl Checker<'_> {
    pub(super) fn rooms(&mut self, body: &[Statement]) {
        let mut count = 0;
        // What could not be understood may have been a room.
        let complete = !body.iter().any(|statement| matches!(statement.kind, StatementKind::Error));
        let random_corridors =
            body.iter().any(|statement| matches!(statement.kind, StatementKind::RandomCorridors { .. }));
        for statement in body {
            match &statement.kind {
                StatementKind::Room(room) => {
                    count += 1;
                    let most = self.judge.catalog.limits.rooms_and_subrooms;
                    if count == most + 1 {
                        self.error(
                            Code::TooMany,
                            statement.span,
                            format!("more than {most} rooms and subrooms in one level"),
                        );
                    }
                    self.place = Setting::Room;
                    self.counts = [0; KINDS];
                    self.room(room, random_corridors, statement.span);
                    self.place = Setting::Level;
                    self.counts = [0; KINDS];
                }
                StatementKind::Corridor { from, to } => {
                    self.count(Kind::Corridor, statement.span);
                    if complete {
                        self.corridor_end(from, count);
                        if let CorridorTarget::Door(to) = to {
                            self.corridor_end(to, count);
                        }
                    }
                }
                _ => self.statement(statement),
            }
        }
        if complete {
            self.subrooms(body);
        }
    }

    fn corridor_end(&mut self, end: &CorridorEnd, rooms: i32) {
        if end.room.node < 0 || end.room.node >= rooms {
            let help = match rooms {
                0 => "the level has no rooms".to_owned(),
                1 => "rooms are counted from 0: the only one is room 0".to_owned(),
                _ => format!("rooms are counted from 0, in their order: 0 to {}", rooms - 1),
            };
            self.judge.push(
                Diagnostic::new(Code::Corridor, end.room.span, format!("there is no room {}", end.room.node))
                    .with_help(help),
            );
        }
    }

    /// Every subroom has its room, and no room too many of them (NetHack 3.4.3, `check_subrooms`).
    fn subrooms(&mut self, body: &[Statement]) {
        let rooms: Vec<&Room> = body
            .iter()
            .filter_map(|statement| match &statement.kind {
                StatementKind::Room(room) => Some(room),
                _ => None,
            })
            .collect();
        let names: HashSet<&str> = rooms.iter().filter_map(|room| room.name.as_ref()).map(|name| &*name.node).collect();
        let mut counts: HashMap<&str, i32> = HashMap::new();
        for room in &rooms {
            let RoomPlacement::Room { parent: Some(parent), .. } = &room.placement else { continue };
            if !names.contains(&*parent.node) {
                let mut known: Vec<&str> = names.iter().copied().collect();
                known.sort_unstable();
                let help = self.judge.near(Code::Subroom, &parent.node, known);
                let help = help.unwrap_or_else(|| format!("give the room around it a `NAME:\"{}\"`", parent.node));
                let message = format!("no room is named \"{}\"", parent.node);
                self.judge.push(Diagnostic::new(Code::Subroom, parent.span, message).with_help(help));
                continue;
            }
            let count = counts.entry(&parent.node).or_default();
            *count += 1;
            let most = self.judge.catalog.limits.subrooms;
            if *count == most + 1 {
                let message = format!("more than {most} subrooms in room \"{}\"", parent.node);
                self.error(Code::Subroom, parent.span, message);
            }
        }
    }

    fn room(&mut self, room: &Room, random_corridors: bool, span: Span) {
        let ordinary = self.room_number(&room.room_type) == self.judge.catalog.room("ordinary");
        match &room.placement {
            RoomPlacement::Level { position: OrRandom::Is(position), .. } => {
                self.judge.room_position(*position);
            }
            RoomPlacement::Room { position: OrRandom::Is(position), .. } => {
                let (x, y) = position.node;
                if x < 0 || y < 0 {
                    self.judge.push(
                        Diagnostic::new(Code::RoomDetail, position.span, "a subroom cannot be at a position below 0")
                            .with_help("it counts from the upper left corner of the room around it, from 0"),
                    );
                } else {
                    self.narrow(x, position.span);
                    self.narrow(y, position.span);
                }
            }
            _ => {}
        }
        if let OrRandom::Is((width, height)) = &room.size {
            self.narrow(width.node, width.span);
            self.narrow(height.node, height.span);
        }
        if let Some(chance) = room.chance {
            if ordinary {
                self.judge.push(
                    Diagnostic::new(Code::RoomDetail, chance.span, "an ordinary room cannot have a chance")
                        .with_help("the chance is that of a special type; remove it"),
                );
            } else if !(1..=99).contains(&chance.node) {
                self.error(Code::RoomDetail, chance.span, "CHANCE is a percentage from 1 to 99");
            }
        }
        let door = room.body.iter().any(|statement| matches!(statement.kind, StatementKind::RoomDoor { .. }));
        if let OrRandom::Is(name) = &room.room_type {
            let subroom = matches!(room.placement, RoomPlacement::Room { .. });
            if self.is_shop(&name.node) && !door && (subroom || !random_corridors) {
                self.judge.push(
                    Diagnostic::new(Code::ShopDoor, name.span, "this shop has no door")
                        .with_note("the game puts the shopkeeper beside the only door; without it, no shop is made")
                        .with_help("add one `DOOR:secret,state,wall,position`, e.g. `DOOR:false,nodoor,south,random`"),
                );
            }
        }
        self.container = false;
        walk::room(self, room, span);
    }

    /// Number of a room type; what is unknown is ordinary.
    pub(super) fn room_number(&self, room_type: &OrRandom<Spanned<Text>>) -> Option<i32> {
        let OrRandom::Is(name) = room_type else { return None };
        self.judge.catalog.room(&name.node).or(self.judge.catalog.room("ordinary"))
    }

    pub(super) fn is_shop(&self, name: &str) -> bool {
        self.judge.catalog.room(name).zip(self.judge.catalog.room("shop")).is_some_and(|(room, shop)| room >= shop)
    }
}
