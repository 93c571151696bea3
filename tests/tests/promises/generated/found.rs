//! Regression tests: levels that once violated a property, found by generated levels and shrunk to a few lines.

use splc_ir::diagnostic::Diagnostics;
use splc_ir::source::SourceMap;
use splc_tests::Beside;

use super::games::games;
use super::properties::{self, Made};

/// The game of each level, and its text.
const FOUND: &[(&str, &str)] = &[
    // The random part of a region was dropped without a note in the account.
    ("made-up-lists", "MAZE:\"a\",'.'\nGEOMETRY:left,top\nMAP\n..\n..\nENDMAP\nRANDOM_REGION[0]:(0,0,0,0),(0,0,0,0)\n"),
    // The name of a god was ported to games without gods, and its place was compared.
    (
        "made-up-lists",
        "MAZE:\"a\",' '\nGEOMETRY:left,top\nMAP\n..\n.+\nENDMAP\nALTAR:(0,0),random,altar,\"Mitra\"\nDOOR:locked,(1,1),\"The Key\"\n",
    ),
    // A curse keyword of a catalog was not read back.
    (
        "made-up-lists",
        "MAZE:\"a\",' '\nGEOMETRY:left,top\nMAP\n..\n..\nENDMAP\nOBJECT:'*',random,(0,0)[skipcheck],sanctified,5\nOBJFLAGS:o_lit\n",
    ),
    // The empty ELSE of an IF at the end of another IF was read back as the other's ELSE.
    (
        "unnethack-6.0.4",
        "LEVEL: \"a\"\nIF [50%] {\n  IF [50%] {\n    MONSTER: 'a', (0,0)\n    TRAP: \"web\", (1,1)\n  } ELSE {\n  }\n}\n",
    ),
    // A material was read at a position at which the target's compiler writes none.
    ("made-up-forges", "LEVEL: \"a\"\nROOMDOOR: false, open, north, random\nMONSTER: 'a', (0,0), dead: 2\n"),
    // The orientation of a door comes from the map in a list, and from the final walls around it in a script.
    ("nethack-3.4.3", "MAZE:\"a\",random\nGEOMETRY:left,top\nMAP\n.\n.\n.\n.\n+\nENDMAP\n"),
    ("nethack-3.4.3", "MAZE:\"a\",random\nGEOMETRY:left,top\nMAP\nBS\nENDMAP\n"),
    // `filled` of a room is `unfilled` in SporkHack's numbers.
    ("nethack-3.4.3", "LEVEL:\"a\"\nROOM:\"beehive\",lit,(1,1),(left,top),(2,2),true\n"),
    // 3.4.3 gives up on stairs that are not in their room.
    ("nethack-3.4.3", "LEVEL:\"a\"\nROOM:\"ordinary\",lit,random,random,(2,2)\nSTAIR:(0,2),up\n"),
    // NOMAP without INIT_MAP is one square.
    ("nethack-3.4.3", "MAZE:\"a\",random\nNOMAP\nENGRAVING:(0,0),dust,\"\"\n"),
    ("nethack-3.4.3", "MAZE:\"a\",'C'\nNOMAP\nGOLD:5,random\n"),
    // The 3.4.3 loader stocks fewer types of rooms.
    (
        "nethack-3.4.3",
        "MAZE:\"a\",random\nGEOMETRY:left,top\nMAP\n...\n...\nENDMAP\nREGION:(0,1,0,1),lit,\"anthole\"\n",
    ),
    // SporkHack gives up if a room with subrooms finds no place.
    (
        "nethack-3.4.3",
        "LEVEL:\"a\"\nROOM:\"throne\",lit,(1,1),(left,top),(2,2)\nROOM:\"throne\",lit,(1,1),(left,top),(2,2)\nNAME:\"b\"\n\
         SUBROOM:\"throne\",lit,random,random,\"b\"\n",
    ),
    // Places do not count from a map that is not kept, and a map of one square does not count as one.
    ("nethack-3.6.7", "LEVEL: \"a\"\nGEOMETRY: center, center, false\nMAP\n...\n..\\\nENDMAP\n"),
    ("nethack-3.6.7", "LEVEL: \"a\"\nGEOMETRY: left, top, false\nMAP\n...\n..\\\nENDMAP\n"),
    ("nethack-3.6.7", "LEVEL: \"a\"\nGEOMETRY: left, top\nMAP\n\\\nENDMAP\n"),
    // The random room type covers other types in another game.
    ("nethack-3.6.7", "LEVEL: \"a\"\nREGION: (0,0,0,0), lit, random, unfilled\n"),
    // `filled` of a circle is the opposite in SporkHack's numbers.
    ("sporkhack-0.7.0", "LEVEL: \"a\"\nTERRAIN: circle((5,5), 2, filled), '.'\n"),
    // NetHack 5 fails on errors that other games ignore: a door without room, a division by 0, an invalid number.
    (
        "nethack-3.6.7",
        "LEVEL: \"a\"\nROOMDOOR: false, open, random, random\n[50%]: ROOMDOOR: false, open, random, random\n",
    ),
    ("nethack-3.6.7", "LEVEL: \"a\"\nIF [3 / (1 * 0) == 3 % 0] {\n  FOUNTAIN: (1,1)\n}\n"),
    ("unnethack-6.0.4", "LEVEL: \"a\"\nDOOR: open, circle((5,5), integer(\"\"))\nGOLD: integer(\"12 a\"), (1,1)\n"),
    ("unnethack-6.0.4", "FUNCTION f() {\n  ROOMDOOR: false, open, random, random\n}\nLEVEL: \"a\"\nf()\n"),
    // Without INIT_MAP, 3.4.3 creates a map of one square, and scripts do not.
    ("nethack-3.4.3", "MAZE:\"a\",'P'\nGEOMETRY:left,top\nMAP\n.\nENDMAP\n"),
    ("nethack-3.4.3", "MAZE:\"a\",random\nGEOMETRY:left,center\nMAP\n.\nENDMAP\n"),
    // An object in a container has a random place in 3.4.3, which gives up if there is none; scripts do not.
    (
        "nethack-3.4.3",
        "MAZE:\"a\",random\nNOMAP\nCONTAINER:'[',\"ring mail\",(59,17)\nOBJECT:random,random,contained\n",
    ),
    ("sporkhack-0.7.0", "LEVEL: \"a\"\nFLAGS: mazelevel,noflip\nMONSTER: 'S', random\n"),
    (
        "unnethack-6.0.4",
        "LEVEL: \"a\"\nFLAGS: mazelevel\nCONTAINER: '/', (13,20) {\n  OBJECT: \"detect treasure\"\n}\n",
    ),
    // The tools that are required to leave a closed area were compared.
    ("nethack-3.6.7", "LEVEL: \"a\"\nFLAGS: corrmaze,inaccessibles\nALTAR: (20,0), noalign, altar\n"),
    ("unnethack-6.0.4", "LEVEL: \"a\"\nFLAGS: inaccessibles\nALTAR: (74,5), law, random\n"),
    // The square of a drawbridge without a wall is not made hard.
    ("unnethack-6.0.4", "LEVEL: \"a\"\nFLAGS: solidify\nDRAWBRIDGE: (41,16), east, random\nNOMAP\n"),
    // The numbers of the hero's alignment and of the opposite one are specific to the game.
    ("unnethack-6.0.15", "LEVEL: \"a\"\nFLAGS: noflip\nALTAR: (77,2), coaligned, altar\n"),
    ("unnethack-6.0.15", "LEVEL: \"a\"\nFLAGS: noflip\nALTAR: (76,2), noncoaligned, sanctum\n"),
    // A place off the level, in a room and in an area.
    (
        "made-up-lists",
        "LEVEL:\"a\"\nROOM:\"food shop\",random,(1,4),(left,center),(3,7),false\nMONSTER:random,random,(13,10)\n",
    ),
    ("nethack-3.4.3", "LEVEL:\"a\"\nROOM:\"morgue\",lit,(5,5),(half-right,top),random\nOBJECT:']',random,(18,4)\n"),
    ("nethack-3.4.3", "MAZE:\"a\",random\nNOMAP\nNON_PASSWALL:(3,17,31,20)\nNON_DIGGABLE:(78,6,79,6)\n"),
    ("nethack-3.4.3", "MAZE:\"a\",'#'\nNOMAP\nREGION:(45,17,49,20),lit,\"armor shop\"\n"),
    // A throne that is an object in the other game leaves floor.
    ("nethack-3.4.3", "MAZE:\"a\",random\nGEOMETRY:right,center\nMAP\n\\..\n...\nENDMAP\nFOUNTAIN:(0,0)\n"),
    // The lava that fills a MAZE is dark.
    ("made-up-lists", "MAZE:\"a\",'L'\nGEOMETRY:left,center\nMAP\n..\n..\nENDMAP\n"),
    // SporkHack gives up on copies of variables, on some machines.
    ("sporkhack-0.7.0", "LEVEL: \"a\"\n$a = (71,5,74,12)\n$b = $a\n"),
    // 3.4.3 drops an empty line at the beginning of a message.
    ("nethack-3.4.3", "MAZE:\"a\",random\nMESSAGE:\"\"\nMESSAGE:\"\"\nGEOMETRY:left,top\nMAP\n..\nENDMAP\n"),
    // An irregular region covers the square of an object that was terrain.
    (
        "nethack-3.4.3",
        "MAZE:\"a\",random\nGEOMETRY:center,top\nMAP\n..\\.\n....\nENDMAP\n\
         REGION:(0,1,1,1),unlit,\"wand shop\",unfilled,true\n",
    ),
    // Different side effects of a statement block others: a ladder of a region, a trap of an engraving.
    (
        "nethack-3.6.7",
        "LEVEL: \"a\"\nLADDER: rndcoord(filter((' ', random), (74,2))), down\n\
         REGION: (39,11,40,18), lit, \"ring shop\", filled, irregular\n",
    ),
    (
        "sporkhack-0.7.0",
        "LEVEL: \"a\"\nFLAGS: noflip\nTRAP: \"spear\", rndcoord(fillrect (58,19,75,20))\nENGRAVING: random, engrave, \"x\"\n",
    ),
    // A trap on a ladder.
    (
        "nethack-3.4.3",
        "MAZE:\"a\",' '\nGEOMETRY:left,top\nMAP\n..\n..\nENDMAP\nTRAP[100%]:\"fire\",(1,1)\nLADDER:(1,1),up\n",
    ),
    // Walls of caves in a level of rooms.
    ("nethack-3.4.3", "LEVEL:\"a\"\nINIT_MAP:'-','A',false,false,lit,true\n"),
    // A register without a value creates a random object, whatever name is written next to it.
    (
        "made-up-lists",
        "MAZE:\"a\",'W'\nGEOMETRY:left,center\nMAP\n...\n...\nENDMAP\nOBJECT:object[2],\"bag of tricks\",(0,0)\n",
    ),
    // Of several parts, the first sets the arrival place in a list, the last in a script.
    (
        "nethack-3.4.3",
        "MAZE:\"a\",random\nGEOMETRY:half-left,center\nMAP\n........\nENDMAP\nTELEPORT_REGION:(1,0,2,0),(4,0,4,0),down\n\
         GEOMETRY:half-right,center\nMAP\n......\nENDMAP\nTELEPORT_REGION:(1,0,2,0),(3,0,3,0)\n",
    ),
    (
        "unnethack-6.0.4",
        "LEVEL: \"a\"\nFLAGS: mazelevel,noflip\nINIT_MAP: solidfill, ' '\nGEOMETRY: half-left, center\nMAP\n........\nENDMAP\n\
         TELEPORT_REGION: (1,0,2,0), (4,0,4,0)\nGEOMETRY: half-right, center\nMAP\n......\nENDMAP\n\
         TELEPORT_REGION: (1,0,2,0), (3,0,3,0), down\n",
    ),
    // A ladder may occupy the only free square of a part.
    (
        "nethack-3.4.3",
        "MAZE:\"a\",'}'\nGEOMETRY:center,top\nMAP\nH\nS\n.\nENDMAP\nMONSTER:random,random,random\nLADDER:(0,2),down\n",
    ),
    // A corner of an area that is off the level.
    (
        "unnethack-6.0.4",
        "LEVEL: \"a\"\nFLAGS: mazelevel,noflip\nNON_DIGGABLE: (79,0,79,2)\nNON_PASSWALL: (70,3,79,5)\n",
    ),
    // grow() reaches the first column in one game.
    ("nethack-3.6.7", "LEVEL: \"a\"\nFLAGS: inaccessibles\nTERRAIN: grow(filter(49%, (0,0))), '.'\n"),
    // NetHack 5 finds no square in an empty selection or outside the map, and fails.
    (
        "nethack-3.6.6",
        "LEVEL: \"a\"\nGEOMETRY: left, top\nMAP\n..\n..\nENDMAP\nTERRAIN: rndcoord(filter(0%, (0,0))), ('.', random)\n\
         $a = rndcoord(filter('L', fillrect (0,0,1,1)))\n$b = { random, (1,1) }\nDOOR: open, $a\nMAZEWALK: $b[1d2], east\n",
    ),
    // A computed place is a table in Lua, which cannot be indexed directly.
    ("unnethack-6.0.15", "LEVEL: \"a\"\nFOUNTAIN: line (0,0) - coord(1, 1) & floodfill coord(1, 1)\n"),
    // A quotient was evaluated twice, so its draws were taken twice.
    ("sporkhack-0.7.0", "LEVEL: \"a\"\nOBJECT: '*', coord(1, 5 + (-1) / 1d2)\n"),
    // A random monster of a statue is nil in Lua.
    ("nethack-3.6.6", "LEVEL: \"a\"\n$a = monster: { random, \"newt\" }\nOBJECT: \"statue\", (1,1), montype: $a[0]\n"),
    // A room remains active after a map that is created in it.
    (
        "nethack-3.6.7",
        "LEVEL: \"a\"\nREGION: (0,0,0,0), lit, random, filled, irregular {\n  GEOMETRY: left, top\nMAP\n.\n.\nENDMAP\n  ROOMDOOR: false, open, random, random\n}\n",
    ),
    // Regions are clipped to the last map that was read, which may be in a FUNCTION that no level file contains.
    (
        "sporkhack-0.7.0",
        "LEVEL: \"a\"\nFUNCTION f() {\n  INIT_MAP: solidfill, ('.', lit)\n}\nSTAIR: (0,0,0,1), (0,0,0,0), up\n",
    ),
    // A number after a door with a random state was printed and then rejected.
    (
        "made-up-lists",
        "MAZE:\"a\",random\nGEOMETRY:left,top\nMAP\n...S\nENDMAP\nDOOR:random,(3,0),0\nDOOR:random,random,0\nDOOR:random,(3,0),\"The Key\"\n",
    ),
    ("made-up-lists", "LEVEL:\"a\"\nROOM:\"ordinary\",lit,random,random,random\nDOOR:random,random,north,0,0\n"),
    // Door flags are bits of the states, and were not read back.
    (
        "made-up-flags",
        "LEVEL: \"a\"\nDOOR: nodoor & irondoor, (1,1)\nDOOR: nodoor & hotdoor, (1,3)\nDOOR: locked & irondoor & hotdoor, (1,2)\nROOM: \"ordinary\", lit, random, random, random {\n\
         ROOMDOOR: true, closed & hotdoor, north | west, 1\n}\n",
    ),
    // The element of an array as the end of a FOR was not read back.
    ("nethack-3.6.7", "LEVEL: \"a\"\n$a = { 0, 3 }\nFOR $b = $a[0] TO $a[1] {\n  MESSAGE: \"b\"\n}\n"),
    // The content of an object that becomes terrain was dropped silently.
    (
        "sporkhack-0.7.0",
        "LEVEL: \"a\"\nROOM: \"ordinary\", lit, random, random, random {\n  CONTAINER: ('\\', \"throne\"), (0,0) {\n    OBJECT: ']'\n  }\n}\n",
    ),
    // A map placed on an empty selection made NetHack 5 fail.
    ("nethack-3.6.7", "LEVEL: \"a\"\nGEOMETRY: rndcoord(filter(circle((0,12), 0), (0,0)))\nMAP\n...\n...\nENDMAP\n"),
    // An IF with only an ELSE was mistaken for a BREAK, although the BREAK of the outer SWITCH was present.
    (
        "nethack-3.6.7",
        "LEVEL: \"a\"\nSWITCH [2] {\n  DEFAULT:\n    MESSAGE: \"b\"\n    BREAK\n  CASE 1:\n    CONTAINER: '(', random {\n      \
         IF [0] {\n      } ELSE {\n        OBJECT: ']'\n      }\n    }\n}\n",
    ),
    (
        "unnethack-6.0.4",
        "LEVEL: \"a\"\nREGION: (0,0,0,0), lit, \"ordinary\" {\n  IF [1 + 0] {\n  } ELSE {\n    SWITCH [0] {\n      CASE 0:\n        \
         BREAK\n    }\n  }\n}\n",
    ),
];

/// The properties to check them against.
const PROPERTIES: [&str; 5] = [
    "printed_levels_are_parsed",
    "raised_levels_are_the_same",
    "ported_levels_are_valid",
    "differences_after_a_port_are_named",
    "levels_ported_to_lua_run",
];

#[test]
fn regressions_stay_fixed() {
    for (game, text) in FOUND {
        let catalog = games().into_iter().find(|catalog| catalog.name == *game).expect("it is one of the games");
        let (mut sources, mut diagnostics) = (SourceMap::new(), Diagnostics::new());
        let file = sources.add("found.des", None, text.as_bytes().to_vec());
        let mut module = splc_frontends::parse(&mut sources, file, catalog, &mut Beside, &mut diagnostics);
        splc_ir::check::check(&mut module, catalog, &mut diagnostics);
        let messages: Vec<&str> = diagnostics.iter().map(|problem| problem.message.text()).collect();
        assert!(!diagnostics.has_errors(), "{game}: {messages:?}\n{text}");
        let made = Made { catalog, module };
        for (name, property) in properties::ALL.iter().filter(|(name, _)| PROPERTIES.contains(name)) {
            if let Err(failed) = property(&made) {
                panic!("{game}: {name}: {failed}\n{text}");
            }
        }
    }
}
