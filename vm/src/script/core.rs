//! Core functions: a script's queries to the game (`spo_corefunc`).

use splc_ir::program::{OperandStack, operands};
use splc_ir::value::ValueType;

use super::{Script, Stop};
use crate::game::CoreFunction;
use crate::level::{COLUMNS, ROWS, Whereabouts};
use crate::observer::Complaint;
use crate::settings::{Moment, Surrounding};
use crate::value::Value;

pub(super) fn pack_place(x: i64, y: i64) -> Value {
    Value::Number(ValueType::Coordinate, (x & 0xff) + ((y & 0xff) << 16))
}

/// Parses the number at the start of a text (`atoi`).
fn leading_number(text: &[u8]) -> i64 {
    let text = text.trim_ascii_start();
    let (negative, digits) = match text.split_first() {
        Some((b'-', rest)) => (true, rest),
        Some((b'+', rest)) => (false, rest),
        _ => (false, text),
    };
    let digits = digits.iter().take_while(|digit| digit.is_ascii_digit());
    let number = digits.fold(0_i64, |number, &digit| number.saturating_mul(10).saturating_add((digit - b'0').into()));
    i64::from(if negative { -number } else { number } as i32)
}

impl Script<'_> {
    /// Pops an argument that is a number of a type.
    fn argument(&mut self, wanted: ValueType) -> Result<i64, Stop> {
        self.number("argument", wanted)
    }

    /// Calls a core function.
    pub(super) fn core_function(&mut self) -> Result<(), Stop> {
        let operands::CoreFunc { function } = self.operands()?;
        let Some(function) = self.prepared.game.core_function(function) else {
            self.loader.complain(Complaint::CoreFunction);
            return Ok(());
        };
        let part = match function {
            CoreFunction::Difficulty => Some(Surrounding::Difficulty),
            CoreFunction::Depth => Some(Surrounding::Depth),
            CoreFunction::HeroName => Some(Surrounding::HeroName),
            CoreFunction::HeroRole => Some(Surrounding::HeroRole),
            CoreFunction::HeroRace => Some(Surrounding::HeroRace),
            CoreFunction::HeroCarries => Some(Surrounding::HeroCarries),
            CoreFunction::Date => Some(Surrounding::Date),
            function if function.is_of_clock() => Some(Surrounding::Clock),
            _ => None,
        };
        if let Some(part) = part {
            self.loader.ask_for_level(part);
        }
        let settings = self.loader.settings;
        let moment = || Moment::new(settings.clock);
        let truth = |on: bool| i64::from(on);
        let on_day = |month: i64, day: i64| {
            let moment = moment();
            truth((moment.month, moment.day) == (month, day))
        };
        let room = self.room().map(|room| self.loader.level.rooms[room]);
        let value = match function {
            CoreFunction::DiscordianHoliday => on_day(5, 23),
            CoreFunction::PirateDay => on_day(9, 19),
            CoreFunction::AprilFoolsDay => on_day(4, 1),
            CoreFunction::PiDay => on_day(3, 14) | on_day(7, 22),
            CoreFunction::TowelDay => on_day(5, 25),
            CoreFunction::Midnight => truth(moment().hour == 0),
            CoreFunction::Night => truth(moment().hour < 6 || moment().hour > 21),
            CoreFunction::Friday13 => truth(moment().day == 13 && moment().day_of_week == 5),
            CoreFunction::MoonPhase => moment().moon(),
            CoreFunction::Date => {
                let moment = moment();
                (moment.year * 100 + moment.month) * 100 + moment.day
            }
            CoreFunction::Difficulty => settings.difficulty.into(),
            CoreFunction::Depth => settings.depth.into(),
            CoreFunction::RoomWidth => room.map_or(0, |room| room.width()).into(),
            CoreFunction::RoomHeight => room.map_or(0, |room| room.height()).into(),
            CoreFunction::RoomX => room.map_or(0, |room| room.low_x).into(),
            CoreFunction::RoomY => room.map_or(0, |room| room.low_y).into(),
            CoreFunction::Length => self.array_length(),
            CoreFunction::HeroName => return self.push_text(&settings.hero.name),
            CoreFunction::HeroRole => return self.push_text(&settings.hero.role),
            CoreFunction::HeroRace => return self.push_text(&settings.hero.race),
            CoreFunction::HeroCarries => {
                let object = self.argument(ValueType::Object)?;
                let number = self.object_number(object);
                truth(settings.hero.carries.iter().any(|&carried| i64::from(carried) == number))
            }
            CoreFunction::ObjectAt => {
                let place = self.argument(ValueType::Coordinate)?;
                let object = self.argument(ValueType::Object)?;
                truth(self.has_object(place, object))
            }
            CoreFunction::MonsterAt => {
                let place = self.argument(ValueType::Coordinate)?;
                let monster = self.argument(ValueType::Monster)?;
                truth(self.has_monster(place, monster))
            }
            CoreFunction::ToText => {
                let number = self.argument(ValueType::Integer)?;
                let mut digits = [0; 24];
                let text = write_number(&mut digits, number);
                let value = self.memory.keep_text(&[text])?;
                return Ok(self.memory.push(value)?);
            }
            CoreFunction::ToNumber => {
                let Value::Text(text) = self.pop("argument", ValueType::String)? else { return Ok(()) };
                leading_number(self.memory.text(&self.prepared.bytes, text))
            }
            CoreFunction::ToPlace => {
                let y = self.argument(ValueType::Integer)?;
                let x = self.argument(ValueType::Integer)?;
                return Ok(self.memory.push(pack_place(x, y))?);
            }
            CoreFunction::ToRegion => {
                let mut corners = [0; 4];
                for corner in corners.iter_mut().rev() {
                    let number = self.argument(ValueType::Integer)?;
                    *corner = number & 0xff;
                }
                let [x1, y1, x2, y2] = corners;
                // The games shift ints, so the last corner may overflow into the sign.
                let packed = (x1 + (y1 << 8) + (x2 << 16) + (y2 << 24)) as i32;
                return Ok(self.memory.push(Value::Number(ValueType::Region, packed.into()))?);
            }
            CoreFunction::Random => {
                let below = self.argument(ValueType::Integer)?;
                if below > 0 { self.loader.rn2(below as i32).into() } else { 0 }
            }
            CoreFunction::PlaceX => {
                let place = self.argument(ValueType::Coordinate)?;
                place & 0xff
            }
            CoreFunction::PlaceY => {
                let place = self.argument(ValueType::Coordinate)?;
                place >> 16 & 0xff
            }
        };
        Ok(self.memory.push(Value::integer(value))?)
    }

    /// Returns true if an object of a packed type is on the floor of a place.
    fn has_object(&mut self, place: i64, packed: i64) -> bool {
        let (x, y) = self.loader.location_of(place, self.loader.anywhere(), self.room());
        let number = self.object_number(packed);
        let there = (0..COLUMNS).contains(&x) && (0..ROWS).contains(&y) && number >= 0;
        there
            && self.loader.level.objects.iter().any(|object| {
                object.number.is_some_and(|known| i64::from(known) == number)
                    && (object.x, object.y) == (x, y)
                    && object.whereabouts == Whereabouts::Floor
            })
    }

    /// Returns true if a monster of a packed species or class is at a place.
    fn has_monster(&mut self, place: i64, packed: i64) -> bool {
        let (x, y) = self.loader.location_of(place, self.loader.anywhere(), self.room());
        let there = (0..COLUMNS).contains(&x) && (0..ROWS).contains(&y);
        let found = if there { self.loader.level.monster_at(x, y) } else { None };
        found.is_some_and(|found| {
            let species = self.loader.level.monsters[found].species;
            let class = self.prepared.game.class(species).map(|class| i64::from(u32::from(class)));
            let wanted = (packed >> 8) & 0xffff;
            packed == -1
                || ((wanted == 0xffff || species.is_some_and(|species| i64::from(species) == wanted))
                    && class == Some(packed & 0xff))
        })
    }

    fn push_text(&mut self, text: &str) -> Result<(), Stop> {
        let value = self.memory.keep_text(&[text.as_bytes()])?;
        Ok(self.memory.push(value)?)
    }

    /// Number of the object type in a packed object (`SP_OBJ_TYP`).
    fn object_number(&self, packed: i64) -> i64 {
        (packed >> 8 & 0xffff) - self.prepared.catalog().packing.species_bias
    }
}

/// Formats a number without allocating.
fn write_number(digits: &mut [u8; 24], number: i64) -> &[u8] {
    let mut rest = number.unsigned_abs();
    let mut first = digits.len();
    loop {
        first -= 1;
        digits[first] = b'0' + (rest % 10) as u8;
        rest /= 10;
        if rest == 0 {
            break;
        }
    }
    if number < 0 {
        first -= 1;
        digits[first] = b'-';
    }
    &digits[first..]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_and_texts_become_each_other() {
        for number in [0, 7, -7, i64::MAX, i64::MIN] {
            assert_eq!(write_number(&mut [0; 24], number), number.to_string().as_bytes());
        }
        assert_eq!(leading_number(b" -12abc"), -12);
        assert_eq!(leading_number(b"x"), 0);
    }
}
