//! Progress bars for long operations.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};
use splc_ir::wording::visible;
use splc_vm::Progress;

use crate::interrupt;

/// Delay before progress bars appear, from the first piece of work.
const PATIENCE: Duration = Duration::from_millis(400);
/// Interval at which the progress bar is updated and Ctrl-C is checked.
const BEAT: Duration = Duration::from_millis(100);

/// Least interval at which the time is checked.
const LEAST_BEAT: Duration = Duration::from_millis(1);

/// Runs `work`, which counts up to `total`. Shows a progress bar on a terminal if it takes long, and stops it on a
/// Ctrl-C that was [listened](interrupt::listen) for.
pub fn watched<T>(total: u64, name: &str, work: impl FnOnce(&Progress) -> T) -> T {
    let progress = Progress::default();
    let over = AtomicBool::new(false);
    static BEGAN: OnceLock<Instant> = OnceLock::new();
    let began = *BEGAN.get_or_init(Instant::now);
    thread::scope(|scope| {
        let watcher = scope.spawn(|| {
            let mut bar = None;
            loop {
                thread::park_timeout(BEAT);
                if over.load(Ordering::Acquire) {
                    break;
                }
                if interrupt::is_requested() {
                    progress.stop();
                }
                if began.elapsed() >= PATIENCE {
                    let bar = bar.get_or_insert_with(|| self::bar(total, name));
                    bar.set_position(progress.done());
                    bar.tick();
                }
            }
            if let Some(bar) = bar {
                bar.finish_and_clear();
            }
        });
        let result = work(&progress);
        over.store(true, Ordering::Release);
        watcher.thread().unpark();
        result
    })
}

/// Runs `work`, which reports no progress, and stops it on a Ctrl-C or at the time `end`.
pub fn until<T>(end: Instant, work: impl FnOnce(&Progress) -> T) -> T {
    let progress = Progress::default();
    let over = AtomicBool::new(false);
    thread::scope(|scope| {
        let watcher = scope.spawn(|| {
            while !over.load(Ordering::Acquire) {
                if interrupt::is_requested() || Instant::now() >= end {
                    progress.stop();
                }
                thread::park_timeout(BEAT.min(end.saturating_duration_since(Instant::now())).max(LEAST_BEAT));
            }
        });
        let result = work(&progress);
        over.store(true, Ordering::Release);
        watcher.thread().unpark();
        result
    })
}

/// Creates a bar, or a clock for a single piece of work. It draws nothing if the standard error is not a terminal.
fn bar(total: u64, name: &str) -> ProgressBar {
    let template = match total {
        0 | 1 => "{msg} {spinner} {elapsed}",
        _ => "{msg} {wide_bar} {human_pos} of {human_len}, {eta} left",
    };
    let look = ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar());
    ProgressBar::new(total).with_style(look).with_message(visible(name).into_owned())
}
