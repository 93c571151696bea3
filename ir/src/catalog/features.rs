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
    /// SporkHack's older script language: chances before the colon, constant FOR, BREAK only in SWITCH, values
    /// without variables where later compilers take them, one scope for all variables.
    OldScript,
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
}
