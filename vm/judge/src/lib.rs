//! Judging of generated levels: a level is run with many seeds, and its defects are found and counted.
//!
//! [`Judge`] examines one finished level, with the [`Chronicle`] of its makers, and finds its [`Defect`]s. It has no
//! memory of other levels. [`examine`] runs a level with many seeds on many threads and adds up: a [`Verdict`] contains
//! for each [`Finding`] the step to blame, the number of seeds, and the first of them. Verdicts can be merged in any
//! order, so that the result does not depend on the distribution of the work.
//!
//! Defects follow from how the games work, never from the name of a level. A part of a level with its own entrance
//! (stairs, a ladder, a portal, a region of arrival) is not a defect, however separate it is. A vault is closed by
//! design. Ghosts and xorns may be in walls.

mod attitudes;
mod coverage;
mod edges;
mod examine;
mod hazards;
mod places;
mod reach;
mod shops;
mod traits;

pub use examine::{Case, QuestLevel, Verdict, examine};
pub use reach::Means;

use reach::Reach;
use splc_puzzle::Puzzle;
use splc_vm::internals::is_ok;
use splc_vm::{COLUMNS, Chronicle, Complaint, Level, Loudness, Place, Prepared, ROWS, Remarks, SQUARES, Terrain};

/// Direction of stairs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Way {
    /// Towards the surface.
    Up,
    /// Away from it.
    Down,
}

impl Way {
    /// The des-file keyword.
    pub fn word(self) -> &'static str {
        match self {
            Way::Up => "up",
            Way::Down => "down",
        }
    }
}

/// A defect of a level.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Defect {
    /// The loader complains.
    Complaint {
        /// The message.
        words: &'static str,
        /// True if the game reports it too, not only splc.
        aloud: bool,
    },
    /// A room or subroom finds no place, and its contents are skipped.
    RoomFails,
    /// The level has no entrance: no stairs, ladder or portal, and no region of arrival.
    NoWayIn,
    /// The level has stairs or another entrance, but a hero who falls in or arrives by magic finds no square to stand
    /// on.
    NoLanding,
    /// Stairs or a ladder in that direction are missing, but exist with other seeds.
    LacksStairs(Way),
    /// Stairs were made and then covered by other terrain.
    CoveredStairs(Way),
    /// Several stairs in the same direction; the game knows only the last.
    DuplicateStairs(Way),
    /// A region of arrival has no square to stand on; the direction is absent if the region applies to both.
    ArrivalBlocked(Option<Way>),
    /// From the arrival from above, stairs down need at least these means to reach.
    StairsApart(Means),
    /// Squares that need at least these means to reach from anywhere.
    SquaresApart(Means),
    /// An object among such squares.
    ThingApart(Means),
    /// A thing is in rock, a wall, a tree, or bars.
    ThingInRock,
    /// A monster that cannot swim or fly is in water or lava.
    Drowns,
    /// A shop has no door, so it gets neither keeper nor goods.
    ShopWithoutDoor,
    /// A shop has several doors; the keeper stands at the first.
    ShopWithDoors,
    /// A shop can be left without going through its door.
    ShopIsOpen,
    /// A shop is too small for any square to get goods.
    ShopIsEmpty,
    /// A trap is on an altar, fountain, sink or throne, or on stairs.
    TrapOnFurniture,
    /// A trap at a random place can be where a later statement makes furniture.
    TrapBeforeFurniture,
    /// A hole or trap door, through which nobody falls on the last level of a dungeon.
    HoleAtBottom,
    /// A trap is on the floor of a shop.
    TrapInShop,
    /// Stairs, a ladder, a portal or the way to another dungeon are in a shop, or can be there.
    WayInShop,
    /// A random tool in a container can be a container.
    ContainerInContainer,
    /// A container with the most valuable object can be trapped.
    TreasureTrapped,
    /// A container with an object that the game never makes at random can be trapped.
    RareObjectTrapped,
    /// The inventory of a quest nemesis lacks the Bell.
    NoBell,
    /// A puzzle of boulders has fewer boulders than pits and holes.
    FewBoulders,
    /// A puzzle of boulders has no solution.
    Unsolvable,
    /// From the stairs down, a puzzle of boulders has all boulders on the far side of pits and holes.
    BouldersBehindGaps,
    /// A hero who falls or teleports into the level can arrive where no way out can be reached without digging.
    ArrivalApart,
    /// The level has no stairs or ladder in a direction in which the dungeon goes on.
    LacksWay(Way),
    /// The level has stairs in a direction in which the dungeon ends.
    LeadsNowhere(Way),
    /// A hero who falls or teleports into the level can arrive in the air.
    ArrivalInAir,
    /// A named object is not the artifact of that name, because the artifact is another object.
    NotTheArtifact,
    /// The name of an object is similar to that of an artifact, which is the same object.
    MisspeltArtifact,
    /// An artifact that an earlier statement of the level makes.
    ArtifactTwice,
    /// A throne room has rock in its rectangle, where the game may put its throne and chest.
    RockInThroneRoom,
    /// A statement that never ran with any seed.
    NeverRuns,
    /// A statement about terrain that changed nothing with any seed.
    NoEffect,
    /// The last level of a quest never has its nemesis.
    NoNemesis,
    /// The level is lit by chance, because its script says nothing about its light.
    LitByChance,
    /// The last rows or columns of a map have other light than the rest of its floor.
    ShortRegion,
    /// A shrine outside a temple, which becomes an ordinary altar.
    NoShrine,
    /// A trap replaces another one at the same place.
    TrapReplaced,
    /// One of the few squares of floor of a walled map that are next to rock.
    GapInWall,
    /// The level never has a trait that it has in every game, the entry of the catalog with that number.
    LacksTrait(usize),
    /// A shop whose rectangle has rock or walls inside, where the game puts goods.
    RockInShop,
    /// A statue is on the square of a statue trap that was made later, and lies below the statue of the trap.
    StatueBelowTrap,
    /// A random trap can replace a statue trap with a statue of the level.
    StatueTrapAtRisk,
    /// A statue trap without a statue of the level, unlike the others of the level.
    TrapWithoutStatue,
    /// A monster that is peaceful or hostile by chance, unlike the others of its species in the level.
    OddAttitude,
    /// A unique monster that is peaceful or hostile by chance, in a company that is hostile.
    OddLeader,
    /// A dark map in a lit cavern that it is open to.
    DarkMapInLitCavern,
    /// A puzzle of boulders without the flag that makes the game apply the rules of Sokoban.
    NoPuzzleRules,
}

/// The subject of a finding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Subject {
    /// The level as a whole.
    Level,
    /// The monster at that index.
    Monster(usize),
    /// The object at that index.
    Object(usize),
    /// Gold.
    Gold,
    /// The trap at that index.
    Trap(usize),
    /// An engraving.
    Engraving,
    /// This number of squares.
    Squares(usize),
    /// A shop with that room type.
    Room(i32),
}

/// A finding about one level.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Finding {
    /// The defect.
    pub defect: Defect,
    /// Step to blame, if known.
    pub at: Option<usize>,
    /// Place of the finding.
    pub place: Option<Place>,
    /// Subject of the finding.
    pub subject: Subject,
}

/// Judges finished levels, one after the other; reuses its memory from level to level.
#[derive(Clone, Debug)]
pub struct Judge {
    reach: Reach,
    left: Box<[bool; SQUARES]>,
    found: Vec<Finding>,
    /// The puzzles of the levels so far, and true for those without a solution.
    puzzles: Vec<(Puzzle, bool)>,
}

impl Default for Judge {
    fn default() -> Self {
        Judge { reach: Reach::default(), left: Box::new([false; SQUARES]), found: Vec::new(), puzzles: Vec::new() }
    }
}

impl Judge {
    /// Creates a judge.
    pub fn new() -> Self {
        Self::default()
    }

    /// Judges a finished level of `program`. `chronicle` and `remarks` must have observed its run.
    pub fn level(&mut self, level: &Level, program: &Prepared, chronicle: &Chronicle, remarks: &Remarks) -> &[Finding] {
        self.found.clear();
        let flooded = is_flooded(level);
        for remark in remarks.list() {
            match remark.complaint {
                // The existence of a level depends on the dungeon, which is unknown here.
                Complaint::NoSuchLevel => continue,
                Complaint::RegionPlace | Complaint::RegionKindPlace(_) | Complaint::NoPlace if flooded => continue,
                _ => {}
            }
            let (loudness, words) = remark.complaint.message();
            let defect = match remark.complaint {
                Complaint::RoomFailed => Defect::RoomFails,
                Complaint::TrapReplaced => Defect::TrapReplaced,
                Complaint::ShrineWithoutTemple => Defect::NoShrine,
                _ => Defect::Complaint { words, aloud: loudness != Loudness::Silent },
            };
            let at = Some(remark.at);
            self.found.push(Finding { defect, at, place: None, subject: Subject::Level });
        }
        let scene = Scene { level, program, chronicle };
        self.things(&scene);
        self.hazards(&scene);
        self.artifacts(&scene);
        self.shops(&scene);
        self.maps(&scene);
        self.attitudes(&scene);
        self.stairs(&scene);
        if level.has_random_light() {
            let lit = level
                .all_terrain()
                .iter()
                .zip(places())
                .filter(|&(terrain, (x, y))| *terrain == Terrain::ROOM && is_ok(x, y) && level.is_lit(x, y));
            if lit.count() >= LIT {
                self.add(Defect::LitByChance, None, None, Subject::Level);
            }
        }
        // A part of a level is entered from the level that it becomes part of.
        if !level.level_flags.random_vault && !flooded {
            self.ways(&scene);
        }
        &self.found
    }

    fn add(&mut self, defect: Defect, at: Option<usize>, place: Option<Place>, subject: Subject) {
        self.found.push(Finding { defect, at, place, subject });
    }
}

/// Least lit squares of floor that make a level lit.
const LIT: usize = 30;

/// Places of all squares, in the order of [`Level::all_terrain`].
fn places() -> impl Iterator<Item = Place> {
    (0..COLUMNS).flat_map(|x| (0..ROWS).map(move |y| (x, y)))
}

/// Returns true if a level is mostly water, which the game fills with air bubbles for the hero to arrive in.
fn is_flooded(level: &Level) -> bool {
    level.all_terrain().iter().filter(|&&terrain| terrain == Terrain::WATER).count() > SQUARES / 2
}

/// A level and its history.
struct Scene<'a> {
    level: &'a Level,
    program: &'a Prepared,
    chronicle: &'a Chronicle,
}

impl Scene<'_> {
    /// Step that last changed a square.
    fn square(&self, place: Place) -> Option<usize> {
        self.chronicle.square(place, self.level).map(|maker| maker.at)
    }
}
