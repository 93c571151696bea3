"""What the VM says must be there, and whether the real game shows it: a part of run.py.

`splc run --json` makes a level with many seeds; what comes out the same with all of them (terrain, states of doors,
stairs, traps, objects, creatures) must be so in the game, too, whatever its own dice do. The game is asked three
times, as no view of it shows everything: for its map, with all traps; for all objects; for all creatures.

The numbers of the game's symbols and traps, and what stands on top of what, are rules of NetHack 3.6.7 (defsym in
drawing.c, trap.h, display.c, detect.c). Species and kinds of objects have the numbers of the game's own tables.
"""

import json
import subprocess

# How the game shows the VM's letters for terrain, as numbers of its symbols. Doors, stairs and ladders are told by
# lists of their own.
FLOOR = [19, 20]
CORRIDOR = [21, 22]
TREE = [18]
# Altars, graves, thrones, sinks and fountains.
FURNITURE = [27, 28, 29, 30, 31]
ANY_DOOR = [12, 13, 14, 15, 16]
SHOWN = {
    " ": [0],
    "|": [1],
    "-": [2],
    "1": [3],
    "2": [4],
    "3": [5],
    "4": [6],
    "5": [7],
    "6": [8],
    "7": [9],
    "8": [10],
    "9": [11],
    "F": [17],
    "T": TREE,
    ".": FLOOR,
    "#": CORRIDOR,
    # Found when the level is mapped.
    "H": CORRIDOR,
    "_": [27],
    "G": [28],
    "\\": [29],
    "K": [30],
    "{": [31],
    "P": [32],
    "}": [32],
    "I": [33],
    "L": [34],
    "D": [35, 36],
    "d": [37, 38],
    "A": [39],
    "C": [40],
    "W": [41],
}
# The stairs up are left out: the game has the level as its first one, from which none go up.
UP_STAIRS = [23]
STAIRS = {"down": [24], "ladder up": [25], "ladder down": [26]}
VERTICAL_WALL, HORIZONTAL_WALL = 1, 2
WALLS = range(1, 12)
DOORWAY, OPEN, CLOSED = 12, 13, 15
IS_OPEN, IS_SHUT = 2, 4 | 8
FIRST_TRAP = 42
TRAPS = [
    "arrow", "dart", "falling rock", "board", "bear", "land mine", "rolling boulder", "sleep gas", "rust", "fire",
    "pit", "spiked pit", "hole", "trap door", "teleport", "level teleport", "magic portal", "web", "statue", "magic",
    "anti magic", "polymorph", "vibrating square",
]  # fmt: skip
# Number of gold pieces among the kinds of objects, in the build of nle (which has no scroll of mail).
GOLD = 410
ANY = "any "
# What takes another form as soon as it is made (pm_to_cham).
SHAPESHIFTERS = {"chameleon", "doppelganger", "sandestin", "vampire", "vampire lord", "any V"}
MIMIC = "m"
UNKNOWN_CLASSES = {"any monster", "any object"}


# --- What the VM says


def made(splc, target, source, seeds):
    """What the VM makes of each level of `source`: name to one document for each of `seeds`.

    Levels that it cannot make with all of them are left out.
    """
    first, last = seeds
    # The game has it as its first level.
    run = [str(splc), "run", "--target", target, "--json", "--seeds", f"{first}..{last}", "--depth", "1", str(source)]
    said = subprocess.run(run, capture_output=True, text=True, timeout=300).stdout
    levels = {}
    for line in said.splitlines():
        document = json.loads(line)
        levels.setdefault(document["level"], []).append(document)
    return {name: documents for name, documents in levels.items() if len(documents) == last - first + 1}


def door(entry):
    """The symbols of a door."""
    turned = 1 if entry["horizontal"] else 0
    if entry["secret"]:
        return [HORIZONTAL_WALL if entry["horizontal"] else VERTICAL_WALL]
    if entry["mask"] & IS_OPEN:
        return [OPEN + turned]
    if entry["mask"] & IS_SHUT:
        return [CLOSED + turned]
    return [DOORWAY]


def within(document, x, y, margin, kinds):
    """Whether (x,y) is in a room of one of `kinds`, or so near to it."""
    for room in document["rooms"] + document["subrooms"]:
        x1, y1, x2, y2 = room["area"]
        if kinds(room["kind"]) and x1 - margin <= x <= x2 + margin and y1 - margin <= y <= y2 + margin:
            return True
    return False


def ground(document):
    """Squares of a level that are more than a letter: (x, y) to what they are called and how they are shown."""
    squares = {}
    for entry in document["doors"]:
        x, y = entry["x"], entry["y"]
        # The game opens the doors of shops and the like when it fills them, which the VM leaves to it.
        filled = within(document, x, y, 1, lambda kind: kind != "ordinary")
        squares[x, y] = (entry["state"], ANY_DOOR if filled and not entry["secret"] else door(entry))
    for entry in document["stairs"]:
        squares[entry["x"], entry["y"]] = (f"stairs or ladder {entry['what']}", STAIRS.get(entry["what"]))
    for entry in document["traps"]:
        x, y = entry["x"], entry["y"]
        # Where there is no place for the hero but in solid rock, the game removes the traps that are there.
        symbols = None if document["terrain"][y][x - 1] == " " else [FIRST_TRAP + TRAPS.index(entry["what"])]
        squares[x, y] = (f"{entry['what']} trap", symbols)
    return {place: (what, symbols and {"symbols": symbols}) for place, (what, symbols) in squares.items()}


def letters(documents):
    """Squares that have the same letter in all `documents`, and nothing else: a list as that of `promises`."""
    first = documents[0]
    special = {place for document in documents for place in ground(document)}
    branches = [entry["within"] for entry in first["branches"]]
    # Corridors that are dug at random make doors where they like, most of them seldom.
    doors_move = len({frozenset((entry["x"], entry["y"]) for entry in document["doors"]) for document in documents}) > 1
    found = []
    for y, rows in enumerate(zip(*(document["terrain"] for document in documents))):
        for x, there in enumerate(zip(*rows), 1):
            letter = there[0]
            if letter not in SHOWN or (x, y) in special or len(set(there)) > 1:
                continue
            symbols = SHOWN[letter]
            if letter == " " and "arboreal" in first["flags"]:
                symbols = TREE
            if any(x1 <= x <= x2 and y1 <= y <= y2 for x1, y1, x2, y2 in branches):
                # From the first level, stairs lead up to the elemental planes.
                symbols = symbols + UP_STAIRS
            if doors_move and symbols[0] in WALLS and within(first, x, y, 1, lambda kind: True):
                symbols = symbols + ANY_DOOR
            if letter == "." and within(first, x, y, 0, lambda kind: True):
                # The game furnishes rooms, which the VM leaves to it.
                symbols = symbols + FURNITURE
            found.append(("map", x, y, f"'{letter}'", {"symbols": symbols}))
    return found


def alone(entries, sign):
    """Those of `entries` that have a square for themselves: (x, y) to what it is called and its sign."""
    squares = {}
    for entry in entries:
        squares.setdefault((entry["x"], entry["y"]), []).append(entry)
    return {place: (there[0]["what"], sign(there[0])) for place, there in squares.items() if len(there) == 1}


def class_sign(kind, what):
    """Of what is only known by its class: `any h`."""
    return {"class": [kind, what[len(ANY)]]} if what.startswith(ANY) and what not in UNKNOWN_CLASSES else None


def thing(entry):
    what = entry["what"]
    if entry.get("number") is None:
        return class_sign("object", what)
    if what in ("corpse", "statue"):
        return {what: entry["monster"]} if entry["monster"] else None
    return {"object": entry["number"]}


def creature(entry):
    what = entry["what"]
    if what in SHAPESHIFTERS:
        return None
    return class_sign("creature", what) if what.startswith(ANY) else {"creature": entry["species"]}


def things(document):
    lying = [entry for entry in document["objects"] if entry["whereabouts"] in ("floor", "buried")]
    gold = [{**entry, "what": "gold", "number": GOLD} for entry in document["gold"]]
    squares = alone(lying + gold, thing)
    # The game's view of all objects shows what creatures carry, too, those also with which it fills rooms.
    for entry in document["monsters"]:
        squares.pop((entry["x"], entry["y"]), None)
    crowds = [place for place in squares if within(document, *place, 0, lambda kind: kind != "ordinary")]
    for place in crowds:
        del squares[place]
    return squares


VIEWS = {"map": ground, "objects": things, "creatures": lambda document: alone(document["monsters"], creature)}


def promises(documents):
    """What is the same in all `documents`: a list of view, x, y, what it is called and its sign."""
    found = letters(documents)
    for view, look in VIEWS.items():
        looks = [look(document) for document in documents]
        for place, (what, sign) in sorted(looks[0].items()):
            if sign is not None and all(other.get(place, (None, None))[1] == sign for other in looks[1:]):
                found.append((view, *place, what, sign))
    return found


# Kinds of statements, in the order in which they are counted.
KINDS = [
    "rock", "wall", "floor", "door", "corridor", "water", "lava", "ice", "tree", "bars", "altar", "grave", "throne",
    "sink", "fountain", "drawbridge", "air", "stairs", "trap", "object", "creature",
]  # fmt: skip
KIND_OF_LETTER = {
    " ": "rock", ".": "floor", "#": "corridor", "H": "corridor", "P": "water", "}": "water", "W": "water", "L": "lava",
    "I": "ice", "T": "tree", "F": "bars", "_": "altar", "G": "grave", "\\": "throne", "K": "sink", "{": "fountain",
    "D": "drawbridge", "d": "drawbridge", "A": "air", "C": "air",
}  # fmt: skip


def kind(promise):
    """Which of KINDS a promise is about."""
    view, _, _, what, _ = promise
    if view != "map":
        return "object" if view == "objects" else "creature"
    if what.startswith("'"):
        return KIND_OF_LETTER.get(what[1], "wall")
    return "trap" if "trap" in what.split() else "stairs" if what.startswith("stairs") else "door"


# --- What the game shows


def fits(sign, glyph):
    """Whether `glyph`, as inside.py describes it, has the sign."""
    (kind, value), = sign.items()
    if kind == "symbols":
        return glyph.get("symbol") in value
    if kind == "class":
        kind, symbol = value
        return kind in glyph and glyph["class"] == symbol
    return glyph.get(kind) == value


def broken(promised, shown, glyphs):
    """Compares what is promised with what the game shows; `glyphs` describes what is shown.

    Returns what is kept of it, how much is hidden below something else, and what is broken, in words, by its place.
    """
    kept, hidden, wrong = [], 0, {}
    for promise in promised:
        view, x, y, what, sign = promise
        glyph = glyphs[str(shown[view]["rows"][y][x - 1])]
        if fits(sign, glyph):
            kept.append(promise)
        elif [x, y] == shown[view]["hero"] or view == "map" and (covers(what, glyph) or is_mimic(shown, glyphs, x, y)):
            hidden += 1
        else:
            wrong[x, y] = f"({x},{y}) is {describe(glyph)}, and the VM says {what}"
    return kept, hidden, wrong


def is_mimic(shown, glyphs, x, y):
    """Whether the creature there is a mimic, which the map shows as what it looks like."""
    glyph = glyphs[str(shown["creatures"]["rows"][y][x - 1])]
    return "creature" in glyph and glyph["class"] == MIMIC


def covers(what, glyph):
    """Whether `glyph` may hide what the map is to show: things, creatures, and traps on what is no trap."""
    return "symbol" not in glyph or glyph["symbol"] >= FIRST_TRAP and "trap" not in what


def describe(glyph):
    return ", ".join(f"{kind} {value}" for kind, value in glyph.items())
