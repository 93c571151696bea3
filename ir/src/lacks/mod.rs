//! Constructs that a game's levels cannot contain.
//!
//! A level may come from any language, from JSON or from a program, and may be compiled for any game. [`lacks`] walks a
//! node and lists each construct for which the target has no opcode, field or number. Lowering calls it first, so that
//! nothing is silently dropped. The check and the port use it too.
//!
//! Constructs that a *language* cannot express are reported by [`resolve`](crate::resolve). Unknown names of monsters,
//! traps or flags are reported by [`check`](crate::check).
//!
//! Sources: the opcodes, words and tables of the [`catalog`](crate::catalog); for the lists of NetHack 3.4.3
//! `include/sp_lev.h` and `util/lev_comp.y`.

use std::borrow::Cow;

use crate::catalog::{Catalog, Feature, Format};
use crate::diagnostic::{Code, Diagnostic};
use crate::level::*;
use crate::program::Opcode;
use crate::source::{Span, Spanned, Text};
use crate::visit::{SpeciesRole, Visit, walk};
use crate::words::*;

mod opcodes;
mod parts;

/// The node to examine.
#[derive(Clone, Copy, Debug)]
pub enum Node<'a> {
    /// A file.
    Module(&'a Module),
    /// A level.
    Level(&'a Level),
    /// A FUNCTION.
    Function(&'a Function),
    /// A statement, and its surroundings.
    Statement(&'a Statement, Setting),
}

/// The surroundings of a statement. They matter in games whose levels consist of lists: each list takes only certain
/// statements.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Setting {
    /// A level that is not a MAZE.
    Level,
    /// A MAZE, before its first MAP.
    Maze,
    /// After a MAP.
    Part,
    /// A ROOM or SUBROOM.
    Room,
    /// A CONTAINER.
    Container,
}

/// A construct that the target cannot contain.
#[derive(Clone, Debug, PartialEq)]
pub struct Lack {
    /// The construct.
    pub construct: Construct,
    /// Its span.
    pub span: Span,
}

/// A construct that some games have and others lack.
#[derive(Clone, Debug, PartialEq)]
pub enum Construct {
    /// A level of this kind.
    Level(LevelKind),
    /// A statement, named by its word.
    Statement(&'static str),
    /// A statement that a catalog adds, named by its word.
    OwnStatement(Text),
    /// A statement that the game has, but not in these surroundings.
    Setting(&'static str, Setting),
    /// A style of INIT_MAP.
    InitStyle(&'static str),
    /// A map character for INIT_MAP or MAZEWALK that fills the rest.
    Filling(&'static str),
    /// A MAZEWALK that says whether its maze is stocked.
    Stocking,
    /// A MAP with a fixed upper left corner.
    MapPlace,
    /// A DRAWBRIDGE without a place, or in column 0 of its map or room.
    BridgePlace,
    /// A MAP that says whether its regions become rooms.
    KeptRegions,
    /// A detail of a monster or object, by its word.
    Detail(SpeciesRole, Text),
    /// An inventory of a monster.
    Inventory,
    /// A container in a container.
    NestedContainer,
    /// A flag of a ROOM, SUBROOM or REGION.
    RoomFlag(&'static str),
    /// Statements in a REGION.
    RegionBody,
    /// A door in one of several walls.
    SeveralWalls,
    /// A ROOM inside another one, or a SUBROOM outside of any.
    RoomNesting,
    /// The NAME of a room.
    RoomName,
    /// A room with a different index in the level file than source order gives it.
    RoomOrder,
    /// More than one square where a single one is allowed.
    Selection,
    /// A selection with this keyword.
    SelectionBy(&'static str),
    /// A value of a type that is not allowed there.
    Value(Role),
    /// A value of this form.
    Form(&'static str),
    /// A register.
    Register(RegisterKind),
    /// A name next to `random`.
    NameBesideRandom,
    /// A chance that is not a percentage.
    Condition,
    /// A style of joining rooms.
    Corridors,
    /// Parameters of a FUNCTION.
    Parameters,
    /// A word of a closed set.
    Word(Group, &'static str),
    /// A kind of STAIR, PORTAL, TELEPORT_REGION or BRANCH.
    LevelRegion(&'static str),
    /// Unread source.
    Unread,
}

/// The role of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// A square.
    Place,
    /// A rectangle.
    Region,
    /// A text.
    Text,
    /// A number.
    Number,
    /// Terrain.
    Terrain,
    /// A monster.
    Monster,
    /// An object.
    Object,
    /// A class stored in a register.
    Class,
}

impl Role {
    fn describe(self) -> &'static str {
        match self {
            Role::Place => "a place that is not a fixed square, a register or random",
            Role::Region => "a region that is not four numbers",
            Role::Text => "a computed string",
            Role::Number => "a computed number here",
            Role::Terrain => "terrain here that is not a map character",
            Role::Monster => "a monster here that is not a class and a name",
            Role::Object => "an object here that is not a class and a name",
            Role::Class => "a register that does not contain a class",
        }
    }
}

impl Setting {
    fn describe(self) -> &'static str {
        match self {
            Setting::Level => "outside a room",
            Setting::Maze => "before the first part of a maze",
            Setting::Part => "in a part of a maze",
            Setting::Room => "in a room",
            Setting::Container => "in a container",
        }
    }
}

impl Construct {
    /// Returns a description of the construct, as the object of a sentence: "a REGION with statements in it".
    pub fn describe(&self) -> Cow<'static, str> {
        Cow::Borrowed(match self {
            Construct::Level(LevelKind::Maze { .. }) => "a MAZE",
            Construct::Level(LevelKind::Rooms) => "a NetHack 3.4.3 LEVEL of rooms",
            Construct::Level(LevelKind::Script) => "a level that is neither a MAZE nor only rooms",
            Construct::Statement(word) => return Cow::Owned((*word).to_owned()),
            Construct::OwnStatement(word) => return Cow::Owned(format!("the statement {word}")),
            Construct::Setting(word, setting) => return Cow::Owned(format!("{word} {}", setting.describe())),
            Construct::InitStyle(style) => return Cow::Owned(format!("INIT_MAP style {style}")),
            Construct::Filling(word) => return Cow::Owned(format!("{word} with a fill character")),
            Construct::Stocking => "MAZEWALK with a stocking flag",
            Construct::MapPlace => "a MAP at a fixed place",
            Construct::BridgePlace => "a DRAWBRIDGE at a random place, or in column 0 of its map or room",
            Construct::KeptRegions => "a MAP with a flag for its regions",
            Construct::Detail(of, word) => {
                let of = if *of == SpeciesRole::Monster { "a monster" } else { "an object" };
                return Cow::Owned(format!("the detail {word} of {of}"));
            }
            Construct::Inventory => "the inventory of a monster",
            Construct::NestedContainer => "a container in a container",
            Construct::RoomFlag(word) => return Cow::Owned(format!("the flag {word} of a room or region")),
            Construct::RegionBody => "a REGION with statements in it",
            Construct::SeveralWalls => "a door with several possible walls",
            Construct::RoomNesting => "a ROOM in another ROOM, or a SUBROOM outside its room",
            Construct::RoomName => "the NAME of a room",
            Construct::RoomOrder => "rooms in an order that differs from their nesting",
            Construct::Selection => "more than one square here",
            Construct::SelectionBy(word) => return Cow::Owned(format!("the selection {word}")),
            Construct::Value(role) => role.describe(),
            Construct::Form(form) => form,
            Construct::Register(of) => match of {
                RegisterKind::Object => "an object register",
                RegisterKind::Monster => "a monster register",
                RegisterKind::Place => "a place register",
                RegisterKind::PlaceList(_) => "a second place list",
                RegisterKind::Region => "a random region",
            },
            Construct::NameBesideRandom => "a name together with random",
            Construct::Condition => "a condition that is not a percentage",
            Construct::Corridors => "this method of joining rooms",
            Construct::Parameters => "parameters of a FUNCTION",
            Construct::Word(_, word) => return Cow::Owned(format!("the keyword {word}")),
            Construct::LevelRegion(kind) => return Cow::Owned(format!("a region for {}", kind.replace('_', " "))),
            Construct::Unread => "something that could not be parsed",
        })
    }
}

impl Lack {
    /// Returns the error that reports it for `target`.
    pub fn diagnostic(&self, target: &Catalog) -> Diagnostic {
        let message = match self.construct {
            Construct::Unread => "this could not be parsed and cannot be compiled".to_owned(),
            _ => format!("levels of {} cannot contain {}", target.title, self.construct.describe()),
        };
        Diagnostic::new(Code::Target, self.span, message)
    }
}

/// Returns the constructs in `node` that a level of `target` cannot contain, in source order.
pub fn lacks(node: Node<'_>, target: &Catalog) -> Vec<Lack> {
    let mut found = Vec::new();
    match target.format {
        Format::Opcodes | Format::Lua => opcodes::look(node, target, &mut found),
        Format::Parts => parts::look(node, target, &mut found),
    }
    found
}

/// Returns the des-file keyword of a statement.
pub fn word(kind: &StatementKind) -> &'static str {
    match kind {
        StatementKind::Message { to: Audience::Hallucinating, .. } => "HALLUMSG",
        StatementKind::Message { .. } => "MESSAGE",
        StatementKind::InitMap(_) => "INIT_MAP",
        StatementKind::Map(_) => "MAP",
        StatementKind::Monster(_) => "MONSTER",
        StatementKind::Object(object) if object.contents.is_some() => "CONTAINER",
        StatementKind::Object(_) => "OBJECT",
        StatementKind::Trap { .. } => "TRAP",
        StatementKind::Room(room) if matches!(room.placement, RoomPlacement::Level { .. }) => "ROOM",
        StatementKind::Room(_) => "SUBROOM",
        StatementKind::RoomDoor { .. } => "ROOMDOOR",
        StatementKind::Door { .. } => "DOOR",
        StatementKind::Region(_) => "REGION",
        StatementKind::Stair { .. } => "STAIR",
        StatementKind::Ladder { .. } => "LADDER",
        StatementKind::LevelRegion(region) => match region.kind {
            LevelRegionKind::Stair(_) => "STAIR with regions",
            LevelRegionKind::Portal(_) => "PORTAL",
            LevelRegionKind::Teleport(_) => "TELEPORT_REGION",
            LevelRegionKind::Branch => "BRANCH",
            LevelRegionKind::Register(_) => "RANDOM_REGION",
        },
        StatementKind::Altar { .. } => "ALTAR",
        StatementKind::Grave { .. } => "GRAVE",
        StatementKind::Fountain { .. } => "FOUNTAIN",
        StatementKind::Sink { .. } => "SINK",
        StatementKind::Pool { .. } => "POOL",
        StatementKind::Place { .. } => "a statement of another game",
        StatementKind::Gold { .. } => "GOLD",
        StatementKind::Engraving { .. } => "ENGRAVING",
        StatementKind::Drawbridge { .. } => "DRAWBRIDGE",
        StatementKind::MazeWalk { .. } => "MAZEWALK",
        StatementKind::Wallify { .. } => "WALLIFY",
        StatementKind::NonDiggable { .. } => "NON_DIGGABLE",
        StatementKind::NonPasswall { .. } => "NON_PASSWALL",
        StatementKind::Corridor { .. } => "CORRIDOR",
        StatementKind::RandomCorridors { .. } => "RANDOM_CORRIDORS",
        StatementKind::Terrain { .. } => "TERRAIN",
        StatementKind::ReplaceTerrain { .. } => "REPLACE_TERRAIN",
        StatementKind::Spill { .. } => "SPILL",
        StatementKind::WallWalk { .. } => "WALLWALK",
        StatementKind::Mineralize { .. } => "MINERALIZE",
        StatementKind::MonsterGeneration { .. } => "MON_GENERATION",
        StatementKind::Sounds { .. } => "SOUNDS",
        StatementKind::VaultGeneration { .. } => "VAULTGEN",
        StatementKind::VaultDepth { .. } => "MINDEPTH",
        StatementKind::Topologize { .. } => "TOPOLOGIZE",
        StatementKind::Define { .. } => "a variable",
        StatementKind::Shuffle { .. } => "SHUFFLE",
        StatementKind::Function(_) => "FUNCTION",
        StatementKind::Call { .. } => "a call of a FUNCTION",
        StatementKind::If { .. } => "IF",
        StatementKind::Chance { .. } => "a chance",
        StatementKind::Switch { .. } => "SWITCH",
        StatementKind::For { .. } => "FOR",
        StatementKind::Loop { .. } => "LOOP",
        StatementKind::Break => "BREAK",
        StatementKind::Exit => "EXIT",
        StatementKind::Registers { of: RegisterKind::Object, .. } => "RANDOM_OBJECTS",
        StatementKind::Registers { of: RegisterKind::Monster, .. } => "RANDOM_MONSTERS",
        StatementKind::Registers { .. } => "RANDOM_PLACES",
        StatementKind::Error => "something that could not be parsed",
    }
}

/// Returns the catalog name of a kind of level region.
pub(crate) fn level_region(kind: &LevelRegionKind) -> &'static str {
    match kind {
        LevelRegionKind::Stair(UpDown::Up) => "up_stairs",
        LevelRegionKind::Stair(UpDown::Down) => "down_stairs",
        LevelRegionKind::Portal(_) => "portal",
        LevelRegionKind::Teleport(None) => "teleport",
        LevelRegionKind::Teleport(Some(UpDown::Up)) => "up_teleport",
        LevelRegionKind::Teleport(Some(UpDown::Down)) => "down_teleport",
        LevelRegionKind::Branch => "branch",
        LevelRegionKind::Register(_) => "random",
    }
}

/// Returns the catalog name of a style of INIT_MAP.
pub(crate) fn init_style(init: &InitMap) -> &'static str {
    match init {
        InitMap::Solid { .. } => "solidfill",
        InitMap::MazeGrid { .. } => "mazegrid",
        InitMap::Mines { .. } => "mines",
        InitMap::Sheol => "sheol",
        InitMap::Rogue => "rogue",
    }
}

/// Returns the catalog name of a monster's detail.
pub fn monster_part(detail: &MonsterDetail) -> &'static str {
    match detail {
        MonsterDetail::Name(_) => "name",
        MonsterDetail::Attitude(_) => "peaceful",
        MonsterDetail::Alertness(_) => "asleep",
        MonsterDetail::Alignment(_) => "align",
        MonsterDetail::Appearance(..) => "appear",
        MonsterDetail::Female => "female",
        MonsterDetail::Invisible => "invis",
        MonsterDetail::Cancelled => "cancelled",
        MonsterDetail::Revived => "revived",
        MonsterDetail::Avenge => "avenge",
        MonsterDetail::Fleeing(_) => "fleeing",
        MonsterDetail::Blinded(_) => "blinded",
        MonsterDetail::Paralyzed(_) => "paralyzed",
        MonsterDetail::Stunned => "stunned",
        MonsterDetail::Confused => "confused",
        MonsterDetail::SeenTraps(_) => "seentraps",
        MonsterDetail::Own(_) => "of another game",
    }
}

/// Returns the catalog name of an object's detail. States that no object has count as broken, as in lev_comp.
pub fn object_part(detail: &ObjectDetail) -> &'static str {
    match detail {
        ObjectDetail::Place(_) => "coord",
        ObjectDetail::Curse(_) => "curse",
        ObjectDetail::MonsterType(_) => "corpsenm",
        ObjectDetail::Enchantment(_) => "spe",
        ObjectDetail::Name(_) => "name",
        ObjectDetail::Quantity(_) => "quan",
        ObjectDetail::Buried => "buried",
        ObjectDetail::Light(_) => "lit",
        ObjectDetail::Eroded(_) | ObjectDetail::Erodeproof => "eroded",
        ObjectDetail::State(DoorState::Locked) => "locked",
        ObjectDetail::State(_) => "broken",
        ObjectDetail::Trapped(_) => "trapped",
        ObjectDetail::Recharged(_) => "recharged",
        ObjectDetail::Invisible => "invis",
        ObjectDetail::Greased => "greased",
        ObjectDetail::Own(_) => "of another game",
    }
}

/// Returns the word of a monster's detail in des-files.
pub fn monster_word(detail: &MonsterDetail) -> Text {
    match detail {
        MonsterDetail::Own(own) => own.word.clone(),
        MonsterDetail::Alignment(_) => Text::const_new("alignment"),
        MonsterDetail::Appearance(Appearance::Object, _) => Text::const_new("m_object"),
        MonsterDetail::Appearance(Appearance::Monster, _) => Text::const_new("m_monster"),
        MonsterDetail::Appearance(Appearance::Feature, _) => Text::const_new("m_feature"),
        MonsterDetail::Invisible => Text::const_new("invisible"),
        MonsterDetail::SeenTraps(_) => Text::const_new("seen_traps"),
        detail => Text::const_new(monster_part(detail)),
    }
}

/// Returns the word of an object's detail in des-files.
pub fn object_word(detail: &ObjectDetail) -> Text {
    match detail {
        ObjectDetail::Own(own) => own.word.clone(),
        ObjectDetail::Place(_) => Text::const_new("place"),
        ObjectDetail::MonsterType(_) => Text::const_new("montype"),
        ObjectDetail::Enchantment(_) => Text::const_new("enchantment"),
        ObjectDetail::Quantity(_) => Text::const_new("quantity"),
        ObjectDetail::Invisible => Text::const_new("invisible"),
        ObjectDetail::Erodeproof => Text::const_new("erodeproof"),
        detail => Text::const_new(object_part(detail)),
    }
}
