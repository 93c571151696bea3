//! Statements in the form of NetHack 3.4.3, as found in many des-files.

use splc_ir::catalog::Catalog;
use splc_ir::diagnostic::{Code, Diagnostic, Diagnostics};
use splc_ir::level::*;
use splc_ir::source::{Span, Spanned};
use splc_ir::visit::{VisitMut, walk_mut};

/// Reports every MONSTER and OBJECT in `module` that has the form of NetHack 3.4.3, and removes its values, so that no
/// further errors are reported about them.
pub fn old_forms(module: &mut Module, catalog: &Catalog, diagnostics: &mut Diagnostics) {
    OldForms { catalog, diagnostics, statement: Span::default(), inside: false }.module(module);
}

/// Returns true if [`old_forms`] may report the statement. If no statement is suspect, it need not run.
pub fn is_suspect(kind: &StatementKind) -> bool {
    let (thing, old) = match kind {
        StatementKind::Monster(Monster {
            monster: Expr { kind: ExprKind::String(_), .. },
            place: Expr { kind: ExprKind::MapCharacter { .. }, .. },
            ..
        }) => return true,
        StatementKind::Monster(Monster { monster, place, details, .. }) => {
            (monster, matches!(place.kind, ExprKind::String(_)) || !details.is_empty())
        }
        StatementKind::Object(Object { object, details, .. }) => {
            let first = details.first().map(|detail| &detail.node);
            let name = matches!(first, Some(ObjectDetail::Place(Expr { kind: ExprKind::String(_), .. })));
            (object, name || details.len() > 1)
        }
        _ => return false,
    };
    match thing.kind {
        ExprKind::MapCharacter { light: Some(_), .. } => true,
        ExprKind::MapCharacter { .. } | ExprKind::RandomCoordinate { .. } => old,
        _ => false,
    }
}

/// Returns the text of a place, if it is written with numbers or random.
fn place_text(place: &Expr) -> Option<String> {
    match &place.kind {
        ExprKind::Coordinate { x, y } => Some(format!("({x},{y})")),
        ExprKind::RandomCoordinate { humidity } if humidity.is_empty() => Some("random".to_owned()),
        _ => None,
    }
}

/// Returns the text of the place of a MONSTER whose class and name are two values: the place is read as its name.
fn name_as_place(detail: Option<&Spanned<MonsterDetail>>) -> String {
    let place = match detail.map(|detail| &detail.node) {
        Some(MonsterDetail::Name(place)) => place_text(place),
        _ => None,
    };
    place.unwrap_or_else(|| "(x,y)".to_owned())
}

struct OldForms<'a> {
    catalog: &'a Catalog,
    diagnostics: &'a mut Diagnostics,
    /// The current statement.
    statement: Span,
    /// True inside a container or an inventory.
    inside: bool,
}

impl VisitMut for OldForms<'_> {
    fn statement(&mut self, statement: &mut Statement) {
        self.statement = statement.span;
        walk_mut::statement(self, statement);
    }

    fn monster(&mut self, monster: &mut Monster) {
        self.old_monster(monster);
        if let Some(inventory) = &mut monster.inventory {
            self.held(inventory);
        }
    }

    fn object(&mut self, object: &mut Object) {
        self.old_object(object);
        if let Some(contents) = &mut object.contents {
            self.held(contents);
        }
    }

    // These contain no statements.
    fn expression(&mut self, _: &mut Expr) {}
    fn selection(&mut self, _: &mut Selection) {}
}

impl OldForms<'_> {
    /// Walks the statements in a container or an inventory.
    fn held(&mut self, statements: &mut [Statement]) {
        let outside = std::mem::replace(&mut self.inside, true);
        statements.iter_mut().for_each(|statement| self.statement(statement));
        self.inside = outside;
    }

    /// Reports a MONSTER in the form of 3.4.3, with separate class and name: `'v',"dust vortex",(0,4)`. The single
    /// message replaces one for each misplaced value.
    fn old_monster(&mut self, monster: &mut Monster) {
        self.random_name(&mut monster.monster, "MONSTER");
        // `MONSTER: "jackal", 'd', (3,2)`
        if let (ExprKind::String(name), ExprKind::MapCharacter { character, light: None }) =
            (&monster.monster.kind, &monster.place.kind)
        {
            let right = format!("('{character}',\"{name}\")");
            let replaced = monster.monster.span.to(monster.place.span);
            self.diagnostics.push(
                Diagnostic::new(Code::TypeMismatch, replaced, "a class and a name are one value, in parentheses")
                    .with_help(format!("write MONSTER: {right}, {}", name_as_place(monster.details.first())))
                    .with_suggestion(replaced, right, true),
            );
            monster.monster.kind = ExprKind::Error;
            monster.place.kind = ExprKind::Error;
            monster.details.clear();
            return;
        }
        let class = match monster.monster.kind {
            ExprKind::MapCharacter { character: class, light: None } => format!("'{class}'"),
            ExprKind::RandomCoordinate { ref humidity } if humidity.is_empty() => "random".to_owned(),
            _ => return,
        };
        let new_name = match &monster.place.kind {
            ExprKind::String(name) if class != "random" => format!("({class},\"{name}\")"),
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
                class
            }
            _ => return,
        };
        let replaced = monster.monster.span.to(monster.place.span);
        self.diagnostics.push(
            Diagnostic::new(Code::WrongDialect, monster.place.span, "this MONSTER is written as in NetHack 3.4.3")
                .with_label("expected a place")
                .with_secondary(self.statement, format!("{} takes class and name as one value", self.catalog.title))
                .with_help(format!("write MONSTER:{new_name},{}", name_as_place(monster.details.first())))
                .with_suggestion(replaced, new_name, true),
        );
        monster.monster.kind = ExprKind::Error;
        monster.place.kind = ExprKind::Error;
        monster.details.clear();
    }

    /// Reports an OBJECT in the form of 3.4.3: `'!',"object detection",(1,1)`.
    fn old_object(&mut self, object: &mut Object) {
        self.random_name(&mut object.object, "OBJECT");
        let class = match object.object.kind {
            ExprKind::MapCharacter { character: class, light: None } => format!("'{class}'"),
            ExprKind::RandomCoordinate { ref humidity } if humidity.is_empty() => "random".to_owned(),
            _ => return,
        };
        let Some(Spanned { node: ObjectDetail::Place(first), .. }) = object.details.first() else { return };
        let place = |detail: Option<&Spanned<ObjectDetail>>| match detail {
            Some(Spanned { node: ObjectDetail::Place(place), .. })
                if matches!(place.kind, ExprKind::Coordinate { .. } | ExprKind::RandomCoordinate { .. }) =>
            {
                Some(place.span)
            }
            _ => None,
        };
        let second = place(object.details.get(1));
        let new_name = match &first.kind {
            ExprKind::String(name) if class != "random" => format!("({class},\"{name}\")"),
            ExprKind::RandomCoordinate { humidity } if humidity.is_empty() && second.is_some() => class,
            _ => return,
        };
        // An object in a container has no place.
        let end = second.filter(|_| self.inside).unwrap_or(first.span);
        let replaced = object.object.span.to(end);
        let word = if object.contents.is_some() { "CONTAINER" } else { "OBJECT" };
        let form = if self.inside {
            format!("write {word}:{new_name}")
        } else {
            let place = object.details.get(1).map(|detail| &detail.node);
            let place = if let Some(ObjectDetail::Place(place)) = place { place_text(place) } else { None };
            format!("write {word}:{new_name},{}", place.as_deref().unwrap_or("(x,y)"))
        };
        let first = first.span;
        object.object.kind = ExprKind::Error;
        object.details.clear();
        self.diagnostics.push(
            Diagnostic::new(Code::WrongDialect, first, format!("this {word} is written as in NetHack 3.4.3"))
                .with_label(if self.inside { "expected a detail" } else { "expected a place or a detail" })
                .with_note(format!("{} takes class and name as one value", self.catalog.title))
                .with_help(form)
                .with_suggestion(replaced, new_name, true),
        );
    }

    /// Reports `('H',random)`, which level generators write for a random thing of a class.
    fn random_name(&mut self, thing: &mut Expr, statement: &str) {
        let ExprKind::MapCharacter { character: class, light: Some(OrRandom::Random) } = thing.kind else { return };
        let right = format!("'{class}'");
        self.diagnostics.push(
            Diagnostic::new(
                Code::Syntax,
                thing.span,
                format!("a random {} of a class is written as the class alone", statement.to_lowercase()),
            )
            .with_help(format!("write {statement}: {right}, ..."))
            .with_suggestion(thing.span, right, true),
        );
        thing.kind = ExprKind::Error;
    }
}
