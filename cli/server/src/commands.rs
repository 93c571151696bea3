//! The commands that actions of the server run.

/// The command that shows the explanation of a code. Its argument is the code.
pub(crate) const EXPLAIN: &str = "splc.server.explain";

/// The command that shows a finished level. Its arguments are the level's name, the seed and the picture.
pub(crate) const SHOW_LEVEL: &str = "splc.server.showLevel";

/// The command that ports a file to another game, into a new file next to it. Its arguments are the URI and the target.
pub(crate) const PORT: &str = "splc.server.port";

/// The command that recovers the source of a level file, into a new file next to it. Its argument is the URI.
pub(crate) const DECOMPILE: &str = "splc.server.decompile";

/// The command that shows the levels of a file in a browser. Its argument is the URI.
pub(crate) const PREVIEW: &str = "splc.server.preview";
