//! Catalogs from source trees: small made-up trees, hostile ones, and the games' own trees if `SPLC_SOURCE_TREES` names
//! a folder with them.

use std::collections::BTreeMap;
use std::path::Path;

use splc_driver::import::{ImportOptions, Imported, import};
use splc_import::{Settings, SourceTables, TreeError, limits, read};
use splc_ir::catalog::{Color, Shared};
use splc_tests::{corpus, loaded_catalog};

/// The files of a small game with three monsters, two objects and four types of squares, in `corpus/tree`.
const FILES: [&str; 9] = [
    "include/config.h",
    "include/hack.h",
    "include/rm.h",
    "src/drawing.c",
    "src/monst.c",
    "src/objects.c",
    "util/lev_main.c",
    "util/lev_comp.l",
    "util/makedefs.c",
];

/// Returns the tree of the small game.
fn small_tree() -> BTreeMap<&'static str, String> {
    let folder = corpus("tree");
    FILES.into_iter().map(|path| (path, std::fs::read_to_string(folder.join(path)).unwrap())).collect()
}

fn tables(tree: &BTreeMap<&'static str, String>, settings: &Settings) -> Result<SourceTables, TreeError> {
    let mut files = |path: &str| Ok(tree.get(path).map(|text| text.as_bytes().to_vec()));
    read(&mut files, settings)
}

#[test]
fn tables_are_read_through_conditionals_and_macros() {
    let found = tables(&small_tree(), &Settings::default()).unwrap();
    let monsters = &found.monsters.as_ref().unwrap().table;
    let rows: Vec<_> = monsters.iter().map(|row| (row.name.as_str(), row.class, row.habits.as_slice())).collect();
    assert_eq!(rows, [("giant ant", 1, &["fly"][..]), ("acid, blob", 2, &["swim", "fly"]), ("giant ant", 1, &[])]);
    assert_eq!(found.monsters.unwrap().place, "src/monst.c:8");
    assert_eq!(found.monster_classes.unwrap().table, ['a', 'b']);
    assert_eq!(found.object_classes.unwrap().table, ['0', '!']);
    let objects = &found.objects.as_ref().unwrap().table;
    let rows: Vec<_> = objects.iter().map(|row| (row.name.as_str(), row.class, row.merges)).collect();
    assert_eq!(rows, [("strange object", 1, false), ("ration", 2, true), ("", 2, true)]);
    assert_eq!(found.level_types.unwrap().table, ["stone", "vwall", "swamp_pool", "lavafall", "room"]);
    assert_eq!(found.map_characters.unwrap().table, [(' ', 0), ('|', 1), ('-', 1), ('~', 2), ('.', 4)]);
    assert_eq!(found.traps.unwrap().table, [("arrow".to_owned(), 1), ("web".to_owned(), 7)]);
    assert_eq!(found.rooms.unwrap().table, [("ordinary".to_owned(), 0)]);
    assert_eq!(found.map_line.unwrap().table, "- |~.");
    let words = found.words.unwrap().table;
    let value = |word: &str| words.get(word).map(|row| (row.token.as_str(), row.value));
    assert_eq!(value("windy"), Some(("FLAG_TYPE", Some(10))));
    assert_eq!(value("object"), Some(("OBJ_ID", None)));
    assert_eq!(value("obj"), value("object"));
    assert_eq!(found.opcodes, None);
    assert_eq!(found.header, [Some(0x0200_0001), Some(32), Some(1 << 24 | 3 << 12 | 3)]);
}

#[test]
fn colors_come_from_the_tree() {
    let mut tree = small_tree();
    let monsters = tree["src/monst.c"].replace("mflags2; }", "mflags2; unsigned char mcolor; }");
    tree.insert("src/monst.c", monsters.replace("gen, flg, 0L }", "gen, flg, 0L, 9 }"));
    let (imported, catalog) = imported(&tree);
    assert_eq!(catalog.monsters[0].color, Some(Color::Orange));
    assert!(imported.text.contains("[monster_colors]\norange = ["), "{}", imported.text);
}

#[test]
fn symbols_of_a_build_change_what_is_read() {
    let settings = Settings { defines: vec![("PLAIN".to_owned(), "1".to_owned())], undefines: Vec::new() };
    let found = tables(&small_tree(), &settings).unwrap();
    assert_eq!(found.level_types.unwrap().table, ["stone", "vwall", "swamp_pool", "room"]);
    let mut tree = small_tree();
    tree.insert("include/config.h", "#ifdef WIDE\n#define FANCY 1\n#endif\n".to_owned());
    let found = tables(&tree, &Settings::default()).unwrap();
    assert_eq!(found.monsters.unwrap().table.len(), 2);
    assert_eq!(found.header[1], Some(0));
}

/// Imports the catalog of a tree, and loads it.
fn imported(tree: &BTreeMap<&'static str, String>) -> (Imported, Shared) {
    let mut files = |path: &str| Ok(tree.get(path).map(|text| text.as_bytes().to_vec()));
    let options = ImportOptions { name: "small-1".to_owned(), title: "Small 1".to_owned(), ..ImportOptions::default() };
    let imported = import(&mut files, &options).unwrap();
    let catalog = loaded_catalog(&imported.text);
    (imported, catalog)
}

#[test]
fn the_catalog_matches_the_tree() {
    let (imported, catalog) = imported(&small_tree());
    assert_eq!(imported.parent, "nethack-3.4.3");
    assert_eq!(catalog.monster("giant ant", Some('a')).map(|(number, _)| number), Some(0));
    assert_eq!(catalog.monsters.len(), 3);
    assert_eq!(catalog.terrain('~'), Some(2));
    assert_eq!(catalog.terrain('#'), None);
    assert_eq!((catalog.trap("web"), catalog.loader.trap_types), (Some(7), 9));
    assert_eq!(catalog.loader.merging_objects.as_ref(), [(1, 2)]);
    let word = |word| catalog.word(splc_ir::words::Group::Flag, word);
    assert_eq!((word("windy"), word("noteleport"), word("hardfloor")), (Some(10), Some(1), None));
    assert_eq!(catalog.header("lp64le").unwrap()[..3], [0x0200_0001, 32, 1 << 24 | 3 << 12 | 3]);
    // The second monster of the same name can never be selected, which is reported.
    let notes: Vec<&str> = imported.notes.iter().map(|note| note.message.as_str()).collect();
    assert!(notes.iter().any(|note| note.starts_with("monster 2, \"giant ant\", is a duplicate")), "{notes:?}");
}

/// Returns a tree whose altars have gods, and whose maps can be transparent.
fn tree_with_gods() -> BTreeMap<&'static str, String> {
    let mut tree = small_tree();
    tree.insert(
        "include/sp_lev.h",
        "typedef signed char xchar;\ntypedef struct { xchar x, y, align, shrine; int god; } altar;\n".to_owned(),
    );
    tree.insert(
        "include/godlist.h",
        "#define GOD(name, alignment) name\nstatic const char *god_names[] = {\nGOD((const char *) 0, 0), GOD(\"Mitra\", 1),\n\
         GOD(\"_Lolth, of \" \"Spiders\", 2), GOD((const char *) 0, 0) };\n"
            .to_owned(),
    );
    let compiler = tree["util/lev_main.c"]
        .replace("#include \"hack.h\"\n", "#include \"hack.h\"\n#include \"sp_lev.h\"\n#include \"godlist.h\"\n");
    tree.insert(
        "util/lev_main.c",
        compiler.replace("case '.': return ROOM;", "case '.': return ROOM; case '/': return 126;"),
    );
    tree
}

#[test]
fn gods_are_numbered_as_in_their_table() {
    let (imported, catalog) = imported(&tree_with_gods());
    assert_eq!(catalog.gods.as_ref(), ["", "Mitra", "_Lolth, of Spiders"]);
    assert_eq!((catalog.god("Mitra"), catalog.god("_Lolth, of Spiders"), catalog.god("")), (Some(1), Some(2), None));
    assert!(catalog.structures.iter().any(|line| line.starts_with("altar ") && line.ends_with("god:int")));
    assert!(!imported.notes.iter().any(|note| note.message.contains("gods")), "{:?}", imported.notes);
    // A missing table is reported.
    let mut tree = tree_with_gods();
    tree.insert("include/godlist.h", String::new());
    let (imported, catalog) = self::imported(&tree);
    assert_eq!(catalog.gods.len(), 0);
    assert!(imported.notes.iter().any(|note| note.message.contains("altars have gods")), "{:?}", imported.notes);
}

#[test]
fn terrain_after_all_types_is_transparent() {
    let (_, catalog) = imported(&tree_with_gods());
    assert_eq!((catalog.terrain('/'), catalog.max_terrain, catalog.terrain('.')), (Some(126), 126, Some(4)));
}

#[test]
fn a_translated_tree_is_read_with_the_english_names() {
    let mut tree = small_tree();
    let english = tree["src/monst.c"].replace("#include \"hack.h\"\n", "#include \"hack.h\"\n#ifdef ENGLISH\n#define ANT \"giant ant\"\n#define BLOB \"acid blob\"\n#else\n#define ANT \"Riesenameise\"\n#define BLOB \"Blob\"\n#endif\n#ifdef OTHER\n#endif\n");
    let english = english
        .replace("\"giant \" \"ant\"", "ANT")
        .replace("\"acid, blob\"", "BLOB")
        .replace("MON(\"giant ant\"", "MON(ANT");
    tree.insert("src/monst.c", english);
    let (imported, catalog) = imported(&tree);
    assert!(catalog.monster("acid blob", Some('b')).is_some());
    assert!(
        imported.notes.iter().any(|note| note.message.starts_with("ENGLISH is assumed to be defined")),
        "{:?}",
        imported.notes
    );
    // An option selects the other names.
    let settings = Settings { defines: Vec::new(), undefines: vec!["ENGLISH".to_owned()] };
    let mut files = |path: &str| Ok(tree.get(path).map(|text| text.as_bytes().to_vec()));
    let options = ImportOptions { name: "small-1".to_owned(), title: "Small 1".to_owned(), settings, like: None };
    let catalog = loaded_catalog(&import(&mut files, &options).unwrap().text);
    assert!(catalog.monster("Riesenameise", Some('a')).is_some());
}

#[test]
fn grammars_determine_if_nothing_can_be_spilled() {
    for (condition, empty) in [("c < 0", true), ("c < 1", false)] {
        let mut tree = small_tree();
        let grammar = format!(
            "%%\nspill : SPILL_ID ':' INTEGER {{ if ({condition}) lc_error(\"SPILL: Invalid count '%li'!\", c); }}\n;\n"
        );
        tree.insert("util/lev_yacc.y", grammar);
        assert_eq!(tables(&tree, &Settings::default()).unwrap().forms.empty_spills, empty, "{condition}");
    }
}

#[test]
fn a_comment_continues_with_its_line() {
    let mut tree = small_tree();
    let objects = tree["src/objects.c"].replace("OBJECT(OBJ(\"ration\", \"a\"), 1, 2)", "//define RATION(name) \\\n OBJECT(name, 1, 2)\n//\\\n\\\n OBJECT(OBJ(\"nothing\", 0), 1, 2),\nOBJECT(OBJ(\"ration\", \"a\"), 1, 2)");
    tree.insert("src/objects.c", objects);
    let table = tables(&tree, &Settings::default()).unwrap().objects.unwrap().table;
    let names: Vec<&str> = table.iter().map(|row| row.name.as_str()).collect();
    assert_eq!(names, ["strange object", "ration", ""]);
}

#[test]
fn files_generated_by_a_build_are_reported() {
    let mut tree = small_tree();
    tree.insert(
        "include/config.h",
        "#ifdef AUTOCONF\n#include \"autoconf.h\"\n#endif\n#include \"gone.h\"\n".to_owned(),
    );
    tree.insert("sys/autoconf/autoconf.hin", "#undef FANCY\n".to_owned());
    let settings = Settings { defines: vec![("AUTOCONF".to_owned(), "1".to_owned())], undefines: Vec::new() };
    let mut files = |path: &str| {
        let path = if path == "**/autoconf.hin" { "sys/autoconf/autoconf.hin" } else { path };
        Ok(tree.get(path).map(|text| text.as_bytes().to_vec()))
    };
    let notes = read(&mut files, &settings).unwrap().notes;
    let said = |part: &str| notes.iter().any(|note| note.message.contains(part));
    assert!(said("`configure` generates autoconf.h from autoconf.hin"), "{notes:?}");
    assert!(said("gone.h, an included file, is not in the tree"), "{notes:?}");
}

#[test]
fn repeated_notes_are_counted() {
    let mut tree = small_tree();
    let traps: String = (0..20).map(|at| format!("{{ \"t{at}\", {} }}, ", 200 + at)).collect();
    let compiler = tree["util/lev_main.c"].replace("{ \"web\", WEB }", &format!("{traps}{{ \"web\", WEB }}"));
    tree.insert("util/lev_main.c", compiler);
    let (imported, catalog) = imported(&tree);
    let notes: Vec<&str> = imported.notes.iter().map(|note| note.message.as_str()).collect();
    assert_eq!(notes.iter().filter(|note| note.contains("has number 2")).count(), 5, "{notes:?}");
    assert!(notes.contains(&"and 15 similar entries"), "{notes:?}");
    assert_eq!((catalog.trap("web"), catalog.trap("t3")), (Some(7), None));
}

#[test]
fn files_may_have_other_names() {
    let mut tree = small_tree();
    for (from, to) in [
        ("util/lev_comp.l", "util/lev_lex.l"),
        ("src/monst.c", "entities/monst.cc"),
        ("util/lev_main.c", "tools/lev_main.cpp"),
    ] {
        let text = tree.remove(from).unwrap();
        tree.insert(to, text);
    }
    let mut files = |path: &str| {
        let found = match path.strip_prefix("**/") {
            Some(name) => tree.iter().find(|(known, _)| known.rsplit('/').next() == Some(name)).map(|(_, text)| text),
            None => tree.get(path),
        };
        Ok(found.map(|text| text.as_bytes().to_vec()))
    };
    let found = read(&mut files, &Settings::default()).unwrap();
    assert_eq!(found.monsters.unwrap().table.len(), 3);
    assert_eq!(found.traps.unwrap().table.len(), 2);
    assert!(found.words.unwrap().table.contains_key("windy"));
}

#[test]
fn other_folders_are_rejected() {
    let empty = BTreeMap::new();
    let problem = tables(&empty, &Settings::default()).unwrap_err();
    assert!(matches!(&problem, TreeError::NotATree(missing) if missing.len() == 4), "{problem:?}");
    assert!(problem.to_string().starts_with("not the source tree of a NetHack variant"), "{problem}");
}

#[test]
fn a_tree_without_tables_inherits_those_of_the_parent() {
    let mut tree = small_tree();
    for path in ["src/monst.c", "src/objects.c", "util/lev_main.c"] {
        tree.insert(path, "\u{0}\u{7f} ) } ] ( { \"".to_owned());
    }
    tree.remove("src/drawing.c");
    let (imported, catalog) = imported(&tree);
    assert_eq!(catalog.monsters.len(), 382);
    for what in ["the monsters", "the objects", "the traps", "symbols of classes"] {
        assert!(imported.notes.iter().any(|note| note.message.contains(what)), "{what}: {:?}", imported.notes);
    }
}

#[test]
fn hostile_trees_end_in_an_error() {
    let with = |path: &'static str, text: String| {
        let mut tree = small_tree();
        tree.insert(path, text);
        tree
    };
    let mut chain: String = (0..5000).map(|at| format!("#define A{at} A{}\n", at + 1)).collect();
    chain += "A0\n";
    let mut doubling: String = (0..64).map(|at| format!("#define A{at} A{} A{}\n", at + 1, at + 1)).collect();
    doubling += "A0\n";
    let nested: String = "#define F(x) x\n".to_owned() + &"F(".repeat(100_000) + &")".repeat(100_000);
    let unclosed: String = "#define F(x) x\n".to_owned() + &"F(".repeat(300_000);
    for (what, tree) in [
        ("a header that includes itself", with("include/config.h", "#include \"config.h\"\n".to_owned())),
        ("conditionals without end", with("include/config.h", "#if 1\n".repeat(limits::MAX_CONDITIONAL_DEPTH + 1))),
        ("a huge file", with("include/config.h", " ".repeat(limits::MAX_FILE_BYTES + 1))),
        ("a chain of macros", with("include/config.h", chain)),
        ("macros that double", with("include/config.h", doubling)),
        ("calls in calls", with("include/config.h", nested)),
        ("calls without end", with("include/config.h", unclosed)),
        ("a header included very often", with("include/config.h", "#include \"big.h\"\n".repeat(60))),
    ] {
        let mut tree = tree;
        tree.insert("include/big.h", format!("/* {} */\n", "x".repeat(3 << 20)));
        let problem = tables(&tree, &Settings::default());
        assert!(matches!(problem, Err(TreeError::TooMuch { .. })), "{what}: {problem:?}");
    }
    // Deeply nested brackets have no value, but are otherwise harmless.
    let deep = format!("#if {}1{}\n#endif\n", "(".repeat(100_000), ")".repeat(100_000));
    tables(&with("include/config.h", deep), &Settings::default()).unwrap();
    let paths = "#include \"../../secret\"\n#include \"/secret\"\n#include \"./config.h\"\n".to_owned();
    let tree = with("include/config.h", paths);
    let mut requested = Vec::new();
    let mut files = |path: &str| {
        requested.push(path.to_owned());
        Ok(tree.get(path).map(|text| text.as_bytes().to_vec()))
    };
    read(&mut files, &Settings::default()).unwrap();
    assert!(requested.iter().all(|path| !path.split('/').any(|part| matches!(part, ".." | "." | ""))), "{requested:?}");
}

/// Checks the games with built-in catalogs. `SPLC_SOURCE_TREES` is a folder with a folder for each.
#[test]
#[ignore = "needs the games' source trees: SPLC_SOURCE_TREES=DIR"]
fn built_in_catalogs_match_the_trees() {
    let trees = std::env::var_os("SPLC_SOURCE_TREES").expect("SPLC_SOURCE_TREES names the folder of the trees");
    for name in ["nethack-3.4.3", "sporkhack-0.7.0", "unnethack-6.0.4", "nethack-3.6.7"] {
        let tree = Path::new(&trees).join(name);
        let mut files = |path: &str| Ok(std::fs::read(tree.join(path)).ok());
        let options = ImportOptions { name: name.to_owned(), title: name.to_owned(), ..ImportOptions::default() };
        let imported = import(&mut files, &options).unwrap();
        assert_eq!(imported.parent, name);
        for table in imported.tables.iter().filter(|table| table.key != "words") {
            assert_eq!(table.changed, (0, 0), "{name}: {}", table.key);
        }
    }
}

/// Adds declarations and functions to the tree: types of squares, their looks, and what can be done there.
fn tree_with_squares() -> BTreeMap<&'static str, String> {
    let mut tree = small_tree();
    let names =
        "STONE VWALL TREE HEDGE POOL POND LAVAPOOL EMBERS IRONBARS CAGE DOOR ROOM SINK STATUE MEADOW CLOUD MIST";
    let numbered: String = names.split(' ').enumerate().map(|(at, name)| format!("#define {name} {at}\n")).collect();
    let types = numbered
        + "#define MAX_TYPE 17\n#define IS_STWALL(typ) ((typ) <= VWALL)\n#define IS_ROCK(typ) ((typ) < POOL)\n\
                 #define ACCESSIBLE(typ) ((typ) >= DOOR)\n#define IS_POOL(typ) ((typ) == POOL || (typ) == POND)\n\
                 #define IS_FURNITURE(typ) ((typ) == SINK || (typ) == STATUE)\n\
                 #define IS_AIR(typ) ((typ) == CLOUD || (typ) == MIST)\n\
                 #define INVALID_TYPE 127\n";
    tree.insert("include/rm.h", types);
    let compiler = tree["util/lev_main.c"].replace("SWAMP_POOL", "POND");
    tree.insert(
        "util/lev_main.c",
        compiler.replace(
            "case '.': return ROOM;",
            "case '.': return ROOM; case 'm': return MEADOW; case 'h': return HEDGE;",
        ),
    );
    let words = tree["util/lev_comp.l"].replace("[- |~.0123456789]", "[- |~.mh0123456789]");
    tree.insert("util/lev_comp.l", words);
    tree.insert(
        "include/mondata.h",
        "#define likes_lava(ptr) ((ptr) == &mons[PM_ACID__BLOB])\n\
         #define is_flyer(ptr) (((ptr)->mflags1 & 1L) != 0L && !Levitation)\n\
         #define is_floater(ptr) ((ptr)->mlet == S_ANT)\n#define S_ANT 1\n\
         #define species_swims(ptr) (((ptr)->mlet == S_ANT) != 0L)\n"
            .to_owned(),
    );
    tree.insert(
        "src/display.c",
        "#include \"hack.h\"\n#include \"mondata.h\"\nint back_to_glyph(int, int);\n\
         int f(x) { if (back_to_glyph(x, 1)) { switch (x) { case MEADOW: idx = 4; } } }\n\
         int back_to_glyph(x, y)\nint x, y;\n{\n switch (levl[x][y].typ) {\n\
         case HEDGE: idx = 0; break;\n case POND: case EMBERS: idx = x ? 1 : 2; break;\n\
         case STATUE: switch (y) { case MEADOW: idx = 2; break; } idx = 3; break;\n case MEADOW: idx = 4; break;\n } return idx; }\n"
            .to_owned(),
    );
    let drawing = format!(
        "{}struct symdef {{ char sym; const char *explanation; char color; }};\n\
         const struct symdef defsyms[] = {{ {{ '#', \"hedge\", 2 }}, {{ '}}', \"pond\", 4 }}, {{ 'x', \"\", 1 }},\n\
         {{ '&', \"statue\", 7 }}, {{ ',', \"meadow\", 118 }} }};\n",
        tree["src/drawing.c"]
    );
    tree.insert("src/drawing.c", drawing);
    tree.insert(
        "src/dbridge.c",
        "#include \"hack.h\"\nint is_lava(x, y)\nint x, y;\n{ int ltyp; if (ltyp == LAVAPOOL || ltyp == EMBERS || (ltyp == DOOR && x)) return 1; return 0; }\n"
            .to_owned(),
    );
    tree.insert(
        "src/sp_lev.c",
        "#include \"hack.h\"\nint is_ok_location(x, y) { if (typ == ROOM || typ == MEADOW) return 1; return 0; }\n\
         void build_room(r, pr)\nroom *r, *pr;\n{ if (r->chance <= rn2(100)) return; create_room(r); }\n"
            .to_owned(),
    );
    tree.insert(
        "src/mkmaze.c",
        "#include \"hack.h\"\nint bad_location(x, y) { return !(levl[x][y].typ == ROOM || levl[x][y].typ == MEADOW); }\n"
            .to_owned(),
    );
    tree
}

#[test]
fn squares_are_what_the_macros_of_the_game_say() {
    let (imported, catalog) = imported(&tree_with_squares());
    let look = |of: &str| {
        let look = catalog.look(of).unwrap_or_else(|| panic!("{of}: {}", imported.text));
        (look.symbol, look.color, look.name.to_string(), look.like.to_string())
    };
    let expected = |symbol, color, name: &str, like: &str| (symbol, color, name.to_owned(), like.to_owned());
    assert_eq!(look("hedge"), expected('#', Color::Green, "hedge", "tree"));
    assert_eq!(look("pond"), expected('}', Color::Blue, "pond", "pool"));
    assert_eq!(look("embers"), expected('}', Color::Blue, "pond", "lavapool"));
    assert_eq!(look("cage").3, "ironbars");
    assert_eq!(look("statue"), expected('&', Color::Gray, "statue", "sink"));
    // The nearest of the 16 colours.
    assert_eq!(look("meadow"), expected(',', Color::Yellow, "meadow", "room"));
    assert_eq!(look("mist").3, "cloud");
    assert_eq!(catalog.loader.dry_terrain.as_ref(), ["meadow"]);
    assert_eq!(catalog.loader.landing_terrain.as_ref(), ["room", "meadow"]);
    assert!(catalog.loader.rules.has(splc_ir::catalog::LoaderRule::UnlikelyRoomsAreLeftOut));
    use splc_vm::Terrain;
    let terrain = |of: &str| Terrain::of_type(of, &catalog).unwrap();
    assert!(terrain("hedge").is_rock() && !terrain("hedge").is_wall());
    assert!(terrain("pond").is_water() && terrain("embers").is_lava() && terrain("cage").is_barrier());
    assert!(terrain("statue").is_furniture() && terrain("statue").is_accessible());
    assert!(terrain("meadow").is_own_floor() && terrain("mist").is_own_floor() && terrain("mist") != terrain("meadow"));
    for of in ["hedge", "pond", "embers", "cage", "statue", "meadow", "mist"] {
        assert_eq!(terrain(of).look_in(&catalog).map(|look| &*look.of), Some(of));
    }
}

#[test]
fn habits_are_what_the_macros_of_the_game_say() {
    use splc_ir::catalog::Habit;
    let (_, catalog) = imported(&tree_with_squares());
    let habits = |name: &str, class| catalog.monsters[catalog.monster(name, Some(class)).unwrap().0 as usize].habits;
    let (ant, blob) = (habits("giant ant", 'a'), habits("acid, blob", 'b'));
    assert!(!ant.has(Habit::LavaOk) && blob.has(Habit::LavaOk));
    assert!(ant.has(Habit::Floater) && !blob.has(Habit::Floater));
    assert!(ant.has(Habit::Swim) && !blob.has(Habit::Swim));
    // The macro depends on the hero: the flag decides.
    assert!(ant.has(Habit::Fly) && blob.has(Habit::Fly));
}

/// The functions of NetHack 3.4.3 that write level files, as far as an import looks at them. `room` and `object` are
/// inserted.
fn writers(room: &str, object: &str) -> String {
    let calls = |names: &[&str]| -> String {
        names
            .iter()
            .map(|name| format!("if (write(fd, (char *)(&(pt->{name})), sizeof(pt->{name})) != 1) return 0;\n"))
            .collect()
    };
    let mut text = String::new();
    for (function, names) in splc_driver::import::WRITES {
        let names: Vec<&str> = names
            .iter()
            .flat_map(|name| match (*function, *name) {
                ("write_rooms", "naltar") if !room.is_empty() => vec![room, &room[1..], "naltar"],
                (_, "name") if *function == "write_objects" && !object.is_empty() => vec![object, "name"],
                (_, name) => vec![name],
            })
            .collect();
        text.push_str(&format!("int {function}(fd, pt)\nint fd;\nchar *pt;\n{{\n{}return 1;\n}}\n", calls(&names)));
    }
    text
}

/// A dungeon compiler with two descriptors more, other bits of alignments, and a level of arrival for each branch.
fn with_dungeons(fields: &str) -> BTreeMap<&'static str, String> {
    let mut tree = small_tree();
    let structures = format!(
        "struct couple {{ short base, rand; }};\n\
         struct tmpdungeon {{ char name[24], protoname[24]; struct couple lev; int flags, chance, levels, {fields}; \
         char boneschar; }};\n\
         struct tmplevel {{ char name[24]; struct couple lev; int chance, rndlevs, chain, flags; char boneschar; }};\n\
         struct tmpbranch {{ char name[24]; struct couple lev; int chain, type, up, entry_lev; }};\n\
         #define TOWN 1\n#define HELLISH 2\n#define COLD 16\n#define WARM (COLD << 1)\n\
         #define D_ALIGN_CHAOTIC (1 << 6)\n#define LEV_LIMIT 70\n"
    );
    let word = |word, constant| format!("{word}\t\t{{ yylval.i={constant} ; return(DESCRIPTOR); }}\n");
    let words =
        [("town", "TOWN"), ("hellish", "HELLISH"), ("icy", "COLD"), ("warm", "WARM"), ("chaotic", "D_ALIGN_CHAOTIC")];
    let words: String = words.into_iter().map(|(name, constant)| word(name, constant)).collect();
    tree.insert("include/dgn_file.h", structures);
    tree.insert("util/dgn_comp.l", format!("%{{\n%}}\n%%\nDUNGEON\treturn(A_DUNGEON);\n{words}%%\n"));
    tree.insert("util/dgn_comp.y", "%%\noptional_int\t: /* nothing */\n{\n$$ = 90;\n}\n| INTEGER\n;\n%%\n".to_owned());
    tree
}

#[test]
fn dungeons_come_from_the_tree() {
    let (_, catalog) = imported(&with_dungeons("branches"));
    let rules = &catalog.dungeon;
    assert_eq!(rules.unverified.len(), 0, "{:?}", rules.unverified);
    assert_eq!(*rules.traits, [("chaotic".into(), 64), ("icy".into(), 16), ("warm".into(), 32)]);
    assert_eq!(*rules.fields, ["flags", "chance", "levels", "branches"]);
    assert_eq!(*rules.branch_fields, ["chain", "type", "up", "entry_lev"]);
    assert_eq!((rules.levels, rules.chance), (70, 90));
    // A field that splc does not know: it refuses to write the file.
    let (_, catalog) = imported(&with_dungeons("weather"));
    assert_eq!(*catalog.dungeon.unverified, ["`tmpdungeon` has an unknown field `weather`"]);
}

#[test]
fn level_files_with_other_structures_are_refused() {
    let with = |text: &str| {
        let mut tree = small_tree();
        let compiler = format!("{}{text}", tree["util/lev_main.c"]);
        tree.insert("util/lev_main.c", compiler);
        imported(&tree)
    };
    let (_, catalog) = with(&writers("", ""));
    assert!(catalog.unverified.is_empty() && catalog.empty_lists.is_empty(), "{:?}", catalog.unverified);
    // A list of things that splc does not know is one zero.
    let (_, catalog) = with(&writers("nlads", ""));
    assert_eq!((catalog.unverified.len(), catalog.empty_lists.as_ref()), (0, &["room lads after stairs".into()][..]));
    // Anything else is unknown.
    let (imported, catalog) = with(&writers("", "rank"));
    assert_eq!(catalog.unverified.as_ref(), ["`write_objects` writes `rank` after `o`"]);
    assert!(imported.notes.iter().any(|note| note.message.starts_with("splc cannot vouch for level files")));
    let (_, catalog) = with("");
    assert!(catalog.unverified.iter().any(|reason| reason.contains("`write_maze` was not found")));
}

#[test]
fn every_catalog_that_an_import_writes_is_valid() {
    // Two monsters of one name in two classes, one of them the at sign; traps past the numbers of level files.
    let mut tree = tree_with_squares();
    let drawing = tree["src/drawing.c"].replace("'\\x62'", "'@'");
    tree.insert("src/drawing.c", drawing);
    let monsters = tree["src/monst.c"].replace("mflags2; }", "mflags2; unsigned char mcolor; }");
    let monsters = monsters.replace("gen, flg, 0L }", "gen, flg, 0L, sym + 2 }");
    tree.insert("src/monst.c", monsters.replace("\"acid, blob\"", "\"giant ant\""));
    let compiler = tree["util/lev_main.c"].replace("#define TRAPNUM 9", "#define TRAPNUM 243\n#define LATE_TRAP 200");
    tree.insert("util/lev_main.c", compiler.replace("{ \"web\", WEB }", "{ \"web\", WEB }, { \"late\", LATE_TRAP }"));
    let (imported, catalog) = imported(&tree);
    assert!(imported.text.contains("\"giant ant@@\""), "{}", imported.text);
    assert_eq!((catalog.loader.trap_types, catalog.trap("late")), (127, None));
    assert!(imported.notes.iter().any(|note| note.message.contains("\"late\" has number 200")));
}

#[test]
fn contradictions_of_a_tree_are_reported() {
    let mut tree = small_tree();
    let lexer = tree["util/lev_comp.l"].replace("(1 << 3) + 2", "0");
    tree.insert("util/lev_comp.l", lexer);
    let mut files = |path: &str| Ok(tree.get(path).map(|text| text.as_bytes().to_vec()));
    let options = ImportOptions { name: "small-1".to_owned(), title: "Small 1".to_owned(), ..ImportOptions::default() };
    let imported = import(&mut files, &options).unwrap();
    assert_eq!(imported.contradictions, ["flag \"windy\" is 0"]);
    let (fine, _) = self::imported(&small_tree());
    assert_eq!(fine.contradictions, [""; 0]);
}
