//! Compares splc with a game's own level compiler on random edits of random levels: which files both accept, the bytes
//! of the level files, and the line of the first error. Differences are shrunk and saved, except those of
//! `fuzz/known-differences.txt`.
//!
//! ```text
//! cargo run --profile fuzz -p splc-fuzz --bin differential -- \
//!     --dialect nethack36 --target fuzz/nle.toml --against .../nle/nethackdir/lev_comp \
//!     --splc target/release/splc --cases 10000
//! ```
//!
//! splc is called as `lev_comp`, so that it names the lines that the original names. Both compilers run in temporary
//! folders with limits on time and memory.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};

use arbitrary::Unstructured;
use clap::Parser;
use splc_fuzz::{inputs, random};

/// The largest address space of a compiler, in KiB, and its longest processor time, in seconds.
const LIMITS: &str = "ulimit -v 1000000 && ulimit -t 5";

/// The longest version header of a level file, in bytes. It depends on the build of the game.
const MAX_HEADER: usize = 64;

/// The kind of a difference in the line of the first error.
const ANOTHER_LINE: &str = "another line";

/// The differences that have reasons.
const KNOWN: &str = include_str!("../../known-differences.txt");

/// The condition of an entry that a file has a byte that ends it.
const HIGH_BYTE: &str = "HIGH-BYTE";

/// The condition of an entry that a file ends in a comment without a line end.
const COMMENT_AT_END: &str = "COMMENT-AT-END";

/// A level without statements, in each dialect.
const EMPTY: [&str; 4] =
    ["LEVEL:\"a\"\nNOMAP\n", "MAZE:\"a\",' '\nNOMAP\n", "LEVEL:\"a\"\nNOMAP\n", "MAZE:\"a\",' '\nNOMAP\n"];

/// Compares splc with a game's own level compiler.
#[derive(Parser)]
struct Arguments {
    /// Dialect of the compiler: unnethack, nethack36, sporkhack or nethack343
    #[arg(long)]
    dialect: String,

    /// Game or catalog file of splc, e.g. fuzz/nle.toml [default: the latest game of the dialect]
    #[arg(long, value_name = "TARGET")]
    target: Option<String>,

    /// The game's own compiler
    #[arg(long, value_name = "LEV_COMP")]
    against: PathBuf,

    /// The program of splc
    #[arg(long, value_name = "SPLC")]
    splc: PathBuf,

    /// Number of files
    #[arg(long, value_name = "N", default_value_t = 1000)]
    cases: u64,

    /// First seed
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,

    /// Folder for files on which the compilers differ
    #[arg(long, value_name = "FOLDER", default_value = "target/differential")]
    save: PathBuf,

    /// Number of new differences after which the comparison ends
    #[arg(long, value_name = "N", default_value_t = 20)]
    most: usize,

    /// Compare acceptance and level files only, not the line of the first error
    #[arg(long)]
    verdicts: bool,

    /// Files to compare instead of random ones
    #[arg(value_name = "FILE")]
    files: Vec<PathBuf>,
}

/// The result of a compiler.
#[derive(Debug, Default)]
struct Made {
    accepted: bool,
    /// True if it ended by a signal or without a message.
    crashed: bool,
    files: BTreeMap<String, Vec<u8>>,
    /// The line of its first error, and the message.
    line: Option<usize>,
    message: String,
}

/// A difference: its kind, and the first messages of both compilers.
struct Difference {
    kind: &'static str,
    splc: String,
    original: String,
}

/// A difference with a reason: an entry of `fuzz/known-differences.txt`.
struct Known<'t> {
    dialects: &'t str,
    kind: &'t str,
    splc: &'t str,
    original: &'t str,
    reason: &'t str,
}

struct Compilers {
    dialect: usize,
    /// The game for splc.
    target: String,
    splc: PathBuf,
    original: PathBuf,
    folder: tempfile::TempDir,
    /// The length of the version header.
    header: usize,
}

fn main() -> ExitCode {
    match run(&Arguments::parse()) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("differential: {error}");
            ExitCode::from(2)
        }
    }
}

/// Compares, and returns true if all differences are known.
fn run(arguments: &Arguments) -> io::Result<bool> {
    let dialect = inputs::DIALECTS.iter().position(|(name, _)| *name == arguments.dialect);
    let dialect = dialect.ok_or_else(|| io::Error::other(format!("unknown dialect `{}`", arguments.dialect)))?;
    let target = arguments.target.clone().unwrap_or_else(|| arguments.dialect.clone());
    let mut compilers = Compilers {
        dialect,
        target: fs::canonicalize(&target).map_or(target, |path| path.display().to_string()),
        splc: fs::canonicalize(&arguments.splc)?,
        original: fs::canonicalize(&arguments.against)?,
        folder: tempfile::tempdir()?,
        header: 0,
    };
    compilers.header = compilers.header_length()?;
    let known = known();
    let mut counts: BTreeMap<&str, u64> = BTreeMap::new();
    let mut uses: BTreeMap<usize, u64> = BTreeMap::new();
    let mut found: Vec<Difference> = Vec::new();
    let own = arguments.files.iter().map(|path| (path.display().to_string(), fs::read(path)));
    let random = (0..if arguments.files.is_empty() { arguments.cases } else { 0 }).map(|number| {
        let seed = arguments.seed.wrapping_add(number);
        let bytes = random::bytes(seed);
        let damage = if seed % 2 == 0 { inputs::Damage::Any } else { inputs::Damage::Light };
        let file = inputs::des_file_of(dialect, damage, &mut Unstructured::new(&bytes)).unwrap_or_default();
        (format!("seed-{seed}"), Ok(file))
    });
    for (name, bytes) in own.chain(random) {
        let bytes = bytes?;
        *counts.entry("files").or_default() += 1;
        let (ours, theirs) = compilers.both(&bytes)?;
        if theirs.crashed {
            *counts.entry("the original crashed").or_default() += 1;
            continue;
        }
        let verdict = if theirs.accepted { "accepted by both" } else { "rejected by both" };
        if !ours.accepted && !theirs.accepted && ours.line == theirs.line {
            *counts.entry("rejected by both on the same line").or_default() += 1;
        }
        let difference = difference(&ours, &theirs, compilers.header);
        let Some(difference) = difference.filter(|found| !arguments.verdicts || found.kind != ANOTHER_LINE) else {
            *counts.entry(verdict).or_default() += 1;
            continue;
        };
        if let Some(at) = known.iter().position(|known| known.covers(&difference, &arguments.dialect, &bytes)) {
            *counts.entry("known difference").or_default() += 1;
            *uses.entry(at).or_default() += 1;
            continue;
        }
        *counts.entry("new difference").or_default() += 1;
        if found.iter().any(|other| other.is_like(&difference)) {
            continue;
        }
        let shrunk = if arguments.files.is_empty() { compilers.shrunk(bytes, &difference)? } else { bytes };
        fs::create_dir_all(&arguments.save)?;
        let file = arguments.save.join(format!("{}-{}.des", arguments.dialect, name.replace('/', "_")));
        fs::write(&file, &shrunk)?;
        println!("{}: {}", file.display(), difference.kind);
        println!("    splc:     {}", difference.splc);
        println!("    original: {}", difference.original);
        found.push(difference);
        if found.len() >= arguments.most {
            break;
        }
    }
    for (what, count) in &counts {
        println!("{count:>9} {what}");
    }
    for (at, count) in &uses {
        println!("{count:>9} {}: {}", known[*at].kind, known[*at].reason);
    }
    Ok(found.is_empty())
}

/// Returns the entries of `fuzz/known-differences.txt`.
fn known() -> Vec<Known<'static>> {
    let entries = KNOWN.lines().filter(|line| !line.starts_with('#') && !line.trim().is_empty());
    let entry = |line: &'static str| {
        let fields: Vec<&str> = line.split('|').map(str::trim).collect();
        match fields[..] {
            [dialects, kind, splc, original, reason] => Some(Known { dialects, kind, splc, original, reason }),
            _ => None,
        }
    };
    entries.filter_map(entry).collect()
}

impl Known<'_> {
    fn covers(&self, difference: &Difference, dialect: &str, bytes: &[u8]) -> bool {
        let is_of_splc = match self.splc {
            HIGH_BYTE => has_high_byte(bytes),
            COMMENT_AT_END => ends_in_comment(bytes),
            part => difference.splc.contains(part),
        };
        (self.dialects == "all" || self.dialects.split(' ').any(|known| known == dialect))
            && self.kind == difference.kind
            && is_of_splc
            && difference.original.contains(self.original)
    }
}

/// Returns true if there is a byte above 127 or a NUL outside of strings and comments.
fn has_high_byte(bytes: &[u8]) -> bool {
    let (mut quoted, mut comment) = (false, false);
    let mut before = 0;
    bytes.iter().any(|&byte| {
        let last = std::mem::replace(&mut before, byte);
        match byte {
            b'"' if !comment => quoted = !quoted,
            // `'#'` is a terrain.
            b'#' if !quoted && last != b'\'' => comment = true,
            b'\n' => comment = false,
            _ => {}
        }
        !quoted && !comment && (byte == 0 || !byte.is_ascii())
    })
}

/// Returns true if the last line is a comment without a line end.
fn ends_in_comment(bytes: &[u8]) -> bool {
    let last = bytes.rsplit(|&byte| byte == b'\n').next().unwrap_or_default();
    last.contains(&b'#')
}

impl Difference {
    /// Returns true if both are probably of one cause.
    fn is_like(&self, other: &Difference) -> bool {
        self.kind == other.kind
            && random::kind(&self.splc) == random::kind(&other.splc)
            && random::kind(&self.original) == random::kind(&other.original)
    }
}

/// Returns the difference between the results, if there is one.
fn difference(ours: &Made, theirs: &Made, header: usize) -> Option<Difference> {
    let kind = match (ours.accepted, theirs.accepted) {
        _ if ours.crashed => "splc crashed",
        (true, false) => "only splc accepts it",
        (false, true) => "only the original accepts it",
        (false, false) if ours.line == theirs.line => return None,
        (false, false) => ANOTHER_LINE,
        (true, true) => {
            let content = |made: &Made| -> Vec<(String, Vec<u8>)> {
                let after = |bytes: &[u8]| bytes.get(header..).unwrap_or(bytes).to_vec();
                made.files.iter().map(|(name, bytes)| (name.clone(), after(bytes))).collect()
            };
            if content(ours) == content(theirs) {
                return None;
            }
            "other bytes"
        }
    };
    let named = |made: &Made| match made.line {
        Some(line) => format!("line {line}: {}", made.message),
        None => made.message.clone(),
    };
    Some(Difference { kind, splc: named(ours), original: named(theirs) })
}

impl Compilers {
    fn both(&self, bytes: &[u8]) -> io::Result<(Made, Made)> {
        let ours = self.made(&self.splc, "splc", bytes)?;
        Ok((ours, self.made(&self.original, "original", bytes)?))
    }

    /// Runs a compiler for `bytes`.
    fn made(&self, compiler: &Path, name: &str, bytes: &[u8]) -> io::Result<Made> {
        let folder = self.folder.path().join(name);
        fs::create_dir_all(&folder)?;
        fs::write(folder.join("x.des"), bytes)?;
        let output = Command::new("sh")
            .args(["-c", &format!("{LIMITS} && exec \"$0\" \"$@\"")])
            .arg(self.called(compiler, name)?)
            .arg("x.des")
            .current_dir(&folder)
            .env("SPLC_TARGET", &self.target)
            .stdin(Stdio::null())
            .output()?;
        let said = [output.stdout, output.stderr].concat();
        let said = String::from_utf8_lossy(&said);
        let mut made = Made { accepted: output.status.success(), ..Made::default() };
        made.crashed = output.status.code().is_none_or(|code| code > 1) || !made.accepted && said.is_empty();
        (made.line, made.message) = first_message(&said);
        for entry in fs::read_dir(&folder)? {
            let entry = entry?;
            // Of a level name beyond ASCII, splc makes a file name in UTF-8, and the original one of the same bytes.
            let name = entry.file_name().to_string_lossy().chars().filter(char::is_ascii).collect::<String>();
            if made.accepted && name.ends_with(".lev") {
                made.files.insert(name, fs::read(entry.path())?);
            }
            fs::remove_file(entry.path())?;
        }
        Ok(made)
    }

    /// Returns the path under which a compiler is called: splc behaves as the original if it has its name.
    fn called(&self, compiler: &Path, name: &str) -> io::Result<PathBuf> {
        if name != "splc" {
            return Ok(compiler.to_owned());
        }
        let link = self.folder.path().join("lev_comp");
        if !link.exists() {
            fs::hard_link(compiler, &link).or_else(|_| fs::copy(compiler, &link).map(drop))?;
        }
        Ok(link)
    }

    /// Returns the length of the version header, in which two builds differ.
    fn header_length(&self) -> io::Result<usize> {
        let (ours, theirs) = self.both(EMPTY[self.dialect].as_bytes())?;
        let first = |made: &Made| made.files.values().next().cloned();
        let (Some(ours), Some(theirs)) = (first(&ours), first(&theirs)) else {
            return Err(io::Error::other(format!("a compiler refuses an empty level: {ours:?} {theirs:?}")));
        };
        let differs = ours.iter().zip(&theirs).take(MAX_HEADER).rposition(|(one, other)| one != other);
        Ok(differs.map_or(0, |last| last + 1))
    }

    /// Returns a smaller file with the same difference: without some of its lines, then without some of its bytes.
    fn shrunk(&self, bytes: Vec<u8>, wanted: &Difference) -> io::Result<Vec<u8>> {
        let mut best = bytes;
        for by_lines in [true, false] {
            let pieces = |bytes: &[u8]| -> Vec<Vec<u8>> {
                let is_end = |byte: &u8| if by_lines { *byte == b'\n' } else { !byte.is_ascii_alphanumeric() };
                bytes.split_inclusive(is_end).map(<[u8]>::to_vec).collect()
            };
            let mut step = pieces(&best).len() / 2;
            while step > 0 {
                let mut at = 0;
                while at < pieces(&best).len() {
                    let mut fewer = pieces(&best);
                    fewer.drain(at..(at + step).min(fewer.len()));
                    let fewer = fewer.concat();
                    let (ours, theirs) = self.both(&fewer)?;
                    let same = !theirs.crashed
                        && difference(&ours, &theirs, self.header).is_some_and(|found| found.is_like(wanted));
                    if same {
                        best = fewer;
                    } else {
                        at += step;
                    }
                }
                step /= 2;
            }
        }
        Ok(best)
    }
}

/// Returns the line and the text of the first message that is not a warning: `x.des: line 3 : ...`.
fn first_message(said: &str) -> (Option<usize>, String) {
    let mut lines = said.lines().filter(|line| !line.to_ascii_lowercase().contains("warning"));
    let found = lines.find_map(|line| {
        let (_, rest) = line.split_once("line ")?;
        let digits = rest.find(|letter: char| !letter.is_ascii_digit()).unwrap_or(rest.len());
        let text = rest[digits..].trim_start_matches([' ', ':', ',']);
        Some((rest[..digits].parse().ok(), text.to_owned()))
    });
    found.unwrap_or_else(|| (None, said.lines().next().unwrap_or_default().to_owned()))
}
