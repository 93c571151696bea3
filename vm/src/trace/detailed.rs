//! The finished level in the reference traces of NetHack 5.0.0, which contain more than those of the older games: every
//! stairway, zone, cloud, monster, object and trap, latest first.

use splc_ir::catalog::Catalog;

use super::{InTrace, Trace};
use crate::level::{COLUMNS, Level, ROWS, Whereabouts};
use crate::terrain::Terrain;

/// Depth of the level in the traces.
const DEPTH: i32 = 5;

impl Trace {
    /// Adds the finished level and returns the whole text.
    pub(super) fn finish_in_detail(mut self, level: &Level, catalog: &Catalog) -> String {
        let (draws, hash) = (self.draws, self.hash);
        self.line(format_args!("draws {draws} {hash:x}"));
        self.level_flags(level);
        self.squares(level);
        self.stairways(level);
        self.rooms(level);
        self.arrivals(level);
        for zone in level.zones.iter().rev() {
            let [x1, y1, x2, y2] = zone.area;
            self.line(format_args!("excl {} {x1} {y1} {x2} {y2}", zone.kind));
        }
        for y in 0..ROWS {
            for x in 0..COLUMNS {
                for known in level.engravings.iter().filter(|known| (known.x, known.y) == (x, y)) {
                    let text = level.text(known.text);
                    self.line(format_args!("engr {x} {y} {} {text}", known.kind));
                }
            }
        }
        self.monsters(level, catalog);
        self.objects(level, catalog);
        self.traps(level, catalog);
        for cloud in &level.clouds {
            let squares: Vec<String> = cloud.squares.iter().map(|(x, y)| format!("{x},{y},{x},{y}")).collect();
            self.line(format_args!("cloud damage {} ttl {} rects {}", cloud.damage, cloud.turns, squares.join(" ")));
        }
        let messages: Vec<&str> = level.messages().collect();
        if !messages.is_empty() {
            self.line(format_args!("message {}", messages.join("\n").replace('\n', "\\n")));
        }
        self.text
    }

    fn level_flags(&mut self, level: &Level) {
        let flags = level.level_flags();
        let is = |flag: bool| u8::from(flag);
        let count = |wanted: Terrain| level.all_terrain().iter().filter(|&&terrain| terrain == wanted).count();
        self.line(format_args!(
            "flags maze={} notele={} hard={} nommap={} short={} arb={} soko={} corrmaze={} grave={} temp={} rndmon={} \
             drops={} hero_mem=1 cavern={} fumaroles={} stormy={} fountains={} sinks={} temple={}",
            is(flags.maze),
            is(flags.no_teleport),
            is(flags.hard_floor),
            is(flags.no_magic_map),
            is(flags.short_sighted),
            is(flags.arboreal),
            is(flags.sokoban),
            is(flags.corridor_maze),
            is(flags.graveyard),
            flags.temperature,
            is(!flags.no_random_monsters),
            is(!flags.no_death_drops),
            is(flags.cavernous),
            is(flags.fumaroles),
            is(flags.stormy),
            count(Terrain::FOUNTAIN),
            count(Terrain::SINK),
            is(flags.temple)
        ));
    }

    fn stairways(&mut self, level: &Level) {
        for stairway in level.stairways.iter().rev() {
            let ladder = if stairway.ladder { "ladder " } else { "" };
            let (way, depth) = if stairway.up { ("up", DEPTH - 1) } else { ("down", DEPTH + 1) };
            self.line(format_args!("stairway {} {} {ladder}{way} to 0:{depth}", stairway.x, stairway.y));
        }
    }

    fn rooms(&mut self, level: &Level) {
        for (word, rooms) in [("room", level.rooms()), ("subroom", level.subrooms())] {
            for room in rooms {
                let (fill, joined) = (room.fill, u8::from(room.joined));
                self.line(format_args!("{word} {} fill {fill} join {joined}", InTrace(room)));
            }
        }
    }

    fn monsters(&mut self, level: &Level, catalog: &Catalog) {
        for monster in level.monsters.iter().rev() {
            let species = monster.species.and_then(|number| catalog.monsters.get(usize::from(number)));
            let name = species.map_or("-", |species| species.name.as_ref());
            let named = monster.name.map_or(String::new(), |name| format!(" named {}", level.text(name)));
            let (shape, number) = monster.shape;
            self.line(format_args!(
                "mon {} {} {name}{named} peace {} sleep {} wait {} fem {} app {shape} {number}",
                monster.x,
                monster.y,
                u8::from(monster.peaceful == 1),
                u8::from(monster.asleep == 1),
                u8::from(monster.waiting),
                u8::from(monster.female)
            ));
        }
    }

    fn objects(&mut self, level: &Level, catalog: &Catalog) {
        let gold = catalog.object("gold piece", Some('$')).map(|(number, _)| number);
        let gold_class = catalog.object_class('$').unwrap_or(0);
        // Gold on a square is one heap, at the position of its first part.
        let heap = |x: i32, y: i32| -> i64 {
            let here = level.gold.iter().filter(|gold| (gold.x, gold.y) == (x, y));
            here.map(|gold| gold.amount.max(1)).sum()
        };
        let is_first = |at: usize| {
            let here = |gold: &crate::level::Gold| (gold.x, gold.y) == (level.gold[at].x, level.gold[at].y);
            level.gold.iter().position(here) == Some(at)
        };
        let gold_name = if gold.is_some() { "gold piece" } else { "" };
        let mut next_gold = level.gold.len();
        for at in (0..=level.objects.len()).rev() {
            if let Some(object) = level.objects.get(at).filter(|object| object.class != gold_class) {
                let of_class = object.number.is_none();
                let word = match object.whereabouts {
                    Whereabouts::Floor => "obj",
                    Whereabouts::Buried => "",
                    _ => continue,
                };
                if !word.is_empty() {
                    self.object(word, object, of_class, catalog);
                }
            }
            while next_gold > 0 && level.gold_after.get(next_gold - 1).is_some_and(|&after| after >= at) {
                next_gold -= 1;
                if is_first(next_gold) {
                    let (x, y) = (level.gold[next_gold].x, level.gold[next_gold].y);
                    let number = gold.unwrap_or(0);
                    self.line(format_args!("obj {x} {y} {number} {gold_name} q {}", heap(x, y)));
                }
            }
        }
        for object in level.objects.iter().rev().filter(|object| object.whereabouts == Whereabouts::Buried) {
            self.object("buried", object, object.number.is_none(), catalog);
        }
    }

    fn object(&mut self, word: &str, object: &crate::level::Object, of_class: bool, catalog: &Catalog) {
        let (x, y) = (object.x, object.y);
        if of_class {
            self.line(format_args!("{word} {x} {y} class {}", object.class));
            return;
        }
        let number = object.number.unwrap_or(0);
        let name = catalog.objects.get(usize::from(number)).map_or("", |object| object.name.as_ref());
        self.line(format_args!("{word} {x} {y} {number} {name} q {}", object.quantity.max(1)));
    }

    fn traps(&mut self, level: &Level, catalog: &Catalog) {
        let kind = |name: &str| catalog.trap(name).unwrap_or(-1);
        let (board, portal) = (kind("board"), kind("magic portal"));
        for trap in level.traps.iter().rev() {
            let mut more = String::new();
            if trap.down > 0 {
                more.push_str(&format!(" to 0:{}", DEPTH + trap.down));
            } else if trap.kind == portal {
                let target = trap.target.map(|target| level.text(target)).filter(|target| !target.is_empty());
                more.push_str(&format!(" to {}", target.unwrap_or("-")));
            } else if trap.kind == board {
                more.push_str(&format!(" note {}", trap.note));
            } else if let Some((x, y)) = trap.fixed {
                more.push_str(&format!(" to {x} {y}"));
            }
            self.line(format_args!("trap {} {} {}{more} seen {}", trap.x, trap.y, trap.kind, u8::from(trap.seen)));
        }
    }
}
