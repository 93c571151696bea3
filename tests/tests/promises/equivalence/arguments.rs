//! The table of arguments: every operand, key and field is in it, and two levels that differ in one of them are never
//! proven the same unless the loader ignores it.

use std::collections::{BTreeMap, BTreeSet};

use splc_driver::games::Dialect;
use splc_driver::{Input, NoIncludes, Options, Wanted, load};
use splc_equivalence::Verdict;
use splc_ir::catalog::Catalog;
use splc_ir::diagnostic::Severity;
use splc_ir::parts::{self, Structure};
use splc_ir::program::{Opcode, Takes};
use splc_vm::Prepared;

use super::verdict;
use splc_tests::{cases, some_of};

const TABLE: &str = include_str!("arguments.txt");

const SEEDS: u64 = 120;

/// A line of the table.
struct Row<'t> {
    form: &'t str,
    argument: &'t str,
    loader: &'t str,
    facts: &'t str,
    levels: &'t str,
}

fn rows() -> Vec<Row<'static>> {
    let mut form = "";
    let mut rows = Vec::new();
    for line in TABLE.lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
        if let Some(name) = line.strip_prefix('[') {
            form = name.trim_end_matches(']');
            continue;
        }
        let cells: Vec<&str> = line.splitn(6, " | ").map(str::trim).collect();
        let [argument, loader, kept, facts, finding, levels] = cells[..] else { panic!("{line}") };
        assert!(![argument, loader, kept, facts, finding, levels].contains(&""), "{line}");
        rows.push(Row { form, argument, loader, facts, levels });
    }
    rows
}

/// Names of the values that an opcode takes.
fn parameters(takes: &[Takes], found: &mut BTreeSet<&'static str>) {
    for take in takes {
        match take {
            Takes::One(parameter) => {
                found.insert(parameter.name);
            }
            Takes::Repeat(takes) => parameters(takes, found),
            Takes::Choice { cases, .. } => cases.iter().for_each(|(_, takes)| parameters(takes, found)),
            Takes::ByGame(_, with, without) => {
                parameters(with, found);
                parameters(without, found);
            }
            Takes::Parts(parts) => parts.details.iter().for_each(|(_, takes)| parameters(takes, found)),
            Takes::Arguments => {}
        }
    }
}

fn fields<S: Structure>(found: &mut BTreeSet<String>) {
    found.extend(S::FIELDS.iter().map(|(field, _)| format!("{}.{field}", S::NAME)));
}

/// Every argument of a form.
fn arguments(form: &str) -> BTreeSet<String> {
    let mut all = BTreeSet::new();
    match form {
        "script" => {
            for opcode in Opcode::ALL {
                let mut names = BTreeSet::new();
                parameters(opcode.signature().takes, &mut names);
                all.extend(names.into_iter().map(|name| format!("{}.{name}", opcode.as_str())));
            }
        }
        "lua" => {
            let catalog = Catalog::by_name("nethack-5.0.0").unwrap();
            for library in ["des", "nh", "obj"] {
                for function in splc_lua::libraries::library(library).unwrap().functions {
                    let of = format!("{library}.{}", function.name);
                    all.extend(function.keys(catalog).map(|key| format!("{of}.{}", key.name)));
                    if library == "des" && !function.takes_keys() {
                        all.insert(format!("{of}()"));
                    }
                }
            }
        }
        _ => {
            fields::<parts::Init>(&mut all);
            fields::<parts::Door>(&mut all);
            fields::<parts::RoomDoor>(&mut all);
            fields::<parts::Trap>(&mut all);
            fields::<parts::Monster>(&mut all);
            fields::<parts::Object>(&mut all);
            fields::<parts::Altar>(&mut all);
            fields::<parts::Drawbridge>(&mut all);
            fields::<parts::Walk>(&mut all);
            fields::<parts::Protected>(&mut all);
            fields::<parts::Ladder>(&mut all);
            fields::<parts::Stair>(&mut all);
            fields::<parts::Region>(&mut all);
            fields::<parts::LevelRegion>(&mut all);
            fields::<parts::Gold>(&mut all);
            fields::<parts::Engraving>(&mut all);
            fields::<parts::Feature>(&mut all);
            fields::<parts::Corridor>(&mut all);
            fields::<parts::RoomHeader>(&mut all);
        }
    }
    all
}

#[test]
fn every_argument_is_in_the_table() {
    let rows = rows();
    for form in ["script", "lua", "parts"] {
        let known: BTreeSet<&str> = rows.iter().filter(|row| row.form == form).map(|row| row.argument).collect();
        let missing: Vec<String> =
            arguments(form).into_iter().filter(|argument| !known.contains(argument.as_str())).collect();
        assert!(missing.is_empty(), "{form} lacks {missing:?}");
        assert_eq!(known.len(), rows.iter().filter(|row| row.form == form).count(), "{form} has a line twice");
    }
}

const MAP: &str = "MAP\n-----------\n|.........|\n|.........|\n|.........|\n-----------\nENDMAP\n";
const MOATS: &str = "..|}|}|....\n..|}|}|....\n..|}|}|....\n..|}|}|....";
const BARE: &str = "...........\n...........\n...........";

/// Returns the text of a level of the table.
fn text(form: &str, level: &str) -> String {
    let level = level.replace("\\n", "\n").replace("\\|", "|");
    let level = level.strip_prefix(OTHER_SCRIPT).unwrap_or(&level).to_owned();
    let (head, body) = match level.strip_prefix('$').filter(|short| short[1..].starts_with('{')) {
        Some(short) => (short.chars().next(), &short[2..short.len() - 1]),
        None => (None, level.as_str()),
    };
    match (form, head) {
        ("script", _) => match body.strip_prefix('!') {
            Some(body) => format!("LEVEL: \"x\"\nFLAGS: noflip\n{body}\n"),
            None => format!("LEVEL: \"x\"\nFLAGS: noflip\nGEOMETRY: center,center\n{MAP}{body}\n"),
        },
        ("lua", Some('R')) => format!(
            "des.level_flags(\"noflip\")\ndes.room({{ x = 2, y = 2, xalign = \"center\", yalign = \"center\", w = 5, h = 3, \
             lit = 1, {body} }})\n"
        ),
        ("lua", Some('C')) => {
            let room = |x: i32, y: i32| {
                format!(
                    "des.room({{ x = {x}, y = {y}, xalign = \"center\", yalign = \"center\", w = 5, h = 3, lit = 1, contents \
                     = function() des.door({{ state = \"open\", wall = \"south\", pos = 1 }}) end }})\n"
                )
            };
            let rooms = room(1, 1) + &room(3, 2) + &room(5, 4);
            format!("des.level_flags(\"noflip\")\n{rooms}des.corridor({{ {body} }})\n")
        }
        ("lua", _) => {
            let own = "des.level_init({ style = \"solidfill\", fg = \" \" })\n";
            let map = MAP.trim_start_matches("MAP\n").trim_end_matches("\nENDMAP\n");
            match body.strip_prefix('!') {
                Some(body) => format!("des.level_flags(\"noflip\")\n{body}\n"),
                None => format!("{own}des.level_flags(\"mazelevel\", \"noflip\")\ndes.map([[\n{map}\n]])\n{body}\n"),
            }
        }
        (_, Some('R')) => format!(
            "LEVEL:\"x\"\nROOM:\"ordinary\",lit,(2,2),(center,center),(5,3)\n{body}\nROOM:\"ordinary\",lit,(4,4),(center,\
             center),(5,3)\nRANDOM_CORRIDORS\n"
        ),
        (_, Some('C')) => format!(
            "LEVEL:\"x\"\nROOM:\"ordinary\",lit,(2,2),(center,center),(5,3)\nDOOR:false,open,south,1\nROOM:\"ordinary\",\
             lit,(4,4),(center,center),(5,3)\nDOOR:false,open,north,1\n{body}\n"
        ),
        (_, Some('D')) => format!("MAZE:\"x\",' '\nGEOMETRY:center,center\nMAP\n{MOATS}\nENDMAP\n{body}\n"),
        (_, Some('+')) => {
            let doors = MAP.replace("|.........|", "+.........+");
            format!("MAZE:\"x\",' '\nGEOMETRY:center,center\n{doors}{body}\n")
        }
        (_, Some(_)) => format!("MAZE:\"x\",random\nGEOMETRY:center,center\nMAP\n{BARE}\nENDMAP\n{body}\n"),
        (_, None) => match body.strip_prefix('!') {
            Some(body) => format!("{body}\n"),
            None => format!("MAZE:\"x\",' '\nGEOMETRY:center,center\n{MAP}{body}\n"),
        },
    }
}

/// Marks a level for NetHack 3.6, whose compiler heeds arguments that the compiler of UnNetHack does not.
const OTHER_SCRIPT: &str = "@36 ";

/// The dialects of a pair of levels of the table. Scripts are written for the first one, and tried in the others if
/// they can be read there.
fn dialects(form: &str, levels: &str) -> &'static [&'static str] {
    match form {
        "script" if levels.starts_with(OTHER_SCRIPT) => &["nethack36"],
        "script" => &["unnethack", "nethack36", "sporkhack"],
        "parts" => &["nethack343"],
        _ => &[""],
    }
}

pub fn prepare(form: &str, dialect: &str, level: &str) -> Result<Prepared, String> {
    let mut text = text(form, level);
    if dialect == "nethack36" {
        text = text.replace("FLAGS: noflip\n", "");
    }
    let name = if form == "lua" { "x.lua" } else { "x.des" };
    let dialect = Dialect::by_name(dialect);
    let options = Options { wanted: Wanted { dialect, ..Wanted::default() }, ..Options::default() };
    let mut loaded = load(Input::new(name, text.as_str()), &options, &mut NoIncludes).unwrap();
    match loaded.diagnostics.iter().find(|known| known.severity == Severity::Error) {
        Some(error) => Err(format!("{}\n{text}", error.message)),
        None => Ok(loaded.levels.remove(0).program),
    }
}

/// A level with an argument and one without it are proven the same only if the loader ignores it.
#[test]
fn every_argument_counts() {
    let rows = rows();
    let levels: BTreeMap<(&str, &str), &str> = rows.iter().map(|row| ((row.form, row.argument), row.levels)).collect();
    let (mut tried, mut wrong) = (0, Vec::new());
    for Row { form, argument, loader, facts, levels: pair } in some_of(rows.iter().collect()) {
        if let Some(other) = pair.strip_prefix("= ") {
            assert!(levels.contains_key(&(*form, other)), "{form} {argument}: {other} is not in the table");
            continue;
        }
        let (one, two) = pair.split_once(" => ").unwrap_or_else(|| panic!("{argument}: {pair}"));
        for (at, dialect) in dialects(form, pair).iter().enumerate() {
            let (one, two) = match [one, two].map(|level| prepare(form, dialect, level)) {
                [Ok(one), Ok(two)] => (one, two),
                // Other games lack some words.
                _ if at > 0 => continue,
                [Err(error), _] | [_, Err(error)] => {
                    wrong.push(format!("{form} {argument}: {error}"));
                    continue;
                }
            };
            let verdict = verdict(&one, &two, SEEDS);
            tried += 1;
            let is_proven = matches!(verdict, Verdict::Proven(..));
            if is_proven != (*facts == "ignored") {
                wrong.push(format!("{form} {dialect} {argument} ({loader}): {verdict:?}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{} of {tried}:\n{}", wrong.len(), wrong.join("\n"));
    assert!(tried > cases(550), "{tried}");
}
