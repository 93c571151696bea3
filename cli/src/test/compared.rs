//! `splc test --compare OLD NEW`: the rates of the findings in two versions of the same levels.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use splc_driver::Options;
use splc_driver::test::{Plan, test};
use splc_ir::diagnostic::{Code, Diagnostic, Diagnostics};
use splc_ir::wording::visible;
use splc_project::inputs::{Form, walk};

use super::{SEEDS, Test, needs, rates, read};
use crate::input::Origin;
use crate::interrupt;
use crate::outcome::Outcome;
use crate::output::print;
use crate::progress;
use crate::report::Reporter;
use crate::threads;

/// Greatest probability of chance at which a difference counts as certain.
const CERTAIN: f64 = 0.01;

/// The number of seeds with a lint, by level and code, and the number of seeds of each level.
#[derive(Debug, Default)]
struct Rates {
    seeds: BTreeMap<String, u64>,
    found: BTreeMap<(String, Code), u64>,
}

/// Compares the levels of `old` and `new` by their names, and prints a line for each lint of a level.
///
/// The rate of a lint in a level is that of its most frequent finding.
pub(super) fn compare(
    arguments: &Test,
    options: &Options,
    old: &Path,
    new: &Path,
    reporter: &mut Reporter,
) -> Result<Outcome, Box<Diagnostic>> {
    let mut outcome = Outcome::Fine;
    let before = rates_of(old, arguments, options, reporter, &mut outcome)?;
    let after = rates_of(new, arguments, options, reporter, &mut outcome)?;
    if interrupt::is_requested() {
        return Ok(Outcome::Interrupted);
    }
    let mut text = String::new();
    let mut worse = false;
    let keys: std::collections::BTreeSet<&(String, Code)> = before.found.keys().chain(after.found.keys()).collect();
    for key @ (level, code) in keys {
        let (Some(&of_old), Some(&of_new)) = (before.seeds.get(level), after.seeds.get(level)) else { continue };
        let (a, b) = (before.found.get(key).copied().unwrap_or(0), after.found.get(key).copied().unwrap_or(0));
        let chance = rates::same(a, of_old, b, of_new);
        let is_certain = chance < CERTAIN;
        let more = b as f64 / of_new.max(1) as f64 > a as f64 / of_old.max(1) as f64;
        let verdict = match (is_certain, more, b) {
            (false, ..) => "no certain difference",
            (true, false, 0) => "fixed",
            (true, false, _) => "rarer",
            (true, true, _) => "more frequent",
        };
        worse |= is_certain && more;
        text.push_str(&format!(
            "{}: {}: {a} of {of_old} seeds before, {b} of {of_new} after: {verdict} (p = {chance:.2e})\n",
            visible(level),
            code.name(),
        ));
    }
    for (levels, others, words) in [(&before, &after, "the old version"), (&after, &before, "the new version")] {
        for level in levels.seeds.keys().filter(|level| !others.seeds.contains_key(*level)) {
            text.push_str(&format!("{}: only in {words}\n", visible(level)));
        }
    }
    if text.is_empty() {
        text.push_str("no findings in either version\n");
    }
    let outcome = outcome.max(print(&text));
    Ok(if worse { outcome.max(Outcome::InputErrors) } else { outcome })
}

/// Returns the file at `path`, or the levels in the folder.
fn levels_at(path: &Path) -> Result<Vec<PathBuf>, Box<Diagnostic>> {
    if !path.is_dir() {
        return Ok(vec![path.to_owned()]);
    }
    let found = walk(path, &|file| Form::Sources.selects(file) || Form::LevelFiles.selects(file))?;
    if found.is_empty() {
        let message = format!("no levels in {}", visible(&path.display().to_string()));
        return Err(Box::new(Diagnostic::new(Code::Usage, None, message)));
    }
    Ok(found)
}

/// Tests the levels of a file or folder.
fn rates_of(
    path: &Path,
    arguments: &Test,
    options: &Options,
    reporter: &mut Reporter,
    outcome: &mut Outcome,
) -> Result<Rates, Box<Diagnostic>> {
    let seeds = arguments.seeds.clone().unwrap_or(1..=SEEDS);
    let total = (seeds.end() - seeds.start()).saturating_add(1);
    let threads = threads::count(arguments.threads, total);
    let mut rates = Rates::default();
    for origin in Origin::list(&levels_at(path)?) {
        let (loaded, settings, dungeon) = read(&origin, arguments, options, reporter, outcome)?;
        for level in loaded.levels.iter().filter(|level| arguments.wants(&level.name)) {
            let needs = needs(&loaded, level, dungeon.as_ref());
            let plan =
                Plan { settings: settings.clone(), seeds: seeds.clone(), threads, needs, vary: Default::default() };
            let found =
                progress::watched(total, &level.name, |progress| test(&loaded, level, &plan, &options.lints, progress));
            if interrupt::is_requested() {
                return Ok(rates);
            }
            let name = level.name.to_string();
            rates.seeds.insert(name.clone(), total);
            for found in found {
                let count = rates.found.entry((name.clone(), found.diagnostic.code)).or_default();
                *count = (*count).max(found.seeds);
            }
        }
    }
    // An empty report ends the lines about this version.
    reporter.report(Diagnostics::new(), &splc_ir::source::SourceMap::new());
    Ok(rates)
}
