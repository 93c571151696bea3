//! Which game a run is about: dialects and their names, and what a level file tells of its game.

use splc_ir::abi::{self, Abi};
use splc_ir::catalog::{self, Catalog};

/// A language of des-files.
#[derive(Debug)]
pub struct Dialect {
    /// Its name, as catalogs have it.
    pub name: &'static str,
    /// Other names for it.
    pub aliases: &'static [&'static str],
    /// The game that is meant when nothing else is said.
    pub default_target: &'static str,
    /// How the game's own compiler writes its messages.
    pub messages: MessageForm,
}

/// How a game's own compiler writes its messages (`yyerror` of each; the end of a level in its grammar).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MessageForm {
    /// How it names the place of an error.
    pub place: PlaceForm,
    /// How it counts errors.
    pub total: TotalForm,
}

/// How a compiler names the place of an error; warnings are all written `line 3 : WARNING : `.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PlaceForm {
    /// `line 3 : `
    Line,
    /// `line 3, pos 14` and then this; positions count from 0.
    LineAndPosition(&'static str),
}

/// What a compiler counts the errors of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TotalForm {
    /// `x.des : 2 errors detected.`
    File,
    /// `x.des: 2 errors detected for level "x".`
    Level,
}

/// Every dialect.
pub const DIALECTS: &[Dialect] = &[
    Dialect {
        name: "unnethack",
        aliases: &[],
        default_target: "unnethack-6.0.4",
        messages: MessageForm { place: PlaceForm::LineAndPosition(" : "), total: TotalForm::Level },
    },
    Dialect {
        name: "nethack343",
        aliases: &["vanilla", "343"],
        default_target: "nethack-3.4.3",
        messages: MessageForm { place: PlaceForm::Line, total: TotalForm::File },
    },
    Dialect {
        name: "nethack36",
        aliases: &["36"],
        default_target: "nethack-3.6.7",
        messages: MessageForm { place: PlaceForm::LineAndPosition(": "), total: TotalForm::Level },
    },
    Dialect {
        name: "sporkhack",
        aliases: &[],
        default_target: "sporkhack-0.7.0",
        messages: MessageForm { place: PlaceForm::Line, total: TotalForm::Level },
    },
];

/// The ABI that is meant when nothing else is said.
pub const DEFAULT_ABI: &Abi = &abi::ALL[0];

/// How many bytes the longest version header takes.
pub const HEADER_BYTES: usize = 64;

impl Dialect {
    /// The dialect of that name or alias.
    pub fn by_name(name: &str) -> Option<&'static Dialect> {
        DIALECTS.iter().find(|dialect| dialect.name == name || dialect.aliases.contains(&name))
    }

    /// The dialect that `catalog`'s game reads.
    pub fn of(catalog: &Catalog) -> Option<&'static Dialect> {
        Dialect::by_name(&catalog.dialect)
    }

    /// The game that is meant when nothing else is said.
    pub fn default_target(&self) -> Option<&'static Catalog> {
        Catalog::by_name(self.default_target)
    }
}

/// A game on a machine, and the version header of its level files.
#[derive(Clone, Debug, PartialEq)]
pub struct Build {
    /// Name of the game's catalog.
    pub catalog: &'static str,
    /// The machine.
    pub abi: &'static Abi,
    /// The header.
    pub header: Vec<u64>,
    /// Another machine whose files look the same.
    pub or: Option<&'static Abi>,
}

impl Build {
    /// The machines that it may be for, the likeliest first.
    pub fn machines(&self) -> impl Iterator<Item = &'static Abi> + use<> {
        std::iter::once(self.abi).chain(self.or)
    }
}

/// Finds out what build the level file that starts with `bytes` is for; `None` if none that is known.
///
/// The version must be that of the game; features and checksums may differ, as they do between builds.
/// `wanted` and `abi` narrow the choice.
pub fn recognise(bytes: &[u8], wanted: impl Fn(&Catalog) -> bool, abi: Option<&Abi>) -> Option<Build> {
    let mut best: Option<((usize, bool), Build)> = None;
    for catalog in catalog::ALL.iter().filter(|catalog| wanted(catalog)) {
        for (name, known) in catalog.headers.iter() {
            let Some(machine) = Abi::by_name(name).filter(|machine| abi.is_none_or(|abi| abi == *machine)) else {
                continue;
            };
            let Some(header) = longs(bytes, known.len(), machine) else { continue };
            // A file of 32-bit longs read as one of 64-bit longs has no such version, as two longs run
            // together; the other way round, zeros show up among the longs.
            if header.first() != known.first() || (abi.is_none() && header.contains(&0)) {
                continue;
            }
            // Of builds that fit equally well, the usual one of the dialect is meant.
            let usual = Dialect::of(catalog).is_some_and(|dialect| dialect.default_target == catalog.name);
            let score = (known.iter().zip(&header).filter(|(known, found)| known == found).count(), usual);
            match &mut best {
                Some((most, build)) if score == *most && build.catalog == catalog.name => {
                    build.or = build.or.or(Some(machine));
                }
                Some((most, _)) if score <= *most => {}
                _ => best = Some((score, Build { catalog: &catalog.name, abi: machine, header, or: None })),
            }
        }
    }
    best.map(|(_, build)| build)
}

/// The first `count` unsigned longs of `bytes`.
fn longs(bytes: &[u8], count: usize, abi: &Abi) -> Option<Vec<u64>> {
    let mask = if abi.long == 4 { u64::from(u32::MAX) } else { u64::MAX };
    (0..count).map(|at| abi.long(bytes, at * abi.long).map(|long| long as u64 & mask)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn header(catalog: &Catalog, abi: &Abi) -> Vec<u8> {
        let mut bytes = Vec::new();
        for &long in catalog.header(abi.name).unwrap() {
            abi.put_long(&mut bytes, long as i64);
        }
        bytes.extend([0; HEADER_BYTES]);
        bytes
    }

    #[test]
    fn every_catalog_has_a_dialect_and_every_dialect_a_catalog() {
        for catalog in catalog::ALL {
            assert!(Dialect::of(catalog).is_some(), "{}", catalog.name);
            assert!(catalog.header(DEFAULT_ABI.name).is_some(), "{}", catalog.name);
        }
        for dialect in DIALECTS {
            assert_eq!(dialect.default_target().unwrap().dialect, dialect.name);
        }
    }

    #[test]
    fn headers_fit() {
        for catalog in catalog::ALL {
            assert!(catalog.headers.iter().all(|(_, longs)| longs.len() * 8 <= HEADER_BYTES), "{}", catalog.name);
        }
    }

    #[test]
    fn every_build_is_recognised() {
        for catalog in catalog::ALL {
            for (name, known) in catalog.headers.iter() {
                let abi = Abi::by_name(name).unwrap();
                let build = recognise(&header(catalog, abi), |_| true, None).unwrap();
                assert_eq!(build.catalog, catalog.name, "{name}");
                assert_eq!(build.header, known.as_ref(), "{} {name}", catalog.name);
                // Two machines may make the same header, but then the other one is named.
                assert!(build.abi == abi || build.or == Some(abi), "{} {name}: {build:?}", catalog.name);
            }
        }
    }

    #[test]
    fn other_features_and_checksums_are_taken_over() {
        let catalog = Catalog::by_name("nethack-3.6.7").unwrap();
        for abi in abi::ALL.iter().filter(|abi| catalog.header(abi.name).is_some()) {
            let mut bytes = header(catalog, abi);
            for at in 1..4 {
                let place = at * abi.long + if abi.order == abi::Order::Little { 0 } else { abi.long - 1 };
                bytes[place] ^= 0x11;
            }
            let build = recognise(&bytes, |_| true, None).unwrap();
            assert_eq!((build.catalog, build.abi), (catalog.name.as_ref(), abi));
            assert_ne!(build.header, catalog.header(abi.name).unwrap());
        }
    }

    #[test]
    fn what_is_no_level_file_is_not_recognised() {
        for bytes in [
            &b""[..],
            b"MAZE",
            &[0; 64],
            &[0xff; 64],
            b"LEVEL: \"x\"\nMESSAGE: \"a text that is long enough for all longs\"",
        ] {
            assert_eq!(recognise(bytes, |_| true, None), None);
        }
    }
}
