//! Judges 3.4.3 levels as the game's own compiler does, and says a little more.
//!
//! What NetHack 3.4.3's `lev_comp` rejects is an error here, what it warns about is a warning. What it would
//! crash on, or read from memory that is not its own (places in a part without a MAP, more parts or rooms than
//! its arrays hold), is an error, too. Lints that it does not have come on top; those that its `-w` adds are
//! off at first, as there.
//!
//! Source: NetHack 3.4.3, `util/lev_comp.y`, `util/lev_main.c`.

use std::collections::HashMap;

use super::Grid;
use crate::catalog::{Catalog, Match};
use crate::diagnostic::{Code, Diagnostic, Diagnostics, did_you_mean};
use crate::level::*;
use crate::source::{Charset, Span, Spanned, Text};
use crate::words::*;

/// Checks every level of `module` against the game of `catalog`.
pub fn check(module: &Module, catalog: &Catalog, diagnostics: &mut Diagnostics) {
    let mut names: HashMap<&str, Span> = HashMap::new();
    for level in module.levels() {
        check_level(level, module.charset, catalog, diagnostics);
        let name = level.name.node.as_str();
        match names.get(name) {
            Some(&first) if !name.is_empty() => diagnostics.push(
                Diagnostic::new(Code::DuplicateLevel, level.name.span, format!("a second level called \"{name}\""))
                    .with_label("written over the first")
                    .with_secondary(first, "the first one"),
            ),
            Some(_) => {}
            None => {
                names.insert(name, level.name.span);
            }
        }
    }
}

/// Checks one level; see [`check`].
pub fn check_level(level: &Level, charset: Charset, catalog: &Catalog, diagnostics: &mut Diagnostics) {
    let terrain = Terrain::new(catalog);
    let mut checker = Checker {
        catalog,
        charset,
        diagnostics,
        terrain,
        place: Setting::Level,
        free_places: false,
        message: 0,
        counts: [0; KINDS],
        container: false,
    };
    checker.level_name(&level.name);
    match &level.kind {
        LevelKind::Maze { filling } => checker.maze(*filling, &level.body),
        LevelKind::Rooms => checker.rooms(&level.body),
        LevelKind::Script => {}
    }
}

/// Numbers of the kinds of squares that the checks ask about.
struct Terrain {
    /// First that is no rock.
    pool: u8,
    door: u8,
    secret_door: u8,
    /// Last that is a wall.
    drawbridge_wall: u8,
    corridor: u8,
    /// First that is part of a room.
    room: u8,
}

impl Terrain {
    fn new(catalog: &Catalog) -> Terrain {
        let number = |name: &str| catalog.level_type(name).unwrap_or(0) as u8;
        Terrain {
            pool: number("pool"),
            door: number("door"),
            secret_door: number("sdoor"),
            drawbridge_wall: number("dbwall"),
            corridor: number("corr"),
            room: number("room"),
        }
    }

    fn is_rock(&self, square: u8) -> bool {
        square < self.pool
    }

    fn is_solid(&self, square: u8) -> bool {
        self.is_rock(square) || square == self.door
    }

    fn is_wall(&self, square: u8) -> bool {
        (square > 0 && square <= self.drawbridge_wall) || square == Grid::UNKNOWN
    }

    fn has_door(&self, square: u8) -> bool {
        square == self.door || square == self.secret_door || square == Grid::UNKNOWN
    }
}

/// What places count from.
enum Setting {
    /// The head of a level, where nothing has a place.
    Level,
    /// A part with a MAP.
    Map(Grid),
    /// A part without one: the whole level.
    NoMap,
    /// A part whose map could not be understood.
    Unknown,
    /// A room.
    Room,
}

/// Kinds of things of which a part or room holds a limited number.
#[derive(Clone, Copy)]
enum Kind {
    Door,
    Trap,
    Monster,
    Object,
    Drawbridge,
    Walk,
    Ladder,
    Stair,
    LevelRegion,
    Fountain,
    Sink,
    Pool,
    NonDiggable,
    NonPasswall,
    Region,
    Altar,
    Gold,
    Engraving,
    Corridor,
}

const KINDS: usize = Kind::Corridor as usize + 1;

impl Kind {
    fn plural(self) -> &'static str {
        match self {
            Kind::Door => "doors",
            Kind::Trap => "traps",
            Kind::Monster => "monsters",
            Kind::Object => "objects",
            Kind::Drawbridge => "drawbridges",
            Kind::Walk => "MAZEWALKs",
            Kind::Ladder => "ladders",
            Kind::Stair => "stairs",
            Kind::LevelRegion => "level regions",
            Kind::Fountain => "fountains",
            Kind::Sink => "sinks",
            Kind::Pool => "pools",
            Kind::NonDiggable => "NON_DIGGABLE regions",
            Kind::NonPasswall => "NON_PASSWALL regions",
            Kind::Region => "regions",
            Kind::Altar => "altars",
            Kind::Gold => "piles of gold",
            Kind::Engraving => "engravings",
            Kind::Corridor => "corridors",
        }
    }
}

struct Checker<'a> {
    catalog: &'a Catalog,
    charset: Charset,
    diagnostics: &'a mut Diagnostics,
    terrain: Terrain,
    place: Setting,
    /// Whether places may be outside of the map: where INIT_MAP fills the level.
    free_places: bool,
    /// Bytes of MESSAGE so far.
    message: usize,
    counts: [i32; KINDS],
    /// Whether a CONTAINER came before.
    container: bool,
}

impl Checker<'_> {
    fn report(&mut self, diagnostic: Diagnostic) {
        self.diagnostics.push(diagnostic);
    }

    /// A sentence that offers the names nearest to `name`. Once diagnostics are dropped, nobody would see it.
    fn near<'n>(&self, name: &str, known: impl IntoIterator<Item = &'n str>) -> Option<String> {
        if self.diagnostics.dropped() > 0 { None } else { did_you_mean(name, known) }
    }

    fn error(&mut self, code: Code, span: Span, message: impl Into<String>) {
        self.report(Diagnostic::new(code, span, message.into()));
    }

    /// Counts a thing. A list ends before its limit: the compiler counts first and complains when the limit is
    /// reached (NetHack 3.4.3, lev_comp: `MAX_OF_TYPE`).
    fn count(&mut self, kind: Kind, span: Span) {
        let limit = match kind {
            Kind::NonPasswall => self.catalog.limits.non_passwall,
            Kind::Corridor => self.catalog.limits.corridors,
            _ => self.catalog.limits.of_type,
        };
        let count = &mut self.counts[kind as usize];
        *count += 1;
        if *count == limit {
            let (plural, most) = (kind.plural(), limit - 1);
            let (what, help) = match (&self.place, kind) {
                (Setting::Room, _) => ("room", "put some of them into another room"),
                (_, Kind::Corridor) => ("level", "join the rooms with fewer corridors, or use RANDOM_CORRIDORS"),
                _ => ("part", "begin another part with NOMAP: places in it count from the corner of the level"),
            };
            self.report(
                Diagnostic::new(Code::TooMany, span, format!("more than {most} {plural} in one {what}"))
                    .with_label(format!("this is number {limit}"))
                    .with_help(help),
            );
        }
    }

    // --- Heads

    fn level_name(&mut self, name: &Spanned<Text>) {
        let most = self.catalog.limits.level_name.max(0) as usize;
        let length = self.charset.encoded_len(&name.node);
        let text = &name.node;
        if length > most {
            self.report(
                Diagnostic::new(Code::LevelName, name.span, "the level's name is too long")
                    .with_label(format!("{length} characters"))
                    .with_help(format!("level names have at most {most} characters: they are file names everywhere")),
            );
        } else if text.contains('.') {
            self.report(
                Diagnostic::new(Code::LevelName, name.span, "a level's name cannot have a dot")
                    .with_help("the compiler adds \".lev\" itself"),
            );
        } else if text.is_empty() && !self.diagnostics.has_errors() {
            self.error(Code::LevelName, name.span, "a level needs a name");
        } else if text.contains(|character: char| character.is_control() || "/\\:".contains(character)) {
            self.report(
                Diagnostic::new(Code::LevelName, name.span, "a level's name must be fit for a file name")
                    .with_help("use letters, digits, `-` and `_`"),
            );
        }
    }

    /// What may stand before parts and rooms.
    fn head(&mut self, statement: &Statement) -> bool {
        match &statement.kind {
            StatementKind::InitMap(init) => {
                self.free_places = true;
                self.init_map(init);
            }
            StatementKind::Message { text } => self.message(text),
            _ => return false,
        }
        true
    }

    fn init_map(&mut self, init: &InitMap) {
        let InitMap::Mines { foreground, background, joined, .. } = init else { return };
        for (what, character) in [("foreground", foreground), ("background", background)] {
            if self.catalog.terrain(character.node).is_none() {
                self.unknown_terrain(Code::InitMap, character, what);
            }
        }
        let ground = self.catalog.terrain(foreground.node).map(|terrain| terrain as u8);
        if joined.node && ground.is_some_and(|ground| ground != self.terrain.corridor && ground != self.terrain.room) {
            self.report(
                Diagnostic::new(Code::InitMap, foreground.span, "caves of this terrain cannot be joined")
                    .with_secondary(joined.span, "asks for joined caves")
                    .with_help("use '.' or '#' for the ground, or write `false` for joined"),
            );
        }
    }

    fn unknown_terrain(&mut self, code: Code, character: &Spanned<char>, what: &str) {
        let known = &self.catalog.map_characters;
        self.report(
            Diagnostic::new(code, character.span, format!("no terrain is drawn with this {what} character"))
                .with_help(format!("the map characters are {known}")),
        );
    }

    /// All messages of a level together, with a line end between each two, fit one buffer (NetHack 3.4.3,
    /// lev_comp, `message`).
    fn message(&mut self, text: &Expr) {
        let ExprKind::String(string) = &text.kind else { return };
        let length = self.charset.encoded_len(string);
        let most = self.catalog.limits.message.max(0) as usize;
        if length + 1 + self.message > most {
            let before = self.message;
            let mut diagnostic = Diagnostic::new(Code::Message, text.span, "too much text for the level's message")
                .with_label(format!("{length} characters"))
                .with_help(format!("all MESSAGEs of a level together have at most {} characters", most - 1));
            if before > 0 {
                diagnostic = diagnostic.with_note(format!("the MESSAGEs before it have {before} characters"));
            }
            self.report(diagnostic);
        } else {
            self.message += length + usize::from(self.message > 0);
        }
    }

    // --- Mazes

    fn maze(&mut self, filling: Option<Spanned<char>>, body: &[Statement]) {
        if let Some(filling) = filling.filter(|filling| self.catalog.terrain(filling.node).is_none()) {
            let known = &self.catalog.map_characters;
            self.report(
                Diagnostic::new(Code::UnknownFilling, filling.span, "no terrain is drawn with this fill character")
                    .with_label("the level becomes a maze, as with `random`")
                    .with_help(format!("the map characters are {known}")),
            );
        }
        let mut parts = 0;
        for statement in body {
            if self.head(statement) {
                continue;
            }
            match &statement.kind {
                StatementKind::Map(map) => {
                    parts += 1;
                    if parts == self.catalog.limits.parts + 1 {
                        self.report(
                            Diagnostic::new(
                                Code::TooMany,
                                statement.span,
                                format!("more than {} parts in one level", self.catalog.limits.parts),
                            )
                            .with_help("draw neighbouring parts as one map"),
                        );
                    }
                    self.begin_part(map);
                }
                StatementKind::Error if parts == 0 && matches!(self.place, Setting::Level) => {
                    self.free_places = true;
                    self.place = Setting::Unknown;
                }
                StatementKind::Error => {
                    self.counts = [0; KINDS];
                    self.place = Setting::Unknown;
                }
                _ => self.statement(statement),
            }
        }
    }

    fn begin_part(&mut self, map: &Map) {
        self.counts = [0; KINDS];
        self.place = match map {
            Map::None => Setting::NoMap,
            Map::Drawn { rows, .. } => {
                self.map_rows(rows);
                Setting::Map(Grid::new(rows, self.catalog))
            }
        };
    }

    fn map_rows(&mut self, rows: &MapRows) {
        let (most_width, most_height) =
            (self.catalog.limits.map_width as usize, self.catalog.limits.map_height as usize);
        let drawn = |row: &str| row.chars().filter(|character| !character.is_ascii_digit()).count();
        let trimmed = |row: &str| drawn(row.trim_end_matches(|last: char| last == ' ' || last.is_ascii_digit()));
        // The width of a row with something strange in it is not known.
        let drawn = |row: &str| if row.contains('\u{FFFD}') { 0 } else { drawn(row) };
        let width = rows.rows.iter().map(|row| drawn(row)).max().unwrap_or(0);
        let row_span = |at: usize| rows.row_spans.get(at).copied().unwrap_or(rows.span);
        if width > most_width {
            let at = rows.rows.iter().position(|row| drawn(row) > most_width).unwrap_or(0);
            let row = rows.rows.get(at).map_or("", Text::as_str);
            let blanks = drawn(row) - trimmed(row);
            let mut diagnostic = Diagnostic::new(Code::MapSize, row_span(at), "the map is too large: too wide")
                .with_label(format!("{} columns", drawn(row)))
                .with_note(format!("a map has at most {most_width} columns and {most_height} rows"));
            if blanks > 0 {
                diagnostic = diagnostic
                    .with_help(format!("{blanks} of its columns are blanks at the end of the line: take them away"));
            }
            self.report(diagnostic);
        } else if let Some(at) = rows.rows.iter().position(|row| {
            let numbered = row.trim_end_matches(|last: char| last.is_ascii_digit());
            numbered.len() < row.len()
                && numbered.ends_with(' ')
                && drawn(row) == width
                && rows.rows.iter().all(|row| trimmed(row) < width)
        }) {
            let row = rows.rows.get(at).map_or("", Text::as_str);
            let blanks = drawn(row) - trimmed(row);
            self.report(
                Diagnostic::new(
                    Code::MapBlanks,
                    row_span(at),
                    "the row number leaves blanks at the end of this map line",
                )
                .with_note("digits in a map only number its lines and are dropped; the blanks before them are not")
                .with_label(format!("blanks make the map {blanks} columns wider"))
                .with_help("take the row number away together with the blanks before it"),
            );
        }
        if rows.rows.len() > most_height {
            self.report(
                Diagnostic::new(Code::MapSize, row_span(most_height), "the map is too large: too high")
                    .with_label(format!("row {} of {}", most_height + 1, rows.rows.len()))
                    .with_note(format!("a map has at most {most_width} columns and {most_height} rows")),
            );
        }
    }

    /// Greatest column and row that a place in the part may have, as its compiler has it: one row too many in a
    /// part without a map (NetHack 3.4.3, lev_comp, `map_definition`).
    fn bounds(&self) -> Option<(i32, i32)> {
        match &self.place {
            Setting::Map(grid) => Some((grid.width as i32 - 1, grid.height as i32 - 1)),
            Setting::NoMap => Some((self.catalog.limits.columns - 1, self.catalog.limits.rows)),
            _ => None,
        }
    }

    // --- Rooms

    fn rooms(&mut self, body: &[Statement]) {
        let mut count = 0;
        // What could not be understood may have been a room.
        let complete = !body.iter().any(|statement| matches!(statement.kind, StatementKind::Error));
        let random_corridors =
            body.iter().any(|statement| matches!(statement.kind, StatementKind::RandomCorridors { .. }));
        for statement in body {
            if self.head(statement) {
                continue;
            }
            match &statement.kind {
                StatementKind::Room(room) => {
                    count += 1;
                    let most = self.catalog.limits.rooms_and_subrooms;
                    if count == most + 1 {
                        self.error(
                            Code::TooMany,
                            statement.span,
                            format!("more than {most} rooms and subrooms in one level"),
                        );
                    }
                    self.place = Setting::Room;
                    self.counts = [0; KINDS];
                    self.room(room, random_corridors);
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
            self.report(
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
        let names: Vec<&str> = rooms.iter().filter_map(|room| room.name.as_ref()).map(|name| &*name.node).collect();
        let mut parents: Vec<(&str, i32)> = Vec::new();
        for room in &rooms {
            let RoomPlacement::Room { parent: Some(parent), .. } = &room.placement else { continue };
            if !names.contains(&&*parent.node) {
                let mut diagnostic =
                    Diagnostic::new(Code::Subroom, parent.span, format!("no room is named \"{}\"", parent.node));
                diagnostic = match self.near(&parent.node, names.iter().copied()) {
                    Some(help) => diagnostic.with_help(help),
                    None => diagnostic.with_help(format!("give the room around it a `NAME:\"{}\"`", parent.node)),
                };
                self.report(diagnostic);
                continue;
            }
            let count = match parents.iter_mut().find(|(name, _)| *name == parent.node) {
                Some((_, count)) => count,
                None => {
                    parents.push((&parent.node, 0));
                    let last = parents.len() - 1;
                    &mut parents[last].1
                }
            };
            *count += 1;
            let most = self.catalog.limits.subrooms;
            if *count == most + 1 {
                self.error(
                    Code::Subroom,
                    parent.span,
                    format!("more than {most} subrooms in room \"{}\"", parent.node),
                );
            }
        }
    }

    fn room(&mut self, room: &Room, random_corridors: bool) {
        let ordinary = self.room_type(&room.room_type) == self.catalog.room("ordinary");
        match &room.placement {
            RoomPlacement::Level { position: OrRandom::Is(position), .. } => {
                let (x, y) = position.node;
                if !(1..=5).contains(&x) || !(1..=5).contains(&y) {
                    self.report(
                        Diagnostic::new(Code::RoomDetail, position.span, "no such place for a room")
                            .with_help("a ROOM is placed on a grid of 5 by 5: both numbers are from 1 to 5"),
                    );
                }
            }
            RoomPlacement::Room { position: OrRandom::Is(position), .. } => {
                let (x, y) = position.node;
                if x < 0 || y < 0 {
                    self.report(
                        Diagnostic::new(Code::RoomDetail, position.span, "no such place for a subroom")
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
                self.report(
                    Diagnostic::new(Code::RoomDetail, chance.span, "an ordinary room has no CHANCE")
                        .with_help("CHANCE says how likely the room has its special type; else it is ordinary"),
                );
            } else if !(1..=99).contains(&chance.node) {
                self.error(Code::RoomDetail, chance.span, "CHANCE is a percentage from 1 to 99");
            }
        }
        let door = room.body.iter().any(|statement| matches!(statement.kind, StatementKind::RoomDoor { .. }));
        if let OrRandom::Is(name) = &room.room_type {
            let subroom = matches!(room.placement, RoomPlacement::Room { .. });
            if self.is_shop(&name.node) && !door && (subroom || !random_corridors) {
                self.report(
                    Diagnostic::new(Code::ShopDoor, name.span, "this shop has no door")
                        .with_note("the game puts the shopkeeper beside the only door; without it, no shop is made")
                        .with_help("add one `DOOR:secret,state,wall,position`, e.g. `DOOR:false,nodoor,south,random`"),
                );
            }
        }
        self.container = false;
        for statement in &room.body {
            self.statement(statement);
        }
    }

    fn room_type(&mut self, room_type: &OrRandom<Spanned<Text>>) -> Option<i32> {
        let OrRandom::Is(name) = room_type else { return None };
        let number = self.catalog.room(&name.node);
        if number.is_none() {
            let mut diagnostic =
                Diagnostic::new(Code::UnknownRoom, name.span, format!("no room type is called \"{}\"", name.node))
                    .with_label("becomes an ordinary room");
            let names = self.catalog.rooms.iter().map(|(name, _)| name.as_ref());
            if let Some(help) = self.near(&name.node, names) {
                diagnostic = diagnostic.with_help(help);
            }
            self.report(diagnostic);
        }
        number.or(self.catalog.room("ordinary"))
    }

    fn is_shop(&self, name: &str) -> bool {
        self.catalog.room(name).zip(self.catalog.room("shop")).is_some_and(|(room, shop)| room >= shop)
    }

    // --- Statements

    fn statement(&mut self, statement: &Statement) {
        let span = statement.span;
        match &statement.kind {
            StatementKind::Registers { values, .. } => self.set_registers(values),
            StatementKind::Chance { condition: Condition::Percent(percent), then } => {
                if !(1..=100).contains(&percent.node) {
                    self.report(
                        Diagnostic::new(Code::Percentage, percent.span, format!("{} is no chance", percent.node))
                            .with_help("a chance is a percentage from 1 to 100"),
                    );
                }
                self.statement(then);
            }
            StatementKind::Monster(monster) => {
                self.monster(monster);
                self.in_wall(&monster.place, "monster");
                self.count(Kind::Monster, span);
            }
            StatementKind::Object(object) => {
                self.object(object);
                self.count(Kind::Object, span);
            }
            StatementKind::Trap { trap, place } => {
                self.place_range(place);
                self.in_wall(place, "trap");
                self.trap(trap);
                self.count(Kind::Trap, span);
            }
            StatementKind::RoomDoor { walls, position, .. } => {
                if let (OrRandom::Random, OrRandom::Is(position)) = (walls, position)
                    && position.node != -1
                {
                    self.report(
                        Diagnostic::new(Code::Door, position.span, "a door in a random wall has no fixed position")
                            .with_help("write `random` for the position, or say which wall"),
                    );
                }
                self.count(Kind::Door, span);
            }
            StatementKind::Door { at, .. } => {
                if let SelectionKind::Point(place) = &at.kind {
                    if self.place_range(place) {
                        self.door(place);
                    }
                }
                self.count(Kind::Door, span);
            }
            StatementKind::Drawbridge { place, direction, state } => {
                if self.place_range(place) {
                    self.drawbridge(place, direction);
                }
                self.drawbridge_state(state, span);
                self.count(Kind::Drawbridge, span);
            }
            StatementKind::Region(region) => {
                self.region(region);
                self.count(Kind::Region, span);
            }
            StatementKind::LevelRegion(region) => {
                self.region_spec(&region.inside);
                self.region_spec(&region.outside);
                self.count(Kind::LevelRegion, span);
            }
            StatementKind::Altar { place, alignment, .. } => {
                self.place_range(place);
                self.alignment(alignment);
                self.in_wall(place, "altar");
                self.count(Kind::Altar, span);
            }
            StatementKind::Fountain { at } => self.feature(at, Kind::Fountain, Some("fountain"), span),
            StatementKind::Sink { at } => self.feature(at, Kind::Sink, None, span),
            StatementKind::Pool { at } => self.feature(at, Kind::Pool, None, span),
            StatementKind::MazeWalk { place, .. } => {
                self.place_range(place);
                self.count(Kind::Walk, span);
            }
            StatementKind::Wallify { .. } => self.wallify(span),
            StatementKind::Ladder { place, .. } => {
                self.place_range(place);
                self.in_wall(place, "ladder");
                self.count(Kind::Ladder, span);
            }
            StatementKind::Stair { place, .. } => {
                self.place_range(place);
                self.in_wall(place, "stairway");
                self.count(Kind::Stair, span);
            }
            StatementKind::Gold { place, .. } => {
                self.place_range(place);
                self.in_wall(place, "gold");
                self.count(Kind::Gold, span);
            }
            StatementKind::Engraving { place, .. } => {
                self.place_range(place);
                self.in_wall(place, "engraving");
                self.count(Kind::Engraving, span);
            }
            StatementKind::NonDiggable { region } => {
                self.region_range(region);
                self.count(Kind::NonDiggable, span);
            }
            StatementKind::NonPasswall { region } => {
                self.region_range(region);
                self.count(Kind::NonPasswall, span);
            }
            _ => {}
        }
    }

    fn feature(&mut self, at: &Selection, kind: Kind, what: Option<&str>, span: Span) {
        if let SelectionKind::Point(place) = &at.kind {
            self.place_range(place);
            if let Some(what) = what {
                self.in_wall(place, what);
            }
        }
        self.count(kind, span);
    }

    // --- Places

    /// A number that is stored in one byte.
    fn narrow(&mut self, number: i32, span: Span) {
        if i8::try_from(number).is_err() {
            self.report(
                Diagnostic::new(Code::NumberCut, span, format!("{number} does not fit the level file"))
                    .with_label(format!("becomes {}", number as i8)),
            );
        }
    }

    /// Says whether the place may be on the map.
    fn place_range(&mut self, place: &Expr) -> bool {
        match &place.kind {
            ExprKind::Coordinate { x, y } => {
                let (x, y) = (*x, *y);
                if self.free_places || matches!(self.place, Setting::Room | Setting::Unknown | Setting::Level) {
                    self.narrow(x, place.span);
                    self.narrow(y, place.span);
                } else if let Some((width, height)) = self.bounds()
                    && !((0..=width).contains(&x) && (0..=height).contains(&y))
                {
                    self.out_of_map(Code::CoordinateRange, place.span, "place");
                    return false;
                }
            }
            _ => {}
        }
        true
    }

    fn out_of_map(&mut self, code: Code, span: Span, what: &str) {
        let Some((width, height)) = self.bounds() else { return };
        let diagnostic = Diagnostic::new(code, span, format!("this {what} is outside of the map"));
        let diagnostic = match &self.place {
            Setting::Map(_) if width < 0 || height < 0 => diagnostic.with_label("the map of this part is empty"),
            Setting::Map(_) => {
                diagnostic.with_label(format!("the map goes from (0,0) to ({width},{height})")).with_help(
                    "places count from the upper left corner of the part's map, which is (0,0); the column comes first",
                )
            }
            _ => diagnostic.with_label(format!("the level goes from (0,0) to ({width},{height})")),
        };
        self.report(diagnostic);
    }

    /// The square that a place is, if it is certain: column and row, both from 0.
    fn square(&self, place: &Expr) -> Option<(i32, i32)> {
        let (x, y) = match &place.kind {
            ExprKind::Coordinate { x, y } => (*x, *y),
            // A register below 0 is a square of its own; see `quirk_register` of the lowering.
            ExprKind::Register { of: RegisterKind::Place, index } => {
                let square = index.node.checked_neg()?.checked_sub(1)?;
                (square, square)
            }
            _ => return None,
        };
        (x >= 0 && y >= 0).then_some((x, y))
    }

    /// Warns about things that are put into rock or onto a door (NetHack 3.4.3, `check_coord`).
    fn in_wall(&mut self, place: &Expr, what: &str) {
        let Setting::Map(grid) = &self.place else { return };
        let Some((x, y)) = self.square(place) else { return };
        let Some(square) = grid.get(x, y) else { return };
        if self.terrain.is_solid(square) {
            let on = if square == self.terrain.door {
                "a door"
            } else if square == 0 {
                "solid rock"
            } else if square == self.terrain.secret_door {
                "a secret door"
            } else if self.terrain.is_wall(square) {
                "a wall"
            } else {
                "what is solid"
            };
            let span = place.span;
            self.report(
                Diagnostic::new(Code::PlacedInWall, span, format!("{what} placed in a wall at ({x},{y})"))
                    .with_label(format!("the map has {on} there"))
                    .with_help("places count from the upper left corner of the part's map, which is (0,0)"),
            );
        }
    }

    fn set_registers(&mut self, values: &[Expr]) {
        for value in values {
            match &value.kind {
                ExprKind::Object(SpeciesName::Class(class)) => self.object_class(*class, value.span),
                ExprKind::Monster(SpeciesName::Class(class)) => self.monster_class(*class, value.span),
                _ => {
                    self.place_range(value);
                }
            }
        }
    }

    fn alignment(&mut self, alignment: &AlignmentSpec) {
        let AlignmentSpec::Register(index) = alignment else { return };
        let most = self.catalog.limits.alignments;
        if index.node >= most {
            self.report(
                Diagnostic::new(Code::RegisterRange, index.span, format!("there is no align[{}]", index.node))
                    .with_help("the three alignments, shuffled, are align[0], align[1] and align[2]"),
            );
        }
    }

    // --- Monsters and objects

    fn monster_class(&mut self, class: char, span: Span) {
        if self.catalog.monster_class(class).is_none() {
            self.error(Code::UnknownMonster, span, format!("no class of monsters has the symbol '{class}'"));
        }
    }

    fn object_class(&mut self, class: char, span: Span) {
        if self.catalog.object_class(class).is_none() {
            let mut diagnostic =
                Diagnostic::new(Code::UnknownObject, span, format!("no class of objects has the symbol '{class}'"));
            diagnostic = diagnostic.with_help(format!("the classes of objects are {}", self.catalog.object_classes));
            self.report(diagnostic);
        }
    }

    fn monster(&mut self, monster: &Monster) {
        self.place_range(&monster.place);
        let span = monster.monster.span;
        match &monster.monster.kind {
            ExprKind::Monster(SpeciesName::Class(class)) => self.monster_class(*class, span),
            ExprKind::Monster(SpeciesName::ClassAndName(class, name)) => {
                if self.catalog.monster_class(*class).is_none() {
                    self.monster_class(*class, span);
                } else {
                    self.monster_name(name, Some(*class), span);
                }
            }
            ExprKind::Monster(SpeciesName::RandomAndName(name)) => self.monster_without_class(name, span),
            ExprKind::NamedRegister { of: RegisterKind::Monster, name, .. } => self.monster_without_class(name, span),
            _ => {}
        }
        for detail in &monster.details {
            if let MonsterDetail::Alignment(alignment) = &detail.node {
                self.alignment(alignment);
            }
        }
    }

    /// A name that is not that of a monster of the class makes a random one, with a warning (NetHack 3.4.3,
    /// lev_comp, `monster_detail`).
    fn monster_name(&mut self, name: &str, class: Option<char>, span: Span) {
        match self.catalog.monster(name, class) {
            Some((_, Match::Exact)) => {}
            found => {
                let mut diagnostic = Diagnostic::new(
                    Code::UnknownMonsterName,
                    span,
                    match class {
                        Some(class) => format!("no monster of class '{class}' is called \"{name}\""),
                        None => format!("no monster is called \"{name}\""),
                    },
                )
                .with_label("becomes a random one");
                let elsewhere =
                    self.catalog.monster(name, None).and_then(|(number, _)| self.catalog.monsters.get(number as usize));
                if let (None, Some(species)) = (found, elsewhere) {
                    diagnostic = diagnostic.with_help(format!("\"{}\" is of class '{}'", species.name, species.class));
                } else {
                    let known =
                        self.catalog.monsters.iter().filter(|species| class.is_none_or(|class| species.class == class));
                    if let Some(help) = self.near(name, known.map(|species| species.name.as_ref())) {
                        diagnostic = diagnostic.with_help(help);
                    }
                }
                self.report(diagnostic);
            }
        }
    }

    fn monster_without_class(&mut self, name: &str, span: Span) {
        let mut diagnostic =
            Diagnostic::new(Code::UnknownMonsterName, span, format!("\"{name}\" is not looked for without its class"))
                .with_label("becomes a random one");
        if let Some(species) =
            self.catalog.monster(name, None).and_then(|(number, _)| self.catalog.monsters.get(number as usize))
        {
            diagnostic = diagnostic.with_help(format!("write '{}',\"{}\"", species.class, species.name));
        }
        self.report(diagnostic);
    }

    fn object(&mut self, object: &Object) {
        let span = object.object.span;
        match &object.object.kind {
            ExprKind::Object(SpeciesName::Class(class)) => self.object_class(*class, span),
            ExprKind::Object(SpeciesName::ClassAndName(class, name)) => {
                if self.catalog.object_class(*class).is_none() {
                    self.object_class(*class, span);
                } else {
                    self.object_name(name, Some(*class), span);
                }
            }
            ExprKind::Object(SpeciesName::RandomAndName(name)) => {
                match self.catalog.object(name, None).filter(|(_, how)| *how == Match::Exact) {
                    None => self.object_name(name, None, span),
                    Some((number, _)) => {
                        let mut diagnostic =
                            Diagnostic::new(Code::NameIgnored, span, "the name of a random object is not looked at")
                                .with_label("the game makes a random object");
                        if let Some(species) = self.catalog.objects.get(number as usize) {
                            diagnostic = diagnostic.with_help(format!("write '{}',\"{name}\"", species.class));
                        }
                        self.report(diagnostic);
                    }
                }
            }
            ExprKind::NamedRegister { of: RegisterKind::Object, name, .. } => self.object_name(name, None, span),
            _ => {}
        }
        for detail in &object.details {
            match &detail.node {
                ObjectDetail::Place(place) => {
                    self.place_range(place);
                    self.in_wall(place, "object");
                }
                ObjectDetail::Contained => self.contained(detail.span),
                ObjectDetail::MonsterType(name) => self.corpse(name),
                ObjectDetail::Enchantment(Expr { kind: ExprKind::Integer(number), span })
                    if i16::try_from(*number).is_err() =>
                {
                    self.report(
                        Diagnostic::new(Code::NumberCut, *span, format!("{number} does not fit the level file"))
                            .with_label(format!("becomes {}", *number as i16)),
                    );
                }
                _ => {}
            }
        }
        if object.contents.is_some() {
            self.container = true;
        }
    }

    fn contained(&mut self, span: Span) {
        if self.container {
            return;
        }
        let diagnostic = Diagnostic::new(Code::ContainerOrder, span, "no CONTAINER comes before what is contained");
        let diagnostic = match &self.place {
            Setting::Room => diagnostic
                .with_help("write the CONTAINER first, in the same room, and what is in it after it")
                .with_note(
                    "NetHack 3.4.3 makes the objects of a room in the order in which they are written; guides for \
                     older games, which made them from last to first, say to write `contained` before its container",
                ),
            _ => diagnostic.with_help("write the CONTAINER first, and what is in it after it"),
        };
        self.report(diagnostic);
    }

    fn corpse(&mut self, name: &Expr) {
        let ExprKind::String(text) = &name.kind else { return };
        if text == "random" || self.catalog.monster(text, None).is_some_and(|(_, how)| how == Match::Exact) {
            return;
        }
        let mut diagnostic =
            Diagnostic::new(Code::UnknownCorpse, name.span, format!("no monster is called \"{text}\""))
                .with_label("becomes that of a random monster");
        let known = self.catalog.monsters.iter().map(|species| species.name.as_ref());
        if let Some(help) = self.near(text, known) {
            diagnostic = diagnostic.with_help(help);
        }
        self.report(diagnostic);
    }

    /// A name that is not that of an object of the class makes a random one, with a warning (NetHack 3.4.3,
    /// lev_comp, `object_desc`). The usual mistakes get a hint.
    fn object_name(&mut self, name: &str, class: Option<char>, span: Span) {
        let found = self.catalog.object(name, class);
        if matches!(found, Some((_, Match::Exact))) {
            return;
        }
        let mut diagnostic = Diagnostic::new(
            Code::UnknownObjectName,
            span,
            match class {
                Some(class) => format!("no object of class '{class}' is called \"{name}\""),
                None => format!("no object is called \"{name}\""),
            },
        )
        .with_label("becomes a random one");
        let species = |name: &str, class: Option<char>| {
            let (number, _) = self.catalog.object(name, class)?;
            self.catalog.objects.get(number as usize)
        };
        let counted = name.trim_start_matches(|first: char| first.is_ascii_digit()).trim_start();
        let one = counted.strip_suffix('s').unwrap_or(counted);
        let of = name.split_once(" of ").map(|(_, of)| of);
        let help = if class == Some('$') {
            Some("gold is made with its own statement: `GOLD:amount,place`, e.g. `GOLD:100,(3,4)`".to_owned())
        } else if counted.len() < name.len() {
            let one =
                species(counted, class).or_else(|| species(one, class)).map_or(one, |species| species.name.as_ref());
            Some(format!("an OBJECT is one thing and takes no quantity: write \"{one}\", once for each"))
        } else if let Some(species) = of.and_then(|of| species(of, class)) {
            Some(format!("the class '{}' says what it is: write \"{}\" alone", species.class, species.name))
        } else if let (None, Some(species)) = (found, species(name, None)) {
            Some(format!("\"{}\" is of class '{}'", species.name, species.class))
        } else {
            let known = self.catalog.objects.iter().filter(|species| class.is_none_or(|class| species.class == class));
            self.near(name, known.map(|species| species.name.as_ref()))
        };
        if let Some(help) = help {
            diagnostic = diagnostic.with_help(help);
        }
        self.report(diagnostic);
    }

    fn trap(&mut self, trap: &OrRandom<Spanned<Text>>) {
        let OrRandom::Is(name) = trap else { return };
        if self.catalog.trap(&name.node).is_none() {
            let mut diagnostic =
                Diagnostic::new(Code::UnknownTrap, name.span, format!("no trap is called \"{}\"", name.node));
            let names = self.catalog.traps.iter().map(|(name, _)| name.as_ref());
            diagnostic = match self.near(&name.node, names) {
                Some(help) => diagnostic.with_help(help),
                None => {
                    let names: Vec<&str> = self.catalog.traps.iter().map(|(name, _)| name.as_ref()).collect();
                    diagnostic.with_note(format!("the traps are {}", names.join(", ")))
                }
            };
            self.report(diagnostic);
        }
    }

    // --- What stands on the map

    fn needs_map(&mut self, span: Span, what: &str) {
        self.report(
            Diagnostic::new(Code::NeedsMap, span, format!("{what} needs a MAP"))
                .with_label("this part begins with NOMAP")
                .with_note("the game's own compiler looks at a map that is not there, and crashes")
                .with_help("draw the part, with GEOMETRY and MAP"),
        );
    }

    fn door(&mut self, place: &Expr) {
        let Some((x, y)) = self.square(place) else { return };
        match &self.place {
            Setting::Map(grid) if !grid.get(x, y).is_some_and(|square| self.terrain.has_door(square)) => {
                self.report(
                    Diagnostic::new(Code::Door, place.span, "this door does not match the map")
                        .with_label(format!("the map has no `+` or `S` at ({x},{y})"))
                        .with_help("DOOR says what a door of the map is like: draw the door, or mend the place"),
                );
            }
            Setting::NoMap => self.needs_map(place.span, "a DOOR"),
            _ => {}
        }
    }

    fn drawbridge(&mut self, place: &Expr, direction: &Spanned<Direction>) {
        if let Some((x, y)) = self.square(place) {
            let (wall_x, wall_y) = match direction.node {
                Direction::North => (x, y - 1),
                Direction::South => (x, y.saturating_add(1)),
                Direction::East => (x.saturating_add(1), y),
                Direction::West => (x - 1, y),
            };
            match &self.place {
                Setting::Map(grid) if !grid.get(wall_x, wall_y).is_some_and(|square| self.terrain.is_wall(square)) => {
                    self.report(
                        Diagnostic::new(Code::Drawbridge, place.span, "a drawbridge needs a wall to hang on")
                            .with_secondary(
                                direction.span,
                                format!("{} of it, at ({wall_x},{wall_y}), is no wall", direction.node.as_str()),
                            )
                            .with_help(
                                "the place is where the bridge lies when it is open; the direction leads from there \
                                     to the portcullis, which is in a wall",
                            ),
                    );
                }
                Setting::NoMap => self.needs_map(place.span, "a DRAWBRIDGE"),
                _ => {}
            }
        }
    }

    fn drawbridge_state(&mut self, state: &OrRandom<Spanned<DoorState>>, span: Span) {
        let wrong = match state {
            OrRandom::Is(state) if matches!(state.node, DoorState::Open | DoorState::Closed) => return,
            OrRandom::Is(state) => state.span,
            OrRandom::Random => span,
        };
        self.error(Code::State, wrong, "a drawbridge can only be open or closed");
    }

    fn wallify(&mut self, span: Span) {
        match &mut self.place {
            Setting::Map(grid) if grid.width > 0 && grid.height > 0 => grid.wallify(self.catalog),
            Setting::Map(_) | Setting::NoMap => self.needs_map(span, "WALLIFY"),
            _ => {}
        }
    }

    fn region_range(&mut self, region: &Expr) -> Option<[i32; 4]> {
        let ExprKind::Region { corners } = region.kind else { return None };
        let (width, height) = self.bounds()?;
        let [x1, y1, x2, y2] = corners;
        let fits = |number: i32, most: i32| (0..=most).contains(&number);
        if !(fits(x1, width) && fits(y1, height) && fits(x2, width) && fits(y2, height)) {
            self.out_of_map(Code::RegionRange, region.span, "region");
            return None;
        }
        Some(corners)
    }

    fn region_spec(&mut self, region: &RegionSpec) {
        let area = Expr { kind: ExprKind::Region { corners: region.corners }, span: region.span };
        if !region.level {
            self.region_range(&area);
            return;
        }
        let (columns, rows) = (self.catalog.limits.columns, self.catalog.limits.rows);
        let [x1, y1, x2, y2] = region.corners;
        let fits = |x: i32, y: i32| (1..columns).contains(&x) && (0..rows).contains(&y);
        if !(fits(x1, y1) && fits(x2, y2)) {
            self.report(
                Diagnostic::new(Code::RegionRange, region.span, "this region is outside of the level")
                    .with_label(format!("a level goes from (1,0) to ({},{})", columns - 1, rows - 1)),
            );
        }
    }

    fn region(&mut self, region: &Region) {
        let kind = self.room_type(&region.room_type);
        let Some([x1, y1, x2, y2]) = self.region_range(&region.area) else { return };
        let span = region.area.span;
        let flags = || region.flags.iter().flatten().map(|flag| flag.node);
        let irregular = flags().any(|flag| flag == RoomFlag::Irregular(Irregular::Irregular));
        let unfilled = flags().any(|flag| flag == RoomFlag::Filling(Filling::Unfilled));
        if x1 > x2 || y1 > y2 {
            self.report(
                Diagnostic::new(Code::RegionRange, span, "the corners of this region are the wrong way round")
                    .with_help("a region is (left,top,right,bottom)"),
            );
            return;
        }
        let vault = self.catalog.room("vault");
        if kind.is_some() && kind == vault && !unfilled && (irregular || x2 - x1 != 1 || y2 - y1 != 1) {
            self.report(
                Diagnostic::new(Code::RegionRange, span, "a vault must be exactly 2 by 2 squares")
                    .with_help("the corners are in it: (3,3,4,4) is 2 by 2"),
            );
        }
        let Setting::Map(grid) = &self.place else {
            if irregular && matches!(self.place, Setting::NoMap) {
                self.needs_map(span, "an irregular REGION");
            }
            return;
        };
        let terrain = &self.terrain;
        let square = |x: i32, y: i32| grid.get(x, y).unwrap_or(Grid::UNKNOWN);
        let mut found = Vec::new();
        if irregular {
            if square(x1, y1) < terrain.room {
                found.push(
                    Diagnostic::new(Code::RegionRange, span, "an irregular region begins in rock")
                        .with_label(format!("the map has no floor at ({x1},{y1})"))
                        .with_help("the first two numbers of an irregular region are a square inside of the room"),
                );
            }
        } else if x1 > 0 && y1 > 0 && x2 + 1 < grid.width as i32 && y2 + 1 < grid.height as i32 {
            let solid = (y1..=y2).any(|y| (x1..=x2).any(|x| terrain.is_solid(square(x, y))));
            if solid {
                found.push(
                    Diagnostic::new(Code::RockInRoom, span, "rock or a door inside of a room")
                        .with_help("a regular REGION is a rectangle of floor, without its walls"),
                );
            }
            let corners = [(x1 - 1, y1 - 1), (x1 - 1, y2 + 1), (x2 + 1, y1 - 1), (x2 + 1, y2 + 1)];
            let open = |&(x, y): &(i32, i32)| !terrain.is_rock(square(x, y)) && square(x, y) != Grid::UNKNOWN;
            if let Some((x, y)) = corners.iter().copied().find(|corner| open(corner)) {
                found.push(
                    Diagnostic::new(Code::OpenCorner, span, "a corner of this room is no wall")
                        .with_label(format!("({x},{y}) is open")),
                );
            }
        }
        if let OrRandom::Is(name) = &region.room_type
            && self.is_shop(&name.node)
            && !irregular
        {
            let wall = |x: i32, y: i32| y < y1 || y > y2 || x < x1 || x > x2;
            let door = (y1 - 1..=y2 + 1).any(|y| {
                (x1 - 1..=x2 + 1).any(|x| wall(x, y) && grid.get(x, y).is_some_and(|square| terrain.has_door(square)))
            });
            if !door {
                found.push(
                    Diagnostic::new(Code::ShopDoor, name.span, "this shop has no door")
                        .with_note("the game puts the shopkeeper beside the only door; without it, no shop is made")
                        .with_help(
                            "draw one `+` or `S` in the walls around the region, and say with DOOR what it is like",
                        ),
                );
            }
        }
        for diagnostic in found {
            self.report(diagnostic);
        }
    }
}
