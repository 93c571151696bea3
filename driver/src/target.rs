//! The target of a compilation: a game, a machine, and a version header.

use std::fmt;
use std::sync::Arc;

use splc_backends::output::Game;
use splc_frontends::detect::Certainty;
use splc_frontends::{Includes, detect, json};
use splc_ir::abi::Abi;
use splc_ir::catalog::{Catalog, Catalogs, Shared};
use splc_ir::diagnostic::{Code, Diagnostic, Diagnostics, Severity, did_you_mean};
use splc_ir::dungeon::Description;
use splc_ir::limits::MAX_TRIED_BYTES;
use splc_ir::source::{SourceMap, Span};
use splc_ir::wording::visible;

use crate::allow;
use crate::compile::encoded;
use crate::games::{DEFAULT_ABI, DIALECTS, Dialect};
use crate::recognise::{Build, recognise};

/// A game on a machine, for which levels are compiled.
#[derive(Clone, Debug)]
pub struct Target {
    catalog: Shared,
    abi: &'static Abi,
    /// The version header, if it is not the catalog's header for the machine.
    header: Option<Box<[u64]>>,
}

impl Target {
    /// Returns the default build of the game of `catalog` for a machine.
    ///
    /// # Errors
    /// [`TargetError::UnknownBuild`].
    pub fn new(catalog: impl Into<Shared>, abi: &'static Abi) -> Result<Self, TargetError> {
        let catalog = catalog.into();
        match catalog.header(abi.name) {
            Some(_) => Ok(Target { catalog, abi, header: None }),
            // A game without level files is the same on all machines.
            None if !catalog.has_level_files() => Ok(Target { catalog, abi, header: None }),
            None => Err(TargetError::UnknownBuild { catalog, abi }),
        }
    }

    /// Returns the build that wrote a level file.
    pub(crate) fn of_build(build: &Build) -> Self {
        Target { catalog: build.catalog.clone(), abi: build.abi, header: Some(build.header.as_slice().into()) }
    }

    /// Returns the same game on another machine.
    pub(crate) fn on(self, abi: &'static Abi) -> Self {
        Target { abi, ..self }
    }

    /// Returns the same game with another version header.
    pub(crate) fn with_header(self, header: &[u64]) -> Self {
        Target { header: Some(header.into()), ..self }
    }

    /// Guesses the game of the des-file `bytes` from its text, without parsing it.
    ///
    /// # Errors
    /// [`TargetError::Unknown`] if the text is inconclusive, [`TargetError::UnknownBuild`].
    pub fn guessed(bytes: &[u8], abi: &'static Abi) -> Result<Self, TargetError> {
        Target::reported(bytes, abi).map(|reported| reported.target)
    }

    /// Detects the game of the des-file `bytes` from its text.
    ///
    /// # Errors
    /// [`TargetError::Unknown`] if the text is inconclusive, [`TargetError::UnknownBuild`].
    pub(crate) fn reported(bytes: &[u8], abi: &'static Abi) -> Result<Reported, TargetError> {
        let guess = detect::detect(&String::from_utf8_lossy(bytes));
        let target = |name: &str| {
            let target = Dialect::by_name(name).and_then(Dialect::default_target);
            Target::new(target.ok_or(TargetError::Unknown)?, abi)
        };
        let others = match bytes.len() <= MAX_TRIED_BYTES {
            true => guess.others.iter().filter_map(|name| target(name).ok()).collect(),
            false => Vec::new(),
        };
        let reason = (guess.certainty != Certainty::Sure).then_some(guess.reason);
        Ok(Reported { target: target(guess.dialect)?, others, reason })
    }

    /// Returns the target named in the JSON document `bytes`.
    ///
    /// # Errors
    /// [`TargetError::UnknownName`], [`TargetError::Unknown`] if it names no game, [`TargetError::UnknownBuild`].
    pub fn named(bytes: &[u8], wanted: &Wanted) -> Result<Self, TargetError> {
        let (dialect, target) = match json::names(bytes) {
            Some(names) => names,
            // It is invalid for any game. Reading it reports why.
            None => (DIALECTS.first().map(|dialect| dialect.name.to_owned()), None),
        };
        let near = |key: &'static str, name: String| unknown_name(key, name, &wanted.catalogs);
        let catalog: Shared = match (target, dialect) {
            (Some(name), _) => wanted.catalogs.by_name(&name).ok_or_else(|| near("target", name))?,
            (None, Some(name)) => {
                Dialect::by_name(&name).and_then(Dialect::default_target).ok_or_else(|| near("dialect", name))?.into()
            }
            (None, None) => return Err(TargetError::Unknown),
        };
        Target::new(catalog, wanted.abi())
    }

    /// Returns the same game with another dungeon.
    pub fn in_dungeon(self, dungeon: &OtherDungeon) -> Self {
        let mut catalog = Catalog::clone(&self.catalog);
        catalog.dungeon = catalog.dungeon.with_levels_of(&dungeon.description, &dungeon.name);
        Target { catalog: catalog.into(), ..self }
    }

    /// Returns the game's catalog.
    pub fn catalog(&self) -> &Shared {
        &self.catalog
    }

    /// Returns the machine for which the game was built.
    pub fn abi(&self) -> &'static Abi {
        self.abi
    }

    /// Returns the version header of its level files, one number for each `unsigned long`.
    pub fn header(&self) -> &[u64] {
        // Without a header of its own, the target was created for a machine that the catalog knows.
        self.header.as_deref().unwrap_or_else(|| self.catalog.header(self.abi.name).unwrap_or_default())
    }

    /// Returns the target in the back ends' form.
    pub fn game(&self) -> Game<'_> {
        Game { catalog: &self.catalog, abi: self.abi, header: self.header() }
    }
}

/// Returns the error for an unknown game in an input.
fn unknown_name(key: &'static str, name: String, known: &Catalogs) -> TargetError {
    let targets: Vec<Shared> = known.iter().collect();
    let dialects = DIALECTS.iter().map(|dialect| dialect.name);
    let near = did_you_mean(&name, targets.iter().map(|catalog| catalog.name.as_ref()).chain(dialects));
    TargetError::UnknownName { key, name, near }
}

/// A dungeon that replaces the game's own.
#[derive(Clone, Debug)]
pub struct OtherDungeon {
    /// Display name of the file that describes it.
    pub name: String,
    /// Its description.
    pub description: Description,
}

/// The game detected from the text of a des-file.
#[derive(Clone, Debug)]
pub(crate) struct Reported {
    /// The likeliest game.
    pub(crate) target: Target,
    /// Other candidates, to be tried if there are errors.
    pub(crate) others: Vec<Target>,
    /// The reason why it is the likeliest, unless it is the only candidate.
    pub(crate) reason: Option<String>,
}

impl Reported {
    /// Returns the result for a target that is already known.
    pub(crate) fn known(target: Target) -> Self {
        Reported { target, others: Vec::new(), reason: None }
    }

    /// Returns the same games with another dungeon, if one is given.
    pub(crate) fn in_dungeon(self, dungeon: Option<&OtherDungeon>) -> Self {
        let Some(dungeon) = dungeon else { return self };
        let Reported { target, others, reason } = self;
        let others = others.into_iter().map(|other| other.in_dungeon(dungeon)).collect();
        Reported { target: target.in_dungeon(dungeon), others, reason }
    }

    /// Returns a one-line note on the game detected for the input called `name`, unless it is the only candidate.
    pub(crate) fn note(&self, name: &str) -> Option<Diagnostic> {
        let reason = self.reason.as_ref()?;
        let catalog = self.target.catalog();
        let message = format!("{} is read as {}: {reason} (choose with --dialect)", visible(name), catalog.title);
        Some(Diagnostic::new(Code::Dialect, None, message))
    }
}

/// The properties of the game known in advance. The rest is detected from the bytes of a level file or the text of a
/// des-file, or set to a default.
#[derive(Clone, Debug, Default)]
pub struct Wanted {
    /// The dialect of des-files.
    pub dialect: Option<&'static Dialect>,
    /// The game.
    pub catalog: Option<Shared>,
    /// The candidate games of a level file: built-in and loaded ones.
    pub catalogs: Catalogs,
    /// The machine. A level file shows its own machine. If several match, this one is preferred.
    pub abi: Option<&'static Abi>,
    /// The target determined by a level file of the game: see [`Wanted::matching`].
    pub matched: Option<Target>,
    /// The dungeon of the levels, if it is not the game's own.
    pub dungeon: Option<Arc<OtherDungeon>>,
    /// True if the game is a default, e.g. that of a project. A file can name another in a comment:
    /// `# splc: target(unnethack-6.0.4)`.
    pub is_default: bool,
}

impl Wanted {
    /// Returns the target if it is known, or `None` if it must be detected for each input.
    ///
    /// # Errors
    /// [`TargetError::OtherDialect`], [`TargetError::UnknownBuild`].
    pub fn target(&self) -> Result<Option<Target>, TargetError> {
        if let (Some(dialect), Some(catalog)) = (self.dialect, &self.catalog)
            && dialect.name != catalog.dialect
        {
            return Err(TargetError::OtherDialect { catalog: catalog.clone(), dialect });
        }
        if let Some(matched) = &self.matched {
            return Ok(Some(matched.clone()));
        }
        let usual = || self.dialect.and_then(Dialect::default_target).map(Shared::from);
        let catalog = self.catalog.clone().or_else(usual);
        let machine = |catalog: &Shared| self.abi.unwrap_or_else(|| crate::games::usual_abi(catalog));
        catalog.map(|catalog| Target::new(catalog.clone(), machine(&catalog))).transpose()
    }

    /// Sets the target to the build of the level file that begins with `head` ([`HEADER_BYTES`](crate::HEADER_BYTES)
    /// are enough), including its version header.
    ///
    /// # Errors
    /// [`TargetError::NoMatch`], which refers to the file by `name`; or as [`Wanted::target`].
    pub fn matching(self, head: &[u8], name: &str) -> Result<Self, TargetError> {
        self.target()?;
        let build = recognise(head, &self.catalogs, |catalog| self.allows(catalog), self.abi);
        match build.as_ref().map(Target::of_build) {
            Some(matched) => Ok(Wanted { matched: Some(matched), ..self }),
            None => Err(TargetError::NoMatch {
                name: name.to_owned(),
                like: recognise(head, &self.catalogs, |_| true, None).map(|build| (build.catalog, build.abi)),
            }),
        }
    }

    /// Returns the target that the des-file or script `bytes` names in a comment, if that counts.
    ///
    /// # Errors
    /// [`TargetError::UnknownName`], [`TargetError::UnknownBuild`].
    pub(crate) fn target_of(&self, bytes: &[u8]) -> Result<Option<Target>, TargetError> {
        let is_open = self.dialect.is_none() && self.catalog.is_none();
        if self.matched.is_some() || !(self.is_default || is_open) {
            return Ok(None);
        }
        let Some(name) = allow::target(bytes) else { return Ok(None) };
        let usual = || Dialect::by_name(name).and_then(Dialect::default_target).map(Shared::from);
        let catalog = self.catalogs.by_name(name).or_else(usual);
        let catalog = catalog.ok_or_else(|| unknown_name("target", name.to_owned(), &self.catalogs))?;
        let abi = self.abi.unwrap_or_else(|| crate::games::usual_abi(&catalog));
        Target::new(catalog, abi).map(Some)
    }

    /// Returns true if the game of `catalog` is a candidate.
    pub fn allows(&self, catalog: &Catalog) -> bool {
        self.catalog.as_ref().is_none_or(|known| known.name == catalog.name)
            && self.dialect.is_none_or(|dialect| dialect.name == catalog.dialect)
    }

    /// Returns the machine, or the default.
    pub fn abi(&self) -> &'static Abi {
        self.abi.unwrap_or(DEFAULT_ABI)
    }

    /// Recognises the game and machine that wrote the level file `bytes`, among the wanted games.
    pub(crate) fn build(&self, bytes: &[u8]) -> Option<Build> {
        let wanted = |catalog: &Catalog| self.allows(catalog);
        let narrowed = self.abi.and_then(|abi| recognise(bytes, &self.catalogs, wanted, Some(abi)));
        narrowed.or_else(|| recognise(bytes, &self.catalogs, wanted, None))
    }
}

/// The reason why there is no target.
#[derive(Clone, Debug)]
pub enum TargetError {
    /// The game does not use that dialect.
    OtherDialect {
        /// The game.
        catalog: Shared,
        /// The dialect.
        dialect: &'static Dialect,
    },
    /// The version header of the game's level files on that machine is unknown.
    UnknownBuild {
        /// The game.
        catalog: Shared,
        /// The machine.
        abi: &'static Abi,
    },
    /// The supposed level file is not from a wanted game.
    NoMatch {
        /// Name of the file.
        name: String,
        /// The most similar game and machine.
        like: Option<(Shared, &'static Abi)>,
    },
    /// An input names an unknown game or dialect.
    UnknownName {
        /// The key of the name: `target` or `dialect`.
        key: &'static str,
        /// The name.
        name: String,
        /// A similar name, as a question.
        near: Option<String>,
    },
    /// A des-file with errors that another dialect reads without any.
    ReadsAs {
        /// Name of the file.
        name: String,
        /// The wanted game.
        target: Target,
        /// The other dialect.
        dialect: &'static Dialect,
    },
    /// The game cannot be determined.
    Unknown,
}

impl fmt::Display for TargetError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TargetError::OtherDialect { catalog, dialect } => {
                write!(f, "{} does not use the dialect {}", catalog.title, dialect.name)
            }
            TargetError::UnknownBuild { catalog, abi } => {
                let Abi { name, machine, .. } = abi;
                write!(f, "unknown version header of {} on {name} ({machine})", catalog.title)
            }
            TargetError::NoMatch { name, .. } => {
                write!(f, "{} is not a level file of a known game", visible(name))
            }
            TargetError::UnknownName { key, name, .. } => {
                write!(f, "the file names an unknown {key}: {}", visible(name))
            }
            TargetError::ReadsAs { name, target, dialect } => {
                let (name, game) = (visible(name), &target.catalog().title);
                write!(f, "{name} is a des-file of {}, and is not changed for {game}", dialect.title)
            }
            TargetError::Unknown => f.write_str("unknown game of the levels"),
        }
    }
}

impl std::error::Error for TargetError {}

impl From<TargetError> for Diagnostic {
    fn from(error: TargetError) -> Self {
        let code = match error {
            TargetError::NoMatch { .. } => Code::Damaged,
            TargetError::UnknownName { .. } => Code::JsonTarget,
            _ => Code::Usage,
        };
        let problem = Diagnostic::new(code, None, error.to_string());
        match error {
            TargetError::OtherDialect { catalog, .. } => {
                problem.with_help(format!("its dialect is {}", catalog.dialect))
            }
            TargetError::UnknownBuild { catalog, .. } => {
                let known: Vec<&str> = catalog.headers.iter().map(|(name, _)| name.as_ref()).collect();
                problem.with_help(format!("the known ABIs are: {}", known.join(", ")))
            }
            TargetError::NoMatch { like: Some((game, abi)), .. } => {
                problem.with_note(format!("it looks like a level file of {} on {}", game.name, abi.name))
            }
            TargetError::NoMatch { like: None, .. } => problem.with_help("`splc targets` lists the known games"),
            TargetError::UnknownName { near, .. } => {
                problem.with_help(near.unwrap_or_else(|| "`splc targets` lists the known games".to_owned()))
            }
            TargetError::ReadsAs { dialect, .. } => problem
                .with_note(format!("{} reads it without errors", dialect.title))
                .with_help(format!("fix it with --dialect {}", dialect.name)),
            TargetError::Unknown => problem.with_help("name it with --dialect; `splc targets` lists the games"),
        }
    }
}

/// Returns a note if a des-file with the errors of `known`, the first of `sources`, looks like one for another game
/// than that of `catalog`, and has fewer errors there. A single error that can be corrected needs no note.
pub fn other_dialect(
    catalog: &Catalog,
    sources: &SourceMap,
    known: &Diagnostics,
    includes: &mut dyn Includes,
) -> Option<Diagnostic> {
    let errors = known.errors();
    let fixable = |known: &Diagnostic| known.severity == Severity::Error && !known.suggestions.is_empty();
    if errors == 1 && known.iter().any(fixable) {
        return None;
    }
    // A JSON document names its dialect.
    if sources.document().is_some() {
        return None;
    }
    let (file, source) = sources.iter().next()?;
    let guess = detect::looks_like_another(&source.text, &catalog.dialect)?;
    if source.text.len() <= MAX_TRIED_BYTES {
        let other = Dialect::by_name(guess.dialect).and_then(Dialect::default_target)?;
        let (mut read, mut diagnostics) = (SourceMap::new(), Diagnostics::new());
        let again = read.add(source.name.clone(), source.path.clone(), encoded(source.charset, &source.text));
        let mut module = splc_frontends::parse(&mut read, again, other, includes, &mut diagnostics);
        splc_ir::check::check(&mut module, other, &mut diagnostics);
        if diagnostics.errors() >= errors {
            return None;
        }
    }
    let span = guess.evidence.map(|(start, end)| Span::new(file, start, end));
    let message = format!("the file looks like a des-file of {}", detect::title(guess.dialect));
    Some(
        Diagnostic::new(Code::OtherDialect, span, message)
            .with_label("evidence")
            .with_note(guess.reason)
            .with_help(format!("compile it with --dialect {}", guess.dialect)),
    )
}
