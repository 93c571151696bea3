//! The right words for common wrong ones, from everyday English, the wiki and other games.

use splc_ir::catalog::Catalog;
use splc_ir::diagnostic::{Code, Diagnostic};
use splc_ir::source::Span;
use splc_ir::wording::{Conjunction, TAB_STOP, help_for_tabs, listed, spaces_for_tabs};
use splc_ir::words::Group;

use super::Unread;

/// A token or value that a grammar expects, common to both languages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Want {
    Colon,
    Comma,
    Open,
    Close,
    Bracket,
    CloseBracket,
    Brace,
    CloseBrace,
    /// The end of the statement, after which another may begin.
    End,
    /// A place.
    Place,
    Text,
    Character,
    Number,
    Percent,
    Random,
    Map,
    Comparison,
    Variable,
    /// A word of this set.
    Group(Group),
    /// `true` or `false`.
    Boolean,
    /// A detail of an object.
    ObjectDetail,
    /// A detail of a monster.
    MonsterDetail,
    Else,
    Case,
    To,
    InitStyle,
    /// A keyword that makes a selection.
    SelectionWord,
    Other,
}

const SELECTIONS: [&str; 13] = [
    "rect",
    "fillrect",
    "line",
    "randline",
    "grow",
    "filter",
    "floodfill",
    "circle",
    "ellipse",
    "gradient",
    "complement",
    "rndcoord",
    "random",
];

const OBJECT_DETAILS: [&str; 13] = [
    "montype",
    "quantity",
    "buried",
    "eroded",
    "erodeproof",
    "trapped",
    "not_trapped",
    "recharged",
    "invisible",
    "greased",
    "locked",
    "broken",
    "name",
];

const MONSTER_DETAILS: [&str; 12] = [
    "female",
    "invisible",
    "cancelled",
    "revived",
    "avenge",
    "fleeing",
    "blinded",
    "paralyzed",
    "stunned",
    "confused",
    "seen_traps",
    "align",
];

impl Want {
    /// Converts the name of a token in a grammar.
    pub(crate) fn of(name: &str) -> Want {
        use Want::*;
        match name.trim_matches('"') {
            ":" => Colon,
            "," => Comma,
            "(" => Open,
            ")" => Close,
            "[" => Bracket,
            "]" => CloseBracket,
            "{" => Brace,
            "}" => CloseBrace,
            "end" | "MESSAGE" => End,
            "place" | "coord" => Place,
            "rect" => SelectionWord,
            "text" | "a string" => Text,
            "character" | "a character" => Character,
            "number" | "a number" => Number,
            "percent" | "[N%]" | "a percentage" => Percent,
            "random" => Random,
            "map" | "a MAP" => Map,
            "a comparison" => Comparison,
            "a variable" => Variable,
            "ELSE" => Else,
            "CASE" => Case,
            "TO" => To,
            "an INIT_MAP style" => InitStyle,
            "quantity" => ObjectDetail,
            "female" => MonsterDetail,
            "boolean" | "true or false" => Boolean,
            "flag" | "a level flag" => Group(self::Group::Flag),
            "door state" | "a door state" => Group(self::Group::DoorState),
            "direction" | "a direction" => Group(self::Group::Direction),
            "alignment" | "an alignment" => Group(self::Group::Alignment),
            "altar type" | "an altar type" => Group(self::Group::Altar),
            "engraving type" | "an engraving type" => Group(self::Group::Engraving),
            "curse" | "blessed, uncursed or cursed" => Group(self::Group::Curse),
            "attitude" | "peaceful or hostile" => Group(self::Group::Attitude),
            "alertness" | "asleep or awake" => Group(self::Group::Alertness),
            "appearance" | "m_feature, m_monster or m_object" => Group(self::Group::Appearance),
            "light" | "lit or unlit" => Group(self::Group::Light),
            "filling" | "filled or unfilled" => Group(self::Group::Filling),
            "regular or irregular" => Group(self::Group::Irregular),
            "joined or unjoined" => Group(self::Group::Joined),
            "limited or unlimited" => Group(self::Group::Limited),
            "a humidity" => Group(self::Group::Humidity),
            "a gradient type" => Group(self::Group::Gradient),
            "a sound type" => Group(self::Group::Sound),
            "horizontal" | "left or right" => Group(self::Group::Horizontal),
            "vertical" | "top or bottom" => Group(self::Group::Vertical),
            "up or down" => Group(self::Group::VerticalDirection),
            _ => Other,
        }
    }

    /// Returns the words that are valid there, as far as `catalog` has them.
    pub(crate) fn words(self, catalog: &Catalog) -> Vec<&str> {
        let known = |words: &[&'static str]| -> Vec<&str> {
            words.iter().copied().filter(|word| catalog.is_keyword(word)).collect()
        };
        match self {
            Want::Group(Group::Horizontal) => vec!["left", "half-left", "center", "half-right", "right"],
            Want::Group(Group::Vertical) => vec!["top", "center", "bottom"],
            Want::Group(group) => catalog.words(group).collect(),
            Want::Boolean => vec!["true", "false"],
            Want::Random => vec!["random"],
            Want::SelectionWord => known(&SELECTIONS),
            Want::ObjectDetail => known(&OBJECT_DETAILS),
            Want::MonsterDetail => known(&MONSTER_DETAILS),
            Want::To => vec!["TO"],
            Want::Else => vec!["ELSE"],
            Want::InitStyle => known(&["mines", "solidfill", "mazegrid", "rogue", "sheollev"]),
            _ => Vec::new(),
        }
    }
}

/// Returns the word that a wrong value was likely meant as, wherever it is.
pub(crate) fn meant(word: &str) -> Option<&'static str> {
    let groups = [Group::DoorState, Group::Direction, Group::Light, Group::Alignment, Group::Altar, Group::Engraving];
    let groups = groups.into_iter().chain([Group::Curse, Group::Attitude, Group::Alertness, Group::Filling]);
    groups.into_iter().find_map(|group| value(word, &[Want::Group(group)]))
}

/// Returns the word that a wrong value was likely meant as, where one of `wants` is expected.
pub(crate) fn value(word: &str, wants: &[Want]) -> Option<&'static str> {
    values(word, |want| wants.contains(&want)).next()
}

/// Returns the words that a wrong value can be meant as, anywhere.
pub(crate) fn meanings(word: &str) -> impl Iterator<Item = &'static str> {
    values(word, |_| true)
}

fn values(word: &str, is_wanted: impl Fn(Want) -> bool + Copy) -> impl Iterator<Item = &'static str> {
    const VALUES: &[(Group, &str, &str)] = &[
        (Group::Light, "dark", "unlit"),
        (Group::Light, "darkened", "unlit"),
        (Group::Light, "off", "unlit"),
        (Group::Light, "false", "unlit"),
        (Group::Light, "light", "lit"),
        (Group::Light, "lighted", "lit"),
        (Group::Light, "lights", "lit"),
        (Group::Light, "bright", "lit"),
        (Group::Light, "on", "lit"),
        (Group::Light, "true", "lit"),
        (Group::Alignment, "evil", "chaos"),
        (Group::Alignment, "good", "law"),
        (Group::DoorState, "close", "closed"),
        (Group::DoorState, "shut", "closed"),
        (Group::DoorState, "unlocked", "closed"),
        (Group::DoorState, "opened", "open"),
        (Group::DoorState, "lock", "locked"),
        (Group::DoorState, "none", "nodoor"),
        (Group::DoorState, "no", "nodoor"),
        (Group::DoorState, "empty", "nodoor"),
        (Group::DoorState, "doorway", "nodoor"),
        (Group::DoorState, "no_door", "nodoor"),
        (Group::DoorState, "no-door", "nodoor"),
        (Group::DoorState, "d_nodoor", "nodoor"),
        (Group::DoorState, "d_closed", "closed"),
        (Group::DoorState, "d_locked", "locked"),
        (Group::DoorState, "d_isopen", "open"),
        (Group::DoorState, "d_open", "open"),
        (Group::DoorState, "d_broken", "broken"),
        (Group::DoorState, "hidden", "secret"),
        (Group::DoorState, "down", "open"),
        (Group::DoorState, "lowered", "open"),
        (Group::DoorState, "raised", "closed"),
        (Group::DoorState, "up", "closed"),
        (Group::Direction, "n", "north"),
        (Group::Direction, "e", "east"),
        (Group::Direction, "s", "south"),
        (Group::Direction, "w", "west"),
        (Group::Direction, "left", "west"),
        (Group::Direction, "right", "east"),
        (Group::Alignment, "lawful", "law"),
        (Group::Alignment, "chaotic", "chaos"),
        (Group::Alignment, "none", "noalign"),
        (Group::Alignment, "unaligned", "noalign"),
        (Group::Alignment, "a_lawful", "law"),
        (Group::Alignment, "a_neutral", "neutral"),
        (Group::Alignment, "a_chaotic", "chaos"),
        (Group::Alignment, "crossaligned", "noncoaligned"),
        (Group::Altar, "temple", "shrine"),
        (Group::Altar, "normal", "altar"),
        (Group::Altar, "ordinary", "altar"),
        (Group::Altar, "high", "sanctum"),
        (Group::Engraving, "burned", "burn"),
        (Group::Engraving, "burnt", "burn"),
        (Group::Engraving, "engraved", "engrave"),
        (Group::Engraving, "marked", "mark"),
        (Group::Engraving, "graffiti", "mark"),
        (Group::Engraving, "written", "dust"),
        (Group::Engraving, "semi-permanent", "engrave"),
        (Group::Engraving, "permanent", "burn"),
        (Group::Curse, "holy", "blessed"),
        (Group::Curse, "bless", "blessed"),
        (Group::Curse, "curse", "cursed"),
        (Group::Curse, "unholy", "cursed"),
        (Group::Curse, "notcursed", "uncursed"),
        (Group::Attitude, "friendly", "peaceful"),
        (Group::Attitude, "tame", "peaceful"),
        (Group::Attitude, "peace", "peaceful"),
        (Group::Attitude, "angry", "hostile"),
        (Group::Attitude, "enemy", "hostile"),
        (Group::Alertness, "sleeping", "asleep"),
        (Group::Alertness, "sleep", "asleep"),
        (Group::Alertness, "waiting", "asleep"),
        (Group::Alertness, "awakened", "awake"),
        (Group::Alertness, "waking", "awake"),
        (Group::Filling, "full", "filled"),
        (Group::Filling, "fill", "filled"),
        (Group::Filling, "stocked", "filled"),
        (Group::Filling, "empty", "unfilled"),
        (Group::Filling, "unstocked", "unfilled"),
        (Group::Joined, "connected", "joined"),
        (Group::VerticalDirection, "upstairs", "up"),
        (Group::VerticalDirection, "downstairs", "down"),
        (Group::VerticalDirection, "upstair", "up"),
        (Group::VerticalDirection, "downstair", "down"),
        (Group::VerticalDirection, "upward", "up"),
        (Group::VerticalDirection, "upwards", "up"),
        (Group::VerticalDirection, "downward", "down"),
        (Group::VerticalDirection, "downwards", "down"),
        (Group::VerticalDirection, "above", "up"),
        (Group::VerticalDirection, "below", "down"),
        (Group::VerticalDirection, "true", "up"),
        (Group::VerticalDirection, "false", "down"),
        (Group::Horizontal, "middle", "center"),
        (Group::Horizontal, "centre", "center"),
        (Group::Horizontal, "centered", "center"),
        (Group::Horizontal, "halfleft", "half-left"),
        (Group::Horizontal, "half_left", "half-left"),
        (Group::Horizontal, "halfright", "half-right"),
        (Group::Horizontal, "half_right", "half-right"),
        (Group::Vertical, "middle", "center"),
        (Group::Vertical, "centre", "center"),
        (Group::Vertical, "centered", "center"),
        (Group::Vertical, "up", "top"),
        (Group::Vertical, "upper", "top"),
        (Group::Vertical, "down", "bottom"),
        (Group::Vertical, "lower", "bottom"),
        (Group::Flag, "noteleporting", "noteleport"),
        (Group::Flag, "no-teleport", "noteleport"),
        (Group::Flag, "no_teleport", "noteleport"),
        (Group::Flag, "nodig", "hardfloor"),
        (Group::Flag, "nodigging", "hardfloor"),
        (Group::Flag, "undiggable", "hardfloor"),
        (Group::Flag, "hard-floor", "hardfloor"),
        (Group::Flag, "nomap", "nommap"),
        (Group::Flag, "no-magic-map", "nommap"),
        (Group::Flag, "nomagicmap", "nommap"),
        (Group::Flag, "forest", "arboreal"),
        (Group::Flag, "tree", "arboreal"),
        (Group::Flag, "trees", "arboreal"),
        (Group::Flag, "mapped", "premapped"),
        (Group::Flag, "mazelike", "mazelevel"),
        (Group::Flag, "maze", "mazelevel"),
        (Group::Flag, "hard_floor", "hardfloor"),
        (Group::Flag, "no_mmap", "nommap"),
    ];
    const OTHERS: &[(Want, &str, &str)] = &[
        (Want::Boolean, "yes", "true"),
        (Want::Boolean, "no", "false"),
        (Want::Boolean, "on", "true"),
        (Want::Boolean, "off", "false"),
        (Want::Boolean, "secret", "true"),
        (Want::Boolean, "lit", "true"),
        (Want::Boolean, "unlit", "false"),
        (Want::Other, "inside", "contained"),
        (Want::Other, "within", "contained"),
        (Want::Random, "rnd", "random"),
        (Want::Random, "rand", "random"),
        (Want::Random, "anywhere", "random"),
        (Want::SelectionWord, "rectangle", "rect"),
        (Want::SelectionWord, "box", "rect"),
        (Want::SelectionWord, "square", "rect"),
        (Want::SelectionWord, "fill", "fillrect"),
        (Want::SelectionWord, "filled_rect", "fillrect"),
        (Want::SelectionWord, "rectfill", "fillrect"),
        (Want::SelectionWord, "fillrectangle", "fillrect"),
        (Want::SelectionWord, "area", "fillrect"),
        (Want::SelectionWord, "flood", "floodfill"),
        (Want::SelectionWord, "random_line", "randline"),
        (Want::SelectionWord, "randomline", "randline"),
        (Want::SelectionWord, "oval", "ellipse"),
        (Want::SelectionWord, "negate", "complement"),
        (Want::SelectionWord, "not", "complement"),
        (Want::SelectionWord, "invert", "complement"),
        (Want::ObjectDetail, "amount", "quantity"),
        (Want::ObjectDetail, "count", "quantity"),
        (Want::ObjectDetail, "number", "quantity"),
        (Want::ObjectDetail, "quan", "quantity"),
        (Want::ObjectDetail, "rustproof", "erodeproof"),
        (Want::ObjectDetail, "fixed", "erodeproof"),
        (Want::ObjectDetail, "fireproof", "erodeproof"),
        (Want::ObjectDetail, "rusty", "eroded:1"),
        (Want::ObjectDetail, "corroded", "eroded:1"),
        (Want::ObjectDetail, "named", "name"),
        (Want::ObjectDetail, "monster", "montype"),
        (Want::ObjectDetail, "corpsetype", "montype"),
        (Want::ObjectDetail, "corpse", "montype"),
        (Want::ObjectDetail, "species", "montype"),
        (Want::ObjectDetail, "of", "montype"),
        (Want::MonsterDetail, "blind", "blinded"),
        (Want::MonsterDetail, "scared", "fleeing"),
        (Want::MonsterDetail, "canceled", "cancelled"),
        (Want::InitStyle, "cave", "mines"),
        (Want::InitStyle, "caves", "mines"),
        (Want::InitStyle, "mine", "mines"),
        (Want::InitStyle, "maze", "mazegrid"),
        (Want::InitStyle, "fill", "solidfill"),
        (Want::InitStyle, "solid", "solidfill"),
    ];
    let of_group = VALUES.iter().map(|&(group, said, meant)| (Want::Group(group), said, meant));
    let all = of_group.chain(OTHERS.iter().copied());
    all.filter(move |&(want, said, _)| said == word && is_wanted(want)).map(|(_, _, meant)| meant)
}

/// Returns the statement that a wrong word in capitals was likely meant as, or advice if there is no such statement.
pub(crate) fn statement(word: &str) -> Option<(&'static str, &'static str)> {
    const BLOCK: &str = "remove this keyword: a block begins with `{` and ends with `}`";
    Some(match word {
        "LEVEL_INIT" => ("INIT_MAP", ""),
        "LEVEL_FLAGS" => ("FLAGS", ""),
        "STAIRCASE" | "STAIRWAY" | "UPSTAIRS" | "DOWNSTAIRS" | "UPSTAIR" | "DOWNSTAIR" => ("STAIR", ""),
        "LIGHT" | "LIGHTING" | "LIT" | "AREA" | "SHOP" | "ZOO" | "TEMPLE" | "VAULT" => ("REGION", ""),
        "TELEPORT" => ("TELEPORT_REGION", ""),
        "ITEM" | "THING" | "WEAPON" | "ARMOR" | "ARTIFACT" => ("OBJECT", ""),
        "MOB" | "CREATURE" | "ENEMY" | "MON" | "PET" | "NPC" => ("MONSTER", ""),
        "CHEST" | "BOX" | "BAG" => ("CONTAINER", ""),
        "ENGRAVE" | "WRITE" | "GRAFFITI" => ("ENGRAVING", ""),
        "BRIDGE" => ("DRAWBRIDGE", ""),
        "UNDIGGABLE" | "NODIG" | "HARDWALLS" => ("NON_DIGGABLE", ""),
        "UNPASSABLE" | "NOPASS" => ("NON_PASSWALL", ""),
        "CORRIDORS" | "RANDOM_CORRIDOR" => ("RANDOM_CORRIDORS", ""),
        "TOMB" | "HEADSTONE" | "TOMBSTONE" => ("GRAVE", ""),
        "TEXT" | "PRINT" | "SAY" | "MSG" | "PLINE" => ("MESSAGE", ""),
        "MONEY" | "COINS" | "ZORKMIDS" => ("GOLD", ""),
        "PIT" | "WEB" | "BOULDERTRAP" => ("TRAP", ""),
        "WATER" | "LAVA" | "TREE" | "WALL" | "FLOOR" => ("TERRAIN", ""),
        "WHILE" | "REPEAT" | "DO" => ("LOOP", ""),
        "RANDLINE" | "RNDLINE" => ("TERRAIN", "write TERRAIN: randline (x1,y1)-(x2,y2), roughness, 'map character'"),
        "FOREACH" => ("FOR", ""),
        "FUNC" | "DEF" | "DEFUN" | "SUB" | "PROCEDURE" => ("FUNCTION", ""),
        "IMPORT" | "REQUIRE" => ("INCLUDE", ""),
        "RETURN" => ("EXIT", ""),
        "ENDIF" | "ENDLOOP" | "ENDFOR" | "ENDSWITCH" | "ENDFUNCTION" | "ENDROOM" | "ENDLEVEL" | "ENDMAZE" | "END"
        | "THEN" | "FI" | "DONE" | "BEGIN" => ("", BLOCK),
        _ => return None,
    })
}

/// Returns the titles of the games whose languages have `word`, except for the game of `catalog`.
pub(crate) fn dialects_with(word: &str, catalog: &Catalog) -> Vec<&'static str> {
    Catalog::dialects_where(|usual| usual.dialect != catalog.dialect && usual.is_keyword(word))
}

/// Returns the titles of the games with the level flag `word`, except for the game of `catalog`.
pub(crate) fn games_with_flag(word: &str, catalog: &Catalog) -> Vec<&'static str> {
    Catalog::games_where(|usual| usual.dialect != catalog.dialect && usual.word(Group::Flag, word).is_some())
}

/// Reports the tabs within a row of a map. `span` returns the span of a range of the row.
pub(crate) fn tabs_in_row<'t>(
    row: &str,
    neighbours: impl IntoIterator<Item = &'t str>,
    span: impl Fn(usize, usize) -> Span,
) -> Diagnostic {
    let first = row.find('\t').unwrap_or(0);
    let problem = Diagnostic::new(Code::MapText, span(first, first + 1), Unread::not_in_map('\t'));
    let Some(spaces) = spaces_for_tabs(row, neighbours) else {
        return problem.with_help("write the spaces that it was meant as");
    };
    let problem = problem.with_help(help_for_tabs(&spaces));
    spaces.into_iter().fold(problem, |problem, (at, spaces)| problem.with_suggestion(span(at, at + 1), spaces, true))
}

/// Returns the titles of the other dialects whose maps have this character.
pub(crate) fn dialects_drawing(character: char, catalog: &Catalog) -> Vec<&'static str> {
    Catalog::dialects_where(|usual| usual.dialect != catalog.dialect && usual.map_characters.contains(character))
}

/// Most lines between a level's name and the end of its header.
const HEADER_LINES: usize = 20;

/// Returns the diagnostic about a MAZE in a game without it, at `span`, before the text `after`.
pub(crate) fn no_maze(after: &str, span: Span, catalog: &Catalog) -> Diagnostic {
    let mut lines = after.lines();
    let values = lines.next().unwrap_or("");
    let is_level = |line: &str| line.starts_with("MAZE") || line.starts_with("LEVEL");
    let header: Vec<&str> = lines.take(HEADER_LINES).take_while(|line| !is_level(line)).collect();
    let line = |word: &str| header.iter().find(|line| line.starts_with(word));
    let mut values = values.trim_start_matches([':', ' ', '\t']).split(',').map(str::trim);
    let name = values.next().unwrap_or("");
    let filling = match values.next() {
        Some(character) if character.starts_with('\'') => format!("solidfill, {character}"),
        _ => "mazegrid, '-'".to_owned(),
    };
    let whose = listed(dialects_with("MAZE", catalog), Conjunction::And);
    let mut help = format!("write LEVEL: {name}");
    match line("FLAGS") {
        Some(flags) if flags.contains("mazelevel") => {}
        Some(_) => help += ", and add mazelevel to the FLAGS",
        None => help += ", then FLAGS: mazelevel",
    }
    if line("INIT_MAP").is_none() {
        help += &format!(", and INIT_MAP: {filling} after the FLAGS");
    }
    Diagnostic::new(Code::WrongDialect, span, format!("{} does not have MAZE", catalog.title))
        .with_label(format!("only in {whose}"))
        .with_help(help)
}

/// Reports a string without its closing quote, at `span`. `inside` is the rest of its line, which may begin with the
/// name of a monster, an object, a trap or a room.
pub(crate) fn unclosed(span: Span, inside: &str, catalog: &Catalog) -> Diagnostic {
    let problem =
        Diagnostic::new(Code::UnterminatedString, span, "this string is not closed").with_label("begins here");
    let name = inside.split([')', ',', '\r', '\n']).next().unwrap_or("").trim_end();
    let is_known = catalog.monster(name, None).is_some()
        || catalog.object(name, None).is_some()
        || catalog.trap(name).is_some()
        || catalog.room(name).is_some();
    if !is_known {
        return problem.with_help("close it with `\"` on its line");
    }
    let end = span.start as usize + 1 + name.len();
    problem.with_help(format!("write \"{name}\"")).with_suggestion(Span::new(span.file, end, end), "\"", true)
}

/// Returns the class of objects that a word describes: `!` for potions.
pub(crate) fn object_class(word: &str) -> Option<char> {
    let word = word.to_ascii_lowercase();
    Some(match word.strip_suffix('s').unwrap_or(&word) {
        "weapon" => ')',
        "armor" | "armour" => '[',
        "ring" => '=',
        "amulet" => '"',
        "tool" => '(',
        "food" | "comestible" => '%',
        "potion" => '!',
        "scroll" => '?',
        "spellbook" | "book" => '+',
        "wand" => '/',
        "coin" => '$',
        "gem" | "stone" => '*',
        "boulder" | "statue" => '`',
        _ => return None,
    })
}

/// Reports tabs before a map row, which the compilers skip (`[ \t]+`), unlike blanks. `tabs` is their place.
pub(crate) fn tabs_before_row(tabs: Span) -> Diagnostic {
    let blanks = TAB_STOP * (tabs.end - tabs.start) as usize;
    Diagnostic::new(Code::MapBlanks, tabs, "a tab before a map line is skipped, so the line moves to the left")
        .with_help(format!("write blanks: {blanks}, if a tab is {TAB_STOP} columns wide"))
        .with_suggestion(tabs, " ".repeat(blanks), false)
}
