//! Registers of NetHack 3.4.3: RANDOM_OBJECTS and similar statements, and `object[0]`.
//!
//! In a level of maps they last until the end of their part, in a level of rooms until the end of the level.

use std::borrow::Cow;

use super::Resolver;
use crate::diagnostic::{Code, Diagnostic};
use crate::level::*;
use crate::source::{Span, Spanned};

/// The registers of one kind.
#[derive(Clone, Copy, Default)]
enum List {
    /// They are not set.
    #[default]
    Missing,
    /// This many are set, by the statement at this span.
    Set(usize, Span),
    /// The list could not be read.
    Unknown,
    /// It was reported as missing, at this span.
    Missed(Span),
}

/// The number of kinds of registers, counting each place list separately. Lists with greater numbers are rejected
/// earlier.
const LISTS: usize = 16;

/// Returns the index of a kind of register in `Registers::lists`.
fn slot(of: RegisterKind) -> usize {
    match of {
        RegisterKind::Object => 0,
        RegisterKind::Monster => 1,
        RegisterKind::Region => 2,
        RegisterKind::Place => 3,
        RegisterKind::PlaceList(list) => (3 + usize::from(list)).min(LISTS - 1),
    }
}

/// The registers that are set, by kind.
pub(super) struct Registers {
    lists: [List; LISTS],
    /// True if they last only until the end of a part.
    by_part: bool,
    /// True if the part could not be read, so that its registers are unknown.
    unknown: bool,
}

impl Default for Registers {
    fn default() -> Self {
        Registers { lists: [List::Missing; LISTS], by_part: false, unknown: false }
    }
}

impl Registers {
    pub(super) fn begin_level(&mut self, kind: &LevelKind) {
        *self = Registers { by_part: !matches!(kind, LevelKind::Rooms), ..Registers::default() };
    }

    pub(super) fn begin_part(&mut self) {
        if self.by_part {
            *self = Registers { by_part: true, ..Registers::default() };
        }
    }

    pub(super) fn begin_unknown_part(&mut self) {
        if self.by_part {
            *self = Registers { by_part: true, unknown: true, ..Registers::default() };
        }
    }
}

/// Returns the statement that sets such registers.
fn statement(of: RegisterKind) -> Cow<'static, str> {
    Cow::Borrowed(match of {
        RegisterKind::Object => "RANDOM_OBJECTS",
        RegisterKind::Monster => "RANDOM_MONSTERS",
        RegisterKind::Place => "RANDOM_PLACES",
        RegisterKind::PlaceList(list) => return Cow::Owned(format!("RANDOM_PLACES[{list}]")),
        RegisterKind::Region => "RANDOM_REGION",
    })
}

/// Returns the word for such a register.
fn word(of: RegisterKind) -> Cow<'static, str> {
    Cow::Borrowed(match of {
        RegisterKind::Object => "object",
        RegisterKind::Monster => "monster",
        RegisterKind::Place => "place",
        RegisterKind::PlaceList(list) => return Cow::Owned(format!("place[{list}]")),
        RegisterKind::Region => "region",
    })
}

impl Resolver<'_> {
    /// Records a RANDOM_REGION. Its number must be the number of regions before it.
    pub(super) fn set_region(&mut self, number: Spanned<i32>, span: Span) {
        let list = &mut self.registers.lists[slot(RegisterKind::Region)];
        let (count, first) = match *list {
            List::Set(count, first) => (count, first),
            List::Missing | List::Unknown | List::Missed(_) => (0, span),
        };
        *list = List::Set(count + 1, first);
        let most = self.catalog.limits.registers.max(0) as usize;
        if count >= most {
            let message = format!("a part has at most {most} random regions");
            self.push(Diagnostic::new(Code::Registers, span, message));
        } else if usize::try_from(number.node) != Ok(count) {
            let message = format!("RANDOM_REGION[{}] must have the number {count}", number.node);
            self.push(
                Diagnostic::new(Code::Registers, number.span, message)
                    .with_help("number random regions from 0, in their order"),
            );
        }
    }

    pub(super) fn set_registers(&mut self, of: RegisterKind, values: &mut [Expr], span: Span) {
        let name = statement(of);
        for value in values.iter_mut() {
            self.value(
                value,
                match of {
                    RegisterKind::Object => ValueType::Object,
                    RegisterKind::Monster => ValueType::Monster,
                    _ => ValueType::Coordinate,
                },
            );
        }
        if let RegisterKind::PlaceList(list) = of
            && matches!(self.registers.lists[slot(RegisterKind::places(list.saturating_sub(1)))], List::Missing)
            && !self.registers.unknown
        {
            let before = statement(RegisterKind::places(list.saturating_sub(1)));
            self.push(
                Diagnostic::new(Code::Registers, span, format!("{name} comes before {before}"))
                    .with_help("number the place lists from 0, and write them in that order"),
            );
        }
        let most = self.catalog.limits.registers.max(0) as usize;
        if let Some(extra) = values.get(most) {
            self.push(
                Diagnostic::new(Code::Registers, extra.span, format!("{name} has more than {most} registers"))
                    .with_label(format!("this is number {}", most + 1))
                    .with_help(format!(
                        "use at most {most} registers in {name}, numbered from 0 to {}",
                        most.saturating_sub(1)
                    )),
            );
        }
        // A list that comes too late is an error of its own.
        if let List::Missed(missed) = self.registers.lists[slot(of)] {
            self.diagnostics.retain(|known| known.code != Code::RegisterUnset || known.span != Some(missed));
        }
        match self.registers.lists[slot(of)] {
            List::Set(_, first) => self.push(
                Diagnostic::new(Code::Registers, span, format!("duplicate {name}"))
                    .with_secondary(first, "first given here")
                    .with_help("write all registers in one list"),
            ),
            // A list without values could not be read.
            _ if values.is_empty() => self.registers.lists[slot(of)] = List::Unknown,
            _ => self.registers.lists[slot(of)] = List::Set(values.len(), span),
        }
    }

    /// Checks the use of a register. A negative index is a special place: see `quirk_register` of the lowering.
    pub(super) fn register(&mut self, of: RegisterKind, index: Spanned<i32>) {
        let (word, list, number) = (word(of), statement(of), index.node);
        let most = self.catalog.limits.registers;
        if number >= most {
            let message = format!("{word}[{number}] does not exist");
            let help = format!("use {word}[0] to {word}[{}]", most.saturating_sub(1));
            self.push(Diagnostic::new(Code::RegisterRange, index.span, message).with_help(help));
            return;
        }
        if self.registers.unknown {
            return;
        }
        let diagnostic =
            Diagnostic::new(Code::RegisterUnset, index.span, format!("{word}[{number}] is not set by {list}"));
        match self.registers.lists[slot(of)] {
            List::Unknown | List::Missed(_) => {}
            List::Set(count, _) if usize::try_from(number).is_ok_and(|number| number < count) => {}
            List::Set(count, span) => {
                let last = count.saturating_sub(1);
                self.push(
                    diagnostic
                        .with_secondary(span, format!("sets {word}[0] to {word}[{last}]"))
                        .with_help(format!("use {word}[0] to {word}[{last}], or add a value to {list}")),
                );
            }
            List::Missing => {
                self.registers.lists[slot(of)] = List::Missed(index.span);
                let place =
                    if self.registers.by_part { "at the beginning of the part" } else { "before the first room" };
                self.push(diagnostic.with_help(format!("write a {list} {place}")));
            }
        }
    }
}
