//! Levels on a page next to their sources.
//!
//! - [`Sheet`] is an input prepared for the page: its levels, its sources, its diagnostics.
//! - [`drawn`], [`story`], [`chances`], [`spread`] and [`findings`] are the data of a level, ready to be written as
//!   JSON. They take a loaded level, so that a language server can give them what is in an editor.
//! - [`Request`] is a question of the page, and [`Desk::answer`] answers it. The channel does not matter: the page asks
//!   over HTTP, over the messages of an editor, or in a file that contains the answers.
//! - [`page`](mod@page) has the page itself, and [`page::export`] writes it as one file with answers for some seeds.
//! - [`account`] and [`compared`] are about two levels side by side.
//! - [`edit`] turns painting on the page into edits of the source.
//! - [`Server`] serves the page to browsers on this machine, and to nobody else.
//!
//! Only [`Server`] does I/O, on its socket. Files are read and written by its [`Host`].
#![cfg_attr(test, allow(clippy::unwrap_used))]

mod beside;
mod chances;
mod desk;
mod drawn;
pub mod edit;
mod findings;
mod http;
mod limits;
pub mod page;
mod palette;
mod server;
mod sheet;
mod statements;
mod story;

pub use beside::{Accounted, Compared, account, compared};
pub use chances::{Chances, Spread, chances, spread};
pub use desk::{Answer, Desk, Request};
pub use drawn::{Drawn, drawn};
pub use findings::{Finding, findings};
pub use server::{Host, Remote, Server};
pub use sheet::{Matter, Sheet};
pub use statements::{Position, Statement, Statements, offset};
pub use story::{Frame, Story, story};
