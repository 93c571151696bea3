//! `nhdat` archives in memory.

use std::io::Cursor;

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;
use pyo3::types::PyBytes;
use splc_game::archive::{self as nhdat, Archive, Part};

fn failed(error: nhdat::Error) -> PyErr {
    PyValueError::new_err(error.to_string())
}

/// Returns the archive of `files`, in this order, as the game's own librarian writes it.
#[pyfunction]
pub fn archive<'py>(py: Python<'py>, files: Vec<(String, PyBackedBytes)>) -> PyResult<Bound<'py, PyBytes>> {
    let parts: Vec<Part> = files.into_iter().map(|(name, bytes)| Part::bytes(name, &*bytes)).collect();
    let mut bytes = Vec::new();
    nhdat::write(&mut bytes, &parts, None::<&mut Archive<Cursor<&[u8]>>>).map_err(failed)?;
    Ok(PyBytes::new(py, &bytes))
}

/// Returns the files in an archive, in order.
#[pyfunction]
pub fn read_archive<'py>(py: Python<'py>, bytes: &[u8]) -> PyResult<Vec<(String, Bound<'py, PyBytes>)>> {
    let archive = Archive::read(Cursor::new(bytes)).map_err(failed)?;
    let entries: Vec<_> = archive.files().cloned().collect();
    let mut files = Vec::with_capacity(entries.len());
    for entry in entries {
        let (start, size) = archive.range(&entry).map_err(failed)?;
        // Both offsets lie within the bytes.
        let content = bytes.get(start as usize..(start + size) as usize).unwrap_or_default();
        files.push((entry.name().into_owned(), PyBytes::new(py, content)));
    }
    Ok(files)
}
