//! Formats for CI servers, baselines, and the other options of checks that CI needs.

use serde_json::Value;

use super::*;

const BAD: &str = "LEVEL: \"a\"\nMONSTER: \"gaint ant\", (1,2)\nOBJECT: \"xyz%zy\", random\nTRAP: \"pti\", (1,1)\n";

/// [`BAD`] with lines before it, and another mistake.
const WORSE: &str = "# a comment\n# another one\nLEVEL: \"a\"\nMONSTER: \"gaint ant\", (1,2)\nOBJECT: \"xyz%zy\", random\n\
                     TRAP: \"pti\", (1,1)\nTRAP: \"nothing\", (1,1)\n";

fn check(place: &Place, arguments: &[&str]) -> Run {
    place.splc(&[&["check", "--dialect", "unnethack"], arguments].concat())
}

#[test]
fn annotations_are_escaped() {
    let place = Place::new();
    place.write("a,b.des", BAD);
    let run = check(&place, &["--output-format", "github", "a,b.des"]).ends(INPUT_ERRORS);
    let out = run.out();
    let lines: Vec<&str> = out.lines().collect();
    assert_eq!(lines.len(), 3, "{out}");
    assert!(lines[0].starts_with("::error title=splc E0201,file=a%2Cb.des,line=2,endLine=2,col=10,endColumn=21::"));
    assert!(lines[0].contains("%0Ahelp: did you mean \"giant ant\""), "{}", lines[0]);
    assert!(lines[1].contains("xyz%25zy"), "{}", lines[1]);
    assert_eq!(run.err, "");
}

#[test]
fn documents_have_all_diagnostics() {
    let place = Place::new();
    place.write("bad.des", BAD).write("fine.des", "LEVEL: \"fine\"\nMONSTER: \"giant ant\", (1,2)\n");
    let of = |format: &str| {
        let run = check(&place, &["--message-format", format, "bad.des", "fine.des"]).ends(INPUT_ERRORS);
        assert_eq!(run.err, "");
        run.out()
    };
    let sarif: Value = serde_json::from_str(&of("sarif")).unwrap();
    let run = &sarif["runs"][0];
    let results = run["results"].as_array().unwrap();
    assert_eq!(results.len(), 3);
    let region = &results[2]["locations"][0]["physicalLocation"]["region"];
    assert_eq!((&region["startLine"], &region["startColumn"]), (&4.into(), &7.into()));
    for result in results {
        let rule = &run["tool"]["driver"]["rules"][result["ruleIndex"].as_u64().unwrap() as usize];
        assert_eq!(rule["id"], result["ruleId"]);
    }
    let gitlab: Value = serde_json::from_str(&of("gitlab")).unwrap();
    assert_eq!(gitlab.as_array().unwrap().len(), 3);
    assert_eq!((&gitlab[2]["location"]["path"], &gitlab[2]["check_name"]), (&"bad.des".into(), &"E0203".into()));
    let junit = of("junit");
    assert!(junit.contains("<testsuites name=\"splc\" tests=\"4\" failures=\"3\" errors=\"0\">"), "{junit}");
    assert!(junit.contains("<testcase name=\"no findings\" classname=\"fine.des\"/>"), "{junit}");
    assert!(junit.contains("unknown trap &quot;pti&quot;"), "{junit}");
}

#[test]
fn a_baseline_hides_known_diagnostics() {
    let place = Place::new();
    place.write("x.des", BAD);
    check(&place, &["--write-baseline", "known.json", "x.des"]).ends(0).says(&["3 diagnostics listed in known.json\n"]);
    check(&place, &["--baseline", "known.json", "x.des"]).is_fine();
    // Lines before a mistake do not make it new.
    place.write("x.des", WORSE);
    let run = check(&place, &["--baseline", "known.json", "--message-format", "short", "x.des"]).ends(INPUT_ERRORS);
    assert!(run.err.starts_with("x.des:7:7: error[E0203]: unknown trap \"nothing\""), "{}", run.err);
    assert!(run.err.ends_with("error: 1 error; fixable with `splc fix`\n") || run.err.ends_with("error: 1 error\n"));
    // Those of files that were not checked may still be there.
    place.write("fine.des", "LEVEL: \"a\"\n");
    check(&place, &["--baseline", "known.json", "fine.des"]).is_fine();
    // The list is the same from every current folder.
    place.write("below/empty", "");
    check(&place, &["--baseline", "below/../known.json", "below/../x.des"]).ends(INPUT_ERRORS).says(&["1 error"]);
    place.write("x.des", "LEVEL: \"a\"\nTRAP: \"pti\", (1,1)\n");
    check(&place, &["--baseline", "known.json", "x.des"])
        .ends(0)
        .says(&["2 diagnostics of the baseline no longer found"]);
    check(&place, &["--baseline", "missing.json", "x.des"]).ends(TROUBLE).says(&["missing.json", "--write-baseline"]);
    place.write("other.json", "{}");
    check(&place, &["--baseline", "other.json", "x.des"]).ends(TROUBLE).says(&["not a baseline"]);
}

#[test]
fn statistics_and_exit_codes() {
    let place = Place::new();
    place.write("x.des", BAD);
    let run = check(&place, &["--statistics", "--message-format", "short", "x.des"]).ends(INPUT_ERRORS);
    assert!(run.err.contains("      1  E0203  unknown-trap"), "{}", run.err);
    check(&place, &["--exit-zero", "x.des"]).ends(0).says(&["error: 3 errors"]);
}
