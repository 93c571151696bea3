//! Lints about a level as a whole: the terrain under its things, its stairs, rooms and corridors.
//!
//! Only constants outside of IF, LOOP and similar statements are examined, so every finding is certain. Results that
//! depend on chance are left to `splc test`, which runs the level. Maps that the level later covers with terrain are
//! skipped, because their final terrain is unknown before a run. The games' compilers accept all of this silently.

use std::cell::OnceCell;
use std::collections::{BTreeMap, BTreeSet};

use super::judge::Judge;
use super::parts::Terrain as Squares;
use crate::catalog::{Catalog, Format, Habit, LoaderRule, Species};
use crate::diagnostic::{Code, Diagnostic, Mistake, Severity};
use crate::level::*;
use crate::source::{Span, Spanned, Text, count_bytes};
use crate::value::SpeciesName;
use crate::visit::{Visit, walk};
use crate::wording::{Conjunction, listed};
use crate::words::{Direction, DoorState, Filling, Horizontal, Irregular, UpDown};

/// Examines the levels of `module` without an error that could hide or change a statement. Does nothing if no
/// [`Code::SURVEY`] lint would be shown.
pub(super) fn check(module: &Module, judge: &mut Judge<'_>) {
    if !Code::SURVEY.iter().any(|&code| judge.diagnostics.keeps(code)) {
        return;
    }
    if !judge.diagnostics.has_errors() {
        lone_flags(module, judge);
        lone_protection(module, judge);
    }
    let levels: Vec<&Level> = module.levels().collect();
    if judge.catalog.format == Format::Parts {
        let bare = Survey { changed: Some(BTreeSet::new()), ..Survey::default() };
        levels.iter().for_each(|level| indented(&level.body, &bare, judge));
    }
    let Some(errors) = judge.diagnostics.errors_beyond(Code::NAMES) else { return };
    let adding = adding_functions(module);
    for (number, &level) in levels.iter().enumerate() {
        let end = levels.get(number + 1).map_or(u32::MAX, |next| next.span.start);
        let first = errors.partition_point(|error| error.start < level.span.start);
        let is_hit = errors.get(first).is_some_and(|error| error.start < end);
        // They are sorted by file. One in another file may be in an INCLUDE of this level.
        let ends = [errors.first(), errors.last()];
        if is_hit || ends.into_iter().flatten().any(|error| error.file != level.span.file) {
            continue;
        }
        let mut survey = Survey { adding: adding.clone(), ..Survey::default() };
        survey.scan(&level.body, Surroundings::default(), judge);
        survey.changed = if survey.changes { survey.changed_squares(&level.body) } else { Some(BTreeSet::new()) };
        survey.repeated_ways(judge);
        if let (2.., false) = (survey.rooms, survey.corridors || survey.changes) {
            let message = "nothing connects the rooms of this level";
            let diagnostic = Diagnostic::new(Code::NoCorridors, level.name.span, message).with_help(format!(
                "add {} after the last room, or a {} from door to door",
                judge.statement("RANDOM_CORRIDORS"),
                judge.statement("CORRIDOR")
            ));
            judge.push(diagnostic);
        }
        if survey.maps > 0 {
            survey.places(&level.body, judge);
        }
        let is_vault = level.flags.iter().flatten().any(|flag| flag.node == "rndvault");
        if let (Some(map), true, false) = (survey.floor, is_vault, survey.regions) {
            let message = "the floor of this random vault belongs to no room";
            let diagnostic = Diagnostic::new(Code::UnjoinedVault, map, message)
                .with_note("no corridor leads to it")
                .with_help("add REGION: (x,y,x,y), random, \"rndvault\", irregular { } for a square of its floor");
            judge.push(diagnostic);
        }
        if judge.catalog.format == Format::Parts {
            fountains(&level.body, judge);
        }
        holes(level, judge);
        repeated_things(&level.body, judge);
        half_protected(&level.body, judge);
        for statement in &level.body {
            if let StatementKind::Map(Map::Drawn { rows, .. }) = &statement.kind {
                symmetry(rows, judge);
            }
        }
        if !survey.unknown_doors {
            doors(&level.body, &survey, judge);
        }
        if judge.catalog.format != Format::Parts {
            indented(&level.body, &survey, judge);
        }
    }
}

/// Least blanks at the beginning of all rows of a map, and least things that do not fit there, for which the blanks are
/// reported.
const INDENTED: (usize, usize) = (2, 2);

/// Reports a map whose rows were indented like other text, in place of what follows from that: the things on it do not
/// fit, but nearly all do when moved by the blanks.
fn indented(body: &[Statement], survey: &Survey, judge: &mut Judge<'_>) {
    let is_result = |known: &Diagnostic| {
        matches!(
            known.code,
            Code::PlacedInWall
                | Code::OutsideMap
                | Code::OddDoor
                | Code::DrawnDoor
                | Code::Door
                | Code::CoordinateRange
        )
    };
    if survey.changed.is_none() || !judge.diagnostics.iter().any(is_result) {
        return;
    }
    let parts = body.iter().enumerate().filter_map(|(at, statement)| match &statement.kind {
        StatementKind::Map(Map::Drawn { rows, .. }) => Some((at, rows)),
        _ => None,
    });
    for (at, rows) in parts {
        let is_map = |statement: &&Statement| matches!(statement.kind, StatementKind::Map(_));
        let rest = body[at + 1..].iter().take_while(|statement| !is_map(statement));
        let blanks = rows.rows.iter().filter(|row| !row.trim().is_empty());
        let blanks = blanks.map(|row| row.len() - row.trim_start_matches(' ').len()).min().unwrap_or(0);
        let (Some(first), Some(columns)) = (rows.row_spans.first(), i32::try_from(blanks).ok()) else { continue };
        if blanks < INDENTED.0 || rows.rows.len() != rows.row_spans.len() || first.somewhere().is_none() {
            continue;
        }
        let view = View::of(rows, survey, judge.catalog);
        if !view.is_plain() {
            continue;
        }
        let count = |columns: i32| {
            let places = rest.clone().filter_map(|statement| view.suits(statement, columns));
            places.fold((0, 0), |(wrong, all): (usize, usize), suits| (wrong + usize::from(!suits), all + 1))
        };
        let ((wrong, all), (moved_wrong, _)) = (count(0), count(columns));
        if wrong < INDENTED.1 || 2 * wrong < all || 4 * moved_wrong > all {
            continue;
        }
        let end = rest.clone().last().map_or(rows.span.end, |last| last.span.end);
        // The level has an error if the game's own compiler rejects one of the places.
        let mut code = Code::MapBlanks;
        judge.diagnostics.retain(|known| {
            let is_here = |span: Span| span.file == first.file && (first.start..=end).contains(&span.start);
            let is_kept = !is_result(known) || !known.span.is_some_and(is_here);
            if !is_kept && known.severity == Severity::Error {
                code = known.code;
            }
            is_kept
        });
        let message = format!("every row of this map begins with {blanks} blanks, which are part of the map");
        let blanks_of = |span: &Span| Span { end: span.start + blanks as u32, ..*span };
        let problem = Diagnostic::new(code, blanks_of(first), message)
            .with_label(format!("they move all places by {blanks} columns"))
            .with_help("remove the blanks: write the rows from the first column");
        let rows = rows.rows.iter().zip(&rows.row_spans).filter(|(row, _)| !row.trim().is_empty());
        judge.push(rows.fold(problem, |problem, (_, span)| problem.with_suggestion(blanks_of(span), "", true)));
    }
}

/// Reports holes in a hard floor, of which the games make rock traps (`mktrap`). The stronghold is an exception.
fn holes(level: &Level, judge: &mut Judge<'_>) {
    struct Holes<'j, 'd> {
        judge: &'j mut Judge<'d>,
        flag: Span,
    }

    impl<'tree> Visit<'tree> for Holes<'_, '_> {
        fn statement(&mut self, statement: &'tree Statement) {
            if let StatementKind::Trap { trap: OrRandom::Is(name), .. } = &statement.kind
                && matches!(name.node.as_str(), "hole" | "trap door")
            {
                let message = format!("the game makes a falling rock trap instead of this {}", name.node);
                self.judge.push(
                    Diagnostic::new(Code::LoaderComplaint, name.span, message)
                        .with_secondary(self.flag, "the floor of this level is hard")
                        .with_help("remove the flag hardfloor, or choose another trap"),
                );
            }
            walk::statement(self, statement);
        }
    }

    let Some(flag) = level.flags.iter().flatten().find(|flag| flag.node == "hardfloor") else { return };
    if !level.name.node.starts_with("castle") {
        let mut holes = Holes { judge, flag: flag.span };
        level.body.iter().for_each(|statement| holes.statement(statement));
    }
}

/// Reports levels without a flag that nearly all other versions of the level have. Versions are levels whose names
/// differ in a number at the end, of which the game chooses one.
fn lone_flags(module: &Module, judge: &mut Judge<'_>) {
    let mut versions: BTreeMap<&str, Vec<&Level>> = BTreeMap::new();
    for level in module.levels() {
        if let Some((name, number)) = level.name.node.rsplit_once('-')
            && !number.is_empty()
            && number.bytes().all(|byte| byte.is_ascii_digit())
        {
            versions.entry(name).or_default().push(level);
        }
    }
    for levels in versions.values() {
        lone_inventories(levels, judge);
        if levels.len() < VERSIONS {
            continue;
        }
        lone_ways(levels, judge);
        let flags_of =
            |level: &Level| -> BTreeSet<Text> { level.flags.iter().flatten().map(|flag| flag.node.clone()).collect() };
        let flags: Vec<BTreeSet<Text>> = levels.iter().map(|level| flags_of(level)).collect();
        let mut counts: BTreeMap<&Text, usize> = BTreeMap::new();
        flags.iter().flatten().for_each(|flag| *counts.entry(flag).or_default() += 1);
        // Maps differ in the directions in which they can be flipped, and in how far one sees.
        counts.retain(|flag, _| !flag.starts_with("noflip") && flag.as_str() != "shortsighted");
        for (flag, have) in counts {
            let lack = levels.len() - have;
            if have < 3 || lack == 0 || lack > (levels.len() / 4).max(1) {
                continue;
            }
            for (level, _) in levels.iter().zip(&flags).filter(|(_, flags)| !flags.contains(flag)) {
                let message = format!("\"{}\" lacks the flag `{flag}`", level.name.node);
                let note = format!("{have} of the {} versions of this level have it", levels.len());
                judge.push(Diagnostic::new(Code::LoneFlag, level.name.span, message).with_note(note));
            }
        }
    }
}

/// Reports levels without a statement that all other versions of the level have, and levels of a quest whose walls can
/// be dug, unlike those of all its other levels.
fn lone_protection(module: &Module, judge: &mut Judge<'_>) {
    let mut families: BTreeMap<(&str, bool), Vec<&Level>> = BTreeMap::new();
    for level in module.levels() {
        let Some((name, end)) = level.name.node.rsplit_once('-') else { continue };
        let is_version = !end.is_empty() && end.bytes().all(|byte| byte.is_ascii_digit());
        let is_quest = name.len() == 3 && !end.is_empty() && end.bytes().all(|byte| byte.is_ascii_alphabetic());
        if is_version || is_quest {
            families.entry((name, is_version)).or_default().push(level);
        }
    }
    for ((_, is_version), levels) in families {
        let mut levels: Vec<(&Level, Protection)> = levels.into_iter().map(|level| (level, of_level(level))).collect();
        levels.retain(|(_, protection)| protection.map);
        if levels.len() < VERSIONS {
            continue;
        }
        for (number, what) in ["NON_DIGGABLE", "NON_PASSWALL", "TELEPORT_REGION"].into_iter().enumerate() {
            let mut lacking = levels.iter().filter(|(_, known)| !known.has[number]);
            let (Some((level, known)), None) = (lacking.next(), lacking.next()) else { continue };
            let name = &level.name.node;
            // The levels on the way through a quest differ in most ways.
            if known.unknown || (!is_version && (number != 0 || name.ends_with("-fila") || name.ends_with("-filb"))) {
                continue;
            }
            let others = if is_version { "versions of this level" } else { "levels of this quest" };
            let note = format!("all other {} {others} have it", levels.len() - 1);
            let message = format!("\"{name}\" has no {what}");
            judge.push(Diagnostic::new(Code::LoneFlag, level.name.span, message).with_note(note));
        }
    }
}

/// Reports a unique monster without an inventory in some versions of a level, which another version gives it.
fn lone_inventories(levels: &[&Level], judge: &mut Judge<'_>) {
    let mut owners: BTreeMap<Text, Vec<(&Level, Span, bool)>> = BTreeMap::new();
    for level in levels {
        let mut known = Owners::default();
        level.body.iter().for_each(|statement| known.statement(statement));
        // One statement of a level is enough.
        for (name, (span, carries)) in known.monsters {
            owners.entry(name).or_default().push((level, span, carries));
        }
    }
    for (name, versions) in owners.iter().filter(|(_, versions)| versions.len() >= ALL_VERSIONS) {
        let Some((with, ..)) = versions.iter().find(|(.., carries)| *carries) else { continue };
        for (level, span, _) in versions.iter().filter(|(.., carries)| !carries) {
            let message = format!("{name} carries nothing in \"{}\"", level.name.node);
            let note = format!("it has an inventory in \"{}\", another version of this level", with.name.node);
            judge.push(Diagnostic::new(Code::LoneFlag, *span, message).with_note(note));
        }
    }
}

/// Least versions of a level with a monster that are compared.
const ALL_VERSIONS: usize = 3;

/// The monsters of a level whose names begin with a capital letter, each with a statement, and true if any statement
/// gives it an inventory.
#[derive(Default)]
struct Owners {
    monsters: BTreeMap<Text, (Span, bool)>,
}

impl<'tree> Visit<'tree> for Owners {
    fn statement(&mut self, statement: &'tree Statement) {
        if let StatementKind::Monster(monster) = &statement.kind
            && let ExprKind::Monster(SpeciesName::Name(name) | SpeciesName::ClassAndName(_, name)) =
                &monster.monster.kind
            && name.starts_with(|first: char| first.is_ascii_uppercase())
        {
            let known = self.monsters.entry(name.clone()).or_insert((statement.span, false));
            known.1 |= monster.inventory.is_some();
        }
        walk::statement(self, statement);
    }
}

/// Least levels that are compared with each other.
const VERSIONS: usize = 4;

/// The statements of a level that protect it as a whole.
#[derive(Default)]
struct Protection {
    /// NON_DIGGABLE, NON_PASSWALL, TELEPORT_REGION.
    has: [bool; 3],
    map: bool,
    /// True if a function can protect it.
    unknown: bool,
}

fn of_level(level: &Level) -> Protection {
    let mut protection = Protection::default();
    level.body.iter().for_each(|statement| protection.statement(statement));
    protection
}

impl<'tree> Visit<'tree> for Protection {
    fn statement(&mut self, statement: &'tree Statement) {
        match &statement.kind {
            StatementKind::NonDiggable { .. } => self.has[0] = true,
            StatementKind::NonPasswall { .. } => self.has[1] = true,
            StatementKind::LevelRegion(LevelRegion { kind: LevelRegionKind::Teleport(_), .. }) => self.has[2] = true,
            StatementKind::Map(Map::Drawn { .. }) => self.map = true,
            StatementKind::Call { .. } | StatementKind::Error => self.unknown = true,
            _ => {}
        }
        walk::statement(self, statement);
    }
}

/// Reports a version of a level without stairs in a direction in which all other versions have them.
fn lone_ways(levels: &[&Level], judge: &mut Judge<'_>) {
    let ways: Vec<LevelWays> = levels
        .iter()
        .map(|level| {
            let mut ways = LevelWays::default();
            level.body.iter().for_each(|statement| ways.statement(statement));
            ways
        })
        .collect();
    for (number, word) in ["up", "down"].into_iter().enumerate() {
        let lacking: Vec<&Level> = levels
            .iter()
            .zip(&ways)
            .filter(|(_, ways)| !ways.has[number] && !ways.unknown)
            .map(|(&level, _)| level)
            .collect();
        let &[level] = lacking.as_slice() else { continue };
        // A level without any stairs is entered in another way.
        if !levels.iter().zip(&ways).any(|(&other, ways)| std::ptr::eq(other, level) && ways.has[1 - number]) {
            continue;
        }
        if ways.iter().filter(|ways| ways.has[number]).count() + 1 == levels.len() {
            let message = format!("\"{}\" has no stairs {word}", level.name.node);
            let note = format!("all other {} versions of this level have them", levels.len() - 1);
            judge.push(Diagnostic::new(Code::MissingStairs, level.name.span, message).with_note(note));
        }
    }
}

/// The ways that some statement of a level makes.
#[derive(Default)]
struct LevelWays {
    /// Up and down.
    has: [bool; 2],
    /// True if a function or branch can make any way.
    unknown: bool,
}

impl<'tree> Visit<'tree> for LevelWays {
    fn statement(&mut self, statement: &'tree Statement) {
        let direction = match &statement.kind {
            StatementKind::Stair { direction, .. } | StatementKind::Ladder { direction, .. } => Some(*direction),
            StatementKind::LevelRegion(LevelRegion { kind: LevelRegionKind::Stair(direction), .. }) => Some(*direction),
            StatementKind::LevelRegion(LevelRegion { kind: LevelRegionKind::Branch, .. })
            | StatementKind::Call { .. }
            | StatementKind::Error => {
                self.unknown = true;
                None
            }
            _ => None,
        };
        if let Some(direction) = direction {
            self.has[usize::from(direction == UpDown::Down)] = true;
        }
        walk::statement(self, statement);
    }
}

/// The surroundings of a statement.
#[derive(Clone, Copy, Default)]
struct Surroundings {
    /// True if it may not run.
    uncertain: bool,
    /// True if it is in a room. `size` is the size of that room, if it is certain.
    room: bool,
    size: Option<(i32, i32)>,
}

/// Facts about a level.
/// A place that is the same in each use: two numbers, or an element of an array that nothing shuffles in between.
#[derive(Clone, PartialEq)]
enum CertainPlace {
    Square(i32, i32),
    Variable(Text, Option<i64>),
}

impl CertainPlace {
    fn of(place: &Expr) -> Option<Self> {
        if let Some((x, y)) = constant(place) {
            return Some(CertainPlace::Square(x, y));
        }
        let ExprKind::Variable(variable) = &place.kind else { return None };
        let index = match variable.index.as_ref().map(|index| &index.kind) {
            None => None,
            Some(&ExprKind::Integer(number)) => Some(i64::from(number)),
            Some(_) => return None,
        };
        Some(CertainPlace::Variable(variable.name.clone(), index))
    }
}

#[derive(Default)]
struct Survey {
    /// The stairs up and down, and the ladders up and down.
    ways: [Vec<Span>; 4],
    /// The last stairs with a certain place.
    stairs: Option<(UpDown, CertainPlace, Span)>,
    rooms: usize,
    corridors: bool,
    /// True if terrain is laid over maps.
    changes: bool,
    /// The squares of the last map on which other terrain may be laid, or `None` if that may be any square.
    changed: Option<BTreeSet<(i32, i32)>>,
    /// True if rock left by a map may be dug later.
    digs: bool,
    /// True if the maps may be surrounded by anything other than rock.
    surrounded: bool,
    maps: usize,
    /// The first map with floor.
    floor: Option<Span>,
    /// True if there are regions.
    regions: bool,
    /// True if there are doors at unknown places.
    unknown_doors: bool,
    /// The functions that only add things to a level.
    adding: BTreeSet<Text>,
    /// The unique monsters, with the first statement of each.
    unique: BTreeMap<Text, Span>,
}

/// Returns the functions of `module` that add monsters and objects to a level, and do nothing else.
fn adding_functions(module: &Module) -> BTreeSet<Text> {
    fn adds(statement: &Statement) -> bool {
        use StatementKind::*;
        match &statement.kind {
            Message { .. } | Monster(_) | Object(_) | Trap { .. } | Gold { .. } | Engraving { .. } | Break => true,
            Chance { then, .. } => adds(then),
            If { then, otherwise, .. } => then.iter().chain(otherwise.iter().flatten()).all(adds),
            For { body, .. } | Loop { body, .. } => body.iter().all(adds),
            Switch { cases, .. } => cases.iter().flat_map(|case| &case.body).all(adds),
            _ => false,
        }
    }
    let before = module.items.iter().filter_map(|item| match item {
        Item::Function(function) => Some(function),
        _ => None,
    });
    let inside = module.levels().flat_map(|level| &level.body).filter_map(|statement| match &statement.kind {
        StatementKind::Function(function) => Some(function),
        _ => None,
    });
    let (adding, others): (Vec<&Function>, Vec<&Function>) =
        before.chain(inside).partition(|function| function.body.iter().all(adds));
    let mut names: BTreeSet<Text> = adding.iter().map(|function| function.name.node.clone()).collect();
    // Levels can have different functions of one name.
    others.iter().for_each(|function| _ = names.remove(&function.name.node));
    names
}

impl Survey {
    /// Returns the squares of the last map on which the level may lay other terrain, or `None` if that may be any
    /// square.
    fn changed_squares(&self, body: &[Statement]) -> Option<BTreeSet<(i32, i32)>> {
        let mut laid = Laid { adding: Some(&self.adding), ..Laid::default() };
        body.iter().for_each(|statement| laid.statement(statement));
        let Laid { unknown, maps, areas, places, .. } = laid;
        if unknown || areas.len() > MAX_AREAS {
            return None;
        }
        let mut squares = BTreeSet::new();
        for (map, area) in areas {
            // Places are relative to the map before them.
            if map != maps {
                return None;
            }
            match area {
                Area::Corners([x1, y1, x2, y2]) => {
                    let side = |low: i32, high: i32| low.max(0)..=high.min(MAX_COORDINATE);
                    squares.extend(side(x1, x2).flat_map(|x| side(y1, y2).map(move |y| (x, y))));
                }
                Area::Variable(name) => squares.extend(places.get(name)?.as_ref()?),
            }
        }
        Some(squares)
    }
}

/// No map has a column or row with a larger number.
const MAX_COORDINATE: i32 = 80;

/// An area on which terrain is laid.
enum Area<'tree> {
    /// Left, top, right, bottom.
    Corners([i32; 4]),
    /// The places of a variable.
    Variable(&'tree Text),
}

/// The terrain that a level lays.
#[derive(Default)]
struct Laid<'tree> {
    /// True if terrain may be laid anywhere.
    unknown: bool,
    maps: usize,
    /// Each area, with the number of maps before it.
    areas: Vec<(usize, Area<'tree>)>,
    /// The places of all values of each variable, or `None` if they are not constant.
    places: BTreeMap<&'tree Text, Option<BTreeSet<(i32, i32)>>>,
    /// True in a room, whose places are relative to it.
    in_room: bool,
    /// The functions that lay none.
    adding: Option<&'tree BTreeSet<Text>>,
}

impl<'tree> Laid<'tree> {
    fn area(&mut self, area: Option<Area<'tree>>) {
        match area {
            Some(area) if !self.in_room => self.areas.push((self.maps, area)),
            _ => self.unknown = true,
        }
    }

    fn place(&mut self, place: &'tree Expr) {
        let area = match &place.kind {
            ExprKind::Variable(variable) => Some(Area::Variable(&variable.name)),
            _ => constant(place).map(|(x, y)| Area::Corners([x, y, x, y])),
        };
        self.area(area);
    }

    fn region(&mut self, region: &'tree Expr) {
        match region.kind {
            ExprKind::Region { corners } => self.area(Some(Area::Corners(corners))),
            _ => self.unknown = true,
        }
    }

    fn selection(&mut self, selection: &'tree Selection) {
        match &selection.kind {
            SelectionKind::Point(place) => self.place(place),
            SelectionKind::Rectangle(region) | SelectionKind::FilledRectangle(region) => self.region(region),
            SelectionKind::FilterPercent { selection, .. } | SelectionKind::FilterTerrain { selection, .. } => {
                self.selection(selection);
            }
            SelectionKind::Line(from, to) => match (constant(from), constant(to)) {
                (Some((x1, y1)), Some((x2, y2))) => {
                    self.area(Some(Area::Corners([x1.min(x2), y1.min(y2), x1.max(x2), y1.max(y2)])));
                }
                _ => self.unknown = true,
            },
            SelectionKind::Group(inner) => self.selection(inner),
            SelectionKind::Union(parts) => parts.iter().for_each(|part| self.selection(part)),
            _ => self.unknown = true,
        }
    }

    fn define(&mut self, variable: &'tree Text, values: Option<&'tree [Expr]>) {
        let values: Option<BTreeSet<_>> = values.and_then(|values| values.iter().map(constant).collect());
        match self.places.entry(variable).or_insert_with(|| Some(BTreeSet::new())) {
            known @ Some(_) if values.is_none() => *known = None,
            Some(known) => known.extend(values.unwrap_or_default()),
            None => {}
        }
    }
}

impl<'tree> Visit<'tree> for Laid<'tree> {
    fn statement(&mut self, statement: &'tree Statement) {
        let in_room = self.in_room;
        match &statement.kind {
            StatementKind::Terrain { at, .. } => self.selection(at),
            StatementKind::ReplaceTerrain { region, .. } => self.region(region),
            StatementKind::Call { function, .. }
                if self.adding.is_some_and(|adding| adding.contains(&function.node)) => {}
            StatementKind::Spill { .. }
            | StatementKind::WallWalk { .. }
            | StatementKind::Wallify { .. }
            | StatementKind::Topologize { .. }
            | StatementKind::Call { .. }
            | StatementKind::Error => self.unknown = true,
            StatementKind::Map(Map::Drawn { .. }) => self.maps += 1,
            StatementKind::Define { variable, value } => match value {
                Definition::Array { values, .. } => self.define(&variable.node, Some(values)),
                Definition::Value { value, .. } => self.define(&variable.node, Some(std::slice::from_ref(value))),
                Definition::Copy { .. } => self.define(&variable.node, None),
            },
            StatementKind::For { variable, .. } => self.define(&variable.node, None),
            // A function lays terrain when it is called.
            StatementKind::Function(_) => return,
            StatementKind::Room(_) | StatementKind::Region(_) => self.in_room = true,
            _ => {}
        }
        walk::statement(self, statement);
        self.in_room = in_room;
    }
}

impl Survey {
    /// Returns true if the square has the terrain that the last map draws there.
    fn is_drawn(&self, square: (i32, i32)) -> bool {
        self.changed.as_ref().is_some_and(|changed| !changed.contains(&square))
    }

    fn scan(&mut self, body: &[Statement], around: Surroundings, judge: &mut Judge<'_>) {
        let mut around = around;
        let mut bare = None;
        for statement in body {
            let span = statement.span;
            if let Some(size) = around.size.filter(|_| judge.catalog.format != Format::Lua) {
                outside_room(statement, size, judge);
                if let StatementKind::Door { at, .. } = &statement.kind
                    && let Some((place, span)) = point(at)
                    && *bare.get_or_insert_with(|| body.iter().all(leaves_floor))
                {
                    door_in_room(place, span, size, judge);
                }
            }
            match &statement.kind {
                StatementKind::Call { function, .. } if self.adding.contains(&function.node) => {}
                StatementKind::Terrain { .. }
                | StatementKind::ReplaceTerrain { .. }
                | StatementKind::Spill { .. }
                | StatementKind::WallWalk { .. }
                | StatementKind::Wallify { .. }
                | StatementKind::Topologize { .. }
                | StatementKind::Call { .. }
                | StatementKind::Error => self.changes = true,
                StatementKind::MazeWalk { .. } => (self.digs, self.surrounded) = (true, true),
                StatementKind::InitMap(init) => {
                    let rock = |filling: char| judge.catalog.terrain(filling).is_some_and(|number| number == 0);
                    self.surrounded |= !matches!(init, InitMap::Solid { filling, .. } if rock(filling.node));
                    if self.maps > 0 && !around.uncertain {
                        judge.push(
                            Diagnostic::new(Code::Ignored, span, "this INIT_MAP erases the map before it")
                                .with_help("move it before GEOMETRY, to directly after the FLAGS of the level"),
                        );
                    }
                }
                StatementKind::Map(Map::Drawn { rows, position, .. }) => {
                    self.maps += 1;
                    self.stairs = None;
                    if self.floor.is_none() && rows.rows.iter().any(|row| row.contains('.')) {
                        self.floor = Some(rows.span);
                    }
                    blanks(rows, position, judge);
                    uneven(rows, judge);
                }
                StatementKind::Map(Map::None) => self.surrounded = true,
                StatementKind::Room(room) => self.room(room, span, around, judge),
                StatementKind::RoomDoor { .. } if !around.room => {
                    let message = "this ROOMDOOR is outside a room and has no effect";
                    let help = "move it into a ROOM or SUBROOM, or use DOOR for a door on a square";
                    judge.push(Diagnostic::new(Code::OutsideRoom, span, message).with_help(help));
                }
                StatementKind::Door { at, .. } => {
                    self.unknown_doors |= !matches!(&at.kind, SelectionKind::Point(place) if constant(place).is_some());
                }
                StatementKind::Corridor { .. } | StatementKind::RandomCorridors { .. } => self.corridors = true,
                StatementKind::Stair { direction, place } => {
                    self.stairs_on_stairs(*direction, place, around, judge);
                    self.way(*direction, 0, span, around);
                }
                StatementKind::Ladder { direction, .. } => self.way(*direction, 2, span, around),
                StatementKind::LevelRegion(region) => {
                    if let LevelRegionKind::Stair(direction) = region.kind {
                        self.way(direction, 0, span, around);
                    }
                    excluded(region, judge);
                    swapped(&region.inside, "has no squares", judge);
                    swapped(&region.outside, "excludes nothing", judge);
                }
                StatementKind::Define { value, .. } => {
                    self.stairs = None;
                    if let Definition::Array { values, .. } = value {
                        repeated(values, judge);
                    }
                }
                StatementKind::Shuffle { .. } => self.stairs = None,
                StatementKind::Monster(monster) if !around.uncertain => self.unique(monster, judge),
                StatementKind::Region(region) => {
                    self.regions = true;
                    let around = Surroundings { room: true, size: None, ..around };
                    self.scan(region.body.as_deref().unwrap_or(&[]), around, judge);
                }
                StatementKind::If { then, otherwise, .. } => {
                    let around = Surroundings { uncertain: true, ..around };
                    self.scan(then, around, judge);
                    self.scan(otherwise.as_deref().unwrap_or(&[]), around, judge);
                }
                StatementKind::Chance { then, .. } => {
                    self.scan(std::slice::from_ref(then), Surroundings { uncertain: true, ..around }, judge);
                }
                StatementKind::For { body, .. } | StatementKind::Loop { body, .. } => {
                    self.scan(body, Surroundings { uncertain: true, ..around }, judge);
                }
                StatementKind::Switch { cases, .. } => {
                    falls_through(cases, judge);
                    for case in cases {
                        self.scan(&case.body, Surroundings { uncertain: true, ..around }, judge);
                    }
                }
                StatementKind::Object(Object { contents: Some(contents), .. })
                    if judge.catalog.format == Format::Parts =>
                {
                    loose(contents, judge);
                }
                StatementKind::Exit => around.uncertain = true,
                _ => {}
            }
        }
    }

    /// Reports a unique monster that the level already has.
    fn unique(&mut self, monster: &Monster, judge: &mut Judge<'_>) {
        let is_unique = |kind: &Species| kind.habits.has(Habit::Unique);
        if let ExprKind::Monster(SpeciesName::Name(name) | SpeciesName::ClassAndName(_, name)) = &monster.monster.kind
            && judge.catalog.loader.rules.has(LoaderRule::UniqueMonstersComeOnce)
            && species(name, judge.catalog).is_some_and(is_unique)
        {
            let span = monster.monster.span;
            if let Some(&first) = self.unique.get(name) {
                judge.push(
                    Diagnostic::new(Code::RepeatedThing, span, format!("the level already has {name}"))
                        .with_secondary(first, "first here")
                        .with_note("the game makes a unique monster once: this statement has no effect")
                        .with_help("remove one of the two statements"),
                );
            } else {
                self.unique.insert(name.clone(), span);
            }
        }
    }

    /// Reports stairs on the square of the stairs before them, which they replace.
    fn stairs_on_stairs(&mut self, to: UpDown, place: &Expr, around: Surroundings, judge: &mut Judge<'_>) {
        let Some(square) = CertainPlace::of(place).filter(|_| !around.uncertain && !around.room) else { return };
        let before = self.stairs.replace((to, square.clone(), place.span));
        if let Some((other, first, span)) = before
            && other != to
            && first == square
        {
            let message =
                format!("these stairs {} replace the stairs {} on the same square", to.as_str(), other.as_str());
            judge.push(
                Diagnostic::new(Code::RepeatedThing, place.span, message)
                    .with_secondary(span, format!("the stairs {}", other.as_str()))
                    .with_help("give each of the two a square of its own"),
            );
        }
    }

    /// Notes stairs or a ladder.
    fn way(&mut self, to: UpDown, kind: usize, span: Span, around: Surroundings) {
        if !around.uncertain {
            self.ways[kind + usize::from(to == UpDown::Down)].push(span);
        }
    }

    /// Reports the second of two stairs or ladders in one direction. More of them are decoys.
    fn repeated_ways(&self, judge: &mut Judge<'_>) {
        for (number, spans) in self.ways.iter().enumerate() {
            let &[first, span] = spans.as_slice() else { continue };
            let (what, to) = (["stairs", "ladders"][number / 2], ["up", "down"][number % 2]);
            let message = format!("the level already has {what} {to}: the game uses only the last");
            let diagnostic =
                Diagnostic::new(Code::DuplicateStairs, span, message).with_secondary(first, "first placed here");
            let other = ["down", "up"][number % 2];
            judge.push(match self.ways[number ^ 1].is_empty() {
                true => diagnostic.with_help(format!("write {other}, if this is the way {other}: the level has none")),
                false => diagnostic.with_help("remove one of the two"),
            });
        }
    }

    fn room(&mut self, room: &Room, span: Span, around: Surroundings, judge: &mut Judge<'_>) {
        let number = |size: &OrRandom<(crate::source::Spanned<i32>, crate::source::Spanned<i32>)>| match size {
            OrRandom::Is((width, height)) if width.node > 0 && height.node > 0 => Some((width.node, height.node)),
            _ => None,
        };
        let size = number(&room.size);
        match &room.placement {
            RoomPlacement::Level { .. } => {
                if !around.uncertain {
                    self.rooms += 1;
                }
                if let OrRandom::Is(name) = &room.room_type
                    && judge.catalog.room(&name.node).is_some_and(|kind| judge.catalog.room("vault") == Some(kind))
                {
                    let message = "a ROOM of type \"vault\" is never created: the game only reserves its place";
                    let help = "leave vaults to the game, or draw one with MAP and REGION";
                    judge.push(Diagnostic::new(Code::VaultRoom, name.span, message).with_help(help));
                }
            }
            RoomPlacement::Room { position, .. } => {
                doorless_shop(room, judge);
                if !around.room {
                    let message = "this SUBROOM is outside a room";
                    let help = "move it into its ROOM";
                    judge.push(Diagnostic::new(Code::OutsideRoom, span, message).with_help(help));
                }
                if let (OrRandom::Is(position), Some((width, height)), Some((most_x, most_y))) =
                    (position, size, around.size)
                {
                    let (x, y) = position.node;
                    let (right, bottom) = (x.saturating_add(width), y.saturating_add(height));
                    if x >= 0 && y >= 0 && (right > most_x || bottom > most_y) {
                        let message = "this subroom does not fit into its room";
                        let label = format!(
                            "the subroom reaches from ({x},{y}) to ({},{}), the room to ({},{})",
                            right - 1,
                            bottom - 1,
                            most_x - 1,
                            most_y - 1
                        );
                        let help = match (width <= most_x, height <= most_y) {
                            (true, true) => {
                                format!(
                                    "place it at most at ({},{}), or make it smaller",
                                    most_x - width,
                                    most_y - height
                                )
                            }
                            _ => format!("make it at most {most_x} wide and {most_y} high"),
                        };
                        let problem = Diagnostic::new(Code::SubroomSize, position.span, message);
                        judge.push(problem.with_label(label).with_help(help));
                    }
                }
            }
            RoomPlacement::Stray { .. } => {}
        }
        self.scan(&room.body, Surroundings { room: true, size, ..around }, judge);
    }

    /// Examines the things placed on the last map, which no later map can cover.
    fn places(&self, body: &[Statement], judge: &mut Judge<'_>) {
        let mut left = self.maps;
        let mut view: Option<View<'_>> = None;
        for statement in body {
            if let StatementKind::Map(map) = &statement.kind {
                left = left.saturating_sub(usize::from(matches!(map, Map::Drawn { .. })));
                view = match map {
                    Map::Drawn { rows, .. } if left == 0 => Some(View::of(rows, self, judge.catalog)),
                    _ => None,
                };
                continue;
            }
            if matches!(statement.kind, StatementKind::Exit) {
                return;
            }
            let Some(view) = &view else { continue };
            if let StatementKind::Define { variable, value: Definition::Array { values, .. } } = &statement.kind {
                view.places_of(&variable.node, values, body, judge);
            } else if let StatementKind::Region(region) = &statement.kind {
                view.region(region, body, judge);
            } else if judge.catalog.format != Format::Parts && self.changed.is_some() {
                view.statement(statement, judge);
            }
        }
    }
}

/// Returns true for the number of a room that is a shop.
fn is_shop(kind: Option<i32>, catalog: &Catalog) -> bool {
    catalog.room("shop").is_some_and(|shop| kind.is_some_and(|kind| kind >= shop))
}

/// Returns the diagnostic about a shop without a door, without help.
fn no_door(shop: Span) -> Diagnostic {
    Diagnostic::new(Code::ShopDoor, shop, "this shop has no door")
        .with_note("the game puts the shopkeeper next to the only door, so this room stays an empty one")
}

/// Reports a shop inside a room without a door. Corridors make doors of outer rooms alone.
fn doorless_shop(room: &Room, judge: &mut Judge<'_>) {
    struct Doors(bool);

    impl<'tree> Visit<'tree> for Doors {
        fn statement(&mut self, statement: &'tree Statement) {
            use StatementKind::{Call, Door, Error, RoomDoor, Terrain};
            // A function can make a door, and so can terrain.
            self.0 |= matches!(statement.kind, Door { .. } | RoomDoor { .. } | Call { .. } | Terrain { .. } | Error);
            walk::statement(self, statement);
        }
    }

    let OrRandom::Is(name) = &room.room_type else { return };
    if judge.catalog.format == Format::Parts || !is_shop(judge.catalog.room(&name.node), judge.catalog) {
        return;
    }
    let mut doors = Doors(false);
    room.body.iter().for_each(|statement| doors.statement(statement));
    if doors.0 {
        return;
    }
    let help = match judge.catalog.format {
        Format::Lua => "add des.door({ wall = \"random\" }) to its contents",
        _ => "add ROOMDOOR: false, random, random, random to its block",
    };
    judge.push(no_door(name.span).with_help(help));
}

/// Reports fountains that a map draws and no FOUNTAIN after it declares. Later games count the squares themselves.
fn fountains(body: &[Statement], judge: &mut Judge<'_>) {
    let mut drawn: Vec<((i32, i32), Span)> = Vec::new();
    for statement in body {
        match &statement.kind {
            StatementKind::Map(map) => {
                undeclared(std::mem::take(&mut drawn), judge);
                let Map::Drawn { rows, .. } = map else { continue };
                drawn = squares_with(b'{', rows);
            }
            StatementKind::Fountain { at } => match point(at) {
                Some((place, _)) => drawn.retain(|&(square, _)| square != place),
                None => drawn.clear(),
            },
            _ => {}
        }
    }
    undeclared(drawn, judge);
}

fn undeclared(drawn: Vec<((i32, i32), Span)>, judge: &mut Judge<'_>) {
    for ((x, y), span) in drawn {
        let message = format!("no FOUNTAIN declares the fountain at ({x},{y})");
        let help = format!("add FOUNTAIN:({x},{y})");
        let diagnostic = Diagnostic::new(Code::DrawnFountain, span, message).with_help(help);
        judge.push(diagnostic.with_note("the game does not count a fountain that is only drawn: the level is silent"));
    }
}

/// Returns the squares of a map with this letter, each with the span of its row.
fn squares_with(letter: u8, rows: &MapRows) -> Vec<((i32, i32), Span)> {
    let mut squares = Vec::new();
    let has_some = |(_, row): &(i32, &Text)| row.as_bytes().contains(&letter);
    for (y, row) in (0..).zip(&rows.rows).filter(has_some) {
        let span = rows.row_spans.get(y as usize).copied().unwrap_or(rows.span);
        let drawn = MapRows::drawn(row);
        squares.extend((0..).zip(&*drawn).filter(|&(_, &byte)| byte == letter).map(|(x, _)| ((x, y), span)));
    }
    squares
}

/// Reports cases that go on into the next one: once, if that is so for all of them.
fn falls_through(cases: &[Case], judge: &mut Judge<'_>) {
    let last =
        |case: &Case| case.body.last().map(|last| matches!(last.kind, StatementKind::Break | StatementKind::Exit));
    let name = |case: &Case| case.value.map_or("DEFAULT".to_owned(), |value| format!("CASE {}", value.node));
    let pairs = || cases.windows(2).filter(|pair| last(&pair[0]) == Some(false));
    let none_ends = !cases.iter().any(|case| last(case) == Some(true));
    for pair in pairs().take(if none_ends { 1 } else { cases.len() }) {
        let message = format!("{} has no BREAK: the game goes on with {}", name(&pair[0]), name(&pair[1]));
        let diagnostic = Diagnostic::new(Code::FallThrough, pair[0].span, message)
            .with_secondary(pair[1].span, "runs next")
            .with_help("write BREAK on a line after its last statement");
        judge.push(match none_ends && pairs().nth(1).is_some() {
            true => diagnostic.with_note("no CASE of this SWITCH has a BREAK"),
            false => diagnostic,
        });
    }
}

/// The doors that the last map draws and no DOOR has declared yet.
#[derive(Default)]
struct Doorways {
    drawn: Vec<((i32, i32), Span)>,
    /// True if a DOOR belongs to the map. Without any, the doorways are probably meant.
    declares: bool,
    /// The DOORs at squares where the map draws none.
    undrawn: Vec<((i32, i32), Span)>,
}

impl<'tree> Visit<'tree> for Doorways {
    fn statement(&mut self, statement: &'tree Statement) {
        match &statement.kind {
            StatementKind::Door { at, .. } => {
                self.declares = true;
                match point(at) {
                    Some((place, span)) => {
                        let drawn = self.drawn.len();
                        self.drawn.retain(|&(square, _)| square != place);
                        if self.drawn.len() == drawn {
                            self.undrawn.push((place, span));
                        }
                    }
                    None => self.drawn.clear(),
                }
            }
            // A function can declare any door.
            StatementKind::Call { .. } => self.drawn.clear(),
            _ => walk::statement(self, statement),
        }
    }
}

/// Reports doors that a map draws and no DOOR declares, though some DOOR belongs to that map: they are doorways without
/// a door.
///
/// If unknown terrain is laid over the map, only a DOOR next to such a door is reported.
fn doors(body: &[Statement], survey: &Survey, judge: &mut Judge<'_>) {
    let is_whole = survey.changed.is_some();
    let is_kept = |square: (i32, i32)| !is_whole || survey.is_drawn(square);
    let doorways = |mut doors: Doorways, judge: &mut Judge<'_>| {
        doors.drawn.retain(|&(square, _)| is_kept(square));
        doors.undrawn.retain(|&(square, _)| is_kept(square));
        doorways(doors, is_whole, judge);
    };
    let mut doors = Doorways::default();
    for statement in body {
        let StatementKind::Map(map) = &statement.kind else {
            doors.statement(statement);
            continue;
        };
        doorways(std::mem::take(&mut doors), judge);
        if let Map::Drawn { rows, .. } = map {
            doors.drawn = squares_with(b'+', rows);
        }
    }
    doorways(doors, judge);
}

/// Returns a diagnostic without help for a door declared beside the only one that a map draws and nothing declares, or
/// with its column and row swapped. Both are given as a square of the map and the span of the text that places or draws
/// it.
fn misplaced_door(declared: ((i32, i32), Span), drawn: ((i32, i32), Span)) -> Option<Diagnostic> {
    let (((column, line), door), ((x, y), row)) = (declared, drawn);
    let is_beside = x.abs_diff(column) <= 1 && y.abs_diff(line) <= 1;
    (is_beside || (x, y) == (line, column)).then(|| {
        Diagnostic::new(Code::DrawnDoor, door, format!("the map draws no door at ({column},{line})"))
            .with_secondary(row, format!("it draws one at ({x},{y})"))
            .with_note(format!("the game makes a doorway without a door at ({x},{y})"))
    })
}

fn doorways(Doorways { drawn, declares, undrawn }: Doorways, is_whole: bool, judge: &mut Judge<'_>) {
    let (Some(&(_, span)), true) = (drawn.first(), declares) else { return };
    // A DOOR next to the only door without one is off by one, another may have its numbers swapped.
    if let [((x, y), row)] = drawn.as_slice()
        && let Some(problem) = undrawn.iter().find_map(|&declared| misplaced_door(declared, ((*x, *y), *row)))
    {
        // It may have been reported where it is.
        let is_same = |known: &Diagnostic| matches!(known.code, Code::OddDoor | Code::OutsideMap);
        judge.diagnostics.retain(|known| !is_same(known) || known.span != problem.span);
        let help = match judge.catalog.format {
            Format::Lua => format!("write {x},{y}"),
            _ => format!("write ({x},{y})"),
        };
        judge.push(problem.with_help(help));
        return;
    }
    if !is_whole {
        return;
    }
    let door = judge.statement("DOOR");
    let places: Vec<String> = drawn.iter().take(8).map(|((x, y), _)| format!("({x},{y})")).collect();
    let message = match (places.as_slice(), drawn.len() - places.len()) {
        ([place], _) => format!("no {door} declares the door drawn at {place}"),
        (_, 0) => format!("no {door} declares the doors drawn at {}", places.join(", ")),
        (_, more) => format!("no {door} declares the doors drawn at {} and {more} more places", places.join(", ")),
    };
    judge.push(
        Diagnostic::new(Code::DrawnDoor, span, message)
            .with_note("the game makes a doorway without a door")
            .with_help(format!("add a {door} with the state of the door, nodoor if it is meant")),
    );
}

/// Reports a region of the level whose corners are swapped. The games accept it silently.
fn swapped(region: &RegionSpec, effect: &str, judge: &mut Judge<'_>) {
    let [x1, y1, x2, y2] = region.corners;
    if judge.catalog.format != Format::Opcodes || (x1 <= x2 && y1 <= y2) || x2 <= 0 || y2 < 0 {
        return;
    }
    let message = format!("the corners of this region are swapped, so it {effect}");
    judge.push(Diagnostic::new(Code::SwappedCorners, region.span, message).with_help(format!(
        "write ({},{},{},{})",
        x1.min(x2),
        y1.min(y2),
        x1.max(x2),
        y1.max(y2)
    )));
}

/// Reports a region of which the excluded area leaves nothing.
fn excluded(region: &LevelRegion, judge: &mut Judge<'_>) {
    let ([x1, y1, x2, y2], [left, top, right, bottom]) = (region.inside.corners, region.outside.corners);
    // The game takes a region from column 0 for the whole level (`place_lregion`).
    let is_area = x1 > 0 && x1 <= x2 && y1 <= y2;
    let covers = left <= x1 && top <= y1 && x2 <= right && y2 <= bottom;
    if is_area && covers && region.inside.level == region.outside.level {
        judge.push(
            Diagnostic::new(Code::LoaderComplaint, region.outside.span, "this excludes the whole region before it")
                .with_secondary(region.inside.span, "no square of this is left")
                .with_help("write (0,0,0,0) to exclude nothing, or exclude a part of it"),
        );
    }
}

/// Reports objects between the contents of a container that are not in it. An object with a fixed place is meant.
fn loose(contents: &[Statement], judge: &mut Judge<'_>) {
    for statement in contents {
        let StatementKind::Object(object) = &statement.kind else { continue };
        if object.contained_span.somewhere().is_some() || object.contents.is_some() {
            continue;
        }
        if object.place().is_some_and(|place| matches!(place.kind, ExprKind::RandomCoordinate { .. })) {
            let message = "this object is not in the container of the objects around it";
            let diagnostic = Diagnostic::new(Code::LooseObject, statement.span, message);
            judge.push(diagnostic.with_help("write `contained` as its place, or move it after the contents"));
        }
    }
}

/// Reports a place that a list has twice.
fn repeated(values: &[Expr], judge: &mut Judge<'_>) {
    let mut seen: std::collections::HashMap<(i32, i32), Span> = std::collections::HashMap::new();
    for value in values {
        let Some(place) = constant(value) else { continue };
        if let Some(&first) = seen.get(&place) {
            let message = format!("the list already has the place ({},{})", place.0, place.1);
            judge.push(Diagnostic::new(Code::RepeatedPlace, value.span, message).with_secondary(first, "first here"));
        } else {
            seen.insert(place, value.span);
        }
    }
}

/// Reports a door or boulder at a place where an earlier statement puts the same: one of them belongs elsewhere.
fn repeated_things(body: &[Statement], judge: &mut Judge<'_>) {
    let mut seen: BTreeMap<(&'static str, (i32, i32)), Vec<Span>> = BTreeMap::new();
    let mut pairs = Vec::new();
    // A heap of boulders is meant.
    let mut take = |seen: BTreeMap<(&'static str, (i32, i32)), Vec<Span>>| {
        pairs.extend(seen.into_iter().filter_map(|(key, spans)| match spans.as_slice() {
            &[first, second] => Some((key, first, second)),
            _ => None,
        }));
    };
    for statement in body {
        let (what, place, span) = match &statement.kind {
            StatementKind::Map(_) => {
                take(std::mem::take(&mut seen));
                continue;
            }
            StatementKind::Door { at, .. } => match point(at) {
                Some((place, span)) => ("door", place, span),
                None => continue,
            },
            StatementKind::Object(object) if is_boulder(&object.object) => match thing(statement) {
                Some((_, place, span)) => ("boulder", place, span),
                None => continue,
            },
            _ => continue,
        };
        seen.entry((what, place)).or_default().push(span);
    }
    take(seen);
    for ((what, (x, y)), first, second) in pairs {
        let message = format!("this level already has a {what} at ({x},{y})");
        judge.push(Diagnostic::new(Code::RepeatedThing, second, message).with_secondary(first, "first here"));
    }
}

/// Reports a place of a list of which NON_DIGGABLE protects only some of the squares around it, and all squares around
/// the other places.
fn half_protected(body: &[Statement], judge: &mut Judge<'_>) {
    let mut lists: Vec<&[Expr]> = Vec::new();
    let mut areas: Vec<[i32; 4]> = Vec::new();
    for statement in body {
        match &statement.kind {
            StatementKind::Registers { values, .. }
            | StatementKind::Define { value: Definition::Array { values, .. }, .. } => lists.push(values),
            StatementKind::NonDiggable { region: Expr { kind: ExprKind::Region { corners }, .. } } => {
                areas.push(*corners);
            }
            StatementKind::Map(_) if !areas.is_empty() => return,
            _ => {}
        }
    }
    if areas.len() > MAX_AREAS {
        return;
    }
    let covers =
        |x: i32, y: i32| areas.iter().any(|&[x1, y1, x2, y2]| (x1..=x2).contains(&x) && (y1..=y2).contains(&y));
    for values in lists.iter().filter(|values| values.len() >= PLACES) {
        let places: Vec<_> = values.iter().filter_map(|value| Some((constant(value)?, value.span))).collect();
        if places.len() != values.len() {
            continue;
        }
        // Squares left of column 0 and above row 0 are not part of the map.
        let covered = |(x, y): (i32, i32)| {
            let around = (x.saturating_sub(1)..=x.saturating_add(1))
                .flat_map(|x| (y.saturating_sub(1)..=y.saturating_add(1)).map(move |y| (x, y)));
            let around: Vec<bool> = around.filter(|&(x, y)| x >= 0 && y >= 0).map(|(x, y)| covers(x, y)).collect();
            (around.contains(&true), around.contains(&false))
        };
        let mut halves = places.iter().filter(|(place, _)| covered(*place) == (true, true));
        let whole = places.iter().filter(|(place, _)| covered(*place) == (true, false)).count();
        if let (Some(&((x, y), span)), None) = (halves.next(), halves.next())
            && whole + 1 == places.len()
        {
            let message = format!("NON_DIGGABLE covers only some of the squares around ({x},{y})");
            let note = "it covers all squares around the other places of this list";
            judge.push(Diagnostic::new(Code::LoneFlag, span, message).with_note(note));
        }
    }
}

/// Least places of a list that are compared.
const PLACES: usize = 3;

/// Most areas that are compared with places.
const MAX_AREAS: usize = 64;

fn is_boulder(object: &Expr) -> bool {
    let ExprKind::Object(name) = &object.kind else { return false };
    matches!(name, SpeciesName::Name(name) | SpeciesName::ClassAndName(_, name) if name.as_str() == "boulder")
}

/// Squares of a symmetric map that are alike, at least.
const ALIKE: usize = 150;

/// Least floor of a symmetric map. A grid for MAZEWALK has less.
const FLOOR: usize = 40;

/// Squares of a symmetric map that differ, at most: two pairs.
const DIFFERENT: usize = 4;

/// Reports a map that is symmetric except for one or two squares, floor on one side and rock on the other.
fn symmetry(rows: &MapRows, judge: &mut Judge<'_>) {
    let squares: Vec<_> = rows.rows.iter().map(|row| MapRows::drawn(row)).collect();
    let is_blank = |byte: &u8| *byte == b' ';
    let first = squares.iter().filter_map(|row| row.iter().position(|byte| !is_blank(byte))).min();
    let last = squares.iter().filter_map(|row| row.iter().rposition(|byte| !is_blank(byte))).max();
    let (Some(first), Some(last)) = (first, last) else { return };
    let height = squares.len();
    let floor: usize = squares.iter().map(|row| count_bytes(row, |byte| byte == b'.')).sum();
    let square = |x: usize, y: usize| squares.get(y).and_then(|row| row.get(x)).copied().unwrap_or(b' ');
    for across in [true, false] {
        let (mut alike, mut different) = (0, Vec::new());
        'rows: for y in 0..height {
            for x in first..=last {
                let other = if across { square(first + last - x, y) } else { square(x, height - 1 - y) };
                match (square(x, y), other) {
                    (here, there) if here == there => alike += usize::from(here != b' '),
                    (here, there) => different.push((x, y, here, there)),
                }
                if different.len() > DIFFERENT {
                    break 'rows;
                }
            }
        }
        // Entrances are at the edge of a map, or in its walls.
        let is_inner = |&(x, y, here, there): &(usize, usize, u8, u8)| {
            matches!((here, there), (b'.', b' ') | (b' ', b'.'))
                && (first + 1..last).contains(&x)
                && (1..height - 1).contains(&y)
        };
        if different.is_empty()
            || floor < FLOOR
            || different.len() > DIFFERENT
            || alike < ALIKE
            || !different.iter().all(is_inner)
        {
            continue;
        }
        let Some(&(x, y, ..)) = different.iter().find(|(.., here, _)| *here == b' ') else { continue };
        let span = rows.row_spans.get(y).copied().unwrap_or(rows.span);
        let other = if across { (first + last - x, y) } else { (x, height - 1 - y) };
        let message = "this map is symmetric except for one square";
        judge.push(
            Diagnostic::new(Code::BrokenSymmetry, span, message)
                .with_label(format!("rock at ({x},{y})"))
                .with_note(format!("there is floor on the other side, at ({},{})", other.0, other.1)),
        );
        return;
    }
}

/// Returns the place that an expression denotes, if it is certain.
fn constant(place: &Expr) -> Option<(i32, i32)> {
    match &place.kind {
        ExprKind::Coordinate { x, y } => Some((*x, *y)),
        ExprKind::Group(inner) => constant(inner),
        _ => None,
    }
}

/// Returns the place and span of a selection that is a single, certain place.
fn point(at: &Selection) -> Option<((i32, i32), Span)> {
    match &at.kind {
        SelectionKind::Point(place) => constant(place).map(|square| (square, place.span)),
        _ => None,
    }
}

/// Returns the thing that a statement places on a certain square, the square, and its span. Doors are excluded: they
/// belong in walls.
fn thing(statement: &Statement) -> Option<(&'static str, (i32, i32), Span)> {
    let there = |place: &Expr| constant(place).map(|square| (square, place.span));
    let (what, place) = match &statement.kind {
        StatementKind::Monster(monster) => ("monster", there(&monster.place)),
        StatementKind::Object(object) => ("object", object.place().and_then(there)),
        StatementKind::Trap { place, .. } => ("trap", there(place)),
        StatementKind::Stair { place, .. } => ("stairway", there(place)),
        StatementKind::Ladder { place, .. } => ("ladder", there(place)),
        StatementKind::Altar { place, .. } => ("altar", there(place)),
        StatementKind::Grave { place, .. } => ("grave", there(place)),
        StatementKind::Gold { place, .. } => ("gold", there(place)),
        StatementKind::Engraving { place, .. } => ("engraving", there(place)),
        StatementKind::Fountain { at } => ("fountain", point(at)),
        StatementKind::Sink { at } => ("sink", point(at)),
        _ => return None,
    };
    place.map(|(square, span)| (what, square, span))
}

/// The uses of the variables of a level.
struct Uses<'a> {
    catalog: &'a Catalog,
    /// The number of uses of each variable but in SHUFFLE, and of those as the place of a thing that cannot be in a
    /// wall.
    counts: BTreeMap<&'a str, (usize, usize)>,
}

impl<'a> Uses<'a> {
    fn of(body: &'a [Statement], catalog: &'a Catalog) -> Self {
        let mut uses = Uses { catalog, counts: BTreeMap::new() };
        body.iter().for_each(|statement| uses.statement(statement));
        uses
    }

    fn used(&mut self, variable: &'a str) {
        self.counts.entry(variable).or_default().0 += 1;
    }

    /// Returns true if a variable is used, and only for things.
    fn are_things(&self, variable: &str) -> bool {
        self.counts.get(variable).is_some_and(|(all, of_things)| all == of_things)
    }
}

impl<'tree> Visit<'tree> for Uses<'tree> {
    fn statement(&mut self, statement: &'tree Statement) {
        let place = match &statement.kind {
            StatementKind::Monster(monster) if !passes_walls(monster, self.catalog) => Some(&monster.place),
            StatementKind::Object(object) => object.place(),
            StatementKind::Trap { place, .. } | StatementKind::Altar { place, .. } => Some(place),
            StatementKind::Stair { place, .. } | StatementKind::Ladder { place, .. } => Some(place),
            _ => None,
        };
        if let StatementKind::Define { value: Definition::Copy { variable, .. }, .. } = &statement.kind {
            self.used(&variable.node);
        }
        if let Some(ExprKind::Variable(used)) = place.map(|place| &place.kind) {
            self.counts.entry(&used.name).or_default().1 += 1;
        }
        walk::statement(self, statement);
    }

    fn expression(&mut self, value: &'tree Expr) {
        if let ExprKind::Variable(used) = &value.kind {
            self.used(&used.name);
        }
        walk::expression(self, value);
    }

    fn selection(&mut self, selection: &'tree Selection) {
        if let SelectionKind::Variable(used) = &selection.kind {
            self.used(&used.name);
        }
        walk::selection(self, selection);
    }
}

/// Returns the species of this name.
fn species<'c>(name: &str, catalog: &'c Catalog) -> Option<&'c Species> {
    let (number, _) = catalog.monster(name, None)?;
    catalog.monsters.get(usize::try_from(number).ok()?)
}

/// The class of the monsters that live in water alone (`S_EEL`).
const SEA_MONSTERS: char = ';';

/// Returns true if a monster is certain to be a sea monster.
fn is_sea_monster(monster: &Monster, catalog: &Catalog) -> bool {
    let ExprKind::Monster(name) = &monster.monster.kind else { return false };
    match name {
        SpeciesName::Name(name) => species(name, catalog).is_some_and(|kind| kind.class == SEA_MONSTERS),
        SpeciesName::Class(class) | SpeciesName::ClassAndName(class, _) => *class == SEA_MONSTERS,
        SpeciesName::Random | SpeciesName::RandomAndName(_) => false,
    }
}

/// Returns true if a monster may be able to enter walls.
fn passes_walls(monster: &Monster, catalog: &Catalog) -> bool {
    let passes = |kind: &Species| kind.habits.has(Habit::WalkWalls) || kind.habits.has(Habit::Noncorporeal);
    let ExprKind::Monster(name) = &monster.monster.kind else { return true };
    match name {
        SpeciesName::Name(name) | SpeciesName::ClassAndName(_, name) => species(name, catalog).is_none_or(passes),
        SpeciesName::Class(class) => catalog.monsters.iter().filter(|kind| kind.class == *class).any(passes),
        SpeciesName::Random | SpeciesName::RandomAndName(_) => false,
    }
}

/// Reports a thing outside of its room. The room may turn out smaller than `width` by `height` if space is short.
fn outside_room(statement: &Statement, (width, height): (i32, i32), judge: &mut Judge<'_>) {
    let Some((what, (x, y), span)) = thing(statement) else { return };
    if (0..width).contains(&x) && (0..height).contains(&y) {
        return;
    }
    if matches!(&statement.kind, StatementKind::Monster(monster) if passes_walls(monster, judge.catalog)) {
        return;
    }
    judge.push(
        Diagnostic::new(Code::OutsideRoom, span, format!("{what} is outside its room at ({x},{y})"))
            .with_label(format!("the room goes from (0,0) to ({},{})", width - 1, height - 1))
            .with_help(match judge.catalog.format {
                Format::Parts => {
                    "correct the place, or move the line: it belongs to the last ROOM or SUBROOM before it"
                }
                Format::Opcodes | Format::Lua => {
                    "count columns and rows from the upper left square of the room, (0,0); the column comes first"
                }
            }),
    );
}

/// Returns true if the statement makes no walls inside its room.
fn leaves_floor(statement: &Statement) -> bool {
    use StatementKind::*;
    matches!(
        statement.kind,
        Object(_)
            | Monster(_)
            | Trap { .. }
            | Gold { .. }
            | Door { .. }
            | RoomDoor { .. }
            | Stair { .. }
            | Ladder { .. }
            | Altar { .. }
            | Fountain { .. }
            | Sink { .. }
            | Engraving { .. }
            | Grave { .. }
    )
}

/// Reports a DOOR on the floor of its room.
fn door_in_room((x, y): (i32, i32), span: Span, (width, height): (i32, i32), judge: &mut Judge<'_>) {
    if !(0..width).contains(&x) || !(0..height).contains(&y) {
        return;
    }
    judge.push(
        Diagnostic::new(Code::OddDoor, span, "this door is on the floor of the room")
            .with_label(format!("the floor goes from (0,0) to ({},{})", width - 1, height - 1))
            .with_help(
                "for a door in a wall of the room, use ROOMDOOR: \
                        secret or not, state, wall, position, e.g. ROOMDOOR: false, closed, north, random",
            ),
    );
}

/// Reports trailing blanks on a few rows, which make a map wider than it looks, and rows of different lengths.
fn blanks(rows: &MapRows, position: &MapPosition, judge: &mut Judge<'_>) {
    let Some(width) = rows.rows.iter().map(|row| row.len()).max() else { return };
    let widest = |row: &crate::source::Text| row.len() == width;
    let blank = |row: &crate::source::Text| widest(row) && row.as_bytes().last() == Some(&b' ');
    let Some(first) = rows.rows.iter().position(blank) else {
        ragged(rows, width, judge);
        return;
    };
    // Digits only number the rows, and have their own lint.
    if rows.rows.iter().any(|row| MapRows::numbering(row) > 0) {
        return;
    }
    let drawn = rows.rows.iter().map(|row| row.trim_end_matches(' ').len()).max().unwrap_or(0);
    let padded = rows.rows.iter().filter(|row| row.len() > drawn).count();
    // If most rows are padded, the width is intended.
    let moves = !matches!(position, MapPosition::Aligned { horizontal: Horizontal::Left, .. } | MapPosition::At(_));
    if drawn > 0 && drawn < width && 2 * padded < rows.rows.len() && moves {
        let span = rows.row_spans.get(first).copied().unwrap_or(rows.span);
        let message = "trailing blanks on this map line shift the map";
        let diagnostic = Diagnostic::new(Code::MapBlanks, span, message)
            .with_label(format!("blanks make the map {} columns wider", width - drawn))
            .with_help("remove the blanks, or pad all lines if the map is meant to be this wide");
        judge.push(diagnostic);
    } else {
        ragged(rows, width, judge);
    }
}

/// Reports rows of different lengths. Missing squares become rock.
fn ragged(rows: &MapRows, width: usize, judge: &mut Judge<'_>) {
    if !rows.rows.iter().any(|row| row.len() < width) || !judge.diagnostics.keeps(Code::RaggedMap) {
        return;
    }
    if let Some(at) = rows.rows.iter().position(|row| row.len() < width) {
        let span = rows.row_spans.get(at).copied().unwrap_or(rows.span);
        let length = rows.rows[at].len();
        let diagnostic = Diagnostic::new(Code::RaggedMap, span, "this map line is shorter than others")
            .with_label(format!("{length} of {width} columns; the rest becomes rock"));
        judge.push(diagnostic);
    }
}

/// The most columns by which a line that was meant to be as long as the others differs from them.
const UNEVEN: usize = 4;

/// Reports a line that ends with a wall a few columns before or after all others, which end in one column.
fn uneven(rows: &MapRows, judge: &mut Judge<'_>) {
    let drawn: Vec<&[u8]> = rows.rows.iter().map(|row| row.as_bytes().trim_ascii_end()).collect();
    let height = drawn.len();
    if height < 4 || rows.rows.iter().any(|row| MapRows::numbering(row) > 0) {
        return;
    }
    let is_wall = |square: u8| b"|-+S".contains(&square);
    let ends_in_wall = |row: &[u8]| row.last().is_some_and(|last| is_wall(*last));
    // Of three lines, at most one is uneven.
    let width = match [drawn[0].len(), drawn[1].len(), drawn[height - 1].len()] {
        [first, second, _] if first == second => first,
        [_, _, last] => last,
    };
    let mut others = drawn.iter().enumerate().filter(|(_, row)| row.len() != width);
    let (Some((at, line)), None) = (others.next(), others.next()) else { return };
    let difference = line.len().abs_diff(width);
    let is_walled = |row: &[u8]| ends_in_wall(row) && row.first().is_some_and(|first| is_wall(*first));
    if difference > UNEVEN || line.len() <= 2 * difference || !drawn.iter().all(|row| is_walled(row)) {
        return;
    }
    let span = rows.row_spans.get(at).copied().unwrap_or(rows.span);
    let (length, is_short) = (line.len(), line.len() < width);
    let than = if is_short { "shorter" } else { "longer" };
    // The first wall that is not below those of its neighbours.
    let neighbours = [at.checked_sub(1), Some(at + 1)].map(|at| at.and_then(|at| drawn.get(at)));
    let in_line =
        |column: usize| neighbours.iter().flatten().all(|row| row.get(column).is_some_and(|square| is_wall(*square)));
    let moved = |column: usize| if is_short { Some(column + difference) } else { column.checked_sub(difference) };
    let first = (0..length).find_map(|column| {
        let right = moved(column).filter(|right| in_line(*right))?;
        (is_wall(line[column]) && !in_line(column)).then_some((column, right))
    });
    let characters = if difference == 1 { "character" } else { "characters" };
    let verb = if is_short { "add" } else { "remove" };
    judge.push(
        Diagnostic::new(Code::UnevenMapLine, span, format!("this map line is {than} than all others"))
            .with_label(format!("{length} columns; the others have {width}"))
            .with_help(match first {
                Some((column, right)) => format!(
                    "{verb} {difference} {characters} before the wall in column {column}: above and below it is in column \
                     {right}"
                ),
                None => format!("{verb} {difference} {characters} before its last wall"),
            }),
    );
}

/// A map as written, with the terrain of its characters.
struct View<'a> {
    rows: &'a MapRows,
    width: i32,
    height: i32,
    catalog: &'a Catalog,
    survey: &'a Survey,
    // Computed lazily, since few levels need them.
    squares: OnceCell<Squares>,
    plain: OnceCell<bool>,
    uses: OnceCell<Uses<'a>>,
}

impl<'a> View<'a> {
    fn of(rows: &'a MapRows, survey: &'a Survey, catalog: &'a Catalog) -> Self {
        let width = rows.rows.iter().map(|row| row.len()).max().unwrap_or(0) as i32;
        let height = rows.rows.len() as i32;
        View {
            rows,
            width,
            height,
            catalog,
            survey,
            squares: OnceCell::new(),
            plain: OnceCell::new(),
            uses: OnceCell::new(),
        }
    }

    fn squares(&self) -> &Squares {
        self.squares.get_or_init(|| Squares::new(self.catalog))
    }

    /// Returns true if columns of the text are columns of the map.
    fn is_plain(&self) -> bool {
        let odd = |byte: u8| byte.is_ascii_digit() || !byte.is_ascii();
        *self.plain.get_or_init(|| self.rows.rows.iter().all(|row| count_bytes(row.as_bytes(), odd) == 0))
    }

    /// Returns the character that the text has at this square.
    fn drawn(&self, (x, y): (i32, i32)) -> Option<u8> {
        let row = usize::try_from(y).ok().and_then(|y| self.rows.rows.get(y))?;
        row.as_bytes().get(usize::try_from(x).ok()?).copied()
    }

    /// Returns true if the text has plain floor at this square, the most common case.
    fn is_floor(&self, x: i32, y: i32) -> bool {
        self.drawn((x, y)) == Some(b'.')
    }

    /// Returns true if a square is within the map.
    fn is_inside(&self, (x, y): (i32, i32)) -> bool {
        (0..self.width).contains(&x) && (0..self.height).contains(&y)
    }

    /// Returns true for rock and walls through which no MAZEWALK of the level digs.
    fn is_solid(&self, square: u8) -> bool {
        self.squares().is_rock(square) && (square != 0 || !self.survey.digs)
    }

    /// Returns the drawn water that is nearest to a square.
    fn nearest_water(&self, (x, y): (i32, i32)) -> Option<(i32, i32)> {
        let rows = (0..).zip(&self.rows.rows);
        let water = rows.flat_map(|(y, row)| (0..).zip(row.as_bytes()).map(move |(x, byte)| (x, y, *byte)));
        let water = water.filter(|(_, _, byte)| matches!(byte, b'}' | b'P' | b'W')).map(|(x, y, _)| (x, y));
        water.min_by_key(|&(column, row)| {
            ((column - x).abs().max((row - y).abs()), (column - x).abs() + (row - y).abs())
        })
    }

    /// Returns the terrain of a square, or `None` outside the map and for transparent or changed squares.
    fn square(&self, x: i32, y: i32) -> Option<u8> {
        if !(0..self.width).contains(&x) || !self.survey.is_drawn((x, y)) {
            return None;
        }
        let row = self.rows.rows.get(usize::try_from(y).ok()?)?;
        let character = row.as_bytes().get(x as usize).copied().unwrap_or(b' ');
        let number = self.catalog.terrain(character.into())?;
        (self.catalog.max_terrain <= 0 || number < self.catalog.max_terrain).then_some(number as u8)
    }

    /// Checks that a region of the map has a square for stairs, a branch or an arrival (`bad_location`).
    fn level_region(&self, region: &LevelRegion, judge: &mut Judge<'_>) {
        let [x1, y1, x2, y2] = region.inside.corners;
        let is_inside = self.is_inside((x1, y1)) && self.is_inside((x2, y2)) && x1 <= x2 && y1 <= y2;
        if region.inside.level || !is_inside || !self.is_plain() || self.survey.changed.is_none() {
            return;
        }
        let is_solid = |(x, y): (i32, i32)| {
            self.square(x, y).is_some_and(|square| self.is_solid(square) && !self.squares().has_door(square))
        };
        let mut squares = (y1..=y2).flat_map(|y| (x1..=x2).map(move |x| (x, y)));
        if squares.all(is_solid) {
            judge.push(
                Diagnostic::new(Code::PlacedInWall, region.inside.span, "this region has no floor")
                    .with_label("the map has only walls or rock there")
                    .with_help(self.count_from_corner((x1, y1))),
            );
        }
    }

    fn statement(&self, statement: &Statement, judge: &mut Judge<'_>) {
        if let StatementKind::LevelRegion(region) = &statement.kind {
            self.level_region(region, judge);
            return;
        }
        if let StatementKind::Door { at, state, .. } = &statement.kind {
            if let Some((square, span)) = point(at) {
                self.door(square, span, judge);
                if let OrRandom::Is(state) = state
                    && state.node == DoorState::Secret
                {
                    self.secret(square, state.span, judge);
                }
            }
            return;
        }
        if let StatementKind::MazeWalk { place, direction, .. } = &statement.kind {
            self.maze_walk(place, *direction, judge);
            return;
        }
        if let StatementKind::Drawbridge { place, direction, .. } = &statement.kind {
            if let Some(square) = constant(place) {
                self.drawbridge(square, place.span, direction, judge);
            }
            return;
        }
        let Some((what, (x, y), span)) = thing(statement) else { return };
        if self.is_floor(x, y) {
            if let StatementKind::Monster(monster) = &statement.kind
                && is_sea_monster(monster, self.catalog)
                && self.is_plain()
                && self.survey.is_drawn((x, y))
            {
                let message = format!("a sea monster is on land at ({x},{y})");
                let diagnostic = Diagnostic::new(Code::DrowningMonster, span, message)
                    .with_label("the map has floor there")
                    .with_note("out of water it loses hit points and flees");
                judge.push(match self.nearest_water((x, y)) {
                    Some((x, y)) => diagnostic.with_help(format!("place it in water: the nearest is at ({x},{y})")),
                    None => diagnostic.with_help("place it in water"),
                });
            }
            return;
        }
        if !self.is_plain() || !self.survey.is_drawn((x, y)) {
            return;
        }
        if matches!(&statement.kind, StatementKind::Monster(monster) if passes_walls(monster, self.catalog)) {
            return;
        }
        let outside = !(0..self.width).contains(&x) || !(0..self.height).contains(&y);
        if outside {
            if !self.survey.surrounded && self.survey.maps == 1 && self.survey.rooms == 0 {
                let message = format!("{what} is outside the map at ({x},{y})");
                judge.push(
                    self.swapped(self.outside(span, message), (x, y), span, |square| !self.squares().is_rock(square)),
                );
            }
            return;
        }
        let Some(square) = self.square(x, y) else { return };
        if !self.is_solid(square) {
            return;
        }
        judge.push(
            Diagnostic::new(Code::PlacedInWall, span, Mistake::InWall { thing: what.to_string(), place: (x, y) })
                .with_label(format!("the map has {} there", self.squares().words(square)))
                .with_help(self.count_from_corner((x, y))),
        );
    }

    /// Returns the advice for a place in a wall, with the floor beside it.
    fn count_from_corner(&self, (x, y): (i32, i32)) -> String {
        let beside = [(x - 1, y), (x + 1, y), (x, y - 1), (x, y + 1)];
        let floor: Vec<String> =
            beside.iter().filter(|&&(x, y)| self.is_floor(x, y)).map(|(x, y)| format!("({x},{y})")).collect();
        let count = "count columns and rows from the upper left corner of the last map, (0,0)";
        match floor.is_empty() {
            true => count.to_owned(),
            false => format!("{count}: the map has floor next to it at {}", listed(floor, Conjunction::And)),
        }
    }

    fn outside(&self, span: Span, message: String) -> Diagnostic {
        Diagnostic::new(Code::OutsideMap, span, message)
            .with_label(format!("the map goes from (0,0) to ({},{})", self.width - 1, self.height - 1))
            .with_help(
                "count columns and rows from the upper left corner of the last map, (0,0); the column comes first",
            )
    }

    /// Adds the help to swap column and row, if the place then has a square that suits.
    fn swapped(
        &self,
        problem: Diagnostic,
        (x, y): (i32, i32),
        span: Span,
        suits: impl FnOnce(u8) -> bool,
    ) -> Diagnostic {
        if !self.square(y, x).is_some_and(suits) {
            return problem;
        }
        let right = match self.catalog.format {
            Format::Lua => format!("{y},{x}"),
            _ => format!("({y},{x})"),
        };
        let is_written = self.catalog.format != Format::Lua;
        let problem = problem.with_help(format!("write {right}: the column comes first, then the row"));
        if is_written { problem.with_suggestion(span, right, false) } else { problem }
    }

    /// Checks that no drawn door is to become secret: the game changes walls alone (`sel_set_door`).
    fn secret(&self, (x, y): (i32, i32), state: Span, judge: &mut Judge<'_>) {
        let is_drawn = self.square(x, y).is_some_and(|square| self.squares().is_door(square));
        if self.is_plain() && is_drawn {
            judge.push(
                Diagnostic::new(Code::OddDoor, state, "`secret` has no effect on a drawn door")
                    .with_label(format!("the map draws a door at ({x},{y})"))
                    .with_help("draw `S` or a wall there"),
            );
        }
    }

    /// Checks that a drawbridge leads to a wall, in which its portcullis is made (`create_drawbridge`).
    fn drawbridge(&self, (x, y): (i32, i32), place: Span, direction: &Spanned<Direction>, judge: &mut Judge<'_>) {
        let is_wall = |(x, y): (i32, i32)| self.square(x, y).map(|square| self.squares().is_wall(square));
        let portcullis = direction.node.from((x, y));
        if self.is_plain() && is_wall((x, y)) == Some(true) {
            self.bridge_in_wall((x, y), place, judge);
            return;
        }
        let outside = self.survey.maps == 1 && self.is_inside((x, y)) && !self.is_inside(portcullis);
        if !self.is_plain() || is_wall(portcullis) != Some(false) && !outside {
            return;
        }
        let (word, (wall_x, wall_y)) = (direction.node.as_str(), portcullis);
        let message = match outside && self.survey.surrounded {
            true => format!("the portcullis {word} of the drawbridge at ({x},{y}) is outside the map"),
            false => format!("no wall is {word} of the drawbridge at ({x},{y}), so the game makes none"),
        };
        let problem = Diagnostic::new(Code::LoaderComplaint, direction.span, message).with_label(match outside {
            true => format!("({wall_x},{wall_y}) is outside the map"),
            false => format!("the map has no wall at ({wall_x},{wall_y})"),
        });
        judge.push(match Direction::only((x, y), |square| is_wall(square) == Some(true)) {
            Some((right, (x, y))) => problem.with_help(format!("write {}: the wall is at ({x},{y})", right.as_str())),
            None => problem.with_help("give the direction from the span of the bridge to the wall of its portcullis"),
        });
    }

    /// Checks that a maze begins outside the map: inside, where the map has floor, the game digs nothing (`walkfrom`).
    fn maze_walk(&self, place: &Expr, direction: Direction, judge: &mut Judge<'_>) {
        let Some(start) = constant(place) else { return };
        let (x, y) = direction.from(start);
        let Some((outward, _)) = Direction::only(start, |square| !self.is_inside(square)) else { return };
        if self.is_plain() && self.survey.maps == 1 && self.is_inside(start) && self.is_floor(x, y) {
            let (word, (from_x, from_y)) = (direction.as_str(), start);
            let message = format!("{word} of ({from_x},{from_y}) is the floor of the map, not rock for a maze");
            judge.push(
                Diagnostic::new(Code::LoaderComplaint, place.span, message)
                    .with_note("the game digs a maze only in rock, so it digs none here")
                    .with_help(format!("write {}, which leads out of the map", outward.as_str())),
            );
        }
    }

    /// Reports a drawbridge whose span is in a wall, where its portcullis should be.
    fn bridge_in_wall(&self, (x, y): (i32, i32), place: Span, judge: &mut Judge<'_>) {
        let is_moat = |square| matches!(self.drawn(square), Some(b'}' | b'L' | b'P' | b'W'));
        let message = format!("the drawbridge at ({x},{y}) is in a wall");
        let problem = Diagnostic::new(Code::LoaderComplaint, place, message)
            .with_label(format!("the map has a wall at ({x},{y})"));
        judge.push(match Direction::only((x, y), is_moat) {
            Some((_, (moat_x, moat_y))) => {
                let back = Direction::only((moat_x, moat_y), |square| square == (x, y));
                let word = back.map_or("", |(direction, _)| direction.as_str());
                problem.with_help(format!("its span is on the moat: write ({moat_x},{moat_y}),{word}"))
            }
            None => problem.with_help("give the place of its span, and the direction from there to the wall"),
        });
    }

    /// Checks the places in a variable that `body` uses for things alone.
    fn places_of(&self, variable: &Text, values: &[Expr], body: &'a [Statement], judge: &mut Judge<'_>) {
        if !self.is_plain() || self.survey.changed.is_none() || self.catalog.format == Format::Parts {
            return;
        }
        let in_wall = |value: &Expr| {
            let (x, y) = constant(value)?;
            let square = self.square(x, y).filter(|_| (0..self.height).contains(&y))?;
            self.is_solid(square).then_some((value.span, (x, y), square))
        };
        let mut in_walls = values.iter().filter_map(in_wall).peekable();
        if in_walls.peek().is_none() || !self.uses.get_or_init(|| Uses::of(body, self.catalog)).are_things(variable) {
            return;
        }
        for (span, (x, y), square) in in_walls {
            judge.push(
                Diagnostic::new(
                    Code::PlacedInWall,
                    span,
                    Mistake::InWall { thing: format!("a place of {variable}"), place: (x, y) },
                )
                .with_label(format!("the map has {} there", self.squares().words(square)))
                .with_help(self.count_from_corner((x, y))),
            );
        }
    }

    /// Checks that a door is in a wall: it needs something solid on two opposite sides.
    fn door(&self, (x, y): (i32, i32), span: Span, judge: &mut Judge<'_>) {
        if !self.is_plain() || !self.survey.is_drawn((x, y)) {
            return;
        }
        if !(0..self.width).contains(&x) || !(0..self.height).contains(&y) {
            if !self.survey.surrounded && self.survey.maps == 1 && self.survey.rooms == 0 {
                let problem = self.outside(span, format!("this door is outside the map at ({x},{y})"));
                judge.push(self.swapped(problem, (x, y), span, |square| self.squares().has_door(square)));
            }
            return;
        }
        let Some(there) = self.square(x, y) else { return };
        if self.squares().has_door(there) {
            return;
        }
        if self.is_between_walls(x, y) {
            return;
        }
        judge.push(
            Diagnostic::new(Code::OddDoor, span, "this door does not match the map")
                .with_label(format!("the map has no walls on two opposite sides of ({x},{y})"))
                .with_help("draw a door between two walls, or correct the place"),
        );
    }

    /// Returns true if a door at this square is between walls. A square outside the map, or a transparent one, may be a
    /// wall.
    fn is_between_walls(&self, x: i32, y: i32) -> bool {
        let holds = |x: i32, y: i32| self.square(x, y).is_none_or(|square| self.squares().holds_door(square));
        (holds(x - 1, y) && holds(x + 1, y)) || (holds(x, y - 1) && holds(x, y + 1))
    }

    /// Returns true if a statement suits the square of its place when it is moved by some columns, or `None` without a
    /// certain place.
    fn suits(&self, statement: &Statement, columns: i32) -> Option<bool> {
        if let StatementKind::Door { at, .. } = &statement.kind {
            let ((x, y), _) = point(at)?;
            let x = x.saturating_add(columns);
            return Some(self.square(x, y).is_some_and(|square| {
                self.squares().has_door(square) || (self.squares().is_rock(square) && self.is_between_walls(x, y))
            }));
        }
        let (_, (x, y), _) = thing(statement)?;
        let square = self.square(x.saturating_add(columns), y);
        Some(square.is_some_and(|square| !self.squares().is_rock(square)))
    }

    /// Checks a region that becomes a room: it must be on the map, and a shop must be closed.
    fn region(&self, region: &Region, body: &[Statement], judge: &mut Judge<'_>) {
        let ExprKind::Region { corners: [x1, y1, x2, y2] } = region.area.kind else { return };
        let OrRandom::Is(name) = &region.room_type else { return };
        let flags = || region.flags.iter().flatten().map(|flag| flag.node);
        let irregular = flags().any(|flag| flag == RoomFlag::Irregular(Irregular::Irregular));
        let unfilled = flags().any(|flag| flag == RoomFlag::Filling(Filling::Unfilled));
        let kind = self.catalog.room(&name.node);
        if kind.is_none_or(|kind| kind == 0) || x1 > x2 || y1 > y2 || !self.is_plain() {
            return;
        }
        let scripted = self.catalog.format != Format::Parts;
        if x2 < 0 || y2 < 0 || x1 >= self.width || y1 >= self.height {
            if scripted && !self.survey.surrounded && !self.survey.changes && self.survey.maps == 1 {
                judge.push(self.outside(region.area.span, "this region is outside the map".to_owned()));
            }
            return;
        }
        // A number beyond the level has its own message.
        let is_level = x2 <= MAX_COORDINATE && y2 <= MAX_COORDINATE;
        if scripted && is_level && self.survey.maps == 1 && (x2 >= self.width || y2 >= self.height) {
            let (right, bottom) = (self.width - 1, self.height - 1);
            judge.push(
                Diagnostic::new(
                    Code::OutsideMap,
                    region.area.span,
                    format!("this {} is partly outside the map", name.node),
                )
                .with_label(format!("the map goes from (0,0) to ({right},{bottom})"))
                .with_help(format!("write ({x1},{y1},{},{})", x2.min(right), y2.min(bottom))),
            );
        }
        // The game follows the terrain of the first square (`flood_fill_rm`).
        if irregular
            && scripted
            && x1 >= 0
            && y1 >= 0
            && let Some(square) = self.square(x1, y1).filter(|&square| self.squares().is_wall(square))
        {
            let message = format!("this irregular region begins in a wall at ({x1},{y1})");
            judge.push(
                Diagnostic::new(Code::PlacedInWall, region.area.span, message)
                    .with_label(format!("the map has {} there, so the room is only that", self.squares().words(square)))
                    .with_help("begin the region at a square of the floor of its room"),
            );
        }
        // The games look for floor when they fill other rooms (`fill_zoo`).
        let is_court = self.catalog.room("throne") == kind;
        if is_court && !irregular && !unfilled && self.survey.changed.is_some() {
            let mut inside = (y1..=y2).flat_map(|y| (x1..=x2).map(move |x| (x, y)));
            let is_rock = |&(x, y): &(i32, i32)| {
                self.square(x, y)
                    .is_some_and(|square| self.squares().is_rock(square) && !self.squares().has_door(square))
            };
            if let Some((x, y)) = inside.find(is_rock) {
                let message = format!("this {} room has rock or walls inside", name.node);
                judge.push(
                    Diagnostic::new(Code::RockInFilledRoom, region.area.span, message)
                        .with_label(format!("the map has no floor at ({x},{y})"))
                        .with_help("write irregular, or correct the corners of the region"),
                );
            }
        }
        let shop = is_shop(kind, self.catalog);
        let within = x1 > 0 && y1 > 0 && x2 < self.width - 1 && y2 < self.height - 1;
        if !shop || irregular || unfilled || !within || self.survey.changed.is_none() || self.survey.unknown_doors {
            return;
        }
        let made = |x: i32, y: i32| {
            body.iter().any(|statement| match &statement.kind {
                StatementKind::Door { at, .. } => {
                    matches!(&at.kind, SelectionKind::Point(place) if constant(place) == Some((x, y)))
                }
                _ => false,
            })
        };
        let (mut doors, mut gap) = (0, None);
        let sides = (x1..=x2).flat_map(|x| [(x, y1 - 1), (x, y2 + 1)]);
        let ends = (y1..=y2).flat_map(|y| [(x1 - 1, y), (x2 + 1, y)]);
        for (x, y) in sides.chain(ends) {
            let Some(square) = self.square(x, y) else { return };
            if self.squares().has_door(square) || (scripted && made(x, y)) {
                doors += 1;
            } else if !self.squares().is_rock(square) && gap.is_none() {
                gap = Some((x, y));
            }
        }
        // NetHack 3.4.3 reports a shop without a door itself.
        if doors == 0 && !scripted {
            return;
        }
        if let Some((x, y)) = gap {
            judge.push(
                Diagnostic::new(Code::OpenShop, name.span, "this shop is not closed")
                    .with_label(format!("the map has no wall at ({x},{y})"))
                    .with_note("customers can leave there with unpaid goods without the shopkeeper noticing"),
            );
        } else if doors > 1 {
            judge.push(
                Diagnostic::new(Code::OpenShop, name.span, "this shop has more than one door")
                    .with_label(format!("{doors} doors in the walls around the region"))
                    .with_note("the shopkeeper guards only the first"),
            );
        } else if doors == 0 {
            judge.push(no_door(name.span).with_help(format!(
                "draw one `+` or `S` in the walls around the region, or add one with {}",
                judge.statement("DOOR")
            )));
        }
    }
}
