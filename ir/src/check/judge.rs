//! The context shared by all checks.

use crate::catalog::{Catalog, Format};
use crate::diagnostic::{Code, Diagnostic, Diagnostics};
use crate::source::Charset;

/// The context shared by all checks: the game's catalog, the character set and the collected diagnostics.
pub(crate) struct Judge<'a> {
    pub(crate) catalog: &'a Catalog,
    pub(crate) charset: Charset,
    pub(crate) diagnostics: &'a mut Diagnostics,
}

impl Judge<'_> {
    pub(crate) fn push(&mut self, diagnostic: Diagnostic) {
        self.diagnostics.push(diagnostic);
    }

    /// Returns a statement as the levels of the game write it: DOOR of a des-file is `des.door` in a script.
    pub(crate) fn statement(&self, keyword: &str) -> String {
        match self.catalog.format {
            Format::Lua => format!("des.{}", keyword.to_ascii_lowercase()),
            Format::Opcodes | Format::Parts => keyword.to_owned(),
        }
    }

    /// Returns a sentence that suggests the names nearest to `name`, if a diagnostic of `code` would still be shown.
    pub(crate) fn near<'n>(&self, code: Code, name: &str, known: impl IntoIterator<Item = &'n str>) -> Option<String> {
        self.diagnostics.near(code, name, known)
    }
}
