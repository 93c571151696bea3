//! Levels of rooms: the number of rooms, their connections and properties.

use std::collections::{HashMap, HashSet};

use super::counts::{KINDS, Kind};
use super::{Checker, Owner, Setting};
use crate::catalog::Feature;
use crate::diagnostic::{Code, Diagnostic};
use crate::level::*;
use crate::order::Order;
use crate::source::{Span, Spanned, Text};
use crate::visit::{Visit, walk};
use crate::wording::{self, Conjunction};

impl Checker<'_> {
    pub(super) fn rooms(&mut self, body: &[Statement]) {
        let listed = listed_rooms(body);
        // An unparsed statement may have been a room.
        let complete = !body.iter().any(|statement| matches!(statement.kind, StatementKind::Error));
        let random_corridors =
            body.iter().any(|statement| matches!(statement.kind, StatementKind::RandomCorridors { .. }));
        let mut done = 0;
        for statement in body {
            // A subroom may come after statements that follow its room.
            let registers = matches!(statement.kind, StatementKind::Registers { .. });
            let comes_before = |room: &ListedRoom<'_>| {
                let known = !statement.span.is_nowhere() && !room.span.is_nowhere();
                if known { room.span.start < statement.span.start } else { !registers }
            };
            while !matches!(statement.kind, StatementKind::Room(_)) && listed.get(done).is_some_and(comes_before) {
                self.listed_room(done, &listed[done], random_corridors);
                done += 1;
            }
            match &statement.kind {
                StatementKind::Room(_) => {}
                StatementKind::Corridor { from, to } => {
                    self.count(Kind::Corridor, statement.span);
                    if complete {
                        let count = done as i32;
                        self.corridor_end(from, count);
                        if let CorridorTarget::Door(to) = to {
                            self.corridor_end(to, count);
                        }
                    }
                }
                _ => self.statement(statement),
            }
        }
        for (at, listed) in listed.iter().enumerate().skip(done) {
            self.listed_room(at, listed, random_corridors);
        }
        if complete {
            self.subrooms(&listed);
        }
    }

    /// Checks the room at index `at` of the list of rooms.
    fn listed_room(&mut self, at: usize, listed: &ListedRoom<'_>, random_corridors: bool) {
        let most = self.judge.catalog.limits.rooms_and_subrooms;
        if at as i64 == i64::from(most) {
            let message = format!("more than {most} rooms and subrooms in one level");
            self.error(Code::TooMany, listed.span, message);
        }
        self.place = Setting::Room;
        self.counts = [0; KINDS];
        self.one_room(listed.room, random_corridors, listed.span);
        self.place = Setting::Level;
        self.counts = [0; KINDS];
    }

    fn corridor_end(&mut self, end: &CorridorEnd, rooms: i32) {
        if end.room.node < 0 || end.room.node >= rooms {
            let help = match rooms {
                0 => "the level has no rooms".to_owned(),
                1 => "use room 0, the only room".to_owned(),
                _ => format!("use rooms 0 to {}, counted in their order", rooms - 1),
            };
            self.judge.push(
                Diagnostic::new(Code::Corridor, end.room.span, format!("there is no room {}", end.room.node))
                    .with_help(help),
            );
        }
    }

    /// Checks that every subroom has its room, and no room has too many subrooms (NetHack 3.4.3, `check_subrooms`).
    fn subrooms(&mut self, rooms: &[ListedRoom<'_>]) {
        let mut named: HashMap<&str, usize> = HashMap::new();
        for (at, listed) in rooms.iter().enumerate() {
            if let Some(name) = &listed.room.name {
                named.entry(&name.node).or_insert(at);
            }
        }
        let mut known: Vec<&str> = named.keys().copied().collect();
        known.order();
        let mut counts = vec![0; rooms.len()];
        let mut missing: HashSet<&str> = HashSet::new();
        // The last outer room.
        let mut outer = None;
        for listed in rooms {
            let (around, span) = match &listed.room.placement {
                RoomPlacement::Level { .. } => {
                    outer = Some(listed);
                    continue;
                }
                RoomPlacement::Room { parent_span, .. } => match listed.around {
                    Some(around) => (around, parent_span.somewhere().unwrap_or(listed.span)),
                    None => continue,
                },
                RoomPlacement::Stray { parent, .. } => match named.get(parent.node.as_str()) {
                    Some(&around) => (around, parent.span),
                    None if !missing.insert(&parent.node) => continue,
                    None => {
                        let help = self.judge.near(Code::Subroom, &parent.node, known.iter().copied());
                        let help = help.unwrap_or_else(|| match known.as_slice() {
                            [] => format!("give the outer room a `NAME:\"{}\"`", parent.node),
                            [only] => format!("the only room with a name is \"{only}\""),
                            names => {
                                let names =
                                    wording::listed(names.iter().map(|name| format!("\"{name}\"")), Conjunction::And);
                                format!("the rooms with names are {names}")
                            }
                        });
                        let message = format!("no room has the name \"{}\"", parent.node);
                        let problem = Diagnostic::new(Code::Subroom, parent.span, message).with_help(help);
                        let unnamed = outer.filter(|outer| known.is_empty() && outer.room.name.is_none());
                        self.judge.push(match unnamed {
                            Some(outer) => {
                                let end = outer.span.end.min(outer.span.start.saturating_add("ROOM".len() as u32));
                                problem.with_secondary(Span { end, ..outer.span }, "this room has no NAME")
                            }
                            None => problem,
                        });
                        continue;
                    }
                },
            };
            counts[around] += 1;
            let most = self.judge.catalog.limits.subrooms;
            if counts[around] == most + 1 {
                let message = match &rooms[around].room.name {
                    Some(name) => format!("more than {most} subrooms in room \"{}\"", name.node),
                    None => format!("more than {most} subrooms in one room"),
                };
                self.error(Code::Subroom, span, message);
            }
        }
    }

    fn one_room(&mut self, room: &Room, random_corridors: bool, span: Span) {
        let ordinary = self.room_number(&room.room_type) == self.judge.catalog.room("ordinary");
        self.judge.room_size(&room.size);
        match &room.placement {
            RoomPlacement::Level { position: OrRandom::Is(position), .. } => {
                self.judge.room_position(*position);
            }
            RoomPlacement::Room { position: OrRandom::Is(position), .. }
            | RoomPlacement::Stray { position: OrRandom::Is(position), .. } => {
                let (x, y) = position.node;
                if x < 0 || y < 0 {
                    self.judge.push(
                        Diagnostic::new(Code::RoomDetail, position.span, "the position of a subroom cannot be below 0")
                            .with_help("count from 0 at the upper left corner of the outer room"),
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
            let unknown = match &room.room_type {
                OrRandom::Is(name) if self.judge.catalog.room(&name.node).is_none() => Some(name),
                _ => None,
            };
            if let Some(name) = unknown.filter(|_| !self.judge.catalog.has(Feature::OrdinaryRoomChances)) {
                // A single error: do not also report that the room counts as ordinary.
                self.judge.room_type_as(Code::RoomDetail, &name.node, name.span, chance.span);
                self.room_type_reported = Some(name.span);
            } else if ordinary && !self.judge.catalog.has(Feature::OrdinaryRoomChances) {
                self.judge.push(
                    Diagnostic::new(Code::RoomDetail, chance.span, "an ordinary room cannot have a chance")
                        .with_help("remove the chance, which is for special room types"),
                );
            } else if !(1..=99).contains(&chance.node) {
                self.error(Code::RoomDetail, chance.span, "use a CHANCE from 1 to 99");
            }
        }
        // A statement that could not be read may be its door.
        let door = room
            .body
            .iter()
            .any(|statement| matches!(statement.kind, StatementKind::RoomDoor { .. } | StatementKind::Error));
        if let OrRandom::Is(name) = &room.room_type {
            let subroom = !matches!(room.placement, RoomPlacement::Level { .. });
            if self.is_shop(&name.node) && !door && (subroom || !random_corridors) {
                self.judge.push(
                    Diagnostic::new(Code::ShopDoor, name.span, "this shop has no door")
                        .with_note(
                            "the game puts the shopkeeper next to the only door; without a door there is no shop",
                        )
                        .with_help("add one `DOOR:secret,state,wall,position`, e.g. `DOOR:false,nodoor,south,random`"),
                );
            }
        }
        self.owner = Owner::None;
        walk::room(self, room, span);
    }

    /// Returns the number of a room type; unknown types are ordinary.
    pub(super) fn room_number(&self, room_type: &OrRandom<Spanned<Text>>) -> Option<i32> {
        let OrRandom::Is(name) = room_type else { return None };
        self.judge.catalog.room(&name.node).or(self.judge.catalog.room("ordinary"))
    }

    pub(super) fn is_shop(&self, name: &str) -> bool {
        self.judge.catalog.room(name).zip(self.judge.catalog.room("shop")).is_some_and(|(room, shop)| room >= shop)
    }
}
