//! Opcodes back to a level.
use super::*;
use crate::program::Program;

pub(super) fn raise(_program: &Program, _catalog: &Catalog, _abi: &Abi) -> Result<Raised, RaiseError> {
    Err(RaiseError::new(Span::NOWHERE, "lists of opcodes are not read back yet"))
}

/// Says where `again` differs from the `file`.
pub(super) fn same(_file: &Program, _again: &Program, _catalog: &Catalog, _abi: &Abi) -> Result<(), RaiseError> {
    Err(RaiseError::new(Span::NOWHERE, "lists of opcodes are not read back yet"))
}
