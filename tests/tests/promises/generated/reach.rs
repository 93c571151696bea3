//! Coverage of the dialects by generated levels: every form, keyword and option in the corpus of the dialect, which has
//! every production of its grammar, except for a few with an explanation.
//!
//! The alternatives of the JSON Schema of levels are counted, so that a new type of statement or value is counted as
//! soon as it exists.

use std::collections::BTreeSet;
use std::path::PathBuf;

use splc_backends::json;
use splc_generate::Choices;
use splc_ir::catalog::Catalog;
use splc_ir::diagnostic::Diagnostics;
use splc_ir::level::Module;
use splc_ir::source::SourceMap;
use splc_tests::reference::files;
use splc_tests::schema::Schema;
use splc_tests::{Beside, corpus};

use super::games::variants;
use super::judged;

/// Alternatives that generated levels omit deliberately, with the reasons.
const LEFT_OUT: &[(&str, &str)] =
    &[("Item.item is include", "a made-up file stands alone"), ("Charset is latin1", "it is written as UTF-8")];

/// Number of generated levels for each dialect, and their size.
const LEVELS: u64 = 250;
const SIZE: usize = 60;

fn alternatives(schema: &Schema, module: &Module, catalog: &Catalog) -> BTreeSet<String> {
    let mut text = Vec::new();
    json::write(module, catalog, &SourceMap::new(), &mut text).unwrap();
    let value = serde_json::from_slice(&text).unwrap();
    let mut found = schema.alternatives(&value);
    // Ignore places.
    found.retain(|name| !name.contains("pan is") && !name.contains("Span") && !name.contains("span"));
    found
}

/// Returns the alternatives that the levels of `texts` use.
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

/// Returns the alternatives that the corpus of a dialect uses.
fn of_corpus(schema: &Schema, catalog: &'static Catalog) -> BTreeSet<String> {
    let files = files(&corpus(catalog.dialect.as_ref()), ".des");
    let found = of_levels(schema, catalog, files.into_iter().map(|path| (path.clone(), std::fs::read(path).unwrap())));
    assert!(found.len() > 100, "{}: {} alternatives", catalog.name, found.len());
    found
}

/// Removes from `missing` the alternatives that generated levels use, until only the `explained` ones remain. Returns
/// all alternatives that were used.
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
fn generated_levels_cover_the_dialect() {
    let schema = Schema::new(splc_tests::schema::of_levels());
    let mut unexplained = Vec::new();
    let mut met = BTreeSet::new();
    let games = vec!["unnethack-6.0.4", "sporkhack-0.7.0", "nethack-3.6.7", "nethack-3.4.3"];
    for name in splc_tests::some_of(games) {
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
    // The list is exact: an alternative that is used must be removed from it.
    let all: BTreeSet<&str> = LEFT_OUT.iter().map(|(known, _)| *known).collect();
    assert!(splc_tests::long().is_none() || met == all, "{met:?}");
}

/// Additions of a catalog to its dialect are generated, too.
#[test]
fn generated_levels_cover_the_additions_of_a_catalog() {
    let schema = Schema::new(splc_tests::schema::of_levels());
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
        // The keywords appear in the text.
        let texts: Vec<String> =
            (0..LEVELS).map(|seed| super::shown(&judged(catalog, Choices::of_seed(seed), SIZE).0, catalog)).collect();
        for word in variant.words {
            assert!(texts.iter().any(|text| text.contains(word)), "{}: no level has {word}", catalog.name);
        }
    }
}
