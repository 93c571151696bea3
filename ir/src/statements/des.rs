//! The table of des-files: a row a statement, detail or selection.

use super::Kind::{
    Amount, Any, Boolean, Chance, Character, Class, Condition, Detail, Free, Identifier, LevelRegion, Monster, Name,
    Number, Object, OneOf, Percent, Place, Region, Selection, Signed, Terrain, Text, Tuple, Variable, Word, Words,
};
use super::Only::{All, Lists, Scripts, With, Without, Word as Has};
use super::{Block, Form, Head, Kind, Names, Need, Only, Slot, Statement};
use crate::catalog::{Feature, Group};

/// The pseudo-keyword of `$variable = value`, which has none.
pub const ASSIGNMENT: &str = "assignment";

const fn slot(name: &'static str, kind: Kind, default: &'static str) -> Slot {
    Slot { name, kind, need: Need::Required, random: false, default }
}

const fn of(keyword: &'static str, forms: &'static [Form]) -> Statement {
    Statement { keyword, forms }
}

const fn form(only: Only, slots: &'static [Slot]) -> Form {
    Form { only, head: Head::Colon, slots, block: Block::None }
}

/// A statement that may have a chance before its colon.
const fn thing(only: Only, slots: &'static [Slot]) -> Form {
    form(only, slots).head(Head::Chance)
}

impl Form {
    const fn head(self, head: Head) -> Form {
        Form { head, ..self }
    }

    const fn block(self, block: Block) -> Form {
        Form { block, ..self }
    }
}

const BRACES: Block = Block::Required("statements");
const PLACE: Slot = slot("place", Place, "random").or_random();
const AREA: Slot = slot("area", Region, "(1,1,5,5)");
const LEVEL_AREA: Slot = slot("area", LevelRegion, "(1,1,5,5)");
const EXCLUDED: Slot = slot("excluded area", LevelRegion, "(0,0,0,0)");
const SQUARES: Slot = slot("place", Selection, "random").or_random();
const LIGHT: Slot = slot("light", OneOf(&["lit", "unlit"]), "lit").or_random();
const STATE: Slot = slot("state", Word(Group::DoorState), "closed").or_random();
const BRIDGE: Slot = slot("state", OneOf(&["open", "closed"]), "closed");
const DIRECTION: Slot = slot("direction", Word(Group::Direction), "north");
const WALL: Slot = slot("wall", Word(Group::Direction), "random").or_random();
const WALLS: Slot = slot("wall", Words(Group::Direction), "random").or_random();
const UP_DOWN: Slot = slot("direction", OneOf(&["up", "down"]), "down");
const ALIGNMENT: Slot = slot("alignment", Word(Group::Alignment), "random").or_random();
const ALTAR: Slot = slot("type", OneOf(&["altar", "shrine", "sanctum"]), "altar").or_random();
const ENGRAVING: Slot = slot("kind", Word(Group::Engraving), "dust").or_random();
const TEXT: Slot = slot("text", Text, "\"text\"");
const OWN_NAME: Slot = slot("name", Name(Names::Own), "");
const LEVEL: Slot = slot("level", Name(Names::Level), "\"level\"");
const ROOM_TYPE: Slot = slot("room type", Name(Names::Room), "\"ordinary\"").or_random();
const TRAP: Slot = slot("name", Name(Names::Trap), "random").or_random();
const SPECIES: Slot = slot("name", Name(Names::Species), "random").or_random();
const CLASS: Slot = slot("class", Class, "random").or_random();
const MONSTER: Slot = slot("monster", Monster, "random").or_random();
const OBJECT: Slot = slot("object", Object, "random").or_random();
const OF_MONSTER: Slot = slot("details", Detail(MONSTER_DETAILS), "").repeated();
const OF_OBJECT: Slot = slot("details", Detail(OBJECT_DETAILS), "").repeated();
const TERRAIN: Slot = slot("terrain", Terrain, "'.'");
const CHARACTER: Slot = slot("character", Character, "'.'");
const AMOUNT: Slot = slot("amount", Amount, "10").or_random();
const NUMBER: Slot = slot("number", Number, "1");
const TURNS: Slot = slot("number", Amount, "1");
const PERCENT: Slot = slot("percent", Percent, "100%");
const SMOOTHED: Slot = slot("smoothed", Boolean, "true");
const SECRET: Slot = slot("secret", Boolean, "false").or_random();
const VARIABLE: Slot = slot("$variable", Variable, "");
const VALUE: Slot = slot("value", Any, "");
const WALL_POSITION: Slot = slot("position", Number, "random").or_random();
const PAIR: Slot = slot("position", Tuple(&[NUMBER.named("x"), NUMBER.named("y")]), "random").or_random();
const SIZE: Slot = slot("size", Tuple(&[NUMBER.named("width"), NUMBER.named("height")]), "random").or_random();
const LEFT_RIGHT: Slot = slot("column", OneOf(&["left", "half-left", "center", "half-right", "right"]), "center");
const TOP_BOTTOM: Slot = slot("row", OneOf(&["top", "center", "bottom"]), "center");
const IN_CELL: Slot = slot("alignment", Tuple(&[LEFT_RIGHT, TOP_BOTTOM]), "random").or_random();
const ROOM_DOOR: Slot = slot("door", Tuple(DOOR_OF_ROOM), "(1,random,0)");
const DOOR_OF_ROOM: &[Slot] =
    &[slot("room", Number, "1"), slot("wall", Word(Group::Direction), "north"), slot("door", Number, "0")];
const FLAG: Slot = slot("flag", Word(Group::Flag), "noteleport").some();
const ROOM_FLAGS: Slot =
    slot("flags", OneOf(&["filled", "unfilled", "regular", "irregular", "joined", "unjoined"]), "").repeated();
const FILLING: Slot = slot("filled|unfilled", Word(Group::Filling), "filled");

/// The statements, in alphabetical order.
pub const STATEMENTS: &[Statement] = &[
    of("ALTAR", &[form(All, &[PLACE, ALIGNMENT, ALTAR])]),
    of("BRANCH", &[form(All, &[LEVEL_AREA, EXCLUDED])]),
    of("BREAK", &[form(Scripts, &[])]),
    of("CASE", &[form(Scripts, &[NUMBER]).head(Head::Label).block(Block::Bare)]),
    of("CHANCE", &[form(Lists, &[NUMBER.named("percent")])]),
    of(
        "CONTAINER",
        &[
            thing(Scripts, &[OBJECT, PLACE.optional(), OF_OBJECT]).block(Block::Required("contents")),
            thing(Lists, OBJECT_OF_LISTS),
        ],
    ),
    of("CORRIDOR", &[form(All, &[ROOM_DOOR, ROOM_DOOR.named("second door")])]),
    of("DEFAULT", &[form(Scripts, &[]).head(Head::Label).block(Block::Bare)]),
    of(
        "DOOR",
        &[
            form(Scripts, &[STATE, SQUARES]),
            form(Lists, &[STATE, PLACE]),
            form(Lists, &[SECRET, STATE, WALL, WALL_POSITION]),
        ],
    ),
    of("DRAWBRIDGE", &[form(All, &[PLACE, DIRECTION, BRIDGE.or_random()])]),
    of("ELSE", &[form(Scripts, &[]).head(Head::Blank).block(BRACES)]),
    of("ENGRAVING", &[form(All, &[PLACE, ENGRAVING, TEXT])]),
    of("EXIT", &[form(Scripts, &[])]),
    of("FLAGS", &[form(All, &[FLAG])]),
    of(
        "FOR",
        &[form(Scripts, &[VARIABLE, TURNS.named("first"), TURNS.named("last")])
            .head(Head::Signs(&[" = ", " TO "]))
            .block(BRACES)],
    ),
    of("FOUNTAIN", &[form(Scripts, &[SQUARES]), form(Lists, &[PLACE])]),
    of(
        "FUNCTION",
        &[form(Scripts, &[slot("name", Identifier, ""), slot("$parameter: int", Free, "").optional()])
            .head(Head::Signs(&["(", ")"]))
            .block(BRACES)],
    ),
    of("GEOMETRY", &[form(All, &[LEFT_RIGHT, TOP_BOTTOM]).block(Block::Map)]),
    of("GOLD", &[form(All, &[AMOUNT, PLACE])]),
    of("GRAVE", &[form(Scripts, &[PLACE, TEXT.or_random().optional()])]),
    of("IF", &[condition(&[slot("chance", Chance, "[50%]")]), condition(&[slot("condition", Condition, "")])]),
    of("INCLUDE", &[form(Scripts, &[OWN_NAME.named("file")]).head(Head::Blank)]),
    of(
        "INIT_MAP",
        &[
            form(
                Has("mines"),
                &[
                    style(&["mines"]),
                    CHARACTER.named("foreground"),
                    CHARACTER.named("background").default("' '"),
                    SMOOTHED,
                    SMOOTHED.named("joined"),
                    LIGHT,
                    SMOOTHED.named("walled").or_random(),
                    CHARACTER.named("filling").optional(),
                ],
            ),
            form(Has("solidfill"), &[style(&["solidfill"]), TERRAIN.default("' '")]),
            form(Has("mazegrid"), &[style(&["mazegrid"]), CHARACTER.default("'-'")]),
            form(Has("rogue"), &[style(&["rogue"])]),
            form(
                Lists,
                &[
                    CHARACTER.named("foreground"),
                    CHARACTER.named("background").default("' '"),
                    SMOOTHED,
                    SMOOTHED.named("joined"),
                    LIGHT,
                    SMOOTHED.named("walled").or_random(),
                ],
            ),
        ],
    ),
    of("LADDER", &[form(All, &[PLACE, UP_DOWN])]),
    of("LEVEL", &[form(All, &[OWN_NAME])]),
    of("LOOP", &[form(Scripts, &[TURNS.named("count")]).head(Head::Brackets).block(BRACES)]),
    of("MAZE", &[form(All, &[OWN_NAME, slot("filling", Character, "' '").or_random()])]),
    of(
        "MAZEWALK",
        &[
            form(Scripts, &[PLACE, DIRECTION, SMOOTHED.named("stocked").optional(), CHARACTER.optional()]),
            form(Lists, &[PLACE, DIRECTION]),
        ],
    ),
    of("MESSAGE", &[form(All, &[TEXT])]),
    of(
        "MINERALIZE",
        &[
            form(
                Scripts,
                &[TURNS.named("kelp in pools"), TURNS.named("kelp in moats"), TURNS.named("gold"), TURNS.named("gems")],
            ),
            form(Scripts, &[]),
        ],
    ),
    of(
        "MONSTER",
        &[
            thing(Scripts, &[MONSTER, PLACE, OF_MONSTER]).block(Block::Optional),
            thing(Lists, &[CLASS, SPECIES, PLACE, OF_MONSTER]),
        ],
    ),
    of(
        "MON_GENERATION",
        &[form(
            Scripts,
            &[PERCENT, slot("monster", Tuple(&[TURNS.named("weight").default("10"), MONSTER]), "").some()],
        )],
    ),
    of("NAME", &[form(Lists, &[OWN_NAME])]),
    of("NOMAP", &[form(All, &[])]),
    of("NON_DIGGABLE", &[form(All, &[AREA])]),
    of("NON_PASSWALL", &[form(All, &[AREA])]),
    of("OBJECT", &[thing(Scripts, &[OBJECT, PLACE.optional(), OF_OBJECT]), thing(Lists, OBJECT_OF_LISTS)]),
    of("POOL", &[form(Scripts, &[SQUARES]), form(Lists, &[PLACE])]),
    of("PORTAL", &[form(All, &[LEVEL_AREA, EXCLUDED, LEVEL])]),
    of("RANDOM_CORRIDORS", &[form(All, &[])]),
    of("RANDOM_MONSTERS", &[form(Lists, &[slot("class", Class, "").some()])]),
    of("RANDOM_OBJECTS", &[form(Lists, &[slot("class", Class, "").some()])]),
    of("RANDOM_PLACES", &[form(Lists, &[slot("(x,y)", Place, "(1,1)").some()])]),
    of(
        "REGION",
        &[
            form(Scripts, &[AREA, LIGHT, ROOM_TYPE, ROOM_FLAGS]).block(Block::Optional),
            form(Lists, &[AREA, LIGHT, ROOM_TYPE, FILLING.optional(), slot("irregular", Boolean, "true").optional()]),
        ],
    ),
    of("REPLACE_TERRAIN", &[form(Scripts, &[AREA, TERRAIN.named("from"), TERRAIN.named("to"), PERCENT])]),
    of(
        "ROOM",
        &[
            form(Scripts, &[ROOM_TYPE, LIGHT, PAIR, IN_CELL, SIZE, ROOM_FLAGS]).block(BRACES),
            form(Lists, &[ROOM_TYPE, LIGHT, PAIR, IN_CELL, SIZE, slot("filled", Boolean, "true").optional()]),
        ],
    ),
    of("ROOMDOOR", &[form(Scripts, &[SECRET, STATE, WALLS, WALL_POSITION])]),
    of("SHUFFLE", &[form(Scripts, &[VARIABLE.named("$array")])]),
    of("SINK", &[form(Scripts, &[SQUARES]), form(Lists, &[PLACE])]),
    of(
        "SOUNDS",
        &[form(
            Scripts,
            &[
                TURNS.named("frequency"),
                slot("sound", Tuple(&[slot("kind", Word(Group::Sound), "hear"), TEXT]), "").some(),
            ],
        )],
    ),
    of("SPILL", &[form(Scripts, &[PLACE, TERRAIN, DIRECTION, TURNS.named("amount")])]),
    of("STAIR", &[form(All, &[PLACE, UP_DOWN]), form(All, &[LEVEL_AREA, EXCLUDED, UP_DOWN])]),
    of(
        "SUBROOM",
        &[
            form(Scripts, &[ROOM_TYPE, LIGHT, PAIR, SIZE, ROOM_FLAGS]).block(BRACES),
            form(
                Lists,
                &[ROOM_TYPE, LIGHT, PAIR, SIZE, OWN_NAME.named("parent"), slot("filled", Boolean, "true").optional()],
            ),
        ],
    ),
    of(
        "SWITCH",
        &[form(Scripts, &[VALUE])
            .head(Head::Brackets)
            .block(Block::Required("CASE 1: statements DEFAULT: statements"))],
    ),
    of("TELEPORT_REGION", &[form(All, &[LEVEL_AREA, EXCLUDED, UP_DOWN.optional()])]),
    of("TERRAIN", &[thing(Scripts, &[SQUARES.named("selection"), TERRAIN])]),
    of("TOPOLOGIZE", &[form(Scripts, &[PLACE])]),
    of("TRAP", &[thing(All, &[TRAP, PLACE])]),
    of("VAULTGEN", &[form(Scripts, &[NUMBER.named("weight")])]),
    of(
        "WALLIFY",
        &[
            form(All, &[]),
            form(Without(Feature::WallifyTakesRegions), &[SQUARES.named("selection")]),
            form(With(Feature::WallifyTakesRegions), &[AREA]),
        ],
    ),
    of(
        "WALLWALK",
        &[form(Scripts, &[PLACE, TERRAIN, TERRAIN.named("terrain to walk over").optional(), PERCENT.optional()])],
    ),
    of(ASSIGNMENT, &[form(Scripts, &[VARIABLE, VALUE]).head(Head::Signs(&[" = "]))]),
];

/// An OBJECT or CONTAINER of NetHack 3.4.3.
const OBJECT_OF_LISTS: &[Slot] = &[
    CLASS,
    SPECIES,
    PLACE,
    slot("curse", Word(Group::Curse), "random").or_random().optional(),
    slot("monster", Name(Names::Species), "").optional(),
    slot("enchantment", Signed, "0").or_random().optional(),
    TEXT.named("given name").optional(),
];

const fn style(words: &'static [&'static str]) -> Slot {
    slot("style", OneOf(words), "")
}

const fn condition(slots: &'static [Slot]) -> Form {
    form(Scripts, slots).head(Head::Blank).block(Block::Else)
}

/// A detail with a value after a colon, or without one.
const fn detail(slots: &'static [Slot]) -> Form {
    form(All, slots)
}

const NONE: &[Form] = &[detail(&[])];
const COUNTED: &[Form] = &[detail(&[TURNS])];
const IMITATED: &[Form] = &[detail(&[TEXT.named("name")]).head(Head::Blank)];

/// The details of a MONSTER. Its own name has no keyword.
pub const MONSTER_DETAILS: &[Statement] = &[
    of("peaceful", NONE),
    of("hostile", NONE),
    of("asleep", NONE),
    of("awake", NONE),
    of("law", NONE),
    of("neutral", NONE),
    of("chaos", NONE),
    of("noalign", NONE),
    of("coaligned", NONE),
    of("noncoaligned", NONE),
    of("align", &[form(All, &[NUMBER]).head(Head::Brackets)]),
    of("m_object", IMITATED),
    of("m_monster", IMITATED),
    of("m_feature", IMITATED),
    of("female", NONE),
    of("invisible", NONE),
    of("cancelled", NONE),
    of("revived", NONE),
    of("avenge", NONE),
    of("fleeing", COUNTED),
    of("blinded", COUNTED),
    of("paralyzed", COUNTED),
    of("stunned", NONE),
    of("confused", NONE),
    of("seen_traps", &[detail(&[slot("trap", Name(Names::Trap), "")])]),
];

/// The details of an OBJECT. Its place and enchantment have no keyword.
pub const OBJECT_DETAILS: &[Statement] = &[
    of("blessed", NONE),
    of("uncursed", NONE),
    of("cursed", NONE),
    of("montype", &[detail(&[MONSTER])]),
    of("quantity", COUNTED),
    of("name", &[detail(&[TEXT])]),
    of("eroded", COUNTED),
    of("erodeproof", NONE),
    of("locked", NONE),
    of("broken", NONE),
    of("trapped", NONE),
    of("not_trapped", NONE),
    of("recharged", COUNTED),
    of("invisible", NONE),
    of("greased", NONE),
    of("buried", NONE),
    of("lit", NONE),
    of("unlit", NONE),
];

const LINE: &[Slot] = &[PLACE.named("from"), PLACE.named("to")];
const RANDOM_LINE: &[Slot] = &[PLACE.named("from"), PLACE.named("to"), TURNS.named("roughness")];
const CENTER: Slot = PLACE.named("center");
const OUTLINE: Slot = slot("filled", Word(Group::Filling), "filled").optional();

const fn call(slots: &'static [Slot]) -> Form {
    form(All, slots).head(Head::Parentheses)
}

/// The words that make a selection, and those of places.
pub const CALLS: &[Statement] = &[
    of("rect", &[form(All, &[AREA]).head(Head::Blank)]),
    of("fillrect", &[form(All, &[AREA]).head(Head::Blank)]),
    of(
        "line",
        &[
            form(Without(Feature::CommaLines), LINE).head(Head::Signs(&[" - "])),
            form(With(Feature::CommaLines), LINE).head(Head::Signs(&[", "])),
        ],
    ),
    of(
        "randline",
        &[
            form(Without(Feature::CommaLines), RANDOM_LINE).head(Head::Signs(&[" - "])),
            form(With(Feature::CommaLines), RANDOM_LINE).head(Head::Signs(&[", "])),
        ],
    ),
    of("grow", &[call(&[WALLS.optional(), SQUARES])]),
    of("filter", &[call(&[PERCENT.default("50%"), SQUARES]), call(&[TERRAIN, SQUARES]), call(&[SQUARES, SQUARES])]),
    of("floodfill", &[form(All, &[PLACE]).head(Head::Blank)]),
    of("circle", &[call(&[CENTER, TURNS.named("radius"), OUTLINE])]),
    of("ellipse", &[call(&[CENTER, TURNS.named("x radius"), TURNS.named("y radius"), OUTLINE])]),
    of(
        "gradient",
        &[call(&[
            slot("radial|square", Word(Group::Gradient), "radial"),
            slot(
                "range",
                Tuple(&[
                    slot("minimum - maximum", Free, ""),
                    slot("limited", Word(Group::Limited), "limited").optional(),
                ]),
                "",
            ),
            CENTER,
            CENTER.optional(),
        ])],
    ),
    of("complement", &[form(All, &[SQUARES]).head(Head::Blank)]),
    of("rndcoord", &[call(&[SQUARES])]),
    of("coord", &[call(&[TURNS.named("x"), TURNS.named("y")])]),
    of("levregion", &[call(&[NUMBER.named("x1"), NUMBER.named("y1"), NUMBER.named("x2"), NUMBER.named("y2")])]),
    of("random", NONE),
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalog::Catalog;

    #[test]
    fn statements_are_sorted_and_their_lines_are_the_ones_of_the_games() {
        assert!(STATEMENTS.windows(2).all(|pair| pair[0].keyword < pair[1].keyword));
        let line = |word, game| {
            super::super::statement(word, Catalog::by_name(game).unwrap())
                .map(|known| known.syntax(Catalog::by_name(game).unwrap()))
        };
        let known = |word, game, right: &str| assert_eq!(line(word, game).as_deref(), Some(right));
        known("TRAP", "unnethack-6.0.4", "TRAP: \"name\"|random, place");
        known("TRAP", "nethack-3.4.3", "TRAP:\"name\"|random,place");
        known("STAIR", "nethack-3.6.7", "STAIR: place, up|down, or STAIR: (x1,y1,x2,y2), (x1,y1,x2,y2), up|down");
        known("FOR", "unnethack-6.0.4", "FOR $variable = first TO last { statements }");
        known("CASE", "unnethack-6.0.4", "CASE number: statements");
        known("FLAGS", "nethack-3.4.3", "FLAGS:flag,flag...");
        known(ASSIGNMENT, "unnethack-6.0.4", "$variable = value");
        assert_eq!(line("LOOP", "nethack-3.4.3"), None);
        assert_eq!(line("MAZE", "unnethack-6.0.4"), None);
    }
}
