//! Formats des-files: indentation, blanks and blank lines, and nothing else.
//!
//! Every token and every comment is printed exactly once and in order, as described at [`lay_out`](des::lay_out). This
//! is verified for each file, and a file that fails the check stays unchanged. A file with syntax errors also stays
//! unchanged. The errors are then reported for the author to fix first.

use splc_backends::des;
use splc_frontends::{Includes, lexemes};
use splc_ir::diagnostic::{Code, Diagnostic, Diagnostics};
use splc_ir::source::{FileId, LexemeKind, Source, SourceMap};
use splc_ir::wording::visible;

use crate::input::{Accepts, Form, Input, Recognised};
use crate::options::Options;
use crate::read::{Parsed, des_file};
use crate::target::{Reported, Target, TargetError};

/// The result of formatting a des-file.
#[derive(Clone, Debug)]
pub struct Formatted {
    /// The game of the des-file.
    pub target: Target,
    /// The formatted bytes, or `None` if the file has syntax errors and stays unchanged.
    pub bytes: Option<Vec<u8>>,
    /// The syntax errors.
    pub diagnostics: Diagnostics,
    /// The texts to which the diagnostics refer.
    pub sources: SourceMap,
}

/// Formats a des-file. Included files are read, but not formatted, because the user did not name them.
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
/// If its game cannot be determined.
pub fn format(input: Input, options: &Options, includes: &mut dyn Includes) -> Result<Formatted, TargetError> {
    let Recognised { input, form, mut reported } = input.recognise(Accepts::Sources, &options.wanted)?;
    if !matches!(form, Form::Source) {
        let what = if matches!(form, Form::Lua) { "a Lua script" } else { "a level as JSON" };
        let mut diagnostics = Diagnostics::new();
        let message = format!("{} is {what}: only des-files can be formatted", visible(&input.name));
        diagnostics.push(Diagnostic::new(Code::Usage, None, message).with_help("use a formatter for its language"));
        return Ok(Formatted { target: reported.target, bytes: None, diagnostics, sources: SourceMap::new() });
    }
    let note = reported.note(&input.name);
    let others = std::mem::take(&mut reported.others);
    let again = if others.is_empty() { None } else { Some(input.clone()) };
    let mut parsed = des_file(input, reported, options, includes);
    // Use another dialect if it reads the file with fewer errors.
    for other in others {
        let Some(input) = again.clone().filter(|_| parsed.diagnostics.has_errors()) else { break };
        let found = des_file(input, Reported::known(other), options, includes);
        if found.diagnostics.errors() < parsed.diagnostics.errors() {
            parsed = found;
        }
    }
    let (file, target) = (FileId(0), parsed.target().clone());
    let Parsed { sources, mut diagnostics, .. } = parsed;
    let bytes = if diagnostics.has_errors() { None } else { laid_out(sources.get(file), file, &target) };
    if bytes.is_none() {
        note.into_iter().for_each(|note| diagnostics.push(note));
    }
    // Only report errors that prevent formatting.
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
