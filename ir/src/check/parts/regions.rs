//! Things on the map of a part: regions, doors, drawbridges, walls.

use super::places::Meant;
use super::{Checker, Setting};
use crate::diagnostic::{Code, Diagnostic};
use crate::level::*;
use crate::parts::Grid;
use crate::source::{Span, Spanned};
use crate::words::*;

impl Checker<'_> {
    pub(super) fn door(&mut self, place: &Expr) {
        let Some((x, y)) = self.square(place) else { return };
        if usize::try_from(y).is_ok_and(|row| self.unsure_rows.get(row) == Some(&true)) {
            return;
        }
        let square = self.looked_at().map(|grid| grid.get(x, y));
        match square {
            // Outside the last map, the compiler reads unrelated memory.
            None | Some(None) if matches!(self.place, Setting::NoMap) => self.needs_map(place.span, "a DOOR"),
            Some(square) if !square.is_some_and(|square| self.terrain.has_door(square)) => {
                self.judge.push(
                    Diagnostic::new(Code::Door, place.span, "this door does not match the map")
                        .with_label(format!("the map has no `+` or `S` at ({x},{y})"))
                        .with_help("draw the door in the map, which DOOR only describes, or correct the place"),
                );
            }
            _ => {}
        }
    }

    pub(super) fn drawbridge(&mut self, place: &Expr, direction: &Spanned<Direction>) {
        if let Some((x, y)) = self.square(place) {
            let (wall_x, wall_y) = direction.node.from((x, y));
            let square = self.looked_at().map(|grid| grid.get(wall_x, wall_y));
            match square {
                // Outside the last map, the compiler reads unrelated memory.
                None | Some(None) if matches!(self.place, Setting::NoMap) => {
                    self.needs_map(place.span, "a DRAWBRIDGE");
                }
                Some(square) if !square.is_some_and(|square| self.terrain.is_wall(square)) => {
                    let is_wall = |(x, y): (i32, i32)| {
                        self.looked_at()
                            .and_then(|grid| grid.get(x, y))
                            .is_some_and(|square| self.terrain.is_wall(square))
                    };
                    let problem =
                        Diagnostic::new(Code::Drawbridge, place.span, "a drawbridge needs a wall for its portcullis")
                            .with_secondary(
                                direction.span,
                                format!(
                                    "the square to the {}, at ({wall_x},{wall_y}), is not a wall",
                                    direction.node.as_str()
                                ),
                            );
                    self.judge.push(match Direction::only((x, y), is_wall) {
                        Some((way, (x, y))) => problem
                            .with_help(format!("write {}: the wall is at ({x},{y})", way.as_str()))
                            .with_suggestion(direction.span, way.as_str(), false),
                        None => problem.with_help(
                            "write the place of the open bridge, and the direction from there to the portcullis in the wall",
                        ),
                    });
                }
                _ => {}
            }
        }
    }

    pub(super) fn wallify(&mut self, span: Span) {
        match &mut self.place {
            Setting::Map(grid) if grid.width > 0 && grid.height > 0 => grid.wallify(self.judge.catalog),
            Setting::Map(_) | Setting::NoMap => self.needs_map(span, "WALLIFY"),
            _ => {}
        }
    }

    pub(super) fn region_range(&mut self, region: &Expr) -> Option<[i32; 4]> {
        let ExprKind::Region { corners } = region.kind else { return None };
        let (width, height) = self.bounds()?;
        let [x1, y1, x2, y2] = corners;
        let fits = |number: i32, most: i32| (0..=most).contains(&number);
        if !(fits(x1, width) && fits(y1, height) && fits(x2, width) && fits(y2, height)) {
            let begins_inside = fits(x1, width) && fits(y1, height) && x1 <= x2 && y1 <= y2;
            let meant = begins_inside.then(|| Meant::Within([x1, y1, x2.min(width), y2.min(height)]));
            self.out_of_map(Code::RegionRange, region.span, "region", meant);
            return None;
        }
        Some(corners)
    }

    pub(super) fn region_spec_range(&mut self, region: &RegionSpec) {
        if region.level {
            self.judge.level_region(region);
        } else {
            let area = Expr { kind: ExprKind::Region { corners: region.corners }, span: region.span };
            self.region_range(&area);
        }
    }

    pub(super) fn region(&mut self, region: &Region) {
        let kind = self.room_number(&region.room_type);
        let Some([x1, y1, x2, y2]) = self.region_range(&region.area) else { return };
        let span = region.area.span;
        let flags = || region.flags.iter().flatten().map(|flag| flag.node);
        let irregular = flags().any(|flag| flag == RoomFlag::Irregular(Irregular::Irregular));
        let unfilled = flags().any(|flag| flag == RoomFlag::Filling(Filling::Unfilled));
        let most = self.bounds().unwrap_or_default();
        if !self.judge.corners([x1, y1, x2, y2], span, most) {
            return;
        }
        let vault = self.judge.catalog.room("vault");
        if kind.is_some()
            && kind == vault
            && !unfilled
            && (irregular || x2.saturating_sub(x1) != 1 || y2.saturating_sub(y1) != 1)
        {
            let (right, bottom) = (x1.saturating_add(1), y1.saturating_add(1));
            let help = match irregular {
                true => "remove irregular, and write the corners of the vault".to_owned(),
                false => format!("write ({x1},{y1},{right},{bottom}), with the corners, and draw walls around it"),
            };
            let message = "a vault must be exactly 2 by 2 squares";
            let problem = Diagnostic::new(Code::RegionRange, span, message).with_help(help);
            let (width, height) = (x2.saturating_sub(x1).saturating_add(1), y2.saturating_sub(y1).saturating_add(1));
            self.judge.push(match irregular {
                true => problem,
                false => problem.with_label(format!("{width} by {height}")),
            });
        }
        let Setting::Map(grid) = &self.place else {
            let inside = |grid: &Grid| grid.get(x2, y2).is_some();
            if irregular && matches!(self.place, Setting::NoMap) && !self.earlier.as_ref().is_some_and(inside) {
                self.needs_map(span, "an irregular REGION");
            }
            return;
        };
        let terrain = &self.terrain;
        let square = |x: i32, y: i32| grid.get(x, y).unwrap_or(Grid::UNKNOWN);
        let mut found = Vec::new();
        if irregular {
            if square(x1, y1) < terrain.room {
                found.push(
                    Diagnostic::new(Code::RegionRange, span, "an irregular region begins in rock")
                        .with_label(format!("the map has no floor at ({x1},{y1})"))
                        .with_help("begin the region with a square inside the room"),
                );
            }
        } else if x1 > 0 && y1 > 0 && x2 < grid.width as i32 - 1 && y2 < grid.height as i32 - 1 {
            let solid = (y1..=y2).any(|y| (x1..=x2).any(|x| terrain.is_solid(square(x, y))));
            if solid {
                found.push(
                    Diagnostic::new(Code::RockInRoom, span, "rock or a door inside this room")
                        .with_help("draw a regular REGION as a rectangle of floor, without its walls"),
                );
            }
            let corners = [(x1 - 1, y1 - 1), (x1 - 1, y2 + 1), (x2 + 1, y1 - 1), (x2 + 1, y2 + 1)];
            let open = |&(x, y): &(i32, i32)| !terrain.is_rock(square(x, y)) && square(x, y) != Grid::UNKNOWN;
            if let Some((x, y)) = corners.iter().copied().find(|corner| open(corner)) {
                found.push(
                    Diagnostic::new(Code::OpenCorner, span, "a corner of this room is not a wall")
                        .with_label(format!("({x},{y}) is open")),
                );
            }
        }
        if let OrRandom::Is(name) = &region.room_type
            && self.is_shop(&name.node)
            && !irregular
        {
            let wall = |x: i32, y: i32| y < y1 || y > y2 || x < x1 || x > x2;
            let (rows, columns) =
                (y1.saturating_sub(1)..=y2.saturating_add(1), x1.saturating_sub(1)..=x2.saturating_add(1));
            let door = rows.clone().any(|y| {
                columns.clone().any(|x| wall(x, y) && grid.get(x, y).is_some_and(|square| terrain.has_door(square)))
            });
            if !door {
                found.push(
                    Diagnostic::new(Code::ShopDoor, name.span, "this shop has no door")
                        .with_note(
                            "the game puts the shopkeeper next to the only door; without a door there is no shop",
                        )
                        .with_help("draw one `+` or `S` in the walls around the region, and describe it with DOOR"),
                );
            }
        }
        for diagnostic in found {
            self.judge.push(diagnostic);
        }
    }
}
