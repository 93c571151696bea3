//! From levels to parts: names become numbers, statements go into the lists of their kind.
//!
//! The rules are those of NetHack 3.4.3, `util/lev_comp.y`; what looks odd there and shows in the bytes has a
//! function of its own whose name begins with `quirk_`. The level must have passed [`check`](super::check)
//! without errors. What can still go wrong is a level of another dialect that does what 3.4.3 cannot.

use std::collections::HashMap;

use super::{
    Altar, Body, Corridor, Door, Drawbridge, Engraving, Feature, Gold, Grid, Init, Ladder, List, Maze, Monster,
    NO_ALIGNMENT, Object, Part, PartsLevel, Protected, RANDOM, RANDOM_ENCHANTMENT, Region, Room, RoomDoor, RoomHeader,
    Rooms, Stair, Trap, Walk,
};
use crate::abi::Abi;
use crate::catalog::{Catalog, Match};
use crate::diagnostic::{Code, Diagnostic, Diagnostics};
use crate::level::{self, *};
use crate::source::{Charset, Span, Spanned, Text};
use crate::words::*;

/// Lowers every level of `module`, in order, for the game of `catalog` on a machine of `abi`.
///
/// The machine matters in one point: see `quirk_object_without_class`.
pub fn lower(module: &Module, catalog: &Catalog, abi: &Abi, diagnostics: &mut Diagnostics) -> Vec<PartsLevel> {
    module.levels().map(|level| lower_level(level, module.charset, catalog, abi, diagnostics)).collect()
}

/// Lowers one level; see [`lower`].
pub fn lower_level(
    level: &Level,
    charset: Charset,
    catalog: &Catalog,
    abi: &Abi,
    diagnostics: &mut Diagnostics,
) -> PartsLevel {
    let init = Spanned::new(Init::default(), Span::default());
    let mut lowering = Lowering { catalog, abi, diagnostics, init, message: Text::default() };
    let flags = level.flags.iter().flatten().map(|flag| lowering.word(Group::Flag, &flag.node)).fold(0, |a, b| a | b);
    let body = match &level.kind {
        LevelKind::Maze { filling } => Body::Maze(lowering.maze(*filling, &level.body)),
        LevelKind::Rooms => Body::Rooms(lowering.rooms(&level.body)),
        LevelKind::Script => {
            lowering.cannot(level.name.span, "a level that is neither MAZE nor made of rooms alone");
            Body::Maze(Maze::default())
        }
    };
    PartsLevel { name: level.name.node.clone(), charset, init: lowering.init, flags, message: lowering.message, body }
}

struct Lowering<'a> {
    catalog: &'a Catalog,
    abi: &'a Abi,
    diagnostics: &'a mut Diagnostics,
    init: Spanned<Init>,
    message: Text,
}

/// A number as it is stored in a field of one byte: what does not fit is cut off (C's conversion to `xchar`).
fn quirk_cut(number: i32) -> i8 {
    number as i8
}

/// A register as a thing refers to it. The compiler has no lower bound: register -1 is 0, and further ones
/// are places and classes of their own.
fn quirk_register(index: i32) -> i8 {
    quirk_cut(index.wrapping_neg().wrapping_sub(1))
}

/// A class symbol as it is stored.
fn symbol(character: char) -> i8 {
    quirk_cut(character as i32)
}

fn or_random<T>(value: &OrRandom<T>, number: impl FnOnce(&T) -> i32) -> i8 {
    match value {
        OrRandom::Random => -1,
        OrRandom::Is(value) => quirk_cut(number(value)),
    }
}

/// Makes the compiler's sum of texts: later ones come after a line end, unless all before are empty
/// (NetHack 3.4.3, lev_comp, `message`).
fn quirk_join_messages(message: &mut Text, text: &str) {
    if !message.is_empty() {
        message.push('\n');
    }
    message.push_str(text);
}

impl Lowering<'_> {
    fn cannot(&mut self, span: Span, what: &str) {
        self.diagnostics.push(Diagnostic::new(
            Code::Target,
            span,
            format!("level files of {} cannot hold {what}", self.catalog.title),
        ));
    }

    fn word(&self, group: Group, word: &str) -> i32 {
        self.catalog.word(group, word).unwrap_or(0) as i32
    }

    fn terrain(&self, character: char) -> i8 {
        self.catalog.terrain(character).map_or(-1, quirk_cut)
    }

    fn light(&self, light: &OrRandom<Light>) -> i8 {
        or_random(light, |light| self.word(Light::GROUP, light.as_str()))
    }

    fn door_state(&self, state: &OrRandom<Spanned<DoorState>>) -> i8 {
        or_random(state, |state| self.word(DoorState::GROUP, state.node.as_str()))
    }

    fn up(&self, direction: UpDown) -> i8 {
        quirk_cut(self.word(UpDown::GROUP, direction.as_str()))
    }

    /// The number of a room type; one that the game does not have is an ordinary room.
    fn room_type(&self, room_type: &OrRandom<Spanned<Text>>) -> i32 {
        match room_type {
            OrRandom::Random => -1,
            OrRandom::Is(name) => self.catalog.room(&name.node).or(self.catalog.room("ordinary")).unwrap_or(0),
        }
    }

    fn place(&mut self, place: &Expr) -> (i8, i8) {
        match &place.kind {
            ExprKind::Coordinate { x, y } => (quirk_cut(*x), quirk_cut(*y)),
            ExprKind::Register { of: RegisterKind::Place, index } => {
                let register = quirk_register(index.node);
                (register, register)
            }
            ExprKind::RandomCoordinate { humidity } if humidity.is_empty() => (RANDOM, RANDOM),
            _ => {
                self.cannot(place.span, "such a place");
                (RANDOM, RANDOM)
            }
        }
    }

    fn region(&mut self, region: &Expr) -> [i8; 4] {
        match &region.kind {
            ExprKind::Region { corners } => corners.map(quirk_cut),
            _ => {
                self.cannot(region.span, "such a region");
                [0; 4]
            }
        }
    }

    fn text(&mut self, text: &Expr) -> Text {
        match &text.kind {
            ExprKind::String(text) => text.clone(),
            _ => {
                self.cannot(text.span, "a text that is not fixed");
                Text::default()
            }
        }
    }

    fn number(&mut self, number: &Expr) -> i32 {
        match &number.kind {
            ExprKind::Integer(number) => *number,
            ExprKind::Random => -1,
            _ => {
                self.cannot(number.span, "a number that is not fixed");
                0
            }
        }
    }

    fn alignment(&self, alignment: &AlignmentSpec) -> i8 {
        match alignment {
            AlignmentSpec::Is(alignment) => quirk_cut(self.word(Alignment::GROUP, alignment.as_str())),
            AlignmentSpec::Register(index) => quirk_register(index.node),
            AlignmentSpec::Random => RANDOM,
        }
    }

    /// Name and class by exact spelling; the game compares no other way (NetHack 3.4.3, `get_monster_id` and
    /// `get_object_id`).
    fn number_of(&self, of: RegisterKind, name: &str, class: Option<char>) -> Option<i32> {
        let found = match of {
            RegisterKind::Monster => self.catalog.monster(name, class),
            RegisterKind::Object => self.catalog.object(name, class),
            RegisterKind::Place => None,
        };
        found.filter(|(_, how)| *how == Match::Exact).map(|(number, _)| number)
    }

    /// The number of what has `random` or a register for its class.
    fn number_without_class(&self, of: RegisterKind, name: &str, class: i8) -> Option<i32> {
        match u8::try_from(class) {
            Ok(0) => self.number_of(of, name, None),
            Ok(class) => self.number_of(of, name, Some(char::from(class))),
            Err(_) if of == RegisterKind::Monster => Self::quirk_monster_without_class(),
            Err(_) => self.quirk_object_without_class(name),
        }
    }

    /// A monster whose class is `random` or a register: the compiler asks for a class with what stands there, and so
    /// finds none, whatever the name (NetHack 3.4.3, `get_monster_id`).
    fn quirk_monster_without_class() -> Option<i32> {
        None
    }

    /// An object whose class is `random` or a register: what stands for the class is below zero (a register below 0
    /// gives 0 or the symbol of a class), and the compiler looks at all classes; but only where a plain `char` is
    /// signed (NetHack 3.4.3, `get_object_id`).
    fn quirk_object_without_class(&self, name: &str) -> Option<i32> {
        if self.abi.signed_char { self.number_of(RegisterKind::Object, name, None) } else { None }
    }

    // --- Levels

    /// What may stand before parts and rooms.
    fn head(&mut self, statement: &Statement) -> bool {
        match &statement.kind {
            StatementKind::InitMap(InitMap::Mines {
                foreground,
                background,
                smoothed,
                joined,
                light,
                walled,
                filling: None,
            }) => {
                let init = Init {
                    present: 1,
                    padding: 0,
                    foreground: self.terrain(foreground.node),
                    background: self.terrain(background.node),
                    smoothed: i8::from(*smoothed),
                    joined: i8::from(joined.node),
                    light: self.light(light),
                    walled: or_random(walled, |walled| i32::from(*walled)),
                };
                self.init = Spanned::new(init, statement.span);
            }
            StatementKind::Message { text } => {
                let text = self.text(text);
                quirk_join_messages(&mut self.message, &text);
            }
            StatementKind::Error => {}
            _ => return false,
        }
        true
    }

    fn registers(&mut self, of: RegisterKind, values: &[Expr], objects: &mut Vec<i8>, monsters: &mut Vec<i8>) {
        let list = match of {
            RegisterKind::Object => objects,
            RegisterKind::Monster => monsters,
            RegisterKind::Place => return,
        };
        for value in values {
            match &value.kind {
                ExprKind::Object(SpeciesName::Class(class)) | ExprKind::Monster(SpeciesName::Class(class)) => {
                    list.push(symbol(*class));
                }
                _ => self.cannot(value.span, "a register that is not a class"),
            }
        }
        quirk_reverse_registers(list);
    }

    fn maze(&mut self, filling: Option<Spanned<char>>, body: &[Statement]) -> Maze {
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
                None => self.cannot(statement.span, "anything before the first part of a maze"),
            }
        }
        maze
    }

    fn part(&mut self, map: &Map, span: Span) -> Part {
        match map {
            Map::None => Part { horizontal: 1, vertical: 1, map: Grid::single(self.catalog), span, ..Part::default() },
            Map::Drawn { position: MapPosition::Aligned { horizontal, vertical }, keep_regions: None, rows } => Part {
                horizontal: quirk_cut(self.word(Horizontal::GROUP, horizontal.as_str())),
                vertical: quirk_cut(self.word(Vertical::GROUP, vertical.as_str())),
                map: Grid::new(rows, self.catalog),
                span,
                ..Part::default()
            },
            Map::Drawn { .. } => {
                self.cannot(span, "a map at a fixed place");
                Part::default()
            }
        }
    }

    fn part_statement(&mut self, part: &mut Part, statement: &Statement, chance: i32) {
        let span = statement.span;
        match &statement.kind {
            StatementKind::Registers { of: RegisterKind::Place, values } => {
                for value in values {
                    let place = self.place(value);
                    part.place_registers.push(place);
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
            StatementKind::Door { state, at } => match &at.kind {
                SelectionKind::Point(place) => {
                    let (x, y) = self.place(place);
                    push(&mut part.doors, span, Door { x, y, state: self.door_state(state) });
                }
                _ => self.cannot(at.span, "doors on more than one square"),
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
            _ => self.cannot(span, "this statement in a part of a maze"),
        }
    }

    fn rooms(&mut self, body: &[Statement]) -> Rooms {
        let mut level = Rooms::default();
        let listed = listed_rooms(body);
        let names = room_names(&listed);
        for (at, listed) in listed.iter().enumerate() {
            let parent = match &listed.room.placement {
                RoomPlacement::Level { .. } => {
                    if listed.around.is_some() {
                        self.cannot(listed.span, "a ROOM inside another one; write SUBROOM");
                    }
                    None
                }
                RoomPlacement::Stray { parent, .. } => Some(parent.node.clone()),
                RoomPlacement::Room { .. } => {
                    if listed.around.is_none() {
                        self.cannot(listed.span, "a SUBROOM outside of the room that it is in");
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
                StatementKind::Registers { of, values } if *of != RegisterKind::Place => {
                    self.registers(*of, values, &mut level.object_registers, &mut level.monster_registers);
                }
                // It is in the list.
                StatementKind::Room(_) => {}
                StatementKind::RandomCorridors { style: CorridorStyle::Default } => {
                    push(&mut level.corridors, span, Corridor { from_room: -1, ..Corridor::default() });
                }
                StatementKind::Corridor { from, to } => {
                    let corridor = self.corridor(from, to);
                    push(&mut level.corridors, span, corridor);
                }
                _ => self.cannot(span, "this statement outside of a room"),
            }
        }
        level
    }

    fn corridor(&self, from: &CorridorEnd, to: &CorridorTarget) -> Corridor {
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
            // The number goes where the wall would be (NetHack 3.4.3, lev_comp, `corridor`).
            CorridorTarget::Number(number) => (-1, quirk_cut(number.node), 0),
        };
        Corridor { from_room, from_wall, from_door, to_room, to_wall, to_door }
    }

    fn room(&mut self, room: &level::Room, span: Span) -> Room {
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
                RoomFlag::Irregular(_) | RoomFlag::Joined(_) => self.cannot(flag.span, "this flag of a room"),
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
        let mut lowered = Room { header, span, ..Room::default() };
        for statement in &room.body {
            self.room_statement(&mut lowered, statement, 100);
        }
        lowered
    }

    fn room_statement(&mut self, room: &mut Room, statement: &Statement, chance: i32) {
        let span = statement.span;
        match &statement.kind {
            StatementKind::Monster(monster) => self.monster(&mut room.monsters, monster, chance, span),
            StatementKind::Object(object) => self.object(&mut room.objects, object, chance, span, None),
            StatementKind::Trap { trap, place } => self.trap(&mut room.traps, trap, place, chance, span),
            StatementKind::Chance { condition: Condition::Percent(percent), then } if chance == 100 => {
                self.room_statement(room, then, percent.node);
            }
            StatementKind::RoomDoor { secret, state, walls, position, walls_span } => {
                let wall = match walls {
                    OrRandom::Random => -1,
                    OrRandom::Is(walls) => {
                        if walls.len() != 1 {
                            self.cannot(*walls_span, "a door that may be in several walls");
                        }
                        walls.first().map_or(-1, |wall| quirk_cut(self.word(Direction::GROUP, wall.node.as_str())))
                    }
                };
                let door = RoomDoor {
                    wall,
                    position: or_random(position, |position| position.node),
                    secret: or_random(secret, |secret| i32::from(*secret)),
                    state: self.door_state(state),
                };
                push(&mut room.doors, span, door);
            }
            StatementKind::Altar { .. } => self.altar(&mut room.altars, statement),
            StatementKind::Fountain { at } => self.feature(&mut room.fountains, at, span),
            StatementKind::Sink { at } => self.feature(&mut room.sinks, at, span),
            StatementKind::Pool { at } => self.feature(&mut room.pools, at, span),
            StatementKind::Stair { place, direction } => self.stair(&mut room.stairs, place, *direction, span),
            StatementKind::Gold { amount, place } => self.gold(&mut room.gold, amount, place, span),
            StatementKind::Engraving { .. } => self.engraving(&mut room.engravings, statement),
            // What is in it is in the list of rooms of its own.
            StatementKind::Room(_) => {}
            StatementKind::Error => {}
            _ => self.cannot(span, "this statement in a room"),
        }
    }

    // --- Things

    /// The class of what `expr` names, as a symbol or register, and its number if it has a name; `of` tells monsters
    /// from objects.
    fn species(&mut self, of: RegisterKind, expr: &Expr) -> (i8, Option<i32>) {
        match (&expr.kind, of) {
            (ExprKind::Monster(name), RegisterKind::Monster) | (ExprKind::Object(name), RegisterKind::Object) => {
                match name {
                    SpeciesName::Random => (RANDOM, None),
                    SpeciesName::RandomAndName(name) => (RANDOM, self.number_without_class(of, name, RANDOM)),
                    SpeciesName::Class(class) => (symbol(*class), None),
                    SpeciesName::ClassAndName(class, name) => (symbol(*class), self.number_of(of, name, Some(*class))),
                    // A script names some by name alone; here their class must be there, too.
                    SpeciesName::Name(name) => match self.number_of(of, name, None) {
                        Some(number) => (self.class_of(of, number), Some(number)),
                        None => (RANDOM, None),
                    },
                }
            }
            (ExprKind::Register { of: kind, index }, _) if *kind == of => (quirk_register(index.node), None),
            (ExprKind::NamedRegister { of: kind, index, name }, _) if *kind == of => {
                let class = quirk_register(index.node);
                (class, self.number_without_class(of, name, class))
            }
            _ => {
                self.cannot(expr.span, if of == RegisterKind::Monster { "such a monster" } else { "such an object" });
                (RANDOM, None)
            }
        }
    }

    /// The symbol of the class of a monster or object.
    fn class_of(&self, of: RegisterKind, number: i32) -> i8 {
        let species = if of == RegisterKind::Monster { &self.catalog.monsters } else { &self.catalog.objects };
        species.get(number as usize).map_or(RANDOM, |species| symbol(species.class))
    }

    fn monster(&mut self, list: &mut List<Monster>, monster: &level::Monster, chance: i32, span: Span) {
        let (class, number) = self.species(RegisterKind::Monster, &monster.monster);
        let (x, y) = self.place(&monster.place);
        let mut lowered = Monster {
            number: number.unwrap_or(-1) as i16,
            alignment: NO_ALIGNMENT,
            x,
            y,
            chance: quirk_cut(chance),
            class,
            peaceful: -1,
            asleep: -1,
            ..Monster::default()
        };
        for detail in &monster.details {
            match &detail.node {
                MonsterDetail::Name(name) => lowered.name = Some(self.text(name)),
                MonsterDetail::Attitude(attitude) => {
                    lowered.peaceful = or_random(attitude, |word| self.word(Attitude::GROUP, word.as_str()));
                }
                MonsterDetail::Alertness(alertness) => {
                    lowered.asleep = or_random(alertness, |word| self.word(Alertness::GROUP, word.as_str()));
                }
                MonsterDetail::Alignment(alignment) => lowered.alignment = self.alignment(alignment),
                MonsterDetail::Appearance(appearance, what) => {
                    lowered.appearance = quirk_cut(self.word(Appearance::GROUP, appearance.as_str()));
                    lowered.appear_as = Some(self.text(what));
                }
                _ => self.cannot(detail.span, "this detail of a monster"),
            }
        }
        if monster.inventory.is_some() {
            self.cannot(span, "what a monster carries");
        }
        push(list, span, lowered);
    }

    /// Puts in an object, and behind it what is in it. An object without a place of its own is contained.
    fn object(
        &mut self,
        list: &mut List<Object>,
        object: &level::Object,
        chance: i32,
        span: Span,
        around: Option<&level::Object>,
    ) {
        let (class, number) = self.species(RegisterKind::Object, &object.object);
        let mut lowered = Object {
            corpse: -1,
            number: number.unwrap_or(-1) as i16,
            enchantment: RANDOM_ENCHANTMENT,
            x: RANDOM,
            y: RANDOM,
            chance: quirk_cut(chance),
            class,
            curse: -1,
            containment: CONTAINED,
            ..Object::default()
        };
        for detail in &object.details {
            match &detail.node {
                ObjectDetail::Place(place) => {
                    (lowered.x, lowered.y) = self.place(place);
                    lowered.containment = PLACED;
                }
                ObjectDetail::Curse(curse) => {
                    lowered.curse = or_random(curse, |curse| self.word(Curse::GROUP, curse.as_str()));
                }
                ObjectDetail::MonsterType(name) => {
                    let name = self.text(name);
                    // What is not known is "random" (NetHack 3.4.3, lev_comp, `monster_id`).
                    lowered.corpse = self.number_of(RegisterKind::Monster, &name, None).unwrap_or(-2);
                }
                ObjectDetail::Enchantment(enchantment) => {
                    lowered.enchantment = match &enchantment.kind {
                        ExprKind::Random => RANDOM_ENCHANTMENT,
                        _ => self.number(enchantment) as i16,
                    };
                }
                ObjectDetail::Name(name) => lowered.name = Some(self.text(name)),
                _ => self.cannot(detail.span, "this detail of an object"),
            }
        }
        if object.contents.is_some() {
            lowered.containment = CONTAINER;
            if around.is_some() {
                self.cannot(span, "a container in a container");
            }
        }
        push(list, span, lowered);
        for statement in object.contents.iter().flatten() {
            self.content(list, statement, 100, object);
        }
    }

    /// Puts in what stands in the block of a container.
    fn content(&mut self, list: &mut List<Object>, statement: &Statement, chance: i32, around: &level::Object) {
        match &statement.kind {
            StatementKind::Object(object) => self.object(list, object, chance, statement.span, Some(around)),
            StatementKind::Chance { condition: Condition::Percent(percent), then } if chance == 100 => {
                self.content(list, then, percent.node, around);
            }
            StatementKind::Error => {}
            _ => self.cannot(statement.span, "this statement in a container"),
        }
    }

    fn trap(&mut self, list: &mut List<Trap>, trap: &OrRandom<Spanned<Text>>, place: &Expr, chance: i32, span: Span) {
        let (x, y) = self.place(place);
        let kind = or_random(trap, |name| self.catalog.trap(&name.node).unwrap_or(-1));
        push(list, span, Trap { x, y, chance: quirk_cut(chance), kind });
    }

    fn part_region(&mut self, part: &mut Part, region: &level::Region, span: Span) {
        let [x1, y1, x2, y2] = self.region(&region.area);
        let mut kind = self.room_type(&region.room_type);
        let mut irregular = 0;
        for flag in region.flags.iter().flatten() {
            match flag.node {
                RoomFlag::Filling(Filling::Unfilled) => kind += self.catalog.limits.room_types + 1,
                RoomFlag::Filling(Filling::Filled) => {}
                RoomFlag::Irregular(word) => irregular = i8::from(word == Irregular::Irregular),
                RoomFlag::Joined(_) => self.cannot(flag.span, "this flag of a region"),
            }
        }
        if region.body.is_some() {
            self.cannot(span, "what is in a region");
        }
        let light = self.light(&region.light);
        push(&mut part.regions, span, Region { x1, y1, x2, y2, kind: quirk_cut(kind), light, irregular });
    }

    fn level_region(&mut self, part: &mut Part, region: &level::LevelRegion, span: Span) {
        let (kind, level) = match &region.kind {
            LevelRegionKind::Stair(UpDown::Up) => ("up_stairs", None),
            LevelRegionKind::Stair(UpDown::Down) => ("down_stairs", None),
            LevelRegionKind::Portal(level) => ("portal", Some(level.node.clone())),
            LevelRegionKind::Teleport(None) => ("teleport", None),
            LevelRegionKind::Teleport(Some(UpDown::Up)) => ("up_teleport", None),
            LevelRegionKind::Teleport(Some(UpDown::Down)) => ("down_teleport", None),
            LevelRegionKind::Branch => ("branch", None),
        };
        let kind = self.catalog.level_regions.iter().find(|(name, _)| name == kind).map_or(0, |&(_, number)| number);
        let inside = region.inside.corners.map(quirk_cut);
        let outside = region.outside.corners.map(quirk_cut);
        let lowered = super::LevelRegion {
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
        push(&mut part.level_regions, span, lowered);
    }

    fn altar(&mut self, list: &mut List<Altar>, statement: &Statement) {
        if let StatementKind::Altar { place, alignment, altar } = &statement.kind {
            let (x, y) = self.place(place);
            let alignment = self.alignment(alignment);
            let kind = or_random(altar, |altar| self.word(AltarType::GROUP, altar.as_str()));
            push(list, statement.span, Altar { x, y, alignment, kind });
        }
    }

    fn engraving(&mut self, list: &mut List<Engraving>, statement: &Statement) {
        if let StatementKind::Engraving { place, engraving, text } = &statement.kind {
            let (x, y) = self.place(place);
            let kind = or_random(engraving, |engraving| self.word(EngravingType::GROUP, engraving.as_str()));
            let text = Some(self.text(text));
            push(list, statement.span, Engraving { x, y, text, kind });
        }
    }

    fn feature(&mut self, list: &mut List<Feature>, at: &Selection, span: Span) {
        match &at.kind {
            SelectionKind::Point(place) => {
                let (x, y) = self.place(place);
                push(list, span, Feature { x, y });
            }
            _ => self.cannot(at.span, "fountains, sinks or pools on more than one square"),
        }
    }

    fn stair(&mut self, list: &mut List<Stair>, place: &Expr, direction: UpDown, span: Span) {
        let (x, y) = self.place(place);
        push(list, span, Stair { x, y, up: self.up(direction) });
    }

    fn gold(&mut self, list: &mut List<Gold>, amount: &Expr, place: &Expr, span: Span) {
        let amount = self.number(amount);
        let (x, y) = self.place(place);
        push(list, span, Gold { x, y, amount });
    }
}

/// RANDOM_OBJECTS and RANDOM_MONSTERS are stored from last to first, RANDOM_PLACES from first to last: the
/// compiler's grammar is right-recursive, and only the list of places acts before it goes on (NetHack 3.4.3,
/// lev_comp, `object_list`, `place_list`).
fn quirk_reverse_registers(list: &mut [i8]) {
    list.reverse();
}

/// The names of rooms in the level file: their NAMEs, and invented ones for rooms that have subrooms but no NAME, or
/// one that would lead to another room, as a subroom goes into the first room of the name.
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

/// What an object is to a container (`containment`).
const PLACED: i8 = 0;
const CONTAINED: i8 = 1;
const CONTAINER: i8 = 2;

fn push<T>(list: &mut List<T>, span: Span, node: T) {
    list.push(Spanned::new(node, span));
}
