//! Diagnostic codes as arguments of the options `-W`, `-D` and `-A`.

use clap::error::ErrorKind;
use clap::{ArgMatches, CommandFactory};
use splc_ir::diagnostic::{Code, Lint, LintLevel};
use splc_ir::order::Order;

use super::Arguments;
use crate::options::codes::{code, unknown_code};

/// Returns the lints of the options `-W`, `-D` and `-A` in their order.
///
/// # Errors
/// Fails for a name that is not the name of a lint.
pub fn requested(matches: &ArgMatches) -> Result<Vec<(Code, LintLevel)>, clap::Error> {
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
    requested.order_by_key(|&(place, ..)| place);
    let mut single = Vec::new();
    for (_, level, name) in requested {
        single.extend(lints(name)?.into_iter().map(|code| (code, level)));
    }
    Ok(single)
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
