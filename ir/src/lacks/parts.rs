//! Constructs that levels consisting of lists of things, as in NetHack 3.4.3, cannot contain.

use super::*;
use crate::parts::{BURIED, LIT, Layouts};

/// Adds the constructs of `node` that the game of `target` lacks to `found`.
pub(super) fn look(node: Node<'_>, target: &Catalog, found: &mut Vec<Lack>) {
    let mut finder = Finder { target, found };
    match node {
        Node::Module(module) => {
            for item in module.all_items() {
                match item {
                    Item::Function(function) => finder.lack(Construct::Statement("FUNCTION"), function.name.span),
                    Item::Level(level) => finder.level(level),
                    Item::Include { .. } => {}
                }
            }
        }
        Node::Level(level) => finder.level(level),
        Node::Function(function) => finder.lack(Construct::Statement("FUNCTION"), function.name.span),
        Node::Statement(statement, setting) => finder.statement(statement, setting, Chances::None),
    }
}

struct Finder<'c, 'f> {
    target: &'c Catalog,
    found: &'f mut Vec<Lack>,
}

/// The number of chances around a statement.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Chances {
    None,
    One,
}

impl Finder<'_, '_> {
    fn lack(&mut self, construct: Construct, span: Span) {
        self.found.push(Lack { construct, span });
    }

    fn word(&mut self, group: Group, word: &'static str, span: Span) {
        if self.target.word(group, word).is_none() {
            self.lack(Construct::Word(group, word), span);
        }
    }

    fn level(&mut self, level: &Level) {
        if level.kind == LevelKind::Script {
            self.lack(Construct::Level(level.kind), level.name.span);
            return;
        }
        let maze = matches!(level.kind, LevelKind::Maze { .. });
        let mut setting = if maze { Setting::Maze } else { Setting::Level };
        for statement in &level.body {
            if let (true, StatementKind::Map(map)) = (maze, &statement.kind) {
                setting = Setting::Part;
                self.map(map, statement.span);
            } else {
                self.statement(statement, setting, Chances::None);
            }
        }
    }

    fn map(&mut self, map: &Map, span: Span) {
        let Map::Drawn { position, keep_regions, rows: _ } = map else { return };
        match position {
            MapPosition::Aligned { horizontal, vertical } => {
                self.word(Horizontal::GROUP, horizontal.as_str(), span);
                self.word(Vertical::GROUP, vertical.as_str(), span);
            }
            MapPosition::At(_) => self.lack(Construct::MapPlace, span),
        }
        if keep_regions.is_some() {
            self.lack(Construct::KeptRegions, span);
        }
    }

    /// Returns true if the level file has a list for this statement in these surroundings.
    fn belongs(kind: &StatementKind, setting: Setting) -> bool {
        use Setting::{Container, Level, Maze, Part, Room};
        match kind {
            StatementKind::Error | StatementKind::Chance { .. } => true,
            StatementKind::Message { .. } | StatementKind::InitMap(_) => matches!(setting, Level | Maze | Part),
            StatementKind::Registers { of, .. } if of.is_place() => setting == Part,
            StatementKind::Registers { .. } => matches!(setting, Level | Part),
            StatementKind::Room(_) => matches!(setting, Level | Room),
            StatementKind::Corridor { .. } | StatementKind::RandomCorridors { .. } => setting == Level,
            StatementKind::Object(_) => matches!(setting, Part | Room | Container),
            StatementKind::Monster(_)
            | StatementKind::Trap { .. }
            | StatementKind::Altar { .. }
            | StatementKind::Fountain { .. }
            | StatementKind::Place { .. }
            | StatementKind::Stair { .. }
            | StatementKind::Gold { .. }
            | StatementKind::Engraving { .. } => matches!(setting, Part | Room),
            StatementKind::RoomDoor { .. } | StatementKind::Sink { .. } | StatementKind::Pool { .. } => setting == Room,
            StatementKind::Door { .. }
            | StatementKind::Drawbridge { .. }
            | StatementKind::Region(_)
            | StatementKind::LevelRegion(_)
            | StatementKind::MazeWalk { .. }
            | StatementKind::Wallify { .. }
            | StatementKind::Ladder { .. }
            | StatementKind::NonDiggable { .. }
            | StatementKind::NonPasswall { .. } => setting == Part,
            // A MAP begins a part and is never inside one. The other statements do not exist.
            StatementKind::Map(_)
            | StatementKind::Grave { .. }
            | StatementKind::Terrain { .. }
            | StatementKind::ReplaceTerrain { .. }
            | StatementKind::Spill { .. }
            | StatementKind::WallWalk { .. }
            | StatementKind::Mineralize { .. }
            | StatementKind::MonsterGeneration { .. }
            | StatementKind::Sounds { .. }
            | StatementKind::VaultGeneration { .. }
            | StatementKind::VaultDepth { .. }
            | StatementKind::Topologize { .. }
            | StatementKind::Define { .. }
            | StatementKind::Shuffle { .. }
            | StatementKind::Function(_)
            | StatementKind::Call { .. }
            | StatementKind::If { .. }
            | StatementKind::Switch { .. }
            | StatementKind::For { .. }
            | StatementKind::Loop { .. }
            | StatementKind::Break
            | StatementKind::Exit => false,
        }
    }

    fn statement(&mut self, statement: &Statement, setting: Setting, chance: Chances) {
        let (kind, span) = (&statement.kind, statement.span);
        if !Self::belongs(kind, setting) {
            let anywhere = matches!(kind, StatementKind::Map(_))
                || [Setting::Level, Setting::Part, Setting::Room].iter().any(|&it| Self::belongs(kind, it));
            let construct = match super::word(kind) {
                word if anywhere => Construct::Setting(word, setting),
                word => Construct::Statement(word),
            };
            return self.lack(construct, span);
        }
        match kind {
            StatementKind::Message { text, to } => {
                if *to == Audience::Hallucinating && !self.target.has(Feature::HallucinationMessages) {
                    self.lack(Construct::Statement(super::word(kind)), span);
                }
                self.text(text);
            }
            StatementKind::InitMap(init) => self.init_map(init, span),
            StatementKind::Registers { of, values } => {
                if !self.has_registers(*of) {
                    self.lack(Construct::Register(*of), span);
                }
                for value in values {
                    match of {
                        RegisterKind::Place | RegisterKind::PlaceList(_) | RegisterKind::Region => self.place(value),
                        RegisterKind::Object | RegisterKind::Monster => self.class(value),
                    }
                }
            }
            StatementKind::Monster(monster) => self.monster(monster, span),
            StatementKind::Object(object) => self.object(object, setting, span),
            StatementKind::Trap { trap: _, place } => self.place(place),
            StatementKind::Chance { condition, then } => {
                if !matches!(condition, Condition::Percent(_)) {
                    self.lack(Construct::Condition, span);
                }
                let makes = matches!(
                    then.kind,
                    StatementKind::Monster(_) | StatementKind::Object(_) | StatementKind::Trap { .. }
                );
                if chance == Chances::One {
                    self.lack(Construct::Form("a chance inside a chance"), span);
                } else if !makes && !matches!(then.kind, StatementKind::Error) {
                    self.lack(
                        Construct::Form("a chance for something other than a monster, an object or a trap"),
                        span,
                    );
                }
                self.statement(then, setting, Chances::One);
            }
            StatementKind::Room(room) => self.room(room, setting, span),
            StatementKind::RoomDoor { secret: _, state, walls, position: _, walls_span, also } => {
                self.door_state(state);
                self.structure_detail("room_door", "artifact", also, "this door detail");
                match walls {
                    OrRandom::Random => {}
                    OrRandom::Is(walls) if walls.len() == 1 => {}
                    OrRandom::Is(_) => self.lack(Construct::SeveralWalls, walls_span.somewhere().unwrap_or(span)),
                }
            }
            StatementKind::Door { state, at, also } => {
                self.door_state(state);
                self.structure_detail("door", "artifact", also, "this door detail");
                self.point(at);
            }
            StatementKind::Fountain { at } | StatementKind::Sink { at } | StatementKind::Pool { at } => self.point(at),
            StatementKind::Place { word, at } => {
                if !self.target.place_statements.iter().any(|known| known == word.as_str()) {
                    self.lack(Construct::OwnStatement(word.clone()), span);
                }
                self.point(at);
            }
            StatementKind::Region(region) => {
                self.region(&region.area);
                self.room_flags(region.flags.as_deref(), "joined");
                if region.body.is_some() {
                    self.lack(Construct::RegionBody, span);
                }
            }
            StatementKind::LevelRegion(region) => {
                let kind = super::level_region(&region.kind);
                if matches!(region.kind, LevelRegionKind::Register(_)) {
                    if !self.has_registers(RegisterKind::Region) {
                        self.lack(Construct::Register(RegisterKind::Region), span);
                    }
                } else if !self.target.level_regions.iter().any(|(name, _)| *name == kind) {
                    self.lack(Construct::LevelRegion(kind), span);
                }
            }
            StatementKind::Stair { place, direction } | StatementKind::Ladder { place, direction } => {
                self.place(place);
                self.word(UpDown::GROUP, direction.as_str(), span);
            }
            StatementKind::Altar { place, alignment, altar, also } => {
                self.place(place);
                self.structure_detail("altar", "god", also, "the god of an altar");
                self.alignment(alignment, span);
                if let OrRandom::Is(altar) = altar {
                    self.word(AltarType::GROUP, altar.as_str(), span);
                }
            }
            StatementKind::Gold { amount, place } => {
                self.number(amount);
                self.place(place);
            }
            StatementKind::Engraving { place, engraving, text } => {
                self.place(place);
                if let OrRandom::Is(engraving) = engraving {
                    self.word(EngravingType::GROUP, engraving.as_str(), span);
                }
                self.text(text);
            }
            StatementKind::Drawbridge { place, .. } => self.place(place),
            StatementKind::MazeWalk { place, direction, stocked, filling } => {
                self.place(place);
                self.word(Direction::GROUP, direction.as_str(), span);
                if stocked.is_some() {
                    self.lack(Construct::Stocking, span);
                }
                if let Some(filling) = filling {
                    self.lack(Construct::Filling("MAZEWALK"), filling.span);
                }
            }
            StatementKind::Wallify { at } => {
                if at.is_some() {
                    self.lack(Construct::Form("WALLIFY of less than the whole part"), span);
                }
            }
            StatementKind::NonDiggable { region } | StatementKind::NonPasswall { region } => self.region(region),
            StatementKind::Corridor { .. } => {}
            StatementKind::RandomCorridors { style } => {
                if *style != CorridorStyle::Default {
                    self.lack(Construct::Corridors, span);
                }
            }
            StatementKind::Error => self.lack(Construct::Unread, span),
            // The statements that `belongs` rejects everywhere.
            _ => self.lack(Construct::Statement(super::word(kind)), span),
        }
    }

    fn init_map(&mut self, init: &InitMap, span: Span) {
        match init {
            InitMap::Mines { filling, iced, .. } => {
                if let Some(filling) = filling {
                    self.lack(Construct::Filling("INIT_MAP"), filling.span);
                }
                if let Some(iced) = iced
                    && !Layouts::has(self.target, "init", "iced")
                {
                    self.lack(Construct::Form("an INIT_MAP with a flag for frozen pools"), iced.span);
                }
            }
            InitMap::Solid { .. } | InitMap::MazeGrid { .. } | InitMap::Sheol | InitMap::Rogue => {
                self.lack(Construct::InitStyle(super::init_style(init)), span);
            }
        }
    }

    /// Checks the further operands `also`, which go into `field` of `structure` if the game's level files have it.
    fn structure_detail(
        &mut self,
        structure: &str,
        field: &str,
        also: &[Spanned<crate::source::Text>],
        what: &'static str,
    ) {
        let has = Layouts::has(self.target, structure, field);
        // The field has space for one.
        for word in also.iter().skip(usize::from(has)) {
            self.lack(Construct::Form(what), word.span);
        }
    }

    fn monster(&mut self, monster: &Monster, span: Span) {
        self.species(&monster.monster, RegisterKind::Monster);
        self.place(&monster.place);
        for Spanned { node, span } in &monster.details {
            match node {
                MonsterDetail::Name(name) => self.text(name),
                MonsterDetail::Attitude(OrRandom::Is(word)) => self.word(Attitude::GROUP, word.as_str(), *span),
                MonsterDetail::Alertness(OrRandom::Is(word)) => self.word(Alertness::GROUP, word.as_str(), *span),
                MonsterDetail::Attitude(OrRandom::Random) | MonsterDetail::Alertness(OrRandom::Random) => {}
                MonsterDetail::Alignment(alignment) => self.alignment(alignment, *span),
                MonsterDetail::Appearance(word, what) => {
                    self.word(Appearance::GROUP, word.as_str(), *span);
                    self.text(what);
                }
                MonsterDetail::Female
                | MonsterDetail::Invisible
                | MonsterDetail::Cancelled
                | MonsterDetail::Revived
                | MonsterDetail::Avenge
                | MonsterDetail::Fleeing(_)
                | MonsterDetail::Blinded(_)
                | MonsterDetail::Paralyzed(_)
                | MonsterDetail::Stunned
                | MonsterDetail::Confused
                | MonsterDetail::SeenTraps(_)
                | MonsterDetail::Own(_) => {
                    self.lack(Construct::Detail(SpeciesRole::Monster, super::monster_word(node)), *span);
                }
            }
        }
        if monster.inventory.is_some() {
            self.lack(Construct::Inventory, span);
        }
    }

    /// Returns true if OBJFLAGS can express `word` for an object.
    fn has_object_flag(&self, word: &str) -> bool {
        Layouts::has(self.target, "object", "flags") && self.target.word(Group::ObjectFlag, word).is_some()
    }

    fn object(&mut self, object: &Object, setting: Setting, span: Span) {
        self.species(&object.object, RegisterKind::Object);
        for Spanned { node, span } in &object.details {
            match node {
                ObjectDetail::Place(place) => self.place(place),
                ObjectDetail::Curse(OrRandom::Is(word)) => self.word(Curse::GROUP, word.as_str(), *span),
                ObjectDetail::Curse(OrRandom::Random) => {}
                ObjectDetail::Own(own)
                    if own.value.is_none() && self.target.word(Group::Curse, &own.word).is_some() => {}
                ObjectDetail::MonsterType(name) | ObjectDetail::Name(name) => self.text(name),
                ObjectDetail::Enchantment(number) => self.number(number),
                ObjectDetail::Buried if self.has_object_flag(BURIED) => {}
                ObjectDetail::Light(Light::Lit) if self.has_object_flag(LIT) => {}
                ObjectDetail::Quantity(_)
                | ObjectDetail::Buried
                | ObjectDetail::Light(_)
                | ObjectDetail::Eroded(_)
                | ObjectDetail::Erodeproof
                | ObjectDetail::State(_)
                | ObjectDetail::Trapped(_)
                | ObjectDetail::Recharged(_)
                | ObjectDetail::Invisible
                | ObjectDetail::Greased
                | ObjectDetail::Own(_) => {
                    self.lack(Construct::Detail(SpeciesRole::Object, super::object_word(node)), *span);
                }
            }
        }
        if let Some(contents) = &object.contents {
            if setting == Setting::Container {
                self.lack(Construct::NestedContainer, span);
            }
            for statement in contents {
                self.statement(statement, Setting::Container, Chances::None);
            }
        }
    }

    fn room(&mut self, room: &Room, setting: Setting, span: Span) {
        match (&room.placement, setting) {
            (RoomPlacement::Level { .. } | RoomPlacement::Stray { .. }, Setting::Level)
            | (RoomPlacement::Room { .. }, Setting::Room) => {}
            _ => self.lack(Construct::RoomNesting, span),
        }
        if let RoomPlacement::Level { alignment: OrRandom::Is((horizontal, vertical)), .. } = &room.placement {
            self.word(Horizontal::GROUP, horizontal.as_str(), span);
            self.word(Vertical::GROUP, vertical.as_str(), span);
        }
        self.room_flags(room.flags.as_deref(), "irregular");
        for statement in &room.body {
            self.statement(statement, Setting::Room, Chances::None);
        }
    }

    /// Checks the flags of a room or region. Rooms can only be filled or not, regions also irregular. `most` is the
    /// first word that is not accepted.
    fn room_flags(&mut self, flags: Option<&[Spanned<RoomFlag>]>, most: &str) {
        for Spanned { node, span } in flags.unwrap_or(&[]) {
            match node {
                RoomFlag::Filling(_) => {}
                RoomFlag::Irregular(_) if most != "irregular" => {}
                RoomFlag::Irregular(word) => self.lack(Construct::RoomFlag(word.as_str()), *span),
                RoomFlag::Joined(word) => self.lack(Construct::RoomFlag(word.as_str()), *span),
            }
        }
    }

    fn door_state(&mut self, state: &OrRandom<Spanned<DoorState>>) {
        if let OrRandom::Is(state) = state {
            self.word(DoorState::GROUP, state.node.as_str(), state.span);
        }
    }

    fn alignment(&mut self, alignment: &AlignmentSpec, span: Span) {
        match alignment {
            AlignmentSpec::Is(word) => self.word(Alignment::GROUP, word.as_str(), span),
            AlignmentSpec::Register(_) | AlignmentSpec::Random => {}
        }
    }

    // --- Values

    fn value(&mut self, value: &Expr, role: Role, fits: bool) {
        if let ExprKind::Error = value.kind {
            self.lack(Construct::Unread, value.span);
        } else if !fits {
            self.lack(Construct::Value(role), value.span);
        }
    }

    /// Returns true if the target has registers of this kind.
    fn has_registers(&self, of: RegisterKind) -> bool {
        match of {
            RegisterKind::Object | RegisterKind::Monster | RegisterKind::Place => true,
            RegisterKind::PlaceList(_) => self.target.has(Feature::PlaceLists),
            RegisterKind::Region => self.target.has(Feature::RandomRegions),
        }
    }

    fn place(&mut self, place: &Expr) {
        let fits = match &place.kind {
            ExprKind::Coordinate { .. } => true,
            ExprKind::Register { of, .. } if of.is_place() => {
                if !self.has_registers(*of) {
                    self.lack(Construct::Register(*of), place.span);
                }
                true
            }
            ExprKind::RandomCoordinate { humidity } => humidity.is_empty(),
            ExprKind::Checked { place, word } if self.target.word(Group::PlaceCheck, word).is_some() => {
                return self.place(place);
            }
            _ => false,
        };
        self.value(place, Role::Place, fits);
    }

    fn region(&mut self, region: &Expr) {
        self.value(region, Role::Region, matches!(region.kind, ExprKind::Region { .. }));
    }

    fn text(&mut self, text: &Expr) {
        self.value(text, Role::Text, matches!(text.kind, ExprKind::String(_)));
    }

    fn number(&mut self, number: &Expr) {
        self.value(number, Role::Number, matches!(number.kind, ExprKind::Integer(_) | ExprKind::Random));
    }

    fn class(&mut self, value: &Expr) {
        let fits =
            matches!(value.kind, ExprKind::Object(SpeciesName::Class(_)) | ExprKind::Monster(SpeciesName::Class(_)));
        self.value(value, Role::Class, fits);
    }

    fn species(&mut self, value: &Expr, of: RegisterKind) {
        let (fits, role) = match of {
            RegisterKind::Monster => (matches!(value.kind, ExprKind::Monster(_)), Role::Monster),
            _ => (matches!(value.kind, ExprKind::Object(_)), Role::Object),
        };
        let register = match &value.kind {
            ExprKind::Register { of: kind, .. } | ExprKind::NamedRegister { of: kind, .. } => *kind == of,
            _ => false,
        };
        self.value(value, role, fits || register);
    }

    fn point(&mut self, at: &Selection) {
        match &at.kind {
            SelectionKind::Point(place) => self.place(place),
            SelectionKind::Error => self.lack(Construct::Unread, at.span),
            _ => self.lack(Construct::Selection, at.span),
        }
    }
}
