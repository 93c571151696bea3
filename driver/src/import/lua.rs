//! The tables of a game whose levels are Lua scripts: its additions to the functions, keys, words and flags of NetHack
//! 5.0.0, and its own `nhlib.lua`.

use splc_import::{LuaKeyRow, LuaTables, SourceTables};
use splc_ir::catalog::{Group, LoaderRule, Look, Name, OwnFunction, OwnKey, Rules, ValueKind};
use splc_ir::diagnostic::Diagnostics;
use splc_ir::order::Order;
use splc_ir::source::SourceMap;
use splc_lua::functions::Kind;
use splc_lua::words::{LEVEL_FLAGS, WordList};
use splc_lua::{libraries, sandbox};
use splc_vm::Terrain;

use super::{Making, changed};

/// The description of the dungeon.
const DUNGEON: &str = "dat/dungeon.lua";

impl Making<'_> {
    /// Imports the additions for Lua levels.
    pub(super) fn lua(&mut self) {
        let found = self.found;
        let Some(lua) = &found.lua else { return };
        self.names_beside_the_name();
        self.functions(lua);
        self.values(lua);
        self.flags(lua);
        self.looks_by_name(lua);
        self.levels_of_dungeon(lua);
        self.landing();
        if !lua.library.is_empty() {
            self.table("lua.library", lua.library.lines().count(), (0, 0), "dat/nhlib.lua");
            self.draft.lua.library = Name::Owned(lua.library.clone());
        }
    }

    /// Imports the terrain on which heroes and stairs are put.
    fn landing(&mut self) {
        let (Some(landing), Some(types)) = (&self.found.landing, &self.found.level_types) else { return };
        let names = landing.iter().filter_map(|number| types.table.get(usize::try_from(*number).ok()?));
        let is_ground = |name: &&String| match Terrain::from_word(name) {
            Some(known) => [Terrain::ROOM, Terrain::ICE, Terrain::AIR, Terrain::CLOUD].contains(&known),
            None => true,
        };
        let names: Vec<Name> = names.filter(is_ground).map(|name| Name::Owned(name.clone())).collect();
        if names.iter().any(|name| !matches!(name.as_ref(), "room" | "air")) {
            self.draft.loader.landing_terrain = names.into();
        }
    }

    /// Imports the names of males and females, and descriptions of objects.
    fn names_beside_the_name(&mut self) {
        let SourceTables { monster_forms, object_descriptions, .. } = self.found;
        let monsters = self.draft.monsters.to_mut();
        for (number, male, female) in monster_forms {
            let Some(monster) = monsters.get_mut(*number).filter(|monster| !monster.name.is_empty()) else { continue };
            let or_usual =
                |name: &str| if name.is_empty() { monster.name.clone() } else { Name::Owned(name.to_owned()) };
            monster.also = vec![or_usual(male), or_usual(female)].into();
        }
        let objects = self.draft.objects.to_mut();
        for (number, described) in object_descriptions.iter().filter(|(_, described)| !described.is_empty()) {
            if let Some(object) = objects.get_mut(*number) {
                object.also = vec![Name::Owned(described.clone())].into();
            }
        }
    }

    fn functions(&mut self, lua: &LuaTables) {
        let known = |full: &str| full.split_once('.').and_then(|(library, name)| libraries::function(library, name));
        let own = lua.functions.iter().filter(|(name, _)| known(name).is_none());
        let own = own.map(|(name, gives)| OwnFunction { name: name.clone().into(), takes: None, gives: *gives });
        let mut own: Vec<OwnFunction> = own.collect();
        own.order_by(|one, other| one.name.cmp(&other.name));
        own.dedup_by(|one, other| one.name == other.name);
        if !lua.functions.is_empty() {
            let all = libraries::LIBRARIES.iter().flat_map(|library| {
                library.functions.iter().map(|function| format!("{}.{}", library.name, function.name))
            });
            let change = changed(lua.functions.iter().map(|(name, _)| name.clone()), all);
            self.table("lua.functions", lua.functions.len(), change, "src/sp_lev.c");
        }
        self.draft.lua.functions = own.into();
        let gives_numbers =
            |(name, gives): &(String, ValueKind)| name == "selection.rndcoord" && *gives == ValueKind::Number;
        if lua.functions.iter().any(gives_numbers) {
            self.draft.loader.rules = self.draft.loader.rules.with(LoaderRule::PlacesAreTwoNumbers);
        }
        let mut keys = Vec::new();
        for row in &lua.keys {
            let Some(function) = known(&row.function).filter(|function| function.takes_keys()) else { continue };
            let key = function.key(self.old, &row.name);
            match key.map(|key| key.kind) {
                None => {
                    let words = row.words.iter().map(|word| (Name::Owned(word.word.clone()), Name::default()));
                    keys.push(self.key(row, row.kind, words.collect()));
                }
                Some(Kind::Word(words)) => {
                    let own = self.added_words(row, words);
                    if !own.is_empty() {
                        keys.push(self.key(row, ValueKind::Word, own));
                    }
                }
                Some(_) => {}
            }
        }
        keys.order_by(|one, other| (&one.function, &one.name).cmp(&(&other.function, &other.name)));
        if !lua.keys.is_empty() {
            self.table("lua.keys", lua.keys.len(), (keys.len(), 0), "src/sp_lev.c");
        }
        self.draft.lua.keys = keys.into();
    }

    fn key(&self, row: &LuaKeyRow, kind: ValueKind, words: Vec<(Name, Name)>) -> OwnKey {
        // Words that are defined elsewhere are any text.
        let kind = if kind == ValueKind::Word && words.is_empty() { ValueKind::Text } else { kind };
        OwnKey { function: row.function.clone().into(), name: row.name.clone().into(), kind, words: words.into() }
    }

    /// Returns the words that the game adds to a known key, each with a known word of the same number, or with the type
    /// of squares that it means.
    fn added_words(&self, row: &LuaKeyRow, known: &dyn WordList) -> Vec<(Name, Name)> {
        let added = row.words.iter().filter(|word| !known.accepts(self.old, &word.word));
        let like = |number: Option<i64>| {
            let number = number?;
            row.words.iter().find(|word| word.number == Some(number) && known.accepts(self.old, &word.word))
        };
        let like = |word: &splc_import::LuaWordRow| match &word.terrain {
            Some(terrain) => Name::Owned(terrain.clone()),
            None => like(word.number).map_or(Name::default(), |like| Name::Owned(like.word.clone())),
        };
        added.map(|word| (Name::Owned(word.word.clone()), like(word))).collect()
    }

    fn values(&mut self, lua: &LuaTables) {
        let is_known = |full: &str| match full.split_once('.') {
            Some(("u", name)) => sandbox::HERO.contains(&name),
            Some((_, name)) => sandbox::CONSTANTS.contains(&name),
            None => true,
        };
        let mut own: Vec<(Name, ValueKind)> = lua
            .values
            .iter()
            .filter(|(name, _)| !is_known(name))
            .map(|(name, kind)| (Name::Owned(name.clone()), *kind))
            .collect();
        own.order();
        own.dedup_by(|one, other| one.0 == other.0);
        if !lua.values.is_empty() {
            self.table("lua.values", lua.values.len(), (own.len(), 0), "src/nhlua.c");
        }
        self.draft.lua.values = own.into();
    }

    fn flags(&mut self, lua: &LuaTables) {
        let flags = self.draft.words[Group::Flag as usize].to_mut();
        let mut own = 0;
        for flag in &lua.flags {
            let is_known =
                LEVEL_FLAGS.accepts(self.old, flag) || flags.iter().any(|(known, _)| known.eq_ignore_ascii_case(flag));
            if is_known {
                continue;
            }
            own += 1;
            // Numbers of flags have no meaning in Lua.
            let number = flags.iter().map(|(_, number)| *number).max().unwrap_or(0) + 1;
            flags.push((Name::Owned(flag.clone()), number));
        }
        if !lua.flags.is_empty() {
            self.table("words.flag", lua.flags.len(), (own, 0), "src/sp_lev.c");
        }
    }

    /// Imports the names of the levels of the dungeon.
    fn levels_of_dungeon(&mut self, lua: &LuaTables) {
        if lua.dungeon.is_empty() {
            return;
        }
        let (mut sources, mut diagnostics) = (SourceMap::new(), Diagnostics::new());
        let file = sources.add(DUNGEON, None, lua.dungeon.clone().into_bytes());
        let description = splc_frontends::dungeon::lua::parse(&sources, file, &mut diagnostics);
        if description.dungeons.is_empty() || diagnostics.has_errors() {
            self.note(DUNGEON, "the dungeon cannot be read; the levels of the parent are used".to_owned());
            return;
        }
        let old = &self.old.dungeon;
        let rules = old.with_levels_of(&description, DUNGEON);
        let names = |rules: &Rules| rules.special_levels.iter().chain(rules.rare_levels.iter()).cloned().collect();
        let (new, known): (Vec<Name>, Vec<Name>) = (names(&rules), names(old));
        self.table("dungeon", new.len(), changed(new.iter(), known.iter()), DUNGEON);
        self.draft.dungeon = Rules { described_in: old.described_in.clone(), ..rules };
    }

    /// Imports the appearance of the game's own types of squares. The order of all types says what they are like.
    fn looks_by_name(&mut self, lua: &LuaTables) {
        let types = self.draft.level_types.clone();
        let number = |name: &str| types.iter().position(|known| known == name);
        for (at, of) in types.iter().enumerate() {
            if self.old.level_types.contains(of) {
                continue;
            }
            let look = lua.looks.iter().find(|look| look.of == **of);
            let before = |name: &str| number(name).is_some_and(|limit| at < limit);
            let like = match () {
                () if before("pool") => "tree",
                () if before("lavapool") => "pool",
                () if before("ironbars") => "lavapool",
                () if before("door") => "ironbars",
                () if before("fountain") => "room",
                () if before("ice") => "fountain",
                () => "room",
            };
            if number(like).is_none() {
                continue;
            }
            let described = look.map(|look| look.name.clone()).filter(|name| !name.is_empty());
            let looks = self.draft.looks.to_mut();
            looks.retain(|known| known.of != *of);
            looks.push(Look {
                of: of.clone(),
                symbol: look.map_or('.', |look| look.symbol),
                color: look.and_then(|look| look.color).unwrap_or_default(),
                name: Name::Owned(described.unwrap_or_else(|| of.replace('_', " "))),
                like: like.into(),
            });
        }
        self.draft.looks.to_mut().order_by_key(|look| number(&look.of));
    }
}
