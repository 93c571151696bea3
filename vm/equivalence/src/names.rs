//! Names of one game in terms of another: what a port maps, so that both levels can be compared.

use std::collections::{BTreeMap, BTreeSet};

use splc_vm::Terrain;

/// Which names of the first level's game stand for which of the second level's. What is not listed has the same name
/// in both.
///
/// Several names may be mapped to one: a stand-in.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Names {
    monsters: BTreeMap<String, String>,
    monster_classes: BTreeMap<char, char>,
    objects: BTreeMap<(char, String), (char, String)>,
    object_classes: BTreeMap<char, char>,
    traps: BTreeMap<String, String>,
    rooms: BTreeMap<String, String>,
    terrain: BTreeMap<Terrain, Terrain>,
    flags: BTreeMap<String, Option<String>>,
    terrain_as_objects: BTreeMap<Terrain, (char, String)>,
    objects_as_terrain: BTreeMap<(char, String), Terrain>,
    unsaid_flags: BTreeSet<String>,
    monsters_to_come: Option<String>,
}

impl Names {
    /// Every name is the same.
    pub fn new() -> Self {
        Self::default()
    }

    /// Whether every name is the same.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// A species of monsters, e.g. "giant eel".
    pub fn monster(&mut self, from: impl Into<String>, to: impl Into<String>) -> &mut Self {
        self.monsters.insert(from.into(), to.into());
        self
    }

    /// A class of monsters by its symbol, where any of the class is asked for.
    pub fn monster_class(&mut self, from: char, to: char) -> &mut Self {
        self.monster_classes.insert(from, to);
        self
    }

    /// A kind of objects: the symbol of its class, and its name.
    pub fn object(&mut self, from: (char, &str), to: (char, &str)) -> &mut Self {
        self.objects.insert((from.0, from.1.to_owned()), (to.0, to.1.to_owned()));
        self
    }

    /// A class of objects by its symbol, where any of the class is asked for.
    pub fn object_class(&mut self, from: char, to: char) -> &mut Self {
        self.object_classes.insert(from, to);
        self
    }

    /// A trap, by its name in des-files.
    pub fn trap(&mut self, from: impl Into<String>, to: impl Into<String>) -> &mut Self {
        self.traps.insert(from.into(), to.into());
        self
    }

    /// A room type, by its name in des-files.
    pub fn room(&mut self, from: impl Into<String>, to: impl Into<String>) -> &mut Self {
        self.rooms.insert(from.into(), to.into());
        self
    }

    /// Terrain.
    pub fn terrain(&mut self, from: Terrain, to: Terrain) -> &mut Self {
        self.terrain.insert(from, to);
        self
    }

    /// A word of FLAGS; `None` if the other game does not know such a thing.
    pub fn flag(&mut self, from: impl Into<String>, to: Option<&str>) -> &mut Self {
        self.flags.insert(from.into(), to.map(str::to_owned));
        self
    }

    /// Terrain for which the other game has an object, on floor: the symbol of its class, and its name.
    pub fn terrain_as_object(&mut self, from: Terrain, to: (char, &str)) -> &mut Self {
        self.terrain_as_objects.insert(from, (to.0, to.1.to_owned()));
        self
    }

    /// An object, by the symbol of its class and its name, for which the other game has terrain: one on floor is such
    /// a square.
    pub fn object_as_terrain(&mut self, from: (char, &str), to: Terrain) -> &mut Self {
        self.objects_as_terrain.insert((from.0, from.1.to_owned()), to);
        self
    }

    /// A word of FLAGS that holds of the first level though the level does not say so: its game knows that by the place
    /// of the level in the dungeon.
    pub fn unsaid_flag(&mut self, flag: impl Into<String>) -> &mut Self {
        self.unsaid_flags.insert(flag.into());
        self
    }

    /// Monsters that come later, which one of the games knows by the place of the level in the dungeon, and in the other
    /// MON_GENERATION says: how many of a hundred, and each with its weight, by its name or (without one) its class.
    ///
    /// They hold of the first level if it says nothing, and if it says just that, the second level has them unsaid.
    pub fn monsters_to_come(&mut self, share: i32, monsters: &[(i32, String, Option<char>)]) -> &mut Self {
        let entries = monsters.iter().map(|(weight, name, class)| {
            let monster = match class {
                Some(class) => any_of(self.of_monster_class(*class)),
                None => self.of_monster(name).to_owned(),
            };
            (i64::from(*weight), monster)
        });
        self.monsters_to_come = Some(in_words(i64::from(share), entries));
        self
    }

    /// What MON_GENERATION comes to, if anything is to be said of it; `said` has what the level says.
    pub(crate) fn told_monsters(&self, said: Option<String>) -> Option<String> {
        match (said, &self.monsters_to_come) {
            (None, unsaid) => unsaid.clone(),
            (Some(said), Some(unsaid)) if said == *unsaid => None,
            (said, _) => said,
        }
    }

    pub(crate) fn has_terrain_as_objects(&self) -> bool {
        !self.terrain_as_objects.is_empty()
    }

    pub(crate) fn object_for(&self, terrain: Terrain) -> Option<(char, &str)> {
        self.terrain_as_objects.get(&terrain).map(|(class, name)| (*class, name.as_str()))
    }

    pub(crate) fn terrain_for(&self, class: char, name: &str) -> Option<Terrain> {
        if self.objects_as_terrain.is_empty() {
            return None;
        }
        self.objects_as_terrain.get(&(class, name.to_owned())).copied()
    }

    pub(crate) fn unsaid_flags(&self) -> impl Iterator<Item = &str> {
        self.unsaid_flags.iter().map(String::as_str)
    }

    pub(crate) fn of_monster<'a>(&'a self, name: &'a str) -> &'a str {
        self.monsters.get(name).map_or(name, String::as_str)
    }

    pub(crate) fn of_monster_class(&self, class: char) -> char {
        self.monster_classes.get(&class).copied().unwrap_or(class)
    }

    pub(crate) fn of_object<'a>(&'a self, class: char, name: &'a str) -> (char, &'a str) {
        if self.objects.is_empty() {
            return (class, name);
        }
        self.objects.get(&(class, name.to_owned())).map_or((class, name), |(class, name)| (*class, name))
    }

    pub(crate) fn of_object_class(&self, class: char) -> char {
        self.object_classes.get(&class).copied().unwrap_or(class)
    }

    pub(crate) fn of_trap<'a>(&'a self, name: &'a str) -> &'a str {
        self.traps.get(name).map_or(name, String::as_str)
    }

    pub(crate) fn of_room<'a>(&'a self, name: &'a str) -> &'a str {
        self.rooms.get(name).map_or(name, String::as_str)
    }

    pub(crate) fn of_terrain(&self, terrain: Terrain) -> Terrain {
        if self.terrain_as_objects.contains_key(&terrain) {
            return Terrain::ROOM;
        }
        self.terrain.get(&terrain).copied().unwrap_or(terrain)
    }

    pub(crate) fn of_flag<'a>(&'a self, flag: &'a str) -> Option<&'a str> {
        self.flags.get(flag).map_or(Some(flag), Option::as_deref)
    }
}

/// Any monster of a class, in words.
pub(crate) fn any_of(class: char) -> String {
    format!("any {class}")
}

/// What MON_GENERATION says, in words: how many of a hundred, and what with which weight.
pub(crate) fn in_words(share: i64, monsters: impl Iterator<Item = (i64, String)>) -> String {
    let mut entries: Vec<String> = monsters.map(|(weight, monster)| format!("{weight} {monster}")).collect();
    entries.sort();
    format!("monsters to come, {share} in 100 of: {}", entries.join(", "))
}
