//! `splc install` and `splc uninstall` under faults: kills at random moments, failing writes, and two at once.
//!
//! A model of each step is the same step without a fault. After a fault, every file of the game is the one before or
//! after the step, complete, and the levels of the dungeon exist. The next step works as if nothing had happened, and
//! uninstalling restores the folder, with no other file in it.
//!
//! Faults come from the outside: signals, limits of the shell and, if it is there, `strace`, which kills the process at
//! one of its system calls or makes that call fail, e.g. because of a full disk.
//!
//! `SPLC_INSTALL_ROUNDS=2000` is a longer run: that many kills and injected errors, and half as many races. With
//! `--nocapture`, the numbers are printed.
#![cfg(unix)]

use std::os::unix::fs::PermissionsExt;
use std::process::{Child, Stdio};
use std::sync::LazyLock;
use std::time::{Duration, Instant};

use super::install::{archived, plain};
use super::*;

/// The files of a folder by name: the permissions and the content. Folders have no content.
type Files = BTreeMap<String, (u32, Vec<u8>)>;

/// The steps that are interrupted: installations and, last, their removal.
const STEPS: &[&[&str]] = &[
    &["install", "new.des", "--as", "inn"],
    &["install", "new.des", "--as", "wine", "--random-versions"],
    &["install", "new.des", "--dungeon", "The Top", "--at", "5,3"],
    &["install", "new.des", "low.des", "--branch", "The Top", "--dungeon", "Low", "--at", "3"],
    &["uninstall"],
];
const UNINSTALL: usize = STEPS.len() - 1;

/// System calls at which a process is killed.
const CHANGES: &[&str] = &[
    "write",
    "rename,renameat,renameat2",
    "fsync",
    "unlink,unlinkat",
    "mkdir,rmdir",
    "fchmod",
    "flock,fcntl",
    "openat",
];

/// System calls that fail, and the number up to which one fails. The first move of a file is the last that can fail
/// without a change.
const WRITES: &[(&str, usize)] = &[
    ("write", 6),
    ("copy_file_range,sendfile", 2),
    ("fsync", 4),
    ("fchmod", 2),
    ("mkdir", 1),
    ("rename,renameat,renameat2", 1),
    ("openat", 40),
];

/// Rounds of a run, without the variable that changes it.
const ROUNDS: usize = 24;

fn rounds() -> usize {
    std::env::var("SPLC_INSTALL_ROUNDS").ok().and_then(|rounds| rounds.parse().ok()).unwrap_or(ROUNDS)
}

/// A simple generator, so that a round can be repeated.
struct Dice(u64);

impl Dice {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) % limit as u64) as usize
    }
}

/// A game on which the steps are tried, with the results that they have without faults.
struct Subject {
    place: Place,
    original: Files,
    /// The folder after a sequence of steps from the original.
    known: BTreeMap<Vec<usize>, Files>,
    /// The time that a step takes.
    time: Duration,
}

impl Subject {
    fn new(place: Place) -> Self {
        place.write("low.des", level("bottom", "another one"));
        // Large enough for a write to fail in the middle of it, and with permissions of its own.
        place.write("filler", vec![b'x'; 40_000]);
        if place.path("game/nhdat").exists() {
            place.splc(&["dlb", "add", "game/nhdat", "filler"]).is_fine();
            fs::set_permissions(place.path("game/nhdat"), fs::Permissions::from_mode(0o640)).unwrap();
        } else {
            fs::set_permissions(place.path("game/inn.lev"), fs::Permissions::from_mode(0o640)).unwrap();
        }
        let original = seen(&place);
        let mut subject = Subject { place, original, known: BTreeMap::new(), time: Duration::ZERO };
        let started = Instant::now();
        subject.after(&[0]);
        subject.time = started.elapsed();
        subject
    }

    /// Returns the folder after `steps` without faults.
    fn after(&mut self, steps: &[usize]) -> Files {
        if let Some(files) = self.known.get(steps) {
            return files.clone();
        }
        self.reset(&self.original.clone());
        for &step in steps {
            // There may be nothing to uninstall.
            let _ = self.start(step, &[]).wait().unwrap();
        }
        let files = seen(&self.place);
        self.known.insert(steps.to_vec(), files.clone());
        files
    }

    /// Makes the game's folder contain exactly `files`.
    fn reset(&self, files: &Files) {
        let root = self.place.path("game");
        fs::remove_dir_all(&root).unwrap();
        fs::create_dir(&root).unwrap();
        for (name, (mode, content)) in files {
            let path = root.join(name);
            if files.keys().any(|other| other.starts_with(&format!("{name}/"))) {
                fs::create_dir(&path).unwrap();
            } else {
                fs::create_dir_all(path.parent().unwrap()).unwrap();
                fs::write(&path, content).unwrap();
            }
            fs::set_permissions(&path, fs::Permissions::from_mode(*mode)).unwrap();
        }
    }

    /// Starts a step, as an argument of the command `under` if there is one.
    fn start(&self, step: usize, under: &[&str]) -> Child {
        let mut command = self.place.command(&[STEPS[step], &["--game", "game"]].concat());
        if let [program, rest @ ..] = under {
            let mut outer = Command::new(program);
            outer.args(rest).arg(command.get_program()).args(command.get_args()).current_dir(self.place.0.path());
            command = outer;
        }
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap()
    }

    /// Asserts that the game can be played if a step between the folders `old` and `new` was interrupted.
    fn is_playable(&self, old: &Files, new: &Files, context: &str) {
        let now = seen(&self.place);
        for (name, file) in &now {
            let leftover = name.ends_with(".splc-lock") || (name.contains(".splc-install-") && name.ends_with(".tmp"));
            let is_complete = [old, new].iter().any(|files| files.get(name) == Some(file));
            assert!(leftover || is_complete || name == ".splc-original", "{name} is damaged: {context}");
        }
        // The dungeon decides which levels must exist; in an archive, all of that is one file.
        let data = if old.contains_key("nhdat") { "nhdat" } else { "dungeon" };
        let is_whole = |files: &Files| {
            files
                .keys()
                .all(|name| name.starts_with(".splc-") || name.contains("splc-original") || now.contains_key(name))
        };
        let fits = |files: &&Files| now.get(data) == files.get(data) && is_whole(files);
        assert!([old, new].iter().any(fits), "the game lacks files: {context}\n{:?}", now.keys());
    }

    /// Runs a step and then uninstalls, and asserts that this restores the original folder.
    fn goes_on(&mut self, step: usize, before: &[usize], context: &str) {
        if step != UNINSTALL {
            assert!(self.start(step, &[]).wait().unwrap().success(), "it cannot be installed again: {context}");
            let expected = self.after_keeping(&[before, &[step]].concat());
            same(&seen(&self.place), &expected, context);
        }
        let _ = self.start(UNINSTALL, &[]).wait().unwrap();
        same(&seen(&self.place), &self.original, context);
    }

    /// As [`after`](Subject::after), but the folder stays as it is.
    fn after_keeping(&mut self, steps: &[usize]) -> Files {
        let now = seen(&self.place);
        let files = self.after(steps);
        self.reset(&now);
        files
    }
}

/// Returns the files of the game's folder, which may be changing.
fn seen(place: &Place) -> Files {
    let root = place.path("game");
    let mut files = Files::new();
    let mut folders = vec![root.clone()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let name = path.strip_prefix(&root).unwrap().to_string_lossy().into_owned();
            let metadata = fs::symlink_metadata(&path).unwrap();
            let content = if metadata.is_dir() { Vec::new() } else { fs::read(&path).unwrap() };
            files.insert(name, (metadata.permissions().mode() & 0o7777, content));
            if metadata.is_dir() {
                folders.push(path);
            }
        }
    }
    files
}

/// Asserts that two folders are the same.
#[track_caller]
fn same(found: &Files, expected: &Files, context: &str) {
    let differ: Vec<&String> =
        found.keys().chain(expected.keys()).filter(|name| found.get(*name) != expected.get(*name)).collect();
    assert!(differ.is_empty(), "{differ:?}: {context}");
}

/// Returns a command that runs another one and injects `fault` at one of the system calls `calls`, the one with the
/// number `at`. Returns `None` if the system has no such command.
fn injected(calls: &str, fault: &str, at: usize) -> Option<Vec<String>> {
    static IS_THERE: LazyLock<bool> = LazyLock::new(|| {
        let tried =
            Command::new("strace").args(["-f", "-qq", "-o", "/dev/null", "true"]).stderr(Stdio::null()).status();
        tried.is_ok_and(|status| status.success())
    });
    let inject = format!("inject={calls}:{fault}:when={at}");
    let trace = format!("trace={calls}");
    let words = ["strace", "-f", "-qq", "--seccomp-bpf", "-o", "/dev/null", "-e", &trace, "-e", &inject];
    IS_THERE.then(|| words.map(str::to_owned).to_vec())
}

fn subjects() -> [Subject; 2] {
    [Subject::new(archived()), Subject::new(plain())]
}

/// Returns the steps before a fault and the step with the fault.
fn scene(dice: &mut Dice) -> (Vec<usize>, usize) {
    match dice.below(3) {
        0 => (vec![dice.below(UNINSTALL)], UNINSTALL),
        1 => (vec![0], dice.below(UNINSTALL)),
        _ => (Vec::new(), dice.below(UNINSTALL)),
    }
}

#[test]
fn a_killed_process_leaves_a_game() {
    let mut subjects = subjects();
    let mut inside = 0;
    for round in 0..rounds() {
        let mut dice = Dice(round as u64);
        let subject = &mut subjects[round % 2];
        let (before, step) = scene(&mut dice);
        let (old, new) = (subject.after(&before), subject.after(&[&*before, &[step]].concat()));
        subject.reset(&old);
        let calls = CHANGES[dice.below(CHANGES.len())];
        let under = (dice.below(2) == 0).then(|| injected(calls, "signal=KILL", 1 + dice.below(6))).flatten();
        let words: Vec<&str> = under.iter().flatten().map(String::as_str).collect();
        let mut child = subject.start(step, &words);
        if under.is_some() {
            // It is killed when it makes the call, or not at all.
            child.wait().unwrap();
        }
        // Half of the other kills are in the short time in which the folder changes.
        if dice.below(2) == 0 {
            let lock = subject.place.path("game/.splc-lock");
            while !lock.exists() && child.try_wait().unwrap().is_none() {
                std::thread::sleep(Duration::from_micros(20));
            }
            std::thread::sleep(subject.time.mul_f64(dice.below(1000) as f64 / 1500.0));
        } else {
            std::thread::sleep(subject.time.mul_f64(dice.below(1000) as f64 / 900.0));
        }
        let _ = child.kill();
        inside += usize::from(!child.wait().unwrap().success());
        let context = format!("round {round}, {before:?} then {step} {words:?}");
        subject.is_playable(&old, &new, &context);
        subject.goes_on(step, &before, &context);
    }
    eprintln!("{} kills, {inside} of them before the end", rounds());
}

#[test]
fn a_failed_write_changes_nothing() {
    let mut subjects = subjects();
    let mut failed = 0;
    for round in 0..rounds() {
        let mut dice = Dice(round as u64);
        let subject = &mut subjects[round % 2];
        let (before, step) = scene(&mut dice);
        let (old, new) = (subject.after(&before), subject.after(&[&*before, &[step]].concat()));
        subject.reset(&old);
        // The limit on the size of files counts blocks of 512 or 1024 bytes.
        let limit = match dice.below(8) {
            0 => format!("ulimit -n {}", 3 + dice.below(8)),
            _ => format!("ulimit -f {}", dice.below(if round % 2 == 0 { 100 } else { 3 })),
        };
        let shell = ["sh", "-c", &format!("{limit}; exec \"$@\""), "sh"].map(str::to_owned).to_vec();
        let error = ["error=ENOSPC", "error=EIO", "error=EDQUOT"][dice.below(3)];
        let (calls, most) = WRITES[dice.below(WRITES.len())];
        let under = (dice.below(2) == 0).then(|| injected(calls, error, 1 + dice.below(most))).flatten();
        let is_injected = under.is_some();
        let under = under.unwrap_or(shell);
        let words: Vec<&str> = under.iter().map(String::as_str).collect();
        let ended = subject.start(step, &words).wait().unwrap();
        let context = format!("round {round}, {before:?} then {step} under {words:?}");
        assert!(ended.code().is_some(), "killed by a signal, {ended}: {context}");
        failed += usize::from(!ended.success());
        let now = seen(&subject.place);
        // A failing write to the standard output comes after the installation.
        if !(is_injected && now == new) {
            same(&now, if ended.success() { &new } else { &old }, &context);
        }
        subject.goes_on(step, &before, &context);
    }
    eprintln!("{} injected errors, {failed} of them ended the run", rounds());
}

#[test]
fn two_at_once_are_one_after_the_other() {
    let mut subjects = subjects();
    for round in 0..rounds() / 2 {
        let mut dice = Dice(round as u64);
        let subject = &mut subjects[round % 2];
        let (before, one) = scene(&mut dice);
        let other = dice.below(STEPS.len());
        let old = subject.after(&before);
        let orders = [vec![one, other], vec![other, one]];
        let expected = orders.map(|order| subject.after(&[&*before, &*order].concat()));
        subject.reset(&old);
        let mut first = subject.start(one, &[]);
        std::thread::sleep(subject.time.mul_f64(dice.below(100) as f64 / 400.0));
        let mut second = subject.start(other, &[]);
        let _ = (first.wait().unwrap(), second.wait().unwrap());
        let context = format!("round {round}, {before:?} then {one} and {other}");
        let now = seen(&subject.place);
        assert!(expected.contains(&now), "neither order: {context}\n{:?}", now.keys());
        subject.goes_on(UNINSTALL, &before, &context);
    }
    eprintln!("{} races", rounds() / 2);
}
