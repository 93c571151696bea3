//! A writer of catalog files: a draft in full, or only its differences from the catalog it extends.

use std::fmt::Write as _;

use super::{DUNGEON_NUMBERS, Draft, GROUPS, HEADER_PARTS, LIMITS, Numbers, PACKING, SCHEMA, SpeciesDraft, TABLES};

/// Approximate line width of lists.
const WIDTH: usize = 110;

/// Returns the comment above a key: the source of its table.
pub type Comments<'a> = &'a dyn Fn(&str) -> Option<String>;

impl Draft {
    /// Returns the catalog file of this draft, as an extension of `parent` if given. Reading it again gives the same
    /// draft.
    pub fn write(&self, parent: Option<&Draft>, comments: Comments<'_>) -> String {
        let mut writer = Writer { out: String::new(), comments };
        writer.identity(self, parent);
        writer.lists(self, parent);
        writer.sections(self, parent);
        writer.out
    }
}

struct Writer<'a> {
    out: String,
    comments: Comments<'a>,
}

/// Quotes a string for TOML.
fn quoted(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    out.push('"');
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            c if c.is_control() => {
                let _ = write!(out, "\\u{:04x}", u32::from(c));
            }
            c => out.push(c),
        }
    }
    out.push('"');
    out
}

/// Formats the further names of an entry, each with a leading comma.
fn besides(names: &[String]) -> String {
    names.iter().map(|name| format!(", {}", quoted(name))).collect()
}

/// Formats a key for TOML, quoted if necessary.
fn key(text: &str) -> String {
    let is_bare =
        !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-'));
    if is_bare { text.to_owned() } else { quoted(text) }
}

impl Writer<'_> {
    fn comment(&mut self, key: &str) {
        for line in (self.comments)(key).iter().flat_map(|text| text.lines()) {
            let _ = writeln!(self.out, "# {line}");
        }
    }

    fn value(&mut self, key: &str, value: &str) {
        self.comment(key);
        let _ = writeln!(self.out, "{key} = {value}");
    }

    /// Writes a list with several entries per line.
    fn list(&mut self, name: &str, entries: &[String]) {
        self.comment(name);
        let short = entries.join(", ");
        if short.len() < WIDTH {
            let _ = writeln!(self.out, "{name} = [{short}]\n");
            return;
        }
        let _ = write!(self.out, "{name} = [");
        let mut length = WIDTH;
        for entry in entries {
            if length + entry.len() > WIDTH {
                self.out.push_str("\n   ");
                length = 3;
            }
            let _ = write!(self.out, " {entry},");
            length += entry.len() + 2;
        }
        self.out.push_str("\n]\n\n");
    }

    /// Writes a list with one entry per line.
    fn rows(&mut self, name: &str, entries: impl Iterator<Item = String>) {
        self.comment(name);
        let _ = writeln!(self.out, "{name} = [");
        for entry in entries {
            let _ = writeln!(self.out, "    {entry},");
        }
        self.out.push_str("]\n\n");
    }

    fn names(&mut self, name: &str, names: &[String]) {
        self.list(name, &names.iter().map(|name| quoted(name)).collect::<Vec<_>>());
    }

    fn identity(&mut self, draft: &Draft, parent: Option<&Draft>) {
        self.comment("");
        match parent {
            Some(parent) => self.value("extends", &quoted(&parent.name)),
            None => self.value("schema", &SCHEMA.to_string()),
        }
        self.value("name", &quoted(&draft.name));
        self.value("title", &quoted(&draft.title));
        if parent.is_none_or(|parent| parent.dialect != draft.dialect) {
            self.value("dialect", &quoted(&draft.dialect));
        }
        if parent.is_none_or(|parent| parent.format != draft.format) {
            self.value("format", &quoted(&draft.format));
        }
        self.out.push('\n');
    }

    fn lists(&mut self, draft: &Draft, parent: Option<&Draft>) {
        let differs = |part: &dyn Fn(&Draft) -> bool| parent.is_none_or(part);
        if differs(&|parent| parent.features != draft.features) {
            self.names("features", &draft.features);
        }
        if differs(&|parent| parent.opcodes != draft.opcodes) {
            self.names("opcodes", &draft.opcodes);
        }
        let squares = |draft: &Draft| {
            let mut terrain = draft.terrain.clone();
            terrain.sort_unstable();
            let mut characters: Vec<char> = draft.map_characters.chars().collect();
            characters.sort_unstable();
            (draft.level_types.clone(), terrain, characters)
        };
        if differs(&|parent| squares(parent) != squares(draft)) {
            self.names("level_types", &draft.level_types);
            self.value("max_terrain", &draft.level_types.len().to_string());
            self.value("map_characters", &quoted(&draft.map_characters));
            self.out.push('\n');
            self.rows(
                "terrain",
                draft.terrain.iter().map(|&(character, number)| {
                    let name = draft.level_types.get(number).map_or(super::SEE_THROUGH, String::as_str);
                    format!("[{}, {}, {number}]", quoted(&character.to_string()), quoted(name))
                }),
            );
        }
        type Part = fn(&Draft) -> &Numbers;
        let numbered: [(&str, Part); 2] = [("traps", |draft| &draft.traps), ("rooms", |draft| &draft.rooms)];
        for (name, part) in numbered {
            let sorted = |draft: &Draft| {
                let mut numbers = part(draft).clone();
                numbers.sort();
                numbers
            };
            if differs(&|parent| sorted(parent) != sorted(draft)) {
                let entries: Vec<String> =
                    part(draft).iter().map(|(name, number)| format!("[{}, {number}]", quoted(name))).collect();
                self.list(name, &entries);
            }
        }
        for (name, classes, old) in [
            ("monster_classes", &draft.monster_classes, parent.map(|parent| &parent.monster_classes)),
            ("object_classes", &draft.object_classes, parent.map(|parent| &parent.object_classes)),
        ] {
            if old != Some(classes) {
                self.value(name, &quoted(classes));
                self.out.push('\n');
            }
        }
        if differs(&|parent| parent.monsters != draft.monsters) {
            self.rows(
                "monsters",
                draft.monsters.iter().map(|SpeciesDraft { name, class, habits, also }| {
                    let (class, habits) = (quoted(&class.to_string()), quoted(&habits.join(" ")));
                    format!("[{}, {class}, {habits}{}]", quoted(name), besides(also))
                }),
            );
        }
        if differs(&|parent| parent.objects != draft.objects) {
            self.rows(
                "objects",
                draft.objects.iter().map(|SpeciesDraft { name, class, also, .. }| {
                    format!("[{}, {}{}]", quoted(name), quoted(&class.to_string()), besides(also))
                }),
            );
        }
        if differs(&|parent| parent.core_functions != draft.core_functions) {
            let functions = draft.core_functions.iter().map(|function| {
                let (name, parameters) = (quoted(&function.name), quoted(&function.parameters));
                format!("[{name}, {}, {parameters}, {}]", function.number, quoted(&function.result.to_string()))
            });
            self.rows("core_functions", functions);
        }
        if differs(&|parent| parent.methods != draft.methods) {
            let methods = draft.methods.iter().map(|method| {
                let (of, name) = (quoted(&method.of), quoted(&method.name));
                let result = quoted(&method.result.to_string());
                format!("[{of}, {}, {name}, {}, {result}]", method.array, method.number)
            });
            self.rows("methods", methods);
        }
        if differs(&|parent| parent.structures != draft.structures) {
            self.rows("structures", draft.structures.iter().map(|line| quoted(line)));
        }
        if differs(&|parent| parent.joined_terrain != draft.joined_terrain) {
            self.names("joined_terrain", &draft.joined_terrain);
        }
        if differs(&|parent| parent.artifacts != draft.artifacts) {
            self.names("artifacts", &draft.artifacts);
        }
        if differs(&|parent| parent.gods != draft.gods) {
            self.names("gods", &draft.gods);
        }
        if differs(&|parent| parent.place_statements != draft.place_statements) {
            self.names("place_statements", &draft.place_statements);
        }
        if differs(&|parent| parent.keywords != draft.keywords) {
            self.names("keywords", &draft.keywords);
        }
        let Some(parent) = parent else { return };
        for (at, name) in TABLES.iter().enumerate() {
            let gone = gone(&draft.tables[at], &parent.tables[at]);
            if !gone.is_empty() {
                self.names(&format!("remove_{name}"), &gone);
            }
        }
    }

    fn sections(&mut self, draft: &Draft, parent: Option<&Draft>) {
        self.numbers("packing", PACKING.iter().copied().zip(draft.packing), |at| {
            parent.map(|parent| parent.packing[at])
        });
        self.loader(draft, parent);
        let limits = LIMITS.iter().map(|(name, _)| *name).zip(draft.limits);
        self.numbers("limits", limits, |at| parent.map(|parent| parent.limits[at]));
        for (at, name) in TABLES.iter().enumerate() {
            self.words(name, &draft.tables[at], parent.map(|parent| &parent.tables[at]));
        }
        for (at, group) in GROUPS.iter().enumerate() {
            self.words(&format!("words.{group}"), &draft.words[at], parent.map(|parent| &parent.words[at]));
        }
        if let Some(parent) = parent {
            let mut begun = false;
            for (at, group) in GROUPS.iter().enumerate() {
                let gone = gone(&draft.words[at], &parent.words[at]);
                if gone.is_empty() {
                    continue;
                }
                if !begun {
                    self.out.push_str("[remove_words]\n");
                    begun = true;
                }
                self.names(group, &gone);
            }
        }
        self.dungeon(draft, parent);
        if parent.is_none_or(|parent| parent.header != draft.header) {
            self.comment("header");
            self.out.push_str("[header]\n");
            for (abi, longs) in &draft.header {
                let longs: Vec<String> = longs.iter().map(|long| format!("\"{long:#010x}\"")).collect();
                let _ = writeln!(self.out, "{} = [{}]", key(abi), longs.join(", "));
            }
            let _ = writeln!(self.out, "# {}", HEADER_PARTS.join(", "));
        }
    }

    fn numbers<'k>(
        &mut self,
        name: &str,
        numbers: impl Iterator<Item = (&'k str, i64)>,
        old: impl Fn(usize) -> Option<i64>,
    ) {
        let mut begun = false;
        for (at, (entry, number)) in numbers.enumerate() {
            if old(at).unwrap_or(0) == number {
                continue;
            }
            if !begun {
                self.comment(name);
                let _ = writeln!(self.out, "[{name}]");
                begun = true;
            }
            let _ = writeln!(self.out, "{entry} = {number}");
        }
        if begun {
            self.out.push('\n');
        }
    }

    fn words(&mut self, name: &str, numbers: &Numbers, old: Option<&Numbers>) {
        let changed: Vec<_> = numbers.iter().filter(|entry| old.is_none_or(|old| !old.contains(entry))).collect();
        if changed.is_empty() && (old.is_some() || name.starts_with("words.")) {
            return;
        }
        self.comment(name);
        let _ = writeln!(self.out, "[{name}]");
        for (word, number) in changed {
            let _ = writeln!(self.out, "{} = {number}", key(word));
        }
        self.out.push('\n');
    }

    fn loader(&mut self, draft: &Draft, parent: Option<&Draft>) {
        let loader = &draft.loader;
        if parent.is_some_and(|parent| parent.loader == *loader) {
            return;
        }
        self.comment("loader");
        self.out.push_str("[loader]\n");
        let old = parent.map(|parent| &parent.loader);
        if old.is_none_or(|old| old.rules != loader.rules) {
            self.names("rules", &loader.rules);
        }
        for (name, number, old) in [
            ("trap_types", loader.trap_types, old.map(|old| old.trap_types)),
            ("vibrating_square", loader.vibrating_square, old.map(|old| old.vibrating_square)),
        ] {
            if old != Some(number) {
                let _ = writeln!(self.out, "{name} = {number}");
            }
        }
        for (name, names, old) in [
            ("stocked_rooms", &loader.stocked_rooms, old.map(|old| &old.stocked_rooms)),
            ("escape_items", &loader.escape_items, old.map(|old| &old.escape_items)),
        ] {
            if old != Some(names) {
                self.names(name, names);
            }
        }
        // Inherited ranges shift when the file changes objects and traps, so they are always written.
        for (name, pairs) in [("merging_objects", &loader.merging_objects), ("deep_traps", &loader.deep_traps)] {
            let pairs: Vec<String> = pairs.iter().map(|(first, second)| format!("[{first}, {second}]")).collect();
            self.list(name, &pairs);
        }
    }

    fn dungeon(&mut self, draft: &Draft, parent: Option<&Draft>) {
        let dungeon = &draft.dungeon;
        if parent.is_some_and(|parent| parent.dungeon == *dungeon) {
            return;
        }
        self.comment("dungeon");
        self.out.push_str("[dungeon]\n");
        for ((name, _), number) in DUNGEON_NUMBERS.iter().zip(dungeon.numbers) {
            let _ = writeln!(self.out, "{name} = {number}");
        }
        let _ = writeln!(self.out, "controls = {}", quoted(&dungeon.controls));
        let defines: Vec<String> =
            dungeon.defines.iter().map(|(name, defined)| format!("{} = {defined}", key(name))).collect();
        let _ = writeln!(self.out, "defines = {{ {} }}", defines.join(", "));
        let _ = writeln!(self.out, "quest_prefix = {}", quoted(&dungeon.quest_prefix));
        for (name, names) in [
            ("built", &dungeon.built),
            ("fillings", &dungeon.fillings),
            ("roles", &dungeon.roles),
            ("quest_fillings", &dungeon.quest_fillings),
            ("special_levels", &dungeon.special_levels),
            ("rare_levels", &dungeon.rare_levels),
        ] {
            self.names(name, names);
        }
    }
}

/// Returns the names of `old` that `new` lacks.
fn gone(new: &Numbers, old: &Numbers) -> Vec<String> {
    old.iter().filter(|(name, _)| !new.iter().any(|(known, _)| known == name)).map(|(name, _)| name.clone()).collect()
}

impl Draft {
    /// Returns the tables of names in the order of the file: every name that a level can use for this game.
    pub fn named_entries(&self) -> Vec<(String, Vec<String>)> {
        let numbered = |numbers: &Numbers| numbers.iter().map(|(name, _)| name.clone()).collect::<Vec<_>>();
        let symbols = |text: &str| text.chars().filter(|c| *c != '\0').map(String::from).collect::<Vec<_>>();
        let species = |species: &[SpeciesDraft]| {
            let named = species.iter().filter(|one| !one.name.is_empty());
            named.map(|one| format!("{}@{}", one.name, one.class)).collect::<Vec<_>>()
        };
        let terrain = self.terrain.iter().map(|&(character, number)| {
            let name = self.level_types.get(number).map_or(super::SEE_THROUGH, String::as_str);
            format!("'{character}' {name}")
        });
        let mut tables = vec![
            ("features".to_owned(), self.features.clone()),
            ("opcodes".to_owned(), self.opcodes.clone()),
            ("level_types".to_owned(), self.level_types.clone()),
            ("terrain".to_owned(), terrain.collect()),
            ("traps".to_owned(), numbered(&self.traps)),
            ("rooms".to_owned(), numbered(&self.rooms)),
            ("monster_classes".to_owned(), symbols(&self.monster_classes)),
            ("object_classes".to_owned(), symbols(&self.object_classes)),
            ("monsters".to_owned(), species(&self.monsters)),
            ("objects".to_owned(), species(&self.objects)),
            ("place_statements".to_owned(), self.place_statements.clone()),
            ("keywords".to_owned(), self.keywords.clone()),
            ("loader.rules".to_owned(), self.loader.rules.clone()),
            ("structures".to_owned(), self.structures.clone()),
            ("joined_terrain".to_owned(), self.joined_terrain.clone()),
        ];
        tables.extend(TABLES.iter().zip(&self.tables).map(|(key, numbers)| ((*key).to_owned(), numbered(numbers))));
        tables.extend(GROUPS.iter().zip(&self.words).map(|(group, words)| (format!("words.{group}"), numbered(words))));
        tables
    }
}
