//! Levels of rooms: the list of rooms, their contents, and corridors.

use std::collections::HashMap;

use super::*;

impl Lowering<'_> {
    pub(super) fn rooms(&mut self, body: &[Statement]) -> Rooms {
        let mut level = Rooms::default();
        let listed = listed_rooms(body);
        let names = room_names(&listed);
        for (at, listed) in listed.iter().enumerate() {
            let parent = match &listed.room.placement {
                RoomPlacement::Level { .. } => {
                    if listed.around.is_some() {
                        self.refuse(listed.span);
                    }
                    None
                }
                RoomPlacement::Stray { parent, .. } => Some(parent.node.clone()),
                RoomPlacement::Room { .. } => {
                    if listed.around.is_none() {
                        self.refuse(listed.span);
                    }
                    listed.around.and_then(|around| names.get(around).cloned().flatten())
                }
            };
            let room = Room { name: names.get(at).cloned().flatten(), parent, ..self.room(listed.room, listed.span) };
            level.rooms.push(room);
        }
        for statement in body {
            if self.head(statement) {
                continue;
            }
            let span = statement.span;
            match &statement.kind {
                StatementKind::Registers { of, values } if !of.is_place() => {
                    self.registers(*of, values, &mut level.object_registers, &mut level.monster_registers);
                }
                // Rooms are lowered from the list of rooms.
                StatementKind::Room(_) => {}
                StatementKind::RandomCorridors { style: CorridorStyle::Default } => {
                    push(&mut level.corridors, span, Corridor { from_room: -1, ..Corridor::default() });
                }
                StatementKind::Corridor { from, to } => {
                    let corridor = self.corridor(from, to);
                    push(&mut level.corridors, span, corridor);
                }
                _ => self.refuse(span),
            }
        }
        level
    }

    pub(super) fn corridor(&self, from: &CorridorEnd, to: &CorridorTarget) -> Corridor {
        let end = |end: &CorridorEnd| {
            (
                quirk_cut(end.room.node),
                quirk_cut(self.word(Direction::GROUP, end.wall.node.as_str())),
                or_random(&end.door, |door| door.node),
            )
        };
        let (from_room, from_wall, from_door) = end(from);
        let (to_room, to_wall, to_door) = match to {
            CorridorTarget::Door(to) => end(to),
            // The number is stored in place of the wall (NetHack 3.4.3, lev_comp, `corridor`).
            CorridorTarget::Number(number) => (-1, quirk_cut(number.node), 0),
        };
        Corridor { from_room, from_wall, from_door, to_room, to_wall, to_door }
    }

    pub(super) fn room(&mut self, room: &level::Room, span: Span) -> Room {
        let coordinates = |position: &OrRandom<Spanned<(i32, i32)>>| match position {
            OrRandom::Random => (-1, -1),
            OrRandom::Is(position) => (quirk_cut(position.node.0), quirk_cut(position.node.1)),
        };
        let (position, alignment) = match &room.placement {
            RoomPlacement::Level { position, alignment } => (coordinates(position), *alignment),
            RoomPlacement::Room { position, .. } | RoomPlacement::Stray { position, .. } => {
                (coordinates(position), OrRandom::Random)
            }
        };
        let (horizontal, vertical) = match alignment {
            OrRandom::Random => (-1, -1),
            OrRandom::Is((horizontal, vertical)) => (
                quirk_cut(self.word(Horizontal::GROUP, horizontal.as_str())),
                quirk_cut(self.word(Vertical::GROUP, vertical.as_str())),
            ),
        };
        let (width, height) = match &room.size {
            OrRandom::Random => (-1, -1),
            OrRandom::Is((width, height)) => (quirk_cut(width.node), quirk_cut(height.node)),
        };
        let mut filled = 1;
        for flag in room.flags.iter().flatten() {
            match flag.node {
                RoomFlag::Filling(Filling::Filled) => filled = 1,
                RoomFlag::Filling(Filling::Unfilled) => filled = 0,
                RoomFlag::Irregular(_) | RoomFlag::Joined(_) => self.refuse(flag.span),
            }
        }
        let header = RoomHeader {
            x: position.0,
            y: position.1,
            width,
            height,
            horizontal,
            vertical,
            kind: quirk_cut(self.room_type(&room.room_type)),
            chance: room.chance.map_or(0, |chance| quirk_cut(chance.node)),
            light: self.light(&room.light),
            filled,
        };
        let mut lowered = Room { header, span, places: self.own_places(), ..Room::default() };
        for statement in &room.body {
            self.room_statement(&mut lowered, statement, 100);
        }
        lowered
    }

    pub(super) fn room_statement(&mut self, room: &mut Room, statement: &Statement, chance: i32) {
        let span = statement.span;
        match &statement.kind {
            StatementKind::Monster(monster) => self.monster(&mut room.monsters, monster, chance, span),
            StatementKind::Object(object) => self.object(&mut room.objects, object, chance, span, None),
            StatementKind::Trap { trap, place } => self.trap(&mut room.traps, trap, place, chance, span),
            StatementKind::Chance { condition: Condition::Percent(percent), then } if chance == 100 => {
                self.room_statement(room, then, percent.node);
            }
            StatementKind::RoomDoor { secret, state, walls, position, walls_span, also } => {
                let wall = match walls {
                    OrRandom::Random => -1,
                    OrRandom::Is(walls) => {
                        if walls.len() != 1 {
                            self.refuse(*walls_span);
                        }
                        walls.first().map_or(-1, |wall| quirk_cut(self.word(Direction::GROUP, wall.node.as_str())))
                    }
                };
                let door = RoomDoor {
                    wall,
                    position: or_random(position, |position| position.node),
                    secret: or_random(secret, |secret| i32::from(*secret)),
                    state: self.door_state(state),
                    artifact: self.artifact(also),
                };
                push(&mut room.doors, span, door);
            }
            StatementKind::Altar { .. } => self.altar(&mut room.altars, statement),
            StatementKind::Fountain { at } => self.feature(&mut room.fountains, at, span),
            StatementKind::Sink { at } => self.feature(&mut room.sinks, at, span),
            StatementKind::Pool { at } => self.feature(&mut room.pools, at, span),
            StatementKind::Place { word, at } => self.own_place(&mut room.places, word, at, span),
            StatementKind::Stair { place, direction } => self.stair(&mut room.stairs, place, *direction, span),
            StatementKind::Gold { amount, place } => self.gold(&mut room.gold, amount, place, span),
            StatementKind::Engraving { .. } => self.engraving(&mut room.engravings, statement),
            // Subrooms have their own entries in the list of rooms.
            StatementKind::Room(_) => {}
            _ => self.refuse(span),
        }
    }
}

/// Returns the names of rooms in the level file: their NAMEs, or invented names. A name is invented for a room with
/// subrooms if it has no NAME, or if an earlier room has the same NAME and would get the subrooms.
fn room_names(listed: &[ListedRoom<'_>]) -> Vec<Option<Text>> {
    let mut names: Vec<Option<Text>> =
        listed.iter().map(|listed| listed.room.name.as_ref().map(|name| name.node.clone())).collect();
    let mut first: HashMap<Text, usize> = HashMap::new();
    for (at, name) in names.iter().enumerate() {
        if let Some(name) = name {
            first.entry(name.clone()).or_insert(at);
        }
    }
    for around in listed.iter().filter_map(|listed| listed.around) {
        if names[around].as_ref().is_some_and(|name| first.get(name) == Some(&around)) {
            continue;
        }
        let mut name = Text::from(format!("room {around}"));
        while first.contains_key(&name) {
            name.push('\'');
        }
        first.insert(name.clone(), around);
        names[around] = Some(name);
    }
    names
}
