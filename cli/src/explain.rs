//! `splc explain`: explains diagnostic codes, with wrong and right examples, statements, with the text of the manual,
//! and names of the games, from their catalogs.

use std::fmt::Write as _;

use clap::Args;
use splc_driver::games::{DIALECTS, Dialect};
use splc_frontends::manual::{self, Page};
use splc_ir::catalog::dialect::LUA;
use splc_ir::diagnostic::{Code, Lint, Severity, did_you_mean};
use splc_server::Described;

use crate::options::codes::{any_code, code};

/// `splc explain`.
#[derive(Debug, Args)]
pub struct Explain {
    /// Codes or names of diagnostics, statements, or names of a game, e.g. E0101, MONSTER or "giant eel" [default: list
    /// all codes and statements]
    #[arg(value_name = "CODE|STATEMENT|NAME", value_parser = topic)]
    pub topics: Vec<Topic>,
}

/// A subject that can be explained.
#[derive(Clone, Debug)]
pub enum Topic {
    /// A diagnostic.
    Code(Code),
    /// A statement.
    Statement(&'static Page),
    /// A name of a game: a monster, an object, a trap, a type of room, a flag.
    Name(String),
}

/// Parses the name of a diagnostic or statement.
fn topic(name: &str) -> Result<Topic, String> {
    // Several codes have the name of a keyword, in lower case.
    if let Some(code) = code(name) {
        return Ok(Topic::Code(code));
    }
    if let Some(page) = manual::page(name) {
        return Ok(Topic::Statement(page));
    }
    let upper = name.len() > 1 && name.chars().all(|letter| letter.is_ascii_uppercase() || letter == '_');
    if !upper {
        if !names(name).is_empty() {
            return Ok(Topic::Name(name.to_owned()));
        }
        return any_code(name).map(Topic::Code);
    }
    let words = manual::PAGES.iter().flat_map(|page| page.words.iter().copied());
    match did_you_mean(name, words) {
        Some(near) => Err(format!("unknown statement; {near}")),
        None => Err("unknown statement; `splc explain` lists them".to_owned()),
    }
}

/// Returns the descriptions of a name, each with the games that it is about.
fn names(name: &str) -> Vec<(Described, Vec<&'static str>)> {
    let mut found: Vec<(Described, Vec<&'static str>)> = Vec::new();
    for catalog in DIALECTS.iter().chain([&LUA]).filter_map(Dialect::default_target) {
        for described in splc_server::describe(catalog, name) {
            // The title of the game is part of the text.
            let title = format!("{}, ", catalog.title);
            let text = described.text.replace(&title, "").replace(&*catalog.title, "").replace("\n\n\n\n", "\n\n");
            let same = found.iter_mut().find(|(known, _)| known.text == text && known.example == described.example);
            match same {
                Some((_, games)) => games.push(&catalog.title),
                None => found.push((Described { text, ..described }, vec![&catalog.title])),
            }
        }
    }
    found
}

/// An example for each code, in the order of the codes. A test runs each through splc: the wrong part must produce the
/// code, the right part must not.
const EXAMPLES: &str = include_str!("explain/examples.txt");

/// Explains `topics`, or lists all codes and statements with one line each if there are none.
pub fn explain(topics: &[Topic]) -> String {
    let mut text = String::new();
    if topics.is_empty() {
        for code in Code::ALL {
            let _ = writeln!(text, "{} {}: {}", code.as_str(), code.name(), code.explanation());
        }
        for page in manual::PAGES.iter() {
            let _ = writeln!(text, "{}: {}", page.words.join(" "), page.summary());
        }
    }
    for (number, topic) in topics.iter().enumerate() {
        if number > 0 {
            text.push('\n');
        }
        let code = match topic {
            Topic::Code(code) => code,
            Topic::Statement(page) => {
                text.push_str(&page.markdown());
                continue;
            }
            Topic::Name(name) => {
                for (at, (described, games)) in names(name).iter().enumerate() {
                    let gap = if at > 0 { "\n" } else { "" };
                    let words = described.text.replace("**", "").replace("\n\n", "\n");
                    let (games, example) = (games.join(", "), &described.example);
                    let _ = writeln!(text, "{gap}{}\nin {games}\n\n    {example}", words.trim_end());
                }
                continue;
            }
        };
        let _ = writeln!(text, "{} {}: {}", code.as_str(), code.name(), code.explanation());
        let name = code.name();
        let _ = match (code.lint(), code.severity()) {
            (Lint::Warn, _) => {
                writeln!(text, "A warning by default. `-A {name}` turns it off, `-D {name}` makes it an error.")
            }
            (Lint::Allow, _) => {
                writeln!(text, "Off by default. `-W {name}` makes it a warning, `-D {name}` an error.")
            }
            (Lint::Fixed, Severity::Error) => writeln!(text, "An error: no files are written."),
            (Lint::Fixed, Severity::Warning) => writeln!(text, "A warning."),
            (Lint::Fixed, Severity::Note) => writeln!(text, "A note: no action is needed."),
        };
        // `splc check` reports these two in part.
        let is_checked = Code::SURVEY.contains(code) || matches!(code, Code::PassedOver | Code::MissingStairs);
        if code.as_str().starts_with("W09") && !is_checked {
            text.push_str("Only `splc test` reports it, because it runs the level.\n");
        }
        if let Some(example) = Example::of(*code) {
            let _ = write!(text, "\nWrong{}:\n\n", example.place());
            example.wrong.lines().for_each(|line| text.push_str(&format!("    {line}\n")));
            text.push_str("\nRight:\n\n");
            example.right.lines().for_each(|line| text.push_str(&format!("    {line}\n")));
        }
    }
    text
}

/// A wrong text and its correction.
struct Example {
    /// The type of text, and the dialects it is for.
    kind: &'static str,
    wrong: &'static str,
    right: &'static str,
}

impl Example {
    /// Returns the example for `code`.
    fn of(code: Code) -> Option<Example> {
        let head = format!("=== {} ", code.as_str());
        let (_, part) = EXAMPLES.split_once(&head)?;
        let (kind, text) = part.split_once('\n')?;
        let (wrong, rest) = text.split_once("\n=== right\n")?;
        Some(Example { kind, wrong, right: rest.split("\n=== ").next()?.trim_end() })
    }

    /// Returns a phrase for the context of the example, to follow "Wrong".
    fn place(&self) -> String {
        let words: Vec<&str> = self.kind.split(' ').collect();
        let title = |at: usize| {
            words.get(at).and_then(|name| Dialect::by_name(name)).map_or("another game", |dialect| dialect.title)
        };
        match words[0] {
            "commands" => ", on the command line".to_owned(),
            "catalog" => ", in a catalog".to_owned(),
            "project" => ", in splc.toml".to_owned(),
            "stand-ins" => ", in a table for `splc port --map`".to_owned(),
            "json" => format!(", in a level of {} as JSON", title(1)),
            "dungeon" | "show" => format!(", in dungeon.def of {}", title(1)),
            "port" => format!(", in a level of {} that is ported to {}", title(1), title(2)),
            _ => format!(", in a level of {}", title(1)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_code_has_an_example() {
        for &code in Code::ALL {
            let example = Example::of(code).unwrap_or_else(|| panic!("{code:?} has none"));
            assert!(
                !example.wrong.is_empty() && !example.right.is_empty() && example.wrong != example.right,
                "{code:?}"
            );
        }
        assert_eq!(EXAMPLES.matches("\n=== right\n").count(), Code::ALL.len());
    }
}
