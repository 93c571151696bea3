//! The order of statements that the grammar of NetHack 3.4.3's compiler prescribes.
//!
//! Front ends that read text report misplaced statements themselves, with better advice, and never build a level that
//! is out of order without an error. This check is for modules from JSON, from a port, or from a program.

use super::meant;
use crate::diagnostic::{Code, Diagnostic, Diagnostics};
use crate::level::*;
use crate::source::Span;

/// The progress through a level. Statements of an earlier stage may not follow.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Stage {
    /// Before any statement.
    Start,
    /// After INIT_MAP.
    InitMap,
    /// After a MESSAGE.
    Messages,
    /// After the start of a part, or after the registers of a level of rooms.
    Registers,
    /// After things of a part, or after rooms.
    Things,
    /// After a CORRIDOR.
    Corridors,
    /// After RANDOM_CORRIDORS.
    End,
}

/// Checks the order of statements in each level of `module`, unless there are other errors: unread parts leave gaps.
/// Like the front end, it reports one statement per level.
pub(super) fn check(module: &Module, diagnostics: &mut Diagnostics) {
    if diagnostics.has_errors() {
        return;
    }
    for item in module.all_items() {
        let found = match item {
            Item::Level(level) => check_level(level),
            Item::Function(_) | Item::Include { .. } => None,
        };
        if let Some(found) = found {
            diagnostics.push(found);
        }
    }
}

fn check_level(level: &Level) -> Option<Diagnostic> {
    let rooms = match level.kind {
        LevelKind::Maze { .. } => false,
        LevelKind::Rooms => true,
        // The game lacks this kind of level; its order does not matter.
        LevelKind::Script => return None,
    };
    let mut stage = Stage::Start;
    let mut parts = 0;
    for statement in &level.body {
        if let Err(found) = step(statement, rooms, &mut stage) {
            return Some(found);
        }
        parts += usize::from(matches!(statement.kind, StatementKind::Map(_) | StatementKind::Error));
    }
    let empty = || {
        Diagnostic::new(Code::EmptyMaze, level.name.span, "this maze has no part")
            .with_help("write NOMAP, or a map: GEOMETRY, MAP, its rows, ENDMAP")
    };
    (!rooms && parts == 0).then(empty)
}

/// Checks that `statement` may follow the statements before it.
fn step(statement: &Statement, rooms: bool, stage: &mut Stage) -> Result<(), Diagnostic> {
    let span = statement.span;
    match &statement.kind {
        StatementKind::InitMap(_) => head(stage, Stage::InitMap, "INIT_MAP", span),
        StatementKind::Message { .. } => head(stage, Stage::Messages, "MESSAGE", span),
        StatementKind::Map(_) if rooms => Err(misplaced(
            span,
            "a map in a level of rooms",
            "use `MAZE:\"name\",' '` for a level of maps; LEVEL is for rooms and corridors",
        )),
        StatementKind::Map(_) => {
            *stage = Stage::Registers;
            Ok(())
        }
        StatementKind::Registers { of, .. } => registers(*of, rooms, stage, span),
        StatementKind::LevelRegion(LevelRegion { kind: LevelRegionKind::Register(_), .. }) => {
            registers(RegisterKind::Region, rooms, stage, span)
        }
        StatementKind::Room(_) if !rooms => {
            Err(misplaced(span, "a room in a level of maps", "write rooms only in a level that begins with LEVEL"))
        }
        StatementKind::Room(room) => {
            if *stage >= Stage::Corridors {
                return Err(misplaced(span, "a room after the corridors", "move all rooms before the first corridor"));
            }
            *stage = Stage::Things;
            room.body.iter().try_for_each(|inner| belongs(inner, true))
        }
        StatementKind::Corridor { .. } | StatementKind::RandomCorridors { .. } if !rooms => Err(misplaced(
            span,
            "corridors in a level of maps",
            "draw corridors in the map as `#`: only levels of rooms have them",
        )),
        StatementKind::Corridor { .. } => corridors(stage, Stage::Corridors, span),
        StatementKind::RandomCorridors { .. } => corridors(stage, Stage::End, span),
        StatementKind::Error => Ok(()),
        _ if rooms => Err(misplaced(span, "a statement outside a room", "move it into a ROOM or SUBROOM")),
        _ if *stage < Stage::Registers => Err(misplaced(
            span,
            "a statement before the first part",
            "begin a part: NOMAP, or GEOMETRY, MAP, the rows of the map, ENDMAP",
        )),
        _ => {
            *stage = Stage::Things;
            belongs(statement, false)
        }
    }
}

fn misplaced(span: Span, message: impl Into<String>, help: &str) -> Diagnostic {
    Diagnostic::new(Code::Placement, span, message.into()).with_help(help)
}

/// Checks a statement of a level's head, which must precede all later stages.
fn head(stage: &mut Stage, own: Stage, word: &str, span: Span) -> Result<(), Diagnostic> {
    let again = *stage == own && own != Stage::Messages;
    if again || *stage > own {
        let message = if again { format!("a second {word}") } else { format!("{word} is too late") };
        return Err(misplaced(
            span,
            message,
            "write the header in this order: the level name, FLAGS, INIT_MAP, MESSAGEs",
        ));
    }
    *stage = own;
    Ok(())
}

fn registers(of: RegisterKind, rooms: bool, stage: &mut Stage, span: Span) -> Result<(), Diagnostic> {
    if rooms && of.is_place() {
        return Err(misplaced(
            span,
            "RANDOM_PLACES in a level of rooms",
            "write `random` for a place in a room: a level of rooms has no place registers",
        ));
    }
    let in_place = if rooms { *stage <= Stage::Registers } else { *stage == Stage::Registers };
    if !in_place {
        return Err(if rooms {
            misplaced(
                span,
                "registers must be set before the first room",
                "move the RANDOM_ lines between MESSAGE and the first ROOM",
            )
        } else {
            misplaced(
                span,
                "registers must be set at the beginning of a part",
                "move the RANDOM_ lines to directly after NOMAP or ENDMAP",
            )
        });
    }
    *stage = Stage::Registers;
    Ok(())
}

fn corridors(stage: &mut Stage, own: Stage, span: Span) -> Result<(), Diagnostic> {
    if *stage == Stage::End || own == Stage::End && *stage == Stage::Corridors {
        let help = "use either one RANDOM_CORRIDORS or any number of CORRIDORs";
        return Err(misplaced(span, "corridors after other corridors", help));
    }
    *stage = own;
    Ok(())
}

/// Checks that a thing is valid in a room, or in a part.
fn belongs(statement: &Statement, in_room: bool) -> Result<(), Diagnostic> {
    let only_parts = match &statement.kind {
        StatementKind::Chance { then, .. } => return belongs(then, in_room),
        // A subroom is itself a room, inside another room.
        StatementKind::Room(room) if in_room => return room.body.iter().try_for_each(|inner| belongs(inner, true)),
        StatementKind::Door { .. }
        | StatementKind::Drawbridge { .. }
        | StatementKind::MazeWalk { .. }
        | StatementKind::Wallify { .. }
        | StatementKind::Region(_)
        | StatementKind::LevelRegion(_)
        | StatementKind::Ladder { .. }
        | StatementKind::NonDiggable { .. }
        | StatementKind::NonPasswall { .. } => true,
        StatementKind::RoomDoor { .. } | StatementKind::Sink { .. } | StatementKind::Pool { .. } => false,
        _ => return Ok(()),
    };
    match (only_parts, in_room) {
        (true, true) => Err(misplaced(
            statement.span,
            "this statement is not allowed in a level of rooms",
            "use it only in a level of maps (MAZE)",
        )),
        (false, false) => Err(misplaced(
            statement.span,
            "this statement is not allowed in a level of maps",
            meant::in_a_map(&statement.kind),
        )),
        _ => Ok(()),
    }
}
