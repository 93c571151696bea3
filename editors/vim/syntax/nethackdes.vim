" Highlighting of des-files, the levels of NetHack and its variants. Works without the language server.
if exists("b:current_syntax")
  finish
endif

syntax case match
syntax match nethackdesComment /^\s*#.*$/ contains=@Spell
syntax region nethackdesString start=/"/ end=/"/ oneline
syntax match nethackdesCharacter /'\(\\.\|.\)'/
syntax match nethackdesNumber /\<\d\+\(d\d\+\)\?\>\|\<\d\+%/
syntax match nethackdesVariable /\$\h\w*/
syntax match nethackdesStatement /\<[A-Z][A-Z_]\+\>/
syntax keyword nethackdesConstant random lit unlit true false up down north south east west open closed locked nodoor broken secret
syntax keyword nethackdesConstant center left right top bottom law neutral chaos filled unfilled irregular joined unjoined
syntax keyword nethackdesFunction rect fillrect line randline grow filter floodfill circle ellipse gradient complement rndcoord

" The squares of a map, by their terrain.
syntax region nethackdesMap matchgroup=nethackdesStatement start=/^MAP\s*$/ end=/^ENDMAP/ keepend contains=nethackdesWall,nethackdesFloor,nethackdesDoor,nethackdesWater,nethackdesLava,nethackdesTree,nethackdesCorridor,nethackdesFixture
syntax match nethackdesWall /[-|]/ contained
syntax match nethackdesFloor /\./ contained
syntax match nethackdesDoor /[+S]/ contained
syntax match nethackdesWater /[}PW]/ contained
syntax match nethackdesLava /L/ contained
syntax match nethackdesTree /T/ contained
syntax match nethackdesCorridor /[#H]/ contained
syntax match nethackdesFixture /[{\\KFIAC]/ contained

highlight default link nethackdesComment Comment
highlight default link nethackdesString String
highlight default link nethackdesCharacter Character
highlight default link nethackdesNumber Number
highlight default link nethackdesVariable Identifier
highlight default link nethackdesStatement Keyword
highlight default link nethackdesConstant Constant
highlight default link nethackdesFunction Function
highlight default link nethackdesWall Structure
highlight default link nethackdesFloor Normal
highlight default link nethackdesDoor Special
highlight default link nethackdesWater Function
highlight default link nethackdesLava Error
highlight default link nethackdesTree String
highlight default link nethackdesCorridor Comment
highlight default link nethackdesFixture Type

" Maps can be long, and their squares depend on where they begin.
syntax sync fromstart
let b:current_syntax = "nethackdes"
