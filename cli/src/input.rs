//! Reading: des-files, the standard input, included files, the heads of level files.
//!
//! Nothing is read without a limit, so that a device or a wrong file costs no more than a large des-file.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use splc_frontends::Includes;
use splc_ir::abi::Abi;
use splc_ir::catalog::Catalog;
use splc_ir::diagnostic::{Code, Diagnostic};
use splc_ir::limits::MAX_SOURCE_BYTES;

use crate::games::{self, Build, HEADER_BYTES};

/// Where a des-file comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Input {
    /// A file.
    File(PathBuf),
    /// The standard input.
    Standard,
}

impl Input {
    /// The inputs that the arguments `files` name: `-` or none is the standard input. What is named twice
    /// is read once.
    pub fn list(files: &[PathBuf]) -> Vec<Input> {
        if files.is_empty() {
            return vec![Input::Standard];
        }
        let mut inputs = Vec::with_capacity(files.len());
        let mut seen = std::collections::HashSet::new();
        for file in files {
            let input = if file.as_os_str() == "-" { Input::Standard } else { Input::File(file.clone()) };
            // One file may have many paths, but a single one needs no look at the disk.
            let identity = match &input {
                Input::File(path) if files.len() > 1 => fs::canonicalize(path).unwrap_or_else(|_| path.clone()),
                _ => file.clone(),
            };
            if seen.insert(identity) {
                inputs.push(input);
            }
        }
        inputs
    }

    /// Its name for people.
    pub fn name(&self) -> String {
        match self {
            Input::File(path) => path.display().to_string(),
            Input::Standard => "(stdin)".to_owned(),
        }
    }

    /// Its path if it is a file, the same one however the file is named: an INCLUDE of itself is known by it.
    pub fn place(&self) -> Option<PathBuf> {
        self.path().map(|path| fs::canonicalize(path).unwrap_or_else(|_| path.to_owned()))
    }

    /// Its path, if it is a file.
    pub fn path(&self) -> Option<&Path> {
        match self {
            Input::File(path) => Some(path),
            Input::Standard => None,
        }
    }

    /// Its name without folder and extension, for files that are named after it.
    pub fn stem(&self) -> String {
        match self.path().and_then(Path::file_stem) {
            Some(stem) => stem.to_string_lossy().into_owned(),
            None => "stdin".to_owned(),
        }
    }

    /// What build the level file with these `bytes` is for; `None` if it is none, as for what is called a des-file.
    /// `wanted` and `abi` narrow the choice, as in [`games::recognise`].
    pub fn build(&self, bytes: &[u8], wanted: impl Fn(&Catalog) -> bool, abi: Option<&Abi>) -> Option<Build> {
        let named_as_source = self.path().is_some_and(|path| path.extension().is_some_and(|it| it == "des"));
        if named_as_source { None } else { games::recognise(bytes, wanted, abi) }
    }

    /// Reads all of it.
    ///
    /// # Errors
    /// [`Code::Unreadable`], or [`Code::TooLarge`] for more than [`MAX_SOURCE_BYTES`].
    pub fn read(&self) -> Result<Vec<u8>, Box<Diagnostic>> {
        let read = match self {
            Input::Standard => read_at_most(io::stdin().lock(), 0, MAX_SOURCE_BYTES),
            Input::File(path) => open(path).and_then(|(file, length)| read_at_most(file, length, MAX_SOURCE_BYTES)),
        };
        match read {
            Ok(Content::Whole(bytes)) => Ok(bytes),
            Ok(Content::TooLarge) => {
                let message = format!("{} is larger than {} MiB", self.name(), MAX_SOURCE_BYTES >> 20);
                let diagnostic = Diagnostic::new(Code::TooLarge, None, message);
                Err(Box::new(diagnostic.with_help("a des-file is text of some kilobytes; is this one?")))
            }
            Err(error) => Err(unreadable(&self.name(), &error)),
        }
    }
}

/// Says that the file called `name` cannot be read.
fn unreadable(name: &str, error: &io::Error) -> Box<Diagnostic> {
    let diagnostic = Diagnostic::new(Code::Unreadable, None, format!("cannot read {name}: {}", describe(error)));
    Box::new(match error.kind() {
        io::ErrorKind::IsADirectory => diagnostic.with_help("name the des-files in it, e.g. FOLDER/*.des"),
        _ => diagnostic,
    })
}

/// What went wrong, without the number that the operating system has for it.
pub fn describe(error: &io::Error) -> String {
    if error.kind() == io::ErrorKind::IsADirectory {
        return "it is a folder".to_owned();
    }
    let text = error.to_string();
    match text.split_once(" (os error") {
        Some((text, _)) => {
            let mut characters = text.chars();
            characters.next().map_or_else(String::new, |first| first.to_lowercase().chain(characters).collect())
        }
        None => text,
    }
}

/// What was read.
enum Content {
    /// All there is.
    Whole(Vec<u8>),
    /// More than the limit.
    TooLarge,
}

/// Opens the file or pipe at `path`; returns its length too, if it has one.
fn open(path: &Path) -> io::Result<(File, u64)> {
    let file = File::open(path)?;
    let metadata = file.metadata()?;
    if metadata.is_dir() {
        return Err(io::ErrorKind::IsADirectory.into());
    }
    Ok((file, metadata.len()))
}

/// Reads up to `limit` bytes; `length` is how many are expected.
fn read_at_most(from: impl Read, length: u64, limit: u64) -> io::Result<Content> {
    if length > limit {
        return Ok(Content::TooLarge);
    }
    // One more than there should be, so that the end is found without growing.
    let mut bytes = Vec::with_capacity(length as usize + 1);
    from.take(limit + 1).read_to_end(&mut bytes)?;
    Ok(if bytes.len() as u64 > limit { Content::TooLarge } else { Content::Whole(bytes) })
}

/// Reads the head of the level file at `path`, which tells its game.
///
/// # Errors
/// [`Code::Unreadable`].
pub fn read_header(path: &Path) -> Result<Vec<u8>, Box<Diagnostic>> {
    let read = || {
        let (file, _) = open(path)?;
        let mut bytes = Vec::with_capacity(HEADER_BYTES);
        file.take(HEADER_BYTES as u64).read_to_end(&mut bytes)?;
        Ok(bytes)
    };
    read().map_err(|error| unreadable(&path.display().to_string(), &error))
}

/// Reads included files from disk: beside the file that includes them, or else (as the games' compilers do)
/// from the current folder.
#[derive(Debug)]
pub struct IncludedFiles {
    /// How many bytes may still be read for one des-file and all that it includes.
    remaining: u64,
}

impl IncludedFiles {
    /// For a des-file of `length` bytes.
    pub fn new(length: usize) -> Self {
        IncludedFiles { remaining: MAX_SOURCE_BYTES.saturating_sub(length as u64) }
    }
}

impl Includes for IncludedFiles {
    fn read(&mut self, path: &str, from: Option<&Path>) -> io::Result<(PathBuf, Vec<u8>)> {
        let beside = from.and_then(Path::parent).unwrap_or(Path::new("")).join(path);
        let found = match fs::metadata(&beside) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => PathBuf::from(path),
            _ => beside,
        };
        let metadata = fs::metadata(&found)?;
        if metadata.is_dir() {
            return Err(io::ErrorKind::IsADirectory.into());
        }
        // A pipe or terminal may never end.
        if !metadata.is_file() {
            return Err(io::Error::new(io::ErrorKind::InvalidInput, "it is no regular file"));
        }
        match read_at_most(File::open(&found)?, metadata.len(), self.remaining)? {
            Content::Whole(bytes) => {
                self.remaining -= bytes.len() as u64;
                Ok((fs::canonicalize(&found)?, bytes))
            }
            Content::TooLarge => Err(io::Error::new(
                io::ErrorKind::FileTooLarge,
                format!("with it, the des-file is larger than {} MiB", MAX_SOURCE_BYTES >> 20),
            )),
        }
    }
}
