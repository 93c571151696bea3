//! `splc themerooms`: selection, formats and exit codes.

use serde_json::{Value, json};

use super::*;

fn themed() -> Place {
    let place = Place::new();
    let file = splc_tests::corpus("nethack5").join("themed.lua");
    place.write("themerms.lua", std::fs::read(file).unwrap());
    place
}

fn themerooms(place: &Place, arguments: &[&str]) -> Run {
    place.splc(&[&["themerooms", "--seeds", "5"], arguments].concat())
}

#[test]
fn one_room_is_selected_by_name() {
    let place = themed();
    let run = themerooms(&place, &["--room", "Guard house", "themerms.lua"]).ends(FINE);
    assert!(run.err.is_empty(), "{}", run.err);
    assert!(
        run.out().contains("  Guard house  never  never  never  1/22 = 4.545 %  1/17 = 5.882 %\n"),
        "{}",
        run.out()
    );
    assert!(!run.out().contains("Well"), "{}", run.out());
    themerooms(&place, &["--room", "Gard house", "themerms.lua"])
        .ends(TROUBLE)
        .says(&["did you mean \"Guard house\"?"]);
}

#[test]
fn faults_are_errors_and_lints_can_be_denied() {
    let place = themed();
    let fish = ["--room", "Fish market", "themerms.lua"];
    themerooms(&place, &fish).ends(INPUT_ERRORS).says(&["E0501", "codfish", "on all 5 seeds"]);
    let tower = ["--room", "Tower", "--room", "Treasury"];
    let both = ["W0903", "\"Tower\" never fits", "W0916", "\"Treasury\" is never chosen"];
    themerooms(&place, &[&tower[..], &["themerms.lua"]].concat()).ends(FINE).says(&both);
    themerooms(&place, &[&tower[..], &["-D", "never-runs", "themerms.lua"]].concat()).ends(INPUT_ERRORS);
    let allowed = themerooms(&place, &[&tower[..], &["-A", "all", "themerms.lua"]].concat()).ends(FINE);
    assert!(allowed.err.is_empty(), "{}", allowed.err);
}

#[test]
fn json_has_exact_chances() {
    let place = themed();
    let run = themerooms(&place, &["--json", "--depth", "6", "--room", "Mushrooms", "themerms.lua"]).ends(FINE);
    let found: Value = serde_json::from_str(&run.out()).unwrap();
    assert_eq!((&found["schema"], &found["version"]), (&json!("splc-themerooms"), &json!(1)));
    assert_eq!(found["rooms"], json!([]));
    let fill = &found["fills"][0];
    assert_eq!((&fill["name"], &fill["number"], &fill["depth"]), (&json!("Mushrooms"), &json!(2), &json!(6)));
    assert_eq!(fill["chances"], json!([{ "from": 6, "to": 6, "exact": "0/1", "value": 0.0 }]));
    assert_eq!(fill["unlit_chances"][0]["exact"], "1/6");
    assert_eq!((&fill["made"], &fill["seeds"]), (&json!(5), &json!(5)));
}

#[test]
fn pictures_are_written_to_files() {
    let place = themed();
    themerooms(&place, &["--html", "rooms.html", "--room", "Well", "themerms.lua"]).ends(FINE);
    assert!(String::from_utf8_lossy(&place.read("rooms.html")).contains("Well, seed 1, depth 5"));
}

#[test]
fn other_files_have_no_themed_rooms() {
    let place = Place::new();
    place.write("level.lua", "des.level_init({ style = \"solidfill\", fg = \" \" })\n");
    themerooms(&place, &["level.lua"]).ends(TROUBLE).says(&["has no themed rooms"]);
    // The functions are missing, or end with an error.
    place.write("themerms.lua", "themerooms = { { name = \"a\", contents = function() end } }\n");
    themerooms(&place, &["themerms.lua"]).ends(INPUT_ERRORS).says(&["no function 'themerooms_generate'"]);
    place.write("themerms.lua", "themerooms = { { name = \"a\" } }\nfunction themerooms_generate() nil_value() end\n");
    let run = themerooms(&place, &["themerms.lua"]).ends(INPUT_ERRORS).says(&["room 1 has no contents"]);
    assert!(run.out().contains("difficulty 1-50: attempt to call a nil value"), "{}", run.out());
}
