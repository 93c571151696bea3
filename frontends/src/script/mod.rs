//! The script dialects: UnNetHack, SporkHack, NetHack 3.6.
//!
//! They are one language with dialect switches from the catalog. [`lexer`] produces tokens, `grammar.lalrpop` parses
//! them, and [`splc_ir::resolve`] analyses the result.

mod blocks;
pub mod lexer;
mod messages;
mod old_forms;
mod reading;

lalrpop_util::lalrpop_mod!(
    #[allow(clippy::all, clippy::pedantic, clippy::unwrap_used, missing_docs, unused, unreachable_pub)]
    grammar,
    "/script/grammar.rs"
);

use std::io;
use std::path::{Component, Path, PathBuf};

use splc_ir::catalog::{Catalog, Feature};
use splc_ir::diagnostic::{Code, Diagnostic, Diagnostics, Severity};
use splc_ir::level::Unread;
use splc_ir::level::{Item, Module, Trivia};
use splc_ir::limits::{MAX_INCLUDE_DEPTH, MAX_LINE_BYTES, MAX_SOURCE_BYTES};
use splc_ir::order::Order;
use splc_ir::reread;
use splc_ir::source::{FileId, Source, SourceMap, Span};

use crate::quotes::Quotes;
use crate::{Includes, too_large};
use lexer::Lexer;

/// Reads a des-file of one of the script dialects.
///
/// `file` is a file of `sources`, and `catalog` determines its dialect. Included files are read through `includes` and
/// added to `sources`. Errors go to `diagnostics`; the module then contains the parts that could be read.
pub fn parse(
    sources: &mut SourceMap,
    file: FileId,
    catalog: &Catalog,
    includes: &mut dyn Includes,
    diagnostics: &mut Diagnostics,
) -> Module {
    let Source { text, charset, .. } = sources.get(file);
    let remaining = MAX_SOURCE_BYTES.saturating_sub(charset.encoded_len(text) as u64);
    let (open, skipped) = (Vec::new(), Vec::new());
    let mut reader =
        Reader { sources, catalog, includes, diagnostics, remaining, open, skipped, suspects_old_forms: false };
    let items = reader.file(file);
    let (skipped, suspects_old_forms) = (std::mem::take(&mut reader.skipped), reader.suspects_old_forms);
    let mut module = Module { charset: sources.get(file).charset, items, ..Module::default() };
    if suspects_old_forms {
        old_forms::old_forms(&mut module, catalog, diagnostics);
    }
    if !skipped.is_empty() {
        module.unread = unread(sources, &skipped, diagnostics);
        let follows = |known: &Diagnostic| known.span.is_some_and(|span| module.unread.has_line_of(span));
        diagnostics.retain(|known| is_unread(known) || !follows(known));
    }
    module
}

/// Returns true if `known` reports text that could not be read, also as a statement of another language.
fn is_unread(known: &Diagnostic) -> bool {
    known.code.is_unread() || known.noticed.is_some()
}

/// Returns the parts that syntax errors kept from being read. `skipped` are the files with syntax errors.
fn unread(sources: &SourceMap, skipped: &[FileId], diagnostics: &Diagnostics) -> Unread {
    let mut unread = Unread::default();
    for &file in skipped {
        unread.skipped(file, &sources.get(file).text);
    }
    let foreign = |known: &Diagnostic| known.code == Code::WrongDialect;
    for known in diagnostics.iter().filter(|known| is_unread(known) || foreign(known)) {
        let Some(span) = known.span else { continue };
        let source = sources.get(span.file);
        let at = source.floor(span.start as usize);
        let start = source.place(at).line_start;
        let end =
            source.text.get(at..).and_then(|rest| rest.find('\n')).map_or(source.text.len(), |length| at + length);
        if is_unread(known) {
            unread.line(Span::new(span.file, start, end));
        }
        let rest = &source.text[end..];
        if source.text[start..end].trim_end().ends_with(['{', '(']) {
            let close = rest.find('}').unwrap_or(rest.len());
            unread.block(Span::new(span.file, end, end + close));
        } else if source.text[start..end].trim_start().starts_with("CONTAINER") {
            // Its block may have no opening brace.
            let inside = |line: &&str| {
                let line = line.trim_start();
                line.is_empty() || ["OBJECT", "CONTAINER", "[", "#"].iter().any(|first| line.starts_with(first))
            };
            let length: usize = rest.split_inclusive('\n').take_while(inside).map(str::len).sum();
            unread.block(Span::new(span.file, end, end + length));
        }
    }
    unread
}

/// Returns the comments and blank lines of `file`.
pub fn trivia(sources: &SourceMap, file: FileId, catalog: &Catalog) -> Vec<Trivia> {
    let text = sources.get(file).text.as_str();
    let tokens = Lexer::new(text, file, catalog).flat_map(|(start, token, end)| match token {
        lexer::Token::Map(map) => {
            let rows = map.row_spans.iter().map(|row| (row.start as usize, row.end as usize));
            crate::trivia::of_map(text, (start, end), rows)
        }
        _ => vec![(start, end)],
    });
    crate::trivia::between(text, file, tokens)
}

/// Reads the text of one file.
fn read<'t>(
    text: &'t str,
    file: FileId,
    catalog: &'t Catalog,
    most: usize,
) -> (Vec<Item>, reading::Failures<'t>, Lexer<'t>) {
    let mut failures = reading::Failures::new(most);
    let mut lexer = Lexer::new(text, file, catalog).keeping(most);
    // The lexer never fails: invalid text becomes an unknown token.
    let parsed = grammar::FileParser::new().parse(file, catalog, &mut failures, (&mut lexer).map(Ok));
    let items = parsed.unwrap_or_else(|error| {
        failures.push(reading::Failure::Syntax { error, skipped: 0..0 });
        Vec::new()
    });
    (items, failures, lexer)
}

/// Returns the quotes of a text.
fn quotes(text: &str, file: FileId, catalog: &Catalog) -> Quotes {
    let mut lexer = Lexer::new(text, file, catalog);
    (&mut lexer).for_each(drop);
    let open = lexer.diagnostics.iter().filter(|known| known.code == Code::UnterminatedString).count();
    Quotes { long: lexer.long_strings, open }
}

struct Reader<'a> {
    sources: &'a mut SourceMap,
    catalog: &'a Catalog,
    includes: &'a mut dyn Includes,
    diagnostics: &'a mut Diagnostics,
    /// The number of bytes that may still be included.
    remaining: u64,
    /// Files being read, the including ones first.
    open: Vec<FileId>,
    /// Files of which some parts were skipped because of syntax errors.
    skipped: Vec<FileId>,
    /// True if a statement may have the form of NetHack 3.4.3.
    suspects_old_forms: bool,
}

impl Reader<'_> {
    fn file(&mut self, file: FileId) -> Vec<Item> {
        let text = &self.sources.get(file).text;
        if let Some(diagnostic) = too_long_line(text, file) {
            self.diagnostics.push(diagnostic);
            return Vec::new();
        }
        let most = self.diagnostics.most_failures();
        let (mut items, mut failures, mut lexer) = read(text, file, self.catalog, most);
        let mut text = text.as_str();
        let errors = |failures: &reading::Failures<'_>, lexer: &Lexer<'_>| {
            failures.list.len() + lexer.diagnostics.iter().filter(|known| known.severity == Severity::Error).count()
        };
        let wrong = errors(&failures, &lexer);
        let conflicts = if wrong > 0 { reread::without_conflicts(text, file, "#") } else { None };
        let mut unclosed: &[Diagnostic] = &[];
        if let Some((right, markers)) = &conflicts {
            let again = read(right, file, self.catalog, most);
            if errors(&again.1, &again.2) + markers.len() <= wrong {
                (items, failures, lexer) = again;
                text = right;
                markers.iter().for_each(|marker| self.diagnostics.push(marker.clone()));
                self.skipped.push(file);
            }
        }
        let wrong = errors(&failures, &lexer);
        let quotes = |text: &str| quotes(text, file, self.catalog);
        let closed = if wrong > 0 { crate::quotes::closed(text, file, quotes) } else { None };
        if let Some((right, strings)) = &closed {
            let again = read(right, file, self.catalog, most);
            if errors(&again.1, &again.2) <= wrong {
                (items, failures, lexer) = again;
                (text, unclosed) = (right, strings);
            }
        }
        let in_braces = if failures.is_empty() { None } else { blocks::in_braces(text, file) };
        if let Some((right, wrong)) = &in_braces {
            let again = read(right, file, self.catalog, most);
            if again.1.list.len() < failures.list.len() {
                (items, failures, lexer) = again;
                text = right;
                wrong.iter().for_each(|diagnostic| self.diagnostics.push(diagnostic.clone()));
            }
        }
        if !unclosed.is_empty() {
            lexer.diagnostics.extend_from_slice(unclosed);
            lexer.diagnostics.order_by_key(|known| known.span.map_or(0, |span| span.start));
        }
        self.suspects_old_forms |= failures.suspects_old_forms;
        if !failures.is_empty() || lexer.diagnostics.iter().any(|known| known.code.is_unread()) {
            self.skipped.push(file);
        }
        // A wrong quote on a line makes a later one look open.
        let mut wrong = None;
        for diagnostic in &lexer.diagnostics {
            let start = diagnostic.span.map_or(0, |span| span.start as usize);
            let is_open = diagnostic.code == Code::UnterminatedString;
            if is_open && wrong.is_some_and(|wrong: usize| wrong < start && !text[wrong..start].contains('\n')) {
                continue;
            }
            if diagnostic.code == Code::Lexical && text[start..].starts_with('\'') {
                wrong = Some(start);
            }
            self.diagnostics.push(diagnostic.clone());
        }
        lexer.untold.iter().for_each(|&(code, more)| self.diagnostics.count(code, more));
        messages::diagnose(text, file, self.catalog, &lexer, failures, self.diagnostics);

        self.open.push(file);
        for item in &mut items {
            if let Item::Include { path, items } = item {
                *items = self.include(&path.node, path.span);
            }
        }
        self.open.pop();
        items
    }

    /// Reads an included file, if it fits into the size limit.
    fn included(&mut self, path: &str, from: Option<&Path>) -> io::Result<(PathBuf, Vec<u8>)> {
        let (found, bytes) = self.includes.read(path, from, self.remaining)?;
        self.remaining = self.remaining.checked_sub(bytes.len() as u64).ok_or_else(too_large)?;
        Ok((found, bytes))
    }

    fn include(&mut self, path: &str, span: Span) -> Vec<Item> {
        let refuse = |message: String, help: &str| {
            Diagnostic::new(Code::Include, span, message).with_label("included here").with_help(help)
        };
        if !self.catalog.has(Feature::HeaderStatements) {
            let message = format!("{} does not have INCLUDE", self.catalog.title);
            self.diagnostics.push(Diagnostic::new(Code::WrongDialect, span, message));
            return Vec::new();
        }
        if self.open.len() > MAX_INCLUDE_DEPTH {
            let message = format!("files are included more than {MAX_INCLUDE_DEPTH} deep");
            self.diagnostics.push(refuse(message, "include the file from an outer file"));
            return Vec::new();
        }
        let from = self.open.last().and_then(|&file| self.sources.get(file).path.clone());
        let (found, bytes) = match self.included(path, from.as_deref()) {
            Ok(read) => read,
            Err(error) => {
                let message = format!("cannot read \"{path}\": {error}");
                self.diagnostics.push(refuse(message, "write the path relative to the folder of the including file"));
                return Vec::new();
            }
        };
        if self.open.iter().any(|&file| self.sources.get(file).path.as_deref() == Some(found.as_path())) {
            let message = format!("\"{path}\" includes itself");
            self.diagnostics.push(refuse(message, "move what both need to a third file"));
            return Vec::new();
        }
        let charset = self.open.first().map(|&file| self.sources.get(file).charset);
        let is_outside = self.is_outside(path, &found);
        let file = self.sources.add(path, Some(found), bytes);
        let included = self.sources.get(file);
        if charset != Some(included.charset) && !included.text.is_ascii() {
            let message = format!("the encoding of \"{path}\" differs from that of the including file");
            self.diagnostics.push(refuse(message, "convert both to UTF-8"));
            return Vec::new();
        }
        let items = self.file(file);
        // It may be any file of the user, and the report may be public.
        let is_of_it = |known: &Diagnostic| known.span.is_some_and(|span| span.file >= file);
        if is_outside && self.diagnostics.iter().any(is_of_it) {
            self.diagnostics.retain(|known| !is_of_it(known));
            let message = format!("\"{path}\" is in another folder, and cannot be read as a des-file");
            self.diagnostics.push(refuse(message, "compile the included file itself to see its errors"));
            return Vec::new();
        }
        items
    }

    /// Returns true if the included file at `found`, written as `path`, is not in the folder of the des-file, or below.
    fn is_outside(&self, path: &str, found: &Path) -> bool {
        let main = self.open.first().and_then(|&file| self.sources.get(file).path.as_deref());
        match main.and_then(Path::parent) {
            Some(folder) => !found.starts_with(folder),
            None => !Path::new(path).components().all(|part| matches!(part, Component::Normal(_) | Component::CurDir)),
        }
    }
}

/// Rejects a line longer than any level needs. It is an accident, and would cost time and memory.
fn too_long_line(text: &str, file: FileId) -> Option<Diagnostic> {
    let mut start = 0;
    for end in memchr::memchr_iter(b'\n', text.as_bytes()).chain([text.len()]) {
        if end - start > MAX_LINE_BYTES {
            return Some(
                Diagnostic::new(Code::TooLarge, Span::new(file, start, start), "this line is too long")
                    .with_label(format!("{} bytes in one line", end - start))
                    .with_help(format!("use at most {MAX_LINE_BYTES} bytes in a line")),
            );
        }
        start = end + 1;
    }
    None
}
