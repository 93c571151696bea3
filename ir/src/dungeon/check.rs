//! Checks of a dungeon description.
//!
//! Mistakes that the games' own compiler rejects (`util/dgn_comp.y`) or that overrun its memory are errors. Mistakes
//! that it tries to reject but misses, or that make the game give up later, are warnings.

use std::collections::{HashMap, HashSet};

use crate::catalog::{Catalog, Format};
use crate::diagnostic::{Code, Diagnostic, Diagnostics, nearest};
use crate::dungeon::{Branch, Description, Dungeon, Item, Level, Range, Trait};
use crate::source::{Charset, Span, Spanned, Text};

/// Checks `description` against the game of `catalog`.
pub fn check(description: &Description, catalog: &Catalog, diagnostics: &mut Diagnostics) {
    // Nothing is known about the levels and branches of a dungeon that could not be read.
    if diagnostics.has_errors() && description.dungeons.iter().any(|dungeon| dungeon.name.node.is_empty()) {
        return;
    }
    let mut checker = Checker {
        catalog,
        charset: description.charset,
        diagnostics,
        levels: Vec::new(),
        level_names: HashMap::new(),
        dungeon_names: HashMap::new(),
        branches: Vec::new(),
        dungeon: None,
    };
    for (number, dungeon) in description.dungeons.iter().enumerate() {
        checker.dungeon_names.entry(&dungeon.name.node).or_default().push(number);
    }
    checker.description(description);
}

/// Returns the error that the game of `catalog` lacks a trait of the part at `span`.
pub fn unknown_trait(one: &Trait, span: Span, catalog: &Catalog) -> Diagnostic {
    Diagnostic::new(Code::Descriptor, span, format!("{} has no descriptor \"{}\"", catalog.title, one.word()))
}

struct Checker<'a> {
    catalog: &'a Catalog,
    charset: Charset,
    diagnostics: &'a mut Diagnostics,
    /// The levels checked so far, of all dungeons.
    levels: Vec<&'a Level>,
    /// The indices of the levels with each name, in order.
    level_names: Numbers<'a>,
    /// The indices of all dungeons with each name, in order.
    dungeon_names: Numbers<'a>,
    /// For each branch checked so far, the index of the level it is chained to, among the levels of all dungeons.
    branches: Vec<Option<usize>>,
    /// The dungeon that is checked, and the places of its levels by name, once they are needed.
    dungeon: Option<(&'a Dungeon, Option<HashMap<&'a str, Span>>)>,
}

/// Indices by name, in order.
type Numbers<'a> = HashMap<&'a str, Vec<usize>>;

/// Returns the first index of `name` that is at least `from`.
fn first_from(numbers: &Numbers<'_>, name: &str, from: usize) -> Option<usize> {
    let numbers = numbers.get(name)?;
    numbers.get(numbers.partition_point(|&number| number < from)).copied()
}

/// The result of looking up the level of a chain.
enum Chained {
    /// The level with this index among the levels of all dungeons.
    To(usize),
    /// No such level; already reported.
    Nowhere,
}

impl<'a> Checker<'a> {
    fn error(&mut self, code: Code, span: Span, message: String, help: impl Into<Option<String>>) {
        let diagnostic = Diagnostic::new(code, span, message);
        self.diagnostics.push(match help.into() {
            Some(help) => diagnostic.with_help(help),
            None => diagnostic,
        });
    }

    fn description(&mut self, description: &'a Description) {
        let rules = &self.catalog.dungeon;
        let mut names: HashMap<&str, Span> = HashMap::new();
        let mut bones: HashMap<char, &Dungeon> = HashMap::new();
        let mut reached: HashSet<&str> = HashSet::new();
        for (number, dungeon) in description.dungeons.iter().enumerate() {
            if number == rules.dungeons as usize {
                let message = format!("{} allows at most {} dungeons", self.catalog.title, rules.dungeons);
                self.error(Code::DungeonLimit, dungeon.name.span, message, None);
            }
            let (name, span) = (&dungeon.name.node, dungeon.name.span);
            self.name(&dungeon.name, "dungeon", rules.name, rules.name);
            self.name(&dungeon.prototype, "prototype", rules.name, rules.prototype);
            if let Some(&earlier) = names.get(name.as_str()).filter(|_| !rules.has_alternates()) {
                let diagnostic = Diagnostic::new(Code::RepeatedName, span, format!("duplicate dungeon \"{name}\""));
                self.diagnostics.push(diagnostic.with_secondary(earlier, "the game uses the first of this name"));
            }
            if let Some(letter) = dungeon.bones.node {
                if let Some(earlier) = bones.get(&letter) {
                    let message =
                        format!("the dungeon \"{}\" also uses the bones marker '{letter}'", earlier.name.node);
                    let diagnostic = Diagnostic::new(Code::SharedBones, dungeon.bones.span, message);
                    let note = "bones of one dungeon can appear in the other";
                    self.diagnostics.push(diagnostic.with_secondary(earlier.bones.span, "used here").with_note(note));
                } else {
                    bones.insert(letter, dungeon);
                }
            }
            self.size(dungeon);
            self.traits(&dungeon.traits, dungeon.span);
            if number > 0 && !dungeon.lua.unconnected && !reached.contains(name.as_str()) {
                let message = format!("no earlier dungeon has a branch to \"{name}\": the game cannot start");
                let known = description.dungeons[..number].iter().flat_map(Dungeon::branches);
                let known = known.map(|branch| branch.target.node.as_str());
                let near = self.diagnostics.near(Code::NoWay, name, known);
                let help = near.map(|near| format!("check the name of the branch: {near}"));
                let diagnostic = Diagnostic::new(Code::NoWay, span, message);
                // The misspelt branch to this dungeon was reported.
                let is_reported = |branch: &Branch| {
                    !self.dungeon_names.contains_key(branch.target.node.as_str())
                        && nearest(&branch.target.node, [name.as_str()]) == [name.as_str()]
                };
                let misspelt =
                    description.dungeons[..number].iter().flat_map(Dungeon::branches).find(|one| is_reported(one));
                match (help, misspelt) {
                    (Some(_), Some(branch)) => {
                        let span = Some(branch.target.span);
                        if let Some(known) = self.diagnostics.iter_mut().find(|known| known.span == span) {
                            known.notes.push(format!("no branch leads to \"{name}\": the game cannot start"));
                        }
                    }
                    (Some(help), None) => self.diagnostics.push(diagnostic.with_help(help)),
                    (None, _) => self.diagnostics.push(
                        diagnostic
                            .with_help(format!("write BRANCH: \"{name}\" @ (BASE, RANDOM) in an earlier dungeon")),
                    ),
                }
            }
            self.items(description, number, dungeon);
            reached.extend(dungeon.branches().map(|branch| branch.target.node.as_str()));
            names.entry(name).or_insert(span);
        }
        if description.dungeons.is_empty() {
            let message = "no dungeon in this file".to_owned();
            self.diagnostics.push(Diagnostic::new(Code::NoDungeon, None, message));
        }
        if description.dungeons.len() == rules.dungeons as usize {
            let span = description.dungeons.last().map(|last| last.name.span);
            let message = format!(
                "{} does not start with {} dungeons: the limit is one less",
                self.catalog.title, rules.dungeons
            );
            self.diagnostics.push(Diagnostic::new(Code::GameRefuses, span, message));
        }
    }

    fn items(&mut self, description: &'a Description, number: usize, dungeon: &'a Dungeon) {
        let rules = &self.catalog.dungeon;
        let first = self.levels.len();
        self.dungeon = Some((dungeon, None));
        let mut bones: HashMap<char, &Level> = HashMap::new();
        for item in &dungeon.items {
            match item {
                Item::Level(level) => {
                    if self.levels.len() == rules.levels as usize {
                        let message = format!("{} allows at most {} special levels", self.catalog.title, rules.levels);
                        self.error(Code::DungeonLimit, level.name.span, message, None);
                    }
                    self.level(level, first, dungeon, &mut bones);
                    self.level_names.entry(&level.name.node).or_default().push(self.levels.len());
                    self.levels.push(level);
                }
                Item::Branch(branch) => {
                    if self.branches.len() == rules.branches as usize {
                        let message = format!("{} allows at most {} branches", self.catalog.title, rules.branches);
                        self.error(Code::DungeonLimit, branch.target.span, message, None);
                    }
                    self.branch(branch, first, description, number);
                }
            }
        }
    }

    /// Checks that `name` fits the `space` of the compiler, and the space of the game, `kept`; both include a
    /// terminator.
    fn name(&mut self, name: &Spanned<Text>, what: &str, space: i32, kept: i32) {
        let length = self.charset.encoded_len(&name.node);
        let title = &self.catalog.title;
        if length >= space as usize {
            let message =
                format!("the name of a {what} can be at most {} bytes long, found {length}", kept.min(space) - 1);
            self.error(Code::DungeonName, name.span, message, None);
        } else if length >= kept as usize {
            let message = format!("{title} allows at most {} bytes for the name of a {what}, found {length}", kept - 1);
            let note = "the rest overwrites other memory of the game";
            self.diagnostics
                .push(Diagnostic::new(Code::LongName, name.span, message).with_note(note).with_help("shorten it"));
        }
    }

    /// Checks that the game has `traits`, those of the part at `span`. Only JSON can have others.
    fn traits(&mut self, traits: &[Trait], span: Span) {
        for one in traits.iter().filter(|one| self.catalog.dungeon.bit(one).is_none()) {
            let known = self.catalog.dungeon.all_traits().map(|(known, _)| known.word().to_owned()).collect::<Vec<_>>();
            let near = self.diagnostics.near(Code::Descriptor, one.word(), known.iter().map(String::as_str));
            let diagnostic = unknown_trait(one, span, self.catalog);
            self.diagnostics.push(near.into_iter().fold(diagnostic, Diagnostic::with_help));
        }
    }

    fn size(&mut self, dungeon: &Dungeon) {
        let Range { span, base, random } = dungeon.size;
        let most = self.catalog.dungeon.depth;
        if !self.base(dungeon.size) {
            return;
        }
        let warn = |message: String| Diagnostic::new(Code::GameRefuses, span, message);
        if base < 1 || random < 0 {
            let message = format!("the dungeon \"{}\" may have no levels: the game cannot start", dungeon.name.node);
            self.diagnostics.push(warn(message).with_help("write (LEVELS, RANDOM), e.g. (5, 2) for 5 or 6 levels"));
        } else if base.saturating_add(random.max(1) - 1) > most {
            let message = format!("{} cuts off dungeons below level {most}", self.catalog.title);
            self.diagnostics.push(warn(message));
        }
        if !(0..=100).contains(&dungeon.chance) {
            let message = format!("{} is not a percentage", dungeon.chance);
            let help = "write a chance from 1 to 100, or omit it: the dungeon then always exists";
            self.diagnostics.push(Diagnostic::new(Code::OddNumber, dungeon.span, message).with_help(help));
        }
    }

    /// Checks the base of `range`. Returns false if the compiler rejects it, which has then been reported.
    fn base(&mut self, range: Range) -> bool {
        let most = self.catalog.dungeon.depth;
        // No compiler checks a script, and the game cuts off what is too deep.
        let fits = (-most..=most).contains(&range.base) || self.catalog.format == Format::Lua;
        if !fits {
            let message = format!("a dungeon has at most {most} levels, so there is no level {}", range.base);
            let help = format!("write 1 for the top up to {most}, or -1 for the bottom up to -{most}");
            self.error(Code::DepthRange, range.span, message, Some(help));
        } else if i16::try_from(range.random).is_err() {
            let cut = range.random as i16;
            let message = format!("{} does not fit in the file: it becomes {cut}", range.random);
            self.diagnostics.push(Diagnostic::new(Code::NumberCut, range.span, message));
        }
        fits
    }

    /// Checks that a place from the top exists in the largest version of its dungeon. The game panics otherwise
    /// (`level_range`).
    fn within(&mut self, place: Range, dungeon: &Dungeon) {
        let Range { base, random, .. } = dungeon.size;
        let most = base.saturating_add(random.max(1) - 1);
        if base > 0 && place.base > most {
            let message = format!("\"{}\" has no level {}: the game cannot start", dungeon.name.node, place.base);
            let help = format!("write a level from 1 to {base}, or -1 for the last one");
            self.diagnostics.push(Diagnostic::new(Code::GameRefuses, place.span, message).with_help(help));
        }
    }

    /// Checks a place counted from the top or the bottom.
    fn place(&mut self, range: Range) {
        let most = self.catalog.dungeon.depth;
        let Range { span, base, random } = range;
        // A sum that overflows an int wraps around in the games' compiler and is accepted.
        let last = if base < 0 {
            most.wrapping_add(base).wrapping_add(random).wrapping_add(1)
        } else {
            base.wrapping_add(random)
        };
        if self.catalog.format != Format::Lua && (-most..=most).contains(&base) && (random < -1 || last > most) {
            let help = match random {
                ..-1 => "write 0 for one place, -1 for all places down to the bottom".to_owned(),
                _ => format!("reduce the range: base and range reach level {last}, but the limit is {most}"),
            };
            let message = format!("the range {random} does not fit the base {base}");
            self.error(Code::DepthRange, span, message, help);
        } else if self.base(range) && base == 0 {
            let message = "levels are counted from 1: the game cannot start".to_owned();
            self.diagnostics.push(
                Diagnostic::new(Code::GameRefuses, span, message).with_help("write 1 for the top, -1 for the bottom"),
            );
        }
    }

    fn level(&mut self, level: &'a Level, first: usize, dungeon: &'a Dungeon, bones: &mut HashMap<char, &'a Level>) {
        let rules = &self.catalog.dungeon;
        self.name(&level.name, "level", rules.name, rules.level_name);
        let earlier = first_from(&self.level_names, &level.name.node, 0).map(|known| self.levels[known].name.span);
        if let Some(letter) = level.bones.node {
            match bones.get(&letter) {
                Some(earlier) => {
                    let message =
                        format!("\"{}\" in the same dungeon also uses the bones marker '{letter}'", earlier.name.node);
                    let diagnostic = Diagnostic::new(Code::SharedBones, level.bones.span, message);
                    self.diagnostics.push(
                        diagnostic.with_secondary(earlier.bones.span, "used here").with_note(format!(
                            "bones of one level of \"{}\" can appear in the other",
                            dungeon.name.node
                        )),
                    );
                }
                None => _ = bones.insert(letter, level),
            }
        }
        if !(0..=100).contains(&level.chance) {
            let message = format!("{} is not a percentage", level.chance);
            let help = "write a chance from 0 to 100, or omit it: the level then always exists";
            self.diagnostics.push(Diagnostic::new(Code::OddNumber, level.span, message).with_help(help));
        }
        if level.variants < 0 {
            let message = format!("a level cannot have {} variants", level.variants);
            self.diagnostics.push(Diagnostic::new(Code::OddNumber, level.span, message));
        }
        self.traits(&level.traits, level.span);
        let Some(chain) = &level.chain else {
            self.place(level.place);
            self.within(level.place, dungeon);
            if let Some(earlier) = earlier {
                let message = format!("duplicate level \"{}\"", level.name.node);
                let diagnostic =
                    Diagnostic::new(Code::RepeatedName, level.name.span, message).with_help(match level.variants {
                        0 => "rename one of them, or write RNDLEVEL for variants of one level",
                        _ => "rename one of them",
                    });
                self.diagnostics.push(diagnostic.with_secondary(earlier, "the game uses the first of this name"));
            }
            return;
        };
        self.base(level.place);
        if let Some(earlier) = earlier {
            let message = format!("duplicate level \"{}\"", level.name.node);
            let diagnostic = Diagnostic::new(Code::DuplicateName, level.name.span, message)
                .with_help("rename one of them, or write RNDCHLEVEL for variants of one level");
            self.diagnostics.push(diagnostic.with_secondary(earlier, "described here"));
            return;
        }
        // The search of the compiler can find the level itself, because its name is already stored.
        let is_own = chain.node == level.name.node && first_from(&self.level_names, &chain.node, first + 1).is_none();
        if is_own && self.levels.len() > first {
            self.error(Code::Chain, chain.span, "a level cannot be chained to itself".to_owned(), None);
            return;
        }
        if !chain.node.is_empty()
            && let Chained::To(number) = self.chained(chain, first, self.overlooked())
            && self.levels[number].chance != 100
        {
            self.uncertain(Code::Chain, "a level", chain, self.levels[number]);
        }
    }

    /// Returns the number of levels at the beginning of a dungeon that other levels cannot be chained to.
    fn overlooked(&self) -> usize {
        // NetHack 5 has no dungeon compiler and finds every level.
        usize::from(self.catalog.format != Format::Lua)
    }

    /// Looks up the level of this dungeon that `chain` names. The dungeon begins at index `first`, and its first
    /// `skipped` levels are ignored, see [`Dungeon::level_chained`].
    fn chained(&mut self, chain: &Spanned<Text>, first: usize, skipped: usize) -> Chained {
        if let Some(at) = first_from(&self.level_names, &chain.node, first + skipped) {
            return Chained::To(at);
        }
        if first_from(&self.level_names, &chain.node, first).is_some() {
            let message = "the games' own compiler cannot chain anything to the first level of a dungeon";
            let help = format!("describe another level of this dungeon before \"{}\"", chain.node);
            self.error(Code::Chain, chain.span, message.to_owned(), help);
            return Chained::Nowhere;
        }
        let message = format!("this dungeon has no level \"{}\" before this one", chain.node);
        let later = self.dungeon.as_mut().and_then(|(dungeon, names)| {
            let names = names.get_or_insert_with(|| {
                dungeon.levels().map(|level| (level.name.node.as_str(), level.name.span)).collect()
            });
            names.get(chain.node.as_str()).copied()
        });
        if let Some(later) = later {
            self.diagnostics.push(
                Diagnostic::new(Code::Chain, chain.span, message)
                    .with_secondary(later, "described here")
                    .with_help(format!("move the level \"{}\" above this line", chain.node)),
            );
            return Chained::Nowhere;
        }
        let known = self.levels[first..].iter().map(|level| level.name.node.as_str());
        let near = self.diagnostics.near(Code::Chain, &chain.node, known);
        let help = near.unwrap_or_else(|| "chain to a level that is described earlier in the same dungeon".to_owned());
        self.error(Code::Chain, chain.span, message, help);
        Chained::Nowhere
    }

    /// Reports a chain to `level`, which does not always exist.
    fn uncertain(&mut self, code: Code, what: &str, chain: &Spanned<Text>, level: &Level) {
        let message = format!(
            "{what} cannot be chained to \"{}\", which exists in only {} of 100 games",
            chain.node, level.chance
        );
        let diagnostic = Diagnostic::new(code, chain.span, message);
        self.diagnostics.push(diagnostic.with_secondary(level.span, "described here"));
    }

    fn branch(&mut self, branch: &'a Branch, first: usize, description: &'a Description, number: usize) {
        let rules = &self.catalog.dungeon;
        self.name(&branch.target, "dungeon", rules.name, rules.name);
        let target = &branch.target.node;
        let earlier = first_from(&self.dungeon_names, target, 0).filter(|&earlier| earlier < number);
        let earlier = earlier.map(|earlier| &description.dungeons[earlier]);
        if let Some(earlier) = earlier {
            let message = format!("a branch cannot lead back to \"{target}\"");
            let diagnostic = Diagnostic::new(Code::ReverseBranch, branch.target.span, message);
            self.diagnostics.push(diagnostic.with_secondary(earlier.name.span, "described here, before this dungeon"));
        } else if first_from(&self.dungeon_names, target, number + 1).is_none() {
            let known = description.dungeons[number + 1..].iter().map(|dungeon| dungeon.name.node.as_str());
            let message = format!("unknown dungeon \"{target}\": this branch leads nowhere");
            let diagnostic = Diagnostic::new(Code::NoWay, branch.target.span, message);
            let near = self.diagnostics.near(Code::NoWay, target, known);
            let help = near
                .unwrap_or_else(|| format!("write DUNGEON: \"{target}\" \"none\" (BASE, RANDOM) after this dungeon"));
            self.diagnostics.push(diagnostic.with_help(help));
        }
        let mut found = None;
        match &branch.chain {
            None => self.place(branch.place),
            Some(chain) => {
                self.base(branch.place);
                if !chain.node.is_empty()
                    && let Chained::To(at) = self.chained(chain, first, 0)
                {
                    found = Some(at);
                }
            }
        }
        self.branches.push(found);
        let looked_at = self.quirk_other_branch(number);
        let uncertain = |at: usize| self.levels.get(at).is_none_or(|level| level.chance != 100);
        let own = found.filter(|&at| uncertain(at));
        match (own, looked_at.filter(|&at| uncertain(at))) {
            (Some(at), refused) => {
                // The compiler tries to reject this chain.
                let code = if refused.is_some() { Code::Chain } else { Code::UncertainChain };
                if let Some(chain) = &branch.chain {
                    self.uncertain(code, "a branch", chain, self.levels[at]);
                }
            }
            (None, Some(_)) if earlier.is_none() => {
                let message = "the games' own compiler refuses this branch: it checks another level than the one the \
                               branch is chained to, and that level does not always exist";
                let help = "reorder the branches of this dungeon, or first describe a level that always exists";
                self.error(Code::Chain, branch.span, message.to_owned(), help.to_owned());
            }
            _ => {}
        }
    }

    /// Returns the index of the level whose chance the compiler examines when it checks the last branch of the dungeon
    /// with this number, among the levels of all dungeons.
    ///
    /// The compiler uses the number of the dungeon as that of the branch (`check_branch` in `util/dgn_comp.y`). A
    /// branch not yet described is all zeroes there, and so chained to the very first level.
    fn quirk_other_branch(&self, dungeon: usize) -> Option<usize> {
        self.branches.get(dungeon).copied().unwrap_or(Some(0))
    }
}
