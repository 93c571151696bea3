//! `splc equiv`: compares two levels and decides whether they are equivalent.
//!
//! The VM ([`splc_vm::equivalence`]) finds the answer. This module runs it and prints the answer as text, pictures or
//! JSON.
//!
//! Exit codes: 0 proven, 1 different, 3 not decided; 2 if the levels cannot be compared, because of wrong usage or
//! errors in a file. Of several levels, the worst counts: 2, then 1, then 3.

use std::fmt::Write as _;
use std::num::{NonZeroU64, NonZeroUsize};
use std::path::PathBuf;

use clap::Args;
use serde::Serialize;
use splc_driver::games::Dialect;
use splc_driver::port::StandIns;
use splc_driver::port::verify::names_of_tables;
use splc_driver::{Loaded, Options, Runnable, Wanted, load};
use splc_equivalence::{
    self, Conditions, Difference, Evidence, Example, Fact, MadeWith, Names, PartingKind, Proof, Ratio, Together,
    Undecided, Verdict,
};
use splc_ir::catalog::Catalog;
use splc_ir::diagnostic::{Code, Diagnostic, LintLevels, did_you_mean};
use splc_ir::wording::{visible, wrapped};
use splc_picture::Picture;

use crate::input::{FilesOnDisk, Origin};
use crate::options::groups::{Sources, Surroundings};
use crate::options::values::dialect;
use crate::outcome::Outcome;
use crate::output::print;
use crate::port::read_names;
use crate::report::{Ending, MessageFormat, Reporter};
use crate::run::{settings, show};
use crate::wanted::wanted;
use crate::{progress, threads, width};

/// Most columns of two pictures that are printed side by side.
const WIDTH: usize = 120;

/// Most further differences that are printed. The JSON output has all of them.
const MOST_ALSO: usize = 3;

/// Blanks between two pictures.
const GAP: usize = 4;

/// `splc equiv`.
#[derive(Debug, Args)]
pub struct Arguments {
    /// What is compared: two des-files, level files or levels as JSON.
    #[command(flatten)]
    pub sources: Sources,

    /// Language of the second file [default: that of the first]
    #[arg(long, value_name = "DIALECT", value_parser = dialect)]
    pub second_dialect: Option<&'static Dialect>,

    /// Game of the second file [default: that of the first]
    #[arg(long, value_name = "TARGET")]
    pub second_target: Option<String>,

    /// Table of equal names in the two games, in the form of `splc port --map`; can be repeated
    #[arg(long, value_name = "FILE.toml")]
    pub names: Vec<PathBuf>,

    /// Only the level with this name; can be repeated [default: levels with equal names, or the only levels]
    #[arg(long = "level", value_name = "NAME")]
    pub levels: Vec<String>,

    /// Number of levels to run on each side, if not every outcome can be tried
    #[arg(long, value_name = "N", default_value = "10000")]
    pub seeds: NonZeroU64,

    /// First seed
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,

    /// How many runs may be spent on trying every way of drawing
    #[arg(long, value_name = "N", default_value_t = splc_equivalence::USUAL_PATHS)]
    pub paths: u64,

    /// Require the same draws and the same level on both sides, as from an exact translation
    #[arg(long)]
    pub draw_for_draw: bool,

    /// Number of threads [default: one per core]
    #[arg(long, value_name = "N")]
    pub threads: Option<NonZeroUsize>,

    /// The game around both levels.
    #[command(flatten)]
    pub surroundings: Surroundings,
}

/// Value of `schema` in every answer.
const SCHEMA: &str = "splc-equiv";

/// Format version. It is raised by every change that breaks readers; new keys do not.
const SCHEMA_VERSION: u32 = 1;

/// An answer as `splc equiv --message-format json` writes it.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename = "Equivalence"))]
pub(crate) struct Answer<'a> {
    /// Name of the format of this object.
    #[cfg_attr(feature = "schema", schemars(extend("const" = SCHEMA)))]
    schema: &'static str,
    /// Version of the format.
    #[cfg_attr(feature = "schema", schemars(extend("const" = SCHEMA_VERSION)))]
    version: u32,
    /// Names of the two levels.
    levels: [&'a str; 2],
    /// Targets of the two levels.
    games: [&'a str; 2],
    /// `proven`, `different` or `not decided`.
    verdict: &'static str,
    /// Type of proof: `same code`, `same statements`, `every outcome`, `all but chance` or `draw for draw`.
    proof: Option<&'static str>,
    /// Number of different finished levels, if every outcome was tried.
    outcomes: Option<u64>,
    /// Number of paths of draws in each level, if every outcome was tried.
    paths: Option<[u64; 2]>,
    /// The remaining difference in probability as an exact fraction, if every outcome was tried and the difference is
    /// negligible.
    apart: Option<String>,
    /// The fact that is more probable in one of them.
    fact: Option<FactEntry>,
    /// Further differences: for each other type of fact, the most significant one.
    also: Vec<FactEntry>,
    /// Probability of the fact in each level, as exact fractions.
    probabilities: Option<[String; 2]>,
    /// Number of runs of each level in which the fact was true, if it was counted.
    counts: Option<[u64; 2]>,
    /// Number of runs of each level, if facts were counted.
    seeds: Option<u64>,
    /// Upper bound of the probability that equivalent levels are reported as different.
    error_probability: Option<f64>,
    /// Number of facts that were compared.
    facts: Option<u64>,
    /// The smallest probability at which a fact of one level that is never true in the other would have been found.
    found_if_never: Option<f64>,
    /// The smallest difference of two probabilities of a fact that would have been found.
    found_anywhere: Option<f64>,
    /// Number of seeds on which they were the same, draw for draw.
    draw_for_draw: Option<u64>,
    /// Description of the point at which they diverge with the same draws.
    parting: Option<String>,
    /// The games for which the answer was found, if the levels query the game around them: "at depth 5".
    conditions: Vec<String>,
    /// Names in the tables of `--names` that these games do not have.
    unknown_names: Vec<String>,
    /// A finished level of each that shows the difference.
    examples: Option<[ExampleEntry; 2]>,
}

/// A fact about a finished level, true or false.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename = "Fact"))]
struct FactEntry {
    /// Its subject: `terrain`, `monster` and so on.
    about: &'static str,
    /// Column and row, for a fact about a square.
    place: Option<(i32, i32)>,
    /// The thing, e.g. the name of a monster.
    what: String,
    /// Number of such things.
    count: u32,
}

impl FactEntry {
    fn new(fact: &Fact) -> Self {
        let Fact { aspect, place, ref what, count } = *fact;
        FactEntry { about: aspect.as_str(), place, what: what.clone(), count }
    }
}

/// A finished level that shows a difference.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename = "Example"))]
struct ExampleEntry {
    /// The seed of the run.
    seed: Option<u64>,
    /// The draws of the run, if they do not come from a seed.
    draws: Option<Vec<u32>>,
    /// The fault that stopped the run.
    fault: Option<String>,
    /// The statements that cause the difference: file and line, or the number of the step.
    behind: Vec<String>,
    /// Rows of symbols as the game draws them.
    picture: Vec<String>,
}

/// A file of levels to compare.
struct Side {
    name: String,
    loaded: Loaded,
    /// Another game that the text looks like.
    meant: Option<&'static str>,
}

/// Runs the comparison.
pub fn run(arguments: &Arguments, lints: LintLevels) -> Outcome {
    Reporter::run(arguments.sources.message_format, arguments.sources.color, Ending::Checking, |reporter| {
        compare_all(arguments, lints, reporter)
    })
}

fn usage(message: impl Into<std::borrow::Cow<'static, str>>) -> Box<Diagnostic> {
    Box::new(Diagnostic::new(Code::Usage, None, message))
}

fn compare_all(arguments: &Arguments, lints: LintLevels, reporter: &mut Reporter) -> Result<Outcome, Box<Diagnostic>> {
    let [first, second]: &[PathBuf; 2] = arguments.sources.files.as_slice().try_into().map_err(|_| {
        let count = arguments.sources.files.len();
        usage(format!("expected two files, got {count}"))
    })?;
    let mut sides = Vec::new();
    let of_first = wanted(&arguments.sources)?;
    let of_second = second_wanted(arguments, &of_first)?;
    for (path, wanted) in [(first, of_first), (second, of_second)] {
        let origin = if path.as_os_str() == "-" { Origin::Standard } else { Origin::of(path) };
        let options = Options { wanted, lints: lints.clone() };
        let input = origin.read()?;
        let text = String::from_utf8_lossy(&input.bytes).into_owned();
        let loaded = load(input, &options, &mut FilesOnDisk).map_err(|problem| Box::new(problem.into()))?;
        let is_text = loaded.sources.document().is_none();
        let dialect = &loaded.target.catalog().dialect;
        let guess = is_text.then(|| splc_frontends::detect::looks_like_another(&text, dialect)).flatten();
        let meant = guess.map(|guess| splc_frontends::detect::title(guess.dialect));
        sides.push(Side { name: origin.name(), loaded, meant });
    }
    let mut erroneous = false;
    for side in &mut sides {
        erroneous |= side.loaded.diagnostics.has_errors();
        reporter.report(std::mem::take(&mut side.loaded.diagnostics), &side.loaded.sources);
    }
    if erroneous {
        return Ok(Outcome::Trouble);
    }
    let sides: [Side; 2] = sides.try_into().map_err(|_| usage("expected two files"))?;
    let Some(names) = names(arguments, &sides, reporter)? else { return Ok(Outcome::Trouble) };
    let mut outcome = Outcome::Fine;
    for pair in pairs(arguments, &sides)? {
        outcome = outcome.max(compare(arguments, &sides, pair, &names)?);
    }
    Ok(outcome)
}

/// Maps names of the first game to names of the second.
struct NamesOfBoth {
    names: Names,
    /// Names in the user's tables that these games do not have.
    unknown: Vec<String>,
}

/// Reads the tables given by the options. Returns `None` if one is invalid, which is reported.
fn names(
    arguments: &Arguments,
    sides: &[Side; 2],
    reporter: &mut Reporter,
) -> Result<Option<NamesOfBoth>, Box<Diagnostic>> {
    let [from, to] = sides.each_ref().map(|side| &**side.loaded.target.catalog());
    if arguments.names.is_empty() && from.name == to.name {
        return Ok(Some(NamesOfBoth { names: Names::new(), unknown: Vec::new() }));
    }
    let mut tables = StandIns::default();
    for path in &arguments.names {
        if read_names(path, &mut tables, reporter)?.is_none() {
            return Ok(None);
        }
    }
    let between = tables.replacements(from, to);
    Ok(Some(NamesOfBoth { names: names_of_tables(&between, from, to), unknown: between.unknown }))
}

/// Returns the game options for the second file. They default to those of the first.
fn second_wanted(arguments: &Arguments, first: &Wanted) -> Result<Wanted, Box<Diagnostic>> {
    if arguments.second_dialect.is_none() && arguments.second_target.is_none() {
        return Ok(first.clone());
    }
    let catalog = match &arguments.second_target {
        None => None,
        Some(name) => Some(first.catalogs.by_name(name).ok_or_else(|| {
            let problem = *usage(format!("unknown target {}", visible(name)));
            let known: Vec<_> = first.catalogs.iter().collect();
            let near = did_you_mean(name, known.iter().map(|catalog| catalog.name.as_ref()));
            Box::new(problem.with_help(near.unwrap_or_else(|| "`splc targets` lists the known games".to_owned())))
        })?),
    };
    let wanted = Wanted { dialect: arguments.second_dialect, catalog, matched: None, ..first.clone() };
    wanted.target().map(|_| ()).map_err(|problem| Box::new(problem.into()))?;
    Ok(wanted)
}

/// Returns the positions of the levels to compare.
fn pairs(arguments: &Arguments, sides: &[Side; 2]) -> Result<Vec<[usize; 2]>, Box<Diagnostic>> {
    let [first, second] = sides.each_ref().map(|side| &side.loaded.levels);
    let position = |levels: &[Runnable], name: &str| levels.iter().position(|level| level.name == name);
    if arguments.levels.is_empty() && first.len() == 1 && second.len() == 1 {
        return Ok(vec![[0, 0]]);
    }
    let missing = |name: &str, side: &Side| {
        let problem = *usage(format!("{} has no level \"{}\"", visible(&side.name), visible(name)));
        let known: Vec<&str> = side.loaded.levels.iter().map(|level| level.name.as_str()).collect();
        let near = did_you_mean(name, known.iter().copied());
        Box::new(problem.with_help(near.unwrap_or_else(|| format!("its levels are: {}", known.join(", ")))))
    };
    let both = |name: &str| {
        let one = position(first, name).ok_or_else(|| missing(name, &sides[0]))?;
        Ok([one, position(second, name).ok_or_else(|| missing(name, &sides[1]))?])
    };
    if !arguments.levels.is_empty() {
        return arguments.levels.iter().map(|name| both(name)).collect();
    }
    if let Some(alone) = second.iter().find(|level| position(first, &level.name).is_none()) {
        return Err(missing(&alone.name, &sides[0]));
    }
    first.iter().map(|level| both(&level.name)).collect()
}

fn compare(
    arguments: &Arguments,
    sides: &[Side; 2],
    at: [usize; 2],
    names: &NamesOfBoth,
) -> Result<Outcome, Box<Diagnostic>> {
    let [first, second] = [&sides[0].loaded.levels[at[0]], &sides[1].loaded.levels[at[1]]];
    let games = sides.each_ref().map(|side| &**side.loaded.target.catalog());
    if games[0].name != games[1].name && !arguments.surroundings.carried.is_empty() {
        return Err(usage("--carry needs levels of the same game"));
    }
    let options = splc_equivalence::Options {
        settings: settings::of(&arguments.surroundings, games[0])?,
        names: names.names.clone(),
        seeds: arguments.seeds.get(),
        first_seed: arguments.seed,
        paths: arguments.paths,
        given: settings::given(&arguments.surroundings),
        threads: threads::count(arguments.threads, arguments.seeds.get()),
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
        conditions: Vec::new(),
        unknown_names: names.unknown.clone(),
        examples: None,
    };
    let pair = Pair { sides, levels: [first, second] };
    let total = options.seeds.saturating_mul(if arguments.draw_for_draw { 1 } else { 3 });
    let (outcome, text) = if arguments.draw_for_draw {
        let together = progress::watched(total, &first.name, |progress| {
            splc_equivalence::draw_for_draw(&first.program, &second.program, &options, progress.counter())
        });
        pair.together(&together, &mut answer)
    } else {
        let verdict = progress::watched(total, &first.name, |progress| {
            splc_equivalence::compare(&first.program, &second.program, &options, progress.counter())
        });
        match verdict {
            Verdict::Proven(proof, conditions) => pair.proven(proof, &conditions, &mut answer),
            Verdict::Different(difference) => pair.different(&difference, &mut answer),
            Verdict::NotDecided(undecided) => pair.not_decided(&undecided, &mut answer),
        }
    };
    let said = match arguments.sources.message_format {
        // Numbers and texts always serialize.
        MessageFormat::Json => serde_json::to_string(&answer).unwrap_or_default() + "\n",
        _ => format!("{}: {text}{}", visible(&first.name), names.unused(games)),
    };
    Ok(outcome.max(print(&said)))
}

impl NamesOfBoth {
    /// Describes names in the tables that have no effect, e.g. because of a typo.
    fn unused(&self, [from, to]: [&Catalog; 2]) -> String {
        /// Most names that are listed.
        const MOST: usize = 5;
        if self.unknown.is_empty() {
            return String::new();
        }
        let named: Vec<_> = self.unknown.iter().take(MOST).map(|name| visible(name)).collect();
        let more = if self.unknown.len() > MOST { " and others" } else { "" };
        let (from, to) = (&from.title, &to.title);
        format!("   ignored in the table: {}{more}: {from} or {to} has no such name\n", named.join(", "))
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
            // The place includes the file name.
            Some(_) => show::place(program, step, sources),
            None => format!("{}: {}", self.name(side), show::step(program, step)),
        }
    }

    /// Describes the games for which an answer holds, and the rules of the game if they were not queried.
    fn conditions(&self, conditions: &Conditions, answer: &mut Answer<'_>) -> String {
        answer.conditions.clone_from(&conditions.fixed);
        let mut text = conditions.in_words().map_or(String::new(), |words| format!("   {words}\n"));
        let games = self.sides.each_ref().map(|side| &side.loaded.target.catalog().title);
        let files = [self.name(0), self.name(1)];
        for side in [0, 1] {
            let Some(meant) = self.sides[side].meant else { continue };
            let _ = writeln!(text, "   {} looks like {meant}, but ran by the rules of {}", files[side], games[side]);
        }
        text
    }

    fn proven(&self, proof: Proof, conditions: &Conditions, answer: &mut Answer<'_>) -> (Outcome, String) {
        answer.verdict = "proven";
        let mut text = match proof {
            Proof::SameCode => {
                answer.proof = Some("same code");
                format!("proven the same: the same code for {}\n", self.sides[0].loaded.target.catalog().title)
            }
            Proof::SameStatements => {
                answer.proof = Some("same statements");
                let any = if conditions.is_everywhere() { ", in any game" } else { "" };
                format!("proven the same: both have the same statements with the same probabilities{any}\n")
            }
            Proof::EveryOutcome { outcomes, paths } => {
                answer.proof = Some("every outcome");
                (answer.outcomes, answer.paths) = (Some(outcomes), Some(paths));
                let what = match outcomes {
                    1 => "both always generate the same level".to_owned(),
                    count => format!("both generate the same {count} levels with the same probabilities"),
                };
                format!("proven the same: {what}\n   every sequence of draws was tried: {}, {}\n", paths[0], paths[1])
            }
            Proof::AllBut { outcomes, paths, apart } => {
                answer.proof = Some("all but chance");
                (answer.outcomes, answer.paths, answer.apart) = (Some(outcomes), Some(paths), Some(apart.in_full()));
                format!(
                    "proven the same: both generate the same {outcomes} levels, with probabilities that differ by \
                     {apart} in total\n   every sequence of draws was tried: {}, {}\n",
                    paths[0], paths[1]
                )
            }
        };
        text += &self.conditions(conditions, answer);
        (Outcome::Fine, text)
    }

    fn different(&self, difference: &Difference, answer: &mut Answer<'_>) -> (Outcome, String) {
        let Difference { fact, evidence, examples, also, conditions, by_searches } = difference;
        answer.verdict = "different";
        answer.fact = Some(FactEntry::new(fact));
        let mut text = format!("different: {}\n", visible(&fact.to_string()));
        let [one, two] = [self.name(0), self.name(1)];
        let _ = match evidence {
            Evidence::Exact { probabilities } => {
                answer.probabilities = Some(probabilities.each_ref().map(Ratio::in_full));
                let [first, second] = probabilities.each_ref().map(likely);
                writeln!(text, "   {first} in {one}, {second} in {two}; every outcome was tried")
            }
            Evidence::Counted { levels, of, error } => {
                (answer.counts, answer.seeds, answer.error_probability) = (Some(*levels), Some(*of), Some(*error));
                let [first, second] = levels;
                writeln!(
                    text,
                    "   in {first} of {of} levels of {one}, in {second} of {of} of {two}: \
                     probability by chance below {error:e}"
                )
            }
        };
        if *by_searches {
            text.push_str(
                "   only because the loader draws a place so many times before it gives up or takes another one: with \
                 more tries, both would be the same\n",
            );
        }
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
        // First the side that has the fact more often, then the other, which may have something else at that place.
        let more = usize::from(!first_has_more(evidence));
        for side in [more, 1 - more] {
            let behind = entries[side].behind.join(", ");
            let is_by_statement = examples[side].steps.iter().any(|&step| step < self.levels[side].program.len());
            let _ = match (behind.is_empty(), side == more || fact.place.is_none()) {
                (true, _) => Ok(()),
                (false, true) => writeln!(text, "   created by {behind}"),
                (false, false) if is_by_statement => writeln!(text, "   in its place, created by {behind}"),
                (false, false) => Ok(()),
            };
        }
        if !also.is_empty() {
            let also: Vec<String> = also.iter().take(MOST_ALSO).map(ToString::to_string).collect();
            let _ = writeln!(text, "   other differences: {}", visible(&also.join("; ")));
        }
        answer.also = also.iter().map(FactEntry::new).collect();
        text += &self.conditions(conditions, answer);
        if entries[0].picture == entries[1].picture {
            text.push_str("   the difference does not show in a picture\n");
        } else {
            text.push('\n');
            text.push_str(&side_by_side(&entries, [one, two]));
        }
        answer.examples = Some(entries);
        (Outcome::InputErrors, text)
    }

    fn not_decided(&self, undecided: &Undecided, answer: &mut Answer<'_>) -> (Outcome, String) {
        let Undecided { seeds, facts, power, together, conditions } = undecided;
        answer.verdict = "not decided";
        (answer.seeds, answer.facts) = (Some(*seeds), Some(*facts));
        (answer.found_if_never, answer.found_anywhere) = (power.never, power.anywhere);
        let mut text = format!("not decided: {seeds} levels of each show no difference in {facts} facts\n");
        let sure = 100.0 * (1.0 - splc_equivalence::OVERSIGHT_PROBABILITY);
        let _ = match (power.never, power.anywhere) {
            (None, _) => writeln!(text, "   too few levels to find a difference: try more --seeds"),
            (Some(never), anywhere) => {
                let between = match anywhere {
                    None => String::new(),
                    Some(anywhere) => format!(", or with probabilities that differ by {}", percent(anywhere)),
                };
                let line = format!(
                    "   found with {sure} % certainty: anything in {} of the levels of one and never in the other{between}",
                    percent(never)
                );
                writeln!(text, "{}", width::terminal().map_or(line.clone(), |width| wrapped(&line, width, "   ")))
            }
        };
        let _ = writeln!(text, "   {}", self.how_together(together, answer));
        text += &self.conditions(conditions, answer);
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
            Together::Separated(_) => {
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
            Together::Always { paths } => format!("draw for draw: in each of {paths} sequences of draws"),
            Together::SoFar { seeds } => {
                answer.draw_for_draw = Some(*seeds);
                format!("draw for draw the same on each of {seeds} seeds")
            }
            Together::Separated(parting) => {
                let with = match &parting.with {
                    MadeWith::Seed(seed) => format!("seed {seed}"),
                    MadeWith::Draws(draws) => format!("the draws {draws:?}"),
                };
                let how = match &parting.kind {
                    PartingKind::Draw { number, first, second } => {
                        let draw = |side: usize, draw: &Option<(u32, usize)>| match draw {
                            Some((below, step)) => format!("draws below {below} ({})", self.place(side, *step)),
                            None => "makes no more draws".to_owned(),
                        };
                        let (one, two) = (draw(0, first), draw(1, second));
                        format!("after {number} draws, {} {one}, {} {two}", self.name(0), self.name(1))
                    }
                    PartingKind::Outcome(fact) => {
                        format!("the draws are the same, but only one has: {}", visible(&fact.to_string()))
                    }
                };
                let words = format!("they diverge with {with}: {how}");
                answer.parting = Some(words.clone());
                words
            }
        }
    }
}

/// Returns true if the first level has the fact more often.
fn first_has_more(evidence: &Evidence) -> bool {
    match evidence {
        Evidence::Exact { probabilities: [first, second] } => first > second,
        Evidence::Counted { levels: [first, second], .. } => first > second,
    }
}

/// Formats a probability.
fn likely(ratio: &Ratio) -> String {
    match ratio {
        never if never.is_never() => "never".to_owned(),
        always if always.is_always() => "always".to_owned(),
        ratio => format!("with probability {ratio}"),
    }
}

fn percent(share: f64) -> String {
    // Rounded up, since this is an upper bound.
    format!("{:.2} %", (share * 10_000.0).ceil() / 100.0)
}

/// Formats two pictures side by side or one above the other, without the area that is empty in both.
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
