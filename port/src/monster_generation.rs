//! Monsters generated later, while the hero is on a level. Some games declare them with MON_GENERATION. The others
//! derive them from the hero's role on the levels of the quest.
//!
//! On these levels six in seven monsters are enemies (`rndmonst` of NetHack 3.4.3, 3.6.7 and 5.0.0). Four in five
//! enemies are of the first entry, and four in five of these are of its species, if it has one (`qt_montype`). The rest
//! are of the entry's class.

use splc_ir::level::*;
use splc_ir::order::Order;
use splc_ir::source::{Span, Spanned, Text};

use crate::account::MonsterGeneration;
use crate::stand_ins::Enemy;
use crate::tree::levels;
use crate::work::Work;

/// The percentage of monsters that are enemies: six in seven.
const SHARE: i32 = 86;

/// Adds MON_GENERATION if only the source has the quest's enemies built in, and removes it if only the target does.
pub(crate) fn add_or_remove(work: &mut Work<'_>, module: &mut Module) {
    for level in levels(module) {
        let name = level.name.node.clone();
        let stand_ins = work.stand_ins;
        let known = stand_ins.unsaid(&name, work.from, work.to).find_map(|known| known.enemies.as_ref());
        if let Some(enemies) = known {
            say(work, level, enemies);
        }
        let known = stand_ins.unsaid(&name, work.to, work.from).find_map(|known| known.enemies.as_ref());
        if let Some(enemies) = known {
            leave_to_game(work, level, enemies);
        }
    }
}

/// Adds MON_GENERATION to a level whose source game has its enemies built in.
fn say(work: &mut Work<'_>, level: &mut Level, enemies: &[Enemy; 2]) {
    if level.body.iter().any(|statement| matches!(statement.kind, StatementKind::MonsterGeneration { .. })) {
        return;
    }
    let entries = weighted(enemies).into_iter().map(|(weight, monster)| GenerationEntry {
        frequency: Expr { kind: ExprKind::Integer(weight), span: Span::NOWHERE },
        monster,
        span: Span::NOWHERE,
    });
    let chance = Spanned::new(SHARE, Span::NOWHERE);
    let kind = StatementKind::MonsterGeneration { chance, entries: entries.collect() };
    let is_head =
        |statement: &Statement| matches!(statement.kind, StatementKind::InitMap(_) | StatementKind::Message { .. });
    let at = level.body.iter().position(|statement| !is_head(statement)).unwrap_or(level.body.len());
    level.body.insert(at, Statement { kind, span: Span::NOWHERE });
    let title = work.from.title.clone();
    work.same(level.span, format!("MON_GENERATION lists the enemies of a quest level, as in {title}"));
    work.game(level.span, format!("six of seven generated monsters are enemies in {title}, {SHARE} in 100 here"));
    work.origins.monster_generation(level.span, monsters_of(enemies));
}

/// Removes MON_GENERATION if it matches the enemies built into the target.
fn leave_to_game(work: &mut Work<'_>, level: &mut Level, enemies: &[Enemy; 2]) {
    let is_said = |statement: &&Statement| matches!(statement.kind, StatementKind::MonsterGeneration { .. });
    let (Some(at), None) = ({
        let mut said = level.body.iter().enumerate().filter(|(_, statement)| is_said(statement)).map(|(at, _)| at);
        (said.next(), said.next())
    }) else {
        return;
    };
    let StatementKind::MonsterGeneration { chance, entries } = &level.body[at].kind else { return };
    let mut said: Vec<(i32, String)> = entries
        .iter()
        .filter_map(|entry| match entry.frequency.kind {
            ExprKind::Integer(weight) => Some((weight, shown(&entry.monster)?)),
            _ => None,
        })
        .collect();
    let mut known: Vec<(i32, String)> =
        weighted(enemies).iter().filter_map(|(weight, monster)| Some((*weight, shown(monster)?))).collect();
    said.order();
    known.order();
    if chance.node != SHARE || said != known || said.len() != entries.len() {
        return;
    }
    let span = level.body.remove(at).span;
    let title = work.to.title.clone();
    work.same(span, format!("it is removed: {title} has the enemies of quest levels built in"));
    work.game(span, format!("six of seven generated monsters are enemies in {title}, {SHARE} in 100 in the source"));
    work.origins.monster_generation(level.span, monsters_of(enemies));
}

/// Returns the weight of each species or class.
fn weighted(enemies: &[Enemy; 2]) -> Vec<(i32, SpeciesName)> {
    let mut weighted = Vec::new();
    for (enemy, weight) in enemies.iter().zip([80, 20]) {
        let of_class = SpeciesName::Class(enemy.class);
        match &enemy.species {
            None => weighted.push((weight, of_class)),
            Some(species) => {
                weighted.push((weight * 4 / 5, SpeciesName::Name(Text::from(species.as_str()))));
                weighted.push((weight / 5, of_class));
            }
        }
    }
    weighted
}

/// Returns the enemies in the account's form.
fn monsters_of(enemies: &[Enemy; 2]) -> MonsterGeneration {
    let monsters = weighted(enemies).into_iter().filter_map(|(weight, monster)| match monster {
        SpeciesName::Class(class) => Some((weight, String::new(), Some(class))),
        SpeciesName::Name(name) => Some((weight, name.to_string(), None)),
        _ => None,
    });
    MonsterGeneration { share: SHARE, monsters: monsters.collect() }
}

/// Returns a monster in a comparable form.
fn shown(monster: &SpeciesName) -> Option<String> {
    match monster {
        SpeciesName::Class(class) => Some(class.to_string()),
        SpeciesName::Name(name) | SpeciesName::ClassAndName(_, name) => Some(name.to_ascii_lowercase()),
        SpeciesName::Random | SpeciesName::RandomAndName(_) => None,
    }
}
