//! Differences between the compilers of one dialect family, one named switch for each.

use super::bits::bit_set;

bit_set! {
    /// A difference between the compilers of one dialect family.
    enum Feature;
    /// A set of [`Feature`]s.
    struct Features([u64; 1]);
    /// FUNCTION works. NetHack 3.6 has the grammar for it, but its lexer never produces a function name.
    Functions,
    /// FUNCTIONs take parameters.
    FunctionParameters,
    /// FUNCTION and INCLUDE may precede the first LEVEL.
    HeaderStatements,
    /// `%i` in a level name is a counter.
    NumberedLevels,
    /// A ROOM's flags are not read. The number of the last word read, the vertical alignment, is used in their place
    /// (UnNetHack 6.0.4, NetHack 3.6).
    RoomFlagsFromAlignment,
    /// An error found outside the parser is reported at the line of the last colon before it.
    ErrorsByColon,
    /// Numbers are passed as `int`s to functions that read `long`s; see
    /// [`NarrowInteger`](crate::program::Operand::NarrowInteger).
    NarrowIntegers,
    /// A level file overwrites an older one without truncating it first.
    NoTruncation,
    /// Random vaults: the flag `rndvault`, VAULTGEN and the list `vaults.dat`.
    RandomVaults,
    /// A chance is written before the colon of a statement, `MONSTER[50%]: ...`, not before the statement (SporkHack
    /// 0.7.0, lev_comp.y: `chance_part`).
    ChanceBeforeColon,
    /// A percentage above 100 is an error in a few statements only, not wherever a percentage is read (SporkHack 0.7.0,
    /// lev_comp.y).
    LatePercentages,
    /// Words and variable names cannot contain dots (SporkHack 0.7.0, lev_comp.l).
    UndottedWords,
    /// Numbers, strings and other values must be literals where later compilers accept variables (SporkHack 0.7.0,
    /// lev_comp.y: `math_expr`, `encodecoord` and similar rules).
    ValuesWithoutVariables,
    /// A coordinate may consist of two computed numbers, `($x,$y)` (SporkHack 0.7.0, lev_comp.y).
    ComputedCoordinates,
    /// `$a = $b` makes `$a` a copy of `$b`, whatever its type (SporkHack 0.7.0, lev_comp.y: OV_COPY).
    VariableCopies,
    /// BREAK may only appear directly in a CASE of a SWITCH (SporkHack 0.7.0, lev_comp.y).
    BreakInCaseOnly,
    /// BREAK does not jump to the end of its SWITCH but elsewhere; see `QUIRK_OLD_BREAK` in the lowering code
    /// (SporkHack
    /// 0.7.0, lev_main.c).
    ShiftedBreaks,
    /// WALLIFY takes only a region, and two numbers fewer; omitted bounds are those of the map (SporkHack 0.7.0,
    /// lev_comp.y, sp_lev.c: `spo_wallify`).
    WallifyTakesRegions,
    /// SPILL takes its terrain and amount as plain numbers, and its light before its terrain (SporkHack 0.7.0,
    /// lev_comp.y, sp_lev.c: `spo_spill`).
    SpillTakesNumbers,
    /// The bounds of a FOR are plain numbers, and the compiled loop relies on that (SporkHack 0.7.0, lev_comp.y).
    ConstantFor,
    /// A function receives its parameters in reverse order, with variables among them unread (SporkHack 0.7.0,
    /// sp_lev.c: `spo_call`).
    ParametersAreReversed,
    /// A condition is a percentage or a comparison, never a single value (SporkHack 0.7.0, lev_comp.y).
    ComparedConditions,
    /// A level and its FUNCTIONs have one scope for the compiler (SporkHack 0.7.0, lev_comp.y), but not for the loader.
    OneScope,
    /// filter() takes a percentage or a selection, not terrain (SporkHack 0.7.0, lev_comp.y).
    FiltersWithoutTerrain,
    /// After a random vault, the compiler also treats the later levels of the file as random vaults (SporkHack 0.7.0,
    /// lev_comp.y).
    VaultRemembered,
    /// Filling of a region is a separate flag, not part of its type (SporkHack 0.7.0, lev_comp.y).
    FilledIsAFlag,
    /// A REGION that does not become a room has no end, and cannot contain statements (SporkHack 0.7.0, lev_comp.y).
    RegionsWithoutEnd,
    /// A ROOM accepts each of its flags only once (SporkHack 0.7.0, lev_comp.y).
    RoomFlagsOnce,
    /// SWITCH always draws a number below its value. Without the feature, it draws only if the value is a plain number
    /// (SporkHack 0.7.0, lev_comp.y).
    SwitchAlwaysDraws,
    /// Random places may name the terrain they need: `random[dry]`.
    RandomHumidity,
    /// A word consists of letters, digits and dashes, so `1-5` is one word and `-` is never an operator; variables
    /// consist of letters only (NetHack 3.6, lev_comp.l).
    DashedWords,
    /// The type of a pushed value is a `short` in a level file, not a byte (UnNetHack 6.0.15, include/sp_lev.h:
    /// `coordxy svtyp`).
    WideValueTypes,
    /// The end points of `line` and `randline` are separated by a comma, not a dash.
    CommaLines,
    /// A level name may contain characters that some file systems reject, such as `*`.
    LaxLevelNames,
    /// A drawbridge is open or closed, never random.
    FixedDrawbridges,
    /// DOOR and ROOMDOOR end in the material of the door, or 0 if none is written (EvilHack, lev_comp.y). Without the
    /// feature, door details are bits next to the state (xNetHack, lev_comp.y).
    DoorsHaveMaterials,
    /// The position of a ROOM counts squares of the level from 0, not thirds or fifths of the level.
    RoomsInSquares,
    /// A part of a level file has a list of random regions after its level regions.
    RandomRegions,
    /// The place registers of a part form several lists, and a place in a register is written as a list and a number.
    PlaceLists,
    /// `levregion()` without numbers is an empty region; a region may begin in column 0.
    EmptyLevelRegions,
    /// `'#'` as the class of a monster or object means that its name is not in the game's tables.
    ClassesByHash,
    /// MINDEPTH is the least depth for a random vault; each line of `vaults.dat` ends in it.
    VaultDepths,
    /// The two values of a gradient are separated by a comma, not a dash.
    CommaGradients,
    /// An ordinary room may have a CHANCE.
    OrdinaryRoomChances,
    /// In a REGION, `true` and `false` mean irregular and regular.
    IrregularTruth,
    /// There is a HALLUMSG besides MESSAGE; its text follows that of MESSAGE in a level file (NetHack 4.3, lev_comp.y).
    HallucinationMessages,
    /// SPILL may spill nothing (DynaHack 0.6.0, lev_comp.y).
    EmptySpills,
}
