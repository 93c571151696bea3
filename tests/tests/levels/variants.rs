//! Variants: those with a small catalog over another one, and those imported from their source trees. The compiled
//! levels are compared with those of their own compilers.
//!
//! The expected results are in `variants` of the reference data. The trees, with their des-files in `dat`, are in the
//! folder that `SPLC_VARIANT_SOURCES` names, in one folder per variant, named like its file in `variants`.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde::Deserialize;
use splc_ir::catalog::{Catalog, Catalogs, Feature, NothingBeside};
use splc_ir::diagnostic::Diagnostics;
use splc_ir::parts::Layouts;
use splc_ir::source::SourceMap;
use splc_tests::{reference, sha256};

/// Variants by their names in the reference data, and their catalogs.
const VARIANTS: &[(&str, &str)] = &[("UnNetHack-5.1.0", "unnethack-5.1.0"), ("UnNetHack-HEAD", "unnethack-6.0.15")];

/// Variants that are imported from their trees.
const IMPORTED: &[&str] = &["SlashEM", "SlashTHEM", "EvilHack", "SpliceHack-2020-01", "xNetHack"];

#[derive(Deserialize)]
struct Variant {
    /// The flags with which its own compiler was compiled.
    flags: String,
    files: BTreeMap<String, Made>,
}

/// The result of a variant's own compiler for a des-file.
#[derive(Deserialize)]
struct Made {
    exit: i32,
    levels: BTreeMap<String, String>,
}

/// The tables of a variant's own compiler.
#[derive(Deserialize)]
struct Tables {
    monsters: Vec<(Option<String>, usize)>,
    objects: Vec<(Option<String>, usize)>,
    traps: BTreeMap<String, i32>,
    rooms: BTreeMap<String, i32>,
    mapchars: BTreeMap<char, i32>,
    monclasses: BTreeMap<char, usize>,
    objclasses: BTreeMap<char, usize>,
    keywords: BTreeMap<String, serde_json::Value>,
}

fn sources() -> Option<PathBuf> {
    std::env::var_os("SPLC_VARIANT_SOURCES").map(PathBuf::from)
}

fn hash(path: &Path) -> String {
    sha256(&fs::read(path).unwrap())
}

/// Returns the tree of a variant, if there is one.
fn tree(name: &str, levels: usize) -> Option<PathBuf> {
    let folder = sources().map(|sources| sources.join(name)).filter(|folder| folder.is_dir());
    if folder.is_none() {
        eprintln!("\n*** NOT RUN: {levels} levels of {name}; SPLC_VARIANT_SOURCES names no {name} ***\n");
    }
    folder
}

/// Returns true if the keyword belongs to the parent or to the variant.
fn is_read(catalog: &Catalog, word: &str) -> bool {
    catalog.is_keyword(word)
        || catalog.own_word(word).is_some()
        || match word {
            "MINDEPTH" => catalog.has(Feature::VaultDepths),
            "RANDOM_REGION" | "region" => catalog.has(Feature::RandomRegions),
            "OBJFLAGS" => Layouts::has(catalog, "object", "flags"),
            _ => false,
        }
}

fn variant(reference: &Path, name: &str) -> Variant {
    serde_json::from_str(&fs::read_to_string(reference.join(format!("{name}.json"))).unwrap()).unwrap()
}

/// Compiles every des-file of a variant separately, with `target`, and compares the output with that of its own
/// compiler.
fn compare(name: &str, variant: &Variant, folder: &Path, target: &[&str]) {
    let levels: usize = variant.files.values().map(|made| made.levels.len()).sum();
    let mut differ = Vec::new();
    let mut same = 0;
    for (file, made) in &variant.files {
        let place = tempfile::tempdir().unwrap();
        let path = [folder.join("dat").join(file), folder.join(file)].into_iter().find(|path| path.is_file()).unwrap();
        let run = Command::new(env!("CARGO_BIN_EXE_splc_under_test"))
            .args(target)
            .arg(path)
            .current_dir(place.path())
            .output()
            .unwrap();
        assert_eq!(run.status.success(), made.exit == 0, "{file}: {}", String::from_utf8_lossy(&run.stderr));
        let written = fs::read_dir(place.path()).unwrap().map(|entry| entry.unwrap().path());
        let written: BTreeMap<String, String> =
            written.map(|path| (path.file_name().unwrap().to_string_lossy().into_owned(), hash(&path))).collect();
        same += made.levels.iter().filter(|(level, hash)| written.get(*level) == Some(hash)).count();
        if written != made.levels {
            differ.push(file);
        }
    }
    println!("{name}: {same} of {levels} levels are identical");
    assert_eq!((same, differ.as_slice()), (levels, &[][..]), "{name}");
}

#[test]
fn levels_match_the_variants_own_compilers() {
    let Some(reference) = reference::find("variants") else { return };
    for (name, target) in VARIANTS {
        let variant = variant(&reference, name);
        if let Some(folder) = tree(name, variant.files.len()) {
            compare(name, &variant, &folder, &["--target", target]);
        }
    }
}

/// Imports the tree of a variant with the flags of its own compiler, and returns the catalog file.
fn import(name: &str, variant: &Variant, folder: &Path, place: &Path) -> PathBuf {
    let file = place.join(format!("{name}.toml"));
    let run = Command::new(env!("CARGO_BIN_EXE_splc_under_test"))
        .args(["catalog", "import", "--name", "variant"])
        .args(variant.flags.split_whitespace().filter(|flag| flag.starts_with("-D")))
        .arg(folder)
        .arg("-o")
        .arg(&file)
        .output()
        .unwrap();
    assert!(run.status.success(), "{name}: {}", String::from_utf8_lossy(&run.stderr));
    file
}

#[test]
fn levels_of_imported_variants_match_their_own_compilers() {
    let Some(reference) = reference::find("variants") else { return };
    for name in IMPORTED {
        let variant = variant(&reference, name);
        let Some(folder) = tree(name, variant.files.len()) else { continue };
        let place = tempfile::tempdir().unwrap();
        let file = import(name, &variant, &folder, place.path());
        compare(name, &variant, &folder, &["--catalog", file.to_str().unwrap()]);
        let (mut sources, mut diagnostics) = (SourceMap::default(), Diagnostics::default());
        let id = sources.add("variant.toml", None, fs::read(&file).unwrap());
        let catalog = Catalogs::default().load(&mut sources, id, &mut NothingBeside, &mut diagnostics);
        same_tables(&reference, name, &catalog.unwrap());
    }
}

#[test]
fn tables_match_those_compiled_into_the_variants() {
    let Some(reference) = reference::find("variants") else { return };
    for (name, target) in VARIANTS {
        same_tables(&reference, name, Catalog::by_name(target).unwrap());
    }
}

/// Compares the tables of a catalog with those that are compiled into a variant.
fn same_tables(reference: &Path, name: &str, catalog: &Catalog) {
    let text = fs::read_to_string(reference.join(format!("{name}.tables.json"))).unwrap();
    let tables: Tables = serde_json::from_str(&text).unwrap();
    for (known, theirs, class) in [
        (&catalog.monsters, &tables.monsters, Catalog::monster_class as fn(&Catalog, char) -> Option<usize>),
        (&catalog.objects, &tables.objects, Catalog::object_class),
    ] {
        let known: Vec<(Option<String>, usize)> = known
            .iter()
            .map(|one| (Some(one.name.to_string()).filter(|name| !name.is_empty()), class(catalog, one.class).unwrap()))
            .collect();
        assert_eq!(known, *theirs, "{name}");
    }
    let numbers = |table: &[(splc_ir::catalog::Name, i64)]| -> BTreeMap<String, i32> {
        table.iter().map(|(name, number)| (name.to_string(), *number as i32)).collect()
    };
    assert_eq!(numbers(&catalog.traps), tables.traps, "{name}");
    assert_eq!(numbers(&catalog.rooms), tables.rooms, "{name}");
    for (character, number) in &tables.mapchars {
        assert_eq!(catalog.terrain(*character), Some(*number), "{name}: {character:?}");
    }
    for (character, number) in &tables.monclasses {
        assert_eq!(catalog.monster_class(*character), Some(*number), "{name}: {character:?}");
    }
    for (character, number) in &tables.objclasses {
        assert_eq!(catalog.object_class(*character), Some(*number), "{name}: {character:?}");
    }
    let lacking: Vec<&String> = tables.keywords.keys().filter(|word| !is_read(catalog, word)).collect();
    assert!(lacking.is_empty(), "{name}: {lacking:?}");
}
