//! The levels and functions of a workspace.

use splc_ir::order::Order;
use std::collections::HashSet;
use std::ops::Range;
use std::path::{Path, PathBuf};

use gen_lsp_types as lsp;

use crate::limits::{MAX_EXAMINED_BYTES, MAX_FILES, MAX_FOLDERS, MAX_SYMBOLS};
use crate::server::Server;
use crate::text::Text;

/// A symbol of a file that need not be open.
struct Found {
    name: String,
    kind: lsp::SymbolKind,
    location: lsp::Location,
}

/// Returns the levels and functions of the workspace whose names contain `query`.
pub(crate) fn workspace(server: &Server, query: &str) -> Vec<lsp::WorkspaceSymbol> {
    let wanted = query.to_lowercase();
    let fits = |found: &Found| found.name.to_lowercase().contains(&wanted);
    let symbol = |found: Found| lsp::WorkspaceSymbol {
        location: found.location.into(),
        data: None,
        base_symbol_information: lsp::BaseSymbolInformation {
            name: found.name,
            kind: found.kind,
            tags: None,
            container_name: None,
        },
    };
    all(server).into_iter().filter(fits).take(MAX_SYMBOLS).map(symbol).collect()
}

/// Returns the location of the level `name` in the workspace.
pub(crate) fn place(server: &Server, name: &str) -> Option<lsp::Location> {
    all(server)
        .into_iter()
        .find(|found| found.kind == lsp::SymbolKind::Module && found.name == name)
        .map(|found| found.location)
}

/// Returns the names of all levels in the workspace.
pub(crate) fn names(server: &Server) -> Vec<String> {
    let mut names: Vec<String> =
        all(server).into_iter().filter(|found| found.kind == lsp::SymbolKind::Module).map(|found| found.name).collect();
    names.order();
    names.dedup();
    names
}

fn all(server: &Server) -> Vec<Found> {
    let mut found = Vec::new();
    let mut paths: Vec<PathBuf> = server.paths().into_iter().collect();
    paths.order();
    let open: HashSet<PathBuf> = paths.iter().cloned().collect();
    for folder in &server.folders {
        files(folder, &mut paths, &open);
    }
    for path in paths {
        let uri = server.uri(&path);
        match server.documents.get(&path) {
            Some(document) => found.extend(declared(&document.text, &path, &uri, server)),
            None => {
                let small =
                    std::fs::metadata(&path).is_ok_and(|file| file.is_file() && file.len() <= MAX_EXAMINED_BYTES);
                let Some(bytes) = small.then(|| std::fs::read(&path).ok()).flatten() else { continue };
                let text = Text::new(String::from_utf8_lossy(&bytes));
                found.extend(declared(&text, &path, &uri, server));
            }
        }
    }
    found
}

/// Adds the levels in `folder` and the folders in it to `paths`.
fn files(folder: &Path, paths: &mut Vec<PathBuf>, known: &HashSet<PathBuf>) {
    let mut folders = vec![folder.to_owned()];
    let mut visited = 0;
    while let Some(folder) = folders.pop() {
        visited += 1;
        let Ok(entries) = std::fs::read_dir(&folder) else { continue };
        if visited > MAX_FOLDERS || paths.len() >= MAX_FILES {
            return;
        }
        let mut entries: Vec<_> = entries.flatten().collect();
        entries.order_by_key(std::fs::DirEntry::file_name);
        for entry in entries {
            let (path, name) = (entry.path(), entry.file_name());
            let hidden = name.to_string_lossy().starts_with('.');
            match entry.file_type() {
                // Links are not followed: they may lead back.
                Ok(kind) if kind.is_dir() && !hidden && name != "target" && name != "node_modules" => {
                    folders.push(path)
                }
                Ok(kind) if kind.is_file() && is_level(&path) && !known.contains(&path) => paths.push(path),
                _ => {}
            }
        }
    }
}

fn is_level(path: &Path) -> bool {
    path.extension()
        .is_some_and(|extension| ["des", "inc", "lua"].iter().any(|known| extension.eq_ignore_ascii_case(known)))
}

/// Returns the levels and functions that a text declares. It is not parsed, because a workspace has many.
fn declared(text: &Text, path: &Path, uri: &lsp::Uri, server: &Server) -> Vec<Found> {
    let mut found = Vec::new();
    let mut add = |name: &str, kind, range: Range<usize>| {
        let location = lsp::Location { uri: uri.clone(), range: text.range(range, server.encoding) };
        found.push(Found { name: name.to_owned(), kind, location });
    };
    if path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("lua")) {
        let stem = path.file_stem().unwrap_or_default().to_string_lossy();
        if !splc_lua::NOT_LEVELS.contains(&&*stem) {
            add(&stem, lsp::SymbolKind::Module, 0..0);
        }
    }
    for number in 0..text.line_count() {
        let range = text.line(number);
        let line = &text.as_str()[range.clone()];
        let trimmed = line.trim_start();
        let begin = range.start + line.len() - trimmed.len();
        if let Some(rest) =
            ["LEVEL", "MAZE"].iter().find_map(|word| trimmed.strip_prefix(word)?.trim_start().strip_prefix(':'))
        {
            let mut parts = rest.splitn(3, '"');
            if let (Some(before), Some(name), Some(_)) = (parts.next(), parts.next(), parts.next())
                && before.trim().is_empty()
            {
                let start = begin + trimmed.len() - rest.len() + before.len() + 1;
                add(name, lsp::SymbolKind::Module, start..start + name.len());
            }
        }
        let function = trimmed
            .strip_prefix("FUNCTION ")
            .or_else(|| trimmed.strip_prefix("local function "))
            .or_else(|| trimmed.strip_prefix("function "));
        if let Some(rest) = function {
            let rest = rest.trim_start();
            let length = rest.bytes().take_while(|byte| byte.is_ascii_alphanumeric() || *byte == b'_').count();
            let start = begin + trimmed.len() - rest.len();
            if length > 0 {
                add(&rest[..length], lsp::SymbolKind::Function, start..start + length);
            }
        }
    }
    found
}
