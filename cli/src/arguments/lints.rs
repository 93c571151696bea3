//! Diagnostic codes as arguments, and the combined effect of the options `-W`, `-D` and `-A`.

use clap::error::ErrorKind;
use clap::{ArgMatches, CommandFactory};
use splc_ir::diagnostic::{Code, Lint, LintLevel, LintLevels, did_you_mean};

use super::Arguments;

/// Parses a code or name of a diagnostic.
///
/// # Errors
/// Returns a message if no diagnostic has that name.
pub fn any_code(name: &str) -> Result<Code, String> {
    code(name).ok_or_else(|| {
        // The letter for error, warning or note is the part people remember worst.
        let number = name.get(1..).filter(|number| number.len() == 4);
        let same_number = Code::ALL.iter().find(|code| number.is_some_and(|number| code.as_str().ends_with(number)));
        match same_number {
            Some(code) => format!("unknown diagnostic; did you mean \"{}\"?", code.as_str()),
            None => unknown_code("unknown diagnostic", name, |_| true),
        }
    })
}

/// Finds a code by its name or its number.
fn code(name: &str) -> Option<Code> {
    Code::ALL.iter().copied().find(|code| code.name() == name || code.as_str().eq_ignore_ascii_case(name))
}

fn unknown_code(message: &str, name: &str, which: impl Fn(Code) -> bool) -> String {
    let known = Code::ALL.iter().copied().filter(|&code| which(code)).flat_map(|code| [code.name(), code.as_str()]);
    let near = did_you_mean(name, known).unwrap_or_else(|| "`splc explain` lists them".to_owned());
    format!("{message}; {near}")
}

/// Combines the options `-W`, `-D` and `-A`. The last option for a lint wins.
///
/// # Errors
/// Fails for a name that is not the name of a lint.
pub fn levels(matches: &ArgMatches) -> Result<LintLevels, clap::Error> {
    let mut matches = matches;
    while let Some((_, inner)) = matches.subcommand() {
        matches = inner;
    }
    let mut asked = Vec::new();
    for (option, level) in [("warn", LintLevel::Warn), ("deny", LintLevel::Deny), ("allow", LintLevel::Allow)] {
        // `splc targets` and similar commands have no such options.
        let (Ok(Some(names)), Some(places)) = (
            matches.try_get_many::<String>(option),
            matches.try_contains_id(option).ok().and_then(|_| matches.indices_of(option)),
        ) else {
            continue;
        };
        asked.extend(places.zip(names).map(|(place, name)| (place, level, name)));
    }
    asked.sort_by_key(|&(place, ..)| place);
    let mut levels = LintLevels::default();
    for (_, level, name) in asked {
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
