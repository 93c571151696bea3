//! Monsters and objects.

use splc_ir::catalog::LoaderRule;
use splc_ir::level::*;
use splc_ir::source::{Span, Spanned, Text};
use splc_ir::value::ValueType;
use splc_ir::words::{Alertness, Appearance, Attitude, Curse, DoorState, Light, Trapped};

use super::fields::Fields;
use super::run::Run;
use super::values::{Result, Stop, Value, expr};

impl<'t> Run<'t, '_> {
    pub fn monster(&mut self, arguments: &[Value<'t>], span: Span) -> Result<Value<'t>> {
        let at = self.here;
        let is_table = matches!(arguments, [Value::Table(_)] | []);
        let mut fields = self.fields(if is_table { arguments.first() } else { None }, span)?;
        let (given, place) = if is_table {
            let (id, class) = (fields.take("id"), fields.take("class"));
            let place = self.place_in(&mut fields)?;
            (if matches!(id, Value::Nil) { class } else { id }, place)
        } else {
            (arguments[0].clone(), self.place_from(arguments, 1, span)?)
        };
        let mut details = Vec::new();
        let monster = match &given {
            Value::Element { .. } => self.array_element(&given, ValueType::Monster, span)?,
            given => {
                let (species, female) = self.monster_name(given, span)?;
                match female {
                    Some(true) => {
                        self.note("the sex that its name implies is a detail of its own");
                        details.push(MonsterDetail::Female);
                    }
                    Some(false) => self.note("its sex, which its name implies, is drawn"),
                    None => {}
                }
                expr(ExprKind::Monster(species), span)
            }
        };
        let inventory = self.monster_details(&mut fields, &mut details)?;
        let details = details.into_iter().map(|detail| Spanned::new(detail, span)).collect();
        self.emit(StatementKind::Monster(Monster { monster, place, details, inventory }), at);
        Ok(Value::Nil)
    }

    fn monster_details(
        &mut self,
        fields: &mut Fields<'t>,
        details: &mut Vec<MonsterDetail>,
    ) -> Result<Option<Vec<Statement>>> {
        let span = fields.span;
        match fields.take("name") {
            Value::Nil => {}
            name => details.push(MonsterDetail::Name(self.text(&name, span)?)),
        }
        if let Some(peaceful) = self.truth(&fields.take("peaceful"), span)? {
            let attitude = if peaceful { Attitude::Peaceful } else { Attitude::Hostile };
            details.push(MonsterDetail::Attitude(OrRandom::Is(attitude)));
        }
        if let Some(asleep) = self.truth(&fields.take("asleep"), span)? {
            let alertness = if asleep { Alertness::Asleep } else { Alertness::Awake };
            details.push(MonsterDetail::Alertness(OrRandom::Is(alertness)));
        }
        match fields.take("align") {
            Value::Nil => {}
            align => {
                let alignment = self.alignment(&align, span)?;
                if alignment != AlignmentSpec::Random {
                    details.push(MonsterDetail::Alignment(alignment));
                }
            }
        }
        match self.word(&fields.take("appear_as"), span)? {
            None => {}
            Some(text) => {
                let kinds =
                    [("obj:", Appearance::Object), ("mon:", Appearance::Monster), ("ter:", Appearance::Feature)];
                let known = kinds.iter().find_map(|(prefix, kind)| Some((*kind, text.strip_prefix(prefix)?)));
                let Some((kind, name)) = known else { return Stop::lacks(span, "this appearance") };
                let name = expr(ExprKind::String(Text::from(name.to_owned())), span);
                details.push(MonsterDetail::Appearance(kind, name));
            }
        }
        match self.truth(&fields.take("female"), span)? {
            Some(true) if !details.contains(&MonsterDetail::Female) => details.push(MonsterDetail::Female),
            Some(false) => self.note("a des-file has no word for a male monster, so its sex is drawn"),
            _ => {}
        }
        for (key, detail) in [
            ("invisible", MonsterDetail::Invisible),
            ("cancelled", MonsterDetail::Cancelled),
            ("revived", MonsterDetail::Revived),
            ("avenge", MonsterDetail::Avenge),
            ("stunned", MonsterDetail::Stunned),
            ("confused", MonsterDetail::Confused),
        ] {
            if self.truth(&fields.take(key), span)? == Some(true) {
                details.push(detail);
            }
        }
        for (key, detail) in [
            ("fleeing", MonsterDetail::Fleeing as fn(Expr) -> MonsterDetail),
            ("blinded", MonsterDetail::Blinded),
            ("paralyzed", MonsterDetail::Paralyzed),
        ] {
            match fields.take(key) {
                Value::Nil => {}
                turns => details.push(detail(self.number(&turns, span)?)),
            }
        }
        for (key, what) in [
            ("waiting", "the monster does not wait until it is seen"),
            ("tail", "the monster has the tail of its species"),
            ("group", "the monster comes in a group if its species does"),
        ] {
            let value = self.truth(&fields.take(key), span)?;
            if value.is_some_and(|value| value == (key == "waiting")) {
                self.note(what);
            }
        }
        let keeps = self.truth(&fields.take("keep_default_invent"), span)?;
        let inventory = fields.take("inventory");
        Ok(match (&inventory, keeps) {
            (Value::Nil, Some(false)) => Some(Vec::new()),
            (Value::Nil, _) => None,
            (_, keeps) => {
                if keeps == Some(true) {
                    self.note("the monster loses its usual inventory");
                }
                Some(self.contents(&inventory, true, span)?)
            }
        })
    }

    pub fn object(&mut self, arguments: &[Value<'t>], span: Span) -> Result<Value<'t>> {
        let at = self.here;
        let is_table = matches!(arguments, [Value::Table(_)] | []);
        let mut fields = self.fields(if is_table { arguments.first() } else { None }, span)?;
        let (given, class, place) = if is_table {
            let (id, class) = (fields.take("id"), fields.take("class"));
            let place = self.place_in(&mut fields)?;
            if matches!(id, Value::Nil) { (class, Value::Nil, place) } else { (id, class, place) }
        } else {
            (arguments[0].clone(), Value::Nil, self.place_from(arguments, 1, span)?)
        };
        let object = match &given {
            Value::Element { .. } => self.array_element(&given, ValueType::Object, span)?,
            given => {
                let class = self.word(&class, span)?.and_then(|class| class.chars().next());
                expr(ExprKind::Object(self.object_name(given, class, span)?), span)
            }
        };
        let mut details = self.object_details(&mut fields, &object)?;
        let contents = match fields.take("contents") {
            Value::Nil => None,
            contents => Some(self.contents(&contents, true, span)?),
        };
        // A thing in a container or an inventory has no place.
        if !matches!(place.kind, ExprKind::RandomCoordinate { .. }) || !self.in_thing {
            details.insert(0, ObjectDetail::Place(place));
        }
        let details = details.into_iter().map(|detail| Spanned::new(detail, span)).collect();
        let object = Object { object, details, contents, contained_span: Span::NOWHERE };
        self.emit(StatementKind::Object(object), at);
        Ok(Value::Unknown("a des-file cannot ask about an object"))
    }

    fn object_details(&mut self, fields: &mut Fields<'t>, object: &Expr) -> Result<Vec<ObjectDetail>> {
        let span = fields.span;
        let mut details = Vec::new();
        match self.word(&fields.take("buc"), span)?.as_deref() {
            None | Some("random") => {}
            Some(word) => match Curse::from_word(word) {
                Some(curse) => details.push(ObjectDetail::Curse(OrRandom::Is(curse))),
                None => self.note(format!("a des-file has no word for \"{word}\", so its curse is random")),
            },
        }
        let kind = match &object.kind {
            ExprKind::Object(SpeciesName::ClassAndName(_, name)) => name.as_str(),
            _ => "",
        };
        let marked = matches!(kind, "statue" | "corpse" | "egg" | "tin");
        // The game then sets the number of such an object itself, whatever the level says.
        let numbered =
            OBJECTS_OF_MONSTERS.contains(&kind) && self.catalog.loader.rules.has(LoaderRule::CorpsesAreMarked);
        let mut marks = 0;
        for (key, bit) in [("historic", 1), ("male", 2), ("female", 4), ("laid_by_you", 1)] {
            if self.truth(&fields.take(key), span)? == Some(true) && marked {
                marks |= bit;
            }
        }
        match fields.take("montype") {
            Value::Nil => {}
            montype if montype.as_str() == Some("spinach") && kind == "tin" => marks |= 1,
            montype if montype.as_str() == Some("empty") && matches!(kind, "tin" | "egg") => {}
            montype @ Value::Element { .. } => {
                details.push(ObjectDetail::MonsterType(self.array_element(&montype, ValueType::Monster, span)?));
            }
            montype => {
                let (species, _) = self.monster_name(&montype, span)?;
                details.push(ObjectDetail::MonsterType(expr(ExprKind::Monster(species), span)));
            }
        }
        match fields.take("spe") {
            Value::Nil => {}
            spe if spe.as_str() == Some("random") => {}
            _ if numbered => {}
            spe => details.push(ObjectDetail::Enchantment(self.number(&spe, span)?)),
        }
        // A tin without a number may contain spinach.
        if marks != 0 || numbered && kind == "tin" {
            details.push(ObjectDetail::Enchantment(expr(ExprKind::Integer(marks), span)));
        }
        match fields.take("name") {
            Value::Nil => {}
            name => details.push(ObjectDetail::Name(self.text(&name, span)?)),
        }
        match fields.take("quantity") {
            Value::Nil => {}
            quantity if quantity.as_str() == Some("random") => {}
            quantity => details.push(ObjectDetail::Quantity(self.number(&quantity, span)?)),
        }
        if self.truth(&fields.take("buried"), span)? == Some(true) {
            details.push(ObjectDetail::Buried);
        }
        if self.truth(&fields.take("lit"), span)? == Some(true) {
            details.push(ObjectDetail::Light(Light::Lit));
        }
        match fields.take("eroded") {
            Value::Nil | Value::Integer(0) => {}
            Value::Integer(number) if number < 0 => details.push(ObjectDetail::Erodeproof),
            eroded => details.push(ObjectDetail::Eroded(self.number(&eroded, span)?)),
        }
        match self.truth(&fields.take("locked"), span)? {
            Some(true) => details.push(ObjectDetail::State(DoorState::Locked)),
            Some(false) => self.note("a des-file has no word for an object that is not locked"),
            None => {}
        }
        if self.truth(&fields.take("broken"), span)? == Some(true) {
            details.push(ObjectDetail::State(DoorState::Broken));
        }
        if let Some(trapped) = self.truth(&fields.take("trapped"), span)? {
            let trapped = if trapped { Trapped::Trapped } else { Trapped::NotTrapped };
            details.push(ObjectDetail::Trapped(trapped));
        }
        match fields.take("recharged") {
            Value::Nil | Value::Integer(0) => {}
            recharged => details.push(ObjectDetail::Recharged(self.number(&recharged, span)?)),
        }
        if self.truth(&fields.take("greased"), span)? == Some(true) {
            details.push(ObjectDetail::Greased);
        }
        if self.truth(&fields.take("achievement"), span)? == Some(true) {
            self.note("the object is not the prize of its branch unless the game knows it by its level");
        }
        Ok(details)
    }
}
