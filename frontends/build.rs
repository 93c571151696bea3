//! Generates the parsers from their grammars.

fn main() -> Result<(), Box<dyn std::error::Error>> {
    lalrpop::Configuration::new().emit_rerun_directives(true).use_cargo_dir_conventions().process()
}
