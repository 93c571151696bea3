//! A description of a dungeon as text, in the language of `dungeon.def`.

use std::fmt::Write as _;

use splc_ir::diagnostic::{Code, Diagnostic};
use splc_ir::dungeon::{Bones, Branch, Connection, Description, Direction, Dungeon, Item, Level, Range, Trait};

/// Column of a statement's operands.
pub const COLUMN: usize = 16;

/// Returns `description` as a `dungeon.def`. Reading it results in the same description.
///
/// # Errors
/// If a name contains a double quote or a control character, which no `dungeon.def` can write. Only a damaged file or a
/// dungeon.lua has such a name.
pub fn print(description: &Description) -> Result<String, Diagnostic> {
    let mut names = description.dungeons.iter().flat_map(|dungeon| {
        let of_items = dungeon.items.iter().flat_map(|item| match item {
            Item::Level(level) => [Some(&level.name), level.chain.as_ref()],
            Item::Branch(branch) => [Some(&branch.target), branch.chain.as_ref()],
        });
        let of_items = of_items.flatten();
        [&dungeon.name, &dungeon.prototype].into_iter().chain(of_items)
    });
    if let Some(name) = names.find(|name| name.node.contains(|letter: char| letter == '"' || letter.is_control())) {
        let message = format!("the name '{}' cannot be written in a dungeon description", name.node.escape_debug());
        return Err(Diagnostic::new(Code::NoSource, name.span, message)
            .with_note("a name in quotes cannot contain a double quote or a control character")
            .with_help("use `--emit json`, or `splc dungeon show`"));
    }
    let mut out = String::new();
    for (number, dungeon) in description.dungeons.iter().enumerate() {
        if number > 0 {
            out.push('\n');
        }
        print_dungeon(dungeon, &mut out);
    }
    Ok(out)
}

/// Appends the statement `word` with its operands.
fn statement(out: &mut String, word: &str, says: std::fmt::Arguments<'_>) {
    let word = format!("{word}:");
    let _ = writeln!(out, "{word:<width$}{says}", width = COLUMN);
}

fn bones(bones: Bones) -> String {
    bones.map_or("none".to_owned(), String::from)
}

fn print_dungeon(dungeon: &Dungeon, out: &mut String) {
    let Range { base, random, .. } = dungeon.size;
    let chance = if dungeon.chance == 0 { String::new() } else { format!(" {}", dungeon.chance) };
    let (name, bones) = (&dungeon.name.node, bones(dungeon.bones.node));
    statement(out, "DUNGEON", format_args!("\"{name}\" \"{bones}\" ({base}, {random}){chance}"));
    // An empty name only has a meaning after another.
    let last = Some(&dungeon.prototype.node).filter(|name| !name.is_empty() || !dungeon.overwritten.is_empty());
    for name in dungeon.overwritten.iter().chain(last) {
        statement(out, "PROTOFILE", format_args!("\"{name}\""));
    }
    traits(&dungeon.traits, "DESCRIPTION", "ALIGNMENT", out);
    if dungeon.entry != 0 {
        statement(out, "ENTRY", format_args!("{}", dungeon.entry));
    }
    for item in &dungeon.items {
        match item {
            Item::Level(level) => print_level(level, out),
            Item::Branch(branch) => print_branch(branch, out),
        }
    }
}

fn traits(traits: &[Trait], description: &str, alignment: &str, out: &mut String) {
    for one in traits {
        let word = if one.is_alignment() { alignment } else { description };
        statement(out, word, format_args!("{}", one.word()));
    }
}

fn print_level(level: &Level, out: &mut String) {
    let word = match (level.variants, &level.chain) {
        (0, None) => "LEVEL",
        (_, None) => "RNDLEVEL",
        (0, Some(_)) => "CHAINLEVEL",
        (_, Some(_)) => "RNDCHLEVEL",
    };
    let from = match &level.chain {
        None => "@".to_owned(),
        Some(chain) => format!("\"{}\" +", chain.node),
    };
    let Range { base, random, .. } = level.place;
    let chance = if level.chance == 100 { String::new() } else { format!(" {}", level.chance) };
    let variants = if level.variants == 0 { String::new() } else { format!(" {}", level.variants) };
    let (name, bones) = (&level.name.node, bones(level.bones.node));
    statement(out, word, format_args!("\"{name}\" \"{bones}\" {from} ({base}, {random}){chance}{variants}"));
    traits(&level.traits, "LEVELDESC", "LEVALIGN", out);
}

fn print_branch(branch: &Branch, out: &mut String) {
    let Range { base, random, .. } = branch.place;
    let (word, from) = match &branch.chain {
        None => ("BRANCH", "@".to_owned()),
        Some(chain) => ("CHAINBRANCH", format!("\"{}\" +", chain.node)),
    };
    let connection = match branch.connection {
        Connection::Stair => String::new(),
        other => format!(" {}", other.word()),
    };
    let direction = match branch.direction {
        Direction::Down => "",
        Direction::Up => " up",
    };
    let entry = if branch.entry == 0 { String::new() } else { format!(" {}", branch.entry) };
    let target = &branch.target.node;
    statement(out, word, format_args!("\"{target}\" {from} ({base}, {random}){connection}{direction}{entry}"));
}
