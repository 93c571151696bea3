//! Types of squares, with one numbering for all games.
//!
//! The games number their terrain alike, except for types that only some of them have. The numbers here index a list of
//! all types in the games' order. The comparisons by which a game distinguishes walls from floors therefore hold for
//! every game (`include/rm.h`).
//!
//! A catalog can have types that are not in the list. They take the places of own types, of which there are some of
//! each nature, among the types of that nature. [`Terrain::of_type`] assigns them.

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
    OWN_WALL_1 = 13, "own_wall_1", b'?';
    OWN_WALL_2 = 14, "own_wall_2", b'?';
    OWN_WALL_3 = 15, "own_wall_3", b'?';
    OWN_WALL_4 = 16, "own_wall_4", b'?';
    TREE = 17, "tree", b'T';
    DEAD_TREE = 18, "deadtree", b'?';
    ICE_WALL = 19, "icewall", b'?';
    CRYSTAL_ICE_WALL = 20, "crystalicewall", b'?';
    OWN_ROCK_1 = 21, "own_rock_1", b'?';
    OWN_ROCK_2 = 22, "own_rock_2", b'?';
    OWN_ROCK_3 = 23, "own_rock_3", b'?';
    OWN_ROCK_4 = 24, "own_rock_4", b'?';
    SECRET_DOOR = 25, "sdoor", b'S';
    SECRET_CORRIDOR = 26, "scorr", b'H';
    POOL = 27, "pool", b'P';
    MOAT = 28, "moat", b'}';
    WATER = 29, "water", b'W';
    OWN_POOL_1 = 30, "own_pool_1", b'?';
    OWN_POOL_2 = 31, "own_pool_2", b'?';
    OWN_POOL_3 = 32, "own_pool_3", b'?';
    OWN_POOL_4 = 33, "own_pool_4", b'?';
    OWN_POOL_5 = 34, "own_pool_5", b'?';
    OWN_POOL_6 = 35, "own_pool_6", b'?';
    DRAWBRIDGE_UP = 36, "drawbridge_up", b'u';
    LAVA = 37, "lavapool", b'L';
    OWN_LAVA_1 = 38, "own_lava_1", b'?';
    OWN_LAVA_2 = 39, "own_lava_2", b'?';
    OWN_LAVA_3 = 40, "own_lava_3", b'?';
    LAVA_WALL = 41, "lavawall", b'Z';
    IRON_BARS = 42, "ironbars", b'F';
    OWN_BARRIER_1 = 43, "own_barrier_1", b'?';
    OWN_BARRIER_2 = 44, "own_barrier_2", b'?';
    OWN_BARRIER_3 = 45, "own_barrier_3", b'?';
    DOOR = 46, "door", b'+';
    CORRIDOR = 47, "corr", b'#';
    ROOM = 48, "room", b'.';
    STAIRS = 49, "stairs", b'>';
    LADDER = 50, "ladder", b'^';
    FOUNTAIN = 51, "fountain", b'{';
    THRONE = 52, "throne", b'\\';
    SINK = 53, "sink", b'K';
    GRAVE = 54, "grave", b'G';
    OWN_FURNITURE_1 = 55, "own_furniture_1", b'?';
    OWN_FURNITURE_2 = 56, "own_furniture_2", b'?';
    OWN_FURNITURE_3 = 57, "own_furniture_3", b'?';
    OWN_FURNITURE_4 = 58, "own_furniture_4", b'?';
    OWN_FURNITURE_5 = 59, "own_furniture_5", b'?';
    OWN_FURNITURE_6 = 60, "own_furniture_6", b'?';
    OWN_FURNITURE_7 = 61, "own_furniture_7", b'?';
    OWN_FURNITURE_8 = 62, "own_furniture_8", b'?';
    OWN_FURNITURE_9 = 63, "own_furniture_9", b'?';
    OWN_FURNITURE_10 = 64, "own_furniture_10", b'?';
    OWN_FURNITURE_11 = 65, "own_furniture_11", b'?';
    OWN_FURNITURE_12 = 66, "own_furniture_12", b'?';
    ALTAR = 67, "altar", b'_';
    ICE = 68, "ice", b'I';
    BOG = 69, "bog", b'?';
    DRAWBRIDGE_DOWN = 70, "drawbridge_down", b'D';
    AIR = 71, "air", b'A';
    CLOUD = 72, "cloud", b'C';
    OWN_FLOOR_1 = 73, "own_floor_1", b'?';
    OWN_FLOOR_2 = 74, "own_floor_2", b'?';
    OWN_FLOOR_3 = 75, "own_floor_3", b'?';
    OWN_FLOOR_4 = 76, "own_floor_4", b'?';
    OWN_FLOOR_5 = 77, "own_floor_5", b'?';
    OWN_FLOOR_6 = 78, "own_floor_6", b'?';
    OWN_FLOOR_7 = 79, "own_floor_7", b'?';
    OWN_FLOOR_8 = 80, "own_floor_8", b'?';
    OWN_FLOOR_9 = 81, "own_floor_9", b'?';
    OWN_FLOOR_10 = 82, "own_floor_10", b'?';
    OWN_FLOOR_11 = 83, "own_floor_11", b'?';
    OWN_FLOOR_12 = 84, "own_floor_12", b'?';
    OWN_FLOOR_13 = 85, "own_floor_13", b'?';
    OWN_FLOOR_14 = 86, "own_floor_14", b'?';
    OWN_FLOOR_15 = 87, "own_floor_15", b'?';
    OWN_FLOOR_16 = 88, "own_floor_16", b'?';
}

type OwnTypes = (Terrain, Terrain, fn(Terrain) -> bool);

/// The own types of each nature: the first, the last, and the types that they can be like.
const OWN_TYPES: [OwnTypes; 7] = [
    (Terrain::OWN_WALL_1, Terrain::OWN_WALL_4, |like| like.is_wall() && like != Terrain::DRAWBRIDGE_WALL),
    (Terrain::OWN_ROCK_1, Terrain::OWN_ROCK_4, |like| {
        like.is_rock() && like > Terrain::DRAWBRIDGE_WALL && !is_secret(like)
    }),
    (Terrain::OWN_POOL_1, Terrain::OWN_POOL_6, Terrain::is_water),
    (Terrain::OWN_LAVA_1, Terrain::OWN_LAVA_3, Terrain::is_lava),
    (Terrain::OWN_BARRIER_1, Terrain::OWN_BARRIER_3, Terrain::is_barrier),
    (Terrain::OWN_FURNITURE_1, Terrain::OWN_FURNITURE_12, |like| {
        like.is_furniture() && !matches!(like, Terrain::STAIRS | Terrain::LADDER | Terrain::ALTAR)
    }),
    (Terrain::OWN_FLOOR_1, Terrain::OWN_FLOOR_16, |like| {
        like.is_space() && !like.is_furniture() && !like.is_drawbridge()
    }),
];

/// Returns true for secret doors and corridors.
const fn is_secret(terrain: Terrain) -> bool {
    terrain.0 == Terrain::SECRET_DOOR.0 || terrain.0 == Terrain::SECRET_CORRIDOR.0
}

impl Terrain {
    /// Returns the terrain with that name.
    pub fn from_word(word: &str) -> Option<Terrain> {
        Terrain::ALL.iter().copied().find(|terrain| terrain.word() == word && !terrain.is_own())
    }

    /// Returns the terrain of the type `word` of `catalog`'s game.
    ///
    /// A type that is not in the list is an own type, of the nature of the type that the catalog says it is like. If
    /// there are more types of a nature than own types, the others are the type that they are like.
    pub fn of_type(word: &str, catalog: &Catalog) -> Option<Terrain> {
        let own = || Terrain::own_types(catalog).into_iter().find(|(_, look)| look.of == word).map(|(own, _)| own);
        Terrain::from_word(word).or_else(own).or_else(|| Terrain::from_word(&catalog.look(word)?.like))
    }

    /// Returns the own types of `catalog`'s game, with their appearance.
    pub fn own_types(catalog: &Catalog) -> Vec<(Terrain, &Look)> {
        let mut used = [0_u8; OWN_TYPES.len()];
        let mut own = Vec::new();
        for look in catalog.looks.iter().filter(|look| Terrain::from_word(&look.of).is_none()) {
            let Some(like) = Terrain::from_word(&look.like) else { continue };
            let Some(nature) = OWN_TYPES.iter().position(|(_, _, is_of)| is_of(like)) else { continue };
            let (first, last, _) = OWN_TYPES[nature];
            let number = first.0 + used[nature];
            if number <= last.0 {
                used[nature] += 1;
                own.push((Terrain(number), look));
            }
        }
        own
    }

    /// Returns its appearance in `catalog`'s game. For terrain that the game lacks, it is that in a game that has it.
    pub fn look_in(self, catalog: &Catalog) -> Option<&Look> {
        let mut own = if self.is_own() { Terrain::own_types(catalog) } else { Vec::new() };
        own.retain(|(own, _)| *own == self);
        own.first().map(|(_, look)| *look).or_else(|| catalog.look(self.word())).or_else(|| self.usual_look())
    }

    /// Returns its number in `catalog`'s game.
    pub fn number_in(self, catalog: &Catalog) -> Option<i32> {
        catalog.level_type(self.word()).or_else(|| catalog.level_type(&self.look_in(catalog)?.of))
    }

    fn usual_look(self) -> Option<&'static Look> {
        catalog::ALL.iter().find_map(|catalog| catalog.look(self.word()))
    }

    /// Plain name, e.g. "iron bars". That of an own type is in its [look](Terrain::look_in).
    pub fn name(self) -> &'static str {
        self.usual_look().map_or(self.word(), |look| &look.name)
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
        self.0 != 0 && self.0 < Terrain::TREE.0
    }

    /// Returns true for walls and stone.
    pub const fn is_wall_or_stone(self) -> bool {
        self.0 < Terrain::TREE.0
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

    /// Returns true for types that only one game has.
    pub fn is_own(self) -> bool {
        OWN_TYPES.iter().any(|(first, last, _)| (first.0..=last.0).contains(&self.0))
    }

    /// Returns true for water: pools, moats and other water, but not the square below a drawbridge.
    pub const fn is_water(self) -> bool {
        self.0 >= Terrain::POOL.0 && self.0 < Terrain::DRAWBRIDGE_UP.0
    }

    /// Returns true for barriers that are not rock: iron bars and similar squares.
    pub const fn is_barrier(self) -> bool {
        self.0 >= Terrain::IRON_BARS.0 && self.0 < Terrain::DOOR.0
    }

    /// Returns true for stairs, fountains, altars and similar furniture.
    pub const fn is_furniture(self) -> bool {
        self.0 >= Terrain::STAIRS.0 && self.0 <= Terrain::ALTAR.0
    }

    /// Returns true for lava, including walls of lava.
    pub const fn is_lava(self) -> bool {
        self.0 >= Terrain::LAVA.0 && self.0 <= Terrain::LAVA_WALL.0
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
        for terrain in Terrain::ALL.iter().filter(|terrain| !terrain.is_own()) {
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
