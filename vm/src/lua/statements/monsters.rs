//! Monsters (`lspo_monster`).

use mlua::{Lua, MultiValue, Value};
use splc_ir::catalog::{Habit, LoaderRule};
use splc_lua::des::monster as keys;
use splc_lua::names::{self as lookup, Gender};

use super::{Answer, keep_details, nothing, readable, text_of};
use crate::level::{Detail, DetailKind};
use crate::loader::{Inventory, MonsterRequest, NO_ALIGNMENT, pack};
use crate::lua::arguments::{Arguments, place};
use crate::lua::calls::call_contents;
use crate::lua::names;
use crate::lua::raised::{deadly, mistake};
use crate::lua::running::{Run, Shared};

/// The monster that a level requests.
#[derive(Clone, Copy, Debug)]
struct Kind {
    species: Option<u16>,
    class: i32,
    female: bool,
}

impl Run<'_> {
    /// Finds the species for a name, and its sex, which is drawn unless it is known (`find_montype`).
    fn species(&mut self, name: &[u8]) -> Option<(u16, Gender)> {
        let game = self.loader.game;
        let found = lookup::monster(&game.catalog, &readable(name))?;
        let (species, reported) = (u16::try_from(found.number).ok()?, found.gender);
        if !self.loader.has(LoaderRule::MonstersHaveSexes) {
            return Some((species, reported));
        }
        let sex = names::only_sex(game, species).unwrap_or_else(|| match reported {
            Gender::Either if self.loader.rn2(2) != 0 => Gender::Female,
            Gender::Either => Gender::Male,
            reported => reported,
        });
        Some((species, sex))
    }

    /// Interprets a single text about a monster: a class or a species.
    fn kind(&mut self, name: &[u8]) -> Kind {
        if let [class] = name {
            return Kind { species: None, class: i32::from(*class), female: false };
        }
        match self.species(name) {
            Some((species, sex)) => Kind { species: Some(species), class: -1, female: sex == Gender::Female },
            None => {
                let drawn = self.loader.has(LoaderRule::MonstersHaveSexes) && self.loader.rn2(2) != 0;
                Kind { species: None, class: -1, female: drawn }
            }
        }
    }

    /// Symbol of a species' class.
    fn class_of(&self, species: Option<u16>) -> i32 {
        self.loader.game.class(species).map_or(-1, |class| class as i32)
    }
}

/// The bit that the game keeps of a given truth value. The words `"yes"` and `"no"` read as 2 and 3.
fn one_bit(truth: i32) -> i32 {
    if truth > 0 { truth & 1 } else { truth }
}

pub(super) fn monster(lua: &Lua, run: Shared<'_, '_>, arguments: MultiValue) -> Answer {
    let arguments = Arguments::new(arguments);
    let (mut name, mut appearance, mut inventory) = (None, None, Value::Nil);
    let (mut peaceful, mut asleep, mut waiting, mut alignment) = (-1, -1, false, NO_ALIGNMENT);
    let (mut kind, at);
    let mut keeps = -1;
    let mut details: Vec<(&'static str, i64)> = Vec::new();
    let mut making = Making::default();
    if arguments.len() == 1 && arguments.is_text(1) {
        kind = run.borrow_mut().kind(&arguments.text(1)?);
        at = (-1, -1);
    } else if arguments.len() == 2 && arguments.is_text(1) && arguments.is_table(2) {
        at = place(arguments.get(2))?.unwrap_or((-1, -1));
        kind = run.borrow_mut().kind(&arguments.text(1)?);
    } else if arguments.len() == 3 {
        let text = arguments.text(1)?;
        at = (arguments.integer(2)?, arguments.integer(3)?);
        kind = run.borrow_mut().kind(&text);
    } else {
        let fields = arguments.only_table(lua)?;
        peaceful = one_bit(fields.truth(&keys::PEACEFUL)?);
        asleep = one_bit(fields.truth(&keys::ASLEEP)?);
        name = text_of(lua, run, &fields, &keys::NAME)?;
        alignment = fields.word(run, &keys::ALIGN)?;
        let female = fields.truth(&keys::FEMALE)?;
        for (key, part) in [
            (keys::INVISIBLE, "invis"),
            (keys::CANCELLED, "cancelled"),
            (keys::REVIVED, "revived"),
            (keys::AVENGE, "avenge"),
        ] {
            details.push((part, i64::from(fields.truth(&key)?)));
        }
        for key in [keys::FLEEING, keys::BLINDED, keys::PARALYZED] {
            details.push((key.key().name, fields.number(&key)?));
        }
        for key in [keys::STUNNED, keys::CONFUSED] {
            details.push((key.key().name, i64::from(fields.truth(&key)?)));
        }
        details.push((keys::LEVEL_ADJUSTMENT.key().name, i64::from(fields.number(&keys::LEVEL_ADJUSTMENT)? as i16)));
        waiting = fields.is(&keys::WAITING)?;
        keeps = fields.truth(&keys::KEEP_DEFAULT_INVENT)?;
        making = Making {
            lacks_tail: fields.truth(&keys::TAIL)? == 0,
            lacks_group: fields.truth(&keys::GROUP)? == 0,
            beside_others: fields.truth(&keys::ADJACENT_OK)? > 0,
            over_water: fields.truth(&keys::IGNORE_WATER)? > 0,
            uncounted: fields.truth(&keys::COUNT_BIRTH)? == 0,
        };
        if let Some(text) = text_of(lua, run, &fields, &keys::APPEAR_AS)? {
            let shape = readable(&text);
            let kinds = [("obj:", 2), ("mon:", 3), ("ter:", 1)];
            let known = kinds.iter().find_map(|&(prefix, kind)| Some((kind, shape.strip_prefix(prefix)?.to_owned())));
            appearance = Some(known.ok_or_else(|| mistake(format!("Unknown appear_as type \"{shape}\"")))?);
        }
        at = fields.place(&keys::PLACE)?;
        kind = Kind { species: None, class: -1, female: one_bit(female) == 1 };
        if !run.borrow().loader.has(LoaderRule::MonstersHaveSexes) {
            // In older games a requested sex is a detail of any monster.
            details.push((keys::FEMALE.key().name, i64::from(kind.female)));
        }
        if let Some(id) = text_of(lua, run, &fields, &keys::ID)? {
            let mut run = run.borrow_mut();
            let Some((species, sex)) = run.species(&id) else {
                return Err(mistake(format!("Unknown monster id \"{}\"", readable(&id))));
            };
            kind.species = Some(species);
            if female == -1 || names::only_sex(run.loader.game, species).is_some() {
                kind.female = sex == Gender::Female;
            }
        }
        if let Some(class) = text_of(lua, run, &fields, &keys::CLASS)?
            && let [class] = class.as_slice()
        {
            kind.class = i32::from(*class);
        }
        inventory = fields.get(&keys::INVENTORY)?;
    }
    let custom = !inventory.is_nil();
    {
        let mut run = run.borrow_mut();
        if kind.species.is_some() && kind.class == -1 {
            kind.class = run.class_of(kind.species);
        }
        let name = name.as_deref().map(readable);
        let request = MonsterRequest {
            species: kind.species.map_or(-1, i32::from),
            class: kind.class,
            place: pack(i64::from(at.0 as i32), i64::from(at.1 as i32)),
            alignment,
            peaceful,
            asleep,
            name: name.as_deref(),
            appearance: appearance.as_ref().map(|(kind, name)| (*kind, name.as_str())),
            // Without a list, the usual inventory stays unless the level takes it away.
            inventory: Inventory { discards: if custom { keeps != 1 } else { keeps == 0 }, follows: custom },
        };
        let made = run.loader.level.monsters.len();
        let room = run.room();
        run.loader.create_monster(&request, room).map_err(deadly)?;
        if run.loader.level.monsters.len() > made {
            details.retain(|(_, number)| *number != 0);
            keep_details(&details, made, &mut run.loader.level.monster_details);
            // Monsters with an alignment and player monsters are made by functions that take no such wishes.
            if alignment == NO_ALIGNMENT && !names::is_player(run.loader.game, kind.species) {
                run.keep_making(made, &making);
            }
            run.loader.level.monsters[made].waiting = waiting;
            let female = kind.female && run.loader.has(LoaderRule::MonstersHaveSexes);
            run.loader.level.monsters[made].female = female;
            if let Some((shape, name)) = &appearance {
                run.take_shape(made, *shape, name);
            }
            run.loader.level.monsters[made].female = female;
        }
    }
    if let Value::Function(function) = &inventory {
        call_contents(lua, run, function, MultiValue::new())?;
        run.borrow_mut().loader.carrier = None;
    }
    nothing()
}

/// Wishes about how the game makes a monster (`makemon`).
#[derive(Clone, Copy, Debug, Default)]
struct Making {
    lacks_tail: bool,
    lacks_group: bool,
    beside_others: bool,
    over_water: bool,
    uncounted: bool,
}

impl Run<'_> {
    /// Stores the wishes that `makemon` follows: only worms have tails, only random monsters come in groups, and only
    /// members of groups are placed by it.
    fn keep_making(&mut self, monster: usize, wishes: &Making) {
        let game = self.loader.game;
        let Some(&crate::level::Monster { species, of_class, .. }) = self.loader.level.monsters.get(monster) else {
            return;
        };
        let random = species.is_none();
        let worm = random || species == game.long_worm || (of_class && game.class(species) == Some('w'));
        let kept = [
            (wishes.lacks_tail && worm, "without a tail"),
            (wishes.lacks_group && random, "without its group"),
            (wishes.over_water && random, "with a group over water"),
            (wishes.over_water && wishes.beside_others, "beside others over water"),
            (wishes.uncounted, "not counted as born"),
        ];
        for (_, words) in kept.into_iter().filter(|(wished, _)| *wished) {
            self.loader.level.monster_details.push(Detail { of: monster, kind: DetailKind::Words(words) });
        }
    }

    /// Sets the numbers of a monster's appearance, or turns it into the species (`create_monster`).
    fn take_shape(&mut self, monster: usize, kind: i32, name: &str) {
        const FEATURE: i32 = 1;
        const OBJECT: i32 = 2;
        if !self.loader.has(LoaderRule::TracesAreDetailed) || self.loader.level.monsters[monster].appearance.is_none() {
            return;
        }
        let game = self.loader.game;
        let species = self.loader.level.monsters[monster].species;
        let number = match kind {
            FEATURE => names::FEATURES.iter().find(|(known, _)| *known == name).map(|&(_, number)| number),
            OBJECT => game.catalog.objects.iter().position(|object| object.name == name).map(|number| number as i32),
            _ => {
                let found = lookup::monster(&game.catalog, name);
                let Some(shape) = found.and_then(|found| u16::try_from(found.number).ok()) else { return };
                let of_vampire = game.class(species) == Some('V');
                if Some(shape) == species || (of_vampire && game.keeps_its_shape(species, shape)) {
                    return;
                }
                if game.class(species) != Some('m') {
                    // A shape-changer becomes the species.
                    if names::only_sex(game, shape).is_none() && !game.habits(Some(shape)).has(Habit::Neuter) {
                        self.loader.rn2(10);
                    }
                    self.loader.level.monsters[monster].species = Some(shape);
                    return;
                }
                Some(i32::from(shape))
            }
        };
        if let Some(number) = number {
            self.loader.level.monsters[monster].shape = (kind, number);
        }
    }
}
