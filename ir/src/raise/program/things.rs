//! Monsters, objects, rooms and regions, with their contents.

use super::*;
use crate::catalog::OwnWord;

/// The containment bit of a container.
pub(super) const CONTAINER: i64 = 2;

/// The default room flag, if none are written.
const FILLED: i64 = 1;

impl Raising<'_> {
    /// Reads the statement of the opcode at `at`, which may contain a block; also returns the position of the next one.
    pub(super) fn thing(&mut self, at: usize, end: usize) -> Result<(StatementKind, usize), RaiseError> {
        let mut kind = match self.ops[at].code {
            Opcode::Monster => StatementKind::Monster(self.monster(at)?),
            Opcode::Object => StatementKind::Object(self.object(at)?),
            Opcode::Region => StatementKind::Region(self.region(at)?),
            _ => StatementKind::Room(Box::new(self.room(at)?)),
        };
        let Some(&closing) = self.closings.get(&at) else { return Ok((kind, at + 1)) };
        if closing >= end {
            return self.wrong(at, "the contents reach beyond the block");
        }
        let body = self.breakable(at + 1, closing, closing)?;
        match &mut kind {
            StatementKind::Monster(monster) => monster.inventory = Some(body),
            StatementKind::Object(object) => object.contents = Some(body),
            StatementKind::Region(region) => region.body = (!body.is_empty()).then_some(body),
            StatementKind::Room(room) => room.body = body,
            _ => {}
        }
        Ok((kind, closing + 1))
    }

    fn monster(&mut self, at: usize) -> Result<Monster, RaiseError> {
        let span = self.ops[at].span;
        self.truth(at)?;
        let mut details = Vec::new();
        loop {
            let Named::MonsterPart(part) = self.named(Role::MonsterPart, at)? else {
                return self.wrong(at, "a part is missing");
            };
            let detail = match part.as_str() {
                "end" => break,
                "name" => MonsterDetail::Name(self.expr(at)?),
                "peaceful" => MonsterDetail::Attitude(self.word_or_random(Group::Attitude, Attitude::from_word, at)?),
                "asleep" => {
                    MonsterDetail::Alertness(self.word_or_random(Group::Alertness, Alertness::from_word, at)?)
                }
                "align" => MonsterDetail::Alignment(self.alignment(at)?),
                "appear" => {
                    let word = self.word(Group::Appearance, Appearance::from_word, at)?;
                    MonsterDetail::Appearance(word, self.expr(at)?)
                }
                "fleeing" => MonsterDetail::Fleeing(self.expr(at)?),
                "blinded" => MonsterDetail::Blinded(self.expr(at)?),
                "paralyzed" => MonsterDetail::Paralyzed(self.expr(at)?),
                "seentraps" => match self.named(Role::Traps, at)? {
                    Named::Traps { all: true, .. } => MonsterDetail::SeenTraps(SeenTraps::All),
                    Named::Traps { traps, .. } => {
                        let traps = traps.into_iter().map(|trap| Spanned::new(trap, span)).collect();
                        MonsterDetail::SeenTraps(SeenTraps::These { traps, and_all: false })
                    }
                    _ => return self.wrong(at, "the traps are missing"),
                },
                own if self.catalog.own_word(own) == Some(OwnWord::MonsterDetail) => {
                    MonsterDetail::Own(OwnDetail { word: part.clone(), value: Some(self.expr(at)?) })
                }
                flag => {
                    self.truth(at)?;
                    match flag {
                        "female" => MonsterDetail::Female,
                        "invis" => MonsterDetail::Invisible,
                        "cancelled" => MonsterDetail::Cancelled,
                        "revived" => MonsterDetail::Revived,
                        "avenge" => MonsterDetail::Avenge,
                        "stunned" => MonsterDetail::Stunned,
                        "confused" => MonsterDetail::Confused,
                        _ => return self.wrong(at, format!("no des-file has '{flag}' for a monster")),
                    }
                }
            };
            details.push(Spanned::new(detail, span));
        }
        details.reverse();
        let place = self.expr(at)?;
        Ok(Monster { monster: self.expr(at)?, place, details, inventory: None })
    }

    fn object(&mut self, at: usize) -> Result<Object, RaiseError> {
        let span = self.ops[at].span;
        self.number(at)?;
        let mut details = Vec::new();
        loop {
            let Named::ObjectPart(part) = self.named(Role::ObjectPart, at)? else {
                return self.wrong(at, "a part is missing");
            };
            let detail = match part.as_str() {
                "end" => break,
                "coord" => ObjectDetail::Place(self.expr(at)?),
                "curse" => ObjectDetail::Curse(self.word_or_random(Group::Curse, Curse::from_word, at)?),
                "corpsenm" => ObjectDetail::MonsterType(self.expr(at)?),
                "spe" => ObjectDetail::Enchantment(self.expr(at)?),
                "name" => ObjectDetail::Name(self.expr(at)?),
                "quan" => ObjectDetail::Quantity(self.expr(at)?),
                "lit" => ObjectDetail::Light(self.word(Group::Light, Light::from_word, at)?),
                "eroded" if self.is_erodeproof() => {
                    self.pop(at)?;
                    ObjectDetail::Erodeproof
                }
                "eroded" => ObjectDetail::Eroded(self.expr(at)?),
                "recharged" => ObjectDetail::Recharged(self.expr(at)?),
                "trapped" => {
                    ObjectDetail::Trapped(if self.truth(at)? { Trapped::Trapped } else { Trapped::NotTrapped })
                }
                own if self.catalog.own_word(own) == Some(OwnWord::ObjectDetail) => {
                    ObjectDetail::Own(OwnDetail { word: part.clone(), value: Some(self.expr(at)?) })
                }
                flag => {
                    self.truth(at)?;
                    match flag {
                        "buried" => ObjectDetail::Buried,
                        "locked" => ObjectDetail::State(DoorState::Locked),
                        "broken" => ObjectDetail::State(DoorState::Broken),
                        "invis" => ObjectDetail::Invisible,
                        "greased" => ObjectDetail::Greased,
                        _ => return self.wrong(at, format!("no des-file has '{flag}' for an object")),
                    }
                }
            };
            details.push(Spanned::new(detail, span));
        }
        details.reverse();
        Ok(Object { object: self.expr(at)?, details, contents: None, contained_span: Span::NOWHERE })
    }

    /// Returns true if the top of the stack is the -1 that the game's compiler inserts for `erodeproof`.
    fn is_erodeproof(&self) -> bool {
        match self.stack.last().map(|item| &item.kind) {
            Some(values::ItemKind::Pushed(pushed)) => match self.ops[*pushed].operand {
                Some(Operand::NarrowInteger(number)) => number == -1,
                Some(Operand::Integer(number)) => number == -1 && !self.narrow,
                _ => false,
            },
            _ => false,
        }
    }

    fn room(&mut self, at: usize) -> Result<Room, RaiseError> {
        let span = self.ops[at].span;
        let pair = |second: i32, first: i32| match (first, second) {
            (-1, -1) => OrRandom::Random,
            pair => OrRandom::Is(pair),
        };
        let size = pair(self.int(at)?, self.int(at)?)
            .map(|(width, height)| (Spanned::new(width, span), Spanned::new(height, span)));
        let position = pair(self.int(at)?, self.int(at)?).map(|position| Spanned::new(position, span));
        let (vertical, horizontal) = (self.int(at)?, self.int(at)?);
        let flags = self.number(at)?;
        let (placement, flags) = if self.ops[at].code == Opcode::Subroom {
            (RoomPlacement::Room { position, parent_span: Span::NOWHERE }, self.room_flags(flags, FILLED, at)?)
        } else {
            let alignment = match (horizontal, vertical) {
                (-1, -1) => OrRandom::Random,
                _ => OrRandom::Is((
                    self.word_of(horizontal.into(), Group::Horizontal, Horizontal::from_word, at)?,
                    self.word_of(vertical.into(), Group::Vertical, Vertical::from_word, at)?,
                )),
            };
            // If the game does not read flags, the original flags are lost.
            let unread = self.catalog.has(Feature::RoomFlagsFromAlignment);
            let flags = if unread { None } else { self.room_flags(flags, FILLED, at)? };
            (RoomPlacement::Level { position, alignment }, flags)
        };
        let light = self.word_or_random(Group::Light, Light::from_word, at)?;
        let chance = Some(Spanned::new(self.int(at)?, span)).filter(|chance| chance.node != 100);
        let room_type = self.room_type(true, at)?;
        Ok(Room { room_type, chance, light, placement, size, flags, body: Vec::new(), name: None, order: None })
    }

    /// Pops a room type. Unfilled types are numbered after the last filled one, a random one first.
    fn room_type(&mut self, filled: bool, at: usize) -> Result<OrRandom<Spanned<Text>>, RaiseError> {
        let number = self.int(at)?;
        let number = if filled { number } else { number.saturating_sub(self.catalog.limits.room_types + 1) };
        match self.catalog.rooms.iter().find(|&&(_, known)| known == i64::from(number)) {
            _ if number == -1 => Ok(OrRandom::Random),
            Some((name, _)) => Ok(OrRandom::Is(Spanned::new(Text::from(&**name), self.ops[at].span))),
            None => self.wrong(at, format!("{} has no room type {number}", self.catalog.title)),
        }
    }

    fn region(&mut self, at: usize) -> Result<Region, RaiseError> {
        let flags = self.number(at)?;
        let filled = self.catalog.has(Feature::FilledIsAFlag) || flags & FILLED != 0;
        let room_type = self.room_type(filled, at)?;
        let light = self.word_or_random(Group::Light, Light::from_word, at)?;
        let default = if self.catalog.has(Feature::FilledIsAFlag) { 0 } else { FILLED };
        let flags = self.room_flags(flags, default, at)?;
        Ok(Region { area: self.expr(at)?, light, room_type, flags, body: None })
    }

    /// Returns the shortest list of flags that expresses `bits` clearly; an empty list means `default`.
    fn room_flags(&self, bits: i64, default: i64, at: usize) -> Result<Option<Vec<Spanned<RoomFlag>>>, RaiseError> {
        if bits == default {
            return Ok(None);
        }
        let known =
            |flag: RoomFlag, group, word: &str, shift: u32| Some((flag, self.catalog.word(group, word)? << shift));
        let fillings = Filling::ALL.iter();
        let fillings = fillings.filter_map(|&word| known(RoomFlag::Filling(word), Group::Filling, word.as_str(), 0));
        let shapes = Irregular::ALL.iter();
        let shapes = shapes.filter_map(|&word| known(RoomFlag::Irregular(word), Group::Irregular, word.as_str(), 1));
        let joints = Joined::ALL.iter();
        let joints = joints.filter_map(|&word| known(RoomFlag::Joined(word), Group::Joined, word.as_str(), 2));
        // At most one flag of each type.
        fn or_none(of_kind: impl Iterator<Item = (RoomFlag, i64)>) -> Vec<(Option<RoomFlag>, i64)> {
            std::iter::once((None, 0)).chain(of_kind.map(|(flag, bits)| (Some(flag), bits))).collect()
        }
        let (fillings, shapes, joints) = (or_none(fillings), or_none(shapes), or_none(joints));
        // Flags without one for filling leave a room unfilled, which few would expect, so prefer to write it.
        let unsaid = if default == FILLED { 2 } else { 0 };
        let mut fewest: Option<(usize, Vec<RoomFlag>)> = None;
        for filling in &fillings {
            for shape in &shapes {
                for joint in &joints {
                    let flags: Vec<RoomFlag> = [filling.0, shape.0, joint.0].into_iter().flatten().collect();
                    let fits = filling.1 | shape.1 | joint.1 == bits && !flags.is_empty();
                    let cost = flags.len() + if filling.0.is_none() { unsaid } else { 0 };
                    if fits && fewest.as_ref().is_none_or(|(least, _)| cost < *least) {
                        fewest = Some((cost, flags));
                    }
                }
            }
        }
        let span = self.ops[at].span;
        match fewest {
            Some((_, flags)) => Ok(Some(flags.into_iter().map(|flag| Spanned::new(flag, span)).collect())),
            None => self.wrong(at, format!("{} has no room flags {bits:#x}", self.catalog.title)),
        }
    }
}
