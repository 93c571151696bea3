//! Parsers of argument values. Each error says what can be written instead.

use std::fmt;
use std::ops::RangeInclusive;

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use splc_driver::games::{DIALECTS, Dialect};
use splc_driver::output::Output;
use splc_ir::abi::{self, Abi};
use splc_ir::catalog::{self, Catalogs, Shared};
use splc_ir::diagnostic::did_you_mean;
use splc_ir::wording::{Conjunction, listed};
use splc_vm::{Alignment, Hero, Settings};

/// Most seeds of a run: counts fit 32 bits.
const MAX_SEEDS: u64 = u32::MAX as u64;

/// Parses the name of one of `outputs`.
pub fn output_of(outputs: &'static [&'static Output]) -> impl TypedValueParser<Value = &'static Output> {
    let names = outputs.iter().map(|output| PossibleValue::new(output.name).help(output.about));
    // The parser of possible values rejects other names.
    PossibleValuesParser::new(names).map(move |name| Output::by_name(outputs, &name).unwrap_or(outputs[0]))
}

/// The reason why a value is invalid.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Invalid {
    /// The name is unknown.
    Unknown {
        /// The things that the names are for, in the plural.
        what: &'static str,
        /// The known names.
        known: Vec<String>,
        /// A question that suggests a similar name.
        near: Option<String>,
    },
    /// It is not a range of seeds.
    Seeds,
    /// It is not a seed.
    Seed(String),
    /// The last seed is before the first.
    Reversed {
        /// Its first seed.
        first: u64,
        /// Its last seed.
        last: u64,
    },
    /// The range is too long.
    TooManySeeds,
    /// It is not a hero.
    Hero,
    /// It is not an alignment.
    Alignment(String),
    /// It is not a time.
    Time,
    /// It is not a duration.
    Duration,
    /// It has the form of a time, but the calendar or the clock has no such moment.
    Moment(String),
}

impl Invalid {
    fn unknown<'a>(what: &'static str, name: &str, known: impl IntoIterator<Item = &'a str>) -> Self {
        let known: Vec<String> = known.into_iter().map(str::to_owned).collect();
        let near = did_you_mean(name, known.iter().map(String::as_str));
        Invalid::Unknown { what, known, near }
    }
}

impl fmt::Display for Invalid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Invalid::Unknown { what, known, near } => {
                write!(f, "the {what} are {}", listed(known, Conjunction::And))?;
                near.iter().try_for_each(|near| write!(f, "; {near}"))
            }
            Invalid::Seeds => f.write_str("write seeds as A..B, e.g. 1..1000"),
            Invalid::Seed(text) => write!(f, "'{text}' is not a number"),
            Invalid::Reversed { first, last } => {
                write!(f, "the first seed is greater than the last; write {last}..{first}")
            }
            Invalid::TooManySeeds => write!(f, "at most {MAX_SEEDS} seeds can be run at once"),
            Invalid::Hero => f.write_str("write a hero as NAME/ROLE/RACE/ALIGNMENT, with at most four parts"),
            Invalid::Alignment(word) => {
                write!(f, "'{word}' is not an alignment; the alignments are lawful, neutral and chaotic")
            }
            Invalid::Duration => f.write_str("write a duration as 90s, 10m or 8h"),
            Invalid::Time => {
                f.write_str("write a time as 2001-09-09T01:46:40, as a date alone, or in seconds since 1970")
            }
            Invalid::Moment(text) => write!(f, "{text} is not a valid time"),
        }
    }
}

impl std::error::Error for Invalid {}

/// Finds a dialect by its name or an alias.
pub fn dialect(name: &str) -> Result<&'static Dialect, Invalid> {
    let names = DIALECTS.iter().map(|dialect| dialect.name);
    Dialect::by_name(name).ok_or_else(|| Invalid::unknown("dialects", name, names))
}

/// Finds a game by its name among those `known`.
pub fn target(name: &str, known: &Catalogs) -> Result<Shared, Invalid> {
    known.by_name(name).ok_or_else(|| {
        let loaded = known.loaded().iter().map(|catalog| catalog.name.as_ref());
        let names = catalog::ALL.iter().map(|catalog| catalog.name.as_ref()).chain(loaded);
        Invalid::unknown("targets", name, names)
    })
}

/// Finds an ABI by its name.
pub fn machine(name: &str) -> Result<&'static Abi, Invalid> {
    Abi::by_name(name).ok_or_else(|| Invalid::unknown("ABIs", name, abi::ALL.iter().map(|abi| abi.name)))
}

/// Parses `A..B`, both included.
///
/// # Errors
/// Returns the reason why the text is invalid.
pub fn seeds(text: &str) -> Result<RangeInclusive<u64>, Invalid> {
    let (first, last) = text.split_once("..").ok_or(Invalid::Seeds)?;
    let number = |text: &str| text.trim().parse::<u64>().map_err(|_| Invalid::Seed(text.to_owned()));
    let (first, last) = (number(first)?, number(last.strip_prefix('=').unwrap_or(last))?);
    if first > last {
        return Err(Invalid::Reversed { first, last });
    }
    if last - first >= MAX_SEEDS {
        return Err(Invalid::TooManySeeds);
    }
    Ok(first..=last)
}

/// Parses `N` (seeds 1 to N) or `A..B`.
///
/// # Errors
/// Returns the reason why the text is invalid.
pub fn seeds_or_count(text: &str) -> Result<RangeInclusive<u64>, Invalid> {
    match text.trim().parse::<u64>() {
        Ok(0) => Err(Invalid::Seeds),
        Ok(count) => seeds(&format!("1..{count}")),
        Err(_) => seeds(text),
    }
}

/// Parses a duration: `90s`, `10m`, `8h`, or a number of seconds.
///
/// # Errors
/// Returns the reason why the text is invalid.
pub fn duration(text: &str) -> Result<std::time::Duration, Invalid> {
    let text = text.trim();
    let (number, unit) = match text.as_bytes().last() {
        Some(b's') => (&text[..text.len() - 1], 1),
        Some(b'm') => (&text[..text.len() - 1], 60),
        Some(b'h') => (&text[..text.len() - 1], 3600),
        _ => (text, 1),
    };
    // A hundred years are enough.
    const MOST: u64 = 100 * 366 * 24 * 3600;
    let seconds = number.parse::<u64>().ok().and_then(|number| number.checked_mul(unit));
    match seconds.filter(|seconds| (1..=MOST).contains(seconds)) {
        Some(seconds) => Ok(std::time::Duration::from_secs(seconds)),
        None => Err(Invalid::Duration),
    }
}

/// Parses `NAME/ROLE/RACE/ALIGNMENT`. Missing or empty parts keep their defaults.
///
/// # Errors
/// Returns the reason why the text is invalid.
pub fn hero(text: &str) -> Result<Hero, Invalid> {
    let mut hero = Settings::default().hero;
    let parts: Vec<&str> = text.split('/').collect();
    if parts.len() > 4 {
        return Err(Invalid::Hero);
    }
    let part = |at: usize| parts.get(at).filter(|part| !part.is_empty()).map(|part| (*part).to_owned());
    hero.name = part(0).unwrap_or(hero.name);
    hero.role = part(1).unwrap_or(hero.role);
    hero.race = part(2).unwrap_or(hero.race);
    if let Some(word) = part(3) {
        let named = Alignment::named(&word.to_ascii_lowercase());
        hero.alignment = named.ok_or_else(|| Invalid::Alignment(word.to_owned()))?;
    }
    Ok(hero)
}

/// Parses a time as the hero's clock shows it: seconds since 1970, or `YEAR-MONTH-DAY`, `...THOUR:MINUTE`,
/// `...:SECOND`. A blank may replace the T, and a Z may follow.
///
/// # Errors
/// Returns the reason why the text is invalid.
pub fn time(text: &str) -> Result<i64, Invalid> {
    if let Ok(seconds) = text.parse() {
        return Ok(seconds);
    }
    let (day, clock) = text.split_once(['T', 't', ' ']).unwrap_or((text, "00:00"));
    let number = |text: &str, longest: usize| -> Result<i64, Invalid> {
        let digits = (1..=longest).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit());
        if digits { text.parse().map_err(|_| Invalid::Time) } else { Err(Invalid::Time) }
    };
    let [year, month, day] = *day.split('-').collect::<Vec<_>>() else { return Err(Invalid::Time) };
    let (year, month, day) = (number(year, 4)?, number(month, 2)?, number(day, 2)?);
    let clock: Vec<&str> = clock.trim_end_matches(['Z', 'z']).split(':').collect();
    let (hour, minute, second) = match *clock {
        [hour, minute] => (number(hour, 2)?, number(minute, 2)?, 0),
        [hour, minute, second] => (number(hour, 2)?, number(minute, 2)?, number(second, 2)?),
        _ => return Err(Invalid::Time),
    };
    let leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    let length = match month {
        2 => 28 + i64::from(leap),
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    };
    if !(1..=12).contains(&month) || !(1..=length).contains(&day) || hour > 23 || minute > 59 || second > 59 {
        return Err(Invalid::Moment(text.to_owned()));
    }
    // Days since 1970-01-01 of the Gregorian calendar, computed with years that begin in March.
    let from_march = year - i64::from(month <= 2);
    let era = from_march.div_euclid(400);
    let year_of_era = from_march.rem_euclid(400);
    let day_of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    let days = era * 146_097 + year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year - 719_468;
    Ok(((days * 24 + hour) * 60 + minute) * 60 + second)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_read_in_every_form() {
        for text in ["1000000000", "2001-09-09T01:46:40", "2001-09-09 01:46:40", "2001-9-9T1:46:40Z"] {
            assert_eq!(time(text), Ok(1_000_000_000), "{text}");
        }
        assert_eq!(time("1970-01-01"), Ok(0));
        assert_eq!(time("2000-02-29"), Ok(951_782_400));
        assert_eq!(time("1969-12-31T23:59:59"), Ok(-1));
        assert_eq!(time("-1"), Ok(-1));
        for text in ["", "x", "2001-02-29", "2001-13-01", "2001-01-01T24:00", "2001-01", "99999-01-01", "2001-01-01T1"]
        {
            assert!(time(text).is_err(), "{text}");
        }
    }

    #[test]
    fn seeds_include_both_ends() {
        assert_eq!(seeds("1..3"), Ok(1..=3));
        assert_eq!(seeds("7..=7"), Ok(7..=7));
        for text in ["", "5", "3..1", "a..b", "-1..2", "0..18446744073709551615"] {
            assert!(seeds(text).is_err(), "{text}");
        }
    }

    #[test]
    fn heroes_have_defaults() {
        let default = Settings::default().hero;
        assert_eq!(hero("/").unwrap(), default);
        let anna = hero("Anna/Valkyrie//lawful").unwrap();
        assert_eq!((anna.name.as_str(), anna.role.as_str(), anna.race.as_str()), ("Anna", "Valkyrie", "human"));
        assert_eq!(anna.alignment, Alignment::Lawful);
        assert!(hero("a/b/c/evil").is_err() && hero("a/b/c/lawful/e").is_err());
    }
}
