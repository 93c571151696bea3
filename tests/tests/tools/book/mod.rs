//! Checks the book in `docs`, README.md, and the other pages: every listing compiles, or fails with the codes that its
//! marker names; every command prints the output shown; every picture is the one that the page's commands draw; every
//! link has a target; and the [generated pages](reference) are those of the tables.
//!
//! A comment before a code block marks it:
//!
//! - `<!-- file: NAME -->`: the block is a file for the commands of the page.
//! - `<!-- file: NAME, DIALECT -->`: likewise, and `splc check` accepts it. `fails E0201 W0401` at the end: it reports
//!   exactly these codes.
//! - `file: NAME` in a comment of several lines that also contains the block: likewise, but readers do not see it.
//! - `<!-- part: DIALECT -->`: the statements of a level, which are checked in a frame ([`FRAME`]). `fails` works too.
//!
//! - A block in the language `recording NAME` is a list of commands, like `console`, whose [recording] the page shows.
//!   It is in a hidden comment.
//!
//! A `console` block has commands, each on a line that begins with `$`, followed by all of one of the two outputs.
//! Empty lines are ignored, and a line `...` replaces any number of lines. Each page has its own folder. Commands of
//! other programs than [`TOOLS`] need a game and are not run; see `tests/real-game` for them.
//!
//! `UPDATE_SNAPSHOTS=1` rewrites the pictures and the generated pages. `SPLC_PAGE=how-to/once.md` checks one page
//! alone.
#![cfg(unix)]

mod links;
mod recording;
mod reference;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use recording::Step;
use splc_tests::{snapshots, workspace};
use tempfile::TempDir;

/// Minimum numbers of listings, commands and pictures on the pages; fewer means that some were not found.
const LEAST: [usize; 3] = [135, 145, 16];

/// Commands of every system, which are run like those of splc.
const TOOLS: [&str; 6] = ["cat", "git", "head", "ls", "printf", "tail"];

/// The level around the statements of a `part` block, by dialect.
const FRAME: &[(&str, &str)] = &[
    ("nethack343", "MAZE: \"part\", ' '\nGEOMETRY: center, center\n"),
    ("", "LEVEL: \"part\"\nGEOMETRY: center, center\n"),
];

/// The map of that level. Its floor covers the columns 1 to 18 and the rows 1 to 8.
const FRAME_MAP: &str = "MAP\n\
    --------------------\n\
    |..................|\n\
    |..................|\n\
    |..................|\n\
    |..................|\n\
    |..................|\n\
    |..................|\n\
    |..................|\n\
    |..................|\n\
    --------------------\n\
    ENDMAP\n";

/// Returns the pages, relative to the workspace.
fn pages() -> Vec<String> {
    let mut pages =
        ["README.md", "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md", "corpus/README.md"].map(str::to_owned).to_vec();
    let root = workspace();
    let mut folders = vec![root.join("docs")];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "md") {
                pages.push(path.strip_prefix(&root).unwrap().to_str().unwrap().to_owned());
            }
        }
    }
    pages.sort();
    pages
}

fn text(page: &str) -> String {
    fs::read_to_string(workspace().join(page)).unwrap()
}

/// A testable block of a page.
#[derive(Debug)]
enum Shown<'a> {
    Listing { file: Option<&'a str>, check: Option<Check<'a>>, text: String },
    Command { command: &'a str, says: Vec<&'a str> },
    Recording { file: &'a str, commands: Vec<&'a str> },
}

/// The dialect of a listing and the codes that `splc check` reports.
#[derive(Debug)]
struct Check<'a> {
    dialect: &'a str,
    fails: BTreeSet<&'a str>,
}

impl<'a> Check<'a> {
    /// Reads `DIALECT` or `DIALECT, fails CODE...`.
    fn read(marker: &'a str) -> Self {
        let (dialect, fails) = marker.split_once(", fails ").unwrap_or((marker, ""));
        Check { dialect, fails: fails.split_whitespace().collect() }
    }
}

/// Returns the testable blocks of a page.
fn shown<'a>(name: &str, page: &'a str) -> Vec<Shown<'a>> {
    let mut all = Vec::new();
    let mut marker = None;
    // A comment of several lines hides its blocks from readers. It cannot contain another comment.
    let mut is_hidden = false;
    let mut lines = page.lines();
    while let Some(line) = lines.next() {
        is_hidden = (is_hidden || line.starts_with("<!--")) && !line.contains("-->");
        let comment = line.strip_prefix("<!-- ").and_then(|rest| rest.strip_suffix(" -->"));
        let comment = comment.or(is_hidden.then_some(line));
        if let Some(mark) = comment.filter(|comment| ["file: ", "part: "].iter().any(|word| comment.starts_with(word)))
        {
            marker = Some(mark);
        } else if let Some(language) = line.strip_prefix("```") {
            let block: Vec<&str> = lines.by_ref().take_while(|line| *line != "```").collect();
            let text = block.join("\n") + "\n";
            if let Some(mark) = marker.take() {
                let (file, check) = match mark.strip_prefix("file: ") {
                    Some(rest) => match rest.split_once(", ") {
                        Some((file, check)) => (Some(file), Some(Check::read(check))),
                        None => (Some(rest), None),
                    },
                    None => (None, Some(Check::read(mark.strip_prefix("part: ").unwrap()))),
                };
                all.push(Shown::Listing { file, check, text });
            } else if let Some(file) = language.strip_prefix("recording ") {
                let commands = block.iter().map(|line| line.strip_prefix("$ ").expect("a command")).collect();
                all.push(Shown::Recording { file, commands });
            } else if language == "console" {
                for line in block {
                    match (line.strip_prefix("$ "), all.last_mut()) {
                        (Some(command), _) => all.push(Shown::Command { command, says: Vec::new() }),
                        (None, Some(Shown::Command { says, .. })) => says.push(line),
                        (None, _) => panic!("{name}: no command before {line}"),
                    }
                }
            } else {
                assert!(
                    !matches!(language, "des" | "lua" | ""),
                    "{name}: a block without marker and language:\n{text}"
                );
            }
        }
    }
    all
}

/// Returns true if `output` has the lines `says`, in which `...` is any number of lines.
fn is_shown(output: &str, says: &[&str]) -> bool {
    fn matches(says: &[&str], output: &[&str]) -> bool {
        match says.split_first() {
            None => output.is_empty(),
            Some((&"...", [])) => true,
            Some((&"...", rest)) => {
                // The lines up to the next gap must follow each other; the first place where they do is enough,
                // because another gap follows, or the end, which is compared from the back.
                let length = rest.iter().position(|line| *line == "...").unwrap_or(rest.len());
                if length == rest.len() {
                    return output.len() >= length && output[output.len() - length..] == *rest;
                }
                let found = output.windows(length).position(|rows| rows == &rest[..length]);
                found.is_some_and(|at| matches(&rest[length..], &output[at + length..]))
            }
            Some((line, rest)) => output.first() == Some(line) && matches(rest, &output[1..]),
        }
    }
    let rows = |lines: &mut dyn Iterator<Item = &'_ str>| -> Vec<String> {
        lines.filter(|line| !line.trim().is_empty()).map(|line| line.trim_end().to_owned()).collect()
    };
    let (says, output) = (rows(&mut says.iter().copied()), rows(&mut output.lines()));
    let [says, output] = [&says, &output].map(|rows| rows.iter().map(String::as_str).collect::<Vec<_>>());
    matches(&says, &output)
}

/// The result of a run.
struct Run {
    status: Option<i32>,
    out: String,
    err: String,
}

/// A temporary folder with splc and the corpus.
struct Place(TempDir);

impl Place {
    fn new() -> Self {
        let place = Place(TempDir::new().unwrap());
        fs::create_dir(place.path("bin")).unwrap();
        symlink(env!("CARGO_BIN_EXE_splc_under_test"), place.path("bin/splc")).unwrap();
        symlink(workspace().join("corpus"), place.path("corpus")).unwrap();
        place
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn write(&self, name: &str, text: &str) {
        let path = self.path(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    /// Runs a shell command.
    fn shell(&self, command: &str) -> Run {
        let path = format!("{}:{}", self.path("bin").display(), std::env::var("PATH").unwrap_or_default());
        let mut shell = Command::new("sh");
        shell.args(["-c", command]).current_dir(self.0.path()).env("PATH", path).stdin(Stdio::null());
        // The user's terminal and settings must not change the output.
        for name in ["CLICOLOR", "CLICOLOR_FORCE", "COLUMNS", "FORCE_COLOR", "LINES", "NO_COLOR", "SPLC_TARGET", "TERM"]
        {
            shell.env_remove(name);
        }
        let output = shell.output().unwrap();
        let err = String::from_utf8(output.stderr).expect("messages are UTF-8");
        assert!(output.status.code().is_some() && !err.contains("panicked"), "{command}: {err}");
        Run { status: output.status.code(), out: String::from_utf8_lossy(&output.stdout).into_owned(), err }
    }

    /// Runs a command as in a terminal with colours.
    fn record(&self, command: &str) -> Step {
        let colored = command
            .split(" && ")
            .map(|part| match part.split_once(' ') {
                Some(("splc", rest)) => {
                    let (name, rest) = rest.split_once(' ').expect("a command of splc");
                    format!("splc {name} --color always {rest}")
                }
                _ => part.to_owned(),
            })
            .collect::<Vec<_>>()
            .join(" && ");
        let Run { out, err, .. } = self.shell(&colored);
        Step { command: command.to_owned(), output: out + &err }
    }

    /// Returns the codes that `splc check` reports for the file `name`, notes excepted.
    fn codes(&self, name: &str, dialect: &str) -> BTreeSet<String> {
        // A script is recognised by its name.
        let dialect = if name.ends_with(".lua") { String::new() } else { format!("--dialect {dialect} ") };
        let run = self.shell(&format!("splc check --message-format short {dialect}{name}"));
        let code = |line: &str| Some(line.split_once(": ")?.1.split_once('[')?.1.split_once("]: ")?.0.to_owned());
        let codes: BTreeSet<String> = run.err.lines().filter_map(code).filter(|code| !code.starts_with('N')).collect();
        assert!(run.status == Some(0) || !codes.is_empty(), "{}", run.err);
        codes
    }
}

/// The numbers of listings, commands and pictures of a page.
type Counts = [usize; 3];

/// Checks a page: its listings, commands and pictures. Returns their numbers, or the first mistake.
fn check_page(name: &str, pictures: &Mutex<BTreeMap<String, String>>) -> Result<Counts, String> {
    let text = text(name);
    let place = Place::new();
    let mut counts = [0; 3];
    for shown in shown(name, &text) {
        match shown {
            Shown::Listing { file, check, text } => {
                if let Some(file) = file {
                    place.write(file, &text);
                }
                let Some(Check { dialect, fails }) = check else { continue };
                let whole = if file.is_some() { text.clone() } else { framed(dialect, &text) };
                let checked = file.unwrap_or("part.des");
                place.write(checked, &whole);
                let codes = place.codes(checked, dialect);
                let found: BTreeSet<&str> = codes.iter().map(String::as_str).collect();
                if found != fails {
                    return Err(format!("{name}: splc check reports {found:?}, not {fails:?}, for\n{text}"));
                }
                counts[0] += 1;
            }
            Shown::Command { command, says } if is_run(command) => {
                let Run { out, err, .. } = place.shell(command);
                if !is_shown(&out, &says) && !is_shown(&err, &says) {
                    let says = says.join("\n");
                    return Err(format!("{name} shows for {command}\n{says}\nbut it says\n{out}{err}"));
                }
                counts[1] += 1;
            }
            Shown::Command { .. } => {}
            Shown::Recording { file, commands } => {
                let steps: Vec<Step> = commands.into_iter().map(|command| place.record(command)).collect();
                place.write(file, &recording::svg(file.trim_end_matches(".svg"), &steps));
                counts[1] += steps.len();
            }
        }
    }
    for target in links::targets(&text) {
        let Some(picture) = target.split("pictures/").nth(1).filter(|name| name.ends_with(".svg")) else { continue };
        // Another page draws it: the folder of pictures has those that are drawn, and links must have a target.
        let Ok(drawn) = fs::read_to_string(place.path(picture)) else { continue };
        if let Some(other) = pictures.lock().unwrap().insert(picture.to_owned(), drawn.clone())
            && other != drawn
        {
            return Err(format!("{name}: another page draws {picture} differently"));
        }
        counts[2] += 1;
    }
    Ok(counts)
}

/// Returns true if the tests run `command`.
fn is_run(command: &str) -> bool {
    command == "splc" || command.contains("splc ") || TOOLS.iter().any(|tool| command.split(' ').next() == Some(tool))
}

/// Returns a level with the statements `text`.
fn framed(dialect: &str, text: &str) -> String {
    let (_, head) = FRAME.iter().find(|(name, _)| [dialect, ""].contains(name)).unwrap();
    format!("{head}{FRAME_MAP}{text}")
}

#[test]
fn pages_show_what_splc_does() {
    let mut pages = pages();
    let only = std::env::var("SPLC_PAGE").ok();
    if let Some(only) = &only {
        pages.retain(|page| page.ends_with(only));
        assert!(!pages.is_empty(), "no page {only}");
    }
    let next = AtomicUsize::new(0);
    let (results, pictures) = (Mutex::new(Vec::new()), Mutex::new(BTreeMap::new()));
    thread::scope(|scope| {
        for _ in 0..thread::available_parallelism().map_or(2, usize::from) {
            scope.spawn(|| {
                while let Some(page) = pages.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let result = check_page(page, &pictures);
                    results.lock().unwrap().push(result);
                }
            });
        }
    });
    let results = results.into_inner().unwrap();
    let wrong: Vec<&String> = results.iter().filter_map(|result| result.as_ref().err()).collect();
    assert!(wrong.is_empty(), "{}", wrong.iter().map(|text| text.as_str()).collect::<Vec<_>>().join("\n\n"));
    let (folder, pictures) = (workspace().join("docs/pictures"), pictures.into_inner().unwrap());
    match only {
        Some(_) => return snapshots::compare_files(&folder, &pictures),
        None => snapshots::compare_folder(&folder, ".svg", &pictures),
    }
    let total = results
        .iter()
        .flatten()
        .fold([0; 3], |total: Counts, counts| [total[0] + counts[0], total[1] + counts[1], total[2] + counts[2]]);
    let [listings, commands, pictures] = total;
    println!(
        "{} pages: {listings} listings compile, {commands} commands print what is shown, {pictures} pictures are as drawn",
        pages.len()
    );
    assert!(total.iter().zip(LEAST).all(|(found, least)| *found >= least), "{total:?}, at least {LEAST:?}");
}

#[test]
fn gaps_match_any_lines() {
    let output = "a\n\nb\nc\nd\n";
    for says in [&["a", "b", "c", "d"][..], &["...", "b", "c", "..."], &["a", "...", "d"], &["...", "c", "d"], &["..."]]
    {
        assert!(is_shown(output, says), "{says:?}");
    }
    for says in [&["a", "b"][..], &["...", "a", "c", "..."], &["a", "...", "c"], &["b", "..."], &[]] {
        assert!(!is_shown(output, says), "{says:?}");
    }
}

#[test]
fn a_page_that_is_wrong_is_reported() {
    let wrong = |text: &str| -> bool {
        let blocks = shown("x", text);
        let Shown::Listing { check: Some(Check { dialect, fails }), text, .. } = &blocks[0] else {
            panic!("{blocks:?}")
        };
        let place = Place::new();
        place.write("part.des", &framed(dialect, text));
        let codes = place.codes("part.des", dialect);
        codes.iter().map(String::as_str).collect::<BTreeSet<_>>() != *fails
    };
    assert!(wrong("<!-- part: unnethack -->\n```des\nTRAP: \"pti\", (1,1)\n```\n"));
    assert!(!wrong("<!-- part: unnethack, fails E0203 -->\n```des\nTRAP: \"pti\", (1,1)\n```\n"));
    assert!(wrong("<!-- part: unnethack, fails E0203 -->\n```des\nTRAP: \"pit\", (1,1)\n```\n"));
    assert!(!wrong("<!-- part: nethack343 -->\n```des\nTRAP: \"pit\", (1,1)\n```\n"));
}

/// Returns the path of `page` in the workspace.
fn path(page: &str) -> PathBuf {
    Path::new(&workspace()).join(page)
}
