//! Checks for levels of NetHack 3.4.3 only: parts, rooms, their contents and the places of things.
//!
//! Errors of the game's `lev_comp` are errors here, its warnings are warnings. Input that makes it crash or read memory
//! out of bounds (places in a part without a MAP, more parts or rooms than its arrays hold) is an error, too. Some
//! lints are additional; those that its `-w` enables are off by default, as there. Checks shared with other games are
//! in [`check`](crate::check), which calls this module.
//!
//! Source: NetHack 3.4.3, `util/lev_comp.y`, `util/lev_main.c`.

mod counts;
mod maps;
mod names;
mod places;
mod regions;
mod rooms;

use super::judge::Judge;
use crate::diagnostic::{Code, Diagnostic};
use crate::level::*;
use crate::parts::Grid;
use crate::source::{Span, Spanned, Text};
use crate::visit::{NameRole, SpeciesRole, Visit, walk};
use counts::{KINDS, Kind};
pub(crate) use maps::Terrain;

/// Checks every level of `module`.
pub(crate) fn check(module: &Module, judge: Judge<'_>) {
    let mut checker = Checker {
        terrain: Terrain::new(judge.catalog),
        judge,
        place: Setting::Level,
        free_places: false,
        message: [0; 2],
        counts: [0; KINDS],
        earlier: None,
        unsure_rows: Vec::new(),
        crash_reported: false,
        owner: Owner::None,
        in_walls: Vec::new(),
        room_type_reported: None,
        inside: false,
    };
    checker.module(module);
}

/// The origin of places.
enum Setting {
    /// The head of a level, which has no places.
    Level,
    /// A part with a MAP.
    Map(Grid),
    /// A part without a MAP: the whole level.
    NoMap,
    /// A part whose map could not be parsed.
    Unknown,
    /// A room.
    Room,
}

struct Checker<'a> {
    judge: Judge<'a>,
    terrain: Terrain,
    place: Setting,
    /// Set if places may be outside the map, because INIT_MAP fills the level.
    free_places: bool,
    /// Bytes of MESSAGE so far, and of HALLUMSG.
    message: [usize; 2],
    counts: [i32; KINDS],
    /// The last map of the level, which the game's compiler still uses for a part without one.
    earlier: Option<Grid>,
    /// For each row of the last map, whether an error was reported for it.
    unsure_rows: Vec<bool>,
    /// Set once a place of this level was reported to crash the game's compiler.
    crash_reported: bool,
    /// The object that `contained` objects are in.
    owner: Owner,
    /// Set inside a container.
    inside: bool,
    /// The places of RANDOM_PLACES in walls of the part, until a thing is at one of its places.
    in_walls: Vec<(Span, (i32, i32))>,
    /// The last room type that was reported together with the chance of its room.
    room_type_reported: Option<Span>,
}

/// The last object that can hold others.
enum Owner {
    None,
    /// An OBJECT, which holds nothing, but may be meant to.
    Object(Span),
    Container,
}

impl<'tree> Visit<'tree> for Checker<'_> {
    fn level(&mut self, level: &'tree Level) {
        self.place = Setting::Level;
        self.earlier = None;
        self.crash_reported = false;
        self.free_places = false;
        self.message = [0; 2];
        self.counts = [0; KINDS];
        self.owner = Owner::None;
        for flag in level.flags.iter().flatten() {
            self.judge.flag(&flag.node, flag.span);
        }
        match &level.kind {
            LevelKind::Maze { filling } => {
                if let Some(filling) = filling {
                    let becomes = "the level becomes a maze, as with `random`";
                    self.judge.maze_filling(*filling, Code::UnknownFilling, becomes);
                }
                self.maze(&level.body);
            }
            LevelKind::Rooms => self.rooms(&level.body),
            LevelKind::Script => {}
        }
    }

    fn statement(&mut self, statement: &'tree Statement) {
        let span = statement.span;
        match &statement.kind {
            StatementKind::InitMap(init) => {
                self.free_places = true;
                self.judge.init_map(init);
            }
            StatementKind::Registers { of: RegisterKind::Place, values } => {
                self.in_walls = values.iter().filter_map(|place| Some((place.span, self.solid_at(place)?))).collect();
            }
            StatementKind::Message { text, to } => self.message(text, *to),
            StatementKind::Chance { condition: Condition::Percent(percent), .. }
                if !(1..=100).contains(&percent.node) =>
            {
                let message = format!("{}% is not a chance", percent.node);
                self.judge.push(
                    Diagnostic::new(Code::Percentage, percent.span, message)
                        .with_help("use a percentage from 1 to 100"),
                );
            }
            StatementKind::Monster(monster) => {
                self.in_wall(&monster.place, "monster");
                self.count(Kind::Monster, span);
            }
            StatementKind::Object(_) => self.count(Kind::Object, span),
            StatementKind::Trap { place, .. } => self.thing(place, "trap", Kind::Trap, span),
            StatementKind::RoomDoor { walls, position, also, .. } => {
                self.artifact(also);
                // -1 is random.
                if !matches!(position, OrRandom::Is(Spanned { node: -1, .. })) {
                    self.judge.door_position(walls, position, Code::Door);
                }
                self.count(Kind::Door, span);
            }
            StatementKind::Door { at, also, .. } => {
                self.artifact(also);
                if let SelectionKind::Point(place) = &at.kind
                    && self.is_on_map(place)
                {
                    self.door(place);
                }
                self.count(Kind::Door, span);
            }
            StatementKind::Drawbridge { place, direction, state } => {
                if self.is_on_map(place) {
                    self.drawbridge(place, direction);
                }
                self.judge.drawbridge_state(state, span);
                self.count(Kind::Drawbridge, span);
            }
            StatementKind::Region(region) => {
                self.region(region);
                self.count(Kind::Region, span);
            }
            StatementKind::LevelRegion(_) => self.count(Kind::LevelRegion, span),
            StatementKind::Altar { place, alignment, also, .. } => {
                self.judge.alignment(alignment);
                self.god(also);
                self.thing(place, "altar", Kind::Altar, span);
            }
            StatementKind::Fountain { at } => {
                if let SelectionKind::Point(place) = &at.kind {
                    self.in_wall(place, "fountain");
                }
                self.count(Kind::Fountain, span);
            }
            StatementKind::Sink { .. } => self.count(Kind::Sink, span),
            StatementKind::Pool { .. } => self.count(Kind::Pool, span),
            StatementKind::MazeWalk { .. } => self.count(Kind::Walk, span),
            StatementKind::Wallify { .. } => self.wallify(span),
            StatementKind::Ladder { place, .. } => self.thing(place, "ladder", Kind::Ladder, span),
            StatementKind::Stair { place, .. } => self.thing(place, "stairway", Kind::Stair, span),
            StatementKind::Gold { place, .. } => self.thing(place, "gold", Kind::Gold, span),
            StatementKind::Engraving { place, .. } => self.thing(place, "engraving", Kind::Engraving, span),
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
        walk::statement(self, statement);
    }

    fn monster(&mut self, monster: &'tree Monster) {
        self.judge.monster_details(monster);
        walk::monster(self, monster);
    }

    fn monster_detail(&mut self, detail: &'tree Spanned<MonsterDetail>) {
        if let MonsterDetail::Alignment(alignment) = &detail.node {
            self.judge.alignment(alignment);
        }
        walk::monster_detail(self, detail);
    }

    fn object(&mut self, object: &'tree Object) {
        self.judge.object_details(object);
        for detail in &object.details {
            match &detail.node {
                ObjectDetail::Place(place) => self.in_wall(place, "object"),
                ObjectDetail::MonsterType(name) => self.corpse(name),
                ObjectDetail::Enchantment(Expr { kind: ExprKind::Integer(number), span })
                    if i16::try_from(*number).is_err() =>
                {
                    self.judge.push(
                        Diagnostic::new(Code::NumberCut, *span, format!("{number} does not fit in the level file"))
                            .with_label(format!("becomes {}", *number as i16)),
                    );
                }
                _ => {}
            }
        }
        let placed = object.details.iter().any(|detail| matches!(detail.node, ObjectDetail::Place(_)));
        if !placed && !self.inside {
            self.contained(object.contained_span.somewhere().unwrap_or(object.object.span));
        }
        if object.contents.is_some() {
            self.owner = Owner::Container;
        } else if placed && !matches!(self.owner, Owner::Container) {
            self.owner = Owner::Object(object.object.span);
        }
        let outside = std::mem::replace(&mut self.inside, true);
        walk::object(self, object);
        self.inside = outside;
    }

    /// Subrooms are checked as entries of the list of rooms.
    fn room(&mut self, _: &'tree Room, _: Span) {}

    fn region_spec(&mut self, region: &'tree RegionSpec) {
        self.region_spec_range(region);
    }

    fn expression(&mut self, expression: &'tree Expr) {
        match &expression.kind {
            ExprKind::Coordinate { .. } => self.place_range(expression),
            ExprKind::NamedRegister { of: RegisterKind::Monster, name, .. } => {
                self.monster_without_class(name, expression.span);
            }
            ExprKind::NamedRegister { of: RegisterKind::Object, name, .. } => {
                self.object_name(name, None, expression.span);
            }
            _ => {}
        }
        walk::expression(self, expression);
    }

    fn species(&mut self, role: SpeciesRole, species: &'tree SpeciesName, span: Span) {
        match role {
            SpeciesRole::Monster => self.monster_species(species, span),
            SpeciesRole::Object => self.object_species(species, span),
        }
    }

    fn name(&mut self, role: NameRole, name: &'tree Text, span: Span) {
        match role {
            NameRole::Trap => self.judge.trap(name, span),
            NameRole::RoomType if self.room_type_reported == Some(span) => {}
            NameRole::RoomType => self.judge.room_type(name, span),
            _ => {}
        }
    }
}

impl Checker<'_> {
    /// Returns the map that the game's compiler uses: that of the part or, if it has none, the previous one.
    fn looked_at(&self) -> Option<&Grid> {
        match &self.place {
            Setting::Map(grid) => Some(grid),
            Setting::NoMap => self.earlier.as_ref(),
            Setting::Level | Setting::Unknown | Setting::Room => None,
        }
    }

    fn error(&mut self, code: Code, span: Span, message: impl Into<String>) {
        self.judge.push(Diagnostic::new(code, span, message.into()));
    }

    /// Checks a thing on a square.
    fn thing(&mut self, place: &Expr, what: &str, kind: Kind, span: Span) {
        self.in_wall(place, what);
        self.count(kind, span);
    }

    /// Checks that all messages of a level, with a line end between each two, fit one buffer (NetHack 3.4.3, lev_comp,
    /// `message`).
    fn message(&mut self, text: &Expr, to: Audience) {
        let ExprKind::String(string) = &text.kind else { return };
        let length = self.judge.charset.encoded_len(string);
        let most = self.judge.catalog.limits.message.max(0) as usize;
        // Each of the two audiences has its own buffer.
        let before = self.message[to as usize];
        if length + 1 + before > most {
            let mut diagnostic =
                Diagnostic::new(Code::Message, text.span, "the text of the level's MESSAGEs is too long")
                    .with_label(format!("{length} characters"))
                    .with_help(format!("shorten the MESSAGEs to at most {} characters in total", most - 1));
            if before > 0 {
                diagnostic = diagnostic.with_note(format!("the earlier MESSAGEs have {before} characters"));
            }
            self.judge.push(diagnostic);
        } else {
            self.message[to as usize] += length + usize::from(before > 0);
        }
    }

    fn maze(&mut self, body: &[Statement]) {
        let mut parts = 0;
        for statement in body {
            match &statement.kind {
                StatementKind::Map(map) => {
                    parts += 1;
                    if parts == self.judge.catalog.limits.parts + 1 {
                        self.judge.push(
                            Diagnostic::new(
                                Code::TooMany,
                                statement.span,
                                format!("more than {} parts in one level", self.judge.catalog.limits.parts),
                            )
                            .with_help("draw adjacent parts as one map"),
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
}
