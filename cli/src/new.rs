//! `splc new`: writes a template to start a level from.
//!
//! `new/` has the templates that are written once. Without a name on a terminal, [`questions`] prompts for the rest.

use std::io::{self, IsTerminal};
use std::path::Path;
use std::path::PathBuf;

use clap::{Args, ValueEnum};
use splc_driver::games::{DEFAULT_ABI, Dialect};
use splc_driver::port::port;
use splc_driver::{Input, NoIncludes, Options, Target, Wanted};
use splc_frontends::templates::{self, Kind};
use splc_ir::catalog::{Catalog, Format};
use splc_ir::check::level_name;
use splc_ir::diagnostic::{Code, Diagnostic};
use splc_ir::source::Charset;
use splc_ir::wording::visible;

use crate::options::groups::ProjectFile;
use crate::options::values;
use crate::outcome::Outcome;
use crate::output;
use crate::project;
use crate::report::{ColorChoice, MessageFormat};
use crate::report::{Ending, Reporter};

mod questions;

/// `splc new`.
#[derive(Debug, Args)]
pub struct New {
    /// Name of the level; without it, splc prompts for dialect, kind and name on a terminal
    pub name: Option<String>,

    /// Language to write the level in [default: that of the project, or nethack36]
    #[arg(long, value_name = "DIALECT", value_parser = values::dialect)]
    pub dialect: Option<&'static Dialect>,

    /// Structure of the level [default: maze]
    #[arg(long, value_name = "KIND", value_enum)]
    pub kind: Option<LevelKind>,

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

/// Kinds of levels.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum LevelKind {
    /// A map, with every statement explained
    Maze,
    /// Rooms and corridors, with every statement explained
    Rooms,
    /// A temple with its priest
    Temple,
    /// A street with shops
    Shop,
    /// Closed vaults
    Vault,
    /// A puzzle of boulders and holes
    Sokoban,
    /// A town with a temple, shops and a watch
    Town,
    /// A maze around a chamber
    Goal,
    /// Rooms in random places
    Random,
    /// An environment for MiniHack
    Minihack,
    /// A themed room of NetHack 5, in Lua
    Themed,
}

/// The dialect of the templates that are ported to the others.
const WRITTEN_IN: &str = "nethack36";

/// A level to be written.
struct Plan {
    name: String,
    dialect: &'static Dialect,
    kind: LevelKind,
}

impl Plan {
    /// Returns the level that the options describe. Prompts for its name, and for options that are missing with it.
    fn of(new: &New) -> Result<Self, Box<Diagnostic>> {
        let usual = usual_dialect();
        if let Some(name) = new.name.clone() {
            return Ok(Plan { name, dialect: new.dialect.unwrap_or(usual), kind: new.kind.unwrap_or(LevelKind::Maze) });
        }
        if !io::stdin().is_terminal() || !io::stdout().is_terminal() {
            let problem = refuse("the level has no name");
            return Err(Box::new(problem.with_help("write `splc new NAME`; on a terminal, `splc new` asks")));
        }
        questions::ask(new, usual)
    }

    /// Returns the path of the level's file in the current folder.
    fn file(&self) -> PathBuf {
        PathBuf::from(format!("{}.{}", self.name, extension(self.dialect)))
    }

    /// Checks the name.
    fn check(&self) -> Result<&'static Catalog, Box<Diagnostic>> {
        let catalog = game(self.dialect)?;
        match level_name(&self.name, catalog, Charset::Utf8) {
            Ok(_) => Ok(catalog),
            Err(error) => Err(Box::new(refuse(error.to_string()).with_help(error.help()))),
        }
    }
}

fn refuse(message: impl Into<std::borrow::Cow<'static, str>>) -> Diagnostic {
    Diagnostic::new(Code::Usage, None, message)
}

fn game(dialect: &Dialect) -> Result<&'static Catalog, Box<Diagnostic>> {
    dialect.default_target().ok_or_else(|| Box::new(refuse(format!("{} has no known game", dialect.name))))
}

fn extension(dialect: &Dialect) -> &'static str {
    let is_lua = dialect.default_target().is_some_and(|catalog| catalog.format == Format::Lua);
    if is_lua { "lua" } else { "des" }
}

/// Returns the dialect of the project that contains the current folder, or [`WRITTEN_IN`]. A project file with mistakes
/// is reported by the commands that need it.
fn usual_dialect() -> &'static Dialect {
    let known = project::of(&ProjectFile::default(), &[]).ok().flatten();
    let settings = known.as_ref().map(|known| &known.project.settings);
    let of_project = settings.and_then(|settings| settings.dialect.as_ref()).map(|name| name.get_ref().as_str());
    of_project
        .and_then(Dialect::by_name)
        .or_else(|| Dialect::by_name(WRITTEN_IN))
        .unwrap_or(&splc_ir::catalog::dialect::LUA)
}

/// Writes the template as NAME.des in the current folder, or to the path given by `-o`.
pub fn run(new: &New) -> Outcome {
    let mut reporter = Reporter::new(new.message_format, new.color);
    let outcome = match Plan::of(new).and_then(|plan| write(&plan, new.output.as_deref())) {
        Ok(None) => Outcome::Fine,
        Ok(Some(path)) => {
            let name = visible(&path.display().to_string()).into_owned();
            reporter.succeed(&format!(
                "{name} is written; next:\n  splc preview {name}\n    shows it, and follows your changes\n  \
                 splc test {name}\n    runs it with many seeds\n"
            ));
            Outcome::Fine
        }
        Err(problem) => {
            reporter.report_alone(*problem);
            Outcome::Trouble
        }
    };
    reporter.finish(Ending::Writing);
    outcome
}

/// Writes the template. Returns the path of the file, if it is one.
fn write(plan: &Plan, output: Option<&Path>) -> Result<Option<PathBuf>, Box<Diagnostic>> {
    let catalog = plan.check()?;
    let text = text(plan.kind, plan.dialect, catalog)
        .ok_or_else(|| Box::new(refuse(format!("no such template for {}", plan.dialect.name))))?;
    let text = text.replace("\"template\"", &format!("\"{}\"", plan.name));
    let text = text.replace("template.des", &format!("{}.{}", plan.name, extension(plan.dialect)));
    if output == Some(Path::new("-")) {
        return output::write_standard(text.as_bytes()).map(|()| None);
    }
    let path = output.map_or_else(|| plan.file(), Path::to_owned);
    if path.exists() {
        let problem = refuse(format!("{} already exists", path.display()));
        return Err(Box::new(problem.with_help("choose another name or remove the file")));
    }
    output::write_file(&path, text.as_bytes())?;
    Ok(Some(path))
}

/// Returns the template of a kind in a dialect. Its level is called "template".
///
/// Those that explain every statement are written for each dialect. The others are written once, and ported.
fn text(kind: LevelKind, dialect: &Dialect, catalog: &'static Catalog) -> Option<String> {
    let source = match kind {
        // The explanations are about des-files.
        LevelKind::Maze if catalog.format == Format::Lua => include_str!("new/goal.des"),
        LevelKind::Rooms if catalog.format == Format::Lua => include_str!("new/random.des"),
        LevelKind::Maze | LevelKind::Rooms => {
            let explained = if kind == LevelKind::Maze { Kind::Maze } else { Kind::Rooms };
            return templates::template(dialect.name, explained).map(|template| template.text.to_owned());
        }
        LevelKind::Themed => {
            return (catalog.format == Format::Lua).then(|| include_str!("new/themed.lua").to_owned());
        }
        LevelKind::Temple => include_str!("new/temple.des"),
        LevelKind::Shop => include_str!("new/shop.des"),
        LevelKind::Vault => include_str!("new/vault.des"),
        LevelKind::Sokoban => include_str!("new/sokoban.des"),
        LevelKind::Town => include_str!("new/town.des"),
        LevelKind::Goal => include_str!("new/goal.des"),
        LevelKind::Random => include_str!("new/random.des"),
        LevelKind::Minihack => include_str!("new/minihack.des"),
    };
    if dialect.name == WRITTEN_IN {
        return Some(source.to_owned());
    }
    let wanted = Wanted { dialect: Dialect::by_name(WRITTEN_IN), ..Wanted::default() };
    let options = Options { wanted, ..Options::default() };
    let to = Target::new(catalog, DEFAULT_ABI).ok()?;
    let input = Input::new("template.des", source);
    let ported = port(input, &options, to, &splc_port::Options::default(), &mut NoIncludes).ok()?;
    let file = ported.written.into_files("template").into_iter().next()?;
    String::from_utf8(file.bytes).ok()
}
