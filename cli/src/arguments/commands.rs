//! Commands whose options are only defined when the command is used.
//!
//! splc is started for many small files, and each defined option of each command then costs more than a statement of a
//! level. The enums that clap derives define all of them.

/// Defines an enum with one variant for each command. The variant's documentation is the command's help.
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
                    // The documentation of the arguments struct is not help text.
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
