//! The table `des`: what makes the level (`sp_lev.c`).

use mlua::{Lua, MultiValue, Table, Value};
use splc_ir::catalog::LoaderRule;
use splc_ir::lua::names::OBJECTS_OF_MONSTERS;

use super::arguments::{Arguments, Fields, Words, place, text};
use super::names::{self, Sex};
use super::objects::Handle;
use super::sandbox::{Failure, call_back, deadly, mistake};
use super::selections::{self, DIRECTIONS, squares, terrain};
use super::{Native, Run, Shared};
use crate::error::Fault;
use crate::level::{COLUMNS, Cloud, ROWS, Zone, door, is_ok, wall};
use crate::limits::MAX_NESTED_ROOMS;
use crate::loader::{
    CavernRequest, CorridorEnd, EAST, Humidity, MapFragment, MapSquare, MazeRequest, MonsterRequest, NO_ALIGNMENT,
    NORTH, Need, ObjectRequest, RegionRequest, RoomDoorRequest, RoomRequest, SOUTH, TrapWishes, WEST, pack, pack_given,
};
use crate::observer::{Complaint, Event};
use crate::selection::Selection;
use crate::terrain::Terrain;

/// The functions.
pub(super) const FUNCTIONS: &[(&str, Native)] = &[
    ("message", message),
    ("monster", monster),
    ("object", object),
    ("level_flags", level_flags),
    ("level_init", level_init),
    ("engraving", engraving),
    ("mineralize", mineralize),
    ("door", door_),
    ("stair", stair),
    ("ladder", ladder),
    ("grave", grave),
    ("altar", altar),
    ("map", map),
    ("feature", feature),
    ("terrain", terrain_),
    ("replace_terrain", replace_terrain),
    ("room", room),
    ("corridor", corridor),
    ("random_corridors", random_corridors),
    ("gold", gold),
    ("trap", trap),
    ("mazewalk", mazewalk),
    ("drawbridge", drawbridge),
    ("region", region),
    ("levregion", level_region),
    ("exclusion", exclusion),
    ("wallify", wallify),
    ("wall_property", wall_property),
    ("non_diggable", non_diggable),
    ("non_passwall", non_passwall),
    ("teleport_region", teleport_region),
    ("reset_level", reset_level),
    ("finalize_level", finalize_level),
    ("gas_cloud", gas_cloud),
];

type Answer = mlua::Result<MultiValue>;

fn nothing() -> Answer {
    Ok(MultiValue::new())
}

/// Bytes of a level as text.
fn readable(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

fn message(_: &Lua, run: Shared<'_, '_, '_>, arguments: MultiValue) -> Answer {
    let arguments = Arguments::new(arguments);
    if arguments.len() < 1 {
        return Err(mistake("Wrong parameters"));
    }
    let text = readable(&arguments.text(1)?);
    let level = &mut run.borrow_mut().loader.level;
    let text = level.keep_text(&text);
    level.messages.push(text);
    nothing()
}

/// Alignments by their words, as the loader's requests have them.
const ALIGNMENTS: Words<i32> = &[
    ("noalign", 0),
    ("law", 4),
    ("neutral", 2),
    ("chaos", 1),
    ("coaligned", 3),
    ("noncoaligned", 7),
    ("random", NO_ALIGNMENT),
];

/// Which monster a level asks for.
#[derive(Clone, Copy, Debug)]
struct Kind {
    species: Option<u16>,
    class: i32,
    female: bool,
}

impl Run<'_, '_> {
    /// The species of a name, and its sex, which is drawn unless it is known (`find_montype`).
    fn species(&mut self, name: &[u8]) -> Option<(u16, Sex)> {
        let game = self.loader.game;
        let (species, told) = names::monster(&game.catalog, &readable(name))?;
        if !self.loader.has(LoaderRule::MonstersHaveSexes) {
            return Some((species, told));
        }
        let sex = names::only_sex(game, species).unwrap_or_else(|| match told {
            Sex::Open if self.loader.rn2(2) != 0 => Sex::Female,
            Sex::Open => Sex::Male,
            told => told,
        });
        Some((species, sex))
    }

    /// What one text tells of a monster: a class or a species.
    fn kind(&mut self, name: &[u8]) -> Kind {
        if let [class] = name {
            return Kind { species: None, class: i32::from(*class), female: false };
        }
        match self.species(name) {
            Some((species, sex)) => Kind { species: Some(species), class: -1, female: sex == Sex::Female },
            None => {
                let drawn = self.loader.has(LoaderRule::MonstersHaveSexes) && self.loader.rn2(2) != 0;
                Kind { species: None, class: -1, female: drawn }
            }
        }
    }

    /// Symbol of a species' class.
    fn class_of(&self, species: Option<u16>) -> i32 {
        self.loader.game.class(species).map_or(-1, |class| class as i32)
    }
}

/// A text from a table, where a function that gives one will do as well (`get_table_str_opt`).
fn text_of(lua: &Lua, run: Shared<'_, '_, '_>, fields: &Fields, key: &str) -> mlua::Result<Option<Vec<u8>>> {
    let mut value = fields.get(key)?;
    if let Value::Function(function) = &value {
        let (_, answers) = call_back(lua, run, function, MultiValue::new(), Failure::Deadly)?;
        value = answers.into_iter().next().unwrap_or(Value::Nil);
        if value.is_nil() {
            return Ok(None);
        }
        return text(&value).map(Some).ok_or_else(|| super::arguments::wrong(key, "a string", &value));
    }
    match &value {
        Value::Nil => Ok(None),
        Value::String(_) => Ok(text(&value)),
        value => Err(super::arguments::wrong(key, "a string", value)),
    }
}

fn monster(lua: &Lua, run: Shared<'_, '_, '_>, arguments: MultiValue) -> Answer {
    let arguments = Arguments::new(arguments);
    let (mut name, mut appearance, mut inventory) = (None, None, Value::Nil);
    let (mut peaceful, mut asleep, mut waiting, mut alignment) = (-1, -1, false, NO_ALIGNMENT);
    let (mut kind, at);
    let mut details: Vec<(&str, i64)> = Vec::new();
    if arguments.len() == 1 && arguments.is_text(1) {
        kind = run.borrow_mut().kind(&arguments.text(1)?);
        at = (-1, -1);
    } else if arguments.len() == 2 && arguments.is_text(1) && arguments.is_table(2) {
        at = place(arguments.get(2))?.unwrap_or((-1, -1));
        kind = run.borrow_mut().kind(&arguments.text(1)?);
    } else if arguments.len() == 3 {
        let text = arguments.text(1)?;
        at = (arguments.integer(2)?, arguments.integer(3)?);
        kind = run.borrow_mut().kind(&text);
    } else {
        let fields = arguments.only_table(lua)?;
        peaceful = fields.truth_or("peaceful", -1)?;
        asleep = fields.truth_or("asleep", -1)?;
        name = text_of(lua, run, &fields, "name")?;
        alignment = fields.word("align", Some("random"), ALIGNMENTS)?;
        let female = fields.truth_or("female", -1)?;
        for (key, part) in
            [("invisible", "invis"), ("cancelled", "cancelled"), ("revived", "revived"), ("avenge", "avenge")]
        {
            details.push((part, i64::from(fields.truth_or(key, 0)?)));
        }
        for key in ["fleeing", "blinded", "paralyzed"] {
            details.push((key, fields.integer_or(key, 0)?));
        }
        for key in ["stunned", "confused"] {
            details.push((key, i64::from(fields.truth_or(key, 0)?)));
        }
        fields.integer_or("m_lev_adj", 0)?;
        waiting = fields.is("waiting")?;
        for key in ["keep_default_invent", "tail", "group", "adjacentok", "ignorewater", "countbirth"] {
            fields.truth_or(key, -1)?;
        }
        if let Some(text) = text_of(lua, run, &fields, "appear_as")? {
            let shape = readable(&text);
            let kinds = [("obj:", 2), ("mon:", 3), ("ter:", 1)];
            let known = kinds.iter().find_map(|&(prefix, kind)| Some((kind, shape.strip_prefix(prefix)?.to_owned())));
            appearance = Some(known.ok_or_else(|| mistake(format!("Unknown appear_as type \"{shape}\"")))?);
        }
        at = fields.place()?;
        kind = Kind { species: None, class: -1, female: female == 1 };
        if let Some(id) = text_of(lua, run, &fields, "id")? {
            let mut run = run.borrow_mut();
            let Some((species, sex)) = run.species(&id) else {
                return Err(mistake(format!("Unknown monster id \"{}\"", readable(&id))));
            };
            kind.species = Some(species);
            if female == -1 || names::only_sex(run.loader.game, species).is_some() {
                kind.female = sex == Sex::Female;
            }
        }
        if let Some(class) = text_of(lua, run, &fields, "class")?
            && let [class] = class.as_slice()
        {
            kind.class = i32::from(*class);
        }
        inventory = fields.get("inventory")?;
    }
    let custom = !inventory.is_nil();
    {
        let mut run = run.borrow_mut();
        if kind.species.is_some() && kind.class == -1 {
            kind.class = run.class_of(kind.species);
        }
        let name = name.as_deref().map(readable);
        let request = MonsterRequest {
            species: kind.species.map_or(-1, i32::from),
            class: kind.class,
            place: pack(i64::from(at.0 as i32), i64::from(at.1 as i32)),
            alignment,
            peaceful,
            asleep,
            name: name.as_deref(),
            appearance: appearance.as_ref().map(|(kind, name)| (*kind, name.as_str())),
            has_inventory: custom,
        };
        let made = run.loader.level.monsters.len();
        let room = run.room();
        run.loader.create_monster(&request, room).map_err(deadly)?;
        if run.loader.level.monsters.len() > made {
            details.retain(|(_, number)| *number != 0);
            let Run { loader, .. } = &mut *run;
            keep_details(&loader.game.catalog.monster_parts, &details, made, &mut loader.level.monster_details);
            run.loader.level.monsters[made].waiting = waiting;
            // Of older games a sex is a detail, if they know of it.
            let female = kind.female && run.loader.has(LoaderRule::MonstersHaveSexes);
            run.loader.level.monsters[made].female = female;
            if let Some((shape, name)) = &appearance {
                run.take_shape(made, *shape, name);
            }
            run.loader.level.monsters[made].female = female;
        }
    }
    if let Value::Function(function) = &inventory {
        call_back(lua, run, function, MultiValue::new(), Failure::Deadly)?;
        run.borrow_mut().loader.carrier = None;
    }
    nothing()
}

impl Run<'_, '_> {
    /// What a monster looks like, or turns into, in numbers (`create_monster`).
    fn take_shape(&mut self, monster: usize, kind: i32, name: &str) {
        const FEATURE: i32 = 1;
        const OBJECT: i32 = 2;
        if !self.loader.has(LoaderRule::RunsAreToldInDetail) || self.loader.level.monsters[monster].appearance.is_none()
        {
            return;
        }
        let game = self.loader.game;
        let species = self.loader.level.monsters[monster].species;
        let number = match kind {
            FEATURE => names::FEATURES.iter().find(|(known, _)| *known == name).map(|&(_, number)| number),
            OBJECT => game.catalog.objects.iter().position(|object| object.name == name).map(|number| number as i32),
            _ => {
                let Some((shape, _)) = names::monster(&game.catalog, name) else { return };
                if Some(shape) == species {
                    return;
                }
                if game.class(species) != Some('m') {
                    // A shape-changer becomes it.
                    if names::only_sex(game, shape).is_none()
                        && !game.habits(Some(shape)).has(splc_ir::catalog::Habit::Neuter)
                    {
                        self.loader.rn2(10);
                    }
                    self.loader.level.monsters[monster].species = Some(shape);
                    return;
                }
                Some(i32::from(shape))
            }
        };
        if let Some(number) = number {
            self.loader.level.monsters[monster].shape = (kind, number);
        }
    }
}

/// Which object a level asks for: number and class as the loader's requests have them.
fn named_object(run: &Run<'_, '_>, name: &[u8], class: Option<char>) -> mlua::Result<i32> {
    let name = readable(name);
    match names::object(&run.loader.game.catalog, &name, class) {
        Some(number) => Ok(i32::from(number)),
        None => Err(mistake(format!("Unknown object id \"{name}\""))),
    }
}

fn object(lua: &Lua, run: Shared<'_, '_, '_>, arguments: MultiValue) -> Answer {
    let arguments = Arguments::new(arguments);
    let mut request = ObjectRequest {
        number: 0,
        class: -1,
        place: 0,
        containment: 0,
        name: None,
        monster: -1,
        quantity: -1,
        curse: -1,
        enchantment: -127,
        buried: false,
        lit: false,
        prize: false,
    };
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
    let mut details: Vec<(&str, i64)> = Vec::new();
    let at = match at {
        Some(at) => {
            given = Some(arguments.text(1)?);
            at
        }
        None => {
            let table = arguments.only_table(lua)?;
            request.enchantment = i32::from(table.integer_or_random("spe", -127)? as i16);
            request.curse = table.word("buc", Some("random"), CURSES)?;
            name = text_of(lua, run, &table, "name")?;
            request.quantity = table.integer_or_random("quantity", -1)? as i32;
            request.buried = table.is("buried")?;
            request.lit = table.is("lit")?;
            let eroded = table.integer_or("eroded", 0)?;
            details.extend((eroded != 0).then_some(("eroded", eroded)));
            for key in ["locked", "trapped", "trap_known"] {
                let value = table.truth_or(key, -1)?;
                details.extend((value != -1).then_some((key, i64::from(value))));
            }
            let recharged = table.integer_or("recharged", 0)?;
            details.extend((recharged != 0).then_some(("recharged", recharged)));
            for key in ["greased", "broken"] {
                let value = table.truth_or(key, 0)?;
                details.extend((value != 0).then_some((key, i64::from(value))));
            }
            request.prize = table.is("achievement")?;
            let at = table.place()?;
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
            let id = text_of(lua, run, fields, "id")?.filter(|id| !id.is_empty());
            let class = text_of(lua, run, fields, "class")?;
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
    match &fields {
        Some(fields) => corpse(lua, run, fields, &mut request)?,
        // The game looks for keys in its last argument, whatever that is.
        None if arguments.len() == 3
            && OBJECTS_OF_MONSTERS.contains(&object_name(&run.borrow(), &request).as_str()) =>
        {
            return Err(mistake("attempt to index a number value"));
        }
        None => {}
    }
    let name = name.as_deref().map(readable);
    request.name = name.as_deref();
    let contents = match &fields {
        Some(fields) => fields.get("contents")?,
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
            let Run { loader, .. } = &mut *run;
            keep_details(&loader.game.catalog.object_parts, &details, first, &mut loader.level.object_details);
            // A single object of a kind that does not lie in heaps is one, whatever is said of several.
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
        call_back(lua, run, function, argument, Failure::Deadly)?;
    }
    if request.containment & 2 != 0 {
        run.borrow_mut().loader.pop_container();
    }
    Ok(MultiValue::from_vec(vec![Value::UserData(handle)]))
}

/// Keeps what is said of a thing besides, by the parts that the game counts.
fn keep_details(
    parts: &[(splc_ir::catalog::Name, i64)],
    said: &[(&str, i64)],
    of: usize,
    details: &mut Vec<crate::level::Detail>,
) {
    for (part, value) in said {
        if let Some((_, number)) = parts.iter().find(|(name, _)| name == part) {
            details.push(crate::level::Detail { of, kind: crate::level::DetailKind::Number(*number, *value) });
        }
    }
}

/// Blessings and curses by their words.
const CURSES: Words<i32> = &[
    ("random", 0),
    ("blessed", 1),
    ("uncursed", 2),
    ("cursed", 3),
    ("not-cursed", 4),
    ("not-uncursed", 5),
    ("not-blessed", 6),
];

/// The name of the object that is asked for; nothing if only a class is.
fn object_name(run: &Run<'_, '_>, request: &ObjectRequest<'_>) -> String {
    let number = usize::try_from(request.number).ok();
    let object = number.and_then(|number| run.loader.game.catalog.objects.get(number));
    object.map(|object| object.name.to_string()).unwrap_or_default()
}

/// Of which monster an object is, and what else is said of those that are of monsters.
fn corpse(lua: &Lua, run: Shared<'_, '_, '_>, fields: &Fields, request: &mut ObjectRequest<'_>) -> mlua::Result<()> {
    let name = object_name(&run.borrow(), request);
    if !OBJECTS_OF_MONSTERS.contains(&name.as_str()) {
        return Ok(());
    }
    let (tin, egg) = (name == "tin", name == "egg");
    let statue = name == "statue" || name == "corpse";
    let mut plain = false;
    if let Some(montype) = text_of(lua, run, fields, "montype")? {
        let word = readable(&montype);
        let of_none =
            (tin && word.eq_ignore_ascii_case("spinach")) || ((tin || egg) && word.eq_ignore_ascii_case("empty"));
        let run = run.borrow();
        let game = run.loader.game;
        let species = match montype.as_slice() {
            _ if of_none => None,
            [class] if game.has_monster_class(char::from(*class)) => game.first_of_class(*class),
            _ => names::exact_monster(&game.catalog, &word),
        };
        match species {
            Some(species) => request.monster = i32::from(species),
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
            [("historic", 4), ("male", 2), ("female", 1)]
        } else {
            [("historic", 1), ("male", 2), ("female", 4)]
        };
        for (key, mark) in known {
            if fields.is(key)? {
                marks |= mark;
            }
        }
        if marked || marks != 0 {
            request.enchantment = marks;
        }
    } else if egg {
        let marks = i32::from(fields.is("laid_by_you")?);
        if marked || marks != 0 {
            request.enchantment = marks;
        }
    } else if !plain && marked {
        request.enchantment = 0;
    }
    Ok(())
}

fn level_flags(_: &Lua, run: Shared<'_, '_, '_>, arguments: MultiValue) -> Answer {
    let arguments = Arguments::new(arguments);
    if arguments.len() < 1 {
        return Err(mistake("expected string params"));
    }
    for number in 1..=arguments.len() {
        let word = readable(&arguments.text(number)?);
        let mut run = run.borrow_mut();
        let Run { loader, wishes, .. } = &mut *run;
        let flags = &mut loader.level.level_flags;
        match word.to_ascii_lowercase().as_str() {
            "noteleport" => flags.no_teleport = true,
            "hardfloor" => flags.hard_floor = true,
            "nommap" => flags.no_magic_map = true,
            "shortsighted" => flags.short_sighted = true,
            "arboreal" => flags.arboreal = true,
            "mazelevel" => flags.maze = true,
            "shroud" => flags.shroud = true,
            "graveyard" => flags.graveyard = true,
            "icedpools" => loader.iced_pools = true,
            "corrmaze" => flags.corridor_maze = true,
            "premapped" => wishes.premapped = true,
            "solidify" => wishes.solid = true,
            "sokoban" => flags.sokoban = true,
            "inaccessibles" => wishes.ways_out = true,
            "noflipx" => wishes.flips.left_to_right = false,
            "noflipy" => wishes.flips.top_to_bottom = false,
            "noflip" => {
                wishes.flips.left_to_right = false;
                wishes.flips.top_to_bottom = false;
            }
            "temperate" => flags.temperature = 0,
            "hot" => flags.temperature = 1,
            "cold" => flags.temperature = -1,
            "nomongen" => flags.no_random_monsters = true,
            "nodeathdrops" => flags.no_death_drops = true,
            "noautosearch" => flags.no_auto_search = true,
            "fumaroles" => flags.fumaroles = true,
            "stormy" => flags.stormy = true,
            _ => return Err(mistake(format!("Unknown level flag {word}"))),
        }
    }
    nothing()
}

/// Ways to start a level.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Style {
    SolidFill,
    MazeGrid,
    Maze,
    Rogue,
    Mines,
    Swamp,
}

const STYLES: Words<Style> = &[
    ("solidfill", Style::SolidFill),
    ("mazegrid", Style::MazeGrid),
    ("maze", Style::Maze),
    ("rogue", Style::Rogue),
    ("mines", Style::Mines),
    ("swamp", Style::Swamp),
];

/// Terrain that a table names by a character, if it does; what shows through is none (`get_table_mapchr_opt`).
fn terrain_of(lua: &Lua, run: Shared<'_, '_, '_>, fields: &Fields, key: &str) -> mlua::Result<Option<Option<Terrain>>> {
    let Some(character) = text_of(lua, run, fields, key)?.filter(|text| !text.is_empty()) else { return Ok(None) };
    Ok(Some(match terrain(&run.borrow(), &character)? {
        MapSquare::Terrain(terrain) => Some(terrain),
        _ => None,
    }))
}

fn level_init(lua: &Lua, run: Shared<'_, '_, '_>, arguments: MultiValue) -> Answer {
    let fields = Arguments::new(arguments).only_table(lua)?;
    let style = fields.word("style", Some("solidfill"), STYLES)?;
    let floor = terrain_of(lua, run, &fields, "fg")?.unwrap_or(Some(Terrain::ROOM));
    let rock = terrain_of(lua, run, &fields, "bg")?;
    let smooth = fields.is("smoothed")?;
    let joined = fields.is("joined")?;
    let mut light = fields.truth_or("lit", -1)?;
    let walled = fields.is("walled")?;
    let filling = terrain_of(lua, run, &fields, "filling")?;
    let request = MazeRequest {
        corridor: fields.integer_or("corrwid", -1)? as i32,
        wall: fields.integer_or("wallthick", -1)? as i32,
        dead_ends: fields.truth_or("deadends", 1)? != 0,
    };
    let usual = if style == Style::Swamp { Terrain::MOAT } else { Terrain::STONE };
    let rock = rock.unwrap_or(Some(usual));
    let mut run = run.borrow_mut();
    run.joined = joined;
    let loader = &mut run.loader;
    loader.init_present = !loader.has(LoaderRule::InitLeavesMaps);
    if light == -1 && matches!(style, Style::SolidFill | Style::Mines | Style::Swamp) {
        light = loader.rn2(2);
    }
    match style {
        Style::SolidFill => loader.fill_solid(filling.unwrap_or(floor), light),
        Style::MazeGrid => loader.fill_maze_grid(rock),
        Style::Maze => loader.create_maze(&request).map_err(deadly)?,
        Style::Rogue => loader.make_rogue_rooms().map_err(deadly)?,
        Style::Swamp => loader.fill_swamp(floor, rock, light),
        Style::Mines => {
            let filled = filling.is_some();
            let filling = filling.unwrap_or(floor);
            if filled || loader.has(LoaderRule::CavernRoomsAreForgotten) {
                loader.fill_solid(filling, 0);
            }
            let request = CavernRequest { floor, rock, smooth, joined, light, walled, filling, filled };
            loader.make_caverns(&request).map_err(deadly)?;
        }
    }
    nothing()
}

/// Ways to engrave, by their words.
const ENGRAVINGS: Words<i32> = &[("dust", 1), ("engrave", 2), ("burn", 3), ("mark", 4), ("blood", 5)];

fn engraving(lua: &Lua, run: Shared<'_, '_, '_>, arguments: MultiValue) -> Answer {
    let arguments = Arguments::new(arguments);
    let ((x, y), kind, text) = match arguments.len() {
        1 => {
            let fields = arguments.only_table(lua)?;
            let at = fields.place()?;
            let kind = fields.word("type", Some("engrave"), ENGRAVINGS)?;
            let text = fields.text("text")?;
            fields.truth_or("degrade", 1)?;
            fields.truth_or("guardobjects", 0)?;
            (at, kind, text)
        }
        3 => {
            let at = place(arguments.get(1))?.unwrap_or((-1, -1));
            (at, arguments.word(2, Some("engrave"), ENGRAVINGS)?, arguments.text(3)?)
        }
        _ => return Err(mistake("Wrong parameters")),
    };
    let mut run = run.borrow_mut();
    let room = run.room();
    let (x, y) = run.loader.location_of(pack(i64::from(x as i16), i64::from(y as i16)), Humidity::DRY, room);
    run.loader.engrave(x, y, kind, &readable(&text));
    nothing()
}

fn mineralize(lua: &Lua, run: Shared<'_, '_, '_>, arguments: MultiValue) -> Answer {
    let fields = Arguments::new(arguments).only_table(lua)?;
    let gems = fields.integer_or("gem_prob", -1)?;
    let gold = fields.integer_or("gold_prob", -1)?;
    let kelp_in_moats = fields.integer_or("kelp_moat", -1)?;
    let kelp_in_pools = fields.integer_or("kelp_pool", -1)?;
    let mut run = run.borrow_mut();
    run.loader.tell(Event::Mineralized { kelp_in_pools, kelp_in_moats, gold, gems });
    run.loader.level.ore.push([kelp_in_pools, kelp_in_moats, gold, gems]);
    nothing()
}

/// States of doors by their words.
const DOORS: Words<i32> = &[
    ("random", -1),
    ("open", door::OPEN),
    ("closed", door::CLOSED),
    ("locked", door::LOCKED),
    ("nodoor", door::NO_DOOR),
    ("broken", 1),
    ("secret", door::SECRET),
];

fn door_(lua: &Lua, run: Shared<'_, '_, '_>, arguments: MultiValue) -> Answer {
    let arguments = Arguments::new(arguments);
    let (x, y, state, fields);
    if arguments.len() == 3 {
        state = arguments.word(1, Some("random"), DOORS)?;
        (x, y) = (arguments.integer(2)?, arguments.integer(3)?);
        fields = None;
    } else {
        let table = arguments.only_table(lua)?;
        (x, y) = table.place()?;
        state = table.word("state", Some("random"), DOORS)?;
        fields = Some(table);
    }
    let (x, y) = (i64::from(x as i16), i64::from(y as i16));
    let in_wall = (x, y) == (-1, -1);
    let drawn = {
        let mut run = run.borrow_mut();
        let twice = run.loader.has(LoaderRule::DoorStatesDrawnTwice);
        if state == -1 && (twice || !in_wall) { run.loader.random_door_state() } else { state }
    };
    if in_wall {
        let (position, wall) = match &fields {
            Some(fields) => (fields.integer_or("pos", -1)?, fields.word("wall", Some("all"), DIRECTIONS)?),
            None => (-1, NORTH | SOUTH | EAST | WEST),
        };
        let mut run = run.borrow_mut();
        let Some(room) = run.room() else { return Err(mistake("a door in a wall has to be in a room")) };
        let mut request = RoomDoorRequest {
            wall,
            position: i32::from(position as i16),
            secret: i32::from(drawn == door::SECRET),
            state,
        };
        if run.loader.has(LoaderRule::DoorsDrawTheirWall) && wall == NORTH | SOUTH | EAST | WEST {
            request.wall = -1;
        }
        run.loader.create_room_door(request, room);
        return nothing();
    }
    let mut run = run.borrow_mut();
    let room = run.room();
    let humidity = run.loader.anywhere();
    let (x, y) = run.loader.location_of(pack_given(x, y), humidity, room);
    if !is_ok(x, y) {
        return Err(mistake("door coord not ok"));
    }
    run.loader.set_door_at(x, y, drawn);
    nothing()
}

/// Up and down by their words.
const WAYS: Words<bool> = &[("down", false), ("up", true)];

fn stairway(lua: &Lua, run: Shared<'_, '_, '_>, arguments: MultiValue, is_ladder: bool) -> Answer {
    let mut values = arguments;
    let arguments = Arguments::new(values.clone());
    let (up, (x, y));
    if arguments.len() == 1 && arguments.is_table(1) {
        let fields = arguments.only_table(lua)?;
        let at = fields.place()?;
        up = fields.word("dir", Some("down"), WAYS)?;
        (x, y) = at;
    } else {
        up = if arguments.is_text(1) {
            values.pop_front();
            arguments.word(1, Some("down"), WAYS)?
        } else {
            false
        };
        (x, y) = selections::two_numbers(&Arguments::new(values), 1)?.unwrap_or((-1, -1));
    }
    let (x, y) = (i64::from(x as i16), i64::from(y as i16));
    let mut run = run.borrow_mut();
    let room = run.room();
    if run.loader.has(LoaderRule::StairsFindFloor) {
        let place = if (x, y) == (-1, -1) { None } else { Some(pack_given(x, y)) };
        run.loader.create_stairway(place, up, is_ladder, room);
    } else if is_ladder {
        run.loader.create_ladder(pack(x, y), up, room);
    } else {
        run.loader.create_stairs(pack(x, y), up, room);
    }
    nothing()
}

fn stair(lua: &Lua, run: Shared<'_, '_, '_>, arguments: MultiValue) -> Answer {
    stairway(lua, run, arguments, false)
}

fn ladder(lua: &Lua, run: Shared<'_, '_, '_>, arguments: MultiValue) -> Answer {
    stairway(lua, run, arguments, true)
}

fn grave(lua: &Lua, run: Shared<'_, '_, '_>, arguments: MultiValue) -> Answer {
    let arguments = Arguments::new(arguments);
    let ((x, y), text) = if arguments.len() == 3 {
        ((arguments.integer(1)?, arguments.integer(2)?), Some(arguments.text(3)?))
    } else {
        let fields = arguments.only_table(lua)?;
        (fields.place()?, text_of(lua, run, &fields, "text")?)
    };
    let mut run = run.borrow_mut();
    let room = run.room();
    let (x, y) = run.loader.location_of(pack(i64::from(x as i16), i64::from(y as i16)), Humidity::DRY, room);
    match text {
        Some(text) => run.loader.dig_grave(x, y, 2, &readable(&text)),
        None => run.loader.dig_grave(x, y, 1, ""),
    }
    nothing()
}

fn altar(lua: &Lua, run: Shared<'_, '_, '_>, arguments: MultiValue) -> Answer {
    let fields = Arguments::new(arguments).only_table(lua)?;
    let (x, y) = fields.place()?;
    // Of an altar, a random alignment is another number.
    let alignment = match fields.word("align", Some("random"), ALIGNMENTS)? {
        NO_ALIGNMENT => -11,
        alignment => alignment,
    };
    let shrine = fields.word("type", Some("altar"), &[("altar", 0), ("shrine", 1), ("sanctum", 2)])?;
    let mut run = run.borrow_mut();
    let room = run.room();
    run.loader.create_altar(pack(x, y), alignment, shrine, room).map_err(deadly)?;
    nothing()
}

/// Columns and rows of a map as a table.
fn size(lua: &Lua, width: i32, height: i32) -> mlua::Result<Table> {
    selections::numbers(lua, &[("width", width.into()), ("height", height.into())])
}

/// Where a map goes across and down by words; -1 for by numbers.
const ACROSS: Words<i32> =
    &[("left", 1), ("half-left", 2), ("center", 3), ("half-right", 4), ("right", 5), ("none", -1)];
const DOWN: Words<i32> = &[("top", 1), ("center", 3), ("bottom", 5), ("none", -1)];

fn map(lua: &Lua, run: Shared<'_, '_, '_>, arguments: MultiValue) -> Answer {
    let arguments = Arguments::new(arguments);
    let (mut across, mut down, mut at, mut lit, mut contents) = (3, 3, (-1, -1), false, Value::Nil);
    let drawn = if arguments.len() == 1 && arguments.is_text(1) {
        arguments.text(1)?
    } else {
        let fields = arguments.only_table(lua)?;
        across = fields.word("halign", Some("none"), ACROSS)?;
        down = fields.word("valign", Some("none"), DOWN)?;
        at = fields.place()?;
        let drawn = fields.text("map")?;
        lit = fields.is("lit")?;
        contents = fields.get("contents")?;
        drawn
    };
    let drawn = MapFragment::new(&drawn).ok_or_else(|| mistake("Map data error"))?;
    let laid = {
        let mut run = run.borrow_mut();
        run.place_map(&drawn, (across, down), at)?;
        if run.loader.size_x <= 1 && run.loader.size_y <= 1 {
            run.reset_map();
            Selection::new()
        } else {
            let joined = run.joined && !run.loader.has(LoaderRule::CavernRoomsAreForgotten);
            run.loader.lay_map(&drawn, lit, joined)
        }
    };
    if let Value::Function(function) = &contents {
        let table = {
            let run = run.borrow();
            size(lua, run.loader.size_x, run.loader.size_y)?
        };
        call_back(lua, run, function, MultiValue::from_vec(vec![Value::Table(table)]), Failure::Deadly)?;
        run.borrow_mut().reset_map();
    }
    selections::give(lua, laid)
}

impl Run<'_, '_> {
    /// Where a map goes: to a side of the level, or to a place of the level or of the room around (`lspo_map`).
    fn place_map(&mut self, map: &MapFragment, (across, down): (i32, i32), (x, y): (i64, i64)) -> mlua::Result<()> {
        let room = self.room();
        let loader = &mut self.loader;
        (loader.size_x, loader.size_y) = (map.width, map.height);
        if (across, down) == (-1, -1) {
            let given = i32::try_from(x).ok().zip(i32::try_from(y).ok()).filter(|&(x, y)| is_ok(x, y));
            let Some((x, y)) = given else {
                return Err(mistake("Map requires either x,y or halign,valign params"));
            };
            (loader.start_x, loader.start_y) = (x, y);
            if let Some(room) = room {
                let room = &loader.level.rooms[room];
                loader.start_x += room.low_x;
                loader.start_y += room.low_y;
                loader.size_x = map.width.min(room.high_x - room.low_x);
                loader.size_y = map.height.min(room.high_y - room.low_y);
            }
        } else {
            let (columns, rows) = (loader.maze_columns - 2 - loader.size_x, loader.maze_rows - 2 - loader.size_y);
            match across {
                1 => loader.start_x = if loader.init_present { 1 } else { 3 },
                2 => loader.start_x = 2 + columns / 4,
                3 => loader.start_x = 2 + columns / 2,
                4 => loader.start_x = 2 + columns * 3 / 4,
                5 => loader.start_x = loader.maze_columns - loader.size_x - 1,
                _ => {}
            }
            match down {
                1 => loader.start_y = 3,
                3 => loader.start_y = 2 + rows / 2,
                5 => loader.start_y = loader.maze_rows - loader.size_y - 1,
                _ => {}
            }
            // Mazes are cut on odd columns and rows.
            if loader.start_x % 2 == 0 {
                loader.start_x += 1;
            }
            if loader.start_y % 2 == 0 {
                loader.start_y += 1;
            }
        }
        if loader.start_y < 0 || loader.start_y + loader.size_y > ROWS {
            loader.start_y += if loader.start_y > 0 { -2 } else { 2 };
            if loader.size_y == ROWS {
                loader.start_y = 0;
            }
            if loader.start_y < 0 || loader.start_y + loader.size_y > ROWS {
                if !loader.has(LoaderRule::TallMapsStartAtTop) {
                    return Err(deadly(Fault::MapSize));
                }
                loader.start_y = 0;
            }
        }
        Ok(())
    }
}

/// Features by their words.
const FEATURES: Words<Terrain> = &[
    ("fountain", Terrain::FOUNTAIN),
    ("sink", Terrain::SINK),
    ("pool", Terrain::POOL),
    ("throne", Terrain::THRONE),
    ("tree", Terrain::TREE),
];

fn feature(lua: &Lua, run: Shared<'_, '_, '_>, arguments: MultiValue) -> Answer {
    let arguments = Arguments::new(arguments);
    let mut fields = None;
    let (kind, (x, y)) = if arguments.len() == 1 && arguments.is_text(1) {
        (arguments.word(1, None, FEATURES)?, (-1, -1))
    } else if arguments.len() == 2 && arguments.is_text(1) && arguments.is_table(2) {
        (arguments.word(1, None, FEATURES)?, place(arguments.get(2))?.unwrap_or((-1, -1)))
    } else if arguments.len() == 3 {
        (arguments.word(1, None, FEATURES)?, (arguments.integer(2)?, arguments.integer(3)?))
    } else {
        let table = arguments.only_table(lua)?;
        let at = table.place()?;
        let kind = table.word("type", None, FEATURES)?;
        fields = Some(table);
        (kind, at)
    };
    let packed = pack(i64::from(x as i16), i64::from(y as i16));
    let (x, y) = {
        let mut run = run.borrow_mut();
        let random = packed == pack(-1, -1);
        let dry = random && run.loader.has(LoaderRule::RandomFeaturesNeedDryGround);
        let humidity = if dry { Humidity::DRY } else { run.loader.anywhere() };
        let room = run.room();
        let (x, y) = run.loader.location_of(packed, humidity, room);
        if is_ok(x, y) {
            run.loader.set_feature_at(x, y, kind);
        }
        (x, y)
    };
    let Some(fields) = fields.filter(|_| run.borrow().loader.terrain(x, y) == kind) else { return nothing() };
    let marks: &[(&str, i32)] = match kind {
        Terrain::FOUNTAIN => &[("looted", 1), ("warned", 2)],
        Terrain::SINK => &[("pudding", 1), ("dishwasher", 2), ("ring", 4)],
        Terrain::THRONE => &[("looted", 1)],
        Terrain::TREE => &[("looted", 1), ("swarm", 2)],
        _ => &[],
    };
    for &(key, mark) in marks {
        const UNSAID: i32 = -2;
        let said = fields.truth_or(key, UNSAID)?;
        if said == UNSAID {
            continue;
        }
        let level = &mut run.borrow_mut().loader.level;
        let flags = level.flags(x, y);
        level.set_flags(x, y, if said != 0 { flags | mark } else { flags & !mark });
    }
    nothing()
}

/// Terrain as a function takes it: what shows through changes nothing.
fn square(square: MapSquare) -> mlua::Result<Option<Terrain>> {
    match square {
        MapSquare::Terrain(terrain) => Ok(Some(terrain)),
        _ => Ok(None),
    }
}

fn terrain_(lua: &Lua, run: Shared<'_, '_, '_>, arguments: MultiValue) -> Answer {
    const UNCHANGED: i64 = -2;
    let arguments = Arguments::new(arguments);
    let (mut at, mut selection, mut light) = ((0, 0), None, UNCHANGED);
    let character;
    match arguments.len() {
        1 => {
            let fields = arguments.only_table(lua)?;
            at = fields.place()?;
            if at == (-1, -1) {
                selection = Some(squares(&fields.get("selection")?)?);
            }
            character = fields.text("typ")?;
            light = fields.integer_or("lit", UNCHANGED)?;
        }
        2 if arguments.is_table(1) && arguments.is_text(2) => {
            character = arguments.text(2)?;
            at = place(arguments.get(1))?.unwrap_or((0, 0));
        }
        2 => {
            selection = Some(squares(arguments.get(1))?);
            character = arguments.text(2)?;
        }
        3 => {
            at = (arguments.integer(1)?, arguments.integer(2)?);
            character = arguments.text(3)?;
        }
        _ => return Err(mistake("wrong parameters")),
    }
    let mut run = run.borrow_mut();
    let kind = square(terrain(&run, &character)?)?;
    let light = i32::from(light as i8);
    match selection {
        Some(selection) => {
            for (x, y) in selection.iter().filter(|&(x, y)| is_ok(x, y)) {
                run.loader.set_terrain_at(x, y, kind, light);
            }
        }
        None => {
            let room = run.room();
            let humidity = run.loader.anywhere();
            let (x, y) = run.loader.location_of(pack_given(at.0, at.1), humidity, room);
            if !is_ok(x, y) {
                return Err(mistake("terrain coord not ok"));
            }
            run.loader.set_terrain_at(x, y, kind, light);
        }
    }
    nothing()
}

fn replace_terrain(lua: &Lua, run: Shared<'_, '_, '_>, arguments: MultiValue) -> Answer {
    let fields = Arguments::new(arguments).only_table(lua)?;
    let to = match terrain(&run.borrow(), &fields.text("toterrain")?)? {
        MapSquare::Terrain(terrain) => terrain,
        _ => return nothing(),
    };
    let from = text_of(lua, run, &fields, "fromterrain")?.filter(|text| !text.is_empty());
    let from = match from {
        Some(from) => Some(terrain(&run.borrow(), &from)?),
        None => None,
    };
    let drawn = match from {
        None => Some(selections::fragment(&run.borrow(), &fields.text("mapfragment")?)?),
        Some(_) => None,
    };
    let chance = fields.integer_or("chance", 100)? as i32;
    let light = i32::from(fields.integer_or("lit", -2)? as i8);
    let mut corners = [-1; 4];
    for (corner, key) in corners.iter_mut().zip(["x1", "y1", "x2", "y2"]) {
        *corner = fields.integer_or(key, -1)?;
    }
    if corners == [-1; 4] {
        corners = fields.region("region")?.unwrap_or([-1; 4]);
    }
    let mut chosen = None;
    if corners == [-1; 4] {
        let value = fields.get("selection")?;
        if !value.is_nil() {
            chosen = Some(squares(&value)?);
        }
    }
    let mut run = run.borrow_mut();
    let chosen = match chosen {
        Some(chosen) => chosen,
        None if corners == [-1; 4] => Selection::new().complement(),
        None => {
            let room = run.room();
            let [x1, y1, x2, y2] = corners.map(|number| number as i32);
            let humidity = run.loader.anywhere();
            let (x1, y1) = run.loader.location(x1, y1, humidity, room);
            let (x2, y2) = run.loader.location(x2, y2, humidity, room);
            let mut squares = Selection::new();
            for x in x1.max(0)..=x2.min(COLUMNS - 1) {
                for y in y1.max(0)..=y2.min(ROWS - 1) {
                    squares.add(x, y);
                }
            }
            squares
        }
    };
    let first = i32::from(run.loader.has(LoaderRule::ColumnZeroIsOutside));
    for (x, y) in chosen.iter().filter(|&(x, _)| x >= first) {
        let there = run.loader.terrain(x, y);
        let fits = match (&drawn, from) {
            (Some(drawn), _) => run.loader.fits_map(drawn, x, y),
            (None, Some(MapSquare::Wall)) => there.is_wall_or_stone(),
            (None, Some(MapSquare::Terrain(from))) => there == from,
            (None, _) => false,
        };
        if fits && run.loader.rn2(100) < chance {
            run.loader.set_terrain_and_light(x, y, Some(to), light);
        }
    }
    nothing()
}

/// A room as its function gets it (`l_push_mkroom_table`).
fn room_table(lua: &Lua, run: &Run<'_, '_>, number: usize) -> mlua::Result<Table> {
    let room = run.loader.level.rooms[number];
    let table = size(lua, room.width(), room.height())?;
    let corners = [("x1", room.low_x), ("y1", room.low_y), ("x2", room.high_x), ("y2", room.high_y)];
    let corners = corners.map(|(key, number)| (key, i64::from(number)));
    table.raw_set("region", selections::numbers(lua, &corners)?)?;
    table.raw_set("lit", room.lit)?;
    table.raw_set("irregular", room.irregular)?;
    table.raw_set("needjoining", room.joined)?;
    let name = run.loader.game.catalog.rooms.iter().find(|(_, kind)| *kind == room.kind);
    table.raw_set("type", name.map_or("unknown", |(name, _)| name.as_ref()))?;
    Ok(table)
}

/// The room type that a table names (`get_table_roomtype_opt`); an unknown one is complained about.
fn room_type(lua: &Lua, run: Shared<'_, '_, '_>, fields: &Fields) -> mlua::Result<i32> {
    const ORDINARY: i32 = 0;
    let Some(name) = text_of(lua, run, fields, "type")?.filter(|name| !name.is_empty()) else { return Ok(ORDINARY) };
    let name = readable(&name);
    let mut run = run.borrow_mut();
    let rooms = &run.loader.game.catalog.rooms;
    let known = rooms.iter().find(|(known, _)| known.eq_ignore_ascii_case(&name)).map(|&(_, kind)| kind);
    if known.is_none() {
        run.loader.complain(Complaint::RoomType);
    }
    Ok(known.unwrap_or(ORDINARY))
}

/// Calls what is to be in a room, and ends it (`lspo_room`, `lspo_region`).
fn fill_room(lua: &Lua, run: Shared<'_, '_, '_>, fields: &Fields, number: usize) -> mlua::Result<()> {
    if let Value::Function(function) = fields.get("contents")? {
        let table = room_table(lua, &run.borrow(), number)?;
        call_back(lua, run, &function, MultiValue::from_vec(vec![Value::Table(table)]), Failure::Deadly)?;
    }
    let mut run = run.borrow_mut();
    run.close_room();
    run.loader.add_doors_to(number);
    Ok(())
}

/// Where in its part of the level a room is, across and down.
const ROOM_ACROSS: Words<i32> =
    &[("left", 1), ("half-left", 2), ("center", 3), ("half-right", 4), ("right", 5), ("none", -1), ("random", -1)];
const ROOM_DOWN: Words<i32> = &[("top", 1), ("center", 3), ("bottom", 5), ("none", -1), ("random", -1)];

fn room(lua: &Lua, run: Shared<'_, '_, '_>, arguments: MultiValue) -> Answer {
    let fields = Arguments::new(arguments).only_table(lua)?;
    if run.borrow().depth > MAX_NESTED_ROOMS {
        return Err(deadly(Fault::RoomNesting));
    }
    let (x, y) = fields.place()?;
    if (x == -1 || y == -1) && x != y {
        return Err(mistake("Room must have both x and y"));
    }
    let (width, height) = (fields.integer_or("w", -1)?, fields.integer_or("h", -1)?);
    if (width == -1 || height == -1) && width != height {
        return Err(mistake("Room must have both w and h"));
    }
    let align_x = fields.word("xalign", Some("random"), ROOM_ACROSS)?;
    let align_y = fields.word("yalign", Some("random"), ROOM_DOWN)?;
    let kind = room_type(lua, run, &fields)?;
    let short = |number: i64| i32::from(number as i16);
    let chance = short(fields.integer_or("chance", 100)?);
    let light = short(fields.integer_or("lit", -1)?);
    let fill = fields.integer_or("filled", 1)?;
    let request = RoomRequest {
        x: short(x),
        y: short(y),
        width: short(width),
        height: short(height),
        align_x,
        align_y,
        kind,
        chance,
        light,
        filled: fill != 0,
        joined: fields.truth_or("joined", 1)? != 0,
    };
    let made = {
        let mut run = run.borrow_mut();
        let parent = run.room();
        let made = match run.failed[run.depth - 1] {
            true => None,
            false => run.loader.build_room(&request, parent).map_err(deadly)?,
        };
        if made.is_none() {
            run.loader.complain(Complaint::RoomFailed);
        }
        if let Some(room) = made {
            run.loader.level.rooms[room].fill = fill.clamp(0, 255) as u8;
        }
        run.open_room(made);
        made
    };
    match made {
        Some(room) => fill_room(lua, run, &fields, room)?,
        None => run.borrow_mut().close_room(),
    }
    nothing()
}

/// Walls at which a corridor starts; 0 where it cannot.
const CORRIDOR_WALLS: Words<i32> =
    &[("all", 0), ("random", 0), ("north", NORTH), ("west", WEST), ("east", EAST), ("south", SOUTH)];

fn corridor(lua: &Lua, run: Shared<'_, '_, '_>, arguments: MultiValue) -> Answer {
    let fields = Arguments::new(arguments).only_table(lua)?;
    let end = |room: &str, door: &str, wall: &str| -> mlua::Result<CorridorEnd> {
        Ok(CorridorEnd {
            room: fields.integer(room)? as i32,
            door: fields.integer(door)? as i32,
            wall: fields.word(wall, Some("all"), CORRIDOR_WALLS)?,
        })
    };
    let from = end("srcroom", "srcdoor", "srcwall")?;
    let to = end("destroom", "destdoor", "destwall")?;
    let mut run = run.borrow_mut();
    if from.room != -1 && (from.wall == 0 || to.wall == 0) {
        run.loader.complain(Complaint::RandomWall);
        return nothing();
    }
    run.loader.create_corridor(from, to).map_err(deadly)?;
    nothing()
}

fn random_corridors(_: &Lua, run: Shared<'_, '_, '_>, _: MultiValue) -> Answer {
    let end = CorridorEnd { room: -1, wall: -1, door: -1 };
    run.borrow_mut().loader.create_corridor(end, end).map_err(deadly)?;
    nothing()
}

fn gold(lua: &Lua, run: Shared<'_, '_, '_>, arguments: MultiValue) -> Answer {
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
        amount = fields.integer_or("amount", -1)?;
        at = fields.place()?;
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

fn trap(lua: &Lua, run: Shared<'_, '_, '_>, arguments: MultiValue) -> Answer {
    const RANDOM: i32 = -1;
    let arguments = Arguments::new(arguments);
    let kind = |name: &[u8]| -> Option<i32> {
        let name = readable(name);
        let run = run.borrow();
        let traps = &run.loader.game.catalog.traps;
        let known = traps.iter().find(|(known, _)| known.eq_ignore_ascii_case(&name)).map(|&(_, kind)| kind);
        known.or_else(|| name.eq_ignore_ascii_case("random").then_some(RANDOM))
    };
    let mut wishes = TrapWishes::NONE;
    let short = if arguments.len() == 1 && arguments.is_text(1) {
        Some((-1, -1))
    } else if arguments.len() == 2 && arguments.is_text(1) && arguments.is_table(2) {
        Some(place(arguments.get(2))?.unwrap_or((-1, -1)))
    } else if arguments.len() == 3 {
        Some((arguments.integer(2)?, arguments.integer(3)?))
    } else {
        None
    };
    let (kind, (x, y)) = match short {
        Some(at) => {
            let name = arguments.text(1)?;
            let unknown = || mistake(format!("Unknown trap type \"{}\"", readable(&name)));
            (kind(&name).ok_or_else(unknown)?, at)
        }
        None => {
            let fields = arguments.only_table(lua)?;
            let at = fields.place()?;
            let name = text_of(lua, run, &fields, "type")?.filter(|name| !name.is_empty());
            // What the game does not know is random to it.
            let kind = name.and_then(|name| kind(&name)).unwrap_or(RANDOM);
            wishes.spider = fields.truth_or("spider_on_web", 1)? != 0;
            wishes.seen = fields.is("seen")?;
            wishes.victim = fields.truth_or("victim", 1)? != 0;
            for key in ["launchfrom", "teledest"] {
                let value = fields.get(key)?;
                if matches!(value, Value::Table(_)) {
                    let (x, y) = place(&value)?.unwrap_or((-1, -1));
                    let (x, y) = (i32::from(x as i16), i32::from(y as i16));
                    wishes.fixed = is_ok(x, y).then_some((x, y));
                }
            }
            (kind, at)
        }
    };
    let mut run = run.borrow_mut();
    // The game counts from the map also where a room is around.
    let (from_x, from_y) = (run.loader.start_x, run.loader.start_y);
    wishes.fixed = wishes.fixed.map(|(x, y)| (x + from_x, y + from_y));
    let room = run.room();
    run.loader.create_trap(kind, pack(x, y), &wishes, room).map_err(deadly)?;
    nothing()
}

fn mazewalk(lua: &Lua, run: Shared<'_, '_, '_>, arguments: MultiValue) -> Answer {
    let arguments = Arguments::new(arguments);
    let (x, y, direction, mut stocked, mut floor) = if arguments.len() == 3 {
        let direction = arguments.word(3, Some("random"), DIRECTIONS)?;
        (arguments.integer(1)?, arguments.integer(2)?, direction, true, Some(Terrain::ROOM))
    } else {
        let fields = arguments.only_table(lua)?;
        let (x, y) = fields.place()?;
        let floor = terrain_of(lua, run, &fields, "typ")?.unwrap_or(Some(Terrain::ROOM));
        let stocked = fields.truth_or("stocked", 1)? != 0;
        (x, y, fields.word("dir", Some("random"), DIRECTIONS)?, stocked, floor)
    };
    let mut run = run.borrow_mut();
    let room = run.room();
    let humidity = run.loader.anywhere();
    let place = run.loader.location_of(pack_given(x, y), humidity, room);
    if !is_ok(place.0, place.1) {
        return Err(mistake("mazewalk coord not ok"));
    }
    let direction = run.direction(direction);
    if floor == Some(Terrain::STONE) {
        floor = None;
    }
    let catalog = &run.loader.game.catalog;
    let floor = floor.and_then(|floor| catalog.level_type(floor.word())).unwrap_or(0);
    stocked &= true;
    run.loader.mazewalk(place, direction, floor.into(), stocked).map_err(deadly)?;
    nothing()
}

/// Directions of drawbridges by their words; -1 is none that the game knows.
const BRIDGES: Words<i32> = &[("north", 0), ("south", 1), ("west", 3), ("east", 2), ("random", -1)];

fn drawbridge(lua: &Lua, run: Shared<'_, '_, '_>, arguments: MultiValue) -> Answer {
    const RANDOM: i32 = -1;
    let fields = Arguments::new(arguments).only_table(lua)?;
    let (given_x, given_y) = fields.place()?;
    let direction = fields.word("dir", Some("random"), BRIDGES)?;
    let state = fields.word("state", Some("random"), &[("open", 1), ("closed", 0), ("random", RANDOM)])?;
    let mut run = run.borrow_mut();
    let room = run.room();
    let humidity = Humidity::DRY.and(Humidity::WET).and(Humidity::HOT);
    let (x, y) = run.loader.location_of(pack_given(given_x, given_y), humidity, room);
    let given = i32::try_from(given_x).ok().zip(i32::try_from(given_y).ok());
    if !given.is_some_and(|(x, y)| is_ok(x, y)) {
        return Err(mistake("drawbridge coord not ok"));
    }
    let high = run.loader.has(LoaderRule::HighDrawOpensBridges);
    let open = match state {
        RANDOM => (run.loader.rn2(2) != 0) == high,
        state => state != 0,
    };
    run.loader.create_drawbridge(x, y, direction, open);
    run.loader.level.touch(x, y);
    nothing()
}

fn region(lua: &Lua, run: Shared<'_, '_, '_>, arguments: MultiValue) -> Answer {
    let arguments = Arguments::new(arguments);
    if arguments.len() == 2 {
        let mut selector = selections::read(arguments.get(1))?;
        let lit = arguments.word(2, Some("lit"), &[("unlit", false), ("lit", true)])?;
        if lit {
            selector.grow(NORTH | SOUTH | EAST | WEST, crate::selection::Growth::Everywhere);
        }
        let mut run = run.borrow_mut();
        for (x, y) in selector.squares().iter().filter(|&(x, y)| is_ok(x, y)) {
            let light = lit || run.loader.terrain(x, y).is_lava();
            run.loader.level.set_lit(x, y, light);
        }
        return nothing();
    }
    if arguments.len() > 2 {
        return Err(mistake("Wrong parameters"));
    }
    let fields = arguments.only_table(lua)?;
    let fill = fields.integer_or("filled", 0)?;
    let irregular = fields.is("irregular")?;
    let joined = fields.truth_or("joined", 1)? != 0;
    let arrival = fields.is("arrival_room")?;
    let kind = room_type(lua, run, &fields)?;
    let light = fields.integer_or("lit", -1)?;
    let corners = fields.corners()?;
    if corners == [-1; 4] {
        return Err(mistake("region needs region"));
    }
    let made = {
        let mut run = run.borrow_mut();
        let lit = if light < 0 { run.loader.random_light() } else { light as u8 != 0 };
        let [x1, y1, x2, y2] = corners.map(|number| i32::from(number as i16));
        let humidity = run.loader.anywhere();
        let (x1, y1) = run.loader.location(x1, y1, humidity, None);
        let (x2, y2) = run.loader.location(x2, y2, humidity, None);
        let request =
            RegionRequest { area: [x1, y1, x2, y2], kind: kind.into(), light, filled: false, irregular, joined };
        let need = if kind == 0 && !irregular && !arrival { Need::LightOnly } else { Need::Room };
        let fill = Some(fill.clamp(0, 255) as u8);
        let made =
            run.loader.declare_region(&request, kind.into(), need, fill, [x1, y1, x2, y2], lit).map_err(deadly)?;
        match made {
            Some(_) if run.depth > 1 => {
                run.loader.complain(Complaint::RegionAsSubroom);
                None
            }
            Some(room) => {
                run.open_room(Some(room));
                Some(room)
            }
            None => None,
        }
    };
    if let Some(room) = made {
        fill_room(lua, run, &fields, room)?;
    }
    nothing()
}

/// Remembers a level region (`l_get_lregion`, `levregion_add`).
fn add_region(run: Shared<'_, '_, '_>, fields: &Fields, kind: i64, target: &str) -> mlua::Result<()> {
    let Some(within) = fields.region("region")? else { return Err(mistake("\"region\" is missing")) };
    let outside = fields.region("exclude")?.unwrap_or([-1; 4]);
    let within_level = fields.is("region_islev")?;
    let outside_level = fields.is("exclude_islev")? || outside[0] < 0;
    let short = |corners: [i64; 4]| corners.map(|number| i32::from(number as i16));
    run.borrow_mut().loader.add_region((short(within), within_level), (short(outside), outside_level), kind, target);
    Ok(())
}

impl Run<'_, '_> {
    /// The number of a kind of level region in this game.
    fn region_number(&self, name: &str) -> i64 {
        let known = self.loader.game.catalog.level_regions.iter().find(|(known, _)| known == name);
        known.map_or(-1, |&(_, number)| number)
    }
}

fn teleport_region(lua: &Lua, run: Shared<'_, '_, '_>, arguments: MultiValue) -> Answer {
    let fields = Arguments::new(arguments).only_table(lua)?;
    let kinds: Words<&str> = &[("both", "teleport"), ("down", "down_teleport"), ("up", "up_teleport")];
    let kind = fields.word("dir", Some("both"), kinds)?;
    let kind = run.borrow().region_number(kind);
    add_region(run, &fields, kind, "")?;
    nothing()
}

fn level_region(lua: &Lua, run: Shared<'_, '_, '_>, arguments: MultiValue) -> Answer {
    let fields = Arguments::new(arguments).only_table(lua)?;
    let kinds: Words<&str> = &[
        ("stair-down", "down_stairs"),
        ("stair-up", "up_stairs"),
        ("portal", "portal"),
        ("branch", "branch"),
        ("teleport", "teleport"),
        ("teleport-up", "up_teleport"),
        ("teleport-down", "down_teleport"),
    ];
    let kind = fields.word("type", Some("stair-down"), kinds)?;
    fields.integer_or("padding", 0)?;
    let name = text_of(lua, run, &fields, "name")?.map(|name| readable(&name));
    if kind == "portal" && name.is_none() {
        return Err(mistake("a portal needs the name of the level that it leads to"));
    }
    let kind = run.borrow().region_number(kind);
    add_region(run, &fields, kind, name.as_deref().unwrap_or(""))?;
    nothing()
}

fn exclusion(lua: &Lua, run: Shared<'_, '_, '_>, arguments: MultiValue) -> Answer {
    let fields = Arguments::new(arguments).only_table(lua)?;
    let kinds: Words<i32> = &[("teleport", 4), ("teleport-up", 5), ("teleport-down", 6), ("monster-generation", 7)];
    let kind = fields.word("type", Some("teleport"), kinds)?;
    let Some([x1, y1, x2, y2]) = fields.region("region")? else { return Err(mistake("\"region\" is missing")) };
    let mut run = run.borrow_mut();
    let room = run.room();
    let (x1, y1) = run.loader.location_of(pack_given(x1, y1), Humidity::ANY, room);
    let (x2, y2) = run.loader.location_of(pack_given(x2, y2), Humidity::ANY, room);
    run.loader.level.zones.push(Zone { kind, area: [x1, y1, x2, y2] });
    nothing()
}

fn wallify(lua: &Lua, run: Shared<'_, '_, '_>, arguments: MultiValue) -> Answer {
    let arguments = Arguments::new(arguments);
    let mut corners = [-1; 4];
    if arguments.len() == 1 {
        let fields = arguments.only_table(lua)?;
        for (corner, key) in corners.iter_mut().zip(["x1", "y1", "x2", "y2"]) {
            *corner = fields.integer(key)?;
        }
    }
    let [x1, y1, x2, y2] = corners.map(|number| i32::from(number as i16));
    let mut run = run.borrow_mut();
    let loader = &mut run.loader;
    let of_map = loader.has(LoaderRule::WallifyTakesRegions);
    let margin = i32::from(!of_map);
    let or = |given: i32, otherwise: i32| if given < 0 { otherwise } else { given };
    let x1 = or(x1, loader.start_x - margin);
    let y1 = or(y1, loader.start_y - margin);
    let x2 = or(x2, loader.start_x + loader.size_x + margin);
    let y2 = or(y2, loader.start_y + loader.size_y + margin);
    if of_map {
        loader.wallify_unbounded([x1, y1, x2, y2]);
    } else {
        loader.wallify(x1, y1, x2, y2);
    }
    nothing()
}

fn wall_property(lua: &Lua, run: Shared<'_, '_, '_>, arguments: MultiValue) -> Answer {
    let fields = Arguments::new(arguments).only_table(lua)?;
    let [x1, y1, x2, y2] = fields.corners()?.map(|number| i32::from(number as i16));
    let properties = &[("nondiggable", wall::NON_DIGGABLE), ("nonpasswall", wall::NON_PASSABLE)];
    let property = fields.word("property", Some("nondiggable"), properties)?;
    let mut run = run.borrow_mut();
    let loader = &mut run.loader;
    let or = |given: i32, otherwise: i32| if given == -1 { otherwise } else { given };
    let x1 = or(x1, loader.start_x - 1);
    let y1 = or(y1, loader.start_y - 1);
    let x2 = or(x2, loader.start_x + loader.size_x + 1);
    let y2 = or(y2, loader.start_y + loader.size_y + 1);
    let humidity = loader.anywhere();
    let (x1, y1) = loader.location(x1, y1, humidity, None);
    let (x2, y2) = loader.location(x2, y2, humidity, None);
    loader.set_wall_property([x1, y1, x2, y2], property);
    nothing()
}

fn harden(run: Shared<'_, '_, '_>, arguments: MultiValue, property: i32) -> Answer {
    let arguments = Arguments::new(arguments);
    let chosen = match arguments.len() {
        0 => Selection::new().complement(),
        1 => squares(arguments.get(1))?,
        _ => return nothing(),
    };
    let loader = &mut run.borrow_mut().loader;
    for (x, y) in chosen.iter().filter(|&(x, y)| is_ok(x, y)) {
        loader.set_wall_property([x, y, x, y], property);
    }
    nothing()
}

fn non_diggable(_: &Lua, run: Shared<'_, '_, '_>, arguments: MultiValue) -> Answer {
    harden(run, arguments, wall::NON_DIGGABLE)
}

fn non_passwall(_: &Lua, run: Shared<'_, '_, '_>, arguments: MultiValue) -> Answer {
    harden(run, arguments, wall::NON_PASSABLE)
}

/// Empties the level; the game has this for its own tests.
fn reset_level(_: &Lua, run: Shared<'_, '_, '_>, _: MultiValue) -> Answer {
    run.borrow_mut().start_again();
    nothing()
}

/// Finishes the level; the game has this for its own tests.
fn finalize_level(_: &Lua, run: Shared<'_, '_, '_>, _: MultiValue) -> Answer {
    let mut run = run.borrow_mut();
    if !run.finished {
        run.finished = true;
        run.finish().map_err(deadly)?;
    }
    nothing()
}

fn gas_cloud(lua: &Lua, run: Shared<'_, '_, '_>, arguments: MultiValue) -> Answer {
    /// Said where the game does not choose how long it stays.
    const UNSAID: i64 = -2;
    let arguments = Arguments::new(arguments);
    if arguments.len() != 1 || !arguments.is_table(1) {
        return Err(mistake("wrong parameters"));
    }
    let fields = arguments.only_table(lua)?;
    let (x, y) = fields.place()?;
    let chosen = match (x, y) {
        (-1, -1) => Some(squares(&fields.get("selection")?)?),
        _ => None,
    };
    let damage = fields.integer_or("damage", 0)? as i32;
    let turns = fields.integer_or("ttl", UNSAID)?;
    let mut run = run.borrow_mut();
    let (squares, usual) = match chosen {
        Some(chosen) => (chosen.iter().collect(), -1),
        None => {
            let usual = run.loader.rn1(3, 4);
            (vec![(i32::from(x as i16), i32::from(y as i16))], usual)
        }
    };
    let turns = if turns > UNSAID { turns as i32 } else { usual };
    run.loader.level.clouds.push(Cloud { damage, turns, squares });
    nothing()
}
