//! Decompiled levels, random levels, dungeons, and the command line.

use std::collections::HashMap;
use std::ffi::OsString;
use std::path::PathBuf;

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use splc_driver::output::{self, Output};
use splc_driver::{decompile as decompiling, dungeon as dungeons};
use splc_game::depths::depths;
use splc_game::show;
use splc_ir::diagnostic::{Code, Diagnostic};

use crate::diagnostics::{Row, rows};
use crate::requested::{Requested, Source, input, no_target};

/// Bytes if there are any, a listing, the diagnostics, and the game.
type Decompiled<'py> = (Option<Bound<'py, PyBytes>>, Option<String>, Vec<Row>, String);

/// Returns the source of a level file.
#[pyfunction]
pub fn decompile<'py>(py: Python<'py>, source: Source, requested: &Requested) -> PyResult<Decompiled<'py>> {
    let done = py.detach(|| decompiling(&input(&source), &requested.options)).map_err(no_target)?;
    let game = done.target.catalog().name.to_string();
    let text = done.source.map(|text| PyBytes::new(py, &text));
    Ok((text, done.listing, rows(done.diagnostics, &done.sources, &HashMap::new()), game))
}

/// Returns a random level.
#[pyfunction]
pub fn generate(py: Python<'_>, requested: &Requested, seed: u64, size: u64) -> PyResult<String> {
    let target = requested.options.wanted.target().map_err(no_target)?;
    let target = target.ok_or_else(|| PyValueError::new_err("name the game of the level with target="))?;
    py.detach(|| splc_cli::generated_level(target.catalog(), seed, size)).map_err(PyValueError::new_err)
}

/// Returns a description of a dungeon in the form `emit` (or as `tree` or `svg`), and the diagnostics.
#[pyfunction]
pub fn dungeon<'py>(
    py: Python<'py>,
    source: Source,
    requested: &Requested,
    emit: Option<&str>,
) -> PyResult<(Option<Bound<'py, PyBytes>>, Vec<Row>)> {
    let output = match emit {
        None | Some("tree" | "svg") => None,
        Some(name) => Some(Output::by_name(output::DUNGEONS, name).ok_or_else(|| {
            let names: Vec<&str> = output::DUNGEONS.iter().map(|output| output.name).collect();
            PyValueError::new_err(format!("unknown output {name:?}; choose from: tree, svg, {}", names.join(", ")))
        })?),
    };
    let read = py.detach(|| dungeons::read(input(&source), &requested.options)).map_err(no_target)?;
    let mut diagnostics = read.diagnostics;
    let mut made = None;
    if let (Some(description), false) = (&read.description, diagnostics.has_errors()) {
        let written = match (output, emit) {
            (Some(output), _) => {
                for lost in dungeons::lost(description, output) {
                    diagnostics.push(Diagnostic::new(Code::PortLost, None, lost));
                }
                dungeons::write(description, output, &read.target)
            }
            (None, Some(picture)) => depths(description, &read.target.catalog().dungeon)
                .map(|depths| match picture {
                    "svg" => show::svg(description, &depths).into_bytes(),
                    _ => show::text(description, &depths).into_bytes(),
                })
                .map_err(|problem| Diagnostic::new(Code::GameEnds, None, problem.to_string())),
            (None, None) => Ok(Vec::new()),
        };
        match written {
            Ok(bytes) => made = Some(PyBytes::new(py, &bytes)),
            Err(problem) => diagnostics.push(problem),
        }
    }
    Ok((made, rows(diagnostics, &read.sources, &HashMap::new())))
}

/// Runs the command line, and returns its exit code. `executable` is the file that `--install-links` links to.
#[pyfunction]
pub fn main(py: Python<'_>, arguments: Vec<OsString>, executable: Option<PathBuf>) -> u8 {
    py.detach(|| splc_cli::status(arguments, executable))
}

/// Returns the version of splc.
#[pyfunction]
pub fn version() -> &'static str {
    env!("CARGO_PKG_VERSION")
}
