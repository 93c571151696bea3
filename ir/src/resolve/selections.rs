//! Selections, and values that resolve to a selection.

use super::Resolver;
use crate::catalog::Feature;
use crate::diagnostic::{Code, Diagnostic};
use crate::level::*;

impl Resolver<'_> {
    pub(super) fn selection(&mut self, selection: &mut Selection) {
        use ValueType as V;
        if let SelectionKind::Variable(variable) = &mut selection.kind {
            // The module was resolved before: restore the expression, then infer its type again.
            let kind = ExprKind::Variable(variable.clone());
            selection.kind = SelectionKind::Point(Expr { kind, span: selection.span });
        }
        match &mut selection.kind {
            SelectionKind::Point(place) => {
                let found = self.infer(place);
                match found {
                    None => {}
                    Some(_) if let ExprKind::Region { corners: [x1, y1, x2, y2] } = place.kind => {
                        let right = format!("fillrect ({x1},{y1},{x2},{y2})");
                        self.push(
                            Diagnostic::new(Code::TypeMismatch, place.span, "expected a selection, found a region")
                                .with_help(format!("write {right}, or rect for its border"))
                                .with_suggestion(place.span, right, true),
                        );
                    }
                    Some(ty) if ty == Type::of(V::Coordinate) => {}
                    // The games do not accept an element of an array of selections here.
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
                        if ty == Type::array(V::Coordinate)
                            && let ExprKind::Variable(variable) = &place.kind
                        {
                            let right = format!("{}[0]", variable.name);
                            self.push(
                                Diagnostic::new(
                                    Code::TypeMismatch,
                                    span,
                                    format!("expected a selection, found {message}"),
                                )
                                .with_help(format!("SHUFFLE the array, and write {right} for one of its places")),
                            );
                        } else {
                            self.mismatch(span, V::Selection, message);
                        }
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
            SelectionKind::FilterTerrain { terrain, selection } => self.filter_terrain(terrain, selection),
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

    /// Resolves `filter(x, selection)`: a filter by terrain if `x` is terrain, otherwise by another selection.
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
        if let SelectionKind::Point(Expr { kind: ExprKind::Integer(percent @ 0..=100), span }) = filter.kind {
            let right = format!("{percent}%");
            self.push(
                Diagnostic::new(Code::TypeMismatch, span, "a percentage needs its percent sign")
                    .with_help(format!("write {right}"))
                    .with_suggestion(span, right, true),
            );
            return self.selection(&mut filtered);
        }
        selection.kind = if let (true, SelectionKind::Point(terrain)) = (by_terrain, &mut filter.kind) {
            let mut terrain = std::mem::replace(terrain, Expr { kind: ExprKind::Error, span: filter.span });
            self.filter_terrain(&mut terrain, &mut filtered);
            SelectionKind::FilterTerrain { terrain, selection: filtered }
        } else {
            self.selection(&mut filter);
            self.selection(&mut filtered);
            SelectionKind::FilterSelection { filter, selection: filtered }
        };
    }

    fn filter_terrain(&mut self, terrain: &mut Expr, filtered: &mut Selection) {
        if self.catalog.has(Feature::FiltersWithoutTerrain) {
            let message = format!("{} cannot filter by terrain", self.catalog.title);
            self.push(
                Diagnostic::new(Code::WrongDialect, terrain.span, message)
                    .with_help("replace terrain with REPLACE_TERRAIN: (x1,y1,x2,y2), 'from', 'to', 100%"),
            );
        }
        self.value(terrain, ValueType::MapCharacter);
        self.selection(filtered);
    }

    /// Resolves the area of SporkHack's WALLIFY: a region, not a selection.
    pub(super) fn wallify_region(&mut self, area: &mut WallifyArea) {
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
}
