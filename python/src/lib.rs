//! The compiled part of the Python package `splc`: a thin shell over [`splc_driver`].
//!
//! What is here takes names, bytes and numbers and gives tuples, bytes and numbers; the classes that people use are
//! written in Python around it (`splc/*.py`), and are typed there. Nothing here holds threads or locks beyond a call, so
//! that a process may fork at any time. The interpreter's lock is released wherever a level is read, compiled or made.
#![cfg_attr(test, allow(clippy::unwrap_used))]

use pyo3::prelude::*;

mod archive;
mod asked;
mod compile;
mod diagnostics;
mod image;
mod judging;
mod level;
mod origins;
mod squares;

/// The compiled part of `splc`.
#[pymodule]
mod _splc {
    #[pymodule_export]
    use crate::archive::{archive, read_archive};
    #[pymodule_export]
    use crate::asked::{Asked, targets};
    #[pymodule_export]
    use crate::compile::{compile, compile_many, explain, fix, format, port};
    #[pymodule_export]
    use crate::image::tiles;
    #[pymodule_export]
    use crate::judging::{equiv, test_levels};
    #[pymodule_export]
    use crate::level::{Level, load};
}
