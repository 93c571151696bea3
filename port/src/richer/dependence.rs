//! The author's order of statements, as far as the order in which the loader of 3.4.3 executes them does not show.
//!
//! Two statements keep the loader's order if they share something that one of them changes: the dice, a square, the
//! stairs. All others keep the order of the source. So the level is the same, draw for draw.
//!
//! Every statement *uses* some [resources](Resource), alone or together with others that use them in the same way.
//! The uses result in a graph with as many edges as uses, whatever their number.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};

use splc_ir::catalog::Catalog;
use splc_ir::level::*;
use splc_ir::parts::Grid;
use splc_ir::visit::has_expression;
use splc_ir::words::{AltarType, UpDown};

use crate::tree::is_anywhere;

/// Something that statements share.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Resource {
    /// The order of draws.
    Dice,
    /// Everything. A statement that this module does not know uses it alone.
    Level,
    /// The squares of the level.
    Ground,
    /// One square.
    Square(i32, i32),
    /// The wall or door on a square, at which its neighbors look.
    Wall(i32, i32),
    /// Properties of walls: statements set them on walls, or make and remove walls.
    Walls,
    /// The light of squares.
    Light,
    /// The rooms that regions make.
    Rooms,
    /// Those that are or may be shops.
    Shops,
    /// Traps, which wipe out engravings.
    Wiping,
    Engravings,
    Stairs,
    Messages,
    Variables,
    /// Regions of arrival by a direction.
    Arrivals(UpDown),
    /// Regions of the level that are drawn at its end.
    LevelRegions,
}

/// A way to use a resource.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Use {
    /// The order of two uses shows.
    Alone,
    /// The order of two uses of one way does not show: all only look, or each changes something else.
    Together(Way),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Way {
    Looks,
    Changes,
}

use Use::{Alone, Together};
use Way::{Changes, Looks};

/// The map of a part, and the monsters in the variables of its level.
pub(super) struct Ground<'a> {
    grid: Option<Grid>,
    /// Set if a variable may contain a monster that looks at its room.
    keepers: bool,
    catalog: &'a Catalog,
}

/// Returns true if a variable set by one of these statements may contain a monster that looks at its room.
pub(super) fn has_keepers(body: &[Statement]) -> bool {
    body.iter().any(|statement| match &statement.kind {
        StatementKind::Define { value: Definition::Array { values, .. }, .. } => values.iter().any(is_keeper),
        StatementKind::Define { value: Definition::Value { value, .. }, .. } => is_keeper(value),
        StatementKind::Define { .. } => true,
        _ => false,
    })
}

impl<'a> Ground<'a> {
    /// Returns the map with which `part` begins.
    pub(super) fn of(part: &[Statement], keepers: bool, catalog: &'a Catalog) -> Ground<'a> {
        let grid = part.iter().find_map(|statement| match &statement.kind {
            StatementKind::Map(Map::Drawn { rows, .. }) => Some(Grid::new(rows, catalog)),
            _ => None,
        });
        Ground { grid, keepers, catalog }
    }

    /// Returns true if there may be a wall at a square, which furniture there would replace.
    fn is_wall(&self, square: (i32, i32)) -> bool {
        const OTHERS: [&str; 15] = [
            "room", "corr", "door", "sdoor", "scorr", "fountain", "throne", "sink", "altar", "grave", "stairs",
            "ladder", "pool", "moat", "ice",
        ];
        !self.is(square, &OTHERS)
    }

    /// Returns true if the map has one of these types of terrain at a square.
    fn is(&self, (x, y): (i32, i32), names: &[&str]) -> bool {
        let number = self.grid.as_ref().and_then(|grid| grid.get(x, y));
        let name = number.and_then(|number| self.catalog.level_types.get(usize::from(number)));
        name.is_some_and(|name| names.contains(&name.as_ref()))
    }
}

/// Returns true if the order of two statements shows.
pub(super) fn shows(one: &Statement, other: &Statement, ground: &Ground<'_>) -> bool {
    let others: BTreeMap<Resource, Use> = uses(other, ground).into_iter().collect();
    let conflicts =
        |(resource, how): (Resource, Use)| others.get(&resource).is_some_and(|&other| how != other || how == Alone);
    uses(one, ground).into_iter().any(conflicts)
}

/// Returns the order of `body` that is nearest to its own, and keeps every order of the loader that shows. `loader`
/// are the positions of its statements in the loader's order.
pub(super) fn order(body: &[Statement], loader: &[usize], ground: &Ground<'_>) -> Vec<usize> {
    let mut graph = Graph { after: vec![Vec::new(); body.len()], waits: vec![0; body.len()] };
    let mut states: BTreeMap<Resource, State> = BTreeMap::new();
    for &at in loader {
        for (resource, how) in uses(&body[at], ground) {
            states.entry(resource).or_default().add(at, how, &mut graph);
        }
    }
    graph.sorted(body.len())
}

/// The latest uses of a resource.
#[derive(Default)]
struct State {
    /// The way of the latest uses, if they may change their order.
    way: Option<Way>,
    /// These uses, or the last one alone.
    latest: Vec<usize>,
    /// The node that they follow.
    gate: Option<usize>,
}

impl State {
    fn add(&mut self, at: usize, how: Use, graph: &mut Graph) {
        let way = match how {
            Alone => None,
            Together(way) => Some(way),
        };
        if way.is_none() || way != self.way {
            let latest = std::mem::take(&mut self.latest);
            if let [only] = latest.as_slice() {
                self.gate = Some(*only);
            } else if !latest.is_empty() {
                // One node for many, so that there are as many edges as uses.
                let gate = graph.gate();
                latest.into_iter().for_each(|latest| graph.edge(latest, gate));
                self.gate = Some(gate);
            }
            self.way = way;
        }
        if let Some(gate) = self.gate {
            graph.edge(gate, at);
        }
        self.latest.push(at);
    }
}

/// The order that must be kept. Nodes past the statements are gates.
struct Graph {
    after: Vec<Vec<usize>>,
    /// The number of nodes before each.
    waits: Vec<usize>,
}

impl Graph {
    fn gate(&mut self) -> usize {
        self.after.push(Vec::new());
        self.waits.push(0);
        self.after.len() - 1
    }

    fn edge(&mut self, from: usize, to: usize) {
        // A statement may use two squares, or one twice.
        if from != to {
            self.after[from].push(to);
            self.waits[to] += 1;
        }
    }

    /// Returns the first `count` nodes in an order that the edges allow: always the first node that is free.
    fn sorted(mut self, count: usize) -> Vec<usize> {
        let rank = |node: usize| Reverse((node < count, node));
        let free = (0..self.after.len()).filter(|&node| self.waits[node] == 0);
        let mut free: BinaryHeap<_> = free.map(rank).collect();
        let mut sorted = Vec::with_capacity(count);
        while let Some(Reverse((is_statement, node))) = free.pop() {
            if is_statement {
                sorted.push(node);
            }
            for next in std::mem::take(&mut self.after[node]) {
                self.waits[next] -= 1;
                if self.waits[next] == 0 {
                    free.push(rank(next));
                }
            }
        }
        sorted
    }
}

/// Returns the resources that a statement uses.
fn uses(statement: &Statement, ground: &Ground<'_>) -> Vec<(Resource, Use)> {
    let mut uses = vec![(Resource::Level, Together(Looks))];
    Uses { uses: &mut uses, ground }.statement(statement);
    // Two ways are one use alone.
    let mut single: BTreeMap<Resource, Use> = BTreeMap::new();
    for (resource, how) in uses {
        single.entry(resource).and_modify(|known| *known = if *known == how { how } else { Alone }).or_insert(how);
    }
    single.into_iter().collect()
}

struct Uses<'u, 'g> {
    uses: &'u mut Vec<(Resource, Use)>,
    ground: &'g Ground<'g>,
}

impl Uses<'_, '_> {
    fn add(&mut self, resource: Resource, how: Use) {
        self.uses.push((resource, how));
    }

    fn dice(&mut self) {
        self.add(Resource::Dice, Alone);
    }

    /// Records a statement whose order always shows.
    fn alone(&mut self) {
        self.uses.clear();
        self.add(Resource::Level, Alone);
    }

    /// Records a change of a square, or of one that is drawn.
    fn changes(&mut self, place: &Expr) {
        match square(place) {
            Some(square) => {
                self.add(Resource::Ground, Together(Changes));
                self.add(Resource::Square(square.0, square.1), Alone);
                if self.ground.is_wall(square) {
                    self.add(Resource::Walls, Together(Changes));
                    self.add(Resource::Wall(square.0, square.1), Alone);
                }
            }
            // The loader draws a square without a wall.
            None => {
                self.dice();
                self.add(Resource::Ground, Alone);
            }
        }
    }

    /// Records something that is placed on a square, or anywhere on the right terrain.
    fn lies(&mut self, place: &Expr) {
        match square(place) {
            Some((x, y)) => self.add(Resource::Square(x, y), Together(Looks)),
            None => self.add(Resource::Ground, Together(Looks)),
        }
    }

    fn statement(&mut self, statement: &Statement) {
        if !matches!(statement.kind, StatementKind::LevelRegion(_) | StatementKind::Message { .. }) {
            self.add(Resource::Variables, Together(Looks));
        }
        match &statement.kind {
            StatementKind::Chance { then, .. } => {
                self.dice();
                self.statement(then);
            }
            StatementKind::Message { .. } => self.add(Resource::Messages, Alone),
            StatementKind::LevelRegion(region) => match &region.kind {
                LevelRegionKind::Teleport(direction) => {
                    let all = [UpDown::Up, UpDown::Down];
                    let these = all.into_iter().filter(|one| direction.is_none_or(|direction| direction == *one));
                    these.for_each(|direction| self.add(Resource::Arrivals(direction), Alone));
                }
                _ => self.add(Resource::LevelRegions, Alone),
            },
            StatementKind::Define { .. } => self.variables(),
            StatementKind::Shuffle { .. } => {
                self.variables();
                self.dice();
            }
            StatementKind::Region(region) => self.region(region),
            StatementKind::Door { state, at, also } if also.is_empty() => match &at.kind {
                SelectionKind::Point(place) if square(place).is_some() => {
                    self.door(place);
                    if *state == OrRandom::Random {
                        self.dice();
                    }
                }
                _ => self.alone(),
            },
            StatementKind::Drawbridge { place, direction, state } => {
                let Some((x, y)) = square(place) else { return self.alone() };
                let (wall_x, wall_y) = direction.node.from((x, y));
                self.add(Resource::Ground, Together(Changes));
                self.add(Resource::Square(x, y), Alone);
                self.add(Resource::Square(wall_x, wall_y), Alone);
                self.add(Resource::Wall(x, y), Alone);
                self.add(Resource::Wall(wall_x, wall_y), Alone);
                self.add(Resource::Walls, Together(Changes));
                // Lava is always lit, but not a bridge over it.
                if !self.ground.is((x, y), &["moat", "pool", "room"]) {
                    self.add(Resource::Light, Alone);
                }
                if *state == OrRandom::Random {
                    self.dice();
                }
            }
            // It is moved to the end of the level.
            StatementKind::MazeWalk { .. } => {}
            StatementKind::NonDiggable { region } | StatementKind::NonPasswall { region } => match region.kind {
                ExprKind::Region { .. } => self.add(Resource::Walls, Together(Looks)),
                _ => self.alone(),
            },
            StatementKind::Stair { place, .. } | StatementKind::Ladder { place, .. } => {
                self.changes(place);
                self.add(Resource::Stairs, Alone);
            }
            StatementKind::Altar { place, alignment, altar, also } if also.is_empty() => {
                self.changes(place);
                self.add(Resource::Rooms, Together(Looks));
                if !matches!((alignment, altar), (AlignmentSpec::Is(_), OrRandom::Is(AltarType::Altar))) {
                    self.dice();
                }
            }
            StatementKind::Fountain { at: Selection { kind: SelectionKind::Point(place), .. } }
            | StatementKind::Sink { at: Selection { kind: SelectionKind::Point(place), .. } }
            | StatementKind::Pool { at: Selection { kind: SelectionKind::Point(place), .. } } => self.changes(place),
            StatementKind::Trap { place, .. } => {
                self.dice();
                self.changes(place);
                // A boulder rolls over other squares.
                self.add(Resource::Ground, Alone);
                self.add(Resource::Shops, Together(Looks));
                self.add(Resource::Wiping, Together(Changes));
            }
            StatementKind::Monster(monster) => {
                self.dice();
                // A group spreads over the squares around its place.
                self.add(Resource::Ground, Together(Looks));
                let looks = match monster.monster.kind {
                    ExprKind::Variable(_) => self.ground.keepers,
                    _ => is_keeper(&monster.monster),
                };
                if looks {
                    self.add(Resource::Rooms, Together(Looks));
                }
            }
            StatementKind::Object(object) => {
                self.dice();
                let place = object.details.iter().find_map(|detail| match &detail.node {
                    ObjectDetail::Place(place) => Some(place),
                    _ => None,
                });
                match place {
                    Some(place) => self.lies(place),
                    None => self.add(Resource::Ground, Together(Looks)),
                }
                if object.contents.is_some() && has_expression(statement, is_anywhere) {
                    self.add(Resource::Ground, Together(Looks));
                }
            }
            StatementKind::Gold { place, .. } => {
                self.dice();
                self.lies(place);
            }
            StatementKind::Engraving { place, engraving, .. } => {
                self.add(Resource::Engravings, Alone);
                self.add(Resource::Wiping, Together(Looks));
                match square(place) {
                    Some((x, y)) => self.add(Resource::Square(x, y), Alone),
                    None => self.add(Resource::Ground, Together(Looks)),
                }
                if *engraving == OrRandom::Random || has_expression(statement, is_anywhere) {
                    self.dice();
                }
            }
            StatementKind::RoomDoor { .. } => {
                self.dice();
                self.add(Resource::Ground, Alone);
                self.add(Resource::Walls, Together(Changes));
            }
            // A cross wall that becomes floor.
            StatementKind::Terrain { .. } => {
                self.add(Resource::Ground, Alone);
                self.add(Resource::Walls, Together(Changes));
                self.add(Resource::Light, Alone);
            }
            _ => self.alone(),
        }
    }

    fn variables(&mut self) {
        self.uses.retain(|(resource, _)| *resource != Resource::Variables);
        self.add(Resource::Variables, Alone);
    }

    /// Records a door. Its direction depends on the walls next to it.
    fn door(&mut self, place: &Expr) {
        let Some((x, y)) = square(place) else { return self.alone() };
        self.add(Resource::Ground, Together(Changes));
        self.add(Resource::Square(x, y), Alone);
        for (dx, dy) in [(0, -1), (0, 1), (1, 0), (-1, 0)] {
            self.add(Resource::Wall(x + dx, y + dy), Together(Looks));
        }
        if !self.ground.is((x, y), &["door", "sdoor"]) {
            self.add(Resource::Walls, Together(Changes));
            self.add(Resource::Wall(x, y), Alone);
        }
    }

    fn region(&mut self, region: &Region) {
        let is_plain = matches!(&region.room_type, OrRandom::Is(name)
            if self.ground.catalog.room(&name.node).unwrap_or(0) == 0);
        let is_fixed = matches!(region.area.kind, ExprKind::Region { .. });
        if region.body.is_some() || !is_fixed {
            return self.alone();
        }
        self.add(Resource::Light, Alone);
        if region.light == OrRandom::Random || region.room_type == OrRandom::Random {
            self.dice();
        }
        if !is_plain || region.flags.is_some() {
            self.add(Resource::Rooms, Alone);
            let shop = |name: &str| ["shop", "temple"].iter().any(|part| name.contains(part));
            if !matches!(&region.room_type, OrRandom::Is(name) if !shop(&name.node)) {
                self.add(Resource::Shops, Alone);
            }
        }
        // An irregular region spreads over equal squares.
        if region.flags.iter().flatten().any(|flag| matches!(flag.node, RoomFlag::Irregular(_))) {
            self.add(Resource::Ground, Together(Looks));
        }
    }
}

/// Returns true if the loader looks at the room of a monster: mimics imitate what belongs there, and keepers own it.
/// Values of other types are none.
fn is_keeper(value: &Expr) -> bool {
    const KEEPERS: [&str; 6] = ["mimic", "priest", "shopkeeper", "guard", "watch", "oracle"];
    match &value.kind {
        ExprKind::Monster(SpeciesName::Class(class)) => matches!(class, 'm' | '@'),
        ExprKind::Monster(SpeciesName::Name(name) | SpeciesName::ClassAndName(_, name)) => {
            let name = name.to_ascii_lowercase();
            KEEPERS.iter().any(|keeper| name.contains(keeper))
        }
        ExprKind::Object(_) | ExprKind::Coordinate { .. } | ExprKind::Region { .. } => false,
        _ => true,
    }
}

/// Returns the square of a fixed place.
fn square(place: &Expr) -> Option<(i32, i32)> {
    match place.kind {
        ExprKind::Coordinate { x, y } if x >= 0 && y >= 0 => Some((x, y)),
        _ => None,
    }
}
