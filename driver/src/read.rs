//! Reads an input, and lowers it to the form that its game loads. All other functions build on this.

use splc_frontends::level_file::{LevelFile, read_any};
use splc_frontends::{Includes, json};
use splc_ir::abi::Abi;
use splc_ir::catalog::Catalog;
use splc_ir::check;
use splc_ir::diagnostic::{Code, Diagnostic, Diagnostics};
use splc_ir::level::{Level, Module};
use splc_ir::loadable::{self, Loadable};
use splc_ir::lower::number_name;
use splc_ir::source::{FileId, Source, SourceMap, Span};

use crate::allow;
use crate::encoding;
use crate::games::Dialect;
use crate::input::{Form, Input};
use crate::lua::{self, Judging};
use crate::options::Options;
use crate::recognise::Build;
use crate::target::{Target, TargetError, Told};

/// A des-file that has been read and checked.
#[derive(Clone, Debug)]
pub struct Read {
    /// The game of the des-file.
    pub target: Target,
    /// Its contents. With errors, the parts that were understood.
    pub module: Module,
    /// The texts that were read: the input first, then the files that it includes.
    pub sources: SourceMap,
    /// Its diagnostics.
    pub diagnostics: Diagnostics,
}

/// The levels of a des-file or a level file, as the game loads them.
#[derive(Clone, Debug)]
pub struct Levels {
    /// The game.
    pub target: Target,
    /// The levels in the order of the input, with the names of their files. Empty if there are errors.
    pub levels: Vec<Loadable>,
    /// The span of each level in the source. Levels of a level file have none.
    pub spans: Vec<Option<Span>>,
    /// The texts that were read, or a level file without its bytes.
    pub sources: SourceMap,
    /// The diagnostics.
    pub diagnostics: Diagnostics,
}

/// Reads and checks a des-file. The module can be lowered if there are no errors.
///
/// # Errors
/// If its game cannot be determined.
pub fn read(input: Input, options: &Options, includes: &mut dyn Includes) -> Result<Read, TargetError> {
    let told = input.target(&input.form_of_source(), &options.wanted)?;
    Ok(source(input, told, options, includes))
}

/// Reads a des-file or a level file, and returns its levels as the game loads them.
///
/// # Errors
/// If its game cannot be determined.
pub fn levels(input: Input, options: &Options, includes: &mut dyn Includes) -> Result<Levels, TargetError> {
    let form = input.form(&options.wanted);
    let told = input.target(&form, &options.wanted)?;
    let (mut levels, mut spans) = (Vec::new(), Vec::new());
    let Read { target, module, sources, mut diagnostics } = match form {
        Form::LevelFile(build) => {
            let (mut sources, mut diagnostics) = (SourceMap::new(), Diagnostics::with_lints(options.lints.clone()));
            levels.extend(level(&input, &build, &told.target, &mut sources, &mut diagnostics));
            spans.push(None);
            Read { target: told.target, module: Module::default(), sources, diagnostics }
        }
        Form::Lua => {
            let (mut sources, mut diagnostics) = (SourceMap::new(), Diagnostics::with_lints(options.lints.clone()));
            let script = lua::read(input, Judging::Spelling, &mut sources, &mut diagnostics);
            spans.push(Some(Span::new(script.file, 0, script.text.len())));
            levels.push(Loadable::Lua(script));
            Read { target: told.target, module: Module::default(), sources, diagnostics }
        }
        Form::Source | Form::Document => source(input, told, options, includes),
    };
    if !diagnostics.has_errors() {
        lower_each(&module, &target, &mut diagnostics, |lowered, _| {
            spans.push(lowered.source.span.somewhere());
            levels.push(lowered.level);
        });
    }
    if diagnostics.has_errors() {
        levels.clear();
    }
    Ok(Levels { target, levels, spans, sources, diagnostics })
}

/// Reads and checks the des-file or JSON document `input`, which becomes the main source.
///
/// If it has errors and may be in another dialect, the others are tried as well. The dialect with the fewest errors is
/// used, and the likeliest if several have the same number.
pub(crate) fn source(input: Input, told: Told, options: &Options, includes: &mut dyn Includes) -> Read {
    let Told { target, others, reason } = told;
    if let (Form::Source, Some(problem)) = (input.form_of_source(), encoding::not_text(&input.name, &input.bytes)) {
        // It has no text from which to detect a game or to show an excerpt.
        let (mut sources, mut diagnostics) = (SourceMap::new(), Diagnostics::with_lints(options.lints.clone()));
        diagnostics.push(problem);
        sources.add(input.name, input.place, Vec::new());
        return Read { target, module: Module::default(), sources, diagnostics };
    }
    let mut best = source_for(input, target, options, includes);
    if best.diagnostics.has_errors() && !others.is_empty() {
        let Source { name, path, text, charset, .. } = best.sources.get(FileId(0));
        let mut bytes = Vec::with_capacity(text.len());
        charset.encode_into(text, &mut bytes);
        let input = Input { name: name.clone(), place: path.clone(), bytes };
        let rank = |read: &Read| (read.diagnostics.errors(), read.diagnostics.warnings());
        for other in others {
            let read = source_for(input.clone(), other, options, includes);
            if rank(&read) < rank(&best) {
                best = read;
            }
            if !best.diagnostics.has_errors() {
                break;
            }
        }
    }
    let told = Told { target: best.target.clone(), others: Vec::new(), reason };
    let name = best.sources.iter().next().map_or("", |(_, source)| source.name.as_str());
    if let Some(note) = told.note(name) {
        best.diagnostics.push(note);
    }
    best
}

/// Reads and checks `input` for `target`.
fn source_for(input: Input, target: Target, options: &Options, includes: &mut dyn Includes) -> Read {
    let (mut sources, mut diagnostics) = (SourceMap::new(), Diagnostics::with_lints(options.lints.clone()));
    if let Form::Document = input.form_of_source() {
        let module = document(input, &target, &mut sources, &mut diagnostics);
        return Read { target, module, sources, diagnostics };
    }
    let file = sources.add(input.name, input.place, input.bytes);
    let mut module = splc_frontends::parse(&mut sources, file, target.catalog(), includes, &mut diagnostics);
    if sources.get(file).text.starts_with(encoding::MARK) {
        let of_mark = |span: Span| span.file == file && (span.start as usize) < encoding::MARK.len();
        diagnostics.retain(|known| !known.span.is_some_and(of_mark));
        diagnostics.push(encoding::marked(file));
    }
    allow::take_in(&module, target.catalog(), &sources, &mut diagnostics);
    check::check(&mut module, target.catalog(), &mut diagnostics);
    Read { target, module, sources, diagnostics }
}

/// Reads and checks levels as JSON.
fn document(input: Input, target: &Target, sources: &mut SourceMap, diagnostics: &mut Diagnostics) -> Module {
    let Some(dump) = json::read(sources, &input.name, input.place, input.bytes, diagnostics) else {
        return Module::default();
    };
    let catalog = target.catalog();
    let mut module = dump.module;
    let fits = |dialect: &str| Dialect::by_name(dialect).is_some_and(|dialect| dialect.name == catalog.dialect);
    let named = dump.target.as_ref().and_then(|named| Catalog::by_name(&named.node));
    if let Some(dialect) = dump.dialect.filter(|dialect| !fits(&dialect.node)) {
        let message = format!("the document is for the dialect {}, not for {}", dialect.node, catalog.title);
        let help = format!("the dialect of {} is {}", catalog.title, catalog.dialect);
        diagnostics.push(Diagnostic::new(Code::JsonTarget, dialect.span, message).with_help(help));
    } else if let Some(other) = named.filter(|named| named.dialect != catalog.dialect) {
        let message = format!("the document is for {}, not for {}", other.title, catalog.title);
        let span = dump.target.map(|named| named.span);
        let help = format!("the dialect of {} is {}", catalog.title, catalog.dialect);
        diagnostics.push(Diagnostic::new(Code::JsonTarget, span, message).with_help(help));
    } else if let Some(written) = dump.target.filter(|written| written.node != *catalog.name) {
        let message = format!("the document names the target {}, but is read for {}", written.node, catalog.name);
        diagnostics.push(Diagnostic::new(Code::OtherTarget, written.span, message));
    }
    if !diagnostics.has_errors() {
        check::check(&mut module, catalog, diagnostics);
    }
    json::adapt(diagnostics.iter_mut(), dump.file, sources);
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
    level_file(input, build, target, sources, diagnostics).map(|(read, _)| read.level)
}

/// Reads everything in the level file `input`, and returns its machine as well.
pub(crate) fn level_file(
    input: &Input,
    build: &Build,
    target: &Target,
    sources: &mut SourceMap,
    diagnostics: &mut Diagnostics,
) -> Option<(LevelFile, &'static Abi)> {
    let file = sources.add_bytes(input.name.clone(), input.place.clone(), input.bytes.len());
    match read_any(&input.bytes, &input.stem(), file, target.catalog(), build.machines())? {
        Ok(read) => Some(read),
        Err(problem) => {
            diagnostics.push(problem);
            None
        }
    }
}

/// The origin of a level's name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Naming {
    /// Written in the des-file.
    Written,
    /// Written with a `%i`, which is replaced by a number.
    Numbered,
}

/// A level of a des-file, lowered to the form that its game loads.
pub(crate) struct Lowered<'a> {
    /// The level in the source.
    pub source: &'a Level,
    pub level: Loadable,
    pub naming: Naming,
}

/// Lowers each level of `module`, which has no errors, and sets its name to that of its file.
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
