//! Handling of signals: Ctrl-C for commands that can show partial results, and the limit on the size of files.

use std::process;
#[cfg(unix)]
use std::sync::Arc;
use std::sync::Once;
use std::sync::atomic::{AtomicBool, Ordering};

/// Exit code after Ctrl-C, as in shells: 128 plus the number of the signal.
pub const EXIT_CODE: u8 = 130;

static REQUESTED: AtomicBool = AtomicBool::new(false);

/// Installs a handler: the first Ctrl-C requests the end, and the second one ends the program. If the system refuses
/// the handler, the first Ctrl-C ends the program.
pub fn listen() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let _ = ctrlc::set_handler(|| {
            if REQUESTED.swap(true, Ordering::Relaxed) {
                process::exit(EXIT_CODE.into());
            }
        });
    });
}

/// Makes writing beyond the limit on the size of files (`ulimit -f`) an error like a full disk. Otherwise the system
/// kills the program.
pub fn report_large_files() {
    #[cfg(unix)]
    {
        // Without the handler, the system's default stays.
        let _ = signal_hook::flag::register(signal_hook::consts::SIGXFSZ, Arc::default());
    }
}

/// Returns true if Ctrl-C has requested the end.
pub fn is_requested() -> bool {
    REQUESTED.load(Ordering::Relaxed)
}
