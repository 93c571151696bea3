//! Levels of rooms and corridors (`load_rooms`).

use splc_ir::catalog::LoaderRule;
use splc_ir::parts::{Room, Rooms};

use super::Parts;
use crate::error::Fault;
use crate::level::SUBROOMS;
use crate::loader::{CorridorEnd, EAST, NORTH, RoomDoorRequest, RoomRequest, SOUTH, WEST};
use crate::observer::Complaint;
use crate::terrain::Terrain;

impl Parts<'_> {
    /// Makes the rooms, each with its contents, and then the corridors.
    pub(super) fn rooms(&mut self, rooms: &Rooms) -> Result<(), Fault> {
        self.object_registers = self.fill_registers(self.object_registers, &rooms.object_registers);
        self.monster_registers = self.fill_registers(self.monster_registers, &rooms.monster_registers);
        for room in rooms.rooms.iter().filter(|room| room.parent.is_none()) {
            self.room(rooms, room, None)?;
        }
        for corridor in &rooms.corridors {
            self.begin()?;
            let corridor = &corridor.node;
            let end =
                |room: i8, wall: i8, door: i8| CorridorEnd { room: room.into(), wall: wall.into(), door: door.into() };
            let from = end(corridor.from_room, corridor.from_wall, corridor.from_door);
            self.loader.create_corridor(from, end(corridor.to_room, corridor.to_wall, corridor.to_door))?;
        }
        Ok(())
    }

    /// Makes a room, or a subroom of `parent`, with its contents (`build_room`).
    fn room(&mut self, rooms: &Rooms, room: &Room, parent: Option<usize>) -> Result<(), Fault> {
        self.begin()?;
        let header = &room.header;
        let chance = i32::from(header.chance);
        let typed = chance == 0 || self.loader.happens(chance);
        let kind = if typed { header.kind.into() } else { 0 };
        if !typed && header.kind == 0 && self.loader.has(LoaderRule::UnlikelyRoomsAreLeftOut) {
            self.leave_out();
            return Ok(());
        }
        let request = RoomRequest {
            x: header.x.into(),
            y: header.y.into(),
            width: header.width.into(),
            height: header.height.into(),
            align_x: header.horizontal.into(),
            align_y: header.vertical.into(),
            kind,
            chance,
            light: header.light.into(),
            filled: header.filled != 0,
            joined: true,
        };
        let (number, made) = match parent {
            Some(parent) => {
                let number = SUBROOMS + self.loader.level.subroom_count;
                (number, self.loader.create_subroom(parent, &request, kind)?)
            }
            None => (self.loader.level.room_count, self.loader.create_room(&request, kind)?),
        };
        if !made {
            self.loader.complain(Complaint::RoomFailed);
            self.leave_out();
            return Ok(());
        }
        for subroom in rooms.rooms.iter().filter(|subroom| subroom.parent.is_some()) {
            if rooms.around(subroom).is_some_and(|around| std::ptr::eq(&rooms.rooms[around], room)) {
                if parent.is_some() {
                    // The game stores the numbers of top-level rooms only, and would search for the subroom's number
                    // anywhere.
                    return Err(Fault::RoomNesting);
                }
                self.room(rooms, subroom, Some(number))?;
            }
        }
        self.room = Some(number);
        self.furnish(room, number)?;
        self.room = None;
        self.loader.mark_room(number);
        if request.filled {
            self.loader.fill_room(number, false);
        }
        Ok(())
    }

    /// Makes the contents of a room. Most lists are reversed in the level file.
    fn furnish(&mut self, room: &Room, number: usize) -> Result<(), Fault> {
        for stair in room.stairs.iter().rev() {
            self.begin()?;
            let (x, y) = self.free_room_place(stair.node.x, stair.node.y, number)?;
            self.loader.make_stairs(x, y, stair.node.up != 0, Some(number));
        }
        let features =
            [(&room.sinks, Terrain::SINK), (&room.pools, Terrain::POOL), (&room.fountains, Terrain::FOUNTAIN)];
        for (list, terrain) in features {
            for feature in list.iter().rev() {
                self.begin()?;
                self.feature(&feature.node, terrain, Some(number))?;
            }
        }
        self.own_places(&room.places, Some(number))?;
        for altar in room.altars.iter().rev() {
            self.begin()?;
            self.altar(&altar.node, Some(number))?;
        }
        for door in room.doors.iter().rev() {
            self.begin()?;
            let request = RoomDoorRequest {
                wall: door.node.wall.into(),
                position: door.node.position.into(),
                secret: door.node.secret.into(),
                state: self.prepared.game.door_state(door.node.state.into()).0,
            };
            if ![-1, NORTH, SOUTH, EAST, WEST].contains(&request.wall) {
                return Err(Fault::DoorWall);
            }
            self.loader.create_room_door(request, number);
        }
        for trap in room.traps.iter().rev() {
            self.begin()?;
            self.trap(&trap.node, Some(number))?;
        }
        for monster in room.monsters.iter().rev() {
            self.begin()?;
            self.monster(&monster.node, Some(number))?;
        }
        for object in &room.objects {
            self.begin()?;
            self.object(&object.node, Some(number))?;
        }
        for gold in room.gold.iter().rev() {
            self.begin()?;
            self.gold(&gold.node, Some(number))?;
        }
        for engraving in room.engravings.iter().rev() {
            self.begin()?;
            self.engraving(&engraving.node, Some(number))?;
        }
        Ok(())
    }
}
