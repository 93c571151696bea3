//! Statements, except those with their own module.

use splc_ir::level::*;
use splc_ir::source::{Spanned, Text};
use splc_ir::words::{AltarType, Direction, DoorState, EngravingType, Humidity};
use splc_lua::quoted;

use super::places::Besides;
use super::things::alignment_value;
use super::values::{Place, light_number, long_string};
use super::{FINISHED, Leaving, Printer, WHOLE_LEVEL, names};

impl Printer<'_> {
    pub(super) fn statement(&mut self, statement: &Statement) {
        // Lua takes `return` only at the end of a block.
        let leave = if std::mem::take(&mut self.ends_block) { "return" } else { "do return end" };
        // A function gets a blank line before it, or is written elsewhere.
        if !matches!(statement.kind, StatementKind::Function(_)) {
            self.here(statement);
        }
        match &statement.kind {
            StatementKind::Message { text, to: Audience::Everyone } => {
                let text = self.value(text);
                self.line(&format!("des.message({text})"));
            }
            StatementKind::InitMap(init) => self.init_map(init),
            StatementKind::Map(map) => self.map(map),
            StatementKind::Monster(monster) => self.monster(monster, statement.span),
            StatementKind::Object(object) => self.object(object, statement.span),
            StatementKind::Trap { trap, place } => {
                let name = match trap {
                    OrRandom::Is(name) => quoted(&name.node),
                    OrRandom::Random => quoted("random"),
                };
                let text = match (self.place(place), trap) {
                    (Place::Random, OrRandom::Random) => String::from("des.trap()"),
                    (Place::Random, _) => format!("des.trap({name})"),
                    (Place::At(x, y), _) => format!("des.trap({name}, {x}, {y})"),
                    (Place::Value(value), _) => format!("des.trap({name}, {value})"),
                };
                self.line(&text);
            }
            StatementKind::Room(room) => self.room(room, statement.span),
            StatementKind::RoomDoor { secret, state, walls, position, .. } => {
                self.room_door(*secret, *state, walls, *position);
            }
            StatementKind::Door { state, at, .. } => self.door(*state, at),
            StatementKind::Region(region) => self.region(region, statement.span),
            StatementKind::Stair { place, direction } => {
                self.way("stair", names::up_down(*direction), place);
            }
            StatementKind::Ladder { place, direction } => self.way("ladder", names::up_down(*direction), place),
            StatementKind::LevelRegion(region) => self.level_region(region),
            StatementKind::Altar { place, alignment, altar, also } => {
                also.iter().for_each(|word| self.cannot(word.span, "the god of an altar"));
                let mut keys = Vec::new();
                self.place(place).keys(&mut keys);
                keys.extend(alignment_value(*alignment).map(|value| format!("align = {value}")));
                keys.push(match altar {
                    OrRandom::Is(altar) => format!("type = {}", quoted(names::altar(*altar))),
                    OrRandom::Random => {
                        let (altar, shrine) = (names::altar(AltarType::Altar), names::altar(AltarType::Shrine));
                        format!("type = nh.rn2(2) == 0 and {} or {}", quoted(altar), quoted(shrine))
                    }
                });
                self.table_call("altar", &keys, None);
            }
            StatementKind::Grave { place, epitaph } => {
                let text = match epitaph {
                    Epitaph::Text(text) => Some(self.value(text)),
                    Epitaph::None => Some(quoted("")),
                    Epitaph::Random => None,
                };
                match (self.place(place), text) {
                    (Place::At(x, y), Some(text)) => self.line(&format!("des.grave({x}, {y}, {text})")),
                    (place, text) => {
                        let mut keys = Vec::new();
                        place.keys(&mut keys);
                        keys.extend(text.map(|text| format!("text = {text}")));
                        self.call("grave", &keys);
                    }
                }
            }
            StatementKind::Fountain { at } => self.feature("fountain", at),
            StatementKind::Sink { at } => self.feature("sink", at),
            StatementKind::Pool { at } => self.feature("pool", at),
            StatementKind::Gold { amount, place } => {
                let amount = match amount.kind {
                    ExprKind::Random | ExprKind::Integer(-1) => None,
                    _ => Some(self.value(amount)),
                };
                match (amount, self.place(place)) {
                    (Some(amount), Place::At(x, y)) => self.line(&format!("des.gold({amount}, {x}, {y})")),
                    (Some(amount), Place::Value(value)) => self.line(&format!("des.gold({amount}, {value})")),
                    (amount, place) => {
                        let mut keys: Vec<String> =
                            amount.map(|amount| format!("amount = {amount}")).into_iter().collect();
                        place.keys(&mut keys);
                        self.call("gold", &keys);
                    }
                }
            }
            StatementKind::Engraving { place, engraving, text } => {
                let place = self.place(place);
                let kind = match engraving {
                    OrRandom::Is(engraving) => quoted(engraving.as_str()),
                    OrRandom::Random => {
                        let all: Vec<String> = EngravingType::WORDS.iter().map(|word| quoted(word)).collect();
                        format!("({{ {} }})[math.random({})]", all.join(", "), all.len())
                    }
                };
                let text = self.value(text);
                match place {
                    Place::At(x, y) => self.line(&format!("des.engraving({{ {x}, {y} }}, {kind}, {text})")),
                    place => {
                        let mut keys = Vec::new();
                        place.keys(&mut keys);
                        keys.extend([format!("type = {kind}"), format!("text = {text}")]);
                        self.table_call("engraving", &keys, None);
                    }
                }
            }
            StatementKind::Drawbridge { place, direction, state } => {
                let mut keys = vec![format!("dir = {}", quoted(names::wall(direction.node)))];
                // A missing state is random, and any state but open is closed.
                keys.push(match state {
                    OrRandom::Random => format!("state = {}", quoted("random")),
                    OrRandom::Is(state) if state.node == DoorState::Open => format!("state = {}", quoted("open")),
                    OrRandom::Is(_) => format!("state = {}", quoted("closed")),
                });
                match self.place(place) {
                    // The game checks the column before adding the corner of the map (`lspo_drawbridge`).
                    Place::Random | Place::At(i32::MIN..=0, _) => {
                        self.cannot(statement.span, "a drawbridge at a random place, or in column 0 of a map");
                    }
                    Place::Value(value) if self.places.place(place) != Besides::default() => {
                        let name = self.once("place", value);
                        keys.push(format!("coord = {name}"));
                        self.line(&format!("if {name}.x > 0 and {name}.y >= 0 then"));
                        self.out.indent();
                        self.table_call("drawbridge", &keys, None);
                        self.out.outdent();
                        return self.line("end");
                    }
                    place => place.keys(&mut keys),
                }
                self.table_call("drawbridge", &keys, None);
            }
            StatementKind::MazeWalk { place, direction, stocked, filling } => {
                self.maze_walk(place, *direction, *stocked, *filling);
            }
            StatementKind::Wallify { at } => self.wallify(at.as_ref()),
            StatementKind::NonDiggable { region } => self.wall_property("non_diggable", "nondiggable", region),
            StatementKind::NonPasswall { region } => self.wall_property("non_passwall", "nonpasswall", region),
            StatementKind::Corridor { from, to } => {
                let end = |prefix: &str, end: &CorridorEnd| {
                    let wall = quoted(names::wall(end.wall.node));
                    let (room, door) = (end.room.node, end.door.number());
                    format!("{prefix}room = {room}, {prefix}door = {door}, {prefix}wall = {wall}")
                };
                let to = match to {
                    CorridorTarget::Door(to) => end("dest", to),
                    CorridorTarget::Number(_) => String::from("destroom = -1, destdoor = -1"),
                };
                self.table_call("corridor", &[end("src", from), to], None);
            }
            StatementKind::RandomCorridors { .. } => self.line("des.random_corridors()"),
            StatementKind::Terrain { at, terrain } => self.change_terrain(at, terrain),
            StatementKind::ReplaceTerrain { region, from, to, chance } => {
                let mut keys = vec![format!("region = {}", self.region_value(region))];
                let (from, _) = self.terrain(from);
                let (to, light) = self.terrain(to);
                keys.extend([format!("fromterrain = {from}"), format!("toterrain = {to}")]);
                keys.extend(light.map(|light| format!("lit = {light}")));
                keys.push(format!("chance = {}", chance.node.clamp(0, 100)));
                self.table_call("replace_terrain", &keys, None);
            }
            StatementKind::Mineralize { chances } => {
                let mut keys = Vec::new();
                if let Some(chances) = chances {
                    for (key, chance) in ["kelp_pool", "kelp_moat", "gold_prob", "gem_prob"].iter().zip(chances.iter())
                    {
                        keys.push(format!("{key} = {}", self.value(chance)));
                    }
                }
                self.call("mineralize", &keys);
            }
            StatementKind::Define { variable, value } => self.define(&variable.node, value),
            StatementKind::Shuffle { variable } => {
                let name = self.variables.name(&variable.node);
                self.line(&format!("shuffle({name})"));
            }
            StatementKind::Function(function) if self.lifted.contains(&std::ptr::from_ref(function)) => {}
            StatementKind::Function(function) => self.function(function, Some(statement)),
            StatementKind::Call { function, arguments } => {
                let arguments: Vec<String> = arguments.iter().map(|argument| self.value(argument)).collect();
                let name = self.variables.function(&function.node);
                self.line(&format!("{name}({})", arguments.join(", ")));
                if self.exits.functions.contains(&function.node) {
                    self.return_if_finished();
                }
            }
            StatementKind::If { condition, then, otherwise } => {
                let condition = self.condition(condition);
                self.line(&format!("if {condition} then"));
                self.indented(then);
                if let Some(otherwise) = otherwise {
                    self.out.indent();
                    self.out.comments_before_else(statement.span, otherwise);
                    self.out.outdent();
                    self.line("else");
                    self.indented(otherwise);
                }
                self.out.comments_within(statement.span);
                self.line("end");
            }
            StatementKind::Chance { condition, then } => {
                let condition = self.condition(condition);
                self.line(&format!("if {condition} then"));
                self.indented(std::slice::from_ref(then));
                self.line("end");
            }
            StatementKind::Switch { value, cases } => self.switch(value, cases, statement),
            StatementKind::For { variable, from, to, body } => self.count(&variable.node, from, to, body),
            StatementKind::Loop { count, body } => {
                // The block runs at least once, whatever the count.
                let times = match &count.kind {
                    ExprKind::Integer(count) => (*count).max(1).to_string(),
                    ExprKind::Dice { count, sides } if *count >= 1 && *sides >= 1 => format!("d({count}, {sides})"),
                    _ if self.range(count).is_some_and(|(least, _)| least >= 1) => self.value(count),
                    ExprKind::Variable(Variable { name, index: None, .. })
                        if self.variables.minimum(name).is_some_and(|least| least >= 1) =>
                    {
                        self.value(count)
                    }
                    _ => format!("math.max(1, {})", self.value(count)),
                };
                self.line(&format!("for i = 1, {times} do"));
                self.looped(body);
                self.out.comments_within(statement.span);
                self.line("end");
            }
            StatementKind::Break => match self.leaving.last() {
                Some(Leaving::Loop) => self.line("break"),
                Some(Leaving::Function) => self.line(leave),
                None => self.cannot(statement.span, "BREAK outside of a block"),
            },
            StatementKind::Exit => {
                // A function can only end itself, so its callers check the flag.
                if self.leaving.contains(&Leaving::Function) {
                    self.line(&format!("{FINISHED} = true"));
                }
                self.line(leave);
            }
            StatementKind::Place { .. }
            | StatementKind::Spill { .. }
            | StatementKind::WallWalk { .. }
            | StatementKind::MonsterGeneration { .. }
            | StatementKind::Sounds { .. }
            | StatementKind::VaultGeneration { .. }
            | StatementKind::VaultDepth { .. }
            | StatementKind::Topologize { .. }
            | StatementKind::Registers { .. }
            | StatementKind::Message { to: Audience::Hallucinating, .. }
            | StatementKind::Error => self.cannot(statement.span, "a statement that NetHack 5 lacks"),
        }
    }

    /// Writes a call with a table of keys, or without arguments.
    fn call(&mut self, function: &str, keys: &[String]) {
        match keys {
            [] => self.line(&format!("des.{function}()")),
            keys => self.table_call(function, keys, None),
        }
    }

    fn indented(&mut self, statements: &[Statement]) {
        self.out.indent();
        self.block(statements);
        self.out.outdent();
    }

    fn looped(&mut self, statements: &[Statement]) {
        self.leaving.push(Leaving::Loop);
        self.indented(statements);
        self.leaving.pop();
    }

    fn init_map(&mut self, init: &InitMap) {
        let mut keys = Vec::new();
        let character = |filling: &Spanned<char>| quoted(&filling.node.to_string());
        // A missing light is random.
        let lit = |light: OrRandom<_>| match light {
            OrRandom::Random => None,
            light => Some(format!("lit = {}", light_number(light))),
        };
        match init {
            InitMap::Solid { filling, light } => {
                keys.extend([String::from("style = \"solidfill\""), format!("fg = {}", character(filling))]);
                match light {
                    None => keys.push(String::from("lit = 0")),
                    Some(light) => keys.extend(lit(*light)),
                }
            }
            InitMap::MazeGrid { filling } => {
                keys.extend([String::from("style = \"mazegrid\""), format!("bg = {}", character(filling))]);
            }
            InitMap::Mines { foreground, background, smoothed, joined, light, walled, filling, .. } => {
                keys.extend([
                    String::from("style = \"mines\""),
                    format!("fg = {}", character(foreground)),
                    format!("bg = {}", character(background)),
                    format!("smoothed = {smoothed}"),
                    format!("joined = {}", joined.node),
                ]);
                keys.extend(lit(*light));
                // The games of des-files treat a random `walled` as true.
                keys.push(format!("walled = {}", *walled != OrRandom::Is(false)));
                keys.extend(filling.as_ref().map(|filling| format!("filling = {}", character(filling))));
            }
            InitMap::Rogue => keys.push(String::from("style = \"rogue\"")),
            InitMap::Sheol => self.cannot(splc_ir::source::Span::NOWHERE, "INIT_MAP of the style sheol"),
        }
        self.table_call("level_init", &keys, None);
    }

    fn map(&mut self, map: &Map) {
        let Map::Drawn { position, keep_regions, rows } = map else {
            // After a map of one square, coordinates count from the corner of the level, as at the beginning.
            if self.mapped {
                self.line("des.map(\" \")");
            }
            self.mapped = false;
            self.extent = WHOLE_LEVEL;
            return;
        };
        let mut keys = Vec::new();
        let width = rows.width();
        let height = rows.rows.len();
        let mut centered = false;
        match position {
            MapPosition::Aligned { horizontal, vertical } => {
                let (horizontal, vertical) = (names::horizontal(*horizontal), names::vertical(*vertical));
                centered = horizontal == "center" && vertical == "center";
                keys.push(format!("halign = {}, valign = {}", quoted(horizontal), quoted(vertical)));
            }
            // Numbers count from column 1 in des-files, and from 0 here.
            MapPosition::At(place) => match &place.kind {
                ExprKind::Coordinate { x, y } if *x >= 0 => {
                    keys.push(format!("x = {}, y = {y}", x.saturating_add(1)));
                }
                ExprKind::Coordinate { .. } | ExprKind::RandomCoordinate { .. } => {
                    let (columns, rows) = (WHOLE_LEVEL.0 - width as i32, WHOLE_LEVEL.1 - height as i32);
                    let (columns, rows) = (columns.max(1), rows.max(1));
                    keys.push(format!("x = 1 + nh.rn2({columns}), y = nh.rn2({rows})"));
                }
                _ => {
                    let (x, y) = self.two_numbers(place);
                    // The game treats -1, -1 as a missing place.
                    keys.push(match self.places.place(place) == Besides::default() {
                        true => format!("x = {x} + 1, y = {y}"),
                        false => format!("x = math.max(1, {x} + 1), y = math.max(0, {y})"),
                    });
                }
            },
        }
        let cells = rows.cells(self.catalog);
        let lines: Vec<String> = match width {
            0 => vec![String::new(); height],
            width => cells.cells.chunks(width).map(|row| String::from_utf8_lossy(row).into_owned()).collect(),
        };
        // Afterwards coordinates count from the corner of the level.
        let apart = *keep_regions == Some(false);
        self.mapped |= !apart;
        self.extent = if apart { WHOLE_LEVEL } else { (width as i32, height as i32) };
        self.out.comments_before(rows.span);
        let [open, close] = long_string(&lines);
        if centered && !apart {
            self.line(&format!("des.map({open}"));
        } else {
            self.line(&format!("des.map({{ {}, map = {open}", keys.join(", ")));
        }
        for line in lines {
            self.out.edge(&line);
        }
        let end = match (centered && !apart, apart) {
            (true, _) => ")",
            (false, false) => " })",
            (false, true) => ", contents = function() end })",
        };
        self.out.edge(&(close + end));
    }

    fn room_door(
        &mut self,
        secret: OrRandom<bool>,
        state: OrRandom<Spanned<DoorState>>,
        walls: &OrRandom<Vec<Spanned<Direction>>>,
        position: OrRandom<Spanned<i32>>,
    ) {
        let word = match state {
            OrRandom::Is(state) => names::door(state.node),
            OrRandom::Random => "random",
        };
        let mut keys = vec![match secret {
            OrRandom::Is(true) => format!("state = {}", quoted("secret")),
            OrRandom::Is(false) => format!("state = {}", quoted(word)),
            OrRandom::Random => format!("state = nh.rn2(2) == 1 and {} or {}", quoted("secret"), quoted(word)),
        }];
        match walls {
            OrRandom::Random => keys.push(format!("wall = {}", quoted("random"))),
            OrRandom::Is(walls) => match walls.as_slice() {
                [] => {}
                [wall] => keys.push(format!("wall = {}", quoted(names::wall(wall.node)))),
                walls if walls.len() >= Direction::ALL.len() => keys.push(format!("wall = {}", quoted("all"))),
                // The game takes a single wall.
                walls => {
                    let words: Vec<String> = walls.iter().map(|wall| quoted(names::wall(wall.node))).collect();
                    keys.push(format!("wall = ({{ {} }})[math.random({})]", words.join(", "), words.len()));
                }
            },
        }
        if let OrRandom::Is(position) = position {
            keys.push(format!("pos = {}", position.node));
        }
        self.table_call("door", &keys, None);
    }

    fn door(&mut self, state: OrRandom<Spanned<DoorState>>, at: &Selection) {
        let state = match state {
            OrRandom::Is(state) => quoted(names::door(state.node)),
            OrRandom::Random => quoted("random"),
        };
        if let SelectionKind::Point(place) = &at.kind {
            match self.place(place) {
                Place::At(x, y) if self.is_there(x, y) => {
                    return self.line(&format!("des.door({state}, {x}, {y})"));
                }
                Place::Value(value) if self.places.is_used_as_it_is(place) => {
                    return self.line(&format!("des.door({{ state = {state}, coord = {value} }})"));
                }
                Place::At(..) | Place::Value(_) | Place::Random => {}
            }
        }
        let mut selection = self.selection(at);
        // All doors get the same random state, drawn after their places.
        let state = if state == quoted("random") {
            let name = self.fresh("state");
            if !matches!(at.kind, SelectionKind::Point(Expr { kind: ExprKind::Coordinate { .. }, .. })) {
                let place = name.replacen("state", "doors", 1);
                self.set(&place, &selection);
                selection = place;
            }
            let states: Vec<String> =
                ["nodoor", "broken", "open", "closed", "locked"].iter().map(|word| quoted(word)).collect();
            self.set(&name, &format!("({{ {} }})[math.random({})]", states.join(", "), states.len()));
            name
        } else {
            state
        };
        self.line(&format!("selection.iterate({selection}, function(x, y) des.door({state}, x, y) end)"));
    }

    /// Returns true if a square is certainly on the level. On any other square a door or terrain is an error in the
    /// game, but ignored in des-files. In a room, whose size is unknown, every square is accepted.
    fn is_there(&self, x: i32, y: i32) -> bool {
        let (columns, rows) = self.extent;
        self.leaving.contains(&Leaving::Function) || ((0..columns).contains(&x) && (0..rows).contains(&y))
    }

    fn feature(&mut self, feature: &str, at: &Selection) {
        let feature = quoted(feature);
        if let SelectionKind::Point(place) = &at.kind {
            if is_dry(place) {
                return self.line(&format!("des.feature({feature})"));
            }
            match self.place(place) {
                Place::At(x, y) => return self.line(&format!("des.feature({feature}, {x}, {y})")),
                Place::Value(value) if self.places.is_used_as_it_is(place) => {
                    return self.line(&format!("des.feature({feature}, {value})"));
                }
                // By default the game would only choose bare floor.
                Place::Value(_) | Place::Random => {}
            }
        }
        let selection = self.selection(at);
        self.line(&format!("selection.iterate({selection}, function(x, y) des.feature({feature}, x, y) end)"));
    }

    /// Writes stairs and ladders.
    fn way(&mut self, function: &str, direction: &str, place: &Expr) {
        let direction = quoted(direction);
        let text = match self.place(place) {
            Place::Random => format!("des.{function}({direction})"),
            Place::At(x, y) => format!("des.{function}({direction}, {x}, {y})"),
            Place::Value(value) => format!("des.{function}({direction}, {value})"),
        };
        self.line(&text);
    }

    fn level_region(&mut self, region: &LevelRegion) {
        let corners = |spec: &RegionSpec| {
            let [x1, y1, x2, y2] = spec.corners;
            format!("{{ {x1}, {y1}, {x2}, {y2} }}")
        };
        let mut keys = vec![format!("region = {}", corners(&region.inside))];
        if region.inside.level {
            keys.push(String::from("region_islev = 1"));
        }
        // Column 0 of the level is never used, so the exclusion is empty. Column 0 of the map is a valid column.
        let nothing = region.outside.level && region.outside.corners[2] <= 0 || self.excludes_nothing(region);
        if !nothing {
            keys.push(format!("exclude = {}", corners(&region.outside)));
            if region.outside.level {
                keys.push(String::from("exclude_islev = 1"));
            }
        }
        match &region.kind {
            LevelRegionKind::Teleport(direction) => {
                keys.extend(direction.map(|direction| format!("dir = {}", quoted(names::up_down(direction)))));
                self.table_call("teleport_region", &keys, None);
            }
            LevelRegionKind::Stair(direction) => {
                keys.push(format!("type = \"stair-{}\"", names::up_down(*direction)));
                self.table_call("levregion", &keys, None);
            }
            LevelRegionKind::Portal(name) => {
                keys.extend([String::from("type = \"portal\""), format!("name = {}", quoted(&name.node))]);
                self.table_call("levregion", &keys, None);
            }
            LevelRegionKind::Branch => {
                keys.push(String::from("type = \"branch\""));
                self.table_call("levregion", &keys, None);
            }
            // It has no effect by itself, and places in it cannot be expressed.
            LevelRegionKind::Register(_) => {}
        }
    }

    /// Returns true if no square of the region is excluded. In a Wizard's Tower, the game looks at the excluded area
    /// itself (`In_W_tower`); column 0 means the whole level (`place_lregion`).
    fn excludes_nothing(&self, region: &LevelRegion) -> bool {
        let ([x1, y1, x2, y2], [left, top, right, bottom]) = (region.inside.corners, region.outside.corners);
        let apart = right < x1 || left > x2 || bottom < y1 || top > y2;
        apart && region.inside.level == region.outside.level && x1 > 0 && !self.is_tower
    }

    fn maze_walk(&mut self, place: &Expr, direction: Direction, stocked: Option<bool>, filling: Option<Spanned<char>>) {
        // With `corrmaze`, a missing filling means corridors in des-files, but floor here.
        let character = match filling {
            Some(filling) => Some(filling.node),
            None if self.corrmaze => Some('#'),
            None => None,
        };
        let direction = quoted(names::wall(direction));
        let mut keys = Vec::new();
        match self.place(place) {
            Place::At(x, y) if stocked != Some(false) && character.is_none() => {
                return self.line(&format!("des.mazewalk({x}, {y}, {direction})"));
            }
            // A maze must begin at a known square (`lspo_mazewalk`).
            Place::Random => keys.push(String::from("coord = selection.rndcoord(selection.set(selection.new()))")),
            Place::Value(value) if self.places.place(place).random => {
                let name = self.once("place", value);
                let square = format!("selection.set(selection.new(), {name}.x, {name}.y)");
                keys.push(format!("coord = selection.rndcoord({square})"));
            }
            place @ (Place::At(..) | Place::Value(_)) => place.keys(&mut keys),
        }
        keys.push(format!("dir = {direction}"));
        keys.extend(character.map(|character| format!("typ = {}", quoted(&character.to_string()))));
        if stocked == Some(false) {
            keys.push(String::from("stocked = 0"));
        }
        self.table_call("mazewalk", &keys, None);
    }

    fn wallify(&mut self, at: Option<&WallifyArea>) {
        match at {
            None => self.line("des.wallify()"),
            Some(WallifyArea::Region(region)) => match &region.kind {
                ExprKind::Region { corners: [x1, y1, x2, y2] } => {
                    self.line(&format!("des.wallify({{ x1 = {x1}, y1 = {y1}, x2 = {x2}, y2 = {y2} }})"));
                }
                _ => {
                    let value = self.region_value(region);
                    let name = self.fresh("area");
                    self.set(&name, &value);
                    let corners = ["x1", "y1", "x2", "y2"];
                    let keys: Vec<String> =
                        corners.iter().zip(1..).map(|(key, at)| format!("{key} = {name}[{at}]")).collect();
                    self.table_call("wallify", &keys, None);
                }
            },
            Some(WallifyArea::Selection(at)) => {
                let selection = self.selection(at);
                self.line(&format!("selection.iterate({selection}, function(x, y)"));
                self.out.indent();
                self.line("local ax, ay = nh.abscoord(x, y)");
                self.line("des.wallify({ x1 = ax, y1 = ay, x2 = ax, y2 = ay })");
                self.out.outdent();
                self.line("end)");
            }
        }
    }

    fn wall_property(&mut self, function: &str, property: &str, region: &Expr) {
        // In a room, coordinates of a selection would count from its corner.
        if self.leaving.contains(&Leaving::Function) {
            let keys = [format!("region = {}", self.region_value(region)), format!("property = {}", quoted(property))];
            return self.table_call("wall_property", &keys, None);
        }
        let corners = self.corners(region);
        self.line(&format!("des.{function}(selection.area({corners}))"));
    }

    fn change_terrain(&mut self, at: &Selection, terrain: &Expr) {
        if let SelectionKind::Point(place) = &at.kind
            && self.places.is_used_as_it_is(place)
            && let Place::Value(value) = self.place(place)
        {
            let (terrain, light) = self.terrain(terrain);
            return match light {
                None => self.line(&format!("des.terrain({value}, {terrain})")),
                Some(light) => {
                    let keys = [format!("coord = {value}"), format!("typ = {terrain}"), format!("lit = {light}")];
                    self.table_call("terrain", &keys, None);
                }
            };
        }
        let place = match &at.kind {
            SelectionKind::Point(place) => match self.place(place) {
                Place::At(x, y) if self.is_there(x, y) => Some((x, y)),
                Place::At(..) | Place::Random | Place::Value(_) => None,
            },
            _ => None,
        };
        let selection = if place.is_none() { self.selection(at) } else { String::new() };
        let (terrain, light) = self.terrain(terrain);
        match (place, light) {
            (Some((x, y)), None) => self.line(&format!("des.terrain({x}, {y}, {terrain})")),
            (None, None) => self.line(&format!("des.terrain({selection}, {terrain})")),
            (place, Some(light)) => {
                let mut keys = Vec::new();
                match place {
                    Some((x, y)) => Place::At(x, y).keys(&mut keys),
                    None => keys.push(format!("selection = {selection}")),
                }
                keys.extend([format!("typ = {terrain}"), format!("lit = {light}")]);
                self.table_call("terrain", &keys, None);
            }
        }
    }

    fn define(&mut self, variable: &str, value: &Definition) {
        let text = match value {
            Definition::Value { value, .. } => self.value(value),
            Definition::Array { values, .. } => {
                let values: Vec<String> = values.iter().map(|value| self.value(value)).collect();
                format!("{{ {} }}", values.join(", "))
            }
            Definition::Copy { ty, variable } => {
                let name = self.variables.name(&variable.node);
                if ty.array { format!("{{ table.unpack({name}) }}") } else { name }
            }
        };
        let local = if self.variables.declares(variable) { "local " } else { "" };
        let name = self.variables.name(variable);
        let whole = format!("{local}{name} = {text}");
        match text.strip_prefix("{ ").and_then(|text| text.strip_suffix(" }")) {
            Some(values) if !self.out.fits(&whole) && matches!(value, Definition::Array { .. }) => {
                self.line(&format!("{local}{name} = {{"));
                self.out.indent();
                self.out.values(values);
                self.out.outdent();
                self.line("}");
            }
            _ => self.line(&whole),
        }
    }

    fn count(&mut self, variable: &str, from: &Expr, to: &Expr, body: &[Statement]) {
        let name = self.variables.name(variable);
        let (first, last) = (self.value(from), self.value(to));
        let head = match (&from.kind, &to.kind) {
            (ExprKind::Integer(first), ExprKind::Integer(last)) if first <= last => {
                format!("for {name} = {first}, {last} do")
            }
            (ExprKind::Integer(first), ExprKind::Integer(last)) => format!("for {name} = {first}, {last}, -1 do"),
            _ => {
                let (start, stop) = (self.fresh("first"), self.fresh("last"));
                self.set(&format!("{start}, {stop}"), &format!("{first}, {last}"));
                format!("for {name} = {start}, {stop}, {start} <= {stop} and 1 or -1 do")
            }
        };
        // Code that sets it, or reads it after the loop, refers to another variable of that name.
        let outlives = self.variables.outlives(variable);
        self.line(&match outlives {
            false => head,
            true => head.replacen(&format!("for {name} "), "for step ", 1),
        });
        if outlives {
            self.out.indent();
            self.line(&format!("{name} = step"));
            self.out.outdent();
        }
        let range = match (&from.kind, &to.kind) {
            // A variable set in the block can have any value.
            (ExprKind::Integer(from), ExprKind::Integer(to)) if !outlives => {
                Some((i64::from(*from.min(to)), i64::from(*from.max(to))))
            }
            _ => None,
        };
        self.counting.push((Text::from(variable), range));
        self.looped(body);
        self.counting.pop();
        self.line("end");
    }

    fn switch(&mut self, value: &Expr, cases: &[Case], statement: &Statement) {
        let name = self.fresh("choice");
        let chosen = if value.is_constant() { format!("nh.rn2({})", self.value(value)) } else { self.value(value) };
        self.set(&name, &chosen);
        // A BREAK that is not the last statement of its case needs a Lua block to leave.
        let blocks: Vec<Vec<&Statement>> = (0..cases.len()).map(|at| case_block(cases, at)).collect();
        let breaks = blocks.iter().flatten().any(|statement| statement.has_break());
        if breaks {
            self.line("repeat");
            self.out.indent();
            self.leaving.push(Leaving::Loop);
        }
        let mut order: Vec<usize> = (0..cases.len()).filter(|&at| cases[at].value.is_some()).collect();
        let default = cases.iter().position(|case| case.value.is_none());
        order.extend(default);
        let mut first = true;
        let mut at = 0;
        while at < order.len() {
            // Cases with the same block share a test.
            let case = order[at];
            let mut tests = Vec::new();
            let mut next = at;
            while next < order.len() && (next == at || same(&blocks[order[next]], &blocks[case])) {
                if let Some(value) = cases[order[next]].value {
                    tests.push(format!("{name} == {}", value.node));
                } else {
                    tests.clear();
                }
                next += 1;
                if tests.is_empty() {
                    break;
                }
            }
            match (first, tests.is_empty()) {
                (true, false) => self.line(&format!("if {} then", tests.join(" or "))),
                (false, false) => self.line(&format!("elseif {} then", tests.join(" or "))),
                (true, true) => self.line("do"),
                (false, true) => self.line("else"),
            }
            first = false;
            self.out.indent();
            self.out.comments_before(cases[case].span);
            for statement in &blocks[case] {
                self.out.comments_before(statement.span);
                self.statement(statement);
            }
            self.out.outdent();
            at = next;
        }
        self.out.comments_within(statement.span);
        if !first {
            self.line("end");
        }
        if breaks {
            self.leaving.pop();
            self.out.outdent();
            self.line("until true");
        }
    }
}

/// Returns true for a random place on dry ground.
fn is_dry(place: &Expr) -> bool {
    matches!(&place.kind, ExprKind::RandomCoordinate { humidity }
        if !humidity.is_empty() && humidity.iter().all(|word| word.node == Humidity::Dry))
}

/// Returns the statements executed for a case: its own, and those of the cases that it falls through to.
fn case_block(cases: &[Case], from: usize) -> Vec<&Statement> {
    let mut block = Vec::new();
    for case in &cases[from..] {
        for statement in &case.body {
            if matches!(statement.kind, StatementKind::Break) {
                return block;
            }
            block.push(statement);
        }
    }
    block
}

fn same(left: &[&Statement], right: &[&Statement]) -> bool {
    left.len() == right.len() && left.iter().zip(right).all(|(left, right)| std::ptr::eq(*left, *right))
}
