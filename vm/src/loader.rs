//! The parts of a game's level loader that do not depend on how a level is written down: places, rooms,
//! corridors, caverns, mazes, walls, things, and what is done with a level at its end.
//!
//! Everything is a method of [`Loader`], one file a subject. The methods do what the games' functions do, draw by
//! draw; their comments name the function. Where the games differ, a
//! [`LoaderRule`](splc_ir::catalog::LoaderRule) of the catalog says how.

mod bridges;
mod caverns;
mod corridors;
mod doors;
mod finish;
mod flip;
mod mazes;
mod places;
mod rectangles;
mod regions;
mod rogue;
mod rooms;
mod searches;
mod selecting;
mod sheol;
mod swamps;
mod terrain;
mod things;
mod traps;
mod walls;
mod wayout;

use splc_ir::catalog::LoaderRule;

use crate::digest::Digest;
use crate::drawing::Drawing;
use crate::error::Fault;
use crate::game::Game;
use crate::level::{Level, Place, SQUARES, is_ok};
use crate::limits::{MAX_CONTAINERS, MAX_ROOMS};
use crate::observer::{Complaint, Event, Observer};
use crate::rng::Rng;
pub(crate) use crate::schar::{schar, schar_of};
use crate::settings::Settings;
use crate::terrain::Terrain;

pub(crate) use caverns::{CavernRequest, ICED_MOAT, ICED_POOL};
pub(crate) use corridors::CorridorEnd;
pub(crate) use doors::RoomDoorRequest;
pub(crate) use finish::Wishes as Finish;
pub(crate) use flip::Flips;
pub(crate) use places::{Humidity, coordinate, pack, pack_given};
pub(crate) use rectangles::Rectangles;
pub(crate) use regions::{LevelRegion, Need, RegionRequest};
pub(crate) use rooms::RoomRequest;
pub(crate) use selecting::{DIVISIONS, Gradient, MapFragment, MapSquare};
use sheol::square_root;
pub(crate) use swamps::MazeRequest;
pub(crate) use things::{AltarRequest, MonsterRequest, NO_ALIGNMENT, ObjectRequest};
pub(crate) use traps::TrapWishes;

/// The last column and row of mazes (`x_maze_max`, `y_maze_max`).
pub(crate) const MAZE_COLUMNS: i32 = 78;
pub(crate) const MAZE_ROWS: i32 = 20;

/// Bits of walls and directions (`W_NORTH` and its like).
pub(crate) const NORTH: i32 = 1;
pub(crate) const SOUTH: i32 = 2;
pub(crate) const EAST: i32 = 4;
pub(crate) const WEST: i32 = 8;

/// Memory that loaders use again and again.
#[derive(Clone, Debug)]
pub(crate) struct Scratch {
    pub rectangles: Rectangles,
    /// Which rooms are joined (`smeq`).
    pub joined: [i32; 2 * MAX_ROOMS + 2],
    pub regions: Vec<LevelRegion>,
    /// Line of the level region that the game does not survive, from 1; 0 if there is none, or its line is not known.
    pub wrong_region: usize,
    pub squares: Vec<u16>,
    pub terrain: [Terrain; SQUARES],
    pub sheol: Vec<sheol::Chance>,
    pub points: Vec<sheol::Point>,
    pub drawing: Drawing,
    /// Some run asked for an alignment by its number.
    pub alignments_matter: bool,
}

impl Default for Scratch {
    fn default() -> Self {
        Scratch {
            rectangles: Rectangles::default(),
            joined: [0; 2 * MAX_ROOMS + 2],
            regions: Vec::new(),
            wrong_region: 0,
            squares: Vec::with_capacity(SQUARES),
            terrain: [Terrain::STONE; SQUARES],
            sheol: Vec::new(),
            points: Vec::new(),
            drawing: Drawing::default(),
            alignments_matter: false,
        }
    }
}

/// A level in the making, and all that has a say in it.
pub(crate) struct Loader<'a, R, O> {
    pub level: &'a mut Level,
    pub scratch: &'a mut Scratch,
    pub game: &'a Game,
    pub settings: &'a Settings,
    pub rng: &'a mut R,
    pub observer: &'a mut O,
    /// Draws so far.
    pub draws: u64,
    /// Alignments in the order of this level (`ralign`), as masks.
    pub alignments: [i32; 3],
    /// The alignment of the last species that was chosen, as a mask.
    pub chosen_alignment: i32,
    /// The part of the level that places are relative to: first column and row, and size.
    pub start_x: i32,
    pub start_y: i32,
    pub size_x: i32,
    pub size_y: i32,
    /// Whether INIT_MAP was run, and how pools freeze.
    pub init_present: bool,
    pub iced_pools: bool,
    pub maze_columns: i32,
    pub maze_rows: i32,
    /// Bounds of the last flood fill: first and last column, first and last row.
    pub flooded: [i32; 4],
    pub flooded_squares: i32,
    /// How many squares the last corridor was dug through.
    pub dug: i32,
    /// Containers that are being filled, and the monster that is given things.
    pub containers: [Option<usize>; MAX_CONTAINERS],
    pub container_count: usize,
    pub carrier: Option<usize>,
    /// The last stairs of the running map.
    pub last_stairs: Option<Place>,
    /// Whether the chance of what comes next was drawn already.
    pub chance_drawn: bool,
}

impl<'a, R: Rng, O: Observer> Loader<'a, R, O> {
    /// Starts with an empty level.
    pub fn new(
        level: &'a mut Level,
        scratch: &'a mut Scratch,
        game: &'a Game,
        settings: &'a Settings,
        rng: &'a mut R,
        observer: &'a mut O,
    ) -> Self {
        level.clear();
        scratch.rectangles.clear();
        scratch.regions.clear();
        scratch.wrong_region = 0;
        scratch.joined.fill(0);
        Loader {
            level,
            scratch,
            game,
            settings,
            rng,
            observer,
            draws: 0,
            alignments: [1, 2, 4],
            chosen_alignment: 0,
            start_x: 1,
            start_y: 0,
            size_x: crate::level::COLUMNS - 1,
            size_y: crate::level::ROWS,
            init_present: false,
            iced_pools: false,
            maze_columns: MAZE_COLUMNS,
            maze_rows: MAZE_ROWS,
            flooded: [0; 4],
            flooded_squares: 0,
            dug: 0,
            containers: [None; MAX_CONTAINERS],
            container_count: 0,
            carrier: None,
            last_stairs: None,
            chance_drawn: false,
        }
    }

    /// All that the loader knows of the level in the making, but for how much was drawn, and for the alignments as long
    /// as no run asked for them.
    pub fn digest(&self, digest: &mut Digest) {
        // No `..`: a field that is added must be looked at here.
        let Loader {
            level,
            scratch,
            game: _,
            settings: _,
            rng: _,
            observer: _,
            draws: _,
            alignments,
            // It is chosen for each monster anew.
            chosen_alignment: _,
            start_x,
            start_y,
            size_x,
            size_y,
            init_present,
            iced_pools,
            maze_columns,
            maze_rows,
            flooded,
            flooded_squares,
            // It is counted for each corridor anew.
            dug: _,
            containers,
            container_count,
            carrier,
            last_stairs,
            chance_drawn,
        } = self;
        level.digest(digest);
        // The rest of the scratch memory is used within a step.
        let Scratch {
            rectangles,
            joined,
            regions,
            squares: _,
            terrain: _,
            sheol: _,
            points: _,
            drawing: _,
            wrong_region: _,
            alignments_matter,
        } = &**scratch;
        rectangles.digest(digest);
        digest.bytes(joined.map(i32::to_le_bytes).as_flattened());
        // From which line they are is told when one is wrong, and changes nothing.
        regions.iter().for_each(|region| digest.shown(&LevelRegion { line: 0, ..*region }));
        digest.shown(&(alignments_matter.then_some(alignments), [start_x, start_y, size_x, size_y]));
        digest.shown(&(init_present, iced_pools, maze_columns, maze_rows, flooded, flooded_squares));
        digest.shown(&(containers, container_count, carrier, last_stairs, chance_drawn));
    }

    #[inline]
    pub fn has(&self, rule: LoaderRule) -> bool {
        self.game.rules.has(rule)
    }

    /// A draw from 0 to `below - 1`; none, and 0, if there is nothing to choose from.
    #[inline]
    pub fn rn2(&mut self, below: i32) -> i32 {
        if below <= 0 {
            return 0;
        }
        let result = self.rng.below(below as u32) as i32;
        self.draws += 1;
        self.observer.draw(below, result);
        result
    }

    /// A draw from 1 to `most`; none, and 1, if there is nothing to choose from.
    #[inline]
    pub fn rnd(&mut self, most: i32) -> i32 {
        if most <= 0 { 1 } else { self.rn2(most) + 1 }
    }

    /// A draw from `first` to `first + below - 1`.
    #[inline]
    pub fn rn1(&mut self, below: i32, first: i32) -> i32 {
        self.rn2(below) + first
    }

    /// Some loops of the games end by chance only; this ends them where chance does not.
    #[inline]
    pub fn check_draws(&self) -> Result<(), Fault> {
        if self.draws > self.settings.draws { Err(Fault::Hangs) } else { Ok(()) }
    }

    /// Draws the chance of a thing that is certain, where the game draws that, too, unless a chance was drawn for it.
    pub fn draw_certain_chance(&mut self) {
        if self.has(LoaderRule::ThingsDrawTheirChance) && !std::mem::take(&mut self.chance_drawn) {
            self.rn2(100);
        }
    }

    #[inline]
    pub fn complain(&mut self, complaint: Complaint) {
        self.observer.complaint(complaint);
    }

    #[inline]
    pub fn tell(&mut self, event: Event<'_>) {
        self.observer.event(event);
    }

    #[inline]
    pub fn terrain(&self, x: i32, y: i32) -> Terrain {
        self.level.terrain(x, y)
    }

    /// Light of a room for which it is random: lit more often near the surface (`litstate_rnd`).
    pub fn random_light(&mut self) -> bool {
        self.rnd(1 + self.settings.depth.saturating_abs().min(i32::MAX - 1)) < 11 && self.rn2(77) != 0
    }

    /// Sets terrain and light of a square (`SET_TYPLIT`); `None` leaves the terrain, light -2 the light.
    pub fn set_terrain_and_light(&mut self, x: i32, y: i32, terrain: Option<Terrain>, light: i32) {
        if !(0..crate::level::COLUMNS).contains(&x) || !(0..crate::level::ROWS).contains(&y) {
            return;
        }
        if !self.can_be_overwritten(x, y, terrain) {
            return;
        }
        if let Some(terrain) = terrain {
            self.level.set_terrain(x, y, terrain);
        }
        if terrain.is_some_and(Terrain::is_lava) {
            self.level.set_lit(x, y, true);
        } else if light == -1 {
            let lit = self.rn2(2) != 0;
            self.level.set_lit(x, y, lit);
        } else if light != -2 {
            self.level.set_lit(x, y, light & 1 != 0);
        }
    }

    /// Whether new terrain can be on a square (`set_levltyp`).
    pub fn can_be_overwritten(&self, x: i32, y: i32, terrain: Option<Terrain>) -> bool {
        if self.has(LoaderRule::ColumnZeroIsOutside) && (!is_ok(x, y) || terrain.is_none()) {
            return false;
        }
        !self.has(LoaderRule::StairsAreNotOverwritten)
            || !matches!(self.terrain(x, y), Terrain::STAIRS | Terrain::LADDER)
    }

    /// A number of a place as the game keeps it.
    #[inline]
    pub fn narrow(&self, number: i32) -> i32 {
        if self.has(LoaderRule::CoordinatesAreWide) { i32::from(number as i16) } else { schar(number) }
    }

    /// Shuffles the alignments that scripts refer to by number (`shuffle_alignments`).
    pub fn shuffle_alignments(&mut self) {
        let at = self.rn2(3) as usize;
        self.alignments.swap(2, at);
        if self.rn2(2) != 0 {
            self.alignments.swap(1, 0);
        }
    }

    /// Whether the place is a pool of any kind (`is_pool`).
    pub fn is_pool(&self, x: i32, y: i32) -> bool {
        use crate::level::bridge;
        is_ok(x, y)
            && match self.terrain(x, y) {
                Terrain::POOL | Terrain::MOAT | Terrain::WATER => true,
                Terrain::DRAWBRIDGE_UP => self.level.flags(x, y) & bridge::BELOW == bridge::MOAT_BELOW,
                _ => false,
            }
    }

    /// Whether the place is lava (`is_lava`).
    pub fn is_lava(&self, x: i32, y: i32) -> bool {
        use crate::level::bridge;
        is_ok(x, y)
            && match self.terrain(x, y) {
                Terrain::LAVA | Terrain::LAVA_WALL => true,
                Terrain::DRAWBRIDGE_UP => self.level.flags(x, y) & bridge::BELOW == bridge::LAVA_BELOW,
                _ => false,
            }
    }
}
