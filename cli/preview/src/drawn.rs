//! A finished level as the page draws it.

use serde::Serialize;
use splc_driver::{Loaded, Runnable};
use splc_ir::catalog::Catalog;
use splc_picture::{Document, RoomEntry, StairsEntry, legend_with_makers};
use splc_vm::{Chronicle, Level, Machine, Maker, Remarks, Settings, SplitMix, StepKind};

use crate::palette::{NamedCell, Palette, squares};
use crate::statements::{Statement, Statements};
use crate::story::Watch;

/// Identical things of a level.
#[derive(Clone, Debug, Serialize)]
pub struct Things {
    /// Their subject, e.g. "monsters".
    pub subject: &'static str,
    /// Their symbol.
    pub symbol: char,
    /// Their description.
    pub what: String,
    /// Each of them.
    pub each: Vec<Thing>,
}

/// A thing of a level.
#[derive(Clone, Debug, Serialize)]
pub struct Thing {
    /// Its place; `None` for a room.
    pub place: Option<[i32; 2]>,
    /// Number of the statement that made it.
    pub statement: Option<usize>,
    /// Its place in the coordinates of that statement.
    pub written: Option<[i32; 2]>,
}

/// A message of the loader.
#[derive(Clone, Debug, Serialize)]
pub struct Said {
    /// The message.
    pub message: String,
    /// Number of the statement that caused it.
    pub statement: Option<usize>,
    /// Number of times that it was reported.
    pub count: u64,
}

/// The reason why the game cannot load a level.
#[derive(Clone, Debug, Serialize)]
pub struct Failed {
    /// The reason.
    pub message: String,
    /// Number of the statement that fails.
    pub statement: Option<usize>,
}

/// A flip of a level.
#[derive(Clone, Debug, Serialize)]
pub struct Flip {
    /// Area that was flipped: x1, y1, x2, y2.
    pub area: [i32; 4],
    /// True if left and right were swapped.
    pub left_to_right: bool,
    /// True if top and bottom were swapped.
    pub top_to_bottom: bool,
}

/// A rectangle with a name.
#[derive(Clone, Debug, Serialize)]
pub struct Area {
    /// The name.
    pub name: &'static str,
    /// Its corners: x1, y1, x2, y2.
    pub within: [i32; 4],
    /// The rectangle that is not part of it; all 0 for none.
    pub outside: [i32; 4],
}

/// A finished level.
#[derive(Clone, Debug, Serialize)]
pub struct Drawn {
    /// Name of the level.
    pub name: String,
    /// Name of its game.
    pub game: String,
    /// Seed of the run.
    pub seed: u64,
    /// Number of draws.
    pub draws: u64,
    /// Set if the game cannot load the level; the squares then show it as far as it was made.
    pub failed: Option<Failed>,
    /// Every appearance of a square.
    pub palette: Vec<NamedCell>,
    /// Number of each square's appearance, row by row from column 1.
    pub squares: Vec<u16>,
    /// Number of the statement that last changed each square; -1 for none.
    pub made: Vec<i32>,
    /// Number of the statement that lit or darkened each square; -1 for none.
    pub lit_by: Vec<i32>,
    /// Everything on the level, grouped.
    pub things: Vec<Things>,
    /// Rooms.
    pub rooms: Vec<RoomEntry>,
    /// Rooms within rooms.
    pub subrooms: Vec<RoomEntry>,
    /// Stairs and ladders.
    pub stairs: Vec<StairsEntry>,
    /// Regions of arrival.
    pub areas: Vec<Area>,
    /// Flags of the level.
    pub flags: Vec<&'static str>,
    /// Messages on arrival.
    pub messages: Vec<String>,
    /// Messages of the loader.
    pub remarks: Vec<Said>,
    /// The flip of the level, if any. All places are those after it.
    pub flip: Option<Flip>,
    /// Each map that was laid: the number of its statement, and its upper left corner before the flip.
    pub maps: Vec<(usize, [i32; 2])>,
    /// The statements.
    pub statements: Vec<Statement>,
}

/// Runs a level of `loaded` with a seed.
pub fn drawn(loaded: &Loaded, runnable: &Runnable, settings: &Settings, seed: u64) -> Drawn {
    let catalog = loaded.target.catalog();
    let program = &runnable.program;
    let mut machine = Machine::new();
    let mut observer = ((Remarks::new(), Chronicle::new()), Watch::without_frames());
    let run = machine.run(program, settings, &mut SplitMix::new(seed), &mut observer).map(|_| ());
    let ((remarks, mut chronicle), mut watch) = observer;
    let level = machine.level();
    chronicle.finish(level);
    watch.finish(level, program.len());
    let mut statements = Statements::new(program, &loaded.sources);
    let mut palette = Palette::default();
    let numbers = palette.squares(level, catalog);
    let number = |number: Option<usize>| number.and_then(|number| i32::try_from(number).ok()).unwrap_or(-1);
    let (mut made, mut maps) = (Vec::with_capacity(numbers.len()), Vec::new());
    for place in squares() {
        let maker = chronicle.square(place, level);
        let statement = maker.and_then(|maker| statements.of_step(maker.at));
        made.push(number(statement));
        if let (Some(maker), Some(statement)) = (maker, statement)
            && program.step(maker.at).is_some_and(StepKind::is_map)
        {
            let map = (statement, [maker.origin.0, maker.origin.1]);
            if maps.last() != Some(&map) && !maps.contains(&map) {
                maps.push(map);
            }
        }
    }
    let lit_by =
        squares().map(|place| number(watch.light(place, level).and_then(|at| statements.of_step(at)))).collect();
    let things = things(level, catalog, &chronicle, &mut statements);
    let remarks = remarks.list().iter().map(|remark| Said {
        message: remark.complaint.as_reported(),
        statement: statements.of_step(remark.at),
        count: remark.count,
    });
    let remarks = remarks.collect();
    let failed = run.err().map(|error| Failed {
        message: format!("the game cannot load this level: {}", error.fault),
        statement: statements.of_step(error.at),
    });
    let Document { rooms, subrooms, stairs, flags, messages, .. } = Document::of(level, catalog);
    Drawn {
        name: runnable.name.to_string(),
        game: catalog.title.to_string(),
        seed,
        draws: watch.draws(),
        failed,
        palette: palette.list(),
        squares: numbers,
        made,
        lit_by,
        things,
        rooms,
        subrooms,
        stairs,
        areas: areas(level),
        flags,
        messages,
        remarks,
        flip: level.mirror().map(|mirror| Flip {
            area: mirror.area,
            left_to_right: mirror.left_to_right,
            top_to_bottom: mirror.top_to_bottom,
        }),
        maps,
        statements: statements.list(),
    }
}

fn things(level: &Level, catalog: &Catalog, chronicle: &Chronicle, statements: &mut Statements<'_>) -> Vec<Things> {
    let mut things = Vec::new();
    for entry in legend_with_makers(level, catalog, chronicle) {
        let mut each = Vec::with_capacity(entry.makers.len());
        for (at, maker) in entry.makers.iter().enumerate() {
            let place = entry.places.get(at).copied();
            let written = |maker: Maker| {
                let (x, y) = chronicle.as_written(place?, maker, level);
                Some([x, y])
            };
            each.push(Thing {
                place: place.map(|(x, y)| [x, y]),
                statement: maker.and_then(|maker| statements.of_step(maker.at)),
                written: maker.and_then(written),
            });
        }
        things.push(Things { subject: entry.subject.name(), symbol: entry.symbol, what: entry.what, each });
    }
    things
}

/// Returns the regions of arrival that the level sets.
fn areas(level: &Level) -> Vec<Area> {
    let mut areas = Vec::new();
    let from = [("arrival from above", level.arrival_from_above()), ("arrival from below", level.arrival_from_below())];
    let branches = level.branches().iter().map(|region| ("branch stairs", region));
    for (name, region) in from.into_iter().chain(branches) {
        if region.within[0] != 0 {
            areas.push(Area { name, within: region.within, outside: region.outside });
        }
    }
    areas
}
