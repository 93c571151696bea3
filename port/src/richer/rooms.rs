//! Rewrites lists of rooms as blocks, and flags of rooms and regions as those of scripts.

use std::collections::HashMap;

use splc_ir::catalog::{Catalog, Feature, Format};
use splc_ir::level::*;
use splc_ir::order::Order;
use splc_ir::source::{Span, Spanned, Text};
use splc_ir::visit::{VisitMut, walk_mut};
use splc_ir::words::*;

use crate::flags::{Meaning, flags_for, meaning};
use crate::tree::levels;
use crate::work::Work;

/// Sorts rooms by their position in the list, drops their names and numbers, and drops rooms the game never creates.
pub(crate) fn room_lists(work: &mut Work<'_>, module: &mut Module) {
    for level in levels(module) {
        if level.kind != LevelKind::Rooms {
            continue;
        }
        level.kind = LevelKind::Script;
        work.same(level.span, "a level of rooms becomes a LEVEL with blocks");
        number_rooms(&mut level.body);
        block(work, &mut level.body);
    }
}

/// Sets the position of every room in the list.
fn number_rooms(body: &mut [Statement]) {
    struct Number(std::vec::IntoIter<u32>);

    impl VisitMut for Number {
        fn room(&mut self, room: &mut Room, span: Span) {
            room.order = self.0.next();
            walk_mut::room(self, room, span);
        }
    }

    let listed = listed_rooms(body);
    let places: HashMap<*const Room, u32> =
        listed.iter().enumerate().map(|(place, listed)| (std::ptr::from_ref(listed.room), place as u32)).collect();
    let mut reading = Vec::new();
    let mut open: Vec<std::slice::Iter<'_, Statement>> = vec![body.iter()];
    while let Some(statements) = open.last_mut() {
        match statements.next() {
            Some(Statement { kind: StatementKind::Room(room), .. }) => {
                reading.push(places.get(&std::ptr::from_ref(room)).copied().unwrap_or(0));
                open.push(room.body.iter());
            }
            Some(_) => {}
            None => {
                open.pop();
            }
        }
    }
    let mut number = Number(reading.into_iter());
    for statement in body {
        number.statement(statement);
    }
}

fn block(work: &mut Work<'_>, body: &mut Vec<Statement>) {
    let order = |statement: &Statement| match &statement.kind {
        StatementKind::Room(room) => room.order,
        _ => None,
    };
    // Permute the rooms only; other statements stay in place.
    let places: Vec<usize> = (0..body.len()).filter(|&at| order(&body[at]).is_some()).collect();
    let mut rooms: Vec<Statement> = places.iter().map(|&at| body[at].clone()).collect();
    rooms.order_by_key(order);
    for (&at, room) in places.iter().zip(rooms) {
        if body[at].span != room.span {
            work.same(room.span, "the room is moved to its place in the list of rooms");
        }
        body[at] = room;
    }
    body.retain_mut(|statement| {
        let span = statement.span;
        let StatementKind::Room(room) = &mut statement.kind else { return true };
        if matches!(room.placement, RoomPlacement::Stray { .. }) {
            work.lost(span, "a SUBROOM without a room is never created, not even by the source game");
            return false;
        }
        room.order = None;
        if room.name.take().is_some() {
            work.same(span, "its NAME is removed: subrooms are in its block");
        }
        if let RoomPlacement::Room { parent_span, .. } = &mut room.placement {
            *parent_span = Span::NOWHERE;
            work.same(span, "the SUBROOM is moved to the block of its room");
        }
        // NetHack 5 still draws it in a script.
        let drawn = work.to.format == Format::Lua;
        if let (Some(_), true, false) = (&room.chance, is_ordinary(&room.room_type, work.from), drawn) {
            room.chance = None;
            work.same(span, "the chance of an ordinary room is removed: it has no effect");
        }
        cut_size(work, room, span);
        block(work, &mut room.body);
        room_flags(work, room, span);
        true
    });
}

/// Truncates sizes to signed bytes, as level files of 3.4.3 do. A negative size is random.
fn cut_size(work: &mut Work<'_>, room: &mut Room, span: Span) {
    let OrRandom::Is((width, height)) = &mut room.size else { return };
    let before = (width.node, height.node);
    (width.node, height.node) = (i32::from(width.node as i8), i32::from(height.node as i8));
    let after = (width.node, height.node);
    if after != before {
        work.same(span, "its size is truncated to a byte, as in the level file");
    }
    if after.0 < 0 || after.1 < 0 {
        room.size = OrRandom::Random;
        work.same(span, "a negative size is random");
    }
}

fn is_ordinary(room_type: &OrRandom<Spanned<Text>>, catalog: &Catalog) -> bool {
    matches!(room_type, OrRandom::Is(name) if catalog.room(&name.node).unwrap_or(0) == 0)
}

/// Rewrites the filling of a ROOM for the target. Some compilers use the vertical alignment as its flags.
fn room_flags(work: &mut Work<'_>, room: &mut Room, span: Span) {
    let alignment = match &room.placement {
        RoomPlacement::Level { alignment, .. } if work.to.has(Feature::RoomFlagsFromAlignment) => alignment,
        _ => {
            let Some(flags) = &room.flags else { return };
            let before: Vec<RoomFlag> = flags.iter().map(|flag| flag.node).collect();
            let filled = last_filling(room.flags.as_deref()) != Some(Filling::Unfilled);
            let wanted = Meaning { filled, irregular: false, joined: true };
            if meaning(Some(&before), false, work.to) != wanted {
                let flags = flags_for(wanted, false, work.to).flatten();
                room.flags =
                    flags.map(|flags| flags.into_iter().map(|flag| Spanned::new(flag, Span::NOWHERE)).collect());
                work.same(span, "its flags are written in the syntax of the target");
            }
            return;
        }
    };
    let ordinary = is_ordinary(&room.room_type, work.from);
    let unfilled = last_filling(room.flags.as_deref()) == Some(Filling::Unfilled);
    if room.flags.take().is_some() {
        if unfilled && !ordinary {
            work.differs(span, format!("{} reads no flags of a ROOM: it is filled", work.to.title));
        } else {
            work.same(span, "its flags are removed: they are the default");
        }
    }
    const UNJOINED: i64 = 4;
    if let OrRandom::Is((_, vertical)) = alignment
        && work.to.word(Group::Vertical, vertical.as_str()).unwrap_or(0) & UNJOINED != 0
    {
        let what = format!(
            "{} reads `{}` as the flag unjoined: RANDOM_CORRIDORS skip the room",
            work.to.title,
            vertical.as_str()
        );
        work.differs(span, what);
    }
}

fn last_filling(flags: Option<&[Spanned<RoomFlag>]>) -> Option<Filling> {
    flags.into_iter().flatten().rev().find_map(|flag| match flag.node {
        RoomFlag::Filling(filling) => Some(filling),
        RoomFlag::Irregular(_) | RoomFlag::Joined(_) => None,
    })
}

/// Rewrites the flags of REGIONs. In 3.4.3 a REGION is filled by default. In a script, any flag replaces all defaults.
pub(crate) fn region_flags(work: &mut Work<'_>, module: &mut Module) {
    for level in levels(module) {
        for statement in &mut level.body {
            let span = statement.span;
            let StatementKind::Region(region) = &mut statement.kind else { continue };
            let irregular =
                region.flags.iter().flatten().any(|flag| flag.node == RoomFlag::Irregular(Irregular::Irregular));
            let filling = last_filling(region.flags.as_deref()).unwrap_or(Filling::Filled);
            let mut flags = Vec::new();
            if irregular || filling == Filling::Unfilled {
                flags.push(RoomFlag::Filling(filling));
            }
            if irregular {
                flags.push(RoomFlag::Irregular(Irregular::Irregular));
            }
            let before: Vec<RoomFlag> = region.flags.iter().flatten().map(|flag| flag.node).collect();
            if before != flags {
                work.same(span, "its flags are written in the syntax of scripts");
                let spanned = flags.into_iter().map(|flag| Spanned::new(flag, Span::NOWHERE)).collect::<Vec<_>>();
                region.flags = Some(spanned).filter(|flags| !flags.is_empty());
            }
        }
    }
}
