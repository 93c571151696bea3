//! Compiles sources to files in memory.

use std::collections::HashMap;
use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicUsize, Ordering};

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use splc_driver::output::{self, LEVEL_FILE, Output};
use splc_driver::{Compiler, Input, TargetError, fix as fixing, format as formatting, other_dialect, port as porting};
use splc_ir::diagnostic::Code;

use crate::diagnostics::{Row, rows};
use crate::requested::{Requested, Source, input, no_target};
use crate::threads::{on_threads, threads};

/// Files, diagnostics, and the name of the game.
type Compiled<'py> = (Vec<(String, Bound<'py, PyBytes>)>, Vec<Row>, String);

/// The same without Python objects.
type Made = Result<(Vec<(String, Vec<u8>)>, Vec<Row>, String), TargetError>;

fn made(input: Input, requested: &Requested, output: &'static Output, origins: &HashMap<usize, String>) -> Made {
    let compiled = splc_driver::compile(input, output, requested.options.clone(), &mut requested.includes())?;
    let files = compiled.made.files.into_iter().map(|file| (file.name, file.bytes)).collect();
    let judged = compiled.judged;
    let target = judged.target.catalog().name.to_string();
    Ok((files, rows(judged.diagnostics, &judged.sources, origins), target))
}

fn known(name: &str) -> PyResult<&'static Output> {
    Output::by_name(output::LEVELS, name).ok_or_else(|| {
        let names: Vec<&str> = output::LEVELS.iter().map(|output| output.name).collect();
        PyValueError::new_err(format!("unknown output {name:?}; choose from: {}", names.join(", ")))
    })
}

fn to_python<'py>(py: Python<'py>, made: Made) -> PyResult<Compiled<'py>> {
    let (files, rows, target) = made.map_err(no_target)?;
    let files = files.into_iter().map(|(name, bytes)| (name, PyBytes::new(py, &bytes))).collect();
    Ok((files, rows, target))
}

/// Compiles one source.
#[pyfunction]
pub fn compile<'py>(
    py: Python<'py>,
    source: Source,
    requested: &Requested,
    output: &str,
    origins: HashMap<usize, String>,
) -> PyResult<Compiled<'py>> {
    let output = known(output)?;
    let made = py.detach(|| made(input(&source), requested, output, &origins));
    to_python(py, made)
}

/// Checks a source like `splc check`.
#[pyfunction]
pub fn check(py: Python<'_>, source: Source, requested: &Requested) -> PyResult<Vec<Row>> {
    py.detach(|| {
        let mut compiler = Compiler::new(&LEVEL_FILE, requested.options.clone());
        // Scripts cannot become level files.
        compiler.discard();
        let mut judged = compiler.compile(input(&source), &mut requested.includes())?;
        if judged.diagnostics.has_errors() {
            let (catalog, known) = (judged.target.catalog(), &judged.diagnostics);
            let note = other_dialect(catalog, &judged.sources, known, &mut requested.includes());
            note.into_iter().for_each(|note| judged.diagnostics.push(note));
        }
        Ok(rows(judged.diagnostics, &judged.sources, &HashMap::new()))
    })
    .map_err(no_target)
}

/// Compiles many sources independently, on `threads` threads.
#[pyfunction]
pub fn compile_many<'py>(
    py: Python<'py>,
    sources: Vec<Source>,
    requested: &Requested,
    output: &str,
    #[pyo3(from_py_with = threads)] threads: Option<NonZeroUsize>,
) -> PyResult<Vec<Compiled<'py>>> {
    let output = known(output)?;
    let all = py.detach(|| {
        let count = sources.len();
        let next = AtomicUsize::new(0);
        let work = || {
            let mut all = Vec::new();
            loop {
                let at = next.fetch_add(1, Ordering::Relaxed);
                let Some(source) = sources.get(at) else { return all };
                all.push((at, made(input(source), requested, output, &HashMap::new())));
            }
        };
        let mut all = on_threads(threads, count, work).into_iter().flatten().collect::<Vec<_>>();
        all.sort_by_key(|(at, _)| *at);
        all
    });
    all.into_iter().map(|(_, made)| to_python(py, made)).collect()
}

/// Fixes a source. Returns its bytes, the changes, and the remaining diagnostics.
#[pyfunction]
pub fn fix<'py>(
    py: Python<'py>,
    source: Source,
    requested: &Requested,
) -> PyResult<(Bound<'py, PyBytes>, Vec<String>, Vec<Row>)> {
    let fixed = py.detach(|| fixing::correct(&input(&source), &requested.options, &mut requested.includes()));
    let fixed = fixed.map_err(no_target)?;
    let changes = fixed.changes.iter().map(ToString::to_string).collect();
    let rows = rows(fixed.diagnostics, &fixed.sources, &HashMap::new());
    Ok((PyBytes::new(py, &fixed.bytes), changes, rows))
}

/// Formats a source like `splc fmt`. Returns the text if the source can be read, and the diagnostics.
#[pyfunction]
pub fn format<'py>(
    py: Python<'py>,
    source: Source,
    requested: &Requested,
) -> PyResult<(Option<Bound<'py, PyBytes>>, Vec<Row>)> {
    let laid_out = py.detach(|| formatting::format(input(&source), &requested.options, &mut requested.includes()));
    let laid_out = laid_out.map_err(no_target)?;
    let bytes = laid_out.bytes.map(|bytes| PyBytes::new(py, &bytes));
    Ok((bytes, rows(laid_out.diagnostics, &laid_out.sources, &HashMap::new())))
}

/// The files for the other game, of which there are none if the level cannot be ported; the account as text; the
/// diagnostics; and the source game.
type Ported<'py> = (Vec<(String, Bound<'py, PyBytes>)>, String, Vec<Row>, String);

/// Ports a source to the game `to`. With `strict`, every difference is an error.
#[pyfunction]
pub fn port<'py>(
    py: Python<'py>,
    source: Source,
    requested: &Requested,
    to: &Requested,
    strict: bool,
    stand_ins: Vec<String>,
    instantiate: Option<u64>,
) -> PyResult<Ported<'py>> {
    let to = to.options.wanted.target().map_err(no_target)?;
    let to = to.ok_or_else(|| PyValueError::new_err("name the game to port to with to="))?;
    let strictness = if strict { porting::Strictness::Strict } else { porting::Strictness::Lenient };
    let mut wanted = splc_port::Options { strictness, instantiate, ..splc_port::Options::default() };
    for table in stand_ins {
        wanted.stand_ins.add(&table).map_err(|error| PyValueError::new_err(error.to_string()))?;
    }
    let source = input(&source);
    let stem = source.stem().into_owned();
    let ported = py.detach(|| porting::port(source, &requested.options, to, &wanted, &mut requested.includes()));
    let ported = ported.map_err(no_target)?;
    let account = ported.account_in_words();
    let from = ported.from.catalog().name.to_string();
    let rows = rows(ported.diagnostics, &ported.sources, &HashMap::new());
    let files = ported.written.into_files(&stem).into_iter();
    Ok((files.map(|file| (file.name, PyBytes::new(py, &file.bytes))).collect(), account, rows, from))
}

/// Returns the explanation of a diagnostic code or name.
#[pyfunction]
pub fn explain(code: &str) -> Option<&'static str> {
    let known = Code::ALL.iter().find(|known| known.as_str() == code || known.name() == code);
    known.map(|known| known.explanation())
}
