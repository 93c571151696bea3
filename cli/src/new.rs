//! `splc new`: writes a template to start a level from.

use std::path::Path;
use std::path::PathBuf;

use clap::{Args, ValueEnum};
use splc_driver::games::Dialect;
use splc_frontends::templates::{self, Kind};
use splc_ir::catalog::Catalog;
use splc_ir::check::level_name;
use splc_ir::diagnostic::{Code, Diagnostic};
use splc_ir::source::Charset;

use crate::options::values::dialect;
use crate::outcome::Outcome;
use crate::output;
use crate::report::{ColorChoice, MessageFormat};
use crate::report::{Ending, Reporter};

/// `splc new`.
#[derive(Debug, Args)]
pub struct New {
    /// Name of the level
    pub name: String,

    /// Language to write the level in
    #[arg(long, value_name = "DIALECT", value_parser = dialect, default_value = "nethack36")]
    pub dialect: &'static Dialect,

    /// Structure of the level
    #[arg(long, value_name = "KIND", value_enum, default_value_t = LevelKind::Maze)]
    pub kind: LevelKind,

    /// Write to FILE, or to standard output (`-`) [default: NAME.des]
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,

    /// Format of the diagnostics
    #[arg(long, value_name = "FORMAT", value_enum, default_value_t = MessageFormat::Human)]
    pub message_format: MessageFormat,

    /// Color the diagnostics
    #[arg(long, value_name = "WHEN", value_enum, default_value_t = ColorChoice::Auto)]
    pub color: ColorChoice,
}

/// What a level is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum LevelKind {
    /// Drawn maps
    Maze,
    /// Rooms and corridors
    Rooms,
}

/// Writes the template as NAME.des in the current folder, or to the path given by `-o`.
pub fn run(new: &New) -> Outcome {
    let mut reporter = Reporter::new(new.message_format, new.color);
    let outcome = match write(new) {
        Ok(()) => Outcome::Fine,
        Err(problem) => {
            reporter.report_alone(*problem);
            Outcome::Trouble
        }
    };
    reporter.finish(Ending::Writing);
    outcome
}

fn write(new: &New) -> Result<(), Box<Diagnostic>> {
    let refuse = |message: String| Box::new(Diagnostic::new(Code::Usage, None, message));
    let catalog: &'static Catalog =
        new.dialect.default_target().ok_or_else(|| refuse(format!("{} has no known game", new.dialect.name)))?;
    if let Err(error) = level_name(&new.name, catalog, Charset::Utf8) {
        return Err(Box::new(refuse(error.to_string()).with_help(error.help())));
    }
    let template = templates::template(new.dialect.name, new.kind.into())
        .ok_or_else(|| refuse(format!("no such template for {}", new.dialect.name)))?;
    let text = template.named(&new.name);
    if new.output.as_deref() == Some(Path::new("-")) {
        return output::write_standard(text.as_bytes());
    }
    let path = new.output.clone().unwrap_or_else(|| Path::new(&format!("{}.des", new.name)).to_owned());
    if path.exists() {
        let message = format!("{} already exists", path.display());
        return Err(Box::new(refuse(message).with_help("choose another name or remove the file")));
    }
    output::write_file(&path, text.as_bytes())
}

impl From<LevelKind> for Kind {
    fn from(kind: LevelKind) -> Self {
        match kind {
            LevelKind::Maze => Kind::Maze,
            LevelKind::Rooms => Kind::Rooms,
        }
    }
}
