//! `splc run --solve`: solutions are walked on the map by rules of their own.

use super::*;

/// A puzzle of 3.6's dialect; `^` is a pit, `0` a boulder, `@` the stairs down, `<` those up.
fn level(map: &[&str]) -> String {
    let mut text = String::from("LEVEL: \"p\"\nFLAGS: premapped\nGEOMETRY: center,center\nMAP\n");
    for row in map {
        text += &row.replace(['^', '0', '@', '<'], ".");
        text.push('\n');
    }
    text += "ENDMAP\n";
    for (y, row) in map.iter().enumerate() {
        for (x, square) in row.chars().enumerate() {
            match square {
                '^' => text += &format!("TRAP: \"pit\", ({x},{y})\n"),
                '0' => text += &format!("OBJECT: ('`',\"boulder\"), ({x},{y})\n"),
                '@' => text += &format!("STAIR: ({x},{y}), down\n"),
                '<' => text += &format!("STAIR: ({x},{y}), up\n"),
                _ => {}
            }
        }
    }
    text
}

/// Walks on the map by the games' rules, and returns the square at the end of the way.
fn walk(map: &[&str], keys: &str) -> char {
    let mut squares: Vec<Vec<char>> = map.iter().map(|row| row.chars().collect()).collect();
    let start = squares.iter().enumerate().find_map(|(y, row)| Some((row.iter().position(|&at| at == '@')?, y)));
    let (mut x, mut y) = start.unwrap();
    let is_solid = |square: char| matches!(square, '-' | '|' | ' ');
    for key in keys.chars() {
        let (dx, dy) = match key {
            'h' => (-1, 0),
            'l' => (1, 0),
            'k' => (0, -1),
            'j' => (0, 1),
            'y' => (-1, -1),
            'u' => (1, -1),
            'b' => (-1, 1),
            'n' => (1, 1),
            _ => panic!("no key: {key}"),
        };
        let step = |(x, y): (usize, usize)| (x.checked_add_signed(dx).unwrap(), y.checked_add_signed(dy).unwrap());
        let (to_x, to_y) = step((x, y));
        if dx != 0 && dy != 0 {
            let blocks = |square: char| is_solid(square) || square == '0';
            assert!(!(blocks(squares[y][to_x]) && blocks(squares[to_y][x])), "a tight squeeze at ({x},{y})");
        }
        if squares[to_y][to_x] == '0' {
            assert!(dx == 0 || dy == 0, "a boulder is pushed diagonally at ({x},{y})");
            let (next_x, next_y) = step((to_x, to_y));
            let next = &mut squares[next_y][next_x];
            assert!(!is_solid(*next) && *next != '0', "a boulder is stuck at ({to_x},{to_y})");
            *next = if *next == '^' { '.' } else { '0' };
            squares[to_y][to_x] = '.';
        }
        let square = squares[to_y][to_x];
        assert!(!is_solid(square) && square != '^', "the hero walks into '{square}' at ({to_x},{to_y})");
        (x, y) = (to_x, to_y);
    }
    squares[y][x]
}

/// Returns the keys in what `splc run --solve` printed.
fn keys(output: &str) -> String {
    output.lines().filter(|line| line.starts_with("  (")).filter_map(|line| line.split_whitespace().last()).collect()
}

#[test]
fn a_solution_can_be_walked() {
    let maps: [&[&str]; 3] = [
        &["-----------", "|@....----|", "|.0.0..^^<|", "|.....----|", "-----------"],
        // Boulders are moved out of the way first, and turned at a corner.
        &[
            "----------",
            "|@..0....|",
            "|.00.....|",
            "|..0.....|",
            "------.---",
            "     |.|  ",
            "     |^|  ",
            "     |^|  ",
            "     |^|  ",
            "     |<|  ",
            "     ---  ",
        ],
        // The way between the boulders would be a squeeze.
        &["---------", "|@.|....|", "|..0..^<|", "|.0|....|", "|..|-----", "-----    "],
    ];
    let place = Place::new();
    for (number, map) in maps.iter().enumerate() {
        let name = format!("{number}.des");
        place.write(&name, level(map));
        let run = place.splc(&["run", "--dialect", "nethack36", "--solve", &name]).ends(FINE);
        assert_eq!(walk(map, &keys(&run.out())), '<', "{}", run.out());
    }
}

#[test]
fn a_puzzle_without_a_solution_is_reported() {
    let place = Place::new();
    // The boulder at the wall can never leave it.
    place.write("a.des", level(&["----------", "|....----|", "|@.0..^^<|", "|0...----|", "----------"]));
    let run = place.splc(&["run", "--dialect", "nethack36", "--solve", "a.des"]).ends(INPUT_ERRORS);
    assert!(run.out().ends_with("The puzzle has no solution.\n"), "{}", run.out());
    place.splc(&["test", "--dialect", "nethack36", "--seeds", "3", "a.des"]).says(&["W0935", "has no solution"]);
    // A scroll of earth makes more boulders.
    let text = level(&["----------", "|....----|", "|@.0..^^<|", "|0...----|", "----------"]);
    place.write("b.des", format!("{text}OBJECT: ('?',\"earth\"), (1,1)\n"));
    let run = place.splc(&["run", "--dialect", "nethack36", "--solve", "b.des"]).ends(3);
    assert!(run.out().contains("there may be one"), "{}", run.out());
    place.write("c.des", "LEVEL: \"p\"\nSTAIR: (3,3), up\n");
    place.splc(&["run", "--dialect", "nethack36", "--solve", "c.des"]).ends(INPUT_ERRORS);
}
