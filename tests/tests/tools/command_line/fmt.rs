//! `splc fmt`: in place, `--check`, the standard input, and unreadable files.

use super::*;

const WRITTEN: &str = "LEVEL:\"yard\"\nNOMAP\n\n\n# A pit, perhaps.\nIF[50%]{\nTRAP:\"pit\",( 3,4 )\n\n}\n";
const LAID_OUT: &str = "LEVEL: \"yard\"\nNOMAP\n\n# A pit, perhaps.\nIF [50%] {\n  TRAP: \"pit\", (3,4)\n}\n";

impl Place {
    fn fmt(&self, arguments: &[&str]) -> Run {
        self.splc(&[&["fmt", "--dialect", "unnethack"], arguments].concat())
    }
}

#[test]
fn files_are_formatted_in_place() {
    let place = Place::new();
    place.write("x.des", WRITTEN).write("y.des", LAID_OUT);
    let requested = place.fmt(&["--check", "x.des", "y.des"]).ends(INPUT_ERRORS);
    assert_eq!(requested.out(), "x.des: would change\n");
    assert_eq!(place.read("x.des"), WRITTEN.as_bytes());
    assert_eq!(place.fmt(&["x.des", "y.des"]).is_fine().out(), "");
    assert_eq!(place.read("x.des"), LAID_OUT.as_bytes());
    assert_eq!(place.read("y.des"), LAID_OUT.as_bytes());
    assert_eq!(place.fmt(&["--check", "x.des", "y.des"]).is_fine().out(), "");
}

#[test]
fn the_standard_input_goes_to_the_standard_output() {
    let place = Place::new();
    let command = place.command(&["fmt", "--dialect", "unnethack", "-"]);
    assert_eq!(Run::reading(command, WRITTEN.as_bytes()).is_fine().out(), LAID_OUT);
}

#[test]
fn only_des_files_are_formatted() {
    let place = Place::new();
    place.write("x.lua", "des.map([[\n...\n]])\n").write("y.des", WRITTEN);
    place.fmt(&["x.lua", "y.des"]).ends(INPUT_ERRORS).says(&["x.lua is a Lua script", "E0308"]);
    assert_eq!(place.read("x.lua"), b"des.map([[\n...\n]])\n");
    assert_eq!(place.read("y.des"), LAID_OUT.as_bytes());
}

#[test]
fn unreadable_files_are_not_changed() {
    let place = Place::new();
    let broken = "LEVEL:\"yard\"\nMONSTER:\"newt\",(1,\n";
    place.write("x.des", broken).write("y.des", WRITTEN);
    place.fmt(&["x.des", "y.des"]).ends(INPUT_ERRORS).says(&["x.des:"]);
    assert_eq!(place.read("x.des"), broken.as_bytes());
    assert_eq!(place.read("y.des"), LAID_OUT.as_bytes());
}
