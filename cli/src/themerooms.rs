//! `splc themerooms`: the themed rooms of NetHack 5, with their probabilities, pictures and problems.
//!
//! The driver computes, makes and judges the rooms ([`splc_driver::themes`]). This module selects them and prints the
//! results.

use std::fmt::Write as _;
use std::num::NonZeroUsize;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};

use clap::Args;
use serde::Serialize;
use splc_driver::test::{Found, Plan};
use splc_driver::themes::{Difficulties, File, GREATEST_DIFFICULTY, Made, Place};
use splc_driver::{Loaded, Options, load};
use splc_ir::diagnostic::{Code, Diagnostic, Diagnostics, LintLevels, Severity, did_you_mean};
use splc_ir::order::Order;
use splc_ir::wording::{counted, visible};
use splc_picture::Picture;
use splc_vm::{Fraction, Kind, Machine, SplitMix, Unknown, VmError};

use crate::input::{FilesOnDisk, Origin};
use crate::interrupt;
use crate::options::groups::{Sources, Surroundings};
use crate::options::values::seeds_or_count;
use crate::outcome::Outcome;
use crate::output::{self, print};
use crate::progress;
use crate::report::{Ending, Reporter};
use crate::run::sheet::Sheet;
use crate::run::{markup, settings};
use crate::threads;
use crate::wanted::wanted;
use crate::width;

/// `splc themerooms`.
#[derive(Debug, Args)]
pub struct Themerooms {
    /// The inputs: files of themed rooms.
    #[command(flatten)]
    pub sources: Sources,

    /// Only the room or fill with this name; can be repeated
    #[arg(long = "room", value_name = "NAME")]
    pub rooms: Vec<String>,

    /// Make each room with N seeds, starting at 1, or with the seeds A to B [default: 20]
    #[arg(long, value_name = "N|A..B", value_parser = seeds_or_count)]
    pub seeds: Option<RangeInclusive<u64>>,

    /// Number of threads [default: one per core]
    #[arg(long, value_name = "N")]
    pub threads: Option<NonZeroUsize>,

    /// Print chances, pictures and counts as one JSON object
    #[arg(long)]
    pub json: bool,

    /// Write the pictures as SVG to this file, or to standard output (`-`)
    #[arg(long, value_name = "FILE.svg|-", conflicts_with = "json")]
    pub svg: Option<PathBuf>,

    /// Write the pictures as an HTML page
    #[arg(long, value_name = "FILE.html|-", conflicts_with = "json")]
    pub html: Option<PathBuf>,

    /// The game around the rooms.
    #[command(flatten)]
    pub surroundings: Surroundings,
}

/// Default number of seeds.
const SEEDS: u64 = 20;

/// Most rooms on one sheet of pictures.
const MAX_PICTURES: usize = 500;

/// Value of `schema` in the JSON.
const SCHEMA: &str = "splc-themerooms";

/// Format version. It is raised by every change that breaks readers; new keys do not.
const SCHEMA_VERSION: u32 = 1;

/// A file as `--json` writes it.
#[derive(Serialize)]
struct Document {
    schema: &'static str,
    version: u32,
    file: String,
    game: String,
    rooms: Vec<Entry>,
    fills: Vec<Entry>,
}

/// A room or fill.
#[derive(Serialize)]
struct Entry {
    name: Option<String>,
    number: usize,
    line: Option<usize>,
    /// Chances by difficulty; those of a fill in a lit room.
    chances: Vec<Chance>,
    /// Chances of a fill in an unlit room.
    #[serde(skip_serializing_if = "Option::is_none")]
    unlit_chances: Option<Vec<Chance>>,
    depth: i32,
    made: u64,
    seeds: u64,
    picture: Vec<String>,
}

/// The chance of an entry in a range of difficulties.
#[derive(Serialize)]
struct Chance {
    from: i32,
    to: i32,
    /// The exact probability, `numerator/denominator`; `null` if it could not be computed.
    exact: Option<String>,
    value: Option<f64>,
}

/// The chances of all entries.
struct Chances {
    rooms: Vec<Difficulties>,
    /// Those of fills in a lit room, and in an unlit room.
    fills: [Vec<Difficulties>; 2],
}

/// Shows the themed rooms that the options select.
pub fn run(arguments: &Themerooms, lints: LintLevels) -> Outcome {
    Reporter::run(arguments.sources.message_format, arguments.sources.color, Ending::Checking, |reporter| {
        let mut outcome = Outcome::Fine;
        interrupt::listen();
        for origin in Origin::list(&arguments.sources.files) {
            let options = Options { wanted: wanted(&arguments.sources)?, lints: lints.clone() };
            let loaded = load(origin.read()?, &options, &mut FilesOnDisk);
            let loaded = loaded.map_err(|problem| Box::new(Diagnostic::from(problem)))?;
            outcome = outcome.max(file(arguments, loaded, &lints, reporter)?);
        }
        Ok(outcome)
    })
}

fn file(
    arguments: &Themerooms,
    mut loaded: Loaded,
    lints: &LintLevels,
    reporter: &mut Reporter,
) -> Result<Outcome, Box<Diagnostic>> {
    let mut outcome = if loaded.diagnostics.has_errors() { Outcome::InputErrors } else { Outcome::Fine };
    reporter.report(loaded.diagnostics.take(), &loaded.sources);
    let around = settings::of(&arguments.surroundings, loaded.target.catalog())?;
    let broken = |error: VmError, reporter: &mut Reporter| {
        let message = format!("the game cannot use these themed rooms: {}", error.fault);
        let mut diagnostics = Diagnostics::new();
        diagnostics.push(Diagnostic::new(Code::Fault, error.span, message));
        reporter.report(diagnostics, &loaded.sources);
        Ok(Outcome::InputErrors)
    };
    let file = match File::new(&loaded) {
        Ok(Some(file)) => file,
        Ok(None) => return Ok(outcome.max(Outcome::InputErrors)),
        Err(error) => return broken(error, reporter),
    };
    if file.themes.rooms.is_empty() && file.themes.fills.is_empty() {
        let problem = Diagnostic::new(Code::Usage, None, "this file has no themed rooms".to_owned());
        return Err(Box::new(problem.with_help("name a file with the tables `themerooms` and `themeroom_fills`")));
    }
    let places = selected(arguments, &file)?;
    let difficulties = arguments.surroundings.depth.map_or(1..=GREATEST_DIFFICULTY, |depth| depth..=depth);
    let fills = |lit| match file.themes.fills.is_empty() {
        true => Ok(Vec::new()),
        false => file.chances(&around, difficulties.clone(), Some(lit)),
    };
    let chances = file
        .chances(&around, difficulties.clone(), None)
        .and_then(|rooms| Ok(Chances { rooms, fills: [fills(true)?, fills(false)?] }));
    let chances = match chances {
        Ok(chances) => chances,
        Err(error) => return broken(error, reporter),
    };

    let seeds = arguments.seeds.clone().unwrap_or(1..=SEEDS);
    let count = (seeds.end() - seeds.start()).saturating_add(1);
    let plan = Plan {
        settings: around,
        seeds,
        threads: threads::count(arguments.threads, count),
        needs: Default::default(),
        vary: Default::default(),
    };
    let mut made = Vec::new();
    for &place in &places {
        let name = file.name(place);
        let fixed = arguments.surroundings.depth.is_some();
        let lit = chances.is_chosen_in_light(place);
        let result = progress::watched(count, &name, |progress| file.make(place, lit, &plan, fixed, lints, progress));
        let Some(result) = result else { continue };
        let mut diagnostics = Diagnostics::with_lints(lints.clone());
        file.never(place, &chances.of(place.kind)).into_iter().for_each(|problem| diagnostics.push(problem));
        file.never_fits(place, &result).into_iter().for_each(|problem| diagnostics.push(problem));
        if diagnostics.has_errors() {
            outcome = Outcome::InputErrors;
        }
        reporter.report(diagnostics, &loaded.sources);
        outcome = outcome.max(report(&result.found, &loaded, reporter));
        made.push((place, result));
        if interrupt::is_requested() {
            return Ok(Outcome::Interrupted);
        }
    }
    if arguments.rooms.is_empty() {
        let known: Vec<&Found> = made.iter().flat_map(|(_, made)| &made.found).collect();
        let found = progress::watched(count, "levels", |progress| file.levels(&plan, &known, lints, progress));
        outcome = outcome.max(report(&found, &loaded, reporter));
    }
    outcome = outcome.max(pictures(arguments, &file, &loaded, &made)?);
    if arguments.json {
        outcome = outcome.max(print(&json(&file, &loaded, &chances, &made)));
    } else if !to_standard_output(arguments) && arguments.sources.message_format.is_text() {
        outcome = outcome.max(print(&text(arguments, &file, &loaded, &chances, &made)));
    }
    Ok(outcome)
}

/// Reports findings. The outcome is an error if one of them is.
fn report(found: &[Found], loaded: &Loaded, reporter: &mut Reporter) -> Outcome {
    let mut outcome = Outcome::Fine;
    for found in found {
        if found.diagnostic.severity == Severity::Error {
            outcome = Outcome::InputErrors;
        }
        reporter.found(found, &loaded.sources);
    }
    outcome
}

/// Returns the rooms and fills that the options name: all if they name none.
fn selected(arguments: &Themerooms, file: &File<'_>) -> Result<Vec<Place>, Box<Diagnostic>> {
    let mut places: Vec<Place> = file.places().collect();
    if arguments.rooms.is_empty() {
        return Ok(places);
    }
    for name in &arguments.rooms {
        if !places.iter().any(|&place| file.name(place) == *name) {
            let names: Vec<String> = places.iter().map(|&place| file.name(place)).collect();
            let message = format!("no room or fill named \"{}\"", visible(name));
            let help = did_you_mean(name, names.iter().map(String::as_str))
                .unwrap_or_else(|| format!("the names are: {}", names.join(", ")));
            return Err(Box::new(Diagnostic::new(Code::Usage, None, message).with_help(help)));
        }
    }
    places.retain(|&place| arguments.rooms.contains(&file.name(place)));
    Ok(places)
}

fn to_standard_output(arguments: &Themerooms) -> bool {
    [&arguments.svg, &arguments.html].into_iter().flatten().any(|path| path.as_os_str() == "-")
}

impl Chances {
    fn of(&self, kind: Kind) -> Vec<&[Difficulties]> {
        match kind {
            Kind::Room => vec![&self.rooms],
            Kind::Fill => self.fills.iter().map(Vec::as_slice).collect(),
        }
    }

    /// Returns true unless a fill is chosen in unlit rooms only.
    fn is_chosen_in_light(&self, place: Place) -> bool {
        let chosen = |spans: &[Difficulties]| {
            spans
                .iter()
                .any(|span| span.choice.entries.get(place.number).is_some_and(|chance| *chance != Fraction::ZERO))
        };
        place.kind == Kind::Room || chosen(&self.fills[0]) || !chosen(&self.fills[1])
    }
}

/// Writes the pictures that the options select.
fn pictures(
    arguments: &Themerooms,
    file: &File<'_>,
    loaded: &Loaded,
    made: &[(Place, Made)],
) -> Result<Outcome, Box<Diagnostic>> {
    if arguments.svg.is_none() && arguments.html.is_none() {
        return Ok(Outcome::Fine);
    }
    let mut sheet = Sheet::new();
    let mut machine = Machine::new();
    for (place, made) in made.iter().take(MAX_PICTURES) {
        let seed = made.first.unwrap_or(1);
        if let Ok(level) = machine.run(&made.program, &made.settings, &mut SplitMix::new(seed), &mut ()) {
            let title = format!("{}, seed {seed}, depth {}", file.name(*place), made.depth);
            sheet.level(&title, level, loaded.target.catalog());
        }
    }
    let write = |path: &Path, text: String| match path.as_os_str() == "-" {
        true => Ok(print(&text)),
        false => output::write_file(path, text.as_bytes()).map(|()| Outcome::Fine),
    };
    let mut outcome = Outcome::Fine;
    if let Some(path) = &arguments.svg {
        outcome = outcome.max(write(path, markup::svg(&sheet))?);
    }
    if let Some(path) = &arguments.html {
        outcome = outcome.max(write(path, markup::html(&sheet))?);
    }
    Ok(outcome)
}

/// Returns the rows of an entry's picture, without the empty level around it.
fn picture(made: &Made, loaded: &Loaded) -> Vec<String> {
    let mut machine = Machine::new();
    let Some(seed) = made.first else { return Vec::new() };
    let Ok(level) = machine.run(&made.program, &made.settings, &mut SplitMix::new(seed), &mut ()) else {
        return Vec::new();
    };
    let picture = Picture::of(level, loaded.target.catalog());
    let rows: Vec<Vec<char>> = picture.rows().map(|row| row.iter().map(|square| square.symbol).collect()).collect();
    let in_use = |row: &&Vec<char>| row.iter().any(|&symbol| symbol != ' ');
    let left = rows.iter().filter_map(|row| row.iter().position(|&symbol| symbol != ' ')).min().unwrap_or(0);
    let first = rows.iter().position(|row| in_use(&row)).unwrap_or(rows.len());
    let last = rows.iter().rposition(|row| in_use(&row)).map_or(first, |last| last + 1);
    let trimmed = |row: &Vec<char>| row[left..].iter().collect::<String>().trim_end().to_owned();
    rows[first..last].iter().map(trimmed).collect()
}

fn text(arguments: &Themerooms, file: &File<'_>, loaded: &Loaded, chances: &Chances, made: &[(Place, Made)]) -> String {
    let (rooms, fills) = (file.themes.rooms.len(), file.themes.fills.len());
    let name = loaded.sources.main().map_or("", |source| &source.name);
    let mut text = format!(
        "{}: {}, {} ({})\n",
        visible(name),
        counted(rooms, "room"),
        counted(fills, "fill"),
        visible(&loaded.target.catalog().title)
    );
    let places = |kind: Kind| made.iter().map(|(place, _)| *place).filter(move |place| place.kind == kind);
    if places(Kind::Room).next().is_some() {
        text.push_str("\nchance of each room by difficulty, whenever the level maker makes one\n");
        text.push_str(&table(file, places(Kind::Room), &[("", &chances.rooms)]));
    }
    if places(Kind::Fill).next().is_some() {
        text.push_str("\nchance of each fill by difficulty, in a room with a themed fill\n");
        let [lit, unlit] = &chances.fills;
        text.push_str(&table(file, places(Kind::Fill), &[("lit ", lit), ("unlit ", unlit)]));
        let mut fields: Vec<&str> =
            lit.iter().chain(unlit).flat_map(|span| &span.choice.fields).map(String::as_str).collect();
        fields.retain(|field| *field != "lit");
        fields.order();
        fields.dedup();
        if !fields.is_empty() {
            let _ = writeln!(text, "the choice also depends on the room's {}", fields.join(", "));
        }
    }
    let seeds = arguments.seeds.clone().unwrap_or(1..=SEEDS);
    let _ = writeln!(text, "\nmade alone on an empty level, seeds {} to {}", seeds.start(), seeds.end());
    for (place, made) in made {
        let count = if made.made == made.of {
            String::new()
        } else {
            format!(", complete on {} of {} seeds", made.made, made.of)
        };
        let seed = made.first.map_or(String::new(), |seed| format!(", seed {seed}"));
        let _ = writeln!(text, "\n{}, depth {}{seed}{count}", visible(&file.name(*place)), made.depth);
        for row in picture(made, loaded) {
            let _ = writeln!(text, "  {row}");
        }
    }
    text
}

/// Returns a table of chances: a row for each entry, a column for each range of difficulties. On a narrow terminal it
/// has no fractions.
fn table(file: &File<'_>, places: impl Iterator<Item = Place> + Clone, groups: &[(&str, &[Difficulties])]) -> String {
    let text = table_with(file, places.clone(), groups, in_words);
    let fits = |width: usize| text.lines().all(|line| line.chars().count() <= width);
    if width::terminal().is_none_or(fits) { text } else { table_with(file, places, groups, in_percent) }
}

/// Returns the table with chances in the words of `cell`.
fn table_with(
    file: &File<'_>,
    places: impl Iterator<Item = Place>,
    groups: &[(&str, &[Difficulties])],
    cell: fn(Option<Fraction>) -> String,
) -> String {
    let columns = || groups.iter().flat_map(|(word, spans)| spans.iter().map(move |span| (*word, span)));
    let heading = |word: &str, span: &Difficulties| match span.from == span.to {
        true => format!("{word}{}", span.from),
        false => format!("{word}{}-{}", span.from, span.to),
    };
    let mut rows = vec![vec![String::new()]];
    rows[0].extend(columns().map(|(word, span)| heading(word, span)));
    for place in places {
        let mut row = vec![visible(&file.name(place)).into_owned()];
        row.extend(columns().map(|(_, span)| cell(span.choice.entries.get(place.number).copied())));
        rows.push(row);
    }
    let none = || columns().map(|(_, span)| span.choice.none);
    if none().flatten().any(|chance| chance != Fraction::ZERO) {
        let mut row = vec!["(none)".to_owned()];
        row.extend(none().map(cell));
        rows.push(row);
    }
    let width = |column: usize| rows.iter().map(|row| row[column].chars().count()).max().unwrap_or(0);
    let widths: Vec<usize> = (0..rows[0].len()).map(width).collect();
    let mut text = String::new();
    for row in &rows {
        let mut line = String::from(" ");
        for (cell, width) in row.iter().zip(&widths) {
            let _ = write!(line, " {cell:<width$} ", width = *width);
        }
        text.push_str(line.trim_end());
        text.push('\n');
    }
    let mut unknown: Vec<&str> = columns().filter_map(|(_, span)| span.choice.unknown).map(reason).collect();
    unknown.dedup();
    for reason in unknown {
        let _ = writeln!(text, "  ?: no exact chance: {reason}");
    }
    let errors = columns().filter_map(|(word, span)| Some((word, span, span.choice.error.as_ref()?)));
    for (word, span, error) in errors {
        let _ = writeln!(text, "  difficulty {}: {}", heading(word, span), visible(error));
    }
    text
}

fn in_words(chance: Option<Fraction>) -> String {
    match chance {
        None => "?".to_owned(),
        Some(Fraction::ZERO) => "never".to_owned(),
        Some(Fraction::ONE) => "always".to_owned(),
        Some(chance) => {
            format!("{}/{} = {:.3} %", chance.numerator, chance.denominator, 100.0 * chance.value())
        }
    }
}

fn in_percent(chance: Option<Fraction>) -> String {
    let words = in_words(chance);
    words.split_once(" = ").map_or(words.clone(), |(_, percent)| percent.to_owned())
}

fn reason(unknown: Unknown) -> &'static str {
    match unknown {
        Unknown::TooManyOutcomes => "the file draws in a way that has too many outcomes",
        Unknown::TooLong => "the file takes too many steps",
        Unknown::NotRepeatable => "the file chooses differently when it is asked again",
        Unknown::TooLarge => "the fractions are too large",
    }
}

fn json(file: &File<'_>, loaded: &Loaded, chances: &Chances, made: &[(Place, Made)]) -> String {
    let entry = |(place, made): &(Place, Made)| {
        let of = |spans: &[Difficulties]| -> Vec<Chance> {
            let chance = |span: &Difficulties| {
                let chance = span.choice.entries.get(place.number);
                let exact = chance.map(|chance| format!("{}/{}", chance.numerator, chance.denominator));
                Chance { from: span.from, to: span.to, exact, value: chance.map(|chance| chance.value()) }
            };
            spans.iter().map(chance).collect()
        };
        let known = file.entry(*place);
        Entry {
            name: known.and_then(|entry| entry.name.clone()),
            number: place.number + 1,
            line: known.and_then(|entry| entry.line),
            chances: of(chances.of(place.kind)[0]),
            unlit_chances: (place.kind == Kind::Fill).then(|| of(&chances.fills[1])),
            depth: made.depth,
            made: made.made,
            seeds: made.of,
            picture: picture(made, loaded),
        }
    };
    let of = |kind: Kind| made.iter().filter(|(place, _)| place.kind == kind).map(entry).collect();
    let document = Document {
        schema: SCHEMA,
        version: SCHEMA_VERSION,
        file: loaded.sources.main().map_or(String::new(), |source| source.name.clone()),
        game: loaded.target.catalog().name.to_string(),
        rooms: of(Kind::Room),
        fills: of(Kind::Fill),
    };
    // These structures always serialize.
    serde_json::to_string(&document).unwrap_or_default() + "\n"
}
