//! Commands whose options are only laid out when they are asked for.
//!
//! splc is started for each of many small files, and every option of every command that is laid out then costs more
//! than a level's statement. What clap derives from an enum lays out all of them.

/// The words of all commands, for rooms below the command line; in its order.
pub const WORDS: [&str; 21] = [
    "check",
    "fix",
    "fmt",
    "decompile",
    "gen",
    "new",
    "port",
    "run",
    "test",
    "equiv",
    "install",
    "uninstall",
    "dungeon",
    "dlb",
    "targets",
    "conform",
    "catalog",
    "schema",
    "explain",
    "completions",
    "man",
];

/// Makes an enum with a variant for each command, whose documentation is the command's help.
macro_rules! commands {
    (
        $(#[$outer:meta])*
        pub enum $name:ident { $(#[doc = $about:literal] $variant:ident($arguments:ty) = $word:literal,)* }
    ) => {
        $(#[$outer])*
        pub enum $name { $(#[doc = $about] $variant($arguments),)* }

        impl clap::Subcommand for $name {
            fn augment_subcommands(command: clap::Command) -> clap::Command {
                command$(.subcommand(clap::Command::new($word).about($about.trim_start()).defer(|command| {
                    // The arguments' own documentation is not help.
                    let command = <$arguments as clap::Args>::augment_args(command);
                    $crate::arguments::help::onto(command.about($about.trim_start()).long_about(None), $word)
                })))*
            }

            fn augment_subcommands_for_update(command: clap::Command) -> clap::Command {
                Self::augment_subcommands(command)
            }

            fn has_subcommand(name: &str) -> bool {
                [$($word),*].contains(&name)
            }
        }

        impl clap::FromArgMatches for $name {
            fn from_arg_matches(matches: &clap::ArgMatches) -> Result<Self, clap::Error> {
                match matches.subcommand() {
                    $(Some(($word, matches)) => {
                        <$arguments as clap::FromArgMatches>::from_arg_matches(matches).map($name::$variant)
                    })*
                    _ => Err(clap::Error::new(clap::error::ErrorKind::InvalidSubcommand)),
                }
            }

            fn update_from_arg_matches(&mut self, matches: &clap::ArgMatches) -> Result<(), clap::Error> {
                *self = Self::from_arg_matches(matches)?;
                Ok(())
            }
        }
    };
}

pub(super) use commands;
