//! Reader for compiled level files of NetHack 3.4.3: a version header, then C structures in the layout of the machine's
//! compiler, list after list (`src/sp_lev.c`, `load_maze` and `load_rooms`).
//!
//! [`splc_ir::parts`] defines the fields of the structures, their layout and the order of the lists, for readers and
//! writers alike. The file has no markers for its lists or their ends, so a single wrong byte makes the rest of it
//! meaningless.
//!
//! The bytes are untrusted: any input results in a level, or in a [`Diagnostic`] with the offset. A level takes memory
//! in proportion to its file.

use splc_ir::abi::Abi;
use splc_ir::catalog::{Catalog, Format};
use splc_ir::diagnostic::{Code, Diagnostic};
use splc_ir::parts::{
    Body, FieldKind, FieldSource, Grid, Init, Layout, Layouts, List, ListGiver, MAZE, Maze, Part, PartsLevel,
    PlaceRegisters, ROOMS, Room, Rooms, Structure,
};
use splc_ir::source::{Charset, FileId, Spanned, Text};

use crate::level_bytes::{LevelBytes, decode};

/// The content of a level file.
#[derive(Clone, Debug, PartialEq)]
pub struct LevelFile {
    /// The unsigned longs of its header.
    pub header: Vec<u64>,
    /// Its level. The span of each thing is the range of its bytes in the file.
    pub level: PartsLevel,
    /// The number of bytes after the level. The game does not read them; its compiler leaves some if a shorter level is
    /// written over a longer one.
    pub trailing: usize,
}

/// Reads the level file `bytes` of `catalog`'s game, written by a machine of `abi`.
///
/// `name` becomes the level's name, because the file does not contain it (the game knows it by its file name). Spans
/// refer to `file`.
///
/// # Errors
/// [`Code::Damaged`] at the first byte that the game's loader would reject, or that no level compiler writes;
/// [`Code::Target`] if the game's level files have another format or do not exist for this ABI.
pub fn read(bytes: &[u8], name: &str, file: FileId, catalog: &Catalog, abi: &Abi) -> Result<LevelFile, Diagnostic> {
    if catalog.format != Format::Parts {
        let message = format!("level files of {} are lists of opcodes", catalog.title);
        return Err(Diagnostic::new(Code::Target, None, message));
    }
    let input = LevelBytes::new(bytes, file, abi);
    let (layouts, own_lists) = (Layouts::of(catalog), catalog.place_statements.len());
    let mut reader = Reader { input, charset: Charset::Utf8, only_utf8: true, layouts, own_lists, inside: "" };
    let header = reader.input.header(catalog)?;
    let start = reader.input.at;
    let mut level = reader.level(name, catalog)?;
    if !reader.only_utf8 {
        // A single string that is not UTF-8 determines the encoding of all.
        reader.input.at = start;
        reader.charset = Charset::Latin1;
        level = reader.level(name, catalog)?;
    }
    Ok(LevelFile { header, level, trailing: reader.input.left() })
}

struct Reader<'a> {
    input: LevelBytes<'a>,
    charset: Charset,
    /// True if all strings so far were UTF-8.
    only_utf8: bool,
    layouts: Layouts,
    /// The number of variant-specific place lists of a part or room.
    own_lists: usize,
    /// The structure whose lists are read: `part` or `room`.
    inside: &'static str,
}

impl Reader<'_> {
    /// Reads a string of `length` bytes. The length was read at `start`.
    fn text(&mut self, length: i32, start: usize) -> Result<Text, Diagnostic> {
        let bytes = self.input.text(length, start)?;
        self.only_utf8 &= std::str::from_utf8(bytes).is_ok();
        Ok(decode(bytes, self.charset))
    }

    fn level(&mut self, name: &str, catalog: &Catalog) -> Result<PartsLevel, Diagnostic> {
        let start = self.input.at;
        let kind = self.input.byte("the level type")?;
        if ![MAZE, ROOMS].contains(&kind) {
            return Err(self.input.damaged(start, format!("level type {kind} does not exist in {}", catalog.title)));
        }
        let init: Spanned<Init> = self.structure("the initial map")?;
        let start = self.input.at;
        let flags = self.input.long("the flags")?;
        let flags = i32::try_from(flags).map_err(|_| self.input.damaged(start, format!("unknown flags {flags:#x}")))?;
        let start = self.input.at;
        let length = self.input.byte("the length of the message")?;
        let message = self.text(length.into(), start)?;
        let mut hallucination = Text::default();
        if self.layouts.hallucination {
            let start = self.input.at;
            let length = self.input.byte("the length of the hallucination message")?;
            hallucination = self.text(length.into(), start)?;
        }
        let body = match kind {
            MAZE => Body::Maze(self.maze(init.node.present != 0)?),
            _ => Body::Rooms(self.rooms()?),
        };
        Ok(PartsLevel { name: name.into(), charset: self.charset, init, flags, message, hallucination, body })
    }

    fn maze(&mut self, filled_before: bool) -> Result<Maze, Diagnostic> {
        let filling = self.input.byte("the filling of the maze")? as i8;
        let count = self.input.byte("the number of parts")?;
        let parts = (0..count).map(|_| self.part(filled_before)).collect::<Result<_, _>>()?;
        Ok(Maze { filling, parts })
    }

    fn part(&mut self, filled_before: bool) -> Result<Part, Diagnostic> {
        let start = self.input.at;
        let horizontal = self.input.byte("a part")? as i8;
        let vertical = self.input.byte("a part")? as i8;
        let map = self.map(filled_before)?;
        let mut part = Part { horizontal, vertical, map, span: self.input.span(start), ..Part::default() };
        self.inside = "part";
        part.take_lists(self)?;
        Ok(part)
    }

    /// Reads a map. A map of a single square is not stored if INIT_MAP has filled the level: it represents no map.
    fn map(&mut self, filled_before: bool) -> Result<Grid, Diagnostic> {
        let start = self.input.at;
        let width = usize::from(self.input.byte("the size of a map")?);
        let height = usize::from(self.input.byte("the size of a map")?);
        let left = self.input.left();
        let squares = if filled_before && width <= 1 && height <= 1 {
            vec![0; width * height]
        } else if width * height <= left {
            self.input.take(width * height, "a map")?.to_vec()
        } else {
            let message = format!("the map is {width} by {height}, but the file has {left} bytes left");
            return Err(self.input.damaged(start, message));
        };
        Ok(Grid { width, height, squares })
    }

    fn rooms(&mut self) -> Result<Rooms, Diagnostic> {
        let object_registers = self.registers("object")?;
        let monster_registers = self.registers("monster")?;
        let count = self.input.byte("the number of rooms")?;
        let rooms = (0..count).map(|_| self.room()).collect::<Result<_, _>>()?;
        Ok(Rooms { object_registers, monster_registers, rooms, corridors: self.list("corridor")? })
    }

    fn room(&mut self) -> Result<Room, Diagnostic> {
        let start = self.input.at;
        let name = self.room_name()?;
        let parent = self.room_name()?;
        let header = self.structure("a room")?.node;
        let mut room = Room { name, parent, header, span: self.input.span(start), ..Room::default() };
        self.inside = "room";
        room.take_lists(self)?;
        self.inside = "";
        Ok(room)
    }

    fn room_name(&mut self) -> Result<Option<Text>, Diagnostic> {
        let start = self.input.at;
        self.input.take(2, "the name of a room")?;
        let length = self.input.abi.short(self.input.bytes, start).unwrap_or_default();
        let name = self.text(length.into(), start)?;
        Ok((!name.is_empty()).then_some(name))
    }

    /// Reads a structure and the strings that belong to it.
    fn structure<S: Structure>(&mut self, what: &str) -> Result<Spanned<S>, Diagnostic> {
        let start = self.input.at;
        let mut layout = Layout::new(self.input.abi);
        let mut places = vec![None; S::FIELDS.len() + S::MORE.len()];
        for (at, kind) in self.layouts.fields::<S>() {
            let offset = layout.field(kind);
            if let Some(place) = at.and_then(|at| places.get_mut(at)) {
                *place = Some((start + offset, kind));
            }
        }
        self.input.take(layout.size(), what)?;
        let place = self.layouts.place::<S>();
        let mut fields = Fields { places, at: 0, place, reader: self };
        let node = S::read(&mut fields)?;
        Ok(Spanned::new(node, self.input.span(start)))
    }
}

/// The fields of a structure. The structure was read completely; its strings follow it in the file.
struct Fields<'a, 'b> {
    /// The offset and type of each field in the file, or `None` if the game's structure lacks it.
    places: Vec<Option<(usize, FieldKind)>>,
    /// The index of the next field.
    at: usize,
    /// The index of the column field of a place with its own encoding. The row is the next field.
    place: Option<usize>,
    reader: &'a mut Reader<'b>,
}

impl FieldSource for Fields<'_, '_> {
    type Error = Diagnostic;

    fn char(&mut self) -> Result<i8, Diagnostic> {
        let at = self.at;
        let number = self.number() as i8;
        match self.place {
            Some(place) if place == at => {
                let row = self.number_at(at + 1) as i8;
                Ok(self.reader.layouts.read(number, row).0)
            }
            Some(place) if place + 1 == at => {
                let column = self.number_at(place) as i8;
                Ok(self.reader.layouts.read(column, number).1)
            }
            _ => Ok(number),
        }
    }

    fn short(&mut self) -> Result<i16, Diagnostic> {
        Ok(self.number() as i16)
    }

    fn int(&mut self) -> Result<i32, Diagnostic> {
        Ok(self.number() as i32)
    }

    fn text(&mut self) -> Result<Option<Text>, Diagnostic> {
        let start = self.places.get(self.at).copied().flatten().map_or(self.reader.input.at, |(start, _)| start);
        let length = self.number() as i32;
        let text = self.reader.text(length, start)?;
        Ok((!text.is_empty()).then_some(text))
    }
}

impl Fields<'_, '_> {
    /// Returns the value of the next field.
    fn number(&mut self) -> i64 {
        self.at += 1;
        self.number_at(self.at - 1)
    }

    /// Returns the value of the field with this index, or 0 if it does not exist.
    fn number_at(&self, at: usize) -> i64 {
        let Some((start, kind)) = self.places.get(at).copied().flatten() else { return 0 };
        let (abi, bytes) = (self.reader.input.abi, self.reader.input.bytes);
        match kind {
            FieldKind::Char => bytes.get(start).map_or(0, |&byte| i64::from(byte as i8)),
            FieldKind::Short => abi.short(bytes, start).map_or(0, i64::from),
            FieldKind::Int | FieldKind::TextLength => abi.int(bytes, start).map_or(0, i64::from),
            FieldKind::Long => abi.long(bytes, start).unwrap_or(0),
        }
    }
}

impl ListGiver for Reader<'_> {
    type Error = Diagnostic;

    fn list<S: Structure>(&mut self, name: &'static str) -> Result<List<S>, Diagnostic> {
        // Some games lack this list.
        if name == "random region" && !self.layouts.random_regions {
            return Ok(List::new());
        }
        let count = self.input.byte(&format!("the number of things ({name})"))?;
        let list = (0..count).map(|_| self.structure(name)).collect();
        for _ in 0..self.layouts.empty_after(self.inside, name) {
            let start = self.input.at;
            if self.input.byte("the number of things")? != 0 {
                let message = format!("the list after the list of things ({name}) is not empty: splc cannot read it");
                return Err(self.input.damaged(start, message));
            }
        }
        list
    }

    fn lists<S: Structure>(&mut self, name: &'static str) -> Result<Vec<List<S>>, Diagnostic> {
        (0..self.own_lists).map(|_| self.list(name)).collect()
    }

    fn registers(&mut self, name: &'static str) -> Result<Vec<i8>, Diagnostic> {
        let what = format!("the registers ({name})");
        let count = self.input.byte(&what)?;
        Ok(self.input.take(count.into(), &what)?.iter().map(|&byte| byte as i8).collect())
    }

    /// Reads the number of registers in each list, then for each list all columns followed by all rows.
    fn places(&mut self, name: &'static str) -> Result<PlaceRegisters, Diagnostic> {
        let what = format!("the registers ({name})");
        let lists = if self.layouts.place_lists { usize::from(self.input.byte(&what)?) } else { 1 };
        let counts = self.input.take(lists, &what)?;
        let mut lists = counts.iter().map(|&count| {
            let count = usize::from(count);
            let (columns, rows) = self.input.take(2 * count, &what)?.split_at(count);
            Ok(columns.iter().zip(rows).map(|(&x, &y)| (x as i8, y as i8)).collect())
        });
        let first = lists.next().transpose()?.unwrap_or_default();
        Ok(PlaceRegisters { first, others: lists.collect::<Result<_, _>>()? })
    }
}
