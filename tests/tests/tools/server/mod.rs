//! The language server, asked over its protocol: everything at many positions of every file, and an author who types at
//! random.

mod actions;
mod client;
mod dungeons;

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};

use serde_json::{Value, json};
use splc_ir::catalog::Catalog;
use splc_tests::reference;
use splc_tests::workspace;

use client::Client;

/// Requests about a position.
const AT: &[&str] = &[
    "textDocument/completion",
    "textDocument/hover",
    "textDocument/signatureHelp",
    "textDocument/definition",
    "textDocument/references",
    "textDocument/documentHighlight",
    "textDocument/prepareRename",
];

/// Requests about a file.
const OF: &[&str] = &[
    "textDocument/documentSymbol",
    "textDocument/foldingRange",
    "textDocument/documentLink",
    "textDocument/semanticTokens/full",
];

fn cases(all: u32) -> usize {
    splc_tests::cases(all) as usize
}

/// Returns all files below `folder` with one of these extensions.
fn files(folder: &Path, found: &mut Vec<PathBuf>) {
    let mut entries: Vec<PathBuf> =
        std::fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path()).collect();
    entries.sort();
    for path in entries {
        if path.is_dir() {
            files(&path, found);
        } else if path
            .extension()
            .is_some_and(|extension| ["des", "inc", "lua", "def"].iter().any(|known| extension == *known))
        {
            found.push(path);
        }
    }
}

fn text(path: &Path) -> String {
    let bytes = std::fs::read(path).unwrap();
    match String::from_utf8(bytes) {
        Ok(text) => text,
        Err(error) => error.into_bytes().into_iter().map(char::from).collect(),
    }
}

/// Returns the position of each character, in units of UTF-16, and that of the end.
fn positions(text: &str) -> Vec<(u32, u32)> {
    let (mut line, mut column) = (0, 0);
    let mut found = Vec::new();
    let mut characters = text.chars().peekable();
    while let Some(character) = characters.next() {
        found.push((line, column));
        let ends = character == '\n' || character == '\r' && characters.peek() != Some(&'\n');
        (line, column) = if ends { (line + 1, 0) } else { (line, column + character.len_utf16() as u32) };
    }
    found.push((line, column));
    found
}

fn position((line, character): (u32, u32)) -> Value {
    json!({ "line": line, "character": character })
}

/// Returns the parameters of a request about a position.
fn about(method: &str, uri: &str, at: Value) -> Value {
    match method {
        "textDocument/references" => {
            json!({ "textDocument": { "uri": uri }, "position": at, "context": { "includeDeclaration": true } })
        }
        _ => json!({ "textDocument": { "uri": uri }, "position": at }),
    }
}

/// Checks that `range` is in a text of `lines` lines.
fn is_inside(range: &Value, lines: u64) -> bool {
    let number = |path: &str| range.pointer(path).and_then(Value::as_u64);
    match (number("/start/line"), number("/end/line"), number("/start/character"), number("/end/character")) {
        (Some(first), Some(last), Some(from), Some(to)) => last < lines && (first, from) <= (last, to),
        _ => false,
    }
}

/// Asks everything about a file, at `most` positions.
fn ask_everything(client: &mut Client, path: &Path, text: &str, most: usize) {
    let name = path.file_name().unwrap().to_string_lossy().into_owned();
    let uri = format!("file:///levels/{}", name.replace(' ', "%20"));
    client.open(&uri, text);
    let document = json!({ "uri": uri });
    let all = positions(text);
    let lines = u64::from(all.last().unwrap().0) + 1;
    for diagnostic in client.diagnostics(&uri, 1).as_array().unwrap() {
        assert!(is_inside(&diagnostic["range"], lines), "{}: {diagnostic}", path.display());
        assert!(diagnostic["code"].is_string() && diagnostic["source"] == "splc");
    }
    for method in OF {
        let answer = client.request(method, json!({ "textDocument": document }));
        assert!(answer.is_ok(), "{}: {method}: {answer:?}", path.display());
    }
    let step = (all.len() / most).max(1);
    for &at in all.iter().step_by(step) {
        for method in AT {
            let parameters = about(method, &uri, position(at));
            let answer = client
                .request(method, parameters)
                .unwrap_or_else(|error| panic!("{}: {method}: {error}", path.display()));
            if let Some(range) = answer.get("range") {
                assert!(is_inside(range, lines), "{}: {method} at {at:?}: {answer}", path.display());
            }
        }
        // A rename may be refused, but only with a reason.
        let rename = json!({ "textDocument": document, "position": position(at), "newName": "other_name" });
        if let Err(reason) = client.request("textDocument/rename", rename) {
            assert!(!reason.is_empty());
        }
        let selection = json!({ "textDocument": document, "positions": [position(at)] });
        let selections = client.request("textDocument/selectionRange", selection).unwrap();
        let mut range = &selections[0];
        while let Some(parent) = range.get("parent").filter(|parent| !parent.is_null()) {
            let contains = |path: &str| {
                let of =
                    |range: &Value| (range["range"][path]["line"].as_u64(), range["range"][path]["character"].as_u64());
                (of(parent), of(range))
            };
            let ((outer, inner), (outer_end, inner_end)) = (contains("start"), contains("end"));
            assert!(outer <= inner && inner_end <= outer_end, "{}: {selections}", path.display());
            range = parent;
        }
        let range = json!({ "start": position(at), "end": position(at) });
        let actions = json!({ "textDocument": document, "range": range, "context": { "diagnostics": [] } });
        client.request("textDocument/codeAction", actions).unwrap();
    }
    let whole = json!({ "start": position(all[0]), "end": position(*all.last().unwrap()) });
    for method in ["textDocument/inlayHint", "textDocument/semanticTokens/range", "textDocument/rangeFormatting"] {
        let options = json!({ "tabSize": 2, "insertSpaces": true });
        client.request(method, json!({ "textDocument": document, "range": whole, "options": options })).unwrap();
    }
    let tokens = client.request("textDocument/semanticTokens/full", json!({ "textDocument": document })).unwrap();
    let data = tokens["data"].as_array().map_or(&[][..], Vec::as_slice);
    assert!(data.len().is_multiple_of(5) && data.iter().all(Value::is_u64), "{}", path.display());
    client.close(&uri);
}

#[test]
fn every_request_has_an_answer_everywhere_in_the_corpus() {
    let mut paths = Vec::new();
    files(&workspace().join("corpus"), &mut paths);
    assert!(paths.len() > 60);
    let mut client = Client::new(None, "utf-16", false);
    for path in &paths {
        ask_everything(&mut client, path, &text(path), cases(12));
    }
}

#[test]
#[cfg_attr(not(reference), ignore = "no reference data: set SPLC_REFERENCE")]
fn every_request_has_an_answer_everywhere_in_the_games_levels() {
    let mut paths = Vec::new();
    for game in ["nethack-3.4.3", "nethack-3.6.7", "nethack-5.0.0", "sporkhack-0.7.0", "unnethack-6.0.4"] {
        files(&reference::game(game), &mut paths);
    }
    assert!(paths.len() > 100);
    let mut client = Client::new(None, "utf-16", false);
    for path in &paths {
        ask_everything(&mut client, path, &text(path), cases(2));
    }
}

/// With an `SPLC_LONG` as large as the largest file, these are all positions.
#[test]
#[cfg_attr(not(reference), ignore = "no reference data: set SPLC_REFERENCE")]
fn every_position_of_the_games_levels_has_an_answer() {
    let mut paths = Vec::new();
    for (game, folder) in [
        ("nethack-3.4.3", "des"),
        ("nethack-3.4.3", "dungeon"),
        ("nethack-3.6.7", "des"),
        ("nethack-3.6.7", "dungeon"),
        ("nethack-5.0.0", "lua"),
        ("sporkhack-0.7.0", "des"),
        ("sporkhack-0.7.0", "dungeon"),
        ("unnethack-6.0.4", "des"),
        ("unnethack-6.0.4", "dungeon"),
    ] {
        files(&reference::game(game).join(folder), &mut paths);
    }
    let (next, requested) = (AtomicUsize::new(0), AtomicUsize::new(0));
    let work = || {
        let mut client = Client::new(None, "utf-16", false);
        while let Some(path) = paths.get(next.fetch_add(1, Ordering::Relaxed)) {
            let (text, uri) = (text(path), "file:///levels/level");
            let uri = format!("{uri}.{}", path.extension().unwrap().to_string_lossy());
            client.open(&uri, &text);
            let all = positions(&text);
            for &at in all.iter().step_by((all.len() / cases(20)).max(1)) {
                for method in ["textDocument/hover", "textDocument/completion", "textDocument/definition"] {
                    let answer = client.request(method, about(method, &uri, position(at)));
                    assert!(answer.is_ok(), "{}: {method} at {at:?}: {answer:?}", path.display());
                    requested.fetch_add(1, Ordering::Relaxed);
                }
            }
            client.close(&uri);
        }
    };
    std::thread::scope(|scope| {
        (0..2).for_each(|_| _ = scope.spawn(work));
    });
    let requested = requested.into_inner();
    let least = splc_tests::either(1_000, 10_000) as usize;
    println!("{} files, {requested} requests", paths.len());
    assert!(paths.len() > 150 && requested > least, "{} files, {requested} requests", paths.len());
}

/// A small generator of random numbers, the same on every machine.
struct Random(u64);

impl Random {
    fn below(&mut self, most: usize) -> usize {
        // The constants of SplitMix64.
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut value = self.0;
        value = (value ^ (value >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        value = (value ^ (value >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        usize::try_from((value ^ (value >> 31)) % most.max(1) as u64).unwrap()
    }
}

/// Texts that an author may insert.
const INSERTED: &[&str] = &[
    "\n",
    "\r\n",
    "é",
    "🐉",
    "\"",
    "'",
    "{",
    "}",
    "(",
    ")",
    ",",
    ":",
    "$",
    " ",
    "MAP\n",
    "ENDMAP\n",
    "MONSTER: 'o', random\n",
    "IF [50%] {\n",
    "$x = 3\n",
    "des.monster({ id = \"newt\" })\n",
    "]]",
    "[[",
    "--",
    "#",
    "LEVEL: \"x\"\n",
    "TRAP:\"pit\",(1,1)\n",
];

/// A text in the editor, with the texts that an undo brings back.
struct Buffer {
    uri: String,
    text: String,
    version: i64,
    before: Vec<String>,
}

/// Most steps that an undo can take back.
const MAX_TAKEN_BACK: usize = 50;

impl Buffer {
    fn notify(&mut self, client: &Client, changes: &[Value]) {
        self.version += 1;
        let document = json!({ "uri": self.uri, "version": self.version });
        let parameters = json!({ "textDocument": document, "contentChanges": changes });
        client.notify("textDocument/didChange", parameters);
    }

    /// Keeps the text for an undo.
    fn keep(&mut self) {
        if self.before.len() == MAX_TAKEN_BACK {
            self.before.remove(0);
        }
        self.before.push(self.text.clone());
    }

    /// Inserts, deletes or replaces a few characters.
    fn type_something(&mut self, client: &Client, random: &mut Random) {
        let characters: Vec<(usize, char)> = self.text.char_indices().collect();
        let all = positions(&self.text);
        let from = random.below(characters.len() + 1);
        // Mostly insertions of words and deletions of a few characters; rarely of many.
        let length = match random.below(20) {
            0..=9 => 0,
            10..=17 => random.below(5),
            18 => random.below(40),
            _ => random.below(400),
        };
        let to = (from + length).min(characters.len());
        let inserted = if random.below(3) == 0 && length > 0 { "" } else { INSERTED[random.below(INSERTED.len())] };
        let offset = |at: usize| characters.get(at).map_or(self.text.len(), |(offset, _)| *offset);
        // A position between the two parts of a line end does not exist.
        let splits = |at: usize| {
            at > 0
                && characters.get(at - 1).is_some_and(|known| known.1 == '\r')
                && characters.get(at).is_some_and(|known| known.1 == '\n')
        };
        if splits(from) || splits(to) {
            return;
        }
        let (start, end) = (offset(from), offset(to));
        self.keep();
        self.text.replace_range(start..end, inserted);
        let range = json!({ "start": position(all[from]), "end": position(all[to]) });
        self.notify(client, &[json!({ "range": range, "text": inserted })]);
    }

    /// Renames the name at some place, if there is one. Returns true if something was renamed.
    fn rename(&mut self, client: &mut Client, random: &mut Random) -> bool {
        let all = positions(&self.text);
        let at = position(all[random.below(all.len())]);
        let name = format!("name_{}", random.below(1000));
        let parameters = json!({ "textDocument": { "uri": self.uri }, "position": at, "newName": name });
        let Ok(answer) = client.request("textDocument/rename", parameters) else { return false };
        let Some(edits) = answer["changes"][&self.uri].as_array() else { return false };
        self.keep();
        self.text = actions::edited(&self.text, edits);
        // The last first, so that each counts in the text as it was.
        let mut changes: Vec<Value> =
            edits.iter().map(|edit| json!({ "range": edit["range"], "text": edit["newText"] })).collect();
        let start = |change: &Value| {
            let at = &change["range"]["start"];
            (at["line"].as_u64().unwrap(), at["character"].as_u64().unwrap())
        };
        changes.sort_by_key(|change| std::cmp::Reverse(start(change)));
        self.notify(client, &changes);
        true
    }

    /// Takes the last step back.
    fn undo(&mut self, client: &Client) {
        let Some(before) = self.before.pop() else { return };
        let (old, new): (Vec<char>, Vec<char>) = (self.text.chars().collect(), before.chars().collect());
        let same = old.iter().zip(&new).take_while(|(old, new)| old == new).count();
        // Line ends change as a whole.
        let all = positions(&self.text);
        let first = if same > 0 && old[same - 1] == '\r' { same - 1 } else { same };
        let inserted: String = new[first..].iter().collect();
        let range = json!({ "start": position(all[first]), "end": position(*all.last().unwrap()) });
        self.text = before;
        self.notify(client, &[json!({ "range": range, "text": inserted })]);
    }

    /// Replaces the whole text.
    fn replace(&mut self, client: &Client, text: &str) {
        self.before.clear();
        self.text = text.to_owned();
        self.notify(client, &[json!({ "text": text })]);
    }
}

/// Types, renames and takes back at random in `start`, and compares the server with a new one now and then.
fn type_at_random(name: &str, target: &str, start: &str, seed: u64, edits: usize) {
    let catalog = || Catalog::by_name(target).map(Into::into);
    let uri = format!("file:///levels/{name}");
    let mut random = Random(seed);
    let mut client = Client::new(catalog(), "utf-16", false);
    client.open(&uri, start);
    client.diagnostics(&uri, 1);
    let mut buffer = Buffer { uri: uri.clone(), text: start.to_owned(), version: 1, before: Vec::new() };
    let mut renamed = 0;
    for edit in 0..edits {
        match random.below(40) {
            0..=2 => renamed += usize::from(buffer.rename(&mut client, &mut random)),
            3..=7 => buffer.undo(&client),
            // Little of a level is left after many random changes.
            8 if random.below(10) == 0 => buffer.replace(&client, start),
            _ => buffer.type_something(&client, &mut random),
        }
        if (edit % 20 == 19 || edit + 1 == edits) && buffer.version > 1 {
            let found = client.diagnostics(&uri, buffer.version);
            let text = &buffer.text;
            let mut fresh = Client::new(catalog(), "utf-16", false);
            fresh.open(&uri, text);
            assert_eq!(found, fresh.diagnostics(&uri, 1), "{name}, seed {seed}, edit {edit}:\n{text}");
            // The answers depend on every line and column of the text.
            for method in OF {
                let parameters = json!({ "textDocument": { "uri": uri } });
                let (known, new) = (client.request(method, parameters.clone()), fresh.request(method, parameters));
                assert_eq!(known, new, "{name}, seed {seed}, edit {edit}: {method}");
            }
            for _ in 0..5 {
                let all = positions(text);
                let at = position(all[random.below(all.len())]);
                for method in AT {
                    client.request(method, about(method, &uri, at.clone())).unwrap();
                }
            }
            // The diagnostics of this version have been read.
            buffer.notify(&client, &[]);
        }
        if buffer.text.len() > 4 * start.len().max(4000) {
            buffer.replace(&client, "");
        }
    }
    println!("{name}: {edits} edits, {renamed} of them renames");
}

/// The text and the findings stay those of a fresh check.
mod random_edits {
    use super::{cases, text, type_at_random, workspace};

    fn type_in_corpus(path: &str, target: &str, seed: u64) {
        let name = path.rsplit('/').next().unwrap();
        type_at_random(name, target, &text(&workspace().join("corpus").join(path)), seed, cases(120));
    }

    #[test]
    fn of_maps() {
        type_in_corpus("unnethack/maps.des", "unnethack-6.0.4", 1);
    }

    #[test]
    fn of_rooms() {
        type_in_corpus("nethack343/rooms.des", "nethack-3.4.3", 2);
    }

    #[test]
    fn of_a_level_with_loops() {
        type_in_corpus("sporkhack/flow.des", "sporkhack-0.7.0", 3);
    }

    #[test]
    fn of_a_script() {
        let script = "local place = selection.area(1, 1, 5, 5)\ndes.map([[\n---\n|.|\n---\n]])\ndes.monster({ id = \"newt\" })\nfor i = 1, 3 do des.trap() end\n";
        type_at_random("cellar.lua", "nethack-5.0.0", script, 4, cases(120));
    }

    #[test]
    fn of_an_empty_file() {
        type_at_random("empty.des", "nethack-3.6.7", "", 5, cases(120));
    }
}

#[test]
fn positions_are_those_of_the_encoding() {
    let text = "LEVEL: \"é🐉\"\nNOMAP\nMESSAGE: \"🐉é\" TRAP\n";
    for (encoding, column) in [("utf-8", 18), ("utf-16", 15), ("utf-32", 14)] {
        let mut client = Client::new(Catalog::by_name("unnethack-6.0.4").map(Into::into), encoding, false);
        client.open("file:///x.des", text);
        let found = client.diagnostics("file:///x.des", 1);
        let starts: Vec<_> = found.as_array().unwrap().iter().map(|one| one["range"]["start"].clone()).collect();
        assert!(starts.contains(&json!({ "line": 2, "character": column })), "{encoding}: {found}");
    }
}

#[test]
fn completion_offers_what_the_game_has() {
    for (target, statement, has, lacks) in [
        ("unnethack-6.0.4", "MONSTER: ", "hill orc", "dwarf leader"),
        ("nethack-3.4.3", "TRAP:\"", "pit", "newt"),
        ("nethack-3.4.3", "MONSTER:'o',\"", "hill orc", "newt"),
        ("nethack-3.6.7", "REGION: (1,1,2,2), ", "unlit", "pit"),
        ("unnethack-6.0.4", "DOOR: ", "locked", "pit"),
        ("sporkhack-0.7.0", "", "FOUNTAIN", "pit"),
        ("unnethack-6.0.4", "$x = selection: ", "floodfill", "pit"),
        ("nethack-5.0.0", "des.", "monster", "area"),
        ("nethack-5.0.0", "des.object({ ", "buc", "peaceful"),
        ("nethack-5.0.0", "des.object({ buc = \"", "blessed", "newt"),
        ("nethack-5.0.0", "des.monster(\"", "newt", "pit"),
        ("nethack-5.0.0", "des.monster({ peaceful = ", "true", "while"),
    ] {
        let mut client = Client::new(Catalog::by_name(target).map(Into::into), "utf-16", false);
        let lua = target == "nethack-5.0.0";
        let before = if lua {
            ""
        } else if target == "nethack-3.4.3" {
            "MAZE:\"x\",' '\nNOMAP\n"
        } else {
            "LEVEL: \"x\"\nNOMAP\n"
        };
        let uri = if lua { "file:///x.lua" } else { "file:///x.des" };
        let text = format!("{before}{statement}");
        client.open(uri, &text);
        let at = position(*positions(&text).last().unwrap());
        let answer = client
            .request("textDocument/completion", json!({ "textDocument": { "uri": uri }, "position": at }))
            .unwrap();
        let labels: Vec<&str> = answer["items"]
            .as_array()
            .unwrap_or(&Vec::new())
            .iter()
            .filter_map(|item| item["label"].as_str())
            .map(|label| &*label.to_owned().leak())
            .collect();
        assert!(labels.contains(&has) && !labels.contains(&lacks), "{target}: {statement}: {labels:?}");
    }
}

#[test]
fn fixes_and_findings_of_tests_are_offered() {
    let mut client = Client::new(Catalog::by_name("unnethack-6.0.4").map(Into::into), "utf-16", true);
    let uri = "file:///apart.des";
    client.open(uri, "LEVEL: \"apart\"\nGEOMETRY: center, center\nMAP\n-------\n|..|..|\n-------\nENDMAP\nSTAIR: (1,1), up\nSTAIR: (4,1), down\n");
    let at_once = client.diagnostics(uri, 1);
    assert!(!at_once.to_string().contains("seeds"), "{at_once}");
    let later = client.diagnostics(uri, 1);
    assert!(later.to_string().contains("on all 200 seeds"), "{later}");
    let range = json!({ "start": { "line": 0, "character": 0 }, "end": { "line": 9, "character": 0 } });
    let parameters = json!({ "textDocument": { "uri": uri }, "range": range, "context": { "diagnostics": [] } });
    let actions = client.request("textDocument/codeAction", parameters).unwrap();
    assert!(actions.to_string().contains("with seed 1"), "{actions}");
}
