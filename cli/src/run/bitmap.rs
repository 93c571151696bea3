//! A [`Sheet`] as a PNG file: each cell is a tile with its letter in a monospaced font.

use std::io::Write;

use noto_sans_mono_bitmap::{FontWeight, RasterHeight, get_raster, get_raster_width};
use splc_ir::diagnostic::{Code, Diagnostic};

use super::sheet::{Cell, Sheet, blend};

/// Size of a tile in pixels.
const TILE_WIDTH: usize = get_raster_width(FontWeight::Regular, RasterHeight::Size20);
const TILE_HEIGHT: usize = RasterHeight::Size20 as usize;
/// Bytes per pixel.
const CHANNELS: usize = 3;

/// Encodes the sheet.
///
/// # Errors
/// Fails if the encoder does.
pub fn encode(sheet: &Sheet) -> Result<Vec<u8>, Box<Diagnostic>> {
    written(sheet)
        .map_err(|error| Box::new(Diagnostic::new(Code::Unwritable, None, format!("cannot draw the picture: {error}"))))
}

fn written(sheet: &Sheet) -> Result<Vec<u8>, png::EncodingError> {
    let mut bytes = Vec::new();
    // There are at most 64 levels of two boards and a bounded legend, so both sizes fit.
    let (width, height) = (sheet.width() * TILE_WIDTH, sheet.lines().len() * TILE_HEIGHT);
    let mut encoder = png::Encoder::new(&mut bytes, width as u32, height as u32);
    encoder.set_color(png::ColorType::Rgb);
    encoder.set_depth(png::BitDepth::Eight);
    let mut writer = encoder.write_header()?;
    // Written line by line, so that at most one uncompressed line is in memory.
    let mut stream = writer.stream_writer()?;
    let mut pixels = vec![0; width * TILE_HEIGHT * CHANNELS];
    for line in sheet.lines() {
        for (column, cell) in line[..sheet.width()].iter().enumerate() {
            tile(cell, column, width, &mut pixels);
        }
        stream.write_all(&pixels)?;
    }
    stream.finish()?;
    writer.finish()?;
    Ok(bytes)
}

/// Draws a cell into the pixels of its line, which has `width` pixels.
fn tile(cell: &Cell, column: usize, width: usize, pixels: &mut [u8]) {
    let letter = get_raster(cell.symbol, FontWeight::Regular, RasterHeight::Size20);
    let letter = letter.as_ref().filter(|_| cell.joined == 0);
    for down in 0..TILE_HEIGHT {
        for across in 0..TILE_WIDTH {
            let ink = match letter {
                Some(letter) => letter.pixel(across, down).unwrap_or(0),
                None if is_wall(cell.joined, across, down) => u8::MAX,
                None => 0,
            };
            let mut pixel = blend(cell.ground, cell.color, ink.into());
            if let Some(mark) = cell.mark.filter(|_| down + 3 > TILE_HEIGHT) {
                pixel = mark;
            }
            let start = (down * width + column * TILE_WIDTH + across) * CHANNELS;
            pixels[start..start + CHANNELS].copy_from_slice(&pixel);
        }
    }
}

/// Returns true if a pixel of a tile is on the lines of a wall from its middle to the neighbours in `joined`.
fn is_wall(joined: u8, across: usize, down: usize) -> bool {
    let (middle_x, middle_y) = (TILE_WIDTH / 2, TILE_HEIGHT / 2);
    let (on_column, on_row) = (across.abs_diff(middle_x) < 1, down.abs_diff(middle_y) < 1);
    let side = |bit: u8| joined & 1 << bit != 0;
    on_column && (side(0) && down <= middle_y || side(2) && down >= middle_y)
        || on_row && (side(1) && across >= middle_x || side(3) && across <= middle_x)
}
