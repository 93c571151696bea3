//! Reading of level files: the output of the game's own compiler is reproduced byte for byte, and any other input is
//! read or rejected.

use std::fs;
use std::path::Path;
use std::sync::OnceLock;

use proptest::prelude::*;
use splc_frontends::parts_file::{self, LevelFile};
use splc_ir::abi::Abi;
use splc_ir::diagnostic::{Code, Diagnostic};
use splc_ir::loadable::Loadable;
use splc_ir::source::FileId;
use splc_vm::{Machine, Prepared, Settings, SplitMix};

use super::{ABIS, CATALOG, files, reference};

fn read(bytes: &[u8], abi: &str) -> Result<LevelFile, Diagnostic> {
    parts_file::read(bytes, "x", FileId(0), CATALOG, Abi::by_name(abi).unwrap())
}

fn write(file: &LevelFile, abi: &str) -> Vec<u8> {
    splc_backends::parts::encode(&file.level, Abi::by_name(abi).unwrap(), &file.header)
}

/// Reads and writes all level files in the folders of the ABIs in `folder`. Returns their number, and the number of
/// those with bytes after their level.
fn compare(folder: &Path) -> (usize, usize) {
    let (mut count, mut longer) = (0, 0);
    for abi in ABIS {
        for path in files(&folder.join(abi), ".lev") {
            let bytes = fs::read(&path).unwrap();
            let file = read(&bytes, abi).unwrap_or_else(|error| panic!("{}: {}", path.display(), error.message));
            let end = bytes.len() - file.trailing;
            assert!(write(&file, abi) == bytes[..end], "{} differs", path.display());
            count += 1;
            longer += usize::from(file.trailing > 0);
        }
    }
    (count, longer)
}

#[test]
#[cfg_attr(not(reference), ignore = "no reference data: set SPLC_REFERENCE")]
fn shipped_level_files_are_read_completely() {
    let reference = reference();
    let (count, longer) = compare(&reference.join("lev"));
    println!("nethack-3.4.3: {count} level files read and written, {longer} of them with bytes behind the level");
    assert_eq!((count, longer), (565, 0));
}

fn golden() -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../corpus/nethack343/golden")
}

/// Returns the offset of `error`, and its message.
fn placed(error: &splc_ir::diagnostic::Diagnostic) -> String {
    error.span.map_or(String::new(), |span| format!("byte {}: ", span.start)) + error.message.text()
}

#[test]
fn level_files_of_the_corpus_are_read_completely() {
    let (count, longer) = compare(&golden());
    println!("corpus: {count} level files read and written, {longer} of them with bytes behind the level");
    assert!(count >= 29 * ABIS.len());
}

#[test]
fn other_machines_and_games_are_rejected() {
    let bytes = fs::read(golden().join("lp64le/gate.lev")).unwrap();
    for abi in &ABIS[1..] {
        let error = read(&bytes, abi).unwrap_err();
        assert_eq!(error.code, Code::Damaged);
        let place = if *abi == "ilp32le" { "byte " } else { "byte 0: the file has version " };
        assert!(placed(&error).starts_with(place), "{abi}: {}", placed(&error));
    }
    let other = splc_ir::catalog::Catalog::by_name("unnethack-6.0.4").unwrap();
    let error = parts_file::read(&bytes, "x", FileId(0), other, Abi::by_name("lp64le").unwrap()).unwrap_err();
    assert_eq!(error.code, Code::Target);
}

#[test]
fn damage_is_reported_at_its_place() {
    let whole = fs::read(golden().join("lp64le/gate.lev")).unwrap();
    let said = |bytes: &[u8]| placed(&read(bytes, "lp64le").unwrap_err());
    let with = |at: usize, byte: u8| {
        let mut bytes = whole.clone();
        bytes[at] = byte;
        said(&bytes)
    };
    assert_eq!(said(&whole[..20]), "byte 16: the file ends inside the version header");
    assert_eq!(with(32, 7), "byte 32: level type 7 does not exist in NetHack 3.4.3");
    assert_eq!(with(48, 1), "byte 41: unknown flags 0x100000000000001");
    assert!(said(&whole[..whole.len() - 1]).contains("the file ends inside "));
    let at = 49 + 1 + usize::from(whole[49]) + 2 + 2;
    assert!(with(at + 1, 255).contains(" by 255, but the file has "), "{}", with(at + 1, 255));
}

fn samples() -> &'static [(&'static str, Vec<u8>)] {
    static SAMPLES: OnceLock<Vec<(&'static str, Vec<u8>)>> = OnceLock::new();
    SAMPLES.get_or_init(|| {
        let of = |abi: &'static str| files(&golden().join(abi), ".lev").into_iter().map(move |path| (abi, path));
        ABIS.into_iter().flat_map(of).map(|(abi, path)| (abi, fs::read(path).unwrap())).collect()
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: splc_tests::cases(2000), failure_persistence: None, ..ProptestConfig::default() })]

    /// Damaged files are rejected or read. A level that was read reads the same after writing it, can be listed, and
    /// runs to an end or a fault.
    #[test]
    fn damaged_files(
        which in any::<prop::sample::Index>(),
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 0..6),
        length in any::<prop::sample::Index>(),
        cut in any::<bool>(),
        other in prop::sample::select(ABIS.to_vec()),
        seed in any::<u64>(),
    ) {
        let (abi, bytes) = &samples()[which.index(samples().len())];
        let mut bytes = bytes.clone();
        for (at, byte) in changes {
            let at = at.index(bytes.len());
            bytes[at] = byte;
        }
        if cut {
            bytes.truncate(length.index(bytes.len()));
        }
        for abi in [abi, other] {
            match read(&bytes, abi) {
                Ok(file) => {
                    let again = read(&write(&file, abi), abi).unwrap();
                    prop_assert_eq!(write(&again, abi), write(&file, abi));
                    let level = Loadable::Parts(file.level);
                    prop_assert!(splc_backends::listing::write(&level, CATALOG, None).starts_with("; level \"x\""));
                    let level = Prepared::load(level, CATALOG).unwrap();
                    let settings = Settings { draws: 50_000, ..Settings::default() };
                    let _ = Machine::new().run(&level, &settings, &mut SplitMix::new(seed), &mut ());
                }
                Err(error) => prop_assert!(placed(&error).starts_with("byte "), "{}", error.message),
            }
        }
    }

    #[test]
    fn any_bytes_after_a_header(bytes in prop::collection::vec(any::<u8>(), 0..400), abi in prop::sample::select(ABIS.to_vec())) {
        let machine = Abi::by_name(abi).unwrap();
        let mut file = Vec::new();
        for &long in CATALOG.header(abi).unwrap() {
            machine.put_long(&mut file, long as i64);
        }
        file.extend(bytes);
        match read(&file, abi) {
            Ok(read) => prop_assert!(write(&read, abi).len() + read.trailing == file.len()),
            Err(error) => prop_assert!(placed(&error).starts_with("byte "), "{}", error.message),
        }
    }
}
