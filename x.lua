des.level_flags("mazelevel", "noflip")
des.level_init({ style = "solidfill", fg = " ", lit = 0 })
des.map({ x = 3, y = 3, map = [[
 
x
]] })
des.monster({ id = "giant mimic", appear_as = "obj:egg#" })
