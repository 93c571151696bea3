//! README.md holds what it shows: its commands are run on its files, and say what it says they do.
//!
//! A file is a block behind a comment that names it, `<!-- file: NAME -->`. A block of `console` has commands, each a
//! line with `$` before it, and what one of the two outputs is; README leaves empty rows out, and between `...` and
//! `...` shows a part. Commands of other programs need a game and are not run: `tests/real-game` is for them.
#![cfg(unix)]

use std::os::unix::fs::symlink;
use std::process::Command;

use crate::*;

/// Least commands that README shows; fewer have not been found.
const LEAST_COMMANDS: usize = 10;

/// What README has that is tested, in its order.
enum Shown<'a> {
    File { name: &'a str, text: String },
    Command { command: &'a str, says: Vec<&'a str> },
}

fn shown(readme: &str) -> Vec<Shown<'_>> {
    let mut all = Vec::new();
    let mut file = None;
    let mut lines = readme.lines();
    while let Some(line) = lines.next() {
        if let Some(name) = line.strip_prefix("<!-- file: ").and_then(|rest| rest.strip_suffix(" -->")) {
            file = Some(name);
        } else if let Some(language) = line.strip_prefix("```") {
            let block: Vec<&str> = lines.by_ref().take_while(|line| *line != "```").collect();
            if let Some(name) = file.take() {
                all.push(Shown::File { name, text: block.join("\n") + "\n" });
            } else if language == "console" {
                for line in block {
                    match (line.strip_prefix("$ "), all.last_mut()) {
                        (Some(command), _) => all.push(Shown::Command { command, says: Vec::new() }),
                        (None, Some(Shown::Command { says, .. })) => says.push(line),
                        (None, _) => panic!("no command before {line}"),
                    }
                }
            }
        }
    }
    all
}

/// The lines of `text` that are not empty.
fn rows(text: &str) -> Vec<&str> {
    text.lines().filter(|line| !line.trim().is_empty()).collect()
}

fn is_shown(output: &str, says: &[&str]) -> bool {
    let says: Vec<&str> = says.iter().copied().filter(|line| !line.trim().is_empty()).collect();
    let output = rows(output);
    match says.as_slice() {
        ["...", part @ .., "..."] => output.windows(part.len()).any(|rows| rows == part),
        says => output == says,
    }
}

#[test]
fn the_commands_of_the_readme_say_what_it_says() {
    let readme = fs::read_to_string(splc_tests::workspace().join("README.md")).unwrap();
    let place = Place::new();
    fs::create_dir(place.path("bin")).unwrap();
    symlink(env!("CARGO_BIN_EXE_splc-under-test"), place.path("bin/splc")).unwrap();
    symlink(splc_tests::workspace().join("corpus"), place.path("corpus")).unwrap();
    let path = std::env::var("PATH").unwrap_or_default();
    let path = format!("{}:{path}", place.path("bin").display());
    let mut commands = 0;
    for shown in shown(&readme) {
        match shown {
            Shown::File { name, text } => _ = place.write(name, text),
            Shown::Command { command, says } if command.contains("splc ") => {
                let mut shell = Command::new("sh");
                shell.args(["-c", command]).current_dir(place.0.path()).env("PATH", &path).stdin(Stdio::null());
                let run = Run::of(shell);
                let (out, err) = (run.out(), &run.err);
                assert!(
                    is_shown(&out, &says) || is_shown(err, &says),
                    "README.md shows for {command}\n{}\nbut it says\n{out}{err}",
                    says.join("\n")
                );
                commands += 1;
            }
            Shown::Command { .. } => {}
        }
    }
    assert!(commands >= LEAST_COMMANDS, "only {commands} commands");
}
