//! Turns the catalogs (`catalogs/*.toml`, one a game) into static tables, so that a run of splc parses
//! none of them and looks names up in sorted indices.
// A build script says what is wrong by panicking.
#![allow(clippy::unwrap_used)]

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs};

use serde::Deserialize;

type Table = BTreeMap<String, i64>;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    schema: u32,
    name: String,
    title: String,
    dialect: String,
    extends: Option<String>,
    format: String,
    #[serde(default)]
    packing: Table,
    features: Vec<String>,
    #[serde(default)]
    loader: LoaderFile,
    opcodes: Vec<String>,
    terrain: Vec<(String, String, i32)>,
    level_types: Vec<String>,
    max_terrain: i32,
    map_characters: String,
    traps: Vec<(String, i32)>,
    rooms: Vec<(String, i32)>,
    monster_classes: String,
    object_classes: String,
    monsters: Vec<(String, String, String)>,
    objects: Vec<(String, String)>,
    core_functions: Vec<(String, i32, String, String)>,
    methods: Vec<(String, bool, String, i32, String)>,
    keywords: Vec<String>,
    header: BTreeMap<String, Vec<String>>,
    limits: Table,
    value_types: Table,
    monster_parts: Table,
    object_parts: Table,
    level_regions: Table,
    init_styles: Table,
    drawbridge_directions: Table,
    words: BTreeMap<String, Table>,
}

/// What the game's level loader needs to know besides.
#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct LoaderFile {
    #[serde(default)]
    rules: Vec<String>,
    #[serde(default)]
    trap_types: i32,
    #[serde(default)]
    vibrating_square: i32,
    #[serde(default)]
    stocked_rooms: Vec<String>,
    #[serde(default)]
    escape_items: Vec<String>,
    #[serde(default)]
    merging_objects: Vec<(u16, u16)>,
    #[serde(default)]
    deep_traps: Vec<(u16, u16)>,
}

/// Groups of `words` that [`crate::words::Group`] knows, in its order.
const GROUPS: &[&str] = &[
    "flag",
    "door_state",
    "direction",
    "alignment",
    "altar",
    "engraving",
    "curse",
    "attitude",
    "alertness",
    "appearance",
    "light",
    "filling",
    "irregular",
    "joined",
    "limited",
    "humidity",
    "gradient",
    "sound",
    "trapped",
    "horizontal",
    "vertical",
    "vertical_direction",
];

/// Limits of a game that [`crate::catalog::Limits`] knows; a game need not have all of them.
const LIMITS: &[&str] = &[
    "columns",
    "rows",
    "map_width",
    "map_height",
    "level_name",
    "room_columns",
    "room_rows",
    "nesting",
    "switch_cases",
    "switch_breaks",
    "registers",
    "room_types",
    "of_type",
    "message",
    "alignments",
    "parts",
    "rooms_and_subrooms",
    "subrooms",
    "non_passwall",
    "corridors",
];

/// What biases and marks [`crate::catalog::Packing`] knows.
const PACKING: &[&str] = &["species_bias", "light_bias", "random_place"];

/// Panics if one of the `keys` is none of those `known`: nobody would read it.
fn assert_known<'a>(file: &File, keys: impl Iterator<Item = &'a String>, known: &[&str]) {
    for key in keys {
        assert!(known.contains(&key.as_str()), "{}: nothing reads \"{key}\"", file.name);
    }
}

/// The text of a name of a game.
fn name(name: &str) -> String {
    format!("name({name:?})")
}

/// The text of a table of a game.
fn list(entries: impl IntoIterator<Item = String>) -> String {
    let entries: Vec<String> = entries.into_iter().collect();
    format!("table(const {{ &[{}] }})", entries.join(", "))
}

fn table(out: &mut String, name: &str, table: &Table) {
    writeln!(out, "    {name}: {},", numbered(table.iter().map(|(key, &number)| (key, number)))).unwrap();
}

fn numbered<'a>(entries: impl Iterator<Item = (&'a String, i64)>) -> String {
    list(entries.map(|(key, number)| format!("({}, {number})", name(key))))
}

/// Positions of the names in `names`, sorted by `key` and then by position; empty names are left out.
fn index(names: &[&str], key: impl Fn(&str) -> String) -> String {
    let mut order: Vec<(String, usize)> =
        names.iter().enumerate().filter(|(_, name)| !name.is_empty()).map(|(at, name)| (key(name), at)).collect();
    order.sort();
    let numbers = order.iter().map(|(_, at)| at.to_string());
    list(numbers)
}

fn symbol(text: &str) -> char {
    text.chars().next().unwrap_or('\0')
}

fn camel(name: &str) -> String {
    name.split(['_', '-']).map(|word| word[..1].to_uppercase() + &word[1..]).collect()
}

/// Every word that the game's lexer knows.
fn keywords(file: &File) -> BTreeSet<&str> {
    let groups = file.words.values().flat_map(|group| group.keys());
    file.keywords.iter().chain(groups).map(String::as_str).collect()
}

fn generate(file: &File, all_keywords: &BTreeSet<String>) -> String {
    assert_eq!(file.schema, 1, "{}: unknown schema", file.name);
    assert_known(file, file.packing.keys(), PACKING);
    assert_known(file, file.limits.keys(), LIMITS);
    assert_known(file, file.words.keys(), GROUPS);
    let mut out = String::new();
    let constant = file.name.to_uppercase().replace(['-', '.'], "_");
    writeln!(out, "/// What {} knows.", file.title).unwrap();
    writeln!(out, "pub static {constant}: Catalog = Catalog {{").unwrap();
    let names = [name(&file.name), name(&file.title), name(&file.dialect)];
    writeln!(out, "    name: {}, title: {}, dialect: {},", names[0], names[1], names[2]).unwrap();
    let parent = file.extends.as_deref().map_or("None".to_owned(), |parent| format!("Some({})", name(parent)));
    writeln!(out, "    extends: {parent},").unwrap();
    writeln!(out, "    format: Format::{},", camel(&file.format)).unwrap();
    let features: Vec<String> = file.features.iter().map(|name| format!("Feature::{}", camel(name))).collect();
    writeln!(out, "    features: Features::of(&[{}]),", features.join(", ")).unwrap();
    out.push_str("    packing: Packing {\n");
    for key in PACKING {
        writeln!(out, "        {key}: {},", file.packing.get(*key).copied().unwrap_or(0)).unwrap();
    }
    out.push_str("    },\n");
    // Opcodes both ways: by number, and the number of each.
    let opcodes = file.opcodes.iter().map(|name| format!("Opcode::from_catalog({name:?})"));
    writeln!(out, "    opcodes: {},", list(opcodes)).unwrap();

    let mut terrain = vec![-1_i32; 128];
    for (character, _, number) in &file.terrain {
        terrain[symbol(character) as usize] = *number;
    }
    writeln!(out, "    terrain: {},", list(terrain.iter().map(i32::to_string))).unwrap();
    writeln!(out, "    level_types: {},", list(file.level_types.iter().map(|word| name(word)))).unwrap();
    writeln!(out, "    max_terrain: {},", file.max_terrain).unwrap();
    writeln!(out, "    map_characters: {},", name(&file.map_characters)).unwrap();
    let pairs = |pairs: &[(String, i32)]| numbered(pairs.iter().map(|(key, number)| (key, i64::from(*number))));
    writeln!(out, "    traps: {},", pairs(&file.traps)).unwrap();
    writeln!(out, "    rooms: {},", pairs(&file.rooms)).unwrap();
    writeln!(out, "    monster_classes: {},", name(&file.monster_classes)).unwrap();
    writeln!(out, "    object_classes: {},", name(&file.object_classes)).unwrap();

    let species = |called: &str, class: &str, habits: &str| {
        let habits: Vec<String> = habits.split_whitespace().map(|habit| format!("Habit::{}", camel(habit))).collect();
        let (class, habits) = (symbol(class), habits.join(", "));
        format!("Species {{ name: {}, class: {class:?}, habits: Habits::of(&[{habits}]) }}", name(called))
    };
    let monsters = file.monsters.iter().map(|(name, class, habits)| species(name, class, habits));
    writeln!(out, "    monsters: {},", list(monsters)).unwrap();
    let monster_names: Vec<&str> = file.monsters.iter().map(|(name, ..)| name.as_str()).collect();
    writeln!(out, "    monsters_by_name: {},", index(&monster_names, str::to_owned)).unwrap();
    writeln!(out, "    monsters_by_folded_name: {},", index(&monster_names, str::to_ascii_lowercase)).unwrap();

    let objects = file.objects.iter().map(|(name, class)| species(name, class, ""));
    writeln!(out, "    objects: {},", list(objects)).unwrap();
    let object_names: Vec<&str> = file.objects.iter().map(|(name, _)| name.as_str()).collect();
    writeln!(out, "    objects_by_name: {},", index(&object_names, str::to_owned)).unwrap();
    writeln!(out, "    objects_by_folded_name: {},", index(&object_names, str::to_ascii_lowercase)).unwrap();

    let rules: Vec<String> = file.loader.rules.iter().map(|name| format!("LoaderRule::{}", camel(name))).collect();
    writeln!(out, "    loader: Loader {{ rules: LoaderRules::of(&[{}]),", rules.join(", ")).unwrap();
    writeln!(out, "        trap_types: {},", file.loader.trap_types).unwrap();
    writeln!(out, "        vibrating_square: {},", file.loader.vibrating_square).unwrap();
    let names = |names: &[String]| list(names.iter().map(|entry| name(entry)));
    let ranges = |ranges: &[(u16, u16)]| list(ranges.iter().map(|range| format!("{range:?}")));
    writeln!(out, "        stocked_rooms: {},", names(&file.loader.stocked_rooms)).unwrap();
    writeln!(out, "        escape_items: {},", names(&file.loader.escape_items)).unwrap();
    writeln!(out, "        merging_objects: {},", ranges(&file.loader.merging_objects)).unwrap();
    writeln!(out, "        deep_traps: {} }},", ranges(&file.loader.deep_traps)).unwrap();

    let functions = file.core_functions.iter().map(|(called, number, parameters, result)| {
        let (called, parameters, result) = (name(called), name(parameters), symbol(result));
        format!("CoreFunction {{ name: {called}, number: {number}, parameters: {parameters}, result: {result:?} }}")
    });
    writeln!(out, "    core_functions: {},", list(functions)).unwrap();
    let methods = file.methods.iter().map(|(of, array, called, number, result)| {
        let (of, called, result) = (name(of), name(called), symbol(result));
        format!("Method {{ of: {of}, array: {array}, name: {called}, number: {number}, result: {result:?} }}")
    });
    writeln!(out, "    methods: {},", list(methods)).unwrap();
    let keywords = keywords(file);
    let lacking: Vec<&String> = all_keywords.iter().filter(|word| !keywords.contains(word.as_str())).collect();
    writeln!(out, "    keywords: {},", list(keywords.iter().map(|word| name(word)))).unwrap();
    writeln!(out, "    lacking_keywords: {},", list(lacking.iter().map(|word| name(word)))).unwrap();

    let headers = file.header.iter().map(|(abi, longs)| format!("({}, {})", name(abi), list(longs.iter().cloned())));
    writeln!(out, "    headers: {},", list(headers)).unwrap();
    out.push_str("    limits: Limits {\n");
    for key in LIMITS {
        writeln!(out, "        {key}: {},", file.limits.get(*key).copied().unwrap_or(0)).unwrap();
    }
    out.push_str("    },\n");
    table(&mut out, "value_types", &file.value_types);
    table(&mut out, "monster_parts", &file.monster_parts);
    table(&mut out, "object_parts", &file.object_parts);
    table(&mut out, "level_regions", &file.level_regions);
    table(&mut out, "init_styles", &file.init_styles);
    table(&mut out, "drawbridge_directions", &file.drawbridge_directions);
    out.push_str("    words: [\n");
    let none = Table::new();
    for group in GROUPS {
        let words = file.words.get(*group).unwrap_or(&none);
        writeln!(out, "        {},", numbered(words.iter().map(|(word, &number)| (word, number)))).unwrap();
    }
    out.push_str("    ],\n};\n\n");
    out
}

/// The keys of the catalog at `path`, with those of the catalog that it `extends`, if it does.
///
/// What the extending catalog has goes before what the other has, key by key (whole tables, not their entries);
/// `without_monsters` and `without_objects` take these names out, and what stands behind them moves up.
fn resolved(path: &Path) -> toml::Table {
    let text = fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let mut table: toml::Table = text.parse().unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let Some(toml::Value::String(base)) = table.get("extends").cloned() else { return table };
    let mut whole = resolved(&path.with_file_name(format!("{base}.toml")));
    for (without, list) in [("without_monsters", "monsters"), ("without_objects", "objects")] {
        let names: Vec<String> = table.remove(without).map_or(Vec::new(), |names| names.try_into().unwrap());
        let species = whole.get_mut(list).and_then(toml::Value::as_array_mut).unwrap();
        for name in names {
            let at = species.iter().position(|entry| entry[0].as_str() == Some(&name));
            species.remove(at.unwrap_or_else(|| panic!("{}: {list} has no \"{name}\"", path.display())));
        }
    }
    whole.extend(table);
    whole
}

fn main() {
    let catalogs = Path::new(&env::var("CARGO_MANIFEST_DIR").unwrap()).join("catalogs");
    println!("cargo::rerun-if-changed={}", catalogs.display());
    let mut paths: Vec<PathBuf> = fs::read_dir(&catalogs)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "toml"))
        .collect();
    // By name, so that a game goes before its variants.
    paths.sort_by_key(|path| path.file_stem().map(ToOwned::to_owned));
    let mut out = String::new();
    let mut constants = Vec::new();
    let files: Vec<File> = paths
        .iter()
        .map(|path| resolved(path).try_into().unwrap_or_else(|error| panic!("{}: {error}", path.display())))
        .collect();
    let all_keywords: BTreeSet<String> = files.iter().flat_map(keywords).map(str::to_owned).collect();
    for file in &files {
        out.push_str(&generate(file, &all_keywords));
        constants.push(format!("&{}", file.name.to_uppercase().replace(['-', '.'], "_")));
    }
    writeln!(out, "/// Every catalog, by name.\npub static ALL: &[&Catalog] = &[{}];", constants.join(", ")).unwrap();
    fs::write(Path::new(&env::var("OUT_DIR").unwrap()).join("catalogs.rs"), out).unwrap();
}
