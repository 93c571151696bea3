//! Details of things that lists cannot express.

use splc_ir::level::*;
use splc_ir::order::Order;
use splc_ir::source::{Span, Spanned};
use splc_ir::visit::{VisitMut, walk_mut};
use splc_ir::words::{Filling, Irregular};

use super::known::squares;
use crate::flags::{Meaning, alignment, meaning, meaning_of_room};
use crate::left_over::lose;
use crate::tree::levels;
use crate::work::Work;

/// Drops the details that lists cannot express, one by one, and adds those that a list needs and a script omits.
pub(crate) fn details(work: &mut Work<'_>, module: &mut Module) {
    for level in levels(module) {
        let mut details = Details { work, here: Span::NOWHERE, in_container: false };
        walk_mut::level(&mut details, level);
    }
}

struct Details<'w, 'a> {
    work: &'w mut Work<'a>,
    here: Span,
    in_container: bool,
}

fn random_place() -> Expr {
    Expr { kind: ExprKind::RandomCoordinate { humidity: Vec::new() }, span: Span::NOWHERE }
}

impl Details<'_, '_> {
    /// Adds the class to a monster or object that a script refers to by name alone.
    fn species(&mut self, expression: &mut Expr) {
        let from = self.work.from;
        let class = match &expression.kind {
            ExprKind::Monster(SpeciesName::Name(name)) => {
                let found = from.monster(name, None).and_then(|(number, _)| from.monsters.get(number as usize));
                found.map(|species| (species.class, name.clone()))
            }
            ExprKind::Object(SpeciesName::Name(name)) => {
                let found = from.object(name, None).and_then(|(number, _)| from.objects.get(number as usize));
                found.map(|species| (species.class, name.clone()))
            }
            _ => None,
        };
        if let Some((class, name)) = class {
            let named = SpeciesName::ClassAndName(class, name);
            expression.kind = match expression.kind {
                ExprKind::Monster(_) => ExprKind::Monster(named),
                _ => ExprKind::Object(named),
            };
            self.work.same(self.here, "its class is added");
        }
    }
}

impl Details<'_, '_> {
    /// Rewrites the flags of a room or region for 3.4.3: first filled (the default) or unfilled, then irregular. Rooms
    /// are always joined there.
    fn flags(&mut self, flags: &mut Option<Vec<Spanned<RoomFlag>>>, before: Option<Vec<RoomFlag>>, wanted: Meaning) {
        let filling = if wanted.filled { Filling::Filled } else { Filling::Unfilled };
        let irregular = wanted.irregular.then_some(RoomFlag::Irregular(Irregular::Irregular));
        let said = !wanted.filled
            || wanted.irregular
            || before.iter().flatten().any(|flag| *flag == RoomFlag::Filling(filling));
        let after: Vec<RoomFlag> = said.then_some(RoomFlag::Filling(filling)).into_iter().chain(irregular).collect();
        if !wanted.joined {
            self.work.differs(self.here, "random corridors lead to every room");
        }
        if before.unwrap_or_default() != after {
            self.work.same(self.here, "its flags are written in the syntax of 3.4.3");
        }
        let spanned: Vec<Spanned<RoomFlag>> = after.into_iter().map(|flag| Spanned::new(flag, Span::NOWHERE)).collect();
        *flags = Some(spanned).filter(|flags| !flags.is_empty());
    }
}

impl VisitMut for Details<'_, '_> {
    fn statement(&mut self, statement: &mut Statement) {
        let outer = std::mem::replace(&mut self.here, statement.span);
        match &mut statement.kind {
            StatementKind::Gold { amount, .. } => {
                if let ExprKind::Dice { count, sides } = amount.kind {
                    const RANDOM_GOLD: (i32, i32) = (1, 200);
                    if (count, sides) == RANDOM_GOLD {
                        amount.kind = ExprKind::Random;
                        self.work.same(self.here, "1d200 pieces of gold become a random amount");
                    } else {
                        let middle = (count + count.saturating_mul(sides)) / 2;
                        amount.kind = ExprKind::Integer(middle);
                        self.work.differs(self.here, format!("{count}d{sides} pieces of gold become {middle}"));
                    }
                } else if amount.kind == ExprKind::Integer(-1) {
                    amount.kind = ExprKind::Random;
                    self.work.same(self.here, "-1 becomes a random amount");
                }
            }
            StatementKind::RoomDoor { walls, .. } => {
                if matches!(walls, OrRandom::Is(walls) if walls.len() != 1) {
                    *walls = OrRandom::Random;
                    self.work.differs(self.here, "a door in one of several walls may be in any wall");
                }
            }
            StatementKind::MazeWalk { stocked, filling, .. } => {
                if let Some(false) = stocked.take() {
                    self.work.differs(self.here, "a maze is always stocked");
                }
                if filling.take().is_some() {
                    self.work.differs(self.here, "the corridors of a maze have the usual floor");
                }
            }
            StatementKind::Region(region) => {
                if region.body.as_ref().is_some_and(Vec::is_empty) {
                    region.body = None;
                } else if region.body.is_some() {
                    self.work.fail(self.here, "a REGION of 3.4.3 has no block");
                }
                let before: Option<Vec<RoomFlag>> = words(region.flags.as_deref());
                let wanted = meaning(before.as_deref(), true, self.work.from);
                self.flags(&mut region.flags, before, wanted);
            }
            StatementKind::Room(room) => {
                let before: Option<Vec<RoomFlag>> = words(room.flags.as_deref());
                let wanted = meaning_of_room(before.as_deref(), alignment(room), self.work.from);
                self.flags(&mut room.flags, before, Meaning { irregular: false, ..wanted });
            }
            StatementKind::Fountain { at } | StatementKind::Sink { at } | StatementKind::Pool { at } => {
                // Rooms keep selections that `drawn_terrain` splits in parts.
                if let (SelectionKind::Union(_), Some(&[(x, y)])) = (&at.kind, squares(at).as_deref()) {
                    at.kind = SelectionKind::Point(Expr { kind: ExprKind::Coordinate { x, y }, span: at.span });
                }
            }
            _ => {}
        }
        walk_mut::statement(self, statement);
        self.here = outer;
    }

    fn expression(&mut self, expression: &mut Expr) {
        if let ExprKind::RandomCoordinate { humidity } = &mut expression.kind
            && !humidity.is_empty()
        {
            humidity.clear();
            self.work.differs(self.here, "a random place is chosen by the thing placed there, not by requirements");
        }
        self.species(expression);
        walk_mut::expression(self, expression);
    }

    fn monster(&mut self, monster: &mut Monster) {
        if let Some(inventory) = monster.inventory.take() {
            for statement in &inventory {
                lose(self.work, statement, "a monster of 3.4.3 has the inventory that the game gives it");
            }
            self.work.differs(self.here, "it has the inventory that the game gives it");
        }
        let (work, here) = (&mut *self.work, self.here);
        monster.details.retain(|detail| {
            let stays = matches!(
                detail.node,
                MonsterDetail::Name(_)
                    | MonsterDetail::Attitude(_)
                    | MonsterDetail::Alertness(_)
                    | MonsterDetail::Alignment(_)
                    | MonsterDetail::Appearance(..)
            );
            if !stays {
                let what = splc_ir::lacks::monster_word(&detail.node);
                work.differs(here, format!("a monster of 3.4.3 cannot have the detail `{what}`"));
            }
            stays
        });
        walk_mut::monster(self, monster);
    }

    fn object(&mut self, object: &mut Object) {
        let (work, here) = (&mut *self.work, self.here);
        object.details.retain_mut(|detail| match &mut detail.node {
            // Files of 3.4.3 have no empty names (`create_object` in `src/sp_lev.c` of the later games).
            ObjectDetail::Name(name) if name.is_empty_text() => {
                work.differs(here, "without its empty name, it may become an artifact");
                false
            }
            ObjectDetail::Place(_) | ObjectDetail::Curse(_) | ObjectDetail::Name(_) => true,
            ObjectDetail::Enchantment(number) => {
                let ExprKind::Dice { count, sides } = number.kind else { return true };
                let middle = (count + count.saturating_mul(sides)) / 2;
                number.kind = ExprKind::Integer(middle);
                work.differs(here, format!("{count}d{sides} becomes {middle}"));
                true
            }
            ObjectDetail::MonsterType(of) => match &of.kind {
                ExprKind::Monster(
                    SpeciesName::ClassAndName(_, name) | SpeciesName::Name(name) | SpeciesName::RandomAndName(name),
                ) => {
                    of.kind = ExprKind::String(name.clone());
                    work.same(here, "its monster is given by name");
                    true
                }
                ExprKind::String(_) => true,
                _ => {
                    work.differs(here, "its monster is random");
                    false
                }
            },
            other => {
                let what = splc_ir::lacks::object_word(other);
                work.differs(here, format!("an object of 3.4.3 cannot have the detail `{what}`"));
                false
            }
        });
        complete(&mut object.details);
        let placed = object.details.iter().any(|detail| matches!(detail.node, ObjectDetail::Place(_)));
        if !placed && !self.in_container && object.contents.is_none() {
            object.details.insert(0, Spanned::new(ObjectDetail::Place(random_place()), Span::NOWHERE));
            self.work.same(self.here, "its random place is written out");
        } else if !placed && object.contents.is_some() {
            object.details.insert(0, Spanned::new(ObjectDetail::Place(random_place()), Span::NOWHERE));
        }
        let inside = object.contents.is_some() || self.in_container;
        let outer = std::mem::replace(&mut self.in_container, inside);
        walk_mut::object(self, object);
        self.in_container = outer;
    }
}

/// Returns the flags of a room or region without their spans.
fn words(flags: Option<&[Spanned<RoomFlag>]>) -> Option<Vec<RoomFlag>> {
    flags.map(|flags| flags.iter().map(|flag| flag.node).collect())
}

/// Completes and sorts the details of an object. A statement of 3.4.3 has all of them in a fixed order, or none.
fn complete(details: &mut Vec<Spanned<ObjectDetail>>) {
    let rank = |detail: &ObjectDetail| match detail {
        ObjectDetail::Place(_) => 0,
        ObjectDetail::Curse(_) => 1,
        ObjectDetail::MonsterType(_) => 2,
        ObjectDetail::Enchantment(_) => 3,
        _ => 4,
    };
    let has = |details: &[Spanned<ObjectDetail>], wanted: u8| details.iter().any(|detail| rank(&detail.node) == wanted);
    if !(1..=4).any(|wanted| has(details, wanted)) {
        return;
    }
    let add = |details: &mut Vec<_>, detail| details.push(Spanned::new(detail, Span::NOWHERE));
    if !has(details, 1) && !has(details, 2) {
        add(details, ObjectDetail::Curse(OrRandom::Random));
    }
    if !has(details, 3) {
        let random = Expr { kind: ExprKind::Random, span: Span::NOWHERE };
        add(details, ObjectDetail::Enchantment(random));
    }
    details.order_by_key(|detail| rank(&detail.node));
}
