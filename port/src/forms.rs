//! Equivalent forms, between scripts whose languages have only one of them.

use splc_ir::catalog::{Catalog, Feature, Format, LoaderRule};
use splc_ir::lacks::{monster_part, monster_word, object_part, object_word};
use splc_ir::level::*;
use splc_ir::parts::{BURIED, LIT, Layouts};
use splc_ir::source::{Span, Spanned, Text};
use splc_ir::visit::{VisitMut, walk_mut};
use splc_ir::words::*;

use crate::tree::levels;
use crate::walls::wallify_around_maps;
use crate::work::{Within, Work};

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
            let mut lacking = Vec::new();
            monster.details.retain(|detail| match &detail.node {
                MonsterDetail::Own(own) if !known(&own.word) => {
                    lacking.push(own.word.clone());
                    false
                }
                _ => true,
            });
            lacking.iter().for_each(|word| self.lacks(&format!("the detail {word} of a monster")));
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
            let mut lacking = Vec::new();
            object.details.retain_mut(|detail| {
                let stays = match &detail.node {
                    ObjectDetail::Own(own) => known(own),
                    ObjectDetail::Buried => !flags || buried,
                    ObjectDetail::Light(_) => !flags || lit,
                    _ => true,
                };
                if !stays {
                    lacking.push(object_word(&detail.node));
                }
                // In a list, anything after a curse word requires one.
                let listed = to.format == Format::Parts && matches!(detail.node, ObjectDetail::Own(_));
                if !stays && listed {
                    detail.node = ObjectDetail::Curse(OrRandom::Random);
                }
                stays || listed
            });
            lacking.iter().for_each(|word| self.lacks(&format!("the detail {word} of an object")));
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
                    self.0.work.differs(
                        here,
                        format!("{} lacks the detail {} of a monster", to.title, monster_word(&detail.node)),
                    );
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
                    let said = object_word(&detail.node);
                    self.0.work.differs(here, format!("{} lacks the detail {said} of an object", to.title));
                }
                known && word
            });
            walk_mut::object(self, object);
        }
    }

    struct Details<'w, 'a>(Within<'w, 'a>);

    Details(Within { work, here: Span::NOWHERE }).module(module);
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
