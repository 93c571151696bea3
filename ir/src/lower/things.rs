//! Monsters, objects, rooms and regions.

use super::*;

/// The default room flag, if none are written.
const FILLED: i64 = 1;

impl Lowering<'_> {
    pub(super) fn monster(&mut self, monster: &Monster) {
        self.expr(&monster.monster);
        self.expr(&monster.place);
        self.named(Named::MonsterPart(Text::const_new("end")));
        let statement = self.span;
        for detail in &monster.details {
            self.span = detail.span;
            match &detail.node {
                MonsterDetail::Name(value)
                | MonsterDetail::Fleeing(value)
                | MonsterDetail::Blinded(value)
                | MonsterDetail::Paralyzed(value) => self.expr(value),
                MonsterDetail::Attitude(word) => self.word_or_random(Group::Attitude, word.map(Attitude::as_str)),
                MonsterDetail::Alertness(word) => self.word_or_random(Group::Alertness, word.map(Alertness::as_str)),
                MonsterDetail::Alignment(alignment) => self.alignment(*alignment),
                MonsterDetail::Appearance(appearance, name) => {
                    self.expr(name);
                    self.word(Group::Appearance, appearance.as_str());
                }
                MonsterDetail::Female
                | MonsterDetail::Invisible
                | MonsterDetail::Cancelled
                | MonsterDetail::Revived
                | MonsterDetail::Avenge
                | MonsterDetail::Stunned
                | MonsterDetail::Confused => self.integer(1),
                MonsterDetail::Own(OwnDetail { word, value }) => {
                    self.own_detail(value.as_ref());
                    self.named(Named::MonsterPart(word.clone()));
                    continue;
                }
                MonsterDetail::SeenTraps(traps) => {
                    let (traps, all) = match traps {
                        SeenTraps::All => (Vec::new(), true),
                        SeenTraps::These { traps, and_all } => {
                            (traps.iter().map(|trap| trap.node.clone()).collect(), *and_all)
                        }
                    };
                    self.named(Named::Traps { traps, all });
                }
            }
            self.named(Named::MonsterPart(Text::const_new(lacks::monster_part(&detail.node))));
        }
        self.span = statement;
        self.integer(monster.inventory.is_some());
        self.op(Opcode::Monster);
        if let Some(inventory) = &monster.inventory {
            self.contents(inventory);
            self.op(Opcode::EndMonInvent);
        }
    }

    /// Pushes the state of a door, with the bits of its flags.
    pub(super) fn door_state(&mut self, state: OrRandom<Spanned<DoorState>>, also: &[Spanned<Text>]) {
        let word = state.map(|state| state.node.as_str());
        if also.is_empty() || self.catalog.has(Feature::DoorsHaveMaterials) {
            return self.word_or_random(Group::DoorState, word);
        }
        let bits = also.iter().filter_map(|word| self.catalog.word(Group::DoorDetail, &word.node));
        let bits = bits.fold(0, |all, bit| all | bit);
        let OrRandom::Is(word) = word else { return self.integer(-1) };
        // The combined number may be that of another state.
        let number = self.catalog.word(Group::DoorState, word).unwrap_or(0) | bits;
        self.named_number(Role::Word(Group::DoorState), number);
    }

    /// Pushes the material of a door, in games whose doors have one.
    pub(super) fn door_material(&mut self, also: &[Spanned<Text>]) {
        if self.catalog.has(Feature::DoorsHaveMaterials) {
            match also.first() {
                Some(material) => self.named(Named::Word(Group::DoorDetail, material.node.clone())),
                None => self.integer(0),
            }
        }
    }

    /// Pushes the value of a detail added by a catalog.
    fn own_detail(&mut self, value: Option<&Expr>) {
        match value {
            Some(value) => self.expr(value),
            None => self.integer(1),
        }
    }

    pub(super) fn contents(&mut self, contents: &[Statement]) {
        self.containers += 1;
        self.open_breakable();
        self.block(contents);
        self.close_breakable();
        self.containers -= 1;
    }

    pub(super) fn object(&mut self, object: &Object) {
        self.expr(&object.object);
        self.named(Named::ObjectPart(Text::const_new("end")));
        let statement = self.span;
        for detail in &object.details {
            self.span = detail.span;
            match &detail.node {
                ObjectDetail::Place(value)
                | ObjectDetail::MonsterType(value)
                | ObjectDetail::Enchantment(value)
                | ObjectDetail::Name(value)
                | ObjectDetail::Quantity(value)
                | ObjectDetail::Eroded(value)
                | ObjectDetail::Recharged(value) => self.expr(value),
                ObjectDetail::Own(OwnDetail { word, value }) => {
                    self.own_detail(value.as_ref());
                    self.named(Named::ObjectPart(word.clone()));
                    continue;
                }
                ObjectDetail::Curse(curse) => self.word_or_random(Group::Curse, curse.map(Curse::as_str)),
                ObjectDetail::Light(light) => self.word(Group::Light, light.as_str()),
                ObjectDetail::Erodeproof => self.quirk_narrow_integer(-1),
                ObjectDetail::Trapped(trapped) => self.integer(*trapped == Trapped::Trapped),
                ObjectDetail::Buried | ObjectDetail::State(_) | ObjectDetail::Invisible | ObjectDetail::Greased => {
                    self.integer(1);
                }
            }
            self.named(Named::ObjectPart(Text::const_new(lacks::object_part(&detail.node))));
        }
        self.span = statement;
        /// The object is in a container or inventory.
        const CONTENT: i64 = 1;
        /// The object is a container.
        const CONTAINER: i64 = 2;
        let content = if self.containers > 0 { CONTENT } else { 0 };
        let container = if object.contents.is_some() { CONTAINER } else { 0 };
        self.integer(content | container);
        self.op(Opcode::Object);
        if let Some(contents) = &object.contents {
            self.contents(contents);
            self.op(Opcode::PopContainer);
        }
    }

    pub(super) fn room(&mut self, room: &Room) {
        self.room_type(&room.room_type, false);
        self.integer(room.chance.map_or(100, |chance| chance.node));
        self.light(room.light);
        let size = match &room.size {
            OrRandom::Random => (-1, -1),
            OrRandom::Is((width, height)) => (width.node, height.node),
        };
        let pair = |position: &OrRandom<Spanned<(i32, i32)>>| match position {
            OrRandom::Random => (-1, -1),
            OrRandom::Is(position) => position.node,
        };
        let code = match &room.placement {
            RoomPlacement::Level { position, alignment } => {
                if self.catalog.has(Feature::RoomFlagsFromAlignment) {
                    self.quirk_room_flags(alignment);
                } else {
                    self.room_flags(room.flags.as_deref());
                }
                match alignment {
                    OrRandom::Random => (0..2).for_each(|_| self.integer(-1)),
                    OrRandom::Is((horizontal, vertical)) => {
                        self.word(Group::Horizontal, horizontal.as_str());
                        self.word(Group::Vertical, vertical.as_str());
                    }
                }
                let (x, y) = pair(position);
                self.integer(x);
                self.integer(y);
                Opcode::Room
            }
            RoomPlacement::Stray { .. } => return self.refuse(),
            RoomPlacement::Room { position, .. } => {
                self.room_flags(room.flags.as_deref());
                self.quirk_narrow_integer(-1);
                self.quirk_narrow_integer(-1);
                let (x, y) = pair(position);
                self.integer(x);
                self.integer(y);
                Opcode::Subroom
            }
        };
        self.integer(size.0);
        self.integer(size.1);
        self.op(code);
        self.open_breakable();
        self.block(&room.body);
        self.close_breakable();
        self.op(Opcode::EndRoom);
    }

    /// UnNetHack 6.0.4 looks for a ROOM's flags one comma too early and finds the number of the last word before it,
    /// the vertical alignment. `random` there counts as no flags.
    pub(super) fn quirk_room_flags(&mut self, alignment: &OrRandom<(Horizontal, Vertical)>) {
        match alignment {
            OrRandom::Random => self.integer(1),
            OrRandom::Is((_, vertical)) => {
                self.integer(self.catalog.word(Group::Vertical, vertical.as_str()).unwrap_or(0));
            }
        }
    }

    /// Returns the bits of room flags: their numbers shifted by 0 (filling), 1 (irregular), 2 (joined).
    pub(super) fn room_flag_bits(&self, flags: &[Spanned<RoomFlag>]) -> i64 {
        let number = |group, word: &str| self.catalog.word(group, word).unwrap_or(0);
        flags.iter().fold(0, |bits, flag| {
            bits | match flag.node {
                RoomFlag::Filling(word) => number(Group::Filling, word.as_str()),
                RoomFlag::Irregular(word) => number(Group::Irregular, word.as_str()) << 1,
                RoomFlag::Joined(word) => number(Group::Joined, word.as_str()) << 2,
            }
        })
    }

    pub(super) fn room_flags(&mut self, flags: Option<&[Spanned<RoomFlag>]>) {
        let bits = flags.map_or(FILLED, |flags| self.room_flag_bits(flags));
        self.integer(bits);
    }

    pub(super) fn room_type(&mut self, room_type: &OrRandom<Spanned<Text>>, unfilled: bool) {
        let name = match room_type {
            OrRandom::Random => None,
            // Unknown room types become ordinary rooms; the check has warned about them.
            OrRandom::Is(name) if self.catalog.room(&name.node).is_none() => Some(Text::const_new("ordinary")),
            OrRandom::Is(name) => Some(name.node.clone()),
        };
        self.named(Named::Room { name, unfilled });
    }

    pub(super) fn region(&mut self, region: &Region) {
        self.expr(&region.area);
        self.light(region.light);
        let default = if self.catalog.has(Feature::FilledIsAFlag) { 0 } else { FILLED };
        let flags = region.flags.as_deref().map_or(default, |flags| self.room_flag_bits(flags));
        self.room_type(&region.room_type, !self.catalog.has(Feature::FilledIsAFlag) && flags & FILLED == 0);
        self.integer(flags);
        self.op(Opcode::Region);
        self.open_breakable();
        self.block(region.body.as_deref().unwrap_or(&[]));
        self.close_breakable();
        if !self.catalog.has(Feature::RegionsWithoutEnd) || region.is_old_room(self.catalog) {
            self.op(Opcode::EndRoom);
        }
    }

    pub(super) fn level_region(&mut self, region: &LevelRegion) {
        for spec in [&region.inside, &region.outside] {
            spec.corners.iter().for_each(|&corner| self.integer(corner));
            self.integer(spec.level);
        }
        let name = match &region.kind {
            LevelRegionKind::Portal(name) => Some(name.node.as_str()),
            _ => None,
        };
        self.named(Named::LevelRegion(Text::const_new(lacks::level_region(&region.kind))));
        self.integer(0);
        self.string(name);
        self.op(Opcode::LevRegion);
    }
}

impl Region {
    /// Returns true if SporkHack turns the region into a room: it has a type, is irregular or has the flag of the
    /// lowest bit.
    pub fn is_old_room(&self, catalog: &Catalog) -> bool {
        let ordinary = matches!(&self.room_type, OrRandom::Is(name) if catalog.room(&name.node).unwrap_or(0) == 0);
        let counts = |flag: &Spanned<RoomFlag>| match flag.node {
            RoomFlag::Filling(word) => catalog.word(Group::Filling, word.as_str()) == Some(1),
            RoomFlag::Irregular(word) => catalog.word(Group::Irregular, word.as_str()) == Some(1),
            RoomFlag::Joined(_) => false,
        };
        !ordinary || self.flags.iter().flatten().any(counts)
    }
}
