//! Descriptions of dungeons: names, words, outline, rename, formatting.

use serde_json::{Value, json};
use splc_ir::catalog::Catalog;

use super::actions::edited;
use super::client::Client;

const TEXT: &str = "\
# The dungeon of a small game.
DUNGEON: \"The Dungeons of Doom\" \"D\" (25, 5)
ALIGNMENT: unaligned
BRANCH: \"The Mines\" @ (2, 3)
LEVEL: \"oracle\" \"O\" @ (5, 5)
LEVALIGN: neutral
RNDLEVEL: \"bigrm\" \"B\" @ (10, 3) 40 5
CHAINBRANCH: \"The Mines\" \"oracle\" + (1, 0) up
LEVEL: \"castle\" \"none\" @ (-1, 0)
DUNGEON: \"The Mines\" \"M\" (8, 2)
DESCRIPTION: mazelike
LEVEL: \"minend\" \"none\" @ (-1, 0)
";

const URI: &str = "file:///game/dungeon.def";

fn client(text: &str) -> (Client, Value) {
    let mut client = Client::new(Catalog::by_name("nethack-3.6.7").map(Into::into), "utf-16", false);
    client.open(URI, text);
    let found = client.diagnostics(URI, 1);
    (client, found)
}

/// Asks about the place before `at` in the text.
fn ask(client: &mut Client, method: &str, text: &str, at: &str, more: Value) -> Result<Value, String> {
    let offset = text.find(at).unwrap();
    let line = text[..offset].matches('\n').count();
    let column = offset - text[..offset].rfind('\n').map_or(0, |end| end + 1);
    let mut parameters = json!({ "textDocument": { "uri": URI }, "position": { "line": line, "character": column } });
    parameters.as_object_mut().unwrap().extend(more.as_object().cloned().unwrap_or_default());
    client.request(method, parameters)
}

fn hover(client: &mut Client, at: &str) -> String {
    let answer = ask(client, "textDocument/hover", TEXT, at, Value::Null).unwrap();
    answer["contents"]["value"].as_str().unwrap_or_default().to_owned()
}

#[test]
fn names_and_words_are_described() {
    let (mut client, found) = client(TEXT);
    assert_eq!(found, json!([]));
    for (at, text) in [
        (
            "oracle\" \"O",
            "**oracle** — level of The Dungeons of Doom: levels 5 to 9\n\nneutral\n\nnamed once elsewhere",
        ),
        (
            "bigrm",
            "**bigrm** — level of The Dungeons of Doom: levels 10 to 12, exists with 40%\n\n5 variants: bigrm-1 to bigrm-5",
        ),
        ("castle", "level of The Dungeons of Doom: the lowest level"),
        (
            "The Mines\" @",
            "**The Mines** — dungeon, 8 to 9 levels\n\nmazelike\n\nfrom The Dungeons of Doom: levels 2 to 4, stairs at both ends",
        ),
        ("The Mines\" \"o", "from The Dungeons of Doom: 1 below oracle, stairs at both ends"),
        ("RNDLEVEL", "RNDLEVEL: \"name\" \"bones\" @ (base, random) chance variants"),
        ("mazelike", "levels that are not described are mazes"),
        ("up\n", "the branch leads up"),
    ] {
        let shown = hover(&mut client, at);
        assert!(shown.contains(text), "{at}: {shown}");
    }
    assert_eq!(hover(&mut client, "small game"), "");
}

#[test]
fn names_are_found_renamed_and_outlined() {
    let (mut client, _) = client(TEXT);
    let found = ask(&mut client, "textDocument/definition", TEXT, "The Mines\" @", Value::Null).unwrap();
    assert_eq!(found[0]["range"]["start"], json!({ "line": 9, "character": 10 }));
    let references = json!({ "context": { "includeDeclaration": true } });
    let found = ask(&mut client, "textDocument/references", TEXT, "oracle", references).unwrap();
    assert_eq!(found.as_array().unwrap().len(), 2);
    let renamed = ask(&mut client, "textDocument/rename", TEXT, "The Mines", json!({ "newName": "Moria" })).unwrap();
    let new = edited(TEXT, renamed["changes"][URI].as_array().unwrap());
    assert_eq!(new, TEXT.replace("The Mines", "Moria"));
    let taken = ask(&mut client, "textDocument/rename", TEXT, "oracle", json!({ "newName": "castle" }));
    assert_eq!(taken, Err("the name castle already exists".to_owned()));
    let symbols = client.request("textDocument/documentSymbol", json!({ "textDocument": { "uri": URI } })).unwrap();
    assert_eq!(
        (symbols[0]["name"].as_str(), symbols[1]["detail"].as_str()),
        (Some("The Dungeons of Doom"), Some("8 to 9 levels"))
    );
    let inner: Vec<&str> =
        symbols[0]["children"].as_array().unwrap().iter().filter_map(|one| one["name"].as_str()).collect();
    assert_eq!(inner, ["The Mines", "oracle", "bigrm", "The Mines", "castle"]);
    let folds = client.request("textDocument/foldingRange", json!({ "textDocument": { "uri": URI } })).unwrap();
    assert_eq!(folds.as_array().unwrap().len(), 2);
}

#[test]
fn words_and_names_are_completed() {
    for (line, has, lacks) in [
        ("CHAIN", "CHAINLEVEL", "mazelike"),
        ("BRANCH: \"", "The Mines", "oracle"),
        ("BRANCH: \"The Mines\" @ (2, 3) ", "portal", "mazelike"),
        ("CHAINLEVEL: \"x\" \"none\" \"", "minend", "oracle"),
        ("LEVELDESC: ", "town", "neutral"),
        ("LEVALIGN: ", "neutral", "town"),
    ] {
        let text = format!("{TEXT}{line}\u{1}");
        let (mut client, _) = client(&text.replace('\u{1}', ""));
        let answer = ask(&mut client, "textDocument/completion", &text, "\u{1}", Value::Null).unwrap();
        let items = answer["items"].as_array().cloned().unwrap_or_default();
        let labels: Vec<&str> = items.iter().filter_map(|item| item["label"].as_str()).collect();
        assert!(labels.contains(&has) && !labels.contains(&lacks), "{line}: {labels:?}");
    }
}

#[test]
fn a_description_is_formatted() {
    let (mut client, _) = client(TEXT);
    let options = json!({ "tabSize": 2, "insertSpaces": true });
    let parameters = json!({ "textDocument": { "uri": URI }, "options": options });
    let edits = client.request("textDocument/formatting", parameters).unwrap();
    let new = edited(TEXT, edits.as_array().unwrap());
    assert!(new.contains("LEVALIGN:       neutral\n"), "{new}");
    // The tokens are the same.
    assert_eq!(new.split_whitespace().collect::<Vec<_>>(), TEXT.split_whitespace().collect::<Vec<_>>());
}

#[test]
fn a_description_needs_no_settings() {
    let mut client = Client::new(None, "utf-16", false);
    client.open(URI, &TEXT.replace("mazelike", "mazelik"));
    let found = client.diagnostics(URI, 1);
    assert!(found.to_string().contains("mazelike"), "{found}");
}
