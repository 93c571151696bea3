//! Rooms, their statements, and corridors.

use super::*;

impl<'s> Builder<'s, '_> {
    pub(super) fn open_room(&mut self, span: Span, word: &str, room: Room) {
        if !self.usable(span) && self.level.is_none() {
            return;
        }
        if self.in_maze() {
            self.misplaced(
                span,
                format!("{word} in a level of maps"),
                "begin a level of rooms with `LEVEL:\"name\"`; MAZE is for maps",
            );
            return;
        }
        self.close_room();
        let late = self.level.as_ref().is_some_and(|open| open.stage > Stage::Things);
        if late {
            self.misplaced(span, format!("{word} after the corridors"), "move all rooms before the corridors");
        }
        if let Some(open) = &mut self.level {
            open.stage = Stage::Things;
            open.room = Some((room, span));
        }
    }

    /// Opens a room in place of one that could not be read.
    pub(super) fn broken_room(&mut self, span: Span) {
        self.close_room();
        self.push(span, StatementKind::Error);
        let room = Room {
            room_type: OrRandom::Random,
            chance: None,
            light: OrRandom::Random,
            placement: RoomPlacement::Level { position: OrRandom::Random, alignment: OrRandom::Random },
            size: OrRandom::Random,
            flags: None,
            body: Vec::new(),
            name: None,
            order: None,
        };
        if let Some(open) = &mut self.level {
            open.stage = Stage::Things;
            open.room = Some((room, span));
        }
    }

    pub(in super::super) fn room(&mut self, start: usize, end: usize, statement: RoomStatement) {
        let RoomStatement { room_type, light, placement, size, filled } = statement;
        let word = if matches!(placement, RoomPlacement::Level { .. }) { "ROOM" } else { "SUBROOM" };
        let flags = filled.map(room_filling);
        let room =
            Room { room_type, chance: None, light, placement, size, flags, body: Vec::new(), name: None, order: None };
        self.open_room(self.span(start, end), word, room);
    }

    /// Returns the open room, for statements that describe it rather than add a thing.
    pub(super) fn open_room_for(&mut self, span: Span, word: &str) -> Option<&mut Room> {
        if !self.usable(span) {
            return None;
        }
        if self.in_maze() {
            let message = format!("{word} in a level of maps");
            self.misplaced(span, message, "use it only in rooms, in a level that begins with LEVEL");
            return None;
        }
        if self.level.as_ref().is_some_and(|open| open.room.is_none()) {
            let message = format!("{word} outside a room");
            self.misplaced(span, message, "move it after the ROOM or SUBROOM it belongs to");
            return None;
        }
        self.level.as_mut()?.room.as_mut().map(|(room, _)| room)
    }

    pub(in super::super) fn room_name(&mut self, start: usize, end: usize, name: Spanned<Text>) {
        let span = self.span(start, end);
        let Some(room) = self.open_room_for(span, "NAME") else { return };
        match &room.name {
            Some(first) => {
                let first = first.span;
                self.diagnostics.push(
                    Diagnostic::new(Code::RoomDetail, name.span, "this room already has a name")
                        .with_secondary(first, "given here"),
                );
            }
            None => room.name = Some(name),
        }
    }

    pub(in super::super) fn room_chance(&mut self, start: usize, end: usize, chance: Spanned<i32>) {
        let span = self.span(start, end);
        let Some(room) = self.open_room_for(span, "CHANCE") else { return };
        match room.chance {
            Some(first) => self.diagnostics.push(
                Diagnostic::new(Code::RoomDetail, chance.span, "this room already has a chance")
                    .with_secondary(first.span, "given here"),
            ),
            None => room.chance = Some(chance),
        }
    }

    pub(super) fn corridors(&mut self, span: Span, word: &str, stage: Stage) -> bool {
        if !self.usable(span) {
            return false;
        }
        if self.in_maze() {
            let message = format!("{word} in a level of maps");
            self.misplaced(span, message, "draw corridors in the map as `#`: only levels of rooms have them");
            return false;
        }
        self.close_room();
        let now = self.level.as_ref().map_or(Stage::Start, |open| open.stage);
        let twice = now == Stage::End || (now == Stage::Corridors && stage == Stage::End);
        if twice {
            let message = format!("{word} after other corridors");
            self.misplaced(span, message, "use either one RANDOM_CORRIDORS or any number of CORRIDORs");
        }
        if let Some(open) = &mut self.level {
            open.stage = stage;
        }
        !twice
    }

    pub(in super::super) fn random_corridors(&mut self, start: usize, end: usize) {
        let span = self.span(start, end);
        if self.corridors(span, "RANDOM_CORRIDORS", Stage::End) {
            self.push(span, StatementKind::RandomCorridors { style: CorridorStyle::Default });
        }
    }

    pub(in super::super) fn corridor(&mut self, start: usize, end: usize, from: CorridorEnd, to: CorridorTarget) {
        let span = self.span(start, end);
        if self.corridors(span, "CORRIDOR", Stage::Corridors) {
            self.push(span, StatementKind::Corridor { from, to });
        }
    }
}

/// Converts the last word of ROOM and SUBROOM, which says whether the game stocks the room.
fn room_filling(filled: Spanned<bool>) -> Vec<Spanned<RoomFlag>> {
    let filling = if filled.node { Filling::Filled } else { Filling::Unfilled };
    vec![Spanned::new(RoomFlag::Filling(filling), filled.span)]
}
