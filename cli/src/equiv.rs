//! `splc equiv`: do two levels make the same level?
//!
//! The answer is the VM's ([`splc_equivalence`]); here it is asked for, and said in words, pictures or JSON.
//!
//! Exit codes: 0 proven, 1 different, 3 not decided; 2 if the levels cannot be compared: wrong usage, errors in a file.
//! Of several levels, the worst counts: 2, then 1, then 3.

use std::fmt::Write as _;
use std::num::{NonZeroU64, NonZeroUsize};
use std::path::PathBuf;

use clap::Args;
use schemars::JsonSchema;
use serde::Serialize;
use splc_driver::games::Dialect;
use splc_driver::port::StandIns;
use splc_driver::port::verify::names_of_tables;
use splc_driver::{Loaded, Options, Runnable, Wanted, load};
use splc_equivalence::{
    self, Difference, Evidence, Example, Fact, MadeWith, Names, PartingKind, Proof, Ratio, Together, Undecided, Verdict,
};
use splc_ir::catalog::Catalog;
use splc_ir::diagnostic::{Code, Diagnostic, LintLevels, did_you_mean};
use splc_ir::wording::visible;
use splc_picture::Picture;

use crate::arguments::groups::{Sources, Surroundings};
use crate::arguments::values::dialect;
use crate::input::{FilesOnDisk, Origin};
use crate::outcome::Outcome;
use crate::output::print;
use crate::port::read_names;
use crate::report::{Ending, MessageFormat, Reporter};
use crate::run::{settings, show};
use crate::wanted::wanted;
use crate::{progress, threads};

/// Columns of two pictures that still stand side by side.
const WIDTH: usize = 120;

/// So many further differences are told of; the data has all.
const MOST_ALSO: usize = 3;

/// Blanks between two pictures.
const GAP: usize = 4;

/// `splc equiv`.
#[derive(Debug, Args)]
pub struct Arguments {
    /// What is compared: two des-files, level files or levels as JSON.
    #[command(flatten)]
    pub sources: Sources,

    /// Language of the second file, if it is another
    #[arg(long, value_name = "DIALECT", value_parser = dialect)]
    pub second_dialect: Option<&'static Dialect>,

    /// Game of the second file, if it is another
    #[arg(long, value_name = "TARGET")]
    pub second_target: Option<String>,

    /// Table of which names of the second game stand for which of the first, in the form of `splc port --map`; can be given
    /// several times
    #[arg(long, value_name = "FILE.toml")]
    pub names: Vec<PathBuf>,

    /// Only the level of this name; can be given several times. Without it, levels of one name are compared, or the only
    /// ones
    #[arg(long = "level", value_name = "NAME")]
    pub levels: Vec<String>,

    /// How many levels of each are made, if not every outcome can be tried
    #[arg(long, value_name = "N", default_value = "10000")]
    pub seeds: NonZeroU64,

    /// The first seed
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,

    /// How many runs may be spent on trying every way of drawing
    #[arg(long, value_name = "N", default_value_t = splc_equivalence::USUAL_PATHS)]
    pub paths: u64,

    /// Asks whether both take the same draws and come to the same, as a translation should
    #[arg(long)]
    pub draw_for_draw: bool,

    /// How many threads make levels [default: one for each core]
    #[arg(long, value_name = "N")]
    pub threads: Option<NonZeroUsize>,

    /// The game around both levels.
    #[command(flatten)]
    pub surroundings: Surroundings,
}

/// What `schema` says in every answer.
const SCHEMA: &str = "splc-equiv";

/// Raised by every change that a reader would notice; new keys are no such change.
const SCHEMA_VERSION: u32 = 1;

/// An answer as `splc equiv --message-format json` writes it.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "Equivalence")]
pub(crate) struct Answer<'a> {
    /// What the form of this object is called.
    #[schemars(extend("const" = SCHEMA))]
    schema: &'static str,
    /// The version of that form.
    #[schemars(extend("const" = SCHEMA_VERSION))]
    version: u32,
    /// Names of the two levels.
    levels: [&'a str; 2],
    /// The games that they are for, as targets.
    games: [&'a str; 2],
    /// `proven`, `different` or `not decided`.
    verdict: &'static str,
    /// Why they are the same: `same code`, `same statements`, `every outcome`, `all but chance` or `draw for draw`.
    proof: Option<&'static str>,
    /// How many different levels they can come to, if every outcome was tried.
    outcomes: Option<u64>,
    /// How many ways of drawing lead there, if every outcome was tried.
    paths: Option<[u64; 2]>,
    /// If every outcome was tried and the probabilities are the same but for next to nothing: that, as an exact fraction.
    apart: Option<String>,
    /// What is more probable in one of them.
    fact: Option<FactEntry>,
    /// In what else they differ: of each other kind of things what tells most.
    also: Vec<FactEntry>,
    /// How probable it is in each, as exact fractions.
    probabilities: Option<[String; 2]>,
    /// In how many levels of each it held, if that was counted.
    counts: Option<[u64; 2]>,
    /// How many levels of each were made, if they were counted.
    seeds: Option<u64>,
    /// Levels that are alike would be called different with less than this probability.
    error_probability: Option<f64>,
    /// In how many facts they were compared.
    facts: Option<u64>,
    /// A fact that one level never has would have been found at this probability in the other.
    found_if_never: Option<f64>,
    /// Two probabilities of a fact that differ by this would have been found.
    found_anywhere: Option<f64>,
    /// With how many seeds they were the same, draw for draw.
    draw_for_draw: Option<u64>,
    /// Where they part with the same draws, in words.
    parting: Option<String>,
    /// Names of the tables of `--names` that are not of these games.
    unknown_names: Vec<String>,
    /// A level of each that shows the difference.
    examples: Option<[ExampleEntry; 2]>,
}

/// Something that holds of a level, or does not.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "Fact")]
struct FactEntry {
    /// What it is about: `terrain`, `monster` and so on.
    about: &'static str,
    /// Column and row, if it has a place.
    place: Option<(i32, i32)>,
    /// What it is.
    what: String,
    /// How many.
    count: u32,
}

impl FactEntry {
    fn new(fact: &Fact) -> Self {
        let Fact { aspect, place, ref what, count } = *fact;
        FactEntry { about: aspect.as_str(), place, what: what.clone(), count }
    }
}

/// A level that shows a difference.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "Example")]
struct ExampleEntry {
    /// The seed that it was made with.
    seed: Option<u64>,
    /// The draws that it was made with, if they are no seed's.
    draws: Option<Vec<u32>>,
    /// Why it cannot be made.
    fault: Option<String>,
    /// The statements behind it: file and line, or the number of the step.
    behind: Vec<String>,
    /// Rows of symbols as the game draws them.
    picture: Vec<String>,
}

/// A file of levels to compare.
struct Side {
    name: String,
    loaded: Loaded,
}

/// Compares what was asked for.
pub fn run(asked: &Arguments, lints: LintLevels) -> Outcome {
    Reporter::run(asked.sources.message_format, asked.sources.color, Ending::Checking, |reporter| {
        compare_all(asked, lints, reporter)
    })
}

fn usage(message: impl Into<std::borrow::Cow<'static, str>>) -> Box<Diagnostic> {
    Box::new(Diagnostic::new(Code::Usage, None, message))
}

fn compare_all(asked: &Arguments, lints: LintLevels, reporter: &mut Reporter) -> Result<Outcome, Box<Diagnostic>> {
    let [first, second]: &[PathBuf; 2] = asked.sources.files.as_slice().try_into().map_err(|_| {
        let count = asked.sources.files.len();
        usage(format!("two files are compared, and not {count}"))
    })?;
    let mut sides = Vec::new();
    let of_first = wanted(&asked.sources)?;
    let of_second = second_wanted(asked, &of_first)?;
    for (path, wanted) in [(first, of_first), (second, of_second)] {
        let origin = if path.as_os_str() == "-" { Origin::Standard } else { Origin::of(path) };
        let options = Options { wanted, lints: lints.clone() };
        let loaded = load(origin.read()?, &options, &mut FilesOnDisk).map_err(|problem| Box::new(problem.into()))?;
        sides.push(Side { name: origin.name(), loaded });
    }
    let mut erroneous = false;
    for side in &mut sides {
        erroneous |= side.loaded.diagnostics.has_errors();
        reporter.report(std::mem::take(&mut side.loaded.diagnostics), &side.loaded.sources);
    }
    if erroneous {
        return Ok(Outcome::Trouble);
    }
    let sides: [Side; 2] = sides.try_into().map_err(|_| usage("two files are compared"))?;
    let Some(names) = names(asked, &sides, reporter)? else { return Ok(Outcome::Trouble) };
    let mut outcome = Outcome::Fine;
    for pair in pairs(asked, &sides)? {
        outcome = outcome.max(compare(asked, &sides, pair, &names)?);
    }
    Ok(outcome)
}

/// Names of the first game in terms of the second.
struct NamesOfBoth {
    names: Names,
    /// Those of the user's tables that are not of these games.
    unknown: Vec<String>,
}

/// What the tables say that were asked for; `None` if one is wrong, which is told.
fn names(
    asked: &Arguments,
    sides: &[Side; 2],
    reporter: &mut Reporter,
) -> Result<Option<NamesOfBoth>, Box<Diagnostic>> {
    let [from, to] = sides.each_ref().map(|side| &**side.loaded.target.catalog());
    if asked.names.is_empty() && from.name == to.name {
        return Ok(Some(NamesOfBoth { names: Names::new(), unknown: Vec::new() }));
    }
    let mut tables = StandIns::default();
    for path in &asked.names {
        if read_names(path, &mut tables, reporter)?.is_none() {
            return Ok(None);
        }
    }
    let between = tables.replacements(from, to);
    Ok(Some(NamesOfBoth { names: names_of_tables(&between, from, to), unknown: between.unknown }))
}

/// What is known of the second file's game: the same as of the first's, if nothing else is said.
fn second_wanted(asked: &Arguments, first: &Wanted) -> Result<Wanted, Box<Diagnostic>> {
    if asked.second_dialect.is_none() && asked.second_target.is_none() {
        return Ok(first.clone());
    }
    let catalog = match &asked.second_target {
        None => None,
        Some(name) => Some(first.catalogs.by_name(name).ok_or_else(|| {
            let problem = *usage(format!("the target {} is unknown", visible(name)));
            let known: Vec<_> = first.catalogs.iter().collect();
            let near = did_you_mean(name, known.iter().map(|catalog| catalog.name.as_ref()));
            Box::new(problem.with_help(near.unwrap_or_else(|| "`splc targets` lists the known ones".to_owned())))
        })?),
    };
    let wanted = Wanted { dialect: asked.second_dialect, catalog, matched: None, ..first.clone() };
    wanted.target().map(|_| ()).map_err(|problem| Box::new(problem.into()))?;
    Ok(wanted)
}

/// Which levels are compared with which, by their positions.
fn pairs(asked: &Arguments, sides: &[Side; 2]) -> Result<Vec<[usize; 2]>, Box<Diagnostic>> {
    let [first, second] = sides.each_ref().map(|side| &side.loaded.levels);
    let position = |levels: &[Runnable], name: &str| levels.iter().position(|level| level.name == name);
    if asked.levels.is_empty() && first.len() == 1 && second.len() == 1 {
        return Ok(vec![[0, 0]]);
    }
    let missing = |name: &str, side: &Side| {
        let problem = *usage(format!("{} has no level \"{}\"", visible(&side.name), visible(name)));
        let known: Vec<&str> = side.loaded.levels.iter().map(|level| level.name.as_str()).collect();
        let near = did_you_mean(name, known.iter().copied());
        Box::new(problem.with_help(near.unwrap_or_else(|| format!("there are: {}", known.join(", ")))))
    };
    let both = |name: &str| {
        let one = position(first, name).ok_or_else(|| missing(name, &sides[0]))?;
        Ok([one, position(second, name).ok_or_else(|| missing(name, &sides[1]))?])
    };
    if !asked.levels.is_empty() {
        return asked.levels.iter().map(|name| both(name)).collect();
    }
    if let Some(alone) = second.iter().find(|level| position(first, &level.name).is_none()) {
        return Err(missing(&alone.name, &sides[0]));
    }
    first.iter().map(|level| both(&level.name)).collect()
}

fn compare(
    asked: &Arguments,
    sides: &[Side; 2],
    at: [usize; 2],
    names: &NamesOfBoth,
) -> Result<Outcome, Box<Diagnostic>> {
    let [first, second] = [&sides[0].loaded.levels[at[0]], &sides[1].loaded.levels[at[1]]];
    let games = sides.each_ref().map(|side| &**side.loaded.target.catalog());
    if games[0].name != games[1].name && !asked.surroundings.carried.is_empty() {
        return Err(usage("what the hero carries is of one game, but the levels are of two"));
    }
    let options = splc_equivalence::Options {
        settings: settings::of(&asked.surroundings, games[0])?,
        names: names.names.clone(),
        seeds: asked.seeds.get(),
        first_seed: asked.seed,
        paths: asked.paths,
        threads: threads::count(asked.threads, asked.seeds.get()),
        ..splc_equivalence::Options::default()
    };
    let mut answer = Answer {
        schema: SCHEMA,
        version: SCHEMA_VERSION,
        levels: [&first.name, &second.name],
        games: games.map(|game| game.name.as_ref()),
        verdict: "",
        proof: None,
        outcomes: None,
        paths: None,
        apart: None,
        fact: None,
        also: Vec::new(),
        probabilities: None,
        counts: None,
        seeds: None,
        error_probability: None,
        facts: None,
        found_if_never: None,
        found_anywhere: None,
        draw_for_draw: None,
        parting: None,
        unknown_names: names.unknown.clone(),
        examples: None,
    };
    let pair = Pair { sides, levels: [first, second] };
    let total = options.seeds.saturating_mul(if asked.draw_for_draw { 1 } else { 3 });
    let (outcome, text) = if asked.draw_for_draw {
        let together = progress::watched(total, &first.name, |progress| {
            splc_equivalence::draw_for_draw(&first.program, &second.program, &options, progress.counter())
        });
        pair.together(&together, &mut answer)
    } else {
        let verdict = progress::watched(total, &first.name, |progress| {
            splc_equivalence::compare(&first.program, &second.program, &options, progress.counter())
        });
        match verdict {
            Verdict::Proven(proof) => pair.proven(proof, &mut answer),
            Verdict::Different(difference) => pair.different(&difference, &mut answer),
            Verdict::NotDecided(undecided) => pair.not_decided(&undecided, &mut answer),
        }
    };
    let said = match asked.sources.message_format {
        // What is made of numbers and texts can always be written.
        MessageFormat::Json => serde_json::to_string(&answer).unwrap_or_default() + "\n",
        _ => format!("{}: {text}{}", visible(&first.name), names.unused(games)),
    };
    Ok(outcome.max(print(&said)))
}

impl NamesOfBoth {
    /// Names of the table that do nothing, as those with a typing error would.
    fn unused(&self, [from, to]: [&Catalog; 2]) -> String {
        /// So many are named.
        const MOST: usize = 5;
        if self.unknown.is_empty() {
            return String::new();
        }
        let named: Vec<_> = self.unknown.iter().take(MOST).map(|name| visible(name)).collect();
        let more = if self.unknown.len() > MOST { " and others" } else { "" };
        let (from, to) = (&from.title, &to.title);
        format!("   of the table, not used: {}{more}, as {from} or {to} has no such name\n", named.join(", "))
    }
}

/// Two levels of two files.
struct Pair<'a> {
    sides: &'a [Side; 2],
    levels: [&'a Runnable; 2],
}

impl Pair<'_> {
    fn name(&self, side: usize) -> String {
        visible(&self.sides[side].name).into_owned()
    }

    fn place(&self, side: usize, step: usize) -> String {
        let (program, sources) = (&self.levels[side].program, &self.sides[side].loaded.sources);
        match program.span(step).filter(|span| !sources.text(*span).is_empty()) {
            // It names the file.
            Some(_) => show::place(program, step, sources),
            None => format!("{}: {}", self.name(side), show::step(program, step)),
        }
    }

    fn proven(&self, proof: Proof, answer: &mut Answer<'_>) -> (Outcome, String) {
        answer.verdict = "proven";
        let text = match proof {
            Proof::SameCode => {
                answer.proof = Some("same code");
                format!("proven the same: the same code for {}\n", self.sides[0].loaded.target.catalog().title)
            }
            Proof::SameStatements => {
                answer.proof = Some("same statements");
                "proven the same: both say the same statements with the same probabilities, whatever the game makes of \
                 them\n"
                    .to_owned()
            }
            Proof::EveryOutcome { outcomes, paths } => {
                answer.proof = Some("every outcome");
                (answer.outcomes, answer.paths) = (Some(outcomes), Some(paths));
                let what = match outcomes {
                    1 => "both always come to one and the same level".to_owned(),
                    count => format!("both come to the same {count} levels with the same probabilities"),
                };
                format!("proven the same: {what}\n   every way of drawing was tried: {}, {}\n", paths[0], paths[1])
            }
            Proof::AllBut { outcomes, paths, apart } => {
                answer.proof = Some("all but chance");
                (answer.outcomes, answer.paths, answer.apart) = (Some(outcomes), Some(paths), Some(apart.in_full()));
                format!(
                    "proven the same: both come to the same {outcomes} levels, with probabilities that are {apart} apart \
                     in all\n   every way of drawing was tried: {}, {}\n",
                    paths[0], paths[1]
                )
            }
        };
        (Outcome::Fine, text)
    }

    fn different(&self, difference: &Difference, answer: &mut Answer<'_>) -> (Outcome, String) {
        let Difference { fact, evidence, examples, also } = difference;
        answer.verdict = "different";
        answer.fact = Some(FactEntry::new(fact));
        let mut text = format!("different: {}\n", visible(&fact.to_string()));
        let [one, two] = [self.name(0), self.name(1)];
        let _ = match evidence {
            Evidence::Exact { probabilities } => {
                answer.probabilities = Some(probabilities.each_ref().map(Ratio::in_full));
                let [first, second] = probabilities.each_ref().map(likely);
                writeln!(text, "   {first} in {one}, {second} in {two}: every outcome was tried")
            }
            Evidence::Counted { levels, of, error } => {
                (answer.counts, answer.seeds, answer.error_probability) = (Some(*levels), Some(*of), Some(*error));
                let [first, second] = levels;
                writeln!(
                    text,
                    "   in {first} of {of} levels of {one}, in {second} of {of} of {two}: \
                     chance alone does so with a probability below {error:e}"
                )
            }
        };
        let entry = |side: usize, example: &Example| {
            let picture = Picture::of(&example.level, self.levels[side].program.catalog());
            let (seed, draws) = match &example.with {
                MadeWith::Seed(seed) => (Some(*seed), None),
                MadeWith::Draws(draws) => (None, Some(draws.to_vec())),
            };
            ExampleEntry {
                seed,
                draws,
                fault: example.error.as_ref().map(|error| error.fault.to_string()),
                behind: example.steps.iter().map(|&step| self.place(side, step)).collect(),
                picture: picture.rows().map(|row| row.iter().map(|square| square.symbol).collect()).collect(),
            }
        };
        let entries = [entry(0, &examples[0]), entry(1, &examples[1])];
        // The side that has it more often, and the other, where something else may be at that place.
        let more = usize::from(!first_has_more(evidence));
        for side in [more, 1 - more] {
            let behind = entries[side].behind.join(", ");
            let is_by_statement = examples[side].steps.iter().any(|&step| step < self.levels[side].program.len());
            let _ = match (behind.is_empty(), side == more || fact.place.is_none()) {
                (true, _) => Ok(()),
                (false, true) => writeln!(text, "   made by {behind}"),
                (false, false) if is_by_statement => writeln!(text, "   in its place: what is made by {behind}"),
                (false, false) => Ok(()),
            };
        }
        if !also.is_empty() {
            let also: Vec<String> = also.iter().take(MOST_ALSO).map(ToString::to_string).collect();
            let _ = writeln!(text, "   they differ in this, too: {}", visible(&also.join("; ")));
        }
        answer.also = also.iter().map(FactEntry::new).collect();
        text.push('\n');
        text.push_str(&side_by_side(&entries, [one, two]));
        answer.examples = Some(entries);
        (Outcome::InputErrors, text)
    }

    fn not_decided(&self, undecided: &Undecided, answer: &mut Answer<'_>) -> (Outcome, String) {
        let Undecided { seeds, facts, power, together } = undecided;
        answer.verdict = "not decided";
        (answer.seeds, answer.facts) = (Some(*seeds), Some(*facts));
        (answer.found_if_never, answer.found_anywhere) = (power.never, power.anywhere);
        let mut text = format!(
            "not decided: {seeds} levels of each were compared in {facts} facts, none of which tells them apart\n"
        );
        let sure = 100.0 * (1.0 - splc_equivalence::OVERSIGHT_PROBABILITY);
        let _ = match (power.never, power.anywhere) {
            (None, _) => writeln!(text, "   so few levels tell nothing apart: try more --seeds"),
            (Some(never), anywhere) => {
                let between = match anywhere {
                    None => String::new(),
                    Some(anywhere) => format!(", or whose probabilities are {} apart", percent(anywhere)),
                };
                writeln!(
                    text,
                    "   found, with a certainty of {sure} %, would have been: whatever comes in {} of the levels of one and \
                     never in the other{between}",
                    percent(never)
                )
            }
        };
        let _ = writeln!(text, "   {}", self.how_together(together, answer));
        (Outcome::NotDecided, text)
    }

    fn together(&self, together: &Together, answer: &mut Answer<'_>) -> (Outcome, String) {
        let words = self.how_together(together, answer);
        let (outcome, verdict, text) = match together {
            Together::SameCode => {
                answer.proof = Some("same code");
                (Outcome::Fine, "proven", format!("proven the same, {words}\n"))
            }
            Together::Always { paths } => {
                answer.proof = Some("draw for draw");
                answer.paths = Some([*paths; 2]);
                (Outcome::Fine, "proven", format!("proven the same, {words}\n"))
            }
            Together::SoFar { .. } => (Outcome::NotDecided, "not decided", format!("not decided: {words}\n")),
            Together::Parted(_) => {
                (Outcome::InputErrors, "different", format!("not the same draw for draw: {words}\n"))
            }
        };
        answer.verdict = verdict;
        (outcome, text)
    }

    fn how_together(&self, together: &Together, answer: &mut Answer<'_>) -> String {
        match together {
            Together::SameCode => {
                format!("draw for draw: the same code for {}", self.sides[0].loaded.target.catalog().title)
            }
            Together::Always { paths } => format!("draw for draw: in each of {paths} ways of drawing"),
            Together::SoFar { seeds } => {
                answer.draw_for_draw = Some(*seeds);
                format!("draw for draw the same with each of {seeds} seeds")
            }
            Together::Parted(parting) => {
                let with = match &parting.with {
                    MadeWith::Seed(seed) => format!("seed {seed}"),
                    MadeWith::Draws(draws) => format!("the draws {draws:?}"),
                };
                let how = match &parting.kind {
                    PartingKind::Draw { number, first, second } => {
                        let draw = |side: usize, draw: &Option<(u32, usize)>| match draw {
                            Some((below, step)) => format!("draws below {below} ({})", self.place(side, *step)),
                            None => "draws no more".to_owned(),
                        };
                        let (one, two) = (draw(0, first), draw(1, second));
                        format!("after {number} draws, {} {one}, {} {two}", self.name(0), self.name(1))
                    }
                    PartingKind::Outcome(fact) => {
                        format!("the same draws, but only one has this: {}", visible(&fact.to_string()))
                    }
                };
                let words = format!("with {with}, they part: {how}");
                answer.parting = Some(words.clone());
                words
            }
        }
    }
}

/// Whether the first level has a fact more often.
fn first_has_more(evidence: &Evidence) -> bool {
    match evidence {
        Evidence::Exact { probabilities: [first, second] } => first > second,
        Evidence::Counted { levels: [first, second], .. } => first > second,
    }
}

/// A probability in words.
fn likely(ratio: &Ratio) -> String {
    match ratio {
        never if never.is_never() => "never".to_owned(),
        always if always.is_always() => "always".to_owned(),
        ratio => format!("with probability {ratio}"),
    }
}

fn percent(share: f64) -> String {
    // Rounded up: what is said is true of more.
    format!("{:.2} %", (share * 10_000.0).ceil() / 100.0)
}

/// Two pictures, without what is empty in both, beside or above each other.
fn side_by_side(entries: &[ExampleEntry; 2], names: [String; 2]) -> String {
    let filled =
        |entry: &ExampleEntry| -> Vec<Vec<char>> { entry.picture.iter().map(|row| row.chars().collect()).collect() };
    let pictures = entries.each_ref().map(filled);
    let squares = || pictures.iter().flat_map(|rows| rows.iter().enumerate());
    let busy: Vec<usize> = squares().filter(|(_, row)| row.iter().any(|&it| it != ' ')).map(|(y, _)| y).collect();
    let columns =
        || squares().flat_map(|(_, row)| row.iter().enumerate().filter(|&(_, &it)| it != ' ').map(|(x, _)| x));
    let (top, bottom) = (busy.iter().min().copied().unwrap_or(0), busy.iter().max().copied().unwrap_or(0));
    let (left, right) = (columns().min().unwrap_or(0), columns().max().unwrap_or(0));
    let titles = [0, 1].map(|side| {
        let how = match (entries[side].seed, &entries[side].fault) {
            (_, Some(fault)) => format!(": {fault}"),
            (Some(seed), None) => format!(", seed {seed}"),
            (None, None) => String::new(),
        };
        format!("{}{how}", names[side])
    });
    let width = (right - left + 1).max(titles[0].chars().count());
    let cut = |side: usize, y: usize| -> String {
        pictures[side].get(y).and_then(|row| row.get(left..=right)).unwrap_or_default().iter().collect()
    };
    let mut text = String::new();
    if width + GAP + (right - left + 1).max(titles[1].chars().count()) <= WIDTH {
        let _ = writeln!(text, "   {:width$}{:GAP$}{}", titles[0], "", titles[1]);
        for y in top..=bottom {
            let line = format!("   {:width$}{:GAP$}{}", cut(0, y), "", cut(1, y));
            let _ = writeln!(text, "{}", line.trim_end());
        }
    } else {
        for side in [0, 1] {
            let _ = writeln!(text, "   {}", titles[side]);
            for y in top..=bottom {
                let _ = writeln!(text, "{}", format!("   {}", cut(side, y)).trim_end());
            }
        }
    }
    text
}
