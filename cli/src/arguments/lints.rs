//! Diagnostic codes as arguments, and the combined effect of the options `-W`, `-D` and `-A`.

use clap::error::ErrorKind;
use clap::{ArgMatches, CommandFactory};
use splc_ir::diagnostic::{Code, Lint, LintLevel, LintLevels};

use super::Arguments;
use crate::options::codes::{code, unknown_code};

/// Combines the options `-W`, `-D` and `-A`. The last option for a lint wins.
///
/// # Errors
/// Fails for a name that is not the name of a lint.
pub fn levels(matches: &ArgMatches) -> Result<LintLevels, clap::Error> {
    let mut matches = matches;
    while let Some((_, inner)) = matches.subcommand() {
        matches = inner;
    }
    let mut requested = Vec::new();
    for (option, level) in [("warn", LintLevel::Warn), ("deny", LintLevel::Deny), ("allow", LintLevel::Allow)] {
        // `splc targets` and similar commands have no such options.
        let (Ok(Some(names)), Some(places)) = (
            matches.try_get_many::<String>(option),
            matches.try_contains_id(option).ok().and_then(|_| matches.indices_of(option)),
        ) else {
            continue;
        };
        requested.extend(places.zip(names).map(|(place, name)| (place, level, name)));
    }
    requested.sort_by_key(|&(place, ..)| place);
    let mut levels = LintLevels::default();
    for (_, level, name) in requested {
        for code in lints(name)? {
            levels.set(code, level);
        }
    }
    Ok(levels)
}

/// Returns the lints that `name` selects.
fn lints(name: &str) -> Result<Vec<Code>, clap::Error> {
    let all = Code::ALL.iter().copied();
    let problem = match (name, code(name)) {
        ("warnings", _) => return Ok(all.filter(|code| code.lint() == Lint::Warn).collect()),
        ("all", _) => return Ok(all.filter(|code| code.lint() != Lint::Fixed).collect()),
        (_, Some(code)) if code.lint() != Lint::Fixed => return Ok(vec![code]),
        (_, Some(code)) => {
            format!("{} ({}) is not a lint: its level cannot be changed", code.as_str(), code.name())
        }
        (_, None) => unknown_code(&format!("unknown lint '{name}'"), name, |code| code.lint() != Lint::Fixed),
    };
    Err(Arguments::command().error(ErrorKind::InvalidValue, problem))
}
