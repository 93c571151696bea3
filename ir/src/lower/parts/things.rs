//! Common parts of mazes and rooms: monsters, objects, traps and other things, with their names.

use super::*;
use crate::parts::{BURIED, LIT, quoted};

impl Lowering<'_> {
    /// Returns the number of a name and class by exact spelling, the only comparison in the game (NetHack 3.4.3,
    /// `get_monster_id` and `get_object_id`).
    pub(super) fn number_of(&self, of: RegisterKind, name: &str, class: Option<char>) -> Option<i32> {
        let found = match of {
            RegisterKind::Monster => self.catalog.monster(name, class),
            RegisterKind::Object => self.catalog.object(name, class),
            RegisterKind::Place | RegisterKind::PlaceList(_) | RegisterKind::Region => None,
        };
        found.filter(|(_, how)| *how == Match::Exact).map(|(number, _)| number)
    }

    /// Returns the number of a monster or object whose class is `random` or a register.
    pub(super) fn number_without_class(&self, of: RegisterKind, name: &str, class: i8) -> Option<i32> {
        match u8::try_from(class) {
            Ok(0) => self.number_of(of, name, None),
            Ok(class) => self.number_of(of, name, Some(char::from(class))),
            Err(_) if of == RegisterKind::Monster => Self::quirk_monster_without_class(),
            Err(_) => self.quirk_object_without_class(name),
        }
    }

    /// Looks up a monster whose class is `random` or a register: the compiler uses the number of the register as the
    /// class and finds no monster, whatever the name (NetHack 3.4.3, `get_monster_id`).
    pub(super) fn quirk_monster_without_class() -> Option<i32> {
        None
    }

    /// Looks up an object whose class is `random` or a register. The number stored as its class is negative (or, for a
    /// register below 0, zero or a class symbol), and the compiler searches all classes, but only if a plain `char` is
    /// signed (NetHack 3.4.3, `get_object_id`).
    pub(super) fn quirk_object_without_class(&self, name: &str) -> Option<i32> {
        if self.abi.signed_char { self.number_of(RegisterKind::Object, name, None) } else { None }
    }

    /// Returns the class that `expr` names, as a symbol or register, and its number if it has a name. `of`
    /// distinguishes monsters from objects.
    pub(super) fn species(&mut self, of: RegisterKind, expr: &Expr) -> (i8, Option<i32>) {
        match (&expr.kind, of) {
            (ExprKind::Monster(name), RegisterKind::Monster) | (ExprKind::Object(name), RegisterKind::Object) => {
                match name {
                    SpeciesName::Random => (RANDOM, None),
                    SpeciesName::RandomAndName(name) => (RANDOM, self.number_without_class(of, name, RANDOM)),
                    SpeciesName::Class(class) => (symbol(*class), None),
                    SpeciesName::ClassAndName(class, name) => (symbol(*class), self.number_of(of, name, Some(*class))),
                    // A script may give a name alone; 3.4.3 needs the class, too.
                    SpeciesName::Name(name) => match self.number_of(of, name, None) {
                        Some(number) => (self.class_of(of, number), Some(number)),
                        None => (RANDOM, None),
                    },
                }
            }
            (ExprKind::Register { of: kind, index }, _) if *kind == of => (quirk_register(index.node), None),
            (ExprKind::NamedRegister { of: kind, index, name }, _) if *kind == of => {
                let class = quirk_register(index.node);
                (class, self.number_without_class(of, name, class))
            }
            _ => {
                self.refuse(expr.span);
                (RANDOM, None)
            }
        }
    }

    /// Returns the class symbol of a monster or object.
    pub(super) fn class_of(&self, of: RegisterKind, number: i32) -> i8 {
        let species = if of == RegisterKind::Monster { &self.catalog.monsters } else { &self.catalog.objects };
        species.get(number as usize).map_or(RANDOM, |species| symbol(species.class))
    }

    pub(super) fn monster(&mut self, list: &mut List<Monster>, monster: &level::Monster, chance: i32, span: Span) {
        let (class, number) = self.species(RegisterKind::Monster, &monster.monster);
        let (x, y) = self.place(&monster.place);
        let name = self.name_by_hash(&monster.monster);
        let mut lowered = Monster {
            name,
            number: number.unwrap_or(-1) as i16,
            alignment: NO_ALIGNMENT,
            x,
            y,
            chance: quirk_cut(chance),
            class,
            peaceful: -1,
            asleep: -1,
            ..Monster::default()
        };
        for detail in &monster.details {
            match &detail.node {
                MonsterDetail::Name(name) => lowered.name = Some(self.text(name)),
                MonsterDetail::Attitude(attitude) => {
                    lowered.peaceful = or_random(attitude, |word| self.word(Attitude::GROUP, word.as_str()));
                }
                MonsterDetail::Alertness(alertness) => {
                    lowered.asleep = or_random(alertness, |word| self.word(Alertness::GROUP, word.as_str()));
                }
                MonsterDetail::Alignment(alignment) => lowered.alignment = self.alignment(alignment),
                MonsterDetail::Appearance(appearance, what) => {
                    lowered.appearance = quirk_cut(self.word(Appearance::GROUP, appearance.as_str()));
                    lowered.appear_as = Some(self.text(what));
                }
                _ => self.refuse(detail.span),
            }
        }
        if monster.inventory.is_some() {
            self.refuse(span);
        }
        push(list, span, lowered);
    }

    /// Adds an object, followed by its contents. An object without a place is contained.
    pub(super) fn object(
        &mut self,
        list: &mut List<Object>,
        object: &level::Object,
        chance: i32,
        span: Span,
        around: Option<&level::Object>,
    ) {
        let (class, number) = self.species(RegisterKind::Object, &object.object);
        let name = self.name_by_hash(&object.object);
        let mut lowered = Object {
            name,
            corpse: -1,
            number: number.unwrap_or(-1) as i16,
            enchantment: RANDOM_ENCHANTMENT,
            x: RANDOM,
            y: RANDOM,
            chance: quirk_cut(chance),
            class,
            curse: -1,
            containment: CONTAINED,
            flags: 0,
        };
        for detail in &object.details {
            match &detail.node {
                ObjectDetail::Place(place) => {
                    (lowered.x, lowered.y) = self.place(place);
                    lowered.containment = PLACED;
                }
                ObjectDetail::Curse(curse) => {
                    lowered.curse = or_random(curse, |curse| self.word(Curse::GROUP, curse.as_str()));
                }
                ObjectDetail::MonsterType(name) => {
                    let name = self.text(name);
                    // An unknown name becomes "random" (NetHack 3.4.3, lev_comp, `monster_id`).
                    lowered.corpse = self.number_of(RegisterKind::Monster, &name, None).unwrap_or(-2);
                }
                ObjectDetail::Enchantment(enchantment) => {
                    lowered.enchantment = match &enchantment.kind {
                        ExprKind::Random => RANDOM_ENCHANTMENT,
                        _ => self.number(enchantment) as i16,
                    };
                }
                ObjectDetail::Name(name) => lowered.name = Some(self.text(name)),
                ObjectDetail::Own(own) if own.value.is_none() => match self.catalog.word(Group::Curse, &own.word) {
                    Some(number) => lowered.curse = quirk_cut(number as i32),
                    None => self.refuse(detail.span),
                },
                ObjectDetail::Buried => lowered.flags |= self.word(Group::ObjectFlag, BURIED),
                ObjectDetail::Light(Light::Lit) => lowered.flags |= self.word(Group::ObjectFlag, LIT),
                _ => self.refuse(detail.span),
            }
        }
        if object.contents.is_some() {
            lowered.containment = CONTAINER;
            if around.is_some() {
                self.refuse(span);
            }
        }
        push(list, span, lowered);
        for statement in object.contents.iter().flatten() {
            self.content(list, statement, 100, object);
        }
    }

    /// Adds a statement from the block of a container.
    pub(super) fn content(
        &mut self,
        list: &mut List<Object>,
        statement: &Statement,
        chance: i32,
        around: &level::Object,
    ) {
        match &statement.kind {
            StatementKind::Object(object) => self.object(list, object, chance, statement.span, Some(around)),
            StatementKind::Chance { condition: Condition::Percent(percent), then } if chance == 100 => {
                self.content(list, then, percent.node, around);
            }
            _ => self.refuse(statement.span),
        }
    }

    pub(super) fn trap(
        &mut self,
        list: &mut List<Trap>,
        trap: &OrRandom<Spanned<Text>>,
        place: &Expr,
        chance: i32,
        span: Span,
    ) {
        let (x, y) = self.place(place);
        let kind = or_random(trap, |name| self.catalog.trap(&name.node).unwrap_or(-1));
        push(list, span, Trap { x, y, chance: quirk_cut(chance), kind });
    }

    pub(super) fn altar(&mut self, list: &mut List<Altar>, statement: &Statement) {
        if let StatementKind::Altar { place, alignment, altar, also } = &statement.kind {
            let (x, y) = self.place(place);
            let alignment = self.alignment(alignment);
            let kind = or_random(altar, |altar| self.word(AltarType::GROUP, altar.as_str()));
            let god = number_behind(also, |name| self.catalog.god(name));
            push(list, statement.span, Altar { x, y, alignment, kind, god });
        }
    }

    pub(super) fn engraving(&mut self, list: &mut List<Engraving>, statement: &Statement) {
        if let StatementKind::Engraving { place, engraving, text } = &statement.kind {
            let (x, y) = self.place(place);
            let kind = or_random(engraving, |engraving| self.word(EngravingType::GROUP, engraving.as_str()));
            let text = Some(self.text(text));
            push(list, statement.span, Engraving { x, y, text, kind });
        }
    }

    /// Returns a name that is not in the game's tables, which the level file contains as written.
    fn name_by_hash(&self, what: &Expr) -> Option<Text> {
        match &what.kind {
            ExprKind::Monster(SpeciesName::ClassAndName('#', name))
            | ExprKind::Object(SpeciesName::ClassAndName('#', name))
                if self.catalog.has(catalog::Feature::ClassesByHash) =>
            {
                Some(name.clone())
            }
            _ => None,
        }
    }

    /// Returns an empty list for each one-place statement added by the game's catalog.
    pub(super) fn own_places(&self) -> Vec<List<Feature>> {
        vec![List::new(); self.catalog.place_statements.len()]
    }

    /// Lowers a one-place statement added by the game's catalog.
    pub(super) fn own_place(&mut self, lists: &mut [List<Feature>], word: &str, at: &Selection, span: Span) {
        let number = self.catalog.place_statements.iter().position(|known| known == word);
        match number.and_then(|number| lists.get_mut(number)) {
            Some(list) => self.feature(list, at, span),
            None => self.refuse(span),
        }
    }

    /// Returns the number after a door: as written, or the number of the named artifact.
    pub(super) fn artifact(&self, also: &[Spanned<Text>]) -> i16 {
        number_behind(also, |name| self.catalog.artifact(name)) as i16
    }

    pub(super) fn feature(&mut self, list: &mut List<Feature>, at: &Selection, span: Span) {
        match &at.kind {
            SelectionKind::Point(place) => {
                let (x, y) = self.place(place);
                push(list, span, Feature { x, y });
            }
            _ => self.refuse(at.span),
        }
    }

    pub(super) fn stair(&mut self, list: &mut List<Stair>, place: &Expr, direction: UpDown, span: Span) {
        let (x, y) = self.place(place);
        push(list, span, Stair { x, y, up: self.up(direction) });
    }

    pub(super) fn gold(&mut self, list: &mut List<Gold>, amount: &Expr, place: &Expr, span: Span) {
        let amount = self.number(amount);
        let (x, y) = self.place(place);
        push(list, span, Gold { x, y, amount });
    }
}

/// Returns the number after a door or an altar: as written, or the `number` of the written name. Returns 0 if nothing
/// is written or the name is unknown.
fn number_behind(also: &[Spanned<Text>], number: impl Fn(&str) -> Option<i32>) -> i32 {
    let Some(written) = also.first() else { return 0 };
    let number = match quoted(&written.node) {
        Some(name) => number(name),
        None => written.node.parse().ok(),
    };
    number.unwrap_or(0)
}
