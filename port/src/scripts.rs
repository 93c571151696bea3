//! Passes between the languages of scripts.

use splc_ir::catalog::{Catalog, Feature, Format, LoaderRule};
use splc_ir::dungeon::Presence;
use splc_ir::level::*;
use splc_ir::source::{Charset, Span, Spanned, Text};
use splc_ir::visit::{Visit, VisitMut, walk, walk_mut};
use splc_ir::words::Group;

use crate::flags::meaning;
use crate::left_over::lose;
use crate::stand_ins::Kind;
use crate::tree::levels;
use crate::work::Work;

/// The flag that forbids any mirroring of a level, and the flags that forbid one direction each.
const NO_MIRRORING: &str = "noflip";
const NO_MIRRORING_EACH: [&str; 2] = ["noflipx", "noflipy"];

/// The flag of vault rooms that other levels include, which no game mirrors.
const RANDOM_VAULT: &str = "rndvault";

fn has_flag(level: &Level, flag: &str) -> bool {
    level.flags.iter().flatten().any(|known| known.node == flag)
}

fn add_flag(level: &mut Level, flag: &str) {
    let flag = Spanned::new(Text::from(flag), Span::NOWHERE);
    level.flags.get_or_insert_with(Vec::new).push(flag);
}

/// Traps that no game ever chooses at random (`rndtrap`), and further traps that TRAP never chooses (`mktrap`).
const NEVER_RANDOM: [&str; 2] = ["magic portal", "vibrating square"];
const NEVER_RANDOM_TRAP: [&str; 2] = ["fire", "cold"];

/// Reports differences between the loaders in the choice of random traps, for TRAP and for the mazes that they stock.
pub(crate) fn random_traps(work: &mut Work<'_>, module: &mut Module) {
    struct Random<'w, 'a> {
        work: &'w mut Work<'a>,
        of_trap: Option<String>,
        of_maze: Option<String>,
    }

    impl Visit<'_> for Random<'_, '_> {
        fn statement(&mut self, statement: &Statement) {
            let what = match &statement.kind {
                StatementKind::Trap { trap: OrRandom::Random, .. } => &self.of_trap,
                StatementKind::MazeWalk { stocked, .. } if *stocked != Some(false) => &self.of_maze,
                _ => &None,
            };
            if let Some(what) = what {
                self.work.game(statement.span, what.clone());
            }
            walk::statement(self, statement);
        }
    }

    let (from, to) = (work.from, work.to);
    let of_trap = other_traps(from, to, "a random trap", |catalog, name, number| {
        (!NEVER_RANDOM_TRAP.contains(&name)).then(|| depth(catalog, number))
    });
    let of_maze = other_traps(from, to, "a trap of the maze", |_, _, _| Some(0));
    Random { work, of_trap, of_maze }.module(module);
}

/// Describes the traps that only one of two games chooses, or chooses from another difficulty on. `depth` returns the
/// minimum difficulty of a trap.
fn other_traps(
    from: &Catalog,
    to: &Catalog,
    what: &str,
    depth: impl Fn(&Catalog, &str, i32) -> Option<u16>,
) -> Option<String> {
    let own = |of: &Catalog, other: &Catalog| {
        let traps = of.traps.iter().filter(|(name, _)| !NEVER_RANDOM.contains(&name.as_ref()));
        let own = traps.filter_map(|(name, number)| {
            let here = depth(of, name, *number as i32)?;
            let there = other.trap(name).and_then(|number| depth(other, name, number));
            (there != Some(here)).then(|| match here {
                0 => format!("\"{name}\""),
                depth => format!("\"{name}\" from difficulty {depth} on"),
            })
        });
        own.collect::<Vec<String>>().join(", ")
    };
    let (before, after) = (own(from, to), own(to, from));
    let list = |title: &str, own: &str| (!own.is_empty()).then(|| format!("in {title} also {own}"));
    let both: Vec<String> = [list(&to.title, &after), list(&from.title, &before)].into_iter().flatten().collect();
    (!both.is_empty()).then(|| format!("{what} may be {}", both.join(", ")))
}

/// Returns the difficulty from which a trap can be chosen at random, apart from limits that all games share.
fn depth(catalog: &Catalog, trap: i32) -> u16 {
    let deep = catalog.loader.deep_traps.iter();
    deep.filter(|(kind, _)| i32::from(*kind) == trap).map(|(_, depth)| *depth).max().unwrap_or(0)
}

/// Adds flags that the source game implies by the level's name.
pub(crate) fn unsaid_flags(work: &mut Work<'_>, module: &mut Module) {
    for level in levels(module) {
        let name = level.name.node.clone();
        for known in work.stand_ins.unsaid(&name, work.from, work.to) {
            for flag in &known.flags {
                if work.to.word(Group::Flag, flag).is_some() && !has_flag(level, flag) {
                    add_flag(level, flag);
                    work.origins.unsaid_flag(level.span, flag);
                    let (reason, title) = (&known.reason, &work.from.title);
                    let what = format!("the flag {flag} is added: {reason}, in {title} by the place in the dungeon");
                    work.same(level.span, what);
                }
            }
        }
    }
}

/// Redirects or drops portals to levels that the target's dungeon lacks, if the target crashes at them.
pub(crate) fn portals(work: &mut Work<'_>, module: &mut Module) {
    struct Portals<'w, 'a>(&'w mut Work<'a>);

    impl Portals<'_, '_> {
        /// Returns the reason to drop the statement, if it is a portal to a missing level without a stand-in.
        fn reason(&mut self, statement: &mut Statement) -> Option<String> {
            let span = statement.span;
            let kind = match &mut statement.kind {
                StatementKind::Chance { then, .. } => &mut then.kind,
                kind => kind,
            };
            let StatementKind::LevelRegion(region) = kind else { return None };
            let LevelRegionKind::Portal(name) = &mut region.kind else { return None };
            let (from, to) = (self.0.from, self.0.to);
            let dungeon = to.dungeon.dungeon_in_words(&to.title);
            match to.dungeon.presence(&name.node) {
                None | Some(Presence::Always) => None,
                Some(Presence::Sometimes) => {
                    let level = &name.node;
                    let what = format!(
                        "{dungeon} has \"{level}\" only in some games; in the others, the portal crashes the game"
                    );
                    self.0.game(span, what);
                    None
                }
                Some(Presence::Never) => {
                    let stand_ins = self.0.stand_ins.of(Kind::Portal, &name.node, None, from, to).unwrap_or_default();
                    let there = |level: &&str| to.dungeon.presence(level) == Some(Presence::Always);
                    let level = name.node.clone();
                    let Some(stand_in) = stand_ins.into_iter().find(there) else {
                        let what =
                            format!("{dungeon} has no level \"{level}\": the game would crash at a portal there");
                        return Some(what);
                    };
                    let what = format!("{dungeon} has no level \"{level}\"; the portal leads to \"{stand_in}\"");
                    self.0.replace(Kind::Portal, (&name.node, None), (stand_in, None));
                    self.0.differs(span, what);
                    name.node = Text::from(stand_in);
                    None
                }
            }
        }
    }

    impl VisitMut for Portals<'_, '_> {
        fn block(&mut self, statements: &mut Vec<Statement>) {
            statements.retain_mut(|statement| match self.reason(statement) {
                Some(reason) => {
                    lose(self.0, statement, &reason);
                    false
                }
                None => true,
            });
            walk_mut::block(self, statements);
        }
    }

    // This game skips a portal whose level it does not find.
    if !work.target_rule(LoaderRule::RandomPlanes) {
        Portals(work).module(module);
    }
}

/// The flag of levels whose walls and rock are undiggable outside the maps.
const SOLID_FLAG: &str = "solidify";

/// All of a level, in coordinates before the first map.
const WHOLE_LEVEL: [i32; 4] = [0, 0, 78, 20];

/// Replaces the flag solidify with NON_DIGGABLE and NON_PASSWALL before the first map. Squares that a map draws then
/// get the map's properties, and the area around it stays hard.
pub(crate) fn solid_rock(work: &mut Work<'_>, module: &mut Module) {
    const ROCK: char = ' ';
    if work.to.word(Group::Flag, SOLID_FLAG).is_some() {
        return;
    }
    let of_runs = work.resolved;
    for (at, level) in levels(module).enumerate() {
        // The result of a run draws the level as a whole.
        if of_runs.contains_key(&at) {
            continue;
        }
        let first_map = level.body.iter().position(|statement| matches!(statement.kind, StatementKind::Map(_)));
        let Some(first_map) = first_map.filter(|_| has_flag(level, SOLID_FLAG)) else { continue };
        let inits = || {
            level.body[..first_map].iter().enumerate().filter_map(|(at, statement)| match &statement.kind {
                StatementKind::InitMap(init) => Some((at, init)),
                _ => None,
            })
        };
        // In a list, coordinates count from the corner of the level only if it is filled with rock, or by INIT_MAP.
        let counts_from_corner = match (inits().next_back(), level.kind) {
            (Some((_, InitMap::MazeGrid { .. })), _) => false,
            (Some((_, InitMap::Solid { filling, .. })), _) => filling.node == ROCK,
            (Some(_), _) => true,
            (None, LevelKind::Maze { filling }) => filling.is_some_and(|filling| filling.node == ROCK),
            (None, _) => true,
        };
        if work.to.format == Format::Parts && !counts_from_corner {
            continue;
        }
        let at = inits().next_back().map_or(0, |(at, _)| at + 1);
        for statement in &level.body[..first_drawn_map(level)] {
            if matches!(statement.kind, StatementKind::Drawbridge { .. }) {
                work.differs(statement.span, "the square of a drawbridge without a wall stays undiggable");
            }
        }
        let region = || Expr { kind: ExprKind::Region { corners: WHOLE_LEVEL }, span: Span::NOWHERE };
        let hard = [StatementKind::NonDiggable { region: region() }, StatementKind::NonPasswall { region: region() }];
        level.body.splice(at..at, hard.map(|kind| Statement { kind, span: Span::NOWHERE }));
        level.flags.iter_mut().for_each(|flags| flags.retain(|flag| flag.node != SOLID_FLAG));
        let what = format!("for the flag {SOLID_FLAG}, the level is made undiggable before its maps are placed");
        work.same(level.span, what);
    }
}

/// Returns the number of statements before the first drawn map.
fn first_drawn_map(level: &Level) -> usize {
    let is_drawn = |statement: &Statement| matches!(statement.kind, StatementKind::Map(Map::Drawn { .. }));
    level.body.iter().position(is_drawn).unwrap_or(level.body.len())
}

/// The flag of levels in which every part must have a way out.
const WAYS_OUT_FLAG: &str = "inaccessibles";

/// Reports differences between the escape items that the loaders leave in parts without a way out.
pub(crate) fn ways_out(work: &mut Work<'_>, module: &mut Module) {
    let own = |of: &Catalog, other: &Catalog| {
        let own = of.loader.escape_items.iter().filter(|tool| !other.loader.escape_items.contains(tool));
        let own: Vec<String> = own.map(|tool| format!("\"{}\"", tool.split('@').next().unwrap_or(tool))).collect();
        (!own.is_empty()).then(|| format!("in {} also {}", of.title, own.join(", ")))
    };
    let both: Vec<String> = [own(work.to, work.from), own(work.from, work.to)].into_iter().flatten().collect();
    if both.is_empty() || work.to.word(Group::Flag, WAYS_OUT_FLAG).is_none() {
        return;
    }
    for level in levels(module).filter(|level| has_flag(level, WAYS_OUT_FLAG)) {
        let what = format!("in closed places, the loader may leave {}", both.join(", "));
        work.game(level.span, what);
    }
}

/// Notes each region of a random type that becomes another room. It is a room without a type; unfilled, it is one of
/// the last type, which is filled (`spo_region`: -1 counts from the end).
pub(crate) fn regions_of_random_types(work: &mut Work<'_>, module: &mut Module) {
    struct Regions<'w, 'a>(&'w mut Work<'a>);

    impl<'tree> Visit<'tree> for Regions<'_, '_> {
        fn statement(&mut self, statement: &'tree Statement) {
            if let StatementKind::Region(region) = &statement.kind
                && region.room_type == OrRandom::Random
            {
                let (from, to) = (self.0.from, self.0.to);
                let kind = |catalog: &Catalog| {
                    let number = i64::from(catalog.limits.room_types);
                    let named = catalog.rooms.iter().find(|(_, known)| *known == number);
                    match named.filter(|_| !catalog.has(Feature::FilledIsAFlag)) {
                        Some((name, _)) => format!("a \"{name}\""),
                        None => "an empty room without a type".to_owned(),
                    }
                };
                // The flags of lists were written for the target before.
                let language = if from.format == Format::Parts { to } else { from };
                let flags: Option<Vec<RoomFlag>> =
                    region.flags.as_ref().map(|flags| flags.iter().map(|flag| flag.node).collect());
                let unfilled = !meaning(flags.as_deref(), true, language).filled;
                if to.format == Format::Lua {
                    self.0.differs(statement.span, "a region of a random type becomes an ordinary room");
                } else if unfilled && kind(from) != kind(to) {
                    let of = |catalog: &Catalog| format!("{} in {}", kind(catalog), catalog.title);
                    let what = format!("an unfilled region of a random type is {}, and {}", of(from), of(to));
                    self.0.differs(statement.span, what);
                }
            }
            walk::statement(self, statement);
        }
    }

    if work.from.format != Format::Lua {
        Regions(work).module(module);
    }
}

/// The most bytes of a message that SporkHack reads (`string_subst`).
const MESSAGE_READ: usize = 79;

/// Notes each message in which only one of the games replaces a `%` and the letter after it. That game reads a message
/// only up to its first line end, so its messages end there.
pub(crate) fn codes_in_messages(work: &mut Work<'_>, module: &mut Module) {
    struct Messages<'w, 'a> {
        work: &'w mut Work<'a>,
        charset: Charset,
        /// True if the source game replaces them.
        of_source: bool,
        what: String,
    }

    impl Messages<'_, '_> {
        /// Returns the length of the part of a message that is read.
        fn read(&self, text: &str) -> usize {
            let line = text.find(['\r', '\n']).map_or(text, |end| &text[..end]);
            let mut length = 0;
            let fits = |(at, character): &(usize, char)| {
                length += self.charset.encoded_len(&text[*at..at + character.len_utf8()]);
                length <= MESSAGE_READ
            };
            line.char_indices().take_while(fits).last().map_or(0, |(at, character)| at + character.len_utf8())
        }
    }

    impl VisitMut for Messages<'_, '_> {
        fn statement(&mut self, statement: &mut Statement) {
            if let StatementKind::Message { text, .. } = &mut statement.kind {
                if let ExprKind::String(text) = &mut text.kind {
                    let end = self.read(text);
                    if end < text.len() && self.of_source {
                        *text = Text::from(&text[..end]);
                        self.work.same(statement.span, "the source game reads its message only up to here");
                    } else if end < text.len() {
                        let what =
                            format!("{} reads {MESSAGE_READ} bytes of a message, and one line", self.work.to.title);
                        self.work.game(statement.span, what);
                    }
                }
                let has_code = match &text.kind {
                    ExprKind::String(text) => text.trim_end_matches('%').contains('%') || text.ends_with("%%"),
                    _ => true,
                };
                match self.work.to.format {
                    _ if !has_code => {}
                    Format::Lua => self.work.differs(statement.span, self.what.as_str()),
                    _ => self.work.game(statement.span, self.what.as_str()),
                }
            }
            walk_mut::statement(self, statement);
        }
    }

    let rule = LoaderRule::MessagesAreSubstituted;
    let of_source = work.source_rule(rule);
    if of_source == work.target_rule(rule) {
        return;
    }
    let replaces = if of_source { &work.from.title } else { &work.to.title };
    let what = format!("only {replaces} replaces a % and the letter after it in a message, such as %p");
    Messages { work, charset: module.charset, of_source, what }.module(module);
}

/// Handles levels that are mirrored in one game and not in the other.
pub(crate) fn mirrors(work: &mut Work<'_>, module: &mut Module) {
    let (before, after) = (work.source_rule(LoaderRule::RandomFlips), work.target_rule(LoaderRule::RandomFlips));
    for level in levels(module) {
        let stays = has_flag(level, NO_MIRRORING) || NO_MIRRORING_EACH.iter().all(|flag| has_flag(level, flag));
        match (before, after) {
            (false, true) if !stays && work.to.word(Group::Flag, NO_MIRRORING).is_some() => {
                level.flags.iter_mut().for_each(|flags| {
                    flags.retain(|flag| !NO_MIRRORING_EACH.contains(&flag.node.as_str()));
                });
                add_flag(level, NO_MIRRORING);
                work.same(level.span, format!("the flag {NO_MIRRORING} keeps the level from being mirrored"));
            }
            (true, true)
                if !stays && has_flag(level, RANDOM_VAULT) && work.to.word(Group::Flag, RANDOM_VAULT).is_none() =>
            {
                add_flag(level, NO_MIRRORING);
                work.same(
                    level.span,
                    format!("a level with {RANDOM_VAULT} is never mirrored: {NO_MIRRORING} is added"),
                );
            }
            (true, false) if !stays => {
                work.game(level.span, format!("{} never mirrors a level at random", work.to.title));
            }
            _ => {}
        }
        // In des-files `noflipx` keeps the rows in place, in NetHack 5 the columns.
        if (work.to.format == Format::Lua) != (work.from.format == Format::Lua) {
            let [x, y] = NO_MIRRORING_EACH;
            let mut exchanged = false;
            for flag in level.flags.iter_mut().flatten() {
                let other = match flag.node.as_str() {
                    flag if flag == x => y,
                    flag if flag == y => x,
                    _ => continue,
                };
                (flag.node, exchanged) = (Text::from(other), true);
            }
            if exchanged {
                work.same(level.span, format!("{x} and {y} are swapped: the games have them in opposite order"));
            }
        }
    }
}
