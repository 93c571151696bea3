(comment) @comment
(string) @string
(character) @string.special
[(number) (dice) (percentage)] @number

(keyword) @keyword
["IF" "ELSE" "SWITCH" "CASE" "DEFAULT"] @keyword
["LOOP" "FOR" "TO"] @keyword
["FUNCTION" "INCLUDE" "MAP" "ENDMAP"] @keyword

(word) @constant
(variable) @variable
(parameter (variable) @variable.parameter)
(parameter (word) @type)
(detail (word) @property)
(assignment type: (_) @type)
(function name: (word) @function)
(call name: (word) @function)
(applied (word) @function.builtin)
(selection (word) @function.builtin)
(level_header (string) @string.special)

["(" ")" "[" "]" "{" "}"] @punctuation.bracket
["," ":"] @punctuation.delimiter
["=" "==" "!=" "<" "<=" ">" ">=" "<>" "&" "|" "." ".." "+" "-" "*" "/" "%"] @operator

; Squares, by their terrain.
(wall) @operator
(floor) @comment
(door) @type
(corridor) @comment
[(water) (ice)] @string
[(lava) (fountain)] @constant.builtin
(tree) @string.special
[(throne) (sink) (altar)] @label
[(bars) (cloud)] @attribute
(other_square) @constant
