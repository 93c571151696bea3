//! Code actions: fixes of diagnostics, and changes of the statement under the cursor.

use std::collections::HashMap;
use std::ops::Range;

use gen_lsp_types as lsp;
use serde_json::{Value, json};
use splc_driver::fix;
use splc_driver::port::port;
use splc_driver::{NoIncludes, Target, read};
use splc_ir::catalog::{Catalog, Feature, dialect};
use splc_ir::diagnostic::{Diagnostics, Severity, Suggestion};
use splc_ir::level::{Statement, StatementKind};
use splc_ir::source::FileId;
use splc_ir::visit::{Visit, walk};
use splc_ir::wording::counted;
use splc_port::Options as PortOptions;

use crate::findings::Finding;
use crate::layout::{edits, input};
use crate::place;
use crate::requests::{EXPLAIN, PORT, PREVIEW, SHOW_LEVEL};
use crate::server::Server;
use crate::text::decoded;
use crate::view::{Language, View};

/// Returns the actions for a range.
pub(crate) fn actions(server: &Server, view: &View, parameters: lsp::CodeActionParams) -> Vec<lsp::CodeActionResponse> {
    let wanted = |kind: &lsp::CodeActionKind| {
        // `source` includes `source.fixAll`.
        let covers = |other: &lsp::CodeActionKind| {
            let (other, kind) = (name(other), name(kind));
            other == kind
                || other.is_empty()
                || kind.strip_prefix(other.as_str()).is_some_and(|rest| rest.starts_with('.'))
        };
        parameters.context.only.as_ref().is_none_or(|only| only.iter().any(covers))
    };
    let mut found = Vec::new();
    let range = view.text.offsets(parameters.range, view.encoding);
    let document = server.documents.get(&view.path);
    let findings =
        document.map_or_else(Vec::new, |document| document.findings.iter().chain(&document.tested).collect());
    let touches = |finding: &&&Finding| {
        let published = finding.published.range;
        let (from, to) = (published.start.line, published.end.line);
        from <= parameters.range.end.line && parameters.range.start.line <= to
    };
    let here: Vec<&Finding> = findings.iter().filter(touches).copied().collect();
    if wanted(&lsp::CodeActionKind::QuickFix) {
        found.extend(here.iter().filter_map(|finding| quick_fix(view, finding)));
        for finding in &here {
            found.extend(seed(finding));
        }
        let mut codes: Vec<&str> = here.iter().map(|finding| finding.diagnostic.code.as_str()).collect();
        codes.dedup();
        for code in codes {
            let command = lsp::Command {
                title: format!("Explain {code}"),
                command: EXPLAIN.to_owned(),
                arguments: Some(vec![json!(code)]),
                ..Default::default()
            };
            found.push(lsp::CodeAction {
                title: format!("Explain {code}"),
                kind: Some(lsp::CodeActionKind::QuickFix),
                command: Some(command),
                ..Default::default()
            });
        }
    }
    let is_about_source =
        parameters.context.only.as_ref().is_some_and(|only| only.iter().any(|kind| name(kind).starts_with("source")));
    if wanted(&lsp::CodeActionKind::SourceFixAll) && (is_about_source || here.iter().any(|finding| is_fixable(finding)))
    {
        found.extend(fix_all(server, view));
    }
    if wanted(&lsp::CodeActionKind::RefactorRewrite) && view.language == Language::Des {
        found.extend(rewrites(server, view, range));
    }
    if wanted(&lsp::CodeActionKind::Refactor) && view.language == Language::Des && server.client.creates_files {
        found.extend(ports(view));
    }
    let is_level = matches!(view.language, Language::Des | Language::Lua);
    if wanted(&lsp::CodeActionKind::Source) && is_level {
        let title = "Show the level in a browser".to_owned();
        let command = lsp::Command {
            title: title.clone(),
            command: PREVIEW.to_owned(),
            arguments: Some(vec![json!(view.uri)]),
            ..Default::default()
        };
        let kind = Some(lsp::CodeActionKind::Source);
        found.push(lsp::CodeAction { title, kind, command: Some(command), ..Default::default() });
    }
    found.into_iter().map(lsp::CodeActionResponse::CodeAction).collect()
}

/// Serves the levels of the file at `uri` to a browser, and has the client open it. Returns the address.
pub(crate) fn preview(server: &mut Server, uri: &lsp::Uri) -> Option<Value> {
    match server.previews.serve(&place::path(uri)) {
        Ok(address) => {
            if server.client.show_document {
                let (uri, external) = (lsp::Uri(address.clone()), Some(true));
                let parameters = lsp::ShowDocumentParams { uri, external, take_focus: None, selection: None };
                server.request::<lsp::ShowDocumentRequest>(parameters);
            }
            server.show(lsp::MessageType::Info, format!("the preview is at {address}"));
            Some(Value::String(address))
        }
        Err(problem) => {
            server.show(lsp::MessageType::Error, problem);
            None
        }
    }
}

/// Returns the actions that port the file to the usual games of the other dialects.
fn ports(view: &View) -> Vec<lsp::CodeAction> {
    if view.diagnostics().is_none_or(Diagnostics::has_errors) {
        return Vec::new();
    }
    let games = dialect::ALL.iter().chain([&dialect::LUA]).filter(|other| other.name != view.catalog().dialect);
    let action = |game: &Catalog| {
        let title = format!("Port to {} in a new file", game.title);
        let command = lsp::Command {
            title: title.clone(),
            command: PORT.to_owned(),
            arguments: Some(vec![json!(view.uri), json!(game.name)]),
            ..Default::default()
        };
        lsp::CodeAction {
            title,
            kind: Some(lsp::CodeActionKind::Refactor),
            command: Some(command),
            ..Default::default()
        }
    };
    games.filter_map(|dialect| dialect.default_target()).map(action).collect()
}

/// Ports the file at `uri` to the game `target`, and has the client create the result next to it. Returns the names of
/// the new files.
pub(crate) fn port_file(server: &mut Server, uri: &lsp::Uri, target: &str) -> Option<Value> {
    let view = server.view(uri)?;
    let (input, options) = input(server, &view)?;
    let catalog = options.wanted.catalogs.by_name(target)?;
    let to = Target::new(catalog, options.wanted.abi()).ok()?;
    let stem = view.path.file_stem()?.to_string_lossy().into_owned();
    let ported = port(input, &options, to, &PortOptions::default(), &mut NoIncludes).ok()?;
    let written = ported.written.into_files(&format!("{stem}.{target}"));
    let lost = ported.diagnostics.iter().filter(|known| known.severity != Severity::Note).count();
    if written.is_empty() {
        let reason = ported.diagnostics.iter().find(|known| known.severity == Severity::Error);
        let reason = reason.map_or_else(String::new, |known| format!(": {}", known.message));
        server.show(lsp::MessageType::Error, format!("the file cannot be ported{reason}"));
        return None;
    }
    let mut changes = Vec::new();
    let mut names = Vec::new();
    for file in written {
        // A port to scripts has the names of the levels.
        let name = file.name.clone();
        let uri = place::uri(&view.folder().join(&name));
        changes
            .push(json!({ "kind": "create", "uri": uri, "options": { "overwrite": false, "ignoreIfExists": false } }));
        let start = lsp::Position::default();
        changes.push(json!({
            "textDocument": { "uri": uri, "version": null },
            "edits": [{ "range": { "start": start, "end": start }, "newText": decoded(&file.bytes) }],
        }));
        names.push((name, uri));
    }
    let edit = serde_json::from_value(json!({ "documentChanges": changes })).ok()?;
    let label = Some(format!("Port to {target}"));
    server.request::<lsp::ApplyWorkspaceEditRequest>(lsp::ApplyWorkspaceEditParams { label, edit, metadata: None });
    if server.client.show_document
        && let Some((_, uri)) = names.first()
    {
        let parameters =
            lsp::ShowDocumentParams { uri: uri.clone(), external: None, take_focus: Some(true), selection: None };
        server.request::<lsp::ShowDocumentRequest>(parameters);
    }
    if lost > 0 {
        let differences = counted(lost, "difference");
        server.show(lsp::MessageType::Warning, format!("the port has {differences}; `splc port` lists them"));
    }
    Some(json!(names.into_iter().map(|(name, _)| name).collect::<Vec<_>>()))
}

fn name(kind: &lsp::CodeActionKind) -> String {
    serde_json::to_value(kind).ok().and_then(|value| value.as_str().map(str::to_owned)).unwrap_or_default()
}

fn is_fixable(finding: &Finding) -> bool {
    let edits = &finding.diagnostic.suggestions;
    !edits.is_empty() && edits.iter().all(|edit| edit.applicable)
}

/// Returns the edits as a change of the file.
fn change(view: &View, edits: Vec<lsp::TextEdit>) -> lsp::WorkspaceEdit {
    lsp::WorkspaceEdit { changes: Some(HashMap::from([(view.uri.clone(), edits)])), ..Default::default() }
}

/// Returns the fix of a diagnostic, if it has one in this file.
fn quick_fix(view: &View, finding: &Finding) -> Option<lsp::CodeAction> {
    let suggestions = &finding.diagnostic.suggestions;
    if suggestions.is_empty() || suggestions.iter().any(|edit| edit.span.file != FileId(0)) {
        return None;
    }
    let edit = |edit: &Suggestion| lsp::TextEdit {
        range: view.range(edit.span.start as usize..edit.span.end as usize),
        new_text: edit.replacement.clone(),
    };
    let title = match suggestions.as_slice() {
        [only] if only.replacement.is_empty() => "Remove it".to_owned(),
        [only] if only.span.start == only.span.end => format!("Insert `{}`", one_line(&only.replacement)),
        [only] => format!("Change to `{}`", one_line(&only.replacement)),
        _ => finding.diagnostic.help.as_deref().map_or_else(|| "Fix it".to_owned(), capitalised),
    };
    Some(lsp::CodeAction {
        title,
        kind: Some(lsp::CodeActionKind::QuickFix),
        diagnostics: Some(vec![finding.published.clone()]),
        is_preferred: Some(is_fixable(finding)),
        edit: Some(change(view, suggestions.iter().map(edit).collect())),
        ..Default::default()
    })
}

fn one_line(text: &str) -> String {
    text.trim().replace('\n', " ")
}

fn capitalised(text: &str) -> String {
    let mut characters = text.chars();
    characters.next().map_or_else(String::new, |first| first.to_uppercase().chain(characters).collect())
}

/// Returns the action that shows the finished level with a finding.
fn seed(finding: &Finding) -> Option<lsp::CodeAction> {
    let seed = finding.seed.as_ref()?;
    let title = format!("Show level \"{}\" with seed {}", seed.level, seed.seed);
    let command = lsp::Command {
        title: title.clone(),
        command: SHOW_LEVEL.to_owned(),
        arguments: Some(vec![json!(seed.level), json!(seed.seed), json!(seed.picture)]),
        ..Default::default()
    };
    Some(lsp::CodeAction {
        title,
        kind: Some(lsp::CodeActionKind::QuickFix),
        diagnostics: Some(vec![finding.published.clone()]),
        command: Some(command),
        ..Default::default()
    })
}

/// Returns all safe fixes, as `splc fix` applies them.
fn fix_all(server: &Server, view: &View) -> Option<lsp::CodeAction> {
    let (input, options) = input(server, view)?;
    let fixed = fix::correct(&input, &options, &mut NoIncludes).ok()?;
    if fixed.changes.is_empty() {
        return None;
    }
    Some(lsp::CodeAction {
        title: "Fix all mistakes that have a safe fix".to_owned(),
        kind: Some(lsp::CodeActionKind::SourceFixAll),
        edit: Some(change(view, edits(view, &decoded(&fixed.bytes)))),
        ..Default::default()
    })
}

/// A change of a statement: the text of a range is replaced.
struct Rewrite {
    title: &'static str,
    range: Range<usize>,
    new: String,
}

/// Returns the changes of the statement at `range`, as far as they leave the file as correct as it is. A game may, for
/// example, limit the nesting of conditions.
fn rewrites(server: &Server, view: &View, range: Range<usize>) -> Vec<lsp::CodeAction> {
    let Some(module) = view.module() else { return Vec::new() };
    let mut innermost = Innermost { at: range.start, found: None, view };
    innermost.module(module);
    let Some((statement, span)) = innermost.found.and_then(|found| Some((found, view.span(found.span)?))) else {
        return Vec::new();
    };
    let mut found = Vec::new();
    let text = view.text()[span.clone()].trim_end();
    if view.catalog().is_script() && can_be_conditional(&statement.kind) {
        if !text.contains("MAP") {
            let line = view.text.line(view.text.line_of(span.start));
            let before = &view.text()[line.start..span.start];
            let indent: String = before.chars().take_while(|blank| blank.is_whitespace()).collect();
            let body: Vec<String> = text.lines().map(|line| format!("  {line}")).collect();
            let new = format!("IF [50%] {{\n{indent}{}\n{indent}}}", body.join("\n"));
            found.push(Rewrite { title: "Wrap in IF [50%]", range: span.start..span.start + text.len(), new });
        }
        let has_block =
            matches!(statement.kind, StatementKind::If { .. } | StatementKind::Loop { .. } | StatementKind::For { .. });
        // SporkHack, which has one scope, writes the chance after the keyword.
        if !view.catalog().has(Feature::OneScope) && !has_block {
            let new = "[50%]: ".to_owned();
            found.push(Rewrite { title: "Give it a chance of 50%", range: span.start..span.start, new });
        }
    }
    if let StatementKind::If { then, otherwise: None, .. } = &statement.kind
        && let [only] = then.as_slice()
        && let Some(inner) = view.span(only.span)
    {
        // The braces go, the statement stays.
        let new = view.text()[inner].trim_end().to_owned();
        found.push(Rewrite { title: "Remove the condition", range: span, new });
    }
    found.retain(|rewrite| is_as_correct(server, view, rewrite));
    let action = |rewrite: Rewrite| {
        let edit = lsp::TextEdit { range: view.range(rewrite.range), new_text: rewrite.new };
        lsp::CodeAction {
            title: rewrite.title.to_owned(),
            kind: Some(lsp::CodeActionKind::RefactorRewrite),
            edit: Some(change(view, vec![edit])),
            ..Default::default()
        }
    };
    found.into_iter().map(action).collect()
}

/// Returns true if the file has no more errors after a change than before.
fn is_as_correct(server: &Server, view: &View, rewrite: &Rewrite) -> bool {
    let Some((mut input, options)) = input(server, view) else { return false };
    let mut text = view.text().to_owned();
    text.replace_range(rewrite.range.clone(), &rewrite.new);
    input.bytes = text.into_bytes();
    let before = view.diagnostics().map_or(0, Diagnostics::errors);
    // Included files are the same before and after, but may be missing here.
    let includes = view.sources().map_or(0, |sources| sources.len()) > 1;
    includes || read(input, &options, &mut NoIncludes).is_ok_and(|after| after.diagnostics.errors() <= before)
}

/// Returns true if a statement can be in the block of an IF, and means something there.
fn can_be_conditional(kind: &StatementKind) -> bool {
    !matches!(
        kind,
        StatementKind::InitMap(_)
            | StatementKind::Map(_)
            | StatementKind::Function(_)
            | StatementKind::Define { .. }
            | StatementKind::Chance { .. }
            | StatementKind::Break
            | StatementKind::Registers { .. }
            | StatementKind::VaultGeneration { .. }
            | StatementKind::VaultDepth { .. }
            | StatementKind::Error
    )
}

/// Finds the innermost statement around an offset.
struct Innermost<'v, 't> {
    at: usize,
    found: Option<&'t Statement>,
    view: &'v View,
}

impl<'t> Visit<'t> for Innermost<'_, 't> {
    fn statement(&mut self, statement: &'t Statement) {
        let contains = self.view.span(statement.span).is_some_and(|span| span.start <= self.at && self.at <= span.end);
        if contains {
            self.found = Some(statement);
            walk::statement(self, statement);
        }
    }
}
