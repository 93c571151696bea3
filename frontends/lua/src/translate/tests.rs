//! Every function and key of NetHack 5's tables is translated, refused or noted.

use splc_ir::catalog::Catalog;
use splc_ir::diagnostic::Diagnostics;
use splc_ir::source::{SourceMap, Span, Text};

use super::translate;
use crate::functions::{Argument, Function, Gives, Library};
use crate::keys::Key;
use crate::kinds::{Kind, Need};
use crate::libraries::LIBRARIES;

fn catalog() -> &'static Catalog {
    Catalog::by_name("nethack-5.0.0").unwrap()
}

/// Translates a script, and returns the level and its notes without their spans, or the reason why there is none.
fn translated(script: &str) -> Result<String, String> {
    let (mut sources, mut diagnostics) = (SourceMap::new(), Diagnostics::new());
    let text = format!("des.map([[\n.....\n.....\n.....\n]])\n{script}\n");
    let file = sources.add("x.lua", None, text.into_bytes());
    let chunk = crate::parse(&sources, file, &mut diagnostics);
    let problems: Vec<&str> = diagnostics.iter().map(|problem| problem.message.text()).collect();
    assert!(problems.is_empty(), "{problems:?} in {script}");
    match translate(&chunk, &Text::from("x"), Span::NOWHERE, catalog()) {
        Ok(made) => {
            let notes: Vec<&str> = made.notes.iter().map(|note| note.what.as_str()).collect();
            Ok(without_spans(&format!("{:?} {:?} {notes:?}", made.level.flags, made.level.body)))
        }
        Err(refused) => Err(refused.what),
    }
}

/// Removes the spans from a value in Rust's debug form.
fn without_spans(text: &str) -> String {
    let mut parts = text.split("Span {");
    let mut plain = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        plain.push_str(part.split_once('}').map_or(part, |(_, rest)| rest));
    }
    plain
}

/// Returns values that an argument or key of this kind takes.
fn samples(kind: Kind) -> Vec<String> {
    let quoted = |words: &[&str]| words.iter().map(|word| format!("\"{word}\"")).collect();
    let plain = |words: &[&str]| words.iter().map(|word| (*word).to_owned()).collect();
    match kind {
        Kind::Any | Kind::Integer | Kind::IntegerOrRandom => plain(&["0", "1", "2"]),
        Kind::Boolean | Kind::Truth => plain(&["true", "false"]),
        Kind::Text | Kind::TextOrFunction | Kind::Destination => quoted(&["abc"]),
        Kind::Word(words) => quoted(&words.all(catalog())),
        Kind::Monster | Kind::MonsterOrClass => quoted(&["kobold"]),
        Kind::Montype => quoted(&["kobold", "spinach", "empty", "F"]),
        Kind::MonsterClass => quoted(&["F"]),
        Kind::Object | Kind::ObjectOrClass => quoted(&["dagger"]),
        Kind::ObjectClass => quoted(&["!"]),
        Kind::Appearance => quoted(&["obj:boulder", "mon:kobold", "ter:fountain"]),
        Kind::Trap => quoted(&["pit", "land mine"]),
        Kind::Room => quoted(&["temple"]),
        Kind::MapCharacter | Kind::MapFragment => quoted(&["T"]),
        Kind::Map => plain(&["[[\n..}..\n]]"]),
        Kind::Place => plain(&["{ 2, 1 }"]),
        Kind::Region => plain(&["{ 1, 1, 2, 2 }"]),
        Kind::Selection => plain(&["selection.area(1, 1, 2, 2)"]),
        Kind::Contents => plain(&["function() des.object(\"!\") end"]),
        Kind::Function => plain(&["function(x, y) des.object(\"!\", x, y) end"]),
        Kind::Keys => plain(&["{}"]),
        Kind::Table => plain(&["{ \"a\", \"b\" }"]),
        Kind::ObjectHandle => plain(&["obj.new(\"dagger\")"]),
    }
}

/// Keys without which a call is refused, or says nothing about the others.
const GIVEN: &[(&str, &[(&str, &str)])] = &[
    ("door", &[("state", "\"open\""), ("wall", "\"north\"")]),
    ("drawbridge", &[("dir", "\"north\""), ("state", "\"open\"")]),
    ("engraving", &[("text", "\"x\"")]),
    ("exclusion", &[("region", "{ 0, 0, 1, 1 }")]),
    ("feature", &[("type", "\"fountain\"")]),
    ("levregion", &[("region", "{ 0, 0, 1, 1 }"), ("exclude", "{ 2, 2, 3, 2 }")]),
    ("teleport_region", &[("region", "{ 0, 0, 1, 1 }"), ("exclude", "{ 2, 2, 3, 2 }")]),
    ("map", &[("halign", "\"left\""), ("valign", "\"top\""), ("map", "[[\n..\n..\n]]")]),
    ("mazewalk", &[("x", "1"), ("y", "1"), ("dir", "\"west\"")]),
    ("region", &[("region", "{ 0, 0, 1, 1 }")]),
    ("replace_terrain", &[("region", "{ 0, 0, 1, 1 }"), ("fromterrain", "\".\""), ("toterrain", "\"}\"")]),
    ("room", &[("xalign", "\"center\""), ("yalign", "\"center\""), ("x", "3"), ("y", "3"), ("w", "5"), ("h", "5")]),
    ("terrain", &[("typ", "\"}\""), ("x", "1"), ("y", "1")]),
    ("wall_property", &[("region", "{ 0, 0, 1, 1 }")]),
    ("wallify", &[("x1", "0"), ("y1", "0"), ("x2", "1"), ("y2", "1")]),
    (
        "corridor",
        &[
            ("srcroom", "0"),
            ("srcdoor", "0"),
            ("srcwall", "\"north\""),
            ("destroom", "1"),
            ("destdoor", "0"),
            ("destwall", "\"south\""),
        ],
    ),
    ("gradient", &[("type", "\"radial\""), ("x", "1"), ("y", "1"), ("mindist", "1"), ("maxdist", "3")]),
];

/// Returns a call of a function with a table: the given keys, and `more`.
fn call(library: &str, function: &Function, more: &[(&str, &str)]) -> String {
    let given = GIVEN.iter().find(|(name, _)| *name == function.name).map_or(&[][..], |(_, keys)| *keys);
    let mut text = format!("{library}.{}({{ ", function.name);
    for (key, value) in given.iter().filter(|(key, _)| !more.iter().any(|(other, _)| other == key)).chain(more) {
        text.push_str(&format!("{key} = {value}, "));
    }
    text.push_str("})");
    // A selection is not used by itself.
    if library == "selection" { format!("des.terrain({text}, \"T\")") } else { text }
}

/// Keys that the game does not read in the call that is tried, with the reason.
const UNREAD: &[(&str, &str, &str)] = &[
    ("level_init", "bg", "a solid level has no background"),
    ("levregion", "name", "stairs have no name"),
    ("map", "coord", "the words of a place come first"),
    ("mazewalk", "coord", "x and y come first"),
    ("terrain", "coord", "x and y come first"),
    ("region", "filled", "an ordinary region is not filled"),
    ("region", "x1", "the region comes first"),
    ("region", "x2", "the region comes first"),
    ("region", "y1", "the region comes first"),
    ("region", "y2", "the region comes first"),
    ("replace_terrain", "x1", "the region comes first"),
    ("replace_terrain", "x2", "the region comes first"),
    ("replace_terrain", "y1", "the region comes first"),
    ("replace_terrain", "y2", "the region comes first"),
    ("replace_terrain", "selection", "the region comes first"),
    ("wall_property", "x1", "the region comes first"),
    ("wall_property", "x2", "the region comes first"),
    ("wall_property", "y1", "the region comes first"),
    ("wall_property", "y2", "the region comes first"),
];

/// Values that a call has without their key.
const USUAL: &[(&str, &str, &str)] = &[
    ("monster", "align", "\"random\""),
    ("monster", "keep_default_invent", "true"),
    ("monster", "tail", "true"),
    ("monster", "group", "true"),
    ("object", "buc", "\"random\""),
    ("level_init", "style", "\"solidfill\""),
    ("engraving", "type", "\"engrave\""),
    ("engraving", "degrade", "true"),
    // No monster is required, as without the key (`lspo_object`).
    ("object", "montype", "\"empty\""),
    ("stair", "dir", "\"down\""),
    ("ladder", "dir", "\"down\""),
    ("altar", "align", "\"random\""),
    ("altar", "type", "\"altar\""),
    ("room", "filled", "1"),
    ("room", "joined", "true"),
    ("region", "joined", "true"),
    ("levregion", "type", "\"stair-down\""),
    ("wall_property", "property", "\"nondiggable\""),
    ("teleport_region", "dir", "\"both\""),
];

/// Functions without a counterpart, with all of their keys.
const LOST: &[&str] = &["exclusion", "gas_cloud", "debug_flags"];

#[test]
fn every_key_is_translated_refused_or_noted() {
    let mut silent = Vec::new();
    let mut count = 0;
    for library in LIBRARIES {
        for function in library.functions.iter().filter(|function| function.takes_keys()) {
            for key in function.keys(catalog()) {
                for thing in things(key) {
                    for value in samples(key.kind) {
                        let other = with_thing(function, thing);
                        let without = translated(&call(library.name, function, &other));
                        let mut keys = other.clone();
                        keys.retain(|(name, _)| *name != key.name);
                        keys.push((key.name, &value));
                        let with = translated(&call(library.name, function, &keys));
                        count += 1;
                        if with.is_ok() && with == without {
                            silent.push((function, key, value));
                        }
                    }
                }
            }
        }
    }
    assert!(count > 300, "{count}");
    let is_usual = |function: &Function, key: &Key, value: &str| match key.kind {
        // Marks that are not set.
        Kind::Boolean if (function.name, key.name) == ("monster", "female") => false,
        Kind::Boolean => value == "false" && !matches!(key.name, "joined" | "degrade" | "peaceful" | "asleep"),
        Kind::Integer => value == "0" && matches!(key.name, "eroded" | "recharged"),
        _ => false,
    };
    silent.retain(|(function, key, value)| {
        let given = GIVEN.iter().find(|(name, _)| *name == function.name).map_or(&[][..], |(_, keys)| *keys);
        !given.contains(&(key.name, value)) && value != thing_of(function) && !is_usual(function, key, value)
    });
    let found: Vec<_> = silent.iter().map(|(function, key, value)| (function.name, key.name, value.as_str())).collect();
    let is_known = |(function, key, value): &(&str, &str, &str)| {
        LOST.contains(function)
            || USUAL.contains(&(*function, *key, *value))
            || UNREAD.iter().any(|(other, unread, _)| (other, unread) == (function, key))
    };
    let unknown: Vec<_> = found.iter().filter(|entry| !is_known(entry)).collect();
    assert!(unknown.is_empty(), "{count} tried, silent: {unknown:#?}");
    let usual: Vec<_> = USUAL.iter().filter(|entry| !found.contains(entry)).collect();
    let unread: Vec<_> =
        UNREAD.iter().filter(|(name, key, _)| !found.iter().any(|found| (found.0, found.1) == (*name, *key))).collect();
    assert!(usual.is_empty() && unread.is_empty(), "no longer silent: {usual:?} {unread:?}");
}

/// Returns the type of a feature that is tried.
fn thing_of(function: &Function) -> &'static str {
    if function.name == "feature" { "\"fountain\"" } else { "" }
}

/// Returns the things that have a key, or nothing if every thing has it.
fn things(key: &Key) -> Vec<Option<&'static str>> {
    if key.only.is_empty() { vec![None] } else { key.only.iter().map(|thing| Some(*thing)).collect() }
}

/// Returns the keys that create a thing.
fn with_thing(function: &Function, thing: Option<&'static str>) -> Vec<(&'static str, &'static str)> {
    let name = if function.name == "feature" { "type" } else { "id" };
    let quoted = match thing {
        None => return Vec::new(),
        Some("statue") => "\"statue\"",
        Some("egg") => "\"egg\"",
        Some("corpse") => "\"corpse\"",
        Some("tin") => "\"tin\"",
        Some("figurine") => "\"figurine\"",
        Some("fountain") => "\"fountain\"",
        Some("throne") => "\"throne\"",
        Some("tree") => "\"tree\"",
        Some("sink") => "\"sink\"",
        Some(other) => panic!("{other}"),
    };
    vec![(name, quoted)]
}

/// Functions that neither change the level nor the game, so that a call whose result is not used is not missed.
fn is_pure(library: &Library, function: &Function) -> bool {
    match library.name {
        "selection" => function.name != "iterate",
        "nh" => function.gives != Gives::Nothing,
        _ => false,
    }
}

#[test]
fn every_function_is_translated_refused_or_noted() {
    let empty = translated("").unwrap();
    let mut count = 0;
    for library in LIBRARIES {
        for function in library.functions.iter().filter(|function| !is_pure(library, function)) {
            for form in function.forms {
                let argument = |argument: &Argument| match (argument.kind, argument.name) {
                    (Kind::Keys, _) => {
                        let text = call(library.name, function, &[]);
                        let keys = text.split_once('{').map_or(String::new(), |(_, keys)| format!("{{{keys}"));
                        let keys = keys.trim_end_matches(')');
                        Some(keys.to_owned())
                    }
                    _ => samples(argument.kind).pop().filter(|_| argument.need == Need::Required),
                };
                let arguments: Vec<String> = form.arguments.iter().filter_map(argument).collect();
                let script = format!("{}.{}({})", library.name, function.name, arguments.join(", "));
                let made = translated(&script);
                count += 1;
                assert!(made.as_ref() != Ok(&empty), "{script} is dropped without a note");
            }
        }
    }
    for script in ["pline(\"abc\")", "pline(\"%d\", 3)", "hell_tweaks()", "shuffle(align)"] {
        assert_ne!(translated(script).as_ref(), Ok(&empty), "{script} is dropped without a note");
    }
    assert!(count > 100, "{count}");
}

#[test]
fn texts_of_the_game_become_messages() {
    for (script, expected) in [
        ("nh.pline(\"You smell smoke.\")", "\"You smell smoke.\""),
        ("pline(\"You smell smoke.\")", "\"You smell smoke.\""),
        ("nh.verbalize(\"Halt!\")", "its text is shown without quotes"),
        ("if percent(50) then nh.pline(\"a\") else nh.pline(\"b\") end", "Percent"),
    ] {
        let made = translated(script).unwrap();
        assert!(made.contains("Message") && made.contains(expected), "{made}");
    }
    let lost = translated("nh.text(\"a\", \"b\")").unwrap();
    assert!(!lost.contains("Message") && lost.contains("nh.text() shows a window of text"), "{lost}");
}
