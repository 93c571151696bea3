//! Comments for splc. `# splc: allow(ragged-map, W0909)` allows a lint for a level of a des-file, and
//! `# splc: target(unnethack-6.0.4)` at the top of a file names its game.
//!
//! A comment that allows a lint applies to the level that contains it or, between two levels, to the next. The
//! dialect's lexer identifies comments, so nothing in a MAP or a string is mistaken for one. The game must be known
//! before that, so the comment with it comes before the first statement.

use splc_frontends::lexemes;
use splc_ir::catalog::Catalog;
use splc_ir::diagnostic::{Allowance, Code, Diagnostic, Diagnostics, Lint, did_you_mean};
use splc_ir::level::Module;
use splc_ir::order::Order;
use splc_ir::source::{FileId, LexemeKind, Source, SourceMap, Span};

use crate::encoding;

/// The prefix of such a comment, after its `#`.
pub(crate) const MARK: &str = "splc:";

/// Adds the allowances in all files of `module` to `diagnostics`.
pub(crate) fn take_in(module: &Module, catalog: &Catalog, sources: &SourceMap, diagnostics: &mut Diagnostics) {
    let mut allowances = Vec::new();
    for (file, source) in sources.iter() {
        if memchr::memmem::find(source.text.as_bytes(), MARK.as_bytes()).is_none() {
            continue;
        }
        let Some(lexemes) = lexemes(source, file, catalog) else { continue };
        let mut starts: Vec<usize> =
            module.levels().filter(|level| level.span.file == file).map(|level| level.span.start as usize).collect();
        starts.order();
        for comment in lexemes.iter().filter(|lexeme| lexeme.kind == LexemeKind::Comment) {
            let text = &source.text[comment.start..comment.end];
            let Some(wish) = text.trim_start_matches('#').trim_start().strip_prefix(MARK) else { continue };
            let span = extent(comment.start, &starts, source, file);
            let place = Span::new(file, comment.start, comment.end);
            for code in codes(wish, place, &source.text[..comment.start], diagnostics) {
                allowances.push(Allowance { span, code });
            }
        }
    }
    diagnostics.allow(allowances);
}

/// Returns the extent of a comment at `at`: a level, with everything up to the next.
fn extent(at: usize, starts: &[usize], source: &Source, file: FileId) -> Span {
    let mut number = starts.partition_point(|&start| start <= at);
    // If only comments and blank lines follow, it belongs to the next level.
    if let Some(&next) = starts.get(number) {
        let above = source.text.get(at..next).unwrap_or_default();
        number += usize::from(above.lines().all(|line| line.trim().is_empty() || line.trim_start().starts_with('#')));
    }
    // Everything before the first level counts as part of it.
    let number = number.max(1);
    let start = if number == 1 { 0 } else { starts.get(number - 1).copied().unwrap_or(0) };
    let end = starts.get(number).copied().unwrap_or(source.text.len().saturating_add(1));
    Span::new(file, start, end)
}

/// Most lines at the top of a file in which the game is looked for.
const MAX_HEAD_LINES: usize = 200;

/// Returns the game named by a comment before the first statement of the des-file or script `bytes`.
pub fn target(bytes: &[u8]) -> Option<&str> {
    memchr::memmem::find(bytes, MARK.as_bytes())?;
    let bytes = bytes.strip_prefix(encoding::MARK.as_bytes()).unwrap_or(bytes);
    let lines = bytes.split(|&byte| byte == b'\n').take(MAX_HEAD_LINES).map(<[u8]>::trim_ascii);
    for line in lines.filter(|line| !line.is_empty()) {
        let Some(comment) = line.strip_prefix(b"#").or_else(|| line.strip_prefix(b"--")) else { break };
        let Ok(comment) = std::str::from_utf8(comment) else { continue };
        let wish = comment.trim_start_matches(['#', '-', '[']).trim_start().strip_prefix(MARK);
        if let Some(name) = wish.and_then(|wish| argument(wish, "target")) {
            return Some(name.trim());
        }
    }
    None
}

/// Returns the text in parentheses after `word`.
fn argument<'a>(wish: &'a str, word: &str) -> Option<&'a str> {
    let list = wish.trim().strip_prefix(word)?.trim_start().strip_prefix('(')?;
    list.split_once(')').map(|(list, _)| list)
}

/// Returns the lints of `allow(…)`, and reports invalid syntax and unknown lints. `head` is the beginning of the file,
/// up to the comment.
pub(crate) fn codes(wish: &str, place: Span, head: &str, diagnostics: &mut Diagnostics) -> Vec<Code> {
    if argument(wish, "target").is_some() {
        let is_comment = |line: &str| line.is_empty() || line.starts_with('#') || line.starts_with("--");
        if !head.trim_start_matches(encoding::MARK).lines().all(|line| is_comment(line.trim())) {
            let message = "the target of a file must be named before its first statement";
            diagnostics.push(Diagnostic::new(Code::UnknownLint, place, message).with_help("move the comment up"));
        }
        return Vec::new();
    }
    let Some(list) = argument(wish, "allow") else {
        let message = "unknown directive in a comment for splc";
        let help = "write `splc: allow(LINT)` or `splc: target(NAME)`";
        diagnostics.push(Diagnostic::new(Code::UnknownLint, place, message).with_help(help));
        return Vec::new();
    };
    let mut found = Vec::new();
    for name in list.split(',').map(str::trim) {
        let known = Code::ALL.iter().copied();
        match known.clone().find(|code| code.name() == name || code.as_str().eq_ignore_ascii_case(name)) {
            Some(code) if code.lint() != Lint::Fixed => found.push(code),
            Some(_) => {
                let message = format!("{name} is not a lint and cannot be allowed");
                diagnostics.push(Diagnostic::new(Code::UnknownLint, place, message));
            }
            None => {
                let lints = known.filter(|code| code.lint() != Lint::Fixed).map(Code::name);
                let near = did_you_mean(name, lints).unwrap_or_else(|| "`splc explain` lists them".to_owned());
                let message = format!("unknown lint '{name}'");
                diagnostics.push(Diagnostic::new(Code::UnknownLint, place, message).with_help(near));
            }
        }
    }
    found
}
