//! Translates a Lua script to a module, with its comments.

use splc_ir::check;
use splc_ir::diagnostic::{Code, Diagnostic, Diagnostics, Severity};
use splc_ir::level::{Item, Map, Module, StatementKind, Trivia, TriviaKind};
use splc_ir::loadable::{Loadable, LuaLevel};
use splc_ir::order::Order;
use splc_ir::source::{SourceMap, Span, Text};
use splc_ir::visit::{VisitMut, walk_mut};
use splc_lua::tree::{Chunk, Statement};
use splc_port::Difference;
use splc_vm::{Machine, Prepared, Settings, SplitMix};

use crate::target::Target;

/// A translated script.
#[derive(Debug, Default)]
pub(super) struct Translated {
    pub module: Module,
    pub comments: Vec<Trivia>,
    pub differences: Vec<Difference>,
}

/// Translates `script`. What has no counterpart is an error, unless a run with `seed` decides it.
pub(super) fn translate(
    script: &LuaLevel,
    sources: &SourceMap,
    game: &Target,
    seed: Option<u64>,
    diagnostics: &mut Diagnostics,
) -> Translated {
    if diagnostics.has_errors() {
        return Translated::default();
    }
    let catalog = game.catalog();
    let chunk = splc_lua::parse(sources, script.file, &mut Diagnostics::new());
    let whole = Span::new(script.file, 0, script.text.len());
    let made = splc_lua::translate::translate(&chunk, &script.name, whole, catalog);
    let translated = match (made, seed) {
        (Ok(translated), _) => translated,
        (Err(problem), None) => {
            let message = format!("no counterpart in a des-file: {}", problem.what);
            let span = problem.span.somewhere().unwrap_or(whole);
            diagnostics.push(
                Diagnostic::new(Code::PortImpossible, span, message)
                    .with_help("use --instantiate SEED to port the statements of one run"),
            );
            return Translated::default();
        }
        (Err(_), Some(seed)) => match of_run(script, sources, game, seed) {
            Ok(translated) => translated,
            Err((what, span)) => {
                let message = format!("no counterpart in a des-file, even after a run with seed {seed}: {what}");
                diagnostics.push(Diagnostic::new(Code::PortImpossible, span.unwrap_or(whole), message));
                return Translated::default();
            }
        },
    };
    finished(translated, script, sources, game, diagnostics)
}

/// Translates the statements of a run of `script` with `seed`.
pub(super) fn run(
    script: &LuaLevel,
    sources: &SourceMap,
    game: &Target,
    seed: u64,
    diagnostics: &mut Diagnostics,
) -> Option<Translated> {
    let translated = of_run(script, sources, game, seed).ok()?;
    Some(finished(translated, script, sources, game, diagnostics))
}

/// Checks a translated level.
fn finished(
    mut translated: splc_lua::translate::Translated,
    script: &LuaLevel,
    sources: &SourceMap,
    game: &Target,
    diagnostics: &mut Diagnostics,
) -> Translated {
    let chunk = splc_lua::parse(sources, script.file, &mut Diagnostics::new());
    translated.level.span.start = top(&chunk, sources);
    let items = vec![Item::Level(translated.level)];
    let mut module = Module { charset: sources.get(script.file).charset, items, ..Module::default() };
    let mut problems = Diagnostics::new();
    check::check(&mut module, game.catalog(), &mut problems);
    let errors = problems.into_vec().into_iter().filter(|problem| problem.severity == Severity::Error);
    errors.for_each(|error| diagnostics.push(error));
    let difference = |note: splc_lua::translate::Note| Difference { span: note.span, what: note.what, lost: note.lost };
    Translated {
        module,
        comments: comments(&chunk, sources),
        differences: translated.notes.into_iter().map(difference).collect(),
    }
}

/// Translates the statements that a run of `script` executes. They get the spans of their lines in the script.
fn of_run(
    script: &LuaLevel,
    sources: &SourceMap,
    game: &Target,
    seed: u64,
) -> Result<splc_lua::translate::Translated, (String, Option<Span>)> {
    let prepared =
        Prepared::load(Loadable::Lua(script.clone()), game.catalog()).map_err(|error| (error.to_string(), None))?;
    let run = Machine::new().transcribe(&prepared, &Settings::default(), &mut SplitMix::new(seed));
    let run = run.map_err(|error| (error.to_string(), error.span))?;
    let Some(transcript) = run else { return Err(("it is not a script".to_owned(), None)) };
    let source = sources.get(script.file);
    let starts: Vec<usize> = source.line_starts().collect();
    let of_line = |line: usize| {
        let line = line.saturating_sub(1);
        let start = starts.get(line).copied().unwrap_or(0);
        let end = starts.get(line + 1).copied().unwrap_or(source.text.len());
        Span::new(script.file, start, end)
    };
    let mut written = SourceMap::new();
    let file = written.add("run.lua", None, transcript.text.clone().into_bytes());
    let chunk = splc_lua::parse(&written, file, &mut Diagnostics::new());
    let whole = Span::new(script.file, 0, script.text.len());
    let place = |span: Span| {
        let (line, _) = written.line_column(file, span.start);
        of_line(line.checked_sub(1).and_then(|line| transcript.lines.get(line)).copied().unwrap_or(1))
    };
    let mut translated = splc_lua::translate::translate(&chunk, &script.name, whole, game.catalog())
        .map_err(|problem| (problem.what, problem.span.somewhere().map(place)))?;
    struct Places<F>(F);

    impl<F: Fn(Span) -> Span> VisitMut for Places<F> {
        fn statement(&mut self, statement: &mut splc_ir::level::Statement) {
            statement.span = (self.0)(statement.span);
            if let StatementKind::Map(Map::Drawn { rows, .. }) = &mut statement.kind {
                rows.span = statement.span;
            }
            walk_mut::statement(self, statement);
        }
    }

    let mut places = Places(place);
    translated.level.body.iter_mut().for_each(|statement| places.statement(statement));
    let place = places.0;
    translated.notes.iter_mut().for_each(|note| note.span = place(note.span));
    let what = format!("it is the result of one run, with the seed {seed}");
    translated.notes.push(splc_lua::translate::Note { span: whole, what, lost: false });
    Ok(translated)
}

/// Returns the end of the comments at the top of a script, which are those of the level. A paragraph directly above the
/// first statement belongs to it, unless that statement is about the level.
fn top(chunk: &Chunk, sources: &SourceMap) -> u32 {
    let Some(first) = chunk.body.statements.first().map(|statement| statement.span) else { return 0 };
    let mut start = first.start;
    if !sources.text(first).starts_with("des.level_") {
        let before = chunk.comments.iter().rev().filter(|comment| comment.end <= first.start);
        for comment in before {
            let gap = Span { start: comment.end, end: start, ..first };
            if sources.text(gap).matches('\n').count() > 1 {
                break;
            }
            start = comment.start;
        }
    }
    start
}

/// Returns the comments of a script as those of a des-file, with the blank lines between its outer statements.
fn comments(chunk: &Chunk, sources: &SourceMap) -> Vec<Trivia> {
    let mut trivia = Vec::new();
    for &span in &chunk.comments {
        let text = sources.text(span);
        let long = text.strip_prefix("--[").filter(|rest| rest.starts_with(['[', '=']));
        let text = match long {
            Some(rest) => rest.trim_start_matches('=').trim_start_matches('[').trim_end_matches([']', '=']),
            None => text.trim_start_matches('-'),
        };
        for line in text.lines().chain(text.is_empty().then_some("")) {
            let line = line.trim_end();
            let blank = if line.is_empty() || line.starts_with([' ', '\t']) { "" } else { " " };
            let text = Text::from(format!("#{blank}{line}"));
            trivia.push(Trivia { kind: TriviaKind::Comment, text, span });
        }
    }
    blank_lines(&chunk.body.statements, &chunk.comments, sources, &mut trivia);
    trivia.order_by_key(|trivia| trivia.span.start);
    trivia
}

fn blank_lines(statements: &[Statement], comments: &[Span], sources: &SourceMap, trivia: &mut Vec<Trivia>) {
    let mut spans: Vec<Span> = statements.iter().map(|statement| statement.span).collect();
    let inside = |comment: &Span| {
        let at = spans.partition_point(|span| span.start <= comment.start);
        at.checked_sub(1).and_then(|at| spans.get(at)).is_some_and(|span| comment.start < span.end)
    };
    let outer: Vec<Span> = comments.iter().filter(|comment| !inside(comment)).copied().collect();
    spans.extend(outer);
    spans.order_by_key(|span| span.start);
    for pair in spans.windows(2) {
        let [one, next] = pair else { continue };
        if next.start <= one.end {
            continue;
        }
        let gap = Span { start: one.end, end: next.start, ..*one };
        if sources.text(gap).matches('\n').count() > 1 {
            trivia.push(Trivia { kind: TriviaKind::BlankLines, text: Text::default(), span: gap });
        }
    }
}
