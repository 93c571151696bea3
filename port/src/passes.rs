//! The passes of a port, in the order in which they run.

use splc_ir::catalog::{Catalog, Format};
use splc_ir::level::Module;

use crate::work::Work;
use crate::{
    counters, flags, forms, functions, left_over, lua, monster_generation, names, own_names, poorer, resolved, richer,
    scripts, switches, translated,
};

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
    /// From a game with Lua levels.
    FromLua,
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
            Way::FromLua => from.format == Format::Lua,
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
        name: "translated",
        condition: "from a Lua script",
        description: "Reports what the translation of the script could not keep. Changes nothing.",
        way: Way::FromLua,
        run: translated::translated,
    },
    Pass {
        name: "settled",
        condition: "for a level that --instantiate decides by a run",
        description: "Replaces the level with the result of one run: statements without variables, loops and \
                      conditions, with the numbers, places and squares drawn. Keeps that one level, and the chances \
                      within a statement.",
        way: Way::Any,
        run: resolved::resolved,
    },
    Pass {
        name: "own-forms",
        condition: "from a variant whose catalog adds details to statements that the target lacks",
        description: "Removes names after doors and altars, details of monsters and objects, and keywords after \
                      places. Keeps the rest of the statement.",
        way: Way::Any,
        run: forms::own_forms,
    },
    Pass {
        name: "compiled-names",
        condition: RICHER,
        description: "Removes a name that the source's compiler does not find or does not look up, which results in \
                      something random of the class. Keeps what is created.",
        way: Way::Richer,
        run: richer::compiled_names,
    },
    Pass {
        name: "defaults",
        condition: RICHER,
        description: "Removes details that are explicitly random; random gold becomes dice. Keeps the chances.",
        way: Way::Richer,
        run: richer::defaults,
    },
    Pass {
        name: "drawn-walls",
        condition: RICHER,
        description: "Draws the walls that WALLIFY adds at compile time in the map. Keeps every square.",
        way: Way::Richer,
        run: richer::drawn_walls,
    },
    Pass {
        name: "boundaries",
        condition: RICHER,
        description: "Adds a TERRAIN after regions and doors that turns cross walls into floor. Keeps the squares for \
                      random places.",
        way: Way::Richer,
        run: richer::boundaries,
    },
    Pass {
        name: "containers",
        condition: RICHER,
        description: "Moves statements between a container and its contents after its block. Keeps the contents of \
                      each container.",
        way: Way::Richer,
        run: richer::containers,
    },
    Pass {
        name: "secret-doors",
        condition: RICHER,
        description: "Makes a secret door with a state at least closed, as the source's loader does. Keeps the door, \
                      unless its state is random.",
        way: Way::Richer,
        run: richer::secret_doors,
    },
    Pass {
        name: "loader-habits",
        condition: RICHER,
        description: "Reports what the source's loader does to random stairs, rooms, corridors and mazes that a script \
                      cannot express. Changes nothing.",
        way: Way::Richer,
        run: richer::loader_habits,
    },
    Pass {
        name: "room-places",
        condition: RICHER,
        description: "Reports where the source's loader places things at random places in a room. Changes nothing.",
        way: Way::Richer,
        run: richer::room_places,
    },
    Pass {
        name: "dry-places",
        condition: "to a script whose random places can have requirements, and whose loader places some monsters \
                    elsewhere",
        description: "Adds requirements to the random places of monsters and features. Keeps the possible squares.",
        way: Way::ToScript,
        run: richer::dry_places,
    },
    Pass {
        name: "registers",
        condition: RICHER,
        description: "Turns RANDOM_PLACES, RANDOM_OBJECTS and RANDOM_MONSTERS into shuffled arrays. Keeps the draws.",
        way: Way::Richer,
        run: richer::registers,
    },
    Pass {
        name: "loader-order",
        condition: RICHER,
        description: "Moves statements to the order in which the source's loader runs them, where that shows, with \
                      level regions from the last one. Keeps the order of all draws, and the author's order elsewhere.",
        way: Way::Richer,
        run: richer::loader_order,
    },
    Pass {
        name: "level-regions",
        condition: RICHER,
        description: "Removes arrivals that an earlier part overrides, as the source's loader does. Keeps the order of \
                      draws.",
        way: Way::Richer,
        run: richer::level_regions,
    },
    Pass {
        name: "maze-walks",
        condition: RICHER,
        description: "Moves MAZEWALKs to the end, last one first, and lets one of them stock the maze. Keeps the maze.",
        way: Way::Richer,
        run: richer::maze_walks,
    },
    Pass {
        name: "region-flags",
        condition: RICHER,
        description: "Rewrites the flags of a REGION for scripts. Keeps the type of the region.",
        way: Way::Richer,
        run: richer::region_flags,
    },
    Pass {
        name: "random-traps",
        condition: "between games with different types or depths of random traps",
        description: "Reports which random traps occur in only one of the games. Changes nothing.",
        way: Way::Any,
        run: scripts::random_traps,
    },
    Pass {
        name: "ways-out",
        condition: "between games that leave different tools in closed places",
        description: "Reports which tools each loader may leave in a level with the flag inaccessibles. Changes \
                      nothing.",
        way: Way::Any,
        run: scripts::ways_out,
    },
    Pass {
        name: "regions-of-random-types",
        condition: "from des-files",
        description: "Reports each REGION of a random type that becomes another room. Changes nothing.",
        way: Way::Any,
        run: scripts::regions_of_random_types,
    },
    Pass {
        name: "codes-in-messages",
        condition: "between games of which one replaces codes like %p in messages",
        description: "Reports each MESSAGE whose text may have such a code, and cuts off what the source game does not \
                      read. Keeps the message.",
        way: Way::Any,
        run: scripts::codes_in_messages,
    },
    Pass {
        name: "loop-variables",
        condition: "from des-files, between games that count differently in a FOR",
        description: "Reports each FOR whose block sets its variable, or whose variable is used after it. Changes \
                      nothing.",
        way: Way::Any,
        run: counters::loop_variables,
    },
    Pass {
        name: "regions-in-rooms",
        condition: "between games of which one ends a room at each REGION in it",
        description: "Reports each REGION in a room that ends the room in only one of the games. Changes nothing.",
        way: Way::Any,
        run: lua::regions_in_rooms,
    },
    Pass {
        name: "unmapped-parts",
        condition: RICHER,
        description: "Turns NOMAP without INIT_MAP, one square of rock at column 3 and row 3, into a map of that \
                      square, and extends a map of one square by a transparent one. Keeps the square and the origin of \
                      coordinates.",
        way: Way::Richer,
        run: richer::unmapped_parts,
    },
    Pass {
        name: "left-maps",
        condition: "between games whose INIT_MAP moves `left` to different columns",
        description: "Gives a left-aligned map its place in numbers. Keeps the place.",
        way: Way::ToScript,
        run: richer::left_maps,
    },
    Pass {
        name: "background",
        condition: RICHER,
        description: "Turns MAZE into LEVEL with INIT_MAP and the flag mazelevel. Keeps the background.",
        way: Way::Richer,
        run: richer::backgrounds,
    },
    Pass {
        name: "room-lists",
        condition: RICHER,
        description: "Turns lists of rooms into nested blocks. Keeps the nesting and the order of rooms.",
        way: Way::Richer,
        run: richer::room_lists,
    },
    Pass {
        name: "level-names",
        condition: "to a game without numbered levels, or with shorter names",
        description: "Moves the number of a level into its name, and shortens long names. Keeps names distinct; \
                      references to a renamed level must be adapted.",
        way: Way::Any,
        run: own_names::level_names,
    },
    Pass {
        name: "inlined",
        condition: "to a script without functions or parameters",
        description: "Inlines functions, with separate variables. Keeps the behavior.",
        way: Way::Scripts,
        run: functions::inlined,
    },
    Pass {
        name: "counted-loops",
        condition: "to a script whose variables cannot be set from variables",
        description: "Unrolls a LOOP that counts in a variable, with numbers for the values of the variable. Keeps the \
                      behavior.",
        way: Way::Scripts,
        run: counters::counted_loops,
    },
    Pass {
        name: "maze-levels",
        condition: "from a script with MAZE to another language",
        description: "Turns MAZE into LEVEL with INIT_MAP and the flag mazelevel. Keeps the background.",
        way: Way::Scripts,
        run: forms::maze_levels,
    },
    Pass {
        name: "details",
        condition: "whenever the target lacks a detail of monsters or objects",
        description: "Removes the detail. Keeps all other details.",
        way: Way::Scripts,
        run: forms::details,
    },
    Pass {
        name: "room-flags",
        condition: "between scripts that number the flags of rooms and regions differently",
        description: "Rewrites the flags with their meaning in the target. Keeps the meaning of the room.",
        way: Way::Scripts,
        run: flags::room_flags,
    },
    Pass {
        name: "switches",
        condition: "between scripts of which one draws below the value of a SWITCH",
        description: "Turns a SWITCH on dice into a SWITCH on a number, and a SWITCH on a variable that would be drawn \
                      below into IFs. Keeps the chances.",
        way: Way::Scripts,
        run: switches::switches,
    },
    Pass {
        name: "forms",
        condition: "between scripts with different syntax",
        description: "Rewrites conditions, WALLIFY, differences and the directions of grow() for the target. Keeps \
                      their meaning.",
        way: Way::Scripts,
        run: forms::forms,
    },
    Pass {
        name: "variable-names",
        condition: "to a script with fewer letters in variable names",
        description: "Renames variables whose names are invalid in the target. Keeps names distinct.",
        way: Way::Scripts,
        run: own_names::variable_names,
    },
    Pass {
        name: "unsaid-flags",
        condition: "from a game that treats some levels specially by their place in the dungeon",
        description: "Adds the flags that the source game gives a level by its name. Keeps the game's treatment of it.",
        way: Way::ToScript,
        run: scripts::unsaid_flags,
    },
    Pass {
        name: "monsters-to-come",
        condition: "between a game with MON_GENERATION and one with built-in quest enemies",
        description: "Adds MON_GENERATION with the enemies to a level of the quest, or removes it where the target has \
                      them built in. Keeps the enemies, with a share of 86 in 100 for six of seven.",
        way: Way::Any,
        run: monster_generation::add_or_remove,
    },
    Pass {
        name: "mirrors",
        condition: "between a game that mirrors levels at random and one that does not",
        description: "Adds a flag to a level that was never mirrored to keep it so; reports a level that is no longer \
                      mirrored.",
        way: Way::Any,
        run: scripts::mirrors,
    },
    Pass {
        name: "solid-rock",
        condition: "from a script with the flag solidify to a game without it",
        description: "Adds NON_DIGGABLE and NON_PASSWALL for the whole level before the first map. Keeps the walls \
                      around the maps undiggable.",
        way: Way::Any,
        run: scripts::solid_rock,
    },
    Pass {
        name: "unrolled",
        condition: POORER,
        description: "Inlines functions, unrolls loops, decides conditions and replaces variables with values. A \
                      chance around one thing becomes the chance of that thing, a shuffled array becomes a list of \
                      registers. Anything else that depends on chance is an error.",
        way: Way::Poorer,
        run: poorer::unrolled,
    },
    Pass {
        name: "list-habits",
        condition: POORER,
        description: "Reports what the target's loader does to rooms, corridors, mazes, walls and monsters that lists \
                      cannot express. Changes nothing.",
        way: Way::Poorer,
        run: poorer::list_habits,
    },
    Pass {
        name: "listed-places",
        condition: POORER,
        description: "Reports where the target's loader places things at random places in a room. Changes nothing.",
        way: Way::Poorer,
        run: poorer::listed_places,
    },
    Pass {
        name: "list-order",
        condition: POORER,
        description: "Reports statements that the target's loader runs earlier than the script does, where that \
                      changes the result. Changes nothing.",
        way: Way::Poorer,
        run: poorer::list_order,
    },
    Pass {
        name: "mazes-and-rooms",
        condition: POORER,
        description: "Turns LEVEL into MAZE, with INIT_MAP as its filling, or into a level of rooms. Keeps the \
                      background.",
        way: Way::Poorer,
        run: poorer::background,
    },
    Pass {
        name: "listed-regions",
        condition: POORER,
        description: "Reverses the level regions of a part, as the target's loader does. Keeps the region that takes \
                      effect.",
        way: Way::Poorer,
        run: poorer::listed_regions,
    },
    Pass {
        name: "drawn-terrain",
        condition: POORER,
        description: "Draws squares that TERRAIN always changes in the map, and turns selections into squares. Keeps \
                      every square.",
        way: Way::Poorer,
        run: poorer::drawn_terrain,
    },
    Pass {
        name: "map-places",
        condition: POORER,
        description: "Gives a map its place in keywords. Keeps the place where keywords exist for it.",
        way: Way::Poorer,
        run: poorer::map_places,
    },
    Pass {
        name: "map-edges",
        condition: POORER,
        description: "Clips regions at the edge of their map, and moves places outside of the map to its edge, where \
                      the target rejects them. Keeps everything in the map.",
        way: Way::Poorer,
        run: poorer::map_edges,
    },
    Pass {
        name: "free-places",
        condition: POORER,
        description: "Reports where the target's loader gives up, since a part has no free place. Changes nothing.",
        way: Way::Poorer,
        run: poorer::free_places,
    },
    Pass {
        name: "amounts-of-gold",
        condition: "between a Lua script and another game",
        description: "Rewrites negative amounts of gold, which NetHack 5 takes for another random amount. Keeps it, \
                      except for computed amounts, which it reports.",
        way: Way::Any,
        run: lua::amounts_of_gold,
    },
    Pass {
        name: "list-details",
        condition: POORER,
        description: "Removes details of things that lists cannot express, with a note for each.",
        way: Way::Poorer,
        run: poorer::details,
    },
    Pass {
        name: "lua-words",
        condition: "to a game whose levels are Lua scripts",
        description: "Adapts gradients, random places and doors of rooms to the functions of the game. Keeps what can \
                      be kept, and reports the rest.",
        way: Way::ToLua,
        run: lua::wordless,
    },
    Pass {
        name: "random-squares-in-rooms",
        condition: "between a Lua script and another game",
        description: "Reports each random square of a selection in a room, which other games than NetHack 5 move by the \
                      corner of the room. Changes nothing.",
        way: Way::Any,
        run: lua::random_squares_in_rooms,
    },
    Pass {
        name: "names",
        condition: "whenever the target lacks a monster, an object, a trap, a room type, a flag or terrain",
        description: "Replaces names that the target lacks with stand-ins: from the tables, or the nearest of the \
                      class.",
        way: Way::Any,
        run: names::names,
    },
    Pass {
        name: "portals",
        condition: "to a game that crashes at a portal to a level that its dungeon lacks",
        description: "Leads a portal to the stand-in of its level from the tables, or removes it. Keeps other portals.",
        way: Way::Any,
        run: scripts::portals,
    },
    Pass {
        name: "objects-as-terrain",
        condition: "whenever the target has terrain for an object of the source",
        description: "Turns an object at a fixed place into TERRAIN. Keeps the feature.",
        way: Way::Any,
        run: names::objects_as_terrain,
    },
    Pass {
        name: "drawn-objects",
        condition: POORER,
        description: "Draws terrain that replaces an object in the map. Keeps the feature.",
        way: Way::Poorer,
        run: poorer::drawn_terrain,
    },
    Pass {
        name: "left-over",
        condition: "whenever something is left that the target lacks",
        description: "Removes what the target cannot express or rejects, with a note for each statement.",
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
