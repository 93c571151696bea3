//! Catalogs loaded at run time, from a catalog file and the catalog it extends.

use std::borrow::Cow;

use super::file::{
    self, DUNGEON_NUMBERS, Draft, DungeonDraft, FunctionDraft, GROUPS, Known, LIMITS, LoaderDraft, MethodDraft,
    Problems, SpeciesDraft, TABLES,
};
use super::{
    ALL, Catalog, CoreFunction, Feature, Features, Format, Habit, Habits, Limits, Loader, LoaderRule, LoaderRules,
    Method, Name, OwnWord, Packing, Shared, Species, Table,
};
use crate::abi;
use crate::diagnostic::{Code, Diagnostic, Diagnostics, did_you_mean};
use crate::dungeon::{Controls, Rules};
use crate::limits::MAX_CATALOG_DEPTH;
use crate::program::Opcode;
use crate::source::{FileId, SourceMap, Span};
use crate::words::Group;

/// The catalogs available to one run of a program: built-in and loaded.
#[derive(Clone, Debug, Default)]
pub struct Catalogs {
    loaded: Vec<Shared>,
}

/// Source of a catalog file's parent, if the parent is neither built in nor loaded.
pub trait Beside {
    /// Reads the file `name` next to the file `from`; returns its display name and its bytes.
    ///
    /// # Errors
    /// The reason it cannot be read, as a message.
    fn read(&mut self, name: &str, from: &str) -> Result<(String, Vec<u8>), String>;
}

/// A source without files.
pub struct NothingBeside;

impl Beside for NothingBeside {
    fn read(&mut self, _: &str, _: &str) -> Result<(String, Vec<u8>), String> {
        Err("catalogs that extend others are not available here".to_owned())
    }
}

impl Catalogs {
    /// Returns every catalog, the most recently loaded first.
    pub fn iter(&self) -> impl Iterator<Item = Shared> {
        let built_in = ALL.iter().copied().map(Shared::from);
        self.loaded.iter().rev().cloned().chain(built_in)
    }

    /// Returns the loaded catalogs, in order.
    pub fn loaded(&self) -> &[Shared] {
        &self.loaded
    }

    /// Returns the catalog called `name`.
    pub fn by_name(&self, name: &str) -> Option<Shared> {
        self.iter().find(|catalog| catalog.name == name)
    }

    /// Loads the catalog file `file` of `sources`. Returns the catalog and adds it to the loaded ones, unless it has
    /// errors. Errors go to `diagnostics`.
    ///
    /// `extends = "parent"` refers to a catalog that is already available or, failing that, to the file `parent.toml`
    /// next to this one.
    pub fn load(
        &mut self,
        sources: &mut SourceMap,
        file: FileId,
        beside: &mut dyn Beside,
        diagnostics: &mut Diagnostics,
    ) -> Option<Shared> {
        // From the file up to an available ancestor, then back down.
        let mut chain = vec![file];
        let mut names = vec![own_name(sources, file)];
        let mut parent: Option<Draft> = None;
        let mut last = file;
        while let Some((name, place)) = file::parent(&sources.get(last).text) {
            let span = Span::new(last, place.start, place.end);
            let circle = names.iter().flatten().any(|known| *known == name);
            if circle || chain.len() > MAX_CATALOG_DEPTH {
                let message = if circle {
                    format!("the catalog \"{name}\" extends itself")
                } else {
                    format!("catalogs extend one another more than {MAX_CATALOG_DEPTH} deep")
                };
                diagnostics.push(Diagnostic::new(Code::CatalogParent, span, message));
                return None;
            }
            if let Some(known) = self.by_name(&name) {
                parent = Some(Draft::from(&*known));
                break;
            }
            let wanted = if name.ends_with(".toml") { name.clone() } else { format!("{name}.toml") };
            match beside.read(&wanted, &sources.get(last).name) {
                Ok((shown, bytes)) => {
                    last = sources.add(shown, None, bytes);
                    let own = own_name(sources, last);
                    if own.is_some() && names.contains(&own) {
                        let message = format!("the catalog \"{name}\" extends itself");
                        diagnostics.push(Diagnostic::new(Code::CatalogParent, span, message));
                        return None;
                    }
                    chain.push(last);
                    names.push(own);
                }
                Err(problem) => {
                    let known: Vec<Shared> = self.iter().collect();
                    let message = format!("unknown parent catalog \"{name}\"");
                    let mut diagnostic =
                        Diagnostic::new(Code::CatalogParent, span, message).with_note(format!("{wanted}: {problem}"));
                    diagnostic.help = did_you_mean(&name, known.iter().map(|known| known.name.as_ref()));
                    diagnostics.push(diagnostic);
                    return None;
                }
            }
        }
        let known = known();
        for &file in chain.iter().rev() {
            let mut problems = Problems::default();
            let draft = file::read(&sources.get(file).text, parent.take(), &known, &mut problems);
            let fine = problems.list.is_empty();
            for problem in problems.list {
                let span = Span::new(file, problem.place.start, problem.place.end);
                let code = match problem.kind {
                    file::Kind::Syntax => Code::CatalogSyntax,
                    file::Kind::Entry => Code::CatalogEntry,
                    file::Kind::Conflict => Code::CatalogConflict,
                };
                let mut diagnostic = Diagnostic::new(code, span, problem.message);
                diagnostic.help = problem.help;
                diagnostics.push(diagnostic);
            }
            if !fine {
                return None;
            }
            parent = Some(draft);
        }
        let catalog = Shared::from(Catalog::from(parent?));
        self.loaded.push(catalog.clone());
        Some(catalog)
    }
}

/// Returns the name that the catalog file gives itself.
fn own_name(sources: &SourceMap, file: FileId) -> Option<String> {
    file::own_name(&sources.get(file).text)
}

/// Returns the names that catalog files may use.
fn known() -> Known {
    Known {
        features: Feature::ALL.iter().map(|feature| feature.name()).collect(),
        rules: LoaderRule::ALL.iter().map(|rule| rule.name()).collect(),
        habits: Habit::ALL.iter().map(|habit| habit.name()).collect(),
        opcodes: Some(Opcode::ALL.iter().map(|opcode| opcode.as_str().to_owned()).collect()),
        abis: abi::ALL.iter().map(|abi| abi.name.to_owned()).collect(),
        dialects: super::dialect::all().map(|dialect| dialect.name.to_owned()).collect(),
    }
}

fn owned(text: &str) -> Name {
    Cow::Owned(text.to_owned())
}

fn table<T: Clone>(entries: impl Iterator<Item = T>) -> Table<T> {
    Cow::Owned(entries.collect())
}

/// Returns the positions of the names in `species`, sorted by `key` and then by position, without empty names.
fn index(species: &[SpeciesDraft], key: impl Fn(&str) -> String) -> Table<u16> {
    let mut order: Vec<(String, u16)> =
        species.iter().zip(0..).filter(|(one, _)| !one.name.is_empty()).map(|(one, at)| (key(&one.name), at)).collect();
    order.sort();
    table(order.into_iter().map(|(_, at)| at))
}

fn kinds(species: &[SpeciesDraft]) -> Table<Species> {
    table(species.iter().map(|one| {
        Species {
            name: owned(&one.name),
            class: one.class,
            habits: Habit::ALL
                .iter()
                .filter(|habit| one.habits.contains(&habit.name()))
                .fold(Habits::of(&[]), |habits, habit| habits.with(*habit)),
        }
    }))
}

/// Returns the built-in games whose levels are des-files. Words of NetHack 5 mean nothing to the compilers.
fn des_files() -> impl Iterator<Item = &'static Catalog> {
    ALL.iter().copied().filter(|catalog| catalog.has_level_files())
}

fn forms(species: &[SpeciesDraft]) -> Table<(u16, Name, Name)> {
    table(species.iter().zip(0..).filter_map(|(one, at)| match one.also.as_slice() {
        [male, female] => Some((at, owned(male), owned(female))),
        _ => None,
    }))
}

fn descriptions(species: &[SpeciesDraft]) -> Table<(u16, Name)> {
    table(species.iter().zip(0..).filter_map(|(one, at)| Some((at, owned(one.also.first()?)))))
}

fn numbers<N: Clone>(entries: &file::Numbers, number: impl Fn(i64) -> N) -> Table<(Name, N)> {
    table(entries.iter().map(|(name, value)| (owned(name), number(*value))))
}

impl From<Draft> for Catalog {
    /// Converts a draft without errors.
    fn from(draft: Draft) -> Self {
        let keywords = draft.all_keywords();
        let all = des_files().flat_map(|catalog| catalog.keywords.iter()).map(|word| word.as_ref());
        let mut lacking: Vec<&str> = all.filter(|word| keywords.binary_search(word).is_err()).collect();
        lacking.sort_unstable();
        lacking.dedup();
        let mut terrain = vec![-1; 128];
        for &(character, number) in &draft.terrain {
            if let Some(slot) = terrain.get_mut(character as usize) {
                *slot = number as i32;
            }
        }
        let limit =
            |name: &str| LIMITS.iter().position(|(known, _)| *known == name).map_or(0, |at| draft.limits[at] as i32);
        let named = |name: &str| {
            let at = TABLES.iter().position(|known| *known == name);
            at.map_or(Cow::Borrowed(&[][..]), |at| numbers(&draft.tables[at], |number| number))
        };
        let lowered = |name: &str| name.to_ascii_lowercase();
        Catalog {
            name: owned(&draft.name),
            title: owned(&draft.title),
            dialect: owned(&draft.dialect),
            extends: draft.extends.as_deref().map(owned),
            format: match draft.format.as_str() {
                "parts" => Format::Parts,
                file::LUA => Format::Lua,
                _ => Format::Opcodes,
            },
            features: Feature::ALL
                .iter()
                .filter(|feature| draft.features.contains(&feature.name()))
                .fold(Features::of(&[]), |features, feature| features.with(*feature)),
            packing: Packing {
                species_bias: draft.packing[0],
                light_bias: draft.packing[1],
                random_place: draft.packing[2],
            },
            opcodes: table(
                draft
                    .opcodes
                    .iter()
                    .filter_map(|name| Opcode::ALL.iter().copied().find(|opcode| opcode.as_str() == name)),
            ),
            terrain: Cow::Owned(terrain),
            max_terrain: draft.level_types.len() as i32,
            level_types: table(draft.level_types.iter().map(|name| owned(name))),
            map_characters: owned(&draft.map_characters),
            traps: numbers(&draft.traps, |number| number as i32),
            rooms: numbers(&draft.rooms, |number| number as i32),
            monster_classes: owned(&draft.monster_classes),
            object_classes: owned(&draft.object_classes),
            monsters_by_name: index(&draft.monsters, str::to_owned),
            monsters_by_folded_name: index(&draft.monsters, lowered),
            monsters: kinds(&draft.monsters),
            monster_forms: forms(&draft.monsters),
            objects_by_name: index(&draft.objects, str::to_owned),
            objects_by_folded_name: index(&draft.objects, lowered),
            objects: kinds(&draft.objects),
            object_descriptions: descriptions(&draft.objects),
            loader: Loader {
                rules: LoaderRule::ALL
                    .iter()
                    .filter(|rule| draft.loader.rules.contains(&rule.name()))
                    .fold(LoaderRules::of(&[]), |rules, rule| rules.with(*rule)),
                trap_types: draft.loader.trap_types as i32,
                vibrating_square: draft.loader.vibrating_square as i32,
                stocked_rooms: table(draft.loader.stocked_rooms.iter().map(|name| owned(name))),
                escape_items: table(draft.loader.escape_items.iter().map(|name| owned(name))),
                merging_objects: Cow::Owned(draft.loader.merging_objects.clone()),
                deep_traps: Cow::Owned(draft.loader.deep_traps.clone()),
            },
            core_functions: table(draft.core_functions.iter().map(|function| CoreFunction {
                name: owned(&function.name),
                number: function.number,
                parameters: owned(&function.parameters),
                result: function.result,
            })),
            methods: table(draft.methods.iter().map(|method| Method {
                of: owned(&method.of),
                array: method.array,
                name: owned(&method.name),
                number: method.number,
                result: method.result,
            })),
            lacking_keywords: table(lacking.into_iter().map(owned)),
            own_words: own_words(&draft),
            place_statements: table(draft.place_statements.iter().map(|word| owned(word))),
            structures: table(draft.structures.iter().map(|line| owned(line))),
            joined_terrain: table(draft.joined_terrain.iter().map(|name| owned(name))),
            artifacts: table(draft.artifacts.iter().map(|name| owned(name))),
            gods: table(draft.gods.iter().map(|name| owned(name))),
            headers: table(draft.header.iter().map(|(abi, longs)| (owned(abi), Cow::Owned(longs.clone())))),
            limits: Limits {
                columns: limit("columns"),
                rows: limit("rows"),
                map_width: limit("map_width"),
                map_height: limit("map_height"),
                level_name: limit("level_name"),
                room_columns: limit("room_columns"),
                room_rows: limit("room_rows"),
                nesting: limit("nesting"),
                switch_cases: limit("switch_cases"),
                switch_breaks: limit("switch_breaks"),
                registers: limit("registers"),
                room_types: limit("room_types"),
                of_type: limit("of_type"),
                message: limit("message"),
                alignments: limit("alignments"),
                parts: limit("parts"),
                rooms_and_subrooms: limit("rooms_and_subrooms"),
                subrooms: limit("subrooms"),
                non_passwall: limit("non_passwall"),
                corridors: limit("corridors"),
            },
            dungeon: dungeon_rules(&draft.dungeon),
            value_types: named("value_types"),
            monster_parts: named("monster_parts"),
            object_parts: named("object_parts"),
            level_regions: named("level_regions"),
            init_styles: named("init_styles"),
            drawbridge_directions: named("drawbridge_directions"),
            words: draft.words.each_ref().map(|words| numbers(words, |number| number)),
            keywords: table(keywords.into_iter().map(owned)),
        }
    }
}

impl From<&Catalog> for Draft {
    /// Converts a catalog with all its data.
    fn from(catalog: &Catalog) -> Self {
        let pairs = |table: &[(Name, i64)]| table.iter().map(|(name, number)| (name.to_string(), *number)).collect();
        let short =
            |table: &[(Name, i32)]| table.iter().map(|(name, number)| (name.to_string(), i64::from(*number))).collect();
        let texts = |table: &[Name]| table.iter().map(|name| name.to_string()).collect();
        let species = |table: &[Species]| {
            let habits = |one: &Species| {
                Habit::ALL.iter().filter(|habit| one.habits.has(**habit)).map(|habit| habit.name()).collect()
            };
            table
                .iter()
                .map(|one| SpeciesDraft {
                    name: one.name.to_string(),
                    class: one.class,
                    habits: habits(one),
                    also: Vec::new(),
                })
                .collect::<Vec<_>>()
        };
        let mut monsters = species(&catalog.monsters);
        for (at, male, female) in catalog.monster_forms.iter() {
            monsters[usize::from(*at)].also = vec![male.to_string(), female.to_string()];
        }
        let mut objects = species(&catalog.objects);
        for (at, description) in catalog.object_descriptions.iter() {
            objects[usize::from(*at)].also = vec![description.to_string()];
        }
        let limits = &catalog.limits;
        let packing = catalog.packing;
        let loader = &catalog.loader;
        let mut draft = Draft {
            name: catalog.name.to_string(),
            title: catalog.title.to_string(),
            dialect: catalog.dialect.to_string(),
            extends: catalog.extends.as_ref().map(|name| name.to_string()),
            format: match catalog.format {
                Format::Opcodes => "opcodes",
                Format::Parts => "parts",
                Format::Lua => file::LUA,
            }
            .to_owned(),
            features: Feature::ALL
                .iter()
                .filter(|feature| catalog.has(**feature))
                .map(|feature| feature.name())
                .collect(),
            packing: [packing.species_bias, packing.light_bias, packing.random_place],
            opcodes: catalog.opcodes.iter().map(|opcode| opcode.as_str().to_owned()).collect(),
            terrain: (0..128_u8)
                .map(char::from)
                .filter_map(|character| Some((character, catalog.terrain(character)? as usize)))
                .collect(),
            level_types: texts(&catalog.level_types),
            map_characters: catalog.map_characters.to_string(),
            traps: short(&catalog.traps),
            rooms: short(&catalog.rooms),
            monster_classes: catalog.monster_classes.to_string(),
            object_classes: catalog.object_classes.to_string(),
            monsters,
            objects,
            loader: LoaderDraft {
                rules: LoaderRule::ALL.iter().filter(|rule| loader.rules.has(**rule)).map(|rule| rule.name()).collect(),
                trap_types: i64::from(loader.trap_types),
                vibrating_square: i64::from(loader.vibrating_square),
                stocked_rooms: texts(&loader.stocked_rooms),
                escape_items: texts(&loader.escape_items),
                merging_objects: loader.merging_objects.to_vec(),
                deep_traps: loader.deep_traps.to_vec(),
            },
            core_functions: catalog
                .core_functions
                .iter()
                .map(|function| FunctionDraft {
                    name: function.name.to_string(),
                    number: function.number,
                    parameters: function.parameters.to_string(),
                    result: function.result,
                })
                .collect(),
            methods: catalog
                .methods
                .iter()
                .map(|method| MethodDraft {
                    of: method.of.to_string(),
                    array: method.array,
                    name: method.name.to_string(),
                    number: method.number,
                    result: method.result,
                })
                .collect(),
            place_statements: texts(&catalog.place_statements),
            structures: texts(&catalog.structures),
            joined_terrain: texts(&catalog.joined_terrain),
            artifacts: texts(&catalog.artifacts),
            gods: texts(&catalog.gods),
            keywords: texts(&catalog.keywords),
            header: catalog.headers.iter().map(|(abi, longs)| (abi.to_string(), longs.to_vec())).collect(),
            limits: [
                limits.columns,
                limits.rows,
                limits.map_width,
                limits.map_height,
                limits.level_name,
                limits.room_columns,
                limits.room_rows,
                limits.nesting,
                limits.switch_cases,
                limits.switch_breaks,
                limits.registers,
                limits.room_types,
                limits.of_type,
                limits.message,
                limits.alignments,
                limits.parts,
                limits.rooms_and_subrooms,
                limits.subrooms,
                limits.non_passwall,
                limits.corridors,
            ]
            .map(i64::from),
            dungeon: dungeon_draft(&catalog.dungeon),
            tables: [
                &catalog.value_types,
                &catalog.monster_parts,
                &catalog.object_parts,
                &catalog.level_regions,
                &catalog.init_styles,
                &catalog.drawbridge_directions,
            ]
            .map(|table| pairs(table)),
            words: catalog.words.each_ref().map(|table| pairs(table)),
        };
        draft.normalise();
        draft
    }
}

/// Returns the words of `draft` that no built-in game's lexer recognises, with their meanings.
fn own_words(draft: &Draft) -> Table<(Name, OwnWord)> {
    // The lexer for levels of parts recognises only the words of its own dialect.
    let format = if draft.format == "parts" { Format::Parts } else { Format::Opcodes };
    let is_known = |word: &str| {
        des_files().any(|catalog| (format == Format::Opcodes || catalog.format == format) && catalog.is_keyword(word))
    };
    let part_is_known = |table: fn(&Catalog) -> &Table<(Name, i64)>, part: &str| {
        part == "end" || des_files().any(|catalog| table(catalog).iter().any(|(known, _)| known == part))
    };
    let flags = draft.words.first().into_iter().flatten().map(|(word, _)| word);
    let mut words: Vec<(Name, OwnWord)> = flags
        .filter(|word| !is_known(word))
        .map(|word| (owned(word), OwnWord::Flag))
        .chain(draft.words[Group::DoorDetail as usize].iter().map(|(word, _)| (owned(word), OwnWord::DoorDetail)))
        .chain(draft.place_statements.iter().map(|word| (owned(word), OwnWord::Statement)))
        .collect();
    for group in [Group::Curse, Group::Engraving, Group::Light, Group::PlaceCheck, Group::ObjectFlag] {
        let own = draft.words[group as usize].iter().map(|(word, _)| word).filter(|word| !is_known(word));
        words.extend(own.map(|word| (owned(word), OwnWord::Of(group))));
    }
    for (key, kind, table) in [
        ("monster_parts", OwnWord::MonsterDetail, (|catalog| &catalog.monster_parts) as fn(&Catalog) -> &_),
        ("object_parts", OwnWord::ObjectDetail, |catalog| &catalog.object_parts),
    ] {
        let parts = TABLES.iter().position(|known| *known == key).map_or(&[][..], |at| &draft.tables[at][..]);
        let own = parts.iter().map(|(part, _)| part).filter(|part| !part_is_known(table, part) && !is_known(part));
        words.extend(own.map(|part| (owned(part), kind)));
    }
    words.sort_by(|(one, _), (other, _)| one.cmp(other));
    words.dedup_by(|(one, _), (other, _)| one == other);
    table(words.into_iter())
}

/// Converts the dungeon rules of a draft.
fn dungeon_rules(draft: &DungeonDraft) -> Rules {
    let number = |key: &str| {
        let at = DUNGEON_NUMBERS.iter().position(|(known, _)| *known == key);
        at.map_or(0, |at| draft.numbers[at] as i32)
    };
    let names = |names: &[String]| Cow::Owned(names.iter().map(|name| Cow::Owned(name.clone())).collect());
    Rules {
        dungeons: number("dungeons"),
        depth: number("depth"),
        levels: number("levels"),
        branches: number("branches"),
        name: number("name"),
        level_name: number("level_name"),
        prototype: number("prototype"),
        controls: if draft.controls == "caret" { Controls::Caret } else { Controls::Percent },
        defines: draft.defines.iter().map(|(name, defined)| (Cow::Owned(name.clone()), *defined)).collect(),
        built: names(&draft.built),
        fillings: names(&draft.fillings),
        quest_prefix: Cow::Owned(draft.quest_prefix.clone()),
        roles: names(&draft.roles),
        quest_fillings: names(&draft.quest_fillings),
        special_levels: names(&draft.special_levels),
        rare_levels: names(&draft.rare_levels),
        described_in: None,
    }
}

/// Converts dungeon rules to a draft.
fn dungeon_draft(rules: &Rules) -> DungeonDraft {
    let names = |names: &[Name]| names.iter().map(|name| name.to_string()).collect();
    let numbers =
        [rules.dungeons, rules.depth, rules.levels, rules.branches, rules.name, rules.level_name, rules.prototype];
    DungeonDraft {
        numbers: numbers.map(i64::from),
        controls: match rules.controls {
            Controls::Percent => "percent",
            Controls::Caret => "caret",
        }
        .to_owned(),
        defines: rules.defines.iter().map(|(name, defined)| (name.to_string(), *defined)).collect(),
        built: names(&rules.built),
        fillings: names(&rules.fillings),
        quest_prefix: rules.quest_prefix.to_string(),
        roles: names(&rules.roles),
        quest_fillings: names(&rules.quest_fillings),
        special_levels: names(&rules.special_levels),
        rare_levels: names(&rules.rare_levels),
    }
}

const _: () = assert!(GROUPS.len() == super::GROUPS);
