//! Inlay hints: the numbers of a map's rows, its size, and the types of variables.

use gen_lsp_types as lsp;

use crate::knowledge::type_name;
use crate::names::Kind;
use crate::view::{Language, View};

/// Returns the hints for the part of a file in `part`.
pub(crate) fn hints(view: &View, part: lsp::Range) -> Vec<lsp::InlayHint> {
    if view.language != Language::Des {
        return Vec::new();
    }
    let wanted = view.text.offsets(part, view.encoding);
    let names = view.names();
    let mut hints = Vec::new();
    for area in &names.areas {
        for (y, (row, range)) in area.rows.iter().enumerate() {
            if range.end < wanted.start || range.start > wanted.end {
                continue;
            }
            // After the row, where it cannot shift the squares.
            let width = row.chars().filter(|square| !square.is_ascii_digit()).count();
            let label = format!("y {y}, x 0–{}", width.saturating_sub(1));
            hints.push(hint(view, range.end, label, None));
        }
    }
    for used in names.uses.iter().filter(|used| used.kind == Kind::Variable && used.defines) {
        let Some(range) = view.span(used.span).filter(|range| wanted.start <= range.end && range.start <= wanted.end)
        else {
            continue;
        };
        let Some(variable) = names.variables.get(&(used.scope, used.name.clone())) else { continue };
        // Parameters, and most other types, are written.
        let written = view.text()[range.end.min(view.text().len())..].trim_start_matches([' ', '\t', '=', ':']);
        let is_written = variable.is_parameter
            || ["monster", "object", "terrain", "selection", "int", "string"]
                .iter()
                .any(|word| written.starts_with(word));
        if !is_written {
            hints.push(hint(view, range.end, format!(": {}", type_name(variable.ty)), Some(lsp::InlayHintKind::Type)));
        }
    }
    hints
}

fn hint(view: &View, at: usize, label: String, kind: Option<lsp::InlayHintKind>) -> lsp::InlayHint {
    let padded = kind.is_none().then_some(true);
    lsp::InlayHint {
        position: view.text.position(at, view.encoding),
        label: lsp::Label::String(label),
        kind,
        text_edits: None,
        tooltip: None,
        padding_left: padded,
        padding_right: None,
        data: None,
    }
}
