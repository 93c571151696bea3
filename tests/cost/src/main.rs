//! Counts the work that splc does for an input and for one ten times as large, and fails if the ratio is well above
//! ten.
//!
//! The compiler counts the branches: `tests/tests/promises/proportion.rs` builds this program with the coverage
//! instrumentation of LLVM, which calls [`__sanitizer_cov_trace_pc`] at each edge of the control flow graph. Only the
//! crates of the workspace are instrumented, and `splc_cost` is not.
//!
//! ```text
//! splc-cost [FILTER]    # the cases whose name contains FILTER
//! ```

use std::process::ExitCode;

/// Counts an edge. LLVM's instrumentation calls it.
#[unsafe(no_mangle)]
extern "C" fn __sanitizer_cov_trace_pc() {
    splc_cost::count_branch();
}

fn main() -> ExitCode {
    let filter = std::env::args().nth(1).unwrap_or_default();
    let (mut cases, mut faults) = (0, 0);
    println!("{:<44} {:>12} {:>7} {:>12} {:>12}", "case", "branches", "ratio", "allocations", "bytes");
    for case in splc_cost::all().filter(|case| case.name.contains(&filter)) {
        cases += 1;
        let growth = case.growth(1);
        if growth.branches == 0 {
            eprintln!(
                "no branches are counted: run this through `SPLC_LONG=1 cargo test --test promises proportion::`"
            );
            return ExitCode::FAILURE;
        }
        let fault = !growth.is_in_proportion();
        faults += usize::from(fault);
        let mark = if fault { "  OUT OF PROPORTION" } else { "" };
        let [branches, allocations, bytes] = growth.ratios;
        println!("{:<44} {:>12} {branches:>7.1} {allocations:>12.1} {bytes:>12.1}{mark}", case.name, growth.branches);
    }
    println!("{} passed, {faults} failed", cases - faults);
    if faults == 0 && cases > 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
