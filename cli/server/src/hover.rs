//! Hover: descriptions of names, statements, places and squares.

use std::fmt::Write as _;

use gen_lsp_types as lsp;
use splc_frontends::{manual, vocabulary};
use splc_ir::catalog::dialect::Dialect;
use splc_ir::level::{SpeciesName, Type};

use crate::dungeon;
use crate::knowledge;
use crate::limits::MAX_SHOWN;
use crate::names::{GameName, Kind, Use};
use crate::script;
use crate::signature::forms;
use crate::view::{Language, View, markdown};
use crate::words::{self, context};

/// Columns and rows around a place in a small map.
const AROUND: (i32, i32) = (20, 3);

/// Describes the text at `offset`.
pub(crate) fn hover(view: &View, offset: usize) -> Option<lsp::Hover> {
    match view.language {
        Language::Lua => script::hover(view, offset),
        Language::Des => des(view, offset),
        Language::Dungeon => dungeon::hover(view, offset),
        Language::Other => None,
    }
}

fn des(view: &View, offset: usize) -> Option<lsp::Hover> {
    let (names, text) = (view.names(), view.text());
    let word = view.words().iter().find(|word| (word.start..word.end).contains(&offset))?;
    let range = word.start..word.end;
    if word.kind == words::Kind::Comment {
        return None;
    }
    if word.kind == words::Kind::Map {
        let (area, x, y) = names.square_at(offset, text)?;
        let square = names.areas.get(area)?.range(x, y, text)?;
        return Some(markdown(view, square, of_square(view, area, x, y)?));
    }
    if let Some(used) = names.at(offset) {
        let range = view.span(used.span)?;
        return Some(markdown(view, range, of_use(view, used)?));
    }
    if let Some((range, name)) = names.game_at(offset)
        && let Some(described) = of_game(view, name)
    {
        return Some(markdown(view, range.clone(), described));
    }
    let keyword = text.get(range.clone())?;
    if word.kind == words::Kind::Statement {
        let syntax = vocabulary::syntax(keyword, view.catalog())?;
        let forms: Vec<&str> = forms(keyword, syntax).iter().map(|form| form.syntax).collect();
        let mut described = format!("```\n{}\n```\n\nstatement of {}", forms.join("\n"), view.catalog().title);
        // The text of `splc explain` and of the manual.
        if let Some(page) = manual::page(keyword) {
            let example = Dialect::by_name(&view.catalog().dialect).and_then(|dialect| page.example(dialect));
            let example = example.map_or(String::new(), |example| format!("\n\n```\n{}\n```", example.text.trim_end()));
            let _ = write!(described, "\n\n{}{example}", page.text.replace("\n## ", "\n#### "));
        }
        return Some(markdown(view, range, described));
    }
    if let Some(placed) = names.placed_at(offset) {
        let [x1, y1, x2, y2] = placed.corners;
        let described = if (x1, y1) == (x2, y2) {
            of_square(view, placed.area, x1, y1)
        } else {
            of_area(view, placed.area, placed.corners)
        };
        return Some(markdown(view, placed.range.clone(), described?));
    }
    if word.kind == words::Kind::Name {
        let catalog = view.catalog();
        if let Some(function) = catalog.core_function(keyword) {
            let signature = knowledge::core_signature(keyword, &function.parameters, function.result);
            return Some(markdown(view, range, format!("```\n{signature}\n```\n\nfunction of {}", catalog.title)));
        }
        if let Some(text) = knowledge::flag(keyword).filter(|_| catalog.is_keyword(keyword)) {
            return Some(markdown(view, range, format!("**{keyword}** — level flag\n\n{text}")));
        }
        let at = context(text, view.words(), offset);
        let statement = text.get(at.statement?)?;
        let form = forms(statement, vocabulary::syntax(statement, catalog)?).into_iter().next()?;
        let operand = form.operands.get(at.operand?)?;
        return catalog
            .is_keyword(keyword)
            .then(|| markdown(view, range, format!("**{keyword}**\n\n`{operand}` of {statement}")));
    }
    None
}

fn of_game(view: &View, name: &GameName) -> Option<String> {
    let catalog = view.catalog();
    match name {
        GameName::Species(role, SpeciesName::Class(class)) => knowledge::class_text(catalog, *role, *class),
        GameName::Species(role, name) => {
            knowledge::species(catalog, *role, name).map(|found| knowledge::species_text(catalog, *role, found))
        }
        GameName::Named(role, name) => knowledge::named(catalog, *role, name),
        GameName::Terrain(character) => {
            let name = knowledge::terrain(catalog, *character)?;
            Some(format!("{} — {name}", knowledge::code(*character)))
        }
    }
}

/// Describes a variable, function, level, register, room or file.
fn of_use(view: &View, used: &Use) -> Option<String> {
    let names = view.names();
    let uses = names.same(used).filter(|other| !other.defines).count();
    let count = |uses: usize| if uses == 1 { "used once".to_owned() } else { format!("used {uses} times") };
    Some(match used.kind {
        Kind::Variable => {
            let Some(variable) = names.variables.get(&(used.scope, used.name.clone())) else {
                return Some(format!("**{}** — variable that is never set", used.name));
            };
            let kind = if variable.is_parameter { "parameter" } else { "variable" };
            let mut text = format!("**{}** — {kind}, {}", used.name, knowledge::type_name(variable.ty));
            let values = variable.values.iter().filter_map(|span| view.text().get(view.span(*span)?));
            let shown: Vec<&str> =
                values.map(|value| value.lines().next().unwrap_or("").trim()).take(MAX_SHOWN).collect();
            if !shown.is_empty() {
                let _ = write!(text, "\n\n```\n{}\n```", shown.join("\n"));
            }
            let _ = write!(text, "\n\n{}", count(uses));
            text
        }
        Kind::Function => match names.functions.get(&used.name) {
            Some((parameters, _)) => {
                let one = |(name, ty): &(splc_ir::source::Text, Type)| format!("{name}: {}", knowledge::type_name(*ty));
                let parameters: Vec<String> = parameters.iter().map(one).collect();
                format!("```\nFUNCTION {}({})\n```\n\n{}", used.name, parameters.join(", "), count(uses))
            }
            None => format!("**{}** — function that is not defined", used.name),
        },
        Kind::Level => format!("**{}** — level of {}", used.name, view.catalog().title),
        Kind::Room => format!("**{}** — room, {}", used.name, count(uses)),
        Kind::File => format!("**{}** — included file", used.name),
        Kind::Register(of) => {
            let word = knowledge::register(of);
            let values = names.same(used).filter(|other| other.defines);
            let all =
                names.uses.iter().filter(|other| other.kind == used.kind && other.scope == used.scope && other.defines);
            let list: Vec<&str> = all.filter_map(|other| view.text().get(view.span(other.span)?)).collect();
            let _ = values;
            format!("**{word}[{}]** — one of {}, shuffled", used.name, list.join(", "))
        }
    })
}

/// Describes a square of a map: its terrain, its coordinates, the statements that name it, the map around it.
fn of_square(view: &View, area: usize, x: i32, y: i32) -> Option<String> {
    let (names, catalog) = (view.names(), view.catalog());
    let map = names.areas.get(area)?;
    let Some(character) = map.square(x, y) else { return Some(format!("({x},{y}) is outside the map")) };
    let name = knowledge::terrain(catalog, character).unwrap_or("unknown terrain");
    let mut text = format!("{} — {name}, at ({x},{y})", knowledge::code(character));
    let mut statements: Vec<&str> = Vec::new();
    for placed in names.placed.iter().filter(|placed| placed.area == area && placed.covers(x, y)) {
        let statement =
            view.text().get(placed.statement.clone()).and_then(|text| text.lines().next()).unwrap_or("").trim();
        if !statements.contains(&statement) {
            statements.push(statement);
        }
    }
    let more = statements.len().saturating_sub(MAX_SHOWN);
    statements.truncate(MAX_SHOWN);
    if !statements.is_empty() {
        let _ = write!(text, "\n\n```\n{}\n```", statements.join("\n"));
    }
    if more > 0 {
        let _ = write!(text, "\n\nand {more} more");
    }
    let _ = write!(text, "\n\n```\n{}```", small_map(view, area, [x, y, x, y])?);
    Some(text)
}

/// Describes a rectangle of a map.
fn of_area(view: &View, area: usize, corners: [i32; 4]) -> Option<String> {
    let [x1, y1, x2, y2] = corners;
    let (width, height) = (i64::from(x2) - i64::from(x1) + 1, i64::from(y2) - i64::from(y1) + 1);
    Some(format!(
        "{width} × {height} squares, ({x1},{y1}) to ({x2},{y2})\n\n```\n{}```",
        small_map(view, area, corners)?
    ))
}

/// Draws the part of a map around `corners`, with marks above and beside them.
fn small_map(view: &View, area: usize, corners: [i32; 4]) -> Option<String> {
    let map = view.names().areas.get(area)?;
    let [x1, y1, x2, y2] = corners;
    let rows = i32::try_from(map.rows.len()).unwrap_or(i32::MAX);
    let width = map.rows.iter().map(|(row, _)| row.chars().count()).max().unwrap_or(0);
    let width = i32::try_from(width).unwrap_or(i32::MAX);
    let (left, right) = (x1.saturating_sub(AROUND.0).max(0), x2.saturating_add(AROUND.0).min(width - 1));
    let (top, bottom) = (y1.saturating_sub(AROUND.1).max(0), y2.saturating_add(AROUND.1).min(rows - 1));
    let mut text = String::from("  ");
    (left..=right).for_each(|x| text.push(if x == x1 || x == x2 { 'v' } else { ' ' }));
    text.truncate(text.trim_end().len());
    text.push('\n');
    for y in top..=bottom {
        text.push_str(if y == y1 || y == y2 { "> " } else { "  " });
        (left..=right).for_each(|x| text.push(map.square(x, y).unwrap_or(' ')));
        text.truncate(text.trim_end().len());
        text.push('\n');
    }
    Some(text)
}
