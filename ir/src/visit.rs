//! Walks over the tree of a level: [`Visit`] to read it, [`VisitMut`] to change it.
//!
//! These are the only walks that name every kind of node. A visitor implements the methods for the nodes that it needs;
//! all other nodes are walked by default. A method that it implements calls the function of the same name in [`walk`]
//! (or [`walk_mut`]) to visit the children before, during or after its own work, or omits the call to skip them. Both
//! traits and both walks come from one macro that destructures every type by naming all of its fields, so a new node or
//! field that is not walked does not compile.
//!
//! Nodes are visited in the order in which the game's compilers emit them, which is nearly always source order. A
//! node's span comes first. The recursion is as deep as the tree, whose depth the parsers limit
//! ([`MAX_NESTING`](crate::limits::MAX_NESTING)): chains of operators and of selections are lists.

use crate::level::*;
use crate::source::{Span, Spanned, Text};
use crate::words::*;

/// The role of a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum NameRole {
    /// The level itself.
    Level,
    /// The destination of a PORTAL.
    PortalLevel,
    /// A word of FLAGS.
    Flag,
    /// The file of an INCLUDE.
    File,
    /// A trap.
    Trap,
    /// The type of a room.
    RoomType,
    /// A room's NAME (3.4.3), or a reference to it.
    Room,
    /// A monster name next to a register (3.4.3).
    Monster,
    /// An object name next to a register (3.4.3).
    Object,
    /// A variable, with its `$`.
    Variable,
    /// A FUNCTION.
    Function,
    /// A function of the game.
    CoreFunction,
    /// A method of a variable.
    Method,
}

/// The role of a [`SpeciesName`]: monster or object.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SpeciesRole {
    /// A monster.
    Monster,
    /// An object.
    Object,
}

macro_rules! visitor {
    (
        $(#[$doc:meta])* $Visit:ident, $(#[$any_doc:meta])* $Any:ident, $(#[$walk_doc:meta])* $walk:ident,
        lifetime: [$($tree:lifetime)?], reference: [$($reference:tt)+], block: $Block:ty
    ) => {
        $(#[$doc])*
        pub trait $Visit$(<$tree>)?: $Any$(<$tree>)? {
            /// A whole file.
            fn module(&mut self, module: $($reference)+ Module) {
                $walk::module(self.any(), module);
            }

            /// A top-level item.
            fn item(&mut self, item: $($reference)+ Item) {
                $walk::item(self.any(), item);
            }

            /// A level.
            fn level(&mut self, level: $($reference)+ Level) {
                $walk::level(self.any(), level);
            }

            /// A FUNCTION, at the top or in a level.
            fn function(&mut self, function: $($reference)+ Function) {
                $walk::function(self.any(), function);
            }

            /// The statements of a level, function, room, container, loop or case, in order.
            fn block(&mut self, statements: $($reference)+ $Block) {
                $walk::block(self.any(), statements);
            }

            /// A statement.
            fn statement(&mut self, statement: $($reference)+ Statement) {
                $walk::statement(self.any(), statement);
            }

            /// INIT_MAP.
            fn init_map(&mut self, init: $($reference)+ InitMap, span: Span) {
                $walk::init_map(self.any(), init, span);
            }

            /// NOMAP, or GEOMETRY with MAP.
            fn map(&mut self, map: $($reference)+ Map, span: Span) {
                $walk::map(self.any(), map, span);
            }

            /// The rows of a MAP.
            fn map_rows(&mut self, rows: $($reference)+ MapRows) {
                $walk::map_rows(self.any(), rows);
            }

            /// MONSTER.
            fn monster(&mut self, monster: $($reference)+ Monster) {
                $walk::monster(self.any(), monster);
            }

            /// A detail of a monster.
            fn monster_detail(&mut self, detail: $($reference)+ Spanned<MonsterDetail>) {
                $walk::monster_detail(self.any(), detail);
            }

            /// OBJECT or CONTAINER.
            fn object(&mut self, object: $($reference)+ Object) {
                $walk::object(self.any(), object);
            }

            /// A detail of an object.
            fn object_detail(&mut self, detail: $($reference)+ Spanned<ObjectDetail>) {
                $walk::object_detail(self.any(), detail);
            }

            /// ROOM or SUBROOM.
            fn room(&mut self, room: $($reference)+ Room, span: Span) {
                $walk::room(self.any(), room, span);
            }

            /// REGION.
            fn region(&mut self, region: $($reference)+ Region, span: Span) {
                $walk::region(self.any(), region, span);
            }

            /// STAIR, PORTAL, TELEPORT_REGION or BRANCH with regions.
            fn level_region(&mut self, region: $($reference)+ LevelRegion, span: Span) {
                $walk::level_region(self.any(), region, span);
            }

            /// A rectangle of a level region.
            fn region_spec(&mut self, spec: $($reference)+ RegionSpec) {
                $walk::region_spec(self.any(), spec);
            }

            /// One end of a CORRIDOR.
            fn corridor_end(&mut self, end: $($reference)+ CorridorEnd) {
                $walk::corridor_end(self.any(), end);
            }

            /// The condition of IF or of a chance.
            fn condition(&mut self, condition: $($reference)+ Condition) {
                $walk::condition(self.any(), condition);
            }

            /// The value assigned to a variable.
            fn definition(&mut self, definition: $($reference)+ Definition) {
                $walk::definition(self.any(), definition);
            }

            /// A case of a SWITCH.
            fn case(&mut self, case: $($reference)+ Case) {
                $walk::case(self.any(), case);
            }

            /// A value.
            fn expression(&mut self, expression: $($reference)+ Expr) {
                $walk::expression(self.any(), expression);
            }

            /// A set of squares.
            fn selection(&mut self, selection: $($reference)+ Selection) {
                $walk::selection(self.any(), selection);
            }

            /// A use of a variable.
            fn variable(&mut self, variable: $($reference)+ Variable, span: Span) {
                $walk::variable(self.any(), variable, span);
            }

            /// A call of a function of the game.
            fn core_call(&mut self, call: $($reference)+ CoreCall) {
                $walk::core_call(self.any(), call);
            }

            /// A name. If it has no span, `span` is that of the node that contains it.
            fn name(&mut self, role: NameRole, name: $($reference)+ Text, span: Span) {
                let _ = (role, name, span);
            }

            /// The name of a monster or object.
            fn species(&mut self, role: SpeciesRole, species: $($reference)+ SpeciesName, span: Span) {
                let _ = (role, species, span);
            }

            /// A map character.
            fn map_character(&mut self, character: $($reference)+ char, span: Span) {
                let _ = (character, span);
            }

            /// A string that the game shows or keeps.
            fn text(&mut self, text: $($reference)+ Text, span: Span) {
                let _ = (text, span);
            }

            /// A word of a closed set. `span` is its own, or that of the node that contains it.
            fn word(&mut self, group: Group, word: &'static str, span: Span) {
                let _ = (group, word, span);
            }

            /// The span of a node.
            fn span(&mut self, span: $($reference)+ Span) {
                let _ = span;
            }
        }

        $(#[$any_doc])*
        pub trait $Any$(<$tree>)? {
            /// Returns the visitor.
            fn any(&mut self) -> &mut dyn $Visit$(<$tree>)?;
        }

        impl<$($tree,)? V: $Visit$(<$tree>)?> $Any$(<$tree>)? for V {
            fn any(&mut self) -> &mut dyn $Visit$(<$tree>)? {
                self
            }
        }

        $(#[$walk_doc])*
        pub mod $walk {
            use super::*;

            /// Walks the items.
            pub fn module$(<$tree>)?(visitor: &mut dyn $Visit$(<$tree>)?, module: $($reference)+ Module) {
                let Module { charset: _, items, unread: _, trivia: _ } = module;
                for item in items {
                    visitor.item(item);
                }
            }

            /// Walks the content of the item.
            pub fn item$(<$tree>)?(visitor: &mut dyn $Visit$(<$tree>)?, item: $($reference)+ Item) {
                match item {
                    Item::Function(function) => visitor.function(function),
                    Item::Include { path, items } => {
                        spanned_name(visitor, NameRole::File, path);
                        for item in items {
                            visitor.item(item);
                        }
                    }
                    Item::Level(level) => visitor.level(level),
                }
            }

            /// Walks name, kind, flags and body.
            pub fn level$(<$tree>)?(visitor: &mut dyn $Visit$(<$tree>)?, level: $($reference)+ Level) {
                let Level { name, kind, flags, body, span } = level;
                visitor.span(span);
                spanned_name(visitor, NameRole::Level, name);
                match kind {
                    LevelKind::Script | LevelKind::Rooms | LevelKind::Maze { filling: None } => {}
                    LevelKind::Maze { filling: Some(filling) } => spanned_map_character(visitor, filling),
                }
                if let Some(flags) = flags {
                    for flag in flags {
                        spanned_name(visitor, NameRole::Flag, flag);
                    }
                }
                visitor.block(body);
            }

            /// Walks name, parameters and body.
            pub fn function$(<$tree>)?(visitor: &mut dyn $Visit$(<$tree>)?, function: $($reference)+ Function) {
                let Function { name, parameters, body, span } = function;
                visitor.span(span);
                spanned_name(visitor, NameRole::Function, name);
                for Parameter { name, ty: _ } in parameters {
                    spanned_name(visitor, NameRole::Variable, name);
                }
                visitor.block(body);
            }

            /// Walks the statements.
            pub fn block$(<$tree>)?(visitor: &mut dyn $Visit$(<$tree>)?, statements: $($reference)+ $Block) {
                for statement in statements {
                    visitor.statement(statement);
                }
            }

            /// Walks the operands and blocks of the statement.
            pub fn statement$(<$tree>)?(visitor: &mut dyn $Visit$(<$tree>)?, statement: $($reference)+ Statement) {
                let Statement { kind, span } = statement;
                visitor.span(span);
                let span = *span;
                match kind {
                    StatementKind::Message { text, to: _ } => visitor.expression(text),
                    StatementKind::InitMap(init) => visitor.init_map(init, span),
                    StatementKind::Map(map) => visitor.map(map, span),
                    StatementKind::Monster(monster) => visitor.monster(monster),
                    StatementKind::Object(object) => visitor.object(object),
                    StatementKind::Trap { trap, place } => {
                        name_or_random(visitor, NameRole::Trap, trap);
                        visitor.expression(place);
                    }
                    StatementKind::Room(room) => visitor.room(room, span),
                    StatementKind::RoomDoor { secret: _, state, walls, position, walls_span, also } => {
                        door_state(visitor, state);
                        for Spanned { node: _, span } in also {
                            visitor.span(span);
                        }
                        visitor.span(walls_span);
                        if let OrRandom::Is(walls) = walls {
                            for wall in walls {
                                direction(visitor, wall);
                            }
                        }
                        if let OrRandom::Is(position) = position {
                            place_of(visitor, position);
                        }
                    }
                    StatementKind::Door { state, at, also } => {
                        door_state(visitor, state);
                        for Spanned { node: _, span } in also {
                            visitor.span(span);
                        }
                        visitor.selection(at);
                    }
                    StatementKind::Region(region) => visitor.region(region, span),
                    StatementKind::Stair { place, direction } | StatementKind::Ladder { place, direction } => {
                        visitor.expression(place);
                        visitor.word(UpDown::GROUP, direction.as_str(), span);
                    }
                    StatementKind::LevelRegion(region) => visitor.level_region(region, span),
                    StatementKind::Altar { place, alignment, altar, also } => {
                        visitor.expression(place);
                        self::alignment(visitor, alignment, span);
                        if let OrRandom::Is(altar) = altar {
                            visitor.word(AltarType::GROUP, altar.as_str(), span);
                        }
                        for Spanned { node: _, span } in also {
                            visitor.span(span);
                        }
                    }
                    StatementKind::Grave { place, epitaph } => {
                        visitor.expression(place);
                        match epitaph {
                            Epitaph::None | Epitaph::Random => {}
                            Epitaph::Text(text) => visitor.expression(text),
                        }
                    }
                    StatementKind::Fountain { at }
            | StatementKind::Sink { at }
            | StatementKind::Pool { at }
            | StatementKind::Place { at, word: _ } => {
                        visitor.selection(at);
                    }
                    StatementKind::Gold { amount, place } => {
                        visitor.expression(amount);
                        visitor.expression(place);
                    }
                    StatementKind::Engraving { place, engraving, text } => {
                        visitor.expression(place);
                        if let OrRandom::Is(engraving) = engraving {
                            visitor.word(EngravingType::GROUP, engraving.as_str(), span);
                        }
                        visitor.expression(text);
                    }
                    StatementKind::Drawbridge { place, direction, state } => {
                        visitor.expression(place);
                        self::direction(visitor, direction);
                        door_state(visitor, state);
                    }
                    StatementKind::MazeWalk { place, direction, stocked: _, filling } => {
                        visitor.expression(place);
                        visitor.word(Direction::GROUP, direction.as_str(), span);
                        if let Some(filling) = filling {
                            spanned_map_character(visitor, filling);
                        }
                    }
                    StatementKind::Wallify { at } => match at {
                        None => {}
                        Some(WallifyArea::Selection(at)) => visitor.selection(at),
                        Some(WallifyArea::Region(region)) => visitor.expression(region),
                    },
                    StatementKind::NonDiggable { region } | StatementKind::NonPasswall { region } => {
                        visitor.expression(region);
                    }
                    StatementKind::Corridor { from, to } => {
                        visitor.corridor_end(from);
                        match to {
                            CorridorTarget::Door(to) => visitor.corridor_end(to),
                            CorridorTarget::Number(number) => place_of(visitor, number),
                        }
                    }
                    StatementKind::RandomCorridors { style } => match style {
                        CorridorStyle::Default | CorridorStyle::Random => {}
                        CorridorStyle::Number(number) => place_of(visitor, number),
                    },
                    StatementKind::Terrain { at, terrain } => {
                        visitor.selection(at);
                        visitor.expression(terrain);
                    }
                    StatementKind::ReplaceTerrain { region, from, to, chance } => {
                        visitor.expression(region);
                        visitor.expression(from);
                        visitor.expression(to);
                        place_of(visitor, chance);
                    }
                    StatementKind::Spill { place, terrain, direction, amount } => {
                        visitor.expression(place);
                        visitor.expression(terrain);
                        visitor.word(Direction::GROUP, direction.as_str(), span);
                        visitor.expression(amount);
                    }
                    StatementKind::WallWalk { place, from, to, chance } => {
                        visitor.expression(place);
                        visitor.expression(to);
                        if let Some(from) = from {
                            visitor.expression(from);
                        }
                        if let Some(chance) = chance {
                            place_of(visitor, chance);
                        }
                    }
                    StatementKind::Mineralize { chances } => {
                        if let Some(chances) = chances {
                            mineral_chances(visitor, chances);
                        }
                    }
                    StatementKind::MonsterGeneration { chance, entries } => {
                        for GenerationEntry { frequency, monster, span } in entries {
                            visitor.span(span);
                            visitor.expression(frequency);
                            visitor.species(SpeciesRole::Monster, monster, *span);
                        }
                        place_of(visitor, chance);
                    }
                    StatementKind::Sounds { frequency, sounds } => {
                        visitor.expression(frequency);
                        for Sound { kind, text } in sounds {
                            visitor.word(SoundType::GROUP, kind.as_str(), span);
                            visitor.expression(text);
                        }
                    }
                    StatementKind::VaultGeneration { frequency } => place_of(visitor, frequency),
                    StatementKind::VaultDepth { depth } => place_of(visitor, depth),
                    StatementKind::Topologize { place } => visitor.expression(place),
                    StatementKind::Define { variable, value } => {
                        spanned_name(visitor, NameRole::Variable, variable);
                        visitor.definition(value);
                    }
                    StatementKind::Shuffle { variable } => spanned_name(visitor, NameRole::Variable, variable),
                    StatementKind::Function(function) => visitor.function(function),
                    StatementKind::Call { function, arguments } => {
                        spanned_name(visitor, NameRole::Function, function);
                        for argument in arguments {
                            visitor.expression(argument);
                        }
                    }
                    StatementKind::If { condition, then, otherwise } => {
                        visitor.condition(condition);
                        visitor.block(then);
                        if let Some(otherwise) = otherwise {
                            visitor.block(otherwise);
                        }
                    }
                    StatementKind::Chance { condition, then } => {
                        visitor.condition(condition);
                        visitor.statement(then);
                    }
                    StatementKind::Switch { value, cases } => {
                        visitor.expression(value);
                        for case in cases {
                            visitor.case(case);
                        }
                    }
                    StatementKind::For { variable, from, to, body } => {
                        spanned_name(visitor, NameRole::Variable, variable);
                        visitor.expression(from);
                        visitor.expression(to);
                        visitor.block(body);
                    }
                    StatementKind::Loop { count, body } => {
                        visitor.expression(count);
                        visitor.block(body);
                    }
                    StatementKind::Registers { of: _, values } => {
                        for value in values {
                            visitor.expression(value);
                        }
                    }
                    StatementKind::Break | StatementKind::Exit | StatementKind::Error => {}
                }
            }

            /// Walks map characters and light.
            pub fn init_map$(<$tree>)?(visitor: &mut dyn $Visit$(<$tree>)?, init: $($reference)+ InitMap, span: Span) {
                match init {
                    InitMap::Solid { filling, light } => {
                        spanned_map_character(visitor, filling);
                        if let Some(light) = light {
                            self::light(visitor, light, span);
                        }
                    }
                    InitMap::MazeGrid { filling } => spanned_map_character(visitor, filling),
                    InitMap::Mines { foreground, background, smoothed: _, joined, light, walled: _, filling, iced } => {
                        spanned_map_character(visitor, foreground);
                        spanned_map_character(visitor, background);
                        place_of(visitor, joined);
                        self::light(visitor, light, span);
                        if let Some(filling) = filling {
                            spanned_map_character(visitor, filling);
                        }
                        if let Some(iced) = iced {
                            place_of(visitor, iced);
                        }
                    }
                    InitMap::Sheol | InitMap::Rogue => {}
                }
            }

            /// Walks position and rows.
            pub fn map$(<$tree>)?(visitor: &mut dyn $Visit$(<$tree>)?, map: $($reference)+ Map, span: Span) {
                match map {
                    Map::None => {}
                    Map::Drawn { position, keep_regions: _, rows } => {
                        match position {
                            MapPosition::Aligned { horizontal, vertical } => {
                                visitor.word(Horizontal::GROUP, horizontal.as_str(), span);
                                visitor.word(Vertical::GROUP, vertical.as_str(), span);
                            }
                            MapPosition::At(place) => visitor.expression(place),
                        }
                        visitor.map_rows(rows);
                    }
                }
            }

            /// Walks the spans.
            pub fn map_rows$(<$tree>)?(visitor: &mut dyn $Visit$(<$tree>)?, rows: $($reference)+ MapRows) {
                let MapRows { rows: _, row_spans, span } = rows;
                visitor.span(span);
                for span in row_spans {
                    visitor.span(span);
                }
            }

            /// Walks its name, place, details and inventory.
            pub fn monster$(<$tree>)?(visitor: &mut dyn $Visit$(<$tree>)?, monster: $($reference)+ Monster) {
                let Monster { monster, place, details, inventory } = monster;
                visitor.expression(monster);
                visitor.expression(place);
                for detail in details {
                    visitor.monster_detail(detail);
                }
                if let Some(inventory) = inventory {
                    visitor.block(inventory);
                }
            }

            /// Walks the values and words of the detail.
            pub fn monster_detail$(<$tree>)?(
                visitor: &mut dyn $Visit$(<$tree>)?,
                detail: $($reference)+ Spanned<MonsterDetail>,
            ) {
                let Spanned { node, span } = detail;
                visitor.span(span);
                let span = *span;
                match node {
                    MonsterDetail::Name(value)
                    | MonsterDetail::Fleeing(value)
                    | MonsterDetail::Blinded(value)
                    | MonsterDetail::Paralyzed(value) => visitor.expression(value),
                    MonsterDetail::Attitude(attitude) => {
                        if let OrRandom::Is(attitude) = attitude {
                            visitor.word(Attitude::GROUP, attitude.as_str(), span);
                        }
                    }
                    MonsterDetail::Alertness(alertness) => {
                        if let OrRandom::Is(alertness) = alertness {
                            visitor.word(Alertness::GROUP, alertness.as_str(), span);
                        }
                    }
                    MonsterDetail::Alignment(alignment) => self::alignment(visitor, alignment, span),
                    MonsterDetail::Appearance(appearance, value) => {
                        visitor.word(Appearance::GROUP, appearance.as_str(), span);
                        visitor.expression(value);
                    }
                    MonsterDetail::SeenTraps(traps) => match traps {
                        SeenTraps::All => {}
                        SeenTraps::These { traps, and_all: _ } => {
                            for trap in traps {
                                spanned_name(visitor, NameRole::Trap, trap);
                            }
                        }
                    },
                    MonsterDetail::Female
                    | MonsterDetail::Invisible
                    | MonsterDetail::Cancelled
                    | MonsterDetail::Revived
                    | MonsterDetail::Avenge
                    | MonsterDetail::Stunned
                    | MonsterDetail::Confused
                    | MonsterDetail::Own(OwnDetail { word: _, value: None }) => {}
                    MonsterDetail::Own(OwnDetail { word: _, value: Some(value) }) => visitor.expression(value),
                }
            }

            /// Walks its name, details and contents.
            pub fn object$(<$tree>)?(visitor: &mut dyn $Visit$(<$tree>)?, object: $($reference)+ Object) {
                let Object { object, details, contents, contained_span } = object;
                visitor.expression(object);
                for detail in details {
                    visitor.object_detail(detail);
                }
                visitor.span(contained_span);
                if let Some(contents) = contents {
                    visitor.block(contents);
                }
            }

            /// Walks the values and words of the detail.
            pub fn object_detail$(<$tree>)?(
                visitor: &mut dyn $Visit$(<$tree>)?,
                detail: $($reference)+ Spanned<ObjectDetail>,
            ) {
                let Spanned { node, span } = detail;
                visitor.span(span);
                let span = *span;
                match node {
                    ObjectDetail::Place(value)
                    | ObjectDetail::MonsterType(value)
                    | ObjectDetail::Enchantment(value)
                    | ObjectDetail::Name(value)
                    | ObjectDetail::Quantity(value)
                    | ObjectDetail::Eroded(value)
                    | ObjectDetail::Recharged(value) => visitor.expression(value),
                    ObjectDetail::Curse(curse) => {
                        if let OrRandom::Is(curse) = curse {
                            visitor.word(Curse::GROUP, curse.as_str(), span);
                        }
                    }
                    ObjectDetail::Light(light) => visitor.word(Light::GROUP, light.as_str(), span),
                    ObjectDetail::State(state) => visitor.word(DoorState::GROUP, state.as_str(), span),
                    ObjectDetail::Trapped(trapped) => visitor.word(Trapped::GROUP, trapped.as_str(), span),
                    ObjectDetail::Buried
                    | ObjectDetail::Erodeproof
                    | ObjectDetail::Invisible
                    | ObjectDetail::Greased
                    | ObjectDetail::Own(OwnDetail { word: _, value: None }) => {}
                    ObjectDetail::Own(OwnDetail { word: _, value: Some(value) }) => visitor.expression(value),
                }
            }

            /// Walks its properties and its body.
            pub fn room$(<$tree>)?(visitor: &mut dyn $Visit$(<$tree>)?, room: $($reference)+ Room, span: Span) {
                let Room { room_type, chance, light, placement, size, flags, body, name, order: _ } = room;
                name_or_random(visitor, NameRole::RoomType, room_type);
                if let Some(chance) = chance {
                    place_of(visitor, chance);
                }
                self::light(visitor, light, span);
                match placement {
                    RoomPlacement::Level { position, alignment } => {
                        if let OrRandom::Is(position) = position {
                            place_of(visitor, position);
                        }
                        if let OrRandom::Is((horizontal, vertical)) = alignment {
                            visitor.word(Horizontal::GROUP, horizontal.as_str(), span);
                            visitor.word(Vertical::GROUP, vertical.as_str(), span);
                        }
                    }
                    RoomPlacement::Room { position, parent_span } => {
                        if let OrRandom::Is(position) = position {
                            place_of(visitor, position);
                        }
                        visitor.span(parent_span);
                    }
                    RoomPlacement::Stray { position, parent } => {
                        if let OrRandom::Is(position) = position {
                            place_of(visitor, position);
                        }
                        spanned_name(visitor, NameRole::Room, parent);
                    }
                }
                if let OrRandom::Is((width, height)) = size {
                    place_of(visitor, width);
                    place_of(visitor, height);
                }
                room_flags(visitor, flags);
                if let Some(name) = name {
                    spanned_name(visitor, NameRole::Room, name);
                }
                visitor.block(body);
            }

            /// Walks its area, its properties and its body.
            pub fn region$(<$tree>)?(visitor: &mut dyn $Visit$(<$tree>)?, region: $($reference)+ Region, span: Span) {
                let Region { area, light, room_type, flags, body } = region;
                visitor.expression(area);
                self::light(visitor, light, span);
                name_or_random(visitor, NameRole::RoomType, room_type);
                room_flags(visitor, flags);
                if let Some(body) = body {
                    visitor.block(body);
                }
            }

            /// Walks its kind and its rectangles.
            pub fn level_region$(<$tree>)?(
                visitor: &mut dyn $Visit$(<$tree>)?,
                region: $($reference)+ LevelRegion,
                span: Span,
            ) {
                let LevelRegion { kind, inside, outside } = region;
                visitor.region_spec(inside);
                visitor.region_spec(outside);
                match kind {
                    LevelRegionKind::Stair(direction) | LevelRegionKind::Teleport(Some(direction)) => {
                        visitor.word(UpDown::GROUP, direction.as_str(), span);
                    }
                    LevelRegionKind::Portal(name) => spanned_name(visitor, NameRole::PortalLevel, name),
                    LevelRegionKind::Register(index) => place_of(visitor, index),
                    LevelRegionKind::Teleport(None) | LevelRegionKind::Branch => {}
                }
            }

            /// Walks its span.
            pub fn region_spec$(<$tree>)?(visitor: &mut dyn $Visit$(<$tree>)?, spec: $($reference)+ RegionSpec) {
                let RegionSpec { level: _, corners: _, span } = spec;
                visitor.span(span);
            }

            /// Walks the spans of its numbers, and its wall.
            pub fn corridor_end$(<$tree>)?(visitor: &mut dyn $Visit$(<$tree>)?, end: $($reference)+ CorridorEnd) {
                let CorridorEnd { room, wall, door } = end;
                place_of(visitor, room);
                direction(visitor, wall);
                if let OrRandom::Is(door) = door {
                    place_of(visitor, door);
                }
            }

            /// Walks its values.
            pub fn condition$(<$tree>)?(visitor: &mut dyn $Visit$(<$tree>)?, condition: $($reference)+ Condition) {
                match condition {
                    Condition::Percent(percent) => place_of(visitor, percent),
                    Condition::Compare { left, comparison: _, right } => {
                        visitor.expression(left);
                        visitor.expression(right);
                    }
                    Condition::NonZero(value) => visitor.expression(value),
                }
            }

            /// Walks the values.
            pub fn definition$(<$tree>)?(visitor: &mut dyn $Visit$(<$tree>)?, definition: $($reference)+ Definition) {
                match definition {
                    Definition::Value { ty: _, value } => visitor.expression(value),
                    Definition::Array { ty: _, values } => {
                        for value in values {
                            visitor.expression(value);
                        }
                    }
                    Definition::Copy { ty: _, variable } => spanned_name(visitor, NameRole::Variable, variable),
                }
            }

            /// Walks the span of its value, and its statements.
            pub fn case$(<$tree>)?(visitor: &mut dyn $Visit$(<$tree>)?, case: $($reference)+ Case) {
                let Case { value, body, span } = case;
                visitor.span(span);
                if let Some(value) = value {
                    place_of(visitor, value);
                }
                visitor.block(body);
            }

            /// Walks the parts of the value.
            pub fn expression$(<$tree>)?(visitor: &mut dyn $Visit$(<$tree>)?, expression: $($reference)+ Expr) {
                let Expr { kind, span } = expression;
                visitor.span(span);
                let span = *span;
                match kind {
                    ExprKind::Integer(_)
                    | ExprKind::Dice { count: _, sides: _ }
                    | ExprKind::Coordinate { x: _, y: _ }
                    | ExprKind::Region { corners: _ }
                    | ExprKind::Random
                    | ExprKind::Error => {}
                    ExprKind::String(text) => visitor.text(text, span),
                    ExprKind::ComputedCoordinate { x, y } => {
                        visitor.expression(x);
                        visitor.expression(y);
                    }
                    ExprKind::RandomCoordinate { humidity } => {
                        for Spanned { node, span } in humidity {
                            visitor.span(span);
                            visitor.word(Humidity::GROUP, node.as_str(), *span);
                        }
                    }
                    ExprKind::SelectedCoordinate(selection) | ExprKind::Selection(selection) => {
                        visitor.selection(selection);
                    }
                    ExprKind::MapCharacter { character, light } => {
                        visitor.map_character(character, span);
                        if let Some(light) = light {
                            self::light(visitor, light, span);
                        }
                    }
                    ExprKind::Monster(name) => visitor.species(SpeciesRole::Monster, name, span),
                    ExprKind::Object(name) => visitor.species(SpeciesRole::Object, name, span),
                    ExprKind::Variable(variable) => visitor.variable(variable, span),
                    ExprKind::Method { variable, ty: _, method } => {
                        spanned_name(visitor, NameRole::Variable, variable);
                        visitor.name(NameRole::Method, method, span);
                    }
                    ExprKind::CoreCall(call) => visitor.core_call(call),
                    ExprKind::Chain { first, rest } => {
                        visitor.expression(first);
                        for (_, value) in rest {
                            visitor.expression(value);
                        }
                    }
                    ExprKind::Group(inner) | ExprKind::Checked { place: inner, word: _ } => visitor.expression(inner),
                    ExprKind::Register { of: _, index } => place_of(visitor, index),
                    ExprKind::NamedRegister { of, index, name } => {
                        place_of(visitor, index);
                        let role = match of {
                            RegisterKind::Monster => NameRole::Monster,
                            _ => NameRole::Object,
                        };
                        visitor.name(role, name, span);
                    }
                }
            }

            /// Walks the parts of the selection.
            pub fn selection$(<$tree>)?(visitor: &mut dyn $Visit$(<$tree>)?, selection: $($reference)+ Selection) {
                let Selection { kind, span } = selection;
                visitor.span(span);
                let span = *span;
                match kind {
                    SelectionKind::Point(value)
                    | SelectionKind::Rectangle(value)
                    | SelectionKind::FilledRectangle(value)
                    | SelectionKind::FloodFill(value) => visitor.expression(value),
                    SelectionKind::Line(from, to) => {
                        visitor.expression(from);
                        visitor.expression(to);
                    }
                    SelectionKind::RandomLine(from, to, roughness) => {
                        visitor.expression(from);
                        visitor.expression(to);
                        visitor.expression(roughness);
                    }
                    SelectionKind::Grow { directions, selection } => {
                        visitor.selection(selection);
                        if let Some(directions) = directions {
                            for direction in directions {
                                self::direction(visitor, direction);
                            }
                        }
                    }
                    SelectionKind::FilterPercent { percent, selection } => {
                        place_of(visitor, percent);
                        visitor.selection(selection);
                    }
                    SelectionKind::FilterSelection { filter, selection } => {
                        visitor.selection(filter);
                        visitor.selection(selection);
                    }
                    SelectionKind::FilterTerrain { terrain, selection } => {
                        visitor.expression(terrain);
                        visitor.selection(selection);
                    }
                    SelectionKind::Circle { center, radius, filling } => {
                        visitor.expression(center);
                        visitor.expression(radius);
                        self::filling(visitor, filling, span);
                    }
                    SelectionKind::Ellipse { center, x_radius, y_radius, filling } => {
                        visitor.expression(center);
                        visitor.expression(x_radius);
                        visitor.expression(y_radius);
                        self::filling(visitor, filling, span);
                    }
                    SelectionKind::Gradient { gradient, minimum, maximum, limited, center, center2 } => {
                        visitor.word(GradientType::GROUP, gradient.as_str(), span);
                        visitor.expression(minimum);
                        visitor.expression(maximum);
                        if let Some(limited) = limited {
                            visitor.word(Limited::GROUP, limited.as_str(), span);
                        }
                        visitor.expression(center);
                        if let Some(center2) = center2 {
                            visitor.expression(center2);
                        }
                    }
                    SelectionKind::Complement(selection) | SelectionKind::Group(selection) => {
                        visitor.selection(selection);
                    }
                    SelectionKind::Variable(variable) => visitor.variable(variable, span),
                    SelectionKind::Union(parts) => {
                        for part in parts {
                            visitor.selection(part);
                        }
                    }
                    SelectionKind::Error => {}
                }
            }

            /// Walks its name and index.
            pub fn variable$(<$tree>)?(
                visitor: &mut dyn $Visit$(<$tree>)?,
                variable: $($reference)+ Variable,
                span: Span,
            ) {
                let Variable { name, index, ty: _ } = variable;
                visitor.name(NameRole::Variable, name, span);
                if let Some(index) = index {
                    visitor.expression(index);
                }
            }

            /// Walks its name and arguments.
            pub fn core_call$(<$tree>)?(visitor: &mut dyn $Visit$(<$tree>)?, call: $($reference)+ CoreCall) {
                let CoreCall { function, arguments } = call;
                spanned_name(visitor, NameRole::CoreFunction, function);
                if let Some(arguments) = arguments {
                    for argument in arguments {
                        visitor.expression(argument);
                    }
                }
            }

            fn mineral_chances$(<$tree>)?(visitor: &mut dyn $Visit$(<$tree>)?, chances: $($reference)+ [Expr; 4]) {
                for chance in chances {
                    visitor.expression(chance);
                }
            }

            fn spanned_name$(<$tree>)?(
                visitor: &mut dyn $Visit$(<$tree>)?,
                role: NameRole,
                name: $($reference)+ Spanned<Text>,
            ) {
                let Spanned { node, span } = name;
                visitor.span(span);
                visitor.name(role, node, *span);
            }

            fn name_or_random$(<$tree>)?(
                visitor: &mut dyn $Visit$(<$tree>)?,
                role: NameRole,
                name: $($reference)+ OrRandom<Spanned<Text>>,
            ) {
                match name {
                    OrRandom::Random => {}
                    OrRandom::Is(name) => spanned_name(visitor, role, name),
                }
            }

            fn spanned_map_character$(<$tree>)?(
                visitor: &mut dyn $Visit$(<$tree>)?,
                character: $($reference)+ Spanned<char>,
            ) {
                let Spanned { node, span } = character;
                visitor.span(span);
                visitor.map_character(node, *span);
            }

            /// Walks the span of a number or truth value.
            fn place_of<$($tree,)? T>(
                visitor: &mut dyn $Visit$(<$tree>)?,
                value: $($reference)+ Spanned<T>,
            ) {
                let Spanned { node: _, span } = value;
                visitor.span(span);
            }

            fn direction$(<$tree>)?(visitor: &mut dyn $Visit$(<$tree>)?, direction: $($reference)+ Spanned<Direction>) {
                let Spanned { node, span } = direction;
                visitor.span(span);
                visitor.word(Direction::GROUP, node.as_str(), *span);
            }

            fn door_state$(<$tree>)?(
                visitor: &mut dyn $Visit$(<$tree>)?,
                state: $($reference)+ OrRandom<Spanned<DoorState>>,
            ) {
                match state {
                    OrRandom::Random => {}
                    OrRandom::Is(Spanned { node, span }) => {
                        visitor.span(span);
                        visitor.word(DoorState::GROUP, node.as_str(), *span);
                    }
                }
            }

            fn light$(<$tree>)?(
                visitor: &mut dyn $Visit$(<$tree>)?,
                light: $($reference)+ OrRandom<Light>,
                span: Span,
            ) {
                match light {
                    OrRandom::Random => {}
                    OrRandom::Is(light) => visitor.word(Light::GROUP, light.as_str(), span),
                }
            }

            fn filling$(<$tree>)?(
                visitor: &mut dyn $Visit$(<$tree>)?,
                filling: $($reference)+ Option<Filling>,
                span: Span,
            ) {
                if let Some(filling) = filling {
                    visitor.word(Filling::GROUP, filling.as_str(), span);
                }
            }

            fn alignment$(<$tree>)?(
                visitor: &mut dyn $Visit$(<$tree>)?,
                alignment: $($reference)+ AlignmentSpec,
                span: Span,
            ) {
                match alignment {
                    AlignmentSpec::Is(alignment) => visitor.word(Alignment::GROUP, alignment.as_str(), span),
                    AlignmentSpec::Register(index) => place_of(visitor, index),
                    AlignmentSpec::Random => {}
                }
            }

            fn room_flags$(<$tree>)?(
                visitor: &mut dyn $Visit$(<$tree>)?,
                flags: $($reference)+ Option<Vec<Spanned<RoomFlag>>>,
            ) {
                let Some(flags) = flags else { return };
                for Spanned { node, span } in flags {
                    visitor.span(span);
                    match node {
                        RoomFlag::Filling(word) => visitor.word(Filling::GROUP, word.as_str(), *span),
                        RoomFlag::Irregular(word) => visitor.word(Irregular::GROUP, word.as_str(), *span),
                        RoomFlag::Joined(word) => visitor.word(Joined::GROUP, word.as_str(), *span),
                    }
                }
            }
        }
    };
}

visitor! {
    /// Reads a tree. The nodes passed to its methods live as long as the tree.
    Visit,
    /// Any [`Visit`]. The walk is large, so it is compiled once for all of them.
    AnyVisit,
    /// Walks the children of a node for a [`Visit`].
    walk,
    lifetime: ['tree], reference: [&'tree], block: [Statement]
}

visitor! {
    /// Changes a tree in place.
    VisitMut,
    /// Any [`VisitMut`].
    AnyVisitMut,
    /// Walks the children of a node for a [`VisitMut`].
    walk_mut,
    lifetime: [], reference: [&mut], block: Vec<Statement>
}

/// Returns true if `is` is true for an expression in `statement`, at any depth.
pub fn has_expression(statement: &Statement, is: impl Fn(&Expr) -> bool) -> bool {
    struct Find<F> {
        is: F,
        found: bool,
    }

    impl<'tree, F: Fn(&Expr) -> bool> Visit<'tree> for Find<F> {
        fn expression(&mut self, expression: &'tree Expr) {
            self.found |= (self.is)(expression);
            walk::expression(self, expression);
        }
    }

    let mut find = Find { is, found: false };
    find.statement(statement);
    find.found
}

/// A node whose spans can be removed: [`forget_places`], [`says_the_same`].
pub trait Placed: Clone + PartialEq {
    /// Passes the node to `visitor`.
    fn show(&mut self, visitor: &mut impl VisitMut);
}

macro_rules! placed {
    ($($Node:ident: $hook:ident),* $(,)?) => {$(
        impl Placed for $Node {
            fn show(&mut self, visitor: &mut impl VisitMut) {
                visitor.$hook(self);
            }
        }
    )*};
}

placed! {
    Module: module, Item: item, Level: level, Function: function, Statement: statement, Expr: expression,
    Selection: selection, Condition: condition, Definition: definition,
}

/// Returns true if two nodes are equal apart from their spans, surrounding trivia and unread parts of the source.
pub fn says_the_same<N: Placed>(left: &N, right: &N) -> bool {
    let bare = |node: &N| {
        let mut node = node.clone();
        forget_places(&mut node);
        node
    };
    bare(left) == bare(right)
}

/// Removes all spans from a node, with comments and other data that only concerns the source text.
pub fn forget_places<N: Placed>(node: &mut N) {
    struct Forget;

    impl VisitMut for Forget {
        fn module(&mut self, module: &mut Module) {
            module.trivia = Vec::new();
            module.unread = Default::default();
            walk_mut::module(self, module);
        }

        fn map_rows(&mut self, rows: &mut MapRows) {
            rows.row_spans = Vec::new();
            walk_mut::map_rows(self, rows);
        }

        fn span(&mut self, span: &mut Span) {
            *span = Span::NOWHERE;
        }
    }

    node.show(&mut Forget);
}
