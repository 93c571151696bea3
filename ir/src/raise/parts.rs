//! Parts and rooms back to a level of maps or of rooms: the inverse of [`lower::parts`](crate::lower::parts).
//!
//! Things are in the order of their lists, type by type, because the file does not record the order between types. A
//! name stored as a number becomes the first name with that number. A number without a name in the game is an error, as
//! is a byte that no des-file produces. Mistakes that only lowering again can show are left to [`raise`](super::raise).

use super::{Note, RaiseError, Raised, bare, expr, lowered, map_rows, statement, words_of_bits};
use crate::abi::Abi;
use crate::catalog::{self, Catalog, Match, Name};
use crate::level::{self, *};
use crate::loadable::Loadable;
use crate::parts::{
    Altar, BURIED, Body, Corridor, Door, Drawbridge, Engraving, Feature, Gold, Grid, IN_LIST, IN_REGION, Init, LIT,
    Ladder, List, ListTaker, Maze, Monster, NO_ALIGNMENT, Object, Part, PartsLevel, PlaceRegisters, Protected, RANDOM,
    RANDOM_ENCHANTMENT, Region, Room, RoomDoor, Rooms, Stair, Structure, Trap, Value, Walk,
};
use crate::source::{Charset, Span, Spanned, Text};
use crate::words::*;

/// Reads `parts` back; see [`raise`](super::raise()).
pub(super) fn raise(parts: &PartsLevel, catalog: &Catalog, abi: &Abi) -> Result<Raised, RaiseError> {
    let level = level(parts, catalog)?;
    let mut module = Module { charset: parts.charset, items: vec![Item::Level(level)], ..Module::default() };
    match lowered(&mut module, catalog, abi)? {
        Loadable::Parts(again) => same(parts, &again)?,
        Loadable::Program(_) | Loadable::Lua(_) => {
            return Err(RaiseError::new(Span::NOWHERE, "it compiles to a list of opcodes"));
        }
    }
    let mut notes = Vec::new();
    if let Body::Rooms(rooms) = &parts.body {
        // The game's own compiler needs a name for a room with subrooms; splc invents such names (`room 3`).
        let invented = rooms.rooms.iter().filter_map(|room| room.name.clone());
        let invented: Vec<Text> = invented.filter(|name| name.starts_with("room ")).collect();
        if !invented.is_empty() {
            notes.push(Note::InventedRooms(invented));
        }
    }
    Ok(Raised { module, notes })
}

/// Returns a level that `parts` may have been lowered from.
fn level(parts: &PartsLevel, catalog: &Catalog) -> Result<Level, RaiseError> {
    let raising = Raising { catalog };
    let mut body = Vec::new();
    raising.head(parts, &mut body)?;
    let kind = match &parts.body {
        Body::Maze(maze) => {
            raising.maze(maze, parts.init.node.present != 0, &mut body)?;
            let filling = match maze.filling {
                -1 => None,
                terrain => Some(bare(raising.map_character(terrain as u8, Span::NOWHERE)?)),
            };
            LevelKind::Maze { filling }
        }
        Body::Rooms(rooms) => {
            raising.rooms(rooms, &mut body)?;
            LevelKind::Rooms
        }
    };
    let flags = words_of_bits(i64::from(parts.flags), Group::Flag, catalog)
        .ok_or_else(|| RaiseError::new(Span::NOWHERE, format!("{} has no flags {:#x}", catalog.title, parts.flags)))?;
    let flags = (!flags.is_empty()).then(|| flags.into_iter().map(bare).collect());
    Ok(Level { name: bare(parts.name.clone()), kind, flags, body, span: Span::NOWHERE })
}

// --- Comparison

/// Returns the content of a level file of `level`, thing by thing.
fn flat(level: &PartsLevel) -> Flat {
    let mut flat = Flat { charset: level.charset, things: Vec::new() };
    flat.one(
        "the level type",
        Span::NOWHERE,
        vec![Cell::Number(match level.body {
            Body::Maze(_) => 2,
            Body::Rooms(_) => 1,
        })],
    );
    flat.structure("INIT_MAP", &level.init);
    flat.one("the flags", Span::NOWHERE, vec![Cell::Number(level.flags)]);
    flat.one("the message", Span::NOWHERE, vec![flat.text(&level.message)]);
    flat.one("the hallucination message", Span::NOWHERE, vec![flat.text(&level.hallucination)]);
    match &level.body {
        Body::Maze(maze) => {
            flat.one("the filling", Span::NOWHERE, vec![Cell::Number(maze.filling.into())]);
            flat.one("the number of parts", Span::NOWHERE, vec![Cell::Number(maze.parts.len() as i32)]);
            for part in &maze.parts {
                let Grid { width, height, squares } = &part.map;
                let head = [i32::from(part.horizontal), i32::from(part.vertical), *width as i32, *height as i32];
                let squares = squares.iter().map(|&square| i32::from(square));
                // The single square of NOMAP is not in the file if INIT_MAP has filled the level.
                let left_out = level.init.node.present != 0 && *width <= 1 && *height <= 1;
                let squares = squares.filter(|_| !left_out);
                flat.one("the map", part.span, head.into_iter().chain(squares).map(Cell::Number).collect());
                part.give_lists(&mut flat);
            }
        }
        Body::Rooms(rooms) => {
            flat.registers("registers of objects", &rooms.object_registers);
            flat.registers("registers of monsters", &rooms.monster_registers);
            flat.one("the number of rooms", Span::NOWHERE, vec![Cell::Number(rooms.rooms.len() as i32)]);
            for room in &rooms.rooms {
                let names = [&room.name, &room.parent].map(|name| flat.text(name.as_deref().unwrap_or_default()));
                flat.one("the names of a room", room.span, names.into());
                flat.structure("a room", &Spanned::new(room.header.clone(), room.span));
                room.give_lists(&mut flat);
            }
            flat.list("corridor", &rooms.corridors);
        }
    }
    flat
}

/// A number or string of a level file. A missing string is empty.
#[derive(PartialEq)]
enum Cell {
    Number(i32),
    Text(Vec<u8>),
}

/// The content of a level file, thing by thing: name, position and values.
struct Flat {
    charset: Charset,
    things: Vec<(&'static str, Span, Vec<Cell>)>,
}

impl Flat {
    fn one(&mut self, name: &'static str, span: Span, cells: Vec<Cell>) {
        self.things.push((name, span, cells));
    }

    fn text(&self, text: &str) -> Cell {
        let mut bytes = Vec::with_capacity(text.len());
        self.charset.encode_into(text, &mut bytes);
        Cell::Text(bytes)
    }

    fn structure<S: Structure>(&mut self, name: &'static str, thing: &Spanned<S>) {
        let mut cells = Vec::with_capacity(S::FIELDS.len());
        thing.node.each(|value| {
            cells.push(match value {
                Value::Char(number) => Cell::Number(number.into()),
                Value::Short(number) => Cell::Number(number.into()),
                Value::Int(number) => Cell::Number(number),
                Value::Text(text) => self.text(text.unwrap_or_default()),
            });
        });
        self.one(name, thing.span, cells);
    }
}

impl ListTaker for Flat {
    fn list<S: Structure>(&mut self, name: &'static str, list: &List<S>) {
        self.one(name, Span::NOWHERE, vec![Cell::Number(list.len() as i32)]);
        list.iter().for_each(|thing| self.structure(name, thing));
    }

    fn registers(&mut self, name: &'static str, registers: &[i8]) {
        self.one(name, Span::NOWHERE, registers.iter().map(|&register| Cell::Number(register.into())).collect());
    }

    fn places(&mut self, name: &'static str, places: &PlaceRegisters) {
        for list in std::iter::once(&places.first).chain(&places.others) {
            let numbers = list.iter().flat_map(|&(x, y)| [x, y]);
            self.one(name, Span::NOWHERE, numbers.map(|number| Cell::Number(number.into())).collect());
        }
    }
}

/// Reports the first difference between the level in the file and the level lowered again.
pub(super) fn same(file: &PartsLevel, again: &PartsLevel) -> Result<(), RaiseError> {
    let (file, again) = (flat(file), flat(again));
    for ((name, span, cells), (_, _, others)) in file.things.iter().zip(&again.things) {
        if cells != others {
            return Err(RaiseError::new(*span, format!("no des-file compiles to this ({name})")));
        }
    }
    match file.things.len() == again.things.len() {
        true => Ok(()),
        false => Err(RaiseError::new(Span::NOWHERE, "no des-file compiles to a level with this number of entries")),
    }
}

fn text(text: &Text, span: Span) -> Expr {
    expr(ExprKind::String(text.clone()), span)
}

/// Adds a chance to a statement, unless it is certain.
fn with_chance(kind: StatementKind, chance: i8, span: Span) -> Statement {
    let then = statement(kind, span);
    if chance == 100 {
        return then;
    }
    let condition = Condition::Percent(Spanned::new(i32::from(chance), span));
    statement(StatementKind::Chance { condition, then: Box::new(then) }, span)
}

/// Relation of an object to containers (`containment`).
const PLACED: i8 = 0;
const CONTAINED: i8 = 1;
const CONTAINER: i8 = 2;

/// The allowed forms of a place. Rooms have no place registers.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Places {
    /// Squares and `place[n]`, on a map on which the square (n,n) exists for n below this number.
    Registers(i8),
    /// Squares only.
    Squares,
}

struct Raising<'a> {
    catalog: &'a Catalog,
}

impl Raising<'_> {
    fn unknown<T>(&self, span: Span, what: &str, number: impl Into<i64>) -> Result<T, RaiseError> {
        Err(RaiseError::new(span, format!("{} has no {what} {}", self.catalog.title, number.into())))
    }

    /// Returns the word of a number.
    fn word<T>(
        &self,
        number: i8,
        group: Group,
        from_word: impl Fn(&str) -> Option<T>,
        span: Span,
    ) -> Result<T, RaiseError> {
        let found = self.catalog.words(group).find(|word| {
            self.catalog.word(group, word).map(|known| known as i8) == Some(number) && from_word(word).is_some()
        });
        match found.and_then(from_word) {
            Some(word) => Ok(word),
            None => self.unknown(span, "keyword for", number),
        }
    }

    fn or_random<T>(
        &self,
        number: i8,
        group: Group,
        from_word: impl Fn(&str) -> Option<T>,
        span: Span,
    ) -> Result<OrRandom<T>, RaiseError> {
        if number == -1 { Ok(OrRandom::Random) } else { self.word(number, group, from_word, span).map(OrRandom::Is) }
    }

    fn truth(&self, number: i8, span: Span) -> Result<bool, RaiseError> {
        match number {
            0 => Ok(false),
            1 => Ok(true),
            other => Err(RaiseError::new(span, format!("{other} is neither true nor false"))),
        }
    }

    fn light(&self, number: i8, span: Span) -> Result<OrRandom<Light>, RaiseError> {
        self.or_random(number, Light::GROUP, Light::from_word, span)
    }

    fn door_state(&self, number: i8, span: Span) -> Result<OrRandom<Spanned<DoorState>>, RaiseError> {
        Ok(match self.or_random(number, DoorState::GROUP, DoorState::from_word, span)? {
            OrRandom::Random => OrRandom::Random,
            OrRandom::Is(state) => OrRandom::Is(Spanned::new(state, span)),
        })
    }

    fn up_down(&self, number: i8, span: Span) -> Result<UpDown, RaiseError> {
        self.word(number, UpDown::GROUP, UpDown::from_word, span)
    }

    fn map_character(&self, terrain: u8, span: Span) -> Result<char, RaiseError> {
        match self.catalog.map_character(i32::from(terrain)) {
            Some(character) => Ok(character),
            None => self.unknown(span, "map character for terrain", terrain),
        }
    }

    fn place(&self, x: i8, y: i8, places: Places, span: Span) -> Expr {
        let is_register = |x: i8| match places {
            // `place[-3]` has the numbers of the square (2,2), and `place[-8859]` those of (-102,-102).
            Places::Registers(side) => x < 0 || x >= side,
            Places::Squares => false,
        };
        let has_registers = places != Places::Squares;
        let kind = match (x, y) {
            (RANDOM, RANDOM) => ExprKind::RandomCoordinate { humidity: Vec::new() },
            (x, y) if x == y && is_register(x) => {
                ExprKind::Register { of: RegisterKind::Place, index: Spanned::new(self.index(x), span) }
            }
            (IN_REGION, ..0) if has_registers && self.catalog.has(catalog::Feature::RandomRegions) => {
                ExprKind::Register { of: RegisterKind::Region, index: Spanned::new(register(y), span) }
            }
            (x, ..0) if x < IN_LIST && x > IN_LIST + RANDOM + 1 && self.catalog.has(catalog::Feature::PlaceLists) => {
                let of = RegisterKind::places(IN_LIST.abs_diff(x));
                ExprKind::Register { of, index: Spanned::new(register(y), span) }
            }
            _ => ExprKind::Coordinate { x: x.into(), y: y.into() },
        };
        expr(kind, span)
    }

    fn square(&self, x: i8, y: i8, places: Places, span: Span) -> Selection {
        Selection { kind: SelectionKind::Point(self.place(x, y, places, span)), span }
    }

    fn corners(corners: [i8; 4], span: Span) -> Expr {
        expr(ExprKind::Region { corners: corners.map(i32::from) }, span)
    }

    fn alignment(&self, number: i8, span: Span) -> Result<AlignmentSpec, RaiseError> {
        if number == RANDOM {
            return Ok(AlignmentSpec::Random);
        }
        match self.word(number, Alignment::GROUP, Alignment::from_word, span) {
            Ok(word) => Ok(AlignmentSpec::Is(word)),
            Err(_) if number <= 0 => Ok(AlignmentSpec::Register(Spanned::new(register(number), span))),
            Err(error) => Err(error),
        }
    }

    /// Returns a room type, and true if the room is unfilled. Unfilled types are numbered after the last filled one.
    fn room_type(&self, number: i8, span: Span) -> Result<(OrRandom<Spanned<Text>>, bool), RaiseError> {
        let name_of = |number: i64| self.catalog.rooms.iter().find(|(_, known)| *known == number);
        let unstocked = i64::from(number) - i64::from(self.catalog.limits.room_types + 1);
        let (found, unfilled) = match (number, name_of(number.into()), name_of(unstocked)) {
            (-1, ..) => return Ok((OrRandom::Random, false)),
            (_, Some(found), _) => (found, false),
            (_, None, Some(found)) => (found, true),
            (_, None, None) if unstocked == -1 => return Ok((OrRandom::Random, true)),
            _ => return self.unknown(span, "room type", number),
        };
        Ok((OrRandom::Is(Spanned::new(Text::from(&*found.0), span)), unfilled))
    }

    // --- Heads

    fn head(&self, level: &PartsLevel, body: &mut Vec<Statement>) -> Result<(), RaiseError> {
        let Init { present, padding, foreground, background, smoothed, joined, light, walled, iced } = level.init.node;
        let span = level.init.span;
        if present != 0 {
            if present != 1 || padding != 0 {
                return Err(RaiseError::new(span, "INIT_MAP with values in unused fields"));
            }
            let character =
                |terrain: i8| self.map_character(terrain as u8, span).map(|known| Spanned::new(known, span));
            let init = InitMap::Mines {
                foreground: character(foreground)?,
                background: character(background)?,
                smoothed: self.truth(smoothed, span)?,
                joined: Spanned::new(self.truth(joined, span)?, span),
                light: self.light(light, span)?,
                walled: if walled == -1 { OrRandom::Random } else { OrRandom::Is(self.truth(walled, span)?) },
                filling: None,
                iced: (iced != 0).then_some(Spanned::new(true, span)),
            };
            body.push(statement(StatementKind::InitMap(init), span));
        }
        // Messages are joined with line ends, except after an empty first one: a leading line end is part of a message.
        for (message, to) in [(&level.message, Audience::Everyone), (&level.hallucination, Audience::Hallucinating)] {
            let mut push = |line: &Text| {
                let text = text(line, Span::NOWHERE);
                body.push(statement(StatementKind::Message { text, to }, Span::NOWHERE));
            };
            if message.starts_with('\n') {
                push(message);
            } else if !message.is_empty() {
                message.split('\n').for_each(|line| push(&Text::from(line)));
            }
        }
        Ok(())
    }

    /// Adds registers. Class registers are stored in reverse.
    fn registers(&self, of: RegisterKind, symbols: &[i8], body: &mut Vec<Statement>) {
        if symbols.is_empty() {
            return;
        }
        let name = |symbol: &i8| SpeciesName::Class(char::from(*symbol as u8));
        let value = |symbol: &i8| match of {
            RegisterKind::Monster => ExprKind::Monster(name(symbol)),
            _ => ExprKind::Object(name(symbol)),
        };
        let values = symbols.iter().rev().map(|symbol| expr(value(symbol), Span::NOWHERE)).collect();
        body.push(statement(StatementKind::Registers { of, values }, Span::NOWHERE));
    }

    // --- Mazes

    /// `is_free` is true if places may be outside the maps.
    fn maze(&self, maze: &Maze, is_free: bool, body: &mut Vec<Statement>) -> Result<(), RaiseError> {
        maze.parts.iter().try_for_each(|part| self.part(part, is_free, body))
    }

    fn part(&self, part: &Part, is_free: bool, body: &mut Vec<Statement>) -> Result<(), RaiseError> {
        let map = self.map(part)?;
        let registers = Places::Registers(match map {
            Map::Drawn { .. } if !is_free => i8::try_from(part.map.width.min(part.map.height)).unwrap_or(i8::MAX),
            _ => i8::MAX,
        });
        body.push(statement(StatementKind::Map(map), part.span));
        self.registers(RegisterKind::Object, &part.object_registers, body);
        for (list, places) in (0..).zip(part.place_registers.lists()) {
            let place = |&(x, y): &(i8, i8)| expr(ExprKind::Coordinate { x: x.into(), y: y.into() }, Span::NOWHERE);
            let values = places.iter().map(place).collect();
            body.push(statement(StatementKind::Registers { of: RegisterKind::places(list), values }, Span::NOWHERE));
        }
        self.registers(RegisterKind::Monster, &part.monster_registers, body);
        for (number, Spanned { node: region, span }) in (0..).zip(&part.random_regions) {
            let kind = LevelRegionKind::Register(Spanned::new(number, *span));
            body.push(statement(self.level_region_of(kind, region, *span)?, *span));
        }
        each(&part.regions, body, |region, span| self.region(region, span))?;
        each(&part.level_regions, body, |region, span| self.level_region(region, span))?;
        each(&part.walks, body, |&Walk { x, y, direction }, span| {
            let direction = self.word(direction, Direction::GROUP, Direction::from_word, span)?;
            let place = self.place(x, y, registers, span);
            Ok(StatementKind::MazeWalk { place, direction, stocked: None, filling: None })
        })?;
        each(&part.non_diggable, body, |&Protected { x1, y1, x2, y2 }, span| {
            Ok(StatementKind::NonDiggable { region: Self::corners([x1, y1, x2, y2], span) })
        })?;
        each(&part.non_passwall, body, |&Protected { x1, y1, x2, y2 }, span| {
            Ok(StatementKind::NonPasswall { region: Self::corners([x1, y1, x2, y2], span) })
        })?;
        each(&part.doors, body, |&Door { x, y, state, artifact }, span| {
            let at = self.square(x, y, registers, span);
            Ok(StatementKind::Door { state: self.door_state(state, span)?, at, also: self.artifact(artifact, span) })
        })?;
        each(&part.drawbridges, body, |bridge, span| self.drawbridge(bridge, registers, span))?;
        each(&part.ladders, body, |&Ladder { x, y, up }, span| {
            let place = self.place(x, y, registers, span);
            Ok(StatementKind::Ladder { place, direction: self.up_down(up, span)? })
        })?;
        self.stairs(&part.stairs, registers, body)?;
        self.altars(&part.altars, registers, body)?;
        each(&part.fountains, body, |&Feature { x, y }, span| {
            Ok(StatementKind::Fountain { at: self.square(x, y, registers, span) })
        })?;
        self.own_places(&part.places, registers, body)?;
        self.traps(&part.traps, registers, body)?;
        self.monsters(&part.monsters, registers, body)?;
        self.objects(&part.objects, registers, body)?;
        self.gold(&part.gold, registers, body)?;
        self.engravings(&part.engravings, registers, body)
    }

    fn map(&self, part: &Part) -> Result<Map, RaiseError> {
        if part.map == Grid::single(self.catalog) && (part.horizontal, part.vertical) == (1, 1) {
            return Ok(Map::None);
        }
        let span = part.span;
        let position = MapPosition::Aligned {
            horizontal: self.word(part.horizontal, Horizontal::GROUP, Horizontal::from_word, span)?,
            vertical: self.word(part.vertical, Vertical::GROUP, Vertical::from_word, span)?,
        };
        let Grid { width, height, squares } = &part.map;
        let mut rows = Vec::with_capacity(*height);
        for at in 0..*height {
            let row = squares.get(at * width..(at + 1) * width).unwrap_or_default();
            rows.push(row.iter().map(|&square| self.map_character(square, span)).collect::<Result<String, _>>()?);
        }
        let rows = map_rows(rows, *width, span);
        Ok(Map::Drawn { position, keep_regions: None, rows })
    }

    fn region(&self, region: &Region, span: Span) -> Result<StatementKind, RaiseError> {
        let &Region { x1, y1, x2, y2, kind, light, irregular } = region;
        let (room_type, unfilled) = self.room_type(kind, span)?;
        let irregular = self.truth(irregular, span)?;
        let mut flags = Vec::new();
        if unfilled || irregular {
            let filling = if unfilled { Filling::Unfilled } else { Filling::Filled };
            flags.push(Spanned::new(RoomFlag::Filling(filling), span));
        }
        if irregular {
            flags.push(Spanned::new(RoomFlag::Irregular(Irregular::Irregular), span));
        }
        Ok(StatementKind::Region(level::Region {
            area: Self::corners([x1, y1, x2, y2], span),
            light: self.light(light, span)?,
            room_type,
            flags: (!flags.is_empty()).then_some(flags),
            body: None,
        }))
    }

    fn level_region(&self, region: &crate::parts::LevelRegion, span: Span) -> Result<StatementKind, RaiseError> {
        let name = self.catalog.level_regions.iter().find(|&&(_, number)| number == i64::from(region.kind));
        let kind = match (name.map(|(name, _)| &**name), &region.level) {
            (Some("up_stairs"), None) => LevelRegionKind::Stair(UpDown::Up),
            (Some("down_stairs"), None) => LevelRegionKind::Stair(UpDown::Down),
            (Some("portal"), Some(level)) => LevelRegionKind::Portal(Spanned::new(level.clone(), span)),
            (Some("teleport"), None) => LevelRegionKind::Teleport(None),
            (Some("up_teleport"), None) => LevelRegionKind::Teleport(Some(UpDown::Up)),
            (Some("down_teleport"), None) => LevelRegionKind::Teleport(Some(UpDown::Down)),
            (Some("branch"), None) => LevelRegionKind::Branch,
            _ => return self.unknown(span, "level region of type", region.kind),
        };
        self.level_region_of(kind, region, span)
    }

    fn level_region_of(
        &self,
        kind: LevelRegionKind,
        region: &crate::parts::LevelRegion,
        span: Span,
    ) -> Result<StatementKind, RaiseError> {
        if region.padding != 0 {
            return Err(RaiseError::new(span, "a level region with values in unused fields"));
        }
        let spec = |level: i8, corners: [i8; 4]| {
            Ok(RegionSpec { level: self.truth(level, span)?, corners: corners.map(i32::from), span })
        };
        let inside = [region.inside_x1, region.inside_y1, region.inside_x2, region.inside_y2];
        let outside = [region.outside_x1, region.outside_y1, region.outside_x2, region.outside_y2];
        Ok(StatementKind::LevelRegion(LevelRegion {
            kind,
            inside: spec(region.inside_level, inside)?,
            outside: spec(region.outside_level, outside)?,
        }))
    }

    fn drawbridge(&self, bridge: &Drawbridge, places: Places, span: Span) -> Result<StatementKind, RaiseError> {
        let number = i64::from(bridge.direction);
        let name = self.catalog.drawbridge_directions.iter().find(|&&(_, known)| known == number);
        let Some(direction) = name.and_then(|(name, _)| Direction::from_word(name)) else {
            return self.unknown(span, "drawbridge direction", number);
        };
        let state = if self.truth(bridge.open, span)? { DoorState::Open } else { DoorState::Closed };
        Ok(StatementKind::Drawbridge {
            place: self.place(bridge.x, bridge.y, places, span),
            direction: Spanned::new(direction, span),
            state: OrRandom::Is(Spanned::new(state, span)),
        })
    }

    // --- Rooms

    fn rooms(&self, rooms: &Rooms, body: &mut Vec<Statement>) -> Result<(), RaiseError> {
        self.registers(RegisterKind::Object, &rooms.object_registers, body);
        self.registers(RegisterKind::Monster, &rooms.monster_registers, body);
        let around: Vec<Option<usize>> = rooms.rooms.iter().map(|room| rooms.around(room)).collect();
        let mut raised = Vec::with_capacity(rooms.rooms.len());
        for (at, room) in rooms.rooms.iter().enumerate() {
            raised.push(Some((self.room(room, subroom_depth(&around, at))?, room.span)));
        }
        nest(raised, &around, body);
        each(&rooms.corridors, body, |corridor, span| self.corridor(corridor, span))
    }

    fn room(&self, room: &Room, depth: Option<usize>) -> Result<level::Room, RaiseError> {
        use Places::Squares;
        let (header, span) = (&room.header, room.span);
        // One number alone can be written as -1.
        let pair = |a: i8, b: i8| match (a, b) {
            (-1, -1) => OrRandom::Random,
            (a, b) => OrRandom::Is((i32::from(a), i32::from(b))),
        };
        let position = match pair(header.x, header.y) {
            OrRandom::Random => OrRandom::Random,
            OrRandom::Is(position) => OrRandom::Is(Spanned::new(position, span)),
        };
        let alignment = match pair(header.horizontal, header.vertical) {
            OrRandom::Random => OrRandom::Random,
            OrRandom::Is((-1, _) | (_, -1)) => {
                return Err(RaiseError::new(span, "a room with only one alignment random"));
            }
            OrRandom::Is(_) => OrRandom::Is((
                self.word(header.horizontal, Horizontal::GROUP, Horizontal::from_word, span)?,
                self.word(header.vertical, Vertical::GROUP, Vertical::from_word, span)?,
            )),
        };
        let placement = match (&room.parent, alignment) {
            (None, alignment) => RoomPlacement::Level { position, alignment },
            (Some(_), OrRandom::Random) if depth.is_some_and(|depth| depth > 0) => {
                RoomPlacement::Room { position, parent_span: span }
            }
            (Some(parent), OrRandom::Random) => {
                RoomPlacement::Stray { position, parent: Spanned::new(parent.clone(), span) }
            }
            (Some(_), OrRandom::Is(_)) => return Err(RaiseError::new(span, "an aligned room in a room")),
        };
        let size = match pair(header.width, header.height) {
            OrRandom::Random => OrRandom::Random,
            OrRandom::Is((width, height)) => OrRandom::Is((Spanned::new(width, span), Spanned::new(height, span))),
        };
        let room_type = match header.kind {
            -1 => OrRandom::Random,
            number => match self.catalog.rooms.iter().find(|&&(_, known)| known == i64::from(number)) {
                Some((name, _)) => OrRandom::Is(Spanned::new(Text::from(&**name), span)),
                None => return self.unknown(span, "room type", number),
            },
        };
        let unfilled = !self.truth(header.filled, span)?;
        let flags = unfilled.then(|| vec![Spanned::new(RoomFlag::Filling(Filling::Unfilled), span)]);
        let mut body = Vec::new();
        each(&room.doors, &mut body, |door, span| self.room_door(door, span))?;
        self.stairs(&room.stairs, Squares, &mut body)?;
        self.altars(&room.altars, Squares, &mut body)?;
        each(&room.fountains, &mut body, |&Feature { x, y }, span| {
            Ok(StatementKind::Fountain { at: self.square(x, y, Squares, span) })
        })?;
        each(&room.sinks, &mut body, |&Feature { x, y }, span| {
            Ok(StatementKind::Sink { at: self.square(x, y, Squares, span) })
        })?;
        each(&room.pools, &mut body, |&Feature { x, y }, span| {
            Ok(StatementKind::Pool { at: self.square(x, y, Squares, span) })
        })?;
        self.own_places(&room.places, Squares, &mut body)?;
        self.traps(&room.traps, Squares, &mut body)?;
        self.monsters(&room.monsters, Squares, &mut body)?;
        self.objects(&room.objects, Squares, &mut body)?;
        self.gold(&room.gold, Squares, &mut body)?;
        self.engravings(&room.engravings, Squares, &mut body)?;
        Ok(level::Room {
            room_type,
            chance: (header.chance != 0).then(|| Spanned::new(i32::from(header.chance), span)),
            light: self.light(header.light, span)?,
            placement,
            size,
            flags,
            body,
            name: room.name.as_ref().map(|name| Spanned::new(name.clone(), span)),
            order: None,
        })
    }

    fn room_door(&self, door: &RoomDoor, span: Span) -> Result<StatementKind, RaiseError> {
        let walls = match self.or_random(door.wall, Direction::GROUP, Direction::from_word, span)? {
            OrRandom::Random => OrRandom::Random,
            OrRandom::Is(wall) => OrRandom::Is(vec![Spanned::new(wall, span)]),
        };
        Ok(StatementKind::RoomDoor {
            secret: if door.secret == -1 { OrRandom::Random } else { OrRandom::Is(self.truth(door.secret, span)?) },
            state: self.door_state(door.state, span)?,
            walls,
            position: number_or_random(door.position, span),
            walls_span: span,
            also: self.artifact(door.artifact, span),
        })
    }

    fn corridor(&self, corridor: &Corridor, span: Span) -> Result<StatementKind, RaiseError> {
        if *corridor == (Corridor { from_room: -1, ..Corridor::default() }) {
            return Ok(StatementKind::RandomCorridors { style: CorridorStyle::Default });
        }
        let end = |room: i8, wall: i8, door: i8| {
            Ok(CorridorEnd {
                room: Spanned::new(room.into(), span),
                wall: Spanned::new(self.word(wall, Direction::GROUP, Direction::from_word, span)?, span),
                door: number_or_random(door, span),
            })
        };
        let from = end(corridor.from_room, corridor.from_wall, corridor.from_door)?;
        let to = match (corridor.to_room, corridor.to_door) {
            (-1, 0) => CorridorTarget::Number(Spanned::new(corridor.to_wall.into(), span)),
            _ => CorridorTarget::Door(end(corridor.to_room, corridor.to_wall, corridor.to_door)?),
        };
        Ok(StatementKind::Corridor { from, to })
    }

    // --- Things

    fn stairs(&self, list: &List<Stair>, places: Places, body: &mut Vec<Statement>) -> Result<(), RaiseError> {
        each(list, body, |&Stair { x, y, up }, span| {
            let place = self.place(x, y, places, span);
            Ok(StatementKind::Stair { place, direction: self.up_down(up, span)? })
        })
    }

    /// Adds the one-place statements of the game's catalog.
    fn own_places(&self, lists: &[List<Feature>], places: Places, body: &mut Vec<Statement>) -> Result<(), RaiseError> {
        for (list, word) in lists.iter().zip(self.catalog.place_statements.iter()) {
            each(list, body, |&Feature { x, y }, span| {
                Ok(StatementKind::Place { word: Text::from(&**word), at: self.square(x, y, places, span) })
            })?;
        }
        Ok(())
    }

    /// Returns the artifact or number after a door.
    fn artifact(&self, number: i16, span: Span) -> Vec<Spanned<Text>> {
        Self::name_behind(i32::from(number), &self.catalog.artifacts, span)
    }

    /// Returns the text after a door or an altar: the name from `names`, or the number.
    fn name_behind(number: i32, names: &[Name], span: Span) -> Vec<Spanned<Text>> {
        let known = usize::try_from(number).ok().filter(|number| *number > 0);
        let named = known.and_then(|number| names.get(number)).filter(|name| !name.is_empty());
        let named = named.map(|name| format!("\"{name}\""));
        let written = named.or_else(|| (number != 0).then(|| number.to_string()));
        written.map(|written| Spanned::new(Text::from(written), span)).into_iter().collect()
    }

    fn altars(&self, list: &List<Altar>, places: Places, body: &mut Vec<Statement>) -> Result<(), RaiseError> {
        each(list, body, |&Altar { x, y, alignment, kind, god }, span| {
            Ok(StatementKind::Altar {
                place: self.place(x, y, places, span),
                alignment: self.alignment(alignment, span)?,
                altar: self.or_random(kind, AltarType::GROUP, AltarType::from_word, span)?,
                also: Self::name_behind(god, &self.catalog.gods, span),
            })
        })
    }

    fn gold(&self, list: &List<Gold>, places: Places, body: &mut Vec<Statement>) -> Result<(), RaiseError> {
        each(list, body, |&Gold { x, y, amount }, span| {
            let amount = if amount == -1 { ExprKind::Random } else { ExprKind::Integer(amount) };
            Ok(StatementKind::Gold { amount: expr(amount, span), place: self.place(x, y, places, span) })
        })
    }

    fn engravings(&self, list: &List<Engraving>, places: Places, body: &mut Vec<Statement>) -> Result<(), RaiseError> {
        each(list, body, |engraving, span| {
            Ok(StatementKind::Engraving {
                place: self.place(engraving.x, engraving.y, places, span),
                engraving: self.or_random(engraving.kind, EngravingType::GROUP, EngravingType::from_word, span)?,
                text: text(&engraving.text.clone().unwrap_or_default(), span),
            })
        })
    }

    fn traps(&self, list: &List<Trap>, places: Places, body: &mut Vec<Statement>) -> Result<(), RaiseError> {
        for Spanned { node: Trap { x, y, chance, kind }, span } in list {
            let trap = match kind {
                -1 => OrRandom::Random,
                number => match self.catalog.traps.iter().find(|&&(_, known)| known == i64::from(*number)) {
                    Some((name, _)) => OrRandom::Is(Spanned::new(Text::from(&**name), *span)),
                    None => return self.unknown(*span, "trap", *number),
                },
            };
            let kind = StatementKind::Trap { trap, place: self.place(*x, *y, places, *span) };
            body.push(with_chance(kind, *chance, *span));
        }
        Ok(())
    }

    /// Returns the class and name of a monster or object.
    fn species(&self, of: RegisterKind, class: i8, number: i16, span: Span) -> Result<Expr, RaiseError> {
        let of_species = |name: SpeciesName| match of {
            RegisterKind::Monster => ExprKind::Monster(name),
            _ => ExprKind::Object(name),
        };
        // A register below 0 is stored as a positive number, which no class may have.
        let positive = u8::try_from(class).ok().filter(|&class| class > 0).map(char::from);
        let symbol = positive.filter(|&symbol| match of {
            RegisterKind::Monster => self.catalog.monster_class(symbol).is_some(),
            _ => self.catalog.object_class(symbol).is_some(),
        });
        let name = match number {
            -1 => None,
            number => Some(self.name(of, number, symbol, span)?),
        };
        let index = Spanned::new(self.index(class), span);
        let kind = match (symbol, name) {
            (Some(symbol), None) => of_species(SpeciesName::Class(symbol)),
            (Some(symbol), Some(name)) => of_species(SpeciesName::ClassAndName(symbol, name)),
            (None, None) if class == RANDOM => of_species(SpeciesName::Random),
            (None, Some(name)) if class == RANDOM => of_species(SpeciesName::RandomAndName(name)),
            (None, None) => ExprKind::Register { of, index },
            (None, Some(name)) => ExprKind::NamedRegister { of, index, name },
        };
        Ok(expr(kind, span))
    }

    /// Returns the index of a register. The compiler refuses one beyond its registers; a negative one that does not fit
    /// in a byte is stored like it.
    fn index(&self, number: i8) -> i32 {
        let index = register(number);
        if index >= self.catalog.limits.registers { index - 256 } else { index }
    }

    /// Returns the name for a number, within the class if there is one.
    fn name(&self, of: RegisterKind, number: i16, class: Option<char>, span: Span) -> Result<Text, RaiseError> {
        let at = usize::try_from(number).ok();
        let (found, again) = match of {
            RegisterKind::Monster => {
                let found = at.and_then(|at| self.catalog.monsters.get(at));
                (found, found.and_then(|found| self.catalog.monster(&found.name, class)))
            }
            _ => {
                let found = at.and_then(|at| self.catalog.objects.get(at));
                (found, found.and_then(|found| self.catalog.object(&found.name, class)))
            }
        };
        match (found, again) {
            (Some(found), Some((known, Match::Exact))) if known == i32::from(number) => Ok(Text::from(&*found.name)),
            _ if of == RegisterKind::Monster => self.unknown(span, "name of this class for monster", number),
            _ => self.unknown(span, "name of this class for object", number),
        }
    }

    fn monsters(&self, list: &List<Monster>, places: Places, body: &mut Vec<Statement>) -> Result<(), RaiseError> {
        for Spanned { node: monster, span } in list {
            let span = *span;
            let mut details = Vec::new();
            let mut detail = |detail: MonsterDetail| details.push(Spanned::new(detail, span));
            if let Some(name) = &monster.name {
                detail(MonsterDetail::Name(text(name, span)));
            }
            if monster.peaceful != -1 {
                let word = self.word(monster.peaceful, Attitude::GROUP, Attitude::from_word, span)?;
                detail(MonsterDetail::Attitude(OrRandom::Is(word)));
            }
            if monster.asleep != -1 {
                let word = self.word(monster.asleep, Alertness::GROUP, Alertness::from_word, span)?;
                detail(MonsterDetail::Alertness(OrRandom::Is(word)));
            }
            if monster.alignment != NO_ALIGNMENT {
                detail(MonsterDetail::Alignment(self.alignment(monster.alignment, span)?));
            }
            match (monster.appearance, &monster.appear_as) {
                (0, None) => {}
                (appearance, Some(what)) => {
                    let word = self.word(appearance, Appearance::GROUP, Appearance::from_word, span)?;
                    detail(MonsterDetail::Appearance(word, text(what, span)));
                }
                (_, None) => return Err(RaiseError::new(span, "an appearance without a name")),
            }
            let kind = StatementKind::Monster(level::Monster {
                monster: self.species(RegisterKind::Monster, monster.class, monster.number, span)?,
                place: self.place(monster.x, monster.y, places, span),
                details,
                inventory: None,
            });
            body.push(with_chance(kind, monster.chance, span));
        }
        Ok(())
    }

    /// Adds objects, with the contents of containers nested in them. To keep the order of the list, an object with a
    /// place is nested in the container before it only if a contained object follows.
    fn objects(&self, list: &List<Object>, places: Places, body: &mut Vec<Statement>) -> Result<(), RaiseError> {
        let mut holder: Option<Spanned<(level::Object, i8)>> = None;
        let mut placed = Vec::new();
        let close = |holder: &mut Option<Spanned<(level::Object, i8)>>, placed: &mut Vec<_>, body: &mut Vec<_>| {
            if let Some(Spanned { node: (object, chance), span }) = holder.take() {
                body.push(with_chance(StatementKind::Object(object), chance, span));
            }
            body.append(placed);
        };
        for Spanned { node: object, span } in list {
            let mut raised = self.object(object, places, *span)?;
            match object.containment {
                PLACED => placed.push(with_chance(StatementKind::Object(raised), object.chance, *span)),
                CONTAINED => {
                    let inside = with_chance(StatementKind::Object(raised), object.chance, *span);
                    match &mut holder {
                        Some(holder) => {
                            let contents = holder.node.0.contents.get_or_insert_default();
                            contents.append(&mut placed);
                            contents.push(inside);
                        }
                        None => placed.push(inside),
                    }
                }
                CONTAINER => {
                    close(&mut holder, &mut placed, body);
                    raised.contents = Some(Vec::new());
                    holder = Some(Spanned::new((raised, object.chance), *span));
                }
                other => return Err(RaiseError::new(*span, format!("an object with the container mark {other}"))),
            }
        }
        close(&mut holder, &mut placed, body);
        Ok(())
    }

    fn object(&self, object: &Object, places: Places, span: Span) -> Result<level::Object, RaiseError> {
        let mut details = Vec::new();
        let mut detail = |detail: ObjectDetail| details.push(Spanned::new(detail, span));
        if object.containment != CONTAINED {
            detail(ObjectDetail::Place(self.place(object.x, object.y, places, span)));
        } else if (object.x, object.y) != (RANDOM, RANDOM) {
            return Err(RaiseError::new(span, "a contained object with its own place"));
        }
        if object.curse != -1 {
            let own = |word: &&str| {
                Curse::from_word(word).is_none()
                    && self.catalog.word(Curse::GROUP, word).map(|known| known as i8) == Some(object.curse)
            };
            detail(
                match (
                    self.word(object.curse, Curse::GROUP, Curse::from_word, span),
                    self.catalog.words(Curse::GROUP).find(own),
                ) {
                    (Ok(word), _) => ObjectDetail::Curse(OrRandom::Is(word)),
                    (Err(_), Some(word)) => ObjectDetail::Own(OwnDetail { word: Text::from(word), value: None }),
                    (Err(error), None) => return Err(error),
                },
            );
        }
        match object.corpse {
            -1 => {}
            // The compiler's number for an unknown name.
            -2 => detail(ObjectDetail::MonsterType(text(&Text::const_new("random"), span))),
            number => {
                let number = i16::try_from(number).unwrap_or(i16::MAX);
                let name = self.name(RegisterKind::Monster, number, None, span)?;
                detail(ObjectDetail::MonsterType(text(&name, span)));
            }
        }
        if object.enchantment != RANDOM_ENCHANTMENT {
            detail(ObjectDetail::Enchantment(expr(ExprKind::Integer(object.enchantment.into()), span)));
        }
        if let Some(name) = &object.name {
            detail(ObjectDetail::Name(text(name, span)));
        }
        let mut flags = i64::from(object.flags);
        for (word, flag) in [(BURIED, ObjectDetail::Buried), (LIT, ObjectDetail::Light(Light::Lit))] {
            let bit = self.catalog.word(Group::ObjectFlag, word).unwrap_or(0);
            if bit != 0 && flags & bit == bit {
                flags &= !bit;
                detail(flag);
            }
        }
        if flags != 0 {
            return self.unknown(span, "object flag", flags);
        }
        Ok(level::Object {
            object: self.species(RegisterKind::Object, object.class, object.number, span)?,
            details,
            contents: None,
            contained_span: if object.containment == CONTAINED { span } else { Span::NOWHERE },
        })
    }
}

/// Adds `rooms`, in the order of the level file, to `body`. Each subroom follows the other contents of its room.
fn nest(mut rooms: Vec<Option<(level::Room, Span)>>, around: &[Option<usize>], body: &mut Vec<Statement>) {
    let mut inside: Vec<Vec<usize>> = vec![Vec::new(); rooms.len()];
    let mut outermost = Vec::new();
    for at in 0..rooms.len() {
        let depth = subroom_depth(around, at);
        match around[at].filter(|_| depth.is_some_and(|depth| depth > 0)) {
            Some(outer) => inside[outer].push(at),
            None => outermost.push(at),
        }
    }
    let mut next = 0;
    for at in outermost {
        body.extend(nested(at, &mut rooms, &inside, &mut next));
    }
}

/// Returns the room at `at` with its subrooms nested in it. `next` counts the rooms in reading order.
/// [`MAX_SUBROOM_NESTING`](crate::limits::MAX_SUBROOM_NESTING) bounds the depth.
fn nested(
    at: usize,
    rooms: &mut [Option<(level::Room, Span)>],
    inside: &[Vec<usize>],
    next: &mut u32,
) -> Option<Statement> {
    let (mut room, span) = rooms.get_mut(at)?.take()?;
    // A room that is already in reading order needs no number.
    room.order = u32::try_from(at).ok().filter(|order| order != next);
    *next += 1;
    for &subroom in &inside[at] {
        room.body.extend(nested(subroom, rooms, inside, next));
    }
    Some(statement(StatementKind::Room(Box::new(room)), span))
}

/// Returns the register for a number in a file.
fn register(number: i8) -> i32 {
    -i32::from(number) - 1
}

fn number_or_random(number: i8, span: Span) -> OrRandom<Spanned<i32>> {
    if number == -1 { OrRandom::Random } else { OrRandom::Is(Spanned::new(number.into(), span)) }
}

/// Adds a statement for each thing of a list.
fn each<T>(
    list: &List<T>,
    body: &mut Vec<Statement>,
    make: impl Fn(&T, Span) -> Result<StatementKind, RaiseError>,
) -> Result<(), RaiseError> {
    for thing in list {
        body.push(statement(make(&thing.node, thing.span)?, thing.span));
    }
    Ok(())
}
