//! The compiled part of the Python package `splc`: a thin wrapper around [`splc_driver`].
//!
//! The functions take names, bytes and numbers, and return tuples, bytes and numbers. The public classes are written in
//! Python on top of them (`splc/*.py`), with type annotations. Nothing here keeps threads or locks after a call, so a
//! process may fork at any time. The interpreter's lock is released while a level is read, compiled or run.
#![cfg_attr(test, allow(clippy::unwrap_used))]

use pyo3::prelude::*;

mod archive;
mod around;
mod catalogs;
mod compile;
mod diagnostics;
mod image;
mod judging;
mod level;
mod measures;
mod origins;
mod project;
mod requested;
mod squares;
mod threads;
mod toolbox;

/// The compiled part of `splc`.
#[pymodule]
mod _splc {
    #[pymodule_export]
    use crate::archive::{archive, read_archive};
    #[pymodule_export]
    use crate::catalogs::{Catalogs, catalogs, targets};
    #[pymodule_export]
    use crate::compile::{check, compile, compile_many, explain, fix, format, port};
    #[pymodule_export]
    use crate::image::tiles;
    #[pymodule_export]
    use crate::judging::{equiv, freeze, test_levels};
    #[pymodule_export]
    use crate::level::{Level, load};
    #[pymodule_export]
    use crate::measures::{measure, measure_names};
    #[pymodule_export]
    use crate::project::{Project, project};
    #[pymodule_export]
    use crate::requested::{Requested, in_dungeon, is_script};
    #[pymodule_export]
    use crate::toolbox::{decompile, dungeon, generate, main, version};
}
