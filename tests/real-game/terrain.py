"""What the maps of des-files promise: cells that must look the same in the game, whatever else happens.

Reads the JSON that `splc --emit json` writes. Of a level, those cells count that a MAP draws at a fixed place and
that no other statement changes; levels with statements that change terrain in ways not followed here are left out.
Where a map lies, and how a character of it is shown, are rules of NetHack 3.6.7 (sp_lev.c, display.c).
"""

import json

COLUMNS, ROWS = 80, 21
# The level's size for maps that are aligned in it.
MAZE_WIDTH, MAZE_HEIGHT = 78, 20

STONE = [0]
WALLS = list(range(1, 12))
DOORS = list(range(12, 17))
FLOOR = [19, 20]
CORRIDOR = [21, 22]
# What may stand on floor: stairs, ladders, altars, graves, thrones, sinks, fountains, traps.
FURNITURE = list(range(23, 32)) + list(range(42, 65))

# How the game shows each map character, as numbers of its symbols.
SHOWN = {
    " ": STONE,
    "#": CORRIDOR,
    ".": FLOOR + FURNITURE,
    "-": WALLS,
    "|": WALLS,
    "+": DOORS,
    # Looks like the wall it is in.
    "S": WALLS,
    # Found when the level is mapped.
    "H": CORRIDOR,
    # An invisible boundary, floor in the end.
    "B": FLOOR + FURNITURE,
    "{": [31],
    "\\": [29],
    "K": [30],
    "}": [32],
    "P": [32],
    "L": [34],
    "I": [33],
    "W": [41],
    "T": [18],
    "F": [17],
    "A": [39],
    "C": [40],
}

# Statements that change no cell of a map, but for what may stand on floor.
HARMLESS = {
    "altar", "break", "chance", "define", "engraving", "exit", "for", "fountain", "gold", "grave", "if", "init_map",
    "ladder", "level_region", "loop", "map", "message", "monster", "non_diggable", "non_passwall", "object", "region",
    "shuffle", "sink", "stair", "switch", "trap",
}  # fmt: skip
# Flags under which the game changes walls or stone.
CHANGING_FLAGS = {"arboreal", "corrmaze", "inaccessibles", "solidify"}

DIGITS = str.maketrans("", "", "0123456789")

HORIZONTAL = {
    "left": lambda width, made: 1 if made else 3,
    "half-left": lambda width, made: 2 + (MAZE_WIDTH - 2 - width) // 4,
    "center": lambda width, made: 2 + (MAZE_WIDTH - 2 - width) // 2,
    "half-right": lambda width, made: 2 + (MAZE_WIDTH - 2 - width) * 3 // 4,
    "right": lambda width, made: MAZE_WIDTH - width - 1,
}
VERTICAL = {
    "top": lambda height: 3,
    "center": lambda height: 2 + (MAZE_HEIGHT - 2 - height) // 2,
    "bottom": lambda height: MAZE_HEIGHT - height - 1,
}


def statements(tree):
    """Names of all statements in `tree`, nested ones too."""
    if isinstance(tree, dict):
        if "statement" in tree:
            yield tree["statement"]
        for part in tree.values():
            yield from statements(part)
    elif isinstance(tree, list):
        for part in tree:
            yield from statements(part)


def corner(position, width, height, made):
    """Where a map lies, or None if that is not fixed; `made` if INIT_MAP came before."""
    if "aligned" in position:
        x = HORIZONTAL[position["aligned"]["horizontal"]](width, made)
        y = VERTICAL[position["aligned"]["vertical"]](height)
        x, y = x | 1, y | 1
    else:
        place = position["at"]["kind"].get("coordinate")
        if not isinstance(place, dict):
            return None
        x, y = place["x"], place["y"]
    if y < 0 or y + height > ROWS:
        y = 0 if height == ROWS else y + (-2 if y > 0 else 2)
    return x, y


def drawn(level):
    """The cells that the maps of `level` draw: (x, y) to map character; None if that is not fixed."""
    cells = {}
    made = False
    for statement in level["body"]:
        kind = statement["kind"]
        made = made or kind["statement"] == "init_map"
        if kind["statement"] == "exit":
            break
        if kind["statement"] != "map" or kind["map"] != "drawn":
            continue
        # Digits number the lines; the compiler drops them wherever they are.
        rows = [row.translate(DIGITS) for row in kind["rows"]["rows"]]
        width = max(map(len, rows), default=0)
        if width <= 1 and len(rows) <= 1:
            # A map of one cell stands for none.
            continue
        place = corner(kind["position"], width, len(rows), made)
        if place is None:
            return None
        for y, row in enumerate(rows, place[1]):
            for x, character in enumerate(row.ljust(width), place[0]):
                cells[x, y] = character
    return cells


def fixed(cells):
    """Those of `cells` that must look like their character."""
    solid = set("-| S")
    for (x, y), character in sorted(cells.items()):
        if character not in SHOWN:
            # "x" lets through what was there; others are mistakes that become stone.
            continue
        around = [cells.get((x + dx, y + dy)) for dx in (-1, 0, 1) for dy in (-1, 0, 1) if dx or dy]
        # What lies beside the map is unknown: walls with nothing but walls and stone around become stone.
        if character in "-|" and all(near is None or near in solid or near not in SHOWN for near in around):
            continue
        # The game shows the whole level but its first column.
        if 1 <= x < COLUMNS and 0 <= y < ROWS:
            yield x, y, character, SHOWN[character]


def levels(folder):
    """Name of each level that counts, in the JSON files in `folder`, to its fixed cells."""
    found = {}
    for path in sorted(folder.glob("*.json")):
        for level in json.loads(path.read_text())["items"]:
            if level["item"] != "level":
                continue
            flags = {flag["node"] for flag in level["flags"] or []}
            top = [statement["kind"]["statement"] for statement in level["body"]]
            used = list(statements(level["body"]))
            if set(used) - HARMLESS or flags & CHANGING_FLAGS or used.count("map") != top.count("map"):
                continue
            cells = list(fixed(drawn(level) or {}))
            if cells:
                found[level["name"]["node"]] = cells
    return found
