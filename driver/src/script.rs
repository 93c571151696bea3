//! Lua scripts as inputs: parsing, checking, and Lua's own verdict.

use splc_ir::catalog::dialect::LUA;
use splc_ir::catalog::{Catalog, Format};
use splc_ir::diagnostic::{Allowance, Code, Diagnostic, Diagnostics};
use splc_ir::loadable::LuaLevel;
use splc_ir::source::{FileId, SourceMap, Span};
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

/// Checks the meaning of the script `name`.
pub(crate) fn judge(chunk: &Chunk, name: &str, catalog: &Catalog, diagnostics: &mut Diagnostics) {
    // For any other game, check it against the functions and names of NetHack 5.
    let usual = LUA.default_target().filter(|_| catalog.format != Format::Lua);
    lua::check::check(chunk, name, usual.unwrap_or(catalog), diagnostics);
}
