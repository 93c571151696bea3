//! Code actions: fixes of diagnostics, changes of the statement under the cursor, ports, previews.

use std::fs;
use std::path::{Path, PathBuf};

use gen_lsp_types as lsp;
use serde_json::{Value, json};
use splc_driver::fix;
use splc_driver::port::port;
use splc_driver::{Input, NoIncludes, Target, decompile};
use splc_ir::catalog::{Catalog, dialect};
use splc_ir::diagnostic::{Diagnostics, Severity, Suggestion};
use splc_ir::limits::MAX_SOURCE_BYTES;
use splc_ir::source::FileId;
use splc_ir::wording::counted;
use splc_port::Options as PortOptions;

use crate::commands::{DECOMPILE, EXPLAIN, PORT, PREVIEW, SHOW_LEVEL};
use crate::dungeon;
use crate::findings::Finding;
use crate::layout::input;
use crate::place;
use crate::rewrites::rewrites;
use crate::server::Server;
use crate::text::decoded;
use crate::view::{Language, View, change};

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
            let title = format!("Explain {code}");
            found.push(command(title, lsp::CodeActionKind::QuickFix, EXPLAIN, vec![json!(code)]));
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
    let is_level = matches!(view.language, Language::Des | Language::Lua);
    if is_level && !is_automatic && kinds.iter().any(&wanted) {
        let is_wanted = |action: &lsp::CodeAction| action.kind.as_ref().is_some_and(&wanted);
        found.extend(rewrites(server, view, range.clone()).into_iter().filter(is_wanted));
    }
    if wanted(&lsp::CodeActionKind::Refactor) && server.client.creates_files {
        if is_level {
            found.extend(ports(view));
        }
        let files = if view.language == Language::Dungeon { level_files(view, range.start) } else { Vec::new() };
        found.extend(files.iter().map(|path| {
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            let title = format!("Decompile {name} into a new file");
            command(title, lsp::CodeActionKind::Refactor, DECOMPILE, vec![json!(place::uri(path))])
        }));
    }
    if wanted(&lsp::CodeActionKind::Source) && is_level {
        let title = "Show the level in a browser".to_owned();
        found.push(command(title, lsp::CodeActionKind::Source, PREVIEW, vec![json!(view.uri)]));
    }
    found.into_iter().map(lsp::CodeActionResponse::CodeAction).collect()
}

/// Returns an action that runs a command of the server.
fn command(title: String, kind: lsp::CodeActionKind, command: &str, arguments: Vec<Value>) -> lsp::CodeAction {
    let command = lsp::Command {
        title: title.clone(),
        command: command.to_owned(),
        arguments: Some(arguments),
        ..Default::default()
    };
    lsp::CodeAction { title, kind: Some(kind), command: Some(command), ..Default::default() }
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
        command(title, lsp::CodeActionKind::Refactor, PORT, vec![json!(view.uri), json!(game.name)])
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
    // A port to scripts has the names of the levels.
    let files: Vec<(PathBuf, String)> =
        written.into_iter().map(|file| (view.folder().join(&file.name), decoded(&file.bytes))).collect();
    create(server, format!("Port to {target}"), &files);
    if lost > 0 {
        let differences = counted(lost, "difference");
        server.show(lsp::MessageType::Warning, format!("the port has {differences}; `splc port` lists them"));
    }
    let name = |(path, _): &(PathBuf, String)| path.file_name().map(|name| name.to_string_lossy().into_owned());
    Some(json!(files.iter().filter_map(name).collect::<Vec<_>>()))
}

/// Has the client create files, and show the first one.
fn create(server: &mut Server, label: String, files: &[(PathBuf, String)]) {
    let mut changes = Vec::new();
    for (path, text) in files {
        let uri = place::uri(path);
        changes
            .push(json!({ "kind": "create", "uri": uri, "options": { "overwrite": false, "ignoreIfExists": false } }));
        let start = lsp::Position::default();
        changes.push(json!({
            "textDocument": { "uri": uri, "version": null },
            "edits": [{ "range": { "start": start, "end": start }, "newText": text }],
        }));
    }
    let Ok(edit) = serde_json::from_value(json!({ "documentChanges": changes })) else { return };
    let label = Some(label);
    server.request::<lsp::ApplyWorkspaceEditRequest>(lsp::ApplyWorkspaceEditParams { label, edit, metadata: None });
    if server.client.show_document
        && let Some((path, _)) = files.first()
    {
        let uri = place::uri(path);
        let parameters = lsp::ShowDocumentParams { uri, external: None, take_focus: Some(true), selection: None };
        server.request::<lsp::ShowDocumentRequest>(parameters);
    }
}

/// Returns the level files beside a description of dungeons of the level that is named at `offset`.
fn level_files(view: &View, offset: usize) -> Vec<PathBuf> {
    let names = dungeon::files(view, offset).into_iter();
    names.map(|name| view.folder().join(format!("{name}.{LEVEL_FILE}"))).filter(|path| path.is_file()).collect()
}

/// The extension of level files.
const LEVEL_FILE: &str = "lev";

/// Recovers the source of the level file at `uri`, and has the client create it beside the file. Returns its name.
pub(crate) fn decompile_file(server: &mut Server, uri: &lsp::Uri) -> Option<Value> {
    let path = place::path(uri);
    let name = path.file_name()?.to_string_lossy().into_owned();
    match decompiled(server, &path, &name) {
        Ok(source) => {
            let new = path.with_extension("des");
            create(server, format!("Decompile {name}"), &[(new.clone(), decoded(&source))]);
            Some(json!(new.file_name()?.to_string_lossy()))
        }
        Err(problem) => {
            server.show(lsp::MessageType::Error, format!("{name} cannot be decompiled: {problem}"));
            None
        }
    }
}

fn decompiled(server: &Server, path: &Path, name: &str) -> Result<Vec<u8>, String> {
    let size = fs::metadata(path).map_err(|error| error.to_string())?.len();
    if size > MAX_SOURCE_BYTES {
        return Err("it is too large for a level file".to_owned());
    }
    let bytes = fs::read(path).map_err(|error| error.to_string())?;
    let input = Input::file(name.to_owned(), path.to_owned(), bytes);
    let decompiled = decompile(&input, &server.session.options()).map_err(|problem| problem.to_string())?;
    let first = || decompiled.diagnostics.iter().find(|known| known.severity == Severity::Error);
    decompiled.source.ok_or_else(|| first().map_or_else(String::new, |known| known.message.to_string()))
}

fn name(kind: &lsp::CodeActionKind) -> String {
    serde_json::to_value(kind).ok().and_then(|value| value.as_str().map(str::to_owned)).unwrap_or_default()
}

fn is_fixable(finding: &Finding) -> bool {
    let edits = &finding.diagnostic.suggestions;
    !edits.is_empty() && edits.iter().all(|edit| edit.applicable)
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
    let arguments = vec![json!(seed.level), json!(seed.seed), json!(seed.picture)];
    let action = command(title, lsp::CodeActionKind::QuickFix, SHOW_LEVEL, arguments);
    Some(lsp::CodeAction { diagnostics: Some(vec![finding.published.clone()]), ..action })
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
        edit: Some(change(view, view.edits(&decoded(&fixed.bytes)))),
        ..Default::default()
    })
}
