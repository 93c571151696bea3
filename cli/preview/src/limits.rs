//! Limits on the cost of a page and of its server.

/// Largest source that is shown, in bytes.
pub const MAX_SHOWN_SOURCE: usize = 2 << 20;
/// Most frames of a story; later changes belong to the last frame.
pub const MAX_FRAMES: usize = 4000;
/// Most seeds of one question.
pub const MAX_SEEDS: u64 = 10_000;
/// Most seeds in an exported page.
pub const MAX_EXPORTED_SEEDS: u64 = 1_000;
/// Largest seed: the largest integer that JavaScript represents exactly.
pub const MAX_SEED: u64 = (1 << 53) - 1;
/// Most edits that can be undone.
pub const MAX_UNDO: usize = 200;
/// Largest head of a request, in bytes.
pub const MAX_HEAD: usize = 8 << 10;
/// Most headers of a request.
pub const MAX_HEADERS: usize = 64;
/// Largest body of a request, in bytes.
pub const MAX_BODY: usize = 64 << 10;
/// Most connections at the same time.
pub const MAX_CONNECTIONS: usize = 64;
/// Most pages that receive events at the same time.
pub const MAX_VIEWERS: usize = 16;
/// Seconds in which a request must be complete.
pub const REQUEST_SECONDS: u64 = 5;
/// Seconds between two signs of life in a stream of events.
pub const HEARTBEAT_SECONDS: u64 = 5;
/// Milliseconds between two looks at the files while a page is open.
pub const WATCH_MILLISECONDS: u64 = 8;
/// Milliseconds between two looks at the files while no page is open.
pub const IDLE_MILLISECONDS: u64 = 100;
