//! The game's functions as statements of the level, except monsters and objects.

use std::rc::Rc;

use splc_ir::level::*;
use splc_ir::source::{Span, Spanned, Text};
use splc_ir::words::{
    Alignment, AltarType, Direction, DoorState, EngravingType, Filling, Horizontal, Humidity, Irregular, Joined, Light,
    UpDown, Vertical,
};

use super::evaluate::IS_DRAWN;
use super::fields::Fields;
use super::run::{Run, WHOLE_LEVEL};
use super::selections::{areas, text};
use super::values::{Number, Result, Stop, Thing, Value, expr};

/// The most columns or rows of a map that are translated. Smaller maps that do not fit are reported by their places.
const MAX_SIDE: usize = 200;

/// Functions that act on the running game rather than on the level.
const IN_PLAY: &[(&str, &str)] = &[
    ("nh.impossible", "reports a fault of the game"),
    ("nh.text", "shows a window of text"),
    ("nh.callback", "sets a function that the game calls later"),
    ("nh.gamestate", "saves or restores the hero"),
    ("nh.parse_config", "sets options"),
    ("nh.pushkey", "presses a key"),
    ("nh.doturn", "lets a turn pass"),
    ("nh.debug_flags", "sets flags of the game"),
    ("nh.test", "tests the game"),
    ("u.clear_inventory", "removes the hero's things"),
];

impl<'t> Run<'t, '_> {
    /// Calls a function of the game.
    pub fn game(&mut self, name: &str, arguments: Vec<Value<'t>>, span: Span) -> Result<Vec<Value<'t>>> {
        let first = || arguments.first().cloned().unwrap_or(Value::Nil);
        if let Some(function) = name.strip_prefix("des.") {
            return Ok(vec![self.with_keys(|run| run.des(function, &arguments, span))?]);
        }
        if let Some(function) = name.strip_prefix("selection.") {
            return Ok(vec![self.with_keys(|run| run.selection_function(function, arguments, span))?]);
        }
        let in_play = IN_PLAY.iter().find(|(known, _)| *known == name).map(|(_, what)| *what);
        let value = match name {
            "percent" => match first() {
                Value::Integer(number) if number <= 0 => Value::Boolean(false),
                Value::Integer(number) if number >= 100 => Value::Boolean(true),
                Value::Integer(number) => {
                    let percent = Spanned::new(number as i32, span);
                    self.draw_condition(super::values::Logic::Plain(Condition::Percent(percent)))
                }
                Value::Number(number) => {
                    let drawn = expr(ExprKind::Dice { count: 1, sides: 100 }, span);
                    self.draw_condition(super::values::Logic::compare(drawn, Comparison::LessEqual, number.expr))
                }
                Value::Unknown(what) => return Stop::lacks(span, what),
                _ => return Stop::lacks(span, "a chance that is not a number"),
            },
            "math.random" | "nh.rn2" | "nh.random" | "d" => self.drawn(name, &arguments, span)?,
            "shuffle" => {
                let Value::Table(at) = first() else { return Stop::lacks(span, "a shuffle of this value") };
                self.shuffle(at, span)?;
                Value::Nil
            }
            "monkfoodshop" => {
                self.note("the shop is a food shop for every role; a Monk gets a health food shop in NetHack 5");
                Value::Text(Rc::from("food shop"))
            }
            "math.max" | "math.min" => match arguments.as_slice() {
                [Value::Integer(one), Value::Integer(other)] => {
                    Value::Integer(if name == "math.max" { *one.max(other) } else { *one.min(other) })
                }
                [Value::Integer(least), Value::Number(number)] | [Value::Number(number), Value::Integer(least)]
                    if name == "math.max" && number.least >= *least =>
                {
                    Value::Number(number.clone())
                }
                _ => Value::Unknown(IS_DRAWN),
            },
            "math.floor" | "math.ceil" => match first() {
                Value::Integer(number) => Value::Integer(number),
                Value::Float(number) if name == "math.floor" => Value::Integer(number.floor() as i64),
                Value::Float(number) => Value::Integer(number.ceil() as i64),
                _ => Value::Unknown(IS_DRAWN),
            },
            "nh.level_difficulty" => self.answer("level.difficulty", span),
            "table.insert" => {
                let [Value::Table(at), value] = arguments.as_slice() else {
                    return Stop::lacks(span, "an insertion at a given place");
                };
                let value = self.bound(value.clone(), "value", span)?;
                if let Thing::Table(table) = self.change(*at, span)? {
                    table.items.push(value);
                }
                Value::Nil
            }
            "tostring" => match first() {
                Value::Integer(number) => Value::Text(Rc::from(number.to_string())),
                value @ Value::Text(_) => value,
                _ => Value::Unknown(IS_DRAWN),
            },
            "hell_tweaks" => return Stop::lacks(span, "hell_tweaks() looks at the squares of the level"),
            "nh.is_genocided" => {
                self.note("no species is extinct yet");
                Value::Boolean(false)
            }
            "nh.pline" | "nh.verbalize" | "pline" => self.said(name, &arguments, span)?,
            "nh.debug_themerm" => Value::Nil,
            _ if in_play.is_some() => {
                self.lost(format!("{name}() {}, which a des-file cannot do", in_play.unwrap_or_default()));
                Value::Nil
            }
            _ => return Stop::lacks(span, format!("a des-file has no counterpart for {name}()")),
        };
        Ok(vec![value])
    }

    /// Translates a text that NetHack 5 shows while it creates the level.
    fn said(&mut self, name: &str, arguments: &[Value<'t>], span: Span) -> Result<Value<'t>> {
        // `pline` of the library formats its text.
        let is_format =
            name == "pline" && arguments.first().and_then(Value::as_str).is_none_or(|text| text.contains('%'));
        let text = match arguments.first() {
            Some(text @ (Value::Text(_) | Value::Element { .. })) if !is_format => self.text(text, span)?,
            _ => {
                self.lost(format!("the text of {name}() is computed while the level is created"));
                return Ok(Value::Nil);
            }
        };
        let here = self.here;
        self.emit(StatementKind::Message { text, to: Audience::Everyone }, here);
        self.note("its text is shown on arrival, not while the level is created");
        if name == "nh.verbalize" {
            self.note("its text is shown without quotes");
        }
        Ok(Value::Nil)
    }

    fn drawn(&mut self, name: &str, arguments: &[Value<'t>], span: Span) -> Result<Value<'t>> {
        let known: Option<Vec<i64>> = arguments
            .iter()
            .map(|value| if let Value::Integer(number) = value { Some(*number) } else { None })
            .collect();
        let (least, most) = match (name, known.as_deref()) {
            ("math.random" | "d", Some([most])) => (1, *most),
            ("math.random", Some([least, most])) => (*least, *most),
            ("nh.rn2", Some([below])) => (0, below.saturating_sub(1)),
            ("nh.random", Some([least, count])) => (*least, least.saturating_add(count.saturating_sub(1))),
            ("d", Some([1, sides])) => (1, *sides),
            ("d", Some([count, sides])) => {
                let (Ok(number), Ok(faces)) = (i32::try_from(*count), i32::try_from(*sides)) else {
                    return Stop::lacks(span, "a number out of range");
                };
                if number < 1 || faces < 1 {
                    return Stop::lacks(span, "dice without sides");
                }
                let expr = expr(ExprKind::Dice { count: number, sides: faces }, span);
                let most = count.saturating_mul(*sides);
                return Ok(Value::Number(Number { expr, least: *count, most, draw: None }));
            }
            _ => return Ok(Value::Unknown("a des-file has no draw below a number that is itself drawn")),
        };
        self.draw_number(least, most, span)
    }

    /// Shuffles a table, whose elements are then those of an array of the level.
    fn shuffle(&mut self, at: usize, span: Span) -> Result<()> {
        let Some(length) = self.table(at).map(|table| table.items.len()) else {
            return Stop::lacks(span, "a shuffle of this value");
        };
        if length < 2 {
            return Ok(());
        }
        let array = self.array(at, "list", span, true)?;
        let Thing::Table(table) = self.change(at, span)? else { return Ok(()) };
        for (index, item) in (0..).zip(&mut table.items) {
            if let Some(index) = Number::known(index, span) {
                *item = Value::Element { array, index };
            }
        }
        Ok(())
    }

    /// Translates the function in a key for contents.
    pub fn contents(&mut self, function: &Value<'t>, of_thing: bool, span: Span) -> Result<Vec<Statement>> {
        let Value::Function(closure) = function else { return Ok(Vec::new()) };
        let closure = *closure;
        let argument = vec![Value::Unknown("a des-file cannot ask about a room or an object")];
        let outer = std::mem::replace(&mut self.in_thing, of_thing);
        let made = self.nested(|run| run.call(closure, argument, span).map(|_| ()));
        self.in_thing = outer;
        Ok(made?.1)
    }

    /// Translates the contents of a room, whose coordinates are its own.
    fn room_contents(&mut self, function: &Value<'t>, span: Span) -> Result<Vec<Statement>> {
        let (origin, in_room) = (self.origin, std::mem::replace(&mut self.in_room, true));
        self.enter();
        let body = self.contents(function, false, span);
        (self.origin, self.in_room) = (origin, in_room);
        body
    }

    fn des(&mut self, function: &str, arguments: &[Value<'t>], span: Span) -> Result<Value<'t>> {
        let table = |run: &Self| run.fields(arguments.first(), span);
        let is_text = matches!(arguments.first(), Some(Value::Text(_) | Value::Element { .. }));
        let at = self.here;
        let kind = match function {
            "message" => {
                let text = self.text(arguments.first().unwrap_or(&Value::Nil), span)?;
                StatementKind::Message { text, to: Audience::Everyone }
            }
            "level_flags" => {
                for flag in arguments {
                    let Some(flag) = self.word(flag, span)? else { continue };
                    self.flag(Spanned::new(Text::from(flag.to_ascii_lowercase()), span))?;
                }
                return Ok(Value::Nil);
            }
            "level_init" => StatementKind::InitMap(self.level_init(table(self)?)?),
            "map" => return self.map(arguments, span),
            "monster" => return self.monster(arguments, span),
            "object" => return self.object(arguments, span),
            "trap" => self.trap(arguments, is_text, span)?,
            "room" => return self.room(table(self)?, span),
            "region" => return self.region(arguments, span),
            "door" => self.door(arguments, is_text, span)?,
            "stair" | "ladder" => {
                let (direction, place) = if is_text {
                    let place = self.place_from(arguments, 1, span)?;
                    (self.word(&arguments[0], span)?, place)
                } else if matches!(arguments.first(), Some(Value::Integer(_))) {
                    (None, self.place_from(arguments, 0, span)?)
                } else {
                    let mut fields = table(self)?;
                    let direction = self.word(&fields.take("dir"), span)?;
                    let place = self.place_in(&mut fields)?;
                    (direction, place)
                };
                let direction = if direction.as_deref() == Some("up") { UpDown::Up } else { UpDown::Down };
                if function == "stair" {
                    StatementKind::Stair { place, direction }
                } else {
                    StatementKind::Ladder { place, direction }
                }
            }
            "levregion" | "teleport_region" => StatementKind::LevelRegion(self.level_region(function, table(self)?)?),
            "altar" => {
                let mut fields = table(self)?;
                let place = self.place_in(&mut fields)?;
                let alignment = self.alignment(&fields.take("align"), span)?;
                let kind = self.word(&fields.take("type"), span)?;
                let altar = match kind.as_deref().map(AltarType::from_word) {
                    None => AltarType::Altar,
                    Some(Some(altar)) => altar,
                    Some(None) => return Stop::lacks(span, "this type of altar"),
                };
                StatementKind::Altar { place, alignment, altar: OrRandom::Is(altar), also: Vec::new() }
            }
            "grave" => {
                let (place, text) = if arguments.len() == 3 {
                    (self.at(&arguments[0], &arguments[1], span)?, arguments[2].clone())
                } else {
                    let mut fields = table(self)?;
                    (self.place_in(&mut fields)?, fields.take("text"))
                };
                let epitaph = match &text {
                    Value::Nil => Epitaph::Random,
                    text => Epitaph::Text(self.text(text, span)?),
                };
                StatementKind::Grave { place, epitaph }
            }
            "gold" => {
                let (amount, place) = if arguments.len() > 1 {
                    (arguments[0].clone(), self.place_from(arguments, 1, span)?)
                } else {
                    let mut fields = table(self)?;
                    (fields.take("amount"), self.place_in(&mut fields)?)
                };
                let amount = match &amount {
                    Value::Nil => expr(ExprKind::Integer(-1), span),
                    amount => self.number(amount, span)?,
                };
                StatementKind::Gold { amount, place }
            }
            "engraving" => {
                let (place, kind, text) = if arguments.len() == 3 {
                    (self.place(&arguments[0], span)?, arguments[1].clone(), arguments[2].clone())
                } else {
                    let mut fields = table(self)?;
                    let place = self.place_in(&mut fields)?;
                    let (kind, text) = (fields.take("type"), fields.take("text"));
                    if self.truth(&fields.take("degrade"), span)? == Some(false) {
                        self.note("the engraving can wear away");
                    }
                    (place, kind, text)
                };
                let engraving = match self.word(&kind, span)?.as_deref().map(EngravingType::from_word) {
                    None => EngravingType::Engrave,
                    Some(Some(engraving)) => engraving,
                    Some(None) => return Stop::lacks(span, "this type of engraving"),
                };
                let text = self.text(&text, span)?;
                StatementKind::Engraving { place, engraving: OrRandom::Is(engraving), text }
            }
            "feature" => return self.feature(arguments, is_text, span),
            "terrain" => self.change_terrain(arguments, span)?,
            "replace_terrain" => self.replace(table(self)?, span)?,
            "mazewalk" => self.mazewalk(arguments, span)?,
            "drawbridge" => {
                let mut fields = table(self)?;
                let place = self.place_in(&mut fields)?;
                let direction = self.word(&fields.take("dir"), span)?;
                let direction = self.direction(direction.as_deref().unwrap_or("random"), span)?;
                let state = self.word(&fields.take("state"), span)?;
                let state = match state.as_deref().and_then(DoorState::from_word) {
                    Some(state) => OrRandom::Is(Spanned::new(state, span)),
                    None => OrRandom::Random,
                };
                StatementKind::Drawbridge { place, direction: Spanned::new(direction, span), state }
            }
            "wallify" => match arguments.first() {
                None => StatementKind::Wallify { at: None },
                Some(_) => return Stop::lacks(span, "a wallify of an area, whose columns count from the level"),
            },
            "non_diggable" | "non_passwall" => {
                let areas = match arguments.first() {
                    None => None,
                    Some(of) => {
                        let selected = self.selected(of, span)?;
                        match areas(&selected) {
                            Some(areas) => Some(areas),
                            None => return Stop::lacks(span, "walls in a selection that is not made of areas"),
                        }
                    }
                };
                if areas.is_none() && self.extent != WHOLE_LEVEL {
                    self.note("walls outside of the map keep their properties");
                }
                let (columns, rows) = self.extent;
                let areas = areas.unwrap_or_else(|| vec![[0, 0, columns - 1, rows - 1]]);
                for corners in areas {
                    let corners = self.clipped(corners);
                    let region = expr(ExprKind::Region { corners }, span);
                    let kind = if function == "non_diggable" {
                        StatementKind::NonDiggable { region }
                    } else {
                        StatementKind::NonPasswall { region }
                    };
                    self.emit(kind, at);
                }
                return Ok(Value::Nil);
            }
            "wall_property" => {
                let mut fields = table(self)?;
                let Some(corners) = self.corners(&mut fields)? else {
                    return Stop::lacks(span, "walls without a region");
                };
                let region = expr(ExprKind::Region { corners }, span);
                match self.word(&fields.take("property"), span)?.as_deref() {
                    Some("nonpasswall") => StatementKind::NonPasswall { region },
                    _ => StatementKind::NonDiggable { region },
                }
            }
            "corridor" => {
                let mut fields = table(self)?;
                let mut end = |run: &mut Self, prefix: &str| -> Result<CorridorEnd> {
                    let room = run.integer(&fields.take(&format!("{prefix}room")), span)?;
                    let door = run.integer(&fields.take(&format!("{prefix}door")), span)?;
                    let wall = run.word(&fields.take(&format!("{prefix}wall")), span)?;
                    match wall.as_deref().and_then(Direction::from_word) {
                        Some(wall) => Ok(CorridorEnd {
                            room: Spanned::new(room, span),
                            wall: Spanned::new(wall, span),
                            door: OrRandom::Is(Spanned::new(door, span)),
                        }),
                        None => Stop::lacks(span, "a corridor from a random wall"),
                    }
                };
                let (from, to) = (end(self, "src")?, end(self, "dest")?);
                StatementKind::Corridor { from, to: CorridorTarget::Door(to) }
            }
            "random_corridors" => StatementKind::RandomCorridors { style: CorridorStyle::Default },
            "mineralize" => {
                let mut fields = table(self)?;
                let mut chances = Vec::new();
                let mut given = false;
                for key in ["kelp_pool", "kelp_moat", "gold_prob", "gem_prob"] {
                    let value = fields.take(key);
                    given |= !matches!(value, Value::Nil);
                    chances.push(expr(ExprKind::Integer(self.integer_or(&value, -1, span)?), span));
                }
                let chances = <[Expr; 4]>::try_from(chances).ok().filter(|_| given).map(Box::new);
                StatementKind::Mineralize { chances }
            }
            "exclusion" => {
                self.lost("a des-file has no exclusion zones");
                return Ok(Value::Nil);
            }
            "gas_cloud" => {
                self.lost("a des-file has no clouds of gas");
                return Ok(Value::Nil);
            }
            _ => return Stop::lacks(span, format!("a des-file has no counterpart for des.{function}()")),
        };
        self.emit(kind, at);
        Ok(Value::Nil)
    }

    fn light(&self, value: &Value<'t>, span: Span) -> Result<OrRandom<Light>> {
        Ok(match self.integer_or(value, -1, span)? {
            number if number < 0 => OrRandom::Random,
            0 => OrRandom::Is(Light::Unlit),
            _ => OrRandom::Is(Light::Lit),
        })
    }

    fn level_init(&mut self, mut fields: Fields<'t>) -> Result<InitMap> {
        let span = fields.span;
        let letter = |run: &Self, value: Value<'t>, usual: char| match value {
            Value::Nil => Ok(Spanned::new(usual, span)),
            value => Ok(Spanned::new(run.character(&value, span)?, span)),
        };
        let style = self.word(&fields.take("style"), span)?;
        let (foreground, background) = (fields.take("fg"), fields.take("bg"));
        let light = self.light(&fields.take("lit"), span)?;
        let filling = fields.take("filling");
        let init = match style.as_deref() {
            None | Some("solidfill") => {
                let usual = letter(self, foreground, '.')?;
                InitMap::Solid { filling: letter(self, filling, usual.node)?, light: Some(light) }
            }
            Some("mazegrid") => InitMap::MazeGrid { filling: letter(self, background, ' ')? },
            Some("rogue") => InitMap::Rogue,
            Some("mines") => InitMap::Mines {
                foreground: letter(self, foreground, '.')?,
                background: letter(self, background, ' ')?,
                smoothed: self.truth(&fields.take("smoothed"), span)? == Some(true),
                joined: Spanned::new(self.truth(&fields.take("joined"), span)? == Some(true), span),
                light,
                walled: OrRandom::Is(self.truth(&fields.take("walled"), span)? == Some(true)),
                filling: match filling {
                    Value::Nil => None,
                    filling => Some(letter(self, filling, ' ')?),
                },
                iced: None,
            },
            Some(style) => return Stop::lacks(span, format!("a des-file has no level_init of the style {style}")),
        };
        Ok(init)
    }

    fn map(&mut self, arguments: &[Value<'t>], span: Span) -> Result<Value<'t>> {
        let at = self.here;
        let mut position = MapPosition::Aligned { horizontal: Horizontal::Center, vertical: Vertical::Center };
        let (mut contents, mut lit) = (Value::Nil, false);
        let drawn = if matches!(arguments.first(), Some(Value::Table(_))) {
            let mut fields = self.fields(arguments.first(), span)?;
            let horizontal = self.word(&fields.take("halign"), span)?;
            let vertical = self.word(&fields.take("valign"), span)?;
            let place = self.place_in(&mut fields)?;
            let words = horizontal.as_deref().and_then(Horizontal::from_word);
            position = match (words, vertical.as_deref().and_then(Vertical::from_word)) {
                (Some(horizontal), Some(vertical)) => MapPosition::Aligned { horizontal, vertical },
                (Some(_), None) | (None, Some(_)) => return Stop::lacks(span, "a map aligned in one direction"),
                (None, None) => match place.kind {
                    // Columns count from 1 in des-files.
                    ExprKind::Coordinate { x, y } => {
                        MapPosition::At(expr(ExprKind::Coordinate { x: x.saturating_sub(1), y }, place.span))
                    }
                    _ => return Stop::lacks(span, "a map at a place that is drawn"),
                },
            };
            contents = fields.take("contents");
            lit = self.truth(&fields.take("lit"), span)? == Some(true);
            self.word(&fields.take("map"), span)?
        } else {
            self.word(arguments.first().unwrap_or(&Value::Nil), span)?
        };
        if self.in_room {
            return Stop::lacks(span, "a map in a room");
        }
        let Some(drawn) = drawn else { return Stop::lacks(span, "a map without squares") };
        let drawn = drawn.strip_suffix('\n').unwrap_or(&drawn);
        let lines = || drawn.split('\n');
        let (width, height) = (lines().map(str::len).max().unwrap_or(0), lines().count());
        if width > MAX_SIDE || height > MAX_SIDE {
            return Stop::lacks(span, "a map larger than a level");
        }
        // The game finds a square by the length of the longest line, so that a shorter one shifts those below it. It
        // leaves the square of a character that it does not know as it is.
        let square = |at: usize| {
            let letter = drawn.as_bytes().get(at).map(|&byte| char::from(byte)).filter(char::is_ascii);
            letter.filter(|&letter| letter.is_ascii_digit() || self.catalog.terrain(letter).is_some()).unwrap_or('x')
        };
        let row = |y: usize| (0..width).map(|x| square(y * (width + 1) + x)).collect::<String>();
        let rows: Vec<Text> = (0..height).map(|y| Text::from(row(y))).collect();
        let (width, height) = (width as i32, height as i32);
        if rows.iter().any(|row| row.contains(|letter: char| letter.is_ascii_digit())) {
            return Stop::lacks(span, "digits in a map number its lines in a des-file");
        }
        if width == 0 {
            return Stop::lacks(span, "a map without squares");
        }
        let row_spans = vec![Span::NOWHERE; rows.len()];
        let rows = MapRows { rows, row_spans, span: at };
        if width <= 1 && height <= 1 {
            // After a map of one square, coordinates count from the corner of the level.
            self.enter();
            self.extent = WHOLE_LEVEL;
            self.emit(StatementKind::Map(Map::None), at);
            return Ok(Value::Unknown("a des-file cannot select the squares of a map"));
        }
        self.enter();
        self.extent = (width, height);
        self.emit(StatementKind::Map(Map::Drawn { position, keep_regions: None, rows }), at);
        if lit {
            let corners = [0, 0, width - 1, height - 1];
            self.lit(corners, Light::Lit, span);
        }
        if let Value::Function(_) = contents {
            let Value::Function(closure) = contents else { return Ok(Value::Nil) };
            let argument = vec![Value::Unknown("a des-file cannot ask about a map")];
            self.call(closure, argument, span)?;
            self.enter();
            self.extent = WHOLE_LEVEL;
            self.emit(StatementKind::Map(Map::None), at);
        }
        Ok(Value::Unknown("a des-file cannot select the squares of a map"))
    }

    /// Clips an area at the edge of the map, where des-files end.
    fn clipped(&mut self, corners: [i32; 4]) -> [i32; 4] {
        let [x1, y1, x2, y2] = corners;
        let (columns, rows) = self.extent;
        let within = [x1.clamp(0, columns - 1), y1.clamp(0, rows - 1), x2.clamp(0, columns - 1), y2.clamp(0, rows - 1)];
        if self.in_room || within == corners {
            return corners;
        }
        self.note("its area is clipped at the edge of the map");
        within
    }

    /// Sets the light of an area.
    fn lit(&mut self, corners: [i32; 4], light: Light, span: Span) {
        let area = expr(ExprKind::Region { corners }, span);
        let region = Region {
            area,
            light: OrRandom::Is(light),
            room_type: OrRandom::Is(Spanned::new(Text::from("ordinary"), span)),
            flags: None,
            body: None,
        };
        let at = self.here;
        self.emit(StatementKind::Region(region), at);
    }

    /// Returns the type and the place of a trap or feature.
    fn type_and_place(
        &mut self,
        arguments: &[Value<'t>],
        is_text: bool,
        span: Span,
    ) -> Result<(Option<Rc<str>>, Expr)> {
        if is_text {
            return Ok((self.word(&arguments[0], span)?, self.place_from(arguments, 1, span)?));
        }
        let mut fields = self.fields(arguments.first(), span)?;
        let name = self.word(&fields.take("type"), span)?;
        let place = self.place_in(&mut fields)?;
        Ok((name, place))
    }

    fn trap(&mut self, arguments: &[Value<'t>], is_text: bool, span: Span) -> Result<StatementKind> {
        let (name, place) = self.type_and_place(arguments, is_text, span)?;
        let trap = match name.filter(|name| &**name != "random") {
            None => OrRandom::Random,
            Some(name) => OrRandom::Is(Spanned::new(text(&name), span)),
        };
        Ok(StatementKind::Trap { trap, place })
    }

    fn room(&mut self, mut fields: Fields<'t>, span: Span) -> Result<Value<'t>> {
        let at = self.here;
        let kind = self.word(&fields.take("type"), span)?;
        let room_type =
            OrRandom::Is(Spanned::new(kind.map_or_else(|| Text::from("ordinary"), |kind| text(&kind)), span));
        let chance = match fields.take("chance") {
            Value::Nil => None,
            chance => Some(Spanned::new(self.integer(&chance, span)?, span)),
        };
        let light = self.light(&fields.take("lit"), span)?;
        let pair = |run: &Self, one: Value<'t>, other: Value<'t>| -> Result<OrRandom<(i32, i32)>> {
            let (one, other) = (run.integer_or(&one, -1, span)?, run.integer_or(&other, -1, span)?);
            Ok(if one == -1 && other == -1 { OrRandom::Random } else { OrRandom::Is((one, other)) })
        };
        let (x, y) = (fields.take("x"), fields.take("y"));
        let position = pair(self, x, y)?.map(|place| Spanned::new(place, span));
        let (width, height) = (fields.take("w"), fields.take("h"));
        let size = pair(self, width, height)?.map(|(w, h)| (Spanned::new(w, span), Spanned::new(h, span)));
        let across = self.word(&fields.take("xalign"), span)?.filter(|word| &**word != "random");
        let down = self.word(&fields.take("yalign"), span)?.filter(|word| &**word != "random");
        let placement = if self.in_room {
            RoomPlacement::Room { position, parent_span: Span::NOWHERE }
        } else {
            let alignment = match (across.as_deref(), down.as_deref()) {
                (None, None) => OrRandom::Random,
                (across, down) => {
                    let across = across.and_then(Horizontal::from_word);
                    match (across, down.and_then(Vertical::from_word)) {
                        (Some(across), Some(down)) => OrRandom::Is((across, down)),
                        _ => return Stop::lacks(span, "a room of which one alignment is random"),
                    }
                }
            };
            RoomPlacement::Level { position, alignment }
        };
        let filled = self.integer_or(&fields.take("filled"), 1, span)?;
        let joined = self.truth(&fields.take("joined"), span)?;
        let mut flags = vec![if filled == 0 { Filling::Unfilled } else { Filling::Filled }]
            .into_iter()
            .map(|filling| Spanned::new(RoomFlag::Filling(filling), span))
            .collect::<Vec<_>>();
        if joined == Some(false) {
            flags.push(Spanned::new(RoomFlag::Joined(Joined::Unjoined), span));
        }
        let flags = (filled == 0 || joined == Some(false)).then_some(flags);
        if filled == 2 {
            self.note("a room that counts as filled, but is not, is filled");
        }
        let contents = fields.take("contents");
        let body = self.room_contents(&contents, span)?;
        let room = Room { room_type, chance, light, placement, size, flags, body, name: None, order: None };
        self.emit(StatementKind::Room(Box::new(room)), at);
        Ok(Value::Nil)
    }

    fn region(&mut self, arguments: &[Value<'t>], span: Span) -> Result<Value<'t>> {
        let at = self.here;
        if let [of @ Value::Selection(_), light] = arguments {
            let squares = self.selected(of, span)?;
            let Some(areas) = areas(&squares) else {
                return Stop::lacks(span, "the light of a selection that is not made of areas");
            };
            let light = match self.word(light, span)?.as_deref() {
                Some("unlit") => Light::Unlit,
                _ => Light::Lit,
            };
            for corners in areas {
                let corners = self.clipped(corners);
                self.lit(corners, light, span);
            }
            return Ok(Value::Nil);
        }
        let mut fields = self.fields(arguments.first(), span)?;
        let Some(corners) = self.corners(&mut fields)? else {
            return Stop::lacks(span, "a region without corners");
        };
        // Numbers of places are bytes in the loaders of des-files, and the corner of the map is added to them.
        let [_, _, right, bottom] = corners;
        let (columns, rows) = self.extent;
        let overflows = |number: i32, corner: i32| number > i32::from(i8::MAX) - corner;
        if overflows(right, WHOLE_LEVEL.0 - columns) || overflows(bottom, WHOLE_LEVEL.1 - rows) {
            self.note("its corner is so far beyond the level that games with des-files count from -128 again");
        }
        let light = self.light(&fields.take("lit"), span)?;
        let kind = self.word(&fields.take("type"), span)?.unwrap_or_else(|| Rc::from("ordinary"));
        let filled = self.integer_or(&fields.take("filled"), 0, span)?;
        let irregular = self.truth(&fields.take("irregular"), span)? == Some(true);
        let joined = self.truth(&fields.take("joined"), span)? != Some(false);
        let arrival = self.truth(&fields.take("arrival_room"), span)? == Some(true);
        let contents = fields.take("contents");
        let ordinary = self.catalog.room(&kind).unwrap_or(0) == 0;
        let is_filled = if ordinary { !arrival } else { filled == 1 };
        if !ordinary && filled == 0 {
            self.note("a room of a type that NetHack 5 leaves unmarked is marked as one, but not filled");
        }
        let mut flags = vec![RoomFlag::Filling(if is_filled { Filling::Filled } else { Filling::Unfilled })];
        if irregular {
            flags.push(RoomFlag::Irregular(Irregular::Irregular));
        }
        if !joined {
            flags.push(RoomFlag::Joined(Joined::Unjoined));
        }
        let plain = is_filled && !irregular && joined;
        let flags = (!plain).then(|| flags.into_iter().map(|flag| Spanned::new(flag, span)).collect());
        let body = match &contents {
            Value::Function(_) => Some(self.room_contents(&contents, span)?),
            _ => None,
        };
        let region = Region {
            area: expr(ExprKind::Region { corners }, span),
            light,
            room_type: OrRandom::Is(Spanned::new(text(&kind), span)),
            flags,
            body,
        };
        self.emit(StatementKind::Region(region), at);
        Ok(Value::Nil)
    }

    fn door(&mut self, arguments: &[Value<'t>], is_text: bool, span: Span) -> Result<StatementKind> {
        let mut fields = self.fields(if is_text { None } else { arguments.first() }, span)?;
        let (state, place) = if is_text {
            (arguments[0].clone(), self.place_from(arguments, 1, span)?)
        } else {
            (fields.take("state"), self.place_in(&mut fields)?)
        };
        let word = self.word(&state, span)?;
        let state = match word.as_deref() {
            None | Some("random") => None,
            Some(word) => match DoorState::from_word(word) {
                Some(state) => Some(state),
                None => return Stop::lacks(span, format!("a door of the state {word}")),
            },
        };
        if !matches!(place.kind, ExprKind::RandomCoordinate { .. }) {
            let state = state.map_or(OrRandom::Random, |state| OrRandom::Is(Spanned::new(state, span)));
            return Ok(StatementKind::Door { state, also: Vec::new(), at: self.point(place) });
        }
        let wall = self.word(&fields.take("wall"), span)?;
        let position = self.integer_or(&fields.take("pos"), -1, span)?;
        let walls = match wall.as_deref() {
            None | Some("all" | "random") => OrRandom::Random,
            Some(wall) => match Direction::from_word(wall) {
                Some(wall) => OrRandom::Is(vec![Spanned::new(wall, span)]),
                None => return Stop::lacks(span, format!("a door in the wall {wall}")),
            },
        };
        let secret = OrRandom::Is(state == Some(DoorState::Secret));
        let state = match state {
            None => OrRandom::Random,
            // A secret door of a room is closed when it is found.
            Some(DoorState::Secret) => OrRandom::Is(Spanned::new(DoorState::Closed, span)),
            Some(state) => OrRandom::Is(Spanned::new(state, span)),
        };
        let position = if position == -1 { OrRandom::Random } else { OrRandom::Is(Spanned::new(position, span)) };
        Ok(StatementKind::RoomDoor { secret, state, walls, position, walls_span: span, also: Vec::new() })
    }

    fn level_region(&mut self, function: &str, mut fields: Fields<'t>) -> Result<LevelRegion> {
        let span = fields.span;
        let mut spec = |run: &mut Self, key: &str| -> Result<Option<RegionSpec>> {
            let (area, level) = (fields.take(key), fields.take(&format!("{key}_islev")));
            if matches!(area, Value::Nil) {
                return Ok(None);
            }
            let corners = run.area(&area, span)?;
            Ok(Some(RegionSpec { level: run.truth(&level, span)? == Some(true), corners, span }))
        };
        let inside = spec(self, "region")?;
        let outside = spec(self, "exclude")?;
        let Some(mut inside) = inside else { return Stop::lacks(span, "a level region without an area") };
        if !inside.level {
            inside.corners = self.clipped(inside.corners);
        }
        let outside = match outside {
            Some(mut outside) => {
                if !outside.level {
                    outside.corners = self.clipped(outside.corners);
                }
                outside
            }
            None => no_area(&inside),
        };
        let kind = if function == "teleport_region" {
            match self.word(&fields.take("dir"), span)?.as_deref() {
                Some("up") => LevelRegionKind::Teleport(Some(UpDown::Up)),
                Some("down") => LevelRegionKind::Teleport(Some(UpDown::Down)),
                _ => LevelRegionKind::Teleport(None),
            }
        } else {
            let kind = self.word(&fields.take("type"), span)?;
            let name = self.word(&fields.take("name"), span)?;
            match kind.as_deref() {
                None | Some("stair-down") => LevelRegionKind::Stair(UpDown::Down),
                Some("stair-up") => LevelRegionKind::Stair(UpDown::Up),
                Some("branch") => LevelRegionKind::Branch,
                Some("portal") => match name {
                    Some(name) => LevelRegionKind::Portal(Spanned::new(text(&name), span)),
                    None => return Stop::lacks(span, "a portal without the name of a level"),
                },
                Some("teleport") => LevelRegionKind::Teleport(None),
                Some("teleport-up") => LevelRegionKind::Teleport(Some(UpDown::Up)),
                Some("teleport-down") => LevelRegionKind::Teleport(Some(UpDown::Down)),
                Some(kind) => return Stop::lacks(span, format!("a level region of the type {kind}")),
            }
        };
        Ok(LevelRegion { kind, inside, outside })
    }

    /// Returns an alignment. A missing one is random.
    pub fn alignment(&self, value: &Value<'t>, span: Span) -> Result<AlignmentSpec> {
        if let Value::Alignment(number) = value {
            return Ok(AlignmentSpec::Register(Spanned::new(*number, span)));
        }
        match self.word(value, span)?.as_deref() {
            None | Some("random") => Ok(AlignmentSpec::Random),
            Some(word) => match Alignment::from_word(word) {
                Some(alignment) => Ok(AlignmentSpec::Is(alignment)),
                None => Stop::lacks(span, format!("the alignment {word}")),
            },
        }
    }

    fn feature(&mut self, arguments: &[Value<'t>], is_text: bool, span: Span) -> Result<Value<'t>> {
        let (name, mut place) = self.type_and_place(arguments, is_text, span)?;
        if let ExprKind::RandomCoordinate { humidity } = &mut place.kind {
            humidity.push(Spanned::new(Humidity::Dry, span));
        }
        let at = self.point(place);
        let terrain = |character| expr(ExprKind::MapCharacter { character, light: None }, span);
        let kind = match name.as_deref() {
            Some("fountain") => StatementKind::Fountain { at },
            Some("sink") => StatementKind::Sink { at },
            Some("pool") => StatementKind::Pool { at },
            Some("throne") => StatementKind::Terrain { at, terrain: terrain('\\') },
            Some("tree") => StatementKind::Terrain { at, terrain: terrain('T') },
            _ => return Stop::lacks(span, "this feature"),
        };
        let here = self.here;
        self.emit(kind, here);
        Ok(Value::Nil)
    }

    fn change_terrain(&mut self, arguments: &[Value<'t>], span: Span) -> Result<StatementKind> {
        let (at, character, light) = match arguments {
            [x, y, character] => {
                let place = self.at(x, y, span)?;
                (self.point(place), character.clone(), Value::Nil)
            }
            [of @ Value::Selection(_), character] => (self.selected(of, span)?, character.clone(), Value::Nil),
            [place, character] => {
                let place = self.place(place, span)?;
                (self.point(place), character.clone(), Value::Nil)
            }
            _ => {
                let mut fields = self.fields(arguments.first(), span)?;
                let (selection, character) = (fields.take("selection"), fields.take("typ"));
                let light = fields.take("lit");
                let place = self.place_in(&mut fields)?;
                let at = match &selection {
                    Value::Nil => self.point(place),
                    of => self.selected(of, span)?,
                };
                (at, character, light)
            }
        };
        let mut terrain = self.terrain(&character, span)?;
        if !matches!(light, Value::Nil) {
            let given = self.light(&light, span)?;
            match &mut terrain.kind {
                ExprKind::MapCharacter { light, .. } => *light = Some(given),
                _ => return Stop::lacks(span, "terrain that is drawn, with its light"),
            }
        }
        Ok(StatementKind::Terrain { at, terrain })
    }

    fn replace(&mut self, mut fields: Fields<'t>, span: Span) -> Result<StatementKind> {
        let corners = self.corners(&mut fields)?;
        let selection = fields.take("selection");
        let (from, to) = (fields.take("fromterrain"), fields.take("toterrain"));
        if !matches!(fields.take("mapfragment"), Value::Nil) {
            return Stop::lacks(span, "a des-file cannot look for a piece of a map");
        }
        let chance = self.integer_or(&fields.take("chance"), 100, span)?;
        let light = fields.take("lit");
        let from = self.terrain(&from, span)?;
        let mut to = self.terrain(&to, span)?;
        if !matches!(light, Value::Nil) {
            let given = self.light(&light, span)?;
            if let ExprKind::MapCharacter { light, .. } = &mut to.kind {
                *light = Some(given);
            }
        }
        if let Some(corners) = corners {
            let region = expr(ExprKind::Region { corners }, span);
            return Ok(StatementKind::ReplaceTerrain {
                region,
                from,
                to: Box::new(to),
                chance: Spanned::new(chance, span),
            });
        }
        let of = match &selection {
            Value::Nil => {
                let everything = self.selection_function("negate", Vec::new(), span)?;
                self.selected(&everything, span)?
            }
            of => self.selected(of, span)?,
        };
        let kind = SelectionKind::FilterTerrain { terrain: from, selection: Box::new(of) };
        let mut at = Selection { kind, span };
        if chance < 100 {
            let percent = Spanned::new(chance, span);
            at = Selection { kind: SelectionKind::FilterPercent { percent, selection: Box::new(at) }, span };
        }
        Ok(StatementKind::Terrain { at, terrain: to })
    }

    fn mazewalk(&mut self, arguments: &[Value<'t>], span: Span) -> Result<StatementKind> {
        let (mut stocked, mut filling) = (None, None);
        let (place, direction) = if arguments.len() == 3 {
            (self.at(&arguments[0], &arguments[1], span)?, arguments[2].clone())
        } else {
            let mut fields = self.fields(arguments.first(), span)?;
            let place = self.place_in(&mut fields)?;
            stocked = self.truth(&fields.take("stocked"), span)?;
            filling = match fields.take("typ") {
                Value::Nil => None,
                value => {
                    // In des-files, a filling follows the other.
                    stocked = stocked.or(Some(true));
                    Some(Spanned::new(self.character(&value, span)?, span))
                }
            };
            let given = fields.take("dir");
            (place, given)
        };
        let word = self.word(&direction, span)?;
        let direction = self.direction(word.as_deref().unwrap_or("random"), span)?;
        Ok(StatementKind::MazeWalk { place, direction, stocked, filling })
    }
}

/// Returns an exclusion without squares of `inside`, for a level region that excludes nothing.
fn no_area(inside: &RegionSpec) -> RegionSpec {
    let [x1, y1, x2, y2] = inside.corners;
    let is_free = |x: i32, y: i32| !((x1..=x2).contains(&x) && (y1..=y2).contains(&y));
    let span = inside.span;
    if !inside.level && is_free(0, 0) {
        return RegionSpec { level: false, corners: [0; 4], span };
    }
    let free = [(1, 0), (79, 0), (1, 20), (79, 20)].into_iter().find(|&(x, y)| !inside.level || is_free(x, y));
    let (x, y) = free.unwrap_or((1, 0));
    RegionSpec { level: true, corners: [x, y, x, y], span }
}
