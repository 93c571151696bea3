//! Code actions: fixes of diagnostics, changes of the statement under the cursor, ports, previews.

use std::collections::HashMap;

use gen_lsp_types as lsp;
use serde_json::{Value, json};
use splc_driver::fix;
use splc_driver::port::port;
use splc_driver::{NoIncludes, Target};
use splc_ir::catalog::{Catalog, dialect};
use splc_ir::diagnostic::{Diagnostics, Severity, Suggestion};
use splc_ir::source::FileId;
use splc_ir::wording::counted;
use splc_port::Options as PortOptions;

use crate::findings::Finding;
use crate::layout::{edits, input};
use crate::place;
use crate::requests::{EXPLAIN, PORT, PREVIEW, SHOW_LEVEL};
use crate::rewrites::rewrites;
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
    // A client that asks at each step of the cursor waits for no changes that nobody has requested.
    let is_automatic = parameters.context.trigger_kind == Some(lsp::CodeActionTriggerKind::Automatic);
    let kinds = [
        lsp::CodeActionKind::RefactorRewrite,
        lsp::CodeActionKind::RefactorInline,
        lsp::CodeActionKind::RefactorExtract,
    ];
    if view.language == Language::Des && !is_automatic && kinds.iter().any(&wanted) {
        let is_wanted = |action: &lsp::CodeAction| action.kind.as_ref().is_some_and(&wanted);
        found.extend(rewrites(server, view, range).into_iter().filter(is_wanted));
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
pub(crate) fn change(view: &View, edits: Vec<lsp::TextEdit>) -> lsp::WorkspaceEdit {
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
