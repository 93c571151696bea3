//! Judging a level against a game: names, ranges, limits.
//!
//! One pass over a [`Module`], in the order of the source; no back end checks again. The rules are those of
//! `util/lev_comp.y` and `lev_main.c` of UnNetHack 6.0.4 and its relatives, which refuse or warn at the same
//! points. What a level means in itself (types, scopes, where BREAK may stand) the front end has judged.

use std::collections::HashMap;

use crate::catalog::{Catalog, Feature, Format, Match, Species};
use crate::diagnostic::{Code, Diagnostic, Diagnostics, did_you_mean, nearest};
use crate::level::*;
use crate::lower::light_code;
use crate::program::LightCode;
use crate::resolve::resolve;
use crate::source::{Charset, Span, Spanned, Text};
use crate::words::*;

/// [Resolves](crate::resolve) `module` and checks every level and function of it against the game of `catalog`.
///
/// A game that loads lists of things has rules of its own: [`parts::check`](crate::parts::check).
pub fn check(module: &mut Module, catalog: &Catalog, diagnostics: &mut Diagnostics) {
    resolve(module, catalog, diagnostics);
    if catalog.format == Format::Parts {
        return crate::parts::check(module, catalog, diagnostics);
    }
    let mut checker = Checker {
        catalog,
        charset: module.charset,
        diagnostics,
        map_x: 0,
        map_y: 0,
        containers: 0,
        vault: false,
        first_unread: None,
    };
    let unread = |known: &&Diagnostic| matches!(known.code, Code::Syntax | Code::MapText | Code::Lexical);
    checker.first_unread = checker.diagnostics.iter().filter(unread).filter_map(|known| known.span).min();
    let mut seen: HashMap<&str, Span> = HashMap::new();
    for item in &module.items {
        match item {
            Item::Include { .. } => {}
            Item::Function(function) => checker.block(&function.body),
            Item::Level(level) => {
                checker.level(level);
                let name = level.name.node.as_str();
                let numbered = name.contains('%');
                if let Some(first) = seen.get(name)
                    && !numbered
                    && !name.is_empty()
                {
                    checker.push(
                        Diagnostic::new(
                            Code::DuplicateLevel,
                            level.name.span,
                            format!("level \"{name}\" is here for the second time"),
                        )
                        .with_label("written over the first")
                        .with_secondary(*first, "the first one"),
                    );
                }
                seen.entry(name).or_insert(level.name.span);
            }
        }
    }
    if module.levels().next().is_none() && !checker.diagnostics.has_errors() {
        checker.push(
            Diagnostic::new(Code::NoLevel, None, "there is no level in the file")
                .with_help("a level begins with LEVEL: \"name\""),
        );
    }
}

/// Why `name` cannot be the name of a level file, if so.
///
/// `%i` or `%02i` may stand in it once. The rest is what keeps a file in its folder on any machine.
pub fn bad_level_name(name: &str, catalog: &Catalog, charset: Charset) -> Option<(String, String)> {
    let most = catalog.limits.level_name as usize;
    let length = charset.encoded_len(name);
    if name.is_empty() {
        return Some(("the level has no name".into(), "give it one, e.g. \"bigrm-1\"".into()));
    }
    if name.contains('.') {
        return Some(("a level name has no dots".into(), "the game adds the ending itself".into()));
    }
    if let Some(bad) = name
        .chars()
        .find(|&bad| matches!(bad, '/' | '\\' | ':' | '*' | '?' | '"' | '<' | '>' | '|') || bad.is_control())
    {
        return Some((
            format!("'{}' cannot be in the name of a level", bad.escape_debug()),
            "level names become file names: use letters, digits and '-'".into(),
        ));
    }
    if length > most {
        return Some((
            format!("the level name has {length} bytes, but {} takes {most}", catalog.title),
            "use a shorter one".into(),
        ));
    }
    let mut percents = name.match_indices('%');
    if catalog.has(Feature::NumberedLevels)
        && let Some((at, _)) = percents.next()
    {
        let digits = name[at + 1..].bytes().take_while(u8::is_ascii_digit).count();
        let good = name[at + 1 + digits..].starts_with('i');
        if !good || percents.next().is_some() {
            return Some((
                "'%' in a level name begins a counter".into(),
                "write %i or %02i, once; each level of that name gets the next number".into(),
            ));
        }
        if name[at + 1..at + 1 + digits].parse::<usize>().is_ok_and(|width| width > most) {
            return Some(("the counter in the level name is too wide".into(), "write %02i".into()));
        }
    }
    None
}

struct Checker<'a> {
    catalog: &'a Catalog,
    charset: Charset,
    diagnostics: &'a mut Diagnostics,
    /// Greatest column and row of the last map. As in lev_comp, they outlive the level.
    map_x: i32,
    map_y: i32,
    containers: usize,
    vault: bool,
    /// The first place that could not be read. Behind it a map may be missing, and nothing is said about what
    /// lies outside of one.
    first_unread: Option<Span>,
}

impl Checker<'_> {
    fn push(&mut self, diagnostic: Diagnostic) {
        self.diagnostics.push(diagnostic);
    }

    fn level(&mut self, level: &Level) {
        let name = &level.name;
        if let Some((message, help)) = bad_level_name(&name.node, self.catalog, self.charset)
            // A header that did not parse was reported.
            && !(name.node.is_empty() && self.diagnostics.has_errors())
        {
            self.push(Diagnostic::new(Code::LevelName, name.span, message).with_help(help));
        }
        if let LevelKind::Maze { filling } = &level.kind {
            if let Some(filling) = filling
                && self.catalog.terrain(filling.node).is_none()
            {
                let message = format!("{} has no terrain '{}'", self.catalog.title, filling.node.escape_debug());
                self.push(
                    Diagnostic::new(Code::UnknownMapCharacter, filling.span, message)
                        .with_label("fills the level with no terrain at all")
                        .with_note(self.terrain_note()),
                );
            }
            self.whole_level();
        }
        // SporkHack never forgets that a level was a random vault.
        self.vault &= self.catalog.has(Feature::OldScript);
        for flag in level.flags.iter().flatten() {
            if self.catalog.word(Group::Flag, &flag.node).is_none() {
                let help = did_you_mean(&flag.node, self.catalog.words(Group::Flag));
                let message = format!("{} has no level flag '{}'", self.catalog.title, flag.node);
                let mut diagnostic = Diagnostic::new(Code::Target, flag.span, message);
                diagnostic.help = help;
                self.push(diagnostic);
            }
            self.vault |= flag.node == "rndvault";
        }
        self.block(&level.body);
    }

    fn whole_level(&mut self) {
        self.map_x = self.catalog.limits.columns - 1;
        self.map_y = self.catalog.limits.rows;
    }

    fn block(&mut self, statements: &[Statement]) {
        for statement in statements {
            self.statement(statement);
        }
    }

    fn statement(&mut self, statement: &Statement) {
        let span = statement.span;
        match &statement.kind {
            StatementKind::Message { text } => self.expr(text),
            StatementKind::InitMap(init) => self.init_map(init),
            StatementKind::Map(map) => self.map(map),
            StatementKind::Monster(monster) => self.monster(monster),
            StatementKind::Object(object) => self.object(object),
            StatementKind::Trap { trap, place } => {
                if let OrRandom::Is(trap) = trap {
                    self.trap(trap);
                }
                self.expr(place);
            }
            StatementKind::Room(room) => self.room(room),
            StatementKind::RoomDoor { walls, position, .. } => {
                if let (OrRandom::Random, OrRandom::Is(position)) = (walls, position) {
                    self.push(
                        Diagnostic::new(
                            Code::RoomDetail,
                            position.span,
                            "a door in a random wall has a random position",
                        )
                        .with_help("write random for the position, or name the wall"),
                    );
                }
            }
            StatementKind::Door { at, .. }
            | StatementKind::Fountain { at }
            | StatementKind::Sink { at }
            | StatementKind::Pool { at } => self.selection(at),
            StatementKind::Region(region) => self.region(region),
            StatementKind::Stair { place, .. } | StatementKind::Ladder { place, .. } => self.expr(place),
            StatementKind::LevelRegion(region) => {
                self.region_spec(&region.inside);
                self.region_spec(&region.outside);
            }
            StatementKind::Altar { place, alignment, .. } => {
                self.expr(place);
                self.alignment(*alignment);
            }
            StatementKind::Grave { place, epitaph } => {
                self.expr(place);
                if let Epitaph::Text(text) = epitaph {
                    self.expr(text);
                }
            }
            StatementKind::Gold { amount, place } => {
                self.expr(amount);
                self.expr(place);
            }
            StatementKind::Engraving { place, text, .. } => {
                self.expr(place);
                self.expr(text);
            }
            StatementKind::Drawbridge { place, state, .. } => {
                self.expr(place);
                if let OrRandom::Is(state) = state
                    && !matches!(state.node, DoorState::Open | DoorState::Closed)
                {
                    self.push(
                        Diagnostic::new(
                            Code::State,
                            state.span,
                            format!("a drawbridge cannot be {}", state.node.as_str()),
                        )
                        .with_help("write open, closed or random"),
                    );
                }
            }
            StatementKind::MazeWalk { place, filling, .. } => {
                self.expr(place);
                // An unknown character counts as terrain 127 there, without a word.
                if let Some(filling) = filling
                    && self.catalog.terrain(filling.node).is_none()
                {
                    self.terrain(filling.node, filling.span);
                }
            }
            StatementKind::Wallify { at } => match at {
                None => {}
                Some(WallifyArea::Selection(at)) => self.selection(at),
                Some(WallifyArea::Region(region)) => self.expr(region),
            },
            StatementKind::NonDiggable { region: at }
            | StatementKind::NonPasswall { region: at }
            | StatementKind::Topologize { place: at } => self.expr(at),
            StatementKind::Corridor { .. } | StatementKind::RandomCorridors { .. } => {}
            StatementKind::Terrain { at, terrain } => {
                self.selection(at);
                self.expr(terrain);
            }
            StatementKind::ReplaceTerrain { region, from, to, .. } => {
                self.expr(region);
                self.expr(from);
                self.expr(to);
            }
            StatementKind::Spill { place, terrain, amount, .. } => {
                self.expr(place);
                self.expr(terrain);
                self.expr(amount);
                if self.catalog.has(Feature::OldScript) {
                    self.old_spill(terrain, amount);
                }
            }
            StatementKind::WallWalk { place, from, to, chance } => {
                if let Some(chance) = chance {
                    self.percentage(*chance);
                }
                self.expr(place);
                self.expr(to);
                if let Some(from) = from {
                    self.expr(from);
                }
            }
            StatementKind::Mineralize { chances } => {
                chances.iter().flat_map(|chances| chances.iter()).for_each(|chance| self.expr(chance));
            }
            StatementKind::MonsterGeneration { entries, .. } => {
                for entry in entries {
                    self.expr(&entry.frequency);
                    match &entry.monster {
                        GenerationMonster::Class(class) => self.monster_class(*class, entry.span),
                        GenerationMonster::Name(name) => self.monster_name(name, None, entry.span),
                    }
                }
            }
            StatementKind::Sounds { frequency, sounds } => {
                self.expr(frequency);
                sounds.iter().for_each(|sound| self.expr(&sound.text));
            }
            StatementKind::VaultGeneration { frequency } => {
                if !self.vault {
                    self.push(
                        Diagnostic::new(Code::VaultGeneration, span, "VAULTGEN is for random vaults")
                            .with_help("add FLAGS: rndvault to the level"),
                    );
                } else if frequency.node <= 0 {
                    self.push(
                        Diagnostic::new(Code::VaultGeneration, frequency.span, "the weight of a vault is above 0")
                            .with_help("remove the level instead"),
                    );
                }
            }
            StatementKind::Define { value, .. } => match value {
                Definition::Value { value, .. } => self.expr(value),
                Definition::Array { values, .. } => values.iter().for_each(|value| self.expr(value)),
                Definition::Copy { .. } => {}
            },
            StatementKind::Shuffle { .. } | StatementKind::Break | StatementKind::Exit | StatementKind::Error => {}
            StatementKind::Function(function) => self.block(&function.body),
            StatementKind::Call { arguments, .. } => arguments.iter().for_each(|argument| self.expr(argument)),
            StatementKind::CoreCall(call) => call.arguments.iter().flatten().for_each(|argument| self.expr(argument)),
            StatementKind::If { condition, then, otherwise } => {
                self.condition(condition);
                self.block(then);
                self.block(otherwise.as_deref().unwrap_or(&[]));
            }
            StatementKind::Chance { condition, then } => {
                self.condition(condition);
                self.statement(then);
            }
            StatementKind::Switch { value, cases } => {
                self.expr(value);
                cases.iter().for_each(|case| self.block(&case.body));
            }
            StatementKind::For { from, to, body, .. } => {
                self.expr(from);
                self.expr(to);
                self.block(body);
            }
            StatementKind::Loop { count, body } => {
                self.expr(count);
                self.block(body);
            }
            StatementKind::Registers { values, .. } => values.iter().for_each(|value| self.expr(value)),
        }
    }

    fn condition(&mut self, condition: &Condition) {
        match condition {
            Condition::Percent(_) => {}
            Condition::Compare { left, right, .. } => {
                self.expr(left);
                self.expr(right);
            }
            Condition::NonZero(value) => self.expr(value),
        }
    }

    // --- Maps

    /// Terrain that a level can be filled with: not unknown, and not "what shows through".
    fn solid_terrain(&mut self, character: Spanned<char>, what: &str) {
        let number = self.catalog.terrain(character.node);
        if number.is_none_or(|number| number >= self.catalog.max_terrain && self.catalog.max_terrain > 0) {
            self.push(
                Diagnostic::new(
                    Code::InitMap,
                    character.span,
                    format!("INIT_MAP: '{}' cannot be {what}", character.node.escape_debug()),
                )
                .with_note(self.terrain_note()),
            );
        }
    }

    fn terrain_note(&self) -> String {
        format!("{} has these map characters: {}", self.catalog.title, self.catalog.map_characters.trim_end())
    }

    fn init_map(&mut self, init: &InitMap) {
        match init {
            InitMap::Solid { filling, .. } | InitMap::MazeGrid { filling } => {
                self.solid_terrain(*filling, "the filling");
                self.whole_level();
            }
            InitMap::Mines { foreground, background, joined, filling, .. } => {
                self.solid_terrain(*foreground, "the ground");
                self.solid_terrain(*background, "what is around it");
                let joinable = ['.', '#'].contains(&foreground.node);
                if joined.node && !joinable && self.catalog.terrain(foreground.node).is_some() {
                    self.push(
                        Diagnostic::new(Code::InitMap, foreground.span, "INIT_MAP: only '.' and '#' can be joined")
                            .with_secondary(joined.span, "joined is asked for here")
                            .with_help("write false there, or take '.' for the ground"),
                    );
                }
                if let Some(filling) = filling
                    && self.catalog.terrain(filling.node).is_none()
                {
                    self.solid_terrain(*filling, "the filling");
                }
                self.whole_level();
            }
            InitMap::Sheol | InitMap::Rogue => {
                let style = if matches!(init, InitMap::Sheol) { "sheol" } else { "rogue" };
                // Whether the game has it the lexer has decided for its own dialect.
                if !self.catalog.init_styles.iter().any(|(known, _)| *known == style) {
                    let message = format!("{} has no INIT_MAP of this style", self.catalog.title);
                    self.push(Diagnostic::new(Code::Target, None, message));
                }
            }
        }
    }

    fn map(&mut self, map: &Map) {
        match map {
            Map::None => self.whole_level(),
            Map::Drawn { position, rows, .. } => {
                if let MapPosition::At(place) = position {
                    self.expr(place);
                }
                self.rows(rows);
            }
        }
    }

    fn rows(&mut self, rows: &MapRows) {
        let limits = &self.catalog.limits;
        let (width, height) = (rows.width(), rows.rows.len());
        for (row, &row_span) in rows.rows.iter().zip(&rows.row_spans) {
            for (at, byte) in row.bytes().enumerate() {
                if !byte.is_ascii_digit() && self.catalog.terrain(char::from(byte)).is_none() {
                    let span =
                        Span { start: row_span.start + at as u32, end: row_span.start + at as u32 + 1, ..row_span };
                    let message = format!("{} has no terrain '{}'", self.catalog.title, char::from(byte));
                    self.push(Diagnostic::new(Code::UnknownMapCharacter, span, message).with_label("becomes stone"));
                }
            }
        }
        self.map_x = width as i32 - 1;
        self.map_y = height as i32 - 1;
        if width > limits.map_width as usize || height > limits.map_height as usize {
            let mut diagnostic = Diagnostic::new(
                Code::MapSize,
                Span { end: rows.span.start + 3, ..rows.span },
                format!(
                    "the map is {width} columns by {height} rows, but at most {} by {} fit",
                    limits.map_width, limits.map_height
                ),
            );
            let longest = rows.rows.iter().zip(&rows.row_spans).find(|(row, _)| row.len() > limits.map_width as usize);
            if let Some((row, &row_span)) = longest {
                if row.ends_with(' ') && row.trim_end().len() <= limits.map_width as usize {
                    diagnostic = diagnostic.with_help("blanks at the end of a row count: remove them");
                }
                diagnostic = diagnostic.with_secondary(row_span, format!("{} columns", row.len()));
            }
            self.push(diagnostic);
        }
    }

    fn terrain(&mut self, character: char, span: Span) {
        if self.catalog.terrain(character).is_none() {
            self.push(
                Diagnostic::new(
                    Code::UnknownTerrain,
                    span,
                    format!("'{}' is not a map character", character.escape_debug()),
                )
                .with_note(self.terrain_note()),
            );
        }
    }

    fn region_spec(&mut self, region: &RegionSpec) {
        let [x1, y1, x2, y2] = region.corners;
        let (columns, rows) = (self.catalog.limits.columns, self.catalog.limits.rows);
        // As unsigned numbers do in lev_comp, no map at all means nothing fits but (0,0,0,0).
        let (least_x, most_x, most_y) =
            if region.level { (1, columns - 1, rows - 1) } else { (0, self.map_x, self.map_y) };
        if !region.level && self.first_unread.is_some_and(|unread| unread < region.span) {
            return;
        }
        let bad =
            [(x1, "x1", least_x, most_x), (y1, "y1", 0, most_y), (x2, "x2", least_x, most_x), (y2, "y2", 0, most_y)]
                .into_iter()
                .find(|(value, _, least, most)| value < least || value > most);
        if let Some((value, name, least, most)) = bad {
            let what = if region.level { "level" } else { "map" };
            self.push(
                Diagnostic::new(Code::RegionRange, region.span, format!("the region is outside the {what}"))
                    .with_label(format!("{name} is {value}, and must be from {least} to {most}"))
                    .with_help(if region.level {
                        "a levregion counts from the corner of the level".to_owned()
                    } else {
                        "the region counts from the corner of the last MAP; levregion(...) counts from the level's"
                            .to_owned()
                    }),
            );
        }
    }

    // --- Names

    fn trap(&mut self, trap: &Spanned<Text>) {
        if self.catalog.trap(&trap.node).is_none() {
            let names = self.catalog.traps.iter().map(|(name, _)| name.as_ref());
            let help = did_you_mean(&trap.node, names.clone())
                .unwrap_or_else(|| format!("the traps are {}", names.collect::<Vec<_>>().join(", ")));
            let message = format!("{} has no trap \"{}\"", self.catalog.title, trap.node);
            self.push(Diagnostic::new(Code::UnknownTrap, trap.span, message).with_help(help));
        }
    }

    fn room_type(&mut self, room_type: &OrRandom<Spanned<Text>>) {
        let OrRandom::Is(name) = room_type else { return };
        if self.catalog.room(&name.node).is_none() {
            let names = self.catalog.rooms.iter().map(|(name, _)| name.as_ref());
            let message = format!("{} has no room type \"{}\"", self.catalog.title, name.node);
            let mut diagnostic =
                Diagnostic::new(Code::UnknownRoom, name.span, message).with_label("becomes an ordinary room");
            diagnostic.help = did_you_mean(&name.node, names);
            self.push(diagnostic);
        }
    }

    fn monster_class(&mut self, class: char, span: Span) {
        if self.catalog.monster_class(class).is_none() {
            let message = format!("{} has no monster class '{}'", self.catalog.title, class.escape_debug());
            self.push(
                Diagnostic::new(Code::UnknownMonster, span, message)
                    .with_note(format!("the classes are {}", visible(&self.catalog.monster_classes))),
            );
        }
    }

    fn object_class(&mut self, class: char, span: Span) {
        if self.catalog.object_class(class).is_none() {
            let message = format!("{} has no object class '{}'", self.catalog.title, class.escape_debug());
            self.push(
                Diagnostic::new(Code::UnknownObject, span, message)
                    .with_note(format!("the classes are {}", visible(&self.catalog.object_classes))),
            );
        }
    }

    fn monster_name(&mut self, name: &str, class: Option<char>, span: Span) {
        let found = self.catalog.monster(name, class);
        self.species(found, Code::UnknownMonster, "monster", &self.catalog.monsters, name, class, span);
    }

    fn object_name(&mut self, name: &str, class: Option<char>, span: Span) {
        let found = self.catalog.object(name, class);
        self.species(found, Code::UnknownObject, "object", &self.catalog.objects, name, class, span);
    }

    #[allow(clippy::too_many_arguments)] // two callers, which differ in all of them
    fn species(
        &mut self,
        found: Option<(i32, Match)>,
        code: Code,
        what: &str,
        all: &[Species],
        name: &str,
        class: Option<char>,
        span: Span,
    ) {
        match found {
            Some((_, Match::Exact)) => {}
            Some((number, Match::IgnoringCase)) => {
                let known = all[number as usize].name.as_ref();
                self.push(
                    Diagnostic::new(Code::NameCase, span, format!("{what} \"{name}\" is written \"{known}\""))
                        .with_help(format!("write \"{known}\"")),
                );
            }
            None => {
                let of_class = class.map_or(String::new(), |class| format!(" of class '{}'", class.escape_debug()));
                let message = format!("{} has no {what} \"{name}\"{of_class}", self.catalog.title);
                let mut diagnostic = Diagnostic::new(code, span, message);
                let elsewhere = all.iter().find(|species| class.is_some() && species.name.eq_ignore_ascii_case(name));
                // "potion of water" is the game's name for the thing, "water" the compiler's.
                let after_of = name.split_once(" of ").and_then(|(_, rest)| {
                    all.iter().find(|species| !species.name.is_empty() && species.name.eq_ignore_ascii_case(rest))
                });
                if let Some(species) = elsewhere.or(after_of) {
                    diagnostic = diagnostic.with_help(format!(
                        "\"{}\" is of class '{}': write ('{}',\"{}\")",
                        species.name,
                        species.class.escape_debug(),
                        species.class.escape_default(),
                        species.name
                    ));
                } else {
                    let names = || all.iter().map(|species| species.name.as_ref());
                    let in_class: Vec<&str> = all
                        .iter()
                        .filter(|species| class.is_none_or(|class| species.class == class))
                        .map(|species| species.name.as_ref())
                        .collect();
                    diagnostic.help = did_you_mean(name, in_class).or_else(|| did_you_mean(name, names()));
                    let near = nearest(name, names());
                    if let [only] = near.as_slice()
                        && let Some(quoted) = quoted(name, span)
                    {
                        diagnostic.suggestions.push(crate::diagnostic::Suggestion {
                            span: quoted,
                            replacement: (*only).to_owned(),
                            applicable: false,
                        });
                    }
                }
                self.push(diagnostic);
            }
        }
    }

    // --- Things

    fn alignment(&mut self, alignment: AlignmentSpec) {
        if let AlignmentSpec::Register(index) = alignment {
            let most = 3;
            if index.node >= most {
                self.push(
                    Diagnostic::new(Code::RegisterRange, index.span, format!("there is no align[{}]", index.node))
                        .with_help("the alignments are align[0], align[1] and align[2]"),
                );
            }
        }
    }

    fn monster(&mut self, monster: &Monster) {
        self.expr(&monster.monster);
        self.expr(&monster.place);
        let mut seen: Vec<(std::mem::Discriminant<MonsterDetail>, Span)> = Vec::new();
        for detail in &monster.details {
            match &detail.node {
                MonsterDetail::Name(value)
                | MonsterDetail::Appearance(_, value)
                | MonsterDetail::Fleeing(value)
                | MonsterDetail::Blinded(value)
                | MonsterDetail::Paralyzed(value) => self.expr(value),
                MonsterDetail::Alignment(alignment) => self.alignment(*alignment),
                MonsterDetail::SeenTraps(SeenTraps::These { traps, and_all }) => self.seen_traps(traps, *and_all),
                _ => {}
            }
            let kind = std::mem::discriminant(&detail.node);
            self.repeated(&mut seen, kind, detail.span, "monster");
        }
        if let Some(inventory) = &monster.inventory {
            self.containers += 1;
            self.block(inventory);
            self.containers -= 1;
        }
    }

    fn repeated<K: PartialEq>(&mut self, seen: &mut Vec<(K, Span)>, kind: K, span: Span, what: &str) {
        match seen.iter().find(|(known, _)| *known == kind) {
            Some(&(_, first)) => self.push(
                Diagnostic::new(Code::DuplicateDetail, span, format!("this detail of the {what} is given twice"))
                    .with_secondary(first, "given here first")
                    .with_help("remove one of them"),
            ),
            None => seen.push((kind, span)),
        }
    }

    fn seen_traps(&mut self, traps: &[Spanned<Text>], and_all: bool) {
        // Known traps of the rest of the list, as lev_comp adds them up from behind.
        let mut behind: Vec<i32> = Vec::new();
        for trap in traps.iter().rev() {
            match self.catalog.trap(&trap.node) {
                None => self.trap(trap),
                Some(number) => {
                    if and_all && behind.is_empty() || behind.contains(&number) {
                        self.push(
                            Diagnostic::new(
                                Code::DuplicateDetail,
                                trap.span,
                                format!("trap \"{}\" is listed twice", trap.node),
                            )
                            .with_help("each trap once, or all alone"),
                        );
                    }
                    behind.push(number);
                }
            }
        }
    }

    fn object(&mut self, object: &Object) {
        self.expr(&object.object);
        let mut seen: Vec<(ObjectDetailKind, Span)> = Vec::new();
        let mut place = None;
        for detail in &object.details {
            match &detail.node {
                ObjectDetail::Place(value) => {
                    place = Some(detail.span);
                    self.expr(value);
                }
                ObjectDetail::MonsterType(value)
                | ObjectDetail::Enchantment(value)
                | ObjectDetail::Name(value)
                | ObjectDetail::Quantity(value)
                | ObjectDetail::Eroded(value)
                | ObjectDetail::Recharged(value) => self.expr(value),
                ObjectDetail::State(state) if !matches!(state, DoorState::Locked | DoorState::Broken) => {
                    self.push(
                        Diagnostic::new(Code::State, detail.span, format!("an object cannot be {}", state.as_str()))
                            .with_help("the states of a container are locked and broken"),
                    );
                }
                _ => {}
            }
            self.repeated(&mut seen, object_detail_kind(&detail.node), detail.span, "object");
        }
        match place {
            Some(place) if self.containers > 0 => self.push(
                Diagnostic::new(Code::ObjectPlace, place, "an object in a container has no place of its own")
                    .with_help("remove the place"),
            ),
            None if self.containers == 0 && object.object.kind != ExprKind::Error => self.push(
                Diagnostic::new(Code::ObjectPlace, object.object.span, "the object needs a place")
                    .with_help("add one behind it: (x,y) or random"),
            ),
            _ => {}
        }
        if let Some(contents) = &object.contents {
            self.containers += 1;
            self.block(contents);
            self.containers -= 1;
        }
    }

    fn room(&mut self, room: &Room) {
        self.room_type(&room.room_type);
        // Room types that are unknown count as ordinary.
        let ordinary = matches!(&room.room_type, OrRandom::Is(name) if self.catalog.room(&name.node).unwrap_or(0) == 0);
        if let Some(chance) = &room.chance
            && ordinary
            && chance.node < 100
        {
            self.push(
                Diagnostic::new(Code::RoomDetail, chance.span, "an ordinary room has no chance")
                    .with_help("the chance is that of a special type; remove it, or put the ROOM into an IF"),
            );
        }
        if let Some(chance) = room.chance {
            self.percentage(chance);
        }
        self.room_flags(room.flags.as_deref());
        if let RoomPlacement::Level { position: OrRandom::Is(position), .. } = &room.placement {
            let (x, y) = position.node;
            if !(1..=5).contains(&x) || !(1..=5).contains(&y) {
                let message = format!("there is no room position ({x},{y})");
                self.push(
                    Diagnostic::new(Code::RoomDetail, position.span, message)
                        .with_help("rooms lie on a grid of (1,1) to (5,5)"),
                );
            }
        }
        if self.catalog.has(Feature::RoomFlagsFromAlignment)
            && matches!(room.placement, RoomPlacement::Level { .. })
            && let Some(flag) = room.flags.as_ref().and_then(|flags| flags.first())
        {
            self.push(
                Diagnostic::new(
                    Code::Ignored,
                    flag.span,
                    format!("{} does not read the flags of a ROOM", self.catalog.title),
                )
                .with_label("without effect")
                .with_note("its compiler takes the number of the vertical alignment for them")
                .with_help("REGION and SUBROOM have flags that are read"),
            );
        }
        self.block(&room.body);
    }

    fn region(&mut self, region: &Region) {
        self.expr(&region.area);
        self.room_type(&region.room_type);
        self.room_flags(region.flags.as_deref());
        let body = region.body.as_deref().unwrap_or(&[]);
        if let Some(first) = body.first()
            && self.catalog.has(Feature::OldScript)
            && !region.is_old_room(self.catalog)
        {
            self.push(
                Diagnostic::new(Code::RegionBlock, first.span, "the REGION is no room, and takes no statements")
                    .with_note("an ordinary region becomes a room if it is unfilled or irregular")
                    .with_help("move the statements out of the region, or add the flag unfilled to it"),
            );
        }
        self.block(body);
    }

    /// SporkHack takes each flag of a room or region once; `filled` stands for no flag.
    fn room_flags(&mut self, flags: Option<&[Spanned<RoomFlag>]>) {
        if !self.catalog.has(Feature::OldScript) {
            return;
        }
        let mut seen = Vec::new();
        for flag in flags.unwrap_or(&[]) {
            if flag.node != RoomFlag::Filling(Filling::Filled) {
                self.repeated(&mut seen, flag.node, flag.span, "room");
            }
        }
    }

    /// SporkHack's compiler finds a percentage above 100 in a few places only; the others' find it anywhere, as
    /// they read it.
    fn percentage(&mut self, percent: Spanned<i32>) {
        if self.catalog.has(Feature::OldScript) && percent.node > 100 {
            self.push(
                Diagnostic::new(Code::Percentage, percent.span, format!("{}% is more than all", percent.node))
                    .with_label("a percentage goes from 0% to 100%"),
            );
        }
    }

    /// SPILL of SporkHack takes real terrain and at least one square of it.
    fn old_spill(&mut self, terrain: &Expr, amount: &Expr) {
        if let ExprKind::MapCharacter { character, .. } = terrain.kind
            && self.catalog.terrain(character).is_some_and(|number| number >= self.catalog.max_terrain)
        {
            let message = format!("SPILL: '{}' cannot be spilled", character.escape_debug());
            self.push(Diagnostic::new(Code::UnknownTerrain, terrain.span, message).with_note(self.terrain_note()));
        }
        if let ExprKind::Integer(number) = amount.kind
            && number < 1
        {
            let message = format!("SPILL: {number} squares are none");
            self.push(Diagnostic::new(Code::NumberRange, amount.span, message).with_help("write 1 or more"));
        }
    }

    // --- Values

    fn expr(&mut self, expr: &Expr) {
        match &expr.kind {
            ExprKind::Integer(_) | ExprKind::Dice { .. } | ExprKind::String(_) | ExprKind::Error => {}
            ExprKind::Coordinate { x, y } => {
                let (columns, rows) = (self.catalog.limits.columns, self.catalog.limits.rows);
                if *x < 0 || *y < 0 || *x >= columns || *y >= rows {
                    self.push(
                        Diagnostic::new(Code::CoordinateRange, expr.span, format!("({x},{y}) is outside the map"))
                            .with_help(format!("columns go from 0 to {}, rows from 0 to {}", columns - 1, rows - 1)),
                    );
                }
            }
            ExprKind::RandomCoordinate { humidity } => {
                for (at, word) in humidity.iter().enumerate() {
                    if humidity[..at].iter().any(|before| before.node == word.node) {
                        self.push(Diagnostic::new(
                            Code::RepeatedHumidity,
                            word.span,
                            format!("'{}' is given twice", word.node.as_str()),
                        ));
                    }
                }
            }
            ExprKind::ComputedCoordinate { x, y } => {
                self.expr(x);
                self.expr(y);
            }
            ExprKind::SelectedCoordinate(selection) => self.selection(selection),
            ExprKind::Region { corners: [x1, y1, x2, y2] } => {
                if x1 > x2 || y1 > y2 {
                    self.push(
                        Diagnostic::new(Code::RegionRange, expr.span, "the corners of the region are swapped")
                            .with_help(format!(
                                "write ({},{},{},{}): upper left corner first",
                                x1.min(x2),
                                y1.min(y2),
                                x1.max(x2),
                                y1.max(y2)
                            ))
                            .with_suggestion(
                                expr.span,
                                format!("({},{},{},{})", x1.min(x2), y1.min(y2), x1.max(x2), y1.max(y2)),
                                false,
                            ),
                    );
                }
            }
            ExprKind::MapCharacter { character, light } => {
                debug_assert!(light_code(*light) != LightCode::Unchanged || light.is_none());
                self.terrain(*character, expr.span);
            }
            ExprKind::Monster(name) => match name {
                SpeciesName::Random | SpeciesName::RandomAndName(_) => {}
                SpeciesName::Class(class) => self.monster_class(*class, expr.span),
                SpeciesName::Name(name) => self.monster_name(name, None, expr.span),
                SpeciesName::ClassAndName(class, name) => {
                    if self.catalog.monster_class(*class).is_none() {
                        self.monster_class(*class, expr.span);
                    } else {
                        self.monster_name(name, Some(*class), expr.span);
                    }
                }
            },
            ExprKind::Object(name) => match name {
                SpeciesName::Random | SpeciesName::RandomAndName(_) => {}
                SpeciesName::Class(class) => self.object_class(*class, expr.span),
                SpeciesName::Name(name) => self.object_name(name, None, expr.span),
                SpeciesName::ClassAndName(class, name) => {
                    if self.catalog.object_class(*class).is_none() {
                        self.object_class(*class, expr.span);
                    } else {
                        self.object_name(name, Some(*class), expr.span);
                    }
                }
            },
            ExprKind::Selection(selection) => self.selection(selection),
            ExprKind::Variable(variable) => {
                if let Some(index) = &variable.index {
                    self.expr(index);
                }
            }
            ExprKind::Method { .. } | ExprKind::Register { .. } | ExprKind::NamedRegister { .. } | ExprKind::Random => {
            }
            ExprKind::CoreCall(call) => call.arguments.iter().flatten().for_each(|argument| self.expr(argument)),
            ExprKind::Chain { first, rest } => {
                self.expr(first);
                rest.iter().for_each(|(_, value)| self.expr(value));
            }
            ExprKind::Group(inner) => self.expr(inner),
        }
    }

    fn selection(&mut self, selection: &Selection) {
        match &selection.kind {
            SelectionKind::Point(value)
            | SelectionKind::Rectangle(value)
            | SelectionKind::FilledRectangle(value)
            | SelectionKind::FloodFill(value) => self.expr(value),
            SelectionKind::Line(from, to) => {
                self.expr(from);
                self.expr(to);
            }
            SelectionKind::RandomLine(from, to, roughness) => {
                self.expr(from);
                self.expr(to);
                self.expr(roughness);
            }
            SelectionKind::Grow { selection, .. }
            | SelectionKind::FilterPercent { selection, .. }
            | SelectionKind::Complement(selection)
            | SelectionKind::Group(selection) => self.selection(selection),
            SelectionKind::FilterSelection { filter, selection } => {
                self.selection(filter);
                self.selection(selection);
            }
            SelectionKind::FilterTerrain { terrain, selection } => {
                self.expr(terrain);
                self.selection(selection);
            }
            SelectionKind::Circle { center, radius, .. } => {
                self.expr(center);
                self.expr(radius);
            }
            SelectionKind::Ellipse { center, x_radius, y_radius, .. } => {
                self.expr(center);
                self.expr(x_radius);
                self.expr(y_radius);
            }
            SelectionKind::Gradient { minimum, maximum, center, center2, .. } => {
                self.expr(minimum);
                self.expr(maximum);
                self.expr(center);
                if let Some(center2) = center2 {
                    self.expr(center2);
                }
            }
            SelectionKind::Variable(variable) => {
                if let Some(index) = &variable.index {
                    self.expr(index);
                }
            }
            SelectionKind::Union(parts) => parts.iter().for_each(|part| self.selection(part)),
            SelectionKind::Error => {}
        }
    }
}

/// Place of a name inside `"name"` at `span`, if nothing else stands there.
fn quoted(name: &str, span: Span) -> Option<Span> {
    let inner = Span { start: span.start + 1, end: span.end.saturating_sub(1), ..span };
    (inner.end.saturating_sub(inner.start) as usize == name.len()).then_some(inner)
}

/// What may be given once each. The compilers count erodeproof as a kind of eroded.
#[derive(PartialEq)]
enum ObjectDetailKind {
    Erosion,
    Broken,
    Locked,
    Other(std::mem::Discriminant<ObjectDetail>),
}

fn object_detail_kind(detail: &ObjectDetail) -> ObjectDetailKind {
    match detail {
        ObjectDetail::Eroded(_) | ObjectDetail::Erodeproof => ObjectDetailKind::Erosion,
        ObjectDetail::State(DoorState::Broken) => ObjectDetailKind::Broken,
        ObjectDetail::State(DoorState::Locked) => ObjectDetailKind::Locked,
        other => ObjectDetailKind::Other(std::mem::discriminant(other)),
    }
}

/// The characters of a table that can be shown.
fn visible(characters: &str) -> String {
    characters.chars().filter(|character| !character.is_control()).collect()
}
