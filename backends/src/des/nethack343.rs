//! Levels in the language of NetHack 3.4.3: parts and rooms, one statement per line, no nesting.

use splc_ir::catalog::Catalog;
use splc_ir::level::*;
use splc_ir::parts::{BURIED, LIT, Layouts};
use splc_ir::source::{Span, Spanned};
use splc_ir::words::*;

use super::Unprintable;
use super::text::{DesText, boolean};

/// Writes `module`; see [`print`](super::print).
pub(super) fn print(module: &Module, catalog: &Catalog, out: DesText) -> Result<String, Vec<Unprintable>> {
    let mut printer = Printer { out: out.with_signs(), has_object_flags: Layouts::has(catalog, "object", "flags") };
    for item in &module.items {
        printer.out.blank_line();
        match item {
            Item::Level(level) => printer.level(level),
            Item::Function(function) => printer.out.cannot(function.name.span, "a FUNCTION"),
            Item::Include { path, .. } => printer.out.cannot(path.span, "an INCLUDE"),
        }
    }
    printer.out.finish()
}

struct Printer {
    out: DesText,
    /// Set if objects of the game have OBJFLAGS.
    has_object_flags: bool,
}

impl Printer {
    fn comma(&mut self) {
        self.out.push(",");
    }

    fn word(&mut self, word: &str) {
        self.out.push(",");
        self.out.push(word);
    }

    fn level(&mut self, level: &Level) {
        self.out.comments_before(level.span);
        match &level.kind {
            LevelKind::Maze { filling } => {
                self.out.push("MAZE:");
                self.out.quoted(&level.name.node, level.name.span);
                self.comma();
                match filling {
                    Some(filling) => self.out.character(filling.node, filling.span),
                    None => self.out.push("random"),
                }
            }
            LevelKind::Rooms => {
                self.out.push("LEVEL:");
                self.out.quoted(&level.name.node, level.name.span);
            }
            LevelKind::Script => self.out.cannot(level.name.span, "a level that is neither a MAZE nor rooms only"),
        }
        self.out.end_line();
        if let Some(flags) = &level.flags {
            flags.first().into_iter().for_each(|flag| self.out.comments_before(flag.span));
            for (at, flag) in flags.iter().enumerate() {
                self.out.push(if at == 0 { "FLAGS:" } else { "," });
                self.out.push(&flag.node);
            }
            self.out.end_line();
        }
        let mut rooms = Some(listed_rooms(&level.body)).filter(|rooms| !rooms.is_empty());
        let mut partings = self.out.partings(&level.body).into_iter().peekable();
        for (at, statement) in level.body.iter().enumerate() {
            if partings.next_if_eq(&at).is_some() {
                self.out.blank_line();
            }
            match &statement.kind {
                // All rooms are written at the position of the first, in the order of the level file.
                StatementKind::Room(_) => rooms.take().iter().for_each(|rooms| self.rooms(rooms)),
                _ => self.statement(statement),
            }
        }
    }

    fn rooms(&mut self, rooms: &[ListedRoom<'_>]) {
        for listed in rooms {
            let around = listed.around.and_then(|around| rooms.get(around)).map(|around| around.room);
            self.room(listed.room, around, listed.span);
        }
    }

    /// Writes statements except rooms, which are written separately.
    fn statements(&mut self, statements: &[Statement]) {
        for statement in statements.iter().filter(|statement| !matches!(statement.kind, StatementKind::Room(_))) {
            self.statement(statement);
        }
    }

    fn statement(&mut self, statement: &Statement) {
        self.out.comments_before(statement.span);
        match &statement.kind {
            StatementKind::Chance { condition: Condition::Percent(percent), then } => self.thing(then, Some(*percent)),
            StatementKind::Monster(_) | StatementKind::Object(_) | StatementKind::Trap { .. } => {
                self.thing(statement, None);
            }
            _ => {
                self.plain(statement);
                self.out.end_line();
            }
        }
    }

    /// Writes a statement that can have a chance, and the things in it.
    fn thing(&mut self, statement: &Statement, chance: Option<Spanned<i32>>) {
        self.out.push(match &statement.kind {
            StatementKind::Monster(_) => "MONSTER",
            StatementKind::Object(object) if object.contents.is_some() => "CONTAINER",
            StatementKind::Object(_) => "OBJECT",
            StatementKind::Trap { .. } => "TRAP",
            _ => return self.out.cannot(statement.span, "a chance of this statement"),
        });
        if let Some(percent) = chance {
            self.out.push("[");
            self.out.number(percent.node);
            self.out.push("%]");
        }
        self.out.push(":");
        match &statement.kind {
            StatementKind::Monster(monster) => {
                self.monster(monster);
                self.out.end_line();
            }
            StatementKind::Object(object) => {
                self.object(object);
                self.out.end_line();
                self.object_flags(object);
                self.statements(object.contents.as_deref().unwrap_or_default());
            }
            StatementKind::Trap { trap, place } => {
                self.out.or_random(trap, |out, trap| out.quoted(&trap.node, trap.span));
                self.comma();
                self.place(place);
                self.out.end_line();
            }
            _ => {}
        }
    }

    fn plain(&mut self, statement: &Statement) {
        let span = statement.span;
        match &statement.kind {
            StatementKind::Message { text, to } => {
                self.out.push(match to {
                    Audience::Everyone => "MESSAGE:",
                    Audience::Hallucinating => "HALLUMSG:",
                });
                self.text(text);
            }
            StatementKind::InitMap(init) => self.init_map(init, span),
            StatementKind::Map(map) => self.map(map, span),
            StatementKind::Registers { of, values } => {
                self.out.push(match of {
                    RegisterKind::Object => "RANDOM_OBJECTS",
                    RegisterKind::Monster => "RANDOM_MONSTERS",
                    _ => "RANDOM_PLACES",
                });
                if let RegisterKind::PlaceList(list) = of {
                    self.out.push(&format!("[{list}]"));
                }
                for (at, value) in values.iter().enumerate() {
                    self.out.push(if at == 0 { ":" } else { "," });
                    match &value.kind {
                        ExprKind::Object(SpeciesName::Class(class)) | ExprKind::Monster(SpeciesName::Class(class)) => {
                            self.out.character(*class, value.span);
                        }
                        _ => self.place(value),
                    }
                }
            }
            StatementKind::RoomDoor { secret, state, walls, position, also, .. } => {
                self.out.push("DOOR:");
                self.out.or_random(secret, |out, secret| out.push(boolean(*secret)));
                self.comma();
                self.out.door_state(state);
                self.comma();
                match walls {
                    OrRandom::Random => self.out.push("random"),
                    OrRandom::Is(walls) => match walls.as_slice() {
                        [wall] => self.out.push(wall.node.as_str()),
                        _ => self.out.cannot(span, "a door in one of several walls"),
                    },
                }
                self.comma();
                self.out.or_random(position, |out, position| out.number(position.node));
                self.also(also);
            }
            StatementKind::Door { state, at, also } => {
                self.out.push("DOOR:");
                self.out.door_state(state);
                self.comma();
                self.square(at);
                self.also(also);
            }
            StatementKind::Region(region) => self.region(region, span),
            StatementKind::Stair { place, direction } => self.way("STAIR:", place, *direction),
            StatementKind::Ladder { place, direction } => self.way("LADDER:", place, *direction),
            StatementKind::LevelRegion(region) => self.out.level_region(region, ":", ","),
            StatementKind::Altar { place, alignment, altar, also } => {
                self.out.push("ALTAR:");
                self.place(place);
                self.comma();
                self.alignment(*alignment);
                self.comma();
                self.out.or_random(altar, |out, altar| out.push(altar.as_str()));
                self.also(also);
            }
            StatementKind::Fountain { at } => self.on_square("FOUNTAIN:", at),
            StatementKind::Sink { at } => self.on_square("SINK:", at),
            StatementKind::Pool { at } => self.on_square("POOL:", at),
            StatementKind::Place { word, at } => self.on_square(&format!("{word}:"), at),
            StatementKind::Gold { amount, place } => {
                self.out.push("GOLD:");
                self.number(amount);
                self.comma();
                self.place(place);
            }
            StatementKind::Engraving { place, engraving, text } => {
                self.out.push("ENGRAVING:");
                self.place(place);
                self.comma();
                self.out.or_random(engraving, |out, engraving| out.push(engraving.as_str()));
                self.comma();
                self.text(text);
            }
            StatementKind::Drawbridge { place, direction, state } => {
                self.out.push("DRAWBRIDGE:");
                self.place(place);
                self.word(direction.node.as_str());
                self.comma();
                self.out.door_state(state);
            }
            StatementKind::MazeWalk { place, direction, stocked: None, filling: None } => {
                self.out.push("MAZEWALK:");
                self.place(place);
                self.word(direction.as_str());
            }
            StatementKind::Wallify { at: None } => self.out.push("WALLIFY"),
            StatementKind::NonDiggable { region } => self.on_region("NON_DIGGABLE:", region),
            StatementKind::NonPasswall { region } => self.on_region("NON_PASSWALL:", region),
            StatementKind::Corridor { from, to } => {
                self.out.push("CORRIDOR:");
                self.out.corridor_end(from);
                self.comma();
                match to {
                    CorridorTarget::Door(end) => self.out.corridor_end(end),
                    CorridorTarget::Number(number) => self.out.number(number.node),
                }
            }
            StatementKind::RandomCorridors { style: CorridorStyle::Default } => self.out.push("RANDOM_CORRIDORS"),
            _ => self.out.cannot(span, "this statement"),
        }
    }

    // --- Values

    fn text(&mut self, text: &Expr) {
        match &text.kind {
            ExprKind::String(string) => self.out.quoted(string, text.span),
            _ => self.out.cannot(text.span, "a string that is not a constant"),
        }
    }

    fn number(&mut self, number: &Expr) {
        match number.kind {
            ExprKind::Integer(number) => self.out.number(number),
            ExprKind::Random => self.out.push("random"),
            _ => self.out.cannot(number.span, "a number that is not a constant"),
        }
    }

    fn place(&mut self, place: &Expr) {
        match &place.kind {
            ExprKind::Coordinate { x, y } => self.out.pair(*x, *y, place.span),
            ExprKind::Register { of: RegisterKind::Place, index } => self.register("place", *index),
            ExprKind::Register { of: RegisterKind::PlaceList(list), index } => {
                self.register(&format!("place[{list}]"), *index);
            }
            ExprKind::Register { of: RegisterKind::Region, index } => self.register("region", *index),
            ExprKind::RandomCoordinate { humidity } if humidity.is_empty() => self.out.push("random"),
            ExprKind::Checked { place, word } => {
                self.place(place);
                self.out.push("[");
                self.out.push(word);
                self.out.push("]");
            }
            _ => self.out.cannot(place.span, "a place that is not a constant"),
        }
    }

    /// Writes words added by a catalog, unchanged.
    fn also(&mut self, also: &[Spanned<splc_ir::source::Text>]) {
        also.iter().for_each(|written| self.word(&written.node));
    }

    fn square(&mut self, at: &Selection) {
        match &at.kind {
            SelectionKind::Point(place) => self.place(place),
            _ => self.out.cannot(at.span, "more than one square"),
        }
    }

    fn register(&mut self, word: &str, index: Spanned<i32>) {
        self.out.push(word);
        self.out.push("[");
        self.out.number(index.node);
        self.out.push("]");
    }

    fn on_square(&mut self, word: &str, at: &Selection) {
        self.out.push(word);
        self.square(at);
    }

    fn on_region(&mut self, word: &str, region: &Expr) {
        self.out.push(word);
        match region.kind {
            ExprKind::Region { corners } => self.out.corners(corners, region.span),
            _ => self.out.cannot(region.span, "a region that is not a constant"),
        }
    }

    fn way(&mut self, word: &str, place: &Expr, direction: UpDown) {
        self.out.push(word);
        self.place(place);
        self.word(direction.as_str());
    }

    fn alignment(&mut self, alignment: AlignmentSpec) {
        match alignment {
            AlignmentSpec::Is(alignment) => self.out.push(alignment.as_str()),
            AlignmentSpec::Register(index) => self.register("align", index),
            AlignmentSpec::Random => self.out.push("random"),
        }
    }

    // --- Maps and rooms

    fn init_map(&mut self, init: &InitMap, span: Span) {
        let InitMap::Mines { foreground, background, smoothed, joined, light, walled, filling: None, iced } = init
        else {
            return self.out.cannot(span, "an INIT_MAP of this style");
        };
        self.out.push("INIT_MAP:");
        self.out.character(foreground.node, foreground.span);
        self.comma();
        self.out.character(background.node, background.span);
        self.word(boolean(*smoothed));
        self.word(boolean(joined.node));
        self.comma();
        self.out.light(*light);
        self.comma();
        self.out.or_random(walled, |out, walled| out.push(boolean(*walled)));
        if let Some(iced) = iced {
            self.word(boolean(iced.node));
        }
    }

    fn map(&mut self, map: &Map, span: Span) {
        match map {
            Map::None => self.out.push("NOMAP"),
            Map::Drawn { position: MapPosition::Aligned { horizontal, vertical }, keep_regions: None, rows } => {
                self.out.push("GEOMETRY:");
                self.out.push(horizontal.as_str());
                self.word(vertical.as_str());
                self.out.end_line();
                self.out.comments_at_edge(rows.span);
                self.out.ruler(rows);
                self.out.flush_line("MAP");
                rows.rows.iter().for_each(|row| self.out.flush_line(row));
                self.out.push("ENDMAP");
            }
            Map::Drawn { .. } => self.out.cannot(span, "a map at a fixed place"),
        }
    }

    fn region(&mut self, region: &Region, span: Span) {
        self.on_region("REGION:", &region.area);
        self.comma();
        self.out.light(region.light);
        self.comma();
        self.out.or_random(&region.room_type, |out, name| out.quoted(&name.node, name.span));
        // The filling comes before the irregularity, which requires it.
        for (at, flag) in region.flags.iter().flatten().enumerate() {
            match (at, flag.node) {
                (0, RoomFlag::Filling(word)) => self.word(word.as_str()),
                (1, RoomFlag::Irregular(word)) => self.word(boolean(word == Irregular::Irregular)),
                _ => self.out.cannot(flag.span, "this flag of a region here"),
            }
        }
        if region.body.is_some() {
            self.out.cannot(span, "statements within a region");
        }
    }

    fn room(&mut self, room: &Room, around: Option<&Room>, span: Span) {
        self.out.blank_line();
        self.out.comments_before(span);
        let parent = match (&room.placement, around) {
            (RoomPlacement::Level { .. }, _) => None,
            (RoomPlacement::Stray { parent, .. }, _) => Some(parent),
            (RoomPlacement::Room { .. }, around) => {
                let name = around.and_then(|around| around.name.as_ref());
                if name.is_none() {
                    self.out.cannot(span, "a subroom of a room without a NAME");
                }
                name
            }
        };
        self.out.push(if matches!(room.placement, RoomPlacement::Level { .. }) { "ROOM:" } else { "SUBROOM:" });
        self.out.or_random(&room.room_type, |out, name| out.quoted(&name.node, name.span));
        self.comma();
        self.out.light(room.light);
        self.comma();
        let (RoomPlacement::Level { position, .. }
        | RoomPlacement::Room { position, .. }
        | RoomPlacement::Stray { position, .. }) = &room.placement;
        self.out.or_random(position, |out, position| out.pair(position.node.0, position.node.1, position.span));
        if let RoomPlacement::Level { alignment, .. } = &room.placement {
            self.comma();
            self.out.alignments(alignment);
        }
        self.comma();
        self.out.or_random(&room.size, |out, (width, height)| out.pair(width.node, height.node, width.span));
        if let Some(parent) = parent {
            self.comma();
            self.out.quoted(&parent.node, parent.span);
        }
        for flag in room.flags.iter().flatten() {
            match flag.node {
                RoomFlag::Filling(word) => self.word(boolean(word == Filling::Filled)),
                _ => self.out.cannot(flag.span, "this flag of a room"),
            }
        }
        self.out.end_line();
        if let Some(name) = &room.name {
            self.out.push("NAME:");
            self.out.quoted(&name.node, name.span);
            self.out.end_line();
        }
        if let Some(chance) = room.chance {
            self.out.push("CHANCE:");
            self.out.number(chance.node);
            self.out.end_line();
        }
        self.statements(&room.body);
    }

    // --- Things

    /// Writes the class and name of a monster or object.
    fn species(&mut self, what: &Expr) {
        match &what.kind {
            ExprKind::Monster(name) | ExprKind::Object(name) => match name {
                SpeciesName::Random => self.out.push("random,random"),
                SpeciesName::Class(class) => {
                    self.out.character(*class, what.span);
                    self.out.push(",random");
                }
                SpeciesName::ClassAndName(class, name) => {
                    self.out.character(*class, what.span);
                    self.comma();
                    self.out.quoted(name, what.span);
                }
                SpeciesName::RandomAndName(name) => {
                    self.out.push("random,");
                    self.out.quoted(name, what.span);
                }
                SpeciesName::Name(_) => self.out.cannot(what.span, "a name without its class"),
            },
            ExprKind::Register { of, index } => {
                self.class_register(*of, *index);
                self.out.push(",random");
            }
            ExprKind::NamedRegister { of, index, name } => {
                self.class_register(*of, *index);
                self.comma();
                self.out.quoted(name, what.span);
            }
            _ => self.out.cannot(what.span, "a value that is not a constant"),
        }
    }

    fn class_register(&mut self, of: RegisterKind, index: Spanned<i32>) {
        self.register(if of == RegisterKind::Monster { "monster" } else { "object" }, index);
    }

    fn monster(&mut self, monster: &Monster) {
        self.species(&monster.monster);
        self.comma();
        self.place(&monster.place);
        for detail in &monster.details {
            self.comma();
            match &detail.node {
                MonsterDetail::Name(name) => self.text(name),
                MonsterDetail::Attitude(OrRandom::Is(word)) => self.out.push(word.as_str()),
                MonsterDetail::Alertness(OrRandom::Is(word)) => self.out.push(word.as_str()),
                MonsterDetail::Alignment(alignment) => self.alignment(*alignment),
                MonsterDetail::Appearance(word, name) => {
                    self.out.push(word.as_str());
                    self.out.push(" ");
                    self.text(name);
                }
                _ => self.out.cannot(detail.span, "this detail of a monster"),
            }
        }
        if monster.inventory.is_some() {
            self.out.cannot(monster.monster.span, "the inventory of a monster");
        }
    }

    /// Writes OBJFLAGS on the line after the object.
    fn object_flags(&mut self, object: &Object) {
        let words = object.details.iter().filter_map(|detail| match &detail.node {
            ObjectDetail::Buried => Some(BURIED),
            ObjectDetail::Light(Light::Lit) => Some(LIT),
            _ => None,
        });
        let words: Vec<&str> = words.filter(|_| self.has_object_flags).collect();
        if !words.is_empty() {
            self.out.push("OBJFLAGS:");
            self.out.push(&words.join(","));
            self.out.end_line();
        }
    }

    /// Writes the class, name and place of an object, followed by its details, if any. The enchantment is then
    /// required, because it separates the details around it.
    fn object(&mut self, object: &Object) {
        self.species(&object.object);
        let (mut place, mut curse, mut of, mut enchantment, mut name) = (None, None, None, None, None);
        for detail in &object.details {
            match &detail.node {
                ObjectDetail::Place(value) => place = Some(value),
                ObjectDetail::Curse(word) => {
                    curse = Some(match word {
                        OrRandom::Is(word) => word.as_str(),
                        OrRandom::Random => "random",
                    });
                }
                ObjectDetail::Own(own) if own.value.is_none() => curse = Some(own.word.as_str()),
                ObjectDetail::MonsterType(value) => of = Some(value),
                ObjectDetail::Enchantment(value) => enchantment = Some(value),
                ObjectDetail::Name(value) => name = Some(value),
                ObjectDetail::Buried | ObjectDetail::Light(Light::Lit) if self.has_object_flags => {}
                _ => self.out.cannot(detail.span, "this detail of an object"),
            }
        }
        self.comma();
        match place {
            Some(place) => self.place(place),
            None => self.out.push("contained"),
        }
        if curse.is_none() && of.is_none() && enchantment.is_none() && name.is_none() {
            return;
        }
        match (curse, of) {
            (Some(curse), _) => self.word(curse),
            (None, None) => self.word("random"),
            (None, Some(_)) => {}
        }
        if let Some(of) = of {
            self.comma();
            self.text(of);
        }
        self.comma();
        match enchantment.map(|value| &value.kind) {
            None => self.out.push("random"),
            Some(ExprKind::Integer(number)) => {
                self.out.push(if *number > 0 { "+" } else { "" });
                self.out.number(*number);
            }
            Some(_) => enchantment.into_iter().for_each(|value| self.number(value)),
        }
        if let Some(name) = name {
            self.comma();
            self.text(name);
        }
    }
}
