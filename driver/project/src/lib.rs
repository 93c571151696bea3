//! Projects: the settings of a tree of levels (`splc.toml`), and the files that folders and globs select.
//!
//! A project file lies at the top of a tree, and holds for every file below it. [`find`] searches it, [`Project::read`]
//! reads it, [`inputs`] lists the files that a folder, a glob or the project's `sources` select. The shells (command
//! line, language server) apply the settings; a setting that is given explicitly always wins.
//!
//! ```
//! use splc_ir::diagnostic::Diagnostics;
//! use splc_ir::source::SourceMap;
//! use splc_project::Project;
//!
//! let (mut sources, mut diagnostics) = (SourceMap::new(), Diagnostics::new());
//! let text = "target = \"unnethack-6.0.4\"\nsources = [\"dat/*.des\"]\n\n[lints]\nragged-map = \"deny\"\n";
//! let file = sources.add("levels/splc.toml", Some("levels/splc.toml".into()), text.into());
//! let project = Project::read(&sources, file, &mut diagnostics).expect("it is valid");
//! assert_eq!(project.settings.target.as_ref().map(|name| name.get_ref().as_str()), Some("unnethack-6.0.4"));
//! assert_eq!(project.at("dat/oracle.des"), std::path::Path::new("levels/dat/oracle.des"));
//! ```
#![cfg_attr(test, allow(clippy::unwrap_used))]

mod find;
pub mod inputs;
mod settings;

use std::ops::Range;
use std::path::{Path, PathBuf};

use globset::{GlobBuilder, GlobSet, GlobSetBuilder};
use serde::Deserialize;
use splc_driver::Wanted;
use splc_driver::games::{DIALECTS, Dialect};
use splc_ir::abi::{self, Abi};
use splc_ir::catalog::Catalogs;
use splc_ir::diagnostic::{Code, Diagnostic, Diagnostics, Lint, LintLevel, LintLevels, did_you_mean};
use splc_ir::source::{FileId, SourceMap, Span};

pub use find::{FILE_NAME, MAX_FILE_BYTES, find, relative};
pub use settings::{Files, Level, Lints, Seeds, Settings, Value};

/// A project: its settings, and the folder that they are about.
#[derive(Clone, Debug)]
pub struct Project {
    /// The path of its file.
    pub file: PathBuf,
    /// The settings.
    pub settings: Settings,
    /// The file in the sources, for messages.
    id: FileId,
    /// The patterns of each entry of `files`, with its lints.
    of_files: Vec<(GlobSet, usize)>,
}

impl Project {
    /// Reads the project file `file` of `sources`. Mistakes are reported, and result in `None`.
    pub fn read(sources: &SourceMap, file: FileId, diagnostics: &mut Diagnostics) -> Option<Project> {
        let source = sources.get(file);
        let settings = match toml::Deserializer::parse(&source.text).and_then(Settings::deserialize) {
            Ok(settings) => settings,
            Err(error) => {
                let span = error.span().map(|place| Span::new(file, place.start, place.end));
                let mut problem = Diagnostic::new(Code::Project, span, error.message().trim_end().to_owned());
                problem.help = unknown_key(error.message());
                diagnostics.push(problem);
                return None;
            }
        };
        let path = source.path.clone().unwrap_or_else(|| PathBuf::from(&source.name));
        let mut project = Project { file: path, settings, id: file, of_files: Vec::new() };
        let before = diagnostics.errors();
        project.check(diagnostics);
        (diagnostics.errors() == before).then_some(project)
    }

    /// Checks every name, and compiles the globs.
    fn check(&mut self, diagnostics: &mut Diagnostics) {
        let settings = &self.settings;
        if let Some(name) = &settings.dialect
            && Dialect::by_name(name.get_ref()).is_none()
        {
            let near = did_you_mean(name.get_ref(), DIALECTS.iter().map(|dialect| dialect.name));
            diagnostics.push(self.wrong(name, format!("unknown dialect \"{}\"", name.get_ref()), near));
        }
        if let Some(name) = &settings.abi
            && Abi::by_name(name.get_ref()).is_none()
        {
            let near = did_you_mean(name.get_ref(), abi::ALL.iter().map(|abi| abi.name));
            diagnostics.push(self.wrong(name, format!("unknown ABI \"{}\"", name.get_ref()), near));
        }
        for lints in std::iter::once(&settings.lints).chain(settings.files.iter().map(|files| &files.lints)) {
            for (name, level) in lints {
                if lint_codes(name).is_empty() {
                    let lints = Code::ALL.iter().filter(|code| code.lint() != Lint::Fixed).map(|code| code.name());
                    diagnostics.push(self.wrong(level, format!("unknown lint `{name}`"), did_you_mean(name, lints)));
                }
            }
        }
        for patterns in [&settings.sources, &settings.exclude, &settings.format.exclude] {
            if let Err(problem) = self.globs(patterns) {
                diagnostics.push(*problem);
            }
        }
        let mut of_files = Vec::new();
        for (at, files) in settings.files.iter().enumerate() {
            match self.globs(&files.paths) {
                Ok(globs) => of_files.push((globs, at)),
                Err(problem) => diagnostics.push(*problem),
            }
        }
        self.of_files = of_files;
    }

    /// Returns the error about `value`.
    pub fn wrong<T>(&self, value: &Value<T>, message: impl Into<String>, help: Option<String>) -> Diagnostic {
        let mut problem = Diagnostic::new(Code::Project, self.span(value.span()), message.into());
        problem.help = help;
        problem
    }

    /// Returns the span of a value.
    pub fn span(&self, place: Range<usize>) -> Span {
        Span::new(self.id, place.start, place.end)
    }

    /// Returns the folder of the project.
    pub fn folder(&self) -> &Path {
        self.file.parent().unwrap_or(Path::new(""))
    }

    /// Returns a path of the project file as a path of the process.
    pub fn at(&self, path: impl AsRef<Path>) -> PathBuf {
        self.folder().join(path)
    }

    /// Returns the files that `sources` selects, sorted; `None` if the project has no `sources`.
    ///
    /// # Errors
    /// If a folder cannot be read, or there are too many files.
    pub fn sources(&self) -> Result<Option<Vec<PathBuf>>, Box<Diagnostic>> {
        if self.settings.sources.is_empty() {
            return Ok(None);
        }
        let (wanted, excluded) = (self.globs(&self.settings.sources)?, self.globs(&self.settings.exclude)?);
        let selected = |path: &Path| wanted.is_match(path) && !excluded.is_match(path);
        inputs::walk(self.folder(), &selected).map(Some)
    }

    /// Returns true if `exclude` lists the file.
    pub fn excludes(&self, file: &Path) -> bool {
        self.lists(&self.settings.exclude, file)
    }

    /// Returns true if `splc fmt` leaves the file alone.
    pub fn is_unformatted(&self, file: &Path) -> bool {
        self.lists(&self.settings.format.exclude, file)
    }

    fn lists(&self, patterns: &[Value<String>], file: &Path) -> bool {
        if patterns.is_empty() {
            return false;
        }
        let Some(path) = relative(file, self.folder()) else { return false };
        self.globs(patterns).is_ok_and(|globs| globs.is_match(path))
    }

    /// Returns the lints that the project sets for all files.
    pub fn lints(&self) -> LintLevels {
        let mut levels = LintLevels::default();
        set(&mut levels, &self.settings.lints);
        levels
    }

    /// Returns the lints of the file, if it has its own: those of all files with its own after them.
    pub fn lints_of(&self, file: &Path) -> Option<LintLevels> {
        if self.of_files.is_empty() {
            return None;
        }
        let path = relative(file, self.folder())?;
        let own: Vec<usize> = self.of_files.iter().filter(|(globs, _)| globs.is_match(&path)).map(|of| of.1).collect();
        if own.is_empty() {
            return None;
        }
        let mut levels = self.lints();
        own.into_iter().for_each(|at| set(&mut levels, &self.settings.files[at].lints));
        Some(levels)
    }

    /// Returns true if the entry of `files` at that position selects the file.
    pub fn entry_selects(&self, at: usize, file: &Path) -> bool {
        let Some(path) = relative(file, self.folder()) else { return false };
        self.of_files.iter().any(|(globs, entry)| *entry == at && globs.is_match(&path))
    }

    /// Returns the game of the project, among the `catalogs`, which include its own. A file can name another.
    ///
    /// # Errors
    /// If the target is unknown.
    pub fn wanted(&self, catalogs: Catalogs) -> Result<Wanted, Box<Diagnostic>> {
        let settings = &self.settings;
        let catalog = match &settings.target {
            Some(name) => {
                let found = catalogs.by_name(name.get_ref());
                Some(found.ok_or_else(|| {
                    let known: Vec<_> = catalogs.iter().collect();
                    let near = did_you_mean(name.get_ref(), known.iter().map(|catalog| catalog.name.as_ref()));
                    let help = near.unwrap_or_else(|| "`splc targets` lists them".to_owned());
                    Box::new(self.wrong(name, format!("unknown target \"{}\"", name.get_ref()), Some(help)))
                })?)
            }
            None if settings.dialect.is_none() => catalogs.loaded().last().cloned(),
            None => None,
        };
        let dialect = settings.dialect.as_ref().and_then(|name| Dialect::by_name(name.get_ref()));
        let abi = settings.abi.as_ref().and_then(|name| Abi::by_name(name.get_ref()));
        Ok(Wanted { dialect, catalog, catalogs, abi, is_default: true, ..Wanted::default() })
    }

    fn globs(&self, patterns: &[Value<String>]) -> Result<GlobSet, Box<Diagnostic>> {
        let mut set = GlobSetBuilder::new();
        for pattern in patterns {
            let text = pattern.get_ref();
            let glob = GlobBuilder::new(text).literal_separator(true).build().map_err(|error| {
                Box::new(self.wrong(pattern, format!("invalid glob \"{text}\": {}", error.kind()), None))
            })?;
            set.add(glob);
        }
        set.build().map_err(|error| Box::new(Diagnostic::new(Code::Project, None, error.to_string())))
    }
}

/// Returns the codes that the name of a lint selects: one, or a group.
pub fn lint_codes(name: &str) -> Vec<Code> {
    let all = Code::ALL.iter().copied().filter(|code| code.lint() != Lint::Fixed);
    match name {
        "all" => all.collect(),
        "warnings" => all.filter(|code| code.lint() == Lint::Warn).collect(),
        _ => all.filter(|code| code.name() == name || code.as_str().eq_ignore_ascii_case(name)).collect(),
    }
}

/// Sets the levels of `lints`, groups before single lints.
fn set(levels: &mut LintLevels, lints: &Lints) {
    for is_group in [true, false] {
        for (name, level) in lints.iter().filter(|(name, _)| matches!(name.as_str(), "all" | "warnings") == is_group) {
            for code in lint_codes(name) {
                levels.set(code, LintLevel::from(*level.get_ref()));
            }
        }
    }
}

/// Returns a similar key for the error of an unknown one, which lists the known keys in backquotes.
fn unknown_key(message: &str) -> Option<String> {
    let mut quoted = message.split('`').skip(1).step_by(2);
    let key = message.starts_with("unknown").then(|| quoted.next()).flatten()?;
    did_you_mean(key, quoted)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Project, Diagnostic> {
        let (mut sources, mut diagnostics) = (SourceMap::new(), Diagnostics::new());
        let file = sources.add("splc.toml", Some("splc.toml".into()), text.into());
        Project::read(&sources, file, &mut diagnostics)
            .ok_or_else(|| diagnostics.into_vec().pop().expect("an error is reported"))
    }

    #[test]
    fn mistakes_name_their_place() {
        for (text, message, help) in [
            ("target", "", ""),
            ("tagret = \"x\"", "unknown field `tagret`", "did you mean \"target\"?"),
            ("dialect = \"unnethak\"", "unknown dialect \"unnethak\"", "did you mean \"unnethack\"?"),
            ("abi = \"lp64\"", "unknown ABI \"lp64\"", ""),
            ("[lints]\nraged-map = \"deny\"", "unknown lint `raged-map`", "did you mean \"ragged-map\"?"),
            ("[lints]\nragged-map = \"forbid\"", "unknown variant `forbid`", ""),
            ("sources = [\"{a\"]", "invalid glob \"{a\"", ""),
            ("sources = 3", "invalid type: integer `3`, expected a sequence", ""),
        ] {
            let problem = read(text).expect_err(text);
            assert!(problem.message.text().contains(message), "{text}: {}", problem.message);
            assert!(problem.span.is_some(), "{text}");
            assert!(problem.help.unwrap_or_default().contains(help), "{text}");
        }
    }

    #[test]
    fn lints_of_a_path_follow_those_of_all() {
        let text = "[lints]\nall = \"warn\"\nragged-map = \"deny\"\n\n[[files]]\npaths = [\"old/**\"]\n\
                    lints = { ragged-map = \"allow\" }\n";
        let project = read(text).unwrap();
        assert_eq!(project.lints().get(Code::RaggedMap), Some(LintLevel::Deny));
        let old = project.lints_of(Path::new("old/x/a.des")).unwrap();
        assert_eq!(old.get(Code::RaggedMap), Some(LintLevel::Allow));
        assert!(project.lints_of(Path::new("new/a.des")).is_none());
    }
}
