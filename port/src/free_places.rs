//! Finds parts of NetHack 3.4.3 without a free square for a random place. Its loader then gives up, the loaders of
//! scripts do not.

use splc_ir::catalog::Catalog;
use splc_ir::level::*;
use splc_ir::source::Span;
use splc_ir::visit::{Visit, has_expression};

use crate::account::Effect;
use crate::tree::{bare, is_anywhere, levels};
use crate::work::Work;

/// The free squares of a part.
#[derive(Clone, Copy, Default)]
struct Offer {
    /// The number of squares on which most things can be placed, or [`PLENTY`] if unknown.
    dry: usize,
    /// Set if there is water or lava for swimmers.
    wet: bool,
}

/// More squares than any level fills.
const PLENTY: usize = 10_000;

impl Offer {
    const UNKNOWN: Offer = Offer { dry: PLENTY, wet: true };

    fn of(catalog: &Catalog, character: char) -> Offer {
        let Some(number) = catalog.terrain(character) else { return Offer::UNKNOWN };
        match catalog.level_types.get(number as usize).map(AsRef::as_ref) {
            // Cross walls become floor.
            Some("room" | "corr" | "ice" | "air" | "cloud" | "crosswall") => Offer { dry: 1, wet: false },
            Some("drawbridge_up") => Offer::UNKNOWN,
            Some("pool" | "moat" | "water" | "lavapool") => Offer { dry: 0, wet: true },
            Some(_) => Offer::default(),
            None => Offer::UNKNOWN,
        }
    }

    /// Returns the offer of a whole level filled with these squares.
    fn everywhere(self) -> Offer {
        Offer { dry: if self.dry > 0 { PLENTY } else { 0 }, wet: self.wet }
    }

    fn and(self, other: Offer) -> Offer {
        Offer { dry: (self.dry + other.dry).min(PLENTY), wet: self.wet || other.wet }
    }
}

/// Returns true if a statement may make squares on which most things can be placed, apart from those in its blocks.
pub(crate) fn may_make_ground(statement: &Statement, catalog: &Catalog) -> bool {
    struct Ground<'c> {
        catalog: &'c Catalog,
        found: bool,
    }

    impl<'tree> Visit<'tree> for Ground<'_> {
        fn block(&mut self, _: &'tree [Statement]) {}

        fn map_rows(&mut self, rows: &'tree MapRows) {
            let mut squares = rows.rows.iter().flat_map(|row| row.chars());
            self.found |= squares.any(|square| Offer::of(self.catalog, square).dry > 0);
        }

        fn map_character(&mut self, character: &'tree char, _: Span) {
            self.found |= Offer::of(self.catalog, *character).dry > 0;
        }
    }

    let made = matches!(
        statement.kind,
        StatementKind::Room(_)
            | StatementKind::Corridor { .. }
            | StatementKind::RandomCorridors { .. }
            | StatementKind::MazeWalk { .. }
            | StatementKind::WallWalk { .. }
            | StatementKind::Drawbridge { .. }
            | StatementKind::Call { .. }
            | StatementKind::InitMap(InitMap::Rogue | InitMap::Sheol)
    );
    let mut ground = Ground { catalog, found: made };
    ground.statement(statement);
    ground.found
}

/// Reports statements in lists for which no free place may be left.
pub(crate) fn report(work: &mut Work<'_>, catalog: &Catalog, module: &mut Module, effect: Effect) {
    for level in levels(module) {
        let LevelKind::Maze { filling } = level.kind else { continue };
        let init = level.body.iter().find_map(|statement| match &statement.kind {
            StatementKind::InitMap(init) => Some(init),
            _ => None,
        });
        let mut below = match (init, filling) {
            (Some(InitMap::Solid { filling, .. }), _) => Offer::of(catalog, filling.node),
            (None, Some(filling)) => Offer::of(catalog, filling.node),
            (Some(InitMap::MazeGrid { .. }), _) | (None, None) => Offer::default(),
            (Some(InitMap::Mines { foreground, background, .. }), _) => {
                Offer::of(catalog, foreground.node).and(Offer::of(catalog, background.node))
            }
            (Some(_), _) => Offer::UNKNOWN,
        }
        .everywhere();
        let mut here = Offer::UNKNOWN;
        let parts = level.body.chunk_by(|_, next| !matches!(next.kind, StatementKind::Map(_)));
        let parts = parts.flat_map(|part| {
            let furniture = part.iter().filter(|statement| takes_a_square(statement)).count();
            part.iter().map(move |statement| (statement, furniture))
        });
        for (statement, furniture) in parts {
            match &statement.kind {
                StatementKind::Map(Map::None) => here = if init.is_some() { below } else { Offer::default() },
                StatementKind::Map(Map::Drawn { rows, .. }) => {
                    let squares =
                        rows.rows.iter().flat_map(|row| row.chars()).filter(|square| !square.is_ascii_digit());
                    here = squares.fold(Offer::default(), |offer, square| offer.and(Offer::of(catalog, square)));
                    below = below.and(here);
                }
                StatementKind::Terrain { .. } => here = Offer::UNKNOWN,
                _ if !is_stuck(statement, here) => {}
                _ if here.dry == 0 => {
                    let what = "its part has no free square for it: NetHack 3.4.3 gives up on the level";
                    work.note(statement.span, effect, what);
                }
                _ if here.dry <= furniture - usize::from(takes_a_square(statement)) => {
                    let what = "if stairs and similar things leave no free square in its part, NetHack 3.4.3 gives up on the level";
                    work.game(statement.span, what);
                }
                _ => {}
            }
        }
    }
}

/// Returns true if the statement makes something that blocks random placement on its square.
fn takes_a_square(statement: &Statement) -> bool {
    matches!(
        statement.kind,
        StatementKind::Stair { .. }
            | StatementKind::Ladder { .. }
            | StatementKind::Altar { .. }
            | StatementKind::Fountain { .. }
            | StatementKind::Door { .. }
            | StatementKind::Drawbridge { .. }
    )
}

/// Returns true if the statement searches for a place and fails if none is free. In 3.4.3 the contents of a container
/// also get a place for a moment.
fn is_stuck(statement: &Statement, here: Offer) -> bool {
    match bare(statement) {
        StatementKind::Monster(monster) => is_anywhere(&monster.place) && !here.wet,
        StatementKind::Object(object) => {
            object.place().is_none_or(is_anywhere)
                || object.contents.iter().flatten().any(|inner| is_stuck(inner, here))
        }
        StatementKind::Drawbridge { .. } | StatementKind::MazeWalk { .. } => {
            has_expression(statement, is_anywhere) && !here.wet
        }
        StatementKind::Trap { .. }
        | StatementKind::Door { .. }
        | StatementKind::Gold { .. }
        | StatementKind::Engraving { .. }
        | StatementKind::Stair { .. }
        | StatementKind::Ladder { .. }
        | StatementKind::Altar { .. }
        | StatementKind::Fountain { .. } => has_expression(statement, is_anywhere),
        _ => false,
    }
}
