"""Compares the VM's predictions for levels with the real game. Part of run.py.

`splc run --json` runs a level with many seeds. Everything that is the same on all of them (terrain, states of doors,
stairs, traps, objects, creatures) must also be so in the game, for any random numbers. The game is queried three times,
because no single view shows everything: for its map with all traps, for all objects, and for all creatures.

The numbers of symbols and traps, and the order in which things cover each other, are rules of NetHack 3.6.7 (defsym in
drawing.c, trap.h, display.c, detect.c). Species and types of objects have the numbers of the game's own tables.
"""

import json
import subprocess

# The game's symbol numbers for the VM's letters for terrain. Doors, stairs and ladders have separate lists.
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
    # A secret corridor; mapping the level reveals it.
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
# Stairs up are omitted: the level is the first one of the game, which has none.
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
# Object number of gold pieces in the build of nle (which has no scroll of mail).
GOLD = 410
ANY = "any "
# Monsters that change their form as soon as they are created (pm_to_cham).
SHAPESHIFTERS = {"chameleon", "doppelganger", "sandestin", "vampire", "vampire lord", "any V"}
MIMIC = "m"
UNKNOWN_CLASSES = {"any monster", "any object"}


# --- Predictions of the VM


def made(splc, target, source, seeds):
    """Runs each level of `source` in the VM. Returns for each name one document per seed.

    Levels that fail on one of the seeds are omitted.
    """
    first, last = seeds
    # The level is the first one of the game.
    run = [str(splc), "run", "--target", target, "--json", "--seeds", f"{first}..{last}", "--depth", "1", str(source)]
    said = subprocess.run(run, capture_output=True, text=True, timeout=300).stdout
    levels = {}
    for line in said.splitlines():
        document = json.loads(line)
        levels.setdefault(document["level"], []).append(document)
    return {name: documents for name, documents in levels.items() if len(documents) == last - first + 1}


def door(entry):
    """Returns the symbols of a door."""
    turned = 1 if entry["horizontal"] else 0
    if entry["secret"]:
        return [HORIZONTAL_WALL if entry["horizontal"] else VERTICAL_WALL]
    if entry["mask"] & IS_OPEN:
        return [OPEN + turned]
    if entry["mask"] & IS_SHUT:
        return [CLOSED + turned]
    return [DOORWAY]


def within(document, x, y, margin, kinds):
    """Returns true if (x,y) is in a room of one of `kinds`, or at most `margin` squares outside."""
    for room in document["rooms"] + document["subrooms"]:
        x1, y1, x2, y2 = room["area"]
        if kinds(room["kind"]) and x1 - margin <= x <= x2 + margin and y1 - margin <= y <= y2 + margin:
            return True
    return False


def ground(document):
    """Returns the name and the sign of each square that is more than a letter, by (x, y)."""
    squares = {}
    for entry in document["doors"]:
        x, y = entry["x"], entry["y"]
        # The game opens the doors of shops and similar rooms when it fills them, which the VM does not simulate.
        filled = within(document, x, y, 1, lambda kind: kind != "ordinary")
        squares[x, y] = (entry["state"], ANY_DOOR if filled and not entry["secret"] else door(entry))
    for entry in document["stairs"]:
        squares[entry["x"], entry["y"]] = (f"stairs or ladder {entry['what']}", STAIRS.get(entry["what"]))
    for entry in document["traps"]:
        x, y = entry["x"], entry["y"]
        # If the hero can only be placed in solid rock, the game removes the traps there.
        symbols = None if document["terrain"][y][x - 1] == " " else [FIRST_TRAP + TRAPS.index(entry["what"])]
        squares[x, y] = (f"{entry['what']} trap", symbols)
    return {place: (what, symbols and {"symbols": symbols}) for place, (what, symbols) in squares.items()}


def letters(documents):
    """Returns squares with the same letter in all `documents` and nothing else, as a list like that of `promises`."""
    first = documents[0]
    special = {place for document in documents for place in ground(document)}
    branches = [entry["within"] for entry in first["branches"]]
    # Random corridors create doors at various places, most of them rarely.
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
                # On the first level, stairs lead up to the elemental planes.
                symbols = symbols + UP_STAIRS
            if doors_move and symbols[0] in WALLS and within(first, x, y, 1, lambda kind: True):
                symbols = symbols + ANY_DOOR
            if letter == "." and within(first, x, y, 0, lambda kind: True):
                # The game furnishes rooms, which the VM does not simulate.
                symbols = symbols + FURNITURE
            found.append(("map", x, y, f"'{letter}'", {"symbols": symbols}))
    return found


def alone(entries, sign):
    """Returns the name and the sign of each entry that is alone on its square, by (x, y)."""
    squares = {}
    for entry in entries:
        squares.setdefault((entry["x"], entry["y"]), []).append(entry)
    return {place: (there[0]["what"], sign(there[0])) for place, there in squares.items() if len(there) == 1}


def class_sign(kind, what):
    """Returns the sign of a thing known only by its class: `any h`."""
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
    # The game's view of all objects includes those that creatures carry, also the creatures that fill rooms.
    for entry in document["monsters"]:
        squares.pop((entry["x"], entry["y"]), None)
    crowds = [place for place in squares if within(document, *place, 0, lambda kind: kind != "ordinary")]
    for place in crowds:
        del squares[place]
    return squares


VIEWS = {"map": ground, "objects": things, "creatures": lambda document: alone(document["monsters"], creature)}


def promises(documents):
    """Returns everything that is the same in all `documents`: a list of view, x, y, name and sign."""
    found = letters(documents)
    for view, look in VIEWS.items():
        looks = [look(document) for document in documents]
        for place, (what, sign) in sorted(looks[0].items()):
            if sign is not None and all(other.get(place, (None, None))[1] == sign for other in looks[1:]):
                found.append((view, *place, what, sign))
    return found


# Types of promises, in the order in which they are reported.
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
    """Returns the type of a promise, one of KINDS."""
    view, _, _, what, _ = promise
    if view != "map":
        return "object" if view == "objects" else "creature"
    if what.startswith("'"):
        return KIND_OF_LETTER.get(what[1], "wall")
    return "trap" if "trap" in what.split() else "stairs" if what.startswith("stairs") else "door"


# --- Comparison with the game


def fits(sign, glyph):
    """Returns true if `glyph`, as described by inside.py, has the sign."""
    (kind, value), = sign.items()
    if kind == "symbols":
        return glyph.get("symbol") in value
    if kind == "class":
        kind, symbol = value
        return kind in glyph and glyph["class"] == symbol
    return glyph.get(kind) == value


def broken(promised, shown, glyphs):
    """Compares promises with the views of the game. `glyphs` describes the glyphs in the views.

    Returns the promises that are kept, the number of those hidden below something else, and descriptions of the broken
    ones by place.
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
    """Returns true if the creature there is a mimic, which the map shows in its disguise."""
    glyph = glyphs[str(shown["creatures"]["rows"][y][x - 1])]
    return "creature" in glyph and glyph["class"] == MIMIC


def covers(what, glyph):
    """Returns true if `glyph` may hide the expected symbol: a thing, a creature, or a trap on something else."""
    return "symbol" not in glyph or glyph["symbol"] >= FIRST_TRAP and "trap" not in what


def describe(glyph):
    return ", ".join(f"{kind} {value}" for kind, value in glyph.items())
