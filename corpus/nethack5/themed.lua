-- Themed rooms of a small dungeon of our own. `splc themerooms corpus/nethack5/themed.lua` shows them.
--
-- The level maker calls themerooms_generate() for each room that it makes, and that function chooses an entry of
-- `themerooms`. A room with a themed fill calls themeroom_fill().

themeroom_fills = {
   {
      name = "Puddles",
      frequency = 2,
      contents = function(room)
         des.terrain(selection.room():percentage(40), "P");
      end,
   },
   {
      -- Only a dark room hides its mushrooms.
      name = "Mushrooms",
      eligible = function(room) return not room.lit; end,
      contents = function(room)
         des.monster("F");
         des.object({ id = "corpse", montype = "lichen" });
      end,
   },
   {
      name = "Armoury",
      mindiff = 6,
      frequency = 3,
      contents = function(room)
         for i = 1, d(2, 3) do
            des.object("[");
         end
      end,
   },
};

themerooms = {
   {
      name = "default",
      frequency = 12,
      contents = function()
         des.room({ type = "ordinary", filled = 1 });
      end,
   },
   {
      name = "Filled",
      frequency = 3,
      contents = function()
         des.room({ type = "themed", contents = themeroom_fill });
      end,
   },
   {
      name = "Guard house",
      mindiff = 4,
      contents = function()
         des.room({ type = "themed", w = 9, h = 7, contents = function()
            des.room({ type = "themed", x = 3, y = 2, w = 3, h = 3, contents = function()
               des.door({ state = "closed", wall = "all" });
               des.monster("soldier ant");
            end });
         end });
      end,
   },
   {
      name = "Well",
      maxdiff = 9,
      frequency = 5,
      contents = function()
         des.map({ map = [[
xx-----xx
---...---
|...{...|
---...---
xx-----xx]], contents = function(map)
            des.region({ region = { 4, 1, 4, 1 }, type = "ordinary", irregular = true, filled = 1 });
         end });
      end,
   },
   {
      -- Its lowest difficulty is above its highest: a mistake that no level shows.
      name = "Treasury",
      mindiff = 12,
      maxdiff = 10,
      contents = function()
         des.room({ type = "themed", contents = function()
            des.object("chest");
         end });
      end,
   },
   {
      -- The map is as high as the level, but nothing of a room may touch the edge: it finds no place.
      name = "Tower",
      contents = function()
         des.map({ map = [[
|.|
|.|
|.|
|.|
|.|
|.|
|.|
|.|
|.|
|.|
|.|
|.|
|.|
|.|
|.|
|.|
|.|
|.|
|.|
|.|
|.|]] });
      end,
   },
   {
      -- The game has no such fish: it gives up when it first makes this room.
      name = "Fish market",
      mindiff = 2,
      maxdiff = 2,
      contents = function()
         des.room({ type = "themed", w = 4, h = 3, contents = function()
            des.object("food ration");
            des.monster({ id = "codfish" });
         end });
      end,
   },
};

function fits(entry, room)
   local difficulty = nh.level_difficulty();
   if entry.mindiff and difficulty < entry.mindiff or entry.maxdiff and difficulty > entry.maxdiff then
      return false;
   end
   return not (room and entry.eligible) or entry.eligible(room);
end

-- Goes through a list once. Each entry that fits replaces the choice so far with its share of the total.
function themerooms_generate()
   local pick;
   local total = 0;
   for i = 1, #themerooms do
      if fits(themerooms[i]) then
         local share = themerooms[i].frequency or 1;
         total = total + share;
         if nh.rn2(total) < share then
            pick = i;
         end
      end
   end
   themerooms[pick].contents();
end

-- The same for fills, with other means: a ticket for each unit of frequency, and one draw.
function themeroom_fill(room)
   local tickets = {};
   for i = 1, #themeroom_fills do
      if fits(themeroom_fills[i], room) then
         for n = 1, themeroom_fills[i].frequency or 1 do
            tickets[#tickets + 1] = i;
         end
      end
   end
   themeroom_fills[tickets[1 + nh.rn2(#tickets)]].contents(room);
end

function pre_themerooms_generate()
end

function post_themerooms_generate()
end

function post_level_generate()
end
