//! Levels in which a property did not hold once: what made-up levels have found, shrunk to a few lines.

use splc_ir::diagnostic::Diagnostics;
use splc_ir::source::SourceMap;
use splc_tests::Beside;

use crate::games::games;
use crate::properties::{self, Made};

/// The game of each level, and its text.
const FOUND: &[(&str, &str)] = &[
    // What is random about a region stood there without a word.
    ("made-up-lists", "MAZE:\"a\",'.'\nGEOMETRY:left,top\nMAP\n..\n..\nENDMAP\nRANDOM_REGION[0]:(0,0,0,0),(0,0,0,0)\n"),
    // The name of a god went to games without gods, and its place was part of what was compared.
    (
        "made-up-lists",
        "MAZE:\"a\",' '\nGEOMETRY:left,top\nMAP\n..\n.+\nENDMAP\nALTAR:(0,0),random,altar,\"Mitra\"\nDOOR:locked,(1,1),\"The Key\"\n",
    ),
    // A curse word that the catalog adds was not read back.
    (
        "made-up-lists",
        "MAZE:\"a\",' '\nGEOMETRY:left,top\nMAP\n..\n..\nENDMAP\nOBJECT:'*',random,(0,0)[skipcheck],sanctified,5\nOBJFLAGS:o_lit\n",
    ),
    // The empty ELSE of an IF at the end of another was read back as that of the other.
    (
        "unnethack-6.0.4",
        "LEVEL: \"a\"\nIF [50%] {\n  IF [50%] {\n    MONSTER: 'a', (0,0)\n    TRAP: \"web\", (1,1)\n  } ELSE {\n  }\n}\n",
    ),
    // A material was looked for where the target's compiler puts none.
    ("made-up-forges", "LEVEL: \"a\"\nROOMDOOR: false, open, north, random\nMONSTER: 'a', (0,0), dead: 2\n"),
    // A door of a list lies as its map has it, that of a script as the walls around it say at the end.
    ("nethack-3.4.3", "MAZE:\"a\",random\nGEOMETRY:left,top\nMAP\n.\n.\n.\n.\n+\nENDMAP\n"),
    ("nethack-3.4.3", "MAZE:\"a\",random\nGEOMETRY:left,top\nMAP\nBS\nENDMAP\n"),
    // `filled` of a room is `unfilled` in SporkHack's numbers.
    ("nethack-3.4.3", "LEVEL:\"a\"\nROOM:\"beehive\",lit,(1,1),(left,top),(2,2),true\n"),
    // 3.4.3 gives up on stairs that are not in their room.
    ("nethack-3.4.3", "LEVEL:\"a\"\nROOM:\"ordinary\",lit,random,random,(2,2)\nSTAIR:(0,2),up\n"),
    // NOMAP without INIT_MAP is one square.
    ("nethack-3.4.3", "MAZE:\"a\",random\nNOMAP\nENGRAVING:(0,0),dust,\"\"\n"),
    ("nethack-3.4.3", "MAZE:\"a\",'C'\nNOMAP\nGOLD:5,random\n"),
    // Its loader stocks fewer kinds of rooms.
    (
        "nethack-3.4.3",
        "MAZE:\"a\",random\nGEOMETRY:left,top\nMAP\n...\n...\nENDMAP\nREGION:(0,1,0,1),lit,\"anthole\"\n",
    ),
    // SporkHack gives up where a room with rooms in it finds no place.
    (
        "nethack-3.4.3",
        "LEVEL:\"a\"\nROOM:\"throne\",lit,(1,1),(left,top),(2,2)\nROOM:\"throne\",lit,(1,1),(left,top),(2,2)\nNAME:\"b\"\n\
         SUBROOM:\"throne\",lit,random,random,\"b\"\n",
    ),
    // Places count from elsewhere than a map that is not kept, and a map of one square is none.
    ("nethack-3.6.7", "LEVEL: \"a\"\nGEOMETRY: center, center, false\nMAP\n...\n..\\\nENDMAP\n"),
    ("nethack-3.6.7", "LEVEL: \"a\"\nGEOMETRY: left, top, false\nMAP\n...\n..\\\nENDMAP\n"),
    ("nethack-3.6.7", "LEVEL: \"a\"\nGEOMETRY: left, top\nMAP\n\\\nENDMAP\n"),
    // A room of a random type is one of other types in another game.
    ("nethack-3.6.7", "LEVEL: \"a\"\nREGION: (0,0,0,0), lit, random, unfilled\n"),
    // `filled` of a circle is the opposite in the numbers of SporkHack.
    ("sporkhack-0.7.0", "LEVEL: \"a\"\nTERRAIN: circle((5,5), 2, filled), '.'\n"),
    // NetHack 5 ends at what other games pass over: a door of no room, a division by 0, a number that is no number.
    (
        "nethack-3.6.7",
        "LEVEL: \"a\"\nROOMDOOR: false, open, random, random\n[50%]: ROOMDOOR: false, open, random, random\n",
    ),
    ("nethack-3.6.7", "LEVEL: \"a\"\nIF [3 / (1 * 0) == 3 % 0] {\n  FOUNTAIN: (1,1)\n}\n"),
    ("unnethack-6.0.4", "LEVEL: \"a\"\nDOOR: open, circle((5,5), integer(\"\"))\nGOLD: integer(\"12 a\"), (1,1)\n"),
    ("unnethack-6.0.4", "FUNCTION f() {\n  ROOMDOOR: false, open, random, random\n}\nLEVEL: \"a\"\nf()\n"),
    // Without INIT_MAP, 3.4.3 lays a map of one square, and scripts do not.
    ("nethack-3.4.3", "MAZE:\"a\",'P'\nGEOMETRY:left,top\nMAP\n.\nENDMAP\n"),
    ("nethack-3.4.3", "MAZE:\"a\",random\nGEOMETRY:left,center\nMAP\n.\nENDMAP\n"),
    // What is in a container has a random place in 3.4.3, which gives up where there is none; scripts do not.
    (
        "nethack-3.4.3",
        "MAZE:\"a\",random\nNOMAP\nCONTAINER:'[',\"ring mail\",(59,17)\nOBJECT:random,random,contained\n",
    ),
    ("sporkhack-0.7.0", "LEVEL: \"a\"\nFLAGS: mazelevel,noflip\nMONSTER: 'S', random\n"),
    (
        "unnethack-6.0.4",
        "LEVEL: \"a\"\nFLAGS: mazelevel\nCONTAINER: '/', (13,20) {\n  OBJECT: \"detect treasure\"\n}\n",
    ),
    // With which tools somebody gets out who cannot otherwise was compared.
    ("nethack-3.6.7", "LEVEL: \"a\"\nFLAGS: corrmaze,inaccessibles\nALTAR: (20,0), noalign, altar\n"),
    ("unnethack-6.0.4", "LEVEL: \"a\"\nFLAGS: inaccessibles\nALTAR: (74,5), law, random\n"),
    // The square of a drawbridge without a wall is not made hard.
    ("unnethack-6.0.4", "LEVEL: \"a\"\nFLAGS: solidify\nDRAWBRIDGE: (41,16), east, random\nNOMAP\n"),
    // The numbers of the hero's alignment, and of another one, are the game's own.
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
    // An empty line at the beginning of a message is not there in 3.4.3.
    ("nethack-3.4.3", "MAZE:\"a\",random\nMESSAGE:\"\"\nMESSAGE:\"\"\nGEOMETRY:left,top\nMAP\n..\nENDMAP\n"),
    // An irregular region goes over the square of an object that was terrain.
    (
        "nethack-3.4.3",
        "MAZE:\"a\",random\nGEOMETRY:center,top\nMAP\n..\\.\n....\nENDMAP\n\
         REGION:(0,1,1,1),unlit,\"wand shop\",unfilled,true\n",
    ),
    // What a statement makes otherwise is in the way of others: a ladder of a region, a trap of an engraving.
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
    // A register that nothing was put into makes any object, whatever name stands beside it.
    (
        "made-up-lists",
        "MAZE:\"a\",'W'\nGEOMETRY:left,center\nMAP\n...\n...\nENDMAP\nOBJECT:object[2],\"bag of tricks\",(0,0)\n",
    ),
    // Of several parts, the first says where one arrives, in a list; in a script, the last.
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
    // A ladder may take the only square of a part that is free.
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
    // NetHack 5 has no square where a selection is empty, or beside the map, and ends there.
    (
        "nethack-3.6.6",
        "LEVEL: \"a\"\nGEOMETRY: left, top\nMAP\n..\n..\nENDMAP\nTERRAIN: rndcoord(filter(0%, (0,0))), ('.', random)\n\
         $a = rndcoord(filter('L', fillrect (0,0,1,1)))\n$b = { random, (1,1) }\nDOOR: open, $a\nMAZEWALK: $b[1d2], east\n",
    ),
    // A place that is computed is a table in Lua, which has no fields as it stands.
    ("unnethack-6.0.15", "LEVEL: \"a\"\nFOUNTAIN: line (0,0) - coord(1, 1) & floodfill coord(1, 1)\n"),
    // A quotient is asked for twice, and what was drawn in it was drawn twice.
    ("sporkhack-0.7.0", "LEVEL: \"a\"\nOBJECT: '*', coord(1, 5 + (-1) / 1d2)\n"),
    // The monster of a statue may be any, which is nothing in Lua.
    ("nethack-3.6.6", "LEVEL: \"a\"\n$a = monster: { random, \"newt\" }\nOBJECT: \"statue\", (1,1), montype: $a[0]\n"),
    // A room stays around behind a map that is made in it.
    (
        "nethack-3.6.7",
        "LEVEL: \"a\"\nREGION: (0,0,0,0), lit, random, filled, irregular {\n  GEOMETRY: left, top\nMAP\n.\n.\nENDMAP\n  ROOMDOOR: false, open, random, random\n}\n",
    ),
    // Regions are held to the last map that was read, which may be in a FUNCTION that no level file has.
    (
        "sporkhack-0.7.0",
        "LEVEL: \"a\"\nFUNCTION f() {\n  INIT_MAP: solidfill, ('.', lit)\n}\nSTAIR: (0,0,0,1), (0,0,0,0), up\n",
    ),
    // A number behind a door of a random state was printed and then refused.
    (
        "made-up-lists",
        "MAZE:\"a\",random\nGEOMETRY:left,top\nMAP\n...S\nENDMAP\nDOOR:random,(3,0),0\nDOOR:random,random,0\nDOOR:random,(3,0),\"The Key\"\n",
    ),
    ("made-up-lists", "LEVEL:\"a\"\nROOM:\"ordinary\",lit,random,random,random\nDOOR:random,random,north,0,0\n"),
    // Flags of doors are bits of their states, and were not read back.
    (
        "made-up-flags",
        "LEVEL: \"a\"\nDOOR: nodoor & irondoor, (1,1)\nDOOR: nodoor & hotdoor, (1,3)\nDOOR: locked & irondoor & hotdoor, (1,2)\nROOM: \"ordinary\", lit, random, random, random {\n\
         ROOMDOOR: true, closed & hotdoor, north | west, 1\n}\n",
    ),
    // The element of an array as the end of a FOR was not read back.
    ("nethack-3.6.7", "LEVEL: \"a\"\n$a = { 0, 3 }\nFOR $b = $a[0] TO $a[1] {\n  MESSAGE: \"b\"\n}\n"),
    // What was in an object that is terrain went without a word.
    (
        "sporkhack-0.7.0",
        "LEVEL: \"a\"\nROOM: \"ordinary\", lit, random, random, random {\n  CONTAINER: ('\\', \"throne\"), (0,0) {\n    OBJECT: ']'\n  }\n}\n",
    ),
    // A map at one of no squares ended NetHack 5.
    ("nethack-3.6.7", "LEVEL: \"a\"\nGEOMETRY: rndcoord(filter(circle((0,12), 0), (0,0)))\nMAP\n...\n...\nENDMAP\n"),
    // An IF with nothing but an ELSE was taken for a BREAK, though that of the SWITCH around was not forgotten.
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

/// The properties that they are held against.
const PROPERTIES: [&str; 5] = [
    "what_is_printed_is_parsed",
    "what_is_raised_is_the_same",
    "what_is_ported_is_good",
    "what_differs_after_a_port_is_named",
    "what_is_ported_to_lua_runs",
];

#[test]
fn what_was_found_is_mended() {
    for (game, text) in FOUND {
        let catalog = games().into_iter().find(|catalog| catalog.name == *game).expect("it is one of the games");
        let (mut sources, mut diagnostics) = (SourceMap::new(), Diagnostics::new());
        let file = sources.add("found.des", None, text.as_bytes().to_vec());
        let mut module = splc_frontends::parse(&mut sources, file, catalog, &mut Beside, &mut diagnostics);
        splc_ir::check::check(&mut module, catalog, &mut diagnostics);
        let messages: Vec<&str> = diagnostics.iter().map(|problem| problem.message.as_ref()).collect();
        assert!(!diagnostics.has_errors(), "{game}: {messages:?}\n{text}");
        let made = Made { catalog, module };
        for (name, property) in properties::ALL.iter().filter(|(name, _)| PROPERTIES.contains(name)) {
            if let Err(failed) = property(&made) {
                panic!("{game}: {name}: {failed}\n{text}");
            }
        }
    }
}
