//! Formatting, and the file as an input of the driver.

use gen_lsp_types as lsp;
use splc_driver::format::format as lay_out;
use splc_driver::{Input, NoIncludes, Options, Wanted};

use crate::dungeon;
use crate::server::Server;
use crate::text::decoded;
use crate::view::{Language, View};
use crate::words::Kind;

/// Returns the edits that format a des-file, or the lines of it in `range`. A file with syntax errors stays as it is.
pub(crate) fn format(server: &Server, view: &View, range: Option<lsp::Range>) -> Option<Vec<lsp::TextEdit>> {
    let formatted = match view.language {
        Language::Des => {
            let (input, options) = input(server, view)?;
            decoded(&lay_out(input, &options, &mut NoIncludes).ok()?.bytes?)
        }
        Language::Dungeon => dungeon::formatted(view)?,
        Language::Lua | Language::Other => return None,
    };
    let edits = view.edits(&formatted);
    // An edit that also changes other lines is left out.
    let fits = |edit: &lsp::TextEdit| {
        range.is_none_or(|range| {
            range.start.line <= edit.range.start.line && edit.range.end.line <= range.end.line.saturating_add(1)
        })
    };
    Some(edits.into_iter().filter(fits).collect())
}

/// Returns the edits that format the block that the brace before `offset` closes.
pub(crate) fn format_block(server: &Server, view: &View, offset: usize) -> Option<Vec<lsp::TextEdit>> {
    let mut open = Vec::new();
    for word in view.words().iter().take_while(|word| word.end <= offset) {
        match word.kind {
            Kind::Sign(b'{') => open.push(word.start),
            Kind::Sign(b'}') => {
                let start = open.pop();
                if word.end == offset {
                    return format(server, view, Some(view.range(start?..offset)));
                }
            }
            _ => {}
        }
    }
    None
}

/// Returns the file as an input, with the options for its game.
pub(crate) fn input(server: &Server, view: &View) -> Option<(Input, Options)> {
    let options = server.session.options();
    let matched = match view.opened.as_deref()? {
        splc_driver::Opened::Levels(read) => Some(read.target.clone()),
        splc_driver::Opened::Dungeon(dungeon) => Some(dungeon.target.clone()),
        splc_driver::Opened::Archive(_) => None,
    };
    let wanted = Wanted { matched, ..options.wanted.clone() };
    let input = Input::file(view.path.display().to_string(), view.path.clone(), view.text().as_bytes().to_vec());
    Some((input, Options { wanted, lints: options.lints.clone() }))
}
