//! Things common to parts and rooms. Without a room they belong to the part.

use splc_ir::catalog::Habit;
use splc_ir::parts::{
    Altar, BURIED, Engraving, Feature, Gold, LIT, List, Monster, Object, RANDOM, RANDOM_ENCHANTMENT, Trap,
};

use splc_ir::source::Spanned;
use splc_ir::words::Group;

use super::Parts;
use super::places::register;
use crate::error::Fault;
use crate::game::Game;
use crate::level::Drawn;
use crate::limits::REGISTERS;
use crate::loader::{AltarRequest, Humidity, Inventory, MonsterRequest, ObjectRequest};
use crate::observer::Complaint;
use crate::terrain::Terrain;

/// Relation of an object to a container (`containment`).
const IN_CONTAINER: i8 = 1;
const CONTAINER: i8 = 2;

/// Resolves a class: given, in a register, or any (negative).
fn class(class: i8, registers: &[i8; REGISTERS]) -> i32 {
    match class {
        0.. => class.into(),
        _ if class > RANDOM => registers.get(register(class)).map_or(-1, |&class| class.into()),
        _ => -1,
    }
}

/// Requirements for a random place for a monster (`create_monster`).
fn humidity(game: &Game, species: Option<u16>, wet: Humidity) -> Humidity {
    if !game.habits(species).has(Habit::Swim) {
        Humidity::DRY
    } else if game.class(species) == Some(';') {
        wet
    } else {
        wet.and(Humidity::DRY)
    }
}

impl Parts<'_> {
    /// Returns true if a thing with a percentage chance is made.
    fn happens(&mut self, chance: i8) -> bool {
        self.loader.happens(chance.into())
    }

    /// Makes a trap (`create_trap`).
    pub(super) fn trap(&mut self, trap: &Trap, room: Option<usize>) -> Result<(), Fault> {
        if self.happens(trap.chance) {
            let (x, y) = self.free_place(trap.x, trap.y, room)?;
            self.loader.set_trap(trap.kind.into(), x, y)?;
        }
        Ok(())
    }

    /// Makes a monster (`create_monster`).
    pub(super) fn monster(&mut self, monster: &Monster, room: Option<usize>) -> Result<(), Fault> {
        if !self.happens(monster.chance) {
            return Ok(());
        }
        // An unset register contains the symbol 0, which belongs to no class.
        let request = MonsterRequest {
            species: monster.number.into(),
            class: class(monster.class, &self.monster_registers),
            place: 0,
            alignment: monster.alignment.into(),
            peaceful: monster.peaceful.into(),
            asleep: monster.asleep.into(),
            name: monster.name.as_deref(),
            appearance: monster.appear_as.as_deref().map(|name| (monster.appearance.into(), name)),
            inventory: Inventory::default(),
        };
        let (species, of_class) = self.loader.choose_species(&request)?;
        if self.loader.is_there_already(species, of_class) {
            return Ok(());
        }
        let humidity = humidity(self.loader.game, species, Self::wet());
        let place = self.place(monster.x, monster.y, humidity, room)?;
        let place = self.loader.beside_others(place, species);
        self.loader.put_monster(&request, species, of_class, place);
        Ok(())
    }

    /// Makes an object (`create_object`).
    pub(super) fn object(&mut self, object: &Object, room: Option<usize>) -> Result<(), Fault> {
        if !self.happens(object.chance) {
            return Ok(());
        }
        let place = self.place(object.x, object.y, Humidity::DRY, room)?;
        // There is only one container at a time, and only the next one ends it.
        if object.containment == CONTAINER {
            self.loader.pop_container();
        }
        let request = ObjectRequest {
            number: object.number.into(),
            class: class(object.class, &self.object_registers),
            place: 0,
            containment: object.containment.into(),
            // The loader reads a name without letters as none (`load_one_object`).
            name: object.name.as_deref().filter(|name| !name.is_empty()),
            monster: object.corpse,
            drawn: Drawn::Given,
            quantity: -1,
            curse: object.curse.into(),
            enchantment: if object.enchantment == RANDOM_ENCHANTMENT {
                RANDOM_ENCHANTMENT.into()
            } else {
                (object.enchantment as i8).into()
            },
            buried: self.has_flag(object, BURIED),
            lit: self.has_flag(object, LIT),
            prize: false,
        };
        self.loader.put_object(&request, place)?;
        // The object is made before its container is looked up.
        if object.containment == IN_CONTAINER && self.loader.container_count == 0 {
            self.loader.complain(Complaint::NoContainer);
        }
        Ok(())
    }

    /// Returns true if the object has the OBJFLAGS keyword `word`.
    fn has_flag(&self, object: &Object, word: &str) -> bool {
        let bit = self.prepared.catalog().word(Group::ObjectFlag, word).unwrap_or(0);
        i64::from(object.flags) & bit != 0
    }

    /// Makes gold (`create_gold`).
    pub(super) fn gold(&mut self, gold: &Gold, room: Option<usize>) -> Result<(), Fault> {
        let (x, y) = self.place(gold.x, gold.y, Humidity::DRY, room)?;
        let amount = if gold.amount == -1 { self.loader.rnd(200) } else { gold.amount };
        self.loader.make_gold(amount.into(), x, y);
        Ok(())
    }

    /// Makes an engraving (`create_engraving`).
    pub(super) fn engraving(&mut self, engraving: &Engraving, room: Option<usize>) -> Result<(), Fault> {
        let (x, y) = self.place(engraving.x, engraving.y, Humidity::DRY, room)?;
        self.loader.engrave(x, y, engraving.kind.into(), engraving.text.as_deref().unwrap_or_default());
        Ok(())
    }

    /// Makes an altar (`create_altar`).
    pub(super) fn altar(&mut self, altar: &Altar, room: Option<usize>) -> Result<(), Fault> {
        let (x, y) = self.free_place(altar.x, altar.y, room)?;
        let loader = &mut self.loader;
        let temple = match room {
            Some(room) => loader.level.rooms[room].kind == loader.game.rooms.temple,
            None => loader.is_in_temple(x, y),
        };
        let (alignment, shrine) = (altar.alignment.into(), altar.kind.into());
        loader.put_altar(&AltarRequest { x, y, alignment, shrine, temple });
        Ok(())
    }

    /// Makes a fountain, sink or pool (`create_feature`).
    pub(super) fn feature(&mut self, at: &Feature, terrain: Terrain, room: Option<usize>) -> Result<(), Fault> {
        let (x, y) = match room {
            Some(room) if at.x < 0 && at.y < 0 => {
                let mut tries = 0;
                loop {
                    let (x, y) = self.room_place(-1, -1, room)?;
                    tries += 1;
                    if tries > 200 {
                        return Ok(());
                    }
                    if !self.is_occupied(x, y) {
                        break (x, y);
                    }
                }
            }
            _ => self.place(at.x, at.y, Humidity::DRY, room)?,
        };
        self.loader.set_feature_at(x, y, terrain);
        Ok(())
    }

    /// Runs the place statements added by the game's catalog: they set the terrain of the statement's name, if it
    /// exists.
    pub(super) fn own_places(&mut self, lists: &[List<Feature>], room: Option<usize>) -> Result<(), Fault> {
        let words = &self.prepared.catalog().place_statements;
        for (list, word) in lists.iter().zip(words.iter()) {
            let number = self.prepared.catalog().level_type(&word.to_ascii_lowercase());
            let terrain = number.and_then(|number| self.loader.game.terrain(number));
            let in_order: &mut dyn Iterator<Item = &Spanned<Feature>> = match room {
                // The list of a room is reversed in the level file.
                Some(_) => &mut list.iter().rev(),
                None => &mut list.iter(),
            };
            for feature in in_order {
                self.begin()?;
                match terrain {
                    Some(terrain) => self.feature(&feature.node, terrain, room)?,
                    None => {
                        self.place(feature.node.x, feature.node.y, Humidity::DRY, room)?;
                    }
                }
            }
        }
        Ok(())
    }

    /// Returns true if a place has something that cannot share its square (`occupied`).
    fn is_occupied(&self, x: i32, y: i32) -> bool {
        let loader = &self.loader;
        loader.level.trap_at(x, y).is_some()
            || loader.terrain(x, y).is_furniture()
            || loader.is_lava(x, y)
            || loader.is_pool(x, y)
    }
}
