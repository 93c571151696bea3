//! The keys of a project file. Their documentation is that of the JSON Schema.

use indexmap::IndexMap;
use serde::Deserialize;
use splc_ir::diagnostic::LintLevel;

/// A value with its place in the file.
pub type Value<T> = toml::Spanned<T>;

/// Levels of lints, by name or code. `warnings` means all that are on by default, and `all` means all.
pub type Lints = IndexMap<String, Value<Level>>;

/// The settings of a tree of levels. Paths are relative to the folder of the file.
#[derive(Clone, Debug, Default, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename = "Project"))]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct Settings {
    /// The game of the levels, e.g. unnethack-6.0.4. A file can name another: `# splc: target(NAME)`.
    #[cfg_attr(feature = "schema", schemars(with = "Option<String>"))]
    pub target: Option<Value<String>>,
    /// The language of the des-files, e.g. unnethack.
    #[cfg_attr(feature = "schema", schemars(with = "Option<String>"))]
    pub dialect: Option<Value<String>>,
    /// Catalogs of games that are not built in. Without `target` and `dialect`, the last one is the target.
    #[cfg_attr(feature = "schema", schemars(with = "Vec<String>"))]
    pub catalogs: Vec<Value<String>>,
    /// The machine that the game was built for, e.g. lp64le.
    #[cfg_attr(feature = "schema", schemars(with = "Option<String>"))]
    pub abi: Option<Value<String>>,
    /// A level file of the game, which has its target, ABI and version header.
    #[cfg_attr(feature = "schema", schemars(with = "Option<String>"))]
    pub r#match: Option<Value<String>>,
    /// The levels: globs, e.g. dat/*.des. A command without files takes them all.
    #[cfg_attr(feature = "schema", schemars(with = "Vec<String>"))]
    pub sources: Vec<Value<String>>,
    /// Globs of files that `sources` and folders do not select.
    #[cfg_attr(feature = "schema", schemars(with = "Vec<String>"))]
    pub exclude: Vec<Value<String>>,
    /// The folder for compiled levels.
    #[cfg_attr(feature = "schema", schemars(with = "Option<String>"))]
    pub output: Option<Value<String>>,
    /// The output format, e.g. lev.
    #[cfg_attr(feature = "schema", schemars(with = "Option<String>"))]
    pub emit: Option<Value<String>>,
    /// The folder of the game, for `splc install`.
    #[cfg_attr(feature = "schema", schemars(with = "Option<String>"))]
    pub game: Option<Value<String>>,
    /// The dungeon of the levels, if it is not the game's own.
    #[cfg_attr(feature = "schema", schemars(with = "Option<String>"))]
    pub dungeon_file: Option<Value<String>>,
    /// The list of known diagnostics of `splc check`.
    #[cfg_attr(feature = "schema", schemars(with = "Option<String>"))]
    pub baseline: Option<Value<String>>,
    /// The format of the diagnostics, e.g. short.
    #[cfg_attr(feature = "schema", schemars(with = "Option<String>"))]
    pub message_format: Option<Value<String>>,
    /// Levels of lints.
    #[cfg_attr(feature = "schema", schemars(with = "std::collections::BTreeMap<String, Level>"))]
    pub lints: Lints,
    /// Settings of single files or folders.
    pub files: Vec<Files>,
    /// Settings of `splc test`.
    pub test: Test,
    /// The game around the levels, for `splc run`, `splc preview` and `splc test`.
    pub run: Run,
    /// Settings of `splc fmt`.
    pub format: Format,
}

/// Settings of the files that globs select.
#[derive(Clone, Debug, Default, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct Files {
    /// Globs.
    #[cfg_attr(feature = "schema", schemars(with = "Vec<String>"))]
    pub paths: Vec<Value<String>>,
    /// Levels of lints, which override those of all files.
    #[cfg_attr(feature = "schema", schemars(with = "std::collections::BTreeMap<String, Level>"))]
    pub lints: Lints,
}

/// Settings of `splc test`.
#[derive(Clone, Debug, Default, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct Test {
    /// Seeds: a number N for 1 to N, or a range A..B.
    #[cfg_attr(feature = "schema", schemars(with = "Option<Seeds>"))]
    pub seeds: Option<Value<Seeds>>,
    /// The list of known findings.
    #[cfg_attr(feature = "schema", schemars(with = "Option<String>"))]
    pub baseline: Option<Value<String>>,
}

/// Seeds: a number or a range.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(untagged)]
pub enum Seeds {
    /// The seeds 1 to N.
    Count(u64),
    /// `A..B`, or a number as text.
    Range(String),
}

/// The game around a level.
#[derive(Clone, Debug, Default, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct Run {
    /// The depth of the levels, also their difficulty.
    #[cfg_attr(feature = "schema", schemars(with = "Option<i32>"))]
    pub depth: Option<Value<i32>>,
    /// The hero, e.g. Anna/Valkyrie/dwarf/lawful.
    #[cfg_attr(feature = "schema", schemars(with = "Option<String>"))]
    pub hero: Option<Value<String>>,
    /// Objects that the hero carries.
    #[cfg_attr(feature = "schema", schemars(with = "Vec<String>"))]
    pub carry: Vec<Value<String>>,
    /// The local time of the game.
    #[cfg_attr(feature = "schema", schemars(with = "Option<String>"))]
    pub time: Option<Value<String>>,
}

/// Settings of `splc fmt`.
#[derive(Clone, Debug, Default, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct Format {
    /// Globs of files that it leaves alone.
    #[cfg_attr(feature = "schema", schemars(with = "Vec<String>"))]
    pub exclude: Vec<Value<String>>,
}

/// The handling of a lint.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Level {
    /// Suppress it.
    Allow,
    /// Warn.
    Warn,
    /// Report it as an error.
    Deny,
}

impl Level {
    /// Returns its word in the file.
    pub fn word(self) -> &'static str {
        match self {
            Level::Allow => "allow",
            Level::Warn => "warn",
            Level::Deny => "deny",
        }
    }
}

impl From<Level> for LintLevel {
    fn from(level: Level) -> Self {
        match level {
            Level::Allow => LintLevel::Allow,
            Level::Warn => LintLevel::Warn,
            Level::Deny => LintLevel::Deny,
        }
    }
}
