//! Writes level files of NetHack 3.4.3: the version header, then structures one after the other as the machine's
//! C compiler lays them out.
//!
//! What the structures hold is said once, in [`splc_ir::parts`]. Here is how a C compiler lays them out: every
//! field at a multiple of its alignment, the whole filled up to a multiple of the greatest one, zeros in between.
//! Texts follow the structure that has their lengths.
//!
//! Source: NetHack 3.4.3, `util/lev_main.c` (`write_maze`, `write_rooms`).

use splc_ir::abi::{Abi, INT};
use splc_ir::parts::{Body, Grid, List, Maze, Part, PartsLevel, Room, Rooms, Structure, Value};
use splc_ir::source::Charset;

/// Byte after the header: what kind of level follows (NetHack 3.4.3, `include/sp_lev.h`).
const ROOMS: u8 = 1;
const MAZE: u8 = 2;

/// The level file of `level` for a machine of `abi`, behind the version header `header`.
pub fn encode(level: &PartsLevel, abi: &Abi, header: &[u64]) -> Vec<u8> {
    let mut writer = Writer { abi, charset: level.charset, out: Vec::with_capacity(4096) };
    for &long in header {
        abi.put_long(&mut writer.out, long as i64);
    }
    writer.out.push(match level.body {
        Body::Maze(_) => MAZE,
        Body::Rooms(_) => ROOMS,
    });
    writer.structure(&level.init);
    abi.put_long(&mut writer.out, i64::from(level.flags));
    let message = writer.bytes(&level.message);
    writer.count(message.len());
    writer.out.extend(message);
    match &level.body {
        Body::Maze(maze) => writer.maze(maze, level.init.present != 0),
        Body::Rooms(rooms) => writer.rooms(rooms),
    }
    writer.out
}

struct Writer<'a> {
    abi: &'a Abi,
    charset: Charset,
    out: Vec<u8>,
}

impl Writer<'_> {
    fn bytes(&self, text: &str) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(text.len());
        self.charset.encode_into(text, &mut bytes);
        bytes
    }

    /// A number of things, in one byte. The checks have made sure that it fits.
    fn count(&mut self, count: usize) {
        self.out.push(count as u8);
    }

    /// Fills up with zeros to a multiple of `alignment` from `start`.
    fn align(&mut self, start: usize, alignment: usize) {
        let length = (self.out.len() - start).next_multiple_of(alignment);
        self.out.resize(start + length, 0);
    }

    /// A structure and the texts that belong to it.
    fn structure<S: Structure>(&mut self, structure: &S) {
        let (start, abi, charset) = (self.out.len(), self.abi, self.charset);
        let mut most = 1;
        let mut texts = [None; 2];
        structure.each(|value| {
            let size = match value {
                Value::Char(_) => 1,
                Value::Short(_) => 2,
                Value::Int(_) => INT,
                Value::Text(_) => abi.pointer,
            };
            let alignment = size.min(abi.alignment);
            most = most.max(alignment);
            self.align(start, alignment);
            match value {
                Value::Char(number) => self.out.push(number as u8),
                Value::Short(number) => abi.put_short(&mut self.out, number),
                Value::Int(number) => abi.put_int(&mut self.out, number),
                Value::Text(text) => {
                    // A union of a pointer, which is zero by now, and the length.
                    abi.put_int(&mut self.out, text.map_or(0, |text| charset.encoded_len(text)) as i32);
                    self.out.resize(self.out.len() + size - INT, 0);
                    if let Some(free) = texts.iter_mut().find(|free| free.is_none()) {
                        *free = text;
                    }
                }
            }
        });
        self.align(start, most);
        for text in texts.into_iter().flatten() {
            charset.encode_into(text, &mut self.out);
        }
    }

    fn list<S: Structure>(&mut self, list: &List<S>) {
        self.count(list.len());
        for thing in list {
            self.structure(&thing.node);
        }
    }

    fn registers(&mut self, registers: &[i8]) {
        self.count(registers.len());
        self.out.extend(registers.iter().map(|&register| register as u8));
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
        self.list(&part.level_regions);
        self.registers(&part.object_registers);
        self.count(part.place_registers.len());
        self.out.extend(part.place_registers.iter().map(|&(x, _)| x as u8));
        self.out.extend(part.place_registers.iter().map(|&(_, y)| y as u8));
        self.registers(&part.monster_registers);
        self.list(&part.regions);
        self.list(&part.doors);
        self.list(&part.drawbridges);
        self.list(&part.walks);
        self.list(&part.non_diggable);
        self.list(&part.non_passwall);
        self.list(&part.ladders);
        self.list(&part.stairs);
        self.list(&part.altars);
        self.list(&part.fountains);
        self.list(&part.traps);
        self.list(&part.monsters);
        self.list(&part.objects);
        self.list(&part.gold);
        self.list(&part.engravings);
    }

    /// A map. One of a single square is left out where INIT_MAP has filled the level: it stands for none.
    fn map(&mut self, map: &Grid, filled_before: bool) {
        self.count(map.width);
        self.count(map.height);
        if !filled_before || map.width > 1 || map.height > 1 {
            self.out.extend_from_slice(&map.squares);
        }
    }

    fn rooms(&mut self, rooms: &Rooms) {
        self.registers(&rooms.object_registers);
        self.registers(&rooms.monster_registers);
        self.count(rooms.rooms.len());
        for room in &rooms.rooms {
            self.room(room);
        }
        self.list(&rooms.corridors);
    }

    fn room(&mut self, room: &Room) {
        for name in [&room.name, &room.parent] {
            let name = self.bytes(name.as_deref().unwrap_or(""));
            self.abi.put_short(&mut self.out, name.len() as i16);
            self.out.extend(name);
        }
        self.structure(&room.header);
        self.list(&room.doors);
        self.list(&room.stairs);
        self.list(&room.altars);
        self.list(&room.fountains);
        self.list(&room.sinks);
        self.list(&room.pools);
        self.list(&room.traps);
        self.list(&room.monsters);
        self.list(&room.objects);
        self.list(&room.gold);
        self.list(&room.engravings);
    }
}
