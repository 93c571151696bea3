//! Moves contents into their containers and subrooms into their rooms.
//!
//! The language has no blocks for either: `contained` refers to the last CONTAINER before it, and a SUBROOM gives the
//! NAME of its parent, which may be written anywhere (NetHack 3.4.3, `sp_lev.c`: `create_object`, `load_rooms`).

use std::collections::HashMap;

use splc_ir::level::*;
use splc_ir::limits::MAX_SUBROOM_NESTING;
use splc_ir::source::{Span, Spanned, Text};

/// Returns the OBJECT or CONTAINER in a statement, with or without a chance.
fn object(statement: &Statement) -> Option<&Object> {
    match &statement.kind {
        StatementKind::Object(object) => Some(object),
        StatementKind::Chance { then, .. } => object(then),
        _ => None,
    }
}

pub(super) fn object_mut(statement: &mut Statement) -> Option<&mut Object> {
    match &mut statement.kind {
        StatementKind::Object(object) => Some(object),
        StatementKind::Chance { then, .. } => object_mut(then),
        _ => None,
    }
}

/// Moves contained objects into their containers, in each part of a maze.
pub(super) fn contents_of_parts(body: &mut Vec<Statement>) {
    if !body.iter().any(|statement| object(statement).is_some_and(|object| object.contents.is_some())) {
        return;
    }
    let mut nested = Vec::with_capacity(body.len());
    let mut part = Vec::new();
    for statement in body.drain(..) {
        // Unread text may have been a part.
        if matches!(statement.kind, StatementKind::Map(_) | StatementKind::Error) {
            contents(&mut part);
            nested.append(&mut part);
        }
        part.push(statement);
    }
    contents(&mut part);
    nested.append(&mut part);
    *body = nested;
}

/// Moves contained objects into their containers, in a room or part.
///
/// The order of objects is kept, so an object with its own place between a container and its contents moves into the
/// block as well.
pub(super) fn contents(body: &mut Vec<Statement>) {
    // The last container, and the last object contained in each container.
    let mut container: Option<usize> = None;
    let mut last: HashMap<usize, usize> = HashMap::new();
    for (at, statement) in body.iter_mut().enumerate() {
        let Some(object) = object_mut(statement) else { continue };
        if object.contents.is_some() {
            if container.is_some() {
                quirk_contained_container(object);
            }
            container = Some(at);
        } else if !object.contained_span.is_nowhere()
            && let Some(container) = container
        {
            last.insert(container, at);
        }
    }
    if last.is_empty() {
        return;
    }
    let mut nested: Vec<Statement> = Vec::with_capacity(body.len());
    // The index of the open container in `nested`, and the last object contained in it.
    let mut open: Option<(usize, usize)> = None;
    for (at, statement) in body.drain(..).enumerate() {
        if let Some(&last) = last.get(&at) {
            open = Some((nested.len(), last));
        } else if let Some((container, last)) = open
            && at <= last
            && object(&statement).is_some()
        {
            // The open object is a container, so it has a block.
            match object_mut(&mut nested[container]).and_then(|object| object.contents.as_mut()) {
                Some(contents) => contents.push(statement),
                None => nested.push(statement),
            }
            continue;
        }
        nested.push(statement);
    }
    *body = nested;
}

/// Gives a CONTAINER that is itself `contained` a random place: the compiler only regards it as a container (NetHack
/// 3.4.3, lev_comp, `object_detail`).
fn quirk_contained_container(container: &mut Object) {
    let span = std::mem::replace(&mut container.contained_span, Span::NOWHERE);
    if !span.is_nowhere() {
        let random = Expr { kind: ExprKind::RandomCoordinate { humidity: Vec::new() }, span };
        container.details.insert(0, Spanned::new(ObjectDetail::Place(random), span));
    }
}

/// Moves subrooms into their parents: the first room with the NAME that they give.
pub(super) fn rooms(body: &mut Vec<Statement>) {
    let is_subroom = |statement: &Statement| matches!(&statement.kind, StatementKind::Room(room) if matches!(room.placement, RoomPlacement::Stray { .. }));
    if !body.iter().any(is_subroom) {
        return;
    }
    let around = rooms_around(body);
    let depths: Vec<Option<usize>> = (0..around.len()).map(|room| subroom_depth(&around, room)).collect();
    // All rooms in source order. Each is taken when it moves to its place.
    let mut rooms: Vec<Option<Statement>> = Vec::with_capacity(around.len());
    // The statements outside of other rooms, with indices in place of rooms.
    let mut outermost: Vec<Result<Statement, usize>> = Vec::new();
    for mut statement in body.drain(..) {
        match &mut statement.kind {
            StatementKind::Room(room) => {
                let at = rooms.len();
                room.order = u32::try_from(at).ok();
                if depths[at].is_none_or(|depth| depth == 0) {
                    outermost.push(Err(at));
                } else if let RoomPlacement::Stray { position, parent } = &room.placement {
                    room.placement = RoomPlacement::Room { position: *position, parent_span: parent.span };
                }
                rooms.push(Some(statement));
            }
            _ => outermost.push(Ok(statement)),
        }
    }
    for depth in (1..=MAX_SUBROOM_NESTING).rev() {
        for room in 0..rooms.len() {
            if depths[room] != Some(depth) {
                continue;
            }
            let around = around[room].and_then(|around| rooms[around].is_some().then_some(around));
            if let (Some(around), Some(subroom)) = (around, rooms[room].take())
                && let Some(Statement { kind: StatementKind::Room(around), .. }) = &mut rooms[around]
            {
                around.body.push(subroom);
            }
        }
    }
    body.extend(outermost.into_iter().filter_map(|item| match item {
        Ok(statement) => Some(statement),
        Err(room) => rooms[room].take(),
    }));
    let mut next = 0;
    forget_order(body, &mut next);
}

/// Returns the parent of each room of a level: the first room with the NAME that it gives.
fn rooms_around(body: &[Statement]) -> Vec<Option<usize>> {
    let rooms = body.iter().filter_map(|statement| match &statement.kind {
        StatementKind::Room(room) => Some(room),
        _ => None,
    });
    let mut named: HashMap<&Text, usize> = HashMap::new();
    for (at, room) in rooms.clone().enumerate() {
        if let Some(name) = &room.name {
            named.entry(&name.node).or_insert(at);
        }
    }
    rooms
        .map(|room| match &room.placement {
            RoomPlacement::Stray { parent, .. } => named.get(&parent.node).copied(),
            RoomPlacement::Level { .. } | RoomPlacement::Room { .. } => None,
        })
        .collect()
}

/// Removes the order of rooms that source order determines anyway.
fn forget_order(body: &mut [Statement], next: &mut u32) {
    for statement in body {
        if let StatementKind::Room(room) = &mut statement.kind {
            if room.order == Some(*next) {
                room.order = None;
            }
            *next += 1;
            forget_order(&mut room.body, next);
        }
    }
}
