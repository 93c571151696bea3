//! The game around a level, as far as the level can query it: its place in the dungeon, the hero, the time.

use std::fmt;
use std::ops::RangeInclusive;

use splc_ir::catalog::Catalog;
use splc_ir::diagnostic::did_you_mean;
use splc_ir::wording::visible;

use crate::limits::{MAX_RUN_OPCODES, USUAL_DRAWS};

/// The depths of levels.
pub const DEPTHS: RangeInclusive<i32> = 1..=127;

/// The game around a level. The [default](Settings::default) is that of the reference traces: depth 5 of the main
/// dungeon, a neutral human archeologist called "wizard", 2001-09-09 01:46:40.
#[derive(Clone, Debug, PartialEq)]
pub struct Settings {
    /// Depth of the level, from 1.
    pub depth: i32,
    /// Difficulty of the level.
    pub difficulty: i32,
    /// Alignment of the dungeon or level, favoured by altars and monsters of random alignment.
    pub alignment: Option<Alignment>,
    /// The hero.
    pub hero: Hero,
    /// The hero's clock: seconds since 1970-01-01 00:00:00 in the hero's time zone.
    pub clock: i64,
    /// Maximum number of opcodes that a script may run (the games: 65,536).
    pub fuel: u64,
    /// Maximum number of draws before a level counts as hanging.
    pub draws: u64,
}

/// The player's character.
#[derive(Clone, Debug, PartialEq)]
pub struct Hero {
    /// Name.
    pub name: String,
    /// Role, e.g. "Archeologist".
    pub role: String,
    /// Race, e.g. "human".
    pub race: String,
    /// Alignment at birth.
    pub alignment: Alignment,
    /// Numbers of the object types in the inventory.
    pub carries: Vec<u16>,
}

impl Hero {
    /// The playable races.
    pub const RACES: [&str; 5] = ["human", "elf", "dwarf", "gnome", "orc"];

    /// Returns the roles of a game: the names of its player monsters.
    pub fn roles(catalog: &Catalog) -> Vec<String> {
        let players = player_monsters(catalog).and_then(|players| catalog.monsters.get(players)).unwrap_or_default();
        players.iter().map(|player| capitalised(&player.name)).collect()
    }

    /// Checks the hero's role, and spells it as the game does.
    ///
    /// # Errors
    /// Fails if the game has no such role.
    pub fn check_role(&mut self, catalog: &Catalog) -> Result<(), UnknownName> {
        let name = self.role.to_lowercase();
        let is_known = player_monsters(catalog)
            .is_none_or(|players| monster(catalog, &name).is_some_and(|number| players.contains(&number)));
        if !is_known {
            let near = did_you_mean(&capitalised(&name), Hero::roles(catalog).iter().map(String::as_str));
            return Err(UnknownName::of("role", &self.role, catalog, near));
        }
        self.role = capitalised(&name);
        Ok(())
    }

    /// Adds an object to the inventory.
    ///
    /// # Errors
    /// Fails if the game has no object called `name`.
    pub fn carry(&mut self, name: &str, catalog: &Catalog) -> Result<(), UnknownName> {
        let number = catalog.object(name, None).and_then(|(number, _)| u16::try_from(number).ok());
        let near = || did_you_mean(name, catalog.objects.iter().map(|object| object.name.as_ref()));
        self.carries.push(number.ok_or_else(|| UnknownName::of("object", name, catalog, near()))?);
        Ok(())
    }
}

fn monster(catalog: &Catalog, name: &str) -> Option<usize> {
    catalog.monster(name, Some('@')).and_then(|(number, _)| usize::try_from(number).ok())
}

/// Returns the numbers of the player monsters, if the game has those of NetHack.
fn player_monsters(catalog: &Catalog) -> Option<RangeInclusive<usize>> {
    Some(monster(catalog, "archeologist")?..=monster(catalog, "wizard")?)
}

fn capitalised(name: &str) -> String {
    let mut letters = name.chars();
    letters.next().map_or(String::new(), |letter| letter.to_uppercase().chain(letters).collect())
}

/// A name in the settings that the game does not know.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownName {
    /// The message.
    pub message: String,
    /// The nearest name, if there is one.
    pub help: Option<String>,
}

impl UnknownName {
    fn of(what: &str, name: &str, catalog: &Catalog, help: Option<String>) -> UnknownName {
        UnknownName { message: format!("{} has no {what} \"{}\"", catalog.title, visible(name)), help }
    }
}

impl fmt::Display for UnknownName {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.message)?;
        self.help.iter().try_for_each(|help| write!(out, "; {help}"))
    }
}

impl std::error::Error for UnknownName {}

/// An alignment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Alignment {
    /// Chaotic.
    Chaotic,
    /// Neutral.
    Neutral,
    /// Lawful.
    Lawful,
}

impl Alignment {
    /// Every alignment.
    pub const ALL: [Alignment; 3] = [Alignment::Chaotic, Alignment::Neutral, Alignment::Lawful];

    /// Returns its name, e.g. "lawful".
    pub fn as_str(self) -> &'static str {
        match self {
            Alignment::Chaotic => "chaotic",
            Alignment::Neutral => "neutral",
            Alignment::Lawful => "lawful",
        }
    }

    /// Returns the alignment called `name`.
    pub fn named(name: &str) -> Option<Alignment> {
        Self::ALL.into_iter().find(|alignment| alignment.as_str() == name)
    }

    /// Bit of the alignment in the games' masks (`AM_CHAOTIC`, `AM_NEUTRAL`, `AM_LAWFUL`).
    pub(crate) fn mask(self) -> i32 {
        match self {
            Alignment::Chaotic => 1,
            Alignment::Neutral => 2,
            Alignment::Lawful => 4,
        }
    }
}

impl Default for Settings {
    fn default() -> Self {
        Settings {
            depth: 5,
            difficulty: 5,
            alignment: None,
            hero: Hero {
                name: "wizard".to_owned(),
                role: "Archeologist".to_owned(),
                race: "human".to_owned(),
                alignment: Alignment::Neutral,
                carries: Vec::new(),
            },
            clock: 1_000_000_000,
            fuel: MAX_RUN_OPCODES,
            draws: USUAL_DRAWS,
        }
    }
}

/// A part of the game around a level that a level or its loader can query.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Surrounding {
    /// The depth.
    Depth,
    /// The difficulty.
    Difficulty,
    /// The alignment of the dungeon or level.
    DungeonAlignment,
    /// The hero's alignment.
    HeroAlignment,
    /// The hero's role.
    HeroRole,
    /// The hero's race.
    HeroRace,
    /// The hero's name.
    HeroName,
    /// The hero's inventory.
    HeroCarries,
    /// The clock, as far as the time of day, the moon and special days go.
    Clock,
    /// The date.
    Date,
    /// Everything else: the hero's level and health, genocided monsters, turns played.
    Progress,
    /// Functions and values that only this game has.
    Own,
}

impl Surrounding {
    /// All parts.
    pub const ALL: [Surrounding; 12] = [
        Surrounding::Depth,
        Surrounding::Difficulty,
        Surrounding::DungeonAlignment,
        Surrounding::HeroAlignment,
        Surrounding::HeroRole,
        Surrounding::HeroRace,
        Surrounding::HeroName,
        Surrounding::HeroCarries,
        Surrounding::Clock,
        Surrounding::Date,
        Surrounding::Progress,
        Surrounding::Own,
    ];
}

/// A set of [`Surrounding`]s.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Surroundings(u16);

impl Surroundings {
    /// Adds a part.
    #[inline]
    pub fn add(&mut self, part: Surrounding) {
        self.0 |= 1 << part as u16;
    }

    /// Returns true if the part is in the set.
    pub fn has(self, part: Surrounding) -> bool {
        self.0 & 1 << part as u16 != 0
    }

    /// Returns true if the set is empty.
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Returns the parts of both sets.
    pub fn and(self, other: Surroundings) -> Surroundings {
        Surroundings(self.0 | other.0)
    }

    /// Returns the parts, in order.
    pub fn iter(self) -> impl Iterator<Item = Surrounding> {
        Surrounding::ALL.into_iter().filter(move |&part| self.has(part))
    }
}

/// A moment as calendar date and clock time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Moment {
    /// Year, e.g. 2001.
    pub year: i64,
    /// Month, 1 to 12.
    pub month: i64,
    /// Day of the month, 1 to 31.
    pub day: i64,
    /// Day of the year, from 0.
    pub day_of_year: i64,
    /// Day of the week, 0 for Sunday.
    pub day_of_week: i64,
    /// Hour, 0 to 23.
    pub hour: i64,
}

impl Moment {
    /// Converts `seconds` after 1970-01-01 00:00:00 by the Gregorian calendar.
    pub fn new(seconds: i64) -> Self {
        let days = seconds.div_euclid(86_400);
        let hour = seconds.rem_euclid(86_400) / 3600;
        // Years start in March, so that the leap day is the last of its year. Eras are 400 years long.
        let shifted = days + 719_468;
        let era = shifted.div_euclid(146_097);
        let day_of_era = shifted.rem_euclid(146_097);
        let year_of_era = (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
        let from_march = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
        let month_from_march = (5 * from_march + 2) / 153;
        let day = from_march - (153 * month_from_march + 2) / 5 + 1;
        let month = if month_from_march < 10 { month_from_march + 3 } else { month_from_march - 9 };
        let year = year_of_era + era * 400 + i64::from(month <= 2);
        let leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
        const BEFORE: [i64; 12] = [0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334];
        let day_of_year = BEFORE[(month - 1) as usize] + day - 1 + i64::from(leap && month > 2);
        Moment { year, month, day, day_of_year, day_of_week: (days + 4).rem_euclid(7), hour }
    }

    /// Phase of the moon, 0 (new) to 7; 4 is full (`phase_of_the_moon`).
    pub fn moon(&self) -> i64 {
        let golden = (self.year - 1900).rem_euclid(19) + 1;
        let mut epact = (11 * golden + 18) % 30;
        if (epact == 25 && golden > 11) || epact == 24 {
            epact += 1;
        }
        ((((self.day_of_year + epact) * 6 + 11) % 177) / 22) & 7
    }
}

/// Returns times that cover everything a level can ask the clock for, except the date: midnight, night and day, on
/// ordinary and special days, in every phase of the moon.
#[doc(hidden)]
pub fn telling_times() -> Vec<i64> {
    const DAY: i64 = 86_400;
    const HOURS: [i64; 4] = [0, 3, 12, 22];
    /// Days searched, from 1990 on: each special day falls on each phase of the moon within a century.
    const DAYS: std::ops::Range<i64> = 7305..43_830;
    let mut days = std::collections::BTreeMap::new();
    for day in DAYS {
        let moment = Moment::new(day * DAY);
        let special = match (moment.month, moment.day) {
            (3, 14) | (7, 22) => 1,
            (4, 1) => 2,
            (5, 23) => 3,
            (5, 25) => 4,
            (9, 19) => 5,
            (_, 13) if moment.day_of_week == 5 => 6,
            _ => 0,
        };
        days.entry((special, moment.moon())).or_insert(day);
    }
    days.into_values().flat_map(|day| HOURS.map(|hour| day * DAY + hour * 3600)).collect()
}

/// Formats a time: "2001-09-09 at 01:46".
pub fn clock_in_words(seconds: i64) -> String {
    let Moment { year, month, day, hour, .. } = Moment::new(seconds);
    format!("{year:04}-{month:02}-{day:02} at {hour:02}:{:02}", seconds.rem_euclid(3600) / 60)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moments_are_those_of_the_calendar() {
        let moment = Moment::new(1_000_000_000);
        assert_eq!((moment.year, moment.month, moment.day, moment.hour), (2001, 9, 9, 1));
        assert_eq!((moment.day_of_year, moment.day_of_week), (251, 0));
        let leap = Moment::new(951_782_400); // 2000-02-29
        assert_eq!((leap.year, leap.month, leap.day, leap.day_of_year), (2000, 2, 29, 59));
        let before = Moment::new(-1);
        assert_eq!((before.year, before.month, before.day, before.hour, before.day_of_week), (1969, 12, 31, 23, 3));
    }
}
