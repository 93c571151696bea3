//! `splc completions`: shell completions, generated from the argument definitions.

use clap::builder::PossibleValuesParser;
use clap::{Args, Command, ValueEnum};
use clap_complete::Shell;
use splc_driver::games::DIALECTS;
use splc_ir::abi;
use splc_ir::catalog;
use splc_ir::diagnostic::{Code, Lint};

use crate::outcome::Outcome;
use crate::output::print;

/// `splc completions`.
#[derive(Debug, Args)]
pub struct Completions {
    /// Shell
    #[arg(value_name = "SHELL", value_enum)]
    pub shell: Known,
}

/// A shell that completes words.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Known {
    /// Bash, with bash-completion
    Bash,
    /// Elvish
    Elvish,
    /// Fish
    Fish,
    /// PowerShell
    #[value(name = "powershell")]
    PowerShell,
    /// Zsh
    Zsh,
}

impl From<Known> for Shell {
    fn from(shell: Known) -> Self {
        match shell {
            Known::Bash => Shell::Bash,
            Known::Elvish => Shell::Elvish,
            Known::Fish => Shell::Fish,
            Known::PowerShell => Shell::PowerShell,
            Known::Zsh => Shell::Zsh,
        }
    }
}

/// Prints the completions of `command` for the shell.
pub fn run(arguments: &Completions, mut command: Command) -> Outcome {
    // Building the command defines the options of its subcommands.
    command.build();
    let mut command = with_values(command);
    let mut script = Vec::new();
    clap_complete::generate(Shell::from(arguments.shell), &mut command, "splc", &mut script);
    print(&String::from_utf8_lossy(&script))
}

/// Adds the values that options take to `command`, for options whose values only splc knows.
fn with_values(command: Command) -> Command {
    let dialects: Vec<&str> = DIALECTS.iter().map(|dialect| dialect.name).collect();
    let targets: Vec<&str> = catalog::ALL.iter().map(|catalog| catalog.name.as_ref()).collect();
    let machines: Vec<&str> = abi::ALL.iter().map(|abi| abi.name).collect();
    let lints: Vec<&str> = Code::ALL.iter().filter(|code| code.lint() != Lint::Fixed).map(|code| code.name()).collect();
    let codes: Vec<&str> = Code::ALL.iter().map(|code| code.as_str()).collect();
    let command = command.mut_args(|argument| {
        let values = match argument.get_id().as_str() {
            "dialect" | "other_dialect" => &dialects,
            "target" | "other_target" | "to" => &targets,
            "abi" => &machines,
            "warn" | "deny" | "allow" => &lints,
            "codes" => &codes,
            _ => return argument,
        };
        argument.value_parser(PossibleValuesParser::new(values.clone()))
    });
    command.mut_subcommands(with_values)
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;
    use crate::arguments::Arguments;

    #[test]
    fn completions_include_commands_options_and_values() {
        for &shell in Known::value_variants() {
            let mut command = Arguments::command();
            command.build();
            let mut script = Vec::new();
            clap_complete::generate(Shell::from(shell), &mut with_values(command), "splc", &mut script);
            let script = String::from_utf8(script).unwrap();
            for word in ["decompile", "stats", "preprocess"] {
                assert!(script.contains(word), "{shell:?}: {word}");
            }
            // These shells complete values of options.
            if matches!(shell, Known::Bash | Known::Fish | Known::Zsh) {
                assert!(script.contains("sporkhack") && script.contains("ragged-map"), "{shell:?}");
            }
        }
    }
}
