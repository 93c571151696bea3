//! Recognises the game and machine of a level file by its version header.

use splc_ir::abi::Abi;
use splc_ir::catalog::{Catalog, Catalogs, Shared};

use crate::games::Dialect;

/// Size of the longest version header, in bytes.
pub const HEADER_BYTES: usize = 64;

/// A game on a machine, with the version header of its level files.
#[derive(Clone, Debug, PartialEq)]
pub struct Build {
    /// The game's catalog.
    pub catalog: Shared,
    /// The machine.
    pub abi: &'static Abi,
    /// The header.
    pub header: Vec<u64>,
    /// Another machine with identical headers.
    pub or: Option<&'static Abi>,
}

impl Build {
    /// Returns the possible machines, the likeliest first.
    pub fn machines(&self) -> impl Iterator<Item = &'static Abi> + use<> {
        std::iter::once(self.abi).chain(self.or)
    }
}

/// Recognises the build of the level file that starts with `bytes`, or returns `None` if it is unknown.
///
/// The version must be that of the game. Features and checksums may differ, as they do between builds. `among` are the
/// candidate games, of which the first wins if several match equally well. `wanted` and `abi` narrow the choice.
pub fn recognise(
    bytes: &[u8],
    among: &Catalogs,
    wanted: impl Fn(&Catalog) -> bool,
    abi: Option<&Abi>,
) -> Option<Build> {
    let mut best: Option<((usize, bool), Build)> = None;
    for catalog in among.iter().filter(|catalog| wanted(catalog)) {
        for (name, known) in catalog.headers.iter() {
            let Some(machine) = Abi::by_name(name).filter(|machine| abi.is_none_or(|abi| abi == *machine)) else {
                continue;
            };
            let Some(header) = longs(bytes, known.len(), machine) else { continue };
            // A file of 32-bit longs read with 64-bit longs has a different version, as two longs are combined. In the
            // opposite case, zeros appear among the longs.
            if header.first() != known.first() || (abi.is_none() && header.contains(&0)) {
                continue;
            }
            // Among builds that match equally well, prefer the default of the dialect.
            let usual = Dialect::of(&catalog).is_some_and(|dialect| dialect.default_target == catalog.name);
            let score = (known.iter().zip(&header).filter(|(known, found)| known == found).count(), usual);
            match &mut best {
                Some((most, build)) if score == *most && build.catalog == catalog => {
                    build.or = build.or.or(Some(machine));
                }
                Some((most, _)) if score <= *most => {}
                _ => best = Some((score, Build { catalog: catalog.clone(), abi: machine, header, or: None })),
            }
        }
    }
    best.map(|(_, build)| build)
}

/// Returns the first `count` unsigned longs of `bytes`.
pub(crate) fn longs(bytes: &[u8], count: usize, abi: &Abi) -> Option<Vec<u64>> {
    let mask = if abi.long == 4 { u64::from(u32::MAX) } else { u64::MAX };
    (0..count).map(|at| abi.long(bytes, at * abi.long).map(|long| long as u64 & mask)).collect()
}

#[cfg(test)]
mod tests {
    use splc_ir::{abi, catalog};

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
                let build = recognise(&header(catalog, abi), &Catalogs::default(), |_| true, None).unwrap();
                assert_eq!(build.catalog.name, catalog.name, "{name}");
                assert_eq!(build.header, known.as_ref(), "{} {name}", catalog.name);
                // Two machines can share a header, but then `or` names the other one.
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
            let build = recognise(&bytes, &Catalogs::default(), |_| true, None).unwrap();
            assert_eq!((build.catalog.name.as_ref(), build.abi), (catalog.name.as_ref(), abi));
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
            assert_eq!(recognise(bytes, &Catalogs::default(), |_| true, None), None);
        }
    }
}
