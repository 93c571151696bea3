-- A themed room: the game places it among its own rooms, or alone as a level.
des.room({ type = "themed", lit = 1, filled = 1, w = 7, h = 5,
   contents = function(room)
      des.feature("fountain", 3, 2)
      des.object("chest", { 1, 1 })
      if percent(50) then
         des.monster("gnome", { 5, 3 })
      end
      des.trap("sleep gas", { 5, 1 })
   end
})
des.room({ type = "ordinary", lit = 1,
   contents = function()
      des.stair("up")
   end
})
des.room({ type = "ordinary", lit = 1,
   contents = function()
      des.stair("down")
   end
})
des.random_corridors()
