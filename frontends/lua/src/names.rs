//! NetHack 5's lookup of monsters and objects by name.
//!
//! Source: NetHack 5.0.0, `name_to_monplus` of `mondata.c`, used by `des.monster`; the search of `lspo_object` for the
//! species of a corpse or statue; `find_objtype` of `sp_lev.c`. The check and the runtime share it. All ignore case.
//! The titles of heroes by experience level, which the game tries last, are omitted: no level names a monster by one.

use splc_ir::catalog::Catalog;

/// The sex of a monster implied by a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Gender {
    /// A male name.
    Male,
    /// A female name.
    Female,
    /// A name for both.
    Either,
}

/// A monster found by name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FoundMonster {
    /// Its number.
    pub number: usize,
    /// The sex implied by the name.
    pub gender: Gender,
    /// The kind of match.
    pub fit: Fit,
}

/// The kind of match between a name and a monster.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fit {
    /// The monster's name itself.
    Whole,
    /// Another spelling that the game accepts.
    Spelling,
    /// The monster's name followed by other text: `newts`, `newt corpse`.
    Beginning,
}

/// Other spellings that the game accepts, with their monsters (`name_to_monplus`, `names`). Each must be followed by
/// nothing, a blank or an apostrophe.
#[rustfmt::skip]
const SPELLINGS: &[(&str, &str, Gender)] = &[
    ("grey dragon", "gray dragon", Gender::Either),
    ("baby grey dragon", "baby gray dragon", Gender::Either),
    ("grey unicorn", "gray unicorn", Gender::Either),
    ("grey ooze", "gray ooze", Gender::Either),
    ("gray-elf", "Grey-elf", Gender::Either),
    ("mindflayer", "mind flayer", Gender::Either),
    ("master mindflayer", "master mind flayer", Gender::Either),
    ("aligned priest", "aligned cleric", Gender::Male),
    ("aligned priestess", "aligned cleric", Gender::Female),
    ("high priest", "high cleric", Gender::Male),
    ("high priestess", "high cleric", Gender::Female),
    ("master of thief", "Master of Thieves", Gender::Either),
    ("master thief", "Master of Thieves", Gender::Either),
    ("master of assassin", "Master Assassin", Gender::Either),
    ("master-lich", "master lich", Gender::Either),
    ("masterlich", "master lich", Gender::Either),
    ("invisible stalker", "stalker", Gender::Either),
    ("high-elf", "elven monarch", Gender::Either),
    ("wood-elf", "Woodland-elf", Gender::Either),
    ("wood elf", "Woodland-elf", Gender::Either),
    ("woodland nymph", "wood nymph", Gender::Either),
    ("halfling", "hobbit", Gender::Either),
    ("genie", "djinni", Gender::Either),
    ("human wererat", "wererat", Gender::Either),
    ("human werejackal", "werejackal", Gender::Either),
    ("human werewolf", "werewolf", Gender::Either),
    ("rat wererat", "wererat", Gender::Either),
    ("jackal werejackal", "werejackal", Gender::Either),
    ("wolf werewolf", "werewolf", Gender::Either),
    ("ki rin", "ki-rin", Gender::Either),
    ("kirin", "ki-rin", Gender::Either),
    ("uruk hai", "Uruk-hai", Gender::Either),
    ("orc captain", "orc-captain", Gender::Either),
    ("woodland elf", "Woodland-elf", Gender::Either),
    ("green elf", "Green-elf", Gender::Either),
    ("grey elf", "Grey-elf", Gender::Either),
    ("gray elf", "Grey-elf", Gender::Either),
    ("elf lady", "elf-noble", Gender::Female),
    ("elf lord", "elf-noble", Gender::Male),
    ("elf noble", "elf-noble", Gender::Either),
    ("olog hai", "Olog-hai", Gender::Either),
    ("arch lich", "arch-lich", Gender::Either),
    ("archlich", "arch-lich", Gender::Either),
    ("incubi", "amorous demon", Gender::Male),
    ("succubi", "amorous demon", Gender::Female),
    ("violet fungi", "violet fungus", Gender::Either),
    ("homunculi", "homunculus", Gender::Either),
    ("baluchitheria", "baluchitherium", Gender::Either),
    ("lurkers above", "lurker above", Gender::Either),
    ("cavemen", "cave dweller", Gender::Male),
    ("cavewomen", "cave dweller", Gender::Female),
    ("watchmen", "watchman", Gender::Either),
    ("djinn", "djinni", Gender::Either),
    ("mumakil", "mumak", Gender::Either),
    ("erinyes", "erinys", Gender::Either),
];

/// Returns the class of the shape of a were creature that a spelling names.
fn class_of_shape(spelling: &str) -> Option<char> {
    let (shape, rest) = spelling.split_once(' ')?;
    let class = match shape {
        "human" => '@',
        "rat" => 'r',
        _ => 'd',
    };
    rest.starts_with("were").then_some(class)
}

/// Returns the monster that `des.monster` finds by `name`.
pub fn monster(catalog: &Catalog, name: &str) -> Option<FoundMonster> {
    let mut name = name;
    for article in ["a ", "an ", "the "] {
        if let Some(rest) = name.strip_prefix(article) {
            name = rest;
            break;
        }
    }
    let mut name = name.to_ascii_lowercase();
    if let Some(at) = name.find("vortices") {
        name.truncate(at + 4);
        name.push_str("ex");
    } else if name.len() > 3 && name.ends_with("ies") && !name.ends_with("zombies") {
        name.truncate(name.len() - 3);
        name.push('y');
    } else if name.len() > 3 && name.ends_with("ves") {
        name.truncate(name.len() - 3);
        name.push('f');
    }
    for &(spelling, species, gender) in SPELLINGS {
        let Some(rest) = name.strip_prefix(spelling) else { continue };
        if !matches!(rest.bytes().next(), None | Some(b' ' | b'\'')) {
            continue;
        }
        // Other games may lack the species. The name may then match one of their own.
        if let Some((number, _)) = catalog.monster(species, class_of_shape(spelling)) {
            let fit = if rest.is_empty() { Fit::Spelling } else { Fit::Beginning };
            return Some(FoundMonster { number: usize::try_from(number).ok()?, gender, fit });
        }
    }
    let mut best: Option<(usize, FoundMonster)> = None;
    for (number, forms) in forms(catalog) {
        for (form, gender) in forms {
            let longer = best.is_none_or(|(length, _)| form.len() > length);
            if form.is_empty() || !longer || !starts(&name, form) {
                continue;
            }
            let rest = name.get(form.len()..).unwrap_or("");
            if rest.is_empty() {
                return Some(FoundMonster { number, gender, fit: Fit::Whole });
            }
            let plural = rest.strip_prefix("es").or_else(|| rest.strip_prefix('s'));
            let plural = plural.is_some_and(|rest| rest.is_empty() || rest.starts_with(' '));
            let owner = matches!(rest, "'" | "'s") || rest.starts_with("' ") || rest.starts_with("'s ");
            if rest.starts_with(' ') || plural || owner {
                best = Some((form.len(), FoundMonster { number, gender, fit: Fit::Beginning }));
            }
        }
    }
    best.map(|(_, found)| found)
}

/// Returns the monster with exactly this name, as looked up for the species of a corpse or statue.
pub fn corpse(catalog: &Catalog, name: &str) -> Option<usize> {
    let is =
        |forms: [(&str, Gender); 3]| forms.iter().any(|(form, _)| !form.is_empty() && form.eq_ignore_ascii_case(name));
    forms(catalog).find(|&(_, forms)| is(forms)).map(|(number, _)| number)
}

/// Returns all monsters that have `name` as one of their names, in order.
pub fn monsters_called<'c>(catalog: &'c Catalog, name: &str) -> impl Iterator<Item = usize> + use<'c> {
    let name = name.to_ascii_lowercase();
    forms(catalog)
        .filter(move |(_, forms)| forms.iter().any(|(form, _)| !form.is_empty() && form.eq_ignore_ascii_case(&name)))
        .map(|(number, _)| number)
}

/// Returns every name of every monster, including names for males and females.
pub fn monster_names(catalog: &Catalog) -> impl Iterator<Item = &str> {
    let forms = catalog.monster_forms().iter().flat_map(|(_, male, female)| [male.as_ref(), female.as_ref()]);
    catalog.monsters.iter().map(|species| species.name.as_ref()).chain(forms).filter(|name| !name.is_empty())
}

/// Returns the names of each monster in the order in which the game tries them: male, female, either.
fn forms(catalog: &Catalog) -> impl Iterator<Item = (usize, [(&str, Gender); 3])> {
    let mut gendered = catalog.monster_forms().iter().peekable();
    catalog.monsters.iter().enumerate().map(move |(number, species)| {
        let (mut male, mut female) = ("", "");
        if let Some((_, one, other)) = gendered.next_if(|(at, ..)| usize::from(*at) == number) {
            (male, female) = (one.as_ref(), other.as_ref());
        }
        (number, [(male, Gender::Male), (female, Gender::Female), (species.name.as_ref(), Gender::Either)])
    })
}

/// Returns true if `text`, which is in lower case, begins with `beginning`.
fn starts(text: &str, beginning: &str) -> bool {
    text.as_bytes().get(..beginning.len()).is_some_and(|head| head.eq_ignore_ascii_case(beginning.as_bytes()))
}

/// Prefixes of an object's name that give its class.
pub(crate) const CLASS_PREFIXES: &[(&str, char)] =
    &[("ring of ", '='), ("potion of ", '!'), ("scroll of ", '?'), ("spellbook of ", '+'), ("wand of ", '/')];

/// Names that the game gives objects when it begins, in place of those in its tables (`initoptions_finish`).
const GENERAL_NAMES: &[(&str, &str)] = &[("fruit", "slime mold")];

/// Returns true for an object that the game renames when it begins: its name in the tables is then unknown.
fn is_renamed(name: &str) -> bool {
    GENERAL_NAMES.iter().any(|(_, own)| *own == name)
}

/// Returns the name by which a level names an object of the catalog.
pub fn name_in_levels(name: &str) -> &str {
    GENERAL_NAMES.iter().find(|(_, own)| *own == name).map_or(name, |(general, _)| general)
}

/// An object found by name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FoundObject {
    /// Its number.
    pub number: usize,
    /// True if it was found by its description, which the game shuffles for many objects.
    pub described: bool,
}

/// Splits an object's name into the name without its class prefix, and the class.
pub fn object_name(name: &str, class: Option<char>) -> (&str, Option<char>) {
    for &(prefix, symbol) in CLASS_PREFIXES {
        if name.get(..prefix.len()).is_some_and(|head| head.eq_ignore_ascii_case(prefix)) {
            return (&name[prefix.len()..], Some(symbol));
        }
    }
    (name, class)
}

/// Returns the object that a level names `name`, of the class with the symbol `class` if that is known.
pub fn object(catalog: &Catalog, name: &str, class: Option<char>) -> Option<FoundObject> {
    let (name, class) = object_name(name, class.filter(|&class| catalog.object_class(class).is_some()));
    if let Some(number) = objects_called(catalog, name, class).next() {
        return Some(FoundObject { number, described: false });
    }
    let described = catalog.object_descriptions().iter().find(|(_, known)| known.eq_ignore_ascii_case(name));
    described.map(|&(number, _)| FoundObject { number: usize::from(number), described: true })
}

/// Returns all objects with `name`, of `class` or of any class, in order.
pub fn objects_called<'c>(
    catalog: &'c Catalog,
    name: &str,
    class: Option<char>,
) -> impl Iterator<Item = usize> + use<'c> {
    let name = name.to_ascii_lowercase();
    let called = GENERAL_NAMES.iter().find(|(general, _)| *general == name).map(|(_, own)| *own);
    let fits = move |species: &splc_ir::catalog::Species| {
        !species.name.is_empty()
            && match called {
                Some(called) => species.name == called,
                None => species.name.eq_ignore_ascii_case(&name) && !is_renamed(&species.name),
            }
            && class.is_none_or(|class| class == species.class)
    };
    catalog.objects.iter().enumerate().filter(move |(_, species)| fits(species)).map(|(number, _)| number)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn game() -> &'static Catalog {
        Catalog::by_name("nethack-5.0.0").unwrap()
    }

    fn found(name: &str) -> Option<(&'static str, Gender, Fit)> {
        let found = monster(game(), name)?;
        Some((game().monsters[found.number].name.as_ref(), found.gender, found.fit))
    }

    #[test]
    fn monsters_are_found_as_the_game_finds_them() {
        assert_eq!(found("gnome lord"), Some(("gnome leader", Gender::Male, Fit::Whole)));
        assert_eq!(found("Gnome Leader"), Some(("gnome leader", Gender::Either, Fit::Whole)));
        assert_eq!(found("gnome"), Some(("gnome", Gender::Either, Fit::Whole)));
        assert_eq!(found("gnomes"), Some(("gnome", Gender::Either, Fit::Beginning)));
        assert_eq!(found("newt corpse"), Some(("newt", Gender::Either, Fit::Beginning)));
        assert_eq!(found("the wood-elf"), Some(("Woodland-elf", Gender::Either, Fit::Spelling)));
        assert_eq!(found("dust vortices"), Some(("dust vortex", Gender::Either, Fit::Whole)));
        assert_eq!(found("high priestess"), Some(("high cleric", Gender::Female, Fit::Spelling)));
        assert_eq!(found("newtx"), None);
        assert_eq!(found(""), None);
        let human = monster(game(), "human werewolf").unwrap().number;
        let wolf = monster(game(), "wolf werewolf").unwrap().number;
        assert_eq!((game().monsters[human].class, game().monsters[wolf].class), ('@', 'd'));
        for &(spelling, species, _) in SPELLINGS {
            let name = game().monsters[monster(game(), spelling).unwrap().number].name.as_ref();
            assert_eq!(name, species, "{spelling}");
        }
    }

    #[test]
    fn objects_are_found_as_the_game_finds_them() {
        let found = |name, class| {
            let found = object(game(), name, class)?;
            Some((game().objects[found.number].name.as_ref(), game().objects[found.number].class, found.described))
        };
        assert_eq!(found("wand of light", None), Some(("light", '/', false)));
        assert_eq!(found("light", None).map(|(_, class, _)| class), Some('?'));
        assert_eq!(found("light", Some('+')), Some(("light", '+', false)));
        assert_eq!(found("Long Sword", None), Some(("long sword", ')', false)));
        assert_eq!(found("bag", None).map(|(.., described)| described), Some(true));
        assert_eq!(found("long sward", None), None);
        assert_eq!(found("fruit", Some('%')), Some(("slime mold", '%', false)));
        assert_eq!(found("slime mold", None), None);
        assert_eq!(found(name_in_levels("slime mold"), None), Some(("slime mold", '%', false)));
        assert!(objects_called(game(), "light", None).count() > 1);
    }
}
