//! Variants of which the catalog is a few lines over another one: their levels are those of their own compilers.
//!
//! What those made is told by `variants` in the reference data; the des-files are taken from the folder that
//! `SPLC_VARIANT_SOURCES` names, in a folder for each variant, called as its file in `variants`.
#![allow(clippy::unwrap_used)] // these are tests

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde::Deserialize;
use sha2::{Digest, Sha256};
use splc_ir::catalog::Catalog;
use splc_tests::reference;

/// Variants by their names in the reference data, and the catalogs that are theirs.
const VARIANTS: &[(&str, &str)] = &[("UnNetHack-5.1.0", "unnethack-5.1.0"), ("UnNetHack-HEAD", "unnethack-6.0.15")];

#[derive(Deserialize)]
struct Variant {
    files: BTreeMap<String, Made>,
}

/// What a variant's own compiler made of a des-file.
#[derive(Deserialize)]
struct Made {
    exit: i32,
    levels: BTreeMap<String, String>,
}

/// What a variant's own compiler knows.
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
    Sha256::digest(fs::read(path).unwrap()).iter().map(|byte| format!("{byte:02x}")).collect()
}

#[test]
fn levels_are_those_of_the_variants_own_compilers() {
    let (Some(reference), sources) = (reference::find("variants"), sources()) else { return };
    for (name, target) in VARIANTS {
        let text = fs::read_to_string(reference.join(format!("{name}.json"))).unwrap();
        let variant: Variant = serde_json::from_str(&text).unwrap();
        let levels: usize = variant.files.values().map(|made| made.levels.len()).sum();
        let Some(folder) = sources.as_ref().map(|sources| sources.join(name)).filter(|folder| folder.is_dir()) else {
            eprintln!("\n*** NOT RUN: {levels} levels of {name}; SPLC_VARIANT_SOURCES names no {name} ***\n");
            continue;
        };
        let mut differ = Vec::new();
        let mut same = 0;
        for (file, made) in &variant.files {
            let place = tempfile::tempdir().unwrap();
            let run = Command::new(env!("CARGO_BIN_EXE_splc-under-test"))
                .args(["--target", target])
                .arg(folder.join(file))
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
}

#[test]
fn tables_are_those_compiled_into_the_variants() {
    let Some(reference) = reference::find("variants") else { return };
    for (name, target) in VARIANTS {
        let text = fs::read_to_string(reference.join(format!("{name}.tables.json"))).unwrap();
        let tables: Tables = serde_json::from_str(&text).unwrap();
        let catalog = Catalog::by_name(target).unwrap();
        for (known, theirs, class) in [
            (&catalog.monsters, &tables.monsters, Catalog::monster_class as fn(&Catalog, char) -> Option<usize>),
            (&catalog.objects, &tables.objects, Catalog::object_class),
        ] {
            let known: Vec<(Option<String>, usize)> = known
                .iter()
                .map(|one| {
                    (Some(one.name.to_string()).filter(|name| !name.is_empty()), class(catalog, one.class).unwrap())
                })
                .collect();
            assert_eq!(known, *theirs, "{name}");
        }
        let numbers = |table: &[(splc_ir::catalog::Name, i32)]| -> BTreeMap<String, i32> {
            table.iter().map(|(name, number)| (name.to_string(), *number)).collect()
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
        let lacking: Vec<&String> = tables.keywords.keys().filter(|word| !catalog.is_keyword(word)).collect();
        assert!(lacking.is_empty(), "{name}: {lacking:?}");
    }
}
