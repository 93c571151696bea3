//! Links the program at a fixed address on Linux, where it is started for each of many small files: the tables of
//! the games are full of pointers, and moving them all takes as long as compiling a level.

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    if std::env::var("CARGO_CFG_TARGET_OS").as_deref() == Ok("linux")
        && std::env::var("CARGO_CFG_TARGET_ENV").as_deref() == Ok("gnu")
    {
        println!("cargo::rustc-link-arg-bins=-no-pie");
    }
}
