//! Levels of the corpora: none of them differs from itself by another method.

use splc_driver::games::Dialect;
use splc_driver::{Input, Options, Wanted, load};
use splc_equivalence as equivalence;
use splc_equivalence::{Verdict, compare};
use splc_tests::reference::files;
use splc_tests::{Beside, GAMES, corpus};
use splc_vm::{Machine, Settings, SplitMix};

/// One level in this many is compared.
const SHARE: usize = 20;

/// A level is never reported to differ from itself with other seeds. Its code is the same, so a map of nonexistent
/// names forces the comparison by counting. With this number of seeds, a fact that is always true in one of two levels
/// and never in the other is found.
#[test]
fn no_level_differs_from_itself() {
    let (mut seen, mut compared) = (0, 0);
    for (dialect, _) in GAMES {
        for file in files(&corpus(dialect), ".des") {
            let wanted = Wanted { dialect: Dialect::by_name(dialect), ..Wanted::default() };
            let options = Options { wanted, ..Options::default() };
            let input = Input::file("x.des", file.clone(), std::fs::read(&file).unwrap());
            let loaded = load(input, &options, &mut Beside).unwrap();
            for level in &loaded.levels {
                seen += 1;
                if seen % SHARE != 0 {
                    continue;
                }
                // Skip levels that draw without end.
                let mut machine = Machine::new();
                if machine.run(&level.program, &Settings::default(), &mut SplitMix::new(1), &mut ()).is_err() {
                    continue;
                }
                let mut options = equivalence::Options { seeds: 64, threads: 2, paths: 60, ..Default::default() };
                options.names.monster("nobody", "nobody");
                let verdict = compare(&level.program, &level.program, &options, &Default::default());
                assert!(!matches!(verdict, Verdict::Different(_)), "{}: {verdict:?}", file.display());
                compared += 1;
            }
        }
    }
    assert!(compared > 2, "{compared}");
}
