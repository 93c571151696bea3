//! The passes of a port, in the order in which they run.

use splc_ir::catalog::{Catalog, Format};
use splc_ir::level::Module;

use crate::work::Work;
use crate::{counters, forms, functions, left_over, lua, names, poorer, richer, scripts, settled, switches, to_come};

/// The pairs of games that a pass applies to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Way {
    /// From lists of things to scripts.
    Richer,
    /// From one script to another.
    Scripts,
    /// To a script, from any format.
    ToScript,
    /// To a game with Lua levels.
    ToLua,
    /// From scripts to lists of things.
    Poorer,
    /// Between any two games.
    Any,
}

/// A step of a port.
pub struct Pass {
    /// Its name, as used in accounts.
    pub name: &'static str,
    /// The condition under which it has something to do.
    pub condition: &'static str,
    /// A description of its effect and of the properties it preserves.
    pub description: &'static str,
    way: Way,
    run: fn(&mut Work<'_>, &mut Module),
}

impl std::fmt::Debug for Pass {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Pass").field("name", &self.name).finish_non_exhaustive()
    }
}

impl Pass {
    /// Returns true if the pass applies between two games.
    pub(crate) fn applies(&self, from: &Catalog, to: &Catalog) -> bool {
        match self.way {
            Way::Richer => from.format == Format::Parts && to.is_script(),
            Way::Scripts => from.is_script() && to.is_script(),
            Way::ToScript => to.is_script(),
            Way::ToLua => to.format == Format::Lua,
            Way::Poorer => from.is_script() && to.format == Format::Parts,
            Way::Any => true,
        }
    }

    pub(crate) fn run(&self, work: &mut Work<'_>, module: &mut Module) {
        (self.run)(work, module);
    }
}

/// The condition of passes from lists of things to scripts.
const RICHER: &str = "from lists of things to a script";

/// The condition of passes from scripts to lists of things.
const POORER: &str = "from a script to lists of things";

/// Every pass, in the order in which they run.
pub const PASSES: &[Pass] = &[
    Pass {
        name: "settled",
        condition: "of a level that is settled by --instantiate and depends on what it is while it is made",
        description: "What the level comes to in one run takes its place: statements without variables, loops and \
                      conditions, with the numbers, places and squares that were drawn. Keeps that one level, and what a \
                      statement leaves to chance by itself.",
        way: Way::Any,
        run: settled::settled,
    },
    Pass {
        name: "own-forms",
        condition: "from a variant whose catalog adds details to statements that the target lacks",
        description: "A name behind a door or altar, a detail of a monster or object, and a word behind a place go. Keeps the \
                      rest of the statement.",
        way: Way::Any,
        run: forms::own_forms,
    },
    Pass {
        name: "compiled-names",
        condition: RICHER,
        description: "A name that the compiler of the source does not find, or does not look for, goes: it makes \
                      something random of the class. Keeps what is made.",
        way: Way::Richer,
        run: richer::compiled_names,
    },
    Pass {
        name: "defaults",
        condition: RICHER,
        description: "What is random in the source when it says so goes unsaid; random gold becomes dice. Keeps the \
                      chances.",
        way: Way::Richer,
        run: richer::defaults,
    },
    Pass {
        name: "drawn-walls",
        condition: RICHER,
        description: "The walls that WALLIFY makes when it is compiled are drawn in the map. Keeps every square.",
        way: Way::Richer,
        run: richer::drawn_walls,
    },
    Pass {
        name: "boundaries",
        condition: RICHER,
        description: "TERRAIN makes floor of cross walls when the regions and doors are there. Keeps what random places \
                      find.",
        way: Way::Richer,
        run: richer::boundaries,
    },
    Pass {
        name: "containers",
        condition: RICHER,
        description: "What lies between a container and its contents goes behind its block. Keeps what contains what.",
        way: Way::Richer,
        run: richer::containers,
    },
    Pass {
        name: "secret-doors",
        condition: RICHER,
        description: "A secret door that gets a state is at least closed, as the loader of the source has it. Keeps the \
                      door, unless its state is random.",
        way: Way::Richer,
        run: richer::secret_doors,
    },
    Pass {
        name: "loader-habits",
        condition: RICHER,
        description: "Tells what the loader of the source does by itself with random stairs, rooms, corridors and mazes, for \
                      which a script has no words. Changes nothing.",
        way: Way::Richer,
        run: richer::loader_habits,
    },
    Pass {
        name: "room-places",
        condition: RICHER,
        description: "Tells where the loader of the source puts what is anywhere in a room. Changes nothing.",
        way: Way::Richer,
        run: richer::room_places,
    },
    Pass {
        name: "dry-places",
        condition: "to a script whose random places can say what they are like, and whose loader puts some monsters \
                    elsewhere",
        description: "The random place of a monster says where it may be. Keeps the squares where it can be.",
        way: Way::ToScript,
        run: richer::dry_places,
    },
    Pass {
        name: "registers",
        condition: RICHER,
        description: "RANDOM_PLACES, RANDOM_OBJECTS and RANDOM_MONSTERS become arrays that are shuffled. Keeps the \
                      draws.",
        way: Way::Richer,
        run: richer::registers,
    },
    Pass {
        name: "loader-order",
        condition: RICHER,
        description: "The order in which the loader of the source makes kinds of things becomes the order in which they \
                      are written. Keeps the order of all draws.",
        way: Way::Richer,
        run: richer::loader_order,
    },
    Pass {
        name: "level-regions",
        condition: RICHER,
        description: "Level regions of a part stand the other way round, as the loader of the source takes them. Keeps \
                      the order of draws.",
        way: Way::Richer,
        run: richer::level_regions,
    },
    Pass {
        name: "maze-walks",
        condition: RICHER,
        description: "MAZEWALKs stand at the end, the last one first, and one of them stocks the maze. Keeps the maze.",
        way: Way::Richer,
        run: richer::maze_walks,
    },
    Pass {
        name: "region-flags",
        condition: RICHER,
        description: "The flags of a REGION are said as a script understands them. Keeps what the region becomes.",
        way: Way::Richer,
        run: richer::region_flags,
    },
    Pass {
        name: "random-traps",
        condition: "between games that choose random traps from other kinds, or other depths",
        description: "Tells which traps a random one may be in the target alone, and which not. Changes nothing.",
        way: Way::Any,
        run: scripts::random_traps,
    },
    Pass {
        name: "random-rooms",
        condition: "between games that choose random types of rooms from others",
        description: "Tells which types a room of a random type may have in one of the games alone. Changes nothing.",
        way: Way::Any,
        run: scripts::random_rooms,
    },
    Pass {
        name: "ways-out",
        condition: "between games that leave other tools where there is no way out",
        description: "Tells which tools the loader of each may leave in a level with the flag inaccessibles. Changes nothing.",
        way: Way::Any,
        run: scripts::ways_out,
    },
    Pass {
        name: "unmapped-parts",
        condition: RICHER,
        description: "NOMAP without INIT_MAP, which is one square of rock at column 3 and row 3, becomes a map of that \
                      square, and a map of one square gets a second one that changes nothing. Keeps the square, and where \
                      places count from.",
        way: Way::Richer,
        run: richer::unmapped_parts,
    },
    Pass {
        name: "left-maps",
        condition: "to a script whose INIT_MAP changes where `left` is, or from one",
        description: "A map on the left gets its place in numbers. Keeps the place.",
        way: Way::ToScript,
        run: richer::left_maps,
    },
    Pass {
        name: "background",
        condition: RICHER,
        description: "MAZE becomes LEVEL with INIT_MAP and the flag mazelevel. Keeps the background.",
        way: Way::Richer,
        run: richer::backgrounds,
    },
    Pass {
        name: "room-lists",
        condition: RICHER,
        description: "Lists of rooms become blocks, subrooms inside of their room. Keeps which room is in which, and \
                      their order.",
        way: Way::Richer,
        run: richer::room_lists,
    },
    Pass {
        name: "level-names",
        condition: "to a game that counts no levels, or takes shorter names",
        description: "The number of a level is put into its name, and a name that is too long is cut. Keeps which level \
                      is which; who asks for one by its name has to know.",
        way: Way::Any,
        run: forms::level_names,
    },
    Pass {
        name: "inlined",
        condition: "to a script without functions, or without parameters of them",
        description: "What a function does stands where it is called, with variables of its own. Keeps what is done.",
        way: Way::Scripts,
        run: functions::inlined,
    },
    Pass {
        name: "counted-loops",
        condition: "to a script whose variables take no value of variables",
        description: "A LOOP that counts in a variable is written out, with numbers for what the variable comes to. Keeps \
                      what is done.",
        way: Way::Scripts,
        run: counters::counted_loops,
    },
    Pass {
        name: "maze-levels",
        condition: "from a script with MAZE to another language",
        description: "MAZE becomes LEVEL with INIT_MAP and the flag mazelevel. Keeps the background.",
        way: Way::Scripts,
        run: forms::maze_levels,
    },
    Pass {
        name: "details",
        condition: "whenever the target lacks a detail of monsters or objects",
        description: "The detail goes, and the rest stays. Keeps all other details.",
        way: Way::Scripts,
        run: forms::details,
    },
    Pass {
        name: "room-flags",
        condition: "between scripts that number the flags of rooms and regions otherwise",
        description: "The flags say in the target what they said before. Keeps what becomes of the room.",
        way: Way::Scripts,
        run: forms::room_flags,
    },
    Pass {
        name: "switches",
        condition: "between scripts of which one draws below the value of a SWITCH, whatever that is",
        description: "A SWITCH on dice becomes one below a plain number; one on a variable, that would be drawn below, \
                      becomes IFs. Keeps the chances.",
        way: Way::Scripts,
        run: switches::switches,
    },
    Pass {
        name: "forms",
        condition: "between scripts that have other forms of the same",
        description: "Conditions, WALLIFY, differences and the directions of grow() in the form of the target. Keeps what \
                      they mean.",
        way: Way::Scripts,
        run: forms::forms,
    },
    Pass {
        name: "variable-names",
        condition: "to a script whose variables have fewer letters",
        description: "A variable whose name the target cannot spell gets another one. Keeps which is which.",
        way: Way::Scripts,
        run: forms::variable_names,
    },
    Pass {
        name: "unsaid-flags",
        condition: "from a game that knows some levels by their place in the dungeon",
        description: "A level gets the flags that the source gives it by its name. Keeps what the game does with it.",
        way: Way::ToScript,
        run: scripts::unsaid_flags,
    },
    Pass {
        name: "monsters-to-come",
        condition: "between a game with MON_GENERATION and one that knows the enemies of the quest by itself",
        description: "On a level of the quest, MON_GENERATION says which enemies come, or goes where the target knows them. \
                      Keeps what comes, but for 86 in 100 that are six of seven.",
        way: Way::Any,
        run: to_come::monsters_to_come,
    },
    Pass {
        name: "mirrors",
        condition: "between a game that mirrors levels at random and one that does not",
        description: "A level that was never mirrored gets a flag that keeps it so; of one that was, it is told that it \
                      is not any more.",
        way: Way::Any,
        run: scripts::mirrors,
    },
    Pass {
        name: "solid-rock",
        condition: "from a script with the flag solidify to a game without it",
        description: "Before the first map is laid, NON_DIGGABLE and NON_PASSWALL make all hard that is below it. Keeps what \
                      is hard around the maps.",
        way: Way::Any,
        run: scripts::solid_rock,
    },
    Pass {
        name: "unrolled",
        condition: POORER,
        description: "Functions stand where they are called, loops are written out, conditions are decided, values stand \
                      for variables; a chance around one thing is that thing's, an array that is shuffled is a list of \
                      registers. What depends on chance otherwise is an error.",
        way: Way::Poorer,
        run: poorer::unrolled,
    },
    Pass {
        name: "list-habits",
        condition: POORER,
        description: "Tells what the loader of the target does by itself with rooms, corridors, mazes, walls and monsters, \
                      for which lists have no words. Changes nothing.",
        way: Way::Poorer,
        run: poorer::list_habits,
    },
    Pass {
        name: "listed-places",
        condition: POORER,
        description: "Tells where the loader of the target puts what is anywhere in a room. Changes nothing.",
        way: Way::Poorer,
        run: poorer::listed_places,
    },
    Pass {
        name: "list-order",
        condition: POORER,
        description: "Tells of what the loader of the target makes before what it stands behind in the script, where that \
                      changes what it comes to. Changes nothing.",
        way: Way::Poorer,
        run: poorer::list_order,
    },
    Pass {
        name: "mazes-and-rooms",
        condition: POORER,
        description: "LEVEL becomes MAZE, with INIT_MAP as its filling, or a level of rooms. Keeps the background.",
        way: Way::Poorer,
        run: poorer::background,
    },
    Pass {
        name: "listed-regions",
        condition: POORER,
        description: "Level regions of a part stand the other way round, as the loader of the target takes them. Keeps \
                      which of them holds in the end.",
        way: Way::Poorer,
        run: poorer::listed_regions,
    },
    Pass {
        name: "drawn-terrain",
        condition: POORER,
        description: "Squares that TERRAIN changes whatever the dice say are drawn in the map; selections become squares. \
                      Keeps every square.",
        way: Way::Poorer,
        run: poorer::drawn_terrain,
    },
    Pass {
        name: "map-places",
        condition: POORER,
        description: "A map gets its place by words. Keeps the place, where there are words for it.",
        way: Way::Poorer,
        run: poorer::map_places,
    },
    Pass {
        name: "map-edges",
        condition: POORER,
        description: "What reaches over the edge of its map ends there, and what is outside of it is moved to the edge, \
                      where the target refuses it. Keeps what is in the map.",
        way: Way::Poorer,
        run: poorer::map_edges,
    },
    Pass {
        name: "free-places",
        condition: POORER,
        description: "Tells where the loader of the target gives up, as nothing can be put anywhere in a part. Changes \
                      nothing.",
        way: Way::Poorer,
        run: poorer::free_places,
    },
    Pass {
        name: "list-details",
        condition: POORER,
        description: "What is said of things, and lists have no place for, goes, each with a word.",
        way: Way::Poorer,
        run: poorer::details,
    },
    Pass {
        name: "lua-words",
        condition: "to a game whose levels are Lua scripts",
        description: "What the functions of the game take otherwise than a des-file is said in their words: gradients, random \
                      places, doors of rooms. Keeps what can be kept, and tells of the rest.",
        way: Way::ToLua,
        run: lua::wordless,
    },
    Pass {
        name: "names",
        condition: "whenever the target lacks a monster, an object, a trap, a room type, a flag or terrain",
        description: "Stand-ins take the place of names that the target lacks: by the tables, or the nearest of a class.",
        way: Way::Any,
        run: names::names,
    },
    Pass {
        name: "portals",
        condition: "to a game that crashes at a portal to a level that its dungeon lacks",
        description: "A portal leads to the level that stands in for its own, by the tables, or is left out. Keeps the \
                      others.",
        way: Way::Any,
        run: scripts::portals,
    },
    Pass {
        name: "objects-as-terrain",
        condition: "whenever the target has as terrain what the source has as an object",
        description: "An object at a place becomes TERRAIN. Keeps what is there.",
        way: Way::Any,
        run: names::objects_as_terrain,
    },
    Pass {
        name: "drawn-objects",
        condition: POORER,
        description: "Terrain that stands for an object is drawn in the map. Keeps what is there.",
        way: Way::Poorer,
        run: poorer::drawn_terrain,
    },
    Pass {
        name: "left-over",
        condition: "whenever something is left that the target has no word for",
        description: "What the target cannot hold or does not take is left out, with a word for each statement.",
        way: Way::Any,
        run: left_over::left_over,
    },
];

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn passes_have_names_of_their_own() {
        let names: HashSet<&str> = PASSES.iter().map(|pass| pass.name).collect();
        assert_eq!(names.len(), PASSES.len());
    }
}
