//! Names of one game in terms of another, as mapped by a port, so that both levels can be compared.

use std::collections::{BTreeMap, BTreeSet};

use num_integer::Integer as _;
use splc_ir::catalog::Catalog;
use splc_ir::order::Order;
use splc_vm::Terrain;

/// Mapping of names from the first level's game to the second's. A name that is not listed is the same in both.
///
/// Several names may be mapped to one stand-in.
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
    monster_generation: Option<String>,
}

impl Names {
    /// Creates a mapping in which every name is the same.
    pub fn new() -> Self {
        Self::default()
    }

    /// Returns true if every name is the same.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// Maps a species of monsters, e.g. "giant eel".
    pub fn monster(&mut self, from: impl Into<String>, to: impl Into<String>) -> &mut Self {
        self.monsters.insert(from.into(), to.into());
        self
    }

    /// Maps a class of monsters by its symbol, for requests of any monster in the class.
    pub fn monster_class(&mut self, from: char, to: char) -> &mut Self {
        self.monster_classes.insert(from, to);
        self
    }

    /// Maps an object type: the symbol of its class, and its name.
    pub fn object(&mut self, from: (char, &str), to: (char, &str)) -> &mut Self {
        self.objects.insert((from.0, from.1.to_owned()), (to.0, to.1.to_owned()));
        self
    }

    /// Maps a class of objects by its symbol, for requests of any object in the class.
    pub fn object_class(&mut self, from: char, to: char) -> &mut Self {
        self.object_classes.insert(from, to);
        self
    }

    /// Maps a trap by its name in des-files.
    pub fn trap(&mut self, from: impl Into<String>, to: impl Into<String>) -> &mut Self {
        self.traps.insert(from.into(), to.into());
        self
    }

    /// Maps a room type by its name in des-files.
    pub fn room(&mut self, from: impl Into<String>, to: impl Into<String>) -> &mut Self {
        self.rooms.insert(from.into(), to.into());
        self
    }

    /// Maps the own types of squares of one game to those of another with the same names. Types that the other game
    /// lacks become own types that it does not use.
    pub(crate) fn own_types(&mut self, from: &Catalog, to: &Catalog) -> &mut Self {
        let there = Terrain::own_types(to);
        let mut taken: Vec<Terrain> = there.iter().map(|(own, _)| *own).collect();
        for (own, look) in Terrain::own_types(from) {
            let same = Terrain::of_type(&look.of, to);
            let unused = || Terrain::ALL.iter().copied().find(|other| other.is_own() && !taken.contains(other));
            if let Some(other) = same.or_else(unused) {
                taken.push(other);
                self.terrain.entry(own).or_insert(other);
            }
        }
        self
    }

    /// Replaces the words of own types of squares in `text` by their names in the games of both levels.
    pub(crate) fn with_names(&self, text: &str, from: &Catalog, to: &Catalog) -> String {
        let theirs = Terrain::own_types(to).into_iter().map(|(own, look)| (own, &look.name));
        let mine = Terrain::own_types(from).into_iter().map(|(own, look)| (self.of_terrain(own), &look.name));
        let mut all: Vec<_> = theirs.chain(mine).collect();
        // Longer words first: one is the start of another.
        all.order_by_key(|(own, _)| std::cmp::Reverse(*own));
        all.iter().fold(text.to_owned(), |text, (own, name)| text.replace(own.word(), name))
    }

    /// Maps terrain.
    pub fn terrain(&mut self, from: Terrain, to: Terrain) -> &mut Self {
        self.terrain.insert(from, to);
        self
    }

    /// Maps a FLAGS keyword; `None` if the other game has no equivalent.
    pub fn flag(&mut self, from: impl Into<String>, to: Option<&str>) -> &mut Self {
        self.flags.insert(from.into(), to.map(str::to_owned));
        self
    }

    /// Maps terrain to an object on floor in the other game: the symbol of its class, and its name.
    pub fn terrain_as_object(&mut self, from: Terrain, to: (char, &str)) -> &mut Self {
        self.terrain_as_objects.insert(from, (to.0, to.1.to_owned()));
        self
    }

    /// Maps an object to terrain in the other game, by the symbol of its class and its name. An object on floor counts
    /// as a square of that terrain.
    pub fn object_as_terrain(&mut self, from: (char, &str), to: Terrain) -> &mut Self {
        self.objects_as_terrain.insert((from.0, from.1.to_owned()), to);
        self
    }

    /// Adds a FLAGS keyword that applies to the first level without being written in it: its game derives it from the
    /// place of the level in the dungeon.
    pub fn unsaid_flag(&mut self, flag: impl Into<String>) -> &mut Self {
        self.unsaid_flags.insert(flag.into());
        self
    }

    /// Sets the monsters generated later. One game derives them from the place of the level in the dungeon, the other
    /// has MON_GENERATION: a percentage, and the weight of each monster, given by its name or (without one) its class.
    ///
    /// They apply to the first level if it has no MON_GENERATION. If it has exactly this one, it is dropped, because
    /// the second level has it implicitly.
    pub fn monster_generation(&mut self, share: i32, monsters: &[(i32, String, Option<char>)]) -> &mut Self {
        let entries = monsters.iter().map(|(weight, name, class)| {
            let monster = match class {
                Some(class) => any_of(self.of_monster_class(*class)),
                None => self.of_monster(name).to_owned(),
            };
            (i64::from(*weight), monster)
        });
        self.monster_generation = Some(in_words(i64::from(share), entries));
        self
    }

    /// The MON_GENERATION to compare, if any. `said` is the level's own.
    pub(crate) fn reported_monsters(&self, said: Option<String>) -> Option<String> {
        match (said, &self.monster_generation) {
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

/// Description of any monster of a class.
pub(crate) fn any_of(class: char) -> String {
    splc_picture::random_monster(class)
}

/// Describes MON_GENERATION: the percentage, and the monsters with their weights.
pub(crate) fn in_words(share: i64, monsters: impl Iterator<Item = (i64, String)>) -> String {
    let mut weights: BTreeMap<String, i64> = BTreeMap::new();
    for (weight, monster) in monsters {
        let sum = weights.entry(monster).or_default();
        *sum = sum.saturating_add(weight);
    }
    // Only the proportions matter.
    let common = weights.values().fold(0, |common: i64, weight| common.gcd(weight)).max(1);
    let entries = weights.iter().map(|(monster, weight)| format!("{} {monster}", weight / common));
    let mut entries: Vec<String> = entries.collect();
    entries.order();
    format!("generated monsters, {share} in 100 of: {}", entries.join(", "))
}
