//! Differences of the list loader that no statement can express.

use splc_ir::catalog::{Catalog, LoaderRule};
use splc_ir::level::*;
use splc_ir::source::{Span, Spanned};
use splc_ir::visit::{Visit, VisitMut, walk, walk_mut};
use splc_ir::words::{DoorState, Irregular, Light};

use crate::account::Effect;
use crate::free_places;
use crate::richer::{
    Liquid, SECRET_DOOR, common, drawn_at, has_ice, places_in_list, places_in_script, random_places, room_habits,
};
use crate::tree::{is_anywhere, levels};
use crate::work::Work;

/// Reports each of these differences. Changes nothing.
pub(crate) fn list_habits(work: &mut Work<'_>, module: &mut Module) {
    for level in levels(module) {
        let with_init = level.body.iter().any(|statement| matches!(statement.kind, StatementKind::InitMap(_)));
        if with_init && !work.source_rule(LoaderRule::InitLeavesMaps) && has_ice(level) {
            work.game(level.span, "in 3.4.3, ice on a level with INIT_MAP has no water below it");
        }
        let irregular_light = level.body.iter().any(|statement| match &statement.kind {
            StatementKind::Region(region) => {
                let irregular = |flag: &Spanned<RoomFlag>| flag.node == RoomFlag::Irregular(Irregular::Irregular);
                region.light != OrRandom::Is(Light::Unlit) && region.flags.iter().flatten().any(irregular)
            }
            _ => false,
        });
        let liquid = Liquid::of(level, work.from);
        random_stairs(work, &level.body);
        Habits { work, irregular_light, liquid, map: None, here: Span::NOWHERE }.level(level);
    }
}

/// Reports statements for which the loader finds no free place. Changes nothing.
pub(crate) fn free_places(work: &mut Work<'_>, module: &mut Module) {
    let catalog = work.to;
    free_places::report(work, catalog, module, Effect::Differs);
}

/// Reports the squares that 3.4.3 uses for random places in a room.
pub(crate) fn listed_places(work: &mut Work<'_>, module: &mut Module) {
    struct Rooms<'w, 'a>(&'w mut Work<'a>);

    impl<'tree> Visit<'tree> for Rooms<'_, '_> {
        fn room(&mut self, room: &'tree Room, span: Span) {
            if let RoomPlacement::Level { .. } = room.placement {
                let otherwise = "here, and only on bare floor in the source game";
                random_places(self.0, room, span, otherwise);
            }
            walk::room(self, room, span);
        }
    }

    levels(module).for_each(|level| Rooms(work).level(level));
}

/// Reports random stairs of a part, which 3.4.3 keeps away from earlier stairs (`load_maze`).
fn random_stairs(work: &mut Work<'_>, body: &[Statement]) {
    let mut others = false;
    for statement in body {
        match &statement.kind {
            StatementKind::Map(_) => others = false,
            StatementKind::Stair { place, .. } => {
                if others && is_anywhere(place) {
                    work.game(statement.span, "3.4.3 places random stairs away from earlier stairs if possible");
                }
                others = true;
            }
            _ => {}
        }
    }
}

/// Returns true if the statement makes something at a given place that NetHack 5 removes from water and lava: boulders,
/// traps and engravings (`map_cleanup`).
fn may_be_cleared(kind: &StatementKind) -> bool {
    match kind {
        StatementKind::Trap { place, .. } | StatementKind::Engraving { place, .. } => !is_anywhere(place),
        StatementKind::Object(object) => {
            // Every other object stays.
            let named = match &object.object.kind {
                ExprKind::Object(SpeciesName::Name(name) | SpeciesName::ClassAndName(_, name)) => Some(name),
                _ => None,
            };
            named.is_none_or(|name| name == "boulder") && object.place().is_some_and(|place| !is_anywhere(place))
        }
        _ => false,
    }
}

/// Returns true if a level is filled with cross walls.
fn has_cross_walls(init: &InitMap, game: &Catalog) -> bool {
    let cross_wall = game.level_type("crosswall");
    let is_cross_wall = |filling: &Spanned<char>| cross_wall.is_some() && game.terrain(filling.node) == cross_wall;
    match init {
        InitMap::Solid { filling, .. } | InitMap::MazeGrid { filling } => is_cross_wall(filling),
        InitMap::Mines { foreground, background, filling, .. } => {
            [foreground, background].into_iter().chain(filling).any(is_cross_wall)
        }
        InitMap::Sheol | InitMap::Rogue => false,
    }
}

struct Habits<'w, 'a> {
    work: &'w mut Work<'a>,
    /// Set if an irregular region may be lit.
    irregular_light: bool,
    /// Set if the level has water or lava.
    liquid: bool,
    /// The last map.
    map: Option<MapRows>,
    here: Span,
}

impl Habits<'_, '_> {
    /// Returns true for a square with a secret door on the map.
    fn is_secret(&self, at: &Selection) -> bool {
        let SelectionKind::Point(Expr { kind: ExprKind::Coordinate { x, y }, .. }) = at.kind else { return false };
        self.map.as_ref().and_then(|rows| drawn_at(rows, x, y)) == Some(SECRET_DOOR)
    }
}

fn may_be_open(state: &OrRandom<Spanned<DoorState>>) -> bool {
    match state {
        OrRandom::Is(state) => matches!(state.node, DoorState::Open | DoorState::NoDoor | DoorState::Broken),
        OrRandom::Random => true,
    }
}

impl VisitMut for Habits<'_, '_> {
    fn statement(&mut self, statement: &mut Statement) {
        let outer = std::mem::replace(&mut self.here, statement.span);
        if let StatementKind::Map(map) = &statement.kind {
            self.map = match map {
                Map::Drawn { rows, .. } => Some(rows.clone()),
                Map::None => None,
            };
        }
        let what = match &statement.kind {
            StatementKind::Door { state, at, .. } if may_be_open(state) && self.is_secret(at) => {
                Some("3.4.3 makes a secret door of the map at least closed")
            }
            StatementKind::MazeWalk { .. } => Some("each loader stocks the maze with its own numbers of things"),
            StatementKind::RandomCorridors { .. } => {
                Some("3.4.3 joins rooms from left to right, other games in the order of their creation")
            }
            StatementKind::Wallify { .. } if self.irregular_light => {
                Some("3.4.3 adds the walls before its irregular regions, which light them")
            }
            StatementKind::InitMap(init)
                if self.work.source_rule(LoaderRule::MapsTouchNothing) && has_cross_walls(init, self.work.from) =>
            {
                Some("3.4.3 keeps the cross walls of INIT_MAP, which become floor in the source game")
            }
            kind if self.liquid && self.work.source_rule(LoaderRule::LiquidsAreCleared) && may_be_cleared(kind) => {
                Some("3.4.3 keeps it on water and lava, from which the source game removes it")
            }
            _ => None,
        };
        if let Some(what) = what {
            self.work.game(self.here, what);
        }
        walk_mut::statement(self, statement);
        self.here = outer;
    }

    fn room(&mut self, room: &mut Room, span: Span) {
        let subrooms = room.body.iter().any(|statement| matches!(statement.kind, StatementKind::Room(_)));
        if subrooms && self.work.source_rule(LoaderRule::FailedRoomsTakeValues) {
            let what = format!("{} gives up if a room with subrooms finds no place", self.work.from.title);
            self.work.game(self.here, what);
        }
        match &room.placement {
            RoomPlacement::Level { position, alignment } => {
                if *position == OrRandom::Random || *alignment == OrRandom::Random || room.size == OrRandom::Random {
                    self.work.game(self.here, "3.4.3 chooses the place and size of a random room differently");
                }
                room_habits(self.work, room, self.here);
            }
            RoomPlacement::Room { .. } | RoomPlacement::Stray { .. } => {
                self.work.game(
                    self.here,
                    "3.4.3 creates subrooms before the doors and things of their room, and joins their walls differently",
                );
            }
        }
        walk_mut::room(self, room, span);
    }

    fn monster(&mut self, monster: &mut Monster) {
        if let (ExprKind::Monster(species), ExprKind::RandomCoordinate { humidity }) =
            (&monster.monster.kind, &monster.place.kind)
            && humidity.is_empty()
            && !self.work.source_rule(LoaderRule::SwimmersAloneGetWet)
        {
            let before = common(self.work.from, species, places_in_script);
            let after = common(self.work.from, species, places_in_list);
            let random = matches!(species, SpeciesName::Random);
            let alike = match (before, after) {
                (Some(before), Some(after)) => before.matter(self.liquid) == after.matter(self.liquid),
                _ => random || !self.liquid,
            };
            if !alike {
                self.work.game(self.here, "3.4.3 places monsters on dry land, and only swimmers in water");
            }
        }
        walk_mut::monster(self, monster);
    }
}
