//! Diagnostics: errors, warnings and notes, with suggested fixes.
//!
//! A [`Diagnostic`] is independent of its presentation; the command line renders it (as text with the source line, as
//! one line, as JSON). Each type of diagnostic has a stable [`Code`].

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde::Serialize;

use crate::limits::{MAX_CORRECTED_DIAGNOSTICS, MAX_DIAGNOSTICS, MAX_FAILURES_PER_DIAGNOSTIC, MAX_MESSAGE_BYTES};
use crate::order::Order;
use crate::source::Span;
use crate::wording::{Conjunction, listed};

mod message;
pub use message::{Message, Mistake};

/// The severity of a diagnostic.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// Information only.
    Note,
    /// The level is written, but is probably not what its author meant.
    Warning,
    /// Nothing is written.
    Error,
}

impl Severity {
    /// Returns its name: `error`, `warning` or `note`.
    pub fn name(self) -> &'static str {
        match self {
            Severity::Error => "error",
            Severity::Warning => "warning",
            Severity::Note => "note",
        }
    }
}

/// The default level of a warning, if the command line can change it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lint {
    /// Not a lint: its severity is fixed.
    Fixed,
    /// Shown unless allowed.
    Warn,
    /// Not shown unless requested (`-W`); the games' compilers show these under `-v` or `-w`.
    Allow,
}

macro_rules! codes {
    ($($(#[doc = $doc:literal])* $variant:ident = $code:literal, $name:literal, $severity:ident, $lint:ident;)*) => {
        /// A type of diagnostic, stable across versions so that scripts can rely on it.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[non_exhaustive]
        pub enum Code { $($(#[doc = $doc])* $variant,)* }

        impl Code {
            /// Every code.
            pub const ALL: &'static [Code] = &[$(Code::$variant,)*];

            /// Returns the code as shown, e.g. `E0101`.
            pub fn as_str(self) -> &'static str { match self { $(Code::$variant => $code,)* } }

            /// Returns its name for `-W`, `-D` and `-A`, e.g. `unknown-room`.
            pub fn name(self) -> &'static str { match self { $(Code::$variant => $name,)* } }

            /// Returns its default severity.
            pub fn severity(self) -> Severity { match self { $(Code::$variant => Severity::$severity,)* } }

            /// Returns its default lint level, or [`Lint::Fixed`] if it is not a lint.
            pub fn lint(self) -> Lint { match self { $(Code::$variant => Lint::$lint,)* } }

            /// Returns its explanation, in one sentence.
            pub fn explanation(self) -> &'static str {
                match self { $(Code::$variant => concat!($($doc),*).trim_start(),)* }
            }
        }
    };
}

codes! {
    /// The dialect assumed for a file when none is given.
    Dialect = "N0501", "dialect", Note, Fixed;
    /// A file with errors that looks like another dialect.
    OtherDialect = "N0502", "other-dialect", Note, Fixed;
    /// A level as JSON that is compiled for another game than the one it names.
    OtherTarget = "N0503", "other-target", Note, Fixed;

    /// A remark about a level read back from a level file: invented names, information that the file lacks.
    ReadBack = "N0504", "read-back", Note, Fixed;
    /// A function, key or word of a Lua level that the game's catalog declares, and that splc accepts without effect.
    WithoutEffect = "N0505", "without-effect", Note, Fixed;

    /// A word or character that the grammar does not allow there.
    Syntax = "E0001", "syntax", Error, Fixed;
    /// Characters that do not belong to any token.
    Lexical = "E0002", "lexical", Error, Fixed;
    /// A string without its closing quote.
    UnterminatedString = "E0003", "unterminated-string", Error, Fixed;
    /// A MAP without ENDMAP, or a line in it with characters that are not map characters.
    MapText = "E0004", "map-text", Error, Fixed;
    /// A number that is too large for the game.
    NumberRange = "E0005", "number-range", Error, Fixed;
    /// A percentage above 100.
    Percentage = "E0006", "percentage", Error, Fixed;
    /// Brackets, blocks or conditions nested too deeply.
    Nesting = "E0007", "nesting", Error, Fixed;
    /// A file or a line that is too large to be a level.
    TooLarge = "E0008", "too-large", Error, Fixed;
    /// A file that cannot be read.
    Unreadable = "E0009", "unreadable", Error, Fixed;
    /// A construct that this dialect does not have.
    WrongDialect = "E0010", "wrong-dialect", Error, Fixed;
    /// Text that is not JSON, where a level as JSON is expected.
    JsonSyntax = "E0011", "json-syntax", Error, Fixed;
    /// JSON that is not a level, or a level in the form of another version of splc.
    JsonSchema = "E0012", "json-schema", Error, Fixed;
    /// A key that is unknown, missing or given twice in a level as JSON.
    JsonKey = "E0013", "json-key", Error, Fixed;
    /// A value of the wrong type, or an invalid value, in a level as JSON.
    JsonValue = "E0014", "json-value", Error, Fixed;
    /// A game or dialect in a level as JSON that is unknown or not the requested one.
    JsonTarget = "E0015", "json-target", Error, Fixed;
    /// A statement in the wrong place.
    Placement = "E0020", "placement", Error, Fixed;
    /// A maze with neither NOMAP nor a map.
    EmptyMaze = "E0021", "empty-maze", Error, Fixed;

    /// A variable that is used before it is set.
    UnknownVariable = "E0101", "unknown-variable", Error, Fixed;
    /// A value of one type where another is needed.
    TypeMismatch = "E0102", "type-mismatch", Error, Fixed;
    /// A function that is not defined, or not defined yet.
    UnknownFunction = "E0103", "unknown-function", Error, Fixed;
    /// A function that is defined twice.
    DuplicateFunction = "E0104", "duplicate-function", Error, Fixed;
    /// A call with the wrong arguments.
    Arguments = "E0105", "arguments", Error, Fixed;
    /// A FUNCTION inside a FUNCTION.
    NestedFunction = "E0106", "nested-function", Error, Fixed;
    /// A SWITCH inside a SWITCH.
    NestedSwitch = "E0107", "nested-switch", Error, Fixed;
    /// More cases than a SWITCH allows, or two DEFAULTs.
    SwitchCases = "E0108", "switch-cases", Error, Fixed;
    /// A BREAK with nothing to break out of.
    StrayBreak = "E0109", "stray-break", Error, Fixed;
    /// A SHUFFLE of something that is not an array.
    ShuffleTarget = "E0110", "shuffle-target", Error, Fixed;

    /// A monster, or a monster class, that the game does not have.
    UnknownMonster = "E0201", "unknown-monster", Error, Fixed;
    /// An object, or an object class, that the game does not have.
    UnknownObject = "E0202", "unknown-object", Error, Fixed;
    /// A trap that the game does not have.
    UnknownTrap = "E0203", "unknown-trap", Error, Fixed;
    /// A map character that the game does not have.
    UnknownTerrain = "E0204", "unknown-terrain", Error, Fixed;
    /// A detail of a monster or object that is given twice.
    DuplicateDetail = "E0205", "duplicate-detail", Error, Fixed;
    /// An object without a place, or an object inside a container with one.
    ObjectPlace = "E0206", "object-place", Error, Fixed;
    /// A door or container state that is not allowed here.
    State = "E0207", "state", Error, Fixed;
    /// A coordinate outside the map.
    CoordinateRange = "E0208", "coordinate-range", Error, Fixed;
    /// A region outside the map or with its corners swapped.
    RegionRange = "E0209", "region-range", Error, Fixed;
    /// A map that is larger than a level.
    MapSize = "E0210", "map-size", Error, Fixed;
    /// An invalid room detail: position, chance, door.
    RoomDetail = "E0211", "room-detail", Error, Fixed;
    /// An INIT_MAP with unsuitable terrain.
    InitMap = "E0212", "init-map", Error, Fixed;
    /// A register index that does not exist.
    RegisterRange = "E0213", "register-range", Error, Fixed;
    /// A VAULTGEN outside of a random vault, or without a positive weight.
    VaultGeneration = "E0214", "vault-generation", Error, Fixed;
    /// Statements in a REGION that does not become a room.
    RegionBlock = "E0215", "region-block", Error, Fixed;
    /// A level that needs more opcodes than the game allows.
    ProgramSize = "E0216", "program-size", Error, Fixed;
    /// A list of registers that is too long, or given twice.
    Registers = "E0230", "registers", Error, Fixed;
    /// A door where the map has none, or in the wrong form.
    Door = "E0231", "door", Error, Fixed;
    /// More things of one type than a level file allows.
    TooMany = "E0232", "too-many", Error, Fixed;
    /// A drawbridge in an impossible place.
    Drawbridge = "E0233", "drawbridge", Error, Fixed;
    /// A corridor between rooms that do not exist.
    Corridor = "E0234", "corridor", Error, Fixed;
    /// A subroom without its room, or too many subrooms.
    Subroom = "E0235", "subroom", Error, Fixed;
    /// More MESSAGE text than a level file allows.
    Message = "E0236", "message", Error, Fixed;
    /// Something that needs a MAP, in a part without one.
    NeedsMap = "E0237", "needs-map", Error, Fixed;

    /// A level name that is too long, or cannot be a file name.
    LevelName = "E0301", "level-name", Error, Fixed;
    /// Two levels of the same name from different files.
    DuplicateOutput = "E0302", "duplicate-output", Error, Fixed;
    /// An INCLUDE whose file cannot be used.
    Include = "E0303", "include", Error, Fixed;
    /// Something that the chosen target cannot express.
    Target = "E0304", "target", Error, Fixed;
    /// A compiled level file that is damaged or does not belong to the target.
    Damaged = "E0305", "damaged", Error, Fixed;
    /// A file without a level.
    NoLevel = "W0306", "no-level", Warning, Warn;
    /// A file that cannot be written.
    Unwritable = "E0307", "unwritable", Error, Fixed;
    /// Options that exclude each other, or have no effect on the command.
    Usage = "E0308", "usage", Error, Fixed;

    /// A level file that no des-file compiles to; splc can only show its listing.
    NoSource = "E0309", "no-source", Error, Fixed;
    /// A project file (`splc.toml`) that cannot be read, or an unknown key or value in it.
    Project = "E0310", "project", Error, Fixed;

    /// An archive that is damaged, or cannot be changed as requested.
    Archive = "E0601", "archive", Error, Fixed;
    /// A conditional in a dungeon description that makedefs does not recognise, or that has no end.
    Conditional = "E0611", "conditional", Error, Fixed;
    /// A bones marker that is neither one character nor "none".
    BonesMarker = "E0612", "bones-marker", Error, Fixed;
    /// A word that cannot describe a dungeon or level here.
    Descriptor = "E0613", "descriptor", Error, Fixed;
    /// An impossible place or number of levels.
    DepthRange = "E0614", "depth-range", Error, Fixed;
    /// A chain from a level that does not exist, or does not always exist.
    Chain = "E0615", "chain", Error, Fixed;
    /// A branch to a dungeon that is described earlier.
    ReverseBranch = "E0616", "reverse-branch", Error, Fixed;
    /// A chained level with the same name as another level.
    DuplicateName = "E0617", "duplicate-name", Error, Fixed;
    /// More dungeons, levels or branches than a game allows.
    DungeonLimit = "E0618", "dungeon-limit", Error, Fixed;
    /// A name in a dungeon description that is too long for the file.
    DungeonName = "E0619", "dungeon-name", Error, Fixed;
    /// A name in a dungeon description that is too long for the game, although it fits the file.
    LongName = "W0620", "long-name", Warning, Warn;
    /// Two dungeons, or two levels of one dungeon, that share their bones files.
    SharedBones = "W0621", "shared-bones", Warning, Warn;
    /// A dungeon that no branch leads to, or a branch to a dungeon that does not exist.
    NoWay = "W0622", "no-way", Warning, Warn;
    /// A branch chained to a level that does not always exist; the games' compiler overlooks it.
    UncertainChain = "W0623", "uncertain-chain", Warning, Warn;
    /// A name that an earlier level or dungeon has; the games' compiler overlooks it.
    RepeatedName = "W0624", "repeated-name", Warning, Warn;
    /// A description before the thing it describes: it applies to the previous level, or to nothing.
    StrayDescription = "W0625", "stray-description", Warning, Warn;
    /// A dungeon at which the game gives up at startup.
    GameRefuses = "W0626", "game-refuses", Warning, Warn;
    /// A number that makes no sense here.
    OddNumber = "W0627", "odd-number", Warning, Warn;
    /// A dungeon description without a dungeon.
    NoDungeon = "W0628", "no-dungeon", Warning, Warn;
    /// A dungeon that cannot always be laid out, so that the game exits at startup.
    GameEnds = "E0630", "game-ends", Error, Fixed;
    /// A file that is not in splc's style.
    Style = "E0629", "style", Error, Fixed;
    /// A level that the dungeon names and that has no level file.
    LevelMissing = "W0631", "level-missing", Warning, Warn;
    /// A level file that the dungeon does not name.
    LevelUnused = "W0632", "level-unused", Warning, Warn;
    /// A portal to a level that is not in the dungeon of the game: the game crashes when it loads the level.
    PortalNowhere = "W0633", "portal-nowhere", Warning, Warn;

    /// A catalog file that is not TOML.
    CatalogSyntax = "E0701", "catalog-syntax", Error, Fixed;
    /// An invalid key, name or value in a catalog file.
    CatalogEntry = "E0702", "catalog-entry", Error, Fixed;
    /// Two entries of a catalog that contradict each other.
    CatalogConflict = "E0703", "catalog-conflict", Error, Fixed;
    /// A catalog that extends one that does not exist, or itself.
    CatalogParent = "E0704", "catalog-parent", Error, Fixed;

    /// Something that a port loses because the target cannot express it.
    PortLost = "W0801", "port-lost", Warning, Warn;
    /// Something that changes in a port: a stand-in, a missing detail, a different rule of the game.
    PortDiffers = "W0802", "port-differs", Warning, Warn;
    /// Something in a port that the target interprets differently from the original game.
    PortGames = "W0805", "port-games", Warning, Allow;
    /// A level that cannot be ported, or not without changes although none are allowed.
    PortImpossible = "E0803", "port-impossible", Error, Fixed;
    /// A mistake in a table of stand-ins.
    StandIns = "E0804", "stand-ins", Error, Fixed;
    /// An entry of a table of stand-ins that has no effect: one of the games has no such name.
    UnusedStandIn = "W0806", "unused-stand-in", Warning, Warn;

    /// A script on which the game would give up, crash or hang while it loads the level.
    Fault = "E0501", "fault", Error, Fixed;
    /// A frozen level whose source does not always make exactly the level.
    NotPinned = "W0502", "not-pinned", Warning, Fixed;

    /// A room type that the game does not have; it becomes an ordinary room.
    UnknownRoom = "W0401", "unknown-room", Warning, Warn;
    /// A character in a map that the game does not have; it becomes stone.
    UnknownMapCharacter = "W0402", "unknown-map-character", Warning, Warn;
    /// A humidity that is given twice.
    RepeatedHumidity = "W0403", "repeated-humidity", Warning, Warn;
    /// A name that matches only if case is ignored.
    NameCase = "W0404", "name-case", Warning, Allow;
    /// A variable that is set and never used.
    UnusedVariable = "W0405", "unused-variable", Warning, Allow;
    /// Two levels of one name in one file: the later one is written over the earlier.
    DuplicateLevel = "W0406", "duplicate-level", Warning, Warn;
    /// Text that the game's compiler ignores.
    Ignored = "W0407", "ignored", Warning, Warn;
    /// Text that the game's compiler does not compile as written.
    Miscompiled = "W0408", "miscompiled", Warning, Warn;
    /// Something placed in a wall.
    PlacedInWall = "W0430", "placed-in-wall", Warning, Warn;
    /// A monster that the game does not have: it becomes a random one, or a disguise has no effect.
    UnknownMonsterName = "W0431", "unknown-monster-name", Warning, Warn;
    /// An object that the game does not have: it becomes a random one, or a disguise as an object or feature has no
    /// effect.
    UnknownObjectName = "W0432", "unknown-object-name", Warning, Warn;
    /// A fill character that the game does not have; the level becomes a maze.
    UnknownFilling = "W0433", "unknown-filling", Warning, Warn;
    /// Rock or doors inside a room region.
    RockInRoom = "W0434", "rock-in-room", Warning, Allow;
    /// Corners of a room region that are not rock or wall.
    OpenCorner = "W0435", "open-corner", Warning, Allow;
    /// A `contained` object without its container.
    ContainerOrder = "W0436", "container-order", Warning, Warn;
    /// A shop without a door.
    ShopDoor = "W0437", "shop-door", Warning, Warn;
    /// Blanks at the end of a map line, or before all lines of a map, where they are part of it.
    MapBlanks = "W0438", "map-blanks", Warning, Warn;
    /// A name that the game ignores.
    NameIgnored = "W0439", "name-ignored", Warning, Warn;
    /// A corpse or statue of an unknown monster; the game picks a random one.
    UnknownCorpse = "W0440", "unknown-corpse", Warning, Warn;
    /// A number that is too large for its field; only its lower bits are kept.
    NumberCut = "W0441", "number-cut", Warning, Warn;
    /// A register that is used and never set.
    RegisterUnset = "W0442", "register-unset", Warning, Warn;
    /// Something placed outside of the map, where there is only rock.
    OutsideMap = "W0450", "outside-map", Warning, Warn;
    /// A DOOR on a square without walls next to it, or on the floor of a ROOM.
    OddDoor = "W0451", "odd-door", Warning, Warn;
    /// A SUBROOM that does not fit into its ROOM.
    SubroomSize = "W0452", "subroom-size", Warning, Warn;
    /// A ROOMDOOR or SUBROOM outside of a room, or something placed outside of its room.
    OutsideRoom = "W0453", "outside-room", Warning, Warn;
    /// A ROOM of type "vault", which the game never creates.
    VaultRoom = "W0454", "vault-room", Warning, Warn;
    /// Rooms without a corridor between them.
    NoCorridors = "W0455", "no-corridors", Warning, Warn;
    /// Map lines of different lengths.
    RaggedMap = "W0456", "ragged-map", Warning, Allow;
    /// A fountain that a map of NetHack 3.4.3 draws and no FOUNTAIN declares: the game does not count it.
    DrawnFountain = "W0457", "drawn-fountain", Warning, Warn;
    /// A throne room or shop with rock in its rectangle: the game can put the throne or goods into the rock.
    RockInFilledRoom = "W0458", "rock-in-filled-room", Warning, Warn;
    /// A region of stairs, branch or arrival whose corners are swapped: it has no squares, or excludes none.
    SwappedCorners = "W0459", "swapped-corners", Warning, Warn;
    /// A door that a map draws and no DOOR declares, beside declared ones: the game makes a doorway without a door.
    DrawnDoor = "W0460", "drawn-door", Warning, Warn;
    /// A random vault that is a map with floor and without a region: no corridor leads to it.
    UnjoinedVault = "W0463", "unjoined-vault", Warning, Warn;
    /// A level without a flag or protection that nearly all other versions of it in the file have.
    LoneFlag = "W0464", "lone-flag", Warning, Warn;
    /// A second door or boulder at the same place, or a unique monster that the level already has.
    RepeatedThing = "W0465", "repeated-thing", Warning, Warn;
    /// A map that is symmetric except for one or two squares, which are floor on one side and rock on the other.
    BrokenSymmetry = "W0466", "broken-symmetry", Warning, Warn;
    /// A map line that ends with a wall a few columns before or after those around it.
    UnevenMapLine = "W0467", "uneven-map-line", Warning, Warn;
    /// An object at a random place, between the contents of a container (NetHack 3.4.3).
    LooseObject = "W0462", "loose-object", Warning, Warn;
    /// A place that a list of places has twice.
    RepeatedPlace = "W0461", "repeated-place", Warning, Warn;
    /// A region relative to a map that only an earlier level of the file has.
    InheritedRegion = "W0468", "inherited-region", Warning, Warn;
    /// Contents of an object that cannot be opened, such as a boulder.
    OddContainer = "W0469", "odd-container", Warning, Warn;
    /// A keyword or species in quotes, which makes it the name of the monster.
    QuotedWord = "W0443", "quoted-word", Warning, Warn;
    /// An index past the last value of an array.
    IndexRange = "W0444", "index-range", Warning, Warn;
    /// Two cases with the same value in a SWITCH: the second one is never chosen.
    RepeatedCase = "W0445", "repeated-case", Warning, Warn;
    /// A condition that is always true, or always false.
    ConstantCondition = "W0446", "constant-condition", Warning, Warn;
    /// A construct on which the game's own compiler crashes.
    CompilerCrashes = "W0447", "compiler-crashes", Warning, Warn;
    /// A variable of the level in a FUNCTION, or the other way round, which SporkHack does not find.
    LostVariable = "W0448", "lost-variable", Warning, Warn;
    /// A BREAK in a FUNCTION for a block around the FUNCTION: the game's compiler writes a jump to a wrong place.
    WrongJump = "W0449", "wrong-jump", Warning, Warn;

    /// A complaint of the loader while it runs the level: on some seeds a statement has no effect.
    LoaderComplaint = "W0901", "loader-complaint", Warning, Warn;
    /// A statement that the game skips silently: a value has the wrong type, or there is nothing to act on.
    PassedOver = "W0902", "passed-over", Warning, Warn;
    /// A ROOM or SUBROOM that finds no place: its contents are not created.
    RoomWithoutPlace = "W0903", "room-without-place", Warning, Warn;
    /// A level without stairs, ladder, portal or arrival region.
    NoWayIn = "W0904", "no-way-in", Warning, Allow;
    /// A level that lacks its stairs on some seeds, or whose stairs are covered.
    MissingStairs = "W0905", "missing-stairs", Warning, Warn;
    /// Two stairs, or ladders, in the same direction: the game uses only the last.
    DuplicateStairs = "W0906", "duplicate-stairs", Warning, Warn;
    /// An arrival region without a square to stand on.
    BlockedArrival = "W0907", "blocked-arrival", Warning, Warn;
    /// Stairs down that cannot be reached when arriving from above.
    UnreachableStairs = "W0908", "unreachable-stairs", Warning, Warn;
    /// Floor that can be reached only by digging, or not at all.
    UnreachableSquare = "W0909", "unreachable-square", Warning, Warn;
    /// An object that can be reached only by digging, or not at all.
    UnreachableThing = "W0910", "unreachable-thing", Warning, Warn;
    /// Stairs, floor or an object that can only be reached across water or lava.
    BeyondWater = "W0911", "beyond-water", Warning, Allow;
    /// A thing in rock, a wall, a tree or iron bars.
    ThingInRock = "W0912", "thing-in-rock", Warning, Warn;
    /// A monster in water or lava that can neither swim nor fly, or a sea monster on land.
    DrowningMonster = "W0913", "drowning-monster", Warning, Warn;
    /// A shop without a keeper or goods.
    EmptyShop = "W0914", "empty-shop", Warning, Warn;
    /// A shop with an exit that the keeper does not guard.
    OpenShop = "W0915", "open-shop", Warning, Warn;
    /// A statement that never runs.
    NeverRuns = "W0916", "never-runs", Warning, Warn;
    /// A CASE without BREAK: the game goes on with the statements of the next one.
    FallThrough = "W0917", "fall-through", Warning, Warn;
    /// A trap on an altar, fountain, sink or throne, or on stairs.
    TrapOnFurniture = "W0930", "trap-on-furniture", Warning, Warn;
    /// A trap on the floor of a shop.
    TrapInShop = "W0931", "trap-in-shop", Warning, Warn;
    /// A random tool in a container, which can be another container.
    ContainerInContainer = "W0932", "container-in-container", Warning, Warn;
    /// A container with treasure that may be trapped: the explosion destroys it.
    TrappedTreasure = "W0933", "trapped-treasure", Warning, Warn;
    /// A quest nemesis without the Bell of Opening, so that the game cannot be won.
    NoBell = "W0934", "no-bell", Warning, Warn;
    /// A puzzle of boulders that cannot be solved: too few boulders, all of them beyond the pits, or no solution.
    BoulderPuzzle = "W0935", "boulder-puzzle", Warning, Warn;
    /// A closed part of the level in which a hero who falls or teleports into the level can arrive.
    ClosedArrival = "W0936", "closed-arrival", Warning, Warn;
    /// Stairs or squares that need a step between two corners, which large or heavily loaded heroes cannot take.
    TightSqueeze = "W0937", "tight-squeeze", Warning, Warn;
    /// A level without stairs where its dungeon goes on, or with stairs where it ends; checked if the dungeon is known.
    DeadEnd = "W0938", "dead-end", Warning, Warn;
    /// An object that is named like an artifact and is not it: another object, or a misspelt name.
    ArtifactObject = "W0939", "artifact-object", Warning, Warn;
    /// An artifact that the level makes twice; the second one is ordinary.
    ArtifactTwice = "W0940", "artifact-twice", Warning, Warn;
    /// A statement about terrain that changes nothing on any seed.
    NoEffect = "W0941", "no-effect", Warning, Allow;
    /// A quest's last level without the nemesis of the quest.
    NoNemesis = "W0942", "no-nemesis", Warning, Warn;
    /// A level of a Lua script that is lit in one game of two, because the script does not give its light.
    LitByChance = "W0943", "lit-by-chance", Warning, Warn;
    /// A hole or trap door on the last level of a dungeon; checked if the dungeon is known.
    HoleAtBottom = "W0944", "hole-at-bottom", Warning, Warn;
    /// Stairs, a portal or the way to another dungeon that are in a shop, or can be there.
    WayInShop = "W0945", "way-in-shop", Warning, Warn;
    /// A region of light that ends a few rows or columns before its map or room does, or a dark map in a lit cavern.
    ShortRegion = "W0946", "short-region", Warning, Warn;
    /// The only few squares of floor of a walled level that are next to solid rock: a wall or floor is missing.
    GapInWall = "W0947", "gap-in-wall", Warning, Warn;
    /// A level without a flag, a property of its walls, or a monster that the level of this name has in every game.
    MissingTrait = "W0948", "missing-trait", Warning, Warn;
    /// A statue trap and a statue that do not belong together: the trap makes a statue of its own.
    StatueOfTrap = "W0949", "statue-of-trap", Warning, Warn;
    /// A monster that can be peaceful or hostile, although the level says of all others like it what they are.
    OddAttitude = "W0950", "odd-attitude", Warning, Warn;
    /// A comment that allows something other than a lint.
    UnknownLint = "W0920", "unknown-lint", Warning, Warn;

    /// A function or library value that the game's Lua does not have.
    LuaFunction = "E1001", "lua-function", Error, Fixed;
    /// A call that the game rejects: too few arguments, or an argument of the wrong type.
    LuaArguments = "E1002", "lua-arguments", Error, Fixed;
    /// A word that the game rejects here.
    LuaWord = "E1003", "lua-word", Error, Fixed;
    /// A table without a required key, or with keys that exclude each other.
    LuaMissingKey = "E1004", "lua-missing-key", Error, Fixed;
    /// Code that Lua does not compile, although its syntax is right.
    LuaScope = "E1005", "lua-scope", Error, Fixed;
    /// Compiled Lua; a level must be a script.
    LuaCompiled = "E1006", "lua-compiled", Error, Fixed;
    /// A call or a field of a value without one, such as a variable that is never set, or a required argument of nil.
    LuaNil = "E1007", "lua-nil", Error, Fixed;
    /// A variable that is read and never set, and so is nil.
    LuaUnset = "W1010", "lua-unset", Warning, Warn;
    /// A key that the function does not read.
    LuaKey = "W1011", "lua-key", Warning, Warn;
    /// A value that the game silently replaces by a random one, such as a name that it does not know.
    LuaRandom = "W1012", "lua-random", Warning, Warn;
    /// A string where a boolean is needed; the game reads it as the opposite of its meaning.
    LuaBoolean = "W1013", "lua-boolean", Warning, Warn;
    /// A name shared by several monsters or objects; the game uses the first.
    LuaAmbiguous = "W1014", "lua-ambiguous", Warning, Warn;
    /// A name that means only the males, or only the females, of a monster.
    LuaGendered = "W1015", "lua-gendered", Warning, Allow;
    /// An argument, a value in a table, or one of two selections, that the game ignores.
    LuaIgnored = "W1016", "lua-ignored", Warning, Warn;
    /// A coordinate with a missing or random half.
    LuaHalfPlace = "W1017", "lua-half-place", Warning, Warn;
    /// A selection whose value is not used: most methods do not change the selection they are called on.
    LuaUnusedSelection = "W1018", "lua-unused-selection", Warning, Warn;
    /// A map with a character that the game does not have, or with lines that the game reads from the wrong position.
    LuaMap = "W1019", "lua-map", Warning, Warn;
    /// A name of which the game reads only the beginning.
    LuaLooseName = "W1020", "lua-loose-name", Warning, Warn;
    /// An area whose corners are swapped, so that it has no squares.
    LuaCorners = "W1021", "lua-corners", Warning, Warn;
    /// A region of a special type without the key `filled`: the game leaves it empty.
    LuaUnfilled = "W1022", "lua-unfilled", Warning, Warn;
}

impl Code {
    /// Lints about matters that the games' own compilers never check: the map as a whole, stairs, rooms, comments for
    /// splc.
    pub const SURVEY: &'static [Code] = &[
        Code::OutsideMap,
        Code::OddDoor,
        Code::SubroomSize,
        Code::OutsideRoom,
        Code::VaultRoom,
        Code::NoCorridors,
        Code::RaggedMap,
        Code::DuplicateStairs,
        Code::OpenShop,
        Code::DrawnFountain,
        Code::RockInFilledRoom,
        Code::SwappedCorners,
        Code::DrawnDoor,
        Code::FallThrough,
        Code::RepeatedPlace,
        Code::LoneFlag,
        Code::RepeatedThing,
        Code::BrokenSymmetry,
        Code::UnevenMapLine,
        Code::LooseObject,
        Code::OddContainer,
        Code::UnjoinedVault,
        Code::UnknownLint,
        Code::DrowningMonster,
        Code::LoaderComplaint,
    ];

    /// Errors in names and numbers that leave every statement, place and map of a level as written.
    pub const NAMES: &'static [Code] = &[
        Code::UnknownMonster,
        Code::UnknownObject,
        Code::UnknownTrap,
        Code::DuplicateDetail,
        Code::RegisterRange,
        Code::Message,
        Code::LevelName,
    ];

    /// Returns true if it reports text that could not be parsed.
    pub fn is_unread(self) -> bool {
        matches!(self, Code::Syntax | Code::Lexical | Code::UnterminatedString | Code::MapText)
    }
}

/// A secondary place of a diagnostic.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Label {
    /// Its position.
    pub span: Span,
    /// Its label.
    pub message: String,
}

/// A change of the source that fixes the mistake.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Suggestion {
    /// The text to replace (empty: insert before `start`).
    pub span: Span,
    /// The new text.
    pub replacement: String,
    /// Set if a tool may apply it without review.
    pub applicable: bool,
}

/// An error, warning or note.
#[derive(Clone, Debug, PartialEq)]
pub struct Diagnostic {
    /// Its type.
    pub code: Code,
    /// Its severity.
    pub severity: Severity,
    /// The message.
    pub message: Message,
    /// The place, if it has one.
    pub span: Option<Span>,
    /// The text shown next to the marker of `span`; may be empty.
    pub label: Cow<'static, str>,
    /// Secondary places.
    pub labels: Vec<Label>,
    /// Background facts.
    pub notes: Vec<String>,
    /// Advice on how to fix it.
    pub help: Option<String>,
    /// Edits that fix it.
    pub suggestions: Vec<Suggestion>,
    /// The token at which a token-by-token parser notices the mistake, if it is not at `span`. `span` is the mistake
    /// itself.
    pub noticed: Option<Span>,
}

impl Diagnostic {
    /// Creates a diagnostic of `code` at `span`. A span that is [nowhere](Span::NOWHERE) counts as absent.
    pub fn new(code: Code, span: impl Into<Option<Span>>, message: impl Into<Message>) -> Self {
        Diagnostic {
            code,
            severity: code.severity(),
            message: message.into(),
            span: span.into().and_then(Span::somewhere),
            label: Cow::Borrowed(""),
            labels: Vec::new(),
            notes: Vec::new(),
            help: None,
            suggestions: Vec::new(),
            noticed: None,
        }
    }

    /// Returns the diagnostic of a text that begins at `start` of its file.
    pub fn moved(mut self, start: usize) -> Self {
        let start = u32::try_from(start).unwrap_or(u32::MAX);
        let spans = self.span.iter_mut().chain(self.labels.iter_mut().map(|label| &mut label.span));
        for span in spans.chain(self.suggestions.iter_mut().map(|edit| &mut edit.span)) {
            (span.start, span.end) = (span.start.saturating_add(start), span.end.saturating_add(start));
        }
        self
    }

    /// Sets the place at which a parser notices the mistake.
    pub fn with_noticed(mut self, noticed: Span) -> Self {
        self.noticed = noticed.somewhere().filter(|&noticed| self.span != Some(noticed));
        self
    }

    /// Sets the label of its place.
    pub fn with_label(mut self, label: impl Into<Cow<'static, str>>) -> Self {
        self.label = label.into();
        self
    }

    /// Adds a secondary place, unless it is nowhere.
    pub fn with_secondary(mut self, span: Span, message: impl Into<String>) -> Self {
        if let Some(span) = span.somewhere() {
            self.labels.push(Label { span, message: message.into() });
        }
        self
    }

    /// Adds a note.
    pub fn with_note(mut self, note: impl Into<String>) -> Self {
        self.notes.push(note.into());
        self
    }

    /// Sets the help.
    pub fn with_help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    /// Adds an edit that fixes it, unless `span` is nowhere.
    pub fn with_suggestion(mut self, span: Span, replacement: impl Into<String>, applicable: bool) -> Self {
        if let Some(span) = span.somewhere() {
            self.suggestions.push(Suggestion { span, replacement: replacement.into(), applicable });
        }
        self
    }
}

/// A lint that a source file allows for a part of itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Allowance {
    /// The part: diagnostics that begin in it are allowed.
    pub span: Span,
    /// The lint.
    pub code: Code,
}

impl Allowance {
    fn covers(&self, diagnostic: &Diagnostic) -> bool {
        let Some(span) = diagnostic.span else { return false };
        let Span { file, start, end } = self.span;
        self.code == diagnostic.code && file == span.file && (start..end).contains(&span.start)
    }
}

/// The handling of a lint.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LintLevel {
    /// Suppress it.
    Allow,
    /// Warn.
    Warn,
    /// Report it as an error.
    Deny,
}

/// The level of each lint: its default unless overridden. Also the number of diagnostics to keep.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LintLevels {
    /// Overrides, the latest last.
    requested: Vec<(Code, LintLevel)>,
    readers: Readers,
    /// The levels for single files, by the path that identifies them.
    by_file: Arc<BTreeMap<PathBuf, LintLevels>>,
}

/// The readers of diagnostics, who determine how many of them are kept.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Readers {
    /// People: [`MAX_DIAGNOSTICS`].
    #[default]
    People,
    /// A program that corrects the mistakes: [`MAX_CORRECTED_DIAGNOSTICS`].
    Programs,
}

impl Readers {
    /// Returns the largest number of errors, of warnings and of notes that are kept.
    pub fn most(self) -> usize {
        match self {
            Readers::People => MAX_DIAGNOSTICS,
            Readers::Programs => MAX_CORRECTED_DIAGNOSTICS,
        }
    }
}

impl LintLevels {
    /// Sets the readers of the diagnostics.
    pub fn set_readers(&mut self, readers: Readers) {
        self.readers = readers;
        if !self.by_file.is_empty() {
            Arc::make_mut(&mut self.by_file).values_mut().for_each(|levels| levels.readers = readers);
        }
    }

    /// Sets the level of `code`, overriding earlier calls. Has no effect on codes that are not lints.
    pub fn set(&mut self, code: Code, level: LintLevel) {
        self.requested.retain(|&(known, _)| known != code);
        self.requested.push((code, level));
    }

    /// Sets the levels for the file at `place`.
    pub fn set_for(&mut self, place: PathBuf, levels: LintLevels) {
        Arc::make_mut(&mut self.by_file).insert(place, levels);
    }

    /// Returns the levels for the input whose file is at `place`.
    pub fn of(&self, place: Option<&Path>) -> &LintLevels {
        place.and_then(|place| self.by_file.get(place)).unwrap_or(self)
    }

    /// Returns the level of `code`, or `None` if it is not a lint.
    pub fn get(&self, code: Code) -> Option<LintLevel> {
        let usual = match code.lint() {
            Lint::Fixed => return None,
            Lint::Warn => LintLevel::Warn,
            Lint::Allow => LintLevel::Allow,
        };
        Some(self.requested.iter().find(|&&(requested, _)| requested == code).map_or(usual, |&(_, level)| level))
    }
}

fn shorten(text: &mut String) {
    if text.len() > MAX_MESSAGE_BYTES {
        let mut end = MAX_MESSAGE_BYTES;
        while !text.is_char_boundary(end) {
            end -= 1;
        }
        text.truncate(end);
        text.push('…');
    }
}

/// A collection of diagnostics, filtered by [`LintLevels`]. It keeps a [limited number](Readers::most) of errors, warnings
/// and notes each, so that no input floods memory.
#[derive(Clone, Debug, Default)]
pub struct Diagnostics {
    lints: LintLevels,
    allowances: Vec<Allowance>,
    list: Vec<Diagnostic>,
    errors: Count,
    warnings: Count,
    notes: Count,
}

/// The number of diagnostics of one severity.
#[derive(Clone, Copy, Debug, Default)]
struct Count {
    /// Pushed and not removed again.
    pushed: usize,
    /// Number kept of them.
    kept: usize,
}

impl Diagnostics {
    /// Creates an empty collection.
    pub fn new() -> Self {
        Self::default()
    }

    /// Creates an empty collection with the lint levels `lints`.
    pub fn with_lints(lints: LintLevels) -> Self {
        Diagnostics { lints, ..Self::default() }
    }

    /// Keeps no more diagnostics than `readers` need; the others are only counted.
    pub fn for_readers(mut self, readers: Readers) -> Self {
        self.lints.set_readers(readers);
        let most = self.most();
        let list = std::mem::take(&mut self.list);
        [self.errors.kept, self.warnings.kept, self.notes.kept] = [0; 3];
        for diagnostic in list {
            let count = self.count_mut(diagnostic.severity);
            if count.kept < most {
                count.kept += 1;
                self.list.push(diagnostic);
            }
        }
        self
    }

    /// Adds a diagnostic.
    pub fn push(&mut self, mut diagnostic: Diagnostic) {
        if diagnostic.severity == Severity::Warning {
            if self.allowances.iter().any(|allowance| allowance.covers(&diagnostic)) {
                return;
            }
            match self.lints.get(diagnostic.code) {
                Some(LintLevel::Allow) => return,
                Some(LintLevel::Deny) => diagnostic.severity = Severity::Error,
                Some(LintLevel::Warn) | None => {}
            }
        }
        // Errors and the rest are counted separately, so that a flood of warnings cannot hide an error.
        let most = self.most();
        let count = self.count_mut(diagnostic.severity);
        count.pushed += 1;
        if count.kept < most {
            count.kept += 1;
            diagnostic.message.shorten();
            shorten(diagnostic.label.to_mut());
            diagnostic.labels.iter_mut().for_each(|label| shorten(&mut label.message));
            diagnostic.notes.iter_mut().for_each(shorten);
            diagnostic.help.iter_mut().for_each(shorten);
            self.list.push(diagnostic);
        }
    }

    /// Adds lints that a source allows, for later diagnostics and for those already collected.
    pub fn allow(&mut self, allowances: impl IntoIterator<Item = Allowance>) {
        let known = self.allowances.len();
        self.allowances.extend(allowances);
        if self.allowances.len() > known {
            let allowances = std::mem::take(&mut self.allowances);
            let allowed = |diagnostic: &Diagnostic| {
                diagnostic.code.lint() != Lint::Fixed && allowances.iter().any(|allowance| allowance.covers(diagnostic))
            };
            self.retain(|diagnostic| !allowed(diagnostic));
            self.allowances = allowances;
        }
    }

    /// Returns the lints that the source allows.
    pub fn allowances(&self) -> &[Allowance] {
        &self.allowances
    }

    /// Counts `more` diagnostics of `code` that were never created because they would not be shown.
    pub fn count(&mut self, code: Code, more: usize) {
        let severity = match self.lints.get(code) {
            Some(LintLevel::Allow) => return,
            Some(LintLevel::Deny) => Severity::Error,
            Some(LintLevel::Warn) | None => code.severity(),
        };
        self.count_mut(severity).pushed += more;
    }

    /// Returns a sentence that suggests the names nearest to `name`, if a diagnostic of `code` would still be kept.
    /// Searching a long list for each of many errors would be slow.
    pub fn near<'n>(&self, code: Code, name: &str, known: impl IntoIterator<Item = &'n str>) -> Option<String> {
        if self.keeps(code) { did_you_mean(name, known) } else { None }
    }

    /// Returns true if one more diagnostic of `code` would be kept. If not, the caller can skip composing it.
    pub fn keeps(&self, code: Code) -> bool {
        let severity = match self.lints.get(code) {
            Some(LintLevel::Allow) => return false,
            Some(LintLevel::Deny) => Severity::Error,
            Some(LintLevel::Warn) | None => code.severity(),
        };
        let count = match severity {
            Severity::Error => self.errors,
            Severity::Warning => self.warnings,
            Severity::Note => self.notes,
        };
        count.kept < self.most()
    }

    /// Returns the largest number of errors, of warnings and of notes that are kept.
    pub fn most(&self) -> usize {
        self.lints.readers.most()
    }

    /// Returns the largest number of syntax errors that are examined.
    pub fn most_failures(&self) -> usize {
        MAX_FAILURES_PER_DIAGNOSTIC * self.most()
    }

    fn count_mut(&mut self, severity: Severity) -> &mut Count {
        match severity {
            Severity::Error => &mut self.errors,
            Severity::Warning => &mut self.warnings,
            Severity::Note => &mut self.notes,
        }
    }

    /// Returns true if there are errors.
    pub fn has_errors(&self) -> bool {
        self.errors.pushed > 0
    }

    /// Returns the places of all errors but those with these codes and lints, in ascending order, or `None` if one of
    /// them has no place or was not kept.
    pub(crate) fn errors_beyond(&self, codes: &[Code]) -> Option<Vec<Span>> {
        if self.errors.pushed > self.errors.kept {
            return None;
        }
        let is_counted = |known: &&Diagnostic| {
            known.severity == Severity::Error && known.code.lint() == Lint::Fixed && !codes.contains(&known.code)
        };
        let spans: Option<Vec<Span>> = self.list.iter().filter(is_counted).map(|known| known.span).collect();
        spans.map(|mut spans| {
            spans.sort_unstable_by_key(|span| (span.file, span.start));
            spans
        })
    }

    /// Returns the number of errors pushed.
    pub fn errors(&self) -> usize {
        self.errors.pushed
    }

    /// Returns the number of warnings pushed and not allowed.
    pub fn warnings(&self) -> usize {
        self.warnings.pushed
    }

    /// Returns the number of diagnostics counted but not kept.
    pub fn dropped(&self) -> usize {
        [self.errors, self.warnings, self.notes].iter().map(|count| count.pushed - count.kept).sum()
    }

    /// Returns the kept diagnostics, in order, for modification.
    pub fn iter_mut(&mut self) -> impl Iterator<Item = &mut Diagnostic> {
        self.list.iter_mut()
    }

    /// Returns the kept diagnostics, in order.
    pub fn iter(&self) -> impl Iterator<Item = &Diagnostic> {
        self.list.iter()
    }

    /// Sorts them by position in the source, those without a place first. Equal places keep the order in which they
    /// were found.
    pub fn sort(&mut self) {
        self.list.order_by_key(|diagnostic| diagnostic.span.map(|span| (span.file, span.start)));
    }

    /// Removes the diagnostics for which `keep` returns false. Those counted but not kept stay counted.
    pub fn retain(&mut self, mut keep: impl FnMut(&Diagnostic) -> bool) {
        let list = std::mem::take(&mut self.list);
        let (kept, removed): (Vec<_>, Vec<_>) = list.into_iter().partition(|diagnostic| keep(diagnostic));
        self.list = kept;
        for diagnostic in removed {
            let count = self.count_mut(diagnostic.severity);
            count.pushed -= 1;
            count.kept -= 1;
        }
    }

    /// Removes and returns all diagnostics, keeping the lint levels.
    pub fn take(&mut self) -> Diagnostics {
        let (lints, allowances) = (self.lints.clone(), self.allowances.clone());
        std::mem::replace(self, Diagnostics { lints, allowances, ..Self::default() })
    }

    /// Adds the diagnostics that were collected before these.
    pub fn prepend(&mut self, earlier: Diagnostics) {
        for (count, known) in [
            (&mut self.errors, earlier.errors),
            (&mut self.warnings, earlier.warnings),
            (&mut self.notes, earlier.notes),
        ] {
            count.pushed += known.pushed;
            count.kept += known.kept;
        }
        self.list.splice(..0, earlier.list);
    }

    /// Returns the kept diagnostics.
    pub fn into_vec(self) -> Vec<Diagnostic> {
        self.list
    }
}

/// Returns the names among `candidates` that are most similar to `wanted`, best first, at most three, for "did you
/// mean".
///
/// A name is similar if it differs only in case or in the signs between its words, or in at most a third of its
/// letters.
pub fn nearest<'a>(wanted: &str, candidates: impl IntoIterator<Item = &'a str>) -> Vec<&'a str> {
    let plain = |name: &str| name.to_lowercase().replace(['_', '-'], " ");
    let wanted_lower = plain(wanted);
    let sorted = |name: &str| {
        let mut letters: Vec<char> = name.chars().collect();
        letters.order();
        letters
    };
    let letters = sorted(&wanted_lower);
    let most = match wanted.chars().count() {
        // Every other name of one letter is as similar.
        ..=1 => return Vec::new(),
        count => (count / 3).clamp(1, 4),
    };
    let mut found: Vec<(usize, &str)> = candidates
        .into_iter()
        .filter(|candidate| !candidate.is_empty() && candidate.len().abs_diff(wanted.len()) <= most)
        .map(|candidate| {
            let known = plain(candidate);
            let anagram = known.len() > 3 && known != wanted_lower && sorted(&known) == letters;
            (if anagram { 1 } else { strsim::osa_distance(&wanted_lower, &known) }, candidate)
        })
        .filter(|&(distance, _)| distance <= most)
        .collect();
    found.order();
    found.dedup();
    // A name that differs only in its signs is the one that was meant.
    if found.first().is_some_and(|&(distance, _)| distance == 0) {
        found.retain(|&(distance, _)| distance == 0);
    }
    found.truncate(3);
    found.into_iter().map(|(_, candidate)| candidate).collect()
}

/// Returns a question that suggests the names of [`nearest`], or `None` if no name is similar.
pub fn did_you_mean<'a>(wanted: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<String> {
    let near = nearest(wanted, candidates);
    let quoted = near.iter().map(|name| format!("\"{name}\""));
    (!near.is_empty()).then(|| format!("did you mean {}?", listed(quoted, Conjunction::Or)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_unique() {
        let mut codes: Vec<_> = Code::ALL.iter().map(|code| code.as_str()).collect();
        let mut names: Vec<_> = Code::ALL.iter().map(|code| code.name()).collect();
        codes.sort_unstable();
        names.sort_unstable();
        assert!(codes.windows(2).all(|pair| pair[0] != pair[1]));
        assert!(names.windows(2).all(|pair| pair[0] != pair[1]));
    }

    #[test]
    fn every_code_is_explained() {
        for code in Code::ALL {
            let text = code.explanation();
            assert!(text.ends_with('.') && !text.contains("  "), "{}: {text:?}", code.as_str());
        }
    }

    #[test]
    fn lints_are_allowed_and_denied() {
        let mut lints = LintLevels::default();
        lints.set(Code::UnknownRoom, LintLevel::Deny);
        lints.set(Code::Ignored, LintLevel::Allow);
        lints.set(Code::Syntax, LintLevel::Allow);
        let mut diagnostics = Diagnostics::with_lints(lints);
        for code in [Code::UnknownRoom, Code::Ignored, Code::Syntax, Code::NameCase, Code::NoLevel] {
            diagnostics.push(Diagnostic::new(code, None, ""));
        }
        let kept: Vec<_> = diagnostics.iter().map(|diagnostic| (diagnostic.code, diagnostic.severity)).collect();
        let expected =
            [(Code::UnknownRoom, Severity::Error), (Code::Syntax, Severity::Error), (Code::NoLevel, Severity::Warning)];
        assert_eq!(kept, expected);
        assert_eq!((diagnostics.errors(), diagnostics.warnings(), diagnostics.dropped()), (2, 1, 0));
    }

    #[test]
    fn a_flood_of_warnings_hides_no_error() {
        let mut diagnostics = Diagnostics::new();
        for _ in 0..2 * MAX_DIAGNOSTICS {
            diagnostics.push(Diagnostic::new(Code::UnknownRoom, None, ""));
        }
        diagnostics.push(Diagnostic::new(Code::Syntax, None, ""));
        assert_eq!(diagnostics.dropped(), MAX_DIAGNOSTICS);
        assert_eq!(diagnostics.iter().filter(|diagnostic| diagnostic.severity == Severity::Error).count(), 1);
        diagnostics.retain(|diagnostic| diagnostic.code == Code::UnknownRoom);
        assert_eq!((diagnostics.errors(), diagnostics.warnings()), (0, 2 * MAX_DIAGNOSTICS));
        assert_eq!(diagnostics.dropped(), MAX_DIAGNOSTICS);
    }

    #[test]
    fn nearest_prefers_the_closest() {
        let names = ["giant eel", "electric eel", "giant ant", ""];
        assert_eq!(nearest("ele~tric eel", names), ["electric eel"]);
        assert_eq!(nearest("Giant Eel", names)[0], "giant eel");
        assert!(nearest("xyzzy", names).is_empty());
    }
}
