//! `splc catalog`: imports a catalog from a variant's source tree; shows, compares and validates catalogs.

use std::collections::{BTreeMap, VecDeque};
use std::fs;
use std::io::{ErrorKind, Read as _};
use std::path::{Component, Path, PathBuf};

use clap::{Args, Subcommand};
use splc_driver::import::{ImportOptions, Imported, import};
use splc_game::files;
use splc_import::limits::MAX_FILE_BYTES;
use splc_import::{Files, Settings};
use splc_ir::catalog::Shared;
use splc_ir::order::Order;
use splc_ir::wording::{visible, wrapped};

use crate::options::groups::{CatalogFiles, Request};
use crate::outcome::Outcome;
use crate::output::print;
use crate::report::{ColorChoice, MessageFormat};
use crate::width;

/// `splc catalog`.
#[derive(Debug, Args)]
pub struct Arguments {
    #[command(subcommand)]
    action: Action,
}

#[derive(Debug, Subcommand)]
enum Action {
    /// Import a catalog from the source tree of a variant, as an extension of its parent
    Import(Import),
    /// Print a catalog, with everything it inherits
    Show(Show),
    /// Compare two catalogs
    Diff(Diff),
    /// Check catalog files
    Validate(Validate),
}

#[derive(Debug, Args)]
struct Import {
    /// Source tree: the folder with `src`, `include` and `util`
    #[arg(value_name = "DIR")]
    tree: PathBuf,

    /// Catalog file to write; its name becomes the name of the game, unless --name is given
    #[arg(short, long, value_name = "FILE.toml")]
    output: PathBuf,

    /// Name of the game as a target, e.g. slashem-0.0.7
    #[arg(long, value_name = "NAME")]
    name: Option<String>,

    /// Title of the game, e.g. "SLASH'EM 0.0.7"
    #[arg(long, value_name = "TITLE")]
    title: Option<String>,

    /// Define a preprocessor symbol, as for a C compiler
    #[arg(short = 'D', value_name = "SYMBOL[=VALUE]")]
    defines: Vec<String>,

    /// Undefine a preprocessor symbol, even if the tree's headers define it
    #[arg(short = 'U', value_name = "SYMBOL")]
    undefines: Vec<String>,

    /// Take the version header from a level file of the game's own compiler, or from an nhdat
    #[arg(long, value_name = "FILE.lev")]
    like: Option<PathBuf>,
}

#[derive(Debug, Args)]
struct Show {
    /// Name of a catalog [default: the last one read with --catalog]
    #[arg(value_name = "NAME")]
    name: Option<String>,

    #[command(flatten)]
    catalogs: CatalogFiles,
}

#[derive(Debug, Args)]
struct Diff {
    /// Name of a catalog
    #[arg(value_name = "A")]
    one: String,

    /// Name of another catalog
    #[arg(value_name = "B")]
    other: String,

    #[command(flatten)]
    catalogs: CatalogFiles,
}

#[derive(Debug, Args)]
struct Validate {
    /// Catalog files
    #[arg(value_name = "FILE.toml", required = true)]
    files: Vec<PathBuf>,

    #[command(flatten)]
    catalogs: CatalogFiles,
}

impl Arguments {
    /// Returns the options for catalogs that must be loaded before the command runs.
    pub fn catalog_files(&mut self) -> Option<(&mut CatalogFiles, Request<'_>)> {
        let catalogs = match &mut self.action {
            Action::Import(_) => return None,
            Action::Show(show) => &mut show.catalogs,
            Action::Diff(diff) => &mut diff.catalogs,
            Action::Validate(validate) => {
                validate.catalogs.files.extend(validate.files.iter().cloned());
                &mut validate.catalogs
            }
        };
        let format = MessageFormat::Human;
        Some((catalogs, Request { target: None, dialect: None, is_matched: false, format, color: ColorChoice::Auto }))
    }
}

/// Runs the command.
pub fn run(request: &Arguments) -> Outcome {
    match &request.action {
        Action::Import(request) => run_import(request),
        Action::Show(request) => show(request),
        Action::Diff(request) => diff(request),
        Action::Validate(request) => {
            let known = request.catalogs.known.loaded();
            let lines: String =
                known.iter().map(|catalog| format!("{}: {} is valid\n", catalog.name, catalog.title)).collect();
            print(&lines)
        }
    }
}

fn trouble(message: &str) -> Outcome {
    anstream::eprintln!("error: {}", visible(message));
    Outcome::Trouble
}

/// Most folder entries that are visited when searching a tree for its files.
const MAX_ENTRIES: usize = 200_000;

/// Depth of the deepest folder that is searched.
const MAX_DEPTH: usize = 8;

/// Lists the files below `top` by name, those with the shortest paths first. Links are skipped.
fn index(top: &Path) -> BTreeMap<String, Vec<PathBuf>> {
    let mut found: BTreeMap<String, Vec<PathBuf>> = BTreeMap::new();
    let mut folders = VecDeque::from([(PathBuf::new(), 0)]);
    let mut entries = 0;
    // Shallow folders come first.
    while let Some((folder, depth)) = folders.pop_front() {
        let Ok(inner) = fs::read_dir(top.join(&folder)) else { continue };
        let mut inner: Vec<_> = inner.flatten().map(|entry| (entry.file_name(), entry.file_type())).collect();
        inner.order_by(|(one, _), (other, _)| one.cmp(other));
        for (name, kind) in inner {
            entries += 1;
            let Ok(kind) = kind else { continue };
            if entries > MAX_ENTRIES {
                return found;
            } else if kind.is_dir() && depth < MAX_DEPTH && !name.to_string_lossy().starts_with('.') {
                folders.push_back((folder.join(&name), depth + 1));
            } else if kind.is_file() {
                found.entry(name.to_string_lossy().into_owned()).or_default().push(folder.join(&name));
            }
        }
    }
    found
}

/// Returns a reader for files of a source tree that reads nothing outside it.
///
/// The top of the tree may be a subfolder: the folder with `src/monst.c`.
fn tree(folder: &Path) -> Result<Box<Files<'static>>, String> {
    let top = fs::canonicalize(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    if !top.is_dir() {
        return Err(format!("{} is not a folder", folder.display()));
    }
    let mut known: Option<BTreeMap<String, Vec<PathBuf>>> = None;
    let mut inner_top: Option<PathBuf> = None;
    Ok(Box::new(move |path: &str| {
        let anywhere = path.strip_prefix("**/");
        let inner = Path::new(anywhere.unwrap_or(path));
        if !inner.components().all(|part| matches!(part, Component::Normal(_))) {
            return Ok(None);
        }
        if anywhere.is_none()
            && let Some(bytes) = read(&top, inner)?
        {
            return Ok(Some(bytes));
        }
        let known = known.get_or_insert_with(|| index(&top));
        let inner_top = inner_top.get_or_insert_with(|| {
            let monsters = known.get("monst.c").into_iter().flatten().find(|path| path.ends_with("src/monst.c"));
            monsters.and_then(|path| path.parent()?.parent()).map(Path::to_owned).unwrap_or_default()
        });
        if anywhere.is_none() {
            return if inner_top.as_os_str().is_empty() { Ok(None) } else { read(&top, &inner_top.join(inner)) };
        }
        let Some(places) = inner.to_str().and_then(|name| known.get(name)) else { return Ok(None) };
        let place = places.iter().find(|place| place.starts_with(&*inner_top)).or(places.first());
        place.map_or(Ok(None), |place| read(&top, place))
    }))
}

/// Reads the file `inner` of the tree at `top`. Returns `None` if it does not exist.
fn read(top: &Path, inner: &Path) -> Result<Option<Vec<u8>>, String> {
    let real = match fs::canonicalize(top.join(inner)) {
        Ok(real) => real,
        Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => return Ok(None),
        Err(error) => return Err(error.to_string()),
    };
    if !real.starts_with(top) {
        return Err("a link leads out of the tree".to_owned());
    }
    if !fs::metadata(&real).map_err(|error| error.to_string())?.is_file() {
        return Ok(None);
    }
    let mut bytes = Vec::new();
    let (file, _) = files::open(&real).map_err(|error| error.to_string())?;
    // One extra byte reveals a file that is too large.
    file.take(MAX_FILE_BYTES as u64 + 1).read_to_end(&mut bytes).map_err(|error| error.to_string())?;
    Ok(Some(bytes))
}

fn run_import(request: &Import) -> Outcome {
    let like = match request.like.as_ref().map(|path| (path, head(path))) {
        None => None,
        Some((_, Ok(bytes))) => Some(bytes),
        Some((path, Err(error))) => return trouble(&format!("{}: {error}", path.display())),
    };
    let stem = request.output.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
    let name = request.name.clone().unwrap_or(stem);
    if name.is_empty() || !name.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.' | b'_')) {
        return trouble(&format!(
            "\"{name}\" is not a valid target name; choose another with --name, e.g. --name mygame-1.0"
        ));
    }
    let define = |text: &String| match text.split_once('=') {
        Some((name, value)) => (name.to_owned(), value.to_owned()),
        None => (text.clone(), "1".to_owned()),
    };
    let settings =
        Settings { defines: request.defines.iter().map(define).collect(), undefines: request.undefines.clone() };
    let title = request.title.clone().unwrap_or_else(|| name.clone());
    let options = ImportOptions { name, title, settings, like };
    let mut tree = match tree(&request.tree) {
        Ok(tree) => tree,
        Err(problem) => return trouble(&problem),
    };
    let imported = match import(&mut *tree, &options) {
        Ok(imported) => imported,
        Err(problem) => {
            let message = format!("{}: {problem}", request.tree.display());
            anstream::eprintln!("error: {}", visible(&message));
            return Outcome::InputErrors;
        }
    };
    if let Err(error) = fs::write(&request.output, &imported.text) {
        return trouble(&format!("{}: {error}", request.output.display()));
    }
    match print(&account(&imported, &request.output)) {
        Outcome::Fine if !imported.contradictions.is_empty() => Outcome::InputErrors,
        outcome => outcome,
    }
}

/// Reads the beginning of a level file, or of the first level file in an archive.
fn head(path: &Path) -> std::io::Result<Vec<u8>> {
    if let Ok(mut archive) = splc_game::archive::open(path) {
        let level = archive.files().map(|entry| entry.name().into_owned()).find(|name| name.ends_with(".lev"));
        if let Some(bytes) = level.and_then(|name| archive.bytes(&name).ok()) {
            return Ok(bytes);
        }
    }
    let mut bytes = Vec::new();
    files::open(path)?.0.take(splc_driver::HEADER_BYTES as u64).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Describes what was imported, and what was not understood.
fn account(imported: &Imported, output: &Path) -> String {
    let mut out = format!("{}: extends {}\n\n", output.display(), imported.parent);
    for table in &imported.tables {
        let (new, gone) = table.changed;
        out += &format!("{:>6} {:<16} {:>4} new {:>4} gone   {}\n", table.entries, table.key, new, gone, table.place);
    }
    if !imported.notes.is_empty() {
        out += "\nnot imported:\n";
    }
    for note in &imported.notes {
        let place = if note.place.is_empty() { String::new() } else { format!("{}: ", note.place) };
        out += &format!("  {place}{}\n", note.message);
    }
    if !imported.contradictions.is_empty() {
        out += "\ncontradictions; correct them in the file before you use it:\n";
    }
    for message in &imported.contradictions {
        out += &format!("  {}\n", visible(message));
    }
    out
}

fn named(known: &CatalogFiles, name: &str) -> Result<Shared, Outcome> {
    known.known.by_name(name).ok_or_else(|| {
        trouble(&format!(
            "unknown catalog \"{name}\"; `splc targets` lists the known ones, --catalog FILE.toml adds one"
        ))
    })
}

fn show(request: &Show) -> Outcome {
    let catalog = match &request.name {
        Some(name) => match named(&request.catalogs, name) {
            Ok(catalog) => catalog,
            Err(outcome) => return outcome,
        },
        None => match request.catalogs.known.loaded().last() {
            Some(catalog) => catalog.clone(),
            None => return trouble("name a catalog, or read one with --catalog"),
        },
    };
    print(&catalog.write(None, &|_| None))
}

fn diff(request: &Diff) -> Outcome {
    let (one, other) = match (named(&request.catalogs, &request.one), named(&request.catalogs, &request.other)) {
        (Ok(one), Ok(other)) => (one, other),
        (Err(outcome), _) | (_, Err(outcome)) => return outcome,
    };
    let mut out = format!("--- {}\n+++ {}\n", one.name, other.name);
    let line = |mark: &str, names: &[String]| {
        let line = wrapped(&format!("  {mark} {}", names.join(", ")), width::output(), "    ");
        if names.is_empty() { String::new() } else { line + "\n" }
    };
    for ((key, left), (_, right)) in one.named_entries().into_iter().zip(other.named_entries()) {
        let only = |these: &[String], those: &[String]| {
            let those: std::collections::HashSet<&String> = those.iter().collect();
            these.iter().filter(|name| !those.contains(name)).cloned().collect::<Vec<_>>()
        };
        let (removed, added) = (only(&left, &right), only(&right, &left));
        if !removed.is_empty() || !added.is_empty() {
            out += &format!("{key}\n{}{}", line("-", &removed), line("+", &added));
        }
    }
    print(&out)
}
