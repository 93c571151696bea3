//! Statements: the expected types of their values, and the valid places for BREAK, SWITCH and loops.

use std::collections::HashMap;

use super::Resolver;
use crate::catalog::{Feature, Format};
use crate::diagnostic::{Code, Diagnostic};
use crate::level::*;
use crate::source::{Span, Spanned};

/// Returns true if nothing decides whether the statements after this one run, and it has no block, in which something
/// may decide that.
fn always_runs(statement: &Statement) -> bool {
    use StatementKind::*;
    match &statement.kind {
        If { .. } | Switch { .. } | Chance { .. } | Break | Exit | Call { .. } | Loop { .. } | For { .. } => false,
        Room(_) | Region(_) => false,
        Object(object) => object.contents.is_none(),
        Monster(monster) => monster.inventory.is_none(),
        _ => true,
    }
}

impl Resolver<'_> {
    pub(super) fn block(&mut self, statements: &mut [Statement]) {
        for statement in statements {
            self.statement(statement);
        }
    }

    fn breakable_block(&mut self, statements: &mut [Statement]) {
        self.breakable += 1;
        self.block(statements);
        self.breakable -= 1;
    }

    /// Resolves the statements of a CASE. In SporkHack a BREAK must be directly in the CASE, not in a nested block, and
    /// a SWITCH has a limited number of them.
    fn case(&mut self, statements: &mut [Statement], breaks: &mut i32) {
        for statement in statements {
            if !self.catalog.has(Feature::BreakInCaseOnly) || !matches!(statement.kind, StatementKind::Break) {
                self.statement(statement);
                continue;
            }
            *breaks += 1;
            let most = self.catalog.limits.switch_breaks;
            if most > 0 && *breaks == most + 1 {
                let message = format!("a SWITCH takes at most {most} BREAKs");
                self.push(Diagnostic::new(Code::SwitchCases, statement.span, message).with_label("one too many"));
            }
        }
    }

    fn conditional(&mut self, span: Span) {
        let most = self.catalog.limits.nesting;
        if most > 0 && self.conditionals >= most {
            let message = format!("conditionals and LOOPs are nested more than {most} deep");
            self.push(
                Diagnostic::new(Code::Nesting, span, message)
                    .with_note(format!("{} allows no more", self.catalog.title))
                    .with_help("put the inner part into a FUNCTION"),
            );
        }
        self.conditionals += 1;
    }

    fn statement(&mut self, statement: &mut Statement) {
        use ValueType as V;
        let span = statement.span;
        match &mut statement.kind {
            StatementKind::Message { text, to: _ } => self.value(text, V::String),
            StatementKind::InitMap(_) | StatementKind::RoomDoor { .. } => {}
            StatementKind::Map(map) => {
                self.registers.begin_part();
                if let Map::Drawn { position: MapPosition::At(place), .. } = map {
                    self.value(place, V::Coordinate);
                }
            }
            StatementKind::Monster(monster)
                if self.swaps(
                    "MONSTER",
                    "monster, place",
                    &[("monster", &monster.monster, V::Monster), ("place", &monster.place, V::Coordinate)],
                ) =>
            {
                (monster.monster.kind, monster.place.kind) = (ExprKind::Error, ExprKind::Error);
                self.monster(monster);
            }
            StatementKind::Monster(monster) => self.monster(monster),
            StatementKind::Object(object)
                if let Some(Spanned { node: ObjectDetail::Place(second), .. }) = object.details.first()
                    && self.swaps(
                        "OBJECT",
                        "object, place",
                        &[("object", &object.object, V::Object), ("place", second, V::Coordinate)],
                    ) =>
            {
                object.object.kind = ExprKind::Error;
                object.details.clear();
                self.object(object);
            }
            StatementKind::Object(object) => self.object(object),
            StatementKind::Trap { trap: OrRandom::Random, place: Expr { kind: ExprKind::String(name), span } }
                if self.catalog.trap(name).is_some() =>
            {
                let message = "the values of this TRAP are swapped";
                let help = format!("write TRAP: \"{name}\", random");
                self.push(
                    Diagnostic::new(Code::TypeMismatch, *span, message)
                        .with_label("this must come first")
                        .with_help(help),
                );
            }
            StatementKind::Trap { place, .. } => self.value(place, V::Coordinate),
            StatementKind::Room(room) => self.breakable_block(&mut room.body),
            StatementKind::Door { at, .. } => self.selection(at),
            StatementKind::Region(region) => {
                self.value(&mut region.area, V::Region);
                if let Some(body) = &mut region.body {
                    self.breakable_block(body);
                }
            }
            StatementKind::Stair { place, .. } | StatementKind::Ladder { place, .. } => {
                self.value(place, V::Coordinate);
            }
            StatementKind::LevelRegion(region) => {
                if let LevelRegionKind::Register(number) = region.kind {
                    self.set_region(number, span);
                }
            }
            StatementKind::Altar { place, .. } => self.value(place, V::Coordinate),
            StatementKind::Grave { place, epitaph } => {
                self.value(place, V::Coordinate);
                if let Epitaph::Text(text) = epitaph {
                    self.value(text, V::String);
                }
            }
            StatementKind::Fountain { at }
            | StatementKind::Sink { at }
            | StatementKind::Pool { at }
            | StatementKind::Place { at, word: _ } => {
                self.selection(at);
            }
            StatementKind::Gold { amount, place }
                if self.swaps(
                    "GOLD",
                    "amount, place",
                    &[("amount", amount, V::Integer), ("place", place, V::Coordinate)],
                ) => {}
            StatementKind::Gold { amount, place } => {
                self.math(amount);
                self.value(place, V::Coordinate);
            }
            StatementKind::Engraving { place, text, .. }
                if self.swaps(
                    "ENGRAVING",
                    "place, type, text",
                    &[("place", place, V::Coordinate), ("text", text, V::String)],
                ) => {}
            StatementKind::Engraving { place, text, .. } => {
                self.value(place, V::Coordinate);
                self.value(text, V::String);
            }
            StatementKind::Drawbridge { place, .. } | StatementKind::MazeWalk { place, .. } => {
                self.value(place, V::Coordinate);
            }
            StatementKind::Wallify { at } => match at {
                Some(area) if self.catalog.has(Feature::WallifyTakesRegions) => self.wallify_region(area),
                None => {}
                Some(WallifyArea::Selection(at)) => self.selection(at),
                Some(WallifyArea::Region(region)) => self.value(region, V::Region),
            },
            StatementKind::NonDiggable { region } | StatementKind::NonPasswall { region } => {
                self.value(region, V::Region)
            }
            StatementKind::Topologize { place } => self.value(place, V::Coordinate),
            StatementKind::Corridor { .. } | StatementKind::RandomCorridors { .. } => {}
            StatementKind::Terrain { at: Selection { kind: SelectionKind::Point(at), .. }, terrain }
                if matches!(at.kind, ExprKind::MapCharacter { .. })
                    && self.swaps(
                        "TERRAIN",
                        "selection, terrain",
                        &[("selection", at, V::Coordinate), ("terrain", terrain, V::MapCharacter)],
                    ) => {}
            StatementKind::Terrain { at, terrain } => {
                self.selection(at);
                self.value(terrain, V::MapCharacter);
            }
            StatementKind::ReplaceTerrain { region, from, to, .. }
                if self.swaps(
                    "REPLACE_TERRAIN",
                    "region, from, to, percent%",
                    &[("region", region, V::Region), ("from", from, V::MapCharacter), ("to", to, V::MapCharacter)],
                ) => {}
            StatementKind::ReplaceTerrain { region, from, to, .. } => {
                self.value(region, V::Region);
                self.value(from, V::MapCharacter);
                self.value(to, V::MapCharacter);
            }
            StatementKind::Spill { place, terrain, amount, .. } => {
                self.value(place, V::Coordinate);
                self.value(terrain, V::MapCharacter);
                self.value(amount, V::Integer);
                if self.catalog.has(Feature::SpillTakesNumbers) {
                    self.written_out(terrain, V::MapCharacter);
                    self.bare_number(amount);
                }
            }
            StatementKind::WallWalk { place, from, to, .. } => {
                self.value(place, V::Coordinate);
                self.value(to, V::MapCharacter);
                if let Some(from) = from {
                    self.value(from, V::MapCharacter);
                }
            }
            StatementKind::Mineralize { chances } => {
                for chance in chances.iter_mut().flat_map(|chances| chances.iter_mut()) {
                    self.value(chance, V::Integer);
                }
            }
            StatementKind::MonsterGeneration { entries, .. } => {
                for entry in entries {
                    self.value(&mut entry.frequency, V::Integer);
                }
            }
            StatementKind::Sounds { frequency, sounds } => {
                self.value(frequency, V::Integer);
                for sound in sounds {
                    self.value(&mut sound.text, V::String);
                }
            }
            StatementKind::VaultGeneration { .. } | StatementKind::VaultDepth { .. } | StatementKind::Exit => {}
            StatementKind::Registers { of, values } => self.set_registers(*of, values, span),
            StatementKind::Error => self.registers.begin_unknown_part(),
            StatementKind::Define { variable, value } => {
                let ty = self.definition(variable, value);
                let is_new = !self.variables.contains_key(&variable.node);
                self.define(variable, ty);
                let length = match value {
                    Definition::Array { values, .. } => Some(values.len()),
                    _ => None,
                };
                // With several definitions, the length depends on the run.
                if let Some(state) = self.variables.get_mut(&variable.node) {
                    state.length = length.filter(|&length| is_new || state.length == Some(length));
                }
            }
            StatementKind::Shuffle { variable } => {
                let ty = self.use_variable(&variable.node, variable.span);
                if ty.is_some_and(|ty| !ty.array) {
                    self.push(
                        Diagnostic::new(
                            Code::ShuffleTarget,
                            variable.span,
                            format!("variable '{}' is not an array", variable.node),
                        )
                        .with_help("set an array first, as in $x = { 1, 2, 3 }: SHUFFLE reorders its values"),
                    );
                }
            }
            StatementKind::Function(function) => self.function(function),
            StatementKind::Call { function, arguments } => self.call(function, arguments),
            StatementKind::If { condition, then, otherwise } => {
                self.condition(condition);
                self.conditional(span);
                self.block(then);
                if let Some(otherwise) = otherwise {
                    self.block(otherwise);
                }
                self.conditionals -= 1;
            }
            StatementKind::Chance { condition, then } => {
                self.condition(condition);
                self.conditional(span);
                self.statement(then);
                self.conditionals -= 1;
            }
            StatementKind::Switch { value, cases } => self.switch(value, cases, span),
            StatementKind::For { variable, from, to, body } => {
                let mut counts = None;
                if let (Some(first), Some(last)) = (integer(from), integer(to)) {
                    self.turns((i64::from(last) - i64::from(first)).abs(), to.span);
                    counts = Some((first.min(last), first.max(last))).filter(|_| body.iter().all(always_runs));
                }
                self.value(from, V::Integer);
                self.value(to, V::Integer);
                if self.catalog.has(Feature::ConstantFor) {
                    self.bare_number(from);
                    self.bare_number(to);
                }
                let most = self.catalog.limits.nesting;
                if most > 0 && self.loops >= most {
                    let message = format!("FORs are nested more than {most} deep");
                    self.push(Diagnostic::new(Code::Nesting, span, message));
                }
                self.define(variable, Some(Type::of(V::Integer)));
                // Its value is compared with the last one at the end of the loop, so it is always used.
                if let Some(state) = self.variables.get_mut(&variable.node) {
                    state.used = true;
                    state.counts = counts;
                }
                self.loops += 1;
                self.breakable_block(body);
                self.loops -= 1;
                if let Some(state) = self.variables.get_mut(&variable.node) {
                    state.counts = None;
                }
            }
            StatementKind::Loop { count, body } => {
                if let ExprKind::Integer(number) = count.kind
                    && number <= 0
                {
                    let message = format!("this LOOP runs {number} times");
                    let help = "write how often its statements run, as in LOOP [3] { ... }";
                    self.push(Diagnostic::new(Code::NeverRuns, count.span, message).with_help(help));
                }
                self.turns(i64::from(integer(count).unwrap_or(0)), count.span);
                self.value(count, V::Integer);
                self.conditional(span);
                self.breakable_block(body);
                self.conditionals -= 1;
            }
            StatementKind::Break => {
                if self.catalog.has(Feature::BreakInCaseOnly) {
                    let message = format!("{} allows BREAK only directly in a CASE of a SWITCH", self.catalog.title);
                    self.push(Diagnostic::new(Code::StrayBreak, span, message).with_help(
                        "write the statements that it skips in an ELSE, or in an IF of the opposite chance",
                    ));
                } else if self.breakable == 0 && self.breakable_around > 0 {
                    // The compilers count the jump in the code of the level (UnNetHack 6.0.4, `break_stmt_end`).
                    self.push(
                        Diagnostic::new(Code::WrongJump, span, "BREAK cannot leave the block around its FUNCTION")
                            .with_label("jumps to a wrong place")
                            .with_help("use IF in the function, or move its statements into the block"),
                    );
                } else if self.breakable == 0 {
                    let blocks = "a SWITCH, FOR, LOOP, or the block of a room, region, monster or container";
                    let help = match self.catalog.is_keyword("EXIT") {
                        true => format!("write EXIT to end the level here, or use BREAK in {blocks}"),
                        false => format!("use BREAK in {blocks}"),
                    };
                    let message = "BREAK outside a block that it can leave";
                    self.push(Diagnostic::new(Code::StrayBreak, span, message).with_help(help));
                }
            }
        }
    }

    /// Reports a loop of more turns than the games run opcodes.
    fn turns(&mut self, number: i64, span: Span) {
        if number >= MAX_TURNS {
            let message = "the game gives up before this loop ends".to_owned();
            self.push(
                Diagnostic::new(Code::OddNumber, span, message)
                    .with_label(format!("a level runs at most {MAX_TURNS} opcodes"))
                    .with_help("write a smaller number"),
            );
        }
    }

    /// Returns true if a value has a type, as far as its form shows.
    fn has_type(&self, value: &Expr, ty: ValueType) -> bool {
        use ValueType::{Coordinate, Integer, MapCharacter, Monster, Object, Region, String};
        let types: &[ValueType] = match &value.kind {
            ExprKind::Integer(_) | ExprKind::Dice { .. } | ExprKind::Chain { .. } => &[Integer],
            ExprKind::RandomCoordinate { humidity } if humidity.is_empty() => &[Coordinate, Monster, Object],
            ExprKind::Coordinate { .. } | ExprKind::RandomCoordinate { .. } | ExprKind::SelectedCoordinate(_) => {
                &[Coordinate]
            }
            ExprKind::String(_) => &[String, Monster, Object],
            ExprKind::MapCharacter { light: None, .. } => &[MapCharacter, Monster, Object],
            ExprKind::MapCharacter { .. } => &[MapCharacter],
            ExprKind::Monster(_) | ExprKind::Object(_) => &[Monster, Object],
            ExprKind::Region { .. } => &[Region],
            ExprKind::Variable(variable) => {
                let known = self.variables.get(&variable.name).and_then(|state| state.ty);
                return known.is_some_and(|known| known.value == ty);
            }
            _ => &[],
        };
        types.contains(&ty)
    }

    /// Returns true, and reports it, if `values` do not have their types, but would if two of them were swapped. Each
    /// has the name that it has in `form`, the syntax of `statement`.
    fn swaps(&mut self, statement: &str, form: &str, values: &[(&str, &Expr, ValueType)]) -> bool {
        let fits = |&(_, value, ty): &(&str, &Expr, ValueType)| self.has_type(value, ty);
        if values.iter().all(fits) {
            return false;
        }
        let pairs = (0..values.len()).flat_map(|first| (first + 1..values.len()).map(move |second| (first, second)));
        let swapped = pairs.map(|(first, second)| {
            let mut order = values.to_vec();
            (order[first].1, order[second].1) = (values[second].1, values[first].1);
            (first, second, order)
        });
        let Some((first, second, order)) = swapped.into_iter().find(|(.., order)| order.iter().all(fits)) else {
            return false;
        };
        let part = |part: &str| {
            let value = order.iter().find(|(name, ..)| *name == part);
            value.and_then(|(_, value, _)| written(value)).unwrap_or_else(|| part.to_owned())
        };
        let right = form.split(", ").map(part).collect::<Vec<_>>().join(", ");
        let (first, second) = (values[first].1, values[second].1);
        let mut diagnostic =
            Diagnostic::new(Code::TypeMismatch, first.span, format!("the values of this {statement} are swapped"))
                .with_secondary(second.span, "this must come first")
                .with_help(format!("write {statement}: {right}"));
        if let (Some(one), Some(other)) = (written(first), written(second)) {
            diagnostic = diagnostic.with_suggestion(first.span, other, true).with_suggestion(second.span, one, true);
        }
        self.push(diagnostic);
        true
    }

    fn monster(&mut self, monster: &mut Monster) {
        self.value(&mut monster.monster, ValueType::Monster);
        if let ExprKind::Integer(x) = monster.place.kind
            && let Some(Spanned { node: MonsterDetail::Name(Expr { kind: ExprKind::Integer(y), span }), .. }) =
                monster.details.first()
        {
            let (span, right) = (monster.place.span.to(*span), format!("({x},{y})"));
            monster.place.kind = ExprKind::Error;
            monster.details.remove(0);
            self.push(
                Diagnostic::new(Code::TypeMismatch, span, "a place must be in parentheses")
                    .with_help(format!("write {right}"))
                    .with_suggestion(span, right, true),
            );
        }
        if let ExprKind::String(name) = &monster.place.kind
            && let Some((at, (x, y, span))) = monster.details.iter().enumerate().find_map(|(at, detail)| match &detail
                .node
            {
                MonsterDetail::Name(Expr { kind: ExprKind::Coordinate { x, y }, span }) => Some((at, (*x, *y, *span))),
                _ => None,
            })
        {
            let (whole, place, name) = (monster.place.span.to(span), format!("({x},{y})"), format!("\"{name}\""));
            let diagnostic =
                Diagnostic::new(Code::TypeMismatch, whole, "the place of this MONSTER must be before its name")
                    .with_help(format!("write {place}, {name}"))
                    .with_suggestion(monster.place.span, place, true)
                    .with_suggestion(span, name, true);
            self.push(diagnostic);
            monster.place.kind = ExprKind::Error;
            monster.details.remove(at);
        }
        self.value(&mut monster.place, ValueType::Coordinate);
        for detail in &mut monster.details {
            match &mut detail.node {
                MonsterDetail::Name(Expr { kind: ExprKind::Coordinate { .. }, span }) => {
                    let help = "remove it, or write one MONSTER for each place";
                    self.push(Diagnostic::new(Code::TypeMismatch, *span, "MONSTER has only one place").with_help(help));
                }
                MonsterDetail::Name(text) | MonsterDetail::Appearance(_, text) => self.value(text, ValueType::String),
                MonsterDetail::Fleeing(turns) | MonsterDetail::Blinded(turns) | MonsterDetail::Paralyzed(turns) => {
                    self.value(turns, ValueType::Integer);
                }
                MonsterDetail::Own(OwnDetail { value: Some(value), .. }) => self.value(value, ValueType::Integer),
                _ => {}
            }
        }
        if let Some(inventory) = &mut monster.inventory {
            self.breakable_block(inventory);
        }
    }

    fn object(&mut self, object: &mut Object) {
        self.value(&mut object.object, ValueType::Object);
        let is_place = |detail: &Spanned<ObjectDetail>| matches!(detail.node, ObjectDetail::Place(_));
        let number = |detail: &Spanned<ObjectDetail>| match detail.node {
            ObjectDetail::Enchantment(Expr { kind: ExprKind::Integer(number), span }) => Some((number, span)),
            _ => None,
        };
        if let [first, second, ..] = object.details.as_slice()
            && let (Some((x, start)), Some((y, end))) = (number(first), number(second))
            && !object.details.iter().any(is_place)
        {
            let (span, right) = (start.to(end), format!("({x},{y})"));
            self.push(
                Diagnostic::new(Code::TypeMismatch, span, "a place must be in parentheses")
                    .with_help(format!("write {right}"))
                    .with_suggestion(span, right, true),
            );
            object.details[0].node = ObjectDetail::Place(Expr { kind: ExprKind::Error, span });
            object.details.remove(1);
        }
        // In NetHack 3.4.3 the monster of a corpse is a string, even `"random"`.
        let of = if self.catalog.format == Format::Parts { ValueType::String } else { ValueType::Monster };
        let mut placed = false;
        let typed = object.details.iter().find_map(|detail| match &detail.node {
            ObjectDetail::MonsterType(_) => Some(detail.span),
            _ => None,
        });
        for detail in &mut object.details {
            match &mut detail.node {
                // A corpse's monster in NetHack 3.4.3 syntax.
                ObjectDetail::Place(Expr { kind: ExprKind::String(name), span })
                    if self.catalog.monster(name, None).is_some() =>
                {
                    let right = format!("montype:\"{name}\"");
                    self.push(montype(*span, &right, typed));
                }
                ObjectDetail::Place(Expr { kind: ExprKind::String(name), span })
                    if placed
                        && let ExprKind::Object(SpeciesName::Class(class)) = object.object.kind
                        && self.catalog.object(name, Some(class)).is_some() =>
                {
                    let right = format!("('{class}',\"{name}\")");
                    self.push(
                        Diagnostic::new(Code::TypeMismatch, *span, "the name of an object is written with its class")
                            .with_help(format!("write it before the place: OBJECT: {right}, ..."))
                            .with_secondary(object.object.span, "its class"),
                    );
                }
                ObjectDetail::Place(Expr { kind: ExprKind::String(name), span }) if placed => {
                    let word = if self.catalog.is_keyword("name") { "name" } else { "NAME" };
                    let right = format!("{word}:\"{name}\"");
                    let message = "the name of an object needs its keyword";
                    self.push(
                        Diagnostic::new(Code::TypeMismatch, *span, message)
                            .with_help(format!("write {right}"))
                            .with_suggestion(*span, right, true),
                    );
                }
                ObjectDetail::Place(place)
                    if placed
                        && let ExprKind::MapCharacter { character, light: None } = place.kind
                        && self.catalog.monster_class(character).is_some() =>
                {
                    self.push(montype(place.span, &format!("montype:'{character}'"), typed));
                }
                ObjectDetail::Place(place) => {
                    self.value(place, ValueType::Coordinate);
                    placed = true;
                }
                ObjectDetail::MonsterType(monster) => self.value(monster, of),
                ObjectDetail::Name(text) => self.value(text, ValueType::String),
                ObjectDetail::Enchantment(number)
                | ObjectDetail::Quantity(number)
                | ObjectDetail::Eroded(number)
                | ObjectDetail::Recharged(number)
                | ObjectDetail::Own(OwnDetail { value: Some(number), .. }) => self.value(number, ValueType::Integer),
                _ => {}
            }
        }
        if let Some(contents) = &mut object.contents {
            self.breakable_block(contents);
        }
    }

    /// Reports the comparison of two strings. Returns true if it did.
    fn compares_texts(&mut self, left: &Expr, right: &Expr) -> bool {
        let is_text = |value: &Expr| match &value.kind {
            ExprKind::String(_) => true,
            ExprKind::CoreCall(call) => {
                self.catalog.core_function(&call.function.node).is_some_and(|of| of.result == 's')
            }
            ExprKind::Variable(variable) => {
                let known = self.variables.get(&variable.name).and_then(|state| state.ty);
                known == Some(Type::of(ValueType::String))
            }
            _ => false,
        };
        let both = is_text(left) && is_text(right);
        if both {
            self.push(
                Diagnostic::new(Code::TypeMismatch, left.span.to(right.span), "an IF cannot compare strings")
                    .with_help("compare numbers, as in IF [$x == 3] { statements }"),
            );
        }
        both
    }

    fn condition(&mut self, condition: &mut Condition) {
        match condition {
            Condition::Percent(_) => {}
            Condition::Compare { left, right, .. } => {
                if self.compares_texts(left, right) {
                    return;
                }
                self.value(left, ValueType::Integer);
                self.value(right, ValueType::Integer);
            }
            Condition::NonZero(value) => {
                self.value(value, ValueType::Integer);
                if let ExprKind::Integer(number) = value.kind
                    && !self.catalog.has(Feature::ComparedConditions)
                {
                    let message = format!("this condition is {} true", if number == 0 { "never" } else { "always" });
                    let help = format!("write [{number}%] for a chance");
                    self.push(Diagnostic::new(Code::ConstantCondition, value.span, message).with_help(help));
                }
                if self.catalog.has(Feature::ComparedConditions) {
                    let message = format!("{} allows only a percentage or a comparison here", self.catalog.title);
                    let help = match value.kind {
                        ExprKind::Integer(number) => format!("write [{number}%] for a chance"),
                        _ => "write [50%] or [$x != 0]".to_owned(),
                    };
                    self.push(Diagnostic::new(Code::WrongDialect, value.span, message).with_help(help));
                }
            }
        }
    }

    fn switch(&mut self, value: &mut Expr, cases: &mut [Case], span: Span) {
        // The compilers pass the value to `rn2`.
        let count = integer(value);
        self.value(value, ValueType::Integer);
        if self.in_switch > 0 {
            self.push(
                Diagnostic::new(Code::NestedSwitch, span, "a SWITCH cannot be inside another SWITCH")
                    .with_help("move the inner SWITCH to a FUNCTION before the level, or use IF"),
            );
        }
        self.in_switch += 1;
        self.breakable += 1;
        let (mut values, mut default, mut breaks) = (0, None::<Span>, 0);
        let mut seen: HashMap<i32, Span> = HashMap::new();
        let has_zero = cases.iter().any(|case| case.value.is_some_and(|value| value.node == 0));
        for case in cases {
            match case.value {
                Some(value) => {
                    values += 1;
                    if let Some(&first) = seen.get(&value.node) {
                        let message = format!("duplicate CASE {}: it is never chosen", value.node);
                        self.push(
                            Diagnostic::new(Code::RepeatedCase, case.span, message)
                                .with_secondary(first, "first given here")
                                .with_help("change its number, or merge the statements of both"),
                        );
                    }
                    seen.entry(value.node).or_insert(case.span);
                    if let Some(count @ 1..) = count
                        && !(0..count).contains(&value.node)
                    {
                        let message = format!("CASE {} is never chosen", value.node);
                        let help = format!("SWITCH [{count}] chooses a number from 0 to {}", count - 1);
                        let is_shifted = value.node == count && !has_zero;
                        let help = if is_shifted { format!("{help}: count the cases from 0") } else { help };
                        self.push(Diagnostic::new(Code::NeverRuns, case.span, message).with_help(help));
                    }
                    let most = self.catalog.limits.switch_cases;
                    if most > 0 && values == most + 1 {
                        let message = format!("a SWITCH takes at most {most} cases");
                        self.push(Diagnostic::new(Code::SwitchCases, case.span, message).with_label("one too many"));
                    }
                }
                None => {
                    if let Some(first) = default.replace(case.span) {
                        self.push(
                            Diagnostic::new(Code::SwitchCases, case.span, "the SWITCH has two DEFAULTs")
                                .with_secondary(first, "first given here"),
                        );
                    }
                }
            }
            self.case(&mut case.body, &mut breaks);
        }
        self.breakable -= 1;
        self.in_switch -= 1;
    }
}

/// The most opcodes that the games run for one level (`SPCODER_MAX_RUNTIME`).
const MAX_TURNS: i64 = 65_536;

/// Returns the number that `expr` is, if it is one.
fn integer(expr: &Expr) -> Option<i32> {
    match expr.kind {
        ExprKind::Integer(number) => Some(number),
        _ => None,
    }
}

/// Returns a literal or a variable as it is written in a des-file.
fn written(value: &Expr) -> Option<String> {
    Some(match &value.kind {
        ExprKind::Integer(number) => number.to_string(),
        ExprKind::Dice { count, sides } => format!("{count}d{sides}"),
        ExprKind::Coordinate { x, y } => format!("({x},{y})"),
        ExprKind::Region { corners: [x1, y1, x2, y2] } => format!("({x1},{y1},{x2},{y2})"),
        ExprKind::RandomCoordinate { humidity } if humidity.is_empty() => "random".to_owned(),
        ExprKind::String(text) => format!("\"{text}\""),
        ExprKind::MapCharacter { character, light: None } if !matches!(character, '\'' | '\\') => {
            format!("'{character}'")
        }
        ExprKind::Variable(Variable { name, index: None, .. }) => name.to_string(),
        _ => return None,
    })
}

/// Returns the report of a monster without its keyword at `span`. The object may have another one at `typed`.
fn montype(span: Span, right: &str, typed: Option<Span>) -> Diagnostic {
    let diagnostic =
        Diagnostic::new(Code::TypeMismatch, span, "the monster of a corpse or statue must be given with montype");
    match typed {
        Some(typed) => diagnostic
            .with_secondary(typed, "a class or a name, not both")
            .with_help(format!("write {right} instead of both")),
        None => diagnostic.with_help(format!("write {right}")).with_suggestion(span, right, true),
    }
}
