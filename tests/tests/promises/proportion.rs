//! The work for an input is in proportion to its size. `splc-cost` counts it, in a build of its own that is
//! instrumented; the verdict depends on no clock and no hardware counter.

use std::path::Path;
use std::process::Command;

use splc_tests::workspace;

#[test]
fn work_is_in_proportion() {
    let wrapper = Path::new(env!("CARGO_BIN_EXE_splc-instrument"));
    // The folder of the profile lies in the target folder, wherever that is.
    let target = wrapper.parent().and_then(Path::parent).unwrap();
    let status = Command::new(env!("CARGO"))
        .current_dir(workspace())
        .args(["run", "--quiet", "--locked", "--offline", "--package", "splc-cost", "--target-dir"])
        .arg(target)
        .env("RUSTC_WORKSPACE_WRAPPER", wrapper)
        .status()
        .unwrap();
    assert!(status.success(), "some work is out of proportion");
}
