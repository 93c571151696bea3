//! `splc preview`: shows levels in a browser, and follows every change of their files.
//!
//! The crate of the preview has the page and its server. This module gives it the files, the browser and the editor.

use std::collections::BTreeMap;
use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::thread;

use clap::Args;
use splc_driver::port::port;
use splc_driver::{Input, NoIncludes, Options, Target, Wanted};
use splc_ir::catalog::Catalog;
use splc_ir::diagnostic::{Code, Diagnostic, LintLevels};
use splc_ir::wording::visible;
use splc_preview::{Desk, Host, Matter, Server, Sheet, page};
use splc_vm::Settings;

use crate::diff::git::{self, Tree};
use crate::dungeon_file::within;
use crate::input::{FilesOnDisk, Origin};
use crate::interrupt;
use crate::options::groups::{DungeonFile, Sources, Surroundings};
use crate::outcome::Outcome;
use crate::output::{self, print};
use crate::port::target;
use crate::report::{Ending, Reporter};
use crate::run::settings;
use crate::threads;
use crate::trouble::describe;

/// `splc preview`.
#[derive(Debug, Args)]
pub struct Preview {
    /// What is read.
    #[command(flatten)]
    pub sources: Sources,

    /// Print the address instead of opening a browser
    #[arg(long)]
    pub no_open: bool,

    /// Program that opens a place in a source, with {file}, {line} and {column}, e.g. "code -g {file}:{line}"
    #[arg(long, value_name = "COMMAND")]
    pub editor: Option<String>,

    /// Show each file next to itself at this git revision
    #[arg(long, value_name = "REV", conflicts_with = "port")]
    pub against: Option<String>,

    /// Show each file next to its port to this game, with the account of the port
    #[arg(long, value_name = "TARGET")]
    pub port: Option<String>,

    /// Write the page to this file instead, or to standard output (`-`)
    #[arg(long, value_name = "FILE.html|-")]
    pub export: Option<PathBuf>,

    /// Number of seeds in the exported page
    #[arg(long, value_name = "N", requires = "export", default_value_t = 20)]
    pub seeds: u64,

    /// The game around the levels.
    #[command(flatten)]
    pub surroundings: Surroundings,

    /// The dungeon around.
    #[command(flatten)]
    pub dungeon: DungeonFile,
}

/// Most levels of a dungeon whose files are opened with it.
const MAX_DUNGEON_LEVELS: usize = 100;

/// Shows the levels that the options select.
pub fn run(arguments: &Preview, lints: LintLevels) -> Outcome {
    Reporter::run(arguments.sources.message_format, arguments.sources.color, Ending::Checking, |reporter| {
        show(arguments, lints, reporter)
    })
}

fn show(arguments: &Preview, lints: LintLevels, reporter: &mut Reporter) -> Result<Outcome, Box<Diagnostic>> {
    let dungeon = arguments.dungeon.file.as_deref();
    let Some(wanted) = within(dungeon, &arguments.sources, &lints, reporter)? else { return Ok(Outcome::InputErrors) };
    let origins = Origin::list(&arguments.sources.files);
    if arguments.export.is_none() && origins.contains(&Origin::Standard) {
        let problem = Diagnostic::new(Code::Usage, None, "the preview follows files, not the standard input");
        return Err(Box::new(problem.with_help("name a des-file, a Lua script or a level file")));
    }
    let inputs: Vec<Input> = origins.iter().map(Origin::read).collect::<Result<_, _>>()?;
    let around = Arc::new(around(arguments)?);
    let mut desk = Desk::new(Options { wanted, lints }, around, threads::count(None, u64::MAX));
    let other = match (&arguments.against, &arguments.port) {
        (Some(revision), _) => Other::Revision(Tree::read(revision)?),
        (None, Some(name)) => Other::Port(target(name, None, &desk.options.wanted)?),
        (None, None) => Other::None,
    };
    let mut files = Files { origins, watched: BTreeMap::new(), editor: arguments.editor.clone(), other };
    if let Some(path) = &arguments.export {
        desk.sheets = files.sheets(inputs, &desk).into_iter().map(Arc::new).collect();
        let usage = |message| Box::new(Diagnostic::new(Code::Usage, None, message));
        let page = page::export(&desk, arguments.seeds).map_err(usage)?;
        return match path.as_os_str() == "-" {
            true => output::write_standard(page.as_bytes()).map(|()| Outcome::Fine),
            false => output::write_file(path, page.as_bytes()).map(|()| Outcome::Fine),
        };
    }
    interrupt::listen();
    let refused = |error: io::Error| {
        let message = format!("cannot serve the preview: {}", describe(&error));
        Box::new(Diagnostic::new(Code::Unreadable, None, message))
    };
    let server = Server::bind(desk, Box::new(files)).map_err(refused)?;
    let address = server.address();
    let opened = !arguments.no_open && open_browser(&address);
    let hint = if opened { "opened in the browser" } else { "open this address in a browser" };
    let printed = print(&format!("{address}\n{hint}; Ctrl-C ends the preview\n"));
    if printed != Outcome::Fine {
        return Ok(printed);
    }
    server.run().map_err(refused)?;
    Ok(Outcome::Fine)
}

/// Returns the settings of the options for each game.
///
/// # Errors
/// Fails if an object that the hero carries is in no game.
fn around(arguments: &Preview) -> Result<impl Fn(&Catalog) -> Settings + Send + Sync + use<>, Box<Diagnostic>> {
    let surroundings = arguments.surroundings.clone();
    if let Some(catalog) = &arguments.sources.catalogs.target {
        settings::of(&surroundings, catalog)?;
    }
    Ok(move |catalog: &Catalog| settings::of(&surroundings, catalog).unwrap_or_default())
}

/// The levels next to those of the files.
enum Other {
    None,
    /// The same files at a git revision.
    Revision(Tree),
    /// Their ports to a game.
    Port(Target),
}

/// The files of the user.
struct Files {
    origins: Vec<Origin>,
    /// Every file that the page depends on.
    watched: BTreeMap<PathBuf, ()>,
    editor: Option<String>,
    other: Other,
}

impl Files {
    /// Opens the levels next to those of `sheet`.
    fn others(&self, sheet: &mut Sheet, desk: &Desk) -> Vec<Sheet> {
        let Some(loaded) = sheet.loaded() else { return Vec::new() };
        match &self.other {
            Other::None => Vec::new(),
            Other::Revision(tree) => {
                let name = format!("{}:{}", tree.name, sheet.input.name);
                let content = git::plain(Path::new(&sheet.input.name))
                    .ok_or_else(|| format!("{} is outside the current folder", sheet.input.name))
                    .and_then(|path| tree.content(&path).map_err(|problem| problem.message.to_string()));
                let mut includes: &Tree = tree;
                vec![match content {
                    Ok(bytes) => Sheet::open(Input::new(name, bytes), &desk.options, &mut includes),
                    Err(problem) => Sheet::unreadable(&name, problem),
                }]
            }
            Other::Port(to) => {
                if loaded.diagnostics.has_errors() {
                    return Vec::new();
                }
                let ports = splc_port::Options::default();
                let ported = port(sheet.input.clone(), &desk.options, to.clone(), &ports, &mut FilesOnDisk);
                let Ok(ported) = ported else { return Vec::new() };
                sheet.account = splc_preview::account(&ported);
                let wanted = Wanted { catalog: Some(to.catalog().clone()), abi: Some(to.abi()), ..Wanted::default() };
                let options = Options { wanted, lints: LintLevels::default() };
                let files = ported.written.into_files(&sheet.input.stem());
                let open = |file: splc_driver::File| {
                    let name = format!("{}: {}", to.catalog().title, file.name);
                    Sheet::open(Input::new(name, file.bytes), &options, &mut NoIncludes)
                };
                files.into_iter().map(open).collect()
            }
        }
    }

    /// Opens inputs, and the files of the levels of a dungeon among them.
    fn sheets(&mut self, inputs: Vec<Input>, desk: &Desk) -> Vec<Sheet> {
        let mut sheets: Vec<Sheet> = Vec::new();
        for input in inputs {
            let sheet = Sheet::open(input, &desk.options, &mut FilesOnDisk);
            let beside = self.levels_of(&sheet);
            sheets.push(sheet);
            for path in beside {
                if let Ok(input) = Origin::of(&path).read() {
                    sheets.push(Sheet::open(input, &desk.options, &mut FilesOnDisk));
                }
            }
        }
        // After all files, so that these keep their numbers.
        for at in 0..sheets.len() {
            let others = self.others(&mut sheets[at], desk);
            sheets[at].beside = (sheets.len()..sheets.len() + others.len()).collect();
            sheets.extend(others);
        }
        self.watched.clear();
        let places = sheets.iter().filter_map(|sheet| sheet.input.place.clone());
        self.watched.extend(places.map(|path| (path, ())));
        for loaded in sheets.iter().filter_map(Sheet::loaded) {
            let included = loaded.sources.iter().filter_map(|(_, source)| source.path.clone());
            self.watched.extend(included.map(|path| (path, ())));
        }
        self.watched.extend(self.origins.iter().filter_map(|origin| origin.path()).map(|path| (path.to_owned(), ())));
        sheets
    }

    /// Returns the files next to a dungeon that are named like its levels.
    fn levels_of(&self, sheet: &Sheet) -> Vec<PathBuf> {
        let (Matter::Dungeon { dungeons, .. }, Some(place)) = (&sheet.matter, &sheet.input.place) else {
            return Vec::new();
        };
        let Some(folder) = place.parent() else { return Vec::new() };
        let mut paths = Vec::new();
        for level in dungeons.iter().flat_map(|dungeon| &dungeon.levels).take(MAX_DUNGEON_LEVELS) {
            // The name of a level is not a path.
            if level.name.contains(['/', '\\', ':']) || level.name.starts_with('.') {
                continue;
            }
            for name in [level.name.clone(), format!("{}-1", level.name)] {
                let path = ["lua", "des", "lev"].map(|extension| folder.join(format!("{name}.{extension}")));
                let known = |path: &PathBuf| path.is_file() && !self.origins.contains(&Origin::File(path.clone()));
                if let Some(path) = path.into_iter().find(known) {
                    paths.push(path);
                    break;
                }
            }
        }
        paths
    }
}

impl Host for Files {
    fn stamp(&mut self) -> u64 {
        let mut hasher = DefaultHasher::new();
        for path in self.watched.keys() {
            let state = fs::metadata(path).ok().map(|data| (data.modified().ok(), data.len()));
            state.hash(&mut hasher);
        }
        hasher.finish()
    }

    fn open_all(&mut self, desk: &Desk) -> Vec<Sheet> {
        let mut inputs = Vec::new();
        let mut unreadable = Vec::new();
        for origin in &self.origins {
            match origin.read() {
                Ok(input) => inputs.push(input),
                Err(problem) => unreadable.push(Sheet::unreadable(&origin.name(), problem.message.to_string())),
            }
        }
        let mut sheets = self.sheets(inputs, desk);
        sheets.extend(unreadable);
        sheets
    }

    fn read(&mut self, path: &Path) -> Result<Vec<u8>, String> {
        Origin::File(path.to_owned()).read().map(|input| input.bytes).map_err(|problem| problem.message.to_string())
    }

    fn write(&mut self, path: &Path, bytes: &[u8]) -> Result<(), String> {
        output::write_file(path, bytes).map_err(|problem| problem.message.to_string())
    }

    fn show(&mut self, path: &Path, line: usize, column: usize) -> Result<String, String> {
        let file = path.display().to_string();
        let place = format!("{}:{line}:{column}", visible(&file));
        let Some(command) = &self.editor else {
            // A terminal makes a link of it.
            let _ = print(&format!("{place}\n"));
            return Ok(format!("{place} is printed in the terminal; --editor opens it"));
        };
        let words = editor(command, &file, line, column);
        let Some((program, arguments)) = words.split_first() else { return Err("--editor is empty".to_owned()) };
        spawn(Command::new(program).args(arguments))
            .map_err(|error| format!("cannot run {}: {}", visible(program), describe(&error)))?;
        Ok(format!("{place} opened"))
    }

    fn ends(&self) -> bool {
        interrupt::is_requested()
    }
}

/// Returns the words of an editor's command for a place. The name of the file is always one word, or part of one.
fn editor(command: &str, file: &str, line: usize, column: usize) -> Vec<String> {
    let filled = |word: &str| {
        // The file comes last, so that nothing in its name is replaced.
        let word = word.replace("{line}", &line.to_string()).replace("{column}", &column.to_string());
        word.replace("{file}", file)
    };
    let mut words: Vec<String> = command.split_whitespace().map(filled).collect();
    if !command.contains("{file}") && !words.is_empty() {
        words.push(file.to_owned());
    }
    words
}

/// Starts a program without a terminal, and does not wait for it.
fn spawn(command: &mut Command) -> io::Result<()> {
    let mut child = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn()?;
    // An ended child must be waited for.
    thread::spawn(move || child.wait());
    Ok(())
}

/// Opens the browser of the user. Returns false if there is none.
fn open_browser(address: &str) -> bool {
    let mut command = if cfg!(target_os = "macos") {
        Command::new("open")
    } else if cfg!(windows) {
        let mut command = Command::new("rundll32");
        command.arg("url.dll,FileProtocolHandler");
        command
    } else {
        Command::new("xdg-open")
    };
    spawn(command.arg(address)).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn editor_commands_never_split_or_fill_names_of_files() {
        let words = |command| editor(command, "a b {line}.des", 7, 2);
        assert_eq!(words("code -g {file}:{line}:{column}"), ["code", "-g", "a b {line}.des:7:2"]);
        assert_eq!(words("vi +{line}"), ["vi", "+7", "a b {line}.des"]);
        assert!(words(" ").is_empty());
    }
}
