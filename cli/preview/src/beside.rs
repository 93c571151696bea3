//! Two levels side by side: the account of a port, and a difference between two levels.

use std::sync::atomic::AtomicU64;

use serde::Serialize;
use splc_driver::Runnable;
use splc_driver::port::Ported;
use splc_equivalence::{Evidence, Example, MadeWith, Verdict};
use splc_ir::source::Form;
use splc_port::{Note, Outcome};
use splc_vm::Settings;

use crate::statements::{Statement, statement};

/// A line of the account of a port.
#[derive(Clone, Debug, Serialize)]
pub struct Accounted {
    /// Name of the level or function that it is about.
    pub level: String,
    /// The statement and its fate.
    pub text: String,
    /// The changes made to it.
    pub notes: Vec<String>,
    /// Its place in the source.
    pub place: Option<Statement>,
    /// The lines of the port that it became.
    pub lines: Vec<usize>,
}

/// Returns the account of a port, without statements that are kept.
pub fn account(ported: &Ported) -> Vec<Accounted> {
    let mut list = Vec::new();
    let words = |notes: &[Note]| notes.iter().map(|note| note.what.clone()).collect::<Vec<_>>();
    for section in &ported.account.sections {
        let level = section.name.clone();
        if !section.notes.is_empty() {
            let (text, notes) = ("the level as a whole".to_owned(), words(&section.notes));
            list.push(Accounted { level: level.clone(), text, notes, place: None, lines: Vec::new() });
        }
        for entry in section.entries.iter().filter(|entry| entry.outcome != Outcome::Kept) {
            let fate = if entry.outcome == Outcome::Lost { "lost" } else { "changed" };
            let span = entry.span.somewhere();
            let source = span.map(|span| (ported.sources.get(span.file), span));
            let source = source.filter(|(source, _)| source.form == Form::Text);
            list.push(Accounted {
                level: level.clone(),
                text: format!("{} {fate}", entry.word),
                notes: words(&entry.notes),
                place: source.map(|(source, span)| statement(source, span)),
                lines: ported.result_lines(&entry.results),
            });
        }
        for added in &section.added {
            let (text, lines) = (format!("{} added", added.word), ported.result_lines(&[added.result]));
            list.push(Accounted { level: level.clone(), text, notes: Vec::new(), place: None, lines });
        }
    }
    list
}

/// The result of a comparison of two levels.
#[derive(Clone, Debug, Serialize)]
pub struct Compared {
    /// A sentence for the user.
    pub said: String,
    /// A seed for each level that shows the difference, if there is a difference and a seed shows it.
    pub seeds: Option<[u64; 2]>,
    /// The square of the difference.
    pub square: Option<[i32; 2]>,
}

/// Compares two levels as `splc equiv` does.
pub fn compared(levels: [&Runnable; 2], settings: &Settings, seeds: u64, threads: usize) -> Compared {
    let options = splc_equivalence::Options {
        settings: settings.clone(),
        seeds,
        threads,
        ..splc_equivalence::Options::default()
    };
    let verdict = splc_equivalence::compare(&levels[0].program, &levels[1].program, &options, &AtomicU64::new(0));
    let seed = |example: &Example| match example.with {
        MadeWith::Seed(seed) => Some(seed),
        MadeWith::Draws(_) => None,
    };
    match verdict {
        Verdict::Proven(..) => Compared { said: "proven the same".to_owned(), seeds: None, square: None },
        Verdict::NotDecided(undecided) => {
            let said = format!("not decided: {} levels of each show no difference", undecided.seeds);
            Compared { said, seeds: None, square: None }
        }
        Verdict::Different(difference) => {
            let shares = match &difference.evidence {
                Evidence::Exact { probabilities: [one, two] } => format!("with probability {one} and {two}"),
                Evidence::Counted { levels: [one, two], of, .. } => {
                    format!("on {one} of {of} seeds here, on {two} of {of} in the other level")
                }
            };
            let first_has_more = match &difference.evidence {
                Evidence::Exact { probabilities: [one, two] } => one > two,
                Evidence::Counted { levels: [one, two], .. } => one > two,
            };
            // The first example has the fact: it is from the level that has it more often.
            let [with, without] = difference.examples.each_ref().map(seed);
            let seeds =
                with.zip(without).map(|(with, without)| if first_has_more { [with, without] } else { [without, with] });
            let square = difference.fact.place.map(|(x, y)| [x, y]);
            Compared { said: format!("different: {}, {shares}", difference.fact), seeds, square }
        }
    }
}
