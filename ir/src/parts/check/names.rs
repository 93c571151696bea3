//! Names of monsters and objects: one that is unknown becomes a random one, with a warning.

use super::{Checker, Setting};
use crate::catalog::Match;
use crate::diagnostic::{Code, Diagnostic};
use crate::level::*;
use crate::source::Span;

impl Checker<'_> {
    pub(super) fn monster_species(&mut self, species: &SpeciesName, span: Span) {
        match species {
            SpeciesName::Random => {}
            SpeciesName::Class(class) => self.judge.monster_class(*class, span),
            SpeciesName::Name(name) => self.monster_name(name, None, span),
            SpeciesName::ClassAndName(class, _) if self.judge.catalog.monster_class(*class).is_none() => {
                self.judge.monster_class(*class, span);
            }
            SpeciesName::ClassAndName(class, name) => self.monster_name(name, Some(*class), span),
            SpeciesName::RandomAndName(name) => self.monster_without_class(name, span),
        }
    }

    pub(super) fn object_species(&mut self, species: &SpeciesName, span: Span) {
        match species {
            SpeciesName::Random => {}
            SpeciesName::Class(class) => self.judge.object_class(*class, span),
            SpeciesName::Name(name) => self.object_name(name, None, span),
            SpeciesName::ClassAndName(class, _) if self.judge.catalog.object_class(*class).is_none() => {
                self.judge.object_class(*class, span);
            }
            SpeciesName::ClassAndName(class, name) => self.object_name(name, Some(*class), span),
            SpeciesName::RandomAndName(name) => self.random_object(name, span),
        }
    }

    fn random_object(&mut self, name: &str, span: Span) {
        match self.judge.catalog.object(name, None).filter(|(_, how)| *how == Match::Exact) {
            None => self.object_name(name, None, span),
            Some((number, _)) => {
                let mut diagnostic =
                    Diagnostic::new(Code::NameIgnored, span, "the name of a random object is not looked at")
                        .with_label("the game makes a random object");
                if let Some(species) = self.judge.catalog.objects.get(number as usize) {
                    diagnostic = diagnostic.with_help(format!("write '{}',\"{name}\"", species.class));
                }
                self.judge.push(diagnostic);
            }
        }
    }

    /// A name that is not that of a monster of the class makes a random one, with a warning (NetHack 3.4.3,
    /// lev_comp, `monster_detail`).
    fn monster_name(&mut self, name: &str, class: Option<char>, span: Span) {
        match self.judge.catalog.monster(name, class) {
            Some((_, Match::Exact)) => {}
            found => {
                let mut diagnostic = Diagnostic::new(
                    Code::UnknownMonsterName,
                    span,
                    match class {
                        Some(class) => format!("no monster of class '{class}' is called \"{name}\""),
                        None => format!("no monster is called \"{name}\""),
                    },
                )
                .with_label("becomes a random one");
                let elsewhere = self
                    .judge
                    .catalog
                    .monster(name, None)
                    .and_then(|(number, _)| self.judge.catalog.monsters.get(number as usize));
                if let (None, Some(species)) = (found, elsewhere) {
                    diagnostic = diagnostic.with_help(format!("\"{}\" is of class '{}'", species.name, species.class));
                } else {
                    let known = self
                        .judge
                        .catalog
                        .monsters
                        .iter()
                        .filter(|species| class.is_none_or(|class| species.class == class));
                    if let Some(help) =
                        self.judge.near(Code::UnknownMonsterName, name, known.map(|species| species.name.as_ref()))
                    {
                        diagnostic = diagnostic.with_help(help);
                    }
                }
                self.judge.push(diagnostic);
            }
        }
    }

    pub(super) fn monster_without_class(&mut self, name: &str, span: Span) {
        let mut diagnostic =
            Diagnostic::new(Code::UnknownMonsterName, span, format!("\"{name}\" is not looked for without its class"))
                .with_label("becomes a random one");
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

    /// A name that is not that of an object of the class makes a random one, with a warning (NetHack 3.4.3,
    /// lev_comp, `object_desc`). The usual mistakes get a hint.
    pub(super) fn object_name(&mut self, name: &str, class: Option<char>, span: Span) {
        let found = self.judge.catalog.object(name, class);
        if matches!(found, Some((_, Match::Exact))) {
            return;
        }
        let mut diagnostic = Diagnostic::new(
            Code::UnknownObjectName,
            span,
            match class {
                Some(class) => format!("no object of class '{class}' is called \"{name}\""),
                None => format!("no object is called \"{name}\""),
            },
        )
        .with_label("becomes a random one");
        let species = |name: &str, class: Option<char>| {
            let (number, _) = self.judge.catalog.object(name, class)?;
            self.judge.catalog.objects.get(number as usize)
        };
        let counted = name.trim_start_matches(|first: char| first.is_ascii_digit()).trim_start();
        let one = counted.strip_suffix('s').unwrap_or(counted);
        let of = name.split_once(" of ").map(|(_, of)| of);
        let help = if class == Some('$') {
            Some("gold is made with its own statement: `GOLD:amount,place`, e.g. `GOLD:100,(3,4)`".to_owned())
        } else if counted.len() < name.len() {
            let one =
                species(counted, class).or_else(|| species(one, class)).map_or(one, |species| species.name.as_ref());
            Some(format!("an OBJECT is one thing and takes no quantity: write \"{one}\", once for each"))
        } else if let Some(species) = of.and_then(|of| species(of, class)) {
            Some(format!("the class '{}' says what it is: write \"{}\" alone", species.class, species.name))
        } else if let (None, Some(species)) = (found, species(name, None)) {
            Some(format!("\"{}\" is of class '{}'", species.name, species.class))
        } else {
            let known =
                self.judge.catalog.objects.iter().filter(|species| class.is_none_or(|class| species.class == class));
            self.judge.near(Code::UnknownObjectName, name, known.map(|species| species.name.as_ref()))
        };
        if let Some(help) = help {
            diagnostic = diagnostic.with_help(help);
        }
        self.judge.push(diagnostic);
    }

    pub(super) fn contained(&mut self, span: Span) {
        if self.container {
            return;
        }
        let diagnostic = Diagnostic::new(Code::ContainerOrder, span, "no CONTAINER comes before what is contained");
        let diagnostic = match &self.place {
            Setting::Room => diagnostic
                .with_help("write the CONTAINER first, in the same room, and what is in it after it")
                .with_note(
                    "NetHack 3.4.3 makes the objects of a room in the order in which they are written; guides for \
                     older games, which made them from last to first, say to write `contained` before its container",
                ),
            _ => diagnostic.with_help("write the CONTAINER first, and what is in it after it"),
        };
        self.judge.push(diagnostic);
    }

    pub(super) fn corpse(&mut self, name: &Expr) {
        let ExprKind::String(text) = &name.kind else { return };
        if text == "random" || self.judge.catalog.monster(text, None).is_some_and(|(_, how)| how == Match::Exact) {
            return;
        }
        let mut diagnostic =
            Diagnostic::new(Code::UnknownCorpse, name.span, format!("no monster is called \"{text}\""))
                .with_label("becomes that of a random monster");
        let known = self.judge.catalog.monsters.iter().map(|species| species.name.as_ref());
        if let Some(help) = self.judge.near(Code::UnknownCorpse, text, known) {
            diagnostic = diagnostic.with_help(help);
        }
        self.judge.push(diagnostic);
    }
}
