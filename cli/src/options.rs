//! The options that several commands share, and the values they take.

pub mod codes;
pub mod groups;
pub mod values;

/// The names of all commands, in the order of the command line.
pub const COMMANDS: [&str; 28] = [
    "init",
    "config",
    "check",
    "fix",
    "fmt",
    "decompile",
    "gen",
    "new",
    "port",
    "run",
    "preview",
    "test",
    "themerooms",
    "diff",
    "equiv",
    "install",
    "uninstall",
    "dungeon",
    "dlb",
    "targets",
    "conform",
    "catalog",
    "schema",
    "explain",
    "server",
    "luals",
    "completions",
    "man",
];
