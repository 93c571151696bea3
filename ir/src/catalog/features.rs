//! In what the compilers of one dialect family differ: one named switch a difference.

use super::bits::bit_set;

bit_set! {
    /// A point in which the compilers of one dialect family differ.
    enum Feature;
    /// A set of [`Feature`]s.
    struct Features(u64);
    /// There are FUNCTIONs. NetHack 3.6 has the grammar for them, but its lexer lets no name through.
    Functions,
    /// FUNCTIONs take parameters.
    FunctionParameters,
    /// FUNCTION and INCLUDE may stand before the first LEVEL.
    HeaderStatements,
    /// `%i` in the name of a level is a counter.
    NumberedLevels,
    /// A ROOM's flags are not read; what is taken for them is the number of the word that was read
    /// before, which is that of the vertical alignment (UnNetHack 6.0.4, NetHack 3.6).
    RoomFlagsFromAlignment,
    /// An error is told with the line of the last colon before it, if it is not the parser that finds it.
    ErrorsByColon,
    /// Numbers are handed over in `int`s where `long`s are read; see
    /// [`NarrowInteger`](crate::program::Operand::NarrowInteger).
    NarrowIntegers,
    /// A level file is written over an older one without cutting it off first.
    NoTruncation,
    /// Random vaults: the flag `rndvault`, VAULTGEN and the list `vaults.dat`.
    RandomVaults,
    /// A chance stands before the colon of a statement, `MONSTER[50%]: ...`, not before the statement (SporkHack
    /// 0.7.0, lev_comp.y: `chance_part`).
    ChanceBeforeColon,
    /// A percentage above 100 is found in a few statements only, not wherever one is read (SporkHack 0.7.0,
    /// lev_comp.y).
    LatePercentages,
    /// Words and the names of variables have no dots inside (SporkHack 0.7.0, lev_comp.l).
    UndottedWords,
    /// Numbers, texts and other values are written out where later compilers take variables (SporkHack 0.7.0,
    /// lev_comp.y: `math_expr`, `encodecoord` and the like).
    ValuesWithoutVariables,
    /// A coordinate may be made of two numbers that are computed, `($x,$y)` (SporkHack 0.7.0, lev_comp.y).
    ComputedCoordinates,
    /// `$a = $b` makes `$a` a copy of `$b`, of whatever type that is (SporkHack 0.7.0, lev_comp.y: OV_COPY).
    VariableCopies,
    /// BREAK stands directly in a CASE of a SWITCH and nowhere else (SporkHack 0.7.0, lev_comp.y).
    BreakInCaseOnly,
    /// BREAK jumps to another place than right behind its SWITCH; see `QUIRK_OLD_BREAK` where levels are lowered
    /// (SporkHack 0.7.0, lev_main.c).
    ShiftedBreaks,
    /// WALLIFY takes a region only, and two numbers fewer (SporkHack 0.7.0, lev_comp.y).
    WallifyTakesRegions,
    /// SPILL takes its terrain and amount as plain numbers (SporkHack 0.7.0, lev_comp.y).
    SpillTakesNumbers,
    /// The ends of a FOR are plain numbers, and its loop is compiled for them (SporkHack 0.7.0, lev_comp.y).
    ConstantFor,
    /// A condition is a percentage or a comparison, never just a value (SporkHack 0.7.0, lev_comp.y).
    ComparedConditions,
    /// The variables of a FUNCTION are those of the level (SporkHack 0.7.0, lev_comp.y).
    OneScope,
    /// filter() takes a percentage or a selection, not terrain (SporkHack 0.7.0, lev_comp.y).
    FiltersWithoutTerrain,
    /// That a level is a random vault is remembered for the levels behind it in its file (SporkHack 0.7.0,
    /// lev_comp.y).
    VaultRemembered,
    /// That a region is filled is a flag of its own, not part of its type (SporkHack 0.7.0, lev_comp.y).
    FilledIsAFlag,
    /// A REGION that keeps no room has no end, and so no statements in it (SporkHack 0.7.0, lev_comp.y).
    RegionsWithoutEnd,
    /// A ROOM takes each of its flags once (SporkHack 0.7.0, lev_comp.y).
    RoomFlagsOnce,
    /// SWITCH draws a number below its value, whatever that is; without the feature, only below a plain number
    /// (SporkHack 0.7.0, lev_comp.y).
    SwitchAlwaysDraws,
    /// `random` squares may say how they are to be: `random[dry]`.
    RandomHumidity,
    /// A word is made of letters, digits and dashes, so `1-5` is one and `-` is never an operator; variables
    /// have letters only (NetHack 3.6, lev_comp.l).
    DashedWords,
    /// The type of a pushed value takes a `short` in a level file, not a byte (UnNetHack 6.0.15, include/sp_lev.h:
    /// `coordxy svtyp`).
    WideValueTypes,
    /// The ends of `line` and `randline` are joined by a comma, not a dash.
    CommaLines,
    /// The name of a level may have characters in it that some file systems do not take, such as `*`.
    LaxLevelNames,
    /// A drawbridge is open or closed, never random.
    FixedDrawbridges,
    /// DOOR and ROOMDOOR end in the material of the door, 0 if none is written (EvilHack, lev_comp.y). Without the
    /// feature, details of doors are bits beside their state (xNetHack, lev_comp.y).
    DoorsHaveMaterials,
    /// The position of a ROOM counts squares of the level, from 0, not thirds or fifths of it.
    RoomsInSquares,
    /// A part of a level file has a list of random regions behind its level regions.
    RandomRegions,
    /// The registers of places of a part are several lists, and a place in a register is written as its list and its
    /// number.
    PlaceLists,
    /// `levregion()` without numbers stands for a region that is nowhere; a region may begin in column 0.
    EmptyLevelRegions,
    /// `'#'` as the class of a monster or object says that its name is not one of the game's tables.
    ClassesByHash,
    /// MINDEPTH says from which depth on a random vault comes; each line of `vaults.dat` ends in it.
    VaultDepths,
    /// The two values of a gradient are joined by a comma, not a dash.
    CommaGradients,
    /// An ordinary room may have a CHANCE.
    OrdinaryRoomChances,
    /// In a REGION, `true` and `false` stand for irregular and regular.
    IrregularTruth,
    /// There is HALLUMSG beside MESSAGE; its text comes behind the other in a level file (NetHack 4.3, lev_comp.y).
    HallucinationMessages,
    /// SPILL may spill nothing (DynaHack 0.6.0, lev_comp.y).
    EmptySpills,
}
