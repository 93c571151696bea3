//! Writes level files of NetHack 3.4.3: the version header, followed by structures as the machine's C compiler lays
//! them out.
//!
//! The fields of the structures, their C layout and the order of lists are defined in [`splc_ir::parts`], which the
//! reader of level files shares. This module turns them into bytes, with zeros as padding.
//!
//! Source: NetHack 3.4.3, `util/lev_main.c` (`write_maze`, `write_rooms`).

use splc_ir::abi::{Abi, INT};
use splc_ir::parts::{
    Body, FieldKind, Grid, Layout, Layouts, List, ListTaker, MAZE, Maze, Part, PartsLevel, PlaceRegisters, ROOMS, Room,
    Rooms, Structure, Value,
};
use splc_ir::source::Charset;

/// Encodes the level file of `level` for a machine with `abi`, after the version header `header`.
pub fn encode(level: &PartsLevel, abi: &Abi, header: &[u64]) -> Vec<u8> {
    encode_as(level, Layouts::default(), abi, header)
}

/// Encodes the level file of `level` like [`encode`], with structures laid out according to `layouts`.
pub fn encode_as(level: &PartsLevel, layouts: Layouts, abi: &Abi, header: &[u64]) -> Vec<u8> {
    let are_plain = layouts.are_plain();
    let mut writer =
        Writer { abi, charset: level.charset, layouts, are_plain, inside: "", out: Vec::with_capacity(4096) };
    for &long in header {
        abi.put_long(&mut writer.out, long as i64);
    }
    writer.out.push(match level.body {
        Body::Maze(_) => MAZE,
        Body::Rooms(_) => ROOMS,
    });
    writer.structure(&level.init.node);
    abi.put_long(&mut writer.out, i64::from(level.flags));
    let message = writer.bytes(&level.message);
    writer.count(message.len());
    writer.out.extend(message);
    if writer.layouts.hallucination {
        let message = writer.bytes(&level.hallucination);
        writer.count(message.len());
        writer.out.extend(message);
    }
    match &level.body {
        Body::Maze(maze) => writer.maze(maze, level.init.node.present != 0),
        Body::Rooms(rooms) => writer.rooms(rooms),
    }
    writer.out
}

struct Writer<'a> {
    abi: &'a Abi,
    charset: Charset,
    layouts: Layouts,
    are_plain: bool,
    /// The structure whose lists are written: `part` or `room`.
    inside: &'static str,
    out: Vec<u8>,
}

impl Writer<'_> {
    fn bytes(&self, text: &str) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(text.len());
        self.charset.encode_into(text, &mut bytes);
        bytes
    }

    /// Writes zeros up to the offset `end`: fewer than eight.
    fn pad(&mut self, end: usize) {
        while self.out.len() < end {
            self.out.push(0);
        }
    }

    /// Writes a count in one byte. The checks ensure that it fits.
    fn count(&mut self, count: usize) {
        self.out.push(count as u8);
    }

    /// Writes a structure and its texts.
    fn structure<S: Structure>(&mut self, structure: &S) {
        if !self.are_plain {
            return self.own_structure(structure);
        }
        let (start, abi, charset) = (self.out.len(), self.abi, self.charset);
        self.out.reserve(S::FIELDS.len() * 2 * abi.pointer);
        let mut layout = Layout::new(abi);
        let mut texts = [None; 2];
        let mut left = S::FIELDS.len();
        structure.each(|value| {
            // The remaining fields only exist in variants.
            let Some(rest) = left.checked_sub(1) else { return };
            left = rest;
            // A constant kind in each arm makes the offsets cheap: most fields are characters.
            match value {
                Value::Char(number) => {
                    self.pad(start + layout.field(FieldKind::Char));
                    self.out.push(number as u8);
                }
                Value::Short(number) => {
                    self.pad(start + layout.field(FieldKind::Short));
                    abi.put_short(&mut self.out, number);
                }
                Value::Int(number) => {
                    self.pad(start + layout.field(FieldKind::Int));
                    abi.put_int(&mut self.out, number);
                }
                Value::Text(text) => {
                    self.pad(start + layout.field(FieldKind::TextLength));
                    // A union of a pointer, which is null in the file, and the length.
                    abi.put_int(&mut self.out, text.map_or(0, |text| charset.encoded_len(text)) as i32);
                    self.out.resize(self.out.len() + abi.pointer - INT, 0);
                    if let Some(free) = texts.iter_mut().find(|free| free.is_none()) {
                        *free = text;
                    }
                }
            }
        });
        self.out.resize(start + layout.size(), 0);
        for text in texts.into_iter().flatten() {
            charset.encode_into(text, &mut self.out);
        }
    }

    /// Writes a structure with the layout of the game's catalog, and its texts.
    fn own_structure<S: Structure>(&mut self, structure: &S) {
        let (start, abi, charset) = (self.out.len(), self.abi, self.charset);
        let mut values = Vec::with_capacity(S::FIELDS.len() + S::MORE.len());
        structure.each(|value| values.push(value));
        if let Some(at) = self.layouts.place::<S>()
            && let Some(&[Value::Char(x), Value::Char(y)]) = values.get(at..at + 2)
        {
            let (x, y) = self.layouts.written(x, y);
            values[at] = Value::Char(x);
            values[at + 1] = Value::Char(y);
        }
        let mut layout = Layout::new(abi);
        let mut texts = Vec::new();
        for (at, kind) in self.layouts.fields::<S>() {
            self.out.resize(start + layout.field(kind), 0);
            let value = at.and_then(|at| values.get(at)).copied().unwrap_or(Value::Int(0));
            let number = match value {
                Value::Char(number) => i64::from(number),
                Value::Short(number) => i64::from(number),
                Value::Int(number) => i64::from(number),
                Value::Text(text) => {
                    texts.extend(text);
                    text.map_or(0, |text| charset.encoded_len(text)) as i64
                }
            };
            match kind {
                FieldKind::Char => self.out.push(number as u8),
                FieldKind::Short => abi.put_short(&mut self.out, number as i16),
                FieldKind::Int => abi.put_int(&mut self.out, number as i32),
                FieldKind::Long => abi.put_long(&mut self.out, number),
                FieldKind::TextLength => {
                    abi.put_int(&mut self.out, number as i32);
                    self.out.resize(self.out.len() + abi.pointer - INT, 0);
                }
            }
        }
        self.out.resize(start + layout.size(), 0);
        for text in texts {
            charset.encode_into(text, &mut self.out);
        }
    }

    fn maze(&mut self, maze: &Maze, filled_before: bool) {
        self.out.push(maze.filling as u8);
        self.count(maze.parts.len());
        for part in &maze.parts {
            self.part(part, filled_before);
        }
    }

    fn part(&mut self, part: &Part, filled_before: bool) {
        self.out.push(part.horizontal as u8);
        self.out.push(part.vertical as u8);
        self.map(&part.map, filled_before);
        self.inside = "part";
        part.give_lists(self);
    }

    /// Writes a map. The square of a single-square map is omitted if INIT_MAP has filled the level: it means no map.
    fn map(&mut self, map: &Grid, filled_before: bool) {
        self.count(map.width);
        self.count(map.height);
        if !filled_before || map.width > 1 || map.height > 1 {
            self.out.extend_from_slice(&map.squares);
        }
    }

    fn rooms(&mut self, rooms: &Rooms) {
        self.registers("object", &rooms.object_registers);
        self.registers("monster", &rooms.monster_registers);
        self.count(rooms.rooms.len());
        for room in &rooms.rooms {
            self.room(room);
        }
        self.list("corridor", &rooms.corridors);
    }

    fn room(&mut self, room: &Room) {
        for name in [&room.name, &room.parent] {
            let name = self.bytes(name.as_deref().unwrap_or(""));
            self.abi.put_short(&mut self.out, name.len() as i16);
            self.out.extend(name);
        }
        self.structure(&room.header);
        self.inside = "room";
        room.give_lists(self);
        self.inside = "";
    }
}

impl ListTaker for Writer<'_> {
    fn list<S: Structure>(&mut self, name: &'static str, list: &List<S>) {
        // Some games lack this list.
        if name == "random region" && !self.layouts.random_regions {
            return;
        }
        self.count(list.len());
        for thing in list {
            self.structure(&thing.node);
        }
        for _ in 0..self.layouts.empty_after(self.inside, name) {
            self.count(0);
        }
    }

    fn registers(&mut self, _: &'static str, registers: &[i8]) {
        self.count(registers.len());
        self.out.extend(registers.iter().map(|&register| register as u8));
    }

    /// Writes the number of places, followed by all columns and then all rows of each list.
    fn places(&mut self, _: &'static str, places: &PlaceRegisters) {
        let lists = if self.layouts.place_lists {
            let lists = places.lists();
            self.count(lists.len());
            lists
        } else {
            vec![places.first.as_slice()]
        };
        lists.iter().for_each(|list| self.count(list.len()));
        for list in lists {
            self.out.extend(list.iter().map(|&(x, _)| x as u8));
            self.out.extend(list.iter().map(|&(_, y)| y as u8));
        }
    }
}
