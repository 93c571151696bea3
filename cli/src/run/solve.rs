//! `splc run --solve`: a solution of a puzzle of boulders.

use std::fmt::Write;

use splc_puzzle::{Answer, Puzzle};
use splc_vm::Level;
use splc_vm::internals::Game;

use crate::outcome::Outcome;

/// Maximum positions of a search.
const MAX_POSITIONS: usize = 100_000;

/// Returns a description of the solution, with the outcome: fine for a solution.
pub fn text(level: &Level, game: &Game) -> (String, Outcome) {
    let Some(puzzle) = Puzzle::of(level, game) else {
        let words = "No puzzle: the level needs boulders, a way from its start to its goal, and pits or holes on it.\n";
        return (words.to_owned(), Outcome::InputErrors);
    };
    let moves = match puzzle.solve(MAX_POSITIONS) {
        Answer::Solved(moves) => moves,
        Answer::Unsolvable => return ("The puzzle has no solution.\n".to_owned(), Outcome::InputErrors),
        Answer::Undecided => {
            return ("No solution was found, but there may be one.\n".to_owned(), Outcome::NotDecided);
        }
    };
    let pushes: usize = moves.iter().map(|each| each.pushes).sum();
    let steps: usize = moves.iter().map(|each| each.keys.len()).sum();
    let mut text = format!("A solution with {steps} steps, {pushes} of them pushes, boulder by boulder:\n");
    for each in &moves {
        let place = |(x, y): (i32, i32)| format!("({x},{y})");
        let end = if each.fills { ", filled" } else { "" };
        let ends = format!("{} to {}{end}", place(each.from), place(each.to));
        // Writing to a string cannot fail.
        let _ = writeln!(text, "  {ends:<26} {}", each.keys);
    }
    (text, Outcome::Fine)
}
