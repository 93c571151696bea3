//! Levels in the script dialects: UnNetHack, SporkHack, NetHack 3.6.

use splc_ir::catalog::{Catalog, Feature};
use splc_ir::level::*;
use splc_ir::source::{Span, Spanned, Text};
use splc_ir::words::*;

use super::Unprintable;
use super::text::{DesText, boolean};

/// Differences in spelling between the dialects.
pub(super) struct Spelling {
    /// Set if a chance is written before the colon of its statement. Not every statement can then have one.
    chance_before_colon: bool,
    /// Set if the ends of a line are joined with a comma, not with a dash.
    pub(super) comma_lines: bool,
    /// Set if the values of a gradient are joined with a comma.
    pub(super) comma_gradients: bool,
    /// Set if irregular regions are marked with a truth value.
    pub(super) irregular_truth: bool,
    /// Set if `-` is a letter of words, so that there are no differences.
    pub(super) dashes_are_words: bool,
    /// The words that introduce a typed value, and a name.
    pub(super) monster: &'static str,
    pub(super) object: &'static str,
    terrain: &'static str,
    name: &'static str,
}

/// Returns the first of two synonyms if the game's lexer knows it, otherwise the second.
fn known(catalog: &Catalog, first: &'static str, second: &'static str) -> &'static str {
    if catalog.is_keyword(first) { first } else { second }
}

/// The characters allowed in a name besides letters and `_`.
#[derive(Clone, Copy, PartialEq, Eq)]
enum NameParts {
    Letters,
    Digits,
    /// Digits, and dots in the middle.
    Dots,
}

/// Returns true if `name` is a valid identifier.
fn is_name(name: &str, parts: NameParts) -> bool {
    let letter = |byte: u8| byte.is_ascii_alphabetic() || byte == b'_';
    let inner = |byte: u8| match byte {
        b'.' => parts == NameParts::Dots,
        byte => letter(byte) || parts != NameParts::Letters && byte.is_ascii_digit(),
    };
    name.bytes().next().is_some_and(letter) && name.bytes().all(inner) && !name.ends_with('.') && !name.contains("..")
}

pub(super) struct Script<'a> {
    pub(super) out: DesText,
    pub(super) spelling: Spelling,
    catalog: &'a Catalog,
    /// The enclosing statements, innermost last.
    around: Vec<Span>,
}

/// Writes `module`; see [`print`](super::print).
pub(super) fn print(module: &Module, catalog: &Catalog, out: DesText) -> Result<String, Vec<Unprintable>> {
    let spelling = Spelling {
        chance_before_colon: catalog.has(Feature::ChanceBeforeColon),
        comma_lines: catalog.has(Feature::CommaLines),
        comma_gradients: catalog.has(Feature::CommaGradients),
        irregular_truth: catalog.has(Feature::IrregularTruth),
        dashes_are_words: catalog.has(Feature::DashedWords),
        monster: known(catalog, "monster", "MONSTER"),
        object: known(catalog, "object", "OBJECT"),
        terrain: known(catalog, "terrain", "TERRAIN"),
        name: known(catalog, "name", "NAME"),
    };
    let mut script = Script { out, spelling, catalog, around: Vec::new() };
    for item in &module.items {
        script.out.blank_line();
        match item {
            Item::Include { path, .. } => {
                script.out.comments_before(path.span);
                script.out.push("INCLUDE ");
                script.out.quoted(&path.node, path.span);
                script.out.end_line();
            }
            Item::Function(function) => {
                script.out.comments_before(function.span);
                script.function(function);
                script.out.end_line();
            }
            Item::Level(level) => script.level(level),
        }
    }
    script.out.finish()
}

impl Script<'_> {
    fn comma(&mut self) {
        self.out.push(", ");
    }

    fn word(&mut self, word: &str) {
        self.out.push(", ");
        self.out.push(word);
    }

    // --- Levels, functions, blocks

    fn level(&mut self, level: &Level) {
        self.out.comments_before(level.span);
        match &level.kind {
            LevelKind::Script => {
                self.out.push("LEVEL: ");
                self.out.quoted(&level.name.node, level.name.span);
            }
            LevelKind::Maze { filling } => {
                self.out.push("MAZE: ");
                self.out.quoted(&level.name.node, level.name.span);
                self.comma();
                match filling {
                    Some(filling) => self.out.character(filling.node, filling.span),
                    None => self.out.push("random"),
                }
            }
            LevelKind::Rooms => self.out.cannot(level.name.span, "a level of rooms only"),
        }
        self.out.end_line();
        if let Some(flags) = &level.flags {
            flags.first().into_iter().for_each(|flag| self.out.comments_before(flag.span));
            self.out.push("FLAGS: ");
            for (at, flag) in flags.iter().enumerate() {
                self.out.push(if at == 0 { "" } else { "," });
                self.out.push(&flag.node);
            }
            self.out.end_line();
        }
        let partings = self.out.partings(&level.body);
        self.around.push(level.span);
        self.separated_statements(&level.body, &partings);
        self.around.pop();
    }

    fn statements(&mut self, statements: &[Statement]) {
        self.separated_statements(statements, &[]);
    }

    /// Writes statements with a blank line before some of them.
    fn separated_statements(&mut self, statements: &[Statement], partings: &[usize]) {
        let mut partings = partings.iter().peekable();
        for (at, statement) in statements.iter().enumerate() {
            if partings.next_if(|&&parting| parting == at).is_some() {
                self.out.blank_line();
            }
            self.out.comments_before(statement.span);
            self.out.begin_line();
            self.around.push(statement.span);
            self.statement(statement);
            self.around.pop();
            self.out.end_line();
        }
    }

    /// Writes a block that opens on the current line.
    fn block(&mut self, statements: &[Statement]) {
        if statements.is_empty() && self.out.is_read_back() {
            return self.out.push(" { }");
        }
        self.out.push(" {");
        self.out.end_line();
        self.out.deeper();
        self.statements(statements);
        self.out.shallower();
        if let Some(around) = self.around.last() {
            self.out.deeper();
            self.out.comments_within(*around);
            self.out.shallower();
        }
        self.close_block();
    }

    fn open_block(&mut self, statements: &[Statement]) {
        self.out.push(" {");
        self.out.end_line();
        self.out.deeper();
        self.statements(statements);
        self.out.shallower();
    }

    fn close_block(&mut self) {
        self.out.begin_line();
        self.out.push("}");
    }

    fn function(&mut self, function: &Function) {
        self.out.push("FUNCTION ");
        self.function_name(&function.name);
        self.out.push("(");
        for (at, parameter) in function.parameters.iter().enumerate() {
            if at > 0 {
                self.comma();
            }
            self.variable_name(&parameter.name.node, parameter.name.span);
            self.out.push(match parameter.ty.value {
                ValueType::String => ": string",
                _ => ": int",
            });
        }
        self.out.push(")");
        self.around.push(function.span);
        self.block(&function.body);
        self.around.pop();
    }

    /// Writes the name of a variable, with its `$`.
    pub(super) fn variable_name(&mut self, name: &str, span: Span) {
        let parts = match self.spelling.dashes_are_words {
            true => NameParts::Letters,
            false => self.name_parts(),
        };
        if !name.strip_prefix('$').is_some_and(|name| is_name(name, parts)) {
            self.out.cannot(span, "a variable with this name");
        }
        self.out.push(name);
    }

    fn name_parts(&self) -> NameParts {
        if self.catalog.has(Feature::UndottedWords) { NameParts::Digits } else { NameParts::Dots }
    }

    fn function_name(&mut self, name: &Spanned<Text>) {
        if !is_name(&name.node, self.name_parts()) || self.catalog.is_keyword(&name.node) {
            self.out.cannot(name.span, "a function with this name");
        }
        self.out.push(&name.node);
    }

    // --- Statements

    fn statement(&mut self, statement: &Statement) {
        let span = statement.span;
        match &statement.kind {
            StatementKind::Message { text, to: Audience::Everyone } => {
                self.out.push("MESSAGE: ");
                self.expr(text);
            }
            StatementKind::InitMap(init) => self.init_map(init),
            StatementKind::Map(map) => self.map(map),
            StatementKind::Monster(_)
            | StatementKind::Object(_)
            | StatementKind::Trap { .. }
            | StatementKind::Terrain { .. } => self.with_chance(statement, None),
            StatementKind::Chance { condition, then } => self.chance(condition, then),
            StatementKind::Room(room) => self.room(room),
            StatementKind::RoomDoor { secret, state, walls, position, also, .. } => {
                self.out.push("ROOMDOOR: ");
                self.door_material(also);
                self.out.or_random(secret, |out, secret| out.push(boolean(*secret)));
                self.comma();
                self.out.door_state(state);
                self.door_flags(also);
                self.comma();
                match walls {
                    OrRandom::Random => self.out.push("random"),
                    OrRandom::Is(walls) => self.directions(walls),
                }
                self.comma();
                self.out.or_random(position, |out, position| out.natural(position.node, position.span));
            }
            StatementKind::Door { state, at, also } => {
                self.out.push("DOOR: ");
                self.door_material(also);
                self.out.door_state(state);
                self.door_flags(also);
                self.comma();
                self.selection(at);
            }
            StatementKind::Region(region) => self.region(region),
            StatementKind::Stair { place, direction } => self.way("STAIR: ", place, *direction),
            StatementKind::Ladder { place, direction } => self.way("LADDER: ", place, *direction),
            StatementKind::LevelRegion(region) => self.out.level_region(region, ": ", ", "),
            StatementKind::Altar { place, alignment, altar, also: _ } => {
                self.out.push("ALTAR: ");
                self.atom(place);
                self.comma();
                match alignment {
                    AlignmentSpec::Random => self.out.push("random"),
                    alignment => self.alignment(*alignment),
                }
                self.comma();
                self.out.or_random(altar, |out, altar| out.push(altar.as_str()));
            }
            StatementKind::Grave { place, epitaph } => {
                self.out.push("GRAVE: ");
                self.atom(place);
                match epitaph {
                    Epitaph::None => {}
                    Epitaph::Random => self.word("random"),
                    Epitaph::Text(text) => {
                        self.comma();
                        self.expr(text);
                    }
                }
            }
            StatementKind::Fountain { at } => self.on_selection("FOUNTAIN: ", at),
            StatementKind::Sink { at } => self.on_selection("SINK: ", at),
            StatementKind::Pool { at } => self.on_selection("POOL: ", at),
            StatementKind::Place { word, at } => self.on_selection(&format!("{word}: "), at),
            StatementKind::Gold { amount, place } => {
                self.out.push("GOLD: ");
                self.sum(amount);
                self.comma();
                self.atom(place);
            }
            StatementKind::Engraving { place, engraving, text } => {
                self.out.push("ENGRAVING: ");
                self.atom(place);
                self.comma();
                self.out.or_random(engraving, |out, engraving| out.push(engraving.as_str()));
                self.comma();
                self.expr(text);
            }
            StatementKind::Drawbridge { place, direction, state } => {
                self.out.push("DRAWBRIDGE: ");
                self.atom(place);
                self.word(direction.node.as_str());
                self.comma();
                self.out.door_state(state);
            }
            StatementKind::MazeWalk { place, direction, stocked, filling } => {
                self.out.push("MAZEWALK: ");
                self.atom(place);
                self.word(direction.as_str());
                match (stocked, filling) {
                    (Some(stocked), _) => self.word(boolean(*stocked)),
                    (None, Some(filling)) => self.out.cannot(filling.span, "a filling without true or false before it"),
                    (None, None) => {}
                }
                if let Some(filling) = filling {
                    self.comma();
                    self.out.character(filling.node, filling.span);
                }
            }
            StatementKind::Wallify { at: None } => self.out.push("WALLIFY"),
            StatementKind::Wallify { at: Some(WallifyArea::Selection(at)) } => self.on_selection("WALLIFY: ", at),
            StatementKind::Wallify { at: Some(WallifyArea::Region(region)) } => self.on_value("WALLIFY: ", region),
            StatementKind::NonDiggable { region } => self.on_value("NON_DIGGABLE: ", region),
            StatementKind::NonPasswall { region } => self.on_value("NON_PASSWALL: ", region),
            StatementKind::Topologize { place } => self.on_value("TOPOLOGIZE: ", place),
            StatementKind::Corridor { from, to } => {
                self.out.push("CORRIDOR: ");
                self.out.corridor_end(from);
                self.comma();
                match to {
                    CorridorTarget::Door(end) => self.out.corridor_end(end),
                    CorridorTarget::Number(number) => self.out.number(number.node),
                }
            }
            StatementKind::RandomCorridors { style } => {
                self.out.push("RANDOM_CORRIDORS");
                match style {
                    CorridorStyle::Default => {}
                    CorridorStyle::Random => self.out.push(": random"),
                    CorridorStyle::Number(number) => {
                        self.out.push(": ");
                        self.out.number(number.node);
                    }
                }
            }
            StatementKind::ReplaceTerrain { region, from, to, chance } => {
                self.on_value("REPLACE_TERRAIN: ", region);
                self.comma();
                self.atom(from);
                self.comma();
                self.atom(to);
                self.percent(*chance);
            }
            StatementKind::Spill { place, terrain, direction, amount } => {
                self.on_value("SPILL: ", place);
                self.comma();
                self.atom(terrain);
                self.word(direction.as_str());
                self.comma();
                if self.catalog.has(Feature::SpillTakesNumbers) { self.atom(amount) } else { self.sum(amount) }
            }
            StatementKind::WallWalk { place, from, to, chance } => {
                self.on_value("WALLWALK: ", place);
                self.comma();
                self.atom(to);
                if let Some(from) = from {
                    self.comma();
                    self.atom(from);
                }
                if let Some(chance) = chance {
                    self.percent(*chance);
                }
            }
            StatementKind::Mineralize { chances } => {
                self.out.push("MINERALIZE");
                for (at, chance) in chances.iter().flat_map(|chances| chances.iter()).enumerate() {
                    self.out.push(if at == 0 { ": " } else { ", " });
                    self.sum(chance);
                }
            }
            StatementKind::MonsterGeneration { chance, entries } => self.monster_generation(*chance, entries),
            StatementKind::Sounds { frequency, sounds } => {
                self.out.push("SOUNDS: ");
                self.sum(frequency);
                for sound in sounds {
                    self.out.push(", (");
                    self.out.push(sound.kind.as_str());
                    self.comma();
                    self.expr(&sound.text);
                    self.out.push(")");
                }
            }
            StatementKind::VaultGeneration { frequency } => {
                self.out.push("VAULTGEN: ");
                self.out.natural(frequency.node, frequency.span);
            }
            StatementKind::VaultDepth { depth } => {
                self.out.push("MINDEPTH: ");
                self.out.natural(depth.node, depth.span);
            }
            StatementKind::Define { variable, value } => {
                self.variable_name(&variable.node, variable.span);
                self.out.push(" = ");
                self.definition(value);
            }
            StatementKind::Shuffle { variable } => {
                self.out.push("SHUFFLE: ");
                self.variable_name(&variable.node, variable.span);
            }
            StatementKind::Function(function) => self.function(function),
            StatementKind::Call { function, arguments } => {
                self.function_name(function);
                self.out.push("(");
                for (at, argument) in arguments.iter().enumerate() {
                    if at > 0 {
                        self.comma();
                    }
                    self.expr(argument);
                }
                self.out.push(")");
            }
            StatementKind::If { condition, then, otherwise } => {
                self.out.push("IF ");
                self.condition(condition);
                match otherwise {
                    None => self.block(then),
                    Some(otherwise) => {
                        self.open_block(then);
                        if let Some(condition) = self.around.last() {
                            self.out.deeper();
                            self.out.comments_before_else(*condition, otherwise);
                            self.out.shallower();
                        }
                        self.close_block();
                        self.out.push(" ELSE");
                        self.block(otherwise);
                    }
                }
            }
            StatementKind::Switch { value, cases } => self.switch(value, cases),
            StatementKind::For { variable, from, to, body } => {
                self.out.push("FOR ");
                self.variable_name(&variable.node, variable.span);
                self.out.push(" = ");
                // Compile-time constants have no parentheses, and thus no sign.
                let constant = self.catalog.has(Feature::ConstantFor);
                if constant {
                    self.atom(from)
                } else {
                    self.sum(from)
                }
                self.out.push(" TO ");
                if constant {
                    self.atom(to)
                } else {
                    self.sum(to)
                }
                self.block(body);
            }
            StatementKind::Loop { count, body } => {
                self.out.push("LOOP [");
                self.sum(count);
                self.out.push("]");
                self.block(body);
            }
            StatementKind::Break => self.out.push("BREAK"),
            StatementKind::Exit => self.out.push("EXIT"),
            StatementKind::Registers { .. } => self.out.cannot(span, "registers"),
            StatementKind::Message { .. } => self.out.cannot(span, "HALLUMSG"),
            StatementKind::Error => self.out.cannot(span, "invalid syntax"),
        }
    }

    /// Writes the head of a statement before whose colon SporkHack allows a chance.
    fn with_chance(&mut self, statement: &Statement, condition: Option<&Condition>) {
        self.out.push(match &statement.kind {
            StatementKind::Monster(_) => "MONSTER",
            StatementKind::Object(object) if object.contents.is_some() => "CONTAINER",
            StatementKind::Object(_) => "OBJECT",
            StatementKind::Trap { .. } => "TRAP",
            _ => "TERRAIN",
        });
        if let Some(condition) = condition {
            self.condition(condition);
        }
        self.out.push(": ");
        match &statement.kind {
            StatementKind::Monster(monster) => self.monster(monster),
            StatementKind::Object(object) => self.object(object),
            StatementKind::Trap { trap, place } => {
                self.out.or_random(trap, |out, trap| out.quoted(&trap.node, trap.span));
                self.comma();
                self.atom(place);
            }
            StatementKind::Terrain { at, terrain } => {
                self.selection(at);
                self.comma();
                self.atom(terrain);
            }
            _ => self.out.cannot(statement.span, "a chance of this statement"),
        }
    }

    fn chance(&mut self, condition: &Condition, then: &Statement) {
        let takes_chance = matches!(
            then.kind,
            StatementKind::Monster(_)
                | StatementKind::Object(_)
                | StatementKind::Trap { .. }
                | StatementKind::Terrain { .. }
        );
        if !self.spelling.chance_before_colon {
            self.condition(condition);
            self.out.push(": ");
            self.statement(then);
        } else if takes_chance {
            self.with_chance(then, Some(condition));
        } else {
            self.out.push("IF ");
            self.condition(condition);
            self.block(std::slice::from_ref(then));
        }
    }

    fn way(&mut self, word: &str, place: &Expr, direction: UpDown) {
        self.on_value(word, place);
        self.word(direction.as_str());
    }

    fn on_value(&mut self, word: &str, value: &Expr) {
        self.out.push(word);
        self.atom(value);
    }

    fn on_selection(&mut self, word: &str, at: &Selection) {
        self.out.push(word);
        self.selection(at);
    }

    fn percent(&mut self, percent: Spanned<i32>) {
        self.comma();
        self.out.natural(percent.node, percent.span);
        self.out.push("%");
    }

    pub(super) fn directions(&mut self, directions: &[Spanned<Direction>]) {
        for (at, direction) in directions.iter().enumerate() {
            self.out.push(if at == 0 { "" } else { "|" });
            self.out.push(direction.node.as_str());
        }
    }

    /// Writes an alignment where `random` means something else.
    fn alignment(&mut self, alignment: AlignmentSpec) {
        match alignment {
            AlignmentSpec::Is(alignment) => self.out.push(alignment.as_str()),
            AlignmentSpec::Random => self.out.push("align:random"),
            AlignmentSpec::Register(index) => {
                self.out.push("align[");
                self.out.natural(index.node, index.span);
                self.out.push("]");
            }
        }
    }

    fn condition(&mut self, condition: &Condition) {
        self.out.push("[");
        match condition {
            Condition::Percent(percent) => {
                self.out.natural(percent.node, percent.span);
                self.out.push("%");
            }
            Condition::Compare { left, comparison, right } => {
                self.sum(left);
                self.out.push(" ");
                self.out.push(comparison.as_str());
                self.out.push(" ");
                self.sum(right);
            }
            Condition::NonZero(value) => self.sum(value),
        }
        self.out.push("]");
    }

    fn switch(&mut self, value: &Expr, cases: &[Case]) {
        self.out.push("SWITCH [");
        self.sum(value);
        self.out.push("] {");
        self.out.end_line();
        self.out.deeper();
        for case in cases {
            self.out.comments_before(case.span);
            self.out.begin_line();
            match case.value {
                Some(value) => {
                    self.out.push("CASE ");
                    self.out.number(value.node);
                }
                None => self.out.push("DEFAULT"),
            }
            self.out.push(":");
            self.out.end_line();
            self.out.deeper();
            self.statements(&case.body);
            self.out.shallower();
        }
        if let Some(around) = self.around.last() {
            self.out.comments_within(*around);
        }
        self.out.shallower();
        self.out.begin_line();
        self.out.push("}");
    }

    fn definition(&mut self, definition: &Definition) {
        match definition {
            Definition::Value { ty, value } => {
                self.type_prefix(*ty);
                match (ty, &value.kind) {
                    (ValueType::Selection, ExprKind::Selection(selection)) => self.selection(selection),
                    _ => self.expr(value),
                }
            }
            Definition::Array { ty, values } => {
                self.type_prefix(*ty);
                self.out.push("{ ");
                for (at, value) in values.iter().enumerate() {
                    if at > 0 {
                        self.comma();
                    }
                    self.expr(value);
                }
                self.out.push(" }");
            }
            Definition::Copy { variable, .. } => self.variable_name(&variable.node, variable.span),
        }
    }

    /// Writes the type of a value whose form does not imply it.
    fn type_prefix(&mut self, ty: ValueType) {
        self.out.push(match ty {
            ValueType::Selection => "selection",
            ValueType::MapCharacter => self.spelling.terrain,
            ValueType::Monster => self.spelling.monster,
            ValueType::Object => self.spelling.object,
            _ => return,
        });
        self.out.push(": ");
    }

    // --- Maps and rooms

    fn init_map(&mut self, init: &InitMap) {
        self.out.push("INIT_MAP: ");
        match init {
            InitMap::Solid { filling, light } => {
                self.out.push("solidfill, ");
                match light {
                    None => self.out.character(filling.node, filling.span),
                    Some(light) => {
                        self.out.push("(");
                        self.out.character(filling.node, filling.span);
                        self.comma();
                        self.out.light(*light);
                        self.out.push(")");
                    }
                }
            }
            InitMap::MazeGrid { filling } => {
                self.out.push("mazegrid, ");
                self.out.character(filling.node, filling.span);
            }
            InitMap::Mines { foreground, background, smoothed, joined, light, walled, filling, .. } => {
                self.out.push("mines, ");
                self.out.character(foreground.node, foreground.span);
                self.comma();
                self.out.character(background.node, background.span);
                self.word(boolean(*smoothed));
                self.word(boolean(joined.node));
                self.comma();
                self.out.light(*light);
                self.comma();
                self.out.or_random(walled, |out, walled| out.push(boolean(*walled)));
                if let Some(filling) = filling {
                    self.comma();
                    self.out.character(filling.node, filling.span);
                }
            }
            InitMap::Sheol => self.out.push("sheollev"),
            InitMap::Rogue => self.out.push("rogue"),
        }
    }

    fn map(&mut self, map: &Map) {
        let Map::Drawn { position, keep_regions, rows } = map else { return self.out.push("NOMAP") };
        self.out.push("GEOMETRY: ");
        match position {
            MapPosition::Aligned { horizontal, vertical } => {
                self.out.push(horizontal.as_str());
                self.word(vertical.as_str());
            }
            MapPosition::At(place) => self.atom(place),
        }
        if let Some(keep_regions) = keep_regions {
            self.word(boolean(*keep_regions));
        }
        self.out.end_line();
        self.out.comments_at_edge(rows.span);
        self.out.ruler(rows);
        self.out.flush_line("MAP");
        for row in &rows.rows {
            // A row that looks like a comment or a blank line is still a row: blanks are rock.
            self.out.flush_line(row);
        }
        self.out.push("ENDMAP");
    }

    fn room(&mut self, room: &Room) {
        let subroom = !matches!(room.placement, RoomPlacement::Level { .. });
        self.out.push(if subroom { "SUBROOM: " } else { "ROOM: " });
        self.out.or_random(&room.room_type, |out, name| out.quoted(&name.node, name.span));
        if let Some(chance) = room.chance {
            self.out.push(" [");
            self.out.natural(chance.node, chance.span);
            self.out.push("%]");
        }
        self.comma();
        self.out.light(room.light);
        self.comma();
        let position = match &room.placement {
            RoomPlacement::Level { position, .. } | RoomPlacement::Room { position, .. } => position,
            RoomPlacement::Stray { position, parent } => {
                self.out.cannot(parent.span, "a subroom outside of its room");
                position
            }
        };
        self.out.or_random(position, |out, position| out.pair(position.node.0, position.node.1, position.span));
        if let RoomPlacement::Level { alignment, .. } = &room.placement {
            self.comma();
            self.out.alignments(alignment);
        }
        self.comma();
        self.out.or_random(&room.size, |out, (width, height)| out.pair(width.node, height.node, width.span));
        self.room_flags(room.flags.as_deref());
        self.block(&room.body);
    }

    fn room_flags(&mut self, flags: Option<&[Spanned<RoomFlag>]>) {
        for flag in flags.unwrap_or_default() {
            self.word(match flag.node {
                RoomFlag::Filling(word) => word.as_str(),
                RoomFlag::Irregular(word) if self.spelling.irregular_truth => boolean(word == Irregular::Irregular),
                RoomFlag::Irregular(word) => word.as_str(),
                RoomFlag::Joined(word) => word.as_str(),
            });
        }
    }

    fn region(&mut self, region: &Region) {
        self.on_value("REGION: ", &region.area);
        self.comma();
        self.out.light(region.light);
        self.comma();
        self.out.or_random(&region.room_type, |out, name| out.quoted(&name.node, name.span));
        self.room_flags(region.flags.as_deref());
        if let Some(body) = &region.body {
            self.block(body);
        }
    }

    // --- Things

    fn monster(&mut self, monster: &Monster) {
        self.atom(&monster.monster);
        self.comma();
        self.atom(&monster.place);
        for detail in &monster.details {
            self.comma();
            self.monster_detail(&detail.node, detail.span);
        }
        if let Some(inventory) = &monster.inventory {
            self.block(inventory);
        }
    }

    fn monster_detail(&mut self, detail: &MonsterDetail, span: Span) {
        match detail {
            MonsterDetail::Name(name) => self.expr(name),
            MonsterDetail::Attitude(OrRandom::Is(word)) => self.out.push(word.as_str()),
            MonsterDetail::Alertness(OrRandom::Is(word)) => self.out.push(word.as_str()),
            // These are random by default.
            MonsterDetail::Attitude(OrRandom::Random) | MonsterDetail::Alertness(OrRandom::Random) => {
                self.out.cannot(span, "a random detail");
            }
            MonsterDetail::Alignment(alignment) => self.alignment(*alignment),
            MonsterDetail::Appearance(word, name) => {
                self.out.push(word.as_str());
                self.out.push(" ");
                self.expr(name);
            }
            MonsterDetail::Female => self.out.push("female"),
            MonsterDetail::Invisible => self.out.push("invisible"),
            MonsterDetail::Cancelled => self.out.push("cancelled"),
            MonsterDetail::Revived => self.out.push("revived"),
            MonsterDetail::Avenge => self.out.push("avenge"),
            MonsterDetail::Fleeing(turns) => self.labelled("fleeing: ", turns),
            MonsterDetail::Blinded(turns) => self.labelled("blinded: ", turns),
            MonsterDetail::Paralyzed(turns) => self.labelled("paralyzed: ", turns),
            MonsterDetail::Stunned => self.out.push("stunned"),
            MonsterDetail::Confused => self.out.push("confused"),
            MonsterDetail::Own(own) => self.own_detail(own),
            MonsterDetail::SeenTraps(SeenTraps::All) => self.out.push("seen_traps: all"),
            MonsterDetail::SeenTraps(SeenTraps::These { traps, and_all }) => {
                self.out.push("seen_traps: ");
                for (at, trap) in traps.iter().enumerate() {
                    self.out.push(if at == 0 { "" } else { " | " });
                    self.out.quoted(&trap.node, trap.span);
                }
                if *and_all {
                    self.out.push(" | all");
                }
            }
        }
    }

    /// Writes the material of a door, before its state.
    fn door_material(&mut self, also: &[Spanned<Text>]) {
        if self.catalog.has(Feature::DoorsHaveMaterials)
            && let Some(material) = also.first()
        {
            self.out.push(&material.node);
            self.comma();
        }
    }

    /// Writes the flags of a door, after its state.
    fn door_flags(&mut self, also: &[Spanned<Text>]) {
        if !self.catalog.has(Feature::DoorsHaveMaterials) {
            for flag in also {
                self.out.push(" & ");
                self.out.push(&flag.node);
            }
        }
    }

    fn own_detail(&mut self, own: &OwnDetail) {
        self.out.push(&own.word);
        if let Some(value) = &own.value {
            self.out.push(": ");
            self.sum(value);
        }
    }

    fn labelled(&mut self, label: &str, value: &Expr) {
        self.out.push(label);
        self.sum(value);
    }

    fn object(&mut self, object: &Object) {
        self.atom(&object.object);
        for detail in &object.details {
            self.comma();
            self.object_detail(&detail.node, detail.span);
        }
        if let Some(contents) = &object.contents {
            self.block(contents);
        }
    }

    fn object_detail(&mut self, detail: &ObjectDetail, span: Span) {
        match detail {
            ObjectDetail::Place(place) => self.atom(place),
            ObjectDetail::Curse(OrRandom::Is(word)) => self.out.push(word.as_str()),
            ObjectDetail::Curse(OrRandom::Random) => self.out.cannot(span, "a random detail"),
            ObjectDetail::MonsterType(monster) => {
                self.out.push("montype: ");
                self.atom(monster);
            }
            ObjectDetail::Enchantment(value) => match value.kind {
                ExprKind::Integer(number) => {
                    self.out.push(if number < 0 { "" } else { "+" });
                    self.out.number(number);
                }
                ExprKind::Dice { .. } => self.atom(value),
                _ => self.out.cannot(span, "an enchantment that is neither a number nor dice"),
            },
            ObjectDetail::Name(name) => {
                self.out.push(self.spelling.name);
                self.out.push(": ");
                self.expr(name);
            }
            ObjectDetail::Quantity(number) => self.labelled("quantity: ", number),
            ObjectDetail::Buried => self.out.push("buried"),
            ObjectDetail::Light(word) => self.out.push(word.as_str()),
            ObjectDetail::Eroded(number) => self.labelled("eroded: ", number),
            ObjectDetail::Erodeproof => self.out.push("erodeproof"),
            ObjectDetail::State(word) => self.out.push(word.as_str()),
            ObjectDetail::Trapped(word) => self.out.push(word.as_str()),
            ObjectDetail::Recharged(number) => self.labelled("recharged: ", number),
            ObjectDetail::Invisible => self.out.push("invisible"),
            ObjectDetail::Greased => self.out.push("greased"),
            ObjectDetail::Own(own) => self.own_detail(own),
        }
    }

    fn monster_generation(&mut self, chance: Spanned<i32>, entries: &[GenerationEntry]) {
        self.out.push("MON_GENERATION: ");
        self.out.natural(chance.node, chance.span);
        self.out.push("%");
        for entry in entries {
            self.out.push(", (");
            self.sum(&entry.frequency);
            self.comma();
            self.species(&entry.monster, entry.span);
            self.out.push(")");
        }
    }
}
