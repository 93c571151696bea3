//! The functions of `des` (NetHack 5.0.0, `sp_lev.c`).

use super::functions::Kind::*;
use super::functions::{Form, Function, Gives, Key, Library, form, key, needed, optional, required};

const DOOR_STATES: &[&str] = &["random", "open", "closed", "locked", "nodoor", "broken", "secret"];
const WALLS: &[&str] = &["all", "random", "north", "west", "east", "south"];
const DIRECTIONS: &[&str] = &["north", "south", "east", "west", "random"];
const STAIRS: &[&str] = &["down", "up"];
const ALIGNMENTS: &[&str] = &["noalign", "law", "neutral", "chaos", "coaligned", "noncoaligned", "random"];
const FEATURES: &[&str] = &["fountain", "sink", "pool", "throne", "tree"];
const ENGRAVINGS: &[&str] = &["dust", "engrave", "burn", "mark", "blood"];
const LEVEL_FLAGS: &[&str] = &[
    "noteleport",
    "hardfloor",
    "nommap",
    "shortsighted",
    "arboreal",
    "mazelevel",
    "shroud",
    "graveyard",
    "icedpools",
    "corrmaze",
    "premapped",
    "solidify",
    "sokoban",
    "inaccessibles",
    "noflipx",
    "noflipy",
    "noflip",
    "temperate",
    "hot",
    "cold",
    "nomongen",
    "nodeathdrops",
    "noautosearch",
    "fumaroles",
    "stormy",
];

const KEYS: Form = form(&[required("table", Keys)]);
/// An optional table (`lcheck_param_table`).
const OPTIONAL_KEYS: Form = form(&[optional("table", Keys)]);
const NOTHING: Form = form(&[]);

const X: Key = key("x", Integer);
const Y: Key = key("y", Integer);
const COORD: Key = key("coord", Place);
const LIT: Key = key("lit", Integer);

/// The arguments `what, x, y`.
macro_rules! at_xy {
    ($name:literal, $kind:expr) => {
        form(&[required($name, $kind), required("x", Integer), required("y", Integer)])
    };
}

/// The arguments `what, place`.
macro_rules! at_place {
    ($name:literal, $kind:expr) => {
        form(&[required($name, $kind), required("place", Place)])
    };
}

const fn function(name: &'static str, forms: &'static [Form], keys: &'static [Key]) -> Function {
    Function { name, forms, keys, gives: Gives::Nothing }
}

const fn giving(name: &'static str, forms: &'static [Form], keys: &'static [Key], gives: Gives) -> Function {
    Function { name, forms, keys, gives }
}

const SELECTED: &[Form] = &[form(&[optional("selection", Selection)])];

const STAIR_FORMS: &[Form] = &[
    KEYS,
    form(&[optional("direction", Word(STAIRS))]),
    form(&[required("direction", Word(STAIRS)), required("place", Place)]),
    form(&[required("direction", Word(STAIRS)), required("x", Integer), required("y", Integer)]),
    form(&[required("x", Integer), required("y", Integer)]),
];
const STAIR_KEYS: &[Key] = &[key("dir", Word(STAIRS)), X, Y, COORD];

const FLAGS: Form = Form { arguments: &[required("flag", FlagWord(LEVEL_FLAGS))], repeated: true };

/// Level construction: `des`.
pub(super) const DES: Library = Library {
    name: "des",
    functions: &[
        function("message", &[form(&[required("text", Text)])], &[]),
        function(
            "monster",
            &[
                OPTIONAL_KEYS,
                form(&[required("monster", MonsterOrClass)]),
                at_place!("monster", MonsterOrClass),
                at_xy!("monster", MonsterOrClass),
            ],
            &[
                key("id", Monster),
                key("class", MonsterClass),
                X,
                Y,
                COORD,
                key("peaceful", Boolean),
                key("asleep", Boolean),
                key("name", TextOrFunction),
                key("female", Boolean),
                key("invisible", Boolean),
                key("cancelled", Boolean),
                key("revived", Boolean),
                key("avenge", Boolean),
                key("fleeing", Integer),
                key("blinded", Integer),
                key("paralyzed", Integer),
                key("stunned", Boolean),
                key("confused", Boolean),
                key("waiting", Boolean),
                key("m_lev_adj", Integer),
                key("align", Word(ALIGNMENTS)),
                key("appear_as", Appearance),
                key("keep_default_invent", Boolean),
                key("tail", Boolean),
                key("group", Boolean),
                key("adjacentok", Boolean),
                key("ignorewater", Boolean),
                key("countbirth", Boolean),
                key("inventory", Contents),
            ],
        ),
        giving(
            "object",
            &[
                OPTIONAL_KEYS,
                form(&[required("object", ObjectOrClass)]),
                at_place!("object", ObjectOrClass),
                at_xy!("object", ObjectOrClass),
            ],
            &[
                key("id", Object),
                key("class", ObjectClass),
                X,
                Y,
                COORD,
                key("spe", IntegerOrRandom),
                key(
                    "buc",
                    Word(&["random", "blessed", "uncursed", "cursed", "not-cursed", "not-uncursed", "not-blessed"]),
                ),
                key("name", TextOrFunction),
                key("quantity", IntegerOrRandom),
                key("buried", Boolean),
                key("lit", Boolean),
                key("eroded", Integer),
                key("locked", Boolean),
                key("trapped", Boolean),
                key("trap_known", Boolean),
                key("recharged", Integer),
                key("greased", Boolean),
                key("broken", Boolean),
                key("achievement", Boolean),
                key("montype", Montype),
                key("historic", Boolean),
                key("male", Boolean),
                key("female", Boolean),
                key("laid_by_you", Boolean),
                key("contents", Contents),
            ],
            Gives::Object,
        ),
        function("level_flags", &[FLAGS], &[]),
        function(
            "level_init",
            &[OPTIONAL_KEYS],
            &[
                key("style", Word(&["solidfill", "mazegrid", "maze", "rogue", "mines", "swamp"])),
                key("fg", MapCharacter),
                key("bg", MapCharacter),
                key("smoothed", Boolean),
                key("joined", Boolean),
                key("lit", Boolean),
                key("walled", Boolean),
                key("filling", MapCharacter),
                key("corrwid", Integer),
                key("wallthick", Integer),
                key("deadends", Boolean),
            ],
        ),
        function(
            "engraving",
            &[KEYS, form(&[required("place", Place), required("type", Word(ENGRAVINGS)), required("text", Text)])],
            &[
                X,
                Y,
                COORD,
                key("type", Word(ENGRAVINGS)),
                needed("text", Text),
                key("degrade", Boolean),
                key("guardobjects", Boolean),
            ],
        ),
        function(
            "mineralize",
            &[OPTIONAL_KEYS],
            &[
                key("gem_prob", Integer),
                key("gold_prob", Integer),
                key("kelp_moat", Integer),
                key("kelp_pool", Integer),
            ],
        ),
        function(
            "door",
            &[OPTIONAL_KEYS, at_xy!("state", Word(DOOR_STATES))],
            &[key("state", Word(DOOR_STATES)), X, Y, COORD, key("wall", Word(WALLS)), key("pos", Integer)],
        ),
        function("stair", STAIR_FORMS, STAIR_KEYS),
        function("ladder", STAIR_FORMS, STAIR_KEYS),
        function(
            "grave",
            &[OPTIONAL_KEYS, form(&[required("x", Integer), required("y", Integer), required("text", Text)])],
            &[X, Y, COORD, key("text", TextOrFunction)],
        ),
        function(
            "altar",
            &[OPTIONAL_KEYS],
            &[X, Y, COORD, key("align", Word(ALIGNMENTS)), key("type", Word(&["altar", "shrine", "sanctum"]))],
        ),
        giving(
            "map",
            &[form(&[required("map", Map)]), KEYS],
            &[
                X,
                Y,
                COORD,
                key("halign", Word(&["left", "half-left", "center", "half-right", "right", "none"])),
                key("valign", Word(&["top", "center", "bottom", "none"])),
                needed("map", Map),
                key("lit", Boolean),
                key("contents", Contents),
            ],
            Gives::Selection,
        ),
        function(
            "feature",
            &[
                KEYS,
                form(&[required("type", Word(FEATURES))]),
                at_place!("type", Word(FEATURES)),
                at_xy!("type", Word(FEATURES)),
            ],
            &[
                needed("type", Word(FEATURES)),
                X,
                Y,
                COORD,
                key("looted", Boolean),
                key("warned", Boolean),
                key("pudding", Boolean),
                key("dishwasher", Boolean),
                key("ring", Boolean),
                key("swarm", Boolean),
            ],
        ),
        function(
            "terrain",
            &[
                KEYS,
                form(&[required("selection", Selection), required("typ", MapCharacter)]),
                form(&[required("place", Place), required("typ", MapCharacter)]),
                form(&[required("x", Integer), required("y", Integer), required("typ", MapCharacter)]),
            ],
            &[X, Y, COORD, key("selection", Selection), needed("typ", MapCharacter), LIT],
        ),
        function(
            "replace_terrain",
            &[KEYS],
            &[
                needed("toterrain", MapCharacter),
                key("fromterrain", MapCharacter),
                key("mapfragment", MapFragment),
                key("chance", Integer),
                LIT,
                key("x1", Integer),
                key("y1", Integer),
                key("x2", Integer),
                key("y2", Integer),
                key("region", Region),
                key("selection", Selection),
            ],
        ),
        function(
            "room",
            &[OPTIONAL_KEYS],
            &[
                key("type", Room),
                X,
                Y,
                COORD,
                key("w", Integer),
                key("h", Integer),
                key("xalign", Word(&["left", "half-left", "center", "half-right", "right", "none", "random"])),
                key("yalign", Word(&["top", "center", "bottom", "none", "random"])),
                key("chance", Integer),
                LIT,
                key("filled", Integer),
                key("joined", Boolean),
                key("contents", Contents),
            ],
        ),
        function(
            "corridor",
            &[KEYS],
            &[
                needed("srcroom", Integer),
                needed("srcdoor", Integer),
                key("srcwall", Word(WALLS)),
                needed("destroom", Integer),
                needed("destdoor", Integer),
                key("destwall", Word(WALLS)),
            ],
        ),
        function("random_corridors", &[NOTHING], &[]),
        function(
            "gold",
            &[
                OPTIONAL_KEYS,
                form(&[required("amount", Integer), required("place", Place)]),
                form(&[required("amount", Integer), required("x", Integer), required("y", Integer)]),
            ],
            &[key("amount", Integer), X, Y, COORD],
        ),
        function(
            "trap",
            &[OPTIONAL_KEYS, form(&[required("type", Trap)]), at_place!("type", Trap), at_xy!("type", Trap)],
            &[
                key("type", Trap),
                X,
                Y,
                COORD,
                key("spider_on_web", Boolean),
                key("seen", Boolean),
                key("victim", Boolean),
                key("launchfrom", Place),
                key("teledest", Place),
            ],
        ),
        function(
            "mazewalk",
            &[KEYS, form(&[required("x", Integer), required("y", Integer), required("direction", Word(DIRECTIONS))])],
            &[X, Y, COORD, key("typ", MapCharacter), key("stocked", Boolean), key("dir", Word(DIRECTIONS))],
        ),
        function(
            "drawbridge",
            &[KEYS],
            &[X, Y, COORD, key("dir", Word(DIRECTIONS)), key("state", Word(&["open", "closed", "random"]))],
        ),
        function(
            "region",
            &[KEYS, form(&[required("selection", Selection), required("light", Word(&["unlit", "lit"]))])],
            &[
                key("x1", Integer),
                key("y1", Integer),
                key("x2", Integer),
                key("y2", Integer),
                key("region", Region),
                key("filled", Integer),
                key("irregular", Boolean),
                key("joined", Boolean),
                key("arrival_room", Boolean),
                key("type", Room),
                LIT,
                key("contents", Contents),
            ],
        ),
        function(
            "levregion",
            &[KEYS],
            &[
                needed("region", Region),
                key("exclude", Region),
                key("region_islev", Boolean),
                key("exclude_islev", Boolean),
                key(
                    "type",
                    Word(&["stair-down", "stair-up", "portal", "branch", "teleport", "teleport-up", "teleport-down"]),
                ),
                key("padding", Integer),
                key("name", TextOrFunction),
            ],
        ),
        function(
            "exclusion",
            &[KEYS],
            &[
                needed("region", Region),
                key("type", Word(&["teleport", "teleport-up", "teleport-down", "monster-generation"])),
            ],
        ),
        function(
            "wallify",
            &[NOTHING, KEYS],
            &[needed("x1", Integer), needed("y1", Integer), needed("x2", Integer), needed("y2", Integer)],
        ),
        function(
            "wall_property",
            &[KEYS],
            &[
                key("x1", Integer),
                key("y1", Integer),
                key("x2", Integer),
                key("y2", Integer),
                key("region", Region),
                key("property", Word(&["nondiggable", "nonpasswall"])),
            ],
        ),
        function("non_diggable", SELECTED, &[]),
        function("non_passwall", SELECTED, &[]),
        function(
            "teleport_region",
            &[KEYS],
            &[
                needed("region", Region),
                key("exclude", Region),
                key("region_islev", Boolean),
                key("exclude_islev", Boolean),
                key("dir", Word(&["both", "down", "up"])),
            ],
        ),
        function("reset_level", &[NOTHING], &[]),
        function("finalize_level", &[NOTHING], &[]),
        function(
            "gas_cloud",
            &[KEYS],
            &[X, Y, COORD, key("selection", Selection), key("damage", Integer), key("ttl", Integer)],
        ),
    ],
};
