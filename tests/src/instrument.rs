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
    // The name of the crate follows its option. Build scripts and `splc_cost` itself are not counted.
    let name = arguments.iter().skip_while(|argument| *argument != "--crate-name").nth(1);
    let counted =
        name.and_then(|name| name.to_str()).is_some_and(|name| name.starts_with("splc_") && name != "splc_cost");
    let flags = if counted { &FLAGS[..] } else { &[] };
    let status = Command::new(rustc).args(&arguments).args(flags).status().expect("rustc runs");
    ExitCode::from(status.code().map_or(1, |code| code as u8))
}
