//! What a level does, statement by statement.

use serde::{Deserialize, Serialize};

use super::{
    Expr, Function, LevelRegion, Map, Monster, Object, OrRandom, Region, Room, Selection, SpeciesName, Type, ValueType,
};
use crate::source::{Span, Spanned, Text};
use crate::words::*;

/// Something that a level does.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Statement {
    /// What.
    pub kind: StatementKind,
    /// Where it stands, block included.
    pub span: Span,
}

/// The kinds of statement; `des-file` words name them.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum StatementKind {
    /// MESSAGE: shown on arrival.
    Message {
        /// The text.
        text: Expr,
        /// Who sees it.
        #[serde(default, skip_serializing_if = "Audience::is_everyone")]
        to: Audience,
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
    Room(Box<Room>),
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
        /// What a catalog adds, as it is written: its material, its flags, the artifact that opens it.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        also: Vec<Spanned<Text>>,
    },
    /// DOOR: doors on squares of the map.
    Door {
        /// Their state.
        state: OrRandom<Spanned<DoorState>>,
        /// What a catalog adds, as it is written: their material, their flags, the artifact that opens them.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        also: Vec<Spanned<Text>>,
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
        /// What a catalog adds, as it is written: whose altar it is.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        also: Vec<Spanned<Text>>,
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
    /// A statement of one place that a catalog adds.
    Place {
        /// The word that it begins with.
        word: Text,
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
        to: Box<Expr>,
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
        amount: Box<Expr>,
    },
    /// WALLWALK: terrain along the walls.
    WallWalk {
        /// Where it starts.
        place: Expr,
        /// On what terrain it walks, if said.
        from: Option<Expr>,
        /// What it leaves.
        to: Box<Expr>,
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
    /// MINDEPTH: from which depth on a random vault comes.
    VaultDepth {
        /// The depth.
        depth: Spanned<i32>,
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
    /// IF.
    If {
        /// When.
        condition: Condition,
        /// What then.
        then: Vec<Statement>,
        /// What else.
        otherwise: Option<Vec<Statement>>,
    },
    /// `[condition]: statement`; `STATEMENT[condition]: ...` in SporkHack and 3.4.3.
    ///
    /// IF with that statement alone in its block means the same in the script languages. 3.4.3 has only this form, of
    /// some statements, with a percentage.
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
        to: Box<Expr>,
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

/// Who sees a message.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Audience {
    /// Everyone: MESSAGE.
    #[default]
    Everyone,
    /// Who hallucinates, in the place of the other message: HALLUMSG (NetHack 4.3, lev_comp.y).
    Hallucinating,
}

impl Statement {
    /// Whether a BREAK in it leaves what is around it.
    pub fn has_break(&self) -> bool {
        match &self.kind {
            StatementKind::Break => true,
            StatementKind::If { then, otherwise, .. } => {
                then.iter().chain(otherwise.iter().flatten()).any(Statement::has_break)
            }
            StatementKind::Chance { then, .. } => then.has_break(),
            _ => false,
        }
    }
}

impl Audience {
    fn is_everyone(&self) -> bool {
        *self == Audience::Everyone
    }
}

/// What a 3.4.3 register holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum RegisterKind {
    /// RANDOM_OBJECTS: object classes.
    Object,
    /// RANDOM_MONSTERS: monster classes.
    Monster,
    /// RANDOM_PLACES: coordinates.
    Place,
    /// `RANDOM_PLACES[1]` and so on: further lists of coordinates (SLASH'EM 0.0.7, lev_comp.y), by their numbers.
    PlaceList(u8),
    /// RANDOM_REGION: regions in which something has a random place (SLASH'EM 0.0.7, lev_comp.y).
    Region,
}

impl RegisterKind {
    /// The list of places with the number that RANDOM_PLACES gives it.
    pub fn places(list: u8) -> Self {
        if list == 0 { RegisterKind::Place } else { RegisterKind::PlaceList(list) }
    }

    /// The number of a list of places.
    pub fn list(self) -> Option<u8> {
        match self {
            RegisterKind::Place => Some(0),
            RegisterKind::PlaceList(list) => Some(list),
            RegisterKind::Object | RegisterKind::Monster | RegisterKind::Region => None,
        }
    }

    /// Whether what it holds is a place, or gives one.
    pub fn is_place(self) -> bool {
        self == RegisterKind::Region || self.list().is_some()
    }
}

/// Where WALLIFY works.
///
/// SporkHack takes a region, the others take a selection and go by the rectangle around it, so there are two forms.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum WallifyArea {
    /// On a selection.
    Selection(Box<Selection>),
    /// In a region (SporkHack).
    Region(Expr),
}

/// INIT_MAP.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
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
        /// Whether its ice is that of pools (NetHack Fourk, lev_comp.y).
        #[serde(default, skip_serializing_if = "Option::is_none")]
        iced: Option<Spanned<bool>>,
    },
    /// The land of the dead (UnNetHack).
    Sheol,
    /// The grid of a Rogue level.
    Rogue,
}

/// Alignment of an altar or monster.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
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
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
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
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct CorridorEnd {
    /// Number of the room, from 0.
    pub room: Spanned<i32>,
    /// Its wall.
    pub wall: Spanned<Direction>,
    /// Number of its door, or random.
    pub door: OrRandom<Spanned<i32>>,
}

/// Where a CORRIDOR goes.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum CorridorTarget {
    /// To a door.
    Door(CorridorEnd),
    /// A bare number, as the grammar has it.
    Number(Spanned<i32>),
}

/// How RANDOM_CORRIDORS joins rooms.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
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
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct GenerationEntry {
    /// Its weight.
    pub frequency: Expr,
    /// Which monsters: a class or one kind.
    pub monster: SpeciesName,
    /// Where the monster stands.
    pub span: Span,
}

/// One of the SOUNDS.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Sound {
    /// How it is given.
    pub kind: SoundType,
    /// What.
    pub text: Expr,
}

/// What a variable is set to.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
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
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
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
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
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
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Case {
    /// The value, or `None` for DEFAULT.
    pub value: Option<Spanned<i32>>,
    /// What is done.
    pub body: Vec<Statement>,
    /// `CASE n:`.
    pub span: Span,
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A file of many short statements must not take many times its own memory: what is rare is in boxes.
    #[test]
    fn statements_are_small() {
        assert!(size_of::<Expr>() <= 64, "{}", size_of::<Expr>());
        assert!(size_of::<Statement>() <= 216, "{}", size_of::<Statement>());
    }
}
