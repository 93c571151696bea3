//! The program, the language server, the book and the files of a game, as their users meet them.
#![allow(clippy::unwrap_used, clippy::expect_used)] // tests may fail loudly

mod book;
mod command_line;
mod game;
mod server;
mod style;
