//! The dialects of des-files and their default games.

use splc_ir::abi::{self, Abi};
use splc_ir::catalog::Catalog;

pub use splc_ir::catalog::dialect::{ALL as DIALECTS, Dialect, MessageForm, PlaceForm, TotalForm, all as dialects};

/// The default ABI.
pub const DEFAULT_ABI: &Abi = &abi::ALL[0];

/// Returns the default machine for the game of `catalog`: the default ABI if its version header is known there,
/// otherwise the first with a known header.
pub fn usual_abi(catalog: &Catalog) -> &'static Abi {
    abi::ALL.iter().find(|abi| catalog.header(abi.name).is_some()).unwrap_or(DEFAULT_ABI)
}

#[cfg(test)]
mod tests {
    use splc_ir::catalog;

    use super::*;

    #[test]
    fn every_catalog_has_a_dialect_and_every_dialect_a_catalog() {
        for catalog in catalog::ALL {
            assert!(Dialect::of(catalog).is_some(), "{}", catalog.name);
            assert_eq!(
                catalog.header(usual_abi(catalog).name).is_some(),
                catalog.has_level_files(),
                "{}",
                catalog.name
            );
        }
        for dialect in DIALECTS {
            assert_eq!(dialect.default_target().unwrap().dialect, dialect.name);
            assert_eq!(usual_abi(dialect.default_target().unwrap()), DEFAULT_ABI);
        }
    }
}
