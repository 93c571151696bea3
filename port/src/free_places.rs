//! Parts of NetHack 3.4.3 with no square on which a thing could be put: its loader gives up where it looks for one, and
//! those of scripts do not.

use splc_ir::catalog::Catalog;
use splc_ir::level::*;
use splc_ir::visit::has_expression;

use crate::account::Effect;
use crate::richer::{bare, is_anywhere, levels};
use crate::work::Work;

/// What the squares of a part have to offer.
#[derive(Clone, Copy, Default)]
struct Offer {
    /// On how many most things can be; [`PLENTY`] if nobody knows.
    dry: usize,
    /// Whether there is water or lava, for what swims.
    wet: bool,
}

/// As many squares as nobody fills.
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

    /// The same on a whole level.
    fn everywhere(self) -> Offer {
        Offer { dry: if self.dry > 0 { PLENTY } else { 0 }, wet: self.wet }
    }

    fn and(self, other: Offer) -> Offer {
        Offer { dry: (self.dry + other.dry).min(PLENTY), wet: self.wet || other.wet }
    }
}

/// Tells of what looks for a place where there is none, in levels that are lists.
pub(crate) fn tell(work: &mut Work<'_>, catalog: &Catalog, module: &mut Module, effect: Effect) {
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
                    let what = "no square of its part is free for it: NetHack 3.4.3 gives up on the level";
                    work.note(statement.span, effect, what);
                }
                _ if here.dry <= furniture - usize::from(takes_a_square(statement)) => {
                    let what =
                        "if stairs and the like leave it no square of its part, NetHack 3.4.3 gives up on the level";
                    work.game(statement.span, what);
                }
                _ => {}
            }
        }
    }
}

/// Whether the statement makes something on which nothing can be put at random.
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

/// Whether what the statement makes looks for a place and finds none, if none is free. What is in a container has a place of its own in 3.4.3, for a while.
fn is_stuck(statement: &Statement, here: Offer) -> bool {
    match bare(statement) {
        StatementKind::Monster(monster) => is_anywhere(&monster.place) && !here.wet,
        StatementKind::Object(object) => {
            object.place().is_none_or(is_anywhere)
                || object.contents.iter().flatten().any(|inner| is_stuck(inner, here))
        }
        StatementKind::Trap { .. }
        | StatementKind::Gold { .. }
        | StatementKind::Engraving { .. }
        | StatementKind::Stair { .. }
        | StatementKind::Ladder { .. }
        | StatementKind::Altar { .. }
        | StatementKind::Fountain { .. } => has_expression(statement, is_anywhere),
        _ => false,
    }
}
