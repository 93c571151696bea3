//! Places in statements: moved, and counted from the corner of the level or of the map.

use std::ops::Range;

use splc_driver::load;
use splc_ir::level::*;
use splc_ir::source::{FileId, Span, Text};
use splc_ir::visit::{NameRole, Visit, walk};
use splc_ir::words::{Direction, Group};
use splc_vm::{Chronicle, Machine, Settings, SplitMix};

use super::rewrite::{Rewrite, Subject, WAYS, move_title};
use crate::layout::input;
use crate::server::Server;
use crate::view::View;

/// A place or rectangle in the text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Written {
    pub range: Range<usize>,
    /// x and y, or x1, y1, x2, y2.
    pub numbers: Vec<i32>,
    /// True if it is counted from the corner of the level.
    pub of_level: bool,
    /// True if it is the area in which a level region may not be.
    pub is_outside: bool,
}

impl Written {
    /// Returns true if it is `(0,0,0,0)` in place of an area that is not excluded: the usual way to exclude nothing.
    pub fn excludes_nothing(&self) -> bool {
        self.is_outside && self.numbers == [0; 4]
    }
}

/// The places in some statements.
pub(super) struct Places<'v> {
    view: &'v View,
    pub written: Vec<Written>,
    /// The directions, with the words in the text.
    pub directions: Vec<(Range<usize>, Direction)>,
    /// Set if a place is computed, or is not in this file.
    pub is_hidden: bool,
    /// The variables with places that are used.
    pub variables: Vec<Text>,
    /// The functions that are called.
    pub calls: Vec<Text>,
    pub draws_map: bool,
    is_outside: bool,
}

impl<'v> Places<'v> {
    pub fn new(view: &'v View) -> Self {
        Places {
            view,
            written: Vec::new(),
            directions: Vec::new(),
            is_hidden: false,
            variables: Vec::new(),
            calls: Vec::new(),
            draws_map: false,
            is_outside: false,
        }
    }

    fn add(&mut self, numbers: &[i32], of_level: bool, span: Span) {
        match self.view.span(span) {
            Some(range) => {
                let is_outside = self.is_outside;
                self.written.push(Written { range, numbers: numbers.to_vec(), of_level, is_outside });
            }
            None => self.is_hidden = true,
        }
    }
}

impl<'t> Visit<'t> for Places<'_> {
    fn statement(&mut self, statement: &'t Statement) {
        if let StatementKind::Call { function, .. } = &statement.kind {
            self.calls.push(function.node.clone());
        }
        walk::statement(self, statement);
    }

    fn map(&mut self, map: &'t Map, span: Span) {
        self.draws_map = true;
        walk::map(self, map, span);
    }

    /// Skips the content of a room, whose places are counted from the room.
    fn room(&mut self, _: &'t Room, _: Span) {}

    fn level_region(&mut self, region: &'t LevelRegion, _: Span) {
        for (spec, is_outside) in [(&region.inside, false), (&region.outside, true)] {
            self.is_outside = is_outside;
            self.add(&spec.corners, spec.level, spec.span);
        }
        self.is_outside = false;
    }

    fn expression(&mut self, expression: &'t Expr) {
        match &expression.kind {
            ExprKind::Coordinate { x, y } => self.add(&[*x, *y], false, expression.span),
            ExprKind::Region { corners } => self.add(corners, false, expression.span),
            ExprKind::ComputedCoordinate { .. } | ExprKind::Method { .. } => self.is_hidden = true,
            _ => {}
        }
        walk::expression(self, expression);
    }

    fn core_call(&mut self, call: &'t CoreCall) {
        self.is_hidden |= call.arguments.as_ref().is_some_and(|arguments| !arguments.is_empty());
        walk::core_call(self, call);
    }

    fn variable(&mut self, variable: &'t Variable, span: Span) {
        if matches!(variable.ty.value, ValueType::Coordinate | ValueType::Region | ValueType::Selection) {
            self.variables.push(variable.name.clone());
        }
        walk::variable(self, variable, span);
    }

    fn word(&mut self, group: Group, word: &'t str, span: Span) {
        let Some(direction) =
            Direction::ALL.iter().copied().find(|known| group == Direction::GROUP && known.as_str() == word)
        else {
            return;
        };
        let Some(range) = self.view.span(span) else {
            self.is_hidden = true;
            return;
        };
        // Some have no span of their own.
        let text = self.view.text();
        let mut same = self.view.words().iter().filter(|known| {
            range.start <= known.start && known.end <= range.end && text.get(known.start..known.end) == Some(word)
        });
        match (same.next(), same.next()) {
            (Some(only), None) => self.directions.push((only.start..only.end, direction)),
            _ => self.is_hidden = true,
        }
    }
}

/// Returns `text` with its numbers replaced by `new`, or `None` if it has another number of them.
pub(super) fn renumbered(text: &str, new: &[i32]) -> Option<String> {
    let bytes = text.as_bytes();
    let (mut made, mut at, mut new) = (String::new(), 0, new.iter());
    while at < bytes.len() {
        let is_sign = bytes[at] == b'-' && bytes.get(at + 1).is_some_and(u8::is_ascii_digit);
        if bytes[at].is_ascii_digit() || is_sign {
            let digits = bytes[at + 1..].iter().take_while(|byte| byte.is_ascii_digit()).count();
            made.push_str(&new.next()?.to_string());
            at += 1 + digits;
        } else {
            let character = text.get(at..)?.chars().next()?;
            made.push(character);
            at += character.len_utf8();
        }
    }
    new.next().is_none().then_some(made)
}

/// Returns the changes that move the statements by one square, with all places in them.
pub(super) fn moves(view: &View, subject: &Subject) -> Vec<Rewrite> {
    let mut places = Places::new(view);
    subject.statements().into_iter().for_each(|statement| places.statement(statement));
    if places.written.is_empty() || places.is_hidden {
        return Vec::new();
    }
    let moved = |step: [i32; 2]| {
        let edit = |written: &Written| {
            if written.excludes_nothing() {
                return Some(None);
            }
            let steps = step.into_iter().cycle();
            let new: Option<Vec<i32>> =
                written.numbers.iter().zip(steps).map(|(old, step)| old.checked_add(step)).collect();
            let new = new.filter(|new| new.iter().all(|number| *number >= 0) && stays(view, written, new))?;
            let text = renumbered(view.text().get(written.range.clone())?, &new)?;
            Some(Some((written.range.clone(), text)))
        };
        let edits: Option<Vec<_>> = places.written.iter().map(edit).collect();
        edits.map(|edits| edits.into_iter().flatten().collect::<Vec<_>>()).filter(|edits| !edits.is_empty())
    };
    let one = |(way, step)| Some(Rewrite::new(move_title(way), moved(step)?).without_new_warnings());
    WAYS.into_iter().filter_map(one).collect()
}

/// Returns true if the new corners are squares of the map, as far as the old ones were.
fn stays(view: &View, written: &Written, new: &[i32]) -> bool {
    let names = view.names();
    let Some(area) = names.placed.iter().find(|placed| placed.range == written.range).map(|placed| placed.area) else {
        return true;
    };
    let Some(map) = names.areas.get(area) else { return true };
    let is_square = |corner: &[i32]| matches!(*corner, [x, y] if map.square(x, y).is_some());
    written.numbers.chunks(2).zip(new.chunks(2)).all(|(old, new)| !is_square(old) || is_square(new))
}

/// Returns the change of the level region under the cursor so that its areas are counted from the corner of the level,
/// or from that of the map. Only level regions can be written in both ways.
pub(super) fn of_the_level(server: &Server, view: &View, subject: &Subject) -> Vec<Rewrite> {
    let Some(Statement { kind: StatementKind::LevelRegion(_), .. }) = subject.around.last() else { return Vec::new() };
    let (Some(level), None) = (subject.level, subject.function) else { return Vec::new() };
    let mut places = Places::new(view);
    subject.statements().into_iter().for_each(|statement| places.statement(statement));
    if places.is_hidden {
        return Vec::new();
    }
    let Some((corner_x, corner_y)) = corner(server, view, level) else { return Vec::new() };
    let written = |to_level: bool| {
        let (sign, word) = if to_level { (1, "levregion") } else { (-1, "") };
        let mut edits = Vec::new();
        for written in places.written.iter().filter(|written| written.of_level != to_level) {
            if written.excludes_nothing() {
                continue;
            }
            let steps = [corner_x, corner_y].into_iter().cycle();
            let new: Vec<i32> = written.numbers.iter().zip(steps).map(|(old, step)| old + sign * step).collect();
            // A column below 1 means another area to the game.
            let first = if to_level { 1 } else { 0 };
            if new.iter().any(|number| *number < 0) || new[0] < first || new.len() != 4 {
                return None;
            }
            let numbers: Vec<String> = new.iter().map(i32::to_string).collect();
            edits.push((written.range.clone(), format!("{word}({})", numbers.join(","))));
        }
        (!edits.is_empty()).then_some(edits)
    };
    let to_level = written(true).map(|edits| Rewrite::new("Count from the corner of the level", edits));
    let to_map = written(false).map(|edits| Rewrite::new("Count from the corner of the map", edits));
    to_level.into_iter().chain(to_map).map(Rewrite::without_new_warnings).collect()
}

/// Seeds with which a level is run to find the corner of its map.
const SEEDS: u64 = 3;

/// Returns the corner of the only map of a level, if it is always the same.
fn corner(server: &Server, view: &View, level: &Level) -> Option<(i32, i32)> {
    let is_map = |statement: &&Statement| matches!(statement.kind, StatementKind::Map(_));
    let mut all = Places::new(view);
    all.level(level);
    let drawing = functions_with_places(view, view.module()?);
    if level.body.iter().filter(is_map).count() != 1 || all.calls.iter().any(|called| drawing.contains(called)) {
        return None;
    }
    let (input, options) = input(server, view)?;
    let loaded = load(input, &options, &mut splc_driver::NoIncludes).ok()?;
    let runnable = loaded.levels.iter().find(|known| {
        known
            .span
            .is_some_and(|span| span.file == FileId(0) && level.span.start <= span.start && span.end <= level.span.end)
    })?;
    let mut found = None;
    let mut machine = Machine::new();
    for seed in 1..=SEEDS {
        let mut chronicle = Chronicle::new();
        machine.run(&runnable.program, &Settings::default(), &mut SplitMix::new(seed), &mut chronicle).ok()?;
        let [only] = chronicle.maps() else { return None };
        if found.is_some_and(|known| known != *only) {
            return None;
        }
        found = Some(*only);
    }
    found
}

/// Returns the names of the functions in `module` that name places or directions.
pub(super) fn functions_with_places(view: &View, module: &Module) -> Vec<Text> {
    struct Functions<'v> {
        view: &'v View,
        found: Vec<Text>,
    }
    impl<'t> Visit<'t> for Functions<'_> {
        fn function(&mut self, function: &'t Function) {
            let mut places = Places::new(self.view);
            function.body.iter().for_each(|statement| places.statement(statement));
            let is_plain = places.written.is_empty()
                && places.directions.is_empty()
                && places.calls.is_empty()
                && places.variables.is_empty()
                && !places.is_hidden
                && !places.draws_map;
            if !is_plain {
                self.found.push(function.name.node.clone());
            }
        }

        fn name(&mut self, _: NameRole, _: &'t Text, _: Span) {}
    }
    let mut functions = Functions { view, found: Vec::new() };
    functions.module(module);
    functions.found
}

#[cfg(test)]
mod tests {
    use super::renumbered;

    #[test]
    fn numbers_are_replaced_and_nothing_else() {
        assert_eq!(renumbered("( 3 , -4 )", &[10, 5]).as_deref(), Some("( 10 , 5 )"));
        assert_eq!(renumbered("levregion(1,2,3,4)", &[5, 6, 7, 8]).as_deref(), Some("levregion(5,6,7,8)"));
        assert_eq!(renumbered("(1,2)", &[1, 2, 3]), None);
        assert_eq!(renumbered("(1,2)", &[1]), None);
    }
}
