//! Links the program so that it starts quickly: it is started for each of many small files, and starting takes
//! longer than compiling a level.
//!
//! On Linux it is linked at a fixed address, as the tables of the games are full of pointers that would have to be
//! moved, and, where the static libraries of the system are installed, without shared libraries.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// What the standard library of Rust is linked with, and what stands for each of them in a static program.
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
    // The compiler that links for another machine may not be the one that is asked here.
    if env::var("HOST") != env::var("TARGET") {
        return;
    }
    if let Some(folder) = static_libraries() {
        println!("cargo::rustc-link-arg-bins=-static");
        println!("cargo::rustc-link-arg-bins=-L{}", folder.display());
    }
}

/// A folder in which the name of each shared library leads to the static one; `None` if one is not installed.
///
/// A linker takes a text file in the place of a library, with the names of others in it.
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

/// Where the compiler that links finds `file`.
fn place(file: &str) -> Option<String> {
    let linker = env::var("RUSTC_LINKER").unwrap_or_else(|_| "cc".to_owned());
    let output = Command::new(linker).arg(format!("-print-file-name={file}")).output().ok()?;
    let place = String::from_utf8(output.stdout).ok()?.trim().to_owned();
    Path::new(&place).is_absolute().then_some(place)
}
