//! Des-files of the script dialects.

use std::fmt::Write as _;

use splc_ir::catalog::{Feature, LoaderRule};
use splc_ir::words::Group;
use splc_picture::{room_kind, trap_name};
use splc_vm::internals::{DetailKind, Drawn, Epitaph, bridge};
use splc_vm::{Arrival, Place, Room, Terrain, Trap, Whereabouts};

use crate::survey::{Area, SHRINE, Survey, USUAL, elsewhere, places};
use crate::{Origin, Unwritable};

/// The kinds of SOUNDS, from 0.
const SOUNDS: [&str; 4] = ["hear", "pline", "verbal", "feel"];

/// Returns the des-file.
pub(crate) fn write(survey: &Survey<'_>, origin: Origin<'_>) -> Result<String, Unwritable> {
    let mut writer = Writer { survey, out: String::new() };
    writer.level(origin)?;
    Ok(writer.out)
}

struct Writer<'a> {
    survey: &'a Survey<'a>,
    out: String,
}

impl Writer<'_> {
    fn line(&mut self, text: impl AsRef<str>) {
        self.out.push_str(text.as_ref());
        self.out.push('\n');
    }

    fn level(&mut self, origin: Origin<'_>) -> Result<(), Unwritable> {
        let Survey { level, catalog, .. } = *self.survey;
        for line in self.survey.heading(origin) {
            self.line(format!("# {line}"));
        }
        self.line("");
        let name = string(origin.name)?;
        self.line(format!("LEVEL: {name}"));
        let mut flags: Vec<&str> = splc_picture::flags(level);
        flags.retain(|flag| catalog.word(Group::Flag, flag).is_some());
        let more =
            [("mazelevel", level.level_flags().maze), ("noflip", catalog.loader.rules.has(LoaderRule::RandomFlips))];
        flags.extend(more.iter().filter(|(flag, on)| *on && catalog.word(Group::Flag, flag).is_some()).map(|it| it.0));
        if !flags.is_empty() {
            self.line(format!("FLAGS: {}", flags.join(", ")));
        }
        for message in level.messages() {
            for line in message.split('\n') {
                self.line(format!("MESSAGE: {}", string(line)?));
            }
        }
        self.line("NOMAP");
        if !level.rooms().is_empty() {
            for (character, area) in self.survey.plain_terrain() {
                self.line(format!("TERRAIN: {}, '{}'", squares(area), escaped(character)));
            }
            self.rooms();
        }
        for (character, lit, area) in self.survey.terrain() {
            let light = if lit { "lit" } else { "unlit" };
            self.line(format!("TERRAIN: {}, ('{}', {light})", squares(area), escaped(character)));
        }
        self.features();
        self.stairs();
        self.writings()?;
        let (monsters, late_webs) = self.survey.monsters_without_spiders();
        let is_late = |trap: &Trap| late_webs.contains(&(trap.x, trap.y));
        self.traps(|trap| !is_late(trap))?;
        for (at, object) in level.objects().iter().enumerate() {
            if matches!(object.whereabouts, Whereabouts::Floor | Whereabouts::Buried) {
                self.object(at, 0)?;
            }
        }
        for gold in level.gold() {
            self.line(format!("GOLD: {}, {}", gold.amount, place((gold.x, gold.y))));
        }
        for at in monsters {
            self.monster(at)?;
        }
        self.traps(is_late)?;
        for (areas, word) in self.survey.hard_walls().iter().zip(["NON_DIGGABLE", "NON_PASSWALL"]) {
            for &area in areas {
                self.line(format!("{word}: {}", region(area)));
            }
        }
        for [pools, moats, gold, gems] in &level.ore {
            let usual = [pools, moats, gold, gems].iter().all(|&&number| number == -1);
            let numbers = if usual { String::new() } else { format!(": {pools}, {moats}, {gold}, {gems}") };
            self.line(format!("MINERALIZE{numbers}"));
        }
        self.later()
    }

    fn rooms(&mut self) {
        let Survey { catalog, .. } = *self.survey;
        let words = |room: &Room| {
            let kind = room_kind(room.kind, catalog);
            let light = if room.lit { "lit" } else { "unlit" };
            (kind, light, if room.joined { "joined" } else { "unjoined" })
        };
        for (room, within) in self.survey.rooms() {
            let (kind, light, joined) = words(room);
            let shape = if room.irregular { "irregular" } else { "regular" };
            // The loader makes an ordinary room of a region only if it counts as filled already, the word for which
            // differs.
            let done = room.fill == 2 || kind == "ordinary";
            let filled = done == catalog.has(Feature::FilledIsAFlag);
            let filled = if filled { "filled" } else { "unfilled" };
            let area = region(self.survey.region(room));
            let line = format!("REGION: {area}, {light}, \"{kind}\", {filled}, {shape}, {joined}");
            if within.is_empty() {
                self.line(line);
                continue;
            }
            self.line(line + " {");
            for inner in within {
                let (kind, light, joined) = words(inner);
                let filled = if inner.fill != 0 { "filled" } else { "unfilled" };
                let (x, y) = (inner.low_x - room.low_x, inner.low_y - room.low_y);
                let (width, height) = (inner.width(), inner.height());
                let size = format!("({x},{y}), ({width},{height})");
                self.line(format!("  SUBROOM: \"{kind}\", {light}, {size}, {filled}, {joined} {{"));
                self.line("  }");
            }
            self.line("}");
        }
    }

    fn features(&mut self) {
        let level = self.survey.level;
        for (x, y) in places() {
            let terrain = level.terrain(x, y);
            match terrain {
                Terrain::FOUNTAIN => self.line(format!("FOUNTAIN: {}", place((x, y)))),
                Terrain::SINK => self.line(format!("SINK: {}", place((x, y)))),
                Terrain::ALTAR => {
                    let flags = level.flags(x, y);
                    let kind = if flags & SHRINE != 0 { "shrine" } else { "altar" };
                    self.line(format!("ALTAR: {}, {}, {kind}", place((x, y)), Survey::alignment(flags)));
                }
                _ if self.survey.is_door((x, y)) => {
                    self.line(format!("DOOR: {}, {}", self.survey.door_state((x, y)), place((x, y))));
                }
                _ if terrain.is_drawbridge() && level.flags(x, y) & bridge::BELOW != 12 => {
                    let (way, open) = self.survey.bridge((x, y));
                    let state = if open { "open" } else { "closed" };
                    self.line(format!("DRAWBRIDGE: {}, {way}, {state}", place((x, y))));
                }
                _ => {}
            }
        }
    }

    fn stairs(&mut self) {
        for (at, up, is_ladder) in self.survey.stairways() {
            let word = if is_ladder { "LADDER" } else { "STAIR" };
            self.line(format!("{word}: {}, {}", place(at), if up { "up" } else { "down" }));
        }
        for Arrival { within, outside } in self.survey.branches() {
            self.line(format!("BRANCH: {}, {}", levregion(within), levregion(outside)));
        }
        for (&Arrival { within, outside }, way) in self.survey.arrivals() {
            self.line(format!("TELEPORT_REGION: {}, {}, {way}", levregion(within), levregion(outside)));
        }
    }

    fn writings(&mut self) -> Result<(), Unwritable> {
        let level = self.survey.level;
        for grave in &level.graves {
            if level.terrain(grave.x, grave.y) == Terrain::GRAVE {
                let epitaph = match grave.epitaph {
                    None => String::new(),
                    Some(Epitaph::Random) => ", random".to_owned(),
                    Some(Epitaph::Text(text)) => format!(", {}", string(level.text(text))?),
                };
                self.line(format!("GRAVE: {}{epitaph}", place((grave.x, grave.y))));
            }
        }
        for (how, engraving) in self.survey.engravings() {
            let text = string(level.text(engraving.text))?;
            self.line(format!("ENGRAVING: {}, {how}, {text}", place((engraving.x, engraving.y))));
        }
        Ok(())
    }

    fn traps(&mut self, is_wanted: impl Fn(&Trap) -> bool) -> Result<(), Unwritable> {
        let Survey { level, catalog, .. } = *self.survey;
        for trap in level.traps().iter().filter(|trap| is_wanted(trap)) {
            let (x, y) = (trap.x, trap.y);
            match trap.target {
                Some(target) => {
                    let target = string(level.text(target))?;
                    self.line(format!(
                        "PORTAL: {}, {}, {target}",
                        levregion([x, y, x, y]),
                        levregion(elsewhere((x, y)))
                    ));
                }
                None => self.line(format!("TRAP: \"{}\", {}", trap_name(trap.kind, catalog), place((x, y)))),
            }
        }
        Ok(())
    }

    fn monster(&mut self, at: usize) -> Result<(), Unwritable> {
        let Survey { level, catalog, .. } = *self.survey;
        let monster = level.monsters()[at];
        let (class, name) = self.survey.species(monster.species, monster.of_class);
        let mut line = format!("MONSTER: {}, {}", named(class, name), place((monster.x, monster.y)));
        for (value, yes, no) in [(monster.peaceful, "peaceful", "hostile"), (monster.asleep, "asleep", "awake")] {
            match value {
                0 => line.extend([", ", no]),
                1 => line.extend([", ", yes]),
                _ => {}
            }
        }
        if let Some(name) = monster.name {
            let _ = write!(line, ", {}", string(level.text(name))?);
        }
        if let Some((kind, name)) = monster.appearance {
            let kind = ["", "m_feature", "m_object", "m_monster"].get(kind.unsigned_abs() as usize).unwrap_or(&"");
            let _ = write!(line, ", {kind} {}", string(level.text(name))?);
        }
        for &detail in self.survey.of_monster(at) {
            if let DetailKind::Alignment(mask) = detail {
                line.extend([", ", Survey::alignment(mask)]);
            }
            let Some((part, number)) = Survey::part(detail, &catalog.monster_parts) else { continue };
            match part {
                "seentraps" => match self.seen_traps(number) {
                    Some(words) => drop(write!(line, ", seen_traps: {words}")),
                    None => continue,
                },
                _ if number as i16 == 0 => {}
                "fleeing" | "blinded" | "paralyzed" => drop(write!(line, ", {part}: {number}")),
                "female" | "cancelled" | "revived" | "avenge" | "stunned" | "confused" => line.extend([", ", part]),
                "invis" => line.push_str(", invisible"),
                _ => {}
            }
        }
        let carried = self.survey.carried(at);
        if carried.is_empty() && !self.survey.of_monster(at).contains(&DetailKind::Inventory) {
            self.line(line);
            return Ok(());
        }
        self.line(line + " {");
        for &object in carried {
            self.object(object, 1)?;
        }
        self.line("}");
        Ok(())
    }

    /// Returns the traps of a mask in words, or `None` for no trap.
    fn seen_traps(&self, mask: i64) -> Option<String> {
        if mask == -1 {
            return Some("all".to_owned());
        }
        let traps = (1..=63).filter(|trap| mask >> (trap - 1) & 1 != 0);
        let words: Vec<String> = traps.map(|trap| format!("\"{}\"", trap_name(trap, self.survey.catalog))).collect();
        (!words.is_empty()).then(|| words.join(" | "))
    }

    /// Writes an object at a depth in others.
    fn object(&mut self, at: usize, depth: usize) -> Result<(), Unwritable> {
        let Survey { level, catalog, .. } = *self.survey;
        let object = level.objects()[at];
        let (contents, details) = (self.survey.contained(at), self.survey.of_object(at));
        let is_container = !contents.is_empty() || details.contains(&DetailKind::Container);
        let indent = "  ".repeat(depth);
        let (class, name) = self.survey.kind(&object);
        let word = if is_container { "CONTAINER" } else { "OBJECT" };
        let mut line = format!("{indent}{word}: {}", named(class, name));
        if matches!(object.whereabouts, Whereabouts::Floor | Whereabouts::Buried) {
            let _ = write!(line, ", {}", place((object.x, object.y)));
        }
        if object.whereabouts == Whereabouts::Buried {
            line.push_str(", buried");
        }
        line.push_str(match object.curse {
            1 => ", blessed",
            2 => ", uncursed",
            3 => ", cursed",
            _ => "",
        });
        let species = u16::try_from(object.monster).ok();
        match (object.drawn, self.survey.species(species, object.drawn == Drawn::OfClass)) {
            (Drawn::Any, _) => line.push_str(", montype: random"),
            (Drawn::OfClass, (Some(class), _)) => drop(write!(line, ", montype: '{}'", escaped(class))),
            (_, (_, Some(name))) => drop(write!(line, ", montype: \"{name}\"")),
            _ => {}
        }
        if object.enchantment != USUAL {
            let _ = write!(line, ", {:+}", object.enchantment);
        }
        if let Some(name) = object.name {
            let _ = write!(line, ", name: {}", string(level.text(name))?);
        }
        if object.quantity >= 0 {
            let _ = write!(line, ", quantity: {}", object.quantity);
        }
        for &detail in details {
            if detail == DetailKind::Lit {
                line.push_str(", lit");
            }
            let Some((part, number)) = Survey::part(detail, &catalog.object_parts) else { continue };
            match part {
                "eroded" if number < 0 => line.push_str(", erodeproof"),
                "eroded" | "recharged" if number != 0 => drop(write!(line, ", {part}: {number}")),
                "trapped" if number == 0 => line.push_str(", not_trapped"),
                "locked" | "broken" | "greased" | "trapped" if number > 0 => line.extend([", ", part]),
                _ => {}
            }
        }
        if !is_container {
            self.line(line);
            return Ok(());
        }
        self.line(line + " {");
        for &other in contents {
            self.object(other, depth + 1)?;
        }
        self.line(indent + "}");
        Ok(())
    }

    /// Writes what the level makes later: monsters, and sounds.
    fn later(&mut self) -> Result<(), Unwritable> {
        let level = self.survey.level;
        if let Some(chance) = level.generation.chance {
            let mut line = format!("MON_GENERATION: {chance}%");
            for &[weight, is_class, number] in &level.generation.entries {
                let (class, name) = if is_class != 0 {
                    (u8::try_from(number).ok().map(char::from), None)
                } else {
                    self.survey.species(u16::try_from(number).ok(), false)
                };
                let _ = write!(line, ", ({weight}, {})", named(class, name));
            }
            self.line(line);
        }
        if let Some(frequency) = level.sounds.frequency {
            let mut line = format!("SOUNDS: {frequency}");
            for &(kind, text) in &level.sounds.entries {
                let kind = usize::try_from(kind).ok().and_then(|kind| SOUNDS.get(kind)).unwrap_or(&"hear");
                let _ = write!(line, ", ({kind}, {})", string(level.text(text))?);
            }
            self.line(line);
        }
        Ok(())
    }
}

/// A place. Without a map, the first column is 0.
fn place((x, y): Place) -> String {
    format!("({},{y})", x - 1)
}

fn region([x1, y1, x2, y2]: Area) -> String {
    format!("({},{y1},{},{y2})", x1 - 1, x2 - 1)
}

/// A place, or a selection of all squares of an area.
fn squares(area: Area) -> String {
    let [x1, y1, x2, y2] = area;
    if (x1, y1) == (x2, y2) { place((x1, y1)) } else { format!("fillrect {}", region(area)) }
}

/// An area of the level, which must not be empty.
fn levregion([x1, y1, x2, y2]: Area) -> String {
    if x1 == 0 { "levregion(1,0,1,0)".to_owned() } else { format!("levregion({x1},{y1},{x2},{y2})") }
}

fn escaped(character: char) -> String {
    if matches!(character, '\\' | '\'') { format!("\\{character}") } else { character.to_string() }
}

fn named(class: Option<char>, name: Option<&str>) -> String {
    match (class, name) {
        (None, _) => "random".to_owned(),
        (Some(class), None) => format!("'{}'", escaped(class)),
        (Some(class), Some(name)) => format!("('{}', \"{name}\")", escaped(class)),
    }
}

fn string(text: &str) -> Result<String, Unwritable> {
    if text.contains(['"', '\n']) {
        return Err(Unwritable::Text(text.to_owned()));
    }
    Ok(format!("\"{text}\""))
}
