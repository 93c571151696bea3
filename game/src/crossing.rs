//! Cross-checks the names of levels: those that a dungeon requests, and those that exist.
//!
//! A game silently generates a maze if a requested level file is missing (`makemaz` in `src/mkmaze.c`). A level that no
//! dungeon requests is never seen.

use std::collections::{BTreeMap, BTreeSet};

use splc_ir::diagnostic::{Code, Diagnostic, did_you_mean};
use splc_ir::dungeon::{Description, Dungeon, Level, Rules};
use splc_ir::source::Span;

/// Requested names, each with the span of the request, or `None` if the game itself requests it.
type Requested = BTreeMap<String, Option<Span>>;

/// Compares `description`, of a game with `rules`, with the existing levels, `names`. Returns a warning for each
/// missing level and for each level that is never requested. `vaults` are names of random vaults, which the game finds
/// through a separate list.
pub fn cross(
    description: &Description,
    rules: &Rules,
    names: &BTreeSet<String>,
    vaults: &BTreeSet<String>,
) -> Vec<Diagnostic> {
    let requested = requested(description, rules);
    let mut found = Vec::new();
    for (name, &span) in requested.iter().filter(|(name, _)| !names.contains(*name)) {
        let unrequested = names.iter().filter(|name| !requested.contains_key(*name)).map(String::as_str);
        let message = match span {
            Some(_) => format!("no level named \"{name}\""),
            None => format!("no level named \"{name}\", which the game itself needs"),
        };
        let diagnostic = Diagnostic::new(Code::LevelMissing, span, message);
        let diagnostic = diagnostic.with_note("the game silently generates a maze in its place");
        found.push(match did_you_mean(name, unrequested) {
            Some(near) => diagnostic.with_help(near),
            None => diagnostic,
        });
    }
    for name in names.iter().filter(|name| !requested.contains_key(*name) && !vaults.contains(*name)) {
        found.push(unused(name, description));
    }
    found
}

/// Returns the warning that the level `name` is never requested, with the reason if it is known.
fn unused(name: &str, description: &Description) -> Diagnostic {
    let levels = || description.dungeons.iter().flat_map(Dungeon::levels);
    let variant = name.rsplit_once('-').and_then(|(base, number)| {
        let level = levels().find(|level| level.name.node == *base)?;
        Some((level, number.parse::<u32>().ok()?))
    });
    let new = |span: Option<Span>, message| Diagnostic::new(Code::LevelUnused, span, message);
    if let Some((level, _)) = variant {
        let base = &level.name.node;
        let message = match level.variants {
            0 => format!("\"{name}\" is not used: \"{base}\" has no variants"),
            count => format!("\"{name}\" is not used: \"{base}\" has {count} variants"),
        };
        return new(Some(level.span), message).with_help("RNDLEVEL ends with the number of variants of a level");
    }
    if let Some(level) = levels().find(|level| level.variants > 0 && level.name.node == *name) {
        let message = format!("\"{name}\" is not used: it has variants, \"{name}-1\" and so on");
        return new(Some(level.span), message);
    }
    new(None, format!("no dungeon uses the level \"{name}\""))
}

fn requested(description: &Description, rules: &Rules) -> Requested {
    let mut requested = Requested::new();
    for name in rules.fillings.iter() {
        requested.insert(name.to_string(), None);
    }
    let mut has_quest = false;
    for dungeon in &description.dungeons {
        for level in dungeon.levels() {
            let name = level.name.node.as_str();
            if rules.built.iter().any(|built| *built == *name) {
                continue;
            }
            match name.strip_prefix(&*rules.quest_prefix) {
                Some(rest) => {
                    has_quest = true;
                    for role in rules.roles.iter() {
                        request(&format!("{role}-{rest}"), level, &mut requested);
                    }
                }
                None => request(name, level, &mut requested),
            }
        }
        prototypes(dungeon, &mut requested);
        if dungeon.prototype.node.is_empty() && !dungeon.lua.filling.is_empty() {
            requested.entry(dungeon.lua.filling.to_string()).or_insert(Some(dungeon.span));
        }
    }
    if has_quest {
        for role in rules.roles.iter() {
            for filling in rules.quest_fillings.iter() {
                requested.insert(format!("{role}-{filling}"), None);
            }
        }
    }
    requested
}

/// Records a request for the level `name`, or for its variants.
fn request(name: &str, level: &Level, requested: &mut Requested) {
    // Far more than any game has. An excessive number is reported elsewhere.
    const MOST: i32 = 1000;
    match level.variants {
        count if count > 0 => {
            for number in 1..=count.min(MOST) {
                requested.entry(format!("{name}-{number}")).or_insert(Some(level.name.span));
            }
        }
        _ => _ = requested.entry(name.to_owned()).or_insert(Some(level.name.span)),
    }
}

/// Records requests for the levels named after the prototype of their dungeon: those without a level that always
/// exists.
fn prototypes(dungeon: &Dungeon, requested: &mut Requested) {
    let name = &dungeon.prototype.node;
    if name.is_empty() {
        return;
    }
    // A size beyond the limit of a dungeon is reported elsewhere.
    let most = dungeon.size.base.saturating_add(dungeon.size.random.max(1) - 1).clamp(0, 32);
    if most == 1 {
        requested.entry(name.to_string()).or_insert(Some(dungeon.prototype.span));
        return;
    }
    for place in 1..=most {
        let always = |level: &&Level| {
            let certain = level.chance >= 100 && level.chain.is_none() && matches!(level.place.random, 0 | 1);
            certain && (level.place.base == place || (dungeon.size.random <= 1 && most + level.place.base + 1 == place))
        };
        if dungeon.levels().find(always).is_none() {
            requested.entry(format!("{name}{place}")).or_insert(Some(dungeon.prototype.span));
        }
    }
}
