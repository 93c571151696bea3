//! Checks whether the reference data is available. If so, the tests that need it are compiled with `cfg(reference)` and
//! run. Otherwise they are ignored, and the test program counts them and states the reason. Tests that need privileges
//! and long forms are handled in the same way.

use std::path::{Path, PathBuf};
use std::{env, fs};

fn main() {
    println!("cargo::rustc-check-cfg=cfg(reference)");
    println!("cargo::rustc-check-cfg=cfg(may_mount)");
    println!("cargo::rustc-check-cfg=cfg(long)");
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-env-changed=SPLC_REFERENCE");
    // Must be the same paths as in `src/reference.rs`.
    let folder = env::var_os("SPLC_REFERENCE")
        .map_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/reference"), PathBuf::from);
    if folder.is_dir() {
        println!("cargo::rustc-cfg=reference");
    }
    println!("cargo::rerun-if-env-changed=SPLC_LONG");
    if env::var_os("SPLC_LONG").is_some_and(|factor| !factor.is_empty()) {
        println!("cargo::rustc-cfg=long");
    }
    if may_mount() {
        println!("cargo::rustc-cfg=may_mount");
    }
}

/// Returns true if this process has the capability that `mount` needs: `CAP_SYS_ADMIN`, bit 21.
fn may_mount() -> bool {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let capabilities = status.lines().find_map(|line| line.strip_prefix("CapEff:"));
    capabilities.and_then(|digits| u64::from_str_radix(digits.trim(), 16).ok()).is_some_and(|bits| bits & 1 << 21 != 0)
}
