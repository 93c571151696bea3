//! The fields of catalogs.
//!
//! Each field is declared once, here: its documentation, name, type and *kind*. A [kind](super::file::kinds) reads a
//! field from a catalog file, merges it with the inherited value, checks it, and writes it. The reader, the writer, the
//! build-time constants and `splc catalog diff` are made from the declaration. The order is that of catalog files.
//!
//! The build script includes this module and those that it uses: they do not depend on the rest of the crate.

use std::borrow::Cow;

use super::bits::named_enum;
use super::file::Edit;
use super::file::kinds::*;
use super::file::scripts::{Library, OwnFunctions, OwnKeys, OwnValues};
use super::{Color, Features, Group, Habits, LoaderRules, Opcode};

/// A name in a catalog: static in a built-in catalog, owned in one loaded at run time.
pub type Name = Cow<'static, str>;

/// A table in a catalog: static in a built-in catalog, owned in one loaded at run time.
pub type Table<T> = Cow<'static, [T]>;

/// A table of names with numbers.
pub type Numbers = Table<(Name, i64)>;

/// Declares structures of catalogs, each with its fields as `name: Type = kind`. `as "key"` is the key in files if it
/// differs from the name. The fields after `+` are not in files.
macro_rules! fields {
    ($($(#[$about:meta])* $name:ident {
        $($(#[doc = $doc:literal])* $field:ident $(as $key:literal)?: $type:ty = $kind:expr,)*
    } $(+ { $($(#[$also_doc:meta])* $visible:vis $also:ident: $also_type:ty,)* })?)*) => {$(
        $(#[$about])*
        #[derive(Clone, Debug, PartialEq)]
        pub struct $name {
            $($(#[doc = $doc])* pub $field: $type,)*
            $($($(#[$also_doc])* $visible $also: $also_type,)*)?
        }

        impl Fields for $name {
            fn read(at: fn(&mut Catalog) -> &mut Self, section: &mut Section<'_>, edit: &mut Edit<'_>) {
                $(
                    // A kind can change other fields of the draft.
                    let mut value = std::mem::take(&mut at(&mut edit.draft).$field);
                    Kind::read(&$kind, key!($field $($key)?), &mut value, section, edit);
                    at(&mut edit.draft).$field = value;
                )*
            }

            fn write(&self, old: Option<&Self>, writer: &mut Writer<'_>) {
                $(Kind::write(&$kind, key!($field $($key)?), &self.$field, old.map(|old| &old.$field), writer);)*
            }

            fn entries(&self, catalog: &Catalog) -> Vec<(String, Vec<String>)> {
                let mut all = Vec::new();
                $(all.extend(Kind::entries(&$kind, key!($field $($key)?), &self.$field, catalog));)*
                all
            }

            fn keys() -> Vec<(String, &'static str)> {
                let mut all = Vec::new();
                $(all.extend(Kind::<$type>::keys(&$kind, key!($field $($key)?), concat!($($doc),*)));)*
                all
            }
        }

        impl $name {
            /// Replaces the number with this key, unless it is 0 or `number` is out of range.
            pub fn replace(&mut self, key: &str, number: i64) {
                $(if key == key!($field $($key)?) {
                    Kind::replace(&$kind, &mut self.$field, number);
                })*
            }
        }

        constants! { $name { $($field)* $($($also)*)? } }
    )*};
}

macro_rules! key {
    ($field:ident) => {
        stringify!($field)
    };
    ($field:ident $key:literal) => {
        $key
    };
}

fields! {
    /// The data of one game.
    #[derive(Default)]
    Catalog {
        /// Name of the catalog that this one is a variant of.
        extends: Option<Name> = Parent,
        /// Its name, e.g. `unnethack-6.0.4`.
        name: Name = StringOf { check: |edit, name, place| edit.target_name(name, place), ..TITLE },
        /// Its display name.
        title: Name = TITLE,
        /// The dialect of its des-files.
        dialect: Name = StringOf {
            need: Need::WithoutParent,
            check: |edit, name, place| edit.dialect(name, place),
        },
        /// The format of its level files.
        format: Format = OneOf { need: Need::WithoutParent, what: "level file format" },
        /// Features of its compiler that differ within its dialect family.
        features: Features = Switches { what: "feature", need: Need::WithoutParent },
        /// Its opcodes; the position is the number.
        opcodes: Table<Opcode> = Opcodes,
        /// Names of the terrain types; the position is the number.
        level_types: Table<Name> = LevelTypes,
        /// One past the last terrain type. As the terrain of a map square, it is transparent.
        max_terrain: i32 = MaxTerrain,
        /// Characters allowed in a MAP line, besides digits.
        map_characters: Name = MapCharacters,
        /// Characters with their terrain numbers; that of `max_terrain` is transparent.
        terrain: Table<(char, usize)> = MapTerrain,
        /// Appearance of the types of squares.
        looks: Table<Look> = Looks,
        /// Traps: name and number.
        traps: Numbers = Numbered { what: "trap", moved: |edit, traps, shifts| edit.move_traps(traps, shifts) },
        /// Room types: name and number.
        rooms: Numbers = Numbered { what: "room type", moved: |edit, rooms, shifts| edit.move_rooms(rooms, shifts) },
        /// Symbols of the monster classes, from class 1.
        monster_classes: Name = Classes,
        /// Symbols of the object classes, from class 1.
        object_classes: Name = Classes,
        /// Monsters; the position is the number.
        monsters: Table<Species> = AllSpecies { what: "monster", colors: "monster_colors", has_habits: true },
        /// Objects; the position is the number.
        objects: Table<Species> = AllSpecies { what: "object", colors: "object_colors", has_habits: false },
        /// Core functions.
        core_functions: Table<CoreFunction> = CoreFunctions,
        /// Methods of variables.
        methods: Table<Method> = Methods,
        /// Fields of the structures in its level files that differ from NetHack 3.4.3, one line for each, such as
        /// `door x:char y:char state:char artifact:short`.
        structures: Table<Name> = Names { check: |edit, line, place| edit.structure(line, place), is_long: true, ..COMPARED },
        /// Lists in rooms or parts of its level files that splc leaves empty, each with the list before it, such as
        /// `room ladder after stairs`.
        empty_lists: Table<Name> = Names { check: |edit, line, place| edit.empty_list(line, place), is_long: true, ..COMPARED },
        /// Reasons why splc cannot vouch for the bytes of its level files. It writes none as long as there is a reason.
        unverified: Table<Name> = Names { is_long: true, ..COMPARED },
        /// Terrain types whose caves can be joined.
        joined_terrain: Table<Name> = COMPARED,
        /// Names of artifacts that doors can refer to, numbered from 0.
        artifacts: Table<Name> = NAMES,
        /// Names of gods that altars can refer to, numbered from 0. Number 0 means no god.
        gods: Table<Name> = NAMES,
        /// Keywords of statements that take one place. No built-in game has any. Their opcodes are `place_1` and so on.
        place_statements: Table<Name> = COMPARED,
        /// Words of its lexer outside all groups of `words`, sorted.
        keywords: Table<Name> = Names { need: Need::WithoutParent, ..COMPARED },
        /// Constants for packing several numbers into one.
        packing: Packing = Part { at: |catalog| &mut catalog.packing, written: Written::Nonzero },
        /// Further data for its level loader.
        loader: Loader = Part { at: |catalog| &mut catalog.loader, written: Written::Changed },
        /// Limits of the game.
        limits: Limits = Part { at: |catalog| &mut catalog.limits, written: Written::Nonzero },
        /// Numbers of the types of values.
        value_types: Numbers = NumberTable,
        /// Numbers of the parts of a monster.
        monster_parts: Numbers = NumberTable,
        /// Numbers of the parts of an object.
        object_parts: Numbers = NumberTable,
        /// Numbers of the types of level regions.
        level_regions: Numbers = NumberTable,
        /// Numbers of the styles of INIT_MAP.
        init_styles: Numbers = NumberTable,
        /// Numbers of the directions of drawbridges.
        drawbridge_directions: Numbers = NumberTable,
        /// The numbers of words, by [`Group`]; each table is sorted.
        words: [Numbers; Group::ALL.len()] = Words,
        /// Colours of traps, by name, sorted.
        trap_colors: Table<(Name, Color)> = TrapColors,
        /// Additions to the functions and keys that Lua levels use.
        lua: Scripts = Part { at: |catalog| &mut catalog.lua, written: Written::Changed },
        /// Rules for dungeons.
        dungeon: Rules = Part { at: |catalog| &mut catalog.dungeon, written: Written::All },
        /// The unsigned longs at the head of a level file, for each ABI, sorted.
        headers as "header": Table<(Name, Table<u64>)> = Headers,
    } + {
        /// Lookups made from the fields.
        pub(super) index: Index,
    }

    /// Constants with which a game packs several numbers into one (`SP_MONST_PACK` and similar macros in
    /// `include/sp_lev.h`).
    #[derive(Copy, Default, Eq)]
    Packing {
        /// Added to the number of a monster or object (NetHack 3.6: 10, so that -1 stays positive).
        species_bias: i64 = NUMBER,
        /// Added to the number of the light packed with terrain.
        light_bias: i64 = NUMBER,
        /// The number of a random place.
        random_place: i64 = NUMBER,
    }

    /// Data that a game's level loader needs, besides names and numbers.
    #[derive(Default)]
    Loader {
        /// Rules in which it differs from other loaders.
        rules: LoaderRules = Switches { what: "loader rule", need: Need::Never },
        /// One past the number of the last trap type.
        trap_types: i32 = Integer(0, 127),
        /// Trap number of the vibrating square, or 0 if it is not a trap.
        vibrating_square: i32 = Integer(0, 127),
        /// Room types that are filled with many monsters.
        stocked_rooms: Table<Name> = NAMES,
        /// Items left in a place that has no exit: a name, or name@class.
        escape_items: Table<Name> = NAMES,
        /// Floors of the game's own where random things are put (`is_ok_location`). If there are none, all of them.
        dry_terrain: Table<Name> = NAMES,
        /// Terrain where heroes and stairs are put (`bad_location`), if it is not `room` and `air`.
        landing_terrain: Table<Name> = NAMES,
        /// Objects that stack: first and last number of each range.
        merging_objects: Table<(u16, u16)> = Pairs,
        /// Trap types that are created at random only from a certain difficulty on, in addition to those common to all
        /// games: number, difficulty. The difficulty is 65535 for types that never are.
        deep_traps: Table<(u16, u16)> = Pairs,
        /// The difficulty of each monster: number, difficulty (`mons[].difficulty`, or `monstr[]` of `makedefs`).
        monster_difficulties: Table<(u16, u16)> = Pairs,
        /// Monsters that are the nemesis of a quest, and so must carry the Bell of Opening. Names that a
        /// variant lacks do no harm.
        nemeses: Table<Name> = NAMES,
        /// Objects that the game never makes at random, so that one in a trapped container can be lost for good.
        treasures: Table<Name> = NAMES,
        /// Artifacts with the objects that they are: name@object. Another object of that name is not the artifact.
        artifact_objects: Table<Name> = NAMES,
        /// Rooms that the game changes after it has loaded the level: level@room type. A closed room gets a secret
        /// door, a shop loses its keeper (`fixup_special`).
        changed_rooms: Table<Name> = NAMES,
        /// Traits that a level has in every game: trait@levels, with blanks between the levels. `-strt` is the first
        /// level of each quest. A trait is `noteleport`, `hardfloor`, `nondiggable`, `nonpasswall`, `arrival` (a
        /// region of arrival), `closed` (parts that only digging reaches), `prize` (an object of an achievement), or
        /// `room`, `monster` or `object` with a name.
        level_traits: Table<Name> = NAMES,
    }

    /// Additions of a game to the functions, keys and words of NetHack 5.0.0 that its Lua levels use.
    #[derive(Default)]
    Scripts {
        /// The text of its `nhlib.lua`, which runs before each level in place of that of NetHack 5.0.0.
        library: Name = Library,
        /// Functions that it adds, by their full names. splc notes their calls, which have no other effect.
        functions: Table<OwnFunction> = OwnFunctions,
        /// Keys that its functions read, by function, and words that known keys accept. splc accepts keys without
        /// effect, and words too unless they are like others.
        keys: Table<OwnKey> = OwnKeys,
        /// Values that it adds to `u` and `nhc`, by their full names.
        values: Table<(Name, ValueKind)> = OwnValues,
    }

    /// Limits of a game, each with the largest value that splc supports; 0 if there is no limit.
    #[derive(Copy, Default)]
    Limits {
        /// Columns of a level.
        columns: i32 = Integer(0, 80),
        /// Rows of a level.
        rows: i32 = Integer(0, 21),
        /// Columns of a map.
        map_width: i32 = Integer(0, 80),
        /// Rows of a map.
        map_height: i32 = Integer(0, 21),
        /// Characters of a level name.
        level_name: i32 = Integer(0, 255),
        /// Columns of the grid on which rooms are placed.
        room_columns: i32 = Integer(0, 127),
        /// Rows of the grid on which rooms are placed.
        room_rows: i32 = Integer(0, 127),
        /// Nested conditionals, LOOPs and FORs.
        nesting: i32 = Integer(0, 100),
        /// Cases of a SWITCH.
        switch_cases: i32 = Integer(0, 1000),
        /// BREAKs of a SWITCH.
        switch_breaks: i32 = Integer(0, 1000),
        /// Registers of one type.
        registers: i32 = Integer(0, 1000),
        /// The number of the last room type.
        room_types: i32 = Integer(0, 127),
        /// Things of one type in a part, such as traps.
        of_type: i32 = Integer(0, 32_767),
        /// Bytes of the messages of a level, with a line end after each.
        message: i32 = Integer(0, 32_767),
        /// Shuffled alignments.
        alignments: i32 = Integer(0, 127),
        /// Parts of a level.
        parts: i32 = Integer(0, 127),
        /// Rooms and subrooms of a level.
        rooms_and_subrooms: i32 = Integer(0, 127),
        /// Subrooms of a room.
        subrooms: i32 = Integer(0, 127),
        /// Areas with walls that cannot be passed in a part.
        non_passwall: i32 = Integer(0, 127),
        /// Corridors of a level.
        corridors: i32 = Integer(0, 32_767),
    }

    /// The dungeon rules of a game.
    Rules {
        /// Most dungeons in its compiler; the game allows one fewer.
        dungeons: i32 = Integer(1, 127),
        /// Most levels of a dungeon.
        depth: i32 = Integer(1, 63),
        /// Most special levels in all dungeons together.
        levels: i32 = Integer(1, 10_000),
        /// Most branches in all dungeons together.
        branches: i32 = Integer(1, 10_000),
        /// Bytes of a name in the file `dungeon`, including the terminator.
        name: i32 = Integer(1, 1_000),
        /// Bytes of a level's name in the game, including the terminator.
        level_name: i32 = Integer(1, 1_000),
        /// Bytes of a prototype's name in the game, including the terminator.
        prototype: i32 = Integer(1, 1_000),
        /// Reasons why splc cannot vouch for the bytes of its file `dungeon`. It writes none as long as there is a
        /// reason.
        unverified: Table<Name> = Names { is_long: true, ..COMPARED },
        /// Bits of the descriptors of its `dungeon.def` that NetHack 3.4.3 lacks, or that have another bit there.
        traits: Numbers = NamedIntegers(1, 1 << 30),
        /// The numbers that its file `dungeon` has of a dungeon, after its size (`tmpdungeon` in `include/dgn_file.h`).
        fields: Table<Name> = Names { check: is_dungeon_number, ..NAMES },
        /// The numbers that its file `dungeon` has of a branch, after its place (`tmpbranch`).
        branch_fields: Table<Name> = Names { check: is_dungeon_number, ..NAMES },
        /// The chance in its file `dungeon` of a dungeon without one.
        chance: i32 = Integer(0, 100),
        /// Syntax of conditional parts in its `dungeon.def`.
        controls: Controls = OneOf { need: Need::Never, what: "controls" },
        /// Names that such a part can depend on; the number is nonzero if the usual build of the game defines the name.
        defines: Numbers = DEFINES,
        /// Prefix of quest levels in the dungeon; each role has its own versions.
        quest_prefix: Name = StringOf { need: Need::Never, ..TITLE },
        /// Levels that the game generates itself, without a level file.
        built: Table<Name> = NAMES,
        /// Level files that the game requests by fixed names, for levels that are not described.
        fillings: Table<Name> = NAMES,
        /// Prefixes of the roles' levels, which replace the quest prefix.
        roles: Table<Name> = NAMES,
        /// Name endings of quest levels that are not described.
        quest_fillings: Table<Name> = NAMES,
        /// Special levels present in every game. This list and the next are empty if unknown.
        special_levels: Table<Name> = NAMES,
        /// Special levels present only in some games.
        rare_levels: Table<Name> = NAMES,
    } + {
        /// The file that describes the dungeon, if it does not come with the game.
        pub described_in: Option<Name>,
    }
}

fn names_of(names: &[&'static str]) -> Table<Name> {
    names.iter().map(|&name| Name::Borrowed(name)).collect::<Vec<_>>().into()
}

impl Default for Rules {
    /// Returns the limits of NetHack 3.4.3, with empty lists of names.
    fn default() -> Self {
        Rules {
            dungeons: 16,
            depth: 32,
            levels: 50,
            branches: 32,
            name: 24,
            level_name: 15,
            prototype: 15,
            unverified: Table::default(),
            traits: Numbers::default(),
            fields: names_of(&["flags", "chance", "levels", "branches", "entry_lev"]),
            branch_fields: names_of(&["chain", "type", "up"]),
            chance: 0,
            controls: Controls::Percent,
            defines: Numbers::default(),
            quest_prefix: Name::Borrowed("x-"),
            built: Table::default(),
            fillings: Table::default(),
            roles: Table::default(),
            quest_fillings: Table::default(),
            special_levels: Table::default(),
            rare_levels: Table::default(),
            described_in: None,
        }
    }
}

/// Declares the rows of tables, and the lookups: structures whose fields have no kinds of their own.
macro_rules! rows {
    ($($(#[$about:meta])* $name:ident { $($(#[$doc:meta])* $field:ident: $type:ty,)* })*) => {$(
        $(#[$about])*
        #[derive(Clone, Debug, Default, PartialEq)]
        pub struct $name { $($(#[$doc])* pub $field: $type,)* }

        constants! { $name { $($field)* } }
    )*};
}

rows! {
    /// A species of monster or type of object.
    Species {
        /// Its name; empty if the game has none.
        name: Name,
        /// Symbol of its class.
        class: char,
        /// Habits that determine where it can be placed; empty for objects.
        habits: Habits,
        /// Further names: those of the males and females of a monster, or the description of an object.
        also: Table<Name>,
        /// Its colour, if known.
        color: Option<Color>,
    }

    /// Appearance of a type of squares.
    Look {
        /// The type, as in `level_types`.
        of: Name,
        /// Its symbol.
        symbol: char,
        /// Its colour.
        color: Color,
        /// Its name for people, e.g. "iron bars".
        name: Name,
        /// For a type that no built-in game has: a type that the game treats alike, or an empty name.
        like: Name,
    }

    /// A core function: a function of the game that scripts can call.
    CoreFunction {
        /// Its name.
        name: Name,
        /// Its number.
        number: i32,
        /// A letter for each parameter: `i`nteger, `s`tring, `c`oordinate, `r`egion, `O`bject, `M`onster.
        parameters: Name,
        /// The letter of its result.
        result: char,
    }

    /// A method of a variable.
    Method {
        /// Type of the variable, as in `value_types`.
        of: Name,
        /// Set if the variable is an array.
        array: bool,
        /// Its name.
        name: Name,
        /// Its number among the core functions.
        number: i32,
        /// The letter of its result.
        result: char,
    }

    /// A function that the game adds for Lua levels.
    OwnFunction {
        /// Its full name, e.g. `nh.weather`.
        name: Name,
        /// The kinds of its arguments, each with true if it is required; `None` if it takes any arguments.
        takes: Option<Table<(ValueKind, bool)>>,
        /// The kind of its result.
        gives: ValueKind,
    }

    /// A key of a function for Lua levels, or words that a known key accepts.
    OwnKey {
        /// Full name of the function, e.g. `des.door`.
        function: Name,
        /// The key.
        name: Name,
        /// The kind of its values.
        kind: ValueKind,
        /// The words that it accepts, if it takes words. Each is like the second one: a word of NetHack 5.0.0, the name
        /// of a type of squares for features, or an empty name.
        words: Table<(Name, Name)>,
    }

    /// Lookups made from the fields of a catalog.
    Index {
        /// Terrain number of each character, or -1.
        terrain: Table<i32>,
        /// Monsters by name.
        monsters: ByName,
        /// Objects by name.
        objects: ByName,
        /// Names of the males and females of a monster, if they differ from its name: number, male, female.
        monster_forms: Table<(u16, Name, Name)>,
        /// Descriptions of unidentified objects: number and description.
        object_descriptions: Table<(u16, Name)>,
        /// Words that its lexer recognises, sorted.
        keywords: Table<Name>,
        /// Words that another game's lexer recognises and this one's does not, sorted.
        lacking_keywords: Table<Name>,
        /// Words that its lexer recognises and no built-in game's lexer does, sorted.
        own_words: Table<(Name, OwnWord)>,
    }

    /// The positions of species, without those that have no name.
    ByName {
        /// Sorted by name.
        exact: Table<u16>,
        /// Sorted by name in lower case.
        folded: Table<u16>,
    }
}

/// The meaning of a word that only the game of a loaded catalog has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OwnWord {
    /// A level flag.
    Flag,
    /// The keyword of a statement that takes one place: `WORD: selection`.
    Statement,
    /// A detail of a monster: `word`, or `word: number`.
    MonsterDetail,
    /// A detail of an object.
    ObjectDetail,
    /// A material or flag of a door.
    DoorDetail,
    /// A word of a group; it can be used like the other words of the group.
    Of(Group),
}

named_enum! {
    /// The kind of an argument, key or result of a game's own function for Lua levels.
    #[derive(Default)]
    ValueKind {
        /// Any value.
        #[default]
        Any = "any",
        /// No value; for results.
        Nothing = "nothing",
        /// True or false.
        Boolean = "boolean",
        /// A whole number.
        Number = "number",
        /// A whole number, or `"random"`.
        NumberOrRandom = "number or random",
        /// A string.
        Text = "text",
        /// One of several words.
        Word = "word",
        /// A monster by name.
        Monster = "monster",
        /// A class of monsters, by its character.
        MonsterClass = "monster class",
        /// An object by name.
        Object = "object",
        /// A class of objects, by its character.
        ObjectClass = "object class",
        /// A kind of trap.
        Trap = "trap",
        /// A type of room.
        Room = "room",
        /// A map character.
        MapCharacter = "map character",
        /// A table of two numbers, or with `x` and `y`.
        Place = "place",
        /// A table of four numbers.
        Region = "region",
        /// A selection.
        Selection = "selection",
        /// A function.
        Function = "function",
        /// A table of any shape.
        Table = "table",
    }
}

named_enum! {
    /// The format of level files, if the game has any.
    #[derive(Default)]
    Format {
        /// A list of opcodes: the script dialects.
        #[default]
        Opcodes = "opcodes",
        /// Parts and rooms: NetHack 3.4.3.
        Parts = "parts",
        /// No level files: levels are Lua scripts that the game runs. NetHack 5.
        Lua = "lua",
    }
}

named_enum! {
    /// The syntax of conditional parts in a `dungeon.def` (`makedefs -e`).
    #[derive(Default)]
    Controls {
        /// `%NAME` before a line: the line counts if the name is defined.
        #[default]
        Percent = "percent",
        /// `^?NAME` (if defined) or `^!NAME` (if undefined), `^:` (otherwise) and `^.` (end), each on a line of its
        /// own.
        Caret = "caret",
    }
}

named_enum! {
    /// A number that the file `dungeon` has of a dungeon or a branch (`include/dgn_file.h`).
    DungeonNumber {
        /// The bits of its traits.
        Flags = "flags",
        /// Its chance.
        Chance = "chance",
        /// The number of its levels.
        Levels = "levels",
        /// The number of other dungeons of its name, one of which the game makes (dNAO).
        Alternates = "alternates",
        /// The number of its branches.
        Branches = "branches",
        /// The level at which branches to it arrive, or at which a branch arrives.
        Entry = "entry_lev",
        /// The level that a branch is chained to.
        Chain = "chain",
        /// The type of a branch.
        Connection = "type",
        /// The direction of a branch.
        Direction = "up",
    }
}

impl Catalog {
    /// Returns the keys of a catalog file, in order, with their documentation.
    pub fn keys() -> Vec<(String, &'static str)> {
        <Catalog as Fields>::keys()
    }

    /// Restores what holds of every catalog after its fields have been set one by one.
    pub fn normalise(&mut self) {
        self.words.iter_mut().for_each(|table| table.to_mut().sort());
        let words = &self.words;
        let keywords = self.keywords.to_mut();
        keywords.retain(|word| !words.iter().flat_map(|table| table.iter()).any(|(known, _)| known == word));
        keywords.sort();
        keywords.dedup();
        self.max_terrain = self.level_types.len() as i32;
    }

    /// Returns every word that the lexer recognises, sorted.
    pub fn all_words(&self) -> Vec<Name> {
        let words = self.words.iter().flat_map(|table| table.iter()).map(|(word, _)| word);
        let mut all: Vec<Name> = self.keywords.iter().chain(words).cloned().collect();
        all.sort_unstable();
        all.dedup();
        all
    }

    /// Makes the lookups. `words` are those of all des-files' lexers, sorted.
    pub fn make_index(&mut self, words: &[Name]) {
        self.terrain.to_mut().sort_unstable();
        let mut terrain = vec![-1; 128];
        for &(character, number) in self.terrain.iter() {
            if let Some(slot) = terrain.get_mut(character as usize) {
                *slot = number as i32;
            }
        }
        let by_name = |species: &[Species]| {
            let sorted = |key: fn(&str) -> String| {
                let named = species.iter().zip(0..).filter(|(one, _)| !one.name.is_empty());
                let mut order: Vec<(String, u16)> = named.map(|(one, at)| (key(&one.name), at)).collect();
                order.sort();
                order.into_iter().map(|(_, at)| at).collect()
            };
            ByName { exact: sorted(str::to_owned), folded: sorted(str::to_ascii_lowercase) }
        };
        let keywords = self.all_words();
        let forms = self.monsters.iter().zip(0..).filter_map(|(one, at)| match &*one.also {
            [male, female] => Some((at, male.clone(), female.clone())),
            _ => None,
        });
        let described = self.objects.iter().zip(0..);
        self.index = Index {
            terrain: terrain.into(),
            monsters: by_name(&self.monsters),
            objects: by_name(&self.objects),
            monster_forms: forms.collect(),
            object_descriptions: described.filter_map(|(one, at)| Some((at, one.also.first()?.clone()))).collect(),
            lacking_keywords: words.iter().filter(|word| keywords.binary_search(word).is_err()).cloned().collect(),
            keywords: keywords.into(),
            own_words: Table::default(),
        };
    }
}
