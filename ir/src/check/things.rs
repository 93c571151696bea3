//! Things: details of monsters and objects, states, alignments, percentages.

use super::judge::Judge;
use crate::catalog::Feature;
use crate::diagnostic::{Code, Diagnostic};
use crate::level::*;
use crate::source::{Span, Spanned, Text};
use crate::words::{Appearance, DoorState, Group, misspelt_feature};

impl Judge<'_> {
    /// Checks the state of a drawbridge in the statement at `span`.
    pub(crate) fn drawbridge_state(&mut self, state: &OrRandom<Spanned<DoorState>>, span: Span) {
        let random = !self.catalog.has(Feature::FixedDrawbridges);
        let (what, at) = match state {
            OrRandom::Is(state) if matches!(state.node, DoorState::Open | DoorState::Closed) => return,
            OrRandom::Random if random => return,
            OrRandom::Is(state) => (state.node.as_str(), state.span),
            OrRandom::Random => ("random", span),
        };
        let help = if random { "write open, closed or random" } else { "write open or closed" };
        let message = format!("a drawbridge cannot be {what}");
        self.push(Diagnostic::new(Code::State, at, message).with_help(help));
    }

    pub(crate) fn alignment(&mut self, alignment: &AlignmentSpec) {
        let AlignmentSpec::Register(index) = alignment else { return };
        let most = self.catalog.limits.alignments;
        if index.node >= most {
            let message = format!("align[{}] does not exist", index.node);
            let help = format!("use align[0] to align[{}]", most - 1);
            self.push(Diagnostic::new(Code::RegisterRange, index.span, message).with_help(help));
        }
    }

    /// Records a detail of `what`, or reports it as a duplicate.
    pub(super) fn repeated<K: PartialEq>(&mut self, seen: &mut Vec<(K, Span)>, kind: K, span: Span, what: &str) {
        match seen.iter().find(|(known, _)| *known == kind) {
            Some(&(_, first)) => {
                // The compiler of NetHack 3.4.3 takes any number of each.
                let (code, label) = match self.catalog.is_script() {
                    false => (Code::Ignored, "the last one counts"),
                    true => (Code::DuplicateDetail, ""),
                };
                self.push(
                    Diagnostic::new(code, span, format!("duplicate {what} detail"))
                        .with_label(label)
                        .with_secondary(first, "first given here")
                        .with_help("remove one of them"),
                );
            }
            None => seen.push((kind, span)),
        }
    }

    pub(crate) fn monster_details(&mut self, monster: &Monster) {
        let mut seen = Vec::new();
        for detail in &monster.details {
            if let MonsterDetail::SeenTraps(SeenTraps::These { traps, and_all }) = &detail.node {
                self.seen_traps(traps, *and_all);
            }
            if let MonsterDetail::Name(Expr { kind: ExprKind::String(name), span }) = &detail.node {
                self.quoted_word(name, *span);
                self.quoted_trap(monster, name, *span);
                self.quoted_species(monster, name, *span);
            }
            if let MonsterDetail::Appearance(kind, Expr { kind: ExprKind::String(name), span }) = &detail.node {
                self.appearance(*kind, name, *span);
            }
            self.repeated(&mut seen, std::mem::discriminant(&detail.node), detail.span, "monster");
        }
    }

    /// Checks the name of a monster's disguise. A monster with an unknown one is not disguised (`create_monster`).
    fn appearance(&mut self, kind: Appearance, name: &str, span: Span) {
        let (code, what, help) = match kind {
            Appearance::Object if self.catalog.object(name, None).is_none() => {
                let known = self.catalog.objects.iter().map(|species| species.name.as_ref());
                (Code::UnknownObjectName, "object", self.near(Code::UnknownObjectName, name, known))
            }
            Appearance::Monster if self.catalog.monster(name, None).is_none() => {
                let known = self.catalog.monsters.iter().map(|species| species.name.as_ref());
                (Code::UnknownMonsterName, "monster", self.near(Code::UnknownMonsterName, name, known))
            }
            Appearance::Feature => match misspelt_feature(name) {
                Some(right) => (Code::UnknownObjectName, "feature", Some(format!("did you mean \"{right}\"?"))),
                None => return,
            },
            _ => return,
        };
        let mut diagnostic = Diagnostic::new(code, span, format!("unknown {what} \"{name}\""))
            .with_label("the monster appears as itself");
        diagnostic.help = help;
        self.push(diagnostic);
    }

    /// Checks a monster name that is a keyword of the language: the keyword was likely meant.
    fn quoted_word(&mut self, name: &str, span: Span) {
        let known = [Group::Attitude, Group::Alertness, Group::Alignment];
        if known.iter().any(|&group| self.catalog.word(group, name).is_some()) {
            self.push(
                Diagnostic::new(Code::QuotedWord, span, format!("\"{name}\" in quotes is the name of the monster"))
                    .with_help(format!("write {name} without quotes to make the monster {name}"))
                    .with_suggestion(span, name, false),
            );
        }
    }

    /// Reports a trap after a comma, where it is the name of the monster: `seen_traps: "pit", "hole"`.
    fn quoted_trap(&mut self, monster: &Monster, name: &str, span: Span) {
        let sees = |detail: &&Spanned<MonsterDetail>| matches!(detail.node, MonsterDetail::SeenTraps(_));
        if self.catalog.trap(name).is_some()
            && let Some(traps) = monster.details.iter().find(sees)
        {
            self.push(
                Diagnostic::new(
                    Code::QuotedWord,
                    span,
                    format!("\"{name}\" is the name of the monster here, not a trap"),
                )
                .with_secondary(traps.span, "its traps")
                .with_help(format!("join traps with `|`: ... | \"{name}\"")),
            );
        }
    }

    /// Reports the species of a monster that is written as its name: `MONSTER: 'd', (3,2), "jackal"`.
    fn quoted_species(&mut self, monster: &Monster, name: &str, span: Span) {
        let of = &monster.monster;
        let ExprKind::Monster(SpeciesName::Class(class)) = of.kind else { return };
        if self.catalog.monster(name, Some(class)).is_some() && self.catalog.is_script() {
            let right = format!("('{class}',\"{name}\")");
            let message = format!("\"{name}\" is the name of the monster here, not its species");
            self.push(
                Diagnostic::new(Code::QuotedWord, span, message)
                    .with_help(format!("write the species with the class, before the place: MONSTER: {right}, ..."))
                    .with_secondary(of.span, "any monster of this class"),
            );
        }
    }

    /// Reports traps that are listed twice. The compilers read the list from the end, so the earlier one is reported.
    fn seen_traps(&mut self, traps: &[Spanned<Text>], and_all: bool) {
        let mut behind = vec![false; self.catalog.traps.len()];
        let mut any = false;
        for trap in traps.iter().rev() {
            let Some(number) = self.catalog.trap(&trap.node) else { continue };
            let known = self.catalog.traps.iter().position(|&(_, known)| known == i64::from(number));
            let Some(seen) = known.and_then(|at| behind.get_mut(at)) else { continue };
            if std::mem::replace(seen, true) || and_all && !any {
                let message = format!("duplicate trap \"{}\"", trap.node);
                self.push(
                    Diagnostic::new(Code::DuplicateDetail, trap.span, message)
                        .with_help("write each trap once, or only `all`"),
                );
            }
            any = true;
        }
    }

    /// Checks that an object with contents can be opened: tools can, as chests, and statues can be broken.
    fn container(&mut self, object: &Object) {
        let class = match &object.object.kind {
            ExprKind::Object(SpeciesName::Class(class)) => Some(*class),
            ExprKind::Object(SpeciesName::Name(name) | SpeciesName::ClassAndName(_, name)) if name == "boulder" => None,
            ExprKind::Object(SpeciesName::ClassAndName(class, _)) => Some(*class),
            _ => return,
        };
        if object.contents.is_none() || matches!(class, Some('(' | '`')) {
            return;
        }
        let span = object.object.span;
        self.push(
            Diagnostic::new(Code::OddContainer, span, "this object cannot be opened, so its contents are lost")
                .with_help("write a container, such as ('(',\"chest\"), or place its contents next to it"),
        );
    }

    /// Checks the enchantment of a candle, potion or gem, which have none: a quantity was meant.
    fn quantity_as_enchantment(&mut self, object: &Object, enchantment: &Expr) {
        let what = match &object.object.kind {
            ExprKind::Object(SpeciesName::Name(name) | SpeciesName::ClassAndName(_, name))
                if name.ends_with(" candle") =>
            {
                "candle"
            }
            ExprKind::Object(SpeciesName::Class('!') | SpeciesName::ClassAndName('!', _)) => "potion",
            ExprKind::Object(SpeciesName::Class('*') | SpeciesName::ClassAndName('*', _)) => "gem",
            _ => return,
        };
        let ExprKind::Integer(number) = enchantment.kind else { return };
        if number > 0 {
            let message = format!("a number alone is the enchantment, which a {what} does not have");
            let problem = Diagnostic::new(Code::Ignored, enchantment.span, message);
            self.push(match self.catalog.is_keyword("quantity") {
                true => problem.with_help(format!("write quantity:{number} for {number} of them")),
                false => problem.with_help("remove it, and place them one by one"),
            });
        }
    }

    pub(crate) fn object_details(&mut self, object: &Object) {
        self.container(object);
        let mut seen = Vec::new();
        for detail in &object.details {
            if let ObjectDetail::State(state) = &detail.node
                && !matches!(state, DoorState::Locked | DoorState::Broken)
            {
                let message = format!("an object cannot be {}", state.as_str());
                self.push(
                    Diagnostic::new(Code::State, detail.span, message)
                        .with_help("use locked or broken, for a container"),
                );
            }
            if let ObjectDetail::Enchantment(number) = &detail.node {
                self.quantity_as_enchantment(object, number);
            }
            // A string or character in place of a place has its own error, and does not count as a second place.
            if let ObjectDetail::Place(place) = &detail.node
                && matches!(place.kind, ExprKind::String(_) | ExprKind::MapCharacter { .. })
            {
                continue;
            }
            self.repeated(&mut seen, object_detail_kind(&detail.node), detail.span, "object");
        }
    }
}

/// The details that an object may have once. The compilers count erodeproof as a form of eroded.
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
