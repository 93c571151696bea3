//! The names of a game, and the words of its language.

use splc_ir::catalog::{Catalog, Match, Species};
use splc_ir::order::Order;
use splc_ir::source::Text;
use splc_ir::value::SpeciesName;
use splc_ir::words::Group;

use crate::Choices;

/// Looks up a name, of a given class if there is one.
type Find<'a> = dyn Fn(&str, Option<char>) -> Option<(i32, Match)> + 'a;

/// The names that a game offers.
pub(super) struct Names {
    /// Map characters for the terrain of a square.
    pub terrain: Vec<char>,
    /// Map characters that a whole level can be filled with.
    pub solid: Vec<char>,
    pub flags: Vec<Text>,
    pub traps: Vec<Text>,
    pub rooms: Vec<Text>,
    monsters: Vec<(char, Text, bool)>,
    objects: Vec<(char, Text, bool)>,
    monster_classes: Vec<char>,
    object_classes: Vec<char>,
}

impl Names {
    pub fn new(catalog: &Catalog) -> Self {
        let listed = |symbol: &char| symbol.is_ascii_graphic() || *symbol == ' ';
        let terrain: Vec<char> = catalog
            .map_characters
            .chars()
            .filter(|symbol| listed(symbol) && !symbol.is_ascii_digit() && catalog.terrain(*symbol).is_some())
            .collect();
        let most = catalog.max_terrain;
        let is_solid = |symbol: &char| catalog.terrain(*symbol).is_some_and(|number| number < most || most <= 0);
        // The simplest first: floor and stone.
        let simplest_first = |mut list: Vec<char>| {
            list.order_by_key(|&symbol| (symbol != '.', symbol != ' ', symbol));
            list
        };
        let written =
            |name: &&str| !name.is_empty() && name.bytes().all(|byte| byte != b'"' && (b' '..0x7f).contains(&byte));
        let species = |all: &[Species], find: &Find<'_>| {
            let exact = |number: usize, name: &str, class| find(name, class) == Some((number as i32, Match::Exact));
            all.iter()
                .enumerate()
                .filter(|(number, one)| {
                    written(&one.name.as_ref())
                        && one.class.is_ascii_graphic()
                        && exact(*number, &one.name, Some(one.class))
                })
                .map(|(number, one)| (one.class, Text::from(one.name.as_ref()), exact(number, &one.name, None)))
                .collect()
        };
        let classes = |all: &str| {
            all.chars().filter(char::is_ascii_graphic).filter(|&class| class != '\'' && class != '\\').collect()
        };
        Names {
            solid: simplest_first(terrain.iter().copied().filter(is_solid).collect()),
            terrain: simplest_first(terrain),
            flags: catalog.words(Group::Flag).map(Text::from).collect(),
            traps: catalog.traps.iter().map(|(name, _)| name.as_ref()).filter(written).map(Text::from).collect(),
            rooms: catalog.rooms.iter().map(|(name, _)| name.as_ref()).filter(written).map(Text::from).collect(),
            monsters: species(&catalog.monsters, &|name, class| catalog.monster(name, class)),
            objects: species(&catalog.objects, &|name, class| catalog.object(name, class)),
            monster_classes: classes(&catalog.monster_classes),
            object_classes: classes(&catalog.object_classes),
        }
    }

    /// Returns a monster by class, by name or by both, or a random one.
    pub fn monster(&self, choices: &mut Choices) -> SpeciesName {
        species(choices, &self.monster_classes, &self.monsters)
    }

    /// Returns an object by class, by name or by both, or a random one.
    pub fn object(&self, choices: &mut Choices) -> SpeciesName {
        species(choices, &self.object_classes, &self.objects)
    }

    /// Returns a class of monsters.
    pub fn monster_class(&self, choices: &mut Choices) -> char {
        choices.pick(&self.monster_classes)
    }

    /// Returns a class of objects.
    pub fn object_class(&self, choices: &mut Choices) -> char {
        choices.pick(&self.object_classes)
    }

    /// Returns the name of a monster that exists in a single class.
    pub fn monster_name(&self, choices: &mut Choices) -> Text {
        alone(choices, &self.monsters)
    }

    /// Returns the name of an object that exists in a single class.
    pub fn object_name(&self, choices: &mut Choices) -> Text {
        alone(choices, &self.objects)
    }

    /// Returns the class and name of a monster.
    pub fn classed_monster(&self, choices: &mut Choices) -> (char, Text) {
        classed(choices, &self.monsters)
    }

    /// Returns the class and name of an object.
    pub fn classed_object(&self, choices: &mut Choices) -> (char, Text) {
        classed(choices, &self.objects)
    }
}

fn classed(choices: &mut Choices, all: &[(char, Text, bool)]) -> (char, Text) {
    let (class, name, _) = &all[choices.below(all.len())];
    (*class, name.clone())
}

fn alone(choices: &mut Choices, all: &[(char, Text, bool)]) -> Text {
    let start = choices.below(all.len());
    let from_there = all[start..].iter().chain(&all[..start]);
    from_there.filter(|(.., alone)| *alone).map(|(_, name, _)| name.clone()).next().unwrap_or_default()
}

fn species(choices: &mut Choices, classes: &[char], all: &[(char, Text, bool)]) -> SpeciesName {
    match choices.below(4) {
        0 => SpeciesName::Class(choices.pick(classes)),
        1 => SpeciesName::Random,
        2 => SpeciesName::Name(alone(choices, all)),
        _ => {
            let (class, name) = classed(choices, all);
            SpeciesName::ClassAndName(class, name)
        }
    }
}

/// Returns a word without meaning in the language: a prefix and the `number`-th of `a`, `b`, ... `z`, `aa`, ... It has
/// only letters, because names in some dialects allow nothing else.
pub(super) fn letters(prefix: &str, mut number: usize) -> Text {
    let mut word = Vec::new();
    loop {
        word.push(b'a' + (number % 26) as u8);
        match number / 26 {
            0 => break,
            rest => number = rest - 1,
        }
    }
    let letters: String = word.iter().rev().map(|&letter| char::from(letter)).collect();
    Text::from(format!("{prefix}{letters}"))
}

/// Returns a string such as an author might write.
pub(super) fn text(choices: &mut Choices) -> Text {
    const WORDS: &[&str] = &[
        "",
        "It is dark.",
        "ad aerarium",
        "a",
        "You hear water. Much of it!",
        "x (1,2) [3%] {",
        "Welcome to #1 & co",
        "'tis %i",
        "caf\u{e9}",
    ];
    Text::from(choices.pick(WORDS))
}
