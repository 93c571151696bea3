//! From a des-file or a level file to levels that can be made.

use splc_frontends::level_file;
use splc_ir::abi::Abi;
use splc_ir::catalog::Catalog;
use splc_ir::check;
use splc_ir::diagnostic::{Code, Diagnostic, Diagnostics, LintLevels};
use splc_ir::loadable::{Loadable, lower_each};
use splc_ir::lower::number_name;
use splc_ir::source::{FileId, SourceMap};
use splc_vm::Prepared;

use crate::arguments::Sources;
use crate::compile;
use crate::input::{IncludedFiles, Input};

/// A level that can be made.
pub struct Runnable {
    /// Its name.
    pub name: String,
    /// What makes it.
    pub program: Prepared,
}

/// A file that was read.
pub struct Loaded {
    /// The game that its levels are for.
    pub catalog: &'static Catalog,
    /// Its levels, in order; none if there were errors.
    pub levels: Vec<Runnable>,
    /// The texts; empty for a level file, which has none.
    pub sources: SourceMap,
    /// What there is to say about it.
    pub diagnostics: Diagnostics,
}

/// Reads `bytes`, which came from `input`: a level file if it begins like one, or else a des-file.
///
/// # Errors
/// If it cannot be told which game is meant.
pub fn load(asked: &Sources, input: &Input, bytes: Vec<u8>, lints: &LintLevels) -> Result<Loaded, Box<Diagnostic>> {
    let wanted = |catalog: &Catalog| {
        asked.target.is_none_or(|target| target.name == catalog.name)
            && asked.dialect.is_none_or(|dialect| dialect.name == catalog.dialect)
    };
    if let Some(build) = input.build(&bytes, wanted, asked.abi) {
        if let Some(catalog) = Catalog::by_name(build.catalog) {
            return Ok(level_file(input, &bytes, catalog, build.machines(), lints));
        }
    }
    let (game, note) = match compile::game(asked)? {
        Some(game) => (game, None),
        None => compile::told_game(asked.abi, &bytes, &input.name()).map(|(game, note)| (game, Some(note)))?,
    };
    let mut loaded = des_file(input, bytes, game.catalog, game.abi, lints);
    note.into_iter().for_each(|note| loaded.diagnostics.push(note));
    Ok(loaded)
}

fn level_file(
    input: &Input,
    bytes: &[u8],
    catalog: &'static Catalog,
    machines: impl Iterator<Item = &'static Abi>,
    lints: &LintLevels,
) -> Loaded {
    let mut loaded = Loaded {
        catalog,
        levels: Vec::new(),
        sources: SourceMap::new(),
        diagnostics: Diagnostics::with_lints(lints.clone()),
    };
    let file = loaded.sources.add_bytes(input.name(), input.place(), bytes.len());
    match level_file::read_any(bytes, &input.stem(), file, catalog, machines) {
        Some(Ok(read)) => loaded.prepare(read.level),
        Some(Err(problem)) => loaded.diagnostics.push(problem),
        None => {}
    }
    loaded
}

fn des_file(input: &Input, bytes: Vec<u8>, catalog: &'static Catalog, abi: &Abi, lints: &LintLevels) -> Loaded {
    let mut loaded = Loaded {
        catalog,
        levels: Vec::new(),
        sources: SourceMap::new(),
        diagnostics: Diagnostics::with_lints(lints.clone()),
    };
    let mut includes = IncludedFiles::new(bytes.len());
    let file: FileId = loaded.sources.add(input.name(), input.place(), bytes);
    let mut module = splc_frontends::parse(&mut loaded.sources, file, catalog, &mut includes, &mut loaded.diagnostics);
    check::check(&mut module, catalog, &mut loaded.diagnostics);
    if loaded.diagnostics.has_errors() {
        return loaded;
    }
    let mut levels: Vec<Loadable> = Vec::new();
    lower_each(&module, catalog, abi, &mut loaded.diagnostics, |_, level, _| levels.push(level));
    if loaded.diagnostics.has_errors() {
        return loaded;
    }
    let mut counter = 1;
    for mut level in levels {
        let (name, numbered) = number_name(level.name(), counter, catalog);
        counter += usize::from(numbered);
        level.rename(name);
        loaded.prepare(level);
    }
    loaded
}

impl Loaded {
    /// Makes a level ready to run.
    fn prepare(&mut self, level: Loadable) {
        let name = level.name().to_string();
        match Prepared::load(level, self.catalog) {
            Ok(program) => self.levels.push(Runnable { name, program }),
            Err(problem) => {
                self.diagnostics.push(Diagnostic::new(
                    Code::Target,
                    problem.span,
                    format!("this cannot be run: {problem}"),
                ));
            }
        }
    }
}
