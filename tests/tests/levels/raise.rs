//! A level file that is read back, printed as source and compiled again has the same bytes. Checked for every level
//! file of the reference games on every machine, every golden file of our corpora, and every damaged des-file that a
//! game accepts.

use std::path::PathBuf;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use splc_backends::{des, level_file};
use splc_frontends::level_file::read;
use splc_ir::abi::{self, Abi};
use splc_ir::catalog::Catalog;
use splc_ir::diagnostic::Diagnostics;
use splc_ir::loadable::{Loadable, lower_each};
use splc_ir::program::{Op, Opcode, Operand, Program};
use splc_ir::raise::{raise, same};
use splc_ir::source::{FileId, SourceMap, Span};
use splc_tests::compile;
use splc_tests::reference::{self, files};

/// Reads `bytes` back, prints the level, compiles the text, and returns the difference.
fn there_and_back(bytes: &[u8], name: &str, catalog: &'static Catalog, abi: &Abi) -> Result<(), String> {
    let file = read(bytes, name, FileId(0), catalog, abi).map_err(|problem| problem.message.to_string())?;
    let raised = raise(&file.level, catalog, abi).map_err(|problem| problem.to_string())?;
    let text = des::print(&raised.module, catalog).map_err(|problems| format!("{problems:?}"))?;
    let mut printed = Vec::new();
    raised.module.charset.encode_into(&text, &mut printed);
    let levels = compiled(printed, catalog, abi).map_err(|problem| format!("{problem}\n{text}"))?;
    let [level] = levels.as_slice() else { return Err(format!("{} levels", levels.len())) };
    let again = level_file::encode(level, catalog, abi, &file.header).map_err(|problem| problem.message.to_string())?;
    let expected = &bytes[..bytes.len() - file.trailing];
    match again.iter().zip(expected).position(|(left, right)| left != right) {
        Some(at) => Err(format!("byte {at} differs\n{text}")),
        None if again.len() == expected.len() => Ok(()),
        None => Err(format!("{} bytes, not {}\n{text}", again.len(), expected.len())),
    }
}

fn compiled(text: Vec<u8>, catalog: &'static Catalog, abi: &Abi) -> Result<Vec<Loadable>, String> {
    let mut sources = SourceMap::new();
    let file = sources.add("x.des", None, text);
    let mut diagnostics = Diagnostics::new();
    let mut module =
        splc_frontends::parse(&mut sources, file, catalog, &mut splc_frontends::NoIncludes, &mut diagnostics);
    splc_ir::check::check(&mut module, catalog, &mut diagnostics);
    let mut levels = Vec::new();
    if !diagnostics.has_errors() {
        lower_each(&module, catalog, abi, &mut diagnostics, |_, level, _| levels.push(level));
    }
    match diagnostics.has_errors() {
        true => Err(format!("{:#?}", diagnostics.iter().next())),
        false => Ok(levels),
    }
}

/// A level file to be read back.
struct Case {
    name: String,
    abi: &'static Abi,
    bytes: Vec<u8>,
}

/// Checks the round trip of every case, on all cores.
fn all_there_and_back(catalog: &'static Catalog, cases: Vec<Case>) {
    let (next, wrong) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                while let Some(case) = cases.get(next.fetch_add(1, Ordering::Relaxed)) {
                    if let Err(problem) = there_and_back(&case.bytes, "x", catalog, case.abi) {
                        wrong.lock().unwrap().push(format!("{} ({}): {problem}", case.name, case.abi.name));
                    }
                }
            });
        }
    });
    let mut wrong = wrong.into_inner().unwrap();
    wrong.sort();
    println!("{}: {} files, {} not the same", catalog.name, cases.len(), wrong.len());
    let shown: Vec<&str> = wrong.iter().take(20).map(|wrong| &wrong[..wrong.len().min(2000)]).collect();
    assert!(wrong.is_empty(), "{} of {} files: {}", wrong.len(), cases.len(), shown.join("\n\n"));
    assert!(!cases.is_empty());
}

fn abis(catalog: &'static Catalog) -> impl Iterator<Item = &'static Abi> {
    abi::ALL.iter().filter(|abi| catalog.header(abi.name).is_some())
}

fn cases(catalog: &'static Catalog, folder: impl Fn(&Abi) -> PathBuf) -> Vec<Case> {
    let of_abi = |abi: &'static Abi| {
        files(&folder(abi), ".lev").into_iter().map(move |path| Case {
            name: path.display().to_string(),
            abi,
            bytes: std::fs::read(&path).unwrap(),
        })
    };
    abis(catalog).flat_map(of_abi).collect()
}

/// Checks the golden files of a corpus.
fn golden(name: &str, corpus: &str) {
    let catalog = Catalog::by_name(name).unwrap();
    let folder = splc_tests::corpus(corpus).join("golden");
    all_there_and_back(catalog, cases(catalog, |abi| folder.join(abi.name)));
}

/// Checks the level files of a reference game, and splc's output for the damaged des-files that it accepts, which is
/// the same as that of the game's compiler.
fn game(name: &str) {
    let catalog = Catalog::by_name(name).unwrap();
    let folder = reference::game(name);
    let mut all = cases(catalog, |abi| folder.join("lev").join(abi.name));
    for path in files(&folder.join("damaged"), ".des") {
        let made = compile(std::fs::read(&path).unwrap(), Some(&path), catalog);
        if made.diagnostics.has_errors() {
            continue;
        }
        let levels = made.programs.iter().cloned().map(Loadable::Program);
        for level in levels.chain(made.parts.iter().cloned().map(Loadable::Parts)) {
            let abi = &abi::ALL[0];
            let header = catalog.header(abi.name).unwrap();
            let bytes = level_file::encode(&level, catalog, abi, header).unwrap();
            all.push(Case { name: path.display().to_string(), abi, bytes });
        }
    }
    all_there_and_back(catalog, all);
}

#[test]
fn golden_nethack343() {
    golden("nethack-3.4.3", "nethack343");
}

#[test]
#[cfg_attr(not(reference), ignore = "no reference data: set SPLC_REFERENCE")]
fn nethack343() {
    game("nethack-3.4.3");
}

#[test]
#[cfg_attr(not(reference), ignore = "no reference data: set SPLC_REFERENCE")]
fn unnethack() {
    game("unnethack-6.0.4");
}

#[test]
fn golden_sporkhack() {
    golden("sporkhack-0.7.0", "sporkhack");
}

#[test]
#[cfg_attr(not(reference), ignore = "no reference data: set SPLC_REFERENCE")]
fn sporkhack() {
    game("sporkhack-0.7.0");
}

#[test]
fn golden_nethack36() {
    golden("nethack-3.6.7", "nethack36");
}

#[test]
#[cfg_attr(not(reference), ignore = "no reference data: set SPLC_REFERENCE")]
fn nethack36() {
    game("nethack-3.6.7");
}
#[test]
fn golden_unnethack() {
    golden("unnethack-6.0.4", "unnethack");
}

/// Number of damaged versions of each golden file. The environment variable `SPLC_RAISE_DAMAGE` overrides it.
const DAMAGES: u64 = 40;

/// Returns a pseudo-random number for `seed` (SplitMix64).
fn scrambled(seed: u64) -> u64 {
    let mut bits = seed.wrapping_add(0x9e37_79b9_7f4a_7c15);
    bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    bits ^ (bits >> 31)
}

/// Changes a few bytes after the version header: to any value, by one, or to a value from elsewhere.
fn damage(bytes: &mut [u8], head: usize, seed: u64) {
    let mut next = seed;
    let mut draw = |below: usize| {
        next = scrambled(next);
        (next % below.max(1) as u64) as usize
    };
    for _ in 0..1 + draw(3) {
        let at = head + draw(bytes.len() - head);
        match draw(6) {
            0 => bytes[at] = draw(256) as u8,
            1 => bytes[at] = bytes[at].wrapping_add(1),
            2 => bytes[at] = bytes[at].wrapping_sub(1),
            3 => bytes[at] ^= 1 << draw(8),
            4 => bytes[at] = bytes[head + draw(bytes.len() - head)],
            _ => {
                let length = 1 + draw(64.min(bytes.len() - at));
                let from = head + draw(bytes.len() - head - length);
                let part = bytes[from..from + length].to_vec();
                bytes[at..at + length].copy_from_slice(&part);
            }
        }
    }
}

/// Any level file is read back or rejected, and a level that is read back has a source that compiles to it.
fn damaged(name: &str, corpus: &str) {
    let catalog = Catalog::by_name(name).unwrap();
    let folder = splc_tests::corpus(corpus).join("golden");
    let times = std::env::var("SPLC_RAISE_DAMAGE").map_or(DAMAGES, |times| times.parse().unwrap());
    let (mut back, mut refused) = (0, 0);
    for abi in abis(catalog).take(2) {
        let head = catalog.header(abi.name).unwrap().len() * abi.long;
        for path in files(&folder.join(abi.name), ".lev") {
            let whole = std::fs::read(&path).unwrap();
            for seed in 0..times {
                let mut bytes = whole.clone();
                damage(&mut bytes, head, seed ^ (whole.len() as u64) << 32);
                let Ok(file) = read(&bytes, "x", FileId(0), catalog, abi) else { continue };
                let Ok(raised) = raise(&file.level, catalog, abi) else {
                    refused += 1;
                    continue;
                };
                // A text with a quote in it cannot be written.
                let Ok(text) = des::print(&raised.module, catalog) else { continue };
                let mut printed = Vec::new();
                raised.module.charset.encode_into(&text, &mut printed);
                let again = compiled(printed, catalog, abi);
                let again = again.unwrap_or_else(|problem| panic!("{} {seed}: {problem}\n{text}", path.display()));
                if let Err(problem) = same(&file.level, &again[0], catalog, abi) {
                    panic!("{} {seed}: {problem}\n{text}", path.display());
                }
                back += 1;
            }
        }
    }
    println!("{name}: {back} damaged files read back, {refused} refused");
    assert!(back > 0 && refused > 0);
}

#[test]
fn damaged_nethack343() {
    damaged("nethack-3.4.3", "nethack343");
}

#[test]
fn damaged_unnethack() {
    damaged("unnethack-6.0.4", "unnethack");
}

#[test]
fn damaged_sporkhack() {
    damaged("sporkhack-0.7.0", "sporkhack");
}

#[test]
fn damaged_nethack36() {
    damaged("nethack-3.6.7", "nethack36");
}

/// `place[-2]` has the numbers of the square (1,1), which an empty map does not have.
#[test]
fn a_register_below_zero_is_read_back_on_any_map() {
    let catalog = Catalog::by_name("nethack-3.4.3").unwrap();
    for (rows, shown) in [("", "place[-2]"), ("...\n...\n", "(1,1)")] {
        let text = format!("MAZE:\"x\",' '\nGEOMETRY:center,center\nMAP\n{rows}ENDMAP\nTRAP:\"pit\",place[-2]\n");
        for abi in abis(catalog) {
            let [level] = compiled(text.clone().into(), catalog, abi).unwrap().try_into().unwrap();
            let raised = raise(&level, catalog, abi).unwrap();
            assert!(des::print(&raised.module, catalog).unwrap().contains(shown));
        }
    }
}

/// The element of an array is two values on the stack, and the games' compilers leave one of them there after a SWITCH.
#[test]
fn a_switch_on_an_element_is_read_back() {
    let text = "LEVEL: \"x\"\nNOMAP\n$c = { 0, 1 }\n$i = 1\nLOOP [2] {\n  SWITCH [$c[$i]] {\n    CASE 1:\n      \
                FOUNTAIN: random\n      BREAK\n    DEFAULT:\n      SINK: random\n  }\n}\nSWITCH [$c[$c[0]]] {\n  \
                CASE 0:\n    SINK: random\n}\nSWITCH [3] {\n  CASE 2:\n    FOUNTAIN: random\n}\n";
    for name in ["unnethack-6.0.4", "nethack-3.6.7"] {
        let catalog = Catalog::by_name(name).unwrap();
        for abi in abis(catalog) {
            let [level] = compiled(text.into(), catalog, abi).unwrap().try_into().unwrap();
            let raised = raise(&level, catalog, abi).unwrap_or_else(|error| panic!("{name}: {error:?}"));
            let printed = des::print(&raised.module, catalog).unwrap();
            assert!(printed.contains("SWITCH [$c[$i]]") && printed.contains("SWITCH [$c[$c[0]]]"), "{printed}");
            let bytes = level_file::encode(&level, catalog, abi, catalog.header(abi.name).unwrap()).unwrap();
            assert_eq!(there_and_back(&bytes, "x", catalog, abi), Ok(()), "{name} on {}", abi.name);
        }
    }
}

fn program(ops: Vec<Op>) -> Loadable {
    let flags = [push(0), Op { code: Opcode::LevelFlags, operand: None, span: Span::NOWHERE }];
    Loadable::Program(Program { name: "x".into(), ops: flags.into_iter().chain(ops).collect(), ..Program::default() })
}

fn push(number: i64) -> Op {
    Op { code: Opcode::Push, operand: Some(Operand::Integer(number)), span: Span::NOWHERE }
}

fn op(code: Opcode) -> Op {
    Op { code, operand: None, span: Span::NOWHERE }
}

/// Programs that would be nested too deeply, or take too long, are rejected.
#[test]
fn depth_and_time_are_bounded() {
    const MANY: usize = 100_000;
    let catalog = Catalog::by_name("unnethack-6.0.4").unwrap();
    let refused = |ops: Vec<Op>| raise(&program(ops), catalog, &abi::ALL[0]).expect_err("it is too deep").to_string();
    // A sum of sums of sums.
    let sums = std::iter::repeat_n(push(1), MANY).chain(std::iter::repeat_n(op(Opcode::MathAdd), MANY - 1));
    assert!(refused(sums.collect()).contains("nested too deeply"));
    // An IF in an IF in an IF, all of which end at the end.
    let begin = |at: usize| {
        let left = (MANY - at) * 5 - 4;
        [push(1), push(1), op(Opcode::Cmp), push(left as i64), op(Opcode::Jne)]
    };
    assert!(refused((0..MANY).flat_map(begin).collect()).contains("nested too deeply"));
    // A room in a room in a room.
    let room = || (0..10).map(|_| push(-1)).chain([op(Opcode::Room)]);
    let rooms = (0..MANY).flat_map(|_| room()).chain(std::iter::repeat_n(op(Opcode::EndRoom), MANY));
    assert!(!refused(rooms.collect()).is_empty());
    // A long sum and a long union are lists.
    let one = [push(1), push(1), op(Opcode::MathAdd)].into_iter();
    let sum = one.chain((0..MANY).flat_map(|_| [push(1), op(Opcode::MathAdd)]));
    let random = Operand::Coordinate(splc_ir::program::Coordinate::Random(Vec::new()));
    let place = Op { code: Opcode::Push, operand: Some(random), span: Span::NOWHERE };
    let gold = raise(&program(sum.chain([place, op(Opcode::Gold)]).collect()), catalog, &abi::ALL[0]);
    assert_eq!(gold.map(|raised| raised.notes), Ok(Vec::new()));
}

/// The place in the file and the number of the opcode are reported.
#[test]
fn levels_without_source_are_reported() {
    let catalog = Catalog::by_name("unnethack-6.0.4").unwrap();
    let path = splc_tests::corpus("unnethack/golden/lp64le/bigrm.lev");
    let bytes = std::fs::read(path).unwrap();
    let file = read(&bytes, "bigrm", FileId(0), catalog, &abi::ALL[0]).unwrap();
    let Loadable::Program(mut whole) = file.level else { panic!("it is a list of opcodes") };
    let at = whole.ops.iter().position(|op| op.code == Opcode::NonDiggable).unwrap();
    whole.ops[at].code = Opcode::Fountain;
    let place = whole.ops[at - 1].span;
    let problem = raise(&Loadable::Program(whole), catalog, &abi::ALL[0]).expect_err("no source gives it");
    assert_eq!((problem.span, problem.opcode), (place, Some(at - 1)));
    assert!(problem.to_string().contains("expected a selection on the stack"), "{problem}");
}
