[
  (level)
  (block)
  (switch)
  (map)
  (array)
] @fold
