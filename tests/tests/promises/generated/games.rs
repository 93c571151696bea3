//! The games that levels are generated for: all games of splc, and made-up variants that use the features of catalogs.

use std::sync::OnceLock;

use splc_ir::catalog::{self, Catalog, Catalogs, NothingBeside};
use splc_ir::diagnostic::Diagnostics;
use splc_ir::source::SourceMap;

/// Features of variants of NetHack 3.4.3: those of SLASH'EM (lists of places, regions for random places, flags of
/// objects, artifacts after doors), of dNAO (gods, keywords after places), of NetHack 4 (a second message, frozen
/// pools), and a statement and a curse keyword that no game has.
const LISTS: &str = r#"
extends = "nethack-3.4.3"
name = "made-up-lists"
title = "Made-up lists"
structures = [
    "object name:text corpse:int number:short enchantment:short x:char y:char chance:char class:char containment:char curse:char flags:long",
    "altar x:char y:char alignment:char kind:char god:int",
    "door x:char y:char state:char artifact:short",
    "room_door wall:char position:char secret:char state:char artifact:short",
    "init present:char padding:char foreground:char background:char smoothed:char joined:char light:char walled:char iced:char",
]
gods = ["", "Mitra", "_Lolth"]
artifacts = ["", "The Key"]
place_statements = ["FORGE"]
add_features = ["random_regions", "place_lists", "empty_level_regions", "hallucination_messages"]

[packing]
random_place = -12

[words.object_flag]
o_lit = 1
o_buried = 2

[words.place_check]
skipcheck = 1

[words.curse]
sanctified = 4
"#;

/// A level of [`LISTS`] with each of its forms.
const LISTS_LEVEL: &str = "MAZE:\"forms\",' '
INIT_MAP:'.','I',true,true,lit,false,true
MESSAGE:\"one\"
HALLUMSG:\"two\"
GEOMETRY:center,center
MAP
....+
.....
ENDMAP
RANDOM_PLACES:(1,1),(2,1)
RANDOM_PLACES[1]:(1,0),(2,0)
RANDOM_REGION[0]:(0,1,2,1),levregion(5,2,6,2)
MONSTER:random,random,place[0][1]
MONSTER:random,random,place[1][1]
GOLD:5,region[0]
OBJECT:random,random,(1,1)[skipcheck]
OBJFLAGS:o_lit,o_buried
OBJECT:'*',random,random,sanctified,5
DOOR:locked,(4,0),\"The Key\"
ALTAR:(1,1),chaos,shrine,\"Mitra\"
FORGE:(2,1)
BRANCH:levregion(),levregion()
";

const LISTS_WORDS: &[&str] = &[
    "HALLUMSG:",
    "RANDOM_PLACES[1]:",
    "place[1][",
    "RANDOM_REGION[0]:",
    "RANDOM_REGION[1]:",
    "region[0]",
    "OBJFLAGS:o_buried",
    "o_lit",
    "sanctified",
    "[skipcheck]",
    "\"The Key\"",
    "\"Mitra\"",
    "\"_Lolth\"",
    "FORGE:",
];

/// Features of variants of NetHack 3.6: EvilHack's materials of doors, a depth of vaults, and a statement and details
/// that no game has.
const FORGES: &str = r#"
extends = "unnethack-6.0.4"
name = "made-up-forges"
title = "Made-up forges"
add_features = ["doors_have_materials", "vault_depths"]
add_opcodes = [{ name = "place_1" }, { name = "place_2" }]
place_statements = ["FORGE", "VENT"]
add_monster_parts = [{ name = "dead", after = "seentraps", shift = true }]
add_object_parts = [{ name = "gem", after = "coord", shift = true }]

[words.flag]
windy = 1048576

[words.door_detail]
iron = 12
"#;

/// A level of [`FORGES`] with each of its forms.
const FORGES_LEVEL: &str = "LEVEL: \"forms\"
FLAGS: windy, rndvault
MINDEPTH: 5
FORGE: (2,2)
MONSTER: 'd', (1,1), dead
OBJECT: '(', (1,1), gem: 3
DOOR: iron, closed, (1,1)
ROOM: \"ordinary\", lit, random, random, random {
  ROOMDOOR: iron, false, closed, north, 1
}
";

const FORGES_WORDS: &[&str] =
    &["FORGE: ", "VENT: ", ", dead", ", gem", "DOOR: iron", "ROOMDOOR: iron", "MINDEPTH: ", "windy"];

/// Door flags as bits of the door states, as in xNetHack.
const FLAGS: &str = r#"
extends = "nethack-3.6.7"
name = "made-up-flags"
title = "Made-up flags"

[words.door_detail]
irondoor = 32
hotdoor = 64
"#;

/// A level of [`FLAGS`] with each of its forms.
const FLAGS_LEVEL: &str = "LEVEL: \"forms\"
DOOR: nodoor & irondoor, (1,1)
ROOM: \"ordinary\", lit, random, random, random {
  ROOMDOOR: false, closed & irondoor & hotdoor, north, 1
}
";

const FLAGS_WORDS: &[&str] = &["& irondoor", "& hotdoor", "DOOR: nodoor & ", "ROOMDOOR: "];

/// A made-up variant.
pub struct Variant {
    pub catalog: &'static Catalog,
    /// A level with the variant's own features.
    pub level: &'static str,
    /// The beginnings of these features.
    pub words: &'static [&'static str],
}

/// Returns the made-up variants.
pub fn variants() -> &'static [Variant] {
    static VARIANTS: OnceLock<Vec<Variant>> = OnceLock::new();
    VARIANTS.get_or_init(|| {
        let all = [
            (LISTS, LISTS_LEVEL, LISTS_WORDS),
            (FORGES, FORGES_LEVEL, FORGES_WORDS),
            (FLAGS, FLAGS_LEVEL, FLAGS_WORDS),
        ];
        all.into_iter().map(|(catalog, level, words)| Variant { catalog: loaded(catalog), level, words }).collect()
    })
}

fn loaded(text: &str) -> &'static Catalog {
    let (mut sources, mut diagnostics) = (SourceMap::new(), Diagnostics::new());
    let file = sources.add("variant.toml", None, text.as_bytes().to_vec());
    let loaded = Catalogs::default().load(&mut sources, file, &mut NothingBeside, &mut diagnostics);
    let problems: Vec<&str> = diagnostics.iter().map(|problem| problem.message.text()).collect();
    let loaded = loaded.unwrap_or_else(|| panic!("{problems:?}"));
    Box::leak(Box::new((*loaded).clone()))
}

/// Returns all games for which levels can be generated.
pub fn games() -> Vec<&'static Catalog> {
    let built_in = catalog::ALL.iter().copied().filter(|catalog| catalog.has_level_files());
    built_in.chain(variants().iter().map(|variant| variant.catalog)).collect()
}
