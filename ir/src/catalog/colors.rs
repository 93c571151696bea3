//! The default colours of monsters, objects, traps and terrain.
//!
//! Source: the tables of the games (`src/monst.c`, `src/objects.c`, `src/drawing.c`, in NetHack 5 in `include`).
//! Objects whose looks are shuffled at the start of a game, such as potions and rings, have their colour from before
//! the shuffle.

use super::bits::named_enum;

named_enum! {
    /// A colour of the games (`include/color.h`).
    #[derive(Default)]
    #[allow(missing_docs)] // each is the colour it is named for
    Color {
        Black = "black",
        Red = "red",
        Green = "green",
        Brown = "brown",
        Blue = "blue",
        Magenta = "magenta",
        Cyan = "cyan",
        #[default]
        Gray = "gray",
        Orange = "orange",
        BrightGreen = "bright_green",
        Yellow = "yellow",
        BrightBlue = "bright_blue",
        BrightMagenta = "bright_magenta",
        BrightCyan = "bright_cyan",
        White = "white",
    }
}

/// The number without a colour (`NO_COLOR`).
const NONE: i64 = 8;

impl Color {
    /// Returns its number in the games (`include/color.h`).
    pub fn number(self) -> u8 {
        let at = self as u8;
        at + u8::from(i64::from(at) >= NONE)
    }

    /// Returns the colour with this number in the games (`include/color.h`). Number 8 (`NO_COLOR`) has none.
    pub fn numbered(number: i64) -> Option<Color> {
        let at = if number > NONE { number - 1 } else { number };
        Color::ALL.get(usize::try_from(at).ok()?).copied().filter(|_| number != NONE)
    }
}
