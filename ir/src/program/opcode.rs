//! The table of opcodes: the values each takes from the stack, in order and with their roles, and the values it leaves.
//!
//! Source: the level loaders (`spo_*` in `src/sp_lev.c`) and the compilers (`util/lev_comp.y`) of UnNetHack 6.0.4,
//! SporkHack 0.7.0 and NetHack 3.6.7.

use std::fmt;

use super::Role::*;
use super::signature::{Case, END_OF_PARTS, Gives, Parameter, Parts, Signature, Takes};
use crate::catalog::Feature;
use crate::value::ValueType;
use crate::words::Group;

/// A list of taken values: `name: role`, or `..` and a step that takes several values, or `..Name[...]`, a list in the
/// list that is popped as a struct.
macro_rules! takes {
    (@ [$($done:expr,)*]) => { &[$($done,)*] };
    (@ [$($done:expr,)*] $name:ident: $role:expr $(, $($rest:tt)*)?) => {
        takes!(@ [$($done,)* Takes::One(Parameter { name: stringify!($name), role: $role }),] $($($rest)*)?)
    };
    (@ [$($done:expr,)*] ..$name:ident[$($inner:tt)*] $(, $($rest:tt)*)?) => {
        takes!(@ [$($done,)*] $($inner)* $(, $($rest)*)?)
    };
    (@ [$($done:expr,)*] ..$step:expr $(, $($rest:tt)*)?) => { takes!(@ [$($done,)* $step,] $($($rest)*)?) };
    ($($all:tt)*) => { takes!(@ [] $($all)*) };
}

macro_rules! opcodes {
    ($($(#[doc = $doc:literal])* $variant:ident = $name:literal [$($takes:tt)*] -> [$($gives:expr),*];)*) => {
        /// An opcode of the games' level machines: the union of UnNetHack 6.0.4, SporkHack 0.7.0 and NetHack 3.6
        /// (`include/sp_lev.h` of each). The catalog of a game lists the opcodes it has, with their numbers.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Opcode { $($(#[doc = $doc])* $variant,)* }

        impl Opcode {
            /// Every opcode.
            pub const ALL: &'static [Opcode] = &[$(Opcode::$variant,)*];

            /// Returns its name in catalogs and listings.
            pub const fn as_str(self) -> &'static str { match self { $(Opcode::$variant => $name,)* } }

            /// Returns its description: the documentation of its variant.
            pub const fn about(self) -> &'static str {
                match self { $(Opcode::$variant => concat!($($doc),*).trim_ascii(),)* }
            }
        }

        static SIGNATURES: [Signature; Opcode::ALL.len()] =
            [$(Signature { takes: takes![$($takes)*], gives: &[$($gives),*] },)*];

        /// Operands of each opcode that a machine pops at once.
        ///
        /// An opcode whose values depend on a number or on the game has several structs. They are the lists that the
        /// table names.
        #[allow(missing_docs)]
        pub mod operands {
            use crate::program::typed::{OperandStack, Operands};
            use crate::program::{Parameter, Role};
            use crate::words::Group;

            $(operand_structs!($variant: $($takes)*);)*
        }
    };
}

const NUMBER: Gives = Gives::Value(ValueType::Integer);
const PLACE: Gives = Gives::Value(ValueType::Coordinate);
const SELECTION: Gives = Gives::Value(ValueType::Selection);

const MONSTER_PARTS: Parts = Parts {
    role: MonsterPart,
    details: &[
        ("peaceful", takes![attitude: Word(Group::Attitude)]),
        ("align", takes![alignment: Alignment]),
        ("asleep", takes![alertness: Word(Group::Alertness)]),
        ("appear", takes![appearance: Word(Group::Appearance), looks: Text]),
        ("name", takes![called: Text]),
        ("female", takes![female: Truth]),
        ("invis", takes![invisible: Truth]),
        ("cancelled", takes![cancelled: Truth]),
        ("revived", takes![revived: Truth]),
        ("avenge", takes![avenge: Truth]),
        ("fleeing", takes![fleeing: Number]),
        ("blinded", takes![blinded: Number]),
        ("paralyzed", takes![paralyzed: Number]),
        ("stunned", takes![stunned: Truth]),
        ("confused", takes![confused: Truth]),
        ("seentraps", takes![traps: Traps]),
        (END_OF_PARTS, &[]),
    ],
};

const OBJECT_PARTS: Parts = Parts {
    role: ObjectPart,
    details: &[
        ("spe", takes![enchantment: Number]),
        ("curse", takes![curse: Word(Group::Curse)]),
        ("corpsenm", takes![of: Monster]),
        ("name", takes![called: Text]),
        ("quan", takes![quantity: Number]),
        ("buried", takes![buried: Truth]),
        ("lit", takes![light: Word(Group::Light)]),
        ("eroded", takes![eroded: Number]),
        ("locked", takes![locked: Truth]),
        ("trapped", takes![trapped: Truth]),
        ("recharged", takes![recharged: Number]),
        ("invis", takes![invisible: Truth]),
        ("greased", takes![greased: Truth]),
        ("broken", takes![broken: Truth]),
        ("coord", takes![place: Place]),
        (END_OF_PARTS, &[]),
    ],
};

opcodes! {
    /// No operation.
    Null = "null" [] -> [];
    /// MESSAGE.
    Message = "message" [text: Text] -> [];
    /// MONSTER. If it has an inventory, its objects follow.
    Monster = "monster" [
        inventory: Truth, ..Takes::Parts(MONSTER_PARTS), ..PlacedMonster[place: Place, monster: Monster]
    ] -> [];
    /// OBJECT or CONTAINER. The contents of a container follow.
    Object = "object" [containment: Containment, ..Takes::Parts(OBJECT_PARTS), ..MadeObject[object: Object]] -> [];
    /// ENGRAVING.
    Engraving = "engraving" [engraving: Word(Group::Engraving), text: Text, place: Place] -> [];
    /// ROOM.
    Room = "room" [
        height: Number, width: Number, y: Number, x: Number, vertical: Word(Group::Vertical),
        horizontal: Word(Group::Horizontal), flags: RoomFlags, light: Word(Group::Light), chance: Percent,
        room_type: RoomType
    ] -> [];
    /// SUBROOM.
    Subroom = "subroom" [
        height: Number, width: Number, y: Number, x: Number, vertical: Unused, horizontal: Unused, flags: RoomFlags,
        light: Word(Group::Light), chance: Percent, room_type: RoomType
    ] -> [];
    /// DOOR.
    Door = "door" [
        ..Takes::ByGame(Feature::DoorsHaveMaterials, takes![..Material[material: Word(Group::DoorDetail)]], &[]),
        ..PlacedDoor[state: Word(Group::DoorState), at: Selection]
    ] -> [];
    /// STAIR.
    Stair = "stair" [direction: Word(Group::VerticalDirection), place: Place] -> [];
    /// LADDER.
    Ladder = "ladder" [direction: Word(Group::VerticalDirection), place: Place] -> [];
    /// ALTAR.
    Altar = "altar" [alignment: Alignment, altar: Word(Group::Altar), place: Place] -> [];
    /// FOUNTAIN.
    Fountain = "fountain" [at: Selection] -> [];
    /// SINK.
    Sink = "sink" [at: Selection] -> [];
    /// POOL.
    Pool = "pool" [at: Selection] -> [];
    /// The first one-place statement added by a catalog.
    Place1 = "place_1" [at: Selection] -> [];
    /// The second one-place statement.
    Place2 = "place_2" [at: Selection] -> [];
    /// The third one-place statement.
    Place3 = "place_3" [at: Selection] -> [];
    /// The fourth one-place statement.
    Place4 = "place_4" [at: Selection] -> [];
    /// The fifth one-place statement.
    Place5 = "place_5" [at: Selection] -> [];
    /// The sixth one-place statement.
    Place6 = "place_6" [at: Selection] -> [];
    /// The seventh one-place statement.
    Place7 = "place_7" [at: Selection] -> [];
    /// The eighth one-place statement.
    Place8 = "place_8" [at: Selection] -> [];
    /// TRAP.
    Trap = "trap" [trap: Trap, place: Place] -> [];
    /// GOLD.
    Gold = "gold" [place: Place, amount: Number] -> [];
    /// CORRIDOR and RANDOM_CORRIDORS. The ends are numbers of rooms and doors.
    Corridor = "corridor" [
        to_wall: Word(Group::Direction), to_door: Number, to_room: Number, from_wall: Word(Group::Direction),
        from_door: Number, from_room: Number
    ] -> [];
    /// STAIR, PORTAL, TELEPORT_REGION and BRANCH in regions of the level.
    LevRegion = "levregion" [
        portal: OptionalText, padding: Unused, kind: LevelRegion,
        outside_of_level: Truth, outside_y2: Number, outside_x2: Number, outside_y1: Number, outside_x1: Number,
        inside_of_level: Truth, inside_y2: Number, inside_x2: Number, inside_y1: Number, inside_x1: Number
    ] -> [];
    /// DRAWBRIDGE.
    Drawbridge = "drawbridge" [direction: DrawbridgeDirection, open: Truth, place: Place] -> [];
    /// MAZEWALK.
    MazeWalk = "mazewalk" [
        filling: TerrainOrDefault, stocked: Truth, direction: Word(Group::Direction), place: Place
    ] -> [];
    /// NON_DIGGABLE.
    NonDiggable = "non_diggable" [region: Region] -> [];
    /// NON_PASSWALL.
    NonPasswall = "non_passwall" [region: Region] -> [];
    /// WALLIFY.
    Wallify = "wallify" [..Takes::ByGame(
        Feature::WallifyTakesRegions,
        takes![..WallifiedRegion[region: Region]],
        takes![..Takes::Choice { below: 0, cases: &[
            (Case::Is(1), takes![..WallifiedKind[kind: Kind], ..WallifiedSelection[at: Selection]]),
            (Case::Otherwise, takes![kind: Kind, region: Region]),
        ] }],
    )] -> [];
    /// MAP and NOMAP. Later places are relative to it.
    Map = "map" [
        width: Number, height: Number, rows: Rows, keeps_regions: Truth,
        ..Takes::Choice { below: 0, cases: &[
            (Case::Is(1), takes![..Placement[placement: Kind], ..AlignedMap[alignment: MapAlignment]]),
            (Case::Otherwise, takes![placement: Kind, ..PlacedMap[place: Place]]),
        ] }
    ] -> [];
    /// ROOMDOOR.
    RoomDoor = "room_door" [
        ..Takes::ByGame(Feature::DoorsHaveMaterials, takes![material: Word(Group::DoorDetail)], &[]),
        ..WallDoor[walls: Words(Group::Direction), secret: Truth, state: Word(Group::DoorState), position: Number]
    ] -> [];
    /// REGION. Its contents follow if it is a room.
    Region = "region" [flags: RoomFlags, room_type: RoomType, light: Word(Group::Light), region: Region] -> [];
    /// MINERALIZE.
    Mineralize = "mineralize" [
        gems: Number, gold: Number, kelp_in_moats: Number, kelp_in_pools: Number
    ] -> [];
    /// Compares two values for a conditional jump.
    Cmp = "cmp" [..Right[right: Any], ..Left[left: Any]] -> [NUMBER];
    /// Jumps.
    Jmp = "jmp" [distance: Jump] -> [];
    /// Jumps if less.
    Jl = "jl" [distance: Jump, result: Number] -> [];
    /// Jumps if less or equal.
    Jle = "jle" [distance: Jump, result: Number] -> [];
    /// Jumps if greater.
    Jg = "jg" [distance: Jump, result: Number] -> [];
    /// Jumps if greater or equal.
    Jge = "jge" [distance: Jump, result: Number] -> [];
    /// Jumps if equal.
    Je = "je" [distance: Jump, result: Number] -> [];
    /// Jumps if not equal.
    Jne = "jne" [distance: Jump, result: Number] -> [];
    /// SPILL.
    Spill = "spill" [..Takes::ByGame(
        Feature::SpillTakesNumbers,
        takes![..SpilledNumber[
            light: Word(Group::Light), amount: Number, direction: Word(Group::Direction), terrain: Terrain,
            place: Place
        ]],
        takes![..SpilledCharacter[
            direction: Word(Group::Direction), amount: Number, terrain: MapCharacter, place: Place
        ]],
    )] -> [];
    /// TERRAIN.
    Terrain = "terrain" [terrain: MapCharacter, at: Selection] -> [];
    /// REPLACE_TERRAIN.
    ReplaceTerrain = "replaceterrain" [
        chance: Percent, to: MapCharacter, from: MapCharacter, region: Region
    ] -> [];
    /// EXIT: ends the program.
    Exit = "exit" [] -> [];
    /// The end of a ROOM, a SUBROOM or a REGION that is a room.
    EndRoom = "endroom" [] -> [];
    /// The end of the contents of a container.
    PopContainer = "pop_container" [] -> [];
    /// Pushes its operand.
    Push = "push" [] -> [Gives::Operand];
    /// Drops a value.
    Pop = "pop" [value: Unread] -> [];
    /// Pushes a random number, at least 0 and below its parameter.
    Rn2 = "rn2" [below: Number] -> [NUMBER];
    /// Subtracts one.
    Dec = "dec" [number: Number] -> [NUMBER];
    /// Adds one.
    Inc = "inc" [number: Number] -> [NUMBER];
    /// Adds two numbers, or concatenates two strings.
    MathAdd = "math_add" [right: Any, left: Any] -> [Gives::Sum];
    /// Subtracts two numbers.
    MathSub = "math_sub" [right: Number, left: Number] -> [NUMBER];
    /// Multiplies two numbers.
    MathMul = "math_mul" [right: Number, left: Number] -> [NUMBER];
    /// Divides two numbers.
    MathDiv = "math_div" [right: Number, left: Number] -> [NUMBER];
    /// Computes a remainder.
    MathMod = "math_mod" [right: Number, left: Number] -> [NUMBER];
    /// The sign of a number: -1, 0 or 1.
    MathSign = "math_sign" [number: Number] -> [NUMBER];
    /// Duplicates a value.
    Copy = "copy" [value: Unread] -> [Gives::Taken, Gives::Taken];
    /// MON_GENERATION.
    MonGeneration = "mon_generation" [
        count: Count, chance: Percent,
        ..Takes::Repeat(takes![..Takes::Choice { below: 0, cases: &[
            (Case::Is(0), takes![..GeneratedMonster[is_class: Kind, monster: MonsterIndex, frequency: Number]]),
            (Case::Otherwise, takes![is_class: Kind, monster: MonsterClass, frequency: Number]),
        ] }])
    ] -> [];
    /// The end of an inventory.
    EndMonInvent = "end_moninvent" [] -> [];
    /// GRAVE.
    Grave = "grave" [kind: Kind, epitaph: OptionalText, place: Place] -> [];
    /// Begins a frame.
    FramePush = "frame_push" [] -> [];
    /// Ends a frame.
    FramePop = "frame_pop" [] -> [];
    /// Calls a function with values.
    Call = "call" [
        distance: Jump, count: Count,
        ..Takes::ByGame(
            Feature::ParametersAreReversed,
            takes![..Takes::Repeat(takes![argument: Unread])],
            takes![..Takes::Repeat(takes![argument: Any])],
        )
    ] -> [Gives::Returned];
    /// Returns from a function with values.
    Return = "return" [count: Count, ..Takes::Repeat(takes![result: Unread])] -> [];
    /// INIT_MAP. The style is pushed first, so it lies below the others and decides their roles.
    InitLevel = "initlevel" [..Takes::Choice { below: 7, cases: &[
        (
            Case::Style("solidfill"),
            takes![
                foreground: Unused, background: Unused, smoothed: Unused, joined: Truth, light: Word(Group::Light),
                walled: Unused, filling: Terrain, style: InitStyle
            ],
        ),
        (
            Case::Style("mazegrid"),
            takes![
                foreground: Unused, background: Unused, smoothed: Unused, joined: Truth, light: Unused, walled: Unused,
                filling: Terrain, style: InitStyle
            ],
        ),
        (
            Case::Style("mines"),
            takes![..InitialLevel[
                foreground: Terrain, background: Terrain, smoothed: Truth, joined: Truth, light: Word(Group::Light),
                walled: Truth, filling: Terrain, style: InitStyle
            ]],
        ),
        (
            Case::Otherwise,
            takes![
                foreground: Unused, background: Unused, smoothed: Unused, joined: Truth, light: Unused, walled: Unused,
                filling: Unused, style: InitStyle
            ],
        ),
    ] }] -> [];
    /// FLAGS.
    LevelFlags = "level_flags" [flags: Words(Group::Flag)] -> [];
    /// SOUNDS.
    LevelSounds = "level_sounds" [
        count: Count, ..Takes::Repeat(takes![..Sound[kind: Word(Group::Sound), text: Text]]),
        ..SoundFrequency[frequency: Number]
    ] -> [];
    /// WALLWALK.
    WallWalk = "wallwalk" [chance: Percent, from: MapCharacter, to: MapCharacter, place: Place] -> [];
    /// Sets a variable.
    VarInit = "var_init" [
        name: VariableName,
        ..Takes::Choice { below: 0, cases: &[
            (Case::Below(0), takes![..Length[count: Count], ..CopiedVariable[source: VariableName]]),
            (Case::Is(0), takes![count: Count, ..SingleValue[value: Any]]),
            (Case::Otherwise, takes![count: Count, ..Takes::Repeat(takes![..ArrayValue[value: Any]])]),
        ] }
    ] -> [];
    /// SHUFFLE.
    ShuffleArray = "shuffle_array" [name: VariableName] -> [];
    /// Rolls dice.
    Dice = "dice" [sides: Number, dice: Number] -> [NUMBER];
    /// Calls a core function, or a method of a variable.
    CoreFunc = "corefunc" [function: CoreFunction, ..Takes::Arguments] -> [Gives::Result];
    /// A union of two selections.
    SelAdd = "sel_add" [right: Selection, left: Selection] -> [SELECTION];
    /// A single square.
    SelPoint = "sel_point" [place: Place] -> [SELECTION];
    /// The sides of a rectangle.
    SelRect = "sel_rect" [region: Region] -> [SELECTION];
    /// A filled rectangle.
    SelFillRect = "sel_fillrect" [region: Region] -> [SELECTION];
    /// A line.
    SelLine = "sel_line" [to: Place, from: Place] -> [SELECTION];
    /// A random line.
    SelRndLine = "sel_rndline" [roughness: Number, to: Place, from: Place] -> [SELECTION];
    /// Grows a selection.
    SelGrow = "sel_grow" [directions: Words(Group::Direction), selection: Selection] -> [SELECTION];
    /// The connected squares with the same terrain as a given square.
    SelFlood = "sel_flood" [place: Place] -> [SELECTION];
    /// A random square of a selection.
    SelRndCoord = "sel_rndcoord" [selection: Selection] -> [PLACE];
    /// An ellipse.
    SelEllipse = "sel_ellipse" [
        filling: Word(Group::Filling), y_radius: Number, x_radius: Number, center: Place
    ] -> [SELECTION];
    /// Filters a selection.
    SelFilter = "sel_filter" [..Takes::Choice { below: 0, cases: &[
        (Case::Is(0), takes![..Filter[kind: Kind], ..ChanceFilter[chance: Percent, selection: Selection]]),
        (Case::Is(1), takes![kind: Kind, ..Intersection[selection: Selection, filter: Selection]]),
        (Case::Is(2), takes![kind: Kind, ..TerrainFilter[selection: Selection, terrain: MapCharacter]]),
    ] }] -> [SELECTION];
    /// Random squares, more likely with greater distance.
    SelGradient = "sel_gradient" [
        gradient: Word(Group::Gradient), limited: Word(Group::Limited), to: Place, from: Place, maximum: Number,
        minimum: Number
    ] -> [SELECTION];
    /// All squares outside a selection.
    SelComplement = "sel_complement" [selection: Selection] -> [SELECTION];
    /// TOPOLOGIZE.
    Topography = "topography" [place: Place] -> [];
    /// Converts two numbers to a place, or a place to two numbers.
    ConvertType = "convert_type" [..Takes::Choice { below: 0, cases: &[
        (
            Case::Type(ValueType::Integer),
            takes![..Conversion[from: TypeOfValues, to: TypeOfValues], ..Coordinates[y: Number, x: Number]],
        ),
        (
            Case::Type(ValueType::Coordinate),
            takes![from: TypeOfValues, to: TypeOfValues, ..ConvertedPlace[place: Place]],
        ),
    ] }] -> [Gives::Converted];
}

impl Opcode {
    /// Returns the values it takes from the stack and leaves there.
    pub fn signature(self) -> &'static Signature {
        &SIGNATURES[self as usize]
    }
}

impl Opcode {
    /// Returns true if execution may continue elsewhere than at the opcode after it.
    pub fn jumps(self) -> bool {
        use Opcode::{Call, Exit, Je, Jg, Jge, Jl, Jle, Jmp, Jne, Return};
        matches!(self, Jmp | Jl | Jle | Jg | Jge | Je | Jne | Call | Return | Exit)
    }
}

impl fmt::Display for Opcode {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.pad(self.as_str())
    }
}
