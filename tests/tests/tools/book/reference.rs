//! The generated pages of the reference. Each is made from the table that the programs use, so it cannot be out of date
//! without failing a test. `UPDATE_SNAPSHOTS=1` writes them.

use std::fmt::Write as _;

use splc_backends::output;
use splc_frontends::manual::{self, Example, PAGES, Page};
use splc_ir::catalog::Color;
use splc_ir::catalog::dialect::{self, Dialect};
use splc_ir::catalog::{Catalog, Species};
use splc_ir::diagnostic::{Code, Lint, Severity};
use splc_ir::program::{Opcode, Takes};
use splc_ir::words::Group;
use splc_lua::functions::{Form, Function, Kind, Need};
use splc_lua::libraries::LIBRARIES;
use splc_lua::prose;

use super::*;

/// The head of a generated page.
const GENERATED: &str = "<!-- Generated from the tables of splc: do not edit. `UPDATE_SNAPSHOTS=1 cargo test --test \
                         tools book::` writes it. -->\n\n";

/// Columns of a line of prose.
const COLUMNS: usize = 120;

/// The subjects of the codes, by their first letters.
const CODES: &[(&str, &str)] = &[
    ("N05", "Notes"),
    ("E00", "Reading a file"),
    ("E01", "Variables and functions"),
    ("E02", "Names, places and sizes"),
    ("E03", "Levels, files and targets"),
    ("W03", "Files without a level"),
    ("E05", "Levels that cannot be loaded"),
    ("W05", "Frozen levels"),
    ("E06", "Archives and dungeons"),
    ("W06", "Doubtful dungeons"),
    ("E07", "Catalogs"),
    ("E08", "Ports that are not possible"),
    ("W08", "Ports"),
    ("W04", "Doubtful levels"),
    ("W09", "Finished levels"),
    ("E10", "Scripts of NetHack 5"),
    ("W10", "Doubtful scripts of NetHack 5"),
];

/// Returns the games that stand for the dialects: the default target of each.
fn games() -> Vec<(&'static Dialect, &'static Catalog)> {
    dialect::all().map(|dialect| (dialect, dialect.default_target().unwrap())).collect()
}

/// A row of a table.
fn row(cells: &[String]) -> String {
    format!("| {} |\n", cells.iter().map(|cell| cell.replace('|', "\\|")).collect::<Vec<_>>().join(" | "))
}

/// A table with `head`.
fn table(head: &[&str], rows: impl IntoIterator<Item = Vec<String>>) -> String {
    let mut text = row(&head.iter().map(|&cell| cell.to_owned()).collect::<Vec<_>>());
    text.push_str(&format!("|{}\n", " --- |".repeat(head.len())));
    for cells in rows {
        text.push_str(&row(&cells));
    }
    text
}

/// An item of a list, in lines that are not too long.
fn item(text: &str) -> String {
    let mut lines = vec!["-".to_owned()];
    for word in text.split(' ') {
        if lines.last().unwrap().len() + word.len() >= COLUMNS {
            lines.push(" ".to_owned());
        }
        let line = lines.last_mut().unwrap();
        line.push(' ');
        line.push_str(word);
    }
    lines.join("\n") + "\n"
}

/// Text as code in Markdown, whatever characters it has.
fn code(text: &str) -> String {
    if text.contains('`') { format!("`` {text} ``") } else { format!("`{text}`") }
}

fn file_of(page: &Page) -> String {
    format!("{}.md", page.word().to_lowercase())
}

// --- Statements

/// Returns an example as a whole level.
fn whole(dialect: &Dialect, example: &Example) -> String {
    let is_level = ["LEVEL:", "MAZE:", "INCLUDE ", "FUNCTION "].iter().any(|word| example.text.starts_with(word));
    if is_level { example.text.to_owned() } else { framed(dialect.name, example.text) }
}

/// The example of `page` that its pictures and ports show.
fn shown(page: &Page) -> (&'static Dialect, &Example) {
    let order = ["nethack36", "unnethack", "sporkhack", "nethack343"];
    let dialects = order.iter().filter_map(|name| Dialect::by_name(name));
    dialects.filter_map(|dialect| Some((dialect, page.example(dialect)?))).next().unwrap()
}

/// Returns the rows of the map that `splc run` draws for the file, without the blanks around it.
fn map(place: &Place, dialect: &Dialect) -> Vec<String> {
    let run = place.shell(&format!("splc run --dialect {} --json part.des", dialect.name));
    assert_eq!(run.status, Some(0), "{}", run.err);
    let level: serde_json::Value = serde_json::from_str(&run.out).unwrap();
    let rows: Vec<&str> = level["picture"].as_array().unwrap().iter().map(|row| row.as_str().unwrap()).collect();
    let used: Vec<&&str> = rows.iter().filter(|row| !row.trim().is_empty()).collect();
    let left = used.iter().map(|row| row.len() - row.trim_start().len()).min().unwrap_or(0);
    used.iter().map(|row| row[left..].trim_end().to_owned()).collect()
}

/// Returns the lines of `text` without those of `frame`, each of which is removed once.
fn without(text: &str, frame: &str) -> String {
    let mut frame: Vec<&str> = frame.lines().collect();
    let mut kept = String::new();
    for line in text.lines() {
        if let Some(at) = frame.iter().position(|known| *known == line) {
            frame.remove(at);
        } else {
            kept.push_str(line);
            kept.push('\n');
        }
    }
    kept
}

/// Returns the text that the example of `page` becomes in the language of `target`, and the warnings.
fn ported(place: &Place, page: &Page, target: &Dialect) -> (String, Vec<String>) {
    let (dialect, example) = shown(page);
    let port = |text: &str| {
        place.write("part.des", text);
        let (from, to) = (dialect.name, target.name);
        place.shell(&format!("splc port --dialect {from} --to {to} --message-format short part.des -o -"))
    };
    let text = whole(dialect, example);
    let run = port(&text);
    let messages = |run: &Run| -> String {
        let lines = run.err.lines().filter_map(|line| Some(line.split_once("]: ")?.1));
        lines.map(|line| format!("{line}\n")).collect()
    };
    let (mut lines, mut said) = (run.out.clone(), messages(&run));
    if text != example.text {
        let frame = port(&framed(dialect.name, ""));
        (lines, said) = (without(&lines, &frame.out), without(&said, &messages(&frame)));
    }
    (lines, said.lines().map(str::to_owned).collect())
}

/// The examples of `splc explain`: code, wrong text, right text.
fn code_examples() -> Vec<(String, String, String)> {
    let text = fs::read_to_string(workspace().join("cli/src/explain/examples.txt")).unwrap();
    let parts = text.split("=== ").filter(|part| !part.is_empty()).collect::<Vec<_>>();
    let pairs = parts.chunks(2).map(|pair| {
        let (head, wrong) = pair[0].split_once('\n').unwrap();
        let right = pair[1].split_once('\n').unwrap().1;
        (head.split(' ').next().unwrap().to_owned(), wrong.to_owned(), right.to_owned())
    });
    pairs.collect()
}

/// Returns the codes whose examples are about `page`: the wrong and the right one differ in a line that begins with one
/// of its words.
fn codes_about(page: &Page, examples: &[(String, String, String)]) -> Vec<Code> {
    let is_about = |line: &str| {
        let line = line.trim_start();
        page.words.iter().any(|word| {
            line.strip_prefix(word)
                .is_some_and(|rest| !rest.starts_with(|next: char| next.is_alphanumeric() || next == '_'))
        })
    };
    let about = examples.iter().filter(|(_, wrong, right)| {
        let (wrong, right): (Vec<&str>, Vec<&str>) = (wrong.lines().collect(), right.lines().collect());
        let removed = wrong.iter().filter(|line| !right.contains(line));
        let added = right.iter().filter(|line| !wrong.contains(line));
        removed.chain(added).any(|line| is_about(line))
    });
    let code = |name: &str| *Code::ALL.iter().find(|code| code.as_str() == name).unwrap();
    about.map(|(name, ..)| code(name)).collect()
}

/// Returns the file of the page about `code`, without its folder.
fn page_of_code(code: Code) -> String {
    format!("{}.md", code.as_str()[..3].to_lowercase())
}

/// Returns the link to the explanation of `code`, from the folder `from` below `reference`.
fn link_to_code(code: Code, from: &str) -> String {
    let (name, file) = (code.as_str(), page_of_code(code));
    format!("[{name} {}]({from}codes/{file}#{}-{})", code.name(), name.to_lowercase(), code.name())
}

fn statement(place: &Place, page: &Page, examples: &[(String, String, String)]) -> String {
    let (heading, body) = page.markdown().split_once('\n').map(|(a, b)| (a.to_owned(), b.to_owned())).unwrap();
    let text_of_examples = format!("{heading}\n\n{GENERATED}{}", body.trim_start());
    let mut text = String::new();
    // The listings of the examples are checked like all others.
    for line in text_of_examples.split_inclusive('\n') {
        if let Some(titles) = line.strip_prefix("## Example for ") {
            let title = titles.trim_end().split(", ").next().unwrap();
            let dialect = dialect::all().find(|dialect| dialect.title == title).unwrap();
            let example = page.example(dialect).unwrap();
            let is_whole = whole(dialect, example) == example.text;
            text.push_str(line);
            // An INCLUDE needs its file.
            if !example.text.starts_with("INCLUDE") {
                let kind = if is_whole { "file: part.des, " } else { "part: " };
                let _ = write!(text, "\n<!-- {kind}{} -->", dialect.name);
            } else {
                text.push_str("\n<!-- file: include.des -->");
            }
        } else {
            text.push_str(line);
        }
    }
    let (dialect, example) = shown(page);
    place.write("part.des", &framed(dialect.name, ""));
    let empty = map(place, dialect);
    place.write("part.des", &whole(dialect, example));
    let picture = map(place, dialect);
    if picture != empty && !picture.is_empty() {
        let _ = write!(text, "\n## Picture\n\nThe example for {}, seed 1:\n\n```text\n", dialect.title);
        picture.iter().for_each(|row| _ = writeln!(text, "{row}"));
        text.push_str("```\n");
    }
    text.push_str("\n## In a port\n\n");
    let _ = writeln!(text, "The example for {} becomes:\n", dialect.title);
    for target in dialect::all().filter(|target| target.name != dialect.name) {
        let (lines, messages) = ported(place, page, target);
        let _ = writeln!(text, "**{}**\n", target.title);
        if !lines.trim().is_empty() {
            let _ = writeln!(text, "```text\n{}```\n", lines);
        } else if messages.is_empty() {
            let _ = writeln!(text, "Nothing: the level is the same without it.\n");
        }
        messages.iter().for_each(|message| text.push_str(&item(message)));
        if !messages.is_empty() {
            text.push('\n');
        }
    }
    let codes = codes_about(page, examples);
    if !codes.is_empty() {
        text.push_str("## Messages about it\n\n");
        for code in codes {
            let _ = writeln!(text, "- {}: {}", link_to_code(code, "../"), code.explanation());
        }
        text.push('\n');
    }
    text.truncate(text.trim_end().len());
    text.push('\n');
    text
}

fn statements() -> String {
    let dialects: Vec<&Dialect> = dialect::ALL.iter().collect();
    let mut text = "# Statements\n\n".to_owned() + GENERATED;
    text.push_str(
        "For authors: every statement of des-files, with its syntax, operands, effect, differences between the games, an \
         example,\nand its port. `splc explain MONSTER` prints the same text.\n\n",
    );
    let mut head = vec!["statement", "effect"];
    head.extend(dialects.iter().map(|dialect| dialect.title));
    text.push_str(&table(
        &head,
        PAGES.iter().map(|page| {
            let mut cells = vec![format!("[{}](statements/{})", page.words.join(", "), file_of(page)), page.summary()];
            cells.extend(
                dialects.iter().map(|dialect| if page.example(dialect).is_some() { "yes" } else { "" }.to_owned()),
            );
            cells
        }),
    ));
    text
}

// --- Codes

fn level_of(code: Code) -> &'static str {
    match (code.lint(), code.severity()) {
        (Lint::Warn, _) => "warning",
        (Lint::Allow, _) => "off",
        (Lint::Fixed, Severity::Error) => "error",
        (Lint::Fixed, Severity::Warning) => "warning, always",
        (Lint::Fixed, Severity::Note) => "note",
    }
}

fn codes() -> String {
    let mut text = "# Codes\n\n".to_owned() + GENERATED;
    text.push_str(
        "For readers of messages: every code of splc. The links lead to a wrong and a right example of each. \
         `splc explain CODE`\nprints the same text. A warning has a name for `-W`, `-D` and `-A`: see \
         [messages](messages.md#lints).\n",
    );
    for (group, title) in CODES {
        let _ = writeln!(text, "\n## {title}\n");
        let codes = Code::ALL.iter().filter(|code| code.as_str().starts_with(group));
        text.push_str(&table(
            &["code", "default", "meaning"],
            codes.map(|code| {
                vec![link_to_code(*code, ""), level_of(*code).to_owned(), code.explanation().replace('\n', " ")]
            }),
        ));
    }
    text
}

fn codes_of(place: &Place, group: &str, title: &str) -> String {
    let mut text = format!("# {title}\n\n{GENERATED}");
    let _ = writeln!(text, "The codes that begin with {group}. [All codes](../codes.md)");
    for code in Code::ALL.iter().filter(|code| code.as_str().starts_with(group)) {
        let explained = place.shell(&format!("splc explain {}", code.as_str())).out;
        let (head, rest) = explained.split_once('\n').unwrap();
        let (_, meaning) = head.split_once(": ").unwrap();
        let _ = write!(text, "\n## {} {}\n\n{meaning}\n\n{}", code.as_str(), code.name(), rest);
    }
    text
}

// --- Names

/// A symbol in its colour, as `book.css` has it. A forge shows it without the colour.
fn glyph(symbol: char, color: Color) -> String {
    let symbol = match symbol {
        '&' => "&amp;".to_owned(),
        '<' => "&lt;".to_owned(),
        '>' => "&gt;".to_owned(),
        // Characters that Markdown reads.
        '*' | '_' | '`' | '\\' | '[' | ']' | '|' | '~' => format!("&#{};", u32::from(symbol)),
        ' ' => "&nbsp;".to_owned(),
        symbol => symbol.to_string(),
    };
    format!("<code class=\"nh {}\">{symbol}</code>", color.as_str())
}

fn species(all: &[Species], title: &str) -> String {
    let mut text = format!("\n## {title}\n\n");
    let mut classes: Vec<(char, Vec<String>)> = Vec::new();
    for one in all.iter().filter(|one| !one.name.is_empty()) {
        let shown = format!("{}&nbsp;{}", glyph(one.class, one.color.unwrap_or_default()), one.name);
        match classes.iter_mut().find(|(class, _)| *class == one.class) {
            Some((_, names)) => names.push(shown),
            None => classes.push((one.class, vec![shown])),
        }
    }
    let rows = classes.into_iter().map(|(class, names)| vec![code(&class.to_string()), names.join(", ")]);
    text.push_str(&table(&["class", "names"], rows));
    text
}

fn names_of(dialect: &Dialect, catalog: &Catalog) -> String {
    let mut text = format!("# Names of {}\n\n{GENERATED}", catalog.title);
    let _ = writeln!(
        text,
        "For authors: the monsters, objects, traps and room types of {}, with their symbols in the game's colours.\nIn \
         a level, write them in quotes, exactly as here.",
        catalog.title
    );
    text.push_str(&species(&catalog.monsters, "Monsters"));
    text.push_str(&species(&catalog.objects, "Objects"));
    let plain = |names: Vec<&str>| names.into_iter().map(|name| vec![code(name)]).collect::<Vec<_>>();
    text.push_str("\n## Traps\n\n");
    text.push_str(&table(
        &["", "trap"],
        catalog.traps.iter().map(|(name, _)| {
            let color = catalog.trap_color(name).unwrap_or(Color::Magenta);
            vec![glyph(if name == "web" { '"' } else { '^' }, color), code(name)]
        }),
    ));
    text.push_str("\n## Room types\n\n");
    text.push_str(&table(&["type"], plain(catalog.rooms.iter().map(|(name, _)| name.as_ref()).collect())));
    if dialect.messages.is_none() {
        text.push_str("\nIn a script, the name alone is enough: `des.monster(\"jackal\")`.\n");
    }
    text
}

fn names() -> String {
    let mut text = "# Monsters, objects, traps, rooms\n\n".to_owned() + GENERATED;
    text.push_str("For authors: the names that each game knows.\n\n");
    text.push_str(&table(
        &["game", "monsters", "objects", "traps", "room types"],
        games().iter().map(|(dialect, catalog)| {
            vec![
                format!("[{}](names/{}.md)", catalog.title, dialect.name),
                catalog.monsters.len().to_string(),
                catalog.objects.len().to_string(),
                catalog.traps.len().to_string(),
                catalog.rooms.len().to_string(),
            ]
        }),
    ));
    text.push_str("\n`splc catalog diff A B` lists the names that only one of two games has.\n");
    text
}

fn terrain() -> String {
    let mut text = "# Terrain\n\n".to_owned() + GENERATED;
    text.push_str(
        "For authors: the characters of maps. \"yes\" marks the games that have one. Digits in a map are skipped, and `x` \
         leaves\nthe square as it is.\n\n",
    );
    let games = games();
    let mut all: Vec<(char, String, String)> = Vec::new();
    for (_, catalog) in &games {
        for (character, number) in catalog.terrain.iter() {
            let name = catalog.level_types.get(*number).map_or("transparent", |name| name.as_ref());
            let look = catalog.look(name);
            let shown = look.map_or_else(String::new, |look| glyph(look.symbol, look.color));
            let look = look.map_or(name.to_owned(), |look| look.name.to_string());
            if !all.iter().any(|(known, ..)| known == character) {
                all.push((*character, shown, look));
            }
        }
    }
    let mut head = vec!["character", "shown as", "terrain"];
    head.extend(games.iter().map(|(dialect, _)| dialect.title));
    text.push_str(&table(
        &head,
        all.into_iter().map(|(character, glyph, look)| {
            let shown = if character == ' ' { "blank".to_owned() } else { code(&character.to_string()) };
            let mut cells = vec![shown, glyph, look];
            let has = |catalog: &Catalog| catalog.terrain.iter().any(|(known, _)| *known == character);
            cells.extend(games.iter().map(|(_, catalog)| if has(catalog) { "yes" } else { "" }.to_owned()));
            cells
        }),
    ));
    text
}

fn words() -> String {
    let mut text = "# Words\n\n".to_owned() + GENERATED;
    text.push_str("For authors: the words that statements take as values, with the games that have them.\n");
    let games = games();
    for &group in Group::ALL {
        let mut all: Vec<&str> = Vec::new();
        for (_, catalog) in &games {
            all.extend(catalog.words(group).filter(|word| !all.contains(word)).collect::<Vec<_>>());
        }
        if all.is_empty() {
            continue;
        }
        let title = group.as_str().replace('_', " ");
        let _ = writeln!(text, "\n## {}{}\n", title[..1].to_uppercase(), &title[1..]);
        let mut head = vec!["word"];
        head.extend(games.iter().map(|(dialect, _)| dialect.title));
        text.push_str(&table(
            &head,
            all.into_iter().map(|word| {
                let mut cells = vec![code(word)];
                let has = |catalog: &Catalog| catalog.words(group).any(|known| known == word);
                cells.extend(games.iter().map(|(_, catalog)| if has(catalog) { "yes" } else { "" }.to_owned()));
                cells
            }),
        ));
    }
    text
}

// --- Lua

/// Returns the kind of a value in words.
fn kind(kind: &Kind, catalog: &Catalog) -> String {
    if let Kind::Word(words) = kind {
        return words.all(catalog).iter().map(|word| code(word)).collect::<Vec<_>>().join(", ");
    }
    let name = format!("{kind:?}");
    let mut words = String::new();
    for letter in name.chars() {
        if letter.is_uppercase() && !words.is_empty() {
            words.push(' ');
        }
        words.extend(letter.to_lowercase());
    }
    words
}

fn form(library: &str, function: &Function, form: &Form) -> String {
    let mut inside = String::new();
    for (at, argument) in form.arguments.iter().enumerate() {
        let name = argument.name.replace(' ', "_");
        let separator = if at > 0 { ", " } else { "" };
        let _ = match argument.need {
            Need::Required => write!(inside, "{separator}{name}"),
            Need::Optional => write!(inside, "[{separator}{name}]"),
        };
    }
    if form.repeated {
        inside.push_str(", ...");
    }
    code(&format!("{library}.{}({inside})", function.name))
}

fn lua() -> String {
    let catalog = dialect::LUA.default_target().unwrap();
    let mut text = "# Lua functions\n\n".to_owned() + GENERATED;
    text.push_str(
        "For authors of levels for NetHack 5: the functions that a level can call, the forms of each call, and the keys \
         of their\ntables. `splc check` uses the same table.\n",
    );
    for library in LIBRARIES {
        let _ = writeln!(text, "\n## {}", library.name);
        for function in library.functions {
            let prose = prose::of_function(library.name, function.name).unwrap_or_default();
            let _ = writeln!(text, "\n### {}.{}\n\n{prose}\n", library.name, function.name);
            for one in function.forms {
                let _ = writeln!(text, "- {}", form(library.name, function, one));
            }
            let mut arguments: Vec<(&str, String)> = Vec::new();
            for argument in function.forms.iter().flat_map(|form| form.arguments) {
                let described = (argument.name, kind(&argument.kind, catalog));
                if !matches!(argument.kind, Kind::Keys) && !arguments.contains(&described) {
                    arguments.push(described);
                }
            }
            if !arguments.is_empty() {
                text.push('\n');
                let rows = arguments.into_iter().map(|(name, kind)| vec![code(&name.replace(' ', "_")), kind]);
                text.push_str(&table(&["argument", "values"], rows));
            }
            let keys: Vec<_> = function.keys(catalog).collect();
            if !keys.is_empty() {
                text.push('\n');
                text.push_str(&table(
                    &["key", "meaning", "values"],
                    keys.into_iter().map(|key| {
                        let need = match (key.need, key.only) {
                            (Need::Required, _) => "; required".to_owned(),
                            (Need::Optional, []) => String::new(),
                            (Need::Optional, only) => format!("; only for {}", only.join(", ")),
                        };
                        let prose = prose::of_key(library.name, function.name, key.name).unwrap_or_default();
                        vec![code(key.name), format!("{prose}{need}"), kind(&key.kind, catalog)]
                    }),
                ));
            }
        }
    }
    text
}

// --- Files

/// Returns the names of the values that an opcode takes.
fn taken(steps: &[Takes]) -> Vec<String> {
    steps
        .iter()
        .map(|step| match step {
            Takes::One(parameter) => parameter.name.replace('_', " "),
            Takes::Repeat(steps) => format!("({})...", taken(steps).join(", ")),
            Takes::Choice { cases, .. } => {
                let cases: Vec<String> = cases.iter().map(|(_, steps)| taken(steps).join(", ")).collect();
                format!("one of ({})", cases.join("; "))
            }
            Takes::ByGame(_, first, second) => {
                let both = [first, second].map(|steps| taken(steps).join(", "));
                format!(
                    "by game ({})",
                    both.iter().map(|one| if one.is_empty() { "nothing" } else { one }).collect::<Vec<_>>().join("; ")
                )
            }
            Takes::Parts(parts) => {
                let details: Vec<&str> = parts.details.iter().map(|(name, _)| *name).collect();
                format!("parts ({})", details.join(", "))
            }
            Takes::Arguments => "arguments".to_owned(),
        })
        .collect()
}

fn opcodes() -> String {
    let mut text = "# Opcodes\n\n".to_owned() + GENERATED;
    text.push_str(
        "For people who read level files: the opcodes of the script games, the values that each takes from the stack (the \
         top one\nfirst), and its number in each game. `splc --emit asm` prints them.\n\n",
    );
    let games: Vec<_> =
        games().into_iter().filter(|(dialect, catalog)| catalog.is_script() && dialect.messages.is_some()).collect();
    let mut head = vec!["opcode", "effect", "takes"];
    head.extend(games.iter().map(|(dialect, _)| dialect.title));
    text.push_str(&table(
        &head,
        Opcode::ALL.iter().map(|&opcode| {
            let mut cells =
                vec![code(opcode.as_str()), opcode.about().to_owned(), taken(opcode.signature().takes).join(", ")];
            cells.extend(
                games
                    .iter()
                    .map(|(_, catalog)| catalog.opcode(opcode).map_or(String::new(), |number| number.to_string())),
            );
            cells
        }),
    ));
    text
}

fn outputs() -> String {
    let mut text = "# Outputs\n\n".to_owned() + GENERATED;
    text.push_str("For users of `--emit`: every format that splc writes.\n");
    for (title, outputs) in [
        ("Of levels", output::LEVELS),
        ("Of ports and decompiled levels", output::SOURCES),
        ("Of dungeons", output::DUNGEONS),
    ] {
        let _ = writeln!(text, "\n## {title}\n");
        text.push_str(&table(
            &["`--emit`", "extension", "contents"],
            outputs.iter().map(|output| {
                let extension =
                    if output.extension.is_empty() { String::new() } else { code(&format!(".{}", output.extension)) };
                vec![code(output.name), extension, output.about.to_owned()]
            }),
        ));
    }
    text
}

/// Returns the names of the commands below `words`, from their help.
fn commands(place: &Place, words: &str) -> Vec<String> {
    let help = place.shell(&format!("splc {words} --help")).out;
    let Some((_, list)) = help.split_once("\nCommands:\n") else { return Vec::new() };
    let list = list.lines().take_while(|line| line.starts_with("  "));
    let names = list.filter(|line| !line.starts_with("   ")).filter_map(|line| line.split_whitespace().next());
    names.filter(|name| *name != "help").map(|name| format!("{words} {name}").trim().to_owned()).collect()
}

fn options(place: &Place) -> String {
    let mut text = "# Options\n\n".to_owned() + GENERATED;
    text.push_str(
        "For users of a terminal: the help of every command. [The command line](command-line.md) explains them.\n",
    );
    let mut waiting = vec![String::new()];
    while let Some(words) = waiting.pop() {
        let help = place.shell(&format!("splc {words} --help")).out;
        let _ = write!(text, "\n## splc {words}").map(|()| text.truncate(text.trim_end().len()));
        let _ = writeln!(text, "\n\n```text\n{}\n```", help.trim_end());
        waiting.extend(commands(place, &words).into_iter().rev());
    }
    text
}

#[test]
fn generated_pages_are_those_of_the_tables() {
    let place = Place::new();
    let folder = workspace().join("docs/reference");
    let examples = code_examples();
    place.write("guards.inc", "FUNCTION guards() {\n  MONSTER: ('@', \"soldier\"), random\n}\n");
    let mut pages = BTreeMap::new();
    for page in PAGES.iter() {
        pages.insert(format!("statements/{}", file_of(page)), statement(&place, page, &examples));
    }
    for (group, title) in CODES {
        pages.insert(format!("codes/{}.md", group.to_lowercase()), codes_of(&place, group, title));
    }
    for (dialect, catalog) in games() {
        pages.insert(format!("names/{}.md", dialect.name), names_of(dialect, catalog));
    }
    for (name, text) in [
        ("statements", statements()),
        ("codes", codes()),
        ("names", names()),
        ("terrain", terrain()),
        ("words", words()),
        ("lua-functions", lua()),
        ("opcodes", opcodes()),
        ("outputs", outputs()),
        ("options", options(&place)),
    ] {
        pages.insert(format!("{name}.md"), text);
    }
    for (name, text) in &pages {
        assert!(text.contains(GENERATED.trim_end()), "{name}");
    }
    // A generated page that nothing generates any more.
    for page in super::pages() {
        let name = page.strip_prefix("docs/reference/").unwrap_or_default();
        assert!(pages.contains_key(name) || !text(&page).contains(GENERATED.trim_end()), "{page} is left over");
    }
    snapshots::compare_files(&folder, &pages);
    let total = pages.len();
    let pairs: usize = PAGES.iter().map(|page| page.dialects().count()).sum();
    println!(
        "{total} generated pages: {} statements, {pairs} with their dialects, {} codes",
        PAGES.len(),
        Code::ALL.len()
    );
}

#[test]
fn each_command_and_each_key_of_the_project_is_on_a_page() {
    let place = Place::new();
    let (options, commands_page) = (text("docs/reference/options.md"), text("docs/reference/command-line.md"));
    let mut waiting = vec![String::new()];
    let mut found = 0;
    while let Some(words) = waiting.pop() {
        let heading = format!("## splc {words}");
        assert!(options.lines().any(|line| line == heading.trim_end()), "options.md lacks {heading}");
        let top = words.split(' ').next().unwrap_or_default();
        assert!(words.is_empty() || commands_page.contains(&format!("`splc {top}")), "command-line.md lacks {words}");
        found += 1;
        waiting.extend(commands(&place, &words));
    }
    assert!(found > 30, "{found} commands");
    // The schema of the project file has all of its keys.
    let schema: serde_json::Value = serde_json::from_str(&place.shell("splc schema project").out).unwrap();
    let page = text("docs/reference/project.md");
    let keys = schema["properties"].as_object().unwrap();
    for key in keys.keys().filter(|key| !key.starts_with('$')) {
        let forms = [format!("`{key}`"), format!("`[{key}]`"), format!("`[[{key}]]`")];
        assert!(forms.iter().any(|form| page.contains(form)), "project.md lacks {key}");
    }
    println!("{found} commands and {} keys of the project file have a place", keys.len());
}

#[test]
fn each_code_belongs_to_a_page() {
    for code in Code::ALL {
        assert!(CODES.iter().any(|(group, _)| code.as_str().starts_with(group)), "{}", code.as_str());
    }
}

#[test]
fn examples_of_statements_compile_in_their_dialects() {
    let place = Place::new();
    place.write("guards.inc", "FUNCTION guards() {\n  MONSTER: ('@', \"soldier\"), random\n}\n");
    let mut wrong = Vec::new();
    for page in PAGES.iter() {
        for dialect in dialect::ALL {
            let (name, title) = (page.word(), dialect.title);
            // A statement that a page denies to a dialect is an error there.
            let (example, expected) = match page.example(dialect) {
                Some(example) => (example, 0),
                None if dialect.name == "nethack343" || shown(page).0.name == "nethack343" => continue,
                None => (shown(page).1, 1),
            };
            place.write("part.des", &whole(dialect, example));
            let run = place.shell(&format!("splc check -D warnings --dialect {} part.des", dialect.name));
            if run.status != Some(expected) {
                wrong.push(format!("{name} of {title}, status {:?}, not {expected}\n{}", run.status, run.err));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn explain_prints_the_page_of_a_statement() {
    let place = Place::new();
    let page = manual::page("MONSTER").unwrap();
    assert_eq!(place.shell("splc explain MONSTER").out, page.markdown());
    assert!(place.shell("splc explain MONSTRE").err.contains("did you mean \"MONSTER\"?"));
    // The name of a code is not taken for a keyword.
    assert!(place.shell("splc explain door").out.starts_with("E0231 door"));
}
