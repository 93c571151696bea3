//! Between the languages of scripts.

use splc_ir::catalog::LoaderRule;
use splc_ir::level::*;
use splc_ir::source::{Span, Spanned, Text};
use splc_ir::words::Group;

use crate::richer::levels;
use crate::work::Work;

/// The flag that keeps a level from being mirrored in any way, and those that do so for one.
const NO_MIRRORING: &str = "noflip";
const NO_MIRRORING_EACH: [&str; 2] = ["noflipx", "noflipy"];

fn has_flag(level: &Level, flag: &str) -> bool {
    level.flags.iter().flatten().any(|known| known.node == flag)
}

fn add_flag(level: &mut Level, flag: &str) {
    let flag = Spanned::new(Text::from(flag), Span::NOWHERE);
    level.flags.get_or_insert_with(Vec::new).push(flag);
}

/// Flags that a level has in its own game by its name.
pub(crate) fn unsaid_flags(work: &mut Work<'_>, module: &mut Module) {
    for level in levels(module) {
        let name = level.name.node.clone();
        for known in work.stand_ins.unsaid(&name, work.from, work.to) {
            for flag in &known.flags {
                if work.to.word(Group::Flag, flag).is_some() && !has_flag(level, flag) {
                    add_flag(level, flag);
                    work.same(level.span, format!("the flag {flag} is added: {}", known.reason));
                }
            }
        }
    }
}

/// Levels that are mirrored in one game and not in the other.
pub(crate) fn mirrors(work: &mut Work<'_>, module: &mut Module) {
    let (before, after) = (work.source_rule(LoaderRule::RandomFlips), work.target_rule(LoaderRule::RandomFlips));
    for level in levels(module) {
        let stays = has_flag(level, NO_MIRRORING) || NO_MIRRORING_EACH.iter().all(|flag| has_flag(level, flag));
        match (before, after) {
            (false, true) if !stays && work.to.word(Group::Flag, NO_MIRRORING).is_some() => {
                level.flags.iter_mut().for_each(|flags| {
                    flags.retain(|flag| !NO_MIRRORING_EACH.contains(&flag.node.as_str()));
                });
                add_flag(level, NO_MIRRORING);
                work.same(level.span, format!("the flag {NO_MIRRORING} keeps the level from being mirrored"));
            }
            (true, false) if !stays => {
                work.game(level.span, format!("{} never mirrors a level at random", work.to.title));
            }
            _ => {}
        }
    }
}
