//! The surroundings of a run: the hero, the depth and the time.

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use splc_ir::catalog::Catalog;
use splc_vm::{Alignment, DEPTHS, Settings, UnknownName};

/// Depth, seconds since 1970, name, role, race and alignment of the hero, names of carried objects. Missing values have
/// their defaults.
pub(crate) type Around =
    (Option<i32>, Option<i64>, Option<String>, Option<String>, Option<String>, Option<String>, Vec<String>);

/// Returns the settings of a run.
pub(crate) fn settings(
    (depth, clock, name, role, race, alignment, carried): Around,
    catalog: &Catalog,
) -> PyResult<Settings> {
    let mut settings = Settings::default();
    if let Some(depth) = depth {
        if !DEPTHS.contains(&depth) {
            let (first, last) = DEPTHS.into_inner();
            return Err(PyValueError::new_err(format!("a depth must be between {first} and {last}, not {depth}")));
        }
        (settings.depth, settings.difficulty) = (depth, depth);
    }
    settings.clock = clock.unwrap_or(settings.clock);
    let hero = &mut settings.hero;
    hero.name = name.unwrap_or_else(|| hero.name.clone());
    hero.role = role.unwrap_or_else(|| hero.role.clone());
    hero.race = race.unwrap_or_else(|| hero.race.clone());
    if let Some(name) = alignment {
        hero.alignment = Alignment::named(&name).ok_or_else(|| {
            PyValueError::new_err(format!("unknown alignment {name:?}; choose from: chaotic, neutral, lawful"))
        })?;
    }
    let unknown = |unknown: UnknownName| PyValueError::new_err(unknown.to_string());
    hero.check_role(catalog).map_err(unknown)?;
    for name in carried {
        hero.carry(&name, catalog).map_err(unknown)?;
    }
    Ok(settings)
}
