//! Objects and gold (`lspo_object`, `lspo_gold`).

use mlua::{Lua, MultiValue, Value};
use splc_ir::catalog::LoaderRule;
use splc_ir::level::OBJECTS_OF_MONSTERS;
use splc_lua::des::{gold as coins, object as keys};
use splc_lua::names;

use super::{Answer, keep_details, nothing, readable, text_of};
use crate::level::Drawn;
use crate::loader::{Humidity, ObjectRequest, pack};
use crate::lua::arguments::{Arguments, Fields, place};
use crate::lua::calls::call_contents;
use crate::lua::objects::Handle;
use crate::lua::raised::{deadly, mistake};
use crate::lua::running::{Run, Shared};

/// Finds the requested object: number and class as in the loader's requests.
fn named_object(run: &Run<'_>, name: &[u8], class: Option<char>) -> mlua::Result<i32> {
    let name = readable(name);
    match names::object(&run.loader.game.catalog, &name, class) {
        Some(found) => Ok(found.number as i32),
        None => Err(mistake(format!("Unknown object id \"{name}\""))),
    }
}

pub(super) fn object(lua: &Lua, run: Shared<'_, '_>, arguments: MultiValue) -> Answer {
    let arguments = Arguments::new(arguments);
    let mut request = ObjectRequest { number: 0, ..ObjectRequest::any(0, 0) };
    let mut fields = None;
    let mut name = None;
    let (mut given, at) = (
        None,
        if arguments.len() == 1 && arguments.is_text(1) {
            Some((-1, -1))
        } else if arguments.len() == 2 && arguments.is_text(1) && arguments.is_table(2) {
            Some(place(arguments.get(2))?.unwrap_or((-1, -1)))
        } else if arguments.len() == 3 && arguments.is_number(2) && arguments.is_number(3) {
            Some((arguments.integer(2)?, arguments.integer(3)?))
        } else {
            None
        },
    );
    let mut details: Vec<(&'static str, i64)> = Vec::new();
    let at = match at {
        Some(at) => {
            given = Some(arguments.text(1)?);
            at
        }
        None => {
            let table = arguments.only_table(lua)?;
            request.enchantment = i32::from(table.number_or_random(&keys::ENCHANTMENT)? as i16);
            request.curse = table.word(run, &keys::CURSE)?;
            name = text_of(lua, run, &table, &keys::NAME)?;
            request.quantity = table.number_or_random(&keys::QUANTITY)? as i32;
            request.buried = table.is(&keys::BURIED)?;
            request.lit = table.is(&keys::LIT)?;
            let eroded = table.number(&keys::ERODED)?;
            details.extend((eroded != 0).then_some(("eroded", eroded)));
            for key in [keys::LOCKED, keys::TRAPPED, keys::TRAP_KNOWN] {
                let value = table.truth(&key)?;
                details.extend(matches!(value, 0 | 1).then_some((key.key().name, i64::from(value))));
            }
            // An object in an inventory is unknown to the hero (`mpickobj`).
            let carried = {
                let loader = &run.borrow().loader;
                loader.carrier.is_some() && loader.container_count == 0
            };
            if carried {
                details.retain(|(name, _)| *name != keys::TRAP_KNOWN.key().name);
            }
            let recharged = table.number(&keys::RECHARGED)?;
            details.extend((recharged != 0).then_some(("recharged", recharged)));
            for key in [keys::GREASED, keys::BROKEN] {
                let value = table.truth(&key)?;
                details.extend((value != 0).then_some((key.key().name, i64::from(value))));
            }
            request.prize = table.is(&keys::ACHIEVEMENT)?;
            let at = table.place(&keys::PLACE)?;
            fields = Some(table);
            at
        }
    };
    request.place = pack(i64::from(at.0 as i32), i64::from(at.1 as i32));
    match (&given, &fields) {
        (Some(given), _) => match given.as_slice() {
            [class] => request.class = i32::from(*class),
            [] => {}
            name => request.number = named_object(&run.borrow(), name, None)?,
        },
        (None, Some(fields)) => {
            let id = text_of(lua, run, fields, &keys::ID)?.filter(|id| !id.is_empty());
            let class = text_of(lua, run, fields, &keys::CLASS)?;
            let class = class.and_then(|class| if let [class] = class.as_slice() { Some(*class) } else { None });
            request.class = class.map_or(-1, i32::from);
            if let Some(id) = id {
                request.number = named_object(&run.borrow(), &id, class.map(char::from))?;
            }
        }
        (None, None) => {}
    }
    if request.class == -1 && request.number > 0 {
        let number = u16::try_from(request.number).unwrap_or(0);
        let catalog = &run.borrow().loader.game.catalog;
        request.class = catalog.objects.get(usize::from(number)).map_or(-1, |object| object.class as i32);
    } else if request.class > -1 && request.number == 0 {
        request.number = -1;
    }
    let kind = object_name(&run.borrow(), &request);
    if OBJECTS_OF_MONSTERS.contains(&kind.as_str()) {
        // The game looks for keys in its last argument, whatever its type.
        if fields.is_none() && arguments.len() == 3 {
            return Err(mistake("attempt to index a number value"));
        }
        corpse(lua, run, &kind, fields.as_ref(), &mut request)?;
    }
    let name = name.as_deref().map(readable);
    request.name = name.as_deref();
    let contents = match &fields {
        Some(fields) => fields.get(&keys::CONTENTS)?,
        None => Value::Nil,
    };
    let made;
    {
        let mut run = run.borrow_mut();
        if run.loader.container_count > 0 || run.loader.carrier.is_some() {
            request.containment |= 1;
        }
        if !contents.is_nil() {
            request.containment |= 2;
        }
        let single = request.number > 0 && !run.loader.game.merges(request.number);
        let count = if single { request.quantity.max(1) } else { 1 };
        let room = run.room();
        for _ in 0..count {
            run.check().map_err(deadly)?;
            let first = run.loader.level.objects.len();
            run.loader.create_object(&request, room).map_err(deadly)?;
            keep_details(&details, first, &mut run.loader.level.object_details);
            // Objects that do not stack are made one by one, so each has no quantity.
            if single && let Some(made) = run.loader.level.objects.get_mut(first) {
                made.quantity = -1;
            }
        }
        let last = run.loader.level.objects.len().checked_sub(1);
        made = last.filter(|&last| run.loader.level.objects[last].whereabouts != crate::level::Whereabouts::Gone);
    }
    let handle = lua.create_userdata(Handle(made))?;
    if let Value::Function(function) = &contents {
        let argument = MultiValue::from_vec(vec![Value::UserData(handle.clone())]);
        call_contents(lua, run, function, argument)?;
    }
    if request.containment & 2 != 0 {
        run.borrow_mut().loader.pop_container();
    }
    Ok(MultiValue::from_vec(vec![Value::UserData(handle)]))
}

/// Name of the requested object; empty if only a class is given.
fn object_name(run: &Run<'_>, request: &ObjectRequest<'_>) -> String {
    let number = usize::try_from(request.number).ok();
    let object = number.and_then(|number| run.loader.game.catalog.objects.get(number));
    object.map(|object| object.name.to_string()).unwrap_or_default()
}

/// Reads the monster that an object is made of, and the further details of such objects.
fn corpse(
    lua: &Lua,
    run: Shared<'_, '_>,
    name: &str,
    fields: Option<&Fields>,
    request: &mut ObjectRequest<'_>,
) -> mlua::Result<()> {
    let (tin, egg) = (name == "tin", name == "egg");
    let statue = name == "statue" || name == "corpse";
    let is = |key: &_| fields.map_or(Ok(false), |fields| fields.is(key));
    let mut plain = false;
    let montype = match fields {
        Some(fields) => text_of(lua, run, fields, &keys::MONTYPE)?,
        None => None,
    };
    if let Some(montype) = montype {
        let word = readable(&montype);
        let of_none =
            (tin && word.eq_ignore_ascii_case("spinach")) || ((tin || egg) && word.eq_ignore_ascii_case("empty"));
        let run = run.borrow();
        let game = run.loader.game;
        let species = match montype.as_slice() {
            _ if of_none => None,
            [class] if game.has_monster_class(char::from(*class)) => game.first_of_class(*class),
            _ => names::corpse(&game.catalog, &word).and_then(|number| u16::try_from(number).ok()),
        };
        match species {
            Some(species) => {
                request.monster = i32::from(species);
                if let [class] = montype.as_slice()
                    && game.has_monster_class(char::from(*class))
                {
                    request.drawn = Drawn::OfClass;
                }
            }
            None if of_none => {
                plain = true;
                request.enchantment = i32::from(word.eq_ignore_ascii_case("spinach"));
            }
            None => return Err(mistake(format!("Unknown montype \"{word}\""))),
        }
    }
    let marked = run.borrow().loader.has(LoaderRule::CorpsesAreMarked);
    if statue {
        let mut marks = 0;
        let known = if marked {
            [(keys::HISTORIC, 4), (keys::MALE, 2), (keys::FEMALE, 1)]
        } else {
            [(keys::HISTORIC, 1), (keys::MALE, 2), (keys::FEMALE, 4)]
        };
        for (key, mark) in known {
            if is(&key)? {
                marks |= mark;
            }
        }
        if marked || marks != 0 {
            request.enchantment = marks;
        }
    } else if egg {
        let marks = i32::from(is(&keys::LAID_BY_YOU)?);
        if marked || marks != 0 {
            request.enchantment = marks;
        }
    } else if !plain && marked {
        request.enchantment = 0;
    }
    Ok(())
}

pub(super) fn gold(lua: &Lua, run: Shared<'_, '_>, arguments: MultiValue) -> Answer {
    let arguments = Arguments::new(arguments);
    let (mut amount, at);
    if arguments.len() == 3 {
        amount = arguments.integer(1)?;
        at = (arguments.integer(2)?, arguments.integer(3)?);
    } else if arguments.len() == 2 && arguments.is_table(2) {
        amount = arguments.integer(1)?;
        at = place(arguments.get(2))?.unwrap_or((-1, -1));
    } else if arguments.len() == 0 || (arguments.len() == 1 && arguments.is_table(1)) {
        let fields = arguments.only_table(lua)?;
        amount = fields.number(&coins::AMOUNT)?;
        at = fields.place(&coins::PLACE)?;
    } else {
        return Err(mistake("Wrong parameters"));
    }
    let mut run = run.borrow_mut();
    let room = run.room();
    let packed = pack(i64::from(at.0 as i16), i64::from(at.1 as i16));
    let (x, y) = run.loader.location_of(packed, Humidity::DRY, room);
    if amount < 0 {
        amount = run.loader.rnd(200).into();
    }
    run.loader.make_gold(amount, x, y);
    nothing()
}
