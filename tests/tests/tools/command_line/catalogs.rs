//! `--catalog`: games that are not built in.

use std::fmt::Write as _;

use super::{FINE, INPUT_ERRORS, Place, TROUBLE};

/// A made-up variant with one more of everything than its parent, which shifts the following numbers.
const VARIANT: &str = r#"
extends = "unnethack-6.0.4"
name = "madeup-1.0"
title = "Made Up 1.0"
add_monsters = [{ name = "grid bug king", class = "x", after = "grid bug", habits = "fly" }]
add_objects = [{ name = "spoon", class = ")", after = "arrow" }]
add_traps = [{ name = "banana", after = "arrow", shift = true }]
add_rooms = [{ name = "kitchen", after = "throne", shift = true }]
add_level_types = [{ name = "carpet", after = "room" }]
add_terrain = [{ character = "~", type = "carpet" }]
add_keywords = []

[words.flag]
noteleport = 8388608

[header_parts]
incarnation = "0x01000000"
"#;

/// A level with a new name of each type, and a shifted one.
const LEVEL: &str = r#"LEVEL: "x"
FLAGS: noteleport
MONSTER: ('x', "grid bug king"), (1,1)
MONSTER: ('x', "xan"), (1,1)
OBJECT: (')', "spoon"), (1,1)
OBJECT: (')', "elven arrow"), (1,1)
TRAP: "banana", (1,1)
TRAP: "dart", (1,1)
REGION: (0,0,5,5), lit, "kitchen"
REGION: (0,0,5,5), lit, "swamp"
TERRAIN: (1,1), '~'
TERRAIN: (1,1), 'A'
"#;

fn place() -> Place {
    let place = Place::new();
    place.write("madeup.toml", VARIANT);
    place.write("x.des", LEVEL);
    place
}

/// Returns the numbers that a level file for x86-64 pushes, in order.
fn pushed(bytes: &[u8]) -> Vec<i64> {
    let long = |at: usize| i64::from_le_bytes(bytes[at..at + 8].try_into().unwrap());
    let int = |at: usize| i32::from_le_bytes(bytes[at..at + 4].try_into().unwrap());
    let mut at = 4 * 8 + 8;
    let mut numbers = Vec::new();
    for _ in 0..long(4 * 8) {
        let opcode = int(at);
        at += 4;
        // The push opcode.
        if opcode == 41 {
            let tag = bytes[at];
            at += 1;
            match tag {
                0 => {}
                2 | 3 => at += 4 + int(at) as usize,
                _ => {
                    numbers.push(long(at));
                    at += 8;
                }
            }
        }
    }
    assert_eq!(at, bytes.len());
    numbers
}

#[test]
fn every_name_and_number_of_a_made_up_variant_is_in_the_bytes() {
    let place = place();
    place.splc(&["--catalog", "madeup.toml", "x.des"]).is_fine();
    let bytes = place.read("x.lev");
    assert_eq!(bytes[..8], 0x0100_0000_u64.to_le_bytes());
    let numbers = pushed(&bytes);
    let parent = splc_ir::catalog::Catalog::by_name("unnethack-6.0.4").unwrap();
    let monster = |name: &str| i64::from(parent.monster(name, None).unwrap().0);
    let object = |name: &str| i64::from(parent.object(name, None).unwrap().0);
    let packed = |number: i64, class: char| (number << 8) + class as i64;
    for (what, number) in [
        ("flag", 8_388_608),
        ("new monster", packed(monster("grid bug") + 1, 'x')),
        ("monster behind it", packed(monster("xan") + 1, 'x')),
        ("new object", packed(object("arrow") + 1, ')')),
        ("object behind it", packed(object("elven arrow") + 1, ')')),
        ("new trap", i64::from(parent.trap("arrow").unwrap()) + 1),
        ("trap behind it", i64::from(parent.trap("dart").unwrap()) + 1),
        ("new room type", i64::from(parent.room("throne").unwrap()) + 1),
        ("room type behind it", i64::from(parent.room("swamp").unwrap()) + 1),
    ] {
        assert!(numbers.contains(&number), "{what}: {number} in {numbers:?}");
    }
    // Terrain is packed below its light.
    for (what, terrain) in [
        ("new terrain", parent.level_type("room").unwrap() + 1),
        ("terrain behind it", parent.terrain('A').unwrap() + 1),
    ] {
        assert!(numbers.iter().any(|number| number & 0xff == i64::from(terrain) && number >> 8 == -2), "{what}");
    }
    // Its level files are recognised by their header, and read back with the new names.
    let listing = place.splc(&["--catalog", "madeup.toml", "--emit", "asm", "-o", "-", "x.lev"]).is_fine().out();
    for name in ["grid bug king", "spoon", "banana", "kitchen", "Made Up 1.0"] {
        assert!(listing.contains(name), "{name}: {listing}");
    }
}

#[test]
fn every_command_takes_catalogs() {
    let place = place();
    place.splc(&["check", "--catalog", "madeup.toml", "x.des"]).is_fine();
    place.splc(&["fix", "--catalog", "madeup.toml", "x.des"]).is_fine();
    let targets = place.splc(&["targets", "--catalog", "madeup.toml"]).is_fine().out();
    assert!(targets.contains("madeup-1.0") && targets.contains("Made Up 1.0"), "{targets}");
    let made = place.splc(&["run", "--catalog", "madeup.toml", "--json", "x.des"]).out();
    assert!(made.contains("madeup-1.0") || made.is_empty(), "{made}");
    place.splc(&["--catalog", "madeup.toml", "--target", "madeup-1.0", "x.des"]).is_fine();
    place.splc(&["--catalog", "madeup.toml", "--dialect", "unnethack", "x.des"]).is_fine();
    // A named target takes precedence over a catalog, and does not have its additions.
    let refused = place.splc(&["--catalog", "madeup.toml", "--target", "unnethack-6.0.4", "x.des"]).ends(1);
    assert!(
        refused.err.clone().contains("UnNetHack 6.0.4 has no monster \"grid bug king\""),
        "{}",
        refused.err.clone()
    );
    let unknown = place.splc(&["--catalog", "madeup.toml", "--target", "madeup-1.1", "x.des"]).ends(2).err.clone();
    assert!(unknown.contains("did you mean \"madeup-1.0\"?"), "{unknown}");
}

/// A variant with terrain, a monster and colours of its own.
const CARPETS: &str = r##"
extends = "unnethack-6.0.4"
name = "carpets-1"
title = "Carpets 1"
add_monsters = [{ name = "carpet beetle", class = "a", after = "giant beetle", color = "orange" }]
add_level_types = [{ name = "carpet", after = "room" }, { name = "hedge", after = "tree" }]
add_terrain = [{ character = "~", type = "carpet" }, { character = "^", type = "hedge" }]

[looks]
carpet = [",", "magenta", "carpet", "room"]
hedge = ["#", "bright_green", "hedge", "tree"]
ice = [".", "white", "thin ice"]

[monster_colors]
white = ["jackal"]

[object_colors]
red = ["teleportation@?"]

[trap_colors]
yellow = ["arrow"]
"##;

#[test]
fn a_variant_declares_terrain_and_colors_in_its_catalog() {
    use splc_ir::catalog::{Catalogs, Color, NothingBeside};
    let place = Place::new();
    place.write("carpets.toml", CARPETS);
    let map = "-----\n|.~^|\n|II.|\n-----\n";
    let monster = "MONSTER: ('a', \"carpet beetle\"), (2,1)\n";
    place.write("x.des", format!("LEVEL: \"x\"\nGEOMETRY: center, center\nMAP\n{map}ENDMAP\n{monster}"));
    let run = place.splc(&["run", "--catalog", "carpets.toml", "--seed", "1", "--json", "x.des"]).is_fine();
    let said = String::from_utf8_lossy(&run.out).into_owned();
    for text in ["\"carpet\"", "\"thin ice\"", "carpet beetle"] {
        assert!(said.contains(text), "{text}: {said}");
    }
    // The beetle is on the carpet; a hedge is treated and drawn like a tree.
    assert!(said.contains("|.a#|") && said.contains("|...|"), "{said}");
    let mut sources = splc_ir::source::SourceMap::new();
    let mut diagnostics = splc_ir::diagnostic::Diagnostics::new();
    let mut load = |text: &str| {
        let file = sources.add("x.toml", None, text.as_bytes().to_vec());
        Catalogs::default().load(&mut sources, file, &mut NothingBeside, &mut diagnostics).expect("a catalog")
    };
    let catalog = load(CARPETS);
    // What the catalog writes is what it reads.
    let parent = splc_ir::catalog::Catalog::by_name("unnethack-6.0.4").unwrap();
    for again in [load(&catalog.write(None, &|_| None)), load(&catalog.write(Some(parent), &|_| None))] {
        for catalog in [&catalog, &again] {
            let monster = |name: &str| catalog.monsters[catalog.monster(name, None).unwrap().0 as usize].color;
            let object =
                |class| catalog.objects[catalog.object("teleportation", Some(class)).unwrap().0 as usize].color;
            assert_eq!(monster("carpet beetle"), Some(Color::Orange));
            assert_eq!((monster("jackal"), monster("fox")), (Some(Color::White), Some(Color::Red)));
            assert_eq!((object('?'), object('=')), (Some(Color::Red), Some(Color::Gray)));
            assert_eq!(catalog.trap_color("arrow"), Some(Color::Yellow));
            assert_eq!(catalog.trap_color("dart"), Some(Color::Cyan));
            assert_eq!(catalog.look("carpet").map(|look| (look.symbol, look.color)), Some((',', Color::Magenta)));
            assert_eq!(catalog.look("room").map(|look| &*look.name), Some("floor"));
        }
    }
}

/// Returns the table of all keys in `docs/reference/catalogs.md`, generated from the declarations of the fields.
fn table_of_keys() -> String {
    let mut table = String::from("| key | meaning |\n| --- | --- |\n");
    for (key, doc) in splc_ir::catalog::Catalog::keys() {
        // Links in the doc comments have no target here.
        let doc = doc.split_whitespace().collect::<Vec<_>>().join(" ").replace('|', "\\|");
        let doc = doc.replace("[`", "`").replace("`]", "`");
        let _ = writeln!(table, "| `{key}` | {doc} |");
    }
    table
}

#[test]
fn the_page_lists_every_key() {
    let page = std::fs::read_to_string(splc_tests::workspace().join("docs/reference/catalogs.md")).unwrap();
    let table = table_of_keys();
    assert!(page.contains(&table), "docs/reference/catalogs.md should have:\n\n{table}");
}

#[test]
fn catalogs_extend_other_catalogs() {
    let place = place();
    place.write(
        "child.toml",
        "extends = 'madeup'\nname = 'child'\ntitle = 'Child'\nremove_monsters = ['grid bug king']",
    );
    // The parent is found next to the child, or was given before it.
    place.write("folder/grandchild.toml", "extends = '../child.toml'\nname = 'grandchild'\ntitle = 'Grandchild'");
    for arguments in [&["child.toml"][..], &["folder/grandchild.toml"], &["madeup.toml", "--catalog", "child.toml"]] {
        let mut all = vec!["check", "--catalog"];
        all.extend(arguments);
        all.push("x.des");
        let reported = place.splc(&all).ends(1).err.clone();
        assert!(reported.contains("has no monster \"grid bug king\" of class 'x'"), "{arguments:?}: {reported}");
        assert!(!reported.contains("spoon"), "{arguments:?}: {reported}");
    }
}

#[test]
fn all_mistakes_in_a_catalog_are_reported_with_their_places() {
    let place = place();
    let head = "extends = 'unnethack-6.0.4'\nname = 'y'\ntitle = 'Y'\n";
    for (text, messages) in [
        ("x = [", &["x.toml:4:", "unclosed array"][..]),
        (
            "add_monster = []",
            &["x.toml:4:1: error[E0702]: unknown key `add_monster` in a catalog; did you mean `add_monsters`?"],
        ),
        (
            "add_features = ['functons']\nlimits.rows = -1\nremove_traps = ['banana']",
            &[
                "x.toml:4:17: error[E0702]: unknown feature \"functons\"; did you mean `functions`?",
                "x.toml:5:15: error[E0702]: `limits.rows` is -1, which is out of range; use a number from 0 to 21",
                "x.toml:6:17: error[E0702]: unknown trap \"banana\"",
            ],
        ),
        ("add_opcodes = [{ name = 'fly' }]", &["unknown opcode \"fly\""]),
        ("add_monsters = [{ name = 'a', class = '%' }]", &["no class of monsters has the symbol"]),
        (
            "add_monsters = [{ name = 'a', class = 'x' }, { name = 'a', class = 'x', after = 'jackel' }]",
            &["unknown monster \"jackel\"; did you mean `jackal`?"],
        ),
        ("add_traps = [{ name = 'a', number = 1 }]", &["\"arrow\" and \"a\" are both trap number 1"]),
        (
            "add_rooms = [{ name = 'a', number = 200 }]",
            &["room type \"a\" has number 200, which does not fit in its byte"],
        ),
        ("remove_objects = ['teleportation']", &["there are 3 objects \"teleportation\"; add the class"]),
        ("remove_objects = ['pick-axe']", &["unknown object \"pick-axe\" in `escape_items`"]),
        ("words.flag = { a = 1 }", &["are both flag number 1"]),
        ("max_terrain = 3", &["`max_terrain` is 3, but there are only 40 types of squares"]),
    ] {
        place.write("x.toml", format!("{head}{text}\n"));
        let arguments = ["check", "--catalog", "x.toml", "x.des", "--message-format"];
        let say = |format: &str| place.splc(&[&arguments[..], &[format]].concat()).ends(1).err;
        // The short form shows the places, the others how to fix it.
        let reported = say("short") + &say("human");
        for message in messages.iter().flat_map(|message| message.split("; ")) {
            assert!(reported.contains(message), "{text}: {message} is not in {reported}");
        }
    }
    place.write("x.toml", "extends = 'unnethack-6.0.5'\nname = 'y'\ntitle = 'Y'\n");
    let reported = place.splc(&["check", "--catalog", "x.toml", "x.des"]).ends(1).err.clone();
    assert!(reported.contains("unknown parent catalog \"unnethack-6.0.5\""), "{reported}");
    assert!(reported.contains("did you mean \"unnethack-6.0.15\", \"unnethack-6.0.4\" or"), "{reported}");
    place.write("a.toml", "extends = 'b'\nname = 'a'\ntitle = 'A'\n");
    place.write("b.toml", "extends = 'a'\nname = 'b'\ntitle = 'B'\n");
    let reported = place.splc(&["check", "--catalog", "a.toml", "x.des"]).ends(1).err.clone();
    assert!(reported.contains("the catalog \"a\" extends itself"), "{reported}");
    place.write("c.toml", "extends = 'c.toml'\n");
    place.splc(&["check", "--catalog", "c.toml", "x.des"]).ends(1);
    place.splc(&["check", "--catalog", "none.toml", "x.des"]).ends(2);
}

#[test]
fn hostile_catalogs_are_rejected() {
    let place = place();
    let head = "extends = 'unnethack-6.0.4'\nname = 'y'\ntitle = 'Y'\n";
    let mut many = format!("{head}add_monsters = [");
    for number in 0..30_000 {
        let _ = write!(many, "{{name='m{number}',class='x',before='giant ant'}},");
    }
    many.push(']');
    let mut shifts = format!("{head}add_traps = [");
    for number in 0..30_000 {
        let _ = write!(shifts, "{{name='t{number}',number=0,shift=true}},");
    }
    shifts.push(']');
    for text in [
        many,
        shifts,
        format!("{head}add_keywords = {}", "[".repeat(100_000)),
        format!("{head}{}", "a.".repeat(100_000)),
        format!("{head}title = '\u{1b}[2J'"),
        format!("{head}[words]\nflag = {{ {} = 1 }}", "x".repeat(100_000)),
        "\0".repeat(1000),
        String::from_utf8_lossy(&[0xff; 1000]).into_owned(),
        "x".repeat(5 << 20),
    ] {
        place.write("x.toml", &text);
        let run = place.splc(&["check", "--catalog", "x.toml", "x.des"]);
        assert!(!run.err.clone().contains("panicked") && !run.err.clone().contains('\u{1b}'), "{}", run.err.clone());
    }
}

/// Writes the minimal files of a source tree for an import.
fn tree(place: &Place) {
    for (path, text) in [
        (
            "tree/src/monst.c",
            "struct permonst { const char *mname; char mlet; };\nstruct permonst mons[] = { { \"imp\", 1 }, { \"\", 0 } };\n",
        ),
        ("tree/src/objects.c", ""),
        ("tree/src/drawing.c", "const char def_monsyms[2] = { 0, 'i' };\n"),
        ("tree/util/lev_main.c", ""),
        ("tree/include/rm.h", ""),
    ] {
        place.write(path, text);
    }
}

#[test]
fn every_catalog_that_is_shown_is_valid() {
    let place = Place::new();
    for catalog in splc_ir::catalog::ALL {
        let shown = place.splc(&["catalog", "show", &catalog.name]);
        assert_eq!(shown.status, FINE, "{}: {}", catalog.name, shown.err);
        place.write("shown.toml", shown.out);
        let run = place.splc(&["catalog", "validate", "shown.toml"]);
        assert_eq!(run.status, FINE, "{}: {}", catalog.name, run.err);
    }
}

#[test]
fn an_imported_catalog_can_be_used() {
    let place = Place::new();
    tree(&place);
    let run = place.splc(&["catalog", "import", "tree", "-o", "imps-1.toml", "--title", "Imps 1"]);
    assert_eq!(run.status, FINE, "{}", run.err);
    let said = String::from_utf8(run.out).unwrap();
    assert!(said.contains("imps-1.toml: extends nethack-3.4.3") && said.contains("src/monst.c:2"), "{said}");
    let run = place.splc(&["catalog", "validate", "imps-1.toml"]);
    assert_eq!(run.status, FINE, "{}", run.err);
    assert_eq!(String::from_utf8(run.out).unwrap(), "imps-1: Imps 1 is valid\n");
    let run = place.splc(&["catalog", "show", "--catalog", "imps-1.toml"]);
    let shown = String::from_utf8(run.out).unwrap();
    assert!(shown.contains("monsters = [\n    [\"imp\", \"i\", \"\"],\n]\n"), "{shown}");
    // The output of `show` is a standalone catalog.
    place.write("shown.toml", shown.replace("\"imps-1\"", "\"imps-2\""));
    let run =
        place.splc(&["catalog", "diff", "imps-1", "imps-2", "--catalog", "imps-1.toml", "--catalog", "shown.toml"]);
    assert_eq!(run.status, FINE, "{}", run.err);
    assert_eq!(run.out, b"--- imps-1\n+++ imps-2\n");
    let run = place.splc(&["catalog", "diff", "nethack-3.4.3", "imps-1", "--catalog", "imps-1.toml"]);
    let said = String::from_utf8(run.out).unwrap();
    assert!(said.contains("\nmonsters\n  - ") && said.contains("jackal@d,"), "{said}");
}

#[test]
fn an_import_reads_only_the_tree_and_writes_only_the_catalog() {
    let place = Place::new();
    let run = place.splc(&["catalog", "import", "nowhere", "-o", "x.toml"]);
    assert_eq!(run.status, TROUBLE, "{}", run.err);
    place.write("empty/README", "nothing");
    let run = place.splc(&["catalog", "import", "empty", "-o", "x.toml"]);
    assert_eq!(run.status, INPUT_ERRORS);
    assert!(run.err.contains("not the source tree of a NetHack variant"), "{}", run.err);
    tree(&place);
    place.write("secret.c", "struct permonst mons[] = { };");
    #[cfg(unix)]
    {
        std::fs::remove_file(place.path("tree/src/monst.c")).unwrap();
        std::os::unix::fs::symlink(place.path("secret.c"), place.path("tree/src/monst.c")).unwrap();
        let run = place.splc(&["catalog", "import", "tree", "-o", "x.toml"]);
        assert_eq!(run.status, INPUT_ERRORS);
        assert!(run.err.contains("src/monst.c: a link leads out of the tree"), "{}", run.err);
    }
    assert!(!place.path("x.toml").exists());
}

/// A variant of NetHack 5 with its own level flag and its own state of doors.
const LUA_WORDS: &str = r#"
extends = "nethack-5.0.0"
name = "windy-1"
title = "Windy 1"

[words.flag]
windy = 33554432

[words.door_state]
rusty = 64
"#;

#[test]
fn words_of_a_variant_can_be_used_in_lua() {
    let place = Place::new();
    let level = "des.level_flags(\"noteleport\", \"Windy\")\ndes.map([[...]])\ndes.door(\"rusty\", 1, 0)\n";
    place.write("windy.toml", LUA_WORDS).write("x.lua", level);
    for command in ["check", "run"] {
        let run = place.splc(&[command, "--catalog", "windy.toml", "--target", "windy-1", "x.lua"]);
        assert_eq!(run.status, FINE, "{}", run.err);
        assert!(!run.err.contains("indy") && !run.err.contains("rusty"), "{}", run.err);
        let run = place.splc(&[command, "--target", "nethack-5.0.0", "x.lua"]);
        assert!(run.err.contains("Windy"), "{}", run.err);
    }
    place.write("y.lua", "des.level_flags(\"windi\")\n");
    let run = place.splc(&["check", "--catalog", "windy.toml", "--target", "windy-1", "y.lua"]);
    assert!(run.err.contains("windy"), "{}", run.err);
}

/// A variant with a statement, a level flag and a detail that no built-in game has.
const OWN_WORDS: &str = r#"
extends = "nethack-3.6.7"
name = "forges-1"
title = "Forges 1"
add_opcodes = [{ name = "place_1", after = "pool" }]
place_statements = ["FORGE"]
add_level_types = [{ name = "forge", after = "fountain" }]
add_monster_parts = [{ name = "dead", after = "seentraps", shift = true }]
add_object_parts = [{ name = "gem", after = "coord", shift = true }]

[words.flag]
windy = 8192
"#;

const OWN_LEVEL: &str = r#"LEVEL: "x"
FLAGS: noteleport, windy
ROOM: "ordinary", lit, (3,3), (center,center), (9,5) {
  FORGE: (2,2)
  [50%]: FORGE: rect (1,1,3,3)
  MONSTER: ('d',"jackal"), (1,1), dead, asleep
  OBJECT: ('(',"chest"), (4,4), gem: 3
}
"#;

#[test]
fn keywords_of_a_variant_can_be_used() {
    let place = Place::new();
    place.write("forges.toml", OWN_WORDS).write("x.des", OWN_LEVEL);
    let run = place.splc(&["--catalog", "forges.toml", "--emit", "asm", "-o", "-", "x.des"]);
    assert_eq!(run.status, FINE, "{}", run.err);
    let listing = String::from_utf8(run.out).unwrap();
    assert_eq!(listing.matches(" place_1").count(), 2, "{listing}");
    for part in ["dead", "gem"] {
        assert!(listing.contains(part), "{part}: {listing}");
    }
    assert_eq!(place.splc(&["--catalog", "forges.toml", "x.des"]).status, FINE);
    let bytes = std::fs::read(place.path("x.lev")).unwrap();
    assert!(bytes.windows(8).any(|window| window == (8192_i64 | 1).to_le_bytes()), "the flags are both there");
    let run = place.splc(&["run", "--catalog", "forges.toml", "--json", "x.des"]);
    assert_eq!(run.status, FINE, "{}", run.err);
    let made = String::from_utf8(run.out).unwrap();
    assert!(made.contains("forge"), "{made}");
    assert!(run.err.contains("FORGE creates terrain of its name"), "{}", run.err);
    // Its parent has none of these keywords, and does not mistake them for anything else.
    let run = place.splc(&["--target", "nethack-3.6.7", "x.des"]);
    assert_eq!(run.status, INPUT_ERRORS);
    assert!(run.err.contains("FORGE") && run.err.contains("windy"), "{}", run.err);
    // Decompiling and printing bring them back.
    let run = place.splc(&["--catalog", "forges.toml", "--emit", "json", "-o", "-", "x.des"]);
    assert_eq!(run.status, FINE, "{}", run.err);
    place.write("y.json", run.out);
    let run = place.splc(&["--catalog", "forges.toml", "-o", "y.lev", "y.json"]);
    assert_eq!(run.status, FINE, "{}", run.err);
    assert_eq!(std::fs::read(place.path("y.lev")).unwrap(), bytes);
}

#[test]
fn a_statement_needs_its_opcode() {
    let place = Place::new();
    place.write("x.toml", OWN_WORDS.replace("[\"FORGE\"]", "[\"FORGE\", \"VENT\", \"A B\"]"));
    let run = place.splc(&["catalog", "validate", "x.toml"]);
    assert_eq!(run.status, INPUT_ERRORS);
    for part in ["VENT needs the opcode \"place_2\"", "\"A B\" cannot begin a statement"] {
        assert!(run.err.contains(part), "{part}: {}", run.err);
    }
}

/// A variant whose altars have gods, and whose doors open for artifacts.
const GODS: &str = r#"
extends = "nethack-3.4.3"
name = "gods-1"
title = "Gods 1"
structures = ["altar x:char y:char alignment:char kind:char god:int", "door x:char y:char state:char artifact:short"]
gods = ["", "Mitra", "_Lolth"]
artifacts = ["", "The Key"]
"#;

/// The beginning of a level; a test appends the statement under test.
const MAP: &str = "MAZE:\"x\",' '\nGEOMETRY:center,center\nMAP\n-----\n|...+\n|...|\n-----\nENDMAP\n";

#[test]
fn altars_store_the_numbers_of_their_gods() {
    let place = Place::new();
    place.write("gods.toml", GODS);
    let level = |god: &str| format!("{MAP}DOOR:locked,(4,1),\"The Key\"\nALTAR:(1,1),chaos,shrine{god}\n");
    let compiled = |god: &str| {
        place.write("x.des", level(god));
        let run = place.splc(&["--catalog", "gods.toml", "x.des"]);
        assert_eq!(run.status, FINE, "{god}: {}", run.err);
        std::fs::read(place.path("x.lev")).unwrap()
    };
    // Column, row, chaotic, shrine, and the number of the god.
    let altar = |god: u8| [1, 1, 1, 1, god, 0, 0, 0];
    for (god, number) in [("", 0), (",\"_Lolth\"", 2), (",\"Mitra\"", 1)] {
        let bytes = compiled(god);
        assert!(bytes.windows(8).any(|window| window == altar(number)), "{god}: {bytes:?}");
        let run = place.splc(&["decompile", "--catalog", "gods.toml", "-o", "y.des", "x.lev"]);
        assert_eq!(run.status, FINE, "{}", run.err);
        let again = String::from_utf8(place.read("y.des")).unwrap();
        assert!(god.is_empty() || again.contains(god.trim_start_matches(',')), "{god}: {again}");
        assert!(again.contains("\"The Key\""), "{again}");
    }
    // An unknown god becomes no god, as in the game's own compiler.
    place.write("x.des", level(",\"_Loth\""));
    let run = place.splc(&["--catalog", "gods.toml", "x.des"]);
    assert_eq!(run.status, FINE, "{}", run.err);
    assert!(run.err.contains("unknown god \"_Loth\"") && run.err.contains("_Lolth"), "{}", run.err);
    let bytes = std::fs::read(place.path("x.lev")).unwrap();
    assert!(bytes.windows(8).any(|window| window == altar(0)));
    // A door differs: the compiler rejects it.
    place.write("x.des", level("").replace("The Key", "The Kye"));
    let run = place.splc(&["check", "--catalog", "gods.toml", "x.des"]);
    assert_eq!(run.status, INPUT_ERRORS);
    assert!(run.err.contains("unknown artifact \"The Kye\""), "{}", run.err);
    // Without a table the number is unknown, and none is written.
    place.write("gods.toml", GODS.replace("gods = [", "# gods = ["));
    place.write("x.des", level(",\"Mitra\""));
    let run = place.splc(&["--catalog", "gods.toml", "x.des"]);
    assert_eq!(run.status, INPUT_ERRORS);
    assert!(run.err.contains("E0304") && run.err.contains("lists no gods"), "{}", run.err);
}

#[test]
fn spilling_nothing_depends_on_the_game() {
    let place = Place::new();
    let level = "LEVEL:\"x\"\nGEOMETRY:center,center\nMAP\n....\nENDMAP\nSPILL:(1,0),'}',north,0\n";
    place.write("x.des", level).write("y.des", level.replace(",0\n", ",-1\n"));
    place.write(
        "a.toml",
        "extends = \"sporkhack-0.7.0\"\nname = \"a\"\ntitle = \"A\"\nadd_features = [\"empty_spills\"]\n",
    );
    assert_eq!(place.splc(&["check", "--target", "sporkhack-0.7.0", "x.des"]).status, INPUT_ERRORS);
    let run = place.splc(&["check", "--catalog", "a.toml", "x.des"]);
    assert_eq!(run.status, FINE, "{}", run.err);
    assert_eq!(place.splc(&["check", "--catalog", "a.toml", "y.des"]).status, INPUT_ERRORS);
}

/// Additions of level files of SLASH'EM 0.0.7 over those of NetHack 3.4.3: flags of objects, several lists of places,
/// regions for random places.
const LISTS: &str = r#"
extends = "nethack-3.4.3"
name = "lists-1"
title = "Lists 1"
structures = [
    "object name:text corpse:int number:short enchantment:short x:char y:char chance:char class:char containment:char curse:char flags:long",
]
add_features = ["random_regions", "place_lists"]

[packing]
random_place = -12

[words.object_flag]
o_lit = 1
o_buried = 2
"#;

const LISTS_LEVEL: &str = "MAZE:\"forms\",' '
GEOMETRY:center,center
MAP
............
............
............
ENDMAP
RANDOM_PLACES:(1,1),(2,1)
RANDOM_PLACES[1]:(1,2),(2,2),(3,0)
RANDOM_REGION[0]:(4,1,8,2),levregion(5,2,6,2)
MONSTER:random,random,place[0]
MONSTER:random,random,place[0][1]
MONSTER:random,random,place[1][2]
GOLD:5,region[0]
OBJECT:random,random,random
OBJFLAGS:o_lit
CONTAINER:'(',random,(10,1)
OBJFLAGS:o_lit
OBJFLAGS:o_buried
OBJECT:'*',random,contained
OBJFLAGS:o_buried,o_lit
OBJECT:'!',random,random
";

/// The output of SLASH'EM's own compiler for it on x86-64, after the version header.
const LISTS_BYTES: &str = "020000000000000000000000000000000000000103030c0318181818181818181818181818181818181818181818181818\
    1818181818181818181818000104010802050206020001000000000000000000000000000000020203010201010102030202000000000000\
    000000000000000300000000000000000000000000000000fffff4ffff64f500ffff00000000000000000000000000000000000000000000\
    fffff4fffe64f500ffff00000000000000000000000000000000000000000000fffff4fefd64f500ffff0000000000000400000000000000\
    00ffffffffffff81fff4f464f500ff000001000000000000000000000000000000ffffffffffff81ff0a01642802ff000002000000000000\
    000000000000000000ffffffffffff81fff4f4642a01ff000003000000000000000000000000000000ffffffffffff81fff4f4642100ff00\
    00000000000000000001f5ff00000500000000";

#[test]
fn place_lists_regions_and_object_flags_match_slashem() {
    let place = Place::new();
    place.write("lists.toml", LISTS).write("forms.des", LISTS_LEVEL);
    let compile = |arguments: &[&str]| {
        let run = place.splc(&[&["--catalog", "lists.toml"], arguments].concat());
        assert_eq!(run.status, FINE, "{}", run.err);
    };
    compile(&["forms.des"]);
    let bytes = place.read("forms.lev");
    let hexadecimal: String = bytes[32..].iter().map(|byte| format!("{byte:02x}")).collect();
    assert_eq!(hexadecimal, LISTS_BYTES);
    // The level file is read back, printed and written as JSON.
    let run = place.splc(&["decompile", "--catalog", "lists.toml", "-o", "back.des", "forms.lev"]);
    assert_eq!(run.status, FINE, "{}", run.err);
    let back = String::from_utf8(place.read("back.des")).unwrap();
    for part in ["place[1][2]", "RANDOM_PLACES[1]:", "RANDOM_REGION[0]:", "region[0]", "OBJFLAGS:o_buried,o_lit"] {
        assert!(back.contains(part), "{part}: {back}");
    }
    compile(&["-o", "back.lev", "back.des"]);
    assert_eq!(place.read("back.lev"), bytes, "{back}");
    compile(&["--emit", "json", "-o", "forms.json", "forms.des"]);
    compile(&["-o", "json.lev", "forms.json"]);
    assert_eq!(place.read("json.lev"), bytes);
    // The level runs as in the game: the gold is in the region, but not in its excluded part.
    for seed in ["1", "2", "3", "4", "5", "6", "7", "8"] {
        let run = place.splc(&["run", "--catalog", "lists.toml", "--seed", seed, "--json", "forms.des"]);
        assert_eq!(run.status, FINE, "{}", run.err);
    }
    // Its parent has none of these additions.
    let run = place.splc(&["check", "--target", "nethack-3.4.3", "forms.des"]);
    assert_eq!(run.status, INPUT_ERRORS);
    for part in ["RANDOM_REGION", "OBJFLAGS"] {
        assert!(run.err.contains(part), "{part}: {}", run.err);
    }
    // Another game gets the lists as arrays, and a random place instead of one in the region, which is reported.
    let port = [
        "port",
        "--catalog",
        "lists.toml",
        "--target",
        "lists-1",
        "--to",
        "unnethack-6.0.4",
        "-o",
        "out/",
        "forms.des",
    ];
    let run = place.splc(&port);
    assert_eq!(run.status, FINE, "{}", run.err);
    assert!(run.err.contains("becomes a random place"), "{}", run.err);
    let ported = String::from_utf8(place.read("out/forms.des")).unwrap();
    assert_eq!(ported.matches("SHUFFLE").count(), 2, "{ported}");
    assert!(ported.contains("buried"), "{ported}");
}

#[test]
fn lists_and_regions_are_numbered_in_their_order() {
    let place = Place::new();
    place.write("lists.toml", LISTS);
    for (from, to, said) in [
        ("RANDOM_PLACES[1]", "RANDOM_PLACES[2]", "RANDOM_PLACES[2] comes before RANDOM_PLACES[1]"),
        ("RANDOM_PLACES[1]", "RANDOM_PLACES[0]", "duplicate RANDOM_PLACES"),
        ("RANDOM_PLACES[1]", "RANDOM_PLACES[10]", "there is no place list 10"),
        ("RANDOM_REGION[0]", "RANDOM_REGION[1]", "RANDOM_REGION[1] must have the number 0"),
        ("place[1][2]", "place[1][3]", "place[1][3] is not set by RANDOM_PLACES[1]"),
        ("region[0]\n", "region[1]\n", "region[1] is not set by RANDOM_REGION"),
        ("GOLD:5,region[0]\n", "OBJFLAGS:o_lit\n", "OBJFLAGS without an object before it"),
    ] {
        place.write("x.des", LISTS_LEVEL.replace(from, to));
        let run = place.splc(&["check", "--catalog", "lists.toml", "-D", "all", "x.des"]);
        assert_eq!(run.status, INPUT_ERRORS, "{to}: {}", run.err);
        assert!(run.err.contains(said), "{to}: {}", run.err);
    }
}

/// Additions of NetHack 4 and Fourk: a second message, and an INIT_MAP flag for ice that is frozen pools.
const HALLUCINATIONS: &str = r#"
extends = "nethack-3.4.3"
name = "four-1"
title = "Four 1"
structures = [
    "init present:char padding:char foreground:char background:char smoothed:char joined:char light:char walled:char iced:char",
]
add_features = ["hallucination_messages"]
"#;

#[test]
fn hallucination_messages_and_frozen_pools_round_trip() {
    let place = Place::new();
    let level = "MAZE:\"x\",' '\nINIT_MAP:'.','I',true,true,lit,false,true\nMESSAGE:\"ab\"\nHALLUMSG:\"cd\"\nHALLUMSG:\"e\"\nNOMAP\n";
    place.write("four.toml", HALLUCINATIONS).write("x.des", level);
    let run = place.splc(&["--catalog", "four.toml", "x.des"]);
    assert_eq!(run.status, FINE, "{}", run.err);
    let bytes = place.read("x.lev");
    // After the header: the type, INIT_MAP, the flags, and both messages with their lengths.
    let head = &bytes[32..];
    assert_eq!((head[0], head[9]), (2, 1), "the ice is that of pools");
    assert_eq!(&head[10 + 8..][..8], b"\x02ab\x04cd\ne");
    let run = place.splc(&["decompile", "--catalog", "four.toml", "-o", "back.des", "x.lev"]);
    assert_eq!(run.status, FINE, "{}", run.err);
    let back = String::from_utf8(place.read("back.des")).unwrap();
    for part in ["HALLUMSG:\"cd\"", "HALLUMSG:\"e\"", "lit,false,true"] {
        assert!(back.contains(part), "{part}: {back}");
    }
    let run = place.splc(&["--catalog", "four.toml", "-o", "back.lev", "back.des"]);
    assert_eq!(run.status, FINE, "{}", run.err);
    assert_eq!(place.read("back.lev"), bytes);
    // Without them, INIT_MAP and the messages are those of the parent.
    place.write("y.des", level.replace(",false,true", ",false").replace("HALLUMSG:\"cd\"\nHALLUMSG:\"e\"\n", ""));
    assert_eq!(place.splc(&["--catalog", "four.toml", "y.des"]).status, FINE);
    assert_eq!(&place.read("x.lev")[32 + 9..][..13], b"\x00\0\0\0\0\0\0\0\0\x02ab\0");
    assert_eq!(place.splc(&["check", "--target", "nethack-3.4.3", "y.des"]).status, FINE);
    assert_eq!(place.splc(&["check", "--target", "nethack-3.4.3", "x.des"]).status, INPUT_ERRORS);
}
