//! Checks of a module against a game: names, places, limits.
//!
//! [`check`] is the only entry point. It checks the order of statements if the game prescribes one,
//! [resolves](crate::resolve) the module, and then checks every node against the names and limits of the game. Lowering
//! and back ends do not check again. Any module can be checked for any target, whatever its origin; nodes without a
//! span are checked like any other.
//!
//! The checks common to both families of games are methods of `Judge`, with one file for each subject: `names`,
//! `places`, `maps`, `rooms`, `things`. `survey` examines whole levels. Numbers and names come from the catalog, and a
//! [`Feature`](crate::catalog::Feature) of the catalog marks each intended difference between the families. The other
//! checks belong to a single family: `script` to games that run opcodes, `order` and [`parts`](crate::parts) to NetHack
//! 3.4.3.
//!
//! The rules are those of `util/lev_comp.y` and `lev_main.c` of UnNetHack 6.0.4 and its relatives, and of NetHack
//! 3.4.3, which report errors and warnings at the same points.

pub(crate) mod judge;
mod maps;
pub mod meant;
mod names;
mod order;
mod parts;
mod places;
mod rooms;
mod script;
mod survey;
mod things;

pub use names::{LevelNameError, level_name};

use crate::catalog::{Catalog, Format};
use crate::diagnostic::Diagnostics;
use crate::level::Module;
use crate::resolve::resolve;
use judge::Judge;

/// [Resolves](crate::resolve) `module` and checks all of it against the game of `catalog`.
pub fn check(module: &mut Module, catalog: &Catalog, diagnostics: &mut Diagnostics) {
    if catalog.format == Format::Parts {
        order::check(module, diagnostics);
    }
    resolve(module, catalog, diagnostics);
    let mut judge = Judge { catalog, charset: module.charset, diagnostics };
    judge.level_names(module);
    judge.portals(module);
    match catalog.format {
        Format::Opcodes | Format::Lua => script::check(module, judge),
        Format::Parts => parts::check(module, judge),
    }
    survey::check(module, &mut Judge { catalog, charset: module.charset, diagnostics });
}
