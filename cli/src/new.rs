//! `splc new`: writes a template to start a level from.
//!
//! `new/` has the templates that are written once.

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

/// Writes the template as NAME.des in the current folder, or to the path given by `-o`.
pub fn run(new: &New) -> Outcome {
    let mut reporter = Reporter::new(new.message_format, new.color);
    let outcome = match write(new) {
        Ok(None) => Outcome::Fine,
        Ok(Some(path)) => {
            let name = visible(&path.display().to_string()).into_owned();
            reporter.succeed(&format!(
                "{name} is written; next:\n  splc preview {name}   shows it, and follows your changes\n  \
                 splc test {name}      runs it with many seeds\n"
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
fn write(new: &New) -> Result<Option<PathBuf>, Box<Diagnostic>> {
    let refuse = |message: String| Box::new(Diagnostic::new(Code::Usage, None, message));
    let catalog: &'static Catalog =
        new.dialect.default_target().ok_or_else(|| refuse(format!("{} has no known game", new.dialect.name)))?;
    if let Err(error) = level_name(&new.name, catalog, Charset::Utf8) {
        return Err(Box::new(refuse(error.to_string()).with_help(error.help())));
    }
    let text = text(new.kind, new.dialect, catalog)
        .ok_or_else(|| refuse(format!("no such template for {}", new.dialect.name)))?;
    let text = text.replace("\"template\"", &format!("\"{}\"", new.name));
    let extension = if catalog.format == Format::Lua { "lua" } else { "des" };
    let text = text.replace("template.des", &format!("{}.{extension}", new.name));
    if new.output.as_deref() == Some(Path::new("-")) {
        return output::write_standard(text.as_bytes()).map(|()| None);
    }
    let path = new.output.clone().unwrap_or_else(|| PathBuf::from(format!("{}.{extension}", new.name)));
    if path.exists() {
        let message = format!("{} already exists", path.display());
        return Err(Box::new(refuse(message).with_help("choose another name or remove the file")));
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
