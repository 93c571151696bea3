//! Things of parts and rooms.

use splc_ir::check::meant;
use splc_ir::parts::BURIED;

use super::*;

impl<'s> Builder<'s, '_> {
    /// Adds a thing to the current part or room.
    pub(super) fn thing(&mut self, span: Span, word: &str, kind: StatementKind) {
        if !self.usable(span) {
            return;
        }
        let maze = self.in_maze();
        let Some(open) = &mut self.level else { return };
        let statement = Statement { kind, span };
        if maze {
            if open.stage < Stage::Registers {
                self.misplaced(
                    span,
                    format!("{word} before the first part"),
                    "begin a part: NOMAP, or GEOMETRY, MAP, the rows of the map, ENDMAP",
                );
                self.push(span, StatementKind::Error);
            }
            if let Some(open) = &mut self.level {
                open.stage = Stage::Things;
                open.level.body.push(statement);
            }
        } else {
            if open.room.is_none() {
                let stage = open.stage;
                let message = if stage >= Stage::Corridors {
                    format!("{word} after the corridors")
                } else {
                    format!("{word} outside a room")
                };
                self.misplaced(span, message, "move it after the ROOM or SUBROOM it belongs to");
                self.broken_room(span);
            }
            if let Some((room, _)) = self.level.as_mut().and_then(|open| open.room.as_mut()) {
                room.body.push(statement);
            }
        }
    }

    /// Adds a thing that only parts of mazes have.
    pub(super) fn maze_thing(&mut self, span: Span, word: &str, kind: StatementKind) {
        if self.level.is_some() && !self.in_maze() {
            self.bad_number = false;
            let message = format!("{word} in a level of rooms");
            self.foreign(span, word, message, "use it only in a level of maps (MAZE)");
            return;
        }
        self.thing(span, word, kind);
    }

    /// Adds a thing that only rooms have.
    pub(super) fn room_thing(&mut self, span: Span, word: &str, kind: StatementKind) {
        if self.in_maze() {
            self.bad_number = false;
            let message = format!("{word} in a level of maps");
            self.foreign(span, word, message, meant::in_a_map(&kind));
            return;
        }
        self.thing(span, word, kind);
    }

    pub(super) fn with_chance(span: Span, chance: Option<Spanned<i32>>, kind: StatementKind) -> StatementKind {
        match chance {
            None => kind,
            Some(percent) => {
                let condition = Condition::Percent(percent);
                StatementKind::Chance { condition, then: Box::new(Statement { kind, span }) }
            }
        }
    }

    pub(in super::super) fn monster(
        &mut self,
        start: usize,
        end: usize,
        chance: Option<Spanned<i32>>,
        species: Species<'_>,
        place: Expr,
        details: Vec<Spanned<MonsterDetail>>,
    ) {
        let span = self.span(start, end);
        let monster = species.expr(RegisterKind::Monster, ExprKind::Monster);
        let monster = Monster { monster, place, details, inventory: None };
        self.thing(span, "MONSTER", Self::with_chance(span, chance, StatementKind::Monster(monster)));
    }

    pub(in super::super) fn object(&mut self, start: usize, end: usize, statement: ObjectStatement<'_>) {
        let ObjectStatement { kind, chance, species, place, mut details } = statement;
        let span = self.span(start, end);
        let contained_span = match place {
            ObjectPlace::Own(place) => {
                let span = place.span;
                details.insert(0, Spanned::new(ObjectDetail::Place(place), span));
                Span::NOWHERE
            }
            ObjectPlace::Contained(span) => span,
        };
        let (word, contents) = match kind {
            ObjectKind::Object => ("OBJECT", None),
            ObjectKind::Container => ("CONTAINER", Some(Vec::new())),
        };
        let object = species.expr(RegisterKind::Object, ExprKind::Object);
        let object = Object { object, details, contents, contained_span };
        self.thing(span, word, Self::with_chance(span, chance, StatementKind::Object(object)));
    }

    /// Handles OBJFLAGS, which adds details to the object before it. A second one replaces the first (SLASH'EM 0.0.7,
    /// lev_comp.y, `object_flags`).
    pub(in super::super) fn object_flags(&mut self, start: usize, end: usize, words: Vec<Spanned<Text>>) {
        let span = self.span(start, end);
        if !self.usable(span) {
            return;
        }
        let Some(open) = &mut self.level else { return };
        let body = match &mut open.room {
            Some((room, _)) => &mut room.body,
            None => &mut open.level.body,
        };
        let part =
            body.iter().rposition(|statement| matches!(statement.kind, StatementKind::Map(_) | StatementKind::Error));
        let objects = body.iter_mut().skip(part.map_or(0, |part| part + 1)).rev().filter_map(nesting::object_mut);
        let Some(object) = objects.into_iter().next() else {
            self.misplaced(span, "OBJFLAGS without an object before it", "move it after its OBJECT");
            return;
        };
        object.details.retain(|detail| !matches!(detail.node, ObjectDetail::Buried | ObjectDetail::Light(_)));
        for word in words {
            let detail = if word.node == BURIED { ObjectDetail::Buried } else { ObjectDetail::Light(Light::Lit) };
            object.details.push(Spanned::new(detail, word.span));
        }
    }

    pub(in super::super) fn object_infos(
        &self,
        curse: Option<Spanned<ObjectDetail>>,
        of: Option<Expr>,
        enchantment: Expr,
        name: Option<Expr>,
    ) -> Vec<Spanned<ObjectDetail>> {
        let mut details = Vec::with_capacity(5);
        details.extend(curse);
        details.extend(of.map(|of| Spanned::new(ObjectDetail::MonsterType(of.clone()), of.span)));
        let span = enchantment.span;
        details.push(Spanned::new(ObjectDetail::Enchantment(enchantment), span));
        details.extend(name.map(|name| {
            let span = name.span;
            Spanned::new(ObjectDetail::Name(name), span)
        }));
        details
    }

    pub(in super::super) fn trap(
        &mut self,
        start: usize,
        end: usize,
        chance: Option<Spanned<i32>>,
        trap: OrRandom<Spanned<Text>>,
        place: Expr,
    ) {
        let span = self.span(start, end);
        self.thing(span, "TRAP", Self::with_chance(span, chance, StatementKind::Trap { trap, place }));
    }

    pub(in super::super) fn door(&mut self, start: usize, end: usize, form: DoorForm) {
        let span = self.span(start, end);
        let maze = self.in_maze();
        // The rest of a word that was reported: ROOMDOOR is split into ROOM and DOOR.
        if self.last_error_line.contains(&start) {
            return;
        }
        match form {
            DoorForm::Map(state, place, also) => {
                if self.level.is_some() && !maze {
                    self.bad_number = false;
                    // A map in a level of rooms was reported: the door is right, the level is not.
                    if self.level.as_ref().is_some_and(|open| open.reported) {
                        return;
                    }
                    self.diagnostics.push(teach::door_of_a_map(span));
                    self.thing(span, "DOOR", StatementKind::Error);
                    return;
                }
                let at = Selection { span: place.span, kind: SelectionKind::Point(place) };
                self.thing(span, "DOOR", StatementKind::Door { state, at, also });
            }
            DoorForm::Room(secret, state, DoorWall { wall, wall_span: walls_span, position, also }) => {
                if maze {
                    self.bad_number = false;
                    let state = match &state {
                        OrRandom::Is(state) => state.node.as_str(),
                        OrRandom::Random => "random",
                    };
                    self.diagnostics.push(teach::door_of_a_room(span, state, &self.drawn_doors()));
                    return;
                }
                let walls = match wall {
                    OrRandom::Random => OrRandom::Random,
                    OrRandom::Is(wall) => OrRandom::Is(vec![wall]),
                };
                self.thing(span, "DOOR", StatementKind::RoomDoor { secret, state, walls, position, walls_span, also });
            }
        }
    }

    pub(in super::super) fn drawbridge(
        &mut self,
        start: usize,
        end: usize,
        place: Expr,
        direction: Spanned<Direction>,
        state: OrRandom<Spanned<DoorState>>,
    ) {
        let span = self.span(start, end);
        self.maze_thing(span, "DRAWBRIDGE", StatementKind::Drawbridge { place, direction, state });
    }

    pub(in super::super) fn maze_walk(&mut self, start: usize, end: usize, place: Expr, direction: Direction) {
        let kind = StatementKind::MazeWalk { place, direction, stocked: None, filling: None };
        self.maze_thing(self.span(start, end), "MAZEWALK", kind);
    }

    pub(in super::super) fn wallify(&mut self, start: usize, end: usize) {
        self.maze_thing(self.span(start, end), "WALLIFY", StatementKind::Wallify { at: None });
    }

    pub(in super::super) fn ladder(&mut self, start: usize, end: usize, place: Expr, direction: UpDown) {
        self.maze_thing(self.span(start, end), "LADDER", StatementKind::Ladder { place, direction });
    }

    pub(in super::super) fn stair(&mut self, start: usize, end: usize, place: Expr, direction: UpDown) {
        self.thing(self.span(start, end), "STAIR", StatementKind::Stair { place, direction });
    }

    pub(in super::super) fn level_region(
        &mut self,
        start: usize,
        end: usize,
        kind: LevelRegionKind,
        inside: RegionSpec,
        outside: RegionSpec,
    ) {
        let word = match &kind {
            LevelRegionKind::Stair(_) => "STAIR with regions",
            LevelRegionKind::Portal(_) => "PORTAL",
            LevelRegionKind::Teleport(_) => "TELEPORT_REGION",
            LevelRegionKind::Branch => "BRANCH",
            LevelRegionKind::Register(_) => "RANDOM_REGION",
        };
        let kind = StatementKind::LevelRegion(LevelRegion { kind, inside, outside });
        self.maze_thing(self.span(start, end), word, kind);
    }

    pub(in super::super) fn fountain(&mut self, start: usize, end: usize, place: Expr) {
        self.thing(self.span(start, end), "FOUNTAIN", StatementKind::Fountain { at: point(place) });
    }

    /// Handles a catalog-defined statement of one place.
    pub(in super::super) fn own_place(&mut self, start: usize, end: usize, word: &str, place: Expr) {
        let kind = StatementKind::Place { word: Text::from(word), at: point(place) };
        self.thing(self.span(start, end), word, kind);
    }

    pub(in super::super) fn sink(&mut self, start: usize, end: usize, place: Expr) {
        self.room_thing(self.span(start, end), "SINK", StatementKind::Sink { at: point(place) });
    }

    pub(in super::super) fn pool(&mut self, start: usize, end: usize, place: Expr) {
        self.room_thing(self.span(start, end), "POOL", StatementKind::Pool { at: point(place) });
    }

    pub(in super::super) fn non_diggable(&mut self, start: usize, end: usize, region: Expr) {
        self.maze_thing(self.span(start, end), "NON_DIGGABLE", StatementKind::NonDiggable { region });
    }

    pub(in super::super) fn non_passwall(&mut self, start: usize, end: usize, region: Expr) {
        self.maze_thing(self.span(start, end), "NON_PASSWALL", StatementKind::NonPasswall { region });
    }

    pub(in super::super) fn region(
        &mut self,
        start: usize,
        end: usize,
        area: Expr,
        light: OrRandom<Light>,
        room_type: OrRandom<Spanned<Text>>,
        flags: Vec<Spanned<RoomFlag>>,
    ) {
        let flags = if flags.is_empty() { None } else { Some(flags) };
        let region = Region { area, light, room_type, flags, body: None };
        self.maze_thing(self.span(start, end), "REGION", StatementKind::Region(region));
    }

    pub(in super::super) fn altar(
        &mut self,
        start: usize,
        end: usize,
        place: Expr,
        alignment: AlignmentSpec,
        altar: OrRandom<AltarType>,
        also: Vec<Spanned<Text>>,
    ) {
        self.thing(self.span(start, end), "ALTAR", StatementKind::Altar { place, alignment, altar, also });
    }

    pub(in super::super) fn gold(&mut self, start: usize, end: usize, amount: Expr, place: Expr) {
        self.thing(self.span(start, end), "GOLD", StatementKind::Gold { amount, place });
    }

    pub(in super::super) fn engraving(
        &mut self,
        start: usize,
        end: usize,
        place: Expr,
        engraving: OrRandom<EngravingType>,
        text: Expr,
    ) {
        self.thing(self.span(start, end), "ENGRAVING", StatementKind::Engraving { place, engraving, text });
    }
}

fn register(of: RegisterKind, index: Spanned<i32>, name: OrRandom<&str>) -> ExprKind {
    match name {
        OrRandom::Random => ExprKind::Register { of, index },
        OrRandom::Is(name) => ExprKind::NamedRegister { of, index, name: Text::from(name) },
    }
}

impl Species<'_> {
    /// Converts it to a value. `named` constructs a monster or an object.
    fn expr(self, of: RegisterKind, named: fn(SpeciesName) -> ExprKind) -> Expr {
        let kind = match (self.class.node, self.name) {
            (Class::Register(index), name) => register(of, index, name),
            (Class::Random, OrRandom::Random) => named(SpeciesName::Random),
            (Class::Random, OrRandom::Is(name)) => named(SpeciesName::RandomAndName(Text::from(name))),
            (Class::Symbol(class), OrRandom::Random) => named(SpeciesName::Class(class)),
            (Class::Symbol(class), OrRandom::Is(name)) => named(SpeciesName::ClassAndName(class, Text::from(name))),
        };
        let span = match self.name {
            OrRandom::Is(_) => Span { end: self.end as u32, ..self.class.span },
            OrRandom::Random => self.class.span,
        };
        Expr { kind, span }
    }
}

fn point(place: Expr) -> Selection {
    Selection { span: place.span, kind: SelectionKind::Point(place) }
}
