//! The shape of a level: a MAZE with its parts, or a level of rooms.

use splc_ir::catalog::LoaderRule;
use splc_ir::level::*;
use splc_ir::order::Order;
use splc_ir::source::{Span, Spanned, Text};
use splc_ir::visit::{VisitMut, has_expression, walk_mut};
use splc_ir::words::{Horizontal, Light, Vertical};

use crate::forms::quirk_filling;
use crate::richer::{Holds, arrivals, corner, is_lava};
use crate::tree::{LAST_PLACE, bare, is_anywhere, levels, parts as parts_of};
use crate::work::Work;

/// The flag of maze levels, implied by MAZE.
const MAZE_FLAG: &str = "mazelevel";

/// The map character of solid rock.
const ROCK: char = ' ';

/// Rewrites a LEVEL with parts as MAZE, and a LEVEL with rooms as a level of rooms.
pub(crate) fn background(work: &mut Work<'_>, module: &mut Module) {
    for level in levels(module) {
        if let LevelKind::Maze { filling: Some(filling) } = &mut level.kind {
            let real = quirk_filling(*filling, work.from);
            if real.node != filling.node {
                let what = format!("MAZE is filled with '{}', as by the compiler of {}", real.node, work.from.title);
                work.same(level.span, what);
                *filling = real;
            }
        }
        let of_rooms = level.body.iter().find(|statement| matches!(statement.kind, StatementKind::Room(_)));
        let of_parts = level.body.iter().find(|statement| matches!(statement.kind, StatementKind::Map(_)));
        match (level.kind, of_rooms.map(|room| room.span), of_parts) {
            (LevelKind::Script, Some(_), None) => rooms(work, level),
            (LevelKind::Script | LevelKind::Maze { .. }, Some(room), _) => {
                work.fail(room, "a level of 3.4.3 has either rooms or maps, but this level has both");
            }
            (LevelKind::Script | LevelKind::Maze { .. }, None, _) => maze(work, level),
            (LevelKind::Rooms, ..) => {}
        }
    }
}

fn rooms(work: &mut Work<'_>, level: &mut Level) {
    level.kind = LevelKind::Rooms;
    drop_maze_flag(work, level, Maze::No);
    work.same(level.span, "the level becomes a level of rooms");
    let mut registers = Vec::new();
    take_registers(&mut level.body, &mut registers);
    level.body.splice(0..0, registers);
    into_rooms(work, &mut level.body);
    heads_first(level);
    fn turned(work: &mut Work<'_>, body: &mut Vec<Statement>) {
        let mut order: Vec<usize> = (0..body.len()).collect();
        order.order_by_key(|&at| match &body[at].kind {
            // Subrooms follow the contents of their room.
            StatementKind::Room(_) => (2, at),
            kind if from_the_last(kind) => (1, body.len() - at),
            _ => (0, at),
        });
        if order.windows(2).any(|pair| pair[0] > pair[1]) {
            for &at in &order {
                if from_the_last(&body[at].kind) {
                    work.same(body[at].span, "the loader creates the things of a room in reverse order");
                }
            }
        }
        let mut statements: Vec<Option<Statement>> = body.drain(..).map(Some).collect();
        body.extend(order.into_iter().filter_map(|at| statements[at].take()));
        for statement in body {
            if let StatementKind::Room(room) = &mut statement.kind {
                turned(work, &mut room.body);
            }
        }
    }
    for statement in &mut level.body {
        if let StatementKind::Room(room) = &mut statement.kind {
            turned(work, &mut room.body);
        }
    }
    name_rooms(work, &mut level.body, &mut 0);
}

/// Moves registers out of rooms: in lists they precede all rooms.
fn take_registers(body: &mut Vec<Statement>, taken: &mut Vec<Statement>) {
    for statement in std::mem::take(body) {
        match statement.kind {
            StatementKind::Registers { .. } => taken.push(statement),
            _ => body.push(statement),
        }
    }
    for statement in body {
        if let StatementKind::Room(room) = &mut statement.kind {
            take_registers(&mut room.body, taken);
        }
    }
}

/// Moves things at random places outside rooms into the rooms, in turn. Lists have no places outside rooms.
fn into_rooms(work: &mut Work<'_>, body: &mut Vec<Statement>) {
    let rooms = body.iter().filter(|statement| matches!(statement.kind, StatementKind::Room(_))).count();
    let (outside, mut rest): (Vec<Statement>, Vec<Statement>) =
        body.drain(..).partition(|statement| is_at_random_place(bare(statement)));
    for (at, statement) in outside.into_iter().enumerate() {
        let mut rooms = rest
            .iter_mut()
            .filter_map(|statement| match &mut statement.kind {
                StatementKind::Room(room) => Some(room),
                _ => None,
            })
            .skip(at % rooms.max(1));
        if let Some(room) = rooms.next() {
            work.differs(statement.span, "it is moved to one of the rooms: lists have no places outside of rooms");
            room.body.push(statement);
        }
    }
    *body = rest;
}

/// Returns true for a statement that places something at random.
fn is_at_random_place(kind: &StatementKind) -> bool {
    match kind {
        StatementKind::Monster(monster) => is_anywhere(&monster.place),
        StatementKind::Trap { place, .. } | StatementKind::Gold { place, .. } => is_anywhere(place),
        StatementKind::Object(object) => object.place().is_none_or(is_anywhere),
        _ => false,
    }
}

/// Names rooms with subrooms. A subroom refers to its parent by NAME.
fn name_rooms(work: &mut Work<'_>, body: &mut [Statement], count: &mut usize) {
    for statement in body {
        let span = statement.span;
        if let StatementKind::Room(room) = &mut statement.kind {
            *count += 1;
            if room.body.iter().any(|inner| matches!(inner.kind, StatementKind::Room(_))) {
                room.name = Some(Spanned::new(Text::from(format!("room {count}")), Span::NOWHERE));
                work.same(span, "it gets a NAME for its subrooms");
            }
            name_rooms(work, &mut room.body, count);
        }
    }
}

/// Returns true if the loader of 3.4.3 processes this list of a room from the last entry; see [`splc_ir::parts::Room`].
fn from_the_last(kind: &StatementKind) -> bool {
    match kind {
        StatementKind::Chance { then, .. } => from_the_last(&then.kind),
        StatementKind::Room(_) | StatementKind::Object(_) => false,
        _ => true,
    }
}

/// The game's treatment of the level: a maze or not.
#[derive(PartialEq)]
enum Maze {
    Yes,
    No,
}

fn drop_maze_flag(work: &mut Work<'_>, level: &mut Level, becomes: Maze) {
    let flags = level.flags.iter_mut().flatten().count();
    if let Some(known) = &mut level.flags {
        known.retain(|flag| flag.node != MAZE_FLAG);
    }
    let had = level.flags.iter().flatten().count() != flags;
    match (had, becomes) {
        (true, Maze::Yes) => work.same(level.span, "the flag mazelevel is removed: every MAZE is a maze"),
        (true, Maze::No) => {
            work.differs(level.span, "the flag mazelevel is removed: a level of rooms cannot be a maze")
        }
        (false, Maze::Yes) => {
            work.differs(level.span, "a level with maps is a MAZE, which the game treats as a maze");
        }
        (false, Maze::No) => {}
    }
}

/// Moves INIT_MAP and MESSAGE to the front.
fn heads_first(level: &mut Level) {
    level.body.order_by_key(|statement| match statement.kind {
        StatementKind::InitMap(_) => 0,
        StatementKind::Message { .. } => 1,
        StatementKind::Registers { .. } => 2,
        _ => 3,
    });
}

fn maze(work: &mut Work<'_>, level: &mut Level) {
    // The result of a run also has its filling as INIT_MAP.
    let mut filling = match level.kind {
        LevelKind::Maze { filling } => filling,
        LevelKind::Script | LevelKind::Rooms => Some(Spanned::new(ROCK, Span::NOWHERE)),
    };
    let mut inits = 0;
    level.body.retain_mut(|statement| {
        let span = statement.span;
        let StatementKind::InitMap(init) = &mut statement.kind else { return true };
        inits += 1;
        if inits > 1 {
            work.lost(span, "a level of 3.4.3 has one INIT_MAP");
            return false;
        }
        match init {
            InitMap::Solid { filling: solid, light } => {
                let light = light.unwrap_or(OrRandom::Is(Light::Unlit));
                if solid.node == ROCK || light == OrRandom::Is(Light::Unlit) {
                    filling = Some(*solid);
                    if is_lava(solid.node, work.from) {
                        work.differs(span, "lava of INIT_MAP is lit, lava that fills a MAZE of 3.4.3 is dark");
                    }
                    work.same(span, "INIT_MAP: solidfill becomes the filling of the MAZE");
                    return false;
                }
                // The filling of a MAZE is unlit.
                *init = all_of(*solid, light);
                work.differs(span, "in 3.4.3, a filling that may be lit includes the first and last columns");
                true
            }
            InitMap::MazeGrid { .. } => {
                filling = None;
                work.same(span, "INIT_MAP: mazegrid becomes the filling of the MAZE");
                false
            }
            InitMap::Mines { filling, background, .. } => {
                if let Some(first) = filling.take()
                    && first.node != background.node
                {
                    work.differs(span, "INIT_MAP of 3.4.3 fills only with its background");
                }
                true
            }
            InitMap::Sheol | InitMap::Rogue => {
                let style = if matches!(init, InitMap::Sheol) { "sheol" } else { "rogue" };
                work.fail_by_chance(span, format!("3.4.3 has no INIT_MAP style {style}: the level would be rock"));
                true
            }
        }
    });
    if level.kind == LevelKind::Script {
        work.same(level.span, "the level becomes a MAZE");
        drop_maze_flag(work, level, Maze::Yes);
    }
    level.kind = LevelKind::Maze { filling };
    parts(work, level);
}

/// Assigns every statement but INIT_MAP and MESSAGE to a part. Statements before the first map get a part without a
/// map, in which coordinates are the same.
fn parts(work: &mut Work<'_>, level: &mut Level) {
    let mut heads = Vec::new();
    let mut rest = Vec::new();
    for statement in level.body.drain(..) {
        match statement.kind {
            StatementKind::InitMap(_) | StatementKind::Message { .. } => heads.push(statement),
            _ => rest.push(statement),
        }
    }
    heads.order_by_key(|statement| !matches!(statement.kind, StatementKind::InitMap(_)));
    begin_parts(work, &mut rest);
    if let LevelKind::Maze { filling } = level.kind
        && heads.iter().all(|statement| !matches!(statement.kind, StatementKind::InitMap(_)))
        && rest.iter().any(|statement| matches!(statement.kind, StatementKind::Map(Map::None)))
    {
        // INIT_MAP precedes all MESSAGEs.
        heads.splice(0..0, whole_level(work, level.span, filling));
    }
    level.body = heads;
    level.body.extend(rest);
    if level.body.is_empty() {
        work.same(level.span, "an empty level becomes a part without a map");
    }
}

/// Gives the statements before the first map a part without a map, and moves registers to the beginning of their part.
/// The values of registers do not depend on the statements around them.
fn begin_parts(work: &mut Work<'_>, body: &mut Vec<Statement>) {
    let is_map = |statement: &Statement| matches!(statement.kind, StatementKind::Map(_));
    let is_register = |statement: &Statement| matches!(statement.kind, StatementKind::Registers { .. });
    let first_map = body.iter().position(is_map);
    let before = first_map.unwrap_or(body.len());
    if first_map.is_some() && !body[..before].iter().any(uses_registers) {
        // These registers belong to the next part.
        body[..=before].order_by_key(|statement| is_register(statement));
    }
    if !body.first().is_some_and(is_map) {
        body.insert(0, Statement { kind: StatementKind::Map(Map::None), span: Span::NOWHERE });
    }
    let mut part = 0;
    for end in 1..=body.len() {
        if body.get(end).is_none_or(is_map) {
            let things = part + 1 + body[part + 1..end].iter().take_while(|statement| is_register(statement)).count();
            for late in body[things..end].iter().filter(|statement| is_register(statement)) {
                work.same(late.span, "registers are set at the beginning of their part");
            }
            body[part + 1..end].order_by_key(|statement| !is_register(statement));
            part = end;
        }
    }
}

/// Returns true if `statement` uses an element of a shuffled list.
fn uses_registers(statement: &Statement) -> bool {
    has_expression(statement, |expression| matches!(expression.kind, ExprKind::Register { .. }))
}

/// Returns an INIT_MAP of rock for a level filled with rock. The loader counts the coordinates of NOMAP from the corner
/// of the level only after an INIT_MAP.
fn whole_level(work: &mut Work<'_>, span: Span, filling: Option<Spanned<char>>) -> Option<Statement> {
    let Some(filling) = filling.filter(|filling| filling.node == ROCK) else {
        work.differs(span, "without INIT_MAP, places of NOMAP are relative to column 3 and row 3 in 3.4.3");
        return None;
    };
    work.same(span, "an INIT_MAP of rock makes places of NOMAP relative to the level");
    let init = all_of(filling, OrRandom::Is(Light::Unlit));
    Some(Statement { kind: StatementKind::InitMap(init), span: Span::NOWHERE })
}

/// Returns the INIT_MAP that fills every square alike: caves with the same foreground and background.
fn all_of(terrain: Spanned<char>, light: OrRandom<Light>) -> InitMap {
    InitMap::Mines {
        foreground: terrain,
        background: terrain,
        smoothed: false,
        joined: Spanned::new(false, Span::NOWHERE),
        light,
        walled: OrRandom::Is(false),
        filling: None,
        iced: None,
    }
}

/// Reverses the level regions of a part, because the loader of lists processes them from the last one.
pub(crate) fn listed_regions(work: &mut Work<'_>, module: &mut Module) {
    for level in levels(module) {
        arrivals(work, level, Holds::Last);
        let mut parts = parts_of(&mut level.body);
        for part in &mut parts {
            let is_region = |at: &usize| matches!(part[*at].kind, StatementKind::LevelRegion(_));
            let regions: Vec<usize> = (0..part.len()).filter(is_region).collect();
            if regions.len() < 2 {
                continue;
            }
            for (&one, &other) in regions.iter().zip(regions.iter().rev()).take(regions.len() / 2) {
                part.swap(one, other);
            }
            for at in regions {
                work.same(part[at].span, "the loader reads level regions in reverse order");
            }
        }
        level.body = parts.into_iter().flatten().collect();
    }
}

/// Positions maps with GEOMETRY keywords. If no pair of keywords fits, the map is extended with rock to the right and
/// below to a size for which a pair fits.
pub(crate) fn map_places(work: &mut Work<'_>, module: &mut Module) {
    let of_runs = work.resolved;
    for (at, level) in levels(module).enumerate() {
        // The result of a run is already positioned as the target's keywords place it.
        let had_init = matches!(level.kind, LevelKind::Maze { .. }) && !of_runs.contains_key(&at);
        let has_init = level.body.iter().any(|statement| matches!(statement.kind, StatementKind::InitMap(_)));
        let mut rock = Rock::around_maps_of(level);
        for statement in &mut level.body {
            let span = statement.span;
            let StatementKind::Map(Map::Drawn { position, keep_regions, rows }) = &mut statement.kind else { continue };
            if let Some(kept) = keep_regions.take() {
                if kept {
                    work.same(span, "regions of the map become rooms, according to its REGIONs");
                } else {
                    work.differs(span, "regions of a map always become rooms");
                }
            }
            let size = (rows.width() as i32, rows.rows.len() as i32);
            if has_init && size.0 <= 1 && size.1 <= 1 {
                // Every loader takes the whole level for such a map, wherever it is (`load_maze`, `spo_map`).
                if matches!(position, MapPosition::At(_)) {
                    *position = MapPosition::Aligned { horizontal: Horizontal::Left, vertical: Vertical::Top };
                    work.same(span, "the place of a map of at most one square is not used");
                }
                continue;
            }
            let (wanted, vertical) = match position {
                MapPosition::Aligned { horizontal: Horizontal::Left, vertical }
                    if had_init && !work.source_rule(LoaderRule::InitLeavesMaps) =>
                {
                    let (_, row) = corner(Horizontal::Left, *vertical, size.0, size.1);
                    ((FILLED_LEFT_COLUMN, row), Some(*vertical))
                }
                MapPosition::Aligned { horizontal, vertical } => {
                    rock.is_covered(corner(*horizontal, *vertical, size.0, size.1), size);
                    continue;
                }
                // Coordinates count from the second column of the level.
                MapPosition::At(Expr { kind: ExprKind::Coordinate { x, y }, .. }) => ((x.saturating_add(1), *y), None),
                MapPosition::At(_) => {
                    work.fail(span, "the place of this map is drawn when the level is loaded");
                    continue;
                }
            };
            let mut words = Words::nearest(wanted, size);
            let with_rock = Words::with_rock(wanted, size);
            let drawable = |words: &Words| is_roomy(rows, words.size) && rock.can_be_drawn(wanted, size, words.size);
            if words.distance > 0
                && let Some(exact) = with_rock.filter(drawable)
            {
                draw_rock(rows, exact.size);
                let what = "rock is added to the map, so that its place has keywords";
                work.same(span, what);
                words = exact;
            } else if words.distance == 0 {
                work.same(span, "the place of the map is written in keywords");
            } else if let Some(vertical) = vertical {
                words.vertical = vertical;
                words.horizontal = Horizontal::Left;
                work.differs(span, "in 3.4.3, `left` on a level with INIT_MAP is two columns farther right");
            } else {
                work.differs(span, "the map is moved a little: 3.4.3 has keywords for few places");
            }
            let Words { horizontal, vertical, size, .. } = words;
            *position = MapPosition::Aligned { horizontal, vertical };
            rock.is_covered(corner(horizontal, vertical, size.0, size.1), size);
        }
    }
}

/// Crops areas at the edge of their map, and moves places outside it to the edge. The compiler of lists rejects them.
pub(crate) fn map_edges(work: &mut Work<'_>, module: &mut Module) {
    for level in levels(module).filter(|level| matches!(level.kind, LevelKind::Maze { .. })) {
        // With INIT_MAP, things can be anywhere on the level.
        let free = level.body.iter().any(|statement| matches!(statement.kind, StatementKind::InitMap(_)));
        let mut edges = Edges { work, last: None, free, here: Span::NOWHERE };
        level.body.iter_mut().for_each(|statement| edges.statement(statement));
    }
}

struct Edges<'w, 'a> {
    work: &'w mut Work<'a>,
    /// The lower right corner of the current map.
    last: Option<(i32, i32)>,
    free: bool,
    here: Span,
}

impl VisitMut for Edges<'_, '_> {
    fn statement(&mut self, statement: &mut Statement) {
        let outer = std::mem::replace(&mut self.here, statement.span);
        match &statement.kind {
            StatementKind::Map(Map::None) => self.last = None,
            StatementKind::Map(Map::Drawn { rows, .. }) => {
                self.last = Some((rows.width() as i32 - 1, rows.rows.len() as i32 - 1));
            }
            _ => walk_mut::statement(self, statement),
        }
        self.here = outer;
    }

    fn expression(&mut self, expression: &mut Expr) {
        match (&mut expression.kind, self.last) {
            (ExprKind::Region { corners }, Some((x, y))) => {
                let [x1, y1, x2, y2] = *corners;
                // The `left-over` pass reports areas entirely outside.
                if x1 <= x && y1 <= y && x2 >= 0 && y2 >= 0 {
                    *corners = [x1.max(0), y1.max(0), x2.min(x), y2.min(y)];
                }
                if *corners != [x1, y1, x2, y2] {
                    self.work.differs(self.here, "it is clipped at the edge of its map");
                }
            }
            (ExprKind::Region { corners: [x1, y1, x2, y2] }, None) => {
                let (x, y) = LAST_PLACE;
                if *x1 > x || *y1 > y {
                    let what = "it is off the level: 3.4.3 moves such a corner to the end of its mazes";
                    self.work.differs(self.here, what);
                } else if *x2 > x || *y2 > y {
                    (*x2, *y2) = ((*x2).min(x), (*y2).min(y));
                    self.work.same(self.here, "it is clipped at the edge of the level");
                }
            }
            (ExprKind::Coordinate { x, y }, Some(last)) if !self.free => {
                let there = ((*x).clamp(0, last.0.max(0)), (*y).clamp(0, last.1.max(0)));
                if there != (*x, *y) {
                    (*x, *y) = there;
                    self.work.differs(self.here, "it is moved to the edge of its map from outside");
                }
            }
            _ => {}
        }
        walk_mut::expression(self, expression);
    }
}

/// The column of `left` in a level filled by INIT_MAP, in most scripts.
const FILLED_LEFT_COLUMN: i32 = 1;

/// The size of the largest map accepted by the compiler of 3.4.3 (`MAP_X_LIM`, `MAP_Y_LIM`).
const LARGEST_MAP: (i32, i32) = (76, 21);

/// GEOMETRY keywords for a map.
struct Words {
    horizontal: Horizontal,
    vertical: Vertical,
    /// The columns and rows of the map.
    size: (i32, i32),
    /// The distance from the wanted position.
    distance: i32,
}

impl Words {
    const ACROSS: [Horizontal; 5] =
        [Horizontal::Center, Horizontal::Left, Horizontal::HalfLeft, Horizontal::HalfRight, Horizontal::Right];
    const DOWN: [Vertical; 3] = [Vertical::Center, Vertical::Top, Vertical::Bottom];

    /// Returns the keywords that come closest to a position.
    fn nearest((x, y): (i32, i32), size: (i32, i32)) -> Words {
        let column = |horizontal| corner(horizontal, Vertical::Top, size.0, size.1).0;
        let row = |vertical| corner(Horizontal::Left, vertical, size.0, size.1).1;
        let far_across = |horizontal: &Horizontal| (column(*horizontal) - x).abs();
        let far_down = |vertical: &Vertical| (row(*vertical) - y).abs();
        let horizontal = Self::ACROSS.into_iter().min_by_key(far_across).unwrap_or(Horizontal::Center);
        let vertical = Self::DOWN.into_iter().min_by_key(far_down).unwrap_or(Vertical::Center);
        Words { horizontal, vertical, size, distance: far_across(&horizontal) + far_down(&vertical) }
    }

    /// Returns the keywords that match a position exactly for a map extended by as few columns and rows as possible.
    fn with_rock(place: (i32, i32), (width, height): (i32, i32)) -> Option<Words> {
        let across = (width..=LARGEST_MAP.0).find(|&width| {
            Self::ACROSS.iter().any(|&horizontal| corner(horizontal, Vertical::Top, width, height).0 == place.0)
        })?;
        let down = (height..=LARGEST_MAP.1).find(|&height| {
            Self::DOWN.iter().any(|&vertical| corner(Horizontal::Left, vertical, across, height).1 == place.1)
        })?;
        Some(Self::nearest(place, (across, down))).filter(|words| words.distance == 0)
    }
}

/// Rock around the maps that a larger map can safely draw again.
struct Rock {
    /// Set if the level is filled with rock and no statement depends on the extent of its maps.
    is_there: bool,
    /// The corners of the maps drawn so far.
    maps: Vec<[i32; 4]>,
}

impl Rock {
    fn around_maps_of(level: &Level) -> Rock {
        let filled = matches!(level.kind, LevelKind::Maze { filling: Some(filling) } if filling.node == ROCK);
        let first_map =
            level.body.iter().position(|statement| matches!(statement.kind, StatementKind::Map(Map::Drawn { .. })));
        let (before, behind) = level.body.split_at(first_map.unwrap_or(0));
        let is_empty = before.iter().all(|statement| match &statement.kind {
            StatementKind::InitMap(InitMap::Mines { foreground, background, .. }) => {
                foreground.node == ROCK && background.node == ROCK
            }
            StatementKind::Message { .. } | StatementKind::Registers { .. } | StatementKind::Map(_) => true,
            _ => false,
        });
        // MAZEWALK carves the area outside the maps.
        let is_cut = behind.iter().any(|statement| matches!(statement.kind, StatementKind::MazeWalk { .. }));
        Rock { is_there: filled && is_empty && !is_cut, maps: Vec::new() }
    }

    /// Records a map.
    fn is_covered(&mut self, (x, y): (i32, i32), (width, height): (i32, i32)) {
        self.maps.push([x, y, x.saturating_add(width - 1), y.saturating_add(height - 1)]);
    }

    /// Returns true if a map can be extended: only rock lies to the right of it and below it.
    fn can_be_drawn(&self, (x, y): (i32, i32), (width, height): (i32, i32), larger: (i32, i32)) -> bool {
        let (last_x, last_y) = (x.saturating_add(larger.0 - 1), y.saturating_add(larger.1 - 1));
        let beside = [x.saturating_add(width), y, last_x, last_y];
        let below = [x, y.saturating_add(height), last_x, last_y];
        let meet = |one: &[i32; 4], other: &[i32; 4]| {
            one[0] <= other[2] && other[0] <= one[2] && one[1] <= other[3] && other[1] <= one[3]
        };
        self.is_there && !self.maps.iter().any(|map| meet(map, &beside) || meet(map, &below))
    }
}

/// Returns true if a map extended to that size still has enough floor for the search for a random place, which draws a
/// hundred squares before it takes the first free one.
fn is_roomy(rows: &MapRows, (width, height): (i32, i32)) -> bool {
    const FLOOR: char = '.';
    /// The divisor for the minimum share of floor. With one square in four, the search fails in fewer than one in 10^12
    /// levels.
    const SHARE: i32 = 4;
    let floor = rows.rows.iter().flat_map(|row| row.chars()).filter(|character| *character == FLOOR).count();
    width.saturating_mul(height) / SHARE <= floor as i32
}

/// Extends a map with columns of rock to the right and rows of rock below.
fn draw_rock(rows: &mut MapRows, (width, height): (i32, i32)) {
    rows.rows.resize(height.max(0) as usize, Text::default());
    rows.row_spans.resize(rows.rows.len(), Span::NOWHERE);
    for row in &mut rows.rows {
        let drawn = row.chars().filter(|character| !character.is_ascii_digit()).count();
        let missing = (width.max(0) as usize).saturating_sub(drawn);
        *row = Text::from(format!("{row}{}", " ".repeat(missing)));
    }
}
