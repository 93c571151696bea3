//! To the Lua scripts of NetHack 5: what its functions have no word for, and what they take otherwise.

use splc_ir::catalog::{Catalog, LoaderRule};
use splc_ir::level::*;
use splc_ir::source::{Span, Spanned};
use splc_ir::visit::{SpeciesRole, VisitMut, walk_mut};
use splc_ir::words::*;

use crate::work::Work;

/// A walk that knows in which statement it is.
struct Within<'w, 'a> {
    work: &'w mut Work<'a>,
    here: Span,
    /// Whether the place that is looked at is that of a monster.
    monster: bool,
    /// Whether it is that of a feature.
    feature: bool,
}

/// Says in what the target has what it has no words for.
pub(crate) fn wordless(work: &mut Work<'_>, module: &mut Module) {
    Within { work, here: Span::NOWHERE, monster: false, feature: false }.module(module);
}

/// Whether `filled` of circles and ellipses means the same in both games.
fn same_outlines(from: &Catalog, to: &Catalog) -> bool {
    from.word(Group::Filling, Filling::Filled.as_str()) == to.word(Group::Filling, Filling::Filled.as_str())
}

/// Whether there is terrain with light among the values.
fn is_lit(values: &[Expr]) -> bool {
    values.iter().any(|value| matches!(value.kind, ExprKind::MapCharacter { light: Some(_), .. }))
}

impl Within<'_, '_> {
    /// A random place of which is said what it is like.
    fn random_place(&mut self, humidity: &mut Vec<Spanned<Humidity>>) {
        if humidity.is_empty() {
            return;
        }
        let dry = humidity.iter().all(|word| word.node == Humidity::Dry);
        if dry && self.feature {
            return;
        }
        let words: Vec<&str> = humidity.iter().map(|word| word.node.as_str()).collect();
        match (dry, self.monster) {
            (true, false) => self.work.same(self.here, "a random place is dry if nothing else is said"),
            _ => {
                let title = self.work.to.title.clone();
                let what = format!(
                    "{title} cannot be told that a random place is {}: its loader goes by what comes there",
                    words.join(" or ")
                );
                self.work.differs(self.here, what);
            }
        }
        humidity.clear();
    }

    /// A level region whose corners are swapped has no squares, and NetHack 5 crashes when it looks for one (`place_lregion`).
    fn corners(&mut self, region: &mut LevelRegion) {
        let [x1, y1, x2, y2] = region.inside.corners;
        if [x1, y1, x2, y2].iter().any(|number| *number < 0) || x1 <= x2 && y1 <= y2 {
            return;
        }
        region.inside.corners = [x1.min(x2), y1.min(y2), x1.max(x2), y1.max(y2)];
        let title = self.work.to.title.clone();
        self.work.differs(
            self.here,
            format!("the corners of its region are swapped: {title} would crash, so they are put right"),
        );
    }

    /// The game draws a gradient the other way round: what is near is taken, and ever less of what is farther away.
    fn gradient(&mut self, selection: &mut Selection) {
        let SelectionKind::Gradient { limited, .. } = &mut selection.kind else { return };
        let ends = *limited == Some(Limited::Limited);
        *limited = None;
        let what =
            "a gradient is written as what is left of one, which is how the game draws it; its edges have other odds";
        self.work.differs(self.here, what);
        let near = Selection { kind: selection.kind.clone(), span: selection.span };
        let mut far = Selection { kind: SelectionKind::Complement(Box::new(near.clone())), span: selection.span };
        if ends && let SelectionKind::Gradient { gradient, maximum, center, center2, .. } = near.kind {
            let all =
                SelectionKind::Gradient { gradient, minimum: maximum.clone(), maximum, limited: None, center, center2 };
            let all = Selection { kind: all, span: selection.span };
            far = Selection {
                kind: SelectionKind::FilterSelection { filter: Box::new(far), selection: Box::new(all) },
                span: selection.span,
            };
        }
        *selection = far;
    }
}

impl VisitMut for Within<'_, '_> {
    fn statement(&mut self, statement: &mut Statement) {
        let inner = if statement.span.is_nowhere() { self.here } else { statement.span };
        let outer = std::mem::replace(&mut self.here, inner);
        let mut lit = false;
        if let StatementKind::LevelRegion(region) = &mut statement.kind {
            self.corners(region);
        }
        if let StatementKind::Fountain { at } | StatementKind::Sink { at } | StatementKind::Pool { at } =
            &mut statement.kind
        {
            // Dry ground is what the game looks for by itself.
            self.feature = true;
            if let SelectionKind::Point(Expr { kind: ExprKind::RandomCoordinate { humidity }, .. }) = &mut at.kind
                && humidity.is_empty()
                && self.work.source_rule(LoaderRule::RandomFeaturesNeedDryGround)
            {
                humidity.push(Spanned::new(Humidity::Dry, Span::NOWHERE));
            }
        }
        match &statement.kind {
            StatementKind::RoomDoor { secret, state, walls, .. } => {
                let state = match state {
                    OrRandom::Is(state) => Some(state.node),
                    OrRandom::Random => None,
                };
                if *secret != OrRandom::Is(false) && state != Some(DoorState::Closed) {
                    let what = "a secret door of a room has no state: it is closed when it is found";
                    self.work.differs(inner, what);
                }
                let several = matches!(walls, OrRandom::Is(walls) if (2..4).contains(&walls.len()));
                if several {
                    let what = "one of its walls is drawn first, and no other is tried if there is no place in it";
                    self.work.differs(inner, what);
                }
            }
            StatementKind::Define { value: Definition::Value { value, .. }, .. } => {
                lit = is_lit(std::slice::from_ref(value));
            }
            StatementKind::Define { value: Definition::Array { values, .. }, .. } => lit = is_lit(values),
            StatementKind::Altar { altar: OrRandom::Random, .. } => {
                self.work.same(inner, "its type is drawn before its place");
            }
            StatementKind::RandomCorridors { style } if *style != CorridorStyle::Default => {
                let what = format!("{} joins rooms in one style", self.work.to.title);
                self.work.differs(inner, what);
            }
            StatementKind::Corridor { to: CorridorTarget::Number(_), .. } => {
                self.work.differs(inner, "a CORRIDOR to a number joins rooms at random");
            }
            StatementKind::Grave { epitaph: Epitaph::None, .. } => {
                self.work.same(inner, "its headstone has an empty text");
            }
            _ => {}
        }
        if lit {
            self.work.differs(inner, "terrain that is kept in a variable has no light of its own");
            if let StatementKind::Define { value, .. } = &mut statement.kind {
                let values = match value {
                    Definition::Value { value, .. } => std::slice::from_mut(value),
                    Definition::Array { values, .. } => values,
                    Definition::Copy { .. } => &mut [],
                };
                for value in values {
                    if let ExprKind::MapCharacter { light, .. } = &mut value.kind {
                        *light = None;
                    }
                }
            }
        }
        walk_mut::statement(self, statement);
        self.here = outer;
        self.feature = false;
    }

    fn species(&mut self, role: SpeciesRole, species: &mut SpeciesName, _: Span) {
        let (SpeciesName::Name(name) | SpeciesName::ClassAndName(_, name)) = species else { return };
        // The game takes the number 0 for a name that it was not given (`lspo_object`).
        if role == SpeciesRole::Object && matches!(self.work.from.object(name, None), Some((0, _))) {
            let what = format!("{} has no name for it: something random comes", self.work.to.title);
            self.work.differs(self.here, what);
        }
    }

    fn monster(&mut self, monster: &mut Monster) {
        self.monster = true;
        self.expression(&mut monster.place);
        self.monster = false;
        walk_mut::monster(self, monster);
    }

    fn expression(&mut self, expression: &mut Expr) {
        if let ExprKind::RandomCoordinate { humidity } = &mut expression.kind {
            self.random_place(humidity);
        }
        walk_mut::expression(self, expression);
    }

    fn selection(&mut self, selection: &mut Selection) {
        // What it becomes has gradients in it that are the game's own.
        if matches!(selection.kind, SelectionKind::Gradient { .. }) {
            walk_mut::selection(self, selection);
            return self.gradient(selection);
        }
        if let SelectionKind::Circle { filling, .. } | SelectionKind::Ellipse { filling, .. } = &mut selection.kind
            && !same_outlines(self.work.from, self.work.to)
            && let Some(word) = filling
        {
            *word = match word {
                Filling::Filled => Filling::Unfilled,
                Filling::Unfilled => Filling::Filled,
            };
            self.work.same(self.here, "its word for filled says the same in the target");
        }
        walk_mut::selection(self, selection);
    }
}
