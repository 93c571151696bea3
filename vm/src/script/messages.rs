//! Substitutions in a message before it is stored (`string_subst`, `convert_line` of SporkHack 0.7.0). A limited number
//! of bytes is read, up to the first line end. `%` with a letter is replaced by a property of the hero.

use crate::error::Fault;
use crate::limits::{MESSAGE_MADE, MESSAGE_READ};
use crate::settings::{Alignment, Hero, Surrounding};

/// A message under construction.
struct Line<'b> {
    bytes: &'b mut [u8; MESSAGE_MADE],
    length: usize,
}

impl Line<'_> {
    fn add(&mut self, text: &[u8]) -> Result<(), Fault> {
        let end = self.length + text.len();
        // The games need the last byte themselves.
        if end >= MESSAGE_MADE {
            return Err(Fault::MessageLength);
        }
        self.bytes[self.length..end].copy_from_slice(text);
        self.length = end;
        Ok(())
    }
}

/// Replacement of the letter after a `%`. `None` for names of the hero's role, quest or god, which are left as written,
/// because a level does not depend on them.
fn replacement(letter: u8, hero: &Hero) -> Option<&str> {
    Some(match letter {
        b'p' => &hero.name,
        b'c' => &hero.role,
        b's' => "brother",
        b'S' => "son",
        b'a' | b'A' => hero.alignment.as_str(),
        b'C' => Alignment::Chaotic.as_str(),
        b'N' => Alignment::Neutral.as_str(),
        b'L' => Alignment::Lawful.as_str(),
        b'x' => "see",
        b'Z' => "The Dungeons of Doom",
        b'%' => "%",
        b'r' | b'R' | b'l' | b'i' | b'o' | b'n' | b'g' | b'G' | b'H' | b'd' | b'D' => return None,
        _ => "",
    })
}

/// Parts of the game around the level that a message names.
pub(super) fn queried(text: &[u8]) -> impl Iterator<Item = Surrounding> {
    text.windows(2).filter(|pair| pair[0] == b'%').filter_map(|pair| match pair[1] {
        b'p' => Some(Surrounding::HeroName),
        b'c' => Some(Surrounding::HeroRole),
        b'a' | b'A' => Some(Surrounding::HeroAlignment),
        _ => None,
    })
}

/// Builds the game's message from a text, in `made`.
///
/// # Errors
/// [`Fault::MessageLength`] if it becomes too long.
pub(super) fn message<'b>(text: &[u8], hero: &Hero, made: &'b mut [u8; MESSAGE_MADE]) -> Result<&'b [u8], Fault> {
    let mut line = Line { bytes: made, length: 0 };
    let mut rest = &text[..text.len().min(MESSAGE_READ)];
    while let Some((&byte, behind)) = rest.split_first() {
        rest = behind;
        match (byte, behind) {
            (b'\r' | b'\n', _) => break,
            (b'%', &[letter, ref behind @ ..]) => {
                let Some(name) = replacement(letter, hero) else {
                    line.add(b"%")?;
                    continue;
                };
                rest = behind;
                let start = line.length;
                match behind.first() {
                    Some(b'A' | b'a') => {
                        let vowel = name.starts_with(['a', 'e', 'i', 'o', 'u', 'A', 'E', 'I', 'O', 'U']);
                        line.add(if vowel { b"an " } else { b"a " })?;
                        line.add(name.as_bytes())?;
                    }
                    Some(b'C') => line.add(name.as_bytes())?,
                    Some(b'P' | b'p') => {
                        line.add(name.as_bytes())?;
                        line.add(b"s")?;
                    }
                    Some(b'S' | b's') => {
                        line.add(name.as_bytes())?;
                        line.add(if name.ends_with('s') { b"'" } else { b"'s" })?;
                    }
                    Some(b't') => {
                        let named = name.len() >= 4 && name.as_bytes()[..4].eq_ignore_ascii_case(b"the ");
                        line.add(&name.as_bytes()[if named { 4 } else { 0 }..])?;
                    }
                    _ => {
                        line.add(name.as_bytes())?;
                        continue;
                    }
                }
                if matches!(behind.first(), Some(b'A' | b'C' | b'P' | b'S')) {
                    line.bytes[start].make_ascii_uppercase();
                }
                rest = &behind[1..];
            }
            _ => line.add(&[byte])?,
        }
    }
    let Line { bytes, length } = line;
    Ok(&bytes[..length])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::settings::Settings;

    fn made(text: &str) -> String {
        let mut made = [0; MESSAGE_MADE];
        String::from_utf8(message(text.as_bytes(), &Settings::default().hero, &mut made).unwrap().to_vec()).unwrap()
    }

    #[test]
    fn letters_stand_for_the_hero() {
        assert_eq!(made("%p, %pS %aA %c%: 100%% #1%"), "wizard, Wizard's A neutral Archeologist 100% #1%");
        assert_eq!(made("100% #1"), "100#1");
        assert_eq!(made("to %d and %nC"), "to %d and %nC");
        assert_eq!(made("%Zt%st"), "Dungeons of Doombrother");
    }

    #[test]
    fn a_message_is_a_part_of_one_line() {
        assert_eq!(made("one\ntwo"), "one");
        assert_eq!(made(&"x".repeat(100)).len(), MESSAGE_READ);
        let long = "%Z".repeat(30);
        let mut space = [0; MESSAGE_MADE];
        assert_eq!(message(long.as_bytes(), &Settings::default().hero, &mut space), Err(Fault::MessageLength));
    }
}
