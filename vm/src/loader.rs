//! The parts of a game's level loader that do not depend on the format of the level: places, rooms, corridors, caverns,
//! mazes, walls, things, and the final touches to a level.
//!
//! Everything is a method of [`Loader`], one file per subject. Each method follows the game's function draw by draw and
//! names it in its comment. Differences between the games are controlled by the
//! [`LoaderRule`](splc_ir::catalog::LoaderRule)s of the catalog.

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

use std::hash::Hash;

use splc_ir::catalog::LoaderRule;

use crate::digest::Digest;
use crate::drawing::Drawing;
use crate::error::Fault;
use crate::game::Game;
use crate::level::{Level, Place, SQUARES, is_ok};
use crate::limits::{MAX_CONTAINERS, MAX_ROOMS};
use crate::observer::{Complaint, Event, Observer};
use crate::rng::{Rng, Source};
pub(crate) use crate::schar::{schar, schar_of};
use crate::settings::{Settings, Surrounding, Surroundings};
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
pub(crate) use selecting::{DIVISIONS, Gradient, MapFragment, MapSquare, Squares};
use sheol::square_root;
pub(crate) use swamps::MazeRequest;
pub(crate) use things::{AltarRequest, Inventory, MonsterRequest, NO_ALIGNMENT, ObjectRequest};
pub(crate) use traps::TrapWishes;

/// Last column and row of mazes (`x_maze_max`, `y_maze_max`).
pub(crate) const MAZE_COLUMNS: i32 = 78;
pub(crate) const MAZE_ROWS: i32 = 20;

/// Bits of walls and directions (`W_NORTH` and similar).
pub(crate) const NORTH: i32 = 1;
pub(crate) const SOUTH: i32 = 2;
pub(crate) const EAST: i32 = 4;
pub(crate) const WEST: i32 = 8;

/// Memory that loaders reuse from run to run.
#[derive(Clone, Debug)]
pub(crate) struct Scratch {
    pub rectangles: Rectangles,
    /// Group of each room; rooms with the same number are joined (`smeq`).
    pub joined: [i32; 2 * MAX_ROOMS + 2],
    pub regions: Vec<LevelRegion>,
    /// Line, from 1, of the level region that crashes the game; 0 if there is none or its line is unknown.
    pub wrong_region: usize,
    pub squares: Vec<u16>,
    pub terrain: [Terrain; SQUARES],
    pub sheol: Vec<sheol::Chance>,
    pub points: Vec<sheol::Point>,
    pub drawing: Drawing,
    /// Set once a run has used an alignment by its number.
    pub alignments_matter: bool,
    /// Parts of the game around the level that runs have queried.
    pub queried: Surroundings,
    /// Those that statements of levels have queried, not the loader.
    pub queried_by_level: Surroundings,
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
            queried: Surroundings::default(),
            queried_by_level: Surroundings::default(),
        }
    }
}

/// A level under construction, with everything that affects it.
pub(crate) struct Loader<'a> {
    pub level: &'a mut Level,
    pub scratch: &'a mut Scratch,
    pub game: &'a Game,
    pub settings: &'a Settings,
    pub rng: Source<'a>,
    pub observer: Option<&'a mut dyn Observer>,
    /// Number of draws so far.
    pub draws: u64,
    /// Alignments in the order of this level (`ralign`), as masks.
    pub alignments: [i32; 3],
    /// Alignment of the species chosen last, as a mask.
    pub chosen_alignment: i32,
    /// Area that coordinates are relative to: first column and row, and size.
    pub start_x: i32,
    pub start_y: i32,
    pub size_x: i32,
    pub size_y: i32,
    /// Set once INIT_MAP has run. `iced_pools` selects the flag for ice over water: pool or moat.
    pub init_present: bool,
    pub iced_pools: bool,
    pub maze_columns: i32,
    pub maze_rows: i32,
    /// Bounds of the last flood fill: first and last column, first and last row.
    pub flooded: [i32; 4],
    pub flooded_squares: i32,
    /// Number of squares that the last corridor was dug through.
    pub dug: i32,
    /// Containers being filled, and the monster receiving objects.
    pub containers: [Option<usize>; MAX_CONTAINERS],
    pub container_count: usize,
    pub carrier: Option<usize>,
    /// Last stairs of the current map.
    pub last_stairs: Option<Place>,
    /// Set if the chance of the next thing has already been drawn.
    pub chance_drawn: bool,
    /// Place of the last door made in a wall of a room.
    pub door_made: Option<Place>,
    pub making: Making,
}

/// The state of the level maker while it makes the rooms of an ordinary level.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Making {
    /// A function of the file of themed rooms is running (`in_mk_themerooms`).
    pub themed: bool,
    /// A room or map of this call found no place (`themeroom_failed`).
    pub failed: bool,
    /// The corner of the place reserved for a vault (`vault_x`, `vault_y`).
    pub vault: Option<Place>,
}

impl Making {
    /// Begins a call of a function of the file.
    pub fn begin(&mut self) {
        (self.themed, self.failed) = (true, false);
    }

    /// Returns true if the rest of the call makes no rooms.
    pub fn has_failed(&self) -> bool {
        self.themed && self.failed
    }
}

impl<'a> Loader<'a> {
    /// Creates a loader with an empty level.
    pub fn new(
        level: &'a mut Level,
        scratch: &'a mut Scratch,
        game: &'a Game,
        settings: &'a Settings,
        rng: Source<'a>,
        observer: Option<&'a mut dyn Observer>,
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
            door_made: None,
            making: Making::default(),
        }
    }

    /// Hashes everything that the loader knows about the level, except the number of draws, and the alignments if no
    /// run has used them.
    pub fn digest(&self, digest: &mut Digest) {
        // No `..`: a new field must be considered here.
        let Loader {
            level,
            scratch,
            game: _,
            settings: _,
            rng: _,
            observer: _,
            draws: _,
            alignments,
            // Chosen anew for each monster.
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
            // Counted anew for each corridor.
            dug: _,
            containers,
            container_count,
            carrier,
            last_stairs,
            chance_drawn,
            // Used within a step.
            door_made: _,
            // Unused while a level is loaded.
            making: _,
        } = self;
        level.digest(digest);
        // The rest of the scratch memory is used only within a step.
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
            queried: _,
            queried_by_level: _,
        } = &**scratch;
        (rectangles, joined, regions.len()).hash(digest);
        // The line of a region only appears in errors.
        regions.iter().for_each(|region| LevelRegion { line: 0, ..*region }.hash(digest));
        (alignments_matter.then_some(alignments), [start_x, start_y, size_x, size_y]).hash(digest);
        (init_present, iced_pools, maze_columns, maze_rows, flooded, flooded_squares).hash(digest);
        (containers, container_count, carrier, last_stairs, chance_drawn).hash(digest);
    }

    /// The game around the level. Records that the run queries a part of it.
    #[inline]
    pub fn ask(&mut self, part: Surrounding) -> &'a Settings {
        self.scratch.queried.add(part);
        self.settings
    }

    /// The game around the level, of which a statement of the level queries a part.
    pub fn ask_for_level(&mut self, part: Surrounding) -> &'a Settings {
        self.scratch.queried_by_level.add(part);
        self.ask(part)
    }

    #[inline]
    pub fn has(&self, rule: LoaderRule) -> bool {
        self.game.rules.has(rule)
    }

    /// Draws from 0 to `below - 1`. If there is nothing to choose from, returns 0 without a draw.
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

    /// Draws from 1 to `most`. If there is nothing to choose from, returns 1 without a draw.
    #[inline]
    pub fn rnd(&mut self, most: i32) -> i32 {
        if most <= 0 { 1 } else { self.rn2(most) + 1 }
    }

    /// Draws from `first` to `first + below - 1`.
    #[inline]
    pub fn rn1(&mut self, below: i32, first: i32) -> i32 {
        self.rn2(below) + first
    }

    /// Stops a run with too many draws: some loops of the games end only by chance.
    #[inline]
    pub fn check_draws(&self) -> Result<(), Fault> {
        if self.draws > self.settings.draws { Err(Fault::Hangs) } else { Ok(()) }
    }

    /// Checks the limits on draws and on the texts of the level.
    #[inline]
    pub fn check_limits(&self) -> Result<(), Fault> {
        if self.level.texts_overflow { Err(Fault::LevelTexts) } else { self.check_draws() }
    }

    /// Draws the chance of a certain thing, if the game draws it, unless a chance has already been drawn for it.
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
    pub fn report(&mut self, event: Event<'_>) {
        self.observer.event(event);
    }

    #[inline]
    pub fn terrain(&self, x: i32, y: i32) -> Terrain {
        self.level.terrain(x, y)
    }

    /// Draws the light of a room with random light: rooms near the surface are lit more often (`litstate_rnd`).
    pub fn random_light(&mut self) -> bool {
        let depth = self.ask(Surrounding::Depth).depth;
        self.rnd(1 + depth.saturating_abs().min(i32::MAX - 1)) < 11 && self.rn2(77) != 0
    }

    /// Sets the terrain and light of a square (`SET_TYPLIT`). `None` keeps the terrain, -2 keeps the light.
    pub fn set_terrain_and_light(&mut self, x: i32, y: i32, terrain: Option<Terrain>, light: i32) {
        if !(0..crate::level::COLUMNS).contains(&x) || !(0..crate::level::ROWS).contains(&y) {
            return;
        }
        if !self.can_be_overwritten(x, y, terrain) {
            return;
        }
        match terrain {
            // The rooms with trees for walls have secret doors among them.
            Some(Terrain::AIR)
                if self.terrain(x, y) == Terrain::SECRET_DOOR && self.has(LoaderRule::StairsAreNotOverwritten) =>
            {
                self.level.set_like_tree(x, y);
            }
            Some(terrain) => self.level.set_terrain(x, y, terrain),
            None => {}
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

    /// Returns true if the terrain of a square can be replaced (`set_levltyp`).
    pub fn can_be_overwritten(&self, x: i32, y: i32, terrain: Option<Terrain>) -> bool {
        if self.has(LoaderRule::ColumnZeroIsOutside) && (!is_ok(x, y) || terrain.is_none()) {
            return false;
        }
        !self.has(LoaderRule::StairsAreNotOverwritten)
            || !matches!(self.terrain(x, y), Terrain::STAIRS | Terrain::LADDER)
    }

    /// Narrows a coordinate to the integer type in which the game stores it.
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

    /// Returns true if the place is any type of pool (`is_pool`).
    pub fn is_pool(&self, x: i32, y: i32) -> bool {
        use crate::level::bridge;
        is_ok(x, y)
            && match self.terrain(x, y) {
                terrain if terrain.is_water() => true,
                Terrain::DRAWBRIDGE_UP => self.level.flags(x, y) & bridge::BELOW == bridge::MOAT_BELOW,
                _ => false,
            }
    }

    /// Returns true if the place is lava (`is_lava`).
    pub fn is_lava(&self, x: i32, y: i32) -> bool {
        use crate::level::bridge;
        is_ok(x, y)
            && match self.terrain(x, y) {
                terrain if terrain.is_lava() => true,
                Terrain::DRAWBRIDGE_UP => self.level.flags(x, y) & bridge::BELOW == bridge::LAVA_BELOW,
                _ => false,
            }
    }
}
