//! The edits of diagnostics on random damage: each makes fewer errors, and no new ones.

use std::collections::HashMap;
use std::fs;

use splc_driver::fix::correct;
use splc_driver::{Input, NoIncludes, Options, TargetError, Wanted, read};
use splc_ir::catalog::Catalog;
use splc_ir::diagnostic::{Code, Diagnostics, Severity};
use splc_ir::source::{FileId, SourceMap};
use splc_tests::reference::files;
use splc_tests::{Beside, corpus};

/// The languages: their corpus, their game, and the extension of a file.
const LANGUAGES: [(&str, &str, &str); 5] = [
    ("unnethack", "unnethack-6.0.4", "des"),
    ("nethack36", "nethack-3.6.7", "des"),
    ("sporkhack", "sporkhack-0.7.0", "des"),
    ("nethack343", "nethack-3.4.3", "des"),
    ("nethack5", "nethack-5.0.0", "lua"),
];

/// Texts that authors write in place of others.
const PIECES: [&str; 26] = [
    "", "", "", ",", ";", ":", "=", ".", "(", ")", "[", "]", "{", "}", "\"", "'", "$", "%", "#", "-", " ", "\n", "1",
    "x", "random", "TRAP",
];

/// A generator of numbers (xorshift).
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, most: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % most.max(1) as u64) as usize
    }
}

/// Returns the levels of a language: the corpus, and the frames of the mistakes for Lua.
fn levels(folder: &str) -> Vec<String> {
    let mut levels: Vec<String> =
        files(&corpus(folder), ".des").iter().filter_map(|file| fs::read_to_string(file).ok()).collect();
    if levels.is_empty() {
        let list = fs::read_to_string(corpus("mistakes/nethack5/mistakes.txt")).unwrap();
        let frames = list.split("\n=== ").filter_map(|part| part.strip_prefix("frame ")?.split_once('\n'));
        levels.extend(
            frames.map(|(_, text)| {
                text.replace("@@\n", "des.trap(\"web\", 2,2)\nif percent(50) then\n  des.gold()\nend\n")
            }),
        );
    }
    // Damage to a long level is found as well in a short one.
    levels.retain(|level| level.len() < 20_000);
    levels
}

fn diagnose(text: &str, game: &str, extension: &str) -> (SourceMap, Diagnostics) {
    let input = Input::new(format!("x.{extension}"), text);
    let read = read(input, &options(game), &mut NoIncludes).unwrap();
    (read.sources, read.diagnostics)
}

fn options(game: &str) -> Options {
    let catalog = Catalog::by_name(game).unwrap();
    Options { wanted: Wanted { catalog: Some(catalog.into()), ..Wanted::default() }, ..Options::default() }
}

/// Returns the number of each error.
fn errors(diagnostics: &Diagnostics) -> HashMap<(Code, String), usize> {
    let mut found = HashMap::new();
    for error in diagnostics.iter().filter(|known| known.severity == Severity::Error) {
        *found.entry((error.code, error.message.to_string())).or_default() += 1;
    }
    found
}

/// Returns the reason why `after` is not better than `before`, if there is one.
fn worse(before: &Diagnostics, after: &Diagnostics) -> Option<String> {
    if after.errors() >= before.errors() {
        return Some(format!("{} errors became {}", before.errors(), after.errors()));
    }
    let known = errors(before);
    let new = errors(after).into_iter().find(|(error, count)| known.get(error).copied().unwrap_or(0) < *count);
    new.map(|((code, message), _)| format!("a new error: {}: {message}", code.as_str()))
}

/// Files of another language than the requested one are not rewritten.
#[test]
fn fix_leaves_files_of_other_dialects() {
    let (mut harmed, mut refused, mut fixes) = (Vec::new(), 0, 0);
    let dialects = LANGUAGES.iter().filter(|(.., extension)| *extension == "des");
    for (folder, own, _) in dialects.clone() {
        for path in files(&corpus(folder), ".des") {
            let input = Input::file(path.display().to_string(), path.clone(), fs::read(&path).unwrap());
            let own = read(input.clone(), &options(own), &mut Beside).unwrap();
            for (_, game, _) in dialects.clone().filter(|(other, ..)| other != folder && !own.diagnostics.has_errors())
            {
                match correct(&input, &options(game), &mut Beside) {
                    Err(TargetError::ReadsAs { .. }) => refused += 1,
                    Err(problem) => panic!("{problem}"),
                    Ok(fixed) if fixed.changes.is_empty() => {}
                    Ok(fixed) => {
                        let lines = |bytes: &[u8]| bytes.split(|&byte| byte == b'\n').count();
                        fixes += 1;
                        if fixed.diagnostics.has_errors() || lines(&fixed.bytes) < lines(&input.bytes) {
                            harmed.push(format!("{} as {game}: {:?}", path.display(), fixed.changes));
                        }
                    }
                }
            }
        }
    }
    println!("{refused} files were refused, {fixes} were fixed");
    assert!(harmed.is_empty(), "{}", harmed.join("\n"));
    assert!(refused > 30, "{refused}");
}

#[test]
fn every_edit_makes_fewer_errors_and_none_new() {
    let mut wrong = Vec::new();
    let mut counts = (0, 0, 0);
    for (folder, game, extension) in LANGUAGES {
        let levels = levels(folder);
        assert!(!levels.is_empty(), "{folder}");
        let mut numbers = Numbers(0x9e37_79b9_7f4a_7c15);
        for _ in 0..splc_tests::cases(150) {
            let mut text = levels[numbers.below(levels.len())].clone();
            let mut start = numbers.below(text.len());
            let mut end = (start + numbers.below(4)).min(text.len());
            while !text.is_char_boundary(start) {
                start -= 1;
            }
            while !text.is_char_boundary(end) {
                end += 1;
            }
            let piece = PIECES[numbers.below(PIECES.len())];
            text.replace_range(start..end, piece);
            let (_, before) = diagnose(&text, game, extension);
            if !before.has_errors() || before.dropped() > 0 {
                continue;
            }
            counts.0 += 1;
            let certain = before.iter().filter(|known| known.severity == Severity::Error);
            for error in certain.filter(|known| known.suggestions.iter().any(|edit| edit.applicable)) {
                counts.1 += 1;
                let mut edited = text.clone();
                let mut edits: Vec<_> = error.suggestions.iter().filter(|edit| edit.span.file == FileId(0)).collect();
                edits.sort_by_key(|edit| std::cmp::Reverse(edit.span.start));
                for edit in edits {
                    edited.replace_range(edit.span.start as usize..edit.span.end as usize, &edit.replacement);
                }
                let (_, after) = diagnose(&edited, game, extension);
                if let Some(reason) = worse(&before, &after) {
                    let line = text[..start].matches('\n').count() + 1;
                    let shown = text.lines().nth(line - 1).unwrap_or("");
                    wrong.push(format!(
                        "{folder}: {reason}\n  line {line}: {shown}\n  {}: {}\n  {:?}",
                        error.code.as_str(),
                        error.message,
                        error.suggestions.iter().map(|edit| &edit.replacement).collect::<Vec<_>>()
                    ));
                }
            }
            let fixed = correct(&Input::new(format!("x.{extension}"), text.as_str()), &options(game), &mut NoIncludes);
            let fixed = fixed.unwrap();
            if !fixed.changes.is_empty() {
                counts.2 += 1;
                if let Some(reason) = worse(&before, &fixed.diagnostics)
                    && fixed.changes.iter().any(|change| {
                        before
                            .iter()
                            .any(|known| known.severity == Severity::Error && known.message.text() == change.message)
                    })
                {
                    wrong.push(format!("{folder}: splc fix: {reason}\n  {:?}", fixed.changes));
                }
            }
        }
    }
    println!("{counts:?}: files with errors, certain edits, files that were fixed");
    assert!(wrong.is_empty(), "{} of {} edits:\n{}", wrong.len(), counts.1, wrong.join("\n"));
    assert!(counts.1 > counts.0 / 20, "{counts:?}");
}
