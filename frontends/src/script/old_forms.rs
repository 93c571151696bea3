//! Statements that have the form of NetHack 3.4.3, as in many a des-file from elsewhere.

use splc_ir::catalog::Catalog;
use splc_ir::diagnostic::{Code, Diagnostic, Diagnostics};
use splc_ir::level::*;
use splc_ir::source::{Span, Spanned};
use splc_ir::visit::{VisitMut, walk_mut};

/// Tells of every MONSTER and OBJECT in `module` that has the form of NetHack 3.4.3, and takes out its values, so that
/// nothing more is said about them.
pub fn old_forms(module: &mut Module, catalog: &Catalog, diagnostics: &mut Diagnostics) {
    OldForms { catalog, diagnostics, statement: Span::default() }.module(module);
}

struct OldForms<'a> {
    catalog: &'a Catalog,
    diagnostics: &'a mut Diagnostics,
    /// The statement that is looked at.
    statement: Span,
}

impl VisitMut for OldForms<'_> {
    fn statement(&mut self, statement: &mut Statement) {
        self.statement = statement.span;
        walk_mut::statement(self, statement);
    }

    fn monster(&mut self, monster: &mut Monster) {
        self.old_monster(monster);
        if let Some(inventory) = &mut monster.inventory {
            self.block(inventory);
        }
    }

    fn object(&mut self, object: &mut Object) {
        self.old_object(object);
        if let Some(contents) = &mut object.contents {
            self.block(contents);
        }
    }

    // No statement is in these.
    fn expression(&mut self, _: &mut Expr) {}
    fn selection(&mut self, _: &mut Selection) {}
}

impl OldForms<'_> {
    /// Whether the MONSTER has the form of 3.4.3, class and name apart: `'v',"dust vortex",(0,4)`. One message
    /// then says so instead of one for each value that is out of its place.
    fn old_monster(&mut self, monster: &mut Monster) {
        let ExprKind::MapCharacter { character: class, light: None } = monster.monster.kind else { return };
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
            _ => return,
        };
        let replaced = monster.monster.span.to(monster.place.span);
        self.diagnostics.push(
            Diagnostic::new(Code::WrongDialect, monster.place.span, "this MONSTER has the form of NetHack 3.4.3")
                .with_label("expected a place")
                .with_secondary(self.statement, format!("{} takes class and name together", self.catalog.title))
                .with_help(format!("write MONSTER:{new_name},(x,y)"))
                .with_suggestion(replaced, new_name, true),
        );
        monster.monster.kind = ExprKind::Error;
        monster.place.kind = ExprKind::Error;
        monster.details.clear();
    }

    /// The same, for OBJECT: `'!',"object detection",(1,1)`.
    fn old_object(&mut self, object: &mut Object) {
        let ExprKind::MapCharacter { character: class, light: None } = object.object.kind else { return };
        let Some(Spanned { node: ObjectDetail::Place(first), .. }) = object.details.first() else { return };
        let ExprKind::String(name) = &first.kind else { return };
        let new_name = format!("('{}',\"{name}\")", class.escape_default());
        let replaced = object.object.span.to(first.span);
        let first = first.span;
        object.object.kind = ExprKind::Error;
        object.details.clear();
        self.diagnostics.push(
            Diagnostic::new(Code::WrongDialect, first, "this OBJECT has the form of NetHack 3.4.3")
                .with_label("expected a place or a detail")
                .with_note(format!("{} takes class and name together", self.catalog.title))
                .with_help(format!("write OBJECT:{new_name},(x,y)"))
                .with_suggestion(replaced, new_name, true),
        );
    }
}
