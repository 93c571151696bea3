//! Descriptions of dungeons: `dungeon.def`, and `dungeon.lua` as far as names go.

use std::fmt::Write as _;
use std::ops::Range;

use gen_lsp_types as lsp;
use splc_driver::Opened;
use splc_frontends::dungeon::format::format;
use splc_frontends::dungeon::{Use as WordUse, operands, words};
use splc_ir::dungeon::{Branch, Connection, Description, Dungeon, Item as Part, Level, Range as Places};
use splc_ir::order::Order;
use splc_ir::source::Span;

use crate::items::{Item, List};
use crate::levels;
use crate::server::Server;
use crate::text::word_at;
use crate::view::{View, markdown, symbol};

/// The kind of a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Dungeon,
    /// A level, in the dungeon with this number.
    Level(usize),
}

/// One use of a name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Use {
    pub kind: Kind,
    pub name: String,
    /// The name without its quotes.
    pub range: Range<usize>,
    pub defines: bool,
}

/// Returns the description of a view, if it was read.
fn description(view: &View) -> Option<&Description> {
    match view.opened.as_deref()? {
        Opened::Dungeon(dungeon) => dungeon.description.as_ref(),
        _ => None,
    }
}

/// Returns true for a script of NetHack 5.
fn is_script(view: &View) -> bool {
    view.path.extension().is_some_and(|extension| extension == "lua")
}

/// Returns all names of dungeons and levels, in source order.
pub(crate) fn uses(view: &View) -> Vec<Use> {
    let mut found = Vec::new();
    let mut add = |kind, name: &str, span: Span, defines| {
        let Some(range) = view.span(span) else { return };
        let Some(at) = view.text().get(range.clone()).and_then(|text| text.find(name)).filter(|_| !name.is_empty())
        else {
            return;
        };
        let start = range.start + at;
        found.push(Use { kind, name: name.to_owned(), range: start..start + name.len(), defines });
    };
    let Some(description) = description(view) else { return Vec::new() };
    for (number, dungeon) in description.dungeons.iter().enumerate() {
        add(Kind::Dungeon, &dungeon.name.node, dungeon.name.span, true);
        for item in &dungeon.items {
            let chain = match item {
                Part::Level(level) => {
                    add(Kind::Level(number), &level.name.node, level.name.span, true);
                    &level.chain
                }
                Part::Branch(branch) => {
                    add(Kind::Dungeon, &branch.target.node, branch.target.span, false);
                    &branch.chain
                }
            };
            if let Some(chain) = chain {
                add(Kind::Level(number), &chain.node, chain.span, false);
            }
        }
    }
    found.order_by_key(|used| used.range.start);
    found
}

/// Returns the use of a name at `offset`, and all uses of that name.
pub(crate) fn same(view: &View, offset: usize) -> Option<(Use, Vec<Use>)> {
    let all = uses(view);
    let here = all.iter().find(|used| (used.range.start..=used.range.end).contains(&offset))?.clone();
    let same = all.into_iter().filter(|used| (used.kind, &used.name) == (here.kind, &here.name)).collect();
    Some((here, same))
}

/// Returns the locations that define the name at `offset`: its statement and, for a level, the level in a des-file.
pub(crate) fn definition(server: &Server, view: &View, offset: usize) -> Vec<lsp::Location> {
    let Some((here, all)) = same(view, offset) else { return Vec::new() };
    let mut found: Vec<lsp::Location> = Vec::new();
    if here.defines {
        found.extend(files(view, offset).iter().find_map(|name| levels::place(server, name)));
    }
    if found.is_empty() {
        let defining = all.iter().filter(|used| used.defines);
        found.extend(
            defining.map(|used| lsp::Location { uri: view.uri.clone(), range: view.range(used.range.clone()) }),
        );
    }
    found
}

/// Returns the possible names of the level named at `offset`, as those of its files.
pub(crate) fn files(view: &View, offset: usize) -> Vec<String> {
    let Some((Use { kind: Kind::Level(_), name, .. }, _)) = same(view, offset) else { return Vec::new() };
    // A level with variants has numbered files.
    let variants: Vec<String> = (1..=MAX_VARIANTS).map(|number| format!("{name}-{number}")).collect();
    std::iter::once(name).chain(variants).collect()
}

/// Variants of a level that are looked for.
const MAX_VARIANTS: usize = 4;

/// Checks that `new` can be the name at `offset`.
pub(crate) fn check_name(view: &View, offset: usize, new: &str) -> Result<(), String> {
    if new.is_empty() || new.contains(['"', '\'', '\\', '\n', '\r']) {
        return Err("a name cannot contain quotes, backslashes or line ends".to_owned());
    }
    let Some((here, _)) = same(view, offset) else { return Ok(()) };
    let is_taken = |used: &Use| used.kind == here.kind && used.name == new && here.name != new;
    if uses(view).iter().any(is_taken) { Err(format!("the name {new} already exists")) } else { Ok(()) }
}

/// Returns the dungeons with their levels and branches.
pub(crate) fn symbols(view: &View) -> Vec<lsp::DocumentSymbol> {
    let Some(description) = description(view) else { return Vec::new() };
    let part = |item: &Part| match item {
        Part::Level(level) => {
            let kind = lsp::SymbolKind::Module;
            symbol(
                view,
                level.name.node.to_string(),
                places(level.place),
                kind,
                level.span,
                level.name.span,
                Vec::new(),
            )
        }
        Part::Branch(branch) => {
            let (name, kind) = (branch.target.node.to_string(), lsp::SymbolKind::Interface);
            let detail = format!("branch, {}", places(branch.place));
            symbol(view, name, detail, kind, branch.span, branch.target.span, Vec::new())
        }
    };
    let one = |dungeon: &Dungeon| {
        let inner = dungeon.items.iter().filter_map(part).collect();
        let (name, kind) = (dungeon.name.node.to_string(), lsp::SymbolKind::Namespace);
        symbol(view, name, levels(dungeon.size), kind, whole(dungeon), dungeon.name.span, inner)
    };
    description.dungeons.iter().filter_map(one).collect()
}

/// Returns the span of a dungeon with its levels and branches.
fn whole(dungeon: &Dungeon) -> Span {
    let span = |item: &Part| match item {
        Part::Level(level) => level.span,
        Part::Branch(branch) => branch.span,
    };
    let end = dungeon.items.iter().map(span).filter(|span| !span.is_nowhere()).max_by_key(|span| span.end);
    end.filter(|end| end.end > dungeon.span.end && !dungeon.span.is_nowhere())
        .map_or(dungeon.span, |end| dungeon.span.to(end))
}

/// Returns the ranges that can be folded.
pub(crate) fn folds(view: &View) -> Vec<Range<usize>> {
    let dungeons = description(view).map_or(&[][..], |description| &description.dungeons);
    dungeons.iter().filter_map(|dungeon| view.span(whole(dungeon))).collect()
}

/// Describes a number of levels.
fn levels(size: Places) -> String {
    let most = size.base.saturating_add((size.random - 1).max(0));
    match (size.base, most) {
        (1, 1) => "1 level".to_owned(),
        (base, most) if base == most => format!("{base} levels"),
        (base, most) => format!("{base} to {most} levels"),
    }
}

/// Describes the places that a level or branch can have.
fn places(place: Places) -> String {
    let Places { base, random, .. } = place;
    match random {
        -1 if base < 0 => format!("from {} to the bottom", counted_up(base)),
        -1 => format!("level {base} or below"),
        0 | 1 if base < 0 => counted_up(base),
        0 | 1 => format!("level {base}"),
        random if base < 0 => format!("from {}, {random} levels", counted_up(base)),
        random => format!("levels {base} to {}", base.saturating_add(random - 1)),
    }
}

fn counted_up(base: i32) -> String {
    match base {
        -1 => "the lowest level".to_owned(),
        base => format!("level {} from the bottom", base.unsigned_abs()),
    }
}

/// Describes the word or name at `offset`.
pub(crate) fn hover(view: &View, offset: usize) -> Option<lsp::Hover> {
    if let Some((here, all)) = same(view, offset) {
        let text = match here.kind {
            Kind::Dungeon => of_dungeon(view, &here.name)?,
            Kind::Level(number) => of_level(view, number, &here.name)?,
        };
        let uses = all.iter().filter(|used| !used.defines).count();
        let uses = if uses == 1 { "named once elsewhere".to_owned() } else { format!("named {uses} times elsewhere") };
        return Some(markdown(view, here.range, format!("{text}\n\n{uses}")));
    }
    if is_script(view) || is_comment(view, offset) {
        return None;
    }
    let range = word_at(view.text(), offset);
    let word = view.text().get(range.clone())?;
    let (_, of, meaning) = words().find(|(known, ..)| *known == word)?;
    let text = match of {
        WordUse::Statement => format!("```\n{meaning}\n```"),
        WordUse::Connection => format!("**{word}** — {meaning}\n\ntype of a branch"),
        WordUse::Direction | WordUse::Trait | WordUse::Alignment => format!("**{word}** — {meaning}"),
    };
    Some(markdown(view, range, text))
}

fn is_comment(view: &View, offset: usize) -> bool {
    view.text.line_text(view.text.line_of(offset)).starts_with('#')
}

fn of_dungeon(view: &View, name: &str) -> Option<String> {
    let description = description(view)?;
    let dungeon = description.dungeons.iter().find(|dungeon| dungeon.name.node == *name);
    let Some(dungeon) = dungeon else { return Some(format!("**{name}** — dungeon that is not described")) };
    let mut text = format!("**{name}** — dungeon, {}", levels(dungeon.size));
    if dungeon.chance != 0 {
        let _ = write!(text, ", exists with {}%", dungeon.chance);
    }
    let traits: Vec<&str> = dungeon.traits.iter().map(|one| one.word()).collect();
    if !traits.is_empty() {
        let _ = write!(text, "\n\n{}", traits.join(", "));
    }
    let into = |other: &Dungeon, branch: &Branch| {
        format!("from {}: {}, {}", other.name.node, branch_place(branch), connection(branch.connection))
    };
    for other in &description.dungeons {
        for branch in other.branches().filter(|branch| branch.target.node == *name) {
            let _ = write!(text, "\n\n{}", into(other, branch));
        }
    }
    Some(text)
}

fn branch_place(branch: &Branch) -> String {
    chained(branch.chain.as_ref().map(|chain| chain.node.as_str()), branch.place)
}

/// Describes places that may be counted from a level.
fn chained(chain: Option<&str>, place: Places) -> String {
    match chain.filter(|chain| !chain.is_empty()) {
        None => places(place),
        Some(chain) => {
            let Places { base, random, .. } = place;
            let most = base.saturating_add((random - 1).max(0));
            let steps = if base == most { base.to_string() } else { format!("{base} to {most}") };
            format!("{steps} below {chain}")
        }
    }
}

fn connection(connection: Connection) -> &'static str {
    let word = connection.word();
    words().find(|(known, ..)| *known == word).map_or(word, |(_, _, meaning)| meaning)
}

fn of_level(view: &View, number: usize, name: &str) -> Option<String> {
    let dungeon = description(view)?.dungeons.get(number)?;
    let level: Option<&Level> = dungeon.levels().find(|level| level.name.node == *name);
    let Some(level) = level else { return Some(format!("**{name}** — level that is not described")) };
    let place = chained(level.chain.as_ref().map(|chain| chain.node.as_str()), level.place);
    let mut text = format!("**{name}** — level of {}: {place}", dungeon.name.node);
    if level.chance != 100 {
        let _ = write!(text, ", exists with {}%", level.chance);
    }
    match level.variants {
        0 => {}
        1 => _ = write!(text, "\n\none variant: {name}-1"),
        variants => _ = write!(text, "\n\n{variants} variants: {name}-1 to {name}-{variants}"),
    }
    let traits: Vec<&str> = level.traits.iter().map(|one| one.word()).collect();
    if !traits.is_empty() {
        let _ = write!(text, "\n\n{}", traits.join(", "));
    }
    Some(text)
}

/// Adds the words and names that fit at `offset`.
pub(crate) fn completion(server: &Server, view: &View, offset: usize, list: &mut List) {
    if is_script(view) || is_comment(view, offset) {
        return;
    }
    let line = view.text.line(view.text.line_of(offset));
    let Some(before) = view.text().get(line.start..offset) else { return };
    let statement = before.trim_start().split(|character: char| !character.is_ascii_uppercase()).next().unwrap_or("");
    let Some((_, written)) = before.split_once(':') else {
        if before.trim_start() == statement {
            list.replace = offset - statement.len()..word_at(view.text(), offset).end;
            for (word, _, form) in words().filter(|(_, of, _)| *of == WordUse::Statement) {
                let item = Item::new(word, lsp::CompletionItemKind::Keyword).detail(form);
                list.add(item.insert(&format!("{word}:")));
            }
        }
        return;
    };
    let Some(operands) = operands(statement) else { return };
    let quotes = written.matches('"').count();
    let is_open = quotes % 2 == 1;
    let text = quotes / 2;
    let add = |list: &mut List, names: Vec<String>, detail: &str| {
        for name in names {
            let item = Item::new(&name, lsp::CompletionItemKind::Module).detail(detail);
            list.add(if is_open { item } else { item.insert(&format!("\"{name}\"")) });
        }
    };
    if is_open {
        let start = before.rfind('"').map_or(offset, |at| line.start + at + 1);
        let rest = view.text().get(offset..line.end).unwrap_or("");
        list.replace = start..offset + rest.find('"').unwrap_or(0);
    } else {
        list.replace = word_at(view.text(), offset);
    }
    let all = uses(view);
    let defined = |kind: Kind| {
        all.iter().filter(|used| used.defines && used.kind == kind).map(|used| used.name.clone()).collect()
    };
    // The dungeon that the line belongs to.
    let number =
        all.iter().filter(|used| used.kind == Kind::Dungeon && used.defines && used.range.start < line.start).count();
    if operands.chain == Some(text) {
        let Some(number) = number.checked_sub(1) else { return };
        add(list, defined(Kind::Level(number)), "level");
    } else if text == 0 && statement.ends_with("BRANCH") {
        add(list, defined(Kind::Dungeon), "dungeon");
    } else if text == 0 && !operands.names_dungeon && statement.contains("LEVEL") && !statement.starts_with("LEVELDESC")
    {
        add(list, levels::names(server), "level");
    }
    // Those of a branch come after its place.
    if !is_open && (quotes == 0 || written.contains(')')) {
        for (word, _, meaning) in words().filter(|(_, of, _)| operands.words.contains(of)) {
            list.add(Item::new(word, lsp::CompletionItemKind::EnumMember).detail(meaning));
        }
    }
}

/// Returns the description formatted, unless it has errors.
pub(crate) fn formatted(view: &View) -> Option<String> {
    if is_script(view) || view.diagnostics().is_none_or(|found| found.has_errors()) {
        return None;
    }
    Some(format(view.text(), view.catalog().dungeon.controls))
}
