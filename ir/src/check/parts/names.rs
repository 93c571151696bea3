//! Names of monsters and objects. An unknown name becomes a random one, with a warning.

use super::{Checker, Owner, Setting};
use crate::catalog::{Feature, Match};
use crate::check::meant;
use crate::diagnostic::{Code, Diagnostic};
use crate::level::*;
use crate::parts::quoted;
use crate::source::{Span, Spanned, Text};
use crate::visit::SpeciesRole;

impl Checker<'_> {
    /// Returns true if the class means that the name is not in the game's tables.
    fn is_by_hash(&self, species: &SpeciesName) -> bool {
        let class = match species {
            SpeciesName::Class(class) | SpeciesName::ClassAndName(class, _) => *class,
            _ => return false,
        };
        class == '#' && self.judge.catalog.has(Feature::ClassesByHash)
    }

    pub(super) fn monster_species(&mut self, species: &SpeciesName, span: Span) {
        match species {
            _ if self.is_by_hash(species) => {}
            SpeciesName::Random => {}
            SpeciesName::Class(class) => self.judge.monster_class(*class, span),
            SpeciesName::Name(name) => self.monster_name(name, None, span),
            SpeciesName::ClassAndName(class, name) if self.judge.catalog.monster_class(*class).is_none() => {
                self.judge.class_of_name(SpeciesRole::Monster, *class, name, span);
            }
            SpeciesName::ClassAndName(class, name) => self.monster_name(name, Some(*class), span),
            SpeciesName::RandomAndName(name) => self.monster_without_class(name, span),
        }
    }

    pub(super) fn object_species(&mut self, species: &SpeciesName, span: Span) {
        match species {
            _ if self.is_by_hash(species) => {}
            SpeciesName::Random => {}
            SpeciesName::Class(class) => self.judge.object_class(*class, span),
            SpeciesName::Name(name) => self.object_name(name, None, span),
            SpeciesName::ClassAndName(class, name) if self.judge.catalog.object_class(*class).is_none() => {
                self.judge.class_of_name(SpeciesRole::Object, *class, name, span);
            }
            SpeciesName::ClassAndName(class, name) => self.object_name(name, Some(*class), span),
            SpeciesName::RandomAndName(name) => self.random_object(name, span),
        }
    }

    fn random_object(&mut self, name: &str, span: Span) {
        match self.judge.catalog.object(name, None).filter(|(_, how)| *how == Match::Exact) {
            None => self.object_name(name, None, span),
            Some((number, _)) => {
                let mut diagnostic = Diagnostic::new(Code::NameIgnored, span, "the name of a random object is ignored")
                    .with_label("the game makes a random object");
                if let Some(species) = self.judge.catalog.objects.get(number as usize) {
                    diagnostic = diagnostic.with_help(format!("write '{}',\"{name}\"", species.class));
                }
                self.judge.push(diagnostic);
            }
        }
    }

    /// A name that is not a monster of the class becomes a random monster, with a warning (NetHack 3.4.3, lev_comp,
    /// `monster_detail`).
    fn monster_name(&mut self, name: &str, class: Option<char>, span: Span) {
        match self.judge.catalog.monster(name, class) {
            Some((_, Match::Exact)) => {}
            _ => {
                let mut diagnostic = Diagnostic::new(
                    Code::UnknownMonsterName,
                    last(name, span),
                    match class {
                        Some(class) => format!("unknown monster \"{name}\" of class '{class}'"),
                        None => format!("unknown monster \"{name}\""),
                    },
                )
                .with_label("becomes a random monster");
                if self.judge.diagnostics.keeps(Code::UnknownMonsterName) {
                    diagnostic = self.advise(diagnostic, SpeciesRole::Monster, name, class, span);
                }
                self.judge.push(diagnostic);
            }
        }
    }

    pub(super) fn monster_without_class(&mut self, name: &str, span: Span) {
        let mut diagnostic =
            Diagnostic::new(Code::UnknownMonsterName, span, format!("\"{name}\" is ignored without its class"))
                .with_label("becomes a random monster");
        if let Some(species) = self
            .judge
            .catalog
            .monster(name, None)
            .and_then(|(number, _)| self.judge.catalog.monsters.get(number as usize))
        {
            diagnostic = diagnostic.with_help(format!("write '{}',\"{}\"", species.class, species.name));
        }
        self.judge.push(diagnostic);
    }

    /// A name that is not an object of the class becomes a random object, with a warning (NetHack 3.4.3, lev_comp,
    /// `object_desc`). Common mistakes get a hint.
    pub(super) fn object_name(&mut self, name: &str, class: Option<char>, span: Span) {
        let found = self.judge.catalog.object(name, class);
        if matches!(found, Some((_, Match::Exact))) {
            return;
        }
        let mut diagnostic = Diagnostic::new(
            Code::UnknownObjectName,
            last(name, span),
            match class {
                Some(class) => format!("unknown object \"{name}\" of class '{class}'"),
                None => format!("unknown object \"{name}\""),
            },
        )
        .with_label("becomes a random object");
        if class == Some('$') {
            let help = "use the GOLD statement: `GOLD:amount,place`, e.g. `GOLD:100,(3,4)`";
            diagnostic = diagnostic.with_help(help);
        } else if self.judge.diagnostics.keeps(Code::UnknownObjectName) {
            diagnostic = self.advise(diagnostic, SpeciesRole::Object, name, class, span);
        }
        self.judge.push(diagnostic);
    }

    /// Adds a guess at the intended name of `name` of `class`.
    fn advise(
        &self,
        diagnostic: Diagnostic,
        role: SpeciesRole,
        name: &str,
        class: Option<char>,
        span: Span,
    ) -> Diagnostic {
        let Some(meant) = meant::species(self.judge.catalog, role, name, class) else {
            return diagnostic.with_help("write a name of that class, or random");
        };
        let Some(species) = meant.species else { return diagnostic.with_help(meant.why) };
        let of = name.split_once(" of ").is_some_and(|(_, of)| of.eq_ignore_ascii_case(&species.name));
        let counted = name.starts_with(|first: char| first.is_ascii_digit());
        let help = if counted && role == SpeciesRole::Object {
            format!("write \"{}\" once for each object: OBJECT has no quantity", species.name)
        } else if class.is_some_and(|class| class != species.class) {
            let what = if meant.why.is_empty() { String::new() } else { format!("; {}", meant.why) };
            format!("\"{}\" is of class '{}'{what}", species.name, species.class)
        } else if of {
            format!("'{}' is already the class: write \"{}\" alone", species.class, species.name)
        } else if meant.why.is_empty() {
            format!("did you mean \"{}\"?", species.name)
        } else {
            format!("write \"{}\"; {}", species.name, meant.why)
        };
        let diagnostic = diagnostic.with_help(help);
        // The name is at the end of the source text of the span.
        let same_class = class.is_none_or(|class| class == species.class);
        let length = span.end.saturating_sub(span.start) as usize;
        if !same_class || length <= name.len() + 2 || !meant.why.is_empty() && !of && !meant.certain {
            return diagnostic;
        }
        let name = Span { start: span.end - 1 - name.len() as u32, end: span.end - 1, ..span };
        diagnostic.with_suggestion(name, species.name.to_string(), meant.certain)
    }

    pub(super) fn contained(&mut self, span: Span) {
        // An unparsed statement may be a container.
        let unread = |known: &Diagnostic| matches!(known.code, Code::Syntax | Code::WrongDialect);
        if matches!(self.owner, Owner::Container) || self.judge.diagnostics.iter().any(unread) {
            return;
        }
        let diagnostic = Diagnostic::new(Code::ContainerOrder, span, "no CONTAINER before this `contained` object");
        let diagnostic = match &self.place {
            Setting::Room => diagnostic.with_help("move the CONTAINER before it, in the same room").with_note(
                "NetHack 3.4.3 creates the objects of a room in the order in which they are written; guides for \
                     older games, which created them from last to first, put `contained` before its container",
            ),
            _ => diagnostic.with_help("write its CONTAINER before it, as in CONTAINER:'(',\"chest\",(x,y)"),
        };
        let diagnostic = match self.owner {
            Owner::Object(object) => {
                diagnostic.with_secondary(object, "if this holds it, write CONTAINER instead of OBJECT")
            }
            _ => diagnostic,
        };
        self.judge.push(diagnostic);
        // The `contained` objects after it have the same owner.
        self.owner = Owner::Container;
    }

    /// Checks that the game has the artifact after a door (SLASH'EM 0.0.7, lev_comp, `door_detail`).
    pub(super) fn artifact(&mut self, also: &[Spanned<Text>]) {
        let Some((name, span)) = name_behind(also) else { return };
        let catalog = self.judge.catalog;
        if catalog.artifacts.is_empty() {
            return self.unnumbered("artifact", name, span);
        } else if catalog.artifact(name).is_some() {
            return;
        }
        let message = format!("unknown artifact \"{name}\"");
        let mut diagnostic = Diagnostic::new(Code::UnknownObject, span, message);
        if let Some(help) = self.judge.near(Code::UnknownObject, name, catalog.artifacts.iter().map(AsRef::as_ref)) {
            diagnostic = diagnostic.with_help(help);
        }
        self.judge.push(diagnostic);
    }

    /// Warns if the game does not have the god after an altar; the altar then has none (dNAO 3.20, lev_main,
    /// `get_god_id`).
    pub(super) fn god(&mut self, also: &[Spanned<Text>]) {
        let Some((name, span)) = name_behind(also) else { return };
        let catalog = self.judge.catalog;
        if catalog.gods.is_empty() {
            return self.unnumbered("god", name, span);
        } else if catalog.god(name).is_some() {
            return;
        }
        let mut diagnostic = Diagnostic::new(Code::NameIgnored, span, format!("unknown god \"{name}\""))
            .with_label("the altar belongs to no specific god");
        let known = catalog.gods.iter().map(AsRef::as_ref).filter(|name: &&str| !name.is_empty());
        if let Some(help) = self.judge.near(Code::NameIgnored, name, known) {
            diagnostic = diagnostic.with_help(help);
        }
        self.judge.push(diagnostic);
    }

    /// Rejects the name of an artifact or god if the catalog has no numbers for them.
    fn unnumbered(&mut self, what: &str, name: &str, span: Span) {
        let title = &self.judge.catalog.title;
        let message = format!("the catalog of {title} lists no {what}s, so the number of \"{name}\" is unknown");
        let help = format!("add `{what}s = [\"\", \"first {what}\", ...]` to the catalog: the first has the number 0");
        self.judge.push(Diagnostic::new(Code::Target, span, message).with_help(help));
    }

    pub(super) fn corpse(&mut self, name: &Expr) {
        let ExprKind::String(text) = &name.kind else { return };
        if text == "random" || self.judge.catalog.monster(text, None).is_some_and(|(_, how)| how == Match::Exact) {
            return;
        }
        let mut diagnostic = Diagnostic::new(Code::UnknownCorpse, name.span, format!("unknown monster \"{text}\""))
            .with_label("becomes that of a random monster");
        let known = self.judge.catalog.monsters.iter().map(|species| species.name.as_ref());
        if let Some(help) = self.judge.near(Code::UnknownCorpse, text, known) {
            diagnostic = diagnostic.with_help(help);
        }
        self.judge.push(diagnostic);
    }
}

/// Returns the span of `"name"` at the end of `span`.
fn last(name: &str, span: Span) -> Span {
    let start = span.end.saturating_sub(name.len() as u32 + 2).max(span.start);
    Span { start, ..span }
}

/// Returns the quoted name after a door or an altar.
fn name_behind(also: &[Spanned<Text>]) -> Option<(&str, Span)> {
    let written = also.first()?;
    Some((quoted(&written.node)?, written.span))
}
