//! How much of a dialect made-up levels reach: every form, word and option that the corpus of the dialect has, which
//! holds every production of its grammar, but for a few that are explained.
//!
//! What is counted are the alternatives of the JSON Schema of levels, so that a new kind of statement or value is counted
//! as soon as there is one.

use std::collections::BTreeSet;
use std::path::PathBuf;

use splc_backends::json;
use splc_frontends::generate::Choices;
use splc_frontends::json::schema::schema;
use splc_ir::catalog::Catalog;
use splc_ir::diagnostic::Diagnostics;
use splc_ir::level::Module;
use splc_ir::source::SourceMap;
use splc_tests::reference::files;
use splc_tests::schema::Schema;
use splc_tests::{Beside, workspace};

use crate::games::variants;
use crate::judged;

/// What made-up levels leave out on purpose, and why.
const LEFT_OUT: &[(&str, &str)] =
    &[("Item.item is include", "a made-up file stands alone"), ("Charset is latin1", "it is written as UTF-8")];

/// Made-up levels of each dialect that are looked at, and how large they are.
const LEVELS: u64 = 250;
const SIZE: usize = 60;

fn alternatives(schema: &Schema, module: &Module, catalog: &Catalog) -> BTreeSet<String> {
    let mut text = Vec::new();
    json::write(module, catalog, &SourceMap::new(), &mut text).unwrap();
    let value = serde_json::from_slice(&text).unwrap();
    let mut found = schema.alternatives(&value);
    // Where something stands is not what it is.
    found.retain(|name| !name.contains("pan is") && !name.contains("Span") && !name.contains("span"));
    found
}

/// What the levels of `texts` have.
fn of_levels(
    schema: &Schema,
    catalog: &'static Catalog,
    texts: impl IntoIterator<Item = (PathBuf, Vec<u8>)>,
) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for (path, text) in texts {
        let mut sources = SourceMap::new();
        let file = sources.add("x.des", Some(path), text);
        let mut diagnostics = Diagnostics::new();
        let mut module = splc_frontends::parse(&mut sources, file, catalog, &mut Beside, &mut diagnostics);
        splc_ir::check::check(&mut module, catalog, &mut diagnostics);
        if !diagnostics.has_errors() {
            found.extend(alternatives(schema, &module, catalog));
        }
    }
    found
}

/// What the corpus of a dialect has.
fn of_corpus(schema: &Schema, catalog: &'static Catalog) -> BTreeSet<String> {
    let files = files(&workspace().join("corpus").join(catalog.dialect.as_ref()), ".des");
    let found = of_levels(schema, catalog, files.into_iter().map(|path| (path.clone(), std::fs::read(path).unwrap())));
    assert!(found.len() > 100, "{}: {} alternatives", catalog.name, found.len());
    found
}

/// Takes out of `missing` what made-up levels have, until all but what is `explained` is found; answers with all that they
/// have.
fn reach(
    schema: &Schema,
    catalog: &Catalog,
    missing: &mut BTreeSet<String>,
    explained: impl Fn(&String) -> bool,
) -> BTreeSet<String> {
    let mut reached = BTreeSet::new();
    for seed in 0..LEVELS {
        if missing.iter().all(&explained) {
            break;
        }
        let (module, _) = judged(catalog, Choices::of_seed(seed), SIZE);
        let found = alternatives(schema, &module, catalog);
        missing.retain(|name| !found.contains(name));
        reached.extend(found);
    }
    reached
}

#[test]
fn made_up_levels_reach_what_a_dialect_has() {
    let schema = Schema::new(schema());
    let mut unexplained = Vec::new();
    let mut met = BTreeSet::new();
    for name in ["unnethack-6.0.4", "sporkhack-0.7.0", "nethack-3.6.7", "nethack-3.4.3"] {
        let catalog = Catalog::by_name(name).unwrap();
        let mut missing = of_corpus(&schema, catalog);
        let count = missing.len();
        let explained = |name: &String| LEFT_OUT.iter().any(|(known, _)| known == name);
        let reached = reach(&schema, catalog, &mut missing, explained);
        println!("{name}: {} of {count} alternatives of the corpus, {} in all", count - missing.len(), reached.len());
        for missing in missing {
            match LEFT_OUT.iter().find(|(known, _)| *known == missing) {
                Some((known, _)) => _ = met.insert(*known),
                None => unexplained.push(format!("{name}: {missing}")),
            }
        }
    }
    assert!(unexplained.is_empty(), "not reached:\n{}", unexplained.join("\n"));
    // The list is exact: what is reached after all is taken out of it.
    let all: BTreeSet<&str> = LEFT_OUT.iter().map(|(known, _)| *known).collect();
    assert_eq!(met, all);
}

/// What catalogs add to the dialects comes up, too, where a catalog has it.
#[test]
fn made_up_levels_reach_what_a_catalog_adds() {
    let schema = Schema::new(schema());
    for variant in variants() {
        let catalog = variant.catalog;
        let mut missing = of_levels(&schema, catalog, [(PathBuf::from("x.des"), variant.level.into())]);
        let count = missing.len();
        assert!(count > 0, "{} refuses its level", catalog.name);
        let reached = reach(&schema, catalog, &mut missing, |_| false);
        println!(
            "{}: {} of {count} alternatives of its level, {} in all",
            catalog.name,
            count - missing.len(),
            reached.len()
        );
        assert!(missing.is_empty(), "{}: not reached: {missing:?}", catalog.name);
        // The words stand in the text.
        let texts: Vec<String> =
            (0..LEVELS).map(|seed| crate::shown(&judged(catalog, Choices::of_seed(seed), SIZE).0, catalog)).collect();
        for word in variant.words {
            assert!(texts.iter().any(|text| text.contains(word)), "{}: no level has {word}", catalog.name);
        }
    }
}
