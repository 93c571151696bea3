//! The work for an input is in proportion to its size. `splc_cost` counts it; the verdict depends on no clock and no
//! hardware counter.
//!
//! The short form counts allocations and their bytes. The long form counts branches, too, in a build of its own that is
//! instrumented.

use std::path::Path;
use std::process::Command;

use splc_tests::workspace;

/// The sizes in the short form are this many times smaller.
const SMALLER: usize = 4;

#[test]
fn allocations_are_in_proportion() {
    let (mut cases, mut wrong) = (0, Vec::new());
    for case in splc_cost::all() {
        cases += 1;
        let growth = case.growth(SMALLER);
        if !growth.is_in_proportion() {
            wrong.push(format!("{}: {:?}", case.name, growth.ratios));
        }
    }
    assert!(cases > 100, "{cases} cases");
    assert!(wrong.is_empty(), "out of proportion:\n{}", wrong.join("\n"));
}

#[test]
#[cfg_attr(not(long), ignore = "long form: set SPLC_LONG=1")]
fn work_is_in_proportion() {
    let wrapper = Path::new(env!("CARGO_BIN_EXE_splc_instrument"));
    // The folder of the profile lies in the target folder, wherever that is.
    let target = wrapper.parent().and_then(Path::parent).unwrap();
    let status = Command::new(env!("CARGO"))
        .current_dir(workspace())
        .args(["run", "--quiet", "--locked", "--offline", "--package", "splc-cost", "--target-dir"])
        .arg(target)
        .env("RUSTC_WORKSPACE_WRAPPER", wrapper)
        // Whoever runs the tests with it would have everything built again.
        .env_remove("RUSTC_BOOTSTRAP")
        .status()
        .unwrap();
    assert!(status.success(), "some work is out of proportion");
}
