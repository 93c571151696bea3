//! Levels of NetHack 3.4.3: parts with maps, or rooms.
//!
//! The language prescribes an order: the head of a level (INIT_MAP, messages), then for each part its map, registers
//! and things; or registers, rooms with their things, and corridors. Additions of a catalog (further lists of places,
//! flags of objects, artifacts after doors) are used if it has them.

use splc_ir::catalog::{Catalog, Feature, Name};
use splc_ir::lacks::{Node, Setting, lacks};
use splc_ir::level::*;
use splc_ir::parts::{BURIED, LIT, Layouts};
use splc_ir::source::{Span, Spanned, Text};
use splc_ir::words::*;

use crate::names::{Names, letters, text};
use crate::{Choices, expression, selection, spanned, statement};

/// The maximum number of place lists of a part, and of its random regions.
const MOST_LISTS: u8 = 3;
const MOST_REGIONS: i32 = 3;

/// Generates a file of one or two levels.
pub(super) fn module(catalog: &Catalog, names: &Names, choices: &mut Choices, size: usize) -> Module {
    let mut parts = Parts {
        names,
        catalog,
        choices,
        left: size,
        rows: Vec::new(),
        bounds: (0, 0),
        free: false,
        registers: Vec::new(),
        room: false,
        container: false,
        message: 0,
    };
    let count = 1 + usize::from(parts.choices.percent(10));
    let items = (0..count)
        .map(|number| {
            parts.left = if number == 0 { size } else { size / 2 };
            Item::Level(parts.level(number))
        })
        .collect();
    Module { items, ..Module::default() }
}

struct Parts<'a, 'c> {
    names: &'a Names,
    catalog: &'a Catalog,
    choices: &'c mut Choices,
    /// The number of statements left to generate.
    left: usize,
    /// The map of the part, empty without a map.
    rows: Vec<Vec<char>>,
    /// The greatest column and row of a place.
    bounds: (i32, i32),
    /// True if things may be placed anywhere because INIT_MAP fills the level.
    free: bool,
    /// The registers that are set, with the number of each kind.
    registers: Vec<(RegisterKind, usize)>,
    room: bool,
    /// True inside a container.
    container: bool,
    /// The number of bytes in messages so far.
    message: usize,
}

impl Parts<'_, '_> {
    fn level(&mut self, number: usize) -> Level {
        let name = spanned(Text::from(format!("lev{number}")));
        let words: Vec<&Text> = self.names.flags.iter().collect();
        let flags: Vec<_> = self.choices.some(&words, 3).into_iter().map(|flag| spanned(flag.clone())).collect();
        let flags = if flags.is_empty() { None } else { Some(flags) };
        (self.message, self.free) = (0, false);
        self.registers.clear();
        let mut body = Vec::new();
        let rooms = self.choices.percent(40);
        let kind = match (rooms, self.choices.below(2)) {
            (true, _) => LevelKind::Rooms,
            (false, 0) => LevelKind::Maze { filling: Some(spanned(self.choices.pick(&self.names.solid))) },
            (false, _) => LevelKind::Maze { filling: None },
        };
        if self.choices.percent(20) {
            body.push(statement(StatementKind::InitMap(self.init_map())));
            self.free = true;
        }
        while self.choices.percent(25) {
            let text = text(self.choices);
            self.message += text.len() + 1;
            if self.message < self.catalog.limits.message as usize / 2 {
                let hallucinating = self.catalog.has(Feature::HallucinationMessages) && self.choices.percent(30);
                let to = if hallucinating { Audience::Hallucinating } else { Audience::Everyone };
                body.push(statement(StatementKind::Message { text: expression(ExprKind::String(text)), to }));
            }
        }
        self.room = rooms;
        if rooms {
            self.rooms(&mut body)
        } else {
            self.maze(&mut body)
        }
        Level { name, kind, flags, body, span: Span::NOWHERE }
    }

    fn init_map(&mut self) -> InitMap {
        let joined = self.choices.percent(50);
        let solid = |parts: &mut Self| spanned(parts.choices.pick(&parts.names.solid));
        InitMap::Mines {
            foreground: if joined { spanned('.') } else { solid(self) },
            background: solid(self),
            smoothed: self.choices.percent(50),
            joined: spanned(joined),
            light: self.light(),
            walled: match self.choices.below(3) {
                2 => OrRandom::Random,
                which => OrRandom::Is(which == 1),
            },
            filling: None,
            iced: if Layouts::has(self.catalog, "init", "iced") && self.choices.percent(50) {
                Some(spanned(self.choices.percent(50)))
            } else {
                None
            },
        }
    }

    fn light(&mut self) -> OrRandom<Light> {
        match self.choices.below(3) {
            2 => OrRandom::Random,
            which => OrRandom::Is(Light::ALL[which % Light::ALL.len()]),
        }
    }

    // --- Levels of maps

    fn maze(&mut self, body: &mut Vec<Statement>) {
        let most = self.catalog.limits.parts.clamp(2, 4) as usize - 1;
        for part in 0..most {
            if part > 0 && !self.choices.percent(30) {
                break;
            }
            let map = self.map();
            body.push(statement(StatementKind::Map(map)));
            self.registers.clear();
            for of in [RegisterKind::Object, RegisterKind::Monster, RegisterKind::Place] {
                self.register_list(of, body);
            }
            self.more_registers(body);
            let mut container = false;
            while self.left > 0 && self.choices.percent(95) {
                self.left -= 1;
                self.thing(Setting::Part, &mut container, body);
            }
        }
    }

    fn map(&mut self) -> Map {
        if self.choices.percent(20) {
            self.rows.clear();
            self.bounds = (self.catalog.limits.columns - 1, self.catalog.limits.rows - 1);
            return Map::None;
        }
        let limits = &self.catalog.limits;
        let width = self.choices.between(1, 20.min(limits.map_width)) as usize;
        let height = self.choices.between(1, 9.min(limits.map_height)) as usize;
        self.rows = (0..height)
            .map(|_| {
                let square = |_| if self.choices.percent(40) { self.choices.pick(&self.names.terrain) } else { '.' };
                (0..width).map(square).collect()
            })
            .collect();
        self.bounds = (width as i32 - 1, height as i32 - 1);
        let rows: Vec<Text> = self.rows.iter().map(|row| Text::from(row.iter().collect::<String>())).collect();
        let row_spans = vec![Span::NOWHERE; rows.len()];
        let position = MapPosition::Aligned {
            horizontal: self.word(Group::Horizontal, Horizontal::ALL, Horizontal::as_str),
            vertical: self.word(Group::Vertical, Vertical::ALL, Vertical::as_str),
        };
        Map::Drawn { position, keep_regions: None, rows: MapRows { rows, row_spans, span: Span::NOWHERE } }
    }

    fn word<T: Copy>(&mut self, group: Group, all: &[T], word: impl Fn(T) -> &'static str) -> T {
        let known: Vec<T> = all.iter().copied().filter(|&one| self.catalog.word(group, word(one)).is_some()).collect();
        if known.is_empty() { all[0] } else { self.choices.pick(&known) }
    }

    fn register_list(&mut self, of: RegisterKind, body: &mut Vec<Statement>) {
        if !self.choices.percent(25) {
            return;
        }
        let most = self.catalog.limits.registers.clamp(1, 5) as usize;
        let count = 1 + self.choices.below(most);
        let values = (0..count)
            .map(|_| {
                expression(match of {
                    RegisterKind::Object => ExprKind::Object(SpeciesName::Class(self.names.object_class(self.choices))),
                    RegisterKind::Monster => {
                        ExprKind::Monster(SpeciesName::Class(self.names.monster_class(self.choices)))
                    }
                    _ => return self.square(),
                })
            })
            .collect();
        self.registers.push((of, count));
        body.push(statement(StatementKind::Registers { of, values }));
    }

    /// Generates further lists of places, and regions for random placement.
    fn more_registers(&mut self, body: &mut Vec<Statement>) {
        if self.catalog.has(Feature::PlaceLists) {
            for list in 1..MOST_LISTS {
                if self.count(RegisterKind::places(list - 1)) > 0 {
                    self.register_list(RegisterKind::places(list), body);
                }
            }
        }
        let most = if self.catalog.has(Feature::RandomRegions) { MOST_REGIONS } else { 0 };
        for number in 0..most.min(self.catalog.limits.registers) {
            if !self.choices.percent(30) {
                break;
            }
            let (inside, outside) = (self.region_spec(), self.region_spec());
            let kind = LevelRegionKind::Register(spanned(number));
            body.push(statement(StatementKind::LevelRegion(LevelRegion { kind, inside, outside })));
            self.registers.retain(|(of, _)| *of != RegisterKind::Region);
            self.registers.push((RegisterKind::Region, number as usize + 1));
        }
    }

    /// Returns the number of registers of a kind that are set.
    fn count(&self, of: RegisterKind) -> usize {
        self.registers.iter().find(|(known, _)| *known == of).map_or(0, |(_, count)| *count)
    }

    fn register(&mut self, of: RegisterKind) -> Option<Spanned<i32>> {
        let count = self.count(of);
        (count > 0).then(|| spanned(self.choices.below(count) as i32))
    }

    // --- Places

    fn square(&mut self) -> Expr {
        let (columns, rows) = self.bounds;
        expression(ExprKind::Coordinate { x: self.choices.between(0, columns), y: self.choices.between(0, rows) })
    }

    fn place(&mut self) -> Expr {
        match self.choices.below(5) {
            3 => expression(ExprKind::RandomCoordinate { humidity: Vec::new() }),
            4 => {
                let given = self.place_in_register().unwrap_or_else(|| self.square());
                self.checked(given)
            }
            _ => {
                let given = self.square();
                self.checked(given)
            }
        }
    }

    fn place_in_register(&mut self) -> Option<Expr> {
        let kinds: Vec<RegisterKind> = self.registers.iter().map(|(of, _)| *of).filter(|of| of.is_place()).collect();
        if kinds.is_empty() {
            return None;
        }
        let of = self.choices.pick(&kinds);
        Some(expression(ExprKind::Register { of, index: self.register(of)? }))
    }

    /// Returns the place, sometimes with a word after it.
    fn checked(&mut self, place: Expr) -> Expr {
        let words: Vec<Text> = self.catalog.words(Group::PlaceCheck).map(Text::from).collect();
        if words.is_empty() || !self.choices.percent(15) {
            return place;
        }
        let word = words[self.choices.below(words.len())].clone();
        expression(ExprKind::Checked { place: Box::new(place), word })
    }

    /// Returns a square of the map that satisfies `holds`. The search starts at a random square.
    fn square_where(&mut self, holds: impl Fn(&Self, usize, usize) -> bool) -> Option<Expr> {
        let (width, height) = (self.rows.first()?.len(), self.rows.len());
        let start = self.choices.below(width * height);
        let at = (start..width * height).chain(0..start).find(|at| holds(self, at % width, at / width))?;
        Some(expression(ExprKind::Coordinate { x: (at % width) as i32, y: (at / width) as i32 }))
    }

    fn character(&self, x: i32, y: i32) -> Option<char> {
        let row = self.rows.get(usize::try_from(y).ok()?)?;
        row.get(usize::try_from(x).ok()?).copied()
    }

    fn corners(&mut self) -> [i32; 4] {
        let (columns, rows) = self.bounds;
        let (x1, y1) = (self.choices.between(0, columns), self.choices.between(0, rows));
        [x1, y1, self.choices.between(x1, columns), self.choices.between(y1, rows)]
    }

    fn region_spec(&mut self) -> RegionSpec {
        if self.catalog.has(Feature::EmptyLevelRegions) && self.choices.percent(10) {
            let (columns, rows) = (self.catalog.limits.columns, self.catalog.limits.rows);
            return RegionSpec { level: true, corners: [columns, rows, columns, rows], span: Span::NOWHERE };
        }
        let level = self.choices.percent(40);
        let mut corners = self.corners();
        if level {
            (corners[0], corners[2]) = (corners[0].max(1), corners[2].max(1));
        }
        RegionSpec { level, corners, span: Span::NOWHERE }
    }

    // --- Things

    fn room_type(&mut self) -> OrRandom<Spanned<Text>> {
        match self.choices.below(4) {
            3 => OrRandom::Random,
            _ => OrRandom::Is(spanned(self.names.rooms[self.choices.below(self.names.rooms.len())].clone())),
        }
    }

    /// Adds a thing that the game can contain in this setting, sometimes with a chance.
    fn thing(&mut self, setting: Setting, container: &mut bool, body: &mut Vec<Statement>) {
        let Some(kind) = self.kind(setting, container) else { return };
        let chanced = matches!(kind, StatementKind::Monster(_) | StatementKind::Object(_) | StatementKind::Trap { .. });
        let mut made = statement(kind);
        if chanced && self.choices.percent(20) {
            let condition = Condition::Percent(spanned(self.choices.between(1, 100)));
            made = statement(StatementKind::Chance { condition, then: Box::new(made) });
        }
        if lacks(Node::Statement(&made, setting), self.catalog).is_empty() {
            body.push(made);
        }
    }

    fn kind(&mut self, setting: Setting, container: &mut bool) -> Option<StatementKind> {
        let part = setting == Setting::Part;
        let drawn = part && !self.rows.is_empty();
        let catalog = self.catalog;
        let own = &catalog.place_statements;
        Some(match self.choices.below(25 + usize::from(!own.is_empty())) {
            25 => {
                let word = Text::from(own[self.choices.below(own.len())].as_ref());
                StatementKind::Place { word, at: self.point() }
            }
            0..=2 => self.monster(),
            3..=5 => self.object(),
            6 => self.filled_container(setting, container),
            7 => StatementKind::Trap { trap: self.trap(), place: self.place() },
            8 => StatementKind::Altar {
                place: self.place(),
                alignment: self.alignment(),
                altar: match self.choices.below(4) {
                    3 => OrRandom::Random,
                    which => OrRandom::Is(AltarType::ALL[which % AltarType::ALL.len()]),
                },
                also: self.also("altar", "god", &catalog.gods),
            },
            9 => StatementKind::Fountain { at: self.point() },
            10 => StatementKind::Stair { place: self.place(), direction: self.choices.pick(UpDown::ALL) },
            11 => {
                let amount = match self.choices.below(3) {
                    2 => ExprKind::Random,
                    _ => ExprKind::Integer(self.choices.between(0, 500)),
                };
                StatementKind::Gold { amount: expression(amount), place: self.place() }
            }
            12 => {
                let place = self.place();
                let engraving = match self.choices.below(4) {
                    3 => OrRandom::Random,
                    _ => OrRandom::Is(self.word(Group::Engraving, EngravingType::ALL, EngravingType::as_str)),
                };
                StatementKind::Engraving { place, engraving, text: expression(ExprKind::String(text(self.choices))) }
            }
            13 if !part => StatementKind::Sink { at: self.point() },
            14 if !part => StatementKind::Pool { at: self.point() },
            15..=17 if !part => self.room_door(),
            13 if drawn => {
                let state = match self.choices.below(4) {
                    3 => OrRandom::Random,
                    _ => OrRandom::Is(spanned(self.word(Group::DoorState, DoorState::ALL, DoorState::as_str))),
                };
                let place = self.square_where(|parts, x, y| matches!(parts.rows[y][x], '+' | 'S'))?;
                let also = self.also("door", "artifact", &catalog.artifacts);
                StatementKind::Door { state, at: selection(SelectionKind::Point(place)), also }
            }
            14 if drawn => self.drawbridge()?,
            15 => StatementKind::MazeWalk {
                place: self.place(),
                direction: self.choices.pick(Direction::ALL),
                stocked: None,
                filling: None,
            },
            16 if drawn => StatementKind::Wallify { at: None },
            17 => StatementKind::Ladder { place: self.place(), direction: self.choices.pick(UpDown::ALL) },
            18 => StatementKind::NonDiggable { region: expression(ExprKind::Region { corners: self.corners() }) },
            19 => StatementKind::NonPasswall { region: expression(ExprKind::Region { corners: self.corners() }) },
            20 | 21 => self.region(),
            22..=24 => self.level_region(),
            _ => return None,
        })
    }

    fn point(&mut self) -> Selection {
        let place = self.place();
        selection(SelectionKind::Point(place))
    }

    /// Generates a further operand that a catalog defines for a statement: a number, or one of `names`.
    fn also(&mut self, structure: &str, field: &str, names: &[Name]) -> Vec<Spanned<Text>> {
        if !Layouts::has(self.catalog, structure, field) || !self.choices.percent(40) {
            return Vec::new();
        }
        let names: Vec<&str> = names.iter().map(AsRef::as_ref).filter(|name| !name.is_empty()).collect();
        let at = self.choices.below(2 * names.len());
        vec![spanned(match names.get(at) {
            Some(name) => Text::from(format!("\"{name}\"")),
            None => Text::from(self.choices.between(0, 9).to_string()),
        })]
    }

    fn trap(&mut self) -> OrRandom<Spanned<Text>> {
        match self.choices.below(4) {
            3 => OrRandom::Random,
            _ => OrRandom::Is(spanned(self.names.traps[self.choices.below(self.names.traps.len())].clone())),
        }
    }

    fn alignment(&mut self) -> AlignmentSpec {
        match self.choices.below(4) {
            2 => AlignmentSpec::Register(spanned(self.choices.between(0, self.catalog.limits.alignments - 1))),
            3 => AlignmentSpec::Random,
            _ => AlignmentSpec::Is(self.word(Group::Alignment, Alignment::ALL, Alignment::as_str)),
        }
    }

    fn monster(&mut self) -> StatementKind {
        let kind = match self.choices.below(6) {
            1 => ExprKind::Monster(SpeciesName::Random),
            2 | 3 => {
                let (class, name) = self.names.classed_monster(self.choices);
                ExprKind::Monster(SpeciesName::ClassAndName(class, name))
            }
            4 => match self.register(RegisterKind::Monster) {
                Some(index) => ExprKind::Register { of: RegisterKind::Monster, index },
                None => ExprKind::Monster(SpeciesName::Random),
            },
            5 => match self.register(RegisterKind::Monster) {
                Some(index) => {
                    let name = self.names.monster_name(self.choices);
                    ExprKind::NamedRegister { of: RegisterKind::Monster, index, name }
                }
                None => ExprKind::Monster(SpeciesName::RandomAndName(self.names.monster_name(self.choices))),
            },
            _ => ExprKind::Monster(SpeciesName::Class(self.names.monster_class(self.choices))),
        };
        let place = self.place();
        let mut details: Vec<Spanned<MonsterDetail>> = Vec::new();
        while self.choices.percent(35) {
            let detail = match self.choices.below(5) {
                1 => MonsterDetail::Attitude(OrRandom::Is(self.choices.pick(Attitude::ALL))),
                2 => MonsterDetail::Alertness(OrRandom::Is(self.choices.pick(Alertness::ALL))),
                3 => MonsterDetail::Alignment(self.alignment()),
                4 => {
                    let kind = self.word(Group::Appearance, Appearance::ALL, Appearance::as_str);
                    let what = match kind {
                        Appearance::Object => self.names.object_name(self.choices),
                        Appearance::Monster => self.names.monster_name(self.choices),
                        Appearance::Feature => Text::from("fountain"),
                    };
                    MonsterDetail::Appearance(kind, expression(ExprKind::String(what)))
                }
                _ => MonsterDetail::Name(expression(ExprKind::String(text(self.choices)))),
            };
            let kind = std::mem::discriminant(&detail);
            if details.iter().all(|known| std::mem::discriminant(&known.node) != kind) {
                details.push(spanned(detail));
            }
        }
        StatementKind::Monster(Monster { monster: expression(kind), place, details, inventory: None })
    }

    fn object_kind(&mut self) -> Expr {
        expression(match self.choices.below(6) {
            1 => ExprKind::Object(SpeciesName::Random),
            2 | 3 => {
                let (class, name) = self.names.classed_object(self.choices);
                ExprKind::Object(SpeciesName::ClassAndName(class, name))
            }
            4 => match self.register(RegisterKind::Object) {
                Some(index) => ExprKind::Register { of: RegisterKind::Object, index },
                None => ExprKind::Object(SpeciesName::Random),
            },
            5 => match self.register(RegisterKind::Object) {
                Some(index) => {
                    let name = self.names.object_name(self.choices);
                    ExprKind::NamedRegister { of: RegisterKind::Object, index, name }
                }
                None => ExprKind::Object(SpeciesName::RandomAndName(self.names.object_name(self.choices))),
            },
            _ => ExprKind::Object(SpeciesName::Class(self.names.object_class(self.choices))),
        })
    }

    /// Generates the details of an object, in the order of the language. If `placed`, it gets a place.
    fn object_details(&mut self, placed: bool) -> Vec<Spanned<ObjectDetail>> {
        let mut details = Vec::new();
        if placed {
            details.push(spanned(ObjectDetail::Place(self.place())));
        }
        if !self.choices.percent(30) {
            return details;
        }
        let which = self.choices.below(3);
        if which != 2 {
            let curse = match self.choices.below(4) {
                3 => OrRandom::Random,
                which => OrRandom::Is(Curse::ALL[which % Curse::ALL.len()]),
            };
            let own = self.catalog.words(Group::Curse).filter(|word| Curse::from_word(word).is_none());
            let own: Vec<Text> = own.map(Text::from).collect();
            details.push(spanned(if !own.is_empty() && self.choices.percent(30) {
                let word = own[self.choices.below(own.len())].clone();
                ObjectDetail::Own(OwnDetail { word, value: None })
            } else {
                ObjectDetail::Curse(curse)
            }));
        }
        if which != 1 {
            let name = match self.choices.below(4) {
                3 => Text::from("random"),
                _ => self.names.monster_name(self.choices),
            };
            details.push(spanned(ObjectDetail::MonsterType(expression(ExprKind::String(name)))));
        }
        let enchantment = match self.choices.below(3) {
            2 => ExprKind::Random,
            _ => ExprKind::Integer(self.choices.between(-5, 9)),
        };
        details.push(spanned(ObjectDetail::Enchantment(expression(enchantment))));
        if self.choices.percent(40) {
            details.push(spanned(ObjectDetail::Name(expression(ExprKind::String(text(self.choices))))));
        }
        details
    }

    /// Generates the details that OBJFLAGS expresses.
    fn object_flags(&mut self, details: &mut Vec<Spanned<ObjectDetail>>) {
        if !Layouts::has(self.catalog, "object", "flags") {
            return;
        }
        for (word, detail) in [(BURIED, ObjectDetail::Buried), (LIT, ObjectDetail::Light(Light::Lit))] {
            if self.catalog.word(Group::ObjectFlag, word).is_some() && self.choices.percent(20) {
                details.push(spanned(detail));
            }
        }
    }

    fn object(&mut self) -> StatementKind {
        let object = self.object_kind();
        let mut details = self.object_details(!self.container);
        self.object_flags(&mut details);
        StatementKind::Object(Object { object, details, contents: None, contained_span: Span::NOWHERE })
    }

    fn filled_container(&mut self, setting: Setting, container: &mut bool) -> StatementKind {
        let object = self.object_kind();
        let mut details = self.object_details(true);
        self.object_flags(&mut details);
        *container = true;
        self.container = true;
        let mut contents = Vec::new();
        while self.left > 0 && self.choices.percent(60) {
            self.left -= 1;
            let inner = statement(self.object());
            if lacks(Node::Statement(&inner, setting), self.catalog).is_empty() {
                contents.push(inner);
            }
        }
        self.container = false;
        StatementKind::Object(Object { object, details, contents: Some(contents), contained_span: Span::NOWHERE })
    }

    fn drawbridge(&mut self) -> Option<StatementKind> {
        let direction = self.choices.pick(Direction::ALL);
        let place = self.square_where(|parts, x, y| {
            let (wall_x, wall_y) = direction.from((x as i32, y as i32));
            matches!(parts.character(wall_x, wall_y), Some('-' | '|'))
        })?;
        let state = match self.choices.below(3) {
            1 => OrRandom::Is(spanned(DoorState::Closed)),
            2 if !self.catalog.has(Feature::FixedDrawbridges) => OrRandom::Random,
            _ => OrRandom::Is(spanned(DoorState::Open)),
        };
        Some(StatementKind::Drawbridge { place, direction: spanned(direction), state })
    }

    fn region(&mut self) -> StatementKind {
        let mut corners = self.corners();
        let light = self.light();
        let mut room_type = self.room_type();
        if matches!(&room_type, OrRandom::Is(name) if name.node == "vault") {
            // A vault has 2 by 2 squares.
            let (columns, rows) = self.bounds;
            if columns == 0 || rows == 0 {
                room_type = OrRandom::Random;
            } else {
                let (x, y) = (corners[0].min(columns - 1), corners[1].min(rows - 1));
                corners = [x, y, x + 1, y + 1];
            }
        }
        let vault = matches!(&room_type, OrRandom::Is(name) if name.node == "vault");
        let mut flags = Vec::new();
        if self.choices.percent(50) {
            flags.push(spanned(RoomFlag::Filling(self.choices.pick(&[Filling::Unfilled, Filling::Filled]))));
            if self.choices.percent(40) {
                // An irregular room must start on floor.
                let floor = self.character(corners[0], corners[1]) == Some('.') && !vault;
                let irregular =
                    if floor && self.choices.percent(50) { Irregular::Irregular } else { Irregular::Regular };
                flags.push(spanned(RoomFlag::Irregular(irregular)));
            }
        }
        let flags = if flags.is_empty() { None } else { Some(flags) };
        StatementKind::Region(Region {
            area: expression(ExprKind::Region { corners }),
            light,
            room_type,
            flags,
            body: None,
        })
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

    // --- Levels of rooms

    fn rooms(&mut self, body: &mut Vec<Statement>) {
        self.rows.clear();
        self.bounds = (20, 10);
        for of in [RegisterKind::Object, RegisterKind::Monster] {
            self.register_list(of, body);
        }
        let mut count = 0;
        while count == 0 || (self.left > 0 && count < 12 && self.choices.percent(70)) {
            let room = self.room(count, None);
            body.push(statement(StatementKind::Room(Box::new(room))));
            count += 1;
        }
        if self.choices.percent(50) {
            body.push(statement(StatementKind::RandomCorridors { style: CorridorStyle::Default }));
            return;
        }
        while self.left > 0 && self.choices.percent(50) {
            self.left -= 1;
            let from = self.corridor_end(count);
            let to = match self.choices.below(4) {
                3 => CorridorTarget::Number(spanned(self.choices.between(0, 3))),
                _ => CorridorTarget::Door(self.corridor_end(count)),
            };
            body.push(statement(StatementKind::Corridor { from, to }));
        }
    }

    fn corridor_end(&mut self, rooms: usize) -> CorridorEnd {
        let room = spanned(self.choices.below(rooms) as i32);
        let wall = spanned(self.choices.pick(Direction::ALL));
        let door = match self.choices.below(2) {
            0 => OrRandom::Random,
            _ => OrRandom::Is(spanned(self.choices.between(0, 2))),
        };
        CorridorEnd { room, wall, door }
    }

    /// Generates a room, or a subroom of `parent`. Rooms with subrooms have names, by which the subrooms refer to them.
    fn room(&mut self, number: usize, parent: Option<usize>) -> Room {
        self.left = self.left.saturating_sub(1);
        let room_type = self.room_type();
        let special = matches!(&room_type, OrRandom::Is(name) if self.catalog.room(&name.node).unwrap_or(0) != 0);
        let chance =
            if special && self.choices.percent(30) { Some(spanned(self.choices.between(1, 99))) } else { None };
        let light = self.light();
        let size = match self.choices.below(2) {
            0 => OrRandom::Random,
            _ => OrRandom::Is((spanned(self.choices.between(2, 15)), spanned(self.choices.between(2, 8)))),
        };
        let filled = match self.choices.below(3) {
            1 => Some(vec![spanned(RoomFlag::Filling(Filling::Filled))]),
            2 => Some(vec![spanned(RoomFlag::Filling(Filling::Unfilled))]),
            _ => None,
        };
        let placement = match parent {
            Some(_) => {
                let position = match self.choices.below(2) {
                    0 => OrRandom::Random,
                    _ => OrRandom::Is(spanned((self.choices.between(0, 9), self.choices.between(0, 5)))),
                };
                RoomPlacement::Room { position, parent_span: Span::NOWHERE }
            }
            None => {
                let limits = self.catalog.limits;
                let fixed = self.choices.percent(50);
                let position = if fixed {
                    let (x, y) =
                        (self.choices.between(1, limits.room_columns), self.choices.between(1, limits.room_rows));
                    OrRandom::Is(spanned((x, y)))
                } else {
                    OrRandom::Random
                };
                let alignment = if fixed {
                    OrRandom::Is((
                        self.word(Group::Horizontal, Horizontal::ALL, Horizontal::as_str),
                        self.word(Group::Vertical, Vertical::ALL, Vertical::as_str),
                    ))
                } else {
                    OrRandom::Random
                };
                RoomPlacement::Level { position, alignment }
            }
        };
        let mut body = Vec::new();
        let mut container = false;
        while self.left > 0 && self.choices.percent(75) {
            self.left -= 1;
            self.thing(Setting::Room, &mut container, &mut body);
        }
        let mut name = None;
        if parent.is_none() && self.left > 0 && self.choices.percent(30) {
            name = Some(spanned(letters("room", number)));
            let inner = self.room(number, Some(number));
            body.push(statement(StatementKind::Room(Box::new(inner))));
        }
        Room { room_type, chance, light, placement, size, flags: filled, body, name, order: None }
    }

    fn room_door(&mut self) -> StatementKind {
        let secret = match self.choices.below(3) {
            2 => OrRandom::Random,
            which => OrRandom::Is(which == 1),
        };
        let state = match self.choices.below(4) {
            3 => OrRandom::Random,
            _ => OrRandom::Is(spanned(self.word(Group::DoorState, DoorState::ALL, DoorState::as_str))),
        };
        let walls = match self.choices.below(3) {
            0 => OrRandom::Random,
            _ => OrRandom::Is(vec![spanned(self.choices.pick(Direction::ALL))]),
        };
        let position = match (&walls, self.choices.below(2)) {
            (OrRandom::Is(_), 1) => OrRandom::Is(spanned(self.choices.between(0, 5))),
            _ => OrRandom::Random,
        };
        let catalog = self.catalog;
        let also = self.also("room_door", "artifact", &catalog.artifacts);
        StatementKind::RoomDoor { secret, state, walls, position, walls_span: Span::NOWHERE, also }
    }
}
