//! The JSON dump and the listing, read as another program would read them.

use std::collections::BTreeSet;

use serde_json::Value;

use super::*;

/// Returns the statement names that `docs/reference/json.md` describes.
fn documented(heading: &str) -> BTreeSet<String> {
    let text = std::fs::read_to_string(splc_tests::workspace().join("docs/reference/json.md")).unwrap();
    let section = text.split("\n## ").find(|section| section.starts_with(heading)).expect(heading);
    // First cells of the table's rows: | `name` | ...
    let rows = section.lines().filter_map(|line| line.strip_prefix("| `")?.split_once('`'));
    rows.map(|(name, _)| name.to_owned()).collect()
}

/// Walks a dump and collects its content.
struct Walk<'a> {
    /// Length in bytes of each file.
    files: Vec<u64>,
    spans: usize,
    statements: BTreeSet<String>,
    expressions: BTreeSet<String>,
    known: &'a BTreeSet<String>,
}

impl Walk<'_> {
    fn value(&mut self, value: &Value) {
        match value {
            Value::Array(values) => values.iter().for_each(|value| self.value(value)),
            Value::Object(object) => {
                for span in
                    ["span", "walls_span", "parent_span", "contained_span"].iter().filter_map(|key| object.get(*key))
                {
                    if !span.is_null() {
                        self.span(span);
                    }
                }
                if let (Some(kind), Some(_), None) = (object.get("kind"), object.get("span"), object.get("item")) {
                    match kind.get("statement") {
                        Some(statement) => {
                            let name = statement.as_str().unwrap();
                            assert!(self.known.contains(name), "statement {name} is not described");
                            self.statements.insert(name.to_owned());
                        }
                        None => {
                            let name = kind.as_str().or_else(|| kind.as_object()?.keys().next().map(String::as_str));
                            self.expressions.extend(name.map(str::to_owned));
                        }
                    }
                }
                object.values().for_each(|value| self.value(value));
            }
            _ => {}
        }
    }

    fn span(&mut self, span: &Value) {
        let numbers: Vec<u64> = span.as_array().unwrap().iter().map(|number| number.as_u64().unwrap()).collect();
        let &[file, start, end] = numbers.as_slice() else { panic!("{span}") };
        let length = self.files[file as usize];
        assert!(start <= end && end <= length, "{span} of {length}");
        self.spans += 1;
    }
}

#[test]
fn a_dump_matches_its_documentation() {
    dumps_are_described("unnethack", "unnethack-6.0.4", 30);
}

#[test]
fn a_dump_of_3_4_3_matches_its_documentation() {
    dumps_are_described("nethack343", "nethack-3.4.3", 20);
}

/// Checks the dumps of the corpus of a dialect, which has more than `most` types of statement.
fn dumps_are_described(dialect: &str, target: &str, most: usize) {
    let place = Place::new();
    let known = documented("Statements");
    assert!(known.len() > 40, "{known:?}");
    let mut statements = BTreeSet::new();
    let mut expressions = BTreeSet::new();
    for path in des_files(&splc_tests::corpus(dialect)) {
        let text = place.splc(&["--dialect", dialect, "-A", "all", "--emit", "json", "-o", "-", &path]).is_fine().out();
        let dump: Value = serde_json::from_str(&text).unwrap();
        assert_eq!((&dump["schema"], &dump["version"]), (&"splc-level".into(), &splc_ir::level::SCHEMA_VERSION.into()));
        assert_eq!((&dump["dialect"], &dump["target"]), (&dialect.into(), &target.into()));
        let files = dump["files"].as_array().unwrap();
        assert_eq!(files[0]["name"], path.as_str());
        // Offsets count bytes of the UTF-8 text, which is longer than a file in ISO 8859-1.
        let source = match String::from_utf8(std::fs::read(&path).unwrap()) {
            Ok(text) => text.into_bytes(),
            Err(latin1) => latin1.into_bytes().into_iter().map(char::from).collect::<String>().into_bytes(),
        };
        assert_eq!(files[0]["length"], source.len());
        let starts = files[0]["line_starts"].as_array().unwrap();
        let lines = source.iter().filter(|&&byte| byte == b'\n').count();
        assert_eq!(starts.len(), lines + 1);
        assert!(starts[1..].iter().all(|start| source[start.as_u64().unwrap() as usize - 1] == b'\n'));
        let mut walk = Walk {
            files: files.iter().map(|file| file["length"].as_u64().unwrap()).collect(),
            spans: 0,
            statements: BTreeSet::new(),
            expressions: BTreeSet::new(),
            known: &known,
        };
        walk.value(&dump["items"]);
        assert!(walk.spans > 0 || dump["items"] == serde_json::json!([]), "{path}");
        statements.extend(walk.statements);
        expressions.extend(walk.expressions);
        // A span covers its name.
        for item in dump["items"].as_array().unwrap().iter().filter(|item| item["item"] == "level") {
            let span: Vec<usize> =
                item["name"]["span"].as_array().unwrap().iter().map(|at| at.as_u64().unwrap() as usize).collect();
            if span[0] == 0 {
                assert_eq!(
                    String::from_utf8_lossy(&source[span[1]..span[2]]),
                    format!("\"{}\"", item["name"]["node"].as_str().unwrap())
                );
            }
        }
    }
    println!("the corpus of {dialect} dumps {} kinds of statement: {statements:?}", statements.len());
    assert!(statements.len() > most, "{statements:?}");
    let undescribed: Vec<_> = {
        let described: BTreeSet<String> = documented("Expressions").union(&documented("Selections")).cloned().collect();
        expressions.difference(&described).cloned().collect()
    };
    assert!(undescribed.is_empty(), "{undescribed:?}");
}

#[test]
fn a_dump_is_named_after_its_source() {
    let place = Place::new();
    place.write("in/x.des", level("a", "1") + &level("b", "2")).write("y.des", level("c", "3"));
    place.unnethack(&["--emit", "json", "in/x.des", "y.des"]).is_fine();
    assert_eq!(place.names(), ["in", "in/x.des", "x.json", "y.des", "y.json"]);
    let both = place.unnethack(&["--emit", "json", "-o", "-", "in/x.des", "y.des"]).is_fine().out;
    assert_eq!(both, [place.read("x.json"), place.read("y.json")].concat());
    // A dump does not depend on the other inputs.
    place.unnethack(&["--emit", "json", "y.des", "-o", "alone.json"]).is_fine();
    assert_eq!(place.read("alone.json"), place.read("y.json"));
    place.write("other/y.des", level("d", "4"));
    place.unnethack(&["--emit", "json", "other/y.des", "y.des"]).ends(INPUT_ERRORS).says(&["error[E0302]", "y.json"]);
}

#[test]
fn a_listing_has_every_opcode_and_every_label() {
    let place = Place::new();
    let mut labels = 0;
    for path in des_files(&corpus()) {
        let said = place.unnethack(&["-v", "-A", "all", &path]).is_fine().out();
        let listing = place.unnethack(&["--emit", "asm", "-o", "-", "-A", "all", &path]).is_fine().out();
        let opcodes: usize = said.lines().map(|line| line.rsplit(' ').next().unwrap().parse::<usize>().unwrap()).sum();
        let numbered = |line: &&str| line.len() > 8 && line[..6].trim().parse::<usize>().is_ok();
        // A level that overwrites another of the same name is listed once.
        if said.lines().collect::<BTreeSet<_>>().len() == said.lines().count() {
            assert_eq!(listing.lines().filter(numbered).count(), opcodes, "{path}");
        }
        assert!(!listing.contains("unknown to"), "{path}");
        for part in listing.split("; level ") {
            let set: BTreeSet<&str> =
                part.lines().filter_map(|line| line.strip_prefix('L')?.strip_suffix(':')).collect();
            let used: BTreeSet<&str> =
                part.lines().filter_map(|line| line.split("push            int L").nth(1)?.split(' ').next()).collect();
            assert_eq!(set, used, "{path}");
            labels += set.len();
        }
    }
    assert!(labels > 50, "{labels}");
}

#[test]
fn a_listing_shows_names_and_lines() {
    let place = Place::new();
    place.write("x.des", "LEVEL: \"a\"\nFLAGS: noteleport\nMONSTER: (':',\"newt\"), (3,4)\n[50%]: EXIT\n");
    place.unnethack(&["--emit", "asm", "x.des"]).is_fine();
    let listing = String::from_utf8(place.read("a.asm")).unwrap();
    for part in [
        "; level \"a\", UnNetHack 6.0.4",
        "; x.des",
        "; 3: MONSTER:",
        "monster (':',\"newt\")",
        "coordinate (3,4)",
        "noteleport",
        "int L",
    ] {
        assert!(listing.contains(part), "{part} is not in\n{listing}");
    }
}
