//! The table of `dungeon.def`. Its values are separated by blanks.

use super::{Block, Form, Head, Need, Only, Slot, Statement};

/// The kind of a value in `dungeon.def`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DungeonKind {
    /// A name in quotes.
    Name,
    /// One letter in quotes, or "none".
    Bones,
    /// `@` or `+` before a range.
    Sign,
    /// `(base, random)`
    Range,
    /// A number.
    Number,
    /// A word.
    Word,
}

use DungeonKind::{Bones, Name, Number, Range, Sign, Word};

const fn slot(name: &'static str, kind: DungeonKind) -> Slot<DungeonKind> {
    Slot { name, kind, need: Need::Required, random: false, default: "" }
}

const fn optional(name: &'static str, kind: DungeonKind) -> Slot<DungeonKind> {
    Slot { need: Need::Optional, ..slot(name, kind) }
}

const fn of(keyword: &'static str, forms: &'static [Form<DungeonKind>]) -> Statement<DungeonKind> {
    Statement { keyword, forms }
}

const fn form(slots: &'static [Slot<DungeonKind>]) -> Form<DungeonKind> {
    Form { only: Only::All, head: Head::Colon, slots, block: Block::None }
}

const NAME: Slot<DungeonKind> = slot("\"name\"", Name);
const BONES: Slot<DungeonKind> = slot("\"bones\"", Bones);
const DUNGEON_NAME: Slot<DungeonKind> = slot("\"dungeon\"", Name);
const LEVEL: Slot<DungeonKind> = slot("\"level\"", Name);
const AT: Slot<DungeonKind> = slot("@", Sign);
const PLUS: Slot<DungeonKind> = slot("+", Sign);
const RANGE: Slot<DungeonKind> = slot("(base, random)", Range);
const CHANCE: Slot<DungeonKind> = optional("chance", Number);
const VARIANTS: Slot<DungeonKind> = slot("variants", Number);
const STAIRS: Slot<DungeonKind> = optional("stair|no_up|no_down|portal", Word);
const UP_DOWN: Slot<DungeonKind> = optional("up|down", Word);

/// The statements, in the order of a description.
pub const DUNGEON: &[Statement<DungeonKind>] = &[
    of("DUNGEON", &[form(&[NAME, BONES, RANGE, CHANCE])]),
    of("ENTRY", &[form(&[slot("level (1 is the top, -1 the bottom)", Number)])]),
    of("PROTOFILE", &[form(&[NAME])]),
    of("DESCRIPTION", &[form(&[slot("hellish|mazelike|roguelike", Word)])]),
    of("ALIGNMENT", &[form(&[slot("lawful|neutral|chaotic|unaligned", Word)])]),
    of("LEVEL", &[form(&[NAME, BONES, AT, RANGE, CHANCE])]),
    of("RNDLEVEL", &[form(&[NAME, BONES, AT, RANGE, CHANCE, VARIANTS])]),
    of("CHAINLEVEL", &[form(&[NAME, BONES, LEVEL, PLUS, RANGE, CHANCE])]),
    of("RNDCHLEVEL", &[form(&[NAME, BONES, LEVEL, PLUS, RANGE, CHANCE, VARIANTS])]),
    of("LEVELDESC", &[form(&[slot("town|hellish|mazelike|roguelike", Word)])]),
    of("LEVALIGN", &[form(&[slot("lawful|neutral|chaotic|unaligned", Word)])]),
    of("BRANCH", &[form(&[DUNGEON_NAME, AT, RANGE, STAIRS, UP_DOWN])]),
    of("CHAINBRANCH", &[form(&[DUNGEON_NAME, LEVEL, PLUS, RANGE, STAIRS, UP_DOWN])]),
];

impl Statement<DungeonKind> {
    /// Returns its syntax in one line: `LEVEL: "name" "bones" @ (base, random) [chance]`.
    pub fn syntax(&self) -> String {
        let slots = self.forms.iter().flat_map(|form| form.slots);
        let shown = slots.map(|slot| match slot.need {
            Need::Required => slot.name.to_owned(),
            _ => format!("[{}]", slot.name),
        });
        format!("{}: {}", self.keyword, shown.collect::<Vec<_>>().join(" "))
    }
}
