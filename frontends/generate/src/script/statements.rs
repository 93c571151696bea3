//! Statements.

use splc_ir::catalog::{Feature, Name, OwnWord};
use splc_ir::level::*;
use splc_ir::source::{Span, Spanned, Text};
use splc_ir::words::*;

use super::{Script, Variable};
use crate::names::{letters, text};
use crate::{DEEPEST, expression, spanned, statement};

/// The number of kinds of statements to draw from.
const KINDS: usize = 50;

impl Script<'_, '_> {
    /// Draws a kind of statement, and generates it if it is possible here.
    pub(super) fn kind(&mut self) -> Option<StatementKind> {
        if self.around.container {
            return self.held();
        }
        if let Some(own) = self.own_kind() {
            return Some(own);
        }
        Some(match self.choices.below(KINDS) {
            0 | 1 => self.monster(),
            2 | 3 => self.object(),
            4 => StatementKind::Trap { trap: self.trap(), place: self.place() },
            5 => self.map_statement(),
            6 => StatementKind::Terrain { at: self.area(), terrain: self.value(ValueType::MapCharacter, 1) },
            7 => self.container(),
            8 => StatementKind::Stair { place: self.place(), direction: self.choices.pick(UpDown::ALL) },
            9 => StatementKind::Ladder { place: self.place(), direction: self.choices.pick(UpDown::ALL) },
            10 => self.level_region(),
            11 => StatementKind::Message { text: self.text(0), to: Audience::Everyone },
            12 => self.init_map(),
            13 | 14 => self.room(),
            15 => self.room_door(),
            16 => {
                let (state, at) = (self.door_state(), self.area());
                StatementKind::Door { state, at, also: self.door_details(&state) }
            }
            17 | 18 => self.region(),
            19 => self.altar(),
            20 => self.grave(),
            21 => StatementKind::Fountain { at: self.area() },
            22 => StatementKind::Sink { at: self.area() },
            23 => StatementKind::Pool { at: self.area() },
            24 => {
                let amount =
                    if self.has(Feature::ValuesWithoutVariables) { self.plain_number() } else { self.number(0) };
                StatementKind::Gold { amount, place: self.place() }
            }
            25 => {
                let engraving = match self.choices.below(4) {
                    3 => OrRandom::Random,
                    _ => OrRandom::Is(self.word(Group::Engraving, EngravingType::ALL, EngravingType::as_str)),
                };
                StatementKind::Engraving { place: self.place(), engraving, text: self.text(0) }
            }
            26 => self.drawbridge(),
            27 => self.maze_walk(),
            28 => self.wallify(),
            29 => StatementKind::NonDiggable { region: self.value(ValueType::Region, 1) },
            30 => StatementKind::NonPasswall { region: self.value(ValueType::Region, 1) },
            31 => {
                let from = self.corridor_end();
                let to = match self.choices.below(4) {
                    3 => CorridorTarget::Number(spanned(self.choices.between(0, 3))),
                    _ => CorridorTarget::Door(self.corridor_end()),
                };
                StatementKind::Corridor { from, to }
            }
            32 => {
                let style = match self.choices.below(3) {
                    1 => CorridorStyle::Number(spanned(self.choices.between(0, 5))),
                    2 => CorridorStyle::Random,
                    _ => CorridorStyle::Default,
                };
                StatementKind::RandomCorridors { style }
            }
            33 => {
                let (region, from) = (self.value(ValueType::Region, 1), self.value(ValueType::MapCharacter, 1));
                let to = self.value(ValueType::MapCharacter, 1);
                StatementKind::ReplaceTerrain { region, from, to: Box::new(to), chance: self.percentage() }
            }
            34 => self.spill(),
            35 => {
                let (place, to) = (self.place(), self.value(ValueType::MapCharacter, 1));
                let from = if self.choices.percent(40) { Some(self.value(ValueType::MapCharacter, 1)) } else { None };
                let chance = if self.choices.percent(40) { Some(self.percentage()) } else { None };
                StatementKind::WallWalk { place, from, to: Box::new(to), chance }
            }
            36 => {
                let chances = if self.choices.percent(70) {
                    Some(Box::new(std::array::from_fn(|_| self.number(1))))
                } else {
                    None
                };
                StatementKind::Mineralize { chances }
            }
            37 => self.generation(),
            38 => self.sounds(),
            39 if self.vault => StatementKind::VaultGeneration { frequency: spanned(self.choices.between(1, 50)) },
            39 => StatementKind::Topologize { place: self.place() },
            40 | 41 => self.define()?,
            42 => self.shuffle()?,
            43 if self.can_define_functions() => StatementKind::Function(self.function()),
            43 | 44 => self.call()?,
            45 => self.condition_block()?,
            46 => self.chance()?,
            47 => self.switch()?,
            48 => self.repetition()?,
            _ if self.around.breakable && !self.has(Feature::BreakInCaseOnly) && self.choices.percent(60) => {
                StatementKind::Break
            }
            _ => StatementKind::Exit,
        })
    }

    /// Sometimes generates a catalog-defined statement.
    fn own_kind(&mut self) -> Option<StatementKind> {
        let catalog = self.catalog;
        let words = &catalog.place_statements;
        let depths = self.vault && self.has(Feature::VaultDepths);
        if words.is_empty() && !depths || !self.choices.percent(5) {
            return None;
        }
        match words.get(self.choices.below(words.len() + usize::from(depths))) {
            Some(word) => Some(StatementKind::Place { word: Text::from(word.as_ref()), at: self.area() }),
            None => Some(StatementKind::VaultDepth { depth: spanned(self.choices.between(1, 30)) }),
        }
    }

    /// Sometimes generates a catalog-defined detail of a monster or object.
    fn own_detail(&mut self, parts: &[(Name, i64)], kind: OwnWord) -> Option<OwnDetail> {
        let words = parts.iter().map(|(word, _)| word.as_ref());
        let catalog = self.catalog;
        let words: Vec<&str> = words.filter(|word| catalog.own_word(word) == Some(kind)).collect();
        if words.is_empty() || !self.choices.percent(20) {
            return None;
        }
        let word = Text::from(self.choices.pick(&words));
        let value = if self.choices.percent(50) { Some(self.number(1)) } else { None };
        Some(OwnDetail { word, value })
    }

    /// Generates the material or the flags of a door, which follow its state.
    fn door_details(&mut self, state: &OrRandom<Spanned<DoorState>>) -> Vec<Spanned<Text>> {
        let words: Vec<Text> = self.catalog.words(Group::DoorDetail).map(Text::from).collect();
        if words.is_empty() || !self.choices.percent(40) {
            return Vec::new();
        }
        let most = match state {
            _ if self.has(Feature::DoorsHaveMaterials) => 1,
            OrRandom::Is(_) => 2,
            OrRandom::Random => 0,
        };
        let words: Vec<&Text> = words.iter().collect();
        self.choices.some(&words, most).into_iter().map(|word| spanned(word.clone())).collect()
    }

    /// Generates a statement inside a container or inventory.
    fn held(&mut self) -> Option<StatementKind> {
        Some(match self.choices.below(10) {
            7 => self.container(),
            8 => self.condition_block()?,
            9 => self.repetition()?,
            _ => self.object(),
        })
    }

    /// Returns true if FUNCTIONs may appear here: in the level itself, not in a block.
    fn can_define_functions(&self) -> bool {
        self.has(Feature::Functions) && !self.around.nested && !self.in_function
    }

    fn place(&mut self) -> Expr {
        self.value(ValueType::Coordinate, 0)
    }

    fn area(&mut self) -> Selection {
        self.selection(0)
    }

    fn percentage(&mut self) -> Spanned<i32> {
        spanned(self.choices.between(0, 100))
    }

    fn trap(&mut self) -> OrRandom<Spanned<Text>> {
        match self.choices.below(4) {
            3 => OrRandom::Random,
            _ => OrRandom::Is(spanned(self.names.traps[self.choices.below(self.names.traps.len())].clone())),
        }
    }

    fn door_state(&mut self) -> OrRandom<Spanned<DoorState>> {
        match self.choices.below(4) {
            3 => OrRandom::Random,
            _ => OrRandom::Is(spanned(self.word(Group::DoorState, DoorState::ALL, DoorState::as_str))),
        }
    }

    fn light(&mut self) -> OrRandom<Light> {
        match self.choices.below(3) {
            2 => OrRandom::Random,
            which => OrRandom::Is(Light::ALL[which % Light::ALL.len()]),
        }
    }

    fn alignment(&mut self) -> AlignmentSpec {
        match self.choices.below(4) {
            2 => AlignmentSpec::Register(spanned(self.choices.between(0, self.catalog.limits.alignments - 1))),
            3 => AlignmentSpec::Random,
            _ => AlignmentSpec::Is(self.word(Group::Alignment, Alignment::ALL, Alignment::as_str)),
        }
    }

    // --- Things

    fn monster(&mut self) -> StatementKind {
        let monster = self.value(ValueType::Monster, 0);
        let place = self.place();
        let mut details: Vec<Spanned<MonsterDetail>> = Vec::new();
        let mut percent = 40;
        while self.choices.percent(percent) {
            let detail = self.monster_detail();
            let kind = std::mem::discriminant(&detail);
            if details.iter().all(|known| std::mem::discriminant(&known.node) != kind) {
                details.push(spanned(detail));
            }
            percent = 50;
        }
        let inventory =
            if self.around.depth < DEEPEST && self.choices.percent(10) { Some(self.holding()) } else { None };
        StatementKind::Monster(Monster { monster, place, details, inventory })
    }

    /// Generates the contents of a container or the inventory of a monster.
    fn holding(&mut self) -> Vec<Statement> {
        self.inside(|around| (around.container, around.breakable) = (true, true))
    }

    fn monster_detail(&mut self) -> MonsterDetail {
        let catalog = self.catalog;
        if let Some(own) = self.own_detail(&catalog.monster_parts, OwnWord::MonsterDetail) {
            return MonsterDetail::Own(own);
        }
        match self.choices.below(17) {
            1 => MonsterDetail::Attitude(OrRandom::Is(self.choices.pick(Attitude::ALL))),
            2 => MonsterDetail::Alertness(OrRandom::Is(self.choices.pick(Alertness::ALL))),
            3 => MonsterDetail::Alignment(self.alignment()),
            4 => {
                let kind = self.word(Group::Appearance, Appearance::ALL, Appearance::as_str);
                let what = match kind {
                    Appearance::Monster => self.names.monster_name(self.choices),
                    Appearance::Object => self.names.object_name(self.choices),
                    Appearance::Feature => Text::from("fountain"),
                };
                MonsterDetail::Appearance(kind, expression(ExprKind::String(what)))
            }
            5 => MonsterDetail::Female,
            6 => MonsterDetail::Invisible,
            7 => MonsterDetail::Cancelled,
            8 => MonsterDetail::Revived,
            9 => MonsterDetail::Avenge,
            10 => MonsterDetail::Fleeing(self.number(1)),
            11 => MonsterDetail::Blinded(self.number(1)),
            12 => MonsterDetail::Paralyzed(self.number(1)),
            13 => MonsterDetail::Stunned,
            14 => MonsterDetail::Confused,
            15 => MonsterDetail::SeenTraps(SeenTraps::All),
            16 => {
                let all: Vec<&Text> = self.names.traps.iter().collect();
                let mut numbers = Vec::new();
                let picked = self.choices.some(&all, 3);
                // Some traps have two names, but may be listed only once.
                let new = |name: &&Text| {
                    let number = self.catalog.trap(name);
                    let new = !numbers.contains(&number);
                    numbers.push(number);
                    new
                };
                let mut traps: Vec<_> = picked.into_iter().filter(new).map(|trap| spanned(trap.clone())).collect();
                if traps.is_empty() {
                    traps.push(spanned(self.names.traps[0].clone()));
                }
                MonsterDetail::SeenTraps(SeenTraps::These { traps, and_all: false })
            }
            _ => MonsterDetail::Name(self.text(1)),
        }
    }

    fn object(&mut self) -> StatementKind {
        let object = self.value(ValueType::Object, 0);
        let details = self.object_details();
        StatementKind::Object(Object { object, details, contents: None, contained_span: Span::NOWHERE })
    }

    fn container(&mut self) -> StatementKind {
        let object = self.value(ValueType::Object, 0);
        let details = self.object_details();
        let contents = if self.around.depth < DEEPEST { self.holding() } else { Vec::new() };
        StatementKind::Object(Object { object, details, contents: Some(contents), contained_span: Span::NOWHERE })
    }

    fn object_details(&mut self) -> Vec<Spanned<ObjectDetail>> {
        // Details that count as the same, such as both kinds of erosion.
        fn kind(detail: &ObjectDetail) -> u8 {
            match detail {
                ObjectDetail::Place(_) => 0,
                ObjectDetail::Curse(_) => 1,
                ObjectDetail::MonsterType(_) => 2,
                ObjectDetail::Enchantment(_) => 3,
                ObjectDetail::Name(_) => 4,
                ObjectDetail::Quantity(_) => 5,
                ObjectDetail::Buried => 6,
                ObjectDetail::Light(_) => 7,
                ObjectDetail::Eroded(_) | ObjectDetail::Erodeproof => 8,
                ObjectDetail::State(DoorState::Locked) => 9,
                ObjectDetail::State(_) => 10,
                ObjectDetail::Trapped(_) => 11,
                ObjectDetail::Recharged(_) => 12,
                ObjectDetail::Invisible => 13,
                ObjectDetail::Greased => 14,
                ObjectDetail::Own(_) => 15,
            }
        }
        let mut details: Vec<Spanned<ObjectDetail>> = Vec::new();
        let mut percent = 40;
        while self.choices.percent(percent) {
            let detail = self.object_detail();
            if details.iter().all(|known| kind(&known.node) != kind(&detail)) {
                details.push(spanned(detail));
            }
            percent = 50;
        }
        if !self.around.container {
            let at = self.choices.below(details.len() + 1);
            let place = self.place();
            details.insert(at, spanned(ObjectDetail::Place(place)));
        }
        details
    }

    fn object_detail(&mut self) -> ObjectDetail {
        let catalog = self.catalog;
        if let Some(own) = self.own_detail(&catalog.object_parts, OwnWord::ObjectDetail) {
            return ObjectDetail::Own(own);
        }
        match self.choices.below(15) {
            1 => ObjectDetail::MonsterType(self.value(ValueType::Monster, 1)),
            2 => {
                let number = match self.choices.below(4) {
                    3 => ExprKind::Dice { count: 1, sides: self.choices.between(1, 5) },
                    _ => ExprKind::Integer(self.choices.between(-5, 9)),
                };
                ObjectDetail::Enchantment(expression(number))
            }
            3 => ObjectDetail::Name(self.text(1)),
            4 => ObjectDetail::Quantity(self.number(1)),
            5 => ObjectDetail::Buried,
            6 => ObjectDetail::Light(self.choices.pick(Light::ALL)),
            7 => ObjectDetail::Eroded(self.number(1)),
            8 => ObjectDetail::Erodeproof,
            9 => ObjectDetail::State(DoorState::Locked),
            10 => ObjectDetail::State(DoorState::Broken),
            11 => {
                let known = Trapped::ALL.iter().copied().filter(|word| !self.catalog.lacks_keyword(word.as_str()));
                ObjectDetail::Trapped(self.choices.pick(&known.collect::<Vec<_>>()))
            }
            12 => ObjectDetail::Recharged(self.number(1)),
            13 => ObjectDetail::Invisible,
            14 => ObjectDetail::Greased,
            _ => ObjectDetail::Curse(OrRandom::Is(self.choices.pick(Curse::ALL))),
        }
    }

    // --- Areas of the level

    fn map_statement(&mut self) -> StatementKind {
        if self.choices.percent(20) {
            self.whole_level();
            return StatementKind::Map(Map::None);
        }
        let limits = &self.catalog.limits;
        let width = self.choices.between(1, 20.min(limits.map_width)) as usize;
        let height = self.choices.between(1, 9.min(limits.map_height)) as usize;
        let rows: Vec<Text> = (0..height)
            .map(|_| {
                // A row may be shorter than the map.
                let width =
                    if self.choices.percent(10) { self.choices.between(1, width as i32) as usize } else { width };
                let row: String = (0..width)
                    .map(|_| if self.choices.percent(40) { self.choices.pick(&self.names.terrain) } else { '.' })
                    .collect();
                Text::from(row)
            })
            .collect();
        let row_spans = vec![Span::NOWHERE; rows.len()];
        let position = match self.choices.below(4) {
            3 => MapPosition::At(self.place()),
            _ => MapPosition::Aligned {
                horizontal: self.word(Group::Horizontal, Horizontal::ALL, Horizontal::as_str),
                vertical: self.word(Group::Vertical, Vertical::ALL, Vertical::as_str),
            },
        };
        let keep_regions = match self.choices.below(4) {
            2 => Some(true),
            3 => Some(false),
            _ => None,
        };
        let widest = rows.iter().map(|row| row.len()).max().unwrap_or(1);
        self.map = (widest as i32 - 1, height as i32 - 1);
        let rows = MapRows { rows, row_spans, span: Span::NOWHERE };
        StatementKind::Map(Map::Drawn { position, keep_regions, rows })
    }

    fn init_map(&mut self) -> StatementKind {
        let solid = |script: &mut Self| spanned(script.choices.pick(&script.names.solid));
        let init = match self.choices.below(6) {
            1 => InitMap::MazeGrid { filling: solid(self) },
            2 | 3 => {
                let joined = self.choices.percent(50);
                InitMap::Mines {
                    // Caves of other terrain cannot be joined.
                    foreground: if joined { spanned('.') } else { solid(self) },
                    background: solid(self),
                    smoothed: self.choices.percent(50),
                    joined: spanned(joined),
                    light: self.light(),
                    walled: match self.choices.below(3) {
                        2 => OrRandom::Random,
                        which => OrRandom::Is(which == 1),
                    },
                    filling: if self.choices.percent(30) { Some(solid(self)) } else { None },
                    iced: None,
                }
            }
            4 => InitMap::Sheol,
            5 => InitMap::Rogue,
            _ => {
                let light = if self.choices.percent(50) { Some(self.light()) } else { None };
                InitMap::Solid { filling: solid(self), light }
            }
        };
        if !matches!(init, InitMap::Sheol | InitMap::Rogue) {
            self.whole_level();
        }
        StatementKind::InitMap(init)
    }

    fn room_type(&mut self) -> OrRandom<Spanned<Text>> {
        match self.choices.below(4) {
            3 => OrRandom::Random,
            _ => OrRandom::Is(spanned(self.names.rooms[self.choices.below(self.names.rooms.len())].clone())),
        }
    }

    fn room_flags(&mut self) -> Option<Vec<Spanned<RoomFlag>>> {
        let all = [
            RoomFlag::Filling(Filling::Filled),
            RoomFlag::Filling(Filling::Unfilled),
            RoomFlag::Irregular(Irregular::Irregular),
            RoomFlag::Irregular(Irregular::Regular),
            RoomFlag::Joined(Joined::Joined),
            RoomFlag::Joined(Joined::Unjoined),
        ];
        let mut flags: Vec<RoomFlag> = self.choices.some(&all, 3);
        flags.dedup_by_key(|flag| std::mem::discriminant(flag));
        if flags.is_empty() { None } else { Some(flags.into_iter().map(spanned).collect()) }
    }

    fn room(&mut self) -> StatementKind {
        let room_type = self.room_type();
        // Only special room types have a chance.
        let special = matches!(&room_type, OrRandom::Is(name) if self.catalog.room(&name.node).unwrap_or(0) != 0);
        let chance = if special && self.choices.percent(30) { Some(self.percentage()) } else { None };
        let light = self.light();
        let limits = self.catalog.limits;
        let pair = |script: &mut Self, columns: i32, rows: i32| match script.choices.below(2) {
            0 => OrRandom::Random,
            _ => OrRandom::Is(spanned((script.choices.between(1, columns), script.choices.between(1, rows)))),
        };
        let placement = if self.around.room {
            RoomPlacement::Room { position: pair(self, 9, 5), parent_span: Span::NOWHERE }
        } else {
            let position = pair(self, limits.room_columns, limits.room_rows);
            let alignment = match self.choices.below(2) {
                0 => OrRandom::Random,
                _ => OrRandom::Is((
                    self.word(Group::Horizontal, Horizontal::ALL, Horizontal::as_str),
                    self.word(Group::Vertical, Vertical::ALL, Vertical::as_str),
                )),
            };
            RoomPlacement::Level { position, alignment }
        };
        let size = match self.choices.below(2) {
            0 => OrRandom::Random,
            _ => OrRandom::Is((spanned(self.choices.between(1, 15)), spanned(self.choices.between(1, 8)))),
        };
        let flags = self.room_flags();
        let body = if self.around.depth < DEEPEST {
            self.inside(|around| (around.room, around.breakable) = (true, true))
        } else {
            Vec::new()
        };
        let room = Room { room_type, chance, light, placement, size, flags, body, name: None, order: None };
        StatementKind::Room(Box::new(room))
    }

    fn room_door(&mut self) -> StatementKind {
        let secret = match self.choices.below(3) {
            2 => OrRandom::Random,
            which => OrRandom::Is(which == 1),
        };
        let state = self.door_state();
        let walls = match self.choices.below(3) {
            0 => OrRandom::Random,
            _ => OrRandom::Is(self.directions()),
        };
        // A door in a random wall has no fixed position.
        let position = match (&walls, self.choices.below(2)) {
            (OrRandom::Is(_), 1) => OrRandom::Is(spanned(self.choices.between(0, 5))),
            _ => OrRandom::Random,
        };
        let also = self.door_details(&state);
        StatementKind::RoomDoor { secret, state, walls, position, walls_span: Span::NOWHERE, also }
    }

    fn region(&mut self) -> StatementKind {
        let area = self.value(ValueType::Region, 1);
        let (light, room_type, flags) = (self.light(), self.room_type(), self.room_flags());
        let mut region = Region { area, light, room_type, flags, body: None };
        let endless = self.has(Feature::RegionsWithoutEnd) && !region.is_old_room(self.catalog);
        if self.around.depth < DEEPEST && !endless && self.choices.percent(30) {
            let body = self.inside(|around| (around.room, around.breakable) = (true, true));
            region.body = Some(body).filter(|body| !body.is_empty());
        }
        StatementKind::Region(region)
    }

    fn region_spec(&mut self) -> RegionSpec {
        let level = self.choices.percent(40);
        let (columns, rows) = (self.catalog.limits.columns - 1, self.catalog.limits.rows - 1);
        let corners = if level {
            let [x1, y1, x2, y2] = self.corners((columns, rows));
            [x1.max(1), y1, x2.max(1), y2]
        } else {
            self.corners(self.map)
        };
        RegionSpec { level, corners, span: Span::NOWHERE }
    }

    fn level_region(&mut self) -> StatementKind {
        let (inside, outside) = (self.region_spec(), self.region_spec());
        let kind = match self.choices.below(7) {
            0 => LevelRegionKind::Stair(UpDown::Up),
            1 => LevelRegionKind::Stair(UpDown::Down),
            2 => LevelRegionKind::Branch,
            3 => LevelRegionKind::Portal(spanned(letters("to", self.choices.below(3)))),
            4 => LevelRegionKind::Teleport(None),
            5 => LevelRegionKind::Teleport(Some(UpDown::Up)),
            _ => LevelRegionKind::Teleport(Some(UpDown::Down)),
        };
        StatementKind::LevelRegion(LevelRegion { kind, inside, outside })
    }

    // --- Features

    fn altar(&mut self) -> StatementKind {
        let place = self.place();
        let alignment = self.alignment();
        let altar = match self.choices.below(4) {
            3 => OrRandom::Random,
            which => OrRandom::Is(AltarType::ALL[which % AltarType::ALL.len()]),
        };
        StatementKind::Altar { place, alignment, altar, also: Vec::new() }
    }

    fn grave(&mut self) -> StatementKind {
        let place = self.place();
        let epitaph = match self.choices.below(4) {
            0 => Epitaph::None,
            1 => Epitaph::Random,
            2 => Epitaph::Text(expression(ExprKind::String(text(self.choices)))),
            _ => Epitaph::Text(self.text(1)),
        };
        StatementKind::Grave { place, epitaph }
    }

    fn drawbridge(&mut self) -> StatementKind {
        let place = self.place();
        let direction = spanned(self.choices.pick(Direction::ALL));
        let state = match self.choices.below(3) {
            2 if !self.has(Feature::FixedDrawbridges) => OrRandom::Random,
            1 => OrRandom::Is(spanned(DoorState::Closed)),
            _ => OrRandom::Is(spanned(DoorState::Open)),
        };
        StatementKind::Drawbridge { place, direction, state }
    }

    fn maze_walk(&mut self) -> StatementKind {
        let (place, direction) = (self.place(), self.choices.pick(Direction::ALL));
        let stocked = if self.choices.percent(40) { Some(self.choices.percent(50)) } else { None };
        let filling = match stocked {
            Some(_) if self.choices.percent(50) => Some(spanned(self.choices.pick(&self.names.terrain))),
            _ => None,
        };
        StatementKind::MazeWalk { place, direction, stocked, filling }
    }

    fn wallify(&mut self) -> StatementKind {
        let at = match self.choices.below(2) {
            0 => None,
            _ if self.has(Feature::WallifyTakesRegions) => Some(WallifyArea::Region(self.value(ValueType::Region, 1))),
            _ => Some(WallifyArea::Selection(Box::new(self.area()))),
        };
        StatementKind::Wallify { at }
    }

    fn corridor_end(&mut self) -> CorridorEnd {
        let room = spanned(self.choices.between(0, 3));
        let wall = spanned(self.choices.pick(Direction::ALL));
        let door = match self.choices.below(2) {
            0 => OrRandom::Random,
            _ => OrRandom::Is(spanned(self.choices.between(0, 2))),
        };
        CorridorEnd { room, wall, door }
    }

    fn spill(&mut self) -> StatementKind {
        let place = self.place();
        let numbers = self.has(Feature::SpillTakesNumbers);
        let terrain = if numbers {
            expression(ExprKind::MapCharacter { character: self.choices.pick(&self.names.solid), light: None })
        } else {
            self.value(ValueType::MapCharacter, 1)
        };
        let direction = self.choices.pick(Direction::ALL);
        let amount = if numbers { expression(ExprKind::Integer(self.choices.between(1, 20))) } else { self.number(1) };
        StatementKind::Spill { place, terrain, direction, amount: Box::new(amount) }
    }

    fn generation(&mut self) -> StatementKind {
        let chance = self.percentage();
        let mut entries = Vec::new();
        while entries.is_empty() || (entries.len() < 4 && self.choices.percent(50)) {
            let frequency = self.number(1);
            let monster = match self.choices.below(2) {
                0 => SpeciesName::Class(self.names.monster_class(self.choices)),
                _ => SpeciesName::Name(self.names.monster_name(self.choices)),
            };
            entries.push(GenerationEntry { frequency, monster, span: Span::NOWHERE });
        }
        StatementKind::MonsterGeneration { chance, entries }
    }

    fn sounds(&mut self) -> StatementKind {
        let frequency = self.number(1);
        let mut sounds = Vec::new();
        while sounds.is_empty() || (sounds.len() < 4 && self.choices.percent(50)) {
            let kind = self.word(Group::Sound, SoundType::ALL, SoundType::as_str);
            sounds.push(Sound { kind, text: self.text(1) });
        }
        StatementKind::Sounds { frequency, sounds }
    }

    // --- Variables and functions

    fn define(&mut self) -> Option<StatementKind> {
        use ValueType as V;
        let types =
            [V::Integer, V::String, V::Coordinate, V::Region, V::MapCharacter, V::Monster, V::Object, V::Selection];
        if self.has(Feature::VariableCopies) && !self.variables.is_empty() && self.choices.percent(20) {
            let source = &self.variables[self.choices.below(self.variables.len())];
            let (ty, variable) = (source.ty, spanned(source.name.clone()));
            let name = self.new_name("$");
            self.variables.push(Variable { name: name.clone(), ty });
            return Some(StatementKind::Define { variable: spanned(name), value: Definition::Copy { ty, variable } });
        }
        let value = self.choices.pick(&types);
        let array = value != V::Selection && self.choices.percent(30);
        let ty = Type { value, array };
        let definition = if array {
            let mut values = Vec::new();
            while values.is_empty() || (values.len() < 5 && self.choices.percent(60)) {
                values.push(self.written_out(value));
            }
            Definition::Array { ty: value, values }
        } else {
            let old = self.has(Feature::ValuesWithoutVariables);
            let value_of = match value {
                _ if old => self.written_out(value),
                // A lone variable would be ambiguous: it is a selection as well.
                V::Selection => self.literal(value, 0),
                // In some dialects a lone name is a copy; in the others it has the type of the variable.
                _ => self.value(value, 0),
            };
            Definition::Value { ty: value, value: value_of }
        };
        // Sometimes set an existing variable again.
        let known: Vec<Text> =
            self.variables.iter().filter(|known| known.ty == ty).map(|known| known.name.clone()).collect();
        let name = match self.choices.below(known.len() + 2).checked_sub(2) {
            Some(at) => known[at].clone(),
            None => self.new_name("$"),
        };
        if !known.contains(&name) {
            self.variables.push(Variable { name: name.clone(), ty });
        }
        Some(StatementKind::Define { variable: spanned(name), value: definition })
    }

    /// Returns a literal value, without variables and computations.
    fn written_out(&mut self, value: ValueType) -> Expr {
        match value {
            ValueType::Integer => match self.choices.below(3) {
                2 => {
                    expression(ExprKind::Dice { count: self.choices.between(1, 3), sides: self.choices.between(1, 6) })
                }
                _ => expression(ExprKind::Integer(self.choices.between(0, 20))),
            },
            ValueType::Coordinate => match self.choices.below(4) {
                3 => expression(ExprKind::RandomCoordinate { humidity: Vec::new() }),
                _ => self.square(),
            },
            other => self.literal(other, 1),
        }
    }

    fn shuffle(&mut self) -> Option<StatementKind> {
        let arrays: Vec<Text> =
            self.variables.iter().filter(|known| known.ty.array).map(|known| known.name.clone()).collect();
        if arrays.is_empty() {
            return None;
        }
        Some(StatementKind::Shuffle { variable: spanned(arrays[self.choices.below(arrays.len())].clone()) })
    }

    fn call(&mut self) -> Option<StatementKind> {
        if self.functions.is_empty() {
            return None;
        }
        let (name, parameters) = self.functions[self.choices.below(self.functions.len())].clone();
        let arguments = parameters.into_iter().map(|parameter| self.value(parameter, 0)).collect();
        Some(StatementKind::Call { function: spanned(name), arguments })
    }

    // --- Control flow

    fn condition(&mut self) -> Condition {
        match self.choices.below(4) {
            1 => {
                let left = self.number(0);
                let all = [
                    Comparison::Equal,
                    Comparison::NotEqual,
                    Comparison::Less,
                    Comparison::LessEqual,
                    Comparison::Greater,
                    Comparison::GreaterEqual,
                ];
                let comparison = self.choices.pick(&all);
                Condition::Compare { left, comparison, right: self.number(0) }
            }
            2 if !self.has(Feature::ComparedConditions) => Condition::NonZero(self.number(0)),
            _ => Condition::Percent(self.percentage()),
        }
    }

    /// Returns true if another IF, chance or LOOP may be nested here.
    fn may_nest(&self) -> bool {
        let most = self.catalog.limits.nesting;
        self.around.depth < DEEPEST && (most <= 0 || self.around.conditionals < most)
    }

    fn condition_block(&mut self) -> Option<StatementKind> {
        if !self.may_nest() {
            return None;
        }
        let condition = self.condition();
        let then = self.inside(|around| around.conditionals += 1);
        let otherwise =
            if self.choices.percent(40) { Some(self.inside(|around| around.conditionals += 1)) } else { None };
        Some(StatementKind::If { condition, then, otherwise })
    }

    fn chance(&mut self) -> Option<StatementKind> {
        if !self.may_nest() {
            return None;
        }
        let condition = self.condition();
        let around = self.around;
        self.around.depth += 1;
        self.around.conditionals += 1;
        self.around.nested = true;
        // Some dialects allow chances only on a few statements.
        let kind = match self.choices.below(7) {
            0 => Some(self.object()),
            1 => Some(self.container()),
            2 => Some(StatementKind::Trap { trap: self.trap(), place: self.place() }),
            3 => Some(StatementKind::Terrain { at: self.area(), terrain: self.value(ValueType::MapCharacter, 1) }),
            4 | 5 if !self.has(Feature::ChanceBeforeColon) => self.kind(),
            _ => Some(self.monster()),
        };
        self.around = around;
        let then = Box::new(statement(kind?));
        Some(StatementKind::Chance { condition, then })
    }

    fn switch(&mut self) -> Option<StatementKind> {
        if self.around.switch || self.around.depth >= DEEPEST || self.in_function {
            return None;
        }
        let value = self.number(1);
        let most = self.catalog.limits.switch_cases;
        let most = if most > 0 { most.min(4) } else { 4 } as usize;
        let mut breaks = self.catalog.limits.switch_breaks;
        if breaks <= 0 {
            breaks = i32::MAX;
        }
        let (mut cases, mut default) = (Vec::new(), false);
        while cases.is_empty() || (cases.len() < most && self.choices.percent(60)) {
            // DEFAULT may be in any position.
            let is_default = !default && self.choices.percent(20);
            default |= is_default;
            let mut body = self.inside(|around| (around.switch, around.breakable) = (true, true));
            if breaks > 0 && self.choices.percent(70) {
                body.push(statement(StatementKind::Break));
                breaks -= 1;
            }
            let value = if is_default { None } else { Some(spanned(cases.len() as i32)) };
            cases.push(Case { value, body, span: Span::NOWHERE });
        }
        Some(StatementKind::Switch { value, cases })
    }

    fn repetition(&mut self) -> Option<StatementKind> {
        if self.around.depth >= DEEPEST {
            return None;
        }
        let most = self.catalog.limits.nesting;
        if self.choices.percent(40) && (most <= 0 || self.around.loops < most) {
            let constant = self.has(Feature::ConstantFor);
            let end = |script: &mut Self| match script.choices.below(3) {
                2 if !constant => script.number(1),
                _ => expression(ExprKind::Integer(script.choices.between(0, 6))),
            };
            let (from, to) = (end(self), end(self));
            let name = self.new_name("$");
            self.variables.push(Variable { name: name.clone(), ty: Type::of(ValueType::Integer) });
            let body = self.inside(|around| {
                around.loops += 1;
                around.breakable = true;
            });
            return Some(StatementKind::For { variable: spanned(name), from, to: Box::new(to), body });
        }
        if !self.may_nest() {
            return None;
        }
        let count = match self.choices.below(3) {
            2 => self.number(1),
            _ => expression(ExprKind::Integer(self.choices.between(1, 5))),
        };
        let body = self.inside(|around| {
            around.conditionals += 1;
            around.breakable = true;
        });
        Some(StatementKind::Loop { count, body })
    }
}
