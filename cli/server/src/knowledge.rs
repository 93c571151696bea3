//! Descriptions of the names of a game, from its catalog.

use std::fmt::Write as _;

use splc_ir::catalog::{Catalog, Format, Habit, Species};
use splc_ir::level::{RegisterKind, SpeciesName, Type, ValueType};
use splc_ir::visit::{NameRole, SpeciesRole};
use splc_ir::words::Group;

/// Returns the species that `name` refers to, with its number.
pub(crate) fn species<'c>(catalog: &'c Catalog, role: SpeciesRole, name: &SpeciesName) -> Option<&'c Species> {
    let (name, class) = match name {
        SpeciesName::Name(name) => (name, None),
        SpeciesName::ClassAndName(class, name) => (name, Some(*class)),
        SpeciesName::Random | SpeciesName::RandomAndName(_) | SpeciesName::Class(_) => return None,
    };
    let (list, number) = match role {
        SpeciesRole::Monster => (&catalog.monsters, catalog.monster(name, class)?.0),
        SpeciesRole::Object => (&catalog.objects, catalog.object(name, class)?.0),
    };
    list.get(usize::try_from(number).ok()?)
}

/// Describes a monster or object in one line.
pub(crate) fn species_detail(role: SpeciesRole, species: &Species) -> String {
    match role {
        SpeciesRole::Monster => format!("monster, class {}", species.class),
        SpeciesRole::Object => format!("object, class {}", species.class),
    }
}

/// Describes a monster or object.
pub(crate) fn species_text(catalog: &Catalog, role: SpeciesRole, species: &Species) -> String {
    let noun = if role == SpeciesRole::Monster { "monster" } else { "object" };
    let mut text = format!("**{}** — {noun} of class {}", species.name, code(species.class));
    if let Some(color) = species.color {
        let _ = write!(text, ", {}", color_name(color));
    }
    let _ = write!(text, "\n\n{}", catalog.title);
    let habits: Vec<&str> =
        HABITS.iter().filter(|(habit, _)| species.habits.has(*habit)).map(|(_, words)| *words).collect();
    if !habits.is_empty() {
        let _ = write!(text, "\n\n{}", habits.join(", "));
    }
    match (role, &*species.also) {
        (SpeciesRole::Monster, [male, female]) => {
            let _ = write!(text, "\n\nmale: {male}, female: {female}");
        }
        (SpeciesRole::Object, [looks, ..]) => {
            let _ = write!(text, "\n\nunidentified: {looks}");
        }
        _ => {}
    }
    text
}

/// Returns a character as code in Markdown.
pub(crate) fn code(character: char) -> String {
    // A backtick needs longer marks.
    if character == '`' { "`` ` ``".to_owned() } else { format!("`{character}`") }
}

fn color_name(color: splc_ir::catalog::Color) -> String {
    let mut name = String::new();
    for character in format!("{color:?}").chars() {
        if character.is_uppercase() && !name.is_empty() {
            name.push(' ');
        }
        name.extend(character.to_lowercase());
    }
    name
}

const HABITS: &[(Habit, &str)] = &[
    (Habit::Swim, "swims"),
    (Habit::Fly, "flies"),
    (Habit::Cling, "clings to ceilings"),
    (Habit::WalkWalls, "walks through walls"),
    (Habit::Amorphous, "flows under doors"),
    (Habit::Amphibious, "lives in water and out of it"),
    (Habit::Breathless, "does not breathe"),
    (Habit::ThrowsRocks, "throws boulders"),
    (Habit::LavaOk, "likes lava"),
    (Habit::Flaming, "consists of flames"),
    (Habit::Floater, "floats"),
    (Habit::Noncorporeal, "has no body"),
    (Habit::Male, "always male"),
    (Habit::Female, "always female"),
    (Habit::Neuter, "neither male nor female"),
    (Habit::Shapeshifter, "changes its shape"),
    (Habit::Unique, "unique"),
    (Habit::Eyeless, "has no eyes"),
];

/// Describes a class of monsters or objects.
pub(crate) fn class_text(catalog: &Catalog, role: SpeciesRole, class: char) -> Option<String> {
    let (noun, list, known) = match role {
        SpeciesRole::Monster => ("monsters", &catalog.monsters, catalog.monster_class(class)),
        SpeciesRole::Object => ("objects", &catalog.objects, catalog.object_class(class)),
    };
    known?;
    let names: Vec<&str> =
        list.iter().filter(|one| one.class == class && !one.name.is_empty()).map(|one| one.name.as_ref()).collect();
    let shown = names.iter().take(12).copied().collect::<Vec<_>>().join(", ");
    let more = if names.len() > 12 { format!(" and {} more", names.len() - 12) } else { String::new() };
    Some(format!("a random member of class {}: {} {noun}\n\n{shown}{more}", code(class), names.len()))
}

/// Returns the name of the terrain of a map character, for people.
pub(crate) fn terrain(catalog: &Catalog, character: char) -> Option<&str> {
    let number = catalog.terrain(character)?;
    if number == catalog.max_terrain {
        return Some("keeps the terrain below");
    }
    let name = catalog.level_types.get(usize::try_from(number).ok()?)?;
    Some(catalog.look(name).map(|look| look.name.as_ref()).filter(|name| !name.is_empty()).unwrap_or(name))
}

/// Describes another name of the game.
pub(crate) fn named(catalog: &Catalog, role: NameRole, name: &str) -> Option<String> {
    let title = &catalog.title;
    Some(match role {
        NameRole::Trap => {
            let number = catalog.trap(name)?;
            let color = catalog.trap_color(name).map_or(String::new(), |color| format!(", {}", color_name(color)));
            format!("**{name}** — trap{color}\n\n{title}, trap number {number}")
        }
        NameRole::RoomType => {
            let number = catalog.room(name)?;
            let stocked = if catalog.loader.stocked_rooms.iter().any(|known| known == name) {
                "\n\nfilled with monsters"
            } else {
                ""
            };
            format!("**{name}** — room type\n\n{title}, room type number {number}{stocked}")
        }
        NameRole::Flag => {
            catalog.word(Group::Flag, name)?;
            format!(
                "**{name}** — level flag of {title}{}",
                flag(name).map_or(String::new(), |text| format!("\n\n{text}"))
            )
        }
        NameRole::CoreFunction => {
            let function = catalog.core_function(name)?;
            format!("```\n{}\n```\n\nfunction of {title}", core_signature(name, &function.parameters, function.result))
        }
        NameRole::Monster => {
            return species(catalog, SpeciesRole::Monster, &SpeciesName::Name(name.into()))
                .map(|found| species_text(catalog, SpeciesRole::Monster, found));
        }
        NameRole::Object => {
            return species(catalog, SpeciesRole::Object, &SpeciesName::Name(name.into()))
                .map(|found| species_text(catalog, SpeciesRole::Object, found));
        }
        _ => return None,
    })
}

/// A description of a name, and a statement that uses it.
pub struct Described {
    /// The description, as Markdown.
    pub text: String,
    /// A statement.
    pub example: String,
}

/// Describes everything in the game that has the name `name`: monsters, objects, traps, types of rooms, flags.
pub fn describe(catalog: &Catalog, name: &str) -> Vec<Described> {
    let is_lua = catalog.format == Format::Lua;
    let of = |role: NameRole| {
        let text = named(catalog, role, name)?;
        let example = match (role, is_lua) {
            (NameRole::Monster, false) => format!("MONSTER: {}, random", in_class(catalog, role, name)?),
            (NameRole::Object, false) => format!("OBJECT: {}, random", in_class(catalog, role, name)?),
            (NameRole::Trap, false) => format!("TRAP: \"{name}\", random"),
            (NameRole::RoomType, false) => format!("ROOM: \"{name}\", random, random, random, random"),
            (NameRole::Flag, false) => format!("FLAGS: {name}"),
            (NameRole::Monster, true) => format!("des.monster({name:?})"),
            (NameRole::Object, true) => format!("des.object({name:?})"),
            (NameRole::Trap, true) => format!("des.trap({name:?})"),
            (NameRole::RoomType, true) => format!("des.room({{ type = {name:?} }})"),
            (NameRole::Flag, true) => format!("des.level_flags({name:?})"),
            _ => return None,
        };
        Some(Described { text, example })
    };
    [NameRole::Monster, NameRole::Object, NameRole::Trap, NameRole::RoomType, NameRole::Flag]
        .into_iter()
        .filter_map(of)
        .collect()
}

/// Returns the name of a species with its class, as the dialect writes it.
fn in_class(catalog: &Catalog, role: NameRole, name: &str) -> Option<String> {
    let role = if role == NameRole::Monster { SpeciesRole::Monster } else { SpeciesRole::Object };
    let class = species(catalog, role, &SpeciesName::Name(name.into()))?.class;
    let class = if class == '\'' { "'\\''".to_owned() } else { format!("'{class}'") };
    Some(if catalog.format == Format::Parts {
        format!("{class}, \"{name}\"")
    } else {
        format!("({class}, \"{name}\")")
    })
}

/// Describes a level flag that all games have.
pub(crate) fn flag(name: &str) -> Option<&'static str> {
    Some(match name {
        "noteleport" => "The hero cannot teleport within the level.",
        "hardfloor" => "The floor cannot be dug through.",
        "nommap" => "The level cannot be magically mapped.",
        "shortsighted" => "Monsters see only nearby.",
        "arboreal" => "Rock looks like trees.",
        "premapped" => "The hero knows the map, boulders and traps on arrival.",
        "shroud" => "The hero does not remember squares out of sight.",
        "graveyard" => "Undead leave fewer corpses.",
        "icedpools" => "Ice is that of frozen pools, not of a moat.",
        "solidify" => "The rock outside the maps cannot be dug or passed.",
        "corrmaze" => "Mazes have corridors instead of rooms' floor.",
        "mazelevel" => "The level counts as a maze.",
        _ => return None,
    })
}

/// Returns a core function with the types of its parameters.
pub(crate) fn core_signature(name: &str, parameters: &str, result: char) -> String {
    let types: Vec<&str> = parameters.chars().filter_map(letter).collect();
    let result = letter(result).map_or(String::new(), |result| format!(" -> {result}"));
    format!("{name}({}){result}", types.join(", "))
}

fn letter(letter: char) -> Option<&'static str> {
    let of = ValueType::PUSHED.iter().chain([&ValueType::Selection]);
    of.copied().find(|ty| ty.letter() == letter && letter != ' ').map(ValueType::as_str)
}

/// Returns a type as an author says it.
pub(crate) fn type_name(ty: Type) -> String {
    let one = match ty.value {
        ValueType::Integer => "number",
        ValueType::Coordinate => "place",
        ValueType::MapCharacter => "terrain",
        other => other.as_str(),
    };
    if ty.array { format!("{one} array") } else { one.to_owned() }
}

/// Returns the word for a register of NetHack 3.4.3.
pub(crate) fn register(of: RegisterKind) -> &'static str {
    match of {
        RegisterKind::Object => "object",
        RegisterKind::Monster => "monster",
        RegisterKind::Place | RegisterKind::PlaceList(_) => "place",
        RegisterKind::Region => "region",
    }
}
