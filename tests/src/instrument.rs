//! A wrapper around `rustc` that instruments the crates of splc: each edge of the control flow graph calls
//! `__sanitizer_cov_trace_pc`, which `splc-cost` defines. Cargo calls it for the crates of the workspace, as
//! `RUSTC_WORKSPACE_WRAPPER`, with the path of `rustc` first.

use std::process::{Command, ExitCode};

const FLAGS: [&str; 4] = [
    "-Cpasses=sancov-module",
    "-Cllvm-args=-sanitizer-coverage-level=3",
    "-Cllvm-args=-sanitizer-coverage-trace-pc",
    "-Cdebuginfo=0",
];

fn main() -> ExitCode {
    let mut arguments = std::env::args_os().skip(1);
    let rustc = arguments.next().expect("Cargo passes the path of rustc");
    let arguments: Vec<_> = arguments.collect();
    // The name of the crate follows its option. Build scripts are not counted.
    let name = arguments.iter().skip_while(|argument| *argument != "--crate-name").nth(1);
    let flags: &[&str] = match name.and_then(|name| name.to_str()) {
        // Unoptimised, it would count by a function of the standard library that a counted crate has made, without end.
        Some("splc_cost") => &["-Copt-level=2"],
        Some(name) if name.starts_with("splc_") => &FLAGS,
        _ => &[],
    };
    let status = Command::new(rustc).args(&arguments).args(flags).status().expect("rustc runs");
    ExitCode::from(status.code().map_or(1, |code| code as u8))
}
