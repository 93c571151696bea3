//! Maps and their placement (`lspo_map`).

use mlua::{Lua, MultiValue, Table, Value};
use splc_lua::des::map as keys;

use super::{Answer, nothing};
use crate::level::{COLUMNS, ROWS, Room, is_ok};
use crate::limits::LUA_BYTES_READ_A_STEP;
use crate::loader::MapFragment;
use crate::lua::arguments::Arguments;
use crate::lua::calls::{Failure, call_back, work};
use crate::lua::raised::{deadly, mistake};
use crate::lua::running::{Run, Shared};
use crate::lua::selections;
use crate::selection::Selection;

/// Creates a table with the width and height of a map.
pub(super) fn size(lua: &Lua, width: i32, height: i32) -> mlua::Result<Table> {
    selections::numbers(lua, &[("width", width.into()), ("height", height.into())])
}

pub(super) fn map(lua: &Lua, run: Shared<'_, '_>, arguments: MultiValue) -> Answer {
    let making = run.borrow().loader.making;
    if making.has_failed() {
        return nothing();
    }
    let arguments = Arguments::new(arguments);
    let (mut across, mut down, mut at, mut lit, mut contents) = (3, 3, (-1, -1), false, Value::Nil);
    let drawn = if arguments.len() == 1 && arguments.is_text(1) {
        arguments.text(1)?
    } else {
        let fields = arguments.only_table(lua)?;
        across = fields.word(run, &keys::ACROSS)?;
        down = fields.word(run, &keys::DOWN)?;
        at = fields.place(&keys::PLACE)?;
        let drawn = fields.text(&keys::MAP)?;
        lit = fields.is(&keys::LIT)?;
        contents = fields.get(&keys::CONTENTS)?;
        drawn
    };
    work(lua, (drawn.len() / LUA_BYTES_READ_A_STEP) as u64)?;
    let drawn = MapFragment::new(&drawn).ok_or_else(|| mistake("Map data error"))?;
    let laid = {
        let mut run = run.borrow_mut();
        let free = if making.themed {
            run.place_themed_map(&drawn, (across, down), at)?
        } else {
            run.place_map(&drawn, (across, down), at)?;
            true
        };
        if !free {
            run.loader.making.failed = true;
            run.reset_map();
            contents = Value::Nil;
            Selection::new()
        } else if run.loader.size_x <= 1 && run.loader.size_y <= 1 {
            run.reset_map();
            Selection::new()
        } else {
            let joined = run.joined;
            run.loader.lay_fragment(&drawn, lit, joined)
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

impl Run<'_> {
    /// Places the map of a themed room on unused ground. A place that is not given is drawn, again and again if the
    /// ground is in use. Returns false if none is found.
    fn place_themed_map(
        &mut self,
        map: &MapFragment,
        sides: (i32, i32),
        (given_x, given_y): (i64, i64),
    ) -> mlua::Result<bool> {
        const TRIES: i32 = 100;
        for _ in 0..=TRIES {
            let (mut x, mut y) = (given_x, given_y);
            if sides == (-1, -1) {
                if x == -1 {
                    x = self.random_corner(map.width, COLUMNS - 1, 1, |room| (room.low_x, room.high_x)).into();
                }
                if y == -1 {
                    y = self.random_corner(map.height, ROWS, 0, |room| (room.low_y, room.high_y)).into();
                }
            }
            self.place_map(map, sides, (x, y))?;
            if self.loader.start_y < 0 || self.loader.start_y + self.loader.size_y > ROWS {
                return Ok(false);
            }
            if self.loader.size_x <= 1 && self.loader.size_y <= 1 || self.loader.is_unused_ground(map) {
                return Ok(true);
            }
            self.loader.check_draws().map_err(deadly)?;
            if sides.0 != -1 && sides.1 != -1 {
                break;
            }
        }
        Ok(false)
    }

    /// Draws the first column or row of a themed map: in the level, or in the surrounding room.
    fn random_corner(&mut self, length: i32, most: i32, least: i32, of: impl Fn(&Room) -> (i32, i32)) -> i32 {
        match self.room() {
            Some(room) => {
                let (low, high) = of(&self.loader.level.rooms[room]);
                (self.loader.rn1(high - low + 1, low) - length).max(1)
            }
            None => least + self.loader.rn2(most - length),
        }
    }

    /// Places a map: at a side of the level, or at a place of the level or the surrounding room (`lspo_map`).
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
            // Mazes are carved on odd columns and rows.
            if loader.start_x % 2 == 0 {
                loader.start_x += 1;
            }
            if loader.start_y % 2 == 0 {
                loader.start_y += 1;
            }
        }
        if !loader.making.themed {
            loader.move_map_onto_level(loader.size_y).map_err(deadly)?;
        }
        Ok(())
    }
}
