//! The state shared by all passes: the two games, the stand-ins and the notes.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use splc_ir::catalog::{Catalog, LoaderRule};
use splc_ir::level::Statement;
use splc_ir::source::{Span, Spanned, Text};

use crate::account::{Effect, Note};
use crate::origins::{Origin, Origins};
use crate::stand_ins::{Kind, Replaced, StandIns};
use crate::{Difference, Resolved, Version};

/// A port in progress.
pub(crate) struct Work<'a> {
    pub from: &'a Catalog,
    pub to: &'a Catalog,
    pub stand_ins: &'a StandIns,
    /// The seed for resolving chance that the target cannot express, if it is to be resolved.
    pub dice: Option<u64>,
    /// The version of each level, if there are several.
    pub version: Option<Version>,
    /// Levels resolved by a run, by position.
    pub resolved: &'a BTreeMap<usize, Resolved>,
    /// Differences between a script and the module that it was translated to.
    pub differences: &'a [Difference],
    /// Statements executed in such a run.
    pub reached: HashSet<Span>,
    pub origins: Origins,
    /// The name of the running pass.
    pub pass: &'static str,
    /// Names replaced by stand-ins.
    pub replaced: BTreeSet<Replaced>,
    /// Errors: the origin, its span in the source, the message and the help.
    pub failures: Vec<(Origin, Span, String, Option<&'static str>)>,
    /// Comments for statements of the result.
    pub remarks: Vec<(Span, String)>,
    /// Errors already reported, to report each only once.
    pub reported: HashSet<(Origin, String)>,
}

impl Work<'_> {
    /// Adds a note to the origin of `span`.
    pub fn note(&mut self, span: Span, effect: Effect, what: impl Into<String>) {
        self.origins.note(span, Note { pass: self.pass, effect, what: what.into(), flag: None, at: None });
    }

    /// Notes a flag of the level at `span`.
    pub fn flag(&mut self, span: Span, flag: &Spanned<Text>, effect: Effect, what: String) {
        let (name, at) = ((effect != Effect::Same).then(|| flag.node.to_string()), flag.span.somewhere());
        self.origins.note(span, Note { pass: self.pass, effect, what, flag: name, at });
    }

    /// Notes an equivalent form.
    pub fn same(&mut self, span: Span, what: impl Into<String>) {
        self.note(span, Effect::Same, what);
    }

    /// Notes a difference.
    pub fn differs(&mut self, span: Span, what: impl Into<String>) {
        self.note(span, Effect::Differs, what);
    }

    /// Records that a name is replaced. Both names come with the symbol of their class, if they have one.
    pub fn replace(&mut self, kind: Kind, from: (&str, Option<char>), to: (&str, Option<char>)) {
        let owned = |(name, class): (&str, Option<char>)| (name.to_owned(), class);
        self.replaced.insert(Replaced { kind, from: owned(from), to: owned(to) });
    }

    /// Adds a comment to the statement at `span`.
    pub fn remark(&mut self, span: Span, what: String) {
        self.remarks.push((span, what));
    }

    /// Notes that 3.4.3 creates the contents of a container with a chance also without the container.
    pub fn differs_in_contents(&mut self, span: Span) {
        self.differs(span, "its contents exist only with the container, but 3.4.3 creates them anyway");
    }

    /// Notes that the target treats the same text differently.
    pub fn game(&mut self, span: Span, what: impl Into<String>) {
        self.note(span, Effect::Game, what);
    }

    /// Notes that the origin of `span` is lost.
    pub fn lost(&mut self, span: Span, what: impl Into<String>) {
        self.note(span, Effect::Lost, what);
    }

    /// Notes that the origin of `span` cannot be ported, and thus its level.
    pub fn fail(&mut self, span: Span, what: impl Into<String>) {
        self.failed(span, what.into(), None);
    }

    /// Like [`fail`](Self::fail), for chance that `--instantiate` could resolve.
    pub fn fail_by_chance(&mut self, span: Span, what: impl Into<String>) {
        const HELP: &str = "use --instantiate SEED to port one of its possible results";
        self.failed(span, what.into(), self.dice.is_none().then_some(HELP));
    }

    fn failed(&mut self, span: Span, what: String, help: Option<&'static str>) {
        let Some(origin) = Origin::of(span) else { return };
        // A statement in an unrolled LOOP is reported once.
        if self.reported.insert((origin, what.clone())) {
            self.failures.push((origin, self.origins.place(span), what, help));
        }
    }

    /// Returns true if the loader of the source game has a rule.
    pub fn source_rule(&self, rule: LoaderRule) -> bool {
        self.from.loader.rules.has(rule)
    }

    /// Returns true if the loader of the target game has a rule.
    pub fn target_rule(&self, rule: LoaderRule) -> bool {
        self.to.loader.rules.has(rule)
    }
}

/// A visitor's state that tracks the current statement.
pub(crate) struct Within<'w, 'a> {
    pub(crate) work: &'w mut Work<'a>,
    pub(crate) here: Span,
}

impl Within<'_, '_> {
    /// Enters `statement`. Returns the statement around it, to restore later.
    pub(crate) fn statement(&mut self, statement: &Statement) -> Span {
        let inner = if statement.span.is_nowhere() { self.here } else { statement.span };
        std::mem::replace(&mut self.here, inner)
    }
}
