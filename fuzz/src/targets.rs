//! The promises, one function each.

use std::io::Cursor;

use splc_driver::import::ImportOptions;
use splc_driver::output::{self, JSON, LEVEL_FILE, Output};
use splc_driver::port::Written;
use splc_driver::{Compiled, Input, NoIncludes, Options, Target, Wanted};
use splc_game::archive::{Archive, parts};
use splc_ir::catalog::dialect::{self, Dialect};
use splc_ir::catalog::{Catalogs, NothingBeside, Shared};
use splc_ir::diagnostic::{Code, Diagnostic, Diagnostics, Severity};
use splc_ir::source::SourceMap;
use splc_vm::{Machine, Settings, SplitMix};

use crate::{Case, inputs};

/// The opcodes and draws that a run may take.
const FUEL: u64 = 20_000;
const DRAWS: u64 = 200_000;

fn options(wanted: Wanted) -> Options {
    Options { wanted, ..Options::default() }
}

fn made(case: &Case, output: &'static Output) -> Option<Compiled> {
    let input = Input::new(case.file.as_str(), case.bytes.as_slice());
    splc_driver::compile(input, output, case.options(), &mut NoIncludes).ok()
}

/// Returns the level files of a case, unless it has errors.
pub(crate) fn level_files(case: &Case) -> Option<Vec<(String, Vec<u8>)>> {
    made(case, &LEVEL_FILE).and_then(files)
}

/// Returns the files of a compilation, unless it has errors.
fn files(compiled: Compiled) -> Option<Vec<(String, Vec<u8>)>> {
    if compiled.judged.diagnostics.has_errors() {
        assert!(compiled.made.files.is_empty(), "errors, and files");
        return None;
    }
    Some(compiled.made.files.into_iter().map(|file| (file.name, file.bytes)).collect())
}

/// Returns a file with other content for the same game.
fn with(case: &Case, file: &str, bytes: Vec<u8>) -> Case {
    Case { file: file.to_owned(), bytes, ..case.clone() }
}

/// Checks that every place and every edit of a message is in its text, and splits no character.
fn points_into_text(diagnostics: &Diagnostics, sources: &SourceMap) {
    for diagnostic in diagnostics.iter() {
        let labels = diagnostic.labels.iter().map(|label| label.span);
        let edits = diagnostic.suggestions.iter().map(|edit| edit.span);
        for span in diagnostic.span.into_iter().chain(labels).chain(edits) {
            let source = sources.get(span.file);
            // A place in a compiled file is not one in a text.
            let text = if source.text.len() == source.len() { &source.text } else { continue };
            assert!(text.get(span.start as usize..span.end as usize).is_some(), "outside the text: {diagnostic:?}");
        }
    }
}

pub fn compile(case: &Case) -> bool {
    let compiled = made(case, &LEVEL_FILE);
    made(case, &output::LISTING);
    // The game is known here, so that nothing detects it.
    splc_frontends::detect::detect(&String::from_utf8_lossy(&case.bytes));
    if let Some(Compiled { judged, .. }) = &compiled {
        points_into_text(&judged.diagnostics, &judged.sources);
    }
    compiled.and_then(files).is_some()
}

pub fn fix(case: &Case) -> bool {
    let fix = |case: &Case| {
        let input = Input::new(case.file.as_str(), case.bytes.as_slice());
        splc_driver::fix::correct(&input, &case.options(), &mut NoIncludes)
    };
    let Ok(fixed) = fix(case) else { return false };
    let before = made(case, &LEVEL_FILE);
    let problems = |known: &Diagnostics| (known.errors(), known.warnings());
    let before = before.map_or((0, 0), |before| problems(&before.judged.diagnostics));
    let after = problems(&fixed.diagnostics);
    assert!(after.0 <= before.0, "errors and warnings: {before:?} before, {after:?} after");
    assert!(fixed.changes.is_empty() || after < before, "changes, but {before:?} before and {after:?} after");
    assert!(!fixed.changes.is_empty() || fixed.bytes == case.bytes, "other bytes, but no changes");
    if fixed.changes.is_empty() {
        return false;
    }
    let again = fix(&with(case, &case.file, fixed.bytes)).expect("the game is known");
    assert!(again.changes.is_empty(), "fixed twice: {:?}", again.changes);
    true
}

pub fn format(case: &Case) -> bool {
    let format = |bytes: &[u8]| {
        let input = Input::new(case.file.as_str(), bytes);
        splc_driver::format::format(input, &case.options(), &mut NoIncludes).ok()?.bytes
    };
    let Some(formatted) = format(&case.bytes).filter(|formatted| *formatted != case.bytes) else { return false };
    assert_eq!(format(&formatted).as_ref(), Some(&formatted), "formatted twice");
    // Without its own lexer: only blanks may change.
    let visible = |bytes: &[u8]| -> Vec<u8> { bytes.iter().copied().filter(u8::is_ascii_graphic).collect() };
    assert!(visible(&case.bytes) == visible(&formatted), "other characters");
    assert!(level_files(case) == level_files(&with(case, &case.file, formatted)), "other bytes");
    true
}

pub fn print(case: &Case) -> bool {
    let Some(levels) = level_files(case) else { return false };
    // A name without a spelling in the language is an error of the printer.
    let Some(printed) = made(case, &output::DES_FILE) else { return false };
    for file in &printed.made.files {
        let again = level_files(&with(case, "x.des", file.bytes.clone()));
        assert!(again.as_ref() == Some(&levels), "other bytes");
    }
    !printed.made.files.is_empty()
}

pub fn json(case: &Case) -> bool {
    let Some(levels) = level_files(case) else { return false };
    for document in made(case, &JSON).expect("it compiles").made.files {
        assert!(level_files(&with(case, "x.json", document.bytes)).as_ref() == Some(&levels), "other bytes");
    }
    true
}

pub fn decompile(case: &Case) -> bool {
    let Some(compiled) = made(case, &LEVEL_FILE) else { return false };
    // A jump to a wrong place has no other source, nor has a region that needs another level in the same file.
    let has_no_other =
        |known: &Diagnostic| matches!(known.code, Code::WrongJump | Code::Miscompiled | Code::InheritedRegion);
    if compiled.judged.diagnostics.iter().any(has_no_other) {
        return false;
    }
    let levels = files(compiled).unwrap_or_default();
    let any = !levels.is_empty();
    for (name, bytes) in levels {
        let source = splc_driver::decompile(&Input::new(name, bytes.clone()), &case.options());
        let source = source.ok().and_then(|decompiled| decompiled.source).expect("it decompiles");
        let again = level_files(&with(case, "x.des", source)).expect("it compiles again");
        // A level written over a longer one of the same name keeps the end of that, which no loader reads.
        assert!(again.iter().any(|(_, again)| bytes.starts_with(again)), "other bytes");
    }
    any
}

pub fn level_file(case: &Case) -> bool {
    let input = || Input::new(case.file.as_str(), case.bytes.as_slice());
    let decompiled = splc_driver::decompile(&input(), &Options::default());
    drop(splc_driver::open(input(), &Options::default(), &mut NoIncludes));
    run_input(input(), Wanted::default(), 1);
    decompiled.is_ok_and(|decompiled| decompiled.source.is_some())
}

/// Ports `input`, and checks that the target accepts the result. Returns the result, unless there are errors.
fn ported(input: Input, wanted: Wanted, to: &'static Dialect) -> Option<Written> {
    let to = Target::new(to.default_target().expect("it has a game"), wanted.abi()).expect("it has the machine");
    let ported =
        splc_driver::port::port(input, &options(wanted), to.clone(), &Default::default(), &mut NoIncludes).ok()?;
    let messages = |known: &Diagnostics| known.iter().map(|known| format!("{known:?}")).collect::<Vec<_>>();
    if ported.diagnostics.has_errors() {
        let found = messages(&ported.diagnostics);
        assert!(!found.iter().any(|known| known.contains("splc cannot read the ported level")), "{found:?}");
        return None;
    }
    let into = Wanted { catalog: Some(to.catalog().clone()), ..Wanted::default() };
    match &ported.written {
        Written::Nothing => {}
        Written::DesFile(text) => {
            assert!(
                level_files(&Case::new("x.des", to.catalog().name.as_ref(), text.clone())).is_some(),
                "the port has errors"
            );
        }
        Written::Scripts(scripts) => {
            for script in scripts {
                let input = Input::new("x.lua", script.text.clone());
                let checked = splc_driver::lua::check(input, &options(into.clone())).expect("the game is known");
                let errors: Vec<_> = checked.diagnostics.iter().map(|known| known.message.to_string()).collect();
                assert!(!checked.diagnostics.has_errors(), "the port has errors: {errors:?}");
            }
        }
    }
    Some(ported.written)
}

fn dialect_of(case: &Case) -> &'static Dialect {
    Dialect::by_name(&case.to).expect("it exists")
}

pub fn port(case: &Case) -> bool {
    let input = Input::new(case.file.as_str(), case.bytes.as_slice());
    ported(input, case.options().wanted, dialect_of(case)).is_some()
}

pub fn verify(case: &Case) -> bool {
    let from = case.options().wanted;
    let Some(back) = from.dialect else { return false };
    let input = || Input::new(case.file.as_str(), case.bytes.as_slice());
    // A level that the game cannot load may be ported to one that can be.
    let is_loaded = |input: Input, wanted: &Wanted| !run_input(input, wanted.clone(), 1).contains(&false);
    if !is_loaded(input(), &from) {
        return false;
    }
    let Some(there) = proven(input(), from, dialect_of(case)) else { return false };
    let (file, bytes) = match there {
        Written::Nothing => return false,
        Written::DesFile(text) => ("x.des", text),
        Written::Scripts(scripts) => match scripts.into_iter().next() {
            Some(script) => ("x.lua", script.text),
            None => return false,
        },
    };
    let wanted = Wanted { dialect: Some(dialect_of(case)), ..Wanted::default() };
    let there = || Input::new(file, bytes.as_slice());
    if is_loaded(there(), &wanted) {
        proven(there(), wanted, back);
    }
    true
}

/// Ports `input`, and checks that the levels have no difference that the account does not mention. Returns the result,
/// unless there are errors.
fn proven(input: Input, wanted: Wanted, to: &'static Dialect) -> Option<Written> {
    let to = Target::new(to.default_target().expect("it has a game"), wanted.abi()).expect("it has the machine");
    let ported = splc_driver::port::port(input, &options(wanted), to, &Default::default(), &mut NoIncludes).ok()?;
    if ported.diagnostics.has_errors() {
        return None;
    }
    let settings = Settings { fuel: FUEL, draws: DRAWS, ..Settings::default() };
    let compared = splc_equivalence::Options { settings, seeds: 30, paths: 300, threads: 1, ..Default::default() };
    for translation in ported.verify_translation(&compared, |_| true) {
        assert!(translation.unnamed.is_empty(), "not in the account: {:?}", translation.unnamed);
    }
    Some(ported.written)
}

pub fn port_lua(case: &Case) -> bool {
    let to = dialect_of(case);
    let input = Input::new(case.file.as_str(), case.bytes.as_slice());
    let Some(Written::DesFile(text)) = ported(input, case.options().wanted, to) else { return false };
    // And back: what a script can say, a port of it says.
    let wanted = Wanted { dialect: Some(to), ..Wanted::default() };
    ported(Input::new("x.des", text), wanted, &dialect::LUA);
    true
}

/// Runs the levels of `input`. Returns true for each that ends well.
fn run_input(input: Input, wanted: Wanted, seed: u64) -> Vec<bool> {
    let Ok(loaded) = splc_driver::load(input, &options(wanted), &mut NoIncludes) else { return Vec::new() };
    let settings = Settings { fuel: FUEL, draws: DRAWS, ..Settings::default() };
    let mut machine = Machine::new();
    let ends_well = |level: &splc_driver::Runnable| {
        machine.run(&level.program, &settings, &mut SplitMix::new(seed), &mut ()).is_ok()
    };
    loaded.levels.iter().map(ends_well).collect()
}

pub fn run(case: &Case) -> bool {
    run_input(Input::new(case.file.as_str(), case.bytes.as_slice()), case.options().wanted, case.seed).contains(&true)
}

/// Words of scripts in which a statement, or one of several values, may not be reached.
const BRANCHES: &[&str] = &[
    "and", "break", "d", "error", "for", "function", "goto", "if", "load", "math", "nh", "or", "pcall", "percent",
    "repeat", "return", "shuffle", "while", "xpcall",
];

pub fn lua(case: &Case) -> bool {
    let input = || Input::new(case.file.as_str(), case.bytes.as_slice());
    let checked = splc_driver::lua::check(input(), &case.options());
    if let Ok(checked) = &checked {
        points_into_text(&checked.diagnostics, &checked.sources);
    }
    let ran = run_input(input(), Wanted::default(), case.seed).contains(&true);
    let text = String::from_utf8_lossy(&case.bytes);
    let mut words = text.split(|letter: char| !letter.is_ascii_alphanumeric() && letter != '_');
    if let Ok(checked) = checked
        && ran
        && !words.any(|word| BRANCHES.contains(&word))
    {
        // Every statement has run. A map that is too large is cut off, or begins outside of the level.
        let is_error = |known: &&Diagnostic| known.severity == Severity::Error && known.code != Code::MapSize;
        let found: Vec<_> = checked.diagnostics.iter().filter(is_error).map(|known| &known.message).collect();
        assert!(found.is_empty(), "errors in a script that runs: {found:?}");
    }
    ran
}

pub fn dungeon(case: &Case) -> bool {
    let read = |name: &str, bytes: &[u8]| {
        let dungeon = splc_driver::dungeon::read(Input::new(name, bytes), &case.options()).ok()?;
        points_into_text(&dungeon.diagnostics, &dungeon.sources);
        (!dungeon.diagnostics.has_errors()).then_some(dungeon)
    };
    let Some(dungeon) = read(&case.file, &case.bytes) else { return false };
    let Some(description) = dungeon.description else { return false };
    // NetHack 5 has no compiled dungeon.
    let is_fit = |output: &&&Output| case.game != "nethack-5.0.0" || output.name != output::DUNGEON.name;
    for output in output::DUNGEONS.iter().filter(is_fit) {
        let Ok(written) = splc_driver::dungeon::write(&description, output, &dungeon.target) else { continue };
        if !splc_driver::dungeon::lost(&description, output).is_empty() {
            continue;
        }
        let name = output.file_name("dungeon");
        let again = read(&name, &written).and_then(|again| again.description);
        let Some(again) = again else {
            let read = splc_driver::dungeon::read(Input::new(name, written), &case.options());
            let found = read.map(|read| read.diagnostics.iter().map(|known| known.message.to_string()).collect());
            let messages: Vec<String> = found.unwrap_or_else(|error| vec![format!("{error:?}")]);
            panic!("{} for {} does not read back: {messages:?}", output.name, case.game)
        };
        let written_again = splc_driver::dungeon::write(&again, output, &dungeon.target).expect("once more");
        assert!(written == written_again, "{} reads back differently", output.name);
    }
    true
}

pub fn archive(case: &Case) -> bool {
    let read = |bytes: &[u8]| Archive::read(Cursor::new(bytes.to_vec()));
    // Its files, unless one is damaged.
    let files = |archive: &mut Archive<Cursor<Vec<u8>>>| -> Option<Vec<(String, Vec<u8>)>> {
        let names: Vec<String> = archive.files().map(|entry| entry.name().into_owned()).collect();
        let file = |name: String| archive.bytes(&name).ok().map(|content| (name, content));
        names.into_iter().map(file).collect()
    };
    let Ok(mut archive) = read(&case.bytes) else { return false };
    let names: Vec<String> = archive.entries().iter().map(|entry| entry.name().into_owned()).collect();
    for name in names {
        if let Ok(content) = archive.bytes(&name) {
            assert!(content.len() <= case.bytes.len(), "longer than the archive");
        }
    }
    let Some(before) = files(&mut archive) else { return false };
    let mut written = Vec::new();
    let parts = parts(&archive);
    if splc_game::archive::write(&mut written, &parts, Some(&mut archive)).is_err() {
        return false;
    }
    let mut again = read(&written).expect("a written archive is read");
    assert_eq!(files(&mut again), Some(before), "other files");
    true
}

/// Loads a catalog file, unless it has errors.
fn loaded(name: &str, bytes: &[u8]) -> Result<Shared, Vec<(Code, String)>> {
    let (mut sources, mut diagnostics) = (SourceMap::new(), Diagnostics::new());
    let file = sources.add(name, None, bytes.to_vec());
    let loaded = Catalogs::default().load(&mut sources, file, &mut NothingBeside, &mut diagnostics);
    assert!(loaded.is_some() || diagnostics.has_errors(), "refused without an error");
    loaded.ok_or_else(|| diagnostics.iter().map(|known| (known.code, known.message.to_string())).collect())
}

pub fn catalog(case: &Case) -> bool {
    let Ok(catalog) = loaded(&case.file, &case.bytes) else { return false };
    let written = catalog.write(None, &|_| None);
    let again = loaded(&case.file, written.as_bytes());
    let again = again.unwrap_or_else(|errors| panic!("a written catalog is not loaded: {errors:?}"));
    assert!(again.write(None, &|_| None) == written, "reads back differently");
    true
}

pub fn import(case: &Case) -> bool {
    let tree = inputs::files_of_tree(&case.bytes);
    let options = ImportOptions { name: "made-up".to_owned(), title: "Made-up".to_owned(), ..ImportOptions::default() };
    let imported = splc_driver::import::import(&mut |path| Ok(tree.get(path).cloned()), &options);
    let Ok(imported) = imported else { return false };
    match loaded("made-up.toml", imported.text.as_bytes()) {
        Ok(_) => assert!(imported.contradictions.is_empty(), "{:?}", imported.contradictions),
        // Tables that contradict each other are the fault of the tree; everything else would be that of the writer.
        Err(mut errors) => {
            errors.retain(|(code, _)| *code != Code::CatalogConflict);
            assert!(errors.is_empty(), "an imported catalog is not loaded: {errors:?}");
            assert!(!imported.contradictions.is_empty(), "contradictions without a message");
        }
    }
    true
}
