//! Checks of script dialects only: state that changes from statement to statement (the last map, containers, random
//! vaults), and restrictions of the older script language.

use super::judge::Judge;
use crate::catalog::Feature;
use crate::diagnostic::{Code, Diagnostic};
use crate::level::*;
use crate::source::{Span, Spanned, Text};
use crate::visit::{NameRole, SpeciesRole, Visit, walk};
use crate::words::*;

/// Checks every level and function of `module`.
pub(super) fn check<'a>(module: &'a Module, judge: Judge<'a>) {
    let unread = |known: &&Diagnostic| matches!(known.code, Code::Syntax | Code::MapText | Code::Lexical);
    let first_unread = judge.diagnostics.iter().filter(unread).filter_map(|known| known.span).min();
    let late = judge.catalog.has(Feature::LatePercentages);
    let percentages = match (late, judge.diagnostics.iter().any(|known| known.code == Code::Percentage)) {
        (true, _) => Percentages::InFewPlaces,
        (false, true) => Percentages::Reported,
        (false, false) => Percentages::Anywhere,
    };
    let mut checker = Checker {
        judge,
        percentages,
        map: (0, 0),
        inherited: false,
        mapped: false,
        containers: 0,
        carried: false,
        vault: false,
        flags: Vec::new(),
        room_type_reported: None,
        unread: &module.unread,
        first_unread,
    };
    checker.module(module);
    if module.levels().next().is_none() && !checker.judge.diagnostics.has_errors() {
        checker.judge.push(
            Diagnostic::new(Code::NoLevel, None, "no level in this file")
                .with_help("begin a level with LEVEL: \"name\""),
        );
    }
}

/// The percentages to check.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Percentages {
    /// All of them.
    Anywhere,
    /// None: the front end has already reported those that are too large.
    Reported,
    /// Those that SporkHack's compiler checks.
    InFewPlaces,
}

struct Checker<'a> {
    judge: Judge<'a>,
    percentages: Percentages,
    /// The greatest column and row of the last map. As in lev_comp, the next level inherits them.
    map: (i32, i32),
    /// True if the last map is that of an earlier level.
    inherited: bool,
    /// True if the current level has a map.
    mapped: bool,
    /// The number of enclosing containers and monsters with an inventory.
    containers: usize,
    /// True directly in the inventory of a monster.
    carried: bool,
    /// True if the level is a random vault.
    vault: bool,
    /// The flags of the level.
    flags: Vec<Text>,
    /// The span of a room type already reported as unknown.
    room_type_reported: Option<Span>,
    /// The first unread place. A map may be missing after it, so regions outside the map are not reported from there
    /// on.
    first_unread: Option<Span>,
    /// The unread parts of the source.
    unread: &'a Unread,
}

impl<'tree> Visit<'tree> for Checker<'_> {
    fn level(&mut self, level: &'tree Level) {
        self.mapped = false;
        if let LevelKind::Maze { filling } = &level.kind {
            if let Some(filling) = filling {
                let becomes = "fills the level with no terrain";
                self.judge.maze_filling(*filling, Code::UnknownMapCharacter, becomes);
            }
            self.whole_level();
        }
        // SporkHack never forgets that a level was a random vault.
        self.vault &= self.judge.catalog.has(Feature::VaultRemembered);
        self.flags = level.flags.iter().flatten().map(|flag| flag.node.clone()).collect();
        self.vault |= self.flags.iter().any(|flag| flag == "rndvault");
        walk::level(self, level);
        self.inherited |= self.mapped;
    }

    fn statement(&mut self, statement: &'tree Statement) {
        match &statement.kind {
            // A value of the wrong type for its variable, already reported.
            StatementKind::Define { value, .. } if has_stray_terrain(value) => return,
            StatementKind::RoomDoor { walls, position, .. } => {
                self.judge.door_position(walls, position, Code::RoomDetail);
            }
            StatementKind::Altar { alignment, .. } => self.judge.alignment(alignment),
            StatementKind::Drawbridge { state, .. } => self.judge.drawbridge_state(state, statement.span),
            StatementKind::MazeWalk { filling: Some(filling), .. } => self.judge.terrain(filling.node, filling.span),
            StatementKind::Spill { terrain, amount, .. } if self.judge.catalog.has(Feature::SpillTakesNumbers) => {
                self.old_spill(terrain, amount)
            }
            StatementKind::WallWalk { chance: Some(chance), .. } => self.old_percentage(*chance),
            StatementKind::ReplaceTerrain { chance, .. } | StatementKind::MonsterGeneration { chance, .. } => {
                self.percentage(*chance);
            }
            StatementKind::VaultGeneration { frequency } => self.vault_generation(*frequency, statement.span),
            StatementKind::VaultDepth { depth } => self.vault_depth(*depth, statement.span),
            _ => {}
        }
        walk::statement(self, statement);
    }

    fn init_map(&mut self, init: &'tree InitMap, _: Span) {
        self.judge.init_map(init);
        if !matches!(init, InitMap::Sheol | InitMap::Rogue) {
            self.whole_level();
        }
    }

    fn map(&mut self, map: &'tree Map, span: Span) {
        walk::map(self, map, span);
        match map {
            Map::None => self.whole_level(),
            Map::Drawn { rows, .. } => {
                self.judge.rows(rows);
                self.begin_map((rows.width() as i32 - 1, rows.rows.len() as i32 - 1));
            }
        }
    }

    fn monster(&mut self, monster: &'tree Monster) {
        self.judge.monster_details(monster);
        self.containers += 1;
        let around = std::mem::replace(&mut self.carried, true);
        walk::monster(self, monster);
        self.carried = around;
        self.containers -= 1;
    }

    fn monster_detail(&mut self, detail: &'tree Spanned<MonsterDetail>) {
        if let MonsterDetail::Alignment(alignment) = &detail.node {
            self.judge.alignment(alignment);
        }
        walk::monster_detail(self, detail);
    }

    fn object(&mut self, object: &'tree Object) {
        self.judge.object_details(object);
        self.object_place(object);
        self.containers += 1;
        let around = std::mem::replace(&mut self.carried, false);
        walk::object(self, object);
        self.carried = around;
        self.containers -= 1;
    }

    fn room(&mut self, room: &'tree Room, span: Span) {
        if let Some(chance) = room.chance {
            // A room of unknown type counts as an ordinary one.
            let known = |name: &Spanned<Text>| self.judge.catalog.room(&name.node);
            let unknown = match &room.room_type {
                OrRandom::Is(name) if known(name).is_none() => Some(name),
                _ => None,
            };
            let ordinary = matches!(&room.room_type, OrRandom::Is(name) if known(name) == Some(0));
            if let Some(name) = unknown.filter(|_| chance.node < 100) {
                // A single error: do not also report that the room counts as ordinary.
                self.judge.room_type_as(Code::RoomDetail, &name.node, name.span, chance.span);
                self.room_type_reported = Some(name.span);
            } else if ordinary && chance.node < 100 {
                let word = if matches!(room.placement, RoomPlacement::Level { .. }) { "ROOM" } else { "SUBROOM" };
                let help = format!(
                    "remove the chance, which is for special room types, or put the {word} in IF [{}%] {{ ... }}",
                    chance.node
                );
                self.judge.push(
                    Diagnostic::new(Code::RoomDetail, chance.span, "an ordinary room cannot have a chance")
                        .with_help(help),
                );
            }
            self.old_percentage(chance);
        }
        self.room_flags(room.flags.as_deref());
        self.judge.room_size(&room.size);
        if let RoomPlacement::Level { position, .. } = &room.placement {
            if let OrRandom::Is(position) = position {
                self.judge.room_position(*position);
            }
            if self.judge.catalog.has(Feature::RoomFlagsFromAlignment)
                && let Some(flag) = room.flags.as_ref().and_then(|flags| flags.first())
            {
                let message = format!("{} ignores the flags of a ROOM", self.judge.catalog.title);
                self.judge.push(
                    Diagnostic::new(Code::Ignored, flag.span, message)
                        .with_label("has no effect")
                        .with_note("its compiler takes the number of the vertical alignment for the flags")
                        .with_help("use the flags only in a REGION or SUBROOM"),
                );
            }
        }
        walk::room(self, room, span);
    }

    fn region(&mut self, region: &'tree Region, span: Span) {
        self.room_flags(region.flags.as_deref());
        if let Some(first) = region.body.as_deref().and_then(<[Statement]>::first)
            && self.judge.catalog.has(Feature::RegionsWithoutEnd)
            && !region.is_old_room(self.judge.catalog)
        {
            self.judge.push(
                Diagnostic::new(
                    Code::RegionBlock,
                    first.span,
                    "this REGION does not become a room and cannot contain statements",
                )
                .with_note("an ordinary region becomes a room only if it is unfilled or irregular")
                .with_help("move the statements out of the region, or add the flag unfilled to it"),
            );
        }
        walk::region(self, region, span);
    }

    fn region_spec(&mut self, region: &'tree RegionSpec) {
        if region.level {
            self.judge.level_region(region);
        } else if self.first_unread.is_none_or(|unread| unread >= region.span) {
            // lev_comp compares unsigned numbers, so without a map only (0,0,0,0) is valid.
            if self.judge.map_region(region, self.map) && self.inherited {
                self.judge.inherited_region(region);
            }
        }
    }

    fn condition(&mut self, condition: &'tree Condition) {
        if let Condition::Percent(percent) = condition {
            self.percentage(*percent);
        }
        walk::condition(self, condition);
    }

    fn selection(&mut self, selection: &'tree Selection) {
        if let SelectionKind::FilterPercent { percent, .. } = &selection.kind {
            self.percentage(*percent);
        }
        walk::selection(self, selection);
    }

    fn expression(&mut self, expression: &'tree Expr) {
        let span = expression.span;
        match &expression.kind {
            ExprKind::Coordinate { x, y } => self.judge.coordinate(*x, *y, span),
            ExprKind::RandomCoordinate { humidity } => self.judge.humidity(humidity),
            ExprKind::Region { corners } if self.judge.corners(*corners, span, self.map) => {
                self.judge.stored_region(*corners, span);
            }
            ExprKind::MapCharacter { character, .. } => self.judge.terrain(*character, span),
            _ => {}
        }
        walk::expression(self, expression);
    }

    fn species(&mut self, role: SpeciesRole, species: &'tree SpeciesName, span: Span) {
        self.judge.species(role, species, span);
    }

    fn name(&mut self, role: NameRole, name: &'tree Text, span: Span) {
        match role {
            NameRole::Flag => self.judge.flag(name, span),
            NameRole::Trap => self.judge.trap(name, span),
            NameRole::RoomType if self.room_type_reported == Some(span) => {}
            NameRole::RoomType => self.judge.room_type(name, span),
            _ => {}
        }
    }
}

/// Returns true if a quoted character is among the values of a variable of another type than terrain.
fn has_stray_terrain(definition: &Definition) -> bool {
    let stray = |value: &Expr| matches!(value.kind, ExprKind::MapCharacter { .. });
    match definition {
        Definition::Value { ty, value } => *ty != ValueType::MapCharacter && stray(value),
        Definition::Array { ty, values } => *ty != ValueType::MapCharacter && values.iter().any(stray),
        Definition::Copy { .. } => false,
    }
}

impl Checker<'_> {
    fn whole_level(&mut self) {
        self.begin_map(self.judge.quirk_level_bounds());
    }

    fn begin_map(&mut self, last: (i32, i32)) {
        (self.map, self.inherited, self.mapped) = (last, false, true);
    }

    /// Checks that an object in a container has no place, and that any other object has one.
    fn object_place(&mut self, object: &Object) {
        let mut places = object.details.iter().filter(|detail| matches!(detail.node, ObjectDetail::Place(_)));
        let message =
            match places.next_back() {
                Some(place) if self.containers > 0 => {
                    let message = match self.carried {
                        true => "an object that a monster carries cannot have a place",
                        false => "an object in a container cannot have a place",
                    };
                    // The place, with the comma before it.
                    let before =
                        object.details.iter().map(|detail| detail.span).filter(|span| span.end <= place.span.start);
                    let before = before.chain([object.object.span]).map(|span| span.end).max();
                    let start = before.filter(|&end| end <= place.span.start).unwrap_or(place.span.start);
                    Diagnostic::new(Code::ObjectPlace, place.span, message)
                        .with_help("remove the place")
                        .with_suggestion(Span { start, ..place.span }, "", true)
                }
                None if self.containers == 0 && object.object.kind != ExprKind::Error => {
                    Diagnostic::new(Code::ObjectPlace, object.object.span, "the object needs a place")
                        .with_help("add a place after it: (x,y) or random")
                }
                _ => return,
            };
        if !self.unread.explains_place(&message) {
            self.judge.push(message);
        }
    }

    /// Checks that each flag of a room or region appears once, as SporkHack requires. `filled` is not a flag there.
    fn room_flags(&mut self, flags: Option<&[Spanned<RoomFlag>]>) {
        if !self.judge.catalog.has(Feature::RoomFlagsOnce) {
            return;
        }
        let mut seen = Vec::new();
        for flag in flags.unwrap_or(&[]) {
            if flag.node != RoomFlag::Filling(Filling::Filled) {
                self.judge.repeated(&mut seen, flag.node, flag.span, "room");
            }
        }
    }

    /// Checks a percentage that every compiler limits to 100.
    fn old_percentage(&mut self, percent: Spanned<i32>) {
        if self.percentages != Percentages::Reported && !(0..=100).contains(&percent.node) {
            let message =
                format!("{}% is {}", percent.node, if percent.node < 0 { "below 0%" } else { "more than 100%" });
            self.judge.push(
                Diagnostic::new(Code::Percentage, percent.span, message).with_label("percentages go from 0% to 100%"),
            );
        }
    }

    /// Checks a percentage that SporkHack's compiler does not limit.
    fn percentage(&mut self, percent: Spanned<i32>) {
        if self.percentages == Percentages::Anywhere {
            self.old_percentage(percent);
        }
    }

    /// Checks SporkHack's SPILL, which requires real terrain and at least one square.
    fn old_spill(&mut self, terrain: &Expr, amount: &Expr) {
        if let ExprKind::MapCharacter { character, .. } = terrain.kind
            && self.judge.catalog.terrain(character).is_some_and(|number| number >= self.judge.catalog.max_terrain)
        {
            let message = format!("SPILL cannot spill '{}'", character.escape_debug());
            let note = self.judge.map_characters();
            self.judge.push(Diagnostic::new(Code::UnknownTerrain, terrain.span, message).with_note(note));
        }
        let least = i32::from(!self.judge.catalog.has(Feature::EmptySpills));
        if let ExprKind::Integer(number) = amount.kind
            && number < least
        {
            let message = match least {
                0 => format!("SPILL cannot spill {number} squares"),
                _ => format!("SPILL needs at least 1 square, found {number}"),
            };
            let help = format!("write {least} or more");
            self.judge.push(Diagnostic::new(Code::NumberRange, amount.span, message).with_help(help));
        }
    }

    /// Returns advice on a statement that only a random vault has.
    fn needs_vault(&self) -> String {
        match self.flags.is_empty() {
            true => "add FLAGS: rndvault to the level".to_owned(),
            false => {
                let flags: Vec<&str> = self.flags.iter().map(Text::as_str).collect();
                format!("write FLAGS: {},rndvault", flags.join(","))
            }
        }
    }

    fn vault_depth(&mut self, depth: Spanned<i32>, span: Span) {
        if !self.vault {
            self.judge.push(
                Diagnostic::new(Code::VaultGeneration, span, "MINDEPTH is for random vaults")
                    .with_help(self.needs_vault()),
            );
        } else if depth.node <= 0 {
            let message = "the minimum depth of a vault must be above 0";
            self.judge.push(
                Diagnostic::new(Code::VaultGeneration, depth.span, message)
                    .with_help("remove the statement to allow the vault at any depth"),
            );
        }
    }

    fn vault_generation(&mut self, frequency: Spanned<i32>, span: Span) {
        if !self.vault {
            self.judge.push(
                Diagnostic::new(Code::VaultGeneration, span, "VAULTGEN is for random vaults")
                    .with_help(self.needs_vault()),
            );
        } else if frequency.node <= 0 {
            self.judge.push(
                Diagnostic::new(Code::VaultGeneration, frequency.span, "the weight of a vault must be above 0")
                    .with_help("remove the level instead"),
            );
        }
    }
}
