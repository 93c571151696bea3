//! Changes of statements: each leaves a file that compiles, and those that should keep the level do.

use std::path::Path;
use std::sync::atomic::AtomicU64;

use serde_json::{Value, json};
use splc_driver::{Input, NoIncludes, Options, Wanted, load};
use splc_equivalence as equivalence;
use splc_equivalence::Verdict;
use splc_ir::catalog::Catalog;
use splc_tests::reference;
use splc_vm::{Prepared, Surrounding};

use super::client::Client;
use super::{positions, text};

/// Returns `text` after the edits of an action.
pub fn edited(text: &str, edits: &[Value]) -> String {
    let all = positions(text);
    let offset = |at: &Value| {
        let wanted = (at["line"].as_u64().unwrap() as u32, at["character"].as_u64().unwrap() as u32);
        let number = all.iter().position(|known| *known >= wanted).unwrap();
        text.char_indices().nth(number).map_or(text.len(), |(offset, _)| offset)
    };
    let mut sorted: Vec<_> = edits
        .iter()
        .map(|edit| (offset(&edit["range"]["start"]), offset(&edit["range"]["end"]), edit["newText"].as_str().unwrap()))
        .collect();
    sorted.sort();
    let mut text = text.to_owned();
    for (start, end, new) in sorted.into_iter().rev() {
        text.replace_range(start..end, new);
    }
    text
}

/// An author with one game.
struct Author {
    client: Client,
    target: &'static str,
    uri: &'static str,
    version: i64,
}

const URI: &str = "file:///levels/changed.des";
const SCRIPT_URI: &str = "file:///levels/changed.lua";

impl Author {
    fn new(target: &'static str) -> Self {
        let client = Client::new(Catalog::by_name(target).map(Into::into), "utf-16", false);
        let uri = if target == SCRIPTS { SCRIPT_URI } else { URI };
        client.open(uri, "");
        let mut author = Author { client, target, uri, version: 1 };
        author.client.diagnostics(uri, 1);
        author
    }

    /// Replaces the text, and returns its errors.
    fn write(&mut self, text: &str) -> Vec<Value> {
        self.version += 1;
        let document = json!({ "uri": self.uri, "version": self.version });
        let change = json!({ "textDocument": document, "contentChanges": [{ "text": text }] });
        self.client.notify("textDocument/didChange", change);
        let Value::Array(found) = self.client.diagnostics(self.uri, self.version) else { panic!("a list") };
        found.into_iter().filter(|one| one["severity"] == 1).collect()
    }

    /// Returns the changes offered for the lines `first..=last` of the current text: the title, and the new text. The
    /// cursor is at the first character of a line if there is only one.
    fn changes(&mut self, text: &str, first: usize, last: usize) -> Vec<(String, String)> {
        let lines: Vec<&str> = text.lines().collect();
        let column = lines[first].chars().take_while(|blank| blank.is_whitespace()).count();
        let start = json!({ "line": first, "character": column });
        let end = json!({ "line": last, "character": lines[last].encode_utf16().count() });
        let range = json!({ "start": start, "end": if first == last { &start } else { &end } });
        let context = json!({ "diagnostics": [], "only": ["refactor"] });
        let parameters = json!({ "textDocument": { "uri": self.uri }, "range": range, "context": context });
        let actions = self.client.request("textDocument/codeAction", parameters).unwrap();
        let change = |action: &Value| {
            let edits = action["edit"]["changes"][self.uri].as_array()?;
            Some((action["title"].as_str().unwrap().to_owned(), edited(text, edits)))
        };
        actions.as_array().unwrap().iter().filter_map(change).collect()
    }

    /// Returns the text after the change with this title at the line that contains `at`.
    fn change(&mut self, text: &str, at: &str, title: &str) -> Option<String> {
        assert_eq!(self.write(text), Vec::<Value>::new());
        let line = text.lines().position(|line| line.contains(at)).unwrap();
        self.changes(text, line, line).into_iter().find(|(known, _)| known == title).map(|(_, new)| new)
    }

    fn levels(&self, text: &str) -> Vec<Prepared> {
        let wanted = Wanted { catalog: Catalog::by_name(self.target).map(Into::into), ..Wanted::default() };
        let options = Options { wanted, ..Options::default() };
        let loaded = load(Input::new(self.uri.rsplit('/').next().unwrap(), text), &options, &mut NoIncludes).unwrap();
        loaded.levels.into_iter().map(|level| level.program).collect()
    }

    /// Returns the verdicts on the levels of two texts, in the usual game.
    fn compare(&self, before: &str, after: &str, seeds: u64) -> Vec<Verdict> {
        let (before, after) = (self.levels(before), self.levels(after));
        assert_eq!(before.len(), after.len());
        let mut options = equivalence::Options { seeds, paths: 500, ..equivalence::Options::default() };
        Surrounding::ALL.into_iter().for_each(|part| options.given.add(part));
        let one = |(before, after)| equivalence::compare(before, after, &options, &AtomicU64::new(0));
        before.iter().zip(&after).map(one).collect()
    }
}

fn is_proven(verdict: &Verdict) -> bool {
    matches!(verdict, Verdict::Proven(..))
}

/// Numbers of changes.
#[derive(Debug, Default)]
struct Tally {
    changes: usize,
    /// Titles without names.
    kinds: std::collections::BTreeMap<String, usize>,
    proven: usize,
    undecided: usize,
    mirrored_twice: usize,
}

/// Returns `text` without zeros before its numbers.
fn without_zeros(text: &str) -> String {
    let mut new = String::new();
    for (at, character) in text.char_indices() {
        let before = text[..at].chars().next_back().is_some_and(|before| before.is_ascii_digit());
        let after = text[at + character.len_utf8()..].starts_with(|after: char| after.is_ascii_digit());
        if character != '0' || before || !after {
            new.push(character);
        }
    }
    new
}

/// The titles of changes that keep the level.
const KEEPING: [&str; 4] = ["Inline", "Extract", "Count from", "Write the arguments"];

/// Tries every change at some lines of a file.
fn try_changes(author: &mut Author, path: &Path, lines: usize, tally: &mut Tally) {
    let text = text(path);
    if text.contains("INCLUDE") || !author.write(&text).is_empty() {
        return;
    }
    let count = text.lines().count();
    let step = (count / lines.max(1)).max(1);
    for line in (0..count).step_by(step) {
        author.write(&text);
        // Each third time, some lines are selected.
        let last = if (line / step) % 3 == 2 { (line + 3).min(count - 1) } else { line };
        for (title, new) in author.changes(&text, line, last) {
            let place = format!("{}:{}: {title}", path.display(), line + 1);
            let errors = author.write(&new);
            assert!(errors.is_empty(), "{place}: {errors:?}\n{new}");
            tally.changes += 1;
            let kind = if title.starts_with("Inline") { "Inline" } else { &title };
            *tally.kinds.entry(kind.to_owned()).or_default() += 1;
            if KEEPING.iter().any(|keeping| title.starts_with(keeping)) {
                for verdict in author.compare(&text, &new, 4) {
                    assert!(!matches!(verdict, Verdict::Different(_)), "{place}: {verdict:#?}");
                    if is_proven(&verdict) { tally.proven += 1 } else { tally.undecided += 1 }
                }
            }
            if title.starts_with("Mirror") {
                let again = author.changes(&new, line, line);
                let (_, twice) = again.into_iter().find(|(known, _)| *known == title).unwrap();
                // Rows of unequal length become equally long, and numbers lose zeros before them.
                let trimmed = |text: &str| text.lines().map(|line| without_zeros(line.trim_end())).collect::<Vec<_>>();
                assert_eq!(trimmed(&twice), trimmed(&text), "{place}");
                tally.mirrored_twice += 1;
            }
        }
    }
}

/// The game whose levels are scripts.
const SCRIPTS: &str = "nethack-5.0.0";

const DIALECTS: [(&str, &str); 4] = [
    ("nethack343", "nethack-3.4.3"),
    ("sporkhack", "sporkhack-0.7.0"),
    ("unnethack", "unnethack-6.0.4"),
    ("nethack36", "nethack-3.6.7"),
];

#[test]
fn every_change_of_a_statement_leaves_a_level_that_compiles() {
    let mut tally = Tally::default();
    for (dialect, target) in DIALECTS {
        let mut author = Author::new(target);
        for path in reference::files(&splc_tests::corpus(dialect), ".des") {
            try_changes(&mut author, &path, 3, &mut tally);
        }
    }
    println!("{tally:#?}");
    assert!(tally.changes > 150 && tally.proven > 5 && tally.mirrored_twice > 2, "{tally:#?}");
}

#[test]
#[cfg_attr(not(reference), ignore = "no reference data: set SPLC_REFERENCE")]
fn changes_of_the_games_levels_compile() {
    let mut tally = Tally::default();
    for (_, target) in DIALECTS {
        let mut author = Author::new(target);
        let mut paths = Vec::new();
        super::files(&reference::game(target).join("des"), &mut paths);
        let every = if splc_tests::long() > Some(1) { 1 } else { 12 };
        for path in paths.iter().step_by(every) {
            try_changes(&mut author, path, 3, &mut tally);
        }
    }
    println!("{tally:#?}");
    assert!(tally.changes > 50, "{tally:#?}");
}

const CAMP: &str = "\
FUNCTION camp($orcs: int, $sign: string) {
  LOOP [$orcs] {
    MONSTER: 'o', random
  }
  $wide = 1d3
  ENGRAVING: random, dust, $sign
  GOLD: $wide * 10, random
}

LEVEL: \"yard\"
GEOMETRY: center, center
MAP
---------
|...}..T|
|.......|
---------
ENDMAP
camp(2d2, \"keep out\")
IF [50%] {
  TRAP: \"pit\", (3,1)
  $many = 3
  GOLD: $many, (2,2)
}
DRAWBRIDGE: (4,1), east, closed
STAIR: levregion(1,0,10,20), (0,0,8,3), up
TELEPORT_REGION: (1,1,3,2), (0,0,0,0), down
NON_DIGGABLE: (0,0,8,3)
";

#[test]
fn a_function_is_inlined_and_extracted_again() {
    let mut author = Author::new("unnethack-6.0.4");
    let inlined = author.change(CAMP, "camp(2d2", "Inline camp").unwrap();
    let call = "$orcs = 2d2\n$sign = \"keep out\"\nLOOP [$orcs] {\n  MONSTER: 'o', random\n}\n$wide = 1d3\n";
    assert!(inlined.contains(call) && !inlined.contains("\ncamp("), "{inlined}");
    assert!(author.compare(CAMP, &inlined, 100).iter().all(is_proven));
    author.write(&inlined);
    let lines: Vec<&str> = inlined.lines().collect();
    let line = |text: &str| lines.iter().rposition(|line| line.contains(text)).unwrap();
    let changes = author.changes(&inlined, line("LOOP"), line("GOLD: $wide"));
    let (_, extracted) = changes.into_iter().find(|(title, _)| title.starts_with("Extract")).unwrap();
    let head = "FUNCTION extracted($orcs: int, $sign: string) {\n  LOOP [$orcs] {\n    MONSTER";
    assert!(extracted.contains(head) && extracted.contains("\nextracted($orcs, $sign)\n"), "{extracted}");
    assert!(author.compare(CAMP, &extracted, 100).iter().all(is_proven));
    // A variable that is used later cannot be moved away.
    author.write(&inlined);
    let changes = author.changes(&inlined, line("$wide = 1d3"), line("ENGRAVING"));
    assert!(changes.iter().all(|(title, _)| !title.starts_with("Extract")), "{changes:?}");
}

#[test]
fn a_map_is_mirrored_with_all_its_places() {
    let mut author = Author::new("unnethack-6.0.4");
    let mirrored = author.change(CAMP, "|...}", "Mirror left and right").unwrap();
    for line in [
        "|T..}...|",
        "TRAP: \"pit\", (5,1)",
        "GOLD: $many, (6,2)",
        "DRAWBRIDGE: (4,1), west, closed",
        "STAIR: levregion(1,0,10,20), (0,0,8,3), up",
        "TELEPORT_REGION: (5,1,7,2), (0,0,0,0), down",
    ] {
        assert!(mirrored.lines().any(|known| known.trim() == line), "{line}\n{mirrored}");
    }
    assert_eq!(author.change(&mirrored, "|T..}", "Mirror left and right").as_deref(), Some(CAMP));
    let upside_down = author.change(CAMP, "|...}", "Mirror top and bottom").unwrap();
    assert!(upside_down.contains("TRAP: \"pit\", (3,2)") && upside_down.contains("(4,2), east"), "{upside_down}");
    assert_eq!(author.change(&upside_down, "|...}", "Mirror top and bottom").as_deref(), Some(CAMP));
    // A computed place cannot be mirrored.
    let computed = CAMP.replace("(3,1)", "coord(3, 1)");
    assert_eq!(author.change(&computed, "|...}", "Mirror left and right"), None);
}

#[test]
fn areas_are_counted_from_the_level_or_the_map() {
    let text = "LEVEL: \"yard\"\nGEOMETRY: center, center\nMAP\n-----\n|...|\n-----\nENDMAP\n\
        TELEPORT_REGION: (1,1,3,1), (0,0,0,0), down\nSTAIR: levregion(1,0,10,20), (0,0,4,2), up\n";
    let mut author = Author::new("unnethack-6.0.4");
    for at in ["TELEPORT_REGION", "STAIR"] {
        let of_level = author.change(text, at, "Count from the corner of the level").unwrap();
        assert_eq!(of_level.matches("levregion(").count(), 2, "{of_level}");
        let verdicts = author.compare(text, &of_level, 100);
        assert!(verdicts.iter().all(is_proven), "{verdicts:?}");
        // The proof sees a difference of one square.
        let (head, tail) = of_level.rsplit_once(at).unwrap();
        let moved = format!("{head}{at}{}", tail.replacen("(3", "(4", 1));
        assert!(moved == of_level || !author.compare(text, &moved, 100).iter().all(is_proven), "{moved}");
    }
    let of_level = author.change(text, "TELEPORT_REGION", "Count from the corner of the level").unwrap();
    let back = author.change(&of_level, "TELEPORT_REGION", "Count from the corner of the map");
    assert_eq!(back.as_deref(), Some(text));
}

#[test]
fn statements_move_by_a_square_within_their_map() {
    let mut author = Author::new("unnethack-6.0.4");
    let moved = author.change(CAMP, "TRAP", "Move right by one square").unwrap();
    assert_eq!(moved, CAMP.replace("(3,1)", "(4,1)"));
    assert_eq!(author.change(CAMP, "NON_DIGGABLE", "Move right by one square"), None);
    let all = author.change(CAMP, "IF [50%]", "Move down by one square");
    assert_eq!(all, Some(CAMP.replace("(3,1)", "(3,2)").replace("(2,2)", "(2,3)")));
}

#[test]
fn registers_become_arrays() {
    let mut author = Author::new("nethack-3.6.7");
    let old = "LEVEL: \"yard\"\nNOMAP\nRANDOM_PLACES:(1,1),(2,2)\nTRAP:\"pit\",place[0]\nTRAP:\"pit\",place[1]\n";
    assert!(!author.write(old).is_empty());
    let (title, new) = author.changes(old, 2, 2).remove(0);
    assert_eq!(title, "Turn the registers into a shuffled array");
    let text = "LEVEL: \"yard\"\nNOMAP\n$place = { (1,1),(2,2) }\nSHUFFLE: $place\nTRAP:\"pit\",$place[0]\nTRAP:\"pit\",$place[1]\n";
    assert_eq!(new, text);
    assert_eq!(author.write(&new), Vec::<Value>::new());
}

#[test]
fn missing_stairs_are_added() {
    let mut author = Author::new("nethack-3.4.3");
    let old = "MAZE:\"yard\",' '\nGEOMETRY:center,center\nMAP\n...\nENDMAP\nSTAIR:(0,0),up\n";
    assert_eq!(author.change(old, "MAZE", "Add a STAIR up"), None);
    let new = author.change(old, "MAZE", "Add a STAIR down").unwrap();
    assert_eq!(new, format!("{old}STAIR:random,down\n"));
    assert_eq!(author.write(&new), Vec::<Value>::new());
}

const COURT: &str = "\
des.level_init({ style = \"solidfill\", fg = \" \" })
des.level_flags(\"mazelevel\", \"noteleport\")
local drawing = [[
-------
|.....|
|.....+
-------]]
des.map({ halign = \"center\", valign = \"center\", map = drawing })
des.stair(\"up\", 1, 1)
des.monster(\"newt\", 2, 1)
des.monster(\"o\", { 3, 2 })
for i = 1, 3 do
  des.object(\"[\")
  des.trap(\"pit\", 4, 1)
end
des.region(selection.area(1, 1, 5, 2), \"lit\")
local count = d(3)
des.gold(count, 5, 2)
";

#[test]
fn statements_of_scripts_are_changed() {
    let mut author = Author::new(SCRIPTS);
    let mut changed = |at: &str, title: &str| author.change(COURT, at, title);
    let wrapped = changed("des.trap", "Wrap in if percent(50)").unwrap();
    let inner = "  if percent(50) then\n    des.trap(\"pit\", 4, 1)\n  end\nend\n";
    assert!(wrapped.contains(inner), "{wrapped}");
    assert_eq!(changed("local count", "Wrap in if percent(50)"), None);
    assert_eq!(changed("local drawing", "Wrap in if percent(50)"), None);
    for (at, title, old, new) in [
        ("des.trap", "Move left by one square", "4, 1", "3, 1"),
        ("\"o\"", "Move up by one square", "{ 3, 2 }", "{ 3, 1 }"),
        ("des.region", "Move right by one square", "(1, 1, 5, 2)", "(2, 1, 6, 2)"),
        ("for i", "Move down by one square", "4, 1", "4, 2"),
        ("des.stair", "Add a des.stair down", "5, 2)\n", "5, 2)\ndes.stair(\"down\")\n"),
        ("\"newt\"", "Write the arguments as keys", "(\"newt\", 2, 1)", "({ id = \"newt\", x = 2, y = 1 })"),
        ("\"o\"", "Write the arguments as keys", "(\"o\", { 3, 2 })", "({ class = \"o\", coord = { 3, 2 } })"),
        ("des.gold", "Write the arguments as keys", "(count, 5, 2)", "({ amount = count, x = 5, y = 2 })"),
    ] {
        assert_eq!(changed(at, title), Some(COURT.replace(old, new)), "{at}: {title}");
    }
    assert_eq!(changed("des.stair", "Add a des.stair up"), None);
    let line = |text: &str| COURT.lines().position(|line| line.contains(text)).unwrap();
    author.write(COURT);
    let changes = author.changes(COURT, line("des.stair"), line("\"o\""));
    let (_, extracted) = changes.iter().find(|(title, _)| title == "Extract into a function").unwrap();
    let function = "local function extracted()\n  des.stair(\"up\", 1, 1)\n  des.monster(\"newt\", 2, 1)\n  \
        des.monster(\"o\", { 3, 2 })\nend\nextracted()\nfor i";
    assert!(extracted.contains(function), "{extracted}");
    assert!(author.compare(COURT, extracted, 100).iter().all(is_proven));
    // A variable that is used later stays where it is.
    let changes = author.changes(COURT, line("des.region"), line("local count"));
    assert!(changes.iter().all(|(title, _)| !title.starts_with("Extract")), "{changes:?}");
}

#[test]
#[cfg_attr(not(reference), ignore = "no reference data: set SPLC_REFERENCE")]
fn changes_of_the_games_scripts_compile() {
    let mut tally = Tally::default();
    let mut author = Author::new(SCRIPTS);
    let paths = reference::files(&reference::game(SCRIPTS).join("lua"), ".lua");
    // These are not levels.
    let is_level = |path: &&std::path::PathBuf| {
        !["dungeon", "nhlib", "themerms"].iter().any(|name| path.ends_with(format!("{name}.lua")))
    };
    let every = if splc_tests::long() > Some(1) { 1 } else { 6 };
    for path in paths.iter().filter(is_level).step_by(every) {
        try_changes(&mut author, path, 6, &mut tally);
    }
    println!("{tally:#?}");
    assert!(tally.changes > 50 && tally.proven > 5, "{tally:#?}");
}

#[test]
fn a_level_file_of_a_dungeon_is_decompiled() {
    let folder = tempfile::tempdir().unwrap();
    let level = splc_tests::corpus("nethack36/golden/lp64le/annexe.lev");
    std::fs::copy(&level, folder.path().join("keep.lev")).unwrap();
    let uri = format!("file://{}/dungeon.def", folder.path().display());
    let mut client = Client::new(Catalog::by_name("nethack-3.6.7").map(Into::into), "utf-16", false);
    client.open(&uri, "DUNGEON: \"Dungeons\" \"D\" (5,0)\nLEVEL: \"keep\" \"none\" @ (2,0)\n");
    assert_eq!(client.diagnostics(&uri, 1), json!([]));
    let at = json!({ "line": 1, "character": 9 });
    let context = json!({ "diagnostics": [] });
    let parameters = json!({ "textDocument": { "uri": uri }, "range": { "start": at, "end": at }, "context": context });
    let actions = client.request("textDocument/codeAction", parameters).unwrap();
    let [action] = actions.as_array().unwrap().as_slice() else { panic!("{actions}") };
    assert_eq!(action["title"], "Decompile keep.lev into a new file");
    let arguments = action["command"]["arguments"].clone();
    let parameters = json!({ "command": action["command"]["command"], "arguments": arguments });
    let (made, edits) = client.request_with_edit("workspace/executeCommand", parameters);
    assert_eq!(made, "keep.des");
    let [created, written] = edits["edit"]["documentChanges"].as_array().unwrap().as_slice() else { panic!("{edits}") };
    assert_eq!((&created["kind"], created["uri"].as_str().unwrap().ends_with("/keep.des")), (&json!("create"), true));
    // The source gives the same level file again.
    let source = written["edits"][0]["newText"].as_str().unwrap().as_bytes().to_vec();
    let catalog = Catalog::by_name("nethack-3.6.7").unwrap();
    let compiled = splc_tests::compile(source, None, catalog);
    let bytes = compiled.levels(catalog, splc_ir::abi::Abi::by_name("lp64le").unwrap()).into_values().next();
    assert_eq!(bytes, Some(std::fs::read(level).unwrap()));
}
