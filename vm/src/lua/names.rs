//! Lookup of the names in a level: monsters, objects, terrain, room types, traps, as the game finds them.

use splc_ir::catalog::{Catalog, Habit, Species};

use crate::game::Game;

/// A sex given by a name, or drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sex {
    Male,
    Female,
    /// The name gives no sex.
    Open,
}

/// Names for monsters that the game does not list as species (`name_to_monplus`).
const ALTERNATIVES: &[(&str, &str, Sex)] = &[
    ("grey dragon", "gray dragon", Sex::Open),
    ("baby grey dragon", "baby gray dragon", Sex::Open),
    ("grey unicorn", "gray unicorn", Sex::Open),
    ("grey ooze", "gray ooze", Sex::Open),
    ("gray-elf", "Grey-elf", Sex::Open),
    ("mindflayer", "mind flayer", Sex::Open),
    ("master mindflayer", "master mind flayer", Sex::Open),
    ("aligned priest", "aligned cleric", Sex::Male),
    ("aligned priestess", "aligned cleric", Sex::Female),
    ("high priest", "high cleric", Sex::Male),
    ("high priestess", "high cleric", Sex::Female),
    ("master of thief", "Master of Thieves", Sex::Open),
    ("master thief", "Master of Thieves", Sex::Open),
    ("master of assassin", "Master Assassin", Sex::Open),
    ("master-lich", "master lich", Sex::Open),
    ("masterlich", "master lich", Sex::Open),
    ("invisible stalker", "stalker", Sex::Open),
    ("high-elf", "elven monarch", Sex::Open),
    ("wood-elf", "Woodland-elf", Sex::Open),
    ("wood elf", "Woodland-elf", Sex::Open),
    ("woodland nymph", "wood nymph", Sex::Open),
    ("halfling", "hobbit", Sex::Open),
    ("genie", "djinni", Sex::Open),
    ("human wererat", "wererat@@", Sex::Open),
    ("human werejackal", "werejackal@@", Sex::Open),
    ("human werewolf", "werewolf@@", Sex::Open),
    ("rat wererat", "wererat@r", Sex::Open),
    ("jackal werejackal", "werejackal@d", Sex::Open),
    ("wolf werewolf", "werewolf@d", Sex::Open),
    ("ki rin", "ki-rin", Sex::Open),
    ("kirin", "ki-rin", Sex::Open),
    ("uruk hai", "Uruk-hai", Sex::Open),
    ("orc captain", "orc-captain", Sex::Open),
    ("woodland elf", "Woodland-elf", Sex::Open),
    ("green elf", "Green-elf", Sex::Open),
    ("grey elf", "Grey-elf", Sex::Open),
    ("gray elf", "Grey-elf", Sex::Open),
    ("elf lady", "elf-noble", Sex::Female),
    ("elf lord", "elf-noble", Sex::Male),
    ("elf noble", "elf-noble", Sex::Open),
    ("olog hai", "Olog-hai", Sex::Open),
    ("arch lich", "arch-lich", Sex::Open),
    ("archlich", "arch-lich", Sex::Open),
    ("incubi", "amorous demon", Sex::Male),
    ("succubi", "amorous demon", Sex::Female),
    ("violet fungi", "violet fungus", Sex::Open),
    ("homunculi", "homunculus", Sex::Open),
    ("baluchitheria", "baluchitherium", Sex::Open),
    ("lurkers above", "lurker above", Sex::Open),
    ("cavemen", "cave dweller", Sex::Male),
    ("cavewomen", "cave dweller", Sex::Female),
    ("watchmen", "watchman", Sex::Open),
    ("djinn", "djinni", Sex::Open),
    ("mumakil", "mumak", Sex::Open),
    ("erinyes", "erinys", Sex::Open),
];

/// Returns true if the rest of a text after a name is a valid ending: a plural, a possessive, or further words.
fn is_ending(rest: &str) -> bool {
    let rest = rest.to_ascii_lowercase();
    matches!(rest.as_str(), "" | "s" | "'" | "'s" | "es")
        || [" ", "s ", "' ", "'s ", "es "].iter().any(|start| rest.starts_with(start))
}

/// Finds the species for a name, and the sex given by it (`name_to_monplus`).
pub(super) fn monster(catalog: &Catalog, name: &str) -> Option<(u16, Sex)> {
    let name = ["a ", "an ", "the "].iter().find_map(|article| name.strip_prefix(article)).unwrap_or(name);
    let folded = name.to_ascii_lowercase();
    let mut singular = folded.clone();
    if let Some(at) = folded.find("vortices") {
        singular.replace_range(at + 4..at + 8, "ex");
    } else if folded.len() > 3 && folded.ends_with("ies") && !folded.ends_with("zombies") {
        singular.replace_range(folded.len() - 3.., "y");
    } else if folded.len() > 3 && folded.ends_with("ves") {
        singular.replace_range(folded.len() - 3.., "f");
    }
    let name = singular.as_str();
    for &(alternative, meant, sex) in ALTERNATIVES {
        let fits =
            name.strip_prefix(alternative).is_some_and(|rest| matches!(rest.chars().next(), None | Some(' ' | '\'')));
        if fits {
            let (meant, class) = match meant.split_once('@') {
                Some((meant, class)) => (meant, class.chars().next()),
                None => (meant, None),
            };
            // Other games may lack the species; then the name may match one of their own.
            if let Some((number, _)) = catalog.monster(meant, class) {
                return Some((u16::try_from(number).ok()?, sex));
            }
        }
    }
    let mut best: Option<(usize, u16, Sex)> = None;
    let mut consider = |number: usize, known: &str, sex: Sex| {
        let length = known.len();
        if length == 0 || best.is_some_and(|(longest, ..)| length <= longest) || name.len() < length {
            return false;
        }
        let Some((head, rest)) = name.split_at_checked(length) else { return false };
        if !head.eq_ignore_ascii_case(known) || !is_ending(rest) {
            return false;
        }
        best = u16::try_from(number).ok().map(|number| (length, number, sex));
        rest.is_empty()
    };
    let mut forms = catalog.monster_forms.iter().peekable();
    'search: for (number, species) in catalog.monsters.iter().enumerate() {
        while forms.peek().is_some_and(|form| usize::from(form.0) < number) {
            forms.next();
        }
        if let Some((_, male, female)) = forms.peek().filter(|form| usize::from(form.0) == number)
            && (consider(number, male, Sex::Male) || consider(number, female, Sex::Female))
        {
            break 'search;
        }
        if consider(number, &species.name, Sex::Open) {
            break;
        }
    }
    best.map(|(_, number, sex)| (number, sex))
}

/// Finds the species with exactly this name, or with this name for its males or females (`lspo_object`: `montype`).
pub(super) fn exact_monster(catalog: &Catalog, name: &str) -> Option<u16> {
    let plain = catalog.monsters.iter().position(|species| species.name.eq_ignore_ascii_case(name));
    let forms = || catalog.monster_forms.iter();
    let form = forms().find(|(_, male, female)| male.eq_ignore_ascii_case(name) || female.eq_ignore_ascii_case(name));
    let form = form.map(|&(number, ..)| number);
    match (plain.and_then(|number| u16::try_from(number).ok()), form) {
        (Some(plain), Some(form)) => Some(plain.min(form)),
        (plain, form) => plain.or(form),
    }
}

/// Sex of a species that has only one.
pub(super) fn only_sex(game: &Game, species: u16) -> Option<Sex> {
    let habits = game.habits(Some(species));
    if habits.has(Habit::Female) {
        Some(Sex::Female)
    } else if habits.has(Habit::Male) {
        Some(Sex::Male)
    } else {
        None
    }
}

/// Prefixes of object names that imply their class (`find_objtype`).
const PREFIXES: &[(&str, char)] =
    &[("ring of ", '='), ("potion of ", '!'), ("scroll of ", '?'), ("spellbook of ", '+'), ("wand of ", '/')];

/// Finds the object for a name, in a class if one is known (`find_objtype`).
pub(super) fn object(catalog: &Catalog, name: &str, class: Option<char>) -> Option<u16> {
    let mut class = class.filter(|&class| catalog.object_class(class).is_some());
    let mut name = name;
    if name.to_ascii_lowercase().contains(" of ") {
        for &(prefix, symbol) in PREFIXES {
            if let Some((head, rest)) = name.split_at_checked(prefix.len())
                && head.eq_ignore_ascii_case(prefix)
            {
                (class, name) = (Some(symbol), rest);
                break;
            }
        }
    }
    let fits = |object: &Species| {
        class.is_none_or(|class| object.class == class)
            && !object.name.is_empty()
            && object.name.eq_ignore_ascii_case(name)
    };
    let named = catalog.objects.iter().position(fits);
    let number = named.and_then(|number| u16::try_from(number).ok());
    number.or_else(|| {
        let mut descriptions = catalog.object_descriptions.iter();
        descriptions.find(|(_, description)| description.eq_ignore_ascii_case(name)).map(|&(number, _)| number)
    })
}

/// Names of the features that a monster can look like, with their numbers in the game's list of symbols (`defsyms`,
/// `include/defsym.h`).
pub(super) const FEATURES: &[(&str, i32)] = &[
    ("stone", 0),
    ("wall", 1),
    ("doorway", 12),
    ("open door", 13),
    ("closed door", 15),
    ("iron bars", 17),
    ("tree", 18),
    ("floor of a room", 19),
    ("dark part of a room", 20),
    ("engraving", 21),
    ("corridor", 22),
    ("lit corridor", 23),
    ("staircase up", 25),
    ("staircase down", 26),
    ("ladder up", 27),
    ("ladder down", 28),
    ("branch staircase up", 29),
    ("branch staircase down", 30),
    ("branch ladder up", 31),
    ("branch ladder down", 32),
    ("altar", 33),
    ("grave", 34),
    ("opulent throne", 35),
    ("sink", 36),
    ("fountain", 37),
    ("water", 38),
    ("ice", 39),
    ("molten lava", 40),
    ("wall of lava", 41),
    ("lowered drawbridge", 42),
    ("raised drawbridge", 44),
    ("air", 46),
    ("cloud", 47),
    ("arrow trap", 49),
    ("dart trap", 50),
    ("falling rock trap", 51),
    ("squeaky board", 52),
    ("bear trap", 53),
    ("land mine", 54),
    ("rolling boulder trap", 55),
    ("sleeping gas trap", 56),
    ("rust trap", 57),
    ("fire trap", 58),
    ("pit", 59),
    ("spiked pit", 60),
    ("hole", 61),
    ("trap door", 62),
    ("teleportation trap", 63),
    ("level teleporter", 64),
    ("magic portal", 65),
    ("web", 66),
    ("statue trap", 67),
    ("magic trap", 68),
    ("anti-magic field", 69),
    ("polymorph trap", 70),
    ("vibrating square", 71),
    ("trapped door", 72),
    ("trapped chest", 73),
];
