//! `splc init`: writes the project file of a tree of levels, from what the tree contains.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

use clap::Args;
use splc_driver::games::{DEFAULT_ABI, DIALECTS, Dialect};
use splc_driver::{Options, Target, Wanted};
use splc_ir::catalog::dialect::LUA;
use splc_ir::catalog::{Catalogs, Format};
use splc_ir::diagnostic::{Code, Diagnostic};
use splc_ir::wording::{counted, visible};
use splc_lua::NOT_LEVELS;
use splc_project::FILE_NAME;
use splc_project::inputs::walk;

use crate::catalogs;
use crate::input::Origin;
use crate::options::values::dialect;
use crate::outcome::Outcome;
use crate::output::{self, print};
use crate::report::{ColorChoice, Ending, MessageFormat, Reporter};

/// `splc init`.
#[derive(Debug, Args)]
pub struct Init {
    /// Folder of the tree [default: the current folder]
    #[arg(value_name = "DIR")]
    pub folder: Option<PathBuf>,

    /// Language of the des-files [default: that of most files]
    #[arg(long, value_name = "DIALECT", value_parser = dialect)]
    pub dialect: Option<&'static Dialect>,

    /// Print the file instead of writing it
    #[arg(long)]
    pub dry_run: bool,

    /// Format of the diagnostics
    #[arg(long, value_name = "FORMAT", value_enum, default_value_t = MessageFormat::Human)]
    pub message_format: MessageFormat,

    /// Color the diagnostics
    #[arg(long, value_name = "WHEN", value_enum, default_value_t = ColorChoice::Auto)]
    pub color: ColorChoice,
}

/// Most files whose text is examined, and most bytes of each.
const MAX_READ: usize = 500;
const MAX_BYTES: u64 = 1 << 20;

/// Writes the project file.
pub fn run(request: &Init) -> Outcome {
    let mut reporter = Reporter::new(request.message_format, request.color);
    let outcome = match write(request) {
        Ok(text) => print(&text),
        Err(problem) => {
            reporter.report_alone(*problem);
            Outcome::Trouble
        }
    };
    reporter.finish(Ending::Writing);
    outcome
}

/// The content of a tree.
#[derive(Default)]
struct Tree {
    /// Folders with levels, the extensions of these, and their number.
    folders: BTreeMap<(String, &'static str), usize>,
    /// Number of files of each dialect.
    dialects: BTreeMap<&'static str, usize>,
    /// Catalogs of games.
    catalogs: Vec<String>,
    /// The catalogs that could be read.
    known: Catalogs,
    /// Folders with the library of a game's Lua levels. Its levels are next to it, not its tests.
    libraries: BTreeSet<String>,
    /// Files that describe a dungeon.
    dungeons: Vec<String>,
    /// True if it is the source of a game.
    is_game: bool,
}

impl Tree {
    fn of(folder: &Path) -> Result<Tree, Box<Diagnostic>> {
        let mut tree = Tree::default();
        let mut read = 0;
        for path in walk(folder, &|path| path.extension().is_some())? {
            let below = path.strip_prefix(folder).unwrap_or(&path);
            let parts: Vec<_> = below.components().map(|part| part.as_os_str().to_string_lossy()).collect();
            let name = parts.join("/");
            let (stem, extension) = name.rsplit_once('.').unwrap_or((&name, ""));
            let stem = stem.rsplit('/').next().unwrap_or(stem);
            let parent = name.rsplit_once('/').map_or("", |(parent, _)| parent);
            tree.is_game |= matches!(stem, "sp_lev" | "monst") && extension == "c";
            match extension {
                "des" => {
                    *tree.folders.entry((parent.to_owned(), "des")).or_default() += 1;
                    if read < MAX_READ {
                        read += 1;
                        if let Some(target) = head(&path).and_then(|bytes| Target::guessed(&bytes, DEFAULT_ABI).ok()) {
                            let found = DIALECTS.iter().find(|dialect| dialect.name == target.catalog().dialect);
                            *tree.dialects.entry(found.map_or("", |dialect| dialect.name)).or_default() += 1;
                        }
                    }
                }
                "lua" if stem == "dungeon" => tree.dungeons.push(name),
                "lua" if stem == "nhlib" => drop(tree.libraries.insert(parent.to_owned())),
                "lua" if !NOT_LEVELS.contains(&stem) => {
                    let is_level = head(&path).is_some_and(|bytes| String::from_utf8_lossy(&bytes).contains("des."));
                    if is_level {
                        *tree.folders.entry((parent.to_owned(), "lua")).or_default() += 1;
                        *tree.dialects.entry(LUA.name).or_default() += 1;
                    }
                }
                "def" if stem == "dungeon" => tree.dungeons.push(name),
                "toml" if parent.is_empty() => {
                    let text = head(&path).unwrap_or_default();
                    let text = String::from_utf8_lossy(&text);
                    let has = |key: &str| text.lines().any(|line| line.trim_start().starts_with(key));
                    if has("extends") && has("title") {
                        tree.catalogs.push(name);
                    }
                }
                _ => {}
            }
        }
        let catalogs: Vec<PathBuf> = tree.catalogs.iter().map(|name| folder.join(name)).collect();
        // `splc check` reports a catalog with mistakes.
        let _ = catalogs::load(&catalogs, &mut tree.known, |_, _| {});
        let format = tree.known.loaded().last().map(|catalog| catalog.format);
        let libraries = &tree.libraries;
        tree.folders.retain(|(folder, extension), _| {
            let is_lua = *extension == "lua";
            format.is_none_or(|format| (format == Format::Lua) == is_lua)
                && (!is_lua || libraries.is_empty() || libraries.contains(folder))
        });
        Ok(tree)
    }

    /// Returns the number of files with levels.
    fn files(&self) -> usize {
        self.folders.values().sum()
    }
}

/// Reads the beginning of the file at `path`.
fn head(path: &Path) -> Option<Vec<u8>> {
    let mut bytes = Vec::new();
    File::open(path).ok()?.take(MAX_BYTES).read_to_end(&mut bytes).ok()?;
    Some(bytes)
}

fn write(request: &Init) -> Result<String, Box<Diagnostic>> {
    let folder = request.folder.clone().unwrap_or_default();
    let path = folder.join(FILE_NAME);
    if !request.dry_run && path.symlink_metadata().is_ok() {
        let message = format!("{} already exists", visible(&path.display().to_string()));
        let problem = Diagnostic::new(Code::Usage, None, message);
        return Err(Box::new(problem.with_help("`splc config` shows its settings; remove it to write a new one")));
    }
    if !folder.as_os_str().is_empty() && !folder.is_dir() {
        let message = format!("{} is not a folder", visible(&folder.display().to_string()));
        return Err(Box::new(Diagnostic::new(Code::Usage, None, message)));
    }
    let tree = Tree::of(&folder)?;
    let text = text(&tree, &folder, request.dialect);
    if request.dry_run {
        return Ok(text);
    }
    output::write_file(&path, text.as_bytes())?;
    let mut said =
        format!("{} is written, for {}\n", visible(&path.display().to_string()), counted(tree.files(), "file"));
    said.push_str(
        "next:\n  splc check   reports mistakes\n  splc test    runs the levels\n  splc         compiles them\n",
    );
    if tree.is_game && tree.catalogs.is_empty() {
        let import = "this is the source of a game: `splc catalog import . -o game.toml` reads its names, and\n\
                      `catalogs = [\"game.toml\"]` makes it the target\n";
        said.push_str(import);
    }
    Ok(said)
}

/// Returns true if splc reads the description of a dungeon without mistakes. With one that it cannot read, no command
/// of the project would work.
fn is_readable(path: &Path, game: Wanted) -> bool {
    let options = Options { wanted: game, ..Options::default() };
    let read = Origin::of(path).read().map(|input| splc_driver::dungeon::read(input, &options));
    matches!(read, Ok(Ok(read)) if !read.diagnostics.has_errors())
}

/// Returns the project file of a tree.
fn text(tree: &Tree, folder: &Path, dialect: Option<&'static Dialect>) -> String {
    let list = |names: &[String]| {
        let quoted: Vec<String> = names.iter().map(|name| serde_json::Value::from(name.as_str()).to_string()).collect();
        format!("[{}]", quoted.join(", "))
    };
    let mut text = "# Settings of splc for these levels. `splc config` lists each with its origin.\n\n".to_owned();
    let most = tree.dialects.iter().max_by_key(|(_, count)| **count).map(|(name, _)| *name);
    match (dialect.map(|dialect| dialect.name).or(most), tree.catalogs.is_empty()) {
        (_, false) => text.push_str(&format!("catalogs = {}\n", list(&tree.catalogs))),
        (Some(name), true) => text.push_str(&format!("dialect = \"{name}\"\n")),
        (None, true) => text.push_str("# dialect = \"nethack36\"\n"),
    }
    let several = tree.dialects.len() > 1 && dialect.is_none() && tree.catalogs.is_empty();
    if several {
        text.push_str("# Other games have levels here too. Name the game at the top of such a file:\n");
        text.push_str("# # splc: target(nethack-3.4.3)\n");
    }
    let catalog = tree.known.loaded().last();
    let globs = tree.folders.keys().map(|(folder, extension)| match folder.as_str() {
        "" => format!("*.{extension}"),
        folder => format!("{folder}/*.{extension}"),
    });
    let globs: Vec<String> = globs.collect();
    match globs.is_empty() {
        true => text.push_str("sources = [\"**/*.des\"]\n"),
        false => text.push_str(&format!("sources = {}\n", list(&globs))),
    }
    if globs.iter().any(|glob| glob.ends_with(".lua")) {
        let others = NOT_LEVELS.iter().map(|name| format!("**/{name}.lua")).collect::<Vec<_>>();
        text.push_str(&format!("exclude = {}\n", list(&others)));
    }
    text.push_str("output = \"build\"\n");
    if let [dungeon] = tree.dungeons.as_slice() {
        let dialect = if catalog.is_some() { None } else { dialect.or_else(|| most.and_then(Dialect::by_name)) };
        let game = Wanted { dialect, catalog: catalog.cloned(), catalogs: tree.known.clone(), ..Wanted::default() };
        if !is_readable(&folder.join(dungeon), game) {
            text.push_str(
                "# `splc dungeon check` reports mistakes in this file, or words that splc does not know.\n# ",
            );
        }
        text.push_str(&format!("dungeon-file = \"{dungeon}\"\n"));
    }
    text.push_str("\n[test]\nseeds = 200\n\n[lints]\n# ragged-map = \"deny\"\n");
    text
}
