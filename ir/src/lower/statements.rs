//! Statements, except those with their own file.

use super::*;

impl Lowering<'_> {
    pub(super) fn block(&mut self, statements: &[Statement]) {
        for statement in statements {
            if self.overflowed {
                return;
            }
            self.statement(statement);
        }
    }

    pub(super) fn statement(&mut self, statement: &Statement) {
        self.span = statement.span;
        match &statement.kind {
            StatementKind::Message { text, to: Audience::Everyone } => {
                self.expr(text);
                self.op(Opcode::Message);
            }
            StatementKind::InitMap(init) => self.init_map(init),
            StatementKind::Map(map) => self.map(map),
            StatementKind::Monster(monster) => self.monster(monster),
            StatementKind::Object(object) => self.object(object),
            StatementKind::Trap { trap, place } => {
                self.expr(place);
                match trap {
                    OrRandom::Random => self.integer(-1),
                    OrRandom::Is(name) => self.named(Named::Trap(name.node.clone())),
                }
                self.op(Opcode::Trap);
            }
            StatementKind::Room(room) => self.room(room),
            StatementKind::RoomDoor { secret, state, walls, position, also, .. } => {
                self.integer(position.number());
                self.door_state(*state, also);
                self.boolean_or_random(*secret);
                match walls {
                    OrRandom::Random => self.integer(-1),
                    OrRandom::Is(walls) => self.directions(walls),
                }
                self.door_material(also);
                self.op(Opcode::RoomDoor);
            }
            StatementKind::Door { state, at, also } => {
                self.selection(at);
                self.door_state(*state, also);
                self.door_material(also);
                self.op(Opcode::Door);
            }
            StatementKind::Region(region) => self.region(region),
            StatementKind::Stair { place, direction } => self.up_down(place, *direction, Opcode::Stair),
            StatementKind::Ladder { place, direction } => self.up_down(place, *direction, Opcode::Ladder),
            StatementKind::LevelRegion(region) => self.level_region(region),
            StatementKind::Altar { place, alignment, altar, also: _ } => {
                self.expr(place);
                self.word_or_random(Group::Altar, altar.map(AltarType::as_str));
                self.alignment(*alignment);
                self.op(Opcode::Altar);
            }
            StatementKind::Grave { place, epitaph } => {
                self.expr(place);
                let kind = match epitaph {
                    Epitaph::Text(text) => {
                        self.expr(text);
                        2
                    }
                    Epitaph::Random => {
                        self.string(None);
                        1
                    }
                    Epitaph::None => {
                        self.string(None);
                        0
                    }
                };
                self.integer(kind);
                self.op(Opcode::Grave);
            }
            StatementKind::Fountain { at } => self.on_selection(at, Opcode::Fountain),
            StatementKind::Sink { at } => self.on_selection(at, Opcode::Sink),
            StatementKind::Pool { at } => self.on_selection(at, Opcode::Pool),
            StatementKind::Place { word, at } => match self.catalog.place_opcode(word) {
                Some(opcode) => self.on_selection(at, opcode),
                None => self.refuse(),
            },
            StatementKind::Gold { amount, place } => {
                self.expr(amount);
                self.expr(place);
                self.op(Opcode::Gold);
            }
            StatementKind::Engraving { place, engraving, text } => {
                self.expr(place);
                self.expr(text);
                self.word_or_random(Group::Engraving, engraving.map(EngravingType::as_str));
                self.op(Opcode::Engraving);
            }
            StatementKind::Drawbridge { place, direction, state } => {
                self.expr(place);
                self.integer(match state {
                    OrRandom::Random => -1,
                    OrRandom::Is(state) => i64::from(state.node == DoorState::Open),
                });
                self.named(Named::DrawbridgeDirection(Text::const_new(direction.node.as_str())));
                self.op(Opcode::Drawbridge);
            }
            StatementKind::MazeWalk { place, direction, stocked, filling } => {
                self.expr(place);
                self.word(Group::Direction, direction.as_str());
                match stocked {
                    None => {
                        self.integer(1);
                        self.integer(0);
                    }
                    Some(stocked) => {
                        self.integer(*stocked);
                        self.named(Named::Terrain(filling.map(|filling| filling.node)));
                    }
                }
                self.op(Opcode::MazeWalk);
            }
            StatementKind::Wallify { at } => {
                match at {
                    None => {
                        self.push(Operand::NarrowEverywhere);
                        if !self.catalog.has(Feature::WallifyTakesRegions) {
                            self.integer(0);
                        }
                    }
                    Some(WallifyArea::Selection(at)) => {
                        self.selection(at);
                        self.integer(1);
                    }
                    Some(WallifyArea::Region(region)) => self.expr(region),
                }
                self.op(Opcode::Wallify);
            }
            StatementKind::NonDiggable { region } => self.on_expr(region, Opcode::NonDiggable),
            StatementKind::NonPasswall { region } => self.on_expr(region, Opcode::NonPasswall),
            StatementKind::Topologize { place } => self.on_expr(place, Opcode::Topography),
            StatementKind::Corridor { from, to } => {
                self.corridor_end(from);
                match to {
                    CorridorTarget::Door(to) => self.corridor_end(to),
                    CorridorTarget::Number(number) => {
                        self.quirk_narrow_integer(-1);
                        self.integer(-1);
                        // The number is stored in place of the wall.
                        self.named_number(Role::Word(Group::Direction), number.node.into());
                    }
                }
                self.op(Opcode::Corridor);
            }
            StatementKind::RandomCorridors { style } => {
                self.quirk_narrow_integer(-1);
                match style {
                    CorridorStyle::Default => self.integer(0),
                    CorridorStyle::Number(number) => self.integer(number.node),
                    CorridorStyle::Random => self.quirk_narrow_integer(-1),
                }
                self.quirk_narrow_integer(-1);
                self.quirk_narrow_integer(-1);
                self.integer(-1);
                self.integer(-1);
                self.op(Opcode::Corridor);
            }
            StatementKind::Terrain { at, terrain } => {
                self.selection(at);
                self.expr(terrain);
                self.op(Opcode::Terrain);
            }
            StatementKind::ReplaceTerrain { region, from, to, chance } => {
                self.expr(region);
                self.expr(from);
                self.expr(to);
                self.integer(chance.node.clamp(0, 100));
                self.op(Opcode::ReplaceTerrain);
            }
            StatementKind::Spill { place, terrain, direction, amount }
                if self.catalog.has(Feature::SpillTakesNumbers) =>
            {
                self.expr(place);
                match terrain.kind {
                    ExprKind::MapCharacter { character, .. } => self.named(Named::Terrain(Some(character))),
                    _ => self.refuse(),
                }
                self.word(Group::Direction, direction.as_str());
                self.expr(amount);
                match terrain.kind {
                    ExprKind::MapCharacter { light: Some(light), .. } => self.light(light),
                    _ => self.integer(LightCode::Unchanged.number()),
                }
                self.op(Opcode::Spill);
            }
            StatementKind::Spill { place, terrain, direction, amount } => {
                self.expr(place);
                self.expr(terrain);
                self.expr(amount);
                self.word(Group::Direction, direction.as_str());
                self.op(Opcode::Spill);
            }
            StatementKind::WallWalk { place, from, to, chance } => {
                self.expr(place);
                self.expr(to);
                match from {
                    Some(from) => self.expr(from),
                    None => self.push(if self.narrow {
                        Operand::NarrowMapCharacter('.')
                    } else {
                        Operand::MapCharacter { symbol: '.', light: LightCode::Unchanged }
                    }),
                }
                self.integer(chance.map_or(100, |chance| chance.node));
                self.op(Opcode::WallWalk);
            }
            StatementKind::Mineralize { chances } => {
                match chances {
                    Some(chances) => chances.iter().for_each(|chance| self.expr(chance)),
                    None => (0..4).for_each(|_| self.integer(-1)),
                }
                self.op(Opcode::Mineralize);
            }
            StatementKind::MonsterGeneration { chance, entries } => {
                for entry in entries {
                    self.expr(&entry.frequency);
                    let class = match &entry.monster {
                        SpeciesName::Class(class) => {
                            self.named(Named::MonsterClass(*class));
                            1
                        }
                        SpeciesName::Name(name) => {
                            self.named(Named::MonsterIndex(name.clone()));
                            0
                        }
                        SpeciesName::Random | SpeciesName::ClassAndName(..) | SpeciesName::RandomAndName(_) => {
                            self.refuse();
                            0
                        }
                    };
                    self.integer(class);
                }
                self.integer(chance.node.clamp(0, 100));
                self.integer(entries.len() as i64);
                self.op(Opcode::MonGeneration);
            }
            StatementKind::Sounds { frequency, sounds } => {
                self.expr(frequency);
                for sound in sounds {
                    self.expr(&sound.text);
                    self.word(Group::Sound, sound.kind.as_str());
                }
                self.integer(sounds.len() as i64);
                self.op(Opcode::LevelSounds);
            }
            StatementKind::VaultGeneration { frequency } => {
                if self.vault.is_some() {
                    self.vault = Some(frequency.node);
                }
            }
            StatementKind::VaultDepth { depth } => self.vault_depth = depth.node,
            StatementKind::Define { variable, value } => self.definition(&variable.node, value),
            StatementKind::Shuffle { variable } => {
                self.string(Some(&variable.node));
                self.op(Opcode::ShuffleArray);
            }
            StatementKind::Function(function) => self.function(function),
            StatementKind::Call { function, arguments } => self.call(function, arguments),
            StatementKind::If { condition, then, otherwise } => {
                let over = self.branch(condition);
                self.block(then);
                match otherwise {
                    None => self.patch_here(over),
                    Some(otherwise) => {
                        let end = self.jump_ahead(Opcode::Jmp);
                        self.patch_here(over);
                        self.block(otherwise);
                        self.patch_here(end);
                    }
                }
            }
            StatementKind::Chance { condition, then } => {
                let over = self.branch(condition);
                self.statement(then);
                self.patch_here(over);
            }
            StatementKind::Switch { value, cases } => self.switch(value, cases),
            StatementKind::For { variable, from, to, body } if self.catalog.has(Feature::ConstantFor) => {
                self.constant_for_loop(&variable.node, from, to, body);
            }
            StatementKind::For { variable, from, to, body } => self.for_loop(&variable.node, from, to, body),
            StatementKind::Loop { count, body } => {
                self.expr(count);
                let start = self.here();
                self.op(Opcode::Dec);
                self.open_breakable();
                self.block(body);
                self.op(Opcode::Copy);
                self.integer(0);
                self.op(Opcode::Cmp);
                self.jump_to(Opcode::Jg, start);
                self.op(Opcode::Pop);
                self.close_breakable();
            }
            StatementKind::Break => {
                let push = self.quirk_break_distance();
                self.buffers[self.current].pending += 1;
                self.breaks.push(PendingBreak { depth: self.depth, buffer: self.current, push, span: statement.span });
            }
            StatementKind::Exit => self.op(Opcode::Exit),
            StatementKind::Message { to: Audience::Hallucinating, .. }
            | StatementKind::Registers { .. }
            | StatementKind::Error => self.refuse(),
        }
    }

    pub(super) fn on_selection(&mut self, selection: &Selection, code: Opcode) {
        self.selection(selection);
        self.op(code);
    }

    pub(super) fn on_expr(&mut self, expr: &Expr, code: Opcode) {
        self.expr(expr);
        self.op(code);
    }

    pub(super) fn up_down(&mut self, place: &Expr, direction: UpDown, code: Opcode) {
        self.expr(place);
        self.word(Group::VerticalDirection, direction.as_str());
        self.op(code);
    }

    pub(super) fn corridor_end(&mut self, end: &CorridorEnd) {
        self.integer(end.room.node);
        self.integer(end.door.number());
        self.word(Group::Direction, end.wall.node.as_str());
    }

    pub(super) fn init_map(&mut self, init: &InitMap) {
        self.named(Named::InitStyle(Text::const_new(lacks::init_style(init))));
        let filling = match init {
            InitMap::Solid { filling, .. } | InitMap::MazeGrid { filling } => Named::Terrain(Some(filling.node)),
            InitMap::Mines { filling, .. } => Named::Terrain(filling.map(|filling| filling.node)),
            InitMap::Sheol | InitMap::Rogue => {
                (0..7).for_each(|_| self.integer(0));
                self.op(Opcode::InitLevel);
                return;
            }
        };
        self.named(filling);
        match init {
            InitMap::Mines { foreground, background, smoothed, joined, light, walled, .. } => {
                self.boolean_or_random(*walled);
                self.light(*light);
                self.integer(joined.node);
                self.integer(*smoothed);
                self.named(Named::Terrain(Some(background.node)));
                self.named(Named::Terrain(Some(foreground.node)));
            }
            _ => {
                self.integer(0);
                match init {
                    InitMap::Solid { light: Some(light), .. } => self.light(*light),
                    InitMap::Solid { light: None, .. } => self.integer(LightCode::Unchanged.number()),
                    _ => self.integer(0),
                }
                (0..4).for_each(|_| self.integer(0));
            }
        }
        self.op(Opcode::InitLevel);
    }

    pub(super) fn map(&mut self, map: &Map) {
        match map {
            Map::None => {
                self.push(Operand::Coordinate(Coordinate::At { x: 0, y: 0 }));
                self.integer(0);
                self.integer(1);
                self.string(None);
                self.integer(0);
                self.integer(0);
            }
            Map::Drawn { position, keep_regions, rows } => {
                let style = match position {
                    MapPosition::Aligned { horizontal, vertical } => {
                        // A pair of alignments is packed as a coordinate.
                        let number = |group, word| self.catalog.word(group, word).unwrap_or(0) as i32;
                        let x = number(Group::Horizontal, horizontal.as_str());
                        let y = number(Group::Vertical, vertical.as_str());
                        self.push(Operand::Coordinate(Coordinate::At { x, y }));
                        1
                    }
                    MapPosition::At(place) => {
                        self.expr(place);
                        2
                    }
                };
                self.integer(style);
                self.integer(keep_regions.unwrap_or(true));
                // A map of empty rows has a height but no width.
                let height = rows.rows.len();
                let rows = rows.cells(self.catalog);
                let width = rows.width;
                self.push(Operand::Rows(rows));
                self.integer(height as i64);
                self.integer(width as i64);
            }
        }
        self.op(Opcode::Map);
    }

    pub(super) fn definition(&mut self, variable: &str, value: &Definition) {
        match value {
            Definition::Value { value, .. } => {
                self.expr(value);
                self.define(variable, 0);
            }
            Definition::Array { values, .. } => {
                values.iter().for_each(|value| self.expr(value));
                self.define(variable, values.len());
            }
            Definition::Copy { variable: source, .. } => {
                self.string(Some(&source.node));
                self.quirk_narrow_integer(-1);
                self.string(Some(variable));
                self.op(Opcode::VarInit);
            }
        }
    }
}

impl MapRows {
    /// Returns the rows without line numbers, padded with blanks to the longest. Unknown characters become blanks.
    pub fn cells(&self, catalog: &Catalog) -> Rows {
        let width = self.width();
        let mut cells = Vec::with_capacity(width * self.rows.len());
        for row in &self.rows {
            let end = cells.len() + width;
            cells.extend_from_slice(&MapRows::drawn(row));
            cells.resize(end, b' ');
        }
        for cell in cells.iter_mut().filter(|cell| catalog.terrain(char::from(**cell)).is_none()) {
            *cell = b' ';
        }
        Rows { cells, width }
    }

    /// Returns the number of columns, without line numbers.
    pub fn width(&self) -> usize {
        self.rows.iter().map(|row| row.len() - MapRows::numbering(row)).max().unwrap_or(0)
    }
}
