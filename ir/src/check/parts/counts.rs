//! Limits on the number of things in a part or room.

use super::{Checker, Setting};
use crate::diagnostic::{Code, Diagnostic};
use crate::source::Span;

/// A type of thing with a limited number per part or room.
#[derive(Clone, Copy)]
pub(super) enum Kind {
    Door,
    Trap,
    Monster,
    Object,
    Drawbridge,
    Walk,
    Ladder,
    Stair,
    LevelRegion,
    Fountain,
    Sink,
    Pool,
    NonDiggable,
    NonPasswall,
    Region,
    Altar,
    Gold,
    Engraving,
    Corridor,
}

pub(super) const KINDS: usize = Kind::Corridor as usize + 1;

impl Kind {
    fn plural(self) -> &'static str {
        match self {
            Kind::Door => "doors",
            Kind::Trap => "traps",
            Kind::Monster => "monsters",
            Kind::Object => "objects",
            Kind::Drawbridge => "drawbridges",
            Kind::Walk => "MAZEWALKs",
            Kind::Ladder => "ladders",
            Kind::Stair => "stairs",
            Kind::LevelRegion => "level regions",
            Kind::Fountain => "fountains",
            Kind::Sink => "sinks",
            Kind::Pool => "pools",
            Kind::NonDiggable => "NON_DIGGABLE regions",
            Kind::NonPasswall => "NON_PASSWALL regions",
            Kind::Region => "regions",
            Kind::Altar => "altars",
            Kind::Gold => "piles of gold",
            Kind::Engraving => "engravings",
            Kind::Corridor => "corridors",
        }
    }
}

impl Checker<'_> {
    /// Counts a thing. A list ends one below its limit: the compiler counts first and reports an error when the limit
    /// is reached (NetHack 3.4.3, lev_comp: `MAX_OF_TYPE`).
    pub(super) fn count(&mut self, kind: Kind, span: Span) {
        let limit = match kind {
            Kind::NonPasswall => self.judge.catalog.limits.non_passwall,
            Kind::Corridor => self.judge.catalog.limits.corridors,
            _ => self.judge.catalog.limits.of_type,
        };
        let count = &mut self.counts[kind as usize];
        *count += 1;
        if *count == limit {
            let (plural, most) = (kind.plural(), limit - 1);
            let (what, help) = match (&self.place, kind) {
                (Setting::Room, _) => ("room", "move some of them to another room"),
                (_, Kind::Corridor) => ("level", "join the rooms with fewer corridors, or use RANDOM_CORRIDORS"),
                _ => ("part", "begin another part with NOMAP: its places count from the corner of the level"),
            };
            self.judge.push(
                Diagnostic::new(Code::TooMany, span, format!("more than {most} {plural} in one {what}"))
                    .with_label(format!("this is number {limit}"))
                    .with_help(help),
            );
        }
    }
}
