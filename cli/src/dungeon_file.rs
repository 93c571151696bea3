//! Dungeon descriptions in any form: the inputs of `splc dungeon`, and the dungeon that levels belong to.

use std::path::Path;
use std::sync::Arc;

use splc_driver::{Build, Input, OtherDungeon, Target, TargetError, Wanted, recognise};
use splc_frontends::dungeon::file::{self, DungeonFile};
use splc_frontends::dungeon::{self, Stage};
use splc_frontends::level_file::best_reading;
use splc_ir::abi::Abi;
use splc_ir::catalog::dialect::LUA;
use splc_ir::catalog::{Catalog, Shared};
use splc_ir::diagnostic::{Code, Diagnostic, Diagnostics, LintLevels};
use splc_ir::dungeon::{Description, check};
use splc_ir::source::{FileId, SourceMap};
use splc_ir::wording::visible;

use crate::input::Origin;
use crate::options::groups::Sources;
use crate::outcome::Outcome;
use crate::report::Reporter;
use crate::wanted::wanted;

/// A loaded description.
pub(crate) struct Loaded {
    pub description: Description,
    pub game: Machine,
}

/// A game on a machine, with the version header of its files.
pub(crate) struct Machine {
    pub catalog: Shared,
    pub abi: &'static Abi,
    pub header: Vec<u64>,
}

/// A problem, and the outcome of a run with it.
pub(crate) struct Trouble(pub Box<Diagnostic>, pub Outcome);

impl From<Box<Diagnostic>> for Trouble {
    fn from(problem: Box<Diagnostic>) -> Self {
        let outcome = if problem.code == Code::Damaged { Outcome::InputErrors } else { Outcome::Trouble };
        Trouble(problem, outcome)
    }
}

/// A file to read, with the options for it.
pub(crate) struct Reading<'a> {
    pub sources: &'a Sources,
    pub lints: &'a LintLevels,
    pub input: &'a Origin,
}

impl Reading<'_> {
    /// Returns the game that the options name.
    pub fn named_game(&self) -> Result<Target, Box<Diagnostic>> {
        let target = wanted(self.sources)?.target().map_err(|problem| Box::new(problem.into()))?;
        target.ok_or_else(|| {
            let problem = Diagnostic::new(Code::Usage, None, "unknown game of the dungeon");
            Box::new(problem.with_help("name it with --dialect, --target or --match; `splc targets` lists the games"))
        })
    }

    /// Returns the game that the options name, on its machine. If they name none, this is the game named by the
    /// document, or NetHack 5 for a script.
    fn machine(&self, is_script: bool, document: Option<&Vec<u8>>) -> Result<Machine, Box<Diagnostic>> {
        let wanted = wanted(self.sources)?;
        let unnamed = wanted.target().map_err(|problem| Box::new(problem.into()))?.is_none();
        match document.filter(|_| unnamed).map(|bytes| Target::named(bytes, &wanted)) {
            Some(Ok(target)) => {
                let header = target.header().to_vec();
                return Ok(Machine { catalog: target.catalog().clone(), abi: target.abi(), header });
            }
            Some(Err(TargetError::Unknown)) | None => {}
            Some(Err(problem)) => return Err(Box::new(problem.into())),
        }
        if is_script && unnamed {
            if let Some(catalog) = LUA.default_target() {
                return Ok(Machine { catalog: catalog.into(), abi: wanted.abi(), header: Vec::new() });
            }
        }
        let target = self.named_game()?;
        Ok(Machine { catalog: target.catalog().clone(), abi: target.abi(), header: target.header().to_vec() })
    }

    /// Reads and checks a description of any form, and adds its text to `sources`. Returns `None` if it has errors,
    /// which are reported.
    pub fn load(&self, sources: &mut SourceMap, reporter: &mut Reporter) -> Result<Option<Loaded>, Trouble> {
        let Input { name, place, bytes } = self.input.read()?;
        let wanted = wanted(self.sources)?;
        let allowed = |catalog: &Catalog| wanted.allows(catalog);
        let build = recognise(&bytes, &wanted.catalogs, allowed, self.sources.abi);
        let mut diagnostics = Diagnostics::with_lints(self.lints.clone());
        let loaded = match build.and_then(|build| read(&bytes, &build)) {
            Some(read) => {
                sources.add_bytes(name, place, bytes.len());
                match read {
                    Ok((file, game)) => {
                        check::check(&file.description, &game.catalog, &mut diagnostics);
                        Some(Loaded { description: file.description, game })
                    }
                    Err(problem) => {
                        diagnostics.push(problem);
                        None
                    }
                }
            }
            None => {
                let is_json = Path::new(&name).extension().is_some_and(|extension| extension == "json");
                let input = Input { name, place, bytes };
                let is_script = !is_json && input.is_script();
                let game = self.machine(is_script, is_json.then_some(&input.bytes))?;
                let Input { name, place, bytes } = input;
                let file = sources.add(name, place, bytes);
                let description = if is_json {
                    splc_frontends::json::read_dungeon(&sources.get(file).text, file, &mut diagnostics)
                } else if is_script {
                    dungeon::lua::parse(sources, file, &mut diagnostics)
                } else {
                    dungeon::parse(sources, file, Stage::Written, &game.catalog, &mut diagnostics)
                };
                // A description that could not be read is not an empty dungeon.
                if !(description.dungeons.is_empty() && diagnostics.has_errors()) {
                    check::check(&description, &game.catalog, &mut diagnostics);
                }
                Some(Loaded { description, game })
            }
        };
        let failed = diagnostics.has_errors();
        reporter.report(diagnostics, sources);
        Ok(loaded.filter(|_| !failed))
    }
}

/// Reads a compiled description for each machine that `build` allows. Returns the first result without problems, or
/// else the first one at all.
pub(crate) fn read(bytes: &[u8], build: &Build) -> Option<Result<(DungeonFile, Machine), Diagnostic>> {
    let catalog = &build.catalog;
    let readings = build.machines().map(|abi| {
        file::read(bytes, FileId::default(), catalog, abi).map(|file| {
            let header = file.header.clone();
            (file, Machine { catalog: catalog.clone(), abi, header })
        })
    });
    best_reading(readings, |(file, _)| file.trailing)
}

/// Returns the game that the options select, with the dungeon that the levels are in. Returns `None` if the dungeon has
/// errors, which are reported.
///
/// # Errors
/// Fails as [`wanted`] does, or if the dungeon file cannot be read.
pub(crate) fn within(
    dungeon: Option<&Path>,
    sources: &Sources,
    lints: &LintLevels,
    reporter: &mut Reporter,
) -> Result<Option<Wanted>, Box<Diagnostic>> {
    let wanted = wanted(sources)?;
    let Some(path) = dungeon else { return Ok(Some(wanted)) };
    let input = Origin::of(path);
    let reading = Reading { sources, lints, input: &input };
    let read = reading.load(&mut SourceMap::new(), reporter).map_err(|Trouble(problem, _)| problem)?;
    Ok(read.map(|Loaded { description, .. }| {
        let name = visible(&input.name()).into_owned();
        Wanted { dungeon: Some(Arc::new(OtherDungeon { name, description })), ..wanted }
    }))
}
