//! Compiles inputs to files in memory.

use std::sync::Arc;

use indexmap::IndexMap;
use indexmap::map::Entry;
use splc_backends::des::{Style, Unprintable};
use splc_backends::output::{Content, Game, Output, WriteLoadable, Writer};
use splc_frontends::Includes;
use splc_ir::catalog::{Catalog, Feature};
use splc_ir::diagnostic::{Code, Diagnostic, Diagnostics};
use splc_ir::level::{Level, Module};
use splc_ir::loadable::Loadable;
use splc_ir::program::Program;
use splc_ir::source::{Charset, FileId, SourceMap, Span, Text};
use splc_ir::wording::visible;

use crate::file_name::{SYSTEM, check_file_name};
use crate::input::{Accepts, Input};
use crate::options::Options;
use crate::read::{self, Lowered, Naming, Read, lower_each};
use crate::target::{Target, TargetError};
use crate::vaults::Vault;

/// A compiled file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct File {
    /// Its name with extension, without a path.
    pub name: String,
    /// Its content.
    pub bytes: Vec<u8>,
}

/// A short description of a level.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Summary {
    /// Its name: the file name without extension.
    pub name: Text,
    /// The start of the level in the des-file.
    pub span: Option<Span>,
    /// The unit in which its size is measured, and the size. `None` if it was not compiled that far.
    pub size: Option<(&'static str, usize)>,
}

/// The diagnosis of one input.
#[derive(Clone, Debug)]
pub struct Judged {
    /// The game for which it was compiled.
    pub target: Target,
    /// Its levels in order: those compiled or, if there are errors, those read.
    pub levels: Vec<Summary>,
    /// The texts that were read: the input first, then the files that it includes.
    pub sources: SourceMap,
    /// Its diagnostics.
    pub diagnostics: Diagnostics,
}

/// The combined output of all inputs.
#[derive(Clone, Debug, Default)]
pub struct Made {
    /// The files. Empty if an input had errors.
    pub files: Vec<File>,
    /// The random vaults among them, for [`vaults::update`](crate::vaults::update).
    pub vaults: Vec<Vault>,
}

/// The result of compiling one input.
#[derive(Clone, Debug)]
pub struct Compiled {
    /// Its diagnosis.
    pub judged: Judged,
    /// Its output.
    pub made: Made,
}

/// Compiles one input.
///
/// # Errors
/// If its game cannot be determined. Errors in the input itself are in its diagnostics.
pub fn compile(
    input: Input,
    output: &'static Output,
    options: Options,
    includes: &mut dyn Includes,
) -> Result<Compiled, TargetError> {
    let mut compiler = Compiler::new(output, options);
    let judged = compiler.compile(input, includes)?;
    Ok(Compiled { judged, made: compiler.finish() })
}

/// Compiles several inputs into files that belong together. No two files may have the same name.
#[derive(Debug)]
pub struct Compiler {
    output: &'static Output,
    options: Options,
    /// The number of inputs so far.
    inputs: usize,
    /// The output so far, or `None` if an input had errors, because nothing will then be written.
    kept: Option<Kept>,
    /// Set if errors are reported as the game's compiler meets them.
    as_written: bool,
}

/// The output so far.
#[derive(Debug, Default)]
struct Kept {
    /// Keyed by file name without extension.
    files: IndexMap<String, KeptFile>,
    vaults: Vec<Vault>,
}

/// A file to be written.
#[derive(Debug)]
struct KeptFile {
    bytes: Vec<u8>,
    /// The index of its input.
    input: usize,
    /// The span of its name in that input.
    span: Option<Span>,
    /// File name and line number, for messages about other inputs.
    place: (Arc<str>, usize),
    naming: Naming,
}

impl Compiler {
    /// Creates a compiler to the format `output`.
    pub fn new(output: &'static Output, options: Options) -> Self {
        Compiler { output, options, inputs: 0, kept: Some(Kept::default()), as_written: false }
    }

    /// Reports errors as the games' compilers meet them: a statement that cannot be read hides its other mistakes.
    pub fn as_written(self) -> Self {
        Compiler { as_written: true, ..self }
    }

    /// Compiles an input. If it has errors, all output is discarded, but later inputs are still checked.
    ///
    /// # Errors
    /// If its game cannot be determined. This also counts as an input with errors.
    pub fn compile(&mut self, input: Input, includes: &mut dyn Includes) -> Result<Judged, TargetError> {
        let accepts = if self.output.takes_level_files() { Accepts::Levels } else { Accepts::Sources };
        let stem = input.stem().into_owned();
        let recognised = input.recognise(accepts, &self.options.wanted).inspect_err(|_| self.kept = None)?;
        let read = match self.as_written {
            true => recognised.read_once(&self.options, includes),
            false => recognised.read(&self.options, includes),
        };
        Ok(self.compile_read(read, stem))
    }

    /// Compiles an input that has been read. `stem` names a file that contains all of it.
    pub(crate) fn compile_read(&mut self, read: Read, stem: String) -> Judged {
        let Read { target, content, mut sources, mut diagnostics } = read;
        let mut unwanted = Kept::default();
        let judged_only = self.kept.is_none();
        let mut compilation = Compilation {
            judged_only,
            output: self.output,
            game: target.game(),
            input: self.inputs,
            name: None,
            levels: Vec::new(),
            kept: self.kept.as_mut().unwrap_or(&mut unwanted),
        };
        self.inputs += 1;
        compilation.compile(content, stem, &target, &mut sources, &mut diagnostics);
        let levels = compilation.levels;
        if diagnostics.has_errors() {
            self.kept = None;
        }
        Judged { target, levels, sources, diagnostics }
    }

    /// Discards all past and future output. Inputs are still checked.
    pub fn discard(&mut self) {
        self.kept = None;
    }

    /// Returns the output, or nothing if an input had errors.
    pub fn finish(self) -> Made {
        let Some(Kept { files, vaults }) = self.kept else { return Made::default() };
        let output = self.output;
        let named = |(stem, file): (String, KeptFile)| File { name: output.file_name(&stem), bytes: file.bytes };
        Made { files: files.into_iter().map(named).collect(), vaults }
    }
}

/// The compilation of one input.
struct Compilation<'a> {
    /// Set if nothing will be written.
    judged_only: bool,
    output: &'static Output,
    game: Game<'a>,
    /// The index of the input.
    input: usize,
    /// The file whose name was used last.
    name: Option<(FileId, Arc<str>)>,
    levels: Vec<Summary>,
    kept: &'a mut Kept,
}

impl Compilation<'_> {
    /// Compiles the content of the input, and stops after a stage with errors.
    fn compile(
        &mut self,
        content: read::Content,
        stem: String,
        target: &Target,
        sources: &mut SourceMap,
        diagnostics: &mut Diagnostics,
    ) {
        let module = match content {
            read::Content::DesFile(module) | read::Content::Document(module) => module,
            read::Content::Script(script) => {
                if !diagnostics.has_errors() && !self.judged_only {
                    let message = format!("{} is not compiled: the game runs the script itself", visible(&script.name));
                    let help = "use `splc check`, `splc run` or `splc test`";
                    diagnostics.push(Diagnostic::new(Code::Target, None, message).with_help(help));
                }
                let span = Span::new(script.file, 0, 0);
                let script = Loadable::Lua(script);
                let summary = Summary { name: script.name().clone(), span: Some(span), size: Some(script.size()) };
                self.levels.push(summary);
                return;
            }
            read::Content::LevelFile(read) => {
                // A level file has no module. Outputs that need one do not accept level files.
                if let Writer::Loadable(write) | Writer::LoadableOfAny(write) = self.output.writer
                    && let Some(read) = read
                {
                    self.level(&read.level, None, Naming::Written, write, sources, diagnostics);
                }
                return;
            }
        };
        match self.output.writer {
            _ if diagnostics.has_errors() => {}
            Writer::Module(write) => {
                self.list(&module);
                match write(&module, self.game, sources) {
                    Ok(bytes) => self.keep(stem, bytes, None, Naming::Written, sources, diagnostics),
                    Err(problem) => diagnostics.push(problem),
                }
            }
            Writer::Source(write) => {
                self.list(&module);
                match write(&module, self.game.catalog, Style::AsWritten) {
                    Ok(text) => {
                        let bytes = encoded(module.charset, &text);
                        self.keep(stem, bytes, None, Naming::Written, sources, diagnostics);
                    }
                    Err(problems) => unprintable(problems, self.game.catalog, diagnostics),
                }
            }
            Writer::Scripts(_) | Writer::Dungeon { .. } => {
                let message = format!("levels cannot be compiled to {}", self.output.about);
                diagnostics.push(Diagnostic::new(Code::Target, None, message));
            }
            Writer::Loadable(write) | Writer::LoadableOfAny(write) => {
                lower_each(&module, target, diagnostics, |lowered, diagnostics| {
                    // A level that cannot be lowered produces no file.
                    if !diagnostics.has_errors() {
                        let Lowered { source, level, naming } = lowered;
                        self.level(&level, Some(source), naming, write, sources, diagnostics);
                    }
                });
            }
        }
        if diagnostics.has_errors() {
            self.list(&module);
        }
    }

    /// Lists the levels of `module` under their names in the source.
    fn list(&mut self, module: &Module) {
        let summary = |level: &Level| Summary { name: level.name.node.clone(), span: Some(level.span), size: None };
        self.levels.clear();
        self.levels.extend(module.levels().map(summary));
    }

    /// Writes `level`. `source` is the level in the des-file, if there is one.
    fn level(
        &mut self,
        level: &Loadable,
        source: Option<&Level>,
        naming: Naming,
        write: WriteLoadable,
        sources: &SourceMap,
        diagnostics: &mut Diagnostics,
    ) {
        let name = level.name().to_string();
        let span = source.map(|source| source.name.span);
        if let Err(problem) = check_file_name(&name, SYSTEM) {
            let message = format!("\"{name}\" is not a valid name for a level file: {problem}");
            diagnostics.push(Diagnostic::new(Code::LevelName, span, message));
            return;
        }
        let bytes = match write(level, self.game, source.map(|_| sources)) {
            Ok(bytes) => bytes,
            Err(problem) => return diagnostics.push(problem),
        };
        if let Loadable::Program(Program { charset, vault_frequency: Some(weight), vault_depth, .. }) = level
            && self.output.content == Content::LevelFile
        {
            self.kept.vaults.push(Vault::new(&name, *charset, *weight, *vault_depth));
        }
        let begin = source.map(|source| source.span);
        self.levels.push(Summary { name: level.name().clone(), span: begin, size: Some(level.size()) });
        self.keep(name, bytes, span, naming, sources, diagnostics);
    }

    /// Returns the file name and line number of `span`.
    fn place(&mut self, span: Span, sources: &SourceMap) -> (Arc<str>, usize) {
        let source = sources.get(span.file);
        let name = match &self.name {
            Some((file, name)) if *file == span.file => Arc::clone(name),
            _ => source.name.as_str().into(),
        };
        self.name = Some((span.file, Arc::clone(&name)));
        (name, source.place(span.start as usize).line)
    }

    /// Adds `bytes` to the output as the file `stem`, or reports a duplicate name.
    fn keep(
        &mut self,
        stem: String,
        mut bytes: Vec<u8>,
        span: Option<Span>,
        naming: Naming,
        sources: &SourceMap,
        diagnostics: &mut Diagnostics,
    ) {
        // Most levels are much smaller than their buffers, and all are kept until the end.
        bytes.shrink_to_fit();
        let place = self.place(span.unwrap_or_default(), sources);
        let made = KeptFile { bytes, input: self.input, span, place, naming };
        match self.kept.files.entry(stem) {
            Entry::Vacant(entry) => {
                entry.insert(made);
            }
            Entry::Occupied(mut entry) if entry.get().input == self.input => {
                // The check has already reported names that are written identically.
                if Naming::Numbered == naming || entry.get().naming == Naming::Numbered {
                    let message = format!("two levels have the file name \"{}\"", entry.key());
                    let mut diagnostic = Diagnostic::new(Code::DuplicateLevel, made.span, message)
                        .with_label("overwrites the first level");
                    if let Some(first) = entry.get().span {
                        diagnostic = diagnostic.with_secondary(first, "first level");
                    }
                    diagnostics.push(diagnostic);
                }
                let earlier = entry.insert(made);
                if self.output.content == Content::LevelFile && self.game.catalog.has(Feature::NoTruncation) {
                    quirk_overlay(&earlier.bytes, &mut entry.get_mut().bytes);
                }
            }
            Entry::Occupied(entry) => {
                let message = format!("another file also writes \"{}\"", self.output.file_name(entry.key()));
                let (first, line) = &entry.get().place;
                let diagnostic = Diagnostic::new(Code::DuplicateOutput, made.span, message)
                    .with_note(format!("the first level is at {first}:{line}"))
                    .with_help("rename one of the levels, or compile the files into separate folders");
                diagnostics.push(diagnostic);
            }
        }
    }
}

/// Returns the bytes of `text`.
pub(crate) fn encoded(charset: Charset, text: &str) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(text.len());
    charset.encode_into(text, &mut bytes);
    bytes
}

/// Makes `later` the result of writing it over `earlier` without truncation, as the compilers of all four games do: the
/// end of a longer earlier file remains (`write_level_file`).
fn quirk_overlay(earlier: &[u8], later: &mut Vec<u8>) {
    if let Some(tail) = earlier.get(later.len()..) {
        later.extend_from_slice(tail);
    }
}

/// Reports the parts of levels that a source for the game of `catalog` cannot express.
pub(crate) fn unprintable(problems: Vec<Unprintable>, catalog: &Catalog, diagnostics: &mut Diagnostics) {
    for Unprintable { span, what } in problems {
        let message = format!("{} cannot express {what}", catalog.title);
        diagnostics.push(Diagnostic::new(Code::PortImpossible, span, message));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn overlay_keeps_the_longer_tail() {
        let overlay = |earlier: &[u8], later: &[u8]| {
            let mut later = later.to_vec();
            quirk_overlay(earlier, &mut later);
            later
        };
        assert_eq!(overlay(b"abcdef", b"XY"), b"XYcdef");
        assert_eq!(overlay(b"ab", b"XYZ"), b"XYZ");
        assert_eq!(overlay(b"ab", b"XY"), b"XY");
    }
}
