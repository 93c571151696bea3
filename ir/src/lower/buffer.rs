//! Code that is being written: that of a level or of a function, with the functions that are copied into it.
//!
//! The compilers copy a function to its first call. In a chain of functions, each contains all the code of the ones
//! before it, so the copies are only noted here, and made when the code of a level is complete.

use crate::program::Op;

/// The code of a level or of a function.
#[derive(Debug, Default)]
pub(super) struct Buffer {
    /// Its own opcodes.
    own: Vec<Op>,
    /// The functions that are copied into it, in order.
    copies: Vec<Copied>,
    /// Number of its BREAKs with an unknown target.
    pub pending: usize,
}

/// The code of another buffer, copied between two own opcodes.
#[derive(Clone, Copy, Debug)]
struct Copied {
    /// Index of the buffer.
    buffer: usize,
    /// Number of own opcodes before it.
    after: usize,
    /// Position of its end in the code.
    end: usize,
}

impl Buffer {
    /// Returns the number of opcodes, with the copies.
    pub fn len(&self) -> usize {
        self.copies.last().map_or(self.own.len(), |last| last.end + self.own.len() - last.after)
    }

    /// Appends an opcode.
    pub fn push(&mut self, op: Op) {
        self.own.push(op);
    }

    /// Appends a copy of the buffer with index `buffer`, which has `length` opcodes and does not change any more.
    pub fn copy(&mut self, buffer: usize, length: usize) {
        let (after, end) = (self.own.len(), self.len() + length);
        self.copies.push(Copied { buffer, after, end });
    }

    /// Returns the own opcode at `position`, if there is one.
    pub fn at(&mut self, position: usize) -> Option<&mut Op> {
        let before = self.copies.partition_point(|copy| copy.end <= position);
        let index = match before.checked_sub(1).map(|last| self.copies[last]) {
            None => position,
            Some(copy) => position - copy.end + copy.after,
        };
        // Otherwise the position is in a copy.
        let is_own = self.copies.get(before).is_none_or(|next| index < next.after);
        self.own.get_mut(index).filter(|_| is_own)
    }

    /// Removes all code, and keeps the memory.
    pub fn clear(&mut self) {
        self.own.clear();
        self.copies.clear();
        self.pending = 0;
    }

    /// Returns the own opcodes, if nothing is copied into them.
    pub fn plain(&mut self) -> Option<&mut Vec<Op>> {
        self.copies.is_empty().then_some(&mut self.own)
    }
}

/// Returns the code of the buffer with index `of`, with all copies.
pub(super) fn flatten(buffers: &[Buffer], of: usize) -> Vec<Op> {
    let mut code = Vec::with_capacity(buffers[of].len());
    // Unfinished buffers, with the next own opcode and the next copy of each. Chains of functions have any length.
    let mut open = vec![(of, 0, 0)];
    while let Some((index, own, copy)) = open.pop() {
        let buffer = &buffers[index];
        match buffer.copies.get(copy) {
            None => code.extend_from_slice(&buffer.own[own..]),
            Some(copied) => {
                code.extend_from_slice(&buffer.own[own..copied.after]);
                open.push((index, copied.after, copy + 1));
                open.push((copied.buffer, 0, 0));
            }
        }
    }
    code
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::program::{Opcode, Operand};
    use crate::source::Span;

    fn op(number: i32) -> Op {
        Op { code: Opcode::Push, operand: Some(Operand::Offset(number)), span: Span::default() }
    }

    #[test]
    fn copies_are_in_their_places() {
        let mut buffers = [Buffer::default(), Buffer::default(), Buffer::default()];
        buffers[2].push(op(1));
        buffers[1].push(op(2));
        buffers[1].copy(2, 1);
        buffers[1].push(op(3));
        buffers[0].copy(1, 3);
        buffers[0].push(op(4));
        buffers[0].copy(2, 1);
        buffers[0].push(op(5));
        let code = flatten(&buffers, 0);
        assert_eq!(code, [op(2), op(1), op(3), op(4), op(1), op(5)]);
        assert_eq!(buffers[0].len(), code.len());
        let own = [None, None, None, Some(op(4)), None, Some(op(5)), None];
        for (position, op) in own.into_iter().enumerate() {
            assert_eq!(buffers[0].at(position).cloned(), op, "{position}");
        }
    }
}
