//! The statements of a level.

use serde::{Deserialize, Serialize};

use super::{
    Expr, Function, LevelRegion, Map, Monster, Object, OrRandom, Region, Room, Selection, SpeciesName, Type, ValueType,
};
use crate::source::{Span, Spanned, Text};
use crate::words::*;

/// A statement.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Statement {
    /// Its kind.
    pub kind: StatementKind,
    /// Its span in the source, including its block.
    pub span: Span,
}

/// The kind of a statement, named after its word in des-files.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum StatementKind {
    /// MESSAGE: shown on arrival.
    Message {
        /// The text.
        text: Expr,
        /// Its audience.
        #[serde(default, skip_serializing_if = "Audience::is_everyone")]
        to: Audience,
    },
    /// INIT_MAP: fills the level before anything else.
    InitMap(InitMap),
    /// NOMAP, or GEOMETRY with MAP: begins a part.
    Map(Map),
    /// MONSTER.
    Monster(Monster),
    /// OBJECT or CONTAINER.
    Object(Object),
    /// TRAP.
    Trap {
        /// Its name, or random.
        trap: OrRandom<Spanned<Text>>,
        /// Its square.
        place: Expr,
    },
    /// ROOM or SUBROOM.
    Room(Box<Room>),
    /// ROOMDOOR: a door of a room (DOOR in 3.4.3 room levels).
    RoomDoor {
        /// Secret or not, or random.
        secret: OrRandom<bool>,
        /// Its state.
        state: OrRandom<Spanned<DoorState>>,
        /// The walls in which it may be.
        walls: OrRandom<Vec<Spanned<Direction>>>,
        /// Its position on the wall.
        position: OrRandom<Spanned<i32>>,
        /// The span of `walls`.
        walls_span: Span,
        /// Further operands that a catalog defines, as written: its material, its flags, the artifact that opens it.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        also: Vec<Spanned<Text>>,
    },
    /// DOOR: doors on squares of the map.
    Door {
        /// Their state.
        state: OrRandom<Spanned<DoorState>>,
        /// Further operands that a catalog defines, as written: their material, their flags, the artifact that opens
        /// them.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        also: Vec<Spanned<Text>>,
        /// Their squares.
        at: Selection,
    },
    /// REGION.
    Region(Region),
    /// STAIR on a square.
    Stair {
        /// Its square.
        place: Expr,
        /// Up or down.
        direction: UpDown,
    },
    /// LADDER.
    Ladder {
        /// Its square.
        place: Expr,
        /// Up or down.
        direction: UpDown,
    },
    /// STAIR, PORTAL, TELEPORT_REGION or BRANCH with regions.
    LevelRegion(LevelRegion),
    /// ALTAR.
    Altar {
        /// Its square.
        place: Expr,
        /// Its alignment.
        alignment: AlignmentSpec,
        /// Its type.
        altar: OrRandom<AltarType>,
        /// Further operands that a catalog defines, as written: the altar's god.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        also: Vec<Spanned<Text>>,
    },
    /// GRAVE.
    Grave {
        /// Its square.
        place: Expr,
        /// Its epitaph.
        epitaph: Epitaph,
    },
    /// FOUNTAIN.
    Fountain {
        /// Their squares.
        at: Selection,
    },
    /// SINK.
    Sink {
        /// Their squares.
        at: Selection,
    },
    /// POOL.
    Pool {
        /// Their squares.
        at: Selection,
    },
    /// A catalog-defined statement whose only operand is a place.
    Place {
        /// Its keyword.
        word: Text,
        /// Its squares.
        at: Selection,
    },
    /// GOLD.
    Gold {
        /// The amount.
        amount: Expr,
        /// Its square.
        place: Expr,
    },
    /// ENGRAVING.
    Engraving {
        /// Its square.
        place: Expr,
        /// Its type.
        engraving: OrRandom<EngravingType>,
        /// Its text.
        text: Expr,
    },
    /// DRAWBRIDGE.
    Drawbridge {
        /// The square of its span.
        place: Expr,
        /// The direction from there to its portcullis.
        direction: Spanned<Direction>,
        /// Its state.
        state: OrRandom<Spanned<DoorState>>,
    },
    /// MAZEWALK.
    MazeWalk {
        /// Its start.
        place: Expr,
        /// Its first direction.
        direction: Direction,
        /// Set if monsters and objects are placed in it; `None` if not written.
        stocked: Option<bool>,
        /// The map character of its corridors, if written.
        filling: Option<Spanned<char>>,
    },
    /// WALLIFY.
    Wallify {
        /// The area, or `None` for the whole map.
        at: Option<WallifyArea>,
    },
    /// NON_DIGGABLE.
    NonDiggable {
        /// The area.
        region: Expr,
    },
    /// NON_PASSWALL.
    NonPasswall {
        /// The area.
        region: Expr,
    },
    /// CORRIDOR between two doors.
    Corridor {
        /// Its start.
        from: CorridorEnd,
        /// Its end.
        to: CorridorTarget,
    },
    /// RANDOM_CORRIDORS.
    RandomCorridors {
        /// The algorithm that joins the rooms.
        style: CorridorStyle,
    },
    /// TERRAIN.
    Terrain {
        /// The squares to change.
        at: Selection,
        /// Their new terrain.
        terrain: Expr,
    },
    /// REPLACE_TERRAIN.
    ReplaceTerrain {
        /// The area.
        region: Expr,
        /// The terrain to replace.
        from: Expr,
        /// The new terrain.
        to: Box<Expr>,
        /// The chance for each square, in percent.
        chance: Spanned<i32>,
    },
    /// SPILL: terrain that flows from a wall.
    Spill {
        /// The square where it starts.
        place: Expr,
        /// The terrain that flows.
        terrain: Expr,
        /// Its direction.
        direction: Direction,
        /// The number of squares.
        amount: Box<Expr>,
    },
    /// WALLWALK: terrain along the walls.
    WallWalk {
        /// The square where it starts.
        place: Expr,
        /// The terrain it walks on, if written.
        from: Option<Expr>,
        /// The terrain it leaves behind.
        to: Box<Expr>,
        /// The chance for each square, in percent, if written.
        chance: Option<Spanned<i32>>,
    },
    /// MINERALIZE.
    Mineralize {
        /// The chances of kelp in pools, kelp in moats, gold and gems, if written.
        chances: Option<Box<[Expr; 4]>>,
    },
    /// MON_GENERATION: the monsters generated later.
    MonsterGeneration {
        /// The chance that the list is used, in percent.
        chance: Spanned<i32>,
        /// The entries of the list.
        entries: Vec<GenerationEntry>,
    },
    /// SOUNDS.
    Sounds {
        /// The frequency, as one in this many turns.
        frequency: Expr,
        /// The sounds.
        sounds: Vec<Sound>,
    },
    /// VAULTGEN: the frequency of a random vault.
    VaultGeneration {
        /// Its weight.
        frequency: Spanned<i32>,
    },
    /// MINDEPTH: the minimum depth of a random vault.
    VaultDepth {
        /// The depth.
        depth: Spanned<i32>,
    },
    /// TOPOLOGIZE (SporkHack).
    Topologize {
        /// The area.
        place: Expr,
    },

    /// `$variable = value`.
    Define {
        /// The variable, with its `$`.
        variable: Spanned<Text>,
        /// Its new value.
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
        /// Its condition.
        condition: Condition,
        /// The statements run if the condition is true.
        then: Vec<Statement>,
        /// The statements of ELSE.
        otherwise: Option<Vec<Statement>>,
    },
    /// `[condition]: statement`; `STATEMENT[condition]: ...` in SporkHack and 3.4.3.
    ///
    /// In the script languages it means the same as an IF whose block is that statement. 3.4.3 has only this form, for
    /// some statements, with a percentage.
    Chance {
        /// Its condition.
        condition: Condition,
        /// The statement run if the condition is true.
        then: Box<Statement>,
    },
    /// SWITCH.
    Switch {
        /// The value to compare. A constant N means a draw below N (the script compilers' rule).
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
        /// Its last value. If that is below the first, the loop counts down.
        to: Box<Expr>,
        /// The statements to repeat.
        body: Vec<Statement>,
    },
    /// LOOP.
    Loop {
        /// The number of repetitions.
        count: Expr,
        /// The statements to repeat.
        body: Vec<Statement>,
    },
    /// BREAK.
    Break,
    /// EXIT.
    Exit,

    /// RANDOM_OBJECTS, RANDOM_PLACES or RANDOM_MONSTERS (3.4.3): an array that is shuffled when its part begins, and
    /// used as `object[n]`, `place[n]`, `monster[n]`.
    Registers {
        /// The kind of register.
        of: RegisterKind,
        /// The values.
        values: Vec<Expr>,
    },
    /// A statement that could not be read and that a level's structure depends on (a part, a room, INIT_MAP). A
    /// diagnostic says why.
    Error,
}

/// The audience of a message.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Audience {
    /// Everyone: MESSAGE.
    #[default]
    Everyone,
    /// Hallucinating players, in place of the normal message: HALLUMSG (NetHack 4.3, lev_comp.y).
    Hallucinating,
}

impl Statement {
    /// Returns true if a BREAK in it leaves the surrounding statement.
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

/// The content of a 3.4.3 register.
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
    /// `RANDOM_PLACES[1]` and so on: further lists of coordinates, by number (SLASH'EM 0.0.7, lev_comp.y).
    PlaceList(u8),
    /// RANDOM_REGION: regions for random placement (SLASH'EM 0.0.7, lev_comp.y).
    Region,
}

impl RegisterKind {
    /// Returns the place list with the number that RANDOM_PLACES gives it.
    pub fn places(list: u8) -> Self {
        if list == 0 { RegisterKind::Place } else { RegisterKind::PlaceList(list) }
    }

    /// Returns the number of a place list.
    pub fn list(self) -> Option<u8> {
        match self {
            RegisterKind::Place => Some(0),
            RegisterKind::PlaceList(list) => Some(list),
            RegisterKind::Object | RegisterKind::Monster | RegisterKind::Region => None,
        }
    }

    /// Returns true if it contains places, or areas from which a place is chosen.
    pub fn is_place(self) -> bool {
        self == RegisterKind::Region || self.list().is_some()
    }
}

/// The area of a WALLIFY.
///
/// SporkHack takes a region. The other games take a selection and use its bounding rectangle.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum WallifyArea {
    /// The bounding rectangle of a selection.
    Selection(Box<Selection>),
    /// A region (SporkHack).
    Region(Expr),
}

/// INIT_MAP.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum InitMap {
    /// One terrain throughout.
    Solid {
        /// Its map character.
        filling: Spanned<char>,
        /// Its light, if written.
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
        /// True if it is smoothed.
        smoothed: bool,
        /// True if its parts are joined.
        joined: Spanned<bool>,
        /// Its light.
        light: OrRandom<Light>,
        /// Set if it gets walls.
        walled: OrRandom<bool>,
        /// The map character that fills the level first, if written.
        filling: Option<Spanned<char>>,
        /// True if its ice is that of frozen pools (NetHack Fourk, lev_comp.y).
        #[serde(default, skip_serializing_if = "Option::is_none")]
        iced: Option<Spanned<bool>>,
    },
    /// A level of Sheol (UnNetHack).
    Sheol,
    /// The grid of a Rogue level.
    Rogue,
}

/// Alignment of an altar or monster.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum AlignmentSpec {
    /// A given alignment.
    Is(Alignment),
    /// `align[n]`: the n-th of the three alignments, shuffled.
    Register(Spanned<i32>),
    /// random.
    Random,
}

/// The epitaph of a grave.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Epitaph {
    /// No epitaph.
    None,
    /// A random epitaph.
    Random,
    /// A given text.
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

/// The end of a CORRIDOR.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum CorridorTarget {
    /// A door.
    Door(CorridorEnd),
    /// A bare number, which the grammar accepts.
    Number(Spanned<i32>),
}

/// The algorithm by which RANDOM_CORRIDORS joins rooms.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum CorridorStyle {
    /// The game's default.
    Default,
    /// An algorithm, by number.
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
    /// A monster class or species.
    pub monster: SpeciesName,
    /// The span of the monster.
    pub span: Span,
}

/// An entry of SOUNDS.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Sound {
    /// Its kind of message.
    pub kind: SoundType,
    /// Its text.
    pub text: Expr,
}

/// The value of a variable definition.
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
        /// The type of its elements.
        ty: ValueType,
        /// Its elements.
        values: Vec<Expr>,
    },
    /// A copy of another variable, with all its elements (SporkHack).
    Copy {
        /// Its type.
        ty: Type,
        /// The variable.
        variable: Spanned<Text>,
    },
}

/// A condition.
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
    /// `[a]`: true unless a is zero.
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
    /// Returns the comparison as a des-file writes it.
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
    /// Its statements.
    pub body: Vec<Statement>,
    /// The span of `CASE n:`.
    pub span: Span,
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Keeps statements small by boxing rare data, so that a file of many short statements takes little memory.
    #[test]
    fn statements_are_small() {
        assert!(size_of::<Expr>() <= 64, "{}", size_of::<Expr>());
        assert!(size_of::<Statement>() <= 216, "{}", size_of::<Statement>());
    }
}
