//! The names of a des-file with all places that use them, and its maps with the statements about their squares.

use std::collections::HashMap;
use std::ops::Range;

use splc_ir::catalog::{Catalog, Feature};
use splc_ir::level::*;
use splc_ir::source::{FileId, SourceMap, Span, Text};
use splc_ir::visit::{NameRole, SpeciesRole, Visit, walk};

/// The kind of a name that an author chooses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Kind {
    /// A variable or parameter, with its `$`.
    Variable,
    /// A FUNCTION.
    Function,
    /// A level.
    Level,
    /// The NAME of a room (NetHack 3.4.3).
    Room,
    /// An included file.
    File,
    /// A register (NetHack 3.4.3): `place[0]`.
    Register(RegisterKind),
}

/// One use of a name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Use {
    pub kind: Kind,
    /// The name. For a register, its index.
    pub name: Text,
    /// The part of the file in which the name is visible.
    pub scope: usize,
    pub span: Span,
    /// True if it gives the name its meaning.
    pub defines: bool,
}

/// A name of the game: a monster, object, trap, room type or flag.
#[derive(Clone, Debug)]
pub(crate) enum GameName {
    Species(SpeciesRole, SpeciesName),
    Named(NameRole, Text),
    Terrain(char),
}

/// A map of the file.
#[derive(Clone, Debug, Default)]
pub(crate) struct Area {
    /// Its rows, each with its range.
    pub rows: Vec<(Text, Range<usize>)>,
    /// From the map to the next one, or the end of the level.
    pub extent: Range<usize>,
}

/// A place or a rectangle that a statement names, relative to a map.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Placed {
    /// The map, by index.
    pub area: usize,
    /// x1, y1, x2, y2.
    pub corners: [i32; 4],
    /// The numbers in the text.
    pub range: Range<usize>,
    /// The statement.
    pub statement: Range<usize>,
}

/// A variable.
#[derive(Clone, Debug)]
pub(crate) struct Variable {
    pub ty: Type,
    /// The values given to it: each with the range of the statement.
    pub values: Vec<Span>,
    pub is_parameter: bool,
}

/// The names of a des-file.
#[derive(Debug, Default)]
pub(crate) struct Names {
    /// Uses in source order.
    pub uses: Vec<Use>,
    pub variables: HashMap<(usize, Text), Variable>,
    /// The parameters of each FUNCTION.
    pub functions: HashMap<Text, (Vec<(Text, Type)>, Span)>,
    /// Names of the game in the main file.
    pub game: Vec<(Range<usize>, GameName)>,
    pub areas: Vec<Area>,
    pub placed: Vec<Placed>,
    /// Scopes, each with its range in the main file; inner ones after outer ones. That of a level has no end.
    pub scopes: Vec<(usize, Range<usize>)>,
}

impl Names {
    pub fn of(module: &Module, sources: &SourceMap, catalog: &Catalog) -> Names {
        let mut collector = Collector {
            names: Names::default(),
            sources,
            one_scope: catalog.has(Feature::OneScope),
            by_part: false,
            scope: 0,
            next_scope: 1,
            part: 0,
            area: None,
            in_room: 0,
            statement: 0..0,
        };
        collector.module(module);
        collector.names
    }

    /// Returns the use at `offset` of the main file.
    pub fn at(&self, offset: usize) -> Option<&Use> {
        let touches = |used: &&Use| {
            used.span.file == FileId(0) && (used.span.start as usize..=used.span.end as usize).contains(&offset)
        };
        // Of two that touch, the one that begins here.
        let all = self.uses.iter().filter(touches);
        all.max_by_key(|used| used.span.start)
    }

    /// Returns all uses of the same name.
    pub fn same<'n>(&'n self, used: &'n Use) -> impl Iterator<Item = &'n Use> {
        self.uses.iter().filter(move |other| {
            (other.kind, &other.name) == (used.kind, &used.name)
                && (other.scope == used.scope || matches!(used.kind, Kind::Function | Kind::Level | Kind::File))
        })
    }

    /// Returns the innermost scope at `offset` of the main file.
    pub fn scope(&self, offset: usize) -> usize {
        let inside = |(_, range): &&(usize, Range<usize>)| (range.start..=range.end).contains(&offset);
        self.scopes.iter().rfind(inside).map_or(0, |(scope, _)| *scope)
    }

    /// Returns the name of the game at `offset` of the main file.
    pub fn game_at(&self, offset: usize) -> Option<&(Range<usize>, GameName)> {
        let inside = |(range, _): &&(Range<usize>, GameName)| (range.start..=range.end).contains(&offset);
        self.game.iter().filter(inside).min_by_key(|(range, _)| range.len())
    }

    /// Returns the innermost place at `offset` of the main file.
    pub fn placed_at(&self, offset: usize) -> Option<&Placed> {
        let inside = |placed: &&Placed| (placed.range.start..=placed.range.end).contains(&offset);
        self.placed.iter().filter(inside).min_by_key(|placed| placed.range.len())
    }

    /// Returns the map and the square of it at `offset` of the main file.
    pub fn square_at(&self, offset: usize, text: &str) -> Option<(usize, i32, i32)> {
        for (number, area) in self.areas.iter().enumerate() {
            for (y, (_, range)) in area.rows.iter().enumerate() {
                if range.contains(&offset) {
                    let x = text.get(range.start..offset)?.chars().filter(is_square).count();
                    return Some((number, x as i32, y as i32));
                }
            }
        }
        None
    }
}

/// Returns true if a character of a row is a square. Digits number the rows.
fn is_square(character: &char) -> bool {
    !character.is_ascii_digit()
}

impl Area {
    /// Returns the character of a square.
    pub fn square(&self, x: i32, y: i32) -> Option<char> {
        let (row, _) = self.rows.get(usize::try_from(y).ok()?)?;
        row.chars().filter(is_square).nth(usize::try_from(x).ok()?)
    }

    /// Returns the range of a square in the text of the file.
    pub fn range(&self, x: i32, y: i32, text: &str) -> Option<Range<usize>> {
        let (_, range) = self.rows.get(usize::try_from(y).ok()?)?;
        let mut squares = text.get(range.clone())?.char_indices().filter(|(_, character)| is_square(character));
        let (at, character) = squares.nth(usize::try_from(x).ok()?)?;
        Some(range.start + at..range.start + at + character.len_utf8())
    }
}

impl Placed {
    pub fn covers(&self, x: i32, y: i32) -> bool {
        let [x1, y1, x2, y2] = self.corners;
        (x1..=x2).contains(&x) && (y1..=y2).contains(&y)
    }
}

struct Collector<'a> {
    names: Names,
    sources: &'a SourceMap,
    one_scope: bool,
    /// True if registers last until the end of a part.
    by_part: bool,
    scope: usize,
    next_scope: usize,
    /// The scope of registers.
    part: usize,
    area: Option<usize>,
    /// The number of rooms around, in which places are relative to the room.
    in_room: usize,
    statement: Range<usize>,
}

impl Collector<'_> {
    fn new_scope(&mut self) -> usize {
        self.next_scope += 1;
        self.next_scope - 1
    }

    /// Returns the span of `name` within `span`, which may also contain quotes or an index.
    fn narrow(&self, name: &str, span: Span) -> Span {
        let text = self.sources.text(span);
        match text.find(name) {
            Some(at) => Span::new(span.file, span.start as usize + at, span.start as usize + at + name.len()),
            None => span,
        }
    }

    fn used(&mut self, kind: Kind, name: &str, scope: usize, span: Span, defines: bool) {
        if span.is_nowhere() {
            return;
        }
        let span = self.narrow(name, span);
        self.names.uses.push(Use { kind, name: Text::from(name), scope, span, defines });
    }

    fn variable(&mut self, name: &Text, ty: Type, value: Option<Span>, is_parameter: bool) {
        let known = self.names.variables.entry((self.scope, name.clone()));
        let variable = known.or_insert(Variable { ty, values: Vec::new(), is_parameter });
        variable.values.extend(value);
    }

    fn placed(&mut self, corners: [i32; 4], span: Span) {
        if let (Some(area), 0, FileId(0)) = (self.area, self.in_room, span.file) {
            let range = span.start as usize..span.end as usize;
            self.names.placed.push(Placed { area, corners, range, statement: self.statement.clone() });
        }
    }

    fn game(&mut self, span: Span, name: GameName) {
        if span.file == FileId(0) {
            self.names.game.push((span.start as usize..span.end as usize, name));
        }
    }

    fn end_area(&mut self, at: usize) {
        if let Some(area) = self.area.take().and_then(|area| self.names.areas.get_mut(area)) {
            area.extent.end = at;
        }
    }
}

impl<'t> Visit<'t> for Collector<'_> {
    fn item(&mut self, item: &'t Item) {
        if let Item::Include { path, .. } = item {
            self.used(Kind::File, &path.node, 0, path.span, false);
        }
        walk::item(self, item);
    }

    fn level(&mut self, level: &'t Level) {
        self.scope = self.new_scope();
        self.part = self.scope;
        self.by_part = matches!(level.kind, LevelKind::Maze { .. });
        if level.span.file == FileId(0) {
            // A statement that is still being written is after the last one that could be read.
            self.names.scopes.push((self.scope, level.span.start as usize..usize::MAX));
        }
        self.used(Kind::Level, &level.name.node, 0, level.name.span, true);
        for flag in level.flags.iter().flatten() {
            self.game(flag.span, GameName::Named(NameRole::Flag, flag.node.clone()));
        }
        self.block(&level.body);
        self.end_area(level.span.end as usize);
        self.scope = 0;
    }

    fn function(&mut self, function: &'t Function) {
        self.used(Kind::Function, &function.name.node, 0, function.name.span, true);
        let outer = self.scope;
        if !self.one_scope {
            self.scope = self.new_scope();
            if function.span.file == FileId(0) {
                self.names.scopes.push((self.scope, function.span.start as usize..function.span.end as usize));
            }
        }
        let mut parameters = Vec::new();
        for parameter in &function.parameters {
            self.used(Kind::Variable, &parameter.name.node, self.scope, parameter.name.span, true);
            self.variable(&parameter.name.node, parameter.ty, None, true);
            parameters.push((parameter.name.node.clone(), parameter.ty));
        }
        self.names.functions.insert(function.name.node.clone(), (parameters, function.span));
        self.block(&function.body);
        self.scope = outer;
    }

    fn statement(&mut self, statement: &'t Statement) {
        let outer = std::mem::replace(&mut self.statement, statement.span.start as usize..statement.span.end as usize);
        match &statement.kind {
            StatementKind::Define { variable, value } => {
                self.used(Kind::Variable, &variable.node, self.scope, variable.span, true);
                let ty = match value {
                    Definition::Value { ty, .. } => Type::of(*ty),
                    Definition::Array { ty, .. } => Type::array(*ty),
                    Definition::Copy { ty, .. } => *ty,
                };
                self.variable(&variable.node, ty, Some(statement.span), false);
                self.definition(value);
            }
            StatementKind::For { variable, from, to, body } => {
                self.used(Kind::Variable, &variable.node, self.scope, variable.span, true);
                let header = from.span.to(to.span);
                self.variable(&variable.node, Type::of(ValueType::Integer), header.somewhere(), false);
                self.expression(from);
                self.expression(to);
                self.block(body);
            }
            StatementKind::Registers { of, values } => {
                for (number, value) in values.iter().enumerate() {
                    let name = number.to_string();
                    if !value.span.is_nowhere() {
                        let (kind, scope) = (Kind::Register(*of), self.part);
                        self.names.uses.push(Use { kind, name: name.into(), scope, span: value.span, defines: true });
                    }
                    self.expression(value);
                }
            }
            _ => walk::statement(self, statement),
        }
        self.statement = outer;
    }

    fn map(&mut self, map: &'t Map, span: Span) {
        self.end_area(span.start as usize);
        if self.by_part {
            self.part = self.new_scope();
        }
        if let Map::Drawn { rows, .. } = map
            && rows.span.file == FileId(0)
        {
            let spans = rows.row_spans.iter().map(|span| span.start as usize..span.end as usize);
            let rows: Vec<_> = rows.rows.iter().cloned().zip(spans).collect();
            self.names.areas.push(Area { rows, extent: span.start as usize..usize::MAX });
            self.area = Some(self.names.areas.len() - 1);
        }
        walk::map(self, map, span);
    }

    fn room(&mut self, room: &'t Room, span: Span) {
        if let Some(name) = &room.name {
            self.used(Kind::Room, &name.node, self.scope, name.span, true);
        }
        if let RoomPlacement::Room { parent_span, .. } = &room.placement
            && !parent_span.is_nowhere()
        {
            let name = self.sources.text(*parent_span).trim_matches('"').to_owned();
            self.used(Kind::Room, &name, self.scope, *parent_span, false);
        }
        self.in_room += 1;
        walk::room(self, room, span);
        self.in_room -= 1;
    }

    fn expression(&mut self, expression: &'t Expr) {
        match &expression.kind {
            ExprKind::Coordinate { x, y } => self.placed([*x, *y, *x, *y], expression.span),
            ExprKind::Region { corners } => self.placed(*corners, expression.span),
            ExprKind::Register { of, index } | ExprKind::NamedRegister { of, index, .. } => {
                let name = index.node.to_string();
                let span = expression.span;
                if !span.is_nowhere() {
                    let (kind, scope) = (Kind::Register(*of), self.part);
                    self.names.uses.push(Use { kind, name: name.into(), scope, span, defines: false });
                }
            }
            _ => {}
        }
        walk::expression(self, expression);
    }

    fn name(&mut self, role: NameRole, name: &'t Text, span: Span) {
        match role {
            NameRole::Variable => self.used(Kind::Variable, name, self.scope, span, false),
            NameRole::Function => self.used(Kind::Function, name, 0, span, false),
            NameRole::PortalLevel => self.used(Kind::Level, name, 0, span, false),
            NameRole::Level | NameRole::File | NameRole::Room => {}
            _ => self.game(span, GameName::Named(role, name.clone())),
        }
    }

    fn species(&mut self, role: SpeciesRole, species: &'t SpeciesName, span: Span) {
        self.game(span, GameName::Species(role, species.clone()));
    }

    fn map_character(&mut self, character: &'t char, span: Span) {
        self.game(span, GameName::Terrain(*character));
    }
}
