//! The promises, one function each.

use std::io::Cursor;

use arbitrary::{Result, Unstructured};
use splc_driver::output::{self, JSON, LEVEL_FILE, Output};
use splc_driver::port::Written;
use splc_driver::{Compiled, Input, NoIncludes, Options, Target, Wanted};
use splc_game::archive::Archive;
use splc_ir::catalog::dialect::{self, Dialect};
use splc_ir::catalog::{Catalogs, NothingBeside};
use splc_ir::diagnostic::Diagnostics;
use splc_ir::source::SourceMap;
use splc_vm::{Machine, Settings, SplitMix};

use crate::inputs::{self, DIALECTS, DesFile};

/// The opcodes and draws that a run may take.
const FUEL: u64 = 20_000;
const DRAWS: u64 = 200_000;

/// Calls `check` with `data` as its source of choices. Too few bytes are not a fault.
fn with(data: &[u8], check: impl FnOnce(&mut Unstructured<'_>) -> Result<()>) {
    let _ = check(&mut Unstructured::new(data));
}

fn options(wanted: Wanted) -> Options {
    Options { wanted, ..Options::default() }
}

fn made(name: &str, bytes: &[u8], output: &'static Output, wanted: Wanted) -> Option<Compiled> {
    splc_driver::compile(Input::new(name, bytes), output, options(wanted), &mut NoIncludes).ok()
}

/// Returns the level files of a des-file, unless it has errors.
fn level_files(file: &DesFile) -> Option<Vec<(String, Vec<u8>)>> {
    level_files_of("x.des", &file.bytes, inputs::wanted(file.dialect))
}

fn level_files_of(name: &str, bytes: &[u8], wanted: Wanted) -> Option<Vec<(String, Vec<u8>)>> {
    let compiled = made(name, bytes, &LEVEL_FILE, wanted)?;
    if compiled.judged.diagnostics.has_errors() {
        assert!(compiled.made.files.is_empty(), "errors, and files");
        return None;
    }
    Some(compiled.made.files.into_iter().map(|file| (file.name, file.bytes)).collect())
}

pub fn compile(data: &[u8]) {
    with(data, |from| {
        let file = inputs::des_file(from)?;
        let _ = level_files(&file);
        made("x.des", &file.bytes, &output::LISTING, inputs::wanted(file.dialect));
        Ok(())
    });
}

pub fn fix(data: &[u8]) {
    with(data, |from| {
        let file = inputs::des_file(from)?;
        let options = options(inputs::wanted(file.dialect));
        let fix = |bytes: &[u8]| splc_driver::fix::correct(&Input::new("x.des", bytes), &options, &mut NoIncludes);
        let Ok(fixed) = fix(&file.bytes) else { return Ok(()) };
        let before = made("x.des", &file.bytes, &LEVEL_FILE, options.wanted.clone());
        let problems = |known: &Diagnostics| (known.errors(), known.warnings());
        let before = before.map_or((0, 0), |before| problems(&before.judged.diagnostics));
        let after = problems(&fixed.diagnostics);
        assert!(after.0 <= before.0, "errors and warnings: {before:?} before, {after:?} after");
        assert!(fixed.changes.is_empty() || after < before, "changes, but {before:?} before and {after:?} after");
        assert!(!fixed.changes.is_empty() || fixed.bytes == file.bytes, "other bytes, but no changes");
        let again = fix(&fixed.bytes).expect("the game is known");
        assert!(again.changes.is_empty(), "fixed twice: {:?}", again.changes);
        Ok(())
    });
}

pub fn format(data: &[u8]) {
    with(data, |from| {
        let file = inputs::des_file(from)?;
        let options = options(inputs::wanted(file.dialect));
        let format = |bytes: &[u8]| {
            splc_driver::format::format(Input::new("x.des", bytes), &options, &mut NoIncludes).ok()?.bytes
        };
        let Some(formatted) = format(&file.bytes) else { return Ok(()) };
        assert_eq!(format(&formatted).as_ref(), Some(&formatted), "formatted twice");
        let same = DesFile { bytes: formatted, dialect: file.dialect };
        assert!(level_files(&file) == level_files(&same), "other bytes");
        Ok(())
    });
}

pub fn json(data: &[u8]) {
    with(data, |from| {
        let file = inputs::des_file(from)?;
        let Some(levels) = level_files(&file) else { return Ok(()) };
        let wanted = inputs::wanted(file.dialect);
        let compiled = made("x.des", &file.bytes, &JSON, wanted.clone()).expect("it compiles");
        for document in compiled.made.files {
            let again = level_files_of("x.json", &document.bytes, wanted.clone());
            assert!(again.as_ref() == Some(&levels), "other bytes");
        }
        Ok(())
    });
}

pub fn decompile(data: &[u8]) {
    with(data, |from| {
        let file = inputs::des_file(from)?;
        let wanted = inputs::wanted(file.dialect);
        for (name, bytes) in level_files(&file).unwrap_or_default() {
            let source = splc_driver::decompile(&Input::new(name, bytes.clone()), &options(wanted.clone()));
            let source = source.ok().and_then(|decompiled| decompiled.source).expect("it decompiles");
            let again = level_files_of("x.des", &source, wanted.clone()).expect("it compiles again");
            // A level written over a longer one of the same name keeps the end of that, which no loader reads.
            assert!(again.iter().any(|(_, again)| bytes.starts_with(again)), "other bytes");
        }
        Ok(())
    });
}

pub fn level_file(data: &[u8]) {
    with(data, |from| {
        let file = inputs::sound_des_file(from)?;
        let Some((name, bytes)) = level_files(&file).unwrap_or_default().into_iter().next() else { return Ok(()) };
        let bytes = inputs::damaged(bytes, from)?;
        let _ = splc_driver::decompile(&Input::new(name.clone(), bytes.clone()), &Options::default());
        if let Ok(opened) =
            splc_driver::open(Input::new(name.clone(), bytes.clone()), &Options::default(), &mut NoIncludes)
        {
            drop(opened);
        }
        run_input(Input::new(name, bytes), Wanted::default(), 1);
        Ok(())
    });
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
            assert!(level_files_of("x.des", text, into).is_some(), "the port has errors");
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

pub fn port(data: &[u8]) {
    with(data, |from| {
        let file = inputs::des_file(from)?;
        let to = from.choose_index(DIALECTS.len() + 1)?;
        let to = DIALECTS.get(to).map_or(Some(&dialect::LUA), |(name, _)| Dialect::by_name(name)).expect("it exists");
        ported(Input::new("x.des", file.bytes), inputs::wanted(file.dialect), to);
        Ok(())
    });
}

pub fn port_lua(data: &[u8]) {
    with(data, |from| {
        let script = inputs::script(from)?;
        let to = DIALECTS[from.choose_index(DIALECTS.len())?].0;
        let to = Dialect::by_name(to).expect("it exists");
        let Some(Written::DesFile(text)) = ported(Input::new("x.lua", script), Wanted::default(), to) else {
            return Ok(());
        };
        // And back: what a script can say, a port of it says.
        let wanted = Wanted { dialect: Some(to), ..Wanted::default() };
        ported(Input::new("x.des", text), wanted, &dialect::LUA);
        Ok(())
    });
}

fn run_input(input: Input, wanted: Wanted, seed: u64) {
    let Ok(loaded) = splc_driver::load(input, &options(wanted), &mut NoIncludes) else { return };
    let settings = Settings { fuel: FUEL, draws: DRAWS, ..Settings::default() };
    let mut machine = Machine::new();
    for level in &loaded.levels {
        let _ = machine.run(&level.program, &settings, &mut SplitMix::new(seed), &mut ());
    }
}

pub fn run(data: &[u8]) {
    with(data, |from| {
        let seed = from.arbitrary()?;
        let file = inputs::des_file(from)?;
        run_input(Input::new("x.des", file.bytes), inputs::wanted(file.dialect), seed);
        Ok(())
    });
}

pub fn lua(data: &[u8]) {
    with(data, |from| {
        let seed = from.arbitrary()?;
        let script = inputs::script(from)?;
        let _ = splc_driver::lua::check(Input::new("x.lua", script.clone()), &Options::default());
        run_input(Input::new("x.lua", script), Wanted::default(), seed);
        Ok(())
    });
}

pub fn dungeon(data: &[u8]) {
    with(data, |from| {
        let game = *from.choose(&["unnethack-6.0.4", "nethack-3.6.7", "nethack-3.4.3", "nethack-5.0.0"])?;
        let bytes = inputs::dungeon(from)?;
        let name = if bytes.starts_with(b"dungeon =") { "dungeon.lua" } else { "dungeon.def" };
        let catalog = Catalogs::default().by_name(game).expect("it is built in");
        let wanted = Wanted { catalog: Some(catalog), ..Wanted::default() };
        let read = |name: &str, bytes: &[u8]| {
            let dungeon = splc_driver::dungeon::read(Input::new(name, bytes), &options(wanted.clone())).ok()?;
            (!dungeon.diagnostics.has_errors()).then_some(dungeon)
        };
        let Some(dungeon) = read(name, &bytes) else { return Ok(()) };
        let Some(description) = dungeon.description else { return Ok(()) };
        // NetHack 5 has no compiled dungeon.
        let is_fit = |output: &&&Output| game != "nethack-5.0.0" || output.name != output::DUNGEON.name;
        for output in output::DUNGEONS.iter().filter(is_fit) {
            let Ok(written) = splc_driver::dungeon::write(&description, output, &dungeon.target) else { continue };
            if !splc_driver::dungeon::lost(&description, output).is_empty() {
                continue;
            }
            let name = output.file_name("dungeon");
            let again = read(&name, &written).and_then(|again| again.description);
            let Some(again) = again else {
                let read = splc_driver::dungeon::read(Input::new(name, written), &options(wanted.clone()));
                let found = read.map(|read| read.diagnostics.iter().map(|known| known.message.to_string()).collect());
                let messages: Vec<String> = found.unwrap_or_else(|error| vec![format!("{error:?}")]);
                panic!("{} for {game} does not read back: {messages:?}", output.name)
            };
            let written_again = splc_driver::dungeon::write(&again, output, &dungeon.target).expect("once more");
            assert!(written == written_again, "{} reads back differently", output.name);
        }
        Ok(())
    });
}

pub fn archive(data: &[u8]) {
    with(data, |from| {
        let mut bytes =
            b"       1 0      2    17     99\nE00000001file 51\nE00000001b 74\nabcdefghijklmnopqrstuvwxyz".to_vec();
        bytes.extend_from_slice(b"0123456789012345678901234567890123456789");
        let bytes = inputs::damaged(bytes, from)?;
        let Ok(mut archive) = Archive::read(Cursor::new(bytes.clone())) else { return Ok(()) };
        let names: Vec<String> = archive.entries().iter().map(|entry| entry.name().into_owned()).collect();
        for name in names {
            if let Ok(content) = archive.bytes(&name) {
                assert!(content.len() <= bytes.len(), "longer than the archive");
            }
        }
        Ok(())
    });
}

pub fn catalog(data: &[u8]) {
    with(data, |from| {
        let text = inputs::catalog(from)?;
        let (mut sources, mut diagnostics) = (SourceMap::new(), Diagnostics::new());
        let file = sources.add("made-up.toml", None, text);
        let loaded = Catalogs::default().load(&mut sources, file, &mut NothingBeside, &mut diagnostics);
        assert!(loaded.is_some() || diagnostics.has_errors(), "refused without an error");
        Ok(())
    });
}
