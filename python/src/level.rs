//! Runs of levels: a single one with all details, or thousands of them as arrays and counts.

use std::collections::HashMap;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};
use std::thread;

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyByteArray, PyBytes};
use splc_driver::Loaded;
use splc_ir::catalog::{LoaderRule, Shared};
use splc_ir::source::{SourceMap, Span};
use splc_picture::{Document, Painter, legend};
use splc_statistics::Statistics;
use splc_vm::{Machine, Prepared, Progress, Remarks, Settings, SplitMix, VmError};

use crate::around::{Around, settings};
use crate::diagnostics::{Row, rows};
use crate::origins::Origins;
use crate::requested::{Requested, Source, input, no_target};
use crate::squares::{LAYER, Layer, Numbers, Squares, fill, numbers};
use crate::threads::{on_threads, threads};

/// Number of seeds that a thread takes at once.
pub(crate) const PORTION: usize = 64;

/// A level that is ready to run.
#[pyclass(frozen, module = "splc._splc")]
pub struct Level {
    pub(crate) name: String,
    pub(crate) program: Prepared,
    pub(crate) catalog: Shared,
    numbers: Numbers,
    /// The statement of each step: file, line, and text.
    statements: Vec<Option<(String, usize, String)>>,
}

/// Numbers of the statements of monsters, objects, gold, traps and engravings.
type Things = (Vec<Option<usize>>, Vec<Option<usize>>, Vec<Option<usize>>, Vec<Option<usize>>, Vec<Option<usize>>);

/// Subject, symbol, name, and the places, each with the number of its statement.
type Entry = (&'static str, char, String, Vec<(i32, i32, Option<usize>)>);

/// The layers, a document, the number of draws; statements of things; a legend; complaints of the loader.
type Made<'py> = (Vec<Bound<'py, PyBytes>>, String, u64, Things, Vec<Entry>, Vec<(Option<usize>, String, u64)>);

/// The reason why a level could not be run, and the number of the statement.
pub(crate) type Fault = (String, Option<usize>);

/// Type, name, total, number of levels that have it, minimum in a level that has it, maximum.
type Thing = (&'static str, String, u64, u64, u64, u64);

/// Number of levels; minimum, maximum and average of the draws; things; number of levels for each number of rooms; for
/// each room statement the numbers of tries and failures; complaints with their number and the number of levels; faults
/// with their number and the first seed.
type Counts = (
    u64,
    Option<(u64, u64, f64)>,
    Vec<Thing>,
    Vec<(usize, u64)>,
    Vec<(Option<usize>, u64, u64)>,
    Vec<(Option<usize>, &'static str, u64, u64)>,
    Vec<(String, u64, u64)>,
);

/// An included file, as [`crate::requested::Included`].
type Found<'py> = (String, Option<PathBuf>, PathBuf, Bound<'py, PyBytes>);

/// Levels by name, the diagnostics, the game, and the included files.
type Ready<'py> = (Vec<(String, Level)>, Vec<Row>, String, Vec<Found<'py>>);

/// Layers of many levels, and the faults of levels that could not be run, by position.
type Sampled<'py> = (Bound<'py, PyByteArray>, Vec<(usize, Fault)>);

/// A group of seeds: the position of the first, the seeds, and the squares of their levels in each layer.
type Portion<'a> = (usize, &'a [u64], Vec<&'a mut [Squares]>);

/// Loads the levels of a source. Returns them by name, with the diagnostics, the game, and the included files.
#[pyfunction]
pub fn load<'py>(py: Python<'py>, source: Source, requested: &Requested) -> PyResult<Ready<'py>> {
    let mut includes = requested.includes();
    let loaded =
        py.detach(|| splc_driver::load(input(&source), &requested.options, &mut includes)).map_err(no_target)?;
    let Loaded { target, levels, sources, diagnostics, .. } = loaded;
    let catalog = target.catalog();
    let levels = levels.into_iter().map(|level| {
        let name = level.name.to_string();
        let statements = statements(&level.program, &sources);
        let numbers = numbers(catalog);
        (name.clone(), Level { name, program: level.program, catalog: catalog.clone(), numbers, statements })
    });
    let levels = levels.collect();
    let found =
        includes.read.into_iter().map(|(name, from, place, bytes)| (name, from, place, PyBytes::new(py, &bytes)));
    let found = found.collect();
    Ok((levels, rows(diagnostics, &sources, &HashMap::new()), catalog.name.to_string(), found))
}

/// Returns the statement of each step.
fn statements(program: &Prepared, sources: &SourceMap) -> Vec<Option<(String, usize, String)>> {
    /// Most characters of a statement that are shown.
    const MOST: usize = 120;
    let statement = |span: Span| {
        let text = sources.text(span);
        let line = text.lines().next().filter(|line| !line.is_empty())?;
        let source = sources.get(span.file);
        let shown = line.chars().take(MOST).collect();
        Some((source.name.clone(), source.place(span.start as usize).line, shown))
    };
    (0..program.len()).map(|at| program.span(at).and_then(statement)).collect()
}

#[pymethods]
impl Level {
    /// Its name.
    #[getter]
    fn name(&self) -> &str {
        &self.name
    }

    /// The name of its target.
    #[getter]
    fn target(&self) -> &str {
        &self.catalog.name
    }

    /// The title of its game.
    #[getter]
    fn title(&self) -> &str {
        &self.catalog.title
    }

    /// Names of the numbers in the terrain layer.
    #[getter]
    fn terrain_names(&self) -> Vec<&str> {
        self.catalog.level_types.iter().map(AsRef::as_ref).collect()
    }

    /// The statement of each step: file, line, text.
    #[getter]
    fn statements(&self) -> Vec<Option<(String, usize, String)>> {
        self.statements.clone()
    }

    /// Runs it once and returns all details.
    fn run<'py>(&self, py: Python<'py>, seed: u64, around: Around) -> PyResult<(Option<Made<'py>>, Option<Fault>)> {
        let settings = settings(around, &self.catalog)?;
        let made = py.detach(|| self.make(seed, &settings));
        Ok(match made {
            Ok((layers, document, draws, things, legend, remarks)) => {
                let layers = layers.iter().map(|layer| PyBytes::new(py, layer)).collect();
                (Some((layers, document, draws, things, legend, remarks)), None)
            }
            Err(error) => (None, Some((error.to_string(), self.reported(error.at)))),
        })
    }

    /// Runs it with each of `seeds` and returns the `layers` of all levels: first the first layer, level by level, then
    /// the second, and so on. A level that cannot be run stays zero, and is listed in the faults.
    fn sample<'py>(
        &self,
        py: Python<'py>,
        seeds: Vec<u64>,
        layers: Vec<String>,
        #[pyo3(from_py_with = threads)] threads: Option<NonZeroUsize>,
        around: Around,
    ) -> PyResult<Sampled<'py>> {
        let settings = settings(around, &self.catalog)?;
        let known = |name: &String| {
            let names = Layer::ALL.map(Layer::name).join(", ");
            Layer::by_name(name)
                .ok_or_else(|| PyValueError::new_err(format!("unknown layer {name:?}; choose from: {names}")))
        };
        let layers = layers.iter().map(known).collect::<PyResult<Vec<Layer>>>()?;
        let each = seeds.len().checked_mul(LAYER);
        let all = each.and_then(|each| each.checked_mul(layers.len())).filter(|&all| all <= isize::MAX as usize);
        let all = all.ok_or_else(|| PyValueError::new_err("too many seeds"))?;
        let mut faults = Vec::new();
        let array = PyByteArray::new_with(py, all, |squares| {
            faults = py.detach(|| self.fill(squares, &seeds, &layers, threads, &settings));
            Ok(())
        })?;
        Ok((array, faults))
    }

    /// Runs it with the seeds from `first` to `last` and returns statistics.
    fn stats(
        &self,
        py: Python<'_>,
        ranges: Vec<(u64, u64)>,
        #[pyo3(from_py_with = threads)] threads: Option<NonZeroUsize>,
        around: Around,
    ) -> PyResult<Counts> {
        let settings = settings(around, &self.catalog)?;
        Ok(py.detach(|| {
            let threads = threads.or_else(|| thread::available_parallelism().ok()).map_or(1, NonZeroUsize::get);
            let mut all = Statistics::new();
            let progress = Progress::default();
            for (first, last) in ranges {
                all.merge(&splc_statistics::gather(&self.program, &settings, first..=last, threads, &progress));
            }
            self.counts(&all)
        }))
    }
}

impl Level {
    /// Returns the number of a step if it belongs to a statement.
    pub(crate) fn reported(&self, at: usize) -> Option<usize> {
        self.statements.get(at).and_then(Option::as_ref).map(|_| at)
    }

    #[allow(clippy::type_complexity)]
    fn make(
        &self,
        seed: u64,
        settings: &Settings,
    ) -> Result<(Vec<Squares>, String, u64, Things, Vec<Entry>, Vec<(Option<usize>, String, u64)>), VmError> {
        let mut machine = Machine::new();
        let mut observer = (Origins::default(), Remarks::new());
        let level = machine.run(&self.program, settings, &mut SplitMix::new(seed), &mut observer)?;
        let (origins, remarks) = observer;
        let mut layers = vec![[0; LAYER]; Layer::ALL.len()];
        fill(Layer::ALL.into_iter().zip(&mut layers), level, &mut Painter::new(&self.catalog), &self.numbers);
        // The terrain of a flipped level has moved by the end.
        let flipped = self.catalog.loader.rules.has(LoaderRule::RandomFlips);
        let by_place = |places: &HashMap<(i32, i32), usize>, place: (i32, i32)| {
            places.get(&place).filter(|_| !flipped).and_then(|&at| self.reported(at))
        };
        let in_order = |list: &[usize]| list.iter().map(|&at| self.reported(at)).collect::<Vec<_>>();
        let things = (
            in_order(&origins.monsters),
            in_order(&origins.objects),
            in_order(&origins.gold),
            level.traps().iter().map(|trap| by_place(&origins.traps, (trap.x, trap.y))).collect(),
            level.engravings().iter().map(|it| by_place(&origins.engravings, (it.x, it.y))).collect(),
        );
        let mut at_places: HashMap<(i32, i32), Option<usize>> = HashMap::new();
        for (monster, &at) in level.monsters().iter().zip(&things.0) {
            at_places.insert((monster.x, monster.y), at);
        }
        let legend = legend(level, &self.catalog).into_iter().map(|entry| {
            let subject = entry.subject.name();
            let place = |&(x, y): &(i32, i32)| {
                let at = match entry.subject {
                    splc_picture::Subject::Features => by_place(&origins.terrain, (x, y)),
                    splc_picture::Subject::Traps => by_place(&origins.traps, (x, y)),
                    splc_picture::Subject::Engravings => by_place(&origins.engravings, (x, y)),
                    splc_picture::Subject::Monsters => at_places.get(&(x, y)).copied().flatten(),
                    splc_picture::Subject::Objects => {
                        let gold = level.gold().iter().position(|it| (it.x, it.y) == (x, y) && entry.symbol == '$');
                        let object = || level.objects().iter().position(|it| (it.x, it.y) == (x, y));
                        match gold {
                            Some(gold) => things.2.get(gold).copied().flatten(),
                            None => object().and_then(|object| things.1.get(object).copied().flatten()),
                        }
                    }
                    splc_picture::Subject::Rooms => None,
                };
                (x, y, at)
            };
            (subject, entry.symbol, entry.what, entry.places.iter().map(place).collect())
        });
        let legend = legend.collect();
        let reported = remarks.list().iter();
        let remarks = reported.map(|remark| (self.reported(remark.at), remark.complaint.as_reported(), remark.count));
        let remarks = remarks.collect();
        // A document of strings, numbers and lists always serializes.
        let document = serde_json::to_string(&Document::of(level, &self.catalog)).unwrap_or_default();
        Ok((layers, document, origins.draws, things, legend, remarks))
    }

    /// Fills `squares`: the first layer of all levels, then the second, and so on.
    fn fill(
        &self,
        squares: &mut [u8],
        seeds: &[u64],
        layers: &[Layer],
        threads: Option<NonZeroUsize>,
        settings: &Settings,
    ) -> Vec<(usize, Fault)> {
        // The squares of each group of seeds, for each layer.
        let mut portions: Vec<Portion<'_>> =
            seeds.chunks(PORTION).enumerate().map(|(at, seeds)| (at * PORTION, seeds, Vec::new())).collect();
        if seeds.is_empty() {
            return Vec::new();
        }
        for layer in squares.as_chunks_mut().0.chunks_mut(seeds.len()) {
            for (portion, squares) in portions.iter_mut().zip(layer.chunks_mut(PORTION)) {
                portion.2.push(squares);
            }
        }
        let count = portions.len();
        let portions = Mutex::new(portions.into_iter());
        let next = || portions.lock().unwrap_or_else(PoisonError::into_inner).next();
        let work = || {
            let mut machine = Machine::new();
            let mut painter = Painter::new(&self.catalog);
            let mut faults = Vec::new();
            while let Some((first, seeds, mut squares)) = next() {
                for (at, &seed) in seeds.iter().enumerate() {
                    match machine.run(&self.program, settings, &mut SplitMix::new(seed), &mut ()) {
                        Ok(level) => {
                            let own = squares.iter_mut().map(|squares| &mut squares[at]);
                            fill(layers.iter().copied().zip(own), level, &mut painter, &self.numbers);
                        }
                        Err(error) => faults.push((first + at, (error.to_string(), self.reported(error.at)))),
                    }
                }
            }
            faults
        };
        let mut faults: Vec<_> = on_threads(threads, count, work).into_iter().flatten().collect();
        faults.sort_unstable();
        faults
    }

    fn counts(&self, all: &Statistics) -> Counts {
        let things = all.things(&self.catalog).into_iter();
        let thing = |(kind, name, tally, _): (splc_statistics::Kind, String, splc_statistics::Tally, _)| {
            let fewest = if tally.levels < all.levels() { 0 } else { tally.fewest };
            (kind.name(), name, tally.total, tally.levels, fewest, tally.most)
        };
        (
            all.levels(),
            all.draws(),
            things.map(thing).collect(),
            all.rooms().iter().map(|(&count, &levels)| (count, levels)).collect(),
            all.room_statements().map(|(at, tried, failed)| (self.reported(at), tried, failed)).collect(),
            all.complaints().map(|(words, at, count, levels)| (self.reported(at), words, count, levels)).collect(),
            all.faults().map(|(error, count, seed)| (error.to_string(), count, seed)).collect(),
        )
    }
}
