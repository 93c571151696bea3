//! Types of squares, with one numbering for all games.
//!
//! The games number their terrain alike, except for types that only some of them have. The numbers here index a list of
//! all types in the games' order. The comparisons by which a game distinguishes walls from floors therefore hold for
//! every game (`include/rm.h`).
//!
//! A catalog can have types that are not in the list. [`Terrain::of_type`] says how they are treated.

use splc_ir::catalog::{self, Catalog, Color, Look};

/// The type of a square.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Terrain(u8);

macro_rules! terrains {
    ($($name:ident = $number:literal, $word:literal, $mark:literal;)*) => {
        #[allow(missing_docs)] // each constant is the terrain of its name
        impl Terrain {
            $(pub const $name: Terrain = Terrain($number);)*

            /// All types.
            pub const ALL: &'static [Terrain] = &[$(Terrain($number),)*];

            /// Name of the terrain in the catalogs' `level_types`.
            pub const fn word(self) -> &'static str {
                const WORDS: &[&str] = &[$($word,)*];
                WORDS[self.0 as usize]
            }

            /// Character of the terrain in a [`Trace`](crate::Trace).
            pub const fn trace_mark(self) -> u8 {
                const MARKS: &[u8] = &[$($mark,)*];
                MARKS[self.0 as usize]
            }
        }
    };
}

terrains! {
    STONE = 0, "stone", b' ';
    VERTICAL_WALL = 1, "vwall", b'|';
    HORIZONTAL_WALL = 2, "hwall", b'-';
    TOP_LEFT_CORNER = 3, "tlcorner", b'1';
    TOP_RIGHT_CORNER = 4, "trcorner", b'2';
    BOTTOM_LEFT_CORNER = 5, "blcorner", b'3';
    BOTTOM_RIGHT_CORNER = 6, "brcorner", b'4';
    CROSS_WALL = 7, "crosswall", b'5';
    T_UP_WALL = 8, "tuwall", b'6';
    T_DOWN_WALL = 9, "tdwall", b'7';
    T_LEFT_WALL = 10, "tlwall", b'8';
    T_RIGHT_WALL = 11, "trwall", b'9';
    DRAWBRIDGE_WALL = 12, "dbwall", b'd';
    TREE = 13, "tree", b'T';
    DEAD_TREE = 14, "deadtree", b'?';
    ICE_WALL = 15, "icewall", b'?';
    CRYSTAL_ICE_WALL = 16, "crystalicewall", b'?';
    SECRET_DOOR = 17, "sdoor", b'S';
    SECRET_CORRIDOR = 18, "scorr", b'H';
    POOL = 19, "pool", b'P';
    MOAT = 20, "moat", b'}';
    WATER = 21, "water", b'W';
    DRAWBRIDGE_UP = 22, "drawbridge_up", b'u';
    LAVA = 23, "lavapool", b'L';
    LAVA_WALL = 24, "lavawall", b'Z';
    IRON_BARS = 25, "ironbars", b'F';
    DOOR = 26, "door", b'+';
    CORRIDOR = 27, "corr", b'#';
    ROOM = 28, "room", b'.';
    STAIRS = 29, "stairs", b'>';
    LADDER = 30, "ladder", b'^';
    FOUNTAIN = 31, "fountain", b'{';
    THRONE = 32, "throne", b'\\';
    SINK = 33, "sink", b'K';
    GRAVE = 34, "grave", b'G';
    ALTAR = 35, "altar", b'_';
    ICE = 36, "ice", b'I';
    BOG = 37, "bog", b'?';
    DRAWBRIDGE_DOWN = 38, "drawbridge_down", b'D';
    AIR = 39, "air", b'A';
    CLOUD = 40, "cloud", b'C';
    OWN_FLOOR_1 = 41, "own_floor_1", b'?';
    OWN_FLOOR_2 = 42, "own_floor_2", b'?';
    OWN_FLOOR_3 = 43, "own_floor_3", b'?';
    OWN_FLOOR_4 = 44, "own_floor_4", b'?';
}

impl Terrain {
    /// Returns the terrain with that name.
    pub fn from_word(word: &str) -> Option<Terrain> {
        Terrain::ALL.iter().copied().find(|terrain| terrain.word() == word && !terrain.is_own_floor())
    }

    /// Returns the terrain of the type `word` of `catalog`'s game.
    ///
    /// A type that is not in the list is like the one that the catalog names. Those like ice or floor are own floors,
    /// so that levels show them as what they are.
    pub fn of_type(word: &str, catalog: &Catalog) -> Option<Terrain> {
        let own = || Terrain::own_floors(catalog).find(|(_, look)| look.of == word).map(|(own, _)| own);
        Terrain::from_word(word).or_else(own).or_else(|| Terrain::from_word(&catalog.look(word)?.like))
    }

    /// Returns the own floors of `catalog`'s game, with their appearance.
    fn own_floors(catalog: &Catalog) -> impl Iterator<Item = (Terrain, &Look)> {
        let is_floor = |look: &&Look| {
            let is_like = |like: Terrain| like.is_room() && !like.is_furniture() && !like.is_drawbridge();
            !look.like.is_empty()
                && Terrain::from_word(&look.like).is_some_and(is_like)
                && Terrain::from_word(&look.of).is_none()
        };
        let own = Terrain::ALL.iter().copied().filter(|terrain| terrain.is_own_floor());
        own.zip(catalog.looks.iter().filter(is_floor))
    }

    /// Returns its appearance in `catalog`'s game. For terrain that the game lacks, it is that in a game that has it.
    pub fn look_in(self, catalog: &Catalog) -> Option<&Look> {
        let own = || Terrain::own_floors(catalog).find(|(own, _)| *own == self).map(|(_, look)| look);
        catalog.look(self.word()).or_else(own).or_else(|| self.usual_look())
    }

    /// Returns its number in `catalog`'s game.
    pub fn number_in(self, catalog: &Catalog) -> Option<i32> {
        catalog.level_type(self.word()).or_else(|| catalog.level_type(&self.look_in(catalog)?.of))
    }

    fn usual_look(self) -> Option<&'static Look> {
        catalog::ALL.iter().find_map(|catalog| catalog.look(self.word()))
    }

    /// Plain name, e.g. "iron bars".
    pub fn name(self) -> &'static str {
        self.usual_look().map_or("floor", |look| &look.name)
    }

    /// Its symbol and colour, where nothing more is known of the square (`defsyms`).
    pub fn look(self) -> (char, Color) {
        self.usual_look().map_or(('.', Color::Gray), |look| (look.symbol, look.color))
    }

    /// Number in the list of all types.
    pub const fn number(self) -> u8 {
        self.0
    }

    /// Returns the terrain as a flip of its level shows it: corners and T walls turn.
    pub const fn flipped(self, left_to_right: bool, top_to_bottom: bool) -> Terrain {
        let turned = match self {
            Terrain::TOP_LEFT_CORNER if left_to_right => Terrain::TOP_RIGHT_CORNER,
            Terrain::TOP_RIGHT_CORNER if left_to_right => Terrain::TOP_LEFT_CORNER,
            Terrain::BOTTOM_LEFT_CORNER if left_to_right => Terrain::BOTTOM_RIGHT_CORNER,
            Terrain::BOTTOM_RIGHT_CORNER if left_to_right => Terrain::BOTTOM_LEFT_CORNER,
            Terrain::T_LEFT_WALL if left_to_right => Terrain::T_RIGHT_WALL,
            Terrain::T_RIGHT_WALL if left_to_right => Terrain::T_LEFT_WALL,
            other => other,
        };
        match turned {
            Terrain::TOP_LEFT_CORNER if top_to_bottom => Terrain::BOTTOM_LEFT_CORNER,
            Terrain::TOP_RIGHT_CORNER if top_to_bottom => Terrain::BOTTOM_RIGHT_CORNER,
            Terrain::BOTTOM_LEFT_CORNER if top_to_bottom => Terrain::TOP_LEFT_CORNER,
            Terrain::BOTTOM_RIGHT_CORNER if top_to_bottom => Terrain::TOP_RIGHT_CORNER,
            Terrain::T_UP_WALL if top_to_bottom => Terrain::T_DOWN_WALL,
            Terrain::T_DOWN_WALL if top_to_bottom => Terrain::T_UP_WALL,
            other => other,
        }
    }

    /// Returns true for walls of every shape, but not for stone.
    pub const fn is_wall(self) -> bool {
        self.0 != 0 && self.0 <= Terrain::DRAWBRIDGE_WALL.0
    }

    /// Returns true for walls and stone.
    pub const fn is_wall_or_stone(self) -> bool {
        self.0 <= Terrain::DRAWBRIDGE_WALL.0
    }

    /// Returns true for impassable terrain: walls, stone, trees, secret doors and corridors.
    pub const fn is_rock(self) -> bool {
        self.0 < Terrain::POOL.0
    }

    /// Returns true for doors and secret doors.
    pub const fn is_door_or_secret(self) -> bool {
        self.0 == Terrain::DOOR.0 || self.0 == Terrain::SECRET_DOOR.0
    }

    /// Returns true for terrain that can hold a door like a wall: rock and iron bars.
    pub const fn joins_doors(self) -> bool {
        self.is_rock() || self.0 == Terrain::IRON_BARS.0
    }

    /// Returns true for terrain to stand on: doors, corridors, floors and everything on floors.
    pub const fn is_accessible(self) -> bool {
        self.0 >= Terrain::DOOR.0
    }

    /// Returns true for accessible terrain except doors.
    pub const fn is_space(self) -> bool {
        self.0 > Terrain::DOOR.0
    }

    /// Returns true for floors and everything on floors.
    pub const fn is_room(self) -> bool {
        self.0 >= Terrain::ROOM.0
    }

    /// Returns true for floors that only one game has.
    pub const fn is_own_floor(self) -> bool {
        self.0 > Terrain::CLOUD.0
    }

    /// Returns true for stairs, fountains, altars and similar furniture.
    pub const fn is_furniture(self) -> bool {
        self.0 >= Terrain::STAIRS.0 && self.0 <= Terrain::ALTAR.0
    }

    /// Returns true for lava, including walls of lava.
    pub const fn is_lava(self) -> bool {
        self.0 == Terrain::LAVA.0 || self.0 == Terrain::LAVA_WALL.0
    }

    /// Returns true for raised and lowered drawbridges.
    pub const fn is_drawbridge(self) -> bool {
        self.0 == Terrain::DRAWBRIDGE_UP.0 || self.0 == Terrain::DRAWBRIDGE_DOWN.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_terrain_has_a_look() {
        for terrain in Terrain::ALL.iter().filter(|terrain| !terrain.is_own_floor()) {
            assert!(terrain.usual_look().is_some(), "{terrain:?}");
        }
        for (word, terrain) in
            [("ironbars", Terrain::IRON_BARS), ("cloud", Terrain::CLOUD), ("throne", Terrain::THRONE)]
        {
            assert_eq!(terrain.word(), word);
        }
        assert_eq!(Terrain::IRON_BARS.name(), "iron bars");
        assert_eq!(Terrain::CLOUD.name(), "cloud");
        assert_eq!(Terrain::ALTAR.look().0, '_');
        assert_eq!(Terrain::BOG.name(), "bog");
    }
    use splc_ir::catalog;

    /// The comparisons rely on the order, which every game must share. Terrain that only a game has is unknown here; a
    /// level that lays it faults.
    #[test]
    fn every_game_has_its_terrain_in_this_order() {
        for catalog in catalog::ALL {
            let (known, unknown): (Vec<_>, Vec<_>) = catalog
                .level_types
                .iter()
                .map(|word| (word, Terrain::from_word(word)))
                .partition(|(_, known)| known.is_some());
            assert!(known.windows(2).all(|pair| pair[0].1 < pair[1].1), "{}", catalog.name);
            let unknown: Vec<&str> = unknown.iter().map(|(word, _)| word.as_ref()).collect();
            let expected: &[&str] = if catalog.name == "unnethack-6.0.15" { &["magic_platform"] } else { &[] };
            assert_eq!(unknown, expected, "{}", catalog.name);
        }
    }
}
