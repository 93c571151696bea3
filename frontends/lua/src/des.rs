//! The functions of `des` and the keys of their tables (NetHack 5.0.0, `sp_lev.c`).

use crate::functions::Kind::*;
use crate::functions::{Form, Function, Gives, Library, More, Picked, form, optional, required};
use crate::keys::{Key, keys};
use crate::words::*;

const KEYS: Form = form(&[required("table", Keys)]);
/// An optional table (`lcheck_param_table`).
const OPTIONAL_KEYS: Form = form(&[optional("table", Keys)]);
const NOTHING: Form = form(&[]);

/// The arguments `what, x, y`.
macro_rules! at_xy {
    ($name:literal, $kind:expr) => {
        form(&[required($name, $kind), required("x", Integer), required("y", Integer)]).picked(Picked::Count)
    };
}

/// The arguments `what, place`.
macro_rules! at_place {
    ($name:literal, $kind:expr) => {
        form(&[required($name, $kind), required("place", Place)])
    };
}

const fn function(name: &'static str, forms: &'static [Form], keys: &'static [&'static [Key]]) -> Function {
    Function { name, forms, keys, more: More::Fails, gives: Gives::Nothing }
}

const fn giving(name: &'static str, forms: &'static [Form], keys: &'static [&'static [Key]], gives: Gives) -> Function {
    Function { name, forms, keys, more: More::Fails, gives }
}

const SELECTED: &[Form] = &[form(&[optional("selection", Selection)]).picked(Picked::Count)];

const STAIR_FORMS: &[Form] = &[
    KEYS,
    form(&[optional("direction", Word(STAIRS))]),
    form(&[required("direction", Word(STAIRS)), required("place", Place)]),
    form(&[required("direction", Word(STAIRS)), required("x", Integer), required("y", Integer)]),
    form(&[required("x", Integer), required("y", Integer)]),
];

const FLAGS: Form = Form { arguments: &[required("flag", Word(LEVEL_FLAGS))], repeated: true, picked: Picked::Types };

/// Level construction: `des`.
pub(crate) const DES: Library = Library {
    name: "des",
    functions: &[
        function("message", &[form(&[required("text", Text)])], &[]).ignores_more(),
        function(
            "monster",
            &[
                OPTIONAL_KEYS,
                form(&[required("monster", MonsterOrClass)]),
                at_place!("monster", MonsterOrClass),
                at_xy!("monster", MonsterOrClass),
            ],
            monster::KEYS,
        )
        .ignores_after_table(),
        giving(
            "object",
            &[
                OPTIONAL_KEYS,
                form(&[required("object", ObjectOrClass)]),
                at_place!("object", ObjectOrClass),
                at_xy!("object", ObjectOrClass).picked(Picked::TypesOfRest),
            ],
            object::KEYS,
            Gives::Object,
        )
        .ignores_after_table(),
        function("level_flags", &[FLAGS], &[]),
        function("level_init", &[OPTIONAL_KEYS], level_init::KEYS).ignores_after_table(),
        function(
            "engraving",
            &[KEYS, form(&[required("place", Place), required("type", Word(ENGRAVINGS)), required("text", Text)])],
            engraving::KEYS,
        ),
        function("mineralize", &[OPTIONAL_KEYS], mineralize::KEYS).ignores_after_table(),
        function("door", &[OPTIONAL_KEYS, at_xy!("state", Word(DOOR_STATES))], door::KEYS).ignores_after_table(),
        function("stair", STAIR_FORMS, stair::KEYS).ignores_others(),
        function("ladder", STAIR_FORMS, stair::KEYS).ignores_others(),
        function(
            "grave",
            &[
                OPTIONAL_KEYS,
                form(&[required("x", Integer), required("y", Integer), required("text", Text)]).picked(Picked::Count),
            ],
            grave::KEYS,
        )
        .ignores_after_table(),
        function("altar", &[OPTIONAL_KEYS], altar::KEYS).ignores_after_table(),
        giving("map", &[form(&[required("map", Map)]), KEYS], map::KEYS, Gives::Selection).ignores_after_table(),
        function(
            "feature",
            &[
                KEYS,
                form(&[required("type", Word(FEATURES))]),
                at_place!("type", Word(FEATURES)),
                at_xy!("type", Word(FEATURES)),
            ],
            feature::KEYS,
        )
        .ignores_after_table(),
        function(
            "terrain",
            &[
                KEYS,
                form(&[required("selection", Selection), required("typ", MapCharacter)]),
                form(&[required("place", Place), required("typ", MapCharacter)]),
                form(&[required("x", Integer), required("y", Integer), required("typ", MapCharacter)]),
            ],
            terrain::KEYS,
        ),
        function("replace_terrain", &[KEYS], replace_terrain::KEYS).ignores_after_table(),
        function("room", &[OPTIONAL_KEYS], room::KEYS).ignores_after_table(),
        function("corridor", &[KEYS], corridor::KEYS).ignores_after_table(),
        function("random_corridors", &[NOTHING], &[]).ignores_more(),
        function(
            "gold",
            &[
                OPTIONAL_KEYS,
                form(&[required("amount", Integer), required("place", Place)]),
                form(&[required("amount", Integer), required("x", Integer), required("y", Integer)]),
            ],
            gold::KEYS,
        ),
        function(
            "trap",
            &[OPTIONAL_KEYS, form(&[required("type", Trap)]), at_place!("type", Trap), at_xy!("type", Trap)],
            trap::KEYS,
        )
        .ignores_after_table(),
        function(
            "mazewalk",
            &[
                KEYS,
                form(&[required("x", Integer), required("y", Integer), required("direction", Word(DIRECTIONS))])
                    .picked(Picked::Count),
            ],
            mazewalk::KEYS,
        )
        .ignores_after_table(),
        function("drawbridge", &[KEYS], drawbridge::KEYS).ignores_after_table(),
        function(
            "region",
            &[KEYS, form(&[required("selection", Selection), required("light", Word(LIGHTS))])],
            region::KEYS,
        ),
        function("levregion", &[KEYS], levregion::KEYS).ignores_after_table(),
        function("exclusion", &[KEYS], exclusion::KEYS).ignores_after_table(),
        function("wallify", &[NOTHING, KEYS.picked(Picked::Count)], wallify::KEYS).ignores_more(),
        function("wall_property", &[KEYS], wall_property::KEYS).ignores_after_table(),
        function("non_diggable", SELECTED, &[]).ignores_others(),
        function("non_passwall", SELECTED, &[]).ignores_others(),
        function("teleport_region", &[KEYS], teleport_region::KEYS).ignores_after_table(),
        function("reset_level", &[NOTHING], &[]).ignores_more(),
        function("finalize_level", &[NOTHING], &[]).ignores_more(),
        function("gas_cloud", &[KEYS], gas_cloud::KEYS),
    ],
};

keys! { monster {
    ID: Typed<Text> = text("id", Kind::Monster);
    CLASS: Typed<Text> = text("class", Kind::MonsterClass);
    PLACE: Place = place();
    PEACEFUL: Typed<Truth> = truth("peaceful", -1);
    ASLEEP: Typed<Truth> = truth("asleep", -1);
    NAME: Typed<Text> = text("name", Kind::TextOrFunction);
    FEMALE: Typed<Truth> = truth("female", -1);
    INVISIBLE: Typed<Truth> = truth("invisible", 0);
    CANCELLED: Typed<Truth> = truth("cancelled", 0);
    REVIVED: Typed<Truth> = truth("revived", 0);
    AVENGE: Typed<Truth> = truth("avenge", 0);
    FLEEING: Typed<Number> = number("fleeing", 0);
    BLINDED: Typed<Number> = number("blinded", 0);
    PARALYZED: Typed<Number> = number("paralyzed", 0);
    STUNNED: Typed<Truth> = truth("stunned", 0);
    CONFUSED: Typed<Truth> = truth("confused", 0);
    WAITING: Typed<Truth> = truth("waiting", 0);
    LEVEL_ADJUSTMENT: Typed<Number> = number("m_lev_adj", 0);
    ALIGN: Typed<Word<i32>> = word("align", ALIGNMENTS, "random");
    APPEAR_AS: Typed<Text> = text("appear_as", Kind::Appearance);
    KEEP_DEFAULT_INVENT: Typed<Truth> = truth("keep_default_invent", -1);
    TAIL: Typed<Truth> = truth("tail", -1);
    GROUP: Typed<Truth> = truth("group", -1);
    ADJACENT_OK: Typed<Truth> = truth("adjacentok", -1);
    IGNORE_WATER: Typed<Truth> = truth("ignorewater", -1);
    COUNT_BIRTH: Typed<Truth> = truth("countbirth", -1);
    INVENTORY: Typed<Value> = value("inventory", Kind::Contents);
} }

keys! { object {
    ID: Typed<Text> = text("id", Kind::Object);
    CLASS: Typed<Text> = text("class", Kind::ObjectClass);
    PLACE: Place = place();
    ENCHANTMENT: Typed<NumberOrRandom> = number_or_random("spe", -127);
    CURSE: Typed<Word<i32>> = word("buc", CURSES, "random");
    NAME: Typed<Text> = text("name", Kind::TextOrFunction);
    QUANTITY: Typed<NumberOrRandom> = number_or_random("quantity", -1);
    BURIED: Typed<Truth> = truth("buried", 0);
    LIT: Typed<Truth> = truth("lit", 0);
    ERODED: Typed<Number> = number("eroded", 0);
    LOCKED: Typed<Truth> = truth("locked", -1);
    TRAPPED: Typed<Truth> = truth("trapped", -1);
    TRAP_KNOWN: Typed<Truth> = truth("trap_known", -1);
    RECHARGED: Typed<Number> = number("recharged", 0);
    GREASED: Typed<Truth> = truth("greased", 0);
    BROKEN: Typed<Truth> = truth("broken", 0);
    ACHIEVEMENT: Typed<Truth> = truth("achievement", 0);
    MONTYPE: Typed<Text> = text("montype", Kind::Montype).only(&splc_ir::level::OBJECTS_OF_MONSTERS);
    HISTORIC: Typed<Truth> = truth("historic", 0).only(&["statue", "corpse"]);
    MALE: Typed<Truth> = truth("male", 0).only(&["statue", "corpse"]);
    FEMALE: Typed<Truth> = truth("female", 0).only(&["statue", "corpse"]);
    LAID_BY_YOU: Typed<Truth> = truth("laid_by_you", 0).only(&["egg"]);
    CONTENTS: Typed<Value> = value("contents", Kind::Contents);
} }

keys! { level_init {
    STYLE: Typed<Word<Style>> = word("style", STYLES, "solidfill");
    FOREGROUND: Typed<Text> = text("fg", Kind::MapCharacter);
    BACKGROUND: Typed<Text> = text("bg", Kind::MapCharacter);
    SMOOTHED: Typed<Truth> = truth("smoothed", 0);
    JOINED: Typed<Truth> = truth("joined", 0);
    LIT: Typed<Truth> = truth("lit", -1);
    WALLED: Typed<Truth> = truth("walled", 0);
    FILLING: Typed<Text> = text("filling", Kind::MapCharacter);
    CORRIDOR_WIDTH: Typed<Number> = number("corrwid", -1);
    WALL_THICKNESS: Typed<Number> = number("wallthick", -1);
    DEAD_ENDS: Typed<Truth> = truth("deadends", 1);
} }

keys! { engraving {
    PLACE: Place = place();
    TYPE: Typed<Word<i32>> = word("type", ENGRAVINGS, "engrave");
    TEXT: Typed<Text> = text("text", Kind::Text).needed();
    DEGRADE: Typed<Truth> = truth("degrade", 1);
    GUARD_OBJECTS: Typed<Truth> = truth("guardobjects", 0);
} }

keys! { mineralize {
    GEMS: Typed<Number> = number("gem_prob", -1);
    GOLD: Typed<Number> = number("gold_prob", -1);
    KELP_IN_MOATS: Typed<Number> = number("kelp_moat", -1);
    KELP_IN_POOLS: Typed<Number> = number("kelp_pool", -1);
} }

keys! { door {
    STATE: Typed<Word<i32>> = word("state", DOOR_STATES, "random");
    PLACE: Place = place();
    WALL: Typed<Word<i32>> = word("wall", WALLS, "all");
    POSITION: Typed<Number> = number("pos", -1);
} }

keys! { stair {
    DIRECTION: Typed<Word<bool>> = word("dir", STAIRS, "down");
    PLACE: Place = place();
} }

keys! { grave {
    PLACE: Place = place();
    TEXT: Typed<Text> = text("text", Kind::TextOrFunction);
} }

keys! { altar {
    PLACE: Place = place();
    ALIGN: Typed<Word<i32>> = word("align", ALIGNMENTS, "random");
    TYPE: Typed<Word<i32>> = word("type", ALTARS, "altar");
} }

keys! { map {
    PLACE: Place = place();
    ACROSS: Typed<Word<i32>> = word("halign", MAP_COLUMNS, "none");
    DOWN: Typed<Word<i32>> = word("valign", MAP_ROWS, "none");
    MAP: Typed<Text> = text("map", Kind::Map).needed();
    LIT: Typed<Truth> = truth("lit", 0);
    CONTENTS: Typed<Value> = value("contents", Kind::Contents);
} }

keys! { feature {
    TYPE: Typed<Word<&str>> = choice("type", FEATURES);
    PLACE: Place = place();
    LOOTED: Typed<Truth> = truth("looted", UNSAID).only(&["fountain", "throne", "tree"]);
    WARNED: Typed<Truth> = truth("warned", UNSAID).only(&["fountain"]);
    PUDDING: Typed<Truth> = truth("pudding", UNSAID).only(&["sink"]);
    DISHWASHER: Typed<Truth> = truth("dishwasher", UNSAID).only(&["sink"]);
    RING: Typed<Truth> = truth("ring", UNSAID).only(&["sink"]);
    SWARM: Typed<Truth> = truth("swarm", UNSAID).only(&["tree"]);
} }

keys! { terrain {
    PLACE: Place = place();
    SELECTION: Typed<Value> = value("selection", Kind::Selection);
    TYPE: Typed<Text> = text("typ", Kind::MapCharacter).needed();
    LIT: Typed<Number> = number("lit", UNCHANGED);
} }

keys! { replace_terrain {
    TO: Typed<Text> = text("toterrain", Kind::MapCharacter).needed();
    FROM: Typed<Text> = text("fromterrain", Kind::MapCharacter);
    FRAGMENT: Typed<Text> = text("mapfragment", Kind::MapFragment);
    CHANCE: Typed<Number> = number("chance", 100);
    LIT: Typed<Number> = number("lit", UNCHANGED);
    CORNERS: Corners = corners();
    SELECTION: Typed<Value> = value("selection", Kind::Selection);
} }

keys! { room {
    TYPE: Typed<Text> = text("type", Kind::Room);
    PLACE: Place = place();
    WIDTH: Typed<Number> = number("w", -1);
    HEIGHT: Typed<Number> = number("h", -1);
    ACROSS: Typed<Word<i32>> = word("xalign", ROOM_COLUMNS, "random");
    DOWN: Typed<Word<i32>> = word("yalign", ROOM_ROWS, "random");
    CHANCE: Typed<Number> = number("chance", 100);
    LIT: Typed<Number> = number("lit", -1);
    FILLED: Typed<Number> = number("filled", 1);
    JOINED: Typed<Truth> = truth("joined", 1);
    CONTENTS: Typed<Value> = value("contents", Kind::Contents);
} }

keys! { corridor {
    FROM_ROOM: Typed<Number> = count("srcroom");
    FROM_DOOR: Typed<Number> = count("srcdoor");
    FROM_WALL: Typed<Word<i32>> = word("srcwall", CORRIDOR_WALLS, "all");
    TO_ROOM: Typed<Number> = count("destroom");
    TO_DOOR: Typed<Number> = count("destdoor");
    TO_WALL: Typed<Word<i32>> = word("destwall", CORRIDOR_WALLS, "all");
} }

keys! { gold {
    AMOUNT: Typed<Number> = number("amount", -1);
    PLACE: Place = place();
} }

keys! { trap {
    TYPE: Typed<Text> = text("type", Kind::Trap);
    PLACE: Place = place();
    SPIDER_ON_WEB: Typed<Truth> = truth("spider_on_web", 1);
    SEEN: Typed<Truth> = truth("seen", 0);
    VICTIM: Typed<Truth> = truth("victim", 1);
    LAUNCH_FROM: Typed<Value> = value("launchfrom", Kind::Place);
    DESTINATION: Typed<Value> = value("teledest", Kind::Place);
} }

keys! { mazewalk {
    PLACE: Place = place();
    TYPE: Typed<Text> = text("typ", Kind::MapCharacter);
    STOCKED: Typed<Truth> = truth("stocked", 1);
    DIRECTION: Typed<Word<i32>> = word("dir", DIRECTIONS, "random");
} }

keys! { drawbridge {
    PLACE: Place = place();
    DIRECTION: Typed<Word<i32>> = word("dir", BRIDGE_DIRECTIONS, "random");
    STATE: Typed<Word<i32>> = word("state", BRIDGE_STATES, "random");
} }

keys! { region {
    CORNERS: Corners = corners();
    FILLED: Typed<Number> = number("filled", 0);
    IRREGULAR: Typed<Truth> = truth("irregular", 0);
    JOINED: Typed<Truth> = truth("joined", 1);
    ARRIVAL_ROOM: Typed<Truth> = truth("arrival_room", 0);
    TYPE: Typed<Text> = text("type", Kind::Room);
    LIT: Typed<Number> = number("lit", -1);
    CONTENTS: Typed<Value> = value("contents", Kind::Contents);
} }

keys! { levregion {
    AREAS: Areas = areas();
    TYPE: Typed<Word<&str>> = word("type", LEVEL_REGIONS, "stair-down");
    PADDING: Typed<Number> = number("padding", 0);
    NAME: Typed<Text> = text("name", Kind::TextOrFunction);
} }

keys! { exclusion {
    REGION: Typed<Area> = area("region").needed();
    TYPE: Typed<Word<i32>> = word("type", EXCLUSIONS, "teleport");
} }

keys! { wallify {
    X1: Typed<Number> = count("x1");
    Y1: Typed<Number> = count("y1");
    X2: Typed<Number> = count("x2");
    Y2: Typed<Number> = count("y2");
} }

keys! { wall_property {
    CORNERS: Corners = corners();
    PROPERTY: Typed<Word<i32>> = word("property", WALL_PROPERTIES, "nondiggable");
} }

keys! { teleport_region {
    AREAS: Areas = areas();
    DIRECTION: Typed<Word<&str>> = word("dir", ARRIVALS, "both");
} }

keys! { gas_cloud {
    PLACE: Place = place();
    SELECTION: Typed<Value> = value("selection", Kind::Selection);
    DAMAGE: Typed<Number> = number("damage", 0);
    TURNS: Typed<Number> = number("ttl", UNSAID as i64);
} }
