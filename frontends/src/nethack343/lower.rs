//! Puts statements together to levels: what belongs to which part or room, and in which order they may come.
//!
//! The original's grammar has the order of statements in it; here, [`Builder`] has it. One statement in a wrong
//! place is told once a level, as more of them are mostly the same mistake.

use std::borrow::Cow;

use lalrpop_util::{ErrorRecovery, ParseError};
use splc_ir::catalog::Catalog;
use splc_ir::diagnostic::{Code, Diagnostic, Diagnostics};
use splc_ir::level::*;
use splc_ir::limits::MAX_DIAGNOSTICS;
use splc_ir::source::{FileId, Source, Span, Spanned, Text};
use splc_ir::words::*;

use super::lexer::{Lexer, RawMap, Token};
use super::{nesting, teach};

/// What stands where a class of monsters or objects is.
#[derive(Clone, Copy)]
pub(super) enum Class {
    Random,
    Symbol(char),
    Register(Spanned<i32>),
}

/// Left, top, right, bottom.
pub(super) type Corners = [i32; 4];

/// OBJECT or CONTAINER.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum ObjectKind {
    Object,
    Container,
}

/// Where an object is.
pub(super) enum ObjectPlace {
    /// On a square.
    Own(Expr),
    /// `contained`, which stands there: in the CONTAINER before it.
    Contained(Span),
}

/// The two statements that are called DOOR.
pub(super) enum DoorForm {
    /// State and place.
    Map(OrRandom<Spanned<DoorState>>, Expr),
    /// Secret or not, state, and where.
    Room(OrRandom<bool>, OrRandom<Spanned<DoorState>>, DoorWall),
}

/// Where the door of a room is.
pub(super) struct DoorWall {
    /// The wall.
    pub(super) wall: OrRandom<Spanned<Direction>>,
    /// Place of `wall`.
    pub(super) wall_span: Span,
    /// Where on the wall.
    pub(super) position: OrRandom<Spanned<i32>>,
}

/// How far a level has come: what may follow is what is not before its stage.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Stage {
    /// Only the line of its name is there.
    Start,
    /// FLAGS is there.
    Flags,
    /// INIT_MAP is there.
    InitMap,
    /// A MESSAGE is there.
    Messages,
    /// A part has begun, or registers of a level of rooms are there.
    Registers,
    /// Things of a part, or rooms.
    Things,
    /// A CORRIDOR is there.
    Corridors,
    /// RANDOM_CORRIDORS is there.
    End,
}

struct OpenLevel {
    level: Level,
    stage: Stage,
    /// The room that details go into, and where it starts.
    room: Option<(Room, Span)>,
    /// Whether a statement in a wrong place was told.
    told: bool,
}

/// Builds the levels of a file; the grammar's actions call it.
pub(super) struct Builder<'s, 'b> {
    source: &'s Source,
    file: FileId,
    catalog: &'s Catalog,
    diagnostics: &'b mut Diagnostics,
    module: Module,
    level: Option<OpenLevel>,
    /// Whether a statement before the first level was told.
    orphans_told: bool,
    /// Whether the statement that is read has a number that is none.
    bad_number: bool,
    /// Start and end of the line of the last syntax error.
    last_error_line: std::ops::Range<usize>,
    /// Whether the last statement could not be read.
    after_error: bool,
    /// Things of other dialects that were told; each is told once.
    foreign: Vec<Cow<'static, str>>,
}

type Recovery<'s> = ErrorRecovery<usize, Token<'s>, ()>;

impl<'s, 'b> Builder<'s, 'b> {
    pub(super) fn new(
        source: &'s Source,
        file: FileId,
        catalog: &'s Catalog,
        diagnostics: &'b mut Diagnostics,
    ) -> Self {
        Builder {
            source,
            file,
            catalog,
            diagnostics,
            module: Module { charset: source.charset, ..Module::default() },
            level: None,
            orphans_told: false,
            bad_number: false,
            last_error_line: 0..0,
            after_error: false,
            foreign: Vec::new(),
        }
    }

    pub(super) fn finish(mut self) -> Module {
        self.close_level();
        self.module
    }

    // --- Small things

    pub(super) fn span(&self, start: usize, end: usize) -> Span {
        Span::new(self.file, start, end)
    }

    pub(super) fn spanned<T>(&self, start: usize, end: usize, node: T) -> Spanned<T> {
        Spanned::new(node, self.span(start, end))
    }

    pub(super) fn expr(&self, start: usize, end: usize, kind: ExprKind) -> Expr {
        Expr { kind, span: self.span(start, end) }
    }

    /// A text, up to its first NUL: the original's end of a string.
    pub(super) fn text(&self, start: usize, end: usize, text: &str) -> Spanned<Text> {
        self.spanned(start, end, Text::from(text))
    }

    pub(super) fn text_expr(&self, start: usize, end: usize, text: &str) -> Expr {
        self.expr(start, end, ExprKind::String(Text::from(text)))
    }

    /// A number. What no `int` holds is an error: what the original makes of it depends on the machine.
    pub(super) fn number(&mut self, start: usize, end: usize, text: &str) -> Spanned<i32> {
        let number = text.parse().unwrap_or_else(|_| {
            let span = self.span(start, end);
            self.diagnostics.push(
                Diagnostic::new(Code::NumberRange, span, "this number is too large").with_help(format!(
                    "numbers are from {} to {}",
                    i32::MIN,
                    i32::MAX
                )),
            );
            self.bad_number = true;
            0
        });
        self.spanned(start, end, number)
    }

    // --- Levels

    fn open_level(&mut self, name: Spanned<Text>, kind: LevelKind, span: Span) {
        self.close_level();
        self.bad_number = false;
        self.after_error = false;
        let level = Level { name, kind, flags: None, body: Vec::new(), span };
        self.level = Some(OpenLevel { level, stage: Stage::Start, room: None, told: false });
    }

    fn close_level(&mut self) {
        self.close_room();
        let Some(open) = self.level.take() else { return };
        let mut level = open.level;
        if let Some(last) = level.body.last() {
            level.span = level.span.to(last.span);
        }
        match level.kind {
            LevelKind::Rooms => nesting::rooms(&mut level.body),
            LevelKind::Maze { .. } | LevelKind::Script => nesting::contents_of_parts(&mut level.body),
        }
        let has_part =
            level.body.iter().any(|statement| matches!(statement.kind, StatementKind::Map(_) | StatementKind::Error));
        if matches!(level.kind, LevelKind::Maze { .. }) && !has_part && !open.told {
            self.diagnostics.push(
                Diagnostic::new(Code::EmptyMaze, level.name.span, "this maze has no part")
                    .with_help("write NOMAP, or a map: GEOMETRY, MAP, its rows, ENDMAP"),
            );
        }
        self.module.items.push(Item::Level(level));
    }

    fn close_room(&mut self) {
        let Some(open) = &mut self.level else { return };
        if let Some((mut room, mut span)) = open.room.take() {
            if let Some(last) = room.body.last() {
                span = span.to(last.span);
            }
            nesting::contents(&mut room.body);
            open.level.body.push(Statement { kind: StatementKind::Room(room), span });
        }
    }

    pub(super) fn maze(&mut self, start: usize, end: usize, name: Spanned<Text>, filling: OrRandom<Spanned<char>>) {
        let filling = match filling {
            OrRandom::Random => None,
            OrRandom::Is(filling) => Some(filling),
        };
        self.open_level(name, LevelKind::Maze { filling }, self.span(start, end));
    }

    pub(super) fn room_level(&mut self, start: usize, end: usize, name: Spanned<Text>) {
        self.open_level(name, LevelKind::Rooms, self.span(start, end));
    }

    /// Whether the statement may be used: it belongs to a level, and its numbers are numbers.
    fn usable(&mut self, span: Span) -> bool {
        let bad_number = std::mem::take(&mut self.bad_number);
        self.after_error = false;
        if self.level.is_none() && !self.orphans_told {
            self.orphans_told = true;
            self.diagnostics.push(Diagnostic::new(Code::Placement, span, "no level has begun here").with_help(
                "a level begins with `MAZE:\"name\",' '` (a level of maps) or `LEVEL:\"name\"` (a level of rooms)",
            ));
        }
        self.level.is_some() && !bad_number
    }

    /// Tells that a statement is in a wrong place, once a level.
    fn misplaced(&mut self, span: Span, message: impl Into<String>, help: &str) {
        let Some(open) = &mut self.level else { return };
        if !std::mem::replace(&mut open.told, true) {
            self.diagnostics
                .push(Diagnostic::new(Code::Placement, self.keyword(span), message.into()).with_help(help.to_owned()));
        }
    }

    /// The word that a statement begins with.
    fn keyword(&self, span: Span) -> Span {
        let text = self.source.text.get(span.start as usize..).unwrap_or("");
        let length = text.find(|letter: char| !(letter.is_ascii_uppercase() || letter == '_')).unwrap_or(text.len());
        Span { end: span.start + length as u32, ..span }
    }

    /// Puts in a statement of a level's head, which nothing of `after` or later may precede.
    fn head(&mut self, span: Span, word: &str, stage: Stage, before: Stage) -> bool {
        if !self.usable(span) {
            return false;
        }
        let Some(open) = &mut self.level else { return false };
        if open.stage > before {
            let again = stage == open.stage && stage != Stage::Messages;
            let message = if again { format!("a second {word}") } else { format!("{word} comes too late") };
            self.misplaced(span, message, "a level begins with its name, then FLAGS, then INIT_MAP, then MESSAGEs");
            return !again;
        }
        open.stage = stage;
        true
    }

    pub(super) fn flags(&mut self, start: usize, end: usize, flags: Vec<Spanned<Text>>) {
        if self.head(self.span(start, end), "FLAGS", Stage::Flags, Stage::Start)
            && let Some(open) = &mut self.level
        {
            open.level.flags = Some(flags);
        }
    }

    #[allow(clippy::too_many_arguments)] // what INIT_MAP holds
    pub(super) fn init_map(
        &mut self,
        start: usize,
        end: usize,
        foreground: Spanned<char>,
        background: Spanned<char>,
        smoothed: bool,
        joined: Spanned<bool>,
        light: OrRandom<Light>,
        walled: OrRandom<bool>,
    ) {
        let span = self.span(start, end);
        if self.head(span, "INIT_MAP", Stage::InitMap, Stage::Flags) {
            let init = InitMap::Mines { foreground, background, smoothed, joined, light, walled, filling: None };
            self.push(span, StatementKind::InitMap(init));
        }
    }

    pub(super) fn message(&mut self, start: usize, end: usize, text: Expr) {
        let span = self.span(start, end);
        if self.head(span, "MESSAGE", Stage::Messages, Stage::Messages) {
            self.push(span, StatementKind::Message { text });
        }
    }

    fn push(&mut self, span: Span, kind: StatementKind) {
        if let Some(open) = &mut self.level {
            open.level.body.push(Statement { kind, span });
        }
    }

    // --- Parts

    fn in_maze(&self) -> bool {
        self.level.as_ref().is_some_and(|open| matches!(open.level.kind, LevelKind::Maze { .. }))
    }

    fn part(&mut self, span: Span, kind: StatementKind) {
        if !self.usable(span) {
            return;
        }
        if !self.in_maze() {
            self.misplaced(
                span,
                "a map in a level of rooms",
                "LEVEL is for rooms and corridors; a level with maps begins with `MAZE:\"name\",' '`",
            );
            return;
        }
        self.push(span, kind);
        if let Some(open) = &mut self.level {
            open.stage = Stage::Registers;
        }
    }

    pub(super) fn no_map(&mut self, start: usize, end: usize) {
        self.part(self.span(start, end), StatementKind::Map(Map::None));
    }

    pub(super) fn map(
        &mut self,
        start: usize,
        end: usize,
        horizontal: Horizontal,
        vertical: Vertical,
        (map_start, map_end, map): (usize, usize, Box<RawMap>),
    ) {
        let rows = self.map_rows(map_start, map_end, &map);
        let position = MapPosition::Aligned { horizontal, vertical };
        let kind = match map.statement {
            None => StatementKind::Map(Map::Drawn { position, keep_regions: None, rows }),
            Some(at) => {
                self.diagnostics.push(teach::statement_in_map(&self.source.text, self.file, map_start, at));
                StatementKind::Error
            }
        };
        self.part(self.span(start, end), kind);
    }

    fn map_rows(&mut self, start: usize, end: usize, map: &RawMap) -> MapRows {
        for &stranger in &map.strangers {
            self.diagnostics.push(teach::map_stranger(&self.source.text, self.file, stranger, self.catalog));
        }
        if let Some(at) = map.unfinished {
            self.diagnostics.push(teach::unfinished_map(&self.source.text, self.file, start, at));
        }
        let mut strangers = map.strangers.iter().copied().peekable();
        let mut row_text = |&(start, end): &(usize, usize)| {
            let row = self.source.text.get(start..end).unwrap_or("");
            match strangers.next_if(|&at| at < end) {
                // What is no map character is unknown to the checks.
                Some(_) => row
                    .chars()
                    .map(|letter| if self.catalog.map_characters.contains(letter) { letter } else { '\u{FFFD}' })
                    .collect(),
                None => Text::from(row),
            }
        };
        MapRows {
            rows: map.rows.iter().map(&mut row_text).collect(),
            row_spans: map.rows.iter().map(|&(start, end)| self.span(start, end)).collect(),
            span: self.span(start, end),
        }
    }

    /// MAP without GEOMETRY before it.
    pub(super) fn stray_map(&mut self, (start, end, _): (usize, usize, Box<RawMap>)) {
        let span = self.span(start, start + "MAP".len());
        if self.usable(span) {
            self.diagnostics.push(teach::stray_map(span));
            self.push(self.span(start, end), StatementKind::Error);
            if let Some(open) = &mut self.level {
                open.stage = Stage::Registers;
            }
        }
    }

    pub(super) fn registers(&mut self, start: usize, end: usize, of: RegisterKind, values: Vec<Expr>) {
        let span = self.span(start, end);
        if !self.usable(span) {
            return;
        }
        let maze = self.in_maze();
        let Some(open) = &mut self.level else { return };
        let in_place = if maze { open.stage == Stage::Registers } else { open.stage <= Stage::Registers };
        if !maze && of == RegisterKind::Place {
            self.misplaced(
                span,
                "RANDOM_PLACES in a level of rooms",
                "a level of rooms has no registers of places; write `random` for a place in a room",
            );
            return;
        }
        if in_place {
            open.stage = Stage::Registers;
        } else if maze {
            let message = "registers are set at the beginning of a part";
            self.misplaced(span, message, "write RANDOM_ lines right after NOMAP or ENDMAP");
        } else {
            let message = "registers are set before the first room";
            self.misplaced(span, message, "write RANDOM_ lines between MESSAGE and the first ROOM");
        }
        self.push(span, StatementKind::Registers { of, values });
    }

    // --- Things

    /// Puts in a thing of a part or room.
    fn thing(&mut self, span: Span, word: &str, kind: StatementKind) {
        if !self.usable(span) {
            return;
        }
        let maze = self.in_maze();
        let Some(open) = &mut self.level else { return };
        let statement = Statement { kind, span };
        if maze {
            if open.stage < Stage::Registers {
                self.misplaced(
                    span,
                    format!("{word} before the first part"),
                    "begin a part: NOMAP, or GEOMETRY, MAP, the rows of the map, ENDMAP",
                );
                self.push(span, StatementKind::Error);
            }
            if let Some(open) = &mut self.level {
                open.stage = Stage::Things;
                open.level.body.push(statement);
            }
        } else {
            if open.room.is_none() {
                let stage = open.stage;
                let message = if stage >= Stage::Corridors {
                    format!("{word} after the corridors")
                } else {
                    format!("{word} outside of a room")
                };
                self.misplaced(span, message, "write it after the ROOM or SUBROOM that it belongs to");
                self.broken_room(span);
            }
            if let Some((room, _)) = self.level.as_mut().and_then(|open| open.room.as_mut()) {
                room.body.push(statement);
            }
        }
    }

    /// A thing that only parts of mazes have.
    fn maze_thing(&mut self, span: Span, word: &str, kind: StatementKind) {
        if self.level.is_some() && !self.in_maze() {
            self.bad_number = false;
            let message = format!("{word} in a level of rooms");
            self.misplaced(span, message, "only a level of maps (MAZE) has it");
            return;
        }
        self.thing(span, word, kind);
    }

    /// A thing that only rooms have.
    fn room_thing(&mut self, span: Span, word: &str, kind: StatementKind) {
        if self.in_maze() {
            self.bad_number = false;
            let message = format!("{word} in a level of maps");
            self.misplaced(span, message, "only rooms have it, in a level that begins with LEVEL");
            return;
        }
        self.thing(span, word, kind);
    }

    fn with_chance(span: Span, chance: Option<Spanned<i32>>, kind: StatementKind) -> StatementKind {
        match chance {
            None => kind,
            Some(percent) => {
                let condition = Condition::Percent(percent);
                StatementKind::Chance { condition, then: Box::new(Statement { kind, span }) }
            }
        }
    }

    #[allow(clippy::too_many_arguments)] // what MONSTER holds
    pub(super) fn monster(
        &mut self,
        start: usize,
        end: usize,
        chance: Option<Spanned<i32>>,
        class: Spanned<Class>,
        name: OrRandom<&str>,
        place: Expr,
        details: Vec<Spanned<MonsterDetail>>,
    ) {
        let span = self.span(start, end);
        let kind = species(RegisterKind::Monster, ExprKind::Monster, class.node, name);
        let monster = Monster { monster: Expr { kind, span: class.span }, place, details, inventory: None };
        self.thing(span, "MONSTER", Self::with_chance(span, chance, StatementKind::Monster(monster)));
    }

    #[allow(clippy::too_many_arguments)] // what OBJECT holds
    pub(super) fn object(
        &mut self,
        start: usize,
        end: usize,
        object_kind: ObjectKind,
        chance: Option<Spanned<i32>>,
        class: Spanned<Class>,
        name: OrRandom<&str>,
        place: ObjectPlace,
        mut details: Vec<Spanned<ObjectDetail>>,
    ) {
        let span = self.span(start, end);
        let kind = species(RegisterKind::Object, ExprKind::Object, class.node, name);
        let contained_span = match place {
            ObjectPlace::Own(place) => {
                let span = place.span;
                details.insert(0, Spanned::new(ObjectDetail::Place(place), span));
                Span::NOWHERE
            }
            ObjectPlace::Contained(span) => span,
        };
        let (word, contents) = match object_kind {
            ObjectKind::Object => ("OBJECT", None),
            ObjectKind::Container => ("CONTAINER", Some(Vec::new())),
        };
        let object = Object { object: Expr { kind, span: class.span }, details, contents, contained_span };
        self.thing(span, word, Self::with_chance(span, chance, StatementKind::Object(object)));
    }

    pub(super) fn object_infos(
        &self,
        curse: Option<Spanned<ObjectDetail>>,
        of: Option<Expr>,
        enchantment: Expr,
        name: Option<Expr>,
    ) -> Vec<Spanned<ObjectDetail>> {
        let mut details = Vec::with_capacity(5);
        details.extend(curse);
        details.extend(of.map(|of| Spanned::new(ObjectDetail::MonsterType(of.clone()), of.span)));
        let span = enchantment.span;
        details.push(Spanned::new(ObjectDetail::Enchantment(enchantment), span));
        details.extend(name.map(|name| {
            let span = name.span;
            Spanned::new(ObjectDetail::Name(name), span)
        }));
        details
    }

    pub(super) fn trap(
        &mut self,
        start: usize,
        end: usize,
        chance: Option<Spanned<i32>>,
        trap: OrRandom<Spanned<Text>>,
        place: Expr,
    ) {
        let span = self.span(start, end);
        self.thing(span, "TRAP", Self::with_chance(span, chance, StatementKind::Trap { trap, place }));
    }

    pub(super) fn door(&mut self, start: usize, end: usize, form: DoorForm) {
        let span = self.span(start, end);
        let maze = self.in_maze();
        match form {
            DoorForm::Map(state, place) => {
                if self.level.is_some() && !maze {
                    self.bad_number = false;
                    self.diagnostics.push(teach::door_of_a_map(span));
                    return;
                }
                let at = Selection { span: place.span, kind: SelectionKind::Point(place) };
                self.thing(span, "DOOR", StatementKind::Door { state, at });
            }
            DoorForm::Room(secret, state, DoorWall { wall, wall_span: walls_span, position }) => {
                if maze {
                    self.bad_number = false;
                    self.diagnostics.push(teach::door_of_a_room(span));
                    return;
                }
                let walls = match wall {
                    OrRandom::Random => OrRandom::Random,
                    OrRandom::Is(wall) => OrRandom::Is(vec![wall]),
                };
                self.thing(span, "DOOR", StatementKind::RoomDoor { secret, state, walls, position, walls_span });
            }
        }
    }

    pub(super) fn drawbridge(
        &mut self,
        start: usize,
        end: usize,
        place: Expr,
        direction: Spanned<Direction>,
        state: OrRandom<Spanned<DoorState>>,
    ) {
        let span = self.span(start, end);
        self.maze_thing(span, "DRAWBRIDGE", StatementKind::Drawbridge { place, direction, state });
    }

    pub(super) fn maze_walk(&mut self, start: usize, end: usize, place: Expr, direction: Direction) {
        let kind = StatementKind::MazeWalk { place, direction, stocked: None, filling: None };
        self.maze_thing(self.span(start, end), "MAZEWALK", kind);
    }

    pub(super) fn wallify(&mut self, start: usize, end: usize) {
        self.maze_thing(self.span(start, end), "WALLIFY", StatementKind::Wallify { at: None });
    }

    pub(super) fn ladder(&mut self, start: usize, end: usize, place: Expr, direction: UpDown) {
        self.maze_thing(self.span(start, end), "LADDER", StatementKind::Ladder { place, direction });
    }

    pub(super) fn stair(&mut self, start: usize, end: usize, place: Expr, direction: UpDown) {
        self.thing(self.span(start, end), "STAIR", StatementKind::Stair { place, direction });
    }

    pub(super) fn level_region(
        &mut self,
        start: usize,
        end: usize,
        kind: LevelRegionKind,
        inside: RegionSpec,
        outside: RegionSpec,
    ) {
        let word = match &kind {
            LevelRegionKind::Stair(_) => "STAIR with regions",
            LevelRegionKind::Portal(_) => "PORTAL",
            LevelRegionKind::Teleport(_) => "TELEPORT_REGION",
            LevelRegionKind::Branch => "BRANCH",
        };
        let kind = StatementKind::LevelRegion(LevelRegion { kind, inside, outside });
        self.maze_thing(self.span(start, end), word, kind);
    }

    pub(super) fn fountain(&mut self, start: usize, end: usize, place: Expr) {
        self.thing(self.span(start, end), "FOUNTAIN", StatementKind::Fountain { at: point(place) });
    }

    pub(super) fn sink(&mut self, start: usize, end: usize, place: Expr) {
        self.room_thing(self.span(start, end), "SINK", StatementKind::Sink { at: point(place) });
    }

    pub(super) fn pool(&mut self, start: usize, end: usize, place: Expr) {
        self.room_thing(self.span(start, end), "POOL", StatementKind::Pool { at: point(place) });
    }

    pub(super) fn non_diggable(&mut self, start: usize, end: usize, region: Expr) {
        self.maze_thing(self.span(start, end), "NON_DIGGABLE", StatementKind::NonDiggable { region });
    }

    pub(super) fn non_passwall(&mut self, start: usize, end: usize, region: Expr) {
        self.maze_thing(self.span(start, end), "NON_PASSWALL", StatementKind::NonPasswall { region });
    }

    pub(super) fn region(
        &mut self,
        start: usize,
        end: usize,
        area: Expr,
        light: OrRandom<Light>,
        room_type: OrRandom<Spanned<Text>>,
        flags: Vec<Spanned<RoomFlag>>,
    ) {
        let flags = if flags.is_empty() { None } else { Some(flags) };
        let region = Region { area, light, room_type, flags, body: None };
        self.maze_thing(self.span(start, end), "REGION", StatementKind::Region(region));
    }

    pub(super) fn altar(
        &mut self,
        start: usize,
        end: usize,
        place: Expr,
        alignment: AlignmentSpec,
        altar: OrRandom<AltarType>,
    ) {
        self.thing(self.span(start, end), "ALTAR", StatementKind::Altar { place, alignment, altar });
    }

    pub(super) fn gold(&mut self, start: usize, end: usize, amount: Expr, place: Expr) {
        self.thing(self.span(start, end), "GOLD", StatementKind::Gold { amount, place });
    }

    pub(super) fn engraving(
        &mut self,
        start: usize,
        end: usize,
        place: Expr,
        engraving: OrRandom<EngravingType>,
        text: Expr,
    ) {
        self.thing(self.span(start, end), "ENGRAVING", StatementKind::Engraving { place, engraving, text });
    }

    // --- Rooms

    fn open_room(&mut self, span: Span, word: &str, room: Room) {
        if !self.usable(span) && self.level.is_none() {
            return;
        }
        if self.in_maze() {
            self.misplaced(
                span,
                format!("{word} in a level of maps"),
                "MAZE is for maps; a level of rooms begins with `LEVEL:\"name\"`",
            );
            return;
        }
        self.close_room();
        let late = self.level.as_ref().is_some_and(|open| open.stage > Stage::Things);
        if late {
            self.misplaced(span, format!("{word} after the corridors"), "write all rooms before the corridors");
        }
        if let Some(open) = &mut self.level {
            open.stage = Stage::Things;
            open.room = Some((room, span));
        }
    }

    /// A room that stands for one that could not be understood.
    fn broken_room(&mut self, span: Span) {
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

    #[allow(clippy::too_many_arguments)] // what ROOM holds
    pub(super) fn room(
        &mut self,
        start: usize,
        end: usize,
        room_type: OrRandom<Spanned<Text>>,
        light: OrRandom<Light>,
        position: OrRandom<Spanned<(i32, i32)>>,
        alignment: OrRandom<(Horizontal, Vertical)>,
        size: OrRandom<(Spanned<i32>, Spanned<i32>)>,
        filled: Option<Spanned<bool>>,
    ) {
        let placement = RoomPlacement::Level { position, alignment };
        let flags = filled.map(room_filling);
        let room =
            Room { room_type, chance: None, light, placement, size, flags, body: Vec::new(), name: None, order: None };
        self.open_room(self.span(start, end), "ROOM", room);
    }

    #[allow(clippy::too_many_arguments)] // what SUBROOM holds
    pub(super) fn subroom(
        &mut self,
        start: usize,
        end: usize,
        room_type: OrRandom<Spanned<Text>>,
        light: OrRandom<Light>,
        position: OrRandom<Spanned<(i32, i32)>>,
        size: OrRandom<(Spanned<i32>, Spanned<i32>)>,
        parent: Spanned<Text>,
        filled: Option<Spanned<bool>>,
    ) {
        let placement = RoomPlacement::Stray { position, parent };
        let flags = filled.map(room_filling);
        let room =
            Room { room_type, chance: None, light, placement, size, flags, body: Vec::new(), name: None, order: None };
        self.open_room(self.span(start, end), "SUBROOM", room);
    }

    /// The open room, for what belongs to it but is no thing in it.
    fn open_room_for(&mut self, span: Span, word: &str) -> Option<&mut Room> {
        if !self.usable(span) {
            return None;
        }
        if self.in_maze() {
            let message = format!("{word} in a level of maps");
            self.misplaced(span, message, "only rooms have it, in a level that begins with LEVEL");
            return None;
        }
        if self.level.as_ref().is_some_and(|open| open.room.is_none()) {
            let message = format!("{word} outside of a room");
            self.misplaced(span, message, "write it after the ROOM or SUBROOM that it belongs to");
            return None;
        }
        self.level.as_mut()?.room.as_mut().map(|(room, _)| room)
    }

    pub(super) fn room_name(&mut self, start: usize, end: usize, name: Spanned<Text>) {
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

    pub(super) fn room_chance(&mut self, start: usize, end: usize, chance: Spanned<i32>) {
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

    fn corridors(&mut self, span: Span, word: &str, stage: Stage) -> bool {
        if !self.usable(span) {
            return false;
        }
        if self.in_maze() {
            let message = format!("{word} in a level of maps");
            self.misplaced(span, message, "only levels of rooms have corridors; draw them into the map, as `#`");
            return false;
        }
        self.close_room();
        let now = self.level.as_ref().map_or(Stage::Start, |open| open.stage);
        let twice = now == Stage::End || (now == Stage::Corridors && stage == Stage::End);
        if twice {
            let message = format!("{word} after other corridors");
            self.misplaced(span, message, "a level has RANDOM_CORRIDORS once, or any number of CORRIDORs");
        }
        if let Some(open) = &mut self.level {
            open.stage = stage;
        }
        !twice
    }

    pub(super) fn random_corridors(&mut self, start: usize, end: usize) {
        let span = self.span(start, end);
        if self.corridors(span, "RANDOM_CORRIDORS", Stage::End) {
            self.push(span, StatementKind::RandomCorridors { style: CorridorStyle::Default });
        }
    }

    pub(super) fn corridor(&mut self, start: usize, end: usize, from: CorridorEnd, to: CorridorTarget) {
        let span = self.span(start, end);
        if self.corridors(span, "CORRIDOR", Stage::Corridors) {
            self.push(span, StatementKind::Corridor { from, to });
        }
    }

    // --- What could not be read

    /// A parse that ended in an error that nothing recovered.
    pub(super) fn failed(&mut self, error: ParseError<usize, Token<'s>, ()>) {
        let at = teach::place(&error, self.source.text.len());
        self.explain(at, &error);
    }

    /// A statement from `start` to `end` that is none. What it may have been decides how the level goes on.
    pub(super) fn recover(&mut self, start: usize, end: usize, recovery: Recovery<'s>) {
        self.bad_number = false;
        let statement = Lexer::new(self.source.text.get(start..end).unwrap_or(""), self.source.charset).next();
        let span = self.span(start, end);
        let unread_map = |token: &Token<'_>| matches!(token, Token::Map(_));
        let error_token = match &recovery.error {
            ParseError::UnrecognizedToken { token: (_, token, _), .. } => Some(token),
            _ => None,
        };
        let map = recovery.dropped_tokens.iter().any(|(_, token, _)| unread_map(token));
        self.explain(start, &recovery.error);
        self.after_error = true;
        let in_rooms = self.level.is_some() && !self.in_maze();
        match statement.map(|(_, token, _)| token) {
            Some(Token::Maze) => {
                let name = self.spanned(start, start, Text::default());
                self.open_level(name, LevelKind::Maze { filling: None }, span);
                self.forgive();
            }
            Some(Token::Level) => {
                let name = self.spanned(start, start, Text::default());
                self.open_level(name, LevelKind::Rooms, span);
                self.forgive();
            }
            Some(Token::Geometry) => self.broken_part(span),
            Some(Token::InitMap) => self.push(span, StatementKind::Error),
            Some(Token::Room | Token::Subroom) if in_rooms => self.broken_room(span),
            Some(Token::RandomObjects) => self.broken_registers(span, RegisterKind::Object),
            Some(Token::RandomMonsters) => self.broken_registers(span, RegisterKind::Monster),
            Some(Token::RandomPlaces) => self.broken_registers(span, RegisterKind::Place),
            // It may have been the NAME of a room.
            Some(Token::Name) if in_rooms => self.push(span, StatementKind::Error),
            Some(token) if in_rooms && !token.begins_statement() => self.push(span, StatementKind::Error),
            _ if map && !matches!(error_token, Some(Token::Geometry)) => self.broken_part(span),
            _ => {}
        }
    }

    /// Registers that could not be read: a list without values.
    fn broken_registers(&mut self, span: Span, of: RegisterKind) {
        self.push(span, StatementKind::Registers { of, values: Vec::new() });
    }

    fn broken_part(&mut self, span: Span) {
        if self.in_maze() {
            self.push(span, StatementKind::Error);
            if let Some(open) = &mut self.level {
                open.stage = Stage::Registers;
            }
        }
    }

    /// No more is told about the order of statements in this level.
    fn forgive(&mut self) {
        if let Some(open) = &mut self.level {
            open.told = true;
        }
    }

    fn explain(&mut self, start: usize, error: &ParseError<usize, Token<'s>, ()>) {
        if self.diagnostics.errors() >= MAX_DIAGNOSTICS {
            // Nobody sees it; it only counts.
            self.diagnostics.push(Diagnostic::new(Code::Syntax, self.span(start, start), ""));
            return;
        }
        // What follows on the same line is mostly of the same mistake.
        if self.last_error_line.contains(&teach::place(error, start)) {
            return;
        }
        let diagnostic = teach::explain(self.source, self.file, self.catalog, start, error);
        let at = diagnostic.span.map_or(start, |span| span.start as usize);
        let (before, after) = self.source.text.split_at_checked(at).unwrap_or(("", ""));
        let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
        if line_start == self.last_error_line.start && !self.last_error_line.is_empty() {
            return;
        }
        self.last_error_line = line_start..at + after.find('\n').unwrap_or(after.len()) + 1;
        // More rows of a map that is none, more of a script: it was told.
        let foreign = diagnostic.code == Code::WrongDialect && diagnostic.suggestions.is_empty();
        if (self.after_error && diagnostic.code == Code::MapText)
            || (foreign && self.foreign.contains(&diagnostic.message))
        {
            return;
        }
        if foreign {
            self.foreign.push(diagnostic.message.clone());
        }
        self.diagnostics.push(diagnostic);
    }
}

fn register(of: RegisterKind, index: Spanned<i32>, name: OrRandom<&str>) -> ExprKind {
    match name {
        OrRandom::Random => ExprKind::Register { of, index },
        OrRandom::Is(name) => ExprKind::NamedRegister { of, index, name: Text::from(name) },
    }
}

/// A monster or object by what is written for its class and its name; `named` is which of the two.
fn species(of: RegisterKind, named: fn(SpeciesName) -> ExprKind, class: Class, name: OrRandom<&str>) -> ExprKind {
    named(match (class, name) {
        (Class::Register(index), name) => return register(of, index, name),
        (Class::Random, OrRandom::Random) => SpeciesName::Random,
        (Class::Random, OrRandom::Is(name)) => SpeciesName::RandomAndName(Text::from(name)),
        (Class::Symbol(class), OrRandom::Random) => SpeciesName::Class(class),
        (Class::Symbol(class), OrRandom::Is(name)) => SpeciesName::ClassAndName(class, Text::from(name)),
    })
}

fn point(place: Expr) -> Selection {
    Selection { span: place.span, kind: SelectionKind::Point(place) }
}

/// The last word of ROOM and SUBROOM: whether the game stocks it.
fn room_filling(filled: Spanned<bool>) -> Vec<Spanned<RoomFlag>> {
    let filling = if filled.node { Filling::Filled } else { Filling::Unfilled };
    vec![Spanned::new(RoomFlag::Filling(filling), filled.span)]
}
