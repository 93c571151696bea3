//! `splc targets`: lists the known games and machines.

use std::fmt::Write as _;

use clap::{Args, ValueEnum};
use serde::Serialize;
use splc_driver::games::Dialect;
use splc_ir::abi::Abi;
use splc_ir::catalog::{self, Catalogs, Format};
use splc_ir::wording::wrapped;

use crate::options::groups::CatalogFiles;
use crate::report::MessageFormat;
use crate::width;

/// `splc targets`.
#[derive(Debug, Args)]
pub struct Targets {
    /// What is known of further games.
    #[command(flatten)]
    pub catalogs: CatalogFiles,

    /// Output format
    #[arg(long, value_name = "FORMAT", value_enum, default_value_t = ListFormat::Human)]
    pub message_format: ListFormat,
}

/// Forms of the list.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ListFormat {
    /// A table
    Human,
    /// One line per target and machine
    Short,
    /// One JSON object per line
    Json,
}

impl ListFormat {
    /// Returns the form of diagnostics about the list.
    pub fn of_messages(self) -> MessageFormat {
        match self {
            ListFormat::Human => MessageFormat::Human,
            ListFormat::Short => MessageFormat::Short,
            ListFormat::Json => MessageFormat::Json,
        }
    }
}

/// A game that splc compiles levels for.
#[derive(Serialize)]
struct Target<'a> {
    target: &'a str,
    title: &'a str,
    dialect: &'a str,
    aliases: &'static [&'static str],
    default: bool,
    format: &'static str,
    abis: Vec<Machine>,
}

/// A machine that the game runs on.
#[derive(Serialize)]
struct Machine {
    abi: &'static str,
    machine: &'static str,
    /// Hexadecimal, because 64-bit numbers are too large for some JSON readers.
    header: Vec<String>,
}

fn known(catalogs: &Catalogs) -> impl Iterator<Item = Target<'_>> {
    let built_in = catalog::ALL.iter().copied();
    built_in.chain(catalogs.loaded().iter().map(|catalog| &**catalog)).map(|catalog| {
        let dialect = Dialect::of(catalog);
        Target {
            target: &catalog.name,
            title: &catalog.title,
            dialect: &catalog.dialect,
            aliases: dialect.map_or(&[], |dialect| dialect.aliases),
            default: dialect.is_some_and(|dialect| dialect.default_target == catalog.name),
            format: match catalog.format {
                Format::Opcodes => "opcodes",
                Format::Parts => "parts",
                Format::Lua => "lua",
            },
            abis: catalog
                .headers
                .iter()
                .filter_map(|(name, header)| {
                    let abi = Abi::by_name(name)?;
                    let header = header.iter().map(|long| format!("{long:#x}")).collect();
                    Some(Machine { abi: abi.name, machine: abi.machine, header })
                })
                .collect(),
        }
    })
}

/// Lists the targets and their machines as a table, as lines, or as one JSON object per line.
pub fn targets(catalogs: &Catalogs, format: ListFormat) -> String {
    let mut text = String::new();
    match format {
        ListFormat::Human => {
            let mut rows = vec![["target", "game", "dialect (other names)", "ABIs"].map(str::to_owned)];
            rows.extend(known(catalogs).map(|target| {
                let mut dialect = target.dialect.to_owned();
                if !target.aliases.is_empty() {
                    let _ = write!(dialect, " ({})", target.aliases.join(", "));
                }
                let abis: Vec<&str> = target.abis.iter().map(|machine| machine.abi).collect();
                [target.target.to_owned(), target.title.to_owned(), dialect, abis.join(" ")]
            }));
            let width = |column: usize| rows.iter().map(|row| row[column].chars().count()).max().unwrap_or(0);
            let widths = [width(0), width(1), width(2), width(3)];
            let terminal = width::terminal();
            if terminal.is_none_or(|columns| widths.iter().sum::<usize>() + 6 <= columns) {
                for [target, title, dialect, abis] in &rows {
                    let [first, second, third, _] = widths;
                    let _ = writeln!(text, "{target:<first$}  {title:<second$}  {dialect:<third$}  {abis}");
                }
            } else {
                for [target, title, dialect, abis] in &rows[1..] {
                    let _ = writeln!(text, "{target}: {title}\n  dialect {dialect}");
                    if !abis.is_empty() {
                        let _ = writeln!(text, "  ABIs {abis}");
                    }
                }
            }
            let machines = splc_ir::abi::ALL.iter().map(|abi| format!("{} {}", abi.name, abi.machine));
            let machines = format!("ABIs: {}", machines.collect::<Vec<_>>().join(", "));
            let machines = terminal.map_or(machines.clone(), |width| wrapped(&machines, width, "  "));
            let _ = writeln!(text, "\n{machines}");
        }
        ListFormat::Short => {
            for target in known(catalogs) {
                for machine in &target.abis {
                    let _ = writeln!(text, "{} {} {}", target.target, target.dialect, machine.abi);
                }
            }
        }
        ListFormat::Json => {
            for target in known(catalogs) {
                // Only texts and numbers: this cannot fail.
                text.push_str(&serde_json::to_string(&target).unwrap_or_default());
                text.push('\n');
            }
        }
    }
    text
}
