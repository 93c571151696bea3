//! Measures of many levels as arrays.

use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicUsize, Ordering};

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyByteArray;
use splc_measure::{Measurer, Measures, Options, Way};
use splc_vm::{COLUMNS, Machine, ROWS, SplitMix};

use crate::around::{Around, settings};
use crate::level::{Fault, Level, PORTION};
use crate::threads::{on_threads, threads};

/// A place.
type Place = (i32, i32);

/// Numbers of 32 bits, level by level in the order of [`measure_names`]; distances of 16 bits, as layers of squares;
/// faults.
type Measured<'py> = (Bound<'py, PyByteArray>, Bound<'py, PyByteArray>, Vec<(usize, Fault)>);

/// Returns the names of the measures, and of the obstacles that a hero may pass.
#[pyfunction]
pub fn measure_names() -> (Vec<&'static str>, Vec<&'static str>) {
    (Measures::NAMES.to_vec(), Way::ALL.map(Way::name).to_vec())
}

/// Runs a level with each of `seeds` and measures it, with the `distances` of all squares if asked. The numbers of a
/// level that cannot be run are -1, and it is listed in the faults.
#[pyfunction]
#[allow(clippy::too_many_arguments)] // the one caller is in Python
pub fn measure<'py>(
    py: Python<'py>,
    level: &Level,
    seeds: Vec<u64>,
    through: Vec<String>,
    ends: (Option<Place>, Option<Place>),
    distances: bool,
    #[pyo3(from_py_with = threads)] threads: Option<NonZeroUsize>,
    around: Around,
) -> PyResult<Measured<'py>> {
    let settings = settings(around, &level.catalog)?;
    let mut options = Options { start: ends.0, goal: ends.1, ..Options::default() };
    for name in through {
        let way = Way::by_name(&name).ok_or_else(|| {
            let names = Way::ALL.map(Way::name).join(", ");
            PyValueError::new_err(format!("unknown obstacle {name:?}; choose from: {names}"))
        })?;
        options.ways.add(way);
    }
    let portions = seeds.len().div_ceil(PORTION);
    let mut done = py.detach(|| {
        let next = AtomicUsize::new(0);
        let work = || {
            let (mut machine, mut measurer) = (Machine::new(), Measurer::new(&level.catalog));
            let mut all = Vec::new();
            loop {
                let first = next.fetch_add(1, Ordering::Relaxed) * PORTION;
                let Some(seeds) = seeds.get(first..seeds.len().min(first + PORTION)).filter(|seeds| !seeds.is_empty())
                else {
                    return all;
                };
                let (mut numbers, mut squares, mut faults) = (Vec::new(), Vec::new(), Vec::new());
                for (at, &seed) in seeds.iter().enumerate() {
                    let made = machine.run(&level.program, &settings, &mut SplitMix::new(seed), &mut ());
                    let measures = match made {
                        Ok(level) => measurer.measure(level, &options).numbers(),
                        Err(error) => {
                            faults.push((first + at, (error.to_string(), level.reported(error.at))));
                            [-1; Measures::NAMES.len()]
                        }
                    };
                    let failed = faults.last().is_some_and(|(number, _)| *number == first + at);
                    numbers.extend(measures.iter().flat_map(|number| number.to_ne_bytes()));
                    if distances {
                        for y in 0..ROWS {
                            for x in 0..COLUMNS {
                                let distance = if failed { -1 } else { measurer.distance((x, y)) };
                                squares.extend(distance.to_ne_bytes());
                            }
                        }
                    }
                }
                all.push((first, numbers, squares, faults));
            }
        };
        on_threads(threads, portions, work).into_iter().flatten().collect::<Vec<_>>()
    });
    done.sort_by_key(|(first, ..)| *first);
    let numbers: Vec<&[u8]> = done.iter().map(|(_, numbers, ..)| numbers.as_slice()).collect();
    let squares: Vec<&[u8]> = done.iter().map(|(_, _, squares, _)| squares.as_slice()).collect();
    let (numbers, squares) = (PyByteArray::new(py, &numbers.concat()), PyByteArray::new(py, &squares.concat()));
    Ok((numbers, squares, done.into_iter().flat_map(|(.., faults)| faults).collect()))
}
