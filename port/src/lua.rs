//! To the Lua scripts of NetHack 5: constructs that its functions cannot express or interpret differently.

use std::collections::HashSet;

use splc_ir::catalog::{Catalog, Feature, Format, LoaderRule};
use splc_ir::level::*;
use splc_ir::source::{Span, Spanned, Text};
use splc_ir::visit::{SpeciesRole, Visit, VisitMut, walk, walk_mut};
use splc_ir::words::*;

use crate::flags::{flags_for, meaning};
use crate::left_over::lose;
use crate::poorer::known::{Knowledge, Scope, integer, value};
use crate::richer::END_OF_MAZES;
use crate::tree::LAST_PLACE;
use crate::work::Work;

/// A visitor that tracks the current statement.
struct Within<'w, 'a> {
    work: &'w mut Work<'a>,
    here: Span,
    /// Set if the current place is that of a monster.
    monster: bool,
    /// Set if the current place is that of a feature.
    feature: bool,
    /// The variables that may contain a random monster.
    random: HashSet<Text>,
}

/// Rewrites constructs that Lua levels lack in terms of those that they have.
pub(crate) fn wordless(work: &mut Work<'_>, module: &mut Module) {
    doors_outside_of_rooms(work, module);
    corners_of_earlier_maps(work, module);
    mazes_off_the_level(work, module);
    late_fillings(work, module);
    let random = random_monsters(module);
    Within { work, here: Span::NOWHERE, monster: false, feature: false, random }.module(module);
}

/// Notes each INIT_MAP without a light after a statement that may light squares: they stay lit in other games.
fn late_fillings(work: &mut Work<'_>, module: &Module) {
    for level in module.levels() {
        let mut lit = false;
        for statement in &level.body {
            match &statement.kind {
                StatementKind::InitMap(InitMap::Solid { light: None, .. } | InitMap::MazeGrid { .. }) if lit => {
                    let title = &work.to.title;
                    let what = format!("squares that were lit before it stay lit; {title} makes them dark");
                    work.differs(statement.span, what);
                }
                StatementKind::InitMap(_) | StatementKind::Message { .. } | StatementKind::Define { .. } => {}
                _ => lit = true,
            }
        }
    }
}

/// Drops each MAZEWALK at a place off the level. It has no effect in other games, but ends NetHack 5 (`lspo_mazewalk`).
/// Some games move it onto the level.
fn mazes_off_the_level(work: &mut Work<'_>, module: &mut Module) {
    struct Mazes<'w, 'a> {
        work: &'w mut Work<'a>,
        /// True if places may be relative to a map or room.
        inside: bool,
    }

    impl VisitMut for Mazes<'_, '_> {
        fn level(&mut self, level: &mut Level) {
            self.inside = false;
            walk_mut::level(self, level);
        }

        fn function(&mut self, _: &mut Function) {}

        fn room(&mut self, _: &mut Room, _: Span) {}

        fn block(&mut self, statements: &mut Vec<Statement>) {
            statements.retain_mut(|statement| {
                match &mut statement.kind {
                    StatementKind::Map(map) => self.inside = matches!(map, Map::Drawn { .. }),
                    StatementKind::MazeWalk { place: Expr { kind: ExprKind::Coordinate { x, y }, .. }, .. }
                        if !self.inside && (*x > LAST_PLACE.0 || *y > LAST_PLACE.1) =>
                    {
                        if !self.work.source_rule(LoaderRule::AnywhereIsWetOrDry) {
                            let title = &self.work.to.title;
                            let what = format!("a MAZEWALK off the level has no effect, and would crash {title}");
                            self.work.same(statement.span, what);
                            return false;
                        }
                        [*x, *y] = END_OF_MAZES;
                        self.work.same(statement.span, "the source game moves its place to the end of its mazes");
                    }
                    _ => {}
                }
                self.statement(statement);
                true
            });
        }
    }

    Mazes { work, inside: false }.module(module);
}

/// Notes each map after which places are relative to an earlier map again. After the `contents` of a map, NetHack 5
/// counts from the corner of the level (`lspo_map`).
fn corners_of_earlier_maps(work: &mut Work<'_>, module: &Module) {
    struct Maps<'w, 'a> {
        work: &'w mut Work<'a>,
        /// True if places may be relative to a map.
        under_map: bool,
    }

    impl<'tree> Visit<'tree> for Maps<'_, '_> {
        fn level(&mut self, level: &'tree Level) {
            self.under_map = false;
            walk::level(self, level);
        }

        fn function(&mut self, function: &'tree Function) {
            let outer = std::mem::replace(&mut self.under_map, true);
            walk::function(self, function);
            self.under_map = outer;
        }

        fn statement(&mut self, statement: &'tree Statement) {
            match &statement.kind {
                StatementKind::Map(Map::Drawn { keep_regions: Some(false), .. }) if self.under_map => {
                    let title = &self.work.to.title;
                    let what =
                        format!("places after this map are relative to the map before it, but to the level in {title}");
                    self.work.differs(statement.span, what);
                }
                StatementKind::Map(Map::Drawn { keep_regions: Some(false), .. }) => {}
                StatementKind::Map(map) => self.under_map = matches!(map, Map::Drawn { .. }),
                _ => {}
            }
            walk::statement(self, statement);
        }
    }

    Maps { work, under_map: false }.module(module);
}

/// Returns the names of variables that may contain a random monster.
fn random_monsters(module: &Module) -> HashSet<Text> {
    struct Find(HashSet<Text>);

    impl<'tree> Visit<'tree> for Find {
        fn statement(&mut self, statement: &'tree Statement) {
            if let StatementKind::Define { variable, value } = &statement.kind {
                let values = match value {
                    Definition::Value { value, .. } => std::slice::from_ref(value),
                    Definition::Array { values, .. } => values,
                    Definition::Copy { .. } => &[],
                };
                if values.iter().any(is_random_monster) {
                    self.0.insert(variable.node.clone());
                }
            }
            walk::statement(self, statement);
        }
    }

    let mut find = Find(HashSet::new());
    find.module(module);
    find.0
}

fn is_random_monster(value: &Expr) -> bool {
    matches!(value.kind, ExprKind::Monster(SpeciesName::Random | SpeciesName::RandomAndName(_)))
}

/// The column and row of a room beyond which no door of it can be.
const FARTHEST: (i32, i32) = (30, 15);

/// Drops each ROOMDOOR outside a room, and each DOOR far from its room. In other games the former has no effect, and
/// the latter may have none. Both end NetHack 5 (`create_door`, `lspo_door`).
fn doors_outside_of_rooms(work: &mut Work<'_>, module: &mut Module) {
    struct Doors<'w, 'a> {
        work: &'w mut Work<'a>,
        calls: Calls,
        room: bool,
        function: Option<Text>,
    }

    impl Doors<'_, '_> {
        /// Returns true and adds a note if the statement, possibly with a chance, is such a door.
        fn is_outside(&mut self, statement: &Statement) -> bool {
            let kind = match &statement.kind {
                StatementKind::Chance { then, .. } => &then.kind,
                kind => kind,
            };
            let outside = match &self.function {
                _ if self.room || !matches!(kind, StatementKind::RoomDoor { .. }) => false,
                None => true,
                Some(function) => self.calls.outside.contains(function),
            };
            if outside {
                let inside = self.function.as_ref().is_some_and(|function| self.calls.inside.contains(function));
                let title = self.work.to.title.clone();
                match inside {
                    true => lose(
                        self.work,
                        statement,
                        &format!("its FUNCTION is also called outside of rooms, where a ROOMDOOR would crash {title}"),
                    ),
                    false => {
                        let what = format!("a ROOMDOOR outside of a room has no effect, and would crash {title}");
                        self.work.same(statement.span, what.clone());
                        if let StatementKind::Chance { then, .. } = &statement.kind {
                            self.work.same(then.span, what);
                        }
                    }
                }
            }
            outside
        }
    }

    impl Doors<'_, '_> {
        /// Returns true and adds a note if the statement is a DOOR in a room, at a place that is in no room.
        fn is_far(&mut self, statement: &Statement) -> bool {
            let StatementKind::Door { at: Selection { kind: SelectionKind::Point(place), .. }, .. } = &statement.kind
            else {
                return false;
            };
            let ExprKind::Coordinate { x, y } = place.kind else { return false };
            let far = self.room && (x > FARTHEST.0 || y > FARTHEST.1);
            if far {
                let what = format!(
                    "a DOOR this far from its room may be off the level, which would end {}",
                    self.work.to.title
                );
                lose(self.work, statement, &what);
            }
            far
        }
    }

    impl VisitMut for Doors<'_, '_> {
        fn block(&mut self, statements: &mut Vec<Statement>) {
            statements.retain(|statement| !self.is_outside(statement) && !self.is_far(statement));
            walk_mut::block(self, statements);
        }

        fn room(&mut self, room: &mut Room, span: Span) {
            let outer = std::mem::replace(&mut self.room, true);
            walk_mut::room(self, room, span);
            self.room = outer;
        }

        fn region(&mut self, region: &mut Region, span: Span) {
            let room = self.room || keeps_room(region, self.work.from);
            let outer = std::mem::replace(&mut self.room, room);
            walk_mut::region(self, region, span);
            self.room = outer;
        }

        fn function(&mut self, function: &mut Function) {
            let outer = (self.function.replace(function.name.node.clone()), std::mem::take(&mut self.room));
            walk_mut::function(self, function);
            (self.function, self.room) = outer;
        }
    }

    let calls = Calls::of(&Rooms::of(module, work.from));
    Doors { work, calls, room: false, function: None }.module(module);
}

/// Notes each random square of a selection in a room. The games of des-files take its coordinates for those of the room
/// (`SPO_SEL_RNDCOORD`); NetHack 5 converts them (`cvt_to_relcoord`).
pub(crate) fn random_squares_in_rooms(work: &mut Work<'_>, module: &mut Module) {
    let (from, to) = (work.from, work.to);
    let title = match (from.format, to.format) {
        (Format::Lua, Format::Lua) => return,
        (Format::Lua, _) => &to.title,
        (_, Format::Lua) => &from.title,
        _ => return,
    };
    let rooms = Rooms::of(module, from);
    let calls = Calls::of(&rooms);
    for (span, place) in &rooms.squares {
        if place.room || place.function.as_ref().is_some_and(|function| calls.inside.contains(function)) {
            let what = format!("in a room, {title} moves a random square of a selection by the corner of the room");
            work.differs(*span, what);
        }
    }
}

/// Notes each REGION in a room that ends the room in only one of the games. The compilers of des-files end it as a
/// room; the scripts of NetHack 5 do so only if it has become one.
pub(crate) fn regions_in_rooms(work: &mut Work<'_>, module: &mut Module) {
    let (from, to) = (work.from, work.to);
    if from.format == Format::Parts || to.format == Format::Parts {
        return;
    }
    let rooms = Rooms::of(module, from);
    let calls = Calls::of(&rooms);
    for (region, span, place) in &rooms.regions {
        let inside = place.room || place.function.as_ref().is_some_and(|function| calls.inside.contains(function));
        let [before, after] = [ends_room(region, from, from), ends_room(region, from, to)];
        if inside && before != after {
            let title = if before { &from.title } else { &to.title };
            work.differs(*span, format!("in {title} it ends the room around it: what follows is outside of the room"));
        }
    }
}

/// Returns true if a region of `from` has an end in a game, which also ends a room around it.
fn ends_room(region: &Region, from: &Catalog, game: &Catalog) -> bool {
    if game.format == Format::Lua || !game.has(Feature::RegionsWithoutEnd) {
        return game.format != Format::Lua;
    }
    let flags: Option<Vec<RoomFlag>> = region.flags.as_ref().map(|flags| flags.iter().map(|flag| flag.node).collect());
    let flags = flags_for(meaning(flags.as_deref(), true, from), true, game).flatten();
    let flags = flags.map(|flags| flags.into_iter().map(|flag| Spanned::new(flag, Span::NOWHERE)).collect());
    Region { area: region.area.clone(), room_type: region.room_type.clone(), flags, body: None, ..*region }
        .is_old_room(game)
}

/// Rewrites negative amounts of gold. In NetHack 5 all of them are 1 to 200 pieces (`lspo_gold`). In other games only
/// -1 is, and all others are the amount of the depth, like 0 (`mkgold`).
pub(crate) fn amounts_of_gold(work: &mut Work<'_>, module: &mut Module) {
    struct Amounts<'w, 'a> {
        work: &'w mut Work<'a>,
        /// The amount that means in the target what others below -1 mean in the source.
        below: i32,
        /// True if a computed amount may be negative.
        negative: bool,
    }

    impl VisitMut for Amounts<'_, '_> {
        fn statement(&mut self, statement: &mut Statement) {
            if let StatementKind::Gold { amount, .. } = &mut statement.kind {
                match integer(amount, &Knowledge { scope: &Scope::new(), dice: None }) {
                    Ok(..-1) => {
                        amount.kind = ExprKind::Integer(self.below);
                        self.work.same(statement.span, format!("its negative amount becomes {}", self.below));
                    }
                    Ok(_) => {}
                    Err(_) if matches!(amount.kind, ExprKind::Dice { .. } | ExprKind::Random) => {}
                    Err(_) if self.negative => {
                        let what = "an amount below -1 is 1 to 200 pieces of gold in NetHack 5, in other games the \
                                    amount of the depth";
                        self.work.game(statement.span, what);
                    }
                    Err(_) => {}
                }
            }
            walk_mut::statement(self, statement);
        }
    }

    /// Finds differences and negative numbers.
    struct Negative(bool);

    impl<'tree> Visit<'tree> for Negative {
        fn expression(&mut self, expression: &'tree Expr) {
            self.0 |= match &expression.kind {
                ExprKind::Integer(number) => *number < 0,
                ExprKind::Chain { rest, .. } => rest.iter().any(|(operator, _)| *operator == Operator::Subtract),
                _ => false,
            };
            walk::expression(self, expression);
        }
    }

    let below = match (work.from.format == Format::Lua, work.to.format == Format::Lua) {
        (true, false) => -1,
        (false, true) => 0,
        _ => return,
    };
    let mut negative = Negative(false);
    negative.module(module);
    Amounts { work, below, negative: negative.0 }.module(module);
}

/// Returns true if a region becomes a room. An ordinary filled rectangular region only sets the light.
fn keeps_room(region: &Region, from: &Catalog) -> bool {
    let irregular = |flag: &Spanned<RoomFlag>| {
        matches!(flag.node, RoomFlag::Irregular(Irregular::Irregular) | RoomFlag::Filling(Filling::Unfilled))
    };
    let ordinary = matches!(&region.room_type, OrRandom::Is(name) if from.room(&name.node).unwrap_or(0) == 0);
    !ordinary || region.flags.iter().flatten().any(irregular)
}

/// The surroundings of a statement.
#[derive(Clone, Default)]
struct Place {
    /// True in the block of a room.
    room: bool,
    /// The FUNCTION that contains it.
    function: Option<Text>,
}

/// The calls of FUNCTIONs, the random squares of selections and the regions in a module.
struct Rooms<'c, 'tree> {
    from: &'c Catalog,
    calls: Vec<(Text, Place)>,
    squares: Vec<(Span, Place)>,
    regions: Vec<(&'tree Region, Span, Place)>,
    place: Place,
    here: Span,
}

impl<'c, 'tree> Rooms<'c, 'tree> {
    fn of(module: &'tree Module, from: &'c Catalog) -> Self {
        let (calls, squares, regions) = (Vec::new(), Vec::new(), Vec::new());
        let mut rooms = Rooms { from, calls, squares, regions, place: Place::default(), here: Span::NOWHERE };
        rooms.module(module);
        rooms
    }
}

impl<'tree> Visit<'tree> for Rooms<'_, 'tree> {
    fn statement(&mut self, statement: &'tree Statement) {
        if let StatementKind::Call { function, .. } = &statement.kind {
            self.calls.push((function.node.clone(), self.place.clone()));
        }
        let outer = std::mem::replace(&mut self.here, statement.span);
        walk::statement(self, statement);
        self.here = outer;
    }

    fn expression(&mut self, value: &'tree Expr) {
        if matches!(value.kind, ExprKind::SelectedCoordinate(_)) {
            self.squares.push((self.here, self.place.clone()));
        }
        walk::expression(self, value);
    }

    fn room(&mut self, room: &'tree Room, span: Span) {
        let outer = std::mem::replace(&mut self.place.room, true);
        walk::room(self, room, span);
        self.place.room = outer;
    }

    fn region(&mut self, region: &'tree Region, span: Span) {
        self.regions.push((region, span, self.place.clone()));
        let room = self.place.room || keeps_room(region, self.from);
        let outer = std::mem::replace(&mut self.place.room, room);
        walk::region(self, region, span);
        self.place.room = outer;
    }

    fn function(&mut self, function: &'tree Function) {
        let place = Place { room: false, function: Some(function.name.node.clone()) };
        let outer = std::mem::replace(&mut self.place, place);
        walk::function(self, function);
        self.place = outer;
    }
}

/// The FUNCTIONs called inside a room, and those called outside. A function can be in both sets.
#[derive(Default)]
struct Calls {
    inside: HashSet<Text>,
    outside: HashSet<Text>,
}

impl Calls {
    fn of(rooms: &Rooms<'_, '_>) -> Self {
        let mut calls = Calls::default();
        // A callee is in a room if its caller is. Each round adds one level of calls.
        loop {
            let before = calls.inside.len() + calls.outside.len();
            for (callee, Place { room, function: caller }) in &rooms.calls {
                let of_caller = |set: &HashSet<Text>| caller.as_ref().is_some_and(|caller| set.contains(caller));
                if *room || of_caller(&calls.inside) {
                    calls.inside.insert(callee.clone());
                }
                if !room && (caller.is_none() || of_caller(&calls.outside)) {
                    calls.outside.insert(callee.clone());
                }
            }
            if calls.inside.len() + calls.outside.len() == before {
                return calls;
            }
        }
    }
}

/// Returns true if a value is terrain with a light.
fn is_lit(values: &[Expr]) -> bool {
    values.iter().any(|value| matches!(value.kind, ExprKind::MapCharacter { light: Some(_), .. }))
}

impl Within<'_, '_> {
    /// Drops the terrain of a random place.
    fn random_place(&mut self, humidity: &mut Vec<Spanned<Humidity>>) {
        if humidity.is_empty() {
            return;
        }
        let dry = humidity.iter().all(|word| word.node == Humidity::Dry);
        if dry && self.feature {
            return;
        }
        let words: Vec<&str> = humidity.iter().map(|word| word.node.as_str()).collect();
        match (dry, self.monster) {
            (true, false) => self.work.same(self.here, "a random place is dry by default"),
            _ => {
                let title = self.work.to.title.clone();
                let what = format!(
                    "{title} cannot require a random place to be {}: its loader chooses by the thing placed there",
                    words.join(" or ")
                );
                self.work.differs(self.here, what);
            }
        }
        humidity.clear();
    }

    /// Sorts the corners of a level region. If they are swapped, it has no squares and NetHack 5 crashes
    /// (`place_lregion`).
    fn corners(&mut self, region: &mut LevelRegion) {
        let [x1, y1, x2, y2] = region.inside.corners;
        if [x1, y1, x2, y2].iter().any(|number| *number < 0) || x1 <= x2 && y1 <= y2 {
            return;
        }
        region.inside.corners = [x1.min(x2), y1.min(y2), x1.max(x2), y1.max(y2)];
        let title = self.work.to.title.clone();
        self.work.differs(
            self.here,
            format!("the swapped corners of its region are corrected: {title} would crash on them"),
        );
    }

    /// Computes the place of a drawbridge as far as possible. NetHack 5 fails to load one in column 0
    /// (`lspo_drawbridge`).
    fn bridge(&mut self, place: &mut Expr) {
        match value(place, &Knowledge { scope: &Scope::new(), dice: None }) {
            Ok(known @ (ExprKind::Coordinate { x: ..=0, .. } | ExprKind::RandomCoordinate { .. })) => {
                place.kind = known;
            }
            Ok(_) => {}
            Err(_) => {
                let what = format!("{} fails to load a drawbridge in column 0 of its map or room", self.work.to.title);
                self.work.game(self.here, what);
            }
        }
    }

    /// Inverts a gradient. The game selects the near squares and ever fewer of those farther away.
    fn gradient(&mut self, selection: &mut Selection) {
        let SelectionKind::Gradient { limited, .. } = &mut selection.kind else { return };
        let ends = *limited == Some(Limited::Limited);
        *limited = None;
        let what = "the gradient is written as its complement, since the game draws it inverted; the chances at its edges differ";
        self.work.differs(self.here, what);
        let near = Selection { kind: selection.kind.clone(), span: selection.span };
        let mut far = Selection { kind: SelectionKind::Complement(Box::new(near.clone())), span: selection.span };
        if ends && let SelectionKind::Gradient { gradient, maximum, center, center2, .. } = near.kind {
            let all =
                SelectionKind::Gradient { gradient, minimum: maximum.clone(), maximum, limited: None, center, center2 };
            let all = Selection { kind: all, span: selection.span };
            far = Selection {
                kind: SelectionKind::FilterSelection { filter: Box::new(far), selection: Box::new(all) },
                span: selection.span,
            };
        }
        *selection = far;
    }
}

impl VisitMut for Within<'_, '_> {
    fn statement(&mut self, statement: &mut Statement) {
        let inner = if statement.span.is_nowhere() { self.here } else { statement.span };
        let outer = std::mem::replace(&mut self.here, inner);
        let mut lit = false;
        if let StatementKind::LevelRegion(region) = &mut statement.kind {
            self.corners(region);
        }
        if let StatementKind::Fountain { at } | StatementKind::Sink { at } | StatementKind::Pool { at } =
            &mut statement.kind
        {
            // The game itself looks for dry ground.
            self.feature = true;
            if let SelectionKind::Point(Expr { kind: ExprKind::RandomCoordinate { humidity }, .. }) = &mut at.kind
                && humidity.is_empty()
                && self.work.source_rule(LoaderRule::RandomFeaturesNeedDryGround)
            {
                humidity.push(Spanned::new(Humidity::Dry, Span::NOWHERE));
            }
        }
        if let StatementKind::Drawbridge { place, .. } = &mut statement.kind {
            self.bridge(place);
        }
        match &statement.kind {
            StatementKind::RoomDoor { secret, state, walls, .. } => {
                let state = match state {
                    OrRandom::Is(state) => Some(state.node),
                    OrRandom::Random => None,
                };
                if *secret != OrRandom::Is(false) && state != Some(DoorState::Closed) {
                    let what = "a secret door of a room has no state: it is closed when found";
                    self.work.differs(inner, what);
                }
                let several = matches!(walls, OrRandom::Is(walls) if (2..4).contains(&walls.len()));
                if several {
                    let what = "one of its walls is drawn first, and no other wall is tried if it has no place";
                    self.work.differs(inner, what);
                }
            }
            StatementKind::Define { value: Definition::Value { value, .. }, .. } => {
                lit = is_lit(std::slice::from_ref(value));
            }
            StatementKind::Define { value: Definition::Array { values, .. }, .. } => lit = is_lit(values),
            StatementKind::Altar { altar: OrRandom::Random, .. } => {
                self.work.same(inner, "its type is drawn before its place");
            }
            StatementKind::RandomCorridors { style } if *style != CorridorStyle::Default => {
                let what = format!("{} has one style of corridors", self.work.to.title);
                self.work.differs(inner, what);
            }
            StatementKind::Corridor { to: CorridorTarget::Number(_), .. } => {
                self.work.differs(inner, "a CORRIDOR to a number joins rooms at random");
            }
            StatementKind::Grave { epitaph: Epitaph::None, .. } => {
                self.work.differs(inner, "a grave without a headstone gets one with an empty text");
            }
            StatementKind::Engraving { engraving: OrRandom::Random, .. } => {
                let (from, to) = (&self.work.from.title, &self.work.to.title);
                let what = format!("a random engraving has no type in {from}; in {to} it has one of five");
                self.work.differs(inner, what);
            }
            _ => {}
        }
        if lit {
            self.work.differs(inner, "terrain in a variable has no light");
            if let StatementKind::Define { value, .. } = &mut statement.kind {
                let values = match value {
                    Definition::Value { value, .. } => std::slice::from_mut(value),
                    Definition::Array { values, .. } => values,
                    Definition::Copy { .. } => &mut [],
                };
                for value in values {
                    if let ExprKind::MapCharacter { light, .. } = &mut value.kind {
                        *light = None;
                    }
                }
            }
        }
        walk_mut::statement(self, statement);
        self.here = outer;
        self.feature = false;
    }

    fn species(&mut self, role: SpeciesRole, species: &mut SpeciesName, _: Span) {
        let (SpeciesName::Name(name) | SpeciesName::ClassAndName(_, name)) = species else { return };
        // The game treats object number 0 as a missing name (`lspo_object`).
        if role == SpeciesRole::Object && matches!(self.work.from.object(name, None), Some((0, _))) {
            let what = format!("{} has no name for it: a random object is created", self.work.to.title);
            self.work.differs(self.here, what);
        }
    }

    fn monster(&mut self, monster: &mut Monster) {
        let drawn =
            |detail: &Spanned<MonsterDetail>| matches!(detail.node, MonsterDetail::Alignment(AlignmentSpec::Random));
        if monster.details.iter().any(drawn) {
            let what = "its random alignment is drawn without regard to the alignment of the dungeon";
            self.work.differs(self.here, what);
        }
        self.monster = true;
        self.expression(&mut monster.place);
        self.monster = false;
        walk_mut::monster(self, monster);
    }

    fn object(&mut self, object: &mut Object) {
        let title = &self.work.to.title;
        for detail in &object.details {
            let ObjectDetail::MonsterType(of) = &detail.node else { continue };
            let random = match &of.kind {
                ExprKind::Variable(variable) => self.random.contains(&variable.name),
                _ => is_random_monster(of),
            };
            if random {
                let what = format!(
                    "{title} cannot make it of any random monster: it chooses the monster as for an object without one"
                );
                self.work.differs(self.here, what);
            }
        }
        let of_monster = match &object.object.kind {
            ExprKind::Object(SpeciesName::Name(name) | SpeciesName::ClassAndName(_, name)) => {
                OBJECTS_OF_MONSTERS.contains(&name.as_str())
            }
            ExprKind::Object(_) => false,
            // A variable may contain such an object.
            _ => true,
        };
        let count = object.details.len();
        object.details.retain(|detail| of_monster || !matches!(detail.node, ObjectDetail::MonsterType(_)));
        if object.details.len() < count {
            let what = format!("{title} makes only corpses, eggs, figurines, statues and tins of a given monster");
            self.work.differs(self.here, what);
        }
        let numbered = object.details.iter().any(|detail| matches!(detail.node, ObjectDetail::Enchantment(_)));
        let name = match &object.object.kind {
            ExprKind::Object(SpeciesName::Name(name) | SpeciesName::ClassAndName(_, name)) => name.as_str(),
            _ => "",
        };
        let marked = self.work.target_rule(LoaderRule::CorpsesAreMarked);
        if name == "tin" && !numbered && marked && !self.work.source_rule(LoaderRule::CorpsesAreMarked) {
            let what = format!("{title} puts spinach in a tin only on request, and may leave it empty");
            self.work.game(self.here, what);
        }
        walk_mut::object(self, object);
    }

    fn expression(&mut self, expression: &mut Expr) {
        if let ExprKind::RandomCoordinate { humidity } = &mut expression.kind {
            self.random_place(humidity);
        }
        walk_mut::expression(self, expression);
    }

    fn selection(&mut self, selection: &mut Selection) {
        // The result contains gradients that already are the game's.
        if matches!(selection.kind, SelectionKind::Gradient { .. }) {
            walk_mut::selection(self, selection);
            return self.gradient(selection);
        }
        walk_mut::selection(self, selection);
    }
}
