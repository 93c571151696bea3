//! Gives statements and expressions their meaning: types of values, scopes of variables and functions, places of
//! BREAK and SWITCH, and what the dialect lacks.
//!
//! Any module is resolved, however it came about: parsed, read from JSON, ported, built by a program. A resolved
//! module may be resolved again, which changes nothing and says the same.
//!
//! The rules are those of `util/lev_comp.y` of UnNetHack 6.0.4 and its relatives. There the lexer asks the
//! table of variables for the type of each `$name`, and a wrong type is a syntax error; here a value may stand
//! anywhere at first, and this pass says what was expected. Names of monsters, objects and other things of the
//! game are not looked at: see [`check`](crate::check).

mod unread;

pub use unread::Unread;

use std::collections::HashMap;

use crate::catalog::{Catalog, Feature, Format, Method};
use crate::diagnostic::{Code, Diagnostic, Diagnostics, did_you_mean};
use crate::level::*;
use crate::source::{Span, Spanned, Text};

/// Resolves all of `module` for the game of `catalog`. What is wrong goes into `diagnostics`, but for what likely
/// follows from parts of the source that could not be read ([`Module::unread`]).
pub fn resolve(module: &mut Module, catalog: &Catalog, diagnostics: &mut Diagnostics) {
    if catalog.format == Format::Parts {
        return;
    }
    let Module { items, unread, .. } = module;
    let mut resolver = Resolver {
        catalog,
        old_script: catalog.has(Feature::OldScript),
        diagnostics,
        unread,
        variables: HashMap::new(),
        functions: HashMap::new(),
        in_function: None,
        in_switch: 0,
        breakable: 0,
        conditionals: 0,
        loops: 0,
    };
    for item in items {
        match item {
            Item::Include { .. } => {}
            Item::Function(function) => resolver.function(function),
            Item::Level(level) => {
                resolver.variables.clear();
                resolver.block(&mut level.body);
                resolver.forget_variables();
            }
        }
    }
}

struct VariableState {
    /// `None` if its definition was wrong: then every use is taken as right.
    ty: Option<Type>,
    span: Span,
    used: bool,
}

struct FunctionState {
    span: Span,
    parameters: Vec<Type>,
}

struct Resolver<'a> {
    catalog: &'a Catalog,
    /// Whether the dialect has SporkHack's older language.
    old_script: bool,
    diagnostics: &'a mut Diagnostics,
    unread: &'a Unread,
    variables: HashMap<Text, VariableState>,
    functions: HashMap<Text, FunctionState>,
    in_function: Option<Span>,
    in_switch: usize,
    breakable: usize,
    conditionals: i32,
    loops: i32,
}

/// What a value was found to be.
type Found = Option<Type>;

fn example(ty: ValueType) -> &'static str {
    match ty {
        // No value of a level has these types.
        ValueType::Null | ValueType::Variable => ty.describe(),
        ValueType::Integer => "a number, dice as in 2d6, or a sum",
        ValueType::String => "text in double quotes",
        ValueType::Coordinate => "(x,y), random, or a variable that holds a place",
        ValueType::Region => "(x1,y1,x2,y2)",
        ValueType::MapCharacter => "a map character as in '.', or ('.',lit)",
        ValueType::Monster => "\"name\", 'class', ('class',\"name\") or random",
        ValueType::Object => "\"name\", 'class', ('class',\"name\") or random",
        ValueType::Selection => "(x,y), rect (x1,y1,x2,y2), fillrect (x1,y1,x2,y2), ...",
    }
}

impl Resolver<'_> {
    fn push(&mut self, diagnostic: Diagnostic) {
        if !self.unread.explains(&diagnostic) {
            self.diagnostics.push(diagnostic);
        }
    }

    fn mismatch(&mut self, span: Span, want: ValueType, found: impl AsRef<str>) {
        self.push(
            Diagnostic::new(
                Code::TypeMismatch,
                span,
                format!("expected {}, found {}", want.describe(), found.as_ref()),
            )
            .with_help(format!("{} is written {}", want.describe(), example(want))),
        );
    }

    // --- Scopes

    fn forget_variables(&mut self) {
        let mut unused: Vec<(Span, Text)> = self
            .variables
            .drain()
            .filter(|(_, state)| !state.used && state.ty.is_some())
            .map(|(name, state)| (state.span, name))
            .collect();
        unused.sort();
        for (span, name) in unused {
            self.push(Diagnostic::new(Code::UnusedVariable, span, format!("variable '{name}' is never used")));
        }
    }

    fn define(&mut self, name: &Spanned<Text>, ty: Found) {
        if name.node.contains('.') {
            self.push(
                Diagnostic::new(Code::UnknownVariable, name.span, format!("'{}' is not a variable", name.node))
                    .with_help("what stands behind the dot is a method, and methods cannot be set"),
            );
            return;
        }
        match self.variables.get(&name.node) {
            Some(old) => {
                if let (Some(old_type), Some(new_type)) = (old.ty, ty)
                    && old_type != new_type
                {
                    let (old_span, message) = (
                        old.span,
                        format!(
                            "variable '{}' is {} and cannot become {}",
                            name.node,
                            old_type.describe(),
                            new_type.describe()
                        ),
                    );
                    self.push(
                        Diagnostic::new(Code::TypeMismatch, name.span, message)
                            .with_secondary(old_span, "first set here")
                            .with_help("use another name for it"),
                    );
                }
            }
            None => {
                self.variables.insert(name.node.clone(), VariableState { ty, span: name.span, used: false });
            }
        }
    }

    /// Type of a variable that is used at `span`; `None` if unknown, which was then reported.
    fn use_variable(&mut self, name: &str, span: Span) -> Found {
        if let Some(state) = self.variables.get_mut(name) {
            state.used = true;
            return state.ty;
        }
        if !self.unread.mentions(name) {
            let known = did_you_mean(name, self.variables.keys().map(Text::as_str));
            let help = known.unwrap_or_else(|| format!("set it first: {name} = ..."));
            self.push(
                Diagnostic::new(Code::UnknownVariable, span, format!("variable '{name}' is not defined"))
                    .with_label("used before it is set")
                    .with_help(help),
            );
        }
        self.variables.insert(Text::from(name), VariableState { ty: None, span, used: true });
        None
    }

    fn function(&mut self, function: &mut Function) {
        let name = &function.name;
        if let Some(outer) = self.in_function {
            self.push(
                Diagnostic::new(
                    Code::NestedFunction,
                    name.span,
                    format!("function '{}' is inside another one", name.node),
                )
                .with_secondary(outer, "the function around it")
                .with_help("define it before the other; a function can call those above it"),
            );
        }
        if self.catalog.core_function(&name.node).is_some() {
            self.push(
                Diagnostic::new(
                    Code::DuplicateFunction,
                    name.span,
                    format!("'{}' is a function of the game", name.node),
                )
                .with_help("use another name"),
            );
        }
        if let Some(old) = self.functions.get(&name.node) {
            let old = old.span;
            self.push(
                Diagnostic::new(
                    Code::DuplicateFunction,
                    name.span,
                    format!("function '{}' is already defined", name.node),
                )
                .with_secondary(old, "defined here first")
                .with_help("use another name"),
            );
        }
        // SporkHack has one scope for all.
        let outer_variables = if self.old_script { None } else { Some(std::mem::take(&mut self.variables)) };
        let outer = self.in_function.replace(name.span);
        for parameter in &function.parameters {
            self.define(&parameter.name, Some(parameter.ty));
        }
        if !function.parameters.is_empty() {
            self.require(Feature::FunctionParameters, function.parameters[0].name.span, "parameters of a FUNCTION");
        }
        self.functions.insert(
            name.node.clone(),
            FunctionState {
                span: name.span,
                parameters: function.parameters.iter().map(|parameter| parameter.ty).collect(),
            },
        );
        self.block(&mut function.body);
        if let Some(outer_variables) = outer_variables {
            self.forget_variables();
            self.variables = outer_variables;
        }
        self.in_function = outer;
    }

    fn require(&mut self, feature: Feature, span: Span, what: &str) {
        if !self.catalog.has(feature) {
            let message = format!("{} does not have {what}", self.catalog.title);
            self.push(Diagnostic::new(Code::WrongDialect, span, message));
        }
    }

    // --- Statements

    fn block(&mut self, statements: &mut [Statement]) {
        for statement in statements {
            self.statement(statement);
        }
    }

    fn breakable_block(&mut self, statements: &mut [Statement]) {
        self.breakable += 1;
        self.block(statements);
        self.breakable -= 1;
    }

    /// The statements of a CASE. In SporkHack a BREAK stands right in one, not in a block inside, and a SWITCH
    /// holds a limited number of them.
    fn case(&mut self, statements: &mut [Statement], breaks: &mut i32) {
        for statement in statements {
            if !self.old_script || !matches!(statement.kind, StatementKind::Break) {
                self.statement(statement);
                continue;
            }
            *breaks += 1;
            let most = self.catalog.limits.switch_breaks;
            if *breaks == most + 1 {
                let message = format!("a SWITCH takes at most {most} BREAKs");
                self.push(Diagnostic::new(Code::SwitchCases, statement.span, message).with_label("one too many"));
            }
        }
    }

    fn conditional(&mut self, span: Span) {
        if self.conditionals >= self.catalog.limits.nesting {
            let message = format!("conditionals and LOOPs are nested more than {} deep", self.catalog.limits.nesting);
            self.push(
                Diagnostic::new(Code::Nesting, span, message)
                    .with_note(format!("{} takes no more", self.catalog.title))
                    .with_help("put the inner part into a FUNCTION"),
            );
        }
        self.conditionals += 1;
    }

    fn statement(&mut self, statement: &mut Statement) {
        use ValueType as V;
        let span = statement.span;
        match &mut statement.kind {
            StatementKind::Message { text } => self.value(text, V::String),
            StatementKind::InitMap(_) | StatementKind::Map(Map::None) | StatementKind::RoomDoor { .. } => {}
            StatementKind::Map(Map::Drawn { position, .. }) => {
                if let MapPosition::At(place) = position {
                    self.value(place, V::Coordinate);
                }
            }
            StatementKind::Monster(monster) => self.monster(monster, span),
            StatementKind::Object(object) => self.object(object),
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
            StatementKind::LevelRegion(_) => {}
            StatementKind::Altar { place, .. } => self.value(place, V::Coordinate),
            StatementKind::Grave { place, epitaph } => {
                self.value(place, V::Coordinate);
                if let Epitaph::Text(text) = epitaph {
                    self.value(text, V::String);
                }
            }
            StatementKind::Fountain { at } | StatementKind::Sink { at } | StatementKind::Pool { at } => {
                self.selection(at);
            }
            StatementKind::Gold { amount, place } => {
                self.math(amount);
                self.value(place, V::Coordinate);
            }
            StatementKind::Engraving { place, text, .. } => {
                self.value(place, V::Coordinate);
                self.value(text, V::String);
            }
            StatementKind::Drawbridge { place, .. } | StatementKind::MazeWalk { place, .. } => {
                self.value(place, V::Coordinate);
            }
            StatementKind::Wallify { at } => match at {
                Some(area) if self.old_script => self.wallify_region(area),
                None => {}
                Some(WallifyArea::Selection(at)) => self.selection(at),
                Some(WallifyArea::Region(region)) => self.value(region, V::Region),
            },
            StatementKind::NonDiggable { region } | StatementKind::NonPasswall { region } => {
                self.value(region, V::Region)
            }
            StatementKind::Topologize { place } => self.value(place, V::Coordinate),
            StatementKind::Corridor { .. } | StatementKind::RandomCorridors { .. } => {}
            StatementKind::Terrain { at, terrain } => {
                self.selection(at);
                self.value(terrain, V::MapCharacter);
            }
            StatementKind::ReplaceTerrain { region, from, to, .. } => {
                self.value(region, V::Region);
                self.value(from, V::MapCharacter);
                self.value(to, V::MapCharacter);
            }
            StatementKind::Spill { place, terrain, amount, .. } => {
                self.value(place, V::Coordinate);
                self.value(terrain, V::MapCharacter);
                self.value(amount, V::Integer);
                if self.old_script {
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
            StatementKind::VaultGeneration { .. }
            | StatementKind::Exit
            | StatementKind::Registers { .. }
            | StatementKind::Error => {}
            StatementKind::Define { variable, value } => {
                let ty = self.definition(variable, value);
                self.define(variable, ty);
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
                        .with_help("SHUFFLE mixes the values of an array, set as in $x = { 1, 2, 3 }"),
                    );
                }
            }
            StatementKind::Function(function) => self.function(function),
            StatementKind::Call { function, arguments } => self.call(function, arguments),
            StatementKind::CoreCall(_) => {}
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
                self.value(from, V::Integer);
                self.value(to, V::Integer);
                if self.old_script {
                    self.bare_number(from);
                    self.bare_number(to);
                }
                if self.loops >= self.catalog.limits.nesting {
                    let message = format!("FORs are nested more than {} deep", self.catalog.limits.nesting);
                    self.push(Diagnostic::new(Code::Nesting, span, message));
                }
                self.define(variable, Some(Type::of(V::Integer)));
                // Compared with its last value at the end of the loop, so never without use.
                if let Some(state) = self.variables.get_mut(&variable.node) {
                    state.used = true;
                }
                self.loops += 1;
                self.breakable_block(body);
                self.loops -= 1;
            }
            StatementKind::Loop { count, body } => {
                self.value(count, V::Integer);
                self.conditional(span);
                self.breakable_block(body);
                self.conditionals -= 1;
            }
            StatementKind::Break => {
                if self.old_script {
                    let message = format!("{} takes BREAK right in a CASE of a SWITCH only", self.catalog.title);
                    self.push(
                        Diagnostic::new(Code::StrayBreak, span, message)
                            .with_help("in a block, as of an IF, use ELSE instead"),
                    );
                } else if self.breakable == 0 {
                    self.push(Diagnostic::new(Code::StrayBreak, span, "BREAK has nothing to break out of").with_help(
                        "BREAK leaves a SWITCH, FOR, LOOP, or the block of a room, region, monster or container",
                    ));
                }
            }
        }
    }

    fn monster(&mut self, monster: &mut Monster, span: Span) {
        if self.old_form(monster, span) {
            return;
        }
        self.value(&mut monster.monster, ValueType::Monster);
        self.value(&mut monster.place, ValueType::Coordinate);
        for detail in &mut monster.details {
            match &mut detail.node {
                MonsterDetail::Name(text) | MonsterDetail::Appearance(_, text) => self.value(text, ValueType::String),
                MonsterDetail::Fleeing(turns) | MonsterDetail::Blinded(turns) | MonsterDetail::Paralyzed(turns) => {
                    self.value(turns, ValueType::Integer);
                }
                _ => {}
            }
        }
        if let Some(inventory) = &mut monster.inventory {
            self.breakable_block(inventory);
        }
    }

    /// Whether the MONSTER has the form of 3.4.3, class and name apart: `'v',"dust vortex",(0,4)`. One message
    /// then says so instead of one for each value that is out of its place.
    fn old_form(&mut self, monster: &mut Monster, span: Span) -> bool {
        let ExprKind::MapCharacter { character: class, light: None } = monster.monster.kind else { return false };
        let new_name = match &monster.place.kind {
            ExprKind::String(name) => format!("('{}',\"{name}\")", class.escape_default()),
            ExprKind::RandomCoordinate { humidity }
                if humidity.is_empty()
                    && matches!(
                        monster.details.first().map(|detail| &detail.node),
                        Some(MonsterDetail::Name(Expr {
                            kind: ExprKind::Coordinate { .. } | ExprKind::RandomCoordinate { .. },
                            ..
                        }))
                    ) =>
            {
                format!("'{}'", class.escape_default())
            }
            _ => return false,
        };
        let replaced = monster.monster.span.to(monster.place.span);
        self.push(
            Diagnostic::new(Code::WrongDialect, monster.place.span, "this MONSTER has the form of NetHack 3.4.3")
                .with_label("expected a place")
                .with_secondary(span, format!("{} takes class and name together", self.catalog.title))
                .with_help(format!("write MONSTER:{new_name},(x,y)"))
                .with_suggestion(replaced, new_name, true),
        );
        monster.monster.kind = ExprKind::Error;
        monster.place.kind = ExprKind::Error;
        monster.details.clear();
        true
    }

    fn object(&mut self, object: &mut Object) {
        if !self.old_object_form(object) {
            self.value(&mut object.object, ValueType::Object);
            for detail in &mut object.details {
                match &mut detail.node {
                    ObjectDetail::Place(place) => self.value(place, ValueType::Coordinate),
                    ObjectDetail::MonsterType(monster) => self.value(monster, ValueType::Monster),
                    ObjectDetail::Enchantment(_) => {}
                    ObjectDetail::Name(text) => self.value(text, ValueType::String),
                    ObjectDetail::Quantity(number) | ObjectDetail::Eroded(number) | ObjectDetail::Recharged(number) => {
                        self.value(number, ValueType::Integer);
                    }
                    _ => {}
                }
            }
        }
        if let Some(contents) = &mut object.contents {
            self.breakable_block(contents);
        }
    }

    /// As [`Resolver::old_form`], for OBJECT: `'!',"object detection",(1,1)`.
    fn old_object_form(&mut self, object: &mut Object) -> bool {
        let ExprKind::MapCharacter { character: class, light: None } = object.object.kind else { return false };
        let Some(Spanned { node: ObjectDetail::Place(first), .. }) = object.details.first() else { return false };
        let ExprKind::String(name) = &first.kind else { return false };
        let new_name = format!("('{}',\"{name}\")", class.escape_default());
        let replaced = object.object.span.to(first.span);
        let first = first.span;
        object.object.kind = ExprKind::Error;
        object.details.clear();
        self.push(
            Diagnostic::new(Code::WrongDialect, first, "this OBJECT has the form of NetHack 3.4.3")
                .with_label("expected a place or a detail")
                .with_note(format!("{} takes class and name together", self.catalog.title))
                .with_help(format!("write OBJECT:{new_name},(x,y)"))
                .with_suggestion(replaced, new_name, true),
        );
        true
    }

    fn condition(&mut self, condition: &mut Condition) {
        match condition {
            Condition::Percent(_) => {}
            Condition::Compare { left, right, .. } => {
                self.value(left, ValueType::Integer);
                self.value(right, ValueType::Integer);
            }
            Condition::NonZero(value) => {
                self.value(value, ValueType::Integer);
                if self.old_script {
                    let message = format!("{} takes a percentage or a comparison here", self.catalog.title);
                    self.push(
                        Diagnostic::new(Code::WrongDialect, value.span, message).with_help("write [50%] or [$x != 0]"),
                    );
                }
            }
        }
    }

    /// WALLIFY of SporkHack: a region, not a selection.
    fn wallify_region(&mut self, area: &mut WallifyArea) {
        if let WallifyArea::Selection(at) = area
            && let SelectionKind::Point(region) = &mut at.kind
        {
            let span = region.span;
            let region = std::mem::replace(region, Expr { kind: ExprKind::Error, span });
            *area = WallifyArea::Region(region);
        }
        match area {
            WallifyArea::Region(region) => self.value(region, ValueType::Region),
            WallifyArea::Selection(at) => {
                let span = at.span;
                self.mismatch(span, ValueType::Region, "a selection");
            }
        }
    }

    /// A number where SporkHack takes no variable (`math_expr`).
    fn math(&mut self, expr: &mut Expr) {
        self.value(expr, ValueType::Integer);
        if self.old_script {
            self.no_variable(expr);
        }
    }

    fn no_variable(&mut self, expr: &Expr) {
        match &expr.kind {
            ExprKind::Variable(_) => {
                let message = format!("{} takes no variable here", self.catalog.title);
                self.push(
                    Diagnostic::new(Code::WrongDialect, expr.span, message).with_help("write a number, or dice as 2d6"),
                );
            }
            ExprKind::Group(inner) => self.no_variable(inner),
            ExprKind::Chain { first, rest } => {
                self.no_variable(first);
                rest.iter().for_each(|(_, value)| self.no_variable(value));
            }
            _ => {}
        }
    }

    /// A number that SporkHack wants to know when it compiles.
    fn bare_number(&mut self, expr: &Expr) {
        if !matches!(expr.kind, ExprKind::Integer(_) | ExprKind::Error) {
            let message = format!("{} takes a plain number here", self.catalog.title);
            self.push(Diagnostic::new(Code::WrongDialect, expr.span, message).with_help("write a number like 5"));
        }
    }

    /// A value that SporkHack wants as it is, not from a variable or selection.
    fn written_out(&mut self, value: &Expr, ty: ValueType) {
        let computed = matches!(
            value.kind,
            ExprKind::Variable(_) | ExprKind::SelectedCoordinate(_) | ExprKind::ComputedCoordinate { .. }
        );
        if computed {
            let message = format!("{} takes {} that is written out here", self.catalog.title, ty.describe());
            self.push(
                Diagnostic::new(Code::TypeMismatch, value.span, message).with_help(format!("write {}", example(ty))),
            );
        }
    }

    fn switch(&mut self, value: &mut Expr, cases: &mut [Case], span: Span) {
        self.value(value, ValueType::Integer);
        if self.in_switch > 0 {
            self.push(
                Diagnostic::new(Code::NestedSwitch, span, "a SWITCH cannot stand inside another one")
                    .with_help("put the inner SWITCH into a FUNCTION before the level, or use IF"),
            );
        }
        self.in_switch += 1;
        self.breakable += 1;
        let (mut values, mut default, mut breaks) = (0, None::<Span>, 0);
        for case in cases {
            match case.value {
                Some(_) => {
                    values += 1;
                    if values == self.catalog.limits.switch_cases + 1 {
                        let message = format!("a SWITCH takes at most {} cases", self.catalog.limits.switch_cases);
                        self.push(Diagnostic::new(Code::SwitchCases, case.span, message).with_label("one too many"));
                    }
                }
                None => {
                    if let Some(first) = default.replace(case.span) {
                        self.push(
                            Diagnostic::new(Code::SwitchCases, case.span, "the SWITCH has two DEFAULTs")
                                .with_secondary(first, "the first one"),
                        );
                    }
                }
            }
            self.case(&mut case.body, &mut breaks);
        }
        self.breakable -= 1;
        self.in_switch -= 1;
    }

    fn call(&mut self, function: &Spanned<Text>, arguments: &mut [Expr]) {
        let found: Vec<Found> = arguments.iter_mut().map(|argument| self.call_argument(argument)).collect();
        let name = &function.node;
        if self.catalog.core_function(name).is_some() {
            self.push(
                Diagnostic::new(Code::Syntax, function.span, format!("'{name}' gives a value and does nothing"))
                    .with_help(format!("use it as a value, e.g. $x = {name}...")),
            );
            return;
        }
        let Some(state) = self.functions.get(name) else {
            if self.unread.mentions(name) {
                return;
            }
            let is_statement = |word: &&str| word.bytes().all(|letter| letter.is_ascii_uppercase() || letter == b'_');
            let words = self.catalog.keywords.iter().map(|word| word.as_ref()).filter(is_statement);
            let known = self.functions.keys().map(Text::as_str).chain(words);
            let help =
                did_you_mean(name, known).unwrap_or_else(|| format!("define it above: FUNCTION {name}() {{ ... }}"));
            self.push(
                Diagnostic::new(Code::UnknownFunction, function.span, format!("function '{name}' is not defined"))
                    .with_help(help),
            );
            return;
        };
        let fits = state.parameters.len() == found.len()
            && state.parameters.iter().zip(&found).all(|(want, found)| found.is_none_or(|found| found == *want));
        if !fits {
            let describe = |types: &mut dyn Iterator<Item = String>| {
                let list: Vec<String> = types.collect();
                if list.is_empty() { "nothing".to_owned() } else { list.join(", ") }
            };
            let want = describe(&mut state.parameters.iter().map(|ty| ty.describe()));
            let got = describe(&mut found.iter().map(|ty| ty.map_or("something".to_owned(), Type::describe)));
            let defined = state.span;
            self.push(
                Diagnostic::new(Code::Arguments, function.span, format!("function '{name}' takes {want}, not {got}"))
                    .with_secondary(defined, "defined here"),
            );
        }
    }

    /// An argument of a FUNCTION: a number or a text.
    fn call_argument(&mut self, argument: &mut Expr) -> Found {
        let found = self.infer(argument)?;
        if found.array || !matches!(found.value, ValueType::Integer | ValueType::String) {
            self.push(
                Diagnostic::new(
                    Code::TypeMismatch,
                    argument.span,
                    format!("{} cannot be an argument", found.describe()),
                )
                .with_help("functions take integers and strings"),
            );
            return None;
        }
        Some(found)
    }

    fn definition(&mut self, name: &Spanned<Text>, definition: &mut Definition) -> Found {
        if self.old_script
            && let Definition::Value {
                ty: ValueType::Integer,
                value: Expr { kind: ExprKind::Variable(Variable { name: source, index: None, .. }), span },
            } = definition
        {
            let source = Spanned::new(source.clone(), *span);
            return self.copy(name, source, definition);
        }
        match definition {
            Definition::Value { ty, value } => {
                if *ty != ValueType::Integer {
                    self.value(value, *ty);
                    if self.old_script {
                        self.written_out(value, *ty);
                    }
                    return Some(Type::of(*ty));
                }
                let found = self.infer(value)?;
                let help = match found.value {
                    _ if found.array => "give an index, as in $x[0]",
                    ValueType::Monster => "write $x = monster: ...",
                    ValueType::Object => "write $x = object: ...",
                    ValueType::MapCharacter => "write $x = terrain: ...",
                    ValueType::Selection => "write $x = selection: ...",
                    other => {
                        *ty = other;
                        if self.old_script {
                            self.old_value(value, other);
                        }
                        return Some(found);
                    }
                };
                let message = format!("{} needs its type before it", found.describe());
                self.push(Diagnostic::new(Code::TypeMismatch, value.span, message).with_help(help));
                None
            }
            Definition::Array { ty, values } => {
                if *ty != ValueType::Integer {
                    for value in values.iter_mut() {
                        self.literal(value, *ty);
                    }
                    return Some(Type::array(*ty));
                }
                let mut whole: Found = None;
                for value in values.iter_mut() {
                    match whole {
                        None => {
                            let found = self.infer(value)?;
                            let fits = matches!(
                                found.value,
                                ValueType::Integer | ValueType::String | ValueType::Coordinate | ValueType::Region
                            );
                            if found.array || !fits {
                                self.push(
                                    Diagnostic::new(
                                        Code::TypeMismatch,
                                        value.span,
                                        format!("{} cannot stand in this array", found.describe()),
                                    )
                                    .with_help("arrays of other types say so: $x = monster: { ... }"),
                                );
                                return None;
                            }
                            *ty = found.value;
                            whole = Some(Type::array(found.value));
                            self.literal_only(value, found.value);
                            if self.old_script && matches!(found.value, ValueType::Integer | ValueType::String) {
                                self.old_value(value, found.value);
                            }
                        }
                        Some(known) => self.literal(value, known.value),
                    }
                }
                whole
            }
            Definition::Copy { ty, .. } => Some(*ty),
        }
    }

    /// `$name = $source`, which SporkHack copies whole, arrays too.
    fn copy(&mut self, name: &Spanned<Text>, source: Spanned<Text>, definition: &mut Definition) -> Found {
        if name.node == source.node {
            self.push(
                Diagnostic::new(Code::TypeMismatch, source.span, format!("'{}' is set to itself", name.node))
                    .with_help("copy another variable, or remove the line"),
            );
            return None;
        }
        let ty = self.use_variable(&source.node, source.span);
        *definition = Definition::Copy { ty: ty.unwrap_or(Type::of(ValueType::Integer)), variable: source };
        ty
    }

    /// What SporkHack takes for a variable's value: numbers without variables, one text, places and regions as
    /// they are written.
    fn old_value(&mut self, value: &Expr, ty: ValueType) {
        match ty {
            ValueType::Integer => self.no_variable(value),
            ValueType::String if !matches!(value.kind, ExprKind::String(_)) => {
                let message = format!("{} sets a variable to one text only", self.catalog.title);
                self.push(
                    Diagnostic::new(Code::WrongDialect, value.span, message)
                        .with_help("write text in double quotes, or put texts together where they are used"),
                );
            }
            _ => self.written_out(value, ty),
        }
    }

    /// A value of an array. Numbers and texts may be computed, the rest must be written out (lev_comp:
    /// `encodecoord_list` and its like).
    fn literal(&mut self, value: &mut Expr, ty: ValueType) {
        self.value(value, ty);
        self.literal_only(value, ty);
        if self.old_script && matches!(ty, ValueType::Integer | ValueType::String) {
            self.old_value(value, ty);
        }
    }

    fn literal_only(&mut self, value: &Expr, ty: ValueType) {
        let computed = match &value.kind {
            ExprKind::Variable(_) | ExprKind::SelectedCoordinate(_) | ExprKind::ComputedCoordinate { .. } => true,
            // Regions of arrays may come from a core function.
            ExprKind::CoreCall(_) => ty != ValueType::Region,
            _ => false,
        };
        if computed && !matches!(ty, ValueType::Integer | ValueType::String) {
            self.push(
                Diagnostic::new(
                    Code::TypeMismatch,
                    value.span,
                    format!("{} of an array is written out", ty.describe()),
                )
                .with_help(format!("write {}", example(ty))),
            );
        }
    }

    // --- Values

    /// Makes `expr` a value of type `want`, or says why it is none.
    fn value(&mut self, expr: &mut Expr, want: ValueType) {
        coerce(expr, want);
        let Some(found) = self.infer(expr) else { return };
        if found == Type::of(want) {
            return;
        }
        if found == Type::array(want) {
            self.push(
                Diagnostic::new(
                    Code::TypeMismatch,
                    expr.span,
                    format!("expected {}, found an array of them", want.describe()),
                )
                .with_help("give an index, as in $x[0]"),
            );
        } else {
            let mut message = found.describe();
            if let ExprKind::Variable(variable) = &expr.kind {
                message = format!("variable '{}', which is {message}", variable.name);
            }
            self.mismatch(expr.span, want, message);
        }
    }

    /// Type of a value as its own form tells it; reports what is wrong inside it.
    fn infer(&mut self, expr: &mut Expr) -> Found {
        let span = expr.span;
        let ty = match &mut expr.kind {
            ExprKind::Integer(_) | ExprKind::Dice { .. } => ValueType::Integer,
            ExprKind::String(_) => ValueType::String,
            ExprKind::Coordinate { .. } | ExprKind::RandomCoordinate { .. } => ValueType::Coordinate,
            ExprKind::SelectedCoordinate(selection) => {
                self.selection(selection);
                ValueType::Coordinate
            }
            ExprKind::ComputedCoordinate { x, y } => {
                self.value(x, ValueType::Integer);
                self.value(y, ValueType::Integer);
                if !self.old_script {
                    let message = format!("{} has no coordinates from variables", self.catalog.title);
                    self.push(
                        Diagnostic::new(Code::WrongDialect, span, message)
                            .with_help("set a variable to the place, as in $place = (1,2), or use rndcoord"),
                    );
                }
                ValueType::Coordinate
            }
            ExprKind::Region { .. } => ValueType::Region,
            ExprKind::MapCharacter { .. } => ValueType::MapCharacter,
            ExprKind::Monster(_) => ValueType::Monster,
            ExprKind::Object(_) => ValueType::Object,
            ExprKind::Selection(selection) => {
                self.selection(selection);
                ValueType::Selection
            }
            ExprKind::Variable(_) => return self.variable(expr),
            ExprKind::Method { .. } => ValueType::Integer,
            ExprKind::CoreCall(call) => return self.core_call(call),
            ExprKind::Chain { first, rest } => {
                let want = match rest.first() {
                    Some((Operator::Concatenate, _)) => ValueType::String,
                    _ => ValueType::Integer,
                };
                self.value(first, want);
                for (_, value) in rest {
                    self.value(value, want);
                }
                want
            }
            ExprKind::Group(inner) => {
                self.value(inner, ValueType::Integer);
                ValueType::Integer
            }
            ExprKind::Random | ExprKind::NamedRegister { .. } | ExprKind::Register { .. } => {
                self.mismatch(span, ValueType::Coordinate, "a register");
                return None;
            }
            ExprKind::Error => return None,
        };
        Some(Type::of(ty))
    }

    fn variable(&mut self, expr: &mut Expr) -> Found {
        let span = expr.span;
        let ExprKind::Variable(variable) = &mut expr.kind else { return None };
        if let Some((name, method)) = variable.name.split_once('.') {
            let (name, method) = (Text::from(name), Text::from(method));
            let ty = self.use_variable(&name, span);
            let known = |of: Type| {
                let fits = |known: &Method| {
                    known.name == method.as_str() && known.of == of.value.as_str() && known.array == of.array
                };
                self.catalog.methods.iter().any(fits)
            };
            if let Some(of) = ty
                && !known(of)
            {
                let message = format!("'{name}' is {}, which has no method '{method}'", of.describe());
                let mut diagnostic = Diagnostic::new(Code::TypeMismatch, span, message);
                if self.catalog.methods.is_empty() {
                    diagnostic = diagnostic.with_note(format!("{} has no methods", self.catalog.title));
                } else {
                    diagnostic = diagnostic.with_help("coordinates have .x and .y, arrays have .length");
                }
                self.push(diagnostic);
                return None;
            }
            expr.kind = ExprKind::Method {
                variable: Spanned::new(name, span),
                ty: ty.unwrap_or(Type::of(ValueType::Integer)),
                method,
            };
            return Some(Type::of(ValueType::Integer));
        }
        let mut index = variable.index.take();
        if let Some(index) = &mut index {
            self.value(index, ValueType::Integer);
        }
        let name = variable.name.clone();
        let found = self.use_variable(&name, span);
        let ExprKind::Variable(variable) = &mut expr.kind else { return None };
        let indexed = index.is_some();
        variable.index = index;
        let ty = found?;
        variable.ty = ty;
        match (ty.array, indexed) {
            (true, true) => Some(Type::of(ty.value)),
            (_, false) => Some(ty),
            (false, true) => {
                self.push(Diagnostic::new(
                    Code::TypeMismatch,
                    span,
                    format!("variable '{name}' is {} and takes no index", ty.describe()),
                ));
                None
            }
        }
    }

    fn core_call(&mut self, call: &mut CoreCall) -> Found {
        let name = &call.function;
        let Some(function) = self.catalog.core_function(&name.node) else {
            let known = self.catalog.core_functions.iter().map(|function| function.name.as_ref());
            let mut diagnostic =
                Diagnostic::new(Code::UnknownFunction, name.span, format!("'{}' is not a value", name.node));
            if self.catalog.core_functions.is_empty() {
                diagnostic = diagnostic.with_note(format!("{} has no functions that give values", self.catalog.title));
            } else if let Some(help) = did_you_mean(&name.node, known) {
                diagnostic = diagnostic.with_help(help);
            } else {
                diagnostic = diagnostic.with_help("texts stand in double quotes, variables begin with $");
            }
            self.push(diagnostic);
            for argument in call.arguments.iter_mut().flatten() {
                self.infer(argument);
            }
            return None;
        };
        let mut found = String::new();
        let mut unknown = false;
        if let Some(arguments) = &mut call.arguments {
            let wanted: Vec<char> = function.parameters.chars().collect();
            for (at, argument) in arguments.iter_mut().enumerate() {
                if wanted.get(at) == Some(&'O') && matches!(argument.kind, ExprKind::Monster(_)) {
                    coerce(argument, ValueType::Object);
                }
                match self.infer(argument) {
                    Some(ty) if !ty.array => found.push(ty.value.letter()),
                    Some(_) => found.push('?'),
                    None => unknown = true,
                }
            }
        }
        // Empty parentheses are one too many, even for a function that takes nothing.
        let empty = call.arguments.as_ref().is_some_and(Vec::is_empty);
        if !unknown && (found != function.parameters || empty) {
            let describe = |letters: &str| {
                let list: Vec<&str> = letters
                    .chars()
                    .map(|letter| ValueType::of_letter(letter).map_or("something else", ValueType::describe))
                    .collect();
                if list.is_empty() { "nothing".to_owned() } else { list.join(", ") }
            };
            let mut diagnostic = Diagnostic::new(
                Code::Arguments,
                name.span,
                format!("'{}' takes {}, not {}", name.node, describe(&function.parameters), describe(&found)),
            );
            if empty && function.parameters.is_empty() {
                diagnostic =
                    Diagnostic::new(Code::Arguments, name.span, format!("'{}' takes no parentheses", name.node))
                        .with_help(format!("write {}", name.node));
            }
            self.push(diagnostic);
        }
        ValueType::of_letter(function.result).map(Type::of)
    }

    fn selection(&mut self, selection: &mut Selection) {
        use ValueType as V;
        match &mut selection.kind {
            SelectionKind::Point(place) => {
                let found = self.infer(place);
                match found {
                    None => {}
                    Some(ty) if ty == Type::of(V::Coordinate) => {}
                    // The games take no element of an array of selections here.
                    Some(ty) if ty == Type::of(V::Selection) => {
                        if let ExprKind::Variable(variable) = &mut place.kind {
                            let variable = variable.clone();
                            selection.kind = SelectionKind::Variable(variable);
                        }
                    }
                    Some(ty) => {
                        let mut message = ty.describe();
                        if let ExprKind::Variable(variable) = &place.kind {
                            message = format!("variable '{}', which is {message}", variable.name);
                        }
                        let span = place.span;
                        self.mismatch(span, V::Selection, message);
                    }
                }
            }
            SelectionKind::Rectangle(region) | SelectionKind::FilledRectangle(region) => self.value(region, V::Region),
            SelectionKind::Line(from, to) => {
                self.value(from, V::Coordinate);
                self.value(to, V::Coordinate);
            }
            SelectionKind::RandomLine(from, to, roughness) => {
                self.value(from, V::Coordinate);
                self.value(to, V::Coordinate);
                self.math(roughness);
            }
            SelectionKind::Grow { selection, .. }
            | SelectionKind::FilterPercent { selection, .. }
            | SelectionKind::Complement(selection)
            | SelectionKind::Group(selection) => self.selection(selection),
            SelectionKind::FilterSelection { .. } => self.filter(selection),
            SelectionKind::FilterTerrain { terrain, selection } => {
                self.value(terrain, V::MapCharacter);
                self.selection(selection);
            }
            SelectionKind::FloodFill(place) => self.value(place, V::Coordinate),
            SelectionKind::Circle { center, radius, .. } => {
                self.value(center, V::Coordinate);
                self.math(radius);
            }
            SelectionKind::Ellipse { center, x_radius, y_radius, .. } => {
                self.value(center, V::Coordinate);
                self.math(x_radius);
                self.math(y_radius);
            }
            SelectionKind::Gradient { minimum, maximum, center, center2, .. } => {
                self.value(minimum, V::Integer);
                self.value(maximum, V::Integer);
                self.value(center, V::Coordinate);
                if let Some(center2) = center2 {
                    self.value(center2, V::Coordinate);
                }
            }
            SelectionKind::Variable(_) | SelectionKind::Error => {}
            SelectionKind::Union(parts) => parts.iter_mut().for_each(|part| self.selection(part)),
        }
    }

    /// `filter(x, selection)`: by terrain if `x` is terrain, else by another selection.
    fn filter(&mut self, selection: &mut Selection) {
        let kind = std::mem::replace(&mut selection.kind, SelectionKind::Error);
        let SelectionKind::FilterSelection { mut filter, selection: mut filtered } = kind else { return };
        let by_terrain = match &filter.kind {
            SelectionKind::Point(Expr { kind: ExprKind::MapCharacter { .. }, .. }) => true,
            SelectionKind::Point(Expr { kind: ExprKind::Variable(variable), .. }) => self
                .variables
                .get(&variable.name)
                .and_then(|state| state.ty)
                .is_some_and(|ty| ty.value == ValueType::MapCharacter),
            _ => false,
        };
        selection.kind = if let (true, SelectionKind::Point(terrain)) = (by_terrain, &mut filter.kind) {
            let mut terrain = std::mem::replace(terrain, Expr { kind: ExprKind::Error, span: filter.span });
            if self.old_script {
                let message = format!("{} cannot filter by terrain", self.catalog.title);
                self.push(
                    Diagnostic::new(Code::WrongDialect, terrain.span, message)
                        .with_help("filter by a percentage or by a selection"),
                );
            }
            self.value(&mut terrain, ValueType::MapCharacter);
            self.selection(&mut filtered);
            SelectionKind::FilterTerrain { terrain, selection: filtered }
        } else {
            self.selection(&mut filter);
            self.selection(&mut filtered);
            SelectionKind::FilterSelection { filter, selection: filtered }
        };
    }
}

/// Takes a value for what its place asks: `random`, `'x'` and `"name"` mean other things in other places.
pub fn coerce(expr: &mut Expr, want: ValueType) {
    let named = match want {
        ValueType::Monster => ExprKind::Monster,
        ValueType::Object => ExprKind::Object,
        _ => return,
    };
    let kind = std::mem::replace(&mut expr.kind, ExprKind::Error);
    expr.kind = match kind {
        ExprKind::RandomCoordinate { humidity } if humidity.is_empty() => named(SpeciesName::Random),
        ExprKind::MapCharacter { character, light: None } => named(SpeciesName::Class(character)),
        ExprKind::String(name) => named(SpeciesName::Name(name)),
        ExprKind::Object(name @ SpeciesName::ClassAndName(..)) => named(name),
        kind => kind,
    };
}
