//! Common beginners' mistakes, and the exact messages for them.

use splc_ir::diagnostic::Severity;

use super::compile;

/// Returns a maze with these lines after its map.
fn maze(lines: &str) -> String {
    format!(
        "MAZE:\"test\",' '\nGEOMETRY:center,center\nMAP\n-----+----\n|........|\n|........|\n|........|\n----------\nENDMAP\n{lines}\n"
    )
}

/// Returns a level of rooms with these lines in its room.
fn rooms(lines: &str) -> String {
    format!("LEVEL:\"test\"\nROOM:\"ordinary\",lit,random,random,random\n{lines}\nRANDOM_CORRIDORS\n")
}

/// Expects these messages, one line each: `LINE: message (label) [note] -> help`. Lints that are off are ignored.
#[track_caller]
fn assert_said(source: &str, expected: &[&str]) {
    let said: Vec<String> = compile(source.as_bytes(), "lp64le")
        .diagnostics
        .into_iter()
        .filter(|(_, diagnostic)| diagnostic.code.lint() != splc_ir::diagnostic::Lint::Allow)
        .map(|(line, diagnostic)| {
            let kind = if diagnostic.severity == Severity::Error { "error" } else { "warning" };
            let mut text = format!("{line}: {kind}: {}", diagnostic.message);
            if !diagnostic.label.is_empty() {
                text += &format!(" ({})", diagnostic.label);
            }
            for label in &diagnostic.labels {
                text += &format!(" ({})", label.message);
            }
            for note in &diagnostic.notes {
                text += &format!(" [{note}]");
            }
            if let Some(help) = &diagnostic.help {
                text += &format!(" -> {help}");
            }
            text
        })
        .collect();
    assert_eq!(said, expected);
}

#[test]
fn class_in_double_quotes() {
    assert_said(
        &maze("MONSTER:\"@\",\"human\",(2,2)"),
        &["10: error: the class of MONSTER is in double quotes -> write a class as one character in single quotes: \
             '@'"],
    );
}

#[test]
fn name_with_the_prefix_of_its_class() {
    assert_said(
        &maze("OBJECT:'!',\"potion of invisibility\",(2,2)"),
        &["10: warning: unknown object \"potion of invisibility\" of class '!' (becomes a random object) -> '!' is \
             already the class: write \"invisibility\" alone"],
    );
}

#[test]
fn quantity_in_a_name() {
    assert_said(
        &maze("OBJECT:'(',\"7 wax candles\",(2,2)"),
        &["10: warning: unknown object \"7 wax candles\" of class '(' (becomes a random object) -> write \"wax \
             candle\" once for each object: OBJECT has no quantity"],
    );
}

#[test]
fn corpse_without_enchantment() {
    assert_said(
        &maze("OBJECT:'%',\"corpse\",(2,2),\"giant ant\"\nTRAP:\"pit\",(2,2)"),
        &["10: error: the enchantment is missing after this (the monster of the corpse or statue) -> write an \
             enchantment, even for a corpse: `\"giant ant\",0`"],
    );
}

#[test]
fn gold_as_an_object() {
    assert_said(
        &maze("OBJECT:'$',\"gold\",(2,2)"),
        &["10: warning: unknown object \"gold\" of class '$' (becomes a random object) -> use the GOLD statement: \
             `GOLD:amount,place`, e.g. `GOLD:100,(3,4)`"],
    );
}

#[test]
fn region_without_light() {
    assert_said(
        &maze("REGION:(1,1,8,3),\"ordinary\""),
        &["10: error: REGION without a light state -> write `lit`, `unlit` or `random` first: \
           `REGION:(x1,y1,x2,y2),lit,\"ordinary\"`"],
    );
}

#[test]
fn row_numbers_at_the_end_of_map_lines() {
    assert_said(
        "MAZE:\"test\",' '\nGEOMETRY:center,center\nMAP\n-----   1\n|...|   2\n-----   3\nENDMAP\n",
        &["4: warning: the row number leaves blanks at the end of this map line (blanks make the map 3 columns \
             wider) [digits in a map number its lines and are dropped; the blanks before them are not] -> remove the \
             row number and the blanks before it"],
    );
}

#[test]
fn row_numbers_next_to_the_map_are_accepted() {
    assert_said("MAZE:\"test\",' '\nGEOMETRY:center,center\nMAP\n1-----1\n2|...|2\n3-----\nENDMAP\n", &[]);
}

#[test]
fn blanks_at_the_end_of_a_map_line() {
    let row = format!("|...|{}", " ".repeat(75));
    assert_said(
        &format!("MAZE:\"test\",' '\nGEOMETRY:center,center\nMAP\n-----\n{row}\n-----\nENDMAP\n"),
        &[
            "5: error: the map is too large: too wide (80 columns) [a map has at most 76 columns and 21 rows] -> remove the \
             75 columns of blanks at the end of the line",
        ],
    );
}

#[test]
fn semicolon_for_colon() {
    assert_said(
        &maze("MONSTER;'@',\"human\",(2,2)"),
        &["10: error: expected `:`, found `;` -> write a colon after the keyword: `MONSTER:`"],
    );
}

#[test]
fn trailing_comma() {
    assert_said(
        &maze("MONSTER:'@',\"human\",(2,2),\nTRAP:\"pit\",(2,2)"),
        &["10: error: nothing follows this comma -> remove it"],
    );
}

#[test]
fn keyword_in_lower_case() {
    assert_said(
        &maze("monster:'@',\"human\",(2,2)\nTrap:\"pit\",(2,2)"),
        &[
            "10: error: `monster` is not a statement: keywords are in capitals -> write MONSTER",
            "11: error: `Trap` is not a statement: keywords are in capitals -> write TRAP",
        ],
    );
}

#[test]
fn value_in_upper_case() {
    assert_said(
        &maze("MONSTER:'@',\"human\",Random"),
        &["10: error: unknown keyword `Random`: values are in lower case -> write random"],
    );
}

#[test]
fn shop_without_a_door() {
    assert_said(
        &maze("REGION:(1,1,3,3),lit,\"shop\""),
        &["10: warning: this shop has no door [the game puts the shopkeeper next to the only door; without a door \
             there is no shop] -> draw one `+` or `S` in the walls around the region, and describe it with DOOR"],
    );
    assert_said(&maze("REGION:(1,1,8,3),lit,\"shop\"\nDOOR:closed,(5,0)"), &[]);
    assert_said(
        "LEVEL:\"test\"\nROOM:\"candle shop\",lit,random,random,random\n",
        &["2: warning: this shop has no door [the game puts the shopkeeper next to the only door; without a door \
             there is no shop] -> add one `DOOR:secret,state,wall,position`, e.g. `DOOR:false,nodoor,south,random`"],
    );
}

#[test]
fn contained_object_before_its_container() {
    assert_said(
        &maze("OBJECT:'!',random,contained\nCONTAINER:'(',\"chest\",(2,2)"),
        &["10: warning: no CONTAINER before this `contained` object -> write its CONTAINER before it, as in \
           CONTAINER:'(',\"chest\",(x,y)"],
    );
    assert_said(
        &rooms("OBJECT:'!',random,contained\nCONTAINER:'(',\"chest\",(2,2)"),
        &["3: warning: no CONTAINER before this `contained` object [NetHack 3.4.3 creates the objects of a room in \
           the order in which they are written; guides for older games, which created them from last to first, put \
           `contained` before its container] -> move the CONTAINER before it, in the same room"],
    );
    assert_said(&rooms("CONTAINER:'(',\"chest\",(2,2)\nOBJECT:'!',random,contained"), &[]);
}

#[test]
fn more_than_ten_registers() {
    assert_said(
        "MAZE:\"test\",' '\nNOMAP\nRANDOM_MONSTERS:'a','b','c','d','e','f','g','h','i','j','k'\n\
         MONSTER:monster[10],random,random\nRANDOM_MONSTERS:'l'\n",
        &[
            "3: error: RANDOM_MONSTERS has more than 10 registers (this is number 11) -> use at most 10 registers in \
             RANDOM_MONSTERS, numbered from 0 to 9",
            "4: error: monster[10] does not exist -> use monster[0] to monster[9]",
            "5: error: registers must be set at the beginning of a part -> move the RANDOM_ lines to directly after \
             NOMAP or ENDMAP",
            "5: error: duplicate RANDOM_MONSTERS (first given here) -> write all registers in one list",
        ],
    );
}

#[test]
fn unset_registers() {
    assert_said(
        "MAZE:\"test\",' '\nNOMAP\nRANDOM_OBJECTS:'(','['\nOBJECT:object[2],random,place[0]\nTRAP:\"pit\",place[1]\n",
        &[
            "4: warning: object[2] is not set by RANDOM_OBJECTS (sets object[0] to object[1]) -> use object[0] to \
             object[1], or add a value to RANDOM_OBJECTS",
            "4: warning: place[0] is not set by RANDOM_PLACES -> write a RANDOM_PLACES at the beginning of the part",
        ],
    );
}

#[test]
fn more_than_127_things_of_one_type() {
    let monsters = "MONSTER:'a',random,random\n".repeat(130);
    assert_said(
        &format!("MAZE:\"test\",' '\nNOMAP\n{monsters}"),
        &["130: error: more than 127 monsters in one part (this is number 128) -> begin another part with NOMAP: \
             its places count from the corner of the level"],
    );
    let monsters = "MONSTER:'a',random,random\n".repeat(127);
    assert_said(&format!("MAZE:\"test\",' '\nNOMAP\n{monsters}"), &[]);
}

#[test]
fn statement_of_a_script() {
    assert_said(
        &maze("MONSTER:('v',\"dust vortex\"),(0,4)\n$place = (1,2)\nIF [50%] {\nTRAP:\"pit\",(2,2)\n}\nIF [5%] {\n}"),
        &[
            "10: error: the class and name of MONSTER take no parentheses in NetHack 3.4.3 (only in NetHack 3.6, \
             UnNetHack and SporkHack) -> write `MONSTER:'v',\"dust vortex\",(0,4)`",
            "11: error: NetHack 3.4.3 has no variables (only in later games) -> use the `--dialect` of that game, \
             or write the level without it",
            "12: error: NetHack 3.4.3 has no IF (only in NetHack 3.6, UnNetHack and SporkHack) -> use the \
             `--dialect` of that game, or write the chance before the colon of each of its statements, as in \
             MONSTER[50%]:",
        ],
    );
}

#[test]
fn statements_in_the_wrong_kind_of_level() {
    assert_said(
        &maze("DOOR:false,closed,north,random\nSINK:(1,1)\nROOM:\"ordinary\",lit,random,random,random"),
        &[
            "10: error: this DOOR is written as in a ROOM, but the level is a map -> write DOOR:closed,(5,0), with the \
             place of a `+` or `S` of the map",
            "11: error: SINK in a level of maps -> draw the sink in the map as `K`",
        ],
    );
    assert_said(
        &rooms("DOOR:closed,(1,1)\nLADDER:(1,1),up"),
        &[
            "3: error: this DOOR is written as for a map -> write the door of a room as \
             `DOOR:secret,state,wall,position`, e.g. `DOOR:false,closed,north,random`",
            "4: error: LADDER in a level of rooms -> use it only in a level of maps (MAZE)",
        ],
    );
}

#[test]
fn door_of_a_script() {
    assert_said(
        &rooms("ROOMDOOR:false,closed,north,random"),
        &["3: error: NetHack 3.4.3 has no ROOMDOOR (only in NetHack 3.6, UnNetHack and SporkHack) -> write the \
           door of a room with DOOR: `DOOR:false,closed,north,random`"],
    );
}

#[test]
fn invalid_maps() {
    let help = "write MAP alone on its line, in the first column, then the rows, then ENDMAP";
    assert_said(
        "MAZE:\"test\",' '\nGEOMETRY:center,center\n MAP\n...\n...\nENDMAP\nTRAP:\"pit\",(1,1)\n",
        &["3: error: MAP must begin in the first column (this GEOMETRY needs a map) -> remove the blanks before it"],
    );
    assert_said(
        "MAZE:\"test\",' '\nGEOMETRY:center,center\nMPA\n...\nENDMAP\n",
        &[&format!("3: error: expected MAP after GEOMETRY, found `MPA` (this GEOMETRY needs a map) -> {help}")],
    );
    assert_said(
        "MAZE:\"test\",' '\nGEOMETRY:center,center\nMAP\n.\t.\n.,.\nTRAP:\"pit\",(1,1)\n",
        &[
            "4: error: a tab is not a map character -> write the spaces that it was meant as",
            "5: error: `,` is not a map character -> use the map characters -|}{+ABCISHKPLWTF\\#. and the space, \
             or digits to number the lines, and close the map with ENDMAP",
            "6: error: ENDMAP is missing before this statement (the map begins here) -> close the map with a line \
             ENDMAP",
        ],
    );
    assert_said(
        "MAZE:\"test\",' '\nGEOMETRY:center,center\nMAP\n...\nTRAP:\"pit\",(1,1)\n...\nENDMAP\n",
        &["5: error: a statement in a map (the map begins here and continues after the statement) -> move statements \
           after ENDMAP"],
    );
    assert_said(
        "MAZE:\"test\",' '\nMAP\n...\nENDMAP\n",
        &["2: error: MAP without GEOMETRY before it -> write the position first, e.g. `GEOMETRY:center,center`"],
    );
}

#[test]
fn strings_and_comments() {
    assert_said(
        &maze("TRAP:\"pit,(2,2)\nTRAP:\"pit\",(2,2)"),
        &["10: error: this string is not closed (begins here) -> write \"pit\""],
    );
    assert_said(
        &maze("TRAP:\"pit\",(2,2) # a pit"),
        &["10: error: a comment must begin in the first column -> move it to its own line, with the `#` in the first \
           column"],
    );
    assert_said(
        "MAZE:\"test\",' '\nNOMAP\n# the end",
        &["3: error: this comment has no line end -> end the file with a line end"],
    );
}

#[test]
fn all_independent_errors_are_reported() {
    assert_said(
        &maze("MONSTER:'a' \"soldier ant\",(1,1)\nTRAP:\"pot\",(1,1)\nDOOR:closed,(1,1)\nOBJECT:'x',random,(99,1)"),
        &[
            "10: error: missing comma before this value -> separate values with commas",
            "11: error: unknown trap \"pot\" -> did you mean \"pit\"?",
            "12: error: this door does not match the map (the map has no `+` or `S` at (1,1)) -> draw the door in the \
             map, which DOOR only describes, or correct the place",
            "13: error: no class of objects has the symbol 'x' -> use one of the classes of objects: \
             ])[=\"(%!?+/$*`0_.",
            "13: error: this place is outside the map (the map goes from (0,0) to (9,4)) -> count columns and rows \
             from the upper left corner of the part's map, (0,0); the column comes first",
        ],
    );
}

#[test]
fn a_part_without_a_map_after_one_with_a_map() {
    // The game's compiler still uses the previous map.
    let after = |statement: &str| maze(&format!("NOMAP\n{statement}"));
    assert_said(&after("DOOR:closed,(5,0)"), &[]);
    assert_said(
        &after("DOOR:closed,(1,1)"),
        &["11: error: this door does not match the map (the map has no `+` or `S` at (1,1)) -> draw the door in the \
             map, which DOOR only describes, or correct the place"],
    );
    assert_said(&after("REGION:(1,1,3,3),lit,\"ordinary\",unfilled,true"), &[]);
    assert_said(
        "MAZE:\"test\",' '\nNOMAP\nTRAP:\"pit\",(3,2)\nTRAP:\"pit\",(3,3)\nTRAP:\"pit\",random\n",
        &["3: warning: the game's own compiler crashes on a fixed place in a level without a MAP (splc compiles the \
             level as written) -> draw a map or write random for the place, so that other compilers can compile the \
             level"],
    );
}

/// The game's compiler keeps the previous map (NetHack 3.4.3, lev_comp.y: `tmpmap`).
#[test]
fn a_drawbridge_of_a_part_without_a_map_uses_the_previous_map() {
    let castle = "MAZE:\"test\",' '\nGEOMETRY:center,center\nMAP\n}}}}}\n}---}\n}|.|}\n}---}\n}}}}}\nENDMAP\nNOMAP\n";
    assert_said(&format!("{castle}DRAWBRIDGE:(0,2),east,closed\n"), &[]);
    assert_said(
        &format!("{castle}DRAWBRIDGE:(0,2),west,closed\n"),
        &["11: error: a DRAWBRIDGE needs a MAP (this part begins with NOMAP) [the game's own compiler reads a \
             missing map here and crashes] -> draw the part with GEOMETRY and MAP"],
    );
}
