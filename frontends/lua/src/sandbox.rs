//! The globals of a level (NetHack 5.0.0, `nhlua.c` with `NHL_SB_SAFE`, and `dat/nhlib.lua`).

/// Functions of Lua's base library that are available in a level.
pub const BASE: &[&str] = &["ipairs", "next", "pairs", "pcall", "select", "tonumber", "tostring", "type", "xpcall"];

/// Functions and tables of Lua that a level lacks, each with an alternative or an empty string.
pub const LACKING: &[(&str, &str)] = &[
    ("assert", "test the value with `if`"),
    ("collectgarbage", ""),
    ("debug", ""),
    ("dofile", "keep the level in one file"),
    ("error", "report a problem with nh.impossible(text)"),
    ("getmetatable", ""),
    ("io", ""),
    ("load", ""),
    ("loadfile", "keep the level in one file"),
    ("os", ""),
    ("package", ""),
    ("print", "show a text with nh.pline(text)"),
    ("rawequal", ""),
    ("rawget", ""),
    ("rawlen", "use `#`"),
    ("rawset", ""),
    ("require", "keep the level in one file"),
    ("setmetatable", ""),
    ("warn", "report a problem with nh.impossible(text)"),
];

/// Functions of earlier Lua versions that Lua 5.4 lacks, each with its replacement or an empty string.
pub const OUTDATED: &[(&str, &str)] = &[
    ("getfenv", ""),
    ("loadstring", ""),
    ("math.atan2", "math.atan(y, x)"),
    ("math.cosh", ""),
    ("math.frexp", ""),
    ("math.ldexp", ""),
    ("math.log10", "math.log(x, 10)"),
    ("math.pow", "x ^ y"),
    ("math.sinh", ""),
    ("math.tanh", ""),
    ("module", ""),
    ("setfenv", ""),
    ("string.gfind", "string.gmatch"),
    ("table.foreach", "a `for` with pairs(t)"),
    ("table.foreachi", "a `for` with ipairs(t)"),
    ("table.getn", "#t"),
    ("table.maxn", ""),
    ("table.setn", ""),
    ("unpack", "table.unpack"),
];

/// The standard Lua libraries available in a level, with their functions and values.
pub const LIBRARIES: &[(&str, &[&str])] = &[
    ("coroutine", &["close", "create", "isyieldable", "resume", "running", "status", "wrap", "yield"]),
    (
        "math",
        &[
            "abs",
            "acos",
            "asin",
            "atan",
            "ceil",
            "cos",
            "deg",
            "exp",
            "floor",
            "fmod",
            "huge",
            "log",
            "max",
            "maxinteger",
            "min",
            "mininteger",
            "modf",
            "pi",
            "rad",
            "random",
            "randomseed",
            "sin",
            "sqrt",
            "tan",
            "tointeger",
            "type",
            "ult",
        ],
    ),
    (
        "string",
        &[
            "byte", "char", "dump", "find", "format", "gmatch", "gsub", "len", "lower", "match", "pack", "packsize",
            "rep", "reverse", "sub", "unpack", "upper",
        ],
    ),
    ("table", &["concat", "insert", "move", "pack", "remove", "sort", "unpack"]),
    ("utf8", &["char", "charpattern", "codepoint", "codes", "len", "offset"]),
];

/// Functions and values defined by the game and by `nhlib.lua`, which runs before each level.
///
/// Functions have their minimum and maximum number of sensible arguments.
pub const GAME: &[(&str, Option<(usize, usize)>)] = &[
    ("align", None),
    ("d", Some((1, 2))),
    ("hell_tweaks", Some((1, 1))),
    ("monkfoodshop", Some((0, 0))),
    ("nh_get_variables_string", Some((1, 1))),
    ("nh_set_variables_string", Some((2, 2))),
    ("percent", Some((1, 1))),
    ("pline", Some((1, usize::MAX))),
    ("shuffle", Some((1, 1))),
    ("table_stringify", Some((1, 1))),
    ("tutorial_cmd_before", Some((1, 1))),
    ("tutorial_enter", Some((0, 0))),
    ("tutorial_leave", Some((0, 0))),
    ("tutorial_turn", Some((0, 0))),
];

/// Values of the hero, in addition to the functions of `u`: `u.role`. Any other name is rejected.
pub const HERO: &[&str] = &[
    "ux",
    "uy",
    "dx",
    "dy",
    "dz",
    "tx",
    "ty",
    "ulevel",
    "ulevelmax",
    "uhunger",
    "nv_range",
    "xray_range",
    "umonster",
    "umonnum",
    "mh",
    "mhmax",
    "mtimedone",
    "dlevel",
    "dnum",
    "uluck",
    "uhp",
    "uhpmax",
    "uen",
    "uenmax",
    "inventory",
    "role",
    "moves",
    "uhave_amulet",
    "depth",
    "invocation_level",
];

/// Constants of the game: `nhc.COLNO`.
pub const CONSTANTS: &[&str] =
    &["COLNO", "ROWNO", "NUMMONS", "LOW_PM", "HIGH_PM", "FIRST_OBJECT", "LAST_OBJECT", "DLB"];

/// Returns true if a level has a global of this name before it sets any.
pub fn is_global(name: &str) -> bool {
    globals().any(|known| known == name)
}

/// Returns all globals of a level before it sets any.
pub fn globals() -> impl Iterator<Item = &'static str> {
    globals_without_library().chain(GAME.iter().map(|&(name, _)| name))
}

/// Returns all globals of a level before it sets any, without those of `nhlib.lua`.
pub fn globals_without_library() -> impl Iterator<Item = &'static str> {
    let libraries = super::libraries::LIBRARIES.iter().map(|library| library.name);
    ["_G", "_VERSION", "nhc"]
        .into_iter()
        .chain(libraries)
        .chain(BASE.iter().copied())
        .chain(LIBRARIES.iter().map(|&(name, _)| name))
}
