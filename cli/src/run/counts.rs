//! `splc run --stats`: gathers statistics of many runs on all cores, and prints them.

use std::fmt::Write as _;
use std::num::NonZeroUsize;
use std::ops::RangeInclusive;

use anstyle::{Ansi256Color, Style};
use splc_ir::catalog::Catalog;
use splc_ir::wording::visible;
use splc_picture::terrain_look;
use splc_statistics::{Kind, Statistics};
use splc_vm::internals::index;
use splc_vm::{COLUMNS, Prepared, ROWS, Settings};

use crate::{interrupt, progress, threads};

use super::show::{style, styled_row};

/// Runs the level for all seeds on `threads` threads, or one for each core, and gathers statistics. After a Ctrl-C they
/// cover the runs finished by then.
pub fn gather(
    program: &Prepared,
    settings: &Settings,
    seeds: RangeInclusive<u64>,
    threads: Option<NonZeroUsize>,
    name: &str,
) -> Statistics {
    interrupt::listen();
    let total = (seeds.end() - seeds.start()).saturating_add(1);
    let threads = threads::count(threads, total);
    progress::watched(total, name, |progress| splc_statistics::gather(program, settings, seeds, threads, progress))
}

/// Formats a share of levels.
fn percent(part: u64, whole: u64) -> String {
    match (part, whole) {
        (_, 0) => "-".to_owned(),
        (part, whole) if part == whole => "100 %".to_owned(),
        _ => format!("{:.1} %", 100.0 * part as f64 / whole as f64),
    }
}

/// Returns the background colour for a heat from 0 to 9.
fn heat(tenths: u32) -> Style {
    // From blue through green and yellow to red, in the 256-colour cube of terminals.
    const RAMP: [u8; 10] = [17, 18, 24, 30, 28, 64, 100, 136, 166, 160];
    let color = RAMP[(tenths as usize).min(RAMP.len() - 1)];
    Style::new().fg_color(Some(Ansi256Color(231).into())).bg_color(Some(Ansi256Color(color).into()))
}

/// Formats all statistics as text and maps. `place` returns the source place of the step with a number.
pub fn text(title: &str, statistics: &Statistics, catalog: &Catalog, place: impl Fn(usize) -> String) -> String {
    let mut text = String::new();
    let bold = Style::new().bold();
    let _ = writeln!(text, "{bold}{}{bold:#}", visible(title));
    let levels = statistics.levels();
    let failed: u64 = statistics.faults().map(|(_, count, _)| count).sum();
    if failed > 0 {
        let _ = writeln!(text, "{} of the levels fail to load", percent(failed, levels + failed));
    }
    let Some((fewest, most, average)) = statistics.draws() else { return text };
    let _ = writeln!(text, "{levels} levels, {fewest} to {most} draws each, {average:.1} on average");
    terrain(&mut text, statistics, catalog);
    for kind in Kind::ALL {
        places(&mut text, statistics, catalog, kind);
    }
    things(&mut text, statistics, catalog);
    rooms(&mut text, statistics, &place);
    let mut heading = true;
    for (words, at, count, in_levels) in statistics.complaints() {
        if std::mem::take(&mut heading) {
            let _ = writeln!(text, "\n{bold}messages of the loader{bold:#}");
        }
        let share = percent(in_levels, levels);
        let _ = writeln!(text, "  {}: {words} ({count} times, in {share} of the levels)", place(at));
    }
    text
}

/// Appends the most common terrain, and a map of how often squares differ from it.
fn terrain(text: &mut String, statistics: &Statistics, catalog: &Catalog) {
    let bold = Style::new().bold();
    let levels = statistics.levels();
    let others = |x, y| levels - u64::from(statistics.most_common(x, y).1);
    let squares = (1..COLUMNS).flat_map(|x| (0..ROWS).map(move |y| (x, y)));
    let varying = squares.filter(|&(x, y)| others(x, y) > 0).count();
    let _ = writeln!(text, "\n{bold}most common terrain of each square{bold:#}");
    for y in 0..ROWS {
        let look = |x| {
            let (terrain, _) = statistics.most_common(x, y);
            let (symbol, color) = terrain_look(terrain, catalog);
            let tenths = (others(x, y) * 10).div_ceil(levels.max(1)) as u32;
            (symbol, if tenths == 0 { style(color) } else { heat(tenths - 1) })
        };
        styled_row(text, (1..COLUMNS).map(look));
    }
    if varying == 0 {
        let _ = writeln!(text, "Every square is the same in all levels.");
        return;
    }
    let _ = writeln!(
        text,
        "\n{bold}how often the terrain differs from it{bold:#}: {varying} squares vary;\n. below 5 %, 1 about 10 %, 9 about 90 %"
    );
    for y in 0..ROWS {
        let look = |x| {
            let others = others(x, y);
            // Rounded to tenths.
            let tenths = ((others * 20 + levels) / (2 * levels.max(1))) as u32;
            match (others, tenths) {
                (0, _) => (' ', Style::new()),
                (_, 0) => ('.', heat(0)),
                _ => (char::from_digit(tenths.min(9), 10).unwrap_or('9'), heat(tenths)),
            }
        };
        styled_row(text, (1..COLUMNS).map(look));
    }
}

/// Appends a map of the places of things of one type.
fn places(text: &mut String, statistics: &Statistics, catalog: &Catalog, kind: Kind) {
    let bold = Style::new().bold();
    let levels = statistics.levels();
    let counted = statistics.squares_of(kind);
    let at = |x, y| u64::from(counted[index(x, y)]);
    let squares = (1..COLUMNS).flat_map(|x| (0..ROWS).map(move |y| (x, y)));
    let most = squares.map(|(x, y)| at(x, y)).max().unwrap_or(0);
    if most == 0 {
        return;
    }
    let share = most as f64 / levels.max(1) as f64;
    let _ = writeln!(
        text,
        "\n{bold}distribution of {}{bold:#}: 9 is the maximum, {share:.3} per level on one square",
        kind.name()
    );
    for y in 0..ROWS {
        let look = |x| match at(x, y) {
            0 => {
                let (terrain, _) = statistics.most_common(x, y);
                let (symbol, _) = terrain_look(terrain, catalog);
                // Show walls for orientation.
                (if terrain.is_wall() { symbol } else { ' ' }, Style::new().dimmed())
            }
            count => {
                let ninths = (count * 9).div_ceil(most) as u32;
                (char::from_digit(ninths, 10).unwrap_or('9'), heat(ninths))
            }
        };
        styled_row(text, (1..COLUMNS).map(look));
    }
}

/// Appends the number of each thing.
fn things(text: &mut String, statistics: &Statistics, catalog: &Catalog) {
    let bold = Style::new().bold();
    let levels = statistics.levels();
    let mut last = None;
    for (kind, name, tally, _) in statistics.things(catalog) {
        if last != Some(kind) {
            last = Some(kind);
            let heading = format!("{} per level", kind.name());
            let _ = writeln!(text, "\n{bold}{heading:<40}{bold:#}    mean       min   max  in levels");
        }
        let average = tally.total as f64 / levels.max(1) as f64;
        let least = if tally.levels < levels { 0 } else { tally.fewest };
        let name = visible(&name).into_owned();
        let share = percent(tally.levels, levels);
        let _ = writeln!(text, "  {name:<38} {average:>7.3}   {least:>7}  {:>4}  {share:>9}", tally.most);
    }
}

/// Appends the number of rooms, and the rooms that fail.
fn rooms(text: &mut String, statistics: &Statistics, place: &impl Fn(usize) -> String) {
    let bold = Style::new().bold();
    let levels = statistics.levels();
    if statistics.rooms().keys().any(|&count| count > 0) {
        let _ = writeln!(text, "\n{bold}number of rooms and subrooms{bold:#}");
        for (count, &in_levels) in statistics.rooms() {
            let _ = writeln!(text, "  {count:>3} in {:>7} of the levels", percent(in_levels, levels));
        }
    }
    let tried: Vec<(usize, u64, u64)> = statistics.room_statements().collect();
    if tried.is_empty() {
        return;
    }
    let _ = writeln!(text, "\n{bold}how often a room finds no place{bold:#}");
    let failing = tried.iter().filter(|(_, _, failed)| *failed > 0);
    if failing.clone().count() == 0 {
        let _ = writeln!(text, "  never");
    }
    for &(at, tried, failed) in failing {
        let _ = writeln!(text, "  {}: {failed} of {tried} times, {}", place(at), percent(failed, tried));
    }
}
