//! Dungeon descriptions in any form: the inputs of `splc dungeon`, and the dungeon that levels belong to.

use std::path::Path;
use std::sync::Arc;

use splc_driver::dungeon::{self, Dungeon};
use splc_driver::{Options, OtherDungeon, Target, TargetError, Wanted};
use splc_ir::diagnostic::{Code, Diagnostic, LintLevels};
use splc_ir::dungeon::Description;
use splc_ir::source::SourceMap;
use splc_ir::wording::visible;

use crate::input::Origin;
use crate::options::groups::Sources;
use crate::outcome::Outcome;
use crate::report::Reporter;
use crate::wanted::wanted;

/// A loaded description.
pub(crate) struct Loaded {
    pub description: Description,
    pub target: Target,
    pub sources: SourceMap,
}

/// A problem, and the outcome of a run with it.
pub(crate) struct Trouble(pub Box<Diagnostic>, pub Outcome);

impl From<Box<Diagnostic>> for Trouble {
    fn from(problem: Box<Diagnostic>) -> Self {
        let outcome = if problem.code == Code::Damaged { Outcome::InputErrors } else { Outcome::Trouble };
        Trouble(problem, outcome)
    }
}

/// A file to read, with the options for it.
pub(crate) struct Reading<'a> {
    pub sources: &'a Sources,
    pub lints: &'a LintLevels,
    pub input: &'a Origin,
}

impl Reading<'_> {
    /// Returns the game that the options name.
    pub fn named_game(&self) -> Result<Target, Box<Diagnostic>> {
        let target = wanted(self.sources)?.target().map_err(|problem| Box::new(problem.into()))?;
        target.ok_or_else(no_game)
    }

    /// Reads and checks a description of any form. Returns `None` if it has errors, which are reported.
    pub fn load(&self, reporter: &mut Reporter) -> Result<Option<Loaded>, Trouble> {
        let input = self.input.read()?;
        let options = Options { wanted: wanted(self.sources)?, lints: self.lints.clone() };
        let Dungeon { target, description, sources, diagnostics } =
            dungeon::read(input, &options).map_err(|problem| match problem {
                TargetError::Unknown => no_game(),
                problem => Box::new(problem.into()),
            })?;
        let failed = diagnostics.has_errors();
        reporter.report(diagnostics, &sources);
        let description = description.filter(|_| !failed);
        Ok(description.map(|description| Loaded { description, target, sources }))
    }
}

/// Returns the error that the game of a dungeon is unknown.
fn no_game() -> Box<Diagnostic> {
    let problem = Diagnostic::new(Code::Usage, None, "unknown game of the dungeon");
    Box::new(problem.with_help("name it with --dialect, --target or --match; `splc targets` lists the games"))
}

/// Returns the game that the options select, with the dungeon that the levels are in. Returns `None` if the dungeon has
/// errors, which are reported.
///
/// # Errors
/// Fails as [`wanted`] does, or if the dungeon file cannot be read.
pub(crate) fn within(
    dungeon: Option<&Path>,
    sources: &Sources,
    lints: &LintLevels,
    reporter: &mut Reporter,
) -> Result<Option<Wanted>, Box<Diagnostic>> {
    let wanted = wanted(sources)?;
    let Some(path) = dungeon else { return Ok(Some(wanted)) };
    let input = Origin::of(path);
    let reading = Reading { sources, lints, input: &input };
    let read = reading.load(reporter).map_err(|Trouble(problem, _)| problem)?;
    Ok(read.map(|Loaded { description, .. }| {
        let name = visible(&input.name()).into_owned();
        Wanted { dungeon: Some(Arc::new(OtherDungeon { name, description })), ..wanted }
    }))
}
