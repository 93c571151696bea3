//! The `splc` program: all of it is in the library beside it, so that tests run the same code.

fn main() -> std::process::ExitCode {
    splc_cli::main(std::env::args_os())
}
