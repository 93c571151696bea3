//! Handling of signals: Ctrl-C for commands that can show partial results, and the limit on the size of files.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, LazyLock, Once};

use signal_hook::consts::SIGINT;
use signal_hook::flag;

/// Exit code after Ctrl-C, as in shells: 128 plus the number of the signal.
pub const EXIT_CODE: u8 = 130;

static REQUESTED: LazyLock<Arc<AtomicBool>> = LazyLock::new(Arc::default);

/// Installs a handler: the first Ctrl-C requests the end, and the second one ends the program. If the system refuses
/// the handler, the first Ctrl-C ends the program.
pub fn listen() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        // In this order, because actions run as they are registered: the first Ctrl-C only sets the flag.
        let _ = flag::register_conditional_shutdown(SIGINT, EXIT_CODE.into(), Arc::clone(&REQUESTED))
            .and_then(|_| flag::register(SIGINT, Arc::clone(&REQUESTED)));
    });
}

/// Makes writing beyond the limit on the size of files (`ulimit -f`) an error like a full disk. Otherwise the system
/// kills the program.
pub fn report_large_files() {
    #[cfg(unix)]
    {
        // Without the handler, the system's default stays.
        let _ = flag::register(signal_hook::consts::SIGXFSZ, Arc::default());
    }
}

/// Returns true if Ctrl-C has requested the end.
pub fn is_requested() -> bool {
    REQUESTED.load(Ordering::Relaxed)
}
