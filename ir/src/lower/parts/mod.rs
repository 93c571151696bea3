//! Lowering of levels to parts: names become numbers, statements are sorted into lists by type.
//!
//! The rules are those of NetHack 3.4.3, `util/lev_comp.y`. Oddities that show in the bytes have their own functions,
//! whose names begin with `quirk_`. The level must have passed [`check`](crate::check) without errors. The remaining
//! errors concern levels of other dialects that 3.4.3 cannot express, as reported by [`lacks()`]; such a level becomes
//! empty.

mod maze;
mod rooms;
mod things;

use super::refusal;
use crate::abi::Abi;
use crate::catalog::{self, Catalog, Match};
use crate::diagnostic::Diagnostics;
use crate::lacks::{self, Node, lacks};
use crate::level::{self, *};
use crate::parts::{
    Altar, Body, Corridor, Door, Drawbridge, Engraving, Feature, Gold, Grid, IN_LIST, IN_REGION, Init, Ladder, List,
    Maze, Monster, NO_ALIGNMENT, Object, Part, PartsLevel, Protected, RANDOM, RANDOM_ENCHANTMENT, Region, Room,
    RoomDoor, RoomHeader, Rooms, Stair, Trap, Walk,
};
use crate::source::{Charset, Span, Spanned, Text};
use crate::words::*;

/// Lowers every level of `module`, in order, for the game of `catalog` on a machine of `abi`.
///
/// The machine matters in one point: see `quirk_object_without_class`.
pub fn lower(module: &Module, catalog: &Catalog, abi: &Abi, diagnostics: &mut Diagnostics) -> Vec<PartsLevel> {
    let mut levels = Vec::new();
    lower_each(module, catalog, abi, diagnostics, |_, level, _| levels.push(level));
    levels
}

/// Lowers like [`lower`], and passes each level to `take` with its source before it lowers the next one.
pub fn lower_each(
    module: &Module,
    catalog: &Catalog,
    abi: &Abi,
    diagnostics: &mut Diagnostics,
    mut take: impl FnMut(&Level, PartsLevel, &mut Diagnostics),
) {
    for item in module.all_items() {
        match item {
            // `all_items` continues with the items of the included file.
            Item::Include { .. } => {}
            Item::Function(function) => {
                let lacking = lacks(Node::Function(function), catalog);
                lacking.iter().for_each(|lack| diagnostics.push(lack.diagnostic(catalog)));
            }
            Item::Level(level) => {
                let lowered = lower_level(level, module.charset, catalog, abi, diagnostics);
                take(level, lowered, diagnostics);
            }
        }
    }
}

/// Lowers one level; see [`lower`].
pub fn lower_level(
    level: &Level,
    charset: Charset,
    catalog: &Catalog,
    abi: &Abi,
    diagnostics: &mut Diagnostics,
) -> PartsLevel {
    let init = Spanned::new(Init::default(), Span::NOWHERE);
    let mut lowering =
        Lowering { catalog, abi, diagnostics, init, message: Text::default(), hallucination: Text::default() };
    let lacking = lacks(Node::Level(level), catalog);
    lacking.iter().for_each(|lack| lowering.diagnostics.push(lack.diagnostic(catalog)));
    let flags = level.flags.iter().flatten().map(|flag| lowering.word(Group::Flag, &flag.node)).fold(0, |a, b| a | b);
    let body = match &level.kind {
        _ if !lacking.is_empty() => Body::Maze(Maze::default()),
        LevelKind::Maze { filling } => Body::Maze(lowering.maze(*filling, &level.body)),
        LevelKind::Rooms => Body::Rooms(lowering.rooms(&level.body)),
        LevelKind::Script => {
            lowering.refuse(level.name.span);
            Body::Maze(Maze::default())
        }
    };
    PartsLevel {
        name: level.name.node.clone(),
        charset,
        init: lowering.init,
        flags,
        message: lowering.message,
        hallucination: lowering.hallucination,
        body,
    }
}

struct Lowering<'a> {
    catalog: &'a Catalog,
    abi: &'a Abi,
    diagnostics: &'a mut Diagnostics,
    init: Spanned<Init>,
    message: Text,
    hallucination: Text,
}

/// Truncates a number to a field of one byte (C's conversion to `xchar`).
fn quirk_cut(number: i32) -> i8 {
    number as i8
}

/// Returns the number by which a thing refers to a register. The compiler checks no lower bound: register -1 becomes 0,
/// and further ones become plain places and classes.
fn quirk_register(index: i32) -> i8 {
    quirk_cut(index.wrapping_neg().wrapping_sub(1))
}

/// Returns a class symbol as it is stored.
fn symbol(character: char) -> i8 {
    quirk_cut(character as i32)
}

fn or_random<T>(value: &OrRandom<T>, number: impl FnOnce(&T) -> i32) -> i8 {
    match value {
        OrRandom::Random => -1,
        OrRandom::Is(value) => quirk_cut(number(value)),
    }
}

/// Joins messages as the compiler does: a later one follows a line end, unless all earlier ones are empty (NetHack
/// 3.4.3, lev_comp, `message`).
fn quirk_join_messages(message: &mut Text, text: &str) {
    if !message.is_empty() {
        message.push('\n');
    }
    message.push_str(text);
}

impl Lowering<'_> {
    /// Reports a node that [`lacks`] should have reported, so that nothing is dropped silently.
    fn refuse(&mut self, span: Span) {
        self.diagnostics.push(refusal(self.catalog, span));
    }

    fn word(&self, group: Group, word: &str) -> i32 {
        self.catalog.word(group, word).unwrap_or(0) as i32
    }

    fn terrain(&self, character: char) -> i8 {
        self.catalog.terrain(character).map_or(-1, quirk_cut)
    }

    fn light(&self, light: &OrRandom<Light>) -> i8 {
        or_random(light, |light| self.word(Light::GROUP, light.as_str()))
    }

    fn door_state(&self, state: &OrRandom<Spanned<DoorState>>) -> i8 {
        or_random(state, |state| self.word(DoorState::GROUP, state.node.as_str()))
    }

    fn up(&self, direction: UpDown) -> i8 {
        quirk_cut(self.word(UpDown::GROUP, direction.as_str()))
    }

    /// Returns the number of a room type; unknown types are ordinary rooms.
    fn room_type(&self, room_type: &OrRandom<Spanned<Text>>) -> i32 {
        match room_type {
            OrRandom::Random => -1,
            OrRandom::Is(name) => self.catalog.room(&name.node).or(self.catalog.room("ordinary")).unwrap_or(0),
        }
    }

    fn place(&mut self, place: &Expr) -> (i8, i8) {
        match &place.kind {
            ExprKind::Coordinate { x, y } => (quirk_cut(*x), quirk_cut(*y)),
            ExprKind::Register { of: RegisterKind::Place, index } => {
                let register = quirk_register(index.node);
                (register, register)
            }
            ExprKind::Register { of: RegisterKind::PlaceList(list), index } => {
                (IN_LIST.wrapping_sub_unsigned(*list), quirk_register(index.node))
            }
            ExprKind::Register { of: RegisterKind::Region, index } => (IN_REGION, quirk_register(index.node)),
            ExprKind::RandomCoordinate { humidity } if humidity.is_empty() => (RANDOM, RANDOM),
            ExprKind::Checked { place, .. } => self.place(place),
            _ => {
                self.refuse(place.span);
                (RANDOM, RANDOM)
            }
        }
    }

    fn region(&mut self, region: &Expr) -> [i8; 4] {
        match &region.kind {
            ExprKind::Region { corners } => corners.map(quirk_cut),
            _ => {
                self.refuse(region.span);
                [0; 4]
            }
        }
    }

    fn text(&mut self, text: &Expr) -> Text {
        match &text.kind {
            ExprKind::String(text) => text.clone(),
            _ => {
                self.refuse(text.span);
                Text::default()
            }
        }
    }

    fn number(&mut self, number: &Expr) -> i32 {
        match &number.kind {
            ExprKind::Integer(number) => *number,
            ExprKind::Random => -1,
            _ => {
                self.refuse(number.span);
                0
            }
        }
    }

    fn alignment(&self, alignment: &AlignmentSpec) -> i8 {
        match alignment {
            AlignmentSpec::Is(alignment) => quirk_cut(self.word(Alignment::GROUP, alignment.as_str())),
            AlignmentSpec::Register(index) => quirk_register(index.node),
            AlignmentSpec::Random => RANDOM,
        }
    }

    /// Lowers a statement that may precede parts and rooms. Returns false if it is not one.
    fn head(&mut self, statement: &Statement) -> bool {
        match &statement.kind {
            StatementKind::InitMap(InitMap::Mines {
                foreground,
                background,
                smoothed,
                joined,
                light,
                walled,
                filling: None,
                iced,
            }) => {
                let init = Init {
                    present: 1,
                    padding: 0,
                    foreground: self.terrain(foreground.node),
                    background: self.terrain(background.node),
                    smoothed: i8::from(*smoothed),
                    joined: i8::from(joined.node),
                    light: self.light(light),
                    walled: or_random(walled, |walled| i32::from(*walled)),
                    iced: i8::from(iced.is_some_and(|iced| iced.node)),
                };
                self.init = Spanned::new(init, statement.span);
            }
            StatementKind::Message { text, to } => {
                let text = self.text(text);
                let message = match to {
                    Audience::Everyone => &mut self.message,
                    Audience::Hallucinating => &mut self.hallucination,
                };
                quirk_join_messages(message, &text);
            }
            StatementKind::Error => self.refuse(statement.span),
            _ => return false,
        }
        true
    }

    fn registers(&mut self, of: RegisterKind, values: &[Expr], objects: &mut Vec<i8>, monsters: &mut Vec<i8>) {
        let list = match of {
            RegisterKind::Object => objects,
            RegisterKind::Monster => monsters,
            RegisterKind::Place | RegisterKind::PlaceList(_) | RegisterKind::Region => return,
        };
        for value in values {
            match &value.kind {
                ExprKind::Object(SpeciesName::Class(class)) | ExprKind::Monster(SpeciesName::Class(class)) => {
                    list.push(symbol(*class));
                }
                _ => self.refuse(value.span),
            }
        }
        quirk_reverse_registers(list);
    }
}

/// RANDOM_OBJECTS and RANDOM_MONSTERS are stored in reverse, RANDOM_PLACES in order: the compiler's grammar is
/// right-recursive, and only the list of places acts before the recursion (NetHack 3.4.3, lev_comp, `object_list`,
/// `place_list`).
fn quirk_reverse_registers(list: &mut [i8]) {
    list.reverse();
}

/// Relation of an object to containers (`containment`).
const PLACED: i8 = 0;
const CONTAINED: i8 = 1;
const CONTAINER: i8 = 2;

fn push<T>(list: &mut List<T>, span: Span, node: T) {
    list.push(Spanned::new(node, span));
}
