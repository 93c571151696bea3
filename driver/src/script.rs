//! Lua scripts as inputs: parsing, checking, and Lua's own verdict.

use splc_frontends::dungeon;
use splc_ir::catalog::dialect::LUA;
use splc_ir::catalog::{Catalog, Format};
use splc_ir::check;
use splc_ir::diagnostic::{Allowance, Code, Diagnostic, Diagnostics, Mistake};
use splc_ir::level::{Item, Map, MapRows, Module, StatementKind};
use splc_ir::loadable::LuaLevel;
use splc_ir::source::{FileId, SourceMap, Span, Text};
use splc_ir::wording::visible;
use splc_lua as lua;
use splc_lua::tree::Chunk;

use crate::allow;
use crate::encoding;
use crate::input::Input;

/// Parses the Lua script `input`, which becomes the main source. The game runs it unchanged. Returns its tree too, if
/// it is text.
pub(crate) fn parse(input: Input, sources: &mut SourceMap, diagnostics: &mut Diagnostics) -> (LuaLevel, Option<Chunk>) {
    let name = input.stem().as_ref().into();
    if let Some(problem) = not_script(&input) {
        diagnostics.push(problem);
        let file = sources.add(input.name, input.place, Vec::new());
        return (LuaLevel { name, text: "".into(), file }, None);
    }
    let file = sources.add(input.name, input.place, input.bytes);
    let chunk = tree(file, sources, diagnostics);
    (LuaLevel { name, text: sources.get(file).text.as_str().into(), file }, Some(chunk))
}

/// Reports the error with which Lua itself rejects `script`, if nothing else is wrong with it.
pub(crate) fn load(script: &LuaLevel, diagnostics: &mut Diagnostics) {
    if !diagnostics.has_errors()
        && let Err(problem) = splc_vm::read_lua(script)
    {
        diagnostics.push(Diagnostic::new(Code::Syntax, problem.span, problem.to_string()));
    }
}

/// Returns the error for an input that cannot be read as a script.
fn not_script(input: &Input) -> Option<Diagnostic> {
    if input.bytes.starts_with(lua::COMPILED) {
        let message = format!("{} is compiled Lua", visible(&input.name));
        let problem = Diagnostic::new(Code::LuaCompiled, None, message)
            .with_note("bytecode can do what no script can, and is not safe to run")
            .with_help("name the script it was compiled from");
        return Some(problem);
    }
    encoding::not_text(&input.name, &input.bytes)
}

/// Reads the script `file`. Syntax problems are errors.
fn tree(file: FileId, sources: &SourceMap, diagnostics: &mut Diagnostics) -> Chunk {
    if sources.get(file).text.starts_with(encoding::MARK) {
        diagnostics.push(encoding::marked(file));
    }
    let chunk = lua::parse(sources, file, diagnostics);
    let whole = Span::new(file, 0, sources.get(file).text.len() + 1);
    let mut allowances = Vec::new();
    for &comment in &chunk.comments {
        let text = sources.text(comment).trim_start_matches('-').trim_start_matches('[');
        if let Some(wish) = text.trim_start().strip_prefix(allow::MARK) {
            let head = sources.get(file).text.get(..comment.start as usize).unwrap_or_default();
            let codes = allow::codes(wish, comment, head, diagnostics);
            allowances.extend(codes.into_iter().map(|code| Allowance { span: whole, code }));
        }
    }
    diagnostics.allow(allowances);
    chunk
}

/// The script that describes the dungeon (NetHack 5.0.0, `init_dungeons`).
const DUNGEON: &str = "dungeon";

/// Checks the meaning of a script.
pub(crate) fn judge(
    chunk: &Chunk,
    script: &LuaLevel,
    catalog: &Catalog,
    sources: &SourceMap,
    diagnostics: &mut Diagnostics,
) {
    // For any other game, check it against the functions and names of NetHack 5.
    let usual = LUA.default_target().filter(|_| catalog.format != Format::Lua);
    let catalog = usual.unwrap_or(catalog);
    lua::check::check(chunk, &script.name, catalog, diagnostics);
    if diagnostics.has_errors() {
        return;
    }
    if script.name.as_str() == DUNGEON {
        let description = dungeon::lua::description(chunk, sources, script.file, diagnostics);
        splc_ir::dungeon::check::check(&description, catalog, diagnostics);
    } else {
        survey(chunk, &script.name, catalog, sources, diagnostics);
    }
}

/// The lints of whole levels that apply to scripts. The check of scripts covers the others.
const SURVEYED: &[Code] = &[
    Code::BrokenSymmetry,
    Code::DrawnDoor,
    Code::DrowningMonster,
    Code::DuplicateStairs,
    Code::LoaderComplaint,
    Code::MapBlanks,
    Code::NoCorridors,
    Code::OddDoor,
    Code::OpenShop,
    Code::PlacedInWall,
    Code::RepeatedPlace,
    Code::RepeatedThing,
    Code::RockInFilledRoom,
    Code::ShopDoor,
    Code::SubroomSize,
    Code::UnevenMapLine,
];

/// Examines the whole level, if a des-file could express it, apart from exclusion zones and clouds of gas.
fn survey(chunk: &Chunk, name: &Text, catalog: &Catalog, sources: &SourceMap, diagnostics: &mut Diagnostics) {
    let Some(first) = chunk.body.statements.first() else { return };
    let Ok(translated) = lua::translate::translate(chunk, name, first.span, catalog) else { return };
    let mut level = translated.level;
    for statement in &mut level.body {
        if let StatementKind::Map(Map::Drawn { rows, .. }) = &mut statement.kind {
            place_rows(rows, sources);
        }
    }
    let mut module = Module { items: vec![Item::Level(level)], ..Module::default() };
    let mut problems = Diagnostics::new();
    check::check(&mut module, catalog, &mut problems);
    // Stairs without a valid direction lead down in the game, but were not meant to.
    let known: Vec<Span> = diagnostics.iter().filter_map(|known| known.span).collect();
    let is_known = |call: Span| known.iter().any(|span| (call.start..call.end).contains(&span.start));
    let follows = |problem: &Diagnostic| {
        let calls = problem.labels.iter().map(|label| label.span).chain(problem.span);
        problem.code == Code::DuplicateStairs && calls.into_iter().any(is_known)
    };
    let surveyed = |problem: &Diagnostic| SURVEYED.contains(&problem.code) && !follows(problem);
    problems
        .into_vec()
        .into_iter()
        .filter(surveyed)
        .for_each(|problem| diagnostics.push(at_coordinates(problem, sources)));
}

/// Narrows the span of a place in a wall to the coordinates in the call, if they are in it once.
fn at_coordinates(mut problem: Diagnostic, sources: &SourceMap) -> Diagnostic {
    if let (Some(&Mistake::InWall { place, .. }), Some(span)) = (problem.message.mistake(), problem.span)
        && let Some((from, to)) = coordinates(sources.text(span), place)
    {
        problem.span = Some(Span::new(span.file, span.start as usize + from, span.start as usize + to));
    }
    problem
}

/// Returns the range of the coordinates `20,4` or `x = 20, y = 4` in a call, if they are in it once.
fn coordinates(call: &str, (x, y): (i32, i32)) -> Option<(usize, usize)> {
    // A name with a number in it does not begin with a digit.
    let is_part = |letter: char| letter.is_ascii_alphanumeric() || letter == '_';
    let mut numbers = Vec::new();
    let mut at = 0;
    while let Some(offset) = call[at..].find(is_part) {
        let from = at + offset;
        at = call[from..].find(|letter| !is_part(letter)).map_or(call.len(), |length| from + length);
        if let Ok(number) = call[from..at].parse::<i32>() {
            numbers.push((number, from, at));
        }
    }
    let separated = |between: &str| {
        let between: String = between.chars().filter(|letter| !letter.is_whitespace()).collect();
        matches!(between.as_str(), "," | ",y=")
    };
    let mut found = numbers.windows(2).filter_map(|pair| match *pair {
        [(first, from, end), (second, start, to)] => {
            (first == x && second == y && separated(&call[end..start])).then_some((from, to))
        }
        _ => None,
    });
    found.next().filter(|_| found.next().is_none())
}

/// Gives the rows of a translated map the spans of their lines, if its call draws them as they are.
fn place_rows(rows: &mut MapRows, sources: &SourceMap) {
    let (file, mut start) = (rows.span.file, rows.span.start as usize);
    let mut lines = Vec::new();
    for line in sources.text(rows.span).split('\n') {
        // The first row can follow the opening brackets, and the closing ones the last.
        let from = line.rfind("[[").map_or(0, |open| open + 2);
        let drawn = &line[from..];
        let drawn = drawn.split_once("]]").map_or(drawn, |(drawn, _)| drawn).trim_end();
        lines.push((drawn, Span::new(file, start + from, start + from + drawn.len())));
        start += line.len() + 1;
    }
    let is_drawn =
        |lines: &[(&str, Span)]| lines.iter().zip(&rows.rows).all(|((line, _), row)| *line == row.trim_end());
    if let Some(drawn) = lines.windows(rows.rows.len()).find(|lines| is_drawn(lines)) {
        rows.row_spans = drawn.iter().map(|(_, span)| *span).collect();
    }
}
