//! `splc man`: manual pages, generated from the argument definitions.

use std::ffi::OsStr;
use std::path::PathBuf;

use clap::{Args, Command};
use clap_mangen::Man;
use splc_driver::File;
use splc_ir::diagnostic::{Code, Diagnostic, did_you_mean};
use splc_ir::wording::visible;

use crate::outcome::Outcome;
use crate::output::{write_folder, write_standard};
use crate::report::{ColorChoice, Ending, MessageFormat, Reporter};

/// `splc man`.
#[derive(Debug, Args)]
pub struct Arguments {
    /// Command to print the page of, e.g. run or dungeon check [default: splc itself]
    #[arg(value_name = "COMMAND", conflicts_with = "output")]
    pub command: Vec<String>,

    /// Write the pages of splc and all its commands to DIR
    #[arg(short, long, value_name = "DIR")]
    pub output: Option<PathBuf>,
}

/// Prints a page about `command`, or writes all pages.
pub fn run(arguments: &Arguments, mut command: Command) -> Outcome {
    Reporter::run(MessageFormat::Human, ColorChoice::Auto, Ending::Writing, |_| {
        // Building the command defines the options of its subcommands.
        command.build();
        match &arguments.output {
            Some(folder) => write_folder(folder, &pages(&command))?,
            None => write_standard(&page(find(&command, &arguments.command)?))?,
        }
        Ok(Outcome::Fine)
    })
}

/// Finds the subcommand of `command` that `words` name.
fn find<'a>(command: &'a Command, words: &[String]) -> Result<&'a Command, Box<Diagnostic>> {
    let Some((word, rest)) = words.split_first() else { return Ok(command) };
    match command.find_subcommand(OsStr::new(word)) {
        Some(below) => find(below, rest),
        None => {
            let message = format!("unknown command `{} {}`", command.get_bin_name().unwrap_or("splc"), visible(word));
            let mut problem = Diagnostic::new(Code::Usage, None, message);
            if let Some(near) = did_you_mean(word, command.get_subcommands().map(Command::get_name)) {
                problem = problem.with_help(near);
            }
            Err(Box::new(problem))
        }
    }
}

/// Returns the page about `command` as man macros.
fn page(command: &Command) -> Vec<u8> {
    let mut page = Vec::new();
    // Writing to a buffer in memory does not fail.
    let _ = Man::new(command.clone()).render(&mut page);
    // The section of the text after the options is called "EXTRA", and the text has its own heading.
    let text = String::from_utf8_lossy(&page).replacen(".SH EXTRA\nExamples:\n", ".SH EXAMPLES\n", 1);
    text.into_bytes()
}

/// Returns the pages about `command` and all its subcommands, with hyphenated names as in git.
fn pages(command: &Command) -> Vec<File> {
    let name = format!("{}.1", command.get_display_name().unwrap_or(command.get_name()));
    let mut pages = vec![File { name, bytes: page(command) }];
    pages.extend(command.get_subcommands().flat_map(self::pages));
    pages
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;
    use crate::arguments::Arguments;

    #[test]
    fn each_command_has_a_page() {
        let mut command = Arguments::command();
        command.build();
        let pages = pages(&command);
        for name in ["splc.1", "splc-run.1", "splc-dungeon-check.1"] {
            let page = pages.iter().find(|page| page.name == name).unwrap();
            let text = String::from_utf8(page.bytes.clone()).unwrap();
            for part in [".SH NAME", ".SH SYNOPSIS", ".SH OPTIONS", ".SH EXAMPLES"] {
                assert!(text.contains(part), "{name}: {part}");
            }
        }
        assert!(find(&command, &["dungeon".to_owned(), "chekc".to_owned()]).is_err());
    }
}
