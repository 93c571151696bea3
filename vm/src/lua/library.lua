-- The Lua functions available to every level of NetHack 5, with the same draws in the same order as in the game's
-- nhlib.lua. `ours` holds functions that only this file may call.
local ours = ...
local settle, words, fail = ours.settle, ours.words, ours.fail
local try, resume = pcall, coroutine.resume
local pack, unpack = table.pack, table.unpack
local select, type, tostring, pairs = select, type, tostring, pairs
local rn2, between = nh.rn2, nh.random

-- A level must not catch a fault that ends the game.
function pcall(call, ...)
   return settle(try(call, ...))
end

function xpcall(call, handler, ...)
   local results = pack(try(call, ...))
   if results[1] then
      return unpack(results, 1, results.n)
   end
   settle(false, results[2])
   -- The handler runs after the call is unwound. Until then, Lua does not count steps if the step limit was the error.
   local _, value = settle(try(handler, words(results[2])))
   return false, value
end

function coroutine.resume(thread, ...)
   return settle(resume(thread, ...))
end

function math.random(...)
   local first, last = ...
   local count = select("#", ...)
   if count == 1 then
      return 1 + rn2(first)
   elseif count == 2 then
      return between(first, last + 1 - first)
   end
   fail("NetHack math.random requires at least one parameter")
end
local random, whole = math.random, math.type

-- The game has its own nhlib.lua, which runs next. Early ones seed Lua's own generator, which no draw comes from here.
if ours.replaced then
   os = os or { time = function() return 0 end }
   math.randomseed = math.randomseed or function() end
   return
end

function shuffle(list)
   for last = #list, 2, -1 do
      local pick = math.random(last)
      local kept = list[pick]
      list[pick] = list[last]
      list[last] = kept
   end
end

if ours.records then
   -- Drawn when first used. Which draws come first makes no difference to the statements.
   local setmetatable, alignments = ours.setmetatable, {}
   local function drawn()
      setmetatable(alignments, nil)
      alignments[1], alignments[2], alignments[3] = "law", "neutral", "chaos"
      for last = 3, 2, -1 do
         local pick = random(last)
         alignments[pick], alignments[last] = alignments[last], alignments[pick]
      end
      return alignments
   end
   align = setmetatable(alignments, {
      __index = function(_, index) return drawn()[index] end,
      __newindex = function(_, index, value) drawn()[index] = value end,
      __len = function() return #drawn() end,
      __pairs = function() return pairs(drawn()) end,
   })
elseif ours.from_law then
   align = { "law", "neutral", "chaos" }
   shuffle(align)
else
   -- The shuffle of games with des-files. For the last two alignments, the other result of the draw swaps them.
   align = { "chaos", "neutral", "law" }
   local last = math.random(3)
   align[3], align[last] = align[last], align[3]
   if math.random(2) == 2 then
      align[1], align[2] = align[2], align[1]
   end
end

function d(count, faces)
   if faces == nil then
      return math.random(1, count)
   end
   local total = 0
   for _ = 1, count do
      total = total + math.random(1, faces)
   end
   return total
end

function percent(chance)
   -- The same draw, of which only the result matters.
   if ours.records and math.random == random and whole(chance) == "integer" then
      return ours.happens(chance)
   end
   return chance > math.random(0, 99)
end

if ours.chances_count then
   -- These games draw a chance for each thing. If `percent` succeeds, its draw is the chance of the next thing.
   local always, note = percent, ours.chance
   function percent(chance)
      local comes = always(chance)
      note(comes)
      return comes
   end
end

function monkfoodshop()
   return u.role == "Monk" and "health food shop" or "food shop"
end

function hell_tweaks(kept)
   local depth = u.depth
   local size = kept:numpoints()
   local free = kept:negate()

   if percent(20 + depth) then
      local pools = selection.new()
      for _ = 1, 5 + math.random(depth) do
         pools:set()
      end
      for _, way in ipairs({ "west", "north", "random" }) do
         pools = pools | selection.grow(selection.set(selection.new()), way)
      end
      pools = pools & free
      if percent(80) then
         local shore = pools:clone():grow("all") & free
         des.terrain(shore:percentage(math.random(1, 8) * 10), ".")
      end
      des.terrain(pools, "L")
   end

   if percent(50) then
      local wanted = (nhc.COLNO * nhc.ROWNO - size) / 12
      local rivers = selection.new()
      local tries = 0
      repeat
         local floor = selection.match(".")
         local spring = selection.rndcoord(floor)
         local mouth = selection.rndcoord(floor)
         local river = selection.randline(selection.new(), spring.x, spring.y, mouth.x, mouth.y, 10)
         for _, way in ipairs({ "north", "west" }) do
            if percent(50) then
               river = selection.grow(river, way)
            end
         end
         rivers = (rivers | river) & free
         tries = tries + 1
      until rivers:numpoints() > wanted or tries > 7
      if percent(60) then
         local share = 10 * math.random(1, 6)
         des.terrain(selection.percentage(selection.grow(rivers) & free, share), ".")
      end
      des.terrain(rivers, "L")
   end

   local function thin_walls()
      local share = 3 * math.random(1, 8)
      local along = selection.match(".w."):percentage(share)
      return along | selection.match(".\nw\n."):percentage(share)
   end
   if percent(20) then
      (thin_walls() & free):iterate(function(x, y)
         des.terrain(x, y, ".")
         des.object("boulder", x, y)
      end)
   end
   if percent(20) then
      des.terrain(thin_walls():grow() & selection.match("w") & free, "F")
   end
end

function pline(format, ...)
   nh.pline(string.format(format, ...))
end

function table_stringify(tbl)
   local parts = {}
   for key, value in pairs(tbl) do
      local kind = type(value)
      local text
      if kind == "table" then
         text = table_stringify(value)
      elseif kind == "string" then
         text = "[[" .. value .. "]]"
      elseif kind == "boolean" or kind == "number" then
         text = tostring(value)
      end
      parts[#parts + 1] = text and ('["' .. key .. '"]=' .. text .. ",") or ","
   end
   return "{" .. table.concat(parts) .. "}"
end

function nh_set_variables_string(key, tbl)
   return 'nh_lua_variables["' .. key .. '"]=' .. table_stringify(tbl) .. ";"
end

function nh_get_variables_string(tbl)
   return "return " .. table_stringify(tbl) .. ";"
end

-- The game calls these during play, not while it creates a level.
function tutorial_cmd_before(command)
   return command ~= "save"
end

function tutorial_enter()
end

function tutorial_leave()
end

function tutorial_turn()
end
