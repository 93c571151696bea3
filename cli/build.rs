//! Links the program for fast startup. It is started for many small files, and starting takes longer than compiling a
//! level.
//!
//! On Linux it is linked at a fixed address, because the tables of the games are full of pointers that would otherwise
//! need relocation. If the static system libraries are installed, it uses no shared libraries.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Libraries that Rust's standard library links with, and the static archives that replace each of them.
const LIBRARIES: &[(&str, &[&str])] = &[
    ("gcc_s", &["libgcc_eh.a", "libgcc.a"]),
    ("c", &["libc.a", "libgcc_eh.a", "libgcc.a"]),
    ("dl", &["libdl.a"]),
    ("m", &["libm.a"]),
    ("pthread", &["libpthread.a"]),
    ("rt", &["librt.a"]),
    ("util", &["libutil.a"]),
];

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let is = |variable: &str, value: &str| env::var(variable).as_deref() == Ok(value);
    if !is("CARGO_CFG_TARGET_OS", "linux") || !is("CARGO_CFG_TARGET_ENV", "gnu") {
        return;
    }
    println!("cargo::rustc-link-arg-bins=-no-pie");
    // When cross-compiling, the linker may not be the compiler queried here.
    if env::var("HOST") != env::var("TARGET") {
        return;
    }
    if let Some(folder) = static_libraries() {
        println!("cargo::rustc-link-arg-bins=-static");
        println!("cargo::rustc-link-arg-bins=-L{}", folder.display());
    }
}

/// Creates a folder in which the name of each shared library resolves to the static one. Returns `None` if one of them
/// is not installed.
///
/// A linker accepts a text file (a linker script) as a library; the script names the archives to link.
fn static_libraries() -> Option<PathBuf> {
    let folder = Path::new(&env::var_os("OUT_DIR")?).join("static");
    fs::create_dir_all(&folder).ok()?;
    for (name, files) in LIBRARIES {
        let places: Option<Vec<String>> = files.iter().map(|file| place(file)).collect();
        let script = format!("GROUP ( {} )\n", places?.join(" "));
        fs::write(folder.join(format!("lib{name}.so")), script).ok()?;
    }
    Some(folder)
}

/// Returns the path at which the linking compiler finds `file`.
fn place(file: &str) -> Option<String> {
    let linker = env::var("RUSTC_LINKER").unwrap_or_else(|_| "cc".to_owned());
    let output = Command::new(linker).arg(format!("-print-file-name={file}")).output().ok()?;
    let place = String::from_utf8(output.stdout).ok()?.trim().to_owned();
    Path::new(&place).is_absolute().then_some(place)
}
