//! `splc config`: shows the settings that hold, and their origins.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use clap::Args;
use splc_driver::named_target;
use splc_ir::source::FileId;
use splc_ir::wording::visible;
use splc_project::{FILE_NAME, relative};
use toml::de::{DeTable, DeValue};

use crate::input::Origin;
use crate::options::groups::ProjectFile;
use crate::outcome::Outcome;
use crate::output::print;
use crate::project::{self, Known, Trouble};
use crate::report::{ColorChoice, Ending, MessageFormat, Reporter};

/// `splc config`.
#[derive(Debug, Args)]
pub struct Config {
    /// File or folder to show the settings of [default: the current folder]
    #[arg(value_name = "FILE")]
    pub file: Option<PathBuf>,

    /// The project file.
    #[command(flatten)]
    pub project: ProjectFile,

    /// Format of the diagnostics
    #[arg(long, value_name = "FORMAT", value_enum, default_value_t = MessageFormat::Human)]
    pub message_format: MessageFormat,

    /// Color the diagnostics
    #[arg(long, value_name = "WHEN", value_enum, default_value_t = ColorChoice::Auto)]
    pub color: ColorChoice,
}

/// Settings of commands without a project file.
const DEFAULTS: &[(&str, &str)] = &[
    ("target", "recognised for each file"),
    ("abi", "the usual machine of the game"),
    ("sources", "none: commands read the standard input"),
    ("output", "the current folder"),
    ("emit", "\"lev\""),
    ("message-format", "\"human\""),
    ("test.seeds", "200"),
];

/// A setting, its value, and its origin.
struct Row(String, String, String);

/// Shows the settings.
pub fn run(request: &Config) -> Outcome {
    let mut reporter = Reporter::new(request.message_format, request.color);
    let outcome = match text(request) {
        Ok(text) => print(&text),
        Err(trouble) => {
            trouble.report(&mut reporter);
            Outcome::Trouble
        }
    };
    reporter.finish(Ending::Checking);
    outcome
}

fn text(request: &Config) -> Result<String, Trouble> {
    let known = project::of(&request.project, request.file.as_slice())?;
    let file = request.file.as_deref().filter(|file| !file.is_dir());
    let mut rows = Vec::new();
    if let Some(file) = file {
        let input = Origin::of(file).read()?;
        if let Some(name) = named_target(&input.bytes) {
            rows.push(Row("target".to_owned(), format!("\"{name}\""), format!("comment in {}", file.display())));
        }
    }
    let mut text = String::new();
    match &known {
        None => text.push_str(&format!("no {FILE_NAME} in this folder or above it; `splc init` writes one\n\n")),
        Some(known) => rows.extend(of_project(known, file)),
    }
    for (name, value) in DEFAULTS {
        let is_set = |key: &str| rows.iter().any(|Row(known, ..)| known == key);
        let is_game = *name == "target" && (is_set("dialect") || is_set("catalogs"));
        if !is_set(name) && !is_game {
            rows.push(Row((*name).to_owned(), (*value).to_owned(), "default".to_owned()));
        }
    }
    let width = |of: fn(&Row) -> &str, most: usize| {
        rows.iter().map(|row| of(row).chars().count()).filter(|&width| width <= most).max().unwrap_or(0)
    };
    let (names, values) = (width(|row| &row.0, 40), width(|row| &row.1, 50));
    for Row(name, value, origin) in &rows {
        let _ = writeln!(text, "{:names$}  {:values$}  {}", visible(name), visible(value), visible(origin));
    }
    Ok(text)
}

/// Returns every setting of the project file that counts for `file`.
fn of_project(known: &Known, file: Option<&Path>) -> Vec<Row> {
    let Known { project, sources } = known;
    let id = FileId(0);
    let source = sources.get(id);
    // The file was read without errors before.
    let (table, _) = DeTable::parse_recoverable(&source.text);
    let mut rows = Vec::new();
    let mut add = |name: String, value: &toml::Spanned<DeValue<'_>>| {
        let place = value.span();
        let line = sources.line_column(id, u32::try_from(place.start).unwrap_or(u32::MAX)).0;
        let shown = source.text.get(place).unwrap_or_default();
        let shown = shown.split_whitespace().collect::<Vec<_>>().join(" ");
        rows.push(Row(name, shown, format!("{}:{line}", source.name)));
    };
    for (key, value) in table.get_ref() {
        let key: &str = key.get_ref();
        match value.get_ref() {
            DeValue::Table(table) => {
                for (inner, value) in table {
                    add(format!("{key}.{}", inner.get_ref()), value);
                }
            }
            DeValue::Array(list) if key == "files" => {
                for (at, entry) in list.iter().enumerate() {
                    let DeValue::Table(entry) = entry.get_ref() else { continue };
                    if file.is_some_and(|file| !project.entry_selects(at, file)) {
                        continue;
                    }
                    for (inner, value) in entry {
                        add(format!("files[{at}].{}", inner.get_ref()), value);
                    }
                }
            }
            _ => add(key.to_owned(), value),
        }
    }
    if let Some(file) = file
        && relative(file, project.folder()).is_some()
        && project.excludes(file)
    {
        rows.push(Row("excluded".to_owned(), "yes".to_owned(), "`exclude`".to_owned()));
    }
    rows
}
