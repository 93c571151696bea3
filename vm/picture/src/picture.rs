//! A level as the game draws it, and a legend of its contents.
//!
//! Symbols and colours are the games' own defaults (`defsyms` in `src/drawing.c`; those of monsters and objects are in
//! the catalog). Secret doors look like walls and secret corridors like rock, as they do to a player; the legend lists
//! them. Things are layered as on the screen: monsters over objects over traps over terrain.

use splc_vm::internals::{bridge, door, index};
use splc_vm::{COLUMNS, Chronicle, Level, Maker, Monster, Object, Place, ROWS, Room, SQUARES, Terrain, Whereabouts};
use std::collections::HashMap;
use std::fmt::Write as _;

use splc_ir::catalog::Catalog;
pub use splc_ir::catalog::Color;

/// The visible layer of a square.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Layer {
    /// Its terrain.
    #[default]
    Terrain,
    /// A trap.
    Trap,
    /// An object, or gold.
    Object,
    /// A monster.
    Monster,
}

/// A square of a picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Square {
    /// Its symbol.
    pub symbol: char,
    /// The colour of the symbol.
    pub color: Color,
    /// The layer that the symbol shows.
    pub layer: Layer,
    /// True if the square is lit.
    pub lit: bool,
}

/// Symbol of a monster that the game will choose: the games' symbol for an unseen monster.
pub const RANDOM_MONSTER: char = 'I';
/// Symbol of an object that the game will choose: the games' strange object.
pub const RANDOM_OBJECT: char = ']';

/// Symbol and colour of terrain in `catalog`'s game.
pub fn terrain_look(terrain: Terrain, catalog: &Catalog) -> (char, Color) {
    terrain.look_in(catalog).map_or((' ', Color::Gray), |look| (look.symbol, look.color))
}

/// Plain name of terrain in `catalog`'s game.
pub fn terrain_name(terrain: Terrain, catalog: &Catalog) -> String {
    terrain.look_in(catalog).map_or_else(|| terrain.name().to_owned(), |look| look.name.to_string())
}

/// Returns true if stairs or a ladder lead down (`LA_DOWN`).
fn leads_down(level: &Level, x: i32, y: i32) -> bool {
    const DOWN: i32 = 2;
    level.flags(x, y) & DOWN != 0
}

/// Plain name of a square, e.g. "floor" or "locked door".
pub fn square_name(level: &Level, catalog: &Catalog, x: i32, y: i32) -> String {
    feature(level, x, y).unwrap_or_else(|| terrain_name(level.terrain(x, y), catalog))
}

/// Plain name of the terrain of a square, or `None` if the legend does not list it.
fn feature(level: &Level, x: i32, y: i32) -> Option<String> {
    let terrain = level.terrain(x, y);
    let flags = level.flags(x, y);
    Some(match terrain {
        Terrain::DOOR | Terrain::SECRET_DOOR => door_name(terrain, flags),
        Terrain::SECRET_CORRIDOR | Terrain::FOUNTAIN | Terrain::THRONE | Terrain::SINK | Terrain::GRAVE => {
            terrain.name().to_owned()
        }
        Terrain::STAIRS | Terrain::LADDER => {
            let way = if leads_down(level, x, y) { "down" } else { "up" };
            let branch = if level.stairs().branch == (x, y) { ", to another dungeon" } else { "" };
            format!("{} {way}{branch}", terrain.name())
        }
        Terrain::ALTAR => altar_name(flags),
        Terrain::DRAWBRIDGE_WALL | Terrain::DRAWBRIDGE_DOWN => terrain.name().to_owned(),
        _ => return None,
    })
}

/// Describes a door and its state, e.g. "locked secret door".
pub fn door_name(terrain: Terrain, flags: i32) -> String {
    const BROKEN: i32 = 1;
    let trapped = if flags & door::TRAPPED != 0 { ", trapped" } else { "" };
    let state = match flags {
        flags if flags & door::LOCKED != 0 => "locked ",
        flags if flags & door::CLOSED != 0 => "closed ",
        flags if flags & door::OPEN != 0 => "open ",
        flags if flags & BROKEN != 0 => "broken ",
        _ if terrain == Terrain::DOOR => return format!("doorway{trapped}"),
        _ => "",
    };
    format!("{state}{}door{trapped}", if terrain == Terrain::SECRET_DOOR { "secret " } else { "" })
}

/// Describes an altar, e.g. "lawful altar with a priest" (`AM_MASK`, `AM_SHRINE`).
pub fn altar_name(flags: i32) -> String {
    const MASK: i32 = 7;
    const SHRINE: i32 = 8;
    let alignment = match flags & MASK {
        1 => "chaotic",
        2 => "neutral",
        4 => "lawful",
        _ => "unaligned",
    };
    format!("{alignment} altar{}", if flags & SHRINE != 0 { " with a priest" } else { "" })
}

/// Symbol and colour of a monster, taking its disguise into account.
pub fn monster_look(monster: &Monster, level: &Level, catalog: &Catalog) -> (char, Color) {
    // `M_AP_FURNITURE`, `M_AP_OBJECT`, `M_AP_MONSTER`.
    const FEATURE: i32 = 1;
    const OBJECT: i32 = 2;
    let class = |species: &splc_ir::catalog::Species| species.class;
    let appearance = monster.appearance.and_then(|(kind, name)| {
        let name = level.text(name);
        match kind {
            FEATURE => Terrain::ALL.iter().find(|terrain| terrain.name() == name).map(|terrain| terrain.look().0),
            OBJECT => catalog.objects.iter().find(|object| object.name == name).map(class),
            _ => catalog.monsters.iter().find(|monster| monster.name == name).map(class),
        }
    });
    let known = monster.species.and_then(|species| catalog.monsters.get(usize::from(species)));
    // If only the class is given, the game has yet to choose the species.
    let color = known.filter(|_| !monster.of_class).and_then(|species| species.color);
    (appearance.or(known.map(class)).unwrap_or(RANDOM_MONSTER), color.unwrap_or(Color::White))
}

/// Symbol of an object.
fn object_symbol(object: &Object, catalog: &Catalog) -> char {
    let own = object.number.and_then(|number| catalog.objects.get(usize::from(number))).map(|object| object.class);
    own.or_else(|| class_symbol(object.class, catalog)).unwrap_or(RANDOM_OBJECT)
}

/// Colour of an object; white if the game has yet to choose its type.
fn object_color(object: &Object, catalog: &Catalog) -> Color {
    let known = object.number.and_then(|number| catalog.objects.get(usize::from(number)));
    known.and_then(|kind| kind.color).unwrap_or(Color::White)
}

/// Symbol and colour of an object.
pub fn object_look(object: &Object, catalog: &Catalog) -> (char, Color) {
    (object_symbol(object, catalog), object_color(object, catalog))
}

/// Symbol of an object class.
pub(crate) fn class_symbol(class: usize, catalog: &Catalog) -> Option<char> {
    catalog.object_classes.chars().nth(class.checked_sub(1)?)
}

/// Symbol of a trap.
fn trap_symbol(kind: i32, catalog: &Catalog) -> char {
    if catalog.trap("web") == Some(kind) { '"' } else { '^' }
}

/// A symbol with its colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Look {
    /// The symbol.
    pub symbol: char,
    /// Its colour.
    pub color: Color,
}

/// All layers of a square, of which a [`Square`] shows the topmost.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Layers {
    /// Its terrain.
    pub terrain: Look,
    /// Its trap.
    pub trap: Option<Look>,
    /// The last of its objects, or its gold if there are none.
    pub object: Option<Look>,
    /// Its monster.
    pub monster: Option<Look>,
    /// True if the square is lit.
    pub lit: bool,
}

impl Layers {
    /// Returns the topmost layer.
    pub fn top(&self) -> Square {
        let above = [(self.monster, Layer::Monster), (self.object, Layer::Object), (self.trap, Layer::Trap)];
        let top = above.into_iter().find_map(|(look, layer)| Some((look?, layer)));
        let (Look { symbol, color }, layer) = top.unwrap_or((self.terrain, Layer::Terrain));
        Square { symbol, color, layer, lit: self.lit }
    }
}

/// A level as the game draws it.
#[derive(Clone, Debug)]
pub struct Picture {
    squares: Vec<Layers>,
}

/// Returns true if terrain can look different on squares of one level.
#[inline]
fn depends_on_square(terrain: Terrain) -> bool {
    use Terrain as T;
    matches!(terrain, T::SECRET_DOOR | T::DOOR | T::STAIRS | T::LADDER | T::DRAWBRIDGE_UP)
}

/// Draws the squares and things of levels of one game. Searches the catalog for each kind of terrain and trap once.
#[derive(Clone, Debug)]
pub struct Painter<'a> {
    catalog: &'a Catalog,
    /// Appearances of terrain, by its number.
    terrain: [Option<Look>; 256],
    /// Appearances of traps, by their kind.
    traps: Vec<(i32, Look)>,
}

impl<'a> Painter<'a> {
    /// Creates a painter for levels of `catalog`'s game.
    pub fn new(catalog: &'a Catalog) -> Self {
        Painter { catalog, terrain: [None; 256], traps: Vec::new() }
    }

    fn known(&mut self, terrain: Terrain) -> Look {
        *self.terrain[usize::from(terrain.number())].get_or_insert_with(|| {
            let (symbol, color) = terrain_look(terrain, self.catalog);
            Look { symbol, color }
        })
    }

    /// Returns the appearance of the terrain of a square (`back_to_glyph`).
    #[inline]
    pub fn terrain(&mut self, level: &Level, x: i32, y: i32) -> Look {
        let terrain = level.terrain(x, y);
        // Most terrain looks the same everywhere.
        match self.terrain[usize::from(terrain.number())] {
            Some(look) if !(depends_on_square(terrain) || level.level_flags().arboreal) => look,
            _ => self.terrain_on_square(terrain, level, x, y),
        }
    }

    fn terrain_on_square(&mut self, terrain: Terrain, level: &Level, x: i32, y: i32) -> Look {
        let is_horizontal = || level.is_horizontal(x, y);
        match terrain {
            Terrain::STONE | Terrain::SECRET_CORRIDOR | Terrain::SECRET_DOOR if level.level_flags().arboreal => {
                self.known(Terrain::TREE)
            }
            Terrain::SECRET_DOOR if is_horizontal() => self.known(Terrain::HORIZONTAL_WALL),
            Terrain::SECRET_DOOR => self.known(Terrain::VERTICAL_WALL),
            Terrain::DOOR => match level.flags(x, y) {
                flags if flags & door::OPEN != 0 => {
                    Look { symbol: if is_horizontal() { '|' } else { '-' }, color: Color::Brown }
                }
                flags if flags & (door::CLOSED | door::LOCKED) != 0 => Look { symbol: '+', color: Color::Brown },
                _ => self.known(terrain),
            },
            Terrain::STAIRS | Terrain::LADDER if leads_down(level, x, y) => {
                Look { symbol: '>', color: self.known(terrain).color }
            }
            Terrain::DRAWBRIDGE_UP if level.flags(x, y) & bridge::BELOW == bridge::LAVA_BELOW => {
                self.known(Terrain::LAVA)
            }
            _ => self.known(terrain),
        }
    }

    /// Draws the traps, gold, objects and monsters on the map of a level in this order, each over those before it.
    pub fn things(&mut self, level: &Level, mut put: impl FnMut(Place, Layer, Look)) {
        let catalog = self.catalog;
        let look = |(symbol, color)| Look { symbol, color };
        let mut put = |place: Place, layer, look| {
            if splc_vm::internals::is_ok(place.0, place.1) {
                put(place, layer, look);
            }
        };
        for trap in level.traps() {
            let known = self.traps.iter().find(|(kind, _)| *kind == trap.kind).map(|&(_, look)| look);
            let known = known.unwrap_or_else(|| {
                let color = catalog.trap_color(&trap_name(trap.kind, catalog)).unwrap_or(Color::Magenta);
                let look = Look { symbol: trap_symbol(trap.kind, catalog), color };
                self.traps.push((trap.kind, look));
                look
            });
            put((trap.x, trap.y), Layer::Trap, known);
        }
        for gold in level.gold() {
            put((gold.x, gold.y), Layer::Object, look(('$', Color::Yellow)));
        }
        for object in level.objects().iter().filter(|object| object.whereabouts == Whereabouts::Floor) {
            put((object.x, object.y), Layer::Object, look(object_look(object, catalog)));
        }
        for monster in level.monsters() {
            put((monster.x, monster.y), Layer::Monster, look(monster_look(monster, level, catalog)));
        }
    }
}

impl Picture {
    /// Draws a level of `catalog`'s game.
    pub fn of(level: &Level, catalog: &Catalog) -> Self {
        let mut painter = Painter::new(catalog);
        let squares = (0..COLUMNS).flat_map(|x| (0..ROWS).map(move |y| (x, y)));
        let terrain = squares.map(|(x, y)| Layers {
            terrain: painter.terrain(level, x, y),
            trap: None,
            object: None,
            monster: None,
            lit: level.is_lit(x, y),
        });
        let mut picture = Picture { squares: terrain.collect() };
        painter.things(level, |(x, y), layer, look| {
            let square = &mut picture.squares[index(x, y)];
            match layer {
                Layer::Terrain => square.terrain = look,
                Layer::Trap => square.trap = Some(look),
                Layer::Object => square.object = Some(look),
                Layer::Monster => square.monster = Some(look),
            }
        });
        picture
    }

    /// Returns all layers of the square at a place, or `None` outside the map.
    pub fn layers(&self, x: i32, y: i32) -> Option<&Layers> {
        if splc_vm::internals::is_ok(x, y) { self.squares.get(index(x, y)) } else { None }
    }

    /// Returns the square at a place, or `None` outside the map.
    pub fn square(&self, x: i32, y: i32) -> Option<Square> {
        self.layers(x, y).map(Layers::top)
    }

    /// Returns the 21 rows, each with the 79 squares from column 1 on.
    pub fn rows(&self) -> impl Iterator<Item = Vec<Square>> + '_ {
        (0..ROWS).map(|y| (1..COLUMNS).map(|x| self.squares[index(x, y)].top()).collect())
    }

    /// Returns the symbols alone, one line per row, without trailing blanks.
    pub fn text(&self) -> String {
        let mut text = String::with_capacity(SQUARES + ROWS as usize);
        for row in self.rows() {
            text.extend(row.iter().map(|square| square.symbol));
            text.truncate(text.trim_end_matches(' ').len());
            text.push('\n');
        }
        text
    }
}

/// The subject of a legend entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Subject {
    /// Rooms.
    Rooms,
    /// Doors, stairs, altars and similar features.
    Features,
    /// Traps.
    Traps,
    /// Monsters.
    Monsters,
    /// Objects and gold.
    Objects,
    /// Engravings.
    Engravings,
}

impl Subject {
    /// Heading in the legend.
    pub fn name(self) -> &'static str {
        match self {
            Subject::Rooms => "rooms",
            Subject::Features => "features",
            Subject::Traps => "traps",
            Subject::Monsters => "monsters",
            Subject::Objects => "objects",
            Subject::Engravings => "engravings",
        }
    }
}

/// A line of a legend.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Subject of the entry.
    pub subject: Subject,
    /// Symbol in the picture.
    pub symbol: char,
    /// Description.
    pub what: String,
    /// Places of the thing.
    pub places: Vec<Place>,
    /// The maker of each place, if requested and known. A room has no place but one maker.
    pub makers: Vec<Option<Maker>>,
}

/// Lists the contents of a level of `catalog`'s game. Identical things share an entry. Entries are ordered by subject.
/// Within a subject, features are ordered row by row, and things in the order in which they were made.
pub fn legend(level: &Level, catalog: &Catalog) -> Vec<Entry> {
    reported(level, catalog, None)
}

/// Like [`legend`], with the makers of the contents.
pub fn legend_with_makers(level: &Level, catalog: &Catalog, chronicle: &Chronicle) -> Vec<Entry> {
    reported(level, catalog, Some(chronicle))
}

fn reported(level: &Level, catalog: &Catalog, chronicle: Option<&Chronicle>) -> Vec<Entry> {
    let by = |maker: &dyn Fn(&Chronicle) -> Option<Maker>| chronicle.and_then(maker);
    let mut legend = Legend::default();
    let mut painter = Painter::new(catalog);
    let held = Held::of(level);
    for (number, room) in level.rooms().iter().enumerate() {
        let maker = by(&|chronicle| chronicle.room(number));
        legend.add(Subject::Rooms, ' ', room_name(room, &number.to_string(), catalog), None, maker);
    }
    for (number, room) in level.subrooms().iter().enumerate() {
        let maker = by(&|chronicle| chronicle.subroom(number));
        legend.add(Subject::Rooms, ' ', room_name(room, "within", catalog), None, maker);
    }
    for y in 0..ROWS {
        for x in 1..COLUMNS {
            if let Some(name) = feature(level, x, y) {
                let maker = by(&|chronicle| chronicle.square((x, y), level));
                legend.add(Subject::Features, painter.terrain(level, x, y).symbol, name, Some((x, y)), maker);
            }
        }
    }
    for (at, trap) in level.traps().iter().enumerate() {
        let name = trap_name(trap.kind, catalog);
        let maker = by(&|chronicle| chronicle.trap(at));
        legend.add(Subject::Traps, trap_symbol(trap.kind, catalog), name, Some((trap.x, trap.y)), maker);
    }
    for (at, monster) in level.monsters().iter().enumerate() {
        let mut name = monster_name(monster, level, catalog);
        let carried = held.names(held.by_monster.get(&at), level, catalog, 0);
        if !carried.is_empty() {
            let _ = write!(name, ", with {carried}");
        }
        let (symbol, place) = (monster_look(monster, level, catalog).0, Some((monster.x, monster.y)));
        legend.add(Subject::Monsters, symbol, name, place, by(&|chronicle| chronicle.monster(at)));
    }
    for (at, gold) in level.gold().iter().enumerate() {
        let amount = if gold.amount == 0 { "gold".to_owned() } else { format!("{} gold", gold.amount) };
        let maker = by(&|chronicle| chronicle.gold(at));
        legend.add(Subject::Objects, '$', amount, Some((gold.x, gold.y)), maker);
    }
    for (at, object) in level.objects().iter().enumerate() {
        let buried = match object.whereabouts {
            Whereabouts::Floor => "",
            Whereabouts::Buried => "buried: ",
            Whereabouts::Contained(_) | Whereabouts::Carried(_) | Whereabouts::Gone => continue,
        };
        let mut name = format!("{buried}{}", object_name(object, level, catalog));
        let contents = held.names(held.by_object.get(&at), level, catalog, 0);
        if !contents.is_empty() {
            let _ = write!(name, ", containing {contents}");
        }
        let maker = by(&|chronicle| chronicle.object(at));
        legend.add(Subject::Objects, object_symbol(object, catalog), name, Some((object.x, object.y)), maker);
    }
    for (at, engraving) in level.engravings().iter().enumerate() {
        let name = format!("\"{}\"", level.text(engraving.text));
        let maker = by(&|chronicle| chronicle.engraving(at));
        legend.add(Subject::Engravings, ' ', name, Some((engraving.x, engraving.y)), maker);
    }
    legend.entries
}

#[derive(Default)]
struct Legend {
    entries: Vec<Entry>,
    /// Position of each entry by its identity.
    known: HashMap<(Subject, char, String), usize>,
}

impl Legend {
    fn add(&mut self, subject: Subject, symbol: char, what: String, place: Option<Place>, maker: Option<Maker>) {
        let entries = &mut self.entries;
        let at = *self.known.entry((subject, symbol, what)).or_insert_with_key(|(_, _, what)| {
            entries.push(Entry { subject, symbol, what: what.clone(), places: Vec::new(), makers: Vec::new() });
            entries.len() - 1
        });
        self.entries[at].places.extend(place);
        self.entries[at].makers.push(maker);
    }
}

/// Contents of containers and inventories of monsters, by the holder's position.
#[derive(Default)]
struct Held {
    by_object: HashMap<usize, Vec<usize>>,
    by_monster: HashMap<usize, Vec<usize>>,
}

impl Held {
    fn of(level: &Level) -> Self {
        let mut held = Held::default();
        for (at, object) in level.objects().iter().enumerate() {
            match object.whereabouts {
                Whereabouts::Contained(holder) => held.by_object.entry(holder).or_default().push(at),
                Whereabouts::Carried(holder) => held.by_monster.entry(holder).or_default().push(at),
                Whereabouts::Floor | Whereabouts::Buried | Whereabouts::Gone => {}
            }
        }
        held
    }

    /// Describes the objects in a list with their contents, `depth` containers deep.
    fn names(&self, list: Option<&Vec<usize>>, level: &Level, catalog: &Catalog, depth: usize) -> String {
        /// Nesting depth to which the contents of containers are listed.
        const DEEPEST: usize = 4;
        let mut text = String::new();
        for &at in list.into_iter().flatten() {
            let Some(object) = level.objects().get(at) else { continue };
            if !text.is_empty() {
                text.push_str(", ");
            }
            text.push_str(&object_name(object, level, catalog));
            let held = self.by_object.get(&at).filter(|_| depth < DEEPEST);
            if held.is_some() {
                let _ = write!(text, " ({})", self.names(held, level, catalog, depth + 1));
            }
        }
        text
    }
}

/// Describes a room, e.g. "2: 4,3 to 10,8, temple, lit, 2 doors".
fn room_name(room: &Room, number: &str, catalog: &Catalog) -> String {
    let kind = room_kind(room.kind, catalog);
    let light = if room.lit { "lit" } else { "unlit" };
    let shape = if room.irregular { ", irregular" } else { "" };
    let doors = match room.doors {
        1 => "1 door".to_owned(),
        count => format!("{count} doors"),
    };
    let Room { low_x, low_y, high_x, high_y, .. } = room;
    let filling = match filling(room, catalog) {
        Some(filling) => format!(", {filling}"),
        None => String::new(),
    };
    format!("{number}: {low_x},{low_y} to {high_x},{high_y}, {kind}, {light}, {doors}{shape}{filling}")
}

/// Contents that the game adds to rooms of these types (`fill_zoo` and similar) unless the level fills them itself.
const FILLINGS: &[(&str, &str)] = &[
    ("court", "a ruler with a sleeping court, and a chest"),
    ("throne", "a ruler with a sleeping court, and a chest"),
    ("swamp", "pools, eels and fungi"),
    ("vault", "gold"),
    ("beehive", "sleeping killer bees, and royal jelly"),
    ("morgue", "undead, corpses and graves"),
    ("barracks", "sleeping soldiers"),
    ("zoo", "sleeping animals, and gold"),
    ("cockatrice nest", "sleeping cockatrices, and statues"),
    ("anthole", "sleeping ants, and food"),
    ("lemurepit", "lemures and horned devils"),
    ("migohive", "mi-go"),
    ("giantcourt", "sleeping giants"),
    ("dragonlair", "dragons"),
    ("badfoodshop", "a shopkeeper and goods"),
    ("fungus farm", "fungi"),
    ("real zoo", "animals"),
];

/// Describes the contents that the game adds to a room, or returns `None` if it adds none.
pub fn filling(room: &Room, catalog: &Catalog) -> Option<String> {
    if !room.stocked {
        return None;
    }
    let name = room_kind(room.kind, catalog);
    let shop = catalog.room("shop").is_some_and(|shop| room.kind >= shop);
    if shop && room.doors == 0 {
        return Some("no shopkeeper and no goods, since it has no door".to_owned());
    }
    let what = match FILLINGS.iter().find(|(kind, _)| *kind == name) {
        Some((_, what)) => what,
        None if shop => "a shopkeeper and goods",
        None => return None,
    };
    Some(format!("the game adds {what}"))
}

/// Returns the name of a room type, or its number if it has no name.
pub fn room_kind(kind: i32, catalog: &Catalog) -> String {
    let known = catalog.rooms.iter().find(|(_, number)| *number == i64::from(kind));
    known.map_or_else(|| format!("type {kind}"), |(name, _)| name.to_string())
}

/// Returns the name of a trap, or its number if it has no name.
pub fn trap_name(kind: i32, catalog: &Catalog) -> String {
    let known = catalog.traps.iter().find(|(_, number)| *number == i64::from(kind));
    known.map_or_else(|| format!("trap {kind}"), |(name, _)| name.to_string())
}

/// Names of the classes of monsters (`defsym.h`), the same in all games.
const MONSTER_CLASSES: &[(char, &str)] = &[
    ('a', "ant"),
    ('b', "blob"),
    ('c', "cockatrice"),
    ('d', "dog"),
    ('e', "eye"),
    ('f', "cat"),
    ('g', "gremlin"),
    ('h', "humanoid"),
    ('i', "imp"),
    ('j', "jelly"),
    ('k', "kobold"),
    ('l', "leprechaun"),
    ('m', "mimic"),
    ('n', "nymph"),
    ('o', "orc"),
    ('p', "piercer"),
    ('q', "quadruped"),
    ('r', "rodent"),
    ('s', "spider"),
    ('t', "trapper"),
    ('u', "horse"),
    ('v', "vortex"),
    ('w', "worm"),
    ('x', "xan"),
    ('y', "light"),
    ('z', "zruty"),
    ('A', "angel"),
    ('B', "bat"),
    ('C', "centaur"),
    ('D', "dragon"),
    ('E', "elemental"),
    ('F', "fungus"),
    ('G', "gnome"),
    ('H', "giant"),
    ('J', "jabberwock"),
    ('K', "Keystone Kop"),
    ('L', "lich"),
    ('M', "mummy"),
    ('N', "naga"),
    ('O', "ogre"),
    ('P', "pudding"),
    ('Q', "quantum mechanic"),
    ('R', "rust monster"),
    ('S', "snake"),
    ('T', "troll"),
    ('U', "umber hulk"),
    ('V', "vampire"),
    ('W', "wraith"),
    ('X', "xorn"),
    ('Y', "ape"),
    ('Z', "zombie"),
    ('@', "human"),
    (' ', "ghost"),
    ('\'', "golem"),
    ('&', "demon"),
    (';', "eel"),
    (':', "lizard"),
    ('~', "worm tail"),
    (']', "mimic"),
];

/// Names of the classes of objects (`defsym.h`), the same in all games.
const OBJECT_CLASSES: &[(char, &str)] = &[
    (')', "weapon"),
    ('[', "armor"),
    ('=', "ring"),
    ('"', "amulet"),
    ('(', "tool"),
    ('%', "food"),
    ('!', "potion"),
    ('?', "scroll"),
    ('+', "spellbook"),
    ('/', "wand"),
    ('$', "coin"),
    ('*', "gem"),
    ('`', "rock"),
    ('0', "iron ball"),
    ('_', "chain"),
    ('.', "venom"),
    (']', "strange object"),
];

/// A random monster of a class, e.g. "random o (orc)".
pub fn random_monster(class: char) -> String {
    random(class, MONSTER_CLASSES)
}

/// A random object of a class, e.g. "random ! (potion)".
pub fn random_object(class: char) -> String {
    random(class, OBJECT_CLASSES)
}

fn random(class: char, names: &[(char, &str)]) -> String {
    match names.iter().find(|(symbol, _)| *symbol == class) {
        // A blank is quoted, as in a des-file.
        Some((' ', name)) => format!("random ' ' ({name})"),
        Some((_, name)) => format!("random {class} ({name})"),
        None => format!("random {class}"),
    }
}

/// Describes the requested monster: a species, a class, or neither.
pub fn species_name(species: Option<u16>, of_class: bool, catalog: &Catalog) -> String {
    match species.and_then(|species| catalog.monsters.get(usize::from(species))) {
        Some(species) if of_class => random_monster(species.class),
        Some(species) => species.name.to_string(),
        None => "random monster".to_owned(),
    }
}

/// Describes the requested object, a type or a class, e.g. "scroll of earth" or "random ( (tool)".
pub fn object_kind_name(class: usize, number: Option<u16>, catalog: &Catalog) -> String {
    match number.and_then(|number| catalog.objects.get(usize::from(number))) {
        Some(kind) => {
            let of = match kind.class {
                '?' => "scroll of ",
                '!' => "potion of ",
                '/' => "wand of ",
                '=' => "ring of ",
                '+' => "spellbook of ",
                _ => "",
            };
            format!("{of}{}", kind.name)
        }
        None => match class_symbol(class, catalog) {
            Some(symbol) => random_object(symbol),
            None => "random object".to_owned(),
        },
    }
}

/// Describes everything known about a monster.
pub fn monster_name(monster: &Monster, level: &Level, catalog: &Catalog) -> String {
    let mut name = String::new();
    match monster.peaceful {
        0 => name.push_str("hostile "),
        1 => name.push_str("peaceful "),
        _ => {}
    }
    match monster.asleep {
        0 => name.push_str("waking "),
        1 => name.push_str("sleeping "),
        _ => {}
    }
    name.push_str(&species_name(monster.species, monster.of_class, catalog));
    if let Some(own) = monster.name {
        let _ = write!(name, " named \"{}\"", level.text(own));
    }
    if let Some((_, appearance)) = monster.appearance {
        let _ = write!(name, ", looks like \"{}\"", level.text(appearance));
    }
    name
}

/// Describes everything known about an object.
pub fn object_name(object: &Object, level: &Level, catalog: &Catalog) -> String {
    /// The value for "as usual" (`spe` of a script's object).
    const USUAL: i32 = -127;
    let mut name = String::new();
    if object.quantity > 0 {
        let _ = write!(name, "{} ", object.quantity);
    }
    name.push_str(match object.curse {
        1 => "blessed ",
        2 => "uncursed ",
        3 => "cursed ",
        _ => "",
    });
    if object.enchantment != USUAL {
        let _ = write!(name, "{:+} ", object.enchantment);
    }
    name.push_str(&object_kind_name(object.class, object.number, catalog));
    if let Some(monster) = usize::try_from(object.monster).ok().and_then(|monster| catalog.monsters.get(monster)) {
        let _ = write!(name, " of {}", monster.name);
    }
    if let Some(own) = object.name {
        let _ = write!(name, " named \"{}\"", level.text(own));
    }
    name
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn doors_look_open_closed_or_broken() {
        let mut level = Level::new();
        let mut painter = Painter::new(Catalog::by_name("nethack-3.4.3").unwrap());
        for (x, flags, horizontal, symbol) in [
            (1, 0, true, '.'),
            (2, 2, true, '|'),
            (3, 2, false, '-'),
            (4, 4, true, '+'),
            (5, 8, false, '+'),
            (6, 1, true, '.'),
        ] {
            level.set_terrain(x, 1, Terrain::DOOR);
            level.set_flags(x, 1, flags);
            level.set_horizontal(x, 1, horizontal);
            assert_eq!(painter.terrain(&level, x, 1).symbol, symbol, "flags {flags}");
        }
        level.set_terrain(7, 1, Terrain::SECRET_DOOR);
        assert_eq!(painter.terrain(&level, 7, 1).symbol, '|');
        level.set_horizontal(7, 1, true);
        assert_eq!(painter.terrain(&level, 7, 1).symbol, '-');
    }
}
