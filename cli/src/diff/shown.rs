//! The differences as text, Markdown and HTML.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use splc_ir::wording::{counted, visible};

use super::{Chance, Change, Report};
use crate::run::markup;
use crate::run::sheet::Sheet;

/// Rows of a picture that are shown around a changed one.
const CONTEXT: i32 = 1;

/// Most things and lines of a level that are listed. JSON has all.
const MAX_LISTED: usize = 40;

/// Most squares that are marked. More marks would hide the level.
const MAX_MARKED: usize = 200;

/// Returns the differences for a terminal.
pub fn text(report: &Report) -> String {
    let mut text = format!("{}\n", summary(report));
    for change in &report.levels {
        let _ = writeln!(text, "\n{}", heading(change));
        text.push_str(&statements(change));
        for line in facts(change, report) {
            let _ = writeln!(text, "  {line}");
        }
        text.push_str(&picture(change));
    }
    text
}

/// Returns the differences as Markdown, and the pictures that it shows from `folder`.
pub fn markdown(report: &Report, folder: Option<&Path>) -> (String, Vec<(PathBuf, Vec<u8>)>) {
    // A fence in a level must not end the block.
    let fenced = |kind: &str, text: &str| format!("\n```{kind}\n{}```\n", text.replace("```", "` ` `"));
    let mut text = format!("{}\n", summary(report));
    let mut pictures = Vec::new();
    for (number, change) in report.levels.iter().enumerate() {
        let _ = writeln!(text, "\n### {}\n", heading(change).replace('`', " ").replace('<', "&lt;"));
        for line in facts(change, report) {
            let _ = writeln!(text, "- {}", line.replace('<', "&lt;"));
        }
        if !change.statements.is_empty() {
            text.push_str(&fenced("diff", &statements(change)));
        }
        match (folder, svg(change)) {
            (Some(folder), Some(svg)) => {
                let name: String = change.level.chars().filter(|it| it.is_ascii_alphanumeric() || *it == '-').collect();
                let path = folder.join(format!("{}-{name}.svg", number + 1));
                let _ = writeln!(text, "\n![{name}, changed squares marked]({})", path.display());
                pictures.push((path, svg.into_bytes()));
            }
            _ if !change.squares.is_empty() => text.push_str(&fenced("text", &picture(change))),
            _ => {}
        }
    }
    (text, pictures)
}

/// Returns the differences as an HTML page with the pictures in it.
pub fn html(report: &Report) -> String {
    let escaped = |text: &str| visible(text).replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
    let mut text = format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<title>splc diff</title>\n<style>\n\
         body {{ font: 16px/1.4 sans-serif; margin: 2em; }}\npre {{ background: #f4f4f4; padding: .5em; }}\n\
         ins {{ background: #d6f5d6; text-decoration: none; }}\ndel {{ background: #f8d7d7; text-decoration: none; }}\n\
         svg {{ max-width: 100%; height: auto; }}\n</style>\n</head>\n<body>\n<p>{}</p>\n",
        escaped(&summary(report))
    );
    for change in &report.levels {
        let _ = writeln!(text, "<h2>{}</h2>\n<ul>", escaped(&heading(change)));
        for line in facts(change, report) {
            let _ = writeln!(text, "<li>{}</li>", escaped(&line));
        }
        text.push_str("</ul>\n");
        if !change.statements.is_empty() {
            text.push_str("<pre>");
            for line in &change.statements {
                let _ = match line.sign {
                    '+' => writeln!(text, "<ins>+ {}</ins>", escaped(&line.text)),
                    '-' => writeln!(text, "<del>- {}</del>", escaped(&line.text)),
                    _ => writeln!(text, "  {}", escaped(&line.text)),
                };
            }
            text.push_str("</pre>\n");
        }
        text.push_str(&svg(change).unwrap_or_default());
    }
    text.push_str("</body>\n</html>\n");
    text
}

fn summary(report: &Report) -> String {
    let count = |kind: &str| report.levels.iter().filter(|change| change.change == kind).count();
    let words = [("added", "added"), ("removed", "removed"), ("changed", "changed"), ("rewritten", "rewritten")];
    let parts: Vec<String> = words
        .iter()
        .map(|(kind, words)| (count(kind), words))
        .filter(|(count, _)| *count > 0)
        .enumerate()
        .map(|(at, (count, words))| match at {
            0 => format!("{} {words}", counted(count, "level")),
            _ => format!("{count} {words}"),
        })
        .collect();
    let [before, after] = report.sides.each_ref().map(|side| visible(side).into_owned());
    match parts.is_empty() {
        true => format!("{before}, {after}: no level differs"),
        false => format!("{before}, {after}: {}", parts.join(", ")),
    }
}

fn heading(change: &Change) -> String {
    format!("{} ({}): {}", visible(&change.level), visible(&change.file), change.change)
}

/// Returns the differences that are not in the source.
fn facts(change: &Change, report: &Report) -> Vec<String> {
    let mut lines: Vec<String> = change.verdict.iter().map(|verdict| visible(verdict).into_owned()).collect();
    let chance = |chance: &Chance| {
        let Chance { what, before, after, of } = chance;
        let percent = |count: u64| 100.0 * count as f64 / (*of).max(1) as f64;
        let word = if after > before { "more likely" } else { "less likely" };
        format!(
            "{word}: {}, in {:.1} % of the levels, before {:.1} %",
            visible(what),
            percent(*after),
            percent(*before)
        )
    };
    lines.extend(change.chances.iter().take(MAX_LISTED).map(chance));
    if change.chances.len() > MAX_LISTED {
        lines.push(format!("and {}", counted(change.chances.len() - MAX_LISTED, "more thing")));
    }
    if !change.chances.is_empty() {
        let error = report.error_probability;
        lines.push(format!("from {} levels of each, with an error probability below {error:e}", report.seeds));
    }
    lines.extend(change.came.iter().map(|finding| format!("new finding: {}", visible(finding))));
    lines.extend(change.went.iter().map(|finding| format!("no longer found: {}", visible(finding))));
    lines
}

fn statements(change: &Change) -> String {
    let mut text = String::new();
    for line in change.statements.iter().take(MAX_LISTED) {
        let _ = writeln!(text, "{} {}", line.sign, visible(&line.text));
    }
    if change.statements.len() > MAX_LISTED {
        let _ = writeln!(text, "  and {}", counted(change.statements.len() - MAX_LISTED, "more line"));
    }
    text
}

/// Returns the rows of both pictures around changed squares, with marks below the changed squares.
fn picture(change: &Change) -> String {
    let mut text = String::new();
    if change.squares.is_empty() {
        return text;
    }
    let is_near = |row: i32| change.squares.iter().any(|[_, y]| (y - row).abs() <= CONTEXT);
    let (seed, count) = (change.seed, change.squares.len());
    let are_marked = count <= MAX_MARKED;
    let after = match are_marked {
        true => format!("after, on seed {seed}; ^ marks squares that differ over all seeds:"),
        false => format!("after, on seed {seed}; {count} squares differ over all seeds:"),
    };
    for (side, title) in [format!("before, on seed {seed}:"), after].into_iter().enumerate() {
        let _ = writeln!(text, "{title}");
        for (row, line) in (0..).zip(&change.pictures[side]) {
            if !is_near(row) {
                continue;
            }
            let _ = writeln!(text, "{}", visible(line).trim_end());
            let marks: Vec<i32> = change.squares.iter().filter(|[_, y]| *y == row).map(|[x, _]| *x).collect();
            if let (1, true, Some(last)) = (side, are_marked, marks.iter().max()) {
                let line: String = (1..=*last).map(|x| if marks.contains(&x) { '^' } else { ' ' }).collect();
                let _ = writeln!(text, "{line}");
            }
        }
    }
    text
}

/// Returns both pictures in colour, with the changed squares marked.
fn svg(change: &Change) -> Option<String> {
    if change.squares.is_empty() {
        return None;
    }
    let mut sheet = Sheet::new();
    for (picture, word) in change.drawn.iter().zip(["before", "after"]) {
        let Some(picture) = picture else { continue };
        let is_marked = |x: i32, y: i32| change.squares.contains(&[x, y]);
        sheet.marked(&format!("{} {word}, on seed {}", visible(&change.level), change.seed), picture, &is_marked);
    }
    (!sheet.is_empty()).then(|| markup::svg(&sheet))
}
