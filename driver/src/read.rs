//! Reads inputs in steps: recognised, parsed, checked, lowered to the form that its game loads. All other functions
//! build on this.
//!
//! A parsed tree is complete but not yet resolved. Checking resolves it for one game, so that a parsed input can be
//! kept and checked again.

use splc_frontends::level_file::{LevelFile, read_any};
use splc_frontends::{Includes, json};
use splc_ir::catalog::Catalog;
use splc_ir::check;
use splc_ir::diagnostic::{Code, Diagnostic, Diagnostics};
use splc_ir::level::{Level, Module};
use splc_ir::loadable::{self, Loadable, LuaLevel};
use splc_ir::lower::number_name;
use splc_ir::source::{FileId, Source, SourceMap, Span};
use splc_lua::tree::Chunk;

use crate::allow;
use crate::encoding;
use crate::games::Dialect;
use crate::input::{Accepts, Form, Input, Recognised};
use crate::options::Options;
use crate::recognise::Build;
use crate::script;
use crate::target::{Reported, Target, TargetError};

/// An input that has been parsed, but not checked.
#[derive(Clone, Debug)]
pub struct Parsed {
    reported: Reported,
    tree: Tree,
    /// The texts that were read: the input first, then the files that it includes.
    pub sources: SourceMap,
    /// The errors of its syntax.
    pub diagnostics: Diagnostics,
}

/// The content of an input before the check.
#[derive(Clone, Debug)]
enum Tree {
    /// A des-file, unless it is not text.
    DesFile(Option<Module>),
    /// A JSON document, and its place among the sources, if it could be read.
    Document(Option<(Module, FileId)>),
    /// A level file, if it could be read.
    LevelFile(Option<LevelFile>),
    /// A script, and its tree if it is text.
    Script(LuaLevel, Option<Chunk>),
}

/// An input that has been read and checked.
#[derive(Clone, Debug)]
pub struct Read {
    /// The game of its levels.
    pub target: Target,
    /// Its content. With errors, the parts that were understood.
    pub content: Content,
    /// The texts that were read: the input first, then the files that it includes. A level file without its bytes.
    pub sources: SourceMap,
    /// Its diagnostics.
    pub diagnostics: Diagnostics,
}

/// The content of an input.
#[derive(Clone, Debug)]
pub enum Content {
    /// A des-file, or the source of a level file that was raised.
    DesFile(Module),
    /// A JSON document.
    Document(Module),
    /// A level file, unless it is damaged.
    LevelFile(Option<LevelFile>),
    /// A Lua script.
    Script(LuaLevel),
}

impl Content {
    /// Returns the levels of a des-file or a JSON document. Other inputs have none in this form.
    pub fn module(&self) -> Option<&Module> {
        match self {
            Content::DesFile(module) | Content::Document(module) => Some(module),
            Content::LevelFile(_) | Content::Script(_) => None,
        }
    }
}

/// The levels of an input, as the game loads them.
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

/// The depth of the check of a Lua script.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Judging {
    /// Syntax only. Other errors show when it runs.
    Spelling,
    /// Also its meaning, for the game.
    Meaning,
}

/// Reads and checks a des-file, a JSON document or a Lua script. Its levels can be lowered if there are no errors.
///
/// # Errors
/// If its game cannot be determined.
pub fn read(input: Input, options: &Options, includes: &mut dyn Includes) -> Result<Read, TargetError> {
    read_as(input, Accepts::Sources, options, includes)
}

/// Reads and checks an input of one of the types that `accepts` names.
///
/// # Errors
/// If its game cannot be determined.
pub(crate) fn read_as(
    input: Input,
    accepts: Accepts,
    options: &Options,
    includes: &mut dyn Includes,
) -> Result<Read, TargetError> {
    Ok(input.recognise(accepts, &options.wanted)?.read(options, includes))
}

/// Reads a des-file, a level file or a script, and returns its levels as the game loads them.
///
/// # Errors
/// If its game cannot be determined.
pub fn levels(input: Input, options: &Options, includes: &mut dyn Includes) -> Result<Levels, TargetError> {
    let parsed = input.recognise(Accepts::Levels, &options.wanted)?.parse(options, includes);
    Ok(parsed.check(Judging::Spelling, options, includes, &|| true).lower())
}

impl Recognised {
    /// Parses and checks it as it is written.
    pub fn read_once(self, options: &Options, includes: &mut dyn Includes) -> Read {
        self.parse(options, includes).check(Judging::Meaning, options, includes, &|| true)
    }

    /// Parses it, for the likeliest game.
    pub fn parse(self, options: &Options, includes: &mut dyn Includes) -> Parsed {
        let Recognised { input, form, reported } = self;
        let (mut sources, mut diagnostics) = (SourceMap::new(), diagnostics_of(&input, options));
        match form {
            Form::Source => match encoding::not_text(&input.name, &input.bytes) {
                Some(problem) => {
                    // It has no text from which to detect a game or to show an excerpt.
                    diagnostics.push(problem);
                    sources.add(input.name, input.place, Vec::new());
                    Parsed {
                        reported: Reported::known(reported.target),
                        tree: Tree::DesFile(None),
                        sources,
                        diagnostics,
                    }
                }
                None => des_file(input, reported, options, includes),
            },
            Form::Document => {
                let tree = Tree::Document(document(input, &reported.target, &mut sources, &mut diagnostics));
                Parsed { reported, tree, sources, diagnostics }
            }
            Form::LevelFile(build) => {
                let (read, target) = level_file(&input, &build, reported.target, &mut sources, &mut diagnostics);
                Parsed { reported: Reported::known(target), tree: Tree::LevelFile(read), sources, diagnostics }
            }
            Form::Lua => {
                let (script, chunk) = script::parse(input, &mut sources, &mut diagnostics);
                Parsed { reported, tree: Tree::Script(script, chunk), sources, diagnostics }
            }
        }
    }
}

/// Returns an empty collection with the lint levels of `input`.
pub(crate) fn diagnostics_of(input: &Input, options: &Options) -> Diagnostics {
    Diagnostics::with_lints(options.lints.of(input.place.as_deref()).clone())
}

/// Parses a des-file, which becomes the main source.
pub(crate) fn des_file(input: Input, reported: Reported, options: &Options, includes: &mut dyn Includes) -> Parsed {
    let (mut sources, mut diagnostics) = (SourceMap::new(), diagnostics_of(&input, options));
    let file = sources.add(input.name, input.place, input.bytes);
    let module = splc_frontends::parse(&mut sources, file, reported.target.catalog(), includes, &mut diagnostics);
    Parsed { reported, tree: Tree::DesFile(Some(module)), sources, diagnostics }
}

impl Parsed {
    /// Returns the game for which it was parsed. The check may find that another is likelier.
    pub fn target(&self) -> &Target {
        &self.reported.target
    }

    /// Checks it.
    ///
    /// If a des-file has errors and may be in another dialect, the others are tried as well, as long as `goes_on`. The
    /// dialect with the fewest errors is used, and the likeliest if several have the same number.
    pub(crate) fn check(
        mut self,
        judging: Judging,
        options: &Options,
        includes: &mut dyn Includes,
        goes_on: &dyn Fn() -> bool,
    ) -> Read {
        let others = std::mem::take(&mut self.reported.others);
        let reason = self.reported.reason.take();
        let mut best = self.checked(judging);
        if best.diagnostics.has_errors() && !others.is_empty() {
            let Source { name, path, text, charset, .. } = best.sources.get(FileId(0));
            let mut bytes = Vec::with_capacity(text.len());
            charset.encode_into(text, &mut bytes);
            let input = Input { name: name.clone(), place: path.clone(), bytes };
            let rank = |read: &Read| (read.diagnostics.errors(), read.diagnostics.warnings());
            for other in others {
                if !goes_on() {
                    break;
                }
                let read = des_file(input.clone(), Reported::known(other), options, includes).checked(judging);
                if rank(&read) < rank(&best) {
                    best = read;
                }
                if !best.diagnostics.has_errors() {
                    break;
                }
            }
        }
        let reported = Reported { target: best.target.clone(), others: Vec::new(), reason };
        let name = best.sources.iter().next().map_or("", |(_, source)| source.name.as_str());
        if let Some(note) = reported.note(name) {
            best.diagnostics.push(note);
        }
        best
    }

    /// Checks it for the game for which it was parsed.
    pub(crate) fn checked(self, judging: Judging) -> Read {
        let Parsed { reported: Reported { target, .. }, tree, sources, mut diagnostics } = self;
        let catalog = target.catalog();
        let content = match tree {
            Tree::DesFile(None) => Content::DesFile(Module::default()),
            Tree::DesFile(Some(mut module)) => {
                let file = FileId(0);
                if sources.get(file).text.starts_with(encoding::MARK) {
                    let of_mark = |span: Span| span.file == file && (span.start as usize) < encoding::MARK.len();
                    diagnostics.retain(|known| !known.span.is_some_and(of_mark));
                    diagnostics.push(encoding::marked(file));
                }
                allow::take_in(&module, catalog, &sources, &mut diagnostics);
                check::check(&mut module, catalog, &mut diagnostics);
                Content::DesFile(module)
            }
            Tree::Document(None) => Content::Document(Module::default()),
            Tree::Document(Some((mut module, file))) => {
                if !diagnostics.has_errors() {
                    check::check(&mut module, catalog, &mut diagnostics);
                }
                json::adapt(diagnostics.iter_mut(), file, &sources);
                Content::Document(module)
            }
            Tree::LevelFile(read) => Content::LevelFile(read),
            Tree::Script(script, chunk) => {
                if let (Some(chunk), Judging::Meaning) = (&chunk, judging) {
                    script::judge(chunk, &script, catalog, &sources, &mut diagnostics);
                }
                script::load(&script, &mut diagnostics);
                Content::Script(script)
            }
        };
        Read { target, content, sources, diagnostics }
    }
}

impl Read {
    /// Lowers its levels to the form that the game loads.
    pub fn lower(self) -> Levels {
        let Read { target, content, sources, mut diagnostics } = self;
        let (mut levels, mut spans) = (Vec::new(), Vec::new());
        match content {
            Content::LevelFile(read) => {
                levels.extend(read.map(|read| read.level));
                spans.push(None);
            }
            Content::Script(script) => {
                spans.push(Some(Span::new(script.file, 0, script.text.len())));
                levels.push(Loadable::Lua(script));
            }
            Content::DesFile(_) | Content::Document(_) if diagnostics.has_errors() => {}
            Content::DesFile(module) | Content::Document(module) => {
                lower_each(&module, &target, &mut diagnostics, |lowered, _| {
                    spans.push(lowered.source.span.somewhere());
                    levels.push(lowered.level);
                });
            }
        }
        if diagnostics.has_errors() {
            levels.clear();
        }
        Levels { target, levels, spans, sources, diagnostics }
    }
}

/// Reads levels as JSON. Returns them with the file of the document.
fn document(
    input: Input,
    target: &Target,
    sources: &mut SourceMap,
    diagnostics: &mut Diagnostics,
) -> Option<(Module, FileId)> {
    let dump = json::read(sources, &input.name, input.place, input.bytes, diagnostics)?;
    let catalog = target.catalog();
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
    Some((dump.module, dump.file))
}

/// Reads the level file `input`, and returns it with its game on the machine that wrote it.
fn level_file(
    input: &Input,
    build: &Build,
    target: Target,
    sources: &mut SourceMap,
    diagnostics: &mut Diagnostics,
) -> (Option<LevelFile>, Target) {
    let file = sources.add_bytes(input.name.clone(), input.place.clone(), input.bytes.len());
    match read_any(&input.bytes, &input.stem(), file, target.catalog(), build.machines()) {
        Some(Ok((read, abi))) => (Some(read), target.on(abi)),
        Some(Err(problem)) => {
            diagnostics.push(problem);
            (None, target)
        }
        None => (None, target),
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
