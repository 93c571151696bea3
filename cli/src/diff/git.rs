//! Files of a git revision, read with the `git` program.
//!
//! A name of a revision is resolved to the hash of a commit once. All other calls take hashes only, so that no name can
//! act as an option. Nothing of the repository is run: neither filters nor external diff programs.

use std::collections::HashMap;
use std::ffi::OsStr;
use std::io;
use std::path::{Component, Path, PathBuf};
use std::process::{Command, Stdio};

use splc_driver::{Includes, too_large};
use splc_ir::diagnostic::{Code, Diagnostic};
use splc_ir::limits::MAX_SOURCE_BYTES;
use splc_ir::wording::visible;

/// The files of a commit below the current folder.
#[derive(Clone, Debug)]
pub struct Tree {
    /// The name of the revision, as it was given.
    pub name: String,
    /// Hash and size of each file, by its path from the current folder.
    files: HashMap<String, (String, u64)>,
}

fn failed(message: String) -> Box<Diagnostic> {
    Box::new(Diagnostic::new(Code::Usage, None, message))
}

/// Runs git, and returns its output.
fn git<'a>(arguments: impl IntoIterator<Item = &'a str>) -> Result<Vec<u8>, Box<Diagnostic>> {
    let mut command = Command::new("git");
    command.arg("--no-pager").args(arguments).stdin(Stdio::null()).env("GIT_OPTIONAL_LOCKS", "0");
    let output = command.output().map_err(|error| failed(format!("cannot run git: {error}")))?;
    match output.status.success() {
        true => Ok(output.stdout),
        false => {
            let said = String::from_utf8_lossy(&output.stderr);
            let first = said.lines().next().unwrap_or("it failed without a message");
            Err(failed(format!("git: {}", visible(first))))
        }
    }
}

impl Tree {
    /// Reads the list of files of the revision `name`.
    ///
    /// # Errors
    /// If git cannot be run, or the revision does not exist.
    pub fn read(name: &str) -> Result<Tree, Box<Diagnostic>> {
        let commit = format!("{name}^{{commit}}");
        let hash = git(["rev-parse", "--verify", "--quiet", "--end-of-options", &commit]);
        let hash = hash.map_err(|_| failed(format!("{} is neither a file nor a git revision", visible(name))))?;
        let hash = String::from_utf8_lossy(&hash).trim().to_owned();
        let list = git(["ls-tree", "-r", "-z", "-l", &hash])?;
        let mut files = HashMap::new();
        for entry in list.split(|&byte| byte == 0) {
            // `MODE TYPE HASH SIZE<tab>PATH`
            let Some((head, path)) = std::str::from_utf8(entry).ok().and_then(|entry| entry.split_once('\t')) else {
                continue;
            };
            let words: Vec<&str> = head.split_whitespace().collect();
            if let [_, "blob", hash, size] = words[..] {
                files.insert(path.to_owned(), (hash.to_owned(), size.parse().unwrap_or(u64::MAX)));
            }
        }
        Ok(Tree { name: name.to_owned(), files })
    }

    /// Returns the paths of all files.
    pub fn paths(&self) -> impl Iterator<Item = &str> {
        self.files.keys().map(String::as_str)
    }

    /// Returns the hash of a file's content.
    pub fn hash(&self, path: &str) -> Option<&str> {
        self.files.get(path).map(|(hash, _)| hash.as_str())
    }

    /// Returns the content of a file.
    ///
    /// # Errors
    /// If git cannot be run, or the file is missing or too large.
    pub fn content(&self, path: &str) -> Result<Vec<u8>, Box<Diagnostic>> {
        let shown = || format!("{}:{}", visible(&self.name), visible(path));
        let (hash, size) = self.files.get(path).ok_or_else(|| failed(format!("{} does not exist", shown())))?;
        if *size > MAX_SOURCE_BYTES {
            return Err(failed(format!("{} is larger than {} MiB", shown(), MAX_SOURCE_BYTES >> 20)));
        }
        git(["cat-file", "blob", hash])
    }
}

/// Reads included files from the revision of the file that includes them.
impl Includes for &Tree {
    fn read(&mut self, path: &str, from: Option<&Path>, most: u64) -> io::Result<(PathBuf, Vec<u8>)> {
        let beside = from.and_then(Path::parent).unwrap_or(Path::new("")).join(path);
        let found = [plain(&beside), plain(Path::new(path))]
            .into_iter()
            .flatten()
            .find(|path| self.files.contains_key(path.as_str()));
        let found = found.ok_or_else(|| io::Error::from(io::ErrorKind::NotFound))?;
        if self.files.get(&found).is_some_and(|(_, size)| *size > most) {
            return Err(too_large());
        }
        let bytes = self.content(&found).map_err(|problem| io::Error::other(problem.message.to_string()))?;
        Ok((PathBuf::from(found), bytes))
    }
}

/// Resolves `.` and `..` by name. Returns `None` for a path outside the tree.
pub fn plain(path: &Path) -> Option<String> {
    let mut parts: Vec<&OsStr> = Vec::new();
    for part in path.components() {
        match part {
            Component::Normal(part) => parts.push(part),
            Component::ParentDir => _ = parts.pop()?,
            Component::CurDir => {}
            Component::RootDir | Component::Prefix(_) => return None,
        }
    }
    let parts: Option<Vec<&str>> = parts.into_iter().map(OsStr::to_str).collect();
    Some(parts?.join("/"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn included_paths_stay_in_the_tree() {
        assert_eq!(plain(Path::new("dat/../inc/a.inc")).as_deref(), Some("inc/a.inc"));
        assert_eq!(plain(Path::new("../a.inc")), None);
        assert_eq!(plain(Path::new("/etc/passwd")), None);
    }
}
