//! Generated levels are well typed: the checker reports no errors, and they can be lowered.

use std::collections::BTreeMap;

use splc_generate::Choices;
use splc_ir::abi;
use splc_ir::catalog::Catalog;
use splc_ir::diagnostic::Diagnostics;
use splc_ir::loadable::lower_each;

use super::games::games;
use super::{cases, judged, shown};

#[test]
fn every_level_is_well_typed() {
    let mut wrong: BTreeMap<String, (usize, String)> = BTreeMap::new();
    let mut made = 0;
    for catalog in games() {
        for seed in 0..u64::from(cases(60)) {
            let (module, mut errors) = judged(catalog, Choices::of_seed(seed), 40);
            made += 1;
            if errors.is_empty() {
                let machine = abi::ALL.iter().find(|abi| catalog.header(abi.name).is_some()).unwrap();
                let mut diagnostics = Diagnostics::new();
                let mut lowered = 0;
                lower_each(&module, catalog, machine, &mut diagnostics, |_, _, _| lowered += 1);
                if diagnostics.has_errors() || lowered != module.levels().count() {
                    errors.extend(diagnostics.iter().map(|error| format!("lowering: {}", error.message)));
                }
            }
            for error in errors {
                let at = format!("{} seed {seed}: {error}", catalog.name);
                let known = wrong.entry(error).or_insert_with(|| (0, format!("{at}\n{}", shown(&module, catalog))));
                known.0 += 1;
            }
        }
    }
    let list: Vec<String> = wrong.iter().map(|(error, (count, _))| format!("{count} times {error}")).collect();
    let first = wrong.values().map(|(_, first)| first.as_str()).next().unwrap_or_default();
    assert!(wrong.is_empty(), "of {made} levels:\n{}\nthe first: {first}", list.join("\n"));
}

/// Found by generated levels. The element of an array is two values on the stack, and the games' compilers leave one of
/// them there after a SWITCH. That is not an error in the lowering, which checks itself in test builds.
#[test]
fn a_switch_on_an_element_is_lowered() {
    let text = "LEVEL: \"x\"\nNOMAP\n$c = { 0, 1 }\nSWITCH [$c[1]] {\nDEFAULT:\nFOUNTAIN: random\n}\n";
    for name in ["unnethack-6.0.4", "nethack-3.6.7"] {
        let catalog = Catalog::by_name(name).unwrap();
        let compiled = splc_tests::compile(text.into(), None, catalog);
        assert!(!compiled.diagnostics.has_errors(), "{:?}", compiled.messages());
        assert_eq!(compiled.programs.len(), 1);
    }
}
