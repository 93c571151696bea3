//! In what the level loaders of the games differ, and where their monsters can be.

use super::bits::bit_set;

bit_set! {
    /// What a monster is or does, as far as it tells where the monster can be.
    enum Habit;
    /// A set of [`Habit`]s.
    struct Habits(u64);
    /// Swims.
    Swim,
    /// Flies.
    Fly,
    /// Clings to ceilings.
    Cling,
    /// Walks through walls.
    WalkWalls,
    /// Flows under doors.
    Amorphous,
    /// Lives in water and out of it.
    Amphibious,
    /// Does not breathe.
    Breathless,
    /// Throws boulders.
    ThrowsRocks,
    /// Likes lava.
    LavaOk,
    /// Is made of flames.
    Flaming,
    /// Floats without flying.
    Floater,
    /// Has no body.
    Noncorporeal,
    /// Is always male. This and what follows is said of the games that ask for it while they load a level: NetHack 5.
    Male,
    /// Is always female.
    Female,
    /// Is neither male nor female.
    Neuter,
    /// Changes its shape.
    Shapeshifter,
    /// There is only one.
    Unique,
    /// Has no eyes.
    Eyeless,
}

bit_set! {
    /// A point in which the level loaders of the games differ: the name says what a loader does that has it.
    enum LoaderRule;
    /// A set of [`LoaderRule`]s.
    struct LoaderRules(u128);
    /// A finished level is flipped at random, left to right and top to bottom.
    RandomFlips,
    /// Random corridors come in four styles, and rooms can stay unjoined (`makecorridors`).
    CorridorStyles,
    /// A random place on a wall of one square takes no draw (`finddpos`).
    OnePlaceTakesNoDraw,
    /// One corridor square in a hundred is secret (`dig_corridor`); without the rule it is open.
    SecretCorridors,
    /// Corridors change direction at random (`dig_corridor`).
    WindingCorridors,
    /// A new door goes before the other doors of its room (`add_door`); without the rule, before those of the
    /// next room.
    DoorsByRoom,
    /// A door made by ROOMDOOR belongs to its room at once (`create_door`), not only when the level is done.
    DoorsJoinAtOnce,
    /// One door of a random corridor in eight is secret (`dodoor`).
    SecretDoors,
    /// A room with a given place or size is made smaller, or not at all, where it would touch something
    /// (`create_room`).
    RoomsCheckedAgain,
    /// The walls of a subroom are joined without looking at the walls themselves (`do_room_or_subroom`).
    SubroomWallsUnjoined,
    /// WALLIFY looks at column 0 (`wallify_map`).
    WallifyLooksAtEdge,
    /// "Touched by the level" means dug by MAZEWALK, too, and is where a maze is stocked (`fill_empty_maze`,
    /// `maze1xy`, `walkfrom`); without the rule, a maze is stocked where the level did not touch it.
    TouchedIsMaze,
    /// grow() grows away from its directions, and into corners for each of them (`selection_do_grow`).
    GrowsBackwards,
    /// floodfill() selects nothing (`selection_floodfill` lacks its test).
    FloodfillSelectsNothing,
    /// TERRAIN leaves stairs alone (`sel_set_ter`).
    TerrainSparesStairs,
    /// The way out of a closed place is a door (`generate_way_out_method`); without the rule, a secret door.
    OpenWaysOut,
    /// An irregular region spreads over every kind of floor, and no secret door bounds it (`flood_fill_rm`).
    RegionsOverAnyFloor,
    /// Terrain of INIT_MAP may be "none", and caverns start unlit (`mkmap`).
    CavernsMayLackTerrain,
    /// Walled and joined caverns are filled behind their walls, if a filling is given (`mkmap`).
    CavernsFilledBehind,
    /// Ice of caverns remembers what is below it (`finish_map`).
    CavernsFreezePools,
    /// A level region that finds no place takes worse ones, and then any on the level (`place_lregion`).
    LaxRegions,
    /// A place outside the level is complained about (`get_location`), and an appearance that makes no sense is
    /// a warning, too (`create_monster`); without the rule, that is an error of the game.
    PlacesAreWarnedOf,
    /// A portal to a random plane finds none outside the planes (`fixup_special`).
    RandomPlanes,
    /// No trap is put in a swamp (`mktrap`).
    SwampsTakeNoTraps,
    /// A trap may come with somebody whom it killed (`mktrap`).
    TrapVictims,
    /// A web has its spider only deep down, and not always (`mktrap`).
    SpidersAreRare,
    /// Squeaky boards are tuned (`maketrap`).
    TunedBoards,
    /// Corridors of the rogue style are sometimes secret (`corr`).
    SecretRogueCorridors,
    /// A premapped level has no secret doors and corridors (`sokoban_detect`).
    PremappingOpensDoors,
    /// What is below a raised drawbridge tells whether one can stand there (`accessible`).
    RaisedBridgesAreLookedUnder,
    /// Trees can be made impassable to those who walk through walls (`may_passwall`).
    TreesCanBeImpassable,
    /// Engravings stay with the level while it is made, and move with it; without the rule the reference
    /// traces only note them.
    EngravingsAreKept,
    /// The wall of a door made by ROOMDOOR is drawn once, its last place is never drawn, and rock behind it is no
    /// hindrance (`create_door`).
    DoorsDrawTheirWall,
    /// The search for a place near another looks at one side after the other, and does not end at the farthest
    /// edge of the level (`enexto`).
    NearPlacesBySides,
    /// A floating eye can be over lava (`goodpos`).
    EyesHoverOverLava,
    /// A trap can be set on stairs, fountains and the like (`maketrap`).
    TrapsOnFurniture,
    /// The spider of a web comes even where the web cannot be (`mktrap`).
    SpidersWithoutWebs,
    /// Only walls and stone can be hardened, not trees and bars (`set_wall_property`).
    OnlyWallsHarden,
    /// No secret door bounds an irregular region (`flood_fill_rm`).
    SecretDoorsBoundNothing,
    /// A maze is stocked for all of its squares, not for the half of them that can be floor, and its monsters may
    /// be in water (`load_maze`).
    MazesStockedByArea,
    /// The row at the top is left out where a level region may be anywhere (`place_lregion`).
    RegionsBelowTopRow,
    /// The reference traces say nothing of the monster that an object is of.
    MonstersOfObjectsUnnoted,
    /// A mimic does not take the shape of a monster (`create_monster`).
    MimicsAreNoMonsters,
    /// A random room is tried anywhere on the level, again and again; there is no list of free rectangles, and a room
    /// with a given place may be anywhere (`create_room`).
    RoomsWithoutRectangles,
    /// Where a place may be anything, a random one still is floor, water or lava, and none may be outside of the
    /// level (`get_location`).
    AnywhereIsWetOrDry,
    /// A place outside the level is complained about as something broken (`get_location`).
    PlacesAreComplainedOf,
    /// A MAP does not touch its squares, nor does DOOR, and cross walls become floor where nothing touched them
    /// (`spo_map`, `remove_boundary_syms`).
    MapsTouchNothing,
    /// DOOR makes a door that belongs to its rooms at once and keeps the direction of what was there; nothing looks at
    /// doors when the level is done (`sel_set_door`).
    DoorsAreDoneAtOnce,
    /// A random place for a monster is dry floor; for one that swims, water or lava as well, for an eel nothing else
    /// (`create_monster`).
    SwimmersAloneGetWet,
    /// A given place in a room that is no bare floor is not exchanged for a random one: the game gives up
    /// (`get_free_room_loc`).
    GivenPlacesHaveToBeFree,
    /// A function finds its parameters in reverse order, and variables among them unread (`spo_call`).
    ParametersAreReversed,
    /// RETURN outside of a function does nothing (`spo_return`).
    ReturnNeedsNoFunction,
    /// A vault may have pools with eels in two of its squares (`fill_room`).
    VaultsMayBeAquariums,
    /// WALLIFY takes a region only, and where it gives no bounds, those of the map (`spo_wallify`).
    WallifyTakesRegions,
    /// SPILL takes its terrain and light as two numbers, and the light first (`spo_spill`).
    SpillTakesNumbers,
    /// That a region is filled is a flag of its own, not part of its type (`spo_region`).
    FilledIsAFlag,
    /// A room in a room that found no place takes its values from the stack as well (`spo_room`).
    FailedRoomsTakeValues,
    /// A door in a wall of one square takes no draw for its place (`create_door`).
    OneSquareTakesNoDoorDraw,
    /// INIT_MAP changes nothing in where a MAP goes, and its ice has nothing below it (`spo_map`).
    InitLeavesMaps,
    /// Stairs and portals find their places when the level has been shown to the hero (`fixup_special`).
    RegionsPlacedLast,
    /// Of a message, 79 bytes are read to the first line end, and `%` and a letter stand for something about the hero
    /// (`spo_message`, `string_subst`).
    MessagesAreSubstituted,
    /// The messages of a level are said, line by line, as soon as it is done (`fixup_special`).
    MessagesAreSaid,
    /// Stairs in a room leave a trap below them (`spo_stair`).
    StairsInRoomsKeepTraps,
    /// Monsters that a maze is stocked with may be in water and lava (`fill_empty_maze`).
    MazeMonstersGetWet,
    /// floodfill() remembers squares more than once, and the game gives up when they are too many
    /// (`selection_floodfill`).
    FloodsOverrun,
    /// Corridors join every room, whatever it asks for, and a region that is a room counts as joined to the first one
    /// (`join`, `spo_region`).
    EveryRoomIsJoined,
    /// A drawbridge for which it is drawn whether it is open is so with the higher number (`create_drawbridge`).
    HighDrawOpensBridges,
    /// Doors are of a material, a number more of DOOR and ROOMDOOR (EvilHack: `spo_door`, `spo_room_door`).
    DoorsHaveMaterials,
    /// The sex of a monster that is named by its species is drawn before its place, unless the species has only one
    /// or the name says which (NetHack 5.0.0, `find_montype`).
    MonstersHaveSexes,
    /// A monster that does not breathe is no water monster by that (`pm_to_humidity`).
    BreathlessMonstersStayDry,
    /// A dry place is any square that one can stand on, stairs and furniture too, but for doors and where a boulder
    /// lies (`is_ok_location`).
    DryIsSpaceWithoutBoulders,
    /// Random stairs come on floor, corridors and ice; given ones make floor of what is there, and more than one may
    /// lead up or down (`l_create_stairway`, `mkstairs`).
    StairsFindFloor,
    /// The places around another are shuffled ring by ring, and the first good one is taken, at first one that scares
    /// nobody (`enexto`, `collect_coords`).
    NearPlacesByShuffledRings,
    /// A monster that finds no place within its room is left out (`create_monster`).
    MonstersStayInTheirRoom,
    /// A monster of a given alignment is peaceful unless the level says otherwise (`mk_roamer`).
    AlignedMonstersArePeaceful,
    /// A unique monster that is there already is left out (`create_monster`).
    UniqueMonstersComeOnce,
    /// Where a monster stands, no second one is made (`makemon`).
    OccupiedPlacesTakeNoMonster,
    /// Stairs and ladders are not overwritten by other terrain (`set_levltyp`).
    StairsAreNotOverwritten,
    /// New terrain minds what it is: walls and bars lie along the row, ice freezes over a pool or moat, nothing stays
    /// engraved in clouds (`sel_set_ter`).
    TerrainSetsDetails,
    /// Filling a level clears what is known of its squares (`lvlfill_solid`).
    FillsClearSquares,
    /// The parts of caverns are no rooms once they are joined (`join_map_cleanup`).
    CavernRoomsAreForgotten,
    /// The walls of caverns are those that WALLIFY would make (`finish_map`).
    CavernsAreWallified,
    /// A wall or door around an irregular region that no room has yet belongs to it alone (`flood_fill_rm`).
    EdgesBelongToTheirRoom,
    /// Walls go on to walls of water and lava (`iswall`).
    WaterAndLavaJoinWalls,
    /// Places have more bits than a byte (`coordxy`).
    CoordinatesAreWide,
    /// A place is within an irregular room if the square has the room's number (`inside_room`).
    IrregularRoomsByNumber,
    /// No trap is put into lava (`mktrap`).
    LavaTakesNoTraps,
    /// It is drawn how far down a hole or trap door leads (`hole_destination`).
    HolesChooseTheirDepth,
    /// A trap needs ground: none is on stairs, in pools and lava, on a raised bridge or in the air, and of traps on
    /// furniture there are pits and holes only (`maketrap`).
    TrapsNeedTheirGround,
    /// The last two kinds of traps are those of doors and chests, which are on no square (`maketrap`).
    DoorsAndChestsAreTraps,
    /// A vibrating square looks for a place of its own (`pick_vibrasquare_location`).
    VibratingSquareFindsItsPlace,
    /// A subroom at a random place may be as far right or down as its room reaches (`create_subroom`).
    SubroomsReachTheFarWall,
    /// A room with subrooms is irregular (`lspo_room`).
    SubroomsMakeRoomsIrregular,
    /// The north wall of a room at which a corridor starts is the upper one (`search_door`).
    CorridorWallsAsNamed,
    /// A random corridor is dug before its doors are made, from places on the walls that lead into the rooms
    /// (`join`, `finddpos`).
    CorridorsDugBeforeDoors,
    /// Levels down to the second have no secret corridors, and no secret doors at random corridors (`maybe_sdoor`).
    ShallowLevelsHaveNoSecrets,
    /// A door is made in a wall only where something beside it is open (`okdoor`).
    DoorsNeedAnOpening,
    /// A place for a door in a room's wall is looked for a hundred times, not once more (`create_door`).
    DoorsTriedAHundredTimes,
    /// A room lists each of its doors once, and there may be any number of them (`add_door`).
    DoorsListedOnce,
    /// A door belongs to the rooms whose squares it touches, and is listed when its room is done
    /// (`maybe_add_door`, `add_doors_to_room`).
    DoorsBelongToWhatTheyTouch,
    /// A door in a random wall may be in each of the four; without the rule, one of them is drawn anew for each try
    /// (`create_door`).
    RandomWallsAreAny,
    /// The state of a door in a room's wall is drawn once for nothing (`lspo_door`).
    DoorStatesDrawnTwice,
    /// A feature at a random place needs dry ground (`lspo_feature`).
    RandomFeaturesNeedDryGround,
    /// Rooms are filled when the level is handed over, which no longer is the loader's work (`fill_special_room`).
    RoomsAreFilledLater,
    /// Boulders, traps and engravings on water and lava go when the level is done (`map_cleanup`).
    LiquidsAreCleared,
    /// Stairs, engravings, regions and rooms are flipped wherever they are, not only in the part that is flipped
    /// (`flip_level`).
    FlipsReachBeyond,
    /// A level region is cut to the map, and shuns exclusion zones (`place_lregion`, `put_lregion_here`).
    RegionsAreClamped,
    /// When a maze is stocked, boulders leave pits and holes open (`fill_empty_maze`).
    BouldersSparePits,
    /// A gradient selects all squares within its least distance and none behind its greatest (`selection_do_gradient`).
    GradientsCoverTheirMiddle,
    /// A random line has both of its ends (`selection_do_randline`).
    RandomLinesReachTheirEnd,
    /// Selections know the bounds of what is in them, and some of their functions rely on that (`selvar.c`).
    SelectionsKeepBounds,
    /// Column 0 is not changed by terrain, and a selection grows into it (`set_levltyp`, `selection_do_grow`).
    ColumnZeroIsOutside,
    /// The altar of a high priest is marked (`create_altar`).
    SanctumsAreMarked,
    /// A map that is too high for its place is moved to the top; without the rule the game gives up (`lspo_map`).
    TallMapsStartAtTop,
    /// The reference traces are those of NetHack 5.0.0, which tell of alignments, prizes, flips, and every monster,
    /// object and trap of the finished level.
    RunsAreToldInDetail,
    /// The alignments that a level draws from are shuffled in the order lawful, neutral, chaotic as any list is
    /// (`nhlib.lua`); without the rule, the other way round, and by other draws (`shuffle_alignments`).
    AlignmentsShuffledFromLaw,
    /// Statues, corpses, eggs and tins have the marks that the level gives them, and none if it gives none; without the
    /// rule chance marks those, and the marks of statues have other numbers (`lspo_object`).
    CorpsesAreMarked,
    /// Of every monster, object and trap it is drawn whether it comes, also if that is certain (NetHack 3.4.3,
    /// `create_monster`). In a script, `percent` before it is that draw.
    ThingsDrawTheirChance,
    /// A random place in a room is any square of it, whatever is there; only what needs bare floor is looked for again
    /// (`get_room_loc`).
    RoomPlacesAreAnySquare,
    /// A feature at a random place in a room is not put where a trap or another feature is (`create_feature`).
    FeaturesLookForRoom,
    /// Random stairs are not near the last ones of the same map (`load_maze`).
    StairsKeepApart,
    /// Of a room of which no chance is said, none is drawn (`build_room`).
    RoomsWithoutChanceDrawNone,
    /// Before rooms are joined at random, they are sorted from left to right (`sort_rooms`).
    RoomsSortedBeforeJoining,
}
