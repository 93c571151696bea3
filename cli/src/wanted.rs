//! Game options of a command.

use splc_driver::Wanted;
use splc_ir::diagnostic::Diagnostic;

use crate::input;
use crate::options::groups::Sources;

/// Returns the game that the options select.
///
/// # Errors
/// Fails if the options contradict each other, or a named part does not fit the game.
pub fn wanted(sources: &Sources) -> Result<Wanted, Box<Diagnostic>> {
    let Sources { dialect, abi, ref catalogs, .. } = *sources;
    let (catalog, catalogs) = (catalogs.target.clone(), catalogs.known.clone());
    let wanted = Wanted { dialect, catalog, catalogs, abi, is_default: sources.game_is_default, ..Wanted::default() };
    let wanted = match &sources.matched {
        Some(path) => wanted.matching(&input::read_header(path)?, &path.display().to_string()),
        None => wanted.target().map(|_| wanted),
    };
    wanted.map_err(|problem| Box::new(problem.into()))
}
