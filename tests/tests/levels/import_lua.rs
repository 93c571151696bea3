//! Catalogs of games whose levels are Lua scripts: a made-up game of NetHack 3.7's family, imported from its source,
//! and the same additions written by hand. Levels that use them are checked and run.

use std::collections::BTreeMap;

use splc_driver::import::{ImportOptions, Imported, import};
use splc_driver::{Input, Options, Wanted, lua};
use splc_import::TreeError;
use splc_ir::catalog::{Catalogs, NothingBeside, Shared};
use splc_ir::diagnostic::{Diagnostics, Severity};
use splc_ir::loadable::LuaLevel;
use splc_ir::source::{FileId, SourceMap};
use splc_tests::loaded_catalog;
use splc_vm::{Machine, Prepared, Settings, SplitMix, Terrain};

/// Returns the tree of a game of NetHack 3.7's family. It adds a key, words, a flag, functions, values, a monster, a
/// trap, terrain and a function of `nhlib.lua`.
fn tree() -> BTreeMap<&'static str, String> {
    let files = [
        (
            "include/config.h",
            "#define COLNO 80\n#define ROWNO 21\n#define CLR_BLACK 0\n#define CLR_GREEN 2\n#define CLR_ORANGE 9\n\
             #define CLR_GRAY 7\n#define M2_FEMALE 0x2L\n",
        ),
        (
            "include/rm.h",
            "enum levl_typ_types { STONE = 0, VWALL = 1, HWALL = 2, TREE = 3, POOL = 4, MOAT = 5, LAVAPOOL = 6,\n\
             IRONBARS = 7, DOOR = 8, CORR = 9, ROOM = 10, FOUNTAIN = 11, KILN = 12, ICE = 13, MOSS = 14, AIR = 15,\n\
             MAX_TYPE = 16, MATCH_WALL = 17 };\n",
        ),
        (
            "include/trap.h",
            "enum trap_types { NO_TRAP = 0, ARROW_TRAP = 1, GLUE_TRAP = 2, VIBRATING_SQUARE = 3,\n\
             TRAPPED_DOOR = 4, TRAPPED_CHEST = 5, TRAPNUM = 6 };\n",
        ),
        (
            "include/defsym.h",
            "#ifdef PCHAR_ENUM\n#define PCHAR(i, c, s, d, k) s = i,\n#elif defined(PCHAR_DRAWING)\n\
             #define PCHAR(i, c, s, d, k) { c, d, k },\n#endif\n#ifdef PCHAR\nPCHAR(0, ' ', S_stone, \"stone\", CLR_BLACK)\n\
             PCHAR(1, '{', S_fountain, \"fountain\", CLR_GRAY)\nPCHAR(2, '&', S_kiln, \"kiln\", CLR_ORANGE)\n\
             PCHAR(3, '%', S_moss, \"soft moss\", CLR_GREEN)\n#undef PCHAR\n#endif\n",
        ),
        (
            "src/drawing.c",
            "#include \"config.h\"\nenum cmap { \n#define PCHAR_ENUM\n#include \"defsym.h\"\n#undef PCHAR_ENUM\n MAXPCHARS };\n\
             struct class_sym { char sym; const char *name; };\n\
             const struct class_sym def_monsyms[3] = { { '\\0', \"\" }, { 'a', \"ant\" }, { 'o', \"orc\" } };\n\
             const struct class_sym def_oc_syms[4] = { { '\\0', \"\" }, { ']', \"\" }, { ')', \"\" }, { '(', \"\" } };\n\
             const struct symdef defsyms[MAXPCHARS + 1] = {\n#define PCHAR_DRAWING\n#include \"defsym.h\"\n\
             #undef PCHAR_DRAWING\n { 0, 0, 0 } };\n",
        ),
        (
            "include/monsters.h",
            "MON(NAM(\"giant ant\"), S_ANT, 0, CLR_GRAY),\n\
             MON(NAMS(\"kiln lord\", \"kiln lady\", \"kiln warden\"), S_ORC, 0, CLR_ORANGE),\n\
             MON(NAM(\"moss hag\"), S_ORC, M2_FEMALE, CLR_GREEN),\n",
        ),
        (
            "src/monst.c",
            "#include \"config.h\"\nenum classes { S_NONE, S_ANT, S_ORC };\n\
             struct permonst { const char *pmnames[3]; char mlet; unsigned long mflags2; unsigned char mcolor; };\n\
             #define NAM(n) { 0, 0, n }\n#define NAMS(m, f, n) { m, f, n }\n#define MON(n, c, f, k) { n, c, f, k }\n\
             static struct permonst mons_init[] = {\n#include \"monsters.h\"\n MON(NAM(\"\"), 0, 0, 0) };\n",
        ),
        (
            "include/objects.h",
            "#if defined(OBJECTS_DESCR_INIT)\n#define OBJECT(n, d, m, c) { n, d }\n#else\n#define OBJECT(n, d, m, c) { m, c }\n\
             #endif\nOBJECT(\"strange object\", 0, 0, 1), OBJECT(\"generic strange\", \"strange\", 0, 1),\n\
             OBJECT(\"long spoon\", 0, 1, 2), OBJECT(\"sack\", \"bag\", 0, 3), OBJECT(0, 0, 0, 1)\n#undef OBJECT\n",
        ),
        (
            "src/objects.c",
            "#include \"config.h\"\n#define ILLOBJ_CLASS 1\nstruct objdescr { const char *oc_name, *oc_descr; };\n\
             struct objclass { unsigned oc_merge : 1; char oc_class; };\n\
             static struct objdescr obj_descr_init[] = {\n#define OBJECTS_DESCR_INIT\n#include \"objects.h\"\n\
             #undef OBJECTS_DESCR_INIT\n};\nstatic struct objclass obj_init[] = {\n#define OBJECTS_INIT\n\
             #include \"objects.h\"\n};\n",
        ),
        ("src/decl.c", "const char *glazenm[] = { \"matt\", \"bright\" };\n"),
        (
            "src/sp_lev.c",
            "#include \"config.h\"\n#include \"rm.h\"\n#include \"trap.h\"\n\
             static const struct { const char *name; int type; } trap_types[] = { { \"arrow\", ARROW_TRAP },\n\
             { \"glue\", GLUE_TRAP }, { 0, NO_TRAP } };\n\
             static const struct { const char *name; int type; } room_types[] = { { \"ordinary\", 0 }, { 0, -1 } };\n\
             static int get_table_glaze(lua_State *L) {\n  return get_table_option(L, \"glaze\", \"matt\", glazenm);\n}\n\
             int lspo_message(lua_State *L) { return 0; }\n\
             int lspo_object(lua_State *L) {\n  int g = get_table_glaze(L);\n\
             \x20 int h = get_table_int_or_random(L, \"heat\", 0), l = get_table_boolean_opt(L, \"lit\", 0);\n  return g + h + l;\n}\n\
             int lspo_level_flags(lua_State *L) {\n  if (!strcmpi(s, \"noteleport\")) f();\n\
             \x20 else if (!strcmpi(s, \"sooty\")) f();\n  return 0;\n}\n\
             int lspo_feature(lua_State *L) {\n  static const char *const features[] = { \"fountain\", \"kiln\", 0 };\n\
             \x20 static const int features2i[] = { FOUNTAIN, KILN, STONE };\n\
             \x20 typ = features2i[get_table_option(L, \"type\", NULL, features)];\n  return 0;\n}\n\
             int lspo_door(lua_State *L) {\n  static const char *const states[] = { \"open\", \"closed\", \"ajar\", 0 };\n\
             \x20 static const int states2i[] = { 2, 4, 2, 0 };\n\
             \x20 return states2i[get_table_option(L, \"state\", \"open\", states)];\n}\n\
             int lspo_fire_kiln(lua_State *L) { lua_pushboolean(L, 1); return 1; }\n\
             static const struct luaL_Reg nhl_functions[] = {\n  { \"message\", lspo_message }, { \"object\", lspo_object },\n\
             \x20 { \"level_flags\", lspo_level_flags }, { \"feature\", lspo_feature }, { \"door\", lspo_door },\n\
             \x20 { \"fire_kiln\", lspo_fire_kiln }, { NULL, NULL } };\n",
        ),
        (
            "src/nhlua.c",
            "#include \"config.h\"\n#include \"rm.h\"\n\
             static const struct { char c; int typ; } char2typ[] = { { ' ', STONE }, { '.', ROOM }, { '-', HWALL },\n\
             { '|', VWALL }, { 'm', MOSS }, { '{', FOUNTAIN }, { 'x', MAX_TYPE }, { 'w', MATCH_WALL }, { 0, STONE } };\n\
             static int nhl_soot(lua_State *L) { lua_pushinteger(L, 3); return 1; }\n\
             static const struct luaL_Reg nhl_functions[] = { { \"soot\", nhl_soot }, { NULL, NULL } };\n\
             static const struct luaL_Reg nhl_u_functions[] = { { NULL, NULL } };\n\
             static int nhl_meta_u_index(lua_State *L) {\n  static const struct { const char *name; } ustruct[] = { { \"ux\" }, { \"glow\" } };\n\
             \x20 if (!strcmp(tkey, \"guild\")) { lua_pushstring(L, guild); return 1; }\n  return 0;\n}\n",
        ),
        (
            "dat/nhlib.lua",
            "math.random = function(...)\n  local a = {...}\n  if #a == 1 then return 1 + nh.rn2(a[1]) end\n\
             \x20 if #a == 2 then return nh.random(a[1], a[2] + 1 - a[1]) end\n  error('no')\nend\n\
             function shuffle(list) end\nalign = { 'law', 'neutral', 'chaos' }\n\
             function percent(n) return math.random(0, 99) < n end\n\
             function two_kilns(x, y)\n  des.feature('kiln', x, y)\n  des.feature('kiln', x + 2, y)\nend\n",
        ),
    ];
    files.into_iter().map(|(path, text)| (path, text.to_owned())).collect()
}

fn imported(tree: &BTreeMap<&'static str, String>) -> Imported {
    // Includes are relative to the tree's own folders.
    let mut files = |path: &str| Ok(tree.get(path).map(|text| text.as_bytes().to_vec()));
    let options = ImportOptions { name: "kiln-1".to_owned(), title: "Kiln 1".to_owned(), ..ImportOptions::default() };
    import(&mut files, &options).unwrap()
}

/// Returns the diagnostics of a script: `line: message`.
fn checked(name: &str, text: &str, catalog: &Shared) -> Vec<(Severity, String)> {
    let options =
        Options { wanted: Wanted { catalog: Some(catalog.clone()), ..Wanted::default() }, ..Options::default() };
    let script = lua::check(Input::new(name, text), &options).unwrap();
    let line = |diagnostic: &splc_ir::diagnostic::Diagnostic| {
        let start = diagnostic.span.map_or(0, |span| span.start as usize);
        text[..start].matches('\n').count() + 1
    };
    let all = script.diagnostics.iter();
    all.map(|diagnostic| (diagnostic.severity, format!("{}: {}", line(diagnostic), diagnostic.message))).collect()
}

/// Runs a level, and returns its calls of functions without effect, and the machine.
fn ran(text: &str, catalog: &Shared) -> (Vec<String>, Machine) {
    let level = LuaLevel { name: "x".into(), text: text.into(), file: FileId(0) };
    let prepared = Prepared::of_lua(&level, catalog.clone()).unwrap();
    let mut machine = Machine::new();
    let end = machine.run(&prepared, &Settings::default(), &mut SplitMix::new(1), &mut ()).map(|_| ());
    end.unwrap_or_else(|stopped| panic!("{}", stopped.fault));
    let level = machine.level();
    let calls = level.calls.iter().map(|&call| level.text(call).to_owned()).collect();
    (calls, machine)
}

const LEVEL: &str = "des.level_init({ style = 'solidfill', fg = '.' })\n\
                     des.level_flags('noflip', 'sooty')\n\
                     des.map([[\n.....m\n......\n]])\n\
                     des.monster('kiln lord', 0, 0)\n\
                     des.monster({ id = 'moss hag', x = 1, y = 0 })\n\
                     des.trap('glue', 2, 0)\n\
                     des.object({ id = 'long spoon', x = 3, y = 0, glaze = 'bright', heat = 'random' })\n\
                     des.door({ x = 4, y = 0, state = 'ajar' })\n\
                     des.feature('kiln', 0, 1)\n\
                     two_kilns(2, 1)\n\
                     if des.fire_kiln() then des.message('hot') end\n\
                     if u.guild == 'potters' and nh.soot() > u.glow then des.message('sooty') end\n";

#[test]
fn additions_of_a_game_are_imported() {
    let imported = imported(&tree());
    assert_eq!(imported.parent, "nethack-5.0.0");
    let catalog = loaded_catalog(&imported.text);
    let monsters: Vec<&str> = catalog.monsters.iter().map(|monster| monster.name.as_ref()).collect();
    assert_eq!(monsters, ["giant ant", "kiln warden", "moss hag"]);
    assert_eq!(catalog.monster_forms(), [(1, "kiln lord".into(), "kiln lady".into())]);
    let objects: Vec<&str> = catalog.objects.iter().map(|object| object.name.as_ref()).collect();
    assert_eq!(objects, ["strange object", "generic strange", "long spoon", "sack"]);
    assert_eq!(catalog.object_descriptions(), [(1, "strange".into()), (3, "bag".into())]);
    assert_eq!((catalog.trap("glue"), catalog.terrain('m'), catalog.terrain('w')), (Some(2), Some(14), None));
    let looks = |of: &str| catalog.look(of).map(|look| (look.symbol, look.name.to_string(), look.like.to_string()));
    assert_eq!(looks("moss"), Some(('%', "soft moss".to_owned(), "room".to_owned())));
    assert_eq!(looks("kiln").map(|(symbol, _, like)| (symbol, like)), Some(('&', "fountain".to_owned())));
    for line in [
        "functions.\"des.fire_kiln\" = { gives = \"boolean\" }",
        "functions.\"nh.soot\" = { gives = \"number\" }",
        "keys.\"des.door\".state = { ajar = \"open\" }",
        "keys.\"des.feature\".type = { kiln = \"kiln\" }",
        "keys.\"des.object\".glaze = [\"matt\", \"bright\"]",
        "keys.\"des.object\".heat = \"number or random\"",
        "values.\"u.glow\" = \"number\"",
        "values.\"u.guild\" = \"text\"",
        "sooty = 16777217",
        "function two_kilns(x, y)",
    ] {
        assert!(imported.text.lines().any(|known| known == line), "{line}\n{}", imported.text);
    }
    assert!(!imported.text.contains("\"des.object\".lit"), "{}", imported.text);
}

#[test]
fn a_level_of_the_game_is_checked_and_runs() {
    let catalog = loaded_catalog(&imported(&tree()).text);
    let reported = checked("x.lua", LEVEL, &catalog);
    let notes: Vec<&str> = reported.iter().map(|(_, message)| message.as_str()).collect();
    assert!(reported.iter().all(|(severity, _)| *severity == Severity::Note), "{reported:?}");
    assert_eq!(
        notes,
        [
            "10: the key `glaze` of des.object has no effect in splc",
            "10: the key `heat` of des.object has no effect in splc",
            "14: des.fire_kiln has no effect in splc, and gives false",
            "15: nh.soot has no effect in splc, and gives 0",
        ]
    );
    let (calls, machine) = ran(LEVEL, &catalog);
    assert_eq!(calls, ["des.object.glaze = \"bright\"", "des.object.heat = \"random\"", "des.fire_kiln()"],);
    let level = machine.level();
    assert_eq!((level.monsters.len(), level.traps.len(), level.objects.len()), (2, 1, 1));
    let count = |name: &str| {
        let kind = Terrain::of_type(name, &catalog).unwrap();
        (0..80).flat_map(|x| (0..21).map(move |y| (x, y))).filter(|&(x, y)| level.terrain(x, y) == kind).count()
    };
    assert_eq!((count("moss"), count("kiln")), (1, 3));
}

#[test]
fn mistakes_in_additions_are_reported_and_the_rest_is_judged() {
    let catalog = loaded_catalog(&imported(&tree()).text);
    let level = "des.object({ id = 'long spoon', glaze = 'brihgt' })\n\
                 des.door({ x = 1, y = 1, state = 'jaar' })\n\
                 des.feature('kilm', 1, 1)\n\
                 des.fire_kilns()\n\
                 two_kiln(1, 1)\n\
                 des.monster('moss hog', 1, 1)\n\
                 local x = u.guld\n";
    let reported = checked("x.lua", level, &catalog);
    let errors: Vec<&str> =
        reported.iter().filter(|(severity, _)| *severity != Severity::Note).map(|(_, text)| text.as_str()).collect();
    assert_eq!(
        errors,
        [
            "1: the glaze of des.object cannot be \"brihgt\"",
            "2: the state of des.door cannot be \"jaar\"",
            "3: the type of des.feature cannot be \"kilm\"",
            "4: des has no `fire_kilns`",
            "5: `two_kiln` is never set",
            "6: Kiln 1 has no monster \"moss hog\"",
            "7: u has no `guld`",
        ]
    );
}

/// The additions by hand: a catalog without a source tree.
const BY_HAND: &str = "extends = \"nethack-5.0.0\"\nname = \"hand-1\"\ntitle = \"Hand 1\"\n\
    add_traps = [{ name = \"glue\", after = \"vibrating square\" }]\nloader.trap_types = 27\n\
    [words.flag]\nsooty = 33554432\n\
    [lua.functions]\n\"nh.mood\" = { takes = [\"monster\", \"number?\"], gives = \"text\" }\n\
    \"selection.middle\" = { takes = [\"selection\"], gives = \"place\" }\n\"des.weather\" = {}\n\
    [lua.keys]\n\"des.monster\" = { mood = [\"glad\", \"sad\"], heat = \"number\" }\n\
    [lua.values]\n\"nhc.KILNS\" = \"number\"\n";

#[test]
fn a_catalog_can_say_the_same_by_hand() {
    let catalog = loaded_catalog(BY_HAND);
    let level = "des.level_init({ style = 'solidfill', fg = '.' })\n\
                 des.level_flags('sooty')\n\
                 des.monster({ id = 'newt', mood = 'glad', heat = nhc.KILNS })\n\
                 des.trap('glue', 5, 5)\n\
                 local place = selection.area(1, 1, 3, 3):middle()\n\
                 des.gold(place.x + 5, { 6, 6 })\n\
                 des.weather(1, 2, 3)\n\
                 if nh.mood('newt') == 'glad' then des.message('glad') end\n";
    let reported = checked("x.lua", level, &catalog);
    assert!(reported.iter().all(|(severity, _)| *severity == Severity::Note), "{reported:?}");
    let (calls, machine) = ran(level, &catalog);
    assert_eq!((calls.len(), machine.level().traps.len()), (5, 1), "{calls:?}");
    let wrong = "des.monster({ id = 'newt', mood = 'gald', heat = {} })\nnh.mood()\nnh.mood('newtt')\nnh.mood('newt', 'x', 1)\n";
    let reported: Vec<String> = checked("x.lua", wrong, &catalog)
        .into_iter()
        .filter(|(severity, _)| *severity != Severity::Note)
        .map(|(_, message)| message)
        .collect();
    assert_eq!(
        reported,
        [
            "1: the mood of des.monster cannot be \"gald\"",
            "1: des.monster takes a number for heat, found a table",
            "2: nh.mood takes 1 to 2 arguments, found 0",
            "3: Hand 1 has no monster \"newtt\"",
            "4: nh.mood takes 1 to 2 arguments, found 3",
        ]
    );
}

#[test]
fn mistakes_in_the_catalog_are_reported() {
    let wrong = "extends = \"nethack-5.0.0\"\nname = \"x\"\ntitle = \"X\"\n\
                 [lua.functions]\n\"weather\" = {}\n\"nh.mood\" = { gives = \"txet\" }\n\
                 [lua.keys]\n\"foo.bar\" = { x = \"number\" }\n\"des.door\" = { iron = \"yes\" }\n";
    let mut sources = SourceMap::new();
    let file = sources.add("x.toml", None, wrong.as_bytes().to_vec());
    let mut diagnostics = Diagnostics::new();
    assert!(Catalogs::default().load(&mut sources, file, &mut NothingBeside, &mut diagnostics).is_none());
    let messages: Vec<&str> = diagnostics.iter().map(|diagnostic| diagnostic.message.text()).collect();
    assert_eq!(
        messages,
        [
            "unknown kind of values \"txet\"",
            "\"weather\" is not a full name",
            "unknown kind of values \"yes\"",
            "\"foo.bar\" is not a full name",
        ]
    );
}

#[test]
fn scripts_of_the_game_itself_have_no_false_errors() {
    let catalog = loaded_catalog("extends = \"nethack-5.0.0\"\nname = \"x\"\ntitle = \"X\"\n");
    // Both are called only if the game gives the script more than it gives levels.
    let script = "local function log()\n  local file = io.open('x', 'w')\n  error('no')\nend\nlog()\n";
    assert_eq!(checked("nhcore.lua", script, &catalog), []);
    assert_eq!(checked("nhlib.lua", script, &catalog), []);
    assert_eq!(checked("castle.lua", script, &catalog).len(), 2);
    assert_eq!(checked("nhcore.lua", "print('x')\n", &catalog).len(), 1);
}

#[test]
fn a_tree_with_missing_files_is_refused() {
    let mut tree = tree();
    tree.remove("src/sp_lev.c");
    let mut files = |path: &str| Ok(tree.get(path).map(|text| text.as_bytes().to_vec()));
    let problem = import(&mut files, &ImportOptions::default()).unwrap_err();
    assert_eq!(problem, TreeError::NotATree(vec!["src/sp_lev.c"]));
}
