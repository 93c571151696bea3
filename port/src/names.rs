//! Names that the target lacks: of monsters, objects, traps, room types, flags and terrain.
//!
//! A name that the target knows stays. Otherwise a [stand-in](crate::stand_ins) is used. Without one, a monster or
//! object is replaced by the nearest of its class that the target knows: by where it can live, by difficulty, and in
//! the source's order, which sorts by class, and within a class by level or use. The last resort is any of its class,
//! or any at all.

use splc_ir::catalog::{Catalog, Habit, Habits, LoaderRule, Match, Species};
use splc_ir::level::*;
use splc_ir::source::{Span, Spanned, Text};
use splc_ir::visit::{NameRole, SpeciesRole, VisitMut, walk_mut};
use splc_ir::words::{Appearance, Group, Horizontal};

use crate::account::Effect;
use crate::left_over::lose;
use crate::richer::corner;
use crate::stand_ins::{Kind, SAME_THING, split_class};
use crate::work::Work;

/// Flags that keep a level from being mirrored.
const FLIP_FLAGS: &[&str] = &["noflip", "noflipx", "noflipy"];

/// Replaces names that the target lacks.
pub(crate) fn names(work: &mut Work<'_>, module: &mut Module) {
    Names { work, here: Span::NOWHERE, from_corner: false, caves: false }.module(module);
}

/// Rewrites objects that are terrain in the target.
pub(crate) fn objects_as_terrain(work: &mut Work<'_>, module: &mut Module) {
    struct AsTerrain<'w, 'a>(Names<'w, 'a>);

    impl VisitMut for AsTerrain<'_, '_> {
        fn statement(&mut self, statement: &mut Statement) {
            if let StatementKind::Object(object) = &statement.kind
                && let Some(character) = self.0.terrain_for(object)
                && let Some(place) = self.0.place_for_terrain(object).cloned()
            {
                let what = format!("{} has the object as terrain '{character}'", self.0.work.to.title);
                self.0.work.same(statement.span, what);
                let what = "things at random places never get a square of that terrain";
                self.0.work.game(statement.span, what);
                if let ExprKind::Object(SpeciesName::ClassAndName(class, name)) = &object.object.kind {
                    let from = (name.as_str(), Some(*class));
                    self.0.work.replace(Kind::ObjectAsTerrain, from, ("", Some(character)));
                }
                for inside in object.contents.iter().flatten() {
                    lose(self.0.work, inside, "terrain cannot contain objects");
                }
                let terrain = ExprKind::MapCharacter { character, light: None };
                statement.kind = StatementKind::Terrain {
                    at: Selection { span: place.span, kind: SelectionKind::Point(place) },
                    terrain: Expr { kind: terrain, span: Span::NOWHERE },
                };
            }
            walk_mut::statement(self, statement);
        }
    }

    AsTerrain(Names { work, here: Span::NOWHERE, from_corner: false, caves: false }).module(module);
}

/// Returns true for a thing that is unique, has an office in the game or changes its shape, so that it replaces nothing
/// else. Only the catalogs of some games have these habits.
fn is_special(name: &str, catalog: &Catalog) -> bool {
    const NAMES: [&str; 15] = [
        "shopkeeper",
        "guard",
        "prisoner",
        "oracle",
        "aligned priest",
        "aligned cleric",
        "watchman",
        "watch captain",
        "wererat",
        "werejackal",
        "werewolf",
        "amulet of yendor",
        "candelabrum of invocation",
        "bell of opening",
        "book of the dead",
    ];
    let has_habit = |catalog: &Catalog| {
        let known = catalog.monsters.iter().find(|species| species.name.eq_ignore_ascii_case(name));
        known.is_some_and(|species| species.habits.has(Habit::Unique) || species.habits.has(Habit::Shapeshifter))
    };
    NAMES.contains(&name.to_ascii_lowercase().as_str())
        || has_habit(catalog)
        || Catalog::by_name("nethack-5.0.0").is_some_and(has_habit)
}

/// The habits that let a monster live in a place, for each place where not every monster can live: over water, over
/// lava, in water, in rock.
const PLACES: [&[Habit]; 4] = [
    &[Habit::Swim, Habit::Fly, Habit::Floater, Habit::Cling, Habit::WalkWalls],
    &[Habit::LavaOk, Habit::Fly, Habit::Floater, Habit::Cling],
    &[Habit::Swim],
    &[Habit::WalkWalls],
];

/// Returns the number of places where the first monster can live and the second cannot.
fn lost_places(habits: Habits, other: Habits) -> usize {
    let lives = |habits: Habits, place: &[Habit]| place.iter().any(|habit| habits.has(*habit));
    PLACES.iter().filter(|place| lives(habits, place) && !lives(other, place)).count()
}

struct Names<'w, 'a> {
    work: &'w mut Work<'a>,
    /// The enclosing statement, level or function.
    here: Span,
    /// Set if coordinates count from the corner of the level, because no map has changed that yet.
    from_corner: bool,
    /// Set if the level has caves, which are different each time.
    caves: bool,
}

/// Returns the name and class of a name in the target, if it has one.
type InTarget<'t> = dyn Fn(&str, Option<char>) -> Option<(Text, char)> + 't;

/// Looks up a name in a class, or in all classes.
type Find = fn(&Catalog, &str, Option<char>) -> Option<(i32, Match)>;

/// The monsters or objects of the source, their lookup, and their noun in messages.
struct Register<'c> {
    from: &'c [Species],
    find: Find,
    has_class: fn(&Catalog, char) -> bool,
    kind: Kind,
    class_kind: Kind,
    noun: &'static str,
}

impl<'a> Names<'_, 'a> {
    fn register(&self, role: SpeciesRole) -> Register<'a> {
        match role {
            SpeciesRole::Monster => Register {
                from: &self.work.from.monsters,
                find: |catalog, name, class| catalog.monster(name, class),
                has_class: |catalog, class| catalog.monster_class(class).is_some(),
                kind: Kind::Monster,
                class_kind: Kind::MonsterClass,
                noun: "monster",
            },
            SpeciesRole::Object => Register {
                from: &self.work.from.objects,
                find: |catalog, name, class| catalog.object(name, class),
                has_class: |catalog, class| catalog.object_class(class).is_some(),
                kind: Kind::Object,
                class_kind: Kind::ObjectClass,
                noun: "object",
            },
        }
    }

    fn within(&mut self, span: Span, walk: impl FnOnce(&mut Self)) {
        // A statement added by a pass is reported at the enclosing one.
        let inner = if span.is_nowhere() { self.here } else { span };
        let outer = std::mem::replace(&mut self.here, inner);
        walk(self);
        self.here = outer;
    }

    /// Adds a comment with the name in the source to the current statement.
    fn was(&mut self, name: &str) {
        self.work.remark(self.here, format!("was: {name}"));
    }

    /// Returns the replacement for a class.
    fn class(&mut self, role: SpeciesRole, class: char) -> Option<char> {
        let register = self.register(role);
        let (from, to) = (self.work.from, self.work.to);
        if (register.has_class)(to, class) {
            return Some(class);
        }
        let known = self.work.stand_ins.of(register.class_kind, &class.to_string(), None, from, to);
        let stand_in = known.into_iter().flatten().filter_map(|name| name.chars().next());
        let stand_in = stand_in.into_iter().find(|&class| (register.has_class)(to, class));
        let what = match stand_in {
            Some(stand_in) => {
                format!("{} has no {}s of class '{class}'; replaced with '{stand_in}'", to.title, register.noun)
            }
            None => {
                format!(
                    "{} has no {}s of class '{class}'; replaced with a random {}",
                    to.title, register.noun, register.noun
                )
            }
        };
        self.work.differs(self.here, what);
        if let Some(stand_in) = stand_in {
            self.work.replace(register.class_kind, ("", Some(class)), ("", Some(stand_in)));
        }
        stand_in
    }

    /// Returns the class of `name` in the source.
    fn class_of(&self, role: SpeciesRole, name: &str, class: Option<char>) -> Option<char> {
        let register = self.register(role);
        let (number, _) = (register.find)(self.work.from, name, class)?;
        register.from.get(number as usize).map(|species| species.class)
    }

    /// Returns the replacement for a monster or object: its name and class in the target.
    fn named(&mut self, role: SpeciesRole, name: &str, class: Option<char>) -> Option<(Text, char)> {
        let register = self.register(role);
        let (from, to) = (self.work.from, self.work.to);
        let species = |number: i32| match role {
            SpeciesRole::Monster => to.monsters.get(number as usize),
            SpeciesRole::Object => to.objects.get(number as usize),
        };
        let own_class = class.or_else(|| self.class_of(role, name, None));
        if role == SpeciesRole::Monster
            && let Some(found) = self.of_one_sex(name, own_class)
        {
            return Some(found);
        }
        let in_target = |name: &str, class: Option<char>| {
            let (number, _) = (register.find)(to, name, class)?;
            // Names for one sex are handled separately.
            let found = species(number).filter(|species| species.name.eq_ignore_ascii_case(name))?;
            Some((Text::from(found.name.as_ref()), found.class))
        };
        // splc reports names in the game's own spelling, whatever the level's.
        let own_name = (register.find)(from, name, own_class)
            .and_then(|(number, _)| register.from.get(number as usize))
            .map_or(name, |species| species.name.as_ref());
        if let Some((found, class)) = in_target(name, own_class) {
            if found != own_name {
                self.work.replace(register.kind, (own_name, own_class), (&found, Some(class)));
            }
            return Some((found, class));
        }
        // Different names for the same thing, listed in the table if they have nothing else in common.
        let renamed = self.work.stand_ins.of(register.kind, name, own_class, from, to);
        let renamed =
            renamed.into_iter().flatten().filter_map(|listed| listed.strip_prefix(SAME_THING)).find_map(|listed| {
                let (name, class) = split_class(listed);
                in_target(name, class)
            });
        if let Some((renamed, class)) = renamed {
            self.work.same(self.here, format!("{} calls the {} \"{name}\" \"{renamed}\"", to.title, register.noun));
            self.work.replace(register.kind, (name, own_class), (&renamed, Some(class)));
            return Some((renamed, class));
        }
        // A monster keeps its identity in another class. An object of another class is a different thing.
        if role == SpeciesRole::Monster
            && let Some((name, class)) = in_target(name, None)
        {
            if name != own_name || own_class != Some(class) {
                self.work.replace(register.kind, (own_name, own_class), (&name, Some(class)));
            }
            self.work.same(self.here, format!("\"{name}\" has the class '{class}' in {}", to.title));
            return Some((name, class));
        }
        let listed = self.work.stand_ins.of(register.kind, name, own_class, from, to);
        let by_table = listed.iter().flatten().filter(|listed| !listed.starts_with(SAME_THING)).find_map(|listed| {
            let (name, class) = split_class(listed);
            in_target(name, class)
        });
        if let Some((stand_in, class)) = by_table {
            let what = format!("{} has no {} \"{name}\"; replaced with \"{stand_in}\"", to.title, register.noun);
            self.work.differs(self.here, what);
            self.was(own_name);
            self.work.replace(register.kind, (own_name, own_class), (&stand_in, Some(class)));
            return Some((stand_in, class));
        }
        // An empty list forbids any replacement.
        let nearest = if listed.is_some() { None } else { self.nearest(&register, name, own_class, &in_target) };
        if let Some((stand_in, class)) = &nearest {
            self.work.replace(register.kind, (own_name, own_class), (stand_in, Some(*class)));
            let what =
                format!("{} has no {} \"{name}\"; replaced with the nearest, \"{stand_in}\"", to.title, register.noun);
            self.work.differs(self.here, what);
            self.was(own_name);
        }
        nearest
    }

    /// Returns the monster whose males or females have this name, if there is only one such species in the target.
    ///
    /// If the source has both sexes as species of their own, the name stays and the target generates that sex.
    /// Otherwise the name of the species is used, because the name of the males would generate only males.
    fn of_one_sex(&mut self, name: &str, class: Option<char>) -> Option<(Text, char)> {
        let (from, to) = (self.work.from, self.work.to);
        let mut kinds = to.forms_of(name, class);
        let number = kinds.next()?;
        if kinds.next().is_some() || to.monsters.iter().any(|known| known.name.eq_ignore_ascii_case(name)) {
            return None;
        }
        let kind = &to.monsters[number as usize];
        let (_, male, female) = to.monster_forms().iter().find(|(known, ..)| i32::from(*known) == number)?;
        let has = |form: &str| from.monsters.iter().any(|known| known.name == form && known.class == kind.class);
        self.work.replace(Kind::Monster, (name, class), (&kind.name, Some(kind.class)));
        if has(male) && has(female) {
            let sex = if male.eq_ignore_ascii_case(name) { "male" } else { "female" };
            self.work.same(self.here, format!("\"{name}\" is a {sex} \"{}\" in {}", kind.name, to.title));
            return Some((Text::from(name), kind.class));
        }
        let what = format!("{} calls it \"{}\"; \"{name}\" would be only one sex of them", to.title, kind.name);
        self.work.same(self.here, what);
        Some((Text::from(kind.name.as_ref()), kind.class))
    }

    /// Returns the nearest name of its class that the target knows: for a monster, one that can live wherever the
    /// original can, of the nearest difficulty; then the nearest in the order of the source. Nothing unique is a
    /// stand-in, because its game has another place for it.
    fn nearest(
        &self,
        register: &Register<'_>,
        name: &str,
        class: Option<char>,
        in_target: &InTarget<'_>,
    ) -> Option<(Text, char)> {
        let (number, _) = (register.find)(self.work.from, name, class)?;
        let here = usize::try_from(number).ok()?;
        let species = register.from.get(here)?;
        let difficulties = if register.kind == Kind::Monster { self.work.from.difficulties() } else { Vec::new() };
        let difficulty = |at: usize| difficulties.get(at).copied().unwrap_or_default();
        let distance = |at: usize, candidate: &Species| {
            let lost = lost_places(species.habits, candidate.habits);
            // Of two that are equally near, the one before it.
            (lost, difficulty(at).abs_diff(difficulty(here)), at.abs_diff(here), at > here)
        };
        let candidates =
            register.from.iter().enumerate().filter(|(at, candidate)| {
                *at != here && candidate.class == species.class && !candidate.name.is_empty()
            });
        let known = candidates.filter_map(|(at, candidate)| {
            let found = in_target(&candidate.name, Some(candidate.class))?;
            let is_common = !is_special(&found.0, self.work.to) && !is_special(&candidate.name, self.work.from);
            is_common.then(|| (distance(at, candidate), found))
        });
        known.min_by_key(|(distance, _)| *distance).map(|(_, found)| found)
    }

    /// Notes a change in the spelling of a name.
    fn spelt(&mut self, before: &str, after: &str) {
        if before != after && before.eq_ignore_ascii_case(after) {
            self.work.same(self.here, format!("\"{before}\" is written \"{after}\""));
        }
    }

    /// Returns the replacement for a name from one of the game's tables: a trap, a room type, a flag.
    fn listed(&mut self, kind: Kind, noun: &str, name: &str, flag: Option<&Spanned<Text>>) -> Option<String> {
        let (from, to) = (self.work.from, self.work.to);
        let has = |name: &str| match kind {
            Kind::Trap => to.trap(name).is_some(),
            Kind::Room => to.room(name).is_some(),
            _ => to.word(Group::Flag, name).is_some(),
        };
        let stand_ins = self.work.stand_ins.of(kind, name, None, from, to).unwrap_or_default();
        let stand_in = stand_ins.into_iter().find(|name| has(name)).map(str::to_owned);
        if let Some(stand_in) = &stand_in {
            self.work.replace(kind, (name, None), (stand_in, None));
            let what = format!("{} has no {noun} \"{name}\"; replaced with \"{stand_in}\"", to.title);
            match flag {
                Some(flag) => self.work.flag(self.here, flag, Effect::Differs, what),
                None => self.work.differs(self.here, what),
            }
            if kind == Kind::Trap {
                self.was(name);
            }
        }
        stand_in
    }

    /// Returns the replacement for a map character. Terrain that becomes an object is handled in `objects_on`.
    fn terrain(&mut self, character: char) -> char {
        let (from, to) = (self.work.from, self.work.to);
        if means_the_same(character, from, to) {
            return character;
        }
        if let Some(other) = of_same_terrain(character, from, to) {
            self.work.same(self.here, format!("terrain '{character}' is written '{other}'"));
            return other;
        }
        // With dice, a run of the level shows the terrain. Without dice, the stand-in is reported.
        if self.caves && self.work.dice.is_some() && terrain_name(character, from) == Some(SEE_THROUGH) {
            self.work.fail_by_chance(
                self.here,
                "the squares that show through a map over caves are drawn when the level is loaded",
            );
            return ROCK;
        }
        let stand_ins =
            self.work.stand_ins.of(Kind::Terrain, &character.to_string(), None, from, to).unwrap_or_default();
        let known = |stand_in: &&str| stand_in.chars().next().is_some_and(|character| to.terrain(character).is_some());
        let stand_in = stand_ins.into_iter().find(known).and_then(|name| name.chars().next()).unwrap_or('.');
        let what = format!("{} has no terrain '{character}'; replaced with '{stand_in}'", to.title);
        self.work.differs(self.here, what);
        self.work.replace(Kind::Terrain, ("", Some(character)), ("", Some(stand_in)));
        stand_in
    }

    /// Returns the object that replaces terrain, if the target has it as an object.
    fn object_for(&self, character: char) -> Option<SpeciesName> {
        let (from, to) = (self.work.from, self.work.to);
        if means_the_same(character, from, to) {
            return None;
        }
        let stand_ins = self.work.stand_ins.of(Kind::TerrainAsObject, &character.to_string(), None, from, to)?;
        stand_ins.into_iter().find_map(|name| {
            let (name, class) = split_class(name);
            to.object(name, class)?;
            Some(SpeciesName::ClassAndName(class?, Text::from(name)))
        })
    }

    /// Returns the place of an object if the target can have terrain there. Lists have terrain only in their map.
    fn place_for_terrain<'o>(&self, object: &'o Object) -> Option<&'o Expr> {
        let place = object.place()?;
        let drawn = self.work.to.is_script() || matches!(place.kind, ExprKind::Coordinate { .. });
        drawn.then_some(place)
    }

    fn becomes_terrain(&self, object: &Object) -> bool {
        self.terrain_for(object).is_some() && self.place_for_terrain(object).is_some()
    }

    /// Returns the terrain that replaces an object, if the target has it as terrain.
    fn terrain_for(&self, object: &Object) -> Option<char> {
        let (from, to) = (self.work.from, self.work.to);
        let ExprKind::Object(SpeciesName::ClassAndName(class, name)) = &object.object.kind else { return None };
        if to.object(name, Some(*class)).is_some() {
            return None;
        }
        let stand_ins = self.work.stand_ins.of(Kind::ObjectAsTerrain, name, Some(*class), from, to)?;
        stand_ins.into_iter().filter_map(|name| name.chars().next()).find(|&character| {
            to.terrain(character)
                .is_some_and(|number| to.level_types.get(number as usize).is_some_and(|name| name != "room"))
        })
    }
}

/// The terrain name used for the map character that leaves the background as it is.
const SEE_THROUGH: &str = "see_through";

/// The map character of solid rock.
const ROCK: char = ' ';

/// Returns the name of the terrain of a map character.
fn terrain_name(character: char, catalog: &Catalog) -> Option<&str> {
    let number = catalog.terrain(character)?;
    if number == catalog.max_terrain {
        return Some(SEE_THROUGH);
    }
    catalog.level_types.get(number as usize).map(AsRef::as_ref)
}

fn means_the_same(character: char, from: &Catalog, to: &Catalog) -> bool {
    let (before, after) = (terrain_name(character, from), terrain_name(character, to));
    before.is_none() || before == after
}

/// Returns the map character of `to` with the same terrain as `character` in `from`.
fn of_same_terrain(character: char, from: &Catalog, to: &Catalog) -> Option<char> {
    let name = terrain_name(character, from)?;
    (' '..='~').find(|&other| terrain_name(other, to) == Some(name))
}

impl VisitMut for Names<'_, '_> {
    fn level(&mut self, level: &mut Level) {
        self.within(level.span, |names| {
            names.flags(level);
            names.from_corner = true;
            names.caves = level
                .body
                .iter()
                .any(|statement| matches!(statement.kind, StatementKind::InitMap(InitMap::Mines { .. })));
            walk_mut::level(names, level);
        });
    }

    fn function(&mut self, function: &mut Function) {
        // At a call, any map may be the last one.
        let outer = std::mem::replace(&mut self.from_corner, false);
        self.within(function.span, |names| walk_mut::function(names, function));
        self.from_corner = outer;
    }

    fn room(&mut self, room: &mut Room, span: Span) {
        self.from_corner = false;
        walk_mut::room(self, room, span);
    }

    fn block(&mut self, statements: &mut Vec<Statement>) {
        let mut at = 0;
        while at < statements.len() {
            let span = statements[at].span;
            let mut behind = Vec::new();
            if let StatementKind::Map(Map::Drawn { position, keep_regions, rows }) = &mut statements[at].kind {
                // Objects that replace terrain of a map are placed where the map has the terrain.
                let stays = *keep_regions == Some(false);
                let corner = if stays { self.corner(position, rows) } else { Some((0, 0)) };
                behind = self.objects_on(rows, corner, span);
                self.from_corner &= stays;
            }
            if matches!(&statements[at].kind, StatementKind::Object(object) if self.becomes_terrain(object)) {
                at += 1;
                continue;
            }
            let gone = self.trap_is_gone(&mut statements[at]) || self.object_is_gone(&statements[at]);
            if gone {
                statements.remove(at);
                continue;
            }
            self.statement(&mut statements[at]);
            let count = behind.len();
            statements.splice(at + 1..at + 1, behind);
            at += 1 + count;
        }
    }

    fn statement(&mut self, statement: &mut Statement) {
        self.within(statement.span, |names| walk_mut::statement(names, statement));
    }

    fn map_rows(&mut self, rows: &mut MapRows) {
        for row in &mut rows.rows {
            let changed: String = row
                .chars()
                .map(|character| if character.is_ascii_digit() { character } else { self.terrain(character) })
                .collect();
            if *row != changed.as_str() {
                *row = Text::from(changed);
            }
        }
    }

    fn map_character(&mut self, character: &mut char, _: Span) {
        *character = self.terrain(*character);
    }

    fn species(&mut self, role: SpeciesRole, species: &mut SpeciesName, _: Span) {
        *species = match species {
            SpeciesName::Random | SpeciesName::RandomAndName(_) => return,
            SpeciesName::Class(class) => match self.class(role, *class) {
                Some(class) => SpeciesName::Class(class),
                None => SpeciesName::Random,
            },
            SpeciesName::Name(name) => match self.named(role, name, None) {
                Some((found, _)) => {
                    let before = name.clone();
                    self.spelt(&before, &found);
                    SpeciesName::Name(found)
                }
                None => self.any_of_class(role, name.clone(), None),
            },
            SpeciesName::ClassAndName(class, name) => match self.named(role, name, Some(*class)) {
                Some((found, class)) => {
                    let before = name.clone();
                    self.spelt(&before, &found);
                    SpeciesName::ClassAndName(class, found)
                }
                None => self.any_of_class(role, name.clone(), Some(*class)),
            },
        };
    }

    fn name(&mut self, role: NameRole, name: &mut Text, _: Span) {
        match role {
            NameRole::Trap if self.work.to.trap(name).is_none() => {
                if let Some(stand_in) = self.listed(Kind::Trap, "trap", name, None) {
                    *name = Text::from(stand_in);
                }
            }
            NameRole::RoomType if self.work.to.room(name).is_none() => {
                match self.listed(Kind::Room, "room type", name, None) {
                    Some(stand_in) => *name = Text::from(stand_in),
                    None => {
                        const ORDINARY: &str = "ordinary";
                        let what =
                            format!("{} has no room type \"{name}\"; it becomes an ordinary room", self.work.to.title);
                        self.work.differs(self.here, what);
                        self.work.replace(Kind::Room, (name, None), (ORDINARY, None));
                        *name = Text::const_new(ORDINARY);
                    }
                }
            }
            _ => {}
        }
    }

    fn object_detail(&mut self, detail: &mut Spanned<ObjectDetail>) {
        // Lists give the monster only by its name, and use a random monster if they do not know it.
        if let ObjectDetail::MonsterType(Expr { kind: ExprKind::String(name), .. }) = &mut detail.node
            && self.work.to.monster(name, None).is_none()
        {
            match self.named(SpeciesRole::Monster, &name.clone(), None) {
                Some((found, _)) => *name = found,
                None => {
                    let what =
                        format!("{} has no monster \"{name}\"; the object is of a random monster", self.work.to.title);
                    self.work.differs(self.here, what);
                }
            }
        }
        walk_mut::object_detail(self, detail);
    }

    fn monster(&mut self, monster: &mut Monster) {
        monster.details.retain_mut(|detail| match &mut detail.node {
            MonsterDetail::Appearance(appearance, Expr { kind: ExprKind::String(name), .. }) => {
                self.appears(*appearance, name)
            }
            _ => true,
        });
        walk_mut::monster(self, monster);
    }
}

impl Names<'_, '_> {
    /// Renames the thing as which a monster appears. Returns false if the target has no such thing, or the source has
    /// not.
    fn appears(&mut self, appearance: Appearance, name: &mut Text) -> bool {
        let role = match appearance {
            Appearance::Object => SpeciesRole::Object,
            Appearance::Monster => SpeciesRole::Monster,
            Appearance::Feature => return true,
        };
        let noun = self.register(role).noun;
        if self.class_of(role, name, None).is_none() {
            let what = format!("{} finds no {noun} \"{name}\", so the monster appears as itself", self.work.from.title);
            self.work.same(self.here, what);
            return false;
        }
        if let Some((found, _)) = self.named(role, &name.clone(), None) {
            *name = found;
            return true;
        }
        let what = format!("{} has no {noun} \"{name}\", so the monster appears as itself", self.work.to.title);
        self.work.differs(self.here, what);
        false
    }

    fn any_of_class(&mut self, role: SpeciesRole, name: Text, class: Option<char>) -> SpeciesName {
        let class = class.or_else(|| self.class_of(role, &name, None));
        let noun = self.register(role).noun;
        let what = format!("{} has no {noun} \"{name}\"; replaced with a random one of its class", self.work.to.title);
        self.work.differs(self.here, what);
        match class.and_then(|class| self.class(role, class)) {
            Some(class) => SpeciesName::Class(class),
            None => SpeciesName::Random,
        }
    }

    /// Returns true if the statement is a trap without a replacement.
    fn trap_is_gone(&mut self, statement: &mut Statement) -> bool {
        let kind = match &statement.kind {
            StatementKind::Chance { then, .. } => &then.kind,
            kind => kind,
        };
        let StatementKind::Trap { trap: OrRandom::Is(trap), .. } = kind else { return false };
        let (from, to) = (self.work.from, self.work.to);
        if to.trap(&trap.node).is_some() {
            return false;
        }
        let stand_ins = self.work.stand_ins.of(Kind::Trap, &trap.node, None, from, to).unwrap_or_default();
        if stand_ins.iter().any(|name| to.trap(name).is_some()) {
            return false;
        }
        lose(self.work, statement, &format!("{} has no trap \"{}\" and no stand-in for it", to.title, trap.node));
        true
    }

    /// Returns true if the statement is an object of a class that the target lacks, without a replacement.
    fn object_is_gone(&mut self, statement: &Statement) -> bool {
        let kind = match &statement.kind {
            StatementKind::Chance { then, .. } => &then.kind,
            kind => kind,
        };
        let StatementKind::Object(object) = kind else { return false };
        let (class, name) = match &object.object.kind {
            ExprKind::Object(SpeciesName::Class(class)) => (*class, None),
            ExprKind::Object(SpeciesName::ClassAndName(class, name)) => (*class, Some(name)),
            _ => return false,
        };
        let (from, to) = (self.work.from, self.work.to);
        if to.object_class(class).is_some() {
            return false;
        }
        let of_class = self.work.stand_ins.of(Kind::ObjectClass, &class.to_string(), None, from, to);
        let of_name = name.and_then(|name| self.work.stand_ins.of(Kind::Object, name, Some(class), from, to));
        if of_class.is_some() || of_name.is_some_and(|names| !names.is_empty()) {
            return false;
        }
        lose(self.work, statement, &format!("{} has no objects of class '{class}'", to.title));
        true
    }

    /// Returns the corner of a map that does not change the origin of coordinates, if it is known and coordinates still
    /// count from the corner of the level.
    fn corner(&self, position: &MapPosition, rows: &MapRows) -> Option<(i32, i32)> {
        /// The column of the level from which coordinates count.
        const FIRST_COLUMN: i32 = 1;
        let (width, height) = (rows.width() as i32, rows.rows.len() as i32);
        let (x, y) = match position {
            _ if !self.from_corner => return None,
            // `left` is another column once INIT_MAP has filled the level.
            MapPosition::Aligned { horizontal: Horizontal::Left, .. } => return None,
            MapPosition::Aligned { horizontal, vertical } => corner(*horizontal, *vertical, width, height),
            MapPosition::At(Expr { kind: ExprKind::Coordinate { x: x @ 0.., y: y @ 0.. }, .. }) => {
                (x + FIRST_COLUMN, *y)
            }
            MapPosition::At(_) => return None,
        };
        (y + height <= self.work.from.limits.rows).then_some((x - FIRST_COLUMN, y))
    }

    /// Replaces terrain of a map that is an object in the target with floor, and returns the objects at their places.
    /// `corner` is the offset of the map, or `None` if it is unknown and the objects cannot be placed.
    fn objects_on(&mut self, rows: &mut MapRows, corner: Option<(i32, i32)>, span: Span) -> Vec<Statement> {
        let mut objects = Vec::new();
        // Games ignore a map of one square.
        if rows.width() <= 1 && rows.rows.len() <= 1 {
            return objects;
        }
        for (y, row) in rows.rows.iter_mut().enumerate() {
            if !row.chars().any(|character| self.object_for(character).is_some()) {
                continue;
            }
            let mut x = 0;
            let mut drawn = String::with_capacity(row.len());
            for character in row.chars() {
                match self.object_for(character) {
                    Some(_) if corner.is_none() => {
                        let what = format!(
                            "{} has terrain '{character}' as an object, whose place has another origin than this map",
                            self.work.to.title
                        );
                        self.work.differs(span, what);
                        drawn.push('.');
                    }
                    Some(object) => {
                        let (column, row) = corner.unwrap_or_default();
                        self.work.same(span, format!("{} has terrain '{character}' as an object", self.work.to.title));
                        self.work.game(span, "things placed on the object's square find floor, also at random places");
                        if let SpeciesName::ClassAndName(class, name) = &object {
                            let to = (name.as_str(), Some(*class));
                            self.work.replace(Kind::TerrainAsObject, ("", Some(character)), to);
                        }
                        objects.push(object_at(object, x + column, y as i32 + row, span));
                        drawn.push('.');
                    }
                    None => drawn.push(character),
                }
                x += i32::from(!character.is_ascii_digit());
            }
            *row = Text::from(drawn);
        }
        objects
    }

    /// Returns the reason why the target implies this flag for a level of that name, if it does.
    fn known_by_place(&self, level: &str, flag: &str) -> Option<String> {
        let mut known = self.work.stand_ins.unsaid(level, self.work.to, self.work.from);
        known.find(|known| known.flags.iter().any(|known| known == flag)).map(|known| known.reason.clone())
    }

    fn flags(&mut self, level: &mut Level) {
        let Some(flags) = &mut level.flags else { return };
        let (to, mirrors) = (self.work.to, self.work.target_rule(LoaderRule::RandomFlips));
        let mut kept = Vec::with_capacity(flags.len());
        for mut flag in std::mem::take(flags) {
            if to.word(Group::Flag, &flag.node).is_some() {
                kept.push(flag);
            } else if let Some(stand_in) = self.listed(Kind::Flag, "level flag", &flag.node, Some(&flag)) {
                flag.node = Text::from(stand_in);
                kept.push(flag);
            } else if FLIP_FLAGS.contains(&flag.node.as_str()) && !mirrors {
                let what = format!("the flag {} is removed: {} mirrors no levels", flag.node, to.title);
                self.work.flag(self.here, &flag, Effect::Same, what);
            } else if let Some(reason) = self.known_by_place(&level.name.node, &flag.node) {
                let what =
                    format!("the flag {} is removed: {reason}, in {} by the place in the dungeon", flag.node, to.title);
                self.work.flag(self.here, &flag, Effect::Same, what);
            } else {
                let what = format!("{} has no level flag {}", to.title, flag.node);
                self.work.flag(self.here, &flag, Effect::Differs, what);
            }
        }
        level.flags = Some(kept).filter(|kept| !kept.is_empty());
    }
}

/// OBJECT on a square.
fn object_at(object: SpeciesName, x: i32, y: i32, span: Span) -> Statement {
    let place = Expr { kind: ExprKind::Coordinate { x, y }, span: Span::NOWHERE };
    let kind = StatementKind::Object(Object {
        object: Expr { kind: ExprKind::Object(object), span: Span::NOWHERE },
        details: vec![Spanned::new(ObjectDetail::Place(place), Span::NOWHERE)],
        contents: None,
        contained_span: Span::NOWHERE,
    });
    Statement { kind, span }
}
