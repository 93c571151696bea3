//! Monsters, objects, rooms and regions.

use splc_ir::level::*;
use splc_ir::source::Span;
use splc_ir::words::{Alertness, Appearance, Attitude, DoorState, Filling, Irregular, Joined, Light, Trapped};
use splc_lua::quoted;

use super::values::{Place, Species};
use super::variables::Holds;
use super::{Leaving, Printer, names};

/// A block of statements as the value of a key.
pub(super) struct Block<'t> {
    pub key: &'static str,
    /// The span of the statement around it.
    pub span: Span,
    pub statements: &'t [Statement],
}

impl Printer<'_> {
    pub(super) fn monster(&mut self, monster: &Monster, span: Span) {
        let species = self.species(&monster.monster);
        let place = self.place(&monster.place);
        if monster.details.is_empty() && monster.inventory.is_none() {
            return self.plain("monster", species, place);
        }
        let mut keys = Vec::new();
        species_keys(&species, &mut keys);
        place.keys(&mut keys);
        for detail in &monster.details {
            if let Some(key) = self.monster_detail(&detail.node) {
                keys.push(key);
            }
        }
        let block = match monster.inventory.as_deref() {
            None => None,
            // An empty block means that it carries nothing.
            Some([]) => {
                keys.push(String::from("keep_default_invent = false"));
                None
            }
            Some(statements) => Some(Block { key: "inventory", statements, span }),
        };
        self.table_call("monster", &keys, block);
    }

    fn monster_detail(&mut self, detail: &MonsterDetail) -> Option<String> {
        Some(match detail {
            MonsterDetail::Name(name) => format!("name = {}", self.value(name)),
            MonsterDetail::Attitude(OrRandom::Random) | MonsterDetail::Alertness(OrRandom::Random) => return None,
            MonsterDetail::Attitude(OrRandom::Is(Attitude::Peaceful)) => String::from("peaceful = 1"),
            MonsterDetail::Attitude(OrRandom::Is(Attitude::Hostile)) => String::from("peaceful = 0"),
            MonsterDetail::Alertness(OrRandom::Is(Alertness::Asleep)) => String::from("asleep = 1"),
            MonsterDetail::Alertness(OrRandom::Is(Alertness::Awake)) => String::from("asleep = 0"),
            // To the game, a random alignment is none, and the monster serves no god.
            MonsterDetail::Alignment(AlignmentSpec::Random) => {
                let all = ["chaos", "neutral", "law"].map(quoted).join(", ");
                format!("align = ({{ {all} }})[math.random(3)]")
            }
            MonsterDetail::Alignment(alignment) => format!("align = {}", alignment_value(*alignment)?),
            MonsterDetail::Appearance(appearance, name) => {
                let prefix = match appearance {
                    Appearance::Object => "obj:",
                    Appearance::Monster => "mon:",
                    Appearance::Feature => "ter:",
                };
                match &name.kind {
                    ExprKind::String(name) => format!("appear_as = {}", quoted(&format!("{prefix}{name}"))),
                    _ => format!("appear_as = {} .. {}", quoted(prefix), self.value(name)),
                }
            }
            MonsterDetail::Female => String::from("female = 1"),
            MonsterDetail::Invisible => String::from("invisible = 1"),
            MonsterDetail::Cancelled => String::from("cancelled = 1"),
            MonsterDetail::Revived => String::from("revived = 1"),
            MonsterDetail::Avenge => String::from("avenge = 1"),
            MonsterDetail::Stunned => String::from("stunned = 1"),
            MonsterDetail::Confused => String::from("confused = 1"),
            MonsterDetail::Fleeing(turns) => format!("fleeing = {}", self.value(turns)),
            MonsterDetail::Blinded(turns) => format!("blinded = {}", self.value(turns)),
            MonsterDetail::Paralyzed(turns) => format!("paralyzed = {}", self.value(turns)),
            // NetHack 5 cannot express them. The caller has removed them.
            MonsterDetail::SeenTraps(_) | MonsterDetail::Own(_) => return None,
        })
    }

    pub(super) fn object(&mut self, object: &Object, span: Span) {
        let species = self.species(&object.object);
        let mut place = Place::Random;
        let mut keys = Vec::new();
        for detail in &object.details {
            match &detail.node {
                ObjectDetail::Place(expr) => {
                    place = self.place(expr);
                    place.keys(&mut keys);
                }
                ObjectDetail::Enchantment(number) if marks(&object.object, number).is_some() => {
                    let marks = marks(&object.object, number).unwrap_or_default();
                    keys.extend(marks.iter().map(|mark| (*mark).to_owned()));
                    // No marks at all, which differs from a missing key.
                    keys.extend(marks.is_empty().then(|| String::from("spe = 0")));
                }
                detail => {
                    if let Some(key) = self.object_detail(detail) {
                        keys.push(key);
                    }
                }
            }
        }
        let only_placed = object.details.iter().all(|detail| matches!(detail.node, ObjectDetail::Place(_)));
        let class_too = matches!(species, Species::Name(_, Some(_)));
        let of_monster = match &species {
            Species::Name(name, _) => OBJECTS_OF_MONSTERS.iter().any(|known| name.trim_matches('"') == *known),
            // The variable may contain one of those names.
            Species::Value(_, Holds { names, .. }) => *names,
            _ => false,
        };
        if only_placed && object.contents.is_none() && !class_too {
            match (place, &species) {
                (Place::At(x, y), Species::Value(..)) if of_monster => {
                    return self.plain("object", species, Place::Value(format!("{{ {x}, {y} }}")));
                }
                (Place::At(..), _) if of_monster => {}
                (place, _) => return self.plain("object", species, place),
            }
        }
        let mut all = Vec::new();
        species_keys(&species, &mut all);
        all.append(&mut keys);
        let block = match object.contents.as_deref() {
            None => None,
            // An empty block means that the container is emptied.
            Some([]) => {
                all.push(String::from("contents = 0"));
                None
            }
            Some(statements) => Some(Block { key: "contents", statements, span }),
        };
        self.table_call("object", &all, block);
    }

    fn object_detail(&mut self, detail: &ObjectDetail) -> Option<String> {
        Some(match detail {
            ObjectDetail::Curse(OrRandom::Random) => return None,
            ObjectDetail::Curse(OrRandom::Is(curse)) => format!("buc = {}", quoted(curse.as_str())),
            ObjectDetail::MonsterType(monster) => match self.species(monster) {
                Species::Random => return None,
                Species::Value(text, Holds { random: true, .. }) => format!("montype = {text} or nil"),
                Species::Class(text) | Species::Name(text, _) | Species::Value(text, _) => {
                    format!("montype = {text}")
                }
            },
            ObjectDetail::Enchantment(number) => format!("spe = {}", self.value(number)),
            ObjectDetail::Name(name) => format!("name = {}", self.value(name)),
            ObjectDetail::Quantity(number) => format!("quantity = {}", self.value(number)),
            ObjectDetail::Buried => String::from("buried = 1"),
            ObjectDetail::Light(Light::Lit | Light::MinesLight) => String::from("lit = 1"),
            ObjectDetail::Light(Light::Unlit) => String::from("lit = 0"),
            ObjectDetail::Eroded(number) => format!("eroded = {}", self.value(number)),
            ObjectDetail::Erodeproof => String::from("eroded = -1"),
            ObjectDetail::State(DoorState::Locked) => String::from("locked = 1"),
            ObjectDetail::State(DoorState::Broken) => String::from("broken = 1"),
            ObjectDetail::State(_) => return None,
            ObjectDetail::Trapped(Trapped::Trapped) => String::from("trapped = 1"),
            ObjectDetail::Trapped(Trapped::NotTrapped) => String::from("trapped = 0"),
            ObjectDetail::Recharged(number) => format!("recharged = {}", self.value(number)),
            ObjectDetail::Greased => String::from("greased = 1"),
            ObjectDetail::Place(_) | ObjectDetail::Invisible | ObjectDetail::Own(_) => return None,
        })
    }

    /// Writes a call such as `des.monster("newt", 3, 4)`.
    fn plain(&mut self, function: &str, species: Species, place: Place) {
        if matches!(species, Species::Value(_, Holds { random: true, .. })) {
            let mut keys = Vec::new();
            species_keys(&species, &mut keys);
            place.keys(&mut keys);
            return self.table_call(function, &keys, None);
        }
        let first = match &species {
            Species::Random => None,
            Species::Class(text) | Species::Name(text, _) | Species::Value(text, _) => Some(text),
        };
        let text = match (first, &place) {
            (None, Place::Random) => format!("des.{function}()"),
            (None, place) => {
                let mut keys = Vec::new();
                place.keys(&mut keys);
                format!("des.{function}({{ {} }})", keys.join(", "))
            }
            (Some(first), Place::Random) => format!("des.{function}({first})"),
            (Some(first), Place::At(x, y)) => format!("des.{function}({first}, {x}, {y})"),
            (Some(first), Place::Value(value)) => format!("des.{function}({first}, {value})"),
        };
        self.line(&text);
    }

    /// Writes a call such as `des.monster({ id = "newt", ... })`, with a block after its keys. If something in the
    /// block can end the level, a check follows the call.
    pub(super) fn table_call(&mut self, function: &str, keys: &[String], block: Option<Block<'_>>) {
        let line = match (keys, &block) {
            ([], Some(_)) => format!("des.{function}({{"),
            (keys, Some(_)) => format!("des.{function}({{ {},", keys.join(", ")),
            (keys, None) => format!("des.{function}({{ {} }})", keys.join(", ")),
        };
        let is_long = keys.len() > 1 && !self.out.fits(&line);
        if is_long {
            self.line(&format!("des.{function}({{"));
            self.out.indent();
            keys.iter().for_each(|key| self.line(&format!("{key},")));
            self.out.outdent();
        } else {
            self.line(&line);
        }
        match block {
            None if is_long => self.line("})"),
            None => {}
            Some(Block { key, statements, span }) => {
                self.out.indent();
                let room = if uses_room(statements) { "room" } else { "" };
                self.line(&format!("{key} = function({room})"));
                self.out.indent();
                self.leaving.push(Leaving::Function);
                self.block(statements);
                self.out.comments_within(span);
                self.leaving.pop();
                self.out.outdent();
                self.line("end");
                self.out.outdent();
                self.line("})");
                if self.exits.of(statements) {
                    self.return_if_finished();
                }
            }
        }
    }

    pub(super) fn room(&mut self, room: &Room, span: Span) {
        let mut keys = Vec::new();
        if let OrRandom::Is(name) = &room.room_type {
            keys.push(format!("type = {}", quoted(&name.node)));
        }
        if let Some(chance) = room.chance {
            keys.push(format!("chance = {}", chance.node));
        }
        if room.light != OrRandom::Random {
            keys.push(format!("lit = {}", super::values::light_number(room.light)));
        }
        let position = match &room.placement {
            RoomPlacement::Level { position, alignment } => {
                (position, if let OrRandom::Is(alignment) = alignment { Some(*alignment) } else { None })
            }
            RoomPlacement::Room { position, .. } | RoomPlacement::Stray { position, .. } => (position, None),
        };
        if let OrRandom::Is(position) = position.0 {
            let (x, y) = position.node;
            keys.push(format!("x = {x}, y = {y}"));
        }
        if let Some((horizontal, vertical)) = position.1 {
            let (horizontal, vertical) = (names::horizontal(horizontal), names::vertical(vertical));
            keys.push(format!("xalign = {}, yalign = {}", quoted(horizontal), quoted(vertical)));
        }
        if let OrRandom::Is((width, height)) = &room.size {
            keys.push(format!("w = {}, h = {}", width.node, height.node));
        }
        let flags = Flags::of(room.flags.as_deref());
        if !flags.filled {
            keys.push(String::from("filled = 0"));
        }
        if !flags.joined {
            keys.push(String::from("joined = false"));
        }
        let block = Some(room.body.as_slice()).filter(|body| !body.is_empty());
        self.table_call("room", &keys, block.map(|statements| Block { key: "contents", statements, span }));
    }

    pub(super) fn region(&mut self, region: &Region, span: Span) {
        let flags = Flags::of(region.flags.as_deref());
        let ordinary = matches!(&region.room_type, OrRandom::Is(name)
            if self.catalog.room(&name.node).unwrap_or(0) == 0);
        let body = region.body.as_deref().unwrap_or(&[]);
        // This region only sets the light. In a room, coordinates of a selection would count from its corner.
        if ordinary
            && !flags.irregular
            && flags.filled
            && body.is_empty()
            && self.leaving.is_empty()
            && let OrRandom::Is(light) = region.light
        {
            let corners = self.corners(&region.area);
            return self.line(&format!("des.region(selection.area({corners}), {})", quoted(light.as_str())));
        }
        let mut keys = vec![format!("region = {}", self.region_value(&region.area))];
        if region.light != OrRandom::Random {
            keys.push(format!("lit = {}", super::values::light_number(region.light)));
        }
        if let OrRandom::Is(name) = &region.room_type {
            keys.push(format!("type = {}", quoted(&name.node)));
        }
        let random = region.room_type == OrRandom::Random;
        match (ordinary, flags.filled) {
            // An unfilled ordinary region is only a room for arrivals, and one of a random type is a room without any.
            (true, false) => keys.push(String::from("arrival_room = true")),
            (false, _) if random => keys.push(String::from("arrival_room = true")),
            (true, true) => {}
            // The level gets the flag of the room type, but the room is not filled.
            (false, false) => keys.push(String::from("filled = 2")),
            (false, true) => keys.push(String::from("filled = 1")),
        }
        if flags.irregular {
            keys.push(String::from("irregular = 1"));
        }
        if !flags.joined {
            keys.push(String::from("joined = false"));
        }
        let block = Some(body).filter(|body| !body.is_empty());
        self.table_call("region", &keys, block.map(|statements| Block { key: "contents", statements, span }));
    }
}

/// Returns the keys for the number of a statue, corpse, egg or tin. des-files give it in place of an enchantment, and
/// NetHack 5 has a key for each of its bits.
fn marks(object: &Expr, number: &Expr) -> Option<Vec<&'static str>> {
    let ExprKind::Object(SpeciesName::Name(name) | SpeciesName::ClassAndName(_, name)) = &object.kind else {
        return None;
    };
    let ExprKind::Integer(number) = number.kind else { return None };
    let of = |marks: &[(i32, &'static str)]| {
        marks.iter().filter(|(bit, _)| number & bit != 0).map(|(_, key)| *key).collect::<Vec<_>>()
    };
    match name.as_str() {
        "statue" | "corpse" => Some(of(&[(1, "historic = 1"), (2, "male = 1"), (4, "female = 1")])),
        "egg" => Some(of(&[(1, "laid_by_you = 1")])),
        "tin" => Some(of(&[(1, "montype = \"spinach\"")])),
        _ => None,
    }
}

/// The meaning of the flags of a room or region. The games of des-files fill it by default.
struct Flags {
    filled: bool,
    irregular: bool,
    joined: bool,
}

impl Flags {
    fn of(flags: Option<&[splc_ir::source::Spanned<RoomFlag>]>) -> Flags {
        let Some(flags) = flags else { return Flags { filled: true, irregular: false, joined: true } };
        // Each word sets one bit or none. A bit without its word is not set.
        let has = |flag: RoomFlag| flags.iter().any(|known| known.node == flag);
        Flags {
            filled: has(RoomFlag::Filling(Filling::Filled)),
            irregular: has(RoomFlag::Irregular(Irregular::Irregular)),
            joined: !has(RoomFlag::Joined(Joined::Unjoined)),
        }
    }
}

fn species_keys(species: &Species, keys: &mut Vec<String>) {
    match species {
        Species::Random => {}
        Species::Class(class) => keys.push(format!("class = {class}")),
        Species::Name(name, class) => {
            keys.push(format!("id = {name}"));
            if let Some(class) = class {
                keys.push(format!("class = {class}"));
            }
        }
        Species::Value(value, Holds { classes: true, names: false, random }) => {
            keys.push(format!("class = {value}{}", if *random { " or nil" } else { "" }));
        }
        Species::Value(value, Holds { classes: false, random, .. }) => {
            keys.push(format!("id = {value}{}", if *random { " or nil" } else { "" }));
        }
        // A single letter is a class.
        Species::Value(value, Holds { random, .. }) => {
            let is_there = if *random { format!("{value} and ") } else { String::new() };
            keys.push(format!(
                "class = {is_there}#{value} == 1 and {value} or nil, id = {is_there}#{value} > 1 and {value} or nil"
            ));
        }
    }
}

/// Formats an alignment. `None` is a random one, the default of a missing key.
pub(super) fn alignment_value(alignment: AlignmentSpec) -> Option<String> {
    match alignment {
        AlignmentSpec::Is(alignment) => Some(quoted(alignment.as_str())),
        AlignmentSpec::Register(index) => Some(format!("align[{}]", index.node.saturating_add(1))),
        AlignmentSpec::Random => None,
    }
}

/// Returns true if statements refer to the room that they are in.
fn uses_room(_: &[Statement]) -> bool {
    false
}
