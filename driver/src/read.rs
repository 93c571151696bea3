//! From an input to what it says, and on to what its game loads: the one way that all others go.

use splc_frontends::{Includes, level_file};
use splc_ir::check;
use splc_ir::diagnostic::{Diagnostics, LintLevels};
use splc_ir::level::{Level, Module};
use splc_ir::loadable::{self, Loadable};
use splc_ir::lower::number_name;
use splc_ir::source::SourceMap;

use crate::input::{Form, Input};
use crate::recognise::Build;
use crate::target::{Target, TargetError, Wanted};

/// What is asked of a compilation, besides what is to be made.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// What is known of the game.
    pub wanted: Wanted,
    /// What is warned of.
    pub lints: LintLevels,
}

/// What a des-file says, read and judged.
#[derive(Clone, Debug)]
pub struct Read {
    /// The game that it is for.
    pub target: Target,
    /// What it says; with errors, what could be understood.
    pub module: Module,
    /// The texts that were read: the input's first, then what it includes.
    pub sources: SourceMap,
    /// What there is to say about it.
    pub diagnostics: Diagnostics,
}

/// What a game loads, of a des-file or a level file.
#[derive(Clone, Debug)]
pub struct Levels {
    /// The game.
    pub target: Target,
    /// The levels in the order of the input, named as their files are; none if there are errors.
    pub levels: Vec<Loadable>,
    /// What was read: texts, or the bytes of a level file, which are not kept.
    pub sources: SourceMap,
    /// What there is to say about it.
    pub diagnostics: Diagnostics,
}

/// Reads and judges a des-file. The module is fit for lowering if there are no errors.
///
/// # Errors
/// If it cannot be told for which game it is.
pub fn read(input: Input, options: &Options, includes: &mut dyn Includes) -> Result<Read, TargetError> {
    let (target, note) = input.target(&Form::Source, &options.wanted)?;
    let mut diagnostics = Diagnostics::with_lints(options.lints.clone());
    note.into_iter().for_each(|note| diagnostics.push(note));
    let mut sources = SourceMap::new();
    let module = source(input, &target, includes, &mut sources, &mut diagnostics);
    Ok(Read { target, module, sources, diagnostics })
}

/// Reads a des-file or a level file down to what its game loads.
///
/// # Errors
/// If it cannot be told for which game it is.
pub fn levels(input: Input, options: &Options, includes: &mut dyn Includes) -> Result<Levels, TargetError> {
    let form = input.form(&options.wanted);
    let (target, note) = input.target(&form, &options.wanted)?;
    let mut diagnostics = Diagnostics::with_lints(options.lints.clone());
    note.into_iter().for_each(|note| diagnostics.push(note));
    let (mut sources, mut levels) = (SourceMap::new(), Vec::new());
    match form {
        Form::LevelFile(build) => levels.extend(level(&input, &build, &target, &mut sources, &mut diagnostics)),
        Form::Source => {
            let module = source(input, &target, includes, &mut sources, &mut diagnostics);
            if !diagnostics.has_errors() {
                lower_each(&module, &target, &mut diagnostics, |lowered, _| levels.push(lowered.level));
            }
        }
    }
    if diagnostics.has_errors() {
        levels.clear();
    }
    Ok(Levels { target, levels, sources, diagnostics })
}

/// Reads and judges the des-file `input`, which becomes the first of `sources`.
pub(crate) fn source(
    input: Input,
    target: &Target,
    includes: &mut dyn Includes,
    sources: &mut SourceMap,
    diagnostics: &mut Diagnostics,
) -> Module {
    let file = sources.add(input.name, input.place, input.bytes);
    let mut module = splc_frontends::parse(sources, file, target.catalog(), includes, diagnostics);
    check::check(&mut module, target.catalog(), diagnostics);
    module
}

/// Reads the level file `input`.
pub(crate) fn level(
    input: &Input,
    build: &Build,
    target: &Target,
    sources: &mut SourceMap,
    diagnostics: &mut Diagnostics,
) -> Option<Loadable> {
    let file = sources.add_bytes(input.name.clone(), input.place.clone(), input.bytes.len());
    match level_file::read_any(&input.bytes, &input.stem(), file, target.catalog(), build.machines())? {
        Ok(read) => Some(read.level),
        Err(problem) => {
            diagnostics.push(problem);
            None
        }
    }
}

/// Where the name of a level comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Naming {
    /// The des-file says it.
    Written,
    /// A number stands in it for its `%i`.
    Numbered,
}

/// A level on its way from a des-file to what its game loads.
pub(crate) struct Lowered<'a> {
    /// What it was made of.
    pub source: &'a Level,
    pub level: Loadable,
    pub naming: Naming,
}

/// Lowers each level of `module`, which has no errors, and gives it the name of its file.
pub(crate) fn lower_each(
    module: &Module,
    target: &Target,
    diagnostics: &mut Diagnostics,
    mut take: impl FnMut(Lowered<'_>, &mut Diagnostics),
) {
    let catalog = target.catalog();
    let mut counter = 1;
    loadable::lower_each(module, catalog, target.abi(), diagnostics, |source, mut level, diagnostics| {
        let (name, numbered) = number_name(level.name(), counter, catalog);
        counter += usize::from(numbered);
        level.rename(name);
        let naming = if numbered { Naming::Numbered } else { Naming::Written };
        take(Lowered { source, level, naming }, diagnostics);
    });
}
