//! Judging a level against a game (placeholder, filled in next).

use crate::catalog::Catalog;
use crate::diagnostic::Diagnostics;
use crate::level::Module;

/// STAND-IN: finds nothing.
pub fn check(_module: &Module, _catalog: &'static Catalog, _diagnostics: &mut Diagnostics) {}
