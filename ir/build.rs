//! Turns the catalogs (`catalogs/*.toml`, one per game) into static tables, so that splc does not parse them at run
//! time and looks names up in sorted indices.
//!
//! The catalogs are read by the same reader that loads catalogs at run time. Any problem it reports stops the build.
// A build script reports errors by panicking.
#![allow(clippy::unwrap_used)]

// Parts of these modules are used only by the library.
#[allow(dead_code)]
#[path = "src/abi.rs"]
mod abi;
#[path = "src/catalog/bits.rs"]
mod bits;
#[allow(dead_code)]
#[path = "src/catalog/dialect.rs"]
mod dialect;
#[allow(dead_code)]
#[path = "src/catalog/features.rs"]
mod features;
#[allow(dead_code)]
#[path = "src/catalog/file/mod.rs"]
mod file;
#[allow(dead_code)]
#[path = "src/catalog/loader.rs"]
mod loader;

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs};

use features::Feature;
use file::{DUNGEON_NUMBERS, Draft, Known, LIMITS, Numbers, PACKING, Problems, SpeciesDraft, TABLES};
use loader::{Habit, LoaderRule};

/// Generates a catalog name.
fn name(name: &str) -> String {
    format!("name({name:?})")
}

/// Generates a catalog table.
fn list(entries: impl IntoIterator<Item = String>) -> String {
    let entries: Vec<String> = entries.into_iter().collect();
    format!("table(const {{ &[{}] }})", entries.join(", "))
}

fn names(names: &[impl AsRef<str>]) -> String {
    list(names.iter().map(|entry| name(entry.as_ref())))
}

fn numbered(entries: &Numbers) -> String {
    list(entries.iter().map(|(key, number)| format!("({}, {number})", name(key))))
}

fn ranges(ranges: &[(u16, u16)]) -> String {
    list(ranges.iter().map(|range| format!("{range:?}")))
}

/// Generates the positions of the names in `species`, sorted by `key` and then by position, without empty names.
fn index(species: &[SpeciesDraft], key: impl Fn(&str) -> String) -> String {
    let named = species.iter().enumerate().filter(|(_, one)| !one.name.is_empty());
    let mut order: Vec<(String, usize)> = named.map(|(at, one)| (key(&one.name), at)).collect();
    order.sort();
    list(order.iter().map(|(_, at)| at.to_string()))
}

fn kinds(species: &[SpeciesDraft]) -> String {
    list(species.iter().map(|one| {
        let habits: Vec<String> = one.habits.iter().map(|habit| format!("Habit::{}", camel(habit))).collect();
        let (called, class, habits) = (name(&one.name), one.class, habits.join(", "));
        format!("Species {{ name: {called}, class: {class:?}, habits: Habits::of(&[{habits}]) }}")
    }))
}

fn camel(name: &str) -> String {
    name.split('_').map(|word| word[..1].to_uppercase() + &word[1..]).collect()
}

fn constant(draft: &Draft) -> String {
    draft.name.to_uppercase().replace(['-', '.'], "_")
}

fn generate(draft: &Draft, all_keywords: &BTreeSet<String>) -> String {
    let mut out = String::new();
    writeln!(out, "/// What {} knows.", draft.title).unwrap();
    writeln!(out, "pub static {}: Catalog = Catalog {{", constant(draft)).unwrap();
    let mut field = |key: &str, value: String| writeln!(out, "    {key}: {value},").unwrap();
    field("name", name(&draft.name));
    field("title", name(&draft.title));
    field("dialect", name(&draft.dialect));
    field("extends", draft.extends.as_deref().map_or("None".to_owned(), |parent| format!("Some({})", name(parent))));
    field("format", format!("Format::{}", camel(&draft.format)));
    let features: Vec<String> = draft.features.iter().map(|name| format!("Feature::{}", camel(name))).collect();
    field("features", format!("Features::of(&[{}])", features.join(", ")));
    let packing: Vec<String> =
        PACKING.iter().zip(draft.packing).map(|(key, value)| format!("{key}: {value}")).collect();
    field("packing", format!("Packing {{ {} }}", packing.join(", ")));
    field("opcodes", list(draft.opcodes.iter().map(|name| format!("Opcode::from_catalog({name:?})"))));

    let mut terrain = vec![-1; 128];
    for &(character, number) in &draft.terrain {
        terrain[character as usize] = number as i32;
    }
    field("terrain", list(terrain.iter().map(i32::to_string)));
    field("level_types", names(&draft.level_types));
    field("max_terrain", draft.level_types.len().to_string());
    field("map_characters", name(&draft.map_characters));
    field("traps", numbered(&draft.traps));
    field("rooms", numbered(&draft.rooms));
    field("monster_classes", name(&draft.monster_classes));
    field("object_classes", name(&draft.object_classes));
    for (key, species) in [("monsters", &draft.monsters), ("objects", &draft.objects)] {
        field(key, kinds(species));
        field(&format!("{key}_by_name"), index(species, str::to_owned));
        field(&format!("{key}_by_folded_name"), index(species, str::to_ascii_lowercase));
    }

    let forms = draft.monsters.iter().enumerate().filter(|(_, one)| one.also.len() == 2);
    let forms = forms.map(|(at, one)| format!("({at}, {}, {})", name(&one.also[0]), name(&one.also[1])));
    field("monster_forms", list(forms));
    let descriptions = draft.objects.iter().enumerate().filter(|(_, one)| one.also.len() == 1);
    field("object_descriptions", list(descriptions.map(|(at, one)| format!("({at}, {})", name(&one.also[0])))));

    let loader = &draft.loader;
    let rules: Vec<String> = loader.rules.iter().map(|name| format!("LoaderRule::{}", camel(name))).collect();
    let parts = [
        format!("rules: LoaderRules::of(&[{}])", rules.join(", ")),
        format!("trap_types: {}", loader.trap_types),
        format!("vibrating_square: {}", loader.vibrating_square),
        format!("stocked_rooms: {}", names(&loader.stocked_rooms)),
        format!("escape_items: {}", names(&loader.escape_items)),
        format!("merging_objects: {}", ranges(&loader.merging_objects)),
        format!("deep_traps: {}", ranges(&loader.deep_traps)),
    ];
    field("loader", format!("Loader {{ {} }}", parts.join(", ")));

    let functions = draft.core_functions.iter().map(|function| {
        let (called, parameters) = (name(&function.name), name(&function.parameters));
        let (number, result) = (function.number, function.result);
        format!("CoreFunction {{ name: {called}, number: {number}, parameters: {parameters}, result: {result:?} }}")
    });
    field("core_functions", list(functions));
    let methods = draft.methods.iter().map(|method| {
        let (of, called) = (name(&method.of), name(&method.name));
        let (array, number, result) = (method.array, method.number, method.result);
        format!("Method {{ of: {of}, array: {array}, name: {called}, number: {number}, result: {result:?} }}")
    });
    field("methods", list(methods));
    let keywords = draft.all_keywords();
    let lacking: Vec<&String> = all_keywords.iter().filter(|word| !keywords.contains(&word.as_str())).collect();
    field("keywords", names(&keywords));
    field("lacking_keywords", names(&lacking));
    // Own words are those of no built-in game.
    assert!(draft.place_statements.is_empty(), "{}: `place_statements` is for games that are not built in", draft.name);
    field("place_statements", names(&draft.place_statements));
    field("structures", names(&draft.structures));
    field("joined_terrain", names(&draft.joined_terrain));
    field("artifacts", names(&draft.artifacts));
    field("gods", names(&draft.gods));
    field("own_words", list([]));

    let headers = draft.header.iter().map(|(abi, longs)| {
        let longs = list(longs.iter().map(|long| format!("{long:#x}")));
        format!("({}, {longs})", name(abi))
    });
    field("headers", list(headers));
    let limits: Vec<String> =
        LIMITS.iter().zip(draft.limits).map(|((key, _), value)| format!("{key}: {value}")).collect();
    field("limits", format!("Limits {{ {} }}", limits.join(", ")));
    let dungeon = &draft.dungeon;
    let numbers = DUNGEON_NUMBERS.iter().zip(dungeon.numbers).map(|((key, _), value)| format!("{key}: {value}"));
    let parts: Vec<String> = numbers
        .chain([
            format!("controls: dungeon::Controls::{}", camel(&dungeon.controls)),
            format!("defines: {}", numbered(&dungeon.defines)),
            format!("built: {}", names(&dungeon.built)),
            format!("fillings: {}", names(&dungeon.fillings)),
            format!("quest_prefix: {}", name(&dungeon.quest_prefix)),
            format!("roles: {}", names(&dungeon.roles)),
            format!("quest_fillings: {}", names(&dungeon.quest_fillings)),
            format!("special_levels: {}", names(&dungeon.special_levels)),
            format!("rare_levels: {}", names(&dungeon.rare_levels)),
            "described_in: None".to_owned(),
        ])
        .collect();
    field("dungeon", format!("dungeon::Rules {{ {} }}", parts.join(", ")));
    for (key, numbers) in TABLES.iter().zip(&draft.tables) {
        field(key, numbered(numbers));
    }
    let words: Vec<String> = draft.words.iter().map(numbered).collect();
    field("words", format!("[{}]", words.join(", ")));
    out.push_str("};\n\n");
    out
}

/// Reads the catalog at `path` and the catalog it extends, if any. Panics with a list of all problems.
fn read(path: &Path, known: &Known) -> Draft {
    let text = fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let parent = file::parent(&text).map(|(name, _)| read(&path.with_file_name(format!("{name}.toml")), known));
    let mut problems = Problems::default();
    let draft = file::read(&text, parent, known, &mut problems);
    if problems.list.is_empty() {
        return draft;
    }
    let mut report = String::new();
    for problem in problems.list {
        let line = text[..problem.place.start].matches('\n').count() + 1;
        writeln!(report, "{}:{line}: {}", path.display(), problem.message).unwrap();
        if let Some(help) = problem.help {
            writeln!(report, "    help: {help}").unwrap();
        }
    }
    panic!("the catalog has errors\n{report}");
}

fn main() {
    let manifest = PathBuf::from(env::var("CARGO_MANIFEST_DIR").unwrap());
    let catalogs = manifest.join("catalogs");
    for watched in ["catalogs", "src/catalog", "src/abi.rs"] {
        println!("cargo::rerun-if-changed={}", manifest.join(watched).display());
    }
    let mut paths: Vec<PathBuf> = fs::read_dir(&catalogs)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "toml"))
        .collect();
    // Sorted by name, so that a game precedes its variants.
    paths.sort_by_key(|path| path.file_stem().map(ToOwned::to_owned));
    let known = Known {
        features: Feature::ALL.iter().map(|feature| feature.name()).collect(),
        rules: LoaderRule::ALL.iter().map(|rule| rule.name()).collect(),
        habits: Habit::ALL.iter().map(|habit| habit.name()).collect(),
        opcodes: None,
        abis: abi::ALL.iter().map(|abi| abi.name.to_owned()).collect(),
        dialects: dialect::all().map(|dialect| dialect.name.to_owned()).collect(),
    };
    let drafts: Vec<Draft> = paths.iter().map(|path| read(path, &known)).collect();
    // Lexers of des-files do not recognise words of NetHack 5.
    let des_files = drafts.iter().filter(|draft| draft.format != file::LUA);
    let all_keywords: BTreeSet<String> = des_files.flat_map(|draft| draft.all_keywords()).map(str::to_owned).collect();
    let mut out: String = drafts.iter().map(|draft| generate(draft, &all_keywords)).collect();
    let constants: Vec<String> = drafts.iter().map(|draft| format!("&{}", constant(draft))).collect();
    writeln!(out, "/// Every catalog, by name.\npub static ALL: &[&Catalog] = &[{}];", constants.join(", ")).unwrap();
    fs::write(PathBuf::from(env::var("OUT_DIR").unwrap()).join("catalogs.rs"), out).unwrap();
}
