//! The questions of `splc new` on a terminal, one line each, so that any terminal and any screen reader can show them.

use std::io::{self, BufRead};

use clap::ValueEnum;
use splc_driver::games::{Dialect, dialects};
use splc_ir::diagnostic::{Diagnostic, did_you_mean};
use splc_ir::wording::visible;

use super::{LevelKind, New, Plan, game, refuse, text};
use crate::outcome::Outcome;
use crate::output::print;

/// Prompts for everything about a level that the options do not say.
///
/// # Errors
/// If the input ends.
pub fn ask(new: &New, usual: &'static Dialect) -> Result<Plan, Box<Diagnostic>> {
    let dialect = match new.dialect {
        Some(dialect) => dialect,
        None => {
            let mut known: Vec<(&'static Dialect, Choice)> = Vec::new();
            for dialect in dialects() {
                known.push((dialect, Choice::new(dialect.name, dialect.title)));
            }
            choose("The game of the level:", &known, usual.name)?
        }
    };
    let kind = match new.kind {
        Some(kind) => kind,
        None => {
            let catalog = game(dialect)?;
            let available = LevelKind::value_variants().iter().filter(|kind| text(**kind, dialect, catalog).is_some());
            let known: Vec<(LevelKind, Choice)> = available
                .filter_map(|kind| {
                    let value = kind.to_possible_value()?;
                    let help = value.get_help().map(ToString::to_string).unwrap_or_default();
                    Some((*kind, Choice::new(value.get_name(), &help)))
                })
                .collect();
            choose("Its structure:", &known, "maze")?
        }
    };
    loop {
        let name = line("Its name, for example \"den\": ")?;
        if name.is_empty() {
            continue;
        }
        let plan = Plan { name, dialect, kind };
        match plan.check() {
            Err(problem) => {
                let help = problem.help.as_ref().map(|help| format!("; {help}")).unwrap_or_default();
                say(&format!("{}{help}\n", visible(problem.message.text())))?;
            }
            Ok(_) if new.output.is_none() && plan.file().exists() => {
                say(&format!("{} already exists\n", visible(&plan.file().display().to_string())))?;
            }
            Ok(_) => return Ok(plan),
        }
    }
}

/// An answer that can be chosen.
struct Choice {
    name: String,
    about: String,
}

impl Choice {
    fn new(name: &str, about: &str) -> Self {
        Choice { name: name.to_owned(), about: about.to_owned() }
    }
}

/// Lists `known` with numbers, and reads a number or a name. An empty line is the answer `usual`.
fn choose<T: Copy>(question: &str, known: &[(T, Choice)], usual: &str) -> Result<T, Box<Diagnostic>> {
    let width = known.iter().map(|(_, choice)| choice.name.chars().count()).max().unwrap_or(0);
    let mut list = format!("{question}\n");
    for (number, (_, Choice { name, about })) in known.iter().enumerate() {
        list.push_str(&format!("  {:>2}  {name:<width$}  {about}\n", number + 1));
    }
    say(&list)?;
    loop {
        let answer = line(&format!("Number or name [{usual}]: "))?;
        let answer = if answer.is_empty() { usual } else { &answer };
        let number = answer.parse::<usize>().ok().and_then(|number| known.get(number.checked_sub(1)?));
        if let Some((value, _)) = number.or_else(|| known.iter().find(|(_, choice)| choice.name == answer)) {
            return Ok(*value);
        }
        let near = did_you_mean(answer, known.iter().map(|(_, choice)| choice.name.as_str()));
        let help = near.unwrap_or_else(|| format!("write a number from 1 to {}", known.len()));
        say(&format!("\"{}\" is not in the list; {help}\n", visible(answer)))?;
    }
}

/// Prints a question and reads the answer.
fn line(question: &str) -> Result<String, Box<Diagnostic>> {
    say(question)?;
    let mut answer = String::new();
    match io::stdin().lock().read_line(&mut answer) {
        Ok(0) | Err(_) => {
            say("\n")?;
            Err(Box::new(refuse("the input ended; nothing is written")))
        }
        Ok(_) => Ok(answer.trim().to_owned()),
    }
}

fn say(words: &str) -> Result<(), Box<Diagnostic>> {
    match print(words) {
        Outcome::Fine => Ok(()),
        _ => Err(Box::new(refuse("cannot ask on this terminal"))),
    }
}
