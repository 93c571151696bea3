//! Statements, which change the level.

use splc_ir::catalog::{Feature, LoaderRule};
use splc_ir::program::{Opcode, OperandStack, Parameter, Role, operands};
use splc_ir::source::Charset;
use splc_ir::value::ValueType;

use super::{Script, Stop, given, messages};
use crate::error::Fault;
use crate::game::{InitStyle, MonsterPart, ObjectPart};
use crate::level::{COLUMNS, Detail, DetailKind, Drawn, ROWS, wall};
use crate::limits::{MAX_DETAILS, MAX_NESTED_ROOMS, MAX_THINGS, MESSAGE_MADE};
use crate::loader::{
    CavernRequest, CorridorEnd, Humidity, Inventory, MonsterRequest, NO_ALIGNMENT, ObjectRequest, RegionRequest,
    RoomDoorRequest, RoomRequest, TrapWishes, coordinate, schar, schar_of,
};
use crate::observer::{Complaint, Event};
use crate::prepared::decode;
use crate::selection::Selection;
use crate::terrain::Terrain;
use crate::value::{Memory, TextRef, Value};

/// Details of a thing that do not affect its place: part and value, each part once. Of several values for a part, the
/// games keep the last one processed.
#[derive(Default)]
struct Details {
    list: [Option<(i64, Value)>; MAX_DETAILS],
}

impl Details {
    fn set(&mut self, part: i64, value: Value) {
        let slot = self.list.iter_mut().find(|slot| slot.is_none_or(|(known, _)| known == part));
        if let Some(slot) = slot {
            *slot = Some((part, value));
        }
    }

    fn list(&self) -> impl Iterator<Item = (i64, Value)> {
        self.list.into_iter().flatten()
    }
}

/// The flag of rooms and regions to be filled.
const FILLED: i64 = 1;

/// Decodes a text of a script. Borrows only the script's memory.
fn read<'t>(memory: &'t Memory, program: &'t [u8], charset: Charset, text: TextRef) -> std::borrow::Cow<'t, str> {
    decode(memory.text(program, text), charset)
}

impl Script<'_> {
    /// Terrain and light of a packed map character; `None` for terrain that does not exist.
    pub fn map_character(&self, packed: i64) -> (Option<Terrain>, i32) {
        let bias = self.prepared.catalog().packing.light_bias;
        let light = if bias == 0 { schar_of(packed >> 8) } else { schar_of((packed >> 8 & 0xffff) - bias) };
        (self.loader.game.terrain(schar_of(packed)), light)
    }

    /// Corners of a packed region.
    fn corners(packed: i64) -> [i32; 4] {
        [0, 8, 16, 24].map(|shift| schar_of(packed >> shift))
    }

    /// Number of the species or object type in a packed value, as stored in the games' `short`.
    fn packed_number(&self, packed: i64) -> i32 {
        let number = (packed >> 8 & 0xffff) - self.prepared.catalog().packing.species_bias;
        i32::from(number as i16)
    }

    /// Checks the limits on things in a level.
    fn check_things(&self) -> Result<(), Fault> {
        let level = &self.loader.level;
        let most = level.monsters.len().max(level.objects.len()).max(level.traps.len()).max(level.gold.len());
        if most >= MAX_THINGS { Err(Fault::Memory) } else { Ok(()) }
    }

    /// Runs a statement.
    pub(super) fn statement(&mut self, code: Opcode) -> Result<(), Stop> {
        self.loader.check_limits()?;
        match code {
            Opcode::Message => self.message()?,
            Opcode::Monster => self.monster()?,
            Opcode::Object => self.object()?,
            Opcode::EndMonInvent => self.loader.carrier = None,
            Opcode::PopContainer => self.loader.pop_container(),
            Opcode::LevelFlags => {
                let operands::LevelFlags { flags } = self.operands()?;
                self.level_flags(flags);
            }
            Opcode::InitLevel => self.init_level()?,
            Opcode::MonGeneration => self.monster_generation()?,
            Opcode::LevelSounds => self.level_sounds()?,
            Opcode::Mineralize => {
                let operands::Mineralize { gems, gold, kelp_in_moats, kelp_in_pools } = self.operands()?;
                self.loader.report(Event::Mineralized { kelp_in_pools, kelp_in_moats, gold, gems });
                self.loader.level.mineralize([kelp_in_pools, kelp_in_moats, gold, gems]);
            }
            Opcode::Room | Opcode::Subroom => {
                let requested = self.loader.has(LoaderRule::FailedRoomsTakeValues);
                if self.passes() && !requested {
                    self.skipped_rooms += 1;
                } else {
                    self.enter_room()?;
                }
            }
            Opcode::EndRoom => {
                if self.passes() && self.skipped_rooms > 0 {
                    self.skipped_rooms -= 1;
                } else {
                    self.leave_room();
                }
            }
            Opcode::Corridor => {
                let operands::Corridor { to_wall, to_door, to_room, from_wall, from_door, from_room } =
                    self.operands()?;
                let end =
                    |room, wall, door| CorridorEnd { room: schar_of(room), wall: schar_of(wall), door: schar_of(door) };
                self.loader.create_corridor(end(from_room, from_wall, from_door), end(to_room, to_wall, to_door))?;
            }
            Opcode::LevRegion => self.level_region()?,
            Opcode::Region => self.region()?,
            Opcode::RoomDoor => self.room_door()?,
            Opcode::Wallify => self.wallify()?,
            _ => self.thing(code)?,
        }
        Ok(())
    }

    /// Runs a statement that makes a feature or a thing at a place.
    fn thing(&mut self, code: Opcode) -> Result<(), Stop> {
        let room = self.room();
        match code {
            Opcode::Engraving => {
                let operands::Engraving { engraving, text, place } = self.operands()?;
                self.check_things()?;
                let (x, y) = self.loader.location_of(place, Humidity::DRY, room);
                let text = read(self.memory, &self.prepared.bytes, self.prepared.charset, text);
                self.loader.engrave(x, y, schar_of(engraving), &text);
            }
            Opcode::Door => {
                let material = self.door_material()?;
                let operands::PlacedDoor { state, at } = self.operands()?;
                let (given, flags) = self.door_state(state);
                let state = if state == -1 { self.loader.random_door_state() } else { given };
                for (x, y) in at.iter() {
                    self.loader.set_door_at(x, y, state);
                    self.keep_material((x, y), material, flags);
                }
            }
            Opcode::Stair => {
                let operands::Stair { direction, place } = self.operands()?;
                self.loader.create_stairs(place, schar_of(direction) != 0, room);
            }
            Opcode::Ladder => {
                let operands::Ladder { direction, place } = self.operands()?;
                self.loader.create_ladder(place, direction != 0, room);
            }
            Opcode::Grave => {
                let operands::Grave { kind, epitaph, place } = self.operands()?;
                let (x, y) = self.loader.location_of(place, Humidity::DRY, room);
                let text = read(self.memory, &self.prepared.bytes, self.prepared.charset, epitaph);
                self.loader.dig_grave(x, y, kind, &text);
            }
            Opcode::Altar => {
                let operands::Altar { alignment, altar, place } = self.operands()?;
                self.loader.create_altar(place, schar_of(alignment), schar_of(altar), room)?;
            }
            Opcode::Fountain => {
                let operands::Fountain { at } = self.operands()?;
                self.set_feature(&at, Some(Terrain::FOUNTAIN));
            }
            Opcode::Sink => {
                let operands::Sink { at } = self.operands()?;
                self.set_feature(&at, Some(Terrain::SINK));
            }
            Opcode::Pool => {
                let operands::Pool { at } = self.operands()?;
                self.set_feature(&at, Some(Terrain::POOL));
            }
            Opcode::Place1
            | Opcode::Place2
            | Opcode::Place3
            | Opcode::Place4
            | Opcode::Place5
            | Opcode::Place6
            | Opcode::Place7
            | Opcode::Place8 => {
                let operands::Place1 { at } = self.operands()?;
                // Further effects of the statement are known only to the game.
                self.set_feature(&at, self.place_terrain(code));
            }
            Opcode::Trap => {
                let operands::Trap { trap, place } = self.operands()?;
                self.check_things()?;
                self.loader.create_trap(schar_of(trap), place, &TrapWishes::NONE, room)?;
            }
            Opcode::Gold => {
                let operands::Gold { place, amount } = self.operands()?;
                self.check_things()?;
                let (x, y) = self.loader.location_of(place, Humidity::DRY, room);
                let amount = if amount == -1 { self.loader.rnd(200).into() } else { amount };
                self.loader.make_gold(amount, x, y);
            }
            _ => self.change_terrain(code)?,
        }
        Ok(())
    }

    /// Runs a statement that changes the terrain or the walls of a part of the level.
    fn change_terrain(&mut self, code: Opcode) -> Result<(), Stop> {
        let room = self.room();
        match code {
            Opcode::WallWalk => {
                let operands::WallWalk { chance, from, to, place } = self.operands()?;
                let place = self.loader.location_of(place, self.loader.anywhere(), room);
                if let ((Some(to), light), (Some(from), _)) = (self.map_character(to), self.map_character(from)) {
                    self.loader.wallwalk(place, to, light, from, chance as i32)?;
                }
            }
            Opcode::Terrain => {
                let operands::Terrain { terrain, at } = self.operands()?;
                let (terrain, light) = self.map_character(terrain);
                for (x, y) in at.iter() {
                    self.loader.set_terrain_at(x, y, terrain, light);
                }
            }
            Opcode::ReplaceTerrain => {
                let operands::ReplaceTerrain { chance, to, from, region } = self.operands()?;
                let (to, light) = self.map_character(to);
                let (from, _) = self.map_character(from);
                let area = Self::corners(region);
                self.loader.replace_terrain(area, from, to, light, schar_of(chance), room);
            }
            Opcode::Topography => {
                let operands::Topography { place } = self.operands()?;
                if let Some(room) = room {
                    self.loader.follow_topography(place, room)?;
                }
            }
            Opcode::Spill => {
                let ((terrain, light), direction, amount, place) =
                    if self.prepared.catalog().has(Feature::SpillTakesNumbers) {
                        let operands::SpilledNumber { light, amount, direction, terrain, place } = self.operands()?;
                        ((self.loader.game.terrain(schar_of(terrain)), schar_of(light)), direction, amount, place)
                    } else {
                        let operands::SpilledCharacter { direction, amount, terrain, place } = self.operands()?;
                        (self.map_character(terrain), direction, amount, place)
                    };
                let from = coordinate(place, Humidity::ANY).0.map(|(x, y)| (schar(x), schar(y)));
                self.loader.spill(from, terrain, light, schar_of(direction), schar_of(amount), room)?;
            }
            Opcode::Drawbridge => {
                let operands::Drawbridge { direction, open, place } = self.operands()?;
                let humidity = Humidity::DRY.and(Humidity::WET).and(Humidity::HOT);
                let (x, y) = self.loader.location_of(place, humidity, room);
                let high = self.loader.has(LoaderRule::HighDrawOpensBridges);
                let open = match open as i32 {
                    ..0 | 2.. if high => self.loader.rn2(2) != 0,
                    -1 => self.loader.rn2(2) == 0,
                    open => open != 0,
                };
                self.loader.create_drawbridge(x, y, direction as i32, open);
                self.loader.level.touch(x, y);
            }
            Opcode::MazeWalk => {
                let operands::MazeWalk { filling, stocked, direction, place } = self.operands()?;
                let place = self.loader.location_of(place, self.loader.anywhere(), room);
                self.loader.mazewalk(place, direction as i32, filling, stocked != 0)?;
                self.check_things()?;
            }
            Opcode::NonDiggable => {
                let operands::NonDiggable { region } = self.operands()?;
                self.set_wall_property(region, wall::NON_DIGGABLE);
            }
            Opcode::NonPasswall => {
                let operands::NonPasswall { region } = self.operands()?;
                self.set_wall_property(region, wall::NON_PASSABLE);
            }
            other => return Err(Fault::Opcode(other).into()),
        }
        Ok(())
    }

    /// Runs MESSAGE.
    fn message(&mut self) -> Result<(), Stop> {
        let operands::Message { text } = self.operands()?;
        let mut made = [0; MESSAGE_MADE];
        let message = if self.loader.has(LoaderRule::MessagesAreSubstituted) {
            let text = self.memory.text(&self.prepared.bytes, text);
            for part in messages::queried(text) {
                self.loader.scratch.queried.add(part);
            }
            decode(messages::message(text, &self.loader.settings.hero, &mut made)?, self.prepared.charset)
        } else {
            read(self.memory, &self.prepared.bytes, self.prepared.charset, text)
        };
        let message = self.loader.level.keep_text(&message);
        self.loader.level.messages.push(message);
        Ok(())
    }

    /// Sets a feature on every square of a selection, if the game has it.
    fn set_feature(&mut self, at: &Selection, feature: Option<Terrain>) {
        let Some(feature) = feature else { return };
        for (x, y) in at.iter() {
            self.loader.set_feature_at(x, y, feature);
        }
    }

    fn set_wall_property(&mut self, region: i64, property: i32) {
        let [x1, y1, x2, y2] = Self::corners(region);
        let (x1, y1) = self.loader.location(x1, y1, self.loader.anywhere(), None);
        let (x2, y2) = self.loader.location(x2, y2, self.loader.anywhere(), None);
        self.loader.set_wall_property([x1, y1, x2, y2], property);
    }

    /// Returns the state of a door as the bits of a square, and its other flags. -1 is a random state.
    fn door_state(&self, state: i64) -> (i32, i64) {
        match schar_of(state) {
            -1 => (-1, 0),
            number => self.prepared.game.door_state(number),
        }
    }

    /// Keeps the material of a door, or the flags that its square has no bits for.
    fn keep_material(&mut self, place: (i32, i32), material: Option<i64>, flags: i64) {
        let materials = &mut self.loader.level.materials;
        match material.or((flags != 0).then_some(flags)) {
            Some(kept) => drop(materials.insert(place, kept)),
            None => drop(materials.remove(&place)),
        }
    }

    /// Runs ROOMDOOR.
    fn room_door(&mut self) -> Result<(), Stop> {
        let material = self.door_material()?;
        let operands::WallDoor { walls, secret, state, position } = self.operands()?;
        let Some(room) = self.room() else { return Ok(()) };
        let (given, flags) = self.door_state(state);
        let request = RoomDoorRequest {
            wall: schar_of(walls),
            position: schar_of(position),
            secret: schar_of(secret),
            state: given,
        };
        self.loader.door_made = None;
        self.loader.create_room_door(request, room);
        if let Some(place) = self.loader.door_made {
            self.keep_material(place, material, flags);
        }
        Ok(())
    }

    /// Runs WALLIFY.
    fn wallify(&mut self) -> Result<(), Stop> {
        if !self.prepared.catalog().has(Feature::WallifyTakesRegions) {
            let operands::WallifiedKind { kind } = self.operands()?;
            if kind == 1 {
                let operands::WallifiedSelection { at } = self.operands()?;
                at.iter().for_each(|(x, y)| self.loader.wallify(x, y, x, y));
                return Ok(());
            }
        }
        let operands::WallifiedRegion { region } = self.operands()?;
        self.loader.wallify_or_map(Self::corners(region));
        Ok(())
    }

    /// Terrain set by a place statement: that of its own name, if it exists.
    fn place_terrain(&self, code: Opcode) -> Option<Terrain> {
        let catalog = self.prepared.catalog();
        let word = catalog.place_statements.iter().find(|word| catalog.place_opcode(word) == Some(code))?;
        let number = catalog.level_type(&word.to_ascii_lowercase())?;
        self.loader.game.terrain(number)
    }

    /// Pops the material of a door in games where doors have one.
    fn door_material(&mut self) -> Result<Option<i64>, Stop> {
        if !self.prepared.catalog().has(Feature::DoorsHaveMaterials) {
            return Ok(None);
        }
        let operands::Material { material } = self.operands()?;
        Ok(Some(material))
    }

    /// Pops the parts of a monster or object, and passes each with its value to `set`. They end with the end mark, or
    /// with any value that is not the number of a part.
    fn parts(
        &mut self,
        role: Role,
        end: i64,
        mut set: impl FnMut(&mut Self, i64, Value) -> Result<(), Fault>,
    ) -> Result<(), Stop> {
        let mut part = Value::integer(self.pop_number(Parameter { name: "part", role })?);
        for _ in 0..=end {
            let Value::Number(ValueType::Integer, number @ 0..) = part else { break };
            if number >= end {
                break;
            }
            let value = self.pop_some()?;
            set(self, number, value)?;
            part = self.pop_some()?;
        }
        Ok(())
    }

    /// Runs MONSTER (`spo_monster`).
    fn monster(&mut self) -> Result<(), Stop> {
        let operands::Monster { inventory } = self.operands()?;
        let (mut alignment, mut peaceful, mut asleep) = (NO_ALIGNMENT, -1, -1);
        let (mut name, mut appearance) = (None, None);
        let mut details = Details::default();
        self.parts(Role::MonsterPart, self.prepared.game.monster_parts_end, |script, part, value| {
            match (script.prepared.game.monster_part(part), value) {
                (MonsterPart::Name, Value::Text(text)) => name = name.or(Some(text)),
                (MonsterPart::Appearance, Value::Number(ValueType::Integer, kind)) if appearance.is_none() => {
                    let Value::Text(text) = script.pop_some()? else {
                        return Err(Fault::WrongType { wanted: ValueType::String, what: "the appearance" });
                    };
                    appearance = Some((schar_of(kind), text));
                }
                (MonsterPart::Alignment, Value::Number(ValueType::Integer, number)) => alignment = schar_of(number),
                (MonsterPart::Peaceful, Value::Number(ValueType::Integer, number)) => peaceful = schar_of(number),
                (MonsterPart::Asleep, Value::Number(ValueType::Integer, number)) => asleep = schar_of(number),
                (MonsterPart::Other, detail) => details.set(part, detail),
                _ => {}
            }
            Ok(())
        })?;
        let names = ["the place of the monster", "the monster"];
        let operands::PlacedMonster { place, monster: packed } = self.need(names)?;
        self.check_things()?;
        let read = |text| read(self.memory, &self.prepared.bytes, self.prepared.charset, text);
        let name = name.map(read);
        let appearance = appearance.map(|(kind, text)| (kind, read(text)));
        let request = MonsterRequest {
            species: self.packed_number(packed),
            class: schar_of(packed),
            place,
            alignment,
            peaceful,
            asleep,
            name: name.as_deref(),
            appearance: appearance.as_ref().map(|(kind, text)| (*kind, text.as_ref())),
            inventory: Inventory::own(inventory as i16 != 0),
        };
        let monster = self.loader.level.monsters.len();
        self.loader.create_monster(&request, self.room())?;
        // A monster that was not made has no details.
        let made = self.loader.level.monsters.len() > monster;
        for (part, value) in details.list().filter(|_| made) {
            if let Some(kind) = self.kept(part, value) {
                self.loader.level.monster_details.push(Detail { of: monster, kind });
            }
        }
        Ok(())
    }

    /// Converts a detail to the level's form.
    fn kept(&mut self, part: i64, value: Value) -> Option<DetailKind> {
        Some(match value {
            Value::Number(ValueType::Integer, number) => DetailKind::Number(part, number),
            Value::Text(text) => {
                let text = read(self.memory, &self.prepared.bytes, self.prepared.charset, text);
                DetailKind::Text(part, self.loader.level.keep_text(&text))
            }
            _ => return None,
        })
    }

    /// Runs OBJECT and CONTAINER (`spo_object`).
    fn object(&mut self) -> Result<(), Stop> {
        let operands::Object { containment } = self.operands()?;
        let place = self.prepared.catalog().packing.random_place;
        let mut request = ObjectRequest::any(place, i64::from(schar_of(containment)));
        let mut name = None;
        let mut details = Details::default();
        self.parts(Role::ObjectPart, self.prepared.game.object_parts_end, |script, part, value| {
            match (script.prepared.game.object_part(part), value) {
                (ObjectPart::Name, Value::Text(text)) => name = name.or(Some(text)),
                (ObjectPart::Monster, Value::Number(ValueType::Monster, packed)) => {
                    (request.monster, request.drawn) = match script.corpse_of(packed) {
                        Some((monster, drawn)) => (monster, drawn),
                        None => (request.monster, Drawn::Any),
                    };
                }
                (ObjectPart::Enchantment, Value::Number(ValueType::Integer, number)) => {
                    request.enchantment = i32::from(number as i16);
                }
                (ObjectPart::Curse, Value::Number(ValueType::Integer, number)) => request.curse = schar_of(number),
                (ObjectPart::Quantity, Value::Number(ValueType::Integer, number)) => request.quantity = number as i32,
                (ObjectPart::Buried, Value::Number(ValueType::Integer, number)) => request.buried = number as i16 != 0,
                (ObjectPart::Lit, Value::Number(ValueType::Integer, number)) => request.lit = number as i16 != 0,
                (ObjectPart::Place, Value::Number(ValueType::Coordinate, place)) => request.place = place,
                (ObjectPart::Place, _) => {
                    return Err(Fault::WrongType { wanted: ValueType::Coordinate, what: "the place of the object" });
                }
                (ObjectPart::Other, detail) => details.set(part, detail),
                _ => {}
            }
            Ok(())
        })?;
        let operands::MadeObject { object: packed } = self.need(["the object"])?;
        request.number = self.packed_number(packed);
        request.class = schar_of(packed);
        let name = name.map(|text| read(self.memory, &self.prepared.bytes, self.prepared.charset, text));
        request.name = name.as_deref();
        // Objects that do not stack are made one by one.
        let single = request.number > 0 && !self.prepared.game.merges(request.number);
        let count = if single { request.quantity.max(1) } else { 1 };
        for _ in 0..count {
            self.check_things()?;
            let object = self.loader.level.objects.len();
            self.loader.create_object(&request, self.room())?;
            for (part, value) in details.list() {
                if let Value::Number(ValueType::Integer, number) = value {
                    let kind = DetailKind::Number(part, number);
                    self.loader.level.object_details.push(Detail { of: object, kind });
                }
            }
        }
        Ok(())
    }

    /// The monster that an object is made of: a species, or the first of a class. `None` is any monster.
    fn corpse_of(&self, packed: i64) -> Option<(i32, Drawn)> {
        let catalog = self.prepared.catalog();
        let number = (packed >> 8 & 0xffff) - catalog.packing.species_bias;
        if (0..catalog.monsters.len() as i64).contains(&number) {
            return Some((number as i32, Drawn::Given));
        }
        let first = self.prepared.game.first_of_class(u8::try_from(schar_of(packed)).ok()?);
        first.map(|first| (first.into(), Drawn::OfClass))
    }

    /// Runs FLAGS (`spo_level_flags`).
    fn level_flags(&mut self, flags: i64) {
        let bits = self.prepared.game.flag_bits;
        let has = |bit: i64| flags & bit != 0;
        let level = &mut self.loader.level.level_flags;
        level.no_teleport |= has(bits.no_teleport);
        level.hard_floor |= has(bits.hard_floor);
        level.no_magic_map |= has(bits.no_magic_map);
        level.short_sighted |= has(bits.short_sighted);
        level.arboreal |= has(bits.arboreal);
        level.maze |= has(bits.maze);
        level.shroud |= has(bits.shroud);
        level.stormy |= has(bits.stormy);
        level.graveyard |= has(bits.graveyard);
        level.corridor_maze |= has(bits.corridor_maze);
        level.sky |= has(bits.sky);
        level.random_vault |= has(bits.random_vault);
        let own = self.prepared.game.own_flags.iter().filter(|(_, bits)| has(*bits));
        own.for_each(|(word, _)| self.loader.level.note_flag(word));
        self.loader.iced_pools |= has(bits.iced_pools);
        self.wishes.premapped |= has(bits.premapped);
        self.wishes.solid |= has(bits.solidify);
        self.wishes.ways_out |= has(bits.inaccessibles);
        // The games' names are swapped: "noflipx" keeps the rows in place.
        self.wishes.flips.top_to_bottom &= !has(bits.no_flip_x | bits.random_vault);
        self.wishes.flips.left_to_right &= !has(bits.no_flip_y | bits.random_vault);
    }

    /// Runs INIT_MAP (`spo_initlevel`, `splev_initlev`).
    fn init_level(&mut self) -> Result<(), Stop> {
        // Every style has the same values, of which most styles ignore some.
        let operands::InitialLevel { foreground, background, smoothed, joined, light, walled, filling, style } =
            self.operands()?;
        let loader = &mut self.loader;
        loader.init_present = !loader.has(LoaderRule::InitLeavesMaps);
        self.joined = joined as i32 != 0;
        let style = i64::from(schar_of(style));
        let filling = schar_of(filling);
        let mut light = schar_of(light);
        let filling_terrain = loader.game.terrain(filling);
        let known = loader.game.init_styles.iter().find(|(number, _)| *number == style);
        match known.map(|&(_, style)| style) {
            None => loader.complain(Complaint::InitStyle),
            Some(InitStyle::None) => {}
            Some(InitStyle::SolidFill) => {
                if light == -1 {
                    light = loader.rn2(2);
                }
                loader.fill_solid(filling_terrain, light);
            }
            Some(InitStyle::MazeGrid) => loader.fill_maze_grid(filling_terrain),
            Some(InitStyle::Sheol) => loader.make_sheol()?,
            Some(InitStyle::Rogue) => loader.make_rogue_rooms()?,
            Some(InitStyle::Mines) => {
                if light == -1 {
                    light = loader.rn2(2);
                }
                let request = CavernRequest {
                    floor: loader.game.terrain(schar_of(foreground)),
                    rock: loader.game.terrain(schar_of(background)),
                    smooth: schar_of(smoothed) != 0,
                    joined: schar_of(joined) != 0,
                    light,
                    walled: schar_of(walled) != 0,
                    filling: filling_terrain,
                    filled: filling > -1,
                };
                loader.fill_and_make_caverns(&request)?;
            }
        }
        Ok(())
    }

    /// Runs MON_GENERATION (`spo_mon_generation`). Monsters generated later do not affect the level being built.
    fn monster_generation(&mut self) -> Result<(), Stop> {
        if self.generation_set {
            self.loader.complain(Complaint::MonsterGenerationTwice);
            return Ok(());
        }
        let operands::MonGeneration { count, chance } = self.operands()?;
        for _ in 0..count.max(0) {
            let names = ["a chance of a monster"; 3];
            let operands::GeneratedMonster { is_class, monster, frequency } = self.need(names)?;
            self.loader.level.generation.entries.push([frequency, is_class, monster]);
        }
        self.loader.level.generation.chance = Some(chance);
        self.generation_set = true;
        Ok(())
    }

    /// Runs SOUNDS (`spo_level_sounds`).
    fn level_sounds(&mut self) -> Result<(), Stop> {
        if self.sounds_set {
            self.loader.complain(Complaint::SoundsTwice);
            return Ok(());
        }
        let operands::LevelSounds { count } = self.operands()?;
        if count < 1 {
            self.loader.complain(Complaint::NoSounds);
        }
        for _ in 0..count.max(0) {
            let operands::Sound { kind, text } = self.need(["the type of a sound", "a sound"])?;
            let text = read(self.memory, &self.prepared.bytes, self.prepared.charset, text);
            let text = self.loader.level.keep_text(&text);
            self.loader.level.sounds.entries.push((kind, text));
        }
        let frequency = given(self.operands())?;
        self.loader.level.sounds.frequency = frequency.map(|operands::SoundFrequency { frequency }| frequency);
        self.sounds_set = true;
        Ok(())
    }

    /// Runs ROOM and SUBROOM (`spo_room`).
    fn enter_room(&mut self) -> Result<(), Stop> {
        if self.depth > MAX_NESTED_ROOMS {
            return Err(Fault::RoomNesting.into());
        }
        let operands::Room { height, width, y, x, vertical, horizontal, flags, light, chance, room_type } =
            self.operands()?;
        const UNJOINED: i64 = 4;
        let request = RoomRequest {
            x: schar_of(x),
            y: schar_of(y),
            width: schar_of(width),
            height: schar_of(height),
            align_x: schar_of(horizontal),
            align_y: schar_of(vertical),
            kind: schar_of(room_type),
            chance: schar_of(chance),
            light: schar_of(light),
            filled: flags & FILLED != 0,
            joined: flags & UNJOINED == 0,
        };
        let room = if self.passes() { None } else { self.loader.build_room(&request, self.room())? };
        if room.is_none() {
            self.loader.complain(Complaint::RoomFailed);
        }
        self.open_room(room);
        Ok(())
    }

    /// Enters a room. Its contents are skipped if it could not be made.
    fn open_room(&mut self, room: Option<usize>) {
        self.rooms[self.depth] = room;
        self.depth += 1;
    }

    /// Leaves a room, or a region that is a room (`spo_endroom`).
    fn leave_room(&mut self) {
        if self.depth > 1 {
            self.depth -= 1;
        } else if self.loader.size_x <= 1 && self.loader.size_y <= 1 {
            (self.loader.start_x, self.loader.start_y) = (1, 0);
            (self.loader.size_x, self.loader.size_y) = (COLUMNS - 1, ROWS);
        }
    }

    /// Stores a level region: stairs, portals, branches, arrivals (`spo_levregion`).
    fn level_region(&mut self) -> Result<(), Stop> {
        let region: operands::LevRegion<Self> = self.operands()?;
        let outside = [region.outside_x1, region.outside_y1, region.outside_x2, region.outside_y2];
        let inside = [region.inside_x1, region.inside_y1, region.inside_x2, region.inside_y2];
        if self.loader.scratch.regions.len() >= MAX_THINGS {
            return Err(Fault::Memory.into());
        }
        let name = read(self.memory, &self.prepared.bytes, self.prepared.charset, region.portal);
        let inside = (inside.map(schar_of), schar_of(region.inside_of_level) != 0);
        let outside = (outside.map(schar_of), schar_of(region.outside_of_level) != 0);
        self.loader.add_region(inside, outside, region.kind, &name);
        Ok(())
    }

    /// Runs REGION (`spo_region`): a lit part of the level, or a room.
    fn region(&mut self) -> Result<(), Stop> {
        let operands::Region { flags, room_type, light, region } = self.operands()?;
        const IRREGULAR: i64 = 2;
        const UNJOINED: i64 = 4;
        let request = RegionRequest {
            area: Self::corners(region),
            kind: room_type,
            light,
            filled: flags & FILLED != 0,
            irregular: flags & IRREGULAR != 0,
            joined: flags & UNJOINED == 0,
        };
        if let Some(room) = self.loader.create_region(&request)? {
            if self.depth > 1 {
                self.loader.complain(Complaint::RegionAsSubroom);
            } else {
                self.open_room(Some(room));
            }
        }
        Ok(())
    }
}
