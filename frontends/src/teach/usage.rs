//! The syntax of each statement in one line, for messages.

use splc_ir::catalog::{Catalog, Format};

/// A pseudo-keyword for `$variable = value`, which has none.
pub const ASSIGNMENT: &str = "assignment";

/// Statements of scripts.
const USAGE: &[(&str, &str)] = &[
    ("ALTAR", "ALTAR: place, alignment, altar|shrine|sanctum|random"),
    ("BRANCH", "BRANCH: (x1,y1,x2,y2), (x1,y1,x2,y2)"),
    ("BREAK", "BREAK"),
    ("CASE", "CASE number: statements"),
    ("CONTAINER", "CONTAINER: object, place, details... { contents }"),
    ("CORRIDOR", "CORRIDOR: (room, wall, door), (room, wall, door)"),
    ("DEFAULT", "DEFAULT: statements"),
    ("DOOR", "DOOR: state, place"),
    ("DRAWBRIDGE", "DRAWBRIDGE: place, direction, open|closed|random"),
    ("ELSE", "ELSE { statements } after the `}` of an IF"),
    ("ENGRAVING", "ENGRAVING: place, dust|engrave|burn|mark|blood|random, \"text\""),
    ("EXIT", "EXIT"),
    ("FLAGS", "FLAGS: flag, flag..."),
    ("FOR", "FOR $variable = first TO last { statements }"),
    ("FOUNTAIN", "FOUNTAIN: place"),
    ("FUNCTION", "FUNCTION name($parameter: int) { statements }"),
    (
        "GEOMETRY",
        "GEOMETRY: left|half-left|center|half-right|right, top|center|bottom, then MAP alone on the next line",
    ),
    ("GOLD", "GOLD: amount, place"),
    ("GRAVE", "GRAVE: place, \"text\"|random"),
    ("IF", "IF [50%] { statements } ELSE { statements }, or IF [$a < 3] ..."),
    ("INCLUDE", "INCLUDE \"file\""),
    ("INIT_MAP", "INIT_MAP: solidfill, ' '; mazegrid, '-'; or mines, '.', ' ', true, true, lit, true"),
    ("LADDER", "LADDER: place, up|down"),
    ("LEVEL", "LEVEL: \"name\""),
    ("LOOP", "LOOP [count] { statements }"),
    ("MAZE", "MAZE: \"name\", filling|random"),
    ("MAZEWALK", "MAZEWALK: place, direction"),
    ("MESSAGE", "MESSAGE: \"text\""),
    ("MINERALIZE", "MINERALIZE: kelp in pools, kelp in moats, gold, gems"),
    ("MONSTER", "MONSTER: monster, place, details..."),
    ("MON_GENERATION", "MON_GENERATION: percent%, (weight, \"monster\"), (weight, 'class')..."),
    ("NOMAP", "NOMAP"),
    ("NON_DIGGABLE", "NON_DIGGABLE: (x1,y1,x2,y2)"),
    ("NON_PASSWALL", "NON_PASSWALL: (x1,y1,x2,y2)"),
    ("OBJECT", "OBJECT: object, place, details..."),
    ("POOL", "POOL: place"),
    ("PORTAL", "PORTAL: (x1,y1,x2,y2), (x1,y1,x2,y2), \"level\""),
    ("RANDOM_CORRIDORS", "RANDOM_CORRIDORS"),
    ("REGION", "REGION: (x1,y1,x2,y2), lit|unlit|random, \"room type\", flags..."),
    ("REPLACE_TERRAIN", "REPLACE_TERRAIN: (x1,y1,x2,y2), from, to, percent%"),
    ("ROOM", "ROOM: \"type\", lit|unlit|random, position|random, alignment|random, size|random { statements }"),
    ("ROOMDOOR", "ROOMDOOR: secret (true|false|random), state, wall, position"),
    ("SHUFFLE", "SHUFFLE: $array"),
    ("SINK", "SINK: place"),
    ("SOUNDS", "SOUNDS: frequency, (hear|pline|verbal|feel, \"text\")..."),
    ("SPILL", "SPILL: place, terrain, direction, amount"),
    ("STAIR", "STAIR: place, up|down, or STAIR: region, region, up|down"),
    ("SUBROOM", "SUBROOM: \"type\", lit|unlit|random, position|random, size|random { statements }"),
    ("SWITCH", "SWITCH [value] { CASE 1: statements DEFAULT: statements }"),
    ("TELEPORT_REGION", "TELEPORT_REGION: (x1,y1,x2,y2), (x1,y1,x2,y2), up|down"),
    ("TERRAIN", "TERRAIN: selection, terrain"),
    ("TOPOLOGIZE", "TOPOLOGIZE: (x1,y1,x2,y2)"),
    ("TRAP", "TRAP: \"name\"|random, place"),
    ("VAULTGEN", "VAULTGEN: weight"),
    ("WALLIFY", "WALLIFY, or WALLIFY: selection"),
    ("WALLWALK", "WALLWALK: place, terrain, terrain to walk over, percent%"),
];

/// Statements of NetHack 3.4.3.
const USAGE_343: &[(&str, &str)] = &[
    ("ALTAR", "ALTAR:place,alignment,altar|shrine|sanctum|random"),
    ("BRANCH", "BRANCH:(x1,y1,x2,y2),(x1,y1,x2,y2)"),
    ("CONTAINER", "CONTAINER:'class',\"name\",place"),
    ("CORRIDOR", "CORRIDOR:(room,wall,door),(room,wall,door)"),
    ("DOOR", "DOOR:state,place on a map, DOOR:secret,state,wall,position in a room"),
    ("DRAWBRIDGE", "DRAWBRIDGE:place,direction,open|closed"),
    ("ENGRAVING", "ENGRAVING:place,dust|engrave|burn|mark|random,\"text\""),
    ("FLAGS", "FLAGS:flag,flag"),
    ("FOUNTAIN", "FOUNTAIN:place"),
    ("GEOMETRY", "GEOMETRY:left|half-left|center|half-right|right,top|center|bottom, then MAP alone on the next line"),
    ("GOLD", "GOLD:amount,place"),
    ("INIT_MAP", "INIT_MAP:'foreground','background',smoothed,joined,lit|unlit|random,walled"),
    ("LADDER", "LADDER:place,up|down"),
    ("LEVEL", "LEVEL:\"name\""),
    ("MAZE", "MAZE:\"name\",'filling'|random"),
    ("MAZEWALK", "MAZEWALK:place,direction"),
    ("MESSAGE", "MESSAGE:\"text\""),
    ("MONSTER", "MONSTER:'class',\"name\"|random,place"),
    ("NAME", "NAME:\"name\""),
    ("NOMAP", "NOMAP"),
    ("NON_DIGGABLE", "NON_DIGGABLE:(x1,y1,x2,y2)"),
    ("NON_PASSWALL", "NON_PASSWALL:(x1,y1,x2,y2)"),
    (
        "OBJECT",
        "OBJECT:'class',\"name\"|random,place, or with a curse and an enchantment \
         OBJECT:'class',\"name\",place,cursed,0",
    ),
    ("POOL", "POOL:place"),
    ("PORTAL", "PORTAL:(x1,y1,x2,y2),(x1,y1,x2,y2),\"level\""),
    ("RANDOM_CORRIDORS", "RANDOM_CORRIDORS"),
    ("RANDOM_MONSTERS", "RANDOM_MONSTERS:'class','class'"),
    ("RANDOM_OBJECTS", "RANDOM_OBJECTS:'class','class'"),
    ("RANDOM_PLACES", "RANDOM_PLACES:(x,y),(x,y)"),
    ("REGION", "REGION:(x1,y1,x2,y2),lit|unlit|random,\"room type\""),
    ("ROOM", "ROOM:\"type\",lit|unlit|random,position|random,alignment|random,size|random"),
    ("SINK", "SINK:place"),
    ("STAIR", "STAIR:place,up|down, or STAIR:region,region,up|down"),
    ("SUBROOM", "SUBROOM:\"type\",lit|unlit|random,position|random,size|random,\"parent\""),
    ("TELEPORT_REGION", "TELEPORT_REGION:(x1,y1,x2,y2),(x1,y1,x2,y2),up|down"),
    ("TRAP", "TRAP:\"name\"|random,place"),
    ("WALLIFY", "WALLIFY"),
];

/// Returns the syntax of the statement that begins with `word`, if the dialect has it.
pub(crate) fn usage(word: &str, catalog: &Catalog) -> Option<&'static str> {
    let table = table(catalog);
    if word == ASSIGNMENT {
        return Some("$variable = value");
    }
    if !is_known(word, catalog) {
        return None;
    }
    table.binary_search_by_key(&word, |(known, _)| known).ok().map(|at| table[at].1)
}

/// Returns true if the first value of the statement in scripts is a place or a region.
pub(crate) fn is_place_first(word: &str) -> bool {
    let found = USAGE.binary_search_by_key(&word, |(known, _)| known).ok();
    found
        .and_then(|at| USAGE[at].1.split_once(": "))
        .is_some_and(|(_, values)| values.starts_with("place") || values.starts_with("(x1"))
}

/// Details of monsters in scripts.
const MONSTER_DETAILS: &[&str] = &[
    "peaceful",
    "hostile",
    "asleep",
    "awake",
    "law",
    "neutral",
    "chaos",
    "m_object",
    "m_monster",
    "m_feature",
    "female",
    "invisible",
    "cancelled",
    "revived",
    "avenge",
    "fleeing",
    "blinded",
    "paralyzed",
    "stunned",
    "confused",
    "seentraps",
    "wounded",
    "waiting",
];

/// Details of objects in scripts.
const OBJECT_DETAILS: &[&str] = &[
    "blessed",
    "uncursed",
    "cursed",
    "montype",
    "quantity",
    "name",
    "eroded",
    "erodeproof",
    "locked",
    "broken",
    "trapped",
    "recharged",
    "invisible",
    "greased",
    "buried",
];

/// Returns the details that a monster or an object can have, for a name as in "a detail of the monster".
pub(crate) fn details<'c>(expected: &str, catalog: &'c Catalog) -> impl Iterator<Item = &'static str> + use<'c> {
    let list = match expected {
        "a detail of the monster" => MONSTER_DETAILS,
        "a detail of the object" => OBJECT_DETAILS,
        _ => &[],
    };
    list.iter().copied().filter(|word| catalog.is_keyword(word))
}

/// Returns the statement keywords of the dialect.
pub(crate) fn words(catalog: &Catalog) -> impl Iterator<Item = &'static str> {
    let table = table(catalog);
    table.iter().map(|&(word, _)| word).filter(|word| is_known(word, catalog))
}

fn table(catalog: &Catalog) -> &'static [(&'static str, &'static str)] {
    match catalog.format {
        Format::Opcodes => USAGE,
        Format::Parts => USAGE_343,
        Format::Lua => &[],
    }
}

fn is_known(word: &str, catalog: &Catalog) -> bool {
    catalog.format == Format::Parts || catalog.is_keyword(word)
}

#[cfg(test)]
mod tests {
    use super::{USAGE, USAGE_343};

    #[test]
    fn usage_is_sorted_by_word() {
        for table in [USAGE, USAGE_343] {
            assert!(table.windows(2).all(|pair| pair[0].0 < pair[1].0));
        }
    }
}
