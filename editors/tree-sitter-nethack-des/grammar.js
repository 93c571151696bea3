/**
 * A grammar of des-files, the sources of special levels in NetHack 3.4.3, NetHack 3.6, SporkHack and UnNetHack.
 *
 * It reads the common form of all dialects: keywords with operands, blocks, maps. Which operands a statement takes is
 * left to `splc check`, so a file with a wrong operand still has a tree.
 */

const list = (rule) => seq(rule, repeat(seq(",", rule)));

module.exports = grammar({
  name: "nethack_des",

  extras: ($) => [/\s/, $.comment],

  word: ($) => $.keyword,

  rules: {
    source_file: ($) => seq(repeat($._statement), repeat($.level)),

    level: ($) => prec.right(seq($.level_header, repeat($._statement))),

    level_header: ($) => seq(alias(choice("LEVEL", "MAZE"), $.keyword), ":", list($._expression)),

    _statement: ($) =>
      choice(
        $.statement,
        $.map,
        $.chance,
        $.if,
        $.switch,
        $.loop,
        $.for,
        $.function,
        $.call,
        $.assignment,
        $.include,
      ),

    // `MONSTER: ...`, in SporkHack and NetHack 3.4.3 with a chance: `MONSTER[50%]: ...`
    statement: ($) =>
      prec.right(
        seq(
          $.keyword,
          optional(alias($._own_condition, $.condition)),
          optional(seq(":", list($._expression))),
          optional($.block),
        ),
      ),

    block: ($) => seq("{", repeat($._statement), "}"),

    condition: ($) => seq("[", $._expression, "]"),

    // On the line of the word before it: on a line of its own, it is the chance of the next statement.
    _own_condition: ($) => seq(alias(token.immediate(prec(1, /[ \t]*\[/)), "["), $._expression, "]"),

    chance: ($) => seq($.condition, ":", $._statement),

    if: ($) => prec.right(seq("IF", $.condition, $.block, optional($.else))),

    else: ($) => seq("ELSE", choice($.block, $.if)),

    switch: ($) => seq("SWITCH", $.condition, "{", repeat($.case), "}"),

    case: ($) => seq(choice(seq("CASE", optional(choice("-", "+")), $.number), "DEFAULT"), ":", repeat($._statement)),

    loop: ($) => seq("LOOP", $.condition, $.block),

    for: ($) => seq("FOR", $.variable, "=", $._expression, choice("TO", ".."), $._expression, $.block),

    function: ($) =>
      seq("FUNCTION", field("name", $.word), "(", optional(list($.parameter)), ")", $.block),

    parameter: ($) => seq($.variable, ":", $.word),

    call: ($) => seq(field("name", $.word), "(", optional(list($._expression)), ")"),

    assignment: ($) =>
      seq(
        $.variable,
        optional($.index),
        "=",
        choice(
          $.array,
          seq(field("type", choice($.word, $.keyword)), ":", $.array),
          list($._expression),
        ),
      ),

    array: ($) => seq("{", list($._expression), "}"),

    include: ($) => seq("INCLUDE", optional(":"), $.string),

    _expression: ($) => choice($.detail, $.binary, $._value),

    // `name: "Fido"`, `montype: "newt"`, in SporkHack also `NAME: "Fido"`
    detail: ($) => prec.right(seq(choice($.word, $.keyword), ":", $._expression)),

    binary: ($) =>
      choice(
        ...[
          [1, choice("==", "!=", "<", "<=", ">", ">=", "=", "<>")],
          [2, choice("&", "|")],
          [3, "."],
          [4, choice("+", "-")],
          [5, choice("*", "/", "%")],
        ].map(([level, sign]) => prec.left(level, seq($._expression, sign, $._expression))),
      ),

    _value: ($) =>
      choice(
        $.number,
        $.dice,
        $.percentage,
        // `"shop" [90%]`
        prec.right(seq($.string, optional(alias($._own_condition, $.condition)))),
        $.character,
        prec.right(8, seq($.variable, optional($.index))),
        $.word,
        $.register,
        $.tuple,
        $.selection,
        $.applied,
        $.negative,
      ),

    negative: ($) => prec(6, seq(choice("-", "+"), $._value)),

    // `random[dry,wet]`, `place[0]`, `align[1]`
    register: ($) => prec(8, seq($.word, $.index)),

    index: ($) => seq(token.immediate(prec(1, "[")), list($._expression), "]"),

    // Places, rectangles, monsters and objects with their class.
    tuple: ($) => prec(8, seq("(", list($._expression), ")")),

    // `coord(1,2)`, `filter(50%, $place)`, `levregion(1,0,10,20)`
    applied: ($) => prec(9, seq($.word, "(", optional(list($._expression)), ")")),

    // `rect (1,1,5,5)`, `line (1,1)-(5,5)`, `floodfill (3,3)`, `m_object "boulder"`
    selection: ($) =>
      prec.right(
        7,
        seq(
          alias(
            choice(
              "rect",
              "fillrect",
              "line",
              "randline",
              "grow",
              "filter",
              "floodfill",
              "flood",
              "circle",
              "ellipse",
              "gradient",
              "complement",
              "m_object",
              "m_monster",
              "m_feature",
            ),
            $.word,
          ),
          $._value,
        ),
      ),

    // The squares of a map, in runs of the same terrain. Blanks are stone.
    map: ($) =>
      seq(
        "MAP",
        repeat(
          choice(
            $.wall,
            $.floor,
            $.door,
            $.corridor,
            $.water,
            $.lava,
            $.ice,
            $.tree,
            $.fountain,
            $.throne,
            $.sink,
            $.altar,
            $.bars,
            $.cloud,
            $.other_square,
          ),
        ),
        // Not a keyword: two capitals in a row of a map are squares.
        alias(token(prec(3, "ENDMAP")), "ENDMAP"),
      ),

    wall: () => token(prec(2, /[-|]+/)),
    floor: () => token(prec(2, /\.+/)),
    door: () => token(prec(2, /[+S]+/)),
    corridor: () => token(prec(2, /[#H]+/)),
    water: () => token(prec(2, /[}PW]+/)),
    lava: () => token(prec(2, /L+/)),
    ice: () => token(prec(2, /I+/)),
    tree: () => token(prec(2, /T+/)),
    fountain: () => token(prec(2, /\{+/)),
    throne: () => token(prec(2, /\\+/)),
    sink: () => token(prec(2, /K+/)),
    altar: () => token(prec(2, /_+/)),
    bars: () => token(prec(2, /F+/)),
    cloud: () => token(prec(2, /C+/)),
    other_square: () => token(prec(1, /[^\s]/)),

    comment: () => token(prec(1, /#[^\r\n]*/)),

    // Two capitals or more: the beginning of a statement.
    keyword: () => /[A-Z][A-Z0-9_]+/,

    variable: () => /\$[A-Za-z_][A-Za-z0-9_]*/,

    word: () =>
      token(
        choice(
          /([a-z_][A-Za-z0-9_]*|[A-Z][A-Z0-9_]*[a-z][A-Za-z0-9_]*)([.][A-Za-z0-9_]+)*/,
          /[A-Z]/,
          /half-(left|right|top|bottom)/,
        ),
      ),

    number: () => /[0-9]+/,

    dice: () => /[0-9]+d[0-9]+/,

    percentage: () => /[0-9]+%/,

    string: () => /"[^"]*"/,

    character: () => /'(\\[^\r\n]|[^\r\n])'/,
  },
});
