//! Ctrl-C, where there is something to show of what is done so far.

use std::process;
use std::sync::Once;
use std::sync::atomic::{AtomicBool, Ordering};

/// Exit code of a program that Ctrl-C has ended, as shells have it: 128 and the number of the signal.
pub const EXIT_CODE: u8 = 130;

static ASKED: AtomicBool = AtomicBool::new(false);

/// From now on, the first Ctrl-C asks for the end, and only the second one ends the program. Without such a handler,
/// as where the system refuses it, the first one does.
pub fn listen() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let _ = ctrlc::set_handler(|| {
            if ASKED.swap(true, Ordering::Relaxed) {
                process::exit(EXIT_CODE.into());
            }
        });
    });
}

/// Whether the end was asked for.
pub fn is_asked() -> bool {
    ASKED.load(Ordering::Relaxed)
}
