//! Layers of a level as pixels: every square is a tile with its symbol in an 8x8 font.

use font8x8::{BASIC_FONTS, UnicodeFonts};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

/// Size of a letter in pixels.
const LETTER: usize = 8;
/// Bytes per pixel.
const CHANNELS: usize = 3;

/// Returns pixels of three bytes for squares in rows of `width`: the symbols `chars`, with `inks` and `grounds` of
/// three bytes each. A tile is `tile` pixels wide and high.
#[pyfunction]
pub fn tiles<'py>(
    py: Python<'py>,
    chars: &[u8],
    inks: &[u8],
    grounds: &[u8],
    width: usize,
    tile: usize,
) -> PyResult<Bound<'py, PyBytes>> {
    const MOST: usize = 256;
    let whole = width > 0 && chars.len().is_multiple_of(width) && (LETTER..=MOST).contains(&tile);
    if !whole || inks.len() != chars.len() * CHANNELS || grounds.len() != inks.len() {
        return Err(PyValueError::new_err("the arrays of squares have different shapes"));
    }
    let line = width * tile * CHANNELS;
    PyBytes::new_with(py, chars.len() * tile * tile * CHANNELS, |pixels| {
        for (at, pixel) in pixels.chunks_exact_mut(CHANNELS).enumerate() {
            let (y, x) = (at * CHANNELS / line, at % (width * tile));
            let square = y / tile * width + x / tile;
            let letter = BASIC_FONTS.get(char::from(chars[square])).unwrap_or([0; LETTER]);
            let bits = letter[y % tile * LETTER / tile];
            let inked = bits >> (x % tile * LETTER / tile) & 1 == 1;
            let colors = if inked { inks } else { grounds };
            pixel.copy_from_slice(&colors[square * CHANNELS..][..CHANNELS]);
        }
        Ok(())
    })
}
