//! What every pass works with: the two games, the stand-ins, and where it notes what it does.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use splc_ir::catalog::{Catalog, LoaderRule};
use splc_ir::source::Span;

use crate::account::{Effect, Note};
use crate::origins::{Origin, Origins};
use crate::stand_ins::{Kind, Replaced, StandIns};
use crate::{Settled, Version};

/// A port that is under way.
pub(crate) struct Work<'a> {
    pub from: &'a Catalog,
    pub to: &'a Catalog,
    pub stand_ins: &'a StandIns,
    /// The seed of what settles what the target cannot leave to chance, if it is to be settled.
    pub dice: Option<u64>,
    /// Which version of each level this is, if there are several.
    pub version: Option<Version>,
    /// Levels that were settled by a run, by their positions.
    pub settled: &'a BTreeMap<usize, Settled>,
    /// Statements that such a run came to.
    pub reached: HashSet<Span>,
    pub origins: Origins,
    /// The name of the running pass.
    pub pass: &'static str,
    /// Names for which others stand.
    pub replaced: BTreeSet<Replaced>,
    /// What cannot go over, with what is wrong with it.
    pub failures: Vec<(Origin, Span, String, Option<&'static str>)>,
    /// The same, for what is told once.
    pub told: HashSet<(Origin, String)>,
}

impl Work<'_> {
    /// Notes something of what carries `span`.
    pub fn note(&mut self, span: Span, effect: Effect, what: impl Into<String>) {
        self.origins.note(span, Note { pass: self.pass, effect, what: what.into() });
    }

    /// Notes another form of the same.
    pub fn same(&mut self, span: Span, what: impl Into<String>) {
        self.note(span, Effect::Same, what);
    }

    /// Notes something that is not the same any more.
    pub fn differs(&mut self, span: Span, what: impl Into<String>) {
        self.note(span, Effect::Differs, what);
    }

    /// Remembers that a name stands for another; both with the symbol of their class, if they have one.
    pub fn replace(&mut self, kind: Kind, from: (&str, Option<char>), to: (&str, Option<char>)) {
        let owned = |(name, class): (&str, Option<char>)| (name.to_owned(), class);
        self.replaced.insert(Replaced { kind, from: owned(from), to: owned(to) });
    }

    /// Notes what the target makes of the same words.
    pub fn game(&mut self, span: Span, what: impl Into<String>) {
        self.note(span, Effect::Game, what);
    }

    /// Notes that what carries `span` is gone.
    pub fn lost(&mut self, span: Span, what: impl Into<String>) {
        self.note(span, Effect::Lost, what);
    }

    /// Notes that what carries `span` cannot go over, and with it its level.
    pub fn fail(&mut self, span: Span, what: impl Into<String>) {
        self.failed(span, what.into(), None);
    }

    /// The same, of what dice could settle.
    pub fn fail_by_chance(&mut self, span: Span, what: impl Into<String>) {
        const HELP: &str = "--instantiate SEED makes one of the levels that it can be";
        self.failed(span, what.into(), self.dice.is_none().then_some(HELP));
    }

    fn failed(&mut self, span: Span, what: String, help: Option<&'static str>) {
        let Some(origin) = Origin::of(span) else { return };
        // What a LOOP repeats is wrong once.
        if self.told.insert((origin, what.clone())) {
            self.failures.push((origin, self.origins.place(span), what, help));
        }
    }

    /// Whether the loader of the game that levels come from has a rule.
    pub fn source_rule(&self, rule: LoaderRule) -> bool {
        self.from.loader.rules.has(rule)
    }

    /// Whether the loader of the game that levels go to has a rule.
    pub fn target_rule(&self, rule: LoaderRule) -> bool {
        self.to.loader.rules.has(rule)
    }
}
