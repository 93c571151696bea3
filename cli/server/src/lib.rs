//! A language server for special levels: `splc server`.
//!
//! A thin shell over the driver's [`Session`](splc_driver::session::Session): the session keeps texts and results, and
//! this crate translates them into the [Language Server Protocol](https://microsoft.github.io/language-server-protocol).
//!
//! - [`serve`] runs the protocol on a [`Connection`]. `main_loop` applies changes in order, checks the changed files
//!   when no message is waiting, and has `requests` answer from the current text. `server` is the state that they
//!   share. `worker` tests levels in the background, and is cancelled by the next change.
//! - `text` and `place` convert between offsets, protocol positions, paths and URIs.
//! - `view` is one open file with everything known about it. All features are functions of a view and an offset. They
//!   work on a text with errors: `words` finds the context of an offset from the text alone, and `names` takes what the
//!   front ends could read.
//! - `preview` shows levels in a view of the editor or in a browser.
//! - One module for each group of features: `findings` (diagnostics), `completion`, `hover`, `signature`, `navigation`,
//!   `outline`, `levels`, `tokens`, `hints`, `actions` with `rewrites`, `layout`. `knowledge` describes names of the
//!   game. `script` has the Lua side of them, `dungeon` that of descriptions of dungeons.
//!
//! Nothing panics on a text or a position, whatever they are. A position outside the text means its end.
#![cfg_attr(test, allow(clippy::unwrap_used))]

mod actions;
mod commands;
mod completion;
mod dungeon;
mod findings;
mod hints;
mod hover;
mod items;
mod knowledge;
mod layout;
mod levels;
mod limits;
mod main_loop;
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

pub use knowledge::{Described, describe};
pub use lsp_server::Connection;
pub use server::{Environment, ProjectOptions};

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
    let server = main_loop::start(connection, environment)?;
    main_loop::run(server)
}
