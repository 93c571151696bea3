//! The `splc` program. All code is in the library, so that tests run the same code.

fn main() -> std::process::ExitCode {
    splc_cli::main(std::env::args_os())
}
