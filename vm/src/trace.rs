//! The text form of a run, in the format of the reference traces, which the games' own loaders wrote.
//!
//! - `D below result`: a draw.
//! - `E ...`: an action or complaint of the loader, see [`Event`] and [`Complaint`].
//! - `draws count hash`: the number of draws, and their hash: 64-bit FNV-1a over one number per draw.
//! - The finished level: its `flags`; 21 rows `M` of terrain and 21 rows `L` of light, columns 1 to 79; then, with
//!   columns and rows, `door` (state, and if it is horizontal), `altar`, `bridge` and `wall` (the square's flags),
//!   `stairs`, `room` and `subroom`, `engr`, and `tele`, the regions of arrival.

use std::fmt::Write as _;

mod detailed;

use splc_ir::catalog::{Catalog, LoaderRule};

use crate::level::{COLUMNS, Level, ROWS, Room};
use crate::observer::{Complaint, Event, Loudness, Observer};
use crate::terrain::Terrain;

/// Presence of draws as separate lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DrawLines {
    /// A line for every draw.
    Shown,
    /// Only the number of draws and their hash.
    Hidden,
}

/// Writes a run as text. After the run, [`Trace::finish`] adds the level.
#[derive(Clone, Debug)]
pub struct Trace {
    text: String,
    draw_lines: DrawLines,
    draws: u64,
    hash: u64,
}

const HASH_START: u64 = 0xcbf2_9ce4_8422_2325;
const HASH_FACTOR: u64 = 0x0000_0100_0000_01b3;

impl Trace {
    /// Creates an empty trace.
    pub fn new(draw_lines: DrawLines) -> Self {
        Trace { text: String::new(), draw_lines, draws: 0, hash: HASH_START }
    }

    /// The text so far.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Number of draws.
    pub fn draws(&self) -> u64 {
        self.draws
    }

    fn line(&mut self, line: std::fmt::Arguments<'_>) {
        // Writing to a string cannot fail.
        let _ = self.text.write_fmt(line);
        self.text.push('\n');
    }

    /// Adds the finished level and returns the whole text.
    pub fn finish(mut self, level: &Level, catalog: &Catalog) -> String {
        if catalog.loader.rules.has(LoaderRule::TracesAreDetailed) {
            return self.finish_in_detail(level, catalog);
        }
        let (draws, hash) = (self.draws, self.hash);
        self.line(format_args!("draws {draws} {hash:016x}"));
        let flags = level.level_flags();
        self.line(format_args!(
            "flags maze={} notele={} hard={} nommap={} short={} arb={}",
            u8::from(flags.maze),
            u8::from(flags.no_teleport),
            u8::from(flags.hard_floor),
            u8::from(flags.no_magic_map),
            u8::from(flags.short_sighted),
            u8::from(flags.arboreal)
        ));
        self.squares(level);
        let stairs = level.stairs();
        let [up, down, ladder_up, ladder_down, branch] =
            [stairs.up, stairs.down, stairs.ladder_up, stairs.ladder_down, stairs.branch];
        self.line(format_args!(
            "stairs up {} {} dn {} {} ladder up {} {} dn {} {} ss {} {}",
            up.0, up.1, down.0, down.1, ladder_up.0, ladder_up.1, ladder_down.0, ladder_down.1, branch.0, branch.1
        ));
        for (word, rooms) in [("room", level.rooms()), ("subroom", level.subrooms())] {
            for room in rooms {
                self.line(format_args!("{word} {}", InTrace(room)));
            }
        }
        if catalog.loader.rules.has(LoaderRule::EngravingsAreKept) {
            for engraving in level.engravings().iter().rev() {
                let text = level.text(engraving.text);
                self.line(format_args!("engr {} {} {} {text}", engraving.x, engraving.y, engraving.kind));
            }
        }
        self.arrivals(level);
        self.text
    }

    /// Writes the terrain and light of all squares, and the details of some.
    fn squares(&mut self, level: &Level) {
        for y in 0..ROWS {
            self.text.push_str("M ");
            self.text.extend((1..COLUMNS).map(|x| char::from(level.terrain(x, y).trace_mark())));
            self.text.push('\n');
        }
        for y in 0..ROWS {
            self.text.push_str("L ");
            self.text.extend((1..COLUMNS).map(|x| if level.is_lit(x, y) { '1' } else { '0' }));
            self.text.push('\n');
        }
        for y in 0..ROWS {
            for x in 1..COLUMNS {
                let bits = level.flags(x, y);
                match level.terrain(x, y) {
                    Terrain::DOOR | Terrain::SECRET_DOOR => {
                        let horizontal = u8::from(level.is_horizontal(x, y));
                        self.line(format_args!("door {x} {y} {bits} {horizontal}"));
                    }
                    Terrain::ALTAR => self.line(format_args!("altar {x} {y} {bits}")),
                    terrain if terrain.is_drawbridge() => self.line(format_args!("bridge {x} {y} {bits}")),
                    terrain if terrain.is_wall_or_stone() || matches!(terrain, Terrain::TREE | Terrain::IRON_BARS) => {
                        const HARD: i32 = 0x18;
                        if bits & HARD != 0 {
                            self.line(format_args!("wall {x} {y} {}", bits & HARD));
                        }
                    }
                    _ => {}
                }
            }
        }
    }

    /// Writes the regions of arrival from other levels.
    fn arrivals(&mut self, level: &Level) {
        let spread = |[x1, y1, x2, y2]: [i32; 4]| format!("{x1} {y1} {x2} {y2}");
        let (below, above) = (level.arrival_from_below(), level.arrival_from_above());
        self.line(format_args!(
            "tele up {} not {} dn {} not {}",
            spread(below.within),
            spread(below.outside),
            spread(above.within),
            spread(above.outside)
        ));
    }
}

/// A room in the format common to all traces.
struct InTrace<'a>(&'a Room);

impl std::fmt::Display for InTrace<'_> {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Room { low_x, low_y, high_x, high_y, kind, lit, doors, irregular, .. } = *self.0;
        let (lit, irregular) = (u8::from(lit), u8::from(irregular));
        write!(formatter, "{low_x} {low_y} {high_x} {high_y} type {kind} lit {lit} doors {doors} irr {irregular}")
    }
}

impl Observer for Trace {
    fn wants_steps(&self) -> bool {
        false
    }

    fn draw(&mut self, below: i32, result: i32) {
        self.draws += 1;
        for number in [below, result] {
            self.hash = (self.hash ^ number as u64).wrapping_mul(HASH_FACTOR);
        }
        if self.draw_lines == DrawLines::Shown {
            self.line(format_args!("D {below} {result}"));
        }
    }

    fn event(&mut self, event: Event<'_>) {
        match event {
            Event::Monster { x, y, name } => self.line(format_args!("E mon {x} {y} {}", name.unwrap_or("-"))),
            Event::MonsterNamed(name) => self.line(format_args!("E name {name}")),
            Event::ObjectOfClass { x, y, class } => self.line(format_args!("E obj {x} {y} class {class}")),
            Event::Object { x, y, number, name } => self.line(format_args!("E obj {x} {y} {number} {name}")),
            Event::ObjectNamed(name) => self.line(format_args!("E oname {name}")),
            Event::ObjectOfMonster { number, name: None } => self.line(format_args!("E corpsenm {number}")),
            Event::ObjectOfMonster { number, name: Some(name) } => {
                self.line(format_args!("E corpsenm {number} {name}"));
            }
            Event::MonsterAligned(alignment) => self.line(format_args!("E align {alignment}")),
            Event::ObjectIsPrize => self.line(format_args!("E achievement")),
            Event::Flipped { how, allowed } => self.line(format_args!("E flip {how} allowed {allowed}")),
            Event::ObjectContained => self.line(format_args!("E contained")),
            Event::ObjectCarried => self.line(format_args!("E invent")),
            Event::ObjectLit => self.line(format_args!("E lit")),
            Event::ObjectBuried => self.line(format_args!("E bury")),
            Event::Gold { x, y, amount } => self.line(format_args!("E gold {x} {y} {amount}")),
            Event::Trap { x, y, kind } => self.line(format_args!("E trap {x} {y} {kind}")),
            Event::Grave { x, y, text } => self.line(format_args!("E grave {x} {y} {}", text.unwrap_or("?random"))),
            Event::Engraving { x, y, kind, text } => self.line(format_args!("E engr {x} {y} {kind} {text}")),
            Event::ShopStocked { kind, x, y } => self.line(format_args!("E stock {kind} {x} {y}")),
            Event::RoomFilled { kind, x, y } => self.line(format_args!("E fillzoo {kind} {x} {y}")),
            Event::Priest { x, y, sanctum } => self.line(format_args!("E priest {x} {y} {}", u8::from(sanctum))),
            Event::Mineralized { kelp_in_pools, kelp_in_moats, gold, gems } => {
                self.line(format_args!("E mineralize {kelp_in_pools} {kelp_in_moats} {gold} {gems}"));
            }
            Event::Premapped => self.line(format_args!("E premapped")),
            Event::Said(text) => self.line(format_args!("{text}")),
        }
    }

    fn complaint(&mut self, complaint: Complaint) {
        match complaint.text() {
            (Loudness::Impossible, text) => self.line(format_args!("E impossible {text}")),
            (Loudness::Warning, text) => self.line(format_args!("E warning {text}")),
            (Loudness::Silent, _) => {}
        }
    }
}
