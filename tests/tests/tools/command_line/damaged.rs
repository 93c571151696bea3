//! splc as `lev_comp`, compared with the original compilers on the 400 damaged files of each game: the same exit
//! status, the same level files, and the first error in the same form and on the same line.

use splc_tests::reference::game;
use splc_tests::{Damaged, sha256};

use super::*;

/// Number of damaged files of each game.
const DAMAGED: usize = 400;

/// A difference between the drop-in and the original.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Difference {
    /// The original accepts the file.
    Rejected,
    /// The first error is on another line.
    OtherLine,
}
use Difference::{OtherLine, Rejected};

/// A deliberate difference: the file, its type, and the reason.
type Deliberate = (&'static str, Difference, &'static str);

/// Separator after the position in a compiler's messages, or `None` if they have no position.
type Form = Option<&'static str>;

/// Parses the line and position of the error in `line`, which must have exactly the format of the game's compiler.
fn place(line: &str, form: Form) -> Option<(usize, Option<usize>)> {
    let rest = line.strip_prefix("x.des: line ")?;
    let (line, position, message) = match form {
        None => {
            let (line, message) = rest.split_once(" : ")?;
            (line, None, message)
        }
        Some(separator) => {
            let (line, rest) = rest.split_once(", pos ")?;
            let (position, message) = rest.split_once(separator)?;
            (line, Some(position.parse().ok()?), message)
        }
    };
    let is_error = !message.is_empty() && !message.starts_with("WARNING");
    line.parse().ok().filter(|_| is_error).map(|line| (line, position))
}

fn first_error<'a>(mut lines: impl Iterator<Item = &'a str>, form: Form) -> Option<(usize, Option<usize>)> {
    lines.find_map(|line| place(line, form))
}

/// Compiles every damaged file of `target` with the drop-in.
fn damaged(target: &str, form: Form, deliberate: &[Deliberate]) {
    let folder = game(target).join("damaged");
    let cases: Vec<Damaged> = serde_json::from_slice(&fs::read(folder.join("expected.json")).unwrap()).unwrap();
    let (mut status, mut identical, mut rejected, mut same_line, mut same_position) = (0, 0, 0, 0, 0);
    assert_eq!(cases.len(), DAMAGED);
    let mut wrong = Vec::new();
    let unknown = deliberate.iter().filter(|(file, ..)| cases.iter().all(|case| case.file != *file));
    wrong.extend(unknown.map(|(file, ..)| format!("{file}: listed as different, but is not there")));
    for case in &cases {
        let place = Place::new();
        place.write("x.des", fs::read(folder.join(&case.file)).unwrap());
        let run = place.lev_comp(target, &["x.des"]);
        let mut found = None;
        if run.status != case.exit {
            found = Some(Rejected).filter(|_| case.exit == 0);
        } else if case.exit == 0 {
            status += 1;
            let mut levels = place.files();
            levels.retain(|name, _| name.ends_with(".lev") && !name.starts_with("bin"));
            let same = levels.iter().map(|(name, bytes)| (name.clone(), sha256(bytes))).collect::<BTreeMap<_, _>>()
                == case.levels;
            identical += usize::from(same);
            if !same {
                wrong.push(format!("{}: other levels", case.file));
            }
            continue;
        } else {
            status += 1;
            rejected += 1;
            let there = first_error(case.stderr.iter().map(String::as_str), form);
            let here = first_error(run.err.lines(), form);
            assert!(there.is_some() && here.is_some(), "{}: {:?}; {}", case.file, case.stderr, run.err);
            same_position += usize::from(there == here && form.is_some());
            if there.map(|(line, _)| line) == here.map(|(line, _)| line) {
                same_line += 1;
            } else {
                found = Some(OtherLine);
            }
        }
        let listed = deliberate.iter().find(|(file, ..)| *file == case.file).map(|&(_, difference, _)| difference);
        if found != listed || run.status != case.exit && found.is_none() {
            wrong.push(format!(
                "{}: {} there, {:?}; {} here, {}",
                case.file, case.exit, case.stderr, run.status, run.err
            ));
        }
    }
    let positions = match form {
        Some(_) => format!(", {same_position} at the same position"),
        None => String::new(),
    };
    println!(
        "lev_comp for {target}: {} damaged files, {status} with the same exit status, {identical} accepted with \
         identical level files, first errors of {rejected} in the original's form: {same_line} on the same \
         line{positions}; {} deliberate differences:",
        cases.len(),
        deliberate.len()
    );
    for (file, _, why) in deliberate {
        println!("    {file}: {why}");
    }
    assert!(wrong.is_empty(), "{} differ: {wrong:#?}", wrong.len());
}

#[test]
#[cfg_attr(not(reference), ignore = "no reference data: set SPLC_REFERENCE")]
fn nethack_3_4_3_damaged_files() {
    damaged(
        "nethack-3.4.3",
        None,
        &[("0029.des", Rejected, "a number beyond an int, whose value depends on the machine")],
    );
}

#[test]
#[cfg_attr(not(reference), ignore = "no reference data: set SPLC_REFERENCE")]
fn unnethack_damaged_files() {
    damaged(
        "unnethack-6.0.4",
        Some(" : "),
        &[
            ("0052.des", Rejected, "a MAP without ENDMAP; the original reads on as if the word were not there"),
            ("0113.des", Rejected, "a number beyond an int, whose value depends on the machine"),
        ],
    );
}

#[test]
#[cfg_attr(not(reference), ignore = "no reference data: set SPLC_REFERENCE")]
fn sporkhack_damaged_files() {
    damaged(
        "sporkhack-0.7.0",
        None,
        &[
            ("0171.des", Rejected, "a MAP without ENDMAP; the original reads on as if the word were not there"),
            ("0321.des", OtherLine, "an index is read to its end, and its bracket is missed on the next line"),
        ],
    );
}

#[test]
#[cfg_attr(not(reference), ignore = "no reference data: set SPLC_REFERENCE")]
fn nethack_3_6_damaged_files() {
    damaged(
        "nethack-3.6.7",
        Some(": "),
        &[("0159.des", OtherLine, "a container without its closing brace is shown, not what follows from that")],
    );
}
