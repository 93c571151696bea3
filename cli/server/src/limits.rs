//! Limits on the cost of an answer.

use std::time::Duration;

/// Most diagnostics published for a file.
pub(crate) const MAX_PUBLISHED: usize = 500;

/// Most items of a completion list. Clients filter the list as the author types, and ask again if it is incomplete.
pub(crate) const MAX_ITEMS: usize = 2000;

/// Most symbols found in a workspace.
pub(crate) const MAX_SYMBOLS: usize = 1000;

/// Most files of a workspace examined for symbols and level names.
pub(crate) const MAX_FILES: usize = 2000;

/// Most folders of a workspace examined.
pub(crate) const MAX_FOLDERS: usize = 500;

/// Bytes of a file of the workspace examined for symbols.
pub(crate) const MAX_EXAMINED_BYTES: u64 = 1 << 20;

/// Most statements shown for a square.
pub(crate) const MAX_SHOWN: usize = 12;

/// Seeds with which a level is tested in the background.
pub(crate) const SEEDS: u64 = 200;

/// Quiet time before levels are tested.
pub(crate) const PAUSE: Duration = Duration::from_millis(400);

/// Most previews in browsers at a time.
pub(crate) const MAX_PREVIEWS: usize = 8;

/// Most questions of previews in the editor that are answered at a time.
pub(crate) const MAX_PREVIEW_ANSWERS: usize = 16;
