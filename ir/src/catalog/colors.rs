//! The colours in which the games show monsters, objects and traps, as they are by default.
//!
//! Source: the tables of the games themselves (`src/monst.c`, `src/objects.c`, `src/drawing.c` of NetHack 3.4.3 and
//! 3.6.7, SporkHack 0.7.0 and UnNetHack 6.0.4). What the games mix up when they begin, as the looks of potions and
//! rings, has the colour that it has before that. What a table does not know has none.

use super::{Catalog, Species};
use Color::*;

/// The games' colours (`include/color.h`).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[allow(missing_docs)] // each is the colour it is named for
pub enum Color {
    Black,
    Red,
    Green,
    Brown,
    Blue,
    Magenta,
    Cyan,
    #[default]
    Gray,
    Orange,
    BrightGreen,
    Yellow,
    BrightBlue,
    BrightMagenta,
    BrightCyan,
    White,
}

impl Catalog {
    /// The colour of a species, if it is known.
    pub fn monster_color(&self, species: &Species) -> Option<Color> {
        self.color(&species.name, MONSTERS, MONSTERS_OF)
    }

    /// The colour of a kind of object, if it is known.
    pub fn object_color(&self, object: &Species) -> Option<Color> {
        self.color(&object.name, OBJECTS, OBJECTS_OF)
    }

    /// The colour of a trap of that name, if it is known.
    pub fn trap_color(&self, name: &str) -> Option<Color> {
        TRAPS.iter().find(|(known, _)| *known == name).map(|&(_, color)| color)
    }

    fn color(&self, name: &str, table: &[(&str, Color)], of: &[(&str, &str, Color)]) -> Option<Color> {
        if let Some(&(.., color)) = of.iter().find(|(dialect, known, _)| *known == name && *dialect == self.dialect) {
            return Some(color);
        }
        let at = table.binary_search_by(|(known, _)| (*known).cmp(name)).ok()?;
        Some(table[at].1)
    }
}

/// Colours of traps, by their names in des-files.
static TRAPS: &[(&str, Color)] = &[
    ("arrow", Cyan),
    ("dart", Cyan),
    ("falling rock", Gray),
    ("board", Brown),
    ("bear", Cyan),
    ("land mine", Red),
    ("rolling boulder", Gray),
    ("sleep gas", BrightBlue),
    ("rust", Blue),
    ("fire", Orange),
    ("cold", BrightCyan),
    ("pit", Black),
    ("spiked pit", Black),
    ("hole", Brown),
    ("trap door", Magenta),
    ("teleport", Magenta),
    ("level teleport", Red),
    ("magic portal", BrightMagenta),
    ("web", Gray),
    ("statue", Gray),
    ("magic", BrightBlue),
    ("anti magic", BrightBlue),
    ("polymorph", BrightGreen),
    ("vibrating square", Yellow),
];

/// Colours of monsters, by their names.
#[rustfmt::skip]
static MONSTERS: &[(&str, Color)] = &[
    ("Aleax", Yellow), ("Anaraxis the Black", Black), ("Angel", White), ("Aphrodite", Magenta),
    ("Arch Priest", White), ("Archon", Magenta), ("Ashikaga Takauji", Magenta), ("Asmodeus", Magenta),
    ("Baalzebub", Magenta), ("Cerberus", Red), ("Charon", White), ("Chromatic Dragon", Magenta), ("Croesus", Magenta),
    ("Cthulhu", BrightGreen), ("Cyclops", Gray), ("Dark One", Black), ("Death", Magenta), ("Demogorgon", Magenta),
    ("Devil's Snare", Green), ("Dispater", Magenta), ("Durin's Bane", Red), ("Earendil", Magenta),
    ("Elvenking", Magenta), ("Elwing", Magenta), ("Executioner", Magenta), ("Famine", Magenta), ("Geryon", Magenta),
    ("Goblin King", Magenta), ("Grand Master", Black), ("Green-elf", BrightGreen), ("Grey-elf", Gray),
    ("High-elf", White), ("Hippocrates", Magenta), ("Ixoth", Red), ("Juiblex", BrightGreen), ("Keystone Kop", Blue),
    ("King Arthur", Magenta), ("Kop Kaptain", Magenta), ("Kop Lieutenant", Cyan), ("Kop Sergeant", Blue),
    ("Lord Carnarvon", Magenta), ("Lord Sato", Magenta), ("Lord Surtur", Magenta), ("Master Assassin", Magenta),
    ("Master Kaen", Magenta), ("Master of Thieves", Magenta), ("Medusa", BrightGreen), ("Minion of Huhetotl", Red),
    ("Mordor orc", Blue), ("Nalzok", Red), ("Nazgul", Magenta), ("Neferet the Green", Green), ("Norn", Magenta),
    ("Olog-hai", Magenta), ("One-eyed Sam", Black), ("Oracle", BrightBlue), ("Orcus", Magenta), ("Orion", Magenta),
    ("Pelias", Magenta), ("Pestilence", Magenta), ("Punisher", Black), ("Robert the Lifer", White),
    ("Scorpius", Magenta), ("Shaman Karnov", Magenta), ("Thoth Amon", Magenta), ("Tiamat", Magenta),
    ("Twoflower", White), ("Uruk-hai", Black), ("Vlad the Impaler", Magenta), ("Warden Arianna", Magenta),
    ("Watcher in the Water", Magenta), ("Wizard of Yendor", Magenta), ("Woodland-elf", Green), ("Yeenoghu", Magenta),
    ("abbot", White), ("acid blob", Green), ("acolyte", White), ("air elemental", Cyan), ("aligned priest", White),
    ("amphitere", Brown), ("ape", Brown), ("apprentice", White), ("arch-lich", Magenta), ("archeologist", White),
    ("arctic fern", BrightBlue), ("arctic fern spore", Blue), ("arctic fern sprout", BrightBlue),
    ("attendant", White), ("baby amphitere", Brown), ("baby black dragon", Black), ("baby blue dragon", Blue),
    ("baby crocodile", Brown), ("baby draken", Brown), ("baby glowing dragon", Brown), ("baby gold dragon", Yellow),
    ("baby gray dragon", Gray), ("baby green dragon", Green), ("baby guivre", Brown), ("baby leviathan", Brown),
    ("baby lindworm", Brown), ("baby long worm", Brown), ("baby orange dragon", Orange),
    ("baby purple worm", Magenta), ("baby red dragon", Red), ("baby sand worm", Brown), ("baby sarkany", Brown),
    ("baby shimmering dragon", Cyan), ("baby silver dragon", BrightCyan), ("baby sirrush", Brown),
    ("baby tatzelworm", Brown), ("baby white dragon", White), ("baby wyvern", Brown), ("baby yellow dragon", Yellow),
    ("balrog", Red), ("baluchitherium", Gray), ("barbarian", White), ("barbed devil", Red), ("barrow wight", Gray),
    ("bat", Brown), ("beholder", Brown), ("black dragon", Black), ("black light", Black), ("black marketeer", Yellow),
    ("black naga", Black), ("black naga hatchling", Black), ("black pudding", Black), ("black unicorn", Black),
    ("blazing fern", Orange), ("blazing fern spore", Red), ("blazing fern sprout", Orange), ("blue dragon", Blue),
    ("blue jelly", Blue), ("blue slime", BrightBlue), ("bone devil", Gray), ("boojum", Yellow), ("brown mold", Brown),
    ("brown pudding", Brown), ("bugbear", Brown), ("captain", Blue), ("carnivorous ape", Black),
    ("cave spider", Gray), ("caveman", White), ("cavewoman", White), ("centipede", Yellow), ("chameleon", Brown),
    ("chickatrice", Brown), ("chieftain", White), ("chillbug", BrightBlue), ("chromatic dragon", Magenta),
    ("clay golem", Brown), ("cobra", Blue), ("cockatrice", Yellow), ("convict", White), ("couatl", Green),
    ("coyote", Brown), ("crocodile", Brown), ("crystal ice golem", BrightBlue), ("cultist", Black),
    ("dark Angel", Black), ("deep orc", Green), ("demilich", Red), ("dingo", Yellow), ("disenchanter", Blue),
    ("disintegrator", BrightGreen), ("djinni", Yellow), ("dog", White), ("doppelganger", White), ("draken", Brown),
    ("dungeon fern", BrightGreen), ("dungeon fern spore", Green), ("dungeon fern sprout", BrightGreen),
    ("dust vortex", Brown), ("dwarf", Red), ("dwarf king", Magenta), ("dwarf lord", Blue), ("dwarf mummy", Red),
    ("dwarf zombie", Red), ("earth elemental", Brown), ("electric eel", BrightBlue), ("elf", White),
    ("elf mummy", Green), ("elf zombie", Green), ("elf-lord", BrightBlue), ("energy vortex", BrightBlue),
    ("enormous rat", Brown), ("erinys", Red), ("ettin", Brown), ("ettin mummy", Blue), ("ettin zombie", Blue),
    ("evil eye", BrightMagenta), ("fern spore", Brown), ("fire ant", Red), ("fire elemental", Yellow),
    ("fire giant", Yellow), ("fire vortex", Yellow), ("flaming sphere", Red), ("flesh golem", Red),
    ("floating eye", Blue), ("fog cloud", Gray), ("forest centaur", Green), ("fox", Red), ("freezing sphere", White),
    ("frost giant", White), ("gargoyle", Brown), ("garter snake", Green), ("gas spore", Gray), ("gecko", Green),
    ("gelatinous cube", Cyan), ("ghost", Gray), ("ghoul", Black), ("giant", Red), ("giant ant", Brown),
    ("giant bat", Red), ("giant beetle", Black), ("giant eel", Cyan), ("giant mimic", Magenta), ("giant mummy", Cyan),
    ("giant rat", Brown), ("giant spider", Magenta), ("giant turtle", BrightGreen), ("giant zombie", Cyan),
    ("glass golem", Cyan), ("glass piercer", White), ("glowing dragon", Brown), ("gnome", Brown),
    ("gnome king", Magenta), ("gnome lord", Blue), ("gnome mummy", Red), ("gnome zombie", Brown),
    ("gnomish wizard", BrightBlue), ("goblin", Gray), ("goblin shaman", Green), ("gold dragon", Yellow),
    ("gold golem", Yellow), ("golden naga", Yellow), ("golden naga hatchling", Yellow), ("gray dragon", Gray),
    ("gray fungus", Gray), ("gray ooze", Gray), ("gray unicorn", Gray), ("green dragon", Green),
    ("green mold", Green), ("green slime", Green), ("gremlin", Green), ("grid bug", Magenta), ("guard", Blue),
    ("guardian naga", Green), ("guardian naga hatchling", Green), ("guide", White), ("guivre", Brown),
    ("healer", White), ("hell hound", Red), ("hell hound pup", Red), ("hezrou", Red), ("high priest", White),
    ("hill giant", Cyan), ("hill giant shaman", BrightBlue), ("hill orc", Yellow), ("hobbit", Green),
    ("hobgoblin", Brown), ("homunculus", Green), ("horned devil", Brown), ("horse", Brown), ("housecat", White),
    ("human", White), ("human mummy", Gray), ("human zombie", White), ("hunter", White), ("ice devil", White),
    ("ice golem", BrightCyan), ("ice troll", White), ("ice vortex", Cyan), ("iguana", Brown), ("imp", Red),
    ("incubus", Gray), ("inmate", Black), ("iron golem", Cyan), ("iron piercer", Cyan), ("jabberwock", Orange),
    ("jackal", Brown), ("jaguar", Brown), ("jellyfish", Blue), ("ki-rin", Yellow), ("killer bee", Yellow),
    ("kitten", White), ("knight", White), ("kobold", Brown), ("kobold lord", Magenta), ("kobold mummy", Brown),
    ("kobold shaman", BrightBlue), ("kobold zombie", Brown), ("kraken", Red), ("large cat", White),
    ("large dog", White), ("large kobold", Red), ("large mimic", Red), ("lava demon", Red), ("leather golem", Brown),
    ("lemure", Brown), ("leocrotta", Red), ("leprechaun", Green), ("leviathan", Brown), ("lich", Brown),
    ("lichen", BrightGreen), ("lieutenant", Green), ("lindworm", Brown), ("little dog", White), ("lizard", Green),
    ("locust", Gray), ("long worm", Brown), ("long worm tail", Brown), ("lurker above", Gray), ("lynx", Cyan),
    ("magical eye", Magenta), ("mail daemon", BrightBlue), ("manes", Red), ("marilith", Red),
    ("master lich", Magenta), ("master mind flayer", Magenta), ("mastodon", Black), ("mind flayer", Magenta),
    ("miner", Gray), ("minotaur", Brown), ("monk", White), ("monkey", Gray), ("mountain centaur", Cyan),
    ("mountain nymph", Brown), ("mugger", Black), ("mumak", Gray), ("nalfeshnee", Red), ("neanderthal", White),
    ("newt", Yellow), ("nightmare", Green), ("ninja", White), ("nun", White), ("nurse", White),
    ("ochre jelly", Brown), ("ogre", Brown), ("ogre king", Magenta), ("ogre lord", Red), ("orange dragon", Orange),
    ("orc", Red), ("orc mummy", Gray), ("orc shaman", BrightBlue), ("orc zombie", Gray), ("orc-captain", Magenta),
    ("owlbear", Brown), ("page", White), ("panther", Black), ("paper golem", White), ("piranha", Red),
    ("pit fiend", Red), ("pit viper", Blue), ("plains centaur", Brown), ("pony", Brown), ("priest", White),
    ("priestess", White), ("prison guard", Cyan), ("prisoner", White), ("purple worm", Magenta), ("pyrolisk", Red),
    ("python", Magenta), ("quantum mechanic", Cyan), ("quasit", Blue), ("queen bee", Magenta),
    ("quivering blob", White), ("rabid rat", Brown), ("ranger", White), ("raven", Black), ("red dragon", Red),
    ("red mold", Red), ("red naga", Red), ("red naga hatchling", Red), ("rock mole", Gray), ("rock piercer", Gray),
    ("rock troll", Cyan), ("rogue", White), ("rope golem", Brown), ("roshi", White), ("rothe", Brown),
    ("rust monster", Brown), ("salamander", Orange), ("samurai", White), ("sand worm", Brown), ("sandestin", Gray),
    ("sarkany", Brown), ("sasquatch", Gray), ("scorpion", Red), ("sergeant", Red), ("sewer rat", Brown),
    ("shade", Black), ("shambling horror", BrightCyan), ("shark", Gray), ("shimmering dragon", Cyan),
    ("shocking sphere", BrightBlue), ("shopkeeper", White), ("shrieker", Magenta), ("silver dragon", BrightCyan),
    ("sirrush", Brown), ("skeleton", White), ("small mimic", Brown), ("snake", Brown), ("snark", White),
    ("snow ant", Cyan), ("soldier", Gray), ("soldier ant", Blue), ("spotted jelly", Green), ("stalker", White),
    ("steam vortex", Blue), ("stone giant", Gray), ("stone golem", Gray), ("storm giant", Blue),
    ("straw golem", Yellow), ("student", White), ("succubus", Gray), ("swamp fern", Cyan),
    ("swamp fern spore", Yellow), ("swamp fern sprout", Cyan), ("tatzelworm", Brown), ("tengu", Cyan),
    ("thug", White), ("tiger", Yellow), ("titan", Magenta), ("titanothere", Gray), ("tourist", White),
    ("trapper", Green), ("troll", Brown), ("umber hulk", Brown), ("uranium imp", BrightGreen), ("valkyrie", White),
    ("vampire", Red), ("vampire bat", Black), ("vampire lord", Blue), ("vampire mage", BrightBlue),
    ("violet fungus", Magenta), ("vorpal jabberwock", Magenta), ("vrock", Red), ("warg", Brown), ("warhorse", Brown),
    ("warrior", White), ("watch captain", Green), ("watchman", Gray), ("water demon", Blue),
    ("water elemental", Blue), ("water moccasin", Red), ("water nymph", Blue), ("water troll", Blue),
    ("wax golem", Gray), ("weeping angel", Gray), ("weeping archangel", BrightMagenta), ("werejackal", Red),
    ("wererat", Brown), ("werewolf", Orange), ("white dragon", White), ("white naga", White),
    ("white naga hatchling", White), ("white unicorn", White), ("winged gargoyle", Magenta), ("winter wolf", Cyan),
    ("winter wolf cub", Cyan), ("wizard", White), ("wolf", Brown), ("wood golem", Brown), ("wood nymph", Green),
    ("woodchuck", Brown), ("wraith", Black), ("wumpus", Cyan), ("wyvern", Brown), ("xan", Red), ("xorn", Brown),
    ("yellow dragon", Yellow), ("yellow light", Yellow), ("yellow mold", Yellow), ("yeti", White), ("zruty", Brown),
];

/// The same where a dialect has others.
static MONSTERS_OF: &[(&str, &str, Color)] = &[
    ("unnethack", "Aleax", Orange),
    ("unnethack", "arch-lich", BrightMagenta),
    ("unnethack", "floating eye", BrightGreen),
    ("unnethack", "horned devil", Red),
    ("sporkhack", "master lich", Green),
    ("unnethack", "master mind flayer", BrightMagenta),
    ("unnethack", "mind flayer", BrightMagenta),
    ("unnethack", "shopkeeper", Yellow),
];

/// Colours of objects, by their names.
#[rustfmt::skip]
static OBJECTS: &[(&str, Color)] = &[
    ("Amulet of Yendor", Cyan), ("Bell of Opening", Gray), ("Book of the Dead", White), ("C-ration", Brown),
    ("Candelabrum of Invocation", Yellow), ("Hawaiian shirt", Magenta), ("K-ration", Brown), ("T-shirt", White),
    ("Uruk-hai shield", Cyan), ("acid", White), ("acid dragon scale mail", Yellow), ("acid dragon scales", Yellow),
    ("acid venom", Brown), ("adornment", Brown), ("agate", Orange), ("aggravate monster", Blue), ("aklys", Cyan),
    ("alchemy smock", White), ("amber", Brown), ("amethyst", Magenta), ("amnesia", White), ("apple", Red),
    ("aquamarine", Green), ("arrow", Cyan), ("athame", Cyan), ("axe", Cyan), ("bag of holding", Brown),
    ("bag of poo", Brown), ("bag of tricks", Brown), ("banana", Yellow), ("banded mail", Cyan), ("bardiche", Cyan),
    ("battle-axe", Cyan), ("beartrap", Cyan), ("bec de corbin", Cyan), ("bell", Yellow), ("bill-guisarme", Cyan),
    ("black dragon scale mail", Black), ("black dragon scales", Black), ("black opal", Black), ("blank paper", White),
    ("blindfold", Black), ("blinding venom", Brown), ("blindness", Yellow), ("blood", Red),
    ("blue dragon scale mail", Blue), ("blue dragon scales", Blue), ("boomerang", Brown),
    ("boots of molasses", Black), ("booze", Brown), ("boulder", Gray), ("bow", Brown), ("brass lantern", Yellow),
    ("broadsword", Cyan), ("bronze plate mail", Yellow), ("bugle", Yellow), ("bullwhip", Brown),
    ("can of grease", Cyan), ("cancellation", White), ("candy bar", Brown), ("carrot", Orange),
    ("cause fear", BrightBlue), ("chain mail", Cyan), ("charging", White), ("charm monster", Magenta),
    ("cheap plastic imitation of the Amulet of Yendor", Cyan), ("chest", Brown),
    ("chromatic dragon scale mail", Magenta), ("chromatic dragon scales", Magenta), ("chrysoberyl", Yellow),
    ("citrine", Yellow), ("clairvoyance", Blue), ("cloak of displacement", Brown),
    ("cloak of invisibility", BrightMagenta), ("cloak of magic resistance", White), ("cloak of protection", Brown),
    ("clove of garlic", White), ("club", Brown), ("cold", Cyan), ("cold resistance", Yellow), ("cone of cold", White),
    ("conflict", Red), ("confuse monster", White), ("confusion", Orange), ("cornuthaum", Blue), ("corpse", Brown),
    ("cram ration", Brown), ("cream pie", White), ("create familiar", White), ("create monster", White),
    ("credit card", White), ("crossbow", Brown), ("crossbow bolt", Cyan), ("crysknife", White),
    ("crystal ball", BrightCyan), ("crystal pick", Cyan), ("crystal plate mail", White), ("cure blindness", Yellow),
    ("cure sickness", Blue), ("dagger", Cyan), ("dart", Cyan), ("death", Cyan), ("dented pot", Black),
    ("destroy armor", White), ("detect food", Cyan), ("detect foot", Green), ("detect monsters", Brown),
    ("detect treasure", Gray), ("detect unseen", Magenta), ("diamond", White), ("dig", White), ("digging", Cyan),
    ("dilithium crystal", White), ("disintegration dragon scale mail", Black),
    ("disintegration dragon scales", Black), ("drain life", Magenta), ("drum of earthquake", Brown),
    ("dunce cap", Blue), ("dwarvish cloak", Brown), ("dwarvish iron helm", Cyan), ("dwarvish mattock", Cyan),
    ("dwarvish mithril-coat", Cyan), ("dwarvish roundshield", Cyan), ("dwarvish short sword", Cyan),
    ("dwarvish spear", Cyan), ("earth", White), ("egg", White), ("electric dragon scale mail", Blue),
    ("electric dragon scales", Blue), ("elven arrow", Brown), ("elven boots", Brown), ("elven bow", Brown),
    ("elven broadsword", Brown), ("elven cloak", Black), ("elven dagger", Brown), ("elven leather helm", Brown),
    ("elven mithril-coat", Cyan), ("elven shield", Green), ("elven short sword", Brown), ("elven spear", Brown),
    ("emerald", Green), ("enchant armor", White), ("enchant weapon", White), ("enlightenment", Brown),
    ("eucalyptus leaf", Green), ("expensive camera", Black), ("extra healing", Red), ("fauchard", Cyan),
    ("fedora", Brown), ("figurine", Gray), ("finger of death", White), ("fire", White),
    ("fire dragon scale mail", Red), ("fire dragon scales", Red), ("fire horn", White), ("fire resistance", Cyan),
    ("fireball", White), ("flail", Cyan), ("flame shield", Red), ("flame sphere", Brown), ("flint", Gray),
    ("flood", White), ("fluorite", Magenta), ("food detection", White), ("food ration", Brown), ("force bolt", Red),
    ("fortune cookie", Yellow), ("free action", Cyan), ("freeze sphere", Brown), ("freezing ice", Brown),
    ("frost horn", White), ("fruit juice", Black), ("full healing", Black), ("fumble boots", Brown),
    ("gain ability", Red), ("gain constitution", Gray), ("gain dexterity", Black), ("gain energy", White),
    ("gain intelligence", Gray), ("gain level", White), ("gain strength", Gray), ("gain wisdom", BrightCyan),
    ("garnet", Red), ("gauntlets of dexterity", Brown), ("gauntlets of force", Brown),
    ("gauntlets of fortune", Brown), ("gauntlets of fumbling", Brown), ("gauntlets of power", Brown),
    ("genocide", White), ("glaive", Cyan), ("glob of black pudding", Black), ("glob of brown pudding", Brown),
    ("glob of gray ooze", Gray), ("glob of green slime", Green), ("gnomish boots", Black), ("gnomish helm", Red),
    ("gnomish suit", Blue), ("gold detection", White), ("gold dragon scale mail", Yellow),
    ("gold dragon scales", Yellow), ("gold piece", Yellow), ("grappling hook", Cyan),
    ("gray dragon scale mail", Gray), ("gray dragon scales", Gray), ("green dragon scale mail", Green),
    ("green dragon scales", Green), ("guisarme", Cyan), ("halberd", Cyan), ("hallucination", Cyan),
    ("haste self", Magenta), ("healing", Magenta), ("heavy iron ball", Cyan), ("helm of brilliance", Green),
    ("helm of clarity", Gray), ("helm of discovery", Cyan), ("helm of opposite alignment", Cyan),
    ("helm of telepathy", Cyan), ("helmet", Cyan), ("high boots", Brown), ("horn of plenty", White),
    ("huge chunk of meat", Brown), ("hunger", Cyan), ("ice box", White), ("ice dragon scale mail", White),
    ("ice dragon scales", White), ("ice shield", Blue), ("identify", White), ("increase accuracy", Red),
    ("increase damage", Orange), ("invisibility", Cyan), ("iron chain", Cyan), ("iron safe", Cyan),
    ("iron shoes", Cyan), ("jacinth", Orange), ("jade", Green), ("jasper", Red), ("javelin", Cyan), ("jet", Black),
    ("jumping", White), ("jumping boots", Brown), ("katana", Cyan), ("kelp frond", Green), ("kicking boots", Brown),
    ("knife", Cyan), ("knock", BrightMagenta), ("lance", Cyan), ("land mine", Red), ("large box", Brown),
    ("large shield", Cyan), ("leash", Brown), ("leather armor", Brown), ("leather cloak", Brown),
    ("leather drum", Brown), ("leather gloves", Brown), ("leather jacket", Black), ("lembas wafer", White),
    ("lenses", BrightCyan), ("levitation", Red), ("levitation boots", Brown), ("light", White), ("lightning", Cyan),
    ("lightning shield", Yellow), ("loadstone", Gray), ("lock pick", Cyan), ("locking", Cyan), ("long sword", Cyan),
    ("low boots", Brown), ("lucern hammer", Cyan), ("luckstone", Gray), ("lump of royal jelly", Yellow),
    ("mace", Cyan), ("magic dragon scale mail", Gray), ("magic dragon scales", Gray), ("magic flute", Brown),
    ("magic harp", Brown), ("magic lamp", Yellow), ("magic mapping", White), ("magic marker", Red),
    ("magic missile", White), ("magic whistle", Cyan), ("mail", White), ("make invisible", Gray),
    ("meat ring", Brown), ("meat stick", Brown), ("meatball", Brown), ("melon", BrightGreen), ("mirror", Gray),
    ("monster detection", White), ("morning star", Cyan), ("mummy wrapping", Gray), ("nothing", Brown),
    ("novel", BrightBlue), ("object detection", Gray), ("obsidian", Black), ("obtain food", Cyan), ("oil", Brown),
    ("oil lamp", Yellow), ("oilskin cloak", Brown), ("oilskin sack", Brown), ("opal", White), ("opening", Cyan),
    ("orange", Orange), ("orange dragon scale mail", Orange), ("orange dragon scales", Orange),
    ("orcish arrow", Black), ("orcish bow", Black), ("orcish chain mail", Black), ("orcish cloak", Black),
    ("orcish dagger", Black), ("orcish helm", Black), ("orcish ring mail", Black), ("orcish shield", Red),
    ("orcish short sword", Black), ("orcish spear", Black), ("pancake", Yellow), ("paralysis", BrightGreen),
    ("partisan", Cyan), ("pear", BrightGreen), ("pick-axe", Cyan), ("plate mail", Cyan),
    ("poison dragon scale mail", Green), ("poison dragon scales", Green), ("poison resistance", White),
    ("polymorph", White), ("polymorph control", BrightGreen), ("polymorph creature", Gray), ("probing", Cyan),
    ("protection", Black), ("protection from shape changers", BrightCyan), ("punishment", White),
    ("quarterstaff", Brown), ("ranseur", Cyan), ("red dragon scale mail", Red), ("red dragon scales", Red),
    ("reflecting dragon scale mail", BrightCyan), ("reflecting dragon scales", BrightCyan), ("reflection", Brown),
    ("regeneration", Gray), ("remove curse", White), ("repair armor", White), ("restore ability", BrightMagenta),
    ("ring mail", Cyan), ("robe", Red), ("rock", Gray), ("rubber hose", Brown), ("ruby", Red), ("runesword", Black),
    ("sack", Brown), ("saddle", Brown), ("salt chunk", Gray), ("salt water", Red), ("sapphire", Blue),
    ("scale mail", Cyan), ("scalpel", Cyan), ("scare monster", White), ("scimitar", Cyan), ("searching", Brown),
    ("secret door detection", Brown), ("see invisible", Cyan), ("shield of light", Yellow),
    ("shield of mobility", Cyan), ("shield of reflection", Gray), ("shimmering dragon scale mail", Cyan),
    ("shimmering dragon scales", Cyan), ("shock resistance", Yellow), ("short sword", Cyan), ("shuriken", Cyan),
    ("sickness", Cyan), ("silver arrow", Gray), ("silver dagger", Gray), ("silver dragon scale mail", BrightCyan),
    ("silver dragon scales", BrightCyan), ("silver long sword", Gray), ("silver mace", Gray), ("silver saber", Gray),
    ("silver short sword", Gray), ("silver spear", Gray), ("skeleton key", Cyan), ("skull", White), ("sleep", White),
    ("sleep dragon scale mail", Orange), ("sleep dragon scales", Orange), ("sleeping", Gray), ("slime mold", Brown),
    ("sling", Brown), ("slow digestion", Cyan), ("slow monster", BrightGreen),
    ("small piece of unrefined mithril", Gray), ("small sack", Brown), ("small shield", Brown), ("spear", Cyan),
    ("speed", Green), ("speed boots", Brown), ("speed monster", Yellow), ("spetum", Cyan), ("splint mail", Cyan),
    ("sprig of wolfsbane", Green), ("staff of battle", Brown), ("staff of divination", Brown),
    ("staff of escape", Brown), ("staff of healing", Brown), ("staff of holiness", Brown), ("staff of matter", Brown),
    ("statue", White), ("stealth", Green), ("stethoscope", Cyan), ("stiletto", Cyan), ("stinking cloud", White),
    ("stone dragon scale mail", Yellow), ("stone dragon scales", Yellow), ("stone to flesh", White),
    ("striking", Brown), ("striped shirt", Gray), ("studded leather armor", Brown), ("sustain ability", Yellow),
    ("tallow candle", White), ("taming", White), ("teleport away", Yellow), ("teleport control", Yellow),
    ("teleportation", Gray), ("tin", Cyan), ("tin opener", Cyan), ("tin whistle", Cyan), ("tinfoil hat", Cyan),
    ("tinning kit", Cyan), ("tooled horn", White), ("topaz", Brown), ("touchstone", Gray), ("towel", Magenta),
    ("trident", Cyan), ("tripe ration", Brown), ("tsurugi", Cyan), ("turn undead", Yellow), ("turquoise", Green),
    ("two-handed sword", Cyan), ("undead turning", Yellow), ("unicorn horn", White), ("vampire blood", Red),
    ("venom shield", Green), ("voulge", Cyan), ("war hammer", Cyan), ("warning", White), ("water", Cyan),
    ("water walking boots", Brown), ("wax candle", White), ("white dragon scale mail", White),
    ("white dragon scales", White), ("wind", Brown), ("wishing", Brown), ("wizard lock", Green),
    ("wooden flute", Brown), ("wooden harp", Brown), ("worm tooth", White), ("worthless piece of black glass", Black),
    ("worthless piece of blue glass", Blue), ("worthless piece of green glass", Green),
    ("worthless piece of orange glass", Orange), ("worthless piece of red glass", Red),
    ("worthless piece of violet glass", Magenta), ("worthless piece of white glass", White),
    ("worthless piece of yellow glass", Yellow), ("worthless piece of yellowish brown glass", Brown), ("ya", Cyan),
    ("yellow dragon scale mail", Yellow), ("yellow dragon scales", Yellow), ("yumi", Brown),
];

/// The same where a dialect has others.
static OBJECTS_OF: &[(&str, &str, Color)] = &[
    ("unnethack", "Amulet of Yendor", Gray),
    ("unnethack", "cheap plastic imitation of the Amulet of Yendor", Gray),
    ("nethack36", "dig", Brown),
    ("nethack36", "dwarvish mithril-coat", Gray),
    ("unnethack", "dwarvish mithril-coat", Gray),
    ("nethack36", "elven mithril-coat", Gray),
    ("unnethack", "elven mithril-coat", Gray),
    ("unnethack", "healing", Orange),
    ("nethack36", "magic missile", Brown),
    ("sporkhack", "splint mail", Brown),
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalog;

    #[test]
    fn tables_are_sorted_and_know_the_games() {
        for table in [MONSTERS, OBJECTS] {
            assert!(table.windows(2).all(|pair| pair[0].0 < pair[1].0));
        }
        for catalog in catalog::ALL {
            let unknown = catalog.monsters.iter().filter(|kind| catalog.monster_color(kind).is_none()).count();
            assert!(unknown * 20 <= catalog.monsters.len(), "{}: {unknown}", catalog.name);
            let unknown = catalog.objects.iter().filter(|kind| catalog.object_color(kind).is_none()).count();
            assert!(unknown * 6 <= catalog.objects.len(), "{}: {unknown}", catalog.name);
        }
    }

    #[test]
    fn a_dialect_can_have_colors_of_its_own() {
        let color = |game: &str| {
            let catalog = Catalog::by_name(game).unwrap();
            let eye = catalog.monsters.iter().find(|kind| kind.name == "floating eye").unwrap();
            catalog.monster_color(eye)
        };
        assert_eq!(color("nethack-3.4.3"), Some(Blue));
        assert_eq!(color("unnethack-6.0.4"), Some(BrightGreen));
    }
}
