//! Levels as people write them: statements and expressions, names and structure.
//!
//! # The ideas
//!
//! A *module* is what one des-file holds: functions and levels. A *level* is a name, flags and a
//! list of statements. A *statement* makes something of the level (a map, a room, a monster) or
//! decides what is made (IF, SWITCH, LOOP, FOR, function calls). An *expression* gives a value when
//! its statement runs: a number, a text, a place, a region, a piece of terrain, a monster, an object,
//! a selection of squares.
//!
//! Nothing is folded and nothing is numbered here. `(';',"giant eel")` stays those two names, `lit`
//! stays that word, `1+2` stays a sum, a FUNCTION is not yet copied to where it is called. So a level
//! can be printed back as source, run, drawn, or ported to a game with other numbers. What gets
//! numbers is [`Program`](crate::program::Program), made by [`lower`](crate::lower).
//!
//! Values evaluate in the order in which they are written, and a statement acts after all of its
//! values are there. Coordinates count from the last MAP's upper left corner, or from the room that
//! a block belongs to.
//!
//! Every node has a [`Span`]. Types ([`Type`]) are resolved by the front end: a [`Variable`] says what
//! it holds where it is used.

use serde::Serialize;

use crate::source::{Charset, Span, Spanned, Text};
pub use crate::value::{SpeciesName, ValueType};
use crate::words::*;

/// Version of the JSON form of these types; raised by every change that a reader would notice.
pub const SCHEMA_VERSION: u32 = 1;

/// What one source file holds.
#[derive(Clone, Debug, PartialEq, Default, Serialize)]
pub struct Module {
    /// How its texts turn into bytes.
    pub charset: Charset,
    /// Functions, included files and levels, in order.
    pub items: Vec<Item>,
}

impl Module {
    /// The levels, in order.
    pub fn levels(&self) -> impl Iterator<Item = &Level> {
        self.items.iter().filter_map(|item| match item {
            Item::Level(level) => Some(level),
            _ => None,
        })
    }
}

/// A top-level part of a module.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "snake_case", tag = "item")]
pub enum Item {
    /// A FUNCTION before the first level.
    Function(Function),
    /// An INCLUDE; the items of the included file follow it.
    Include {
        /// The file's name as written.
        path: Spanned<Text>,
    },
    /// A LEVEL or MAZE.
    Level(Level),
}

/// One level.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Level {
    /// Name as written: `%i` or `%02i` in it stands for the level's number in its file.
    pub name: Spanned<Text>,
    /// How the level is declared.
    pub kind: LevelKind,
    /// The words of FLAGS, or `None` without that line.
    pub flags: Option<Vec<Spanned<Text>>>,
    /// What is made, in order.
    pub body: Vec<Statement>,
    /// The whole level.
    pub span: Span,
}

/// How a level is declared.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum LevelKind {
    /// `LEVEL: "name"` of the script dialects.
    Script,
    /// `LEVEL: "name"` of 3.4.3: rooms and corridors.
    Rooms,
    /// `MAZE: "name", filling`: maps on a background of maze (`random`) or of one terrain.
    Maze {
        /// The map character that fills the level, or `None` for `random`.
        filling: Option<Spanned<char>>,
    },
}

/// A FUNCTION.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Function {
    /// Its name.
    pub name: Spanned<Text>,
    /// Its parameters.
    pub parameters: Vec<Parameter>,
    /// What it does.
    pub body: Vec<Statement>,
    /// The whole definition.
    pub span: Span,
}

/// A parameter of a FUNCTION.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Parameter {
    /// The variable, with its `$`.
    pub name: Spanned<Text>,
    /// Its type: integer or string.
    pub ty: Type,
}

/// The type of a variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
pub struct Type {
    /// What it holds.
    pub value: ValueType,
    /// Whether it holds many of them.
    pub array: bool,
}

impl Type {
    /// A single value.
    pub const fn of(value: ValueType) -> Self {
        Type { value, array: false }
    }

    /// An array.
    pub const fn array(value: ValueType) -> Self {
        Type { value, array: true }
    }

    /// The type with its article, for messages.
    pub fn describe(self) -> String {
        let one = self.value.describe();
        if self.array { format!("{one} array") } else { one.to_owned() }
    }
}

/// A word, or `random`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum OrRandom<T> {
    /// `random`.
    Random,
    /// The word.
    Is(T),
}

/// Something that a level does.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Statement {
    /// What.
    pub kind: StatementKind,
    /// Where it stands, block included.
    pub span: Span,
}

/// The kinds of statement; `des-file` words name them.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "snake_case", tag = "statement")]
pub enum StatementKind {
    /// MESSAGE: shown on arrival.
    Message {
        /// The text.
        text: Expr,
    },
    /// INIT_MAP: fills the level before anything else.
    InitMap(InitMap),
    /// NOMAP, or GEOMETRY with MAP: starts a part.
    Map(Map),
    /// MONSTER.
    Monster(Monster),
    /// OBJECT or CONTAINER.
    Object(Object),
    /// TRAP.
    Trap {
        /// Its name, or random.
        trap: OrRandom<Spanned<Text>>,
        /// Where.
        place: Expr,
    },
    /// ROOM or SUBROOM.
    Room(Room),
    /// ROOMDOOR: a door of a room (DOOR in 3.4.3 room levels).
    RoomDoor {
        /// Secret or not.
        secret: OrRandom<bool>,
        /// Its state.
        state: OrRandom<Spanned<DoorState>>,
        /// Walls that it may be in.
        walls: OrRandom<Vec<Spanned<Direction>>>,
        /// Where on the wall.
        position: OrRandom<Spanned<i32>>,
        /// Place of `walls`.
        walls_span: Span,
    },
    /// DOOR: doors on squares of the map.
    Door {
        /// Their state.
        state: OrRandom<Spanned<DoorState>>,
        /// Where.
        at: Selection,
    },
    /// REGION.
    Region(Region),
    /// STAIR on a square.
    Stair {
        /// Where.
        place: Expr,
        /// Up or down.
        direction: UpDown,
    },
    /// LADDER.
    Ladder {
        /// Where.
        place: Expr,
        /// Up or down.
        direction: UpDown,
    },
    /// STAIR, PORTAL, TELEPORT_REGION or BRANCH with regions.
    LevelRegion(LevelRegion),
    /// ALTAR.
    Altar {
        /// Where.
        place: Expr,
        /// Whose.
        alignment: AlignmentSpec,
        /// Of what type.
        altar: OrRandom<AltarType>,
    },
    /// GRAVE.
    Grave {
        /// Where.
        place: Expr,
        /// What stands on it.
        epitaph: Epitaph,
    },
    /// FOUNTAIN.
    Fountain {
        /// Where.
        at: Selection,
    },
    /// SINK.
    Sink {
        /// Where.
        at: Selection,
    },
    /// POOL.
    Pool {
        /// Where.
        at: Selection,
    },
    /// GOLD.
    Gold {
        /// How much.
        amount: Expr,
        /// Where.
        place: Expr,
    },
    /// ENGRAVING.
    Engraving {
        /// Where.
        place: Expr,
        /// How.
        engraving: OrRandom<EngravingType>,
        /// What.
        text: Expr,
    },
    /// DRAWBRIDGE.
    Drawbridge {
        /// Where its span is.
        place: Expr,
        /// Where its portcullis is from there.
        direction: Spanned<Direction>,
        /// Its state.
        state: OrRandom<Spanned<DoorState>>,
    },
    /// MAZEWALK.
    MazeWalk {
        /// Where it starts.
        place: Expr,
        /// Where it goes first.
        direction: Direction,
        /// Whether monsters and objects are put in, if said.
        stocked: Option<bool>,
        /// The map character of its corridors, if said.
        filling: Option<Spanned<char>>,
    },
    /// WALLIFY.
    Wallify {
        /// Where; all of the map if not said.
        at: Option<WallifyArea>,
    },
    /// NON_DIGGABLE.
    NonDiggable {
        /// Where.
        region: Expr,
    },
    /// NON_PASSWALL.
    NonPasswall {
        /// Where.
        region: Expr,
    },
    /// CORRIDOR between two doors.
    Corridor {
        /// From.
        from: CorridorEnd,
        /// To.
        to: CorridorTarget,
    },
    /// RANDOM_CORRIDORS.
    RandomCorridors {
        /// How the rooms are joined.
        style: CorridorStyle,
    },
    /// TERRAIN.
    Terrain {
        /// Where.
        at: Selection,
        /// What it becomes.
        terrain: Expr,
    },
    /// REPLACE_TERRAIN.
    ReplaceTerrain {
        /// Where.
        region: Expr,
        /// What is replaced.
        from: Expr,
        /// By what.
        to: Expr,
        /// How likely each square, in percent.
        chance: Spanned<i32>,
    },
    /// SPILL: terrain that flows from a wall.
    Spill {
        /// Where from.
        place: Expr,
        /// What.
        terrain: Expr,
        /// Where to.
        direction: Direction,
        /// How many squares.
        amount: Expr,
    },
    /// WALLWALK: terrain along the walls.
    WallWalk {
        /// Where it starts.
        place: Expr,
        /// On what terrain it walks, if said.
        from: Option<Expr>,
        /// What it leaves.
        to: Expr,
        /// How likely each square, in percent, if said.
        chance: Option<Spanned<i32>>,
    },
    /// MINERALIZE.
    Mineralize {
        /// Kelp in pools, kelp in moats, gold, gems: their chances, if said.
        chances: Option<Box<[Expr; 4]>>,
    },
    /// MON_GENERATION: which monsters come later.
    MonsterGeneration {
        /// How often the list is used, in percent.
        chance: Spanned<i32>,
        /// The list.
        entries: Vec<GenerationEntry>,
    },
    /// SOUNDS.
    Sounds {
        /// One in how many turns.
        frequency: Expr,
        /// The sounds.
        sounds: Vec<Sound>,
    },
    /// VAULTGEN: how often a random vault is chosen.
    VaultGeneration {
        /// Its weight.
        frequency: Spanned<i32>,
    },
    /// TOPOLOGIZE (SporkHack).
    Topologize {
        /// Where.
        place: Expr,
    },

    /// `$variable = value`.
    Define {
        /// The variable, with its `$`.
        variable: Spanned<Text>,
        /// What it is set to.
        value: Definition,
    },
    /// SHUFFLE.
    Shuffle {
        /// The array.
        variable: Spanned<Text>,
    },
    /// FUNCTION inside a level.
    Function(Function),
    /// A call of a FUNCTION.
    Call {
        /// Its name.
        function: Spanned<Text>,
        /// Its arguments.
        arguments: Vec<Expr>,
    },
    /// A core function called for what it does.
    CoreCall(CoreCall),
    /// IF.
    If {
        /// When.
        condition: Condition,
        /// What then.
        then: Vec<Statement>,
        /// What else.
        otherwise: Option<Vec<Statement>>,
    },
    /// `[condition]: statement`; `STATEMENT[condition]: ...` in SporkHack.
    Chance {
        /// When.
        condition: Condition,
        /// What then.
        then: Box<Statement>,
    },
    /// SWITCH.
    Switch {
        /// What is compared. A constant N means a draw below N (the script compilers' rule).
        value: Expr,
        /// The cases, in order; a case without BREAK falls through.
        cases: Vec<Case>,
    },
    /// FOR.
    For {
        /// The variable.
        variable: Spanned<Text>,
        /// Its first value.
        from: Expr,
        /// Its last value; counting goes down if it is below the first.
        to: Expr,
        /// What is repeated.
        body: Vec<Statement>,
    },
    /// LOOP.
    Loop {
        /// How often.
        count: Expr,
        /// What is repeated.
        body: Vec<Statement>,
    },
    /// BREAK.
    Break,
    /// EXIT.
    Exit,

    /// RANDOM_OBJECTS, RANDOM_PLACES or RANDOM_MONSTERS (3.4.3): an array that is shuffled when
    /// its part begins, and used as `object[n]`, `place[n]`, `monster[n]`.
    Registers {
        /// Of what.
        of: RegisterKind,
        /// The values.
        values: Vec<Expr>,
    },
    /// What could not be understood, where a level's structure hangs on it (a part, a room, INIT_MAP);
    /// a diagnostic says why.
    Error,
}

/// What a 3.4.3 register holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum RegisterKind {
    /// RANDOM_OBJECTS: object classes.
    Object,
    /// RANDOM_MONSTERS: monster classes.
    Monster,
    /// RANDOM_PLACES: coordinates.
    Place,
}

/// Where WALLIFY works.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum WallifyArea {
    /// On a selection.
    Selection(Box<Selection>),
    /// In a region (SporkHack).
    Region(Expr),
}

/// INIT_MAP.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "snake_case", tag = "style")]
pub enum InitMap {
    /// All of one terrain.
    Solid {
        /// Its map character.
        filling: Spanned<char>,
        /// Its light, if said.
        light: Option<OrRandom<Light>>,
    },
    /// The grid of a maze.
    MazeGrid {
        /// The map character of its walls.
        filling: Spanned<char>,
    },
    /// Caves.
    Mines {
        /// The map character of the ground.
        foreground: Spanned<char>,
        /// The map character around it.
        background: Spanned<char>,
        /// Whether it is smoothed.
        smoothed: bool,
        /// Whether its parts are joined.
        joined: Spanned<bool>,
        /// Its light.
        light: OrRandom<Light>,
        /// Whether walls are put around it.
        walled: OrRandom<bool>,
        /// The map character that fills the level first, if said.
        filling: Option<Spanned<char>>,
    },
    /// The land of the dead (UnNetHack).
    Sheol,
    /// The grid of a Rogue level.
    Rogue,
}

/// NOMAP, or GEOMETRY with MAP.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "snake_case", tag = "map")]
pub enum Map {
    /// NOMAP: the whole level.
    None,
    /// A drawn part.
    Drawn {
        /// Where it goes.
        position: MapPosition,
        /// Whether regions of the map become rooms, if said.
        keep_regions: Option<bool>,
        /// The rows.
        rows: MapRows,
    },
}

/// Where a map goes.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum MapPosition {
    /// By alignment.
    Aligned {
        /// Horizontally.
        horizontal: Horizontal,
        /// Vertically.
        vertical: Vertical,
    },
    /// With its upper left corner on a square.
    At(Expr),
}

/// The rows of a MAP.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct MapRows {
    /// Rows as written, without line ends; digits in them only number the lines.
    pub rows: Vec<Text>,
    /// The place of each row.
    #[serde(skip)]
    pub row_spans: Vec<Span>,
    /// From MAP to ENDMAP.
    pub span: Span,
}

/// MONSTER.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Monster {
    /// Which.
    pub monster: Expr,
    /// Where.
    pub place: Expr,
    /// What else is known of it, in order.
    pub details: Vec<Spanned<MonsterDetail>>,
    /// What it carries: statements, if there is a block.
    pub inventory: Option<Vec<Statement>>,
}

/// A detail of a monster.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum MonsterDetail {
    /// Its name.
    Name(Expr),
    /// peaceful, hostile.
    Attitude(OrRandom<Attitude>),
    /// asleep, awake.
    Alertness(OrRandom<Alertness>),
    /// Its alignment.
    Alignment(AlignmentSpec),
    /// What it looks like: `m_object "boulder"`.
    Appearance(Appearance, Expr),
    /// female.
    Female,
    /// invisible.
    Invisible,
    /// cancelled.
    Cancelled,
    /// revived.
    Revived,
    /// avenge.
    Avenge,
    /// fleeing: turns.
    Fleeing(Expr),
    /// blinded: turns.
    Blinded(Expr),
    /// paralyzed: turns.
    Paralyzed(Expr),
    /// stunned.
    Stunned,
    /// confused.
    Confused,
    /// seen_traps.
    SeenTraps(SeenTraps),
}

/// Which traps a monster knows.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum SeenTraps {
    /// All.
    All,
    /// These; `all` after the last `|` if set.
    These {
        /// Their names.
        traps: Vec<Spanned<Text>>,
        /// Whether the list ends in `all`.
        and_all: bool,
    },
}

/// OBJECT or CONTAINER.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Object {
    /// Which.
    pub object: Expr,
    /// What else is known of it, in order; its place is one of these.
    pub details: Vec<Spanned<ObjectDetail>>,
    /// What it contains: statements, for a CONTAINER.
    pub contents: Option<Vec<Statement>>,
}

/// A detail of an object.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum ObjectDetail {
    /// Where it lies.
    Place(Expr),
    /// `contained` (3.4.3): it is in the CONTAINER before it.
    Contained,
    /// blessed, uncursed, cursed.
    Curse(OrRandom<Curse>),
    /// montype: what monster a corpse, egg, statue or figurine is of.
    MonsterType(Expr),
    /// Enchantment or charges.
    Enchantment(Expr),
    /// name: what it is called.
    Name(Expr),
    /// quantity.
    Quantity(Expr),
    /// buried.
    Buried,
    /// lit, unlit.
    Light(Light),
    /// eroded: how much.
    Eroded(Expr),
    /// erodeproof.
    Erodeproof,
    /// locked, broken.
    State(DoorState),
    /// trapped, not_trapped.
    Trapped(Trapped),
    /// recharged: how often.
    Recharged(Expr),
    /// invisible.
    Invisible,
    /// greased.
    Greased,
}

/// ROOM or SUBROOM.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Room {
    /// Its type, or random.
    pub room_type: OrRandom<Spanned<Text>>,
    /// How likely it has that type, in percent, if said.
    pub chance: Option<Spanned<i32>>,
    /// Its light.
    pub light: OrRandom<Light>,
    /// Where it is.
    pub placement: RoomPlacement,
    /// Width and height, or random.
    pub size: OrRandom<(Spanned<i32>, Spanned<i32>)>,
    /// filled, irregular, joined and their opposites, as written.
    pub flags: Option<Vec<Spanned<RoomFlag>>>,
    /// What is in it.
    pub body: Vec<Statement>,
    /// Its NAME (3.4.3): what SUBROOM refers to.
    pub name: Option<Spanned<Text>>,
}

/// Where a room is.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "snake_case", tag = "in")]
pub enum RoomPlacement {
    /// ROOM: in the level.
    Level {
        /// Place on the grid of 5 by 5 or (3.4.3) of 3 by 3, or random.
        position: OrRandom<Spanned<(i32, i32)>>,
        /// How it is placed in that cell, or random.
        alignment: OrRandom<(Horizontal, Vertical)>,
    },
    /// SUBROOM: in the room around it.
    Room {
        /// Place in that room, or random.
        position: OrRandom<Spanned<(i32, i32)>>,
        /// NAME of that room (3.4.3).
        parent: Option<Spanned<Text>>,
    },
}

/// A flag of a room or region.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum RoomFlag {
    /// filled, unfilled.
    Filling(Filling),
    /// regular, irregular.
    Irregular(Irregular),
    /// joined, unjoined.
    Joined(Joined),
}

/// REGION.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Region {
    /// Where.
    pub area: Expr,
    /// Its light.
    pub light: OrRandom<Light>,
    /// Its room type, or random.
    pub room_type: OrRandom<Spanned<Text>>,
    /// filled, irregular, joined and their opposites, as written.
    pub flags: Option<Vec<Spanned<RoomFlag>>>,
    /// What is in it, if there is a block.
    pub body: Option<Vec<Statement>>,
}

/// A way into or out of the level.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct LevelRegion {
    /// Of what kind.
    pub kind: LevelRegionKind,
    /// Where it may be.
    pub inside: RegionSpec,
    /// Where it may not be.
    pub outside: RegionSpec,
}

/// The kinds of [`LevelRegion`].
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum LevelRegionKind {
    /// STAIR.
    Stair(UpDown),
    /// PORTAL to a level.
    Portal(Spanned<Text>),
    /// TELEPORT_REGION, for all or only for arrivals from above or below.
    Teleport(Option<UpDown>),
    /// BRANCH.
    Branch,
}

/// A rectangle, in the map or (`levregion`) in the level.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct RegionSpec {
    /// Whether it counts from the level's corner.
    pub level: bool,
    /// x1, y1, x2, y2.
    pub corners: [i32; 4],
    /// Where it stands.
    pub span: Span,
}

/// Alignment of an altar or monster.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum AlignmentSpec {
    /// A word.
    Is(Alignment),
    /// `align[n]`: the n-th of the three alignments, shuffled.
    Register(Spanned<i32>),
    /// random.
    Random,
}

/// What stands on a grave.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Epitaph {
    /// Nothing.
    None,
    /// Something random.
    Random,
    /// This.
    Text(Expr),
}

/// One end of a CORRIDOR.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct CorridorEnd {
    /// Number of the room, from 0.
    pub room: Spanned<i32>,
    /// Its wall.
    pub wall: Spanned<Direction>,
    /// Number of its door, or random.
    pub door: OrRandom<Spanned<i32>>,
}

/// Where a CORRIDOR goes.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum CorridorTarget {
    /// To a door.
    Door(CorridorEnd),
    /// A bare number, as the grammar has it.
    Number(Spanned<i32>),
}

/// How RANDOM_CORRIDORS joins rooms.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum CorridorStyle {
    /// As the game does.
    Default,
    /// A numbered style.
    Number(Spanned<i32>),
    /// random.
    Random,
}

/// An entry of MON_GENERATION.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct GenerationEntry {
    /// Its weight.
    pub frequency: Expr,
    /// Which monsters.
    pub monster: GenerationMonster,
    /// Where the monster stands.
    pub span: Span,
}

/// Monsters of a [`GenerationEntry`].
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum GenerationMonster {
    /// A class.
    Class(char),
    /// One kind.
    Name(Text),
}

/// One of the SOUNDS.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Sound {
    /// How it is given.
    pub kind: SoundType,
    /// What.
    pub text: Expr,
}

/// What a variable is set to.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Definition {
    /// One value.
    Value {
        /// Its type.
        ty: ValueType,
        /// The value.
        value: Expr,
    },
    /// An array.
    Array {
        /// The type of its values.
        ty: ValueType,
        /// The values.
        values: Vec<Expr>,
    },
    /// Another variable, copied whole (SporkHack).
    Copy {
        /// Its type.
        ty: Type,
        /// The variable.
        variable: Spanned<Text>,
    },
}

/// When something is done.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Condition {
    /// `[N%]`.
    Percent(Spanned<i32>),
    /// `[a < b]`.
    Compare {
        /// The left value.
        left: Expr,
        /// The comparison.
        comparison: Comparison,
        /// The right value.
        right: Expr,
    },
    /// `[a]`: a is not zero.
    NonZero(Expr),
}

/// A comparison.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
pub enum Comparison {
    /// `==`
    #[serde(rename = "==")]
    Equal,
    /// `!=`
    #[serde(rename = "!=")]
    NotEqual,
    /// `<`
    #[serde(rename = "<")]
    Less,
    /// `<=`
    #[serde(rename = "<=")]
    LessEqual,
    /// `>`
    #[serde(rename = ">")]
    Greater,
    /// `>=`
    #[serde(rename = ">=")]
    GreaterEqual,
}

impl Comparison {
    /// As a des-file writes it.
    pub fn as_str(self) -> &'static str {
        match self {
            Comparison::Equal => "==",
            Comparison::NotEqual => "!=",
            Comparison::Less => "<",
            Comparison::LessEqual => "<=",
            Comparison::Greater => ">",
            Comparison::GreaterEqual => ">=",
        }
    }
}

/// A case of a SWITCH.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Case {
    /// The value, or `None` for DEFAULT.
    pub value: Option<Spanned<i32>>,
    /// What is done.
    pub body: Vec<Statement>,
    /// `CASE n:`.
    pub span: Span,
}

/// A value.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Expr {
    /// What it is.
    pub kind: ExprKind,
    /// Where it stands.
    pub span: Span,
}

/// The kinds of value.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum ExprKind {
    /// A number.
    Integer(i32),
    /// `NdM`.
    Dice {
        /// N.
        count: i32,
        /// M.
        sides: i32,
    },
    /// A text.
    String(Text),
    /// `(x,y)`.
    Coordinate {
        /// Column.
        x: i32,
        /// Row.
        y: i32,
    },
    /// `coord(x,y)`, also written `($x,$y)` (SporkHack): a place from computed numbers.
    ComputedCoordinate {
        /// Column.
        x: Box<Expr>,
        /// Row.
        y: Box<Expr>,
    },
    /// `random` or `random[dry,wet]` as a place.
    RandomCoordinate {
        /// What the place may be like.
        humidity: Vec<Spanned<Humidity>>,
    },
    /// `rndcoord(selection)`.
    SelectedCoordinate(Box<Selection>),
    /// `(x1,y1,x2,y2)`.
    Region {
        /// x1, y1, x2, y2.
        corners: [i32; 4],
    },
    /// A piece of terrain.
    MapCharacter {
        /// Its map character.
        character: char,
        /// Its light, if said.
        light: Option<OrRandom<Light>>,
    },
    /// A monster.
    Monster(SpeciesName),
    /// An object.
    Object(SpeciesName),
    /// A selection as a value.
    Selection(Box<Selection>),
    /// A variable.
    Variable(Variable),
    /// `$variable.method`.
    Method {
        /// The variable.
        variable: Spanned<Text>,
        /// Its type.
        ty: Type,
        /// The method.
        method: Text,
    },
    /// A core function.
    CoreCall(CoreCall),
    /// A chain of operators of one rank, from left to right: `first op next op next`.
    ///
    /// A chain instead of nested pairs, so that a sum of ten thousand terms is not a tree of that
    /// depth.
    Chain {
        /// The first value.
        first: Box<Expr>,
        /// The operators and the values after them.
        rest: Vec<(Operator, Expr)>,
    },
    /// `(value)`.
    Group(Box<Expr>),
    /// `place[n]`, `object[n]`, `monster[n]` (3.4.3).
    Register {
        /// Of what.
        of: RegisterKind,
        /// Which.
        index: Spanned<i32>,
    },
    /// `object[n],"name"` or `monster[n],"name"` (3.4.3).
    NamedRegister {
        /// Of what.
        of: RegisterKind,
        /// Which.
        index: Spanned<i32>,
        /// The name.
        name: Text,
    },
    /// `random` where a number stands (3.4.3: enchantments, amounts of gold).
    Random,
    /// What could not be understood; a diagnostic says why.
    Error,
}

/// An operator.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
pub enum Operator {
    /// `+`
    #[serde(rename = "+")]
    Add,
    /// `-`
    #[serde(rename = "-")]
    Subtract,
    /// `*`
    #[serde(rename = "*")]
    Multiply,
    /// `/`
    #[serde(rename = "/")]
    Divide,
    /// `%`
    #[serde(rename = "%")]
    Remainder,
    /// `.` between texts
    #[serde(rename = ".")]
    Concatenate,
}

impl Operator {
    /// As a des-file writes it.
    pub fn as_str(self) -> &'static str {
        match self {
            Operator::Add => "+",
            Operator::Subtract => "-",
            Operator::Multiply => "*",
            Operator::Divide => "/",
            Operator::Remainder => "%",
            Operator::Concatenate => ".",
        }
    }
}

/// A use of a variable.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Variable {
    /// Its name, with its `$`.
    pub name: Text,
    /// The index, for an array.
    pub index: Option<Box<Expr>>,
    /// Its type, resolved by the front end.
    pub ty: Type,
}

/// A call of a core function: what the game knows of hero, level and time.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct CoreCall {
    /// Its name as written.
    pub function: Spanned<Text>,
    /// Its arguments; `None` without parentheses.
    pub arguments: Option<Vec<Expr>>,
}

/// A set of squares.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Selection {
    /// What it is.
    pub kind: SelectionKind,
    /// Where it stands.
    pub span: Span,
}

/// The kinds of selection.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum SelectionKind {
    /// One square.
    Point(Expr),
    /// `rect`: the border of a region.
    Rectangle(Expr),
    /// `fillrect`: all of a region.
    FilledRectangle(Expr),
    /// `line a-b`.
    Line(Expr, Expr),
    /// `randline a-b, roughness`.
    RandomLine(Expr, Expr, Expr),
    /// `grow(selection)`, `grow(north|west, selection)`.
    Grow {
        /// The directions, if said.
        directions: Option<Vec<Spanned<Direction>>>,
        /// What grows.
        selection: Box<Selection>,
    },
    /// `filter(N%, selection)`.
    FilterPercent {
        /// How likely each square stays.
        percent: Spanned<i32>,
        /// What is filtered.
        selection: Box<Selection>,
    },
    /// `filter(selection, selection)`: what is in both.
    FilterSelection {
        /// The first.
        filter: Box<Selection>,
        /// The second.
        selection: Box<Selection>,
    },
    /// `filter(terrain, selection)`.
    FilterTerrain {
        /// The terrain that stays.
        terrain: Expr,
        /// What is filtered.
        selection: Box<Selection>,
    },
    /// `floodfill place`.
    FloodFill(Expr),
    /// `circle(center, radius, filled)`.
    Circle {
        /// Its center.
        center: Expr,
        /// Its radius.
        radius: Expr,
        /// Whether it is filled, if said.
        filling: Option<Filling>,
    },
    /// `ellipse(center, x radius, y radius, filled)`.
    Ellipse {
        /// Its center.
        center: Expr,
        /// Its horizontal radius.
        x_radius: Expr,
        /// Its vertical radius.
        y_radius: Expr,
        /// Whether it is filled, if said.
        filling: Option<Filling>,
    },
    /// `gradient(type, (min-max, limited), center, center)`.
    Gradient {
        /// Its shape.
        gradient: GradientType,
        /// Distance at which squares begin to be left out.
        minimum: Expr,
        /// Distance at which all are left out.
        maximum: Expr,
        /// Whether it ends there, if said.
        limited: Option<Limited>,
        /// Its center, or one end of it.
        center: Expr,
        /// The other end, if said.
        center2: Option<Expr>,
    },
    /// `complement selection`.
    Complement(Box<Selection>),
    /// A variable that holds a selection.
    Variable(Variable),
    /// `(selection)`.
    Group(Box<Selection>),
    /// `a & b & c`: squares of any of them.
    Union(Vec<Selection>),
    /// What could not be understood; a diagnostic says why.
    Error,
}
