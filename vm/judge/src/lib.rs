//! Judging what comes out: levels are made with many seeds, and what is wrong with them is found and counted.
//!
//! [`Judge`] looks at one finished level, with the [`Chronicle`] of who made what, and names its [`Defect`]s: pure, and
//! without a memory of other levels. [`examine`] makes a level with many seeds on many threads and adds up: a
//! [`Verdict`] says of each [`Finding`] which step is to blame, with how many seeds it comes, and with which first. Two
//! verdicts add up to one in any order, so that the result does not depend on who did what.
//!
//! What counts as a defect follows from how the games work, never from what a level is called. A part of a level that
//! has its own way in (stairs, a ladder, a portal, a region of arrival) is no defect, however separate it is; a vault
//! is closed; ghosts and xorns may be in walls.

mod coverage;
mod examine;
mod places;
mod reach;
mod shops;

pub use examine::{Case, Verdict, examine};
pub use reach::Means;

use reach::Reach;
use splc_vm::{Chronicle, Complaint, Level, Loudness, Place, Prepared, Remarks, SQUARES, Terrain};

/// A way that stairs lead.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Way {
    /// Towards the surface.
    Up,
    /// Away from it.
    Down,
}

impl Way {
    /// The word that des-files have for it.
    pub fn word(self) -> &'static str {
        match self {
            Way::Up => "up",
            Way::Down => "down",
        }
    }
}

/// What can be wrong with a level.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Defect {
    /// The loader complains.
    Complaint {
        /// Its words.
        words: &'static str,
        /// Whether the game says them; otherwise only splc does.
        aloud: bool,
    },
    /// A room or subroom finds no place; nothing that is in it is made.
    RoomFails,
    /// There is no way into the level: no stairs, ladder or portal, and no region of arrival.
    NoWayIn,
    /// There are stairs and the like, but who falls in or comes by magic finds no square to stand on.
    NoLanding,
    /// With other seeds, stairs or a ladder lead that way.
    LacksStairs(Way),
    /// Stairs were made, and something else was put over them.
    CoveredStairs(Way),
    /// Further stairs of a kind; the game knows only the last.
    DuplicateStairs(Way),
    /// Who comes that way, or any, is to arrive in a region where nobody can stand.
    ArrivalBlocked(Option<Way>),
    /// From where a hero comes in from above, no stairs down can be reached with less than this.
    StairsApart(Means),
    /// Squares that cannot be reached from anywhere with less than this.
    SquaresApart(Means),
    /// An object among such squares.
    ThingApart(Means),
    /// Something is in rock, a wall, a tree, or bars.
    ThingInRock,
    /// A monster that cannot swim or fly is in water or lava.
    Drowns,
    /// A shop has no door: it gets neither keeper nor goods.
    ShopWithoutDoor,
    /// A shop has more than one door; the keeper stands at the first.
    ShopWithDoors,
    /// A shop can be left without going through its door.
    ShopIsOpen,
    /// A shop is so small that no square of it gets goods.
    ShopIsEmpty,
    /// A statement that never ran, with any seed.
    NeverRuns,
}

/// What a finding is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Subject {
    /// Nothing in particular.
    Level,
    /// The monster of that index.
    Monster(usize),
    /// The object of that index.
    Object(usize),
    /// Gold.
    Gold,
    /// The trap of that index.
    Trap(usize),
    /// An engraving.
    Engraving,
    /// So many squares.
    Squares(usize),
    /// A shop of that kind of room.
    Room(i32),
}

/// Something that is wrong with one level.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Finding {
    /// What is wrong.
    pub defect: Defect,
    /// Who is to blame, if that is known.
    pub at: Option<usize>,
    /// Where it shows.
    pub place: Option<Place>,
    /// What it is about.
    pub subject: Subject,
}

/// Judges finished levels, one after the other; keeps its memory from level to level.
#[derive(Clone, Debug)]
pub struct Judge {
    reach: Reach,
    left: Box<[bool; SQUARES]>,
    found: Vec<Finding>,
}

impl Default for Judge {
    fn default() -> Self {
        Judge { reach: Reach::default(), left: Box::new([false; SQUARES]), found: Vec::new() }
    }
}

impl Judge {
    /// A judge.
    pub fn new() -> Self {
        Self::default()
    }

    /// Judges a finished level of `program`. `chronicle` and `remarks` have looked on while it was made.
    pub fn level(&mut self, level: &Level, program: &Prepared, chronicle: &Chronicle, remarks: &Remarks) -> &[Finding] {
        self.found.clear();
        let flooded = is_flooded(level);
        for remark in remarks.list() {
            match remark.complaint {
                // Which levels there are is a matter of the dungeon, which is not known here.
                Complaint::NoSuchLevel => continue,
                Complaint::RegionPlace if flooded => continue,
                _ => {}
            }
            let (loudness, words) = remark.complaint.text();
            let defect = match remark.complaint {
                Complaint::RoomFailed => Defect::RoomFails,
                _ => Defect::Complaint { words, aloud: loudness != Loudness::Silent },
            };
            let at = Some(remark.at);
            self.found.push(Finding { defect, at, place: None, subject: Subject::Level });
        }
        let scene = Scene { level, program, chronicle };
        self.things(&scene);
        self.shops(&scene);
        self.stairs(&scene);
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

/// Whether a level is the kind of water that the game fills with bubbles of air, which is where one arrives.
fn is_flooded(level: &Level) -> bool {
    level.all_terrain().iter().filter(|&&terrain| terrain == Terrain::WATER).count() > SQUARES / 2
}

/// A level, and how it was made.
struct Scene<'a> {
    level: &'a Level,
    program: &'a Prepared,
    chronicle: &'a Chronicle,
}

impl Scene<'_> {
    /// The step that changed a square last.
    fn square(&self, place: Place) -> Option<usize> {
        self.chronicle.square(place, self.level).map(|maker| maker.at)
    }
}
