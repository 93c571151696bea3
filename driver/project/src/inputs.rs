//! Inputs that are folders or globs: the files that they select.
//!
//! Files and folders that git ignores, and hidden ones, are skipped. Links to folders are not followed.

use std::path::{Component, Path, PathBuf};

use globset::GlobBuilder;
use ignore::WalkBuilder;
use splc_ir::diagnostic::{Code, Diagnostic};
use splc_ir::order::Order;
use splc_ir::wording::visible;
use splc_lua::NOT_LEVELS;

use crate::Project;

/// Most files that one folder or glob selects.
pub const MAX_FILES: usize = 100_000;

/// The files that a folder selects.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// Levels as text: des-files and Lua levels.
    Sources,
    /// Compiled level files.
    LevelFiles,
}

impl Form {
    /// Returns true if `path` has the extension of the form.
    pub fn selects(self, path: &Path) -> bool {
        let extension = path.extension().and_then(|extension| extension.to_str()).unwrap_or_default();
        match (self, extension) {
            (Form::Sources, "des") | (Form::LevelFiles, "lev") => true,
            (Form::Sources, "lua") => {
                let stem = path.file_stem().and_then(|stem| stem.to_str()).unwrap_or_default();
                !NOT_LEVELS.contains(&stem)
            }
            _ => false,
        }
    }

    fn noun(self) -> &'static str {
        match self {
            Form::Sources => "des-file or Lua level",
            Form::LevelFiles => "level file",
        }
    }
}

/// Replaces the folders and globs in `files` by the files that they select, sorted. `project` excludes some of them.
///
/// # Errors
/// If one of them selects nothing or too much, or a folder cannot be read.
pub fn expand(files: &[PathBuf], form: Form, project: Option<&Project>) -> Result<Vec<PathBuf>, Box<Diagnostic>> {
    let mut found = Vec::with_capacity(files.len());
    for file in files {
        let excluded = |path: &Path| project.is_some_and(|project| project.excludes(path));
        if file.is_dir() {
            let below = walk(file, &|path| form.selects(path) && !excluded(&file.join(path)))?;
            if below.is_empty() {
                return Err(nothing(&format!("no {} in {}", form.noun(), visible(&file.display().to_string()))));
            }
            found.extend(below);
        } else if is_glob(file) {
            let (start, pattern) = parts(file);
            let glob = GlobBuilder::new(&pattern).literal_separator(true).build();
            let glob = glob.map_err(|error| nothing(&format!("invalid glob {}: {}", pattern, error.kind())))?;
            let glob = glob.compile_matcher();
            let below = walk(&start, &|path| glob.is_match(path) && !excluded(&start.join(path)))?;
            if below.is_empty() {
                return Err(nothing(&format!("no file matches {}", visible(&file.display().to_string()))));
            }
            found.extend(below);
        } else {
            found.push(file.clone());
        }
    }
    Ok(found)
}

/// Returns true if `path` is a glob that no shell has expanded.
fn is_glob(path: &Path) -> bool {
    path.to_str().is_some_and(|text| text.contains(['*', '?', '['])) && path.symlink_metadata().is_err()
}

/// Splits a glob into the folder to search and the pattern below it.
fn parts(path: &Path) -> (PathBuf, String) {
    let mut start = PathBuf::new();
    let mut rest = PathBuf::new();
    for part in path.components() {
        let text = part.as_os_str().to_string_lossy();
        match rest.as_os_str().is_empty() && !(matches!(part, Component::Normal(_)) && text.contains(['*', '?', '['])) {
            true => start.push(part),
            false => rest.push(part),
        }
    }
    (start, rest.to_string_lossy().replace('\\', "/"))
}

/// Returns the files below `folder` that `selected` wants by their paths in it, sorted.
///
/// # Errors
/// If a folder cannot be read, or for more than [`MAX_FILES`].
pub fn walk(folder: &Path, selected: &dyn Fn(&Path) -> bool) -> Result<Vec<PathBuf>, Box<Diagnostic>> {
    let start = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    let mut found = Vec::new();
    for entry in WalkBuilder::new(start).require_git(false).build() {
        let entry = entry.map_err(|error| {
            let name = start.display().to_string();
            let message = format!("cannot list the files in {}: {}", visible(&name), reason(&error));
            Box::new(Diagnostic::new(Code::Unreadable, None, message))
        })?;
        let below = entry.path().strip_prefix(start).unwrap_or(entry.path());
        if !entry.file_type().is_some_and(|kind| kind.is_dir()) && selected(below) {
            if found.len() == MAX_FILES {
                let name = start.display().to_string();
                return Err(nothing(&format!("{} contains more than {MAX_FILES} levels", visible(&name))));
            }
            found.push(folder.join(below));
        }
    }
    found.order();
    Ok(found)
}

/// Describes an error without the words of the library and the number of the operating system.
fn reason(error: &ignore::Error) -> String {
    error.io_error().map_or_else(|| error.to_string(), |error| error.kind().to_string())
}

fn nothing(message: &str) -> Box<Diagnostic> {
    Box::new(Diagnostic::new(Code::Usage, None, message.to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn globs_are_split_at_their_first_wildcard() {
        assert_eq!(parts(Path::new("dat/x/*.des")), ("dat/x".into(), "*.des".to_owned()));
        assert_eq!(parts(Path::new("**/a?.des")), ("".into(), "**/a?.des".to_owned()));
        assert_eq!(parts(Path::new("/d*/b/*.des")), ("/".into(), "d*/b/*.des".to_owned()));
    }

    #[test]
    fn a_folder_selects_its_levels() {
        assert!(Form::Sources.selects(Path::new("x/a.des")) && Form::Sources.selects(Path::new("castle.lua")));
        assert!(!Form::Sources.selects(Path::new("nhlib.lua")) && !Form::Sources.selects(Path::new("a.lev")));
        assert!(Form::LevelFiles.selects(Path::new("a.lev")));
    }
}
