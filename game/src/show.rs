//! The dungeon as a tree, as text and as a picture (SVG).
//!
//! Each dungeon appears below the branch that leads to it, with its special levels and branches from the top down,
//! their possible depths and probabilities.

use std::fmt::Write as _;

use splc_ir::dungeon::{Branch, Connection, Description, Direction, Dungeon, Item};
use splc_ir::order::Order;

use crate::depths::{Distribution, DungeonDepths};

/// A line of the tree.
struct Line {
    /// Its depth in the tree.
    indent: usize,
    kind: Kind,
    text: String,
    /// Further information: variants, the probability that it exists.
    note: String,
    /// Its depths. Those of a dungeon are the depths of its top level.
    depths: Distribution,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Dungeon,
    Level,
    Branch,
}

/// Renders `description`, whose dungeons are at `depths`, as text.
pub fn text(description: &Description, depths: &[DungeonDepths]) -> String {
    let mut out = String::new();
    for line in lines(description, depths) {
        if line.kind == Kind::Dungeon && line.indent == 0 && !out.is_empty() {
            out.push('\n');
        }
        let label = format!("{:indent$}{}", "", line.text, indent = 2 * line.indent);
        let note = if line.note.is_empty() { String::new() } else { format!("  ({})", line.note) };
        let _ = writeln!(out, "{label:<40} {}{note}", shown(&line.depths));
    }
    out
}

/// Formats `probability` in percent, with enough digits to distinguish it from 0% and 100%.
pub fn percent(probability: f64) -> String {
    let percent = probability * 100.0;
    let rounded = percent.round();
    if (percent - rounded).abs() < 1e-9 {
        format!("{rounded}%")
    } else if percent < 0.005 {
        "<0.01%".to_owned()
    } else if percent > 99.995 {
        ">99.99%".to_owned()
    } else {
        let text = format!("{percent:.2}");
        format!("{}%", text.trim_end_matches('0').trim_end_matches('.'))
    }
}

/// Formats depths: `2 33.33%, 3 66.67%`, or just the number if it is certain.
fn shown(depths: &Distribution) -> String {
    match depths.iter().next() {
        Some((depth, &often)) if depths.len() == 1 && often > 1.0 - 1e-9 => depth.to_string(),
        _ => {
            let one = |(depth, &often): (&i32, &f64)| format!("{depth} {}", percent(often));
            depths.iter().map(one).collect::<Vec<_>>().join(", ")
        }
    }
}

/// Returns the mean of `depths`.
fn mean(depths: &Distribution) -> f64 {
    let all: f64 = depths.values().sum();
    let sum: f64 = depths.iter().map(|(&depth, &often)| f64::from(depth) * often).sum();
    if all > 0.0 { sum / all } else { 0.0 }
}

fn lines(description: &Description, depths: &[DungeonDepths]) -> Vec<Line> {
    let mut lines = Vec::new();
    let mut done = vec![false; description.dungeons.len()];
    for number in 0..description.dungeons.len() {
        // The first dungeon, and any without a branch leading to it.
        if depths[number].branch.is_none() {
            dungeon(description, depths, number, 0, &mut done, &mut lines);
        }
    }
    lines
}

fn dungeon(
    description: &Description,
    depths: &[DungeonDepths],
    number: usize,
    indent: usize,
    done: &mut [bool],
    lines: &mut Vec<Line>,
) {
    if std::mem::replace(&mut done[number], true) {
        return;
    }
    let (described, placed) = (&description.dungeons[number], &depths[number]);
    let mut note = vec![match sizes(&placed.size).as_str() {
        "1" => "1 level".to_owned(),
        several => format!("{several} levels"),
    }];
    if placed.presence < 1.0 {
        note.push(format!("in {} of games", percent(placed.presence)));
    }
    lines.push(Line {
        indent,
        kind: Kind::Dungeon,
        text: described.name.node.to_string(),
        note: note.join(", "),
        depths: placed.top.clone(),
    });
    // Levels and branches, from the top down.
    let mut parts: Vec<(f64, Part)> = Vec::new();
    let (mut level_number, mut branch_number) = (0, 0);
    for item in &described.items {
        match item {
            Item::Level(_) => {
                parts.push((mean(&placed.levels[level_number].depth), Part::Level(level_number)));
                level_number += 1;
            }
            Item::Branch(branch) => {
                let leads = target(description, depths, number, branch_number, branch);
                let at =
                    leads.and_then(|child| depths[child].branch.as_ref()).map_or(f64::MAX, |found| mean(&found.depth));
                parts.push((at, Part::Branch(branch_number, leads)));
                branch_number += 1;
            }
        }
    }
    parts.order_by(|(left, _), (right, _)| left.total_cmp(right));
    for (_, part) in parts {
        match part {
            Part::Level(at) => lines.push(level_line(described, placed, at, indent + 1)),
            Part::Branch(at, leads) => {
                let Some(branch) = described.branches().nth(at) else { continue };
                let from = leads.and_then(|child| depths[child].branch.as_ref());
                lines.push(Line {
                    indent: indent + 1,
                    kind: Kind::Branch,
                    text: branch_text(branch),
                    note: if leads.is_none() { "leads nowhere".to_owned() } else { String::new() },
                    depths: from.map(|found| found.depth.clone()).unwrap_or_default(),
                });
                if let Some(child) = leads {
                    dungeon(description, depths, child, indent + 2, done, lines);
                }
            }
        }
    }
}

enum Part {
    Level(usize),
    Branch(usize, Option<usize>),
}

/// Returns the index of the dungeon entered through a branch.
fn target(
    description: &Description,
    depths: &[DungeonDepths],
    parent: usize,
    number: usize,
    branch: &Branch,
) -> Option<usize> {
    (0..description.dungeons.len()).find(|&child| {
        description.dungeons[child].name.node == branch.target.node
            && depths[child].branch.as_ref().is_some_and(|found| (found.parent, found.number) == (parent, number))
    })
}

fn level_line(described: &Dungeon, placed: &DungeonDepths, at: usize, indent: usize) -> Line {
    let level = described.levels().nth(at);
    let depths = &placed.levels[at];
    let mut note = Vec::new();
    if let Some(level) = level.filter(|level| level.variants > 0) {
        note.push(match level.variants {
            1 => "1 variant".to_owned(),
            more => format!("{more} variants"),
        });
    }
    let absent = 1.0 - depths.presence();
    if absent > 1e-9 {
        note.push(format!("absent {}", percent(absent)));
    }
    let text = level.map_or_else(String::new, |level| level.name.node.to_string());
    Line { indent, kind: Kind::Level, text, note: note.join(", "), depths: depths.depth.clone() }
}

fn branch_text(branch: &Branch) -> String {
    let how = match (branch.connection, branch.direction) {
        (Connection::Portal, _) => "portal",
        (Connection::Stair, Direction::Down) => "stairs down",
        (Connection::Stair, Direction::Up) => "stairs up",
        (_, Direction::Down) => "one way down",
        (_, Direction::Up) => "one way up",
    };
    format!("{how} to {}", branch.target.node)
}

fn sizes(size: &Distribution) -> String {
    match (size.keys().next(), size.keys().next_back()) {
        (Some(least), Some(most)) if least != most => format!("{least} to {most}"),
        (Some(one), _) => one.to_string(),
        _ => "no".to_owned(),
    }
}

/// Width of a depth in a picture, height of a line, and horizontal position of the first depth, in pixels.
const COLUMN: f64 = 14.0;
const ROW: f64 = 18.0;
const LEFT: f64 = 340.0;

/// Renders `description`, whose dungeons are at `depths`, as a picture: a row for each level and branch, with a square
/// for each depth, darker for a higher probability.
pub fn svg(description: &Description, depths: &[DungeonDepths]) -> String {
    let lines = lines(description, depths);
    let all = lines.iter().flat_map(|line| line.depths.keys().copied());
    let (least, most) = all.fold((1, 1), |(least, most), depth| (least.min(depth), most.max(depth)));
    let (width, height) = (LEFT + COLUMN * f64::from(most - least + 2), ROW * (lines.len() as f64 + 2.0));
    let mut out = String::new();
    let _ = writeln!(
        out,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" font-family=\"sans-serif\" font-size=\"12\">"
    );
    let _ = writeln!(out, "<rect width=\"100%\" height=\"100%\" fill=\"white\"/>");
    let x = |depth: i32| LEFT + COLUMN * f64::from(depth - least);
    for depth in (least..=most).filter(|depth| depth % 5 == 0 || *depth == 1) {
        let _ = writeln!(
            out,
            "<text x=\"{}\" y=\"14\" text-anchor=\"middle\" fill=\"gray\">{depth}</text>",
            x(depth) + COLUMN / 2.0
        );
    }
    for (row, line) in lines.iter().enumerate() {
        let y = ROW * (row as f64 + 1.0);
        let (weight, color) = match line.kind {
            Kind::Dungeon => ("bold", "black"),
            Kind::Level => ("normal", "black"),
            Kind::Branch => ("normal", "teal"),
        };
        let note = if line.note.is_empty() { String::new() } else { format!(" ({})", line.note) };
        let _ = writeln!(
            out,
            "<text x=\"{}\" y=\"{}\" font-weight=\"{weight}\" fill=\"{color}\">{}</text>",
            8.0 + 14.0 * line.indent as f64,
            y + 13.0,
            escaped(&format!("{}{note}", line.text))
        );
        for (&depth, &often) in &line.depths {
            let fill = if line.kind == Kind::Branch { "teal" } else { "black" };
            let _ = writeln!(
                out,
                "<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" fill=\"{fill}\" fill-opacity=\"{:.4}\"><title>{depth}: {}</title></rect>",
                x(depth),
                y + 2.0,
                COLUMN - 1.0,
                ROW - 4.0,
                often.clamp(0.02, 1.0),
                percent(often)
            );
        }
    }
    out.push_str("</svg>\n");
    out
}

/// Escapes `text` for SVG and drops control characters, which SVG does not allow.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for character in text.chars().filter(|character| !character.is_control()) {
        match character {
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '&' => out.push_str("&amp;"),
            '"' => out.push_str("&quot;"),
            other => out.push(other),
        }
    }
    out
}
