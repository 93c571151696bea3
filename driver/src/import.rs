//! Builds a variant's catalog from its source tree.
//!
//! [`splc_import`] reads the tables of the tree. [`import`] finds the most similar built-in game, the
//! parent, and replaces the parent's tables with those of the tree. Anything that the sources do not show, such as the
//! behaviour of the level loader, is inherited from the parent.

mod lua;

use std::collections::{BTreeMap, BTreeSet, HashSet};

use splc_import::limits::MAX_ALIKE_NOTES;
use splc_import::{Files, Found, Ground, Note, Settings, SourceTables, SquareRow, TreeError, WordRow};
use splc_ir::abi::{self, Abi};
use splc_ir::catalog::{
    self, Catalog, Catalogs, Feature, Features, Format, Group, Habit, Habits, LoaderRule, Look, Name, NothingBeside,
    Species, Table,
};
use splc_ir::diagnostic::{Diagnostics, Severity};
use splc_ir::dungeon::{DungeonNumber, Rules};
use splc_ir::order::Order;
use splc_ir::program::Opcode;
use splc_ir::source::SourceMap;
use splc_vm::Terrain;

use crate::recognise::longs;

/// Options of an import, besides the tree.
#[derive(Clone, Debug, Default)]
pub struct ImportOptions {
    /// Name of the catalog, e.g. `slashem-0.0.7`.
    pub name: String,
    /// Display name of the game.
    pub title: String,
    /// Preprocessor symbols.
    pub settings: Settings,
    /// A level file of a build, whose version header becomes that of the game.
    pub like: Option<Vec<u8>>,
}

/// A catalog built from a source tree.
#[derive(Clone, Debug)]
pub struct Imported {
    /// The text of its file.
    pub text: String,
    /// Name of the catalog that it extends.
    pub parent: String,
    /// The tables that were read.
    pub tables: Vec<ImportedTable>,
    /// The parts that were not understood.
    pub notes: Vec<Note>,
    /// The contradictions between the tables. The catalog loads only once they are corrected in its file.
    pub contradictions: Vec<String>,
}

/// A table that was read.
#[derive(Clone, Debug)]
pub struct ImportedTable {
    /// Its key in the catalog.
    pub key: &'static str,
    /// The number of entries.
    pub entries: usize,
    /// The number of entries that the parent lacks, and the number of the parent's entries that are missing.
    pub changed: (usize, usize),
    /// The file from which it was read.
    pub place: String,
}

/// Builds a catalog from the tree provided by `files`.
///
/// # Errors
/// As [`splc_import::read`].
pub fn import(files: &mut Files<'_>, options: &ImportOptions) -> Result<Imported, TreeError> {
    let mut found = splc_import::read(files, &options.settings)?;
    let mut parent = parent(&found);
    if let Some(resolved) = resolved(&found, parent, files, &options.settings)? {
        found = resolved;
        parent = self::parent(&found);
    }
    let mut making =
        Making { found: &found, draft: parent.clone(), old: parent, tables: Vec::new(), notes: Vec::new() };
    making.draft.name = options.name.clone().into();
    making.draft.title = options.title.clone().into();
    making.draft.extends = Some(parent.name.clone());
    making.kinds();
    making.squares();
    making.named();
    if found.lua.is_some() {
        making.lua();
        making.dungeon_limits();
    } else {
        making.words();
        making.numbers();
        making.layouts();
        making.vouch();
        making.dungeon();
        making.forms();
        making.header(options.like.as_deref());
    }
    making.limits();
    let Making { mut draft, tables, mut notes, .. } = making;
    draft.normalise();
    let places: BTreeMap<&str, String> = tables.iter().map(|table| (table.key, table.place.clone())).collect();
    let title = &options.title;
    let comment = |key: &str| match key {
        "" => Some(format!("The special-level tables of {title}, imported from its source tree.")),
        _ => places.get(key).map(|place| format!("Source: {title}, {place}")),
    };
    let text = draft.write(Some(parent), &comment);
    let mut all = found.notes.clone();
    all.append(&mut notes);
    let contradictions = contradictions(&text);
    Ok(Imported { text, parent: parent.name.to_string(), tables, notes: all, contradictions })
}

/// Returns the errors of a catalog file.
fn contradictions(text: &str) -> Vec<String> {
    let (mut sources, mut diagnostics) = (SourceMap::new(), Diagnostics::new());
    let file = sources.add("imported.toml", None, text.as_bytes().to_vec());
    Catalogs::default().load(&mut sources, file, &mut NothingBeside, &mut diagnostics);
    let errors = diagnostics.iter().filter(|found| found.severity == Severity::Error);
    errors.map(|found| found.message.to_string()).collect()
}

/// Returns the built-in catalog most similar to the tables.
fn parent(found: &SourceTables) -> &'static Catalog {
    let format = match (&found.lua, &found.opcodes) {
        (Some(_), _) => Format::Lua,
        (None, Some(_)) => Format::Opcodes,
        (None, None) => Format::Parts,
    };
    let monsters: HashSet<&str> =
        found.monsters.iter().flat_map(|found| &found.table).map(|monster| monster.name.as_str()).collect();
    let objects: HashSet<&str> =
        found.objects.iter().flat_map(|found| &found.table).map(|object| object.name.as_str()).collect();
    let words: HashSet<&str> = found.words.iter().flat_map(|found| found.table.keys()).map(String::as_str).collect();
    let alike = |catalog: &Catalog| {
        let of = |known: &HashSet<&str>, names: &mut dyn Iterator<Item = &str>| {
            let names: HashSet<&str> = names.collect();
            let both = names.intersection(known).count();
            // In thousandths of the union.
            both * 1000 / (names.len() + known.len() - both).max(1)
        };
        // Keywords are more significant than monsters and objects.
        of(&monsters, &mut catalog.monsters.iter().map(|species| species.name.as_ref()))
            + of(&objects, &mut catalog.objects.iter().map(|species| species.name.as_ref()))
            + 4 * of(&words, &mut catalog.all_keywords().iter().map(|word| word.as_ref()))
    };
    // A Windows build differs in its options, not in its sources.
    let is_source = |catalog: &&Catalog| catalog.format == format && !catalog.name.ends_with("-windows");
    let known = catalog::ALL.iter().copied().filter(is_source);
    // Among equally similar catalogs, prefer one that does not extend another.
    known.max_by_key(|catalog| (alike(catalog), catalog.extends.is_none())).unwrap_or(catalog::ALL[0])
}

/// Returns the percentage of the monsters of `found` that `parent` has.
fn known_monsters(found: &SourceTables, parent: &Catalog) -> usize {
    let Some(Found { table, .. }) = &found.monsters else { return 100 };
    let known = table.iter().filter(|row| parent.monster(&row.name, None).is_some()).count();
    known * 100 / table.len().max(1)
}

/// If hardly any monster has a known name, reads the tables again with a preprocessor symbol that restores the known
/// names. A tree in another language is compiled twice, and its level compiler is linked to the English names.
fn resolved(
    found: &SourceTables,
    parent: &Catalog,
    files: &mut Files<'_>,
    settings: &Settings,
) -> Result<Option<SourceTables>, TreeError> {
    const STRANGE: usize = 20;
    const FAMILIAR: usize = 60;
    const TRIED: usize = 8;
    if known_monsters(found, parent) > STRANGE {
        return Ok(None);
    }
    let symbols = found.switches.iter().filter(|symbol| !settings.undefines.contains(symbol));
    for symbol in symbols.take(TRIED) {
        let mut settings = settings.clone();
        settings.defines.push((symbol.clone(), "1".to_owned()));
        let mut other = splc_import::read(files, &settings)?;
        if known_monsters(&other, self::parent(&other)) >= FAMILIAR {
            let message = format!(
                "{symbol} is assumed to be defined, since it gives monsters their usual names; undefine it with -U {symbol}"
            );
            other.notes.push(Note { place: "src/monst.c".to_owned(), message });
            return Ok(Some(other));
        }
    }
    Ok(None)
}

struct Making<'a> {
    found: &'a SourceTables,
    draft: Catalog,
    old: &'a Catalog,
    tables: Vec<ImportedTable>,
    notes: Vec<Note>,
}

/// Returns the number of elements of `new` missing from `old`, and of `old` missing from `new`.
fn changed<T: Ord>(new: impl Iterator<Item = T>, old: impl Iterator<Item = T>) -> (usize, usize) {
    let (new, old): (BTreeSet<T>, BTreeSet<T>) = (new.collect(), old.collect());
    (new.difference(&old).count(), old.difference(&new).count())
}

impl Making<'_> {
    fn note(&mut self, place: &str, message: String) {
        self.notes.push(Note { place: place.to_owned(), message });
    }

    /// Adds similar notes, limited to the first few.
    fn some_notes(&mut self, place: &str, messages: Vec<String>) {
        let more = messages.len().saturating_sub(MAX_ALIKE_NOTES);
        for message in messages.into_iter().take(MAX_ALIKE_NOTES) {
            self.note(place, message);
        }
        if more > 0 {
            self.note(place, format!("and {more} similar entries"));
        }
    }

    fn table(&mut self, key: &'static str, entries: usize, changed: (usize, usize), place: &str) {
        self.tables.push(ImportedTable { key, entries, changed, place: place.to_owned() });
    }

    /// Imports classes, monsters and objects.
    fn kinds(&mut self) {
        let found = self.found;
        for (key, classes) in [("monster_classes", &found.monster_classes), ("object_classes", &found.object_classes)] {
            let Some(Found { table, place }) = classes else { continue };
            let mut seen = HashSet::new();
            let mut once = |&symbol: &char| {
                let is_fine = symbol.is_ascii() && (symbol == '\0' || seen.insert(symbol));
                if is_fine { symbol } else { '\0' }
            };
            let symbols: String = table.iter().map(&mut once).collect();
            for (number, symbol) in symbols.chars().enumerate().filter(|(at, symbol)| table[*at] != *symbol) {
                let message = format!("class {} of {key} is not a unique ASCII character: {symbol:?}", number + 1);
                self.notes.push(Note { place: place.clone(), message });
            }
            let old =
                if key == "monster_classes" { &mut self.draft.monster_classes } else { &mut self.draft.object_classes };
            let change = changed(symbols.chars(), old.chars());
            *old = symbols.into();
            self.table(key, table.len(), change, place);
        }
        if let Some(Found { table, place }) = &found.monsters {
            let rows: Vec<(String, usize)> = table.iter().map(|row| (row.name.clone(), row.class)).collect();
            let classes = self.draft.monster_classes.clone();
            let mut species = self.species("monster", &rows, &classes, place);
            let old = &self.old.monsters;
            for (one, row) in species.iter_mut().zip(table) {
                one.habits = self.habits(one, &row.habits);
                one.color = row.color;
            }
            let change = changed(species.iter().map(|one| &one.name), old.iter().map(|one| &one.name));
            if !species.iter().map(|one| &one.name).eq(old.iter().map(|one| &one.name)) {
                // They are by number, and not among what is imported.
                self.draft.loader.monster_difficulties = Table::default();
            }
            self.table("monsters", species.len(), change, place);
            self.draft.monsters = species.into();
            if table.iter().any(|row| row.is_nemesis) {
                let nemeses = table.iter().filter(|row| row.is_nemesis).map(|row| Name::from(row.name.clone()));
                self.draft.loader.nemeses = nemeses.collect();
            }
        }
        if let Some(Found { table, place }) = &found.objects {
            let rows: Vec<(String, usize)> = table.iter().map(|row| (row.name.clone(), row.class)).collect();
            let classes = self.draft.object_classes.clone();
            let mut species = self.species("object", &rows, &classes, place);
            species.iter_mut().zip(table).for_each(|(one, row)| one.color = row.color);
            let old = &self.old.objects;
            let change = changed(species.iter().map(|one| &one.name), old.iter().map(|one| &one.name));
            self.table("objects", species.len(), change, place);
            self.draft.objects = species.into();
            let mut ranges: Vec<(u16, u16)> = Vec::new();
            for (at, _) in (0_u16..).zip(table).filter(|(_, row)| row.merges) {
                match ranges.last_mut() {
                    Some((_, last)) if *last + 1 == at => *last = at,
                    _ => ranges.push((at, at)),
                }
            }
            self.draft.loader.merging_objects = ranges.into();
        }
        if let Some(Found { table, .. }) = &found.objects {
            let symbols = self.draft.object_classes.clone();
            let is_worn_or_used = |row: &&splc_import::ObjectRow| {
                let symbol = row.class.checked_sub(1).and_then(|at| symbols.chars().nth(at));
                symbol.is_some_and(|symbol| "()[=\"/".contains(symbol))
            };
            let rare = table.iter().filter(|row| row.is_rare && !row.name.is_empty()).filter(is_worn_or_used);
            self.draft.loader.treasures = rare.map(|row| Name::from(row.name.clone())).collect();
        }
        if !found.artifact_objects.is_empty() {
            let named = found.artifact_objects.iter().filter_map(|(name, constant)| {
                let object =
                    self.draft.objects.iter().find(|object| constants(object).any(|known| known == *constant))?;
                Some(Name::from(format!("{name}@{}", object.name)))
            });
            self.draft.loader.artifact_objects = named.collect();
        }
        let objects = &self.draft.objects;
        let is_there = |item: &Name| {
            let of_class = catalog::name_and_class(item);
            objects.iter().any(|known| match of_class {
                Some((name, class)) => known.name == name && known.class == class,
                None => known.name == *item,
            })
        };
        self.draft.loader.escape_items.to_mut().retain(is_there);
    }

    /// Returns the species with the symbols of their classes. If two share a name and a class, the compiler only ever
    /// finds the first, so the second gets no name.
    fn species(&mut self, what: &str, rows: &[(String, usize)], classes: &str, place: &str) -> Vec<Species> {
        let classes: Vec<char> = classes.chars().collect();
        let mut seen = HashSet::new();
        let mut species = Vec::with_capacity(rows.len());
        let (mut classless, mut repeated) = (Vec::new(), Vec::new());
        for (number, (name, class)) in rows.iter().enumerate() {
            let symbol = class.checked_sub(1).and_then(|at| classes.get(at)).copied().filter(|&symbol| symbol != '\0');
            let mut name = name.clone();
            let class = symbol.unwrap_or_else(|| {
                classless.push(format!("the class of {what} {number}, \"{name}\", has no symbol"));
                name.clear();
                classes.iter().copied().find(|&symbol| symbol != '\0').unwrap_or('a')
            });
            if !name.is_empty() && !seen.insert((name.clone(), class)) {
                repeated.push(format!("{what} {number}, \"{name}\", is a duplicate: its name finds the first one"));
                name.clear();
            }
            species.push(Species { name: name.into(), class, ..Species::default() });
        }
        self.some_notes(place, classless);
        self.some_notes(place, repeated);
        species
    }

    /// Returns the habits of a monster from its flags, and from the game's macros on names and classes
    /// (`include/mondata.h`).
    fn habits(&self, monster: &Species, flags: &[&'static str]) -> Habits {
        let parent = self.old.monsters.iter().find(|known| known.name == monster.name && known.class == monster.class);
        let parent_has = |habit: Habit| parent.is_some_and(|known| known.habits.has(habit));
        let of_class = |habit: Habit| {
            let mut of_class = self.old.monsters.iter().filter(|known| known.class == monster.class).peekable();
            of_class.peek().is_some() && of_class.all(|known| known.habits.has(habit))
        };
        let has = |habit: Habit| match habit {
            _ if self.found.known_habits.contains(&habit.name().as_str()) => flags.contains(&habit.name().as_str()),
            Habit::LavaOk | Habit::Flaming | Habit::CarriesNothing => parent_has(habit),
            Habit::Floater | Habit::Noncorporeal if parent.is_some() => parent_has(habit),
            Habit::Floater | Habit::Noncorporeal => of_class(habit),
            _ => flags.contains(&habit.name().as_str()),
        };
        Habit::ALL.iter().filter(|habit| has(**habit)).fold(Habits::of(&[]), |habits, habit| habits.with(*habit))
    }

    /// Imports types of squares and map characters.
    fn squares(&mut self) {
        let found = self.found;
        let (Some(types), Some(characters)) = (&found.level_types, &found.map_characters) else { return };
        let change =
            changed(types.table.iter().map(String::as_str), self.old.level_types.iter().map(|name| name.as_ref()));
        self.table("level_types", types.table.len(), change, &types.place);
        self.draft.level_types = names(&types.table);
        // A map character for the background has a number past all types.
        let beyond = characters.table.iter().filter_map(|&(_, number)| usize::try_from(number).ok());
        let beyond: BTreeSet<usize> = beyond.filter(|number| (types.table.len()..127).contains(number)).collect();
        if let (Some(&below), 1) = (beyond.first(), beyond.len()) {
            let unnamed = (types.table.len()..below).map(|number| format!("type_{number}"));
            self.draft.level_types.to_mut().extend(unnamed.map(Name::Owned));
        }
        let mut terrain: Vec<(char, usize)> = Vec::new();
        for &(character, number) in &characters.table {
            // No source file has another character in a map.
            let number_fits = |number: &usize| *number <= self.draft.level_types.len() && character.is_ascii();
            let fits = usize::try_from(number).ok().filter(number_fits);
            match fits {
                Some(number) if !terrain.iter().any(|(known, _)| *known == character) => {
                    terrain.push((character, number))
                }
                Some(_) => {}
                None => {
                    let message = format!("'{}' means terrain type {number}", character.escape_debug());
                    self.note(&characters.place, message);
                }
            }
        }
        let name = |draft: &Catalog, number: usize| draft.level_types.get(number).cloned();
        let change = changed(
            terrain.iter().map(|&(character, number)| (character, name(&self.draft, number))),
            self.old.terrain.iter().map(|&(character, number)| (character, name(self.old, number))),
        );
        self.table("terrain", terrain.len(), change, &characters.place);
        let line = found.map_line.as_ref().map_or(&*self.old.map_characters, |found| found.table.as_str());
        let mut in_maps = String::new();
        for character in line.chars() {
            let known = terrain.iter().any(|(known, _)| *known == character);
            if known && !in_maps.contains(character) {
                in_maps.push(character);
            } else if !known {
                let message = format!("'{character}' is allowed in a map, but is not terrain");
                self.note(&characters.place, message);
            }
        }
        self.draft.map_characters = in_maps.into();
        self.draft.terrain = terrain.into();
        self.looks();
    }

    /// Imports the appearance and the nature of types of squares.
    fn looks(&mut self) {
        let (Some(types), Some(squares)) = (&self.found.level_types, &self.found.squares) else { return };
        let mut looks = Vec::new();
        let (mut unknown, mut own) = (Vec::new(), 0);
        for (of, square) in types.table.iter().zip(&squares.table) {
            let old = self.old.look(of);
            let is_known = Terrain::from_word(of).is_some();
            let usual = old.cloned().or_else(|| Terrain::from_word(of)?.look_in(self.old).cloned());
            if square.symbol.is_none() && is_known || Terrain::from_word(of).is_some_and(is_drawn_by_state) {
                looks.extend(usual);
                continue;
            }
            let like = match square.ground {
                _ if is_known => "",
                Some(Ground::Wall) => "hwall",
                Some(Ground::Rock) => "tree",
                Some(Ground::Pool) => "pool",
                Some(Ground::Lava) => "lavapool",
                Some(Ground::Barrier) => "ironbars",
                Some(Ground::Furniture) => "sink",
                Some(Ground::Air) => "cloud",
                Some(Ground::Floor) => "room",
                None => {
                    unknown
                        .push(format!("it is unknown whether one can walk on `{of}`: levels that use it do not run"));
                    continue;
                }
            };
            if !like.is_empty() && !types.table.iter().any(|known| known == like) {
                unknown.push(format!(
                    "`{of}` is like `{like}`, which the game does not have: levels that use it do not run"
                ));
                continue;
            }
            own += usize::from(!is_known);
            let name = match (&square.description, &usual) {
                // The game's words for known squares are shorter, such as "doorway" for doors of any state.
                (_, Some(usual)) => usual.name.to_string(),
                (Some(description), None) => description.clone(),
                (None, None) => of.replace('_', " "),
            };
            looks.push(Look {
                of: of.clone().into(),
                symbol: square.symbol.or(usual.as_ref().map(|look| look.symbol)).unwrap_or('.'),
                color: square.color.or(usual.map(|look| look.color)).unwrap_or_default(),
                name: name.into(),
                like: like.into(),
            });
        }
        if own > 0 {
            self.table("looks", looks.len(), (own, 0), &squares.place);
        }
        self.some_notes(&squares.place, unknown);
        let named = |of: &dyn Fn(&SquareRow) -> Option<bool>| -> Vec<&str> {
            let rows = types.table.iter().zip(&squares.table);
            rows.filter(|(_, row)| of(row) == Some(true)).map(|(of, _)| of.as_str()).collect()
        };
        // Those of the parent's game are rules of its loader.
        let is_own = |of: &&str| Terrain::from_word(of).is_none();
        let dry: Vec<Name> =
            named(&|row| row.is_dry).into_iter().filter(is_own).map(|of| of.to_owned().into()).collect();
        self.draft.loader.dry_terrain = dry.into();
        let walkable = |row: &SquareRow| {
            let solid = [Ground::Wall, Ground::Rock, Ground::Pool, Ground::Lava, Ground::Barrier];
            row.is_landing.map(|is_landing| is_landing && row.ground.is_some_and(|ground| !solid.contains(&ground)))
        };
        let landing = named(&walkable).into_iter().filter(|of| *of != "corr");
        let landing: Vec<Name> = landing.map(|of| of.to_owned().into()).collect();
        let is_plain = landing.iter().all(|of| matches!(of.as_ref(), "room" | "air"));
        self.draft.loader.landing_terrain = if is_plain { Table::default() } else { landing.into() };
        self.draft.looks = looks.into();
    }

    /// Imports traps and room types.
    fn named(&mut self) {
        let found = self.found;
        if let Some(Found { table, place }) = &found.traps {
            let change = changed(strs(table), strs(&self.old.traps));
            let table = self.once("trap", table, place);
            self.table("traps", table.len(), change, place);
            let loader = &mut self.draft.loader;
            let last = table.iter().map(|(_, number)| *number).max().unwrap_or(0) + 1;
            // Level files have numbers up to 127: larger ones were noted and left out.
            let most = i64::from(i8::MAX);
            loader.trap_types = found.constants.get("TRAPNUM").copied().unwrap_or(last).max(last).min(most) as i32;
            let vibrating =
                found.constants.get("VIBRATING_SQUARE").copied().filter(|number| (0..=most).contains(number));
            loader.vibrating_square = vibrating.unwrap_or(0) as i32;
            let renumbered = |old: u16| {
                let (name, _) = self.old.traps.iter().find(|(_, number)| *number == i64::from(old))?;
                let (_, number) = table.iter().find(|(known, _)| known == name)?;
                u16::try_from(*number).ok()
            };
            loader.deep_traps = self
                .old
                .loader
                .deep_traps
                .iter()
                .filter_map(|(trap, depth)| Some((renumbered(*trap)?, *depth)))
                .collect();
            self.draft.traps = table.into();
        }
        if let Some(Found { table, place }) = &found.rooms {
            let change = changed(strs(table), strs(&self.old.rooms));
            let table = self.once("room type", table, place);
            self.table("rooms", table.len(), change, place);
            self.draft.loader.stocked_rooms.to_mut().retain(|room| table.iter().any(|(name, _)| name == room));
            self.draft.rooms = table.into();
        }
    }

    /// Returns the names whose numbers fit level files, and notes the others.
    fn once(&mut self, what: &str, table: &[(String, i64)], place: &str) -> Vec<(Name, i64)> {
        let all = table.iter().map(|(name, number)| (Name::Owned(name.clone()), *number));
        let is_word = |(name, _): &(Name, i64)| !name.is_empty() && !name.contains(char::is_control);
        let (all, others): (Vec<_>, Vec<_>) = all.partition(is_word);
        let others = others.iter().map(|(name, _)| format!("the {what} \"{}\" is left out", name.escape_debug()));
        self.some_notes(place, others.collect());
        let (fit, others): (Vec<_>, Vec<_>) = all.into_iter().partition(|(_, number)| (0..=127).contains(number));
        let others = others.iter().map(|(name, number)| {
            format!("the {what} \"{name}\" has number {number}, but splc supports at most 127: levels cannot use it")
        });
        self.some_notes(place, others.collect());
        fit
    }

    /// Imports words of the lexer. All words of a token belong to the group of its known words.
    fn words(&mut self) {
        let Some(Found { table, place }) = &self.found.words else { return };
        let mut groups: BTreeMap<&str, BTreeSet<usize>> = BTreeMap::new();
        for (at, words) in self.old.words.iter().enumerate() {
            for (word, _) in words.iter() {
                if let Some(row) = table.get(word.as_ref()) {
                    groups.entry(&row.token).or_default().insert(at);
                }
            }
        }
        let mut words: Vec<Vec<(Name, i64)>> = vec![Vec::new(); Group::ALL.len()];
        let mut keywords = Vec::new();
        let mut unknown: Vec<String> = Vec::new();
        let (door_state, door_detail) = (Group::DoorState as usize, Group::DoorDetail as usize);
        let closed = table.get("closed");
        for (word, WordRow { token, value }) in table {
            let row_value = value.unwrap_or(0);
            let of = groups.get(token.as_str());
            match (of, value) {
                (_, Some(value)) if token == "DOOR_MATERIAL" => {
                    words[door_detail].push((Name::Owned(word.clone()), *value))
                }
                (_, Some(value)) if self.found.place_check.as_ref() == Some(token) => {
                    words[Group::PlaceCheck as usize].push((Name::Owned(word.clone()), *value));
                }
                (_, Some(value)) if self.found.object_flags.as_ref() == Some(token) => {
                    if [splc_ir::parts::BURIED, splc_ir::parts::LIT].contains(&word.as_str()) {
                        words[Group::ObjectFlag as usize].push((Name::Owned(word.clone()), *value));
                    } else {
                        unknown.push(word.clone());
                    }
                }
                (Some(groups), Some(value)) => {
                    // If a token belongs to several groups, each group gets the words known to be its own.
                    let own = |at: &&usize| self.old.words[**at].iter().any(|(known, _)| known == word);
                    let mine: Vec<usize> = if groups.len() > 1 {
                        groups.iter().filter(own).copied().collect()
                    } else {
                        groups.iter().copied().collect()
                    };
                    let value = match (&closed, groups.contains(&door_state)) {
                        // A state that is a flag in this language applies to a closed door.
                        (Some(closed), true) if closed.token != *token => *value | closed.value.unwrap_or(0),
                        _ => *value,
                    };
                    if mine.is_empty() && groups.contains(&door_state) {
                        words[door_detail].push((Name::Owned(word.clone()), row_value));
                    }
                    for at in mine {
                        let number = if at == door_state { value } else { row_value };
                        words[at].push((Name::Owned(word.clone()), number));
                    }
                }
                _ => {
                    if catalog::ALL.iter().any(|catalog| catalog.is_keyword(word)) {
                        keywords.push(Name::Owned(word.clone()));
                    } else {
                        unknown.push(word.clone());
                    }
                }
            }
        }
        let known = self.old.all_keywords().iter().map(|word| word.as_ref());
        let known = changed(table.keys().map(String::as_str), known);
        self.table("words", table.len(), known, place);
        for (at, group) in Group::ALL.iter().enumerate() {
            // Keep compound words of splc's own lexer, and words that no token assigns to a group.
            let mut now = std::mem::take(&mut words[at]);
            if now.is_empty() {
                now = self.old.words[at].to_vec();
                now.retain(|(word, _)| table.contains_key(word.as_ref()));
                if now.is_empty() && !self.old.words[at].is_empty() {
                    self.note(place, format!("the group {} has no keywords", group.as_str()));
                }
            }
            now.order();
            self.draft.words[at] = now.into();
        }
        for word in self.old.keywords.iter() {
            // Some keywords of the map lexer have no word rule.
            if !table.contains_key(word.as_ref()) && word.chars().any(|c| !c.is_ascii_alphanumeric() && c != '_') {
                keywords.push(word.clone());
            }
        }
        keywords.extend(
            self.old.keywords.iter().filter(|word| matches!(word.as_ref(), "MAP" | "ENDMAP" | "INCLUDE")).cloned(),
        );
        keywords.order();
        keywords.dedup();
        self.draft.keywords = keywords.into();
        let is_own = |word: &String| {
            let places = &self.found.place_statements;
            let part =
                |prefix: &str| self.found.constants.contains_key(&format!("{prefix}{}", word.to_ascii_uppercase()));
            places.iter().any(|statement| statement.word == *word) || part("SP_M_V_") || part("SP_O_V_")
        };
        unknown.retain(|word| !is_own(word));
        // Keywords implied by another part of the catalog.
        let is_form = |word: &str| match word {
            "MINDEPTH" => self.found.forms.vault_depths,
            "HALLUMSG" => self.found.opcodes.is_none(),
            "OBJFLAGS" => self.found.object_flags.is_some(),
            "RANDOM_REGION" | "region" => self.part_has("nrndlreg"),
            _ => false,
        };
        unknown.retain(|word| !is_form(word));
        for word in unknown {
            self.note(place, format!("unknown keyword `{word}`"));
        }
    }

    /// Imports names of numeric constants: parts of monsters and objects, kinds of regions.
    fn numbers(&mut self) {
        let found = self.found;
        let (draft, old) = (&mut self.draft, self.old);
        for (key, prefix, table, old) in [
            ("value_types", "SPOVAR_", &mut draft.value_types, &old.value_types),
            ("monster_parts", "SP_M_V_", &mut draft.monster_parts, &old.monster_parts),
            ("object_parts", "SP_O_V_", &mut draft.object_parts, &old.object_parts),
            ("init_styles", "LVLINIT_", &mut draft.init_styles, &old.init_styles),
        ] {
            let mut now: Vec<(Name, i64)> = Vec::new();
            for (name, number) in &found.constants {
                let Some(name) = name.strip_prefix(prefix) else { continue };
                let name = own_name(key, name);
                if !now.iter().any(|(_, known)| known == number) {
                    now.push((Name::Owned(name), *number));
                }
            }
            now.order();
            if now.is_empty() || old.is_empty() {
                continue;
            }
            let changed = changed(strs(&now), strs(old));
            self.tables.push(ImportedTable { key, entries: now.len(), changed, place: "include/sp_lev.h".to_owned() });
            *table = now.into();
        }
        if let Some(Found { table, place }) = &found.opcodes {
            let named = |name: &str| Opcode::ALL.iter().copied().find(|opcode| opcode.as_str() == name);
            let change =
                changed(table.iter().map(String::as_str), self.old.opcodes.iter().map(|opcode| opcode.as_str()));
            self.table("opcodes", table.len(), change, place);
            let mut opcodes: Vec<Opcode> = Vec::new();
            let mut places = Vec::new();
            for name in table {
                let of_one_place = found.place_statements.iter().find(|statement| statement.opcode == *name);
                if let Some(opcode) = named(name) {
                    opcodes.push(opcode);
                } else if let Some(statement) = of_one_place {
                    places.push(statement.word.clone());
                    opcodes.extend(named(&format!("place_{}", places.len())));
                } else {
                    // A placeholder keeps the numbers of the following opcodes.
                    self.note(place, format!("unknown opcode `{name}`"));
                    let is_free = |known: &&Opcode| {
                        !table.iter().any(|name| name == known.as_str())
                            && !opcodes.contains(known)
                            && !known.as_str().starts_with("place_")
                    };
                    let stand_in = Opcode::ALL.iter().find(is_free);
                    opcodes.extend(stand_in);
                }
            }
            self.draft.place_statements = names(&places);
            self.draft.opcodes = opcodes.into();
        } else {
            let own = |statement: &&splc_import::PlaceStatement| {
                !self.old.keywords.iter().any(|word| *word == statement.word)
            };
            let words = found.place_statements.iter().filter(own).map(|statement| statement.word.clone());
            self.draft.place_statements = words.map(Name::Owned).collect();
        }
        let has_word = |token: &str| found.words.iter().any(|words| words.table.values().any(|row| row.token == token));
        if has_word("DOOR_MATERIAL") {
            self.feature(Feature::DoorsHaveMaterials, true);
        }
        if found.leaves_out_rooms {
            self.draft.loader.rules = self.draft.loader.rules.with(LoaderRule::UnlikelyRoomsAreLeftOut);
        }
        if has_word("VAULTGEN_ID") {
            self.feature(Feature::RandomVaults, true);
        }
        if let Some(bytes) = found.value_type_bytes {
            self.feature(Feature::WideValueTypes, bytes == 2);
            if !(1..=2).contains(&bytes) {
                self.note("include/sp_lev.h", format!("a value's type has {bytes} bytes"));
            }
        }
    }

    /// Imports the structures of level files without opcodes.
    fn layouts(&mut self) {
        let found = self.found;
        if found.structures.is_empty() {
            return;
        }
        let mut lines = Vec::new();
        for (c_name, name, known, plain) in STRUCTURES {
            let Some(fields) = found.structures.get(*c_name) else { continue };
            let ours = |field: &str| match known.iter().find(|(c, _)| *c == field) {
                Some((_, ours)) => (*ours).to_owned(),
                None => field.replace('.', "_"),
            };
            let line: Vec<String> = fields.iter().map(|(field, kind)| format!("{}:{kind}", ours(field))).collect();
            let line = line.join(" ");
            if line != *plain {
                for (field, kind) in fields {
                    let is_new = !known.iter().any(|(c, _)| c == field);
                    if is_new {
                        let message =
                            format!("`{c_name}` has an unknown field `{field}` ({kind}), which splc sets to 0");
                        self.note("include/sp_lev.h", message);
                    }
                }
                lines.push(format!("{name} {line}"));
            }
        }
        if !lines.is_empty() {
            self.table("structures", lines.len(), (lines.len(), 0), "include/sp_lev.h");
        }
        self.draft.structures = names(&lines);
        self.feature(Feature::RandomRegions, self.part_has("nrndlreg"));
        self.feature(Feature::PlaceLists, self.part_has("nlocset"));
        let plain = i64::from(splc_ir::parts::RANDOM);
        if let Some(random) = found.random_place.filter(|random| *random != plain) {
            self.draft.packing.random_place = random;
        }
        if let Some(Found { table, place }) = &found.door_artifacts {
            self.table("artifacts", table.len(), (table.len(), 0), place);
            self.draft.artifacts = names(table);
        }
        let has_gods = found.structures.get("altar").is_some_and(|altar| altar.iter().any(|(field, _)| field == "god"));
        match &found.gods {
            Some(Found { table, place }) if has_gods => {
                self.table("gods", table.len(), (table.len(), 0), place);
                self.draft.gods = names(table);
            }
            None if has_gods => {
                let message = "altars have gods, but their names (god_names[]) were not found: levels that name a \
                               god need `gods` in the catalog";
                self.note("util/lev_main.c", message.to_owned());
            }
            _ => {}
        }
    }

    /// Compares the functions that write level files with those that splc knows. Differences are recorded in the
    /// catalog, so that no level files are written that the game would misread.
    fn vouch(&mut self) {
        let found = self.found;
        let mut reasons: Vec<String> = Vec::new();
        let mut empty: Vec<String> = Vec::new();
        if let (Some(bytes), Some((_, header))) = (found.header_bytes, self.old.headers.first())
            && bytes != header.len() * 8
        {
            reasons.push(format!("their version header has {bytes} bytes, not {} numbers of 8", header.len()));
        }
        for (call, value) in &found.packing {
            let packing = &self.old.packing;
            let species = (packing.species_bias + 300) << 8 | 65;
            let expected = match *call {
                "SP_COORD_PACK(3, 5)" => 3 + (5 << 16),
                "SP_REGION_PACK(3, 5, 7, 9)" => 3 + (5 << 8) + (7 << 16) + (9 << 24),
                "SP_MAPCHAR_PACK(20, 1)" => (packing.light_bias + 1) << 8 | 20,
                _ => species,
            };
            if *value != expected {
                reasons.push(format!("{call} is {value}, not {expected}"));
            }
        }
        if self.draft.format == Format::Parts {
            for (function, expected) in WRITES {
                match found.writes.iter().find(|written| written.function == *function) {
                    Some(written) => self.compare(function, &written.names, expected, &mut empty, &mut reasons),
                    None => reasons.push(format!("the function `{function}` was not found")),
                }
            }
        }
        for (c_name, _, known, _) in STRUCTURES {
            for (field, _) in found.structures.get(*c_name).into_iter().flatten() {
                if !known.iter().any(|(c, _)| c == field) {
                    reasons.push(format!("`{c_name}` has an unknown field `{field}`"));
                }
            }
        }
        for reason in &reasons {
            self.note("util/lev_main.c", format!("splc cannot vouch for level files: {reason}"));
        }
        self.draft.empty_lists = names(&empty);
        self.draft.unverified = names(&reasons);
    }

    /// Imports the limits of dungeons, the descriptors, and the numbers in the file `dungeon`.
    fn dungeon_limits(&mut self) {
        let Some(compiler) = &self.found.dungeon else { return };
        let rules = &mut self.draft.dungeon;
        for (constant, key) in
            [("MAXDUNGEON", "dungeons"), ("MAXLEVEL", "depth"), ("LEV_LIMIT", "levels"), ("BRANCH_LIMIT", "branches")]
        {
            if let Some(value) = compiler.constants.get(constant) {
                // A place of a level counts in a mask of 64 bits.
                rules.replace(key, if key == "depth" { (*value).min(63) } else { *value });
            }
        }
        if let Some(chance) = compiler.chance.and_then(|chance| i32::try_from(chance).ok()) {
            rules.chance = chance;
        }
        for (name, defined) in rules.defines.to_mut() {
            if let Some(found) = compiler.switches.get(&**name) {
                *defined = i64::from(*found);
            }
        }
        // Those of NetHack 3.4.3 with its bits are known.
        let known = Rules::default();
        let is_known = |word: &str, bit: i64| {
            bit == 0 || known.all_traits().any(|(one, known)| one.word() == word && i64::from(known) == bit)
        };
        let own = compiler.descriptors.iter().filter_map(|(word, bit)| Some((word, (*bit)?)));
        let own = own.filter(|&(word, bit)| !is_known(word, bit));
        let mut own: Vec<(Name, i64)> = own.map(|(word, bit)| (Name::Owned(word.clone()), bit)).collect();
        own.order();
        rules.traits = own.into();
        for (structure, fields) in [("tmpdungeon", &mut rules.fields), ("tmpbranch", &mut rules.branch_fields)] {
            let Some(found) = compiler.structures.get(structure) else { continue };
            let is_number = |name: &&String| DungeonNumber::ALL.iter().any(|number| number.as_str() == name.as_str());
            *fields = names(&found.iter().filter(is_number).cloned().collect::<Vec<_>>());
        }
    }

    /// Imports the dungeon compiler, and finds the reasons why splc cannot vouch for its file.
    fn dungeon(&mut self) {
        self.dungeon_limits();
        let Some(compiler) = &self.found.dungeon else { return };
        let mut reasons: Vec<String> = Vec::new();
        if let Some((word, _)) = compiler.descriptors.iter().find(|(_, bit)| bit.is_none()) {
            reasons.push(format!("the bit of the descriptor `{word}` was not found"));
        }
        for (name, before, after) in DUNGEON_STRUCTURES {
            let Some(found) = compiler.structures.get(name) else { continue };
            let rules = &self.draft.dungeon;
            let numbers: &[Name] = match *name {
                "tmpdungeon" => &rules.fields,
                "tmpbranch" => &rules.branch_fields,
                _ => &[],
            };
            let expected =
                before.iter().copied().chain(numbers.iter().map(|name| &**name)).chain(after.iter().copied());
            let mut expected = expected.fuse();
            if let Some(field) = found.iter().find(|field| expected.next() != Some(field.as_str())) {
                reasons.push(format!("`{name}` has an unknown field `{field}`"));
            } else if let Some(field) = expected.next() {
                reasons.push(format!("`{name}` has no field `{field}`"));
            }
        }
        self.draft.dungeon.unverified = names(&reasons);
        for reason in reasons {
            self.note("include/dgn_file.h", format!("splc cannot vouch for the file dungeon: {reason}"));
        }
    }

    /// Compares what a function writes with what it writes in NetHack 3.4.3. A list of things that splc does not know
    /// stays empty, which is one zero.
    fn compare(
        &self,
        function: &str,
        written: &[String],
        expected: &[&str],
        empty: &mut Vec<String>,
        reasons: &mut Vec<String>,
    ) {
        let has = |name: &str| written.iter().any(|known| known == name);
        let mut own = self.found.place_statements.len();
        let mut expected = expected.iter().copied().peekable();
        let mut before = "";
        let mut at = 0;
        while let Some(name) = written.get(at).map(String::as_str) {
            at += 1;
            // Lists of places and random regions, and a second message, are features of the catalog.
            match name {
                "nlocset" => continue,
                "nrndlreg" => {
                    at += written[at..].iter().take(2).filter(|name| matches!(name.as_str(), "l" | "rname")).count();
                    continue;
                }
                "len" if written.get(at).is_some_and(|next| next == "tmphallumsg") => {
                    at += 1;
                    continue;
                }
                "nloc" if !has("nlocset") || expected.peek() == Some(&"nloc") => {}
                _ => {}
            }
            if expected.peek() == Some(&name) {
                before = name;
                expected.next();
                continue;
            }
            let of = if function == "write_rooms" { "room" } else { "part" };
            let list = name.strip_prefix('n').filter(|list| {
                // The things of a list follow their number.
                written.get(at).is_some_and(|things| things.starts_with(list) && !expected.clone().any(|e| e == name))
            });
            let after = LISTS.iter().find(|(c, _)| *c == before).map(|(_, after)| *after);
            match (list, after) {
                (Some(_), Some("fountain")) if own > 0 => own -= 1,
                (Some(list), Some(after)) => empty.push(format!("{of} {list} after {after}")),
                _ => {
                    reasons.push(format!("`{function}` writes `{name}` after `{before}`"));
                    return;
                }
            }
            at += 1;
        }
        if let Some(name) = expected.next() {
            reasons.push(format!("`{function}` does not write `{name}` after `{before}`"));
        }
    }

    /// Returns true if the structure of a part, in level files without opcodes, has the field.
    fn part_has(&self, field: &str) -> bool {
        self.found.structures.get("mazepart").is_some_and(|part| part.iter().any(|(known, _)| known == field))
    }

    /// Adds or removes a feature.
    fn feature(&mut self, feature: Feature, has: bool) {
        let others = Feature::ALL.iter().filter(|known| **known != feature && self.draft.has(**known));
        let others = others.fold(Features::of(&[]), |features, known| features.with(*known));
        self.draft.features = if has { others.with(feature) } else { others };
    }

    /// Imports the forms that the grammar accepts.
    fn forms(&mut self) {
        let found = self.found;
        let forms = found.forms;
        let is_parts = self.draft.format == Format::Parts;
        self.feature(Feature::EmptyLevelRegions, is_parts && forms.empty_level_regions);
        let has_hallucinations = found.words.iter().any(|words| words.table.contains_key("HALLUMSG"));
        self.feature(Feature::HallucinationMessages, is_parts && has_hallucinations);
        self.feature(Feature::ClassesByHash, is_parts && forms.hash_class);
        // A missing grammar proves nothing.
        self.feature(Feature::OrdinaryRoomChances, is_parts && found.has_grammar && !forms.chances_of_types_only);
        self.feature(Feature::EmptySpills, !is_parts && forms.empty_spills);
        self.feature(Feature::VaultDepths, !is_parts && forms.vault_depths);
        if forms.comma_gradients {
            self.feature(Feature::CommaGradients, true);
        }
        if !is_parts && forms.irregular_truth {
            self.feature(Feature::IrregularTruth, true);
            for (word, number) in [("irregular", 1), ("regular", 0)] {
                let words = self.draft.words[Group::Irregular as usize].to_mut();
                if !words.iter().any(|(known, _)| known == word) {
                    words.push((word.into(), number));
                }
            }
        }
        if let Some([columns, rows]) = found.room_positions {
            self.feature(Feature::RoomsInSquares, columns.0 == 0);
            self.draft.limits.room_columns = columns.1 as i32;
            self.draft.limits.room_rows = rows.1 as i32;
        }
        if let (Some(Found { table, place }), Some(types)) = (&found.joined, &found.level_types) {
            let names: Vec<String> = table
                .iter()
                .filter_map(|number| types.table.get(usize::try_from(*number).ok()?))
                .filter(|name| !name.starts_with("type_"))
                .cloned()
                .collect();
            let mut sorted: Vec<&str> = names.iter().map(String::as_str).collect();
            sorted.order();
            if sorted != ["corr", "room"] {
                self.table("joined_terrain", names.len(), (names.len().saturating_sub(2), 0), place);
                self.draft.joined_terrain = self::names(&names);
            }
        }
    }

    fn limits(&mut self) {
        const LIMITS: &[(&str, &str)] = &[
            ("columns", "COLNO"),
            ("rows", "ROWNO"),
            ("map_width", "MAP_X_LIM"),
            ("map_height", "MAP_Y_LIM"),
            ("nesting", "MAX_NESTED_IFS"),
            ("switch_cases", "MAX_SWITCH_CASES"),
            ("switch_breaks", "MAX_SWITCH_BREAKS"),
            ("registers", "MAX_REGISTERS"),
            ("room_types", "MAXRTYPE"),
            ("of_type", "MAX_OF_TYPE"),
            ("subrooms", "MAX_SUBROOMS"),
        ];
        for (key, constant) in LIMITS {
            if let Some(value) = self.found.constants.get(*constant) {
                self.draft.limits.replace(key, *value);
            }
        }
    }

    fn header(&mut self, like: Option<&[u8]>) {
        let parts = self.found.header;
        if let Some(bytes) = like {
            let known = abi::ALL.iter().find_map(|abi| {
                let any = self.old.headers.first().map(|(_, header)| &**header);
                let count = self.old.header(abi.name).or(any)?.len();
                let header = longs(bytes, count, abi)?;
                (parts[0].is_none_or(|incarnation| header[0] == incarnation)
                    && header[0] != 0
                    && !header[..4].contains(&0))
                .then_some((abi.name, header))
            });
            match known {
                Some((abi, header)) => {
                    self.draft.headers = vec![(abi.into(), header.into())].into();
                    return;
                }
                None => self.note("", "the level file given with --like is not from this game".to_owned()),
            }
        }
        if parts.iter().all(Option::is_none) {
            return;
        }
        let sizes = &self.found.struct_sizes;
        for (abi, header) in self.draft.headers.to_mut() {
            let header = header.to_mut();
            let is_long = Abi::by_name(abi).is_none_or(|abi| abi.long == 8);
            for (long, part) in header.iter_mut().zip(parts) {
                if let Some(part) = part {
                    *long = if is_long { part } else { part & 0xffff_ffff };
                }
            }
            for (long, part) in header.iter_mut().skip(3).zip(sizes.get(abi.as_ref()).into_iter().flatten()) {
                *long = if is_long { *part } else { *part & 0xffff_ffff };
            }
        }
        if sizes.is_empty() {
            let message = "the structure sizes in the version header are those of the parent: use --like FILE.lev to \
                       take them from a level file";
            self.note("util/makedefs.c", message.to_owned());
        }
    }
}

/// Returns the names that an object may have in C: its name in capitals, in some classes after a prefix.
fn constants(object: &Species) -> impl Iterator<Item = String> {
    const PREFIXES: &[(char, &str)] =
        &[('"', "AMU"), ('=', "RIN"), ('/', "WAN"), ('?', "SCR"), ('!', "POT"), ('+', "SPE")];
    let letters = object.name.chars().map(|letter| if letter.is_ascii_alphanumeric() { letter } else { '_' });
    let plain: String = letters.collect::<String>().to_ascii_uppercase();
    let prefix =
        PREFIXES.iter().find(|(class, _)| *class == object.class).map(|(_, prefix)| format!("{prefix}_{plain}"));
    prefix.into_iter().chain([plain])
}

/// Structures of level files without opcodes: their names in C and in catalogs, the names of their fields, and their
/// layout in NetHack 3.4.3 (`include/sp_lev.h`).
type Structure = (&'static str, &'static str, &'static [(&'static str, &'static str)], &'static str);
const STRUCTURES: &[Structure] = &[
    (
        "lev_init",
        "init",
        &[
            ("init_present", "present"),
            ("padding", "padding"),
            ("fg", "foreground"),
            ("bg", "background"),
            ("smoothed", "smoothed"),
            ("joined", "joined"),
            ("lit", "light"),
            ("walled", "walled"),
            ("icedpools", "iced"),
        ],
        "present:char padding:char foreground:char background:char smoothed:char joined:char light:char walled:char",
    ),
    (
        "door",
        "door",
        &[("x", "x"), ("y", "y"), ("mask", "state"), ("arti_key", "artifact"), ("arti_text", "artifact")],
        "x:char y:char state:char",
    ),
    (
        "room_door",
        "room_door",
        &[
            ("wall", "wall"),
            ("pos", "position"),
            ("secret", "secret"),
            ("mask", "state"),
            ("arti_key", "artifact"),
            ("arti_text", "artifact"),
        ],
        "wall:char position:char secret:char state:char",
    ),
    (
        "trap",
        "trap",
        &[("x", "x"), ("y", "y"), ("chance", "chance"), ("type", "kind")],
        "x:char y:char chance:char kind:char",
    ),
    (
        "monster",
        "monster",
        &[
            ("name", "name"),
            ("appear_as", "appear_as"),
            ("id", "number"),
            ("align", "alignment"),
            ("x", "x"),
            ("y", "y"),
            ("chance", "chance"),
            ("class", "class"),
            ("appear", "appearance"),
            ("peaceful", "peaceful"),
            ("asleep", "asleep"),
        ],
        "name:text appear_as:text number:short alignment:char x:char y:char chance:char class:char appearance:char \
         peaceful:char asleep:char",
    ),
    (
        "object",
        "object",
        &[
            ("name", "name"),
            ("corpsenm", "corpse"),
            ("id", "number"),
            ("spe", "enchantment"),
            ("x", "x"),
            ("y", "y"),
            ("chance", "chance"),
            ("class", "class"),
            ("containment", "containment"),
            ("curse_state", "curse"),
            ("oflags", "flags"),
        ],
        "name:text corpse:int number:short enchantment:short x:char y:char chance:char class:char containment:char \
         curse:char",
    ),
    (
        "altar",
        "altar",
        &[("x", "x"), ("y", "y"), ("align", "alignment"), ("shrine", "kind"), ("god", "god")],
        "x:char y:char alignment:char kind:char",
    ),
    (
        "drawbridge",
        "drawbridge",
        &[("x", "x"), ("y", "y"), ("dir", "direction"), ("db_open", "open")],
        "x:char y:char direction:char open:char",
    ),
    ("walk", "walk", &[("x", "x"), ("y", "y"), ("dir", "direction")], "x:char y:char direction:char"),
    (
        "digpos",
        "protected",
        &[("x1", "x1"), ("y1", "y1"), ("x2", "x2"), ("y2", "y2")],
        "x1:char y1:char x2:char y2:char",
    ),
    ("lad", "ladder", &[("x", "x"), ("y", "y"), ("up", "up")], "x:char y:char up:char"),
    ("stair", "stair", &[("x", "x"), ("y", "y"), ("up", "up")], "x:char y:char up:char"),
    (
        "region",
        "region",
        &[
            ("x1", "x1"),
            ("y1", "y1"),
            ("x2", "x2"),
            ("y2", "y2"),
            ("rtype", "kind"),
            ("rlit", "light"),
            ("rirreg", "irregular"),
        ],
        "x1:char y1:char x2:char y2:char kind:char light:char irregular:char",
    ),
    (
        "lev_region",
        "level_region",
        &[
            ("inarea.x1", "inside_x1"),
            ("inarea.y1", "inside_y1"),
            ("inarea.x2", "inside_x2"),
            ("inarea.y2", "inside_y2"),
            ("delarea.x1", "outside_x1"),
            ("delarea.y1", "outside_y1"),
            ("delarea.x2", "outside_x2"),
            ("delarea.y2", "outside_y2"),
            ("in_islev", "inside_level"),
            ("del_islev", "outside_level"),
            ("rtype", "kind"),
            ("padding", "padding"),
            ("rname", "level"),
        ],
        "inside_x1:char inside_y1:char inside_x2:char inside_y2:char outside_x1:char outside_y1:char outside_x2:char \
         outside_y2:char inside_level:char outside_level:char kind:char padding:char level:text",
    ),
    ("gold", "gold", &[("x", "x"), ("y", "y"), ("amount", "amount")], "x:char y:char amount:int"),
    (
        "engraving",
        "engraving",
        &[("x", "x"), ("y", "y"), ("engr", "text"), ("etype", "kind")],
        "x:char y:char text:text kind:char",
    ),
    ("fountain", "feature", &[("x", "x"), ("y", "y")], "x:char y:char"),
    (
        "corridor",
        "corridor",
        &[
            ("src.room", "from_room"),
            ("src.wall", "from_wall"),
            ("src.door", "from_door"),
            ("dest.room", "to_room"),
            ("dest.wall", "to_wall"),
            ("dest.door", "to_door"),
        ],
        "from_room:char from_wall:char from_door:char to_room:char to_wall:char to_door:char",
    ),
];

/// Returns true for terrain whose symbol depends on more than its type, such as stairs: its look is the parent's.
fn is_drawn_by_state(terrain: Terrain) -> bool {
    terrain.is_wall_or_stone()
        || terrain.is_door_or_secret()
        || terrain.is_drawbridge()
        || matches!(terrain, Terrain::SECRET_CORRIDOR | Terrain::ROOM | Terrain::STAIRS | Terrain::LADDER)
}

/// The structures of the file `dungeon` (`include/dgn_file.h`): the fields before the numbers of the catalog,
/// and those after.
const DUNGEON_STRUCTURES: &[(&str, &[&str], &[&str])] = &[
    ("tmpdungeon", &["name", "protoname", "lev"], &["boneschar"]),
    ("tmplevel", &["name", "lev", "chance", "rndlevs", "chain", "flags"], &["boneschar"]),
    ("tmpbranch", &["name", "lev"], &[]),
];

/// The parts that the functions of NetHack 3.4.3 write, in order (`util/lev_main.c`).
pub const WRITES: &[(&str, &[&str])] = &[
    ("write_common_data", &["version_data", "c", "init", "flgs", "len", "tmpmessage"]),
    ("write_monsters", &["nmonster_p", "m", "name", "appr"]),
    ("write_objects", &["nobject_p", "o", "name"]),
    ("write_engravings", &["nengraving_p", "e", "engr"]),
    (
        "write_maze",
        &[
            "filling",
            "numpart",
            "halign",
            "valign",
            "xsize",
            "ysize",
            "map",
            "nlreg",
            "l",
            "rname",
            "nrobjects",
            "robjects",
            "nloc",
            "rloc_x",
            "rloc_y",
            "nrmonst",
            "rmonst",
            "nreg",
            "regions",
            "ndoor",
            "doors",
            "ndrawbridge",
            "drawbridges",
            "nwalk",
            "walks",
            "ndig",
            "digs",
            "npass",
            "passs",
            "nlad",
            "lads",
            "nstair",
            "stairs",
            "naltar",
            "altars",
            "nfountain",
            "fountains",
            "ntrap",
            "traps",
            "ngold",
            "golds",
        ],
    ),
    (
        "write_rooms",
        &[
            "nrobjects",
            "robjects",
            "nrmonst",
            "rmonst",
            "nroom",
            "size",
            "name",
            "size",
            "parent",
            "x",
            "y",
            "w",
            "h",
            "xalign",
            "yalign",
            "rtype",
            "chance",
            "rlit",
            "filled",
            "ndoor",
            "doors",
            "nstair",
            "stairs",
            "naltar",
            "altars",
            "nfountain",
            "fountains",
            "nsink",
            "sinks",
            "npool",
            "pools",
            "ntrap",
            "traps",
            "ngold",
            "golds",
            "ncorr",
            "corrs",
        ],
    ),
];

/// The things of a list in C, and the name of the list.
const LISTS: &[(&str, &str)] = &[
    ("regions", "region"),
    ("doors", "door"),
    ("drawbridges", "drawbridge"),
    ("walks", "maze walk"),
    ("digs", "undiggable area"),
    ("passs", "impassable area"),
    ("lads", "ladder"),
    ("stairs", "stairs"),
    ("altars", "altar"),
    ("fountains", "fountain"),
    ("sinks", "sink"),
    ("pools", "pool"),
    ("traps", "trap"),
    ("golds", "gold"),
];

fn names(names: &[String]) -> Table<Name> {
    names.iter().cloned().map(Name::Owned).collect()
}

fn strs<'t>(table: &'t [(impl AsRef<str> + 't, i64)]) -> impl Iterator<Item = &'t str> {
    table.iter().map(|(name, _)| name.as_ref())
}

/// Returns the catalog's name of a constant.
fn own_name(key: &str, constant: &str) -> String {
    let name = constant.to_ascii_lowercase();
    match (key, name.as_str()) {
        ("value_types", "coord") => "coordinate".to_owned(),
        ("value_types", "mapchar") => "map_character".to_owned(),
        ("value_types", "monst") => "monster".to_owned(),
        ("value_types", "obj") => "object".to_owned(),
        ("value_types", "sel") => "selection".to_owned(),
        ("init_styles", "sheollev") => "sheol".to_owned(),
        _ => name,
    }
}
