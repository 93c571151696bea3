//! Selections.

use splc_ir::level::*;
use splc_ir::words::{Direction, Filling};

use super::Printer;
use splc_lua::quoted;

impl Printer<'_> {
    pub(super) fn selection(&mut self, selection: &Selection) -> String {
        match &selection.kind {
            SelectionKind::Point(place) => match &place.kind {
                ExprKind::RandomCoordinate { .. } => String::from("selection.set(selection.new())"),
                _ => {
                    let (x, y) = self.two_numbers(place);
                    format!("selection.set(selection.new(), {x}, {y})")
                }
            },
            SelectionKind::Rectangle(region) => format!("selection.rect({})", self.corners(region)),
            SelectionKind::FilledRectangle(region) => format!("selection.area({})", self.corners(region)),
            SelectionKind::Line(from, to) => {
                // The games of des-files draw the line from its second end (`SPO_SEL_LINE`).
                let ((x1, y1), (x2, y2)) = (self.two_numbers(from), self.two_numbers(to));
                format!("selection.line({x2}, {y2}, {x1}, {y1})")
            }
            SelectionKind::RandomLine(from, to, roughness) => {
                let ((x1, y1), (x2, y2)) = (self.two_numbers(from), self.two_numbers(to));
                let roughness = self.value(roughness);
                format!("selection.randline({x2}, {y2}, {x1}, {y1}, {roughness})")
            }
            SelectionKind::Grow { directions, selection } => {
                let grown = self.selection(selection);
                match directions {
                    None => format!("selection.grow({grown})"),
                    Some(directions) => self.grown(grown, directions.iter().map(|word| word.node).collect()),
                }
            }
            SelectionKind::FilterPercent { percent, selection } => {
                format!("selection.percentage({}, {})", self.selection(selection), percent.node)
            }
            SelectionKind::FilterSelection { filter, selection } => {
                let (filter, selection) = (self.operand(filter), self.operand(selection));
                format!("{filter} & {selection}")
            }
            SelectionKind::FilterTerrain { terrain, selection } => {
                let (terrain, light) = self.terrain(terrain);
                let selection = self.selection(selection);
                match light {
                    None => format!("selection.filter_mapchar({selection}, {terrain})"),
                    Some(light) => format!("selection.filter_mapchar({selection}, {terrain}, {light})"),
                }
            }
            SelectionKind::FloodFill(place) => {
                let (x, y) = self.two_numbers(place);
                format!("selection.floodfill({x}, {y})")
            }
            SelectionKind::Circle { center, radius, filling } => {
                let (x, y) = self.two_numbers(center);
                let radius = self.value(radius);
                format!("selection.circle({x}, {y}, {radius}{})", filled(*filling))
            }
            SelectionKind::Ellipse { center, x_radius, y_radius, filling } => {
                let (x, y) = self.two_numbers(center);
                let (x_radius, y_radius) = (self.value(x_radius), self.value(y_radius));
                format!("selection.ellipse({x}, {y}, {x_radius}, {y_radius}{})", filled(*filling))
            }
            SelectionKind::Gradient { gradient, minimum, maximum, limited: _, center, center2 } => {
                let (x, y) = self.two_numbers(center);
                let mut keys =
                    vec![format!("type = {}", quoted(gradient.as_str())), format!("x = {x}"), format!("y = {y}")];
                if let Some(center2) = center2 {
                    let (x2, y2) = self.two_numbers(center2);
                    keys.extend([format!("x2 = {x2}"), format!("y2 = {y2}")]);
                }
                let (minimum, maximum) = (self.value(minimum), self.value(maximum));
                keys.extend([format!("mindist = {minimum}"), format!("maxdist = {maximum}")]);
                format!("selection.gradient({{ {} }})", keys.join(", "))
            }
            SelectionKind::Complement(selection) => match &ungrouped(selection).kind {
                SelectionKind::Complement(inner) => self.selection(inner),
                _ => format!("selection.negate({})", self.selection(selection)),
            },
            SelectionKind::Variable(variable) => self.variable(variable),
            SelectionKind::Group(selection) => self.selection(selection),
            SelectionKind::Union(parts) => {
                let parts: Vec<String> = parts.iter().map(|part| self.operand(part)).collect();
                parts.join(" | ")
            }
            SelectionKind::Error => {
                self.cannot(selection.span, "invalid syntax");
                String::from("selection.new()")
            }
        }
    }

    /// Formats a selection as an operand.
    fn operand(&mut self, selection: &Selection) -> String {
        let inner = ungrouped(selection);
        let text = self.selection(inner);
        match &inner.kind {
            SelectionKind::Union(_) | SelectionKind::FilterSelection { .. } => format!("({text})"),
            SelectionKind::Grow { .. } if text.contains(" | ") && !text.starts_with("selection.") => {
                format!("({text})")
            }
            _ => text,
        }
    }

    /// Grows a selection in several directions. The game takes one direction at a time. Corners between two adjacent
    /// directions are included: it grows up and down first, and then grows the result to the sides.
    fn grown(&mut self, grown: String, directions: Vec<Direction>) -> String {
        let of = |pair: [Direction; 2]| pair.into_iter().filter(|one| directions.contains(one)).collect::<Vec<_>>();
        let mut text = grown;
        for pair in [of([Direction::North, Direction::South]), of([Direction::West, Direction::East])] {
            text = match pair.as_slice() {
                [] => text,
                [one] => format!("selection.grow({text}, {})", quoted(one.as_str())),
                both => {
                    // A draw must be evaluated only once.
                    let name = if text.contains('(') {
                        let name = self.fresh("area");
                        self.set(&name, &text);
                        name
                    } else {
                        text
                    };
                    let grown: Vec<String> =
                        both.iter().map(|one| format!("selection.grow({name}, {})", quoted(one.as_str()))).collect();
                    format!("({})", grown.join(" | "))
                }
            };
        }
        text
    }
}

fn ungrouped(selection: &Selection) -> &Selection {
    let mut inner = selection;
    while let SelectionKind::Group(grouped) = &inner.kind {
        inner = grouped;
    }
    inner
}

/// Returns the last argument of circle and ellipse, which are outlines if it is missing. In the games of des-files the
/// word `filled` means an outline (`selection_do_ellipse` inverts its argument).
fn filled(filling: Option<Filling>) -> &'static str {
    match filling {
        None | Some(Filling::Filled) => "",
        Some(Filling::Unfilled) => ", 1",
    }
}
