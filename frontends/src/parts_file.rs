//! Reads compiled level files of NetHack 3.4.3: a version header, then C structures as the machine's compiler lays them
//! out, list after list (`src/sp_lev.c`, `load_maze` and `load_rooms`).
//!
//! What the structures hold, how they lie and which list follows which is said once, in [`splc_ir::parts`], for those
//! who write level files, too. Nothing in the file says which list is which or where it ends, so one wrong byte makes
//! sense of nothing behind it.
//!
//! The bytes are untrusted: whatever they are, the answer is a level or a [`Diagnostic`] with the offset. A level takes
//! memory in proportion to its file.

use splc_ir::abi::Abi;
use splc_ir::catalog::{Catalog, Format};
use splc_ir::diagnostic::{Code, Diagnostic};
use splc_ir::parts::{
    Body, FieldKind, FieldSource, Grid, Init, Layout, List, ListGiver, MAZE, Maze, Part, PartsLevel, ROOMS, Room,
    Rooms, Structure,
};
use splc_ir::source::{Charset, FileId, Span, Spanned, Text};

/// What a level file holds.
#[derive(Clone, Debug, PartialEq)]
pub struct LevelFile {
    /// The unsigned longs at its head.
    pub header: Vec<u64>,
    /// Its level; the span of every thing is the range of its bytes in the file.
    pub level: PartsLevel,
    /// Bytes behind the level. The game reads none of them; its compiler leaves some when a shorter level is written
    /// over a longer one.
    pub trailing: usize,
}

/// Reads the level file `bytes` of `catalog`'s game as a machine of `abi` wrote it.
///
/// `name` becomes the level's name, since the file does not hold it (the game knows it by its file name), and `file` is
/// what the spans refer to.
///
/// # Errors
/// [`Code::Damaged`] at the first byte that the game's loader would stumble over, or that no level compiler writes;
/// [`Code::Target`] if the game's level files are of another kind or not made for this ABI.
pub fn read(bytes: &[u8], name: &str, file: FileId, catalog: &Catalog, abi: &Abi) -> Result<LevelFile, Diagnostic> {
    if catalog.format != Format::Parts {
        let message = format!("level files of {} are lists of opcodes", catalog.title);
        return Err(Diagnostic::new(Code::Target, None, message));
    }
    let known = catalog.header(abi.name).ok_or_else(|| {
        let message = format!("{} is not known on {} ({})", catalog.title, abi.name, abi.machine);
        Diagnostic::new(Code::Target, None, message)
    })?;
    let mut reader = Reader { bytes, at: 0, file, abi, charset: Charset::Utf8, only_utf8: true };
    let header = reader.header(known, catalog)?;
    let start = reader.at;
    let mut level = reader.level(name, catalog)?;
    if !reader.only_utf8 {
        // One text that is none in UTF-8 tells the encoding of all.
        reader = Reader { at: start, charset: Charset::Latin1, ..reader };
        level = reader.level(name, catalog)?;
    }
    Ok(LevelFile { header, level, trailing: bytes.len() - reader.at })
}

struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
    file: FileId,
    abi: &'a Abi,
    charset: Charset,
    /// Whether all texts so far were UTF-8.
    only_utf8: bool,
}

impl<'a> Reader<'a> {
    fn span(&self, start: usize) -> Span {
        Span::new(self.file, start, self.at.max(start))
    }

    fn damaged(&self, at: usize, message: String) -> Diagnostic {
        Diagnostic::new(Code::Damaged, self.span(at), format!("byte {at}: {message}"))
    }

    /// So many bytes.
    fn take(&mut self, count: usize, what: &str) -> Result<&'a [u8], Diagnostic> {
        let taken = self.at.checked_add(count).and_then(|end| self.bytes.get(self.at..end));
        let taken = taken.ok_or_else(|| self.damaged(self.at, format!("the file ends within {what}")))?;
        self.at += count;
        Ok(taken)
    }

    fn byte(&mut self, what: &str) -> Result<u8, Diagnostic> {
        Ok(self.take(1, what)?[0])
    }

    fn long(&mut self, what: &str) -> Result<i64, Diagnostic> {
        let start = self.at;
        self.take(self.abi.long, what)?;
        Ok(self.abi.long(self.bytes, start).unwrap_or_default())
    }

    /// A text of `length` bytes; `start` is where the file says how long it is.
    fn text(&mut self, length: i32, start: usize) -> Result<Text, Diagnostic> {
        let left = self.bytes.len() - self.at;
        let Some(length) = usize::try_from(length).ok().filter(|&length| length <= left) else {
            let message = format!("a text of {length} bytes is announced where the file has {left} left");
            return Err(self.damaged(start, message));
        };
        let bytes = self.take(length, "a text")?;
        Ok(match std::str::from_utf8(bytes) {
            Ok(text) if self.charset == Charset::Utf8 => text.into(),
            decoded => {
                self.only_utf8 &= decoded.is_ok();
                bytes.iter().map(|&byte| char::from(byte)).collect()
            }
        })
    }

    fn header(&mut self, known: &[u64], catalog: &Catalog) -> Result<Vec<u64>, Diagnostic> {
        let mut header = Vec::with_capacity(known.len());
        for (index, &expected) in known.iter().enumerate() {
            let start = self.at;
            let long = self.long("the version header")?;
            let long = if self.abi.long == 4 { u64::from(long as u32) } else { long as u64 };
            // The other longs differ between builds of one game; the first is its version.
            if index == 0 && long != expected {
                let message = format!("the file says version {long:#010x}, {} is {expected:#010x}", catalog.title);
                let help = "name the game, and the machine, that the file was made for";
                return Err(self.damaged(start, message).with_help(help));
            }
            header.push(long);
        }
        Ok(header)
    }

    fn level(&mut self, name: &str, catalog: &Catalog) -> Result<PartsLevel, Diagnostic> {
        let start = self.at;
        let kind = self.byte("the kind of the level")?;
        if ![MAZE, ROOMS].contains(&kind) {
            return Err(self.damaged(start, format!("there is no kind {kind} of levels in {}", catalog.title)));
        }
        let init: Spanned<Init> = self.structure("the initial map")?;
        let start = self.at;
        let flags = self.long("the flags")?;
        let flags = i32::try_from(flags).map_err(|_| self.damaged(start, format!("there are no flags {flags:#x}")))?;
        let start = self.at;
        let length = self.byte("the length of the message")?;
        let message = self.text(length.into(), start)?;
        let body = match kind {
            MAZE => Body::Maze(self.maze(init.node.present != 0)?),
            _ => Body::Rooms(self.rooms()?),
        };
        Ok(PartsLevel { name: name.into(), charset: self.charset, init, flags, message, body })
    }

    fn maze(&mut self, filled_before: bool) -> Result<Maze, Diagnostic> {
        let filling = self.byte("the filling of the maze")? as i8;
        let count = self.byte("the number of parts")?;
        let parts = (0..count).map(|_| self.part(filled_before)).collect::<Result<_, _>>()?;
        Ok(Maze { filling, parts })
    }

    fn part(&mut self, filled_before: bool) -> Result<Part, Diagnostic> {
        let start = self.at;
        let horizontal = self.byte("a part")? as i8;
        let vertical = self.byte("a part")? as i8;
        let map = self.map(filled_before)?;
        let mut part = Part { horizontal, vertical, map, span: self.span(start), ..Part::default() };
        part.take_lists(self)?;
        Ok(part)
    }

    /// A map. One of a single square is left out where INIT_MAP has filled the level: it stands for none.
    fn map(&mut self, filled_before: bool) -> Result<Grid, Diagnostic> {
        let start = self.at;
        let width = usize::from(self.byte("the size of a map")?);
        let height = usize::from(self.byte("the size of a map")?);
        let left = self.bytes.len() - self.at;
        let squares = if filled_before && width <= 1 && height <= 1 {
            vec![0; width * height]
        } else if width * height <= left {
            self.take(width * height, "a map")?.to_vec()
        } else {
            let message = format!("a map of {width} by {height} is announced where the file has {left} bytes left");
            return Err(self.damaged(start, message));
        };
        Ok(Grid { width, height, squares })
    }

    fn rooms(&mut self) -> Result<Rooms, Diagnostic> {
        let object_registers = self.registers("object")?;
        let monster_registers = self.registers("monster")?;
        let count = self.byte("the number of rooms")?;
        let rooms = (0..count).map(|_| self.room()).collect::<Result<_, _>>()?;
        Ok(Rooms { object_registers, monster_registers, rooms, corridors: self.list("corridor")? })
    }

    fn room(&mut self) -> Result<Room, Diagnostic> {
        let start = self.at;
        let name = self.room_name()?;
        let parent = self.room_name()?;
        let header = self.structure("a room")?.node;
        let mut room = Room { name, parent, header, span: self.span(start), ..Room::default() };
        room.take_lists(self)?;
        Ok(room)
    }

    fn room_name(&mut self) -> Result<Option<Text>, Diagnostic> {
        let start = self.at;
        self.take(2, "the name of a room")?;
        let length = self.abi.short(self.bytes, start).unwrap_or_default();
        let name = self.text(length.into(), start)?;
        Ok((!name.is_empty()).then_some(name))
    }

    /// A structure and the texts that belong to it.
    fn structure<S: Structure>(&mut self, what: &str) -> Result<Spanned<S>, Diagnostic> {
        let start = self.at;
        let mut layout = Layout::new(self.abi);
        for &(_, kind) in S::FIELDS {
            layout.field(kind);
        }
        self.take(layout.size(), what)?;
        let mut fields = Fields { start, layout: Layout::new(self.abi), reader: self };
        let node = S::read(&mut fields)?;
        Ok(Spanned::new(node, self.span(start)))
    }
}

/// The fields of a structure that is there in full; its texts are read behind it.
struct Fields<'a, 'b> {
    start: usize,
    layout: Layout<'b>,
    reader: &'a mut Reader<'b>,
}

impl FieldSource for Fields<'_, '_> {
    type Error = Diagnostic;

    fn char(&mut self) -> Result<i8, Diagnostic> {
        let at = self.field(FieldKind::Char);
        Ok(self.reader.bytes.get(at).map_or(0, |&byte| byte as i8))
    }

    fn short(&mut self) -> Result<i16, Diagnostic> {
        let at = self.field(FieldKind::Short);
        Ok(self.reader.abi.short(self.reader.bytes, at).unwrap_or_default())
    }

    fn int(&mut self) -> Result<i32, Diagnostic> {
        let at = self.field(FieldKind::Int);
        Ok(self.reader.abi.int(self.reader.bytes, at).unwrap_or_default())
    }

    fn text(&mut self) -> Result<Option<Text>, Diagnostic> {
        let at = self.field(FieldKind::TextLength);
        let length = self.reader.abi.int(self.reader.bytes, at).unwrap_or_default();
        let text = self.reader.text(length, at)?;
        Ok((!text.is_empty()).then_some(text))
    }
}

impl Fields<'_, '_> {
    /// Where the next field lies in the file.
    fn field(&mut self, kind: FieldKind) -> usize {
        self.start + self.layout.field(kind)
    }
}

impl ListGiver for Reader<'_> {
    type Error = Diagnostic;

    fn list<S: Structure>(&mut self, name: &'static str) -> Result<List<S>, Diagnostic> {
        let count = self.byte(&format!("the number of things ({name})"))?;
        (0..count).map(|_| self.structure(name)).collect()
    }

    fn registers(&mut self, name: &'static str) -> Result<Vec<i8>, Diagnostic> {
        let what = format!("the registers ({name})");
        let count = self.byte(&what)?;
        Ok(self.take(count.into(), &what)?.iter().map(|&byte| byte as i8).collect())
    }

    /// All columns, and behind them all rows.
    fn places(&mut self, name: &'static str) -> Result<Vec<(i8, i8)>, Diagnostic> {
        let what = format!("the registers ({name})");
        let count = usize::from(self.byte(&what)?);
        let (columns, rows) = self.take(2 * count, &what)?.split_at(count);
        Ok(columns.iter().zip(rows).map(|(&x, &y)| (x as i8, y as i8)).collect())
    }
}
