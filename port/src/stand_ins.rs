//! Stand-ins: replacements for names that a game lacks.
//!
//! They are data: the table shipped with splc (`stand_ins.toml`) and the tables of users, which take precedence. If no
//! table has an entry, [`names`](crate::names) uses the nearest name. A table is TOML:
//!
//! ```toml
//! schema = 1
//!
//! [trap]
//! cold = ["rust", "fire"]
//!
//! [[pair]]
//! from = ["unnethack"]
//! to = ["nethack-3.4.3"]
//! monster = { "Executioner" = ["minotaur"] }
//! ```
//!
//! Each key is a name of the section's type. A name shared by several classes is followed by `@` and the symbol of its
//! class (`light@+`). Each value lists replacements, best first. The first that the target knows is used, and an empty
//! list forbids any replacement. The entries of a pair apply between the named games, given by catalog or by dialect.
//! If `from` or `to` is missing, any game matches.

mod unused;

use std::collections::{HashMap, HashSet};
use std::fmt;
use std::ops::Range;

use splc_ir::catalog::{Catalog, Match, Species};
use splc_ir::order::Order;
use splc_ir::words::Group;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

pub use unused::Unused;

/// The table shipped with splc.
const SHIPPED: &str = include_str!("../stand_ins.toml");

/// The only version of the table format so far.
const TABLE_SCHEMA: &str = "1";

/// The prefix of an entry that is another name of the same thing.
pub(crate) const SAME_THING: char = '=';

/// The separator between a name and the symbol of its class.
const CLASS_MARK: char = '@';

/// The type of a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    /// A monster.
    Monster,
    /// An object.
    Object,
    /// A class of monsters.
    MonsterClass,
    /// A class of objects.
    ObjectClass,
    /// A trap.
    Trap,
    /// A room type.
    Room,
    /// A level flag.
    Flag,
    /// A map character.
    Terrain,
    /// A map character replaced by an object: thrones are terrain in some games and objects in others.
    TerrainAsObject,
    /// An object replaced by terrain.
    ObjectAsTerrain,
    /// The level that a portal leads to.
    Portal,
}

/// A name replaced in the ported levels.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Replaced {
    /// The type of the name.
    pub kind: Kind,
    /// The name in the source game, with the symbol of its class for things that have classes.
    pub from: (String, Option<char>),
    /// The name that replaces it, in the same form.
    pub to: (String, Option<char>),
}

impl Kind {
    const ALL: &[(Kind, &str)] = &[
        (Kind::Monster, "monster"),
        (Kind::Object, "object"),
        (Kind::MonsterClass, "monster_class"),
        (Kind::ObjectClass, "object_class"),
        (Kind::Trap, "trap"),
        (Kind::Room, "room"),
        (Kind::Flag, "flag"),
        (Kind::Terrain, "terrain"),
        (Kind::TerrainAsObject, "terrain_as_object"),
        (Kind::ObjectAsTerrain, "object_as_terrain"),
        (Kind::Portal, "portal"),
    ];
}

/// Properties of levels that one game derives from their place in the dungeon and another must declare.
#[derive(Clone, Debug, Default)]
pub(crate) struct NamedLevels {
    /// The prefix of their names.
    prefix: String,
    pub flags: Vec<String>,
    /// The two enemies generated there, on a level of the quest.
    pub enemies: Option<[Enemy; 2]>,
    /// The meaning of these properties, for notes.
    pub reason: String,
}

/// An enemy on the levels of a quest (`urole.enemy1num`, `urole.enemy1sym`).
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Enemy {
    /// The most common species, if any.
    pub species: Option<String>,
    pub class: char,
}

/// Stand-ins between some games.
#[derive(Clone, Debug, Default)]
struct Table {
    from: Games,
    to: Games,
    names: HashMap<(Kind, String), Listed>,
    levels: Vec<NamedLevels>,
    /// The index of the user's file in reading order, or `None` for the table shipped with splc.
    file: Option<usize>,
}

/// The games of a pair, by catalog or by dialect, with their positions in the file. Empty for any game.
type Games = Vec<(String, Range<usize>)>;

/// The replacements for a name.
#[derive(Clone, Debug, Default)]
struct Listed {
    /// The replacements, best first.
    names: Vec<String>,
    /// Positions of the key and of the replacements, in bytes of the file.
    key_place: Range<usize>,
    place: Range<usize>,
}

/// The replacements of names from one game to another.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Replacements {
    /// The replaced names, in order.
    pub replaced: Vec<Replaced>,
    /// Flags that the second game lacks, given by an empty list.
    pub dropped_flags: Vec<String>,
    /// Keys of users' tables that the first game does not know, or whose replacements the second does not know, in
    /// order.
    pub unknown: Vec<String>,
}

/// An error in a table.
#[derive(Clone, Debug, PartialEq)]
pub struct StandInError {
    /// Its position, in bytes of the table's text.
    pub place: Range<usize>,
    /// The message.
    pub message: String,
}

impl fmt::Display for StandInError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for StandInError {}

fn wrong<T>(place: Range<usize>, message: impl Into<String>) -> Result<T, StandInError> {
    Err(StandInError { place, message: message.into() })
}

/// All known stand-ins.
#[derive(Clone, Debug)]
pub struct StandIns {
    /// Tables of users, the last one first, then the shipped table. Within a file the pairs come first.
    tables: Vec<Table>,
}

impl Default for StandIns {
    /// Returns the stand-ins shipped with splc.
    fn default() -> Self {
        // A test checks that the table is valid.
        StandIns { tables: read(SHIPPED, None).unwrap_or_default() }
    }
}

impl StandIns {
    /// Adds a table of a user, which takes precedence over all tables added before.
    ///
    /// # Errors
    /// The first error in the table.
    pub fn add(&mut self, text: &str) -> Result<(), StandInError> {
        let file = self.tables.iter().filter_map(|table| table.file).max().map_or(0, |last| last + 1);
        self.tables.splice(0..0, read(text, Some(file))?);
        Ok(())
    }

    /// Returns the tables that apply between two games.
    fn between<'a>(&'a self, from: &'a Catalog, to: &'a Catalog) -> impl Iterator<Item = &'a Table> {
        let is = |games: &Games, catalog: &Catalog| {
            let one = |(name, _): &(String, Range<usize>)| {
                *name == catalog.name || *name == catalog.dialect || Some(name.as_str()) == catalog.extends.as_deref()
            };
            games.is_empty() || games.iter().any(one)
        };
        self.tables.iter().filter(move |table| is(&table.from, from) && is(&table.to, to))
    }

    /// Returns the replacements for `name`, best first, or `None` if no table has an entry.
    pub(crate) fn of<'a>(
        &'a self,
        kind: Kind,
        name: &str,
        class: Option<char>,
        from: &'a Catalog,
        to: &'a Catalog,
    ) -> Option<Vec<&'a str>> {
        let with_class = class.map(|class| (kind, format!("{name}@{class}")));
        let alone = (kind, name.to_owned());
        let mut found = None;
        for table in self.between(from, to) {
            let key = with_class.iter().chain([&alone]).find(|key| table.names.contains_key(*key));
            if let Some(listed) = key.and_then(|key| table.names.get(key)) {
                found.get_or_insert_with(Vec::new).extend(listed.names.iter().map(String::as_str));
            }
        }
        found
    }

    /// Returns the replacements of names of `from` by names of `to`, for comparing levels that already exist: entries
    /// of users' tables, and shipped entries for other names of the same thing. The stand-ins that splc would choose
    /// itself are not included, because nothing shows that they were used.
    pub fn replacements(&self, from: &Catalog, to: &Catalog) -> Replacements {
        let mut found = Replacements::default();
        let mut said = HashSet::new();
        for table in self.between(from, to) {
            let mut keys: Vec<_> = table.names.iter().collect();
            let shipped = table.file.is_none();
            // A name with its class takes precedence over the name alone.
            keys.order_by_key(|(key, _)| (split_class(&key.1).1.is_none(), *key));
            for ((kind, key), listed) in keys {
                if !said.insert((*kind, key)) {
                    continue;
                }
                let another = |name: &&str| !shipped || name.starts_with(SAME_THING);
                let mut listed = listed.names.iter().map(String::as_str).filter(another).peekable();
                if listed.peek().is_none() {
                    let is_flag = *kind == Kind::Flag && !shipped;
                    found.dropped_flags.extend(is_flag.then(|| key.clone()));
                    continue;
                }
                // The best is listed first.
                let pairs = listed.map(|listed| replaced(*kind, key, listed, from, to)).find(|pairs| !pairs.is_empty());
                match pairs {
                    Some(pairs) => found.replaced.extend(pairs),
                    None if shipped => {}
                    None => found.unknown.push(key.clone()),
                }
            }
        }
        let mut once = HashSet::new();
        found.replaced.retain(|replaced| once.insert((replaced.kind, replaced.from.clone())));
        found.replaced.order();
        found.unknown.order();
        found
    }

    /// Returns the properties that the source game implies for a level of that name.
    pub(crate) fn unsaid<'a>(
        &'a self,
        level: &'a str,
        from: &'a Catalog,
        to: &'a Catalog,
    ) -> impl Iterator<Item = &'a NamedLevels> {
        self.between(from, to).flat_map(|table| &table.levels).filter(move |levels| level.starts_with(&levels.prefix))
    }
}

/// Splits a name from the class after its `@`.
pub(crate) fn split_class(name: &str) -> (&str, Option<char>) {
    match name.rsplit_once(CLASS_MARK) {
        Some((bare, class)) if !bare.is_empty() && class.chars().count() == 1 => (bare, class.chars().next()),
        _ => (name, None),
    }
}

/// Returns the character of a one-character text.
fn symbol(text: &str) -> Option<char> {
    let mut characters = text.chars();
    characters.next().filter(|_| characters.as_str().is_empty())
}

/// Returns the names of an entry as the games spell them, or nothing if they do not know them. A name without a class
/// applies to everything of that name.
fn replaced(kind: Kind, key: &str, listed: &str, from: &Catalog, to: &Catalog) -> Vec<Replaced> {
    let listed = listed.strip_prefix(SAME_THING).unwrap_or(listed);
    let (old, new) = (split_class(key), split_class(listed));
    let whole = |from: (String, Option<char>), to: (String, Option<char>)| vec![Replaced { kind, from, to }];
    let symbols = |known: &dyn Fn(&Catalog, char) -> bool| match (symbol(key), symbol(listed)) {
        (Some(before), Some(after)) if known(from, before) && known(to, after) => {
            whole((String::new(), Some(before)), (String::new(), Some(after)))
        }
        _ => Vec::new(),
    };
    let words = |known: &dyn Fn(&Catalog, &str) -> bool| match known(from, key) && known(to, listed) {
        true => whole((key.to_owned(), None), (listed.to_owned(), None)),
        false => Vec::new(),
    };
    match kind {
        Kind::Monster => species(kind, old, new, (&from.monsters, &to.monsters), |name, class| to.monster(name, class)),
        Kind::Object => species(kind, old, new, (&from.objects, &to.objects), |name, class| to.object(name, class)),
        Kind::MonsterClass => symbols(&|catalog, class| catalog.monster_class(class).is_some()),
        Kind::ObjectClass => symbols(&|catalog, class| catalog.object_class(class).is_some()),
        Kind::Trap => words(&|catalog, name| catalog.trap(name).is_some()),
        Kind::Room => words(&|catalog, name| catalog.room(name).is_some()),
        Kind::Flag => words(&|catalog, name| catalog.word(Group::Flag, name).is_some()),
        // A catalog need not list the levels of its dungeon.
        Kind::Portal => words(&|_, _| true),
        Kind::Terrain => symbols(&|catalog, character| catalog.terrain(character).is_some()),
        Kind::TerrainAsObject => match (symbol(key), new.1.or_else(|| class_of(&to.objects, new.0))) {
            (Some(before), Some(class))
                if from.terrain(before).is_some() && to.object(new.0, Some(class)).is_some() =>
            {
                whole((String::new(), Some(before)), (new.0.to_owned(), Some(class)))
            }
            _ => Vec::new(),
        },
        Kind::ObjectAsTerrain => match (old.1.or_else(|| class_of(&from.objects, old.0)), symbol(listed)) {
            (Some(class), Some(after)) if from.object(old.0, Some(class)).is_some() && to.terrain(after).is_some() => {
                whole((old.0.to_owned(), Some(class)), (String::new(), Some(after)))
            }
            _ => Vec::new(),
        },
    }
}

/// Returns the class of the first species or object with that name.
fn class_of(all: &[Species], name: &str) -> Option<char> {
    all.iter().find(|known| known.name.eq_ignore_ascii_case(name)).map(|known| known.class)
}

/// Returns everything of that name in the first game with its replacement, of the same class unless the entry says
/// otherwise.
fn species(
    kind: Kind,
    (name, class): (&str, Option<char>),
    (listed, listed_class): (&str, Option<char>),
    (from, to): (&[Species], &[Species]),
    find: impl Fn(&str, Option<char>) -> Option<(i32, Match)>,
) -> Vec<Replaced> {
    let is_meant =
        |known: &&Species| known.name.eq_ignore_ascii_case(name) && class.is_none_or(|class| class == known.class);
    let with_stand_in = |known: &Species| {
        let stand_in = listed_class.is_none().then(|| find(listed, Some(known.class))).flatten();
        let (number, _) = stand_in.or_else(|| find(listed, listed_class))?;
        let stand_in = to.get(usize::try_from(number).ok()?)?;
        Some(Replaced {
            kind,
            from: (known.name.to_string(), Some(known.class)),
            to: (stand_in.name.to_string(), Some(stand_in.class)),
        })
    };
    from.iter().filter(is_meant).filter_map(with_stand_in).collect()
}

/// Reads the table of a user, or the shipped table if `file` is `None`.
fn read(text: &str, file: Option<usize>) -> Result<Vec<Table>, StandInError> {
    let parsed = DeTable::parse(text)
        .map_err(|error| StandInError { place: error.span().unwrap_or(0..0), message: error.message().to_owned() })?;
    let mut general = Table { file, ..Table::default() };
    let mut pairs = Vec::new();
    let mut schema = false;
    for (key, value) in parsed.get_ref() {
        match (key.get_ref().as_ref(), value.get_ref()) {
            ("schema", DeValue::Integer(number)) if number.as_str() == TABLE_SCHEMA => schema = true,
            ("schema", _) => {
                return wrong(
                    value.span(),
                    format!("this version of splc reads tables with `schema = {TABLE_SCHEMA}`"),
                );
            }
            ("pair", DeValue::Array(list)) => {
                for pair in list {
                    let DeValue::Table(entries) = pair.get_ref() else {
                        return wrong(pair.span(), "a pair must be a table: [[pair]]");
                    };
                    let mut table = Table { file, ..Table::default() };
                    for (key, value) in entries {
                        match key.get_ref().as_ref() {
                            "from" => table.from = placed_texts(value)?,
                            "to" => table.to = placed_texts(value)?,
                            name => section(&mut table, name, key.span(), value)?,
                        }
                    }
                    pairs.push(table);
                }
            }
            (name, _) => section(&mut general, name, key.span(), value)?,
        }
    }
    if !schema {
        return wrong(0..0, format!("`schema = {TABLE_SCHEMA}` is missing"));
    }
    pairs.push(general);
    Ok(pairs)
}

/// Reads a section of names.
fn section(
    table: &mut Table,
    name: &str,
    place: Range<usize>,
    value: &Spanned<DeValue<'_>>,
) -> Result<(), StandInError> {
    if name == "level" {
        return levels(table, value);
    }
    let Some(&(kind, _)) = Kind::ALL.iter().find(|(_, known)| *known == name) else {
        let known: Vec<&str> = Kind::ALL.iter().map(|(_, name)| *name).collect();
        return wrong(place, format!("unknown type of names `{name}`; the types are {}", known.join(", ")));
    };
    let DeValue::Table(entries) = value.get_ref() else {
        return wrong(value.span(), format!("`{name}` is not a table of names"));
    };
    for (key, value) in entries {
        let listed = Listed { names: texts(value)?, key_place: key.span(), place: value.span() };
        table.names.insert((kind, key.get_ref().as_ref().to_owned()), listed);
    }
    Ok(())
}

/// Reads `[[level]]`: properties of levels by name.
fn levels(table: &mut Table, value: &Spanned<DeValue<'_>>) -> Result<(), StandInError> {
    let DeValue::Array(list) = value.get_ref() else {
        return wrong(value.span(), "`level` is not a list of tables: [[level]]");
    };
    for level in list {
        let DeValue::Table(entries) = level.get_ref() else { return wrong(level.span(), "a level must be a table") };
        let mut known = NamedLevels::default();
        for (key, value) in entries {
            match key.get_ref().as_ref() {
                "name" => known.prefix = text(value)?,
                "flags" => known.flags = texts(value)?,
                "enemies" => known.enemies = Some(enemies(value)?),
                "reason" => known.reason = text(value)?,
                name => {
                    let message =
                        format!("unknown key `{name}` of a level; the keys are name, flags, enemies and reason");
                    return wrong(key.span(), message);
                }
            }
        }
        table.levels.push(known);
    }
    Ok(())
}

/// Reads the two enemies of a quest, each a species and its class, or a class alone.
fn enemies(value: &Spanned<DeValue<'_>>) -> Result<[Enemy; 2], StandInError> {
    let enemy = |value: &Spanned<DeValue<'_>>| {
        let mut words = texts(value)?;
        match (words.pop().as_deref().and_then(symbol), words.pop(), words.is_empty()) {
            (Some(class), species, true) => Ok(Enemy { species, class }),
            _ => wrong(value.span(), "an enemy must be a species with its class, or a class"),
        }
    };
    match value.get_ref() {
        DeValue::Array(list) => match &list[..] {
            [first, second] => Ok([enemy(first)?, enemy(second)?]),
            _ => wrong(value.span(), "a quest must have two types of enemies"),
        },
        _ => wrong(value.span(), "this is not a list of two enemies"),
    }
}

fn text(value: &Spanned<DeValue<'_>>) -> Result<String, StandInError> {
    match value.get_ref() {
        DeValue::String(text) => Ok(text.as_ref().to_owned()),
        _ => wrong(value.span(), "this is not a string"),
    }
}

/// Reads a string or a list of strings.
fn texts(value: &Spanned<DeValue<'_>>) -> Result<Vec<String>, StandInError> {
    Ok(placed_texts(value)?.into_iter().map(|(text, _)| text).collect())
}

/// Reads a string or a list of strings with their positions.
fn placed_texts(value: &Spanned<DeValue<'_>>) -> Result<Vec<(String, Range<usize>)>, StandInError> {
    let placed = |value| Ok((text(value)?, value.span()));
    match value.get_ref() {
        DeValue::Array(list) => list.iter().map(placed).collect(),
        _ => placed(value).map(|text| vec![text]),
    }
}

#[cfg(test)]
mod tests {
    use splc_ir::dungeon::Presence;

    use super::*;

    #[test]
    fn the_shipped_table_is_read_and_names_what_some_game_knows() {
        let tables = read(SHIPPED, None).unwrap();
        let all = splc_ir::catalog::ALL;
        for table in &tables {
            for (name, _) in table.from.iter().chain(&table.to) {
                assert!(all.iter().any(|catalog| catalog.name == *name || catalog.dialect == *name), "{name}");
            }
            for ((kind, name), listed) in &table.names {
                for name in [name].into_iter().chain(&listed.names) {
                    let name = name.strip_prefix('=').filter(|rest| !rest.is_empty()).unwrap_or(name);
                    let (bare, class) = split_class(name);
                    let known = |catalog: &&Catalog| match kind {
                        Kind::Monster => catalog.monster(bare, class).is_some(),
                        Kind::Object => catalog.object(bare, class).is_some(),
                        Kind::MonsterClass => catalog.monster_classes.contains(name),
                        Kind::ObjectClass => catalog.object_classes.contains(name),
                        Kind::Trap => catalog.trap(name).is_some(),
                        Kind::Room => catalog.room(name).is_some(),
                        Kind::Flag => catalog.word(splc_ir::words::Group::Flag, name).is_some(),
                        Kind::Portal => catalog.dungeon.presence(name) == Some(Presence::Always),
                        Kind::Terrain => name.chars().all(|character| catalog.terrain(character).is_some()),
                        Kind::TerrainAsObject | Kind::ObjectAsTerrain => {
                            name.len() == 1 || catalog.object(bare, class).is_some()
                        }
                    };
                    assert!(all.iter().copied().any(|catalog| known(&catalog)), "{kind:?} {name}");
                }
            }
        }
    }

    #[test]
    fn a_table_of_a_user_goes_first_and_mistakes_have_a_place() {
        let mut known = StandIns::default();
        let (from, to) = (Catalog::by_name("unnethack-6.0.4").unwrap(), Catalog::by_name("nethack-3.6.7").unwrap());
        let shipped = known.of(Kind::Trap, "cold", None, from, to).unwrap()[0].to_owned();
        known.add("schema = 1\n[[pair]]\nto = \"nethack36\"\ntrap = { cold = [\"pit\"] }\n").unwrap();
        let now = known.of(Kind::Trap, "cold", None, from, to).unwrap();
        assert_eq!(now[..2], ["pit", shipped.as_str()]);
        assert!(known.add("[trap]\ncold = \"pit\"\n").unwrap_err().message.contains("schema"));
        let text = "schema = 1\n[trapp]\ncold = \"pit\"\n";
        let error = known.add(text).unwrap_err();
        assert_eq!(&text[error.place], "trapp");
    }

    #[test]
    fn a_table_says_which_names_stand_for_which() {
        let mut known = StandIns::default();
        let (from, to) = (Catalog::by_name("unnethack-6.0.4").unwrap(), Catalog::by_name("nethack-3.6.7").unwrap());
        // Stand-ins chosen by splc are not replacements that a level is known to have.
        assert_eq!(known.replacements(from, to), Replacements::default());
        let table = "schema = 1\n[monster]\nexecutioner = [\"gremlinn\", \"gremlin\"]\nnobody = [\"orc\"]\n\
                     [object]\nlight = [\"fire\"]\n\"light@+\" = [\"force bolt\"]\n[flag]\nnoflip = []\n\
                     [[pair]]\nto = [\"sporkhack\"]\ntrap = { cold = [\"pit\"] }\n";
        known.add(table).unwrap();
        let Replacements { replaced, dropped_flags, unknown } = known.replacements(from, to);
        let pairs: Vec<(&str, Option<char>, &str, Option<char>)> =
            replaced.iter().map(|pair| (&*pair.from.0, pair.from.1, &*pair.to.0, pair.to.1)).collect();
        let expected = [
            ("Executioner", Some('@'), "gremlin", Some('g')),
            ("light", Some('+'), "force bolt", Some('+')),
            ("light", Some('/'), "fire", Some('/')),
            ("light", Some('?'), "fire", Some('?')),
        ];
        assert_eq!(pairs, expected);
        assert_eq!((dropped_flags, unknown), (vec!["noflip".to_owned()], vec!["nobody".to_owned()]));
        // Two names of the same thing.
        let to = Catalog::by_name("nethack-5.0.0").unwrap();
        let known = StandIns::default().replacements(from, to).replaced;
        let chunk = known.iter().find(|pair| pair.from.0 == "huge chunk of meat").unwrap();
        assert_eq!((&*chunk.to.0, chunk.to.1), ("enormous meatball", Some('%')));
    }
}
