//! Invalid documents are reported with their place, their path, and a suggestion.

use serde_json::{Value, json};
use splc_ir::level::SCHEMA_VERSION;
use splc_ir::limits::{MAX_DIAGNOSTICS, MAX_JSON_DEPTH, MAX_NESTING};

use super::*;

/// Returns a document with these items.
fn with(items: &str) -> String {
    format!("{{\"schema\": \"splc-level\", \"version\": {SCHEMA_VERSION}, \"items\": {items}}}")
}

/// Returns a document with one level of these statements.
fn level(body: &str) -> String {
    with(&format!("[{{\"item\": \"level\", \"name\": \"a\", \"kind\": \"script\", \"body\": [{body}]}}]"))
}

/// Returns the diagnostics of a document, each as `code text: message (notes; help)`.
fn reported(text: &str) -> Vec<String> {
    let Err((sources, diagnostics)) = document(text) else { return Vec::new() };
    let line = |diagnostic: &Diagnostic| {
        let at = diagnostic.span.map_or("", |span| sources.text(span));
        let more: Vec<&str> = diagnostic.notes.iter().map(String::as_str).chain(diagnostic.help.as_deref()).collect();
        format!("{} {at}: {} ({})", diagnostic.code.as_str(), diagnostic.message, more.join("; "))
    };
    diagnostics.iter().map(line).collect()
}

#[track_caller]
fn says(text: &str, expected: &[&str]) {
    assert_eq!(reported(text), expected, "{text}");
}

#[test]
fn a_level_needs_few_keys() {
    let text = level(
        r#"{"statement": "map", "map": "drawn", "position": {"aligned": {"horizontal": "center", "vertical": "center"}},
            "rows": {"rows": ["...", "..."]}},
           {"statement": "monster", "monster": {"monster": {"name": "giant eel"}}, "place": {"coordinate": {"x": 1, "y": 0}}},
           {"statement": "trap", "trap": "pit", "place": {"random_coordinate": {}}},
           {"statement": "trap", "trap": "random", "place": {"random_coordinate": {"humidity": ["dry"]}}},
           {"kind": {"statement": "message", "text": {"string": "Caf\u00e9"}}}"#,
    );
    let mut read = document(&text).map_err(|(_, problems)| problems).unwrap();
    let mut diagnostics = Diagnostics::new();
    let catalog = Catalog::by_name("unnethack-6.0.4").unwrap();
    check::check(&mut read.module, catalog, &mut diagnostics);
    assert!(!diagnostics.has_errors(), "{diagnostics:?}");
    assert!(!level_files(&read.module, catalog).is_empty());
    // Each node has its place in the JSON text.
    let level = read.module.levels().next().unwrap();
    assert!(read.sources.text(level.body[1].span).starts_with("{\"statement\": \"monster\""));
    assert_eq!(read.sources.text(level.name.span), "\"a\"");
}

#[test]
fn unknown_and_repeated_keys_are_reported() {
    let trap = r#"{"kind": {"statement": "trap", "trap": "pit", "plase": {"random_coordinate": {}}}}"#;
    says(
        &level(trap),
        &[
            "E0013 {\"statement\": \"trap\", \"trap\": \"pit\", \"plase\": {\"random_coordinate\": {}}}: \
             `place` is missing (at items[0].body[0].kind)",
            "E0013 \"plase\": `plase` is not a key of a trap (at items[0].body[0].kind.plase; \
             did you mean \"place\"?)",
        ],
    );
    says(
        &level(r#"{"statement": "break", "statement": "break"}"#),
        &["E0013 \"statement\": duplicate key `statement` (at items[0].body[0].statement)"],
    );
    says(
        &level(r#"{"statement": "exit", "code": 0}"#),
        &["E0013 \"code\": `code` is not a key of an exit (at items[0].body[0].code)"],
    );
    says(
        &with("[], \"itmes\": 1"),
        &["E0013 \"itmes\": `itmes` is not a key of a document (at itmes; did you mean \"items\"?)"],
    );
}

#[test]
fn values_must_have_the_required_type() {
    let place = r#"{"random_coordinate": {}}"#;
    let case = |body: &str, expected: &[&str]| says(&level(body), expected);
    case(
        r#"{"statement": "tarp"}"#,
        &["E0014 \"tarp\": `tarp` is not a statement (at items[0].body[0].statement; did you mean \"trap\"?)"],
    );
    case(r#"{"statement": "error"}"#, &["E0014 \"error\": `error` is not a statement (at items[0].body[0].statement)"]);
    case(
        r#"{"statement": "message", "text": 3}"#,
        &["E0014 3: expected an expression, found a number (at items[0].body[0].text)"],
    );
    case(
        r#"{"statement": "message", "text": {"integer": 2147483648}}"#,
        &["E0014 2147483648: 2147483648 is not in the range -2147483648 to 2147483647 (at \
           items[0].body[0].text.integer)"],
    );
    case(
        r#"{"statement": "message", "text": {"integer": 1.5}}"#,
        &["E0014 1.5: expected a whole number, found a number with a fraction or too many digits (at \
           items[0].body[0].text.integer)"],
    );
    case(
        &format!("{{\"statement\": \"stair\", \"place\": {place}, \"direction\": \"north\"}}"),
        &["E0014 \"north\": expected up or down, found `north` (at items[0].body[0].direction)"],
    );
    case(
        r#"{"statement": "message", "text": {"map_character": {"character": ".."}}}"#,
        &["E0014 \"..\": expected one character, found more than one \
           (at items[0].body[0].text.map_character.character)"],
    );
    case(
        r#"{"statement": "message", "text": {"string": "a\u0000"}}"#,
        &["E0014 \"a\\u0000\": a string cannot contain a NUL character (at items[0].body[0].text.string)"],
    );
    // Both in one statement, and one in each of two statements.
    case(
        r#"{"statement": "gold", "amount": [], "place": "here"}, {"statement": "gold"}"#,
        &[
            "E0014 []: expected an expression, found an array (at items[0].body[0].amount)",
            "E0014 \"here\": `here` is not an expression (at items[0].body[0].place)",
            "E0013 {\"statement\": \"gold\"}: `amount` is missing (at items[0].body[1])",
            "E0013 {\"statement\": \"gold\"}: `place` is missing (at items[0].body[1])",
        ],
    );
}

#[test]
fn texts_must_fit_their_charset() {
    let text = |charset: &str, text: &str| {
        let body = format!("{{\"statement\": \"message\", \"text\": {{\"string\": \"{text}\"}}}}");
        level(&body).replacen("\"items\"", &format!("\"charset\": \"{charset}\", \"items\""), 1)
    };
    assert!(document(&text("latin1", "Caf\u{e9}")).is_ok() && document(&text("utf8", "\u{2500}")).is_ok());
    says(
        &text("latin1", "\u{2500}"),
        &["E0014 \"\u{2500}\": '\u{2500}' is not in latin1, the charset of the document (at \
           items[0].body[0].text.string)"],
    );
}

#[test]
fn places_must_be_in_listed_files() {
    let files = r#""files": [{"name": "x.des", "charset": "utf8", "length": 20, "line_starts": [0, 10]}], "items""#;
    let text = |span: &str| {
        let body = format!("{{\"kind\": {{\"statement\": \"break\"}}, \"span\": {span}}}");
        level(&body).replacen("\"items\"", files, 1)
    };
    let read = document(&text("[0, 12, 15]")).map_err(|(_, problems)| problems).unwrap();
    let span = read.module.levels().next().unwrap().body[0].span;
    assert_eq!(
        (read.sources.get(span.file).name.as_str(), read.sources.place(span.file, span.start).line),
        ("x.des", 2)
    );
    assert!(document(&text("null")).is_ok_and(|read| read.module.levels().next().unwrap().body[0].span.is_nowhere()));
    let at = "at items[0].body[0].span";
    says(
        &text("[1, 0, 0]"),
        &[&format!(
            "E0014 [1, 0, 0]: this place is in file 1, but the length of `files` is 1 ({at}; correct it, or \
                    leave out the places)"
        )],
    );
    says(&text("[0, 3, 21]"), &[&format!("E0014 [0, 3, 21]: 3 to 21 is not a range in a file of 20 bytes ({at})")]);
    says(
        &text("[0, 3]"),
        &[&format!("E0014 [0, 3]: expected a place: [file, start, end], or null, found an array ({at})")],
    );
    says(
        &text("[0, 4294967296, 1]"),
        &[&format!("E0014 [0, 4294967296, 1]: expected a place: [file, start, end], or null, found an array ({at})")],
    );
}

#[test]
fn other_json_is_not_a_level() {
    let first = |text: &str| reported(text).remove(0);
    assert!(first("{}").contains("`schema` is missing"), "{}", first("{}"));
    assert!(first("{\"schema\": \"x\"}").contains("the schema of a level must be \"splc-level\""));
    assert!(first("{\"schema\": \"splc-level\"}").contains("`version` is missing"));
    let version = |number: u32| first(&with("[]").replace(&format!("{SCHEMA_VERSION},"), &format!("{number},")));
    assert!(version(SCHEMA_VERSION + 1).contains("update splc, or regenerate the document with this version"));
    if SCHEMA_VERSION > 1 {
        assert!(version(1).contains("from an earlier splc"), "{}", version(1));
    }
    assert!(first("{\"schema\": \"splc-level\", \"version\": 1").starts_with("E0011"));
    assert!(first("[]").contains("`schema` is missing"));
    assert_eq!(reported("{\"schema\": 'a'}"), ["E0011 ': expected a value, found `'` (use double quotes)"]);
    let broken = b"{\"schema\": \"\xff\"}".to_vec();
    let mut diagnostics = Diagnostics::new();
    assert!(json::read(&mut SourceMap::new(), "x.json", None, broken, &mut diagnostics).is_none());
    assert!(diagnostics.iter().any(|diagnostic| diagnostic.message.text().contains("UTF-8")));
    assert!(json::is_json(b"\xef\xbb\xbf {") && !json::is_json(b"MAZE: \"a\"") && !json::is_json(b""));
    assert!(document(&format!("\u{feff}{}", with("[]"))).is_ok());
}

#[test]
fn repeated_mistakes_are_limited() {
    let many = vec!["{\"a\": 1}"; 100_000].join(",");
    let Err((_, diagnostics)) = document(&with(&format!("[{many}]"))) else { panic!() };
    assert_eq!(diagnostics.len(), MAX_DIAGNOSTICS);
    let keys: Vec<String> = (0..100_000).map(|key| format!("\"{key}\": 1")).collect();
    let Err((_, diagnostics)) = document(&with(&format!("[{{{}}}]", keys.join(",")))) else { panic!() };
    assert!(diagnostics.len() <= MAX_DIAGNOSTICS);
}

/// Nests `inside` in `depth` pairs of `open` and `close`.
fn nested(open: &str, inside: &str, close: &str, depth: usize) -> String {
    open.repeat(depth) + inside + &close.repeat(depth)
}

#[test]
fn depth_is_bounded() {
    let catalog = Catalog::by_name("unnethack-6.0.4").unwrap();
    let value = |expression: String| format!("{{\"statement\": \"message\", \"text\": {expression}}}");
    let selection = |selection: String| format!("{{\"statement\": \"fountain\", \"at\": {selection}}}");
    let one = "{\"integer\": 1}";
    let point = "{\"point\": {\"coordinate\": {\"x\": 1, \"y\": 1}}}";
    type Make<'a> = Box<dyn Fn(usize) -> String + 'a>;
    let forms: Vec<Make> = vec![
        Box::new(|depth| nested("{\"statement\": \"loop\", \"count\": {\"integer\": 1}, \"body\": [", "", "]}", depth)),
        Box::new(|depth| {
            nested(
                "{\"statement\": \"chance\", \"condition\": {\"percent\": 50}, \"then\": ",
                "{\"statement\": \"exit\"}",
                "}",
                depth,
            )
        }),
        Box::new(|depth| {
            nested(
                "{\"statement\": \"switch\", \"value\": {\"integer\": 1}, \"cases\": [{\"body\": [",
                "",
                "]}]}",
                depth,
            )
        }),
        Box::new(|depth| nested("{\"statement\": \"function\", \"name\": \"f\", \"body\": [", "", "]}", depth)),
        Box::new(|depth| {
            nested(
                "{\"statement\": \"room\", \"room_type\": \"random\", \"light\": \"random\", \"size\": \"random\", \"placement\": {\"in\": \"room\", \"position\": \"random\"}, \"body\": [",
                "",
                "]}",
                depth,
            )
        }),
        Box::new(|depth| value(nested("{\"group\": ", one, "}", depth))),
        Box::new(|depth| value(nested("{\"core_call\": {\"function\": \"f\", \"arguments\": [", one, "]}}", depth))),
        Box::new(|depth| {
            value(nested("{\"chain\": {\"first\": {\"integer\": 1}, \"rest\": [[\"+\", ", one, "]]}}", depth))
        }),
        Box::new(|depth| {
            value(nested(
                "{\"variable\": {\"name\": \"$x\", \"ty\": {\"value\": \"integer\", \"array\": true}, \"index\": ",
                one,
                "}}",
                depth,
            ))
        }),
        Box::new(|depth| {
            value(nested("{\"selected_coordinate\": {\"point\": ", "{\"random_coordinate\": {}}", "}}", depth))
        }),
        Box::new(|depth| selection(nested("{\"complement\": ", point, "}", depth))),
        Box::new(|depth| selection(nested("{\"union\": [", point, "]}", depth))),
        Box::new(|depth| selection(nested("{\"grow\": {\"selection\": ", point, "}}", depth))),
        Box::new(|_| nested("[", "", "]", MAX_JSON_DEPTH - 6)),
        Box::new(|_| nested("{\"kind\":", "1", "}", MAX_JSON_DEPTH - 6)),
        Box::new(|_| nested("{\"node\":", "1", "}", MAX_JSON_DEPTH - 6)),
    ];
    let mut accepted = 0;
    for (index, form) in forms.iter().enumerate() {
        for depth in [MAX_NESTING, MAX_NESTING + 1, MAX_NESTING + 2, 2 * MAX_NESTING, 4 * MAX_NESTING, MAX_JSON_DEPTH] {
            if let Ok(mut read) = document(&level(&form(depth))) {
                accepted += 1;
                let mut diagnostics = Diagnostics::new();
                check::check(&mut read.module, catalog, &mut diagnostics);
                if !diagnostics.has_errors() {
                    level_files(&read.module, catalog);
                }
                let text = dump(&read, catalog);
                assert!(document(&text).is_ok_and(|again| again.module == read.module), "form {index}, {depth} deep");
            }
        }
    }
    assert!(accepted > 20, "{accepted}");
}

#[test]
fn nesting_of_des_files_can_be_read_back() {
    let catalog = Catalog::by_name("unnethack-6.0.4").unwrap();
    let level =
        |body: String| format!("LEVEL: \"a\"\nROOM: \"ordinary\", lit, random, random, random {{\n{body}\n}}\n");
    let forms: Vec<Box<dyn Fn(usize) -> String>> = vec![
        Box::new(move |depth| level(nested("LOOP [2] {\n", "EXIT", "\n}", depth))),
        Box::new(move |depth| level(nested("IF [50%] {\n", "EXIT", "\n}", depth))),
        Box::new(move |depth| level(nested("CONTAINER: ('(',\"chest\"), random {\n", "OBJECT: '*'", "\n}", depth))),
        Box::new(move |depth| level(format!("$x = {}", nested("(1 + ", "1", ")", depth)))),
        Box::new(move |depth| level(format!("$x = selection: {}", nested("grow(", "(1,1)", ")", depth)))),
        Box::new(move |depth| level(format!("$x = selection: {}", nested("complement ", "(1,1)", "", depth)))),
        Box::new(move |depth| level(nested("[50%]: ", "EXIT", "", depth))),
        Box::new(move |depth| level(nested("[50%]: LOOP [2] {\n", "EXIT", "\n}", depth))),
        Box::new(move |depth| level(format!("$x = {}", nested("(1 + (2 * ", "1", "))", depth)))),
        Box::new(move |depth| level(nested("SUBROOM: \"ordinary\", lit, random, random {\n", "EXIT", "\n}", depth))),
    ];
    let mut deepest = Vec::new();
    for form in forms {
        let read = |depth: usize| {
            let (mut sources, mut diagnostics) = (SourceMap::new(), Diagnostics::new());
            let file = sources.add("x.des", None, form(depth).into_bytes());
            let module = splc_frontends::parse(&mut sources, file, catalog, &mut Beside, &mut diagnostics);
            let nested = diagnostics.iter().any(|diagnostic| diagnostic.code.as_str() == "E0007");
            (!nested).then_some(Read { module, sources, diagnostics })
        };
        let (depth, read) =
            (1..=MAX_NESTING + 1).rev().find_map(|depth| read(depth).map(|read| (depth, read))).unwrap();
        assert!(depth >= MAX_NESTING / 3, "{depth}");
        deepest.push(depth);
        let text = dump(&read, catalog);
        if !read.diagnostics.has_errors() {
            let again = document(&text).map_err(|(_, problems)| problems).unwrap();
            assert!(again.module == read.module);
        }
    }
    println!("des-files {deepest:?} deep read back from JSON");
}

/// A random number generator with the same numbers in every run (xorshift64).
pub struct Numbers(pub u64);

impl Numbers {
    fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % bound.max(1) as u64) as usize
    }
}

/// Returns the number of values in a value, including itself.
fn count(value: &Value) -> usize {
    1 + match value {
        Value::Array(values) => values.iter().map(count).sum(),
        Value::Object(object) => object.values().map(count).sum(),
        _ => 0,
    }
}

/// Returns the `index`th value in a value.
fn find<'v>(value: &'v mut Value, index: &mut usize) -> Option<&'v mut Value> {
    if *index == 0 {
        return Some(value);
    }
    *index -= 1;
    match value {
        Value::Array(values) => values.iter_mut().find_map(|value| find(value, index)),
        Value::Object(object) => object.values_mut().find_map(|value| find(value, index)),
        _ => None,
    }
}

/// Makes a random change in a document.
pub fn change(document: &mut Value, numbers: &mut Numbers) {
    let total = count(document);
    let chosen = numbers.below(total);
    let kind = find(document, &mut chosen.clone()).map(|value| std::mem::discriminant(value));
    // Usually a value of the same type, so that more results are valid.
    let others = (0..20).filter_map(|_| find(document, &mut numbers.below(total)).cloned()).collect::<Vec<_>>();
    let same = others.iter().find(|other| Some(std::mem::discriminant(*other)) == kind);
    let other = same.or(others.first()).cloned().unwrap_or(Value::Null);
    let Some(value) = find(document, &mut chosen.clone()) else { return };
    let choice = numbers.below(20);
    let at = numbers.below(8);
    match (choice, value) {
        (0 | 1, Value::Object(object)) => {
            let key = object.keys().nth(at % object.len().max(1)).cloned().unwrap_or_default();
            object.remove(&key);
        }
        (2, Value::Object(object)) => {
            object.insert(["span", "kind", "statement", "node", "is", "x", "", "items"][at].to_owned(), other);
        }
        (0..3, Value::Array(values)) if !values.is_empty() => {
            values.remove(at % values.len());
        }
        (3, Value::Array(values)) => values.insert(at.min(values.len()), other),
        (4, value) => {
            *value = [json!(null), json!([]), json!({}), json!(-1), json!(true), json!(""), json!("\u{e9}"), json!(1e9)]
                [at]
                .clone()
        }
        (5, Value::Number(number)) => {
            *number = [0_i64, -1, 1, 21, 80, 255, i64::from(i32::MIN), i64::from(i32::MAX)][at].into()
        }
        (6, Value::String(text)) => {
            *text = ["random", "error", "lit", "$x", "newt", "pit", "%", "\u{2500}"][at].to_owned()
        }
        (_, value) => *value = other,
    }
}

#[test]
fn changed_documents_are_read_or_rejected() {
    let (mut read_count, mut refused, mut judged, mut compiled) = (0, 0, 0, 0);
    let mut numbers = Numbers(0x2545_f491_4f6c_dd1d);
    for (path, catalog) in corpus_files() {
        let original = des_file(&path, catalog, true);
        let whole: Value = serde_json::from_str(&dump(&original, catalog)).unwrap();
        let mut bare = whole.clone();
        super::round_trip::without_places(&mut bare);
        for round in 0..splc_tests::cases(40) {
            let mut value = if round % 4 == 0 { whole.clone() } else { bare.clone() };
            for _ in 0..=numbers.below(2) {
                change(&mut value, &mut numbers);
            }
            let Ok(mut read) = document(&value.to_string()) else {
                refused += 1;
                continue;
            };
            read_count += 1;
            // A valid document can be dumped, and the dump reads back the same.
            let text = dump(&read, catalog);
            let again = document(&text).map_err(|(_, problems)| (problems, text)).unwrap();
            assert!(again.module == read.module, "{}", path.display());
            let mut diagnostics = Diagnostics::new();
            check::check(&mut read.module, catalog, &mut diagnostics);
            judged += 1;
            if !diagnostics.has_errors() {
                compiled += 1;
                for abi in abi::ALL.iter().filter(|abi| catalog.header(abi.name).is_some()).take(1) {
                    let header = catalog.header(abi.name).unwrap();
                    let mut diagnostics = Diagnostics::new();
                    lower_each(&read.module, catalog, abi, &mut diagnostics, |_, level, _| {
                        // A text that is too long is only detected here.
                        let _ = splc_backends::level_file::encode(&level, catalog, abi, header);
                    });
                }
            }
        }
    }
    println!("{refused} changed documents refused; {read_count} read, {judged} judged, {compiled} compiled");
    let [many, some] = [300, 100].map(splc_tests::cases);
    assert!(refused > many && read_count > many && compiled > some, "{refused} {read_count} {compiled}");
}
