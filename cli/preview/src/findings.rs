//! The findings of `splc test`.

use serde::Serialize;
use splc_driver::test::{Plan, test};
use splc_driver::{Loaded, Runnable};
use splc_ir::diagnostic::{Diagnostic, LintLevels};
use splc_ir::source::{Form, SourceMap};
use splc_vm::{Progress, Settings};

use crate::statements::{Statement, statement};

/// A message about a source, with its place if it has one.
#[derive(Clone, Debug, Serialize)]
pub struct Finding {
    /// "error", "warning" or "note".
    pub severity: &'static str,
    /// Its code, e.g. "E0201".
    pub code: &'static str,
    /// The message.
    pub message: String,
    /// Further lines.
    pub notes: Vec<String>,
    /// Its advice.
    pub help: Option<String>,
    /// Its place in a source.
    pub place: Option<Statement>,
    /// The first seed that shows it.
    pub seed: Option<u64>,
    /// The square of the level with that seed.
    pub square: Option<[i32; 2]>,
}

impl Finding {
    /// Converts a diagnostic.
    pub fn of(diagnostic: &Diagnostic, sources: &SourceMap) -> Self {
        let span = diagnostic.span.filter(|span| !span.is_nowhere());
        let text = span.map(|span| (sources.get(span.file), span)).filter(|(source, _)| source.form == Form::Text);
        Finding {
            severity: diagnostic.severity.name(),
            code: diagnostic.code.as_str(),
            message: diagnostic.message.to_string(),
            notes: diagnostic.notes.clone(),
            help: diagnostic.help.clone(),
            place: text.map(|(source, span)| statement(source, span)),
            seed: None,
            square: None,
        }
    }
}

/// Tests a level of `loaded` with `seeds` seeds, from 1, on `threads` threads.
pub fn findings(
    loaded: &Loaded,
    runnable: &Runnable,
    settings: &Settings,
    lints: &LintLevels,
    seeds: u64,
    threads: usize,
) -> Vec<Finding> {
    let plan = Plan {
        settings: settings.clone(),
        seeds: 1..=seeds,
        threads,
        needs: Default::default(),
        vary: Default::default(),
    };
    let found = test(loaded, runnable, &plan, lints, &Progress::default());
    let finding = |found: &splc_driver::test::Found| Finding {
        seed: found.first,
        square: found.place.map(|(x, y)| [x, y]),
        ..Finding::of(&found.diagnostic, &loaded.sources)
    };
    found.iter().map(finding).collect()
}
