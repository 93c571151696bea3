//! Levels of NetHack 3.4.3 in the VM: behaviour that the reference traces do not cover, and nonsensical levels.

use std::collections::BTreeMap;

use splc_ir::catalog::{Catalog, NETHACK_3_4_3};
use splc_ir::parts::*;
use splc_ir::source::{Charset, Span, Spanned};
use splc_vm::{DrawLines, Machine, Prepared, Rng, Settings, SplitMix, Terrain, Trace};

const CATALOG: &Catalog = &NETHACK_3_4_3;

fn level(body: Body) -> PartsLevel {
    let (name, message, hallucination) = Default::default();
    PartsLevel {
        name,
        charset: Charset::Utf8,
        init: Spanned::new(Init::default(), Span::default()),
        flags: 0,
        message,
        hallucination,
        body,
    }
}

fn one<T>(node: T) -> List<T> {
    vec![Spanned::new(node, Span::default())]
}

/// Returns a part whose map is one terrain, at the left and top.
fn part(terrain: &str, width: usize, height: usize) -> Part {
    let number = CATALOG.level_types.iter().position(|word| *word == terrain).unwrap() as u8;
    let map = Grid { width, height, squares: vec![number; width * height] };
    Part { horizontal: 1, vertical: 1, map, ..Part::default() }
}

fn maze(part: Part) -> PartsLevel {
    level(Body::Maze(Maze { filling: 0, parts: vec![part] }))
}

/// NetHack 3.4.3, `dig_corridor`: one square in a hundred. The reference traces have no such draw when their levels
/// dig.
#[test]
fn one_corridor_square_in_a_hundred_is_secret() {
    let header = RoomHeader {
        x: -1,
        y: -1,
        width: -1,
        height: -1,
        horizontal: -1,
        vertical: -1,
        light: 0,
        ..RoomHeader::default()
    };
    let rooms = vec![Room { header, ..Room::default() }; 6];
    let corridors = one(Corridor { from_room: -1, ..Corridor::default() });
    let level = level(Body::Rooms(Rooms { rooms, corridors, ..Rooms::default() }));
    let level = Prepared::of_parts(level, CATALOG).unwrap();
    let mut machine = Machine::new();
    let (mut open, mut secret) = (0, 0);
    for seed in 0..400 {
        let level = machine.run(&level, &Settings::default(), &mut SplitMix::new(seed), &mut ()).unwrap();
        for (x, y) in (1..80).flat_map(|x| (0..21).map(move |y| (x, y))) {
            open += i32::from(level.terrain(x, y) == Terrain::CORRIDOR);
            secret += i32::from(level.terrain(x, y) == Terrain::SECRET_CORRIDOR);
        }
    }
    let share = f64::from(secret) / f64::from(open + secret);
    assert!(open > 10_000 && (0.008..0.012).contains(&share), "{secret} of {}", open + secret);
}

/// NetHack 3.4.3, `maketrap`: only a portal prevents a trap.
#[test]
fn a_trap_can_be_on_a_fountain() {
    let mut part = part("room", 9, 9);
    part.fountains = one(Feature { x: 4, y: 4 });
    part.traps = one(Trap { x: 4, y: 4, chance: 100, kind: 1 });
    let level = Prepared::of_parts(maze(part), CATALOG).unwrap();
    let mut machine = Machine::new();
    let level = machine.run(&level, &Settings::default(), &mut SplitMix::new(1), &mut ()).unwrap();
    assert_eq!((level.traps().len(), level.terrain(7, 7)), (1, Terrain::FOUNTAIN));
}

/// NetHack 3.4.3, `mktrap`: the spider is created although a portal prevents its web.
#[test]
fn a_spider_comes_without_its_web() {
    let portal = CATALOG.trap("magic portal").unwrap() as i8;
    let web = CATALOG.trap("web").unwrap() as i8;
    let mut part = part("room", 9, 9);
    part.traps = [portal, web].map(|kind| Spanned::new(Trap { x: 4, y: 4, chance: 100, kind }, Span::default())).into();
    let level = Prepared::of_parts(maze(part), CATALOG).unwrap();
    let mut machine = Machine::new();
    let level = machine.run(&level, &Settings::default(), &mut SplitMix::new(1), &mut ()).unwrap();
    assert_eq!((level.traps().len(), level.monsters().len()), (1, 1));
}

/// NetHack 3.4.3, `place_lregion`: "anywhere" begins in row 1.
#[test]
fn stairs_at_random_places_are_below_the_top_row() {
    let mut part = Part { horizontal: 3, ..part("room", 76, 21) };
    part.level_regions = one(LevelRegion { inside_level: 1, outside_level: 1, kind: 1, ..LevelRegion::default() });
    let level = Prepared::of_parts(maze(part), CATALOG).unwrap();
    let mut machine = Machine::new();
    let mut rows = [0; 21];
    for seed in 0..2000 {
        let level = machine.run(&level, &Settings::default(), &mut SplitMix::new(seed), &mut ()).unwrap();
        rows[level.stairs().up.1 as usize] += 1;
    }
    assert!(rows[0] == 0 && rows[1..].iter().all(|&count| count > 0), "{rows:?}");
}

/// NetHack 3.4.3, `goodpos`: flying monsters can be over lava, including a floating eye.
#[test]
fn a_floating_eye_can_be_over_lava() {
    let number = CATALOG.monster("floating eye", None).unwrap().0 as i16;
    let mut part = part("lavapool", 9, 9);
    part.map.squares[40] = CATALOG.level_types.iter().position(|word| *word == "room").unwrap() as u8;
    let eye =
        Monster { number, class: b'e' as i8, chance: 100, x: 4, y: 4, alignment: NO_ALIGNMENT, ..Monster::default() };
    part.monsters = vec![Spanned::new(eye, Span::default()); 2];
    let level = Prepared::of_parts(maze(part), CATALOG).unwrap();
    let mut machine = Machine::new();
    let level = machine.run(&level, &Settings::default(), &mut SplitMix::new(1), &mut ()).unwrap();
    let eye = level.monsters()[1];
    assert_eq!(level.terrain(eye.x, eye.y), Terrain::LAVA, "{eye:?}");
}

/// Returns the events of a run before the level is finished, without its draws.
fn reported(level: PartsLevel) -> Vec<String> {
    let level = Prepared::of_parts(level, CATALOG).unwrap();
    let mut trace = Trace::new(DrawLines::Hidden);
    Machine::new().run(&level, &Settings::default(), &mut SplitMix::new(1), &mut trace).unwrap();
    trace.text().lines().map(str::to_owned).collect()
}

/// NetHack 3.4.3, `create_monster`: the game complains and continues.
#[test]
fn an_impossible_mimic_disguise_is_a_complaint() {
    let number = CATALOG.monster("giant mimic", None).unwrap().0 as i16;
    let complaint = |kind: i8, name: &str| {
        let mimic = Monster {
            number,
            class: b'm' as i8,
            chance: 100,
            x: 4,
            y: 4,
            alignment: NO_ALIGNMENT,
            appearance: kind as _,
            appear_as: Some(name.into()),
            ..Monster::default()
        };
        reported(maze(Part { monsters: one(mimic), ..part("room", 9, 9) })).into_iter().nth(1)
    };
    assert_eq!(complaint(2, "boulder"), None);
    let said = |kind, name| complaint(kind, name).unwrap();
    assert_eq!(said(2, "bolder"), "E impossible create_monster: can't find object \"%s\"");
    assert_eq!(said(3, "gnome"), "E impossible create_monster: unimplemented mon appear type [%d,\"%s\"]");
    assert_eq!(said(0, "gnome"), "E impossible create_monster: mon has an appearance, \"%s\", but no type");
}

/// NetHack 3.4.3, `create_object`: only an object that was created can lack its container.
#[test]
fn a_missing_container_is_noticed_after_the_object_is_created() {
    let apple = Object { class: b'%' as i8, number: -1, chance: 100, x: 1, y: 1, containment: 1, ..Object::default() };
    let reported = reported(maze(Part { objects: one(apple), ..part("room", 9, 9) }));
    assert_eq!(reported, ["E obj 4 4 class 7", "E impossible create_object: no container"]);
}

/// NetHack 3.4.3, `fixup_special`: an empty line is printed, too, but not after the last line end.
#[test]
fn empty_lines_of_a_message_are_printed() {
    let said = |message: &str| reported(PartsLevel { message: message.into(), ..maze(part("room", 9, 9)) });
    assert_eq!(said("second\n\nfourth\n"), ["second", "", "fourth"]);
    assert_eq!(said(""), [""; 0]);
}

/// Random numbers for nonsensical levels: mostly small, sometimes any.
struct Chaos {
    source: SplitMix,
    /// One number in this many is nonsensical.
    sense: u32,
}

impl Chaos {
    fn below(&mut self, below: u32) -> u32 {
        self.source.below(below)
    }

    fn number(&mut self) -> i8 {
        if self.makes_no_sense() {
            return self.below(256) as u8 as i8;
        }
        if self.below(4) == 0 { RANDOM } else { self.below(16) as i8 }
    }

    fn makes_no_sense(&mut self) -> bool {
        self.below(self.sense) == 0
    }

    fn list<T>(&mut self, most: u32, make: impl Fn(&mut Self) -> T) -> List<T> {
        (0..self.below(most + 1)).map(|_| Spanned::new(make(self), Span::default())).collect()
    }

    fn door(&mut self) -> Door {
        Door { x: self.number(), y: self.number(), state: self.number(), artifact: 0 }
    }

    fn trap(&mut self) -> Trap {
        Trap { x: self.number(), y: self.number(), chance: 100, kind: self.number() }
    }

    fn monster(&mut self) -> Monster {
        let class = [b'e', b';', b'm', b'@', b'D', b'&'][self.below(6) as usize] as i8;
        Monster {
            number: if self.below(2) == 0 { -1 } else { self.below(420) as i16 - 10 },
            alignment: self.number(),
            x: self.number(),
            y: self.number(),
            chance: 100,
            class: if self.makes_no_sense() { self.number() } else { class },
            ..Monster::default()
        }
    }

    fn object(&mut self) -> Object {
        let class = [b'*', b'(', b'`', b'$', b'?'][self.below(5) as usize] as i8;
        Object {
            number: if self.below(2) == 0 { -1 } else { self.below(500) as i16 - 10 },
            x: self.number(),
            y: self.number(),
            chance: 100,
            class: if self.makes_no_sense() { self.number() } else { class },
            containment: self.below(4) as i8,
            ..Object::default()
        }
    }

    fn feature(&mut self) -> Feature {
        Feature { x: self.number(), y: self.number() }
    }

    fn altar(&mut self) -> Altar {
        Altar { x: self.number(), y: self.number(), alignment: self.number(), kind: self.number(), god: 0 }
    }

    fn stair(&mut self) -> Stair {
        Stair { x: self.number(), y: self.number(), up: self.below(2) as i8 }
    }

    fn gold(&mut self) -> Gold {
        Gold { x: self.number(), y: self.number(), amount: -1 }
    }

    fn part(&mut self) -> Part {
        let sane = !self.makes_no_sense();
        let (width, height) = if sane { (20 + self.below(50), 16) } else { (self.below(140), self.below(30)) };
        let (width, height) = (width as usize, height as usize);
        let squares = (0..width * height).map(|_| if self.below(3) == 0 { self.below(40) as u8 } else { 24 }).collect();
        Part {
            horizontal: if sane { 3 } else { self.number() },
            vertical: if sane { 3 } else { self.number() },
            map: Grid { width, height, squares },
            level_regions: self.list(2, |chaos| LevelRegion {
                inside_x1: chaos.number(),
                inside_y1: chaos.number(),
                inside_x2: chaos.number(),
                inside_y2: chaos.number(),
                inside_level: chaos.below(2) as i8,
                kind: chaos.below(8) as i8,
                ..LevelRegion::default()
            }),
            object_registers: (0..self.below(13)).map(|_| self.number()).collect(),
            place_registers: PlaceRegisters {
                first: (0..self.below(13)).map(|_| (self.number(), self.number())).collect(),
                others: Vec::new(),
            },
            monster_registers: (0..self.below(13)).map(|_| self.number()).collect(),
            regions: self.list(4, |chaos| Region {
                x1: chaos.number(),
                y1: chaos.number(),
                x2: chaos.number(),
                y2: chaos.number(),
                kind: chaos.number(),
                light: chaos.number(),
                irregular: chaos.below(2) as i8,
            }),
            doors: self.list(4, Self::door),
            drawbridges: self.list(1, |chaos| Drawbridge {
                x: chaos.number(),
                y: chaos.number(),
                direction: chaos.below(5) as i8,
                open: 1,
            }),
            walks: self.list(2, |chaos| Walk { x: chaos.number(), y: chaos.number(), direction: 1 << chaos.below(4) }),
            stairs: self.list(3, Self::stair),
            altars: self.list(2, Self::altar),
            fountains: self.list(2, Self::feature),
            traps: self.list(6, Self::trap),
            monsters: self.list(8, Self::monster),
            objects: self.list(8, Self::object),
            gold: self.list(2, Self::gold),
            ..Part::default()
        }
    }

    fn room(&mut self) -> Room {
        let name = |number: u32| (number > 0).then(|| number.to_string().into());
        let own = self.below(4);
        // Rooms without a name have no subrooms, but some subrooms have subrooms.
        let parent = if own == 0 || self.makes_no_sense() { self.below(4) } else { 0 };
        let mut random = |below| if self.below(2) == 0 { -1 } else { self.number().rem_euclid(below) };
        let header = RoomHeader {
            x: random(7),
            y: random(7),
            width: random(30),
            height: random(20),
            horizontal: random(7),
            vertical: random(7),
            kind: random(26),
            light: random(2),
            filled: 1,
            ..RoomHeader::default()
        };
        Room {
            name: name(own),
            parent: name(parent),
            header,
            doors: self.list(3, |chaos| RoomDoor {
                wall: -1,
                position: chaos.number(),
                secret: -1,
                state: -1,
                artifact: 0,
            }),
            stairs: self.list(1, Self::stair),
            altars: self.list(1, Self::altar),
            fountains: self.list(2, Self::feature),
            traps: self.list(2, Self::trap),
            monsters: self.list(3, Self::monster),
            objects: self.list(3, Self::object),
            gold: self.list(1, Self::gold),
            ..Room::default()
        }
    }

    fn level(&mut self) -> PartsLevel {
        let body = if self.below(2) == 0 {
            let parts = (0..1 + self.below(3)).map(|_| self.part()).collect();
            Body::Maze(Maze { filling: self.number(), parts })
        } else {
            let rooms = (0..1 + self.below(20)).map(|_| self.room()).collect();
            let corridors = self.list(2, |chaos| Corridor {
                from_room: if chaos.makes_no_sense() { chaos.number() } else { -1 },
                from_wall: 1 << chaos.below(4),
                to_room: chaos.number(),
                to_wall: 1 << chaos.below(4),
                ..Corridor::default()
            });
            Body::Rooms(Rooms { rooms, corridors, ..Rooms::default() })
        };
        let mut level = level(body);
        if self.below(4) == 0 {
            let (foreground, background) = if self.makes_no_sense() { (self.number(), self.number()) } else { (24, 0) };
            level.init.node =
                Init { present: 1, foreground, background, smoothed: 1, joined: 1, walled: 1, ..Init::default() };
        }
        level
    }
}

/// Any level ends with a finished level or an error. `SPLC_CHAOS` is the number of levels.
#[test]
fn nonsensical_levels_end() {
    let count = std::env::var("SPLC_CHAOS").map_or(3000, |count| count.parse().unwrap());
    let settings = Settings { draws: 200_000, ..Settings::default() };
    let mut machine = Machine::new();
    let mut made = 0;
    let mut ends: BTreeMap<String, u64> = BTreeMap::new();
    for seed in 0..count {
        let mut chaos = Chaos { source: SplitMix::new(seed), sense: [20, 100, 1000, 5000][seed as usize % 4] };
        let level = Prepared::of_parts(chaos.level(), CATALOG).unwrap();
        let run = || machine.run(&level, &settings, &mut SplitMix::new(seed), &mut ()).map(|_| ());
        match std::panic::catch_unwind(std::panic::AssertUnwindSafe(run)) {
            Ok(Ok(())) => made += 1,
            Ok(Err(error)) => *ends.entry(error.to_string()).or_insert(0) += 1,
            Err(_) => panic!("level {seed} panics"),
        }
    }
    println!("{made} of {count} levels were made; others: {ends:#?}");
    // Both results must occur, or the test shows little.
    assert!((count / 10..count).contains(&made), "{made} of {count} levels were made");
}
