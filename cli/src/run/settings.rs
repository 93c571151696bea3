//! The game around a level, as set by the options: depth, hero, clock.

use splc_ir::catalog::Catalog;
use splc_ir::diagnostic::{Code, Diagnostic, did_you_mean};
use splc_ir::wording::visible;
use splc_vm::{Settings, Surrounding, Surroundings as Parts};

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
/// Fails if the game has no such object for the hero to carry.
pub fn of(arguments: &Surroundings, catalog: &Catalog) -> Result<Settings, Box<Diagnostic>> {
    let mut settings = Settings::default();
    if let Some(depth) = arguments.depth {
        (settings.depth, settings.difficulty) = (depth, depth);
    }
    if let Some(hero) = &arguments.hero {
        settings.hero = hero.clone();
    }
    if let Some(time) = arguments.time {
        settings.clock = time;
    }
    for name in &arguments.carried {
        let known = catalog.object(name, None).and_then(|(number, _)| u16::try_from(number).ok());
        let Some(number) = known else {
            let message = format!("{} has no object \"{}\"", catalog.title, visible(name));
            let problem = Diagnostic::new(Code::Usage, None, message);
            let names = catalog.objects.iter().map(|object| object.name.as_ref());
            return Err(Box::new(match did_you_mean(name, names) {
                Some(near) => problem.with_help(near),
                None => problem,
            }));
        };
        settings.hero.carries.push(number);
    }
    Ok(settings)
}
