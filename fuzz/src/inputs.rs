//! Inputs from arbitrary bytes: real files with some of their tokens changed.

use std::collections::BTreeMap;
use std::fs;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use arbitrary::{Result, Unstructured};
use splc_backends::des;
use splc_driver::port::Written;
use splc_driver::{Input, NoIncludes, Options, Target, Wanted};
use splc_generate::{Choices, Generator};
use splc_ir::catalog::Catalog;
use splc_ir::catalog::dialect::{self, Dialect};

use crate::{Case, targets};

/// The maximum number of edits of an input.
const MAX_EDITS: u8 = 12;

/// The maximum length of a base file, in bytes. Small files are fuzzed faster.
const MAX_BASE: usize = 20_000;

/// Texts that often reach limits or other rules.
const ODD: &[&str] = &[
    "0",
    "-1",
    "1",
    "255",
    "256",
    "127",
    "128",
    "-128",
    "32767",
    "32768",
    "65535",
    "2147483647",
    "-2147483648",
    "4294967296",
    "9223372036854775807",
    "99999999999999999999",
    "100%",
    "[50%]",
    "50%",
    "random",
    "(",
    ")",
    "{",
    "}",
    "[",
    "]",
    ",",
    ":",
    ";",
    "=",
    "\"",
    "'",
    "\n",
    "\r",
    "\r\n",
    "\0",
    "#",
    "--",
    "--[[",
    "]]",
    "$x",
    "$x[0]",
    "(1,1)",
    "(0,0,75,20)",
    "2d4",
    "1-3",
    "MAP\n",
    "ENDMAP\n",
    "LEVEL:",
    "MAZE:",
    "ROOM:",
    "LOOP [",
    "IF [50%] {",
    "\u{e9}",
    "\u{1f600}",
    "INCLUDE \"x\"",
    "function",
    "end",
    "nil",
    "true",
    "..",
    "...",
    "goto",
    "rndcoord(",
    "levregion(",
];

/// A corpus file.
pub struct Base {
    /// Its bytes.
    pub bytes: Vec<u8>,
    /// The offsets at which its tokens begin, and its length.
    tokens: Vec<usize>,
}

impl Base {
    fn new(bytes: Vec<u8>) -> Self {
        let tokens = tokens(&bytes);
        Base { bytes, tokens }
    }

    /// Returns the number of tokens, at least 1.
    fn count(&self) -> usize {
        self.tokens.len().saturating_sub(1).max(1)
    }

    /// Returns the range of a token.
    fn token(&self, at: usize) -> Range<usize> {
        let offset = |at: usize| self.tokens.get(at).copied().unwrap_or(self.bytes.len());
        offset(at)..offset(at + 1)
    }

    /// Returns the kind of a word or a number: its first character in general, and the mark before it.
    fn kind(&self, at: usize) -> Option<(u8, u8)> {
        let token = self.token(at);
        let first = match *self.bytes.get(token.start)? {
            b'0'..=b'9' => b'0',
            b'A'..=b'Z' => b'A',
            b'a'..=b'z' | b'_' => b'a',
            _ => return None,
        };
        let before = token.start.checked_sub(1).map_or(0, |before| self.bytes[before]);
        Some((first, if matches!(before, b'"' | b'\'' | b'$' | b'.') { before } else { 0 }))
    }

    /// Returns the range of a line, with its end.
    fn line(&self, from: &mut Unstructured<'_>) -> Result<Range<usize>> {
        let at = from.choose_index(self.bytes.len().max(1))?.min(self.bytes.len());
        let start = self.bytes[..at].iter().rposition(|&byte| byte == b'\n').map_or(0, |end| end + 1);
        let end = self.bytes[at..].iter().position(|&byte| byte == b'\n').map_or(self.bytes.len(), |end| at + end + 1);
        Ok(start..end)
    }
}

/// Returns the offsets at which words, numbers, strings, marks and blanks begin, and the length.
fn tokens(bytes: &[u8]) -> Vec<usize> {
    let class = |byte: u8| match byte {
        b'a'..=b'z' | b'A'..=b'Z' | b'_' | 0x80.. => 0,
        b'0'..=b'9' => 1,
        b' ' | b'\t' => 2,
        // Other characters are tokens alone.
        other => 256 + u32::from(other),
    };
    let mut found = Vec::new();
    let mut last = None;
    for (at, &byte) in bytes.iter().enumerate() {
        let class = class(byte);
        if last != Some(class) || class >= 256 {
            found.push(at);
        }
        last = Some(class);
    }
    found.push(bytes.len());
    found
}

fn folder(path: &Path, extension: &str) -> Vec<Base> {
    let mut files: Vec<PathBuf> =
        fs::read_dir(path).into_iter().flatten().flatten().map(|entry| entry.path()).collect();
    files.sort();
    files.retain(|file| file.extension().is_some_and(|known| known == extension));
    let bytes = files.iter().filter_map(|file| fs::read(file).ok());
    bytes.filter(|bytes| bytes.len() <= MAX_BASE).map(Base::new).collect()
}

/// Returns the levels of a des-file. What is before the first belongs to it.
fn levels(bytes: &[u8]) -> Vec<Base> {
    let mut found: Vec<Vec<u8>> = vec![Vec::new()];
    let mut begun = false;
    for line in bytes.split_inclusive(|&byte| byte == b'\n') {
        let begins = line.starts_with(b"LEVEL:") || line.starts_with(b"MAZE:");
        if begins && begun {
            found.push(Vec::new());
        }
        begun |= begins;
        found.last_mut().expect("it has a first").extend_from_slice(line);
    }
    found.into_iter().map(Base::new).collect()
}

/// Returns the root of the workspace.
fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap_or(Path::new(".")).to_owned()
}

/// Returns the texts of a list of mistakes, without their frames. They have the rare words.
fn mistakes(root: &Path, dialect: &str) -> Vec<Base> {
    let list = fs::read_to_string(root.join("corpus/mistakes").join(dialect).join("mistakes.txt")).unwrap_or_default();
    let texts = list.split("\n=== ").skip(1).filter_map(|part| part.split_once('\n'));
    texts.map(|(_, text)| Base::new(format!("{}\n", text.trim_end_matches('\n')).into_bytes())).collect()
}

/// The dialects of des-files, each with its folder of the corpus.
pub const DIALECTS: [(&str, &str); 4] =
    [("unnethack", "unnethack"), ("nethack36", "nethack36"), ("sporkhack", "sporkhack"), ("nethack343", "nethack343")];

/// Files to edit, and the source of new tokens: those files, and mistakes.
struct Corpus {
    files: Vec<Base>,
    /// The single levels of the files. They are fuzzed many times faster.
    levels: Vec<Base>,
    mistakes: Vec<Base>,
}

impl Corpus {
    /// Returns the file from which an edit takes its tokens.
    fn other(&self, from: &mut Unstructured<'_>) -> Result<&Base> {
        let list = if !self.mistakes.is_empty() && from.ratio(1, 3)? { &self.mistakes } else { &self.files };
        from.choose(list)
    }
}

/// Returns the des-files of our corpus in a dialect, by its position in [`DIALECTS`].
fn corpus(dialect: usize) -> &'static Corpus {
    static CORPUS: OnceLock<Vec<Corpus>> = OnceLock::new();
    let root = root();
    &CORPUS.get_or_init(|| {
        let of = |(_, name): (&str, &str)| {
            let files = folder(&root.join("corpus").join(name), "des");
            let levels = files.iter().flat_map(|file| levels(&file.bytes)).collect();
            Corpus { files, levels, mistakes: mistakes(&root, name) }
        };
        DIALECTS.map(of).into()
    })[dialect]
}

/// Returns what to look for in a file of `dialect`.
fn wanted(dialect: usize) -> Wanted {
    Wanted { dialect: Dialect::by_name(DIALECTS[dialect].0), ..Wanted::default() }
}

/// A des-file and the position of its dialect in [`DIALECTS`].
pub struct DesFile {
    /// The position of its dialect.
    pub dialect: usize,
    /// Its bytes.
    pub bytes: Vec<u8>,
}

/// Builds a des-file: a corpus file or a generated one, with up to a dozen edits.
///
/// # Errors
/// If there are too few bytes.
pub fn des_file(damage: Damage, from: &mut Unstructured<'_>) -> Result<DesFile> {
    let dialect = from.choose_index(DIALECTS.len())?;
    Ok(DesFile { dialect, bytes: des_file_of(dialect, damage, from)? })
}

/// Builds a des-file of `dialect`, as [`des_file`] does.
///
/// # Errors
/// If there are too few bytes.
pub fn des_file_of(dialect: usize, damage: Damage, from: &mut Unstructured<'_>) -> Result<Vec<u8>> {
    let corpus = corpus(dialect);
    let generated;
    let base = if corpus.files.is_empty() || from.ratio(1, 3)? {
        generated = Base::new(generated_level(dialect, from.arbitrary()?, from.int_in_range(1..=10)?));
        &generated
    } else {
        // Whole files show how their levels act on each other.
        let list = if from.ratio(1, 16)? { &corpus.files } else { &corpus.levels };
        from.choose(list)?
    };
    edited(base, corpus, damage, from)
}

/// Builds a des-file without edits: one that compiles.
///
/// # Errors
/// If there are too few bytes.
pub fn sound_des_file(from: &mut Unstructured<'_>) -> Result<DesFile> {
    let dialect = from.choose_index(DIALECTS.len())?;
    Ok(DesFile { dialect, bytes: generated_level(dialect, from.arbitrary()?, from.int_in_range(1..=60)?) })
}

fn generated_level(dialect: usize, seed: u64, size: usize) -> Vec<u8> {
    static GENERATORS: OnceLock<Vec<Option<(&Catalog, Generator<'_>)>>> = OnceLock::new();
    let generators = GENERATORS.get_or_init(|| {
        let catalogs = DIALECTS.map(|(name, _)| Dialect::by_name(name).and_then(Dialect::default_target));
        catalogs.map(|catalog| catalog.map(|catalog| (catalog, Generator::new(catalog)))).into()
    });
    let Some((catalog, generator)) = &generators[dialect] else { return Vec::new() };
    let module = generator.module(&mut Choices::of_seed(seed), size);
    des::print(&module, catalog).unwrap_or_default().into_bytes()
}

/// Returns the port of a des-file to Lua, or nothing if it cannot be ported.
fn as_script(dialect: usize, bytes: Vec<u8>) -> Vec<u8> {
    let options = Options { wanted: wanted(dialect), ..Options::default() };
    let to = dialect::LUA.default_target().and_then(|catalog| Target::new(catalog, options.wanted.abi()).ok());
    let ported = to.and_then(|to| {
        splc_driver::port::port(Input::new("x.des", bytes), &options, to, &Default::default(), &mut NoIncludes).ok()
    });
    match ported.map(|ported| ported.written) {
        Some(Written::Scripts(scripts)) => scripts.into_iter().next().map(|script| script.text).unwrap_or_default(),
        _ => Vec::new(),
    }
}

/// The kinds of edits of a file.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Damage {
    /// Mostly edits after which the file has other errors, or more of them.
    Any,
    /// Mostly edits after which a file without errors has none: statements, names and numbers of other files.
    Light,
}

/// Returns the bytes of `base` with up to a dozen edits. New lines and tokens come from `others`, from [`ODD`] or from
/// anywhere.
fn edited(base: &Base, others: &Corpus, damage: Damage, from: &mut Unstructured<'_>) -> Result<Vec<u8>> {
    let mut file = Base { bytes: base.bytes.clone(), tokens: base.tokens.clone() };
    // After many edits nothing is left to compare, and the first error hides the others.
    let most = if from.ratio(1, 4)? { MAX_EDITS } else { 2 };
    let most_likely_light = if damage == Damage::Light { 14 } else { 6 };
    for _ in 0..from.int_in_range(0..=most)? {
        let other = if others.files.is_empty() || from.ratio(1, 4)? { base } else { others.other(from)? };
        let (range, new) = if damage == Damage::Any && !others.mistakes.is_empty() && from.ratio(1, 4)? {
            let end = file.line(from)?.end;
            (end..end, from.choose(&others.mistakes)?.bytes.clone())
        } else if from.ratio(most_likely_light, 16)? {
            if from.ratio(1, 2)? { line_edit(&file, other, from)? } else { word_edit(&file, other, from)? }
        } else {
            token_edit(&file, other, from)?
        };
        file.bytes.splice(range, new);
        file.tokens = tokens(&file.bytes);
    }
    Ok(file.bytes)
}

/// An edit: the bytes to replace, and the new ones.
type Edit = (Range<usize>, Vec<u8>);

/// Returns an edit of up to twenty tokens of `file`, whatever they are.
fn token_edit(file: &Base, other: &Base, from: &mut Unstructured<'_>) -> Result<Edit> {
    let at = from.choose_index(file.count())?;
    let length = if from.ratio(1, 4)? { from.int_in_range(0..=20)? } else { from.int_in_range(0..=1)? };
    let start = file.tokens.get(at).copied().unwrap_or(0);
    let end = file.tokens.get(at + length).copied().unwrap_or(file.bytes.len());
    let new = match from.int_in_range(0..=5)? {
        0 => Vec::new(),
        1 => from.choose(ODD)?.as_bytes().to_vec(),
        2 => from.bytes(from.len().min(3))?.to_vec(),
        // A run of tokens.
        _ => {
            let first = from.choose_index(other.count())?;
            let last = (first + from.int_in_range(1..=12)?).min(other.tokens.len() - 1);
            other.bytes[other.tokens[first.min(last)]..other.tokens[last]].to_vec()
        }
    };
    Ok((start..end, new))
}

/// Returns an edit that removes a line of `file`, inserts one of `other`, or replaces one by the other.
fn line_edit(file: &Base, other: &Base, from: &mut Unstructured<'_>) -> Result<Edit> {
    let (old, new) = (file.line(from)?, other.line(from)?);
    let mut new = other.bytes[new].to_vec();
    if new.last() != Some(&b'\n') {
        new.push(b'\n');
    }
    Ok(match from.int_in_range(0..=3)? {
        0 => (old, Vec::new()),
        1 => (old, new),
        _ => (old.end..old.end, new),
    })
}

/// Returns an edit that replaces a word or a number of `file` by a similar one of `other`: a name in quotes by another
/// one, a keyword by a keyword.
fn word_edit(file: &Base, other: &Base, from: &mut Unstructured<'_>) -> Result<Edit> {
    let (old, new) = (from.choose_index(file.count())?, from.choose_index(other.count())?);
    let Some((old, wanted)) = (old..file.count()).find_map(|at| Some((at, file.kind(at)?))) else {
        return Ok((0..0, Vec::new()));
    };
    let similar = (new..other.count()).chain(0..new).find(|&at| other.kind(at) == Some(wanted));
    let new = similar.map_or_else(Vec::new, |at| other.bytes[other.token(at)].to_vec());
    Ok((file.token(old), new))
}

/// Returns `texts` as a corpus.
fn corpus_of(texts: &[&str]) -> Corpus {
    let files = texts.iter().map(|text| Base::new(text.as_bytes().to_vec())).collect();
    Corpus { files, levels: Vec::new(), mistakes: Vec::new() }
}

/// Builds a file from one of the corpus with edits.
fn of_files(corpus: &Corpus, from: &mut Unstructured<'_>) -> Result<Vec<u8>> {
    edited(from.choose(&corpus.files)?, corpus, Damage::Light, from)
}

/// Builds a Lua script.
///
/// # Errors
/// If there are too few bytes.
pub fn script(from: &mut Unstructured<'_>) -> Result<Vec<u8>> {
    static SCRIPTS: OnceLock<Corpus> = OnceLock::new();
    let scripts = SCRIPTS.get_or_init(|| {
        let mut scripts = corpus_of(SCRIPT_TEXTS);
        scripts.files.extend(folder(&root().join("corpus/nethack5"), "lua"));
        scripts.mistakes = mistakes(&root(), "nethack5");
        scripts
    });
    if from.ratio(1, 3)? {
        let dialect = from.choose_index(DIALECTS.len())?;
        let level = generated_level(dialect, from.arbitrary()?, from.int_in_range(1..=10)?);
        return edited(&Base::new(as_script(dialect, level)), scripts, Damage::Light, from);
    }
    of_files(scripts, from)
}

/// Builds a dungeon description.
///
/// # Errors
/// If there are too few bytes.
pub fn dungeon(from: &mut Unstructured<'_>) -> Result<Vec<u8>> {
    static DUNGEONS: OnceLock<Corpus> = OnceLock::new();
    let files = DUNGEONS.get_or_init(|| corpus_of(DUNGEON_TEXTS));
    of_files(files, from)
}

/// Builds a catalog file.
///
/// # Errors
/// If there are too few bytes.
pub fn catalog(from: &mut Unstructured<'_>) -> Result<Vec<u8>> {
    static CATALOGS: OnceLock<Corpus> = OnceLock::new();
    let files = CATALOGS.get_or_init(|| corpus_of(CATALOG_TEXTS));
    of_files(files, from)
}

/// Returns `bytes` with a few of them changed, removed, repeated or inserted.
///
/// # Errors
/// If there are too few bytes to choose from.
pub fn damaged(mut bytes: Vec<u8>, from: &mut Unstructured<'_>) -> Result<Vec<u8>> {
    for _ in 0..from.int_in_range(0..=8)? {
        if bytes.is_empty() {
            break;
        }
        let at = from.choose_index(bytes.len())?;
        match from.int_in_range(0..=5)? {
            0 => bytes[at] = from.arbitrary()?,
            1 => bytes[at] ^= 1 << from.int_in_range(0..=7)?,
            2 => drop(bytes.drain(at..(at + from.int_in_range(1..=9)?).min(bytes.len()))),
            3 => bytes.insert(at, from.arbitrary()?),
            4 => bytes.truncate(at),
            _ => {
                let word: u32 = *from.choose(&[0, 1, 0x7fff_ffff, 0x8000_0000, 0xffff_ffff, 0x100, 0xffff])?;
                let end = (at + 4).min(bytes.len());
                bytes.splice(at..end, word.to_le_bytes());
            }
        }
    }
    Ok(bytes)
}

const SCRIPT_TEXTS: &[&str] = &[
    "des.level_init({ style = \"solidfill\", fg = \" \" });\ndes.level_flags(\"mazelevel\", \"noteleport\");\n\
     des.map([[\n.....\n.---.\n.|.+.\n.---.\n.....\n]]);\ndes.region(selection.area(00,00,04,04), \"lit\")\n\
     local place = { {1,0},{3,0},{0,3} }\nshuffle(place)\ndes.stair(\"up\", place[1])\n\
     des.monster({ id = \"jackal\", x=0, y=0, peaceful=0, asleep=1 })\ndes.object(\"[\")\n\
     des.object({ id = \"chest\", trapped=1, coord=place[2], contents = function() des.object() end })\n\
     for i=1,math.random(2,4) do\n  des.trap()\nend\nif percent(50) then des.monster('o') end\n",
    "des.room({ type = \"ordinary\", lit=1, x=3,y=3, xalign=\"center\",yalign=\"center\", w=11,h=9, contents = function()\n\
     des.feature(\"fountain\", 1, 1)\ndes.engraving({ type=\"burn\", text=\"x\" })\n\
     des.room({ type=\"temple\", w=3, h=3, contents = function(rm) des.altar({ x=1,y=1, align=\"law\", type=\"shrine\" }) end })\n\
     des.door(\"random\", 1, 0)\nend })\ndes.random_corridors()\n",
    "local sel = selection.new();\nsel:set(1,2):rndcoord(1);\nlocal m = selection.line(0,0,10,10) | selection.rect(1,1,5,5) \n\
     m = m:grow() & selection.negate(sel)\nm:iterate(function(x,y) des.terrain(x,y, \"T\") end)\n\
     des.replace_terrain({ region={1,1,70,18}, fromterrain=\".\", toterrain=\"L\", chance=10 })\n\
     des.levregion({ region={1,0,10,20}, exclude={1,1,61,19}, type=\"branch\" })\ndes.mazewalk(1,10,\"west\")\n\
     des.non_diggable(selection.area(0,0,52,17))\nlocal t = string.format(\"%s\", (\"x\"):rep(3))\n\
     des.message(t)\ndes.gold({ amount=d(3,6), x=1, y=1 })\ndes.drawbridge({ x=5,y=8, dir=\"east\", state=\"closed\" })\n",
];

const DUNGEON_TEXTS: &[&str] = &[
    "DUNGEON: \"The Dungeons of Doom\" \"D\" (25,5)\nALIGNMENT: unaligned\nBRANCH: \"The Gnomish Mines\" @ (2,3)\n\
     LEVEL: \"rogue\" \"R\" @ (15,4)\nLEVELDESC: roguelike\nLEVEL: \"oracle\" \"O\" @ (5,5)\nLEVALIGN: neutral\n\
     CHAINBRANCH: \"Sokoban\" \"oracle\" + (1,0) up\nRNDLEVEL: \"bigrm\" \"B\" @ (10,3) 40\nLEVEL: \"medusa\" \"none\" @ (-5,4)\n\
     CHAINBRANCH: \"Gehennom\" \"medusa\" + (1,0) no_down\n\nDUNGEON: \"Gehennom\" \"G\" (20,5)\nDESCRIPTION: mazelike\n\
     ALIGNMENT: noalign\nLEVEL: \"valley\" \"V\" @ (1,0)\n\nDUNGEON: \"The Gnomish Mines\" \"M\" (8,2)\nALIGNMENT: lawful\n\
     RNDLEVEL: \"minetn\" \"T\" @ (5,2) 7\nENTRY: -1\nPROTOFILE: \"x\"\n\nDUNGEON: \"Sokoban\" \"none\" (4,0)\nENTRY: -1\n",
    "dungeon = {\n{ name = \"A\", bonetag = \"D\", base = 25, range = 5, alignment = \"unaligned\",\n\
     branches = { { name = \"B\", base = 2, range = 3 }, { name = \"B\", chainlevel = \"o\", base = 1, direction = \"up\" } },\n\
     levels = { { name = \"o\", bonetag = \"O\", base = 5, range = 5, alignment = \"neutral\", nlevels = 3, chance = 40 } } },\n\
     { name = \"B\", base = 4, entry = -1, flags = { \"mazelike\" } } }\n",
];

const CATALOG_TEXTS: &[&str] = &[
    "extends = \"nethack-3.4.3\"\nname = \"made-up\"\ntitle = \"Made-up\"\ngods = [\"\", \"Mitra\"]\n\
     structures = [\n    \"door x:char y:char state:char artifact:short\",\n]\nplace_statements = [\"FORGE\"]\n\
     add_features = [\"random_regions\", \"place_lists\"]\n[packing]\nrandom_place = -12\n[words.object_flag]\no_lit = 1\n",
    "extends = \"unnethack-6.0.4\"\nname = \"made-up\"\ntitle = \"Made-up\"\nadd_features = [\"doors_have_materials\"]\n\
     add_opcodes = [{ name = \"place_1\" }]\nadd_monster_parts = [{ name = \"dead\", after = \"seentraps\", shift = true }]\n\
     [words.flag]\nwindy = 1048576\n",
];

/// Begins the name of a file in a source tree that is one text.
const FILE: &str = "=== ";

/// Builds a case of the source tree of a game, as one text.
pub(crate) fn tree_case(from: &mut Unstructured<'_>) -> Result<Case> {
    static TREES: OnceLock<Corpus> = OnceLock::new();
    let trees = TREES.get_or_init(|| {
        let mut text = String::new();
        for folder in ["include", "src", "util"] {
            let entries = fs::read_dir(root().join("corpus/tree").join(folder)).into_iter().flatten().flatten();
            let mut files: Vec<PathBuf> = entries.map(|entry| entry.path()).collect();
            files.sort();
            for file in files {
                let name = file.file_name().unwrap_or_default().to_string_lossy().into_owned();
                let content = fs::read_to_string(&file).unwrap_or_default();
                text += &format!("{FILE}{folder}/{name}\n{content}");
            }
        }
        corpus_of(&[&text])
    });
    Ok(Case::new("tree", "", of_files(trees, from)?))
}

/// Returns the files of a source tree that is one text.
pub(crate) fn files_of_tree(text: &[u8]) -> BTreeMap<String, Vec<u8>> {
    let text = String::from_utf8_lossy(text);
    let files = text.split(FILE).filter_map(|file| file.split_once('\n'));
    files.map(|(name, content)| (name.to_owned(), content.as_bytes().to_vec())).collect()
}

/// Builds a case of a des-file.
pub(crate) fn des_case(from: &mut Unstructured<'_>) -> Result<Case> {
    des_file(Damage::Any, from).map(case_of)
}

/// Builds a case of a des-file that often compiles.
pub(crate) fn light_case(from: &mut Unstructured<'_>) -> Result<Case> {
    des_file(Damage::Light, from).map(case_of)
}

fn case_of(DesFile { dialect, bytes }: DesFile) -> Case {
    Case::new("x.des", DIALECTS[dialect].0, bytes)
}

/// Builds a case of a damaged level file. It is empty if there is no level.
pub(crate) fn level_file(from: &mut Unstructured<'_>) -> Result<Case> {
    let sound = sound_des_file(from)?;
    let sound = Case::new("x.des", DIALECTS[sound.dialect].0, sound.bytes);
    let (name, bytes) = targets::level_files(&sound).unwrap_or_default().into_iter().next().unwrap_or_default();
    Ok(Case::new(&name, "", damaged(bytes, from)?))
}

/// Builds a case of a des-file and the dialect of its port.
pub(crate) fn port(from: &mut Unstructured<'_>) -> Result<Case> {
    let case = light_case(from)?;
    let to = DIALECTS.get(from.choose_index(DIALECTS.len() + 1)?).map_or(dialect::LUA.name, |(name, _)| name);
    Ok(Case { to: to.to_owned(), ..case })
}

/// Builds a case of a script and the dialect of its port.
pub(crate) fn port_lua(from: &mut Unstructured<'_>) -> Result<Case> {
    let case = Case::new("x.lua", "", script(from)?);
    Ok(Case { to: DIALECTS[from.choose_index(DIALECTS.len())?].0.to_owned(), ..case })
}

/// Builds a case of a des-file and the seed of its run.
pub(crate) fn run(from: &mut Unstructured<'_>) -> Result<Case> {
    let seed = from.arbitrary()?;
    Ok(Case { seed, ..light_case(from)? })
}

/// Builds a case of a script and the seed of its run.
pub(crate) fn lua(from: &mut Unstructured<'_>) -> Result<Case> {
    let seed = from.arbitrary()?;
    Ok(Case { seed, ..Case::new("x.lua", "", script(from)?) })
}

/// Builds a case of a dungeon description.
pub(crate) fn dungeon_case(from: &mut Unstructured<'_>) -> Result<Case> {
    let game = *from.choose(&["unnethack-6.0.4", "nethack-3.6.7", "nethack-3.4.3", "nethack-5.0.0"])?;
    let bytes = dungeon(from)?;
    let name = if bytes.starts_with(b"dungeon =") { "dungeon.lua" } else { "dungeon.def" };
    Ok(Case::new(name, game, bytes))
}

/// Builds a case of a damaged archive.
pub(crate) fn archive(from: &mut Unstructured<'_>) -> Result<Case> {
    let mut bytes =
        b"       1 0      2    17     99\nE00000001file 51\nE00000001b 74\nabcdefghijklmnopqrstuvwxyz".to_vec();
    bytes.extend_from_slice(b"0123456789012345678901234567890123456789");
    Ok(Case::new("nhdat", "", damaged(bytes, from)?))
}

/// Builds a case of a catalog file.
pub(crate) fn catalog_case(from: &mut Unstructured<'_>) -> Result<Case> {
    Ok(Case::new("made-up.toml", "", catalog(from)?))
}
