//! `splc install` and `splc uninstall`: installs levels from des-files into a game with one command, and undoes it.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use splc_driver::output::{self, LEVEL_FILE};
use splc_driver::{Compiler, Input, Options, Target, Wanted, dungeon, vaults};
use splc_frontends::dungeon::{self as frontend, Stage};
use splc_game::depths::{Problem, depths};
use splc_game::install::{Change, DUNGEON, EXTENSION, Error, Fillers, Folder, How, NewLevel, plan};
use splc_ir::diagnostic::{Code, Diagnostic, Diagnostics, LintLevels};
use splc_ir::dungeon::{Connection, Description, Direction, check};
use splc_ir::source::SourceMap;
use splc_ir::wording::visible;

use crate::input::{FilesOnDisk, Origin};
use crate::options::groups::Sources;
use crate::outcome::Outcome;
use crate::output::print;
use crate::report::{ColorChoice, Ending, MessageFormat, Reporter};
use crate::trouble::Trouble;
use crate::wanted::wanted;

/// `splc install`.
#[derive(Debug, Args)]
pub struct Install {
    /// What is read.
    #[command(flatten)]
    pub sources: Sources,

    /// Folder of the game: with nhdat, or with separate dungeon and level files [default: `game` in splc.toml]
    #[arg(long, value_name = "DIR")]
    pub game: Option<PathBuf>,

    /// Level of the game to replace [default: the level with the same name]
    #[arg(long = "as", value_name = "LEVEL", conflicts_with_all = ["dungeon", "branch"])]
    pub instead: Option<String>,

    /// Add the level as one more variant, of which the game chooses one at random
    #[arg(long, conflicts_with_all = ["dungeon", "branch"])]
    pub random_versions: bool,

    /// Dungeon to add the level to; with --branch, the name of a new one
    #[arg(long, value_name = "NAME", requires = "at")]
    pub dungeon: Option<String>,

    /// First possible level in the dungeon, and number of levels to choose from, e.g. 5,3
    #[arg(long, value_name = "BASE,RANDOM", value_parser = place, allow_hyphen_values = true, requires = "dungeon")]
    pub at: Option<(i32, i32)>,

    /// Chance in percent that the level exists
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = clap::value_parser!(i32).range(1..=100))]
    pub chance: i32,

    /// Build a new dungeon from the levels, with a branch from this dungeon
    #[arg(long, value_name = "NAME", requires = "dungeon")]
    pub branch: Option<String>,

    /// Connection of the branch
    #[arg(long, value_name = "HOW", value_enum, default_value_t = BranchKind::Stair, requires = "branch")]
    pub connection: BranchKind,

    /// Make the branch lead up
    #[arg(long, requires = "branch")]
    pub up: bool,

    /// Number of levels of the new dungeon; levels without a des-file are fillers
    #[arg(long, value_name = "N", requires = "filler", value_parser = clap::value_parser!(i32).range(1..=99))]
    pub levels: Option<i32>,

    /// Level to fill the new dungeon with; the last of the other levels is at its far end
    #[arg(long, value_name = "LEVEL", requires_all = ["branch", "levels"])]
    pub filler: Option<String>,

    /// Use this dungeon.def instead of the game's compiled dungeon
    #[arg(long, value_name = "FILE")]
    pub dungeon_def: Option<PathBuf>,

    /// Show what would change, without changing it
    #[arg(long)]
    pub dry_run: bool,
}

/// What a branch is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum BranchKind {
    /// Stairs at both ends
    Stair,
    /// Stairs at the upper end only
    NoUp,
    /// Stairs at the lower end only
    NoDown,
    /// A magic portal at both ends
    Portal,
}

/// `splc uninstall`.
#[derive(Debug, Args)]
pub struct Uninstall {
    /// Folder of the game
    #[arg(long, value_name = "DIR")]
    pub game: PathBuf,

    /// Show what would change, without changing it
    #[arg(long)]
    pub dry_run: bool,

    /// Format of the diagnostics
    #[arg(long, value_name = "FORMAT", value_enum, default_value_t = MessageFormat::Human)]
    pub message_format: MessageFormat,

    /// Color the output
    #[arg(long, value_name = "WHEN", value_enum, default_value_t = ColorChoice::Auto)]
    pub color: ColorChoice,
}

fn place(text: &str) -> Result<(i32, i32), String> {
    let numbers: Vec<&str> = text.split(',').collect();
    let number = |text: &str| text.trim().parse::<i32>().map_err(|_| format!("'{text}' is not a number"));
    match numbers.as_slice() {
        [base] => Ok((number(base)?, 0)),
        [base, random] => Ok((number(base)?, number(random)?)),
        _ => Err("write BASE,RANDOM: the first level and the number of levels, e.g. 5,3".to_owned()),
    }
}

/// `splc install`.
pub fn install(arguments: &Install, lints: LintLevels) -> Outcome {
    let mut reporter = Reporter::new(arguments.sources.message_format, arguments.sources.color);
    let outcome = match act(arguments, lints, &mut reporter) {
        Ok(text) => text.map_or(Outcome::InputErrors, |text| print(&text)),
        Err(Trouble(problem, outcome)) => {
            reporter.report_alone(*problem);
            outcome
        }
    };
    reporter.finish(Ending::Writing);
    outcome
}

/// `splc uninstall`.
pub fn uninstall(arguments: &Uninstall) -> Outcome {
    let mut reporter = Reporter::new(arguments.message_format, arguments.color);
    let done = Folder::open(&arguments.game).and_then(|folder| {
        let place = folder.place().display().to_string();
        if arguments.dry_run {
            return Ok((place, folder.taken_back()?));
        }
        let folder = folder.lock()?;
        let changed = folder.taken_back()?;
        folder.restore()?;
        Ok((place, changed))
    });
    let outcome = match done {
        Ok((place, changed)) => {
            let verb = if arguments.dry_run { "would be" } else { "is" };
            let mut text = format!("{} {verb} restored\n", visible(&place));
            for name in changed {
                text.push_str(&format!("  {} {verb} restored\n", visible(&name)));
            }
            print(&text)
        }
        Err(error) => {
            let Trouble(problem, outcome) = error.into();
            reporter.report_alone(*problem);
            outcome
        }
    };
    reporter.finish(Ending::Writing);
    outcome
}

/// Installs the levels, and describes the changes. Returns `None` if there were errors, which are reported.
fn act(arguments: &Install, lints: LintLevels, reporter: &mut Reporter) -> Result<Option<String>, Trouble> {
    let Some(game) = &arguments.game else {
        let problem = Diagnostic::new(Code::Usage, None, "unknown folder of the game");
        return Err(Box::new(problem.with_help("name it with --game DIR, or as `game` in splc.toml")).into());
    };
    let folder = Folder::open(game)?;
    // The inputs are read before the game is locked, because that may take as long as the user types.
    let inputs: Result<Vec<Input>, _> = Origin::list(&arguments.sources.files).iter().map(Origin::read).collect();
    let inputs = inputs?;
    if arguments.dry_run {
        return planned(arguments, lints, inputs, &folder, reporter).map(|plan| plan.map(|(text, _)| text));
    }
    let folder = folder.lock()?;
    let Some((mut text, changes)) = planned(arguments, lints, inputs, &folder, reporter)? else { return Ok(None) };
    if let Some(changes) = changes {
        folder.apply(&changes)?;
        let kept = folder.kept().display().to_string();
        text.push_str(&format!("  the original is kept as {}; `splc uninstall` restores it\n", visible(&kept)));
    }
    Ok(Some(text))
}

/// The description of an installation, and its changes, unless there are none or there must not be any.
type Planned = (String, Option<Vec<Change>>);

/// Compiles `inputs`, and plans their installation. Returns `None` if there were errors, which are reported.
fn planned(
    arguments: &Install,
    lints: LintLevels,
    inputs: Vec<Input>,
    folder: &Folder,
    reporter: &mut Reporter,
) -> Result<Option<Planned>, Trouble> {
    let Some(compiled) = folder.read(DUNGEON)? else { return Err(Error::NoGame(folder.place().to_owned()).into()) };
    let name = format!("{}: {DUNGEON}", folder.place().display());
    let wanted = wanted(&arguments.sources)?;
    let (target, read) = dungeon::compiled(&compiled, &wanted).ok_or_else(|| {
        let problem = Diagnostic::new(Code::Damaged, None, format!("{} belongs to no known game", visible(&name)));
        Trouble(Box::new(problem.with_help("`splc targets` lists the known games")), Outcome::InputErrors)
    })?;
    let file = read.map_err(|mut problem| {
        problem.span = None;
        problem.message = format!("{}: {}", visible(&name), problem.message).into();
        Trouble(Box::new(problem), Outcome::InputErrors)
    })?;
    let (known, given) = match &arguments.dungeon_def {
        None => (file.description, false),
        Some(path) => match described(path, &target, &lints, reporter)? {
            Some(description) => (description, true),
            None => return Ok(None),
        },
    };

    let Some((levels, mut changes)) = compile(arguments, lints, inputs, folder, &compiled, &target, reporter)? else {
        return Ok(None);
    };
    let plan = plan(folder, &known, &target.catalog().dungeon, &levels, &how(arguments, &levels)?)?;
    changes.extend(plan.changes);
    let mut notes = plan.notes;
    let changed = plan.dungeon.or_else(|| given.then(|| known.clone()));
    if let Some(changed) = changed {
        if !sound(&changed, &known, &target, reporter, &mut notes) {
            return Ok(None);
        }
        let bytes = dungeon::write(&changed, &output::DUNGEON, &target)
            .map_err(|problem| Trouble(Box::new(problem), Outcome::InputErrors))?;
        if bytes != compiled {
            notes.push(format!("{DUNGEON} is recompiled ({} bytes instead of {})", bytes.len(), compiled.len()));
        }
        changes.push(Change { name: DUNGEON.to_owned(), bytes: Some(bytes) });
    }
    changes.extend(plan.leftovers);

    let mut text = format!("{} in {}:\n", target.catalog().title, visible(&folder.place().display().to_string()));
    if folder.is_done(&changes)? {
        text.push_str("  already installed; nothing is changed\n");
        return Ok(Some((text, None)));
    }
    for note in notes {
        text.push_str(&format!("  {}\n", visible(&note)));
    }
    if arguments.dry_run {
        text.push_str("  dry run: nothing is changed\n");
        return Ok(Some((text, None)));
    }
    Ok(Some((text, Some(changes))))
}

/// Returns the type of installation that the options select.
fn how(arguments: &Install, levels: &[NewLevel]) -> Result<How, Trouble> {
    let Install { dungeon, at, branch, .. } = arguments;
    Ok(match (dungeon, at, branch) {
        (Some(dungeon), Some(at), None) => How::Add { dungeon: dungeon.clone(), at: *at, chance: arguments.chance },
        (Some(dungeon), Some(at), Some(from)) => How::Branch {
            dungeon: dungeon.clone(),
            from: from.clone(),
            at: *at,
            connection: match arguments.connection {
                BranchKind::Stair => Connection::Stair,
                BranchKind::NoUp => Connection::NoUp,
                BranchKind::NoDown => Connection::NoDown,
                BranchKind::Portal => Connection::Portal,
            },
            direction: if arguments.up { Direction::Up } else { Direction::Down },
            fillers: match (&arguments.filler, arguments.levels) {
                (Some(level), Some(size)) => Some(Fillers { level: level.clone(), size }),
                _ => None,
            },
        },
        _ => {
            let name = arguments.instead.clone().or_else(|| levels.first().map(|level| level.name.clone()));
            let name = name.ok_or_else(|| {
                let problem = Diagnostic::new(Code::NoLevel, None, "no level to install");
                Trouble(Box::new(problem), Outcome::InputErrors)
            })?;
            if arguments.random_versions { How::Variant(name) } else { How::As(name) }
        }
    })
}

/// Reads the description in the dungeon.def at `path`.
fn described(
    path: &std::path::Path,
    target: &Target,
    lints: &LintLevels,
    reporter: &mut Reporter,
) -> Result<Option<Description>, Trouble> {
    let input = Origin::File(path.to_owned()).read()?;
    let mut sources = SourceMap::new();
    let file = sources.add(input.name, input.place, input.bytes);
    let mut diagnostics = Diagnostics::with_lints(lints.clone());
    let description = frontend::parse(&sources, file, Stage::Written, target.catalog(), &mut diagnostics);
    check::check(&description, target.catalog(), &mut diagnostics);
    let failed = diagnostics.has_errors();
    reporter.report(diagnostics, &sources);
    Ok((!failed).then_some(description))
}

/// Compiled levels, and the other files that change with them.
type Compiled = (Vec<NewLevel>, Vec<Change>);

/// Compiles the des-files. Returns the levels, and the list of random vaults if it grows. Returns `None` if there are
/// errors.
fn compile(
    arguments: &Install,
    lints: LintLevels,
    inputs: Vec<Input>,
    folder: &Folder,
    compiled: &[u8],
    target: &Target,
    reporter: &mut Reporter,
) -> Result<Option<Compiled>, Trouble> {
    let (catalog, catalogs) = (Some(target.catalog().clone()), arguments.sources.catalogs.known.clone());
    let wanted = Wanted { catalog, catalogs, abi: Some(target.abi()), ..Wanted::default() };
    // Level files have the same version header as the dungeon.
    let wanted =
        wanted.matching(compiled, DUNGEON).map_err(|problem| Trouble::from(Box::<Diagnostic>::new(problem.into())))?;
    let mut compiler = Compiler::new(&LEVEL_FILE, Options { wanted, lints });
    let mut failed = false;
    for input in inputs {
        let judged = compiler.compile(input, &mut FilesOnDisk);
        let mut judged = judged.map_err(|problem| Trouble::from(Box::<Diagnostic>::new(problem.into())))?;
        failed |= judged.diagnostics.has_errors();
        offer_port(&mut judged.diagnostics, target);
        reporter.report(judged.diagnostics, &judged.sources);
    }
    if failed {
        return Ok(None);
    }
    let made = compiler.finish();
    let mut changes = Vec::new();
    if !made.vaults.is_empty() {
        let existing = folder.read(vaults::FILE_NAME)?.unwrap_or_default();
        let bytes = vaults::update(&existing, &made.vaults);
        changes.push(Change { name: vaults::FILE_NAME.to_owned(), bytes: Some(bytes) });
    }
    let level = |file: splc_driver::File| NewLevel {
        name: file.name.strip_suffix(EXTENSION).unwrap_or(&file.name).to_owned(),
        bytes: file.bytes,
    };
    Ok(Some((made.files.into_iter().map(level).collect(), changes)))
}

/// Offers to port a level for another game: the game that is there cannot be chosen.
fn offer_port(diagnostics: &mut Diagnostics, target: &Target) {
    let catalog = target.catalog();
    let is_of_another =
        |diagnostic: &&mut Diagnostic| matches!(diagnostic.code, Code::OtherDialect | Code::WrongDialect);
    if let Some(diagnostic) = diagnostics.iter_mut().find(is_of_another) {
        diagnostic.notes.push(format!(
            "the game in the folder is {}: port the level with `splc port --to {}`, and install the result",
            catalog.title, catalog.name
        ));
    }
}

/// Returns true if the game can start with the dungeon `changed`, ignoring problems that `known`, the game's own
/// dungeon, already has. Reports all other problems, and adds to `notes` what could not be examined.
fn sound(
    changed: &Description,
    known: &Description,
    target: &Target,
    reporter: &mut Reporter,
    notes: &mut Vec<String>,
) -> bool {
    let mut diagnostics = Diagnostics::new();
    check::check(changed, target.catalog(), &mut diagnostics);
    // Problems of the game's own dungeon are not reported again.
    let mut before = Diagnostics::new();
    check::check(known, target.catalog(), &mut before);
    let known_messages: Vec<_> = before.iter().map(|diagnostic| diagnostic.message.clone()).collect();
    diagnostics.retain(|diagnostic| !known_messages.contains(&diagnostic.message));
    match depths(changed, &target.catalog().dungeon) {
        Err(problem @ Problem::GameEnds(_)) if depths(known, &target.catalog().dungeon).is_ok() => {
            diagnostics.push(Diagnostic::new(Code::GameEnds, None, problem.to_string()));
        }
        Err(problem @ Problem::TooManyWays(_)) => notes.push(problem.to_string()),
        _ => {}
    }
    let sound = !diagnostics.has_errors();
    for mut diagnostic in diagnostics.into_vec() {
        diagnostic.span = None;
        diagnostic.labels.clear();
        reporter.report_alone(diagnostic);
    }
    sound
}
