//! An open file with everything known about it.

use std::cell::OnceCell;
use std::collections::HashMap;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use gen_lsp_types as lsp;
use splc_driver::{Content, Opened};
use splc_ir::catalog::dialect;
use splc_ir::catalog::{Catalog, Format, Shared};
use splc_ir::diagnostic::Diagnostics;
use splc_ir::level::Module;
use splc_ir::source::{FileId, SourceMap, Span};
use splc_lua::check::{Binding, bindings};
use splc_lua::tree::Chunk;

use crate::names::Names;
use crate::place;
use crate::text::{Encoding, Text};
use crate::words::{self, Word};

/// The language of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Language {
    /// A des-file.
    Des,
    /// A Lua level of NetHack 5.
    Lua,
    /// The description of a dungeon.
    Dungeon,
    /// A JSON document, or a file that is not text.
    Other,
}

/// One open file.
pub(crate) struct View {
    pub path: PathBuf,
    pub uri: lsp::Uri,
    pub text: Arc<Text>,
    pub encoding: Encoding,
    pub language: Language,
    /// The file as it was read and checked, unless its game is unknown.
    pub opened: Option<Arc<Opened>>,
    names: OnceCell<Names>,
    words: OnceCell<Vec<Word>>,
    chunk: OnceCell<Chunk>,
    bindings: OnceCell<Vec<Binding>>,
}

impl View {
    /// Returns edits that turn the text into `new`.
    pub fn edits(&self, new: &str) -> Vec<lsp::TextEdit> {
        self.text.edits(new, self.encoding)
    }

    pub fn new(path: PathBuf, uri: lsp::Uri, text: Arc<Text>, encoding: Encoding, opened: Option<Arc<Opened>>) -> Self {
        let language = match opened.as_deref() {
            Some(Opened::Levels(read)) => match &read.content {
                Content::DesFile(_) => Language::Des,
                Content::Script(_) => Language::Lua,
                Content::Document(_) | Content::LevelFile(_) => Language::Other,
            },
            Some(Opened::Dungeon(_)) => Language::Dungeon,
            Some(Opened::Archive(_)) | None => Language::Other,
        };
        let (names, words, chunk, bindings) = (OnceCell::new(), OnceCell::new(), OnceCell::new(), OnceCell::new());
        View { path, uri, text, encoding, language, opened, names, words, chunk, bindings }
    }

    pub fn text(&self) -> &str {
        self.text.as_str()
    }

    /// Returns the catalog of its game.
    pub fn catalog(&self) -> &Catalog {
        let shared: Option<&Shared> = match self.opened.as_deref() {
            Some(Opened::Levels(read)) => Some(read.target.catalog()),
            Some(Opened::Dungeon(dungeon)) => Some(dungeon.target.catalog()),
            Some(Opened::Archive(_)) | None => None,
        };
        match shared {
            Some(shared) => shared,
            None => {
                dialect::ALL.iter().find_map(|dialect| dialect.default_target()).unwrap_or(splc_ir::catalog::ALL[0])
            }
        }
    }

    /// Returns true if it is a des-file of NetHack 3.4.3 or a relative.
    pub fn is_parts(&self) -> bool {
        self.catalog().format == Format::Parts
    }

    /// Returns the levels of a des-file.
    pub fn module(&self) -> Option<&Module> {
        match self.opened.as_deref()? {
            Opened::Levels(read) => read.content.module(),
            _ => None,
        }
    }

    /// Returns the texts that were read.
    pub fn sources(&self) -> Option<&SourceMap> {
        match self.opened.as_deref()? {
            Opened::Levels(read) => Some(&read.sources),
            Opened::Dungeon(dungeon) => Some(&dungeon.sources),
            Opened::Archive(_) => None,
        }
    }

    pub fn diagnostics(&self) -> Option<&Diagnostics> {
        match self.opened.as_deref()? {
            Opened::Levels(read) => Some(&read.diagnostics),
            Opened::Dungeon(dungeon) => Some(&dungeon.diagnostics),
            Opened::Archive(files) => Some(&files.diagnostics),
        }
    }

    /// Returns the names of a des-file. Empty for other files.
    pub fn names(&self) -> &Names {
        self.names.get_or_init(|| match (self.language, self.module(), self.sources()) {
            (Language::Des, Some(module), Some(sources)) => Names::of(module, sources, self.catalog()),
            _ => Names::default(),
        })
    }

    /// Returns the words of a des-file.
    pub fn words(&self) -> &[Word] {
        self.words.get_or_init(|| words::words(self.text()))
    }

    /// Returns the tree of a Lua level. Empty for other files.
    pub fn chunk(&self) -> &Chunk {
        self.chunk.get_or_init(|| {
            let Some(sources) = self.sources().filter(|_| self.language == Language::Lua) else {
                return Chunk::default();
            };
            splc_lua::parse(sources, FileId(0), &mut Diagnostics::new())
        })
    }

    /// Returns the variables of a Lua level.
    pub fn bindings(&self) -> &[Binding] {
        self.bindings.get_or_init(|| bindings(self.chunk()))
    }

    pub fn offset(&self, position: lsp::Position) -> usize {
        self.text.offset(position, self.encoding)
    }

    pub fn range(&self, range: Range<usize>) -> lsp::Range {
        self.text.range(range, self.encoding)
    }

    /// Returns the range of `span`, if it is in this file.
    pub fn span(&self, span: Span) -> Option<Range<usize>> {
        (span.file == FileId(0)).then_some(span.start as usize..span.end as usize)
    }

    /// Returns the location of `span`, in this file or in one that it includes.
    pub fn location(&self, span: Span) -> Option<lsp::Location> {
        if let Some(range) = self.span(span) {
            return Some(lsp::Location { uri: self.uri.clone(), range: self.range(range) });
        }
        let source = self.sources()?.get(span.file);
        let uri = place::uri(source.path.as_deref()?);
        let range = Text::new(source.text.as_str()).range(source.range(span), self.encoding);
        Some(lsp::Location { uri, range })
    }

    /// Returns the folder of the file.
    pub fn folder(&self) -> &Path {
        self.path.parent().unwrap_or(Path::new(""))
    }
}

/// Returns a hover of `range` with `text` in Markdown.
pub(crate) fn markdown(view: &View, range: Range<usize>, text: String) -> lsp::Hover {
    lsp::Hover {
        contents: lsp::Contents::MarkupContent(lsp::MarkupContent { kind: lsp::MarkupKind::Markdown, value: text }),
        range: Some(view.range(range)),
    }
}

/// Returns a symbol of an outline, unless it is in another file.
#[allow(deprecated)] // the field must be set
pub(crate) fn symbol(
    view: &View,
    name: String,
    detail: String,
    kind: lsp::SymbolKind,
    span: Span,
    name_span: Span,
    children: Vec<lsp::DocumentSymbol>,
) -> Option<lsp::DocumentSymbol> {
    let whole = view.span(span)?;
    // Clients reject a name outside of its symbol.
    let named = view.span(name_span).filter(|name| whole.start <= name.start && name.end <= whole.end);
    let named = named.unwrap_or(whole.start..whole.start);
    Some(lsp::DocumentSymbol {
        // Clients reject an empty name.
        name: if name.trim().is_empty() { "(unnamed)".to_owned() } else { name },
        detail: (!detail.is_empty()).then_some(detail),
        kind,
        tags: None,
        deprecated: None,
        range: view.range(whole),
        selection_range: view.range(named),
        children: (!children.is_empty()).then_some(children),
    })
}

/// Returns the edits as a change of the file.
pub(crate) fn change(view: &View, edits: Vec<lsp::TextEdit>) -> lsp::WorkspaceEdit {
    lsp::WorkspaceEdit { changes: Some(HashMap::from([(view.uri.clone(), edits)])), ..Default::default() }
}

/// Returns a signature with its parameters, of which `active` is at the cursor.
pub(crate) fn information(label: String, parameters: Vec<String>, active: Option<usize>) -> lsp::SignatureInformation {
    // The last operand may be repeated: `flag...`.
    let last = parameters.len().saturating_sub(1);
    let repeats = parameters.last().is_some_and(|last| last.ends_with("..."));
    let active = active.map(|active| if repeats { active.min(last) } else { active });
    lsp::SignatureInformation {
        label,
        documentation: None,
        parameters: Some(
            parameters
                .into_iter()
                .map(|label| lsp::ParameterInformation { label: label.into(), documentation: None })
                .collect(),
        ),
        active_parameter: active.map(|active| lsp::ActiveParameter::Int(active as u32)),
    }
}
