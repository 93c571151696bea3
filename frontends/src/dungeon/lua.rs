//! `dungeon.lua`, the description of NetHack 5's dungeon.
//!
//! The game runs it and reads the global `dungeon`: a list of tables, one for each dungeon (NetHack 5.0.0, `dungeon.c`,
//! `init_dungeons`). Here it is read without running it, so the table must consist of literals. Computed values are
//! reported as unknown.

use splc_ir::diagnostic::{Code, Diagnostic, Diagnostics, did_you_mean};
use splc_ir::dungeon::{Branch, Connection, Description, Direction, Dungeon, InLua, Item, Level, Range, Trait};
use splc_ir::source::{FileId, SourceMap, Span, Spanned, Text};
use splc_ir::wording::{Conjunction, listed};
use splc_lua::tree::{Chunk, Entry, Expression, ExpressionKind, Name, StatementKind, UnaryOperator};

const DUNGEON_KEYS: &[&str] = &[
    "name",
    "bonetag",
    "base",
    "range",
    "alignment",
    "flags",
    "entry",
    "chance",
    "protofile",
    "lvlfill",
    "themerooms",
    "branches",
    "levels",
];
const LEVEL_KEYS: &[&str] =
    &["name", "bonetag", "base", "range", "chainlevel", "chance", "nlevels", "alignment", "flags"];
const BRANCH_KEYS: &[&str] = &["name", "base", "range", "chainlevel", "branchtype", "direction"];
const ALIGNMENTS: &[&str] = &["unaligned", "noalign", "lawful", "neutral", "chaotic"];
const FLAGS: &[&str] = &["town", "hellish", "mazelike", "roguelike", "unconnected"];

/// Reads the description of the dungeon in the script `file` of `sources`.
///
/// Errors go to `diagnostics`; the description then contains the parts that could be read.
pub fn parse(sources: &SourceMap, file: FileId, diagnostics: &mut Diagnostics) -> Description {
    let chunk = splc_lua::parse(sources, file, diagnostics);
    description(&chunk, sources, file, diagnostics)
}

/// Reads the description of the dungeon in a script that has been parsed.
pub fn description(chunk: &Chunk, sources: &SourceMap, file: FileId, diagnostics: &mut Diagnostics) -> Description {
    let charset = sources.get(file).charset;
    let mut reader = Reader { sources, diagnostics };
    let mut description = Description { charset, dungeons: Vec::new() };
    let mut found = None;
    for statement in &chunk.body.statements {
        match &statement.kind {
            StatementKind::Assign { targets, values } => match (targets.as_slice(), values.as_slice()) {
                ([Expression { kind: ExpressionKind::Name(name), .. }], [value]) if name.as_str() == "dungeon" => {
                    found = Some(value);
                }
                _ => reader.computed(statement.span),
            },
            _ => reader.computed(statement.span),
        }
    }
    match found {
        Some(value) => {
            for entry in reader.list(value, "dungeon") {
                description.dungeons.extend(reader.dungeon(entry));
            }
        }
        None if !reader.diagnostics.has_errors() => {
            let problem = Diagnostic::new(Code::NoDungeon, None, "the script does not set `dungeon`");
            reader.diagnostics.push(problem.with_help("write dungeon = { { name = ..., base = ... }, ... }"));
        }
        None => {}
    }
    description
}

struct Reader<'a, 'd> {
    sources: &'a SourceMap,
    diagnostics: &'d mut Diagnostics,
}

/// A table with keys.
struct Record<'t> {
    entries: &'t [Entry],
    span: Span,
    what: &'static str,
}

impl<'t> Record<'t> {
    fn get(&self, key: &str) -> Option<&'t Expression> {
        self.entries.iter().rev().find_map(|entry| match entry {
            Entry::Named(name, value) if name.text.as_str() == key => Some(value),
            _ => None,
        })
    }
}

impl Reader<'_, '_> {
    fn computed(&mut self, span: Span) {
        let problem = Diagnostic::new(Code::Syntax, span, "a dungeon script is read without running it")
            .with_label("only `dungeon = { ... }` is read")
            .with_help("write the values literally");
        self.diagnostics.push(problem);
    }

    fn value(&mut self, value: &Expression, wanted: &str) {
        let shown: String = self.sources.text(value.span).lines().next().unwrap_or("").chars().take(30).collect();
        let problem = Diagnostic::new(Code::Syntax, value.span, format!("expected {wanted}, found '{shown}'"))
            .with_label(format!("expected {wanted}"))
            .with_help("write a literal value: a dungeon script is read without running it");
        self.diagnostics.push(problem);
    }

    fn list<'t>(&mut self, value: &'t Expression, what: &'static str) -> Vec<Record<'t>> {
        let ExpressionKind::Table(entries) = &value.bare().kind else {
            self.value(value, "a list of tables");
            return Vec::new();
        };
        let mut records = Vec::new();
        for entry in entries {
            match entry {
                Entry::Item(item) => match &item.bare().kind {
                    ExpressionKind::Table(entries) => records.push(Record { entries, span: item.span, what }),
                    _ => self.value(item, "a table in braces"),
                },
                Entry::Named(name, _) => {
                    let message = format!("a list of {what}s cannot have the key `{}`", name.text.as_str());
                    let problem = Diagnostic::new(Code::Syntax, name.span, message);
                    self.diagnostics
                        .push(problem.with_help("write each as a table in braces: { { name = ... }, ... }"));
                }
                Entry::Keyed(key, _) => self.value(key, "a table in braces"),
            }
        }
        records
    }

    fn keys(&mut self, record: &Record<'_>, known: &[&str]) {
        for entry in record.entries {
            match entry {
                Entry::Named(name, _) if known.contains(&name.text.as_str()) => {}
                Entry::Named(Name { text, span }, _) => {
                    let message = format!("a {} has no key `{}`", record.what, text.as_str());
                    let near = did_you_mean(text.as_str(), known.iter().copied());
                    let help = near.unwrap_or_else(|| format!("valid keys are {}", listed(known, Conjunction::And)));
                    self.diagnostics.push(Diagnostic::new(Code::LuaKey, *span, message).with_help(help));
                }
                Entry::Item(value) | Entry::Keyed(_, value) => {
                    let message = format!("a {} cannot have a value without a key", record.what);
                    self.diagnostics.push(Diagnostic::new(Code::LuaKey, value.span, message));
                }
            }
        }
    }

    fn text(&mut self, record: &Record<'_>, key: &str) -> Option<Spanned<Text>> {
        let value = record.get(key)?;
        match &value.bare().kind {
            ExpressionKind::Text(text) => {
                // The game reads a C string, which ends at the first null byte.
                let text = String::from_utf8_lossy(&text.value);
                Some(Spanned::new(Text::from(text.split('\0').next().unwrap_or_default()), value.span))
            }
            ExpressionKind::Unread => None,
            _ => {
                self.value(value, "a string");
                None
            }
        }
    }

    fn needed(&mut self, record: &Record<'_>, key: &str) {
        if record.get(key).is_none() {
            let message = format!("a {} needs the key `{key}`", record.what);
            let problem =
                Diagnostic::new(Code::LuaMissingKey, record.span, message).with_label("missing in this table");
            self.diagnostics.push(problem);
        }
    }

    fn name(&mut self, record: &Record<'_>) -> Spanned<Text> {
        self.needed(record, "name");
        self.text(record, "name").unwrap_or_else(|| Spanned::new(Text::default(), record.span))
    }

    fn number(&mut self, record: &Record<'_>, key: &str, otherwise: i32) -> i32 {
        let Some(value) = record.get(key) else { return otherwise };
        let number = match &value.bare().kind {
            ExpressionKind::Integer(number) => i32::try_from(*number).ok(),
            ExpressionKind::Unary(UnaryOperator::Minus, inner) => match &inner.bare().kind {
                ExpressionKind::Integer(number) => i32::try_from(-*number).ok(),
                _ => None,
            },
            ExpressionKind::Unread => return otherwise,
            _ => None,
        };
        number.unwrap_or_else(|| {
            self.value(value, "a number");
            otherwise
        })
    }

    fn range(&mut self, record: &Record<'_>) -> Range {
        self.needed(record, "base");
        let span = record.get("base").map_or(record.span, |base| base.span);
        Range { span, base: self.number(record, "base", 1), random: self.number(record, "range", 0) }
    }

    fn bones(&mut self, record: &Record<'_>) -> Spanned<Option<char>> {
        let Some(tag) = self.text(record, "bonetag") else { return Spanned::new(None, record.span) };
        let mut letters = tag.node.chars();
        let first = letters.next();
        if letters.next().is_some() {
            let problem = Diagnostic::new(Code::BonesMarker, tag.span, "a bones marker must be one character")
                .with_help("write one character, or omit bonetag to leave no bones");
            self.diagnostics.push(problem);
        }
        Spanned::new(first, tag.span)
    }

    fn word<'w>(&mut self, record: &Record<'_>, key: &str, known: &'w [&'static str]) -> Option<&'w str> {
        let text = self.text(record, key)?;
        let found = known.iter().copied().find(|word| *word == text.node.as_str());
        if found.is_none() {
            self.unknown_word(&text, key, known);
        }
        found
    }

    fn unknown_word(&mut self, text: &Spanned<Text>, key: &str, known: &[&str]) {
        let message = format!("unknown value \"{}\" for {key}", text.node.as_str());
        let near = did_you_mean(text.node.as_str(), known.iter().copied());
        let all = || format!("write {}", listed(known.iter().map(|word| format!("\"{word}\"")), Conjunction::Or));
        let problem = Diagnostic::new(Code::LuaWord, text.span, message);
        self.diagnostics.push(problem.with_help(near.unwrap_or_else(all)));
    }

    /// Returns the traits, and true if it is unconnected.
    fn traits(&mut self, record: &Record<'_>) -> (Vec<Trait>, bool) {
        let mut words = Vec::new();
        if let Some(value) = record.get("flags") {
            match &value.bare().kind {
                ExpressionKind::Text(_) => words.extend(self.text(record, "flags")),
                ExpressionKind::Table(entries) => {
                    for entry in entries {
                        match &entry.value().bare().kind {
                            ExpressionKind::Text(text) => {
                                let text = Text::from(String::from_utf8_lossy(&text.value).as_ref());
                                words.push(Spanned::new(text, entry.value().span));
                            }
                            _ => self.value(entry.value(), "a string"),
                        }
                    }
                }
                _ => self.value(value, "a string, or a table of strings"),
            }
        }
        let (mut traits, mut unconnected) = (Vec::new(), false);
        for word in words {
            match (word.node.as_str(), Trait::ALL.iter().find(|one| one.word() == word.node.as_str())) {
                ("unconnected", _) => unconnected = true,
                (_, Some(one)) if !one.is_alignment() => traits.push(one.clone()),
                _ => self.unknown_word(&word, "flags", FLAGS),
            }
        }
        let alignment = self.word(record, "alignment", ALIGNMENTS);
        let alignment = Trait::ALL.iter().filter(|one| one.is_alignment() && Some(one.word()) == alignment);
        traits.extend(alignment.cloned());
        (traits, unconnected)
    }

    fn dungeon(&mut self, record: Record<'_>) -> Option<Dungeon> {
        self.keys(&record, DUNGEON_KEYS);
        let (traits, unconnected) = self.traits(&record);
        let text = |found: Option<Spanned<Text>>| found.map(|text| text.node).unwrap_or_default();
        let chance = self.number(&record, "chance", 0);
        let lua = InLua {
            filling: text(self.text(&record, "lvlfill")),
            theme_rooms: text(self.text(&record, "themerooms")),
            unconnected,
        };
        let mut items = Vec::new();
        if let Some(levels) = record.get("levels") {
            for level in self.list(levels, "level") {
                items.push(Item::Level(self.level(&level)));
            }
        }
        if let Some(branches) = record.get("branches") {
            for branch in self.list(branches, "branch") {
                items.push(Item::Branch(self.branch(&branch)));
            }
        }
        Some(Dungeon {
            span: record.span,
            name: self.name(&record),
            bones: self.bones(&record),
            size: self.range(&record),
            // The game draws for 100 too, but the draw always succeeds.
            chance: if chance >= 100 { 0 } else { chance },
            entry: self.number(&record, "entry", 0),
            prototype: self.text(&record, "protofile").unwrap_or_else(|| Spanned::new(Text::default(), record.span)),
            overwritten: Vec::new(),
            traits,
            lua,
            items,
        })
    }

    fn level(&mut self, record: &Record<'_>) -> Level {
        self.keys(record, LEVEL_KEYS);
        Level {
            span: record.span,
            name: self.name(record),
            bones: self.bones(record),
            chain: self.text(record, "chainlevel"),
            place: self.range(record),
            chance: self.number(record, "chance", 100),
            variants: self.number(record, "nlevels", 0),
            traits: self.traits(record).0,
        }
    }

    fn branch(&mut self, record: &Record<'_>) -> Branch {
        self.keys(record, BRANCH_KEYS);
        let connections = ["stair", "no_up", "no_down", "portal"];
        let word = self.word(record, "branchtype", &connections);
        let connection = Connection::ALL.iter().find(|one| Some(one.word()) == word);
        let up = self.word(record, "direction", &["up", "down"]) == Some("up");
        Branch {
            span: record.span,
            target: self.name(record),
            chain: self.text(record, "chainlevel"),
            place: self.range(record),
            connection: connection.copied().unwrap_or_default(),
            direction: if up { Direction::Up } else { Direction::Down },
            entry: 0,
        }
    }
}
