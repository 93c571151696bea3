//! `splc port`, as its users see it.

use crate::*;

#[test]
fn a_level_that_depends_on_dice_goes_over_in_versions() {
    let place = Place::new();
    let body = "GEOMETRY: center, center\nMAP\n.....\nENDMAP\nLOOP [1d4] {\nTRAP: \"pit\", random\n}\n";
    place.write("cave.des", format!("LEVEL: \"cave\"\n{body}"));
    let port = ["port", "--dialect", "36", "--to", "343", "cave.des", "-o", "out/"];
    place.splc(&port).ends(INPUT_ERRORS).says(&["how often this LOOP repeats", "--instantiate SEED"]);
    place.splc(&[&port[..], &["--instantiate", "7"]].concat()).ends(FINE);
    let one = place.read("out/cave.des");
    place.splc(&[&port[..], &["--instantiate", "7", "--versions", "3"]].concat()).ends(FINE);
    let versions: Vec<String> =
        (1..=3).map(|number| String::from_utf8(place.read(&format!("out/cave-{number}.des"))).unwrap()).collect();
    // The first has the seed that was named, and the others those behind it.
    assert_eq!(versions[0].replace("cave-1", "cave"), String::from_utf8(one).unwrap());
    assert!(versions.iter().enumerate().all(|(at, text)| text.contains(&format!("\"cave-{}\"", at + 1))));
    place.splc(&["--dialect", "343", "out/cave-1.des", "out/cave-2.des", "out/cave-3.des", "-o", "made/"]).ends(FINE);
}
