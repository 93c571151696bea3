//! Monsters that are peaceful or hostile by chance, where the level says of all others like them what they are.

use std::collections::BTreeMap;

use splc_vm::Monster;

use crate::{Defect, Judge, Scene, Subject};

/// Least monsters of a species of which all but one have an attitude.
const SPECIES: usize = 4;

/// Least hostile monsters of its class around a unique monster.
const COMPANY: usize = 8;

/// The attitude of a monster for which the level gives none (`peace_minded`).
const BY_CHANCE: i32 = -1;

impl Judge {
    /// Finds the one monster of a species without an attitude, and a unique monster without one among hostile ones.
    pub(crate) fn attitudes(&mut self, scene: &Scene<'_>) {
        let (level, game, steps) = (scene.level, &scene.program.game, scene.program.len());
        if !level.monsters().iter().any(|monster| monster.peaceful != BY_CHANCE) {
            return;
        }
        let mut kinds: BTreeMap<u16, Vec<(usize, &Monster, usize)>> = BTreeMap::new();
        for (number, monster) in level.monsters().iter().enumerate().filter(|(_, monster)| !monster.of_class) {
            let maker = scene.chronicle.monster(number).filter(|maker| maker.at < steps);
            if let (Some(species), Some(maker)) = (monster.species, maker) {
                kinds.entry(species).or_default().push((number, monster, maker.at));
            }
        }
        let known = |species: u16| game.catalog.monsters.get(usize::from(species));
        // The monsters of one statement are alike.
        let mut hostile: BTreeMap<char, usize> = BTreeMap::new();
        for (&species, monsters) in &kinds {
            let count = monsters.iter().filter(|(_, monster, _)| monster.peaceful == 0).count();
            let Some(kind) = known(species) else { continue };
            *hostile.entry(kind.class).or_default() += count;
        }
        let of_class = |class: char| {
            kinds.iter().filter(move |(species, _)| known(**species).is_some_and(|kind| kind.class == class))
        };
        for (&species, monsters) in &kinds {
            let mut left = monsters.iter().filter(|(_, monster, _)| monster.peaceful == BY_CHANCE);
            let (Some(&(number, monster, at)), None) = (left.next(), left.next()) else { continue };
            let Some(kind) = known(species) else { continue };
            let place = Some((monster.x, monster.y));
            let mut others = monsters.iter().filter(|(other, ..)| *other != number).map(|(_, other, _)| other.peaceful);
            if let Some(first) = others.next() {
                if monsters.len() >= SPECIES && others.all(|other| other == first) {
                    self.add(Defect::OddAttitude, Some(at), place, Subject::Monster(number));
                }
                continue;
            }
            let is_unique = kind.name.starts_with(|first: char| first.is_uppercase());
            let is_nemesis = game.catalog.loader.nemeses.contains(&kind.name);
            let company = hostile.get(&kind.class).copied().unwrap_or(0);
            let all_hostile = || {
                let of_class = of_class(kind.class).filter(|(other, _)| **other != species);
                of_class.flat_map(|(_, others)| others).all(|(_, other, _)| other.peaceful == 0)
            };
            if is_unique && !is_nemesis && company >= COMPANY && all_hostile() {
                self.add(Defect::OddLeader, Some(at), place, Subject::Monster(number));
            }
        }
    }
}
