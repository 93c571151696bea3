//! Messages for errors of the operating system, of archives and of installations.

use std::io;
use std::path::Path;

use splc_game::{archive, install};
use splc_ir::diagnostic::{Code, Diagnostic};
use splc_ir::wording::visible;

use crate::outcome::Outcome;

/// Describes the error without the number that the operating system has for it.
pub fn describe(error: &io::Error) -> String {
    if error.kind() == io::ErrorKind::IsADirectory {
        return "it is a folder".to_owned();
    }
    let text = error.to_string();
    match text.split_once(" (os error") {
        Some((text, _)) => {
            let mut characters = text.chars();
            characters.next().map_or_else(String::new, |first| first.to_lowercase().chain(characters).collect())
        }
        None => text,
    }
}

/// A problem, and the outcome of the run.
pub struct Trouble(pub Box<Diagnostic>, pub Outcome);

impl From<Box<Diagnostic>> for Trouble {
    fn from(problem: Box<Diagnostic>) -> Self {
        Trouble(problem, Outcome::Trouble)
    }
}

impl From<install::Error> for Trouble {
    fn from(error: install::Error) -> Self {
        let new = |code, message: String| Diagnostic::new(code, None, message);
        match &error {
            install::Error::NoGame(_) => {
                let problem = new(Code::Unreadable, visible(&error.to_string()).into_owned());
                Trouble(Box::new(problem.with_help("name the folder with the game's data")), Outcome::Trouble)
            }
            install::Error::Outside(_) => {
                let problem = new(Code::Unwritable, visible(&error.to_string()).into_owned());
                let help = "name the folder it leads to, or replace the link with a copy";
                Trouble(Box::new(problem.with_help(help)), Outcome::Trouble)
            }
            install::Error::File { path, error } => {
                let path = path.display().to_string();
                let message = format!("{}: {}", visible(&path), describe(error));
                Trouble(Box::new(new(Code::Unwritable, message)), Outcome::Trouble)
            }
            install::Error::Archive(path, error) => {
                let (diagnostic, outcome) = of_archive(path, error);
                Trouble(Box::new(diagnostic), outcome)
            }
            install::Error::Request(message, help) => {
                let problem = new(Code::Usage, visible(message).into_owned());
                let problem = match help {
                    Some(help) => problem.with_help(visible(help).into_owned()),
                    None => problem,
                };
                Trouble(Box::new(problem), Outcome::InputErrors)
            }
            install::Error::Foreign(_) => {
                let problem = new(Code::Unwritable, visible(&error.to_string()).into_owned());
                Trouble(Box::new(problem.with_help("move it out of the game's folder")), Outcome::Trouble)
            }
            install::Error::Busy(_) => {
                let problem = new(Code::Unwritable, visible(&error.to_string()).into_owned());
                Trouble(Box::new(problem.with_help("try again when it has finished")), Outcome::Trouble)
            }
            install::Error::NothingInstalled(_) => {
                let problem = new(Code::Usage, visible(&error.to_string()).into_owned());
                Trouble(Box::new(problem), Outcome::InputErrors)
            }
        }
    }
}

/// Returns the diagnostic for `problem` with the archive at `path`, and the outcome of the run.
pub fn of_archive(path: &Path, problem: &archive::Error) -> (Diagnostic, Outcome) {
    let name = path.display().to_string();
    let name = visible(&name);
    let new = |code, message: String| Diagnostic::new(code, None, message);
    match problem {
        archive::Error::NotAnArchive { .. } => {
            let diagnostic = new(Code::Archive, format!("{name} is not an archive: {problem}"));
            (diagnostic.with_help("the archive of a game's data is called nhdat"), Outcome::InputErrors)
        }
        archive::Error::Damaged { .. } => {
            (new(Code::Archive, format!("{name} is damaged: {problem}")), Outcome::InputErrors)
        }
        archive::Error::Missing(_) => {
            let diagnostic = new(Code::Archive, format!("{name}: {problem}"));
            (diagnostic.with_help("`splc dlb list` lists its files"), Outcome::InputErrors)
        }
        archive::Error::Present(_) => {
            let diagnostic = new(Code::Archive, format!("{name}: {problem}"));
            (diagnostic.with_help("use `splc dlb replace` to replace a file"), Outcome::InputErrors)
        }
        archive::Error::Name(..) | archive::Error::TooLarge(_) => {
            (new(Code::Archive, format!("{name}: {problem}")), Outcome::InputErrors)
        }
        archive::Error::File { path, doing, error } => {
            let code = if *doing == archive::Doing::Reading { Code::Unreadable } else { Code::Unwritable };
            let verb = if *doing == archive::Doing::Reading { "read" } else { "write" };
            let path = path.display().to_string();
            (new(code, format!("cannot {verb} {}: {}", visible(&path), describe(error))), Outcome::Trouble)
        }
        archive::Error::Changed(_) => (new(Code::Unreadable, problem.to_string()), Outcome::Trouble),
        archive::Error::Io(error) => {
            (new(Code::Unwritable, format!("cannot write {name}: {}", describe(error))), Outcome::Trouble)
        }
    }
}
