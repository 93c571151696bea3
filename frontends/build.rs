//! Generates the parsers from their grammars, and the list of templates from the folders in `templates`.

use std::error::Error;
use std::path::Path;
use std::{env, fs};

fn main() -> Result<(), Box<dyn Error>> {
    // New grammars are not covered by the directives that lalrpop emits.
    println!("cargo::rerun-if-changed=src");
    println!("cargo::rerun-if-changed=templates");
    templates()?;
    lalrpop::Configuration::new().emit_rerun_directives(true).use_cargo_dir_conventions().process()
}

fn templates() -> Result<(), Box<dyn Error>> {
    let mut dialects = Vec::new();
    for entry in fs::read_dir("templates")? {
        dialects.push(entry?.file_name().to_string_lossy().into_owned());
    }
    dialects.sort();
    let text = format!("/// Every template.\npub const ALL: &[Template] = templates!{dialects:?};\n");
    Ok(fs::write(Path::new(&env::var("OUT_DIR")?).join("templates.rs"), text)?)
}
