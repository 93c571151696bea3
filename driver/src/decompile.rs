//! From level files back to source.
//!
//! A level file is read back to a module ([`raise`]), which is then written in the language of its own game
//! ([`decompile`]). Neither step ever guesses. The module must lower to the identical level, and so must the text after
//! it has been read and checked like any other. Otherwise the difference is reported, and there is no source.

use splc_backends::des::{self, Style};
use splc_backends::listing;
use splc_frontends::NoIncludes;
use splc_ir::catalog::Catalog;
use splc_ir::check::level_name;
use splc_ir::diagnostic::{Code, Diagnostic, Diagnostics};
use splc_ir::level::Module;
use splc_ir::loadable::Loadable;
use splc_ir::raise::{self, RaiseError, Raised};
use splc_ir::source::{Charset, SourceMap, Span};
use splc_ir::wording::visible;

use crate::input::{Accepts, Form, Input, Recognised};
use crate::options::Options;
use crate::read::{self, Content, Read};
use crate::target::{Target, TargetError, Wanted};

/// The name of a level whose file name is not a valid level name.
const UNNAMED: &str = "level";

/// The source of a level file.
#[derive(Clone, Debug)]
pub struct Decompiled {
    /// The game of the level.
    pub target: Target,
    /// The des-file in the language of that game, or `None` if no source results in the level. A diagnostic then says
    /// why.
    pub source: Option<Vec<u8>>,
    /// The listing of the level, or `None` if the file is unreadable.
    pub listing: Option<String>,
    /// The level file, without its bytes.
    pub sources: SourceMap,
    /// Its diagnostics.
    pub diagnostics: Diagnostics,
}

/// Reads a level file back to a checked module with functions that compiles to it. Spans are byte ranges in the file.
/// With errors, the module is empty.
///
/// # Errors
/// If its game cannot be determined.
pub fn raise(input: &Input, options: &Options) -> Result<Read, TargetError> {
    Ok(raise_recognised(input.clone().recognise(Accepts::Levels, &options.wanted)?, options))
}

/// Raises the level file `input`. The result is empty if it is anything else.
pub(crate) fn raise_recognised(input: Recognised, options: &Options) -> Read {
    let Back { target, file, sources, diagnostics } = back(input, options);
    let module = file.and_then(|file| file.raised).map_or_else(Module::default, |raised| raised.module);
    Read { target, content: Content::DesFile(module), sources, diagnostics }
}

/// Returns the source of a level file, with a comment at the top about its origin.
///
/// ```
/// use splc_driver::games::Dialect;
/// use splc_driver::{Input, NoIncludes, Options, Wanted, compile, decompile, output};
///
/// let text = "MAZE:\"yard\",' '\nGEOMETRY:center,center\nMAP\n...\nENDMAP\nFOUNTAIN:(1,0)\n";
/// let wanted = Wanted { dialect: Dialect::by_name("nethack343"), ..Wanted::default() };
/// let options = Options { wanted, ..Options::default() };
/// let compiled = compile(Input::new("yard.des", text), &output::LEVEL_FILE, options, &mut NoIncludes)?;
/// let level = Input::new("yard.lev", compiled.made.files[0].bytes.clone());
/// let source = decompile(&level, &Options::default())?.source.expect("it has a source");
/// assert!(String::from_utf8_lossy(&source).contains("FOUNTAIN:(1,0)\n"));
/// # Ok::<(), splc_driver::TargetError>(())
/// ```
///
/// # Errors
/// If its game cannot be determined.
pub fn decompile(input: &Input, options: &Options) -> Result<Decompiled, TargetError> {
    let recognised = input.clone().recognise(Accepts::Levels, &options.wanted)?;
    let Back { target, file, sources, mut diagnostics } = back(recognised, options);
    let (mut source, mut shown) = (None, None);
    if let Some(file) = file {
        shown = Some(listing::write(&file.level, target.catalog(), None));
        if let Some(raised) = &file.raised {
            match text(input, &target, &file, raised) {
                Ok(text) => source = Some(text),
                Err(problem) => diagnostics.push(no_source(&input.name, target.catalog(), &problem)),
            }
        }
    }
    Ok(Decompiled { target, source, listing: shown, sources, diagnostics })
}

/// A level file that was read, and raised to a module if possible.
struct Back {
    target: Target,
    file: Option<LevelBack>,
    sources: SourceMap,
    diagnostics: Diagnostics,
}

struct LevelBack {
    level: Loadable,
    trailing: usize,
    raised: Option<Raised>,
}

fn back(recognised: Recognised, options: &Options) -> Back {
    let name = recognised.input.name.clone();
    if !matches!(recognised.form, Form::LevelFile(_)) {
        let message = format!("{} is not a level file", visible(&name));
        let mut diagnostics = Diagnostics::with_lints(options.lints.clone());
        diagnostics.push(
            Diagnostic::new(Code::Damaged, None, message)
                .with_help("name compiled level files, such as castle.lev or nhdat:castle.lev"),
        );
        return Back { target: recognised.reported.target, file: None, sources: SourceMap::new(), diagnostics };
    }
    let Read { target, content, sources, mut diagnostics } = recognised.read(options, &mut NoIncludes);
    let Content::LevelFile(Some(mut read)) = content else {
        return Back { target, file: None, sources, diagnostics };
    };
    if level_name(read.level.name(), target.catalog(), Charset::Utf8).is_err() {
        let message = format!("{} is not a valid level name; its source uses \"{UNNAMED}\"", visible(&name));
        diagnostics.push(Diagnostic::new(Code::ReadBack, None, message));
        read.level.rename(UNNAMED.into());
    }
    let raised = match raise::raise(&read.level, target.catalog(), target.abi()) {
        Ok(raised) => {
            for note in &raised.notes {
                let message = format!("{}: {note}", visible(&name));
                diagnostics.push(Diagnostic::new(Code::ReadBack, None, message));
            }
            Some(raised)
        }
        Err(problem) => {
            diagnostics.push(no_source(&name, target.catalog(), &problem));
            None
        }
    };
    let file = Some(LevelBack { level: read.level, trailing: read.trailing, raised });
    Back { target, file, sources, diagnostics }
}

fn no_source(name: &str, catalog: &Catalog, problem: &RaiseError) -> Diagnostic {
    let message = format!("splc finds no source in the language of {} for {}", catalog.title, visible(name));
    let mut diagnostic = Diagnostic::new(Code::NoSource, problem.span, message).with_note(problem.to_string());
    if let Some(span) = problem.span.somewhere() {
        diagnostic = diagnostic.with_note(format!("in bytes {} to {} of the file", span.start, span.end));
    }
    diagnostic.with_help("use --listing to print what the game loads")
}

/// Returns the text of a raised level, verified by reading it like any other des-file.
fn text(input: &Input, target: &Target, file: &LevelBack, raised: &Raised) -> Result<Vec<u8>, RaiseError> {
    let catalog = target.catalog();
    let module = &raised.module;
    let printed = des::print_styled(module, catalog, Style::ReadBack).map_err(|problems| {
        let problem = problems.first();
        let what = problem.map_or("something", |problem| problem.what);
        let span = problem.map_or(Span::NOWHERE, |problem| problem.span);
        RaiseError { span, opcode: None, message: format!("{} cannot express {what}", catalog.title).into() }
    })?;
    let mut bytes = head(input, target, file, raised).into_bytes();
    module.charset.encode_into(&printed, &mut bytes);
    let wanted = Wanted { catalog: Some(catalog.clone()), abi: Some(target.abi()), ..Wanted::default() };
    let options = Options { wanted, ..Options::default() };
    let again = read::levels(Input::new("(source).des", bytes.clone()), &options, &mut NoIncludes);
    let level = again.ok().and_then(|mut read| read.levels.pop());
    let level = level.ok_or_else(|| {
        let message = "the decompiled level does not compile";
        RaiseError { span: Span::NOWHERE, opcode: None, message: message.into() }
    })?;
    raise::same(&file.level, &level, catalog, target.abi())?;
    Ok(bytes)
}

/// Returns the comment at the top of a decompiled source.
fn head(input: &Input, target: &Target, file: &LevelBack, raised: &Raised) -> String {
    let plain = |text: &str| text.replace(|character: char| !character.is_ascii_graphic() && character != ' ', "?");
    let header: Vec<String> = target.header().iter().map(|long| format!("{long:#x}")).collect();
    let mut head = format!(
        "# {}: decompiled by splc {} from a level file of {} ({}).\n# Its version header: {}.\n",
        plain(input.name.rsplit(['/', '\\']).next().unwrap_or_default()),
        env!("CARGO_PKG_VERSION"),
        target.catalog().title,
        target.abi().name,
        header.join(" ")
    );
    for note in &raised.notes {
        head.push_str(&format!("# Note: {}.\n", plain(&note.to_string())));
    }
    if file.trailing > 0 {
        head.push_str(&format!("# The {} bytes after the level, which no game reads, are omitted.\n", file.trailing));
    }
    head.push('\n');
    head
}
