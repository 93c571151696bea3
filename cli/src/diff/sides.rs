//! The two sides of a comparison: a file, a folder, or a git revision.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use splc_driver::output::LEVEL_FILE;
use splc_driver::{Input, Loaded, Options, TargetError, decompile, load};
use splc_ir::diagnostic::{Code, Diagnostic};
use splc_ir::order::Order;
use splc_ir::source::FileId;
use splc_project::inputs::{Form, expand};

use super::git::Tree;
use super::plain;
use crate::input::{FilesOnDisk, Origin};

/// A side of the comparison.
pub struct Side {
    /// Its name.
    pub name: String,
    /// Its files: the name for the pairs, and the path.
    files: BTreeMap<String, PathBuf>,
    /// The revision of the files, if they are not on the disk.
    tree: Option<Tree>,
}

/// A file with levels.
pub struct Content {
    /// Its name.
    pub name: String,
    /// Its levels.
    pub loaded: Loaded,
    /// The source of each level in one form.
    pub texts: Vec<String>,
    /// True if it includes another file, which may differ.
    pub includes: bool,
}

/// Returns the two sides that the arguments name: two files or folders, two revisions, `A..B`, or a revision and the
/// files as they are.
///
/// # Errors
/// If they are something else, or cannot be read.
pub fn of(arguments: &[PathBuf]) -> Result<[Side; 2], Box<Diagnostic>> {
    let name = |path: &Path| path.to_string_lossy().into_owned();
    match arguments {
        [one] if !one.exists() && name(one).contains("..") => {
            let both = name(one);
            let (before, after) = both.split_once("..").unwrap_or((&both, ""));
            let or_head = |name: &str| if name.is_empty() { "HEAD".to_owned() } else { name.to_owned() };
            Ok([Side::of_revision(&or_head(before))?, Side::of_revision(&or_head(after.trim_start_matches('.')))?])
        }
        [one] if !one.exists() => Ok([Side::of_revision(&name(one))?, Side::of_folder(Path::new("."))?]),
        [one, two] => {
            let side = |path: &Path| match (path.is_dir(), path.exists()) {
                (true, _) => Side::of_folder(path),
                (_, true) => Ok(Side::of_file(path)),
                _ => Side::of_revision(&name(path)),
            };
            Ok([side(one)?, side(two)?])
        }
        other => {
            let message = format!("expected two files, folders or revisions, got {}", other.len());
            let help = "write `splc diff A B` with two files, folders or git revisions, or `splc diff REVISION`";
            Err(Box::new(Diagnostic::new(Code::Usage, None, message).with_help(help)))
        }
    }
}

/// Returns the pairs of files to compare, by their names on each side. Files with the same content are omitted, unless
/// they may include others.
///
/// # Errors
/// If a file cannot be read.
pub fn pairs(sides: &[Side; 2]) -> Result<Vec<[Option<String>; 2]>, Box<Diagnostic>> {
    let names = sides.each_ref().map(|side| side.files.keys().cloned().collect::<Vec<_>>());
    if let [[one], [two]] = names.each_ref().map(Vec::as_slice) {
        return Ok(vec![[Some(one.clone()), Some(two.clone())]]);
    }
    let all: BTreeSet<&String> = names.iter().flatten().collect();
    let mut pairs = Vec::new();
    for name in all {
        let has = sides.each_ref().map(|side| side.files.contains_key(name));
        if has == [true, true] {
            let is_same = match sides.each_ref().map(|side| side.hash(name)) {
                [Some(one), Some(two)] => one == two,
                _ => sides[0].bytes(name)? == sides[1].bytes(name)?,
            };
            if is_same && !includes(&sides[1].bytes(name)?) {
                continue;
            }
        }
        pairs.push([0, 1].map(|side: usize| has[side].then(|| name.clone())));
    }
    Ok(pairs)
}

fn includes(bytes: &[u8]) -> bool {
    String::from_utf8_lossy(bytes).contains("INCLUDE")
}

impl Side {
    fn of_file(path: &Path) -> Side {
        let name = path.display().to_string();
        Side { name: name.clone(), files: BTreeMap::from([(name, path.to_owned())]), tree: None }
    }

    fn of_folder(path: &Path) -> Result<Side, Box<Diagnostic>> {
        let found = expand(&[path.to_owned()], Form::Sources, None)?;
        let below = |file: &Path| {
            let below = file.strip_prefix(path).unwrap_or(file);
            below.strip_prefix(".").unwrap_or(below).to_string_lossy().replace('\\', "/")
        };
        let files = found.into_iter().map(|file| (below(&file), file)).collect();
        Ok(Side { name: path.display().to_string(), files, tree: None })
    }

    fn of_revision(name: &str) -> Result<Side, Box<Diagnostic>> {
        let tree = Tree::read(name)?;
        let levels = tree.paths().filter(|path| Form::Sources.selects(Path::new(path)));
        let files = levels.map(|path| (path.to_owned(), PathBuf::from(path))).collect();
        Ok(Side { name: name.to_owned(), files, tree: Some(tree) })
    }

    /// Returns the hash of a file in git.
    fn hash(&self, file: &str) -> Option<&str> {
        self.tree.as_ref().and_then(|tree| tree.hash(file))
    }

    fn bytes(&self, file: &str) -> Result<Vec<u8>, Box<Diagnostic>> {
        match (&self.tree, self.files.get(file)) {
            (None, Some(path)) => Origin::of(path).read().map(|input| input.bytes),
            (Some(tree), _) => tree.content(file),
            (None, None) => Ok(Vec::new()),
        }
    }

    /// Loads the levels of a file.
    ///
    /// # Errors
    /// If it cannot be read, or its game cannot be determined.
    pub fn load(&self, file: &str, options: &Options) -> Result<Content, Box<Diagnostic>> {
        let bytes = self.bytes(file)?;
        let includes = includes(&bytes);
        let path = self.files.get(file).cloned().unwrap_or_default();
        let (name, place) = match &self.tree {
            Some(tree) => (format!("{}:{file}", tree.name), path),
            None => (path.display().to_string(), fs::canonicalize(&path).unwrap_or(path)),
        };
        let input = Input::file(name, place, bytes);
        let loaded = match &self.tree {
            Some(tree) => {
                let mut reader: &Tree = tree;
                load(input.clone(), options, &mut reader)
            }
            None => load(input.clone(), options, &mut FilesOnDisk),
        };
        let loaded = loaded.map_err(|problem: TargetError| Box::new(Diagnostic::from(problem)))?;
        let texts = texts(&loaded, &input, options);
        Ok(Content { name: file.to_owned(), loaded, texts, includes })
    }
}

/// Returns the source of each level. That of a level file is decompiled.
fn texts(loaded: &Loaded, input: &Input, options: &Options) -> Vec<String> {
    let catalog = loaded.target.catalog();
    if Path::new(&input.name).extension().is_some_and(|extension| extension == LEVEL_FILE.extension) {
        let text = decompile(input, options).ok().and_then(|decompiled| decompiled.source).unwrap_or_default();
        return vec![plain(&String::from_utf8_lossy(&text), catalog); loaded.levels.len()];
    }
    let source = loaded.sources.iter().next().map(|(_, source)| source.text.as_str()).unwrap_or_default();
    if input.is_script() {
        let lines = source.lines().filter(|line| !line.trim().is_empty() && !line.trim_start().starts_with("--"));
        let text: String = lines.map(|line| format!("{line}\n")).collect();
        return vec![text; loaded.levels.len()];
    }
    let start = |level: &splc_driver::Runnable| {
        level.span.filter(|span| span.file == FileId(0)).map(|span| span.start as usize)
    };
    let mut starts: Vec<usize> = loaded.levels.iter().filter_map(start).collect();
    starts.order();
    let text = |level: &splc_driver::Runnable| {
        let Some(start) = start(level) else { return String::new() };
        let next = starts.partition_point(|&other| other <= start);
        let end = starts.get(next).copied().unwrap_or(source.len());
        plain(source.get(start..end).unwrap_or_default(), catalog)
    };
    loaded.levels.iter().map(text).collect()
}
