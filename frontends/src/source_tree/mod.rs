//! The source tree of a game of NetHack's family: what it knows, read from its C files.
//!
//! A variant's own tables say which monsters it has and what its level compiler takes: `src/monst.c`, `src/objects.c`,
//! `src/drawing.c`, `util/lev_main.c`, `util/lev_comp.l`, and the headers behind them. [`read`] takes them through a
//! `preprocessor`, evaluates the constants in them, and gives them as [`SourceTables`]: numbers and
//! names as the compiler has them, not yet a [catalog](splc_ir::catalog). No compiler is needed, nothing is run, and
//! what is not understood is said in a [note](Note).
//!
//! Files come from a closure, which knows where the tree is and what is out of its bounds. What a tree may cost is
//! bounded by [`limits`], so files that include themselves, conditionals without end and macros that grow end in a
//! [`TreeError`].

mod evaluate;
mod initialisers;
pub mod limits;
mod preprocessor;
mod rules;
mod tables;
mod tokens;
mod types;

use std::collections::{BTreeMap, HashMap};
use std::fmt;
use std::rc::Rc;

use limits::{MAX_FILE_BYTES, MAX_NOTES, MAX_TOKENS, MAX_TOTAL_BYTES};

/// Reads the file at a path below the tree's top, with `/` between folders: nothing if there is none. `**/NAME` is a
/// file of that name in any folder, where a tree has it in another place than most.
///
/// # Errors
/// What keeps a file that is there from being read, for people.
pub type Files<'f> = dyn FnMut(&str) -> Result<Option<Vec<u8>>, String> + 'f;

/// Preprocessor symbols that a build sets.
#[derive(Clone, Debug, Default)]
pub struct Settings {
    /// Symbols and what they stand for.
    pub defines: Vec<(String, String)>,
    /// Symbols that are not defined, whatever the tree's headers say.
    pub undefines: Vec<String>,
}

/// What ends the reading of a tree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TreeError {
    /// Files without which there is nothing to read, which are not there.
    NotATree(Vec<&'static str>),
    /// A game of NetHack 3.7's family: its levels are Lua, and it has no level compiler whose tables could be read.
    LevelsAreLua(Vec<&'static str>),
    /// A file cannot be read.
    Unreadable {
        /// The file.
        path: String,
        /// Why.
        problem: String,
    },
    /// Something would take more than [`limits`] allow.
    TooMuch {
        /// The file; empty if it is not one file.
        path: String,
        /// What.
        problem: String,
    },
}

impl fmt::Display for TreeError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TreeError::NotATree(missing) => {
                write!(formatter, "not the source tree of a NetHack variant: there is no {}", missing.join(", no "))
            }
            TreeError::LevelsAreLua(missing) => write!(
                formatter,
                "the levels of this game are Lua, as those of NetHack 5, and there is no {}: use `--target nethack-5.0` \
                 for them, with a catalog of your own for the names that differ (`extends = \"nethack-5.0.0\"`)",
                missing.join(", no ")
            ),
            TreeError::Unreadable { path, problem } => write!(formatter, "{path}: {problem}"),
            TreeError::TooMuch { path, problem } if path.is_empty() => write!(formatter, "too much to read: {problem}"),
            TreeError::TooMuch { path, problem } => write!(formatter, "{path}: too much to read: {problem}"),
        }
    }
}

impl std::error::Error for TreeError {}

/// Something that was noticed while a tree was read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Note {
    /// Where, as `file:line` or a file.
    pub place: String,
    /// What.
    pub message: String,
}

/// The files of a tree, as they are read.
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

    /// The number and text of the file at `path`, or of one that is called so and lies elsewhere, or is C++.
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

    /// The number and text of the file at `path`.
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
                    // Old sources are Latin-1.
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

    /// Notes that the header `name` is not there. Where the tree has what `configure` makes it of, a symbol of the
    /// build has led to it, and its contents are not known before the tree is configured.
    fn missing(&mut self, name: &str, from: &str) -> Result<(), TreeError> {
        let stem = name.rsplit('/').next().unwrap_or(name).trim_end_matches(".h").to_owned();
        for template in [format!("{stem}.h.in"), format!("{stem}.hin"), format!("{stem}.hin.in")] {
            if self.read(&format!("**/{template}"))?.is_some() {
                let message = format!(
                    "{name} is made of {template} by `configure`: run that first, or leave out the -D that asks for it"
                );
                self.note(from.to_owned(), message);
                return Ok(());
            }
        }
        self.note(from.to_owned(), format!("{name}, which it includes, is not in the tree"));
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

/// A monster as `src/monst.c` has it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MonsterRow {
    /// Its name.
    pub name: String,
    /// Number of its class, from 1.
    pub class: usize,
    /// What it is or does, by the names of [`Habit`](splc_ir::catalog::Habit), as far as flags tell.
    pub habits: Vec<&'static str>,
}

/// An object as `src/objects.c` has it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ObjectRow {
    /// Its name; empty if it has none.
    pub name: String,
    /// Number of its class, from 1.
    pub class: usize,
    /// Whether several lie in one heap.
    pub merges: bool,
}

/// A word that the level compiler's lexer knows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WordRow {
    /// The token that it is.
    pub token: String,
    /// The number that it stands for, if it stands for one.
    pub value: Option<i64>,
}

/// A statement of one place that is like FOUNTAIN: `WORD ':' ter_selection { ... SPO_WORD }`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlaceStatement {
    /// The word that it begins with.
    pub word: String,
    /// Its opcode, in lower case.
    pub opcode: String,
}

/// A table, and where it was read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found<T> {
    /// What it holds.
    pub table: T,
    /// `file:line` of its beginning.
    pub place: String,
}

/// What was read of a tree; a table that was not found is missing, and a note says so.
#[derive(Clone, Debug, Default)]
pub struct SourceTables {
    /// Monsters; the position is the number.
    pub monsters: Option<Found<Vec<MonsterRow>>>,
    /// Objects; the position is the number.
    pub objects: Option<Found<Vec<ObjectRow>>>,
    /// Symbols of the classes of monsters, from class 1; `\0` for none.
    pub monster_classes: Option<Found<Vec<char>>>,
    /// Symbols of the classes of objects, from class 1.
    pub object_classes: Option<Found<Vec<char>>>,
    /// Trap names of level files and their numbers, in order.
    pub traps: Option<Found<Vec<(String, i64)>>>,
    /// Names of room types in level files and their numbers, in order.
    pub rooms: Option<Found<Vec<(String, i64)>>>,
    /// Map characters and their terrain, in order.
    pub map_characters: Option<Found<Vec<(char, i64)>>>,
    /// Names of the types of squares, in lower case; the position is the number.
    pub level_types: Option<Found<Vec<String>>>,
    /// Characters that a line of a map may hold, without digits.
    pub map_line: Option<Found<String>>,
    /// Words of the lexer.
    pub words: Option<Found<BTreeMap<String, WordRow>>>,
    /// Opcodes, in lower case, in order; none if level files have none.
    pub opcodes: Option<Found<Vec<String>>>,
    /// Fields of the structures of level files without opcodes, by the names that C has: `name`, fields with their types.
    pub structures: BTreeMap<String, Vec<(String, &'static str)>>,
    /// Names that doors can refer to, where they can; the number of the first is 0.
    pub door_artifacts: Option<Found<Vec<String>>>,
    /// Names of gods that altars can refer to, where they can; the number of the first is 0, and it has no name.
    pub gods: Option<Found<Vec<String>>>,
    /// Numbers of types of squares whose caves can be joined.
    pub joined: Option<Found<Vec<i64>>>,
    /// Least and greatest position of a room: columns, rows.
    pub room_positions: Option<[(i64, i64); 2]>,
    /// What stands for a random place in level files without opcodes.
    pub random_place: Option<i64>,
    /// Whether there is a grammar of the level compiler.
    pub has_grammar: bool,
    /// What the grammar has, of what it may have.
    pub forms: Forms,
    /// The token of words that say whether a place is looked at.
    pub place_check: Option<String>,
    /// The token of words that say more of an object, in a statement of their own.
    pub object_flags: Option<String>,
    /// `struct_sizes1` and so on of the version header, by the name of the ABI.
    pub struct_sizes: BTreeMap<&'static str, Vec<u64>>,
    /// Statements that take one place or selection and nothing else.
    pub place_statements: Vec<PlaceStatement>,
    /// Artifacts, as many as there are.
    pub artifacts: Option<Found<Vec<String>>>,
    /// Constants of the headers and of enumerations.
    pub constants: BTreeMap<String, i64>,
    /// Bytes of the type of a pushed value, where level files have opcodes.
    pub value_type_bytes: Option<usize>,
    /// Parts of the version header that the sources tell: incarnation, feature set, entity count.
    pub header: [Option<u64>; 3],
    /// Symbols that `src/monst.c` asks for and that nothing defines.
    pub switches: Vec<String>,
    /// What was noticed.
    pub notes: Vec<Note>,
}

/// Forms that grammars of variants have or lack.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Forms {
    /// `levregion()`.
    pub empty_level_regions: bool,
    /// `'#'` as a class says that the name is not one of the tables.
    pub hash_class: bool,
    /// An ordinary room cannot have a chance.
    pub chances_of_types_only: bool,
    /// The ends of a gradient are joined by a comma.
    pub comma_gradients: bool,
    /// The depth from which a random vault comes.
    pub vault_depths: bool,
    /// What a region is filled with, and whether it is irregular, are a word and a truth value.
    pub irregular_truth: bool,
    /// SPILL may spill nothing.
    pub empty_spills: bool,
}

/// Files without which there is nothing to read.
const NEEDED: &[&str] = &["src/monst.c", "src/objects.c", "util/lev_main.c", "include/rm.h"];

/// Reads the tree that `files` gives.
///
/// # Errors
/// If it is not the source tree of a variant, or too much.
pub fn read<'f>(files: &'f mut Files<'f>, settings: &Settings) -> Result<SourceTables, TreeError> {
    let mut tree = Tree::new(files);
    let mut missing = Vec::new();
    for path in NEEDED {
        if tree.find(path)?.is_none() {
            missing.push(*path);
        }
    }
    if !missing.is_empty() {
        let is_lua = tree.find("src/nhlua.c")?.is_some() || tree.find("dat/nhlib.lua")?.is_some();
        return Err(if is_lua { TreeError::LevelsAreLua(missing) } else { TreeError::NotATree(missing) });
    }
    let mut found = SourceTables::default();
    tables::read(&mut tree, settings, &mut found)?;
    found.notes = tree.notes;
    Ok(found)
}
