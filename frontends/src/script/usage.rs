//! One line for each statement that says how it is written, for messages.

use splc_ir::catalog::Catalog;

const USAGE: &[(&str, &str)] = &[
    ("ALTAR", "ALTAR: place, alignment, altar|shrine|sanctum|random"),
    ("BRANCH", "BRANCH: (x1,y1,x2,y2), (x1,y1,x2,y2)"),
    ("CASE", "CASE number: statements"),
    ("CONTAINER", "CONTAINER: object, place, details... { contents }"),
    ("CORRIDOR", "CORRIDOR: (room, wall, door), (room, wall, door)"),
    ("DEFAULT", "DEFAULT: statements"),
    ("DOOR", "DOOR: state, place"),
    ("DRAWBRIDGE", "DRAWBRIDGE: place, direction, open|closed|random"),
    ("ENGRAVING", "ENGRAVING: place, dust|engrave|burn|mark|blood|random, \"text\""),
    ("FLAGS", "FLAGS: flag, flag..."),
    ("FOR", "FOR $variable = first TO last { statements }"),
    ("FOUNTAIN", "FOUNTAIN: place"),
    ("FUNCTION", "FUNCTION name($parameter: int) { statements }"),
    ("GEOMETRY", "GEOMETRY: left|half-left|center|half-right|right, top|center|bottom, then MAP on a line of its own"),
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
    ("TRAP", "TRAP: \"name\"|random, place"),
    ("VAULTGEN", "VAULTGEN: weight"),
    ("WALLIFY", "WALLIFY, or WALLIFY: selection"),
    ("WALLWALK", "WALLWALK: place, terrain, over what, percent%"),
];

/// How the statement that begins with `word` is written, if the dialect has it.
pub fn usage(word: &str, catalog: &Catalog) -> Option<&'static str> {
    if word == super::lexer::ASSIGNMENT {
        return Some("$variable = value");
    }
    if !catalog.is_keyword(word) {
        return None;
    }
    let at = USAGE.binary_search_by_key(&word, |(known, _)| known).ok()?;
    Some(USAGE[at].1)
}

#[cfg(test)]
mod tests {
    use super::USAGE;

    #[test]
    fn usage_is_sorted_by_word() {
        assert!(USAGE.windows(2).all(|pair| pair[0].0 < pair[1].0));
    }
}
