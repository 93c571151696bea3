//! Definitions, references, highlights, renames and links.

use std::collections::HashMap;
use std::ops::Range;
use std::path::PathBuf;

use gen_lsp_types as lsp;
use splc_ir::source::FileId;

use crate::dungeon;
use crate::levels;
use crate::names::{Kind, Use};
use crate::place;
use crate::script;
use crate::server::Server;
use crate::view::{Language, View};

/// Returns the definition of the name at `offset`, the square that a place means, or the statements that name a square.
pub(crate) fn definition(server: &Server, view: &View, offset: usize) -> Option<lsp::DefinitionResponse> {
    let mut locations: Vec<lsp::Location> = Vec::new();
    match view.language {
        Language::Lua => {
            let binding = script::binding_at(view, offset)?;
            locations.extend(binding.declared.and_then(|span| view.location(span)));
        }
        Language::Des => {
            let names = view.names();
            if let Some(used) = names.at(offset) {
                if used.kind == Kind::File {
                    let target = included(view, used)?;
                    locations.push(lsp::Location { uri: place::uri(&target), range: lsp::Range::default() });
                } else {
                    let definitions: Vec<&Use> = names.same(used).filter(|other| other.defines).collect();
                    // The last one before the use is the one that counts; the use itself is not its definition.
                    let before = definitions
                        .iter()
                        .rfind(|other| other.span.file != FileId(0) || other.span.start < used.span.start);
                    let found = before.or(definitions.first());
                    locations.extend(found.and_then(|other| view.location(other.span)));
                    if used.kind == Kind::Level && found.is_none() {
                        locations.extend(levels::place(server, &used.name));
                    }
                }
            } else if let Some((area, x, y)) = names.square_at(offset, view.text()) {
                let naming = names.placed.iter().filter(|placed| placed.area == area && placed.covers(x, y));
                locations.extend(naming.map(|placed| location(view, placed.range.clone())));
            } else if let Some(placed) = names.placed_at(offset) {
                let [x, y, ..] = placed.corners;
                let range = names.areas.get(placed.area)?.range(x, y, view.text())?;
                locations.push(location(view, range));
            }
        }
        Language::Dungeon => locations = dungeon::definition(server, view, offset),
        Language::Other => {}
    }
    (!locations.is_empty()).then_some(lsp::DefinitionResponse::Definition(lsp::Definition::LocationList(locations)))
}

fn location(view: &View, range: Range<usize>) -> lsp::Location {
    lsp::Location { uri: view.uri.clone(), range: view.range(range) }
}

/// Returns all places that use the name at `offset`, each with true if it gives the name its meaning.
fn places(view: &View, offset: usize) -> Option<Vec<(lsp::Location, bool)>> {
    let mut found = Vec::new();
    match view.language {
        Language::Lua => {
            let binding = script::binding_at(view, offset)?;
            let places = binding.places.iter().map(|&span| (span, Some(span) == binding.declared));
            found.extend(places.filter_map(|(span, defines)| Some((view.location(span)?, defines))));
        }
        Language::Des => {
            let names = view.names();
            if let Some((area, x, y)) =
                names.at(offset).is_none().then(|| names.square_at(offset, view.text())).flatten()
            {
                let naming = names.placed.iter().filter(|placed| placed.area == area && placed.covers(x, y));
                found.extend(naming.map(|placed| (location(view, placed.range.clone()), false)));
            } else {
                let used = names.at(offset)?;
                found.extend(names.same(used).filter_map(|other| Some((view.location(other.span)?, other.defines))));
            }
        }
        Language::Dungeon => {
            let (_, all) = dungeon::same(view, offset)?;
            found.extend(all.into_iter().map(|used| (location(view, used.range), used.defines)));
        }
        Language::Other => return None,
    }
    Some(found)
}

/// Returns all places that use the name at `offset`.
pub(crate) fn references(view: &View, offset: usize, with_definitions: bool) -> Option<Vec<lsp::Location>> {
    let places = places(view, offset)?;
    Some(places.into_iter().filter(|(_, defines)| with_definitions || !defines).map(|(location, _)| location).collect())
}

/// Returns the places in this file that use the name at `offset`, or the square of the place there.
pub(crate) fn highlights(view: &View, offset: usize) -> Option<Vec<lsp::DocumentHighlight>> {
    let highlight = |range, kind| lsp::DocumentHighlight { range, kind: Some(kind) };
    let names = view.names();
    if let (None, Some(placed)) = (names.at(offset), names.placed_at(offset)) {
        // All squares of a rectangle would be the whole map.
        let [x1, y1, x2, y2] = placed.corners;
        let area = names.areas.get(placed.area)?;
        let corners = [(x1, y1), (x2, y2)];
        let squares = corners.iter().take(if (x1, y1) == (x2, y2) { 1 } else { 2 });
        let squares = squares.filter_map(|&(x, y)| area.range(x, y, view.text()));
        let mut all = vec![highlight(view.range(placed.range.clone()), lsp::DocumentHighlightKind::Text)];
        all.extend(squares.map(|range| highlight(view.range(range), lsp::DocumentHighlightKind::Read)));
        return Some(all);
    }
    let here = places(view, offset)?.into_iter().filter(|(location, _)| location.uri == view.uri);
    let kind = |defines| if defines { lsp::DocumentHighlightKind::Write } else { lsp::DocumentHighlightKind::Read };
    Some(here.map(|(location, defines)| highlight(location.range, kind(defines))).collect())
}

/// Returns the range of the name at `offset`, if it can be renamed.
pub(crate) fn prepare_rename(view: &View, offset: usize) -> Option<lsp::PrepareRenameResult> {
    let range = renamed(view, offset).ok()?;
    Some(lsp::PrepareRenameResult::PrepareRenamePlaceholder(lsp::PrepareRenamePlaceholder {
        range: view.range(range.clone()),
        placeholder: view.text().get(range)?.to_owned(),
    }))
}

/// Returns the range of the name at `offset`, or the reason why it cannot be renamed.
fn renamed(view: &View, offset: usize) -> Result<Range<usize>, String> {
    let none = || "nothing here can be renamed".to_owned();
    match view.language {
        Language::Lua => {
            let binding = script::binding_at(view, offset).ok_or_else(none)?;
            if binding.declared.is_none() {
                return Err(format!("`{}` belongs to the game", binding.name));
            }
            let touches = |range: &Range<usize>| (range.start..=range.end).contains(&offset);
            binding.places.iter().filter_map(|&span| view.span(span)).find(touches).ok_or_else(none)
        }
        Language::Des => {
            let used = view.names().at(offset).ok_or_else(none)?;
            match used.kind {
                Kind::Variable | Kind::Function | Kind::Level | Kind::Room => view.span(used.span).ok_or_else(none),
                Kind::File => Err("rename the file itself, then this INCLUDE".to_owned()),
                Kind::Register(_) => Err("registers have numbers, not names".to_owned()),
            }
        }
        Language::Dungeon => dungeon::same(view, offset).map(|(here, _)| here.range).ok_or_else(none),
        Language::Other => Err(none()),
    }
}

/// Returns the edits that rename the name at `offset`.
///
/// # Errors
/// Returns the reason if it cannot be renamed, or `new` is not a valid name.
pub(crate) fn rename(view: &View, offset: usize, new: &str) -> Result<lsp::WorkspaceEdit, String> {
    let range = renamed(view, offset)?;
    let old = view.text().get(range).unwrap_or_default();
    let is_variable = old.starts_with('$');
    // A client may leave out the sign that every variable has.
    let new = if is_variable && !new.starts_with('$') { format!("${new}") } else { new.to_owned() };
    check_name(view, offset, &new, is_variable)?;
    let mut changes: HashMap<lsp::Uri, Vec<lsp::TextEdit>> = HashMap::new();
    for (location, _) in places(view, offset).unwrap_or_default() {
        let edit = lsp::TextEdit { range: location.range, new_text: new.clone() };
        let edits = changes.entry(location.uri).or_default();
        if !edits.contains(&edit) {
            edits.push(edit);
        }
    }
    Ok(lsp::WorkspaceEdit { changes: Some(changes), ..Default::default() })
}

/// Checks that `new` can be the name of the variable, function or level at `offset`.
fn check_name(view: &View, offset: usize, new: &str, is_variable: bool) -> Result<(), String> {
    let bare = new.strip_prefix('$').unwrap_or(new);
    let is_word = |text: &str| {
        text.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_')
            && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
    };
    if view.language == Language::Dungeon {
        return dungeon::check_name(view, offset, new);
    }
    if view.language == Language::Lua {
        let binding = script::binding_at(view, offset);
        if !is_word(new) || script::is_keyword(new) {
            return Err(format!("\"{new}\" is not a name in Lua"));
        }
        let taken = |other: &&splc_lua::check::Binding| other.name == new && Some(*other) != binding;
        let is_known = splc_lua::sandbox::is_global(new) || view.bindings().iter().any(|other| taken(&other));
        return if is_known { Err(format!("`{new}` is already a name in this script")) } else { Ok(()) };
    }
    let names = view.names();
    let Some(used) = names.at(offset) else { return Ok(()) };
    let taken = |other: &&Use| {
        other.kind == used.kind && other.name == *new && (other.scope == used.scope || used.kind != Kind::Variable)
    };
    match used.kind {
        Kind::Variable | Kind::Function if !is_word(bare) => {
            Err(format!("\"{new}\" is not a name: use letters, digits and underscores"))
        }
        Kind::Function if view.catalog().is_keyword(new) => Err(format!("{new} is a keyword")),
        Kind::Function if view.catalog().core_function(new).is_some() => {
            Err(format!("{new} is a function of the game"))
        }
        Kind::Level | Kind::Room if new.contains(['"', '\n', '\r']) || new.is_empty() => {
            Err("a name cannot contain quotes or line ends".to_owned())
        }
        _ if names.uses.iter().any(|other| taken(&other)) && used.name != *new => {
            let noun = if is_variable { "variable" } else { "name" };
            Err(format!("the {noun} {new} already exists"))
        }
        _ => Ok(()),
    }
}

/// Returns the path of the file that an INCLUDE refers to.
fn included(view: &View, used: &Use) -> Option<PathBuf> {
    let sources = view.sources()?;
    let name = std::path::Path::new(used.name.as_str()).file_name()?;
    let mut read = sources.iter().skip(1).filter_map(|(_, source)| source.path.clone());
    let found = read.find(|path| path.file_name() == Some(name));
    found.or_else(|| Some(view.folder().join(used.name.as_str())).filter(|path| path.is_file()))
}

/// Returns the files that the file includes, as links.
pub(crate) fn links(view: &View) -> Vec<lsp::DocumentLink> {
    let files = view.names().uses.iter().filter(|used| used.kind == Kind::File);
    let link = |used: &Use| {
        Some(lsp::DocumentLink {
            range: view.range(view.span(used.span)?),
            target: Some(place::uri(&included(view, used)?)),
            tooltip: None,
            data: None,
        })
    };
    files.filter_map(link).collect()
}
