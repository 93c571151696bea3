//! The wording of comments, pages, messages and names. The rules are data, in `style.toml`, and each finding says what
//! to write instead.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs;
use std::sync::LazyLock;

use splc_tests::prose::{self, Kind, Passage, Prose, Word};
use splc_tests::workspace;
use toml::de::{DeTable, DeValue};

/// A value of `style.toml`.
type Value = DeValue<'static>;

static DATA: LazyLock<DeTable<'static>> =
    LazyLock::new(|| DeTable::parse(include_str!("style.toml")).unwrap().into_inner());

/// The text files of the workspace: path from its root, contents, prose.
static FILES: LazyLock<Vec<(String, String, Prose)>> = LazyLock::new(|| {
    let root = workspace();
    let skipped: Vec<&str> = list(DATA["skipped"].get_ref()).map(text).collect();
    let (mut files, mut folders) = (Vec::new(), vec![root.clone()]);
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let name = path.file_name().unwrap().to_string_lossy().into_owned();
            let hidden = name.starts_with('.') && ![".ci", ".github"].contains(&name.as_str());
            if path.is_dir() && !hidden && !skipped.contains(&name.as_str()) {
                folders.push(path);
            } else if path.is_file()
                && let Ok(contents) = fs::read_to_string(&path)
            {
                let prose = prose::read(&path, &contents);
                let path = path.strip_prefix(&root).unwrap().to_string_lossy().replace('\\', "/");
                files.push((path, contents, prose));
            }
        }
    }
    files.sort_by(|a, b| a.0.cmp(&b.0));
    files
});

fn text(value: &Value) -> &str {
    value.as_str().expect("a string")
}

fn list(value: &'static Value) -> impl Iterator<Item = &'static Value> {
    value.as_array().expect("a list").iter().map(|value| value.get_ref())
}

/// Returns the rows of the list `key`, each with `N` strings.
fn rows<const N: usize>(key: &str) -> Vec<[&'static str; N]> {
    let row = |row| list(row).map(text).collect::<Vec<_>>().try_into().expect("the length of the row");
    list(DATA[key].get_ref()).map(row).collect()
}

fn number(value: &Value) -> usize {
    value.as_integer().and_then(|number| number.as_str().parse().ok()).expect("a number")
}

/// A wording that `style.toml` bans.
struct Finding {
    /// The banned wording, as found.
    found: String,
    file: String,
    line: usize,
    instead: &'static str,
}

/// Fails if there are more findings than `style.toml` leaves at `place`, apart from its exceptions.
fn judge(place: &str, mut findings: Vec<Finding>) {
    let exceptions = rows::<3>("exceptions");
    let is_excepted =
        |finding: &Finding| exceptions.iter().any(|[found, file, _]| *found == finding.found && *file == finding.file);
    findings.retain(|finding| !is_excepted(finding));
    let most = number(DATA["left"].get_ref().as_table().unwrap()[place].get_ref());
    let mut report = format!("{place}: {} findings, at most {most} are left in style.toml\n", findings.len());
    for Finding { found, file, line, instead } in &findings {
        writeln!(report, "{file}:{line}: `{found}`: write {instead}").unwrap();
    }
    println!("{report}");
    assert!(findings.len() <= most, "{report}");
}

/// Returns the words of the banned `phrase` that begins at `words[at]`.
fn matching<'a>(phrase: &[&str], words: &'a [Word], at: usize) -> Option<&'a [Word]> {
    let (phrase, ends) = phrase.strip_suffix(&["."]).map_or((phrase, false), |phrase| (phrase, true));
    let found = words.get(at..at + phrase.len())?;
    let is = |any: &str, word: &Word| any == "*" || any.split('|').any(|any| any == word.text);
    let fits =
        phrase.iter().zip(found).all(|(any, word)| any.strip_prefix('!').map_or(is(any, word), |not| !is(not, word)));
    let goes_on = words.get(at + phrase.len()).is_some_and(|word| word.joined);
    (fits && found.iter().skip(1).all(|word| word.joined) && !(ends && goes_on)).then_some(found)
}

/// Finds banned phrases in passages of `kind`.
fn phrases(kind: Kind, place: &str) -> Vec<Finding> {
    let banned = rows::<3>("phrases").into_iter().filter(|[_, _, places]| places.split(' ').any(|at| at == place));
    let rules = banned.map(|[phrase, instead, _]| (phrase.split(' ').collect::<Vec<_>>(), instead));
    // By each word that a phrase can begin with; the empty word is any.
    let mut by_first: BTreeMap<&str, Vec<(Vec<&str>, &'static str)>> = BTreeMap::new();
    for (phrase, instead) in rules {
        let any = phrase[0].starts_with(['!', '*']);
        for first in phrase[0].split('|').take(if any { 1 } else { usize::MAX }) {
            by_first.entry(if any { "" } else { first }).or_default().push((phrase.clone(), instead));
        }
    }
    let mut findings = Vec::new();
    for (path, _, prose) in FILES.iter() {
        // String literals of tests are inputs and expected outputs.
        if kind == Kind::Message && path.split('/').any(|part| part == "tests") {
            continue;
        }
        for passage in prose.passages.iter().filter(|passage| passage.kind == kind) {
            let words = passage.words();
            for at in 0..words.len() {
                let rules = ["", &words[at].text].into_iter().filter_map(|first| by_first.get(first)).flatten();
                for (phrase, instead) in rules {
                    let Some(found) = matching(phrase, &words, at) else { continue };
                    let found: Vec<&str> = found.iter().map(|word| word.text.as_str()).collect();
                    let file = path.clone();
                    findings.push(Finding { found: found.join(" "), file, line: words[at].line, instead });
                }
            }
        }
    }
    findings
}

#[test]
fn phrases_match_words() {
    let found = |phrase: &str, text: &str| {
        let passage = Passage { kind: Kind::Comment, lines: vec![(1, text.to_owned())] };
        let words = passage.words();
        let phrase: Vec<&str> = phrase.split(' ').collect();
        (0..words.len()).any(|at| matching(&phrase, &words, at).is_some())
    };
    assert!(
        found("is|are told", "They are\ntold.") && !found("is told", "it is: told") && !found("is told", "`is told`")
    );
    assert!(found("in all .", "three in all, or four") && !found("in all .", "in all cases"));
    assert!(found("!there is no level", "It is no level.") && !found("!there is no level", "if there is no level"));
    assert!(found("room for * more", "room for two more") && !found("room for * more", "room for more"));
}

#[test]
fn messages_use_plain_words() {
    judge("messages", phrases(Kind::Message, "messages"));
}

#[test]
fn pages_use_plain_words() {
    judge("docs", phrases(Kind::Page, "docs"));
}

#[test]
fn comments_use_plain_words() {
    judge("comments", phrases(Kind::Comment, "comments"));
}

/// Splits an identifier into its words, in lower case: `LevelFile` and `level_file` are `level` and `file`.
fn parts(name: &str) -> Vec<String> {
    let mut parts = vec![String::new()];
    let mut lower = false;
    for character in name.chars() {
        if character == '_' || (character.is_uppercase() && lower) {
            parts.push(String::new());
        }
        lower = character.is_lowercase();
        if character != '_' {
            parts.last_mut().unwrap().extend(character.to_lowercase());
        }
    }
    parts
}

/// Each identifier is found once per folder of the workspace, where it first occurs.
#[test]
fn names_use_plain_words() {
    let banned: Vec<(Vec<String>, &str)> =
        rows::<2>("names").into_iter().map(|[name, instead]| (parts(name), instead)).collect();
    let (mut seen, mut findings) = (BTreeSet::new(), Vec::new());
    for (path, _, prose) in FILES.iter() {
        let folder = path.split('/').next();
        for (line, name) in &prose.names {
            let parts = parts(name);
            let rule = banned.iter().find(|(banned, _)| parts.windows(banned.len()).any(|parts| parts == banned));
            if let Some((_, instead)) = rule
                && seen.insert((folder, name))
            {
                let file = path.clone();
                findings.push(Finding { found: name.clone(), file, line: *line, instead });
            }
        }
    }
    judge("names", findings);
}

/// Exceptions whose phrase is gone are deleted.
#[test]
fn every_exception_is_needed() {
    for [found, file, reason] in rows::<3>("exceptions") {
        assert!(!reason.is_empty(), "no reason for `{found}`");
        let (_, _, prose) = FILES.iter().find(|(path, ..)| path == file).unwrap_or_else(|| panic!("no {file}"));
        if found == "columns" {
            continue;
        }
        let phrase: Vec<&str> = found.split(' ').collect();
        let in_text = prose.passages.iter().any(|passage| {
            let words = passage.words();
            (0..words.len()).any(|at| matching(&phrase, &words, at).is_some())
        });
        assert!(in_text || prose.names.iter().any(|(_, name)| name == found), "{file} has no `{found}`");
    }
}

/// Code that reads the text of a message breaks when someone writes it better.
#[test]
fn only_renderers_read_messages() {
    let is_ours = |path: &str| path.ends_with(".rs") && !path.split('/').any(|part| part == "tests" || part == "fuzz");
    let reads = |contents: &str| {
        let code = contents.split("#[cfg(test)]").next().unwrap_or_default();
        let lines = code.lines().filter(|line| !line.trim_start().starts_with("//"));
        let code: String = lines.flat_map(str::chars).filter(|letter| !letter.is_whitespace()).collect();
        code.contains(".message.text()") || code.contains(".message.to_string()")
    };
    assert!(reads("known\n    .message\n    .text()") && !reads("// known.message.text()\nknown.message.mistake()"));
    let reading = FILES.iter().filter(|(path, contents, _)| is_ours(path) && reads(contents));
    let reading: BTreeSet<&str> =
        reading.map(|(path, ..)| path.as_str()).filter(|path| !path.ends_with("/tests.rs")).collect();
    let renderers: BTreeSet<&str> = list(DATA["renderers"].get_ref()).map(text).collect();
    assert_eq!(reading, renderers);
}

#[test]
fn comments_name_things() {
    let circling = DATA["circling"].get_ref().as_table().unwrap();
    let words: Vec<&str> =
        circling["words"].get_ref().as_array().unwrap().iter().map(|word| text(word.get_ref())).collect();
    let (mut total, mut found) = (0, BTreeMap::new());
    for (path, _, prose) in FILES.iter() {
        for passage in prose.passages.iter().filter(|passage| passage.kind == Kind::Comment) {
            total += passage.lines.len();
            let circles = |line: &str| words.contains(&line.split(|at: char| !at.is_alphanumeric()).next().unwrap());
            let lines = passage.lines.iter().filter(|(_, line)| circles(line.trim_start())).count();
            *found.entry(path).or_insert(0) += lines;
        }
    }
    let count: usize = found.values().sum();
    println!("{count} of {total} lines of comments begin with one of {words:?}");
    found.retain(|_, count| *count > 0);
    assert!(count * 100 <= number(circling["in_hundred"].get_ref()) * total, "{found:#?}");
}

#[test]
fn lines_of_comments_and_pages_are_short() {
    let columns = number(DATA["columns"].get_ref());
    let mut findings = Vec::new();
    for (path, contents, prose) in FILES.iter() {
        let passages = prose.passages.iter().filter(|passage| passage.kind != Kind::Message);
        let numbers: BTreeSet<usize> =
            passages.flat_map(|passage| passage.lines.iter().map(|(line, _)| *line)).collect();
        for (index, line) in contents.lines().enumerate().filter(|(_, line)| line.chars().count() > columns) {
            let line_number = index + 1;
            let is_table_or_link = line.contains("](") || line.contains("://") || line.contains("| ");
            if numbers.contains(&line_number) && !prose.code_blocks.contains(&line_number) && !is_table_or_link {
                let file = path.clone();
                findings.push(Finding {
                    found: "columns".to_owned(),
                    file,
                    line: line_number,
                    instead: "shorter lines",
                });
            }
        }
    }
    judge("lines", findings);
}
