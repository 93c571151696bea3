//! Monsters, objects, traps and doors: behaviour that lists leave to the compiler or loader of 3.4.3.

use splc_ir::catalog::{Catalog, Feature, Format, Habit, LoaderRule, Match, Species};
use splc_ir::level::*;
use splc_ir::program::Opcode;
use splc_ir::source::{Span, Spanned};
use splc_ir::visit::{SpeciesRole, Visit, VisitMut, has_expression, walk, walk_mut};
use splc_ir::words::*;

use crate::account::Effect;
use crate::free_places;
use crate::tree::{LAST_PLACE, bare, is_anywhere, levels, parts};
use crate::work::Work;

/// Removes names that the compiler of 3.4.3 does not find or look up. It creates something random of the class instead.
pub(crate) fn compiled_names(work: &mut Work<'_>, module: &mut Module) {
    struct Compiled<'w, 'a> {
        work: &'w mut Work<'a>,
        here: Span,
    }

    impl VisitMut for Compiled<'_, '_> {
        fn statement(&mut self, statement: &mut Statement) {
            let outer = std::mem::replace(&mut self.here, statement.span);
            walk_mut::statement(self, statement);
            self.here = outer;
        }

        fn species(&mut self, role: SpeciesRole, species: &mut SpeciesName, _: Span) {
            let find = |name: &str, class| match role {
                SpeciesRole::Monster => self.work.from.monster(name, class),
                SpeciesRole::Object => self.work.from.object(name, class),
            };
            match species {
                SpeciesName::ClassAndName(class, name) => {
                    if !matches!(find(name, Some(*class)), Some((_, Match::Exact))) {
                        let what = format!(
                            "{} has no \"{name}\" of class '{class}' and creates a random one of that class",
                            self.work.from.title
                        );
                        *species = SpeciesName::Class(*class);
                        self.work.same(self.here, what);
                    }
                }
                SpeciesName::RandomAndName(_) => {
                    *species = SpeciesName::Random;
                    self.work.same(self.here, "the game ignores a name next to random");
                }
                SpeciesName::Random | SpeciesName::Class(_) | SpeciesName::Name(_) => {}
            }
        }
    }

    for level in levels(module) {
        // The loader starts a line only after some text.
        let mut said = false;
        level.body.retain(|statement| match &statement.kind {
            StatementKind::Message { text, .. } => {
                said |= !is_empty_text(text);
                if !said {
                    work.same(statement.span, "the empty line at the beginning of the message is removed");
                }
                said
            }
            _ => true,
        });
    }
    Compiled { work, here: Span::NOWHERE }.module(module);
}

fn is_empty_text(text: &Expr) -> bool {
    matches!(&text.kind, ExprKind::String(text) if text.is_empty())
}

/// The last place of the mazes of 3.4.3, in coordinates of a part without a map (`x_maze_max` and `y_maze_max`).
pub(crate) const END_OF_MAZES: [i32; 2] = [77, 20];

/// Drops explicit `random` values of 3.4.3 where a script is random by default.
pub(crate) fn defaults(work: &mut Work<'_>, module: &mut Module) {
    struct Defaults<'w, 'a> {
        work: &'w mut Work<'a>,
        /// True if places count from a map.
        in_map: bool,
        here: Span,
    }

    impl Defaults<'_, '_> {
        /// Replaces a negative alignment register, which is stored as an alignment number: `align[-2]` as 1
        /// (`lev_comp.y`: `-n - 1`).
        fn alignment(&mut self, alignment: &mut AlignmentSpec) {
            let AlignmentSpec::Register(register) = alignment else { return };
            if register.node >= 0 {
                return;
            }
            let number = i64::from(-1 - register.node);
            let word =
                Alignment::ALL.iter().find(|word| self.work.from.word(Group::Alignment, word.as_str()) == Some(number));
            match word {
                Some(word) => {
                    let what = format!("the compiler reads align[{}] as {}", register.node, word.as_str());
                    *alignment = AlignmentSpec::Is(*word);
                    self.work.same(self.here, what);
                }
                None => {
                    *alignment = AlignmentSpec::Random;
                    self.work.differs(self.here, "the register does not exist; the alignment is random");
                }
            }
        }
    }

    impl VisitMut for Defaults<'_, '_> {
        fn statement(&mut self, statement: &mut Statement) {
            let outer = std::mem::replace(&mut self.here, statement.span);
            if let StatementKind::Map(map) = &statement.kind {
                self.in_map = matches!(map, Map::Drawn { .. });
            }
            // `random` gold is 1 to 200 pieces in every game.
            if let StatementKind::Gold { amount, .. } = &mut statement.kind
                && amount.kind == ExprKind::Random
                && self.work.to.format != Format::Lua
            {
                let dice = self.work.to.opcode(Opcode::Dice).is_some();
                amount.kind = if dice {
                    ExprKind::Dice { count: 1, sides: RANDOM_GOLD }
                } else {
                    ExprKind::Integer(RANDOM_GOLD / 2)
                };
                if dice {
                    self.work.same(self.here, format!("a random amount of gold becomes 1d{RANDOM_GOLD}"));
                } else {
                    self.work.differs(self.here, format!("a random amount of gold becomes {}", RANDOM_GOLD / 2));
                }
            }
            if let StatementKind::Altar { alignment, .. } = &mut statement.kind {
                self.alignment(alignment);
            }
            walk_mut::statement(self, statement);
            self.here = outer;
        }

        fn expression(&mut self, value: &mut Expr) {
            if let ExprKind::Region { corners } = &mut value.kind
                && !self.in_map
            {
                for corner in corners.chunks_exact_mut(2) {
                    if corner[0] > LAST_PLACE.0 || corner[1] > LAST_PLACE.1 {
                        corner.copy_from_slice(&END_OF_MAZES);
                        self.work.same(self.here, "3.4.3 moves a corner off the level to the end of its mazes");
                    }
                }
            }
            walk_mut::expression(self, value);
        }

        fn monster_detail(&mut self, detail: &mut Spanned<MonsterDetail>) {
            if let MonsterDetail::Alignment(alignment) = &mut detail.node {
                self.alignment(alignment);
            }
            walk_mut::monster_detail(self, detail);
        }

        fn monster(&mut self, monster: &mut Monster) {
            let before = monster.details.len();
            monster.details.retain(|detail| {
                !matches!(
                    detail.node,
                    MonsterDetail::Attitude(OrRandom::Random) | MonsterDetail::Alertness(OrRandom::Random)
                )
            });
            if monster.details.len() != before {
                self.work.same(self.here, "explicitly random details are removed");
            }
            walk_mut::monster(self, monster);
        }

        fn object(&mut self, object: &mut Object) {
            object.details.retain(|detail| match &detail.node {
                // A name in later games keeps the object from becoming an artifact, even an empty one.
                ObjectDetail::Name(name) if name.is_empty_text() => {
                    self.work.same(self.here, "an empty name is none in 3.4.3");
                    false
                }
                _ => true,
            });
            let before = object.details.len();
            object.details.retain(|detail| {
                !matches!(
                    detail.node,
                    ObjectDetail::Curse(OrRandom::Random)
                        | ObjectDetail::Enchantment(Expr { kind: ExprKind::Random, .. })
                )
            });
            if object.details.len() != before {
                self.work.same(self.here, "explicitly random details are removed");
            }
            object.details.retain_mut(|detail| {
                let ObjectDetail::MonsterType(of) = &mut detail.node else { return true };
                let ExprKind::String(name) = &of.kind else { return true };
                let known = self.work.from.monster(name, None).filter(|(_, how)| *how == Match::Exact);
                match known.and_then(|(number, _)| self.work.from.monsters.get(number as usize)) {
                    Some(species) => {
                        of.kind = ExprKind::Monster(SpeciesName::ClassAndName(species.class, name.clone()));
                        self.work.same(self.here, "its monster is given with its class");
                        true
                    }
                    None => {
                        self.work.differs(self.here, "its monster is random, chosen by the game's own rules");
                        false
                    }
                }
            });
            walk_mut::object(self, object);
        }
    }

    Defaults { work, in_map: false, here: Span::NOWHERE }.module(module);
}

/// The maximum of a random amount of gold (`create_gold`).
const RANDOM_GOLD: i32 = 200;

/// Moves objects with places, written between a container and its contents in 3.4.3, after the container's block.
/// Contained objects without a container get a random place.
pub(crate) fn containers(work: &mut Work<'_>, module: &mut Module) {
    for level in levels(module) {
        block(work, &mut level.body);
    }
}

fn place_of(statement: &Statement) -> Option<&Expr> {
    let StatementKind::Object(object) = bare(statement) else { return None };
    object.place()
}

fn object_mut(statement: &mut Statement) -> Option<&mut Object> {
    let kind = match &mut statement.kind {
        StatementKind::Chance { then, .. } => &mut then.kind,
        kind => kind,
    };
    match kind {
        StatementKind::Object(object) => Some(object),
        _ => None,
    }
}

fn block(work: &mut Work<'_>, body: &mut Vec<Statement>) {
    let mut at = 0;
    while at < body.len() {
        let span = body[at].span;
        let chance = matches!(body[at].kind, StatementKind::Chance { .. });
        if let StatementKind::Room(room) = &mut body[at].kind {
            block(work, &mut room.body);
        }
        let unplaced = place_of(&body[at]).is_none();
        let mut behind = Vec::new();
        if let Some(object) = object_mut(&mut body[at]) {
            object.contained_span = Span::NOWHERE;
            if unplaced {
                let anywhere = Expr { kind: ExprKind::RandomCoordinate { humidity: Vec::new() }, span: Span::NOWHERE };
                object.details.insert(0, Spanned::new(ObjectDetail::Place(anywhere), Span::NOWHERE));
                work.same(span, "an object without a container is at a random place");
            }
            if let Some(contents) = &mut object.contents {
                for mut inside in std::mem::take(contents) {
                    if let Some(object) = object_mut(&mut inside) {
                        object.contained_span = Span::NOWHERE;
                    }
                    if place_of(&inside).is_some() {
                        work.same(inside.span, "it has its own place and is moved after the container");
                        behind.push(inside);
                    } else {
                        contents.push(inside);
                    }
                }
                if chance && !contents.is_empty() {
                    work.differs_in_contents(span);
                }
            }
        }
        let count = behind.len();
        body.splice(at + 1..at + 1, behind);
        at += 1 + count;
    }
}

/// Returns the map of a part.
fn rows_of(part: &[Statement]) -> Option<&MapRows> {
    part.iter().find_map(|statement| match &statement.kind {
        StatementKind::Map(Map::Drawn { rows, .. }) => Some(rows),
        _ => None,
    })
}

pub(crate) fn drawn_at(rows: &MapRows, x: i32, y: i32) -> Option<char> {
    let row = rows.rows.get(usize::try_from(y).ok()?)?;
    row.chars().filter(|character| !character.is_ascii_digit()).nth(usize::try_from(x).ok()?)
}

/// The map character of secret doors.
pub(crate) const SECRET_DOOR: char = 'S';

/// Closes secret doors on the map that get a state. 3.4.3 makes them at least closed, a script would leave them open.
pub(crate) fn secret_doors(work: &mut Work<'_>, module: &mut Module) {
    for level in levels(module) {
        for mut part in parts(&mut level.body) {
            let rows = rows_of(&part).cloned();
            for statement in &mut part {
                let span = statement.span;
                let StatementKind::Door { state, at, .. } = &mut statement.kind else { continue };
                let SelectionKind::Point(Expr { kind: ExprKind::Coordinate { x, y }, .. }) = at.kind else { continue };
                if rows.as_ref().and_then(|rows| drawn_at(rows, x, y)) != Some(SECRET_DOOR) {
                    continue;
                }
                match state {
                    OrRandom::Is(state)
                        if matches!(state.node, DoorState::Open | DoorState::NoDoor | DoorState::Broken) =>
                    {
                        state.node = DoorState::Closed;
                        work.same(span, "a secret door is at least closed");
                    }
                    OrRandom::Random => {
                        work.differs(span, "a secret door with a random state may be open, but is closed in 3.4.3");
                    }
                    OrRandom::Is(_) => {}
                }
            }
            level.body.extend(part);
        }
    }
}

/// Reports differences of the target's loader that no statement can express.
pub(crate) fn loader_habits(work: &mut Work<'_>, module: &mut Module) {
    let catalog = work.from;
    free_places::report(work, catalog, module, Effect::Game);
    for level in levels(module) {
        if has_ice(level) {
            work.game(level.span, "ice on a level with INIT_MAP has water below it in the target");
        }
        for part in level.body.chunk_by(|_, next| !matches!(next.kind, StatementKind::Map(_))) {
            traps_on_steps(work, part);
        }
        let mut random_stairs = 0;
        for statement in &level.body {
            match &statement.kind {
                StatementKind::Map(_) => random_stairs = 0,
                StatementKind::InitMap(InitMap::Mines { .. }) if level.kind == LevelKind::Rooms => {
                    let what = "3.4.3 does not change the walls of a level of rooms, a script joins them at its end";
                    work.game(statement.span, what);
                }
                StatementKind::Stair { place, .. } if is_anywhere(place) => {
                    random_stairs += 1;
                    if random_stairs > 1 {
                        work.game(statement.span, "random stairs may be close together, which 3.4.3 avoids");
                    }
                }
                StatementKind::RandomCorridors { .. } => {
                    let what = "3.4.3 joins rooms from left to right, other games in the order of their creation";
                    work.game(statement.span, what);
                }
                StatementKind::MazeWalk { .. } => {
                    let what = "each loader stocks the maze with its own numbers of things";
                    work.game(statement.span, what);
                }
                StatementKind::Room(room) => room_habits(work, room, statement.span),
                _ => {}
            }
        }
    }
}

/// Reports traps of a part on the squares of its stairs and ladders.
fn traps_on_steps(work: &mut Work<'_>, part: &[Statement]) {
    let steps: Vec<&ExprKind> = part.iter().filter_map(step).collect();
    for statement in part {
        if let StatementKind::Trap { place, .. } = bare(statement)
            && matches!(place.kind, ExprKind::Coordinate { .. })
            && steps.contains(&&place.kind)
        {
            work.game(statement.span, "3.4.3 may set a trap on stairs and ladders, other games do not");
        }
    }
}

/// Returns the place of stairs or a ladder.
fn step(statement: &Statement) -> Option<&ExprKind> {
    match &statement.kind {
        StatementKind::Stair { place, .. } | StatementKind::Ladder { place, .. } => Some(&place.kind),
        _ => None,
    }
}

pub(crate) fn has_ice(level: &Level) -> bool {
    const ICE: char = 'I';
    struct Ice(bool);

    impl<'tree> Visit<'tree> for Ice {
        fn map_rows(&mut self, rows: &'tree MapRows) {
            self.0 |= rows.rows.iter().any(|row| row.contains(ICE));
        }

        fn map_character(&mut self, character: &'tree char, _: Span) {
            self.0 |= *character == ICE;
        }
    }

    let mut ice = Ice(false);
    ice.level(level);
    ice.0
}

/// Reports the squares that 3.4.3 uses for random places in a room.
pub(crate) fn room_places(work: &mut Work<'_>, module: &mut Module) {
    for level in levels(module) {
        for statement in &level.body {
            if let StatementKind::Room(room) = &statement.kind {
                random_places(work, room, statement.span, "in 3.4.3, but only on bare floor here");
            }
        }
    }
}

/// Reports random places in a room. In 3.4.3 they can be any square of it, other games look for bare floor.
pub(crate) fn random_places(work: &mut Work<'_>, room: &Room, span: Span, otherwise: &str) {
    let furnished = room.body.iter().any(|statement| {
        matches!(
            bare(statement),
            StatementKind::Room(_)
                | StatementKind::Stair { .. }
                | StatementKind::Fountain { .. }
                | StatementKind::Sink { .. }
                | StatementKind::Pool { .. }
                | StatementKind::Altar { .. }
        )
    });
    let random = room.body.iter().any(|statement| match bare(statement) {
        StatementKind::Monster(monster) => is_anywhere(&monster.place),
        StatementKind::Object(_) => place_of(statement).is_none_or(is_anywhere),
        StatementKind::Gold { place, .. } | StatementKind::Engraving { place, .. } => is_anywhere(place),
        _ => false,
    });
    if furnished && random {
        work.game(span, format!("things at random places in the room may be on stairs and fountains {otherwise}"));
    }
    for statement in &room.body {
        if let StatementKind::Room(inner) = &statement.kind {
            random_places(work, inner, statement.span, otherwise);
        }
    }
}

/// Reports the behaviour of 3.4.3 for stairs and furniture at impossible places in rooms.
pub(crate) fn room_habits(work: &mut Work<'_>, room: &Room, span: Span) {
    if has_crowded_furniture(room) {
        work.game(span, "3.4.3 gives up on stairs, fountains, sinks and pools on a square that is not bare floor");
    }
    for statement in &room.body {
        if let StatementKind::Room(inner) = &statement.kind {
            room_habits(work, inner, statement.span);
        } else if is_outside(statement, room) {
            let what = "if its place is off the level, 3.4.3 leaves it there, other games move it";
            work.game(statement.span, what);
        }
    }
}

/// Returns true if the statement gives a place outside the room, or possibly outside if the room's size is random.
fn is_outside(statement: &Statement, room: &Room) -> bool {
    const SMALL: (i32, i32) = (3, 3);
    let (width, height) = match room.size {
        OrRandom::Is((width, height)) => (width.node, height.node),
        OrRandom::Random => SMALL,
    };
    has_expression(statement, |place| match place.kind {
        ExprKind::Coordinate { x, y } => x >= width || y >= height,
        _ => false,
    })
}

/// Returns true if a room has something at a given place that may not be bare floor, although 3.4.3 requires bare
/// floor.
fn has_crowded_furniture(room: &Room) -> bool {
    let place = |statement: &Statement| match bare(statement) {
        StatementKind::Stair { place, .. } | StatementKind::Altar { place, .. } => Some(place.kind.clone()),
        StatementKind::Fountain { at } | StatementKind::Sink { at } | StatementKind::Pool { at } => match &at.kind {
            SelectionKind::Point(place) => Some(place.kind.clone()),
            _ => None,
        },
        _ => None,
    };
    let is_inside = |x: i32, y: i32| match room.size {
        OrRandom::Is((width, height)) => (0..width.node).contains(&x) && (0..height.node).contains(&y),
        OrRandom::Random => (x, y) == (0, 0),
    };
    let subrooms = room.body.iter().any(|statement| matches!(statement.kind, StatementKind::Room(_)));
    let places: Vec<ExprKind> = room.body.iter().filter_map(place).collect();
    places.iter().enumerate().any(|(at, place)| match place {
        ExprKind::Coordinate { x, y } => {
            let others = || places.iter().enumerate().filter(|(other, _)| *other != at).map(|(_, place)| place);
            let taken = |other: &ExprKind| !matches!(other, ExprKind::Coordinate { .. }) || other == place;
            subrooms || !is_inside(*x, *y) || others().any(taken)
        }
        _ => false,
    })
}

/// The types of squares accepted as a random place for a monster.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct Places {
    dry: bool,
    wet: bool,
    hot: bool,
    solid: bool,
}

impl Places {
    /// Returns the aspects that matter on a level with or without water or lava.
    pub(crate) fn matter(self, liquid: bool) -> (bool, bool, bool) {
        (self.dry, liquid && (self.wet || self.hot), self.solid)
    }
}

/// Returns the squares accepted by 3.4.3 (`create_monster`).
pub(crate) fn places_in_list(species: &Species) -> Places {
    let swims = species.habits.has(Habit::Swim);
    Places { dry: !swims || species.class != EELS, wet: swims, hot: swims, solid: false }
}

/// Returns the squares that a script's loader tries first (`pm_to_humidity`).
pub(crate) fn places_in_script(species: &Species) -> Places {
    let has = |habit| species.habits.has(habit);
    let water = species.class == EELS || has(Habit::Amphibious) || has(Habit::Breathless) || has(Habit::Swim);
    let air = has(Habit::Fly) || has(Habit::Floater);
    Places {
        dry: !water,
        wet: water || air,
        hot: air || has(Habit::Flaming),
        solid: has(Habit::WalkWalls) || has(Habit::Noncorporeal),
    }
}

/// The class of monsters that live only in water.
const EELS: char = ';';

/// Returns the answer shared by every monster that `species` can become, or `None` if they differ.
pub(crate) fn common(catalog: &Catalog, species: &SpeciesName, places: fn(&Species) -> Places) -> Option<Places> {
    let mut answers: Box<dyn Iterator<Item = Places>> = match species {
        SpeciesName::ClassAndName(class, name) => {
            let (number, _) = catalog.monster(name, Some(*class))?;
            Box::new(catalog.monsters.get(number as usize).map(places).into_iter())
        }
        SpeciesName::Class(class) => {
            let class = *class;
            let members =
                catalog.monsters.iter().filter(move |species| species.class == class && !species.name.is_empty());
            Box::new(members.map(places))
        }
        SpeciesName::Name(_) | SpeciesName::Random | SpeciesName::RandomAndName(_) => return None,
    };
    let first = answers.next()?;
    answers.all(|answer| answer == first).then_some(first)
}

/// Keeps random places of monsters and features as they are in 3.4.3. The loaders of scripts place some flyers over
/// water, some monsters that pass through walls in rock, and features anywhere.
pub(crate) fn dry_places(work: &mut Work<'_>, module: &mut Module) {
    let differs = |rule: LoaderRule| work.source_rule(rule) && !work.target_rule(rule);
    let monsters = differs(LoaderRule::SwimmersAloneGetWet);
    let features = differs(LoaderRule::RandomFeaturesNeedDryGround);
    if !monsters && !features {
        return;
    }
    let can_say = work.to.has(Feature::RandomHumidity);
    // A function can be called from any level.
    let liquid_anywhere = levels(module).any(|level| Liquid::of(level, work.from));
    for item in &mut module.items {
        match item {
            // Rooms contain only floor; on anything else the place is drawn again.
            Item::Level(level) if level.kind != LevelKind::Rooms => {
                let liquid = Liquid::of(level, work.from);
                // A maze may be filled with floor.
                let ground = matches!(level.kind, LevelKind::Maze { .. });
                Dry { work, monsters, features, can_say, liquid, ground, here: Span::NOWHERE }.level(level);
            }
            Item::Function(function) => {
                let (liquid, ground) = (liquid_anywhere, true);
                Dry { work, monsters, features, can_say, liquid, ground, here: Span::NOWHERE }.function(function);
            }
            Item::Level(_) | Item::Include { .. } => {}
        }
    }
}

/// Adds explicit terrain to random places of monsters and features.
struct Dry<'w, 'a> {
    work: &'w mut Work<'a>,
    /// Set if the loaders place monsters differently.
    monsters: bool,
    /// Set if the loaders place features differently.
    features: bool,
    /// Set if the target can express it.
    can_say: bool,
    /// Set if the level has water or lava.
    liquid: bool,
    /// Set if the level may have dry squares so far.
    ground: bool,
    here: Span,
}

impl Dry<'_, '_> {
    /// Notes that the random place of the statement has requirements now.
    fn said(&mut self, swims: bool) {
        self.work.same(self.here, "its random place gets the requirements of the source game");
        self.given_up(swims);
    }

    /// Notes requirements that no square meets. A loader gives them up (`get_location_coord`).
    fn given_up(&mut self, swims: bool) {
        if !self.ground && !swims {
            let what = "the level has no dry square, without which the target's loader puts it anywhere";
            self.work.game(self.here, what);
        }
    }
}

impl VisitMut for Dry<'_, '_> {
    fn room(&mut self, _: &mut Room, _: Span) {}

    fn statement(&mut self, statement: &mut Statement) {
        let outer = std::mem::replace(&mut self.here, statement.span);
        self.ground = self.ground || free_places::may_make_ground(statement, self.work.from);
        if self.features
            && let StatementKind::Fountain { at } | StatementKind::Sink { at } | StatementKind::Pool { at } =
                &mut statement.kind
            && let SelectionKind::Point(Expr { kind: ExprKind::RandomCoordinate { humidity }, .. }) = &mut at.kind
        {
            if !humidity.is_empty() {
                self.given_up(false);
            } else if self.can_say {
                humidity.push(Spanned::new(Humidity::Dry, Span::NOWHERE));
                self.said(false);
            } else {
                let what = "the target's loader may place it in a wall or in water, the source's does not";
                self.work.differs(self.here, what);
            }
        }
        walk_mut::statement(self, statement);
        self.here = outer;
    }

    fn monster(&mut self, monster: &mut Monster) {
        let span = self.here;
        walk_mut::monster(self, monster);
        if !self.monsters {
            return;
        }
        let (ExprKind::Monster(species), ExprKind::RandomCoordinate { humidity }) =
            (&monster.monster.kind, &mut monster.place.kind)
        else {
            return;
        };
        let liquid = self.liquid;
        let wanted = common(self.work.from, species, places_in_list);
        let given = common(self.work.from, species, places_in_script);
        if wanted.is_none() && liquid && !matches!(species, SpeciesName::Random) {
            let what = "some of its class swim or fly, which the target's loader may place in water";
            self.work.game(span, what);
        }
        let (Some(wanted), true) = (wanted, humidity.is_empty()) else { return };
        if given.is_some_and(|given| given.matter(liquid) == wanted.matter(liquid)) {
            return;
        }
        if !self.can_say {
            let what = "the target's loader may place it in water, lava or rock, the source's does not";
            self.work.game(span, what);
            return;
        }
        let words = [(wanted.dry, Humidity::Dry), (wanted.wet, Humidity::Wet), (wanted.hot, Humidity::Hot)];
        *humidity =
            words.into_iter().filter(|(said, _)| *said).map(|(_, word)| Spanned::new(word, Span::NOWHERE)).collect();
        self.said(wanted.wet || wanted.hot);
    }
}

/// Finds water or lava on a level.
pub(crate) struct Liquid<'c> {
    catalog: &'c Catalog,
    found: bool,
}

impl<'c> Liquid<'c> {
    pub(crate) fn of(level: &Level, catalog: &'c Catalog) -> bool {
        let mut liquid = Liquid { catalog, found: false };
        liquid.level(level);
        liquid.found
    }

    fn look(&mut self, character: char) {
        let name = self.catalog.terrain(character).and_then(|number| self.catalog.level_types.get(number as usize));
        self.found |= name.is_some_and(|name| matches!(name.as_ref(), "pool" | "moat" | "water" | "lavapool"));
    }
}

impl<'tree> Visit<'tree> for Liquid<'_> {
    fn statement(&mut self, statement: &'tree Statement) {
        self.found |= matches!(statement.kind, StatementKind::Drawbridge { .. } | StatementKind::Pool { .. });
        walk::statement(self, statement);
    }

    fn map_rows(&mut self, rows: &'tree MapRows) {
        for row in &rows.rows {
            row.chars().for_each(|character| self.look(character));
        }
    }

    fn map_character(&mut self, character: &'tree char, _: Span) {
        self.look(*character);
    }
}
