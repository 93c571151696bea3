//! Rooms: their positions and doors.

use super::judge::Judge;
use crate::catalog::Feature;
use crate::diagnostic::{Code, Diagnostic};
use crate::level::*;
use crate::source::Spanned;

impl Judge<'_> {
    /// Checks a cell of the grid on which rooms are placed.
    pub(crate) fn room_position(&mut self, position: Spanned<(i32, i32)>) {
        let (columns, rows) = (self.catalog.limits.room_columns, self.catalog.limits.room_rows);
        let (x, y) = position.node;
        let least = if self.catalog.has(Feature::RoomsInSquares) { 0 } else { 1 };
        if !(least..=columns).contains(&x) || !(least..=rows).contains(&y) {
            let message = format!("({x},{y}) is not a valid room position");
            self.push(
                Diagnostic::new(Code::RoomDetail, position.span, message)
                    .with_help(format!("use a grid position from ({least},{least}) to ({columns},{rows})")),
            );
        }
    }

    /// Checks the size of a room. With its walls, a room lies within the level (`create_room`).
    pub(crate) fn room_size(&mut self, size: &OrRandom<(Spanned<i32>, Spanned<i32>)>) {
        let OrRandom::Is((width, height)) = size else { return };
        let limits = &self.catalog.limits;
        let (columns, rows) = (limits.columns - 3, limits.rows - 2);
        let (right, down) = (width.node, height.node);
        let is_turned = (rows + 1..=columns).contains(&down) && (1..=rows).contains(&right);
        for (what, size, most) in [("wide", width, columns), ("high", height, rows)] {
            let number = size.node;
            let (message, help) = match number {
                0 => (format!("a room cannot be 0 {what}"), format!("write 1 to {most}, or random for the whole size")),
                _ if number > most => {
                    let help = match is_turned {
                        true => format!("write ({down},{right}): the width comes first, or at most {most}"),
                        false => format!("write at most {most}"),
                    };
                    (format!("a room {number} {what} does not fit into the level"), help)
                }
                _ => continue,
            };
            self.push(Diagnostic::new(Code::OddNumber, size.span, message).with_help(help));
        }
    }

    /// Checks a room door: a door in a random wall cannot have a fixed position.
    pub(crate) fn door_position(
        &mut self,
        walls: &OrRandom<Vec<Spanned<crate::words::Direction>>>,
        position: &OrRandom<Spanned<i32>>,
        code: Code,
    ) {
        if let (OrRandom::Random, OrRandom::Is(position)) = (walls, position) {
            self.push(
                Diagnostic::new(code, position.span, "a door in a random wall cannot have a fixed position")
                    .with_help("write random for the position, or name the wall"),
            );
        }
    }
}
