//! Reader for the compiled description of a dungeon, the file `dungeon`.
//!
//! It is a dump of C structures (`include/dgn_file.h`): the version header, the number of dungeons, and for each
//! dungeon its structure and those of its levels and branches. Bytes after the end of a name are ignored.

use splc_ir::abi::Abi;
use splc_ir::catalog::Catalog;
use splc_ir::diagnostic::Diagnostic;
use splc_ir::dungeon::{
    Bones, Branch, Connection, Description, Direction, Dungeon, DungeonNumber, Item, Level, Range, Trait,
};
use splc_ir::source::{Charset, FileId, Spanned, Text};

use crate::level_bytes::LevelBytes;

/// The content of a compiled description.
#[derive(Clone, Debug, PartialEq)]
pub struct DungeonFile {
    /// The unsigned longs of its header.
    pub header: Vec<u64>,
    /// The description. Its spans are byte ranges of the file.
    pub description: Description,
    /// The number of trailing bytes, which the games do not read.
    pub trailing: usize,
}

/// Reads the compiled description `bytes` of `catalog`'s game, written by a machine of `abi`. Spans refer to `file`.
///
/// # Errors
/// [`Code::Damaged`](splc_ir::diagnostic::Code::Damaged) with the offset of the first invalid byte;
/// [`Code::Target`](splc_ir::diagnostic::Code::Target) if the game is not known on this ABI.
pub fn read(bytes: &[u8], file: FileId, catalog: &Catalog, abi: &Abi) -> Result<DungeonFile, Diagnostic> {
    let read = |charset| Reader { bytes: LevelBytes::new(bytes, file, abi), catalog, charset, foreign: false }.file();
    let (read_as_utf8, foreign) = read(Charset::Utf8)?;
    if foreign { read(Charset::Latin1).map(|(read, _)| read) } else { Ok(read_as_utf8) }
}

struct Reader<'a> {
    bytes: LevelBytes<'a>,
    catalog: &'a Catalog,
    charset: Charset,
    /// True if a string is not valid in the charset.
    foreign: bool,
}

impl Reader<'_> {
    fn file(mut self) -> Result<(DungeonFile, bool), Diagnostic> {
        let header = self.bytes.header(self.catalog)?;
        let rules = &self.catalog.dungeon;
        let start = self.bytes.at;
        let count = self.count("dungeons", rules.dungeons)?;
        if count == 0 {
            return Err(self.bytes.damaged(start, "no dungeon in this file".to_owned()));
        }
        let mut dungeons = Vec::with_capacity(count);
        let mut levels = 0;
        for _ in 0..count {
            let dungeon = self.dungeon(levels)?;
            levels += dungeon.levels().count();
            dungeons.push(dungeon);
        }
        let description = Description { charset: self.charset, dungeons };
        Ok((DungeonFile { header, description, trailing: self.bytes.left() }, self.foreign))
    }

    /// Reads a count of at most `most`.
    fn count(&mut self, what: &str, most: i32) -> Result<usize, Diagnostic> {
        let start = self.bytes.at;
        let count = self.bytes.int(&format!("the number of {what}"))?;
        let fits = usize::try_from(count).ok().filter(|_| count <= most);
        fits.ok_or_else(|| {
            let message = format!("the file declares {count} {what}, but {} allows at most {most}", self.catalog.title);
            self.bytes.damaged(start, message)
        })
    }

    fn name(&mut self, what: &str) -> Result<Spanned<Text>, Diagnostic> {
        let start = self.bytes.at;
        let field = self.bytes.take(self.catalog.dungeon.name as usize, what)?;
        let Some(length) = field.iter().position(|&byte| byte == 0) else {
            return Err(self
                .bytes
                .damaged(start, format!("{what} is not terminated within its {} bytes", field.len())));
        };
        let text = self.text(&field[..length]);
        Ok(Spanned::new(text, self.bytes.span(start)))
    }

    fn text(&mut self, bytes: &[u8]) -> Text {
        match (self.charset, std::str::from_utf8(bytes)) {
            (Charset::Utf8, Ok(text)) => text.into(),
            _ => {
                self.foreign |= self.charset == Charset::Utf8;
                bytes.iter().map(|&byte| char::from(byte)).collect()
            }
        }
    }

    /// Returns names that leave their ends after the last name in the field of a prototype, the longest first. Their
    /// beginnings were overwritten, and are filled with an `x`.
    fn overwritten(&mut self, field: &[u8]) -> Vec<Text> {
        let end = field.iter().rposition(|&byte| byte != 0).map_or(0, |last| last + 1);
        let ends = (0..field.len()).filter(|&at| field[at] == 0).take_while(|&at| at <= end);
        let ends: Vec<usize> = ends.collect();
        let name = |pair: &[usize]| [vec![b'x'; pair[0] + 1], field[pair[0] + 1..pair[1]].to_vec()].concat();
        ends.windows(2).rev().map(|pair| self.text(&name(pair))).collect()
    }

    fn range(&mut self) -> Result<Range, Diagnostic> {
        let start = self.bytes.at;
        let field = self.bytes.take(4, "a place")?;
        let half = |at| i32::from(self.bytes.abi.short(field, at).unwrap_or_default());
        let (base, random) = (half(0), half(2));
        Ok(Range { span: self.bytes.span(start), base, random })
    }

    fn bones(&mut self) -> Result<Spanned<Bones>, Diagnostic> {
        let start = self.bytes.at;
        let byte = self.bytes.byte("a bones marker")?;
        self.foreign |= self.charset == Charset::Utf8 && !byte.is_ascii();
        let bones = (byte != 0).then_some(char::from(byte));
        let span = self.bytes.span(start);
        let alignment = self.bytes.abi.alignment.min(splc_ir::abi::INT);
        // The marker is the last field of a structure, padded to this alignment.
        self.bytes.take(alignment - 1, "a bones marker")?;
        Ok(Spanned::new(bones, span))
    }

    fn traits(&mut self) -> Result<Vec<Trait>, Diagnostic> {
        let start = self.bytes.at;
        let bits = self.bytes.int("a description")?;
        let (traits, known) = self.catalog.dungeon.traits_of(bits);
        if known != bits {
            return Err(self.bytes.damaged(start, format!("unknown bits in the description {bits:#x}")));
        }
        Ok(traits)
    }

    fn dungeon(&mut self, earlier: usize) -> Result<Dungeon, Diagnostic> {
        let start = self.bytes.at;
        let rules = &self.catalog.dungeon;
        let name = self.name("the name of a dungeon")?;
        let field = self.bytes.at..self.bytes.at + rules.name as usize;
        let prototype = self.name("the name of a prototype")?;
        let field = self.bytes.bytes.get(field).unwrap_or(&[]);
        let overwritten = self.overwritten(field);
        let size = self.range()?;
        let (mut traits, mut chance, mut levels, mut branches, mut entry) = (Vec::new(), 0, 0, 0, 0);
        for number in rules.numbers_of_dungeons() {
            match number {
                DungeonNumber::Flags => traits = self.traits()?,
                DungeonNumber::Chance => chance = self.bytes.int("the chance of a dungeon")?,
                DungeonNumber::Levels => levels = self.count("levels", rules.levels - earlier as i32)?,
                DungeonNumber::Branches => branches = self.count("branches", rules.branches)?,
                DungeonNumber::Entry => entry = self.bytes.int("the entry of a dungeon")?,
                // It follows from the names.
                _ => _ = self.bytes.int("a number of a dungeon")?,
            }
        }
        let bones = self.bones()?;
        let span = self.bytes.span(start);
        let mut dungeon = Dungeon {
            span,
            name,
            bones,
            size,
            chance,
            entry,
            prototype,
            overwritten,
            lua: Default::default(),
            traits,
            items: Vec::new(),
        };
        for _ in 0..levels {
            let level = self.level(&dungeon, earlier)?;
            dungeon.items.push(Item::Level(level));
        }
        for _ in 0..branches {
            let branch = self.branch(&dungeon, earlier)?;
            dungeon.items.push(Item::Branch(branch));
        }
        Ok(dungeon)
    }

    fn level(&mut self, dungeon: &Dungeon, earlier: usize) -> Result<Level, Diagnostic> {
        let start = self.bytes.at;
        let name = self.name("the name of a level")?;
        let place = self.range()?;
        let chance = self.bytes.int("the chance of a level")?;
        let variants = self.bytes.int("the number of variants")?;
        let chain = self.chain(dungeon, |name| dungeon.level_chained(name), earlier)?;
        let traits = self.traits()?;
        let bones = self.bones()?;
        Ok(Level { span: self.bytes.span(start), name, bones, chain, place, chance, variants, traits })
    }

    fn branch(&mut self, dungeon: &Dungeon, earlier: usize) -> Result<Branch, Diagnostic> {
        let start = self.bytes.at;
        let target = self.name("the name of a dungeon")?;
        let place = self.range()?;
        let (mut chain, mut connection, mut direction, mut entry) = Default::default();
        for number in self.catalog.dungeon.numbers_of_branches() {
            match number {
                DungeonNumber::Chain => chain = self.chain(dungeon, |name| dungeon.branch_chained(name), earlier)?,
                DungeonNumber::Connection => connection = self.choice(Connection::ALL, "type of branch")?,
                DungeonNumber::Direction => {
                    direction = self.choice(&[Direction::Down, Direction::Up], "direction")?;
                }
                DungeonNumber::Entry => entry = self.bytes.int("the entry of a branch")?,
                _ => _ = self.bytes.int("a number of a branch")?,
            }
        }
        Ok(Branch { span: self.bytes.span(start), target, chain, place, connection, direction, entry })
    }

    fn choice<T: Copy>(&mut self, known: &[T], what: &str) -> Result<T, Diagnostic> {
        let start = self.bytes.at;
        let number = self.bytes.int(&format!("the {what} of a branch"))?;
        let chosen = usize::try_from(number).ok().and_then(|at| known.get(at).copied());
        chosen.ok_or_else(|| self.bytes.damaged(start, format!("{number} is not a valid {what}")))
    }

    /// Reads the level that something is chained to. The file has its number among the levels of all dungeons.
    fn chain(
        &mut self,
        dungeon: &Dungeon,
        find: impl Fn(&str) -> Option<usize>,
        earlier: usize,
    ) -> Result<Option<Spanned<Text>>, Diagnostic> {
        let start = self.bytes.at;
        let number = self.bytes.int("a chain")?;
        if number == -1 {
            return Ok(None);
        }
        let within = usize::try_from(number).ok().and_then(|number| number.checked_sub(earlier));
        let name = within.and_then(|at| {
            let level: &Level = dungeon.levels().nth(at)?;
            // A description refers to the level by name, which means the first level of that name.
            (find(&level.name.node) == Some(at)).then(|| level.name.node.clone())
        });
        match name {
            Some(name) if !name.is_empty() => Ok(Some(Spanned::new(name, self.bytes.span(start)))),
            _ => {
                let message =
                    format!("the chain refers to level {number}, which is not an earlier level of this dungeon");
                Err(self.bytes.damaged(start, message))
            }
        }
    }
}
