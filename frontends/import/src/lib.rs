//! Reader for the source tree of a NetHack variant: the game's tables, from its C files.
//!
//! A variant's tables list its monsters and the syntax of its level compiler: `src/monst.c`, `src/objects.c`,
//! `src/drawing.c`, `util/lev_main.c`, `util/lev_comp.l`, and the headers that they include. A game of NetHack 3.7's
//! family has no level compiler; its tables list the functions for Lua levels. [`read`] preprocesses the files,
//! evaluates their constants, and returns [`SourceTables`]: numbers and names as the compiler has them, not yet a
//! [catalog](splc_ir::catalog). It needs no compiler and runs nothing. Anything it does not understand is reported in a
//! [note](Note).
//!
//! Files come from a closure, which knows the location of the tree and its boundaries. [`limits`] bounds the cost of a
//! tree, so files that include themselves, endless conditionals and growing macros result in a [`TreeError`].

mod dungeon;
mod evaluate;
mod initialisers;
pub mod limits;
mod lua;
mod preprocessor;
mod rules;
mod squares;
mod tables;
mod tokens;
mod types;
mod writes;

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fmt;
use std::rc::Rc;

use splc_ir::catalog::{Color, ValueKind};

use limits::{MAX_FILE_BYTES, MAX_NOTES, MAX_TOKENS, MAX_TOTAL_BYTES};

/// Reads the file at a path below the top of the tree, with `/` between folders, or returns `None` if it does not
/// exist. `**/NAME` is a file of that name in any folder, for trees with an unusual layout.
///
/// # Errors
/// Returns the reason, for people, why an existing file cannot be read.
pub type Files<'f> = dyn FnMut(&str) -> Result<Option<Vec<u8>>, String> + 'f;

/// Preprocessor symbols set by a build.
#[derive(Clone, Debug, Default)]
pub struct Settings {
    /// Defined symbols with their values.
    pub defines: Vec<(String, String)>,
    /// Symbols that are not defined, even if the headers of the tree define them.
    pub undefines: Vec<String>,
}

/// An error that ends the reading of a tree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TreeError {
    /// Essential files are missing.
    NotATree(Vec<&'static str>),
    /// A file cannot be read.
    Unreadable {
        /// The file.
        path: String,
        /// The reason.
        problem: String,
    },
    /// A limit of [`limits`] is exceeded.
    TooMuch {
        /// The file, or an empty string if it is not a single file.
        path: String,
        /// The limit that is exceeded.
        problem: String,
    },
}

impl fmt::Display for TreeError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TreeError::NotATree(missing) => {
                write!(formatter, "not the source tree of a NetHack variant: there is no {}", missing.join(", no "))
            }
            TreeError::Unreadable { path, problem } => write!(formatter, "{path}: {problem}"),
            TreeError::TooMuch { path, problem } if path.is_empty() => write!(formatter, "too much to read: {problem}"),
            TreeError::TooMuch { path, problem } => write!(formatter, "{path}: too much to read: {problem}"),
        }
    }
}

impl std::error::Error for TreeError {}

/// An observation made while a tree was read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Note {
    /// The place: `file:line` or a file.
    pub place: String,
    /// The message.
    pub message: String,
}

/// The files of a tree, read on demand.
pub struct Tree<'f> {
    files: &'f mut Files<'f>,
    names: Vec<String>,
    known: HashMap<String, Option<(u16, Rc<str>)>>,
    bytes: usize,
    tokens: usize,
    notes: Vec<Note>,
}

impl<'f> Tree<'f> {
    fn new(files: &'f mut Files<'f>) -> Self {
        Tree { files, names: Vec::new(), known: HashMap::new(), bytes: 0, tokens: 0, notes: Vec::new() }
    }

    /// Returns the number and text of the file at `path`, or of one with the same name elsewhere or with a C++ suffix.
    fn find(&mut self, path: &str) -> Result<Option<(u16, Rc<str>)>, TreeError> {
        if let Some(found) = self.read(path)? {
            return Ok(Some(found));
        }
        let name = path.rsplit('/').next().unwrap_or(path);
        if let Some(found) = self.read(&format!("**/{name}"))? {
            return Ok(Some(found));
        }
        let Some(stem) = name.strip_suffix(".c") else { return Ok(None) };
        for extension in ["cc", "cpp", "cxx"] {
            if let Some(found) = self.read(&format!("**/{stem}.{extension}"))? {
                return Ok(Some(found));
            }
        }
        Ok(None)
    }

    /// Returns the number and text of the file at `path`.
    fn read(&mut self, path: &str) -> Result<Option<(u16, Rc<str>)>, TreeError> {
        if path.split('/').any(|part| matches!(part, ".." | "." | "")) {
            return Ok(None);
        }
        let found = match self.known.get(path) {
            Some(known) => known.clone(),
            None => {
                let problem = |problem: String| TreeError::Unreadable { path: path.to_owned(), problem };
                let bytes = (self.files)(path).map_err(problem)?;
                if bytes.as_ref().is_some_and(|bytes| bytes.len() > MAX_FILE_BYTES) {
                    return Err(self.too_much(path, "the file is too large"));
                }
                let read = bytes.map(|bytes| {
                    // Old sources are in Latin-1.
                    let text = String::from_utf8(bytes)
                        .unwrap_or_else(|error| error.as_bytes().iter().map(|&byte| char::from(byte)).collect());
                    self.names.push(path.trim_start_matches("**/").to_owned());
                    ((self.names.len() - 1) as u16, Rc::from(text))
                });
                if self.names.len() >= usize::from(u16::MAX) {
                    return Err(self.too_much(path, "there are too many files"));
                }
                self.known.insert(path.to_owned(), read.clone());
                read
            }
        };
        if let Some((_, text)) = &found {
            self.bytes += text.len();
            if self.bytes > MAX_TOTAL_BYTES {
                return Err(self.too_much(path, "files are included too often"));
            }
        }
        Ok(found)
    }

    fn spend(&mut self, tokens: usize) -> Result<(), TreeError> {
        self.tokens += tokens;
        if self.tokens > MAX_TOKENS { Err(self.too_much("", "there are too many tokens")) } else { Ok(()) }
    }

    fn too_much(&self, path: &str, problem: &str) -> TreeError {
        TreeError::TooMuch { path: path.to_owned(), problem: problem.to_owned() }
    }

    /// Adds a note that the header `name` is missing. If the tree has the template that `configure` generates it from,
    /// a symbol of the build enabled it, and its content is unknown until the tree is configured.
    fn missing(&mut self, name: &str, from: &str) -> Result<(), TreeError> {
        let stem = name.rsplit('/').next().unwrap_or(name).trim_end_matches(".h").to_owned();
        for template in [format!("{stem}.h.in"), format!("{stem}.hin"), format!("{stem}.hin.in")] {
            if self.read(&format!("**/{template}"))?.is_some() {
                let message = format!(
                    "`configure` generates {name} from {template}: run it first, or leave out the -D that needs it"
                );
                self.note(from.to_owned(), message);
                return Ok(());
            }
        }
        self.note(from.to_owned(), format!("{name}, an included file, is not in the tree"));
        Ok(())
    }

    fn note(&mut self, place: String, message: String) {
        let note = Note { place, message };
        if self.notes.len() < MAX_NOTES && !self.notes.contains(&note) {
            self.notes.push(note);
        }
    }

    fn place(&self, file: u16, line: u32) -> String {
        let name = self.names.get(usize::from(file)).map_or("", String::as_str);
        format!("{name}:{line}")
    }
}

/// A monster in `src/monst.c`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MonsterRow {
    /// Its name.
    pub name: String,
    /// The number of its class, from 1.
    pub class: usize,
    /// True if it is the nemesis of a quest.
    pub is_nemesis: bool,
    /// Its habits, as names of [`Habit`](splc_ir::catalog::Habit), as far as flags determine them.
    pub habits: Vec<&'static str>,
    /// Its flags, by the names of their fields.
    pub flags: Vec<(String, i64)>,
    /// Its colour, if the tree has colours.
    pub color: Option<Color>,
}

/// The nature of a type of squares for those who walk, swim and dig (the macros of `include/rm.h`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ground {
    /// A wall, or solid stone.
    Wall,
    /// Rock without walls, such as trees.
    Rock,
    /// Water that swimmers cross.
    Pool,
    /// Lava.
    Lava,
    /// Neither rock nor accessible, such as iron bars.
    Barrier,
    /// Something on a floor, such as a fountain.
    Furniture,
    /// Air and clouds.
    Air,
    /// Other accessible squares.
    Floor,
}

/// A type of squares.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SquareRow {
    /// Its nature, if the macros have a value.
    pub ground: Option<Ground>,
    /// Its symbol (`defsyms`).
    pub symbol: Option<char>,
    /// Its description (`defsyms`).
    pub description: Option<String>,
    /// Its colour, if the tree has colours.
    pub color: Option<Color>,
    /// True if random things are put there like on floor (`is_ok_location`).
    pub is_dry: Option<bool>,
    /// True if heroes and stairs are put there (`bad_location`).
    pub is_landing: Option<bool>,
}

/// An object in `src/objects.c`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ObjectRow {
    /// Its name, or an empty string.
    pub name: String,
    /// The number of its class, from 1.
    pub class: usize,
    /// True if several of them stack.
    pub merges: bool,
    /// True if the game never makes it at random.
    pub is_rare: bool,
    /// Its colour, if the tree has colours.
    pub color: Option<Color>,
}

/// A word recognised by the level compiler's lexer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WordRow {
    /// Its token.
    pub token: String,
    /// Its numeric value, if it has one.
    pub value: Option<i64>,
}

/// A statement of one place similar to FOUNTAIN: `WORD ':' ter_selection { ... SPO_WORD }`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlaceStatement {
    /// Its keyword.
    pub word: String,
    /// Its opcode, in lower case.
    pub opcode: String,
}

/// A table, with its place in the source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found<T> {
    /// The table.
    pub table: T,
    /// The `file:line` of its beginning.
    pub place: String,
}

/// The tables of a game whose levels are Lua scripts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LuaTables {
    /// Functions that levels can call, by their full names, e.g. `des.monster`, with the kind of result.
    pub functions: Vec<(String, ValueKind)>,
    /// Keys that the functions read.
    pub keys: Vec<LuaKeyRow>,
    /// Values of `u` and `nhc`, by their full names.
    pub values: Vec<(String, ValueKind)>,
    /// Level flags.
    pub flags: Vec<String>,
    /// Appearance of types of squares.
    pub looks: Vec<SquareLook>,
    /// The text of `dat/nhlib.lua`.
    pub library: String,
    /// The text of `dat/dungeon.lua`.
    pub dungeon: String,
}

/// A key of a function's table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LuaKeyRow {
    /// The full name of the function.
    pub function: String,
    /// The key.
    pub name: String,
    /// The kind of its values.
    pub kind: ValueKind,
    /// Its words, if it takes words.
    pub words: Vec<LuaWordRow>,
}

/// A word that a key takes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LuaWordRow {
    /// The word.
    pub word: String,
    /// Its number in the game, if it is known.
    pub number: Option<i64>,
    /// The type of squares that it means, for features.
    pub terrain: Option<String>,
}

/// The appearance of a type of squares.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SquareLook {
    /// The type, in lower case.
    pub of: String,
    /// Its symbol.
    pub symbol: char,
    /// Its name for people.
    pub name: String,
    /// Its colour, if the tree has colours.
    pub color: Option<Color>,
}

/// The tables read from a tree. A table that was not found is `None`, and a note reports it.
#[derive(Clone, Debug, Default)]
pub struct SourceTables {
    /// Monsters, indexed by number.
    pub monsters: Option<Found<Vec<MonsterRow>>>,
    /// Objects, indexed by number.
    pub objects: Option<Found<Vec<ObjectRow>>>,
    /// Names of the males and females of monsters, by number, if they differ from the name.
    pub monster_forms: Vec<(usize, String, String)>,
    /// Descriptions of unidentified objects, by number.
    pub object_descriptions: Vec<(usize, String)>,
    /// The tables of a game whose levels are Lua scripts.
    pub lua: Option<LuaTables>,
    /// Artifacts, each with the C name of its object.
    pub artifact_objects: Vec<(String, String)>,
    /// Symbols of the classes of monsters, from class 1; `\0` if unknown.
    pub monster_classes: Option<Found<Vec<char>>>,
    /// Symbols of the classes of objects, from class 1.
    pub object_classes: Option<Found<Vec<char>>>,
    /// Trap names in level files and their numbers, in order.
    pub traps: Option<Found<Vec<(String, i64)>>>,
    /// Names of room types in level files and their numbers, in order.
    pub rooms: Option<Found<Vec<(String, i64)>>>,
    /// Map characters and their terrain, in order.
    pub map_characters: Option<Found<Vec<(char, i64)>>>,
    /// Names of the types of squares, in lower case, indexed by number.
    pub level_types: Option<Found<Vec<String>>>,
    /// Properties of the types of squares, indexed by number.
    pub squares: Option<Found<Vec<SquareRow>>>,
    /// Habits that are as the game's macros define them. Others are known as far as flags determine them.
    pub known_habits: Vec<&'static str>,
    /// Characters that a line of a map may contain, excluding digits.
    pub map_line: Option<Found<String>>,
    /// Words of the lexer.
    pub words: Option<Found<BTreeMap<String, WordRow>>>,
    /// Opcodes, in lower case, in order; `None` if level files have no opcodes.
    pub opcodes: Option<Found<Vec<String>>>,
    /// Fields of the structures in level files without opcodes, with their types, by the structures' names in C.
    pub structures: BTreeMap<String, Vec<(String, &'static str)>>,
    /// Names that doors can refer to, if they can. The first is number 0.
    pub door_artifacts: Option<Found<Vec<String>>>,
    /// Names of gods that altars can refer to, if they can. The first is number 0, and has no name.
    pub gods: Option<Found<Vec<String>>>,
    /// Numbers of the types of squares whose caves can be joined.
    pub joined: Option<Found<Vec<i64>>>,
    /// The minimum and maximum position of a room: columns, rows.
    pub room_positions: Option<[(i64, i64); 2]>,
    /// The value for a random place in level files without opcodes.
    pub random_place: Option<i64>,
    /// True if the level compiler's grammar was found.
    pub has_grammar: bool,
    /// Optional forms that the grammar has.
    pub forms: Forms,
    /// The token of the words that say whether the compiler checks the square of a place.
    pub place_check: Option<String>,
    /// The token of the words that describe an object further, in a separate statement.
    pub object_flags: Option<String>,
    /// `struct_sizes1` and so on of the version header, by the name of the ABI.
    pub struct_sizes: BTreeMap<&'static str, Vec<u64>>,
    /// The size in bytes of the version header on 64-bit machines.
    pub header_bytes: Option<usize>,
    /// Types of squares on which heroes and stairs are put, in a game of Lua levels.
    pub landing: Option<BTreeSet<i64>>,
    /// True if the loader leaves out rooms by chance (`build_room`).
    pub leaves_out_rooms: bool,
    /// The dungeon compiler, if it was found.
    pub dungeon: Option<DungeonCompiler>,
    /// The parts that the level compiler writes, in order, if level files have no opcodes.
    pub writes: Vec<Written>,
    /// Values of the macros that pack several numbers into one, with fixed arguments, if level files have opcodes.
    pub packing: Vec<(&'static str, i64)>,
    /// Statements whose only operand is a place or selection.
    pub place_statements: Vec<PlaceStatement>,
    /// All artifacts.
    pub artifacts: Option<Found<Vec<String>>>,
    /// Constants from headers and enumerations.
    pub constants: BTreeMap<String, i64>,
    /// The size in bytes of the type of a pushed value, if level files have opcodes.
    pub value_type_bytes: Option<usize>,
    /// Parts of the version header that the sources determine: incarnation, feature set, entity count.
    pub header: [Option<u64>; 3],
    /// Symbols that `src/monst.c` tests and nothing defines.
    pub switches: Vec<String>,
    /// The notes.
    pub notes: Vec<Note>,
}

/// The dungeon compiler.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DungeonCompiler {
    /// Its limits, and the bits of traits.
    pub constants: BTreeMap<&'static str, i64>,
    /// The fields of its structures.
    pub structures: BTreeMap<&'static str, Vec<String>>,
    /// The descriptors of its lexer, with their bits as far as they are constants.
    pub descriptors: Vec<(String, Option<i64>)>,
    /// The symbols of conditional lines, and whether the configuration defines them.
    pub switches: BTreeMap<&'static str, bool>,
    /// The chance of a dungeon without one.
    pub chance: Option<i64>,
}

/// The output of a function of the level compiler.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Written {
    /// The function.
    pub function: &'static str,
    /// The names of the fields and variables, in order.
    pub names: Vec<String>,
}

/// Forms that some variants' grammars have and others lack.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Forms {
    /// `levregion()`.
    pub empty_level_regions: bool,
    /// `'#'` as a class, which means that the name is not in the tables.
    pub hash_class: bool,
    /// An ordinary room cannot have a chance.
    pub chances_of_types_only: bool,
    /// The limits of a gradient are separated by a comma.
    pub comma_gradients: bool,
    /// A random vault can have a minimum depth.
    pub vault_depths: bool,
    /// The filling of a region and its irregularity are a word and a truth value.
    pub irregular_truth: bool,
    /// SPILL may affect no squares.
    pub empty_spills: bool,
}

/// Files required to read anything.
const NEEDED: &[&str] = &["src/monst.c", "src/objects.c", "util/lev_main.c", "include/rm.h"];

/// Reads the tree whose files `files` returns.
///
/// # Errors
/// Returns an error if it is not the source tree of a variant, or exceeds a limit.
pub fn read<'f>(files: &'f mut Files<'f>, settings: &Settings) -> Result<SourceTables, TreeError> {
    let mut tree = Tree::new(files);
    let mut missing = Vec::new();
    for path in NEEDED {
        if tree.find(path)?.is_none() {
            missing.push(*path);
        }
    }
    let mut found = SourceTables::default();
    if missing.is_empty() {
        tables::read(&mut tree, settings, &mut found)?;
    } else if tree.find("src/nhlua.c")?.is_some() {
        let mut missing = Vec::new();
        for path in lua::NEEDED {
            if tree.find(path)?.is_none() {
                missing.push(*path);
            }
        }
        if !missing.is_empty() {
            return Err(TreeError::NotATree(missing));
        }
        lua::read(&mut tree, settings, &mut found)?;
    } else {
        return Err(TreeError::NotATree(missing));
    }
    found.notes = tree.notes;
    Ok(found)
}
