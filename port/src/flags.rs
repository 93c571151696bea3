//! The flags of rooms and regions (filled, irregular, joined), which each game writes in its own form.

use splc_ir::catalog::{Catalog, Feature};
use splc_ir::level::*;
use splc_ir::order::Order;
use splc_ir::source::{Span, Spanned};
use splc_ir::visit::{VisitMut, walk_mut};
use splc_ir::words::*;

use crate::work::{Within, Work};

/// The meaning of the flags of a room or region.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct Meaning {
    pub filled: bool,
    pub irregular: bool,
    pub joined: bool,
}

/// Returns the meaning of `flags` to a catalog's game, for a REGION (`of_region`) or for a SUBROOM or ROOM.
pub(crate) fn meaning(flags: Option<&[RoomFlag]>, of_region: bool, catalog: &Catalog) -> Meaning {
    const FIRST: i64 = 1;
    let number = |group, word: &str| catalog.word(group, word).unwrap_or(0);
    let as_flag = catalog.has(Feature::FilledIsAFlag);
    let bits = match flags {
        None if of_region && as_flag => 0,
        None => FIRST,
        Some(flags) => flags.iter().fold(0, |bits, flag| {
            bits | match flag {
                RoomFlag::Filling(word) => number(Group::Filling, word.as_str()),
                RoomFlag::Irregular(word) => number(Group::Irregular, word.as_str()) << 1,
                RoomFlag::Joined(word) => number(Group::Joined, word.as_str()) << 2,
            }
        }),
    };
    let first = bits & FIRST != 0;
    Meaning {
        // In these games the flag means that a region is already filled.
        filled: if of_region && as_flag { !first } else { first },
        irregular: bits & 2 != 0,
        joined: bits & 4 == 0,
    }
}

/// Returns the alignment of a ROOM, or `None` for a SUBROOM, which has no alignment.
pub(crate) fn alignment(room: &Room) -> Option<OrRandom<(Horizontal, Vertical)>> {
    match &room.placement {
        RoomPlacement::Level { alignment, .. } => Some(*alignment),
        RoomPlacement::Room { .. } | RoomPlacement::Stray { .. } => None,
    }
}

/// Returns the flags that a ROOM gets from its alignment, in games whose compiler uses the number of the vertical
/// alignment as the flags.
fn bits_of_alignment(alignment: Option<OrRandom<(Horizontal, Vertical)>>, catalog: &Catalog) -> Option<i64> {
    let alignment = alignment.filter(|_| catalog.has(Feature::RoomFlagsFromAlignment))?;
    Some(match alignment {
        OrRandom::Random => 1,
        OrRandom::Is((_, vertical)) => catalog.word(Group::Vertical, vertical.as_str()).unwrap_or(0),
    })
}

fn meaning_of_bits(bits: i64) -> Meaning {
    Meaning { filled: bits & 1 != 0, irregular: false, joined: bits & 4 == 0 }
}

/// Returns the meaning of the flags of a ROOM or SUBROOM. Only a ROOM has an alignment.
pub(crate) fn meaning_of_room(
    flags: Option<&[RoomFlag]>,
    alignment: Option<OrRandom<(Horizontal, Vertical)>>,
    catalog: &Catalog,
) -> Meaning {
    bits_of_alignment(alignment, catalog).map_or_else(|| meaning(flags, false, catalog), meaning_of_bits)
}

/// Returns the shortest list of flags with the wanted meaning in the target.
pub(crate) fn flags_for(wanted: Meaning, of_region: bool, catalog: &Catalog) -> Option<Option<Vec<RoomFlag>>> {
    let knows = |flag: &RoomFlag| match flag {
        RoomFlag::Filling(word) => catalog.word(Group::Filling, word.as_str()).is_some(),
        RoomFlag::Irregular(word) => catalog.word(Group::Irregular, word.as_str()).is_some(),
        RoomFlag::Joined(word) => catalog.word(Group::Joined, word.as_str()).is_some(),
    };
    let fillings = [None, Some(Filling::Filled), Some(Filling::Unfilled)];
    let mut candidates: Vec<Option<Vec<RoomFlag>>> = vec![None];
    for joined in [None, Some(Joined::Unjoined)] {
        for irregular in [None, Some(Irregular::Irregular)] {
            for filling in fillings {
                let flags: Vec<RoomFlag> = filling
                    .map(RoomFlag::Filling)
                    .into_iter()
                    .chain(irregular.map(RoomFlag::Irregular))
                    .chain(joined.map(RoomFlag::Joined))
                    .collect();
                if !flags.is_empty() && flags.iter().all(knows) {
                    candidates.push(Some(flags));
                }
            }
        }
    }
    candidates.order_by_key(|flags| flags.as_ref().map_or(0, Vec::len));
    candidates.into_iter().find(|flags| meaning(flags.as_deref(), of_region, catalog) == wanted)
}

/// Rewrites flags of rooms and regions so that they mean the same in the target.
pub(crate) fn room_flags(work: &mut Work<'_>, module: &mut Module) {
    struct Flags<'w, 'a>(Within<'w, 'a>);

    impl Flags<'_, '_> {
        fn put(&mut self, flags: &mut Option<Vec<Spanned<RoomFlag>>>, of_region: bool) {
            let before: Option<Vec<RoomFlag>> =
                flags.as_ref().map(|flags| flags.iter().map(|flag| flag.node).collect());
            let wanted = meaning(before.as_deref(), of_region, self.0.work.from);
            let same = meaning(before.as_deref(), of_region, self.0.work.to) == wanted;
            let knows = |flag: &RoomFlag| match flag {
                RoomFlag::Irregular(word) => self.0.work.to.word(Group::Irregular, word.as_str()).is_some(),
                RoomFlag::Joined(word) => self.0.work.to.word(Group::Joined, word.as_str()).is_some(),
                RoomFlag::Filling(_) => true,
            };
            if same && before.iter().flatten().all(knows) {
                return;
            }
            let found = flags_for(wanted, of_region, self.0.work.to);
            let after = match found {
                Some(after) => {
                    self.0.work.same(self.0.here, "its flags are written in the syntax of the target");
                    after
                }
                None => {
                    let title = self.0.work.to.title.clone();
                    self.0.work.differs(self.0.here, format!("{title} cannot leave it unjoined"));
                    flags_for(Meaning { joined: true, ..wanted }, of_region, self.0.work.to).flatten()
                }
            };
            *flags = after.map(|flags| flags.into_iter().map(|flag| Spanned::new(flag, Span::NOWHERE)).collect());
        }
    }

    impl VisitMut for Flags<'_, '_> {
        fn statement(&mut self, statement: &mut Statement) {
            let outer = self.0.statement(statement);
            walk_mut::statement(self, statement);
            self.0.here = outer;
        }

        fn region(&mut self, region: &mut Region, span: Span) {
            self.put(&mut region.flags, true);
            walk_mut::region(self, region, span);
        }

        fn room(&mut self, room: &mut Room, span: Span) {
            let by_alignment = |catalog: &Catalog| bits_of_alignment(alignment(room), catalog);
            let said = meaning_of_bits;
            match (by_alignment(self.0.work.from), by_alignment(self.0.work.to)) {
                (None, None) => self.put(&mut room.flags, false),
                (Some(before), Some(after)) if before == after => {
                    if room.flags.take().is_some() {
                        self.0.work.same(self.0.here, "its flags are removed: neither game reads the flags of a ROOM");
                    }
                }
                (before, after) => {
                    let flags: Option<Vec<RoomFlag>> =
                        room.flags.as_ref().map(|flags| flags.iter().map(|flag| flag.node).collect());
                    let wanted = before.map_or_else(|| meaning(flags.as_deref(), false, self.0.work.from), said);
                    let wanted = Meaning { irregular: false, ..wanted };
                    match after.map(said) {
                        Some(made) => {
                            let had = room.flags.take().is_some();
                            if made.filled != wanted.filled || made.joined != wanted.joined {
                                let what = "the target reads the flags of a ROOM from its vertical alignment, which results in other flags";
                                self.0.work.differs(self.0.here, what);
                            } else if had {
                                self.0.work.same(self.0.here, "its flags are removed: they are the default");
                            }
                        }
                        None => {
                            let now = flags_for(wanted, false, self.0.work.to);
                            if now.is_none() {
                                let title = self.0.work.to.title.clone();
                                self.0.work.differs(self.0.here, format!("{title} cannot leave it unjoined"));
                            }
                            let now = now
                                .or_else(|| flags_for(Meaning { joined: true, ..wanted }, false, self.0.work.to))
                                .flatten();
                            if now != flags {
                                self.0
                                    .work
                                    .same(self.0.here, "its flags express what the source reads from its alignment");
                            }
                            room.flags = now
                                .map(|flags| flags.into_iter().map(|flag| Spanned::new(flag, Span::NOWHERE)).collect());
                        }
                    }
                }
            }
            walk_mut::room(self, room, span);
        }
    }

    Flags(Within { work, here: Span::NOWHERE }).module(module);
}
