[
  (block)
  (switch)
  (array)
] @indent.begin

(case) @indent.begin

"}" @indent.branch @indent.end

(map) @indent.ignore
