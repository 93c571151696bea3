//! Assembles statements into levels: assigns them to parts and rooms, and checks their order.
//!
//! The original's grammar includes the order of statements; here [`Builder`] checks it. Only one misplaced statement is
//! reported per level, because the others mostly follow from the same mistake.

use std::cell::OnceCell;

use lalrpop_util::{ErrorRecovery, ParseError};
use splc_ir::catalog::Catalog;
use splc_ir::diagnostic::{Code, Diagnostic, Diagnostics, Message, Mistake};
use splc_ir::level::*;
use splc_ir::source::{FileId, Source, Span, Spanned, Text};
use splc_ir::words::*;

use super::lexer::{Lexer, RawMap, Token};
use super::{nesting, teach};
use crate::teach::Unread;
use crate::teach::words::tabs_before_row;

mod recovery;
mod rooms;
mod things;

/// A value in place of a class of monsters or objects.
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

/// The place of an object.
pub(super) enum ObjectPlace {
    /// On a square.
    Own(Expr),
    /// `contained`, written here: in the CONTAINER before it.
    Contained(Span),
}

/// A monster or object, as its class and name.
pub(super) struct Species<'s> {
    pub(super) class: Spanned<Class>,
    pub(super) name: OrRandom<&'s str>,
    /// The end of the name.
    pub(super) end: usize,
}

/// The operands of OBJECT and CONTAINER.
pub(super) struct ObjectStatement<'s> {
    pub(super) kind: ObjectKind,
    pub(super) chance: Option<Spanned<i32>>,
    pub(super) species: Species<'s>,
    pub(super) place: ObjectPlace,
    /// Its details except for its place.
    pub(super) details: Vec<Spanned<ObjectDetail>>,
}

/// The operands of ROOM and SUBROOM.
pub(super) struct RoomStatement {
    pub(super) room_type: OrRandom<Spanned<Text>>,
    pub(super) light: OrRandom<Light>,
    pub(super) placement: RoomPlacement,
    pub(super) size: OrRandom<(Spanned<i32>, Spanned<i32>)>,
    pub(super) filled: Option<Spanned<bool>>,
}

/// The two statements named DOOR.
pub(super) enum DoorForm {
    /// State, place, and catalog-defined operands.
    Map(OrRandom<Spanned<DoorState>>, Expr, Vec<Spanned<Text>>),
    /// Secret or not, state, and position.
    Room(OrRandom<bool>, OrRandom<Spanned<DoorState>>, DoorWall),
}

/// The position of the door of a room.
pub(super) struct DoorWall {
    /// The wall.
    pub(super) wall: OrRandom<Spanned<Direction>>,
    /// The span of `wall`.
    pub(super) wall_span: Span,
    /// The position on the wall.
    pub(super) position: OrRandom<Spanned<i32>>,
    /// Catalog-defined operands.
    pub(super) also: Vec<Spanned<Text>>,
}

/// The progress through a level. Statements of an earlier stage may not follow.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Stage {
    /// After the line with its name.
    Start,
    /// After FLAGS.
    Flags,
    /// After INIT_MAP.
    InitMap,
    /// After a MESSAGE.
    Messages,
    /// After the start of a part, or after the registers of a level of rooms.
    Registers,
    /// After things of a part, or after rooms.
    Things,
    /// After a CORRIDOR.
    Corridors,
    /// After RANDOM_CORRIDORS.
    End,
}

struct OpenLevel {
    level: Level,
    stage: Stage,
    /// The index of the statement that began the last part.
    part: usize,
    /// The current room, and its span.
    room: Option<(Room, Span)>,
    /// True if a misplaced statement was reported.
    reported: bool,
    /// The things of another kind of level that were reported.
    foreign: Vec<String>,
}

/// Builds the levels of a file. The actions of the grammar call it.
pub(super) struct Builder<'s, 'b> {
    source: &'s Source,
    file: FileId,
    catalog: &'s Catalog,
    diagnostics: &'b mut Diagnostics,
    module: Module,
    level: Option<OpenLevel>,
    /// True if a statement before the first level was reported.
    orphans_reported: bool,
    /// True if the current statement contains an invalid number.
    bad_number: bool,
    /// The range of the line with the last syntax error.
    last_error_line: std::ops::Range<usize>,
    /// True if the last statement could not be read.
    after_error: bool,
    /// Constructs of other dialects that were reported, each only once.
    foreign: Vec<Message>,
    /// True if the file looks like a level of another dialect, computed on demand.
    of_another: OnceCell<bool>,
    /// True after an unreadable GEOMETRY, whose MAP may follow.
    broken_geometry: bool,
    /// True if errors are only counted, not explained.
    counts_only: bool,
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
            orphans_reported: false,
            bad_number: false,
            last_error_line: 0..0,
            after_error: false,
            foreign: Vec::new(),
            of_another: OnceCell::new(),
            broken_geometry: false,
            counts_only: false,
        }
    }

    /// Counts errors without explaining them.
    pub(super) fn counting(self) -> Self {
        Builder { counts_only: true, ..self }
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

    pub(super) fn text(&self, start: usize, end: usize, text: &str) -> Spanned<Text> {
        self.spanned(start, end, Text::from(text))
    }

    /// Returns the region of `levregion()`, which begins and ends beyond the last square.
    pub(super) fn empty_level_region(&self, start: usize, end: usize) -> RegionSpec {
        let (columns, rows) = (self.catalog.limits.columns, self.catalog.limits.rows);
        RegionSpec { level: true, corners: [columns, rows, columns, rows], span: self.span(start, end) }
    }

    pub(super) fn text_expr(&self, start: usize, end: usize, text: &str) -> Expr {
        self.expr(start, end, ExprKind::String(Text::from(text)))
    }

    /// Converts a number. One that does not fit into an `int` is an error, because the original's result depends on the
    /// machine.
    pub(super) fn number(&mut self, start: usize, end: usize, text: &str) -> Spanned<i32> {
        let number = text.parse().unwrap_or_else(|_| {
            let span = self.span(start, end);
            self.diagnostics.push(
                Diagnostic::new(Code::NumberRange, span, "this number is too large").with_help(format!(
                    "use a number from {} to {}",
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
        self.level =
            Some(OpenLevel { level, stage: Stage::Start, part: 0, room: None, reported: false, foreign: Vec::new() });
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
        if matches!(level.kind, LevelKind::Maze { .. }) && !has_part && !open.reported {
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
            open.level.body.push(Statement { kind: StatementKind::Room(Box::new(room)), span });
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

    /// Returns true if the statement can be used: it belongs to a level, and its numbers are valid.
    fn usable(&mut self, span: Span) -> bool {
        let bad_number = std::mem::take(&mut self.bad_number);
        self.after_error = false;
        if self.level.is_none() && !self.orphans_reported {
            self.orphans_reported = true;
            self.diagnostics.push(Diagnostic::new(Code::Placement, span, "no level before this statement").with_help(
                "begin a level with `MAZE:\"name\",' '` (a level of maps) or `LEVEL:\"name\"` (a level of rooms)",
            ));
        }
        self.level.is_some() && !bad_number
    }

    /// Reports a misplaced statement, once per level.
    fn misplaced(&mut self, span: Span, message: impl Into<String>, help: &str) {
        let Some(open) = &mut self.level else { return };
        if !std::mem::replace(&mut open.reported, true) {
            self.diagnostics
                .push(Diagnostic::new(Code::Placement, self.keyword(span), message.into()).with_help(help.to_owned()));
        }
    }

    /// Reports a thing that the other kind of level has, once for each kind of thing.
    pub(super) fn foreign(&mut self, span: Span, word: &str, message: String, help: &str) {
        let Some(open) = &mut self.level else { return };
        // The others follow from a misplaced ROOM or MAP, but not from another thing.
        if open.reported && open.foreign.is_empty() || open.foreign.iter().any(|known| known == word) {
            return;
        }
        open.foreign.push(word.to_owned());
        open.reported = false;
        self.misplaced(span, message, help);
    }

    /// Returns the span of the keyword of a statement.
    fn keyword(&self, span: Span) -> Span {
        let text = self.source.text.get(span.start as usize..).unwrap_or("");
        let length = text.find(|letter: char| !(letter.is_ascii_uppercase() || letter == '_')).unwrap_or(text.len());
        Span { end: span.start + length as u32, ..span }
    }

    /// Advances to `stage` for a statement of a level's head, which must not follow a stage after `before`.
    fn head(&mut self, span: Span, word: &str, stage: Stage, before: Stage) -> bool {
        if !self.usable(span) {
            return false;
        }
        let Some(open) = &mut self.level else { return false };
        if open.stage > before {
            let again = stage == open.stage && stage != Stage::Messages;
            let message = if again { format!("a second {word}") } else { format!("{word} is too late") };
            self.misplaced(span, message, "write the header in this order: the level name, FLAGS, INIT_MAP, MESSAGEs");
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

    pub(super) fn init_map(&mut self, start: usize, end: usize, init: InitMap) {
        let span = self.span(start, end);
        if self.head(span, "INIT_MAP", Stage::InitMap, Stage::Flags) {
            self.push(span, StatementKind::InitMap(init));
        }
    }

    pub(super) fn message(&mut self, start: usize, end: usize, text: Expr, to: Audience) {
        let span = self.span(start, end);
        let word = if to == Audience::Everyone { "MESSAGE" } else { "HALLUMSG" };
        if self.head(span, word, Stage::Messages, Stage::Messages) {
            self.push(span, StatementKind::Message { text, to });
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

    /// Returns the columns and rows of the doors that the map of the part draws.
    pub(super) fn drawn_doors(&self) -> Vec<(usize, usize)> {
        let part = self.level.as_ref().and_then(|open| open.level.body.get(open.part));
        let rows = match part.map(|part| &part.kind) {
            Some(StatementKind::Map(Map::Drawn { rows, .. })) => rows.rows.as_slice(),
            _ => &[],
        };
        let rows = rows.iter().enumerate();
        let is_door = |byte: u8| matches!(byte, b'+' | b'S');
        rows.flat_map(|(y, row)| row.bytes().enumerate().map(move |(x, byte)| (x, y, byte)))
            .filter(|(.., byte)| is_door(*byte))
            .map(|(x, y, _)| (x, y))
            .collect()
    }

    /// Reports a LEVEL without rooms at its first map, and reads the rest as that of a MAZE.
    fn expect_maze(&mut self, map: Span) {
        let Some(open) = &mut self.level else { return };
        let is_room = |statement: &Statement| matches!(statement.kind, StatementKind::Room(_));
        if open.level.kind != LevelKind::Rooms
            || open.reported
            || open.room.is_some()
            || open.level.body.iter().any(is_room)
        {
            return;
        }
        let name = open.level.name.span;
        open.level.kind = LevelKind::Maze { filling: Some(Spanned::new(' ', name)) };
        let start = Span { end: name.start, ..open.level.span };
        let text = |span: Span| self.source.text.get(span.start as usize..span.end as usize).unwrap_or("");
        let right = format!("MAZE{}{},' '", text(start).trim_start_matches("LEVEL"), text(name));
        let map = self.keyword(map);
        self.diagnostics.push(
            Diagnostic::new(Code::Placement, start.to(name), "a level of maps begins with MAZE: LEVEL is for rooms")
                .with_secondary(map, "the map is here")
                .with_help(format!("write {right}"))
                .with_suggestion(start.to(name), right, true),
        );
    }

    fn part(&mut self, span: Span, kind: StatementKind) {
        if !self.usable(span) {
            return;
        }
        self.expect_maze(span);
        if !self.in_maze() {
            self.misplaced(
                span,
                "a map in a level of rooms",
                "use `MAZE:\"name\",' '` for a level of maps; LEVEL is for rooms and corridors",
            );
            return;
        }
        self.push(span, kind);
        if let Some(open) = &mut self.level {
            open.part = open.level.body.len() - 1;
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
        let mut ended = false;
        for &stranger in &map.strangers {
            let text = &self.source.text;
            let from = text.get(..stranger).and_then(|before| before.rfind('\n')).map_or(0, |newline| newline + 1);
            let line = text.get(from..).and_then(|rest| rest.split(['\n', '\r']).next()).unwrap_or("");
            if let Some(diagnostic) = Unread::end_of_map(self.file, from, line) {
                self.diagnostics.push(diagnostic);
                ended = true;
                break;
            }
            self.diagnostics.push(teach::map_stranger(&self.source.text, self.file, stranger, self.catalog));
        }
        if let Some(at) = map.unfinished.filter(|_| !ended) {
            self.diagnostics.push(teach::unfinished_map(&self.source.text, self.file, start, at));
        }
        let mut strangers = map.strangers.iter().copied().peekable();
        for &(start, _) in &map.rows {
            let before = self.source.text.as_bytes()[..start].iter().rev();
            let tabs = before.take_while(|byte| **byte == b'\t').count();
            if tabs > 0 {
                self.diagnostics.push(tabs_before_row(self.span(start - tabs, start)));
            }
        }
        let mut row_text = |&(start, end): &(usize, usize)| {
            let row = self.source.text.get(start..end).unwrap_or("");
            match strangers.next_if(|&at| at < end) {
                // Replaced by a character that the checks do not know.
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

    /// Handles a MAP without GEOMETRY before it.
    pub(super) fn stray_map(&mut self, (start, end, _): (usize, usize, Box<RawMap>)) {
        let span = self.span(start, start + "MAP".len());
        if self.usable(span) {
            // Its GEOMETRY may have been unreadable.
            if !std::mem::take(&mut self.broken_geometry) {
                let problem = teach::stray_map(span);
                self.diagnostics.push(if self.in_maze() {
                    problem
                } else {
                    problem.with_help(
                        "begin the level with `MAZE:\"name\",' '`, and write `GEOMETRY:center,center` before MAP",
                    )
                });
            }
            if !self.in_maze() {
                self.forgive();
            }
            self.push(self.span(start, end), StatementKind::Error);
            if let Some(open) = &mut self.level {
                open.stage = Stage::Registers;
            }
        }
    }

    pub(super) fn registers(&mut self, start: usize, end: usize, of: RegisterKind, values: Vec<Expr>) {
        let span = self.span(start, end);
        self.register_statement(span, of, StatementKind::Registers { of, values });
    }

    /// Handles RANDOM_PLACES with the number of its list.
    pub(super) fn place_list(&mut self, start: usize, end: usize, list: Spanned<i32>, values: Vec<Expr>) {
        let of = self.list_of_places(list);
        self.registers(start, end, of, values);
    }

    /// Returns a place of the list with this number.
    pub(super) fn place_of_list(&mut self, start: usize, end: usize, list: Spanned<i32>, index: Spanned<i32>) -> Expr {
        let of = self.list_of_places(list);
        self.expr(start, end, ExprKind::Register { of, index })
    }

    fn list_of_places(&mut self, list: Spanned<i32>) -> RegisterKind {
        let most = self.catalog.limits.registers;
        match u8::try_from(list.node) {
            Ok(number) if i32::from(number) < most => RegisterKind::places(number),
            _ => {
                let message = format!("there is no place list {}", list.node);
                let help = format!("use at most {most} lists, numbered from 0");
                self.diagnostics.push(Diagnostic::new(Code::RegisterRange, list.span, message).with_help(help));
                RegisterKind::Place
            }
        }
    }

    /// Handles RANDOM_REGION.
    pub(super) fn random_region(
        &mut self,
        start: usize,
        end: usize,
        number: Spanned<i32>,
        inside: RegionSpec,
        outside: RegionSpec,
    ) {
        let region = LevelRegion { kind: LevelRegionKind::Register(number), inside, outside };
        self.register_statement(self.span(start, end), RegisterKind::Region, StatementKind::LevelRegion(region));
    }

    fn register_statement(&mut self, span: Span, of: RegisterKind, kind: StatementKind) {
        if !self.usable(span) {
            return;
        }
        let maze = self.in_maze();
        let Some(open) = &mut self.level else { return };
        let in_place = if maze { open.stage == Stage::Registers } else { open.stage <= Stage::Registers };
        if !maze && of.is_place() {
            self.misplaced(
                span,
                "RANDOM_PLACES in a level of rooms",
                "write `random` for a place in a room: a level of rooms has no place registers",
            );
            return;
        }
        if in_place {
            open.stage = Stage::Registers;
        } else if maze {
            let message = "registers must be set at the beginning of a part";
            self.misplaced(span, message, "move the RANDOM_ lines to directly after NOMAP or ENDMAP");
        } else {
            let message = "registers must be set before the first room";
            self.misplaced(span, message, "move the RANDOM_ lines between MESSAGE and the first ROOM");
        }
        self.push(span, kind);
    }
}
