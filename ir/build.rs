//! Turns the catalogs (`catalogs/*.toml`, one per game) into static tables, so that splc does not parse them at run
//! time and looks names up in sorted indices.
//!
//! The catalogs are read by the same reader that loads catalogs at run time. Any problem it reports stops the build.
// A build script reports errors by panicking.
#![allow(clippy::unwrap_used)]

use std::cell::RefCell;
use std::collections::{BTreeSet, HashMap};
use std::fmt::{Debug, Write as _};
use std::path::{Path, PathBuf};
use std::{env, fs};

/// A value that becomes a constant expression.
trait Constant {
    /// Returns its type.
    fn type_name() -> String;

    /// Returns the expression.
    fn constant(&self) -> String;
}

thread_local! {
    /// Values that several constants use, each with its type and its number.
    static SHARED: RefCell<HashMap<String, usize>> = RefCell::default();
}

/// Returns the name of a shared value. The compiler is much faster with names than with calls and repeated tables.
fn shared(value: String) -> String {
    SHARED.with_borrow_mut(|shared| {
        let next = shared.len();
        format!("SHARED_{}", shared.entry(value).or_insert(next))
    })
}

/// Tables with fewer entries are written where they are used.
const MIN_SHARED: usize = 8;

/// Makes a structure a constant.
macro_rules! constants {
    ($name:ident { $($field:ident)* }) => {
        impl crate::Constant for $name {
            fn type_name() -> String {
                stringify!($name).to_owned()
            }

            fn constant(&self) -> String {
                let fields =
                    [$(format!("{}: {}", stringify!($field), crate::Constant::constant(&self.$field)),)*];
                format!("{} {{ {} }}", stringify!($name), fields.join(", "))
            }
        }
    };
}

// Parts of these modules are used only by the library.
#[allow(dead_code)]
#[path = "src/abi.rs"]
mod abi;
#[allow(dead_code)]
#[path = "src/catalog/bits.rs"]
mod bits;
#[allow(dead_code)]
#[path = "src/catalog/colors.rs"]
mod colors;
#[allow(dead_code)]
#[path = "src/catalog/dialect.rs"]
mod dialect;
#[allow(dead_code)]
#[path = "src/catalog/features.rs"]
mod features;
#[allow(dead_code)]
#[path = "src/catalog/fields.rs"]
mod fields;
#[allow(dead_code)]
#[path = "src/catalog/file/mod.rs"]
mod file;
#[path = "src/catalog/groups.rs"]
mod groups;
#[allow(dead_code)]
#[path = "src/limits.rs"]
mod limits;
#[allow(dead_code)]
#[path = "src/catalog/loader.rs"]
mod loader;

use bits::{Named, Set};
use colors::Color;
use features::Features;
use fields::{Catalog, Controls, Format, Name, OwnWord, ValueKind};
use file::Problems;
use groups::Group;
use loader::{Habits, LoaderRules};

/// Any name of an opcode. The names are checked when the generated code is compiled.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Opcode(&'static str);

impl Opcode {
    /// Unknown.
    pub const VALUES: &'static [Opcode] = &[];

    /// Returns the opcode called `name`.
    pub fn named(name: &str) -> Option<Opcode> {
        Some(Opcode(String::from(name).leak()))
    }

    /// Returns its name.
    pub fn as_str(self) -> &'static str {
        self.0
    }
}

impl Constant for Opcode {
    fn type_name() -> String {
        "Opcode".to_owned()
    }

    fn constant(&self) -> String {
        format!("Opcode::from_catalog({:?})", self.0)
    }
}

/// Makes values that `Debug` formats as expressions constants, after a prefix.
macro_rules! plain_constants {
    ($($prefix:literal $($type:ty)*;)*) => {$($(
        impl Constant for $type {
            fn type_name() -> String {
                stringify!($type).to_owned()
            }

            fn constant(&self) -> String {
                format!("{}{self:?}", $prefix)
            }
        }
    )*)*};
}

plain_constants! {
    "" bool char i32 i64 u16 u64 usize;
    "Color::" Color;
    "Controls::" Controls;
    "Format::" Format;
    "OwnWord::" OwnWord;
    "ValueKind::" ValueKind;
}

/// Generates a set of switches.
fn switches<S: Set>(set: S, name: &str, item: &str) -> String
where
    S::Item: Debug,
{
    let items = S::Item::VALUES.iter().filter(|value| set.contains(**value));
    let items = items.map(|value| format!("{item}::{value:?}")).collect::<Vec<_>>().join(", ");
    shared(format!("{name} = {name}::of(&[{items}])"))
}

impl Constant for Features {
    fn type_name() -> String {
        "Features".to_owned()
    }

    fn constant(&self) -> String {
        switches(*self, "Features", "Feature")
    }
}

impl Constant for Habits {
    fn type_name() -> String {
        "Habits".to_owned()
    }

    fn constant(&self) -> String {
        switches(*self, "Habits", "Habit")
    }
}

impl Constant for LoaderRules {
    fn type_name() -> String {
        "LoaderRules".to_owned()
    }

    fn constant(&self) -> String {
        switches(*self, "LoaderRules", "LoaderRule")
    }
}

impl Constant for Name {
    fn type_name() -> String {
        "Name".to_owned()
    }

    fn constant(&self) -> String {
        format!("Borrowed({self:?})")
    }
}

impl<T: Constant> Constant for Option<T> {
    fn type_name() -> String {
        format!("Option<{}>", T::type_name())
    }

    fn constant(&self) -> String {
        self.as_ref().map_or("None".to_owned(), |value| format!("Some({})", value.constant()))
    }
}

fn list<'t, T: Constant + 't>(entries: impl IntoIterator<Item = &'t T>) -> String {
    entries.into_iter().map(Constant::constant).collect::<Vec<_>>().join(", ")
}

impl<T: Constant + Clone> Constant for fields::Table<T> {
    fn type_name() -> String {
        format!("Table<{}>", T::type_name())
    }

    fn constant(&self) -> String {
        let entries = list(self.iter());
        match self.len() {
            0 => "Borrowed(&[])".to_owned(),
            1..MIN_SHARED => format!("Borrowed(const {{ &[{entries}] }})"),
            len => format!("Borrowed(&{})", shared(format!("[{}; {len}] = [{entries}]", T::type_name()))),
        }
    }
}

impl<T: Constant, const N: usize> Constant for [T; N] {
    fn type_name() -> String {
        format!("[{}; {N}]", T::type_name())
    }

    fn constant(&self) -> String {
        format!("[{}]", list(self))
    }
}

impl<A: Constant, B: Constant> Constant for (A, B) {
    fn type_name() -> String {
        format!("({}, {})", A::type_name(), B::type_name())
    }

    fn constant(&self) -> String {
        format!("({}, {})", self.0.constant(), self.1.constant())
    }
}

impl<A: Constant, B: Constant, C: Constant> Constant for (A, B, C) {
    fn type_name() -> String {
        format!("({}, {}, {})", A::type_name(), B::type_name(), C::type_name())
    }

    fn constant(&self) -> String {
        format!("({}, {}, {})", self.0.constant(), self.1.constant(), self.2.constant())
    }
}

fn static_name(catalog: &Catalog) -> String {
    catalog.name.to_uppercase().replace(['-', '.'], "_")
}

/// Reads the catalog at `path` and the catalog it extends, if any. Panics with a list of all problems.
fn read(path: &Path) -> Catalog {
    let text = fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let parent = file::parent(&text).map(|(name, _)| read(&path.with_file_name(format!("{name}.toml"))));
    let mut problems = Problems::default();
    let draft = file::read(&text, parent, &mut problems);
    if problems.list.is_empty() {
        return draft;
    }
    let mut report = String::new();
    for problem in problems.list {
        let line = text[..problem.place.start].matches('\n').count() + 1;
        writeln!(report, "{}:{line}: {}", path.display(), problem.message).unwrap();
        if let Some(help) = problem.help {
            writeln!(report, "    help: {help}").unwrap();
        }
    }
    panic!("the catalog has errors\n{report}");
}

fn main() {
    let manifest = PathBuf::from(env::var("CARGO_MANIFEST_DIR").unwrap());
    let catalogs = manifest.join("catalogs");
    for watched in ["catalogs", "src/catalog", "src/abi.rs"] {
        println!("cargo::rerun-if-changed={}", manifest.join(watched).display());
    }
    let mut paths: Vec<PathBuf> = fs::read_dir(&catalogs)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "toml"))
        .collect();
    // Sorted by name, so that a game precedes its variants.
    paths.sort_by_key(|path| path.file_stem().map(ToOwned::to_owned));
    let mut catalogs: Vec<Catalog> = paths.iter().map(|path| read(path)).collect();
    // Lexers of des-files do not recognise words of NetHack 5.
    let des_files = catalogs.iter().filter(|catalog| catalog.format != Format::Lua);
    let words: BTreeSet<Name> = des_files.flat_map(Catalog::all_words).collect();
    let words: Vec<Name> = words.into_iter().collect();
    let mut out = String::new();
    for catalog in &mut catalogs {
        // Own words are those of no built-in game.
        let name = &catalog.name;
        assert!(catalog.place_statements.is_empty(), "{name}: `place_statements` is for games that are not built in");
        catalog.make_index(&words);
        let (title, name, value) = (&catalog.title, static_name(catalog), catalog.constant());
        writeln!(out, "/// The catalog of {title}.\npub static {name}: Catalog = {value};\n").unwrap();
    }
    let mut values: Vec<(String, usize)> = SHARED.take().into_iter().collect();
    values.sort_by_key(|(_, number)| *number);
    for (value, number) in values {
        let kind = if value.starts_with('[') { "static" } else { "const" };
        writeln!(out, "{kind} SHARED_{number}: {value};").unwrap();
    }
    let constants: Vec<String> = catalogs.iter().map(|catalog| format!("&{}", static_name(catalog))).collect();
    writeln!(out, "/// Every catalog, by name.\npub static ALL: &[&Catalog] = &[{}];", constants.join(", ")).unwrap();
    fs::write(PathBuf::from(env::var("OUT_DIR").unwrap()).join("catalogs.rs"), out).unwrap();
}
