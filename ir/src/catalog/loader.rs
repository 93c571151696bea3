//! Differences between the games' level loaders, and the habits of their monsters.

use super::bits::bit_set;

bit_set! {
    /// A property of a monster that a loader acts on, above all where it can be placed.
    enum Habit;
    /// A set of [`Habit`]s.
    struct Habits([u64; 1]);
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
    /// Consists of flames.
    Flaming,
    /// Floats without flying.
    Floater,
    /// Has no body.
    Noncorporeal,
    /// Is always male. This habit and those after it are recorded only for games that check them while loading a level.
    Male,
    /// Is always female.
    Female,
    /// Is neither male nor female.
    Neuter,
    /// Changes its shape.
    Shapeshifter,
    /// Is unique.
    Unique,
    /// Has no eyes.
    Eyeless,
    /// Resists fire: lava burns it, but it survives.
    ResistsFire,
    /// Gets nothing from the game (`m_initweap`, `m_initinv`), so that an empty inventory is the same.
    CarriesNothing,
}

bit_set! {
    /// A difference between the games' level loaders. The name states the behaviour of a loader that has the rule.
    enum LoaderRule;
    /// A set of [`LoaderRule`]s.
    struct LoaderRules([u64; 3]);
    /// A finished level is flipped at random, left to right and top to bottom.
    RandomFlips,
    /// Random corridors come in four styles, and rooms can stay unjoined (`makecorridors`).
    CorridorStyles,
    /// A random place on a wall of a single square takes no draw (`finddpos`).
    OnePlaceTakesNoDraw,
    /// One corridor square in a hundred is secret (`dig_corridor`); without the rule it is open.
    SecretCorridors,
    /// Corridors change direction at random (`dig_corridor`).
    WindingCorridors,
    /// A new door is inserted before the other doors of its room (`add_door`). Without the rule, it is inserted before
    /// those of the next room.
    DoorsByRoom,
    /// A door made by ROOMDOOR joins its room immediately (`create_door`), not when the level is finished.
    DoorsJoinAtOnce,
    /// One in eight doors of random corridors is secret (`dodoor`).
    SecretDoors,
    /// A room with a given place or size shrinks, or is not created, if it would touch something (`create_room`).
    RoomsCheckedAgain,
    /// Joining the walls of a subroom ignores the walls themselves (`do_room_or_subroom`).
    SubroomWallsUnjoined,
    /// WALLIFY includes column 0 (`wallify_map`).
    WallifyLooksAtEdge,
    /// Squares dug by MAZEWALK count as touched by the level, and touched squares are where a maze is stocked
    /// (`fill_empty_maze`, `maze1xy`, `walkfrom`). Without the rule, a maze is stocked on untouched squares.
    TouchedIsMaze,
    /// grow() grows opposite to its directions, and into corners for each of them (`selection_do_grow`).
    GrowsBackwards,
    /// floodfill() selects nothing (`selection_floodfill` lacks its test).
    FloodfillSelectsNothing,
    /// TERRAIN leaves stairs alone (`sel_set_ter`).
    TerrainSparesStairs,
    /// The exit made for a closed area is a door (`generate_way_out_method`). Without the rule, it is a secret door.
    OpenWaysOut,
    /// An irregular region spreads over every type of floor, and secret doors do not stop it (`flood_fill_rm`).
    RegionsOverAnyFloor,
    /// Terrain of INIT_MAP may be "none", and caverns start unlit (`mkmap`).
    CavernsMayLackTerrain,
    /// In walled and joined caverns, rock behind the walls is replaced by the filling, if one is given (`mkmap`).
    CavernsFilledBehind,
    /// Ice in caverns records the terrain below it (`finish_map`).
    CavernsFreezePools,
    /// A level region without a good place accepts worse ones, and then any place on the level (`place_lregion`).
    LaxRegions,
    /// The game warns about a place outside the level (`get_location`) and about an invalid appearance
    /// (`create_monster`). Without the rule, it reports an internal error.
    PlacesAreWarnedOf,
    /// A portal to a random plane has no destination outside the planes (`fixup_special`).
    RandomPlanes,
    /// Swamps get no traps (`mktrap`).
    SwampsTakeNoTraps,
    /// A trap may come with the corpse of a victim (`mktrap`).
    TrapVictims,
    /// Most human victims of traps had a role, magic traps have victims too, and a land mine with a victim has exploded
    /// (`mktrap_victim`).
    TrapVictimsHadRoles,
    /// A web has a spider only on deep levels, and not always (`mktrap`).
    SpidersAreRare,
    /// Squeaky boards have notes (`maketrap`).
    TunedBoards,
    /// Corridors of the rogue style are sometimes secret (`corr`).
    SecretRogueCorridors,
    /// A premapped level has no secret doors and corridors (`sokoban_detect`).
    PremappingOpensDoors,
    /// The secret doors of a premapped level are neither locked nor trapped (`premap_detect`).
    PremappingUnlocksDoors,
    /// A buried boulder becomes part of the ground, as a buried rock does in all games (`bury_an_obj`).
    BuriedBouldersVanish,
    /// A raised drawbridge is passable depending on the terrain below it (`accessible`).
    RaisedBridgesAreLookedUnder,
    /// Trees can be made impassable to monsters that walk through walls (`may_passwall`).
    TreesCanBeImpassable,
    /// Engravings belong to the level while it is generated, and move with it. Without the rule, the reference traces
    /// only list them.
    EngravingsAreKept,
    /// The wall of a door made by ROOMDOOR is drawn once, its last square is never drawn, and rock on the other side
    /// does not prevent it (`create_door`).
    DoorsDrawTheirWall,
    /// The search for a place near another one examines one side after the other, and continues beyond the farthest
    /// edge of the level (`enexto`).
    NearPlacesBySides,
    /// `selection.rndcoord` returns two numbers, not a table (`l_selection_rndcoord`).
    PlacesAreTwoNumbers,
    /// A floating eye can be placed over lava (`goodpos`).
    EyesHoverOverLava,
    /// A trap can be placed on stairs, fountains and similar furniture (`maketrap`).
    TrapsOnFurniture,
    /// The spider of a web is created even if the web cannot be (`mktrap`).
    SpidersWithoutWebs,
    /// Only walls and stone can be made undiggable or impassable, not trees and bars (`set_wall_property`).
    OnlyWallsHarden,
    /// Secret doors do not stop an irregular region (`flood_fill_rm`).
    SecretDoorsBoundNothing,
    /// A maze is stocked according to all of its squares, not the half of them that can be floor, and its monsters may
    /// be in water (`load_maze`).
    MazesStockedByArea,
    /// A level region without bounds excludes the top row (`place_lregion`).
    RegionsBelowTopRow,
    /// The reference traces do not record the species of corpses, statues and similar objects.
    MonstersOfObjectsUnnoted,
    /// A mimic does not imitate monsters (`create_monster`).
    MimicsAreNoMonsters,
    /// A random room is tried repeatedly anywhere on the level. There is no list of free rectangles, and a room with a
    /// given place may overlap anything (`create_room`).
    RoomsWithoutRectangles,
    /// A random place without restrictions is still floor, water or lava, and no place may be outside the level
    /// (`get_location`).
    AnywhereIsWetOrDry,
    /// The game reports a place outside the level as an internal error (`get_location`).
    PlacesAreComplainedOf,
    /// MAP and DOOR do not mark their squares as touched, and cross walls on untouched squares become floor (`spo_map`,
    /// `remove_boundary_syms`).
    MapsTouchNothing,
    /// DOOR makes a door that joins its rooms immediately and keeps the direction of the terrain it replaces. Doors are
    /// not checked when the level is finished (`sel_set_door`).
    DoorsAreDoneAtOnce,
    /// A random place for a monster is dry floor. Swimmers also accept water and lava, and eels accept nothing else
    /// (`create_monster`).
    SwimmersAloneGetWet,
    /// If a given place in a room is not bare floor, the game gives up and does not draw another one
    /// (`get_free_room_loc`).
    GivenPlacesHaveToBeFree,
    /// RETURN outside a function does nothing (`spo_return`).
    ReturnNeedsNoFunction,
    /// A vault may have pools with eels on two of its squares (`fill_room`).
    VaultsMayBeAquariums,
    /// A room inside a room that found no place still takes its values from the stack (`spo_room`).
    FailedRoomsTakeValues,
    /// A door in a wall of a single square takes no draw for its place (`create_door`).
    OneSquareTakesNoDoorDraw,
    /// INIT_MAP does not change where a MAP is placed, and its ice has nothing below it (`spo_map`).
    InitLeavesMaps,
    /// Stairs and portals are placed after the level has been shown to the hero (`fixup_special`).
    RegionsPlacedLast,
    /// Of a message, 79 bytes are read up to the first line end, and `%` with a letter is replaced by a property of the
    /// hero (`spo_message`, `string_subst`).
    MessagesAreSubstituted,
    /// The messages of a level are shown line by line as soon as the level is finished (`fixup_special`).
    MessagesAreSaid,
    /// Stairs in a room keep a trap below them (`spo_stair`).
    StairsInRoomsKeepTraps,
    /// Monsters that stock a maze may be in water and lava (`fill_empty_maze`).
    MazeMonstersGetWet,
    /// floodfill() records squares more than once, and the game gives up if there are too many (`selection_floodfill`).
    FloodsOverrun,
    /// Corridors join every room, even one marked unjoined, and a region that is a room counts as joined to the first
    /// one (`join`, `spo_region`).
    EveryRoomIsJoined,
    /// A drawbridge whose state is drawn is open if the higher number is drawn (`create_drawbridge`).
    HighDrawOpensBridges,
    /// The sex of a monster named by its species is drawn before its place, unless the species has only one sex or the
    /// name implies it (NetHack 5.0.0, `find_montype`).
    MonstersHaveSexes,
    /// A monster that does not breathe is not a water monster for that reason alone (`pm_to_humidity`).
    BreathlessMonstersStayDry,
    /// A dry place is any square one can stand on, including stairs and furniture, except doors and squares with a
    /// boulder (`is_ok_location`).
    DryIsSpaceWithoutBoulders,
    /// Random stairs are placed on floor, corridors and ice. Stairs at a given place turn it into floor, and several
    /// may lead up or down (`l_create_stairway`, `mkstairs`).
    StairsFindFloor,
    /// The places around another one are shuffled ring by ring, and the first good one is taken. Places that scare
    /// monsters are avoided in the first pass (`enexto`, `collect_coords`).
    NearPlacesByShuffledRings,
    /// A monster without a free place in its room is not created (`create_monster`).
    MonstersStayInTheirRoom,
    /// A unique monster that already exists is not created again (`create_monster`).
    UniqueMonstersComeOnce,
    /// A square with a monster gets no second one (`makemon`).
    OccupiedPlacesTakeNoMonster,
    /// Stairs and ladders cannot be overwritten by other terrain (`set_levltyp`).
    StairsAreNotOverwritten,
    /// New terrain sets its details: walls and bars are horizontal, ice freezes over a pool or moat, clouds remove
    /// engravings (`sel_set_ter`).
    TerrainSetsDetails,
    /// Filling a level resets the properties of its squares (`lvlfill_solid`).
    FillsClearSquares,
    /// The parts of caverns are no longer rooms once they are joined (`join_map_cleanup`).
    CavernRoomsAreForgotten,
    /// The walls of caverns are the same as those made by WALLIFY (`finish_map`).
    CavernsAreWallified,
    /// A wall or door at the edge of an irregular region belongs to it alone if it belongs to no room yet
    /// (`flood_fill_rm`).
    EdgesBelongToTheirRoom,
    /// Walls connect to walls of water and lava (`iswall`).
    WaterAndLavaJoinWalls,
    /// Coordinates are wider than a byte (`coordxy`).
    CoordinatesAreWide,
    /// A square is inside an irregular room if it has the room's number (`inside_room`).
    IrregularRoomsByNumber,
    /// Lava gets no traps (`mktrap`).
    LavaTakesNoTraps,
    /// The destination of a hole or trap door is drawn (`hole_destination`).
    HolesChooseTheirDepth,
    /// A trap needs ground: there are none on stairs, in pools and lava, on a raised bridge or in the air, and only
    /// pits and holes on furniture (`maketrap`).
    TrapsNeedTheirGround,
    /// The last two trap types belong to doors and chests and are never on a square (`maketrap`).
    DoorsAndChestsAreTraps,
    /// A vibrating square picks its own place (`pick_vibrasquare_location`).
    VibratingSquareFindsItsPlace,
    /// A subroom at a random place may reach the right and bottom edge of its room (`create_subroom`).
    SubroomsReachTheFarWall,
    /// A room with subrooms is irregular (`lspo_room`).
    SubroomsMakeRoomsIrregular,
    /// The north wall at the start of a corridor is the upper wall of the room (`search_door`).
    CorridorWallsAsNamed,
    /// A random corridor is dug before its doors are made, starting at squares of the walls that lead into the rooms
    /// (`join`, `finddpos`).
    CorridorsDugBeforeDoors,
    /// The first two levels have no secret corridors, and no secret doors at random corridors (`maybe_sdoor`).
    ShallowLevelsHaveNoSecrets,
    /// A door is made in a wall only if a neighbouring square is open (`okdoor`).
    DoorsNeedAnOpening,
    /// The search for a door's place in a room's wall makes 100 tries, not 101 (`create_door`).
    DoorsTriedAHundredTimes,
    /// A room lists each of its doors once, and their number is unlimited (`add_door`).
    DoorsListedOnce,
    /// A door belongs to the rooms whose squares it touches, and is listed when its room is finished (`maybe_add_door`,
    /// `add_doors_to_room`).
    DoorsBelongToWhatTheyTouch,
    /// A door in a random wall may be in any of the four. Without the rule, one wall is drawn for each try
    /// (`create_door`).
    RandomWallsAreAny,
    /// The state of a door in a room's wall is drawn twice, and the first draw is discarded (`lspo_door`).
    DoorStatesDrawnTwice,
    /// A feature at a random place needs dry ground (`lspo_feature`).
    RandomFeaturesNeedDryGround,
    /// Rooms are filled after the loader has finished the level (`fill_special_room`).
    RoomsAreFilledLater,
    /// Boulders, traps and engravings on water and lava are removed when the level is finished (`map_cleanup`).
    LiquidsAreCleared,
    /// Stairs, engravings, regions and rooms are flipped wherever they are, even outside the flipped part
    /// (`flip_level`).
    FlipsReachBeyond,
    /// A level region is clipped to the map and avoids exclusion zones (`place_lregion`, `put_lregion_here`).
    RegionsAreClamped,
    /// Boulders that stock a maze do not fill pits and holes (`fill_empty_maze`).
    BouldersSparePits,
    /// A gradient selects all squares within its minimum distance and none beyond its maximum
    /// (`selection_do_gradient`).
    GradientsCoverTheirMiddle,
    /// A random line includes both of its ends (`selection_do_randline`).
    RandomLinesReachTheirEnd,
    /// Selections keep the bounds of their squares, and some of their functions rely on them (`selvar.c`).
    SelectionsKeepBounds,
    /// Terrain does not change column 0, but a selection can grow into it (`set_levltyp`, `selection_do_grow`).
    ColumnZeroIsOutside,
    /// The altar of a high priest is marked (`create_altar`).
    SanctumsAreMarked,
    /// A map too high for its place is moved to the top. Without the rule, the game gives up (`lspo_map`).
    TallMapsStartAtTop,
    /// The reference traces are those of NetHack 5.0.0, which record alignments, prizes, flips, and every monster,
    /// object and trap of the finished level.
    TracesAreDetailed was "runs_are_told_in_detail",
    /// The alignments that a level draws from are shuffled like any list, starting from lawful, neutral, chaotic
    /// (`nhlib.lua`). Without the rule, they start in the opposite order and take other draws (`shuffle_alignments`).
    AlignmentsShuffledFromLaw,
    /// Statues, corpses, eggs and tins have exactly the marks the level gives them. Without the rule, marks are drawn
    /// for those without any, and marks of statues have other numbers (`lspo_object`).
    CorpsesAreMarked,
    /// The chance of every monster, object and trap is drawn, even if it is certain (NetHack 3.4.3, `create_monster`).
    /// In a script, a preceding `percent` is that draw.
    ThingsDrawTheirChance,
    /// A random place in a room is any of its squares, whatever is there. Only things that need bare floor draw again
    /// (`get_room_loc`).
    RoomPlacesAreAnySquare,
    /// A feature at a random place in a room avoids traps and other features (`create_feature`).
    FeaturesLookForRoom,
    /// Random stairs keep away from the previous stairs of the same map (`load_maze`).
    StairsKeepApart,
    /// A room without a chance takes no draw for it (`build_room`).
    RoomsWithoutChanceDrawNone,
    /// Rooms are sorted from left to right before they are joined at random (`sort_rooms`).
    RoomsSortedBeforeJoining,
    /// Any monster can have an appearance, not only mimics and shape-changers (`create_monster` takes the number of no
    /// species for a shape).
    AnyoneCanBeDisguised,
    /// An ordinary room is left out, with its contents, if its chance fails (dNAO, `build_room`). Without the rule, its
    /// chance has no effect.
    UnlikelyRoomsAreLeftOut,
}
