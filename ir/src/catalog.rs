//! Game data: terrain, monsters, objects, traps, room types, keywords, opcode numbers, limits and the version header of
//! level files.
//!
//! The data is in `ir/catalogs/NAME.toml`, one file per game; the build turns those files into the static tables of
//! [`ALL`]. The rest of splc contains no names or numbers of a game.

use std::borrow::Cow::Borrowed;

use crate::program::Opcode;

/// Called with the fields of each structure of catalogs. Only the build script needs them.
macro_rules! constants {
    ($($any:tt)*) => {};
}

mod bits;
mod colors;
pub mod dialect;
mod features;
mod fields;
mod file;
mod groups;
mod load;
mod loader;
mod lookup;
mod shared;

use bits::Named;
pub use colors::Color;
pub use dialect::Dialect;
pub use features::{Feature, Features};
use fields::{ByName, Index};
pub use fields::{
    Catalog, Controls, CoreFunction, DungeonNumber, Format, Limits, Loader, Look, Method, Name, Numbers, OwnFunction,
    OwnKey, OwnWord, Packing, Rules, Scripts, Species, Table, ValueKind,
};
pub use file::{Comments, name_and_class};
pub use groups::Group;
pub use load::{Beside, Catalogs, NothingBeside};
pub use loader::{Habit, Habits, LoaderRule, LoaderRules};
pub use lookup::Match;
pub use shared::Shared;

impl Packing {
    /// Packs the number of a monster or object with its class in the lower eight bits.
    pub fn species(self, number: i64, class: i64) -> i64 {
        ((number + self.species_bias) << 8) + (class & 0xff)
    }

    /// Packs the number of a light with the terrain in the lower eight bits.
    pub fn light(self, light: i64, terrain: i64) -> i64 {
        ((light + self.light_bias) << 8) + (terrain & 0xff)
    }
}

/// The difficulty of trap types that are never created at random.
pub const NEVER_RANDOM: u16 = u16::MAX;

impl Named for Opcode {
    const VALUES: &'static [Opcode] = Opcode::ALL;

    fn called(self) -> Name {
        self.as_str().into()
    }
}

impl Opcode {
    /// Returns the opcode called `name`, for tables generated at build time.
    const fn from_catalog(name: &str) -> Opcode {
        let mut at = 0;
        while at < Opcode::ALL.len() {
            if same(Opcode::ALL[at].as_str().as_bytes(), name.as_bytes()) {
                return Opcode::ALL[at];
            }
            at += 1;
        }
        panic!("a catalog has an opcode that `program::Opcode` lacks")
    }
}

const fn same(left: &[u8], right: &[u8]) -> bool {
    if left.len() != right.len() {
        return false;
    }
    let mut at = 0;
    while at < left.len() {
        if left[at] != right[at] {
            return false;
        }
        at += 1;
    }
    true
}

include!(concat!(env!("OUT_DIR"), "/catalogs.rs"));

#[cfg(test)]
mod tests {
    use super::bits::Named;
    use super::*;

    #[test]
    fn former_names_of_rules_are_read() {
        assert_eq!(LoaderRule::named("runs_are_told_in_detail"), Some(LoaderRule::TracesAreDetailed));
        assert_eq!(LoaderRule::named("traces_are_detailed"), Some(LoaderRule::TracesAreDetailed));
        assert_eq!(LoaderRule::named("random_flips"), Some(LoaderRule::RandomFlips));
        assert_eq!(LoaderRule::named("none"), None);
    }

    #[test]
    fn every_species_is_found_by_its_name_and_class() {
        for catalog in ALL {
            for (at, species) in catalog.monsters.iter().enumerate().filter(|(_, species)| !species.name.is_empty()) {
                let (found, how) = catalog.monster(&species.name, Some(species.class)).expect(&species.name);
                assert!(found as usize <= at && how == Match::Exact, "{}: {}", catalog.name, species.name);
                assert_eq!(catalog.monsters[found as usize].name, species.name);
            }
            for species in catalog.objects.iter().filter(|species| !species.name.is_empty()) {
                let shouted = species.name.to_uppercase();
                let (found, _) = catalog.object(&shouted, Some(species.class)).expect(&species.name);
                assert!(catalog.objects[found as usize].name.eq_ignore_ascii_case(&species.name));
            }
        }
    }

    #[test]
    fn names_beside_the_name_belong_to_what_has_them() {
        let catalog = Catalog::by_name("nethack-5.0.0").unwrap();
        let of = |number: &u16| catalog.monsters[usize::from(*number)].name.as_ref();
        let forms = |name: &str| {
            let forms = catalog.monster_forms().iter().filter(|(_, male, female)| male == name || female == name);
            forms.map(|(number, ..)| of(number)).collect::<Vec<_>>()
        };
        assert_eq!(forms("gnome lord"), ["gnome leader"]);
        assert_eq!(forms("Elvenqueen"), ["elven monarch"]);
        assert_eq!(forms("priestess"), ["aligned cleric", "cleric"]);
        let (bag, _) = catalog.object("bag of holding", None).unwrap();
        let described = catalog.object_descriptions().iter().find(|(number, _)| i32::from(*number) == bag);
        assert_eq!(described.unwrap().1, "bag");
        assert!(ALL.iter().all(|game| !game.has_level_files() || game.monster_forms().is_empty()));
    }

    #[test]
    fn almost_every_species_has_a_color() {
        for catalog in ALL {
            for species in [&catalog.monsters, &catalog.objects] {
                // Objects without a name are never looked up.
                let named = species.iter().filter(|kind| !kind.name.is_empty());
                let unknown = named.clone().filter(|kind| kind.color.is_none()).count();
                assert!(unknown * 20 <= named.count(), "{}: {unknown}", catalog.name);
            }
        }
    }

    #[test]
    fn a_dialect_can_have_colors_of_its_own() {
        let color = |game: &str| {
            let catalog = Catalog::by_name(game).unwrap();
            catalog.monsters.iter().find(|kind| kind.name == "floating eye").unwrap().color
        };
        assert_eq!(color("nethack-3.4.3"), Some(Color::Blue));
        assert_eq!(color("unnethack-6.0.4"), Some(Color::BrightGreen));
    }

    #[test]
    fn a_name_of_another_class_is_not_found() {
        for catalog in ALL {
            assert!(catalog.monster("giant ant", Some('d')).is_none());
            assert!(catalog.monster("giant antt", None).is_none());
            assert!(catalog.object("long sword", Some('!')).is_none());
        }
    }
}
