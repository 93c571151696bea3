//! The file `dungeon`, which a game reads at startup.
//!
//! It is a dump of C structures (`include/dgn_file.h`, `output_dgn` in `util/dgn_comp.y`): the version header, the
//! number of dungeons as an `int`, and for each dungeon its structure, then those of its levels, then those of its
//! branches. A structure ends with the character of a bones marker and padding to align the next structure.

use splc_ir::abi::{Abi, INT};
use splc_ir::catalog::Catalog;
use splc_ir::diagnostic::{Code, Diagnostic};
use splc_ir::dungeon::check::unknown_trait;
use splc_ir::dungeon::{Bones, Branch, Description, Dungeon, DungeonNumber, Level, Range, Rules, Trait};
use splc_ir::source::{Charset, Span, Spanned, Text};

/// Encodes `description` for the game of `catalog` on a machine with `abi`. `header` is the version header, one number
/// for each `unsigned long`. A description without dungeons results in an empty file, as with the games' own compiler.
///
/// # Errors
/// [`Code::DungeonName`] and [`Code::Chain`] for problems that a [checked](splc_ir::dungeon::check) description does
/// not have.
pub fn encode(description: &Description, catalog: &Catalog, abi: &Abi, header: &[u64]) -> Result<Vec<u8>, Diagnostic> {
    let mut out = Writer { bytes: Vec::new(), abi, charset: description.charset, catalog };
    if let Some(reason) = catalog.dungeon.unverified.first() {
        let message = format!("splc cannot vouch for the file dungeon of {}: {reason}", catalog.title);
        let help = "compile it with the game's own dgn_comp";
        return Err(Diagnostic::new(Code::Target, None, message).with_help(help));
    }
    if description.dungeons.is_empty() {
        return Ok(out.bytes);
    }
    for &long in header {
        abi.put_long(&mut out.bytes, long as i64);
    }
    abi.put_int(&mut out.bytes, description.dungeons.len() as i32);
    let mut earlier = 0;
    for dungeon in &description.dungeons {
        out.dungeon(dungeon, earlier, description)?;
        earlier += dungeon.levels().count();
    }
    Ok(out.bytes)
}

struct Writer<'a> {
    bytes: Vec<u8>,
    abi: &'a Abi,
    charset: Charset,
    catalog: &'a Catalog,
}

impl Writer<'_> {
    fn rules(&self) -> &Rules {
        &self.catalog.dungeon
    }

    fn int(&mut self, number: i32) {
        self.abi.put_int(&mut self.bytes, number);
    }

    /// Writes the bits of `traits`, those of a part at `span`.
    fn traits(&mut self, traits: &[Trait], span: Span) -> Result<(), Diagnostic> {
        let mut bits = 0;
        for one in traits {
            bits |= self.rules().bit(one).ok_or_else(|| unknown_trait(one, span, self.catalog))?;
        }
        self.int(bits);
        Ok(())
    }

    fn name(&mut self, name: &Spanned<Text>) -> Result<(), Diagnostic> {
        let space = self.rules().name as usize;
        let end = self.bytes.len() + space;
        self.charset.encode_into(&name.node, &mut self.bytes);
        if self.bytes.len() >= end {
            let message = format!("\"{}\" is longer than {} bytes", name.node, space - 1);
            return Err(Diagnostic::new(Code::DungeonName, name.span, message));
        }
        self.bytes.resize(end, 0);
        Ok(())
    }

    /// Restores the ends of longer `names` that were written at `start` before `last`.
    fn leave_the_ends_of(&mut self, names: &[Text], last: &Text, start: usize) {
        let mut field = Vec::new();
        for name in names.iter().chain([last]) {
            let mut written = Vec::new();
            self.charset.encode_into(name, &mut written);
            written.push(0);
            field.resize(field.len().max(written.len()), 0);
            field[..written.len()].copy_from_slice(&written);
        }
        field.truncate(self.rules().name as usize);
        self.bytes[start..start + field.len()].copy_from_slice(&field);
    }

    fn range(&mut self, range: Range) {
        // Numbers are truncated, as by the games' compiler.
        self.abi.put_short(&mut self.bytes, range.base as i16);
        self.abi.put_short(&mut self.bytes, range.random as i16);
    }

    fn bones(&mut self, bones: Bones) {
        self.bytes.push(bones.map_or(0, |letter| letter as u32 as u8));
        let padding = self.abi.alignment.min(INT) - 1;
        self.bytes.resize(self.bytes.len() + padding, 0);
    }

    /// Writes a dungeon of `description`. `earlier` is the number of levels of the dungeons before.
    fn dungeon(&mut self, dungeon: &Dungeon, earlier: usize, description: &Description) -> Result<(), Diagnostic> {
        self.name(&dungeon.name)?;
        let start = self.bytes.len();
        self.name(&dungeon.prototype)?;
        self.leave_the_ends_of(&dungeon.overwritten, &dungeon.prototype.node, start);
        self.range(dungeon.size);
        let catalog = self.catalog;
        for number in catalog.dungeon.numbers_of_dungeons() {
            match number {
                DungeonNumber::Flags => self.traits(&dungeon.traits, dungeon.span)?,
                DungeonNumber::Chance => self.int(dungeon.chance),
                DungeonNumber::Levels => self.int(dungeon.levels().count() as i32),
                DungeonNumber::Alternates => self.int(description.alternates(dungeon) as i32),
                DungeonNumber::Branches => self.int(dungeon.branches().count() as i32),
                DungeonNumber::Entry => self.int(dungeon.entry),
                DungeonNumber::Chain | DungeonNumber::Connection | DungeonNumber::Direction => self.int(0),
            }
        }
        self.bones(dungeon.bones.node);
        for level in dungeon.levels() {
            self.level(level, dungeon, earlier)?;
        }
        for branch in dungeon.branches() {
            self.branch(branch, dungeon, earlier)?;
        }
        Ok(())
    }

    /// Writes a chain. `find` returns the index of the target level by name, and `earlier` is the number of levels of
    /// the dungeons before.
    fn chain(
        &mut self,
        chain: Option<&Spanned<Text>>,
        find: impl Fn(&str) -> Option<usize>,
        earlier: usize,
    ) -> Result<(), Diagnostic> {
        let number = match chain.filter(|chain| !chain.node.is_empty()) {
            None => -1,
            Some(chain) => {
                let at = find(&chain.node).ok_or_else(|| {
                    let message = format!("this dungeon has no level named \"{}\"", chain.node);
                    Diagnostic::new(Code::Chain, chain.span, message)
                })?;
                (earlier + at) as i32
            }
        };
        self.int(number);
        Ok(())
    }

    fn level(&mut self, level: &Level, dungeon: &Dungeon, earlier: usize) -> Result<(), Diagnostic> {
        self.name(&level.name)?;
        self.range(level.place);
        self.int(level.chance);
        self.int(level.variants);
        self.chain(level.chain.as_ref(), |name| dungeon.level_chained(name), earlier)?;
        self.traits(&level.traits, level.span)?;
        self.bones(level.bones.node);
        Ok(())
    }

    fn branch(&mut self, branch: &Branch, dungeon: &Dungeon, earlier: usize) -> Result<(), Diagnostic> {
        self.name(&branch.target)?;
        self.range(branch.place);
        let catalog = self.catalog;
        for number in catalog.dungeon.numbers_of_branches() {
            match number {
                DungeonNumber::Chain => {
                    self.chain(branch.chain.as_ref(), |name| dungeon.branch_chained(name), earlier)?;
                }
                DungeonNumber::Connection => self.int(branch.connection as i32),
                DungeonNumber::Direction => self.int(branch.direction as i32),
                DungeonNumber::Entry => self.int(branch.entry),
                _ => self.int(0),
            }
        }
        Ok(())
    }
}
