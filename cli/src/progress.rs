//! Progress bars for what takes long.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;
use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};
use splc_ir::wording::visible;

/// What is over sooner has no progress bar.
const PATIENCE: Duration = Duration::from_millis(400);
/// How often the progress bar moves.
const BEAT: Duration = Duration::from_millis(100);

/// Does `work`, which counts up to `total` as it goes on. Shows a progress bar on a terminal if it takes long.
pub fn watched<T>(total: u64, name: &str, work: impl FnOnce(&AtomicU64) -> T) -> T {
    let done = AtomicU64::new(0);
    let over = AtomicBool::new(false);
    thread::scope(|scope| {
        let watcher = scope.spawn(|| {
            thread::park_timeout(PATIENCE);
            if over.load(Ordering::Acquire) {
                return;
            }
            // It draws nothing where the standard error is no terminal.
            let template = "{msg} {wide_bar} {human_pos} of {human_len}, {eta} left";
            let look = ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar());
            let bar = ProgressBar::new(total).with_style(look).with_message(visible(name).into_owned());
            while !over.load(Ordering::Acquire) {
                bar.set_position(done.load(Ordering::Relaxed));
                thread::park_timeout(BEAT);
            }
            bar.finish_and_clear();
        });
        let result = work(&done);
        over.store(true, Ordering::Release);
        watcher.thread().unpark();
        result
    })
}
