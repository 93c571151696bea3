//! The `splc` program, built here so that the tests of the command line can run it.

fn main() -> std::process::ExitCode {
    splc_cli::main(std::env::args_os())
}
