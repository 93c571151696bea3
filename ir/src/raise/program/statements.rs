//! Statements that consist of one opcode and its parameters.

use super::*;
use crate::parts::Grid;

impl Raising<'_> {
    /// Pops the material of a door, in games whose doors have one.
    fn door_material(&mut self, at: usize) -> Result<Vec<Spanned<Text>>, RaiseError> {
        if !self.catalog.has(Feature::DoorsHaveMaterials) {
            return Ok(Vec::new());
        }
        let material = self.number(at)?;
        let words = self.catalog.words(Group::DoorDetail);
        let word = words.into_iter().find(|word| self.catalog.word(Group::DoorDetail, word) == Some(material));
        match word {
            Some(word) => Ok(vec![Spanned::new(Text::from(word), self.ops[at].span)]),
            None if material == 0 => Ok(Vec::new()),
            None => self.wrong(at, format!("{} has no door material {material}", self.catalog.title)),
        }
    }

    /// Reads the statement of the opcode at `at`, which contains no block.
    pub(super) fn plain(&mut self, at: usize) -> Result<StatementKind, RaiseError> {
        let span = self.ops[at].span;
        Ok(match self.ops[at].code {
            Opcode::Message => StatementKind::Message { text: self.expr(at)?, to: Audience::Everyone },
            Opcode::Engraving => {
                let engraving = self.word_or_random(Group::Engraving, EngravingType::from_word, at)?;
                let text = self.expr(at)?;
                StatementKind::Engraving { place: self.expr(at)?, engraving, text }
            }
            Opcode::Door => {
                let mut also = self.door_material(at)?;
                let state = self.door_state(&mut also, at)?;
                StatementKind::Door { state, at: self.selection(at)?, also }
            }
            Opcode::Stair => {
                let direction = self.word(Group::VerticalDirection, UpDown::from_word, at)?;
                StatementKind::Stair { place: self.expr(at)?, direction }
            }
            Opcode::Ladder => {
                let direction = self.word(Group::VerticalDirection, UpDown::from_word, at)?;
                StatementKind::Ladder { place: self.expr(at)?, direction }
            }
            Opcode::Altar => {
                let alignment = self.alignment(at)?;
                let altar = self.word_or_random(Group::Altar, AltarType::from_word, at)?;
                StatementKind::Altar { place: self.expr(at)?, alignment, altar, also: Vec::new() }
            }
            Opcode::Grave => {
                let epitaph = match self.number(at)? {
                    2 => Epitaph::Text(self.expr(at)?),
                    kind => {
                        self.optional_text(at)?;
                        match kind {
                            0 => Epitaph::None,
                            1 => Epitaph::Random,
                            _ => return self.wrong(at, format!("there is no grave type {kind}")),
                        }
                    }
                };
                StatementKind::Grave { place: self.expr(at)?, epitaph }
            }
            Opcode::Fountain => StatementKind::Fountain { at: self.selection(at)? },
            Opcode::Sink => StatementKind::Sink { at: self.selection(at)? },
            Opcode::Pool => StatementKind::Pool { at: self.selection(at)? },
            Opcode::Place1
            | Opcode::Place2
            | Opcode::Place3
            | Opcode::Place4
            | Opcode::Place5
            | Opcode::Place6
            | Opcode::Place7
            | Opcode::Place8 => {
                let mut words = self.catalog.place_statements.iter();
                let Some(word) = words.find(|word| self.catalog.place_opcode(word) == Some(self.ops[at].code)) else {
                    return self.wrong(at, format!("{} has no keyword for this statement", self.catalog.title));
                };
                StatementKind::Place { word: Text::from(word.as_ref()), at: self.selection(at)? }
            }
            Opcode::Trap => {
                let trap = match self.number(at)? {
                    -1 => OrRandom::Random,
                    number => match Role::Trap.operand(number, self.catalog) {
                        Some(Operand::Named(Named::Trap(name))) => OrRandom::Is(Spanned::new(name, span)),
                        _ => return self.wrong(at, format!("{} has no trap {number}", self.catalog.title)),
                    },
                };
                StatementKind::Trap { trap, place: self.expr(at)? }
            }
            Opcode::Gold => {
                let place = self.expr(at)?;
                StatementKind::Gold { amount: self.expr(at)?, place }
            }
            Opcode::Corridor => self.corridor(at)?,
            Opcode::LevRegion => self.level_region(at)?,
            Opcode::Drawbridge => {
                let Named::DrawbridgeDirection(direction) = self.named(Role::DrawbridgeDirection, at)? else {
                    return self.wrong(at, "the direction is missing");
                };
                let Some(direction) = Direction::from_word(&direction) else {
                    return self.wrong(at, "no des-file has this direction");
                };
                let state = match self.truth_or_random(at)? {
                    OrRandom::Random => OrRandom::Random,
                    OrRandom::Is(true) => OrRandom::Is(Spanned::new(DoorState::Open, span)),
                    OrRandom::Is(false) => OrRandom::Is(Spanned::new(DoorState::Closed, span)),
                };
                let direction = Spanned::new(direction, span);
                StatementKind::Drawbridge { place: self.expr(at)?, direction, state }
            }
            Opcode::MazeWalk => {
                let filling = self.number(at)?;
                let stocked = self.truth(at)?;
                let direction = self.word(Group::Direction, Direction::from_word, at)?;
                let place = self.expr(at)?;
                let (stocked, filling) = match (stocked, filling) {
                    (true, 0) => (None, None),
                    (stocked, -1) => (Some(stocked), None),
                    (stocked, terrain) => {
                        let character = i32::try_from(terrain).ok().and_then(|at| self.catalog.map_character(at));
                        let Some(character) = character else {
                            return self.wrong(at, format!("{} has no terrain {terrain}", self.catalog.title));
                        };
                        (Some(stocked), Some(Spanned::new(character, span)))
                    }
                };
                StatementKind::MazeWalk { place, direction, stocked, filling }
            }
            Opcode::Wallify => {
                let of_region = self.catalog.has(Feature::WallifyTakesRegions);
                if !of_region && self.number(at)? == 1 {
                    let area = WallifyArea::Selection(Box::new(self.selection(at)?));
                    return Ok(StatementKind::Wallify { at: Some(area) });
                }
                let region = self.expr(at)?;
                let everywhere = ExprKind::Region { corners: [0xff; 4] };
                let area = (of_region && region.kind != everywhere).then_some(WallifyArea::Region(region));
                StatementKind::Wallify { at: area }
            }
            Opcode::NonDiggable => StatementKind::NonDiggable { region: self.expr(at)? },
            Opcode::NonPasswall => StatementKind::NonPasswall { region: self.expr(at)? },
            Opcode::Topography => StatementKind::Topologize { place: self.expr(at)? },
            Opcode::Map => StatementKind::Map(self.map(at)?),
            Opcode::RoomDoor => {
                let mut also = self.door_material(at)?;
                let walls = match self.number(at)? {
                    -1 => OrRandom::Random,
                    number => OrRandom::Is(self.directions(number, at)?),
                };
                let secret = self.truth_or_random(at)?;
                let state = self.door_state(&mut also, at)?;
                let position = self.number_or_random(at)?;
                StatementKind::RoomDoor { secret, state, walls, position, walls_span: span, also }
            }
            Opcode::Mineralize => {
                let mut chances = [self.expr(at)?, self.expr(at)?, self.expr(at)?, self.expr(at)?];
                chances.reverse();
                let unsaid = chances.iter().all(|chance| chance.kind == ExprKind::Integer(-1));
                StatementKind::Mineralize { chances: (!unsaid).then(|| Box::new(chances)) }
            }
            Opcode::Spill if self.catalog.has(Feature::SpillTakesNumbers) => {
                let light = match self.number(at)? {
                    -2 => None,
                    -1 => Some(OrRandom::Random),
                    number => Some(OrRandom::Is(self.word_of(number, Group::Light, Light::from_word, at)?)),
                };
                let amount = Box::new(self.expr(at)?);
                let direction = self.word(Group::Direction, Direction::from_word, at)?;
                let Spanned { node: character, span } = self.terrain(at)?;
                let terrain = expr(ExprKind::MapCharacter { character, light }, span);
                StatementKind::Spill { place: self.expr(at)?, terrain, direction, amount }
            }
            Opcode::Spill => {
                let direction = self.word(Group::Direction, Direction::from_word, at)?;
                let amount = Box::new(self.expr(at)?);
                let terrain = self.expr(at)?;
                StatementKind::Spill { place: self.expr(at)?, terrain, direction, amount }
            }
            Opcode::Terrain => {
                let terrain = self.expr(at)?;
                StatementKind::Terrain { at: self.selection(at)?, terrain }
            }
            Opcode::ReplaceTerrain => {
                let chance = Spanned::new(self.int(at)?, span);
                let to = Box::new(self.expr(at)?);
                let from = self.expr(at)?;
                StatementKind::ReplaceTerrain { region: self.expr(at)?, from, to, chance }
            }
            Opcode::WallWalk => {
                let chance = Some(Spanned::new(self.int(at)?, span)).filter(|chance| chance.node != 100);
                // An omitted terrain is the floor, inserted by the game's compiler.
                let said = !self.is_narrow_terrain();
                let from = Some(self.expr(at)?);
                let floor = ExprKind::MapCharacter { character: '.', light: None };
                let from = from.filter(|from| from.kind != floor || said && self.narrow);
                let to = Box::new(self.expr(at)?);
                StatementKind::WallWalk { place: self.expr(at)?, from, to, chance }
            }
            Opcode::MonGeneration => self.monster_generation(at)?,
            Opcode::LevelSounds => {
                let count = self.number(at)?;
                let mut sounds = Vec::new();
                for _ in 0..count.max(0) {
                    let kind = self.word(Group::Sound, SoundType::from_word, at)?;
                    sounds.push(Sound { kind, text: self.expr(at)? });
                }
                sounds.reverse();
                StatementKind::Sounds { frequency: self.expr(at)?, sounds }
            }
            Opcode::ShuffleArray => StatementKind::Shuffle { variable: self.variable_name(at)? },
            Opcode::InitLevel => StatementKind::InitMap(self.init_map(at)?),
            Opcode::Exit => StatementKind::Exit,
            code => return self.wrong(at, format!("no des-file has '{code}' here")),
        })
    }

    /// Pops the state of a door. Flags that are bits of it, in games that have them, go to `also`.
    fn door_state(
        &mut self,
        also: &mut Vec<Spanned<Text>>,
        at: usize,
    ) -> Result<OrRandom<Spanned<DoorState>>, RaiseError> {
        let span = self.ops[at].span;
        let number = self.number(at)?;
        if number == -1 {
            return Ok(OrRandom::Random);
        }
        let state = match self.word_of(number, Group::DoorState, DoorState::from_word, at) {
            Err(_) if !self.catalog.has(Feature::DoorsHaveMaterials) => self.flagged_state(number, also, at)?,
            state => state?,
        };
        Ok(OrRandom::Is(Spanned::new(state, span)))
    }

    /// Splits a number into the state of a door and flags, which go to `also`.
    fn flagged_state(&self, number: i64, also: &mut Vec<Spanned<Text>>, at: usize) -> Result<DoorState, RaiseError> {
        let states = self.catalog.words(Group::DoorState).filter_map(DoorState::from_word);
        for state in states {
            let bits = self.catalog.word(Group::DoorState, state.as_str()).unwrap_or(0);
            if number & bits == bits
                && let Some(flags) = words_of_bits(number & !bits, Group::DoorDetail, self.catalog)
            {
                also.extend(flags.into_iter().map(|flag| Spanned::new(flag, self.ops[at].span)));
                return Ok(state);
            }
        }
        self.wrong(at, format!("{} has no keyword for the number {number} here", self.catalog.title))
    }

    fn number_or_random(&mut self, at: usize) -> Result<OrRandom<Spanned<i32>>, RaiseError> {
        Ok(match self.int(at)? {
            -1 => OrRandom::Random,
            number => OrRandom::Is(Spanned::new(number, self.ops[at].span)),
        })
    }

    pub(super) fn alignment(&mut self, at: usize) -> Result<AlignmentSpec, RaiseError> {
        let number = self.int(at)?;
        let word = self.word_of(number.into(), Group::Alignment, Alignment::from_word, at);
        match word {
            Ok(word) => Ok(AlignmentSpec::Is(word)),
            Err(_) if number == -self.catalog.limits.registers - 1 => Ok(AlignmentSpec::Random),
            Err(_) if number < 0 => Ok(AlignmentSpec::Register(Spanned::new(-(number + 1), self.ops[at].span))),
            Err(problem) => Err(problem),
        }
    }

    /// Returns true if the top of the stack is terrain inserted by the game's compiler.
    fn is_narrow_terrain(&self) -> bool {
        match self.stack.last().map(|item| &item.kind) {
            Some(values::ItemKind::Pushed(pushed)) => {
                matches!(self.ops[*pushed].operand, Some(Operand::NarrowMapCharacter(_)))
            }
            _ => false,
        }
    }

    fn corridor(&mut self, at: usize) -> Result<StatementKind, RaiseError> {
        let span = self.ops[at].span;
        let to_wall = self.int(at)?;
        let (to_door, to_room) = (self.int(at)?, self.int(at)?);
        let from_wall = self.int(at)?;
        let (from_door, is_random) = self.is_narrow(at)?;
        let from_room = self.int(at)?;
        if (from_room, from_wall) == (-1, -1) {
            let style = match from_door {
                0 => CorridorStyle::Default,
                -1 if is_random => CorridorStyle::Random,
                number => CorridorStyle::Number(Spanned::new(number, span)),
            };
            return Ok(StatementKind::RandomCorridors { style });
        }
        let end = |room: i32, wall: i32, door: i32| {
            let wall = self.word_of(wall.into(), Group::Direction, Direction::from_word, at)?;
            let door = if door == -1 { OrRandom::Random } else { OrRandom::Is(Spanned::new(door, span)) };
            Ok(CorridorEnd { room: Spanned::new(room, span), wall: Spanned::new(wall, span), door })
        };
        let from = end(from_room, from_wall, from_door)?;
        let to = match (to_room, to_door) {
            (-1, -1) => CorridorTarget::Number(Spanned::new(to_wall, span)),
            _ => CorridorTarget::Door(end(to_room, to_wall, to_door)?),
        };
        Ok(StatementKind::Corridor { from, to })
    }

    fn level_region(&mut self, at: usize) -> Result<StatementKind, RaiseError> {
        let span = self.ops[at].span;
        let name = self.optional_text(at)?;
        self.number(at)?;
        let Named::LevelRegion(kind) = self.named(Role::LevelRegion, at)? else {
            return self.wrong(at, "the type is missing");
        };
        let mut spec = || {
            let level = self.truth(at)?;
            let mut corners = [self.int(at)?, self.int(at)?, self.int(at)?, self.int(at)?];
            corners.reverse();
            Ok(RegionSpec { level, corners, span })
        };
        let (outside, inside) = (spec()?, spec()?);
        let kind = match (kind.as_str(), name) {
            ("up_stairs", None) => LevelRegionKind::Stair(UpDown::Up),
            ("down_stairs", None) => LevelRegionKind::Stair(UpDown::Down),
            ("portal", name) => LevelRegionKind::Portal(Spanned::new(name.unwrap_or_default(), span)),
            ("teleport", None) => LevelRegionKind::Teleport(None),
            ("up_teleport", None) => LevelRegionKind::Teleport(Some(UpDown::Up)),
            ("down_teleport", None) => LevelRegionKind::Teleport(Some(UpDown::Down)),
            ("branch", None) => LevelRegionKind::Branch,
            _ => return self.wrong(at, "no des-file has this region"),
        };
        Ok(StatementKind::LevelRegion(LevelRegion { kind, inside, outside }))
    }

    fn monster_generation(&mut self, at: usize) -> Result<StatementKind, RaiseError> {
        let span = self.ops[at].span;
        let count = self.number(at)?;
        let chance = Spanned::new(self.int(at)?, span);
        let mut entries = Vec::new();
        for _ in 0..count.max(0) {
            let role = if self.number(at)? == 0 { Role::MonsterIndex } else { Role::MonsterClass };
            let monster = match self.named(role, at)? {
                Named::MonsterIndex(name) => SpeciesName::Name(name),
                Named::MonsterClass(class) => SpeciesName::Class(class),
                _ => return self.wrong(at, "a monster is missing"),
            };
            entries.push(GenerationEntry { frequency: self.expr(at)?, monster, span });
        }
        entries.reverse();
        Ok(StatementKind::MonsterGeneration { chance, entries })
    }

    fn init_map(&mut self, at: usize) -> Result<InitMap, RaiseError> {
        // The style is below the other values.
        let Some(style) = self.stack.len().checked_sub(8).filter(|&style| style >= self.floor) else {
            return self.wrong(at, "the opcode takes a missing value");
        };
        let style = match self.stack[style].kind {
            values::ItemKind::Pushed(pushed) => {
                self.number_at(pushed).and_then(|number| Role::InitStyle.operand(number, self.catalog))
            }
            _ => None,
        };
        let Some(Operand::Named(Named::InitStyle(style))) = style else {
            return self.wrong(at, "no des-file has this style");
        };
        let init = match style.as_str() {
            "solidfill" | "mazegrid" => {
                (0..4).try_for_each(|_| self.number(at).map(|_| ()))?;
                let light = match self.number(at)? {
                    -2 => None,
                    -1 => Some(OrRandom::Random),
                    number => Some(OrRandom::Is(self.word_of(number, Group::Light, Light::from_word, at)?)),
                };
                self.number(at)?;
                let filling = self.terrain(at)?;
                if style == "mazegrid" { InitMap::MazeGrid { filling } } else { InitMap::Solid { filling, light } }
            }
            "mines" => {
                let (foreground, background) = (self.terrain(at)?, self.terrain(at)?);
                let smoothed = self.truth(at)?;
                let joined = Spanned::new(self.truth(at)?, self.ops[at].span);
                let light = self.word_or_random(Group::Light, Light::from_word, at)?;
                let walled = self.truth_or_random(at)?;
                let filling = match self.named(Role::Terrain, at)? {
                    Named::Terrain(filling) => filling.map(|filling| Spanned::new(filling, self.ops[at].span)),
                    _ => None,
                };
                InitMap::Mines { foreground, background, smoothed, joined, light, walled, filling, iced: None }
            }
            style => {
                (0..7).try_for_each(|_| self.number(at).map(|_| ()))?;
                if style == "rogue" { InitMap::Rogue } else { InitMap::Sheol }
            }
        };
        self.number(at)?;
        Ok(init)
    }

    fn map(&mut self, at: usize) -> Result<Map, RaiseError> {
        let span = self.ops[at].span;
        let side = |number: i64| usize::try_from(number).ok().filter(|&side| side <= Grid::MAX_SIDE);
        let (width, height) = (self.number(at)?, self.number(at)?);
        let (Some(width), Some(height)) = (side(width), side(height)) else {
            return self.wrong(at, format!("no des-file has a map of {width} by {height}"));
        };
        let rows = match self.operand(at)? {
            Operand::Rows(rows) => rows.cells.iter().map(|&cell| char::from(cell)).collect(),
            Operand::String(text) => self.cells(text.as_deref().unwrap_or_default(), at)?,
            _ => return self.wrong(at, "the rows are missing"),
        };
        let keeps_regions = self.truth(at)?;
        let placement = self.number(at)?;
        if placement == 0 && width == 0 && height == 0 && rows.is_empty() {
            self.operand(at)?;
            return Ok(Map::None);
        }
        let position = match placement {
            1 => match self.operand(at)? {
                &Operand::Coordinate(Coordinate::At { x, y }) => MapPosition::Aligned {
                    horizontal: self.word_of(x.into(), Group::Horizontal, Horizontal::from_word, at)?,
                    vertical: self.word_of(y.into(), Group::Vertical, Vertical::from_word, at)?,
                },
                _ => return self.wrong(at, "the alignment is missing"),
            },
            2 => MapPosition::At(self.expr(at)?),
            other => return self.wrong(at, format!("there is no map placement {other}")),
        };
        if rows.len() != width * height {
            return self.wrong(at, format!("the map has {} squares, not {width} by {height}", rows.len()));
        }
        let rows = (0..height).map(|row| rows[row * width..(row + 1) * width].iter().collect()).collect();
        let rows = map_rows(rows, width, span);
        Ok(Map::Drawn { position, keep_regions: (!keeps_regions).then_some(false), rows })
    }

    /// Returns the squares of a string of terrain numbers plus one.
    fn cells(&self, text: &str, at: usize) -> Result<Vec<char>, RaiseError> {
        let mut bytes = Vec::with_capacity(text.len());
        self.charset.encode_into(text, &mut bytes);
        let cells: Option<_> = bytes.iter().map(|&byte| self.catalog.map_character(i32::from(byte) - 1)).collect();
        cells.map_or_else(|| self.wrong(at, "the rows contain a value that is not terrain"), Ok)
    }
}
