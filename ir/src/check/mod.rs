//! Judging a module against a game: names, places, limits.
//!
//! [`check`] is the one entry: it judges the order of statements where the game has one, [resolves](crate::resolve)
//! what the module means in itself, and then asks of every node whether the game knows it and has room for it.
//! Nobody checks again: neither lowering nor back ends. It takes any module for any target, however the module came
//! about; a node without a place is judged like any other.
//!
//! What both families of games judge alike is here once, as methods of `Judge`, one file for each subject:
//! `names`, `places`, `maps`, `rooms`, `things`; `survey` looks at levels as a whole. Numbers and names come from the catalog, and where the
//! families differ on purpose a [`Feature`](crate::catalog::Feature) of the catalog says so. What is left is of one
//! family alone: `script` for games that run opcodes, `order` and [`parts`](crate::parts) for NetHack 3.4.3.
//!
//! The rules are those of `util/lev_comp.y` and `lev_main.c` of UnNetHack 6.0.4 and its relatives, and of NetHack
//! 3.4.3, which refuse or warn at the same points.

pub(crate) mod judge;
mod maps;
pub(crate) mod meant;
mod names;
mod order;
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

/// [Resolves](crate::resolve) `module` and judges all of it against the game of `catalog`.
pub fn check(module: &mut Module, catalog: &Catalog, diagnostics: &mut Diagnostics) {
    if catalog.format == Format::Parts {
        order::check(module, diagnostics);
    }
    resolve(module, catalog, diagnostics);
    let mut judge = Judge { catalog, charset: module.charset, diagnostics };
    judge.level_names(module);
    match catalog.format {
        Format::Opcodes | Format::Lua => script::check(module, judge),
        Format::Parts => crate::parts::check(module, judge),
    }
    if !diagnostics.has_errors() {
        survey::check(module, &mut Judge { catalog, charset: module.charset, diagnostics });
    }
}
