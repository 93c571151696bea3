//! The listing of a level of parts or rooms, in the order of the loader.
//!
//! Each step has a number, the name of the thing, and the fields of its structure by name. Fields that nothing reads
//! and missing texts are left out.

use std::fmt::Write as _;

use splc_ir::catalog::{Catalog, Name, Species};
use splc_ir::parts::{
    Body, Grid, Init, NO_ALIGNMENT, Part, PartsLevel, RANDOM, RANDOM_ENCHANTMENT, Room, StepTaker, Structure, Value,
    Walk,
};
use splc_ir::source::{SourceMap, Span, Spanned};
use splc_ir::wording::picture;
use splc_ir::words::Group;

use super::{Comments, joined, line, quoted};

pub(super) fn write(level: &PartsLevel, catalog: &Catalog, sources: Option<&SourceMap>) -> String {
    let mut out = String::with_capacity(4096);
    let comments = Comments { sources, shown: None };
    let mut listing =
        Listing { catalog, comments, in_rooms: matches!(level.body, Body::Rooms(_)), at: 0, out: &mut out };
    listing.head(level);
    level.give_steps(&mut listing);
    out
}

struct Listing<'a> {
    catalog: &'a Catalog,
    comments: Comments<'a>,
    /// Set if coordinates count from a room.
    in_rooms: bool,
    /// Number of the next step.
    at: usize,
    out: &'a mut String,
}

impl Listing<'_> {
    fn head(&mut self, level: &PartsLevel) {
        let catalog = self.catalog;
        line(self.out, format_args!("; level {}, {}", quoted(&level.name), catalog.title));
        match &level.body {
            Body::Maze(maze) => {
                let filling = match maze.filling {
                    -1 => "a maze".to_owned(),
                    number => terrain(number, catalog),
                };
                line(self.out, format_args!("; parts: {}, on {filling}", maze.parts.len()));
            }
            Body::Rooms(rooms) => line(self.out, format_args!("; rooms: {}", rooms.rooms.len())),
        }
        let flags = catalog.words(Group::Flag);
        let flags: Vec<&str> = flags
            .filter(|word| {
                let bit = catalog.word(Group::Flag, word).unwrap_or(0);
                bit != 0 && i64::from(level.flags) & bit == bit
            })
            .collect();
        if level.flags != 0 {
            line(self.out, format_args!("; flags {} ({})", joined(flags, "|"), level.flags));
        }
        for message in level.message.split('\n').filter(|message| !message.is_empty()) {
            line(self.out, format_args!("; message {}", quoted(message)));
        }
    }

    /// Begins the line of a step, before its fields.
    fn begin(&mut self, name: &str, span: Span) {
        self.comments.write(span, self.out);
        let _ = write!(self.out, "{:>6}  {name:<16}", self.at);
        self.at += 1;
    }

    /// Writes the rest of the line.
    fn end(&mut self, fields: &[String]) {
        line(self.out, format_args!("{}", fields.join(", ")));
    }

    fn fields<S: Structure>(&self, name: &str, structure: &S) -> Vec<String> {
        let mut fields = Vec::with_capacity(S::FIELDS.len());
        let mut names = S::FIELDS.iter();
        structure.each(|value| {
            let Some(&(field, _)) = names.next() else { return };
            let number = match value {
                Value::Char(number) => i64::from(number),
                Value::Short(number) => i64::from(number),
                Value::Int(number) => i64::from(number),
                Value::Text(text) => {
                    return fields.extend(text.map(|text| format!("{} {}", words(field), quoted(text))));
                }
            };
            if field != "padding" {
                fields.push(match self.meaning(name, field, number) {
                    Some(meaning) => format!("{} {meaning} ({number})", words(field)),
                    None => format!("{} {number}", words(field)),
                });
            }
        });
        fields
    }

    /// Returns the meaning of the number in a field of a thing, if it has one.
    fn meaning(&self, name: &str, field: &str, number: i64) -> Option<String> {
        let catalog = self.catalog;
        let random = |is: bool| is.then(|| "random".to_owned());
        let word = |group| {
            let found = catalog.words(group).find(|word| catalog.word(group, word) == Some(number));
            found.map(str::to_owned).or_else(|| random(number == -1))
        };
        let named =
            |table: &[(Name, i64)]| table.iter().find(|(_, known)| *known == number).map(|(name, _)| name.to_string());
        let numbered = |table: &[(Name, i64)], number: i64| {
            table.iter().find(|(_, known)| *known == number).map(|(name, _)| quoted(name))
        };
        let species = |table: &[Species]| {
            let known = usize::try_from(number).ok().and_then(|number| table.get(number));
            known.map(|known| quoted(&known.name)).or_else(|| random(number == -1))
        };
        // A place or class from a register, or a random one.
        let register = |of: &str| match number {
            0.. => None,
            _ if number > i64::from(RANDOM) => Some(format!("{of}[{}]", -1 - number)),
            _ => random(number == i64::from(RANDOM)),
        };
        let class = |of: &str| {
            let symbol = u8::try_from(number).ok().map(|symbol| format!("'{}'", picture(char::from(symbol))));
            symbol.or_else(|| register(of))
        };
        let flag = || match number {
            0 => Some("no".to_owned()),
            1 => Some("yes".to_owned()),
            _ => random(number == -1),
        };
        match (name, field) {
            ("room", "kind") => numbered(&catalog.rooms, number).or_else(|| random(number == -1)),
            ("region", "kind") => {
                let unfilled = i64::from(catalog.limits.room_types) + 1;
                let plain = numbered(&catalog.rooms, number).or_else(|| random(number == -1));
                plain.or_else(|| numbered(&catalog.rooms, number - unfilled).map(|name| format!("{name} unfilled")))
            }
            (_, "light") => word(Group::Light),
            ("room", "x" | "y" | "width" | "height" | "horizontal" | "vertical") => random(number == -1),
            (_, "x" | "y") if !self.in_rooms => register("place"),
            (_, "x" | "y") => random(number < 0),
            (_, "position" | "amount" | "from_door" | "to_door") => random(number == -1),
            ("door", "state") => word(Group::DoorState),
            ("door", "wall") | ("maze walk", "direction") | ("corridor", "from_wall" | "to_wall") => {
                word(Group::Direction)
            }
            ("drawbridge", "direction") => named(&catalog.drawbridge_directions),
            ("trap", "kind") => numbered(&catalog.traps, number).or_else(|| random(number == -1)),
            ("monster", "number") => species(&catalog.monsters),
            ("object", "number") => species(&catalog.objects),
            ("object", "corpse") => match number {
                -1 => Some("none".to_owned()),
                -2 => Some("random".to_owned()),
                _ => species(&catalog.monsters),
            },
            ("monster", "class") => class("monster"),
            ("object", "class") => class("object"),
            (_, "alignment") if number == i64::from(NO_ALIGNMENT) => Some("none".to_owned()),
            (_, "alignment") => register("align").or_else(|| word(Group::Alignment)),
            ("altar", "kind") => word(Group::Altar),
            ("engraving", "kind") => word(Group::Engraving),
            ("level region", "kind") => named(&catalog.level_regions),
            ("monster", "peaceful") => word(Group::Attitude),
            ("monster", "asleep") => word(Group::Alertness),
            ("monster", "appearance") => word(Group::Appearance),
            ("object", "curse") => word(Group::Curse),
            ("object", "enchantment") => random(number == i64::from(RANDOM_ENCHANTMENT)),
            (_, "foreground" | "background") => Some(terrain(number, catalog)),
            (
                _,
                "up" | "secret" | "open" | "irregular" | "filled" | "smoothed" | "joined" | "walled" | "inside_level"
                | "outside_level",
            ) => flag(),
            _ => None,
        }
    }

    /// The rows of a map.
    fn rows(&mut self, map: &Grid) {
        if map.width == 0 {
            return;
        }
        for row in map.squares.chunks(map.width) {
            let symbol = |&number: &u8| self.catalog.map_character(number.into()).unwrap_or('?');
            let row: String = row.iter().map(symbol).collect();
            line(self.out, format_args!("{:24}; {row}", ""));
        }
    }
}

impl StepTaker for Listing<'_> {
    fn ground(&mut self, ground: &Spanned<Init>) {
        self.begin("ground", ground.span);
        let fields = self.fields("ground", &ground.node);
        // The first field only says that there is an INIT_MAP.
        self.end(&fields[1..]);
    }

    fn map(&mut self, part: &Part) {
        self.begin("map", part.span);
        let word = |group, number: i8| {
            let known = |word: &&str| self.catalog.word(group, word) == Some(number.into());
            self.catalog.words(group).find(known).unwrap_or("nowhere")
        };
        let horizontal = word(Group::Horizontal, part.horizontal);
        let vertical = word(Group::Vertical, part.vertical);
        self.end(&[
            format!("{} by {}", part.map.width, part.map.height),
            format!("horizontal {horizontal} ({})", part.horizontal),
            format!("vertical {vertical} ({})", part.vertical),
        ]);
        self.rows(&part.map);
    }

    fn room(&mut self, room: &Room) {
        self.begin(if room.parent.is_some() { "subroom" } else { "room" }, room.span);
        let names = [("name", &room.name), ("in", &room.parent)];
        let names = names.iter().filter_map(|(word, name)| Some(format!("{word} {}", quoted(name.as_deref()?))));
        let fields: Vec<String> = names.chain(self.fields("room", &room.header)).collect();
        self.end(&fields);
    }

    fn maze(&mut self, walk: &Spanned<Walk>) {
        self.begin("maze", walk.span);
        let fields = self.fields("maze walk", &walk.node);
        self.end(&fields);
    }

    fn thing<S: Structure>(&mut self, name: &'static str, thing: &Spanned<S>) {
        self.begin(name, thing.span);
        let fields = self.fields(name, &thing.node);
        self.end(&fields);
    }

    fn registers(&mut self, name: &'static str, registers: &[i8]) {
        if !registers.is_empty() {
            let symbols = registers.iter().map(|&symbol| format!("'{}'", picture(char::from(symbol as u8))));
            line(self.out, format_args!("        {name} registers {}", symbols.collect::<Vec<_>>().join(", ")));
        }
    }

    fn places(&mut self, name: &'static str, places: &[(i8, i8)]) {
        if !places.is_empty() {
            let places: Vec<String> = places.iter().map(|(x, y)| format!("({x},{y})")).collect();
            line(self.out, format_args!("        {name} registers {}", places.join(", ")));
        }
    }
}

/// Formats terrain as its map character.
fn terrain(number: impl Into<i64>, catalog: &Catalog) -> String {
    let number = i32::try_from(number.into()).unwrap_or(-1);
    match catalog.map_character(number) {
        Some(symbol) => format!("'{symbol}'"),
        None => format!("terrain {number}"),
    }
}

/// Returns the name of a field as separate words.
fn words(field: &str) -> String {
    field.replace('_', " ")
}
