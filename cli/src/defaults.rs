//! Completes the options of a command with the settings of the project. An option of the command line always wins.

use std::ffi::OsStr;
use std::fs;
use std::ops::RangeInclusive;
use std::path::PathBuf;

use clap::parser::ValueSource;
use clap::{ArgMatches, ValueEnum};
use splc_driver::output::{self, Output};
use splc_ir::diagnostic::{Code, Diagnostic, LintLevel, LintLevels, did_you_mean};
use splc_project::inputs::{Form, expand};
use splc_project::{Project, Value};

use crate::arguments::{Action, Arguments};
use crate::findings::Findings;
use crate::options::groups::{DungeonFile, Sources, Surroundings, Writing};
use crate::options::values;
use crate::outcome::Outcome;
use crate::project::{self, Known, Trouble};
use crate::report::{Ending, MessageFormat, Reporter};

/// The options of a command that a project completes.
struct Slots<'a> {
    sources: &'a mut Sources,
    /// Form of the files in a folder; `None` if the command takes no folders.
    form: Option<Form>,
    /// True if the project's files are the default.
    takes_all: bool,
    writing: Option<&'a mut Writing>,
    dungeon: Option<&'a mut DungeonFile>,
    findings: Option<&'a mut Findings>,
    surroundings: Option<&'a mut Surroundings>,
    seeds: Option<&'a mut Option<RangeInclusive<u64>>>,
    game: Option<&'a mut Option<PathBuf>>,
    /// True for `splc test`.
    tests: bool,
    /// True for `splc fmt`.
    formats: bool,
}

impl<'a> Slots<'a> {
    fn new(sources: &'a mut Sources, form: Option<Form>) -> Self {
        Slots {
            sources,
            form,
            takes_all: form == Some(Form::Sources),
            writing: None,
            dungeon: None,
            findings: None,
            surroundings: None,
            seeds: None,
            game: None,
            tests: false,
            formats: false,
        }
    }

    /// Returns the slots of a command, or `None` if a project has nothing for it.
    fn of(arguments: &'a mut Arguments) -> Option<Self> {
        let levels = Some(Form::Sources);
        Some(match &mut arguments.action {
            None => {
                let compile = &mut arguments.compile;
                Slots { writing: Some(&mut compile.writing), ..Slots::new(&mut compile.sources, levels) }
            }
            Some(Action::Check(check)) => Slots {
                dungeon: Some(&mut check.dungeon),
                findings: Some(&mut check.findings),
                ..Slots::new(&mut check.sources, levels)
            },
            Some(Action::Test(test)) => Slots {
                dungeon: Some(&mut test.dungeon),
                findings: Some(&mut test.treatment),
                surroundings: Some(&mut test.surroundings),
                seeds: Some(&mut test.seeds),
                tests: true,
                ..Slots::new(&mut test.sources, levels)
            },
            Some(Action::Run(run)) => Slots {
                dungeon: Some(&mut run.dungeon),
                surroundings: Some(&mut run.surroundings),
                ..Slots::new(&mut run.sources, levels)
            },
            Some(Action::Preview(preview)) => Slots {
                dungeon: Some(&mut preview.dungeon),
                surroundings: Some(&mut preview.surroundings),
                ..Slots::new(&mut preview.sources, levels)
            },
            Some(Action::Install(install)) => {
                Slots { game: Some(&mut install.game), ..Slots::new(&mut install.sources, levels) }
            }
            Some(Action::Format(format)) => Slots { formats: true, ..Slots::new(&mut format.sources, levels) },
            Some(Action::Fix(fix)) => Slots::new(&mut fix.sources, levels),
            Some(Action::Conform(conform)) => Slots::new(&mut conform.sources, levels),
            Some(Action::Port(port)) => Slots::new(&mut port.sources, levels),
            Some(Action::Decompile(decompile)) => Slots::new(&mut decompile.sources, Some(Form::LevelFiles)),
            Some(Action::Diff(diff)) => {
                Slots { surroundings: Some(&mut diff.surroundings), ..Slots::new(&mut diff.sources, None) }
            }
            Some(Action::Equivalence(equivalence)) => Slots::new(&mut equivalence.sources, None),
            Some(Action::Dungeon(dungeon)) => Slots::new(dungeon.sources_mut(), None),
            Some(_) => return None,
        })
    }
}

/// Completes the options of a command with those of the project, expands folders and globs, and returns the levels of
/// lints: those of the project with the `requested` ones after them. Mistakes are reported.
///
/// # Errors
/// The outcome of the run, if there are mistakes.
pub fn apply(
    arguments: &mut Arguments,
    matches: &ArgMatches,
    requested: &[(Code, LintLevel)],
) -> Result<LintLevels, Outcome> {
    let with_requested = |mut levels: LintLevels| {
        requested.iter().for_each(|&(code, level)| levels.set(code, level));
        levels
    };
    let usual = with_requested(LintLevels::default());
    let Some(mut slots) = Slots::of(arguments) else { return Ok(usual) };
    let (format, color) = (slots.sources.message_format, slots.sources.color);
    let mut innermost = matches;
    while let Some((_, inner)) = innermost.subcommand() {
        innermost = inner;
    }
    let given = |id: &str| {
        let source = innermost.try_contains_id(id).ok().and_then(|_| innermost.value_source(id));
        source == Some(ValueSource::CommandLine)
    };
    let completed = project::of(&slots.sources.project, &slots.sources.files).and_then(|known| {
        let Some(Known { project, sources }) = known else {
            expand_files(&mut slots, None)?;
            return Ok(usual);
        };
        let about = |problem: Box<Diagnostic>| Trouble::at(&sources, *problem);
        complete(&mut slots, &project, &given).map_err(about)?;
        expand_files(&mut slots, Some(&project)).map_err(about)?;
        let mut levels = with_requested(project.lints());
        if !project.settings.files.is_empty() {
            for file in &slots.sources.files {
                if let Some(own) = project.lints_of(file) {
                    let place = fs::canonicalize(file).unwrap_or_else(|_| file.clone());
                    levels.set_for(place, with_requested(own));
                }
            }
        }
        Ok(levels)
    });
    completed.map_err(|trouble| {
        let mut reporter = Reporter::new(format, color);
        trouble.report(&mut reporter);
        reporter.finish(Ending::Checking);
        Outcome::Trouble
    })
}

/// Replaces folders and globs by their files, and no files by those of the project.
fn expand_files(slots: &mut Slots<'_>, project: Option<&Project>) -> Result<(), Box<Diagnostic>> {
    let Some(form) = slots.form else { return Ok(()) };
    let named = &slots.sources.files;
    if let (true, true, Some(project)) = (named.is_empty(), slots.takes_all, project)
        && let Some(files) = project.sources()?
    {
        if files.is_empty() {
            let first = &project.settings.sources[0];
            return Err(Box::new(project.wrong(first, "`sources` selects no file", None)));
        }
        slots.sources.files = files;
    } else {
        let expanded = expand(named, form, project)?;
        if expanded.len() == named.len() {
            slots.sources.files = expanded;
            return Ok(());
        }
        slots.sources.files = expanded;
    }
    if let (true, Some(project)) = (slots.formats, project) {
        slots.sources.files.retain(|file| !project.is_unformatted(file));
    }
    Ok(())
}

/// Sets the options that the command line does not have.
fn complete(slots: &mut Slots<'_>, project: &Project, given: &dyn Fn(&str) -> bool) -> Result<(), Box<Diagnostic>> {
    let settings = &project.settings;
    let at = |value: &Value<String>| project.at(value.get_ref());
    complete_game(slots.sources, project);
    if let (Some(name), false) = (&settings.message_format, given("message_format")) {
        slots.sources.message_format = MessageFormat::from_str(name.get_ref(), false).map_err(|_| {
            let known: Vec<_> =
                MessageFormat::value_variants().iter().filter_map(ValueEnum::to_possible_value).collect();
            let near = did_you_mean(name.get_ref(), known.iter().map(|value| value.get_name()));
            Box::new(project.wrong(name, format!("unknown format \"{}\"", name.get_ref()), near))
        })?;
    }
    if let Some(writing) = &mut slots.writing {
        if let (Some(name), false) = (&settings.emit, given("emit")) {
            writing.emit = Output::by_name(output::LEVELS, name.get_ref()).ok_or_else(|| {
                let near = did_you_mean(name.get_ref(), output::LEVELS.iter().map(|output| output.name));
                Box::new(project.wrong(name, format!("unknown output format \"{}\"", name.get_ref()), near))
            })?;
        }
        if let (Some(folder), None) = (&settings.output, &writing.output) {
            // A path that ends in a separator is a folder, even if it does not exist yet.
            writing.output = Some(at(folder).join(OsStr::new("")));
        }
    }
    if let (Some(dungeon), Some(file)) = (&mut slots.dungeon, &settings.dungeon_file) {
        dungeon.file.get_or_insert_with(|| at(file));
    }
    let baseline = if slots.tests { &settings.test.baseline } else { &settings.baseline };
    if let (Some(findings), Some(file)) = (&mut slots.findings, baseline)
        && findings.write_baseline.is_none()
    {
        findings.baseline.get_or_insert_with(|| at(file));
    }
    if let (Some(game), Some(folder)) = (&mut slots.game, &settings.game) {
        game.get_or_insert_with(|| at(folder));
    }
    if let Some(seeds) = &mut slots.seeds
        && seeds.is_none()
    {
        **seeds = project::seeds(project)?;
    }
    if let Some(around) = &mut slots.surroundings {
        project::complete_surroundings(around, project)?;
    }
    Ok(())
}

/// Sets the game, unless an option of the command line names one. The project's catalogs are known in any case.
fn complete_game(sources: &mut Sources, project: &Project) {
    let settings = &project.settings;
    let at = |value: &Value<String>| project.at(value.get_ref());
    let catalogs = settings.catalogs.iter().map(at);
    let named = sources.target.is_some() || sources.dialect.is_some() || sources.matched.is_some();
    if named || !sources.catalogs.files.is_empty() {
        sources.catalogs.others.extend(catalogs);
        return;
    }
    // With another game named, the catalogs are known, and none of them is the target.
    match settings.dialect.is_some() && settings.target.is_none() {
        true => sources.catalogs.others.extend(catalogs),
        false => sources.catalogs.files.extend(catalogs),
    }
    sources.target = settings.target.as_ref().map(|name| name.get_ref().clone());
    // The names were checked when the project was read.
    sources.dialect = settings.dialect.as_ref().and_then(|name| values::dialect(name.get_ref()).ok());
    sources.matched = settings.r#match.as_ref().map(at);
    if sources.abi.is_none() {
        sources.abi = settings.abi.as_ref().and_then(|name| values::machine(name.get_ref()).ok());
    }
    sources.game_is_default = true;
}
