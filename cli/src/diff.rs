//! `splc diff`: how the levels of two files, folders or git revisions differ.
//!
//! [`sides`] finds and reads the files, [`git`] reads revisions, this module compares the levels, and [`shown`]
//! presents the differences. Differences in chance come from separate seeds for each side, so that both are independent
//! samples.

use std::collections::BTreeMap;
use std::path::PathBuf;

use clap::{Args, ValueEnum};
use serde::Serialize;
use similar::{ChangeTag, TextDiff};
use splc_driver::test::{Plan, test};
use splc_driver::{Input, NoIncludes, Options, Runnable, Wanted, format};
use splc_equivalence::{ERROR_PROBABILITY, Evidence, Proof, Ratio, Verdict, is_significant};
use splc_ir::catalog::Catalog;
use splc_ir::diagnostic::{Code, Diagnostic, LintLevels, Severity};
use splc_ir::order::Order;
use splc_picture::{Picture, terrain_name};
use splc_statistics::{Kind, Statistics, gather};
use splc_vm::internals::index;
use splc_vm::{COLUMNS, Machine, Prepared, ROWS, Settings, SplitMix, Terrain};

use crate::options::groups::{Sources, Surroundings};
use crate::outcome::Outcome;
use crate::output::{Destination, print, write_file, write_files};
use crate::progress;
use crate::report::{Ending, Reporter};
use crate::run::settings;
use crate::threads;
use crate::wanted::wanted;
use sides::Content;

pub(crate) mod git;
mod shown;
mod sides;

/// `splc diff`.
#[derive(Debug, Args)]
pub struct Diff {
    /// The inputs.
    #[command(flatten)]
    pub sources: Sources,

    /// Form of the differences
    #[arg(long, value_name = "FORM", value_enum, default_value_t = Form::Text)]
    pub format: Form,

    /// Write to this file, or to standard output (`-`) [default: -]
    #[arg(short, long, value_name = "FILE|-")]
    pub output: Option<PathBuf>,

    /// Folder for the pictures of `--format markdown`, as SVG [default: pictures as text]
    #[arg(long, value_name = "DIR")]
    pub pictures: Option<PathBuf>,

    /// Only the level with this name; can be repeated
    #[arg(long = "level", value_name = "NAME")]
    pub levels: Vec<String>,

    /// Number of levels to run on each side, to find what is more or less likely; 0 compares only the sources
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = clap::value_parser!(u64).range(0..=MAX_SEEDS))]
    pub seeds: u64,

    /// Exit with 1 if there are differences
    #[arg(long)]
    pub exit_code: bool,

    /// The game around the levels.
    #[command(flatten)]
    pub surroundings: Surroundings,
}

/// Forms of the differences.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Form {
    /// Text for a terminal
    Text,
    /// Markdown for a pull request
    Markdown,
    /// An HTML page with pictures
    Html,
    /// One JSON object
    Json,
}

/// Most seeds of each side.
const MAX_SEEDS: u64 = 1_000_000;

/// Seeds of `splc test` for findings that came and went.
const TEST_SEEDS: u64 = 200;

/// Most seeds that are tried for pictures of levels that are not flipped.
const MAX_TRIED: u64 = 100;

/// Value of `schema` in JSON.
const SCHEMA: &str = "splc-diff";

/// Format version of the JSON.
const SCHEMA_VERSION: u32 = 1;

/// The differences between two sides.
#[derive(Debug, Serialize)]
struct Report {
    schema: &'static str,
    version: u32,
    /// The names of the sides.
    sides: [String; 2],
    /// Number of seeds of each side.
    seeds: u64,
    /// Upper bound on the probability that a difference in chance is reported for equal levels.
    error_probability: f64,
    /// Number of levels without any difference in their sources.
    unchanged: usize,
    levels: Vec<Change>,
}

/// A level that differs.
#[derive(Debug, Default, Serialize)]
struct Change {
    level: String,
    /// Its file on the second side, or on the first if it was removed.
    file: String,
    /// `added`, `removed`, `changed`, or `rewritten`: the source differs, and the level is proven the same.
    change: &'static str,
    /// The reason why the level is the same, or the most telling difference.
    verdict: Option<String>,
    /// Lines of the source, formatted and without comments.
    statements: Vec<Line>,
    /// Facts whose probability differs.
    chances: Vec<Chance>,
    /// Squares that differ, as column and row.
    squares: Vec<[i32; 2]>,
    /// The seed of the pictures.
    seed: u64,
    /// The level of each side, as rows of symbols.
    pictures: [Vec<String>; 2],
    /// Findings that only the second side has.
    came: Vec<String>,
    /// Findings that only the first side has.
    went: Vec<String>,
    /// The pictures in colour.
    #[serde(skip)]
    drawn: [Option<Picture>; 2],
}

/// A line that was added or removed, or is next to one.
#[derive(Debug, Serialize)]
struct Line {
    /// `+`, `-` or a blank.
    sign: char,
    text: String,
}

/// The number of levels that contain a thing.
#[derive(Debug, Serialize)]
struct Chance {
    what: String,
    before: u64,
    after: u64,
    of: u64,
}

/// Compares the two sides that the options name.
pub fn run(arguments: &Diff, lints: LintLevels) -> Outcome {
    Reporter::run(arguments.sources.message_format, arguments.sources.color, Ending::Checking, |reporter| {
        let Some(report) = report(arguments, lints, reporter)? else { return Ok(Outcome::InputErrors) };
        let differs = report.levels.iter().any(|change| change.change != "rewritten");
        let outcome = write(arguments, &report)?;
        Ok(if differs && arguments.exit_code { outcome.max(Outcome::InputErrors) } else { outcome })
    })
}

/// Writes the differences in the requested form.
fn write(arguments: &Diff, report: &Report) -> Result<Outcome, Box<Diagnostic>> {
    let (text, pictures) = match arguments.format {
        Form::Text => (shown::text(report), Vec::new()),
        Form::Markdown => shown::markdown(report, arguments.pictures.as_deref()),
        Form::Html => (shown::html(report), Vec::new()),
        // Numbers and texts always serialize.
        Form::Json => (serde_json::to_string_pretty(report).unwrap_or_default() + "\n", Vec::new()),
    };
    if let (Some(folder), false) = (&arguments.pictures, pictures.is_empty()) {
        std::fs::create_dir_all(folder).map_err(|error| {
            let message = format!("cannot create {}: {}", folder.display(), crate::trouble::describe(&error));
            Box::new(Diagnostic::new(Code::Unwritable, None, message))
        })?;
        write_files(&pictures)?;
    }
    match arguments.output.as_deref().map_or(Destination::Standard, |path| Destination::of(Some(path))) {
        Destination::Standard => Ok(print(&text)),
        Destination::Folder(path) | Destination::File(path) => {
            write_file(&path, text.as_bytes())?;
            Ok(Outcome::Fine)
        }
    }
}

/// Compares all levels. Returns `None` if a source has errors, which are reported.
fn report(arguments: &Diff, lints: LintLevels, reporter: &mut Reporter) -> Result<Option<Report>, Box<Diagnostic>> {
    let options = Options { wanted: wanted(&arguments.sources)?, lints };
    let sides = sides::of(&arguments.sources.files)?;
    let mut report = Report {
        schema: SCHEMA,
        version: SCHEMA_VERSION,
        sides: sides.each_ref().map(|side| side.name.clone()),
        seeds: arguments.seeds,
        error_probability: ERROR_PROBABILITY,
        unchanged: 0,
        levels: Vec::new(),
    };
    let mut failed = false;
    for files in sides::pairs(&sides)? {
        let mut contents = [None, None];
        for ((content, side), file) in contents.iter_mut().zip(&sides).zip(&files) {
            let Some(file) = file else { continue };
            let mut read = side.load(file, &options)?;
            if read.loaded.diagnostics.has_errors() {
                failed = true;
                reporter.report(read.loaded.diagnostics.take(), &read.loaded.sources);
            }
            *content = Some(read);
        }
        if !failed {
            compare_files(arguments, &options, &contents, &mut report)?;
        }
    }
    report.levels.order_by(|one, other| (&one.file, &one.level).cmp(&(&other.file, &other.level)));
    Ok((!failed).then_some(report))
}

/// Compares the levels of a file. A side without the file has none of them.
fn compare_files(
    arguments: &Diff,
    options: &Options,
    contents: &[Option<Content>; 2],
    report: &mut Report,
) -> Result<(), Box<Diagnostic>> {
    // Levels of one name are paired in their order.
    let mut levels: BTreeMap<(String, usize), [Option<usize>; 2]> = BTreeMap::new();
    for (side, content) in contents.iter().enumerate() {
        let mut seen: BTreeMap<String, usize> = BTreeMap::new();
        for (at, level) in content.iter().flat_map(|content| content.loaded.levels.iter()).enumerate() {
            let number = seen.entry(level.name.to_string()).or_default();
            levels.entry((level.name.to_string(), *number)).or_default()[side] = Some(at);
            *number += 1;
        }
    }
    // The only level of a file may have a new name.
    let alone = |side: usize| contents[side].as_ref().is_some_and(|content| content.loaded.levels.len() == 1);
    if alone(0) && alone(1) && levels.len() == 2 {
        let name = contents[1].as_ref().map_or(String::new(), |content| content.loaded.levels[0].name.to_string());
        levels = BTreeMap::from([((name, 0), [Some(0), Some(0)])]);
    }
    for ((name, _), at) in levels {
        if !arguments.levels.is_empty() && !arguments.levels.contains(&name) {
            continue;
        }
        let file = contents[1].as_ref().or(contents[0].as_ref()).map_or(String::new(), |content| content.name.clone());
        let sides = [0, 1].map(|side| contents[side].as_ref().zip(at[side]));
        let texts = sides.map(|side| side.map_or("", |(content, at)| content.texts[at].as_str()));
        let mut change = Change { level: name, file, statements: statements(texts), ..Change::default() };
        if let [Some(first), Some(second)] = sides {
            let is_same_text = change.statements.is_empty();
            let games = [first, second].map(|(content, _)| content.loaded.target.catalog().name.clone());
            if is_same_text && games[0] == games[1] && !first.0.includes && !second.0.includes {
                report.unchanged += 1;
                continue;
            }
            change.change = "changed";
            if arguments.seeds > 0 {
                let levels = [first, second].map(|(content, at)| &content.loaded.levels[at]);
                let around = settings::of(&arguments.surroundings, second.0.loaded.target.catalog())?;
                if compare_levels(arguments, levels, &around, &mut change) && is_same_text {
                    report.unchanged += 1;
                    continue;
                }
            }
        } else {
            change.change = if at[0].is_none() { "added" } else { "removed" };
        }
        if arguments.seeds > 0 && change.change != "rewritten" {
            findings(arguments, options, sides, &mut change)?;
        }
        report.levels.push(change);
    }
    Ok(())
}

/// Returns the lines that differ, with one line around them.
fn statements([before, after]: [&str; 2]) -> Vec<Line> {
    const CONTEXT: usize = 1;
    let diff = TextDiff::from_lines(before, after);
    let mut lines = Vec::new();
    for group in diff.grouped_ops(CONTEXT) {
        if !lines.is_empty() {
            lines.push(Line { sign: ' ', text: "...".to_owned() });
        }
        for change in group.iter().flat_map(|op| diff.iter_changes(op)) {
            let sign = match change.tag() {
                ChangeTag::Equal => ' ',
                ChangeTag::Delete => '-',
                ChangeTag::Insert => '+',
            };
            lines.push(Line { sign, text: change.value().trim_end().to_owned() });
        }
    }
    lines
}

/// Returns the source of a level in one form: formatted, and without comments.
fn plain(text: &str, catalog: &Catalog) -> String {
    let wanted = Wanted { catalog: Some(catalog.clone().into()), ..Wanted::default() };
    let options = Options { wanted, ..Options::default() };
    let input = Input::new("level.des", text.as_bytes().to_vec());
    let formatted = format::format(input, &options, &mut NoIncludes).ok().and_then(|formatted| formatted.bytes);
    let text = formatted.map_or_else(|| text.to_owned(), |bytes| String::from_utf8_lossy(&bytes).into_owned());
    let lines = text.lines().filter(|line| !line.trim().is_empty() && !line.trim_start().starts_with('#'));
    lines.map(|line| format!("{line}\n")).collect()
}

/// Compares two levels by what the game generates from them. Returns true if they are proven the same.
fn compare_levels(arguments: &Diff, levels: [&Runnable; 2], around: &Settings, change: &mut Change) -> bool {
    let seeds = arguments.seeds;
    let threads = threads::count(None, seeds);
    let options = splc_equivalence::Options {
        settings: around.clone(),
        seeds,
        threads,
        given: settings::given(&arguments.surroundings),
        ..splc_equivalence::Options::default()
    };
    let programs = levels.map(|level| &level.program);
    let verdict = progress::watched(seeds.saturating_mul(3), &levels[1].name, |progress| {
        splc_equivalence::compare(programs[0], programs[1], &options, progress.counter())
    });
    match verdict {
        Verdict::Proven(proof, _) => {
            let why = match proof {
                Proof::SameCode => "the same code",
                Proof::SameStatements => "the same statements with the same probabilities",
                Proof::EveryOutcome { .. } | Proof::AllBut { .. } => "every sequence of draws was tried",
            };
            change.change = "rewritten";
            change.verdict = Some(format!("proven the same: {why}"));
            return true;
        }
        Verdict::Different(difference) => {
            let [before, after] = match &difference.evidence {
                Evidence::Exact { probabilities } => probabilities.each_ref().map(Ratio::to_f64),
                Evidence::Counted { levels, of, .. } => levels.map(|count| count as f64 / (*of).max(1) as f64),
            };
            let shares = format!("in {:.1} % of the levels, before {:.1} %", 100.0 * after, 100.0 * before);
            change.verdict = Some(format!("different: {}, {shares}", difference.fact));
        }
        Verdict::NotDecided(_) => change.verdict = Some(format!("no difference found in {seeds} levels of each")),
    }
    let gathered = [0, 1].map(|side| {
        let range = side as u64 * seeds + 1..=(side as u64 + 1) * seeds;
        progress::watched(seeds, &levels[side].name, |progress| {
            gather(programs[side], around, range, threads, progress)
        })
    });
    chances(&gathered, programs.map(|program| program.catalog()), change);
    squares(&gathered, change);
    let mut machine = Machine::new();
    // Squares are compared as they were before a flip of the level, so the pictures show levels without one.
    let mut is_flipped = |seed: u64, program: &Prepared| {
        let level = machine.run(program, around, &mut SplitMix::new(seed), &mut ());
        level.is_ok_and(|level| level.mirror().is_some())
    };
    let fits = |seed: &u64| !programs.iter().any(|program| is_flipped(*seed, program));
    change.seed = (1..=MAX_TRIED).find(fits).unwrap_or(1);
    for (side, program) in programs.into_iter().enumerate() {
        if let Ok(level) = machine.run(program, around, &mut SplitMix::new(change.seed), &mut ()) {
            let picture = Picture::of(level, program.catalog());
            change.pictures[side] = picture.rows().map(|row| row.iter().map(|it| it.symbol).collect()).collect();
            change.drawn[side] = Some(picture);
        }
    }
    false
}

/// Adds the things and terrain that are in more or fewer levels.
fn chances(gathered: &[Statistics; 2], catalogs: [&Catalog; 2], change: &mut Change) {
    let mut counts: BTreeMap<(&str, String, u8), [u64; 2]> = BTreeMap::new();
    for side in [0, 1] {
        for (kind, name, tally, _) in gathered[side].things(catalogs[side]) {
            counts.entry((kind.name(), name, 0)).or_default()[side] += tally.levels;
        }
        for &terrain in Terrain::ALL {
            // Some types have one name, such as the walls.
            let key = ("terrain", terrain_name(terrain, catalogs[side]), terrain.number());
            counts.entry(key).or_default()[side] += u64::from(gathered[side].levels_with(terrain));
        }
    }
    let of = gathered[0].levels().min(gathered[1].levels());
    let facts = counts.len() as u64;
    let mut chances: Vec<Chance> = counts
        .into_iter()
        .filter(|(_, [before, after])| is_significant(*before, *after, of, facts, ERROR_PROBABILITY))
        .map(|((kind, name, _), [before, after])| Chance { what: format!("{name} ({kind})"), before, after, of })
        .collect();
    chances.order_by_key(|chance| std::cmp::Reverse(chance.before.abs_diff(chance.after)));
    change.chances = chances;
}

/// Adds the squares whose terrain, light or things differ.
fn squares(gathered: &[Statistics; 2], change: &mut Change) {
    let of = gathered[0].levels().min(gathered[1].levels());
    let things = Kind::ALL.map(|kind| [0, 1].map(|side: usize| gathered[side].squares_of(kind)));
    let facts = (COLUMNS * ROWS) as usize * (Terrain::ALL.len() + 1 + Kind::ALL.len());
    let apart =
        |before: u64, after: u64| is_significant(before.min(of), after.min(of), of, facts as u64, ERROR_PROBABILITY);
    for y in 0..ROWS {
        for x in 1..COLUMNS {
            let terrain = |&terrain: &Terrain| {
                let [before, after] = [0, 1].map(|side: usize| u64::from(gathered[side].terrain(x, y, terrain)));
                apart(before, after)
            };
            let [before, after] = [0, 1].map(|side: usize| u64::from(gathered[side].lit(x, y)));
            let at = index(x, y);
            let thing = |sides: &[Box<splc_statistics::Squares>; 2]| apart(sides[0][at].into(), sides[1][at].into());
            if Terrain::ALL.iter().any(terrain) || apart(before, after) || things.iter().any(thing) {
                change.squares.push([x, y]);
            }
        }
    }
}

/// Adds the findings that only one side has.
fn findings(
    arguments: &Diff,
    options: &Options,
    sides: [Option<(&Content, usize)>; 2],
    change: &mut Change,
) -> Result<(), Box<Diagnostic>> {
    let mut found: [BTreeMap<String, String>; 2] = Default::default();
    for (side, found) in sides.into_iter().zip(&mut found) {
        let Some((content, at)) = side else { continue };
        let level = &content.loaded.levels[at];
        let around = settings::of(&arguments.surroundings, content.loaded.target.catalog())?;
        let plan = Plan {
            settings: around,
            seeds: 1..=TEST_SEEDS,
            threads: threads::count(None, TEST_SEEDS),
            needs: Default::default(),
            vary: Default::default(),
        };
        let tested = progress::watched(TEST_SEEDS, &level.name, |progress| {
            test(&content.loaded, level, &plan, &options.lints, progress)
        });
        let diagnostics = tested.into_iter().map(|found| found.diagnostic);
        for diagnostic in diagnostics.filter(|diagnostic| diagnostic.severity != Severity::Note) {
            let text = format!("{} {}", diagnostic.code.as_str(), diagnostic.message);
            // The number of seeds varies with every edit.
            let key = text.chars().filter(|letter| !letter.is_ascii_digit()).collect();
            found.insert(key, text);
        }
    }
    let only = |side: usize| {
        let other = &found[1 - side];
        found[side].iter().filter(|(key, _)| !other.contains_key(*key)).map(|(_, text)| text.clone()).collect()
    };
    (change.went, change.came) = (only(0), only(1));
    Ok(())
}
