//! The game around a level, as set by the options: depth, hero, clock.

use splc_ir::catalog::Catalog;
use splc_ir::diagnostic::{Code, Diagnostic};
use splc_vm::{Settings, Surrounding, Surroundings as Parts, UnknownName};

use crate::options::groups::Surroundings;

/// Returns the parts of the settings that the options give.
pub fn given(arguments: &Surroundings) -> Parts {
    let mut given = Parts::default();
    let hero = [Surrounding::HeroName, Surrounding::HeroRole, Surrounding::HeroRace, Surrounding::HeroAlignment];
    let depth = [Surrounding::Depth, Surrounding::Difficulty];
    let parts = [
        (arguments.depth.is_some(), depth.as_slice()),
        (arguments.hero.is_some(), &hero),
        (arguments.time.is_some(), &[Surrounding::Clock, Surrounding::Date]),
        (!arguments.carried.is_empty(), &[Surrounding::HeroCarries]),
    ];
    for part in parts.into_iter().filter(|(said, _)| *said).flat_map(|(_, parts)| parts) {
        given.add(*part);
    }
    given
}

/// Returns the settings of the options.
///
/// # Errors
/// Fails if the game has no such role, or no such object for the hero to carry.
pub fn of(arguments: &Surroundings, catalog: &Catalog) -> Result<Settings, Box<Diagnostic>> {
    let mut settings = Settings::default();
    if let Some(depth) = arguments.depth {
        (settings.depth, settings.difficulty) = (depth, depth);
    }
    let unknown = |unknown: UnknownName| {
        let problem = Diagnostic::new(Code::Usage, None, unknown.message);
        Box::new(unknown.help.into_iter().fold(problem, Diagnostic::with_help))
    };
    if let Some(hero) = &arguments.hero {
        settings.hero = hero.clone();
        settings.hero.check_role(catalog).map_err(unknown)?;
    }
    if let Some(time) = arguments.time {
        settings.clock = time;
    }
    for name in &arguments.carried {
        settings.hero.carry(name, catalog).map_err(unknown)?;
    }
    Ok(settings)
}
