//! Checks README.md and the pages of `docs`: their commands are run on their files and must print the output shown, and
//! their links must have a target.
//!
//! A file is a code block after a comment that names it, `<!-- file: NAME -->`. A `console` block has commands, each on
//! a line that begins with `$`, followed by the content of one of the two outputs. Empty lines are ignored, and the
//! text between `...` and `...` is an excerpt. Each page has its own folder. Commands of other programs need a game and
//! are not run; see `tests/real-game` for them.
#![cfg(unix)]

use std::os::unix::fs::symlink;
use std::process::Command;

use crate::*;

/// Minimum number of commands on the pages; fewer means that some were not found.
const LEAST_COMMANDS: usize = 20;

/// Returns the pages, relative to the workspace.
fn pages() -> Vec<String> {
    let docs = splc_tests::reference::files(&splc_tests::workspace().join("docs"), ".md");
    let docs = docs.iter().map(|path| format!("docs/{}", path.file_name().unwrap().to_str().unwrap()));
    ["README.md", "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md", "corpus/README.md"]
        .map(str::to_owned)
        .into_iter()
        .chain(docs)
        .collect()
}

fn text(page: &str) -> String {
    fs::read_to_string(splc_tests::workspace().join(page)).unwrap()
}

/// A testable block of a page.
enum Shown<'a> {
    File { name: &'a str, text: String },
    Command { command: &'a str, says: Vec<&'a str> },
}

fn shown(page: &str) -> Vec<Shown<'_>> {
    let mut all = Vec::new();
    let mut file = None;
    let mut lines = page.lines();
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

/// Returns the non-empty lines of `text`.
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

/// Runs the splc commands of `page` in a place with its files and the corpus. Returns their number.
fn run_commands(page: &str) -> usize {
    let text = text(page);
    let place = Place::new();
    fs::create_dir(place.path("bin")).unwrap();
    symlink(env!("CARGO_BIN_EXE_splc-under-test"), place.path("bin/splc")).unwrap();
    symlink(splc_tests::workspace().join("corpus"), place.path("corpus")).unwrap();
    let path = std::env::var("PATH").unwrap_or_default();
    let path = format!("{}:{path}", place.path("bin").display());
    let mut commands = 0;
    for shown in shown(&text) {
        match shown {
            Shown::File { name, text } => _ = place.write(name, text),
            Shown::Command { command, says } if command.contains("splc ") => {
                let mut shell = Command::new("sh");
                shell.args(["-c", command]).current_dir(place.0.path()).env("PATH", &path).stdin(Stdio::null());
                let run = Run::of(shell);
                let (out, err) = (run.out(), &run.err);
                assert!(
                    is_shown(&out, &says) || is_shown(err, &says),
                    "{page} shows for {command}\n{}\nbut it says\n{out}{err}",
                    says.join("\n")
                );
                commands += 1;
            }
            Shown::Command { .. } => {}
        }
    }
    commands
}

#[test]
fn the_commands_on_the_pages_print_the_output_shown() {
    let commands: usize = pages().iter().map(|page| run_commands(page)).sum();
    println!("{commands} commands of README.md and docs say what is shown");
    assert!(commands >= LEAST_COMMANDS, "only {commands} commands");
}

/// Returns the link anchor of a heading.
fn anchor(heading: &str) -> String {
    let kept = heading.trim_start_matches('#').trim().to_lowercase();
    let kept = kept.chars().filter(|letter| letter.is_alphanumeric() || matches!(letter, ' ' | '-' | '_'));
    kept.map(|letter| if letter == ' ' { '-' } else { letter }).collect()
}

#[test]
fn the_links_on_the_pages_have_targets() {
    let mut links = 0;
    for page in pages() {
        let here = splc_tests::workspace().join(&page);
        for target in text(&page).split("](").skip(1).filter_map(|rest| rest.split_once(')')).map(|(target, _)| target)
        {
            if target.contains("://") {
                continue;
            }
            let (file, heading) = target.split_once('#').unwrap_or((target, ""));
            let there = if file.is_empty() { here.clone() } else { here.parent().unwrap().join(file) };
            assert!(there.exists(), "{page} links to {target}");
            if !heading.is_empty() {
                let text = fs::read_to_string(&there).unwrap();
                let found = text.lines().any(|line| line.starts_with('#') && anchor(line) == heading);
                assert!(found, "{page} links to {target}");
            }
            links += 1;
        }
    }
    assert!(links > 20, "only {links} links");
    let readme = text("README.md");
    for page in pages().iter().filter(|page| page.starts_with("docs/")) {
        assert!(readme.contains(&format!("]({page})")), "README.md does not link to {page}");
    }
}
