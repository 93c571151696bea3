//! Equivalent forms, between scripts whose languages have only one of them.

use std::collections::{HashMap, HashSet};

use splc_ir::catalog::{Catalog, Feature, Format, LoaderRule};
use splc_ir::lacks::{monster_part, object_part};
use splc_ir::level::*;
use splc_ir::lower::number_name;
use splc_ir::parts::{BURIED, LIT, Layouts};
use splc_ir::source::{Span, Spanned, Text};
use splc_ir::visit::{NameRole, Visit, VisitMut, walk_mut};
use splc_ir::words::*;

use crate::functions::Rename;
use crate::richer::levels;
use crate::walls::wallify_around_maps;
use crate::work::Work;

/// A visitor's state that tracks the current statement.
struct Within<'w, 'a> {
    work: &'w mut Work<'a>,
    here: Span,
}

impl Within<'_, '_> {
    fn statement(&mut self, statement: &Statement) -> Span {
        let inner = if statement.span.is_nowhere() { self.here } else { statement.span };
        std::mem::replace(&mut self.here, inner)
    }
}

/// Adapts level names: writes numbers out if the target has no numbered levels, and shortens names to its limit.
pub(crate) fn level_names(work: &mut Work<'_>, module: &mut Module) {
    let (from, to) = (work.from, work.to);
    let most = to.limits.level_name.max(0) as usize;
    let counts = to.has(Feature::NumberedLevels);
    let mut counter = 1;
    let mut used: HashSet<Text> = HashSet::new();
    // RNDLEVEL refers to the versions of a level by their common prefix.
    let ending = work.version.map(|version| format!("-{}", version.number)).unwrap_or_default();
    let longest = work.version.map_or(0, |version| format!("-{}", version.of).len());
    for level in levels(module) {
        let (name, numbered) = number_name(&level.name.node, counter, from);
        if numbered && !counts {
            work.same(level.span, format!("its number becomes part of its name, \"{}\"", level.name.node));
            level.name.node = name;
        }
        counter += usize::from(numbered);
        let name = level.name.node.strip_suffix(ending.as_str()).unwrap_or(&level.name.node);
        let most_of_it = most.saturating_sub(longest);
        if name.len() > most_of_it && most > 0 && name.is_ascii() && !name.contains('%') {
            let short = shorter(name, most_of_it, &used);
            let becomes = format!("{short}{ending}");
            let mut what = format!(
                "{} limits level names to {most} characters: \"{}\" becomes \"{becomes}\"",
                to.title, level.name.node
            );
            if work.version.is_some() {
                what.push_str(&format!(", for RNDLEVEL \"{short}\""));
            }
            work.differs(level.span, what);
            level.name.node = Text::from(becomes);
        }
        used.insert(Text::from(level.name.node.strip_suffix(ending.as_str()).unwrap_or(&level.name.node)));
    }
}

/// Returns an unused name of at most `most` letters, joined from the beginning and the end of `name`.
fn shorter(name: &str, most: usize, used: &HashSet<Text>) -> Text {
    (0..=most)
        .map(|tail| Text::from(format!("{}{}", &name[..most - tail], &name[name.len() - tail..])))
        .find(|short| !used.contains(short) && !short.ends_with('-'))
        .unwrap_or_else(|| Text::from(&name[..most]))
}

/// Returns the filling that a MAZE in a script really gets. The compiler treats the number of the terrain as a
/// character a second time. If that is not a map character, nothing is filled and the level is stone (NetHack 3.6.7,
/// `lev_comp.y`, `maze_def`).
pub(crate) fn quirk_filling(filling: Spanned<char>, catalog: &Catalog) -> Spanned<char> {
    const STONE: char = ' ';
    let number = catalog.terrain(filling.node).and_then(|number| char::from_u32(number as u32));
    let again = number.and_then(|character| catalog.terrain(character));
    let real = again.and_then(|terrain| catalog.map_character(terrain));
    Spanned::new(real.unwrap_or(STONE), filling.span)
}

/// Rewrites MAZE in a script for languages that only have LEVEL.
pub(crate) fn maze_levels(work: &mut Work<'_>, module: &mut Module) {
    const MAZE: &str = "MAZE";
    const MAZE_FLAG: &str = "mazelevel";
    const CORRIDOR_FLAG: &str = "corrmaze";
    if work.to.is_keyword(MAZE) && !work.to.lacks_keyword(MAZE) && work.from.dialect == work.to.dialect {
        return;
    }
    for level in levels(module) {
        let LevelKind::Maze { filling } = level.kind else { continue };
        if filling.is_none() && level.flags.iter().flatten().any(|flag| flag.node == CORRIDOR_FLAG) {
            work.differs(level.span, "FLAGS come before INIT_MAP: with corrmaze, the grid of the maze is rock");
        }
        level.kind = LevelKind::Script;
        level.flags.get_or_insert_with(Vec::new).push(Spanned::new(Text::const_new(MAZE_FLAG), Span::NOWHERE));
        let init = match filling {
            None => InitMap::MazeGrid { filling: Spanned::new('-', Span::NOWHERE) },
            Some(filling) => InitMap::Solid { filling: quirk_filling(filling, work.from), light: None },
        };
        work.same(level.span, "MAZE becomes LEVEL with its filling as INIT_MAP and the flag mazelevel");
        level.body.insert(0, Statement { kind: StatementKind::InitMap(init), span: Span::NOWHERE });
    }
}

/// Removes details added by a variant's catalog that the target lacks.
pub(crate) fn own_forms(work: &mut Work<'_>, module: &mut Module) {
    struct Own<'w, 'a>(Within<'w, 'a>);

    impl Own<'_, '_> {
        fn lacks(&mut self, what: &str) {
            let title = self.0.work.to.title.clone();
            self.0.work.differs(self.0.here, format!("{title} lacks {what}"));
        }

        /// Removes words written after or before a statement that the target lacks.
        fn also(&mut self, also: &mut Vec<Spanned<Text>>, structure: &str, field: &str, what: &str) {
            let to = self.0.work.to;
            let known = |word: &Spanned<Text>| match to.format {
                Format::Parts => Layouts::has(to, structure, field),
                Format::Opcodes | Format::Lua => to.word(Group::DoorDetail, &word.node).is_some(),
            };
            let before = also.len();
            also.retain(known);
            if also.len() != before {
                self.lacks(what);
            }
        }

        fn has_object_flag(&self, word: &str) -> bool {
            let to = self.0.work.to;
            to.format != Format::Parts
                || Layouts::has(to, "object", "flags") && to.word(Group::ObjectFlag, word).is_some()
        }
    }

    impl VisitMut for Own<'_, '_> {
        fn statement(&mut self, statement: &mut Statement) {
            let outer = self.0.statement(statement);
            match &mut statement.kind {
                StatementKind::Door { also, .. } => self.also(also, "door", "artifact", "this detail of a door"),
                StatementKind::RoomDoor { also, .. } => {
                    self.also(also, "room_door", "artifact", "this detail of a door");
                }
                StatementKind::Altar { also, .. } => self.also(also, "altar", "god", "the god of an altar"),
                StatementKind::InitMap(InitMap::Mines { iced, .. }) => {
                    let lacking = !Layouts::has(self.0.work.to, "init", "iced");
                    let gone = iced.take_if(|_| lacking);
                    if gone.is_some_and(|iced| iced.node) {
                        self.lacks("frozen pools");
                    }
                }
                _ => {}
            }
            walk_mut::statement(self, statement);
            self.0.here = outer;
        }

        fn monster(&mut self, monster: &mut Monster) {
            let to = self.0.work.to;
            let known = |word: &Text| to.monster_parts.iter().any(|(name, _)| name.as_ref() == word.as_str());
            let before = monster.details.len();
            monster.details.retain(|detail| !matches!(&detail.node, MonsterDetail::Own(own) if !known(&own.word)));
            if monster.details.len() != before {
                self.lacks("this detail of a monster");
            }
            walk_mut::monster(self, monster);
        }

        fn object(&mut self, object: &mut Object) {
            let to = self.0.work.to;
            let known = |own: &OwnDetail| match to.format {
                Format::Parts => own.value.is_none() && to.word(Group::Curse, &own.word).is_some(),
                Format::Opcodes | Format::Lua => {
                    to.object_parts.iter().any(|(name, _)| name.as_ref() == own.word.as_str())
                }
            };
            let flags = self.0.work.from.format == Format::Parts;
            let (buried, lit) = (self.has_object_flag(BURIED), self.has_object_flag(LIT));
            let mut lacking = false;
            object.details.retain_mut(|detail| {
                let stays = match &detail.node {
                    ObjectDetail::Own(own) => known(own),
                    ObjectDetail::Buried => !flags || buried,
                    ObjectDetail::Light(_) => !flags || lit,
                    _ => true,
                };
                lacking |= !stays;
                // In a list, anything after a curse word requires one.
                let listed = to.format == Format::Parts && matches!(detail.node, ObjectDetail::Own(_));
                if !stays && listed {
                    detail.node = ObjectDetail::Curse(OrRandom::Random);
                }
                stays || listed
            });
            if lacking {
                self.lacks("this detail of an object");
            }
            walk_mut::object(self, object);
        }

        fn expression(&mut self, expression: &mut Expr) {
            if let ExprKind::Checked { place, word } = &mut expression.kind
                && (self.0.work.to.format != Format::Parts || self.0.work.to.word(Group::PlaceCheck, word).is_none())
            {
                let what = format!("`[{word}]` is removed: only the compiler uses it");
                self.0.work.same(self.0.here, what);
                let place = std::mem::replace(place, Box::new(Expr { kind: ExprKind::Error, span: Span::NOWHERE }));
                *expression = *place;
            }
            walk_mut::expression(self, expression);
        }
    }

    Own(Within { work, here: Span::NOWHERE }).module(module);
}

/// Removes details of monsters and objects that the target lacks, and keeps the rest of the statement.
pub(crate) fn details(work: &mut Work<'_>, module: &mut Module) {
    impl VisitMut for Details<'_, '_> {
        fn statement(&mut self, statement: &mut Statement) {
            let outer = self.0.statement(statement);
            walk_mut::statement(self, statement);
            self.0.here = outer;
        }

        fn monster(&mut self, monster: &mut Monster) {
            let (to, here) = (self.0.work.to, self.0.here);
            monster.details.retain(|detail| {
                let part = monster_part(&detail.node);
                let known = to.monster_parts.iter().any(|(name, _)| *name == part);
                if !known {
                    self.0.work.differs(here, format!("{} lacks the monster detail {part}", to.title));
                }
                known
            });
            walk_mut::monster(self, monster);
        }

        fn object(&mut self, object: &mut Object) {
            let (to, here) = (self.0.work.to, self.0.here);
            object.details.retain(|detail| {
                let part = object_part(&detail.node);
                let word = match &detail.node {
                    ObjectDetail::Trapped(word) => to.word(Trapped::GROUP, word.as_str()).is_some(),
                    _ => true,
                };
                let known = to.object_parts.iter().any(|(name, _)| *name == part);
                if !known || !word {
                    let said = if known { "trapped" } else { part };
                    self.0.work.differs(here, format!("{} lacks the object detail {said}", to.title));
                }
                known && word
            });
            walk_mut::object(self, object);
        }
    }

    struct Details<'w, 'a>(Within<'w, 'a>);

    Details(Within { work, here: Span::NOWHERE }).module(module);
}

/// The meaning of the flags of a room or region.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct Meaning {
    pub filled: bool,
    pub irregular: bool,
    pub joined: bool,
}

/// Returns the meaning of `flags` to a catalog's game, for a REGION (`of_region`) or for a SUBROOM or ROOM.
pub(crate) fn meaning(flags: Option<&[RoomFlag]>, of_region: bool, catalog: &Catalog) -> Meaning {
    const FIRST: i64 = 1;
    let number = |group, word: &str| catalog.word(group, word).unwrap_or(0);
    let as_flag = catalog.has(Feature::FilledIsAFlag);
    let bits = match flags {
        None if of_region && as_flag => 0,
        None => FIRST,
        Some(flags) => flags.iter().fold(0, |bits, flag| {
            bits | match flag {
                RoomFlag::Filling(word) => number(Group::Filling, word.as_str()),
                RoomFlag::Irregular(word) => number(Group::Irregular, word.as_str()) << 1,
                RoomFlag::Joined(word) => number(Group::Joined, word.as_str()) << 2,
            }
        }),
    };
    let first = bits & FIRST != 0;
    Meaning {
        // In these games the flag means that a region is already filled.
        filled: if of_region && as_flag { !first } else { first },
        irregular: bits & 2 != 0,
        joined: bits & 4 == 0,
    }
}

/// Returns the alignment of a ROOM, or `None` for a SUBROOM, which has no alignment.
pub(crate) fn alignment(room: &Room) -> Option<OrRandom<(Horizontal, Vertical)>> {
    match &room.placement {
        RoomPlacement::Level { alignment, .. } => Some(*alignment),
        RoomPlacement::Room { .. } | RoomPlacement::Stray { .. } => None,
    }
}

/// Returns the flags that a ROOM gets from its alignment, in games whose compiler uses the number of the vertical
/// alignment as the flags.
fn bits_of_alignment(alignment: Option<OrRandom<(Horizontal, Vertical)>>, catalog: &Catalog) -> Option<i64> {
    let alignment = alignment.filter(|_| catalog.has(Feature::RoomFlagsFromAlignment))?;
    Some(match alignment {
        OrRandom::Random => 1,
        OrRandom::Is((_, vertical)) => catalog.word(Group::Vertical, vertical.as_str()).unwrap_or(0),
    })
}

fn meaning_of_bits(bits: i64) -> Meaning {
    Meaning { filled: bits & 1 != 0, irregular: false, joined: bits & 4 == 0 }
}

/// Returns the meaning of the flags of a ROOM or SUBROOM. Only a ROOM has an alignment.
pub(crate) fn meaning_of_room(
    flags: Option<&[RoomFlag]>,
    alignment: Option<OrRandom<(Horizontal, Vertical)>>,
    catalog: &Catalog,
) -> Meaning {
    bits_of_alignment(alignment, catalog).map_or_else(|| meaning(flags, false, catalog), meaning_of_bits)
}

/// Returns the shortest list of flags with the wanted meaning in the target.
pub(crate) fn flags_for(wanted: Meaning, of_region: bool, catalog: &Catalog) -> Option<Option<Vec<RoomFlag>>> {
    let knows = |flag: &RoomFlag| match flag {
        RoomFlag::Filling(word) => catalog.word(Group::Filling, word.as_str()).is_some(),
        RoomFlag::Irregular(word) => catalog.word(Group::Irregular, word.as_str()).is_some(),
        RoomFlag::Joined(word) => catalog.word(Group::Joined, word.as_str()).is_some(),
    };
    let fillings = [None, Some(Filling::Filled), Some(Filling::Unfilled)];
    let mut candidates: Vec<Option<Vec<RoomFlag>>> = vec![None];
    for joined in [None, Some(Joined::Unjoined)] {
        for irregular in [None, Some(Irregular::Irregular)] {
            for filling in fillings {
                let flags: Vec<RoomFlag> = filling
                    .map(RoomFlag::Filling)
                    .into_iter()
                    .chain(irregular.map(RoomFlag::Irregular))
                    .chain(joined.map(RoomFlag::Joined))
                    .collect();
                if !flags.is_empty() && flags.iter().all(knows) {
                    candidates.push(Some(flags));
                }
            }
        }
    }
    candidates.sort_by_key(|flags| flags.as_ref().map_or(0, Vec::len));
    candidates.into_iter().find(|flags| meaning(flags.as_deref(), of_region, catalog) == wanted)
}

/// Rewrites flags of rooms and regions so that they mean the same in the target.
pub(crate) fn room_flags(work: &mut Work<'_>, module: &mut Module) {
    struct Flags<'w, 'a>(Within<'w, 'a>);

    impl Flags<'_, '_> {
        fn put(&mut self, flags: &mut Option<Vec<Spanned<RoomFlag>>>, of_region: bool) {
            let before: Option<Vec<RoomFlag>> =
                flags.as_ref().map(|flags| flags.iter().map(|flag| flag.node).collect());
            let wanted = meaning(before.as_deref(), of_region, self.0.work.from);
            let same = meaning(before.as_deref(), of_region, self.0.work.to) == wanted;
            let knows = |flag: &RoomFlag| match flag {
                RoomFlag::Irregular(word) => self.0.work.to.word(Group::Irregular, word.as_str()).is_some(),
                RoomFlag::Joined(word) => self.0.work.to.word(Group::Joined, word.as_str()).is_some(),
                RoomFlag::Filling(_) => true,
            };
            if same && before.iter().flatten().all(knows) {
                return;
            }
            let found = flags_for(wanted, of_region, self.0.work.to);
            let after = match found {
                Some(after) => {
                    self.0.work.same(self.0.here, "its flags are written in the syntax of the target");
                    after
                }
                None => {
                    let title = self.0.work.to.title.clone();
                    self.0.work.differs(self.0.here, format!("{title} cannot leave it unjoined"));
                    flags_for(Meaning { joined: true, ..wanted }, of_region, self.0.work.to).flatten()
                }
            };
            *flags = after.map(|flags| flags.into_iter().map(|flag| Spanned::new(flag, Span::NOWHERE)).collect());
        }
    }

    impl VisitMut for Flags<'_, '_> {
        fn statement(&mut self, statement: &mut Statement) {
            let outer = self.0.statement(statement);
            walk_mut::statement(self, statement);
            self.0.here = outer;
        }

        fn region(&mut self, region: &mut Region, span: Span) {
            self.put(&mut region.flags, true);
            walk_mut::region(self, region, span);
        }

        fn room(&mut self, room: &mut Room, span: Span) {
            let by_alignment = |catalog: &Catalog| bits_of_alignment(alignment(room), catalog);
            let said = meaning_of_bits;
            match (by_alignment(self.0.work.from), by_alignment(self.0.work.to)) {
                (None, None) => self.put(&mut room.flags, false),
                (Some(before), Some(after)) if before == after => {
                    if room.flags.take().is_some() {
                        self.0.work.same(self.0.here, "its flags are removed: neither game reads the flags of a ROOM");
                    }
                }
                (before, after) => {
                    let flags: Option<Vec<RoomFlag>> =
                        room.flags.as_ref().map(|flags| flags.iter().map(|flag| flag.node).collect());
                    let wanted = before.map_or_else(|| meaning(flags.as_deref(), false, self.0.work.from), said);
                    let wanted = Meaning { irregular: false, ..wanted };
                    match after.map(said) {
                        Some(made) => {
                            let had = room.flags.take().is_some();
                            if made.filled != wanted.filled || made.joined != wanted.joined {
                                let what = "the target reads the flags of a ROOM from its vertical alignment, which results in other flags";
                                self.0.work.differs(self.0.here, what);
                            } else if had {
                                self.0.work.same(self.0.here, "its flags are removed: they are the default");
                            }
                        }
                        None => {
                            let now = flags_for(wanted, false, self.0.work.to);
                            if now.is_none() {
                                let title = self.0.work.to.title.clone();
                                self.0.work.differs(self.0.here, format!("{title} cannot leave it unjoined"));
                            }
                            let now = now
                                .or_else(|| flags_for(Meaning { joined: true, ..wanted }, false, self.0.work.to))
                                .flatten();
                            if now != flags {
                                self.0
                                    .work
                                    .same(self.0.here, "its flags express what the source reads from its alignment");
                            }
                            room.flags = now
                                .map(|flags| flags.into_iter().map(|flag| Spanned::new(flag, Span::NOWHERE)).collect());
                        }
                    }
                }
            }
            walk_mut::room(self, room, span);
        }
    }

    Flags(Within { work, here: Span::NOWHERE }).module(module);
}

/// Rewrites conditions, WALLIFY, differences and the directions of grow() in the target's form.
pub(crate) fn forms(work: &mut Work<'_>, module: &mut Module) {
    wallify_around_maps(work, module);
    struct Forms<'w, 'a>(Within<'w, 'a>);

    impl VisitMut for Forms<'_, '_> {
        fn statement(&mut self, statement: &mut Statement) {
            let outer = self.0.statement(statement);
            let (to, here) = (self.0.work.to, self.0.here);
            if let StatementKind::Wallify { at: Some(area) } = &mut statement.kind {
                let regions = to.has(Feature::WallifyTakesRegions);
                let other = match &*area {
                    WallifyArea::Region(_) if to.format == Format::Lua => None,
                    WallifyArea::Region(region) if !regions => Some(WallifyArea::Selection(Box::new(Selection {
                        kind: SelectionKind::FilledRectangle(region.clone()),
                        span: region.span,
                    }))),
                    WallifyArea::Selection(at) if regions => match &at.kind {
                        SelectionKind::FilledRectangle(region) => Some(WallifyArea::Region(region.clone())),
                        _ => None,
                    },
                    _ => None,
                };
                if let Some(other) = other {
                    *area = other;
                    let what = "regions of WALLIFY are relative to the level, selections to the map";
                    self.0.work.differs(here, what);
                }
            }
            // Without copies, a single value can still be assigned to another variable. An array cannot, which is
            // reported.
            if let StatementKind::Define { value, .. } = &mut statement.kind
                && let Definition::Copy { ty, variable } = &*value
                && !to.has(Feature::VariableCopies)
            {
                let variable = Variable { name: variable.node.clone(), index: None, ty: *ty };
                let kind = match ty.value {
                    ValueType::Selection => ExprKind::Selection(Box::new(Selection {
                        kind: SelectionKind::Variable(variable),
                        span: Span::NOWHERE,
                    })),
                    _ => ExprKind::Variable(variable),
                };
                let copied = Expr { kind, span: Span::NOWHERE };
                *value = Definition::Value { ty: ty.value, value: copied };
                self.0.work.same(here, "the copy has an explicit type");
                let what = format!(
                    "where a long is wider than an int, {} gives up on a copy of a variable",
                    self.0.work.from.title
                );
                self.0.work.game(here, what);
            }
            let has_chance = matches!(&statement.kind, StatementKind::Chance { then, .. } if !takes_chance(then));
            if has_chance && to.has(Feature::ChanceBeforeColon) {
                let kind = std::mem::replace(&mut statement.kind, StatementKind::Error);
                if let StatementKind::Chance { condition, then } = kind {
                    statement.kind = StatementKind::If { condition, then: vec![*then], otherwise: None };
                    self.0.work.same(here, "its chance becomes an IF around it");
                }
            }
            walk_mut::statement(self, statement);
            self.0.here = outer;
        }

        fn condition(&mut self, condition: &mut Condition) {
            if let Condition::NonZero(value) = condition
                && self.0.work.to.has(Feature::ComparedConditions)
            {
                let zero = Expr { kind: ExprKind::Integer(0), span: Span::NOWHERE };
                let left = std::mem::replace(value, zero.clone());
                *condition = Condition::Compare { left, comparison: Comparison::NotEqual, right: zero };
                self.0.work.same(self.0.here, "the condition is compared with 0");
            }
            walk_mut::condition(self, condition);
        }

        fn expression(&mut self, expression: &mut Expr) {
            if self.0.work.to.has(Feature::DashedWords)
                && let ExprKind::Chain { rest, .. } = &mut expression.kind
            {
                for (operator, value) in rest {
                    if let (Operator::Subtract, ExprKind::Integer(number)) = (*operator, &value.kind) {
                        *operator = Operator::Add;
                        let negative = ExprKind::Integer(number.wrapping_neg());
                        value.kind = ExprKind::Group(Box::new(Expr { kind: negative, span: value.span }));
                        self.0.work.same(self.0.here, "the difference becomes a sum with a negative number");
                    }
                }
            }
            walk_mut::expression(self, expression);
        }

        fn selection(&mut self, selection: &mut Selection) {
            let rule = LoaderRule::GrowsBackwards;
            if let SelectionKind::Grow { directions: Some(directions), .. } = &mut selection.kind
                && self.0.work.source_rule(rule) != self.0.work.target_rule(rule)
            {
                for direction in directions {
                    direction.node = match direction.node {
                        Direction::North => Direction::South,
                        Direction::South => Direction::North,
                        Direction::East => Direction::West,
                        Direction::West => Direction::East,
                    };
                }
                let what =
                    "grow() works in opposite directions in the two games: they are reversed, but the corners differ";
                self.0.work.differs(self.0.here, what);
            }
            if matches!(selection.kind, SelectionKind::Grow { directions: None, .. })
                && self.0.work.source_rule(rule) != self.0.work.target_rule(rule)
            {
                let what = "at the left edge of the level, grow() reaches the unused column in one of the games";
                self.0.work.game(self.0.here, what);
            }
            if let SelectionKind::Circle { filling: Some(word), .. }
            | SelectionKind::Ellipse { filling: Some(word), .. } = &mut selection.kind
                && !same_outlines(self.0.work.from, self.0.work.to)
            {
                *word = match word {
                    Filling::Filled => Filling::Unfilled,
                    Filling::Unfilled => Filling::Filled,
                };
                self.0.work.same(self.0.here, "its filling is written in the syntax of the target");
            }
            walk_mut::selection(self, selection);
        }
    }

    Forms(Within { work, here: Span::NOWHERE }).module(module);
}

/// Returns true if `filled` means the same for circles and ellipses in both games.
fn same_outlines(from: &Catalog, to: &Catalog) -> bool {
    from.word(Group::Filling, Filling::Filled.as_str()) == to.word(Group::Filling, Filling::Filled.as_str())
}

/// Returns true if SporkHack allows a chance before the statement's colon (`chance_part`).
fn takes_chance(statement: &Statement) -> bool {
    matches!(
        statement.kind,
        StatementKind::Monster(_)
            | StatementKind::Object(_)
            | StatementKind::Trap { .. }
            | StatementKind::Terrain { .. }
    )
}

/// Renames variables whose names the target's lexer does not accept.
pub(crate) fn variable_names(work: &mut Work<'_>, module: &mut Module) {
    struct Names(Vec<Text>);

    impl<'tree> Visit<'tree> for Names {
        fn name(&mut self, role: NameRole, name: &'tree Text, _: Span) {
            if role == NameRole::Variable && !self.0.contains(name) {
                self.0.push(name.clone());
            }
        }
    }

    let letters_alone = work.to.has(Feature::DashedWords);
    let undotted = work.to.has(Feature::UndottedWords);
    let fits = |name: &str| {
        let mut inner = name.strip_prefix('$').unwrap_or(name).chars();
        if letters_alone {
            inner.all(|letter| letter.is_ascii_alphabetic())
        } else {
            !undotted || inner.all(|letter| letter != '.')
        }
    };
    for item in &mut module.items {
        let mut names = Names(Vec::new());
        names.item(item);
        let mut renamed: HashMap<Text, Text> = HashMap::new();
        for name in names.0.iter().filter(|name| !fits(name)) {
            let base: String = name.chars().filter(char::is_ascii_alphabetic).collect();
            let candidates = (0_usize..).map(|number| {
                let mut candidate = Text::from(format!("${base}"));
                let mut rest = number;
                while rest > 0 || candidate.len() == 1 {
                    candidate.push(char::from(b'a' + (rest % 26) as u8));
                    rest /= 26;
                }
                candidate
            });
            let taken =
                |candidate: &Text| names.0.contains(candidate) || renamed.values().any(|other| other == candidate);
            let other = candidates.take(names.0.len() * 2 + 26).find(|candidate| !taken(candidate));
            if let Some(other) = other {
                renamed.insert(name.clone(), other);
            }
        }
        if renamed.is_empty() {
            continue;
        }
        let span = match item {
            Item::Level(level) => level.span,
            Item::Function(function) => function.span,
            Item::Include { .. } => continue,
        };
        for (before, after) in &renamed {
            work.same(span, format!("the variable {before} is renamed to {after}"));
        }
        Rename(&renamed).item(item);
    }
}
