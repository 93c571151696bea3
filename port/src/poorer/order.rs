//! The loader of lists processes a part or room type by type, a script statement by statement. If that changes the
//! effect of a statement, it is reported, because lists cannot express another order.
//!
//! Relies on the ranks in which `richer` writes the types down ([`rank_in_part`], [`rank_in_room`]), and on a script
//! whose loops and variables have been evaluated.

use std::collections::{BTreeMap, HashSet};

use splc_ir::catalog::Catalog;
use splc_ir::level::*;
use splc_ir::parts::Grid;
use splc_ir::wording::{Conjunction, listed};
use splc_ir::words::AltarType;

use super::known::squares;
use crate::richer::{rank_in_part, rank_in_room};
use crate::tree::{bare, is_anywhere, levels};
use crate::work::Work;

/// Reports each statement affected by a later statement that the loader executes first. Changes nothing.
pub(crate) fn list_order(work: &mut Work<'_>, module: &mut Module) {
    for level in levels(module) {
        let is_map = |statement: &Statement| matches!(statement.kind, StatementKind::Map(_));
        let mut rest = level.body.as_slice();
        while !rest.is_empty() {
            let next = rest.iter().skip(1).position(is_map).map_or(rest.len(), |at| at + 1);
            let (part, behind) = rest.split_at(next);
            Order::new(work, part, Frame::Part).report(part);
            rest = behind;
        }
        rooms(work, &level.body);
    }
}

fn rooms(work: &mut Work<'_>, body: &[Statement]) {
    for statement in body {
        if let StatementKind::Room(room) = &statement.kind {
            Order::new(work, &room.body, Frame::Room).report(&room.body);
            rooms(work, &room.body);
        }
    }
}

/// The context of statements.
#[derive(Clone, Copy, PartialEq)]
enum Frame {
    Part,
    Room,
}

/// An effect of a statement that matters to others.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Made {
    Door,
    Drawbridge,
    Ladder,
    Stairs,
    Altar,
    Fountain,
    Sink,
    Pool,
    /// A pit or hole: it wipes out engravings and turns walls into floor.
    Pit,
    /// A web, which comes with a spider.
    Web,
    /// A region that is a temple.
    Temple,
}

impl Made {
    /// Returns its plural name, if it replaces floor.
    fn in_the_way(self) -> Option<&'static str> {
        Some(match self {
            Made::Door => "doors",
            Made::Drawbridge => "drawbridges",
            Made::Ladder => "ladders",
            Made::Stairs => "stairs",
            Made::Altar => "altars",
            Made::Fountain => "fountains",
            Made::Sink => "sinks",
            Made::Pool => "pools",
            Made::Pit | Made::Web | Made::Temple => return None,
        })
    }

    /// Returns true for furniture, on which no trap can be placed.
    fn is_furniture(self) -> bool {
        matches!(self, Made::Ladder | Made::Stairs | Made::Altar | Made::Fountain | Made::Sink)
    }
}

/// The possible places of an effect.
#[derive(Clone, Debug, Default)]
struct Where {
    /// Set if it may be anywhere.
    anywhere: bool,
    squares: HashSet<(i32, i32)>,
}

impl Where {
    fn meets(&self, other: &Where) -> bool {
        self.anywhere || other.anywhere || !self.squares.is_disjoint(&other.squares)
    }

    fn add(&mut self, other: Where) {
        self.anywhere |= other.anywhere;
        self.squares.extend(other.squares);
    }
}

/// A part or room, processed from its end.
struct Order<'w, 'a> {
    work: &'w mut Work<'a>,
    frame: Frame,
    /// The map of the part, if no statement changes its terrain.
    map: Option<Grid>,
    /// Set if the map has cross walls, which become floor once regions and doors exist.
    has_cross_walls: bool,
    /// Shuffled places.
    registers: HashSet<(i32, i32)>,
    /// Effects of statements after the current one, by rank.
    behind: BTreeMap<(u8, Made), Where>,
}

impl<'w, 'a> Order<'w, 'a> {
    fn new(work: &'w mut Work<'a>, body: &[Statement], frame: Frame) -> Self {
        let redrawn = body.iter().any(|statement| {
            matches!(statement.kind, StatementKind::Terrain { .. } | StatementKind::ReplaceTerrain { .. })
        });
        let map = match body.first().map(|statement| &statement.kind) {
            Some(StatementKind::Map(Map::Drawn { rows, .. })) => Some(Grid::new(rows, work.from)),
            _ => None,
        };
        let cross_wall = work.from.level_type("crosswall").and_then(|number| u8::try_from(number).ok());
        let is_cross_wall = |square: &u8| Some(*square) == cross_wall;
        let has_cross_walls = map.as_ref().is_some_and(|map| map.squares.iter().any(is_cross_wall));
        let map = map.filter(|_| !redrawn);
        let mut registers = HashSet::new();
        for statement in body {
            if let StatementKind::Registers { of: RegisterKind::Place, values } = &statement.kind {
                registers.extend(values.iter().filter_map(|value| match value.kind {
                    ExprKind::Coordinate { x, y } => Some((x, y)),
                    _ => None,
                }));
            }
        }
        Order { work, frame, map, has_cross_walls, registers, behind: BTreeMap::new() }
    }

    fn report(&mut self, body: &[Statement]) {
        for statement in body.iter().rev() {
            let rank = match self.frame {
                Frame::Part => rank_in_part(statement),
                Frame::Room => rank_in_room(statement).0,
            };
            for what in self.notes(statement, rank) {
                self.work.game(statement.span, what);
            }
            for (made, places) in self.makes(statement) {
                self.behind.entry((rank, made)).or_default().add(places);
            }
        }
    }

    /// Returns the notes on a statement: effects of later statements that the loader executes before its rank.
    fn notes(&self, statement: &Statement, rank: u8) -> Vec<String> {
        let kind = bare(statement);
        let Some((place, random)) = self.place(kind) else { return Vec::new() };
        let title = &self.work.to.title;
        let before = || self.behind.range(..(rank, Made::Door));
        let mut notes = Vec::new();
        let is_trap = matches!(kind, StatementKind::Trap { .. });
        // In a room these can be on any square.
        let lies_anywhere = matches!(
            kind,
            StatementKind::Monster(_)
                | StatementKind::Object(_)
                | StatementKind::Gold { .. }
                | StatementKind::Engraving { .. }
        );
        let seeks_floor = random && !(self.frame == Frame::Room && lies_anywhere);
        let ways: Vec<&str> = before()
            .filter(|((_, made), places)| {
                let on_floor = || places.anywhere || places.squares.iter().any(|&square| self.is_open(square));
                (seeks_floor && made.in_the_way().is_some() && on_floor())
                    || (is_trap && made.is_furniture() && place.meets(places))
            })
            .filter_map(|((_, made), _)| made.in_the_way())
            .collect();
        if !ways.is_empty() {
            notes.push(format!(
                "{title} creates {} before it, so it cannot be on their squares",
                listed(&ways, Conjunction::And)
            ));
        }
        let behind = |wanted: Made| before().any(|((_, made), places)| *made == wanted && place.meets(places));
        let spider = || {
            let is_there = |((_, made), places): (&(u8, Made), &Where)| {
                *made == Made::Web && !places.squares.is_disjoint(&place.squares)
            };
            before().any(is_there)
        };
        let wall_is_dug = || {
            before().any(|((_, made), places)| {
                *made == Made::Pit && places.squares.iter().any(|&square| !self.is_open(square))
            })
        };
        match kind {
            StatementKind::Engraving { .. } if behind(Made::Pit) => {
                notes.push(format!("{title} sets traps before it engraves, so no pit wipes it out"));
            }
            // At two random places they hardly ever meet.
            StatementKind::Monster(_) if !place.anywhere && spider() => {
                notes.push(format!("{title} sets traps before it, so the spider of a web is there first"));
            }
            StatementKind::Altar { altar, .. } if *altar != OrRandom::Is(AltarType::Altar) && behind(Made::Temple) => {
                notes.push(format!("{title} creates temples before it, so its altar has a priest"));
            }
            _ => {}
        }
        if seeks_floor && self.has_cross_walls && !matches!(kind, StatementKind::Door { .. }) {
            notes.push(format!("{title} turns cross walls into floor before it, so it can be there"));
        }
        if seeks_floor && !is_trap && self.frame == Frame::Part && wall_is_dug() {
            notes.push(format!("{title} sets traps before it, so it can be in a pit in place of a wall"));
        }
        notes
    }

    /// Returns the places a statement may affect, and true if the game searches for the place.
    fn place(&self, kind: &StatementKind) -> Option<(Where, bool)> {
        let of_expr = |place: &Expr| (self.of_expr(place), is_anywhere(place));
        Some(match kind {
            StatementKind::Monster(monster) => of_expr(&monster.place),
            StatementKind::Object(object) => {
                object.place().map_or((Where { anywhere: true, ..Where::default() }, true), of_expr)
            }
            StatementKind::Trap { place, .. }
            | StatementKind::Gold { place, .. }
            | StatementKind::Engraving { place, .. }
            | StatementKind::Stair { place, .. }
            | StatementKind::Ladder { place, .. }
            | StatementKind::Altar { place, .. }
            | StatementKind::Drawbridge { place, .. } => of_expr(place),
            StatementKind::Door { at, .. }
            | StatementKind::Fountain { at }
            | StatementKind::Sink { at }
            | StatementKind::Pool { at } => {
                let places = self.of_selection(at);
                let random = places.anywhere;
                (places, random)
            }
            _ => return None,
        })
    }

    fn of_expr(&self, place: &Expr) -> Where {
        match &place.kind {
            &ExprKind::Coordinate { x, y } => Where { squares: HashSet::from([(x, y)]), anywhere: false },
            ExprKind::Register { .. } if !self.registers.is_empty() => {
                Where { squares: self.registers.clone(), anywhere: false }
            }
            _ => Where { anywhere: true, squares: HashSet::new() },
        }
    }

    fn of_selection(&self, at: &Selection) -> Where {
        match (&at.kind, squares(at)) {
            (SelectionKind::Point(place), _) => self.of_expr(place),
            (_, Some(squares)) => Where { squares: squares.into_iter().collect(), anywhere: false },
            (_, None) => Where { anywhere: true, squares: HashSet::new() },
        }
    }

    /// Returns the effects of a statement that matter to others.
    fn makes(&self, statement: &Statement) -> Vec<(Made, Where)> {
        let kind = bare(statement);
        let made: &[Made] = match kind {
            StatementKind::Door { .. } => &[Made::Door],
            StatementKind::Drawbridge { .. } => &[Made::Drawbridge],
            StatementKind::Ladder { .. } => &[Made::Ladder],
            StatementKind::Stair { .. } => &[Made::Stairs],
            StatementKind::Altar { .. } => &[Made::Altar],
            StatementKind::Fountain { .. } => &[Made::Fountain],
            StatementKind::Sink { .. } if self.frame == Frame::Room => &[Made::Sink],
            StatementKind::Pool { .. } if self.frame == Frame::Room => &[Made::Pool],
            StatementKind::Trap { trap: OrRandom::Random, .. } => &[Made::Pit, Made::Web],
            StatementKind::Trap { trap: OrRandom::Is(trap), .. } => match trap.node.as_str() {
                "pit" | "spiked pit" | "hole" | "trap door" => &[Made::Pit],
                "web" => &[Made::Web],
                _ => &[],
            },
            StatementKind::Region(region) => return self.temple(region).into_iter().collect(),
            _ => &[],
        };
        let Some((places, _)) = self.place(kind) else { return Vec::new() };
        made.iter().map(|&made| (made, places.clone())).collect()
    }

    fn temple(&self, region: &Region) -> Option<(Made, Where)> {
        const TEMPLE: &str = "temple";
        let may_be = match &region.room_type {
            OrRandom::Is(name) => name.node == TEMPLE,
            OrRandom::Random => true,
        };
        let area = Selection { kind: SelectionKind::FilledRectangle(region.area.clone()), span: region.area.span };
        may_be.then(|| (Made::Temple, self.of_selection(&area)))
    }

    /// Returns true if a search for floor or water could choose a square of the map.
    fn is_open(&self, (x, y): (i32, i32)) -> bool {
        const OPEN: [&str; 11] = [
            "room",
            "corr",
            "ice",
            "air",
            "cloud",
            "pool",
            "moat",
            "water",
            "lavapool",
            "drawbridge_up",
            "drawbridge_down",
        ];
        let Some(map) = &self.map else { return true };
        let catalog: &Catalog = self.work.from;
        // A square that is not drawn shows the background.
        let name = map.get(x, y).and_then(|number| catalog.level_types.get(usize::from(number)));
        name.is_none_or(|name| OPEN.contains(&name.as_ref()))
    }
}
