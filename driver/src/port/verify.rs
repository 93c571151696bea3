//! Does a port keep the level? Two questions, as two things can change it.
//!
//! - *The translation*: the ported level, made by the loader of the game that it came from, is compared with the source.
//!   Whatever differs there, the port has changed.
//! - *The games*: the ported level, made by the loader of the target, is compared with the source. Whatever differs there
//!   and not in the translation, the target does with any level. The rules that touch this level are found by turning
//!   them one by one.

use std::sync::atomic::AtomicU64;

use splc_ir::catalog::{Catalog, LoaderRule, Shared};
use splc_ir::diagnostic::Diagnostics;
use splc_ir::level::Module;
use splc_ir::loadable::Loadable;
use splc_ir::words::Group;
use splc_port::{Account, Kind, other_rules, with_loader_of, with_rule_of};
use splc_vm::equivalence::{Evidence, Names, Options, Proof, Together, Verdict, compare, draw_for_draw};
use splc_vm::{Prepared, Terrain};

use super::Ported;
use crate::read::lower_each;
use crate::target::Target;

/// Seeds with which it is looked at whether a rule touches a level.
const RULE_SEEDS: u64 = 30;

/// What a level and its port are to one another.
#[derive(Clone, Debug)]
pub struct Verified {
    /// Name of the level.
    pub level: String,
    /// Whether the port itself keeps it.
    pub translation: Verdict,
    /// Whether it takes the same draws under the same loader.
    pub together: Together,
    /// Whether the target makes the same of it.
    pub games: Verdict,
    /// Rules in which the loaders differ and that touch the level, by the names that catalogs have for them.
    pub rules: Vec<String>,
}

impl Ported {
    /// Verifies each level; `options` says with how many seeds, and what is around the level. Those that cannot be made at
    /// all are left out.
    pub fn verify(&self, options: &Options) -> Vec<Verified> {
        let Some(made) = &self.made else { return Vec::new() };
        let (from, to) = (self.from.catalog(), self.to.catalog());
        let sources = loadables(&self.source, &self.from);
        let results = loadables(made, &self.to);
        let hybrid = Shared::from(with_loader_of(to, from));
        let options = Options { names: names(&self.account, from, to), ..options.clone() };
        let pairs = sources.into_iter().zip(results);
        pairs.filter_map(|(source, result)| verify(source, result, &hybrid, self, &options)).collect()
    }
}

fn verify(source: Loadable, result: Loadable, hybrid: &Shared, ported: &Ported, options: &Options) -> Option<Verified> {
    let (from, to) = (ported.from.catalog(), ported.to.catalog());
    let done = AtomicU64::new(0);
    let level = source.name().to_string();
    let source = Prepared::load(source, from).ok()?;
    let translated = Prepared::load(result.clone(), hybrid).ok()?;
    let in_target = Prepared::load(result.clone(), to).ok()?;
    let few = Options { seeds: options.seeds.min(RULE_SEEDS), names: Names::new(), ..options.clone() };
    let touches = |rule: &LoaderRule| {
        let turned = Shared::from(with_rule_of(hybrid, *rule, to));
        let Ok(turned) = Prepared::load(result.clone(), &turned) else { return false };
        matches!(draw_for_draw(&translated, &turned, &few, &done), Together::Parted(_))
    };
    Some(Verified {
        level,
        translation: compare(&source, &translated, options, &done),
        together: draw_for_draw(
            &source,
            &translated,
            &Options { seeds: options.seeds.min(RULE_SEEDS), ..options.clone() },
            &done,
        ),
        games: compare(&source, &in_target, options, &done),
        rules: other_rules(from, to).iter().filter(|rule| touches(rule)).map(|rule| rule.name()).collect(),
    })
}

fn loadables(module: &Module, target: &Target) -> Vec<Loadable> {
    let mut levels = Vec::new();
    lower_each(module, target, &mut Diagnostics::new(), |lowered, _| levels.push(lowered.level));
    levels
}

/// The names that the port has replaced, for the comparison.
fn names(account: &Account, from: &Catalog, to: &Catalog) -> Names {
    let mut names = Names::new();
    for replaced in &account.replaced {
        let (old, new) = (&replaced.from, &replaced.to);
        match (replaced.kind, old.1, new.1) {
            (Kind::Monster, ..) => {
                names.monster(&old.0, &new.0);
            }
            (Kind::Object, Some(before), Some(after)) => {
                names.object((before, &old.0), (after, &new.0));
            }
            (Kind::MonsterClass, Some(before), Some(after)) => {
                names.monster_class(before, after);
            }
            (Kind::ObjectClass, Some(before), Some(after)) => {
                names.object_class(before, after);
            }
            (Kind::Trap, ..) => {
                names.trap(&old.0, &new.0);
            }
            (Kind::Room, ..) => {
                names.room(&old.0, &new.0);
            }
            (Kind::Flag, ..) => {
                names.flag(&old.0, Some(new.0.as_str()));
            }
            (Kind::Terrain, Some(before), Some(after)) => {
                if let (Some(before), Some(after)) = (terrain(before, from), terrain(after, to)) {
                    names.terrain(before, after);
                }
            }
            _ => {}
        }
    }
    // What the target knows nothing of is not missed.
    for flag in from.words(Group::Flag).filter(|flag| to.word(Group::Flag, flag).is_none()) {
        names.flag(flag, None);
    }
    names
}

fn terrain(character: char, catalog: &Catalog) -> Option<Terrain> {
    let number = usize::try_from(catalog.terrain(character)?).ok()?;
    Terrain::from_word(catalog.level_types.get(number)?)
}

impl Verified {
    /// What was found, in two or three lines.
    pub fn in_words(&self) -> String {
        let drawn = match &self.together {
            Together::SameCode | Together::Always { .. } => "draw for draw, whatever is drawn".to_owned(),
            Together::SoFar { seeds } => format!("draw for draw with {seeds} seeds"),
            Together::Parted(_) => "with other draws".to_owned(),
        };
        let rules = match self.rules.as_slice() {
            [] => "no rule that differs touches it".to_owned(),
            rules => format!("rules that touch it: {}", rules.join(", ")),
        };
        format!("  translation: {}; {drawn}\n  games: {}; {rules}\n", verdict(&self.translation), verdict(&self.games))
    }
}

fn verdict(verdict: &Verdict) -> String {
    match verdict {
        Verdict::Proven(Proof::SameCode) => "proven, the same code".to_owned(),
        Verdict::Proven(Proof::EveryOutcome { outcomes, .. }) => {
            format!("proven over all outcomes, which are {outcomes}")
        }
        Verdict::NotDecided(undecided) => format!("no difference in {} levels of each", undecided.seeds),
        Verdict::Different(difference) => {
            let often = match difference.evidence {
                Evidence::Exact { probabilities: [one, two] } => {
                    format!("with probability {one} before and {two} after")
                }
                Evidence::Counted { levels: [one, two], of, .. } => {
                    format!("in {one} of {of} levels before and {two} after")
                }
            };
            format!("different: {} {often}", difference.fact)
        }
    }
}
