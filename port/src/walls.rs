//! WALLIFY without an area: it applies to the last map, and in some games to the row and column around it as well.
//!
//! Relies on the loaders (`spo_wallify`, `wallify_map`): rock next to floor becomes wall, and nothing else changes.

use splc_ir::catalog::{Catalog, Feature, Format};
use splc_ir::level::*;
use splc_ir::source::Span;
use splc_ir::visit::{Visit, VisitMut, walk, walk_mut};

use crate::richer::corner;
use crate::tree::levels;
use crate::work::Work;

/// The last column and row of a level, and the area of the whole level.
const LAST_COLUMN: i32 = 79;
const LAST_ROW: i32 = 20;
const WHOLE_LEVEL: [i32; 4] = [1, 0, LAST_COLUMN, LAST_ROW];

/// The map characters of solid rock and of the background.
const ROCK: char = ' ';
const SEE_THROUGH: char = 'x';

/// Gives WALLIFY the area that it has in the source, or reports that it has another in the target.
pub(crate) fn wallify_around_maps(work: &mut Work<'_>, module: &mut Module) {
    let (before, after) = (work.from.has(Feature::WallifyTakesRegions), work.to.has(Feature::WallifyTakesRegions));
    if before == after {
        return;
    }
    let answer = match (after, work.to.format) {
        (true, _) => Answer::MapAndAround,
        // A script of NetHack 5 can give the area of the map alone.
        (false, Format::Lua) => Answer::MapAlone,
        (false, _) => Answer::None,
    };
    for level in levels(module) {
        let bounded = answer == Answer::None && is_bounded(level, work.from);
        let mut walls = Walls { work: &mut *work, answer, area: Area::Known(WHOLE_LEVEL), bounded };
        level.body.iter_mut().for_each(|statement| walls.statement(statement));
    }
    let mut walls = Walls { work, answer, area: Area::Unknown, bounded: false };
    for item in &mut module.items {
        if let Item::Function(function) = item {
            walls.function(function);
        }
    }
}

/// The areas that can be expressed in the target.
#[derive(Clone, Copy, PartialEq)]
enum Answer {
    /// The last map and the squares around it.
    MapAndAround,
    /// The last map.
    MapAlone,
    /// No area with the same meaning.
    None,
}

/// The default area of WALLIFY.
#[derive(Clone, Copy)]
enum Area {
    Known([i32; 4]),
    /// The last map or its position is only known when the level is generated.
    Unknown,
}

struct Walls<'w, 'a> {
    work: &'w mut Work<'a>,
    answer: Answer,
    area: Area,
    /// Set if nothing around the only map can become a wall.
    bounded: bool,
}

impl VisitMut for Walls<'_, '_> {
    fn statement(&mut self, statement: &mut Statement) {
        match &mut statement.kind {
            StatementKind::Map(map) => self.area = self.of(map),
            StatementKind::Wallify { at } if at.is_none() => match (self.answer, self.area) {
                (Answer::MapAndAround | Answer::MapAlone, Area::Known(corners)) => {
                    let region = Expr { kind: ExprKind::Region { corners }, span: Span::NOWHERE };
                    *at = Some(WallifyArea::Region(region));
                    let what = match self.answer {
                        Answer::MapAlone => "WALLIFY is limited to the map",
                        _ => "WALLIFY gets the area of the map, plus the row and column around it",
                    };
                    self.work.same(statement.span, what);
                }
                (Answer::None, Area::Known(WHOLE_LEVEL)) => {}
                (Answer::None, _) if self.bounded => {}
                _ => {
                    let what =
                        "WALLIFY without an area includes a row and a column around the map in only one of the games";
                    self.work.differs(statement.span, what);
                }
            },
            // In a room, coordinates count from the room, and it contains no maps.
            StatementKind::Room(_) => {
                let (area, bounded) = (self.area, self.bounded);
                (self.area, self.bounded) = (Area::Unknown, false);
                walk_mut::statement(self, statement);
                (self.area, self.bounded) = (area, bounded);
            }
            _ => {
                walk_mut::statement(self, statement);
                // The map may or may not have been placed.
                if has_map(statement) {
                    self.area = Area::Unknown;
                }
            }
        }
    }
}

impl Walls<'_, '_> {
    fn of(&self, map: &Map) -> Area {
        let Map::Drawn { position, rows, .. } = map else { return Area::Known(WHOLE_LEVEL) };
        let (width, height) = (rows.width() as i32, rows.rows.len() as i32);
        let (x, y) = match position {
            MapPosition::Aligned { horizontal, vertical } => corner(*horizontal, *vertical, width, height),
            // Coordinates count from the second column of the level.
            MapPosition::At(Expr { kind: ExprKind::Coordinate { x, y }, .. }) => (x.saturating_add(1), *y),
            MapPosition::At(_) => return Area::Unknown,
        };
        let margin = i32::from(self.answer == Answer::MapAndAround);
        let (right, below) = (x.saturating_add(width + margin), y.saturating_add(height + margin));
        Area::Known([
            x.saturating_sub(margin).max(1),
            y.saturating_sub(margin).max(0),
            right.min(LAST_COLUMN),
            below.min(LAST_ROW),
        ])
    }
}

/// Returns true if a block of the statement contains a map.
fn has_map(statement: &Statement) -> bool {
    struct Maps(bool);

    impl<'tree> Visit<'tree> for Maps {
        fn statement(&mut self, statement: &'tree Statement) {
            self.0 |= matches!(statement.kind, StatementKind::Map(_));
            walk::statement(self, statement);
        }
    }

    let mut maps = Maps(false);
    maps.statement(statement);
    maps.0
}

/// Returns true if the level is rock with a single map that never has floor in its first row or column, so that no wall
/// can appear around it. WALLIFY looks past the last row and column in every game.
fn is_bounded(level: &Level, catalog: &Catalog) -> bool {
    let is_map = |statement: &&Statement| matches!(statement.kind, StatementKind::Map(_));
    let mut maps = level.body.iter().filter(is_map);
    let (Some(first), None) = (maps.next(), maps.next()) else { return false };
    let StatementKind::Map(Map::Drawn { rows, .. }) = &first.kind else { return false };
    let filled = match level.kind {
        LevelKind::Maze { filling } => filling.is_some_and(|filling| filling.node == ROCK),
        LevelKind::Script | LevelKind::Rooms => true,
    };
    let number = |name: &str| catalog.level_types.iter().position(|known| known == name).map(|number| number as i32);
    let (Some(floor), cross_wall) = (number("room"), number("crosswall")) else { return false };
    let is_solid = |character: char| {
        let terrain = catalog.terrain(character);
        character == SEE_THROUGH || terrain.is_some_and(|terrain| terrain < floor && Some(terrain) != cross_wall)
    };
    let squares = |row: &str| row.chars().filter(|character| !character.is_ascii_digit()).collect::<Vec<char>>();
    let drawn: Vec<Vec<char>> = rows.rows.iter().map(|row| squares(row)).collect();
    let top = drawn.first().into_iter().flatten();
    let left = drawn.iter().filter_map(|row| row.first());
    let mut border = Border { stays: filled, laid: false };
    level.body.iter().for_each(|statement| border.statement(statement));
    border.stays && top.chain(left).all(|&character| is_solid(character))
}

/// Tracks if statements leave the first row and column of the map and its surroundings unchanged.
struct Border {
    stays: bool,
    /// Set once the map has been placed.
    laid: bool,
}

impl<'tree> Visit<'tree> for Border {
    fn statement(&mut self, statement: &'tree Statement) {
        let is_known = match &statement.kind {
            StatementKind::InitMap(InitMap::Solid { filling, .. }) => filling.node == ROCK && !self.laid,
            StatementKind::Map(_) => !std::mem::replace(&mut self.laid, true),
            // A random place is never in the first row or column, as they are not floor.
            StatementKind::Trap { .. }
            | StatementKind::Stair { .. }
            | StatementKind::Ladder { .. }
            | StatementKind::Altar { .. }
            | StatementKind::Fountain { .. }
            | StatementKind::Sink { .. }
            | StatementKind::Pool { .. }
            | StatementKind::Define { .. } => {
                let mut drawn = Drawn(false);
                drawn.statement(statement);
                self.laid && !drawn.0
            }
            StatementKind::Terrain { at, .. } => match &at.kind {
                SelectionKind::Point(_) | SelectionKind::Rectangle(_) | SelectionKind::FilledRectangle(_) => {
                    let mut inside = Inside(true);
                    inside.selection(at);
                    self.laid && inside.0
                }
                _ => false,
            },
            StatementKind::Monster(_)
            | StatementKind::Object(_)
            | StatementKind::Gold { .. }
            | StatementKind::Engraving { .. }
            | StatementKind::Region(_)
            | StatementKind::NonDiggable { .. }
            | StatementKind::NonPasswall { .. }
            | StatementKind::LevelRegion(_)
            | StatementKind::Door { .. }
            | StatementKind::Message { .. }
            | StatementKind::MonsterGeneration { .. }
            | StatementKind::Sounds { .. }
            | StatementKind::Shuffle { .. }
            | StatementKind::If { .. }
            | StatementKind::Chance { .. }
            | StatementKind::Switch { .. }
            | StatementKind::Loop { .. }
            | StatementKind::For { .. }
            | StatementKind::Break
            | StatementKind::Exit
            | StatementKind::Wallify { .. } => true,
            _ => false,
        };
        self.stays &= is_known;
        walk::statement(self, statement);
    }

    fn expression(&mut self, expression: &'tree Expr) {
        if let ExprKind::Coordinate { x, y } = &expression.kind {
            self.stays &= *x > 0 && *y > 0;
        }
        walk::expression(self, expression);
    }
}

/// Set if a place is drawn from a selection or computed, and may be any square.
struct Drawn(bool);

impl<'tree> Visit<'tree> for Drawn {
    fn expression(&mut self, expression: &'tree Expr) {
        self.0 |= matches!(expression.kind, ExprKind::SelectedCoordinate(_) | ExprKind::ComputedCoordinate { .. });
        walk::expression(self, expression);
    }
}

/// Set if all coordinates lie past the first row and column.
struct Inside(bool);

impl<'tree> Visit<'tree> for Inside {
    fn expression(&mut self, expression: &'tree Expr) {
        self.0 &= match &expression.kind {
            ExprKind::Region { corners } => corners.iter().all(|&corner| corner > 0),
            ExprKind::Coordinate { x, y } => *x > 0 && *y > 0,
            _ => false,
        };
        walk::expression(self, expression);
    }
}
