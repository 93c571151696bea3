//! Generates the parsers from their grammars.

fn main() -> Result<(), Box<dyn std::error::Error>> {
    // A grammar that is new is not among those watched.
    println!("cargo::rerun-if-changed=src");
    lalrpop::Configuration::new().emit_rerun_directives(true).use_cargo_dir_conventions().process()
}
