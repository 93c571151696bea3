//! Mazes: parts and the lists of their contents.

use super::*;

impl Lowering<'_> {
    pub(super) fn maze(&mut self, filling: Option<Spanned<char>>, body: &[Statement]) -> Maze {
        let mut maze = Maze { filling: filling.map_or(-1, |filling| self.terrain(filling.node)), parts: Vec::new() };
        for statement in body {
            if self.head(statement) {
                continue;
            }
            if let StatementKind::Map(map) = &statement.kind {
                maze.parts.push(self.part(map, statement.span));
                continue;
            }
            match maze.parts.last_mut() {
                Some(part) => self.part_statement(part, statement, 100),
                None => self.refuse(statement.span),
            }
        }
        maze
    }

    pub(super) fn part(&mut self, map: &Map, span: Span) -> Part {
        let places = self.own_places();
        match map {
            Map::None => {
                Part { horizontal: 1, vertical: 1, map: Grid::single(self.catalog), places, span, ..Part::default() }
            }
            Map::Drawn { position: MapPosition::Aligned { horizontal, vertical }, keep_regions: None, rows } => Part {
                horizontal: quirk_cut(self.word(Horizontal::GROUP, horizontal.as_str())),
                vertical: quirk_cut(self.word(Vertical::GROUP, vertical.as_str())),
                map: Grid::new(rows, self.catalog),
                places,
                span,
                ..Part::default()
            },
            Map::Drawn { .. } => {
                self.refuse(span);
                Part::default()
            }
        }
    }

    pub(super) fn part_statement(&mut self, part: &mut Part, statement: &Statement, chance: i32) {
        let span = statement.span;
        match &statement.kind {
            StatementKind::Registers { of, values } if of.is_place() => {
                let values: Vec<_> = values.iter().map(|value| self.place(value)).collect();
                let registers = &mut part.place_registers;
                match of.list().map(|list| usize::from(list).checked_sub(1)) {
                    Some(None) => registers.first.extend(values),
                    Some(Some(at)) if at == registers.others.len() => registers.others.push(values),
                    _ => self.refuse(span),
                }
            }
            StatementKind::Registers { of, values } => {
                self.registers(*of, values, &mut part.object_registers, &mut part.monster_registers);
            }
            StatementKind::Monster(monster) => self.monster(&mut part.monsters, monster, chance, span),
            StatementKind::Object(object) => self.object(&mut part.objects, object, chance, span, None),
            StatementKind::Trap { trap, place } => self.trap(&mut part.traps, trap, place, chance, span),
            StatementKind::Chance { condition: Condition::Percent(percent), then } if chance == 100 => {
                self.part_statement(part, then, percent.node);
            }
            StatementKind::Door { state, at, also } => match &at.kind {
                SelectionKind::Point(place) => {
                    let (x, y) = self.place(place);
                    let artifact = self.artifact(also);
                    push(&mut part.doors, span, Door { x, y, state: self.door_state(state), artifact });
                }
                _ => self.refuse(at.span),
            },
            StatementKind::Drawbridge { place, direction, state } => {
                let (x, y) = self.place(place);
                let direction = direction.node.as_str();
                let directions = &self.catalog.drawbridge_directions;
                let direction = directions.iter().find(|(name, _)| name == direction).map_or(0, |&(_, number)| number);
                let open = matches!(state, OrRandom::Is(state) if state.node == DoorState::Open);
                let bridge = Drawbridge { x, y, direction: direction as i8, open: i8::from(open) };
                push(&mut part.drawbridges, span, bridge);
            }
            StatementKind::Region(region) => self.part_region(part, region, span),
            StatementKind::LevelRegion(region) => self.level_region(part, region, span),
            StatementKind::Altar { .. } => self.altar(&mut part.altars, statement),
            StatementKind::Fountain { at } => self.feature(&mut part.fountains, at, span),
            StatementKind::Place { word, at } => self.own_place(&mut part.places, word, at, span),
            StatementKind::MazeWalk { place, direction, stocked: None, filling: None } => {
                let (x, y) = self.place(place);
                let direction = quirk_cut(self.word(Direction::GROUP, direction.as_str()));
                push(&mut part.walks, span, Walk { x, y, direction });
            }
            StatementKind::Wallify { at: None } => part.map.wallify(self.catalog),
            StatementKind::Ladder { place, direction } => {
                let (x, y) = self.place(place);
                push(&mut part.ladders, span, Ladder { x, y, up: self.up(*direction) });
            }
            StatementKind::Stair { place, direction } => self.stair(&mut part.stairs, place, *direction, span),
            StatementKind::Gold { amount, place } => self.gold(&mut part.gold, amount, place, span),
            StatementKind::Engraving { .. } => self.engraving(&mut part.engravings, statement),
            StatementKind::NonDiggable { region } => {
                let [x1, y1, x2, y2] = self.region(region);
                push(&mut part.non_diggable, span, Protected { x1, y1, x2, y2 });
            }
            StatementKind::NonPasswall { region } => {
                let [x1, y1, x2, y2] = self.region(region);
                push(&mut part.non_passwall, span, Protected { x1, y1, x2, y2 });
            }
            _ => self.refuse(span),
        }
    }

    pub(super) fn part_region(&mut self, part: &mut Part, region: &level::Region, span: Span) {
        let [x1, y1, x2, y2] = self.region(&region.area);
        let mut kind = self.room_type(&region.room_type);
        let mut irregular = 0;
        for flag in region.flags.iter().flatten() {
            match flag.node {
                RoomFlag::Filling(Filling::Unfilled) => kind += self.catalog.limits.room_types + 1,
                RoomFlag::Filling(Filling::Filled) => {}
                RoomFlag::Irregular(word) => irregular = i8::from(word == Irregular::Irregular),
                RoomFlag::Joined(_) => self.refuse(flag.span),
            }
        }
        if region.body.is_some() {
            self.refuse(span);
        }
        let light = self.light(&region.light);
        push(&mut part.regions, span, Region { x1, y1, x2, y2, kind: quirk_cut(kind), light, irregular });
    }

    pub(super) fn level_region(&mut self, part: &mut Part, region: &level::LevelRegion, span: Span) {
        let level = match &region.kind {
            LevelRegionKind::Portal(level) => Some(level.node.clone()),
            LevelRegionKind::Stair(_)
            | LevelRegionKind::Teleport(_)
            | LevelRegionKind::Branch
            | LevelRegionKind::Register(_) => None,
        };
        let is_register = matches!(region.kind, LevelRegionKind::Register(_));
        let kind = lacks::level_region(&region.kind);
        let kind = self.catalog.level_regions.iter().find(|(name, _)| *name == kind).map_or(0, |&(_, number)| number);
        let inside = region.inside.corners.map(quirk_cut);
        let outside = region.outside.corners.map(quirk_cut);
        let lowered = crate::parts::LevelRegion {
            inside_x1: inside[0],
            inside_y1: inside[1],
            inside_x2: inside[2],
            inside_y2: inside[3],
            outside_x1: outside[0],
            outside_y1: outside[1],
            outside_x2: outside[2],
            outside_y2: outside[3],
            inside_level: i8::from(region.inside.level),
            outside_level: i8::from(region.outside.level),
            kind: kind as i8,
            padding: 0,
            level,
        };
        push(if is_register { &mut part.random_regions } else { &mut part.level_regions }, span, lowered);
    }
}
