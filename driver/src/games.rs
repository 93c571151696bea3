//! The languages of des-files, and which game is meant by each.

use splc_ir::abi::{self, Abi};

pub use splc_ir::catalog::dialect::{ALL as DIALECTS, Dialect, MessageForm, PlaceForm, TotalForm};

/// The ABI that is meant when nothing else is said.
pub const DEFAULT_ABI: &Abi = &abi::ALL[0];

#[cfg(test)]
mod tests {
    use splc_ir::catalog;

    use super::*;

    #[test]
    fn every_catalog_has_a_dialect_and_every_dialect_a_catalog() {
        for catalog in catalog::ALL {
            assert!(Dialect::of(catalog).is_some(), "{}", catalog.name);
            assert!(catalog.header(DEFAULT_ABI.name).is_some(), "{}", catalog.name);
        }
        for dialect in DIALECTS {
            assert_eq!(dialect.default_target().unwrap().dialect, dialect.name);
        }
    }
}
