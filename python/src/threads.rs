//! Work on several threads.

use std::num::NonZeroUsize;
use std::thread;

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use splc_vm::internals::helpers;

/// Returns a number of threads that a caller passed, which must be at least 1.
pub fn threads(number: &Bound<'_, PyAny>) -> PyResult<Option<NonZeroUsize>> {
    let Some(number) = number.extract::<Option<i64>>()? else { return Ok(None) };
    let threads = usize::try_from(number).ok().and_then(NonZeroUsize::new);
    Ok(Some(threads.ok_or_else(|| PyValueError::new_err(format!("threads must be at least 1, not {number}")))?))
}

/// Returns the result of `work` on each thread. The number of threads defaults to the number of cores, and never
/// exceeds the number of `tasks`.
pub fn on_threads<T: Send>(threads: Option<NonZeroUsize>, tasks: usize, work: impl Fn() -> T + Sync) -> Vec<T> {
    let threads = threads.or_else(|| thread::available_parallelism().ok()).map_or(1, NonZeroUsize::get);
    thread::scope(|scope| {
        let helpers = helpers(scope, threads.min(tasks), &work);
        let mut all = vec![work()];
        for helper in helpers {
            match helper.join() {
                Ok(made) => all.push(made),
                Err(panic) => std::panic::resume_unwind(panic),
            }
        }
        all
    })
}
