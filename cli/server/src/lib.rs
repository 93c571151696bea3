//! A language server for special levels: `splc server`.
//!
//! A thin shell over the driver's [`Session`](splc_driver::session::Session): the session keeps texts and results, and
//! this crate translates them into the [Language Server Protocol](https://microsoft.github.io/language-server-protocol).
//!
//! - [`serve`] runs the protocol on a [`Connection`]. `server` has the main loop: it applies changes in order, checks
//!   the changed files when no message is waiting, and answers requests from the current text. `worker` tests levels in
//!   the background, and is cancelled by the next change.
//! - `text` and `place` convert between offsets, protocol positions, paths and URIs.
//! - `view` is one open file with everything known about it. All features are functions of a view and an offset. They
//!   work on a text with errors: `words` finds the context of an offset from the text alone, and `names` takes what the
//!   front ends could read.
//! - `preview` shows levels in a view of the editor or in a browser.
//! - One module for each group of features: `findings` (diagnostics), `completion`, `hover`, `signature`, `navigation`,
//!   `outline`, `tokens`, `hints`, `actions` with `rewrites`, `layout`. `knowledge` describes names of the game.
//!   `script` has the Lua side of them, `dungeon` that of descriptions of dungeons.
//!
//! Nothing panics on a text or a position, whatever they are. A position outside the text means its end.
#![cfg_attr(test, allow(clippy::unwrap_used))]

mod actions;
mod completion;
mod dungeon;
mod findings;
mod hints;
mod hover;
mod knowledge;
mod layout;
mod limits;
mod names;
mod navigation;
mod outline;
mod place;
mod preview;
mod requests;
mod rewrites;
mod script;
mod server;
mod signature;
mod text;
mod tokens;
mod view;
mod words;
mod worker;

use std::error::Error;
use std::path::Path;

pub use knowledge::{Described, describe};
pub use lsp_server::Connection;
use splc_driver::{Includes, Options, Wanted};
use splc_ir::diagnostic::{Code, LintLevels};

/// The game and the lints that the project of a file sets, or `None` if it has no project. An error is the mistake in
/// the project file.
pub type ProjectOptions = Result<Option<(Wanted, LintLevels)>, String>;

/// The functions and data that the server gets from its program.
pub struct Environment {
    /// The games, and the levels of lints.
    pub options: Options,
    /// Creates a reader of included files that are not open.
    pub includes: fn() -> Box<dyn Includes + Send>,
    /// Returns the explanation of a code as text.
    pub explain: fn(Code) -> String,
    /// Returns the options that the project of a file sets.
    pub project: fn(&Path) -> ProjectOptions,
    /// Returns the name of a file that explains `code`, which may first be created, or `None` if that is impossible.
    pub page: fn(Code) -> Option<std::path::PathBuf>,
}

/// Serves a client on the standard input and output until it disconnects.
///
/// # Errors
/// If the client breaks the protocol.
pub fn serve_on_standard_streams(environment: Environment) -> Result<(), Box<dyn Error + Send + Sync>> {
    let (connection, threads) = Connection::stdio();
    let served = serve(connection, environment);
    // The threads end when the client closes its streams. After an error, that may be never.
    served?;
    threads.join()?;
    Ok(())
}

/// Serves the client at the other end of `connection` until it disconnects.
///
/// # Errors
/// If the client breaks the protocol.
pub fn serve(connection: Connection, environment: Environment) -> Result<(), Box<dyn Error + Send + Sync>> {
    server::Server::start(connection, environment)?.run()
}
