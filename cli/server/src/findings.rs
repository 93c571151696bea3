//! Diagnostics, as the protocol has them.

use gen_lsp_types as lsp;
use splc_driver::test::Found;
use splc_ir::diagnostic::{Code, Diagnostic, Severity};
use splc_ir::level::{Item, Module};
use splc_ir::order::Order;
use splc_ir::source::{FileId, SourceMap, Span};

use crate::limits::MAX_PUBLISHED;
use crate::place;
use crate::view::View;

/// The source of all diagnostics, as clients show it.
const SOURCE: &str = "splc";

/// A published diagnostic with the one it was made from.
#[derive(Clone, Debug)]
pub(crate) struct Finding {
    pub published: lsp::Diagnostic,
    pub diagnostic: Diagnostic,
    /// The first seed that shows it, if it is about finished levels.
    pub seed: Option<Seed>,
}

/// A seed of a level.
#[derive(Clone, Debug)]
pub(crate) struct Seed {
    pub level: String,
    pub seed: u64,
    pub picture: Vec<String>,
}

/// Returns the diagnostics of a file, in source order. `page` returns the file that explains a code.
pub(crate) fn of(view: &View, page: &mut dyn FnMut(Code) -> Option<lsp::Uri>) -> Vec<Finding> {
    let (Some(diagnostics), Some(sources)) = (view.diagnostics(), view.sources()) else { return Vec::new() };
    let mut sorted: Vec<&Diagnostic> = diagnostics.iter().collect();
    sorted.order_by_key(|diagnostic| diagnostic.span.map(|span| (span.file, span.start)));
    // Errors first, if not all are published.
    if sorted.len() > MAX_PUBLISHED {
        sorted.order_by_key(|diagnostic| diagnostic.severity != Severity::Error);
        sorted.truncate(MAX_PUBLISHED);
    }
    let finding = |diagnostic: &&Diagnostic| {
        let published = published(view, diagnostic, sources, page);
        Finding { published, diagnostic: Diagnostic::clone(diagnostic), seed: None }
    };
    sorted.iter().map(finding).collect()
}

/// Returns the finding of a test of a level.
pub(crate) fn of_test(
    view: &View,
    found: Found,
    sources: &SourceMap,
    page: &mut dyn FnMut(Code) -> Option<lsp::Uri>,
) -> Finding {
    let published = published(view, &found.diagnostic, sources, page);
    let seed = found.first.map(|seed| Seed { level: found.level, seed, picture: found.picture });
    Finding { published, diagnostic: found.diagnostic, seed }
}

fn published(
    view: &View,
    diagnostic: &Diagnostic,
    sources: &SourceMap,
    page: &mut dyn FnMut(Code) -> Option<lsp::Uri>,
) -> lsp::Diagnostic {
    let code = diagnostic.code;
    let severity = match diagnostic.severity {
        Severity::Error => lsp::DiagnosticSeverity::Error,
        Severity::Warning => lsp::DiagnosticSeverity::Warning,
        Severity::Note => lsp::DiagnosticSeverity::Information,
    };
    let related: Vec<lsp::DiagnosticRelatedInformation> = diagnostic
        .labels
        .iter()
        .filter_map(|label| {
            Some(lsp::DiagnosticRelatedInformation {
                location: view.location(label.span)?,
                message: label.message.clone(),
            })
        })
        .collect();
    lsp::Diagnostic {
        range: range(view, diagnostic.span, sources),
        severity: Some(severity),
        code: Some(lsp::Code::String(code.as_str().to_owned())),
        code_description: page(code).map(|href| lsp::CodeDescription { href }),
        source: Some(SOURCE.to_owned()),
        message: lsp::Message::String(message(diagnostic, sources)),
        tags: tag(code).map(|tag| vec![tag]),
        related_information: (!related.is_empty()).then_some(related),
        data: None,
    }
}

/// Returns the range of a diagnostic. One without a place is about the first line, and one in an included file is at
/// the INCLUDE.
fn range(view: &View, span: Option<Span>, sources: &SourceMap) -> lsp::Range {
    let Some(span) = span else { return view.range(view.text.line(0)) };
    if let Some(range) = view.span(span) {
        return view.range(range);
    }
    let path = sources.get(span.file).path.as_deref();
    let including = view.module().and_then(|module| {
        let name = path?.file_name()?.to_str()?;
        include(module, name)
    });
    let range = including.and_then(|span| view.span(span)).unwrap_or_else(|| view.text.line(0));
    view.range(range)
}

/// Returns the span of the INCLUDE in the main file that leads to the file `name`, perhaps through other files.
fn include(module: &Module, name: &str) -> Option<Span> {
    fn leads(item: &Item, name: &str) -> bool {
        matches!(item, Item::Include { path, items }
            if path.node.ends_with(name) || items.iter().any(|item| leads(item, name)))
    }
    module.items.iter().find(|item| leads(item, name)).and_then(|item| match item {
        Item::Include { path, .. } => Some(path.span),
        _ => None,
    })
}

/// Returns the message with everything that a client may not show elsewhere: help, notes and related places.
fn message(diagnostic: &Diagnostic, sources: &SourceMap) -> String {
    let mut text = String::new();
    if let Some(span) = diagnostic.span.filter(|span| span.file != FileId(0)) {
        let (line, column) = sources.line_column(span.file, span.start);
        text.push_str(&format!("{}:{line}:{column}: ", sources.get(span.file).name));
    }
    text.push_str(diagnostic.message.text());
    if !diagnostic.label.is_empty() {
        text.push_str(&format!("\n{}", diagnostic.label));
    }
    for label in &diagnostic.labels {
        let (line, _) = sources.line_column(label.span.file, label.span.start);
        let of = if label.span.file == FileId(0) {
            String::new()
        } else {
            format!("{}:", sources.get(label.span.file).name)
        };
        text.push_str(&format!("\n{of}line {line}: {}", label.message));
    }
    for note in &diagnostic.notes {
        text.push_str(&format!("\nnote: {note}"));
    }
    if let Some(help) = &diagnostic.help {
        text.push_str(&format!("\nhelp: {help}"));
    }
    text
}

/// Returns the tag by which clients show unnecessary text faded, and outdated text struck through.
fn tag(code: Code) -> Option<lsp::DiagnosticTag> {
    match code {
        Code::UnusedVariable
        | Code::Ignored
        | Code::NameIgnored
        | Code::RepeatedHumidity
        | Code::RepeatedCase
        | Code::LuaIgnored
        | Code::LuaUnusedSelection
        | Code::NeverRuns => Some(lsp::DiagnosticTag::Unnecessary),
        Code::QuotedWord | Code::LuaGendered | Code::LuaLooseName => Some(lsp::DiagnosticTag::Deprecated),
        _ => None,
    }
}

/// Returns the URI of the file at `path`.
pub(crate) fn link(path: &std::path::Path) -> lsp::Uri {
    place::uri(path)
}
