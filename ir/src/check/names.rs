//! Names of levels, flags, monsters, objects, traps and room types.

use std::collections::HashMap;
use std::fmt;

use super::{Judge, meant};
use crate::catalog::{Catalog, Feature, Format, Match, Species};
use crate::diagnostic::{Code, Diagnostic, did_you_mean, nearest};
use crate::level::*;
use crate::order::Order;
use crate::source::{Charset, Span, Spanned, Text};
use crate::visit::{SpeciesRole, Visit};
use crate::wording::{Conjunction, listed};
use crate::words::Group;

/// The reason why a level name is invalid.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LevelNameError {
    /// It is empty.
    Empty,
    /// It contains a dot.
    Dot,
    /// It contains a character that is not allowed in a file name.
    Character(char),
    /// It is longer than the game allows.
    Length {
        /// Its length in bytes.
        bytes: usize,
        /// The game's limit in bytes.
        most: usize,
        /// The title of the game.
        game: String,
    },
    /// It contains `%` other than in a single counter.
    Counter,
    /// The counter is wider than the longest allowed name.
    CounterWidth,
}

impl LevelNameError {
    /// Returns the advice for a help line.
    pub fn help(&self) -> &'static str {
        match self {
            LevelNameError::Empty => "write a name, e.g. \"bigrm-1\"",
            LevelNameError::Dot => "remove the extension: the compiler adds \".lev\"",
            LevelNameError::Character(_) => "use letters, digits and '-': a level name becomes a file name",
            LevelNameError::Length { .. } => "shorten it",
            LevelNameError::Counter => "write %i or %02i once; each level of that name gets the next number",
            LevelNameError::CounterWidth => "write %02i",
        }
    }
}

impl fmt::Display for LevelNameError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            LevelNameError::Empty => f.write_str("the level has no name"),
            LevelNameError::Dot => f.write_str("a level name cannot contain a dot"),
            LevelNameError::Character(character) => {
                write!(f, "a level name cannot contain '{}'", character.escape_debug())
            }
            LevelNameError::Length { bytes, most, game } => {
                write!(f, "the level name is {bytes} bytes long; {game} allows {most}")
            }
            LevelNameError::Counter => f.write_str("'%' in a level name must begin a counter"),
            LevelNameError::CounterWidth => f.write_str("the counter in the level name is too wide"),
        }
    }
}

impl std::error::Error for LevelNameError {}

/// Checks that `name` can be the name of a level file.
///
/// In games that number their levels it may contain `%i` or `%02i` once. The other rules keep the file in its folder on
/// any machine.
///
/// # Errors
/// Returns the first problem found.
pub fn level_name(name: &str, catalog: &Catalog, charset: Charset) -> Result<(), LevelNameError> {
    let most = catalog.limits.level_name.max(0) as usize;
    let bytes = charset.encoded_len(name);
    if name.is_empty() {
        return Err(LevelNameError::Empty);
    }
    if name.contains('.') {
        return Err(LevelNameError::Dot);
    }
    // Characters that lead out of a folder, and characters that some file systems reject.
    let (never, not_everywhere) = (['/', '\\', ':'], ['*', '?', '"', '<', '>', '|']);
    let lax = catalog.has(Feature::LaxLevelNames);
    let bad = |character: char| {
        character.is_control() || never.contains(&character) || !lax && not_everywhere.contains(&character)
    };
    if let Some(character) = name.chars().find(|&character| bad(character)) {
        return Err(LevelNameError::Character(character));
    }
    if bytes > most {
        return Err(LevelNameError::Length { bytes, most, game: catalog.title.to_string() });
    }
    let mut percents = name.match_indices('%');
    if catalog.has(Feature::NumberedLevels)
        && let Some((at, _)) = percents.next()
    {
        let digits = name[at + 1..].bytes().take_while(u8::is_ascii_digit).count();
        let good = name[at + 1 + digits..].starts_with('i');
        if !good || percents.next().is_some() {
            return Err(LevelNameError::Counter);
        }
        if name[at + 1..at + 1 + digits].parse::<usize>().is_ok_and(|width| width > most) {
            return Err(LevelNameError::CounterWidth);
        }
    }
    Ok(())
}

/// The levels to which portals lead.
struct Portals<'tree>(Vec<&'tree Spanned<Text>>);

impl<'tree> Visit<'tree> for Portals<'tree> {
    fn level_region(&mut self, region: &'tree LevelRegion, _: Span) {
        if let LevelRegionKind::Portal(level) = &region.kind {
            self.0.push(level);
        }
    }
}

impl Judge<'_> {
    /// Checks that portals lead to levels of the dungeon, if its levels are known. Ports to Lua have their own account.
    pub(super) fn portals(&mut self, module: &Module) {
        let rules = &self.catalog.dungeon;
        if rules.presence("").is_none() || self.catalog.format == Format::Lua {
            return;
        }
        let mut portals = Portals(Vec::new());
        portals.module(module);
        for level in portals.0 {
            let name = level.node.as_str();
            let Some((message, label)) = rules.portal_nowhere(name, &self.catalog.title) else { continue };
            let known = rules.special_levels.iter().map(AsRef::as_ref);
            let near = self.diagnostics.near(Code::PortalNowhere, name, known);
            let help = near.unwrap_or_else(|| "write the name of a level of the dungeon".to_owned());
            self.push(Diagnostic::new(Code::PortalNowhere, level.span, message).with_label(label).with_help(help));
        }
    }

    /// Checks the name of each level, and that all names differ.
    pub(super) fn level_names(&mut self, module: &Module) {
        // An unreadable header was reported; its level has no name.
        let reported = self.diagnostics.has_errors();
        let mut seen: HashMap<&str, Span> = HashMap::new();
        for level in module.levels() {
            let name = level.name.node.as_str();
            if let Err(error) = level_name(name, self.catalog, self.charset)
                && !(name.is_empty() && reported)
            {
                let diagnostic = Diagnostic::new(Code::LevelName, level.name.span, error.to_string());
                self.push(diagnostic.with_help(error.help()));
            }
            let numbered = self.catalog.has(Feature::NumberedLevels) && name.contains('%');
            if numbered || name.is_empty() {
                continue;
            }
            match seen.get(name) {
                Some(&first) => self.push(
                    Diagnostic::new(
                        Code::DuplicateLevel,
                        level.name.span,
                        format!("this is the second level called \"{name}\""),
                    )
                    .with_label("overwrites the first")
                    .with_help("give one of them another name")
                    .with_secondary(first, "first level"),
                ),
                None => {
                    seen.insert(name, level.name.span);
                }
            }
        }
    }

    pub(crate) fn flag(&mut self, flag: &str, span: Span) {
        if self.catalog.word(Group::Flag, flag).is_none() {
            let message = format!("{} does not have a level flag '{flag}'", self.catalog.title);
            let mut diagnostic = Diagnostic::new(Code::Target, span, message);
            diagnostic.help = self.near(Code::Target, flag, self.catalog.words(Group::Flag));
            self.push(diagnostic);
        }
    }

    pub(crate) fn trap(&mut self, trap: &str, span: Span) {
        if self.catalog.trap(trap).is_some() {
            return;
        }
        let names = || self.catalog.traps.iter().map(|(name, _)| name.as_ref());
        let mut diagnostic = Diagnostic::new(Code::UnknownTrap, span, format!("unknown trap \"{trap}\""));
        if !self.diagnostics.keeps(Code::UnknownTrap) {
            return self.push(diagnostic);
        }
        if trap == "random" {
            diagnostic = diagnostic.with_help("write random without quotes").with_suggestion(span, "random", true);
        } else if let Some(meant) = meant::trap(self.catalog, &trap.replace('_', " ")) {
            diagnostic = corrected(diagnostic.with_help(format!("write \"{meant}\"")), trap, meant, span, true);
        } else if let Some(help) = did_you_mean(trap, names()) {
            let near = nearest(trap, names());
            diagnostic = diagnostic.with_help(help);
            if let [only] = near.as_slice() {
                diagnostic = corrected(diagnostic, trap, only, span, false);
            }
        } else {
            diagnostic = diagnostic.with_note(format!("the traps are {}", names().collect::<Vec<_>>().join(", ")));
        }
        self.push(diagnostic);
    }

    /// Checks a room type. Unknown types count as ordinary rooms.
    pub(crate) fn room_type(&mut self, room_type: &str, span: Span) {
        if self.catalog.room(room_type).is_none() {
            self.room_type_as(Code::UnknownRoom, room_type, span, span);
        }
    }

    /// Reports the unknown room type at `span` as `code`. The game's compiler reports it at `noticed`.
    pub(super) fn room_type_as(&mut self, code: Code, room_type: &str, span: Span, noticed: Span) {
        // A string that lost its closing quote was reported.
        if room_type.contains('\n') && self.diagnostics.has_errors() {
            return;
        }
        let names = || self.catalog.rooms.iter().map(|(name, _)| name.as_ref());
        let message = format!("unknown room type \"{room_type}\"");
        let mut diagnostic = Diagnostic::new(code, span, message).with_noticed(noticed);
        if code == Code::UnknownRoom {
            diagnostic = diagnostic.with_label("becomes an ordinary room");
        }
        if !self.diagnostics.keeps(code) {
            return self.push(diagnostic);
        }
        if let Some((meant, guess)) = meant::room(self.catalog, room_type) {
            let certain = meant != "ordinary" && !guess;
            diagnostic = corrected(diagnostic.with_help(format!("write \"{meant}\"")), room_type, meant, span, certain);
        } else if let Some(help) = did_you_mean(room_type, names()) {
            diagnostic = diagnostic.with_help(help);
            if let [only] = nearest(room_type, names()).as_slice() {
                diagnostic = corrected(diagnostic, room_type, only, span, false);
            }
        } else {
            let others = Catalog::dialects_where(|usual| usual.room(room_type).is_some());
            if !others.is_empty() {
                let whose = listed(others, Conjunction::And);
                diagnostic = diagnostic.with_note(format!("it is a room type of {whose}"));
            }
            let shops = names().filter(|name| room_type.contains("shop") && name.contains("shop"));
            let shops: Vec<&str> = shops.collect();
            diagnostic = diagnostic.with_note(match shops.as_slice() {
                [] => format!("the room types are {}", names().collect::<Vec<_>>().join(", ")),
                shops => format!("the shops are {}", shops.join(", ")),
            });
        }
        self.push(diagnostic);
    }

    pub(crate) fn monster_class(&mut self, class: char, span: Span) {
        if self.catalog.monster_class(class).is_none() {
            let classes = self.catalog.monster_classes.as_ref();
            self.unknown_class(Code::UnknownMonster, "monsters", class, classes.to_owned(), span);
        }
    }

    pub(crate) fn object_class(&mut self, class: char, span: Span) {
        if self.catalog.object_class(class).is_none() {
            let classes = self.catalog.object_classes.as_ref();
            self.unknown_class(Code::UnknownObject, "objects", class, classes.to_owned(), span);
        }
    }

    fn unknown_class(&mut self, code: Code, what: &str, class: char, known: String, span: Span) {
        let shown: String = known.chars().filter(|character| !character.is_control()).collect();
        let message = format!("no class of {what} has the symbol '{}'", class.escape_debug());
        self.push(Diagnostic::new(code, span, message).with_help(format!("use one of the classes of {what}: {shown}")));
    }

    /// Checks a monster or object name in script syntax.
    pub(super) fn species(&mut self, role: SpeciesRole, species: &SpeciesName, span: Span) {
        match species {
            SpeciesName::Random | SpeciesName::RandomAndName(_) => {}
            SpeciesName::Class(class) => self.class(role, *class, span),
            SpeciesName::Name(name) => self.species_name(role, name, None, span),
            SpeciesName::ClassAndName(class, name) => {
                let known = match role {
                    SpeciesRole::Monster => self.catalog.monster_class(*class),
                    SpeciesRole::Object => self.catalog.object_class(*class),
                };
                match known {
                    None => self.class_of_name(role, *class, name, span),
                    Some(_) => self.species_name(role, name, Some(*class), span),
                }
            }
        }
    }

    /// Reports an unknown class of a thing whose name may tell the right one.
    pub(super) fn class_of_name(&mut self, role: SpeciesRole, class: char, name: &str, span: Span) {
        let (found, code, all): (_, _, &[Species]) = match role {
            SpeciesRole::Monster => (self.catalog.monster(name, None), Code::UnknownMonster, &self.catalog.monsters),
            SpeciesRole::Object => (self.catalog.object(name, None), Code::UnknownObject, &self.catalog.objects),
        };
        let Some(species) = found.and_then(|(number, _)| all.get(number as usize)) else {
            return self.class(role, class, span);
        };
        let (symbol, name) = (species.class, &species.name);
        let right = match self.catalog.format {
            Format::Parts => format!("'{symbol}',\"{name}\""),
            Format::Opcodes | Format::Lua => format!("('{symbol}',\"{name}\")"),
        };
        // Without blanks, the span has only the class and the name.
        let is_whole = (span.end - span.start) as usize + symbol.len_utf8() == right.len() + class.len_utf8();
        let message = format!("\"{name}\" is of class '{symbol}', not '{class}'");
        let diagnostic = Diagnostic::new(code, span, message).with_help(format!("write {right}"));
        self.push(match is_whole {
            true => diagnostic.with_suggestion(span, right, true),
            false => diagnostic,
        });
    }

    pub(super) fn class(&mut self, role: SpeciesRole, class: char, span: Span) {
        match role {
            SpeciesRole::Monster => self.monster_class(class, span),
            SpeciesRole::Object => self.object_class(class, span),
        }
    }

    /// Checks the name of a monster or object, of `class` if that is given, for a game that rejects unknown names.
    pub(super) fn species_name(&mut self, role: SpeciesRole, name: &str, class: Option<char>, span: Span) {
        let catalog = self.catalog;
        let (found, code, what, all): (_, _, _, &[Species]) = match role {
            SpeciesRole::Monster => (catalog.monster(name, class), Code::UnknownMonster, "monster", &catalog.monsters),
            SpeciesRole::Object => (catalog.object(name, class), Code::UnknownObject, "object", &catalog.objects),
        };
        match found {
            Some((_, Match::Exact)) => {}
            Some((number, Match::IgnoringCase)) => {
                let known = &all[number as usize].name;
                self.push(
                    Diagnostic::new(Code::NameCase, span, format!("the game spells {what} \"{name}\" as \"{known}\""))
                        .with_help(format!("write \"{known}\"")),
                );
            }
            None => {
                let of_class = class.map_or(String::new(), |class| format!(" of class '{}'", class.escape_debug()));
                let message = format!("{} has no {what} \"{name}\"{of_class}", catalog.title);
                let at = name_span(name, class, span);
                let mut diagnostic = Diagnostic::new(code, at, message).with_noticed(span);
                if self.diagnostics.keeps(code) {
                    diagnostic = advise(diagnostic, catalog, role, (name, class), span);
                }
                self.push(diagnostic);
            }
        }
    }
}

/// The most names of a class that a message lists.
const MAX_EXAMPLES: usize = 4;

/// Adds advice on the likely meaning of `name` of `class`.
fn advise(
    diagnostic: Diagnostic,
    catalog: &Catalog,
    role: SpeciesRole,
    (name, class): (&str, Option<char>),
    span: Span,
) -> Diagnostic {
    let known_class = |class: char| match role {
        SpeciesRole::Monster => catalog.monster_class(class).is_some(),
        SpeciesRole::Object => catalog.object_class(class).is_some(),
    };
    let mut letters = name.chars();
    if let (Some(letter), None, None) = (letters.next(), letters.next(), class)
        && known_class(letter)
    {
        let class = format!("'{}'", letter);
        return diagnostic.with_help(format!("put the class in single quotes: {class}")).with_suggestion(
            span,
            class,
            quoted(name, span).is_some(),
        );
    }
    let elsewhere = games_with(catalog, role, name, class);
    let diagnostic = match elsewhere.is_empty() {
        true => diagnostic,
        false => diagnostic.with_label(format!("only in {}", listed(&elsewhere, Conjunction::And))),
    };
    let meant = meant::species(catalog, role, name, class).filter(|meant| meant.certain || elsewhere.is_empty());
    let Some(meant) = meant else {
        let all = match role {
            SpeciesRole::Monster => &catalog.monsters,
            SpeciesRole::Object => &catalog.objects,
        };
        let of_class = all.iter().filter(|species| Some(species.class) == class && !species.name.is_empty());
        let mut of_class: Vec<&Species> = of_class.collect();
        // Those that share a word with the name come first.
        let other = |species: &&Species| !species.name.split(' ').any(|word| name.split(' ').any(|own| own == word));
        of_class.order_by_key(other);
        let examples: Vec<String> =
            of_class.iter().take(MAX_EXAMPLES).map(|species| format!("\"{}\"", species.name)).collect();
        if let Some(class) = class.filter(|_| !examples.is_empty()) {
            let examples = listed(examples, Conjunction::Or);
            return diagnostic
                .with_help(format!("write '{class}' for a random one of the class, or a name such as {examples}"));
        }
        return diagnostic.with_help(match role {
            SpeciesRole::Monster => "write a monster name, a class such as 'o', or random",
            SpeciesRole::Object => "write an object name, a class such as '!', or random",
        });
    };
    let Some(species) = meant.species else { return diagnostic.with_help(meant.why) };
    let found = match role {
        SpeciesRole::Monster => catalog.monster(&species.name, None),
        SpeciesRole::Object => catalog.object(&species.name, None),
    };
    let all = match role {
        SpeciesRole::Monster => &catalog.monsters,
        SpeciesRole::Object => &catalog.objects,
    };
    let first = found.and_then(|(number, _)| all.get(number as usize));
    let alone = class.is_none() && first.is_some_and(|first| first.class == species.class);
    let written = match alone {
        true => format!("\"{}\"", species.name),
        false => format!("('{}',\"{}\")", species.class, species.name),
    };
    let mut help = match class {
        Some(class) if class != species.class => {
            format!("\"{}\" is of class '{}': write {written}", species.name, species.class.escape_debug())
        }
        _ if meant.why.is_empty() && !meant.certain => format!("did you mean \"{}\"?", species.name),
        _ => format!("write {written}"),
    };
    if !meant.why.is_empty() {
        help = format!("{help}; {}", meant.why);
    }
    let whole = name_span(name, class, span) != span || class.is_none() && quoted(name, span).is_some();
    let diagnostic = diagnostic.with_help(help);
    if whole { diagnostic.with_suggestion(span, written, meant.certain) } else { diagnostic }
}

/// Returns the titles of the other games that have this monster or object.
fn games_with(catalog: &Catalog, role: SpeciesRole, name: &str, class: Option<char>) -> Vec<&'static str> {
    let has = |game: &Catalog| match role {
        SpeciesRole::Monster => game.monster(name, class).is_some(),
        SpeciesRole::Object => game.object(name, class).is_some(),
    };
    Catalog::games_where(|usual| usual.dialect != catalog.dialect && has(usual))
}

/// Adds an edit that replaces `name` by `meant`, if `span` is exactly the quoted name.
fn corrected(diagnostic: Diagnostic, name: &str, meant: &str, span: Span, certain: bool) -> Diagnostic {
    match quoted(name, span) {
        Some(inner) => diagnostic.with_suggestion(inner, meant, certain),
        None => diagnostic,
    }
}

/// Returns the span of `"name"` within `span`, if that has the common form `('class',"name")`; otherwise `span`.
fn name_span(name: &str, class: Option<char>, span: Span) -> Span {
    let Some(class) = class.filter(|class| !matches!(class, '\'' | '\\')) else { return span };
    let frame = "('',)".len() + class.len_utf8();
    let length = span.end.saturating_sub(span.start) as usize;
    let literal = name.len() + 2;
    // With or without a blank after the comma.
    if length != frame + literal && length != frame + literal + 1 {
        return span;
    }
    let end = span.end - 1;
    Span { start: end - literal as u32, end, ..span }
}

/// Returns the span of `name` inside the quotes of `"name"`, if `span` contains nothing else.
fn quoted(name: &str, span: Span) -> Option<Span> {
    let span = span.somewhere()?;
    // A quote that opens at the end of the file is shorter than the two quotes of an empty name.
    let is_whole = span.end.saturating_sub(span.start) as usize == name.len() + 2;
    is_whole.then(|| Span { start: span.start + 1, end: span.end - 1, ..span })
}
