//! Handling of signals: Ctrl-C for commands that show partial results or a progress bar, and the limit on the size of
//! files.

use std::io::{self, Write as _};
use std::process;
#[cfg(unix)]
use std::sync::Arc;
use std::sync::Once;
use std::sync::atomic::{AtomicBool, Ordering};

/// Exit code after Ctrl-C, as in shells: 128 plus the number of the signal.
pub const EXIT_CODE: u8 = 130;

/// To the start of the line, and clear it (ECMA-48 CR, EL 2).
const CLEAR_LINE: &[u8] = b"\r\x1b[2K";

static REQUESTED: AtomicBool = AtomicBool::new(false);
/// Set if the command shows partial results after the first Ctrl-C.
static LISTENED: AtomicBool = AtomicBool::new(false);
/// Set while a progress bar is on the terminal.
static BAR_IS_SHOWN: AtomicBool = AtomicBool::new(false);

/// Makes the first Ctrl-C request the end, and the second one end the program. If the system refuses the handler, the
/// first Ctrl-C ends the program.
pub fn listen() {
    LISTENED.store(true, Ordering::Relaxed);
    handle();
}

/// Notes that a progress bar is shown or gone. A Ctrl-C that ends the program removes it first.
pub fn bar_is_shown(shown: bool) {
    BAR_IS_SHOWN.store(shown, Ordering::Relaxed);
    handle();
}

fn handle() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let _ = ctrlc::set_handler(|| {
            if !REQUESTED.swap(true, Ordering::Relaxed) && LISTENED.load(Ordering::Relaxed) {
                return;
            }
            if BAR_IS_SHOWN.load(Ordering::Relaxed) {
                // Nothing can be reported if the standard error is closed.
                let _ = io::stderr().write_all(CLEAR_LINE);
            }
            process::exit(EXIT_CODE.into());
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
