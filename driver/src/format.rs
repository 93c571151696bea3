//! Lays des-files out: indentation, blanks and blank lines, and nothing else.
//!
//! What is printed is every token and every comment, once and in order, as [`lay_out`](des::lay_out) says; that is
//! looked at again each time, and a file that would not come out so stays as it is. So does a file with something in it
//! that cannot be read: what it says is then told, and its author mends it first.

use splc_backends::des;
use splc_frontends::{Includes, lexemes, parse};
use splc_ir::diagnostic::Diagnostics;
use splc_ir::source::{FileId, LexemeKind, Source, SourceMap};

use crate::input::{Form, Input};
use crate::options::Options;
use crate::target::{Target, TargetError};

/// A des-file that was laid out.
#[derive(Clone, Debug)]
pub struct Formatted {
    /// The game that it is for.
    pub target: Target,
    /// Its bytes; `None` if the file cannot be read and so stays as it is.
    pub bytes: Option<Vec<u8>>,
    /// What could not be read.
    pub diagnostics: Diagnostics,
    /// The texts that it is about.
    pub sources: SourceMap,
}

/// Lays a des-file out. Files that it includes are read, but not laid out: nobody named them.
///
/// ```
/// use splc_driver::{Input, NoIncludes, Options, format::format};
///
/// let text = b"LEVEL:\"yard\"\nNOMAP\nIF[50%]{\nTRAP:\"pit\",( 3,4 )\n}\n".to_vec();
/// let formatted = format(Input { name: "yard.des".into(), place: None, bytes: text }, &Options::default(), &mut NoIncludes)?;
/// let expected = b"LEVEL: \"yard\"\nNOMAP\nIF [50%] {\n  TRAP: \"pit\", (3,4)\n}\n";
/// assert_eq!(formatted.bytes.as_deref(), Some(&expected[..]));
/// # Ok::<(), splc_driver::TargetError>(())
/// ```
///
/// # Errors
/// If it cannot be told for which game it is.
pub fn format(input: Input, options: &Options, includes: &mut dyn Includes) -> Result<Formatted, TargetError> {
    let told = input.target(&Form::Source, &options.wanted)?;
    let note = told.note(&input.name);
    let read = |input: Input, target: &Target, includes: &mut dyn Includes| {
        let (mut sources, mut diagnostics) = (SourceMap::new(), Diagnostics::with_lints(options.lints.clone()));
        let file = sources.add(input.name, input.place, input.bytes);
        parse(&mut sources, file, target.catalog(), includes, &mut diagnostics);
        (sources, diagnostics, file)
    };
    let mut target = told.target;
    let again = if told.others.is_empty() { None } else { Some(input.clone()) };
    let (mut sources, mut diagnostics, mut file) = read(input, &target, includes);
    // A dialect that reads it with fewer errors.
    for other in told.others {
        let Some(input) = again.clone().filter(|_| diagnostics.has_errors()) else { break };
        let found = read(input, &other, includes);
        if found.1.errors() < diagnostics.errors() {
            ((sources, diagnostics, file), target) = (found, other);
        }
    }
    let bytes = if diagnostics.has_errors() { None } else { laid_out(sources.get(file), file, &target) };
    if bytes.is_none() {
        note.into_iter().for_each(|note| diagnostics.push(note));
    }
    // Only what keeps the file from being laid out is news here.
    if bytes.is_some() {
        diagnostics = Diagnostics::new();
    }
    Ok(Formatted { target, bytes, diagnostics, sources })
}

fn laid_out(source: &Source, file: FileId, target: &Target) -> Option<Vec<u8>> {
    let before = lexemes(source, file, target.catalog())?;
    let text = des::lay_out(&source.text, &before, target.catalog());
    let mut bytes = Vec::with_capacity(text.len());
    source.charset.encode_into(&text, &mut bytes);
    let mut again = SourceMap::new();
    let file = again.add(source.name.clone(), None, bytes.clone());
    let after_source = again.get(file);
    let after = lexemes(after_source, file, target.catalog())?;
    let same = after_source.charset == source.charset || source.text.is_ascii();
    let pieces_are_the_same = before.len() == after.len()
        && before.iter().zip(&after).all(|(before, after)| {
            let (old, new) = (&source.text[before.start..before.end], &after_source.text[after.start..after.end]);
            before.kind == after.kind && (old == new || before.kind == LexemeKind::Comment && old.trim() == new.trim())
        });
    (same && pieces_are_the_same).then_some(bytes)
}
