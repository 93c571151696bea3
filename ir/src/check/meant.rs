//! Guesses for misspelt names of monsters, objects, traps and room types: plurals, articles, "potion of healing", names
//! of artifacts, names from other games.
//!
//! A game's tables list each name once, in the form its compiler looks up. Here an unknown name is taken apart until a
//! known name is left. [`Meant`] is that name, with the reason.

use std::borrow::Cow;

use crate::catalog::{Catalog, Format, Species};
use crate::diagnostic::nearest;
use crate::level::{OBJECTS_OF_MONSTERS, StatementKind};
use crate::order::Order;
use crate::visit::SpeciesRole;
use crate::wording::{Conjunction, listed};

/// A guess at the meaning of a name.
pub struct Meant<'c> {
    /// The species, if a single one is likely.
    pub species: Option<&'c Species>,
    /// Further advice, besides the correct name.
    pub why: Cow<'static, str>,
    /// True if nothing else can be meant.
    pub certain: bool,
}

/// Words for classes of objects, and the symbols of the classes.
const CLASSES: &[(&str, char)] = &[
    ("potion", '!'),
    ("scroll", '?'),
    ("wand", '/'),
    ("ring", '='),
    ("spellbook", '+'),
    ("amulet", '"'),
    ("staff", '/'),
    ("book", '+'),
    ("tome", '+'),
];

/// Monsters that NetHack 5 renamed, with the forms of females, and their names before (NetHack 5.0.0, monsters.h).
const RENAMED_MONSTERS: &[(&str, &str)] = &[
    ("aligned cleric", "aligned priest"),
    ("high cleric", "high priest"),
    ("high priestess", "high priest"),
    ("cleric", "priest"),
    ("cave dweller", "caveman"),
    ("amorous demon", "succubus"),
    ("dwarf leader", "dwarf lord"),
    ("dwarf lady", "dwarf lord"),
    ("dwarf ruler", "dwarf king"),
    ("dwarf queen", "dwarf king"),
    ("gnome leader", "gnome lord"),
    ("gnome lady", "gnome lord"),
    ("gnome ruler", "gnome king"),
    ("gnome queen", "gnome king"),
    ("kobold leader", "kobold lord"),
    ("kobold lady", "kobold lord"),
    ("ogre leader", "ogre lord"),
    ("ogre lady", "ogre lord"),
    ("ogre tyrant", "ogre king"),
    ("ogre queen", "ogre king"),
    ("vampire leader", "vampire lord"),
    ("vampire lady", "vampire lord"),
    ("elf-noble", "Elf-lord"),
    ("elf noble", "Elf-lord"),
    ("elf-lady", "Elf-lord"),
    ("elven monarch", "Elvenking"),
    ("elvenqueen", "Elvenking"),
];

/// Objects that NetHack 5 renamed, and their names before (NetHack 5.0.0, objects.h).
const RENAMED_OBJECTS: &[(&str, &str)] = &[
    ("enormous meatball", "huge chunk of meat"),
    ("splash of acid venom", "acid venom"),
    ("splash of blinding venom", "blinding venom"),
];

/// Artifacts, and their base objects (NetHack 3.4.3 and 3.6, artilist.h).
const ARTIFACTS: &[(&str, &str)] = &[
    ("excalibur", "long sword"),
    ("stormbringer", "runesword"),
    ("mjollnir", "war hammer"),
    ("cleaver", "battle-axe"),
    ("grimtooth", "orcish dagger"),
    ("orcrist", "elven broadsword"),
    ("sting", "elven dagger"),
    ("magicbane", "athame"),
    ("frost brand", "long sword"),
    ("fire brand", "long sword"),
    ("dragonbane", "broadsword"),
    ("demonbane", "long sword"),
    ("werebane", "silver saber"),
    ("grayswandir", "silver saber"),
    ("giantslayer", "long sword"),
    ("ogresmasher", "war hammer"),
    ("trollsbane", "morning star"),
    ("vorpal blade", "long sword"),
    ("snickersnee", "katana"),
    ("sunsword", "long sword"),
    ("orb of detection", "crystal ball"),
    ("heart of ahriman", "luckstone"),
    ("sceptre of might", "mace"),
    ("staff of aesculapius", "quarterstaff"),
    ("magic mirror of merlin", "mirror"),
    ("eyes of the overworld", "lenses"),
    ("mitre of holiness", "helm of brilliance"),
    ("longbow of diana", "bow"),
    ("master key of thievery", "skeleton key"),
    ("tsurugi of muramasa", "tsurugi"),
    ("platinum yendorian express card", "credit card"),
    ("orb of fate", "crystal ball"),
    ("eye of the aethiopica", "amulet of ESP"),
];

/// Common names of objects that the games name differently.
const OBJECTS: &[(&str, &str)] = &[
    ("large chest", "chest"),
    ("big chest", "chest"),
    ("small chest", "chest"),
    ("treasure chest", "chest"),
    ("box", "large box"),
    ("small box", "large box"),
    ("bag", "sack"),
    ("key", "skeleton key"),
    ("lock-pick", "lock pick"),
    ("lockpick", "lock pick"),
    ("pick axe", "pick-axe"),
    ("pick", "pick-axe"),
    ("lamp", "oil lamp"),
    ("lantern", "brass lantern"),
    ("candle", "tallow candle"),
    ("rock", "rock"),
    ("bear trap", "beartrap"),
    ("landmine", "land mine"),
    ("grapnel", "grappling hook"),
    ("camera", "expensive camera"),
    ("shirt", "T-shirt"),
    ("boots", "low boots"),
    ("shield", "small shield"),
    ("robe", "robe"),
    ("sword", "long sword"),
    ("hammer", "war hammer"),
    ("holy water", "water"),
    ("unholy water", "water"),
    ("water potion", "water"),
    ("bottle of water", "water"),
    ("ration", "food ration"),
    ("food", "food ration"),
    ("tins", "tin"),
    ("amulet of yendor", "Amulet of Yendor"),
    ("candelabrum", "Candelabrum of Invocation"),
    ("bell", "bell"),
    ("book of the dead", "Book of the Dead"),
    ("throne", ""),
    ("fountain", ""),
    ("altar", ""),
];

/// Colours of dragons, with the dragons' names in UnNetHack, and the word for them in its armour (UnNetHack 6.0.4,
/// `objects.c`).
const DRAGONS: &[(&str, &str, &str)] = &[
    ("gray", "tatzelworm", "magic"),
    ("silver", "amphitere", "reflecting"),
    ("red", "draken", "fire"),
    ("white", "lindworm", "ice"),
    ("orange", "sarkany", "sleep"),
    ("black", "sirrush", "disintegration"),
    ("blue", "leviathan", "electric"),
    ("green", "wyvern", "poison"),
    ("yellow", "guivre", "acid"),
];

/// Common names of traps.
const TRAPS: &[(&str, &str)] = &[
    ("squeaky board", "board"),
    ("boulder", "rolling boulder"),
    ("rock", "falling rock"),
    ("teleportation", "teleport"),
    ("teleporter", "teleport"),
    ("level teleporter", "level teleport"),
    ("level teleportation", "level teleport"),
    ("portal", "magic portal"),
    ("magic field", "magic"),
    ("anti-magic", "anti magic"),
    ("antimagic", "anti magic"),
    ("anti-magic field", "anti magic"),
    ("antimagic field", "anti magic"),
    ("anti magic field", "anti magic"),
    ("spike", "spiked pit"),
    ("spiked", "spiked pit"),
    ("spikes", "spiked pit"),
    ("gas", "sleep gas"),
    ("sleeping gas", "sleep gas"),
    ("polytrap", "polymorph"),
    ("poly", "polymorph"),
    ("trapdoor", "trap door"),
    ("door", "trap door"),
    ("landmine", "land mine"),
    ("mine", "land mine"),
    ("beartrap", "bear"),
    ("spider web", "web"),
    ("dart", "dart"),
    ("flame", "fire"),
    ("water", "rust"),
    ("hole in the floor", "hole"),
];

/// Common names of room types.
const ROOMS: &[(&str, &str)] = &[
    ("general store", "shop"),
    ("general shop", "shop"),
    ("store", "shop"),
    ("general", "shop"),
    ("throne room", "throne"),
    ("throneroom", "throne"),
    ("court", "throne"),
    ("graveyard", "morgue"),
    ("cemetery", "morgue"),
    ("crypt", "morgue"),
    ("treasure zoo", "zoo"),
    ("soldiers", "barracks"),
    ("army", "barracks"),
    ("bees", "beehive"),
    ("bee hive", "beehive"),
    ("hive", "beehive"),
    ("ants", "anthole"),
    ("ant hole", "anthole"),
    ("ant hill", "anthole"),
    ("anthill", "anthole"),
    ("cockatrice nest", "cocknest"),
    ("nest", "cocknest"),
    ("leprechaun hall", "leprehall"),
    ("oracle", "delphi"),
    ("treasury", "vault"),
    ("armory", "armor shop"),
    ("armour shop", "armor shop"),
    ("armor store", "armor shop"),
    ("delicatessen", "food shop"),
    ("deli", "food shop"),
    ("grocery", "food shop"),
    ("jewelers", "ring shop"),
    ("jewelry shop", "ring shop"),
    ("hardware store", "tool shop"),
    ("hardware shop", "tool shop"),
    ("bookstore", "book shop"),
    ("bookshop", "book shop"),
    ("library", "book shop"),
    ("apothecary", "potion shop"),
    ("liquor shop", "potion shop"),
    ("liquor emporium", "potion shop"),
    ("lighting shop", "candle shop"),
    ("lighting store", "candle shop"),
    ("candle store", "candle shop"),
    ("antique weapons outlet", "weapon shop"),
    ("normal", "ordinary"),
    ("room", "ordinary"),
    ("closet", "ordinary"),
    ("none", "ordinary"),
    ("", "ordinary"),
    ("chapel", "temple"),
    ("church", "temple"),
    ("marsh", "swamp"),
    ("lake", "swamp"),
];

fn of<'t>(table: &[(&str, &'t str)], said: &str) -> Option<&'t str> {
    table.iter().find(|(known, _)| *known == said).map(|&(_, meant)| meant)
}

/// Returns every possible singular of a word.
fn singulars(word: &str) -> Vec<String> {
    let mut found = Vec::new();
    for (plural, singular) in [
        ("ies", "y"),
        ("ves", "f"),
        ("ves", "fe"),
        ("ve", "f"),
        ("men", "man"),
        ("es", ""),
        ("s", ""),
        ("i", "us"),
        ("ae", "a"),
        ("feet", "foot"),
        ("mice", "mouse"),
    ] {
        if let Some(stem) = word.strip_suffix(plural).filter(|stem| stem.len() > 1) {
            found.push(format!("{stem}{singular}"));
        }
    }
    found
}

/// Returns the singulars of `name`, of its last word or of the word before "of".
fn in_singular(name: &str) -> Vec<String> {
    let mut found = singulars(name);
    if let Some((things, rest)) = name.split_once(" of ") {
        found.extend(singulars(things).into_iter().map(|thing| format!("{thing} of {rest}")));
    }
    found
}

/// Splits off leading words that are not part of a name: an article, a number, an enchantment, a curse.
fn without_adjectives(name: &str) -> (&str, Vec<&str>) {
    let (mut rest, mut taken) = (name.trim(), Vec::new());
    loop {
        if let Some(after) = ["pair of ", "pairs of ", "set of "].iter().find_map(|set| rest.strip_prefix(set)) {
            rest = after;
        }
        let Some((first, after)) = rest.split_once(' ') else { return (rest, taken) };
        let number = first.trim_start_matches(['+', '-']);
        let is_number = !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit());
        let known = [
            "a",
            "an",
            "the",
            "some",
            "blessed",
            "cursed",
            "uncursed",
            "holy",
            "unholy",
            "peaceful",
            "hostile",
            "sleeping",
            "invisible",
            "rusty",
            "rustproof",
            "greased",
            "tame",
            "female",
            "male",
        ];
        if !is_number && !known.contains(&first) && count(first).is_none() {
            return (rest, taken);
        }
        taken.push(first);
        rest = after.trim_start();
    }
}

/// Returns the number that a word such as `two` names.
fn count(word: &str) -> Option<u32> {
    let words = ["two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"];
    let known = words.iter().position(|known| *known == word);
    known.map(|at| at as u32 + 2).or_else(|| (word == "dozen").then_some(12))
}

/// Returns advice on the syntax for a leading word that [`without_adjectives`] removed. For Lua, it is a table key.
fn detail(word: &str, role: SpeciesRole, catalog: &Catalog) -> Option<String> {
    let script = catalog.format == Format::Opcodes;
    if catalog.format == Format::Lua {
        let is_number = word.starts_with(|first: char| first.is_ascii_digit());
        return Some(match (word, role) {
            ("blessed" | "holy", SpeciesRole::Object) => "buc = \"blessed\"".to_owned(),
            ("cursed" | "unholy", SpeciesRole::Object) => "buc = \"cursed\"".to_owned(),
            ("uncursed", SpeciesRole::Object) => "buc = \"uncursed\"".to_owned(),
            ("rustproof", SpeciesRole::Object) => "eroded = -1".to_owned(),
            ("greased", SpeciesRole::Object) => "greased = 1".to_owned(),
            ("peaceful", SpeciesRole::Monster) => "peaceful = 1".to_owned(),
            ("hostile", SpeciesRole::Monster) => "peaceful = 0".to_owned(),
            ("sleeping", SpeciesRole::Monster) => "asleep = 1".to_owned(),
            ("invisible", SpeciesRole::Monster) => "invisible = 1".to_owned(),
            ("female", SpeciesRole::Monster) => "female = 1".to_owned(),
            (_, SpeciesRole::Object) if word.starts_with(['+', '-']) => {
                format!("spe = {}", word.trim_start_matches('+'))
            }
            (_, SpeciesRole::Object) if count(word).is_some() || is_number => {
                format!("quantity = {}", count(word).map_or(word.to_owned(), |number| number.to_string()))
            }
            _ => return None,
        });
    }
    Some(match (word, role) {
        ("blessed" | "cursed" | "uncursed", SpeciesRole::Object) => format!("add {word} after its place"),
        ("holy", SpeciesRole::Object) => "add blessed after its place".to_owned(),
        ("unholy", SpeciesRole::Object) => "add cursed after its place".to_owned(),
        ("peaceful" | "hostile", SpeciesRole::Monster) => format!("add {word} after its place"),
        ("sleeping", SpeciesRole::Monster) => "add asleep after its place".to_owned(),
        ("invisible" | "female", SpeciesRole::Monster) if script => format!("add {word} after its place"),
        ("rustproof", SpeciesRole::Object) if script => "add erodeproof after its place".to_owned(),
        ("greased", SpeciesRole::Object) if script => "add greased after its place".to_owned(),
        _ if word.starts_with(['+', '-']) && role == SpeciesRole::Object => match script {
            true => format!("add {word} after its place"),
            false => format!("add a curse and {} after its place", word.trim_start_matches('+')),
        },
        _ if count(word).is_some() || word.starts_with(|first: char| first.is_ascii_digit()) => match (role, script) {
            (SpeciesRole::Object, true) => {
                let number = count(word).map_or(word.to_owned(), |number| number.to_string());
                format!("add quantity:{number} after its place")
            }
            _ => "repeat the statement for each: there is no quantity".to_owned(),
        },
        _ => return None,
    })
}

/// Returns a guess at the name of a monster or object, of `class` if that is given.
pub fn species<'c>(catalog: &'c Catalog, role: SpeciesRole, name: &str, class: Option<char>) -> Option<Meant<'c>> {
    let all: &[Species] = match role {
        SpeciesRole::Monster => &catalog.monsters,
        SpeciesRole::Object => &catalog.objects,
    };
    let lower = name.to_lowercase();
    let named = |wanted: &str, class: Option<char>| {
        let fits = |species: &&Species| !species.name.is_empty() && species.name.eq_ignore_ascii_case(wanted);
        let of_class = |species: &&Species| class.is_none_or(|class| species.class == class);
        all.iter().filter(fits).find(of_class).or_else(|| all.iter().find(fits))
    };
    let meant = |species: &'c Species, why: Cow<'static, str>, certain: bool| {
        Some(Meant { species: Some(species), why, certain })
    };
    if name.chars().count() == 1 && class.is_none() {
        return None;
    }
    if let Some(found) = named(&lower, class) {
        return meant(found, "".into(), true);
    }
    let plain = |name: &str| name.to_lowercase().replace(['-', '_'], " ");
    let is_same = |species: &&Species| !species.name.is_empty() && plain(&species.name) == plain(name);
    if let Some(found) = all.iter().find(|found| is_same(found) && class.is_none_or(|class| found.class == class)) {
        return meant(found, "".into(), true);
    }
    // A name of NetHack 5 in an older game.
    let renamed = match role {
        _ if catalog.format == Format::Lua => None,
        SpeciesRole::Monster => of(RENAMED_MONSTERS, &lower),
        SpeciesRole::Object => of(RENAMED_OBJECTS, &lower),
    };
    if let Some(found) = renamed.and_then(|older| named(older, class)) {
        return match found.name.as_ref() {
            // One name for two monsters.
            "succubus" => meant(found, "or \"incubus\": NetHack 5 has one name for both".into(), false),
            _ => meant(found, "NetHack 5 renamed it".into(), true),
        };
    }
    let (bare, adjectives) = without_adjectives(&lower);
    let details: Vec<String> = adjectives.iter().filter_map(|word| detail(word, role, catalog)).collect();
    let why = |own: &str| -> Cow<'static, str> {
        let mut parts: Vec<String> = (!own.is_empty()).then(|| own.to_owned()).into_iter().collect();
        parts.extend(details.iter().cloned());
        parts.join(", ").into()
    };
    if role == SpeciesRole::Object
        && let Some(found) = object(catalog, &lower, bare, class, &named, &why)
    {
        // An edit of the name alone would lose the details.
        return Some(Meant { certain: found.certain && details.is_empty(), ..found });
    }
    let mut names = vec![bare.to_owned()];
    names.extend(in_singular(bare));
    if let Some(found) = names.iter().find_map(|name| named(name, class)) {
        return meant(found, why(""), details.is_empty());
    }
    // The dragons of UnNetHack have names of their own.
    let (baby, grown) = lower.strip_prefix("baby ").map_or(("", lower.as_str()), |grown| ("baby ", grown));
    if let Some((colour, rest)) = grown.split_once(' ')
        && let Some(&(_, dragon, armour)) = DRAGONS.iter().find(|(known, ..)| *known == colour)
        && let Some(found) = match rest.trim_end_matches('s') {
            "dragon" => named(&format!("{baby}{dragon}"), class),
            "dragon scale mail" | "dragon scale" => named(&format!("{armour} {rest}"), class),
            _ => None,
        }
    {
        return meant(found, format!("that is {}'s name for it", catalog.title).into(), true);
    }
    // A misspelling; names of the same class come first.
    let of_class = all.iter().filter(|species| class.is_none_or(|class| species.class == class));
    let near = |name: &str| {
        let near = nearest(name, of_class.clone().map(|species| species.name.as_ref()));
        if near.is_empty() { nearest(name, all.iter().map(|species| species.name.as_ref())) } else { near }
    };
    let found = near(bare);
    match found.as_slice() {
        [only] => return named(only, class).and_then(|found| meant(found, why(""), false)),
        [_, ..] => {
            let quoted = found.iter().map(|name| format!("\"{name}\""));
            let message = format!("did you mean {}?", listed(quoted, Conjunction::Or));
            return Some(Meant { species: None, why: message.into(), certain: false });
        }
        [] => {}
    }
    // The beginning of a name: "elven mithril" for "elven mithril-coat".
    let longer = |species: &&Species| {
        let begins = species.name.get(..bare.len()).is_some_and(|head| head.eq_ignore_ascii_case(bare));
        begins && species.name[bare.len()..].starts_with([' ', '-']) && class.is_none_or(|class| species.class == class)
    };
    let mut longer = all.iter().filter(longer);
    if let (Some(only), None) = (longer.next(), longer.next()) {
        return meant(only, why(""), false);
    }
    // A name from another game, or of a group with several members.
    let knows = |game: &Catalog| match role {
        SpeciesRole::Monster => game.monster(bare, None).is_some(),
        SpeciesRole::Object => game.object(bare, None).is_some(),
    };
    let titles = Catalog::games_where(|usual| usual.dialect != catalog.dialect && knows(usual));
    let last = bare.rsplit(' ').next().unwrap_or(bare);
    let last = singulars(last).into_iter().chain([last.to_owned()]);
    let mut kin: Vec<&Species> = last
        .filter(|word| word.len() > 2)
        .map(|word| {
            let kin = |species: &&Species| {
                species.name.split(' ').any(|part| part == word) && class.is_none_or(|class| species.class == class)
            };
            all.iter().filter(kin).collect::<Vec<&Species>>()
        })
        .max_by_key(Vec::len)
        .unwrap_or_default();
    let mut parts = Vec::new();
    if !titles.is_empty() {
        parts.push(format!("\"{bare}\" is only in {}", listed(titles, Conjunction::And)));
    }
    if !kin.is_empty() {
        // The plainest names first: "red dragon" before "baby red dragon".
        kin.order_by_key(|species| species.name.split(' ').count());
        let quoted: Vec<String> = kin.iter().take(6).map(|species| format!("\"{}\"", species.name)).collect();
        let mut part = format!("{} has {}", catalog.title, listed(quoted, Conjunction::And));
        let letter = kin[0].class;
        if kin.len() > 2 && kin.iter().all(|species| species.class == letter) && !bare.contains(' ') && class.is_none()
        {
            part += &match catalog.format == Format::Lua {
                true => format!(" (write class = \"{letter}\" for any of their class)"),
                false => format!(" (write '{letter}' for any of their class)"),
            };
        }
        parts.push(part);
    }
    if parts.is_empty() {
        return None;
    }
    Some(Meant { species: None, why: parts.join("; ").into(), certain: false })
}

/// Handles forms of names that only objects have.
fn object<'c>(
    catalog: &Catalog,
    lower: &str,
    bare: &str,
    class: Option<char>,
    named: &dyn Fn(&str, Option<char>) -> Option<&'c Species>,
    why: &dyn Fn(&str) -> Cow<'static, str>,
) -> Option<Meant<'c>> {
    let some = |species: &'c Species, why: Cow<'static, str>, certain: bool| {
        Some(Meant { species: Some(species), why, certain })
    };
    if matches!(bare, "gold" | "gold piece" | "gold pieces" | "coin" | "coins" | "money" | "zorkmid" | "zorkmids") {
        let why = "use the GOLD statement: `GOLD:amount,place`, e.g. `GOLD:100,(3,4)`";
        return Some(Meant { species: None, why: why.into(), certain: false });
    }
    let artifact = bare.trim_start_matches("the ");
    if let Some(base) = of(ARTIFACTS, artifact).and_then(|base| named(base, None)) {
        let called = match catalog.format {
            Format::Parts => format!("add uncursed,0,\"{artifact}\" after its place"),
            Format::Opcodes => format!("add name:\"{artifact}\" after its place"),
            Format::Lua => format!("name = \"{artifact}\""),
        };
        // The game's spelling: words are capitalized, except for small ones.
        let capital = |word: &str| match word {
            "of" | "the" => word.to_owned(),
            _ => word[..1].to_uppercase() + &word[1..],
        };
        let proper = artifact.split(' ').map(capital).collect::<Vec<_>>().join(" ");
        let proper = if artifact.contains(" of ") { format!("The {proper}") } else { proper };
        let called = called.replace(artifact, &proper);
        let why = match catalog.format {
            Format::Lua => called,
            _ => format!("an artifact is a named base object: {called}"),
        };
        return some(base, why.into(), false);
    }
    let vessel = |ahead: &str| {
        let known = ["potion", "potions", "bottle", "bottles", "flask", "vial", "of", "a", "the", "blessed", "cursed"];
        ahead.split(' ').all(|word| word.is_empty() || known.contains(&word))
    };
    let water = match lower.rsplit_once("holy water").filter(|(_, after)| after.is_empty()) {
        Some((ahead, _)) if ahead.ends_with("un") && vessel(&ahead[..ahead.len() - 2]) => Some("cursed"),
        Some((ahead, _)) if vessel(ahead) => Some("blessed"),
        _ => None,
    };
    if let (Some(found), Some(word)) = (named("water", Some('!')), water) {
        let written = match catalog.format {
            Format::Lua => detail(word, SpeciesRole::Object, catalog).unwrap_or_default(),
            Format::Parts | Format::Opcodes => format!("with {word} among its details"),
        };
        return some(found, written.into(), false);
    }
    if let Some(found) = of(OBJECTS, bare).and_then(|meant| named(meant, class)) {
        return some(found, why(""), false);
    }
    // "potion of healing", "healing potion", "potions of healing".
    let mut split = None;
    if let Some((thing, rest)) = bare.split_once(" of ") {
        split = Some((thing, rest));
    } else if let Some((rest, thing)) = bare.rsplit_once(' ') {
        split = Some((thing, rest));
    }
    let (thing, rest) = split?;
    let thing = thing.trim_end_matches('s');
    if let Some(&(_, symbol)) = CLASSES.iter().find(|(known, _)| *known == thing) {
        let found = named(rest, Some(symbol)).or_else(|| named(&format!("{thing} of {rest}"), Some(symbol)));
        if let Some(found) = found {
            return some(found, why(""), true);
        }
    }
    if OBJECTS_OF_MONSTERS.contains(&thing)
        && let Some(found) = named(thing, None)
    {
        if (thing, rest) == ("tin", "spinach") {
            let why = match catalog.format {
                Format::Parts => "add uncursed,1 after its place",
                Format::Opcodes => "add 1 after its place",
                Format::Lua => "montype = \"spinach\"",
            };
            return some(found, why.into(), false);
        }
        // "tin of newt meat"
        let rest = rest.trim_end_matches(" meat");
        let monsters = [rest.to_owned()].into_iter().chain(singulars(rest));
        let monsters = monsters.map(|name| name.trim_start_matches("a ").trim_start_matches("an ").to_owned());
        let mut known = monsters.filter_map(|name| catalog.monster(&name, None));
        let of = known.next().and_then(|(number, _)| catalog.monsters.get(number as usize)).map(|of| &of.name)?;
        let own = match catalog.format {
            Format::Parts => format!("add \"{of}\",0 after its place"),
            Format::Opcodes => format!("add montype:\"{of}\" after its place"),
            Format::Lua => format!("montype = \"{of}\""),
        };
        return some(found, why(&own), false);
    }
    // "boots of levitation" becomes "levitation boots" or "levitating boots".
    let turned = [
        format!("{rest} {thing}"),
        format!("{rest} {thing}s"),
        format!("{thing} of {rest}"),
        format!("{thing}s of {rest}"),
    ];
    let found = turned.iter().find_map(|name| named(name, class))?;
    some(found, why(""), true)
}

/// Returns the trap name in the catalog that `name` likely means.
pub fn trap<'c>(catalog: &'c Catalog, name: &str) -> Option<&'c str> {
    let lower = name.to_lowercase();
    let (bare, _) = without_adjectives(&lower);
    let mut names: Vec<String> = vec![bare.to_owned()];
    names.extend(in_singular(bare));
    names.extend(names.clone().iter().filter_map(|name| name.strip_suffix(" trap")).map(str::to_owned));
    names.extend(names.clone().iter().filter_map(|name| of(TRAPS, name)).map(str::to_owned));
    let known = |wanted: &String| catalog.traps.iter().map(|(known, _)| known.as_ref()).find(|known| known == wanted);
    names.iter().find_map(known).or_else(|| {
        let is_near = !nearest(&lower, catalog.traps.iter().map(|(known, _)| known.as_ref())).is_empty();
        let near = nearest(&lower, TRAPS.iter().map(|(said, _)| *said));
        near.first().filter(|_| !is_near).and_then(|said| of(TRAPS, said)).and_then(|name| known(&name.to_owned()))
    })
}

/// Returns the advice for a statement of rooms in a level of maps.
pub fn in_a_map(kind: &StatementKind) -> &'static str {
    match kind {
        StatementKind::Pool { .. } => "draw the water in the map as `}`",
        StatementKind::Sink { .. } => "draw the sink in the map as `K`",
        _ => "use it only in rooms, in a level that begins with LEVEL",
    }
}

/// Returns the map character of terrain that a word describes, if the game has it.
pub fn terrain(catalog: &Catalog, word: &str) -> Option<char> {
    let lower = word.to_ascii_lowercase();
    let drawn = match lower.trim_end_matches('s') {
        "floor" | "room" | "ground" => '.',
        "stone" | "rock" | "solid" => ' ',
        "corridor" | "corr" => '#',
        "wall" => '-',
        "lava" => 'L',
        "water" if catalog.format == Format::Lua => 'W',
        "water" | "moat" => '}',
        "pool" => 'P',
        "ice" => 'I',
        "tree" | "t" => 'T',
        "throne" => '\\',
        "fountain" => '{',
        "sink" | "k" => 'K',
        "door" => '+',
        "secret door" => 'S',
        "bar" | "ironbar" | "iron_bar" | "iron bar" | "f" => 'F',
        "cloud" | "c" => 'C',
        "air" | "a" => 'A',
        _ => return None,
    };
    catalog.terrain(drawn).map(|_| drawn)
}

/// Rooms of [`ROOMS`] that may as well be meant as something else.
const GUESSED_ROOMS: &[&str] = &["treasury", "library", "nest", "army"];

/// Returns the room type in the catalog that `name` likely means, and true if that is only a guess.
pub fn room<'c>(catalog: &'c Catalog, name: &str) -> Option<(&'c str, bool)> {
    let lower = name.trim().to_lowercase();
    Some((known_room(catalog, &lower)?, GUESSED_ROOMS.contains(&lower.as_str())))
}

fn known_room<'c>(catalog: &'c Catalog, lower: &str) -> Option<&'c str> {
    let known = |wanted: &str| catalog.rooms.iter().map(|(known, _)| known.as_ref()).find(|known| *known == wanted);
    let mut names = vec![lower.to_owned()];
    names.extend(in_singular(lower));
    names.extend(in_singular(lower).into_iter().map(|kind| format!("{kind} shop")));
    names.extend([format!("{lower} shop"), lower.replace(" store", " shop"), lower.replace(" room", "")]);
    names.iter().find_map(|name| known(name).or_else(|| of(ROOMS, name).and_then(known))).or_else(|| {
        let is_near = !nearest(lower, catalog.rooms.iter().map(|(known, _)| known.as_ref())).is_empty();
        let near = nearest(lower, ROOMS.iter().map(|(said, _)| *said));
        near.first().filter(|_| !is_near).and_then(|said| of(ROOMS, said)).and_then(known)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn meant(target: &str, role: SpeciesRole, name: &str) -> String {
        let catalog = Catalog::by_name(target).unwrap();
        species(catalog, role, name, None).map_or(String::new(), |meant| {
            meant.species.map_or(meant.why.to_string(), |species| species.name.to_string())
        })
    }

    #[test]
    fn objects_as_people_call_them() {
        for (said, is) in [
            ("potion of healing", "healing"),
            ("potions of healing", "healing"),
            ("healing potion", "healing"),
            ("2 daggers", "dagger"),
            ("a blessed +2 dagger", "dagger"),
            ("holy water", "water"),
            ("Excalibur", "long sword"),
            ("The Heart of Ahriman", "luckstone"),
            ("large chest", "chest"),
            ("boots of levitation", "levitation boots"),
            ("key", "skeleton key"),
            ("loaves of bread", ""),
        ] {
            assert_eq!(meant("nethack-3.6.7", SpeciesRole::Object, said), is, "{said}");
        }
    }

    #[test]
    fn monsters_as_people_call_them() {
        for (said, is) in [
            ("wood nymphs", "wood nymph"),
            ("watchmen", "watchman"),
            ("an orc", "orc"),
            ("wolves", "wolf"),
            ("werejackals", "werejackal"),
            ("Soldier Ant", "soldier ant"),
        ] {
            assert_eq!(meant("nethack-3.4.3", SpeciesRole::Monster, said), is, "{said}");
        }
        assert_eq!(meant("unnethack-6.0.4", SpeciesRole::Monster, "red dragon"), "draken");
        assert_eq!(meant("sporkhack-0.7.0", SpeciesRole::Monster, "aligned cleric"), "aligned priest");
        assert!(meant("nethack-3.4.3", SpeciesRole::Monster, "dragon").contains("red dragon"));
    }

    #[test]
    fn traps_and_rooms_as_people_call_them() {
        for catalog in crate::catalog::ALL {
            for (said, is) in
                [("bear trap", "bear"), ("trapdoor", "trap door"), ("pits", "pit"), ("teleportation trap", "teleport")]
            {
                assert_eq!(trap(catalog, said), Some(is), "{said}");
            }
            for (said, is) in
                [("general store", "shop"), ("throne room", "throne"), ("graveyard", "morgue"), ("Zoo", "zoo")]
            {
                assert_eq!(room(catalog, said), Some((is, false)), "{said}");
            }
            assert_eq!((trap(catalog, "xyzzy"), room(catalog, "xyzzy")), (None, None));
            assert_eq!(room(catalog, "treasury"), Some(("vault", true)));
        }
    }

    #[test]
    fn what_is_meant_is_known() {
        let catalog = Catalog::by_name("nethack-3.6.7").unwrap();
        for (_, base) in ARTIFACTS.iter().chain(OBJECTS).filter(|(_, base)| !base.is_empty()) {
            assert!(catalog.object(base, None).is_some(), "{base}");
        }
        assert!(RENAMED_MONSTERS.iter().all(|(_, older)| catalog.monster(older, None).is_some()));
        assert!(RENAMED_OBJECTS.iter().all(|(_, older)| catalog.object(older, None).is_some()));
        for (_, meant) in TRAPS {
            assert!(catalog.trap(meant).is_some(), "{meant}");
        }
        for (_, meant) in ROOMS {
            assert!(catalog.room(meant).is_some(), "{meant}");
        }
        let unnethack = Catalog::by_name("unnethack-6.0.4").unwrap();
        assert!(DRAGONS.iter().all(|(_, name, _)| unnethack.monster(name, None).is_some()));
        let armour = |word: &str| unnethack.object(&format!("{word} dragon scale mail"), None).is_some();
        assert!(DRAGONS.iter().all(|(_, _, word)| armour(word)));
    }
}
