//! splc as a drop-in for the games' own data librarian.
//!
//! Called under the name `dlb` (a link or a copy of the program), splc takes the arguments of the original
//! (`util/dlb_main.c`), prints the same output to the standard output, and exits with the same status, 0 or 1. It
//! writes the same archives as the original, but replaces them as a whole, and does not write files whose names lead
//! outside the folder.

use std::ffi::{OsStr, OsString};
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use splc_game::archive::{self, DIRECTORY, Error, Part};
use splc_game::files;
use splc_game::limits::MAX_DIRECTORY_BYTES;

use splc_ir::wording::visible;

use crate::dlb::listing;
use crate::outcome::Outcome;
use crate::output::print;

/// Name of the original.
pub const NAME: &str = "dlb";

/// The file list that is read by default.
const LIST: &str = "dlb.lst";

const HELP: &str = "
dlb COMMANDoptions args... files...
  commands:
    dlb ?   print this text
    dlb h   ditto
    dlb x   extract all files
    dlb c   create the archive
    dlb t   list table of contents
  options:
    v       verbose operation
    f file  specify archive file name
    I file  specify file for list of file names
    C dir   change directory before processing any files

";

/// Returns true if `program`, the name splc was called by, is that of the original.
pub fn is_name(program: &OsStr) -> bool {
    let name = Path::new(program).file_name().map(OsStr::to_string_lossy).unwrap_or_default();
    name == NAME || name.eq_ignore_ascii_case("dlb.exe")
}

/// The run has failed, and its message was printed.
struct Failed;

/// Runs like the original called as `program` with `arguments`.
pub fn run(program: &OsStr, arguments: &[OsString]) -> Outcome {
    if arguments.len() == 1 && arguments[0] == "--version" {
        return print(&format!("{NAME}: splc {}\n", env!("CARGO_PKG_VERSION")));
    }
    let mut out = String::new();
    let mut run =
        Run { program, archive: OsString::from(archive::FILE_NAME), list: None, verbose: false, out: &mut out };
    let outcome = if run.act(arguments).is_ok() { Outcome::Fine } else { Outcome::InputErrors };
    outcome.max(print(&out))
}

struct Run<'a> {
    program: &'a OsStr,
    archive: OsString,
    /// The given file list.
    list: Option<OsString>,
    verbose: bool,
    out: &'a mut String,
}

/// Returns `name` for display.
fn shown(name: &OsStr) -> String {
    visible(&name.to_string_lossy()).into_owned()
}

impl Run<'_> {
    fn line(&mut self, text: &str) {
        let _ = writeln!(self.out, "{text}");
    }

    fn fail<T>(&mut self, text: &str) -> Result<T, Failed> {
        self.line(text);
        Err(Failed)
    }

    fn usage<T>(&mut self) -> Result<T, Failed> {
        let (program, archive) = (shown(self.program), shown(&self.archive));
        let list = self.list.as_deref().map_or(LIST.to_owned(), shown);
        self.line(&format!("Usage: {program} [ctxCIfv] arguments... [files...]"));
        self.line(&format!("  default library is {archive}"));
        self.line(&format!("  default list file is {list}"));
        Err(Failed)
    }

    fn act(&mut self, arguments: &[OsString]) -> Result<(), Failed> {
        let Some((letters, mut rest)) = arguments.split_first() else { return self.usage() };
        let mut action = None;
        let mut named = false;
        for letter in letters.to_string_lossy().chars() {
            match letter {
                '-' => {}
                '?' | 'h' => {
                    self.out.push_str(HELP);
                    return self.usage();
                }
                'v' => self.verbose = true,
                't' | 'c' | 'x' if action.is_some() => {
                    self.line("Only one of t,x,c may be specified.");
                    return self.usage();
                }
                't' | 'c' | 'x' => action = Some(letter),
                'I' | 'f' | 'C' => {
                    let Some((value, others)) = rest.split_first() else { return self.usage() };
                    rest = others;
                    match letter {
                        'I' if self.list.replace(value.clone()).is_some() => {
                            self.line("Warning: multiple I options.  Previous ignored.");
                        }
                        'I' => {}
                        'f' => {
                            self.archive = value.clone();
                            if std::mem::replace(&mut named, true) {
                                self.line("Warning: multiple f options.  Previous ignored.");
                            }
                        }
                        _ => {
                            if std::env::set_current_dir(value).is_err() {
                                return self.fail(&format!("Can't chdir to {}", shown(value)));
                            }
                        }
                    }
                }
                _ => return self.usage(),
            }
        }
        if !rest.is_empty() && self.list.is_some() {
            return self.fail("Too many arguments.");
        }
        match action {
            Some('t') => self.list_archive(),
            Some('x') => self.extract(rest),
            Some(_) => self.create(rest),
            None => self.fail("Internal error - action."),
        }
    }

    fn open(&mut self) -> Result<archive::Archive<fs::File>, Failed> {
        match archive::open(Path::new(&self.archive)) {
            Ok(archive) => Ok(archive),
            Err(_) => self.fail("Can't open dlb file"),
        }
    }

    fn list_archive(&mut self) -> Result<(), Failed> {
        let archive = self.open()?;
        let verbose = self.verbose;
        self.out.push_str(&listing(&archive, verbose));
        Ok(())
    }

    fn extract(&mut self, wanted: &[OsString]) -> Result<(), Failed> {
        let mut archive = self.open()?;
        for entry in archive.entries().to_vec() {
            let is_wanted = match wanted {
                [] => entry.name != DIRECTORY.as_bytes(),
                names => names.iter().any(|name| name.as_encoded_bytes() == entry.name),
            };
            if !is_wanted {
                continue;
            }
            let name = entry.name().into_owned();
            match archive.extract(&entry, Path::new(".")) {
                Ok(_) if self.verbose => self.line(&format!("x {}", visible(&name))),
                Ok(_) => {}
                Err(Error::Damaged { .. }) => return self.fail(&format!("Read Error in '{}'", visible(&name))),
                Err(_) => return self.fail(&format!("Can't create '{}'", visible(&name))),
            }
        }
        Ok(())
    }

    fn create(&mut self, files: &[OsString]) -> Result<(), Failed> {
        let mut parts: Vec<Part> = files.iter().map(|file| Part::file(file.as_encoded_bytes(), file)).collect();
        if let Some(list) = self.list.clone() {
            let read = files::read(Path::new(&list), MAX_DIRECTORY_BYTES).ok();
            let Some(text) = read.and_then(|text| String::from_utf8(text).ok()) else {
                return self.fail(&format!("Can't open {}", shown(&list)));
            };
            parts.extend(text.lines().map(|line| Part::file(line, line)));
        }
        if parts.is_empty() {
            return self.fail("No files to archive");
        }
        if self.verbose {
            for part in &parts {
                let name = String::from_utf8_lossy(&part.name).into_owned();
                self.line(&visible(&name));
            }
        }
        let archive = self.archive.clone();
        match archive::create(Path::new(&archive), &parts) {
            Ok(()) => Ok(()),
            Err(Error::File { path, .. } | Error::Changed(path)) => {
                self.fail(&format!("Can't open {}", shown(path.as_os_str())))
            }
            Err(Error::Io(_)) => self.fail(&format!("Can't open {} for output", shown(&archive))),
            Err(other) => self.fail(&visible(&other.to_string())),
        }
    }
}
