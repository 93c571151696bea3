//! How a C compiler lays out a structure: every field at a multiple of its alignment, the whole filled up to a
//! multiple of the greatest one.
//!
//! [`Structure::FIELDS`](super::Structure::FIELDS) says what the fields are. Texts follow the structure that has
//! their lengths, one after the other.

use super::FieldKind;
use crate::abi::{Abi, INT};

impl FieldKind {
    /// Its size in bytes on a machine of `abi`.
    pub fn size(self, abi: &Abi) -> usize {
        match self {
            FieldKind::Char => 1,
            FieldKind::Short => 2,
            FieldKind::Int => INT,
            FieldKind::TextLength => abi.pointer,
        }
    }
}

/// Puts the fields of a structure one behind the other.
#[derive(Clone, Debug)]
pub struct Layout<'a> {
    abi: &'a Abi,
    end: usize,
    alignment: usize,
}

impl<'a> Layout<'a> {
    /// A structure without fields.
    pub fn new(abi: &'a Abi) -> Self {
        Layout { abi, end: 0, alignment: 1 }
    }

    /// The offset in bytes of the next field, which is of this kind.
    pub fn field(&mut self, kind: FieldKind) -> usize {
        let size = kind.size(self.abi);
        let alignment = size.min(self.abi.alignment);
        self.alignment = self.alignment.max(alignment);
        let start = self.end.next_multiple_of(alignment);
        self.end = start + size;
        start
    }

    /// The size of the structure in bytes, if it has no more fields.
    pub fn size(&self) -> usize {
        self.end.next_multiple_of(self.alignment)
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Feature, Gold, Monster, Object, Structure};
    use super::*;

    fn size<S: Structure>(abi: &str) -> usize {
        let mut layout = Layout::new(Abi::by_name(abi).unwrap());
        for &(_, kind) in S::FIELDS {
            layout.field(kind);
        }
        layout.size()
    }

    /// The sizes that the games' compilers have (`sizeof`).
    #[test]
    fn structures_are_as_large_as_in_c() {
        for (abi, monster, object, gold) in
            [("lp64le", 32, 24, 8), ("ilp32le", 20, 20, 8), ("lp64be", 32, 24, 8), ("m68k", 18, 18, 6)]
        {
            let sizes = (size::<Monster>(abi), size::<Object>(abi), size::<Gold>(abi), size::<Feature>(abi));
            assert_eq!(sizes, (monster, object, gold, 2), "{abi}");
        }
    }
}
