//! Names that the author chose: of levels and of variables.

use std::collections::{HashMap, HashSet};

use indexmap::IndexSet;
use splc_ir::catalog::Feature;
use splc_ir::level::*;
use splc_ir::lower::number_name;
use splc_ir::source::{Span, Text};
use splc_ir::visit::{NameRole, Visit, VisitMut};

use crate::functions::Rename;
use crate::tree::levels;
use crate::work::Work;

/// Adapts level names: writes numbers out if the target has no numbered levels, and shortens names to its limit.
pub(crate) fn level_names(work: &mut Work<'_>, module: &mut Module) {
    let (from, to) = (work.from, work.to);
    let most = to.limits.level_name.max(0) as usize;
    let counts = to.has(Feature::NumberedLevels);
    let mut counter = 1;
    let mut used: HashSet<Text> = HashSet::new();
    // RNDLEVEL refers to the versions of a level by their common prefix.
    let ending = work.version.map(|version| format!("-{}", version.number)).unwrap_or_default();
    let longest = work.version.map_or(0, |version| format!("-{}", version.of).len());
    for level in levels(module) {
        let (name, numbered) = number_name(&level.name.node, counter, from);
        if numbered && !counts {
            work.same(level.span, format!("its number becomes part of its name, \"{}\"", level.name.node));
            level.name.node = name;
        }
        counter += usize::from(numbered);
        let name = level.name.node.strip_suffix(ending.as_str()).unwrap_or(&level.name.node);
        let most_of_it = most.saturating_sub(longest);
        if name.len() > most_of_it && most > 0 && name.is_ascii() && !name.contains('%') {
            let short = shorter(name, most_of_it, &used);
            let becomes = format!("{short}{ending}");
            let mut what = format!(
                "{} limits level names to {most} characters: \"{}\" becomes \"{becomes}\"",
                to.title, level.name.node
            );
            if work.version.is_some() {
                what.push_str(&format!(", for RNDLEVEL \"{short}\""));
            }
            work.differs(level.span, what);
            level.name.node = Text::from(becomes);
        }
        used.insert(Text::from(level.name.node.strip_suffix(ending.as_str()).unwrap_or(&level.name.node)));
    }
}

/// Returns an unused name of at most `most` letters, joined from the beginning and the end of `name`.
fn shorter(name: &str, most: usize, used: &HashSet<Text>) -> Text {
    (0..=most)
        .map(|tail| Text::from(format!("{}{}", &name[..most - tail], &name[name.len() - tail..])))
        .find(|short| !used.contains(short) && !short.ends_with('-'))
        .unwrap_or_else(|| Text::from(&name[..most]))
}

/// Renames variables whose names the target's lexer does not accept.
pub(crate) fn variable_names(work: &mut Work<'_>, module: &mut Module) {
    struct Names(IndexSet<Text>);

    impl<'tree> Visit<'tree> for Names {
        fn name(&mut self, role: NameRole, name: &'tree Text, _: Span) {
            if role == NameRole::Variable && !self.0.contains(name) {
                self.0.insert(name.clone());
            }
        }
    }

    let letters_alone = work.to.has(Feature::DashedWords);
    let undotted = work.to.has(Feature::UndottedWords);
    let fits = |name: &str| {
        let mut inner = name.strip_prefix('$').unwrap_or(name).chars();
        if letters_alone {
            inner.all(|letter| letter.is_ascii_alphabetic())
        } else {
            !undotted || inner.all(|letter| letter != '.')
        }
    };
    for item in &mut module.items {
        let mut names = Names(IndexSet::new());
        names.item(item);
        let mut taken: HashSet<Text> = names.0.iter().cloned().collect();
        let mut renamed: HashMap<Text, Text> = HashMap::new();
        // Candidates below these numbers are taken, by their letters.
        let mut tried: HashMap<String, usize> = HashMap::new();
        for name in names.0.iter().filter(|name| !fits(name)) {
            let base: String = name.chars().filter(char::is_ascii_alphabetic).collect();
            let next = tried.entry(base.clone()).or_default();
            // At most this many names are taken, so one of the candidates is free.
            for number in *next..names.0.len() * 2 + 26 {
                *next = number + 1;
                let candidate = numbered(&base, number);
                if taken.insert(candidate.clone()) {
                    renamed.insert(name.clone(), candidate);
                    break;
                }
            }
        }
        if renamed.is_empty() {
            continue;
        }
        let span = match item {
            Item::Level(level) => level.span,
            Item::Function(function) => function.span,
            Item::Include { .. } => continue,
        };
        for (before, after) in &renamed {
            work.same(span, format!("the variable {before} is renamed to {after}"));
        }
        Rename(&renamed).item(item);
    }
}

/// Returns the variable name of `base` with `number` in letters, the lowest digit first. Zero adds nothing, unless
/// there is no letter yet.
fn numbered(base: &str, number: usize) -> Text {
    let mut name = Text::from(format!("${base}"));
    let mut rest = number;
    while rest > 0 || name.len() == 1 {
        name.push(char::from(b'a' + (rest % 26) as u8));
        rest /= 26;
    }
    name
}
