//! Counts the work that splc does for an input and for one ten times as large, and fails if the ratio is well above
//! ten.
//!
//! Work is the number of branches taken in splc's own code, and the number and bytes of its allocations. None of them
//! depends on a clock, a processor or its load. The compiler counts the branches: `tests/tests/promises/proportion.rs` builds
//! this program with the coverage instrumentation of LLVM, which calls [`__sanitizer_cov_trace_pc`] at each edge of the
//! control flow graph. Only the crates of the workspace are instrumented, and this program is not.
//!
//! ```text
//! splc-cost [FILTER]    # the cases whose name contains FILTER
//! ```

mod cases;

use std::cell::Cell;
use std::hint::black_box;
use std::process::ExitCode;

use cases::Case;

/// The largest ratio of branches and of allocations for ten times the input. A loop in a loop makes it approach 100.
const MOST_STEPS: f64 = 14.0;
/// The largest ratio of allocated bytes. A vector that doubles in size allocates between one and two times what it
/// needs, so its ratio lies between 5 and 20.
const MOST_BYTES: f64 = 25.0;

/// Fewer allocations and bytes than these count as these: the ratio of a handful says nothing.
const LEAST_ALLOCATIONS: u64 = 100;
const LEAST_BYTES: u64 = 10_000;

thread_local! {
    static EDGES: Cell<u64> = const { Cell::new(0) };
}

/// Counts an edge. LLVM's instrumentation calls it.
#[unsafe(no_mangle)]
extern "C" fn __sanitizer_cov_trace_pc() {
    EDGES.with(|edges| edges.set(edges.get() + 1));
}

/// The work for one input.
struct Work {
    edges: u64,
    allocations: u64,
    bytes: u64,
}

impl Work {
    fn of(case: &Case, size: usize) -> Self {
        let input = (case.input)(size);
        let begun = EDGES.get();
        let memory = allocation_counter::measure(|| (case.work)(black_box(input)));
        Work { edges: EDGES.get() - begun, allocations: memory.count_total, bytes: memory.bytes_total }
    }
}

fn main() -> ExitCode {
    let filter = std::env::args().nth(1).unwrap_or_default();
    let (mut cases, mut faults) = (0, 0);
    println!("{:<44} {:>12} {:>7} {:>12} {:>12}", "case", "branches", "ratio", "allocations", "bytes");
    for case in cases::all().filter(|case| case.name.contains(&filter)) {
        cases += 1;
        // Tables that are built once per process are built now.
        Work::of(&case, 1);
        let (one, ten) = (Work::of(&case, case.size), Work::of(&case, 10 * case.size));
        if one.edges == 0 {
            eprintln!("no branches are counted: run this through `cargo test --test promises proportion::`");
            return ExitCode::FAILURE;
        }
        let ratio = |one: u64, ten: u64| ten as f64 / one.max(1) as f64;
        let edges = ratio(one.edges, ten.edges);
        let allocations = ratio(one.allocations.max(LEAST_ALLOCATIONS), ten.allocations);
        let bytes = ratio(one.bytes.max(LEAST_BYTES), ten.bytes);
        let fault = edges > MOST_STEPS || allocations > MOST_STEPS || bytes > MOST_BYTES;
        faults += usize::from(fault);
        let mark = if fault { "  OUT OF PROPORTION" } else { "" };
        println!("{:<44} {:>12} {edges:>7.1} {allocations:>12.1} {bytes:>12.1}{mark}", case.name, ten.edges);
    }
    println!("{} passed, {faults} failed", cases - faults);
    if faults == 0 && cases > 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
