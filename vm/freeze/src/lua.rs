//! Lua scripts of NetHack 5.

use std::fmt::{Display, Write as _};

use splc_lua::quoted;
use splc_picture::{room_kind, trap_name};
use splc_vm::internals::{DetailKind, Drawn, Epitaph, bridge, feature};
use splc_vm::{Arrival, Place, Room, Terrain, Whereabouts};

use crate::Origin;
use crate::survey::{Area, SHRINE, Survey, USUAL, elsewhere, places};

/// Flags of ice that was a pool or a moat.
const ICED_POOL: i32 = 8;
const ICED_MOAT: i32 = 16;

/// Returns the script.
pub(crate) fn write(survey: &Survey<'_>, origin: Origin<'_>) -> String {
    let mut writer = Writer { survey, out: String::new(), depth: 0 };
    writer.level(origin);
    writer.out
}

/// The arguments of a call in a table.
#[derive(Default)]
struct Keys(String);

impl Keys {
    fn add(&mut self, key: &str, value: impl Display) -> &mut Self {
        if !self.0.is_empty() {
            self.0.push_str(", ");
        }
        let _ = write!(self.0, "{key} = {value}");
        self
    }

    fn text(&mut self, key: &str, value: &str) -> &mut Self {
        self.add(key, quoted(value))
    }

    /// Adds the place of a thing. Without a map, the first column is 0.
    fn place(&mut self, (x, y): Place) -> &mut Self {
        self.add("x", x - 1).add("y", y)
    }
}

struct Writer<'a> {
    survey: &'a Survey<'a>,
    out: String,
    depth: usize,
}

impl Writer<'_> {
    fn line(&mut self, text: impl AsRef<str>) {
        let text = text.as_ref();
        if !text.is_empty() {
            (0..self.depth).for_each(|_| self.out.push_str("   "));
        }
        self.out.push_str(text);
        self.out.push('\n');
    }

    fn call(&mut self, function: &str, keys: &Keys) {
        self.line(format!("des.{function}({{ {} }});", keys.0));
    }

    /// Writes a call with a function for the contents.
    fn call_with(&mut self, function: &str, keys: &Keys, contents: &str, write: impl FnOnce(&mut Self)) {
        self.line(format!("des.{function}({{ {}, {contents} = function()", keys.0));
        self.depth += 1;
        write(self);
        self.depth -= 1;
        self.line("end });");
    }

    fn level(&mut self, origin: Origin<'_>) {
        let level = self.survey.level;
        for line in self.survey.heading(origin) {
            self.line(format!("-- {line}"));
        }
        self.line("");
        let ice =
            |wanted: i32| places().any(|(x, y)| level.terrain(x, y) == Terrain::ICE && level.flags(x, y) == wanted);
        let mut flags = vec!["noflip"];
        flags
            .extend(splc_picture::flags(level).into_iter().map(|flag| if flag == "maze" { "mazelevel" } else { flag }));
        flags.retain(|flag| !matches!(*flag, "sky" | "cavernous"));
        let pools = ice(ICED_POOL);
        flags.extend(pools.then_some("icedpools"));
        let flags: Vec<String> = flags.into_iter().map(quoted).collect();
        self.line(format!("des.level_flags({});", flags.join(", ")));
        if pools || ice(ICED_MOAT) {
            self.line("des.level_init({ style = \"solidfill\", fg = \" \", lit = 0 });");
        }
        for message in level.messages() {
            self.line(format!("des.message({});", quoted(message)));
        }
        if !level.rooms().is_empty() {
            for (character, area) in self.survey.plain_terrain() {
                self.line(format!("des.terrain({}, {});", squares(area), quoted(&character.to_string())));
            }
            self.rooms();
        }
        for (character, lit, area) in self.survey.terrain() {
            let mut keys = Keys::default();
            match area {
                [x, y, x2, y2] if (x, y) == (x2, y2) => keys.place((x, y)),
                area => keys.add("selection", squares(area)),
            };
            keys.text("typ", &character.to_string()).add("lit", i32::from(lit));
            self.call("terrain", &keys);
        }
        self.features();
        self.stairs();
        self.writings();
        self.traps();
        for (at, object) in level.objects().iter().enumerate() {
            if matches!(object.whereabouts, Whereabouts::Floor | Whereabouts::Buried) && !self.is_gold(at) {
                self.object(at, (object.x, object.y));
            }
        }
        for gold in level.gold() {
            let mut keys = Keys::default();
            // With 0, the game chooses the amount later. Without one, the loader draws it.
            self.call("gold", keys.add("amount", gold.amount).place((gold.x, gold.y)));
        }
        for at in 0..level.monsters().len() {
            self.monster(at);
        }
        for (areas, word) in self.survey.hard_walls().iter().zip(["non_diggable", "non_passwall"]) {
            for &area in areas {
                self.line(format!("des.{word}({});", selection(area)));
            }
        }
        for &[pools, moats, gold, gems] in &level.ore {
            let mut keys = Keys::default();
            keys.add("gem_prob", gems).add("gold_prob", gold);
            self.call("mineralize", keys.add("kelp_moat", moats).add("kelp_pool", pools));
        }
        for cloud in &level.clouds {
            let mut keys = Keys::default();
            let mut all = "selection.new()".to_owned();
            for &(x, y) in &cloud.squares {
                all = format!("{all}:set({},{y})", x - 1);
            }
            self.call("gas_cloud", keys.add("selection", all).add("damage", cloud.damage).add("ttl", cloud.turns));
        }
    }

    /// Returns true for gold, which is also in the list of gold.
    fn is_gold(&self, at: usize) -> bool {
        let object = self.survey.level.objects()[at];
        object.number.is_none()
            && Some(object.class) == self.survey.catalog.object_class('$')
            && self.survey.level.gold().iter().any(|gold| (gold.x, gold.y) == (object.x, object.y))
    }

    fn rooms(&mut self) {
        let catalog = self.survey.catalog;
        let kind = |room: &Room| room_kind(room.kind, catalog);
        for (room, within) in self.survey.rooms() {
            let mut keys = Keys::default();
            let [x1, y1, x2, y2] = self.survey.region(room);
            keys.add("region", list([x1 - 1, y1, x2 - 1, y2]))
                .add("lit", i32::from(room.lit))
                .text("type", &kind(room));
            keys.add("filled", room.fill).add("irregular", room.irregular).add("joined", room.joined);
            if kind(room) == "ordinary" {
                keys.add("arrival_room", true);
            }
            if within.is_empty() {
                self.call("region", &keys);
                continue;
            }
            self.call_with("region", &keys, "contents", |writer| {
                for inner in within {
                    let mut keys = Keys::default();
                    keys.text("type", &kind(inner)).add("lit", i32::from(inner.lit));
                    keys.add("x", inner.low_x - room.low_x).add("y", inner.low_y - room.low_y);
                    keys.add("w", inner.width()).add("h", inner.height());
                    writer.call("room", keys.add("filled", inner.fill).add("joined", inner.joined));
                }
            });
        }
    }

    fn features(&mut self) {
        let level = self.survey.level;
        for (x, y) in places() {
            let (terrain, flags) = (level.terrain(x, y), level.flags(x, y));
            let mut keys = Keys::default();
            match terrain {
                Terrain::FOUNTAIN | Terrain::SINK | Terrain::THRONE | Terrain::TREE => {
                    let marks: &[(&str, i32)] = match terrain {
                        Terrain::FOUNTAIN => &[("looted", feature::LOOTED), ("warned", feature::WARNED)],
                        Terrain::SINK => &[
                            ("pudding", feature::PUDDING),
                            ("dishwasher", feature::DISHWASHER),
                            ("ring", feature::RING),
                        ],
                        Terrain::TREE => &[("looted", feature::LOOTED), ("swarm", feature::SWARM)],
                        _ => &[("looted", feature::LOOTED)],
                    };
                    let marks: Vec<&str> = marks.iter().filter(|(_, bit)| flags & bit != 0).map(|it| it.0).collect();
                    // The map has thrones and trees.
                    if marks.is_empty() && matches!(terrain, Terrain::THRONE | Terrain::TREE) {
                        continue;
                    }
                    keys.text("type", terrain.word()).place((x, y));
                    for mark in marks {
                        keys.add(mark, true);
                    }
                    self.call("feature", &keys);
                }
                Terrain::ALTAR => {
                    const SANCTUM: i32 = 16;
                    let kind = match flags {
                        flags if flags & SANCTUM != 0 => "sanctum",
                        flags if flags & SHRINE != 0 => "shrine",
                        _ => "altar",
                    };
                    keys.place((x, y)).text("align", Survey::alignment(flags)).text("type", kind);
                    self.call("altar", &keys);
                }
                _ if self.survey.is_door((x, y)) => {
                    let state = self.survey.door_state((x, y));
                    self.line(format!("des.door({}, {}, {y});", quoted(state), x - 1));
                }
                _ if terrain.is_drawbridge() && flags & bridge::BELOW != 12 => {
                    let (way, open) = self.survey.bridge((x, y));
                    let state = if open { "open" } else { "closed" };
                    self.call("drawbridge", keys.place((x, y)).text("dir", way).text("state", state));
                }
                _ => {}
            }
        }
    }

    fn stairs(&mut self) {
        let Survey { level, catalog, .. } = *self.survey;
        for ((x, y), up, is_ladder) in self.survey.stairways() {
            let (word, way) = (if is_ladder { "ladder" } else { "stair" }, if up { "up" } else { "down" });
            self.line(format!("des.{word}(\"{way}\", {}, {y});", x - 1));
        }
        for arrival in &self.survey.branches() {
            let mut keys = Keys::default();
            self.call("levregion", areas(&mut keys, arrival).text("type", "branch"));
        }
        for (arrival, way) in self.survey.arrivals() {
            let mut keys = Keys::default();
            self.call("teleport_region", areas(&mut keys, arrival).text("dir", way));
        }
        for zone in &level.zones {
            let [x1, y1, x2, y2] = zone.area;
            let word = match zone.kind {
                7 => Some("monster-generation"),
                kind => catalog.level_regions.iter().find(|(_, number)| *number == i64::from(kind)).and_then(|it| {
                    [("teleport", "teleport"), ("up_teleport", "teleport-up"), ("down_teleport", "teleport-down")]
                        .iter()
                        .find(|(name, _)| *name == it.0)
                        .map(|it| it.1)
                }),
            };
            if let Some(word) = word {
                let mut keys = Keys::default();
                self.call("exclusion", keys.text("type", word).add("region", list([x1 - 1, y1, x2 - 1, y2])));
            }
        }
    }

    fn writings(&mut self) {
        let level = self.survey.level;
        for grave in &level.graves {
            if level.terrain(grave.x, grave.y) == Terrain::GRAVE {
                let mut keys = Keys::default();
                keys.place((grave.x, grave.y));
                match grave.epitaph {
                    // Without `text` the game chooses an epitaph; an empty one means none.
                    None => drop(keys.text("text", "")),
                    Some(Epitaph::Random) => {}
                    Some(Epitaph::Text(text)) => drop(keys.text("text", level.text(text))),
                }
                self.call("grave", &keys);
            }
        }
        for (how, engraving) in self.survey.engravings() {
            let mut keys = Keys::default();
            keys.place((engraving.x, engraving.y)).text("type", how).text("text", level.text(engraving.text));
            if !engraving.degrades {
                keys.add("degrade", false);
            }
            if engraving.guards {
                keys.add("guardobjects", true);
            }
            self.call("engraving", &keys);
        }
    }

    fn traps(&mut self) {
        let Survey { level, catalog, .. } = *self.survey;
        for trap in level.traps() {
            let (x, y) = (trap.x, trap.y);
            let mut keys = Keys::default();
            if let Some(target) = trap.target {
                let arrival = Arrival { within: [x, y, x, y], outside: elsewhere((x, y)) };
                areas(&mut keys, &arrival).text("type", "portal").text("name", level.text(target));
                self.call("levregion", &keys);
                continue;
            }
            let kind = trap_name(trap.kind, catalog);
            keys.text("type", &kind).place((x, y)).add("victim", false);
            if kind == "web" {
                keys.add("spider_on_web", false);
            }
            if trap.seen {
                keys.add("seen", true);
            }
            if let Some((to_x, to_y)) = trap.fixed {
                keys.add("teledest", format!("{{ {}, {to_y} }}", to_x - 1));
            }
            // Relative to the trap.
            if let Some((from_x, from_y)) = trap.launch {
                keys.add("launchfrom", format!("{{ {}, {} }}", from_x - x, from_y - y));
            }
            self.call("trap", &keys);
        }
    }

    fn monster(&mut self, at: usize) {
        let Survey { level, catalog, .. } = *self.survey;
        let monster = level.monsters()[at];
        let mut keys = Keys::default();
        match self.survey.species(monster.species, monster.of_class) {
            (_, Some(name)) => drop(keys.text("id", name)),
            (Some(class), None) => drop(keys.text("class", &class.to_string())),
            (None, None) => {}
        }
        keys.place((monster.x, monster.y));
        for (key, value) in [("peaceful", monster.peaceful), ("asleep", monster.asleep)] {
            if matches!(value, 0 | 1) {
                keys.add(key, value);
            }
        }
        if let Some(name) = monster.name {
            keys.text("name", level.text(name));
        }
        if let Some((kind, name)) = monster.appearance {
            let kind = ["", "ter:", "obj:", "mon:"].get(kind.unsigned_abs() as usize).unwrap_or(&"");
            keys.text("appear_as", &format!("{kind}{}", level.text(name)));
        }
        keys.add("female", i32::from(monster.female));
        if monster.waiting {
            keys.add("waiting", true);
        }
        let carried = self.survey.carried(at);
        let mut keeps = true;
        for &detail in self.survey.of_monster(at) {
            match detail {
                DetailKind::Alignment(mask) => drop(keys.text("align", Survey::alignment(mask))),
                DetailKind::Inventory => keeps = false,
                DetailKind::Words("without a tail") => drop(keys.add("tail", false)),
                DetailKind::Words("without its group") => drop(keys.add("group", false)),
                DetailKind::Words("with a group over water") => drop(keys.add("ignorewater", true)),
                DetailKind::Words("beside others over water") => {
                    keys.add("ignorewater", true).add("adjacentok", true);
                }
                DetailKind::Words("not counted as born") => drop(keys.add("countbirth", false)),
                _ => {}
            }
            let Some((part, number)) = Survey::part(detail, &catalog.monster_parts) else { continue };
            match part {
                "female" | "seentraps" => {}
                "invis" => drop(keys.add("invisible", number)),
                part => drop(keys.add(part, number)),
            }
        }
        if carried.is_empty() {
            if !keeps {
                keys.add("keep_default_invent", false);
            }
            self.call("monster", &keys);
            return;
        }
        if keeps {
            keys.add("keep_default_invent", true);
        }
        self.call_with("monster", &keys, "inventory", |writer| {
            carried.iter().for_each(|&object| writer.object(object, (monster.x, monster.y)));
        });
    }

    /// Writes an object. One in another has the place of that, because the loader would draw one.
    fn object(&mut self, at: usize, at_place: Place) {
        let Survey { level, catalog, .. } = *self.survey;
        let object = level.objects()[at];
        let mut keys = Keys::default();
        let (class, name) = self.survey.kind(&object);
        if let Some(name) = name {
            keys.text("id", name);
        }
        if let Some(class) = class {
            keys.text("class", &class.to_string());
        }
        keys.place(at_place);
        if object.whereabouts == Whereabouts::Buried {
            keys.add("buried", true);
        }
        let curse = match object.curse {
            1 => Some("blessed"),
            2 => Some("uncursed"),
            3 => Some("cursed"),
            4 => Some("not-cursed"),
            5 => Some("not-uncursed"),
            6 => Some("not-blessed"),
            _ => None,
        };
        if let Some(curse) = curse {
            keys.text("buc", curse);
        }
        let species = u16::try_from(object.monster).ok();
        let of = self.survey.species(species, object.drawn == Drawn::OfClass);
        match of {
            (_, Some(species)) => drop(keys.text("montype", species)),
            (Some(class), None) => drop(keys.text("montype", &class.to_string())),
            (None, None) => {}
        }
        self.enchantment(&mut keys, name.unwrap_or_default(), object.enchantment);
        if let Some(name) = object.name {
            keys.text("name", level.text(name));
        }
        if object.quantity >= 0 {
            keys.add("quantity", object.quantity);
        }
        let details = self.survey.of_object(at);
        for &detail in details {
            match detail {
                DetailKind::Lit => drop(keys.add("lit", true)),
                DetailKind::Prize => drop(keys.add("achievement", true)),
                _ => {}
            }
            let Some((part, number)) = Survey::part(detail, &catalog.object_parts) else { continue };
            if part != "invis" {
                keys.add(part, number);
            }
        }
        let contents = self.survey.contained(at);
        if contents.is_empty() && !details.contains(&DetailKind::Container) {
            self.call("object", &keys);
            return;
        }
        self.call_with("object", &keys, "contents", |writer| {
            contents.iter().for_each(|&other| writer.object(other, at_place));
        });
    }

    /// Adds the enchantment, or the properties that the game keeps in its place.
    fn enchantment(&self, keys: &mut Keys, name: &str, number: i32) {
        match name {
            "statue" | "corpse" => {
                for (key, mark) in [("historic", 4), ("male", 2), ("female", 1)] {
                    if number > 0 && number & mark != 0 {
                        keys.add(key, true);
                    }
                }
            }
            "egg" if number == 1 => drop(keys.add("laid_by_you", true)),
            "egg" => {}
            "tin" if number == 1 => drop(keys.text("montype", "spinach")),
            _ if number != USUAL => drop(keys.add("spe", number)),
            _ => {}
        }
    }
}

/// Adds an arrival, in columns of the level.
fn areas<'k>(keys: &'k mut Keys, arrival: &Arrival) -> &'k mut Keys {
    keys.add("region", list(arrival.within)).add("region_islev", 1);
    keys.add("exclude", list(arrival.outside)).add("exclude_islev", 1)
}

fn list([x1, y1, x2, y2]: Area) -> String {
    format!("{{ {x1}, {y1}, {x2}, {y2} }}")
}

/// A place, or a selection of all squares of an area.
fn squares(area: Area) -> String {
    let [x1, y1, x2, y2] = area;
    if (x1, y1) == (x2, y2) { format!("{{ {}, {y1} }}", x1 - 1) } else { selection(area) }
}

fn selection([x1, y1, x2, y2]: Area) -> String {
    format!("selection.fillrect({}, {y1}, {}, {y2})", x1 - 1, x2 - 1)
}
