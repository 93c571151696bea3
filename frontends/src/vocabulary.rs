//! The statements and words of the des-file languages, for programs that help to write them.
//!
//! The tables are those of the messages about syntax errors.

use splc_ir::catalog::Catalog;

use crate::teach::usage;
use crate::teach::words::Want;

/// Returns the statements of the language of `catalog`, in alphabetical order.
pub fn statements(catalog: &Catalog) -> impl Iterator<Item = &'static str> {
    usage::words(catalog)
}

/// Returns the syntax of the statement `word` in one line, e.g. `TRAP: "name"|random, place`. Operands are separated by
/// commas, and alternatives within one by bars. `None` if the language does not have the statement.
pub fn syntax(word: &str, catalog: &Catalog) -> Option<&'static str> {
    usage::usage(word, catalog)
}

/// Returns the keywords that begin a detail of a monster.
pub fn monster_details(catalog: &Catalog) -> Vec<&str> {
    Want::MonsterDetail.words(catalog)
}

/// Returns the keywords that begin a detail of an object.
pub fn object_details(catalog: &Catalog) -> Vec<&str> {
    Want::ObjectDetail.words(catalog)
}

/// Returns the keywords that make a selection.
pub fn selections(catalog: &Catalog) -> Vec<&str> {
    Want::SelectionWord.words(catalog)
}

/// Returns the styles of INIT_MAP.
pub fn init_styles(catalog: &Catalog) -> Vec<&str> {
    Want::InitStyle.words(catalog)
}
