//! Levels translated from a script: what the translation could not keep.

use std::collections::HashMap;

use splc_ir::level::{Module, Statement};
use splc_ir::source::Span;
use splc_ir::visit::{VisitMut, walk_mut};

use crate::account::{Effect, Note};
use crate::tree::levels;
use crate::work::Work;

/// A difference between a script and the tree that it was translated to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// The span of the statement in the script.
    pub span: Span,
    /// A description.
    pub what: String,
    /// Set if the statement is gone.
    pub lost: bool,
}

/// Adds the differences of the translation to the account.
pub(crate) fn translated(work: &mut Work<'_>, module: &mut Module) {
    struct Notes<'w, 'a, 'd> {
        work: &'w mut Work<'a>,
        by_place: HashMap<Span, Vec<&'d Difference>>,
    }

    impl VisitMut for Notes<'_, '_, '_> {
        fn statement(&mut self, statement: &mut Statement) {
            let place = self.work.origins.place(statement.span);
            for difference in self.by_place.get(&place).into_iter().flatten() {
                self.work.differs(statement.span, difference.what.clone());
            }
            walk_mut::statement(self, statement);
        }
    }

    let differences = work.differences;
    let mut by_place: HashMap<Span, Vec<&Difference>> = HashMap::new();
    for difference in differences.iter().filter(|difference| !difference.lost) {
        by_place.entry(difference.span).or_default().push(difference);
    }
    let sections: Vec<Span> = levels(module).map(|level| level.span).collect();
    for &section in &sections {
        let place = work.origins.place(section);
        for difference in by_place.get(&place).into_iter().flatten() {
            work.differs(section, difference.what.clone());
        }
    }
    for difference in differences.iter().filter(|difference| difference.lost) {
        for &span in &sections {
            // Functions without a counterpart act only on a level that is played, like a level flag.
            let (pass, what) = (work.pass, difference.what.clone());
            let note =
                Note { pass, effect: Effect::Lost, what, flag: Some(String::new()), at: difference.span.somewhere() };
            work.origins.note(span, note);
        }
    }
    Notes { work, by_place }.module(module);
}
